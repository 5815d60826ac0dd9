//! `avoid`: cards that are better left out of some sections.

use super::contents::each_card;
use super::demand::{Cond, Leaf, Weights};
use super::{Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::pool::{CardId, CardSet, Pool};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of an `avoid` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Avoid {
    /// The sections judged.
    pub sections: Vec<Spanned<String>>,
    /// A card query: what to leave out.
    pub cards: Spanned<String>,
    /// Why, a clause.
    pub because: String,
}

#[derive(Debug)]
pub(super) struct Avoided {
    sections: SectionSet,
    name: String,
    cards: CardSet,
    /// Which cards, in words behind "cards".
    which: String,
    because: String,
}

impl Avoid {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Avoided {
        let sections = with.section_set(&self.sections);
        let name = with.section_names(sections);
        Avoided {
            sections,
            name,
            cards: with.card_set(&self.cards),
            which: with.which(Some(&self.cards)),
            because: self.because.clone(),
        }
    }
}

impl Avoided {
    #[cold]
    fn met(&self, contents: &Contents<'_>, card: CardId, copies: i64) -> Violation {
        let message = format!("`{}`: {}", contents.name(card), self.because);
        let help = format!("leave it out of the {}", self.name);
        Violation::of_deck(Failing::Excess, message, help)
            .for_fault(Fault::Unwise)
            .in_section(self.sections.single())
            .with_numbers(0, copies)
            .about(card, Where::First(card, self.sections))
            .keeping(self.sections, 0)
    }
}

impl Constraint for Avoided {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, copies| {
                if self.cards.has(card) {
                    found.push(self.met(contents, card, copies));
                }
            },
        );
    }

    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        let cards = Weights::Set(self.cards.clone());
        Cow::Owned(Leaf::of(cards, self.sections).is_absent())
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        match self.cards.len() {
            0 => Some("no card of the pool is to be left out, so this can never fail".to_owned()),
            all if all == pool.len() => Some("every card of the pool is to be left out".to_owned()),
            _ => None,
        }
    }

    fn demand(&self) -> String {
        format!(
            "Cards{} must be left out of the {}: {}.",
            self.which, self.name, self.because
        )
    }
}
