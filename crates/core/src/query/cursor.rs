//! A place in a query's text that moves on as its parts are read.

use super::{Comparison, QueryError};
use crate::limits::query::DEEPEST;
use crate::text::Span;

/// The marks that end a quotation that begins with this one. Phones and word processors write
/// curly ones, of several languages.
pub(crate) fn closing(opening: char) -> Option<&'static [char]> {
    match opening {
        '"' => Some(&['"']),
        '\u{201c}' => Some(&['\u{201d}', '\u{201c}', '"']),
        '\u{201e}' => Some(&['\u{201c}', '\u{201d}', '"']),
        '\u{201d}' => Some(&['\u{201d}', '"']),
        '\u{ab}' => Some(&['\u{bb}']),
        '\u{bb}' => Some(&['\u{ab}']),
        _ => None,
    }
}

pub(crate) struct Cursor<'t> {
    text: &'t str,
    /// The byte that comes next.
    pub(crate) at: usize,
    pub(super) depth: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor {
            text,
            at: 0,
            depth: 0,
        }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// The next character that is no space.
    pub(crate) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    pub(crate) fn take(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// A sign of comparison, if one stands here.
    ///
    /// # Errors
    /// Signs together that are none.
    pub(crate) fn comparison(&mut self) -> Result<Option<Comparison>, QueryError> {
        let start = self.at;
        let mut signs = Comparison::SIGNS.into_iter();
        let Some((sign, comparison)) = signs.find(|(sign, _)| self.take(sign)) else {
            return Ok(None);
        };
        let more = |next: char| "=<>!:\u{2264}\u{2265}\u{2260}".contains(next);
        let end = self.rest().find(|next| !more(next));
        let end = self.at + end.unwrap_or(self.rest().len());
        if end == self.at {
            return Ok(Some(comparison));
        }
        let written = self.text.get(start..end).unwrap_or(sign);
        let meant = match written {
            "==" | "===" | ":=" | "::" | "=:" => "=",
            "=>" | ":>=" | "=>=" => ">=",
            "=<" | ":<=" => "<=",
            "<>" | "=!" | ":!=" | "!==" | "!:" => "!=",
            ":>" => ">",
            ":<" => "<",
            _ => "",
        };
        let meant = match meant {
            "" => String::new(),
            sign => format!("; did you mean `{sign}`?"),
        };
        let message = format!("`{written}` is no comparison{meant}");
        Err(QueryError::at(message, Span::new(start, end)))
    }

    /// Whether a quotation begins here.
    pub(crate) fn at_quotation(&self) -> bool {
        let next = self.rest().chars().next();
        next.is_some_and(|next| closing(next).is_some())
    }

    /// What stands in the quotation that begins here.
    ///
    /// # Errors
    /// One that is never closed.
    pub(crate) fn quoted(&mut self) -> Result<&'t str, QueryError> {
        let opening = self.rest().chars().next();
        let ends = opening.and_then(closing).unwrap_or(&['"']);
        let start = self.at;
        self.at += opening.map_or(0, char::len_utf8);
        let Some(length) = self.rest().find(ends) else {
            self.at = start;
            return self.fail(1, "this quotation mark is never closed");
        };
        let text = &self.rest()[..length];
        self.at += length;
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        Ok(text)
    }

    /// Goes one bracket deeper; `start` is blamed when that is too deep.
    pub(crate) fn enter(&mut self, start: usize) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        self.at = start;
        self.fail(1, "too many brackets inside each other; at most 100")
    }

    /// Comes out of it again.
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Blames so many characters from here on.
    pub(crate) fn fail<T>(&self, characters: usize, message: &str) -> Result<T, QueryError> {
        let rest = self.rest();
        let length: usize = rest.chars().take(characters).map(char::len_utf8).sum();
        Err(QueryError::at(
            message,
            Span::new(self.at, self.at + length),
        ))
    }

    /// Blames all up to the next space.
    pub(crate) fn fail_word<T>(&mut self, message: &str) -> Result<T, QueryError> {
        self.skip_space();
        let word = self.rest().chars().take_while(|next| !next.is_whitespace());
        self.fail(word.count().min(40), message)
    }
}
