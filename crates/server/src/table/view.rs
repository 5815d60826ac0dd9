//! What leaves the server for one place at a table: made of that seat's own view and log, field
//! by field. Cards have names and slots here and no ids: an id says where a card was in a
//! deck's list.

use super::acts::prompt;
use super::lobby::Gathering;
use super::{Live, Stage, Table};
use crate::error::HttpError;
use decklaw_ask::position;
use decklaw_play::matches::{
    Action, CardField, Decision, Match, MatchError, Pending, PickedCard, PromptOption, Reader,
    SeatId,
};
use decklaw_text::text::escape_control;
use serde_json::{Map, Value, json};

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
    let number = is_game.then(|| &**seated.0.pool());
    let mut out = position(made, &live.log, (number, mat), reader).map_err(wrong)?;
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
        Reader::Public | Reader::Open => None,
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
    let said = live.said.iter();
    let said = said.map(|(seat, end)| {
        let sentence = escape_control(&end.sentence(made), false).into_owned();
        (seat.to_string(), json!({"won": end.won, "told": sentence}))
    });
    out["said"] = said.collect::<Map<_, _>>().into();
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
