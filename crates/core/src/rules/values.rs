//! `values`: how many different values of a field the cards of a deck have.

use super::amount::Amount;
use super::bounded::{Bounded, BoundedKind, Explanation, OutOfBounds};
use super::demand::{FAR, Leaf, Num, Strangers};
use super::fields::Key;
use super::groups::Groups;
use super::range::Bounds;
use super::{Compile, Contents, Failing};
use crate::name::fold;
use crate::pool::{CardId, Pool};
use crate::text::{counted, listed, singular, spaced, there_are};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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
    /// The field: a word, a number, text, `name`, or a list, each item of which is a value.
    pub field: Spanned<String>,
    /// The values that count; all without it.
    #[serde(default)]
    pub among: Option<Vec<Spanned<String>>>,
    /// A value counts only where at least so many copies have it; 1 without it.
    #[serde(default)]
    pub with_at_least: Option<Spanned<i64>>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Just so many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What a value is, in the singular, as in `ink`.
    #[serde(default)]
    pub called: Option<String>,
}

/// How many different values there are.
#[derive(Debug)]
pub(super) struct Valued {
    field: String,
    /// Which cards, behind the word for them; nothing where the range says it.
    of: String,
    leaf: Leaf,
    groups: Arc<Groups>,
    /// Values that should count, that no card of the pool has and that the game does not name.
    vain: Vec<String>,
    least: i64,
}

impl Values {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Bounded<Valued> {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
        };
        let mut different = format!("different {}", singular(&spaced(&self.field.value)));
        if let Some(among) = &self.among {
            let among: Vec<&str> = among.iter().map(|value| value.value.as_str()).collect();
            different += &format!(" among {}", listed(&among, "and"));
        }
        let called = (self.called.as_deref().unwrap_or(&different), false);
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        if let Some(least) = self.with_at_least.as_ref().filter(|least| least.value < 1) {
            with.refuse("`with-at-least` must be at least 1".to_owned(), least.span);
        }
        let groups = with.grouped(&[Key::One(self.field.clone())], false);
        let mut groups = groups.map(|(_, groups)| groups).unwrap_or_default();
        let mut vain = Vec::new();
        if let Some(among) = &self.among {
            let counts = self.among(among, &groups, &mut vain, with);
            groups = Arc::new(groups.only(|group| counts.contains(&group)));
        }
        let leaf = Leaf {
            // An unknown card may have any number of values.
            strangers: Strangers::Any(0, FAR),
            ..Leaf::of_cards(self.cards.as_ref(), sections, with)
        };
        let kind = Valued {
            field: self.field.value.clone(),
            of: with.which(self.cards.as_ref().filter(|_| of.is_none())),
            leaf,
            groups,
            vain,
            least: self
                .with_at_least
                .as_ref()
                .map_or(1, |least| least.value.max(1)),
        };
        let (groups, leaf) = (Arc::clone(&kind.groups), Box::new(kind.leaf.clone()));
        let num = Num::Different {
            groups: Some(groups),
            least: kind.least,
            leaf,
        };
        let range = bounds.compile("values", called, of, sections, with);
        Bounded::new(sections, num, range, kind, with)
    }

    /// The groups of the values that count; `vain` takes those that no card has and the game
    /// does not name, which are most likely misspelt.
    fn among(
        &self,
        among: &[Spanned<String>],
        groups: &Groups,
        vain: &mut Vec<String>,
        with: &mut Compile<'_>,
    ) -> Vec<u32> {
        if among.is_empty() {
            with.refuse("`among` names no value".to_owned(), self.field.span);
        }
        let mut fields = with.pool.fields().iter();
        let field = fields.find(|own| own.name == self.field.value).cloned();
        let named: Vec<&str> = field.iter().flat_map(crate::pool::Field::words).collect();
        let mut counting = Vec::new();
        for value in among {
            let word = match &field {
                Some(field) => field.canonical(&value.value),
                None => Some(std::borrow::Cow::Borrowed(value.value.as_str())),
            };
            let Some(word) = word else {
                let known = listed(&named, "and");
                let message = format!(
                    "no `{}` of `{}`; the values are {known}",
                    value.value, self.field.value
                );
                with.refuse(message, value.span);
                continue;
            };
            match groups.find(&fold(&word)) {
                Some(group) => counting.push(group),
                None if named.contains(&&*word) => {}
                None => vain.push(value.value.clone()),
            }
        }
        counting
    }
}

impl Valued {
    /// The values that count.
    fn counting(&self, contents: &Contents<'_>) -> Vec<u32> {
        let mut all = Vec::new();
        let see = |group| all.push(group);
        self.leaf.groups(&self.groups, self.least, contents, see);
        all
    }

