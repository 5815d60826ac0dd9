//! Everything that pages ask of the library, and nowhere else: one deck in, what the library
//! says of it out, in the library's own JSON.

use super::trouble::Trouble;
use crate::deck::{self, Input, Listing};
use crate::format::{Format, SettingValue};
use crate::judge::{DeckReport, Judge, JudgeError, ReadDeck};
use crate::name::fold;
use crate::odds::{self, Asked, OddsDefaults, OddsError, Population};
use crate::pool::{CardId, CardSet, Column, FieldKind, Pool};
use crate::query::Query;
use crate::report::{json, sheet};
use crate::resolve::{Decklist, Resolved};
use crate::rules::{Ledger, Rulebook};
use crate::solve::{self, Advice, Played, Repair, Room, Rooms, Wish, Wishes};
use crate::{stats, table};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most findings of an answer.
const MOST_FINDINGS: usize = 200;
/// The most different cards of a deck that are answered for live.
const MOST_LINES: usize = 3000;
/// The most cards of an answer.
const MOST_CARDS: usize = 200;
/// The most values of a field that are offered as a choice.
const MOST_VALUES: usize = 24;
/// The work of odds, well below what a person at a terminal may wait for.
const WORK: u64 = 4_000_000;
/// The effort of a repair, likewise.
const EFFORT: u64 = 4_000;
/// The most sample hands.
const MOST_DEALS: u32 = 20;
/// The most queries of one's own.
const MOST_QUERIES: usize = 12;

type Answer = Result<Value, Trouble>;

fn refuse(error: &JudgeError) -> Trouble {
    Trouble::wrong(error.to_string())
}

fn rulebook(judge: &Judge, format: &str) -> Result<Arc<Rulebook>, Trouble> {
    judge.rulebook(format).map_err(|error| match error {
        JudgeError::Format(crate::format::CatalogueError::Unknown { .. }) => {
            Trouble::new(404, error.to_string(), "")
        }
        error => refuse(&error),
    })
}

/// A game with its formats, for the first page.
#[derive(Debug, Clone)]
pub(super) struct GameEntry {
    /// The game's name.
    pub(super) name: String,
    /// Its formats: id, name, what sets it apart.
    pub(super) formats: Vec<(String, String, String)>,
    /// Why it cannot be used.
    pub(super) wrong: Option<String>,
}

/// Every game known.
pub(super) fn games(judge: &Judge) -> Vec<GameEntry> {
    let catalogue = judge.catalogue();
    let entry = |id: &str| match catalogue.game(id) {
        Ok(game) => GameEntry {
            name: game.file.name.clone(),
            formats: game
                .formats()
                .iter()
                .map(|format| {
                    let entry = format.entry();
                    let name = entry.name.clone();
                    (format.id().to_owned(), name, entry.about.clone())
                })
                .collect(),
            wrong: None,
        },
        Err(error) => GameEntry {
            name: id.to_owned(),
            formats: Vec::new(),
            wrong: Some(error.to_string()),
        },
    };
    let mut games: Vec<GameEntry> = catalogue.games().map(entry).collect();
    // Games with rules first.
    games.sort_by_key(|game| {
        (
            game.formats.iter().any(|(id, ..)| id == "any"),
            game.name.clone(),
        )
    });
    games
}

/// The format of an id, and what its title is.
///
/// # Errors
/// That there is none.
pub(super) fn format(judge: &Judge, id: &str) -> Result<Format, Trouble> {
    let found = judge.catalogue().format(id);
    found.map_err(|error| Trouble::new(404, error.to_string(), ""))
}

/// What a page must know of a format: its sections, fields, settings, rules and questions.
///
/// # Errors
/// An unknown format, or inputs of the server that are wrong.
pub(super) fn game(judge: &Judge, id: &str) -> Answer {
    let rulebook = rulebook(judge, id)?;
    let format = rulebook.format();
    let game = format.game();
    let names = game.section_names();
    let defaults = defaults(judge, game.id())?;
    let pool = rulebook.pool();
    let drawn = defaults.section.as_ref().map(|own| own.value.as_str());
    let sections: Vec<Value> = game
        .sections()
        .iter()
        .map(
            |section| json!({"id": section.id, "name": section.name, "shuffled": section.shuffled}),
        )
        .collect();
    let rules: Vec<Value> = rulebook
        .rules()
        .iter()
        .map(|rule| {
            json!({"id": rule.id, "severity": rule.severity, "source": rule.source, "about": rule.about, "demand": rule.constraint.demand()})
        })
        .collect();
    let remarks = |remarks: &[crate::format::Remark]| -> Vec<Value> {
        let each = remarks.iter();
        each.map(|remark| json!({"about": remark.about, "source": remark.source}))
            .collect()
    };
    let siblings: Vec<Value> = game
        .formats()
        .iter()
        .map(|format| json!({"id": format.id(), "name": format.entry().name}))
        .collect();
    let settings: BTreeMap<&str, &SettingValue> = rulebook.settings();
    Ok(json!({
        "schema": "decklaw/page/1",
        "format": format.id(),
        "name": format.entry().name,
        "about": format.entry().about,
        "game": game.id(),
        "text": game.file.text,
        "formats": siblings,
        "sections": sections,
        "open": names.open,
        "first": names.first,
        "drawn": drawn.unwrap_or(names.first),
        "fields": fields(pool),
        "cards": pool.len(),
        "rules": rules,
        "allowed": remarks(&game.file.allowed),
        "gaps": remarks(&game.file.gaps),
        "settings": settings,
        "hand": defaults.hand_of(1),
        "presets": !defaults.presets.is_empty(),
        "list": rulebook.list().map(|list| json!({"id": list.id, "name": list.name, "effective": list.effective.to_string()})),
        "day": judge.day().to_string(),
        "digest": json::inputs_digest(&rulebook),
    }))
}

