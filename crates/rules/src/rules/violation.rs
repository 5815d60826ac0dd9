//! What a deck breaks, and what could not be verified of it.

pub(super) use super::Fault;
use super::contents::each_card;
use super::{Contents, SectionSet};
use decklaw_cards::pool::CardId;
use decklaw_text::text::some_of;

/// Where in a deck a violation is, in the deck's own terms; the report finds its line.
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
    /// Too little: cards that come in fix it.
    Shortfall,
    /// Too much, or something that must not be there: cards that go fix it.
    Excess,
    /// It could not be verified; a notice whatever the rule's severity.
    Unverified,
}

/// A rule that a deck breaks, or that could not be verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Whether there is too little or too much.
    pub failing: Failing,
    /// What is wrong, for programs.
    pub fault: Fault,
    /// Index of the section that it concerns, where it is just one.
    pub section: Option<usize>,
    /// The cards that it concerns.
    pub cards: Vec<CardId>,
    /// Where it is.
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
    pub is_for_unknown: bool,
}

impl Violation {
    /// How far the deck's number is from the limit; 0 without numbers.
    pub fn distance(&self) -> i64 {
        let numbers = self.actual.zip(self.limit);
        numbers.map_or(0, |(actual, limit)| actual.saturating_sub(limit).abs())
    }

    /// A violation of the deck as a whole. It is one of number.
    pub fn of_deck(failing: Failing, message: String, help: String) -> Violation {
        let (section, cards, place) = (None, Vec::new(), Where::Deck);
        Violation {
            failing,
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
            is_for_unknown: false,
        }
    }

    /// The same in one section.
    pub fn in_section(self, section: Option<usize>) -> Violation {
        Violation { section, ..self }
    }

    /// Whether it is about a card in a section.
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
        Violation { limit: Some(limit), actual: Some(actual), ..self }
    }

    /// The same about a card.
    pub fn about(self, card: CardId, place: Where) -> Violation {
        Violation { cards: vec![card], place, ..self }
    }

    /// Names the cards that it is about, where they are few.
    pub fn name(&mut self, cards: Vec<CardId>) {
        /// More cards are not named.
        const MOST: usize = 8;
        if cards.len() <= MOST {
            self.cards = cards;
        }
    }

    /// Says what is wrong and what to do about it.
    pub(crate) fn say(mut self, message: String, help: String) -> Violation {
        self.message = message;
        self.help = help;
        self
    }

    /// The notice that a number of `what` has no value, if one lacks it.
    pub(crate) fn unset(
        what: &str,
        settings: &[String],
        sections: SectionSet,
    ) -> Option<Violation> {
        if settings.is_empty() {
            return None;
        }
        let options = settings.iter().map(|name| format!("`--set {name}=NUMBER`"));
        let options: Vec<String> = options.collect();
        let help = format!("give the number with {}", decklaw_text::text::listed(&options, "and"));
        let message = format!("not checked: the rules text gives no {what}");
        let unset = Violation::of_deck(Failing::Unverified, message, help);
        let section = sections.single();
        Some(Violation { fault: Fault::Unset, section, ..unset })
    }

    /// A notice that the card file lacks a value that a rule needs.
    pub(crate) fn not_in_card_file(message: String) -> Violation {
        let help = "use a card file that has it, with `--cards FILE`";
        Violation::of_deck(Failing::Unverified, message, help.to_owned())
    }

    /// The notice that unknown cards leave rules open, with all these cards; `rules`: their ids,
    /// each once.
    #[cold]
    pub(crate) fn open_for_all(contents: &Contents<'_>, rules: &[&str]) -> Violation {
        let everywhere = SectionSet(u64::MAX);
        let mut notice = Violation::open(contents, rules);
        each_card(contents.unknown(), everywhere, |card, _| notice.cards.push(card));
        if let [card] = notice.cards.as_slice() {
            notice.place = Where::First(*card, everywhere);
        }
        notice
    }

    /// The notice that unknown cards leave rules open, about the deck as a whole; `rules`: their
    /// ids, each once.
    #[cold]
    pub fn open(contents: &Contents<'_>, rules: &[&str]) -> Violation {
        /// A game may have a rule for each card.
        const MOST_NAMED: usize = 5;
        let words: Vec<String> = rules.iter().map(|id| format!("`{id}`")).collect();
        let (noun, depend) = match rules {
            [_] => ("rule", "depends"),
            _ => ("rules", "depend"),
        };
        let (on, them) = match (contents.unknown(), contents.unknown_cards()) {
            ([held, ..], 1) => (format!("`{}`", contents.name(held.card)), "this card"),
            (_, number) => (format!("the {number} unknown cards"), "these cards"),
        };
        let message =
            format!("not checked: the {noun} {} {depend} on {on}", some_of(&words, MOST_NAMED));
        let help = format!("use a card file that has {them}, with `--cards FILE`");
        let mut notice = Violation::of_deck(Failing::Unverified, message, help);
        notice.is_for_unknown = true;
        notice
    }
}

/// That none of several demands holds, with what is wrong by each.
#[cold]
pub(super) fn none_holds(broken: &[Vec<Violation>]) -> Violation {
    let of = |words: fn(&Violation) -> &str| {
        let each = broken.iter().filter_map(|of_part| {
            let words = of_part.iter().map(words).filter(|words| !words.is_empty());
            let mut words: Vec<&str> = words.collect();
            words.dedup();
            (!words.is_empty()).then(|| words.join(", and "))
        });
        let each = (1..).zip(each).map(|(at, words)| format!("({at}) {words}"));
        each.collect::<Vec<String>>().join(", or ")
    };
    let message = format!("fix one of these: {}", of(|violation| &violation.message));
    let help = of(|violation| &violation.help);
    let short = |of_part: &Vec<Violation>| {
        let mut each = of_part.iter();
        each.all(|violation| violation.failing == Failing::Shortfall)
    };
    let failing = if broken.iter().any(short) { Failing::Shortfall } else { Failing::Excess };
    let all = || broken.iter().flatten();
    let mut sections: Vec<Option<usize>> = all().map(|violation| violation.section).collect();
    sections.dedup();
    let section = match sections.as_slice() {
        [only] => *only,
        _ => None,
    };
    let mut cards: Vec<_> = all().flat_map(|violation| violation.cards.iter().copied()).collect();
    cards.sort_unstable();
    cards.dedup();
    let mut violation = Violation::of_deck(failing, message, help).in_section(section);
    violation.name(cards);
    violation
}
