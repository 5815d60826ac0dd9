//! What must hold for something to be asked, and whether it does.

use super::{Condition, Conditions};
use crate::deck::no_choice;
use crate::pool::{CardId, Pool};
use crate::rules::linear::Unknown;
use crate::rules::{Asking, Cards, Compile, Contents, Linear, SectionSet};
use crate::text::counted;
use crate::yaml::Spanned;

/// Conditions that must all hold.
#[derive(Debug)]
pub(in crate::rules) struct When {
    tests: Vec<Test>,
}

/// What must hold.
#[derive(Debug)]
struct Test {
    sections: SectionSet,
    name: String,
    /// Which cards, in words behind "cards".
    which: String,
    cards: Cards,
    least: Option<i64>,
    most: Option<i64>,
    any: Vec<Test>,
    /// What must not hold, in place of all else.
    not: Option<Box<Test>>,
    /// Of a choice: whether the deck declares it so, whatever its cards; the words are the name.
    declared: Option<bool>,
}

/// Whether conditions hold, as far as cards are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum Holds {
    Yes,
    No,
    Open,
}

impl When {
    /// What conditions mean; `None` where there are none.
    pub(in crate::rules) fn compile(terms: &Conditions, with: &mut Compile<'_>) -> Option<When> {
        let tests = match terms {
            Conditions::None => return None,
            Conditions::One(one) => vec![one.compile(with)],
            Conditions::All(all) => all.iter().map(|one| one.compile(with)).collect(),
        };
        Some(When { tests })
    }

    /// Whether a deck meets them.
    pub(in crate::rules) fn holds(&self, contents: &Contents<'_>) -> Holds {
        all(self.tests.iter().map(|test| test.holds(contents)))
    }

    /// Whether no card that comes in could make them fail once they hold.
    pub(super) fn stays(&self) -> bool {
        self.tests.iter().all(Test::stays)
    }

    /// The cards of a deck that make them hold, each once, in canonical order.
    pub(super) fn named(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        for test in &self.tests {
            test.named(contents, &mut cards);
        }
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// What must hold, a clause.
    pub(in crate::rules) fn words(&self) -> String {
        let words: Vec<String> = self.tests.iter().map(Test::words).collect();
        words.join(" and ")
    }

    /// The sections in which a card that the pool does not know makes it unclear whether they
    /// hold.
    pub(in crate::rules) fn clouded_by(&self) -> SectionSet {
        let each = self.tests.iter().map(Test::clouded_by);
        each.fold(SectionSet::default(), SectionSet::and)
    }

    /// Flags of which one may be 1 only where they do not surely hold.
    pub(super) fn off(&self, linear: &mut Linear<'_>) -> Vec<Unknown> {
        let mut offs = Vec::new();
        for test in &self.tests {
            offs.extend(test.off(linear));
        }
        offs
    }

    /// The flag that is 1 just where they hold, while no unknown card makes that unclear.
    pub(in crate::rules) fn flag(&self, linear: &mut Linear<'_>) -> Unknown {
        let each: Vec<Unknown> = self.tests.iter().map(|test| test.flag(linear)).collect();
        linear.each(&each)
    }

    /// Each of them, with the flag that is 1 just where it holds.
    pub(super) fn each(&self, linear: &mut Linear<'_>) -> Vec<Asking> {
        let tests = self.tests.iter();
        let each = tests.map(|test| Asking {
            words: test.words(),
            holds: test.flag(linear),
            of_all: true,
        });
        each.collect()
    }

    /// A test that no deck over a pool can meet, in words.
    pub(in crate::rules) fn never(&self, pool: &Pool) -> Option<String> {
        let never = self.tests.iter().find(|test| test.never(pool));
        never.map(Test::words)
    }
}

fn all(mut parts: impl Iterator<Item = Holds>) -> Holds {
    parts
        .try_fold(Holds::Yes, |so_far, part| match (so_far, part) {
            (_, Holds::No) => Err(Holds::No),
            (Holds::Open, _) | (_, Holds::Open) => Ok(Holds::Open),
            _ => Ok(Holds::Yes),
        })
        .unwrap_or_else(|no| no)
}

impl Condition {
    fn compile(&self, with: &mut Compile<'_>) -> Test {
        let said = !self.sections.is_empty();
        if let Some(not) = &self.not {
            let besides = said || self.cards.is_some() || self.choice.is_some();
            if besides || !self.any.is_empty() {
                let message =
                    "`not` stands alone in an `if`: put what else must hold beside it in a list";
                with.refuse(message.to_owned(), with.rule);
            }
            return Test {
                not: Some(Box::new(not.compile(with))),
                ..Test::of(String::new(), None)
            };
        }
        if let Some(choice) = self
            .choice
            .as_ref()
            .filter(|_| !said && self.any.is_empty())
        {
            return self.of_choice(choice, with);
        }
        if said == self.any.is_empty() && self.choice.is_none() && self.is.is_empty() {
            let any = self.any.iter().map(|part| part.compile(with)).collect();
            let sections = match said {
                true => with.section_set(&self.sections),
                false => SectionSet::default(),
            };
            let none = self.at_least.is_none() && self.at_most.is_none();
            return Test {
                sections,
                name: with.section_names(sections),
                which: with.which(self.cards.as_ref()),
                cards: with.cards(self.cards.as_ref()),
                least: if none && said { Some(1) } else { self.at_least },
                most: self.at_most,
                any,
                not: None,
                declared: None,
            };
        }
        let message = "an `if` needs `sections` and what they hold, a `choice`, or a list of such under `any`";
        with.refuse(message.to_owned(), with.rule);
        Test::of(String::new(), None)
    }

