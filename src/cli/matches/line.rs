//! A line from whoever sits at the keyboard, or from a script.

use super::{Failure, files};
use std::io::{self, BufRead};

/// Asks for a line; `None` at the end of input.
pub(super) fn ask(question: &str) -> Result<Option<String>, Failure> {
    files::print(question)?;
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_owned())),
        Err(error) => Err(Failure::refused(format!("cannot read: {error}"))),
    }
}
