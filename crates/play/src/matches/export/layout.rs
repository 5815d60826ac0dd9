//! Where seats, zones and squares are on a table of Tabletop Simulator. Lengths are its units,
//! of which a card is two wide; `x` goes to the right and `z` away from the first seat.

use crate::matches::table::{Cell, Grid, Visibility, Zone};
use serde_json::{Value, json};

/// A card's width and height.
pub(super) const CARD: (f64, f64) = (2.2, 3.1);
/// A hand zone's width and depth.
pub(super) const HAND: (f64, f64) = (16.0, 5.0);
/// How far apart piles and fanned cards lie.
const PILE: f64 = 3.0;
pub(super) const FAN: f64 = 0.8;
/// A square's width and depth.
const SQUARE: (f64, f64) = (2.7, 3.4);
/// How wide a row of zones may be before the next row begins, and how far inward that is.
const WIDEST: f64 = 34.0;
const ROW: f64 = 4.0;
/// How far before its hand a seat's zones lie.
const BEFORE: f64 = 8.0;

/// A seat at the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chair {
    /// The player's colour.
    pub(super) colour: &'static str,
    /// Where the hand is.
    x: f64,
    z: f64,
    /// Which way the player looks, in degrees clockwise from `z`.
    pub(super) turned: f64,
}

const SOUTH: Chair = chair("White", 0.0, -22.0, 0.0);
const WEST: Chair = chair("Red", -34.0, 0.0, 90.0);
const NORTH: Chair = chair("Green", 0.0, 22.0, 180.0);
const EAST: Chair = chair("Blue", 34.0, 0.0, 270.0);

const fn chair(colour: &'static str, x: f64, z: f64, turned: f64) -> Chair {
    Chair { colour, x, z, turned }
}

/// The chairs of a number of seats in their order: clockwise as the table is seen from above, so
/// that of four people those two apart sit opposite each other, as two people do.
pub(super) fn chairs(seats: usize) -> &'static [Chair] {
    match seats {
        0..=2 => &[SOUTH, NORTH],
        3 => &[SOUTH, WEST, NORTH],
        _ => &[SOUTH, WEST, NORTH, EAST],
    }
}

impl Chair {
    /// The hand zone.
    pub(super) fn hand(&self) -> Value {
        json!({"posX": self.x, "posY": 3.0, "posZ": self.z,
            "rotX": 0.0, "rotY": self.turned, "rotZ": 0.0,
            "scaleX": HAND.0, "scaleY": 6.0, "scaleZ": HAND.1})
    }

    /// The middle of the hand.
    pub(super) fn spot(&self) -> TablePosition {
        TablePosition { x: self.x, z: self.z, turned: self.turned }
    }

    /// The middle of the row of zones before it.
    pub(super) fn shelf(&self) -> TablePosition {
        self.spot().moved(0.0, BEFORE)
    }
}

/// A place on the table, and which way it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TablePosition {
    x: f64,
    z: f64,
    /// In degrees clockwise, as [`Chair::turned`].
    pub(super) turned: f64,
}

impl TablePosition {
    /// The middle of the table, as the first seat sees it.
    pub(super) const MIDDLE: TablePosition = TablePosition { x: 0.0, z: 0.0, turned: 0.0 };

    /// A place so far to the right of this one, and so far on.
    pub(super) fn moved(self, along: f64, inward: f64) -> TablePosition {
        let (sin, cos) = self.turned.to_radians().sin_cos();
        TablePosition {
            x: hundredths(self.x + along * cos + inward * sin),
            z: hundredths(self.z - along * sin + inward * cos),
            turned: self.turned,
        }
    }

