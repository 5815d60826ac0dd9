//! Who is who in a form, what the deadline means, and what is carried along.

use super::{checked, checked_from_input, decklaw, text};
use serde_json::{Value, json};

const DECK: &str = "\"Format: any\n\n1 A\"";
const OTHER: &str = "\"Format: any\n\n2 B\"";

/// The decks of a document: the row, whether it counts, and the player.
fn judged(document: &Value) -> Vec<(u64, bool, String)> {
    let decks = document["decks"].as_array().unwrap();
    let one = |deck: &Value| {
        let row = &deck["submission"];
        (
            row["row"].as_u64().unwrap(),
            row["counts"].as_bool().unwrap(),
            deck["player"].as_str().unwrap_or_default().to_owned(),
        )
    };
    decks.iter().map(one).collect()
}

fn person(row: u64, counts: bool, name: &str) -> (u64, bool, String) {
    (row, counts, name.to_owned())
}

#[test]
fn two_people_of_one_name_are_two_where_their_addresses_differ() {
    let table = format!(
        "Name,Email,Deck\nKim Lee,k1@x.org,{DECK}\nKim Lee,k2@x.org,{OTHER}\nAna,a@x.org,{DECK}\nAna L.,A@X.ORG,{OTHER}\nana,,{DECK}\n"
    );
    let (status, document, told) = checked(table.as_bytes(), &[]);
    assert_eq!(status, Some(1), "{told}");
    // Whose the second Kim's is, and Ana's under another name, nobody can tell: they count for
    // nobody, and that is said.
    let all = [
        person(2, true, "Kim Lee"),
        person(3, false, "Kim Lee"),
        person(5, false, "Ana L."),
        person(6, true, "ana"),
    ];
    assert_eq!(judged(&document), all);
    let asked = &document["submissions"]["asked"];
    assert_eq!((&asked[0]["row"], &asked[1]["row"]), (&json!(3), &json!(5)));
    assert_eq!(document["submissions"]["players"], 2);
    assert!(
        told.contains(
            "row 3, Kim Lee, counts for nobody: a player of that name has another address"
        ),
        "{told}"
    );
    assert!(told.contains("`decklaw event new`"), "{told}");
    // Names alone, where the organiser says so.
    let (_, document, _) = checked(table.as_bytes(), &["--columns", "id="]);
    let names = [
        person(3, true, "Kim Lee"),
        person(5, true, "Ana L."),
        person(6, true, "ana"),
    ];
    assert_eq!(judged(&document), names);
}

#[test]
fn an_identity_is_the_column_that_is_named_and_never_a_word_for_nobody() {
    let table = format!(
        "Name,Email,Handle,Deck\nKim,anonymous,kim#1,{DECK}\nKim,anonymous,kim#2,{OTHER}\nLee,anonymous,lee,{DECK}\n"
    );
    let (_, document, _) = checked(table.as_bytes(), &[]);
    assert_eq!(
        judged(&document),
        [person(3, true, "Kim"), person(4, true, "Lee")]
    );
    let (_, document, _) = checked(table.as_bytes(), &["--columns", "id=Handle"]);
    assert_eq!(judged(&document).len(), 3);
    assert_eq!(document["decks"][0]["submission"]["identity"], "kim#1");
    // A number of membership goes before an address.
    let table = format!(
        "Name,Email,Player ID,Deck\nKim,home@x.org,101,{DECK}\nLee,home@x.org,102,{OTHER}\n"
    );
    let (_, document, _) = checked(table.as_bytes(), &[]);
    assert_eq!(judged(&document).len(), 2);
}

#[test]
fn a_date_alone_is_the_end_of_that_day() {
    let table = format!(
        "Timestamp,Player,Deck\n2026-03-01 23:59:59,Ana,{DECK}\n2026-03-02 00:00:00,Ben,{DECK}\n"
    );
    let (_, document, told) = checked(table.as_bytes(), &["--deadline", "2026-03-01"]);
    assert_eq!(document["submissions"]["late"], json!([3]));
    let means = document["submissions"]["deadline_means"].as_str().unwrap();
    assert!(means.starts_with("the end of 2026-03-01 ("), "{means}");
    assert!(told.contains(means), "{told}");
    // With zones it is the day of the organiser's zone, which is told.
    let zoned = format!(
        "Timestamp,Player,Deck\n2026-03-01T20:00Z,Ana,{DECK}\n2026-03-01T23:30Z,Ben,{DECK}\n"
    );
    let due = ["--deadline", "2026-03-01", "--zone", "+01:00"];
    let (_, document, told) = checked(zoned.as_bytes(), &due);
    assert_eq!(document["submissions"]["late"], json!([3]));
    assert!(told.contains("the end of 2026-03-01 (+01:00)"), "{told}");
    // A row that says the day alone may have come before or after 18 o'clock.
    let days = format!("Date,Player,Deck\n2026-03-01,Ana,{DECK}\n2026-02-28,Ben,{DECK}\n");
    let (_, document, _) = checked(days.as_bytes(), &["--deadline", "2026-03-01T18:00"]);
    assert_eq!(document["submissions"]["times_not_understood"], json!([2]));
}