/// The fields of a pool, with the values that are few enough to choose from.
fn fields(pool: &Pool) -> Vec<Value> {
    let entry = |field: &crate::pool::Field| {
        let mut counts: BTreeMap<(Option<i64>, String), usize> = BTreeMap::new();
        let mut few = true;
        match pool.column(&field.name) {
            Some(Column::Number(cells)) => {
                for number in cells.iter().flatten() {
                    *counts
                        .entry((Some(*number), number.to_string()))
                        .or_default() += 1;
                }
                few = counts.len() <= MOST_VALUES;
            }
            Some(_) if !matches!(field.kind, FieldKind::Query) => {
                for card in pool.ids() {
                    for word in pool.words(card, &field.name) {
                        let word = field.canonical(word).unwrap_or(Cow::Borrowed(word));
                        *counts.entry((None, word.into_owned())).or_default() += 1;
                    }
                    if counts.len() > MOST_VALUES {
                        few = false;
                        break;
                    }
                }
                let long = counts.keys().any(|(_, word)| word.chars().count() > 40);
                few &= !long;
            }
            _ => {}
        }
        let kind = match field.kind {
            FieldKind::Text => "text",
            FieldKind::Word { .. } => "word",
            FieldKind::List { .. } => "list",
            FieldKind::Number { .. } => "number",
            FieldKind::Query => "query",
        };
        let order = field.words();
        let mut values: Vec<((Option<i64>, String), usize)> = counts.into_iter().collect();
        if !order.is_empty() {
            let place = |word: &str| order.iter().position(|known| *known == word);
            values.sort_by_key(|((_, word), _)| (place(word).unwrap_or(usize::MAX), word.clone()));
        }
        let values: Vec<Value> = values
            .into_iter()
            .filter(|_| few)
            .map(|((_, word), count)| json!([word, count]))
            .collect();
        json!({"name": field.name, "kind": kind, "values": values})
    };
    pool.fields().iter().map(entry).collect()
}

/// How a game draws.
fn defaults(judge: &Judge, game: &str) -> Result<OddsDefaults, Trouble> {
    let Some(bytes) = judge.catalogue().file(game, "odds.yaml") else {
        return Ok(OddsDefaults::default());
    };
    let read = OddsDefaults::read(&String::from_utf8_lossy(bytes));
    read.map_err(|problem| Trouble::wrong(format!("{game}/odds.yaml: {}", problem.message)))
}

/// What is asked of a deck while it is built.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Ask {
    /// The format.
    pub(super) format: String,
    /// The deck in JSON, as `decklaw` reads it.
    pub(super) deck: Value,
    /// Cards to look for.
    pub(super) find: Option<Find>,
    /// Cards whose fields are to be told, by name.
    pub(super) tell: Vec<String>,
    /// Whether odds, and what of them.
    pub(super) odds: Option<OddsAsk>,
    /// Whether to count what the deck is made of.
    pub(super) stats: bool,
}

/// Cards to look for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Find {
    /// A card query.
    pub(super) query: String,
    /// How many to pass over.
    pub(super) from: usize,
    /// How many to tell.
    pub(super) most: usize,
    /// The field to sort by; by name where it is empty.
    pub(super) sort: String,
    /// Only what somebody owns.
    pub(super) own: bool,
}

/// Odds that are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OddsAsk {
    /// Queries of one's own; the presets are answered besides.
    pub(super) queries: Vec<String>,
    /// Cards of the opening hand.
    pub(super) hand: Option<u32>,
    /// The section that is drawn from.
    pub(super) section: Option<String>,
    /// Sample hands.
    pub(super) deal: u32,
    /// What seeds them.
    pub(super) seed: String,
}

/// What somebody owns, by folded name.
pub(super) type Owned = BTreeMap<String, u32>;

/// Reads a deck; `None`: it is none.
fn read<'b>(
    judge: &Judge,
    format: &str,
    bytes: &'b [u8],
    input: Input,
) -> Result<Option<Box<Resolved<'b>>>, Trouble> {
    let read = judge
        .read(bytes, input, Some(format))
        .map_err(|error| refuse(&error))?;
    known(read)
}

