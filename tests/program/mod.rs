//! The program from outside: its commands, what they answer and the files that they write.

mod calls;
mod cases;
pub(crate) mod console;
mod examples;
mod finishing;
mod games;
mod library;
mod names;
mod notes;
mod options;
mod page;
mod picture;
mod published;
mod readme;
mod stream;
mod terminal;
#[cfg(unix)]
mod words;
