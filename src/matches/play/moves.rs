//! The moves of a game that is played on, as transcripts record them and as people type them.

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::seat::SeatId;
use crate::text::{counted, listed};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One move. Zones are named `hand` (one's own, or in the middle) or `B.hand`; slots count
/// from 0 at the top, and are named instead of cards so that a move tells nothing hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Move {
    /// Take cards off the top of a zone to the end of another.
    Draw {
        /// Who.
        by: SeatId,
        /// The pile.
        from: String,
        /// The hand.
        to: String,
        /// How many.
        count: u32,
    },
    /// Move one card between zones, or within one.
    Move {
        /// Who.
        by: SeatId,
        /// The zone it lies in.
        from: String,
        /// Where in it.
        slot: u32,
        /// The zone it goes to.
        to: String,
        /// Where in it, 0 being the top.
        at: u32,
        /// Face up, where faces are mixed.
        up: bool,
    },
    /// Turn a card over, where faces are mixed.
    Flip {
        /// Who.
        by: SeatId,
        /// The zone.
        zone: String,
        /// Where in it.
        slot: u32,
    },
    /// Turn an open card sideways, or back.
    Turn {
        /// Who.
        by: SeatId,
        /// The zone.
        zone: String,
        /// Where in it.
        slot: u32,
    },
    /// Count up or down.
    Count {
        /// Who.
        by: SeatId,
        /// Whose counter.
        seat: SeatId,
        /// Which; a new one starts at 0.
        counter: String,
        /// By how much.
        change: i64,
    },
    /// Look at cards, or show them: the log tells those who may see it which they are.
    Look {
        /// Who.
        by: SeatId,
        /// The zone.
        zone: String,
        /// The first of the cards.
        slot: u32,
        /// How many.
        count: u32,
        /// To whom they are shown; nobody named: to everybody.
        to: Vec<SeatId>,
        /// Who gave leave, where the cards are not the seat's own to look at.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leave: Vec<SeatId>,
    },
    /// Give a card to another seat: to the end of one of its zones.
    Give {
        /// Who.
        by: SeatId,
        /// The zone it lies in.
        from: String,
        /// Where in it.
        slot: u32,
        /// The zone it goes to, such as `B.hand`.
        to: String,
    },
    /// Take a card by chance to the end of another zone.
    Random {
        /// Who.
        by: SeatId,
        /// The zone it is taken from.
        from: String,
        /// The zone it goes to.
        to: String,
        /// Who gave leave, where the zone is another's hidden one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leave: Vec<SeatId>,
    },
    /// Shuffle a zone.
    Shuffle {
        /// Who.
        by: SeatId,
        /// The zone.
        zone: String,
    },
    /// Roll a die.
    Roll {
        /// Who.
        by: SeatId,
        /// Its sides.
        sides: u32,
    },
    /// End the turn.
    Pass {
        /// Who.
        by: SeatId,
    },
    /// Begin the next turn of a game alone, with its draw.
    Next {
        /// Who.
        by: SeatId,
        /// The pile.
        from: String,
        /// The hand.
        to: String,
        /// How many cards are drawn.
        count: u32,
    },
    /// Note what happened in a game alone, for draws to come.
    Event {
        /// Who.
        by: SeatId,
        /// The game's word for it.
        name: String,
    },
    /// Take back the last move.
    Undo {
        /// Everybody, in seat order.
        by: Vec<SeatId>,
    },
}

/// What was done, in words: where cards lay, and never which they are.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw {
                by,
                from,
                to,
                count,
            } => {
                let cards = counted(i64::from(*count), "card");
                write!(f, "{by}: {cards} from {from} to {to}")
            }
            Move::Move {
                by,
                from,
                slot,
                to,
                at,
                up,
            } => {
                let face = if *up { "" } else { ", face down" };
                write!(f, "{by}: {from} {slot} to {to} {at}{face}")
            }
            Move::Flip { by, zone, slot } => write!(f, "{by}: {zone} {slot} turned over"),
            Move::Turn { by, zone, slot } => {
                write!(f, "{by}: {zone} {slot} turned sideways or back")
            }
            Move::Count {
                by,
                seat,
                counter,
                change,
            } => write!(f, "{by}: {counter} of {seat} {change:+}"),
            Move::Look {
                by,
                zone,
                slot,
                count,
                to,
                ..
            } => {
                let cards = match count {
                    1 => format!("{zone} {slot}"),
                    _ => format!(
                        "{} of {zone} from {slot}",
                        counted(i64::from(*count), "card")
                    ),
                };
                match to.as_slice() {
                    [] => write!(f, "{by}: {cards} shown to all"),
                    [one] if one == by => write!(f, "{by}: {cards} looked at"),
                    seats => {
                        let seats: Vec<&str> = seats.iter().map(|seat| seat.letter()).collect();
                        write!(f, "{by}: {cards} shown to {}", listed(&seats, "and"))
                    }
                }
            }
            Move::Give { by, from, slot, to } => write!(f, "{by}: {from} {slot} given to {to}"),
            Move::Random { by, from, to, .. } => {
                write!(f, "{by}: a card of {from} by chance to {to}")
            }
            Move::Shuffle { by, zone } => write!(f, "{by}: {zone} shuffled"),
            Move::Roll { by, sides } => write!(f, "{by}: a die of {sides} sides rolled"),
            Move::Pass { by } => write!(f, "{by}: the turn ends"),
            Move::Next { by, count, .. } => {
                let cards = counted(i64::from(*count), "card");
                write!(f, "{by}: the next turn, {cards} drawn")
            }
            Move::Event { by, name } => write!(f, "{by}: {name}"),
            Move::Undo { by } => {
                let seats: Vec<&str> = by.iter().map(|seat| seat.letter()).collect();
                write!(f, "{}: the last move taken back", listed(&seats, "and"))
            }
        }
    }
}

