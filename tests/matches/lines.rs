//! Moves as the tests write them: `move hand 0 grid c3 down`, `count B life -3`.

use decklaw::matches::table::{Cell, Seen, Zone};
use decklaw::matches::{Match, Move, SeatId};

/// The zones that a seat names without an owner.
fn own(play: &Match, by: SeatId) -> impl Iterator<Item = &Zone> {
    let seat = &play.table.seats[by.index()];
    seat.zones.iter().chain(&play.table.shared)
}

/// The first free square of a zone of one row.
fn first_free(play: &Match, by: SeatId, zone: &str) -> Option<Cell> {
    let place = play.table.place(by, zone).ok()?;
    let grid = play.table.zone(place).terms.grid.clone()?;
    let mut cells = grid.cells().filter(|_| grid.rows == 1);
    cells.find(|cell| play.table.on_square(place, *cell).is_none())
}

/// A slot by its number, or by the square that a card lies on.
fn slot(play: &Match, by: SeatId, zone: &str, word: &str) -> Result<u32, String> {
    if let Ok(number) = word.parse() {
        return Ok(number);
    }
    let place = play
        .table
        .place(by, zone)
        .map_err(|error| error.to_string())?;
    let cell = Cell::parse(word).ok_or(word)?;
    let at = play.table.on_square(place, cell);
    at.map(|at| at as u32)
        .ok_or_else(|| format!("no card lies at {word}"))
}

/// The move that a line of a test is.
pub(crate) fn read(play: &Match, by: SeatId, line: &str) -> Result<Move, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (verb, rest) = words.split_first().ok_or("no move")?;
    let word = |at: usize| rest.get(at).copied().unwrap_or_default();
    let zone = |at: usize| word(at).to_owned();
    let number = |at: usize| word(at).parse::<u32>().map_err(|_| line.to_owned());
    let change = |at: usize| word(at).parse::<i64>().map_err(|_| line.to_owned());
    let slot = |of: usize, at: usize| slot(play, by, word(of), word(at));
    Ok(match *verb {
        "draw" => {
            let pile = own(play, by).find(|zone| zone.seen == Seen::ByNobody);
            let named = |at: usize, otherwise: &str| match word(at) {
                "" => otherwise.to_owned(),
                named => named.to_owned(),
            };
            Move::Draw {
                by,
                from: named(1, pile.map_or("", |zone| &zone.name)),
                to: named(2, "hand"),
                count: number(0).unwrap_or(1),
            }
        }
        "move" => {
            let (mut at, mut cell, mut up, mut with) = (None, None, true, false);
            for how in &rest[3..] {
                match *how {
                    "top" => at = Some(0),
                    "bottom" => {
                        let held = own(play, by).find(|held| held.name == word(2));
                        let held = held.map_or(0, |held| held.slots.len());
                        at = Some((held - usize::from(word(0) == word(2))) as u32);
                    }
                    "up" | "down" => up = *how == "up",
                    "with" => with = true,
                    place => match place.parse() {
                        Ok(place) => at = Some(place),
                        Err(_) => cell = Some(Cell::parse(place).ok_or(place)?),
                    },
                }
            }
            if cell.is_none() && at.is_none() && word(0) != word(2) {
                cell = first_free(play, by, word(2));
            }
            Move::Move {
                by,
                from: zone(0),
                slot: slot(0, 1)?,
                to: zone(2),
                at: at.unwrap_or(0),
                up,
                cell,
                with,
            }
        }
        "attach" => Move::Attach {
            by,
            from: zone(0),
            slot: slot(0, 1)?,
            to: zone(2),
            on: slot(2, 3)?,
            up: word(4) != "down",
        },
        "mark" => Move::Mark {
            by,
            zone: zone(0),
            slot: slot(0, 1)?,
            counter: zone(2),
            change: change(3)?,
        },
        "own" => Move::Own {
            by,
            zone: zone(0),
            slot: slot(0, 1)?,
            seat: SeatId::parse(word(2)).ok_or(line)?,
        },
        "token" => Move::Token {
            by,
            name: zone(0),
            to: zone(1),
            cell: None,
        },
        "remove" => Move::Remove {
            by,
            zone: zone(0),
            slot: slot(0, 1)?,
        },
        "flip" => Move::Flip {
            by,
            zone: zone(0),
            slot: slot(0, 1)?,
        },
        "turn" => Move::Turn {
            by,
            zone: zone(0),
            slot: slot(0, 1)?,
        },
        "count" => {
            let (seat, at) = match SeatId::parse(word(0)) {
                Some(seat) => (seat, 1),
                None => (by, 0),
            };
            Move::Count {
                by,
                seat,
                counter: zone(at),
                change: change(at + 1)?,
            }
        }
        "look" | "reveal" => Move::Look {
            by,
            zone: zone(0),
            slot: slot(0, 1)?,
            count: 1,
            to: match *verb {
                "look" => vec![by],
                _ => Vec::new(),
            },
            leave: Vec::new(),
        },
        "random" => Move::Random {
            by,
            from: zone(0),
            to: zone(1),
            leave: Vec::new(),
        },
        "shuffle" => Move::Shuffle { by, zone: zone(0) },
        "roll" => Move::Roll {
            by,
            sides: number(0).unwrap_or(6),
        },
        "pass" => Move::Pass { by },
        "undo" => Move::Undo { by },
        _ => return Err(format!("no such move: {line}")),
    })
}
