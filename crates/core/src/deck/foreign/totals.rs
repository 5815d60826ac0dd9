//! The totals that a pasted list states, held against its cards.

use super::pasted::Reader;
use super::quoted;
use crate::deck::heading::card_or_cards;

/// A total that a heading states, and how many cards stood in the list before it.
pub(super) struct Total<'a> {
    pub(super) word: &'a str,
    pub(super) digits: &'a str,
    pub(super) before: u64,
}

impl<'a> Reader<'a, '_> {
    pub(super) fn judge_total(&mut self) {
        if let Some(total) = self.total.take() {
            self.compare(&total, self.cards - total.before, "below it");
        }
    }

    pub(super) fn judge_grand_total(&mut self) {
        if let Some(total) = self.grand.take() {
            self.compare(&total, self.cards, "in the list");
        }
    }

    pub(super) fn compare(&mut self, total: &Total<'a>, counted: u64, place: &str) {
        // Where a line was not understood, its cards are missing from the count.
        if total.digits.parse() == Ok(counted) || !self.builder.errors.is_empty() {
            return;
        }
        let verb = if counted == 1 { "is" } else { "are" };
        let message = format!(
            "{} should have {} {}, but {counted} {verb} {place}.",
            quoted(total.word),
            quoted(total.digits),
            card_or_cards(total.digits)
        );
        let span = self.builder.span(total.word);
        self.builder.wrong(
            span,
            message,
            "Correct the total or the lines, or leave the total out.",
        );
    }
}
