//! Who may decide: what an unpacked folder or another publisher changes is told, or does nothing.

use crate::desk::{Desk, list};
use crate::server::{Server, ok};

const DECK: &str = "Format: vainqueur\n\n1 Chapel Lynx\n";

/// A list of the game that bans one card.
fn bans(id: &str, effective: &str, card: &str) -> String {
    format!(
        "schema: decklaw/banlist/1\nid: {id}\ngame: vainqueur\nname: {id}\neffective: {effective}\nbanned: [{card}]\n"
    )
}

#[test]
fn a_configuration_that_cannot_be_read_is_no_missing_one() {
    for place in ["work", "configuration"] {
        let desk = Desk::new();
        desk.write("deck.txt", DECK);
        let file = desk.path(&format!("{place}/decklaw.yaml"));
        let refused = |words: &[&str]| {
            let said = desk.run(&["check", "deck.txt"]).expect(2, words);
            assert_eq!(said.out, "");
        };
        std::fs::create_dir(&file).unwrap();
        refused(&["decklaw.yaml", "is a folder"]);
        std::fs::remove_dir(&file).unwrap();
        std::fs::write(&file, b"# caf\xe9\nformats: []\n").unwrap();
        refused(&["decklaw.yaml:1:6", "not UTF-8"]);
        std::fs::write(&file, "formats: [x\n").unwrap();
        refused(&["decklaw.yaml:"]);
        std::fs::write(&file, "banlists: [gone]\n").unwrap();
        refused(&["gone"]);
        std::fs::write(&file, "formats: [gone]\n").unwrap();
        refused(&["gone"]);
        std::fs::write(&file, "cards:\n  vainqueur: gone.csv\n").unwrap();
        refused(&["gone.csv"]);
        std::fs::remove_file(&file).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", &file).unwrap();
            refused(&["decklaw.yaml", "cannot be read"]);
            std::fs::remove_file(&file).unwrap();
            let made = std::process::Command::new("mkfifo").arg(&file).status();
            if made.is_ok_and(|made| made.success()) {
                refused(&["decklaw.yaml", "a pipe"]);
                std::fs::remove_file(&file).unwrap();
            }
        }
        desk.run(&["check", "deck.txt"]).expect(0, &[]);
    }
}

/// A folder as it is unpacked from an archive: its list lets through what is banned.
#[test]
fn what_a_folder_changes_is_told_and_left_aside_on_demand() {
    let desk = Desk::new();
    let lists = desk.path("configuration/banlists");
    std::fs::create_dir(&lists).unwrap();
    std::fs::write(
        lists.join("june.yaml"),
        bans("june", "2026-06-01", "Chapel Lynx"),
    )
    .unwrap();
    desk.write("deck.txt", DECK);
    let check =
        |more: &[&str]| desk.run(&[&["check", "deck.txt", "--as-of", "2026-07-01"], more].concat());
    check(&[]).expect(1, &["banned"]);
    std::fs::create_dir(desk.path("work/lists")).unwrap();
    desk.write(
        "lists/july.yaml",
        &bans("july", "2026-06-15", "Too Many Trumpets"),
    );
    desk.write("decklaw.yaml", "banlists: [lists]\n");
    let said = check(&[]).expect(0, &[]);
    let first = said.out.lines().next().unwrap();
    for word in ["decklaw.yaml", "vainqueur", "june", "july", "--no-local"] {
        assert!(first.contains(word), "`{word}` is not in: {first}");
    }
    assert!(said.out.contains("banlist of vainqueur: july (this folder"));
    check(&["--no-local"]).expect(1, &["banned", "june"]);
    // Every output names it, and says once what was changed where it is not in the report.
    let said = check(&["-o", "json"]).expect(0, &["july", "--no-local"]);
    let report = said.json();
    let given = &report["inputs"][0];
    assert_eq!(given["kind"], "banlist");
    assert_eq!(given["name"], "july");
    assert_eq!(given["from"], "here");
    assert_eq!(given["sha256"].as_str().unwrap().len(), 64);
    for kind in [
        &["csv", "--summary"][..],
        &["ndjson"],
        &["junit"],
        &["csv-excel", "--summary"],
    ] {
        let said = check(&[&["-o"], kind].concat()).expect(0, &["--no-local"]);
        assert!(said.out.contains("july"), "{kind:?}: {}", said.out);
    }
    // A list of the same id as one of the account's takes no place unsaid.
    desk.write(
        "lists/july.yaml",
        &bans("june", "2026-06-01", "Too Many Trumpets"),
    );
    check(&[]).expect(0, &["changes", "the list june of vainqueur"]);
    // One that is in force on no day of the run changes nothing.
    desk.write(
        "lists/july.yaml",
        &bans("july", "2027-06-15", "Too Many Trumpets"),
    );
    let said = check(&[]).expect(1, &["banned"]);
    assert!(!said.out.contains("--no-local") && !said.err.contains("--no-local"));
}

