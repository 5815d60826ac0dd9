//! `accept`: which cards a section takes.

use super::demand::{Cond, Leaf, Weights};
use super::{
    Compile, Constraint, Contents, Failing, Fault, Holding, Linear, SectionSet, Violation, Where,
};
use crate::pool::{CardSet, Pool};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of an `accept` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Accept {
    /// The section.
    pub section: Spanned<String>,
    /// A card query: what it takes.
    pub cards: Spanned<String>,
    /// Why others are refused, a clause.
    pub because: String,
}

#[derive(Debug)]
pub(super) struct Accepted {
    section: usize,
    name: String,
    cards: CardSet,
    /// Whether it takes a card of which nothing is known beside its name.
    takes_blank: bool,
    known: usize,
    /// Which cards, in words behind "cards".
    which: String,
    because: String,
}

impl Accept {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Accepted {
        let section = with.section(&self.section);
        Accepted {
            section,
            name: with.section_name(section),
            cards: with.card_set(&self.cards),
            takes_blank: with.picks_blank(&self.cards),
            known: with.pool.len(),
            which: with.which(Some(&self.cards)),
            because: self.because.clone(),
        }
    }
}

impl Constraint for Accepted {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        for holding in contents
            .known()
            .iter()
            .filter(|holding| self.refuses(holding))
        {
            let message = format!(
                "`{}` cannot be in the {}: {}",
                contents.name(holding.card),
                self.name,
                self.because
            );
            let help = format!(
                "take it out of the {}, or move it to where it belongs",
                self.name
            );
            let place = Where::First(holding.card, SectionSet::only(self.section));
            found.push(
                Violation::of_deck(Failing::Excess, message, help)
                    .for_fault(Fault::Refused)
                    .in_section(Some(self.section))
                    .about(holding.card, place)
                    .keeping(SectionSet::only(self.section), 0),
            );
        }
    }

    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        let refused = CardSet::of(self.known, |card| !self.cards.has(card));
        if refused.is_empty() {
            return Cow::Owned(Cond::always());
        }
        let here = SectionSet::only(self.section);
        Cow::Owned(Leaf::of(Weights::Set(refused), here).is_absent())
    }

    fn demand(&self) -> String {
        format!(
            "The {} takes only cards{}: {}.",
            self.name, self.which, self.because
        )
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        // A card of which nothing is known beside its name, as card files may have them.
        let refuses_blank = !self.takes_blank;
        if self.cards.is_empty() {
            return Some(format!(
                "the {} takes no card of the pool at all",
                self.name
            ));
        }
        (self.cards.len() == pool.len() && !refuses_blank)
            .then(|| format!("the {} takes every card, so this can never fail", self.name))
    }

    fn is_gate(&self) -> bool {
        true
    }

    #[inline]
    fn refuses(&self, holding: &Holding) -> bool {
        usize::from(holding.section) == self.section
            && holding.card.index() < self.known
            && !self.cards.has(holding.card)
    }

    fn refuses_any(&self, contents: &Contents<'_>) -> bool {
        let here = contents.known_in(SectionSet::only(self.section));
        here.iter().any(|holding| self.refuses(holding))
    }
}
