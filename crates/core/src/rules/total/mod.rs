//! `total`: a bounded sum over cards, such as points, influence or experience.

mod part;

use super::agreement::Agreement;
use super::amount::Amount;
use super::bounded::{Bounded, BoundedKind, Explanation, OutOfBounds};
use super::condition::Conditions;
use super::contents::{each_card, picked};
use super::demand::Num;
use super::range::Bounds;
use super::{Asking, Compile, Contents, Failing, Reading, SectionSet};
use crate::pool::{CardId, Pool};
use crate::text::{counted, listed, spaced, there_are};
use crate::yaml::Spanned;
use part::Part;
use serde::Deserialize;

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
    /// What each copy counts besides, or instead of a field.
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
#[derive(Debug, Clone, Deserialize)]
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
    /// What each copy counts besides, or instead of a field.
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

/// What cards add up to.
#[derive(Debug)]
pub(super) struct Summed {
    parts: Vec<Part>,
    /// Whether cards are counted, and not a number of theirs.
    cards: bool,
}

impl Total {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Bounded<Summed> {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
        };
        let all = with.cards(self.cards.as_ref());
        let parts: Vec<Part> = match self.parts.as_slice() {
            [] => vec![self.whole().compile(self, sections, &all, with)],
            parts => parts
                .iter()
                .map(|part| part.compile(self, sections, &all, with))
                .collect(),
        };
        let called = match (&self.called, &self.field) {
            (Some(called), _) => called.clone(),
            (None, Some(field)) => spaced(&field.value),
            (None, None) => "points".to_owned(),
        };
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        let price = self.price.as_ref().map(|price| price.value);
        let range = bounds.compile("total", (&called, true), of, sections, with);
        let mut nums: Vec<Num> = parts.iter().map(Part::num).collect();
        let num = match nums.len() {
            1 => nums.remove(0),
            _ => Num::Add(nums),
        };
        let cards = self.parts.is_empty() && self.field.is_none() && price == Some(1);
        Bounded::new(sections, num, range, Summed { parts, cards }, with)
    }

    /// The one part of a sum that names none.
    pub(super) fn whole(&self) -> PartTerms {
        PartTerms {
            cards: None,
            conditions: Conditions::None,
            field: None,
            price: None,
            times: None,
            per: None,
            matched: None,
        }
    }
}

/// What a deck's cards add up to, as far as they are known.
fn total(of: &Bounded<Summed>, contents: &Contents<'_>) -> i64 {
    let (low, high) = of.num.value(contents);
    if low == high {
        return low;
    }
    let known = contents.holding(contents.known().to_vec());
    of.num.value(&known).0
}

impl Summed {
    /// Cards of which a copy less mends what is too much by so many and takes no more away than may
    /// be missed; where there is none, those whose copies count most together, of which a copy takes
    /// no more. For a mend: `, such as …`, or nothing.
    fn dearest(
        &self,
        sections: SectionSet,
        contents: &Contents<'_>,
        off: i64,
        spare: i64,
    ) -> String {
        const MOST_NAMED: usize = 3;
        let (mut enough, mut much) = (Vec::new(), Vec::new());
        each_card(contents.known_in(sections), sections, |card, copies| {
            let of = |copies: i64| {
                let parts = self.parts.iter();
                let sum = parts.map(|part| part.of_card(contents, card, copies));
                sum.fold(0, i64::saturating_add)
            };
            let all = of(copies);
            let less = all.saturating_sub(of(copies - 1));
            if (off..=spare).contains(&less) {
                enough.push((less, card));
            }
            much.extend((1..=spare).contains(&less).then_some((all, card)));
        });
        enough.sort_unstable();
        much.sort_by_key(|(all, card)| (-all, *card));
        let each = if enough.is_empty() { much } else { enough };
        let named = each.iter().take(MOST_NAMED);
        let named: Vec<String> = named
            .map(|(sum, card)| match self.cards {
                true => format!("`{}`", contents.name(*card)),
                false => format!("`{}` ({sum})", contents.name(*card)),
            })
            .collect();
        match named.as_slice() {
            [] => String::new(),
            named => format!(", such as {}", listed(named, "or")),
        }
    }

