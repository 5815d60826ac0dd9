//! A whole number that a rule needs: fixed, given by a setting, or made by the deck's own cards.

mod display;

use super::demand::{Cond, Leaf, Name, Num, Strangers, Weights};
use super::{Cards, Compile, Contents, Number, SectionSet, Violation};
use crate::game::{SettingValue, Term};
use crate::pool::{CardId, CardSet};
use crate::text::Span;
use crate::yaml::Spanned;
use display::PartOrigin;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, de};

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
    /// What is there whatever the cards say; nothing without it.
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
    /// Once for each so many; at least 1, and 1 without it.
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
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Amount;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(
                    "a whole number, the name of a setting or value, or a number that cards give",
                )
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Amount, E> {
                Ok(Amount::Number(number))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Amount, E> {
                i64::try_from(number).map(Amount::Number).map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Amount, E> {
                Ok(Amount::Named(name.to_owned()))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Amount, A::Error> {
                FromCards::deserialize(MapAccessDeserializer::new(map))
                    .map(|from| Amount::From(Box::new(from)))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, parts: A) -> Result<Amount, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(parts)).map(Amount::Sum)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// A bound ready to be asked.
#[derive(Debug, Clone)]
pub struct Bound {
    base: i64,
    parts: Vec<Part>,
    own: Option<Own>,
    /// The settings that nobody gave.
    unset: Vec<String>,
    /// The settings and values that it adds and that stand at 0.
    naught: Vec<String>,
    /// How messages tell where the number comes from; none for a fixed one.
    told: Vec<PartOrigin>,
    /// Whether something was added to it, so that its base is told even if it is 0.
    plus: bool,
}

/// What the cards of some sections add.
#[derive(Debug, Clone)]
struct Part {
    /// What their copies come to.
    leaf: Leaf,
    scale: Scale,
    /// The cards that have a number, where it matters whether there is one.
    valued: Option<Leaf>,
    /// What stands in for it where there is none; `None`: then there is no bound.
    otherwise: Option<i64>,
}

/// The number of the card that is judged.
#[derive(Debug, Clone)]
struct Own {
    column: Vec<Option<i64>>,
    base: i64,
    scale: Scale,
    otherwise: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Scale {
    per: i64,
    round: Round,
    times: i64,
}

impl Scale {
    fn of(self, total: i64) -> i64 {
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
    fn of_num(self, total: Num) -> Num {
        let plus = |num: Num, by: i64| Num::Add(vec![num, Num::Const(by)]);
        let per = |num: Num, per: i64| Num::Div(Box::new(num), per);
        let quotient = match self.round {
            _ if self.per == 1 => total,
            Round::Down => per(total, self.per),
            Round::Up => per(plus(total, self.per - 1), self.per),
            Round::Nearest => {
                let doubled = plus(Num::Times(2, Box::new(total)), self.per);
                per(doubled, self.per.saturating_mul(2))
            }
        };
        match self.times {
            1 => quotient,
            times => Num::Times(times, Box::new(quotient)),
        }
    }
}

impl Bound {
    /// A fixed number.
    pub fn fixed(number: i64) -> Bound {
        Bound {
            base: number,
            parts: Vec::new(),
            own: None,
            unset: Vec::new(),
            naught: Vec::new(),
            told: Vec::new(),
            plus: false,
        }
    }

    /// What a format file's words mean. `each`: the rule judges cards one by one, so that a
    /// card's own number can be meant.
    pub(super) fn compile(amount: &Spanned<Amount>, each: bool, with: &mut Compile<'_>) -> Bound {
        let mut bound = Bound::fixed(0);
        bound.add(amount, each, with);
        bound
    }

    fn add(&mut self, amount: &Spanned<Amount>, each: bool, with: &mut Compile<'_>) {
        match &amount.value {
            Amount::Number(number) => self.base = self.base.saturating_add(*number),
            Amount::Named(name) => self.add_term(&Term::Named(name.clone()), amount.span, with),
            Amount::Sum(parts) => {
                for part in parts {
                    self.add(part, each, with);
                }
            }
            Amount::From(from) => self.add_cards(from, amount.span, each, with),
        }
    }

    fn add_term(&mut self, term: &Term, span: Span, with: &mut Compile<'_>) {
        let term = Spanned {
            value: term.clone(),
            span,
        };
        match with.number(&term) {
            Number::Is(number) => self.base = self.base.saturating_add(number),
            Number::Unset(name) => self.unset.push(name),
        }
        // Messages name what stands at 0: else nothing would say where the 0 comes from.
        if let Term::Named(name) = term.value
            && let Some(Some(SettingValue::Number(0))) = with.settings.get(&name)
        {
            self.naught.push(name);
        }
    }

    fn add_cards(&mut self, from: &FromCards, span: Span, each: bool, with: &mut Compile<'_>) {
        let per = from.per.as_ref().map_or(1, |per| per.value);
        if let Some(per) = from.per.as_ref().filter(|per| per.value < 1) {
            with.refuse("`per` must be at least 1".to_owned(), per.span);
        }
        let scale = Scale {
            per: per.max(1),
            round: from.round,
            times: from.times.as_ref().map_or(1, |times| times.value),
        };
        let otherwise = match &from.otherwise {
            None => None,
            Some(term) => match with.number(term) {
                Number::Is(number) => Some(number),
                Number::Unset(name) => {
                    self.unset.push(name);
                    None
                }
            },
        };
        if from.of.is_empty() {
            let Some(field) = &from.field else {
                let message = "a number that cards give needs `of`, sections, or a `field`";
                with.refuse(message.to_owned(), span);
                return;
            };
            if !each || from.cards.is_some() {
                let message = match each {
                    true => "a card's own number takes no `cards`".to_owned(),
                    false => format!(
                        "this rule is about no single card, so say `of` which sections `{}` is added up",
                        field.value
                    ),
                };
                with.refuse(message, field.span);
                return;
            }
            if self.own.is_some() {
                with.refuse("a second number of the card itself".to_owned(), field.span);
            }
            let mut base = 0;
            if let Some(term) = &from.base {
                match with.number(term) {
                    Number::Is(number) => base = number,
                    Number::Unset(name) => self.unset.push(name),
                }
            }
            self.own = Some(Own {
                column: with.column(field),
                base,
                scale,
                otherwise: otherwise.map_or_else(|| from.base.as_ref().map(|_| base), Some),
            });
            self.told.push(PartOrigin::new(
                from,
                String::new(),
                scale,
                None,
                (base, otherwise),
            ));
            return;
        }
        if let Some(base) = &from.base {
            self.add_term(&base.value, base.span, with);
        }
        let sections = with.section_set(&from.of);
        let name = with.section_names(sections);
        let cards = with.cards(from.cards.as_ref());
        let column = from.field.as_ref();
        let column = column.map(|field| with.column(field));
        let pool = with.pool;
        // Where nobody has a number, none is demanded.
        let alone = column.as_ref().filter(|_| from.base.is_none());
        let valued = alone.map(|column| {
            let has = |card: CardId| cards.has(card) && column[card.index()].is_some();
            CardSet::of(pool.len(), has)
        });
        let (weights, strangers) = match &column {
            None => match cards {
                Cards::All => (Weights::One, Strangers::Any(1, 1)),
                Cards::Some(set) => (Weights::Set(set), Strangers::Any(0, 1)),
            },
            Some(column) => {
                let number = |card: CardId| column[card.index()].filter(|_| cards.has(card));
                let column: Vec<i64> = pool.ids().map(|card| number(card).unwrap_or(0)).collect();
                let strangers = Strangers::of_numbers(&column);
                (Weights::Each(column), strangers)
            }
        };
        let leaf = |cards: Weights, strangers: Strangers| Leaf {
            cards,
            sections,
            strangers,
            name: Name::default(),
        };
        let valued = valued.map(|valued| leaf(Weights::Set(valued), Strangers::Any(0, 1)));
        let (which, place) = (with.which(from.cards.as_ref()), Some((sections, name)));
        self.told
            .push(PartOrigin::new(from, which, scale, place, (0, otherwise)));
        self.parts.push(Part {
            leaf: leaf(weights, strangers),
            scale,
            valued,
            otherwise,
        });
    }

    /// Adds a number that cards give.
    pub(super) fn plus(mut self, from: &FromCards, span: Span, with: &mut Compile<'_>) -> Bound {
        self.add_cards(from, span, false, with);
        self.plus = true;
        self
    }

    /// The number where no card has a say in it.
    pub fn constant(&self) -> Option<i64> {
        let fixed = self.parts.is_empty() && self.own.is_none() && self.unset.is_empty();
        fixed.then_some(self.base)
    }

    /// The sections whose cards have a say in it.
    pub(super) fn sections(&self) -> SectionSet {
        let each = self.parts.iter().map(|part| part.leaf.sections);
        each.fold(SectionSet::default(), SectionSet::and)
    }

    /// What the deck's cards make of it, beside a card's own number.
    pub(super) fn num(&self) -> Num {
        if self.parts.is_empty() {
            return Num::Const(self.base);
        }
        let mut sum: Vec<Num> = self.parts.iter().map(Part::num).collect();
        if self.base != 0 {
            sum.push(Num::Const(self.base));
        }
        match sum.len() {
            1 => sum.remove(0),
            _ => Num::Add(sum),
        }
    }

    /// The conditions on which there is no such number: one of them is enough.
    pub(super) fn silent(&self) -> Vec<Cond> {
        let silent = self.parts.iter().filter(|part| part.otherwise.is_none());
        let valued = silent.filter_map(|part| part.valued.as_ref());
        valued.map(|valued| valued.is_there().negated()).collect()
    }

    /// The settings that it needs and nobody gave.
    pub fn unset(&self) -> &[String] {
        &self.unset
    }

    /// The notice that nobody gave the number of `what`, where that is so.
    pub fn unset_notice(&self, what: &str, sections: SectionSet) -> Option<Violation> {
        let names: Vec<&str> = self.unset.iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| Violation::unset(what, &names).in_section(sections.single()))
    }

    /// Whether no other cards of a deck have a say in it.
    pub(super) fn is_of_card(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether each card has a number of its own.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// The number that a card has of its own; `None`: it has no bound.
    #[inline]
    pub(super) fn own(&self, card: CardId) -> Option<i64> {
        match &self.own {
            None => Some(0),
            Some(own) => own.of(card),
        }
    }
}

impl Own {
    fn has(&self, card: CardId) -> bool {
        self.column.get(card.index()).copied().flatten().is_some()
    }

    fn of(&self, card: CardId) -> Option<i64> {
        let number = self.column.get(card.index()).copied().flatten();
        match number {
            Some(number) => Some(self.base.saturating_add(self.scale.of(number))),
            None => self.otherwise,
        }
    }
}

impl Part {
    /// What it adds.
    fn num(&self) -> Num {
        let sum = self.scale.of_num(Num::Sum(Box::new(self.leaf.clone())));
        match (self.otherwise, &self.valued) {
            (None | Some(0), _) | (_, None) => sum,
            // Where nobody has a number, the sum is 0.
            (Some(otherwise), Some(valued)) => {
                let nobody = valued.is_there().negated();
                let instead = Num::When(Box::new(nobody), Box::new(Num::Const(otherwise)));
                Num::Add(vec![sum, instead])
            }
        }
    }

    /// Whether a plain sum adds nothing in a deck.
    fn is_idle(&self, contents: &Contents<'_>) -> bool {
        let plain = self.scale.per == 1 && !matches!(self.leaf.cards, Weights::One);
        plain
            && contents.count_unknown(self.leaf.sections) == 0
            && self.leaf.there(contents).is_empty()
    }

    /// What stands in for the number of a deck's cards, where none of them has one.
    fn stood_in(&self, contents: &Contents<'_>) -> Option<i64> {
        let valued = self.valued.as_ref();
        self.otherwise
            .filter(|_| valued.is_none_or(|valued| valued.there(contents).is_empty()))
    }

    /// The one card of a deck that adds anything, where it stands there once and all others are
    /// known to add nothing.
    fn sayer(&self, contents: &Contents<'_>) -> Option<CardId> {
        // What the pool does not know may say something.
        let known = contents.count_unknown(self.leaf.sections) == 0;
        let plain = matches!(self.leaf.cards, Weights::One);
        match self.leaf.there(contents).as_slice() {
            [only] if known && !plain && self.leaf.copies(contents, *only) == 1 => Some(*only),
            _ => None,
        }
    }
}
