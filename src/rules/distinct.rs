//! `distinct`: how many different cards there may be, with a limit that may grow.

use super::contents::each_card;
use super::{
    Cards, Compile, Constraint, Contents, Failing, Linear, Number, SectionSet, Term, Violation,
};
use crate::text::counted;
use crate::yaml::Spanned;
use serde::Deserialize;

/// The terms of a `distinct` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Distinct {
    /// The sections whose cards are counted, each name once.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The most.
    pub max: Spanned<Term>,
    /// What is added to the most.
    #[serde(default)]
    pub plus: Option<Share>,
}

/// A share of a total, rounded down.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Share {
    /// The sections totalled.
    pub sections: Vec<Spanned<String>>,
    /// A card query: the cards totalled.
    pub cards: Spanned<String>,
    /// The number field totalled, every copy counted.
    pub field: Spanned<String>,
    /// One more for each so many; at least 1.
    pub per: Spanned<i64>,
}

#[derive(Debug)]
pub(super) struct Different {
    sections: SectionSet,
    name: String,
    cards: Cards,
    max: Number,
    unset: Option<Violation>,
    plus: Option<Part>,
}

#[derive(Debug)]
struct Part {
    sections: SectionSet,
    weights: Vec<i64>,
    per: i64,
    about: String,
}

impl Distinct {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Different {
        let sections = with.section_set(&self.sections);
        let plus = self.plus.as_ref().map(|share| {
            if share.per.value < 1 {
                with.refuse("`per` must be at least 1".to_owned(), share.per.span);
            }
            let (cards, numbers) = (with.card_set(&share.cards), with.numbers(&share.field));
            let weigh = |card| {
                if cards.has(card) {
                    numbers[card.index()]
                } else {
                    0
                }
            };
            let sections = with.section_set(&share.sections);
            Part {
                sections,
                weights: with.pool.ids().map(weigh).collect(),
                per: share.per.value.max(1),
                about: format!(
                    "1 for each full {} {} of `{}` in the {}",
                    share.per.value,
                    share.field.value,
                    share.cards.value,
                    with.section_names(sections)
                ),
            }
        });
        let name = with.section_names(sections);
        let max = with.number(&self.max);
        let what = format!("number of different cards for the {name}");
        Different {
            sections,
            unset: max.unset(&what, sections),
            name,
            cards: with.cards(self.cards.as_ref()),
            max,
            plus,
        }
    }
}

impl Different {
    fn limit(&self, base: i64, contents: &Contents<'_>) -> i64 {
        let Some(part) = &self.plus else { return base };
        let inside = |section: u16| part.sections.has(usize::from(section));
        let total = contents
            .known_in(part.sections)
            .iter()
            .filter(|holding| inside(holding.section))
            .map(|holding| part.weights[holding.card.index()].saturating_mul(holding.copies))
            .fold(0_i64, i64::saturating_add);
        base.saturating_add(total.div_euclid(part.per))
    }
}

impl Constraint for Different {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        let Number::Is(base) = self.max else {
            found.extend(self.unset.clone());
            return;
        };
        let mut count = 0_i64;
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                count += i64::from(self.cards.has(card));
            },
        );
        let mut strangers = 0_i64;
        each_card(contents.unknown(), self.sections, |_, _| strangers += 1);
        let limit = self.limit(base, contents);
        if count + strangers <= limit {
            return;
        }
        // Unknown cards may not count here, or may raise the limit.
        let raised = self
            .plus
            .as_ref()
            .is_some_and(|part| contents.count_unknown(part.sections) > 0);
        let uncertain = raised || (!self.cards.is_all() && count <= limit);
        if uncertain {
            let message = format!(
                "not verified: the {} has {} different cards, {limit} may be there, and some are unknown",
                self.name,
                count + strangers
            );
            found.push(Violation::unverified(message).in_section(section));
            return;
        }
        let actual = if self.cards.is_all() {
            count + strangers
        } else {
            count
        };
        let grown = match &self.plus {
            Some(part) => format!(" ({base}, and {})", part.about),
            None => String::new(),
        };
        let message = format!(
            "{actual} different cards in the {}, and at most {limit} may be there{grown}",
            self.name
        );
        let mend = format!("take out all copies of {}", counted(actual - limit, "card"));
        found.push(
            Violation::of_deck(Failing::Excess, message, mend)
                .in_section(section)
                .with_numbers(limit, actual),
        );
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let Number::Is(base) = self.max else { return };
        let mut terms = Vec::new();
        for card in linear.pool().ids().filter(|card| self.cards.has(*card)) {
            terms.push((linear.present(card, self.sections), 1));
        }
        if self.cards.is_all() {
            for card in linear.strangers() {
                terms.push((linear.present(card, self.sections), 1));
            }
        }
        if let Some(part) = &self.plus {
            if linear.stranger_copies(part.sections) > 0 {
                return;
            }
            let mut share = Vec::new();
            for card in linear.pool().ids() {
                let weight = part.weights[card.index()];
                if weight != 0 {
                    share.extend(linear.sum(card, part.sections, weight));
                }
            }
            let debts = part.weights.iter().any(|weight| *weight < 0);
            let more = linear.number(if debts { i64::MIN / 4 } else { 0 }, i64::MAX / 4);
            share.push((more, -part.per));
            linear.row(share, Some(0), None);
            terms.push((more, -1));
        }
        linear.row(terms, None, Some(base));
    }

    fn demand(&self) -> String {
        let base = match &self.max {
            Number::Is(max) => max.to_string(),
            Number::Unset(name) => format!("`{name}`"),
        };
        let plus = self
            .plus
            .as_ref()
            .map_or_else(String::new, |part| format!(", and {}", part.about));
        format!("At most {base} different cards in the {}{plus}.", self.name)
    }
}
