//! Everything of an event as tables and JSON: a row a player, whoever is missing too.

use crate::event::{Event, EventError};
use crate::papers::of_player;
use crate::record::{PlayerId, Why};
use crate::roster::{Entry, Player, Roster};
use crate::standing::{Came, Counting, Standing};
use decklaw_core::judge::Report;
use decklaw_core::report::table;
use decklaw_core::rules::Severity;
use decklaw_core::spreadsheet::{Cell, Sheet};
use jiff::civil::DateTime;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The lists of an event: the sheets of its workbook.
pub const LISTS: [&str; 5] = ["counting", "late", "missing", "asked", "unlisted"];

/// A line of the event's table: a player with their deck, or a deck of which nobody knows whose it
/// is.
#[derive(Debug)]
pub struct Listed {
    /// The player.
    pub player: Option<PlayerId>,
    /// `counts`, `late`, `out`, `missing` or `asked`.
    pub status: &'static str,
    /// Whether they are not on the organiser's list, where there is one.
    pub unlisted: bool,
    /// The name.
    pub name: String,
    /// The table.
    pub table: Option<String>,
    /// The address that is known.
    pub address: Option<String>,
    /// What the lock says.
    pub report: Option<Report>,
    /// The deck's place: form and row.
    pub place: String,
    /// The id of the deck.
    pub entry: Option<String>,
    /// When it came, in the event's zone.
    pub time: String,
    /// The same where it was understood, as clocks at the event show it.
    pub at: Option<DateTime>,
    /// Whether it came late: `yes`, `no` or `unknown`.
    pub late: &'static str,
    /// How many other decks of the player it stands in the place of.
    pub replaces: usize,
    /// What an organiser must answer.
    pub question: Option<Why>,
    /// Deck checks.
    pub notes: Vec<String>,
    /// Other columns of the form.
    pub carried: Vec<(String, String)>,
}

impl Why {
    /// The question in words, about a deck that says it is of this person.
    pub fn words(self) -> &'static str {
        match self {
            Why::Nobody => "it does not say whose it is",
            Why::Namesakes => "several players have that name",
            Why::AnotherAddress => "a player of that name has another address",
            Why::SharedAddress => "that address is another player's, too",
            Why::NearlyNamed => "that name is nearly a player's",
            Why::Time => "it does not say when it came",
        }
    }
}

impl Event {
    /// Whether there is a list of who is expected.
    pub fn expects(&self) -> bool {
        self.roster().present().any(|player| player.expected)
    }

