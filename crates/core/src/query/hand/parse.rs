//! From a hand query's text to its tree, every part with its place.

use super::{Count, FieldName, Group, Hand};
use crate::limits::query::MOST_TERMS;
use crate::query::cursor::{Cursor, closing};
use crate::query::{Comparison, Query, QueryError};
use crate::text::Span;

/// The largest number of cards that a count may name.
const LARGEST: u32 = 1_000_000;

pub(in crate::query) struct Reader<'t> {
    pub(in crate::query) input: Cursor<'t>,
    pub(in crate::query) terms: usize,
}

/// A condition that may be made of others: what hand queries and demands have in common.
pub(in crate::query) trait Formula: Sized {
    fn any(parts: Vec<Self>) -> Self;
    fn all(parts: Vec<Self>) -> Self;
    fn not(part: Self) -> Self;
    /// That it holds of the cards with one value of a field.
    fn some(field: FieldName, part: Self) -> Self;
    /// Reads a condition that begins with none of the words for these.
    fn read(reader: &mut Reader<'_>, start: usize) -> Result<Self, QueryError>;
}

impl Formula for Hand {
    fn any(parts: Vec<Hand>) -> Hand {
        Hand::Any(parts)
    }

    fn all(parts: Vec<Hand>) -> Hand {
        Hand::All(parts)
    }

    fn not(part: Hand) -> Hand {
        Hand::Not(Box::new(part))
    }

    fn some(field: FieldName, part: Hand) -> Hand {
        Hand::Some(field, Box::new(part))
    }

