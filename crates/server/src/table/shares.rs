//! A seed that those at a table make together: each commits to a share before any is shown, and
//! the machine brings one that no player sees, so that nobody can try shares until the deal
//! suits, nor deal the match at home.
//!
//! Who has committed and does not show their share holds the table up. Nobody can do without that
//! share: whoever may leave one out, or show one or not, chooses between two deals. So all begin
//! anew, with new commitments of all; who had not shown theirs is told to everybody from then on,
//! and the end opens what was shown in the rounds before.

use crate::clock::now;
use crate::trouble::Trouble;
use decklaw_core::text::listed;
use decklaw_play::matches::{Match, MatchError, Randomness, SeatId, Secret};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How long a share is waited for before the others may begin anew without asking whose it is.
/// Who has not shown theirs is alone in knowing it, so none of the others learns by that what the
/// deal would have been.
const PATIENCE: SignedDuration = SignedDuration::from_mins(2);

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
    /// Since when what is missing is waited for: commitments, then shares.
    #[serde(default)]
    since: String,
    /// The rounds that came to nothing.
    #[serde(default)]
    former: Vec<Round>,
}

/// A round of shares that came to nothing, since all began anew.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Round {
    /// The commitment to the machine's share, and that share.
    machine: [String; 2],
    committed: BTreeMap<SeatId, String>,
    /// The shares that were shown.
    shown: BTreeMap<SeatId, String>,
    /// Since when the others were waited for.
    since: String,
    /// Who asked for new ones, who agreed, and when.
    by: SeatId,
    agreed: Vec<SeatId>,
    at: String,
}

impl Round {
    /// Who had not shown their share.
    fn missing(&self) -> Vec<SeatId> {
        let committed = self.committed.keys().copied();
        committed
            .filter(|seat| !self.shown.contains_key(seat))
            .collect()
    }

    /// What came of it, a sentence for everybody.
    fn words(&self, number: usize) -> String {
        let agreed = match self.agreed.as_slice() {
            [] => String::new(),
            seats => format!(", and {} agreed", seats_of(seats)),
        };
        format!(
            "Shares, round {number}: {} had not shown theirs; seat {} asked for new ones{agreed}.",
            seats_of(&self.missing()),
            self.by
        )
    }
}

/// Seats, as a sentence names them.
fn seats_of(seats: &[SeatId]) -> String {
    let letters: Vec<String> = seats.iter().map(SeatId::to_string).collect();
    match letters.as_slice() {
        [one] => format!("seat {one}"),
        several => format!("seats {}", listed(several, "and")),
    }
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
            since: now(),
            former: Vec::new(),
        })
    }

    /// Of those at the table who has not committed, or once all have who has not shown theirs.
    pub(super) fn missing(&self, seats: &[SeatId]) -> Vec<SeatId> {
        let missing = |seat: &&SeatId| match self.committed.len() == seats.len() {
            true => !self.shown.contains_key(seat),
            false => !self.committed.contains_key(seat),
        };
        seats.iter().filter(missing).copied().collect()
    }

    /// What is told of them to everybody: who committed to what, who has shown theirs, and what
    /// came of the rounds before; no share leaves before the game is over.
    pub(super) fn to_json(&self) -> Value {
        let former = self.former.iter().zip(1..);
        json!({
            "machine": self.machine,
            "committed": self.committed,
            "shown": self.shown.keys().collect::<Vec<_>>(),
            "since": self.since,
            "patience": PATIENCE.as_secs(),
            "lines": former.map(|(round, number)| round.words(number)).collect::<Vec<_>>(),
            "rounds": self.former.iter().map(|round| json!({
                "machine": round.machine[0],
                "committed": round.committed,
                "missing": round.missing(),
            })).collect::<Vec<_>>(),
        })
    }

    /// The rounds that came to nothing, with the shares that were shown in them: for everybody,
    /// once the game is over.
    pub(super) fn opened(&self) -> Value {
        let rounds = self.former.iter().map(|round| {
            json!({
                "machine": {"commitment": round.machine[0], "share": round.machine[1]},
                "committed": round.committed,
                "shown": round.shown,
                "missing": round.missing(),
                "since": round.since, "by": round.by, "agreed": round.agreed, "at": round.at,
            })
        });
        rounds.collect()
    }

    /// Who must agree that all begin anew, of those at the table but the one who asks, and how
    /// they are asked.
    ///
    /// # Errors
    /// Nobody is bound yet.
    pub(super) fn anew(&self, others: &[SeatId]) -> Result<(Vec<SeatId>, String), Trouble> {
        if self.committed.len() <= others.len() {
            return Err(no(
                "Until all have committed, each may commit to another share.",
            ));
        }
        let missing = self.committed.keys().copied();
        let missing: Vec<SeatId> = missing
            .filter(|seat| !self.shown.contains_key(seat))
            .collect();
        let since = self.since.parse::<Timestamp>();
        // Either way: a clock that was set back keeps nobody waiting until it is there again.
        let waited =
            since.is_ok_and(|since| Timestamp::now().duration_since(since).abs() >= PATIENCE);
        let needs = others.iter().copied();
        let needs = needs.filter(|seat| !(waited && missing.contains(seat)));
        let told = format!(
            "Shall all bring new shares, for round {}? {} not shown theirs. Agree only if a share was \
             lost: who could ask until a deal suits would choose it.",
            self.former.len() + 2,
            match missing.as_slice() {
                [one] => format!("Seat {one} has"),
                several => format!("S{} have", &seats_of(several)[1..]),
            }
        );
        Ok((needs.collect(), told))
    }

    /// The shares of a new round, for a match dealt from a new share of the machine; this one is
    /// kept beside those before it. `made` is the match that was dealt from its share.
    ///
    /// # Errors
    /// None in practice: the seed of a match is a share.
    pub(super) fn after(
        &self,
        made: &Match,
        next: &Match,
        by: SeatId,
        agreed: Vec<SeatId>,
    ) -> Result<Shares, Trouble> {
        let mut former = self.former.clone();
        former.push(Round {
            machine: [self.machine.clone(), own(made).to_owned()],
            committed: self.committed.clone(),
            shown: self.shown.clone(),
            since: self.since.clone(),
            by,
            agreed,
            at: now(),
        });
        Ok(Shares {
            former,
            ..Shares::begin(next)?
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
        let before = |round: &Round| {
            round.machine[0] == commitment
                || round.committed.values().any(|told| *told == commitment)
        };
        if self.former.iter().any(before) {
            return Err(no(
                "This share was brought in a round before, and may be known; bring a new one.",
            ));
        }
        self.committed.insert(seat, commitment);
        if self.committed.len() == seats {
            self.since = now();
        }
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
