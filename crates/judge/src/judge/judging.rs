//! Judging one deck: from its bytes to its report.

use super::finding::DeckLines;
use super::{Finding, Judge, Report, lookalike, notes};
use crate::resolve::{Resolved, deck_hash};
use decklaw_decks::deck::{
    self, Deck, Draft, Input, OpenedDeck, ReaderNote, SectionNames, SyntaxError,
};
use decklaw_rules::format::Rulebook;
use decklaw_rules::origin::Origin;
use decklaw_rules::rules::{Code, Fault, Severity};
use decklaw_text::name::fold;
use decklaw_text::{Problem, ProblemKind, ReadError};
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
        /// What is to be known of its file.
        notes: Vec<ReaderNote>,
    },
    /// Not a deck.
    Unreadable {
        /// All errors.
        errors: Vec<SyntaxError>,
        /// The rules of its format, if that was found.
        rulebook: Option<Arc<Rulebook>>,
        /// What is to be known of its file.
        notes: Vec<ReaderNote>,
    },
}

impl Judge {
    /// Reads a deck that was [opened](Judge::open) and looks up its names. The format is the judge's
    /// own, else the `stated` one, else the one that the deck names.
    ///
    /// # Errors
    /// Wrong inputs of the run, such as the judge's own format.
    pub fn read<'b>(
        &self,
        opened: &'b OpenedDeck<'_>,
        stated: Option<&str>,
    ) -> Result<ReadDeck<'b>, Problem> {
        let bytes = &*opened.source;
        let notes = opened.notes.clone();
        let draft = match Draft::of(bytes, opened.input) {
            Ok(draft) => draft,
            Err(errors) => return Ok(ReadDeck::Unreadable { errors, rulebook: None, notes }),
        };
        let id = self.format.as_deref().or(stated).or(draft.format());
        let (rulebook, unknown) = match id.map(|id| self.rulebook(id)) {
            None => (None, None),
            Some(Ok(rulebook)) => (Some(rulebook), None),
            // An unknown format that the deck names is an error of the deck, not of the call.
            Some(Err(problem))
                if problem.kind == ProblemKind::NotFound && self.format.is_none() =>
            {
                (None, id.and_then(|id| self.beyond_lock(id)).or(Some(problem.message)))
            }
            Some(Err(error)) => return Err(error),
        };
        let names = rulebook.as_ref().map_or(SectionNames::OPEN, |known| known.section_names());
        let deck = draft.read(names);
        let text = std::str::from_utf8(decklaw_text::text::without_bom(bytes)).unwrap_or("");
        let deck = deck.and_then(|deck| match deck::one_name_too_many(&deck, text) {
            Some(error) => Err(vec![error]),
            None => Ok(deck),
        });
        Ok(match (deck, rulebook) {
            (Err(errors), rulebook) => ReadDeck::Unreadable { errors, rulebook, notes },
            (Ok(deck), None) => ReadDeck::Formatless { deck: Box::new(deck), text, unknown, notes },
            (Ok(deck), Some(rulebook)) => {
                let mut resolved = Resolved::new(deck, text, rulebook);
                let game = resolved.of_format().format().game().id();
                let of_samples = self.card_file(game).is_none()
                    && self.catalogue().origin(game) == Origin::BuiltIn;
                let about = self.about(&resolved, stated);
                resolved.noted(notes.into_iter().chain(about), of_samples);
                ReadDeck::Deck(Box::new(resolved))
            }
        })
    }

    /// What is to be known of a deck's format and its names.
    fn about(&self, resolved: &Resolved<'_>, stated: Option<&str>) -> Vec<ReaderNote> {
        let mut about: Vec<ReaderNote> = self.another(resolved, stated).into_iter().collect();
        if resolved.deck().lines.is_empty() {
            about.push(ReaderNote {
                help: "look whether it is the file that was meant".to_owned(),
                ..ReaderNote::notice(Fault::NoCards, "this deck has no cards".to_owned())
            });
        }
        about.extend(lookalike::notices(resolved));
        if resolved.names_its_cards() {
            about.extend(lookalike::warnings(resolved));
        }
        about
    }

    /// The error of a format whose game is not in the lock of the run.
    fn beyond_lock(&self, id: &str) -> Option<String> {
        let games: Vec<&String> = self.lock()?.games.keys().collect();
        let id = fold(id);
        self.catalogue.near(&id).is_empty().then(|| {
            let games = decklaw_text::text::listed(&games, "and");
            format!(
                "the lock is for {games}, and not for `{id}`; lock that game too, or leave the deck out"
            )
        })
    }

    /// Reads and judges one deck. `name` is what the report calls it.
    ///
    /// # Errors
    /// Wrong inputs of the run. A deck that cannot be read has a report.
    pub fn judge(&self, name: &str, bytes: &[u8], input: Input) -> Result<Report, Problem> {
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
    ) -> Result<Report, Problem> {
        self.judge_opened(name, self.open(bytes, input, stated), stated)
    }

    /// As [`judge`](Judge::judge), for a local file, which may be a workbook.
    ///
    /// # Errors
    /// As for [`judge`](Judge::judge).
    pub fn judge_file(&self, name: &str, bytes: &[u8], input: Input) -> Result<Report, Problem> {
        self.judge_opened(name, self.open_file(bytes, input, None), None)
    }

    fn judge_opened(
        &self,
        name: &str,
        opened: Result<OpenedDeck<'_>, ReadError>,
        stated: Option<&str>,
    ) -> Result<Report, Problem> {
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return Ok(Report::unreadable(name.to_owned(), error.into())),
        };
        let read = self.read(&opened, stated)?;
        let mut report = self.report(name, &read, stated);
        drop(read);
        report.keep_text(opened);
        Ok(report)
    }

    /// Judges a deck that was [read](Judge::read) with the same `stated` format.
    pub fn report(&self, name: &str, read: &ReadDeck<'_>, stated: Option<&str>) -> Report {
        let mut report = Report::blank(name.to_owned());
        let own = |value: &Option<deck::Located<std::borrow::Cow<'_, str>>>| {
            value.as_ref().map(|own| own.value.clone().into_owned())
        };
        let (deck, text) = match read {
            ReadDeck::Unreadable { errors, rulebook, notes } => {
                report.of_format(rulebook.as_ref());
                report.findings = errors.iter().cloned().map(Finding::from).collect();
                report.notes(notes, "");
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
                notes::advise_other_cards(&mut report.findings, resolved);
                report.findings.extend(nothing_checked(resolved.of_format()));
                report.notes(resolved.reader_notes(), text);
                report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
            }
            ReadDeck::Formatless { unknown, notes, .. } => {
                let (message, help) = match (unknown, stated) {
                    (Some(message), Some(_)) => {
                        (message.clone(), "name one of those in the form".to_owned())
                    }
                    _ => {
                        let missing = self.without_format(deck, unknown.as_deref());
                        report.nearest_format = missing.nearest;
                        (missing.message, missing.help)
                    }
                };
                let finding = Finding::of_file(Fault::NoFormat, Severity::Error, message, &help);
                let own = deck.format.as_ref().filter(|_| stated.is_none());
                report.findings.push(match own {
                    Some(own) => {
                        finding.at(decklaw_text::text::place(text, own.span.start), vec![own.span])
                    }
                    None => finding,
                });
                report.notes(notes, text);
            }
            ReadDeck::Unreadable { .. } => {}
        }
        report
    }
}

