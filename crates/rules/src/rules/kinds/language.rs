//! `demand`: a rule in the language of demands (`docs/games-reference.md`), a condition on numbers
//! of the deck; with `each`, on those of each card.

use crate::rules::bounded::Bounded;
use crate::rules::demand::{BrokenDemand, Demand, Lazy, Meter, Of, Unknown};
use crate::rules::language::Lower;
use crate::rules::tree::{Cond, Num, Subject, Unit};
use crate::rules::violation::{Failing, Fault, Where};
use crate::rules::{Compile, Contents, SectionSet, Violation};
use decklaw_cards::pool::CardId;
use decklaw_cards::query::demand;
use decklaw_text::text::sentence;
use decklaw_text::yaml::{Problem, Spanned};
use serde::Deserialize;
use std::sync::Arc;

/// A rule in the language of demands.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// What must hold of the deck, such as `sum(mana) of main <= 20`.
    pub demand: Spanned<String>,
    /// `card`: what must hold of each card alone.
    #[serde(default)]
    pub each: Option<Spanned<String>>,
}

impl Text {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        if let Some(each) = self.each.as_ref().filter(|each| each.value != "card") {
            let message = format!(
                "`each` is `card` alone; for the cards of each `{0}` write `must: {{copies: {{sections: […], by: [{0}], max: …}}}}`",
                each.value
            );
            with.refuse(message, each.span);
        }
        let is_each = self.each.is_some();
        let mut lower = Lower::new(with, is_each, self.demand.span);
        lower.text = Some(self.demand.clone());
        let cond = demand::parse(&self.demand.value).and_then(|written| lower.cond(&written));
        let unset = std::mem::take(&mut lower.unset);
        let text = &self.demand.value;
        let mut cond = cond.unwrap_or_else(|error| {
            let message = format!("in the demand `{text}`: {error}");
            let problem = Problem::within(message, &self.demand, error.span);
            with.problems.push(problem);
            Cond::always()
        });
        let of_each = if is_each { "of each card, " } else { "" };
        let words = format!("{of_each}{}", cond.clause(true));
        let words = format!("{} (`{}`)", sentence(&words), text.trim());
        let unset =
            Violation::unset(&format!("number for `{text}`"), &unset, SectionSet::default());
        if unset.is_some() {
            cond = Cond::always();
        }
        let sections = cond.sections();
        let (meter, filled_in) = (meter(&cond), cond.filled_in());
        let of = if is_each { of_each_card(cond, with) } else { Of::Deck(cond) };
        let demand = Demand::new(sections, of, words, move |broken, was, found| {
            found.push(if is_each {
                let violation = describe(broken, was, &format!("of {}, ", broken.name()));
                at_card(broken, violation, sections)
            } else {
                describe(broken, was, "")
            });
        });
        Demand {
            unset,
            meter: meter.filter(|_| !is_each),
            filled_in: Some(filled_in),
            reports_each: true,
            unknown: Unknown::Judged,
            ..demand
        }
    }
}

/// The demand of each card.
fn of_each_card(cond: Cond, with: &Compile<'_>) -> Of {
    let known = with.pool.len();
    let empty = Contents::new(with.pool, Vec::new(), Vec::new());
    let breaks = |cond: Option<Cond>| cond.is_some_and(|cond| cond.holds(&empty) != Some(true));
    let subject = move |card: u32| match CardId(card) {
        card if card.index() < known => Subject::Known(card),
        card => Subject::Unknown(card),
    };
    // Those that a deck without them breaks are asked of every deck.
    let always = if cond.has_own() || breaks(cond.of_each(Subject::Nobody)) {
        let own = |card: &u32| breaks(cond.of_each(subject(*card)));
        (0..known as u32).filter(own).collect()
    } else {
        Vec::new()
    };
    let cond = Lazy::new(known, move |card| cond.of_each(subject(card)));
    Of::Each { groups: None, cond, always }
}

/// The meter of a number that is no count of cards; the sizes of sections show those.
fn meter(cond: &Cond) -> Option<Meter> {
    let bounded = Bounded::of(cond)?;
    if matches!(&bounded.num, Num::Sum(leaf) if leaf.name.unit != Unit::Points) {
        return None;
    }
    let called: Arc<str> = bounded.num.words(None).into();
    Some(Box::new(move |contents| {
        let reading = bounded.reading(&called, None, contents);
        reading.filter(|reading| reading.is_news() || reading.is_uncertain)
    }))
}

/// The violation of a deck that breaks a condition. `of`: the words before the condition.
#[cold]
fn describe(broken: &BrokenDemand<'_, '_>, mut was: Violation, of: &str) -> Violation {
    let (cond, contents) = (broken.blame.cond, broken.contents);
    was.section = cond.sections().single();
    was.cards = Vec::new();
    was.place = Where::Deck;
    was.keep = None;
    let adds = match cond {
        Cond::Among(num, options) => {
            let number = broken.blame.least;
            let near = options.iter().min_by_key(|one| number.abs_diff(**one));
            let near = near.copied().unwrap_or(number);
            was.limit = Some(near);
            let near = Some(Num::Const(near));
            Cond::Within((*num).clone(), near.clone(), near).can_hold_by_adding(contents)
        }
        cond => cond.can_hold_by_adding(contents),
    };
    was.failing = if adds { Failing::Shortfall } else { Failing::Excess };
    let Some(bounded) = Bounded::of(cond) else {
        was.limit = None;
        was.actual = None;
        was.fault = if adds { Fault::TooFew } else { Fault::TooMany };
        let parts = match cond {
            Cond::Any(parts) => parts.as_slice(),
            _ => &[],
        };
        let parts: Vec<String> = parts.iter().map(|part| now(part, contents)).collect();
        return was.say(
            format!("{of}one of these must hold: {}", parts.join(", or ")),
            "change these numbers until one of them holds".to_owned(),
        );
    };
    let is_short = broken.blame.most < was.limit.unwrap_or(broken.blame.limit);
    let actual = if is_short { broken.blame.most } else { broken.blame.least };
    was.fault = if is_short { Fault::TooFew } else { Fault::TooMany };
    was.actual = Some(actual);
    let mut violation = bounded.missed(was, contents);
    violation.message.insert_str(0, of);
    violation
}

/// Sets the place and the card of a violation of each card.
fn at_card(
    broken: &BrokenDemand<'_, '_>,
    mut violation: Violation,
    sections: SectionSet,
) -> Violation {
    let card = CardId(broken.item);
    violation.cards = vec![card];
    violation.place = match (violation.failing, violation.limit) {
        (Failing::Excess, Some(limit)) => Where::Passing(card, sections, limit),
        _ => Where::First(card, sections),
    };
    violation
}

/// A clause, and the deck's own number for it.
fn now(cond: &Cond, contents: &Contents<'_>) -> String {
    let clause = cond.clause(false);
    match Bounded::of(cond) {
        Some(bounded) => {
            let actual = bounded.num.value(contents).0;
            format!("{clause} ({})", bounded.now(actual, contents))
        }
        None => clause,
    }
}
