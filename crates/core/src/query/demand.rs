//! What a rule demands, as a format file writes it: the language of hand queries with sections,
//! arithmetic, and numbers on both sides of a comparison.

use super::hand::parse::{Formula, Reader};
use super::hand::{FieldName, Group};
use super::{Comparison, QueryError};
use crate::text::Span;

/// A demand, every part with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Demand {
    Any(Vec<Demand>),
    All(Vec<Demand>),
    Not(Box<Demand>),
    /// For some value of a field, of the cards that have it alone.
    Some(FieldName, Box<Demand>),
    /// Numbers, each compared with the next: `2 <= main <= 4`.
    Compare(Vec<Number>, Vec<Comparison>),
    /// So many copies: from the first number to the second.
    Count(u32, Option<u32>, Place),
    /// At least one copy.
    There(Place),
}

/// Cards in some sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The whole deck where it is empty.
    pub(crate) sections: Vec<FieldName>,
    /// All cards without it.
    pub(crate) group: Option<Group>,
    pub(crate) span: Span,
}

/// A number of the deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Number {
    Whole(i64),
    /// A setting, a value of the format, or copies in a section.
    Name(FieldName),
    /// Copies.
    Cards(Place),
    /// A function of a field over cards.
    Over(Function, FieldName, Place),
    /// `leader.level`: what the cards of a section add up to; `card.limit`: the card's own number.
    Of(FieldName, FieldName),
    /// The numbers, each added, or where the flag says so, taken off.
    Add(Vec<(bool, Number)>),
    Times(Box<Number>, Box<Number>),
    /// Rounded down.
    Div(Box<Number>, Box<Number>, Span),
    Least(Vec<Number>),
    Greatest(Vec<Number>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Sum,
    Different,
    Highest,
    Lowest,
}

impl Function {
    const ALL: [(&'static str, Function); 4] = [
        ("sum", Function::Sum),
        ("different", Function::Different),
        ("highest", Function::Highest),
        ("lowest", Function::Lowest),
    ];
}

/// Words that mean something else than a section or a setting.
const RESERVED: [&str; 6] = ["and", "or", "not", "of", "no", "some"];

impl Demand {
    /// Reads a demand.
    ///
    /// # Errors
    /// Anything that the grammar does not allow, with its place.
    pub(crate) fn parse(text: &str) -> Result<Demand, QueryError> {
        let mut reader = Reader::new(text);
        if reader.input.peek().is_none() {
            return reader.input.fail(
                0,
                "the demand is empty; write one as in `sum(mana) of main <= 20`",
            );
        }
        let demand = reader.any::<Demand>()?;
        match reader.input.peek() {
            None => Ok(demand),
            Some(')') => reader
                .input
                .fail(1, "a closing bracket without an opening one"),
            Some(_) => reader
                .input
                .fail_word("`and`, `or` or a comparison is missing before this"),
        }
    }
}

impl Formula for Demand {
    fn any(parts: Vec<Demand>) -> Demand {
        Demand::Any(parts)
    }

    fn all(parts: Vec<Demand>) -> Demand {
        Demand::All(parts)
    }

    fn not(part: Demand) -> Demand {
        Demand::Not(Box::new(part))
    }

    fn some(field: FieldName, part: Demand) -> Demand {
        Demand::Some(field, Box::new(part))
    }

    fn read(reader: &mut Reader<'_>, start: usize) -> Result<Demand, QueryError> {
        reader.demand(start)
    }
}

impl Reader<'_> {
    fn demand(&mut self, start: usize) -> Result<Demand, QueryError> {
        if self.take_word("no") {
            let place = self.place()?;
            return Ok(Demand::Count(0, Some(0), place));
        }
        if let Some(count) = self.counted(start)? {
            return Ok(count);
        }
        // A bracket may hold a demand, or a part of a number.
        if self.input.peek() == Some('(') {
            let before = (self.input.depth, self.terms);
            let inside = self.nested(start, |reader| {
                reader.input.take("(");
                let inner = reader.any()?;
                reader.close(start)?;
                Ok(inner)
            });
            match inside {
                Ok(demand) if !self.goes_on() => return Ok(demand),
                Err(error) if !self.is_number(start) => return Err(error),
                _ => {
                    self.input.at = start;
                    (self.input.depth, self.terms) = before;
                }
            }
        }
        self.compared()
    }

