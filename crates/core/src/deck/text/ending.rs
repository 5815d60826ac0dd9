//! The end of a list: totals, notes, and what only the whole list shows.

use super::*;

impl<'a> Reader<'a, '_> {
    /// Reports prose above cards: it may be a heading or a card.
    #[cold]
    pub(super) fn prose_next_to_cards(&mut self) {
        let names = self.names();
        for line in std::mem::take(&mut self.prose) {
            let wrong = match marks::is_rule(line) {
                true => Wrong::new(
                    format!(
                        "{} is between cards, and may begin a section.",
                        quoted(line)
                    ),
                    "Write the section's name on a line of its own, or take the line out.",
                ),
                false => heading::no_section(heading(line).word, &names),
            };
            self.wrong(line, wrong);
        }
    }

    /// Notes the prose above a heading or at the end.
    pub(super) fn note_prose(&mut self) {
        let prose = std::mem::take(&mut self.prose);
        for line in prose {
            self.note(line, format!("passed over: {}", quoted(line)), "");
        }
    }

    /// Notes something about a line.
    pub(super) fn note(&mut self, line: &str, message: String, help: &str) {
        let span = self.deck.span(line);
        if self.deck.deck.notes.len() >= MOST_ERRORS {
            return;
        }
        self.deck.deck.notes.push(Note {
            fault: Fault::Recoded,
            severity: Severity::Notice,
            message,
            help: help.to_owned(),
            span: Some(span),
        });
    }

    /// Notes something once, however often it is found.
    pub(super) fn note_once(&mut self, message: &str) {
        let notes = &mut self.deck.deck.notes;
        let known = notes.iter().any(|note| note.message == message);
        if !known && notes.len() < MOST_ERRORS {
            notes.push(Note {
                fault: Fault::Recoded,
                severity: Severity::Notice,
                message: message.to_owned(),
                help: String::new(),
                span: None,
            });
        }
    }

    /// Notes some lines, and how many there are beyond those.
    pub(super) fn note_lines(&mut self, lines: &[&'a str], about: &str) {
        for line in lines.iter().take(MOST_NOTES) {
            self.note(line, format!("{about}: {}", quoted(line)), "");
        }
        if lines.len() > MOST_NOTES {
            let more = lines.len() - MOST_NOTES;
            let message = format!("{about}: {more} lines more");
            let line = lines.get(MOST_NOTES).copied().unwrap_or_default();
            self.note(line, message, "");
        }
    }

    /// Whether the list is plainly pasted from another program: at least half of its lines have
    /// marks that decklaw does not write, and not only one of several.
    pub(super) fn is_pasted(&self) -> bool {
        let few = self.cards > 2 && self.marked < 2;
        (self.marked > 0 && !few && 2 * self.marked >= self.cards)
            || (self.pasted && self.cards > 0)
    }

    /// Ends the last section and the list.
    pub(super) fn end(&mut self) {
        self.close();
        if let Some(total) = self.grand.take() {
            let counted = [self.copies, self.copies - self.copies_left_out];
            self.judge(&total, &counted, "in the list");
        }
    }

    pub(super) fn finish(mut self) -> Result<Deck<'a>, Vec<SyntaxError>> {
        self.end();
        let names = self.names();
        if self.cards == 0 && self.left_out.is_empty() && !self.headed {
            self.prose_next_to_cards();
        }
        self.note_prose();
        let pasted = self.is_pasted();
        let wrong = match pasted {
            true => std::mem::take(&mut self.pasted_errors),
            false => std::mem::take(&mut self.comment_headings),
        };
        for (line, wrong) in wrong {
            self.wrong(line, wrong);
        }
        // Marks that no name has are removed from every name of a list that has them.
        let any_pool = names.pool.is_some_and(|pool| !pool.is_empty());
        if (any_pool && self.unmarked > 0)
            || (!any_pool && pasted && !self.foreign.is_empty())
            || self.footed == Some(true)
        {
            self.remove_plain_marks(any_pool);
        }
        self.judge_gaps(pasted);
        let comments = std::mem::take(&mut self.comments);
        let told = comments.iter().filter(|(_, holds)| pasted || *holds);
        let told: Vec<&str> = told.map(|(line, _)| *line).collect();
        self.note_lines(&told, "passed over as a comment");
        let mut read = std::mem::take(&mut self.noted);
        if !pasted {
            read.append(&mut self.foreign);
        }
        self.note_lines(&read, "read without its marks");
        for LeftOut { word, copies } in std::mem::take(&mut self.left_out) {
            if copies > 0 {
                let of = crate::text::counted(i64::try_from(copies).unwrap_or(i64::MAX), "card");
                let message = format!("{} is no part of the deck: {of} left out", quoted(word));
                self.note(word, message, "");
            }
        }
        if names.open {
            self.note_empty_sections();
        }
        self.deck.finish()
    }

    pub(super) fn remove_plain_marks(&mut self, any_pool: bool) {
        let pool = self.names().pool.filter(|_| any_pool);
        let source = self.deck.source;
        let footed = self.footed();
        let every_set = footed
            && self.deck.deck.lines.iter().all(|line| {
                // The identity has no count, and lost its set already.
                line.digits.is_empty() || marks::phrase(marks::strip_plain(&line.name)).is_some()
            });
        for line in &mut self.deck.deck.lines {
            let Cow::Borrowed(name) = line.name else {
                continue;
            };
            if pool.is_some_and(|pool| pool.find(name).is_some()) {
                continue;
            }
            let name = match marks::category(name) {
                Some((before, _)) => before,
                None => name,
            };
            let plain = marks::strip_plain(name);
            let plain = match marks::phrase(plain).filter(|_| every_set) {
                Some(before) => before,
                None => plain,
            };
            let start = (plain.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
            line.name = Cow::Borrowed(plain);
            line.span = Span::new(start, start + plain.len());
        }
    }

    /// Judges blank lines that may begin a sideboard.
    pub(super) fn judge_gaps(&mut self, pasted: bool) {
        let names = self.names();
        let gaps = std::mem::take(&mut self.gaps);
        if self.headed {
            for span in gaps.iter().filter(|_| pasted) {
                let message = "A blank line is above this card, and many programs begin another section with one.";
                let help =
                    "Write the section's name on a line above it, or take the blank line out.";
                self.deck.wrong(*span, message, help);
            }
        } else if let Some(span) = gaps.first().filter(|_| names.ids.len() > 1) {
            let message = format!(
                "the blank line above this card may begin another section; all cards are read as {}",
                quoted(names.first)
            );
            self.deck.deck.notes.push(Note {
                fault: Fault::BlankLine,
                severity: Severity::Warning,
                message,
                help: "write the section's name on a line of its own, or take the blank line out"
                    .to_owned(),
                span: Some(*span),
            });
        }
    }

    /// Notes sections without cards: each may be a card without a count.
    pub(super) fn note_empty_sections(&mut self) {
        let mut filled = vec![false; self.deck.sections.len()];
        for line in &self.deck.deck.lines {
            if let Some(filled) = filled.get_mut(usize::from(line.section)) {
                *filled = true;
            }
        }
        let empty: Vec<Span> = (self.deck.sections.iter().zip(filled))
            .filter(|(_, filled)| !filled)
            .map(|(section, _)| section.span)
            .collect();
        for span in empty.into_iter().take(MOST_NOTES) {
            let word = self
                .deck
                .source
                .get(span.start..span.end)
                .unwrap_or_default();
            let message = format!("{} is read as a section without cards", quoted(word));
            let help = format!("if it is a card, write {}", line::example("1", word));
            self.note(word, message, &help);
        }
    }
}
