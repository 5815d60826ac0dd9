//! One part of a sum: what its cards count, and whether they do.

use super::{PartTerms, Per, Total};
use crate::pool::{CardId, Pool};
use crate::rules::agreement::{Agrees, Price};
use crate::rules::condition::When;
use crate::rules::contents::each_card;
use crate::rules::demand::{Agreed, Agreeing, Leaf, Name, Num, Strangers, Weights};
use crate::rules::{Asking, Cards, Compile, Contents, SectionSet};
use crate::text::spaced;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Part {
    sections: SectionSet,
    /// What a copy of each card counts, or where some agree, if it does not.
    prices: Vec<i64>,
    /// The cards that have a number, where the greatest or least is asked for.
    numbered: Option<Vec<bool>>,
    /// Who agree with the identity cards, and what a copy of each card then counts.
    agrees: Option<(Arc<Agrees>, Vec<i64>)>,
    /// What unknown cards may count.
    strangers: Strangers,
    per: Per,
    times: i64,
    when: Option<When>,
    /// Which cards, in words behind "cards".
    which: String,
    /// What of a card counts; whether it is a field of theirs.
    called: String,
    named: bool,
    /// What each copy counts besides, or instead of a field.
    price: i64,
    /// What becomes of the price of cards that agree, and of others.
    changes: Option<(Price, Price)>,
}

impl PartTerms {
    pub(super) fn compile(
        &self,
        total: &Total,
        sections: SectionSet,
        all: &Cards,
        with: &mut Compile<'_>,
    ) -> Part {
        let own = self.field.is_some() || self.price.is_some();
        let (field, price) = match own {
            true => (&self.field, &self.price),
            false => (&total.field, &total.price),
        };
        if field.is_none() && price.is_none() {
            let message = "a `total` needs what a card counts: a `field`, or a `price`";
            with.refuse(message.to_owned(), with.rule);
        }
        let matched = self.matched.as_ref().or(total.matched.as_ref());
        let per = self.per.as_ref().map_or(total.per, |per| per.value);
        let extreme = matches!(per, Per::Highest | Per::Lowest);
        if extreme && matched.is_some() {
            let message = "the highest or lowest of a field is of all cards, so without `matched`";
            let span = self.per.as_ref().map_or(with.rule, |per| per.span);
            with.refuse(message.to_owned(), span);
        }
        let when = When::compile(&self.conditions, with);
        let cards = with.cards(self.cards.as_ref());
        let counts = |card: CardId| all.has(card) && cards.has(card);
        let numbers = field.as_ref().map(|field| with.column(field));
        let price = price.as_ref().map_or(0, |price| price.value);
        let each = |card: CardId| {
            let numbers = numbers.as_ref();
            let number = numbers.and_then(|numbers| numbers[card.index()]);
            number.unwrap_or(0).saturating_add(price)
        };
        let counted = |card: CardId, change: Price| match counts(card) {
            true => change.of(each(card)),
            false => 0,
        };
        let pool = with.pool;
        let column =
            |change: Price| -> Vec<i64> { pool.ids().map(|card| counted(card, change)).collect() };
        let free = Price { times: 0, plus: 0 };
        let otherwise = matched.and_then(|matched| matched.otherwise);
        let prices = column(otherwise.unwrap_or(Price::SAME));
        let then = matched.map(|matched| column(matched.then.unwrap_or(free)));
        let numbered = extreme.then(|| {
            let has = |card: CardId| match &numbers {
                Some(numbers) => counts(card) && numbers[card.index()].is_some(),
                None => counts(card),
            };
            pool.ids().map(has).collect()
        });
        let agrees = matched
            .zip(then)
            .map(|(matched, prices)| (Arc::new(matched.compile(with)), prices));
        let then = agrees.iter().flat_map(|(_, then)| then);
        let all: Vec<i64> = prices.iter().chain(then).copied().collect();
        Part {
            sections,
            strangers: Strangers::of_numbers(&all),
            prices,
            numbered,
            agrees,
            per,
            times: self.times.as_ref().map_or(1, |times| times.value),
            when,
            named: field.is_some(),
            price,
            changes: matched.map(|matched| {
                let otherwise = matched.otherwise.unwrap_or(Price::SAME);
                (matched.then.unwrap_or(free), otherwise)
            }),
            called: field
                .as_ref()
                .map_or_else(|| "price".to_owned(), |field| spaced(&field.value)),
            which: with.which(self.cards.as_ref()),
        }
    }
}

