//! What the pages of an event show of it.

use crate::error::HttpError;
use decklaw_ask as ask;
use decklaw_core::Report;
use decklaw_core::deck::Input;
use decklaw_core::rules::{Severity, Verdict};
use decklaw_core::spreadsheet::{Flavour, Sheet};
use decklaw_core::submissions::{SubmissionError, TimeOrder};
use decklaw_core::table;
use decklaw_engine::solve::Difference;
use decklaw_event::{
    AmbiguityReason, ComparedDeck, Decision, DecisionRow, DeckCheck, Entry, EntryId, Event,
    EventStats, Form, FormError, FormSettings, Person, PlayerId, PlayerReport, Roster, Standing,
    read_form, read_people, sheet,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// The most findings of one deck on a page.
const MOST_FINDINGS: usize = 100;
/// The most decisions and hand-ins in the list of activity.
const MOST_ACTIVITY: usize = 30;

/// The report of a typed deck; `file` is the name of its file, or empty.
pub(super) fn judge(event: &Event, deck: &[u8], file: &str) -> Result<Report, HttpError> {
    let input = Input::of_path(Path::new(file));
    let format = event.about.format.as_deref();
    let format = format.filter(|format| !format.is_empty());
    Ok(short(event.judge().judge_as("-", deck, input, format)?))
}

/// A report with the worst findings first, and not too many.
fn short(mut report: Report) -> Report {
    report.findings.sort_by_key(|finding| match finding.severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Notice => 2,
    });
    report.findings.truncate(MOST_FINDINGS);
    report
}

/// A deck as it came, with its verdict.
#[derive(Debug, Clone)]
pub(super) struct Version {
    pub(super) entry: Entry,
    pub(super) number: usize,
    pub(super) is_late: bool,
    pub(super) counts: bool,
    pub(super) report: Report,
    /// The deck's text as it was judged.
    text: Vec<u8>,
}

/// The decks of a player, the newest first.
pub(super) fn versions_of(event: &Event, player: PlayerId) -> Result<Vec<Version>, HttpError> {
    let player = event.roster().real(player);
    let own = event.roster().entries_of(player).collect();
    versions(event, &event.standing()?, own)
}

fn versions(
    event: &Event,
    standing: &Standing,
    own: Vec<&Entry>,
) -> Result<Vec<Version>, HttpError> {
    let versions = own.into_iter().enumerate().rev().map(|(at, entry)| {
        let (report, text) = event.report(standing, entry)?;
        Ok(Version {
            entry: entry.clone(),
            number: at + 1,
            is_late: report.submission.as_ref().is_some_and(|own| own.late),
            counts: report.counts(),
            report: short(report),
            text,
        })
    });
    versions.collect()
}

/// Everything that the organiser's page shows.
pub(super) fn state(event: &Event) -> Result<Value, HttpError> {
    let (standing, roster) = (event.standing()?, event.roster());
    let players = event.reports(&standing)?;
    let rows = players.iter().map(|one| player_row(roster, &standing, one));
    let rows: Vec<Value> = rows.collect();
    let questions = standing.questions.iter();
    let questions = questions.filter_map(|question| {
        let entry = roster.entries.get(&question.entry)?;
        let named = |id: &PlayerId| json!({"id": id, "name": roster.name(*id)});
        Some(json!({
            "entry": entry.id, "name": entry.name, "address": entry.email,
            "place": entry.place(), "time": entry.time,
            "player": entry.player.map(|id| named(&roster.real(id))),
            "about_time": question.reason == AmbiguityReason::Time,
            "reason": question.reason.words(),
            "likely": question.likely.as_ref().map(named),
            "others": question.others.iter().map(named).collect::<Vec<_>>(),
        }))
    });
    Ok(json!({
        "head": head(event),
        "about": event.about,
        "closed": roster.closed,
        "has_list": roster.has_list(),
        "warnings": event.lock_warnings()?,
        "players": rows,
        "questions": questions.collect::<Vec<_>>(),
        "activity": activity(roster, &standing),
    }))
}

/// A text that changes with everything that is written.
pub(super) fn head(event: &Event) -> String {
    let (roster, about) = (event.roster(), &event.about);
    let (players, entries) = (roster.players.len(), roster.entries.len());
    let (made, last) = (roster.decisions.len(), roster.decisions.last());
    let last = last.map_or(0, |last| last.id);
    let about = decklaw_core::digest::sha256(json!(about).to_string().as_bytes());
    format!("{players}-{entries}-{made}-{last}-{}", &about[..8])
}

