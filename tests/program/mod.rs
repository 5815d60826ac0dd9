//! The program from outside: its commands, what they answer and the files that they write.

mod calls;
mod cases;
mod circles;
pub(crate) mod console;
mod examples;
mod games;
mod library;
mod names;
mod notes;
mod options;
mod page;
mod published;
mod readme;
mod stream;
#[cfg(unix)]
mod words;
