//! An event as the entries of what was done make it: what is kept of it is held against this,
//! field by field.

use super::record::Entry;
use super::{due_of, read_due};
use decklaw_core::name::fold;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The event that the entries make, in the shape of an archive without its `audit`; decks, their
/// bytes and their reports are there as the SHA-256 of each.
///
/// # Errors
/// The number of the first entry that cannot have been done there.
pub(super) fn replayed(id: &str, schema: &str, entries: &[&Entry]) -> Result<Value, i64> {
    let mut event = Value::Null;
    let mut places = HashMap::new();
    for entry in entries {
        let done = match (entry.what.as_str(), event.is_null()) {
            ("open", true) => {
                event = opened(id, schema, entry);
                expected(&mut event, &mut places, &entry.detail["players"])
            }
            ("open", false) | (_, true) => None,
            _ => apply(&mut event, &mut places, entry),
        };
        done.ok_or(entry.number)?;
    }
    if event.is_null() { Err(1) } else { Ok(event) }
}

fn opened(id: &str, schema: &str, entry: &Entry) -> Value {
    let detail = &entry.detail;
    let deadline = &detail["deadline"];
    let due = deadline.as_str().and_then(read_due);
    json!({
        "schema": schema, "id": id, "at": entry.at, "title": detail["title"],
        "format": detail["format"], "terms": detail["terms"], "deadline": deadline,
        "due": due.map(|(due, _)| due_of(&due)), "late": detail["late"],
        "key": detail["kept"]["key"], "closed": false, "published": false, "players": [],
    })
}

/// The places of players in the list, by their folded names.
type Places = HashMap<String, usize>;

fn known<'e>(event: &'e mut Value, places: &Places, name: &Value) -> Option<&'e mut Value> {
    let at = *places.get(&*fold(name.as_str()?))?;
    event["players"].get_mut(at)
}

fn add(event: &mut Value, places: &mut Places, name: &Value, expected: bool) -> Option<()> {
    let players = event["players"].as_array_mut()?;
    places.insert(fold(name.as_str()?).into_owned(), players.len());
    players.push(json!({
        "name": name, "key": null, "locked": false, "expected": expected, "versions": [],
    }));
    Some(())
}

fn expected(event: &mut Value, places: &mut Places, names: &Value) -> Option<()> {
    for name in names.as_array()? {
        match known(event, places, name) {
            Some(player) => player["expected"] = true.into(),
            None => add(event, places, name, true)?,
        }
    }
    Some(())
}

/// Does to an event what an entry says; `None`: that cannot be.
fn apply(event: &mut Value, places: &mut Places, entry: &Entry) -> Option<()> {
    let Entry { at, detail, .. } = entry;
    match entry.what.as_str() {
        "expect" => expected(event, places, &detail["players"])?,
        "hand-in" => {
            if known(event, places, &detail["player"]).is_none() {
                add(event, places, &detail["player"], false)?;
            }
            let player = known(event, places, &detail["player"])?;
            player["versions"].as_array_mut()?.push(json!({
                "number": detail["number"], "at": at, "late": detail["late"], "who": entry.who,
                "input": detail["input"], "bytes": detail["bytes"],
                "deck": detail["kept"]["deck"], "hash": detail["hash"],
                "judgements": [{
                    "at": at, "verdict": detail["verdict"], "report": detail["kept"]["report"],
                    "rules": detail["rules"],
                }],
            }));
        }
        "new-key" => {
            known(event, places, &detail["player"])?["key"] = detail["kept"]["key"].clone();
        }
        what @ ("lock" | "unlock") => {
            known(event, places, &detail["player"])?["locked"] = (what == "lock").into();
        }
        what @ ("lock-all" | "unlock-all") => {
            for player in event["players"].as_array_mut()? {
                player["locked"] = (what == "lock-all").into();
            }
        }
        what @ ("close-all" | "reopen-all") => event["closed"] = (what == "close-all").into(),
        what @ ("publish-all" | "unpublish-all") => {
            event["published"] = (what == "publish-all").into();
        }
        "list" => {
            event["terms"] = detail["terms"].clone();
            for judged in detail["kept"]["judged"].as_array()? {
                let player = known(event, places, &judged["player"])?;
                let mut versions = player["versions"].as_array_mut()?.iter_mut();
                let version = versions.find(|version| version["number"] == judged["number"])?;
                version["judgements"].as_array_mut()?.push(json!({
                    "at": at, "verdict": judged["verdict"], "report": judged["report"],
                    "rules": judged["rules"],
                }));
            }
        }
        "deck-check" => {}
        _ => return None,
    }
    Some(())
}

/// The first field by which two values differ, as a path such as `players[2].locked`.
pub(super) fn difference(one: &Value, other: &Value) -> Option<String> {
    let below = |name: String, rest: String| match rest.starts_with('[') || rest.is_empty() {
        true => name + &rest,
        false => format!("{name}.{rest}"),
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys());
            names.into_iter().find_map(|name| {
                let (one, other) = (one.get(name), other.get(name));
                match one.zip(other) {
                    Some((one, other)) => Some(below(name.clone(), difference(one, other)?)),
                    None => Some(name.clone()),
                }
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            let shared = one.iter().zip(other).enumerate();
            let mut differences = shared.filter_map(|(at, (one, other))| {
                Some(below(format!("[{at}]"), difference(one, other)?))
            });
            let missing =
                (one.len() != other.len()).then(|| format!("[{}]", one.len().min(other.len())));
            differences.next().or(missing)
        }
        (one, other) => (one != other).then(String::new),
    }
}
