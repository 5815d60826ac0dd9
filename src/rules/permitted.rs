//! `permitted`: cards that the deck's identity card must permit.

use super::contents::each_card;
use super::{
    Compile, Constraint, Contents, Failing, Fault, Identity, Linear, SectionSet, Violation, Where,
};
use crate::pool::{CardId, CardSet};
use crate::query::Query;
use crate::yaml::Spanned;
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// The terms of a `permitted` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Permitted {
    /// The sections whose cards need permission.
    pub sections: Vec<Spanned<String>>,
    /// The section of the identity card; judged only where it holds exactly one card.
    pub by: Spanned<String>,
    /// The identity card's field that holds a card query: what it permits.
    pub field: Spanned<String>,
}

#[derive(Debug)]
pub(super) struct Permission {
    sections: SectionSet,
    name: String,
    by: usize,
    /// The name of that section.
    by_name: String,
    field: String,
    permits: FxHashMap<CardId, (String, CardSet)>,
}

impl Permitted {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Permission {
        let sections = with.section_set(&self.sections);
        let field = self.field.value.clone();
        let mut permits = FxHashMap::default();
        if with.pool.fields().iter().any(|known| known.name == field) {
            for card in with.pool.ids() {
                // A query that cannot be read never passes the card file's reader.
                let text = with.pool.shown(card, &field);
                let set = Query::parse(&text).and_then(|query| query.select_permitted(with.pool));
                if let (false, Ok(set)) = (text.is_empty(), set) {
                    permits.insert(card, (text, set));
                }
            }
        }
        with.need_query(&self.field);
        let name = with.section_names(sections);
        let by = with.section(&self.by);
        Permission {
            sections,
            name,
            by,
            by_name: with.section_name(by),
            field,
            permits,
        }
    }
}

impl Permission {
    /// What is to be said where several cards stand for the one that permits: nothing if each
    /// of them permits every card.
    #[cold]
    fn unclear(&self, contents: &Contents<'_>) -> Option<Violation> {
        let by = SectionSet::only(self.by);
        let inside = |sections: SectionSet| {
            let here = contents.all().iter();
            here.filter(move |holding| sections.has(usize::from(holding.section)))
        };
        let permits = |head: CardId, card: CardId| {
            head.index() < contents.pool.len()
                && card.index() < contents.pool.len()
                && self.permits.get(&head).is_none_or(|(_, set)| set.has(card))
        };
        let all =
            inside(by).all(|head| inside(self.sections).all(|held| permits(head.card, held.card)));
        (!all).then(|| {
            let cards: i64 = inside(by).map(|holding| holding.copies).sum();
            let message = format!(
                "not verified: the {} has {cards} cards, so whose permission the {} needs is unclear",
                self.by_name, self.name
            );
            let mend = format!("leave one card in the {}", self.by_name);
            let section = self.sections.single();
            Violation::of_deck(Failing::Unverified, message, mend).in_section(section)
        })
    }
}

impl Constraint for Permission {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        let by = match Identity::of(contents, self.by) {
            Identity::Known(card) => card,
            Identity::Nobody => return,
            Identity::Several => {
                found.extend(self.unclear(contents));
                return;
            }
            Identity::Unknown(card) => {
                let message = format!(
                    "not verified: the pool does not tell what `{}` permits",
                    contents.name(card)
                );
                found.push(Violation::unverified(message).in_section(section));
                return;
            }
        };
        let Some((text, permitted)) = self.permits.get(&by) else {
            let message = format!(
                "not verified: the card file gives no `{}` for `{}`, so every card is let through",
                self.field,
                contents.name(by)
            );
            found.push(Violation::unverified(message).in_section(section));
            return;
        };
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, copies| {
                if permitted.has(card) {
                    return;
                }
                let message = format!(
                    "`{}` may not use `{}`; permitted is: {text}",
                    contents.name(by),
                    contents.name(card)
                );
                let mend = format!(
                    "take it out, or choose a card for the {} that permits it",
                    self.by_name
                );
                found.push(
                    Violation::of_deck(Failing::Excess, message, mend)
                        .for_fault(Fault::Forbidden)
                        .in_section(section)
                        .with_numbers(0, copies)
                        .about(card, Where::First(card, self.sections)),
                );
            },
        );
        each_card(contents.unknown(), self.sections, |card, _| {
            let message = format!(
                "not verified: the pool does not tell whether `{}` may use `{}`",
                contents.name(by),
                contents.name(card)
            );
            found.push(
                Violation::unverified(message)
                    .in_section(section)
                    .about(card, Where::First(card, self.sections)),
            );
        });
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let permits = |by: CardId, card: CardId| {
            self.permits
                .get(&by)
                .is_none_or(|(_, permitted)| permitted.has(card))
        };
        linear.permission(self.sections, self.by, |_| true, permits);
    }

    fn demand(&self) -> String {
        format!(
            "Every card of the {} must be permitted by the card in the {}.",
            self.name, self.by_name
        )
    }
}
