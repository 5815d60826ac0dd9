//! What a deck breaks, and what could not be verified of it.

use super::{Fault, SectionSet};
use crate::pool::CardId;

/// Where in a deck a violation stands, in the deck's own terms; made concrete by the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// The deck as a whole.
    Deck,
    /// The first line of a card in one of these sections.
    First(CardId, SectionSet),
    /// The line at which the copies of a card in these sections pass a number.
    Passing(CardId, SectionSet, i64),
}

/// What kind of failing a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// Adding cards could fix it.
    Shortfall,
    /// It cannot be fixed by adding cards.
    Excess,
    /// It could not be verified; a notice whatever the rule's severity.
    Unverified,
}

/// A rule that a deck breaks, or that could not be verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Whether more cards could fix it.
    pub failing: Failing,
    /// Whether it is a [shortfall](Failing::Shortfall) of sections that take no further card.
    pub is_full: bool,
    /// What is wrong, for programs.
    pub fault: Fault,
    /// Index of the section that it concerns, where it is just one.
    pub section: Option<usize>,
    /// The cards that it concerns.
    pub cards: Vec<CardId>,
    /// Where it stands.
    pub place: Where,
    /// The number that the rule allows.
    pub limit: Option<i64>,
    /// The number that the deck has.
    pub actual: Option<i64>,
    /// Some sections, and the copies in them of the one card that it is about which alone fix it.
    pub keep: Option<(SectionSet, i64)>,
    /// What is wrong, a sentence.
    pub message: String,
    /// What to do about it, a sentence; may be empty.
    pub help: String,
    /// Whether only cards that the pool does not know leave it open.
    pub for_strangers: bool,
}

impl Violation {
    /// A violation of the deck as a whole. Unless a [fault](Violation::for_fault) is named, it
    /// is one of number.
    pub fn of_deck(failing: Failing, message: String, help: String) -> Violation {
        let (section, cards, place) = (None, Vec::new(), Where::Deck);
        Violation {
            failing,
            is_full: false,
            fault: match failing {
                Failing::Shortfall => Fault::TooFew,
                Failing::Excess => Fault::TooMany,
                Failing::Unverified => Fault::Unverified,
            },
            section,
            cards,
            place,
            limit: None,
            actual: None,
            keep: None,
            message,
            help,
            for_strangers: false,
        }
    }

    /// The same for another fault.
    #[must_use]
    pub fn for_fault(self, fault: Fault) -> Violation {
        Violation { fault, ..self }
    }

    /// The same in one section.
    pub fn in_section(self, section: Option<usize>) -> Violation {
        Violation { section, ..self }
    }

    /// Whether it is about a card as it stands in a section.
    pub fn is_of(&self, card: CardId, section: u16) -> bool {
        let here = usize::from(section);
        let place = match (self.section, &self.place) {
            (Some(own), _) => own == here,
            (None, Where::First(_, sections) | Where::Passing(_, sections, _)) => {
                sections.has(here)
            }
            (None, Where::Deck) => true,
        };
        place && self.cards.contains(&card)
    }

    /// The same with the number allowed and the number found.
    pub fn with_numbers(self, limit: i64, actual: i64) -> Violation {
        Violation {
            limit: Some(limit),
            actual: Some(actual),
            ..self
        }
    }

    /// The same about a card.
    pub fn about(self, card: CardId, place: Where) -> Violation {
        Violation {
            cards: vec![card],
            place,
            ..self
        }
    }

    /// The same of the deck as a whole, with the cards that it is about, where they are few.
    #[must_use]
    pub fn naming(self, cards: Vec<CardId>) -> Violation {
        /// More cards are not named.
        const MOST: usize = 8;
        match cards.len() {
            0..=MOST => Violation { cards, ..self },
            _ => self,
        }
    }

    /// The same where the card is no longer one that breaks the rule once just so many copies are
    /// left in these sections.
    #[must_use]
    pub fn keeping(self, sections: SectionSet, copies: i64) -> Violation {
        Violation {
            keep: Some((sections, copies)),
            ..self
        }
    }

    /// A notice that a rule needs a setting which nobody gave.
    pub fn unset(what: &str, settings: &[&str]) -> Violation {
        let options = settings.iter().map(|name| format!("`--set {name}=NUMBER`"));
        let options: Vec<String> = options.collect();
        let help = format!(
            "set {} (on a page: under Settings)",
            crate::text::listed(&options, "and")
        );
        let message = format!("not verified: the rules text gives no {what}");
        Violation::of_deck(Failing::Unverified, message, help).for_fault(Fault::Unset)
    }

    /// A notice that a rule depends on what the pool does not tell of its own cards.
    pub fn untold(message: String) -> Violation {
        let help = "use a card file that has it, with `--cards FILE`";
        Violation::of_deck(Failing::Unverified, message, help.to_owned())
    }

    /// A notice that a rule depends on cards which the pool does not know.
    pub fn unverified(message: String) -> Violation {
        Violation {
            for_strangers: true,
            ..Violation::untold(message)
        }
    }
}
