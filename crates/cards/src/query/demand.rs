//! What a rule demands, as a format file writes it: the language of hand queries with sections,
//! arithmetic, and numbers on both sides of a comparison.

use super::parser::{COMPARES, Parser};
use super::tree::{FieldName, Group, Tree};
use super::{Comparison, QueryError, no_such};
use decklaw_text::text::Span;

/// A demand on a deck.
pub type Demand = Tree<DemandTest>;

/// A demand without `and`, `or` and `not`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DemandTest {
    /// Numbers, each compared with the next: `2 <= main <= 4`.
    Compare(Vec<Number>, Vec<Comparison>),
    /// The least and the most copies of cards.
    Count(u32, Option<u32>, Place),
}

/// Cards in some sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The whole deck where it is empty.
    pub sections: Vec<FieldName>,
    /// All cards without it.
    pub group: Option<Group>,
}

impl Place {
    /// All cards of a section.
    pub fn section(name: FieldName) -> Place {
        Place { sections: vec![name], group: None }
    }
}

/// A number of the deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Number {
    Whole(i64),
    /// A setting, a value of the format, or copies in a section.
    Name(FieldName),
    /// Copies.
    Cards(Place),
    /// A function of a field over cards.
    Over(Function, FieldName, Place),
    /// `leader.level`: the sum over the cards of a section; `card.limit`: the card's own number.
    Of(FieldName, FieldName),
    /// The numbers, each added, or subtracted where the flag says so.
    Add(Vec<(bool, Number)>),
    Times(Box<Number>, Box<Number>),
    /// Rounded down.
    Div(Box<Number>, Box<Number>, Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Sum,
    Different,
}

/// The functions of a field.
const FUNCTIONS: [&str; 2] = ["sum", "different"];

/// Words that are no part of a demand any more, and what says the same.
const ELSEWHERE: [(&str, &str); 5] = [
    ("highest", "write `must: {total: {sections: […], field: …, per: highest, max: …}}`"),
    ("lowest", "write `must: {total: {sections: […], field: …, per: lowest, min: …}}`"),
    ("min", "compare with each number, joined by `and` or `or`: `main <= 3 and main <= side`"),
    ("max", "compare with each number, joined by `and` or `or`: `main <= 3 or main <= side`"),
    (
        "some",
        "write a demand for each value, joined by `or`, or `must: {values: {sections: […], field: …, with-at-least: …, min: 1}}`",
    ),
];

/// Words of the grammar, which are no sections or settings.
const RESERVED: [&str; 6] = ["and", "or", "not", "of", "no", "some"];

/// Reads a demand.
///
/// # Errors
/// Anything that the grammar does not allow, with its place.
pub fn parse(text: &str) -> Result<Demand, QueryError> {
    let mut parser = Parser::new(text);
    if parser.peek().is_none() {
        let message = "the demand is empty; write one as in `sum(mana) of main <= 20`";
        return parser.fail(0, message);
    }
    let demand = parser.any(Parser::demand)?;
    parser.end("`and`, `or` or a comparison")?;
    Ok(demand)
}

