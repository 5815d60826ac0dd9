//! Quotation marks of a text's cells: each opens a cell, closes one, is doubled within one, or
//! is one of a pair around some words of a cell that does not begin with one.
//!
//! Reading on past any other would join rows without a word, or part them.

use super::TableError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Where a cell begins.
    Start,
    /// In a cell that does not begin with a quotation mark.
    Bare,
    /// Behind the first of two marks in such a cell: `the "Red" Ant`.
    Paired,
    /// In a quoted cell.
    Quoted,
    /// Behind a mark in a quoted cell: it closes the cell, or is the first of two.
    Closing,
}

/// Follows the marks of a text that comes in pieces.
#[derive(Debug)]
pub(super) struct Quotes {
    separator: u8,
    state: State,
    line: u64,
    /// Where the quoted cell begins.
    opened: u64,
}

impl Quotes {
    pub(super) fn new(separator: u8) -> Quotes {
        Quotes {
            separator,
            state: State::Start,
            line: 1,
            opened: 1,
        }
    }

    /// Follows a further piece.
    pub(super) fn feed(&mut self, piece: &[u8]) -> Result<(), TableError> {
        let mut at = 0;
        while at < piece.len() {
            if self.state == State::Closing {
                match piece[at] {
                    b'"' => self.state = State::Quoted,
                    byte if byte == self.separator || matches!(byte, b'\n' | b'\r') => {
                        self.line += u64::from(byte == b'\n');
                        self.state = State::Start;
                    }
                    _ => return Err(self.behind()),
                }
                at += 1;
                continue;
            }
            let rest = &piece[at..];
            let Some(next) = memchr::memchr(b'"', rest) else {
                self.pass(rest)?;
                break;
            };
            self.pass(&rest[..next])?;
            at += next + 1;
            match self.state {
                State::Quoted => self.state = State::Closing,
                State::Start => (self.state, self.opened) = (State::Quoted, self.line),
                State::Bare => self.state = State::Paired,
                State::Paired => self.state = State::Bare,
                State::Closing => return Err(self.behind()),
            }
        }
        Ok(())
    }

    /// Passes bytes without a mark.
    fn pass(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        if self.state == State::Paired {
            return match memchr::memchr3(self.separator, b'\n', b'\r', bytes) {
                Some(_) => Err(self.stray()),
                None => Ok(()),
            };
        }
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        if self.state == State::Quoted {
            return Ok(());
        }
        if let Some(last) = bytes.last() {
            let ends = *last == self.separator || matches!(last, b'\n' | b'\r');
            self.state = if ends { State::Start } else { State::Bare };
        }
        Ok(())
    }

    /// The text is at its end.
    pub(super) fn end(&self) -> Result<(), TableError> {
        match self.state {
            State::Quoted => Err(TableError::at(
                self.opened,
                "the table ends within a cell whose quotation mark opens here",
                "export it again if it was cut off; otherwise close the cell with `\"`",
            )),
            State::Paired => Err(self.stray()),
            State::Start | State::Bare | State::Closing => Ok(()),
        }
    }

    fn stray(&self) -> TableError {
        TableError::at(
            self.line,
            "a quotation mark stands alone within a cell that does not begin with one",
            "put the whole cell in quotation marks and double each mark in it: `\"the \"\"Red\"\" Ant\"`",
        )
    }

    fn behind(&self) -> TableError {
        let opened = if self.opened == self.line {
            String::new()
        } else {
            format!(" (the cell begins on line {})", self.opened)
        };
        TableError::at(
            self.line,
            format!("text stands behind the quotation mark that closes a cell{opened}"),
            "a mark is missing or too many; double each one that belongs to the cell: `\"\"`",
        )
    }
}

/// The first mark of a whole text that is out of place.
pub(crate) fn wrong(text: &[u8], separator: u8) -> Option<TableError> {
    let mut quotes = Quotes::new(separator);
    let fed = quotes.feed(crate::text::without_bom(text));
    fed.and_then(|()| quotes.end()).err()
}
