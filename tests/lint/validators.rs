//! What was wrong where other programs' validators were written down as games, and their verdicts
//! held against decklaw's.

use super::{decklaw, own_game};
use serde_json::Value;
use tempfile::TempDir;

const FIELDS: &str = "fields:
  - {name: type, kind: word, values: [leader, card]}
  - {name: title, kind: text}
  - {name: subtitle, kind: text}
  - {name: value, kind: number}
  - {name: suits, kind: list}
  - {name: needs, kind: number}
sections: [{id: head, name: head section}, {id: main, name: main deck, shuffled: true}, {id: drafted, name: drafted cards}]
formats: [{id: toy, name: Toy}]
rules:
";
const CARDS: &str = "name,type,title,subtitle,value,suits,needs
Leader,leader,Leader,,,,3
Mute,leader,Mute,,,,
Red,card,Red,,5,hearts,
Red (promo),card,Red,,4,hearts;clubs,
Red Two,card,Red,Two,3,clubs,
Plain,card,,,2,clubs,
Other,card,,,1,,
";

fn game(rules: &[&str], cards: &str) -> TempDir {
    let rules: String = rules
        .iter()
        .map(|rule| format!("  - {{id: only, source: p, about: A rule., {rule}}}\n"))
        .collect();
    own_game(&format!("{FIELDS}{rules}"), cards)
}

/// The first finding of a deck, `message / mend`; empty where there is none.
fn found(folder: &TempDir, deck: &str) -> String {
    let text = format!("Format: toy\n{deck}");
    std::fs::write(folder.path().join("deck.txt"), text).unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
    let told: Value = serde_json::from_slice(&run.stdout).unwrap();
    let findings = told["decks"][0]["findings"].as_array().unwrap();
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    findings.first().map_or(String::new(), |finding| {
        format!("{} / {}", word(finding, "message"), word(finding, "help"))
    })
}

fn linted(folder: &TempDir) -> (Option<i32>, String) {
    let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
    let told = String::from_utf8(run.stdout).unwrap();
    (run.status.code(), told)
}

/// Prints of a title without a subtitle are one card, and not the one with a subtitle; cards
/// that have neither stand each alone.
#[test]
fn cards_that_lack_one_of_several_fields_are_alike_in_it() {
    let rule = "must: {copies: {sections: [main], by: [[title, subtitle]], max: 1}}";
    let folder = game(&[rule], CARDS);
    assert_eq!(
        found(&folder, "Main\n1 Red\n1 Red Two\n1 Plain\n1 Other\n"),
        ""
    );
    let both = found(&folder, "Main\n1 Red\n1 Red (promo)\n");
    assert!(
        both.starts_with("2 cards of the title and subtitle `Red` (`Red` and `Red (promo)`)"),
        "{both}"
    );
    let twice = found(&folder, "Main\n2 Plain\n");
    assert!(twice.starts_with("2 copies of `Plain`"), "{twice}");
}

/// Whatever is named as an example brings the sum down far enough, and not below its least.
#[test]
fn what_would_mend_a_sum_does() {
    let rule = "must: {total: {sections: [main], field: value, called: points, min: 10, max: 11}}";
    let folder = game(&[rule], CARDS);
    let told = found(&folder, "Main\n1 Red\n1 Red (promo)\n1 Plain\n2 Other\n");
    assert!(told.ends_with("such as `Plain` (2)"), "{told}");
    // Of these a copy less is too much, whichever: 13 would be 9 or 8.
    let told = found(&folder, "Main\n1 Red\n2 Red (promo)\n");
    let help = "remove cards worth 2 points or more";
    assert!(told.ends_with(help), "{told}");
    assert_eq!(found(&folder, "Main\n1 Red\n1 Red (promo)\n2 Other\n"), "");
}

#[test]
fn no_more_copies_than_were_drafted() {
    let rule = "must: {within: {sections: [main, head], of: [drafted], copies: true}}";
    let folder = game(&[rule], CARDS);
    assert_eq!(
        found(&folder, "Main\n2 Red\n1 Other\nDrafted\n2 Red\n3 Other\n"),
        ""
    );
    let told = found(&folder, "Head\n1 Red\nMain\n2 Red\nDrafted\n2 Red\n");
    assert!(
        told.contains(
            "3 copies of `Red` in the head section and main deck, but 2 in the drafted cards"
        ),
        "{told}"
    );
    // Of several sections only those are named in which it is.
    let absent = found(&folder, "Main\n1 Plain\n");
    assert!(
        absent.contains("`Plain` is in the main deck, but not in the drafted cards"),
        "{absent}"
    );
    let fixed = decklaw(folder.path(), &["fix", "deck.txt"]);
    assert_eq!(fixed.status.code(), Some(0));
}

