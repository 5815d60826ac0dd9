//! Where a number comes from, in words.

use super::{Bound, FromCards, Part, Round, Scale};
use crate::pool::CardId;
use crate::rules::{Contents, SectionSet};
use crate::text::{listed, spaced};

/// Where a part of a number comes from.
#[derive(Debug, Clone)]
pub(super) struct PartOrigin {
    /// The field that is added up, as a sentence has it; `None`: cards are counted.
    field: Option<String>,
    /// Which cards, in words behind "cards".
    which: String,
    scale: Scale,
    /// The sections that give it, and what they are called; `None`: the card itself.
    place: Option<(SectionSet, String)>,
    /// What is there whatever the card itself says.
    base: i64,
    /// What stands where no card has a number.
    otherwise: Option<i64>,
}

impl PartOrigin {
    pub(super) fn new(
        from: &FromCards,
        which: String,
        scale: Scale,
        place: Option<(SectionSet, String)>,
        (base, otherwise): (i64, Option<i64>),
    ) -> PartOrigin {
        PartOrigin {
            field: from.field.as_ref().map(|field| spaced(&field.value)),
            which,
            scale,
            place,
            base,
            otherwise,
        }
    }

    /// What it is, in words, but for whether it is added or taken off. `first`: nothing stands
    /// before it; `sayer`: the one card of the deck that says it.
    fn words(&self, first: bool, sayer: Option<CardId>, contents: Option<&Contents<'_>>) -> String {
        let Scale { per, round, times } = self.scale;
        let times = times.saturating_abs();
        let whose = self.whose(sayer.zip(contents));
        let full = match round {
            _ if per == 1 => String::new(),
            Round::Down => format!("full {per} "),
            Round::Up => format!("begun {per} "),
            Round::Nearest => format!("{per} "),
        };
        let cards = if per == 1 { "card" } else { "cards" };
        let words = match &self.field {
            Some(field) if (per, times) == (1, 1) => match whose.strip_prefix("its") {
                Some(_) => format!("its {field}"),
                None => format!("the {field} of {whose}"),
            },
            Some(field) if per == 1 => format!("{times} times the {field} of {whose}"),
            Some(field) => format!("{times} for each {full}{field} of {whose}"),
            None if first && (per, times) == (1, 1) => format!("the number of {whose}"),
            None => format!(
                "{times} for each {full}{}",
                whose.replacen("cards", cards, 1)
            ),
        };
        let own = match self.base {
            0 => words,
            base if self.scale.times < 0 => format!("{base} less {words}"),
            base => format!("{base} plus {words}"),
        };
        let which = if self.place.is_some() {
            "no card there has one"
        } else {
            "it has none"
        };
        match self.otherwise.filter(|_| contents.is_none()) {
            Some(otherwise) => format!("{own}, or {otherwise} where {which}"),
            None => own,
        }
    }

    /// Whose number it is: `its own`, the one card that is there, or the cards of a section.
    fn whose(&self, sayer: Option<(CardId, &Contents<'_>)>) -> String {
        let Some((_, name)) = &self.place else {
            return "its own".to_owned();
        };
        if let Some((card, contents)) = sayer.filter(|_| self.field.is_some()) {
            return format!("`{}`", contents.name(card));
        }
        let the = if self.field.is_some() { "the " } else { "" };
        format!("{the}cards{} in the {name}", self.which)
    }
}

impl Bound {
    /// The number, or where it comes from.
    pub fn words(&self) -> String {
        match (self.constant(), self.unset.first()) {
            (Some(number), _) => number.to_string(),
            (None, Some(name)) if self.told.is_empty() => format!("`{name}`"),
            _ => self.text(),
        }
    }

    /// Where the number comes from; empty for a fixed one.
    fn text(&self) -> String {
        self.based(&self.rest(None))
    }

    /// Which settings make it nothing so far, where they do: else a 0 would have no cause.
    fn naught(&self) -> Option<String> {
        let names = self.naught.iter().map(|name| format!("`{name}`"));
        let names: Vec<String> = names.collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        let is_it = self.base == 0 && !names.is_empty();
        is_it.then(|| format!("{} {verb} 0", listed(&names, "and")))
    }

    /// What is there whatever cards say, and what they add to it.
    fn based(&self, rest: &[(bool, String)]) -> String {
        let is_told = self.base != 0 || self.plus || rest.first().is_some_and(|(less, _)| *less);
        let base = self
            .naught()
            .or_else(|| is_told.then(|| self.base.to_string()));
        let mut words = String::new();
        for (less, one) in base
            .into_iter()
            .map(|base| (false, base))
            .chain(rest.iter().cloned())
        {
            words += match (words.is_empty(), less) {
                (true, _) => "",
                (false, false) => ", plus ",
                (false, true) => ", less ",
            };
            words += &one;
        }
        words
    }

    /// What cards add to the number, or take off it, in words; for the cards of a deck where it
    /// is given.
    fn rest(&self, contents: Option<&Contents<'_>>) -> Vec<(bool, String)> {
        let idle = |part: &Part| contents.is_some_and(|contents| part.is_idle(contents));
        let stands = self.base != 0 || !self.naught.is_empty();
        let busy = stands || self.own.is_some() || !self.parts.iter().all(idle);
        let mut parts = self.parts.iter();
        let mut words: Vec<(bool, String)> = Vec::new();
        for told in &self.told {
            let part = told.place.as_ref().and_then(|_| parts.next());
            // What adds nothing is not told beside what does.
            let stood_in = part.zip(contents).and_then(|(part, at)| part.stood_in(at));
            if let Some((number, (_, name))) = stood_in.zip(told.place.as_ref()) {
                let since = format!("{number}, since no card in the {name} says otherwise");
                words.push((false, since));
            } else if !(busy && part.is_some_and(idle)) {
                let first = words.is_empty() && !stands && !self.plus;
                let less = told.scale.times < 0 && told.base == 0;
                let sayer = part.zip(contents).and_then(|(part, at)| part.sayer(at));
                words.push((less, told.words(first && !less, sayer, contents)));
            }
        }
        words
    }

    /// Where the number comes from in a deck, for a message that has the number: ` (…)`, or
    /// nothing.
    pub fn origin(&self, contents: &Contents<'_>) -> String {
        match self.rest(Some(contents)).as_slice() {
            [] => match self.naught() {
                Some(naught) => format!(" ({naught})"),
                None => String::new(),
            },
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
    /// ` (2 to 3, plus …)`.
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
        // The words are those of something that stands behind a number.
        let rest = least.based(&rest);
        let rest = rest.strip_prefix(&least.base.to_string())?.to_owned();
        (same && times(least) == times(most))
            .then(|| format!(" ({} to {}{rest})", least.base, most.base))
    }
}
