//! Kinds of output, places for it, and exit statuses.

use crate::calls::{Desk, FIRST, sample};
use serde_json::{Value, json};

#[test]
fn no_output_that_was_asked_for_is_passed_over() {
    let desk = Desk::new();
    desk.ready("m.json");
    desk.run(
        "new vastrix --option battlerealm=true --seed qorvith-blenska-uthmar-p --to sealed.json",
    )
    .assert(0, &[]);
    let draw = r#"{"step":"first-player","by":"random"}"#;
    for call in [
        "new vastrix --seed qorvith-blenska-uthmar-p".to_owned(),
        "new vastrix --seed qorvith-blenska-uthmar-p --count 2".to_owned(),
        format!("decide sealed.json '{draw}'"),
        "decide sealed.json --seal A beauty".to_owned(),
        "view m.json --seat public".to_owned(),
        "verify m.json".to_owned(),
        "show m.json".to_owned(),
        "sheet m.json".to_owned(),
        "next m.json --won A".to_owned(),
        "export m.json --tabletop-simulator t.json".to_owned(),
    ] {
        for kind in ["csv", "junit=x.xml", "bogus"] {
            let refused = desk.run(&format!("{call} -o {kind}"));
            assert_eq!(refused.status, 2, "{call} -o {kind}: {}", refused.out);
            assert!(
                refused.out.is_empty() && !refused.error.is_empty(),
                "{call}"
            );
        }
    }
    for left in ["x.xml", "out", "t.json"] {
        assert!(
            !desk.path(left).exists(),
            "{left}: a refusal writes nothing"
        );
    }
    desk.run("export m.json --tabletop-simulator t.json --to u.json")
        .assert(2, &["--to"]);
    // What has one output writes it where `--to` says.
    for call in ["show m.json", "verify m.json", "sheet m.json -o text"] {
        let plain = desk.run(call).out;
        let kept = desk.run(&format!("{call} --to out.txt --replace"));
        assert_eq!((kept.status, kept.out.as_str()), (0, ""), "{call}");
        assert_eq!(desk.read("out.txt"), plain, "{call}");
    }
    desk.run("view m.json --seat A -o human=a.txt -o json=a.json")
        .assert(0, &[]);
    assert_eq!(desk.read("a.txt"), desk.run("view m.json --seat A").out);
    assert_eq!(desk.json("a.json")["for"], "A");
}

#[test]
fn a_target_that_cannot_be_written_is_a_wrong_call() {
    let desk = Desk::new();
    desk.ready("m.json");
    desk.write("taken", "mine");
    for call in [
        "new vastrix --seed qorvith-blenska-uthmar-p",
        "new vastrix --seed qorvith-blenska-uthmar-p --count 2",
        "view m.json --seat public",
        "verify m.json",
        "show m.json",
        "sheet m.json",
        "next m.json --won A",
    ] {
        // A file cannot be a folder.
        desk.run(&format!("{call} --to taken/x"))
            .assert(2, &["taken"]);
    }
    desk.run("export m.json --tabletop-simulator nowhere/t.json")
        .assert(2, &["cannot be written"]);
}

#[test]
fn verify_answers_programs_with_a_document_for_each_file() {
    let desk = Desk::new();
    desk.ready("m.json");
    let pass = r#"{"do":"pass","by":"A"}"#;
    desk.run(&format!("decide m.json '{pass}' --to played.json"))
        .assert(0, &[]);
    desk.change("m.json", "bad.json", |file| {
        file["state"]["first"] = json!("B")
    });
    desk.change("m.json", "old.json", |file| {
        file["inputs"]["rules_sha256"] = json!("00".repeat(32));
    });
    let made = desk.json("m.json");
    let one: Value = serde_json::from_str(&desk.run("verify m.json -o json").out).unwrap();
    assert_eq!(one["file"], "m.json");
    assert_eq!((&one["ok"], &one["error"]), (&json!(true), &Value::Null));
    assert_eq!(one["digests"]["inputs"], made["digests"]["inputs"]);
    assert_eq!(one["digests"]["state"], made["digests"]["state"]);
    assert_eq!(one["warnings"], json!([]));
    let many = desk.run("verify m.json bad.json played.json nowhere.json -o ndjson");
    assert_eq!(many.status, 2, "a file is not there");
    let many: Vec<Value> = many
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ok: Vec<&Value> = many.iter().map(|file| &file["ok"]).collect();
    assert_eq!(ok, [true, false, true, false]);
    assert!(
        many[1]["error"]
            .as_str()
            .unwrap()
            .contains("verification failed")
    );
    assert_eq!(many[2]["moves"], 1);
    let log = &desk.json("played.json")["digests"]["log"];
    assert_eq!(&many[2]["digests"]["log"], log);
    let refused = desk.run("verify m.json bad.json -o json");
    assert_eq!(refused.status, 1);
    let documents = serde_json::Deserializer::from_str(&refused.out).into_iter::<Value>();
    assert_eq!(documents.map(Result::unwrap).count(), 2);
    desk.run("verify bad.json -o json")
        .assert(1, &["verification failed"]);
}

