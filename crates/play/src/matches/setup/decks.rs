//! Whether decks fit a setup: their places, sections, and what is registered of their cards.

use crate::matches::choice::Choice;
use crate::matches::error::MatchError;
use crate::matches::inputs::deck::{Line, MOST_CARDS, MatchDeck};
use crate::matches::inputs::{Inputs, Seat};
use crate::matches::seat::SeatId;
use crate::matches::setup::{Decks, Setup};
use decklaw_text::text::{escape_control, those};
use std::collections::BTreeMap;

impl Setup {
    /// Whether a match of a format of this game starts so.
    pub fn starts(&self, format: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|id| id == format)
    }
}

impl MatchDeck {
    /// The sections that hold cards, in the order in which ids are given.
    pub fn in_order<'a>(&'a self, setup: &'a Setup) -> impl Iterator<Item = (&'a str, &'a [Line])> {
        let named = setup.sections.iter().chain(&self.dealt);
        let first = named.filter_map(|id| self.sections.get_key_value(id));
        let others = self
            .sections
            .iter()
            .filter(|(id, _)| !setup.sections.contains(id) && self.dealt.as_ref() != Some(id));
        first.chain(others).map(|(id, lines)| (id.as_str(), lines.as_slice()))
    }

    /// The section of the setup as which a section of the deck is played: its own name, but
    /// the first one's for the section that is dealt from in its place.
    pub(super) fn role<'a>(&self, section: &'a str, setup: &'a Setup) -> &'a str {
        match (&self.dealt, setup.sections.first()) {
            (Some(dealt), Some(first)) if dealt == section => first,
            _ => section,
        }
    }

    /// Whether a match of this setup has room for the deck. Deck-building rules are not asked.
    ///
    /// # Errors
    /// Too many cards, an unknown section, something registered that setup does not need.
    pub fn check_sections(&self, setup: &Setup) -> Result<(), MatchError> {
        let total: u64 = self.sections.keys().map(|section| self.cards_in(section)).sum();
        if total > MOST_CARDS {
            let message = format!("{total} cards are too many: a match takes {MOST_CARDS}");
            return Err(self.wrong(message));
        }
        for (section, lines) in &self.sections {
            if !setup.open && !setup.sections.contains(section) {
                let known = those(&setup.sections);
                let section = escape_control(section, false);
                return Err(self.wrong(format!("unknown section `{section}`; {known}")));
            }
            let needless =
                |line: &&Line| line.records.keys().any(|field| !setup.records.contains_key(field));
            if let Some(line) = lines.iter().find(needless) {
                let name = escape_control(&line.name, false);
                return Err(self.wrong(format!("the line of \"{name}\" has a field too many")));
            }
        }
        let missing = |id: &String| !self.sections.contains_key(id);
        match &self.dealt {
            Some(dealt)
                if !setup.open
                    || missing(dealt)
                    || !setup.sections.first().is_some_and(missing) =>
            {
                Err(self.wrong("`dealt` names no section that is dealt from".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Whether what is registered of each card can be: values that the setup knows, and in a
    /// legal deck only where the setup asks for them. What a pool says of the card is not asked.
    ///
    /// # Errors
    /// A card with a field or value that no card of a pool has.
    pub fn check_records(&self, setup: &Setup) -> Result<(), MatchError> {
        let needed = self.needed(setup);
        let mut asked: BTreeMap<(&String, &String), bool> = BTreeMap::new();
        for (section, lines) in &self.sections {
            for line in lines {
                for (field, value) in &line.records {
                    let known = setup.can_be_recorded(field, value);
                    let asked = asked.entry((field, section));
                    if !known || !*asked.or_insert_with(|| needed(field, section)) {
                        let name = escape_control(&line.name, false);
                        let value = value.to_string();
                        let value = escape_control(&value, false);
                        return Err(self.wrong(format!(
                            "\"{name}\" in {section} cannot have the {field} `{value}`"
                        )));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The name of a seat's own setting for a counter.
pub(super) fn seat_setting(seat: &Seat, counter: &str) -> String {
    format!("{}.{counter}", seat.seat.letter())
}

/// The number that a seat's card of a section has in a registered field.
pub(super) fn card_number(inputs: &Inputs, seat: &Seat, section: &str, field: &str) -> Option<i64> {
    let deck = inputs.deck_of(seat)?;
    let mut lines = deck.sections.get(section)?.iter();
    lines.find_map(|line| match line.records.get(field) {
        Some(Choice::Number(number)) => Some(*number),
        _ => None,
    })
}

pub(super) fn fewest_cards(inputs: &Inputs, section: &str) -> i64 {
    let cards = |seat: &Seat| inputs.deck_of(seat).map_or(0, |deck| deck.cards_in(section));
    inputs.seats.iter().map(cards).min().unwrap_or(0) as i64
}

impl Inputs {
    /// Whether decks and seats are where the format wants them, and well formed. Decks that
    /// are `foreign` were not registered just now: nothing about them is taken for granted, and
    /// the rules that they break must be rules of this edition of the format file.
    pub(in crate::matches) fn check_seats(
        &self,
        setup: &Setup,
        foreign: Option<(&str, &[String])>,
    ) -> Result<(), MatchError> {
        let own = self.seats.iter().filter(|seat| seat.deck.is_some()).count();
        let decks = match (&setup.decks, &self.shared) {
            (Decks::Own, None) if own == self.seats.len() => own,
            (Decks::Shared, Some(_)) if own == 0 => 1,
            (Decks::WholePool(_), Some(_)) if own == 0 => 0,
            _ => {
                return Err(MatchError::refused(
                    "the decks are not where this format has them: with each seat, or shared",
                ));
            }
        };
        let count = setup.seat_count(&self.options, decks)?;
        let order = SeatId::ALL.into_iter().take(usize::from(count));
        if !self.seats.iter().map(|seat| seat.seat).eq(order) {
            return Err(MatchError::refused(format!(
                "there must be {count} seats, in the order A, B, C, D, without gaps"
            )));
        }
        for seat in &self.seats {
            let Some(own) = &seat.format else { continue };
            if *own == self.format || seat.deck.is_none() || !setup.starts(own) {
                let own = escape_control(own, false);
                return Err(MatchError::refused(format!(
                    "seat {} cannot bring a deck of `{own}` to this match",
                    seat.seat
                )));
            }
        }
        let shared = self.shared.iter().map(|shared| (&self.format, &shared.deck));
        let own = self.seats.iter().filter_map(|seat| {
            let format = seat.format.as_ref().unwrap_or(&self.format);
            Some((format, seat.deck.as_ref()?))
        });
        for (format, deck) in own.chain(shared) {
            deck.check_sections(setup)?;
            deck.check_records(setup)?;
            if let Some((rules_sha256, rules)) = foreign {
                deck.check_form(format)?;
                // Another edition of the format file may have had other rules.
                if self.rules_sha256 == rules_sha256 {
                    deck.check_broken(rules)?;
                }
            }
        }
        Ok(())
    }
}
