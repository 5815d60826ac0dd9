//! A deck's file as text, where only the names of cards tell its encoding.

use super::{Judge, ReadDeck};
use crate::deck::{self, Input, Opened};
use crate::table::TableError;
use crate::text::{Encoding, Western, western};
use std::collections::BTreeSet;

impl Judge {
    /// As [`deck::open`]; besides, bytes that are in Windows-1252 or in another code page are
    /// read as the former where that is certain because of the cards: every name is one of the
    /// pool, and each letter or mark in doubt stands in the line of a card, there or elsewhere.
    /// `told` as for [`Judge::read`].
    ///
    /// # Errors
    /// As for [`deck::open`].
    pub fn open<'b>(
        &self,
        bytes: &'b [u8],
        input: Input,
        told: Option<&str>,
    ) -> Result<Opened<'b>, TableError> {
        self.certain(bytes, deck::open(bytes, input)?, input, told)
    }

    /// The same of a file of the person who asks, which may be a workbook.
    ///
    /// # Errors
    /// As for [`deck::open_file`].
    pub fn open_file<'b>(
        &self,
        bytes: &'b [u8],
        input: Input,
        told: Option<&str>,
    ) -> Result<Opened<'b>, TableError> {
        self.certain(bytes, deck::open_file(bytes, input)?, input, told)
    }

    /// Reads it as Windows-1252 where the cards leave no doubt.
    fn certain<'b>(
        &self,
        bytes: &'b [u8],
        mut opened: Opened<'b>,
        input: Input,
        told: Option<&str>,
    ) -> Result<Opened<'b>, TableError> {
        if let Some(western) = opened.doubtful.take()
            && self.is_told(&western, input, told)
            && !self.is_of_old_macintosh(bytes, input, told)
        {
            opened.is(western.text, Encoding::Windows1252);
        }
        Ok(opened)
    }

    /// Whether the decks of a form tell that its bytes are in Windows-1252: each of these letters
    /// or marks in doubt stands in the line of a card too, in a deck whose every name is one of the
    /// pool. `decks` are their texts, each with the format that the form says.
    pub fn tells<'d>(
        &self,
        doubt: &BTreeSet<char>,
        decks: impl Iterator<Item = (&'d str, Option<&'d str>)>,
    ) -> bool {
        let mut open = doubt.clone();
        for (text, told) in decks {
            // What it was written as.
            let (bytes, _, lost) = encoding_rs::WINDOWS_1252.encode(text);
            let Some(western) =
                western(&bytes).filter(|western| !lost && !western.marks().is_disjoint(&open))
            else {
                continue;
            };
            let input = Input::default();
            let (beside, elsewhere) = self.marks(&western, input, told);
            if elsewhere.is_subset(&beside) && !self.is_of_old_macintosh(&bytes, input, told) {
                open.retain(|mark| !beside.contains(mark));
            }
        }
        open.is_empty()
    }

    /// Whether the cards tell that a text is what its bytes mean.
    fn is_told(&self, western: &Western, input: Input, told: Option<&str>) -> bool {
        let (beside, elsewhere) = self.marks(western, input, told);
        elsewhere.is_subset(&beside)
    }

    /// The marks in doubt that stand in lines of cards, and those elsewhere. Where not every
    /// name is one of the pool, no line is one of a card.
    fn marks(
        &self,
        western: &Western,
        input: Input,
        told: Option<&str>,
    ) -> (BTreeSet<char>, BTreeSet<char>) {
        let text = western.text.as_str();
        let Some(cards) = self.spans_of_known(text, input, told) else {
            return (BTreeSet::new(), western.marks());
        };
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let line = |at: usize| ends.partition_point(|end| *end < at);
        let lines: BTreeSet<usize> = cards.into_iter().map(line).collect();
        let (beside, elsewhere): (Vec<usize>, Vec<usize>) = western
            .doubtful
            .iter()
            .partition(|at| lines.contains(&line(**at)));
        let marks = |at: Vec<usize>| -> BTreeSet<char> {
            let marks = at.into_iter();
            marks
                .filter_map(|at| text.get(at..)?.chars().next())
                .collect()
        };
        (marks(beside), marks(elsewhere))
    }

    /// Whether the same bytes are as good a deck in the code page of old Macintoshes.
    fn is_of_old_macintosh(&self, bytes: &[u8], input: Input, told: Option<&str>) -> bool {
        let text =
            encoding_rs::MACINTOSH.decode_without_bom_handling_and_without_replacement(bytes);
        text.is_some_and(|text| self.spans_of_known(&text, input, told).is_some())
    }

    /// Where the lines of a deck's cards begin; `None` where it is none, or where the pool does
    /// not know every card.
    fn spans_of_known(&self, text: &str, input: Input, told: Option<&str>) -> Option<Vec<usize>> {
        // What is wrong with the rules is told when the deck is judged.
        let Ok(ReadDeck::Deck(resolved)) = self.read(text.as_bytes(), input, told) else {
            return None;
        };
        let list = resolved.list();
        let known = resolved.cards().iter().all(|card| list.knows(*card));
        let lines = resolved.deck().lines.iter().map(|line| line.span.start);
        (known && !resolved.names_its_cards()).then(|| lines.collect())
    }
}
