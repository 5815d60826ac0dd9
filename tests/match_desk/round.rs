//! Seeding a round: pairings, whose deck is whose, and a second person who deals it again.

use crate::calls::{Desk, sample};
use serde_json::Value;
use sha2::{Digest, Sha256};

const SECRET: &str = "0707070707070707070707070707070707070707070707070707070707070707";

fn desk(decks: &[(&str, Option<&str>)], pairings: &str) -> Desk {
    let desk = Desk::new();
    let text = std::fs::read_to_string(sample("vainqueur/low-water.txt")).unwrap();
    let plain: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("Player:"))
        .collect();
    for (name, player) in decks {
        let header = player.map_or(String::new(), |player| format!("Player: {player}\n"));
        desk.write(&format!("decks/{name}"), header + &plain.join("\n") + "\n");
    }
    desk.write("p.csv", pairings);
    desk.write("secret", SECRET);
    desk
}

const ROUND: &str = "round vainqueur --set opening_hand=5 --pairings p.csv --decks decks --secret-file secret --to out";

#[test]
fn only_the_decks_of_who_is_paired_are_read() {
    let desk = desk(
        &[("Ann.txt", None), ("entry-17.txt", Some("bob"))],
        "table,A,B\n1,Ann,Bob\n",
    );
    desk.write(
        "decks/Zoe.txt",
        "Format: vainqueur\n\n1 No Such Card At All\n",
    );
    // Half a pair of UTF-16.
    desk.write("decks/readme.txt", [0xff, 0xfe, 0x00, 0xd8]);
    desk.write("decks/notes.json", "{");
    desk.run(ROUND).assert(0, &[]);
    let file = desk.json("out/table-1.json");
    assert_eq!(file["inputs"]["seats"][1]["name"], "Bob");
    // Who is paired is judged.
    desk.write("p.csv", "table,A,B\n1,Ann,Zoe\n");
    desk.run(ROUND).assert(1, &["Zoe.txt", "not legal"]);
    desk.write("p.csv", "table,A,B\n1,Ann,Readme\n");
    desk.run(ROUND).assert(1, &["readme.txt"]);
    desk.write("p.csv", "table,A,B\n1,Ann,Eve\n");
    desk.run(ROUND)
        .assert(2, &["no deck of Eve", "Player: Eve"]);
}

#[test]
fn a_table_that_has_gone_on_is_not_dealt_again() {
    let desk = desk(
        &[
            ("Ann.txt", None),
            ("Bob.txt", None),
            ("Cat.txt", None),
            ("Dan.txt", None),
        ],
        "table,A,B\n1,Ann,Bob\n2,Cat,Dan\n",
    );
    desk.run(ROUND).assert(0, &[]);
    let dealt = desk.read("out/table-1.json");
    // The same round over itself changes nothing.
    desk.run(ROUND).assert(0, &[]);
    desk.write("out/table-2.json", "{\"gone\":\"on\"}");
    std::fs::remove_file(desk.path("out/table-1.json")).unwrap();
    desk.run(ROUND)
        .assert(2, &["table-2.json", "another match already"]);
    assert!(
        !desk.path("out/table-1.json").exists(),
        "nothing is written"
    );
    assert_eq!(desk.read("out/table-2.json"), "{\"gone\":\"on\"}");
    std::fs::remove_file(desk.path("out/table-2.json")).unwrap();
    desk.run(ROUND).assert(0, &[]);
    assert_eq!(desk.read("out/table-1.json"), dealt);
}

#[test]
fn two_decks_of_one_player_are_both_named() {
    for second in [("x.txt", Some("Ann")), ("ann.yaml", None)] {
        let desk = desk(
            &[("Ann.txt", None), ("Bob.txt", None)],
            "table,A,B\n1,Ann,Bob\n",
        );
        match second.1 {
            Some(player) => {
                let text = desk.read("decks/Ann.txt");
                desk.write("decks/x.txt", format!("Player: {player}\n{text}"));
            }
            None => desk.write("decks/ann.yaml", "format: vainqueur\nmain: []\n"),
        }
        desk.run(ROUND)
            .assert(2, &["Ann has several decks", "Ann.txt", second.0]);
    }
    // The header comes before the file's name.
    let desk = desk(
        &[
            ("Ann.txt", Some("Bob")),
            ("Bob.txt", Some("Ann")),
            ("Cat.txt", Some("Old Name")),
        ],
        "table,A,B\n1,Ann,Bob\n",
    );
    desk.run(ROUND).assert(0, &[]);
    desk.write("p.csv", "table,A,B\n2,Ann,Cat\n");
    desk.run(ROUND).assert(0, &[]);
}

