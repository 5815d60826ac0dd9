//! Moves as people type them: short words, squares and the beginnings of names.

use super::typist::{Typist, refused, seat_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::fold::Match;
use crate::matches::log::moves::Move;
use crate::matches::seat::SeatId;
use decklaw_core::text::harmless;

/// Every word that begins a move, its short one, and what is typed behind it.
pub(super) const VERBS: [(&str, &str, &str, &str); 18] = [
    (
        "draw",
        "d",
        "[N] [FROM] [TO]",
        "from deck to hand unless named",
    ),
    (
        "move",
        "m",
        "ZONE SLOT ZONE [WHERE] [up|down] [with]",
        "WHERE: top, bottom, a place, a square (c3)",
    ),
    ("flip", "f", "ZONE SLOT", "face up or face down"),
    ("turn", "t", "ZONE SLOT", "sideways or back"),
    (
        "attach",
        "a",
        "ZONE SLOT ZONE SLOT [down]",
        "to the card in the second slot",
    ),
    (
        "count",
        "c",
        "[SEAT] COUNTER CHANGE [new]",
        "count life -3; count doom 1 new makes one",
    ),
    (
        "mark",
        "k",
        "ZONE SLOT COUNTER CHANGE [new]",
        "a counter on a card; new makes one",
    ),
    (
        "look",
        "l",
        "ZONE [SLOT [COUNT]]",
        "for your eyes; a hidden zone with leave",
    ),
    (
        "reveal",
        "v",
        "ZONE SLOT [SEAT]",
        "to everybody, or to one seat",
    ),
    (
        "give",
        "g",
        "ZONE SLOT SEAT.ZONE",
        "such as: give hand 0 B.hand",
    ),
    (
        "random",
        "x",
        "ZONE ZONE",
        "a card by chance: random B.hand hand",
    ),
    ("shuffle", "s", "ZONE", ""),
    ("roll", "r", "[SIDES]", "6 unless named"),
    ("token", "n", "NAME ZONE [SQUARE]", "a card of no deck"),
    ("remove", "-", "ZONE SLOT", "a token from the table"),
    ("own", "o", "ZONE SLOT SEAT", "whose a card is"),
    ("pass", "p", "", "end the turn"),
    ("undo", "u", "", "your newest move, if it showed no card"),
];

/// What stands below the moves.
const NOTES: &str = "\
Before a move `B:` has seat B act out of turn, where the others agree.
Zones are your own or in the middle (hand), or another seat's (B.battlezone);
other names of several words stand in quotes. Slots count from 0 at the top;
a square or a card's name says one, too. Beginnings do: m h 0 grid c3.
No card text is judged: the table does what you say.";

/// What can be typed, for people: a line for each move, with its short word.
pub fn help() -> String {
    let mut text = String::new();
    for (name, key, usage, told) in &VERBS {
        let typed = format!("{key:2} {name} {usage}");
        match typed.trim_end() {
            long if long.chars().count() > 34 && !told.is_empty() => {
                text.push_str(&format!("{long}\n{:35} {told}\n", ""));
            }
            typed => text.push_str(format!("{typed:35} {told}").trim_end()),
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text + NOTES
}

/// The words of a line; quotes hold several together. `None` where a quote stays open.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quoted): (Vec<String>, Option<String>, bool) =
        (Vec::new(), None, false);
    for letter in line.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            blank if blank.is_whitespace() && !quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

/// The verb that a word is the beginning of, or the short one of.
pub(super) fn verb(word: &str) -> Option<&'static str> {
    let by_name = VERBS.iter().find(|(name, ..)| *name == word);
    let by_key = || VERBS.iter().find(|(_, key, ..)| *key == word);
    let by_start = || {
        let mut begun = VERBS.iter().filter(|(name, ..)| name.starts_with(word));
        begun.next().filter(|_| begun.next().is_none())
    };
    by_name.or_else(by_key).or_else(by_start).map(|it| it.0)
}

impl Typist<'_> {
    fn read(&self, verb: &str, words: &[&str]) -> Result<Option<Move>, MatchError> {
        let by = self.by;
        let hand = || self.zone("hand");
        let seat = |word: &&str| seat_of(word);
        let (words, new) = match (verb, words) {
            ("count" | "mark", [words @ .., "new"]) => (words, true),
            _ => (words, false),
        };
        Ok(Some(match (verb, words) {
            ("draw", rest) if rest.len() <= 3 => {
                let count = match rest.first().map(|word| word.parse()) {
                    None => 1,
                    Some(Ok(count)) => count,
                    Some(Err(_)) => return Ok(None),
                };
                Move::Draw {
                    by,
                    from: match rest.get(1) {
                        Some(from) => self.zone(from)?,
                        None => self.play.pile(by).to_owned(),
                    },
                    to: rest.get(2).map_or_else(hand, |to| self.zone(to))?,
                    count,
                }
            }
            ("move", [from, slot, to, how @ ..]) if how.len() <= 3 => {
                let (from, to) = (self.zone(from)?, self.zone(to)?);
                let slot = self.slot(&from, slot)?;
                let (mut at, mut cell, mut with) = (None, None, false);
                let mut up = self.up(&from, slot, &to);
                for word in how {
                    match *word {
                        "top" => at = Some(0),
                        "bottom" => at = Some(u32::MAX),
                        "up" => up = true,
                        "down" => up = false,
                        "with" => with = true,
                        place => match (place.parse(), self.cell(&to, place)) {
                            (Ok(place), _) => at = Some(place),
                            (Err(_), Some(square)) => cell = Some(square),
                            (Err(_), None) => return Ok(None),
                        },
                    }
                }
                if cell.is_none() && at.is_none() && from != to {
                    cell = self.first_free(&to);
                }
                Move::Move {
                    by,
                    from,
                    slot,
                    to,
                    at: at.unwrap_or(0),
                    up,
                    cell,
                    with,
                }
            }
            ("attach", [from, slot, to, on, how @ ..]) if how.len() <= 1 => {
                let (from, to) = (self.zone(from)?, self.zone(to)?);
                let up = match how {
                    [] | ["up"] => true,
                    ["down"] => false,
                    _ => return Ok(None),
                };
                Move::Attach {
                    by,
                    slot: self.slot(&from, slot)?,
                    on: self.slot(&to, on)?,
                    from,
                    to,
                    up,
                }
            }
            ("mark", [zone, slot, counter, change]) => {
                let zone = self.zone(zone)?;
                let Ok(change) = change.parse() else {
                    return Ok(None);
                };
                let slot = self.slot(&zone, slot)?;
                Move::Mark {
                    by,
                    slot,
                    counter: self.counter_on(&zone, slot, counter, new)?,
                    zone,
                    change,
                }
            }
            ("own", [zone, slot, whose]) => {
                let zone = self.zone(zone)?;
                let Some(whose) = seat(whose) else {
                    return Ok(None);
                };
                Move::Own {
                    by,
                    slot: self.slot(&zone, slot)?,
                    zone,
                    seat: whose,
                }
            }
            ("token", [name, to, at @ ..]) if at.len() <= 1 => {
                let to = self.zone(to)?;
                let cell = match at.first() {
                    None => self.first_free(&to),
                    Some(word) => match self.cell(&to, word) {
                        None => return Ok(None),
                        square => square,
                    },
                };
                Move::Token {
                    by,
                    name: (*name).to_owned(),
                    to,
                    cell,
                }
            }
            ("remove", [zone, slot]) => {
                let zone = self.zone(zone)?;
                Move::Remove {
                    by,
                    slot: self.slot(&zone, slot)?,
                    zone,
                }
            }
            ("look", [zone]) => Move::Look {
                by,
                zone: self.zone(zone)?,
                slot: 0,
                count: u32::MAX,
                to: vec![by],
                leave: Vec::new(),
            },
            ("look", [zone, slot, count @ ..]) if count.len() <= 1 => {
                let zone = self.zone(zone)?;
                let count = match count.first().map(|count| count.parse()) {
                    None => 1,
                    Some(Ok(count)) => count,
                    Some(Err(_)) => return Ok(None),
                };
                Move::Look {
                    by,
                    slot: self.slot(&zone, slot)?,
                    zone,
                    count,
                    to: vec![by],
                    leave: Vec::new(),
                }
            }
            ("reveal", [zone, slot, to @ ..]) if to.len() <= 1 => {
                let zone = self.zone(zone)?;
                let to: Option<Vec<SeatId>> = to.iter().map(seat).collect();
                let Some(to) = to else {
                    return Ok(None);
                };
                Move::Look {
                    by,
                    slot: self.slot(&zone, slot)?,
                    zone,
                    count: 1,
                    to,
                    leave: Vec::new(),
                }
            }
            ("give", [from, slot, to]) => {
                let from = self.zone(from)?;
                Move::Give {
                    by,
                    slot: self.slot(&from, slot)?,
                    from,
                    to: self.zone(to)?,
                }
            }
            ("random", [from, to]) => Move::Random {
                by,
                from: self.zone(from)?,
                to: self.zone(to)?,
                leave: Vec::new(),
            },
            ("flip", [zone, slot]) => {
                let zone = self.zone(zone)?;
                Move::Flip {
                    by,
                    slot: self.slot(&zone, slot)?,
                    zone,
                }
            }
            ("turn", [zone, slot]) => {
                let zone = self.zone(zone)?;
                Move::Turn {
                    by,
                    slot: self.slot(&zone, slot)?,
                    zone,
                }
            }
            ("count", [whose @ .., counter, change]) if whose.len() <= 1 => {
                let owner = whose.first().map_or(Some(by), seat);
                let (Some(owner), Ok(change)) = (owner, change.parse()) else {
                    return Ok(None);
                };
                Move::Count {
                    by,
                    seat: owner,
                    counter: self.counter(owner, counter, new)?,
                    change,
                }
            }
            ("shuffle", [zone]) => Move::Shuffle {
                by,
                zone: self.zone(zone)?,
            },
            ("roll", []) => Move::Roll { by, sides: 6 },
            ("roll", [sides]) => match sides.parse() {
                Ok(sides) => Move::Roll { by, sides },
                Err(_) => return Ok(None),
            },
            ("pass", []) => Move::Pass { by },
            ("undo", []) => Move::Undo { by },
            _ => return Ok(None),
        }))
    }
}

impl Match {
    /// The move that a line typed by a player means now.
    ///
    /// # Errors
    /// A mistake that says what can be typed, on one line.
    pub fn typed(&self, line: &str, by: SeatId) -> Result<Move, MatchError> {
        let open = "a quote stays open: the line is not understood";
        let words = words(line).ok_or_else(|| MatchErrorKind::Move.call(open))?;
        let typist = Typist { play: self, by };
        let words = typist.joined(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (first, rest) = words.split_first().unwrap_or((&"", &[]));
        let shown = harmless(first, false);
        let Some(known) = verb(first) else {
            return refused(format!(
                "`{shown}` is not understood; `help` lists the moves"
            ));
        };
        let Some(mut done) = typist.read(known, rest)? else {
            let usage = VERBS.iter().find(|(name, ..)| *name == known);
            let usage = usage.map_or("", |(_, _, usage, _)| usage);
            return refused(format!("this is not understood; type: {known} {usage}"));
        };
        if let Move::Move { from, to, at, .. } = &mut done
            && let (Ok(from), Ok(to)) = (self.reach(by, from), self.reach(by, to))
        {
            let held = self.table.zone(to).slots.len();
            let room = held.saturating_sub(usize::from(from == to));
            *at = (*at).min(u32::try_from(room).unwrap_or(u32::MAX));
        }
        // Without a number all cards of the zone are looked at.
        if let Move::Look {
            zone, slot, count, ..
        } = &mut done
            && *count == u32::MAX
            && let Ok(place) = self.named(by, zone)
        {
            let held = self.table.zone(place).slots.len();
            let held = u32::try_from(held).unwrap_or(u32::MAX);
            *count = held.saturating_sub(*slot);
        }
        Ok(done)
    }
}
