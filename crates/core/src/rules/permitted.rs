//! `permitted`: cards that the deck's identity cards must permit.

use super::contents::each_card;
use super::demand::Cond;
use super::fields::Fields;
use super::permits::Permits;
use super::relation::{By, Heads, Mode, Passes, Speaks};
use super::{
    Cards, Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where,
};
use crate::pool::{CardId, Pool};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of a `permitted` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Permitted {
    /// The sections whose cards need permission.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Where the identity cards are. The name of a section alone: judged only where it holds
    /// exactly one card. A list of sections: all their cards together.
    pub by: Spanned<By>,
    /// The identity cards' field that holds a card query: what each permits. Of several fields
    /// any permits.
    pub field: Fields,
    /// Whether any of several identity cards must permit a card, or all.
    #[serde(default)]
    pub mode: Mode,
    /// What an identity card permits whose field is empty.
    #[serde(default)]
    pub empty: Option<Passes>,
    /// What is permitted where there is no identity card.
    #[serde(default)]
    pub nobody: Passes,
}

#[derive(Debug)]
pub(super) struct Permission {
    sections: SectionSet,
    name: String,
    cards: Cards,
    /// Which cards, behind the word for them.
    of: String,
    heads: Heads,
    permits: Permits,
}

impl Permitted {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Permission {
        let sections = with.section_set(&self.sections);
        Permission {
            sections,
            name: with.section_names(sections),
            cards: with.cards(self.cards.as_ref()),
            of: with.which(self.cards.as_ref()),
            heads: Heads::compile(&self.by, with).without(self.nobody),
            permits: Permits::compile(&self.field, self.mode, self.empty, with),
        }
    }
}

impl Permission {
    /// What is to be said where several cards stand for the one that permits: nothing if each
    /// of them permits every card.
    #[cold]
    fn unclear(&self, contents: &Contents<'_>) -> Option<Violation> {
        let inside = |section: u16| self.sections.has(usize::from(section));
        let held = contents
            .all()
            .iter()
            .filter(|holding| inside(holding.section));
        let permits = |head: CardId, card: CardId| {
            let set = self.permits.of(contents.pool, head);
            card.index() < contents.pool.len() && set.is_none_or(|set| set.has(card))
        };
        let strangers = contents.count_unknown(self.heads.sections) > 0;
        let all = |card: CardId| {
            let asked = card.index() >= contents.pool.len() || self.cards.has(card);
            !asked || self.heads.each(contents).all(|head| permits(head, card))
        };
        let clear = held.clone().all(|holding| !strangers && all(holding.card));
        (!clear).then(|| {
            let message = format!(
                "not verified: the {} has several cards, so what is permitted in the {} is unclear",
                self.heads.name, self.name
            );
            let help = format!("leave one card in the {}", self.heads.one_of);
            Violation::of_deck(Failing::Unverified, message, help)
                .in_section(self.sections.single())
        })
    }

    /// What some identity cards permit, in words, and which of them where there are several.
    fn permitted(&self, contents: &Contents<'_>, heads: &[CardId]) -> String {
        let told = |head: &CardId| self.permits.of_head(contents.pool, *head);
        let texts: Vec<String> = heads.iter().map(told).collect();
        match texts.as_slice() {
            [first, others @ ..] if others.iter().all(|text| text == first) => first.clone(),
            texts => {
                let each = heads.iter().zip(texts);
                let each = each.map(|(head, text)| format!("by `{}` {text}", contents.name(*head)));
                each.collect::<Vec<_>>().join("; ")
            }
        }
    }

