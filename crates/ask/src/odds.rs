//! How likely hands are.

use crate::deck::Source;
use crate::library::{DRAWS, JudgeEntry, Library};
use crate::notes::Notes;
use crate::problem;
use crate::question::{Ask, Odds, counting};
use decklaw_engine::odds::{
    self, AnswerJson, DrawnSection, Events, Mulligan, OddsDefaults, OddsQuestion, OddsReport,
    Population, render,
};
use decklaw_judge::Note;
use decklaw_judge::render::{
    DeckLabel, DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns,
};
use decklaw_judge::resolve::{Decklist, Resolved};
use decklaw_text::Problem;
use decklaw_text::spreadsheet::Cell;
use serde::Serialize;
use serde_json::Value;

/// How likely hands are: `decklaw/odds/1`.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct OddsAnswer {
    /// The answers.
    #[serde(flatten)]
    pub report: OddsReport,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
    /// The section drawn from.
    #[serde(skip)]
    pub section: String,
    /// What tables say of the deck.
    #[serde(skip)]
    pub label: DeckLabel,
}

impl OddsAnswer {
    /// The probability of the first query, as the nearest double; `None` for a total or a refused
    /// question.
    pub fn probability(&self) -> Option<f64> {
        self.report.answers.first()?.answer.value.probability()
    }

    /// The exact probability or mean of the first query, `a/b`; `None` for a refused question.
    pub fn fraction(&self) -> Option<String> {
        self.report.answers.first()?.answer.value.fraction()
    }

    /// What is to be known of each query, of the deck and of the question.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        let own = self.report.answers.iter().flat_map(|entry| &entry.notes);
        own.chain(&self.report.notes)
    }

    /// The answers as an SVG picture.
    pub fn to_svg(&self) -> String {
        render::to_svg(&self.report)
    }
}

impl Written for OddsAnswer {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for OddsAnswer {
    fn human(&self, _: &TextStyle) -> String {
        render::to_human(&self.report)
    }

    fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let rows = render::rows(&self.report).into_iter();
        let rows = rows.map(|row| self.label.row(&self.report.deck, row));
        (deck_columns(&render::HEADER), rows.collect())
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        Some(vec![DeckNotes { deck: &self.report.deck, notes: &self.report.notes }])
    }

    fn is_ok(&self) -> bool {
        self.report.is_complete()
    }
}

/// Reads a policy such as `shuffle, at most 2, bottom 0 1 2`. What it does not say is the game's.
///
/// # Errors
/// An unknown word, a number that cannot be read, a part that occurs twice.
pub(crate) fn policy(text: Option<&str>) -> Result<OddsQuestion, Problem> {
    let mut policy = OddsQuestion::default();
    for part in text.into_iter().flat_map(|text| text.split(',')) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let number = |word: &&str| {
            let number = word.parse::<u32>();
            number.map_err(|_| problem::query(format!("`{word}` is not a whole number")))
        };
        let twice = match words.as_slice() {
            ["none"] => policy.mulligan.replace(Mulligan::None).is_some(),
            ["aside"] => policy.mulligan.replace(Mulligan::Aside).is_some(),
            ["shuffle"] => policy.mulligan.replace(Mulligan::Shuffle).is_some(),
            ["at", "most", most] => policy.mulligans.replace(number(most)?).is_some(),
            ["bottom", numbers @ ..] if !numbers.is_empty() => {
                let numbers: Result<Vec<u32>, Problem> = numbers.iter().map(number).collect();
                policy.bottom.replace(numbers?).is_some()
            }
            _ => {
                return Err(problem::query(format!(
                    "`{}` is not `none`, `shuffle`, `aside`, `at most N` or `bottom N N …`",
                    part.trim()
                )));
            }
        };
        if twice {
            let part = part.trim();
            return Err(problem::query(format!("`{part}` repeats a part of the policy")));
        }
    }
    Ok(policy)
}

/// The section of a deck that hands are drawn from.
pub(crate) fn drawn(
    resolved: &Resolved<'_>,
    asked: Option<&str>,
    defaults: &OddsDefaults,
) -> DrawnSection {
    let own = defaults.section.as_ref().map(|own| own.value.as_str());
    DrawnSection::of(resolved, asked, own)
}