#[test]
fn the_last_deck_in_time_counts_and_a_late_one_is_judged_beside_it() {
    let bad = "\"Format: any\n\nnothing at all: 1\"";
    let table = format!(
        "Timestamp,Player,Deck\n2026-03-01 10:00,Ana,{DECK}\n2026-03-01 12:00,Ana,{OTHER}\n2026-03-01 19:00,ana,{DECK}\n2026-03-01 20:00,Ana,{bad}\n2026-03-01 21:00,Ben,{DECK}\n"
    );
    let due = ["--deadline", "2026-03-01T18:00"];
    let (status, document, told) = checked(table.as_bytes(), &due);
    // A late deck that is none decides nothing: Ana's is legal.
    assert_eq!(status, Some(0), "{told} {document}");
    let all = [
        person(3, true, "Ana"),
        person(5, false, "Ana"),
        // Late only: an organiser may let it count, at an event.
        person(6, false, "Ben"),
    ];
    assert_eq!(judged(&document), all);
    let rows = |at: usize| &document["decks"][at]["submission"];
    assert_eq!(
        (&rows(0)["beside"], &rows(0)["replaces"]),
        (&json!(5), &json!([2, 4]))
    );
    assert_eq!(rows(1)["beside"], json!(3));
    assert_eq!(document["decks"][1]["verdict"], "unreadable");
    assert_eq!(document["submissions"]["late"], json!([5, 6]));
    assert_eq!(
        document["submissions"]["beside"],
        json!([{"row": 5, "by": 3}])
    );
    let (status, document, _) =
        checked(table.as_bytes(), &[&due[..], &["--late", "last"]].concat());
    assert_eq!(
        judged(&document),
        [person(5, true, "Ana"), person(6, true, "Ben")]
    );
    assert_eq!(status, Some(1));
}

#[test]
fn a_deck_in_two_columns_is_joined_and_an_unused_one_is_told() {
    let table = "Player,Main,Side\nAna,\"Format: shell\nName: Tide\n1 Pip\n1 Moss Sprite\",\"1 Rain Caller\n1 Pip\"\nBen,\"Format: shell\n\n1 Pip\n2 Moss Sprite\",\n";
    let joined = ["--columns", "deck.main=Main,deck.side=Side"];
    let (_, document, told) = checked(table.as_bytes(), &joined);
    let decks = &document["decks"];
    assert_eq!(decks[0]["cards"]["main"], 2, "{told} {document}");
    assert_eq!(decks[0]["cards"]["side"], 2);
    assert_eq!(decks[0]["name"], "Tide");
    assert_eq!(decks[1]["cards"]["main"], 3);
    assert_eq!(document["submissions"]["unused"], json!([]));
    let (_, document, told) = checked(table.as_bytes(), &["--columns", "deck=Main"]);
    assert_eq!(document["submissions"]["unused"], json!(["Side"]));
    assert!(
        told.contains("the column `Side` looks like a deck"),
        "{told}"
    );
    let files = "Player,Main,Side\nAna,ana.txt,\"1 Pip\"\n";
    let (_, document, _) = checked(files.as_bytes(), &joined);
    assert_eq!(document["decks"][0]["verdict"], "unreadable");
    for (wrong, said) in [
        ("deck.=Main", "no role `deck.`"),
        ("player.x=Main", "no role"),
    ] {
        let (status, _, told) = checked(table.as_bytes(), &["--columns", wrong]);
        assert!(status == Some(2) && told.contains(said), "{told}");
    }
}