/// The deck that was read, if it is one and no larger than is answered for.
fn known<'b>(read: ReadDeck<'b>) -> Result<Option<Box<Resolved<'b>>>, Trouble> {
    match read {
        ReadDeck::Deck(resolved) if resolved.deck().lines.len() > MOST_LINES => Err(Trouble::new(
            413,
            format!(
                "A deck of {} lines is more than is answered for here; at most {MOST_LINES} are.",
                resolved.deck().lines.len()
            ),
            "Judge it with `decklaw check`.",
        )),
        ReadDeck::Deck(resolved) => Ok(Some(resolved)),
        ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => Ok(None),
    }
}

/// Everything about a deck that is quick to say: the verdict, ledgers, the room of the cards
/// that are looked at, statistics, and what cards there are.
///
/// # Errors
/// An unknown format, a query that cannot be understood is part of the answer.
pub(super) fn live(judge: &Judge, ask: &Ask, owned: Option<&Owned>) -> Answer {
    let bytes = ask.deck.to_string().into_bytes();
    let general = rulebook(judge, &ask.format)?;
    let read = judge
        .read(&bytes, Input::Json, Some(&ask.format))
        .map_err(|error| refuse(&error))?;
    let mut report = judge.report("-", &read, Some(&ask.format));
    let resolved = known(read)?;
    let mut answer = Map::new();
    answer.insert("schema".to_owned(), json!("decklaw/live/1"));
    answer.insert("findings".to_owned(), json!(report.findings.len()));
    report.findings.truncate(MOST_FINDINGS);
    answer.insert("check".to_owned(), verdict(&report)?);
    answer.insert(
        "ledgers".to_owned(),
        report.ledgers.iter().map(ledger).collect(),
    );
    let rules = resolved
        .as_ref()
        .map_or(&general, |resolved| resolved.rulebook());
    let pool = rules.pool();
    let mut look: BTreeSet<CardId> = BTreeSet::new();
    if let Some(find) = &ask.find {
        let found = found(pool, find, owned);
        answer.insert(
            "found".to_owned(),
            match found {
                Ok((cards, total, notes)) => {
                    look.extend(&cards);
                    let cards: Vec<Value> = cards.iter().map(|card| pool.card(*card)).collect();
                    json!({"total": total, "cards": cards, "notes": notes})
                }
                Err(error) => error,
            },
        );
    }
    let told = ask.tell.iter().take(MOST_CARDS);
    let told: Vec<CardId> = told.filter_map(|name| pool.find(name)).collect();
    if !told.is_empty() {
        let cards: Vec<Value> = told.iter().map(|card| pool.card(*card)).collect();
        answer.insert("cards".to_owned(), json!(cards));
    }
    if let Some(resolved) = &resolved {
        let list = resolved.list();
        look.extend(
            list.holdings()
                .map(|held| held.card)
                .filter(|card| list.knows(*card)),
        );
        answer.insert("room".to_owned(), room(list, &look));
        if ask.stats {
            answer.insert("stats".to_owned(), statistics(judge, resolved)?);
        }
    }
    Ok(Value::Object(answer))
}

/// The verdict as a line of `ndjson` has it.
fn verdict(report: &DeckReport) -> Answer {
    let mut line = Vec::new();
    json::write_line(&mut line, report).map_err(|_| Trouble::defect())?;
    serde_json::from_slice(&line).map_err(|_| Trouble::defect())
}

fn ledger(ledger: &Ledger) -> Value {
    let points = match ledger {
        Ledger::Points(points) => points,
        Ledger::Sum { .. } => {
            return json!({
                "words": ledger.words(),
                "right": ledger.is_right(),
                "uncertain": ledger.is_uncertain(),
            });
        }
    };
    json!({
        "start": points.start,
        "refunded": {"number": points.refunded.0, "name": points.refunded.1},
        "spent": {"number": points.spent.0, "name": points.spent.1},
        "remaining": points.remaining,
        "target": points.target,
        "right": ledger.is_right(),
        "uncertain": points.uncertain,
    })
}

/// Cards that are looked for, how many there are, and what is to be said of the query.
type Cards = (Vec<CardId>, usize, Vec<String>);

/// The cards that are looked for; `Err`: what is wrong with the query.
fn found(pool: &Pool, find: &Find, owned: Option<&Owned>) -> Result<Cards, Value> {
    let picked = Query::parse(&find.query).and_then(|query| {
        let cards = query.select(pool)?;
        Ok((cards, query.remarks(pool)))
    });
    let (picked, remarks) = picked.map_err(
        |error| json!({"error": error.to_string(), "from": error.span.start, "to": error.span.end}),
    )?;
    let have = |card: &CardId| {
        !find.own || owned.is_some_and(|owned| owned.contains_key(pool.folded(*card)))
    };
    let mut cards: Vec<CardId> = picked.iter().filter(have).collect();
    if !find.sort.is_empty() {
        let key = |card: &CardId| {
            let number = pool.number(*card, &find.sort);
            (number.is_none(), number, pool.shown(*card, &find.sort))
        };
        cards.sort_by_cached_key(key);
    }
    let total = cards.len();
    let most = find.most.clamp(1, MOST_CARDS);
    let shown = cards.into_iter().skip(find.from).take(most).collect();
    let notes = remarks.into_iter().map(|remark| remark.message).collect();
    Ok((shown, total, notes))
}

