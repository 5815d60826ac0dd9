//! What the parser complains of, for somebody who has never seen YAML: what is wrong with the
//! line, and what to write there instead.

use crate::text::{Span, harmless};
use serde_yaml::granit_parser::ErrorKind;
use serde_yaml::{Error, ExternalMessageSource, MessageFormatter, UserMessageFormatter};

/// What is wrong, without a full stop, and what to write instead.
pub(crate) type Message = (String, &'static str);

const QUOTE: &str = "put the value in quotation marks, as in `name: \"Mara: the Blade\"`";
const PAIR: &str = "a line is `key: value`, with a space behind the colon, or `- entry`";
const ALIGN: &str = "let lines that belong together begin in the same column, with spaces, and what belongs to a key two columns further right";
const CLOSE_BRACKET: &str =
    "close what is open, and put a comma between entries, as in `[one, two]` or `{key: value}`";
const CLOSE_OR_QUOTE: &str = "close what is open, put a comma between entries, and text with a colon in quotation marks, as in `because: \"one: two\"`";
const CLOSE_QUOTES: &str = "put a quotation mark at both ends of the value and nothing behind it; one within is written `\\\"`";
const BACKSLASH: &str = "write `\\\\` for a backslash, or put the value in single quotation marks";

/// Explains what the parser complains of; `source` is the whole text.
pub(crate) fn message(error: &Error, source: &str) -> Message {
    match error {
        Error::UnknownAnchor { .. } => (
            "a value that begins with `*` stands for another that nobody named with `&`".to_owned(),
            "put the value in quotation marks; an entry of a list begins with `- `",
        ),
        Error::UnsupportedTag { tag, .. } => (
            format!(
                "a value that begins with `!` names a type, and `{}` is none",
                harmless(tag, false)
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

/// Where the parser complains. Of what it cannot take apart it tells line and column alone.
pub(crate) fn place_of(error: &Error, source: &str) -> Span {
    let Some(location) = error.location() else {
        return Span::default();
    };
    if location.span().byte_offset().is_some() {
        let place = super::span_of(&location, source);
        return before_tab(error, place, source);
    }
    let number = |number: u64| {
        usize::try_from(number)
            .unwrap_or(usize::MAX)
            .saturating_sub(1)
    };
    let (row, column) = (number(location.line()), number(location.column()));
    let before = source.split_inclusive('\n').take(row).map(str::len).sum();
    let line = source.get(before..).unwrap_or_default();
    let line = line.split('\n').next().unwrap_or_default();
    let inside = line.char_indices().nth(column);
    let at = before + inside.map_or(line.len(), |(at, _)| at);
    before_tab(error, Span::new(at, at), source)
}

/// Of a tab before a line's first word the parser may tell the line above: then the tab's own
/// place, or else the same.
fn before_tab(error: &Error, told: Span, source: &str) -> Span {
    let is_tab = match error {
        Error::ExternalMessage { source: by, .. } => match by.as_ref() {
            ExternalMessageSource::Parser(wrong) => is_tab(wrong.kind()),
            _ => false,
        },
        _ => false,
    };
    let (before, rest) = source.split_at_checked(told.start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let here = before[line..].rfind('\t').map(|tab| line + tab);
    let next = || rest.find('\t').map(|tab| told.start + tab);
    match here.or_else(next).filter(|_| is_tab) {
        Some(tab) => Span::new(tab, tab + 1),
        None => told,
    }
}

/// Whether a tab is what is wrong.
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

/// What has no words of its own here.
fn other(error: &Error) -> Message {
    let said = UserMessageFormatter.format_message(error);
    let said = harmless(said.trim_end_matches('.'), false);
    (format!("this cannot be read as YAML: {said}"), PAIR)
}

/// What is wrong where the parser stopped: `before` is all of the text to there.
fn of_kind(kind: &ErrorKind, (before, line): (&str, &str)) -> Option<Message> {
    use ErrorKind as Kind;
    let (message, help) = match kind {
        Kind::MappingValueNotAllowed
        | Kind::InvalidColonPlacement
        | Kind::MappingKeyNotAllowed
        | Kind::FlowMappingValueAdjacentCollection
        | Kind::InvalidMappingValueWhitespace
            if is_open(before) =>
        {
            (
                "a bracket before here is not closed, or a comma is missing",
                CLOSE_BRACKET,
            )
        }
        Kind::MappingValueNotAllowed
        | Kind::InvalidColonPlacement
        | Kind::MappingKeyNotAllowed
        | Kind::FlowMappingValueAdjacentCollection
        | Kind::InvalidMappingValueWhitespace => match line.matches(": ").count() {
            0 | 1 if !line.trim_end().ends_with(':') || line.matches(':').count() < 2 => {
                ("this line begins further right than it may", ALIGN)
            }
            _ => ("a second colon stands in this line", QUOTE),
        },
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => {
            ("this line has no colon that makes it `key: value`", PAIR)
        }
        kind if is_tab(kind) => (
            "a tab stands here, where only spaces may",
            "write spaces in place of the tab",
        ),
        Kind::InvalidIndentation
        | Kind::InvalidFlowScalarIndent
        | Kind::InvalidBlockScalarIndent
        | Kind::ExpectedDocumentStart
        | Kind::ExpectedBlockMappingKey
        | Kind::ExpectedBlockSequenceEntry
        | Kind::BlockSequenceEntryNotAllowed => (
            "this line does not begin where those around it do, or is of another kind than they",
            ALIGN,
        ),
        Kind::UnclosedQuotedScalar
        | Kind::InvalidQuotedScalarIndent
        | Kind::DocumentIndicatorInQuotedScalar => {
            ("a quotation mark before here is not closed", CLOSE_QUOTES)
        }
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => {
            ("text stands behind a closing quotation mark", CLOSE_QUOTES)
        }
        Kind::UnknownQuotedScalarEscape
        | Kind::InvalidQuotedScalarHexEscape
        | Kind::InvalidLowSurrogateHexEscape
        | Kind::InvalidLowSurrogate
        | Kind::MissingLowSurrogate
        | Kind::UnpairedLowSurrogate
        | Kind::InvalidUnicodeEscape => (
            "a backslash with what is behind it means nothing",
            BACKSLASH,
        ),
        Kind::UnclosedFlowCollection { open } => {
            return Some((
                format!("the bracket `{open}` before here is not closed"),
                CLOSE_BRACKET,
            ));
        }
        Kind::ExpectedFlowMappingSeparator | Kind::ExpectedFlowSequenceSeparator => (
            "a bracket before here is not closed, a comma is missing, or a colon stands in text without quotation marks",
            CLOSE_OR_QUOTE,
        ),
        Kind::UnexpectedEofFlowSequence
        | Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofImplicitFlowMapping => (
            "a bracket before here is not closed, or a comma is missing",
            CLOSE_BRACKET,
        ),
        Kind::MismatchedFlowCollectionEnd { .. } | Kind::MisplacedFlowCollectionEnd => {
            ("this bracket closes none that is open", CLOSE_BRACKET)
        }
        Kind::BlockEntryInFlowCollection | Kind::PlainScalarStartsWithDashFlowIndicator => {
            ("a dash stands within brackets", CLOSE_BRACKET)
        }
        Kind::UnexpectedCharacter { character } => {
            return Some((
                format!(
                    "no value may begin with `{}`",
                    harmless(&character.to_string(), false)
                ),
                QUOTE,
            ));
        }
        Kind::MissingAnchorOrAliasName => (
            "`*` or `&` stands here, which name nothing",
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
        | Kind::InvalidDocumentEnd => (
            "this line belongs to nothing before it, or begins with `%` or `...`",
            PAIR,
        ),
        Kind::CommentInterceptedScalar | Kind::CommentNotSeparated | Kind::ExpectedWhitespace => (
            "a `#`, which begins a remark, or a mark without a space beside it stands here",
            "put a value with such marks in quotation marks, and a space before a remark",
        ),
        Kind::InvalidBlockScalarHeader | Kind::ZeroBlockScalarIndent => (
            "a value that begins with `|` or `>` stands on the lines below it",
            "put the value in quotation marks, or nothing behind the `|`",
        ),
        Kind::BomInsideDocument => (
            "a mark that begins a file stands within this one",
            "take it out: delete what is before the first letter of the line and write it again",
        ),
        Kind::ExpectedNodeContent | Kind::UnexpectedEndOfPlainScalar => {
            ("a value is missing here, or is no value", QUOTE)
        }
        _ => return None,
    };
    Some((message.to_owned(), help))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::yaml::read;
    use std::collections::BTreeMap;

    /// Words that only who knows YAML knows.
    const JARGON: [&str; 14] = [
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

    /// Slips of people who write a file for the first time, a word of what is
    /// said, and the same as it should be.
    const SLIPS: [(&str, &str, &str); 23] = [
        (
            "name: Mara: the Blade\n",
            "second colon",
            "name: \"Mara: the Blade\"\n",
        ),
        ("name: a\nfoo\nlist: b\n", "no colon", "name: a\nlist: b\n"),
        ("name: a\nitems\n", "no colon", "name: a\nitems:\n"),
        (
            "name: a\n  list: b\n",
            "further right",
            "name: a\nlist: b\n",
        ),
        ("name:\n\t- a\n", "tab", "name:\n  - a\n"),
        ("name: a\n\tlist: b\n", "tab", "name: a\nlist: b\n"),
        (
            "  name: a\nlist: b\n",
            "does not begin where",
            "name: a\nlist: b\n",
        ),
        (
            "name: \"a\nlist: b\n",
            "before here is not closed",
            "name: \"a\"\nlist: b\n",
        ),
        ("name: 'it's a'\n", "behind a closing", "name: \"it's a\"\n"),
        ("name: \"a\" b\n", "behind a closing", "name: \"a b\"\n"),
        ("name: \"C:\\dir\"\n", "backslash", "name: 'C:\\dir'\n"),
        ("name: [a, b\n", "not closed", "name: [a, b]\n"),
        (
            "name: {a: b\nlist: c\n",
            "not closed",
            "name: {a: b}\nlist: c\n",
        ),
        (
            "name: a]\nlist: [b]]\n",
            "closes none",
            "name: a\nlist: [b]\n",
        ),
        ("name: [a, b}\n", "closes none", "name: [a, b]\n"),
        ("name: @home\n", "may begin with `@`", "name: \"@home\"\n"),
        ("name: `a`\n", "may begin with ``", "name: \"`a`\"\n"),
        ("name: %a\n", "may begin with `%`", "name: \"%a\"\n"),
        ("name: * a\n", "name nothing", "name: \"* a\"\n"),
        ("name: *a\n", "stands for another", "name: \"*a\"\n"),
        ("name: a\n- b\n", "does not begin where", "name:\n- b\n"),
        (
            "- a\nname: b\n",
            "does not begin where",
            "list:\n- a\nname: b\n",
        ),
        ("name: >a\n", "on the lines below", "name: \">a\"\n"),
    ];

    #[test]
    fn slips_are_told_in_plain_words_and_what_is_advised_is_read() {
        type Any = BTreeMap<String, serde::de::IgnoredAny>;
        let mut wrong = Vec::new();
        for (slip, word, mended) in SLIPS {
            let problem = read::<Any>(slip).unwrap_err();
            let message = &problem.message;
            let jargon = JARGON.iter().find(|jargon| message.contains(**jargon));
            if !message.contains(word) || jargon.is_some() {
                wrong.push(format!("{slip:?}: {message}"));
            }
            if word == "tab" {
                let told = &slip[problem.span.start..problem.span.end];
                assert_eq!(told, "\t", "{slip:?}");
            }
            assert!(read::<Any>(mended).is_ok(), "{mended}");
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
