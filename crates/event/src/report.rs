//! The event's table: a row a player, missing ones too, and a row for each deck without a player.

use crate::error::EventError;
use crate::event::Event;
use crate::id::{EntryId, PlayerId};
use crate::roster::{AmbiguityReason, Entry, Player};
use crate::standing::{Arrival, Counting, Standing};
use decklaw_judge::judge::Report;
use decklaw_judge::report::table;
use decklaw_rules::rules::Severity;
use decklaw_text::spreadsheet::{Cell, Sheet};
use jiff::civil::DateTime;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The sheets of the event's workbook.
pub const LISTS: [&str; 5] = ["counting", "late", "missing", "asked", "unlisted"];

/// A player with the deck that counts or could, or a deck without a player.
#[derive(Debug, Default)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct PlayerReport {
    pub player: Option<PlayerId>,
    /// `counts`, `late`, `out`, `missing` or `asked`.
    pub status: &'static str,
    /// Whether there is a list of players and this one is not on it.
    pub unlisted: bool,
    pub name: String,
    pub table: Option<String>,
    pub address: Option<String>,
    pub report: Option<Report>,
    pub text: Vec<u8>,
    pub place: String,
    pub entry: Option<EntryId>,
    /// When it came, in the event's zone, or as the form wrote it.
    pub time: String,
    pub at: Option<DateTime>,
    /// Whether it came late: `yes`, `no` or `unknown`.
    pub late: &'static str,
    /// A late deck next to the one that counts.
    pub beside: Option<EntryId>,
    /// How many other decks of the player it replaces.
    pub replaces: usize,
    pub question: Option<AmbiguityReason>,
    pub notes: Vec<String>,
    /// Why the deck does not simply count, in a sentence.
    pub remark: Option<String>,
    pub extra: Vec<(String, String)>,
}

/// An event at a moment: what the command, the page and the export show.
#[derive(Debug)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct StatusReport {
    pub standing: Standing,
    pub players: Vec<PlayerReport>,
    pub questions: Vec<QuestionReport>,
}

/// A player by id and name.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Named {
    pub id: PlayerId,
    pub name: String,
}

/// What an organiser must answer about an entry.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct QuestionReport {
    pub entry: EntryId,
    pub name: Option<String>,
    pub address: Option<String>,
    pub place: String,
    pub time: Option<String>,
    /// Whose it is, where only its time is asked about.
    pub player: Option<Named>,
    pub reason: AmbiguityReason,
    pub why: &'static str,
    /// Whose it most likely is; `None`: a new player's.
    pub likely: Option<Named>,
    pub others: Vec<Named>,
}

/// Something that happened at an event.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Activity {
    /// When, RFC 3339 in UTC.
    pub at: String,
    pub local: Option<String>,
    /// Who did it: `player`, `import` or an organiser's name.
    pub by: String,
    pub text: String,
    /// The number of a decision that can be undone.
    pub undo: Option<i64>,
    pub undone: bool,
}

impl Event {
    /// The event as it is now.
    ///
    /// # Errors
    /// Times in `event.yaml` that are not times; rules, cards or lists in the lock that are wrong.
    pub fn status(&self) -> Result<StatusReport, EventError> {
        let (standing, roster) = (self.standing()?, self.roster());
        let named = |id: &PlayerId| Named { id: *id, name: roster.name(*id) };
        let questions = standing.questions.iter().filter_map(|question| {
            let entry = roster.entries.get(&question.entry)?;
            Some(QuestionReport {
                entry: entry.id,
                name: entry.name.clone(),
                address: entry.email.clone(),
                place: entry.place(),
                time: entry.time.clone(),
                player: entry.player.map(|id| named(&roster.real(id))),
                reason: question.reason,
                why: question.reason.words(),
                likely: question.likely.as_ref().map(named),
                others: question.others.iter().map(named).collect(),
            })
        });
        let questions = questions.collect();
        Ok(StatusReport { players: self.reports(&standing)?, questions, standing })
    }