/// Room in the manner of `decklaw/room/1`, for the cards that are looked at.
fn room(list: &Decklist, look: &BTreeSet<CardId>) -> Value {
    let rooms = Rooms::of(list);
    let set = CardSet::of(list.pool().len(), |card| look.contains(&card));
    let rules = list.rulebook().rules();
    let entry = |room: &Room| {
        json!({
            "section": list.sections()[usize::from(room.section)],
            "card": list.name(room.card),
            "has": list.copies(room.section, room.card),
            "more": room.more,
            "rule": room.rule.map(|rule| rules[rule].id.as_str()),
            "message": room.more.filter(|more| *more == 0).and_then(|_| rooms.why(room)),
        })
    };
    rooms.all(&set).iter().map(entry).collect()
}

fn statistics(judge: &Judge, resolved: &Resolved<'_>) -> Answer {
    let game = resolved.rulebook().format().game();
    let pool = resolved.pool();
    let wrong = |why: String| Trouble::wrong(format!("{}/stats.yaml: {why}", game.id()));
    let spec = match judge.catalogue().file(game.id(), "stats.yaml") {
        Some(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let sections: Vec<&str> = game.sections().iter().map(|own| own.id.as_str()).collect();
            stats::Spec::read(game.id(), &text, game.fields(), &sections).map_err(|error| {
                wrong(
                    error
                        .problems
                        .first()
                        .map_or_else(String::new, |first| first.message.clone()),
                )
            })?
        }
        None => stats::Spec::inferred(pool),
    };
    let measured = stats::measure("-", resolved, &spec, &[]);
    let measured = measured.map_err(|error| wrong(error.message))?;
    let document = stats::to_json(&[measured], &judge.day().to_string(), &Value::Null);
    Ok(document["decks"][0].clone())
}

/// The odds of a deck: the game's presets, queries of one's own, and sample hands. Each
/// question is answered by itself, so that a wrong one spoils no other.
///
/// # Errors
/// A deck that cannot be read.
pub(super) fn odds(judge: &Judge, ask: &Ask) -> Answer {
    let bytes = ask.deck.to_string().into_bytes();
    let Some(read) = read(judge, &ask.format, &bytes, Input::Json)? else {
        return Ok(json!({"error": "The deck cannot be read."}));
    };
    let asked = ask.odds.as_ref();
    let game = read.rulebook().format().game();
    let defaults = defaults(judge, game.id())?;
    let own = defaults
        .section
        .as_ref()
        .map(|section| section.value.as_str());
    let names = game.section_names();
    let first = own.unwrap_or(names.first);
    let has = |id: &str| read.deck().sections.iter().any(|section| section.id == id);
    let section = match (
        asked.and_then(|asked| asked.section.as_deref()),
        read.deck().sections.first(),
    ) {
        (Some(section), _) => names.find(section).unwrap_or(section),
        (None, Some(only)) if !has(first) => &*only.id,
        (None, _) => first,
    };
    let population = match Population::of_section(&read, section) {
        Ok(population) => population,
        Err(error) => return Ok(json!({"error": error.to_string()})),
    };
    let base = Asked {
        hand: asked.and_then(|asked| asked.hand),
        work: Some(WORK),
        ..Asked::default()
    };
    let answer = |asked: &Asked| -> Answer {
        match odds::answer("-", &population, &defaults, asked) {
            Ok(report) => {
                let text = odds::render::to_json(&report, odds::render::ShowWork(false));
                let text = text.map_err(|_| Trouble::defect())?;
                serde_json::from_str(&text).map_err(|_| Trouble::defect())
            }
            Err(error) => Ok(wrong_question(&error)),
        }
    };
    let mut own = Vec::new();
    for query in asked
        .iter()
        .flat_map(|asked| asked.queries.iter().take(MOST_QUERIES))
    {
        let total = query.trim_start().to_ascii_lowercase().starts_with("sum(")
            && !query.contains(['<', '>', '=']);
        let asked = match total {
            true => Asked {
                expect: Some(query.clone()),
                ..base.clone()
            },
            false => Asked {
                queries: vec![query.clone()],
                ..base.clone()
            },
        };
        own.push(answer(&asked)?);
    }
    let presets = match defaults.presets.is_empty() {
        true => Value::Null,
        false => answer(&base)?,
    };
    let deals = match asked.filter(|asked| asked.deal > 0) {
        None => Value::Null,
        Some(asked) => answer(&Asked {
            deal: Some((asked.deal.min(MOST_DEALS), asked.seed.clone())),
            ..base.clone()
        })?["deals"]
            .clone(),
    };
    Ok(
        json!({"section": section, "population": population.size(), "presets": presets, "own": own, "deals": deals}),
    )
}

