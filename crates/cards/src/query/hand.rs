//! What a hand must hold: counts and totals of groups of cards.

use super::parser::Parser;
use super::tree::Tree;
pub use super::tree::{FieldName, Group};
use super::{Comparison, QueryError};
use crate::pool::Pool;
use decklaw_text::text::Span;

/// A condition on a hand.
pub type Hand = Tree<HandTest>;

/// A condition on a hand without `and`, `or` and `not`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandTest {
    /// For some value of the field, it holds of the cards with that value.
    Some(FieldName, Box<Hand>),
    /// Different cards meet the counts: no card counts twice.
    Different(Vec<Count>, Span),
    /// A number of cards of a group.
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

/// How many cards of a group a hand has: from `low` to `high`, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The least.
    pub low: u32,
    /// The most; `None`: any number.
    pub high: Option<u32>,
    /// The cards that count.
    pub group: Group,
}

impl Hand {
    /// Every group in it, in the order written.
    pub fn groups(&self) -> Vec<&Group> {
        let tests = self.leaves().into_iter();
        tests.flat_map(HandTest::groups).collect()
    }
}

impl HandTest {
    fn groups(&self) -> Vec<&Group> {
        match self {
            HandTest::Some(_, inner) => inner.groups(),
            HandTest::Different(counts, _) => counts.iter().map(|count| &count.group).collect(),
            HandTest::Count(count) => vec![&count.group],
            HandTest::Total { group, .. } => group.iter().collect(),
        }
    }
}

/// A hand query as read; it is checked against a pool when it is used.
///
/// ```
/// use decklaw_cards::query::HandQuery;
/// let query = HandQuery::parse("1+ [type:monster] and no \"Rain Caller\"")?;
/// assert_eq!(query.text(), "1+ [type:monster] and no \"Rain Caller\"");
/// let error = HandQuery::parse("1+ [type:monster] und 1+ []").unwrap_err();
/// assert_eq!((error.span.start, error.span.end), (18, 21));
/// # Ok::<(), decklaw_cards::query::QueryError>(())
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
        let mut parser = Parser::new(text);
        if parser.peek().is_none() {
            let message = "the query is empty; ask for cards, as in `1+ [type:monster]`";
            return parser.fail(0, message);
        }
        let root = parser.any(Parser::hand)?;
        parser.end("`and` or `or`")?;
        let text = text.trim().to_owned();
        Ok(HandQuery { text, root })
    }

    /// The query as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The [remarks](super::Query::remarks) on its groups, each once.
    pub fn remarks(&self, pool: &Pool) -> Vec<String> {
        remarks(&self.root.groups(), pool)
    }

    /// As [`HandQuery::remarks`], and the groups that no card of the pool is in.
    pub fn unmatched(&self, pool: &Pool) -> Vec<String> {
        unmatched(&self.root.groups(), pool)
    }
}

/// A total whose mean and distribution are computed: `sum(field)` or `sum(field) [group]`.
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
    /// Anything but `sum(field)` with or without a group.
    pub fn parse(text: &str) -> Result<TotalQuery, QueryError> {
        let mut parser = Parser::new(text);
        if !parser.take_word("sum") {
            return parser.fail_word("a total is written `sum(field)` or `sum(field) [group]`");
        }
        let (field, group) = parser.total()?;
        if parser.peek().is_some() {
            return parser.fail_word("a total ends here; it is not compared with anything");
        }
        let text = text.trim().to_owned();
        Ok(TotalQuery { text, field, group })
    }

    /// The total as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// As [`HandQuery::remarks`].
    pub fn remarks(&self, pool: &Pool) -> Vec<String> {
        remarks(&Vec::from_iter(&self.group), pool)
    }

    /// As [`HandQuery::unmatched`].
    pub fn unmatched(&self, pool: &Pool) -> Vec<String> {
        unmatched(&Vec::from_iter(&self.group), pool)
    }
}

fn remarks(groups: &[&Group], pool: &Pool) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    for remark in groups.iter().flat_map(|group| group.cards.remarks(pool)) {
        if !remarks.contains(&remark.message) {
            remarks.push(remark.message);
        }
    }
    remarks
}

fn unmatched(groups: &[&Group], pool: &Pool) -> Vec<String> {
    let mut remarks = remarks(groups, pool);
    for group in groups {
        // What cannot be asked is an error of its own.
        let is_empty = group.select(pool, pool.ids()).is_ok_and(|cards| cards.is_empty());
        let remark = format!("no card is in `{}`", group.shown());
        if is_empty && !pool.is_empty() && !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    remarks
}

impl Parser<'_> {
    fn hand(&mut self, start: usize) -> Result<Hand, QueryError> {
        if let Some(some) = self.some(start, Self::hand, HandTest::Some)? {
            return Ok(some);
        }
        if self.take("(") {
            return self.bracket((start, start), |parser| parser.any(Self::hand));
        }
        if self.take_word("different") {
            let example = "`different` needs counts in brackets: `different(1+ [], 1+ [])`";
            let open = self.open(example)?;
            let mut counts = vec![self.count()?];
            while self.comma() {
                counts.push(self.count()?);
            }
            self.close(open)?;
            return Ok(Tree::Is(HandTest::Different(counts, self.since(start))));
        }
        if self.take_word("sum") {
            let (field, group) = self.total()?;
            return Ok(Tree::Is(HandTest::Total {
                field,
                group,
                comparison: self.numeric_comparison(
                    "a total is compared here: `=`, `!=`, `<`, `<=`, `>` or `>=` and a number",
                )?,
                number: self.whole()?,
            }));
        }
        Ok(Tree::Is(HandTest::Count(self.count()?)))
    }

    /// A comparison of numbers.
    fn numeric_comparison(&mut self, missing: &str) -> Result<Comparison, QueryError> {
        self.skip_space();
        let start = self.at;
        match self.comparison()? {
            Some(comparison) if comparison != Comparison::Is => Ok(comparison),
            _ => {
                self.at = start;
                self.fail_word(missing)
            }
        }
    }

    /// `"(" field ")" [ group ]`, after the word `sum`.
    fn total(&mut self) -> Result<(FieldName, Option<Group>), QueryError> {
        let open = self.open("`sum` needs a field in brackets: `sum(mana) >= 3`")?;
        let field = self.field()?;
        self.close(open)?;
        Ok((field, self.group_if_any()?))
    }

    fn count(&mut self) -> Result<Count, QueryError> {
        let (low, high) = match self.peek() {
            _ if self.take_word("no") => (0, Some(0)),
            Some(digit) if digit.is_ascii_digit() => self.range(|_| true)?,
            Some('-') => return self.fail_word("a count of cards cannot be negative"),
            Some(next) => {
                let is_group = next == '[' || self.at_quotation();
                let example = if is_group {
                    self.group_text().map(str::to_owned)
                } else {
                    self.unbracketed()
                };
                let example = example.as_deref().unwrap_or("[type:monster]");
                if is_group {
                    let message = format!("how many? Put a count before it, as in `1+ {example}`");
                    return self.fail(1, message);
                }
                return self
                    .fail_word(format!("expected a count and a group, as in `1+ {example}`"));
            }
            None => {
                let message = "a condition is missing here, such as `1+ [type:monster]`";
                return self.fail(0, message);
            }
        };
        let group = self.group()?;
        Ok(Count { low, high, group })
    }
}
