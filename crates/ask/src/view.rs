//! What is said of a deck at each change of it.

use super::odds::OddsAsk;
use super::{Answer, Kept, MOST_CARDS, MOST_FINDINGS, Owned, known, line};
use crate::refusal::Refusal;
use crate::site::rulebook;
use decklaw_core::deck::Input;
use decklaw_core::judge::Judge;
use decklaw_core::pool::{CardId, Pool};
use decklaw_core::query::Query;
use decklaw_core::resolve::{Decklist, Resolved};
use decklaw_core::rules::Ledger;
use decklaw_engine::report::repair::{self, RoomJson};
use decklaw_engine::solve::Rooms;
use decklaw_engine::stats;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked of a deck while it is built.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ask {
    /// The format.
    pub format: String,
    /// The deck in JSON, as `decklaw` reads it.
    pub deck: Box<RawValue>,
    /// Cards to look for.
    pub find: Option<Find>,
    /// Cards that were found before and are still looked at, by name: their room is told.
    pub look: Vec<String>,
    /// The section that cards are added to; those that it does not take go to the first that
    /// does.
    pub into: String,
    /// Cards whose fields are to be told, by name.
    pub tell: Vec<String>,
    /// Whether odds, and what of them.
    pub odds: Option<OddsAsk>,
    /// Whether to count what the deck is made of.
    pub stats: bool,
}

/// Cards to look for.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Find {
    /// A card query.
    pub query: String,
    /// How many to pass over.
    pub from: usize,
    /// How many to tell.
    pub most: usize,
    /// The field to sort by; by name where it is empty.
    pub sort: String,
    /// Only what somebody owns.
    pub own: bool,
}

/// What is said live of a deck, in JSON.
#[derive(Serialize)]
struct LiveAnswer<'t> {
    schema: &'static str,
    /// How many findings there are; the verdict has the first of them.
    findings: usize,
    /// A line of `ndjson`, to the byte.
    check: &'t RawValue,
    ledgers: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Sought<'t>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cards: Vec<&'t RawValue>,
    /// The room of the deck's cards where they are, and of all that are looked at where one more
    /// would go.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<Vec<RoomJson<'t>>>,
    /// The sections that take the cards of the deck, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<BTreeMap<&'t str, Vec<&'t str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Value>,
}

/// Cards that were looked for.
#[derive(Serialize)]
#[serde(untagged)]
enum Sought<'t> {
    Found {
        total: usize,
        cards: Vec<&'t RawValue>,
        notes: Vec<String>,
    },
    /// What is wrong with the query.
    Wrong(Value),
}

/// Everything about a deck that is quick to say: the verdict, ledgers, the room of the cards
/// that are looked at, statistics, and what cards there are; as JSON.
///
/// # Errors
/// An unknown format. A query that cannot be understood is part of the answer.
pub(crate) fn live(
    judge: &Judge,
    kept: &Kept,
    ask: &Ask,
    owned: Option<&Owned>,
) -> Result<String, Refusal> {
    let bytes = ask.deck.get().as_bytes();
    let general = rulebook(judge, &ask.format)?;
    let read = judge
        .read(bytes, Input::Json, Some(&ask.format))
        .map_err(|error| Refusal::from(&error))?;
    let mut report = judge.report("-", &read, Some(&ask.format));
    let resolved = known(read);
    let findings = report.findings.len();
    report.findings.truncate(MOST_FINDINGS);
    let check = line(&report)?;
    let rules = resolved
        .as_ref()
        .map_or(&general, |resolved| resolved.rulebook());
    let pool = rules.pool();
    let told = kept.cards(rules);
    let card = |card: &CardId| told.card(pool, *card);
    let mut look: BTreeSet<CardId> = BTreeSet::new();
    let found = match ask.find.as_ref().map(|find| found(pool, find, owned)) {
        None => None,
        Some(Err(error)) => Some(Sought::Wrong(error)),
        Some(Ok((cards, total, notes))) => {
            look.extend(&cards);
            let cards = cards.iter().map(card).collect::<Result<_, _>>()?;
            Some(Sought::Found {
                total,
                cards,
                notes,
            })
        }
    };
    let of_names = |names: &[String]| -> Vec<CardId> {
        let names = names.iter().take(MOST_CARDS);
        names.filter_map(|name| pool.find(name)).collect()
    };
    let named = of_names(&ask.tell);
    look.extend(of_names(&ask.look));
    let list = resolved.as_ref().map(|resolved| resolved.list());
    let rooms = list.map(|list| (list, Rooms::of(list)));
    let stats = resolved.as_ref().filter(|_| ask.stats);
    let told = LiveAnswer {
        schema: "decklaw/live/1",
        findings,
        check: &check,
        ledgers: report.ledgers.iter().map(ledger).collect(),
        found,
        cards: named.iter().map(card).collect::<Result<_, _>>()?,
        room: rooms
            .as_ref()
            .map(|(list, rooms)| room(list, rooms, look, &ask.into)),
        takes: rooms.as_ref().map(|(list, rooms)| takes(list, rooms)),
        stats: stats
            .map(|resolved| statistics(judge, kept, resolved))
            .transpose()?,
    };
    serde_json::to_string(&told).map_err(|_| Refusal::defect())
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

/// What the deck holds of cards that are known.
fn held(list: &Decklist) -> impl Iterator<Item = (u16, CardId)> {
    let known = list.holdings().filter(|held| list.knows(held.card));
    known.map(|held| (held.section, held.card))
}

fn sections(list: &Decklist) -> std::ops::Range<u16> {
    0..u16::try_from(list.sections().len()).unwrap_or(u16::MAX)
}

/// Room in the manner of `decklaw/room/1`: of the cards that are held where they are, and of
/// those that are looked at where one more would go.
fn room<'r>(
    list: &'r Decklist,
    rooms: &Rooms<'_>,
    mut look: BTreeSet<CardId>,
    into: &str,
) -> Vec<RoomJson<'r>> {
    let mut places: BTreeSet<(u16, CardId)> = held(list).collect();
    look.extend(places.iter().map(|(_, card)| *card));
    let into = list.section(into);
    let goes = |card: CardId| {
        let mut sections = into.into_iter().chain(sections(list));
        let section = sections.find(|section| rooms.takes(*section, card));
        section.map(|section| (section, card))
    };
    places.extend(look.into_iter().filter_map(goes));
    let told = rooms.of_each(places);
    repair::rooms(list, rooms, &told, repair::Reasons::OfFull)
}

fn takes<'r>(list: &'r Decklist, rooms: &Rooms<'_>) -> BTreeMap<&'r str, Vec<&'r str>> {
    let of = |(_, card): (u16, CardId)| {
        let taking = sections(list).filter(|section| rooms.takes(*section, card));
        let ids = taking.map(|section| list.sections()[usize::from(section)].as_str());
        (list.name(card), ids.collect())
    };
    held(list).map(of).collect()
}

fn statistics(judge: &Judge, kept: &Kept, resolved: &Resolved<'_>) -> Answer {
    let spec = kept.spec(judge, resolved.rulebook())?;
    let measured = stats::measure("-", resolved, &spec, &[]).map_err(|error| {
        let game = resolved.rulebook().format().game().id();
        Refusal::wrong(format!("{game}/stats.yaml: {}", error.message))
    })?;
    Ok(stats::deck_json(&measured))
}
