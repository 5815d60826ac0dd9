//! Errors of the parser for people who have never seen YAML: what is wrong with the line, and what
//! to write instead.

use crate::text::{Span, escape_control};
use serde_yaml::granit_parser::ErrorKind;
use serde_yaml::{Error, ExternalMessageSource, MessageFormatter, UserMessageFormatter};

/// The problem, without a full stop, and what to write instead.
pub(crate) type Message = (String, &'static str);

const QUOTE: &str = "put the value in quotation marks, as in `name: \"Mara: the Blade\"`";
const PAIR: &str = "a line is `key: value`, with a space behind the colon, or `- entry`";
const ALIGN: &str = "let lines that belong together begin in the same column, with spaces, and what belongs to a key two columns further right";
const CLOSE_BRACKET: &str =
    "close what is open, and put a comma between entries, as in `[one, two]` or `{key: value}`";
const CLOSE_OR_QUOTE: &str = "close what is open, put a comma between entries, and text with a colon in quotation marks, as in `because: \"one: two\"`";
const CLOSE_QUOTES: &str = "put a quotation mark at both ends of the value and nothing behind it; one within is written `\\\"`";
const BACKSLASH: &str = "write `\\\\` for a backslash, or put the value in single quotation marks";

/// Explains an error of the parser; `source` is the whole text.
pub fn message(error: &Error, source: &str) -> Message {
    match error {
        Error::UnknownAnchor { .. } => (
            "a value that begins with `*` repeats another one, and no `&` names that".to_owned(),
            "put the value in quotation marks; an entry of a list begins with `- `",
        ),
        Error::UnsupportedTag { tag, .. } => (
            format!(
                "a value that begins with `!` names a type, and `{}` is none",
                escape_control(tag, false)
            ),
            "put the value in quotation marks",
        ),
        Error::ExternalMessage { source: by, .. } => match by.as_ref() {
            ExternalMessageSource::Parser(wrong) => {
                let line = source.lines().nth(wrong.marker().line().saturating_sub(1));
                let before = source.get(..place_of(error, source).start);
                let text = (before.unwrap_or_default(), line.unwrap_or_default());
                of_kind(wrong.kind(), text).unwrap_or_else(|| other(error))
            }
            _ => other(error),
        },
        _ => other(error),
    }
}

/// Returns the place of an error. Of syntax errors the parser reports only line and column.
pub fn place_of(error: &Error, source: &str) -> Span {
    let Some(location) = error.location() else {
        return Span::default();
    };
    if location.span().byte_offset().is_some() {
        let place = super::node::span_of(&location, source);
        return before_tab(error, place, source);
    }
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    let (row, column) = (number(location.line()), number(location.column()));
    let before = source.split_inclusive('\n').take(row).map(str::len).sum();
    let line = source.get(before..).unwrap_or_default();
    let line = line.split('\n').next().unwrap_or_default();
    let inside = line.char_indices().nth(column);
    let at = before + inside.map_or(line.len(), |(at, _)| at);
    before_tab(error, Span::new(at, at), source)
}

/// Returns the place of the tab, if a tab is the error: the parser may report the line above.
fn before_tab(error: &Error, reported: Span, source: &str) -> Span {
    let is_tab = match error {
        Error::ExternalMessage { source: by, .. } => match by.as_ref() {
            ExternalMessageSource::Parser(wrong) => is_tab(wrong.kind()),
            _ => false,
        },
        _ => false,
    };
    let (before, rest) = source.split_at_checked(reported.start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let here = before[line..].rfind('\t').map(|tab| line + tab);
    let next = || rest.find('\t').map(|tab| reported.start + tab);
    match here.or_else(next).filter(|_| is_tab) {
        Some(tab) => Span::new(tab, tab + 1),
        None => reported,
    }
}

/// Whether a tab is the error.
fn is_tab(kind: &ErrorKind) -> bool {
    use ErrorKind as Kind;
    matches!(
        kind,
        Kind::TabNotAllowed
            | Kind::TabInBlockIndentation
            | Kind::TabInIndentation
            | Kind::TabInPlainScalar
            | Kind::TabAtBlockScalarStart
            | Kind::InvalidBlockEntryWhitespace
    )
}

/// Whether a bracket stays open.
fn is_open(text: &str) -> bool {
    let count = |mark: char| text.matches(mark).count();
    count('[') > count(']') || count('{') > count('}')
}

/// The message for an error without one of its own.
fn other(error: &Error) -> Message {
    let message = UserMessageFormatter.format_message(error);
    let message = escape_control(message.trim_end_matches('.'), false);
    (format!("this cannot be read as YAML: {message}"), PAIR)
}

/// The message for a syntax error; `before` is the text before it.
fn of_kind(kind: &ErrorKind, (before, line): (&str, &str)) -> Option<Message> {
    use ErrorKind as Kind;
    let (message, help) = match kind {
        Kind::MappingValueNotAllowed
        | Kind::InvalidColonPlacement
        | Kind::MappingKeyNotAllowed
        | Kind::FlowMappingValueAdjacentCollection
        | Kind::InvalidMappingValueWhitespace => {
            let colons = line.matches(':').count();
            let one =
                line.matches(": ").count() < 2 && !(line.trim_end().ends_with(':') && colons > 1);
            if is_open(before) {
                ("a bracket before here is not closed, or a comma is missing", CLOSE_BRACKET)
            } else if one {
                ("this line begins further right than it may", ALIGN)
            } else {
                ("this line has a second colon", QUOTE)
            }
        }
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => {
            ("this line has no colon that makes it `key: value`", PAIR)
        }
        kind if is_tab(kind) => {
            ("this is a tab, and only spaces may be here", "write spaces in place of the tab")
        }
        Kind::InvalidIndentation
        | Kind::InvalidFlowScalarIndent
        | Kind::InvalidBlockScalarIndent
        | Kind::ExpectedDocumentStart
        | Kind::ExpectedBlockMappingKey
        | Kind::ExpectedBlockSequenceEntry
        | Kind::BlockSequenceEntryNotAllowed => {
            ("this line does not begin where the lines around it do, or is of another kind", ALIGN)
        }
        Kind::UnclosedQuotedScalar
        | Kind::InvalidQuotedScalarIndent
        | Kind::DocumentIndicatorInQuotedScalar => {
            ("a quotation mark before here is not closed", CLOSE_QUOTES)
        }
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => {
            ("text follows a closing quotation mark", CLOSE_QUOTES)
        }
        Kind::UnknownQuotedScalarEscape
        | Kind::InvalidQuotedScalarHexEscape
        | Kind::InvalidLowSurrogateHexEscape
        | Kind::InvalidLowSurrogate
        | Kind::MissingLowSurrogate
        | Kind::UnpairedLowSurrogate
        | Kind::InvalidUnicodeEscape => ("this backslash does not begin a known escape", BACKSLASH),
        Kind::UnclosedFlowCollection { open } => {
            return Some((
                format!("the bracket `{open}` before here is not closed"),
                CLOSE_BRACKET,
            ));
        }
        Kind::ExpectedFlowMappingSeparator | Kind::ExpectedFlowSequenceSeparator => (
            "a bracket before here is not closed, a comma is missing, or a text with a colon has no quotation marks",
            CLOSE_OR_QUOTE,
        ),
        Kind::UnexpectedEofFlowSequence
        | Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofImplicitFlowMapping => {
            ("a bracket before here is not closed, or a comma is missing", CLOSE_BRACKET)
        }
        Kind::MismatchedFlowCollectionEnd { .. } | Kind::MisplacedFlowCollectionEnd => {
            ("this bracket closes none that is open", CLOSE_BRACKET)
        }
        Kind::BlockEntryInFlowCollection | Kind::PlainScalarStartsWithDashFlowIndicator => {
            ("a dash is within brackets", CLOSE_BRACKET)
        }
        Kind::UnexpectedCharacter { character } => {
            return Some((
                format!(
                    "no value may begin with `{}`",
                    escape_control(&character.to_string(), false)
                ),
                QUOTE,
            ));
        }
        Kind::MissingAnchorOrAliasName => (
            "`*` or `&` has no name",
            "begin an entry of a list with `- `, and put a value that begins so in quotation marks",
        ),
        Kind::ExpectedTagBang
        | Kind::UndeclaredTagHandle
        | Kind::InvalidTagTerminator
        | Kind::MissingTagUri
        | Kind::UnclosedVerbatimTag
        | Kind::InvalidTagEscape
        | Kind::InvalidGlobalTagCharacter => (
            "a value that begins with `!` names a type, and this is none",
            "put the value in quotation marks",
        ),
        Kind::DirectiveDisallowed
        | Kind::MissingDirectiveName
        | Kind::InvalidDirectiveName
        | Kind::InvalidDirectiveTerminator
        | Kind::MissingDocumentEndBeforeDirective
        | Kind::InvalidDocumentEnd => {
            ("this line belongs to nothing before it, or begins with `%` or `...`", PAIR)
        }
        Kind::CommentInterceptedScalar | Kind::CommentNotSeparated | Kind::ExpectedWhitespace => (
            "a `#`, which begins a comment, or a mark without a space next to it is here",
            "put a value with such marks in quotation marks, and a space before a remark",
        ),
        Kind::InvalidBlockScalarHeader | Kind::ZeroBlockScalarIndent => (
            "a value that begins with `|` or `>` is on the lines below it",
            "put the value in quotation marks, or nothing behind the `|`",
        ),
        Kind::BomInsideDocument => (
            "a byte order mark is within the file",
            "take it out: delete what is before the first letter of the line and write it again",
        ),
        Kind::ExpectedNodeContent | Kind::UnexpectedEndOfPlainScalar => {
            ("a value is missing or not valid here", QUOTE)
        }
        _ => return None,
    };
    Some((message.to_owned(), help))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::yaml::{Problem, read};
    use std::collections::BTreeMap;

    /// Words that only people who know YAML know.
    const JARGON: &[&str] = &[
        "scalar",
        "flow",
        "block",
        "token",
        "sequence",
        "mapping",
        "simple key",
        "document",
        "EOF",
        "anchor",
        "alias",
        "indicator",
        "tag",
        "plain",
    ];

    /// Mistakes of people who write their first file, words of the message, and the same file as it
    /// should be. `¶` ends a line, `→` is a tab.
    const MISTAKES: &str = r#"
        name: Mara: the Blade¶ => second colon => name: "Mara: the Blade"¶
        name: a¶foo¶list: b¶ => no colon => name: a¶list: b¶
        name: a¶items¶ => no colon => name: a¶items:¶
        name: a¶  list: b¶ => further right => name: a¶list: b¶
        name:¶→- a¶ => tab => name:¶  - a¶
        name: a¶→list: b¶ => tab => name: a¶list: b¶
          name: a¶list: b¶ => does not begin where => name: a¶list: b¶
        name: "a¶list: b¶ => before here is not closed => name: "a"¶list: b¶
        name: 'it's a'¶ => a closing quotation => name: "it's a"¶
        name: "a" b¶ => a closing quotation => name: "a b"¶
        name: "C:\dir"¶ => backslash => name: 'C:\dir'¶
        name: [a, b¶ => not closed => name: [a, b]¶
        name: {a: b¶list: c¶ => not closed => name: {a: b}¶list: c¶
        name: a]¶list: [b]]¶ => closes none => name: a¶list: [b]¶
        name: [a, b}¶ => closes none => name: [a, b]¶
        name: @home¶ => may begin with `@` => name: "@home"¶
        name: `a`¶ => may begin with `` => name: "`a`"¶
        name: %a¶ => may begin with `%` => name: "%a"¶
        name: * a¶ => has no name => name: "* a"¶
        name: *a¶ => no `&` names => name: "*a"¶
        name: a¶- b¶ => does not begin where => name:¶- b¶
        - a¶name: b¶ => does not begin where => list:¶- a¶name: b¶
        name: >a¶ => on the lines below => name: ">a"¶
"#;

    #[test]
    fn messages_are_plain_and_their_advice_is_read() {
        type Any = BTreeMap<String, serde::de::IgnoredAny>;
        let written = |text: &str| text.replace('¶', "\n").replace('→', "\t");
        for case in MISTAKES.trim_matches('\n').lines() {
            let case = case.strip_prefix("        ").unwrap();
            let [mistake, words, correct] = case.split(" => ").collect::<Vec<_>>()[..] else {
                panic!("{case}");
            };
            let mistake = written(mistake);
            let Problem { message, span, .. } = read::<Any>(&mistake).unwrap_err();
            let is_plain = JARGON.iter().all(|jargon| !message.contains(jargon));
            assert!(message.contains(words) && is_plain, "{case}: {message}");
            if words == "tab" {
                assert_eq!(&mistake[span.start..span.end], "\t", "{case}");
            }
            assert!(read::<Any>(&written(correct)).is_ok(), "{case}");
        }
    }
}
