//! What a hand, or a whole deck, must hold: counts and totals of groups of cards.

pub(crate) mod parse;

use super::{Comparison, Query, QueryError};
use crate::pool::{CardSet, Pool};
use crate::text::Span;

/// A card query in a hand query, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The cards that are in it.
    pub cards: Query,
    /// Where the card query's own text begins; its spans are from there.
    pub offset: usize,
    /// The bytes of the group in the hand query.
    pub span: Span,
}

impl Group {
    /// The cards of a pool that are in it.
    ///
    /// # Errors
    /// As for [`Query::select_known`], at the place in the hand query.
    pub fn select(&self, pool: &Pool) -> Result<CardSet, QueryError> {
        let cards = self.cards.select_known(pool);
        cards.map_err(|error| error.moved(self.offset))
    }

    /// The group as it is written, in square brackets.
    pub fn shown(&self) -> String {
        format!("[{}]", self.cards.text().trim())
    }
}

/// So many cards of a group: from `low` to `high`, both included.
/// How many cards of a group a hand has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The least.
    pub low: u32,
    /// The most; `None`: any number.
    pub high: Option<u32>,
    /// The cards that count.
    pub group: Group,
}

/// The name of a card field in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldName {
    /// The name as written.
    pub name: String,
    /// Its bytes in the query.
    pub span: Span,
}

/// A condition on a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hand {
    /// One of them holds.
    Any(Vec<Hand>),
    /// All of them hold.
    All(Vec<Hand>),
    /// It does not hold.
    Not(Box<Hand>),
    /// For some value of the field it holds of the cards with that value.
    Some(FieldName, Box<Hand>),
    /// Different cards meet the counts: no card counts twice.
    Different(Vec<Count>, Span),
    /// So many cards of a group.
    Count(Count),
    /// A sum over a field, compared with a number.
    Total {
        /// The field that is added up.
        field: FieldName,
        /// The cards that count; `None`: all.
        group: Option<Group>,
        /// How the sum is compared.
        comparison: Comparison,
        /// With what it is compared.
        number: i64,
    },
}

impl Hand {
    /// Every group in it, in the order written.
    pub fn groups(&self) -> Vec<&Group> {
        let mut groups = Vec::new();
        self.visit(&mut groups);
        groups
    }

    fn visit<'h>(&'h self, groups: &mut Vec<&'h Group>) {
        match self {
            Hand::Any(parts) | Hand::All(parts) => {
                parts.iter().for_each(|part| part.visit(groups));
            }
            Hand::Not(inner) | Hand::Some(_, inner) => inner.visit(groups),
            Hand::Different(counts, _) => groups.extend(counts.iter().map(|count| &count.group)),
            Hand::Count(count) => groups.push(&count.group),
            Hand::Total { group, .. } => groups.extend(group),
        }
    }
}

/// A hand query as read; it is checked against a pool when it is used.
///
/// ```
/// use decklaw_core::query::HandQuery;
/// let query = HandQuery::parse("1+ [type:monster] and no \"Rain Caller\"")?;
/// assert_eq!(query.text(), "1+ [type:monster] and no \"Rain Caller\"");
/// let error = HandQuery::parse("1+ [type:monster] und 1+ []").unwrap_err();
/// assert_eq!((error.span.start, error.span.end), (18, 21));
/// # Ok::<(), decklaw_core::query::QueryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandQuery {
    text: String,
    /// What the hand must meet.
    pub root: Hand,
}

impl HandQuery {
    /// Reads a hand query.
    ///
    /// # Errors
    /// Anything that the grammar does not allow, a negative count or one over 1,000,000, more
    /// than 1,000 conditions, more than 100 brackets inside each other.
    pub fn parse(text: &str) -> Result<HandQuery, QueryError> {
        let root = parse::hand(text)?;
        let text = text.trim().to_owned();
        Ok(HandQuery { text, root })
    }

    /// The query as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What its groups ask for that no card of the pool has, each once; see
    /// [`Query::remarks`].
    pub fn remarks(&self, pool: &Pool) -> Vec<String> {
        remarks(&self.root.groups(), pool)
    }

    /// As [`HandQuery::remarks`]; besides, the groups that no card of the pool is in.
    pub fn vain(&self, pool: &Pool) -> Vec<String> {
        vain(&self.root.groups(), pool)
    }
}

/// A total whose mean and distribution are asked: `sum(field)` or `sum(field) [group]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalQuery {
    text: String,
    /// The field that is added up.
    pub field: FieldName,
    /// The cards that count; `None`: all.
    pub group: Option<Group>,
}

impl TotalQuery {
    /// Reads a total.
    ///
    /// # Errors
    /// Anything but `sum(field)` and, if wished, a group.
    pub fn parse(text: &str) -> Result<TotalQuery, QueryError> {
        let (field, group) = parse::total(text)?;
        let text = text.trim().to_owned();
        Ok(TotalQuery { text, field, group })
    }

    /// The total as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// As [`HandQuery::remarks`].
    pub fn remarks(&self, pool: &Pool) -> Vec<String> {
        let groups: Vec<&Group> = self.group.iter().collect();
        remarks(&groups, pool)
    }

    /// As [`HandQuery::vain`].
    pub fn vain(&self, pool: &Pool) -> Vec<String> {
        let groups: Vec<&Group> = self.group.iter().collect();
        vain(&groups, pool)
    }
}

fn vain(groups: &[&Group], pool: &Pool) -> Vec<String> {
    let mut told = remarks(groups, pool);
    for group in groups {
        // What cannot be asked is an error, and told as one.
        let empty = group.select(pool).is_ok_and(|cards| cards.is_empty());
        let remark = format!("no card is in `{}`", group.shown());
        if empty && !pool.is_empty() && !told.contains(&remark) {
            told.push(remark);
        }
    }
    told
}

fn remarks(groups: &[&Group], pool: &Pool) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for remark in groups.iter().flat_map(|group| group.cards.remarks(pool)) {
        if !told.contains(&remark.message) {
            told.push(remark.message);
        }
    }
    told
}
