//! `event tables`: seeds every table of a round with the decks that count.

use super::super::matches::failure::Failure;
use super::super::matches::round::Dealing;
use super::super::{Answer, Options, Outcome, Refusal, Run};
use super::Folder;
use super::papers::round;
use crate::event::PlayerId;
use crate::matches::Pairing;
use crate::name::fold;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Seed every table of a round, a match file each in the folder of --to
#[derive(Debug, clap::Args)]
pub(in super::super) struct Tables {
    #[command(flatten)]
    folder: Folder,
    /// Who plays whom, by ids or names; an empty seat is a bye
    #[arg(long, value_name = "FILE")]
    pairings: PathBuf,
    #[command(flatten)]
    dealing: Dealing,
}

impl Tables {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, standing) = self.folder.open(run)?;
        let round = round(run, &event, &self.pairings)?;
        // Rules, cards and lists are those of the lock, to the byte.
        let run = &run.with(Options {
            locked: Some(self.folder.folder.join("lock")),
            ..(*run.options).clone()
        });
        let roster = event.roster();
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        for player in roster.present() {
            *named.entry(fold(&player.name).into_owned()).or_default() += 1;
        }
        // Namesakes are told apart at the table, too.
        let called = |id: PlayerId| {
            let name = roster.name(id);
            match named.get(&*fold(&name)) {
                Some(1) => name,
                _ => format!("{name} ({id})"),
            }
        };
        let byes: Vec<String> = round.byes.iter().map(|id| called(*id)).collect();
        if !byes.is_empty() {
            let byes = crate::text::listed(&byes, "and");
            run.complain("note", &format!("no opponent: {byes}"));
        }
        let pairings: Vec<Pairing> = round
            .tables
            .iter()
            .map(|seating| Pairing {
                table: seating.table.clone(),
                players: seating.players.iter().map(|id| called(*id)).collect(),
            })
            .collect();
        if pairings.is_empty() {
            return Err(Refusal("nobody plays anybody in these pairings".to_owned()));
        }
        let ran = || -> Result<(), Failure> {
            let mut reports = BTreeMap::new();
            let mut missing = Vec::new();
            for id in round.tables.iter().flat_map(|seating| &seating.players) {
                let entry = standing
                    .players
                    .get(id)
                    .and_then(|counting| counting.counts());
                match entry.and_then(|entry| roster.entries.get(&entry)) {
                    Some(entry) => {
                        reports.insert(*id, event.report(&standing, entry).map_err(Refusal::from)?);
                    }
                    None => missing.push(called(*id)),
                }
            }
            let format = event.about.format.clone();
            let told = || {
                reports
                    .values()
                    .find_map(|(report, _)| report.format.clone())
            };
            let Some(format) = format.or_else(told) else {
                return Err(Failure::call("nobody says which format is played"));
            };
            let (format, wanted) = self.dealing.wanted(&format, run)?;
            let mut decks = BTreeMap::new();
            if !format.rules.setup.decks.are_shared() {
                if !missing.is_empty() {
                    let missing = crate::text::listed(&missing, "and");
                    return Err(Failure::refused(format!("no deck counts of {missing}")));
                }
                for (id, (_, text)) in &reports {
                    let name = format!("{id}.txt");
                    let legal = !self.dealing.allows_illegal();
                    let deck = format.registered(Path::new(&name), text, !legal);
                    let deck = deck.map_err(|failure| failure.about(&called(*id)))?;
                    decks.insert(fold(&called(*id)).into_owned(), deck.1);
                }
            }
            self.dealing
                .deal(run, (&format, &wanted), &pairings, &decks)
        };
        match ran() {
            Ok(()) => Ok(Outcome::Yes),
            Err(Failure::Call(message)) => Err(Refusal(message)),
            Err(Failure::Refused(message)) => {
                run.complain("refused", &message);
                Ok(Outcome::No)
            }
        }
    }
}
