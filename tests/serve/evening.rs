//! What may come to a desk in one evening: entries of all kinds, refusals of all kinds, a crowd
//! behind one address, and every export of it.

use super::support::{
    BROKEN, Browser, LEGAL, Running, encoded, event, event_command, folder, raw, start,
};
use calamine::{Data, Reader, Xlsx};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::time::{Duration, Instant};

/// Decks that a form of a browser can hold, and that are none, or look like something else.
const ODD: [&str; 15] = [
    " \n ",
    "# nothing yet",
    "1 ana.txt",
    "ana.txt",
    "1 http://example.org/deck",
    "../../etc/passwd.txt",
    "=cmd|' /C calc'!A0",
    " \t@SUM(A1)\n-1+cmd\n+1+1\n=1",
    "0 Nothing\n",
    "Format: none such\n\n1 Rain Caller\n",
    "format: shell\nmain:\n  - 3 Rain Caller\n",
    "1 Rain Caller\u{0}\n",
    "1 Rain \u{fffd}aller\n",
    "1 Rain Caller\r1 Moss Sprite\r",
    "1 '=Rain\n\"\n",
];

/// Names that a spreadsheet would run, and some that are long or strange.
fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "=1+1",
        "+1+cmd",
        "-1+cmd",
        "@SUM(A1)",
        "＝1",
        "'=1",
        "a\u{1b}[2J\0;=1",
        "\"",
        "Zo\u{fffd}, the 1st",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("=".repeat(100));
    names.push("Ж".repeat(100));
    names.push("1e5".to_owned());
    names.push("ana.txt".to_owned());
    names.push("'".to_owned());
    names.push("-".to_owned());
    names
}

/// A name as exports have it. Who can tell an apostrophe of its own from that of a guard?
fn kept(name: &str) -> String {
    let bare = if name.starts_with("'=") {
        &name[1..]
    } else {
        name
    };
    bare.replace(['\u{1b}', '\0'], " ").replace('\u{fffd}', "?")
}

/// Cells that a spreadsheet would run, whichever of its separators it takes.
fn runs(table: &[u8]) -> Vec<String> {
    let table = table.strip_prefix("\u{feff}".as_bytes()).unwrap_or(table);
    let mut found = Vec::new();
    for separator in [b',', b';', b'\t'] {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(table);
        for record in reader.records() {
            let record = record.unwrap();
            let cells = record.iter().filter(|cell| {
                let said = cell.trim_start();
                let runs = said.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
                    || cell.starts_with(['\t', '\r']);
                runs && *cell != "-" && cell.parse::<f64>().is_err()
            });
            found.extend(cells.map(str::to_owned));
        }
    }
    found
}

