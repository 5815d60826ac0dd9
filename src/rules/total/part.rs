//! One part of a sum: what its cards count, and whether they do.

use super::{PartTerms, Per, Total};
use crate::pool::{CardId, Pool};
use crate::rules::agreement::{Agrees, Price};
use crate::rules::condition::When;
use crate::rules::contents::each_card;
use crate::rules::linear::Unknown;
use crate::rules::{Asking, Cards, Compile, Contents, Linear, SectionSet, Violation};
use crate::text::spaced;

/// Unknowns that are never negative, and how often each counts.
type Terms = Vec<(Unknown, i64)>;

#[derive(Debug)]
pub(super) struct Part {
    sections: SectionSet,
    /// What a copy of each card counts, or where some agree, if it does not.
    prices: Vec<i64>,
    /// The cards that have a number, where the greatest or least is asked for.
    numbered: Option<Vec<bool>>,
    /// Who agree with the identity cards, and what a copy of each card then counts.
    agrees: Option<(Agrees, Vec<i64>)>,
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
        let numbers = field.as_ref().map(|field| with.numbers(field));
        let price = price.as_ref().map_or(0, |price| price.value);
        let each = |card: CardId| {
            let number = numbers.as_ref().map_or(0, |numbers| numbers[card.index()]);
            number.saturating_add(price)
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
            let has = |card: CardId| match field {
                Some(field) => counts(card) && pool.number(card, &field.value).is_some(),
                None => counts(card),
            };
            pool.ids().map(has).collect()
        });
        let agrees = matched
            .zip(then)
            .map(|(matched, prices)| (matched.compile(with), prices));
        Part {
            sections,
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

    /// What is to be said where what its cards count depends on a choice which the deck does not
    /// declare.
    #[inline]
    pub(super) fn unsaid(&self, contents: &Contents<'_>) -> Option<Violation> {
        let (agrees, _) = self.agrees.as_ref()?;
        let unsaid = agrees.unsaid(contents)?;
        self.counts(contents).then_some(unsaid)
    }

    /// The same in linear form.
    pub(super) fn demand_said(&self, linear: &mut Linear<'_>) {
        if let Some((agrees, _)) = &self.agrees {
            agrees.demand_said(linear, |linear| match &self.when {
                None => Vec::new(),
                Some(when) => {
                    let counts = when.flag(linear);
                    vec![(linear.opposite(counts), 1)]
                }
            });
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

    /// What it comes to in a deck.
    pub(super) fn total(&self, contents: &Contents<'_>) -> i64 {
        if !self.counts(contents) {
            return 0;
        }
        let mut total = 0_i64;
        let mut extreme = None;
        let held = contents.known_in(self.sections);
        each_card(held, self.sections, |card, copies| {
            let price = self.price(contents, card);
            if let Some(numbered) = &self.numbered {
                if numbered[card.index()] {
                    extreme = match (extreme, self.per) {
                        (None, _) => Some(price),
                        (Some(known), Per::Lowest) => Some(price.min(known)),
                        (Some(known), _) => Some(price.max(known)),
                    };
                }
                return;
            }
            total = total.saturating_add(price.saturating_mul(self.counted(copies)));
        });
        extreme.unwrap_or(total).saturating_mul(self.times)
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
    pub(super) fn since(&self, contents: &Contents<'_>, sections: SectionSet) -> Option<String> {
        if self.is_extreme() && self.counts(contents) {
            return self.peak(contents);
        }
        let when = self.when.as_ref()?;
        let mut names = Vec::new();
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

    /// Its condition, with the flag that is 1 just where it holds.
    pub(super) fn asking(&self, linear: &mut Linear<'_>) -> Option<Asking> {
        let when = self.when.as_ref()?;
        Some(Asking {
            words: when.words(),
            holds: when.flag(linear),
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

impl Part {
    /// What it comes to, in linear form.
    pub(super) fn linear(&self, sections: SectionSet, linear: &mut Linear<'_>) -> Terms {
        let mut terms = match &self.numbered {
            Some(numbered) => self.extreme(numbered, sections, linear),
            None => self.added_up(sections, linear),
        };
        for (_, by) in &mut terms {
            *by = by.saturating_mul(self.times);
        }
        terms.retain(|(_, by)| *by != 0);
        match &self.when {
            None => terms,
            Some(when) => {
                let flag = when.flag(linear);
                products(flag, &terms, linear)
            }
        }
    }

    fn added_up(&self, sections: SectionSet, linear: &mut Linear<'_>) -> Terms {
        let mut terms = Vec::new();
        for card in linear.pool().ids() {
            self.card(
                card,
                self.prices[card.index()],
                sections,
                linear,
                &mut terms,
            );
        }
        let Some((agrees, then)) = &self.agrees else {
            return terms;
        };
        let change = |card: CardId| then[card.index()] - self.prices[card.index()];
        for (agreed, cards) in agrees.flags(linear, |card| change(card) != 0) {
            let mut changes = Vec::new();
            for card in &cards {
                self.card(*card, change(*card), sections, linear, &mut changes);
            }
            terms.extend(products(agreed, &changes, linear));
        }
        terms
    }

    /// Adds to the sum what a card does.
    fn card(
        &self,
        card: CardId,
        price: i64,
        sections: SectionSet,
        linear: &mut Linear<'_>,
        terms: &mut Terms,
    ) {
        if price == 0 {
            return;
        }
        if matches!(self.per, Per::Copy | Per::Further) {
            terms.extend(linear.sum(card, sections, price));
        }
        let once = match self.per {
            Per::Copy => return,
            Per::Further => -price,
            Per::Card | Per::Highest | Per::Lowest => price,
        };
        let held: Terms = linear.sum(card, sections, 1).collect();
        terms.push((linear.any(&held), once));
    }

    /// The highest or lowest number: from one value that some card has to the next, a step for
    /// whether any card stands beyond it.
    fn extreme(&self, numbered: &[bool], sections: SectionSet, linear: &mut Linear<'_>) -> Terms {
        let cards = linear.pool().ids().filter(|card| numbered[card.index()]);
        let mut cards: Vec<(i64, CardId)> = cards
            .map(|card| (self.prices[card.index()], card))
            .collect();
        cards.sort_unstable();
        // Toward the end that is asked for, each card of which counts more than all before.
        if self.per == Per::Lowest {
            cards.reverse();
        }
        let (mut terms, mut before) = (Vec::new(), 0);
        for at in 0..cards.len() {
            let value = cards[at].0;
            if at > 0 && value == cards[at - 1].0 {
                continue;
            }
            let beyond = cards[at..].iter();
            let held: Terms = beyond
                .flat_map(|(_, card)| linear.sum(*card, sections, 1))
                .collect();
            terms.push((linear.any(&held), value - before));
            before = value;
        }
        terms
    }
}

/// Terms that count only where a flag is 1.
fn products(flag: Unknown, terms: &[(Unknown, i64)], linear: &mut Linear<'_>) -> Terms {
    let mut all = Vec::new();
    for sign in [1, -1] {
        let some = terms.iter().filter(|(_, by)| by.signum() == sign);
        let some: Terms = some.map(|(unknown, by)| (*unknown, by * sign)).collect();
        if !some.is_empty() {
            all.push((linear.product(flag, some), sign));
        }
    }
    all
}
