//! YAML files of decklaw: read strictly, with places, and within limits.

mod built_in;
mod messages;
mod node;
mod spanned;
mod typed;

pub use messages::{message, place_of};
pub use node::document;
pub use node::{Node, Value};
pub use spanned::Spanned;

use crate::text::Span;
use serde::de::DeserializeOwned;
use serde_yaml::Error;

/// A problem of a file and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong and what to do.
    pub message: String,
    /// The bytes of the file that the problem is about.
    pub span: Span,
    /// For a problem in the text of a scalar: the text, and the bytes in the text.
    within: Option<(String, Span)>,
}

impl Problem {
    /// A problem at a place.
    pub fn new(message: impl Into<String>, span: Span) -> Problem {
        Problem { message: message.into(), span, within: None }
    }

    /// A problem at a place in the text of a scalar.
    pub fn within(message: impl Into<String>, scalar: &Spanned<String>, place: Span) -> Problem {
        Problem {
            within: Some((scalar.value.clone(), place)),
            ..Problem::new(message, scalar.span)
        }
    }

    /// Moves a problem in a scalar to its own place in the file, if the file has the text as it is:
    /// on one line, perhaps behind a quotation mark, without escapes.
    pub fn placed(self, source: &str) -> Problem {
        let Some((text, place)) = self.within else {
            return self;
        };
        let start = |skipped: &usize| {
            let rest = source.get(self.span.start + skipped..);
            rest.is_some_and(|rest| rest.starts_with(&text))
        };
        let inside = place.start <= place.end && place.end <= text.len();
        let span = match (0..=1).find(start) {
            Some(skipped) if inside => {
                let from = self.span.start + skipped;
                Span::new(from + place.start, from + place.end)
            }
            _ => self.span,
        };
        Problem { message: self.message, span, within: None }
    }

    /// A problem of a query in the file.
    pub fn in_query(query: &Spanned<String>, message: &str) -> Problem {
        let text = query.value.trim();
        Problem::new(format!("in the query `{text}`: {message}"), query.span)
    }
}

/// A file that cannot be used, with all its problems.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot be used: {}", first(problems))]
pub struct FileError {
    /// The file's name as shown.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// The problems, in the order of the file.
    pub problems: Vec<Problem>,
}

impl FileError {
    /// A file with its problems.
    pub fn of(name: &str, text: &str, problems: Vec<Problem>) -> FileError {
        let placed = problems.into_iter().map(|problem| problem.placed(text));
        FileError { name: name.to_owned(), text: text.to_owned(), problems: placed.collect() }
    }
}

/// Returns the UTF-8 text of a file without its byte order mark.
///
/// # Errors
/// Bytes that are not UTF-8. The text of the error ends before them.
pub fn text_of<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, FileError> {
    let bytes = crate::text::without_bom(bytes);
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let read = bytes.get(..at).unwrap_or_default();
    let end = Span::new(at, at);
    let message = format!("this is not UTF-8; {}", crate::text::SAVE_AS_UTF8);
    Err(FileError {
        name: name.to_owned(),
        text: std::str::from_utf8(read).unwrap_or_default().to_owned(),
        problems: vec![Problem::new(message, end)],
    })
}

fn first(problems: &[Problem]) -> &str {
    problems.first().map_or("it is empty", |problem| problem.message.as_str())
}

/// Reads one YAML document.
///
/// # Errors
/// The first problem: a value that does not fit, a duplicate key, an alias bomb, deep nesting, or
/// more than 100,000 nodes.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    typed::of(&tree(text)?)
}

/// Reads the values of one YAML document.
///
/// # Errors
/// As [`read`].
pub fn tree(text: &str) -> Result<Node<'_>, Problem> {
    // A published page must be small.
    if cfg!(not(target_family = "wasm"))
        && let Some(tree) = built_in::tree(text)
    {
        return Ok(tree);
    }
    parsed(text)
}

fn parsed(text: &str) -> Result<Node<'_>, Problem> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_nodes: 100_000,
            max_depth: 32,
            max_documents: 2,
        },
        with_snippet: false,
    };
    document(text, options).map_err(|error| {
        let span = place_of(&error, text);
        Problem::new(parser_message(error.without_snippet(), text), span)
    })
}