/// An entry that does not read is an entry, in every file that the desk and the command give, and
/// nothing of what players write runs in a spreadsheet.
#[test]
fn every_entry_is_in_every_export() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (path, _) = event(
        &mut host,
        &[("due", "2999-01-01T18:00"), ("zone", "+01:00")],
    );
    let own = folder(data.path(), &path);
    let names = names();
    let mut handed = BTreeSet::new();
    let mut form = vec![["time".to_owned(), "player".to_owned(), "deck".to_owned()]];
    for (at, deck) in ODD.iter().enumerate() {
        let name = names.get(at).unwrap();
        let mut player = Browser::new(running.address);
        let page = player.form(&path, &[("name", name), ("deck", deck), ("do", "anyway")]);
        if page.status == 200 && page.text().contains("<h2>Handed in</h2>") {
            handed.insert(at);
            continue;
        }
        // What is no deck at all is refused here, and comes by a form.
        assert!(
            [400, 422].contains(&page.status),
            "{deck:?}: {}",
            page.text()
        );
        let plain = |text: &str| text.replace(['\u{0}', '\u{fffd}', '\u{1b}'], "?");
        form.push(["2026-03-01 10:00".to_owned(), plain(name), plain(deck)]);
    }
    assert!(form.len() > 3 && handed.len() > 3, "{handed:?}");
    let mut table = csv::Writer::from_writer(Vec::new());
    form.iter().for_each(|row| table.write_record(row).unwrap());
    let file = data.path().join("form.csv");
    std::fs::write(&file, table.into_inner().unwrap()).unwrap();
    event_command(&own, "import", &[file.to_str().unwrap(), "--yes"]);
    let desk: Vec<(&str, Vec<u8>)> = ["decks.csv", "decks.xlsx", "verdicts.ndjson", "event.json"]
        .into_iter()
        .map(|file| {
            let answer = host.get(&format!("{path}/desk/export/{file}"));
            assert_eq!(answer.status, 200, "{file}: {}", answer.text());
            (file, answer.body)
        })
        .collect();
    let of_desk = |name: &str| &desk.iter().find(|(known, _)| *known == name).unwrap().1;
    // The command says of the folder what the desk says of it.
    let table = event_command(&own, "export", &["-o", "csv-excel"]);
    assert_eq!(
        String::from_utf8_lossy(&table),
        String::from_utf8_lossy(of_desk("decks.csv"))
    );
    let verdicts = String::from_utf8(of_desk("verdicts.ndjson").clone()).unwrap();
    let said: Vec<Value> = verdicts
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let known: Value = serde_json::from_slice(of_desk("event.json")).unwrap();
    assert_eq!(known["players"].as_array().unwrap().len(), ODD.len());
    for verdict in &said {
        let unread = verdict["verdict"] == "unreadable";
        assert!(
            !unread || verdict["findings"][0]["message"].is_string(),
            "{verdict}"
        );
    }
    assert_eq!(runs(of_desk("decks.csv")), Vec::<String>::new());
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(of_desk("decks.xlsx").clone())).unwrap();
    let mut players = BTreeSet::new();
    for sheet in book.sheet_names() {
        let formulas = book.worksheet_formula(&sheet).unwrap();
        assert!(
            formulas.used_cells().next().is_none(),
            "{sheet} has a formula"
        );
        let cells = book.worksheet_range(&sheet).unwrap();
        players.extend(cells.rows().flatten().filter_map(|cell| match cell {
            Data::String(text) => Some(text.clone()),
            _ => None,
        }));
    }
    for at in handed {
        let name = kept(&names[at]);
        assert!(players.contains(&name), "{name} is not in the workbook");
    }
    for page in ["/desk", "/desk/sheets", "/desk/slips", "/desk/audit"] {
        let page = host.get(&format!("{path}{page}"));
        assert_eq!(page.status, 200, "{}", page.text());
    }
}

/// The text of a page's textarea, or the value of its input, as a browser reads it.
fn field(page: &str, name: &str) -> Option<String> {
    let plain = |text: &str| {
        let marks = [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&amp;", "&"),
        ];
        marks.iter().fold(text.to_owned(), |text, (mark, letter)| {
            text.replace(mark, letter)
        })
    };
    let named = format!("name=\"{name}\"");
    page.split('<')
        .zip(page.split('<').skip(1))
        .find_map(|(tag, _)| {
            if !tag.contains(&named) {
                return None;
            }
            if let Some(input) = tag.strip_prefix("input ") {
                let value = input.split("value=\"").nth(1)?;
                return Some(plain(value.split('"').next()?));
            }
            let area = tag.strip_prefix("textarea ")?.split_once('>')?.1;
            Some(plain(area.strip_prefix('\n').unwrap_or(area)))
        })
}

