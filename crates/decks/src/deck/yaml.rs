//! Decks in YAML.

use super::tree::{DEEPEST, MOST_VALUES};
use super::{LARGEST_FILE, SyntaxError, quoted};
use decklaw_text::yaml::{Node, place_of};
use serde_yaml::options::DuplicateKeyPolicy;
use serde_yaml::{Error, MergeKeyPolicy, NonFiniteFloatPolicy, Options};

/// The document's values and their places.
pub(super) fn document(source: &str) -> Result<Node<'_>, Vec<SyntaxError>> {
    decklaw_text::yaml::document(source, limits()).map_err(|error| vec![no_yaml(source, &error)])
}

/// What a deck may ask of the parser. A deck of a thousand different cards has some 4,000
/// values on four levels; an anchor or two may share a list. What is replayed from anchors
/// is copied, so that little of it is allowed.
fn limits() -> Options {
    let budget = serde_yaml::budget! {
        max_events: 2 * MOST_VALUES,
        max_nodes: MOST_VALUES,
        max_depth: DEEPEST,
        flow_nesting_limit: DEEPEST,
        max_documents: 2,
        max_aliases: 100,
        max_anchors: 100,
        max_recorded_anchor_events: 10_000,
        max_recorded_anchor_bytes: 1 << 16,
        max_total_scalar_bytes: usize::try_from(LARGEST_FILE).unwrap_or(usize::MAX),
    };
    serde_yaml::options! {
        budget: budget,
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: 1_000,
            max_replay_stack_depth: 4,
        },
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    }
}

fn no_yaml(source: &str, error: &Error) -> SyntaxError {
    let span = place_of(error, source);
    let (message, help) = match error {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_ref().map_or(String::new(), |key| format!(" {}", quoted(key)));
            (format!("The key{key} is given twice."), "Keep one of the two.")
        }
        Error::MultipleDocuments { .. } => {
            ("A second document begins here.".to_owned(), "Keep one deck in a file.")
        }
        Error::Budget { .. } => (
            format!(
                "This YAML is larger or deeper than any deck ({MOST_VALUES} values, {DEEPEST} levels)."
            ),
            "A deck is a mapping from sections to lists of cards.",
        ),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => {
            ("The aliases of this YAML unfold into too much.".to_owned(), "Write the cards out.")
        }
        Error::MergeKeyNotAllowed { .. } => {
            ("A deck has no merge keys (`<<`).".to_owned(), "Write the cards out.")
        }
        _ => {
            let (message, help) = decklaw_text::yaml::message(error, source);
            return SyntaxError::at(source, span, sentence(&message), sentence(help));
        }
    };
    SyntaxError::at(source, span, message, help)
}

/// Words as a sentence of its own.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}{}.", first.collect::<String>(), letters.as_str())
}