#[test]
fn rules_and_cards_of_a_folder_are_told() {
    let desk = Desk::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let game = desk.path("work/games/shell");
    std::fs::create_dir_all(&game).unwrap();
    for file in std::fs::read_dir(format!("{root}/formats/shell")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), game.join(file.file_name())).unwrap();
    }
    let deck = std::fs::read_to_string(format!("{root}/decks/shell/overspent.txt")).unwrap();
    desk.write("deck.txt", &deck);
    desk.write("decklaw.yaml", "formats: [games]\n");
    // The same files change nothing; that they are not the built-in ones is named.
    let said = desk
        .run(&["check", "deck.txt"])
        .expect(1, &["rules of shell", "this folder"]);
    assert!(!said.out.contains("--no-local"), "{}", said.out);
    let rules = std::fs::read_to_string(game.join("game.yaml")).unwrap();
    std::fs::write(game.join("game.yaml"), rules.replace("100", "106")).unwrap();
    desk.run(&["check", "deck.txt"]).expect(
        0,
        &["./decklaw.yaml changes the rules of shell", "--no-local"],
    );
    desk.run(&["fix", "deck.txt"])
        .expect(0, &["./decklaw.yaml changes the rules of shell"]);
    desk.run(&["check", "deck.txt", "--no-local"])
        .expect(1, &[]);
    // The cards too, by a folder or by a file.
    std::fs::write(game.join("game.yaml"), &rules).unwrap();
    desk.write(
        "cards.csv",
        "name,type,colour,mana,viable\nMoss Sprite,spell,red,1,red\n",
    );
    desk.write("decklaw.yaml", "cards:\n  shell: cards.csv\n");
    desk.run(&["check", "deck.txt"]).expect(
        1,
        &["changes the cards of shell", "cards of shell: ./cards.csv"],
    );
    // The current folder goes before the account's, and flags before both.
    std::fs::write(desk.path("configuration/own.csv"), "name\nMoss Sprite\n").unwrap();
    desk.configure("cards:\n  shell: own.csv\n");
    desk.run(&["check", "deck.txt"]).expect(
        1,
        &["changes the cards of shell", "cards of shell: ./cards.csv"],
    );
    desk.run(&[
        "check",
        "deck.txt",
        "--no-local",
        "--cards",
        "shell=cards.csv",
    ])
    .expect(1, &["cards of shell: cards.csv (named"]);
}

#[test]
fn a_list_of_one_publisher_never_stands_in_for_anothers() {
    let server = Server::start();
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.write("deck.txt", DECK);
    let check =
        |more: &[&str]| desk.run(&[&["check", "deck.txt", "--as-of", "2026-07-01"], more].concat());
    server.put("/list.yaml", ok(&bans("june", "2026-06-01", "Chapel Lynx")));
    desk.fetch(&[]).expect(0, &[]);
    check(&[]).expect(1, &["banned"]);
    // Somebody else's list claims the id, and a later day.
    let theirs = server.url("/theirs.yaml");
    for (id, day) in [
        ("june", "2026-06-01"),
        ("june", "2026-06-20"),
        ("other", "2026-06-20"),
    ] {
        server.put("/theirs.yaml", ok(&bans(id, day, "Too Many Trumpets")));
        desk.run(&["banlist", "fetch", &theirs, "--replace"])
            .expect(0, &["new", "both in force", "official/june"]);
        check(&[]).expect(2, &["both in force", "official/june", "--banlist"]);
        check(&["--banlist", "official/june"]).expect(1, &["banned"]);
    }
    server.put(
        "/theirs.yaml",
        ok(&bans("june", "2026-06-01", "Too Many Trumpets")),
    );
    desk.run(&["banlist", "fetch", &theirs, "--replace"])
        .expect(0, &[]);
    check(&["--banlist", "june"]).expect(2, &["several banlists", "official/june"]);
}

