//! One question about a deck: the game's policy where the question has none, and all answers.

use super::ask::{Answer, Request, ask, ask_total};
use super::budget::Limit;
use super::conditions::{empty_groups, out_of_reach};
use super::error::{ASK_LESS, GIVEN, KEPT, wrong, wrong_query};
use super::report::{OddsReport, ReportEntry, Value};
use super::schedule::PresetQuery;
use super::{
    DEFAULT_MEMORY, DEFAULT_WORK, Events, HandQuery, Keep, Mulligan, OddsDefaults, OddsError, Path,
    Policy, Population, Preset, TotalQuery, TurnAnswer, deals,
};
use decklaw_judge::Note;
use decklaw_rules::rules::Fault;
use decklaw_text::Problem;
use decklaw_text::text::counted;

/// The most turns that are answered.
const MOST_TURNS: u32 = 1000;

/// What is asked of a deck. What is `None` or empty is as the game has it.
#[derive(Debug, Clone, Default)]
pub struct OddsQuestion {
    /// Hand queries. Without these, `expect` and `path`: the game's presets.
    pub queries: Vec<String>,
    /// Cards of the opening hand.
    pub hand: Option<u32>,
    /// Turns to answer for too, from 1 to this one.
    pub turns: Option<u32>,
    /// A condition on the first hand drawn.
    pub given: Option<String>,
    /// The kind of mulligan.
    pub mulligan: Option<Mulligan>,
    /// The most mulligans taken.
    pub mulligans: Option<u32>,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans.
    pub bottom: Option<Vec<u32>>,
    /// A hand query, or `best`.
    pub keep: Option<String>,
    /// Cards drawn after the kept hand.
    pub draws: u32,
    /// A total whose distribution is asked.
    pub expect: Option<String>,
    /// A path, see [`Path`].
    pub path: Option<String>,
    /// The event that changes how many cards are drawn.
    pub events: Events,
    /// The seat, from 1.
    pub seat: Option<u32>,
    /// The most work; `None`: [`DEFAULT_WORK`].
    pub work: Option<u64>,
    /// The most memory in bytes; `None`: [`DEFAULT_MEMORY`].
    pub memory: Option<u64>,
    /// Whether the answers have the counts behind their values.
    pub show_work: bool,
    /// The number of sample hands, and the text that seeds them.
    pub deal: Option<(u32, String)>,
}

/// Answers everything that is asked of a deck.
///
/// # Errors
/// The first question that has no answer. A question beyond a limit is
/// refused in the report instead.
pub fn answer(
    deck: &str,
    population: &Population<'_>,
    defaults: &OddsDefaults,
    question: &OddsQuestion,
) -> Result<OddsReport, Problem> {
    check_used(question)?;
    let run = Run::new(population, defaults, question)?;
    let mut answers = Vec::new();
    for text in &question.queries {
        let query = PresetQuery::Hand(read("the query", text)?);
        answers.push(run.entry(&query, None, run.hand()?)?);
    }
    if let Some(text) = &question.expect {
        let total = TotalQuery::parse(text);
        let total = total.map_err(|error| wrong_query("the total", text, &error))?;
        answers.push(run.entry(&PresetQuery::Total(total), None, run.hand()?)?);
    }
    if let Some(text) = &question.path {
        answers.push(run.path(text)?);
    }
    let only_deals = question.deal.is_some() && defaults.presets.is_empty();
    if answers.is_empty() && !only_deals {
        if defaults.presets.is_empty() {
            let help = "give a query, such as '1+ \"Name of a card\"'";
            return Err(wrong("this game has no default questions", help));
        }
        answers = run.presets()?;
    }
    let dealt = match &question.deal {
        Some((count, seed)) => deals(population, &question.queries, run.hand()?, *count, seed)?,
        None => Vec::new(),
    };
    let shared = answers.first().map(|first| &first.policy);
    let shared = shared.filter(|one| answers.iter().all(|entry| entry.policy == **one));
    Ok(OddsReport {
        notes: run.notes(),
        remarks: run.remarks(),
        deck: deck.to_owned(),
        population: population.size(),
        hand: run.hand,
        policy: shared.unwrap_or(&run.policy).clone(),
        answers,
        deals: dealt,
    })
}

