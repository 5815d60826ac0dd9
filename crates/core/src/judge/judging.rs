//! Judging one deck: from its bytes to its report.

use super::finding::DeckLines;
use super::{Finding, Judge, JudgeError, Report, lookalike};
use crate::deck::{self, Deck, Input, OpenedDeck, SectionNames, SyntaxError};
use crate::format::{CatalogueError, Rulebook};
use crate::origin::Origin;
use crate::resolve::{Resolved, deck_hash};
use crate::rules::{Code, Fault, Severity};
use crate::table::TableError;
use std::cell::OnceCell;
use std::sync::Arc;

/// The result of reading a deck.
#[derive(Debug)]
pub enum ReadDeck<'b> {
    /// A deck of a known format, with its names looked up.
    Deck(Box<Resolved<'b>>),
    /// A deck that names no format, or an unknown one.
    Formatless {
        /// The deck.
        deck: Box<Deck<'b>>,
        /// The text that its spans refer to.
        text: &'b str,
        /// Why the named format is unknown.
        unknown: Option<String>,
    },
    /// Not a deck.
    Unreadable {
        /// All errors.
        errors: Vec<SyntaxError>,
        /// The rules of its format, if that was found.
        rulebook: Option<Arc<Rulebook>>,
    },
}

impl Judge {
    /// Reads a deck's text (see [`deck::open`]) and looks up its names. The format is the judge's
    /// own, else the `stated` one, else the one that the deck names.
    ///
    /// # Errors
    /// Wrong inputs of the run, such as the judge's own format.
    pub fn read<'b>(
        &self,
        bytes: &'b [u8],
        input: Input,
        stated: Option<&str>,
    ) -> Result<ReadDeck<'b>, JudgeError> {
        let slot: OnceCell<Arc<Rulebook>> = OnceCell::new();
        let mut wrong = None;
        let mut unknown = None;
        let mut names = |own: Option<&str>| -> Option<SectionNames<'_>> {
            let id = self.format.as_deref().or(stated).or(own)?;
            match self.rulebook(id) {
                Ok(rulebook) => {
                    let kept = slot.get_or_init(|| rulebook);
                    Some(kept.section_names())
                }
                // An unknown format that the deck names is an error of the deck, not of the call.
                Err(JudgeError::Format(error @ CatalogueError::Unknown { .. }))
                    if self.format.is_none() =>
                {
                    unknown = Some(self.beyond_lock(&error).unwrap_or_else(|| error.to_string()));
                    None
                }
                Err(error) => {
                    wrong = Some(error);
                    None
                }
            }
        };
        let deck = deck::read(bytes, input, &mut names);
        if let Some(error) = wrong {
            return Err(error);
        }
        let text = std::str::from_utf8(crate::text::without_bom(bytes)).unwrap_or("");
        let deck = deck.and_then(|deck| match deck::one_name_too_many(&deck, text) {
            Some(error) => Err(vec![error]),
            None => Ok(deck),
        });
        Ok(match (deck, slot.into_inner()) {
            (Err(errors), rulebook) => ReadDeck::Unreadable { errors, rulebook },
            (Ok(deck), None) => ReadDeck::Formatless { deck: Box::new(deck), text, unknown },
            (Ok(deck), Some(rulebook)) => {
                ReadDeck::Deck(Box::new(Resolved::new(deck, text, rulebook)))
            }
        })
    }

    /// The error of a format whose game is not in the lock of the run.
    fn beyond_lock(&self, error: &CatalogueError) -> Option<String> {
        let CatalogueError::Unknown { id, near } = error else {
            return None;
        };
        let games: Vec<&String> = self.lock()?.games.keys().collect();
        near.is_empty().then(|| {
            let games = crate::text::listed(&games, "and");
            format!(
                "the lock is for {games}, and not for `{id}`; lock that game too, or leave the deck out"
            )
        })
    }

    /// Reads and judges one deck. `name` is what the report calls it.
    ///
    /// # Errors
    /// Wrong inputs of the run. A deck that cannot be read has a report.
    pub fn judge(&self, name: &str, bytes: &[u8], input: Input) -> Result<Report, JudgeError> {
        self.judge_as(name, bytes, input, None)
    }

    /// The same for a deck whose format is stated elsewhere, such as in a form. The judge's own
    /// format goes first, and the deck's last.
    ///
    /// # Errors
    /// As for [`judge`](Judge::judge).
    pub fn judge_as(
        &self,
        name: &str,
        bytes: &[u8],
        input: Input,
        stated: Option<&str>,
    ) -> Result<Report, JudgeError> {
        self.judge_opened(name, self.open(bytes, input, stated), stated)
    }

    /// As [`judge`](Judge::judge), for a local file, which may be a workbook.
    ///
    /// # Errors
    /// As for [`judge`](Judge::judge).
    pub fn judge_file(&self, name: &str, bytes: &[u8], input: Input) -> Result<Report, JudgeError> {
        self.judge_opened(name, self.open_file(bytes, input, None), None)
    }

    fn judge_opened(
        &self,
        name: &str,
        opened: Result<OpenedDeck<'_>, TableError>,
        stated: Option<&str>,
    ) -> Result<Report, JudgeError> {
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let finding = Finding::unreadable(error.message, &error.help);
                return Ok(Report::unreadable(name.to_owned(), finding));
            }
        };
        let read = self.read(&opened.source, opened.input, stated)?;
        let mut report = self.report(name, &read, stated);
        drop(read);
        report.note(opened);
        Ok(report)
    }

    /// Judges a deck that was [read](Judge::read) with the same `stated` format.
    pub fn report(&self, name: &str, read: &ReadDeck<'_>, stated: Option<&str>) -> Report {
        let mut report = Report::blank(name.to_owned());
        let own = |value: &Option<deck::Located<std::borrow::Cow<'_, str>>>| {
            value.as_ref().map(|own| own.value.clone().into_owned())
        };
        let (deck, text) = match read {
            ReadDeck::Unreadable { errors, rulebook } => {
                report.of_format(rulebook.as_ref());
                report.findings = errors.iter().cloned().map(Finding::from).collect();
                return report;
            }
            ReadDeck::Formatless { deck, text, .. } => (&**deck, *text),
            ReadDeck::Deck(resolved) => (resolved.deck(), resolved.text()),
        };
        report.name = own(&deck.name);
        report.player = own(&deck.player);
        match read {
            ReadDeck::Deck(resolved) => {
                report.of_format(Some(resolved.of_format()));
                fill(&mut report, resolved);
                self.advise_other_cards(&mut report, resolved);
                report.reading_notes(&deck.notes, text);
                if let Some(notice) = nothing_checked(resolved.of_format()) {
                    report.findings.push(notice);
                    report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
                }
                if deck.lines.is_empty() {
                    report.has_no_cards();
                }
                let mut alike = lookalike::notices(resolved);
                if resolved.names_its_cards() {
                    alike.extend(lookalike::warnings(resolved));
                }
                if !alike.is_empty() {
                    report.findings.extend(alike);
                    report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
                }
                let judged = resolved.rulebook().format().id();
                if let Some(more) = self.another(deck, stated, judged, text) {
                    report.findings.push(more);
                    report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
                }
            }
            ReadDeck::Formatless { unknown, .. } => {
                let (message, help) = match (unknown, stated) {
                    (Some(message), Some(_)) => {
                        (message.clone(), "name one of those in the form".to_owned())
                    }
                    _ => self.without_format(deck, unknown.as_deref()),
                };
                let finding = Finding::of_file(Fault::NoFormat, Severity::Error, message, &help);
                let own = deck.format.as_ref().filter(|_| stated.is_none());
                report.findings.push(match own {
                    Some(own) => {
                        finding.at(crate::text::place(text, own.span.start), vec![own.span])
                    }
                    None => finding,
                });
            }
            ReadDeck::Unreadable { .. } => {}
        }
        report
    }
}