/// What to report of a deck without a known format.
#[derive(Debug, Clone)]
pub struct MissingFormat {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The format with most of the deck's cards.
    pub nearest: Option<String>,
}

impl Judge {
    /// What to report of a deck that names no format, or an `unknown` one.
    pub fn without_format(&self, deck: &Deck<'_>, unknown: Option<&str>) -> MissingFormat {
        if let Some(why) = unknown {
            let (message, help) = (why.to_owned(), "correct the line `Format:`".to_owned());
            return MissingFormat { message, help, nearest: None };
        }
        let message = if deck.lines.is_empty() {
            "the deck has no cards and names no format".to_owned()
        } else {
            "the deck names no format".to_owned()
        };
        let mut names: Vec<&str> = deck.lines.iter().map(|line| &*line.name).collect();
        names.sort_unstable();
        names.dedup();
        let games = self.games_of(&names);
        let Some(&(best, held)) = games.first() else {
            let help = "add the line `Format: ID`, or use `--format ID`; `decklaw formats list` lists the formats";
            return MissingFormat { message, help: help.to_owned(), nearest: None };
        };
        let of =
            decklaw_text::text::counted(i64::try_from(names.len()).unwrap_or(i64::MAX), "card");
        let belong = if held == 1 { "belongs" } else { "belong" };
        let others = games.iter().skip(1).map(|(id, held)| format!(", {held} to {id}"));
        let others: String = others.collect();
        let help = format!(
            "{held} of its {of} {belong} to {best}{others}: add the line `Format: {best}`, or use `--format {best}`"
        );
        MissingFormat { message, help, nearest: Some(best.to_owned()) }
    }

    /// Notes that a deck, or its row of a form, names a format other than the one that it is judged
    /// by.
    fn another(&self, resolved: &Resolved<'_>, form: Option<&str>) -> Option<ReaderNote> {
        let judged = resolved.rulebook().format().id();
        let is_judged = |word: &str| {
            let meant = self.catalogue().format(word);
            meant.is_ok_and(|meant| meant.id() == judged)
        };
        let shown = |word| decklaw_text::text::escape_control(word, false);
        let by_call = format!("is judged as {judged}, as the call asks");
        let Some(own) = resolved.deck().format.as_ref() else {
            let form = form.filter(|form| self.format.is_some() && !is_judged(form))?;
            let message = format!("the form says `{}`, and the deck {by_call}", shown(form));
            return Some(ReaderNote::notice(Fault::OtherFormat, message));
        };
        let given = self.format.as_deref().or(form)?;
        if *own.value == *given || is_judged(&own.value) {
            return None;
        }
        let own_words = shown(&own.value);
        let (message, help) = match self.format {
            Some(_) => (format!("the deck is for `{own_words}`, and {by_call}"), ""),
            None => (
                format!("the deck says `{own_words}` and is judged as `{judged}`"),
                "make sure which one is meant",
            ),
        };
        Some(ReaderNote {
            help: help.to_owned(),
            spans: vec![own.span],
            ..ReaderNote::notice(Fault::OtherFormat, message)
        })
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

/// Judges a deck by the rules of its format.
fn fill(report: &mut Report, resolved: &Resolved<'_>) {
    let (rulebook, list) = (resolved.rulebook(), resolved.list());
    let contents = resolved.contents();
    let judgements = rulebook.judge(&contents);
    report.verdict = rulebook.verdict(&judgements, &contents);
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
