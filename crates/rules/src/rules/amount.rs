//! A whole number that a rule needs: fixed, given by a setting, or made by the deck's own cards.

use super::tree::{Cond, Leaf, Num, Unit, UnknownCards, Weights};
use super::written::RawValue;
use super::{Compile, Contents};
use crate::game::Term;
use decklaw_cards::pool::{CardId, CardSet};
use decklaw_text::text::{Span, spaced, with_article};
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
    own: Option<OwnNumber>,
    /// The settings without a value.
    pub(super) unset: Vec<String>,
}

/// The number that the judged card has of its own.
#[derive(Debug, Clone)]
struct OwnNumber {
    /// By index; `None`: the card is not bound.
    numbers: Vec<Option<i64>>,
    /// The cards whose own field gives it.
    given: CardSet,
    words: String,
    otherwise: Option<i64>,
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
    }

    /// Adds a number that cards give.
    pub(super) fn add_cards(
        &mut self,
        from: &FromCards,
        span: Span,
        each: bool,
        with: &mut Compile<'_>,
    ) {
        if let Some(per) = from.per.as_ref().filter(|per| per.value < 1) {
            with.refuse("`per` must be at least 1".to_owned(), per.span);
        }
        let otherwise = with.given(from.otherwise.as_ref(), &mut self.unset);
        if from.of.is_empty() {
            let Some(field) = own_field(from, each && self.own.is_none(), span, with) else {
                return;
            };
            let base = with.given(from.base.as_ref(), &mut self.unset).unwrap_or(0);
            let otherwise = otherwise.or(from.base.as_ref().map(|_| base));
            let column = with.column(field);
            let given = CardSet::of(column.len(), |card| column[card.index()].is_some());
            let numbers = column.into_iter().map(|number| match number {
                Some(number) => {
                    let own = from.scaled(Num::Const(number)).constant();
                    own.map(|own| own.saturating_add(base))
                }
                None => otherwise,
            });
            let numbers = numbers.collect();
            let own = from.scaled(Num::Own { field: spaced(&field.value), column: Vec::new() });
            let words = match base {
                0 => own.words(None),
                base => Num::Add(vec![Num::Const(base), own]).words(None),
            };
            self.own = Some(OwnNumber { numbers, given, words, otherwise });
            return;
        }
        if let Some(base) = &from.base {
            self.add_term(base, with);
        }
        let sections = with.section_set(&from.of);
        let mut leaf = Leaf::of_cards(from.cards.as_ref(), sections, with);
        let mut instead = None;
        if let Some(field) = &from.field {
            let column = with.column(field);
            let pool = with.pool;
            let number = |card: CardId| leaf.weight(card).and(column[card.index()]);
            let has = CardSet::of(pool.len(), |card| number(card).is_some());
            let mut has =
                Leaf::of(Weights::Set(has), sections).with_unknown(UnknownCards::Any(0, 1));
            has.name.clone_from(&leaf.name);
            has.name.which += &format!(" with {}", with_article(&spaced(&field.value)));
            let weights: Vec<i64> = pool.ids().map(|card| number(card).unwrap_or(0)).collect();
            leaf.unknown = UnknownCards::of_numbers(weights.iter().copied());
            leaf.cards = Weights::Each(weights);
            leaf.name.noun = spaced(&field.value);
            leaf.name.unit = Unit::Points;
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
        }
        self.parts.push(from.scaled(leaf.num()));
        self.parts.extend(instead);
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
            parts.insert(0, Num::Const(self.base));
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
            Some(own) => own.numbers.get(card.index()).copied().flatten(),
        }
    }

    /// The number, or where it comes from.
    pub(super) fn words(&self) -> String {
        match (self.unset.first(), &self.own) {
            (Some(name), None) if self.parts.is_empty() => format!("`{name}`"),
            (_, Some(OwnNumber { otherwise: Some(otherwise), .. })) => {
                format!("{}, or {otherwise} without one", self.words_in(None))
            }
            _ => self.words_in(None),
        }
    }

    /// Where the number comes from in a deck, for a message that has the number; empty for a
    /// fixed one.
    pub(super) fn origin(&self, contents: &Contents<'_>) -> String {
        match self.constant() {
            Some(_) => String::new(),
            None => self.words_in(Some(contents)),
        }
    }

    /// The same of the number for some cards: nothing where none has one of its own.
    pub(super) fn origin_of(&self, cards: &[CardId], contents: &Contents<'_>) -> String {
        let has_own = |own: &OwnNumber| cards.iter().any(|card| own.given.has(*card));
        match &self.own {
            Some(own) if self.is_of_card() && !has_own(own) => String::new(),
            _ => self.origin(contents),
        }
    }

    fn words_in(&self, here: Option<&Contents<'_>>) -> String {
        match (&self.own, self.num()) {
            (None, num) => num.words(here),
            (Some(own), Num::Const(0)) => own.words.clone(),
            (Some(own), num) => format!("{} plus {}", num.words(here), own.words),
        }
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

impl FromCards {
    /// `times × (total / per)`, the quotient rounded.
    fn scaled(&self, total: Num) -> Num {
        let per = self.per.as_ref().map_or(1, |per| per.value.max(1));
        let over = |num: Num, per: i64| match num {
            Num::Const(number) => Num::Const(number.div_euclid(per)),
            num => Num::Div(Box::new(num), per),
        };
        let times = |by: i64, num: Num| match num {
            Num::Const(number) => Num::Const(number.saturating_mul(by)),
            num => Num::Times(by, Box::new(num)),
        };
        let quotient = match self.round {
            _ if per == 1 => total,
            Round::Down => over(total, per),
            Round::Up => over(total.plus(per - 1), per),
            Round::Nearest => over(times(2, total).plus(per), per.saturating_mul(2)),
        };
        match self.times.as_ref().map_or(1, |times| times.value) {
            1 => quotient,
            by => times(by, quotient),
        }
    }
}