fn wrong_question(error: &OddsError) -> Value {
    match error {
        OddsError::Query { error: inner, .. } => {
            json!({"error": error.to_string(), "from": inner.span.start, "to": inner.span.end})
        }
        OddsError::Path { span, .. } => {
            json!({"error": error.to_string(), "from": span.start, "to": span.end})
        }
        _ => json!({"error": error.to_string()}),
    }
}

/// The smallest edit that makes a deck legal, as `decklaw/fix/1`, with the rules that each
/// change serves.
///
/// # Errors
/// A deck that cannot be read, or a collection that leaves nothing.
pub(super) fn fix(judge: &Judge, format: &str, deck: &Value, owned: Option<&Owned>) -> Answer {
    let bytes = deck.to_string().into_bytes();
    let Some(read) = read(judge, format, &bytes, Input::Json)? else {
        return Err(Trouble::wrong(
            "The deck cannot be read, so there is nothing to mend yet.",
        ));
    };
    let before = read.into_list();
    let mut wishes = Wishes {
        effort: EFFORT,
        advice: Advice::AtNoCost,
        ..Wishes::default()
    };
    if let Some(owned) = owned {
        let pool = before.pool();
        let copies = pool
            .ids()
            .map(|card| i64::from(owned.get(pool.folded(card)).copied().unwrap_or(0)));
        wishes
            .must
            .push(Wish::own(copies.collect(), "what you own"));
    }
    let no = |reasons: Vec<String>| json!({"schema": "decklaw/fix/1", "deck": "-", "distance": null, "optimal": false, "changes": [], "after": null, "reasons": reasons});
    let found = match solve::repair(&before, &wishes) {
        Repair::Found(found) => found,
        Repair::Impossible(conflict) => return Ok(no(conflict.sentences(&before, &wishes))),
        Repair::Unknown => {
            let reason = "The work limit was reached before any repair was found; `decklaw fix --effort` looks longer.";
            return Ok(no(vec![reason.to_owned()]));
        }
    };
    let changes: Vec<Value> = solve::reasons(&before, &found.deck, &wishes)
        .iter()
        .map(|(change, rules)| {
            json!({
                "section": before.sections()[usize::from(change.section)],
                "card": before.name(change.card),
                "from": change.from,
                "to": change.to,
                "rules": rules,
            })
        })
        .collect();
    let text = deck::to_text(&found.deck.listing());
    let report = judge
        .judge_as("-", text.as_bytes(), Input::Text, Some(format))
        .map_err(|error| refuse(&error))?;
    Ok(json!({
        "schema": "decklaw/fix/1",
        "deck": "-",
        "distance": found.distance,
        "optimal": found.optimal,
        "bound": found.bound,
        "changes": changes,
        "after": {
            "verdict": report.verdict,
            "hash": report.hash,
            "findings": json::findings(&report.findings).map_err(|_| Trouble::defect())?,
        },
    }))
}

/// A deck of any reader, as it was read.
#[derive(Debug, Serialize)]
pub(super) struct Import {
    /// The deck in JSON; `None`: it is none, and the findings say where and why.
    pub(super) deck: Option<Box<RawValue>>,
    /// What it was read as.
    pub(super) input: &'static str,
    /// Its format, where it is known.
    pub(super) format: Option<String>,
    /// What is wrong with it, as a verdict has it.
    pub(super) check: Value,
}

/// What a deck may be written in, by the words of `--from`.
pub(super) const INPUTS: [(&str, Input, &str); 8] = [
    ("text", Input::Text, "decklaw's text"),
    (
        "pasted",
        Input::Pasted,
        "a list pasted from another program",
    ),
    ("yaml", Input::Yaml, "YAML"),
    ("json", Input::Json, "JSON"),
    ("csv", Input::Csv, "a table: count, name, section"),
    ("cod", Input::Cockatrice, "Cockatrice's XML"),
    ("dek", Input::Lackey, "LackeyCCG's XML"),
    ("ydk", Input::Ydk, "card numbers"),
];

/// The reader that a word names, or that a file's name tells; `None`: any that fits.
pub(super) fn input(told: &str, file: &str) -> Option<Input> {
    let named = INPUTS.iter().find(|(word, ..)| *word == told);
    let named = named.map(|(_, input, _)| *input);
    named.or_else(|| Input::of_ending(std::path::Path::new(file)))
}

