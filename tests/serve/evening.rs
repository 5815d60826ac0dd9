//! An evening of three hundred: forms in two languages are dropped on the page, a folder comes by
//! the command, and a room full of phones hands in. What the event says is held against what was
//! planted.

use super::support::{
    BROKEN, Browser, LEGAL, decide, event, event_command, folder, import, start, state,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What was planted of a player.
#[derive(Debug, Clone)]
struct Planted {
    name: String,
    /// The name as it was typed.
    typed: String,
    deck: &'static str,
    /// Whether it came after the deadline.
    is_late: bool,
}

fn planted() -> Vec<Planted> {
    let given = [
        "Ada", "Börje", "Cléo", "Dov", "Eva", "Fay", "Gül", "Hal", "Ida", "Jon",
    ];
    let family = [
        "Abelard",
        "Brandt",
        "Corvin",
        "Dunmore",
        "Eastgate",
        "Fährmann",
    ];
    let one = |at: usize| {
        let number = ["", " Ost", " Süd", " Uhl", " Voß"][at / 60];
        let name = format!("{} {}{number}", given[at % 10], family[at / 10 % 6]);
        let mut typed: Vec<char> = name.chars().collect();
        // Two letters of the family name changed places.
        let is_form = at < 210;
        if is_form && at % 21 == 5 {
            let start = name.chars().position(|letter| letter == ' ').unwrap();
            typed.swap(start + 3, start + 4);
        }
        Planted {
            typed: typed.into_iter().collect(),
            name,
            deck: if at % 10 == 3 { BROKEN } else { LEGAL },
            is_late: is_form && at % 25 == 11,
        }
    };
    (0..300).map(one).collect()
}

/// A form's export in English or German.
fn form(rows: &[Planted], is_german: bool) -> Vec<u8> {
    let delimiter = if is_german { b';' } else { b',' };
    let mut writer = csv::WriterBuilder::new();
    let mut writer = writer.delimiter(delimiter).from_writer(Vec::new());
    let header = match is_german {
        true => ["Zeitstempel", "Wie heißt du?", "Deine Deckliste", "Stadt"],
        false => ["Timestamp", "What is your name?", "Paste your deck", "City"],
    };
    writer.write_record(header).unwrap();
    for (at, row) in rows.iter().enumerate() {
        let (hour, minute) = (if row.is_late { 19 } else { 9 + at % 8 }, at % 60);
        let time = match is_german {
            true => format!("28.02.2026 {hour:02}:{minute:02}:10"),
            false => format!("2026-02-28 {hour:02}:{minute:02}:10"),
        };
        writer
            .write_record([&time, &row.typed, row.deck, "Ulm"])
            .unwrap();
    }
    writer.into_inner().unwrap()
}

/// The event's table by the players' names.
fn table(bytes: &[u8]) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let cells = header
            .iter()
            .map(str::to_owned)
            .zip(row.iter().map(str::to_owned));
        let cells: BTreeMap<String, String> = cells.collect();
        (cells["player"].clone(), cells)
    });
    rows.collect()
}

