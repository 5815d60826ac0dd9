//! YAML files of decklaw's own: read strictly, with places, and with limits on hostile ones.

use crate::text::Span;
use serde::de::DeserializeOwned;
pub use serde_yaml::Spanned;

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

/// The bytes of a spanned value.
pub fn span<T>(value: &Spanned<T>) -> Span {
    bytes_of(&value.referenced)
}

fn bytes_of(location: &serde_yaml::Location) -> Span {
    let span = location.span();
    match (span.byte_offset(), span.byte_len()) {
        (Some(start), Some(length)) => {
            let start = usize::try_from(start).unwrap_or(0);
            Span::new(start, start + usize::try_from(length).unwrap_or(0))
        }
        _ => Span::default(),
    }
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
            max_documents: 1,
        },
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let span = error
            .location()
            .map(|location| bytes_of(&location))
            .unwrap_or_default();
        let end = span.end.min(text.len());
        let span = Span::new(span.start.min(end), end);
        let message = error.without_snippet().to_string();
        Problem::new(plain(&message), span)
    })
}

/// The message without the place that the reader appends: the span says it.
fn plain(message: &str) -> &str {
    let start = message.find(" at line ").unwrap_or(message.len());
    message[..start].trim_end_matches(':')
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
        let span = span(&sample.items[1]);
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
