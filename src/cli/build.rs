//! `decklaw build`: a legal deck from wishes, or the reason that there is none.

use super::inputs;
use super::odds::{self, whole};
use super::options::{Judging, OfFormat, Output, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::wishes::{self, Asked};
use super::{Answer, Outcome, Refusal, Run};
use crate::deck::{Input, to_text};
use crate::format::Rulebook;
use crate::judge::{Judge, ReadDeck, Report};
use crate::odds::render::ShowWork;
use crate::odds::{
    Asked as OddsAsked, HandQuery, OddsDefaults, OddsError, OddsReport, Population, Reply,
};
use crate::origin::Given;
use crate::render::{Kind, Render, Rendered, Rendering, Written};
use crate::resolve::{Change, Decklist};
use crate::rules::Severity;
use crate::solve::tune::{self, TuneError};
use crate::solve::{self, Aim, Found, Goal, Making, Repair, Start, Wish, Wishes};
use crate::text::{harmless, listed};
use decklaw_engine::report::repair;
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<BuildReport<'_>>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw build shell > deck.txt\n  decklaw build versus/fast --wish '12+ [type:character]' --prefer '4+ [element:water]'\n  decklaw build shell --wish 'side: 3+ [colour:blue]'\n  decklaw build vanquishers --own collection.csv\n  decklaw build --from my.txt --for '1+ [type:trap]'\n\nHAND counts groups of cards; `decklaw explain queries` explains queries."
)]
pub(super) struct Build {
    /// The format
    #[arg(value_name = "FORMAT", required_unless_present = "from")]
    game: Option<String>,
    /// What the deck must hold, as HAND or 'SECTION: HAND'
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    wish: Vec<String>,
    /// What the deck should hold; earlier ones count more
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    prefer: Vec<String>,
    /// Finish this deck, keeping its cards where rules and wishes allow
    #[arg(long, value_name = "DECK")]
    from: Option<PathBuf>,
    /// Then improve the odds of this hand
    #[arg(long = "for", value_name = "HAND", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Improve the odds by this turn [default: the opening hand]
    #[arg(long, value_name = "N", value_parser = whole, requires = "goal")]
    turn: Option<u32>,
    /// Choose differently among similar cards
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    by: OfFormat,
    #[command(flatten)]
    output: Output,
}

impl Build {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::open(run, &self.output)?;
        let judging = Judging::from(self.by.clone()).of(self.game.as_deref());
        let judge = inputs::judge(run, &judging)?;
        let begun = match &self.from {
            None => None,
            Some(file) => match self.begun(&judge, run, file)? {
                None => return Ok(Outcome::No),
                begun => begun,
            },
        };
        let named = match &begun {
            Some((deck, _)) => deck.rulebook().format().id(),
            None => self.game.as_deref().unwrap_or_default(),
        };
        let rulebook = judge
            .rulebook(named)
            .map_err(|error| inputs::refuse(&error))?;
        inputs::fitting(run, &judge)?;
        if rulebook.format().game().sections().is_empty() {
            return Err(Refusal(format!(
                "`{}` has no rules, so there is nothing to build by",
                rulebook.format().id()
            )));
        }
        let mut wishes = self.asked.wishes(run, &judge, &rulebook)?;
        wishes.seed.clone_from(&self.seed);
        let game = rulebook.format().game().id();
        let taste = wishes::taste(&judge, game)?;
        let parse = |text: &str| Wish::parse(text, &rulebook);
        for text in &self.wish {
            wishes.must.push(wishes::understood("--wish", text, parse)?);
        }
        for text in &self.prefer {
            wishes
                .prefer
                .push(wishes::understood("--prefer", text, parse)?);
        }
        let (deck, start) = match &begun {
            None => (Decklist::empty(rulebook.clone()), Start::Free),
            Some((stay, called)) => (stay.clone(), Start::Finish { stay, called }),
        };
        let mut notes = wishes::remarks(run, &wishes, &deck);
        notes.extend(self.goal_in_vain(run, &rulebook));
        let format = rulebook.format().id().to_owned();
        let mut making = Making::new(deck, &start, wishes, taste)
            .map_err(|wrong| wishes::misread("an aim of taste.yaml", &wrong.wish, &wrong.error))?;
        let mut solved = making.made();
        let defaults = odds::defaults(&judge, game)?;
        let nearest = matches!(&solved, Repair::Found(found) if found.optimal());
        let mut tuned = None;
        let goal = self.goal.as_deref().map(|query| (query, self.turn));
        if let (Some(goal), Repair::Found(found)) = (goal, &mut solved) {
            tuned = Some(reach(goal, found, &making, &defaults)?);
        }
        let (wishes, aims) = (making.wishes(), making.aims());
        let built = match &solved {
            Repair::Found(found) => Some(Built::of(found, &judge)?),
            Repair::Impossible(_) | Repair::Unknown => None,
        };
        let of = built.as_ref().filter(|_| begun.is_some());
        let of = of.map(|built| (making.start(), making.reasons(&built.found.deck)));
        let presets = built
            .as_ref()
            .and_then(|built| odds_beside(&built.found.deck, goal, &defaults));
        let reasons = match &solved {
            Repair::Found(_) => Vec::new(),
            Repair::Impossible(conflict) => conflict.sentences(making.start(), wishes),
            Repair::Unknown => vec![UNKNOWN.to_owned()],
        };
        if outputs.any(|kind| kind == Kind::Human)
            && let Some(built) = &built
        {
            if let Some((start, changes)) = &of {
                tell_change(run, start, changes);
            }
            // Which of its cards cannot stay is told already.
            let told = usize::from(begun.is_some());
            report_on(run, built, (wishes, told), aims, nearest);
            let presets = presets.iter().flat_map(|(lines, _)| lines);
            for line in tuned.iter().chain(presets) {
                run.complain("odds", line);
            }
        }
        let report = BuildReport {
            format: format.clone(),
            solved: &solved,
            built,
            wishes,
            aims,
            of,
            reasons,
            notes,
            odds: presets.map(|(_, json)| json),
        };
        let certify = || solve::certify(making.start(), wishes, &solved);
        let proven = self
            .proving
            .write(run, self.output.place.replace, certify)?;
        Ok(outputs
            .emit(run, &report, &judge.given_so_far())?
            .max(proven))
    }
}

