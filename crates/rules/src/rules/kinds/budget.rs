//! `budget`: points that must be spent, where some cards cost points and others give them.

use crate::game::Term;
use crate::rules::Compile;
use crate::rules::bounded::{Bounded, End};
use crate::rules::demand::{Demand, Meter, Of};
use crate::rules::tree::{Cond, FAR, Leaf, Num, UnknownCards, Weights};
use decklaw_cards::pool::CardId;
use decklaw_text::text::{counted, listed};
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
        let costs = spend.iter().zip(&refund).map(|(spend, refund)| spend - refund);
        let costs: Vec<i64> = costs.collect();
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
        let place = with.section_names(sections);
        // The cost and the gain of an unknown card are unknown.
        let points = |sign: i64| {
            let points = costs.iter().map(|cost| cost.saturating_mul(sign).max(0)).collect();
            let leaf = Leaf::of(Weights::Each(points), sections);
            leaf.with_unknown(UnknownCards::Any(0, FAR)).num()
        };
        let (spent, refunded) = (points(1), points(-1));
        let must = start.saturating_sub(remainder);
        let end = Some(End { num: refunded.plus(must), silent: Vec::new() });
        let (low, high) = (end.clone(), end);
        let bounded = Bounded { num: spent.clone(), name: None, low, high, options: Vec::new() };
        let used = Leaf::of(Weights::Each(costs), sections);
        let used = used.with_unknown(UnknownCards::Any(-FAR, FAR));
        let end = Some(Num::Const(must));
        let cond = Cond::Within(used.num(), end.clone(), end);
        let (spend, refund) = (self.spend.called.clone(), self.refund.called.clone());
        let words = format!(
            "{start} points plus {refund} minus {spend} of the {place} must leave {remainder}."
        );
        let called: Arc<str> = format!("points for {spend}").into();
        let (gained, name) = (refunded.clone(), refund.clone());
        let meter: Meter = Box::new(move |contents| {
            let called = match gained.known_value(contents).0 {
                0 => Arc::clone(&called),
                gained => format!("{called} ({start} + {gained} {name})").into(),
            };
            let reading = bounded.reading(&called, sections.single(), contents);
            reading.filter(|reading| reading.is_news() || reading.is_uncertain)
        });
        let demand = Demand::new(sections, Of::Deck(cond), words, move |broken, was, found| {
            let value = |num: &Num| num.known_value(broken.contents).0;
            let (spent, refunded, off) = (value(&spent), value(&refunded), broken.blame.off());
            let sum = match refunded {
                0 => String::new(),
                _ => format!(" ({start} + {refunded} {refund})"),
            };
            let keep = match remainder {
                0 => String::new(),
                points => format!("; {points} must be left"),
            };
            let all = counted(start.saturating_add(refunded), "point");
            let (less, more, has) = if broken.blame.is_short {
                (&refund, &spend, refunded)
            } else {
                (&spend, &refund, spent)
            };
            let mut ways = vec![format!("add {off} {more}")];
            if has >= off {
                ways.insert(usize::from(broken.blame.is_short), format!("remove {off} {less}"));
            }
            let message = format!("{spent} {spend} spent of {all}{sum}{keep}");
            let violation = was.say(message, listed(&ways, "or"));
            let left = start.saturating_sub(broken.blame.least);
            found.push(violation.with_numbers(remainder, left));
        });
        Demand { filled_in: None, meter: Some(meter), ..demand }
    }
}