/// A folder's configuration names an address: what was fetched there applies there alone.
#[test]
fn what_a_folder_has_fetched_applies_in_that_folder_alone() {
    let server = Server::start();
    let desk = Desk::new();
    desk.write("deck.txt", DECK);
    server.put("/list.yaml", ok(&bans("june", "2026-06-01", "Chapel Lynx")));
    let url = server.url("/list.yaml");
    desk.write(
        "decklaw.yaml",
        &format!("lists:\n  official:\n    url: {url}\n"),
    );
    desk.run(&["banlist", "fetch", "--all"])
        .expect(0, &["new: june"]);
    let check =
        |more: &[&str]| desk.run(&[&["check", "deck.txt", "--as-of", "2026-07-01"], more].concat());
    check(&[]).expect(1, &["banned", "--no-local"]);
    check(&["--no-local"]).expect(0, &[]);
    std::fs::remove_file(desk.path("work/decklaw.yaml")).unwrap();
    check(&[]).expect(0, &[]);
}

#[test]
fn passwords_of_addresses_are_never_told() {
    let desk = Desk::new();
    for url in [
        "https://me:hunter2@example.org/list.yaml",
        "https:me:hunter2@example.org/list.yaml",
        "https:\\\\me:hunter2@example.org/list.yaml",
        "https://me:hunter2@",
    ] {
        let said = desk
            .run(&["banlist", "fetch", url])
            .expect(1, &["password"]);
        assert!(
            !said.out.contains("hunter2") && !said.err.contains("hunter2"),
            "{}",
            said.err
        );
        desk.configure(&format!("lists:\n  official:\n    url: '{url}'\n"));
        let said = desk
            .run(&["banlist", "fetch", "--all"])
            .expect(2, &["password"]);
        assert!(
            !said.out.contains("hunter2") && !said.err.contains("hunter2"),
            "{}",
            said.err
        );
        desk.configure("");
    }
    assert!(desk.kept().is_empty());
}

#[test]
fn digests_are_of_the_files_bytes() {
    let desk = Desk::new();
    let marked = format!("\u{feff}{}", list("june", "2026-06-01", 4));
    desk.write("marked.yaml", &marked);
    desk.write("deck.txt", DECK);
    let call = [
        "check",
        "deck.txt",
        "--banlist",
        "marked.yaml",
        "-o",
        "json",
    ];
    let report = desk.run(&call).json();
    let digest = decklaw::digest::sha256(marked.as_bytes());
    assert_eq!(report["rules"]["vainqueur"]["banlist"]["sha256"], digest);
    // A lock keeps just those bytes.
    let call = ["banlist", "lock", "vainqueur", "--banlist", "marked.yaml"];
    desk.run(&call).expect(0, &[&digest]);
    desk.run(&["check", "deck.txt", "--locked"]).expect(0, &[]);
}

/// Too deep for any path: nobody can read that folder, whoever he is.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_read_is_a_failure_of_the_run() {
    let desk = Desk::new();
    let deep = "a".repeat(200);
    let call = format!(
        "mkdir decks; cd decks; printf 'Format: any\\n\\n1 A\\n' > deck.txt; for i in $(seq 25); do mkdir {deep} && cd -P {deep} || exit 1; done"
    );
    let made = std::process::Command::new("bash")
        .args(["-c", &call])
        .current_dir(desk.path("work"))
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        // No folder so deep can be made here.
        return;
    }
    let said = desk
        .run(&["check", "decks"])
        .expect(1, &["cannot be read", "1 legal", "1 unreadable"]);
    drop(said);
    let _ = std::process::Command::new("rm")
        .args(["-rf", "decks"])
        .current_dir(desk.path("work"))
        .status();
}