/// A deck that was built, or why there is none.
pub(super) struct BuildReport<'a> {
    format: String,
    solved: &'a Repair,
    built: Option<Built<'a>>,
    wishes: &'a Wishes,
    aims: &'a [Aim],
    /// What was finished.
    of: Option<(&'a Decklist, Vec<Reasoned>)>,
    reasons: Vec<String>,
    notes: Vec<String>,
    odds: Option<Value>,
}

/// A change and what it is for.
type Reasoned = (Change, Vec<String>);

impl Written for BuildReport<'_> {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Render for BuildReport<'_> {
    fn json(&self) -> serde_json::Result<Value> {
        let Some(built) = &self.built else {
            let (format, reasons) = (&self.format, &self.reasons);
            return repair::no_build(format, self.solved.into(), reasons, &self.notes);
        };
        let reached = (self.wishes.prefer.as_slice(), self.aims);
        let odds = self.odds.clone();
        let of = self
            .of
            .as_ref()
            .map(|(before, changes)| (*before, &changes[..]));
        repair::build(built.found, reached, &self.notes, &built.report, odds, of)
    }

    /// What people read is the deck itself.
    fn body(&self, kind: Kind, _: &[Given]) -> Rendered<Option<Rendering>> {
        if kind != Kind::Human {
            return Ok(None);
        }
        Ok(Some(match (&self.built, self.solved) {
            (Some(built), _) => Rendering::Data(built.text.clone().into_bytes()),
            (None, Repair::Impossible(conflict)) => {
                let why = wishes::explained(&self.reasons, conflict.irreducible);
                Rendering::Missing(why.trim_end().to_owned())
            }
            (None, _) => Rendering::Missing(UNKNOWN.to_owned()),
        }))
    }

    fn is_well(&self) -> bool {
        self.built.is_some()
    }
}

impl Build {
    /// What the goal asks for in vain, said on standard error too. What cannot be read is told
    /// where the goal is sought.
    fn goal_in_vain(&self, run: &Run, rulebook: &Rulebook) -> Vec<String> {
        let queries = self.goal.iter();
        let queries = queries.filter_map(|query| HandQuery::parse(query).ok());
        let told = queries.flat_map(|query| {
            let vain = query.vain(rulebook.pool()).into_iter();
            vain.map(move |remark| format!("in `{}`: {remark}", query.text()))
        });
        told.inspect(|told| run.complain("notice", told)).collect()
    }

