//! What stands around a pasted list and within it that is no card of it: titles, groups, what a
//! builder says of the whole.

use super::pasted::{MOST_COMMENTS, Reader, blank, bullet};
use super::sheet::{Footer, footer, group};
use super::totals::Total;
use super::{dress, printing, quoted};
use crate::deck::heading::heading;
use crate::deck::line::{self, Wrong};
use crate::text::Span;
use std::borrow::Cow;

impl<'a> Reader<'a, '_> {
    /// Whether a line belongs to the card above it: what was chosen for that, further in.
    pub(super) fn belongs(&mut self, line: &'a str) -> bool {
        let content = line.trim_matches(blank);
        let inner = line.starts_with("  ") && self.below;
        let own = bullet(content).filter(|_| inner);
        let Some(text) = own.filter(|text| {
            !text.starts_with(|first: char| first.is_ascii_digit())
                && dress::trailing_count(text).is_none()
        }) else {
            self.below &= content.is_empty();
            return false;
        };
        self.pass_over("what was chosen for a card", text);
        true
    }

    /// Whether a line stands around the list: a title, what the list comes to, a group.
    pub(super) fn around(&mut self, line: &'a str) -> bool {
        let top = self.cards == 0 && self.section.is_none();
        if self.frame.footed {
            match footer(line) {
                Some(Footer::Cards(digits)) => {
                    self.judge_total();
                    self.grand = Some(Total {
                        word: line,
                        digits,
                        before: 0,
                    });
                    return true;
                }
                Some(Footer::Aside) => return true,
                None => {}
            }
            let counted = line.starts_with(|first: char| first.is_ascii_digit());
            let listed = counted || bullet(line).is_some() || heading(line).total.is_some();
            if top && !listed {
                self.above(line);
                return true;
            }
        }
        if !self.frame.grouped {
            return false;
        }
        if let Some((word, digits, within)) = group(line).filter(|_| self.section.is_some())
            && self.builder.names.find(word).is_none()
        {
            (self.group, self.gap) = (false, false);
            self.judge_group(1);
            if !within {
                self.judge_group(0);
            }
            self.groups[usize::from(within)] = Some(Total {
                word,
                digits,
                before: self.cards,
            });
            if !self.grouped.contains(&word) {
                self.grouped.push(word);
                self.pass_over("a group of cards, and no section", word);
            }
            return true;
        }
        let Some((key, value)) = line
            .split_once(':')
            .filter(|_| top && !line.starts_with('#'))
        else {
            return false;
        };
        match self.builder.names.find(key.trim()) {
            Some(_) => {
                self.heading(line, key);
                self.copies(line, (1, value.trim()), None);
                self.section = None;
            }
            None => self.pass_over("what the builder says of the list", line),
        }
        true
    }

    /// A line without a count above a list of NetrunnerDB's: its title, or the identity.
    fn above(&mut self, line: &'a str) {
        let names = self.builder.names;
        let known = |name: &str| names.pool.is_some_and(|pool| pool.find(name).is_some());
        let name = self.plain(line);
        let name = printing::phrase(name)
            .filter(|_| !known(name))
            .unwrap_or(name);
        if self.comments + self.marked == 0 && !known(name) {
            return self.pass_over("the list's title", line);
        }
        let id = match names.find("Identity") {
            Some(id) => id,
            None if names.open => "identity",
            None => {
                let message = format!(
                    "{} has no count, and no section stands above it.",
                    quoted(line)
                );
                let help = format!(
                    "Write its section's name above it and {}, or take the line out.",
                    line::example("1", name)
                );
                return self.wrong(line, Wrong::new(message, help));
            }
        };
        let span = self.builder.span(name);
        if let Some(section) = self.builder.enter(id, Span::new(span.start, span.start)) {
            // It is not counted among the cards.
            self.builder.card(section, 1, Cow::Borrowed(name), span);
        }
    }

    /// A card's name without what other programs write around it.
    pub(super) fn plain<'t>(&self, text: &'t str) -> &'t str {
        let pool = self.builder.names.pool;
        let known = |name: &str| pool.is_some_and(|pool| pool.find(name).is_some());
        let mut name = printing::name(text, &known);
        while let Some(inner) = dress::bare(name).filter(|_| !known(name)) {
            name = printing::name(inner, &known);
        }
        match printing::phrase(name).filter(|_| self.frame.sets && !known(name)) {
            Some(before) => before,
            None => name,
        }
    }

    /// Notes that a line is passed over, and as what.
    pub(super) fn pass_over(&mut self, what: &str, line: &str) {
        self.comments += 1;
        let note = format!("passed over as {what}: {}", quoted(line));
        if self.comments <= MOST_COMMENTS || what.starts_with("a group") {
            self.builder.deck.notes.push(note);
        } else {
            self.untold += 1;
            self.last_untold = note;
        }
    }

    /// A line that begins as a comment does, and names no section. Other programs begin sections
    /// so: one that is misspelt within the list must not be lost among what stands above it.
    pub(super) fn pass_over_comment(&mut self, line: &str) {
        let note = format!("passed over as a comment: {}", quoted(line));
        self.marked += 1;
        if self.marked <= MOST_COMMENTS {
            self.builder.deck.notes.push(note);
        } else {
            self.untold += 1;
            self.last_untold = note;
        }
    }

    /// Says how many lines were passed over without being told, or tells the only one.
    pub(super) fn tell_untold(&mut self) {
        let note = match self.untold {
            0 => return,
            1 => std::mem::take(&mut self.last_untold),
            more => format!("passed over: {more} lines more"),
        };
        self.builder.deck.notes.push(note);
    }

    pub(super) fn judge_groups(&mut self) {
        self.judge_group(1);
        self.judge_group(0);
    }

    fn judge_group(&mut self, at: usize) {
        if let Some(total) = self.groups[at].take() {
            self.compare(&total, self.cards - total.before, "in this group");
        }
    }
}
