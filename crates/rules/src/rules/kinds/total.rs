//! `total`: a bounded sum over cards, such as points, influence or experience.

use super::range::{Bounds, Noun};
use crate::rules::amount::Amount;
use crate::rules::condition::{Conditions, clause, compiled};
use crate::rules::demand::{BrokenDemand, Demand, Of};
use crate::rules::identity::{Agreement, Price};
use crate::rules::tree::{AgreementWeight, Cond, Leaf, Num, UnknownCards, Weights};
use crate::rules::{Cards, Compile, Contents, RuleCondition, SectionSet};
use decklaw_cards::pool::CardId;
use decklaw_text::text::{listed, spaced};
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
use std::cmp::Reverse;
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
    per: Per,
    /// Which cards, behind "cards".
    which: String,
    /// What of a card counts, where it is no field of theirs: 1 each, mostly.
    field: Option<String>,
    price: i64,
    times: i64,
    /// What is different for cards that agree, a clause.
    agreed: Option<String>,
    heads: SectionSet,
}

impl Total {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let all = with.cards(self.cards.as_ref());
        let whole = [PartTerms::default()];
        let terms = match self.parts.as_slice() {
            [] => &whole,
            parts => parts,
        };
        let mut parts = Vec::new();
        for part in terms {
            parts.push(part.compile(self, sections, &all, with));
        }
        let field = self.field.as_ref().map(|field| spaced(&field.value));
        let noun = Noun::new(
            self.called.as_ref(),
            field.as_deref().unwrap_or("points"),
            true,
            self.cards.as_ref(),
            with,
        );
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            ..Bounds::default()
        };
        let range = bounds.compile("total", noun, sections, with);
        let num = Num::sum(parts.iter().map(|part| part.num.clone()).collect());
        let place = with.section_names(sections);
        let meter = range.meter(range.noun.called(), &num, sections.single());
        let (unset, cond) = (range.unset.clone(), range.cond(&num));
        let counted_parts = match parts.as_slice() {
            [only] if only.is_plain() => only.words(),
            parts => {
                let each: Vec<String> = parts.iter().map(Part::summand).collect();
                format!("; counted are {}", each.join("; "))
            }
        };
        let words = format!("The {place} must have {}{counted_parts}.", range.wanted());
        let conditions = parts.iter().filter(|part| !part.when.is_empty());
        let conditions = conditions.map(|part| RuleCondition {
            words: clause(&part.when),
            cond: Cond::all(part.when.clone()),
            of_all: false,
        });
        let (conditions, heads) = (
            conditions.collect(),
            parts.iter().fold(SectionSet::default(), |all, part| all.and(part.heads)),
        );
        // Whether cards are counted, and not a number of theirs.
        let price = self.price.as_ref().map(|price| price.value);
        let counts = self.parts.is_empty() && self.field.is_none() && price == Some(1);
        let demand = Demand::new(sections, Of::Deck(cond), words, move |broken, was, found| {
            let (contents, blame) = (broken.contents, &broken.blame);
            let since: String = parts.iter().map(|part| part.since(contents)).collect();
            let message = range.missed(&place, broken) + &since;
            let (off, cards) = (range.noun.amount(blame.off()), range.noun.cards());
            let is_extreme = parts.iter().any(|part| part.per.is_extreme());
            let spare = range.least(contents);
            let spare = spare.map_or(i64::MAX, |least| blame.least.saturating_sub(least));
            let help = match (blame.is_short, counts) {
                (_, true) => range.help(broken) + &dearest(broken, spare, true),
                (true, false) => format!("add {cards} with {off}"),
                (false, _) if is_extreme || blame.least <= 0 => {
                    "remove the cards that make it so, or choose others".to_owned()
                }
                (false, _) => {
                    format!("remove {cards} worth {off} or more{}", dearest(broken, spare, false))
                }
            };
            found.push(was.say(message, help));
        });
        Demand { unset, meter, conditions, heads, ..demand }
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
        let leaf = |cards| Leaf::of(cards, sections).with_unknown(unknown.clone());
        let identity = matched.map(|matched| Arc::new(matched.compile(with)));
        let once = |leaf: Leaf| Num::Different { groups: None, least: 1, leaf: Box::new(leaf) };
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
        let agreed = matched.zip(identity.as_ref()).map(|(matched, identity)| {
            let others = match matched.otherwise() {
                Price::SAME => String::new(),
                changed => format!(", others {}", changed.words()),
            };
            format!("{} {}{others}", identity.words(), matched.then().words())
        });
        Part {
            num,
            when,
            per,
            which: with.which(self.cards.as_ref()),
            field: field.as_ref().map(|field| spaced(&field.value)),
            price,
            times,
            agreed,
            heads: identity.map_or_else(SectionSet::default, |identity| identity.own_sections()),
        }
    }
}

impl Part {
    /// Whether it is all that the sum counts, once.
    fn is_plain(&self) -> bool {
        self.which.is_empty() && self.times == 1 && self.when.is_empty()
    }

