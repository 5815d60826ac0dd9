//! What leaves the server for one place at a table: made of that seat's own view and log, field
//! by field. Cards have names and slots here and no ids: an id says where a card was in a
//! deck's list.

use super::acts::prompt;
use super::lobby::Gathering;
use super::{Live, Stage, Table};
use crate::error::HttpError;
use decklaw_cards::pool::{NameField, Pool};
use decklaw_play::matches::table::{Terms, Visibility};
use decklaw_play::matches::{
    Action, CardField, CardView, Decision, Match, MatchError, Pending, PickedCard, PromptOption,
    Reader, SeatId, View, ZoneView, zone_name,
};
use decklaw_rules::format::display::Mat;
use decklaw_text::text::escape_control;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The most lines of a log that are sent at once.
const LINES: usize = 300;

/// All that a place at a table shows.
pub(super) fn of_reader(live: &Live, table: &Table, reader: Reader) -> Result<Value, HttpError> {
    let (seated, title) = (&table.rules, table.title.as_str());
    let wrong = |error: MatchError| HttpError::new(500, error.to_string(), "");
    let (made, is_game): (&Match, bool) = match &live.stage {
        Stage::Gathering(gathering) => return Ok(gathered(live, gathering, title)),
        Stage::Setup(made) => (made, false),
        Stage::Game(made) => (made, true),
    };
    let mat = table.mat.as_ref();
    let mut out = position(made, is_game, (seated.0.pool(), mat), reader).map_err(wrong)?;
    out["rev"] = json!(live.rev);
    out["title"] = json!(title);
    out["alone"] = json!(table.alone.is_some());
    out["phase"] = json!(match (&live.ended, is_game) {
        (Some(_), _) => "ended",
        (None, true) => "game",
        (None, false) => "setup",
    });
    out["score"] = json!(made.score());
    if let (Some(ended), true) = (&live.ended, is_game) {
        out["ended"] = json!(ended.sentence(made));
        out["score"] = json!(made.score_after(ended.won));
        // Why there is no next game.
        let chance = made.inputs.randomness.clone();
        if let Err(error) = made.next_game(&seated.1.game(), ended.won, chance) {
            out["over"] = json!(error.to_string());
        }
        out["next"] = json!(live.next);
    }
    let seat = match reader {
        Reader::Seat(seat) => Some(seat),
        Reader::Public => None,
    };
    if let Some(seat) = seat.filter(|_| live.ended.is_none())
        && let Some(prompt) = prompt(live, &seated.1, seat)?
    {
        let answer = |option: &PromptOption| {
            let lists = option.cards.iter().map(|list| {
                let names = list.of.iter().map(|(_, name)| escape_control(name, false));
                let at = match &list.field {
                    CardField::Bottom => vec!["bottom"],
                    CardField::Out(section) => vec![section, "out"],
                    CardField::In(section) => vec![section, "in"],
                };
                json!({"told": list.text, "at": at, "count": list.count, "of": names.collect::<Vec<_>>()})
            });
            let mut out = json!({"told": option.text, "cards": lists.collect::<Vec<_>>()});
            // A pick is made on the table: where its card lies.
            if let Action::Decision(Decision::Pick { card: PickedCard::Slot(slot), .. }) =
                &option.action
            {
                let pool = seated.1.setup.pool_zone().unwrap_or_default();
                out["zone"] = match slot.pool {
                    Some(seat) => json!(format!("{seat}.{pool}")),
                    None => json!(pool),
                };
                out["slot"] = json!(slot.slot);
            }
            out
        };
        let answers: Vec<Value> = prompt.options.iter().map(answer).collect();
        out["question"] = json!({"text": prompt.text, "answers": answers});
    }
    if !is_game {
        let awaited = made.pending.iter();
        let awaited = awaited.filter(|pending| live.sealed_for(pending).is_none());
        let awaited: Vec<SeatId> = awaited.filter_map(Pending::seat).collect();
        out["awaited"] = json!(awaited);
    }
    asked_of(&mut out, live, reader);
    Ok(out)
}

/// What every place sees while decks come: whose deck is there, and nothing of it.
fn gathered(live: &Live, gathering: &Gathering, title: &str) -> Value {
    let names = gathering.names();
    let seats = gathering.seats().into_iter().map(|seat| {
        let name = names.get(&seat);
        let about =
            json!({"name": name.map(|name| escape_control(name, false)), "came": name.is_some()});
        (seat.to_string(), about)
    });
    json!({
        "rev": live.rev, "title": title, "phase": "gathering",
        "format": gathering.format(), "seats": seats.collect::<Map<_, _>>(),
    })
}

