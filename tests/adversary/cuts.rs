//! Lines that are cut at any byte: the same form sent again has one effect, and one answer.

use super::support::{Answer, Browser, LEGAL, raw};
use super::world::{Cut, EVENT, Folders, Table, asked, form, times};
use serde_json::json;

/// Another deck of the same cards for each number.
fn deck(number: usize) -> String {
    format!("{LEGAL}{}", "\n".repeat(number + 1))
}

/// A page, where its form goes, and what is typed into that.
type Act<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// The receipt on a page.
fn receipt(page: &Answer) -> String {
    let text = page.text();
    let rest = text.split_once("<section class=\"receipt\">");
    let (_, rest) = rest.unwrap_or_else(|| panic!("no receipt: {} {text}", page.status));
    rest.split("</section>").next().unwrap().to_owned()
}

fn key(browser: &Browser) -> &str {
    &browser.cookies["decklaw-mine-friday"]
}

#[test]
fn a_hand_in_and_a_change_are_kept_once_wherever_the_line_is_cut() {
    let folders = Folders::new(&[]);
    let served = folders.serve();
    let many = 20 * times();
    let sent = |browser: &Browser, path: &str, name: &str, deck: &str| {
        let fields = [("name", name), ("deck", deck), ("do", "hand-in")];
        form(browser, path, &fields)
    };
    // As long as any of the others.
    let first = sent(&Browser::new(served.address), EVENT, "Player 0000", LEGAL);
    for (number, cut) in Cut::all(&first, many).into_iter().enumerate() {
        let mut player = Browser::new(served.address);
        let name = format!("Player {number:04}");
        cut.send(served.address, &sent(&player, EVENT, &name, LEGAL));
        let fields = [("name", &*name), ("deck", LEGAL), ("do", "hand-in")];
        let told = receipt(&player.form(EVENT, &fields));
        assert_eq!(told, receipt(&player.form(EVENT, &fields)), "{cut:?}");
        assert!(told.contains(key(&player)), "{cut:?}: {told}");
        assert_eq!(folders.entries(), 1 + number as i64, "{cut:?}");
    }
    let mut player = Browser::new(served.address);
    player.form(
        EVENT,
        &[("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")],
    );
    let mine = format!("{EVENT}/mine");
    let kept = folders.entries();
    let first = sent(&player, &mine, "", &deck(many));
    for (number, cut) in Cut::all(&first, many).into_iter().enumerate() {
        let deck = deck(number);
        cut.send(served.address, &sent(&player, &mine, "", &deck));
        let fields = [("deck", &*deck), ("do", "hand-in")];
        let told = receipt(&player.form(&mine, &fields));
        let version = format!("version {},", number + 2);
        assert!(told.contains(&version), "{cut:?}: {told}");
        assert_eq!(told, receipt(&player.form(&mine, &fields)), "{cut:?}");
        assert_eq!(folders.entries(), kept + 1 + number as i64, "{cut:?}");
    }
    // Nothing of it hangs on the process.
    drop(served);
    let served = folders.serve();
    player.address = served.address;
    let version = format!("version {},", many + 1);
    assert!(player.get(&mine).text().contains(&version));
    let told = folders.command(&[
        &["event", "status"],
        &[super::world::path(&folders.event())],
    ]);
    assert!(told.status.success(), "{}", super::world::said(&told));
}

