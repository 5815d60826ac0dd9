//! From a card query's text to its tree.

use super::cursor::Cursor;
use super::tree::{Node, Word};
use super::{Comparison, QueryError};
use crate::name::fold;
use crate::text::Span;

/// Where a word ends that is no value.
const ENDS: [char; 16] = [
    '(', ')', '"', ':', '=', '!', '<', '>', '\u{2260}', '\u{2264}', '\u{2265}', '\u{201c}',
    '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}',
];

/// A word that joins terms or turns one round, in any case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    And,
    Or,
    Not,
}

impl Reserved {
    pub(super) fn of(word: &str) -> Option<Reserved> {
        let all = [
            ("and", Reserved::And),
            ("or", Reserved::Or),
            ("not", Reserved::Not),
        ];
        let found = all
            .into_iter()
            .find(|(text, _)| word.eq_ignore_ascii_case(text));
        Some(found?.1)
    }

    fn text(self) -> &'static str {
        match self {
            Reserved::And => "and",
            Reserved::Or => "or",
            Reserved::Not => "not",
        }
    }
}

struct Reader<'t> {
    input: Cursor<'t>,
}

pub(super) fn query(text: &str) -> Result<Node, QueryError> {
    let mut reader = Reader {
        input: Cursor::new(text),
    };
    let node = reader.any()?;
    match reader.input.peek() {
        None => Ok(node),
        Some(_) => reader
            .input
            .fail(1, "a closing bracket without an opening one"),
    }
}