/// The request of a seat.
fn asked_of(out: &mut Value, live: &Live, reader: Reader) {
    let Some(request) = &live.request else {
        return;
    };
    let is = |seat: SeatId| reader == Reader::Seat(seat);
    let mine = request.needs.iter().any(|seat| is(*seat));
    let text = escape_control(&request.text, false);
    out["asked"] =
        json!({"told": text, "needs": request.needs, "mine": mine, "own": is(request.by)});
}

/// The state of a match for one place at it, as a page gets it: that reader's own view and log,
/// field by field, cards by name and slot. `is_game`: the setup is over, and the log of moves is
/// shown.
///
/// # Errors
/// A fault in the match.
pub fn position(
    made: &Match,
    is_game: bool,
    (pool, mat): (&Pool, Option<&Mat>),
    reader: Reader,
) -> Result<Value, MatchError> {
    let view = made.view(reader)?;
    let mut zones = Vec::new();
    let seen = |owner: Option<SeatId>, name: &str| {
        let zones = match owner {
            Some(seat) => made.table.seats.get(seat.index()).map(|seat| &seat.zones),
            None => Some(&made.table.shared),
        };
        let zone = zones.and_then(|zones| zones.iter().find(|zone| zone.name == name));
        zone.map(|zone| zone.seen)
    };
    zones_of(&mut zones, (&view, mat), None, &view.shared.zones, &seen);
    let mut seats = Map::new();
    for (id, table) in &view.seats {
        zones_of(&mut zones, (&view, mat), Some(*id), &table.zones, &seen);
        seats.insert(
            id.to_string(),
            json!({"name": escape_control(&table.name, false), "counters": table.counters,
                "spec": table.spec.clone().flatten()}),
        );
    }
    let mut out = json!({
        "format": view.format, "options": view.options,
        "for": view.reader, "first": view.first, "seats": seats, "zones": zones,
        "digest": made.inputs_digest(),
        "chance": made.inputs.randomness.seed_source,
        "rolls": view.shared.rolls,
    });
    if is_game {
        let mut log = made.sentences(reader, mat)?;
        let first = log.len().saturating_sub(LINES);
        let mut lines = log.split_off(first);
        for line in &mut lines {
            line.text = escape_control(&line.text, false).into_owned();
        }
        let number = |name: &str, field: &str| {
            pool.number(pool.look_up(name, NameField::Name).card()?, field)
        };
        out["log"] = json!({"first": first, "lines": lines});
        out["turn"] = json!(made.turn().number);
        out["active"] = json!(made.active);
        out["sums"] = json!(made.sums(number));
    }
    Ok(out)
}

fn zones_of(
    out: &mut Vec<Value>,
    (view, mat): (&View, Option<&Mat>),
    owner: Option<SeatId>,
    zones: &BTreeMap<String, ZoneView>,
    seen: &dyn Fn(Option<SeatId>, &str) -> Option<Visibility>,
) {
    for (name, zone) in zones {
        let full = match owner {
            Some(seat) => format!("{seat}.{name}"),
            None => name.clone(),
        };
        let terms: &Terms = &zone.terms;
        let card = |(slot, card): (usize, &CardView)| {
            let mut out = json!({"slot": slot});
            match card {
                CardView::Open(id) | CardView::Up { card: id, .. } => {
                    out["name"] = json!(view.cards.get(id).map(|name| escape_control(name, false)));
                }
                CardView::Down { .. } => out["down"] = json!(true),
            }
            if let Some(lying) = zone.lying.iter().find(|lying| lying.slot == slot) {
                for (key, value) in [
                    ("at", json!(lying.at)),
                    ("owner", json!(lying.owner)),
                    ("on", json!(lying.on)),
                ] {
                    if !value.is_null() {
                        out[key] = value;
                    }
                }
                if lying.sideways {
                    out["sideways"] = json!(true);
                }
                if !lying.counters.is_empty() {
                    out["counters"] = json!(lying.counters);
                }
            }
            out
        };
        let cards = zone.cards.as_ref();
        let cards: Option<Vec<Value>> =
            cards.map(|cards| cards.iter().enumerate().map(card).collect());
        let grid = terms.grid.as_ref().map(|grid| {
            json!({"rows": grid.rows, "columns": grid.columns, "home": grid.home, "touch": grid.touch})
        });
        out.push(json!({
            "zone": escape_control(&full, false), "owner": owner, "kind": escape_control(name, false), "name": escape_control(&zone_name(mat, name), false),
            "count": zone.count, "cards": cards, "seen": seen(owner, name), "grid": grid, "most": terms.most, "told": terms.told,
        }));
    }
}