impl Parser<'_> {
    fn demand(&mut self, start: usize) -> Result<Demand, QueryError> {
        if self.word() == "some" {
            return self.fail("some".len(), elsewhere("some"));
        }
        if self.take_word("no") {
            return Ok(Tree::Is(DemandTest::Count(0, Some(0), self.place()?)));
        }
        if let Some(count) = self.counted()? {
            return Ok(Tree::Is(count));
        }
        // A bracket may hold a demand, or a part of a number.
        if self.rest().starts_with('(') {
            let mut ahead = self.clone();
            ahead.take("(");
            match ahead.bracket((start, start), |parser| parser.any(Self::demand)) {
                Ok(demand) if !ahead.at_operator() => {
                    *self = ahead;
                    return Ok(demand);
                }
                Err(error) if self.clone().sum().is_err() => return Err(error),
                _ => {}
            }
        }
        Ok(Tree::Is(self.compared()?))
    }

    /// Whether a number goes on after a bracket.
    fn at_operator(&mut self) -> bool {
        let goes_on = |next| next != ':' && COMPARES.contains(next) || "+-*/".contains(next);
        self.peek().is_some_and(goes_on)
    }

    /// `2+ main [type:relic]`, `1..3 [type:relic]`, `2- side`: a number before cards.
    fn counted(&mut self) -> Result<Option<DemandTest>, QueryError> {
        let is_digit = |next: char| next.is_ascii_digit();
        if !self.rest().starts_with(is_digit) || self.clone().number().is_err() {
            return Ok(None);
        }
        let mut ahead = self.clone();
        let ends = |next: char| next.is_whitespace() || next == '[';
        let (low, high) = ahead.range(|next| next.is_none_or(ends))?;
        let is_group = ahead.peek() == Some('[') || ahead.at_quotation();
        // `2+ 3`, `2 <= main`: a number like others.
        if !is_group && !ahead.at_name() {
            return Ok(None);
        }
        *self = ahead;
        Ok(Some(DemandTest::Count(low, high, self.place()?)))
    }

    /// Whether the name of a section or a setting is next.
    fn at_name(&self) -> bool {
        let word = self.word();
        word.starts_with(char::is_alphabetic) && !RESERVED.contains(&word) && !self.is_called(word)
    }

    /// Whether a bracket follows a word that is next.
    fn is_called(&self, word: &str) -> bool {
        self.rest()[word.len()..].trim_start().starts_with('(')
    }

    /// Sections, a group, or both.
    fn place(&mut self) -> Result<Place, QueryError> {
        self.skip_space();
        let sections = if self.at_name() { self.sections()? } else { Vec::new() };
        let group = self.group_if_any()?;
        if sections.is_empty() && group.is_none() {
            return self.fail_word("a section or a group of cards is missing here: `main`, `[type:monster]` or `main [type:monster]`");
        }
        Ok(Place { sections, group })
    }

    /// `main`, or `main+side` without spaces.
    fn sections(&mut self) -> Result<Vec<FieldName>, QueryError> {
        let mut sections = vec![self.field()?];
        while let Some(next) = self.rest().strip_prefix('+')
            && next.starts_with(char::is_alphabetic)
        {
            self.at += 1;
            sections.push(self.field()?);
        }
        Ok(sections)
    }

    /// Numbers compared, or a single section or group, which must have a card.
    fn compared(&mut self) -> Result<DemandTest, QueryError> {
        self.skip_space();
        let start = self.at;
        let mut numbers = vec![self.sum()?];
        let mut comparisons = Vec::new();
        loop {
            self.skip_space();
            let at = self.at;
            match self.comparison()? {
                None => break,
                Some(Comparison::Is) => {
                    self.at = at;
                    return self
                        .fail_word("numbers are compared by `=`, `!=`, `<`, `<=`, `>` or `>=`");
                }
                Some(comparison) => comparisons.push(comparison),
            }
            numbers.push(self.sum()?);
        }
        if !comparisons.is_empty() {
            return Ok(DemandTest::Compare(numbers, comparisons));
        }
        let place = match numbers.pop() {
            Some(Number::Cards(place)) => place,
            Some(Number::Name(name)) => Place::section(name),
            _ => {
                let message = "this number is compared with nothing, as in `… <= 20`";
                return Err(QueryError::at(message, self.since(start)));
            }
        };
        Ok(DemandTest::Count(1, None, place))
    }

    fn sum(&mut self) -> Result<Number, QueryError> {
        let mut parts = vec![(false, self.product()?)];
        loop {
            self.skip_space();
            let is_plus = self.take("+");
            if !is_plus && !self.take("-") && !self.take("\u{2212}") {
                break;
            }
            self.term()?;
            parts.push((!is_plus, self.product()?));
        }
        Ok(match <[_; 1]>::try_from(parts) {
            Ok([(_, only)]) => only,
            Err(parts) => Number::Add(parts),
        })
    }

    fn product(&mut self) -> Result<Number, QueryError> {
        let mut number = self.factor()?;
        loop {
            self.skip_space();
            let start = self.at;
            if self.take("*") || self.take("\u{d7}") {
                number = Number::Times(Box::new(number), Box::new(self.factor()?));
            } else if self.take("/") {
                let by = Box::new(self.factor()?);
                number = Number::Div(Box::new(number), by, self.since(start));
            } else {
                return Ok(number);
            }
            self.term()?;
        }
    }

    fn factor(&mut self) -> Result<Number, QueryError> {
        let next = self.peek();
        let start = self.at;
        match next {
            Some('(') => {
                self.take("(");
                return self.bracket((start, start), Self::sum);
            }
            Some('-') => {
                self.take("-");
                let number = self.nested(start, Self::factor)?;
                return Ok(Number::Add(vec![(true, number)]));
            }
            Some(digit) if digit.is_ascii_digit() => return self.whole().map(Number::Whole),
            Some('[') => return self.place().map(Number::Cards),
            Some(_) if self.at_quotation() => return self.place().map(Number::Cards),
            Some(_) => {}
            None => {
                let message = "a number is missing here, such as `sum(mana) of main` or `20`";
                return self.fail(0, message);
            }
        }
        let word = self.word();
        if word.starts_with(char::is_alphabetic) && self.is_called(word) {
            return self.function(word);
        }
        if !self.at_name() {
            return self.fail_word("a number is missing here: a whole number, a section, a setting, or as in `sum(mana) of main`");
        }
        let sections = self.sections()?;
        let only = <[FieldName; 1]>::try_from(sections);
        Ok(match only {
            Ok([section]) if self.take(".") => Number::Of(section, self.field()?),
            Ok([name]) => match self.group_if_any()? {
                None => Number::Name(name),
                group => Number::Cards(Place { sections: vec![name], group }),
            },
            Err(sections) => Number::Cards(Place { sections, group: self.group_if_any()? }),
        })
    }

    /// A function, whose name is next.
    fn function(&mut self, word: &str) -> Result<Number, QueryError> {
        let function = match word {
            "sum" => Function::Sum,
            "different" => Function::Different,
            _ if ELSEWHERE.iter().any(|(own, _)| *own == word) => {
                return self.fail(word.chars().count(), elsewhere(word));
            }
            _ => {
                let message = no_such("function", word, &FUNCTIONS);
                return self.fail(word.chars().count(), message);
            }
        };
        self.take_word(word);
        let open = self.open("")?;
        let field = self.field()?;
        self.close(open)?;
        let sections = if self.take_word("of") { self.sections()? } else { Vec::new() };
        let group = self.group_if_any()?;
        Ok(Number::Over(function, field, Place { sections, group }))
    }
}

