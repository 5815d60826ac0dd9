//! `budget`: points that must be spent, where some cards cost points and others give them.

use super::demand::{Cond, FAR, Leaf, Num, Strangers, Weights};
use super::{
    Compile, Constraint, Contents, Failing, Linear, Number, Reading, SectionSet, Violation,
};
use crate::game::Term;
use crate::pool::{CardId, Pool};
use crate::text::counted;
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

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

#[derive(Debug)]
pub(super) struct Account {
    sections: SectionSet,
    name: String,
    start: i64,
    remainder: i64,
    /// What a copy of each card changes the points left by.
    change: Vec<i64>,
    /// That the points are left which must be.
    cond: Cond,
    spend: String,
    refund: String,
}

impl Budget {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Account {
        let sections = with.section_set(&self.sections);
        let mut column = |flow: &Flow| {
            let (cards, numbers) = (with.card_set(&flow.cards), with.numbers(&flow.field));
            let of = move |card: CardId| {
                if cards.has(card) {
                    numbers[card.index()]
                } else {
                    0
                }
            };
            with.pool.ids().map(of).collect::<Vec<i64>>()
        };
        let (spend, refund) = (column(&self.spend), column(&self.refund));
        let mut fixed = |term: &Spanned<Term>| match with.number(term) {
            Number::Is(number) => number,
            Number::Unset(name) => {
                let message = format!("a budget needs a number, and `{name}` may be unset");
                with.refuse(message, term.span);
                0
            }
        };
        let (start, remainder) = (fixed(&self.start), fixed(&self.remainder));
        let change: Vec<i64> = refund
            .iter()
            .zip(&spend)
            .map(|(refund, spend)| refund - spend)
            .collect();
        let changes = Leaf {
            // What an unknown card costs or gives nobody knows.
            strangers: Strangers::Any(-FAR, FAR),
            ..Leaf::of(Weights::Each(change.clone()), sections)
        };
        let left = Some(Num::Const(remainder.saturating_sub(start)));
        Account {
            sections,
            start,
            remainder,
            name: with.section_names(sections),
            change,
            cond: Cond::Within(changes.num(), left.clone(), left),
            spend: self.spend.called.clone(),
            refund: self.refund.called.clone(),
        }
    }
}

impl Account {
    /// Points spent and refunded.
    fn flows(&self, contents: &Contents<'_>) -> (i64, i64) {
        let (mut spent, mut refunded) = (0_i64, 0_i64);
        for holding in contents.known_in(self.sections) {
            if !self.sections.has(usize::from(holding.section)) {
                continue;
            }
            let change = self.change[holding.card.index()].saturating_mul(holding.copies);
            if change < 0 {
                spent = spent.saturating_sub(change);
            } else {
                refunded = refunded.saturating_add(change);
            }
        }
        (spent, refunded)
    }
}

/// Of two ways to mend it those that are possible.
fn either(first: String, can: bool, other: String, other_can: bool) -> String {
    match (can, other_can) {
        (true, true) => format!("{first} (or {other})"),
        (true, false) => first,
        (false, true) => other,
        (false, false) => String::new(),
    }
}

impl Constraint for Account {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let (spent, refunded) = self.flows(contents);
        let remaining = self.start.saturating_add(refunded).saturating_sub(spent);
        let section = self.sections.single();
        let strangers = contents.count_unknown(self.sections);
        if strangers > 0 {
            let message = format!(
                "not verified: what {} in the {} cost is not known; the sum without them is {}",
                counted(strangers, "unknown card"),
                self.name,
                counted(remaining, "point")
            );
            found.push(Violation::unverified(message).in_section(section));
            return;
        }
        let off = remaining.saturating_sub(self.remainder);
        if off == 0 {
            return;
        }
        let sum = format!(
            "{} + {refunded} {} - {spent} {} = {} left, and it must be {}",
            self.start,
            self.refund,
            self.spend,
            counted(remaining, "point"),
            self.remainder
        );
        let (failing, message, help) = if off > 0 {
            let add = format!("add {off} more {}", self.spend);
            let take = format!("take out {off} {}", self.refund);
            let costs = self.change.iter().any(|change| *change < 0);
            let help = either(add, costs, take, refunded >= off);
            (
                Failing::Shortfall,
                format!("{} not spent: {sum}", counted(off, "point")),
                help,
            )
        } else {
            let over = off.saturating_neg();
            let take = format!("take out {over} {}", self.spend);
            let add = format!("add {over} {}", self.refund);
            let gives = self.change.iter().any(|change| *change > 0);
            let help = either(take, spent >= over, add, gives);
            (
                Failing::Excess,
                format!("{} too many spent: {sum}", counted(over, "point")),
                help,
            )
        };
        found.push(
            Violation::of_deck(failing, message, help)
                .in_section(section)
                .with_numbers(self.remainder, remaining),
        );
    }

    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        Cow::Borrowed(&self.cond)
    }

    fn idle(&self, _pool: &Pool) -> Option<String> {
        let touched = self.change.iter().any(|change| *change != 0);
        let met = self.start == self.remainder;
        match (touched, met) {
            (true, _) => None,
            (false, true) => {
                Some("no card of the pool costs or gives points, so this can never fail".to_owned())
            }
            (false, false) => {
                Some("no card of the pool costs or gives points, so this can never pass".to_owned())
            }
        }
    }

    fn demand(&self) -> String {
        format!(
            "{} plus {} minus {} of the {} must leave {}.",
            counted(self.start, "point"),
            self.refund,
            self.spend,
            self.name,
            self.remainder
        )
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        let (spent, refunded) = self.flows(contents);
        let remaining = self.start.saturating_add(refunded).saturating_sub(spent);
        let uncertain = contents.count_unknown(self.sections) > 0;
        // A budget that nothing touches and nothing is missing from is no news.
        if (spent, refunded) == (0, 0) && remaining == self.remainder && !uncertain {
            return None;
        }
        let all = self.start.saturating_add(refunded);
        let must = all.saturating_sub(self.remainder);
        let from = match refunded {
            0 => String::new(),
            _ => format!(" ({} + {refunded} {})", self.start, self.refund),
        };
        let called = format!("points for {}{from}", self.spend);
        Some(Reading {
            section: self.sections.single(),
            called,
            value: spent,
            low: Some(must),
            high: Some(must),
            is_uncertain: uncertain,
        })
    }
}
