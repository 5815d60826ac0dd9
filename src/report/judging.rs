//! One deck judged: from its bytes to its report.

use super::finding::Written;
use super::judge::{Judge, JudgeError};
use super::{DeckReport, Finding, Verdict, deck_hash, lookalike};
use crate::banlist::Date;
use crate::deck::{self, Deck, Input, Opened, SectionNames, SyntaxError};
use crate::format::CatalogueError;
use crate::name::fold;
use crate::pool::{CardId, Pool};
use crate::rules::{Contents, Failing, Holding, Rulebook, Severity};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A deck as it was read, and the rules that it comes under.
#[derive(Debug)]
pub struct ReadDeck<'b> {
    /// The deck, or all places at which it is none.
    pub deck: Result<Deck<'b>, Vec<SyntaxError>>,
    /// The rules of its format; `None` where nothing tells the format, or there is none of
    /// that name.
    pub rulebook: Option<Arc<Rulebook>>,
    /// Why the format that it names is none.
    pub unknown: Option<String>,
}

impl Judge {
    /// Reads a deck, its section names as its format has them. The format is the one that the
    /// judge was made for, or else the one that somebody `told`, or that the deck names.
    ///
    /// # Errors
    /// Only when the run's own inputs are wrong, the judge's own format among them.
    pub fn read<'b>(
        &self,
        bytes: &'b [u8],
        input: Input,
        told: Option<&str>,
    ) -> Result<ReadDeck<'b>, JudgeError> {
        let slot: OnceCell<Arc<Rulebook>> = OnceCell::new();
        let mut wrong = None;
        let mut unknown = None;
        let mut names = |own: Option<&str>| -> Option<SectionNames<'_>> {
            let id = self.format.as_deref().or(told).or(own)?;
            match self.rulebook(id) {
                Ok(rulebook) => {
                    let kept = slot.get_or_init(|| rulebook);
                    Some(kept.section_names())
                }
                // What a deck says of itself is the deck's fault, and not the call's.
                Err(JudgeError::Format(error @ CatalogueError::Unknown { .. }))
                    if self.format.is_none() =>
                {
                    unknown = Some(error.to_string());
                    None
                }
                Err(error) => {
                    wrong = Some(error);
                    None
                }
            }
        };
        let deck = deck::read(bytes, input, &mut names);
        match wrong {
            Some(error) => Err(error),
            None => Ok(ReadDeck {
                deck,
                rulebook: slot.into_inner(),
                unknown,
            }),
        }
    }

    /// Reads and judges one deck.
    ///
    /// # Errors
    /// Only when the run's own inputs are wrong; a deck that cannot be read is a report.
    pub fn judge(&self, name: &str, bytes: &[u8], input: Input) -> Result<DeckReport, JudgeError> {
        self.judge_as(name, bytes, input, None)
    }

    /// The same for a deck of which somebody else says which format it is for; that goes
    /// before what it says itself, and after what the judge was made for.
    ///
    /// # Errors
    /// As for [`judge`](Judge::judge).
    pub fn judge_as(
        &self,
        name: &str,
        bytes: &[u8],
        input: Input,
        told: Option<&str>,
    ) -> Result<DeckReport, JudgeError> {
        let opened = deck::open(bytes, input);
        let mut report = self.judge_text(name, &opened.source, opened.input, told)?;
        report.note(opened);
        Ok(report)
    }

    /// Judges a deck that is text already.
    fn judge_text(
        &self,
        name: &str,
        bytes: &[u8],
        input: Input,
        told: Option<&str>,
    ) -> Result<DeckReport, JudgeError> {
        let ReadDeck {
            deck: read,
            rulebook,
            unknown,
        } = self.read(bytes, input, told)?;
        let mut report = DeckReport::blank(name.to_owned());
        report.format = rulebook
            .as_ref()
            .map(|rulebook| rulebook.format().id().to_owned());
        report.rulebook.clone_from(&rulebook);
        let deck = match read {
            Ok(deck) => deck,
            Err(errors) => {
                report.findings = errors.into_iter().map(Finding::of_syntax).collect();
                return Ok(report);
            }
        };
        report.name = deck
            .name
            .as_ref()
            .map(|name| name.value.clone().into_owned());
        report.player = deck
            .player
            .as_ref()
            .map(|player| player.value.clone().into_owned());
        let text = std::str::from_utf8(deck::without_bom(bytes)).unwrap_or("");
        let Some(rulebook) = rulebook else {
            let finding = formatless(&deck, text, unknown, told.is_some());
            report.findings.push(finding);
            return Ok(report);
        };
        let of_names =
            if rulebook.format().game().sections().is_empty() && rulebook.pool().is_empty() {
                let pool = Arc::new(Pool::of_names(deck.lines.iter().map(|line| &*line.name)));
                Some(Rulebook::new(
                    rulebook.format(),
                    pool,
                    rulebook.list().cloned(),
                    &self.settings,
                )?)
            } else {
                None
            };
        let rulebook = of_names.as_ref().unwrap_or(&rulebook);
        fill(&mut report, rulebook, &deck, text, self.day);
        if of_names.is_some() {
            let alike = lookalike::warnings(&deck, rulebook.pool(), text);
            report.findings.extend(alike);
            report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
        }
        if let Some(told) = told.filter(|_| self.format.is_none()) {
            let format = rulebook.format();
            report
                .findings
                .extend(self.another(&deck, told, format.id(), text));
            report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
        }
        Ok(report)
    }
}

impl DeckReport {
    /// Says how a deck's file came to be text, and keeps the text if it is not the file's own.
    fn note(&mut self, opened: Opened<'_>) {
        for note in opened.notes {
            let mut finding = Finding::of_file(note, String::new());
            finding.severity = Severity::Notice;
            self.findings.push(finding);
        }
        if let Cow::Owned(text) = opened.source {
            self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
            self.text = String::from_utf8(text).ok();
        }
    }
}

