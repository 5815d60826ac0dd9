//! The moves of a game, as match files record them.

use crate::matches::error::MatchError;
use crate::matches::seat::SeatId;
use crate::matches::table::Cell;
use serde::{Deserialize, Serialize};

/// A move of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatMove {
    /// Who makes it.
    pub by: SeatId,
    /// What it is.
    #[serde(flatten)]
    pub what: Move,
}

/// One move. `from`, `to` and `zone` name zones: `hand` (one's own, or in the middle) or `B.hand`.
/// `slot` is where a card lies in its zone, from 0 at the top: a move names no card, so that it
/// reveals nothing hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Move {
    /// Take cards off the top of a zone to the end of another.
    Draw { from: String, to: String, count: u32 },
    /// Move one card between zones, or within one.
    Move {
        from: String,
        slot: u32,
        to: String,
        /// Where in it, 0 being the top.
        at: u32,
        /// Face up, where faces are mixed.
        up: bool,
        /// The square that it goes to, in a zone that has squares.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cell: Option<Cell>,
        /// Whether what is attached to it goes along.
        #[serde(default, skip_serializing_if = "is_false")]
        with: bool,
    },
    /// Attach a card to one that lies open: it goes behind that one in its zone.
    Attach {
        from: String,
        slot: u32,
        /// The zone of the card that it is attached to.
        to: String,
        /// Where that card lies in it.
        on: u32,
        /// Face up, where faces are mixed.
        up: bool,
    },
    /// Count up or down on a card that lies on the table.
    Mark {
        zone: String,
        slot: u32,
        /// What is counted; at 0 there is none.
        counter: String,
        change: i64,
    },
    /// Say whose a card is that lies on the table.
    Own {
        zone: String,
        slot: u32,
        /// Whose it is.
        seat: SeatId,
    },
    /// Lay a token, a card of no deck, on top of an open zone.
    Token {
        name: String,
        to: String,
        /// Its square, in a zone that has squares.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cell: Option<Cell>,
    },
    /// Take a token off the table.
    Remove { zone: String, slot: u32 },
    /// Turn a card over, where faces are mixed.
    Flip { zone: String, slot: u32 },
    /// Turn an open card sideways, or back.
    Turn { zone: String, slot: u32 },
    /// Count up or down.
    Count {
        /// Whose counter.
        seat: SeatId,
        /// Which; a new one starts at 0.
        counter: String,
        change: i64,
    },
    /// Look at cards, or show them: the log names them to those who may see them.
    Look {
        zone: String,
        /// The first of the cards.
        slot: u32,
        count: u32,
        /// Who sees them; empty: everybody.
        to: Vec<SeatId>,
        /// Whose leave an old file has for it; a new move has none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leave: Vec<SeatId>,
    },
    /// Give a card to another seat: to the end of one of its zones.
    Give {
        from: String,
        slot: u32,
        /// The zone it goes to, such as `B.hand`.
        to: String,
    },
    /// Take a card by chance to the end of another zone.
    Random {
        from: String,
        /// The zone it goes to, such as `B.hand`.
        to: String,
        /// Whose leave an old file has for it; a new move has none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leave: Vec<SeatId>,
    },
    /// Shuffle a zone.
    Shuffle { zone: String },
    /// Roll a die.
    Roll { sides: u32 },
    /// Say which step of the turn its player is in.
    Step { name: String },
    /// End the turn.
    Pass {},
    /// Take back the newest move, which is one's own and revealed no card.
    Undo {},
}

impl Move {
    /// What moves are called.
    pub const WORDS: [&'static str; 18] = [
        "draw", "move", "attach", "mark", "own", "token", "remove", "flip", "turn", "count",
        "look", "give", "random", "shuffle", "roll", "step", "pass", "undo",
    ];

    /// The move as that of a seat.
    pub fn by(self, by: SeatId) -> SeatMove {
        SeatMove { by, what: self }
    }

    /// Refuses what old files have and a new move may not: nothing counted or drawn, and the leave
    /// of another seat.
    pub(in crate::matches) fn check_new(&self) -> Result<(), MatchError> {
        let why = match self {
            Move::Count { change: 0, .. } | Move::Mark { change: 0, .. } => {
                "nothing is counted: `change` is 0"
            }
            Move::Draw { count: 0, .. } => "no card is drawn: `count` is 0",
            Move::Look { leave, .. } | Move::Random { leave, .. } if !leave.is_empty() => {
                "nobody gives `leave` any more: the owner of hidden cards shows or gives them"
            }
            _ => return Ok(()),
        };
        Err(MatchError::refused(why))
    }
}

/// Whether a word of a move need not be written.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !flag
}
