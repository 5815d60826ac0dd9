//! `total`: a bounded sum over cards, such as points, influence or experience.

use super::amount::{Amount, spaced};
use super::contents::each_card;
use super::linear::Unknown;
use super::range::{Asked, Bounds, Range};
use super::relation::{By, Heads, Mode, Permits, Words, agreed};
use super::{Compile, Constraint, Contents, Failing, Ledger, Linear, SectionSet, Violation};
use crate::pool::{CardId, Pool};
use crate::text::counted;
use crate::yaml::Spanned;
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
    /// Whether each copy counts, or each card once.
    #[serde(default)]
    pub per: Per,
    /// What is different for cards that agree with the deck's identity cards.
    #[serde(default)]
    pub matched: Option<Agreement>,
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

/// What counts: copies, or cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Each copy.
    #[default]
    Copy,
    /// Each card once, however many copies there are.
    Card,
}

/// Cards that agree with the identity cards: by a word of theirs (`field`), or because the
/// identity cards' own query permits them (`permits`). They are free unless `then` says
/// otherwise. Where there is no identity card, none agrees.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Agreement {
    /// The sections of the identity cards; all their cards speak together.
    pub by: Vec<Spanned<String>>,
    /// The cards' field, a word or a list.
    #[serde(default)]
    pub field: Option<Spanned<String>>,
    /// The identity cards' field, a word or a list; the same as `field` without it.
    #[serde(default)]
    pub among: Option<Spanned<String>>,
    /// Instead of words: the identity cards' field that holds a card query.
    #[serde(default)]
    pub permits: Option<Spanned<String>>,
    /// Whether any of a card's words, or of the identity cards, must agree, or all.
    #[serde(default)]
    pub mode: Mode,
    /// What becomes of the price of a card that agrees: nothing is left of it without this.
    #[serde(default)]
    pub then: Option<Price>,
    /// What becomes of the price of any other card: it stays without this.
    #[serde(default, rename = "else")]
    pub otherwise: Option<Price>,
}

/// What becomes of a price: it is multiplied, then something is added.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// How often it counts; 1 without it.
    #[serde(default = "one")]
    pub times: i64,
    /// What is added.
    #[serde(default)]
    pub plus: i64,
}

fn one() -> i64 {
    1
}

impl Price {
    fn of(self, price: i64) -> i64 {
        price.saturating_mul(self.times).saturating_add(self.plus)
    }
}

#[derive(Debug)]
enum Relation {
    Words(Words),
    Permits(Permits),
}

#[derive(Debug)]
struct Agrees {
    heads: Heads,
    relation: Relation,
    /// What a copy of each card counts if it agrees.
    prices: Vec<i64>,
}

#[derive(Debug)]
pub(super) struct Summed {
    sections: SectionSet,
    name: String,
    /// What a copy of each card counts, or where some agree, if it does not.
    prices: Vec<i64>,
    agrees: Option<Agrees>,
    per: Per,
    /// Whether cards are counted, and not a number of theirs.
    cards: bool,
    range: Range,
}

impl Total {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Summed {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
        };
        if self.field.is_none() && self.price.is_none() {
            let message = "a `total` needs what a card counts: a `field`, or a `price`";
            with.refuse(message.to_owned(), with.rule);
        }
        let cards = with.cards(self.cards.as_ref());
        let numbers = self.field.as_ref().map(|field| with.numbers(field));
        let price = self.price.as_ref().map_or(0, |price| price.value);
        let each = |card: CardId| {
            let number = numbers.as_ref().map_or(0, |numbers| numbers[card.index()]);
            number.saturating_add(price)
        };
        let counted = |card: CardId, change: Price| match cards.has(card) {
            true => change.of(each(card)),
            false => 0,
        };
        let column = |change: Price| -> Vec<i64> {
            with.pool.ids().map(|card| counted(card, change)).collect()
        };
        let same = Price { times: 1, plus: 0 };
        let free = Price { times: 0, plus: 0 };
        let otherwise = self.matched.as_ref().and_then(|matched| matched.otherwise);
        let prices = column(otherwise.unwrap_or(same));
        let then = self
            .matched
            .as_ref()
            .map(|matched| column(matched.then.unwrap_or(free)));
        let agrees = self
            .matched
            .as_ref()
            .zip(then)
            .map(|(matched, prices)| matched.compile(prices, with));
        let called = match (&self.called, &self.field) {
            (Some(called), _) => called.clone(),
            (None, Some(field)) => spaced(&field.value),
            (None, None) => "points".to_owned(),
        };
        Summed {
            sections,
            name: with.section_names(sections),
            range: bounds.compile("total", (&called, true), sections, with),
            prices,
            agrees,
            per: self.per,
            cards: self.field.is_none() && price == 1,
        }
    }
}