/// Reads a deck with the reader that is told, or else with the first that understands it.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(super) fn import(
    judge: &Judge,
    format: Option<&str>,
    bytes: &[u8],
    told: Option<Input>,
) -> Result<Import, Trouble> {
    let looks_like = |input: Input| {
        let start = bytes.trim_ascii_start();
        match input {
            Input::Cockatrice | Input::Lackey => start.starts_with(b"<"),
            Input::Json => start.starts_with(b"{"),
            Input::Ydk => start.starts_with(b"#created") || start.starts_with(b"#main"),
            _ => true,
        }
    };
    let mut first = None;
    for (word, input, _) in INPUTS {
        if told.is_some_and(|told| told != input) || (told.is_none() && !looks_like(input)) {
            continue;
        }
        // What is no text at all is no deck of this kind.
        let opened = deck::open(bytes, input)
            .map_err(|error| Trouble::wrong(format!("This cannot be read: {error}")))?;
        let read = judge
            .read(&opened.source, opened.input, format)
            .map_err(|error| refuse(&error))?;
        let mut report = judge.report("-", &read, format);
        report.note(opened.clone());
        report.findings.truncate(MOST_FINDINGS);
        let deck = match &read {
            ReadDeck::Formatless { deck, .. } => Some(&**deck),
            ReadDeck::Deck(resolved) => Some(resolved.deck()),
            ReadDeck::Unreadable { .. } => None,
        };
        let deck = match deck {
            Some(deck) => {
                let mut listing = match &read {
                    ReadDeck::Deck(resolved) => merged(resolved),
                    _ => Listing::from(deck),
                };
                listing.format.clone_from(&report.format);
                let text = deck::to_json(&listing);
                Some(
                    RawValue::from_string(text.trim_end().to_owned())
                        .map_err(|_| Trouble::defect())?,
                )
            }
            None => None,
        };
        let import = Import {
            input: word,
            format: report.format.clone(),
            check: verdict(&report)?,
            deck,
        };
        if import.deck.is_some() {
            return Ok(import);
        }
        // What is said of a deck that nothing reads is what the plainest reader says that
        // might have.
        let keep = first.is_none()
            || looks_like(input)
                && input != Input::Pasted
                && !matches!(input, Input::Yaml | Input::Csv);
        if keep {
            first = Some(import);
        }
    }
    first.ok_or_else(Trouble::defect)
}

/// A deck with each card on one line of a section, by the name that its game gives it: what a
/// page changes by name.
fn merged(resolved: &Resolved<'_>) -> Listing {
    let deck = resolved.deck();
    let mut listing = Listing::from(deck);
    for (_, cards) in &mut listing.sections {
        cards.clear();
    }
    let mut places: BTreeMap<(u16, CardId), usize> = BTreeMap::new();
    for (line, card) in deck.lines.iter().zip(resolved.cards()) {
        let Some((_, cards)) = listing.sections.get_mut(usize::from(line.section)) else {
            continue;
        };
        match places
            .get(&(line.section, *card))
            .and_then(|at| cards.get_mut(*at))
        {
            Some((copies, _)) => *copies = copies.saturating_add(line.count).min(deck::MOST_COPIES),
            None => {
                places.insert((line.section, *card), cards.len());
                cards.push((line.count, resolved.list().name(*card).to_owned()));
            }
        }
    }
    listing
}

/// What a deck can be written as: word, name, ending, media type.
pub(super) const WRITERS: [(&str, &str, &str, &str); 7] = [
    ("text", "decklaw's text", "txt", "text/plain; charset=utf-8"),
    ("yaml", "YAML", "yaml", "application/yaml"),
    ("json", "JSON", "json", "application/json"),
    ("csv", "a table", "csv", "text/csv; charset=utf-8"),
    ("list", "a bare list", "txt", "text/plain; charset=utf-8"),
    ("cod", "Cockatrice", "cod", "application/xml"),
    (
        "sheet",
        "a sheet to print",
        "html",
        "text/html; charset=utf-8",
    ),
];

/// A deck written out. What is written is read again, so that nothing is lost in silence.
///
/// # Errors
/// A deck that cannot be read, or one that the file format cannot hold.
pub(super) fn write(
    judge: &Judge,
    format: &str,
    deck: &Value,
    kind: &str,
) -> Result<Vec<u8>, Trouble> {
    let bytes = deck.to_string().into_bytes();
    let Some(read) = read(judge, format, &bytes, Input::Json)? else {
        return Err(Trouble::wrong("The deck cannot be read."));
    };
    let mut listing = Listing::from(read.deck());
    listing.format = Some(read.rulebook().format().id().to_owned());
    listing.sections.retain(|(_, cards)| !cards.is_empty());
    let (written, input) = match kind {
        "text" => (deck::to_text(&listing).into_bytes(), Input::Text),
        "yaml" => (deck::to_yaml(&listing).into_bytes(), Input::Yaml),
        "json" => (deck::to_json(&listing).into_bytes(), Input::Json),
        "cod" => (
            deck::to_cockatrice(&listing).into_bytes(),
            Input::Cockatrice,
        ),
        "list" => (deck::to_list(&listing).into_bytes(), Input::Text),
        "csv" => {
            let table = deck::to_csv(&listing).map_err(|_| Trouble::defect())?;
            (table, Input::Csv)
        }
        "sheet" => return page_of(judge, format, deck, &bytes, &listing, read.rulebook()),
        _ => return Err(Trouble::none("such file format")),
    };
    let hash = |bytes: &[u8], input: Input| -> Result<Option<String>, Trouble> {
        let report = judge.judge_as("-", bytes, input, Some(format));
        Ok(report.map_err(|error| refuse(&error))?.hash)
    };
    if hash(&written, input)? != hash(&bytes, Input::Json)? {
        return Err(Trouble::new(
            409,
            "This file format cannot hold every section and name of this deck.",
            "Choose another one, such as YAML.",
        ));
    }
    Ok(written)
}