    /// Every player with their deck, and every deck of which nobody knows whose it is.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn listed(&self, standing: &Standing) -> Result<Vec<Listed>, EventError> {
        let roster = self.roster();
        let expects = self.expects();
        let mut all = Vec::new();
        for id in self.by_name() {
            if let Some(player) = roster.players.get(&id) {
                all.push(self.of_player(standing, player, expects)?);
            }
        }
        for (id, why) in &standing.asked {
            let Some(entry) = roster.entries.get(id).filter(|_| *why != Why::Time) else {
                continue;
            };
            let (report, _) = self.report(standing, entry)?;
            let name = entry.person.name.clone().unwrap_or_default();
            all.push(Listed {
                player: None,
                status: "asked",
                unlisted: false,
                name,
                table: None,
                address: entry.person.addresses.first().cloned(),
                report: Some(report),
                question: Some(*why),
                ..self.of_entry(standing, entry)
            });
        }
        Ok(all)
    }

    /// The sheets of the event's workbook: one for each of the [`LISTS`], and what decided.
    pub fn workbook_sheets<'l>(&'l self, listed: &'l [Listed]) -> Vec<Sheet<'l>> {
        let lists = LISTS.iter().map(|list| {
            let sheet = sheet(list, listed, self.seal(), move |one| one.is_on(list));
            sheet.with_inputs(&[])
        });
        let judge = self.judge();
        let met = judge.met();
        let rules = met.iter().map(|(id, rulebook)| (id.clone(), &**rulebook));
        let day = judge.day().to_string();
        let inputs = table::inputs(&rules.collect(), &day, judge.lock());
        lists.chain([inputs]).collect()
    }

    fn of_player(
        &self,
        standing: &Standing,
        player: &Player,
        expects: bool,
    ) -> Result<Listed, EventError> {
        let roster = self.roster();
        let known = of_player(self, standing, player)?;
        let entry = known
            .counting
            .entry()
            .and_then(|id| roster.entries.get(&id));
        let time_asked = standing.asked.iter().any(|(id, why)| {
            *why == Why::Time && roster.of(player.id).any(|entry| entry.id == *id)
        });
        let asked = time_asked && known.counting == Counting::Missing;
        let base = match entry {
            Some(entry) => self.of_entry(standing, entry),
            None => Listed::nobody(),
        };
        let replaced = standing.replaced.get(&player.id).map_or(0, Vec::len);
        Ok(Listed {
            player: Some(player.id),
            status: if asked {
                "asked"
            } else {
                known.counting.word()
            },
            unlisted: expects && !player.expected,
            name: player.name.to_string(),
            table: player.table.clone(),
            address: roster
                .addresses_of(player.id)
                .first()
                .map(|address| (*address).to_owned()),
            report: entry.map(|_| known.report),
            replaces: replaced,
            question: time_asked.then_some(Why::Time),
            notes: player.notes.iter().map(|note| note.text.clone()).collect(),
            ..base
        })
    }

    fn of_entry(&self, standing: &Standing, entry: &Entry) -> Listed {
        let at = standing.local(entry);
        let time = at.map(|at| at.to_string().replace('T', " "));
        Listed {
            place: entry.place(),
            entry: Some(entry.id.to_string()),
            time: time
                .or_else(|| entry.personal.time.clone())
                .unwrap_or_default(),
            at,
            late: match standing.came(entry) {
                Came::InTime => "no",
                Came::Late => "yes",
                Came::Unknown => "unknown",
            },
            carried: entry.personal.carried.clone(),
            ..Listed::nobody()
        }
    }

    /// Everything as one JSON document.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn to_json(&self, standing: &Standing) -> Result<Value, EventError> {
        let listed = self.listed(standing)?;
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        let mut verdicts = std::collections::BTreeMap::<&str, usize>::new();
        for one in &listed {
            *counts.entry(one.status).or_default() += 1;
            if let (Some(report), "counts") = (&one.report, one.status) {
                *verdicts.entry(report.verdict.word()).or_default() += 1;
            }
        }
        let players: Vec<Value> = listed.iter().map(Listed::to_json).collect();
        Ok(json!({
            "schema": "decklaw/event/1",
            "event": self.about, "lock": self.seal(),
            "counts": counts, "verdicts": verdicts, "players": players,
        }))
    }
}

impl Listed {
    fn nobody() -> Listed {
        Listed {
            player: None,
            status: "missing",
            unlisted: false,
            name: String::new(),
            table: None,
            address: None,
            report: None,
            place: String::new(),
            entry: None,
            time: String::new(),
            at: None,
            late: "",
            replaces: 0,
            question: None,
            notes: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Whether it is on one of the [`LISTS`].
    pub fn is_on(&self, list: &str) -> bool {
        match list {
            "counting" => self.status == "counts",
            "unlisted" => self.unlisted,
            "asked" => self.question.is_some(),
            other => self.status == other,
        }
    }

    fn to_json(&self) -> Value {
        let report = self.report.as_ref();
        let findings = report.map(|report| json!(report.findings));
        json!({
            "id": self.player, "player": self.name, "status": self.status, "unlisted": self.unlisted,
            "table": self.table, "address": self.address, "entry": self.entry, "deck": self.place,
            "time": self.time, "late": self.late, "replaces": self.replaces,
            "question": self.question, "notes": self.notes,
            "verdict": report.map(|report| report.verdict.word()),
            "format": report.and_then(|report| report.format.as_deref()),
            "name": report.and_then(|report| report.name.as_deref()),
            "hash": report.and_then(|report| report.hash.as_deref()),
            "cards": report.map(|report| report.cards.iter().cloned().collect::<std::collections::BTreeMap<_, _>>()),
            "findings": findings,
            "form": self.carried.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        })
    }
}

/// The columns of the event's table; behind them those that forms have besides.
const COLUMNS: [&str; 22] = [
    "id",
    "player",
    "status",
    "verdict",
    "table",
    "format",
    "name",
    "cards",
    "errors",
    "warnings",
    "findings",
    "hash",
    "deck",
    "entry",
    "time",
    "late",
    "replaces",
    "unlisted",
    "question",
    "address",
    "notes",
    "lock seal",
];

/// The columns of the event's table before those of the decks' sections.
const BEFORE_SECTIONS: usize = 8;

/// The lines as a sheet; `of` are those of whom a row is wanted.
pub fn sheet<'l>(
    name: &'static str,
    listed: &'l [Listed],
    seal: &'l str,
    of: impl Fn(&Listed) -> bool + 'l,
) -> Sheet<'l> {
    let carried = carried(listed);
    let sections = table::sections(listed.iter().filter_map(|one| one.report.as_ref()));
    let form = carried
        .iter()
        .map(|name| match COLUMNS.contains(&name.as_str()) {
            true => format!("{name} (form)"),
            false => name.clone(),
        });
    let (before, behind) = COLUMNS.split_at(BEFORE_SECTIONS);
    let mut columns: Vec<String> = before.iter().map(|name| (*name).to_owned()).collect();
    columns.extend(table::section_columns(&sections, &COLUMNS));
    columns.extend(behind.iter().map(|name| (*name).to_owned()).chain(form));
    let rows = listed.iter().filter(move |one| of(one)).map(move |one| {
        let mut row = cells(one, seal);
        let behind = row.split_off(BEFORE_SECTIONS);
        row.extend(table::copies(one.report.as_ref(), &sections));
        row.extend(behind);
        row.extend(carried.iter().map(|name| {
            let own = one.carried.iter().find(|(known, _)| known == name);
            Cell::some(own.map(|(_, value)| value.as_str()))
        }));
        row
    });
    Sheet::new(name, columns, rows)
}

