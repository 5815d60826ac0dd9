//! What a `copies` rule says of a deck, and of itself.

use super::{Limited, Sum};
use crate::pool::CardId;
use crate::rules::{Contents, Failing, SectionSet, Violation, Where};
use crate::text::counted;

/// So many copies of a group's cards, in words: `3 copies of …` where it is one card, else `3 cards
/// of the title …`, with their names where they are few.
fn of_group(
    copies: i64,
    fields: &str,
    (group, cards): (&str, &[CardId]),
    contents: &Contents<'_>,
) -> String {
    const MOST_NAMED: usize = 4;
    let names = cards
        .iter()
        .map(|card| format!("`{}`", contents.name(*card)));
    let names: Vec<String> = names.collect();
    if let [only] = names.as_slice() {
        return format!("{} of {only}", counted(copies, "copy"));
    }
    let told = match names.len() {
        ..=MOST_NAMED => format!(" ({})", crate::text::listed(&names, "and")),
        _ => String::new(),
    };
    let cards = counted(copies, "card");
    format!("{cards} of the {fields} `{group}`{told}")
}

impl Limited {
    #[cold]
    pub(super) fn excess(
        &self,
        contents: &Contents<'_>,
        card: CardId,
        group: Option<(&str, &[CardId])>,
        sum: Sum,
        max: i64,
    ) -> Violation {
        let (copies, total) = (sum.copies, sum.total);
        let sections = match self.also_in {
            Some(also) if group.is_none() => SectionSet(self.sections.0 & !also.0),
            _ => self.sections,
        };
        if contents.is_wordless() {
            return Violation::of_deck(Failing::Excess, String::new(), String::new())
                .in_section(self.sections.single())
                .with_numbers(max, total)
                .about(card, Where::First(card, sections));
        }
        let name = format!("`{}`", contents.name(card));
        let limiting = sum.max.map_or(card, |(_, limiting)| limiting);
        let fields = self.by.as_ref().map_or("", |(fields, _)| fields);
        let told = match group {
            Some(group) => of_group(copies, fields, group, contents),
            None => format!("{} of {name}", counted(copies, "copy")),
        };
        let weight = self.weight.as_ref().map(|(field, _)| field);
        let alone = group.is_none();
        let (allowed, message) = match weight {
            Some(field) if alone => {
                let weight = self.weight(card);
                let allowed = max.checked_div(weight).unwrap_or(copies);
                let message = format!(
                    "{told} at {field} {weight} make {total} in the {}; a card's copies may come to {max} {field}{}, so {} may be there",
                    self.name,
                    self.max.origin_of(contents, limiting),
                    counted(allowed, "copy")
                );
                (allowed, message)
            }
            Some(field) => {
                let message = format!(
                    "{told} in the {} come to {total} {field}, and at most {max} may be there{}",
                    self.name,
                    self.max.origin_of(contents, limiting)
                );
                (copies - 1, message)
            }
            None => {
                let message = format!(
                    "{told} in the {}, and at most {max} may be there{}",
                    self.name,
                    self.max.origin_of(contents, limiting)
                );
                (max, message)
            }
        };
        let help = match allowed {
            _ if weight.is_some() && !alone => "take out some of them".to_owned(),
            ..=0 => format!("take it out of the {}", self.name),
            _ => format!("take out {}", counted(copies - allowed, "copy")),
        };
        let place = match self.also_in {
            _ if group.is_some() => Where::First(card, sections),
            Some(_) => Where::Passing(card, sections, 0),
            None => Where::Passing(card, sections, allowed),
        };
        let violation = Violation::of_deck(Failing::Excess, message, help)
            .in_section(self.sections.single())
            .with_numbers(max, total)
            .about(card, place);
        match alone {
            true => violation.keeping(self.sections, allowed.max(0)),
            false => violation,
        }
    }

    #[cold]
    pub(super) fn unsure(&self, contents: &Contents<'_>, card: CardId) -> Violation {
        let message = format!(
            "not verified: the pool does not tell how many copies of `{}` are allowed",
            contents.name(card)
        );
        Violation::unverified(message)
            .in_section(self.sections.single())
            .about(card, Where::First(card, self.sections))
    }

    /// What the rule demands, a sentence.
    pub(super) fn words(&self) -> String {
        let what = match &self.by {
            Some((fields, _)) => format!("cards{} of the same {fields}", self.of),
            None => format!("a card{}", self.of),
        };
        match (self.unset.is_some(), &self.weight) {
            (true, _) => {
                format!(
                    "At most {} copies of {what}, a number that the rules text does not give.",
                    self.max.words()
                )
            }
            (false, Some((field, _))) => format!(
                "The {field} of all copies of {what} in the {} may come to at most {}{}.",
                self.name,
                if self.max.constant().is_some() {
                    ""
                } else {
                    "this: "
                },
                self.max.words()
            ),
            (false, None) => match self.max.constant() {
                Some(max) => format!(
                    "At most {} of {what} in the {}.",
                    counted(max, "copy"),
                    self.name
                ),
                None => format!(
                    "At most this many copies of {what} in the {}: {}.",
                    self.name,
                    self.max.words()
                ),
            },
        }
    }
}