    /// The copies that some cards of the deck have of each value.
    fn copies(&self, cards: &[(CardId, i64)]) -> BTreeMap<u32, i64> {
        let mut copies: BTreeMap<u32, i64> = BTreeMap::new();
        for (card, held) in cards {
            for group in self.groups.of_card(*card) {
                *copies.entry(*group).or_default() += held;
            }
        }
        copies
    }

    /// The cards of a deck that have any value, with their copies.
    fn held(&self, contents: &Contents<'_>) -> Vec<(CardId, i64)> {
        let mut cards = Vec::new();
        self.leaf.held(contents, |card, copies, _| {
            let counts = !self.groups.of_card(card).is_empty();
            cards.extend(counts.then_some((card, copies)));
        });
        cards
    }

    /// So many values of which the deck has the fewest copies.
    fn rarest(&self, contents: &Contents<'_>, count: usize) -> Vec<&str> {
        let copies = self.copies(&self.held(contents)).into_iter();
        let mut copies: Vec<(i64, &str)> = copies
            .map(|(group, held)| (held, self.groups.name(group)))
            .collect();
        copies.sort_unstable();
        copies
            .into_iter()
            .take(count)
            .map(|(_, name)| name)
            .collect()
    }

    fn with_so_many(&self) -> String {
        match self.least {
            1 => String::new(),
            least => format!(" with at least {} each", counted(least, "card")),
        }
    }

    fn help(&self, of: &Bounded<Self>, contents: &Contents<'_>, missed: OutOfBounds) -> String {
        let off = missed.off();
        let (some, cards) = (of.range.amount(off), of.range.cards());
        let more = some.replacen(' ', " more ", 1);
        let least = counted(self.least, "card");
        match missed.failing {
            Failing::Shortfall if self.least > 1 => {
                let each = if off > 1 { " each" } else { "" };
                format!("bring {more} to at least {least}{each}")
            }
            Failing::Shortfall => format!("add {cards} of {more}"),
            _ if self.least > 1 => format!("leave fewer than {least} of {some}"),
            _ => {
                let rare = self.rarest(contents, off.unsigned_abs() as usize);
                let such = if missed.limit > 0 { ", such as" } else { ":" };
                format!(
                    "take out all {cards} of {some}{such} {}",
                    listed(&rare, "and")
                )
            }
        }
    }
}

impl BoundedKind for Valued {
    fn missed(of: &Bounded<Self>, contents: &Contents<'_>, missed: OutOfBounds) -> Explanation {
        let (kind, name, count) = (&of.kind, &of.name, missed.number);
        let those = kind.counting(contents).into_iter();
        let mut names: Vec<&str> = those.map(|group| kind.groups.name(group)).collect();
        names.sort_unstable();
        let which = match names.as_slice() {
            [] => String::new(),
            names => format!(" ({})", listed(names, "and")),
        };
        let so_many = kind.with_so_many();
        let wanted = of.range.wanted_here(contents);
        let message = format!(
            "the {name} must have {wanted}{so_many}; {}{which}",
            there_are(count)
        );
        Explanation {
            message,
            help: kind.help(of, contents, missed),
            cards: Vec::new(),
        }
    }

    fn open(of: &Bounded<Self>, contents: &Contents<'_>) -> String {
        let strangers = contents.count_unknown(of.sections);
        format!(
            "not verified: the pool does not tell the {} of {} in the {}",
            of.kind.field,
            counted(strangers.max(1), "unknown card"),
            of.name
        )
    }

    fn counted(of: &Bounded<Self>, contents: &Contents<'_>) -> Vec<CardId> {
        let held = of.kind.held(contents).into_iter();
        held.map(|(card, _)| card).collect()
    }

    fn idle(of: &Bounded<Self>, pool: &Pool) -> Option<String> {
        let kind = &of.kind;
        if let [first, ..] = kind.vain.as_slice() {
            return Some(format!(
                "no card of the pool has the {} `{first}`, which `among` names",
                spaced(&kind.field)
            ));
        }
        let cards = kind.leaf.weighed(pool.len()).into_iter();
        let values = cards.flat_map(|(card, _)| kind.groups.of_card(card));
        let values = values.collect::<BTreeSet<&u32>>().len() as i64;
        let idle = of.range.idle(values)?;
        Some(format!(
            "the pool has {} in all, so {idle}",
            of.range.counted(values)
        ))
    }

    fn demand(of: &Bounded<Self>) -> String {
        let counting = match of.kind.of.as_str() {
            "" => String::new(),
            of => format!(", counting only cards{of}"),
        };
        match of.range.wanted(&of.kind.with_so_many()) {
            Some(wanted) => format!("The {} must have {wanted}{counting}.", of.name),
            None => format!(
                "A number of {} for the {} that the rules text does not give.",
                of.kind.field, of.name
            ),
        }
    }
}
