//! Where cards lie within a zone, other than their order: on squares, on each other, sideways,
//! with counters on them. Nothing of it changes how a match is set up.

use super::{Card, Table, Visibility, Zone, ZoneId};
use crate::matches::seat::SeatId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// How a zone is played with: nothing of it is enforced, and the setup does not ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Terms {
    /// The squares on which its cards lie; a row of spaces is a grid of one row.
    pub grid: Option<Grid>,
    /// The most cards that the rules let lie there; more are reported, not refused.
    pub most: Option<u32>,
    /// What a player should know of the zone, a sentence.
    pub told: Option<String>,
    /// Whether cards that are drawn or given there come face up, where faces are mixed.
    pub come_up: bool,
    /// The sum of its cards, where players count it.
    pub sum: Option<Sum>,
}

/// Squares in rows and columns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// How many rows, 1 to 12. The first one is nearest to seat A.
    pub rows: u8,
    /// How many columns, 1 to 12.
    pub columns: u8,
    /// What the row before each seat is called: the first is seat A's, the last seat B's.
    #[serde(default)]
    pub home: Option<String>,
    /// The rule by which a card touches one of its player's own, for people to read. A player
    /// who breaks it is warned.
    #[serde(default)]
    pub touch: Option<String>,
}

/// The sum of the cards of a zone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The field of whole numbers that is added up.
    pub field: String,
    /// What the sum is called.
    pub called: String,
    /// Whether cards that lie sideways count, too.
    #[serde(default)]
    pub sideways: bool,
}

/// A square of a grid: a letter for the column and a number for the row, such as `c3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cell {
    /// The column, from 0.
    pub column: u8,
    /// The row, from 0: the one nearest to seat A.
    pub row: u8,
}

impl Cell {
    /// The square that a person names. A letter alone is in the first row.
    ///
    /// ```
    /// use decklaw_play::matches::table::Cell;
    /// assert_eq!(Cell::parse("c3"), Some(Cell { column: 2, row: 2 }));
    /// assert_eq!(Cell::parse("c"), Some(Cell { column: 2, row: 0 }));
    /// assert_eq!(Cell::parse("c0"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Cell> {
        let mut letters = text.chars();
        let letter = letters.next().filter(char::is_ascii_lowercase)?;
        let rest = letters.as_str();
        let row: u8 = match rest {
            "" => 1,
            _ if rest.starts_with(['0', '+']) => return None,
            _ => rest.parse().ok()?,
        };
        Some(Cell { column: letter as u8 - b'a', row: row.checked_sub(1)? })
    }

    /// Whether the sides of two squares touch.
    pub fn touches(self, other: Cell) -> bool {
        self.column.abs_diff(other.column) + self.row.abs_diff(other.row) == 1
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a'.saturating_add(self.column));
        write!(f, "{column}{}", u16::from(self.row) + 1)
    }
}

impl From<Cell> for String {
    fn from(cell: Cell) -> String {
        cell.to_string()
    }
}

impl TryFrom<String> for Cell {
    type Error = String;

    fn try_from(text: String) -> Result<Cell, String> {
        Cell::parse(&text).ok_or_else(|| format!("`{text}` is not a square"))
    }
}

impl Grid {
    /// Whether a square is on it.
    pub fn holds(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// How its squares are named: in a single row by their letters alone.
    pub fn name(&self, cell: Cell) -> String {
        let name = cell.to_string();
        match self.rows {
            1 => name.trim_end_matches('1').to_owned(),
            _ => name,
        }
    }

    /// Every square, row by row from the first.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Cell { column, row }))
    }
}

/// The position of a card within its zone, other than its place in the order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CardPosition {
    /// The seat that put it among open cards.
    pub owner: Option<SeatId>,
    /// Its square.
    pub at: Option<Cell>,
    /// The card of the same zone that it is attached to.
    pub on: Option<Card>,
    /// What is counted on it.
    pub counters: BTreeMap<String, i64>,
    /// Whether it is turned sideways.
    pub sideways: bool,
}