#[test]
fn what_is_said_of_a_file_names_it() {
    let desk = Desk::new();
    desk.ready("m.json");
    // A game made by another edition: its digest is right, and its rules are others.
    let old = |file: &mut Value| {
        file["inputs"]["rules_sha256"] = json!("00".repeat(32));
        let inputs = serde_json_canonicalizer::to_vec(&file["inputs"]).unwrap();
        use sha2::Digest;
        let digest = sha2::Sha256::digest(inputs);
        file["digests"]["inputs"] = json!(
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        );
    };
    desk.change("m.json", "old one.json", old);
    desk.run("verify m.json 'old one.json'")
        .assert(0, &["warning: old one.json: ", "edition"]);
    let told: Value = serde_json::from_str(&desk.run("verify 'old one.json' -o json").out).unwrap();
    assert!(
        told["warnings"][0]
            .as_str()
            .unwrap()
            .contains("old one.json")
    );
    desk.change("m.json", "odd.json", |file| {
        file["inputs"]["format"] = json!("whist")
    });
    desk.run("verify m.json odd.json")
        .assert(1, &["odd.json: ", "`whist`"]);
    // A byte-order mark before the JSON changes nothing.
    desk.write("marked.json", format!("\u{feff}{}", desk.read("m.json")));
    desk.run("verify marked.json").assert(0, &[]);
}

#[test]
fn a_number_beyond_its_range_is_refused() {
    let desk = Desk::new();
    let text = std::fs::read_to_string(sample("vanquishers/quiet-ledgers.txt")).unwrap();
    desk.write("deck.txt", text);
    // A Hero without gauges in its row.
    let cards = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/formats/vanquishers/cards.csv"
    ));
    let cards = cards.unwrap();
    let mut reader = csv::Reader::from_reader(cards.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (life, shield) = (column("life"), column("shield"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        let cells = row.iter().enumerate();
        let bare = cells.map(|(at, cell)| if at == life || at == shield { "" } else { cell });
        writer.write_record(bare).unwrap();
    }
    desk.write("bare.csv", writer.into_inner().unwrap());
    let call = "new vanquishers --deck deck.txt --deck deck.txt --cards bare.csv \
                --set starting_energy=1 --set A.life=20 --set A.shield=3 --set B.shield=30";
    for (life, status) in [("40", 0), ("0", 0), ("41", 2), ("99", 2), ("-1", 2)] {
        let made = desk.run(&format!("{call} --set B.life={life} --replace --to v.json"));
        made.assert(
            status,
            if status == 0 {
                &[]
            } else {
                &["`B.life` is 0 to 40"]
            },
        );
    }
    desk.run("verify v.json").assert(0, &[]);
    desk.run(&format!("{call} --set B.life=40 --set A.shield=31"))
        .assert(2, &["twice"]);
}

#[test]
fn pictures_are_put_where_they_can_be_loaded() {
    let desk = Desk::new();
    desk.run(&format!(
        "new vastrix --seed qorvith-blenska-uthmar-p --decide '{FIRST}' --to m.json"
    ))
    .assert(0, &[]);
    let call = "export m.json --replace --tabletop-simulator t.json --image-base-url";
    for wrong in [
        "example.org",
        "javascript:alert(1)",
        "ftp://x/y",
        "https://",
        "''",
        "'http://a b'",
    ] {
        desk.run(&format!("{call} {wrong}"))
            .assert(2, &["image-base-url"]);
        assert!(!desk.path("t.json").exists());
    }
    for right in [
        "https://example.org/cards",
        "HTTP://x/",
        "file:///tmp/cards",
    ] {
        desk.run(&format!("{call} {right}")).assert(0, &[]);
    }
    assert!(
        desk.call("convert --help")
            .out
            .contains("cards export --cockatrice")
    );
}

/// Names alone do not play: a face tells what the pool knows of its card.
#[test]
fn faces_tell_what_the_pool_knows() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    let done =
        ["A", "B"].map(|seat| format!("--decide '{{\"step\":\"swap\",\"seat\":\"{seat}\"}}'"));
    let kept = ["A", "B"].map(|seat| {
        format!("--decide '{{\"step\":\"mulligan\",\"seat\":\"{seat}\",\"choice\":\"keep\",\"bottom\":[]}}'")
    });
    let (done, kept) = (done.join(" "), kept.join(" "));
    desk.run(&format!(
        "new shell --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x {done} --decide '{FIRST}' {kept} --to m.json"
    ))
    .assert(0, &[]);
    desk.run("export m.json --tabletop-simulator t.json")
        .assert(0, &[]);
    let first = std::fs::read(desk.path("t-1.png")).unwrap();
    desk.write(
        "own.csv",
        "name,type,colour,mana,text\nDrizzle,spell,blue,1,<script>&\n",
    );
    desk.run("export m.json --tabletop-simulator t.json --replace --cards own.csv")
        .assert(0, &[]);
    assert!(std::fs::read(desk.path("t-1.png")).unwrap() != first);
    desk.write("any.txt", "Format: any\n\n9 Elf\n");
    let drawn = r#"{"step":"first-player","by":"random"}"#;
    desk.run(&format!(
        "new any --deck any.txt --deck any.txt --set opening_hand=1 --seed qorvith-blenska-uthmar-x --decide '{drawn}' --to a.json"
    ))
        .assert(0, &[]);
    desk.run("export a.json --tabletop-simulator a2.json")
        .assert(0, &[]);
}
