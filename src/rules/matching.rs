//! `matching`: a word of a card that must be among those of the deck's identity card.

use super::contents::each_card;
use super::{
    Cards, Compile, Constraint, Contents, Failing, Fault, Identity, Linear, SectionSet, Violation,
    Where,
};
use crate::yaml::Spanned;
use serde::Deserialize;

/// The terms of a `matching` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Matching {
    /// The sections whose cards must match.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The cards' field.
    pub field: Spanned<String>,
    /// The section of the identity card; judged only where it holds exactly one card.
    pub by: Spanned<String>,
    /// The identity card's field, a list.
    pub among: Spanned<String>,
}

#[derive(Debug)]
pub(super) struct Matched {
    sections: SectionSet,
    name: String,
    cards: Cards,
    field: String,
    by: usize,
    /// The name of that section.
    by_name: String,
    among: String,
}

impl Matching {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Matched {
        let sections = with.section_set(&self.sections);
        with.need_words(&self.field);
        with.need_words(&self.among);
        let by = with.section(&self.by);
        Matched {
            sections,
            name: with.section_names(sections),
            cards: with.cards(self.cards.as_ref()),
            field: self.field.value.clone(),
            by,
            by_name: with.section_name(by),
            among: self.among.value.clone(),
        }
    }
}

impl Constraint for Matched {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let Identity::Known(by) = Identity::of(contents, self.by) else {
            return;
        };
        let section = self.sections.single();
        let pool = contents.pool;
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                if !self.cards.has(card) {
                    return;
                }
                let (has, wanted) = (pool.words(card, &self.field), pool.words(by, &self.among));
                if has.iter().any(|word| wanted.contains(word)) {
                    return;
                }
                let words: Vec<&str> = wanted.iter().map(|word| &**word).collect();
                let among = match words.as_slice() {
                    [] => "nothing".to_owned(),
                    words => crate::text::listed(words, "or"),
                };
                let message = format!(
                    "`{}` is {}, and `{}` matches {among}",
                    contents.name(card),
                    if has.is_empty() {
                        "of no kind".to_owned()
                    } else {
                        has.join(" and ")
                    },
                    contents.name(by)
                );
                let mend = format!("choose one that is {among}");
                found.push(
                    Violation::of_deck(Failing::Excess, message, mend)
                        .for_fault(Fault::Mismatched)
                        .in_section(section)
                        .about(card, Where::First(card, self.sections)),
                );
            },
        );
        if !self.cards.is_all() {
            return;
        }
        each_card(contents.unknown(), self.sections, |card, _| {
            let message = format!(
                "not verified: the pool does not tell the {} of `{}`",
                self.field,
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
        let pool = linear.pool();
        let concerns = |card| self.cards.has(card);
        let permits = |by, card| {
            let wanted = pool.words(by, &self.among);
            let has = pool.words(card, &self.field);
            has.iter().any(|word| wanted.contains(word))
        };
        linear.permission(self.sections, self.by, concerns, permits);
    }

    fn demand(&self) -> String {
        format!(
            "The {} of cards in the {} must be among the {} of the card in the {}.",
            self.field, self.name, self.among, self.by_name
        )
    }
}