/// What can be typed, for people.
pub const HELP: &str = "\
draw [N] [FROM] [TO]             from deck to hand unless named
move ZONE SLOT ZONE [top|bottom|PLACE] [up|down]
flip ZONE SLOT                   face up or face down
turn ZONE SLOT                   sideways or back
count [SEAT] COUNTER CHANGE      such as: count life -3
look ZONE [SLOT [COUNT]]         for your eyes; a hidden zone with leave
reveal ZONE SLOT [SEAT]          to everybody, or to one seat
give ZONE SLOT SEAT.ZONE         such as: give hand 0 B.hand
random ZONE ZONE                 a card by chance, such as: random B.hand hand
shuffle ZONE
roll [SIDES]                     6 unless named
pass                             end the turn
undo                             when everybody agrees
Before a move `B:` has seat B act out of turn, where the others agree.
Zones are your own or in the middle (hand), or another seat's (B.battlezone);
a name of several words stands in quotes (\"side board\"). Slots count from 0 at
the top. No card text is judged: the table does what you say.";

impl Move {
    /// Reads what a player typed.
    ///
    /// # Errors
    /// A mistake that says what can be typed.
    ///
    /// ```
    /// use decklaw::matches::{Move, SeatId};
    /// assert_eq!(Move::parse("pass", SeatId::A, "deck")?, Move::Pass { by: SeatId::A });
    /// # Ok::<(), decklaw::matches::MatchError>(())
    /// ```
    pub fn parse(line: &str, by: SeatId, pile: &str) -> Result<Move, MatchError> {
        let unclear = || {
            MatchErrorKind::Move.call(format!("this move is not understood; there are:\n{HELP}"))
        };
        let words = words(line).ok_or_else(unclear)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let number = |word: &str| word.parse::<u32>().map_err(|_| unclear());
        let own = str::to_owned;
        Ok(match words.as_slice() {
            ["draw"] => Move::Draw {
                by,
                from: own(pile),
                to: own("hand"),
                count: 1,
            },
            ["draw", count] => Move::Draw {
                by,
                from: own(pile),
                to: own("hand"),
                count: number(count)?,
            },
            ["draw", count, from] => Move::Draw {
                by,
                from: own(from),
                to: own("hand"),
                count: number(count)?,
            },
            ["draw", count, from, to] => Move::Draw {
                by,
                from: own(from),
                to: own(to),
                count: number(count)?,
            },
            ["move", from, slot, to, how @ ..] if how.len() <= 2 => {
                let (mut at, mut up) = (0, true);
                for word in how {
                    match *word {
                        "top" => at = 0,
                        "bottom" => at = u32::MAX,
                        "up" => up = true,
                        "down" => up = false,
                        place => at = number(place)?,
                    }
                }
                Move::Move {
                    by,
                    from: own(from),
                    slot: number(slot)?,
                    to: own(to),
                    at,
                    up,
                }
            }
            ["look", zone] => Move::Look {
                by,
                zone: own(zone),
                slot: 0,
                count: u32::MAX,
                to: vec![by],
                leave: Vec::new(),
            },
            ["look", zone, slot, count @ ..] if count.len() <= 1 => Move::Look {
                by,
                zone: own(zone),
                slot: number(slot)?,
                count: count.first().map_or(Ok(1), |count| number(count))?,
                to: vec![by],
                leave: Vec::new(),
            },
            ["reveal", zone, slot, to @ ..] if to.len() <= 1 => Move::Look {
                by,
                zone: own(zone),
                slot: number(slot)?,
                count: 1,
                to: match to.first() {
                    None => Vec::new(),
                    Some(seat) => vec![SeatId::parse(seat).ok_or_else(unclear)?],
                },
                leave: Vec::new(),
            },
            ["give", from, slot, to] => Move::Give {
                by,
                from: own(from),
                slot: number(slot)?,
                to: own(to),
            },
            ["random", from, to] => Move::Random {
                by,
                from: own(from),
                to: own(to),
                leave: Vec::new(),
            },
            ["flip", zone, slot] => Move::Flip {
                by,
                zone: own(zone),
                slot: number(slot)?,
            },
            ["turn", zone, slot] => Move::Turn {
                by,
                zone: own(zone),
                slot: number(slot)?,
            },
            ["count", counter, change] => {
                let change = change.parse().map_err(|_| unclear())?;
                Move::Count {
                    by,
                    seat: by,
                    counter: own(counter),
                    change,
                }
            }
            ["count", seat, counter, change] => {
                let seat = SeatId::parse(seat).ok_or_else(unclear)?;
                let change = change.parse().map_err(|_| unclear())?;
                Move::Count {
                    by,
                    seat,
                    counter: own(counter),
                    change,
                }
            }
            ["shuffle", zone] => Move::Shuffle {
                by,
                zone: own(zone),
            },
            ["roll"] => Move::Roll { by, sides: 6 },
            ["roll", sides] => Move::Roll {
                by,
                sides: number(sides)?,
            },
            ["pass"] => Move::Pass { by },
            _ => return Err(unclear()),
        })
    }
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
