//! `size`, `distinct` and `values`: how many cards there are, how many different ones, and how
//! many values of a field.

use super::range::{Bounds, Counted};
use crate::game::Term;
use crate::rules::Compile;
use crate::rules::amount::{Amount, FromCards, Round};
use crate::rules::demand::Demand;
use crate::rules::fields::{Key, apart_from_name};
use crate::rules::groups::Groups;
use crate::rules::tree::{FAR, Leaf, Name, Num, Unit, UnknownCards};
use decklaw_cards::pool::Field;
use decklaw_cards::query::MissingValue;
use decklaw_text::name::fold;
use decklaw_text::text::{listed, singular, spaced};
use decklaw_text::yaml::{Problem, Spanned};
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `size` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Size {
    /// The sections counted, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Exactly this many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// Any of these numbers.
    #[serde(default)]
    pub one_of: Vec<Spanned<Term>>,
    /// What is counted, in the singular: `card` without it.
    #[serde(default)]
    pub called: Option<String>,
}

impl Size {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let leaf = Leaf::of_cards(self.cards.as_ref(), sections, with);
        let name = named(self.called.as_ref(), &leaf.name);
        let meter = if leaf.is_all() {
            name.place.clone()
        } else {
            format!("{} in the {}", name.plural(), name.place)
        };
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &self.one_of,
            plus: None,
        };
        let (kind, note, meter) = ("size", String::new(), Some(meter));
        bounds.demand(Counted { kind, sections, num: leaf.num(), name, note, meter }, with)
    }
}

/// What is counted, by the word of the game's maker.
fn named(called: Option<&String>, name: &Name) -> Name {
    match called {
        Some(called) => Name { noun: called.clone(), which: String::new(), ..name.clone() },
        None => name.clone(),
    }
}

/// The terms of a `distinct` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Distinct {
    /// The sections whose cards are counted, each name once.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Fields whose values make cards one and the same, as for `copies`; a list within the list are
    /// fields whose values do so together.
    #[serde(default)]
    pub by: Vec<Key>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Exactly this many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What is added to the most.
    #[serde(default)]
    pub plus: Option<Share>,
    /// What is counted, in the singular: `card` without it.
    #[serde(default)]
    pub called: Option<String>,
}

/// A share of a total, rounded down.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Share {
    /// The sections totalled.
    pub sections: Vec<Spanned<String>>,
    /// A card query: the cards totalled.
    pub cards: Spanned<String>,
    /// The number field totalled, every copy counted.
    pub field: Spanned<String>,
    /// The share: one more for each `per`; at least 1.
    pub per: Spanned<i64>,
}

impl Share {
    fn terms(&self) -> FromCards {
        FromCards {
            base: None,
            of: self.sections.clone(),
            field: Some(self.field.clone()),
            cards: Some(self.cards.clone()),
            per: Some(self.per.clone()),
            round: Round::Down,
            times: None,
            otherwise: Some(Spanned { value: Term::Number(0), span: self.per.span }),
        }
    }
}

impl Distinct {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let share = self.plus.as_ref().map(Share::terms);
        if let Some(share) = self.plus.as_ref().filter(|_| self.max.is_none()) {
            with.refuse("`plus` adds to a `max`".to_owned(), share.per.span);
        }
        let keys = apart_from_name(&self.by);
        let by = with.grouped(keys, true);
        let mut leaf = Leaf::of_cards(self.cards.as_ref(), sections, with);
        // An unknown card may be one and the same as a known one.
        if by.is_some() {
            leaf.unknown = UnknownCards::Any(0, with.most_groups(keys).unwrap_or(FAR));
        }
        let mut name = named(self.called.as_ref(), &leaf.name);
        name.noun = format!("different {}", name.noun());
        let note = by.as_ref().map_or(String::new(), |(fields, _)| {
            format!(" (cards of the same {fields} count once)")
        });
        let num =
            Num::Different { groups: by.map(|(_, groups)| groups), least: 1, leaf: Box::new(leaf) };
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
            plus: share.as_ref().zip(self.plus.as_ref().map(|plus| plus.per.span)),
        };
        let (kind, meter) = ("distinct", None);
        bounds.demand(Counted { kind, sections, num, name, note, meter }, with)
    }
}

