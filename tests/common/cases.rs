//! The cases of `tests/cases`: a file a game, in which each case is a deck below a line `=== NAME`.
//! Below `# of: OTHER` a case is its comments and the lines by which it differs from an earlier
//! case:
//! `- line` is taken out, `+ line` comes in, and `  line` is a line that stays before them. Cases of the
//! example games may differ from one of their sample decks.

/// The games that have cases.
pub(crate) const GAMES: [&str; 6] =
    ["grove", "shell", "vainqueur", "vanquishers", "vastrix", "versus"];

/// The example games, whose files are in `examples`.
pub(crate) const EXAMPLES: [&str; 2] = ["netrunner", "yugioh"];

/// The cases of a game, by `GAME/NAME`.
pub(crate) fn of_game(game: &str) -> Vec<(String, String)> {
    let path = super::root().join("tests/cases").join(game).with_extension("txt");
    let text = std::fs::read_to_string(path).expect("cases are text");
    let mut cases: Vec<(String, String)> = Vec::new();
    for case in text.split("=== ").skip(1) {
        let (name, deck) = case.split_once('\n').expect("a deck below its name");
        let deck = match deck.strip_prefix("# of: ") {
            Some(edits) => {
                let (other, edits) = edits.split_once('\n').expect("edits below the name");
                let sample = format!("examples/games/decks/{game}/{other}.txt");
                let other = format!("{game}/{other}");
                let base = cases.iter().find(|(name, _)| *name == other);
                let base = base.map_or_else(
                    || std::fs::read_to_string(super::root().join(sample)).expect(&other),
                    |(_, text)| text.clone(),
                );
                edited(&base, edits)
            }
            None => deck.to_owned(),
        };
        cases.push((format!("{game}/{name}"), deck));
    }
    cases
}

/// A deck with the comments and the changes of another case.
fn edited(base: &str, edits: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("# ");
    let mut lines: Vec<&str> = edits.lines().take_while(is_comment).collect();
    let mut base = base.split('\n').skip_while(is_comment);
    for edit in edits.lines().skip_while(is_comment) {
        let (sign, line) = edit.split_at_checked(2).unwrap_or((edit, ""));
        if sign.starts_with('+') {
            lines.push(line);
            continue;
        }
        loop {
            let next = base.next().unwrap_or_else(|| panic!("no line `{line}` in the base"));
            if next != line {
                lines.push(next);
                continue;
            }
            if sign.starts_with(' ') {
                lines.push(next);
            }
            break;
        }
    }
    lines.extend(base);
    lines.join("\n")
}

/// The text of a deck: `decks/…` is a file, and `GAME/NAME` a case.
pub(crate) fn text(named: &str) -> String {
    if named.starts_with("decks/") {
        return std::fs::read_to_string(named).expect("a deck is text");
    }
    let (game, _) = named.split_once('/').expect("a game");
    let mut cases = of_game(game).into_iter();
    let (_, text) = cases.find(|(name, _)| name == named).expect("a case");
    text
}
