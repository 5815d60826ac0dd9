//! `copies`: how many copies of one card there may be, flat or by a weight.

use super::contents::each_card;
use super::{
    Cards, Compile, Constraint, Contents, Failing, Linear, Number, SectionSet, Term, Violation,
    Where,
};
use crate::pool::CardId;
use crate::text::counted;
use crate::yaml::Spanned;
use serde::Deserialize;

/// The terms of a `copies` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Copies {
    /// The sections in which copies are added up, together.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards are limited; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The most copies, or with a weight, the most that copies times weight may come to.
    pub max: Spanned<Term>,
    /// A number field that weighs each copy; 1 without one.
    #[serde(default)]
    pub weight: Option<Spanned<String>>,
    /// Only cards that this section holds too.
    #[serde(default)]
    pub also_in: Option<Spanned<String>>,
}

#[derive(Debug)]
pub(super) struct Limited {
    sections: SectionSet,
    name: String,
    cards: Cards,
    max: Number,
    /// What to say when nobody gave the number; made once, since any deck may need it.
    unset: Option<Violation>,
    weight: Option<(String, Vec<i64>)>,
    also_in: Option<SectionSet>,
}

impl Copies {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Limited {
        let sections = with.section_set(&self.sections);
        let also_in = self
            .also_in
            .as_ref()
            .map(|name| SectionSet::only(with.section(name)));
        let name = with.section_names(sections);
        let max = with.number(&self.max);
        let what = format!("number of copies of a card for the {name}");
        Limited {
            sections,
            unset: max.unset(&what, sections),
            name,
            cards: with.cards(self.cards.as_ref()),
            max,
            weight: self
                .weight
                .as_ref()
                .map(|field| (field.value.clone(), with.numbers(field))),
            also_in,
        }
    }
}

impl Limited {
    #[cold]
    fn excess(&self, contents: &Contents<'_>, card: CardId, copies: i64, max: i64) -> Violation {
        let name = contents.name(card);
        let weight = self
            .weight
            .as_ref()
            .map(|(field, column)| (field, column[card.index()]));
        let (allowed, total, message) = match weight {
            Some((field, weight)) => {
                let total = copies.saturating_mul(weight);
                let allowed = max.checked_div(weight).unwrap_or(copies);
                let message = format!(
                    "{} of `{name}` at {field} {weight} make {total} in the {}; a card's copies may come to {max} {field}, so {} may be there",
                    counted(copies, "copy"),
                    self.name,
                    counted(allowed, "copy")
                );
                (allowed, total, message)
            }
            None => {
                let message = format!(
                    "{} of `{name}` in the {}, and at most {max} may be there",
                    counted(copies, "copy"),
                    self.name
                );
                (max, copies, message)
            }
        };
        let mend = match allowed {
            0 => format!("take it out of the {}", self.name),
            _ => format!("take out {}", counted(copies - allowed, "copy")),
        };
        let place = Where::Passing(
            card,
            self.also_in
                .map_or(self.sections, |also| SectionSet(self.sections.0 & !also.0)),
            if self.also_in.is_some() { 0 } else { allowed },
        );
        Violation::of_deck(Failing::Excess, message, mend)
            .in_section(self.sections.single())
            .with_numbers(max, total)
            .about(card, place)
    }
}

impl Constraint for Limited {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let Number::Is(max) = self.max else {
            found.extend(self.unset.clone());
            return;
        };
        let also = |card| match self.also_in {
            Some(section) => contents
                .of_card(card)
                .iter()
                .any(|holding| section.has(usize::from(holding.section))),
            None => true,
        };
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, copies| {
                let weight = match &self.weight {
                    Some((_, column)) => column[card.index()],
                    None => 1,
                };
                if copies.saturating_mul(weight) > max && self.cards.has(card) && also(card) {
                    found.push(self.excess(contents, card, copies, max));
                }
            },
        );
        if contents.unknown().is_empty() {
            return;
        }
        each_card(contents.unknown(), self.sections, |card, copies| {
            if self.weight.is_none() && (copies <= max || !also(card)) {
                return;
            }
            if self.weight.is_none() && self.cards.is_all() {
                found.push(self.excess(contents, card, copies, max));
                return;
            }
            let message = format!(
                "not verified: the pool does not tell how many copies of `{}` are allowed",
                contents.name(card)
            );
            found.push(
                Violation::unverified(message)
                    .in_section(self.sections.single())
                    .about(card, Where::First(card, self.sections)),
            );
        });
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let Number::Is(max) = self.max else { return };
        let known = linear.pool().ids().filter(|card| self.cards.has(*card));
        let strangers = match self.weight.is_none() && self.cards.is_all() {
            true => linear.strangers(),
            false => Vec::new(),
        };
        for card in known.chain(strangers) {
            let weight = match &self.weight {
                Some((_, column)) => column[card.index()],
                None => 1,
            };
            let allowed = match weight {
                1.. => max.div_euclid(weight).max(0),
                _ if max < 0 => 0,
                _ => continue,
            };
            let when = self.also_in.map(|also| linear.present(card, also));
            linear.row_if(
                when,
                linear.sum(card, self.sections, 1),
                None,
                Some(allowed),
            );
        }
    }

    fn demand(&self) -> String {
        match (&self.max, &self.weight) {
            (Number::Unset(name), _) => {
                format!(
                    "At most `{name}` copies of a card, a number that the rules text does not give."
                )
            }
            (Number::Is(max), Some((field, _))) => format!(
                "The {field} of all copies of a card in the {} may come to at most {max}.",
                self.name
            ),
            (Number::Is(max), None) => {
                format!(
                    "At most {} of a card in the {}.",
                    counted(*max, "copy"),
                    self.name
                )
            }
        }
    }
}
