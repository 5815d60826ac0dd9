//! Words that belong to one room alone.

use crate::source::{Token, sources};

/// Where a text names an option: `--` before a letter, at the beginning of a word.
fn option(text: &str) -> Option<&str> {
    let at = text.match_indices("--").map(|(at, _)| at).find(|at| {
        let (before, after) = (text[..*at].chars().next_back(), &text[at + 2..]);
        let word = after
            .chars()
            .next()
            .is_some_and(|next| next.is_ascii_lowercase());
        word && !before.is_some_and(|last| last.is_alphanumeric() || last == '-')
    })?;
    let end = text[at..].find(|c: char| !(c.is_ascii_lowercase() || c == '-'));
    Some(&text[at..end.map_or(text.len(), |end| at + end)])
}

/// What would mend an error is a `Remedy`, which the command line words with its options and a
/// page with its fields.
#[test]
fn the_library_names_no_option_of_the_command_line() {
    assert_eq!(
        option("say which, with `--columns deck=X`"),
        Some("--columns")
    );
    assert_eq!(option("use --hand"), Some("--hand"));
    assert_eq!(option("--- a rule, and non--existent"), None);
    let sources = sources();
    let (mut library, mut front) = (Vec::new(), 0);
    for source in &sources {
        let is_front = ["cli", "serve"]
            .iter()
            .any(|room| source.module.first().is_some_and(|own| own == room));
        for token in &source.tokens {
            let Token::Text(text) = token else { continue };
            let Some(option) = option(text) else { continue };
            match is_front {
                true => front += 1,
                false => library.push(format!("{}: {option}", source.name)),
            }
        }
    }
    assert!(
        front > 20,
        "what is looked for is found where it belongs: {front}"
    );
    assert!(library.is_empty(), "{}", library.join("\n"));
}