/// Whatever refuses a deck, the form comes back with what was typed and the reason beside it, and
/// nothing says that it was handed in.
#[test]
fn a_refusal_keeps_what_was_typed() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.public_url = Some("http://decks.example".to_owned());
    });
    let mut host = Browser::host(&running);
    let past = [
        ("due", "2020-01-01T18:00"),
        ("zone", "Z"),
        ("late", "refuse"),
    ];
    let (over, _) = event(&mut host, &past);
    let (open, _) = event(&mut host, &[]);
    let (closed, _) = event(&mut host, &[]);
    host.form(&format!("{closed}/desk/all"), &[("do", "lock")]);
    let typed = format!("\r\n<b>&amp;\"\r\n{LEGAL}");
    let other = "2 Rain Caller\n0 Nothing\n";
    let refused = |page: &super::support::Answer, name: Option<&str>, deck: &str, why: &str| {
        let text = page.text();
        assert!((400..600).contains(&page.status), "{}: {text}", page.status);
        let said = text.split("role=\"alert\"").nth(1);
        let said = said.and_then(|rest| rest.split("</p>").next());
        assert!(said.is_some_and(|said| said.contains(why)), "{why}: {text}");
        assert_eq!(field(&text, "deck").as_deref(), Some(deck), "{why}: {text}");
        if let Some(name) = name {
            assert_eq!(field(&text, "name").as_deref(), Some(name), "{why}: {text}");
        }
        assert!(!text.contains("Handed in"), "{why}: {text}");
        assert!(
            field(&text, "token").is_some_and(|token| !token.is_empty()),
            "{why}"
        );
    };
    let ana = [("name", "Ana & <Co>"), ("deck", &typed), ("do", "hand-in")];
    let new = || Browser::new(running.address);
    // A deadline, a desk that takes no more, and whatever is asked of it then.
    for action in ["hand-in", "anyway", "check"] {
        let fields = [ana[0], ana[1], ("do", action)];
        refused(
            &new().form(&over, &fields),
            Some(ana[0].1),
            &typed,
            "takes nothing late",
        );
        refused(
            &new().form(&closed, &fields),
            Some(ana[0].1),
            &typed,
            "takes no more decks",
        );
    }
    // No event of that invitation.
    refused(
        &new().form("/e/nosuch", &ana),
        Some(ana[0].1),
        &typed,
        "no such event",
    );
    // What cannot be read, and what is not legal.
    let unread = [("name", "Ben"), ("deck", other), ("do", "anyway")];
    refused(
        &new().form(&open, &unread),
        Some("Ben"),
        other,
        "cannot be read",
    );
    let illegal = [("name", "Ben"), ("deck", BROKEN), ("do", "hand-in")];
    refused(&new().form(&open, &illegal), Some("Ben"), BROKEN, "illegal");
    // No name, or too much of it.
    let long = "n".repeat(101);
    for name in ["", &long] {
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        refused(
            &new().form(&open, &fields),
            Some(name),
            LEGAL,
            "A name is needed",
        );
    }
    // A name that is taken.
    let mut first = new();
    let fields = [("name", "Cy"), ("deck", LEGAL), ("do", "hand-in")];
    assert!(first.form(&open, &fields).text().contains("Handed in"));
    let taken = [("name", " CY "), ("deck", BROKEN), ("do", "anyway")];
    refused(
        &new().form(&open, &taken),
        Some("CY"),
        BROKEN,
        "under this name already",
    );
    // Too large.
    let large = format!("{LEGAL}\n{}", "# a remark\n".repeat(7000));
    let fields = [("name", "Dee"), ("deck", &*large), ("do", "hand-in")];
    refused(
        &new().form(&open, &fields),
        Some("Dee"),
        &large,
        "larger than the 64 KiB",
    );
    // A form of another browser, or of one that lost its cookie: the form that comes back is good.
    for lost in ["token", "cookie"] {
        let mut player = new();
        match lost {
            "token" => player.token = "0".repeat(player.token.len()),
            _ => player.cookies.clear(),
        }
        let fields = [("name", "Eve"), ("deck", LEGAL), ("do", "hand-in")];
        let page = player.form(&open, &fields);
        refused(&page, Some("Eve"), LEGAL, "browser");
        player.token = field(&page.text(), "token").unwrap();
        let again = player.form(
            &open,
            &[("name", &format!("Eve {lost}")), fields[1], fields[2]],
        );
        assert!(again.text().contains("Handed in"), "{}", again.text());
    }
    // The same of a deck that is changed by its private link: what counts stands below.
    let mine = format!("{open}/mine");
    refused(
        &first.form(&mine, &[("deck", other), ("do", "hand-in")]),
        None,
        other,
        "cannot be read",
    );
    refused(
        &new().form(&mine, &[("deck", other), ("do", "hand-in")]),
        None,
        other,
        "private link",
    );
    host.form(&format!("{open}/desk/all"), &[("do", "lock")]);
    refused(
        &first.form(&mine, &[("deck", BROKEN), ("do", "anyway")]),
        None,
        BROKEN,
        "takes no more decks",
    );
    assert!(first.get(&mine).text().contains("Handed in"));
    // Too many requests.
    let mut hasty = new();
    let fields = [
        ("name", "Flo"),
        ("deck", LEGAL),
        ("do", "hand-in"),
        ("token", &hasty.token),
    ];
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{key}={}", encoded(value)))
        .collect();
    let from = [
        ("X-Forwarded-For", "203.0.113.9"),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let begun = Instant::now();
    let page = loop {
        assert!(begun.elapsed() < Duration::from_secs(60));
        // An address of no event, so that the bucket is the one of a person.
        let page = hasty.send("POST", "/e/nosuch", &from, fields.join("&").as_bytes());
        if page.status == 429 {
            break page;
        }
    };
    refused(&page, Some("Flo"), LEGAL, "Too many requests");
    // Other forms keep what was typed, too.
    let fields = [
        ("title", "A <title>"),
        ("format", "shell"),
        ("day", "2026-03-01"),
        ("list", "none"),
        ("due", "no time"),
        ("players", "Ana\nBen"),
    ];
    let page = host.form("/desk/new", &fields);
    assert_eq!(page.status, 400);
    for (name, value) in fields {
        assert_eq!(
            field(&page.text(), name).as_deref(),
            Some(value),
            "{}",
            page.text()
        );
    }
    // A key that was mistyped is shown to nobody.
    let page = new().form(&format!("{open}/enter"), &[("key", "mistyped")]);
    assert!(!page.text().contains("mistyped"));
}

