//! The text of a query while it is read: words, numbers, quotations and signs, and the grammar that
//! cards, hands and demands have in common.

use super::tree::{Comparison, FieldName, Group, Tree, Word};
use super::{Query, QueryError};
use decklaw_text::limits::query::{DEEPEST, MOST_TERMS};
use decklaw_text::name::fold;
use decklaw_text::text::Span;

/// The largest number of cards that a count may name.
const LARGEST: u32 = 1_000_000;

/// The marks that end a quotation that begins with this one. Phones and word processors write
/// curly ones, of several languages.
pub(super) fn closing(opening: char) -> Option<&'static [char]> {
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

/// Characters that begin a comparison.
pub(super) const COMPARES: &str = ":=<>!\u{2264}\u{2265}\u{2260}";

/// Reads a single condition, which may be a bracket; the number is the byte where it begins.
pub(super) type Leaf<'t, L> = fn(&mut Parser<'t>, usize) -> Result<Tree<L>, QueryError>;

#[derive(Clone)]
pub(super) struct Parser<'t> {
    text: &'t str,
    /// The next byte.
    pub(super) at: usize,
    depth: usize,
    terms: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Parser<'t> {
        Parser { text, at: 0, depth: 0, terms: 0 }
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The next character that is not white space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    /// Takes a sign that begins at this byte.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Takes a comma.
    pub(super) fn comma(&mut self) -> bool {
        self.peek() == Some(',') && self.take(",")
    }

    /// An error about a number of characters from a byte on.
    pub(super) fn fail_at<T>(
        &self,
        start: usize,
        characters: usize,
        message: impl Into<String>,
    ) -> Result<T, QueryError> {
        let characters = self.text[start..].chars().take(characters);
        let length: usize = characters.map(char::len_utf8).sum();
        Err(QueryError::at(message, Span::new(start, start + length)))
    }

    /// An error about the next characters.
    pub(super) fn fail<T>(
        &self,
        characters: usize,
        message: impl Into<String>,
    ) -> Result<T, QueryError> {
        self.fail_at(self.at, characters, message)
    }

    /// An error about everything up to the next white space.
    pub(super) fn fail_word<T>(&mut self, message: impl Into<String>) -> Result<T, QueryError> {
        self.skip_space();
        let word = self.rest().chars().take_while(|next| !next.is_whitespace());
        self.fail(word.count().min(40), message)
    }

    /// A sign of comparison, where one is next.
    ///
    /// # Errors
    /// Several signs together that are no comparison.
    pub(super) fn comparison(&mut self) -> Result<Option<Comparison>, QueryError> {
        let start = self.at;
        let mut signs = Comparison::SIGNS.into_iter();
        let Some((_, comparison)) = signs.find(|(sign, _)| self.take(sign)) else {
            return Ok(None);
        };
        let more = self.rest();
        let more = more.len() - more.trim_start_matches(|next| COMPARES.contains(next)).len();
        if more == 0 {
            return Ok(Some(comparison));
        }
        self.at += more;
        let written = &self.text[start..self.at];
        let meant = match written {
            "==" | "===" | ":=" | "::" | "=:" => "; did you mean `=`?",
            "=>" | ":>=" | "=>=" => "; did you mean `>=`?",
            "=<" | ":<=" => "; did you mean `<=`?",
            "<>" | "=!" | ":!=" | "!==" | "!:" => "; did you mean `!=`?",
            ":>" => "; did you mean `>`?",
            ":<" => "; did you mean `<`?",
            _ => "",
        };
        let message = format!("`{written}` is not a comparison{meant}");
        Err(QueryError::at(message, self.since(start)))
    }

    /// Whether a quotation is next.
    pub(super) fn at_quotation(&self) -> bool {
        self.rest().chars().next().and_then(closing).is_some()
    }

    /// The quotation that is next.
    ///
    /// # Errors
    /// One that is never closed.
    pub(super) fn quoted(&mut self) -> Result<Word, QueryError> {
        let start = self.at;
        let mut characters = self.rest().chars();
        let ends = characters.next().and_then(closing).unwrap_or(&['"']);
        let inner = characters.as_str();
        let Some((text, after)) = inner.split_once(ends) else {
            return self.fail(1, "this quotation mark is never closed");
        };
        self.at = self.text.len() - after.len();
        Ok(Word { text: text.to_owned(), span: self.since(start) })
    }

    /// The letters, digits and joining marks that are next.
    pub(super) fn word(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|next: char| !(next.is_alphanumeric() || "_-".contains(next)));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Takes a word in any case of letters.
    pub(super) fn take_word(&mut self, wanted: &str) -> bool {
        self.skip_space();
        let found = self.word().eq_ignore_ascii_case(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    /// Reads inside a bracket or a sign; `start` is the place of the error where it is too deep.
    pub(super) fn nested<T>(
        &mut self,
        start: usize,
        inner: impl FnOnce(&mut Self) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail_at(start, 1, "too many brackets inside each other; at most 100");
        }
        let read = inner(self)?;
        self.depth -= 1;
        Ok(read)
    }

    /// Reads what is in the bracket that opens at a byte, and the end of the bracket.
    pub(super) fn bracket<T>(
        &mut self,
        (start, open): (usize, usize),
        inner: impl FnOnce(&mut Self) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        self.nested(start, |parser| {
            let read = inner(parser)?;
            parser.close(open)?;
            Ok(read)
        })
    }

    /// Takes an opening bracket; the byte where it is.
    pub(super) fn open(&mut self, message: &str) -> Result<usize, QueryError> {
        self.skip_space();
        let at = self.at;
        if self.take("(") {
            return Ok(at);
        }
        self.fail_word(message)
    }

    pub(super) fn close(&mut self, open: usize) -> Result<(), QueryError> {
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => self.fail_word("unexpected here; is a bracket not closed?"),
            None => self.fail_at(open, 1, "this bracket is never closed"),
        }
    }

    /// The end of the text.
    pub(super) fn end(&mut self, missing: &str) -> Result<(), QueryError> {
        match self.peek() {
            None => Ok(()),
            Some(')') => self.fail(1, "a closing bracket without an opening one"),
            Some(_) => self.fail_word(format!("{missing} is missing before this")),
        }
    }

    /// Conditions of hands and demands: `all { "or" all }`.
    pub(super) fn any<L>(&mut self, leaf: Leaf<'t, L>) -> Result<Tree<L>, QueryError> {
        let mut either = vec![self.all(leaf)?];
        while self.take_word("or") {
            either.push(self.all(leaf)?);
        }
        Ok(Tree::any(either))
    }

    /// `literal { "and" literal }`
    fn all<L>(&mut self, leaf: Leaf<'t, L>) -> Result<Tree<L>, QueryError> {
        let mut both = vec![self.literal(leaf)?];
        while self.take_word("and") {
            both.push(self.literal(leaf)?);
        }
        Ok(Tree::all(both))
    }

    fn literal<L>(&mut self, leaf: Leaf<'t, L>) -> Result<Tree<L>, QueryError> {
        self.skip_space();
        let start = self.at;
        self.term()?;
        if self.take_word("not") {
            let part = self.nested(start, |parser| parser.literal(leaf))?;
            return Ok(Tree::Not(Box::new(part)));
        }
        leaf(self, start)
    }

    /// `"some" field "(" any ")"`, where the word `some` is next.
    pub(super) fn some<L>(
        &mut self,
        start: usize,
        leaf: Leaf<'t, L>,
        test: fn(FieldName, Box<Tree<L>>) -> L,
    ) -> Result<Option<Tree<L>>, QueryError> {
        if !self.take_word("some") {
            return Ok(None);
        }
        let field = self.field()?;
        let open = self.open("`some` needs its condition in brackets: `some suit (2+ [])`")?;
        let inner = self.bracket((start, open), |parser| parser.any(leaf))?;
        Ok(Some(Tree::Is(test(field, Box::new(inner)))))
    }

    /// Counts a condition.
    pub(super) fn term(&mut self) -> Result<(), QueryError> {
        self.terms += 1;
        if self.terms > MOST_TERMS {
            return self.fail_word("too many conditions; a query may have 1000");
        }
        Ok(())
    }

    /// `2`, `2+`, `2-` or `2..4`. `ends`: whether this may come after the `+` or `-`.
    pub(super) fn range(
        &mut self,
        ends: impl Fn(Option<char>) -> bool,
    ) -> Result<(u32, Option<u32>), QueryError> {
        let start = self.at;
        let low = self.number()?;
        if self.take("..") {
            self.skip_space();
            let high = self.number()?;
            if high < low {
                let message = format!("no number is from {low} to {high}; write the smaller first");
                return Err(QueryError::at(message, self.since(start)));
            }
            return Ok((low, Some(high)));
        }
        let after = ends(self.rest().chars().nth(1));
        Ok(if after && self.take("+") {
            (low, None)
        } else if after && self.take("-") {
            (0, Some(low))
        } else {
            (low, Some(low))
        })
    }

    /// Cards in square brackets, or the name of a card in quotation marks.
    pub(super) fn group(&mut self) -> Result<Group, QueryError> {
        self.skip_space();
        let start = self.at;
        let inner = if self.at_quotation() {
            self.quoted()?.span
        } else if self.take("[") {
            let offset = self.at;
            let mut quoted: Option<&[char]> = None;
            let close = self.rest().find(|next: char| {
                match quoted {
                    Some(ends) if ends.contains(&next) => quoted = None,
                    Some(_) => {}
                    None => quoted = closing(next),
                }
                next == ']' && quoted.is_none()
            });
            let Some(length) = close else {
                return self.fail_at(start, 1, "this bracket is never closed");
            };
            self.at += length + 1;
            Span::new(offset, offset + length)
        } else {
            let message = match self.unbracketed() {
                Some(group) => {
                    format!("a group of cards needs brackets or quotation marks: `{group}`")
                }
                None => {
                    "a group of cards is missing here: `[type:monster]`, `[]` or \"a card's name\""
                        .to_owned()
                }
            };
            return self.fail_word(message);
        };
        let cards = Query::parse(&self.text[inner.start..inner.end]);
        Ok(Group {
            cards: cards.map_err(|error| error.moved(inner.start))?,
            offset: inner.start,
            span: self.since(start),
        })
    }

    /// A group, where one is next.
    pub(super) fn group_if_any(&mut self) -> Result<Option<Group>, QueryError> {
        if self.peek() == Some('[') || self.at_quotation() {
            return self.group().map(Some);
        }
        Ok(None)
    }

    /// The text of the group that is next.
    pub(super) fn group_text(&self) -> Option<&'t str> {
        let mut ahead = self.clone();
        ahead.group().ok()?;
        Some(&self.text[self.at..ahead.at])
    }

    /// The group that is most likely meant by text without brackets, up to the next `and` or `or`.
    pub(super) fn unbracketed(&mut self) -> Option<String> {
        self.skip_space();
        let rest = self.rest();
        let lower = rest.to_ascii_lowercase();
        let ends = [" and ", " or "].iter().filter_map(|word| lower.find(word));
        let text = rest[..ends.min().unwrap_or(rest.len())].trim();
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let text = inner.map_or(text, str::trim);
        if text.is_empty() || text.contains(['[', ']', '"', '(', ')', '`']) {
            return None;
        }
        let compares = |next: char| next != '!' && COMPARES.contains(next);
        Some(if text.contains(compares) { format!("[{text}]") } else { format!("\"{text}\"") })
    }

    /// The name of a field, a section or a setting.
    pub(super) fn field(&mut self) -> Result<FieldName, QueryError> {
        self.skip_space();
        let (start, word) = (self.at, self.word());
        if word.is_empty() {
            return self.fail(1, "the name of a field is missing here");
        }
        self.at += word.len();
        Ok(FieldName { name: fold(word).into_owned(), span: self.since(start) })
    }

    /// A whole number.
    pub(super) fn whole(&mut self) -> Result<i64, QueryError> {
        self.skip_space();
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let after = digits.trim_start_matches(|next: char| next.is_ascii_digit());
        if after.len() == digits.len() {
            return self.fail_word("a whole number is missing here");
        }
        let length = rest.len() - after.len();
        let Ok(number) = rest[..length].parse() else {
            return self.fail(length, "this number is too large");
        };
        self.at += length;
        Ok(number)
    }

    /// A number of cards.
    pub(super) fn number(&mut self) -> Result<u32, QueryError> {
        let start = self.at;
        let number = self.whole()?;
        match u32::try_from(number) {
            Ok(number) if number <= LARGEST => Ok(number),
            _ => {
                let message = if number < 0 {
                    "a count of cards cannot be negative"
                } else {
                    "a count of cards is at most 1000000"
                };
                self.fail_at(start, self.at - start, message)
            }
        }
    }
}