fn page_of(
    judge: &Judge,
    format: &str,
    deck: &Value,
    bytes: &[u8],
    listing: &Listing,
    rulebook: &Rulebook,
) -> Result<Vec<u8>, Trouble> {
    let mut report = judge
        .judge_as("-", bytes, Input::Json, Some(format))
        .map_err(|error| refuse(&error))?;
    // Lines are those of a file that nobody sees.
    for finding in &mut report.findings {
        finding.place = None;
    }
    if let Some(name) = deck.get("name").and_then(Value::as_str) {
        name.clone_into(&mut report.deck);
    }
    let mut html = sheet::head();
    html.push_str(&sheet::page(
        &report,
        listing,
        Some(rulebook),
        &judge.day().to_string(),
    ));
    html.push_str(sheet::FOOT);
    Ok(html.into_bytes())
}

/// What two decks differ in, as `decklaw/registered/1` has it.
///
/// # Errors
/// Decks that cannot be read.
pub(super) fn compare(judge: &Judge, format: &str, one: &Value, other: &Value) -> Answer {
    let bytes = [one, other].map(|deck| deck.to_string().into_bytes());
    let mut lists = Vec::new();
    for bytes in &bytes {
        let Some(read) = read(judge, format, bytes, Input::Json)? else {
            return Err(Trouble::wrong("One of the decks cannot be read."));
        };
        lists.push(read.into_list());
    }
    let [before, after] = lists.as_slice() else {
        return Err(Trouble::defect());
    };
    let (word, changes) = match solve::played(before, after) {
        Played::Same => ("same", Vec::new()),
        Played::Swapped(changes) => ("swapped", changes),
        Played::BadSwap(changes, _) => ("illegal-swap", changes),
        Played::Other(changes) => ("other", changes),
    };
    Ok(
        json!({"schema": "decklaw/registered/1", "answer": word, "changes": changes, "hash": after.hash(), "registered_hash": before.hash()}),
    )
}

/// A collection from a table with the columns count and name, in any order; and the names
/// that this game does not have.
///
/// # Errors
/// A table that is none.
pub(super) fn collection(
    judge: &Judge,
    format: &str,
    bytes: &[u8],
) -> Result<(Owned, Vec<String>), Trouble> {
    let rulebook = rulebook(judge, format)?;
    let pool = rulebook.pool();
    let wrong = |why: String| Trouble::wrong(format!("This is no collection: {why}"));
    let sheet = table::read(bytes, None).map_err(|error| wrong(error.to_string()))?;
    let column = |wanted: &str, spellings| match table::column(&sheet.header, spellings) {
        Ok(Some(at)) => Ok(at),
        Ok(None) => Err(wrong(format!(
            "the column `{wanted}` is missing; there are {}",
            table::quoted(&sheet.header)
        ))),
        Err(table::Doubled(names)) => Err(wrong(format!(
            "the columns {} may each be `{wanted}`; call one of them so",
            table::quoted(&names)
        ))),
    };
    let count = column("count", table::COUNTS)?;
    let card = column("name", crate::pool::NAMES)?;
    let (mut owned, mut others) = (Owned::new(), Vec::new());
    for row in &sheet.rows {
        let (line, count, card) = (row.number, row.cell(count), row.cell(card));
        let number: u32 = count.parse().map_err(|_| {
            wrong(format!(
                "line {line}: the count `{count}` is no whole number"
            ))
        })?;
        match pool.find(card) {
            Some(card) if number > 0 => {
                let copies = owned.entry(pool.folded(card).to_owned()).or_default();
                *copies = copies.saturating_add(number);
            }
            None if number > 0 => others.push(card.to_owned()),
            _ => {}
        }
    }
    others.truncate(MOST_CARDS);
    Ok((owned, others))
}

/// A deck as it is handed in: what is kept of it besides its bytes.
#[derive(Debug, Clone)]
pub(super) struct Handed {
    /// The deck in decklaw's text, which is what is judged.
    pub(super) text: String,
    /// Its digest; `None`: it is no deck.
    pub(super) hash: Option<String>,
    /// The word for its verdict.
    pub(super) verdict: &'static str,
    /// The report, as a line of `ndjson`.
    pub(super) report: String,
    /// The digest of what decided it.
    pub(super) rules: Option<String>,
}

