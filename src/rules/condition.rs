//! `if`: a rule that is asked only where the deck holds, or does not hold, some cards.

use super::linear::Unknown;
use super::{Cards, Compile, Constraint, Contents, Failing, Ledger, Linear, SectionSet, Violation};
use crate::game::Term;
use crate::pool::{CardId, Pool};
use crate::text::counted;
use crate::yaml::Spanned;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, de};

/// What a deck must hold for a rule to be asked: so many cards of some sections, or any of
/// several such conditions.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Condition {
    /// The sections whose copies are counted, together.
    #[serde(default)]
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// At least so many; 1 where neither this nor `at-most` is given.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// At most so many; 0: none.
    #[serde(default)]
    pub at_most: Option<i64>,
    /// A choice that the deck must declare, in place of sections.
    #[serde(default)]
    pub choice: Option<Spanned<String>>,
    /// What that choice must be, one of these; whatever it is without them.
    #[serde(default)]
    pub is: Vec<Spanned<Term>>,
    /// Any of these, in place of all else.
    #[serde(default)]
    pub any: Vec<Condition>,
}

/// The conditions of a rule, all of which must hold; none: the rule is always asked.
#[derive(Debug, Clone, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Conditions {
    /// No condition.
    #[default]
    None,
    /// One.
    One(Box<Condition>),
    /// All of these.
    All(Vec<Condition>),
}

impl<'de> Deserialize<'de> for Conditions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Conditions, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Conditions;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("what a deck must hold, or a list of such conditions")
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Conditions, A::Error> {
                Condition::deserialize(MapAccessDeserializer::new(map))
                    .map(|one| Conditions::One(Box::new(one)))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, all: A) -> Result<Conditions, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(all)).map(Conditions::All)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Conditions {
    /// A demand with these conditions; the demand itself where there are none. `told`: the rule
    /// says itself why it is asked.
    pub(crate) fn around(
        &self,
        demand: Box<dyn Constraint>,
        told: bool,
        with: &mut Compile<'_>,
    ) -> Box<dyn Constraint> {
        let tests: Vec<Test> = match self {
            Conditions::None => return demand,
            Conditions::One(one) => vec![one.compile(with)],
            Conditions::All(all) => all.iter().map(|one| one.compile(with)).collect(),
        };
        Box::new(Conditional {
            tests,
            told,
            demand,
        })
    }
}

/// What must hold.
#[derive(Debug)]
struct Test {
    sections: SectionSet,
    name: String,
    query: String,
    cards: Cards,
    least: Option<i64>,
    most: Option<i64>,
    any: Vec<Test>,
    /// Of a choice: whether the deck declares it so, whatever its cards; the words are the name.
    declared: Option<bool>,
}

/// Whether conditions hold, as far as cards are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Yes,
    No,
    Open,
}

/// A demand on decks that hold, or do not hold, some cards.
#[derive(Debug)]
pub(super) struct Conditional {
    tests: Vec<Test>,
    told: bool,
    demand: Box<dyn Constraint>,
}

impl Conditional {
    /// The cards of a deck that make it be asked, for a message: ` (because of …)`, or nothing.
    #[cold]
    fn because(&self, contents: &Contents<'_>) -> String {
        const MOST_NAMED: usize = 3;
        let mut cards = Vec::new();
        if !self.told {
            self.tests
                .iter()
                .for_each(|test| test.named(contents, &mut cards));
        }
        cards.sort_unstable();
        cards.dedup();
        if cards.is_empty() || cards.len() > MOST_NAMED {
            return String::new();
        }
        let names = cards
            .iter()
            .map(|card| format!("`{}`", contents.name(*card)));
        let names: Vec<String> = names.collect();
        format!(" (because of {})", crate::text::listed(&names, "and"))
    }

    fn holds(&self, contents: &Contents<'_>) -> Holds {
        all(self.tests.iter().map(|test| test.holds(contents)))
    }

