//! `banlist lab` against every deck of a small game, counted out.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const GAME: &str = "schema: decklaw/format/1
game: grove
name: Grove
text: none
fields:
  - {name: kind, kind: word, values: [tree, bird, stone]}
sections: [{id: main, name: main deck, shuffled: true}]
formats: [{id: grove, name: Grove}]
rules:
  - {id: size, source: s, about: a, must: {size: {sections: [main], exactly: 6}}}
  - {id: copies, source: s, about: a, must: {copies: {sections: [main], max: 3}}}
  - {id: stones, source: s, about: a, demand: 'main [kind:stone] >= 1'}
  - {id: birds, source: s, about: a, demand: 'main [kind:bird] <= 2'}
";
const CARDS: [(&str, &str); 5] = [
    ("Ash", "tree"),
    ("Elm", "tree"),
    ("Rook", "bird"),
    ("Wren", "bird"),
    ("Flint", "stone"),
];

type Deck = [i64; 5];

fn of_kind(deck: &Deck, kind: &str) -> i64 {
    let own = CARDS.iter().zip(deck).filter(|((_, own), _)| *own == kind);
    own.map(|(_, copies)| copies).sum()
}

/// Every deck that keeps the game's own rules.
fn decks() -> Vec<Deck> {
    let digits = |code: usize| std::array::from_fn(|at| (code / 4usize.pow(at as u32) % 4) as i64);
    let all = (0..4usize.pow(5)).map(digits);
    let legal = |deck: &Deck| {
        deck.iter().sum::<i64>() == 6 && of_kind(deck, "stone") >= 1 && of_kind(deck, "bird") <= 2
    };
    all.filter(legal).collect()
}

/// Hands of 2 of 6 that hold a tree and a bird, or an Ash, out of 15.
fn hands(deck: &Deck, goal: usize) -> i64 {
    match goal {
        0 => of_kind(deck, "tree") * of_kind(deck, "bird"),
        _ => 15 - (6 - deck[0]) * (5 - deck[0]) / 2,
    }
}
const GOALS: [&str; 2] = ["1+ [kind:tree] and 1+ [kind:bird]", "1+ \"Ash\""];

/// What a list says of a card: 0 of nothing, or so many copies, or so many points.
#[derive(Clone, Copy, Debug)]
enum Word {
    Most(usize, i64),
    Points(usize, i64),
}

fn keeps(deck: &Deck, list: &[Word], limit: i64) -> bool {
    let mut points = 0;
    for word in list {
        match *word {
            Word::Most(card, most) if deck[card] > most => return false,
            Word::Most(..) => {}
            Word::Points(card, each) => points += deck[card] * each,
        }
    }
    points <= limit
}

fn grove(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("formats/grove");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.yaml"), text).unwrap();
    let rows = CARDS.map(|(name, kind)| format!("{name},{kind}\n"));
    let cards = "name,kind\n".to_owned() + &rows.concat();
    std::fs::write(game.join("cards.csv"), cards).unwrap();
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    folder
}

fn write(folder: &Path, id: &str, list: &[Word], limit: i64) {
    let mut text = format!(
        "schema: decklaw/banlist/1\nid: {id}\ngame: grove\nname: {id}\neffective: 2026-01-01\n"
    );
    let name = |card: usize| CARDS[card].0;
    for word in list {
        if let Word::Most(card, 0) = word {
            if !text.contains("banned:") {
                text.push_str("banned:\n");
            }
            text.push_str(&format!("  - {}\n", name(*card)));
        }
    }
    for word in list {
        match word {
            Word::Most(card, most) if *most > 0 => {
                if !text.contains("restricted:") {
                    text.push_str("restricted:\n");
                }
                text.push_str(&format!("  - {{name: {}, copies: {most}}}\n", name(*card)));
            }
            _ => {}
        }
    }
    if list.iter().any(|word| matches!(word, Word::Points(..))) {
        text.push_str(&format!("points:\n  limit: {limit}\n  cards:\n"));
        for word in list {
            if let Word::Points(card, each) = word {
                text.push_str(&format!(
                    "    - {{name: {}, points: {each}}}\n",
                    name(*card)
                ));
            }
        }
    }
    std::fs::write(folder.join(format!("{id}.yaml")), text).unwrap();
}

fn lab(folder: &Path, arguments: &[&str]) -> Value {
    let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["banlist", "lab"])
        .args(arguments)
        .args(["--hand", "2", "-o", "json"])
        .env("DECKLAW_CONFIG", "no-configuration")
        .current_dir(folder)
        .output()
        .unwrap();
    let told = serde_json::from_slice(&ran.stdout);
    told.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}