/// Refuses conditions that no answer would take into account: a path is of the first cards of the
/// deck, whatever is kept.
fn check_used(question: &OddsQuestion) -> Result<(), Problem> {
    let has_hand = !question.queries.is_empty() || question.expect.is_some();
    if question.path.is_none() || has_hand || question.deal.is_some() {
        return Ok(());
    }
    let has_policy =
        question.mulligan.is_some() || question.mulligans.is_some() || question.bottom.is_some();
    let given = [
        ("--hand", question.hand.is_some()),
        ("--turns", question.turns.is_some()),
        ("--draws", question.draws > 0),
        ("--seat", question.seat.is_some()),
        ("--given", question.given.is_some()),
        ("--policy", has_policy),
        ("--keep-hand", question.keep.is_some()),
        ("--event", !question.events.turns.is_empty()),
        ("--show-work", question.show_work),
    ];
    let unused = given.iter().find(|(_, is_given)| *is_given);
    unused.map_or(Ok(()), |(name, _)| {
        let why = "a path is of the first cards of the deck, whatever hand is kept";
        let message = format!("`{name}` has no use with `--path` alone: {why}");
        Err(wrong(message, "leave it out, or add a hand query"))
    })
}

/// The conditions of a question for one query: as the question has them, else as the game has
/// them; with a turn, by the time that it is played.
///
/// # Errors
/// What [`answer`] refuses before any query is asked.
pub fn request(
    population: &Population<'_>,
    defaults: &OddsDefaults,
    question: &OddsQuestion,
    turn: Option<u32>,
) -> Result<Request, Problem> {
    let with_turn = OddsQuestion { turns: turn, ..question.clone() };
    let run = Run::new(population, defaults, &with_turn)?;
    let hand = run.hand()?;
    let by_turn = turn.map_or(0, |turn| run.drawn(turn, hand));
    let request = run.request(hand, run.policy.clone(), question.draws.max(by_turn))?;
    Ok(Request { turns: Vec::new(), ..request })
}

/// A question with everything that is settled before its queries.
struct Run<'a> {
    population: &'a Population<'a>,
    defaults: &'a OddsDefaults,
    question: &'a OddsQuestion,
    hand: Option<u32>,
    policy: Policy,
    given: Option<HandQuery>,
    work: u64,
    memory: u64,
}