impl Table {
    /// How a card lies.
    pub fn lying(&self, card: Card) -> CardPosition {
        self.lying.get(&card).cloned().unwrap_or_default()
    }

    /// Changes how a card lies. What lies as cards lie by themselves is not kept.
    pub fn lay(&mut self, card: Card, change: impl FnOnce(&mut CardPosition)) {
        let mut lying = self.lying.remove(&card).unwrap_or_default();
        change(&mut lying);
        if lying != CardPosition::default() {
            self.lying.insert(card, lying);
        }
    }

    /// Lays a card straight that came from one zone to another, alone: what was attached to it
    /// lies loose. Whose it is is known as long as it lies among open cards.
    pub(in crate::matches) fn moved(&mut self, card: Card, by: SeatId, from: ZoneId, to: ZoneId) {
        if from == to {
            return;
        }
        let open =
            |place| !matches!(self.zone(place).seen, Visibility::ByOwner | Visibility::ByNobody);
        let owner = match (open(from), open(to)) {
            (_, false) => None,
            (true, true) => self.lying(card).owner.or(from.seat),
            (false, true) => Some(by),
        };
        self.lay(card, |lying| *lying = CardPosition { owner, ..CardPosition::default() });
        for other in self.attached(from, card) {
            self.lay(other, |lying| lying.on = None);
        }
    }

    /// The cards of a zone that are attached to a card, in their order.
    pub fn attached(&self, place: ZoneId, to: Card) -> Vec<Card> {
        let slots = self.zone(place).slots.iter();
        let cards = slots.map(|slot| slot.card);
        cards.filter(|card| self.lying.get(card).is_some_and(|it| it.on == Some(to))).collect()
    }

    /// The slot of the card that lies uppermost on a square.
    pub fn on_square(&self, place: ZoneId, cell: Cell) -> Option<usize> {
        let mut slots = self.zone(place).slots.iter();
        slots.position(|slot| {
            let lying = self.lying.get(&slot.card);
            lying.is_some_and(|it| it.at == Some(cell) && it.on.is_none())
        })
    }

    /// Whether a square touches a card that a seat put on the same grid, or is the first that
    /// it lays a card on. `card` is the one that lies there.
    pub fn touches_own(&self, place: ZoneId, cell: Cell, card: Card, by: SeatId) -> bool {
        let slots = self.zone(place).slots.iter();
        let others = slots.filter(|slot| slot.card != card);
        let mut own = others
            .filter_map(|slot| self.lying.get(&slot.card))
            .filter(|lying| lying.owner == Some(by))
            .filter_map(|lying| lying.at)
            .peekable();
        own.peek().is_none() || own.any(|other| other.touches(cell))
    }

    /// Whose a card is, where that does not follow from where it lies.
    pub fn named_owner(
        &self,
        whose: Option<SeatId>,
        zone: &Zone,
        lying: &CardPosition,
    ) -> Option<SeatId> {
        let owner = lying.owner?;
        let is_said = match whose {
            Some(seat) => seat != owner,
            None => zone.terms.grid.is_some(),
        };
        is_said.then_some(owner)
    }

    /// How the card in a slot lies, in words; empty where there is nothing to say.
    pub fn lies(&self, whose: Option<SeatId>, zone: &Zone, slot: usize) -> String {
        let Some(lying) = zone.slots.get(slot).and_then(|slot| self.lying.get(&slot.card)) else {
            return String::new();
        };
        let mut parts = Vec::new();
        if let (Some(cell), Some(grid)) = (lying.at, &zone.terms.grid) {
            parts.push(format!("at {}", grid.name(cell)));
        }
        let owner = self.named_owner(whose, zone, lying);
        parts.extend(owner.map(|owner| format!("of {owner}")));
        let host = lying.on.and_then(|host| zone.slots.iter().position(|slot| slot.card == host));
        parts.extend(host.map(|host| format!("on {host}")));
        if lying.sideways {
            parts.push("sideways".to_owned());
        }
        let counters = lying.counters.iter();
        parts.extend(counters.map(|(name, value)| format!("{name} {value}")));
        parts.join(", ")
    }
}
