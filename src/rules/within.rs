//! `within`: cards that must stand in another place as well.

use super::contents::each_card;
use super::{Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::pool::{CardId, Pool};
use crate::text::listed;
use crate::yaml::Spanned;
use serde::Deserialize;

/// The terms of a `within` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Within {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// The sections in one of which each of those cards must be, too, in however many copies.
    pub of: Vec<Spanned<String>>,
}

#[derive(Debug)]
pub(super) struct Chosen {
    sections: SectionSet,
    of: SectionSet,
    name: String,
    /// The sections of which the cards are, `main deck or the side deck`.
    whole: String,
}

impl Within {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Chosen {
        let sections = with.section_set(&self.sections);
        let of = with.section_set(&self.of);
        let names: Vec<&str> = of
            .iter()
            .filter_map(|section| with.sections.get(section))
            .map(|section| section.name.as_str())
            .collect();
        Chosen {
            sections,
            of,
            name: with.section_names(sections),
            whole: listed(&names, "or the"),
        }
    }
}

impl Chosen {
    fn is_there(&self, contents: &Contents<'_>, card: CardId) -> bool {
        let mut own = contents.of_card(card).iter();
        own.any(|holding| self.of.has(usize::from(holding.section)))
    }

    #[cold]
    fn absent(&self, contents: &Contents<'_>, card: CardId) -> Violation {
        let (name, whole) = (contents.name(card), &self.whole);
        let message = format!("`{name}` is in the {}, but not in the {whole}", self.name);
        let mend = format!(
            "add it to the {whole}, or choose another card for the {}",
            self.name
        );
        Violation::of_deck(Failing::Shortfall, message, mend)
            .for_fault(Fault::Absent)
            .in_section(self.sections.single())
            .about(card, Where::First(card, self.sections))
    }

    /// The name is in one place only, and may be a slip for one that is in both.
    #[cold]
    fn unclear(&self, contents: &Contents<'_>, card: CardId) -> Violation {
        let message = format!(
            "not verified: the pool does not know `{}`, which is in the {}, but not in the {}",
            contents.name(card),
            self.name,
            self.whole
        );
        Violation::unverified(message)
            .in_section(self.sections.single())
            .about(card, Where::First(card, self.sections))
    }
}

impl Constraint for Chosen {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let known = contents.known_in(self.sections);
        each_card(known, self.sections, |card, _| {
            if !self.is_there(contents, card) {
                found.push(self.absent(contents, card));
            }
        });
        each_card(contents.unknown(), self.sections, |card, _| {
            if !self.is_there(contents, card) {
                found.push(self.unclear(contents, card));
            }
        });
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        for card in linear.pool().ids() {
            let there = linear.sum(card, self.of, 1);
            linear.needs(card, self.sections, &there, 0);
        }
    }

    fn filled_in(&self) -> Option<SectionSet> {
        Some(self.of)
    }

    fn idle(&self, _pool: &Pool) -> Option<String> {
        let words = || {
            format!(
                "every card of the {} stands in the {}, so this can never fail",
                self.name, self.whole
            )
        };
        self.sections.is_within(self.of).then(words)
    }

    fn demand(&self) -> String {
        format!(
            "A card of the {} must also be in the {}.",
            self.name, self.whole
        )
    }
}
