//! What the pages of an event show of it.

use crate::error::HttpError;
use decklaw_ask as ask;
use decklaw_decks::deck::Input;
use decklaw_decks::submissions::TimeOrder;
use decklaw_event::{
    ComparedDeck, DeckCheck, DeckFile, EntryDetail, EntryId, Event, EventStats, Form, FormError,
    FormSettings, Person, PlayerId, PlayerMatch, Roster, read_archive, read_decks, read_form,
    read_people, sheet,
};
use decklaw_judge::Report;
use decklaw_judge::report::workbook::workbook;
use decklaw_rules::rules::{Severity, Verdict};
use decklaw_text::Problem;
use decklaw_text::spreadsheet::{Flavour, Sheet};
use decklaw_text::table;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The most findings of one deck on a page.
const MOST_FINDINGS: usize = 100;
/// The most decisions and hand-ins in the list of activity.
const MOST_ACTIVITY: usize = 40;

/// The report of a typed deck; `file` is the name of its file, or empty.
pub(super) fn judge(event: &Event, deck: &[u8], file: &str) -> Result<Report, HttpError> {
    let mut report = event.judge_deck("-", (deck, Input::of_path(Path::new(file))), None)?;
    short(&mut report);
    Ok(report)
}

/// Puts the worst findings of a report first, leaves not too many, and takes out of their advice what
/// only a command can do.
fn short(report: &mut Report) {
    report.findings.sort_by_key(|finding| match finding.severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Notice => 2,
    });
    report.findings.truncate(MOST_FINDINGS);
    for finding in &mut report.findings {
        let help = finding.help.take().unwrap_or_default();
        let ways: Vec<&str> = help.split(", or ").filter(|way| !way.contains("`--")).collect();
        finding.help = Some(ways.join(", or ")).filter(|help| !help.is_empty());
    }
}

/// A player's decks, the newest first, with not too many findings of each.
pub(super) fn decks_of(event: &Event, player: PlayerId) -> Result<Vec<EntryDetail>, HttpError> {
    let mut decks = event.details_of(&event.standing()?, player)?;
    decks.iter_mut().for_each(shorten);
    Ok(decks)
}

fn shorten(deck: &mut EntryDetail) {
    short(&mut deck.report);
    deck.findings.clone_from(&deck.report.findings);
}

/// Everything that the organiser's page shows: the document of `event status`, and what is open.
pub(super) fn state(event: &Event) -> Result<Value, HttpError> {
    let (report, roster) = (event.status()?, event.roster());
    let marks = report.players.iter().filter_map(|one| {
        let player = roster.players.get(&one.player?)?;
        let entry = one.entry.and_then(|entry| roster.entries.get(&entry));
        let marks = json!({
            "at": entry.and_then(|entry| entry.at).map(|at| at.to_string()), "local": one.at.map(|at| at.to_string()),
            "beside": one.beside, "locked": player.locked, "drawn": player.drawn,
            "checked": player.checked, "remark": one.remark,
        });
        Some((player.id.to_string(), marks))
    });
    let marks: Map<String, Value> = marks.collect();
    let mut state = report.to_json(event);
    let page = json!({
        "head": head(event), "seen": seen(roster), "closed": roster.closed,
        "published": roster.published, "has_list": roster.has_list(),
        "warnings": event.lock_warnings()?, "questions": report.questions, "marks": marks,
        "activity": event.activity(&report.standing, MOST_ACTIVITY),
    });
    if let (Value::Object(state), Value::Object(page)) = (&mut state, page) {
        state.extend(page);
    }
    Ok(state)
}

/// The newest decision.
pub(super) fn seen(roster: &Roster) -> i64 {
    roster.decisions.last().map_or(0, |last| last.id)
}