impl Agreement {
    fn compile(&self, prices: Vec<i64>, with: &mut Compile<'_>) -> Agrees {
        let by = Spanned {
            value: By::All(self.by.clone()),
            span: self.by.first().map_or(with.rule, |name| name.span),
        };
        let heads = Heads::compile(&by, with);
        let relation = match (&self.field, &self.permits) {
            (Some(field), None) => {
                Relation::Words(Words::compile(field, self.among.as_ref(), self.mode, with))
            }
            (None, Some(field)) => Relation::Permits(Permits::compile(field, self.mode, with)),
            _ => {
                let message =
                    "`matched` needs a `field` of words, or the field that `permits`, and not both";
                with.refuse(message.to_owned(), by.span);
                let nothing = Words {
                    field: String::new(),
                    among: String::new(),
                    mode: self.mode,
                };
                Relation::Words(nothing)
            }
        };
        Agrees {
            heads,
            relation,
            prices,
        }
    }
}

impl Summed {
    #[inline]
    fn price(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let price = self.prices[card.index()];
        let Some(agrees) = &self.agrees else {
            return price;
        };
        let then = agrees.prices[card.index()];
        if then == price {
            return price;
        }
        let speaks = agrees.heads.each(contents).next().is_some();
        let agreed = speaks
            && match &agrees.relation {
                Relation::Words(words) => words.agrees(&agrees.heads, contents, card),
                Relation::Permits(permits) => permits.agrees(&agrees.heads, contents, card),
            };
        if agreed { then } else { price }
    }

    fn total(&self, contents: &Contents<'_>) -> i64 {
        let mut total = 0_i64;
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, copies| {
                let times = match self.per {
                    Per::Copy => copies,
                    Per::Card => 1,
                };
                total = total.saturating_add(self.price(contents, card).saturating_mul(times));
            },
        );
        total
    }

    /// Whether some card takes from the sum.
    fn has_debts(&self) -> bool {
        let then = self.agrees.iter().flat_map(|agrees| &agrees.prices);
        self.prices.iter().chain(then).any(|price| *price < 0)
    }

    /// The least and the most that the sum may be.
    fn between(&self, contents: &Contents<'_>) -> (i64, i64) {
        let total = self.total(contents);
        let heads = self.agrees.as_ref().map(|agrees| agrees.heads.sections);
        if heads.is_some_and(|heads| contents.count_unknown(heads) > 0) {
            return (i64::MIN, i64::MAX);
        }
        match contents.count_unknown(self.sections) {
            0 => (total, total),
            _ if self.has_debts() => (i64::MIN, i64::MAX),
            _ => (total, i64::MAX),
        }
    }
}