/// The terms of a `values` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Values {
    /// The sections whose cards are looked at.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The field: a word, a number, text, `name`, or a list, whose items are values.
    pub field: Spanned<String>,
    /// The values that count; all without it.
    #[serde(default)]
    pub among: Option<Vec<Spanned<String>>>,
    /// The copies that a value needs to count; 1 without it.
    #[serde(default)]
    pub with_at_least: Option<Spanned<i64>>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Exactly this many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What a value is, in the singular, as in `ink`.
    #[serde(default)]
    pub called: Option<String>,
}

impl Values {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let least = self.with_at_least.as_ref();
        if let Some(least) = least.filter(|least| least.value < 1) {
            with.refuse("`with-at-least` must be at least 1".to_owned(), least.span);
        }
        let least = least.map_or(1, |least| least.value.max(1));
        let groups = with.grouped(&[Key::One(self.field.clone())], false);
        let mut groups = groups.map(|(_, groups)| groups).unwrap_or_default();
        let mut slip = None;
        let mut leaf = Leaf::of_cards(self.cards.as_ref(), sections, with);
        let mut name = Name { unit: Unit::Values, ..named(self.called.as_ref(), &leaf.name) };
        if self.called.is_none() {
            name.noun = format!("different {}", singular(&spaced(&self.field.value)));
        }
        let mut note = match (&self.called, leaf.name.which.as_str()) {
            (None, _) | (_, "") => String::new(),
            (_, which) => format!(" (only cards{which} count)"),
        };
        if let Some(among) = &self.among {
            let (counts, unknown) = self.among(among, &groups, with);
            slip = unknown;
            groups = Arc::new(groups.only(|group| counts.contains(&group)));
            let among: Vec<&str> = among.iter().map(|value| value.value.as_str()).collect();
            note += &format!(" among {}", listed(&among, "and"));
        }
        leaf.unknown = match (self.field.value.as_str(), &leaf.unknown) {
            // An unknown card has one name, which is no other card's.
            ("name", UnknownCards::Any(low, _)) if least == 1 && self.among.is_none() => {
                UnknownCards::Any(*low, 1)
            }
            ("name", _) => UnknownCards::Any(0, 1),
            _ => UnknownCards::Any(0, FAR),
        };
        let num = Num::Different { groups: Some(groups), least, leaf: Box::new(leaf) };
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            ..Bounds::default()
        };
        let (kind, meter) = ("values", None);
        let demand = bounds.demand(Counted { kind, sections, num, name, note, meter }, with);
        Demand { slip, ..demand }
    }

    /// The groups of the values that count, and why a value is most likely misspelled.
    fn among(
        &self,
        among: &[Spanned<String>],
        groups: &Groups,
        with: &mut Compile<'_>,
    ) -> (Vec<u32>, Option<String>) {
        if among.is_empty() {
            with.refuse("`among` names no value".to_owned(), self.field.span);
        }
        let mut fields = with.pool.fields().iter();
        let field = fields.find(|own| own.name == self.field.value).cloned();
        let named: Vec<&str> = field.iter().flat_map(Field::words).collect();
        let (mut counting, mut slip) = (Vec::new(), None);
        for value in among {
            let word = match &field {
                Some(field) => field.canonical(&value.value),
                None => Some(value.value.as_str().into()),
            };
            let Some(word) = word else {
                let message = format!(
                    "no `{}` of `{}`; the values are {}",
                    value.value,
                    self.field.value,
                    listed(&named, "and")
                );
                let (field, word) = (self.field.value.clone(), value.value.clone());
                let missing = MissingValue { field, value: word };
                with.refuse_value(missing, Problem::new(message, value.span));
                continue;
            };
            match groups.find(&fold(&word)) {
                Some(group) => counting.push(group),
                None if named.contains(&&*word) => {}
                None => slip = Some(value.value.as_str()),
            }
        }
        let slip = slip.map(|value| {
            let field = spaced(&self.field.value);
            format!("no card of the pool has the {field} `{value}`, which `among` names")
        });
        (counting, slip)
    }
}