/// 300 phones behind the one address of a shop open the page, see the verdict and hand in, all
/// within 15 seconds.
#[test]
fn three_hundred_phones_behind_one_address_all_hand_in() {
    const PHONES: usize = 300;
    let data = tempfile::tempdir().unwrap();
    let running: Running = start(data.path(), |config| {
        config.public_url = Some("http://decks.example".to_owned());
    });
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let from = ("X-Forwarded-For", "203.0.113.7");
    let begun = Instant::now();
    let phone = |number: usize| {
        let mut phone = Browser {
            address: running.address,
            cookies: std::collections::BTreeMap::new(),
            token: String::new(),
        };
        let page = phone.send("GET", &path, &[from], b"");
        assert_eq!(page.status, 200, "{}", page.text());
        for asset in ["style.css", "icon.svg", "desk.js", "key.js", "api.js"] {
            let request = phone.request("GET", &format!("/assets/{asset}"), &[from], b"");
            assert_eq!(raw(phone.address, &request).status, 200, "{asset}");
        }
        let token = phone.token.clone();
        let json = [
            from,
            ("Content-Type", "application/json"),
            ("X-Decklaw-Token", &token),
        ];
        let ask = serde_json::json!({"deck": LEGAL}).to_string();
        let id = path.rsplit('/').next().unwrap();
        let told = phone.send("POST", &format!("/api/e/{id}/check"), &json, ask.as_bytes());
        assert_eq!(told.json()["verdict"], "legal");
        let name = format!("Player {number}");
        let fields = [
            ("name", &*name),
            ("deck", LEGAL),
            ("do", "hand-in"),
            ("token", &token),
        ];
        let fields: Vec<String> = fields
            .iter()
            .map(|(key, value)| format!("{key}={}", encoded(value)))
            .collect();
        let form = [from, ("Content-Type", "application/x-www-form-urlencoded")];
        let page = phone.send("POST", &path, &form, fields.join("&").as_bytes());
        assert!(
            page.text().contains("<h2>Handed in</h2>"),
            "{}",
            page.text()
        );
        phone.get(&format!("{path}/mine"));
    };
    std::thread::scope(|scope| {
        let phones: Vec<_> = (0..PHONES)
            .map(|number| scope.spawn(move || phone(number)))
            .collect();
        let failed = phones
            .into_iter()
            .filter_map(|phone| phone.join().err())
            .count();
        assert_eq!(failed, 0, "phones did not get in");
    });
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(15), "{took:?}");
    let desk = host.get(&format!("{path}/desk?show=legal")).text();
    assert!(desk.contains(&format!("legal <b>{PHONES}</b>")));
    // An address that is no event's has what a person asks, and no more.
    let asked = (0..600).filter(|_| {
        let request = host.request("GET", "/e/nosuch", &[from], b"");
        raw(running.address, &request).status != 429
    });
    assert!(asked.count() < 600);
}
