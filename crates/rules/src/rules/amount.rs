//! A whole number that a rule needs: fixed, given by a setting, or made by the deck's own cards.

use super::tree::{Cond, Leaf, Num, UnknownCards, Weights};
use super::written::RawValue;
use super::{Compile, Contents};
use crate::game::{SettingValue, Term};
use decklaw_cards::pool::{CardId, CardSet};
use decklaw_text::text::{Span, spaced};
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Deserializer};

/// A number in a format file, where cards may set it: a whole number; the name of a setting or
/// of one of the format's `values`; a number that cards give; or a list of these, added up.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Amount {
    /// The number.
    Number(i64),
    /// The name of a setting, or of one of the format's `values`.
    Named(String),
    /// A number that cards give.
    From(Box<FromCards>),
    /// All of these, added up.
    Sum(Vec<Spanned<Amount>>),
}

/// A number that cards give: `base + times × (total / per)`, the quotient rounded.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FromCards {
    /// A constant; nothing without it.
    #[serde(default)]
    pub base: Option<Spanned<Term>>,
    /// The sections whose cards are added up, every copy. Without them it is the card's own
    /// number: that of the card which the rule judges.
    #[serde(default)]
    pub of: Vec<Spanned<String>>,
    /// The number field that is added up; without it the copies are counted.
    #[serde(default)]
    pub field: Option<Spanned<String>>,
    /// A card query: which cards are added up; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Counts once for each `per`; at least 1, and 1 without it.
    #[serde(default)]
    pub per: Option<Spanned<i64>>,
    /// How a part of `per` counts.
    #[serde(default)]
    pub round: Round,
    /// How often; 1 without it.
    #[serde(default)]
    pub times: Option<Spanned<i64>>,
    /// The number where no card has one in the field. Without it, and without `base`, there is
    /// then no bound at all.
    #[serde(default, rename = "else")]
    pub otherwise: Option<Spanned<Term>>,
}

/// How a quotient becomes whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Round {
    /// A part does not count.
    #[default]
    Down,
    /// A part counts as a whole.
    Up,
    /// To the nearest, a half up.
    Nearest,
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        Ok(match RawValue::deserialize(deserializer)? {
            RawValue::Number(number) => Amount::Number(number),
            RawValue::Text(name) => Amount::Named(name),
            RawValue::List(parts) => Amount::Sum(parts),
            RawValue::Map(from) => Amount::From(Box::new(from)),
        })
    }
}

/// A number ready to be asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    /// A constant.
    base: i64,
    /// What the cards of the deck add.
    parts: Vec<Num>,
    /// The conditions on which there is no such number: one of them is enough.
    pub(super) silent: Vec<Cond>,
    /// By index, the number that the judged card has of its own; `None`: it is not bound.
    own: Option<Vec<Option<i64>>>,
    /// The cards whose own field gives it.
    given: CardSet,
    /// The settings without a value.
    pub(super) unset: Vec<String>,
    /// Where the parts come from.
    origins: Vec<Origin>,
    /// The settings in it that are 0, and would show nowhere else.
    zero: Vec<String>,
}

/// Where a part of a number comes from.
#[derive(Debug, Clone)]
struct Origin {
    /// What is added up, behind `the`; none where cards are counted.
    field: Option<String>,
    /// Which cards, behind "cards".
    which: String,
    /// Where they are; none for the judged card itself.
    place: Option<String>,
    per: i64,
    round: Round,
    times: i64,
    base: i64,
    otherwise: Option<i64>,
    /// The cards that have a number.
    leaf: Option<Leaf>,
}

impl Bound {
    /// A fixed number.
    pub(super) fn fixed(base: i64) -> Bound {
        Bound { base, ..Bound::default() }
    }

    /// What a format file's words mean. `each`: the rule judges cards one by one, so that a
    /// card's own number can be meant.
    pub(super) fn compile(amount: &Spanned<Amount>, each: bool, with: &mut Compile<'_>) -> Bound {
        let mut bound = Bound::default();
        bound.add(amount, each, with);
        bound
    }

    fn add(&mut self, amount: &Spanned<Amount>, each: bool, with: &mut Compile<'_>) {
        match &amount.value {
            Amount::Number(number) => self.base = self.base.saturating_add(*number),
            Amount::Named(name) => {
                let term = Spanned { value: Term::Named(name.clone()), span: amount.span };
                self.add_term(&term, with);
            }
            Amount::Sum(parts) => parts.iter().for_each(|part| self.add(part, each, with)),
            Amount::From(from) => self.add_cards(from, amount.span, each, with),
        }
    }

    fn add_term(&mut self, term: &Spanned<Term>, with: &mut Compile<'_>) {
        let number = with.given(Some(term), &mut self.unset);
        self.base = self.base.saturating_add(number.unwrap_or(0));
        if let Term::Named(name) = &term.value
            && with.settings.get(name) == Some(&Some(SettingValue::Number(0)))
        {
            self.zero.push(name.clone());
        }
    }