    /// Where a card lies: `high` is how many lie beneath it.
    pub(super) fn transform(self, high: usize, down: bool, sideways: bool) -> Value {
        // A card that lies straight for the first seat is turned by half a circle.
        let turn = if sideways { 270.0 } else { 180.0 };
        let flipped = if down { 180.0 } else { 0.0 };
        json!({"posX": self.x, "posY": 1.5 + 0.05 * high as f64, "posZ": self.z,
            "rotX": 0.0, "rotY": (self.turned + turn) % 360.0, "rotZ": flipped,
            "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0})
    }

    /// A point to which cards snap.
    pub(super) fn snap(self) -> Value {
        json!({"Position": {"x": self.x, "y": 1.0, "z": self.z},
            "Rotation": {"x": 0.0, "y": (self.turned + 180.0) % 360.0, "z": 0.0}})
    }

    /// A square drawn on the table around this place.
    pub(super) fn square(self) -> Value {
        let (wide, deep) = (SQUARE.0 / 2.0, SQUARE.1 / 2.0);
        let corners = [(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)];
        let points = corners.map(|(along, inward)| {
            let corner = self.moved(along, inward);
            json!({"x": corner.x, "y": 1.0, "z": corner.z})
        });
        json!({"points3": points, "color": {"r": 1.0, "g": 1.0, "b": 1.0},
            "thickness": 0.05, "rotation": {"x": 0.0, "y": 0.0, "z": 0.0},
            "loop": true, "square": false})
    }
}

/// Whole hundredths: no platform's sine shows in the file.
fn hundredths(number: f64) -> f64 {
    let rounded = (number * 100.0).round() / 100.0;
    // No zero has a sign.
    rounded + 0.0
}

/// Where a zone's first card lies in its rows, from their middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shelf {
    /// To the right.
    pub(super) first: f64,
    /// Towards the middle of the table.
    pub(super) inward: f64,
}

impl Shelf {
    /// Where a square is. The first row of squares is the nearest, and so is the first seat's.
    pub(super) fn cell(&self, cell: Cell, grid: &Grid) -> (f64, f64) {
        let middle = f64::from(grid.rows.saturating_sub(1)) / 2.0;
        (
            self.first + f64::from(cell.column) * SQUARE.0,
            self.inward + (f64::from(cell.row) - middle) * SQUARE.1,
        )
    }
}

/// How wide a zone is, and how far its first card is from its left end.
fn spread(zone: &Zone) -> (f64, f64) {
    match (&zone.terms.grid, zone.seen) {
        (Some(grid), _) => (f64::from(grid.columns) * SQUARE.0 + 0.6, SQUARE.0 / 2.0 + 0.3),
        (None, Visibility::CardByCard) => {
            let more = zone.slots.len().saturating_sub(1) as f64;
            (PILE + FAN * more, PILE / 2.0)
        }
        _ => (PILE, PILE / 2.0),
    }
}

/// Where zones lie: side by side around the middle, in several rows where one were too wide.
/// Squares in several rows are in the middle, and other zones to their right.
pub(super) fn shelf<'z>(zones: impl Iterator<Item = &'z Zone>) -> Vec<Shelf> {
    let zones: Vec<&Zone> = zones.collect();
    let is_board = |zone: &&&Zone| zone.terms.grid.as_ref().is_some_and(|grid| grid.rows > 1);
    if let Some(board) = zones.iter().find(is_board) {
        let (wide, lead) = spread(board);
        let mut right = wide / 2.0 + 1.0;
        let place = |zone: &&Zone| {
            let (wide_too, lead_too) = spread(zone);
            let first = if std::ptr::eq(*zone, *board) {
                lead - wide / 2.0
            } else {
                right += wide_too;
                right - wide_too + lead_too
            };
            Shelf { first, inward: 0.0 }
        };
        return zones.iter().map(place).collect();
    }
    let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut wide = f64::INFINITY;
    for zone in &zones {
        let spread = spread(zone);
        if wide + spread.0 > WIDEST {
            rows.push(Vec::new());
            wide = 0.0;
        }
        wide += spread.0;
        if let Some(row) = rows.last_mut() {
            row.push(spread);
        }
    }
    let mut places = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let mut along = -row.iter().map(|(wide, _)| wide).sum::<f64>() / 2.0;
        for (wide, lead) in row {
            places.push(Shelf { first: along + lead, inward: ROW * number as f64 });
            along += wide;
        }
    }
    places
}
