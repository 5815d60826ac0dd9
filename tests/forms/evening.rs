//! An organiser's whole evening over 300 players, one command after another, asserted from the
//! files that the commands leave.
//!
//! Planted: 2 late, 3 who handed in twice, 2 of one name, a name in another encoding, a cell that
//! was cut off, a banlist announced, a lock, and 20 deck checks with one swap and one cheat.

use super::{decklaw, text};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const PLAYERS: usize = 300;
/// Handed in again after the deadline; 41 had nothing in time.
const LATE: [usize; 2] = [40, 41];
/// Handed in twice in time, the second deck another one.
const TWICE: [usize; 3] = [50, 51, 52];
/// Two people called `Kim Lee`.
const NAMESAKES: [usize; 2] = [60, 61];
/// Spelt with letters that UTF-8 and Windows-1252 write differently.
const ACCENTED: usize = 70;
/// The last row of the form, whose cell is cut off.
const CUT: usize = 299;

fn name(player: usize) -> String {
    match player {
        _ if NAMESAKES.contains(&player) => "Kim Lee".to_owned(),
        ACCENTED => "Zo\u{eb} Br\u{fb}l\u{e9}".to_owned(),
        _ => format!("Player {player:03}"),
    }
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("decks/shell");
    std::fs::read_to_string(path.join(name)).unwrap()
}

/// Two legal decks; every third player plays the second one, and the new list bans a card of it.
fn deck(player: usize) -> String {
    let file = if player.is_multiple_of(3) {
        "ash-and-acorn.txt"
    } else {
        "ebb.txt"
    };
    let lines = sample(file);
    // Whose it is, the form says.
    let own = lines.lines().filter(|line| !line.starts_with("Player:"));
    own.collect::<Vec<_>>().join("\n")
}

/// A card of the second deck that the first one has not.
fn banned() -> String {
    let cards = |text: &str| -> Vec<String> {
        let main = text.split_once("\nMain").unwrap().1;
        let lines = main.lines().filter_map(|line| line.split_once(' '));
        let cards = lines.filter(|(count, _)| count.parse::<u32>().is_ok());
        cards.map(|(_, card)| card.trim().to_owned()).collect()
    };
    let other = cards(&sample("ebb.txt"));
    let mut own = cards(&sample("ash-and-acorn.txt")).into_iter();
    own.find(|card| !other.contains(card)).unwrap()
}

/// A row of the form; `minute` is counted from 10 o'clock on the last day.
fn row(player: usize, minute: usize, deck: &str) -> String {
    let (hour, minute) = (10 + minute / 60, minute % 60);
    format!(
        "2026-03-01 {hour:02}:{minute:02},{},p{player:03}@example.org,{},\"{}\"\r\n",
        name(player),
        player + 1,
        deck.replace('"', "\"\"")
    )
}

/// The form as it was exported: with its end cut off, and in an old encoding.
fn form() -> String {
    let mut table = "Timestamp,Name,Email,Table,Decklist\r\n".to_owned();
    for player in 0..PLAYERS {
        let minute = player;
        if player == LATE[1] {
            continue;
        }
        // Who hands in twice has the other deck first.
        let first = match TWICE.contains(&player) {
            true => deck(player + 1),
            false => deck(player),
        };
        if player != CUT {
            table.push_str(&row(player, minute, &first));
        }
    }
    for player in TWICE {
        table.push_str(&row(player, 400 + player, &deck(player)));
    }
    for player in LATE {
        // 22:00 of the 1st is 720 minutes behind 10:00; what is late is of the day after.
        let late = row(player, 10, &deck(player + 1));
        table.push_str(&late.replace("2026-03-01", "2026-03-02"));
    }
    table.push_str(&row(CUT, 600, &deck(CUT)));
    table
}

/// Letters as Windows-1252 has them.
fn windows(text: &str) -> Vec<u8> {
    let one = |next: char| u8::try_from(u32::from(next)).unwrap();
    text.chars().map(one).collect()
}

fn list(id: &str, day: &str, card: &str) -> String {
    format!(
        "schema: decklaw/banlist/1\nid: {id}\ngame: shell\nname: {id}\neffective: {day}\nbanned: [\"{card}\"]\n"
    )
}

/// The rows of a table by a column.
fn table(bytes: &[u8], key: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let mut rows = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let cells = header.iter().cloned().zip(record.iter().map(str::to_owned));
        let row: BTreeMap<String, String> = cells.collect();
        rows.insert(row[key].clone(), row);
    }
    rows
}