    /// Whether what stands in the bracket that begins here is a number.
    fn is_number(&mut self, start: usize) -> bool {
        let (at, before) = (self.input.at, (self.input.depth, self.terms));
        self.input.at = start;
        let is = self.sum().is_ok();
        self.input.at = at;
        (self.input.depth, self.terms) = before;
        is
    }

    /// Whether a number goes on behind a bracket.
    fn goes_on(&mut self) -> bool {
        matches!(
            self.input.peek(),
            Some(
                '+' | '-'
                    | '*'
                    | '/'
                    | '='
                    | '<'
                    | '>'
                    | '!'
                    | '\u{2264}'
                    | '\u{2265}'
                    | '\u{2260}'
            )
        )
    }

    /// `2+ main [type:relic]`, `1..3 [type:relic]`, `2- side`: a number that cards follow.
    fn counted(&mut self, start: usize) -> Result<Option<Demand>, QueryError> {
        if !self
            .input
            .rest()
            .starts_with(|next: char| next.is_ascii_digit())
        {
            return Ok(None);
        }
        let back = |reader: &mut Self| {
            reader.input.at = start;
            Ok(None)
        };
        if self.number().is_err() {
            return back(self);
        }
        self.input.at = start;
        let ends = |next: char| next.is_whitespace() || next == '[';
        let (low, high) = self.range(|next| next.is_none_or(ends))?;
        self.input.skip_space();
        let starts_place = self.input.at_quotation()
            || self.input.rest().starts_with('[')
            || (self.names_something() && !self.input.rest().is_empty());
        // `2+ 3`, `2 <= main`: a number like others.
        if !starts_place {
            return back(self);
        }
        let place = self.place()?;
        Ok(Some(Demand::Count(low, high, place)))
    }

    /// Whether a word stands here that is no word of the grammar, and no function.
    fn names_something(&self) -> bool {
        let word = self.word();
        let rest = &self.input.rest()[word.len()..];
        let starts = word.starts_with(char::is_alphabetic);
        starts && !RESERVED.contains(&word) && !rest.trim_start().starts_with('(')
    }

    /// Sections, a group, or both.
    fn place(&mut self) -> Result<Place, QueryError> {
        self.input.skip_space();
        let start = self.input.at;
        let mut sections = Vec::new();
        if self.names_something() {
            sections = self.sections()?;
        }
        let group = self.group_if_any()?;
        if sections.is_empty() && group.is_none() {
            return self.input.fail_word("a section or a group of cards stands here: `main`, `[type:monster]` or `main [type:monster]`");
        }
        Ok(Place {
            sections,
            group,
            span: Span::new(start, self.input.at),
        })
    }

    /// `main`, or `main+side` without spaces.
    fn sections(&mut self) -> Result<Vec<FieldName>, QueryError> {
        let mut sections = vec![self.field()?];
        loop {
            let rest = self.input.rest();
            let next = rest.strip_prefix('+');
            if !next.is_some_and(|next| next.starts_with(char::is_alphabetic)) {
                return Ok(sections);
            }
            self.input.take("+");
            sections.push(self.field()?);
        }
    }

    fn group_if_any(&mut self) -> Result<Option<Group>, QueryError> {
        match self.input.peek() {
            Some('[') => self.group().map(Some),
            Some(_) if self.input.at_quotation() => self.group().map(Some),
            _ => Ok(None),
        }
    }