fn player_row(roster: &Roster, standing: &Standing, one: &PlayerReport) -> Value {
    let player = one.player.and_then(|player| roster.players.get(&player));
    let entry = one.entry.and_then(|entry| roster.entries.get(&entry));
    let report = one.report.as_ref();
    let error = report.and_then(|report| {
        let mut findings = report.findings.iter();
        findings.find(|finding| finding.severity == Severity::Error)
    });
    json!({
        "id": one.player, "name": one.name, "address": one.address, "status": one.status,
        "unlisted": one.unlisted, "table": one.table, "entry": one.entry, "place": one.place,
        "deck": report.and_then(|report| report.name.as_deref()),
        "cards": report.filter(|report| report.hash.is_some()).map(Report::size),
        "verdict": report.map(|report| report.verdict.word()),
        "notices": report.map(|report| report.findings.len() - report.count(Severity::Error)),
        "error": error.map(|finding| &finding.message),
        "at": entry.and_then(|entry| entry.at).map(|at| at.to_string()),
        "local": one.at.map(|at| at.to_string()), "time": one.time, "late": one.late,
        "beside": one.player.and_then(|player| standing.player(player).beside),
        "locked": player.is_some_and(|player| player.locked),
        "drawn": player.is_some_and(|player| player.drawn),
        "checked": player.and_then(|player| player.checked.as_deref()),
        "remark": one.remark,
    })
}

/// What happened last: hand-ins and decisions, the newest first.
fn activity(roster: &Roster, standing: &Standing) -> Vec<Value> {
    let mut all: Vec<(String, Value)> = Vec::new();
    for entry in roster.entries.values().rev().take(MOST_ACTIVITY) {
        let owner = entry.player.map(|player| roster.name(roster.real(player)));
        let name = owner.or_else(|| entry.name.clone());
        let name = name.unwrap_or_else(|| entry.id.to_string());
        let text = match entry.author.as_str() {
            "player" => format!("{name} submitted a deck"),
            "import" => format!("{name}: imported from {}", entry.source),
            other => format!("{name}: {other} entered a deck"),
        };
        all.push((entry.stored.clone(), json!({"text": text})));
    }
    for row in roster.decisions.iter().rev().take(MOST_ACTIVITY) {
        if let Some(mut text) = sentence(roster, row) {
            if let Some(why) = &row.why {
                text.push_str(&format!(" ({why})"));
            }
            let undo = row.decision.can_undo().then_some(row.id);
            all.push((row.at.clone(), json!({"text": text, "undo": undo})));
        }
    }
    all.sort_by(|(one, _), (other, _)| other.cmp(one));
    all.truncate(MOST_ACTIVITY);
    let local = |at: &str| standing.local_time(at.parse().ok()?).map(|at| at.to_string());
    let each = all.into_iter().map(|(at, mut value)| {
        value["local"] = json!(local(&at));
        value["at"] = json!(at);
        value
    });
    each.collect()
}

/// A decision in words; `None` for links, which are no news.
fn sentence(roster: &Roster, row: &DecisionRow) -> Option<String> {
    let name = |player: &PlayerId| roster.name(roster.real(*player));
    let deck = |entry: &EntryId| {
        let known = roster.entries.get(entry);
        let owner = known.and_then(|known| known.player);
        owner.map_or_else(|| entry.to_string(), |player| format!("{}\u{2019}s deck", name(&player)))
    };
    Some(match &row.decision {
        Decision::Is(entry, player) => format!("{entry} is {}\u{2019}s", name(player)),
        Decision::InTime(entry, true) => format!("{} came in time", deck(entry)),
        Decision::InTime(entry, false) => format!("{} came late", deck(entry)),
        Decision::Counts(entry, true) => format!("{} was accepted", deck(entry)),
        Decision::Counts(entry, false) => format!("{} was excluded", deck(entry)),
        Decision::ReadAs(entry, _) => format!("{} was typed in", deck(entry)),
        Decision::Same(player, with) => format!("{player} is {}", name(with)),
        Decision::Table(player, table) => format!("{}: table {table}", name(player)),
        Decision::Name(player, new) => format!("{player} is called {new}"),
        Decision::Expected(player, true) => format!("{} is on the list", name(player)),
        Decision::Expected(player, false) => format!("{} is off the list", name(player)),
        Decision::Lock(None, true) => "Hand-in was closed".to_owned(),
        Decision::Lock(None, false) => "Hand-in was opened".to_owned(),
        Decision::Lock(Some(player), true) => format!("{} was locked", name(player)),
        Decision::Lock(Some(player), false) => format!("{} was unlocked", name(player)),
        Decision::Check(player, answer) => format!("{}, deck check: {answer}", name(player)),
        Decision::Forget(player) => format!("{player} was removed"),
        Decision::Means(other, card) => format!("\u{201c}{other}\u{201d} means {card}"),
        Decision::Draw(players) => {
            let names: Vec<String> = players.iter().map(name).collect();
            format!("Drawn for a deck check: {}", names.join(", "))
        }
        Decision::Key(..) | Decision::Undo(_) => return None,
    })
}

