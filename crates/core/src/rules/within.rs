//! `within`: cards that must stand in another place as well.

use super::contents::each_card;
use super::demand::{Cond, Leaf, Num};
use super::{Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::pool::{CardId, Pool};
use crate::text::{counted, listed};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of a `within` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Within {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// The sections in one of which each of those cards must be, too.
    pub of: Vec<Spanned<String>>,
    /// Whether there must be as many copies there at least: decks that are built from drafted or
    /// opened cards. In however many without it.
    #[serde(default)]
    pub copies: bool,
}

#[derive(Debug)]
pub(super) struct Chosen {
    sections: SectionSet,
    of: SectionSet,
    name: String,
    /// What each of the sections is called.
    names: Vec<String>,
    /// The sections of which the cards are, `main deck or the side deck`.
    whole: String,
    /// Whether copies are counted.
    copies: bool,
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
            names: sections
                .iter()
                .map(|section| with.section_name(section))
                .collect(),
            whole: listed(&names, "or the"),
            copies: self.copies,
        }
    }
}

impl Chosen {
    fn is_there(&self, contents: &Contents<'_>, card: CardId) -> bool {
        let mut own = contents.of_card(card).iter();
        own.any(|holding| self.of.has(usize::from(holding.section)))
    }

    /// How many copies of a card there are in sections, but for those that are on both sides.
    fn count(contents: &Contents<'_>, card: CardId, here: SectionSet, but: SectionSet) -> i64 {
        let own = contents.of_card(card).iter();
        let inside = |section: u16| {
            let section = usize::from(section);
            here.has(section) && !but.has(section)
        };
        let own = own.filter(|holding| inside(holding.section));
        own.fold(0, |sum, holding| sum.saturating_add(holding.copies))
    }

    /// How many copies of a card there are, and how many there may be, where these are too few.
    fn beyond(&self, contents: &Contents<'_>, card: CardId) -> Option<(i64, i64)> {
        if !self.copies {
            return None;
        }
        let held = Chosen::count(contents, card, self.sections, self.of);
        let there = Chosen::count(contents, card, self.of, self.sections);
        (held > there).then_some((held, there))
    }

    #[cold]
    fn excess(&self, contents: &Contents<'_>, card: CardId, held: i64, there: i64) -> Violation {
        let message = format!(
            "{} of `{}` in the {}, and {there} in the {}",
            counted(held, "copy"),
            contents.name(card),
            self.place(contents, card),
            self.whole
        );
        let help = format!("take out {}", counted(held - there, "copy"));
        Violation::of_deck(Failing::Excess, message, help)
            .in_section(self.sections.single())
            .with_numbers(there, held)
            .about(card, Where::Passing(card, self.sections, there))
            .keeping(self.sections, there)
    }

    /// What those of the sections are called in which a card is.
    fn place(&self, contents: &Contents<'_>, card: CardId) -> String {
        let own = contents.of_card(card).iter();
        let own = own.map(|holding| usize::from(holding.section));
        let mut own: Vec<usize> = own.filter(|section| self.sections.has(*section)).collect();
        own.sort_unstable();
        own.dedup();
        let names = own.iter().filter_map(|own| {
            let at = self.sections.iter().position(|section| section == *own)?;
            self.names.get(at).map(String::as_str)
        });
        listed(&names.collect::<Vec<_>>(), "and")
    }

    #[cold]
    fn absent(&self, contents: &Contents<'_>, card: CardId) -> Violation {
        let (name, whole) = (contents.name(card), &self.whole);
        let place = self.place(contents, card);
        let message = format!("`{name}` is in the {place}, but not in the {whole}");
        // Where copies are counted, those that are too many go: what was drafted is settled.
        let (failing, help) = match self.copies {
            true => (Failing::Excess, format!("take it out of the {place}")),
            false => (
                Failing::Shortfall,
                format!("add it to the {whole}, or choose another card for the {place}"),
            ),
        };
        let absent = Violation::of_deck(failing, message, help)
            .for_fault(Fault::Absent)
            .in_section(self.sections.single())
            .about(card, Where::First(card, self.sections))
            .keeping(self.sections, 0);
        match self.beyond(contents, card) {
            Some((held, there)) => absent.with_numbers(there, held),
            None => absent,
        }
    }

    /// The name is in one place only, or more often, and may be a slip for one that is in both.
    #[cold]
    fn unclear(&self, contents: &Contents<'_>, card: CardId, there: &str) -> Violation {
        let message = format!(
            "not verified: the pool does not know `{}`, which is in the {}, {there} in the {}",
            contents.name(card),
            self.place(contents, card),
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
            } else if let Some((held, there)) = self.beyond(contents, card) {
                found.push(self.excess(contents, card, held, there));
            }
        });
        each_card(contents.unknown(), self.sections, |card, _| {
            if !self.is_there(contents, card) {
                found.push(self.unclear(contents, card, "but not"));
            } else if self.beyond(contents, card).is_some() {
                found.push(self.unclear(contents, card, "in fewer copies"));
            }
        });
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let own = SectionSet(self.sections.0 & !self.of.0);
        let others = SectionSet(self.of.0 & !self.sections.0);
        let mut all = Vec::new();
        for card in of.pool().ids() {
            let copies = |sections| Leaf::of_card(card, sections);
            let there = copies(self.of).is_there();
            all.push(there.unless(vec![copies(self.sections).is_absent()]));
            if self.copies {
                let more = Num::Times(-1, Box::new(copies(others).num()));
                all.push(Cond::at_most(Num::Add(vec![copies(own).num(), more]), 0));
            }
        }
        Cow::Owned(Cond::All(all))
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
        let copies = match self.copies {
            true => ", in as many copies at least",
            false => "",
        };
        format!(
            "A card of the {} must also be in the {}{copies}.",
            self.name, self.whole
        )
    }
}
