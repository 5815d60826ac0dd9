//! A setup for one match: its steps compiled, and run until one awaits a decision.

use crate::matches::choice::{Options, Settings};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::inputs::Inputs;
use crate::matches::seat::SeatId;
use crate::matches::setup::lay_out::lay_out;
use crate::matches::setup::{Setup, Zone};
use crate::matches::steps::asked::Question;
use crate::matches::steps::build::{Build, SwapJudge};
use crate::matches::steps::decisions::Decisions;
use crate::matches::steps::names::Names;
use crate::matches::steps::step::{Flow, Step};
use crate::matches::table::{Table, ZoneAt};
use decklaw_engine::solve::Exchange;
use serde_json::Value;
use std::collections::BTreeMap;

/// A setup as far as its decisions carry it.
#[derive(Debug, Clone)]
pub(in crate::matches) struct Built {
    /// The table.
    pub table: Table,
    /// What is awaited, in seat order; empty when the table is ready to play.
    pub pending: Vec<Value>,
    /// What the judge of a swap remarked.
    pub remarks: Vec<String>,
}

/// The steps of a setup with the options and settings of one match: every zone is found, every
/// number known.
#[derive(Debug)]
pub struct Steps<'a>(Vec<Box<dyn Step + 'a>>);

impl Setup {
    /// Compiles the steps that happen with these options.
    ///
    /// # Errors
    /// A step that names what this match does not have: a setting that is missing, or a fault
    /// in the format file.
    pub fn compile<'a>(
        &'a self,
        options: &Options,
        settings: &Settings,
    ) -> Result<Steps<'a>, MatchError> {
        let there = |zones: &'a BTreeMap<String, Zone>| -> Vec<&'a str> {
            let held = zones.iter().filter(|(_, zone)| zone.when.holds(options));
            held.map(|(name, _)| name.as_str()).collect()
        };
        let (shared, seat) = (there(&self.zones.shared), there(&self.zones.seat));
        let names = Names::of_match(shared, seat, options, settings);
        let steps = self.steps.iter();
        let held = steps.filter(|step| step.when.holds(options));
        let steps = held.map(|step| step.action.compile(&names)).collect();
        match names.missing().first() {
            None => Ok(Steps(steps)),
            Some(missing) => {
                Err(MatchErrorKind::Setup.call(format!("the setup cannot be played: {missing}")))
            }
        }
    }

    /// Compiles every step, whatever the options, with a value for none of them. Answers what
    /// each step names that is not there, too.
    pub(super) fn compile_all(&self) -> Vec<(Box<dyn Step + '_>, Vec<String>)> {
        let names = Names::of_any(
            self.zones.shared.keys().map(String::as_str).collect(),
            self.zones.seat.keys().map(String::as_str).collect(),
            self.options.keys(),
            self.settings.keys(),
        );
        let compiled = self.steps.iter().map(|step| {
            let step = step.action.compile(&names);
            (step, names.missing())
        });
        compiled.collect()
    }

    /// The zone at a place that a step of [`compile_all`](Setup::compile_all) names.
    pub(super) fn zone_at(&self, at: ZoneAt) -> Option<&Zone> {
        match at {
            ZoneAt::Shared(index) => self.zones.shared.values().nth(index),
            ZoneAt::Seat(index) => self.zones.seat.values().nth(index),
        }
    }

    /// What a player may exchange before a game, where the setup lets one: the section that
    /// stays aside, and those with which it is exchanged.
    ///
    /// ```
    /// use decklaw_core::format::Catalogue;
    /// let shell = Catalogue::built_in().format("shell").unwrap();
    /// let exchange = decklaw_play::matches::Setup::exchange_of(&shell).unwrap().unwrap();
    /// assert_eq!((exchange.side.as_str(), exchange.sections.len()), ("side", 2));
    /// ```
    pub fn exchange(&self) -> Option<Exchange> {
        let steps = self.compile_all();
        steps.iter().find_map(|(step, _)| {
            let (side, sections) = step.exchanges()?;
            let side = self.zone_at(side)?.holds.clone()?;
            let sections = sections.into_iter().map(str::to_owned).collect();
            Some(Exchange { side, sections })
        })
    }
}

impl Steps<'_> {
    /// Whether seats two apart are partners: then the team that lost the game before begins.
    pub fn have_partners(&self) -> bool {
        self.0.iter().any(|step| step.has_partners())
    }

    /// What is asked where something is pending, in words. `None` where that needs a decision
    /// that people write themselves.
    pub fn ask(&self, table: &Table, pending: &Value) -> Option<Question> {
        self.0.iter().find_map(|step| step.ask(table, pending))
    }

    /// What a seat should know before it answers something pending, beside its view.
    pub fn text_for(&self, table: &Table, seat: SeatId, pending: &[Value]) -> String {
        let pairs = self
            .0
            .iter()
            .flat_map(|step| pending.iter().map(move |entry| (step, entry)));
        pairs
            .map(|(step, entry)| step.text_for(table, seat, entry))
            .collect()
    }
}

/// Builds the table that the inputs make. `judge` has a say about decisions from a number on.
///
/// # Errors
/// A decision that is not allowed where it stands, or too few cards.
pub(in crate::matches) fn build(
    setup: &Setup,
    inputs: &Inputs,
    judge: Option<(&dyn SwapJudge, usize)>,
) -> Result<Built, MatchError> {
    let seed = inputs.randomness.seed()?;
    let steps = setup.compile(&inputs.options, &inputs.settings)?;
    let mut table = lay_out(setup, inputs)?;
    table.partners = steps.have_partners();
    for step in &steps.0 {
        step.prepare(&mut table);
    }
    let mut build = Build {
        inputs,
        table,
        seed,
        decisions: Decisions::new(&inputs.decisions),
        votes: Vec::new(),
        commitments: BTreeMap::new(),
        remarks: Vec::new(),
        judge,
    };
    for step in &steps.0 {
        match step.run(&mut build) {
            Ok(Flow::Done) => (),
            Ok(Flow::Awaiting(pending)) => {
                return Ok(Built {
                    table: build.table,
                    pending,
                    remarks: build.remarks,
                });
            }
            Err(error) => return Err(build.decisions.blame(error)),
        }
    }
    build.decisions.finish()?;
    Ok(Built {
        table: build.table,
        pending: Vec::new(),
        remarks: build.remarks,
    })
}