    /// Why cards count that under another condition would not, for a message: `; … counts, since
    /// …`, or nothing.
    fn since(&self, contents: &Contents<'_>) -> String {
        let each = self.parts.iter();
        let each = each.filter_map(|part| part.since(contents));
        each.map(|since| format!("; {since}")).collect()
    }
}

impl BoundedKind for Summed {
    fn missed(of: &Bounded<Self>, contents: &Contents<'_>, missed: OutOfBounds) -> Explanation {
        let (kind, low, by) = (&of.kind, missed.number, missed.off());
        let message = format!(
            "the {} must have {}; {}{}",
            of.name,
            of.range.wanted_here(contents),
            there_are(low),
            kind.since(contents)
        );
        let (off, cards) = (of.range.amount(by), of.range.cards());
        let (least, _) = of.range.ends(contents);
        let spare = least.map_or(i64::MAX, |least| low.saturating_sub(least));
        let dearest = || kind.dearest(of.sections, contents, by, spare);
        let help = match (missed.failing, kind.cards) {
            (Failing::Shortfall, true) => format!("add {}", of.range.counted(by)),
            (Failing::Shortfall, false) => format!("add {cards} with {off}"),
            (_, true) => format!("take out {}{}", of.range.counted(by), dearest()),
            _ if kind.parts.iter().any(Part::is_extreme) || low <= 0 => {
                "take out the cards that make it so, or choose others".to_owned()
            }
            (_, false) => format!("take out {cards} that come to {off} or more{}", dearest()),
        };
        Explanation {
            message,
            help,
            cards: Vec::new(),
        }
    }

    fn open(of: &Bounded<Self>, contents: &Contents<'_>) -> String {
        let strangers = contents.count_unknown(SectionSet(u64::MAX));
        format!(
            "not verified: the pool does not tell the {} of {} in the {}; without them {}",
            of.range.called(),
            counted(strangers, "unknown card"),
            of.name,
            there_are(total(of, contents))
        )
    }

    fn counted(of: &Bounded<Self>, contents: &Contents<'_>) -> Vec<CardId> {
        let parts = &of.kind.parts;
        picked(contents, of.sections, |card| {
            parts.iter().any(|part| part.counts_card(contents, card))
        })
    }

    fn meter(of: &Bounded<Self>, contents: &Contents<'_>) -> Option<Reading> {
        of.reading(contents, of.range.called(), total(of, contents))
    }

    fn filled_in(of: &Bounded<Self>) -> SectionSet {
        let each = of.kind.parts.iter().map(Part::clouded_by);
        each.fold(SectionSet::default(), SectionSet::and)
    }

    fn conditions(of: &Bounded<Self>) -> Vec<Asking> {
        of.kind.parts.iter().filter_map(Part::asking).collect()
    }

    fn idle(of: &Bounded<Self>, pool: &Pool) -> Option<String> {
        let parts = &of.kind.parts;
        if let Some(words) = parts.iter().find_map(|part| part.never(pool)) {
            return Some(format!("{words} never holds, so this part counts nothing"));
        }
        if parts.iter().any(Part::has_debts) {
            return None;
        }
        let (most, why) = match parts.iter().any(Part::counts_anything) {
            true => (i64::MAX, ""),
            false => (0, "no card of the pool counts anything, so "),
        };
        let idle = of.range.idle(most)?;
        Some(format!("{why}{idle}"))
    }

    fn heads(of: &Bounded<Self>) -> SectionSet {
        let each = of.kind.parts.iter().map(Part::heads);
        each.fold(SectionSet::default(), SectionSet::and)
    }

    fn demand(of: &Bounded<Self>) -> String {
        let cards = match of.kind.parts.as_slice() {
            [only] if only.is_plain() => only.words(),
            parts => {
                let told = |(at, part): (usize, &Part)| match part.summand() {
                    (words, true) => format!("; less {words}"),
                    (words, false) if at == 0 => format!("; counted are {words}"),
                    (words, false) => format!("; {words}"),
                };
                parts.iter().enumerate().map(told).collect()
            }
        };
        match of.range.wanted("") {
            Some(wanted) => format!("The {} must have {wanted}{cards}.", of.name),
            None => format!(
                "A number of {} for the {} that the rules text does not give.",
                of.range.called(),
                of.name
            ),
        }
    }
}
