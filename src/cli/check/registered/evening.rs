//! All decks that were looked at in an evening, each beside the one that its player registered.

use super::Call;
use crate::cli::asking;
use crate::cli::asking::OfDecks;
use crate::cli::entries::Entries;
use crate::cli::output::Outputs;
use crate::cli::{Answer, Refusal, Run};
use crate::judge::{DeckReport, Judge};
use crate::name::fold;
use crate::render::Kind;
use crate::report::answers::{Answer as About, Answers, State};
use crate::report::json;
use crate::resolve::Decklist;
use crate::solve::Played;
use crate::spreadsheet::Cell;
use crate::text::{counted, harmless, listed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// A deck that somebody has, and who that is.
struct Held {
    about: About,
    deck: Option<Decklist>,
    /// By a number or an address.
    identity: Option<String>,
    /// By name: as the deck says, or as its file is called.
    names: Vec<String>,
}

fn held(run: &Run, entries: &Entries, judge: &Judge, quiet: bool) -> Result<Vec<Held>, Refusal> {
    asking::ask(run, entries, judge, quiet, &|report, resolved| {
        let about = match resolved {
            Some(_) => About::about(report),
            None => About::unreadable(report),
        };
        let identity = report.submission.as_ref();
        let identity = identity.and_then(|row| row.identity.as_deref());
        Ok(Held {
            about,
            deck: resolved.map(|resolved| resolved.list().clone()),
            identity: identity.map(|identity| fold(identity).into_owned()),
            names: names(report),
        })
    })
}

/// The names by which a deck's player may go.
fn names(report: &DeckReport) -> Vec<String> {
    let mut names: Vec<String> = report.player.iter().map(|name| plain(name)).collect();
    if report.submission.is_none() {
        let stem = Path::new(&report.deck).file_stem();
        names.extend(stem.map(|stem| plain(&stem.to_string_lossy())));
    }
    names.retain(|name| !name.is_empty());
    names
}

/// A name as files are called by it: white space and marks between its words are alike.
fn plain(name: &str) -> String {
    let parts = name.split(|next: char| !next.is_alphanumeric());
    let words: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    fold(&words.join(" ")).into_owned()
}

/// The registered decks, found by their players.
struct Register<'r> {
    decks: &'r [Held],
    by_identity: BTreeMap<&'r str, Vec<usize>>,
    by_name: BTreeMap<&'r str, Vec<usize>>,
}