/// A text that changes with everything that is written.
pub(super) fn head(event: &Event) -> String {
    let (roster, about) = (event.roster(), &event.about);
    let (players, entries) = (roster.players.len(), roster.entries.len());
    let about = decklaw_text::digest::sha256(json!(about).to_string().as_bytes());
    format!("{players}-{entries}-{}-{}", seen(roster), &about[..8])
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
    let decks = match player {
        Some(player) => decks_of(event, player.id)?,
        None => {
            let entry = id.parse::<EntryId>().ok();
            let entry = entry.and_then(|entry| roster.entries.get(&entry)).ok_or_else(none)?;
            let mut deck = event.detail(&standing, entry)?;
            shorten(&mut deck);
            vec![deck]
        }
    };
    let format = event.about.format.as_deref().unwrap_or_default();
    let versions = decks.iter().enumerate().map(|(at, deck)| {
        let text = |deck: &EntryDetail| String::from_utf8_lossy(&deck.text).into_owned();
        let changes = decks
            .get(at + 1)
            .map(|old| ask::differences(event.judge(), format, (&text(old), &text(deck))));
        let mut version = json!(deck);
        version["changes"] = json!(changes);
        version
    });
    Ok(json!({
        "id": id, "seen": seen(roster),
        "name": player.map(|player| player.name.clone()),
        "addresses": player.map(|player| &player.addresses),
        "table": player.and_then(|player| player.table.as_ref()),
        "locked": player.is_some_and(|player| player.locked),
        "listed": player.is_some_and(|player| player.listed),
        "notes": player.map(|player| &player.notes),
        "versions": versions.collect::<Vec<_>>(),
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
    let csv = |sheet: Sheet<'_>| sheet.csv(Flavour::Excel).map_err(|error| error.to_string());
    let made = match file {
        "cards.csv" => {
            let stats = EventStats::of(event, &event.standing()?, None)?;
            let columns = EventStats::COLUMNS.map(str::to_owned).to_vec();
            csv(Sheet::new("cards", columns, stats.rows()))
        }
        "decks.csv" => csv(sheet("decks", &event.status()?.players, |_| true)),
        "decks.xlsx" => {
            workbook(event.status()?.workbook_sheets(event)).map_err(|error| error.to_string())
        }
        "decks.json" => serde_json::to_string_pretty(&event.status()?.to_json(event))
            .map(|text| format!("{text}\n").into_bytes())
            .map_err(|error| error.to_string()),
        _ => return Err(HttpError::none("such file")),
    };
    made.map_err(|why| HttpError::new(500, why, ""))
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
    /// `form`, `players`, `decks`, or empty: as it looks.
    pub(super) kind: String,
    /// The column of each role, as `ROLE=COLUMN`.
    pub(super) columns: Vec<String>,
    /// The order of dates; empty: as it looks.
    pub(super) dates: String,
    /// Several files: their names and sizes, in the order of their bytes.
    pub(super) files: Vec<(String, usize)>,
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
) -> Result<(Option<ReadUpload>, Value), HttpError> {
    let sheet = table::read(bytes, None).ok();
    let header = sheet.as_ref().map(|sheet| sheet.header.clone()).unwrap_or_default();
    let preview = |kind: &str, mut more: Value| {
        more["kind"] = json!(kind);
        more["header"] = json!(header);
        more
    };
    let wrong = |kind: &str, error: &dyn std::fmt::Display| {
        Ok((None, preview(kind, json!({"error": error.to_string()}))))
    };
    let formed = |kind: &str, form: Form| {
        let seen = event.preview(std::slice::from_ref(&form));
        let shown = preview(kind, form_preview(event, &form, seen.first())?);
        Ok((Some(ReadUpload::Form(Box::new(form))), shown))
    };
    let kind = match upload.kind.as_str() {
        "" if upload.is_of_decks(event, bytes) => "decks",
        kind => kind,
    };
    if kind == "decks" {
        return match upload.decks(event, bytes) {
            Ok(form) => formed(kind, form),
            Err(error) => wrong(kind, &error),
        };
    }
    if kind != "players" {
        // Rows with many columns or many lines are answers; a list of players has neither.
        let is_form = sheet.is_some_and(|sheet| {
            let mut cells = sheet.rows.iter().flat_map(|row| row.cells());
            sheet.header.len() > 4 || cells.any(|cell| cell.contains('\n'))
        });
        match upload.form(event, bytes) {
            Ok(form) => return formed("form", form),
            Err(FormError::Form(error)) if error.lacks_deck && kind.is_empty() && !is_form => {}
            Err(error) => return wrong("form", &error),
        }
    }
    match read_people(bytes, None, &upload.columns) {
        Err(error) => wrong("players", &error),
        Ok(people) => {
            let names = people.iter().filter_map(|one| one.name.as_deref());
            let rows = people.iter().take(3).map(|one| {
                let known = event.roster().whose(one);
                let known = match known {
                    PlayerMatch::Player(player) => Some(event.roster().name_and_id(player)),
                    _ => None,
                };
                json!({"player": one.name, "address": one.email, "table": one.table, "known": known})
            });
            let rows: Vec<Value> = rows.collect();
            let shown = json!({"names": names.collect::<Vec<_>>(), "rows": rows});
            Ok((Some(ReadUpload::Players(people)), preview("players", shown)))
        }
    }
}

impl Upload {
    fn settings(&self) -> FormSettings {
        FormSettings {
            columns: self.columns.clone(),
            dates: match self.dates.as_str() {
                "year-first" => Some(TimeOrder::YearFirst),
                "day-first" => Some(TimeOrder::DayFirst),
                "month-first" => Some(TimeOrder::MonthFirst),
                _ => None,
            },
            at: None,
        }
    }

    fn form(&self, event: &Event, bytes: &[u8]) -> Result<Form, FormError> {
        // No folder comes with an upload: cells that name files are refused.
        let nowhere = Path::new("/dev/null/no-folder");
        let (about, judge) = (&event.about, event.judge());
        read_form(&self.name, (bytes, None), nowhere, about, &self.settings(), judge)
    }

    /// Whether it has a deck or several, and no table.
    fn is_of_decks(&self, event: &Event, bytes: &[u8]) -> bool {
        let name = self.name.to_lowercase();
        let is_table = [".csv", ".tsv", ".xlsx", ".ods"].iter().any(|end| name.ends_with(end));
        if !self.files.is_empty() || name.ends_with(".zip") {
            return true;
        }
        let is_known = || {
            let form = self.decks(event, bytes).ok()?;
            let (_, decks, unread) = event.first_rows(&form, 0).ok()?;
            Some(decks > 0 && unread == 0)
        };
        !is_table && is_known() == Some(true)
    }

    fn decks(&self, event: &Event, bytes: &[u8]) -> Result<Form, Problem> {
        let (judge, format) = (event.judge(), event.about.format.as_deref());
        if self.name.to_lowercase().ends_with(".zip") {
            return read_archive(&self.name, bytes, &self.settings(), judge, format);
        }
        let mut rest = bytes;
        let mut files: Vec<DeckFile> = Vec::new();
        for (name, size) in &self.files {
            let (file, after) = rest.split_at((*size).min(rest.len()));
            files.push((name.clone(), Some(Ok(file.to_vec()))));
            rest = after;
        }
        if files.is_empty() {
            files.push((self.name.clone(), Some(Ok(bytes.to_vec()))));
        }
        let name = match files.len() {
            1 => "A file".to_owned(),
            many => format!("{many} files"),
        };
        Ok(read_decks(&name, files, &self.settings(), judge, format))
    }
}

fn form_preview(
    event: &Event,
    form: &Form,
    preview: Option<&decklaw_event::Preview>,
) -> Result<Value, HttpError> {
    let Some(preview) = preview else {
        return Ok(Value::Null);
    };
    // Here a column is chosen, not named in a call.
    let notes = form.notes.iter();
    let notes = notes.map(|note| note.replace(", with `--columns player=COLUMN`", " above"));
    let (rows, decks, unread) = event.first_rows(form, 3)?;
    let unused: Vec<&String> = form.unused.iter().map(|column| &column.name).collect();
    Ok(json!({
        "read_as": form.read_as, "notes": notes.collect::<Vec<_>>(), "unused": unused,
        "summary": preview.in_words(), "new": preview.new, "rows": rows, "decks": decks,
        "unread": unread, "players": preview.players.len(),
        "remarks": preview.remarks(event.roster()),
    }))
}
