//! Whether a deck is the one that was handed in: `decklaw/registered/1`, and for people.

use super::json;
use crate::judge::Judge;
use crate::render::{Kind, Report, TextStyle, Written};
use crate::solve::{Difference, Played};
use crate::text::harmless;
use serde_json::Value;
use std::fmt::Write;

/// A deck held against the registered one.
#[derive(Debug)]
pub struct Registered<'p> {
    /// What the deck is called.
    pub deck: &'p str,
    /// What the registered one is called.
    pub registered: &'p str,
    /// The digests of both.
    pub hashes: [String; 2],
    /// What the one is to the other.
    pub played: &'p Played,
    /// What both were judged by.
    pub judge: &'p Judge,
}

impl Written for Registered<'_> {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Registered<'_> {
    /// The answer in a word, what differs, and what is wrong with that.
    fn parts(&self) -> (&'static str, &[Difference], &[String]) {
        match self.played {
            Played::Same => ("same", &[], &[]),
            Played::Swapped(differences) => ("swapped", differences, &[]),
            Played::BadSwap(differences, wrong) => ("illegal-swap", differences, wrong),
            Played::Other(differences) => ("other", differences, &[]),
        }
    }
}

impl Report for Registered<'_> {
    fn json(&self) -> serde_json::Result<Value> {
        let (word, differences, wrong) = self.parts();
        let [hash, registered_hash] = &self.hashes;
        Ok(serde_json::json!({
            "schema": "decklaw/registered/1",
            "deck": self.deck,
            "registered": self.registered,
            "answer": word,
            "changes": differences,
            "errors": wrong,
            "hash": hash,
            "registered_hash": registered_hash,
            "as_of": self.judge.day().to_string(),
            "rules": json::rules(self.judge)?,
        }))
    }

    fn human(&self, _: &TextStyle) -> String {
        let (path, registered) = (self.deck, self.registered);
        let (_, differences, wrong) = self.parts();
        let mut out = match self.played {
            Played::Same => format!("{path}: the same deck as {registered}\n"),
            Played::Swapped(_) => format!("{path}: {registered} after a legal side-swap\n"),
            Played::BadSwap(..) => {
                format!("{path}: {registered} after a swap that leaves no legal deck\n")
            }
            Played::Other(_) => format!("{path}: not the deck of {registered}\n"),
        };
        let mut section = "";
        for difference in differences {
            if difference.section != section {
                section = &difference.section;
                let _ = writeln!(out, "\n{section}");
            }
            let (from, to) = (difference.from, difference.to);
            let sign = if to > from { '+' } else { '-' };
            let _ = writeln!(
                out,
                "  {sign} {} {} ({from} registered, {to} played)",
                (to - from).abs(),
                difference.card
            );
        }
        if !wrong.is_empty() {
            out.push('\n');
        }
        for wrong in wrong {
            let _ = writeln!(out, "error: {wrong}");
        }
        harmless(&out, true).into_owned()
    }

    fn is_well(&self) -> bool {
        matches!(self.played, Played::Same | Played::Swapped(_))
    }
}