/// The index of the section of a deck that hands are drawn from; `None`: it has none.
pub(crate) fn section_of(deck: &Decklist, defaults: &OddsDefaults) -> Option<u16> {
    let own = defaults.section.as_ref().map(|own| own.value.as_str());
    let first = deck.rulebook().format().game().section_names().first;
    deck.section(own.unwrap_or(first))
}

/// The answers to the game's presets for a deck, and to a goal that is not a preset; `None`: there
/// is no question, or no hand can be drawn. Questions that cannot be asked are noted.
pub(crate) fn preset_answers(
    deck: &Decklist,
    goal: Option<(&str, Option<u32>)>,
    defaults: &OddsDefaults,
    question: &OddsQuestion,
    notes: &mut Notes,
) -> Option<Vec<AnswerJson>> {
    if defaults.hand.is_empty() && question.hand.is_none() {
        return None;
    }
    let section = section_of(deck, defaults)?;
    let population = Population::of_list(deck, usize::from(section)).ok()?;
    let mut answers =
        |question: &OddsQuestion| match odds::answer("-", &population, defaults, question) {
            Ok(report) => report.answers_json(),
            Err(problem) => {
                notes.cut_short(format!("no odds: {}", problem.message));
                Vec::new()
            }
        };
    let is_preset = |(query, turn): &(&str, Option<u32>)| {
        let mut presets = defaults.presets.iter();
        presets.any(|own| {
            let query_of = own.query.as_ref().map(|query| query.value.as_str());
            (query_of, own.turn) == (Some(*query), *turn)
        })
    };
    let mut all = Vec::new();
    if let Some((query, turn)) = goal.filter(|goal| !is_preset(goal)) {
        all.extend(answers(&OddsQuestion {
            queries: vec![query.to_owned()],
            turns: turn,
            ..question.clone()
        }));
    }
    if !defaults.presets.is_empty() {
        all.extend(answers(question));
    }
    (!all.is_empty()).then_some(all)
}

impl Odds {
    pub(crate) fn question(&self) -> Result<OddsQuestion, Problem> {
        let mut events = self.event.iter();
        let event = events.next();
        if events.next().is_some() {
            return Err(problem::query("only one event can be asked about at a time"));
        }
        let event = event.map_or_else(Events::default, |(name, turns)| Events {
            name: Some(name.clone()),
            turns: turns.clone(),
        });
        let seed = self.seed.as_deref().unwrap_or("decklaw").to_owned();
        Ok(OddsQuestion {
            queries: self.queries.clone(),
            hand: self.hand,
            turns: self.turns,
            given: self.given.clone(),
            keep: self.keep_hand.clone(),
            draws: self.draws,
            expect: self.expect.clone(),
            path: self.path.clone(),
            events: event,
            seat: self.seat,
            work: Some(counting(self.effort)?),
            memory: self.memory,
            show_work: self.show_work,
            deal: (self.deal > 0).then_some((self.deal, seed)),
            ..policy(self.policy.as_deref())?
        })
    }

    /// The answer for a deck that was read, with the notes of the deck.
    pub(crate) fn answer(
        &self,
        entry: &JudgeEntry,
        resolved: &Resolved<'_>,
        mut notes: Notes,
    ) -> Result<OddsAnswer, Problem> {
        let rulebook = resolved.rulebook();
        let defaults = entry.draws(rulebook.format().game().id())?;
        let drawn = drawn(resolved, self.section.as_deref(), &defaults);
        let population = Population::of_section(resolved, &drawn.section)?;
        let mut report = odds::answer("-", &population, &defaults, &self.question()?)?;
        notes.extend(drawn.note);
        notes.extend(report.notes);
        report.notes = notes.into();
        Ok(OddsAnswer {
            rules: entry.rules_of(rulebook, &[DRAWS])?,
            section: drawn.section,
            label: DeckLabel::of(resolved),
            report,
        })
    }
}

impl Ask for Odds {
    type Answer = OddsAnswer;

    fn ask(self, library: &Library) -> Result<OddsAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let resolved = source.resolved(&entry)?;
        self.answer(&entry, &resolved, Notes::of(&resolved))
    }
}
