//! The grammar of card queries.

use super::QueryError;
use super::parser::{COMPARES, Parser};
use super::tree::{CardTest, Comparison, Tree, Word};
use decklaw_text::name::fold;
use decklaw_text::text::Span;

/// Where a word ends that is not a value.
const ENDS: &str = "()\":=!<>\u{2260}\u{2264}\u{2265}\u{201c}\u{201d}\u{201e}\u{ab}\u{bb}";
/// Where a value ends.
const VALUE_ENDS: &str = "()\"";

/// Words that join conditions or negate them, in any case of letters.
const RESERVED: [&str; 3] = ["and", "or", "not"];

pub(super) fn reserved(word: &str) -> Option<&'static str> {
    let mut all = RESERVED.into_iter();
    all.find(|known| word.eq_ignore_ascii_case(known))
}

pub(super) fn parse(text: &str) -> Result<Tree<CardTest>, QueryError> {
    let mut parser = Parser::new(text);
    let tree = parser.cards()?;
    parser.end("`and`")?;
    Ok(tree)
}

impl Parser<'_> {
    /// `conjunction { "or" conjunction }`
    fn cards(&mut self) -> Result<Tree<CardTest>, QueryError> {
        let mut either = vec![self.conjunction()?];
        while let Some(span) = self.take_reserved("or") {
            let next = self.conjunction()?;
            if next.is_empty() || either.last().is_some_and(Tree::is_empty) {
                return one_sided("or", span);
            }
            either.push(next);
        }
        Ok(Tree::any(either))
    }

    /// `{ [ "and" ] term }`
    fn conjunction(&mut self) -> Result<Tree<CardTest>, QueryError> {
        let mut terms = Vec::new();
        loop {
            if let Some(span) = self.take_reserved("and")
                && !self.at_term()
            {
                return one_sided("and", span);
            }
            if self.at_end() || self.reserved() == Some("or") {
                return Ok(Tree::all(terms));
            }
            terms.push(self.card_term()?);
        }
    }

    fn at_end(&mut self) -> bool {
        matches!(self.peek(), None | Some(')'))
    }

    /// Whether a term can begin here.
    fn at_term(&mut self) -> bool {
        !self.at_end() && matches!(self.reserved(), None | Some("not"))
    }

    fn card_term(&mut self) -> Result<Tree<CardTest>, QueryError> {
        let start = self.at;
        if let Some(span) = self.take_reserved("not") {
            if !self.at_term() {
                let message = "`not` needs something after it; a name is quoted: \"not\"";
                return Err(QueryError::at(message, span));
            }
            let inner = self.nested(start, Self::card_term)?;
            return Ok(Tree::Not(Box::new(inner)));
        }
        if self.take("-") {
            let rest = self.rest();
            if rest.is_empty() || rest.starts_with(|next: char| next == '-' || next.is_whitespace())
            {
                return self.fail_at(start, 1, "`-` must touch what it excludes");
            }
            return Ok(Tree::Not(Box::new(self.positive()?)));
        }
        self.positive()
    }

    fn positive(&mut self) -> Result<Tree<CardTest>, QueryError> {
        let start = self.at;
        if self.take("(") {
            return self.bracket((start, start), Self::cards);
        }
        if self.at_quotation() {
            return Ok(Tree::Is(CardTest::Name(self.quoted()?)));
        }
        if let Some(word) = self.reserved() {
            let message = format!("`{word}` joins conditions; a name is quoted: \"{word}\"");
            return self.fail(word.len(), message);
        }
        let mut word = self.word_until(ENDS);
        word.text = fold(&word.text).into_owned();
        let end = self.at;
        if end > start {
            self.skip_space();
        }
        let Some(comparison) = self.comparison()? else {
            self.at = end;
            if end == start || self.rest().starts_with('!') {
                return self.fail(1, "this sign means nothing here; quote a name that holds it");
            }
            return Ok(Tree::Is(CardTest::NameHolds(word)));
        };
        if end == start {
            return self.fail(0, "a comparison needs a field before it");
        }
        Ok(Tree::Is(self.field_test(word, comparison)?))
    }

    /// What a field is compared with.
    fn field_test(&mut self, field: Word, comparison: Comparison) -> Result<CardTest, QueryError> {
        let is_apart = self.rest().starts_with(char::is_whitespace);
        self.skip_space();
        if is_apart && self.reserved().is_some() {
            return self.fail(0, "a value is missing here");
        }
        let open = self.at;
        let values = if !self.rest().starts_with('(') {
            vec![self.value()?]
        } else if comparison == Comparison::Is {
            self.at += 1;
            self.bracket((open, open), Self::values)?
        } else {
            return self.fail(1, "several values in brackets are for `:` only");
        };
        let Some(any) = values.iter().find(|value| value.is_any()) else {
            return Ok(CardTest::Field { field, comparison, values });
        };
        let name = &field.text;
        let message = match comparison {
            Comparison::Is | Comparison::Equal if values.len() == 1 => {
                return Ok(CardTest::Has(field));
            }
            Comparison::NotEqual => format!(
                "`*` is any value: cards with one are `{name}:*`, cards without one are `not {name}:*`"
            ),
            _ => format!("`*` is any value and has no value next to it, as in `{name}:*`"),
        };
        Err(QueryError::at(message, any.span))
    }

    /// `value { [ "or" ] value }`
    fn values(&mut self) -> Result<Vec<Word>, QueryError> {
        let mut values = Vec::new();
        while !self.at_end() {
            if let Some(span) = self.take_reserved("or") {
                if values.is_empty() || self.at_end() || self.reserved().is_some() {
                    return one_sided("or", span);
                }
            } else if let Some(word) = self.reserved() {
                let message = format!(
                    "`{word}` cannot join values; name the field again, as in `a:x {word} a:y`, or quote the value: \"{word}\""
                );
                return self.fail(word.len(), message);
            }
            values.push(self.value()?);
        }
        if values.is_empty() {
            return self.fail(0, "a value is missing here");
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<Word, QueryError> {
        if self.at_quotation() {
            return self.quoted();
        }
        let word = self.word_until(VALUE_ENDS);
        if word.text.is_empty() {
            return self.fail(0, "a value is missing here");
        }
        Ok(word)
    }

    fn word_until(&mut self, ends: &str) -> Word {
        let start = self.at;
        let text = self.ahead(ends).to_owned();
        self.at += text.len();
        Word { text, span: self.since(start) }
    }

    /// The word that is next, not yet taken.
    fn ahead(&self, ends: &str) -> &str {
        let rest = self.rest();
        let end = |next: char| next.is_whitespace() || ends.contains(next);
        &rest[..rest.find(end).unwrap_or(rest.len())]
    }

    /// The reserved word that is next. A field may have the name of one, so a word with a
    /// comparison right after it is not reserved.
    fn reserved(&mut self) -> Option<&'static str> {
        self.skip_space();
        let word = self.ahead(ENDS);
        let after = &self.rest()[word.len()..];
        let is_compared = after.starts_with("!=")
            || after.starts_with(|next| next != '!' && COMPARES.contains(next));
        reserved(word).filter(|_| !is_compared)
    }

    /// Takes a reserved word; its place.
    fn take_reserved(&mut self, wanted: &str) -> Option<Span> {
        self.reserved().filter(|found| *found == wanted)?;
        let start = self.at;
        self.at += wanted.len();
        Some(self.since(start))
    }
}

fn one_sided<T>(word: &str, span: Span) -> Result<T, QueryError> {
    let message = format!("`{word}` needs something on both sides; a name is quoted: \"{word}\"");
    Err(QueryError::at(message, span))
}