/// The message for an error of the parser.
fn parser_message(error: &Error, text: &str) -> String {
    match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key `{key}` is given twice")
        }
        Error::MultipleDocuments { .. } => "a second document begins here".to_owned(),
        Error::Budget { .. } => "this YAML is larger or deeper than it may be".to_owned(),
        _ => {
            let (message, help) = message(error, text);
            format!("{message}; {help}")
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

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Plain,
        Named(String),
        Sized { least: u8 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Any {
        Flag(bool),
        Number(i64),
        Word(String),
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct All {
        kind: Kind,
        #[serde(default)]
        any: Vec<Any>,
        #[serde(default)]
        pair: Option<[i8; 2]>,
        #[serde(default)]
        flag: bool,
        #[serde(default)]
        word: String,
    }

    #[test]
    fn scalars_are_what_is_asked_for() {
        let all = |text: &str| read::<All>(text).unwrap();
        assert_eq!(all("kind: plain").kind, Kind::Plain);
        assert_eq!(all("kind: {named: 7}").kind, Kind::Named("7".to_owned()));
        let sized = all("kind: {sized: {least: 255}}\npair: [-1, 2]\nflag: yes");
        assert_eq!(sized.kind, Kind::Sized { least: 255 });
        assert_eq!((sized.pair, sized.flag), (Some([-1, 2]), true));
        let word = |text: &str| all(&format!("kind: plain\nword: {text}")).word;
        for text in ["1984", "No", "0x1F", "1.50", "Null"] {
            assert_eq!(word(text), text);
        }
        assert_eq!(word("'~'"), "~");
        let any = all("kind: plain\nany: [true, 3, '3', 'true', x, 1.5]\npair: ~").any;
        let text = |text: &str| Any::Word(text.to_owned());
        let rest = ["3", "true", "x", "1.5"].map(text);
        assert_eq!(any[..2], [Any::Flag(true), Any::Number(3)]);
        assert_eq!(any[2..], rest);
        assert!(all("kind: plain\nany:\n").any.is_empty(), "nothing yet");
    }

    /// A file (`¶` ends a line), where the problem begins, and what the message says.
    const MISFITS: &str = "
         =>  => the key `kind` is missing
        - a => - a => this is a list, and must be a mapping: keys with their values
        kind: plian => plian => did you mean `plain`? (there are `plain`, `named` and `sized`)
        kind: {plain: 1} => 1 => this word takes no value
        kind: {plain: ~} => ~ => this word takes no value
        kind: named => named => this needs a value, as in `key: value`
        kind: sized => sized => this needs a value, as in `key: value`
        kind: {sized: {least: 256}} => 256 => the number `256` is too large or too small
        kind: {sized: {least: few}} => few => this is `few`, and must be a whole number
        kind: {named: a, sized: b} => {named => this is a mapping of several keys
        kind: plain¶pair: [1] => [1] => this is a list, and must be a list of 2
        kind: plain¶flag: maybe => maybe => this is `maybe`, and must be `true` or `false`
        kind: plain¶word: [a] => [a] => this is a list, and must be a string
        kind: plain¶flag: true¶flag: no => flag: no => the key `flag` is given twice
        kind: plain¶wrod: a => wrod => there is no key `wrod` here; did you mean `word`?
        {kind: plain, word: it leads, and follows} => and follows => in quotation marks
        kind: plain¶---¶kind: plain => kind: plain => a second document begins here";

    #[test]
    fn misfits_have_a_place_and_a_plain_message() {
        for case in MISFITS.lines().skip(1) {
            let [text, at, message] = case.splitn(3, " => ").collect::<Vec<_>>()[..] else {
                panic!("{case}");
            };
            let text = text.trim().replace('¶', "\n");
            let problem = read::<All>(&text).unwrap_err();
            assert!(problem.message.contains(message), "{case}: {problem:?}");
            assert!(text[problem.span.start..].starts_with(at), "{case}: {problem:?}");
        }
        let long = format!("kind: {}", "x".repeat(1 << 20));
        assert!(read::<All>(&long).unwrap_err().message.len() < 300);
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
