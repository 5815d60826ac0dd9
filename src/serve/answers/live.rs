//! What is said of a deck at each change of it.

use super::super::trouble::Trouble;
use super::odds::OddsAsk;
use super::{Answer, MOST_CARDS, MOST_FINDINGS, Owned, known, refuse, rulebook, verdict};
use crate::deck::Input;
use crate::judge::Judge;
use crate::pool::{CardId, CardSet, Pool};
use crate::query::Query;
use crate::report::repair;
use crate::resolve::{Decklist, Resolved};
use crate::rules::Ledger;
use crate::solve::Rooms;
use crate::stats;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What is asked of a deck while it is built.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::serve) struct Ask {
    /// The format.
    pub(in crate::serve) format: String,
    /// The deck in JSON, as `decklaw` reads it.
    pub(in crate::serve) deck: Value,
    /// Cards to look for.
    pub(in crate::serve) find: Option<Find>,
    /// Cards whose fields are to be told, by name.
    pub(in crate::serve) tell: Vec<String>,
    /// Whether odds, and what of them.
    pub(in crate::serve) odds: Option<OddsAsk>,
    /// Whether to count what the deck is made of.
    pub(in crate::serve) stats: bool,
}

/// Cards to look for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::serve) struct Find {
    /// A card query.
    pub(in crate::serve) query: String,
    /// How many to pass over.
    pub(in crate::serve) from: usize,
    /// How many to tell.
    pub(in crate::serve) most: usize,
    /// The field to sort by; by name where it is empty.
    pub(in crate::serve) sort: String,
    /// Only what somebody owns.
    pub(in crate::serve) own: bool,
}

/// Everything about a deck that is quick to say: the verdict, ledgers, the room of the cards
/// that are looked at, statistics, and what cards there are.
///
/// # Errors
/// An unknown format, a query that cannot be understood is part of the answer.
pub(in crate::serve) fn live(judge: &Judge, ask: &Ask, owned: Option<&Owned>) -> Answer {
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
        answer.insert("room".to_owned(), room(list, &look)?);
        if ask.stats {
            answer.insert("stats".to_owned(), statistics(judge, resolved)?);
        }
    }
    Ok(Value::Object(answer))
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
fn room(list: &Decklist, look: &BTreeSet<CardId>) -> Answer {
    let rooms = Rooms::of(list);
    let set = CardSet::of(list.pool().len(), |card| look.contains(&card));
    let entries = repair::rooms(list, &rooms, &rooms.all(&set), repair::Reasons::OfFull);
    serde_json::to_value(entries).map_err(|_| Trouble::defect())
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
