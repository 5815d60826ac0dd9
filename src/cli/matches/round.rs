//! `match commit` and `match round`: every table of a round from one secret.

use super::games::PlayedFormat;
use super::new::TableOptions;
use super::secret::{read_secret, secret_in};
use super::{Failure, Run, entrants, files, warn};
use crate::cli::output::Text;
use crate::matches::{
    Match, MatchError, NewMatch, Pairing, Registered, Unproved, read_decision, read_pairings_in,
};
use crate::text::counted;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The commitment to a round's secret, to be published before the round
// A secret file that does not exist gets a new secret first.
#[derive(Debug, clap::Args)]
pub(crate) struct Commit {
    /// The file that keeps the secret until the event is over
    #[arg(long, value_name = "FILE")]
    secret_file: PathBuf,
}

impl Commit {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<Text>(run)?;
        let secret = secret_in(run, &self.secret_file)?;
        files::finish(outputs, |_| format!("{}\n", secret.commitment()))
    }
}

fn beacon(text: &str) -> Result<String, String> {
    match text.trim().is_empty() {
        true => Err("it is empty; leave it out where there is no public value".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Seed every table of a round, a match file each in the folder of --to
// A match file for each table is written in the folder of `--to`.
#[derive(Debug, clap::Args)]
pub(crate) struct Round {
    /// The format
    #[arg(value_name = "FORMAT")]
    game: String,
    /// A table with the columns table, A and B: CSV, .xlsx (FILE.xlsx#SHEET) or .ods
    #[arg(long, value_name = "FILE")]
    pairings: PathBuf,
    /// The folder of decks, by their Player header or file's name
    #[arg(long, value_name = "FOLDER")]
    decks: Option<PathBuf>,
    #[command(flatten)]
    dealing: Dealing,
}

// What every table of a round is dealt by.
#[derive(Debug, clap::Args)]
pub(crate) struct Dealing {
    /// The file with the round's secret; `match commit` makes one
    #[arg(long, value_name = "FILE")]
    secret_file: PathBuf,
    /// A public value that nobody knew when the commitment was published
    #[arg(long, value_name = "TEXT", value_parser = beacon)]
    beacon: Option<String>,
    /// Give every table the same deal
    #[arg(long)]
    duplicate: bool,
    #[command(flatten)]
    table: TableOptions,
    /// A decision for every table
    #[arg(long = "decide", value_name = "JSON")]
    decisions: Vec<String>,
}

/// A table that was dealt, not yet written.
struct Dealt {
    path: PathBuf,
    json: String,
    remarks: Vec<String>,
}

impl Round {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        files::only_to_screen(run)?;
        let (table, sheet) = crate::table::named(&self.pairings);
        let pairings = read_pairings_in(&files::read(run, &table)?, sheet.as_deref())?;
        let table = &self.dealing.table;
        let (format, wanted) = table.wanted(&self.game, run)?;
        let decks = match &self.decks {
            Some(folder) if !format.rules.setup.decks.are_shared() => {
                let players = pairings.iter().flat_map(|pairing| &pairing.players);
                let players: Vec<&str> = players.map(String::as_str).collect();
                entrants::decks(run, &format, folder, &players, table.allow_illegal)?
            }
            Some(_) => {
                return Err(Failure::call(
                    "every table of this game plays one deck, so nobody brings one; leave \
                     `--decks` out",
                ));
            }
            None => BTreeMap::new(),
        };
        self.dealing
            .deal(run, (&format, &wanted), &pairings, &decks)
    }
}

impl Dealing {
    /// Deals every table, and writes a match file for each into the folder of `--to`. `decks` are
    /// those of the players, by their folded names.
    pub(crate) fn deal(
        &self,
        run: &Run,
        (format, wanted): (&PlayedFormat, &NewMatch),
        pairings: &[Pairing],
        decks: &BTreeMap<String, Registered>,
    ) -> Result<(), Failure> {
        let Some(folder) = &run.options.to else {
            return Err(Failure::call("say where the match files go: `--to FOLDER`"));
        };
        let secret = read_secret(run, &self.secret_file)?;
        let decisions: Result<Vec<_>, _> = self
            .decisions
            .iter()
            .map(|text| read_decision(text))
            .collect();
        let decisions = decisions?;
        let deal = |pairing: &Pairing| -> Result<Dealt, Failure> {
            let wanted = seats(run, format, wanted, pairing, decks)?;
            let table = if self.duplicate { "" } else { &pairing.table };
            let beacon = self.beacon.as_deref().unwrap_or_default();
            let randomness = secret.randomness(table, beacon)?;
            let made = Match::start(
                &format.game(),
                wanted,
                randomness,
                decisions.clone(),
                Some(format),
            );
            let about = |error: MatchError| error.about(&format!("table {}", pairing.table));
            let made = made.map_err(about)?;
            let (seats, players) = (made.inputs.seats.len(), pairing.players.len());
            if seats != players {
                let players = counted(players as i64, "player");
                return Err(Failure::call(format!(
                    "table {} has {players}, and the game is for {seats}",
                    pairing.table
                )));
            }
            let json = made.to_json();
            // No table gets a file that it could not verify.
            let read = Unproved::read(json.as_bytes());
            read.and_then(|read| read.verify(&format.game()))
                .map_err(about)?;
            let remarks = made.remarks.iter();
            Ok(Dealt {
                path: folder.join(format!("table-{}.json", pairing.table)),
                json,
                remarks: remarks
                    .map(|remark| format!("table {}: {remark}", pairing.table))
                    .collect(),
            })
        };
        // Every table is dealt before any file is written: a refusal writes nothing.
        run.threads();
        let tables: Result<Vec<Dealt>, Failure> = pairings.par_iter().map(deal).collect();
        let tables = tables?;
        // A table that has gone on is not dealt back to its beginning.
        let found = |table: &Dealt| std::fs::read(&table.path).ok();
        let (same, tables): (Vec<Dealt>, Vec<Dealt>) = tables
            .into_iter()
            .partition(|table| found(table).is_some_and(|found| found == table.json.as_bytes()));
        let other = tables.iter().find(|table| found(table).is_some());
        if let Some(table) = other.filter(|_| !run.options.replace) {
            return Err(Failure::call(format!(
                "{} holds another match already, or this one further on; name another folder \
                 with `--to`, or let it take its place with `--replace`",
                table.path.display()
            )));
        }
        let remarks = same.iter().chain(&tables).flat_map(|table| &table.remarks);
        remarks.for_each(|remark| warn(run, remark));
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::call(format!("{}: {error}", folder.display())))?;
        tables
            .par_iter()
            .map(|table| files::write_file(run, &table.path, &table.json, run.options.replace))
            .collect::<Result<(), Failure>>()?;
        let count = counted((same.len() + tables.len()) as i64, "table");
        files::print(&format!(
            "{count} seeded; commitment {}\n",
            secret.commitment()
        ))
    }
}

fn seats(
    run: &Run,
    format: &PlayedFormat,
    wanted: &NewMatch,
    pairing: &Pairing,
    decks: &BTreeMap<String, Registered>,
) -> Result<NewMatch, Failure> {
    let mut wanted = wanted.clone();
    wanted.players = pairing.players.clone();
    if format.rules.setup.decks.are_shared() {
        wanted.decks = format.decks(run, &[], false)?;
        return Ok(wanted);
    }
    for player in &pairing.players {
        let Some(deck) = decks.get(crate::name::fold(player).as_ref()) else {
            return Err(Failure::call(format!(
                "table {}: where is the deck of {player}? Name the folder: `--decks FOLDER`",
                pairing.table
            )));
        };
        wanted.decks.push(deck.clone());
    }
    Ok(wanted)
}