impl Judge {
    /// The message and the help for a deck that names no format, or an `unknown` one.
    pub fn without_format(&self, deck: &Deck<'_>, unknown: Option<&str>) -> (String, String) {
        if let Some(why) = unknown {
            return (why.to_owned(), "correct the line `Format:`".to_owned());
        }
        let message = "the deck does not say which format it is for".to_owned();
        let mut names: Vec<&str> = deck.lines.iter().map(|line| &*line.name).collect();
        names.sort_unstable();
        names.dedup();
        let games = self.games_of(&names);
        let Some((best, _)) = games.first() else {
            let help = "begin it with `Format: ID`, or use `--format ID`; `decklaw formats list` lists the formats";
            return (message, help.to_owned());
        };
        let held: Vec<String> = games.iter().map(|(id, held)| format!("{id} has {held}")).collect();
        let of = crate::text::counted(i64::try_from(names.len()).unwrap_or(i64::MAX), "card");
        let held = crate::text::listed(&held, "and");
        let help =
            format!("of its {of} {held}: begin it with `Format: {best}`, or use `--format {best}`");
        (message, help)
    }

    /// Notes that a deck, or its row of a form, names a format other than the one that it is judged
    /// by.
    fn another(
        &self,
        deck: &Deck<'_>,
        form: Option<&str>,
        judged: &str,
        text: &str,
    ) -> Option<Finding> {
        let is_judged = |word: &str| {
            let meant = self.catalogue().format(word);
            meant.is_ok_and(|meant| meant.id() == judged)
        };
        let shown = |word| crate::text::escape_control(word, false);
        let by_call = format!("is judged as {judged}, as the call asks");
        let Some(own) = deck.format.as_ref() else {
            let form = form.filter(|form| self.format.is_some() && !is_judged(form))?;
            let message = format!("the form says `{}`, and the deck {by_call}", shown(form));
            let notice = Finding::of_file(Fault::OtherFormat, Severity::Notice, message, "");
            return Some(notice);
        };
        let given = self.format.as_deref().or(form)?;
        if *own.value == *given || is_judged(&own.value) {
            return None;
        }
        let own_words = shown(&own.value);
        let (message, help) = match self.format {
            Some(_) => (format!("the deck is for `{own_words}`, and {by_call}"), ""),
            None => (
                format!(
                    "the deck is for `{own_words}`, and the form says `{}`; it is judged as {judged}",
                    shown(given)
                ),
                "ask which one is meant",
            ),
        };
        let finding = Finding::of_file(Fault::OtherFormat, Severity::Notice, message, help);
        let place = crate::text::place(text, own.span.start);
        Some(finding.at(place, vec![own.span]))
    }
}