    /// What happened last, the newest first.
    pub fn activity(&self, standing: &Standing, most: usize) -> Vec<Activity> {
        let roster = self.roster();
        let local = |at: &str| Some(standing.local_time(at.parse().ok()?)?.to_string());
        // What an import brought is one line.
        let imports = roster.decisions.iter().filter(|row| !row.undone);
        let imports: Vec<_> = imports.filter_map(|row| row.decision.import()).collect();
        let entries = roster.entries.values().rev();
        let entries = entries.filter(|entry| !imports.iter().any(|one| one.has_entry(entry.id)));
        let entries = entries.take(most).map(|entry| {
            let owner = entry.player.map(|player| roster.name(roster.real(player)));
            let name = owner.or_else(|| entry.name.clone());
            let name = name.unwrap_or_else(|| entry.id.to_string());
            let text = match entry.author.as_str() {
                "player" => format!("{name} submitted a deck"),
                "import" => format!("{name}: imported from {}", entry.source),
                _ => format!("A deck of {name} was entered"),
            };
            (entry.stored.clone(), entry.author.clone(), text, None, false)
        });
        let decisions = roster.decisions.iter().rev().filter_map(|row| {
            let undo = (row.decision.can_undo() && !row.undone).then_some(row.id);
            Some((row.at.clone(), row.author.clone(), roster.sentence(row)?, undo, row.undone))
        });
        let all = entries.chain(decisions.take(most));
        let mut all: Vec<Activity> = all
            .map(|(at, by, text, undo, undone)| Activity {
                local: local(&at),
                at,
                by,
                text,
                undo,
                undone,
            })
            .collect();
        all.sort_by(|one, other| other.at.cmp(&one.at));
        all.truncate(most);
        all
    }

    /// Every player with the deck that counts or could, and every deck without a player.
    fn reports(&self, standing: &Standing) -> Result<Vec<PlayerReport>, EventError> {
        let mut all = Vec::new();
        for id in self.roster().by_name() {
            if let Some(player) = self.roster().players.get(&id) {
                all.push(self.player_report(standing, player)?);
            }
        }
        for question in &standing.questions {
            let entry = self.roster().entries.get(&question.entry);
            if let Some(entry) = entry.filter(|entry| entry.player.is_none()) {
                all.push(PlayerReport {
                    status: "asked",
                    name: entry.name.clone().unwrap_or_default(),
                    address: entry.email.clone(),
                    question: Some(question.reason),
                    ..self.entry_report(standing, entry)?
                });
            }
        }
        Ok(all)
    }