/// What stands in for a number is told of where no card has one, and who has it by name.
#[test]
fn the_number_that_stands_in_is_told_right() {
    let rule = "must: {size: {sections: [main], max: {field: needs, of: [head], else: 1}}}";
    let folder = game(&[rule], CARDS);
    let run = decklaw(folder.path(), &["explain", "toy/only"]);
    let told = String::from_utf8(run.stdout).unwrap();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("or 1 without one"), "{told}");
    let none = found(&folder, "Head\n1 Mute\nMain\n2 Red\n");
    assert!(
        none.contains("(no card in the head section has needs)"),
        "{none}"
    );
    let one = found(&folder, "Head\n1 Mute\n1 Leader\nMain\n4 Red\n");
    assert!(one.contains("(the needs of `Leader`)"), "{one}");
}

/// One of those that stand for each other is enough, and all of them are named.
#[test]
fn a_replacement_stands_for_what_is_brought() {
    let rule = "must: {brings: {sections: [main], cards: 'type:card', field: suits, by: [head], among: suits, any-of: title}}";
    let cards = CARDS.replace(
        "Leader,leader,Leader,,,,3",
        "Leader,leader,Leader,,,hearts,3",
    );
    let folder = game(&[rule], &cards);
    assert_eq!(found(&folder, "Head\n1 Leader\nMain\n1 Red (promo)\n"), "");
    let told = found(&folder, "Head\n1 Leader\nMain\n1 Other\n");
    assert!(
        told.contains("`Leader` brings `Red` or `Red (promo)`; there is none in the main deck / add `Red` or `Red (promo)` to the main deck"),
        "{told}"
    );
    let run = decklaw(folder.path(), &["fix", "deck.txt", "-o", "json"]);
    let fixed: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(fixed["distance"], 1, "{fixed}");
}

#[test]
fn what_a_maker_forgot_is_told() {
    let accept = "must: {accept: {section: head, cards: 'type:leader', because: it is no leader}}";
    let size = "must: {size: {sections: [main], exactly: 3}}";
    let drafted = "must: {within: {sections: [main], of: [drafted]}}";
    let called = "must: {size: {sections: [main], cards: 'type:card', max: 3}}";
    let commas = CARDS.replace("hearts;clubs", "\"hearts, clubs\"");
    for (rules, cards, status, told) in [
        (
            vec![accept, size],
            CARDS,
            0,
            "takes, as `accept` does for another",
        ),
        (vec![size, drafted], CARDS, 0, ""),
        (vec![called], CARDS, 0, "players read `type:card`"),
        (
            vec![size],
            &commas,
            0,
            "has `hearts, clubs` as one word of its `suits`",
        ),
        // Decks of which nothing is asked pass, whatever the cards that are known so far.
        (
            vec![
                "if: {sections: [head], cards: 'name:Mute'}, must: {size: {sections: [main], cards: 'suits:spades', called: spade, min: 1}}",
            ],
            CARDS,
            0,
            "no card has the `suits` `spades`",
        ),
    ] {
        let folder = game(&rules, cards);
        let (code, said) = linted(&folder);
        assert_eq!(code, Some(status), "{rules:?}: {said}");
        assert!(said.contains(told), "{rules:?}: {said}");
        let notice = "takes, as `accept`";
        assert_eq!(
            said.contains(notice),
            told.contains(notice),
            "{rules:?}: {said}"
        );
    }
}

/// A print whose own limit is not written down escapes it alone, which `formats check` tells; the
/// limit that counts is called by where it comes from.
#[test]
fn prints_that_limit_themselves_differently_are_told() {
    let rule = "must: {copies: {sections: [main], by: [title], max: {field: needs, else: 4}}}";
    let cards = "name,type,title,subtitle,value,suits,needs
Swarm,card,Swarm,,,,50
Swarm (alt),card,Swarm,,,,
Wasp,card,Wasp,,,,1
Wasp (alt),card,Wasp,,,,1
";
    let folder = game(&[rule], cards);
    let (status, told) = linted(&folder);
    assert_eq!(status, Some(0), "{told}");
    assert_eq!(found(&folder, "Main\n50 Swarm\n"), "");
    let both = found(&folder, "Main\n40 Swarm\n3 Swarm (alt)\n");
    assert!(both.contains("at most 4 allowed (its "), "{both}");
    let both = found(&folder, "Main\n1 Wasp\n1 Wasp (alt)\n");
    assert!(both.contains("at most 1 allowed (its needs)"), "{both}");
}