    /// Adds a number that cards give.
    pub(super) fn add_cards(
        &mut self,
        from: &FromCards,
        span: Span,
        each: bool,
        with: &mut Compile<'_>,
    ) {
        let per = from.per.as_ref().map_or(1, |per| per.value);
        if let Some(per) = from.per.as_ref().filter(|per| per.value < 1) {
            with.refuse("`per` must be at least 1".to_owned(), per.span);
        }
        let otherwise = with.given(from.otherwise.as_ref(), &mut self.unset);
        let mut origin = Origin {
            field: from.field.as_ref().map(|field| spaced(&field.value)),
            which: String::new(),
            place: None,
            per: per.max(1),
            round: from.round,
            times: from.times.as_ref().map_or(1, |times| times.value),
            base: 0,
            otherwise,
            leaf: None,
        };
        if from.of.is_empty() {
            let Some(field) = own_field(from, each && self.own.is_none(), span, with) else {
                return;
            };
            origin.base = with.given(from.base.as_ref(), &mut self.unset).unwrap_or(0);
            let otherwise = otherwise.or(from.base.as_ref().map(|_| origin.base));
            let column = with.column(field);
            self.given = CardSet::of(column.len(), |card| column[card.index()].is_some());
            let own = column.into_iter().map(|number| match number {
                Some(number) => Some(origin.base.saturating_add(origin.scaled(number))),
                None => otherwise,
            });
            self.own = Some(own.collect());
            self.origins.push(origin);
            return;
        }
        if let Some(base) = &from.base {
            self.add_term(base, with);
        }
        let sections = with.section_set(&from.of);
        let mut leaf = Leaf::of_cards(from.cards.as_ref(), sections, with);
        origin.which = leaf.name.which.clone();
        origin.place = Some(leaf.name.place.clone());
        let mut instead = None;
        if let Some(field) = &from.field {
            let column = with.column(field);
            let pool = with.pool;
            let number = |card: CardId| leaf.weight(card).and(column[card.index()]);
            let has = CardSet::of(pool.len(), |card| number(card).is_some());
            let has = Leaf::of(Weights::Set(has), sections).with_unknown(UnknownCards::Any(0, 1));
            let weights: Vec<i64> = pool.ids().map(|card| number(card).unwrap_or(0)).collect();
            leaf.unknown = UnknownCards::of_numbers(weights.iter().copied());
            leaf.cards = Weights::Each(weights);
            // Where no card has a number, the fallback counts, or there is no bound.
            let nobody = has.is_absent();
            match (otherwise, &from.base) {
                (_, Some(_)) => {}
                (None, None) => self.silent.push(nobody),
                (Some(0), None) => {}
                (Some(number), None) => {
                    let number = Box::new(Num::Const(number));
                    instead = Some(Num::When(Box::new(nobody), number));
                }
            }
            origin.leaf = Some(has);
        }
        self.parts.push(origin.scaled_num(leaf.num()));
        self.parts.extend(instead);
        self.origins.push(origin);
    }

    /// The number where no card has a say in it.
    pub(super) fn constant(&self) -> Option<i64> {
        let fixed = self.parts.is_empty() && self.own.is_none() && self.unset.is_empty();
        fixed.then_some(self.base)
    }

    /// What the deck's cards make of it, but for a card's own number.
    pub(super) fn num(&self) -> Num {
        let mut parts = self.parts.clone();
        if self.base != 0 || parts.is_empty() {
            parts.push(Num::Const(self.base));
        }
        Num::sum(parts)
    }

    /// Whether no other cards of a deck have a say in it.
    pub(super) fn is_of_card(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether each card has a number of its own.
    pub(super) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// The number that a card has of its own; `None`: it has no bound.
    pub(super) fn own(&self, card: CardId) -> Option<i64> {
        match &self.own {
            None => Some(0),
            Some(own) => own.get(card.index()).copied().flatten(),
        }
    }

    /// The number, or where it comes from.
    pub(super) fn words(&self) -> String {
        match (self.constant(), self.unset.first()) {
            (Some(number), _) => number.to_string(),
            (None, Some(name)) if self.origins.is_empty() => format!("`{name}`"),
            _ => self.words_in(None),
        }
    }

    /// Where the number comes from in a deck, for a message that has the number; empty for a
    /// fixed one.
    pub(super) fn origin(&self, contents: &Contents<'_>) -> String {
        self.words_in(Some(contents))
    }

    /// The same of the number for one card: nothing where it has none of its own.
    pub(super) fn origin_of(&self, card: CardId, contents: &Contents<'_>) -> String {
        if self.is_own() && self.is_of_card() && !self.given.has(card) {
            String::new()
        } else {
            self.words_in(Some(contents))
        }
    }

    fn words_in(&self, contents: Option<&Contents<'_>>) -> String {
        let zero = self.zero.iter().filter(|_| self.base == 0);
        let mut words: Vec<String> = zero.map(|name| format!("`{name}` is 0")).collect();
        let less = |origin: &Origin| origin.times < 0 && origin.base == 0;
        if words.is_empty()
            && !self.origins.is_empty()
            && (self.base != 0 || self.origins.first().is_some_and(less))
        {
            words.push(self.base.to_string());
        }
        let mut text = words.join(", ");
        for origin in &self.origins {
            // A source that adds nothing is left out next to one that does.
            if !text.is_empty() && contents.is_some_and(|contents| origin.is_idle(contents)) {
                continue;
            }
            text += match (text.is_empty(), less(origin)) {
                (true, _) => "",
                (false, false) => " plus ",
                (false, true) => " minus ",
            };
            text += &origin.words(contents);
        }
        text
    }
}

/// The field of a card's own number, where one may be asked for.
fn own_field<'f>(
    from: &'f FromCards,
    may_be: bool,
    span: Span,
    with: &mut Compile<'_>,
) -> Option<&'f Spanned<String>> {
    let Some(field) = &from.field else {
        let message = "a number that cards give needs `of`, sections, or a `field`";
        with.refuse(message.to_owned(), span);
        return None;
    };
    let message = match (may_be, &from.cards) {
        (true, None) => return Some(field),
        (true, Some(_)) => "a card's own number takes no `cards`".to_owned(),
        (false, _) => format!(
            "`{}` would be the number of one card here: say `of` which sections it is added up",
            field.value
        ),
    };
    with.refuse(message, field.span);
    None
}