    /// What is special about it where it is the whole sum: `; …`, or nothing.
    fn words(&self) -> String {
        let per = match self.per {
            Per::Copy => "",
            Per::Card => "; each card counts once",
            Per::Further => "; each copy but the first counts",
            Per::Highest => "; only the highest counts",
            Per::Lowest => "; only the lowest counts",
        };
        let agreed = self.agreed.as_ref();
        per.to_owned() + &agreed.map_or_else(String::new, |agreed| format!("; {agreed}"))
    }

    /// What it adds to a sum of several parts, or takes off it.
    fn summand(&self) -> String {
        let cards = format!("cards{}", self.which);
        let (number, times) = match (&self.field, self.per) {
            (Some(field), Per::Highest) => (format!("the highest {field} of {cards}"), self.times),
            (Some(field), Per::Lowest) => (format!("the lowest {field} of {cards}"), self.times),
            (Some(field), _) => (format!("the {field} of {cards}"), self.times),
            (None, _) => (cards, self.times.saturating_mul(self.price)),
        };
        let sign = if times < 0 { "minus " } else { "" };
        let mut words = match times.saturating_abs() {
            1 => format!("{sign}{number}"),
            times => format!("{sign}{times} × {number}"),
        };
        if self.field.is_some() && self.price != 0 {
            let each = self.price.saturating_mul(self.times);
            words += &format!(" and {each} for each of them");
        }
        words += match self.per {
            Per::Copy | Per::Highest | Per::Lowest => "",
            Per::Card => ", each card once",
            Per::Further => ", each copy but the first",
        };
        if !self.when.is_empty() {
            words += &format!(", if {}", clause(&self.when));
        }
        if let Some(agreed) = &self.agreed {
            words += &format!(" ({agreed})");
        }
        words
    }

    /// Why its cards count, where that is not always so: `; …`, or nothing.
    fn since(&self, contents: &Contents<'_>) -> String {
        if self.per.is_extreme() {
            return self.peak(contents).unwrap_or_default();
        }
        let cards = match self.when.as_slice() {
            [] => return String::new(),
            _ => self.num.there(contents),
        };
        let names = cards.iter().map(|card| format!("`{}`", contents.name(*card)));
        let names: Vec<String> = names.collect();
        let (names, verb) = match names.as_slice() {
            [] => return String::new(),
            [only] => (only.clone(), "counts"),
            [_, _] | [_, _, _] => (listed(&names, "and"), "count"),
            several => (format!("{} cards{}", several.len(), self.which), "count"),
        };
        format!("; {names} {verb} because {}", clause(&self.when))
    }

    /// The card whose number is the highest or the lowest: `; …`.
    fn peak(&self, contents: &Contents<'_>) -> Option<String> {
        let mut numbers = Vec::new();
        self.num.leaves(&mut |leaf| {
            if let Weights::Few(_) = leaf.cards {
                leaf.held(contents, |card, _, number| numbers.push((number, card)));
            }
        });
        let (which, (number, card)) = match self.per {
            Per::Lowest => ("lowest", numbers.into_iter().min()?),
            _ => (
                "highest",
                numbers.into_iter().max_by_key(|(number, card)| (*number, Reverse(*card)))?,
            ),
        };
        let field = self.field.as_deref().unwrap_or("number");
        let name = contents.name(card);
        Some(format!("; the {which} {field} is {number} (`{name}`)"))
    }
}

/// Suggests cards to cut: one copy less closes the gap without going below the minimum;
/// where there is none, those whose copies count most together: `, such as …`, or nothing.
fn dearest(broken: &BrokenDemand<'_, '_>, spare: i64, counts: bool) -> String {
    const MOST_NAMED: usize = 3;
    let (contents, blame) = (broken.contents, &broken.blame);
    if blame.is_short {
        return String::new();
    }
    let (mut enough, mut much) = (Vec::new(), Vec::new());
    for card in blame.num.there(contents) {
        let without = |copies: i64| {
            let mut holdings = contents.all().to_vec();
            let mut left = copies;
            for held in holdings.iter_mut().filter(|held| held.card == card) {
                let gone = held.copies.min(left);
                held.copies -= gone;
                left -= gone;
            }
            holdings.retain(|held| held.copies > 0);
            let value = blame.num.value(&contents.holding(holdings)).0;
            blame.least.saturating_sub(value)
        };
        let less = without(1);
        if (blame.off()..=spare).contains(&less) {
            enough.push((less, card));
        } else if (1..=spare).contains(&less) {
            much.push((without(i64::MAX), card));
        }
    }
    enough.sort_unstable();
    much.sort_by_key(|(all, card)| (Reverse(*all), *card));
    let each = if enough.is_empty() { much } else { enough };
    let named = each.iter().take(MOST_NAMED);
    let named: Vec<String> = named
        .map(|(sum, card)| {
            if counts {
                format!("`{}`", contents.name(*card))
            } else {
                format!("`{}` ({sum})", contents.name(*card))
            }
        })
        .collect();
    match named.as_slice() {
        [] => String::new(),
        named => format!(", such as {}", listed(named, "or")),
    }
}