#[test]
fn an_organisers_decision_is_written_down_once_wherever_the_line_is_cut() {
    let folders = Folders::new(&[]);
    let served = folders.serve();
    let mut host = served.host();
    for name in ["Ada", "Grace", "Mary"] {
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        Browser::new(served.address).form(EVENT, &fields);
    }
    let desk = format!("{EVENT}/desk");
    let player = format!("{desk}/player/p001");
    let all = format!("{desk}/all");
    let records = || {
        let file = folders.event().join("entries.db");
        let file = rusqlite::Connection::open(file).unwrap();
        let count = file.query_row("select count(*) from record", [], |row| row.get(0));
        count.unwrap()
    };
    // What a page's own form sends besides what is typed.
    let hidden = |page: &str| {
        let field = page.split("name=\"form\" value=\"").nth(1);
        field.map(|rest| rest.split('"').next().unwrap().to_owned())
    };
    let acts: [Act<'_>; 5] = [
        (&player, &player, &[("do", "lock")]),
        (&player, &player, &[("do", "unlock")]),
        (&desk, &all, &[("do", "lock")]),
        (&desk, &all, &[("do", "unlock")]),
        (&desk, &all, &[("do", "draw")]),
    ];
    let mut done = 0;
    for (page, to, fields) in acts {
        // Three players can be drawn.
        let many = if fields[0].1 == "draw" {
            3
        } else {
            5 * times()
        };
        let length = form(&host, to, fields).len();
        let cuts = Cut::all(&vec![0; length], many.max(5));
        let cuts = cuts.into_iter().rev().take(many);
        for cut in cuts {
            let shown = host.get(page).text();
            let once = hidden(&shown).unwrap_or_default();
            let fields = [fields, &[("form", &*once)]].concat();
            let before: i64 = records();
            cut.send(served.address, &form(&host, to, &fields));
            for _ in 0..2 {
                let told = host.form(to, &fields);
                assert_eq!(told.status, 303, "{fields:?} {cut:?}: {}", told.text());
            }
            assert_eq!(records(), before + 1, "{fields:?} {cut:?}");
            done += 1;
        }
    }
    assert_eq!(done, 20 * times() + 3);
    // The same from a page that shows it is another one.
    let before = records();
    for _ in 0..2 {
        let once = hidden(&host.get(&player).text()).unwrap();
        let fields = [("do", "lock"), ("form", &*once)];
        assert_eq!(host.form(&player, &fields).status, 303);
    }
    assert_eq!(records(), before + 2);
}

#[test]
fn a_draft_has_each_state_once_wherever_the_line_is_cut() {
    let folders = Folders::new(&[]);
    let served = folders.serve();
    let mut browser = Browser::new(served.address);
    let body = |name: &str| json!({"format": "shell", "deck": {"name": name}});
    let made = browser.json("POST", "/api/drafts", &body("first")).json();
    let to = format!("/api/drafts/{}", made["id"].as_str().unwrap());
    let save = |rev: i64| json!({"rev": rev, "deck": {"name": format!("state {rev:04}")}});
    let first = asked(&browser, "PUT", &to, &save(1));
    let mut rev = 1;
    for cut in Cut::all(&first, 20 * times()) {
        cut.send(served.address, &asked(&browser, "PUT", &to, &save(rev)));
        let told = browser.json("PUT", &to, &save(rev));
        // Or it was kept, which the page sees by the deck that it is told of.
        let known = told.status == 409 && told.json()["deck"] == save(rev)["deck"];
        assert!(told.status == 200 || known, "{cut:?}: {}", told.text());
        assert_eq!(told.json()["rev"], rev + 1, "{cut:?}");
        rev += 1;
    }
    let states = browser.get(&format!("{to}/versions")).json();
    let states = states.as_array().unwrap();
    assert_eq!(states.len() as i64, rev.min(200));
    for (state, number) in states.iter().zip((2..=rev).rev()) {
        assert_eq!(state["deck"], save(number - 1)["deck"]);
    }
}

#[test]
fn a_move_is_played_once_and_no_table_is_frozen_wherever_the_line_is_cut() {
    let folders = Folders::new(&[]);
    let served = folders.serve();
    let mut table = Table::lay(&served);
    let mut rev = table.rev();
    let act = |rev: i64| json!({"rev": rev, "move": "roll"});
    let many = 60 * times();
    let mut left = many;
    while left > 0 {
        // A file of moves has an end; the next table begins anew.
        let now = left.min(300);
        for cut in Cut::all(&table.request(&act(rev)), now.max(5)) {
            let request = table.request(&act(rev));
            cut.send(served.address, &request);
            let told = raw(served.address, &request);
            let played = told.status == 200 || (told.status == 409 && table.rev() == rev + 1);
            assert!(played, "{cut:?}: {} {}", told.status, told.text());
            assert_eq!(raw(served.address, &request).status, 409, "{cut:?}");
            assert_eq!(table.rev(), rev + 1, "{cut:?}");
            table.plays();
            rev = table.rev();
        }
        let disk = rusqlite::Connection::open(folders.data().join("decklaw.sqlite")).unwrap();
        let sql = "select rev from sitting where id = ?1";
        let kept: i64 = disk.query_row(sql, [&table.id], |row| row.get(0)).unwrap();
        assert_eq!(kept, rev);
        left -= now;
        if left > 0 {
            table = Table::lay(&served);
            rev = table.rev();
        }
    }
    println!("{many} moves were cut");
}
