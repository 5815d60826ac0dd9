//! `total`: a bounded sum over cards, such as points, influence or experience.

use super::range::{Bounds, Counted};
use crate::rules::amount::Amount;
use crate::rules::condition::{Conditions, clause, compiled};
use crate::rules::demand::Demand;
use crate::rules::identity::{Agreement, Price};
use crate::rules::tree::{AgreementWeight, Cond, Leaf, Name, Num, Unit, UnknownCards, Weights};
use crate::rules::{Cards, Compile, RuleCondition, SectionSet};
use decklaw_cards::pool::CardId;
use decklaw_text::text::spaced;
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `total` rule. At least one of the numbers is given, and what a card counts.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Total {
    /// The sections whose cards are added up, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The number field that a copy counts; a card without a number counts nothing.
    #[serde(default)]
    pub field: Option<Spanned<String>>,
    /// What each copy counts in addition to a field or instead of it.
    #[serde(default)]
    pub price: Option<Spanned<i64>>,
    /// Whether each copy counts, or each card once, or what else of them.
    #[serde(default)]
    pub per: Per,
    /// What is different for cards that agree with the deck's identity cards.
    #[serde(default)]
    pub matched: Option<Agreement>,
    /// Sums that are added up, where not all cards count alike; what one does not say of
    /// `field`, `price`, `per` and `matched` it has from above. Without any, there is one.
    #[serde(default)]
    pub parts: Vec<PartTerms>,
    /// The least.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Just so much.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What is added up, as in `influence`; the field's name without it.
    #[serde(default)]
    pub called: Option<String>,
}

/// A part of a sum: a card counts in each that picks it.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PartTerms {
    /// A card query: which cards count here; all that the sum counts without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// What the deck must hold, or not hold, for them to count: as for a rule.
    #[serde(default, rename = "if")]
    pub conditions: Conditions,
    /// The number field that a copy counts.
    #[serde(default)]
    pub field: Option<Spanned<String>>,
    /// What each copy counts in addition to a field or instead of it.
    #[serde(default)]
    pub price: Option<Spanned<i64>>,
    /// How often the part counts; 1 without it. `-1` takes it off.
    #[serde(default)]
    pub times: Option<Spanned<i64>>,
    /// Whether each copy counts, or each card once, or what else of them.
    #[serde(default)]
    pub per: Option<Spanned<Per>>,
    /// What is different for cards that agree with the deck's identity cards.
    #[serde(default)]
    pub matched: Option<Agreement>,
}

/// What counts: copies, cards, or the greatest or least number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Each copy.
    #[default]
    Copy,
    /// Each card once, however many copies there are.
    Card,
    /// Each copy of a card but the first.
    Further,
    /// The greatest number of a card that is there, however many cards there are.
    Highest,
    /// The least number of a card that is there.
    Lowest,
}

/// A part of a sum, ready to be added up.
struct Part {
    num: Num,
    when: Vec<Cond>,
    heads: SectionSet,
}

impl Total {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let all = with.cards(self.cards.as_ref());
        let whole = [PartTerms::default()];
        let terms = if self.parts.is_empty() { &whole } else { self.parts.as_slice() };
        let mut parts = Vec::new();
        for part in terms {
            parts.push(part.compile(self, sections, &all, with));
        }
        let num = Num::sum(parts.iter().map(|part| part.num.clone()).collect());
        let field = self.field.as_ref().map(|field| spaced(&field.value));
        let name = Name {
            noun: self.called.clone().or(field).unwrap_or_else(|| "points".to_owned()),
            unit: Unit::Points,
            which: with.which(self.cards.as_ref().filter(|_| self.called.is_none())),
            place: with.section_names(sections),
        };
        let mut note = String::new();
        let price = self.price.as_ref().map_or(0, |price| price.value);
        let is_plain = price == i64::from(self.field.is_none());
        if !self.parts.is_empty() || self.per != Per::Copy || !is_plain {
            let each: Vec<String> = parts.iter().map(|part| part.num.words(None)).collect();
            note = format!("; counted: {}", each.join("; "));
        }
        if let Some(matched) = &self.matched {
            note += &format!("; {}", matched.words(&matched.compile(with)));
        }
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            ..Bounds::default()
        };
        let (kind, meter) = ("total", Some(name.noun().to_owned() + &name.of()));
        let demand = bounds.demand(Counted { kind, sections, num, name, note, meter }, with);
        let conditions = parts.iter().filter(|part| !part.when.is_empty());
        let conditions = conditions.map(|part| RuleCondition {
            words: clause(&part.when),
            cond: Cond::all(part.when.clone()),
            of_all: false,
        });
        let conditions = conditions.collect();
        let heads = parts.iter().map(|part| part.heads);
        let heads = heads.fold(SectionSet::default(), SectionSet::and);
        Demand { conditions, heads, ..demand }
    }
}

