//! From a query's text to its tree.

use super::{Comparison, Node, QueryError, Word};
use crate::name::fold;
use crate::text::Span;

/// The most brackets inside each other.
const DEEPEST: usize = 100;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

pub(super) fn query(text: &str) -> Result<Node, QueryError> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    let node = reader.any()?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => reader.fail(1, "a closing bracket without an opening one"),
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
        while let Some(next) = self.peek() {
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
        let start = self.at;
        if self.take('-') {
            if self.text[self.at..].starts_with(|next: char| next == '-' || next.is_whitespace())
                || self.at == self.text.len()
            {
                self.at = start;
                return self.fail(1, "`-` stands right before what it excludes");
            }
            return Ok(Node::Not(Box::new(self.positive()?)));
        }
        self.positive()
    }

    fn positive(&mut self) -> Result<Node, QueryError> {
        if self.take('(') {
            return self.bracket(Self::any);
        }
        if self.text[self.at..].starts_with('"') {
            return Ok(Node::Name(self.quoted()?));
        }
        let word = self.word(&['(', ')', '"', ':', '=', '!', '<', '>']);
        let Some(comparison) = self.comparison() else {
            if word.text.is_empty() || self.text[self.at..].starts_with('!') {
                return self.fail(1, "this cannot stand here; quote a name that holds it");
            }
            return Ok(Node::NameHolds(fold(&word.text).into_owned()));
        };
        if word.text.is_empty() {
            return self.fail(0, "a comparison needs a field before it");
        }
        let field = Word {
            text: fold(&word.text).into_owned(),
            span: word.span,
        };
        let values = if comparison == Comparison::Is && self.take('(') {
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
        let open = self.at - 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            self.at = open;
            return self.fail(1, "too many brackets inside each other");
        }
        let result = inner(self)?;
        self.skip_space();
        if !self.take(')') {
            self.at = open;
            return self.fail(1, "this bracket is never closed");
        }
        self.depth -= 1;
        Ok(result)
    }

    fn values(&mut self) -> Result<Vec<Word>, QueryError> {
        let mut values = Vec::new();
        while self.peek().is_some_and(|next| next != ')') {
            values.push(self.value()?);
        }
        if values.is_empty() {
            return self.fail(0, "a value is missing here");
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<Word, QueryError> {
        if self.text[self.at..].starts_with('"') {
            return self.quoted();
        }
        let word = self.word(&['(', ')', '"']);
        if word.text.is_empty() {
            return self.fail(0, "a value is missing here");
        }
        Ok(word)
    }

    fn quoted(&mut self) -> Result<Word, QueryError> {
        let start = self.at + 1;
        let Some(length) = self.text[start..].find('"') else {
            return self.fail(1, "this quotation mark is never closed");
        };
        self.at = start + length + 1;
        let text = self.text[start..start + length].to_owned();
        Ok(Word {
            text,
            span: Span::new(start - 1, self.at),
        })
    }

    fn word(&mut self, ends: &[char]) -> Word {
        let start = self.at;
        let rest = &self.text[start..];
        let end = |next: char| next.is_whitespace() || ends.contains(&next);
        self.at += rest.find(end).unwrap_or(rest.len());
        let text = self.text[start..self.at].to_owned();
        Word {
            text,
            span: Span::new(start, self.at),
        }
    }

    fn comparison(&mut self) -> Option<Comparison> {
        const ALL: [(&str, Comparison); 7] = [
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            (":", Comparison::Is),
            ("=", Comparison::Equal),
            ("<", Comparison::Less),
            (">", Comparison::More),
        ];
        let rest = &self.text[self.at..];
        let (sign, comparison) = ALL.into_iter().find(|(sign, _)| rest.starts_with(sign))?;
        self.at += sign.len();
        Some(comparison)
    }

    fn at_or(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let word = rest
            .get(..2)
            .filter(|word| word.eq_ignore_ascii_case("or"))?;
        let ends = |next: char| next.is_whitespace() || next == '(' || next == ')' || next == '"';
        let after = &rest[word.len()..];
        (after.is_empty() || after.starts_with(ends)).then_some(word.len())
    }

    fn take_or(&mut self) -> Option<Span> {
        self.skip_space();
        let start = self.at;
        self.at += self.at_or()?;
        Some(Span::new(start, self.at))
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn fail<T>(&self, characters: usize, message: &str) -> Result<T, QueryError> {
        let rest = &self.text[self.at..];
        let length: usize = rest.chars().take(characters).map(char::len_utf8).sum();
        let span = Span::new(self.at, self.at + length);
        Err(QueryError {
            message: message.to_owned(),
            span,
        })
    }
}