    /// What asks for a choice of the deck.
    fn of_choice(&self, name: &Spanned<String>, with: &mut Compile<'_>) -> Test {
        if self.cards.is_some() || self.at_least.is_some() || self.at_most.is_some() {
            let message = "`choice` stands without `cards` and numbers";
            with.refuse(message.to_owned(), name.span);
        }
        let Some((_, known)) = with.choice(&name.value) else {
            with.refuse(no_choice(&name.value, with.choices), name.span);
            return Test::of(String::new(), Some(false));
        };
        let mut wanted = Vec::new();
        for term in &self.is {
            let written = term.value.to_string();
            match known.value(&written) {
                Some(value) => wanted.push(value),
                None => {
                    let words = known.words();
                    let message = format!("`{}` is never `{written}`; it is {words}", known.name);
                    with.refuse(message, term.span);
                }
            }
        }
        let value = with.chosen(&known.name);
        let holds = value.is_some_and(|value| wanted.is_empty() || wanted.contains(&value));
        let words = match wanted.as_slice() {
            [] => format!("the deck declares its `{}`", known.name),
            wanted => {
                let wanted = crate::text::listed(wanted, "or");
                format!("the deck's `{}` is {wanted}", known.name)
            }
        };
        Test::of(words, Some(holds))
    }
}

impl Test {
    /// Whether no card that comes in could make it fail once it holds.
    fn stays(&self) -> bool {
        let rises = self.not.is_none() && self.most.is_none();
        self.declared.is_some() || (rises && self.any.iter().all(Test::stays))
    }

    /// A test of no cards.
    fn of(name: String, declared: Option<bool>) -> Test {
        Test {
            sections: SectionSet::default(),
            name,
            which: String::new(),
            cards: Cards::All,
            least: None,
            most: None,
            any: Vec::new(),
            not: None,
            declared,
        }
    }

    fn holds(&self, contents: &Contents<'_>) -> Holds {
        match self.declared {
            Some(true) => return Holds::Yes,
            Some(false) => return Holds::No,
            None => {}
        }
        let not = |holds| match holds {
            Holds::Yes => Holds::No,
            Holds::No => Holds::Yes,
            Holds::Open => Holds::Open,
        };
        if let Some(inner) = &self.not {
            return not(inner.holds(contents));
        }
        if !self.any.is_empty() {
            return not(all(self.any.iter().map(|part| not(part.holds(contents)))));
        }
        let mut low = contents.count(self.sections, |card| self.cards.has(card));
        let strangers = contents.count_unknown(self.sections);
        let mut high = low.saturating_add(strangers);
        if self.cards.is_all() {
            low = high;
        } else if strangers == 0 {
            high = low;
        }
        let least = self.least.unwrap_or(i64::MIN);
        let most = self.most.unwrap_or(i64::MAX);
        match (low >= least && high <= most, high < least || low > most) {
            (true, _) => Holds::Yes,
            (_, true) => Holds::No,
            _ => Holds::Open,
        }
    }

    /// The cards that make the test hold, where a query picks them.
    fn named(&self, contents: &Contents<'_>, cards: &mut Vec<CardId>) {
        if self.not.is_some() || self.holds(contents) != Holds::Yes {
            return;
        }
        self.any.iter().for_each(|part| part.named(contents, cards));
        if self.least.is_some_and(|least| least > 0) && !self.cards.is_all() {
            let here = contents.known_in(self.sections).iter();
            let here = here.filter(|held| self.sections.has(usize::from(held.section)));
            cards.extend(
                here.map(|held| held.card)
                    .filter(|card| self.cards.has(*card)),
            );
        }
    }

    fn words(&self) -> String {
        if self.declared.is_some() {
            return self.name.clone();
        }
        if let Some(inner) = &self.not {
            let counts = inner.declared.is_none() && inner.not.is_none() && inner.any.is_empty();
            if counts && (inner.least, inner.most) == (Some(1), None) {
                return inner.so_many(None, Some(0));
            }
            let words = inner.words();
            return match words.strip_prefix("the deck declares") {
                Some(rest) => format!("the deck does not declare{rest}"),
                None => format!("not: {words}"),
            };
        }
        if !self.any.is_empty() {
            let words: Vec<String> = self.any.iter().map(Test::words).collect();
            return format!("({})", words.join(" or "));
        }
        self.so_many(self.least, self.most)
    }