    /// Numbers compared, or cards alone, of which there must be one.
    fn compared(&mut self) -> Result<Demand, QueryError> {
        self.input.skip_space();
        let start = self.input.at;
        let mut numbers = vec![self.sum()?];
        let mut comparisons = Vec::new();
        loop {
            self.input.skip_space();
            let at = self.input.at;
            match self.input.comparison()? {
                None => break,
                Some(Comparison::Is) => {
                    self.input.at = at;
                    return self
                        .input
                        .fail_word("numbers are compared by `=`, `!=`, `<`, `<=`, `>` or `>=`");
                }
                Some(comparison) => comparisons.push(comparison),
            }
            numbers.push(self.sum()?);
        }
        match (numbers.pop(), comparisons.is_empty()) {
            (Some(Number::Cards(place)), true) => Ok(Demand::There(place)),
            (Some(Number::Name(name)), true) => {
                let span = name.span;
                Ok(Demand::There(Place {
                    sections: vec![name],
                    group: None,
                    span,
                }))
            }
            (Some(last), false) => {
                numbers.push(last);
                Ok(Demand::Compare(numbers, comparisons))
            }
            _ => {
                let span = Span::new(start, self.input.at.max(start));
                Err(QueryError::at(
                    "this number is compared with nothing, as in `… <= 20`",
                    span,
                ))
            }
        }
    }

    fn sum(&mut self) -> Result<Number, QueryError> {
        let mut parts = vec![(false, self.product()?)];
        loop {
            self.input.skip_space();
            let off = if self.input.take("+") {
                false
            } else if self.input.take("-") || self.input.take("\u{2212}") {
                true
            } else {
                break;
            };
            self.term()?;
            parts.push((off, self.product()?));
        }
        Ok(match parts.len() {
            1 => parts.remove(0).1,
            _ => Number::Add(parts),
        })
    }

    fn product(&mut self) -> Result<Number, QueryError> {
        let mut number = self.factor()?;
        loop {
            self.input.skip_space();
            let start = self.input.at;
            if self.input.take("*") || self.input.take("\u{d7}") {
                number = Number::Times(Box::new(number), Box::new(self.factor()?));
            } else if self.input.take("/") {
                let by = self.factor()?;
                number = Number::Div(
                    Box::new(number),
                    Box::new(by),
                    Span::new(start, self.input.at),
                );
            } else {
                return Ok(number);
            }
            self.term()?;
        }
    }

