//! The work of an answer, for showing: what anyone needs to count it again.

use super::Population;
use super::atoms::Atoms;
use super::condition::Conditions;
use super::number::choose;
use num_bigint::BigUint;

/// Cards that the question does not tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// The groups that its cards are in, as written; for cards told apart by a number or a
    /// value, their names.
    pub label: String,
    /// The cards' names.
    pub cards: Vec<String>,
    /// How many copies there are together.
    pub copies: u32,
}

/// What an answer was counted from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The deck in atoms; every other card is the rest.
    pub atoms: Vec<Atom>,
    /// Cards in no atom.
    pub rest: u32,
    /// Cards looked at.
    pub seen: u32,
    /// How many hands of so many cards there are, all copies told apart.
    pub hands: BigUint,
    /// How many of them satisfy the query; `None` where a mulligan makes it no mere count.
    pub favourable: Option<BigUint>,
}

impl Work {
    pub(crate) fn of(
        population: &Population<'_>,
        conditions: &Conditions<'_>,
        atoms: &Atoms,
        seen: u32,
    ) -> Work {
        let name = |place: &usize| match population.cards().get(*place) {
            Some((card, _)) => population.pool().name(*card).to_owned(),
            None => "cards unknown to the pool".to_owned(),
        };
        let mut shown: Vec<Atom> = Vec::new();
        for (members, copies) in atoms.members.iter().zip(&atoms.sizes) {
            let cards: Vec<String> = members.iter().map(name).collect();
            let first = members.first().copied().unwrap_or(0);
            let groups = conditions.groups.iter();
            let mine: Vec<&str> = groups
                .filter(|(_, has)| has[first])
                .map(|(text, _)| text.as_str())
                .collect();
            let mut label = mine.join(" ");
            let taken = shown.iter().any(|other| other.label == label);
            if label.is_empty() || taken {
                label = cards.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
                if cards.len() > 3 {
                    label.push('…');
                }
            }
            shown.push(Atom {
                label,
                cards,
                copies: *copies,
            });
        }
        Work {
            atoms: shown,
            rest: atoms.rest,
            seen,
            hands: choose(population.size(), seen),
            favourable: None,
        }
    }
}