/// The rule of a deck whose format has no rules.
const UNJUDGED: &str = "unjudged";

/// Notes that a format has no rules, so that every deck of it is legal.
fn nothing_checked(rulebook: &Rulebook) -> Option<Finding> {
    let of_every_game = |kind: &str| matches!(kind, "unknown-card" | "accepts");
    let mut rules = rulebook.rules().iter();
    if !rules.all(|rule| of_every_game(rule.kind)) {
        return None;
    }
    let id = rulebook.format().id();
    let message = format!("format `{id}` has no rules: nothing was checked");
    Some(Finding {
        rule: UNJUDGED.to_owned(),
        code: Code::new(UNJUDGED, Fault::NoRules),
        ..Finding::of_file(Fault::NoRules, Severity::Notice, message, "")
    })
}

impl Judge {
    /// Says where cards come from if a deck has no card that decklaw ships: its names are not
    /// misspelled.
    fn advise_other_cards(&self, report: &mut Report, resolved: &Resolved<'_>) {
        /// Fewer names may be misspelled.
        const FEWEST: usize = 3;
        /// The most names that are looked up.
        const MOST_COMPARED: usize = 100;
        let (list, pool) = (resolved.list(), resolved.pool());
        let game = resolved.rulebook().format().game().id();
        let is_unknown = |finding: &&mut Finding| finding.code.fault == Fault::NotInPool;
        let mut unknown: Vec<&mut Finding> =
            report.findings.iter_mut().filter(is_unknown).collect();
        if unknown.len() < FEWEST
            || self.card_file(game).is_some()
            || self.catalogue().origin(game) != Origin::BuiltIn
            || list.holdings().any(|holding| list.knows(holding.card))
        {
            return;
        }
        let names = unknown.iter().flat_map(|finding| &finding.cards);
        if names.take(MOST_COMPARED).any(|name| pool.slip_of(name).1) {
            return;
        }
        let help = format!(
            "the cards of {game} that come with decklaw are invented samples; use your own with `--cards FILE`"
        );
        for finding in &mut unknown {
            finding.help = Some(help.clone());
        }
    }
}

/// Judges a deck by the rules of its format.
fn fill(report: &mut Report, resolved: &Resolved<'_>) {
    let (rulebook, list) = (resolved.rulebook(), resolved.list());
    let contents = resolved.contents();
    let judgements = rulebook.judge(&contents);
    report.verdict = rulebook.verdict(&judgements);
    report.hash = Some(deck_hash(rulebook.format().id(), list.sections(), &contents));
    let mut counts = vec![0_i64; list.sections().len()];
    for holding in contents.all() {
        counts[usize::from(holding.section)] += holding.copies;
    }
    report.cards = list.sections().iter().cloned().zip(counts).collect();
    report.meters = rulebook.meters(&contents);
    let written = DeckLines::of(resolved);
    report.findings = judgements
        .into_iter()
        .map(|judgement| Finding::of(judgement, rulebook, &contents, &written))
        .collect();
    let notices = resolved.of_format().list_notices().iter();
    report.findings.extend(notices.map(Finding::of_list));
    report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
}
