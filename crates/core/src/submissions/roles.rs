//! What columns of a form hold, and how people call them.

use crate::name::fold;

/// The roles, what whoever names columns calls them, and the plain names of their columns. The names of
/// a later list count only where the header has none of an earlier one.
pub(super) const ROLES: [(&str, &[&[&str]]); 5] = [
    (
        // Who hands the deck in.
        "player",
        &[
            &["player", "player name", "name", "your name", "full name"],
            &["email address", "email"],
        ],
    ),
    (
        // What tells players of one name apart: an address, a number of membership.
        "id",
        &[
            &[
                "player id",
                "player number",
                "member id",
                "member number",
                "membership id",
                "membership number",
                "dci",
                "dci number",
            ],
            &[
                "email address",
                "email",
                "e-mail address",
                "e-mail",
                "mail address",
                "username",
            ],
        ],
    ),
    (
        // The deck, or the file where it is.
        "deck",
        &[&[
            "deck",
            "decklist",
            "deck list",
            "your deck",
            "your decklist",
            "list",
            "deck file",
        ]],
    ),
    (
        // When it was handed in.
        "time",
        &[
            &[
                "timestamp",
                "time",
                "submitted",
                "submitted at",
                "completion time",
            ],
            &["date"],
        ],
    ),
    (
        // Which format it is for.
        "format",
        &[&["format"], &["game", "division"]],
    ),
];

/// What whoever names columns calls those of choices.
pub(super) const CHOICE: &str = "choice";
/// The plain names of columns whose cells declare choices.
pub(super) const CHOICES: [&str; 3] = [CHOICE, "choices", "declares"];

/// The place of [`Role::Deck`] in [`ROLES`], and that of [`Role::Identity`].
pub(super) const DECK: usize = 2;
pub(super) const IDENTITY: usize = 1;

/// Words around what a form's question asks for: `What is your name?`, `Paste your deck here`.
const AROUND: [&str; 39] = [
    "a", "add", "an", "and", "are", "below", "box", "choose", "copy", "do", "enter", "fill", "for",
    "give", "here", "in", "into", "is", "it", "me", "paste", "please", "playing", "post", "put",
    "select", "tell", "the", "this", "type", "upload", "us", "what", "what's", "which", "will",
    "write", "you", "your",
];

/// What a column's name asks for, folded: a question without the words around, and without what
/// stands in brackets. `Your side deck (one card a line)?` asks for `side deck`.
pub(super) fn asked_for(name: &str) -> String {
    let folded = fold(name);
    let mut plain = String::new();
    let mut inside = 0_usize;
    for letter in folded.chars() {
        match letter {
            '(' | '[' => inside += 1,
            ')' | ']' => inside = inside.saturating_sub(1),
            '?' | ':' | '*' | '!' | '.' | ',' => plain.push(' '),
            '\u{2019}' if inside == 0 => plain.push('\''),
            other if inside == 0 => plain.push(other),
            _ => {}
        }
    }
    let words = plain.split_whitespace();
    let words = words.filter(|word| !AROUND.contains(word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::asked_for;

    #[test]
    fn questions_ask_for_what_is_left_without_the_words_around() {
        for (question, thing) in [
            ("What is your name?", "name"),
            ("Your side deck (one card a line):", "side deck"),
            ("Paste your DECKLIST here *", "decklist"),
            ("Which format will you play", "format play"),
            ("Name of your deck", "name of deck"),
            ("Deck", "deck"),
            ("Who are you?", "who"),
            ("(optional)", ""),
        ] {
            assert_eq!(asked_for(question), thing, "{question}");
        }
    }
}
