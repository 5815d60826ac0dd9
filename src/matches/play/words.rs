//! Moves in words.

use super::moves::Move;
use crate::text::{counted, listed};
use std::fmt;

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
                cell,
                with,
            } => {
                let with = if *with { " with what is attached" } else { "" };
                let face = if *up { "" } else { ", face down" };
                match cell {
                    Some(cell) => write!(f, "{by}: {from} {slot}{with} to {to} {cell}{face}"),
                    None => write!(f, "{by}: {from} {slot}{with} to {to} {at}{face}"),
                }
            }
            Move::Attach {
                by,
                from,
                slot,
                to,
                on,
                up,
            } => {
                let face = if *up { "" } else { ", face down" };
                write!(f, "{by}: {from} {slot} attached to {to} {on}{face}")
            }
            Move::Mark {
                by,
                zone,
                slot,
                counter,
                change,
            } => write!(f, "{by}: {counter} of {zone} {slot} {change:+}"),
            Move::Own {
                by,
                zone,
                slot,
                seat,
            } => write!(f, "{by}: {zone} {slot} is seat {seat}'s"),
            Move::Token { by, name, to, cell } => match cell {
                Some(cell) => write!(f, "{by}: token {name} to {to} {cell}"),
                None => write!(f, "{by}: token {name} to {to}"),
            },
            Move::Remove { by, zone, slot } => write!(f, "{by}: token {zone} {slot} removed"),
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
