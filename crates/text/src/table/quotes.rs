//! Quotation marks in the cells of a text: each opens a cell, closes one, is doubled within one, or
//! is one of a pair around some words of a cell that does not begin with one.
//!
//! A reader that went on behind any other mark would silently join rows or split them.

use crate::ReadError;

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

/// Returns the first misplaced mark of a text.
pub fn wrong(text: &[u8], separator: u8) -> Option<ReadError> {
    let text = crate::text::without_bom(text);
    memchr::memchr(b'"', text)?;
    let (mut state, mut line, mut opened) = (State::Start, 1, 1);
    for byte in text {
        let ends = *byte == separator || matches!(byte, b'\n' | b'\r');
        state = match (state, byte) {
            (State::Start, b'"') => {
                opened = line;
                State::Quoted
            }
            (State::Bare, b'"') => State::Paired,
            (State::Paired, b'"') => State::Bare,
            (State::Quoted, b'"') => State::Closing,
            (State::Closing, b'"') | (State::Quoted, _) => State::Quoted,
            (State::Closing, _) if !ends => return Some(behind(line, opened)),
            (State::Paired, _) if ends => return Some(alone(line)),
            (State::Paired, _) => State::Paired,
            (State::Start | State::Bare | State::Closing, _) if ends => State::Start,
            (State::Start | State::Bare | State::Closing, _) => State::Bare,
        };
        line += u64::from(*byte == b'\n');
    }
    match state {
        State::Quoted => Some(ReadError::at(
            opened,
            "the table ends within a cell whose quotation mark opens here",
            "export it again if it was cut off; otherwise close the cell with `\"`",
        )),
        State::Paired => Some(alone(line)),
        State::Start | State::Bare | State::Closing => None,
    }
}

fn alone(line: u64) -> ReadError {
    ReadError::at(
        line,
        "a quotation mark is alone within a cell that does not begin with one",
        "put the whole cell in quotation marks and double each mark in it: `\"the \"\"Red\"\" Ant\"`",
    )
}

fn behind(line: u64, opened: u64) -> ReadError {
    let begins =
        if opened == line { String::new() } else { format!(" (the cell begins on line {opened})") };
    ReadError::at(
        line,
        format!("text follows the quotation mark that closes a cell{begins}"),
        "a mark is missing or too many; double each one that belongs to the cell: `\"\"`",
    )
}
