//! `budget`: points that must be spent, where some cards cost points and others give them.

use crate::game::Term;
use crate::rules::demand::{Demand, Meter, Of};
use crate::rules::meter::Reading;
use crate::rules::tree::{Cond, FAR, Leaf, Num, UnknownCards, Weights};
use crate::rules::{Compile, Contents, SectionSet};
use decklaw_cards::pool::CardId;
use decklaw_text::text::counted;
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `budget` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// The sections that are paid for.
    pub sections: Vec<Spanned<String>>,
    /// The points there are to begin with.
    pub start: Spanned<Term>,
    /// The cards that use points up.
    pub spend: Flow,
    /// The cards that give points.
    pub refund: Flow,
    /// The points that must be left.
    pub remainder: Spanned<Term>,
}

/// Cards whose number field counts as points.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Flow {
    /// A card query.
    pub cards: Spanned<String>,
    /// The number field.
    pub field: Spanned<String>,
    /// What a meter calls these points.
    pub called: String,
}

/// The points of a deck, ready to be added up.
#[derive(Clone)]
struct Account {
    start: i64,
    remainder: i64,
    /// What a copy of each card costs, less what it gives.
    costs: Vec<i64>,
    sections: SectionSet,
    spend: String,
    refund: String,
    /// What its meter calls the points of a deck that gets none back.
    called: Arc<str>,
}

impl Budget {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let mut column = |flow: &Flow| {
            let (cards, numbers) = (with.card_set(&flow.cards), with.numbers(&flow.field));
            let of = move |card: CardId| {
                if cards.has(card) { numbers[card.index()] } else { 0 }
            };
            with.pool.ids().map(of).collect::<Vec<i64>>()
        };
        let (spend, refund) = (column(&self.spend), column(&self.refund));
        let mut fixed = |term: &Spanned<Term>| {
            let mut unset = Vec::new();
            let number = with.given(Some(term), &mut unset);
            if let Some(name) = unset.first() {
                let message = format!("a budget needs a number, and `{name}` may be unset");
                with.refuse(message, term.span);
            }
            number.unwrap_or(0)
        };
        let (start, remainder) = (fixed(&self.start), fixed(&self.remainder));
        let costs = spend.iter().zip(&refund);
        let account = Account {
            start,
            remainder,
            costs: costs.map(|(spend, refund)| spend - refund).collect(),
            sections,
            spend: self.spend.called.clone(),
            refund: self.refund.called.clone(),
            called: format!("points for {}", self.spend.called).into(),
        };
        let (place, must) = (with.section_names(sections), start.saturating_sub(remainder));
        // The cost and the gain of an unknown card are unknown.
        let used = Leaf::of(Weights::Each(account.costs.clone()), sections)
            .with_unknown(UnknownCards::Any(-FAR, FAR));
        let end = Some(Num::Const(must));
        let cond = Cond::Within(used.num(), end.clone(), end);
        let words = format!(
            "{start} points plus {} minus {} of the {place} must leave {remainder}.",
            account.refund, account.spend
        );
        let own = account.clone();
        let meter: Meter = Box::new(move |contents| own.reading(contents));
        let demand = Demand::new(sections, Of::Deck(cond), words, move |broken, was, found| {
            let left = account.start.saturating_sub(broken.blame.least);
            let (spent, refunded) = account.flows(broken.contents);
            let all = account.start.saturating_add(refunded);
            let sum = match refunded {
                0 => String::new(),
                _ => format!(" ({} + {refunded} {})", account.start, account.refund),
            };
            let keep = match account.remainder {
                0 => String::new(),
                points => format!("; {points} must be left"),
            };
            let message =
                format!("{spent} {} spent of {}{sum}{keep}", account.spend, counted(all, "point"));
            let help = account.help(broken.blame.is_short, broken.blame.off(), (spent, refunded));
            let violation = was.say(message, help);
            found.push(violation.with_numbers(account.remainder, left));
        });
        Demand { filled_in: None, meter: Some(meter), ..demand }
    }
}

impl Account {
    /// Points spent and refunded.
    fn flows(&self, contents: &Contents<'_>) -> (i64, i64) {
        let (mut spent, mut refunded) = (0_i64, 0_i64);
        for holding in contents.known_in(self.sections) {
            if self.sections.has(usize::from(holding.section)) {
                let cost = self.costs[holding.card.index()].saturating_mul(holding.copies);
                if cost > 0 {
                    spent = spent.saturating_add(cost);
                } else {
                    refunded = refunded.saturating_sub(cost);
                }
            }
        }
        (spent, refunded)
    }

    /// The possible ways to fix it.
    fn help(&self, is_short: bool, off: i64, (spent, refunded): (i64, i64)) -> String {
        let has = |test: fn(&i64) -> bool| self.costs.iter().any(test);
        let (spend, refund) = (&self.spend, &self.refund);
        let ways = if is_short {
            [
                (has(|cost| *cost > 0), format!("add {off} {spend}")),
                (refunded >= off, format!("remove {off} {refund}")),
            ]
        } else {
            [
                (spent >= off, format!("remove {off} {spend}")),
                (has(|cost| *cost < 0), format!("add {off} {refund}")),
            ]
        };
        let ways = ways.into_iter().filter(|(can, _)| *can);
        let ways: Vec<String> = ways.map(|(_, way)| way).collect();
        ways.join(" or ")
    }

    fn reading(&self, contents: &Contents<'_>) -> Option<Reading> {
        let (spent, refunded) = self.flows(contents);
        let all = self.start.saturating_add(refunded);
        let must = all.saturating_sub(self.remainder);
        let is_uncertain = contents.count_unknown(self.sections) > 0;
        // A budget that nothing touches and nothing is missing from is no news.
        if (spent, refunded) == (0, 0) && must == 0 && !is_uncertain {
            return None;
        }
        let called = if refunded == 0 {
            Arc::clone(&self.called)
        } else {
            let (called, start, refund) = (&self.called, self.start, &self.refund);
            format!("{called} ({start} + {refunded} {refund})").into()
        };
        Some(Reading {
            section: self.sections.single(),
            called,
            value: spent,
            low: Some(must),
            high: Some(must),
            is_uncertain,
        })
    }
}