/// A player with every deck, or a deck without a player, by the id of either.
pub(super) fn player_detail(event: &Event, id: &str) -> Result<Value, HttpError> {
    let (standing, roster) = (event.standing()?, event.roster());
    let none = || HttpError::none("such player");
    let player = match id.parse::<PlayerId>() {
        Ok(id) => {
            let player = roster.players.get(&roster.real(id));
            Some(player.filter(|player| !player.forgotten).ok_or_else(none)?)
        }
        Err(_) => None,
    };
    let own: Vec<&Entry> = match player {
        Some(player) => roster.entries_of(player.id).collect(),
        None => {
            let entry = id.parse::<EntryId>().ok();
            let entry = entry.and_then(|entry| roster.entries.get(&entry));
            vec![entry.ok_or_else(none)?]
        }
    };
    let versions = versions(event, &standing, own)?;
    let format = event.about.format.as_deref().unwrap_or_default();
    let differences = versions.windows(2).map(|pair| {
        let [new, old] = [0, 1].map(|at| {
            let text = pair.get(at).map(|version| version.text.as_slice());
            String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
        });
        ask::differences(event.judge(), format, (&old, &new))
    });
    let differences: Vec<Vec<Difference>> = differences.collect();
    let mut shown = Vec::new();
    for (at, version) in versions.iter().enumerate() {
        shown.push(version_json(event, &standing, version, differences.get(at))?);
    }
    Ok(json!({
        "id": id,
        "name": player.map(|player| player.name.clone()),
        "addresses": player.map(|player| roster.addresses_of(player.id)),
        "table": player.and_then(|player| player.table.as_ref()),
        "locked": player.is_some_and(|player| player.locked),
        "listed": player.is_some_and(|player| player.listed),
        "notes": player.map(|player| &player.notes),
        "versions": shown,
    }))
}

fn version_json(
    event: &Event,
    standing: &Standing,
    version: &Version,
    changes: Option<&Vec<Difference>>,
) -> Result<Value, HttpError> {
    let (entry, report) = (&version.entry, &version.report);
    let listing = event.listing(entry, &version.text, report.format.as_deref())?;
    let sections =
        listing.sections.iter().map(|(section, cards)| json!({"section": section, "cards": cards}));
    Ok(json!({
        "entry": entry.id, "number": version.number, "author": entry.author,
        "place": entry.place(), "local": standing.local(entry).map(|at| at.to_string()),
        "time": entry.time, "late": version.is_late, "counts": version.counts,
        "name": report.name, "format": report.format, "verdict": report.verdict.word(),
        "hash": report.hash, "findings": report.findings,
        "deck": String::from_utf8_lossy(&entry.deck), "read_as": entry.read_as,
        "sections": sections.collect::<Vec<_>>(), "changes": changes,
    }))
}

/// The registration sheets of some players, or of all where none is named, as a page of HTML.
pub(super) fn sheets(event: &Event, players: &[PlayerId]) -> Result<String, HttpError> {
    let roster = event.roster();
    let players = match players {
        [] => roster.by_name(),
        players => players.iter().map(|id| roster.real(*id)).collect(),
    };
    Ok(event.sheets(&event.standing()?, &players)?)
}

/// A file with all of an event.
pub(super) fn export(event: &Event, file: &str) -> Result<Vec<u8>, HttpError> {
    let standing = event.standing()?;
    let wrong = |error: &dyn std::fmt::Display| HttpError::new(500, error.to_string(), "");
    let csv = |sheet: Sheet<'_>| {
        let csv = sheet.with_inputs(&[]).csv(Flavour::Excel);
        csv.map_err(|error| wrong(&error))
    };
    if file == "cards.csv" {
        let stats = EventStats::of(event, &standing, None)?;
        let columns = EventStats::COLUMNS.map(str::to_owned).to_vec();
        let rows = stats.rows().into_iter();
        return csv(Sheet::new("cards", columns, rows));
    }
    let players = event.reports(&standing)?;
    match file {
        "decks.csv" => csv(sheet("decks", &players, event.seal(), |_| true)),
        "decks.xlsx" => {
            let book = decklaw_core::report::workbook::workbook(event.workbook_sheets(&players));
            book.map_err(|error| wrong(&error))
        }
        "decks.json" => {
            let mut text = serde_json::to_vec_pretty(&event.to_json(&players));
            if let Ok(text) = &mut text {
                text.push(b'\n');
            }
            text.map_err(|error| wrong(&error))
        }
        _ => Err(HttpError::none("such file")),
    }
}

