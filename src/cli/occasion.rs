//! Sheets for an occasion: which event and round, who sits where, and in which order.

use super::{Refusal, Run, inputs};
use crate::deck::Listing;
use crate::matches::read_pairings_in;
use crate::name::fold;
use crate::text::{harmless, listed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Sheets and slips")]
pub(super) struct Occasion {
    /// The event, whatever a deck says of it
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Its day, whatever a deck says of it
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<jiff::civil::Date>,
    /// The round
    #[arg(long, value_name = "TEXT")]
    round: Option<String>,
    /// Who sits where: a table with the columns table, A, B …
    #[arg(long, value_name = "FILE")]
    pairings: Option<PathBuf>,
    /// The order of the sheets [default: that of the decks]
    #[arg(long, value_name = "ORDER")]
    sort: Option<Sort>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    // By the players' names
    Name,
    // By the tables of `--pairings`
    Table,
}

/// What an event's sheets say, and who sits where.
pub(super) struct Seating {
    remarks: Vec<(&'static str, String)>,
    sort: Option<Sort>,
    /// Tables by folded player: their place in the pairings, their name, the player's name and
    /// how many decks are of a player of that name.
    tables: Option<BTreeMap<String, Seated>>,
    name: String,
}

struct Seated {
    order: (u64, usize),
    table: String,
    player: String,
    decks: usize,
}

/// Where a sheet stands among others: the first of these that differs decides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u8, (u64, usize), String);

impl Occasion {
    /// The options that only sheets and slips have a use for, as far as they are given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--event", self.event.is_some()),
            ("--date", self.date.is_some()),
            ("--round", self.round.is_some()),
            ("--pairings", self.pairings.is_some()),
            ("--sort", self.sort.is_some()),
        ];
        given
            .iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| *name)
    }

    /// Reads the pairings.
    ///
    /// # Errors
    /// Pairings that cannot be read, and an order by tables without any.
    pub(super) fn seating(&self, run: &Run) -> Result<Seating, Refusal> {
        let tables = self
            .pairings
            .as_deref()
            .map(|path| seated(run, path))
            .transpose()?;
        if self.sort == Some(Sort::Table) && tables.is_none() {
            return Err(Refusal(
                "`--sort table` needs the tables: `--pairings FILE`".to_owned(),
            ));
        }
        let remarks = [
            ("Event", self.event.clone()),
            ("Date", self.date.map(|date| date.to_string())),
            ("Round", self.round.clone()),
        ];
        let remarks = remarks.into_iter();
        Ok(Seating {
            remarks: remarks
                .filter_map(|(key, value)| Some((key, value?)))
                .collect(),
            sort: self.sort,
            tables,
            name: self.pairings.as_deref().map_or_else(String::new, |path| {
                harmless(&path.display().to_string(), false).into_owned()
            }),
        })
    }
}

/// Who sits where.
fn seated(run: &Run, path: &Path) -> Result<BTreeMap<String, Seated>, Refusal> {
    let (bytes, sheet) = inputs::read_table(run, path)?;
    let pairings = read_pairings_in(&bytes, sheet.as_deref());
    let pairings = pairings.map_err(|error| Refusal(format!("{}: {error}", path.display())))?;
    let mut tables = BTreeMap::new();
    for (place, pairing) in pairings.into_iter().enumerate() {
        // Numbers in their order, and names behind them as they stand in the file.
        let number = pairing.table.trim().parse().unwrap_or(u64::MAX);
        for (seat, player) in pairing.players.into_iter().enumerate() {
            let seated = Seated {
                order: (number, place * 4 + seat),
                table: pairing.table.clone(),
                player: player.clone(),
                decks: 0,
            };
            tables.insert(fold(&player).into_owned(), seated);
        }
    }
    Ok(tables)
}

impl Seating {
    /// Counts a player's deck, so that namesakes are known before any sheet is made.
    pub(super) fn meet(&mut self, player: Option<&str>) {
        let key = player.map(fold);
        let tables = self.tables.as_mut();
        if let Some(seated) = tables.zip(key).and_then(|(all, key)| all.get_mut(&*key)) {
            seated.decks += 1;
        }
    }

    /// Writes what is known of the occasion into what a deck says of itself, and gives the place
    /// of its sheet.
    pub(super) fn seat(&self, listing: &mut Listing) -> Rank {
        let mut remarks = self.remarks.clone();
        let player = listing.player.clone().unwrap_or_default();
        let key = fold(&player).into_owned();
        let tables = self.tables.as_ref();
        let seated = tables.and_then(|all| all.get(&key));
        let seated = seated.filter(|seated| seated.decks < 2);
        remarks.extend(seated.map(|seated| ("Table", seated.table.clone())));
        for (key, value) in remarks {
            listing.remarks.retain(|(known, _)| known != key);
            listing.remarks.push((key.to_owned(), value));
        }
        let last = (u64::MAX, usize::MAX);
        match self.sort {
            None => Rank(0, (0, 0), String::new()),
            Some(Sort::Name) => Rank(u8::from(key.is_empty()), (0, 0), filed(&key)),
            Some(Sort::Table) => Rank(
                u8::from(seated.is_none()),
                seated.map_or(last, |seated| seated.order),
                filed(&key),
            ),
        }
    }

    /// Tells of players of the pairings without a deck, and of those whose table nobody knows.
    pub(super) fn tell(&self, run: &Run, without: &[String]) {
        let Some(tables) = &self.tables else {
            return;
        };
        let of = |decks: fn(usize) -> bool| -> Vec<String> {
            let found = tables.values().filter(|seated| decks(seated.decks));
            found.map(|seated| seated.player.clone()).collect()
        };
        let told = [
            (
                without.to_vec(),
                "not paired, so that their sheets have no table",
            ),
            (of(|decks| decks == 0), "paired, and no deck here is theirs"),
            (
                of(|decks| decks > 1),
                "the names of several players here, so that their sheets have no table",
            ),
        ];
        for (players, what) in told {
            if !players.is_empty() {
                let players = harmless(&few(&players), false).into_owned();
                run.complain("note", &format!("{}: {players}: {what}", self.name));
            }
        }
    }

    /// Whether a player is in the pairings; everybody is where there are none.
    pub(super) fn knows(&self, player: Option<&str>) -> bool {
        let key = player.map(fold);
        let tables = self.tables.as_ref();
        tables.is_none_or(|all| key.is_some_and(|key| all.contains_key(&*key)))
    }
}

/// A name as people look for it in a pile of paper: accents do not matter before letters do.
fn filed(folded: &str) -> String {
    let letters = folded.nfd().filter(|letter| !is_combining_mark(*letter));
    format!("{} {folded}", letters.collect::<String>())
}

/// Some names, and how many more there are.
fn few(names: &[String]) -> String {
    const MOST: usize = 5;
    match names.get(..MOST).filter(|_| names.len() > MOST + 1) {
        None => listed(names, "and"),
        Some(few) => format!("{} and {} more", few.join(", "), names.len() - MOST),
    }
}
