//! The end of a list: notes, and what only the whole list shows.

use super::*;
use decklaw_cards::pool::NameField;

impl<'a> Reader<'a, '_> {
    /// Reports prose above cards: it may be a heading or a card.
    #[cold]
    pub(super) fn prose_next_to_cards(&mut self) {
        let names = self.names();
        for line in std::mem::take(&mut self.aside.prose) {
            let wrong = if marks::is_rule(line) {
                let message =
                    format!("{} is between cards, and may begin a section.", quoted(line));
                let help = "Write the section's name on a line of its own, or take the line out.";
                Wrong::new(message, help)
            } else {
                names.no_section(heading(line).word)
            };
            self.wrong(line, wrong);
        }
    }

    /// Notes the prose above a heading or at the end.
    pub(super) fn note_prose(&mut self) {
        for line in std::mem::take(&mut self.aside.prose) {
            self.note(Fault::LeftOut, line, format!("ignored: {}", quoted(line)), "");
        }
    }

    /// Notes something about a line.
    pub(super) fn note(&mut self, fault: Fault, line: &str, message: String, help: &str) {
        let span = Some(self.builder.span(line));
        if self.builder.deck.notes.len() < MOST_ERRORS {
            self.builder.deck.note(fault, message, help, span);
        }
    }

    /// Notes something once, however often it is found.
    pub(super) fn note_once(&mut self, fault: Fault, message: &str) {
        let deck = &mut self.builder.deck;
        let is_known = deck.notes.iter().any(|note| note.message == message);
        if !is_known && deck.notes.len() < MOST_ERRORS {
            deck.note(fault, message.to_owned(), "", None);
        }
    }

    /// Notes some lines, and how many there are beyond those.
    fn note_lines(&mut self, fault: Fault, lines: &[&'a str], about: &str) {
        for line in lines.iter().take(MOST_NOTES) {
            self.note(fault, line, format!("{about}: {}", quoted(line)), "");
        }
        if let Some(line) = lines.get(MOST_NOTES) {
            let more = (lines.len() - MOST_NOTES) as i64;
            let more = decklaw_text::text::counted(more, "more line");
            self.note(fault, line, format!("{about}: {more}"), "");
        }
    }

    /// Whether the list is plainly pasted from another program: at least half of its lines have
    /// marks that decklaw does not write, and not only one of several.
    fn is_pasted(&self) -> bool {
        let is_one_of_several = self.style.cards > 2 && self.style.marked < 2;
        let is_marked = self.style.marked > 0
            && !is_one_of_several
            && 2 * self.style.marked >= self.style.cards;
        is_marked || (self.style.pasted && self.style.cards > 0)
    }

    /// Ends the last section and the list.
    pub(super) fn close_list(&mut self) {
        self.close(Level::Section);
        if let Some(total) = self.totals.grand.take() {
            let left_out: u64 = self.left_out.iter().map(|(section, _)| section.copies).sum();
            self.judge(&total, &[self.copies, self.copies - left_out]);
        }
    }

    pub(super) fn finish(mut self) -> Result<Deck<'a>, Vec<SyntaxError>> {
        self.close_list();
        if self.style.cards == 0 && self.left_out.is_empty() && !self.headed {
            self.prose_next_to_cards();
        }
        self.note_prose();
        let pasted = self.is_pasted();
        for (of_pasted, line, wrong) in std::mem::take(&mut self.aside.undecided) {
            if of_pasted == pasted {
                self.wrong(line, wrong);
            }
        }
        // Marks that no name has are removed from every name of a list that has them.
        let has_marks = match self.pool() {
            Some(_) => self.style.unmarked,
            None => pasted && !self.aside.foreign.is_empty(),
        };
        if has_marks || self.footed {
            self.remove_plain_marks();
        }
        self.judge_gaps(pasted);
        let comments = std::mem::take(&mut self.aside.comments).into_iter();
        let comments = comments.filter(|(_, holds_card)| pasted || *holds_card);
        let comments: Vec<&str> = comments.map(|(line, _)| line).collect();
        self.note_lines(Fault::LeftOut, &comments, "ignored as a comment");
        let foreign = std::mem::take(&mut self.aside.foreign).into_iter();
        let foreign = foreign.filter(|(_, is_always)| *is_always || !pasted);
        let foreign: Vec<&str> = foreign.map(|(line, _)| line).collect();
        self.note_lines(Fault::Recoded, &foreign, "read without its marks");
        for (section, span) in std::mem::take(&mut self.left_out) {
            self.builder.note_left_out(section, span);
        }
        if self.names().open {
            self.note_empty_sections();
        }
        self.builder.finish()
    }

    fn remove_plain_marks(&mut self) {
        let pool = self.pool();
        let source = self.builder.source;
        let lines = &mut self.builder.deck.lines;
        // The identity has no count, and lost its set already.
        let has_sets = self.footed
            && lines.iter().all(|line| {
                line.digits.is_empty() || marks::phrase(marks::strip_plain(&line.name)).is_some()
            });
        for line in lines {
            let Cow::Borrowed(name) = line.name else {
                continue;
            };
            if pool.is_some_and(|pool| pool.look_up(name, NameField::Name).card().is_some()) {
                continue;
            }
            let name = marks::category(name).map_or(name, |(before, _)| before);
            let plain = marks::strip_plain(name);
            let plain = marks::phrase(plain).filter(|_| has_sets).unwrap_or(plain);
            let start = (plain.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
            line.name = Cow::Borrowed(plain);
            line.span = Span::new(start, start + plain.len());
        }
    }

    /// Judges blank lines that may begin another section.
    fn judge_gaps(&mut self, pasted: bool) {
        let gaps = std::mem::take(&mut self.gaps);
        // A comment may say why there is a blank line.
        let is_wrong = |gap: &Gap| self.headed && pasted && !gap.is_commented;
        let (wrong, other): (Vec<Gap>, Vec<Gap>) = gaps.found.into_iter().partition(is_wrong);
        for gap in wrong {
            let message = "A blank line is above this card, and many programs begin another section with one.";
            self.builder.wrong(gap.span, message, format!("To read it, {BREAK_OR_JOIN}."));
        }
        let other = other.into_iter();
        let other: Vec<Gap> = other.filter(|gap| !self.headed || self.is_doubtful(gap)).collect();
        self.builder.warn_of_gaps(&other);
        if let Some(span) = gaps.unmarked {
            let message = "the line above names its section, and this one and those below do not";
            let help = "write the section's name on a line above them, or before each card";
            self.builder.deck.note(Fault::Recoded, message.to_owned(), help, Some(span));
        }
    }

    /// Whether a blank line below a heading may begin a section that has no heading: the sideboard
    /// or, where the format has none, any other below the cards that are dealt; these below others.
    fn is_doubtful(&self, gap: &Gap) -> bool {
        let names = self.names();
        let sections = &self.builder.deck.sections;
        let is_named = |id: &str| sections.iter().any(|section| section.id == id);
        let own = sections.get(usize::from(gap.section)).map(|section| &*section.id);
        let is_complete = if own != Some(names.first) {
            is_named(names.first)
        } else if let Some(side) = names.side() {
            is_named(side)
        } else {
            names.ids.iter().all(|id| is_named(id))
        };
        !gap.is_proven && !is_complete
    }

    /// Notes sections without cards: each may be a card without a count.
    fn note_empty_sections(&mut self) {
        let mut is_filled = vec![false; self.builder.deck.sections.len()];
        for line in &self.builder.deck.lines {
            if let Some(is_filled) = is_filled.get_mut(usize::from(line.section)) {
                *is_filled = true;
            }
        }
        let sections = self.builder.deck.sections.iter().zip(is_filled);
        let empty = sections.filter(|(_, is_filled)| !is_filled);
        let spans: Vec<Span> = empty.map(|(section, _)| section.span).take(MOST_NOTES).collect();
        for span in spans {
            let word = self.builder.source.get(span.start..span.end).unwrap_or_default();
            let message = format!("{} is read as a section without cards", quoted(word));
            let (digits, name) = count::behind(word).unwrap_or(("1", word));
            let help = format!("if it is a card, write {}", count::example(digits, name));
            self.note(Fault::Recoded, word, message, &help);
        }
    }
}