impl Constraint for Summed {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        found.extend(self.range.unset().cloned());
        let (low, high) = self.between(contents);
        let (limit, failing) = match self.range.asked(low, high, contents) {
            Asked::Met => return,
            Asked::Missed(limit, failing) => (limit, failing),
            Asked::Open => {
                let total = self.total(contents);
                let strangers = contents.count_unknown(SectionSet(u64::MAX));
                let message = format!(
                    "not verified: the pool does not tell the {} of {}; the {} has {total} without",
                    self.range.called(),
                    counted(strangers, "unknown card"),
                    self.name
                );
                found.push(Violation::unverified(message).in_section(section));
                return;
            }
        };
        let message = format!(
            "the {} must have {}, and has {low}",
            self.name,
            self.range.wanted_here(contents)
        );
        let off = self
            .range
            .counted(limit.saturating_sub(low).saturating_abs());
        let mend = match (failing, self.cards) {
            (Failing::Shortfall, true) => format!("add {off}"),
            (Failing::Shortfall, false) => format!("add cards with {off}"),
            (_, true) => format!("take out {off}"),
            (_, false) => format!("take out cards with {off}"),
        };
        found.push(
            Violation::of_deck(failing, message, mend)
                .advising(self.range.advised(&self.name, low, contents))
                .in_section(section)
                .with_numbers(limit, low),
        );
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let heads = self.agrees.as_ref().map(|agrees| agrees.heads.sections);
        if heads.is_some_and(|heads| linear.stranger_copies(heads) > 0) {
            return;
        }
        let strangers = linear.stranger_copies(self.sections);
        if strangers > 0 && self.has_debts() {
            return;
        }
        let mut terms = Vec::new();
        for card in linear.pool().ids() {
            terms.extend(self.counted(card, self.prices[card.index()], linear));
        }
        if let Some(agrees) = &self.agrees {
            let concerns = |card: CardId| self.prices[card.index()] != agrees.prices[card.index()];
            let classes = match &agrees.relation {
                Relation::Words(words) => words.clauses(&agrees.heads, linear, concerns),
                Relation::Permits(permits) => permits.clauses(&agrees.heads, linear),
            };
            for (mut clauses, cards) in classes {
                let cards: Vec<CardId> = cards.into_iter().filter(|card| concerns(*card)).collect();
                if cards.is_empty() {
                    continue;
                }
                // Where nobody speaks, nobody agrees.
                if let Relation::Permits(permits) = &agrees.relation
                    && permits.mode == Mode::All
                {
                    clauses.push(vec![(agrees.anybody(linear), 1)]);
                }
                let agreed = agreed(&clauses, linear);
                let agreed = agreed.unwrap_or_else(|| agrees.anybody(linear));
                for sign in [1, -1] {
                    let mut changes = Vec::new();
                    for card in &cards {
                        let change = agrees.prices[card.index()] - self.prices[card.index()];
                        if change.signum() == sign {
                            changes.extend(self.counted(*card, change, linear));
                        }
                    }
                    if !changes.is_empty() {
                        terms.push((linear.product(agreed, changes), 1));
                    }
                }
            }
        }
        let open = if strangers > 0 { 1 << 36 } else { 0 };
        self.range.linear(linear, terms, 0, open);
    }

    fn ledger(&self, contents: &Contents<'_>) -> Option<Ledger> {
        let (least, most) = self.range.ends(contents);
        let total = self.total(contents);
        let (low, high) = self.between(contents);
        let least = least.map(|worth| worth.number);
        let most = most.map(|worth| worth.number);
        let met = least.is_none_or(|least| total >= least) && most.is_none_or(|most| total <= most);
        // A sum that no card of the deck touches and that may be so is no news.
        if (total == 0 && met) || (least.is_none() && most.is_none()) {
            return None;
        }
        Some(Ledger::Sum {
            called: self.range.called().to_owned(),
            total,
            least,
            most,
            uncertain: low != high,
        })
    }

    fn idle(&self, _pool: &Pool) -> Option<String> {
        let then = self.agrees.iter().flat_map(|agrees| &agrees.prices);
        let all = || self.prices.iter().chain(then.clone());
        let most = if all().any(|price| *price > 0) {
            i64::MAX
        } else {
            0
        };
        if all().any(|price| *price < 0) {
            return None;
        }
        let why = match most {
            0 => "no card of the pool counts anything, so ",
            _ => "",
        };
        let idle = self.range.idle(most)?;
        Some(format!("{why}{idle}"))
    }

    fn demand(&self) -> String {
        let cards = match &self.agrees {
            Some(agrees) => agrees.words(),
            None => String::new(),
        };
        match self.range.wanted() {
            Some(wanted) => format!("The {} must have {wanted}{cards}.", self.name),
            None => format!(
                "A number of {} for the {} that the rules text does not give.",
                self.range.called(),
                self.name
            ),
        }
    }
}

impl Summed {
    /// What a card adds to the sum, in linear form.
    fn counted(&self, card: CardId, price: i64, linear: &mut Linear<'_>) -> Vec<(Unknown, i64)> {
        match self.per {
            _ if price == 0 => Vec::new(),
            Per::Copy => linear.sum(card, self.sections, price),
            Per::Card => {
                let held = linear.sum(card, self.sections, 1);
                vec![(linear.any(&held), price)]
            }
        }
    }
}

impl Agrees {
    /// Which cards count otherwise, in words.
    fn words(&self) -> String {
        let free = self.prices.iter().all(|price| *price == 0);
        let how = if free { "are free" } else { "count otherwise" };
        let heads = &self.heads.name;
        match &self.relation {
            Relation::Words(words) => {
                let all = if words.mode == Mode::All { "all " } else { "" };
                format!(
                    "; cards whose {} are {all}among the {} of the card in the {heads} {how}",
                    spaced(&words.field),
                    spaced(&words.among)
                )
            }
            Relation::Permits(_) => format!("; cards that the card in the {heads} permits {how}"),
        }
    }

    /// The flag that is 1 just where there is any identity card.
    fn anybody(&self, linear: &mut Linear<'_>) -> Unknown {
        let all = linear.pool().ids();
        let held: Vec<_> = all
            .flat_map(|card| linear.sum(card, self.heads.sections, 1))
            .collect();
        linear.any(&held)
    }
}
