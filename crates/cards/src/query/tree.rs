//! What queries are made of: one tree of `and`, `or` and `not` for cards, hands and demands, and
//! the words, comparisons and groups at its leaves.

use super::{Query, QueryError};
use crate::pool::{CardId, CardSet, Pool};
use decklaw_text::text::Span;

/// Conditions joined by `and`, `or` and `not`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree<L> {
    /// All of them hold.
    All(Vec<Tree<L>>),
    /// One of them holds.
    Any(Vec<Tree<L>>),
    /// It does not hold.
    Not(Box<Tree<L>>),
    /// A single condition.
    Is(L),
}

impl<L> Tree<L> {
    /// All of some trees; a single one is itself.
    pub(super) fn all(parts: Vec<Tree<L>>) -> Tree<L> {
        <[Tree<L>; 1]>::try_from(parts).map_or_else(Tree::All, |[only]| only)
    }

    /// One of some trees; a single one is itself.
    pub(super) fn any(parts: Vec<Tree<L>>) -> Tree<L> {
        <[Tree<L>; 1]>::try_from(parts).map_or_else(Tree::Any, |[only]| only)
    }

    /// Whether it holds of everything because it has no conditions.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Tree::All(parts) if parts.is_empty())
    }

    /// The conditions in the order of the text.
    pub(super) fn leaves(&self) -> Vec<&L> {
        match self {
            Tree::All(parts) | Tree::Any(parts) => parts.iter().flat_map(Tree::leaves).collect(),
            Tree::Not(part) => part.leaves(),
            Tree::Is(leaf) => vec![leaf],
        }
    }

    /// The same tree with another in place of each condition.
    pub(super) fn try_map<'t, M, E>(
        &'t self,
        map: &mut impl FnMut(&'t L) -> Result<Tree<M>, E>,
    ) -> Result<Tree<M>, E> {
        Ok(match self {
            Tree::All(parts) => Tree::All(each(parts, map)?),
            Tree::Any(parts) => Tree::Any(each(parts, map)?),
            Tree::Not(part) => Tree::Not(Box::new(part.try_map(map)?)),
            Tree::Is(leaf) => map(leaf)?,
        })
    }

    /// Whether it holds where each condition holds as `test` says.
    pub(super) fn holds(&self, test: &impl Fn(&L) -> bool) -> bool {
        match self {
            Tree::All(parts) => parts.iter().all(|part| part.holds(test)),
            Tree::Any(parts) => parts.iter().any(|part| part.holds(test)),
            Tree::Not(part) => !part.holds(test),
            Tree::Is(leaf) => test(leaf),
        }
    }
}

fn each<'t, L, M, E>(
    parts: &'t [Tree<L>],
    map: &mut impl FnMut(&'t L) -> Result<Tree<M>, E>,
) -> Result<Vec<Tree<M>>, E> {
    parts.iter().map(|part| part.try_map(map)).collect()
}

/// A word or a quoted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// With its quotation marks.
    pub(super) span: Span,
}

impl Word {
    /// The section and the field of `$leader.faction`, which no query names; in quotation marks it
    /// is a text like others.
    pub(super) fn reference(&self) -> Option<(&str, &str)> {
        let bare = self.span.end - self.span.start == self.text.len();
        let named = self.text.strip_prefix('$').filter(|_| bare)?;
        named.split_once('.')
    }

    /// Whether it is a bare `*`, which is any value.
    pub(super) fn is_any(&self) -> bool {
        self.text == "*" && self.span.end - self.span.start == 1
    }
}

/// A condition on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CardTest {
    /// A part of the name, folded.
    NameHolds(Word),
    /// The whole name.
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

/// A comparison between what a card has and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `:`: equals, or for a list: holds; for free text: contains.
    Is,
    /// `=`: as [`Comparison::Is`], but free text must be equal.
    Equal,
    /// `!=`: has a value, and not this one.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Every comparison with its sign, each before those that its sign begins.
    pub(super) const SIGNS: [(&'static str, Comparison); 10] = [
        ("\u{2260}", Comparison::NotEqual),
        ("\u{2264}", Comparison::AtMost),
        ("\u{2265}", Comparison::AtLeast),
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        (":", Comparison::Is),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::More),
    ];

    /// The sign in ASCII.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Is => ":",
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::More => ">",
            Comparison::AtLeast => ">=",
        }
    }

    /// Whether `left` compares so with `right`.
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Is | Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::AtLeast => left >= right,
        }
    }

    /// Whether it asks for more or less, and not for the value itself.
    pub(super) fn is_order(self) -> bool {
        matches!(
            self,
            Comparison::Less | Comparison::AtMost | Comparison::More | Comparison::AtLeast
        )
    }
}

/// The name of a card field, a section or a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldName {
    /// The name, folded.
    pub name: String,
    /// Its bytes in the query.
    pub span: Span,
}

/// A card query in a query about hands or decks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The cards that are in it.
    pub cards: Query,
    /// Where the card query's own text begins; its spans are from there.
    pub offset: usize,
    /// The bytes of the group, brackets included.
    pub span: Span,
}

impl Group {
    /// Those of some cards of a pool that are in it.
    ///
    /// # Errors
    /// As for [`Query::select_known`], at the place in the whole query.
    pub fn select(
        &self,
        pool: &Pool,
        cards: impl Iterator<Item = CardId>,
    ) -> Result<CardSet, QueryError> {
        let cards = self.cards.select_known(pool, cards);
        cards.map_err(|error| error.moved(self.offset))
    }

    /// The group as written, in square brackets.
    pub fn shown(&self) -> String {
        format!("[{}]", self.cards.text().trim())
    }
}