    fn words(&self) -> String {
        let words: Vec<String> = self.tests.iter().map(Test::words).collect();
        words.join(" and ")
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
        if let Some(choice) = self
            .choice
            .as_ref()
            .filter(|_| !said && self.any.is_empty())
        {
            return self.of_choice(choice, with);
        }
        if said == self.any.is_empty() && self.choice.is_none() && self.is.is_empty() {
            let any = self.any.iter().map(|part| part.compile(with)).collect();
            let sections = with.section_set(&self.sections);
            let none = self.at_least.is_none() && self.at_most.is_none();
            return Test {
                sections,
                name: with.section_names(sections),
                query: self
                    .cards
                    .as_ref()
                    .map_or_else(String::new, |cards| cards.value.clone()),
                cards: with.cards(self.cards.as_ref()),
                least: if none && said { Some(1) } else { self.at_least },
                most: self.at_most,
                any,
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
            with.refuse(format!("no choice `{}`", name.value), name.span);
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
    /// A test of no cards.
    fn of(name: String, declared: Option<bool>) -> Test {
        Test {
            sections: SectionSet::default(),
            name,
            query: String::new(),
            cards: Cards::All,
            least: None,
            most: None,
            any: Vec::new(),
            declared,
        }
    }

    fn holds(&self, contents: &Contents<'_>) -> Holds {
        match self.declared {
            Some(true) => return Holds::Yes,
            Some(false) => return Holds::No,
            None => {}
        }
        if !self.any.is_empty() {
            let not = |holds| match holds {
                Holds::Yes => Holds::No,
                Holds::No => Holds::Yes,
                Holds::Open => Holds::Open,
            };
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
        if self.holds(contents) != Holds::Yes {
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
        if !self.any.is_empty() {
            let words: Vec<String> = self.any.iter().map(Test::words).collect();
            return format!("({})", words.join(" or "));
        }
        let what = match self.query.as_str() {
            "" => String::new(),
            query => format!(" that are `{query}`"),
        };
        let number = match (self.least, self.most) {
            (Some(1), None) => "any cards".to_owned(),
            (None, Some(0)) => "no cards".to_owned(),
            (Some(least), Some(most)) if least == most => counted(least, "card"),
            (Some(least), Some(most)) => format!("{least} to {}", counted(most, "card")),
            (Some(least), None) => format!("at least {}", counted(least, "card")),
            (None, most) => format!("at most {}", counted(most.unwrap_or(0), "card")),
        };
        format!("the {} has {number}{what}", self.name)
    }

    /// Flags of which one may be 1 only where the test does not surely hold.
    fn off(&self, linear: &mut Linear<'_>) -> Vec<Unknown> {
        match self.declared {
            Some(true) => return Vec::new(),
            Some(false) => return vec![linear.flag()],
            None => {}
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

impl Constraint for Conditional {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        match self.holds(contents) {
            Holds::No => {}
            Holds::Yes => {
                let before = found.len();
                self.demand.judge(contents, found);
                let new = found[before..].iter_mut();
                for violation in new.filter(|new| new.failing != Failing::Unverified) {
                    violation.message += &self.because(contents);
                }
            }
            Holds::Open => {
                let mut would = Vec::new();
                self.demand.judge(contents, &mut would);
                if let Some(first) = would.into_iter().next() {
                    let message = match first.failing {
                        Failing::Unverified => first.message,
                        _ => format!(
                            "not verified: whether {} depends on unknown cards; if so, {}",
                            self.words(),
                            first.message
                        ),
                    };
                    found.push(Violation {
                        for_strangers: first.failing != Failing::Unverified || first.for_strangers,
                        failing: Failing::Unverified,
                        message,
                        ..first
                    });
                }
            }
        }
    }

    fn demand(&self) -> String {
        let demand = self.demand.demand();
        let mut letters = demand.chars();
        let first = letters.next().map(|first| first.to_lowercase().to_string());
        format!(
            "If {}: {}{}",
            self.words(),
            first.unwrap_or_default(),
            letters.as_str()
        )
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let mut offs = Vec::new();
        for test in &self.tests {
            offs.extend(test.off(linear));
        }
        let guard = linear.unless(&offs);
        linear.guarded(Some(guard), |linear| self.demand.linear(linear));
    }

    fn ledger(&self, contents: &Contents<'_>) -> Option<Ledger> {
        match self.holds(contents) {
            Holds::Yes => self.demand.ledger(contents),
            Holds::No | Holds::Open => None,
        }
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let never = self.tests.iter().find(|test| test.never(pool));
        match never {
            Some(test) => Some(format!(
                "{} never holds, so this can never fail",
                test.words()
            )),
            None => self.demand.idle(pool),
        }
    }
}

impl Test {
    /// Whether no deck over a pool can meet the test.
    fn never(&self, pool: &Pool) -> bool {
        if self.declared.is_some() {
            return false;
        }
        if !self.any.is_empty() {
            return self.any.iter().all(|part| part.never(pool));
        }
        let most = self.most.unwrap_or(i64::MAX);
        let least = self.least.unwrap_or(0).max(0);
        least > most || (self.cards.count(pool) == 0 && least > 0)
    }
}