impl<'a> Run<'a> {
    fn new(
        population: &'a Population<'a>,
        defaults: &'a OddsDefaults,
        question: &'a OddsQuestion,
    ) -> Result<Run<'a>, Problem> {
        let seat = question.seat.unwrap_or(1);
        let seats = defaults.hand.len() as u32;
        if question.seat.is_some() && seats <= 1 {
            let message =
                format!("every seat of this game draws alike, so seat {seat} changes nothing");
            return Err(wrong(message, "leave out `--seat`"));
        }
        if seat == 0 || (seats > 1 && seat > seats) {
            let message = format!("no seat {seat}; the seats are 1 to {seats}");
            return Err(wrong(message, ""));
        }
        if let Some(turns) = question.turns {
            if turns > MOST_TURNS {
                let message =
                    format!("{turns} turns are too many; at most {MOST_TURNS} are answered");
                return Err(wrong(message, ""));
            }
            if defaults.draws.is_none() {
                let help = "give the number of cards drawn, with `--draws N`";
                return Err(wrong("this game has no draw schedule", help));
            }
        }
        defaults.checked(&question.events)?;
        let given = question.given.as_ref();
        Ok(Run {
            population,
            defaults,
            question,
            hand: question.hand.or_else(|| defaults.hand_of(seat)),
            policy: policy(defaults, question)?,
            given: given.map(|text| read(GIVEN, text)).transpose()?,
            work: question.work.unwrap_or(DEFAULT_WORK),
            memory: question.memory.unwrap_or(DEFAULT_MEMORY),
        })
    }

    fn hand(&self) -> Result<u32, Problem> {
        self.hand.ok_or_else(|| {
            let help = "give the number of cards in the opening hand, with `--hand N`";
            wrong("the game's rules text gives no hand size", help)
        })
    }

    /// Cards drawn by a turn.
    fn drawn(&self, turn: u32, hand: u32) -> u32 {
        let draws = self.defaults.draws;
        draws.map_or(0, |draws| draws.drawn(turn, hand, &self.question.events))
    }

    fn request(&self, hand: u32, policy: Policy, draws: u32) -> Result<Request, Problem> {
        if let Some(bottom) = &self.question.bottom {
            let (given, limit) = (bottom.len() as u32, policy.limit);
            if given <= limit {
                let message = format!(
                    "`bottom` has {}, but needs {}: the number after {} is missing",
                    counted(given.into(), "number"),
                    limit + 1,
                    counted(given.into(), "mulligan")
                );
                let help = "in `--policy`, write a number after `bottom` for 0, 1, 2… mulligans";
                return Err(wrong(message, help));
            }
        }
        let turns = 1..=self.question.turns.unwrap_or(0);
        Ok(Request {
            hand,
            policy,
            given: self.given.clone(),
            draws,
            turns: turns.map(|turn| (turn, self.drawn(turn, hand))).collect(),
            work: self.work,
            memory: self.memory,
        })
    }

    /// The answer to a query, of the question or of a preset.
    fn entry(
        &self,
        query: &PresetQuery,
        preset: Option<&Preset>,
        hand: u32,
    ) -> Result<ReportEntry, Problem> {
        let mut policy = self.policy.clone();
        let (mut turn, mut draws) = (None, self.question.draws);
        match (query, preset, &policy.keep) {
            // Without a query to keep a hand for, every hand is kept.
            (PresetQuery::Total(_), _, Keep::Goal) => policy = Policy::none(),
            (PresetQuery::Hand(_), Some(preset), _) => {
                if self.question.mulligans.is_none() {
                    policy.limit = preset.mulligans.unwrap_or(policy.limit);
                }
                turn = preset.turn;
                draws = draws.max(turn.map_or(0, |turn| self.drawn(turn, hand)));
            }
            _ => {}
        }
        let request = self.request(hand, policy, draws)?;
        let (found, groups) = match query {
            PresetQuery::Hand(query) => (
                ask(self.population, query, &request).map(|answer| answer.map(Value::from)),
                query.root.groups(),
            ),
            PresetQuery::Total(total) => (
                ask_total(self.population, total, &request).map(|answer| answer.map(Value::from)),
                total.group.iter().collect(),
            ),
        };
        let by_turn = request.turns.iter().map(|(_, drawn)| *drawn);
        let drawn = by_turn.max().unwrap_or(0).max(request.draws);
        let mut notes = match (query, preset) {
            (PresetQuery::Hand(query), None) => {
                warnings(query, self.population, hand.saturating_add(drawn))
            }
            (PresetQuery::Total(total), None) => total.remarks(self.population.pool()),
            // The lint of the odds file warns of words that no card has.
            (_, Some(_)) => Vec::new(),
        };
        add(&mut notes, undrawn(empty_groups(&groups, self.population)));
        let mut notes = unmatched(notes);
        let refused = match query {
            PresetQuery::Hand(_) => Value::Probability(None),
            PresetQuery::Total(_) => Value::Total(None),
        };
        let size = self.population.size();
        let turns = request.turns.iter().map(|(turn, draws)| TurnAnswer {
            turn: *turn,
            seen: size.min(hand + draws),
            value: refused.clone(),
        });
        let answer = self.or_refused(found, &refused, turns.collect(), &mut notes)?;
        let without_mulligan = match query {
            PresetQuery::Hand(query) if request.policy.limit > 0 && !answer.value.is_refused() => {
                let plain =
                    Request { policy: Policy::none(), turns: Vec::new(), ..request.clone() };
                let plain = ask(self.population, query, &plain);
                plain.ok().map(|plain| plain.value)
            }
            _ => None,
        };
        Ok(ReportEntry {
            without_mulligan,
            answer,
            name: preset.map(|preset| preset.name.value.clone()),
            hand: Some(hand),
            turn,
            draws: request.draws.min(size.saturating_sub(hand)),
            policy: request.policy,
            notes,
        })
    }

    fn path(&self, text: &str) -> Result<ReportEntry, Problem> {
        let path = Path::parse(text)?;
        let likelihood = path.likelihood(self.population, self.work, self.memory);
        let found = likelihood.map(|share| Answer::new(path.text(), Value::from(share)));
        let mut notes = Vec::new();
        for (seen, query) in path.steps() {
            add(&mut notes, warnings(query, self.population, seen));
        }
        let mut notes = unmatched(notes);
        Ok(ReportEntry {
            answer: self.or_refused(found, &Value::Probability(None), Vec::new(), &mut notes)?,
            name: None,
            hand: None,
            turn: None,
            draws: 0,
            policy: Policy::none(),
            without_mulligan: None,
            notes,
        })
    }

    /// An answer as it is reported; beyond a limit, one without values, and a note that says how
    /// large the question is.
    fn or_refused(
        &self,
        found: Result<Answer<Value>, OddsError>,
        refused: &Value,
        turns: Vec<TurnAnswer<Value>>,
        notes: &mut Vec<Note>,
    ) -> Result<Answer<Value>, Problem> {
        let (query, limit, excess) = match found {
            Err(OddsError::Limit { query, limit, excess }) => (query, limit, excess),
            found => {
                let answer = found?;
                let work = answer.work.filter(|_| self.question.show_work);
                return Ok(Answer { work, ..answer });
            }
        };
        let raise = match limit {
            Limit::Work => ", or raise the limit",
            Limit::Memory => "",
        };
        let note = format!("the question {excess}; {ASK_LESS}{raise}");
        notes.push(Note::new("odds", Fault::Refused, note));
        Ok(Answer { turns, ..Answer::new(&query, refused.clone()) })
    }

    fn presets(&self) -> Result<Vec<ReportEntry>, Problem> {
        let mut entries = Vec::new();
        for preset in &self.defaults.presets {
            let is_chosen = self.question.hand.is_some() || self.question.seat.is_some();
            let hands = match preset.hands.as_slice() {
                [] => vec![self.hand()?],
                _ if is_chosen => vec![self.hand()?],
                hands => hands.to_vec(),
            };
            let Ok((_, query)) = preset.read() else {
                continue;
            };
            for hand in hands {
                let entry = self.entry(&query, Some(preset), hand);
                let what = format!("the preset `{}`", preset.name.value);
                entries.push(entry.map_err(|problem| problem.within(&what))?);
            }
        }
        Ok(entries)
    }

    /// Warnings about the queries of kept and given hands.
    fn notes(&self) -> Vec<Note> {
        let keep = match &self.policy.keep {
            Keep::Query(query) => Some((KEPT, query)),
            Keep::Goal | Keep::Best => None,
        };
        let given = self.given.iter().map(|given| (GIVEN, given));
        let mut notes = Vec::new();
        for (part, query) in keep.into_iter().chain(given) {
            let found = warnings(query, self.population, self.hand.unwrap_or(u32::MAX));
            let found = found.iter().map(|warning| format!("in {part}: {warning}"));
            add(&mut notes, found.collect());
        }
        unmatched(notes)
    }

    /// Sentences on the game.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let (Some(hand), Some(sentence)) = (self.hand, &self.defaults.empty_deck) {
            let size = self.population.size();
            let is_empty = |turn: &u32| hand.saturating_add(self.drawn(*turn, hand)) > size;
            let first = (1..=MOST_TURNS).find(is_empty);
            if let Some(turn) = first.filter(|_| hand <= size) {
                remarks.push(format!("On turn {turn} the deck is empty. {sentence}"));
            }
        }
        if self.policy.mulligan == Mulligan::None && self.question.keep.is_some() {
            remarks.push("There is no mulligan: every hand is kept.".to_owned());
        }
        if self.policy.keep == Keep::Best && self.question.turns.is_some() {
            remarks.push("The best hands to keep are found for each turn by itself.".to_owned());
        }
        remarks.push(
            "A card counts for every group that it is in, except in `different(…)`.".to_owned(),
        );
        remarks
    }
}

