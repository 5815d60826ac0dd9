//! Where a list may begin another section without a heading.

use crate::deck::builder::Gap;
use decklaw_text::text::Span;

/// The blank lines of a list, and the lines below those that name their section.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    /// Whether there are cards above, and no heading between them and here.
    is_below_card: bool,
    /// Whether a blank line is between those cards and here.
    is_open: bool,
    /// Whether a comment is between those cards and here.
    is_commented: bool,
    /// Whether a line that names its section is the last one above with cards.
    is_below_marked: bool,
    /// The cards below blank lines.
    pub(super) found: Vec<Gap>,
    /// The first card below the last line that names its section.
    pub(super) unmarked: Option<Span>,
}

/// What is above a card.
pub(super) struct Above {
    pub(super) blank_line: bool,
    /// A comment, next to the blank line.
    pub(super) comment: bool,
    /// A line that names its section.
    pub(super) marked: bool,
}

impl Gaps {
    /// Passes a blank line, or what else ends a list.
    pub(super) fn blank(&mut self) {
        self.is_open |= self.is_below_card;
    }

    /// Passes a comment.
    pub(super) fn comment(&mut self) {
        self.is_commented = true;
    }

    /// Passes a heading, which says what the cards below it are.
    pub(super) fn heading(&mut self) {
        *self = Gaps { found: std::mem::take(&mut self.found), ..Gaps::default() };
    }

    /// Passes cards that are on one line with their section.
    pub(super) fn marked(&mut self) {
        self.is_below_marked = true;
        self.unmarked = None;
    }

    /// Passes a card. One that says its section itself leaves what is above it to the next.
    pub(super) fn card(&mut self, says_section: bool) -> Above {
        self.is_below_card = true;
        if says_section {
            return Above { blank_line: false, comment: false, marked: false };
        }
        Above {
            blank_line: std::mem::take(&mut self.is_open),
            comment: std::mem::take(&mut self.is_commented),
            marked: std::mem::take(&mut self.is_below_marked),
        }
    }
}