/// What forms have besides, each name once.
fn carried(listed: &[Listed]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for (name, _) in listed.iter().flat_map(|one| &one.carried) {
        if seen.insert(name.clone()) {
            all.push(name.clone());
        }
    }
    all
}

/// The cells of [`COLUMNS`].
fn cells(one: &Listed, seal: &str) -> Vec<Cell> {
    let text = |text: Option<&str>| Cell::text(text.unwrap_or_default());
    let report = one.report.as_ref();
    let count = |severity| {
        report.map_or_else(
            || Cell::text(""),
            |report| Cell::count(report.count(severity)),
        )
    };
    let id = one.player.map(|id| id.to_string());
    vec![
        text(id.as_deref()),
        Cell::text(&one.name),
        Cell::text(one.status),
        text(report.map(|report| report.verdict.word())),
        text(one.table.as_deref()),
        text(report.and_then(|report| report.format.as_deref())),
        text(report.and_then(|report| report.name.as_deref())),
        report.map_or_else(|| Cell::text(""), |report| Cell::Number(report.size())),
        count(Severity::Error),
        count(Severity::Warning),
        Cell::text(report.map_or_else(String::new, findings)),
        text(report.and_then(|report| report.hash.as_deref())),
        Cell::text(&one.place),
        text(one.entry.as_deref()),
        one.at.map_or_else(|| Cell::text(&one.time), Cell::Time),
        Cell::text(one.late),
        Cell::count(one.replaces),
        Cell::text(if one.unlisted { "yes" } else { "" }),
        text(one.question.map(Why::words)),
        text(one.address.as_deref()),
        Cell::text(one.notes.join("; ")),
        Cell::text(if report.is_some() { seal } else { "" }),
    ]
}

/// All findings of a deck in words.
fn findings(report: &Report) -> String {
    let each = report.findings.iter();
    let each = each.map(|finding| format!("{}: {}", finding.rule, finding.message));
    each.collect::<Vec<_>>().join("; ")
}

/// Players by their places in the roster: whoever asks has them at hand.
impl Roster {
    /// A player's name and id, or the id alone where the name was removed.
    pub fn called(&self, player: PlayerId) -> String {
        match self.name(player) {
            name if name == player.to_string() => name,
            name => format!("{name} ({player})"),
        }
    }

    /// A player's name, or the id where the name was removed.
    pub fn name(&self, player: PlayerId) -> String {
        let known = self
            .players
            .get(&player)
            .filter(|player| !player.name.is_empty());
        known.map_or_else(|| player.to_string(), |player| player.name.to_string())
    }
}