    /// A player with the deck that counts or could.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn player_report(
        &self,
        standing: &Standing,
        player: &Player,
    ) -> Result<PlayerReport, EventError> {
        let roster = self.roster();
        let own = standing.player(player.id);
        let entry = own.counting.entry();
        let mut base = match entry.and_then(|entry| roster.entries.get(&entry)) {
            Some(entry) => self.entry_report(standing, entry)?,
            None => PlayerReport::default(),
        };
        if let Some(report) = &mut base.report {
            report.player = Some(player.name.clone());
        }
        let time_asked = own.entries.iter().any(|entry| standing.question(*entry).is_some());
        let asked = time_asked && own.counting == Counting::Missing;
        let address = roster.addresses_of(player.id).first();
        Ok(PlayerReport {
            player: Some(player.id),
            status: if asked { "asked" } else { own.counting.word() },
            unlisted: roster.has_list() && !player.listed,
            name: player.name.clone(),
            table: player.table.clone(),
            address: address.cloned(),
            beside: own.beside,
            replaces: own.replaced.len(),
            question: time_asked.then_some(AmbiguityReason::Time),
            notes: player.notes.clone(),
            remark: self.remark(standing, player.id),
            ..base
        })
    }

    fn entry_report(&self, standing: &Standing, entry: &Entry) -> Result<PlayerReport, EventError> {
        let (report, text) = self.report(standing, entry)?;
        let at = standing.local(entry);
        let time = at.map(|at| at.to_string().replace('T', " "));
        Ok(PlayerReport {
            report: Some(report),
            text,
            place: entry.place(),
            entry: Some(entry.id),
            time: time.or_else(|| entry.time.clone()).unwrap_or_default(),
            at,
            late: match standing.arrival(entry) {
                Arrival::InTime => "no",
                Arrival::Late => "yes",
                Arrival::Unknown => "unknown",
            },
            extra: entry.extra.clone(),
            ..PlayerReport::default()
        })
    }

    /// Why a player's deck does not simply count, in a sentence.
    fn remark(&self, standing: &Standing, player: PlayerId) -> Option<String> {
        let own = standing.player(player);
        let likely = standing.questions.iter().find(|one| one.likely == Some(player));
        let likely = likely.and_then(|question| self.roster().entries.get(&question.entry));
        Some(match (own.counting, likely) {
            (Counting::Counts(_), _) => return None,
            (Counting::Late(_), _) => "Late: it counts if the organiser accepts it.".to_owned(),
            (Counting::Withdrawn(_), _) => "The player withdrew.".to_owned(),
            (Counting::Out(_), _) => "The organiser excluded this deck.".to_owned(),
            (Counting::Missing, Some(entry)) => format!(
                "No deck counts yet: the organiser must say whether {} is this player\u{2019}s.",
                entry.place()
            ),
            (Counting::Missing, None) if own.entries.is_empty() => {
                "No deck was submitted.".to_owned()
            }
            (Counting::Missing, None) => {
                "No deck counts yet: the organiser must say whether it came in time.".to_owned()
            }
        })
    }
}

impl StatusReport {
    /// The sheets of the event's workbook: one for each of the [`LISTS`], and the inputs.
    pub fn workbook_sheets<'l>(&'l self, event: &'l Event) -> Vec<Sheet<'l>> {
        let lists = LISTS.iter().map(|list| sheet(list, &self.players, move |one| one.is_on(list)));
        let judge = event.judge();
        let met = judge.met();
        let rules = met.iter().map(|(id, rulebook)| (id.clone(), &**rulebook));
        let day = judge.day().to_string();
        let inputs = table::judged_by(&rules.collect(), &day, judge.lock());
        lists.chain([inputs]).collect()
    }

    /// The document `decklaw/event/1`.
    pub fn to_json(&self, event: &Event) -> Value {
        let mut counts = BTreeMap::<&str, usize>::new();
        let mut verdicts = BTreeMap::<&str, usize>::new();
        for one in &self.players {
            *counts.entry(one.status).or_default() += 1;
            if let (Some(report), "counts") = (&one.report, one.status) {
                *verdicts.entry(report.verdict.word()).or_default() += 1;
            }
        }
        let players: Vec<Value> = self.players.iter().map(PlayerReport::to_json).collect();
        json!({
            "schema": "decklaw/event/1",
            "event": event.about, "lock": event.seal(),
            "counts": counts, "verdicts": verdicts, "players": players,
        })
    }
}

impl PlayerReport {
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
        let map = |pairs: &[(String, String)]| pairs.iter().cloned().collect::<BTreeMap<_, _>>();
        let cards = |report: &Report| report.cards.iter().cloned().collect::<BTreeMap<_, _>>();
        json!({
            "id": self.player, "player": self.name, "status": self.status,
            "unlisted": self.unlisted, "table": self.table, "address": self.address,
            "entry": self.entry, "deck": self.place, "time": self.time, "late": self.late,
            "replaces": self.replaces, "question": self.question, "notes": self.notes,
            "verdict": report.map(|report| report.verdict.word()),
            "format": report.and_then(|report| report.format.as_deref()),
            "name": report.and_then(|report| report.name.as_deref()),
            "hash": report.and_then(|report| report.hash.as_deref()),
            "cards": report.map(cards),
            "findings": report.map(|report| json!(report.findings)),
            "form": map(&self.extra),
        })
    }
}

