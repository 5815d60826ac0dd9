//! YAML files of decklaw's own: read strictly, with places, and with limits on hostile ones.

mod node;
mod typed;

pub(crate) use node::{Node, Value, document, span_of};
pub use typed::Spanned;

use crate::text::Span;
use serde::de::DeserializeOwned;
use serde_yaml::{Error, MessageFormatter, UserMessageFormatter};

/// Something wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong and what would mend it.
    pub message: String,
    /// The bytes of the file to blame.
    pub span: Span,
}

impl Problem {
    /// A problem at a place.
    pub fn new(message: impl Into<String>, span: Span) -> Problem {
        Problem {
            message: message.into(),
            span,
        }
    }
}

/// A file that cannot be used: its name, its text, and everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot be used: {}", first(problems))]
pub struct FileError {
    /// The file's name as shown.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// What is wrong, in the order of the file.
    pub problems: Vec<Problem>,
}

fn first(problems: &[Problem]) -> &str {
    problems
        .first()
        .map_or("it is empty", |problem| problem.message.as_str())
}

/// Reads one YAML document. Duplicate keys, alias bombs, deep nesting and more than 100,000
/// nodes are refused.
///
/// # Errors
/// What is wrong and where; one problem, since a reader stops at the first.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_nodes: 100_000,
            max_depth: 32,
            max_documents: 2,
        },
        with_snippet: false,
    };
    let document = document(text, options).map_err(|error| {
        let location = error.location();
        let span = location.map_or(Span::default(), |location| span_of(&location, text));
        Problem::new(said(error.without_snippet()), span)
    })?;
    typed::of(&document)
}

/// What the parser complains of.
fn said(error: &Error) -> String {
    match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key `{key}` is given twice")
        }
        Error::MultipleDocuments { .. } => "a second document begins here".to_owned(),
        Error::Budget { .. } => "this YAML is larger or deeper than it may be".to_owned(),
        _ => {
            let said = UserMessageFormatter.format_message(error);
            format!("this is not YAML: {}", said.trim_end_matches('.'))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        name: Spanned<String>,
        #[serde(default)]
        items: Vec<Spanned<i64>>,
    }

    #[test]
    fn values_know_their_bytes() {
        let text = "name: \"caf\u{e9}\"\nitems: [1, 22]\n";
        let sample: Sample = read(text).unwrap();
        assert_eq!(sample.name.value, "caf\u{e9}");
        let span = sample.items[1].span;
        assert_eq!(&text[span.start..span.end], "22");
    }

    #[test]
    fn problems_have_a_place() {
        for (text, at) in [
            ("name: a\nnmae: b\n", "nmae"),
            ("name: a\nitems: [1, x]\n", "x"),
            ("name: a\nname: b\n", "name"),
        ] {
            let problem = read::<Sample>(text).unwrap_err();
            assert!(
                text[problem.span.start..].starts_with(at),
                "{text}: {problem:?}"
            );
        }
    }

    #[test]
    fn bombs_and_towers_are_refused() {
        let tower = format!("name: {}{}", "[".repeat(5000), "]".repeat(5000));
        assert!(read::<Sample>(&tower).is_err());
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let inner = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
        }
        assert!(read::<std::collections::BTreeMap<String, serde::de::IgnoredAny>>(&bomb).is_err());
    }
}