/// Every report names what decided it and is not built in: rules, cards, and whatever else of
/// the game's folder or of the call was asked.
#[test]
fn every_report_names_what_is_not_built_in() {
    let desk = Desk::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let game = desk.path("configuration/games/shell");
    std::fs::create_dir_all(&game).unwrap();
    for file in std::fs::read_dir(format!("{root}/formats/shell")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), game.join(file.file_name())).unwrap();
    }
    desk.configure("formats: [games]\n");
    let deck = std::fs::read_to_string(format!("{root}/decks/shell/overspent.txt")).unwrap();
    desk.write("deck.txt", &deck);
    let fixed = desk
        .run(&["fix", "deck.txt", "-o", "deck"])
        .expect(0, &["rules of shell"]);
    desk.write("legal.txt", &fixed.out);
    desk.write("own.csv", "count,name\n99,Moss Sprite\n");
    desk.write(
        "list.yaml",
        "schema: decklaw/banlist/1\nid: mine\ngame: shell\nname: Mine\neffective: 2026-01-01\nbanned: []\n",
    );
    let digest = |file: &str| {
        use sha2::Digest;
        let bytes = std::fs::read(game.join(file)).unwrap();
        let digest = sha2::Sha256::digest(&bytes);
        digest
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    // A call, its outputs, and the files that decide besides the rules and cards.
    for row in [
        "check legal.txt | human json ndjson csv csv-excel junit github |",
        "check deck.txt | human json csv csv-excel github |",
        "fix deck.txt | human json deck | taste.yaml",
        "room deck.txt | human json csv |",
        "build shell | human json | taste.yaml odds.yaml",
        "odds legal.txt | human json csv csv-excel | odds.yaml",
        "tune legal.txt 1+[colour:red] --changes 1 | human json csv | odds.yaml",
        "stats legal.txt | human json csv csv-excel | stats.yaml",
        "convert legal.txt --to-format json | |",
        "print legal.txt --sheet | |",
        "cards list --format shell mana:1 | human json csv |",
        "cards show --format shell Moss Sprite | human json |",
        "cards export --format shell --cockatrice | |",
    ] {
        let [call, kinds, files]: [&str; 3] = row
            .split('|')
            .map(str::trim)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let besides: Vec<&str> = files.split_whitespace().collect();
        let kinds = kinds.split_whitespace().map(|kind| vec!["-o", kind]);
        let mut kinds: Vec<Vec<&str>> = kinds.collect();
        if kinds.is_empty() {
            kinds.push(Vec::new());
        }
        for kind in kinds {
            let call: Vec<&str> = call.split(' ').chain(kind).collect();
            let said = desk.run(&call);
            assert!(said.status < 2, "{call:?}: {}", said.err);
            // A findings table of a legal deck has no row to say it in.
            if call.contains(&"legal.txt")
                && call[0] == "check"
                && call.iter().any(|word| word.starts_with("csv"))
            {
                continue;
            }
            let all = format!("{}\n{}", said.out, said.err);
            for file in ["game.yaml", "cards.csv"].iter().chain(&besides) {
                assert!(
                    all.contains(&digest(file)),
                    "{call:?} does not name {file}:\n{all}"
                );
            }
            let report = call.last() == Some(&"json") && call[1] != "show" && call[0] != "convert";
            if report {
                let inputs = said.json()["inputs"].clone();
                assert!(
                    inputs.as_array().is_some_and(|inputs| inputs.len() >= 2),
                    "{call:?}: {inputs}"
                );
            }
        }
    }
    let said = desk
        .run(&["fix", "deck.txt", "--own", "own.csv", "-o", "json"])
        .expect(1, &["own.csv"]);
    assert!(
        said.json()["inputs"].to_string().contains("collection"),
        "{}",
        said.out
    );
    // A run by what is built in names nothing.
    desk.configure("{}\n");
    let said = desk
        .run(&["odds", "legal.txt", "-o", "json"])
        .expect(0, &[]);
    assert_eq!(said.json()["inputs"], serde_json::json!([]));
    let said = desk.run(&["fix", "deck.txt"]).expect(0, &[]);
    assert!(!said.out.contains("not built in"), "{}", said.out);
}