/// Reads and judges a deck that is handed in. What is written in decklaw's own text is judged
/// as it is; everything else is made text first.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(super) fn hand_in(
    judge: &Judge,
    format: &str,
    player: &str,
    bytes: &[u8],
    told: Option<Input>,
) -> Result<Handed, Trouble> {
    let import = import(judge, Some(format), bytes, told)?;
    let text = match (&import.deck, import.input) {
        (Some(deck), input) if input != "text" => {
            let names = rulebook(judge, format)?;
            let read = deck::read(deck.get().as_bytes(), Input::Json, &mut |_| {
                Some(names.section_names())
            });
            match read {
                Ok(deck) => {
                    let listing = Listing {
                        format: None,
                        player: None,
                        ..Listing::from(&deck)
                    };
                    deck::to_text(&listing)
                }
                Err(_) => return Err(Trouble::defect()),
            }
        }
        _ => String::from_utf8_lossy(crate::text::without_bom(bytes)).into_owned(),
    };
    let (report, line) = line_of(judge, format, player, &text)?;
    Ok(Handed {
        hash: report.hash.clone(),
        verdict: report.verdict.word(),
        rules: report
            .rulebook
            .as_deref()
            .map(|rules| json::inputs_digest(rules).to_owned()),
        report: line,
        text,
    })
}

/// The verdict of a deck's text, as a line of `ndjson`, capped.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(super) fn line_of(
    judge: &Judge,
    format: &str,
    player: &str,
    text: &str,
) -> Result<(DeckReport, String), Trouble> {
    let report = judge.judge_as("-", text.as_bytes(), Input::Text, Some(format));
    let mut report = report.map_err(|error| refuse(&error))?;
    report.player = Some(player.to_owned());
    report.findings.truncate(MOST_FINDINGS);
    let mut line = Vec::new();
    json::write_line(&mut line, &report).map_err(|_| Trouble::defect())?;
    let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
    Ok((report, line))
}

/// The sheet of a deck that was handed in.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(super) fn sheet_of(
    judge: &Judge,
    format: &str,
    player: &str,
    remark: &[(String, String)],
    text: &str,
) -> Result<String, Trouble> {
    let (report, _) = line_of(judge, format, player, text)?;
    let read = read(judge, format, text.as_bytes(), Input::Text)?;
    let mut listing = read
        .as_ref()
        .map(|read| Listing::from(read.deck()))
        .unwrap_or_default();
    listing.player = Some(player.to_owned());
    let known: BTreeSet<&str> = remark.iter().map(|(key, _)| key.as_str()).collect();
    listing
        .remarks
        .retain(|(key, _)| !known.contains(key.as_str()));
    listing.remarks.extend(remark.iter().cloned());
    let rulebook = report.rulebook.clone();
    Ok(sheet::page(
        &report,
        &listing,
        rulebook.as_deref(),
        &judge.day().to_string(),
    ))
}

/// What a deck that was played is to the one that was registered, with sentences.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(super) fn deck_check(judge: &Judge, format: &str, registered: &str, bytes: &[u8]) -> Answer {
    let import = import(judge, Some(format), bytes, None)?;
    let Some(played) = import.deck else {
        return Ok(json!({"answer": "unreadable", "check": import.check}));
    };
    let registered = self::import(
        judge,
        Some(format),
        registered.as_bytes(),
        Some(Input::Text),
    )?;
    let Some(registered) = registered.deck else {
        return Ok(json!({"answer": "unreadable", "check": registered.check}));
    };
    let value = |raw: &RawValue| serde_json::from_str(raw.get()).map_err(|_| Trouble::defect());
    compare(judge, format, &value(&registered)?, &value(&played)?)
}

/// The list that a term names in a game, by its id and bytes; the terms that keep it.
///
/// # Errors
/// No such list.
pub(super) fn lists(judge: &Judge, format: &str) -> Result<Vec<(String, String, String)>, Trouble> {
    let game = self::format(judge, format)?.game().id().to_owned();
    let lists = judge
        .lists()
        .of(&game)
        .map_err(|error| Trouble::wrong(error.to_string()))?;
    Ok(lists
        .iter()
        .map(|list| (list.id.clone(), list.sha256.clone(), list.name.clone()))
        .collect())
}

/// The list by which a format's decks are judged now: id and digest.
///
/// # Errors
/// Two lists in force at once.
pub(super) fn list_in_force(
    judge: &Judge,
    format: &str,
) -> Result<Option<(String, String)>, Trouble> {
    let game = self::format(judge, format)?.game().id().to_owned();
    let list = judge.list(&game).map_err(|error| refuse(&error))?;
    Ok(list.map(|list| (list.id.clone(), list.sha256.clone())))
}

/// A setting: its name, what it means, its choices, and what it stands at.
pub(super) type Setting = (String, String, Vec<String>, String);

/// The settings that a format's game has.
///
/// # Errors
/// An unknown format.
pub(super) fn settings(judge: &Judge, id: &str) -> Result<Vec<Setting>, Trouble> {
    let format = format(judge, id)?;
    let stands = rulebook(judge, id)?;
    let stands = stands.settings();
    Ok(format
        .game()
        .file
        .settings
        .iter()
        .map(|entry| {
            let name = entry.name.value.clone();
            let now = stands.get(name.as_str()).map(ToString::to_string);
            (
                name,
                entry.about.clone(),
                entry.choices.clone(),
                now.unwrap_or_default(),
            )
        })
        .collect())
}

/// A name by which players are the same.
pub(super) fn folded(name: &str) -> String {
    fold(name).into_owned()
}
