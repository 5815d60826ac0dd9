//! The work of an answer, for showing: what anyone needs to count it again.

use super::Population;
use super::atoms::Atoms;
use super::condition::Conditions;
use super::number::choose;
use decklaw_core::query::HandQuery;
use num_bigint::BigUint;

/// Cards that the question does not tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// Its cards as a group of a hand query, `[mana<=2 colour:red]`: among the cards drawn from
    /// it has just these. Where no query can name them, such as cards that the pool does not
    /// know, their names.
    pub label: String,
    /// Whether the label is such a group.
    pub is_group: bool,
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
        let groups = Groups::new(population, conditions);
        let mut shown: Vec<Atom> = Vec::new();
        for (members, copies) in atoms.members.iter().zip(&atoms.sizes) {
            let cards: Vec<String> = members.iter().map(name).collect();
            let group = groups.naming(members, &cards);
            shown.push(Atom {
                is_group: group.is_some(),
                label: group.unwrap_or_else(|| cards.join(", ")),
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

/// Looks for groups of the language that have just some cards of a deck.
struct Groups<'w, 'p> {
    population: &'p Population<'p>,
    /// The card queries of the question, and which cards of the deck each has.
    asked: Vec<(&'w str, &'w [bool])>,
}

impl<'w, 'p> Groups<'w, 'p> {
    fn new(population: &'p Population<'p>, conditions: &'w Conditions<'p>) -> Groups<'w, 'p> {
        let asked = conditions.groups.iter().map(|(text, has)| {
            let inner = text
                .strip_prefix('[')
                .and_then(|text| text.strip_suffix(']'));
            (inner.unwrap_or(text).trim(), &**has)
        });
        Groups {
            population,
            asked: asked.filter(|(text, _)| !text.is_empty()).collect(),
        }
    }

    /// A group that has just these members, by the question's own words or by their names.
    fn naming(&self, members: &[usize], names: &[String]) -> Option<String> {
        let first = *members.first()?;
        let term = |text: &str| match text.to_lowercase().contains("or") {
            true => format!("({text})"),
            false => text.to_owned(),
        };
        let (inside, outside): (Vec<_>, Vec<_>) =
            self.asked.iter().partition(|(_, has)| has[first]);
        let inside: Vec<String> = match &*inside {
            [(only, _)] => vec![(*only).to_owned()],
            several => several.iter().map(|(text, _)| term(text)).collect(),
        };
        let not: Vec<String> = outside
            .iter()
            .map(|(text, _)| format!("-({text})"))
            .collect();
        let by_names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut texts = vec![inside.join(" ")];
        // Few of the other groups may be enough.
        for without in &not {
            texts.push([&*inside, std::slice::from_ref(without)].concat().join(" "));
        }
        texts.push([&*inside, &*not].concat().join(" "));
        texts.push(by_names.join(" or "));
        let groups = texts.into_iter().filter(|text| !text.is_empty());
        groups
            .map(|text| format!("[{text}]"))
            .find(|group| self.members(group).as_deref() == Some(members))
    }

    /// The cards that a group has, by place, if it is one of the language.
    fn members(&self, group: &str) -> Option<Vec<usize>> {
        let query = HandQuery::parse(&format!("0+ {group}")).ok()?;
        let has = Conditions::of(self.population).members_of(&query)?;
        let places = has.iter().enumerate().filter(|(_, has)| **has);
        Some(places.map(|(place, _)| place).collect())
    }
}
