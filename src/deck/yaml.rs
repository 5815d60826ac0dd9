//! Decks in YAML.

use super::tree::{self, DEEPEST, MOST_VALUES, Node, Value};
use super::{Deck, LARGEST_FILE, SectionNames, SyntaxError, quoted};
use crate::text::Span;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::DuplicateKeyPolicy;
use serde_yaml::{
    Error, Location, MergeKeyPolicy, MessageFormatter, NonFiniteFloatPolicy, Options, Spanned,
    UserMessageFormatter,
};
use std::borrow::Cow;
use std::fmt;

/// Reads a deck in YAML. See [`super::read`].
pub(super) fn read<'a, 'f>(
    source: &'a str,
    names: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    tree::read(source, document(source)?, names)
}

/// The document's values and their places.
pub(super) fn document(source: &str) -> Result<Node<'_>, Vec<SyntaxError>> {
    match serde_yaml::from_str_with_options::<Spanned<Raw<'_>>>(source, limits()) {
        Ok(document) => Ok(node(document, source)),
        Err(Error::Eof { .. }) => Ok(Node {
            value: Value::Null,
            span: Span::default(),
            line: 1,
            alias: false,
        }),
        Err(error) => Err(vec![no_yaml(source, &error)]),
    }
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
        emit_comments: false,
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
    let span = error
        .location()
        .map_or(Span::default(), |location| span_of(&location, source));
    let (message, mend) = match error {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key
                .as_ref()
                .map_or(String::new(), |key| format!(" {}", quoted(key)));
            (
                format!("The key{key} is given twice."),
                "Keep one of the two.",
            )
        }
        Error::MultipleDocuments { .. } => (
            "A second document begins here.".to_owned(),
            "Keep one deck in a file.",
        ),
        Error::Budget { .. } => (
            format!(
                "This YAML is larger or deeper than any deck ({MOST_VALUES} values, {DEEPEST} levels)."
            ),
            "A deck is a mapping from sections to lists of cards.",
        ),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => (
            "The aliases of this YAML unfold into too much.".to_owned(),
            "Write the cards out.",
        ),
        Error::MergeKeyNotAllowed { .. } => (
            "A deck has no merge keys (`<<`).".to_owned(),
            "Write the cards out.",
        ),
        _ => {
            let said = UserMessageFormatter.format_message(error);
            let said = quoted(said.trim_end_matches('.'));
            (
                format!("This is not YAML: {}.", said.trim_matches('`')),
                "A line with `: ` or ` #` in a name must stand in quotes.",
            )
        }
    };
    SyntaxError::at(source, span, message, mend)
}

/// A value as the parser gives it. Scalars that are no strings are told by their places:
/// a card may be called `1984` or `No`.
enum Raw<'a> {
    Null,
    Scalar,
    Text(Cow<'a, str>),
    List(Vec<Spanned<Raw<'a>>>),
    Map(Vec<(Spanned<Raw<'a>>, Spanned<Raw<'a>>)>),
}

fn node<'a>(raw: Spanned<Raw<'a>>, source: &'a str) -> Node<'a> {
    let span = span_of(&raw.defined, source);
    let line = u32::try_from(raw.defined.line()).unwrap_or(u32::MAX).max(1);
    let value = match raw.value {
        Raw::Null => match written(span, source) {
            "" | "~" | "null" => Value::Null,
            name => Value::Text(Cow::Borrowed(name)),
        },
        Raw::Scalar => Value::Text(Cow::Borrowed(written(span, source))),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(|item| node(item, source)).collect()),
        Raw::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| (node(key, source), node(value, source)))
                .collect(),
        ),
    };
    Node {
        value,
        span,
        line,
        alias: span != span_of(&raw.referenced, source),
    }
}

fn written(span: Span, source: &str) -> &str {
    source.get(span.start..span.end).unwrap_or_default().trim()
}

fn span_of(location: &Location, source: &str) -> Span {
    let within = |offset: u64| {
        usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(source.len())
    };
    let span = location.span();
    match (span.byte_offset(), span.byte_len()) {
        (Some(start), Some(length)) => {
            Span::new(within(start), within(start.saturating_add(length)))
        }
        _ => Span::default(),
    }
}

impl<'a> Deserialize<'a> for Raw<'a> {
    fn deserialize<D: Deserializer<'a>>(parser: D) -> Result<Self, D::Error> {
        parser.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'a> Visitor<'a> for RawVisitor {
    type Value = Raw<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a deck")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Raw<'a>, E> {
        Ok(Raw::Scalar)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw<'a>, E> {
        Ok(Raw::Scalar)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw<'a>, E> {
        Ok(Raw::Scalar)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw<'a>, E> {
        Ok(Raw::Scalar)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw<'a>, E> {
        Ok(Raw::Scalar)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw<'a>, E> {
        Ok(Raw::Scalar)
    }

    fn visit_unit<E>(self) -> Result<Raw<'a>, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw<'a>, E> {
        Ok(Raw::Null)
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Raw<'a>, E> {
        Ok(Raw::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw<'a>, E> {
        Ok(Raw::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Raw<'a>, E> {
        Ok(Raw::Text(Cow::Owned(text)))
    }

    fn visit_some<D: Deserializer<'a>>(self, parser: D) -> Result<Raw<'a>, D::Error> {
        parser.deserialize_any(RawVisitor)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Raw<'a>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Raw<'a>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}