impl Reader<'_> {
    /// `all { "or" all }`
    fn any(&mut self) -> Result<Node, QueryError> {
        let mut either = vec![self.all()?];
        while self.reserved() == Some(Reserved::Or) {
            let span = self.take_reserved(Reserved::Or);
            let next = self.all()?;
            if next.is_nothing() || either.last().is_some_and(Node::is_nothing) {
                return one_sided(Reserved::Or, span);
            }
            either.push(next);
        }
        Ok(match <[Node; 1]>::try_from(either) {
            Ok([only]) => only,
            Err(either) => Node::Any(either),
        })
    }

    /// `{ [ "and" ] term }`
    fn all(&mut self) -> Result<Node, QueryError> {
        let mut terms = Vec::new();
        loop {
            match self.reserved() {
                Some(Reserved::Or) => break,
                Some(Reserved::And) => {
                    let span = self.take_reserved(Reserved::And);
                    if !self.at_term() {
                        return one_sided(Reserved::And, span);
                    }
                }
                Some(Reserved::Not) | None => {}
            }
            if matches!(self.input.peek(), None | Some(')')) {
                break;
            }
            terms.push(self.term()?);
        }
        Ok(match <[Node; 1]>::try_from(terms) {
            Ok([only]) => only,
            Err(terms) => Node::All(terms),
        })
    }

    /// Whether a term can begin here.
    fn at_term(&mut self) -> bool {
        let more = !matches!(self.input.peek(), None | Some(')'));
        more && matches!(self.reserved(), None | Some(Reserved::Not))
    }

    fn term(&mut self) -> Result<Node, QueryError> {
        let start = self.input.at;
        if self.reserved() == Some(Reserved::Not) {
            let span = self.take_reserved(Reserved::Not);
            if !self.at_term() {
                let message = "`not` needs something after it; a name is quoted: \"not\"";
                return Err(QueryError::at(message, span));
            }
            self.input.enter(start)?;
            let inner = self.term()?;
            self.input.leave();
            return Ok(Node::Not(Box::new(inner)));
        }
        if self.input.take("-") {
            let rest = self.input.rest();
            let apart = rest.starts_with(|next: char| next == '-' || next.is_whitespace());
            if apart || rest.is_empty() {
                self.input.at = start;
                let message = "`-` stands right before what it excludes";
                return self.input.fail(1, message);
            }
            return Ok(Node::Not(Box::new(self.positive()?)));
        }
        self.positive()
    }

    fn positive(&mut self) -> Result<Node, QueryError> {
        if self.input.take("(") {
            return self.bracket(Self::any);
        }
        if self.input.at_quotation() {
            return Ok(Node::Name(self.quoted()?));
        }
        if let Some(reserved) = self.reserved() {
            let word = reserved.text();
            let message = format!("`{word}` joins terms here; a name is quoted: \"{word}\"");
            return self.input.fail(word.len(), &message);
        }
        let word = self.word(&ENDS);
        let end = self.input.at;
        if !word.text.is_empty() {
            self.input.skip_space();
        }
        let Some(comparison) = self.input.comparison()? else {
            self.input.at = end;
            if word.text.is_empty() || self.input.rest().starts_with('!') {
                return self
                    .input
                    .fail(1, "this cannot stand here; quote a name that holds it");
            }
            return Ok(Node::NameHolds(Word {
                text: fold(&word.text).into_owned(),
                span: word.span,
            }));
        };
        if word.text.is_empty() {
            return self.input.fail(0, "a comparison needs a field before it");
        }
        let field = Word {
            text: fold(&word.text).into_owned(),
            span: word.span,
        };
        let apart = self.input.rest().starts_with(char::is_whitespace);
        self.input.skip_space();
        if apart && self.reserved().is_some() {
            return self.input.fail(0, "a value is missing here");
        }
        let values = match comparison {
            Comparison::Is if self.input.take("(") => self.bracket(Self::values)?,
            _ if self.input.rest().starts_with('(') => {
                let message = "several values in brackets stand after `:` only";
                return self.input.fail(1, message);
            }
            _ => vec![self.value()?],
        };
        if let Some(any) = values.iter().find(|value| value.is_any()) {
            let name = &field.text;
            let message = match comparison {
                Comparison::Is | Comparison::Equal if values.len() == 1 => {
                    return Ok(Node::Has(field));
                }
                Comparison::NotEqual => format!(
                    "`*` is any value; cards without one are `not {name}:*`, and the sign itself is quoted: \"*\""
                ),
                _ => format!(
                    "`*` is any value and stands alone, as in `{name}:*`; the sign itself is quoted: \"*\""
                ),
            };
            return Err(QueryError::at(message, any.span));
        }
        Ok(Node::Field {
            field,
            comparison,
            values,
        })
    }

    fn bracket<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        let open = self.input.at - 1;
        self.input.enter(open)?;
        let result = inner(self)?;
        self.input.skip_space();
        if !self.input.take(")") {
            self.input.at = open;
            return self.input.fail(1, "this bracket is never closed");
        }
        self.input.leave();
        Ok(result)
    }

    /// `value { [ "or" ] value }`: either is meant anyway.
    fn values(&mut self) -> Result<Vec<Word>, QueryError> {
        let mut values = Vec::new();
        while self.input.peek().is_some_and(|next| next != ')') {
            match self.reserved() {
                Some(Reserved::Or) => {
                    let span = self.take_reserved(Reserved::Or);
                    let more = !matches!(self.input.peek(), None | Some(')'));
                    if values.is_empty() || !more || self.reserved().is_some() {
                        return one_sided(Reserved::Or, span);
                    }
                }
                Some(reserved) => {
                    let word = reserved.text();
                    let message = format!(
                        "`{word}` cannot stand among values; name the field again, as in `a:x {word} a:y`, or quote the value: \"{word}\""
                    );
                    return self.input.fail(word.len(), &message);
                }
                None => {}
            }
            values.push(self.value()?);
        }
        if values.is_empty() {
            return self.input.fail(0, "a value is missing here");
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<Word, QueryError> {
        if self.input.at_quotation() {
            return self.quoted();
        }
        let word = self.word(&['(', ')', '"']);
        if word.text.is_empty() {
            return self.input.fail(0, "a value is missing here");
        }
        Ok(word)
    }

    fn quoted(&mut self) -> Result<Word, QueryError> {
        let start = self.input.at;
        let text = self.input.quoted()?.to_owned();
        Ok(Word {
            text,
            span: Span::new(start, self.input.at),
        })
    }

    fn word(&mut self, ends: &[char]) -> Word {
        let start = self.input.at;
        let text = self.ahead(ends).to_owned();
        self.input.at += text.len();
        Word {
            text,
            span: Span::new(start, self.input.at),
        }
    }

    /// The word that begins right here, not yet taken.
    fn ahead(&self, ends: &[char]) -> &str {
        let rest = self.input.rest();
        let end = |next: char| next.is_whitespace() || ends.contains(&next);
        &rest[..rest.find(end).unwrap_or(rest.len())]
    }

    /// The reserved word that stands next. A field may have the name of one, so what is
    /// compared at once is none.
    fn reserved(&mut self) -> Option<Reserved> {
        self.input.skip_space();
        let word = self.ahead(&ENDS);
        let after = &self.input.rest()[word.len()..];
        let compared = after.starts_with([':', '=', '<', '>', '\u{2260}', '\u{2264}', '\u{2265}'])
            || after.starts_with("!=");
        Reserved::of(word).filter(|_| !compared)
    }

    /// Takes the reserved word that stands here; where it stood.
    fn take_reserved(&mut self, reserved: Reserved) -> Span {
        let start = self.input.at;
        self.input.at += reserved.text().len();
        Span::new(start, self.input.at)
    }
}

fn one_sided<T>(reserved: Reserved, span: Span) -> Result<T, QueryError> {
    let word = reserved.text();
    let message = format!("`{word}` needs something on both sides; a name is quoted: \"{word}\"");
    Err(QueryError::at(message, span))
}