    /// The deck that is to be finished, which must be of the format where the call names one; and
    /// what it is called. Names that are no card's go as others do, and that is told. `None`: it
    /// is no deck.
    fn begun(
        &self,
        judge: &Judge,
        run: &Run,
        file: &Path,
    ) -> Result<Option<(Decklist, String)>, Refusal> {
        let called = harmless(&file.display().to_string(), false).into_owned();
        let game = self.game.clone();
        let bytes = inputs::deck_bytes(judge, run, file)?;
        let input = inputs::input_of(file, None);
        let read = judge.read(&bytes, input, game.as_deref());
        let read = read.map_err(|error| inputs::refuse(&error))?;
        if let (ReadDeck::Formatless { unknown: None, .. }, None) = (read, &game) {
            return Err(Refusal(format!(
                "{called}: the deck does not say which format it is for; name it, as in `decklaw build FORMAT --from {called}`"
            )));
        }
        let resolved = match inputs::deck(judge, run, file, None, &bytes)? {
            Ok(resolved) => resolved,
            Err(message) => {
                run.complain("error", &message);
                return Ok(None);
            }
        };
        let own = resolved.deck().format.as_ref();
        let own = own.and_then(|own| judge.rulebook(&own.value).ok());
        let wanted = resolved.rulebook().format().id();
        match own.filter(|own| own.format().id() != wanted) {
            None => Ok(Some((resolved.into_list(), called))),
            Some(own) => Err(Refusal(format!(
                "{called}: the deck is for `{}`, and not for `{wanted}`; leave the format out of the call, or mend the line `Format:`",
                own.format().id()
            ))),
        }
    }
}

/// A deck that was found, as it is written.
struct Built<'f> {
    found: &'f Found,
    text: String,
    /// What is said of the text.
    report: Report,
}

impl Built<'_> {
    /// Writes a deck, and reads what was written: it must be the deck that was found.
    fn of<'f>(found: &'f Found, judge: &Judge) -> Result<Built<'f>, Refusal> {
        let text = to_text(&found.deck.listing());
        let report = judge.judge("-", text.as_bytes(), Input::Text);
        let report = report.map_err(|error| inputs::refuse(&error))?;
        if report.hash.as_deref() != Some(found.deck.hash().as_str()) {
            let message = "a name in the deck that was found cannot stand in a deck's text, so that it would be read as another deck";
            return Err(Refusal(message.to_owned()));
        }
        Ok(Built {
            found,
            text,
            report,
        })
    }
}

/// Says why a goal cannot be asked. What else would help are options of `odds`.
fn refused(error: OddsError) -> Refusal {
    match error {
        OddsError::Query { .. } => odds::refuse(error),
        other => Refusal(format!("--for: {other}")),
    }
}

/// The section that hands of a game are drawn from, by its index among a deck's.
fn section_of(deck: &Decklist, defaults: &OddsDefaults) -> Result<u16, OddsError> {
    let own = defaults.section.as_ref();
    let first = deck.rulebook().format().game().section_names().first;
    let section = own.map_or(first, |section| section.value.as_str());
    deck.section(section).ok_or_else(|| {
        let known: Vec<&str> = deck.sections().iter().map(|id| &**id).collect();
        OddsError::NoSection {
            section: section.to_owned(),
            known: listed(&known, "and"),
        }
    })
}

/// Makes the odds of a query as large as they can be in a deck that was built, all that it
/// reached kept; what came of it, a line.
fn reach(
    (query, turn): (&str, Option<u32>),
    found: &mut Found,
    making: &Making,
    defaults: &OddsDefaults,
) -> Result<String, Refusal> {
    let section = section_of(&found.deck, defaults).map_err(refused)?;
    let asked = OddsAsked::default();
    let goal = Goal::new(&found.deck, section, (query, turn), (defaults, &asked));
    let goal = goal.map_err(refused)?;
    let reached = making.reach(found, &goal, tune::MOST_EXCHANGES);
    let reached = reached.map_err(|error| match error {
        TuneError::Odds(error) => refused(error),
        other => Refusal(other.to_string()),
    })?;
    let Some((probability, optimal)) = reached else {
        return Ok(query.to_owned());
    };
    let proven = match optimal {
        true => ", the most that is possible as far from what was built as 60 cards",
        false => "",
    };
    let percent = 100.0 * probability.nearest();
    Ok(format!("{query}: {percent:.2} % ({probability}){proven}"))
}