/// Of every list its best odds, what each entry costs, what never binds and what fits no deck are
/// those of all decks counted out; and all of it is proven, but for some points.
#[test]
fn every_deck_of_a_small_game_agrees() {
    let folder = grove(GAME);
    let lists: [(&[Word], i64); 6] = [
        (&[Word::Most(0, 0)], 0),
        (&[Word::Most(0, 1), Word::Most(4, 3), Word::Most(2, 2)], 0),
        (&[Word::Most(2, 0), Word::Most(3, 0)], 0),
        (
            &[Word::Most(0, 2), Word::Points(1, 2), Word::Points(2, 1)],
            3,
        ),
        (&[Word::Most(1, 0), Word::Most(2, 1), Word::Most(3, 1)], 0),
        // Without Ash and Elm there is no legal deck at all.
        (&[Word::Most(0, 0), Word::Most(1, 0)], 0),
    ];
    let (mut costs, mut never, mut unknown, mut unfit) = (0, 0, 0, 0);
    for (list, limit) in lists {
        write(folder.path(), "own", list, limit);
        let told = lab(folder.path(), &["none", "own.yaml", GOALS[0], GOALS[1]]);
        let legal: Vec<Deck> = decks()
            .into_iter()
            .filter(|deck| keeps(deck, list, limit))
            .collect();
        for (side, of) in [("old", decks()), ("new", legal.clone())] {
            for goal in 0..2 {
                let best = of.iter().map(|deck| hands(deck, goal)).max();
                let own = &told[side]["best"][goal];
                match best {
                    None => assert!(own.is_null(), "{list:?}: {own}"),
                    Some(best) => {
                        let share = own["probability"].as_f64().unwrap();
                        assert!(
                            (share - best as f64 / 15.0).abs() < 1e-9,
                            "{list:?}: {best} {own}"
                        );
                        assert_eq!(own["optimal"], true);
                    }
                }
            }
        }
        let effects = told["new"]["effects"].as_array().unwrap();
        assert_eq!(effects.len(), list.len(), "{told}");
        // Entries stand banned first, then restricted, then with points.
        let mut order: Vec<Word> = list.to_vec();
        order.sort_by_key(|word| match word {
            Word::Most(_, 0) => 0,
            Word::Most(..) => 1,
            Word::Points(..) => 2,
        });
        for (at, effect) in effects.iter().enumerate() {
            let mut rest = order.clone();
            rest.remove(at);
            let freed: Vec<Deck> = decks()
                .into_iter()
                .filter(|deck| keeps(deck, &rest, limit))
                .collect();
            let binds = freed.iter().any(|deck| !keeps(deck, list, limit));
            match effect["binds"].as_bool() {
                Some(told) => assert_eq!(told, binds, "{order:?} {at}: {effect}"),
                None => unknown += 1,
            }
            never += usize::from(effect["binds"] == false);
            for goal in 0..2 {
                let before = legal.iter().map(|deck| hands(deck, goal)).max();
                let after = freed.iter().map(|deck| hands(deck, goal)).max();
                match (&effect["without"][goal], before, after) {
                    (Value::Null, before, after) => {
                        assert!(
                            before == after || after.is_none() || before.is_none(),
                            "{order:?} {at}: {effect}"
                        );
                    }
                    (more, before, Some(after)) => {
                        let share = more["probability"].as_f64().unwrap();
                        assert!(
                            (share - after as f64 / 15.0).abs() < 1e-9,
                            "{order:?} {at}: {effect}"
                        );
                        assert_eq!(more["optimal"], true);
                        costs += usize::from(before.is_some_and(|before| before < after));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        let told_unfit: Vec<&str> = told["new"]["unfit"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let fits = |card: usize| legal.iter().any(|deck| deck[card] > 0);
        let mut own: Vec<&str> = (0..5)
            .filter(|card| !fits(*card))
            .map(|card| CARDS[card].0)
            .collect();
        own.sort_unstable();
        assert_eq!(told_unfit, own, "{list:?}");
        unfit += own.len();
        assert_eq!(told["new"]["unsure"].as_array().map(Vec::len), Some(0));
    }
    assert!(
        costs >= 4 && never >= 2 && unknown <= 2 && unfit >= 4,
        "{costs} {never} {unknown} {unfit}"
    );
}

#[test]
fn lists_of_another_game_and_wrong_queries_are_refused() {
    for arguments in [
        ["vainqueur-sample-2026-01", "shell-sample-2026-01", "1+ []"],
        ["none", "vainqueur-sample-2026-07", "1+ [nonsense:x]"],
        ["none", "none", "1+ []"],
        // Without a query of one's own there is nothing that a turn is for.
        ["none", "vainqueur-sample-2026-07", "--turn=3"],
    ] {
        let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(["banlist", "lab"])
            .args(arguments)
            .env("DECKLAW_CONFIG", "no-configuration")
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty());
    }
}