    fn factor(&mut self) -> Result<Number, QueryError> {
        let next = self.input.peek();
        let start = self.input.at;
        match next {
            Some('(') => {
                self.input.take("(");
                return self.nested(start, |reader| {
                    let inner = reader.sum()?;
                    reader.close(start)?;
                    Ok(inner)
                });
            }
            Some('-') => {
                self.input.take("-");
                return self.nested(start, |reader| {
                    let number = reader.factor()?;
                    Ok(Number::Add(vec![(true, number)]))
                });
            }
            Some(digit) if digit.is_ascii_digit() => return self.whole().map(Number::Whole),
            Some('[') => return self.place().map(Number::Cards),
            Some(_) if self.input.at_quotation() => return self.place().map(Number::Cards),
            Some(_) => {}
            None => {
                return self.input.fail(
                    0,
                    "a number is missing here, such as `sum(mana) of main` or `20`",
                );
            }
        }
        let word = self.word();
        let called = self.input.rest()[word.len()..]
            .trim_start()
            .starts_with('(');
        if called && (word == "min" || word == "max") {
            let least = word == "min";
            self.take_word(word);
            let open = self.open("")?;
            let parts = self.nested(start, |reader| {
                let mut parts = vec![reader.sum()?];
                while {
                    reader.input.skip_space();
                    reader.input.take(",")
                } {
                    reader.term()?;
                    parts.push(reader.sum()?);
                }
                reader.close(open)?;
                Ok(parts)
            })?;
            return Ok(if least {
                Number::Least(parts)
            } else {
                Number::Greatest(parts)
            });
        }
        if let Some((_, function)) = Function::ALL
            .into_iter()
            .find(|(name, _)| called && *name == word)
        {
            self.take_word(word);
            let open = self.open("")?;
            let field = self.field()?;
            self.close(open)?;
            let sections = if self.take_word("of") {
                self.sections()?
            } else {
                Vec::new()
            };
            let group = self.group_if_any()?;
            let place = Place {
                sections,
                group,
                span: Span::new(start, self.input.at),
            };
            return Ok(Number::Over(function, field, place));
        }
        if called && word.starts_with(char::is_alphabetic) {
            let message = format!(
                "there is no function `{word}`; there are `sum`, `different`, `highest`, `lowest`, `min` and `max`"
            );
            return self.input.fail(word.chars().count(), &message);
        }
        if !self.names_something() {
            return self.input.fail_word("a number stands here: a whole number, a section, a setting, or as in `sum(mana) of main`");
        }
        let sections = self.sections()?;
        if let [only] = sections.as_slice()
            && self.input.take(".")
        {
            let field = self.field()?;
            return Ok(Number::Of(only.clone(), field));
        }
        let group = self.group_if_any()?;
        Ok(match (sections.len(), group) {
            (1, None) => Number::Name(sections.into_iter().next().unwrap_or_else(|| FieldName {
                name: String::new(),
                span: Span::new(start, start),
            })),
            (_, group) => Number::Cards(Place {
                sections,
                group,
                span: Span::new(start, self.input.at),
            }),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_demand_is_refused_at_its_place() {
        for (text, start, word) in [
            ("", 0, "empty"),
            ("main", 0, ""),
            ("main <=", 7, "a number is missing"),
            ("main <= 3 side", 10, "missing before this"),
            ("main <= 3)", 9, "closing bracket"),
            ("(main <= 3", 0, "never closed"),
            ("main : 3", 5, "compared by"),
            ("main + 3", 0, "compared with nothing"),
            ("sum(mana", 3, "never closed"),
            ("sun(mana) <= 3", 0, "no function `sun`"),
            ("3+ ", 0, ""),
            ("3..2 [cost>=1]", 0, "smaller first"),
            ("main [cost>] <= 3", 11, ""),
            ("some kind main", 10, "brackets"),
            ("main <= 99999999999999999999", 8, "too large"),
            ("main == 3", 5, "did you mean `=`"),
        ] {
            match Demand::parse(text) {
                Ok(_) => assert_eq!(word, "", "{text}"),
                Err(error) => {
                    assert!(error.message.contains(word), "{text}: {error}");
                    assert!(
                        error.span.start >= start || word.is_empty(),
                        "{text}: {error:?}"
                    );
                    assert!(error.span.end <= text.len(), "{text}: {error:?}");
                }
            }
        }
    }

    /// Brackets that could be of a number or of a condition cost no more the deeper they stand.
    #[test]
    fn deep_brackets_are_read_at_once() {
        for depth in [50, 99] {
            let open = "(".repeat(depth);
            let text = format!("{open}main{} <= 3", " + 1)".repeat(depth));
            assert!(Demand::parse(&text).is_ok(), "{depth}");
            let text = format!("{open}main <= 3{}", ")".repeat(depth));
            assert!(Demand::parse(&text).is_ok(), "{depth}");
        }
        assert!(Demand::parse(&"(".repeat(100_000)).is_err());
        assert!(Demand::parse(&"-".repeat(100_000)).is_err());
        assert!(Demand::parse(&"not ".repeat(100_000)).is_err());
    }

    #[test]
    fn brackets_and_signs_bind_as_in_arithmetic() {
        let same = |one: &str, other: &str| assert_eq!(shape(one), shape(other), "{one}");
        same("1 + 2 * main <= 3", "1 + (2 * main) <= 3");
        same("a or b and c", "a or (b and c)");
        same("not a and b", "(not a) and b");
        assert_ne!(
            shape("main - side - 1 <= 3"),
            shape("main - (side - 1) <= 3")
        );
    }

    /// The tree without places.
    fn shape(text: &str) -> String {
        let tree = format!("{:?}", Demand::parse(text).unwrap());
        let mut parts = tree.split("Span { ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + part.split_once('}').unwrap().1)
    }
}
