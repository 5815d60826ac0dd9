//! Whether a deck is the one that was handed in: `decklaw/registered/1`, and for people.

use super::json;
use crate::judge::Judge;
use crate::solve::{Difference, Played};
use crate::text::harmless;
use std::fmt::Write;

/// A deck held against the registered one.
#[derive(Debug, Clone)]
pub struct Registered<'p> {
    /// What the deck is called.
    pub deck: &'p str,
    /// What the registered one is called.
    pub registered: &'p str,
    /// The digests of both.
    pub hashes: [String; 2],
    /// What the one is to the other.
    pub played: &'p Played,
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

    /// `decklaw/registered/1`.
    ///
    /// # Errors
    /// None but those of writing to memory.
    pub fn to_json(&self, judge: &Judge) -> serde_json::Result<String> {
        let (word, differences, wrong) = self.parts();
        let [hash, registered_hash] = &self.hashes;
        let document = serde_json::json!({
            "schema": "decklaw/registered/1",
            "deck": self.deck,
            "registered": self.registered,
            "answer": word,
            "changes": differences,
            "errors": wrong,
            "hash": hash,
            "registered_hash": registered_hash,
            "as_of": judge.day().to_string(),
            "rules": json::rules(judge)?,
            "inputs": judge.given_so_far(),
        });
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// For people.
    pub fn to_human(&self) -> String {
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
}
