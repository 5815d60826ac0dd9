//! The cases of `tests/cases`: a file a game, in which each case is a deck below a line `=== NAME`.

/// The games that have cases.
pub(crate) const GAMES: [&str; 6] = [
    "grove",
    "shell",
    "vainqueur",
    "vanquishers",
    "vastrix",
    "versus",
];

/// The cases of a game, by `GAME/NAME`.
pub(crate) fn of_game(game: &str) -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/cases").join(game).with_extension("txt");
    let text = std::fs::read_to_string(path).expect("cases are text");
    let cases = text.split("=== ").skip(1).map(|case| {
        let (name, deck) = case.split_once('\n').expect("a deck below its name");
        (format!("{game}/{name}"), deck.to_owned())
    });
    cases.collect()
}

/// The text of a deck: `decks/…` is a file, and `GAME/NAME` a case.
#[allow(dead_code)]
pub(crate) fn text(named: &str) -> String {
    if named.starts_with("decks/") {
        return std::fs::read_to_string(named).expect("a deck is text");
    }
    let (game, _) = named.split_once('/').expect("a game");
    let mut cases = of_game(game).into_iter();
    let (_, text) = cases.find(|(name, _)| name == named).expect("a case");
    text
}
