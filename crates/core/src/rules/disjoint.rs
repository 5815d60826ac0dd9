//! `disjoint`: cards that must not stand in two places.

use super::demand::{Cond, Leaf};
use super::{Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::pool::Pool;
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of a `disjoint` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Disjoint {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// The sections in which those cards must not be.
    pub from: Vec<Spanned<String>>,
}

#[derive(Debug)]
pub(super) struct Apart {
    sections: SectionSet,
    from: SectionSet,
    name: String,
    /// The name of each section of the format.
    names: Vec<String>,
}

impl Disjoint {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Apart {
        let sections = with.section_set(&self.sections);
        Apart {
            sections,
            from: with.section_set(&self.from),
            name: with.section_names(sections),
            names: with
                .sections
                .iter()
                .map(|section| section.name.clone())
                .collect(),
        }
    }
}

impl Constraint for Apart {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        if !contents.has_card_twice() {
            return;
        }
        let holdings = contents.all();
        let mut at = 0;
        while let Some(first) = holdings.get(at) {
            let mut held = SectionSet::default();
            while let Some(holding) = holdings.get(at).filter(|next| next.card == first.card) {
                held = held.and(SectionSet::only(usize::from(holding.section)));
                at += 1;
            }
            let (inside, elsewhere) = (held.0 & self.sections.0, held.0 & self.from.0);
            if inside == 0 || elsewhere == 0 {
                continue;
            }
            let also: Vec<&str> = SectionSet(elsewhere)
                .iter()
                .map(|section| self.names[section].as_str())
                .collect();
            let message = format!(
                "`{}` is in the {} and also in the {}",
                contents.name(first.card),
                self.name,
                crate::text::listed(&also, "and the")
            );
            let help = "keep it in one of them only".to_owned();
            let place = Where::First(first.card, self.sections);
            found.push(
                Violation::of_deck(Failing::Excess, message, help)
                    .for_fault(Fault::InBoth)
                    .in_section(self.sections.single())
                    .about(first.card, place),
            );
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let apart = |card| {
            let absent = |sections| Leaf::of_card(card, sections).is_absent();
            Cond::Any(vec![absent(self.from), absent(self.sections)])
        };
        let all = of.pool().ids().chain(of.strangers());
        Cow::Owned(Cond::All(all.map(apart).collect()))
    }

    fn idle(&self, _pool: &Pool) -> Option<String> {
        let (judged, apart) = (self.sections.0, self.from.0);
        match (judged, apart) {
            (0, _) | (_, 0) => {
                Some("there is no section to keep apart, so this can never fail".to_owned())
            }
            _ if judged & apart != 0 => Some(format!(
                "a section cannot be kept apart from itself: no card of the {} can pass",
                self.name
            )),
            _ => None,
        }
    }

    fn demand(&self) -> String {
        let from: Vec<&str> = self
            .from
            .iter()
            .filter_map(|section| self.names.get(section))
            .map(String::as_str)
            .collect();
        format!(
            "A card of the {} must not also be in the {}.",
            self.name,
            crate::text::listed(&from, "or the")
        )
    }
}