    fn read(reader: &mut Reader<'_>, start: usize) -> Result<Hand, QueryError> {
        reader.hand(start)
    }
}

/// Reads a whole hand query.
pub(crate) fn hand(text: &str) -> Result<Hand, QueryError> {
    let mut reader = Reader::new(text);
    if reader.input.peek().is_none() {
        return reader.input.fail(
            0,
            "the query is empty; ask for cards, as in `1+ [type:monster]`",
        );
    }
    let hand = reader.any::<Hand>()?;
    match reader.input.peek() {
        None => Ok(hand),
        Some(')') => reader
            .input
            .fail(1, "a closing bracket without an opening one"),
        Some(_) => reader
            .input
            .fail_word("`and` or `or` is missing before this"),
    }
}

/// Reads `sum(field) [group]` without a comparison.
pub(crate) fn total(text: &str) -> Result<(FieldName, Option<Group>), QueryError> {
    let mut reader = Reader::new(text);
    if !reader.take_word("sum") {
        return reader
            .input
            .fail_word("a total is written `sum(field)` or `sum(field) [group]`");
    }
    let parts = reader.total()?;
    match reader.input.peek() {
        None => Ok(parts),
        Some(_) => reader
            .input
            .fail_word("a total ends here; it is not compared with anything"),
    }
}

impl<'t> Reader<'t> {
    pub(in crate::query) fn new(text: &'t str) -> Reader<'t> {
        Reader {
            input: Cursor::new(text),
            terms: 0,
        }
    }

    /// `conj { "or" conj }`
    pub(in crate::query) fn any<F: Formula>(&mut self) -> Result<F, QueryError> {
        let mut either = vec![self.all()?];
        while self.take_word("or") {
            either.push(self.all()?);
        }
        Ok(one_or(either, F::any))
    }

    /// `lit { "and" lit }`
    fn all<F: Formula>(&mut self) -> Result<F, QueryError> {
        let mut both = vec![self.literal()?];
        while self.take_word("and") {
            both.push(self.literal()?);
        }
        Ok(one_or(both, F::all))
    }

    fn literal<F: Formula>(&mut self) -> Result<F, QueryError> {
        self.input.skip_space();
        let start = self.input.at;
        self.term()?;
        if self.take_word("not") {
            return self.nested(start, |reader| Ok(F::not(reader.literal()?)));
        }
        if self.take_word("some") {
            let field = self.field()?;
            let open = self.open("`some` needs its condition in brackets: `some suit (2+ [])`")?;
            return self.nested(start, |reader| {
                let inner = reader.any()?;
                reader.close(open)?;
                Ok(F::some(field, inner))
            });
        }
        F::read(self, start)
    }

    fn hand(&mut self, start: usize) -> Result<Hand, QueryError> {
        if self.input.take("(") {
            return self.nested(start, |reader| {
                let inner = reader.any()?;
                reader.close(start)?;
                Ok(inner)
            });
        }
        if self.take_word("different") {
            let open =
                self.open("`different` needs counts in brackets: `different(1+ [], 1+ [])`")?;
            let mut counts = vec![self.count()?];
            while {
                self.input.skip_space();
                self.input.take(",")
            } {
                counts.push(self.count()?);
            }
            self.close(open)?;
            return Ok(Hand::Different(counts, Span::new(start, self.input.at)));
        }
        if self.take_word("sum") {
            let (field, group) = self.total()?;
            let comparison = self.comparison()?;
            let number = self.whole()?;
            return Ok(Hand::Total {
                field,
                group,
                comparison,
                number,
            });
        }
        Ok(Hand::Count(self.count()?))
    }

    /// Counts a condition.
    pub(in crate::query) fn term(&mut self) -> Result<(), QueryError> {
        self.terms += 1;
        match self.terms > MOST_TERMS {
            true => self
                .input
                .fail_word("too many conditions; a query may have 1000"),
            false => Ok(()),
        }
    }

    pub(in crate::query) fn nested<T>(
        &mut self,
        start: usize,
        inner: impl FnOnce(&mut Self) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        self.input.enter(start)?;
        let hand = inner(self)?;
        self.input.leave();
        Ok(hand)
    }

    /// `"(" field ")" [ group ]`, the word `sum` being read already.
    fn total(&mut self) -> Result<(FieldName, Option<Group>), QueryError> {
        let open = self.open("`sum` needs a field in brackets: `sum(mana) >= 3`")?;
        let field = self.field()?;
        self.close(open)?;
        let group = match self.input.peek() {
            Some('[') => Some(self.group()?),
            Some(next) if closing(next).is_some() => Some(self.group()?),
            _ => None,
        };
        Ok((field, group))
    }

    fn count(&mut self) -> Result<Count, QueryError> {
        if self.take_word("no") {
            let group = self.group()?;
            return Ok(Count {
                low: 0,
                high: Some(0),
                group,
            });
        }
        match self.input.peek() {
            Some(digit) if digit.is_ascii_digit() => {}
            Some(next) if next == '[' || closing(next).is_some() => {
                let start = self.input.at;
                let group = self
                    .group()
                    .map(|_| &self.input.text()[start..self.input.at]);
                let example = group.unwrap_or("[type:monster]");
                self.input.at = start;
                let message = format!("how many? Put a count before it, as in `1+ {example}`");
                return self.input.fail(1, &message);
            }
            Some('-') => return self.input.fail_word("a count of cards cannot be negative"),
            Some(_) => {
                let example = self.loose();
                let example = example.as_deref().unwrap_or("[type:monster]");
                let message = format!("expected a count and a group, as in `1+ {example}`");
                return self.input.fail_word(&message);
            }
            None => {
                return self.input.fail(
                    0,
                    "a condition is missing here, such as `1+ [type:monster]`",
                );
            }
        }
        let (low, high) = self.range(|_| true)?;
        let group = self.group()?;
        Ok(Count { low, high, group })
    }

    /// `2`, `2+`, `2-` or `2..4`. `ends`: whether this may stand behind the `+` or `-`.
    pub(in crate::query) fn range(
        &mut self,
        ends: impl Fn(Option<char>) -> bool,
    ) -> Result<(u32, Option<u32>), QueryError> {
        let start = self.input.at;
        let low = self.number()?;
        if self.input.take("..") {
            self.input.skip_space();
            let high = self.number()?;
            if high < low {
                let message = format!("no number is from {low} to {high}; write the smaller first");
                let span = Span::new(start, self.input.at);
                return Err(QueryError { message, span });
            }
            return Ok((low, Some(high)));
        }
        let behind = self.input.rest().chars().nth(1);
        Ok(match self.input.rest().chars().next() {
            Some('+') if ends(behind) => {
                self.input.take("+");
                (low, None)
            }
            Some('-') if ends(behind) => {
                self.input.take("-");
                (0, Some(low))
            }
            _ => (low, Some(low)),
        })
    }

    pub(in crate::query) fn group(&mut self) -> Result<Group, QueryError> {
        self.input.skip_space();
        let start = self.input.at;
        let (offset, end) = if self.input.at_quotation() {
            self.input.quoted()?;
            (start, self.input.at)
        } else if self.input.take("[") {
            let mut quoted: Option<&[char]> = None;
            let close = self.input.rest().find(|next: char| {
                match quoted {
                    Some(ends) if ends.contains(&next) => quoted = None,
                    Some(_) => {}
                    None => quoted = closing(next),
                }
                next == ']' && quoted.is_none()
            });
            let Some(length) = close else {
                self.input.at = start;
                return self.input.fail(1, "this bracket is never closed");
            };
            let offset = self.input.at;
            self.input.at += length + 1;
            (offset, offset + length)
        } else {
            let message = match self.loose() {
                Some(group) => {
                    format!("a group stands here, in brackets or quotation marks: `{group}`")
                }
                None => {
                    "a group stands here: `[type:monster]`, `[]` or \"a card's name\"".to_owned()
                }
            };
            return self.input.fail_word(&message);
        };
        let cards =
            Query::parse(&self.input.text()[offset..end]).map_err(|error| error.moved(offset))?;
        Ok(Group {
            cards,
            offset,
            span: Span::new(start, self.input.at),
        })
    }

    /// What stands here without brackets, up to what joins it to the next condition: the group
    /// that is meant, where that is plain.
    fn loose(&mut self) -> Option<String> {
        self.input.skip_space();
        let rest = self.input.rest();
        let lower = rest.to_ascii_lowercase();
        let ends = [" and ", " or "].iter().filter_map(|word| lower.find(word));
        let text = rest[..ends.min().unwrap_or(rest.len())].trim();
        let text = match text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
        {
            Some(inner) => inner.trim(),
            None => text,
        };
        if text.is_empty() || text.contains(['[', ']', '"', '(', ')', '`']) {
            return None;
        }
        let compares = [':', '=', '<', '>', '\u{2264}', '\u{2265}', '\u{2260}'];
        Some(match text.contains(compares) {
            true => format!("[{text}]"),
            false => format!("\"{text}\""),
        })
    }

    pub(in crate::query) fn field(&mut self) -> Result<FieldName, QueryError> {
        self.input.skip_space();
        let word = self.word();
        if word.is_empty() {
            return self.input.fail(1, "the name of a field is missing here");
        }
        let span = Span::new(self.input.at, self.input.at + word.len());
        let name = crate::name::fold(word).into_owned();
        self.input.at = span.end;
        Ok(FieldName { name, span })
    }

    fn comparison(&mut self) -> Result<Comparison, QueryError> {
        self.input.skip_space();
        let start = self.input.at;
        match self.input.comparison()? {
            Some(comparison) if comparison != Comparison::Is => Ok(comparison),
            _ => {
                self.input.at = start;
                self.input.fail_word(
                    "a total is compared here: `=`, `!=`, `<`, `<=`, `>` or `>=` and a number",
                )
            }
        }
    }

    pub(in crate::query) fn whole(&mut self) -> Result<i64, QueryError> {
        self.input.skip_space();
        let start = self.input.at;
        let negative = usize::from(self.input.take("-"));
        let rest = self.input.rest();
        let digits = rest.find(|next: char| !next.is_ascii_digit());
        let end = self.input.at + digits.unwrap_or(rest.len());
        self.input.at = start;
        if end == start + negative {
            return self.input.fail_word("a whole number is missing here");
        }
        match self.input.text()[start..end].parse() {
            Ok(number) => {
                self.input.at = end;
                Ok(number)
            }
            Err(_) => self.input.fail(end - start, "this number is too large"),
        }
    }

    pub(in crate::query) fn number(&mut self) -> Result<u32, QueryError> {
        let start = self.input.at;
        let number = self.whole()?;
        match u32::try_from(number).ok().filter(|found| *found <= LARGEST) {
            Some(number) => Ok(number),
            None => {
                let length = self.input.at - start;
                self.input.at = start;
                let message = if number < 0 {
                    "a count of cards cannot be negative"
                } else {
                    "no deck has so many cards; a count is at most 1000000"
                };
                self.input.fail(length, message)
            }
        }
    }

    pub(in crate::query) fn open(&mut self, message: &str) -> Result<usize, QueryError> {
        self.input.skip_space();
        let at = self.input.at;
        if self.input.take("(") {
            Ok(at)
        } else {
            self.input.fail_word(message)
        }
    }

    pub(in crate::query) fn close(&mut self, open: usize) -> Result<(), QueryError> {
        self.input.skip_space();
        if self.input.take(")") {
            return Ok(());
        }
        if self.input.at < self.input.text().len() {
            return self
                .input
                .fail_word("this cannot stand here; is a bracket not closed?");
        }
        self.input.at = open;
        let here = &self.input.text()[open..];
        self.input.fail(
            usize::from(here.starts_with('(')).max(1),
            "this bracket is never closed",
        )
    }

    /// The letters, digits and joining marks from here on.
    pub(in crate::query) fn word(&self) -> &'t str {
        let rest = self.input.rest();
        let end = rest.find(|next: char| !(next.is_alphanumeric() || "_-".contains(next)));
        &rest[..end.unwrap_or(rest.len())]
    }

    pub(in crate::query) fn take_word(&mut self, wanted: &str) -> bool {
        self.input.skip_space();
        let found = self.word().eq_ignore_ascii_case(wanted);
        if found {
            self.input.at += wanted.len();
        }
        found
    }
}

fn one_or<F>(mut parts: Vec<F>, several: impl Fn(Vec<F>) -> F) -> F {
    match parts.len() {
        1 => parts.remove(0),
        _ => several(parts),
    }
}
