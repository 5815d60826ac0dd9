//! Moves in words.

use crate::matches::log::moves::Move;
use decklaw_core::text::{counted, listed};

impl Move {
    /// What was done, in words, for whoever knows the order of the cards in just some zones:
    /// where a card lay in another one is not told.
    pub(super) fn worded(&self, knows: &dyn Fn(&str) -> bool) -> String {
        let card = |zone: &str, slot: u32| match knows(zone) {
            true => format!("{zone} {slot}"),
            false => format!("a card of {zone}"),
        };
        let down = |up: bool| if up { "" } else { ", face down" };
        match self {
            Move::Draw {
                by,
                from,
                to,
                count,
            } => {
                let cards = counted(i64::from(*count), "card");
                format!("{by}: {cards} from {from} to {to}")
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
                let at = match cell {
                    Some(cell) => format!(" {cell}"),
                    None if knows(to) => format!(" {at}"),
                    None => String::new(),
                };
                let (card, face) = (card(from, *slot), down(*up));
                format!("{by}: {card}{with} to {to}{at}{face}")
            }
            Move::Attach {
                by,
                from,
                slot,
                to,
                on,
                up,
            } => {
                let (card, face) = (card(from, *slot), down(*up));
                format!("{by}: {card} attached to {to} {on}{face}")
            }
            Move::Mark {
                by,
                zone,
                slot,
                counter,
                change,
            } => format!("{by}: {counter} of {zone} {slot} {change:+}"),
            Move::Own {
                by,
                zone,
                slot,
                seat,
            } => format!("{by}: {zone} {slot} is seat {seat}'s"),
            Move::Token { by, name, to, cell } => match cell {
                Some(cell) => format!("{by}: token {name} to {to} {cell}"),
                None => format!("{by}: token {name} to {to}"),
            },
            Move::Remove { by, zone, slot } => {
                format!("{by}: token {} removed", card(zone, *slot))
            }
            Move::Flip { by, zone, slot } => format!("{by}: {zone} {slot} turned over"),
            Move::Turn { by, zone, slot } => {
                format!("{by}: {zone} {slot} turned sideways or back")
            }
            Move::Count {
                by,
                seat,
                counter,
                change,
            } => format!("{by}: {counter} of {seat} {change:+}"),
            Move::Look {
                by,
                zone,
                slot,
                count,
                to,
                ..
            } => {
                let cards = match (*count, knows(zone)) {
                    (1, _) => card(zone, *slot),
                    (count, true) => {
                        let cards = counted(i64::from(count), "card");
                        format!("{cards} of {zone} from {slot}")
                    }
                    (count, false) => format!("{} of {zone}", counted(i64::from(count), "card")),
                };
                match to.as_slice() {
                    [] => format!("{by}: {cards} shown to all"),
                    [one] if one == by => format!("{by}: {cards} looked at"),
                    seats => {
                        let seats: Vec<&str> = seats.iter().map(|seat| seat.letter()).collect();
                        format!("{by}: {cards} shown to {}", listed(&seats, "and"))
                    }
                }
            }
            Move::Give { by, from, slot, to } => {
                format!("{by}: {} given to {to}", card(from, *slot))
            }
            Move::Random { by, from, to, .. } => {
                format!("{by}: a card of {from} by chance to {to}")
            }
            Move::Shuffle { by, zone } => format!("{by}: {zone} shuffled"),
            Move::Roll { by, sides } => format!("{by}: a die of {sides} sides rolled"),
            Move::Pass { by } => format!("{by}: the turn ends"),
            Move::Undo { by } => format!("{by}: the newest move taken back"),
        }
    }
}
