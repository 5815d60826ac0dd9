//! `formats check` on games of one's own, and how their rules judge.

mod cases;
mod manual;
mod words;