#[test]
fn an_evening_of_300_players_holds_together() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let write = |name: &str, bytes: &[u8]| std::fs::write(root.join(name), bytes).unwrap();
    let file = |name: &str| std::fs::read(root.join(name)).unwrap();
    let run = |arguments: &[&str], status: i32| {
        let run = decklaw(root, arguments);
        let told = format!("{}{}", text(&run.stdout), text(&run.stderr));
        assert_eq!(run.status.code(), Some(status), "{arguments:?}\n{told}");
        told
    };
    write(
        "spring.yaml",
        list("spring", "2026-01-01", "Seventh Wave of Nowhere").as_bytes(),
    );
    write(
        "summer.yaml",
        list("summer", "2026-03-02", &banned()).as_bytes(),
    );
    let names: String = (0..PLAYERS + 2)
        .map(|player| format!("{},p{player:03}@example.org\n", name(player)))
        .collect();
    write("players.csv", format!("Name,Email\n{names}").as_bytes());

    // 1. What the event is judged by is written down.
    let spring = ["--banlist", "spring.yaml", "--as-of", "2026-03-01"];
    let lock = [
        &["banlist", "lock", "shell"][..],
        &spring,
        &["--to", "event.lock"],
    ]
    .concat();
    run(&lock, 0);

    // 2. The export lacks its end: nothing of it is judged, and the line is told.
    let whole = form();
    let cut = windows(whole.trim_end().trim_end_matches('"'));
    write("form.csv", &cut);
    let check = |more: &[&str], status: i32| {
        let call = [
            "check",
            "--submissions",
            "form.csv",
            "--deadline",
            "2026-03-01",
            "--locked=event.lock",
        ];
        run(&[&call[..], more].concat(), status)
    };
    let told = check(&[], 2);
    assert!(told.contains("ends within a cell"), "{told}");

    // 3. Whole again, in its old encoding: who broke what, on one screen.
    write("form.csv", &windows(&whole));
    let every = [
        "--players",
        "players.csv",
        "--carry",
        "all",
        "--summary",
        "-o",
        "human=screen.txt",
        "-o",
        "csv=decks.csv",
        "-o",
        "ndjson=decks.ndjson",
        "-o",
        "json=decks.json",
        "-o",
        "xlsx=decks.xlsx",
    ];
    let told = check(&every, 0);
    assert!(told.contains("Windows-1252"), "{told}");
    let screen = text(&file("screen.txt"));
    assert!(screen.lines().count() <= 24, "{screen}");
    for line in [
        "form.csv: 304 rows, 300 players",
        "deadline: the end of 2026-03-01, as the form's clock shows it",
        "Player 040 (row 303; row 42 counts), Player 041 (row 304)",
        "missing",
        "Player 300, Player 301",
        "Kim Lee: 2 players by their addresses or numbers",
        "300 decks: 300 legal",
    ] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    let decks = table(&file("decks.csv"), "row");
    assert_eq!(
        decks.len(),
        PLAYERS + 1,
        "300 that count, and a late one beside"
    );
    let counting: Vec<_> = decks
        .values()
        .filter(|row| row["counts"] == "yes")
        .collect();
    let people: BTreeSet<&String> = counting.iter().map(|row| &row["player id"]).collect();
    assert_eq!((counting.len(), people.len()), (PLAYERS, PLAYERS));
    let late: BTreeSet<&str> = decks
        .values()
        .filter(|row| row["late"] == "yes")
        .map(|row| row["player"].as_str())
        .collect();
    assert_eq!(late, BTreeSet::from(["Player 040", "Player 041"]));
    assert_eq!(
        (&*decks["303"]["counts"], &*decks["303"]["beside"]),
        ("no", "42")
    );
    let replaced = decks.values().filter(|row| !row["replaces"].is_empty());
    assert_eq!(replaced.count(), TWICE.len());
    for row in decks.values() {
        // What the form says goes along: the table is the player's number and one.
        let number: usize = row["player id"][1..4].parse().unwrap();
        assert_eq!(row["Table"], (number + 1).to_string());
        assert_eq!(row["player"], name(number));
    }
    let document: Value = serde_json::from_slice(&file("decks.json")).unwrap();
    let said = &document["submissions"];
    assert_eq!(said["players"], PLAYERS);
    assert_eq!(said["missing"], json!(["Player 300", "Player 301"]));
    assert_eq!(said["namesakes"].as_array().unwrap().len(), 1);
    assert_eq!(document["lock"]["day"], "2026-03-01");
    let lines = text(&file("decks.ndjson"));
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), decks.len());
    for line in &lines {
        let row = &decks[&line["submission"]["row"].to_string()];
        assert_eq!(line["hash"], row["hash"].as_str());
        assert_eq!(
            line["submission"]["carried"]["Table"],
            row["Table"].as_str()
        );
    }

    // 4. A ban is announced: whose verdict it changes, by name; the lock stands.
    let compare = [
        "compare",
        "spring.yaml",
        "summer.yaml",
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01",
        "--carry",
        "Table",
        "-o",
        "csv=changed.csv",
        "-o",
        "junit=changed.xml",
        "-o",
        "ndjson=changed.ndjson",
    ];
    run(&compare, 1);
    let changed = table(&file("changed.csv"), "row");
    let whose = |player: usize| player.is_multiple_of(3);
    let mut expected: BTreeSet<String> = (0..PLAYERS)
        .filter(|player| whose(*player) && !LATE.contains(player))
        .map(|player| format!("p{player:03}@example.org"))
        .collect();
    // The late decks are those of the next player; both 41 and 42 are asked for.
    for player in LATE.into_iter().filter(|player| whose(player + 1)) {
        expected.insert(format!("p{player:03}@example.org"));
    }
    let found: BTreeSet<String> = changed
        .values()
        .map(|row| row["player id"].clone())
        .collect();
    assert_eq!(found, expected);
    assert!(
        changed
            .values()
            .all(|row| row["before"] == "legal" && row["rule"] == "banned")
    );
    assert!(changed.values().all(|row| !row["Table"].is_empty()));
    let junit = text(&file("changed.xml"));
    assert_eq!(junit.matches("<failure ").count(), changed.len());
    assert_eq!(text(&file("changed.ndjson")).lines().count(), changed.len());
    check(&["-q", "-o", "human=again.txt"], 0);

    // 5. What they play, in numbers: in the same columns.
    run(
        &[
            "stats",
            "--submissions",
            "form.csv",
            "--carry",
            "Table",
            "-o",
            "csv=stats.csv",
        ],
        0,
    );
    let stats = file("stats.csv");
    let mut reader = csv::Reader::from_reader(&stats[..]);
    let header = reader.headers().unwrap().clone();
    assert!(header.iter().any(|name| name == "Table"), "{header:?}");
    let at = |name: &str| header.iter().position(|own| own == name).unwrap();
    let mut main: BTreeMap<String, i64> = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        if (&record[at("metric")], &record[at("key")]) == ("cards", "main") {
            main.insert(
                record[at("player id")].to_owned(),
                record[at("value")].parse().unwrap(),
            );
        }
    }
    assert_eq!(main.len(), PLAYERS);
    assert_eq!(
        (main["p001@example.org"], main["p003@example.org"]),
        (56, 64)
    );
    let odds = [
        "odds",
        "--submissions",
        "form.csv",
        "1+ [colour:red]",
        "-o",
        "ndjson=odds.ndjson",
    ];
    run(&odds, 0);
    let odds = text(&file("odds.ndjson"));
    assert_eq!(odds.lines().count(), PLAYERS);
    let by_deck: BTreeSet<String> = odds
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["answers"][0]["query"], "1+ [colour:red]");
            assert!(line["submission"]["identity"].is_string());
            line["answers"][0]["fraction"].to_string()
        })
        .collect();
    assert_eq!(by_deck.len(), 2, "there are two decks");

    // 6. Registered decks as files, named by their players.
    let convert = [
        "convert",
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01",
        "--to-format",
        "text",
        "--to",
        "registered",
    ];
    run(&convert, 0);
    let written: BTreeSet<String> = std::fs::read_dir(root.join("registered"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(written.len(), PLAYERS);
    let accented = format!("{}.txt", name(ACCENTED).replace(' ', "-"));
    for name in [
        "Player-000.txt",
        "Kim-Lee.row61.txt",
        "Kim-Lee.row62.txt",
        &accented,
    ] {
        assert!(written.contains(name), "{name}: {written:?}");
    }
    run(&convert, 0);
    run(&["check", "registered", "-q"], 0);

    // 7. Twenty deck checks: one after a legal swap, one with a card that was not registered.
    std::fs::create_dir(root.join("played")).unwrap();
    let (swap, cheat) = (103, 106);
    for player in 100..120 {
        let registered = file(&format!("registered/Player-{player:03}.txt"));
        let mut played = text(&registered);
        if player == swap {
            write("swap.txt", played.as_bytes());
            let wish = ["swap", "swap.txt", "in: \"Seventh Wave\"", "-o", "deck"];
            let swapped = decklaw(root, &wish);
            assert_eq!(swapped.status.code(), Some(0), "{}", text(&swapped.stderr));
            played = text(&swapped.stdout);
        }
        if player == cheat {
            played = played.replace("4 Pip\n", "3 Pip\n");
        }
        // Judges write what they see on paper of their own, without the player's name in it.
        let bare: Vec<&str> = played
            .lines()
            .filter(|line| !line.starts_with("Player:"))
            .collect();
        write(
            &format!("played/player_{player}.txt"),
            bare.join("\n").as_bytes(),
        );
    }
    for (registered, more) in [
        (
            "form.csv",
            &["--deadline", "2026-03-01", "--carry", "all"][..],
        ),
        ("registered", &[]),
    ] {
        let call = ["check", "played", "--registered", registered, "--replace"];
        let outputs = [
            "-o",
            "csv=checks.csv",
            "-o",
            "json=checks.json",
            "-o",
            "human=checks.txt",
        ];
        let outputs = [
            &outputs[..],
            &["-o", "xlsx=checks.xlsx", "-o", "junit=checks.xml"],
        ]
        .concat();
        run(&[&call[..], more, &outputs].concat(), 1);
        let document: Value = serde_json::from_slice(&file("checks.json")).unwrap();
        let mut answers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for deck in document["decks"].as_array().unwrap() {
            let answer = deck["answer"].as_str().unwrap();
            answers
                .entry(answer)
                .or_default()
                .push(deck["deck"].as_str().unwrap());
        }
        assert_eq!(answers["same"].len(), 18, "{answers:?}");
        assert_eq!(answers["swapped"], ["played/player_103.txt"]);
        assert_eq!(answers["other"], ["played/player_106.txt"]);
        assert_eq!(document["not_looked_at"], 280);
        let shown = text(&file("checks.txt"));
        assert!(
            shown.contains("- 1 Pip (4 registered, 3 played)"),
            "{shown}"
        );
        assert!(shown.contains("20 decks: 18 the same"), "{shown}");
        assert_eq!(text(&file("checks.xml")).matches("<failure ").count(), 1);
        let rows = table(&file("checks.csv"), "deck");
        assert_eq!(rows["played/player_106.txt"]["card"], "Pip");
        assert_eq!(rows.len(), 20);
    }
}

#[test]
fn every_question_over_a_form_has_the_columns_of_the_form() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let table = "Timestamp,Name,Email,City,Deck\n2026-03-01 10:00,Ana,a@x.org,Bern,\"Format: any\n\n4 A\n6 B\"\n2026-03-01 11:00,Ben,b@x.org,Oslo,\n2026-03-02 11:00,Ana,a@x.org,Bern,\"Format: any\n\n1 A\n9 B\"\n";
    std::fs::write(root.join("form.csv"), table).unwrap();
    let form = [
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01",
        "--carry",
        "City",
    ];
    for (command, more) in [
        ("stats", &[][..]),
        ("odds", &["1+ [name:A]", "--hand", "5"]),
        ("compare", &["none", "none"]),
        ("check", &["--registered", "form.csv"]),
        ("check", &[]),
    ] {
        let asked = |kind: &str| {
            let call = [&[command][..], &form, more, &["-o", kind]].concat();
            let run = decklaw(root, &call);
            assert_eq!(
                run.status.code(),
                Some(1),
                "{call:?}: {}",
                text(&run.stderr)
            );
            text(&run.stdout)
        };
        let out = asked("csv");
        let tail = ",player id,row,time,late,counts,replaces,beside,file,City";
        assert!(
            out.lines().next().unwrap().ends_with(tail),
            "{command}: {out}"
        );
        assert!(
            out.contains(",b@x.org,3,2026-03-01 11:00,no,yes,,,,Oslo"),
            "{out}"
        );
        for line in asked("ndjson").lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert!(line["submission"]["carried"]["City"].is_string(), "{line}");
            assert!(line["schema"].as_str().unwrap().starts_with("decklaw/"));
        }
        assert!(
            asked("github").contains("form.csv row 3 (Ben)"),
            "{command}"
        );
        let junit = asked("junit");
        assert!(
            junit.contains("<property name=\"City\" value=\"Oslo\"/>"),
            "{junit}"
        );
        serde_json::from_str::<Value>(&asked("json")).unwrap();
        assert!(asked("csv-excel").contains("Oslo"));
        assert!(!asked("human").is_empty());
        let book = [
            &[command][..],
            &form,
            more,
            &["-o", "xlsx=book.xlsx", "--replace"],
        ]
        .concat();
        assert_eq!(decklaw(root, &book).status.code(), Some(1), "{book:?}");
        assert!(
            std::fs::read(root.join("book.xlsx"))
                .unwrap()
                .starts_with(b"PK")
        );
    }
}