/// That a word is no part of a demand, and what to write.
fn elsewhere(word: &str) -> String {
    let mut known = ELSEWHERE.iter();
    let instead = known.find(|(own, _)| *own == word).map_or("", |(_, instead)| *instead);
    format!("`{word}` is not part of a demand; {instead}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::parse;

    #[test]
    fn what_is_no_demand_is_refused_at_its_place() {
        for (text, start, word) in [
            ("", 0, "empty"),
            ("main <=", 7, "a number is missing"),
            ("main <= 3 side", 10, "missing before this"),
            ("main <= 3)", 9, "closing bracket"),
            ("(main <= 3", 0, "never closed"),
            ("main : 3", 5, "compared by"),
            ("main + 3", 0, "compared with nothing"),
            ("sum(mana", 3, "never closed"),
            ("sun(mana) <= 3", 0, "did you mean `sum`?"),
            ("3+ ", 3, "missing"),
            ("3..2 [cost>=1]", 0, "smaller first"),
            ("main [cost>] <= 3", 11, "value"),
            ("some kind (main)", 0, "for each value"),
            ("main <= max(2, side)", 8, "joined by"),
            ("highest(cost) of main <= 3", 0, "per: highest"),
            ("main <= 99999999999999999999", 8, "too large"),
            ("main == 3", 5, "did you mean `=`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.message.contains(word), "{text}: {error}");
            assert_eq!(error.span.start, start, "{text}: {error:?}");
            assert!(error.span.end <= text.len(), "{text}: {error:?}");
        }
    }

    /// Brackets that could be of a number or of a condition cost no more the deeper they are.
    #[test]
    fn deep_brackets_are_read_at_once() {
        for depth in [50, 99] {
            let open = "(".repeat(depth);
            let text = format!("{open}main{} <= 3", " + 1)".repeat(depth));
            assert!(parse(&text).is_ok(), "{depth}");
            let text = format!("{open}main <= 3{}", ")".repeat(depth));
            assert!(parse(&text).is_ok(), "{depth}");
        }
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"-".repeat(100_000)).is_err());
        assert!(parse(&"not ".repeat(100_000)).is_err());
    }

    #[test]
    fn brackets_and_signs_bind_as_in_arithmetic() {
        let same = |one: &str, other: &str| assert_eq!(shape(one), shape(other), "{one}");
        same("1 + 2 * main <= 3", "1 + (2 * main) <= 3");
        same("a or b and c", "a or (b and c)");
        same("not a and b", "(not a) and b");
        same("main", "1+ main");
        assert_ne!(shape("main - side - 1 <= 3"), shape("main - (side - 1) <= 3"));
    }

    /// The tree without places.
    fn shape(text: &str) -> String {
        let tree = format!("{:?}", parse(text).unwrap());
        let mut parts = tree.split("Span { ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + part.split_once('}').unwrap().1)
    }
}