/// The policy of a question; what it does not say is the game's.
pub(super) fn policy(defaults: &OddsDefaults, question: &OddsQuestion) -> Result<Policy, Problem> {
    let own = defaults.mulligan.as_ref();
    let is_taken = question.mulligans.is_some_and(|limit| limit > 0);
    let mulligan = question.mulligan.or(own.map(|own| own.kind.into()));
    let mulligan = mulligan.unwrap_or(Mulligan::None);
    if mulligan == Mulligan::None && is_taken {
        let (message, help) = match question.mulligan {
            Some(_) => (
                "the policy is `none`, but `at most` is not 0",
                "leave `at most` out of `--policy`, or begin it with `aside` or `shuffle`",
            ),
            None => (
                "this game has no mulligan",
                "choose the mulligan, with `--policy aside` or `--policy shuffle`",
            ),
        };
        return Err(wrong(message, help));
    }
    let keep = match question.keep.as_deref() {
        None => Keep::Goal,
        Some(word) if word.trim().eq_ignore_ascii_case("best") => Keep::Best,
        Some(text) => Keep::Query(read(KEPT, text)?),
    };
    let limit = match mulligan {
        Mulligan::None => 0,
        _ => question.mulligans.or(own.map(|own| own.limit)).unwrap_or(1),
    };
    if let Some(own) = own.filter(|own| question.bottom.is_none() && limit > own.most) {
        let most = own.most;
        let message =
            format!("{limit} mulligans are too many; this game makes sense of at most {most}");
        return Err(wrong(message, ""));
    }
    // Presets may have a limit of their own.
    let is_settled = question.mulligans.is_some() || !question.queries.is_empty();
    if let Some(bottom) = question.bottom.as_ref().filter(|_| is_settled) {
        let mut beyond = bottom.iter().skip(limit as usize + 1);
        if beyond.any(|bottom| *bottom > 0) {
            let taken = counted(limit.into(), "mulligan");
            let message = format!("`bottom` has a number for more than {taken}");
            let help = "shorten the list after `bottom` in `--policy`, or raise `at most`";
            return Err(wrong(message, help));
        }
    }
    let own_bottom = || own.map_or_else(Vec::new, |own| own.bottom.clone());
    Ok(Policy { mulligan, limit, bottom: question.bottom.clone().unwrap_or_else(own_bottom), keep })
}

fn read(what: &str, text: &str) -> Result<HandQuery, Problem> {
    HandQuery::parse(text).map_err(|error| wrong_query(what, text, &error))
}

/// What a query asks of `seen` cards that they cannot have.
fn warnings(query: &HandQuery, population: &Population<'_>, seen: u32) -> Vec<String> {
    let mut warnings = query.remarks(population.pool());
    let groups = query.root.groups();
    add(&mut warnings, undrawn(empty_groups(&groups, population)));
    add(&mut warnings, out_of_reach(query, population, seen));
    warnings
}

/// Notes on what a query asks for and no card has.
fn unmatched(sentences: Vec<String>) -> Vec<Note> {
    let note = |sentence| Note::new("query", Fault::NoSuchWord, sentence);
    sentences.into_iter().map(note).collect()
}

fn undrawn(groups: Vec<String>) -> Vec<String> {
    let sentence = |group| format!("no card that can be drawn matches `{group}`");
    groups.into_iter().map(sentence).collect()
}

/// Adds the sentences that are not there yet.
fn add(sentences: &mut Vec<String>, more: Vec<String>) {
    for sentence in more {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
}