impl Origin {
    fn scaled(&self, total: i64) -> i64 {
        let quotient = match self.round {
            _ if self.per == 1 => total,
            Round::Down => total.div_euclid(self.per),
            Round::Up => total.saturating_add(self.per - 1).div_euclid(self.per),
            Round::Nearest => {
                let doubled = total.saturating_mul(2).saturating_add(self.per);
                doubled.div_euclid(self.per.saturating_mul(2))
            }
        };
        quotient.saturating_mul(self.times)
    }

    /// The same of a number of the deck.
    fn scaled_num(&self, total: Num) -> Num {
        let per = |num: Num, per: i64| Num::Div(Box::new(num), per);
        let quotient = match self.round {
            _ if self.per == 1 => total,
            Round::Down => per(total, self.per),
            Round::Up => per(total.plus(self.per - 1), self.per),
            Round::Nearest => {
                let doubled = Num::Times(2, Box::new(total)).plus(self.per);
                per(doubled, self.per.saturating_mul(2))
            }
        };
        match self.times {
            1 => quotient,
            times => Num::Times(times, Box::new(quotient)),
        }
    }

    /// What it is, in words; in a deck, whose number it is.
    fn words(&self, contents: Option<&Contents<'_>>) -> String {
        let times = self.times.saturating_abs();
        let each = match self.round {
            _ if self.per == 1 => String::new(),
            Round::Down => format!("full {} ", self.per),
            Round::Up => format!("started {} ", self.per),
            Round::Nearest => format!("{} ", self.per),
        };
        let named = contents.and_then(|contents| self.only_card(contents));
        let whose = match (&self.place, named) {
            (None, _) => String::new(),
            (Some(_), Some(name)) => format!(" of {name}"),
            (Some(place), None) => format!(" of the cards{} in the {place}", self.which),
        };
        if let (Some(contents), Some(_), Some(place), Some(field)) =
            (contents, self.otherwise, &self.place, &self.field)
            && self.is_empty(contents)
        {
            return format!("no card in the {place} has {field}");
        }
        let article = if self.place.is_some() { "the" } else { "its" };
        let words = match &self.field {
            Some(field) if self.per == 1 && times == 1 => format!("{article} {field}{whose}"),
            Some(field) if self.per == 1 => format!("{times} × {article} {field}{whose}"),
            Some(field) => format!("{times} for each {each}{field}{whose}"),
            None => {
                let place = self.place.as_deref().unwrap_or("deck");
                let cards = if self.per == 1 { "card" } else { "cards" };
                format!("{times} for each {each}{cards}{} in the {place}", self.which)
            }
        };
        let words = match (self.base, self.times < 0) {
            (0, _) => words,
            (base, false) => format!("{base} plus {words}"),
            (base, true) => format!("{base} minus {words}"),
        };
        match self.otherwise.filter(|_| contents.is_none()) {
            Some(otherwise) => format!("{words}, or {otherwise} without one"),
            None => words,
        }
    }

    /// Whether no card of a deck has a number, and there is no fallback.
    fn is_idle(&self, contents: &Contents<'_>) -> bool {
        self.otherwise.is_none() && self.is_empty(contents)
    }

    fn is_empty(&self, contents: &Contents<'_>) -> bool {
        self.leaf.as_ref().is_some_and(|leaf| {
            contents.count_unknown(leaf.sections) == 0 && leaf.there(contents).is_empty()
        })
    }

    /// The one card of a deck that has a number, quoted.
    fn only_card(&self, contents: &Contents<'_>) -> Option<String> {
        let leaf = self.leaf.as_ref()?;
        let known = contents.count_unknown(leaf.sections) == 0;
        match leaf.there(contents).as_slice() {
            [only] if known && leaf.copies(contents, *only) == 1 => {
                Some(format!("`{}`", contents.name(*only)))
            }
            _ => None,
        }
    }
}