#[test]
fn three_hundred_hand_in_from_forms_a_folder_and_phones() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let all = planted();
    let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    let list = names.join("\n");
    let opening = [
        ("players", list.as_str()),
        ("due", "2026-02-28T18:00"),
        ("zone", "Europe/Berlin"),
    ];
    let (path, _) = event(&mut host, &opening);
    let own = folder(data.path(), &path);
    let upload = |name: &str| json!({ "name": name });

    // Two forms, and the first of them once more.
    let (english, german) = (form(&all[..120], false), form(&all[120..210], true));
    let seen = import(&mut host, &path, &upload("answers.csv"), &english, false);
    assert_eq!(
        (&seen["kind"], &seen["new"]),
        (&json!("form"), &json!(120)),
        "{seen}"
    );
    for (name, bytes) in [
        ("answers.csv", &english),
        ("antworten.csv", &german),
        ("answers.csv", &english),
    ] {
        import(&mut host, &path, &upload(name), bytes, true);
    }
    // A folder of decks, by the command.
    let lists = data.path().join("lists");
    std::fs::create_dir(&lists).unwrap();
    for (at, one) in all[210..240].iter().enumerate() {
        let lines = one.deck.lines().filter(|line| !line.starts_with("Player:"));
        let deck = lines.collect::<Vec<_>>().join("\n");
        let deck = deck.replacen('\n', &format!("\nPlayer: {}\n", one.typed), 1);
        std::fs::write(lists.join(format!("{at:02}.txt")), deck).unwrap();
    }
    let at = ["--at", "2026-02-28T12:00", "--yes"];
    event_command(
        &own,
        "import",
        &[&[lists.to_str().unwrap()], &at[..]].concat(),
    );
    // The hall is open past the deadline: what the phones send is late, and is accepted below.
    std::thread::scope(|scope| {
        for phones in all[240..].chunks(15) {
            let (path, address) = (&path, running.address);
            scope.spawn(move || {
                for one in phones {
                    let mut phone = Browser::new(address);
                    let fields = [("name", &*one.typed), ("deck", one.deck), ("do", "anyway")];
                    let told = phone.form(path, &fields).text();
                    assert!(told.contains("Handed in"), "{}: {told}", one.name);
                }
            });
        }
    });

    // The questions are those that were planted, with the right answer first.
    let now = state(&mut host, &path);
    let questions = now["questions"].as_array().unwrap();
    let misspelt = all.iter().filter(|one| one.typed != one.name);
    let misspelt: BTreeMap<&str, &str> = misspelt.map(|one| (&*one.typed, &*one.name)).collect();
    assert_eq!(questions.len(), misspelt.len());
    for question in questions {
        let typed = question["name"].as_str().unwrap();
        assert_eq!(question["likely"]["name"], misspelt[typed], "{question}");
    }
    assert_eq!(decide(&mut host, &path, &["all", "yes"]).status, 200);
    let row_of = |state: &Value, name: &str| {
        let mut rows = state["players"].as_array().unwrap().iter();
        rows.find(|row| row["name"] == name).unwrap().clone()
    };
    let now = state(&mut host, &path);
    for one in &all[240..] {
        let entry = row_of(&now, &one.name)["entry"].clone();
        let said = decide(&mut host, &path, &[entry.as_str().unwrap(), "counts"]);
        assert_eq!(said.status, 200, "{}", said.text());
    }

    // The page's export is the command's, and both are what was planted.
    let exported = host.get(&format!("{path}/desk/decks.csv")).body;
    assert_eq!(
        exported,
        event_command(&own, "export", &["-o", "csv-excel"])
    );
    let rows = table(&exported);
    assert_eq!(rows.len(), 300);
    let mut counting = 0;
    for one in &all {
        let row = &rows[&one.name];
        let status = if one.is_late { "late" } else { "counts" };
        let verdict = if one.deck == LEGAL {
            "legal"
        } else {
            "illegal"
        };
        assert_eq!(
            (&*row["status"], &*row["verdict"], &*row["unlisted"]),
            (status, verdict, ""),
            "{one:?}: {row:?}"
        );
        counting += usize::from(!one.is_late);
    }
    assert_eq!(
        host.get(&format!("{path}/desk/cards")).json()["decks"],
        counting
    );
    // Everybody is drawn once, and a deck check finds the deck that counts.
    let drawn = decide(&mut host, &path, &["draw", "300"]).json();
    assert_eq!(drawn["drawn"].as_array().unwrap().len(), counting);
    let one = &all[250];
    let id = row_of(&now, &one.name)["id"].clone();
    let check = json!({"do": "check", "player": id, "deck": one.deck});
    let same = host.json("POST", &format!("{path}/desk/do"), &check).json();
    assert_eq!(same["answer"], "same");
}
