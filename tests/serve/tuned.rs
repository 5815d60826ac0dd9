//! The best exchange for a hand, as the page asks for it, against every exchange of a small deck.

use super::lasting::serve;
use super::support::Browser;
use serde_json::{Value, json};

const GAME: &str = "schema: decklaw/format/1
game: grove
name: Grove
text: none
fields:
  - {name: kind, kind: word, values: [tree, bird, stone]}
sections: [{id: main, name: main deck, shuffled: true}]
formats: [{id: grove, name: Grove}]
rules:
  - {id: size, source: s, about: a, must: {size: {sections: [main], exactly: 10}}}
  - {id: copies, source: s, about: a, must: {copies: {sections: [main], max: 3}}}
  - {id: stones, source: s, about: a, demand: 'main [kind:stone] >= 2'}
";
const CARDS: [(&str, &str); 6] = [
    ("Ash", "tree"),
    ("Elm", "tree"),
    ("Rook", "bird"),
    ("Wren", "bird"),
    ("Flint", "stone"),
    ("Slate", "stone"),
];

/// Ways to choose so many of some.
fn choose(of: i64, some: i64) -> i64 {
    match (0..=of).contains(&some) {
        true => (0..some).fold(1, |ways, at| ways * (of - at) / (at + 1)),
        false => 0,
    }
}

fn of_kind(deck: &[i64; 6], kind: &str) -> i64 {
    let own = CARDS.iter().zip(deck).filter(|((_, own), _)| *own == kind);
    own.map(|(_, copies)| copies).sum()
}

/// Hands of 3 of 10 that hold a tree and a bird, out of 120.
fn hands(deck: &[i64; 6]) -> i64 {
    let (trees, birds) = (of_kind(deck, "tree"), of_kind(deck, "bird"));
    let others = 10 - trees - birds;
    let mut ways = 0;
    for tree in 1..=3 {
        for bird in 1..=3 - tree {
            ways += choose(trees, tree) * choose(birds, bird) * choose(others, 3 - tree - bird);
        }
    }
    ways
}

fn is_legal(deck: &[i64; 6]) -> bool {
    deck.iter().sum::<i64>() == 10
        && deck.iter().all(|copies| (0..=3).contains(copies))
        && of_kind(deck, "stone") >= 2
}

fn ask(browser: &mut Browser, deck: &[i64; 6], query: &str) -> Value {
    let lines = CARDS.iter().zip(deck).filter(|(_, copies)| **copies > 0);
    let lines: Vec<String> = lines
        .map(|((name, _), copies)| format!("{copies} {name}"))
        .collect();
    let ask = json!({
        "format": "grove",
        "deck": {"format": "grove", "sections": {"main": lines}},
        "queries": [query],
        "changes": 1,
    });
    browser.ask("tune", &ask).json()
}

#[test]
fn the_best_exchange_of_the_page_is_that_of_all_exchanges() {
    let data = tempfile::tempdir().unwrap();
    let game = data.path().join("grove");
    std::fs::create_dir(&game).unwrap();
    std::fs::write(game.join("game.yaml"), GAME).unwrap();
    std::fs::write(game.join("odds.yaml"), "section: main\nhand: [3]\n").unwrap();
    let cards = CARDS.map(|(name, kind)| format!("{name},{kind}\n"));
    std::fs::write(
        game.join("cards.csv"),
        format!("name,kind\n{}", cards.concat()),
    )
    .unwrap();
    // The configuration folder of this server, with the game in it.
    let configuration = data.path().join("none");
    std::fs::create_dir(&configuration).unwrap();
    let own = format!("formats: [{}]\n", data.path().display());
    std::fs::write(configuration.join("decklaw.yaml"), own).unwrap();
    let (_process, address, _) = serve(data.path(), &[]);
    let mut browser = Browser::new(address);
    let query = "1+ [kind:tree] and 1+ [kind:bird]";
    let (mut better, mut best_already) = (0, 0);
    for deck in [
        [3, 3, 1, 0, 3, 0],
        [1, 0, 3, 3, 3, 0],
        [2, 2, 2, 2, 1, 1],
        [1, 1, 1, 1, 3, 3],
        [3, 0, 3, 2, 2, 0],
    ] {
        assert!(is_legal(&deck));
        let mut most = hands(&deck);
        for (out, into) in (0..6).flat_map(|out| (0..6).map(move |into| (out, into))) {
            let mut other = deck;
            other[out] -= 1;
            other[into] += 1;
            if is_legal(&other) {
                most = most.max(hands(&other));
            }
        }
        let told = ask(&mut browser, &deck, query);
        let number = |told: &Value| (told["probability"].as_f64().unwrap() * 120.0).round() as i64;
        assert_eq!(number(&told["before"]), hands(&deck), "{told}");
        let step = &told["steps"][0];
        assert_eq!(number(step), most, "{deck:?} {told}");
        assert_eq!(step["optimal"], true);
        let mut after = deck;
        for change in step["changes"].as_array().unwrap() {
            let at = CARDS
                .iter()
                .position(|(name, _)| change["card"] == *name)
                .unwrap();
            assert_eq!(change["from"], after[at]);
            after[at] = change["to"].as_i64().unwrap();
        }
        assert!(is_legal(&after) && hands(&after) == most, "{told}");
        match most > hands(&deck) {
            true => better += 1,
            false => best_already += 1,
        }
    }
    assert!(better > 1 && best_already > 0, "{better} {best_already}");
    // Of a deck that is not legal the nearest legal one is tuned; what cannot be asked says why.
    let illegal = ask(&mut browser, &[3, 3, 3, 0, 0, 0], query);
    assert!(illegal["repaired"]["distance"].is_number(), "{illegal}");
    let wrong = ask(&mut browser, &[2, 2, 2, 2, 1, 1], "1+ [kind:tre");
    assert!(
        wrong["message"].as_str().unwrap().contains("bracket"),
        "{wrong}"
    );
    let none = ask(&mut browser, &[2, 2, 2, 2, 1, 1], "sum(kind)");
    assert_eq!(none["kind"], "query", "{none}");
}
