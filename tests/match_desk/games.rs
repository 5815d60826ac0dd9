//! A match from its call to its last game: files, exit statuses, and what a match waits for.

use crate::calls::{Desk, FIRST, sample};
use serde_json::{Value, json};

const RANDOM: &str = r#"{"step":"first-player","by":"random"}"#;

const NOTE: &str = "anyone who knows the text of `--seed` can deal this again";

fn swap(seat: &str) -> String {
    format!("'{}'", json!({"step": "swap", "seat": seat}))
}

#[test]
fn a_match_from_seed_to_view() {
    let desk = Desk::new();
    desk.run(&format!(
        "new vastrix --seed redeal --decide '{RANDOM}' --to m.json"
    ))
    .assert(0, &[]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(desk.path("m.json"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "every hidden card is in it");
    }
    let made = desk.json("m.json");
    let digest = "3715b2de6986acc1211c7d8d1d2f91024c18d91c4b5be4210931a924d13883a0";
    assert_eq!(made["digests"]["state"], digest);
    assert_eq!(made["state"]["first"], "B");
    desk.run("verify m.json").assert(0, &[]);
    let view = desk.run("view m.json --seat B -o json").json();
    assert_eq!(view["seats"]["B"]["zones"]["hand"]["cards"][0], "S048");
    assert_eq!(view["seats"]["A"]["zones"]["hand"]["cards"], Value::Null);
    desk.run("view m.json --seat C").assert(2, &[]);
    desk.run(&format!("decide m.json '{RANDOM}'"))
        .assert(1, &[]);
    desk.run("decide m.json '{'").assert(2, &[]);
    let changed = desk
        .read("m.json")
        .replacen("\"goal\": 21", "\"goal\": 22", 1);
    desk.write("m.json", changed);
    for call in ["verify m.json", "view m.json --seat public"] {
        desk.run(call).assert(1, &["verification failed"]);
    }
}

#[test]
fn decisions_are_all_applied_or_none() {
    let (desk, deck) = (Desk::new(), sample("shell/ebb.txt"));
    desk.run(&format!(
        "new shell --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x --to m.json"
    ))
    .assert(0, &[]);
    let before = desk.read("m.json");
    let (a, b) = (swap("A"), swap("B"));
    desk.run(&format!("decide m.json {a} {a} --to m.json"))
        .assert(1, &["seat A"]);
    // Ten cards fewer leave points unspent.
    let made = desk.json("m.json");
    let deck = made["state"]["seats"]["A"]["zones"]["deck"]
        .as_array()
        .unwrap();
    let mut ten: Vec<&str> = deck[..10].iter().map(|id| id.as_str().unwrap()).collect();
    ten.sort_unstable();
    let ten = json!({"step": "swap", "seat": "A", "main": {"out": ten, "in": []}});
    desk.run(&format!("decide m.json '{ten}' --to m.json"))
        .assert(1, &["points"]);
    assert_eq!(desk.read("m.json"), before);
    desk.run(&format!("decide m.json {a} {b} '{RANDOM}' --to m.json"))
        .assert(0, &[]);
    desk.run("verify m.json").assert(0, &[]);
    desk.run("next m.json --won A").assert(1, &[]);
    let left = std::fs::read_dir(desk.path("")).unwrap().count();
    assert_eq!(left, 1, "nothing is left next to the file");
}

#[test]
fn a_deck_that_is_not_legal_is_refused_unless_allowed() {
    let desk = Desk::new();
    let decks = format!(
        "--deck {} --deck {}",
        sample("shell/ebb.txt"),
        sample("shell/overspent.txt")
    );
    desk.run(&format!("new shell {decks}"))
        .assert(1, &["points"]);
    let made = desk
        .run(&format!("new shell --allow-illegal {decks}"))
        .json();
    let seats = &made["inputs"]["seats"];
    assert_eq!(seats[0]["deck"].get("illegal"), None);
    assert_eq!(seats[1]["deck"]["illegal"], json!(["points"]));
}

#[test]
fn wrong_calls_differ_from_refusals() {
    let desk = Desk::new();
    let shell = sample("shell/ebb.txt");
    let low = format!(
        "new vainqueur --deck {0} --deck {0}",
        sample("vainqueur/low-water.txt")
    );
    desk.write("other.toml", "a = 1\n");
    for (call, status, says) in [
        ("new whist", 2, "no format"),
        (
            "new vastrix --option deffy=soda --option players=3",
            2,
            "two players",
        ),
        ("new vastrix --option wind=1", 2, "`wind`"),
        ("new vastrix --option players=9", 2, "2, 3 or 4"),
        ("new vastrix --set unknown=notice", 2, "whole numbers"),
        ("new vastrix --set hand=3", 2, "no setting"),
        ("new vastrix --count 0", 2, ""),
        ("new vastrix --decide '{\"step\":\"waltz\"}'", 2, "step"),
        (
            "new vastrix --decide '{\"step\":\"roll\",\"by\":\"random\"}'",
            1,
            "not awaited",
        ),
        (&format!("new vastrix --deck {shell}"), 2, "deck"),
        (&format!("new shell --deck {shell}"), 2, "2 to 4 decks"),
        (
            &format!("new shell {}", format!("--deck {shell} ").repeat(5)),
            2,
            "2 to 4 decks",
        ),
        (
            "new shell --deck nowhere.txt --deck nowhere.txt",
            2,
            "no such file",
        ),
        (&low, 2, "opening_hand"),
        (&format!("{low} --set opening_hand=-1"), 2, "opening_hand"),
        ("verify other.toml", 1, "not the JSON of a match"),
        ("verify nowhere.json", 2, "no such file"),
    ] {
        let answer = desk.run(call);
        answer.assert(status, &[says]);
        assert!(answer.out.is_empty(), "{call}: {}", answer.out);
    }
}

#[test]
fn many_matches_are_one_a_line_and_seeded_by_number() {
    let desk = Desk::new();
    let new = |more: &str| {
        desk.run(&format!(
            "new vastrix --decide '{RANDOM}' --seed qorvith-blenska-uthmar-t{more}"
        ))
    };
    let many = new(" --count 20");
    assert_eq!(many.out.lines().count(), 20);
    let third: Value = serde_json::from_str(many.out.lines().nth(2).unwrap()).unwrap();
    assert_eq!(third, new("/3").json());
}

#[test]
fn a_match_of_three_games_keeps_its_score_and_ends() {
    let desk = Desk::new();
    let low = sample("vainqueur/low-water.txt");
    desk.run(&format!("new vainqueur --deck {low} --deck {low} --set opening_hand=5 --decide '{RANDOM}' --to m.json"))
        .assert(0, &[]);
    // A format that does not count games goes on for as long as people like.
    for wrong in ["--won C", "--won b", ""] {
        desk.run(&format!("next m.json {wrong}")).assert(2, &[]);
    }
    let next = desk.run("next m.json --won draw").json();
    assert_eq!(next["inputs"]["results"], json!(["draw"]));

    let ebb = sample("shell/ebb.txt");
    desk.run(&format!(
        "new shell --deck {ebb} --deck {ebb} --replace --to m.json"
    ))
    .assert(0, &[]);
    let keep = |seat: &str| {
        format!(
            "'{}'",
            json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": []})
        )
    };
    let decided = [
        swap("A"),
        swap("B"),
        format!("'{FIRST}'"),
        keep("A"),
        keep("B"),
    ]
    .join(" ");
    // "Before all three games": the third is set up even where one seat has won two.
    for (game, results) in [
        (1, Value::Null),
        (2, json!(["B"])),
        (3, json!(["B", "B"])),
        (3, json!(["B", "A"])),
    ] {
        if game > 1 {
            let won = results[game - 2].as_str().unwrap();
            let keeps = if results == json!(["B", "B"]) {
                "third.json"
            } else {
                "m.json"
            };
            desk.run(&format!("next m.json --won {won} --to {keeps}"))
                .assert(0, &[]);
            assert_eq!(desk.json(keeps)["inputs"]["options"]["game"], game);
            assert_eq!(desk.json(keeps)["inputs"]["results"], results);
            if keeps == "third.json" {
                continue;
            }
        }
        desk.run(&format!("decide m.json {decided} --to m.json"))
            .assert(0, &[]);
    }
    desk.run("verify m.json").assert(0, &[]);
    for won in ["A", "draw"] {
        desk.run(&format!("next m.json --won {won}"))
            .assert(1, &["has won"]);
    }
    for results in [
        json!([]),
        json!(["B"]),
        json!(["B", "B"]),
        json!(["B", "C"]),
        json!(["B", "b"]),
    ] {
        desk.change("m.json", "changed.json", |file| {
            file["inputs"]["results"] = results
        });
        desk.run("verify changed.json").assert(1, &[]);
    }
}

#[test]
fn a_secret_choice_is_sealed_and_opened() {
    let desk = Desk::new();
    desk.run("new vastrix --option battlerealm=true --to m.json")
        .assert(0, &[]);
    let seal = |choice: &str| desk.run(&format!("decide m.json --seal {choice} --to m.json"));
    seal("A bravado").assert(2, &["none of"]);
    seal("E beauty").assert(2, &[]);
    seal("C beauty").assert(1, &[]);
    let opened: Vec<String> = ["B beauty", "A bravery"]
        .iter()
        .map(|choice| {
            let sealed = seal(choice);
            sealed.assert(0, &[]);
            assert!(!desk.read("m.json").contains(&choice[2..]), "{choice}");
            let start = sealed.out.find("{\"").unwrap();
            format!("'{}'", sealed.out[start..].lines().next().unwrap())
        })
        .collect();
    desk.run(&format!(
        "decide m.json '{RANDOM}' {} {} --to m.json",
        opened[1], opened[0]
    ))
    .assert(0, &[]);
    let view = desk.run("view m.json --seat public -o json").json();
    assert_eq!(view["seats"]["A"]["spec"], "bravery");
    assert_eq!(view["seats"]["B"]["spec"], "beauty");
    assert_eq!(view["pending"], json!([]));
    seal("A beauty").assert(1, &[]);
}

/// What a match suggests can be decided, to the end of every kind of setup.
#[test]
fn what_is_suggested_can_be_decided() {
    let desk = Desk::new();
    let (shell, hero) = (
        sample("shell/ebb.txt"),
        sample("vanquishers/quiet-ledgers.txt"),
    );
    for call in [
        &format!("shell --deck {shell} --deck {shell}"),
        &format!("vanquishers --deck {hero} --deck {hero} --set starting_energy=1"),
        "vastrix --option deffy=soda --option just_checking=true",
        "vastrix --option deffy=mystery-mix",
    ] {
        let mut last = desk.run(&format!(
            "new {call} --seed qorvith-blenska-uthmar-x --replace --to m.json"
        ));
        for _ in 0..40 {
            last.assert(0, &[]);
            // Writing a file gives the same answer as viewing it.
            let shown = desk.run("view m.json --seat public").out;
            let waits = shown.lines().find(|line| line.contains("Still to decide"));
            assert_eq!(
                waits.is_none(),
                !last.out.contains("waits for "),
                "{}",
                last.out
            );
            let Some(waits) = waits else { break };
            let decision = &waits[waits.find('{').unwrap()..];
            last = desk.run(&format!("decide m.json '{decision}' --to m.json"));
        }
        assert!(desk.run("verify m.json").out.contains("(ready)"), "{call}");
    }
}

#[test]
fn many_files_are_verified_at_once_and_each_is_reported() {
    let desk = Desk::new();
    desk.ready("good.json");
    desk.write(
        "bad.json",
        desk.read("good.json")
            .replacen("\"goal\": 21", "\"goal\": 20", 1),
    );
    let all = desk.run("verify good.json bad.json none.json good.json");
    all.assert(2, &["bad.json: ", "none.json: ", "2 of 4 files"]);
    assert_eq!(all.out.matches("good.json: verified").count(), 2);
    desk.run("verify good.json good.json").assert(0, &[]);
}

#[test]
fn a_text_deals_and_the_program_says_once_who_can_deal_it_again() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    for new in [
        "new vastrix --seed redeal --to m.json".to_owned(),
        "new vastrix --seed redeal --count 3 --to many.ndjson".to_owned(),
        format!("new shell --deck {deck} --deck {deck} --seed x --to s.json"),
    ] {
        let made = desk.run(&new);
        made.assert(0, &[NOTE]);
        assert_eq!(made.error.matches(NOTE).count(), 1, "{}", made.error);
    }
    let secret = desk.run("new vastrix");
    secret.assert(0, &[]);
    assert!(!secret.error.contains(NOTE), "{}", secret.error);
    // Nobody guesses at an empty text.
    for call in ["new vastrix --seed ''", "new vastrix --seed ' '"] {
        desk.run(call).assert(2, &["--seed is empty"]);
    }
}
