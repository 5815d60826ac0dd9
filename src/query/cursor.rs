//! A place in a query's text that moves on as its parts are read.

use super::{Comparison, QueryError};
use crate::text::Span;

/// The most brackets and the like inside each other.
const DEEPEST: usize = 100;

pub(crate) struct Cursor<'t> {
    text: &'t str,
    /// The byte that comes next.
    pub(crate) at: usize,
    depth: usize,
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
    pub(crate) fn comparison(&mut self) -> Option<Comparison> {
        let mut signs = Comparison::SIGNS.into_iter();
        let (_, comparison) = signs.find(|(sign, _)| self.take(sign))?;
        Some(comparison)
    }

    /// What stands between this quotation mark and the next, the mark being read already.
    pub(crate) fn quoted(&mut self) -> Result<&'t str, QueryError> {
        let Some(length) = self.rest().find('"') else {
            self.at -= 1;
            return self.fail(1, "this quotation mark is never closed");
        };
        let text = &self.rest()[..length];
        self.at += length + 1;
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
