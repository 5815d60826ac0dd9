//! What a card query says, as a tree: every part with its place in the text.

use super::Comparison;
use crate::text::Span;

/// A word or a quoted text, and where it stands, quotation marks included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// Part of a name, folded.
    NameHolds(Word),
    /// A whole name.
    Name(Word),
    Field {
        /// Folded.
        field: Word,
        comparison: Comparison,
        /// At least one; more than one only where the comparison is [`Comparison::Is`].
        values: Vec<Word>,
    },
    /// Any value in this field, which is folded.
    Has(Word),
}

impl Word {
    /// The section and the field whose values it stands for: `$leader.faction`, without quotation
    /// marks.
    pub(super) fn refers(&self) -> Option<(&str, &str)> {
        let bare = self.span.end - self.span.start == self.text.len();
        let named = self.text.strip_prefix('$').filter(|_| bare)?;
        named.split_once('.')
    }

    /// Whether it stands for any value at all; in quotation marks it is a text like others.
    pub(super) fn is_any(&self) -> bool {
        self.text == "*" && self.span.end - self.span.start == 1
    }
}

impl Node {
    /// Whether it says nothing, which is true of every card.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Node::All(terms) if terms.is_empty())
    }
}

pub(super) fn visit<'n>(node: &'n Node, see: &mut dyn FnMut(&'n Node)) {
    see(node);
    match node {
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().for_each(|inner| visit(inner, see)),
        Node::Not(inner) => visit(inner, see),
        Node::NameHolds(_) | Node::Name(_) | Node::Has(_) | Node::Field { .. } => {}
    }
}
