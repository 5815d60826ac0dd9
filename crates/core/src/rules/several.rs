//! `any` and `all`: several demands as one, of which one must hold, or every one.

use super::demand::Cond;
use super::demanded::Demand;
use super::{
    Compile, Constraint, Contents, Failing, Linear, Reading, RuleKind, SectionSet, Violation,
};
use crate::pool::{CardId, Pool};
use crate::text::begun_small;
use crate::yaml::Spanned;
use serde::de::value::MapAccessDeserializer;
use serde::{Deserialize, Deserializer, de};
use std::borrow::Cow;

/// A demand among several: a kind with its terms, or a text in the language of demands.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Part {
    /// A condition on numbers of the deck, such as `main <= 60`.
    Text(String),
    /// A kind with its terms, as under `must`.
    Kind(Box<RuleKind>),
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Part, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Part;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a kind with its terms, or a condition in the language of demands")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Part, E> {
                Ok(Part::Text(text.to_owned()))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Part, A::Error> {
                let kind = RuleKind::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Part::Kind(Box::new(kind)))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Several demands as one.
#[derive(Debug)]
pub(super) struct Several {
    parts: Vec<Box<dyn Constraint>>,
    /// Whether one that holds is enough.
    any: bool,
}

/// What becomes of a demand in a deck.
enum State {
    Met,
    Open(Violation),
    Broken(Vec<Violation>),
}

impl Several {
    pub(super) fn compile(parts: &[Part], any: bool, with: &mut Compile<'_>) -> Several {
        let word = if any { "any" } else { "all" };
        if parts.len() < 2 {
            let message = format!("`{word}` takes a list of at least two demands");
            with.refuse(message, with.rule);
        }
        let parts = parts.iter().map(|part| -> Box<dyn Constraint> {
            match part {
                Part::Kind(kind) => {
                    if let RuleKind::Accept(accept) = &**kind {
                        let message = format!(
                            "what a section takes holds for all other rules, so `accept` stands in no `{word}`"
                        );
                        with.refuse(message, accept.section.span);
                    }
                    kind.compile(with)
                }
                Part::Text(text) => {
                    let demand = Spanned {
                        value: text.clone(),
                        span: with.rule,
                    };
                    Box::new(Demand { demand, each: None }.compile(with))
                }
            }
        });
        Several {
            parts: parts.collect(),
            any,
        }
    }

    /// Adds what is wrong where none of several demands holds.
    fn judge_any(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let (mut open, mut broken) = (None, Vec::new());
        for part in &self.parts {
            match state(&**part, contents) {
                State::Met => return,
                State::Open(violation) => open = open.or(Some(violation)),
                State::Broken(violations) => broken.push(violations),
            }
        }
        match open {
            Some(open) => found.push(open),
            None => found.push(none_holds(&broken)),
        }
    }

    fn union(&self, of: impl Fn(&dyn Constraint) -> SectionSet) -> SectionSet {
        let each = self.parts.iter().map(|part| of(&**part));
        each.fold(SectionSet::default(), SectionSet::and)
    }
}

fn state(part: &dyn Constraint, contents: &Contents<'_>) -> State {
    let mut found = Vec::new();
    part.judge(contents, &mut found);
    let open = |violation: &Violation| violation.failing == Failing::Unverified;
    if found.is_empty() {
        return State::Met;
    }
    match found.iter().position(|violation| !open(violation)) {
        None => State::Open(found.swap_remove(0)),
        Some(_) => {
            found.retain(|violation| !open(violation));
            State::Broken(found)
        }
    }
}

/// That none of several demands holds, with what is wrong by each.
#[cold]
fn none_holds(broken: &[Vec<Violation>]) -> Violation {
    let of = |words: fn(&Violation) -> &str| {
        let each = broken.iter().filter_map(|of_part| {
            let words = of_part.iter().map(words).filter(|words| !words.is_empty());
            let mut words: Vec<&str> = words.collect();
            words.dedup();
            (!words.is_empty()).then(|| words.join(", and "))
        });
        let each = (1..).zip(each).map(|(at, words)| format!("({at}) {words}"));
        each.collect::<Vec<String>>().join(", or ")
    };
    let messages = of(|violation| &violation.message);
    let mends = of(|violation| &violation.help);
    let short = |of_part: &Vec<Violation>| {
        let mut each = of_part.iter();
        each.all(|violation| violation.failing == Failing::Shortfall)
    };
    let failing = match broken.iter().any(short) {
        true => Failing::Shortfall,
        false => Failing::Excess,
    };
    let sections = broken.iter().flatten().map(|violation| violation.section);
    let mut sections: Vec<Option<usize>> = sections.collect();
    sections.dedup();
    let section = match sections.as_slice() {
        [only] => *only,
        _ => None,
    };
    let mut cards: Vec<CardId> = Vec::new();
    let named = broken.iter().flatten();
    cards.extend(named.flat_map(|violation| violation.cards.iter().copied()));
    cards.sort_unstable();
    cards.dedup();
    let message = format!("one of these must be mended: {messages}");
    Violation::of_deck(failing, message, mends)
        .in_section(section)
        .naming(cards)
}

impl Constraint for Several {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        match self.any {
            true => self.judge_any(contents, found),
            false => self
                .parts
                .iter()
                .for_each(|part| part.judge(contents, found)),
        }
    }

    fn demand(&self) -> String {
        let each = self.parts.iter().map(|part| {
            let demand = part.demand();
            // What it is in the language stands in the file.
            let demand = demand.split(". (`").next().unwrap_or(&demand);
            begun_small(demand.trim_end_matches('.'))
        });
        let each: Vec<String> = each.collect();
        match self.any {
            true => format!("One of these must hold: {}.", each.join("; or ")),
            false => format!("All of these must hold: {}.", each.join("; ")),
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let each = self.parts.iter().map(|part| part.cond(of).into_owned());
        let each: Vec<Cond> = each.collect();
        Cow::Owned(match self.any {
            true => Cond::Any(each),
            false => Cond::All(each),
        })
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        let mut each = self.parts.iter().filter(|_| !self.any);
        each.find_map(|part| part.meter(contents))
    }

    fn full(&self, contents: &Contents<'_>, full: SectionSet) -> SectionSet {
        match self.any {
            true => SectionSet::default(),
            false => self.union(|part| part.full(contents, full)),
        }
    }

    fn filled_in(&self) -> Option<SectionSet> {
        let mut each = self.parts.iter().map(|part| part.filled_in());
        each.try_fold(SectionSet::default(), |all, one| Some(all.and(one?)))
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let each = self.parts.iter().flat_map(|part| part.counted(contents));
        let mut cards: Vec<CardId> = each.collect();
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    fn heads(&self) -> SectionSet {
        self.union(|part| part.heads())
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let mut each = self.parts.iter().filter(|_| !self.any);
        each.find_map(|part| part.idle(pool))
    }

    fn doubt(&self, pool: &Pool) -> Option<String> {
        self.parts.iter().find_map(|part| part.doubt(pool))
    }
}