impl<'r> Register<'r> {
    /// Of the decks that count: a late one beside another is not what was registered.
    fn of(decks: &'r [Held]) -> Register<'r> {
        let mut register = Register {
            decks,
            by_identity: BTreeMap::new(),
            by_name: BTreeMap::new(),
        };
        for (at, held) in decks
            .iter()
            .enumerate()
            .filter(|(_, held)| held.about.counts())
        {
            if let Some(identity) = &held.identity {
                register.by_identity.entry(identity).or_default().push(at);
            }
            // A file that says its player goes by that, and else by what it is called.
            if let Some(name) = held.names.first() {
                register.by_name.entry(name).or_default().push(at);
            }
        }
        register
    }

    /// The decks that may be somebody's.
    fn find(&self, who: &Held) -> &[usize] {
        let identity = who.identity.as_deref();
        let found = identity.and_then(|identity| self.by_identity.get(identity));
        let mut names = who.names.iter();
        let found = found.or_else(|| names.find_map(|name| self.by_name.get(name.as_str())));
        found.map_or(&[], Vec::as_slice)
    }
}

/// What came of one deck.
struct Checked {
    about: About,
    /// Its sentence, and what differs.
    said: String,
    changes: String,
    word: &'static str,
    registered: Option<usize>,
}

const COLUMNS: [&str; 12] = [
    "deck",
    "player",
    "format",
    "answer",
    "registered",
    "section",
    "card",
    "registered copies",
    "played copies",
    "error",
    "hash",
    "registered hash",
];

/// Compares all decks with those of their players.
pub(super) fn evening(call: &Call<'_>, is_table: bool, judge: &Judge, run: &Run) -> Answer {
    let outputs = Outputs::open(run)?;
    let told = call.told.map(Into::into);
    let before = match is_table {
        true => Entries::of_form(run, call.form.table(run, call.registered)?, told),
        false => Entries::of_paths(run, &[call.registered.to_owned()], told)?,
    };
    let after = match call.form.is_given() {
        // Decks that are looked at come after every deadline.
        true => Entries::of(run, call.paths, &call.form.without_deadline(), told)?,
        false if call.paths.is_empty() => {
            return Err(Refusal(
                "name the decks that were played: files, folders, or a form with `--submissions`"
                    .to_owned(),
            ));
        }
        false => Entries::of_paths(run, call.paths, told)?,
    };
    if !is_table && !call.form.is_given() {
        call.form.refuse_given()?;
    }
    let registered = held(run, &before, judge, run.options.quiet)?;
    let played = held(run, &after, judge, run.options.quiet)?;
    let register = Register::of(&registered);
    let checked: Vec<Checked> = played
        .into_iter()
        .map(|held| check(held, &register))
        .collect();
    let looked_at: BTreeSet<usize> = checked.iter().filter_map(|one| one.registered).collect();
    let left = registered
        .iter()
        .enumerate()
        .filter(|(at, held)| held.about.counts() && !looked_at.contains(at))
        .count();
    let mut shown = String::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for one in checked {
        *numbers.entry(one.word).or_default() += 1;
        let well = one.about.state == State::Well;
        if !(well && run.options.quiet) {
            let called = one.about.called();
            let _ = writeln!(shown, "{called}: {}", one.said);
            if !well || run.options.verbose {
                for line in one.changes.lines().filter(|line| !line.is_empty()) {
                    let _ = writeln!(shown, "    {line}");
                }
            }
        }
        all.push(one.about);
    }
    let total = counted(i64::try_from(all.len()).unwrap_or(i64::MAX), "deck");
    let words = [
        ("same", "the same"),
        ("swapped", "after a legal side-swap"),
        ("illegal-swap", "after a swap that leaves no legal deck"),
        ("other", "not what was registered"),
        ("unmatched", "of nobody who registered"),
        ("unreadable", "unreadable"),
    ];
    let parts: Vec<String> = words
        .iter()
        .filter_map(|(word, said)| Some(format!("{} {said}", numbers.get(word)?)))
        .collect();
    let _ = writeln!(shown, "{total}: {}", listed(&parts, "and"));
    let decks = counted(i64::try_from(left).unwrap_or(i64::MAX), "registered deck");
    let _ = writeln!(shown, "{decks} not looked at");
    let all = Answers {
        schema: "decklaw/registered-deck/1",
        question: "registered",
        columns: COLUMNS.to_vec(),
        form: after.form().map(|form| form.carried()),
        answers: all,
    };
    let well = all.answers.iter().all(|answer| answer.state == State::Well);
    let document = || {
        let decks: Vec<_> = all
            .answers
            .iter()
            .map(About::to_json)
            .collect::<Result<_, _>>()?;
        Ok(json!({
            "schema": "decklaw/registered-decks/1",
            "as_of": judge.day().to_string(),
            "registered": call.registered.display().to_string(),
            "decks": decks,
            "not_looked_at": left,
            "rules": json::rules(judge)?,
        }))
    };
    if !outputs.any(|kind| kind == Kind::Human) {
        for complaint in all.complaints() {
            run.complain("note", &complaint);
        }
    }
    let human = || harmless(&shown, true).into_owned();
    let report = OfDecks {
        answers: &all,
        judge,
        human: &human,
        json: &document,
        is_well: well,
    };
    outputs.emit(run, &report, &judge.given_so_far())
}

/// Compares one deck with that of its player. Of players of one name it is the one whose deck it
/// is, where there is one.
fn check(held: Held, register: &Register<'_>) -> Checked {
    let candidates = register.find(&held);
    let mut checked = Checked {
        about: held.about,
        said: String::new(),
        changes: String::new(),
        word: "unreadable",
        registered: None,
    };
    let Some(after) = &held.deck else {
        let why = match &checked.about.state {
            State::Unreadable(why) => why.clone(),
            _ => String::new(),
        };
        checked.said = format!("unreadable: {}", why.lines().next().unwrap_or_default());
        return finished(checked, None, None);
    };
    if candidates.is_empty() {
        checked.word = "unmatched";
        checked.said = "nobody of this name or number registered a deck".to_owned();
        return finished(checked, None, Some(after));
    }
    let compared = |at: &usize| {
        let other = &register.decks[*at];
        let found = match &other.deck {
            Some(before) => super::compared(before, after)
                .map_err(|[from, to]| format!("a deck of {to}, and {from} was registered")),
            None => Err("what was registered cannot be read".to_owned()),
        };
        (*at, found)
    };
    let mut all: Vec<(usize, Result<Played, String>)> = candidates.iter().map(compared).collect();
    let well =
        |(_, found): &(usize, Result<Played, String>)| found.as_ref().is_ok_and(Played::is_well);
    let chosen = all.iter().position(well).unwrap_or(0);
    let (at, found) = all.swap_remove(chosen);
    let before = &register.decks[at];
    let mut called = harmless(&before.about.called(), false).into_owned();
    if candidates.len() > 1 {
        let _ = write!(called, ", one of {} players of that name", candidates.len());
    }
    checked.registered = Some(at);
    match found {
        Ok(found) => {
            checked.word = found.word();
            checked.said = found.sentence(&called);
            checked.changes = found.changes();
            finished(checked, Some((before, Some(found))), Some(after))
        }
        Err(why) => {
            checked.word = "other";
            checked.said = format!("{why} ({called})");
            finished(checked, Some((before, None)), Some(after))
        }
    }
}

/// Fills in the rows and what JSON says.
fn finished(
    mut checked: Checked,
    before: Option<(&Held, Option<Played>)>,
    after: Option<&Decklist>,
) -> Checked {
    let about = &mut checked.about;
    let (registered, found) = before.map_or((None, None), |(held, found)| (Some(held), found));
    let hash = after.map(Decklist::hash);
    let registered_hash = registered
        .and_then(|held| held.deck.as_ref())
        .map(Decklist::hash);
    let place = registered.map(|held| held.about.deck.clone());
    let differences = found.as_ref().map_or(&[][..], Played::differences);
    let wrong = found.as_ref().map_or(&[][..], Played::wrong);
    let own = |text: &Option<String>| Cell::text(text.as_deref().unwrap_or_default());
    let row = |cells: [Cell; 5]| {
        let mut row = vec![
            Cell::text(&about.deck),
            own(&about.player),
            own(&about.format),
            Cell::text(checked.word),
            own(&place),
        ];
        row.extend(cells);
        row.push(own(&hash));
        row.push(own(&registered_hash));
        row
    };
    let blank = || Cell::text("");
    let mut rows: Vec<Vec<Cell>> = differences
        .iter()
        .map(|one| {
            row([
                Cell::text(&one.section),
                Cell::text(&one.card),
                Cell::Number(one.from),
                Cell::Number(one.to),
                blank(),
            ])
        })
        .collect();
    for error in wrong {
        rows.push(row([blank(), blank(), blank(), blank(), Cell::text(error)]));
    }
    if rows.is_empty() {
        let why = match checked.word {
            "same" | "swapped" => blank(),
            _ => Cell::text(&checked.said),
        };
        rows.push(row([blank(), blank(), blank(), blank(), why]));
    }
    let value = json!({
        "answer": checked.word,
        "registered": place,
        "changes": differences,
        "errors": wrong,
        "hash": hash,
        "registered_hash": registered_hash,
    });
    about.rows = rows;
    if let Value::Object(value) = value {
        about.value = value;
    }
    if about.state == State::Well && !matches!(checked.word, "same" | "swapped") {
        let mut why = checked.said.clone();
        for line in checked.changes.lines().filter(|line| !line.is_empty()) {
            let _ = write!(why, "\n{line}");
        }
        about.state = State::Fails(checked.word, why);
    }
    checked
}