    #[cold]
    fn refusal(&self, contents: &Contents<'_>, card: CardId, copies: i64) -> Violation {
        // Where all must permit it, those are named that do not; and others before itself.
        let permits = |head: CardId| {
            let set = self.permits.of(contents.pool, head);
            set.is_none_or(|set| set.has(card))
        };
        let all = self.permits.mode == Mode::All;
        let named = |head: &CardId| !all || !permits(*head);
        let mut refusing: Vec<CardId> = self.heads.each(contents).filter(named).collect();
        if refusing.iter().any(|head| *head != card) {
            refusing.retain(|head| *head != card);
        }
        let heads = refusing.iter();
        let heads: Vec<String> = heads
            .map(|head| format!("`{}`", contents.name(*head)))
            .collect();
        let name = contents.name(card);
        let message = match heads.as_slice() {
            [] => format!("no card in the {} permits `{name}`", self.heads.name),
            heads => format!(
                "{} may not use `{name}`; permitted: {}",
                crate::text::listed(heads, "and"),
                self.permitted(contents, &refusing)
            ),
        };
        let place = &self.heads.one_of;
        let help = match heads.as_slice() {
            [_, ..] if all => format!(
                "take it out, or choose another card for the {place} in place of {}",
                crate::text::listed(&heads, "and")
            ),
            _ => format!("take it out, or choose a card for the {place} that permits it"),
        };
        Violation::of_deck(Failing::Excess, message, help)
            .for_fault(Fault::Forbidden)
            .in_section(self.sections.single())
            .with_numbers(0, copies)
            .about(card, Where::First(card, self.sections))
            .keeping(self.sections, 0)
    }
}

impl Constraint for Permission {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let section = self.sections.single();
        match self.heads.speaks(contents) {
            Speaks::Known => {}
            Speaks::Nobody => return,
            Speaks::Several => {
                found.extend(self.unclear(contents));
                return;
            }
            Speaks::Unknown(card) => {
                let message = format!(
                    "not verified: the pool does not tell what `{}` permits",
                    contents.name(card)
                );
                found.push(Violation::unverified(message).in_section(section));
                return;
            }
        }
        let untold = |head: &CardId| self.permits.of(contents.pool, *head).is_none();
        if let Some(head) = self.heads.each(contents).find(untold) {
            let message = format!(
                "not verified: the card file gives no `{}` for `{}`, so every card is let through",
                self.permits.fields.join("` or `"),
                contents.name(head)
            );
            if self.permits.is_left_open() {
                found.push(Violation::untold(message).in_section(section));
            }
            if self.permits.mode == Mode::Any {
                return;
            }
        }
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, copies| {
                if self.cards.has(card) && !self.permits.agrees(&self.heads, contents, card) {
                    found.push(self.refusal(contents, card, copies));
                }
            },
        );
        each_card(contents.unknown(), self.sections, |card, _| {
            let heads = self.heads.each(contents);
            let heads: Vec<String> = heads
                .map(|head| format!("`{}`", contents.name(head)))
                .collect();
            let message = format!(
                "not verified: the pool does not tell whether {} may use `{}`",
                crate::text::listed(&heads, "and"),
                contents.name(card)
            );
            found.push(
                Violation::unverified(message)
                    .in_section(section)
                    .about(card, Where::First(card, self.sections)),
            );
        });
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        if of.stranger_copies(self.heads.sections) > 0 {
            return Cow::Owned(Cond::always());
        }
        let mut classes = self.permits.classes(&self.heads, of);
        let somebody = self.heads.is_needed(of);
        for (cond, cards) in &mut classes {
            cards.retain(|card| self.cards.has(*card));
            if let Some(somebody) = &somebody {
                let mut parts = match std::mem::replace(cond, Cond::always()) {
                    Cond::All(parts) => parts,
                    permits => vec![permits],
                };
                parts.push(somebody.clone());
                *cond = Cond::All(parts);
            }
        }
        classes.retain(|(_, cards)| !cards.is_empty());
        Cow::Owned(self.heads.cond(self.sections, classes, of))
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        if self.cards.count(pool) == 0 {
            return Some("no card of the pool is asked, so this can never fail".to_owned());
        }
        let fields = &self.permits.fields;
        let columns: Option<Vec<_>> = fields.iter().map(|field| pool.column(field)).collect();
        let columns = columns?;
        let says = |card| columns.iter().any(|column| column.has_value(card));
        (!pool.ids().any(says)).then(|| {
            format!(
                "no card of the pool has `{}`, so this is of no use",
                fields.join("` or `")
            )
        })
    }

    fn heads(&self) -> SectionSet {
        self.heads.own_sections()
    }

    fn demand(&self) -> String {
        let who = match self.permits.mode {
            Mode::Any => self.heads.who_of("a"),
            Mode::All => self.heads.who_of("every"),
        };
        format!(
            "Every card{} in the {} must be permitted by {who}.",
            self.of, self.name
        )
    }
}
