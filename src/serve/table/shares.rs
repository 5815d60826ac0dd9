//! A seed that those at a table make together: each commits to a share before any is shown, and
//! the machine brings one that no player sees, so that nobody can try shares until the deal
//! suits, nor deal the match at home.

use crate::matches::{Match, MatchError, Randomness, SeatId, Secret};
use crate::serve::trouble::Trouble;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a seat brings to the seed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Brought {
    /// The commitment to its share: 64 hex digits.
    Commit(String),
    /// Its share, once all have committed: 64 hex digits.
    Show(String),
    /// That all begin again, since a share was lost.
    Anew,
}

/// What was brought to a seed so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shares {
    /// The commitment to the machine's own share.
    machine: String,
    committed: BTreeMap<SeatId, String>,
    shown: BTreeMap<SeatId, String>,
}

fn wrong(error: MatchError) -> Trouble {
    Trouble::from(&error)
}

/// The share that the machine brings: what the match was dealt from before all were shown.
fn own(made: &Match) -> &str {
    &made.inputs.randomness.seed
}

impl Shares {
    /// Begins with the machine's own share, which a match was dealt from.
    ///
    /// # Errors
    /// None in practice: the seed of a match is a share.
    pub(super) fn begin(made: &Match) -> Result<Shares, Trouble> {
        Ok(Shares {
            machine: Secret::read(own(made)).map_err(wrong)?.share_commitment(),
            committed: BTreeMap::new(),
            shown: BTreeMap::new(),
        })
    }

    /// What is told of them to everybody: who committed to what, and who has shown theirs; no
    /// share leaves before the game is over.
    pub(super) fn told(&self) -> Value {
        json!({
            "machine": self.machine,
            "committed": self.committed,
            "shown": self.shown.keys().collect::<Vec<_>>(),
        })
    }

    /// A seat's commitment, or its share; the last share makes the seed. `made` is what the match
    /// was dealt from the machine's own share.
    ///
    /// # Errors
    /// What the seat may not bring now.
    pub(super) fn brings(
        &mut self,
        made: &Match,
        seat: SeatId,
        brought: &Brought,
    ) -> Result<Option<Randomness>, Trouble> {
        let seats = made.table.seats.len();
        match brought {
            Brought::Commit(commitment) => self.commits(seats, seat, digits(commitment)?)?,
            Brought::Show(share) => self.shows(seats, seat, digits(share)?)?,
            Brought::Anew => return Err(Trouble::defect()),
        }
        if self.shown.len() < seats {
            return Ok(None);
        }
        let mut parts: Vec<String> = self.shown.values().cloned().collect();
        parts.push(own(made).to_owned());
        Randomness::from_parts(&parts).map(Some).map_err(wrong)
    }

    fn commits(&mut self, seats: usize, seat: SeatId, commitment: String) -> Result<(), Trouble> {
        if self.committed.len() == seats {
            return Err(no(
                "All have committed; a commitment is not changed any more.",
            ));
        }
        let mut others = self.committed.iter().filter(|(other, _)| **other != seat);
        if self.machine == commitment || others.any(|(_, told)| *told == commitment) {
            return Err(no(
                "Somebody else committed to this share; each brings their own.",
            ));
        }
        self.committed.insert(seat, commitment);
        Ok(())
    }

    fn shows(&mut self, seats: usize, seat: SeatId, share: String) -> Result<(), Trouble> {
        if self.committed.len() < seats {
            return Err(no("A share is shown once all have committed to theirs."));
        }
        let commitment = Secret::read(&share).map_err(wrong)?.share_commitment();
        if self.committed.get(&seat) != Some(&commitment) {
            return Err(no(&format!(
                "This is not the share that seat {seat} committed to; who brings another one may \
                 have chosen it."
            )));
        }
        self.shown.insert(seat, share);
        Ok(())
    }
}

fn no(why: &str) -> Trouble {
    Trouble::new(422, why, "")
}

/// A share or a commitment as it is kept.
fn digits(text: &str) -> Result<String, Trouble> {
    let text = text.trim().to_ascii_lowercase();
    match Secret::read(&text) {
        Ok(_) => Ok(text),
        Err(_) => Err(no("Shares and commitments are 64 digits 0-9 and a-f.")),
    }
}
