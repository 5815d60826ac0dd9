//! From a query's text to its tree.

use super::cursor::Cursor;
use super::{Comparison, Node, QueryError, Word};
use crate::name::fold;
use crate::text::Span;

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
    /// `{ all "or" } all`
    fn any(&mut self) -> Result<Node, QueryError> {
        let mut either = vec![self.all()?];
        while let Some(span) = self.take_or() {
            let nothing = |node: &Node| matches!(node, Node::All(terms) if terms.is_empty());
            let next = self.all()?;
            if nothing(&next) || either.last().is_some_and(nothing) {
                let message = "`or` needs something on both sides; a name is quoted: \"or\"";
                return Err(QueryError {
                    message: message.to_owned(),
                    span,
                });
            }
            either.push(next);
        }
        Ok(match <[Node; 1]>::try_from(either) {
            Ok([only]) => only,
            Err(either) => Node::Any(either),
        })
    }

    fn all(&mut self) -> Result<Node, QueryError> {
        let mut terms = Vec::new();
        while let Some(next) = self.input.peek() {
            if next == ')' || self.at_or().is_some() {
                break;
            }
            terms.push(self.term()?);
        }
        Ok(match <[Node; 1]>::try_from(terms) {
            Ok([only]) => only,
            Err(terms) => Node::All(terms),
        })
    }

    fn term(&mut self) -> Result<Node, QueryError> {
        let start = self.input.at;
        if self.input.take("-") {
            if self
                .input
                .rest()
                .starts_with(|next: char| next == '-' || next.is_whitespace())
                || self.input.at == self.input.text().len()
            {
                self.input.at = start;
                return self
                    .input
                    .fail(1, "`-` stands right before what it excludes");
            }
            return Ok(Node::Not(Box::new(self.positive()?)));
        }
        self.positive()
    }

    fn positive(&mut self) -> Result<Node, QueryError> {
        if self.input.take("(") {
            return self.bracket(Self::any);
        }
        if self.input.rest().starts_with('"') {
            return Ok(Node::Name(self.quoted()?));
        }
        let word = self.word(&['(', ')', '"', ':', '=', '!', '<', '>']);
        let Some(comparison) = self.input.comparison() else {
            if word.text.is_empty() || self.input.rest().starts_with('!') {
                return self
                    .input
                    .fail(1, "this cannot stand here; quote a name that holds it");
            }
            return Ok(Node::NameHolds(fold(&word.text).into_owned()));
        };
        if word.text.is_empty() {
            return self.input.fail(0, "a comparison needs a field before it");
        }
        let field = Word {
            text: fold(&word.text).into_owned(),
            span: word.span,
        };
        let values = if comparison == Comparison::Is && self.input.take("(") {
            self.bracket(Self::values)?
        } else {
            vec![self.value()?]
        };
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

    fn values(&mut self) -> Result<Vec<Word>, QueryError> {
        let mut values = Vec::new();
        while self.input.peek().is_some_and(|next| next != ')') {
            values.push(self.value()?);
        }
        if values.is_empty() {
            return self.input.fail(0, "a value is missing here");
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<Word, QueryError> {
        if self.input.rest().starts_with('"') {
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
        self.input.take("\"");
        let text = self.input.quoted()?.to_owned();
        Ok(Word {
            text,
            span: Span::new(start, self.input.at),
        })
    }

    fn word(&mut self, ends: &[char]) -> Word {
        let start = self.input.at;
        let rest = &self.input.text()[start..];
        let end = |next: char| next.is_whitespace() || ends.contains(&next);
        self.input.at += rest.find(end).unwrap_or(rest.len());
        let text = self.input.text()[start..self.input.at].to_owned();
        Word {
            text,
            span: Span::new(start, self.input.at),
        }
    }

    fn at_or(&self) -> Option<usize> {
        let rest = self.input.rest();
        let word = rest
            .get(..2)
            .filter(|word| word.eq_ignore_ascii_case("or"))?;
        let ends = |next: char| next.is_whitespace() || next == '(' || next == ')' || next == '"';
        let after = &rest[word.len()..];
        (after.is_empty() || after.starts_with(ends)).then_some(word.len())
    }

    fn take_or(&mut self) -> Option<Span> {
        self.input.skip_space();
        let start = self.input.at;
        self.input.at += self.at_or()?;
        Some(Span::new(start, self.input.at))
    }
}
