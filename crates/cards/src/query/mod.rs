//! The language of queries: which cards are meant, and what a hand of them must hold.
//!
//! A [`Query`] picks cards, in rules, lists, odds and wishes: conditions next to each other, as in
//! `type:monster mana>=3 -set:alpha`, must all hold, and bind closer than `or`; the empty query picks
//! every card. A quoted text is a whole name, a bare word a part of one. A [`HandQuery`] counts
//! cards that such queries pick. [`REFERENCE`] is the whole language for players.
//!
//! An error has its place. A value that no card has is no error but most likely a slip:
//! [`Query::remarks`] reports it.
//!
//! ```
//! use decklaw_cards::{pool::{Field, FieldKind, Pool}, query::Query};
//! let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
//! let pool = Pool::read_csv(b"name,mana\nRain Caller,1\nMoss Sprite,2\nMoss King,6\n", &[mana])?;
//! let cheap = Query::parse("moss and mana<=2")?.select(&pool)?;
//! assert_eq!(cheap.iter().map(|card| pool.name(card)).collect::<Vec<_>>(), ["Moss Sprite"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cards;
pub mod demand;
pub(crate) mod fit;
pub mod hand;
mod hint;
mod parser;
mod print;
mod remark;
mod tree;

pub use hand::{HandQuery, TotalQuery};
pub use hint::{no_field, no_such};
pub use remark::Remark;
pub use tree::{Comparison, Tree};

use crate::pool::{CardId, CardSet, Field, NameField, Pool};
use decklaw_text::text::Span;
use hint::no_card;
use tree::{CardTest, Word};

/// The reference of the language, in Markdown.
pub const REFERENCE: &str = include_str!(env!("DECKLAW_QUERIES"));

/// A query that cannot be understood, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What is wrong and what to do about it.
    pub message: String,
    /// The bytes of the query's text that are wrong.
    pub span: Span,
    /// The value that its field never has, if that is what is wrong.
    pub missing: Option<MissingValue>,
}

/// A value that is not among those that a game gives a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingValue {
    /// The field.
    pub field: String,
    /// The value as it is written.
    pub value: String,
}

impl QueryError {
    /// An error about these bytes of the query.
    pub fn at(message: impl Into<String>, span: Span) -> QueryError {
        QueryError { message: message.into(), span, missing: None }
    }

    /// The same error in a longer text, in which the query begins at this byte.
    pub fn moved(mut self, offset: usize) -> QueryError {
        self.span.start += offset;
        self.span.end += offset;
        self
    }
}

/// A parsed card query. It is checked against a game's fields when it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    root: Tree<CardTest>,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// A stray bracket or quotation mark, a missing value, `and`, `or` or `not` without what it
    /// joins, or more than 100 brackets inside each other.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        let root = cards::parse(text)?;
        Ok(Query { text: text.to_owned(), root })
    }

    /// The query as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The query of a search box: what it says, and a word may be in a free text of a card as well
    /// as in its name. `texts`: the fields that are searched.
    #[must_use]
    pub fn anywhere(&self, texts: &[&str]) -> Query {
        let Ok(root) = self.root.try_map(&mut |test| {
            let mut places = vec![Tree::Is(test.clone())];
            if let CardTest::NameHolds(word) = test {
                places.extend(texts.iter().map(|field| {
                    let field = Word { text: (*field).to_owned(), span: word.span };
                    let values = vec![word.clone()];
                    Tree::Is(CardTest::Field { field, comparison: Comparison::Is, values })
                }));
            }
            Ok::<_, std::convert::Infallible>(Tree::any(places))
        });
        Query { text: self.text.clone(), root }
    }

    /// Whether it picks every card because it has no conditions.
    pub fn is_everything(&self) -> bool {
        self.root.is_empty()
    }

    /// The cards of a pool that the query picks.
    ///
    /// # Errors
    /// As for [`Query::check`].
    pub fn select(&self, pool: &Pool) -> Result<CardSet, QueryError> {
        self.check(pool.fields())?;
        Ok(self.picked(pool, pool.ids()))
    }

    /// Those of some cards of a pool that the query picks, where every whole name must be that of a
    /// card of the pool.
    ///
    /// # Errors
    /// As for [`Query::check`], and a whole name that the pool does not have.
    pub fn select_known(
        &self,
        pool: &Pool,
        cards: impl Iterator<Item = CardId>,
    ) -> Result<CardSet, QueryError> {
        self.check(pool.fields())?;
        let cards = self.picked(pool, cards);
        match self.unknown_names(pool).into_iter().next() {
            None => Ok(cards),
            Some((name, span)) => Err(QueryError::at(no_card(&name, pool), span)),
        }
    }

    /// Whether the query picks a card. Fields that the pool does not have are empty.
    pub fn picks(&self, pool: &Pool, card: CardId) -> bool {
        fit::fit(&self.root, pool).picks(card)
    }

    /// Whether the query can be asked of cards with these fields.
    ///
    /// # Errors
    /// An unknown field, a comparison that the field's kind does not allow, a value that it
    /// cannot have.
    pub fn check(&self, fields: &[Field]) -> Result<(), QueryError> {
        fit::check(&self.root, fields, true)
    }

    /// As [`Query::check`], for queries in a card's own text: a value that a field cannot have is
    /// allowed, and no card has it.
    ///
    /// # Errors
    /// An unknown field, a comparison that the field's kind does not allow.
    pub fn check_fields(&self, fields: &[Field]) -> Result<(), QueryError> {
        fit::check(&self.root, fields, false)
    }

    /// The cards of a pool that a query written on a card picks.
    ///
    /// # Errors
    /// As for [`Query::check_fields`].
    pub fn select_permitted(&self, pool: &Pool) -> Result<CardSet, QueryError> {
        self.check_fields(pool.fields())?;
        Ok(self.picked(pool, pool.ids()))
    }

    fn picked(&self, pool: &Pool, cards: impl Iterator<Item = CardId>) -> CardSet {
        let test = fit::fit(&self.root, pool);
        CardSet::among(pool.len(), cards.filter(|card| test.picks(*card)))
    }

    /// The fields in the query, except `name`.
    pub fn fields(&self) -> Vec<&str> {
        let fields = self.root.leaves().into_iter().filter_map(|test| match test {
            CardTest::Field { field, .. } | CardTest::Has(field) => Some(field.text.as_str()),
            CardTest::NameHolds(_) | CardTest::Name(_) => None,
        });
        let mut fields: Vec<&str> = fields.filter(|field| *field != "name").collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// The whole names in the query that a pool does not have, with their places.
    pub fn unknown_names(&self, pool: &Pool) -> Vec<(String, Span)> {
        let names = self.root.leaves().into_iter().flat_map(|test| match test {
            CardTest::Name(word) => std::slice::from_ref(word),
            CardTest::Field { field, values, .. } if field.text == "name" => values,
            _ => &[],
        });
        let is_unknown = |word: &&Word| pool.look_up(&word.text, NameField::Name).card().is_none();
        let unknown = names.filter(is_unknown);
        unknown.map(|word| (word.text.clone(), word.span)).collect()
    }
}

#[cfg(test)]
mod tests;