/// The columns of the event's table; other columns of forms follow.
const COLUMNS: [&str; 21] = [
    "deck", "player", "format", "name", "id", "status", "verdict", "table", "size", "errors",
    "warnings", "findings", "hash", "entry", "time", "late", "earlier", "unlisted", "question",
    "address", "notes",
];

/// The columns before those of the sections.
const BEFORE_SECTIONS: usize = 9;

/// The players as a sheet; `of` chooses the rows.
pub fn sheet<'l>(
    name: &'static str,
    players: &'l [PlayerReport],
    of: impl Fn(&PlayerReport) -> bool + 'l,
) -> Sheet<'l> {
    let extra = extra_columns(players);
    let sections = table::sections(players.iter().filter_map(|one| one.report.as_ref()));
    let form = extra.iter().map(|name| {
        if COLUMNS.contains(&name.as_str()) { format!("form_{name}") } else { name.clone() }
    });
    let (before, behind) = COLUMNS.split_at(BEFORE_SECTIONS);
    let mut columns: Vec<String> = before.iter().map(|name| (*name).to_owned()).collect();
    columns.extend(table::section_columns(&sections, &COLUMNS));
    columns.extend(behind.iter().map(|name| (*name).to_owned()).chain(form));
    let rows = players.iter().filter(move |one| of(one)).map(move |one| {
        let mut row = cells(one);
        let behind = row.split_off(BEFORE_SECTIONS);
        row.extend(table::copies(one.report.as_ref(), &sections));
        row.extend(behind);
        row.extend(extra.iter().map(|name| {
            let own = one.extra.iter().find(|(known, _)| known == name);
            Cell::some(own.map(|(_, value)| value.as_str()))
        }));
        row
    });
    Sheet::new(name, columns, rows)
}

/// The other columns of forms, each once.
fn extra_columns(players: &[PlayerReport]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for (name, _) in players.iter().flat_map(|one| &one.extra) {
        if seen.insert(name.clone()) {
            all.push(name.clone());
        }
    }
    all
}

/// The cells of [`COLUMNS`].
fn cells(one: &PlayerReport) -> Vec<Cell> {
    let report = one.report.as_ref();
    let count =
        |severity| report.map_or_else(Cell::empty, |report| Cell::count(report.count(severity)));
    let id = |id: Option<String>| Cell::some(id.as_deref());
    vec![
        Cell::text(&one.place),
        Cell::text(&one.name),
        Cell::some(report.and_then(|report| report.format.as_deref())),
        Cell::some(report.and_then(|report| report.name.as_deref())),
        id(one.player.map(|id| id.to_string())),
        Cell::text(one.status),
        Cell::some(report.map(|report| report.verdict.word())),
        Cell::some(one.table.as_deref()),
        report.map_or_else(Cell::empty, table::size),
        count(Severity::Error),
        count(Severity::Warning),
        Cell::text(report.map_or_else(String::new, findings)),
        Cell::some(report.and_then(|report| report.hash.as_deref())),
        id(one.entry.map(|id| id.to_string())),
        one.at.map_or_else(|| Cell::text(&one.time), Cell::Time),
        Cell::text(one.late),
        Cell::count(one.replaces),
        Cell::text(if one.unlisted { "yes" } else { "" }),
        Cell::some(one.question.map(AmbiguityReason::words)),
        Cell::some(one.address.as_deref()),
        Cell::text(one.notes.join("; ")),
    ]
}

/// All findings of a deck in words.
fn findings(report: &Report) -> String {
    let each = report.findings.iter();
    let each = each.map(|finding| format!("{}: {}", finding.rule, finding.message));
    each.collect::<Vec<_>>().join("; ")
}