impl Part {
    #[inline]
    fn price(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let price = self.prices[card.index()];
        match &self.agrees {
            Some((agrees, then)) if then[card.index()] != price => {
                match agrees.agrees(contents, card) {
                    true => then[card.index()],
                    false => price,
                }
            }
            _ => price,
        }
    }

    /// The sections whose cards have a say in what the others count.
    pub(super) fn heads(&self) -> SectionSet {
        let agrees = self.agrees.as_ref();
        agrees.map_or_else(SectionSet::default, |(agrees, _)| agrees.heads())
    }

    /// Whether its cards count.
    #[inline]
    fn counts(&self, contents: &Contents<'_>) -> bool {
        self.when
            .as_ref()
            .is_none_or(|when| when.holds(contents) == Some(true))
    }

    /// What it comes to.
    pub(super) fn num(&self) -> Num {
        let leaf = |cards: Weights| Leaf {
            cards,
            sections: self.sections,
            strangers: self.strangers,
            name: Name::default(),
        };
        let sum = || Num::Sum(Box::new(leaf(Weights::Each(self.prices.clone()))));
        let once = || Num::Different {
            groups: None,
            least: 1,
            leaf: Box::new(leaf(Weights::Each(self.prices.clone()))),
        };
        let num = match (&self.agrees, &self.numbered, self.per) {
            (_, Some(numbered), per) => {
                let cards = (0..).map(CardId).zip(&self.prices).zip(numbered);
                let has = cards.filter(|(_, has)| **has);
                let few = has.map(|((card, price), _)| (card, *price)).collect();
                Num::Extreme {
                    greatest: per != Per::Lowest,
                    leaf: Box::new(leaf(Weights::Few(few))),
                }
            }
            (Some((agrees, then)), None, per) => Num::Agreed(Box::new(Agreed {
                leaf: leaf(Weights::Each(self.prices.clone())),
                then: then.clone(),
                agrees: Arc::clone(agrees) as Arc<dyn Agreeing>,
                copies: match per {
                    Per::Copy => [1, 1],
                    Per::Further => [0, 1],
                    Per::Card | Per::Highest | Per::Lowest => [1, 0],
                },
            })),
            (None, None, Per::Copy) => sum(),
            (None, None, Per::Further) => Num::Add(vec![sum(), Num::Times(-1, Box::new(once()))]),
            (None, None, _) => once(),
        };
        let num = match self.times {
            1 => num,
            times => Num::Times(times, Box::new(num)),
        };
        match &self.when {
            None => num,
            Some(when) => Num::When(Box::new(when.cond()), Box::new(num)),
        }
    }

    /// How often so many copies of a card count.
    fn counted(&self, copies: i64) -> i64 {
        match self.per {
            Per::Copy => copies,
            Per::Further => copies - 1,
            Per::Card | Per::Highest | Per::Lowest => 1,
        }
    }

    /// What one card adds, so far as it adds by itself.
    pub(super) fn of_card(&self, contents: &Contents<'_>, card: CardId, copies: i64) -> i64 {
        match self.numbered.is_none() && self.counts(contents) {
            true => self
                .price(contents, card)
                .saturating_mul(self.counted(copies))
                .saturating_mul(self.times),
            false => 0,
        }
    }

    /// Whether a card has a say in it.
    pub(super) fn counts_card(&self, contents: &Contents<'_>, card: CardId) -> bool {
        match &self.numbered {
            Some(numbered) => self.counts(contents) && numbered[card.index()],
            // Of some only further copies count.
            None => self.of_card(contents, card, 2) != 0,
        }
    }

    /// Whether only the highest or the lowest number of all counts.
    pub(super) fn is_extreme(&self) -> bool {
        self.numbered.is_some()
    }

    /// The card whose number is the highest or the lowest: a clause.
    fn peak(&self, contents: &Contents<'_>) -> Option<String> {
        let numbered = self.numbered.as_ref()?;
        let held = contents.known_in(self.sections).iter();
        let held = held.filter(|held| self.sections.has(usize::from(held.section)));
        let cards = held
            .map(|held| held.card)
            .filter(|card| numbered[card.index()]);
        let price = |card: &CardId| self.prices[card.index()];
        let (peak, which) = match self.per {
            Per::Lowest => (cards.min_by_key(price)?, "lowest"),
            _ => (
                cards.max_by_key(|card| (price(card), std::cmp::Reverse(*card)))?,
                "highest",
            ),
        };
        let name = contents.name(peak);
        Some(format!(
            "the {which} {} is {} (`{name}`)",
            self.called,
            price(&peak)
        ))
    }