#[test]
fn a_form_may_come_on_standard_input() {
    let table = format!("Player,Deck\nAna,{DECK}\nZo\u{eb},{OTHER}\n");
    let (status, document, told) = checked_from_input(table.as_bytes(), &[]);
    assert_eq!(status, Some(0), "{told}");
    assert_eq!(
        judged(&document),
        [person(2, true, "Ana"), person(3, true, "Zo\u{eb}")]
    );
    assert_eq!(document["decks"][1]["deck"], "- row 3");
    let latin: Vec<u8> = table
        .chars()
        .map(|next| u8::try_from(u32::from(next)).unwrap())
        .collect();
    let (_, document, told) = checked_from_input(&latin, &[]);
    assert_eq!(judged(&document)[1].2, "Zo\u{eb}");
    assert!(told.contains("note: -: "), "{told}");
}

#[test]
fn what_a_form_says_of_a_deck_is_in_every_output() {
    let table = format!(
        "Timestamp,Name,Email,City,Deck\n2026-03-01 10:00,Ana,a@x.org,Ulm,{DECK}\n2026-03-01 12:00,Ana,a@x.org,Bern,{OTHER}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("form.csv"), &table).unwrap();
    let run = |kind: &str, more: &[&str]| {
        let call = ["check", "--submissions", "form.csv", "-o", kind];
        let run = decklaw(folder.path(), &[&call[..], more].concat());
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        text(&run.stdout)
    };
    for kind in ["csv", "csv-excel"] {
        let out = run(kind, &["--summary"]);
        let mut reader = csv::Reader::from_reader(out.trim_start_matches('\u{feff}').as_bytes());
        let header: Vec<String> = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        let form = [
            "player id",
            "row",
            "time",
            "late",
            "counts",
            "replaces",
            "beside",
            "file",
        ];
        assert!(header.ends_with(&form.map(str::to_owned)), "{header:?}");
        let record = reader.records().next().unwrap().unwrap();
        let cell = |name: &str| &record[header.iter().position(|own| own == name).unwrap()];
        assert_eq!((cell("player id"), cell("row")), ("a@x.org", "3"));
        assert_eq!(
            (cell("time"), cell("replaces")),
            ("2026-03-01 12:00:00", "2")
        );
        assert_eq!((cell("late"), cell("counts")), ("no", "yes"));
    }
    let line: Value = serde_json::from_str(&run("ndjson", &[])).unwrap();
    assert_eq!(line["submission"]["identity"], "a@x.org");
    let junit = run("junit", &[]);
    assert!(
        junit.contains("<property name=\"row\" value=\"3\"/>"),
        "{junit}"
    );
}

#[test]
fn an_overview_of_300_players_fits_a_screen_and_names_who_broke_what() {
    let mut table = "Timestamp,Name,Deck\n".to_owned();
    for at in 0..300 {
        let deck = match at % 30 {
            0 => "\"Format: vainqueur\n\n1 No Such Card\"",
            1 => "",
            2 => "\"Format: any\n\n0 A\"",
            _ => DECK,
        };
        let hour = if at == 7 { 19 } else { 12 };
        table.push_str(&format!("2026-03-01 {hour}:00,Player {at},{deck}\n"));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("form.csv"), &table).unwrap();
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01T18:00",
    ];
    let shown = text(&decklaw(folder.path(), &call).stdout);
    assert!(shown.lines().count() <= 24, "{shown}");
    for line in [
        "form.csv: 300 rows, 300 players",
        "  unknown-card   10  Player 0 (row 2), Player 30 (row 32),",
        "  no deck        10  Player 1 (row 3),",
        "  late            1  Player 7 (row 9)\n",
        "289 decks: 269 legal, 10 illegal, 10 unreadable; 10 rows without a deck",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(
        shown.lines().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
    let only = text(
        &decklaw(
            folder.path(),
            &[&call[..], &["--only", "illegal,late"]].concat(),
        )
        .stdout,
    );
    assert_eq!(only.matches("  illegal  vainqueur").count(), 10, "{only}");
    assert!(
        only.contains("form.csv row 9  legal") && only.contains("11 of them shown"),
        "{only}"
    );
    assert!(!only.contains("unreadable  Player"), "{only}");
    let table = [
        &call[..],
        &["--only", "illegal,late", "--summary", "-o", "csv"],
    ]
    .concat();
    let table = text(&decklaw(folder.path(), &table).stdout);
    assert_eq!(table.lines().count(), 12, "{table}");
}