    /// That its sections have so many of its cards, in words.
    fn so_many(&self, least: Option<i64>, most: Option<i64>) -> String {
        let which = &self.which;
        let one = match (least, most) {
            (Some(1), None) => Some("a"),
            (None, Some(0)) => Some("no"),
            _ => None,
        };
        if let Some(one) = one {
            return format!("the {} has {one} card{which}", self.name);
        }
        let number = match (least, most) {
            (Some(least), Some(most)) if least == most => counted(least, "card"),
            (Some(least), Some(most)) => format!("{least} to {}", counted(most, "card")),
            (Some(least), None) => format!("at least {}", counted(least, "card")),
            (None, most) => format!("at most {}", counted(most.unwrap_or(0), "card")),
        };
        format!("the {} has {number}{which}", self.name)
    }

    /// Flags of which one may be 1 only where the test does not surely hold.
    fn off(&self, linear: &mut Linear<'_>) -> Vec<Unknown> {
        match self.declared {
            Some(true) => return Vec::new(),
            Some(false) => return vec![linear.flag()],
            None => {}
        }
        if let Some(inner) = &self.not {
            return vec![inner.possibly(linear)];
        }
        if !self.any.is_empty() {
            let mut each = Vec::new();
            for part in &self.any {
                each.push(part.off(linear));
            }
            let flag = linear.flag();
            for offs in each {
                let terms = offs
                    .iter()
                    .map(|off| (*off, 1))
                    .chain([(flag, -1)])
                    .collect();
                linear.means(terms, Some(0), None);
            }
            return vec![flag];
        }
        let mut terms = Vec::new();
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            terms.extend(linear.sum(card, self.sections, 1));
        }
        let strangers = linear.stranger_copies(self.sections);
        let (surely, perhaps) = match self.cards.is_all() {
            true => (strangers, strangers),
            false => (0, strangers),
        };
        let mut offs = Vec::new();
        if let Some(least) = self.least {
            offs.push(linear.off(terms.clone(), None, Some(least - 1 - surely)));
        }
        if let Some(most) = self.most {
            offs.push(linear.off(terms, Some(most + 1 - perhaps), None));
        }
        offs
    }
}

impl Test {
    /// The flag that may be 1 only where the test may hold.
    fn possibly(&self, linear: &mut Linear<'_>) -> Unknown {
        match self.declared {
            Some(true) => return linear.flag(),
            Some(false) => return linear.number(0, 0),
            None => {}
        }
        let parts = match &self.not {
            Some(inner) => inner.off(linear),
            None => self.any.iter().map(|part| part.possibly(linear)).collect(),
        };
        if self.not.is_some() || !self.any.is_empty() {
            let flag = linear.flag();
            let one = parts.iter().map(|part| (*part, 1)).chain([(flag, -1)]);
            let one = one.collect();
            linear.means(one, Some(0), None);
            return flag;
        }
        let mut terms = Vec::new();
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            terms.extend(linear.sum(card, self.sections, 1));
        }
        let strangers = linear.stranger_copies(self.sections);
        let surely = if self.cards.is_all() { strangers } else { 0 };
        let least = self.least.map(|least| least - strangers);
        linear.off(terms, least, self.most.map(|most| most - surely))
    }

    /// Whether no deck over a pool can meet the test.
    fn never(&self, pool: &Pool) -> bool {
        if self.declared.is_some() || self.not.is_some() {
            return false;
        }
        if !self.any.is_empty() {
            return self.any.iter().all(|part| part.never(pool));
        }
        let most = self.most.unwrap_or(i64::MAX);
        let least = self.least.unwrap_or(0).max(0);
        least > most || (self.cards.count(pool) == 0 && least > 0)
    }

    fn clouded_by(&self) -> SectionSet {
        if let Some(inner) = &self.not {
            return inner.clouded_by();
        }
        let each = self.any.iter().map(Test::clouded_by);
        let own = match self.declared.is_some() || self.cards.is_all() {
            true => SectionSet::default(),
            false => self.sections,
        };
        each.fold(own, SectionSet::and)
    }

    /// The flag that is 1 just where the test holds.
    fn flag(&self, linear: &mut Linear<'_>) -> Unknown {
        match self.declared {
            Some(true) => return linear.number(1, 1),
            Some(false) => return linear.number(0, 0),
            None => {}
        }
        if let Some(inner) = &self.not {
            let holds = inner.flag(linear);
            return linear.opposite(holds);
        }
        if !self.any.is_empty() {
            let each: Vec<Unknown> = self.any.iter().map(|part| part.flag(linear)).collect();
            return linear.some(&each);
        }
        let mut terms = Vec::new();
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            terms.extend(linear.sum(card, self.sections, 1));
        }
        let strangers = match self.cards.is_all() {
            true => linear.stranger_copies(self.sections),
            false => 0,
        };
        let (least, most) = (self.least, self.most);
        let less = |number: Option<i64>| number.map(|number| number - strangers);
        let on = linear.off(terms.clone(), less(least), less(most));
        let mut one = vec![(on, 1)];
        if let Some(least) = less(least) {
            one.push((linear.off(terms.clone(), None, Some(least - 1)), 1));
        }
        if let Some(most) = less(most) {
            one.push((linear.off(terms, Some(most + 1), None), 1));
        }
        linear.means(one, Some(1), None);
        on
    }
}
