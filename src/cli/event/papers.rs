//! `event letters`, `event sheets` and `event slips`: one for each player, the missing ones too.

use super::super::output::Outputs;
use super::super::{Answer, Outcome, Refusal, Run, inputs};
use super::{Folder, Only, shown, write_all};
use crate::event::{Event, Listed, Paper, PlayerId, Round, Standing, letters};
use crate::render::{Kind, Rendered, Rendering, Report, Written};
use crate::report::letter;
use crate::text::counted;
use crate::yaml::{FileError, Problem};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Write a letter to each player into the folder of --to
#[derive(Debug, clap::Args)]
pub(in super::super) struct Letters {
    #[command(flatten)]
    folder: Folder,
    /// Your own letter, as docs/letters.md says
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    #[command(flatten)]
    only: Only,
}

/// Print a page for each player
#[derive(Debug, clap::Args)]
pub(in super::super) struct Sheets {
    #[command(flatten)]
    folder: Folder,
    /// Who sits where, to be printed and to sort by
    #[arg(long, value_name = "FILE")]
    pairings: Option<PathBuf>,
    /// The round
    #[arg(long, value_name = "TEXT")]
    round: Option<String>,
    #[command(flatten)]
    only: Only,
}

/// A document of pages.
pub(in super::super) struct Pages(String);

impl Written for Pages {
    const KINDS: &'static [Kind] = &[Kind::Data("html")];
}

impl Report for Pages {
    fn body(&self, _: Kind, _: &[crate::origin::Given]) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.0.clone().into_bytes())))
    }
}

/// The players that are meant, in the order of their names.
fn chosen(event: &Event, standing: &Standing, only: &Only) -> Result<Vec<PlayerId>, Refusal> {
    let is_meant = only.chosen(event)?;
    let listed = event.listed(standing)?;
    let meant: Vec<PlayerId> = listed
        .iter()
        .filter(|one: &&Listed| is_meant(one))
        .filter_map(|one| one.player)
        .collect();
    match meant.is_empty() {
        true => Err(Refusal("nobody in this event is meant by that".to_owned())),
        false => Ok(meant),
    }
}

impl Letters {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, standing) = self.folder.open(run)?;
        let Some(folder) = &run.options.to else {
            return Err(Refusal(
                "say where the letters go: `--to FOLDER`".to_owned(),
            ));
        };
        let players = chosen(&event, &standing, &self.only)?;
        let mut carried: Vec<String> = Vec::new();
        for entry in event.roster().entries.values() {
            for (name, _) in &entry.personal.carried {
                if !carried.contains(name) {
                    carried.push(name.clone());
                }
            }
        }
        let template = match &self.template {
            None => read("the built-in letter", letter::BUILT_IN, &carried)?,
            Some(path) => {
                let name = path.display().to_string();
                let bytes = inputs::read_file(run, path)?;
                let text =
                    crate::yaml::text_of(&name, &bytes).map_err(|error| inputs::explain(&error))?;
                read(&name, text, &carried)?
            }
        };
        let written = letters(&event, &standing, &template, &players)?;
        write_all(run, folder, &written)?;
        let number = i64::try_from(written.len()).unwrap_or(i64::MAX);
        run.complain(
            "note",
            &format!("{}: {}", shown(folder), counted(number, "letter")),
        );
        Ok(Outcome::Yes)
    }
}

fn read(name: &str, text: &str, carried: &[String]) -> Result<letter::Letters, Refusal> {
    letter::Letters::read(text, carried).map_err(|error| {
        inputs::explain(&FileError {
            name: name.to_owned(),
            text: text.to_owned(),
            problems: vec![Problem::new(error.message.clone(), error.span)],
        })
    })
}

/// The round of a table of pairings.
pub(super) fn round(run: &Run, event: &Event, path: &Path) -> Result<Round, Refusal> {
    let (bytes, sheet) = inputs::read_table(run, path)?;
    let read = Round::read(&bytes, sheet.as_deref(), event.roster());
    read.map_err(|error| {
        let lines = error.to_string();
        let lines: Vec<String> = lines
            .lines()
            .map(|line| format!("{}: {line}", shown(path)))
            .collect();
        Refusal(lines.join("\n"))
    })
}

impl Sheets {
    pub(super) fn run(&self, run: &Run, slips: bool) -> Answer {
        let (event, standing) = self.folder.open(run)?;
        let outputs = Outputs::<Pages>::open(run)?;
        let mut players = chosen(&event, &standing, &self.only)?;
        let mut tables = BTreeMap::new();
        if let Some(path) = &self.pairings {
            let round = round(run, &event, path)?;
            tables = round.seats();
            let order = event.in_order(Some(&tables));
            players.sort_by_key(|player| order.iter().position(|own| own == player));
        }
        let paper = if slips { Paper::Slip } else { Paper::Sheet };
        let html = event.papers(&standing, paper, &players, self.round.as_deref(), &tables)?;
        let number = i64::try_from(players.len()).unwrap_or(i64::MAX);
        if run.options.to.is_some() {
            run.complain("note", &counted(number, "page"));
        }
        outputs.emit(run, &Pages(html), &[])
    }
}