/// Which cards are played; with `only`, in decks with this verdict.
pub(super) fn cards(event: &Event, only: Option<Verdict>) -> Result<Value, HttpError> {
    Ok(EventStats::of(event, &event.standing()?, only)?.to_json(event))
}

/// How a deck at a table compares to the one that counts: the answer in a word, and all of it.
pub(super) fn check(
    event: &Event,
    player: PlayerId,
    deck: &[u8],
) -> Result<(&'static str, Value), HttpError> {
    let checked = event.check(player, (deck, Input::default()))?;
    let (differences, errors, notes) = match &checked {
        DeckCheck::Compared(ComparedDeck { played, notes, .. }) => {
            (played.differences().to_vec(), played.wrong().to_vec(), notes.clone())
        }
        DeckCheck::Unreadable(why) => (Vec::new(), vec![why.clone()], Vec::new()),
    };
    let answer = checked.word();
    let all =
        json!({"answer": answer, "differences": differences, "errors": errors, "notes": notes});
    Ok((answer, all))
}

/// How an uploaded file is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Upload {
    /// The file's name.
    pub(super) name: String,
    /// `form`, `players`, or empty: as it looks.
    pub(super) kind: String,
    /// The column of each role, as `ROLE=COLUMN`.
    pub(super) columns: Vec<String>,
    /// The order of dates; empty: as it looks.
    pub(super) dates: String,
}

/// An uploaded file that was read.
#[derive(Debug)]
pub(super) enum ReadUpload {
    Form(Box<Form>),
    Players(Vec<Person>),
}

/// Reads an uploaded file, if it can be read, with what importing it would do.
pub(super) fn read_upload(
    event: &Event,
    upload: &Upload,
    bytes: &[u8],
) -> (Option<ReadUpload>, Value) {
    let header = table::read(bytes, None);
    let header = header.map(|sheet| sheet.header).unwrap_or_default();
    let preview = |kind: &str, mut more: Value| {
        more["kind"] = json!(kind);
        more["header"] = json!(header);
        more
    };
    let kind = upload.kind.as_str();
    if kind != "players" {
        match upload.form(event, bytes) {
            Ok(form) => {
                let preview_of = event.preview(std::slice::from_ref(&form));
                let shown = preview("form", form_preview(event, &form, preview_of.first()));
                return (Some(ReadUpload::Form(Box::new(form))), shown);
            }
            // A table without decks is a list of players, unless somebody says otherwise.
            Err(FormError::Form(SubmissionError::NoDeck { .. })) if kind.is_empty() => {}
            Err(error) => return (None, preview("form", json!({"error": error.to_string()}))),
        }
    }
    match read_people(bytes, None) {
        Err(error) => (None, preview("players", json!({"error": error.to_string()}))),
        Ok(people) => {
            let names = people.iter().filter_map(|one| one.name.as_deref());
            let shown = preview("players", json!({"names": names.collect::<Vec<_>>()}));
            (Some(ReadUpload::Players(people)), shown)
        }
    }
}

impl Upload {
    fn form(&self, event: &Event, bytes: &[u8]) -> Result<Form, FormError> {
        let settings = FormSettings {
            columns: self.columns.clone(),
            dates: match self.dates.as_str() {
                "year-first" => Some(TimeOrder::YearFirst),
                "day-first" => Some(TimeOrder::DayFirst),
                "month-first" => Some(TimeOrder::MonthFirst),
                _ => None,
            },
            at: None,
        };
        // No folder comes with an upload: cells that name files are refused.
        let nowhere = Path::new("/dev/null/no-folder");
        let (about, judge) = (&event.about, event.judge());
        read_form(&self.name, (bytes, None), nowhere, about, &settings, judge)
    }
}

fn form_preview(event: &Event, form: &Form, preview: Option<&decklaw_event::Preview>) -> Value {
    let Some(preview) = preview else {
        return Value::Null;
    };
    // Here a column is chosen, not named in a call.
    let notes = form.notes.iter();
    let notes = notes.map(|note| note.replace(", with `--columns player=COLUMN`", " above"));
    json!({
        "read_as": form.read_as, "notes": notes.collect::<Vec<_>>(), "unused": form.unused,
        "summary": preview.in_words(), "new": preview.new,
        "remarks": preview.remarks(event.roster()),
    })
}
