//! What goes through the pipe: JSON behind its length, as four bytes, the highest first.

use crate::trouble::Trouble;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io;

/// The longest frame. A workbook of a large event is some megabytes.
const LONGEST: usize = 128 << 20;

/// A question with its number.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked<Q> {
    pub(super) id: u64,
    pub(super) question: Q,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reply {
    /// The number of the question.
    pub(super) id: u64,
    pub(super) outcome: Outcome,
}

/// An answer, or what is wrong with the question.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    Answer(Box<RawValue>),
    Trouble(Trouble),
}

/// The length of a frame, as it stands before it.
///
/// # Errors
/// A frame that is longer than any.
pub(super) fn head(length: usize) -> io::Result<[u8; 4]> {
    match u32::try_from(length) {
        Ok(head) if length <= LONGEST => Ok(head.to_be_bytes()),
        _ => Err(too_long()),
    }
}

/// The length that a head tells.
///
/// # Errors
/// As for [`head`].
pub(super) fn length(head: [u8; 4]) -> io::Result<usize> {
    let length = usize::try_from(u32::from_be_bytes(head)).unwrap_or(usize::MAX);
    if length <= LONGEST {
        Ok(length)
    } else {
        Err(too_long())
    }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a frame is too long")
}