impl Per {
    /// Whether only one number of all counts.
    fn is_extreme(self) -> bool {
        matches!(self, Per::Highest | Per::Lowest)
    }
}

impl PartTerms {
    fn compile(
        &self,
        total: &Total,
        sections: SectionSet,
        all: &Cards,
        with: &mut Compile<'_>,
    ) -> Part {
        let own = self.field.is_some() || self.price.is_some();
        let (field, price) =
            if own { (&self.field, &self.price) } else { (&total.field, &total.price) };
        if field.is_none() && price.is_none() {
            let message = "a `total` needs what a card counts: a `field`, or a `price`";
            with.refuse(message.to_owned(), with.rule);
        }
        let matched = self.matched.as_ref().or(total.matched.as_ref());
        let per = self.per.as_ref().map_or(total.per, |per| per.value);
        if per.is_extreme() && matched.is_some() {
            let message = "the highest or lowest number of a field takes no `matched`";
            let span = self.per.as_ref().map_or(with.rule, |per| per.span);
            with.refuse(message.to_owned(), span);
        }
        let when = compiled(&self.conditions, with);
        let cards = with.cards(self.cards.as_ref());
        let numbers = field.as_ref().map(|field| with.column(field));
        let price = price.as_ref().map_or(0, |price| price.value);
        let pool = with.pool;
        // What a copy of a card counts; `None`: nothing.
        let number = |card: CardId| {
            let number = match &numbers {
                Some(numbers) => numbers[card.index()],
                None => Some(0),
            };
            let counts = all.has(card) && cards.has(card);
            counts.then_some(number)
        };
        let column = |change: Price| -> Vec<i64> {
            let of = |number: Option<i64>| change.of(number.unwrap_or(0).saturating_add(price));
            pool.ids().map(|card| number(card).map_or(0, of)).collect()
        };
        let otherwise = matched.map_or(Price::SAME, Agreement::otherwise);
        let then = matched.map(|matched| column(matched.then()));
        let prices = column(otherwise);
        let every = prices.iter().chain(then.iter().flatten()).copied();
        let unknown = UnknownCards::of_numbers(every);
        let mut which = with.which(self.cards.as_ref());
        match (field, price) {
            (None, 1) | (Some(_), 0) => {}
            (None, price) => which += &format!(" ({price} each)"),
            (Some(_), price) => which += &format!(" (and {price} each)"),
        }
        let (noun, unit) = match (field, per) {
            (Some(field), _) => (spaced(&field.value), Unit::Points),
            (None, Per::Card) => ("different card".to_owned(), Unit::Cards),
            (None, _) => (String::new(), Unit::Cards),
        };
        let name = Name { noun, unit, which, place: String::new() };
        let leaf = |cards| Leaf {
            name: name.clone(),
            ..Leaf::of(cards, sections).with_unknown(unknown.clone())
        };
        let identity = matched.map(|matched| Arc::new(matched.compile(with)));
        let once = |leaf: Leaf| Num::Different { groups: None, least: 1, leaf: Box::new(leaf) };
        // What holds for all parts comes once.
        let own = self.matched.as_ref().zip(identity.as_ref());
        let words = own.map_or(String::new(), |(matched, identity)| matched.words(identity));
        let num = match (identity.clone().zip(then), per) {
            (_, Per::Highest | Per::Lowest) => {
                let few = pool.ids().filter_map(|card| {
                    number(card)??;
                    Some((card, prices[card.index()]))
                });
                Num::Extreme {
                    greatest: per == Per::Highest,
                    leaf: Box::new(leaf(Weights::Few(few.collect()))),
                }
            }
            (Some((identity, then)), per) => Num::Agreed(Box::new(AgreementWeight {
                words,
                leaf: leaf(Weights::Each(prices)),
                then,
                identity,
                copies: match per {
                    Per::Further => [0, 1],
                    Per::Card => [1, 0],
                    _ => [1, 1],
                },
            })),
            (None, Per::Copy) => leaf(Weights::Each(prices)).num(),
            (None, Per::Card) => once(leaf(Weights::Each(prices))),
            (None, Per::Further) => {
                let leaf = leaf(Weights::Each(prices));
                let first = Num::Times(-1, Box::new(once(leaf.clone())));
                Num::Add(vec![leaf.num(), first])
            }
        };
        let times = self.times.as_ref().map_or(1, |times| times.value);
        let num = match times {
            1 => num,
            times => Num::Times(times, Box::new(num)),
        };
        let num = match when.as_slice() {
            [] => num,
            when => Num::When(Box::new(Cond::all(when.to_vec())), Box::new(num)),
        };
        let heads = identity.map_or_else(SectionSet::default, |identity| identity.own_sections());
        Part { num, when, heads }
    }
}
