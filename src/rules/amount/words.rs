//! Where a number comes from, in words.

use super::{Bound, FromCards, Part, Round, Scale};
use crate::pool::CardId;
use crate::rules::{Contents, SectionSet};

/// Where a number, or a part of it, comes from.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// What it is, as in `influence limit`, or `2 for each full 5 cards`.
    pub(super) what: String,
    /// The sections that give it, and what they are called; `None`: the card itself.
    pub(super) place: Option<(SectionSet, String)>,
    /// Whether it is a sum and nothing else.
    pub(super) plain: bool,
    /// Whether it is of a field of all cards there: where there is just one, it is named.
    pub(super) named: bool,
    /// What a card has that has no number of its own.
    pub(super) otherwise: Option<i64>,
}

impl Told {
    fn words(&self, contents: Option<&Contents<'_>>) -> String {
        let Some((sections, name)) = &self.place else {
            return match self.otherwise.filter(|_| contents.is_none()) {
                Some(otherwise) => format!("its {}, or {otherwise} where it has none", self.what),
                None => format!("its {}", self.what),
            };
        };
        if let Some(contents) = contents.filter(|_| self.plain && self.named) {
            let inside = |section: u16| sections.has(usize::from(section));
            let held = contents.all().iter();
            let mut held = held.filter(|holding| inside(holding.section));
            if let (Some(only), None) = (held.next(), held.next())
                && only.copies == 1
            {
                return format!("the {} of `{}`", self.what, contents.name(only.card));
            }
        }
        let the = if self.plain { "the " } else { "" };
        format!("{the}{} in the {name}", self.what)
    }
}

impl Bound {
    /// The number, or where it comes from.
    pub fn words(&self) -> String {
        match (self.constant(), self.unset.first()) {
            (Some(number), _) => number.to_string(),
            (None, Some(name)) if self.told.is_empty() => format!("`{name}`"),
            _ => format!("as many as {}", self.told()),
        }
    }

    /// Where the number comes from; empty for a fixed one.
    pub fn told(&self) -> String {
        self.based(&self.rest(None))
    }

    /// The same with what is there whatever cards say before it.
    fn based(&self, rest: &str) -> String {
        match (rest, self.base) {
            ("", _) => String::new(),
            (rest, 0) if !self.plus => rest.to_owned(),
            (rest, base) => format!("{base}, and {rest}"),
        }
    }

    /// What cards add to the number, in words; for the cards of a deck where it is given.
    fn rest(&self, contents: Option<&Contents<'_>>) -> String {
        let idle = |part: &Part| contents.is_some_and(|contents| part.is_idle(contents));
        let busy = self.base != 0 || self.own.is_some() || !self.parts.iter().all(idle);
        let mut parts = self.parts.iter();
        let mut words = Vec::new();
        for told in &self.told {
            let part = told.place.as_ref().and_then(|_| parts.next());
            // What adds nothing is not told beside what does.
            if !(busy && part.is_some_and(idle)) {
                words.push(told.words(contents));
            }
        }
        words.join(", and ")
    }

    /// Where the number comes from in a deck, for a message that has the number: ` (…)`, or
    /// nothing.
    pub fn origin(&self, contents: &Contents<'_>) -> String {
        match self.rest(Some(contents)).as_str() {
            "" => String::new(),
            rest => format!(" ({})", self.based(rest)),
        }
    }

    /// The same of the number for one card: nothing where the card has none of its own.
    pub fn origin_of(&self, contents: &Contents<'_>, card: CardId) -> String {
        match &self.own {
            Some(own) if !own.has(card) && self.told.len() == 1 => String::new(),
            _ => self.origin(contents),
        }
    }

    /// The same of a least and a most that differ only in what is there whatever cards say:
    /// ` (2 to 3, and …)`.
    pub(in crate::rules) fn origin_between(
        least: &Bound,
        most: &Bound,
        contents: &Contents<'_>,
    ) -> Option<String> {
        let rest = least.rest(Some(contents));
        let same = !rest.is_empty() && rest == most.rest(Some(contents));
        let times = |bound: &Bound| {
            bound
                .parts
                .iter()
                .map(|part| part.scale.times)
                .collect::<Vec<_>>()
        };
        (same && times(least) == times(most))
            .then(|| format!(" ({} to {}, and {rest})", least.base, most.base))
    }
}

/// What a number that cards give is, in words, and whether it is just the number of a card.
pub(super) fn told(from: &FromCards, scale: Scale) -> (String, bool) {
    let field = from.field.as_ref().map(|field| spaced(&field.value));
    let what = match (field, &from.cards) {
        (Some(field), None) => field,
        (Some(field), Some(cards)) => format!("{field} of `{}`", cards.value),
        (None, Some(cards)) => format!("cards `{}`", cards.value),
        (None, None) => "cards".to_owned(),
    };
    match (scale.per, scale.times) {
        (1, 1) => (what, true),
        (1, times) => (format!("{times} times the {what}"), false),
        (per, times) => {
            let full = match scale.round {
                Round::Down => "full ",
                Round::Up => "begun ",
                Round::Nearest => "",
            };
            (format!("{times} for each {full}{per} {what}"), false)
        }
    }
}

/// A field as a sentence has it.
pub(in crate::rules) fn spaced(field: &str) -> String {
    field.replace('_', " ")
}