impl Judge {
    /// What is to be said where a deck is judged as what somebody else told, and says itself
    /// that it is for another format.
    fn another(&self, deck: &Deck<'_>, told: &str, judged: &str, text: &str) -> Option<Finding> {
        let own = deck.format.as_ref()?;
        if *own.value == *told {
            return None;
        }
        let meant = self.catalogue().format(&own.value);
        if meant.is_ok_and(|meant| meant.id() == judged) {
            return None;
        }
        let own_words = crate::text::harmless(&own.value, false);
        let told = crate::text::harmless(told, false);
        let mut finding = Finding::of_file(
            format!(
                "the deck says that it is for `{own_words}`, and the form says `{told}`; it is judged as {judged}"
            ),
            "ask which one is meant".to_owned(),
        );
        finding.severity = Severity::Notice;
        finding.place = Some(crate::text::place(text, own.span.start));
        finding.spans = vec![own.span];
        Some(finding)
    }
}

/// No format is named, or one that is `unknown`, by the deck itself or by who was `told`.
fn formatless(deck: &Deck<'_>, text: &str, unknown: Option<String>, told: bool) -> Finding {
    let mut finding = match unknown {
        Some(message) if told => {
            Finding::of_file(message, "name one of those in the form".to_owned())
        }
        Some(message) => Finding::of_file(message, "mend the line `Format:`".to_owned()),
        None => Finding::of_file(
            "the deck does not say which format it is for".to_owned(),
            "begin it with a line such as `Format: any`, or give `--format ID`".to_owned(),
        ),
    };
    if let Some(format) = deck.format.as_ref().filter(|_| !told) {
        finding.place = Some(crate::text::place(text, format.span.start));
        finding.spans = vec![format.span];
    }
    finding
}

/// Judges a deck that was read, by the rules of its format.
fn fill(report: &mut DeckReport, rulebook: &Rulebook, deck: &Deck<'_>, text: &str, day: Date) {
    let game = rulebook.format().game();
    let open = game.section_names().open;
    let ids: Vec<&str> = if open {
        deck.sections.iter().map(|section| &*section.id).collect()
    } else {
        game.sections()
            .iter()
            .map(|section| section.id.as_str())
            .collect()
    };
    let places: Vec<Option<usize>> = deck
        .sections
        .iter()
        .enumerate()
        .map(|(at, section)| {
            if open {
                Some(at)
            } else {
                ids.iter().position(|id| *id == section.id)
            }
        })
        .collect();
    let section_of = |section: usize| places.get(section).copied().flatten();
    let (contents, cards) = contents(deck, rulebook.pool(), &section_of);
    let judgements = rulebook.judge(&contents);
    let errors: Vec<Failing> = judgements
        .iter()
        .filter(|judgement| rulebook.severity(judgement) == Severity::Error)
        .map(|judgement| judgement.violation.failing)
        .collect();
    report.verdict = if errors.is_empty() {
        Verdict::Legal
    } else if errors.iter().all(|failing| *failing == Failing::Shortfall) {
        Verdict::Incomplete
    } else {
        Verdict::Illegal
    };
    report.hash = Some(deck_hash(rulebook.format().id(), &ids, &contents));
    let mut counts = vec![0_i64; ids.len()];
    for holding in contents.all() {
        counts[usize::from(holding.section)] += holding.copies;
    }
    report.cards = ids.iter().map(|id| (*id).to_owned()).zip(counts).collect();
    report.ledgers = rulebook.ledgers(&contents);
    let written = Written::of(deck, &cards, &section_of, text);
    report.findings = judgements
        .into_iter()
        .map(|judgement| Finding::of(judgement, rulebook, &contents, &written))
        .collect();
    if let Some(list) = rulebook.list()
        && let Some(message) = list.outside(day)
    {
        let mut finding = Finding::of_file(message, String::new());
        finding.rule = "banned".to_owned();
        finding.severity = Severity::Notice;
        report.findings.push(finding);
    }
    report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
}

/// What a deck holds, its lines added up by card, and the card of each line.
fn contents<'p>(
    deck: &Deck<'_>,
    pool: &'p Pool,
    section_of: &dyn Fn(usize) -> Option<usize>,
) -> (Contents<'p>, Vec<CardId>) {
    let mut holdings = Vec::with_capacity(deck.lines.len());
    let mut cards = Vec::with_capacity(deck.lines.len());
    let mut strangers: BTreeMap<String, String> = BTreeMap::new();
    let mut pending: Vec<(usize, String)> = Vec::new();
    for (at, line) in deck.lines.iter().enumerate() {
        let section = section_of(usize::from(line.section));
        let card = pool.find(&line.name).unwrap_or_else(|| {
            let folded = fold(&line.name).into_owned();
            let shown = crate::name::tidy(&line.name);
            let smallest = strangers
                .entry(folded.clone())
                .or_insert_with(|| shown.clone().into_owned());
            if *shown < **smallest {
                *smallest = shown.into_owned();
            }
            pending.push((at, folded));
            CardId(u32::MAX)
        });
        cards.push(card);
        holdings.push(Holding {
            card,
            section: u16::try_from(section.unwrap_or(0)).unwrap_or(u16::MAX),
            copies: i64::from(line.count),
        });
    }
    let strangers: Vec<(String, String)> = strangers.into_iter().collect();
    for (at, folded) in pending {
        let place = strangers.partition_point(|(known, _)| *known < folded);
        let card = CardId(u32::try_from(pool.len() + place).unwrap_or(u32::MAX));
        (cards[at], holdings[at].card) = (card, card);
    }
    (Contents::new(pool, holdings, strangers), cards)
}