    /// Why its cards count, where that is not always so: a clause.
    pub(super) fn since(&self, contents: &Contents<'_>) -> Option<String> {
        if self.is_extreme() && self.counts(contents) {
            return self.peak(contents);
        }
        let when = self.when.as_ref()?;
        let (sections, mut names) = (self.sections, Vec::new());
        each_card(contents.known_in(sections), sections, |card, copies| {
            if self.of_card(contents, card, copies) != 0 {
                names.push(format!("`{}`", contents.name(card)));
            }
        });
        let verb = if names.len() == 1 { "counts" } else { "count" };
        let names = match names.len() {
            0 => return None,
            1..=3 => crate::text::listed(&names, "and"),
            several => format!("{several} cards{}", self.which),
        };
        Some(format!("{names} {verb}, since {}", when.words()))
    }

    /// Whether some card takes from the sum, or one more may.
    pub(super) fn has_debts(&self) -> bool {
        let then = self.agrees.iter().flat_map(|(_, then)| then);
        let mut all = self.prices.iter().chain(then);
        self.per == Per::Lowest || self.times < 0 || all.any(|price| *price < 0)
    }

    /// Whether some card counts anything.
    pub(super) fn counts_anything(&self) -> bool {
        let then = self.agrees.iter().flat_map(|(_, then)| then);
        self.times != 0 && self.prices.iter().chain(then).any(|price| *price != 0)
    }

    /// A condition of it that no deck over a pool meets, in words.
    pub(super) fn never(&self, pool: &Pool) -> Option<String> {
        self.when.as_ref()?.never(pool)
    }

    /// Its condition.
    pub(super) fn asking(&self) -> Option<Asking> {
        let when = self.when.as_ref()?;
        Some(Asking {
            words: when.words(),
            cond: when.cond(),
            of_all: false,
        })
    }

    /// The sections in which a card that the pool does not know leaves all of it open.
    pub(super) fn clouded_by(&self) -> SectionSet {
        let heads = self.agrees.iter().map(|(agrees, _)| agrees.sections());
        let when = self.when.iter().map(When::clouded_by);
        heads
            .chain(when)
            .fold(SectionSet::default(), SectionSet::and)
    }

    /// Its cards, in words.
    fn cards(&self) -> String {
        format!("cards{}", self.which)
    }

    /// Whether it is all that the sum counts, once.
    pub(super) fn is_plain(&self) -> bool {
        self.which.is_empty() && self.times == 1 && self.when.is_none()
    }

    /// What is special about it where it is the whole sum, in words: `; …`, or nothing.
    pub(super) fn words(&self) -> String {
        let mut words = match self.per {
            Per::Copy => String::new(),
            Per::Card => "; each card counts once".to_owned(),
            Per::Further => "; each copy but the first counts".to_owned(),
            Per::Highest => "; only the highest counts".to_owned(),
            Per::Lowest => "; only the lowest counts".to_owned(),
        };
        if let Some(agreed) = self.agreed() {
            words += &format!("; {agreed}");
        }
        words
    }

    /// What it adds to a sum of several parts, in words; and whether it is taken off.
    pub(super) fn summand(&self) -> (String, bool) {
        let (cards, called) = (self.cards(), &self.called);
        let (number, times) = match (self.named, self.per) {
            (_, Per::Highest) => (format!("the highest {called} of {cards}"), self.times),
            (_, Per::Lowest) => (format!("the lowest {called} of {cards}"), self.times),
            (true, _) => (format!("the {called} of {cards}"), self.times),
            (false, _) => (cards, self.times.saturating_mul(self.price)),
        };
        let mut words = match times {
            1 | -1 => number,
            times => format!("{} times {number}", times.saturating_abs()),
        };
        if self.named && self.price != 0 {
            let sign = if self.price < 0 { "less" } else { "and" };
            let each = self.price.saturating_mul(self.times).saturating_abs();
            words += &format!(" {sign} {each} for each of them");
        }
        match self.per {
            Per::Copy | Per::Highest | Per::Lowest => {}
            Per::Card => words += ", each card once",
            Per::Further => words += ", each copy but the first",
        }
        if let Some(when) = &self.when {
            words += &format!(", if {}", when.words());
        }
        if let Some(agreed) = self.agreed() {
            words += &format!(" ({agreed})");
        }
        (words, times < 0)
    }

    /// What is different for cards that agree, a clause.
    fn agreed(&self) -> Option<String> {
        let (agrees, _) = self.agrees.as_ref()?;
        let (then, otherwise) = self.changes?;
        let others = match otherwise {
            Price::SAME => String::new(),
            changed => format!(", others {}", changed.words()),
        };
        Some(format!("{} {}{others}", agrees.words(), then.words()))
    }
}