/// How likely the hands of a deck hold the goal, and what the game's players ask: lines on what
/// players ask, and the answers to all as JSON. `None` where nothing says how hands are drawn.
fn odds_beside(
    deck: &Decklist,
    goal: Option<(&str, Option<u32>)>,
    defaults: &OddsDefaults,
) -> Option<(Vec<String>, serde_json::Value)> {
    let section = section_of(deck, defaults).ok()?;
    let population = Population::of_list(deck, usize::from(section)).ok()?;
    let answers = |report: &OddsReport| {
        let json = serde_json::to_value(crate::odds::render::OddsJson::of(report, ShowWork(false))).ok()?;
        json["answers"].as_array().cloned()
    };
    let mut json = Vec::new();
    if let Some((query, turn)) = goal {
        let asked = OddsAsked {
            queries: vec![query.to_owned()],
            turns: turn,
            ..OddsAsked::default()
        };
        let report = crate::odds::answer("-", &population, defaults, &asked).ok()?;
        json.extend(answers(&report)?);
    }
    let presets = crate::odds::answer("-", &population, defaults, &OddsAsked::default());
    let Ok(report) = presets else {
        return (!json.is_empty()).then(|| (Vec::new(), json.into()));
    };
    json.extend(answers(&report)?);
    let told = |answer: &crate::odds::Found| {
        let name = answer.name.as_deref().unwrap_or(answer.query());
        let hand = answer
            .hand
            .map_or_else(String::new, |hand| format!(", hand of {hand}"));
        match &answer.answer {
            Reply::Query(found) | Reply::Path(found) => {
                let percent = 100.0 * found.likelihood.nearest();
                format!("{name}{hand}: {percent:.2} %")
            }
            Reply::Total(_) | Reply::Refused(_) => String::new(),
        }
    };
    let lines = report.answers.iter().map(told);
    let lines = lines.filter(|line| !line.is_empty()).collect();
    Some((lines, json.into()))
}

/// Says what comes into a deck that is finished, and what goes and why.
fn tell_change(run: &Run, start: &Decklist, changes: &[Reasoned]) {
    let section = |change: &Change| &start.sections()[usize::from(change.section)];
    for (change, reasons) in changes {
        let gone = change.from - change.to;
        if gone > 0 {
            let (name, why) = (start.name(change.card), listed(reasons, "and"));
            let mut message = format!("{}: {gone} {name} ({why})", section(change));
            if !start.knows(change.card)
                && let (near, _) = start.pool().slip_of(name)
                && !near.is_empty()
            {
                let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
                let meant = listed(&near, "or");
                message.push_str(&format!("; if {meant} was meant, mend the name first"));
            }
            run.complain("goes", &message);
        }
    }
    for (at, id) in (0..).zip(start.sections()) {
        let own = changes.iter().map(|(change, _)| change);
        let came = own.filter(|change| change.section == at && change.to > change.from);
        let each = came.map(|change| {
            let name = start.name(change.card);
            format!("{} {name}", change.to - change.from)
        });
        let each: Vec<String> = each.collect();
        if !each.is_empty() {
            run.complain("comes in", &format!("{id}: {}", each.join(", ")));
        }
    }
    if changes.is_empty() {
        run.complain("notice", "nothing is missing: the deck is as it was");
    }
}

/// Says what of a deck is not as it should be.
fn report_on(
    run: &Run,
    built: &Built<'_>,
    (wishes, told): (&Wishes, usize),
    aims: &[Aim],
    nearest: bool,
) {
    let found = built.found;
    for (wish, missed) in wishes.prefer.iter().zip(&found.missed).skip(told) {
        if *missed > 0 {
            let message = format!("{}; it is {missed} away", wish.text());
            run.complain("not met", &message);
        }
    }
    for (aim, missed) in aims.iter().zip(&found.aims) {
        if *missed > 0 {
            let message = format!(
                "{}; it is {missed} away. The maker's advice, no rule: {}",
                aim.wish.value, aim.because
            );
            run.complain("aim not met", &message);
        }
    }
    for judgement in found.deck.judge() {
        let rulebook = found.deck.rulebook();
        if rulebook.severity(&judgement) == Severity::Warning {
            let rule = &rulebook.rules()[judgement.rule].id;
            let message = format!("{rule}: {}", judgement.violation.message);
            run.complain("warning", &message);
        }
    }
    if nearest && !found.settled {
        let message =
            "the choice among equally good decks was cut short (`--effort` raises the limit)";
        run.complain("notice", message);
    }
    if !nearest {
        let message = "the work limit was reached (`--effort` raises it): the deck is legal, but one that is nearer or meets more of what is preferred may exist";
        run.complain("notice", message);
    }
}

const UNKNOWN: &str = "the work limit was reached before any deck was found; whether there is one is not known (`--effort` raises the limit)\n";