#[test]
fn pairings_that_cannot_be_seated_say_why() {
    let desk = desk(&[("Ann.txt", None), ("Bob.txt", None)], "");
    for (pairings, says) in [
        ("table,A,B\n1,Ann,ann\n", "line 2: ann is paired with ann"),
        (
            "table,A,B\n1,Ann,Bob\n\n2,Cat,Ann\n",
            "line 4: Ann sits at table 1 already",
        ),
        ("table,A,B\na/b,Ann,Bob\n", "`a/b` cannot be a table's name"),
        ("table,A,B\n.x,Ann,Bob\n", "no dot at its beginning"),
        (
            "table,A,B\n1,Ann\n",
            "line 2: it has 2 cells, and the first line has 3: table, A, B",
        ),
        ("table,A,B\n1,Ann,Bob,Cat\n", "it has 4 cells"),
        ("table,A,B\n1,Ann,\n", "seat B is empty"),
        (
            "table,A,B,C\n1,Ann,,Bob\n",
            "seat B is empty, and seat C is not",
        ),
        ("table,A,B\n,Ann,Bob\n", "the table has no name or number"),
        (
            "table,A,B\n7,Ann,Bob\n7,Cat,Dan\n",
            "line 3: table 7 stands twice",
        ),
        ("tisch;A;B\n1;Ann;Bob\n", "`table,A,B`"),
        ("", "`table,A,B`"),
        ("sep=;\ntable;A;B\n1;Ann;Ann\n", "line 3: Ann is paired"),
        ("table,A,B\n\n", "no table"),
    ] {
        desk.write("p.csv", pairings);
        desk.run(ROUND).assert(2, &["the pairings", says]);
        assert!(!desk.path("out").exists(), "a refusal writes nothing");
    }
    desk.write("p.csv", b"table,A,B\n1,Ann,B\xf6b\n");
    // Plainly Windows-1252, and read so.
    desk.run(ROUND).assert(2, &["no deck of Böb"]);
    for parted in [
        "table;A;B\r\n1;Ann;Bob\r\n",
        "\u{feff}Table\tA\tB\n1\tAnn\tBob\n",
    ] {
        desk.write("p.csv", parted);
        desk.run(ROUND).assert(0, &[]);
        desk.run("verify out/table-1.json").assert(0, &[]);
        std::fs::remove_dir_all(desk.path("out")).unwrap();
    }
}

#[test]
fn every_seat_of_a_table_is_taken() {
    let desk = desk(&[], "table,A,B\n1,Ann,Bob\n");
    let call = "round vastrix --pairings p.csv --secret-file secret --to out";
    desk.run(&format!("{call} --option players=3"))
        .assert(2, &["table 1 has 2 players", "for 3"]);
    desk.write("p.csv", "table,A,B,C\n1,Ann,Bob,Cat\n");
    desk.run(&format!("{call} --option players=3"))
        .assert(0, &[]);
    desk.run(call).assert(2, &["seats"]);
    desk.run(&format!("{call} --option players=3 --beacon ''"))
        .assert(2, &["empty"]);
}

/// From the secret, the table and the public value to the seed, with SHA-256 alone.
#[test]
fn anyone_deals_a_round_again_from_its_secret() {
    let bytes = |hex: &str| -> Vec<u8> {
        (0..hex.len() / 2)
            .map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
            .collect()
    };
    let sha256 = |parts: &[&[u8]]| Sha256::digest(parts.concat()).to_vec();
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let desk = desk(&[], "table,A,B\n1,Ann,Bob\nZ 9,Cat,Dan\n");
    let call = "round vastrix --pairings p.csv --secret-file secret";
    let secret = bytes(SECRET);
    let mut commitment = hex(&sha256(&[b"decklaw/round-commit/1\0", &secret]));
    commitment.push('\n');
    assert_eq!(desk.run("commit --secret-file secret").out, commitment);
    for (beacon, duplicate) in [("", false), ("4 8 15", false), ("4 8 15", true)] {
        let _ = std::fs::remove_dir_all(desk.path("out"));
        let mut call = format!("{call} --to out");
        if !beacon.is_empty() {
            call.push_str(&format!(" --beacon '{beacon}'"));
        }
        if duplicate {
            call.push_str(" --duplicate");
        }
        desk.run(&call).assert(0, &[]);
        for table in ["1", "Z 9"] {
            let name = if duplicate { "" } else { table };
            let mut parts = [
                sha256(&[b"decklaw/round-table/1\0", &secret, name.as_bytes()]),
                sha256(&[b"decklaw/round-beacon/1\0", beacon.as_bytes()]),
            ];
            parts.sort();
            let seed = sha256(&[b"decklaw/seed-combined/1\0", &parts[0], &parts[1]]);
            let file: Value = desk.json(&format!("out/table-{table}.json"));
            let dealt = &file["inputs"]["randomness"];
            assert_eq!(dealt["seed"], hex(&seed), "table {table} {beacon}");
            assert_eq!(dealt["seed_source"], "combined");
            assert_eq!(
                dealt["contributions"],
                serde_json::json!(parts.map(|part| hex(&part)))
            );
        }
    }
}
