//! One name, one thing: a public type of the library is called as no other room's is.

use crate::source::{Source, Token, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Rooms that are told apart by what they are: no library names a type of theirs.
const FRONT_ENDS: [&str; 2] = ["cli", "serve"];

/// Words that format files use of a rule or a step; the type of its terms is called as they are.
const VOCABULARY: [&str; 2] = ["rules/", "matches/steps/"];

/// Names that rooms share with reason: each is the word of its field, nobody needs both in one
/// place, and the room before it tells them apart (`odds::Answer`, `matches::Answer`). The list
/// may only become shorter.
const SHARED: [&str; 21] = [
    // What is asked, what is given back, and what went in.
    "Answer",
    "Found",
    "Inputs",
    "Registered",
    "Remark",
    // Parts of a table on paper, on a screen, and of people at one.
    "Card",
    "Cell",
    "Column",
    "Layout",
    "Picture",
    "Row",
    "Sheet",
    "Table",
    // Parts of a game, of a deck of it and of a table where it is played.
    "Choices",
    "Entry",
    "Section",
    "Step",
    "Terms",
    "Value",
    "Zone",
    "Zones",
];

/// The public types of a file.
fn types(source: &Source) -> Vec<&str> {
    let word = |at: usize| match source.tokens.get(at) {
        Some(Token::Word(word)) => word.as_str(),
        _ => "",
    };
    let kinds = ["struct", "enum", "trait", "type", "union"];
    let found = (0..source.tokens.len())
        .filter(|at| word(*at) == "pub" && kinds.contains(&word(at + 1)))
        .map(|at| word(at + 2));
    found.collect()
}

#[test]
fn a_name_is_that_of_one_public_type() {
    let sources = sources();
    let mut named: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in &sources {
        let room = source.module.first().map_or("", String::as_str);
        let vocabulary = VOCABULARY.iter().any(|room| source.name.starts_with(room));
        if !FRONT_ENDS.contains(&room) && !vocabulary {
            for name in types(source) {
                named.entry(name).or_default().insert(&source.name);
            }
        }
    }
    assert!(named.len() > 300, "{}", named.len());
    let shared: Vec<&str> = named
        .iter()
        .filter(|(_, files)| files.len() > 1)
        .map(|(name, _)| *name)
        .collect();
    let mut allowed = SHARED;
    allowed.sort_unstable();
    let files: Vec<_> = shared.iter().map(|name| (name, &named[name])).collect();
    assert_eq!(shared, allowed, "{files:?}");
}

#[test]
fn public_types_are_found() {
    let text = "pub struct A<'a>(&'a str); pub(crate) enum B {} pub trait C: Sized {} struct D; \
                pub type E = A<'static>; impl A<'_> { pub const fn f() {} }";
    let source = Source {
        name: String::new(),
        module: Vec::new(),
        tokens: crate::source::tokens(text),
    };
    assert_eq!(types(&source), ["A", "C", "E"]);
}
