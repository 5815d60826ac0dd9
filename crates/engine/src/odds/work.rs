//! The counts behind an answer: what anyone needs to count it again.

use super::Population;
use super::atoms::Atoms;
use super::conditions::Conditions;
use super::number::choose;
use decklaw_cards::query::HandQuery;
use decklaw_cards::query::hand::{Hand, HandTest};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};

/// Cards that the question does not distinguish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Atom {
    /// The cards as a group of a hand query, such as `[mana<=2 colour:red]`, that has just these
    /// of the cards drawn from; their names where no query selects them.
    pub label: String,
    /// Whether the label is a group.
    #[serde(skip)]
    pub is_group: bool,
    /// The names of the cards.
    pub cards: Vec<String>,
    /// Their copies.
    pub copies: u32,
}

/// The counts behind an answer; in JSON, large numbers are texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Work {
    /// The cards in atoms.
    pub atoms: Vec<Atom>,
    /// The copies of all other cards.
    pub rest: u32,
    /// Cards seen.
    pub seen: u32,
    /// The number of hands of that many cards, counting copies as different cards.
    #[serde(serialize_with = "as_text")]
    pub hands: BigUint,
    /// The number of them that satisfy the query; `None` with mulligans or a given hand.
    #[serde(serialize_with = "as_text_if_any")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub favourable: Option<BigUint>,
}

fn as_text<S: Serializer>(number: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn as_text_if_any<S: Serializer>(
    number: &Option<BigUint>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = number.as_ref().map(ToString::to_string);
    text.serialize(serializer)
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

/// Finds groups of the query language that have just some cards of a deck.
struct Groups<'w, 'p> {
    population: &'p Population<'p>,
    /// The card queries of the question, and which cards of the deck each selects.
    asked: Vec<(&'w str, &'w [bool])>,
}

impl<'w, 'p> Groups<'w, 'p> {
    fn new(population: &'p Population<'p>, conditions: &'w Conditions<'p>) -> Groups<'w, 'p> {
        let asked = conditions.groups.iter().map(|(text, has)| {
            let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
            (inner.unwrap_or(text).trim(), &**has)
        });
        Groups { population, asked: asked.filter(|(text, _)| !text.is_empty()).collect() }
    }

    /// A group that has just these members: by the question's queries, else by their names.
    fn naming(&self, members: &[usize], names: &[String]) -> Option<String> {
        let first = *members.first()?;
        let term = |text: &str| {
            if text.to_lowercase().contains("or") { format!("({text})") } else { text.to_owned() }
        };
        let (inside, outside): (Vec<_>, Vec<_>) =
            self.asked.iter().partition(|(_, has)| has[first]);
        let inside: Vec<String> = match &*inside {
            [(only, _)] => vec![(*only).to_owned()],
            several => several.iter().map(|(text, _)| term(text)).collect(),
        };
        let not: Vec<String> = outside.iter().map(|(text, _)| format!("-({text})")).collect();
        let by_names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut texts = vec![inside.join(" ")];
        // One of the other groups may be enough.
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

    /// The places of the cards of a group, if it can be read.
    fn members(&self, group: &str) -> Option<Vec<usize>> {
        let query = HandQuery::parse(&format!("0+ {group}")).ok()?;
        let Hand::Is(HandTest::Count(count)) = &query.root else {
            return None;
        };
        let pool = self.population.pool();
        let has = count.group.select(pool, self.population.ids()).ok()?;
        let cards = self.population.cards().iter().enumerate();
        let known = cards.filter(|(_, (card, _))| has.has(*card));
        let known = known.map(|(place, _)| place);
        let is_unknown = count.group.cards.is_everything() && self.population.unknown() > 0;
        let unknown = is_unknown.then_some(self.population.cards().len());
        Some(known.chain(unknown).collect())
    }
}