/// Who must permit a card and does not is named, but for the card itself; and what is to be mended
/// is who refuses, not that somebody permits.
#[test]
fn partners_that_do_not_name_each_other_are_told() {
    let fields = FIELDS.replace(
        "  - {name: needs, kind: number}",
        "  - {name: needs, kind: number}\n  - {name: with, kind: query}",
    );
    let rule = "  - id: partners
    source: p
    about: Partners name each other.
    if: {sections: [head], at-least: 2}
    must: {permitted: {sections: [head], by: [head], field: with, mode: all, empty: nothing}}
";
    let cards = "name,type,with
Ann,leader,\"name:Ann or name:Ben\"
Ben,leader,\"name:Ann or name:Ben\"
Cleo,leader,
Abel,leader,
";
    let folder = own_game(&format!("{fields}{rule}"), cards);
    assert_eq!(found(&folder, "Head\n1 Ann\n1 Ben\n"), "");
    let told = found(&folder, "Head\n1 Ann\n1 Cleo\n");
    assert!(
        told.starts_with("`Cleo` may not use `Ann`; permitted: nothing"),
        "{told}"
    );
    // Neither of them permits Abel, who is not named as refusing himself.
    let abel = found(&folder, "Head\n1 Abel\n1 Ann\n");
    assert!(abel.starts_with("`Ann` may not use `Abel`; "), "{abel}");
    let help = "remove it, or choose another card for the head section instead of `Cleo`";
    assert!(told.ends_with(help), "{told}");
}

/// What alone decides that a card goes is not to be kept; a name that is in doubt is to be written.
#[test]
fn no_help_is_offered_that_helps_nobody() {
    let accept = "must: {accept: {section: head, cards: 'type:leader', because: it leads nothing}}";
    let size = "must: {size: {sections: [head], exactly: 1}}";
    let folder = game(&[accept, size], CARDS);
    let fixed = |deck: &str| {
        let text = format!("Format: toy\n{deck}");
        std::fs::write(folder.path().join("deck.txt"), text).unwrap();
        let run = decklaw(folder.path(), &["fix", "deck.txt"]);
        String::from_utf8(run.stdout).unwrap()
    };
    let told = fixed("Head\n1 Red\n");
    assert!(told.contains("Red") && !told.contains("--keep"), "{told}");
    let told = fixed("Head\n1 Leader\nMain\n1 Ret\n");
    assert!(told.contains("correct the name first"), "{told}");
}

/// A leader that goes although it may stand there can be kept at a price, which is said.
#[test]
fn a_leader_that_may_stay_can_be_kept() {
    let matching = "must: {matching: {sections: [main], field: suits, by: [head], mode: all}}";
    let size = "must: {size: {sections: [head], exactly: 1}}";
    let cards = "name,type,title,subtitle,value,suits,needs
One,leader,,,,hearts,
Two,leader,,,,clubs,
Club,card,,,,clubs,
";
    let folder = game(&[matching, size], cards);
    let text = "Format: toy\nHead\n1 One\nMain\n3 Club\n";
    std::fs::write(folder.path().join("deck.txt"), text).unwrap();
    let run = decklaw(folder.path(), &["fix", "deck.txt"]);
    let told = String::from_utf8(run.stdout).unwrap();
    assert!(told.contains("--keep '\"One\"'"), "{told}");
}

/// What a list says is told by the names of the cards where it leaves no deck.
#[test]
fn a_list_that_contradicts_a_wish_is_told_by_its_cards() {
    let folder = game(&["must: {size: {sections: [main], min: 1}}"], CARDS);
    let list = "schema: decklaw/banlist/1\nid: winter\ngame: toy\nname: Winter\neffective: 2026-01-01\nrestricted: [{name: Plain, copies: 1}]\nbanned: [Other]\n";
    std::fs::write(folder.path().join("list.yaml"), list).unwrap();
    for (wish, told) in [
        (
            "2 \"Plain\"",
            "No more copies than the list Winter allows of `Plain`.",
        ),
        (
            "1 \"Other\"",
            "No copies of what the list Winter bans: `Other`.",
        ),
    ] {
        let asked = ["build", "toy", "--banlist", "list.yaml", "--wish", wish];
        let run = decklaw(folder.path(), &asked);
        let said = [run.stdout, run.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(told), "{said}");
    }
}

/// A colon in text without quotation marks looks like a bracket that is not closed.
#[test]
fn text_with_a_colon_is_told_to_be_quoted() {
    let rule = "must: {accept: {section: head, cards: 'type:leader', because: no leader: none}}";
    let (status, told) = linted(&game(&[rule], CARDS));
    assert_eq!(status, Some(1));
    assert!(
        told.contains("a colon stands in text without quotation marks"),
        "{told}"
    );
}

/// Of several parts it is told what each counts.
#[test]
fn parts_that_count_differently_are_told() {
    let rule = "must: {total: {sections: [main], called: points, max: 15, parts: [{price: 3, cards: 'suits:hearts'}, {price: 1, cards: '-suits:hearts'}, {field: value, price: 2, cards: 'value>=4'}]}}";
    let folder = game(&[rule], CARDS);
    let run = decklaw(folder.path(), &["explain", "toy/only"]);
    let told = String::from_utf8(run.stdout).unwrap();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "3 × cards of suits hearts;",
        "cards not of suits hearts;",
        "the value of cards of value 4 or more and 2 for each of them",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}
