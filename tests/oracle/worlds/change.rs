//! What random banlists say otherwise of cards than the card file.

use super::{Card, KINDS, Query, TRAITS};
use crate::random::Random;

/// What becomes of a field.
#[derive(Debug, Clone)]
enum Edit {
    Kind(&'static str),
    Traits(Vec<&'static str>),
    Cost(Option<i64>),
    Limit(Option<i64>),
    MoreCost(i64),
    MoreLimit(i64),
}

impl Edit {
    fn random(random: &mut Random) -> Edit {
        let number = |random: &mut Random| random.percent(80).then(|| random.below(4) as i64);
        match random.below(6) {
            0 => Edit::Kind(["", KINDS[0], KINDS[1], KINDS[2]][random.below(4)]),
            1 => Edit::Traits(TRAITS.into_iter().filter(|_| random.percent(50)).collect()),
            2 => Edit::Cost(number(random)),
            3 => Edit::Limit(number(random)),
            4 => Edit::MoreCost(1 + random.below(2) as i64),
            _ => Edit::MoreLimit(1 + random.below(2) as i64),
        }
    }

    fn field(&self) -> &'static str {
        match self {
            Edit::Kind(_) => "kind",
            Edit::Traits(_) => "traits",
            Edit::Cost(_) | Edit::MoreCost(_) => "cost",
            Edit::Limit(_) | Edit::MoreLimit(_) => "limit",
        }
    }

    fn text(&self) -> String {
        let field = self.field();
        let cell = |number: &Option<i64>| number.map_or("''".into(), |number| number.to_string());
        match self {
            Edit::Kind(word) => format!("set: {{{field}: '{word}'}}"),
            Edit::Traits(words) => format!("set: {{{field}: '{}'}}", words.join(";")),
            Edit::Cost(number) | Edit::Limit(number) => {
                format!("set: {{{field}: {}}}", cell(number))
            }
            Edit::MoreCost(more) | Edit::MoreLimit(more) => format!("add: {{{field}: {more}}}"),
        }
    }

    fn apply(&self, card: &mut Card) {
        match self {
            Edit::Kind(word) => card.kind = word,
            Edit::Traits(words) => card.traits = words.clone(),
            Edit::Cost(number) => card.cost = *number,
            Edit::Limit(number) => card.limit = *number,
            Edit::MoreCost(more) => card.cost = Some(card.cost.unwrap_or(0) + more),
            Edit::MoreLimit(more) => card.limit = Some(card.limit.unwrap_or(0) + more),
        }
    }
}

#[derive(Debug, Clone)]
enum Whose {
    /// A card's name, or a value of the list's field.
    Called(String),
    Cards(Query),
}

#[derive(Debug, Clone)]
pub(super) struct Change {
    whose: Whose,
    edit: Edit,
}

impl Change {
    /// Some changes, no two of the same cards by the same words.
    pub(super) fn some(names: &[String], random: &mut Random) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        for _ in 0..random.below(4) {
            let whose = match Query::random(random) {
                query if query != Query::All && random.percent(60) => Whose::Cards(query),
                _ => Whose::Called(random.pick(names).clone()),
            };
            let change = Change {
                whose,
                edit: Edit::random(random),
            };
            let key = |one: &Change| (one.whose_text(), one.edit.field());
            if changes.iter().all(|known| key(known) != key(&change)) {
                changes.push(change);
            }
        }
        changes
    }

    fn whose_text(&self) -> String {
        match &self.whose {
            Whose::Called(name) => format!("name: {name}"),
            Whose::Cards(query) => format!("cards: '{}'", query.text()),
        }
    }

    pub(super) fn text(&self) -> String {
        format!("  - {{{}, {}}}\n", self.whose_text(), self.edit.text())
    }

    fn is_of(&self, card: &Card, by: Option<&str>) -> bool {
        match &self.whose {
            Whose::Cards(query) => query.picks(card),
            Whose::Called(name) => {
                let value = match by {
                    Some("kind") => card.kind,
                    Some("title") => card.title,
                    _ => "",
                };
                let called = if value.is_empty() { &card.name } else { value };
                called.to_lowercase() == *name
            }
        }
    }
}

/// The cards as a list has them: a name goes before queries, and of queries the first counts.
pub(super) fn changed(changes: &[Change], by: Option<&str>, printed: &[Card]) -> Vec<Card> {
    let named = |change: &&Change| matches!(change.whose, Whose::Called(_));
    let of = |card: &Card| {
        let mut after = card.clone();
        for field in ["kind", "traits", "cost", "limit"] {
            let fits = |change: &&Change| change.edit.field() == field && change.is_of(card, by);
            let first = changes.iter().filter(named).find(fits);
            let queries = || changes.iter().filter(|change| !named(change)).find(fits);
            if let Some(change) = first.or_else(queries) {
                change.edit.apply(&mut after);
            }
        }
        after
    };
    printed.iter().map(of).collect()
}
