//! What a page must know of a game before there is a deck.

use super::Answer;
use crate::refusal::Refusal;
use crate::site::draws;
use crate::site::rulebook;
use decklaw_core::format::Format;
use decklaw_core::judge::Judge;
use decklaw_core::pool::{Column, FieldKind, Pool};
use decklaw_core::report::json;
use decklaw_core::rules::Rule;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most values of a field that are offered as a choice.
const MOST_VALUES: usize = 24;

/// A game with its formats, for the first page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GameEntry {
    /// The game's id.
    pub id: String,
    /// The game's name.
    pub name: String,
    /// Its formats: id, name, what sets it apart.
    pub formats: Vec<(String, String, String)>,
    /// Why it cannot be used.
    pub wrong: Option<String>,
}

/// Every game known.
pub fn games(judge: &Judge) -> Vec<GameEntry> {
    let catalogue = judge.catalogue();
    let entry = |id: &str| match catalogue.game(id) {
        Ok(game) => GameEntry {
            id: id.to_owned(),
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
            id: id.to_owned(),
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
pub fn format(judge: &Judge, id: &str) -> Result<Format, Refusal> {
    let found = judge.catalogue().format(id);
    found.map_err(|error| Refusal::new(404, error.to_string(), ""))
}

/// What a page must know of a format: its sections, fields, settings, rules and questions.
///
/// # Errors
/// An unknown format, or inputs of the server that are wrong.
pub(crate) fn game(judge: &Judge, id: &str) -> Answer {
    let rulebook = rulebook(judge, id)?;
    let format = rulebook.format();
    let game = format.game();
    let names = game.section_names();
    let defaults = draws(judge, game.id())?;
    let pool = rulebook.pool();
    let drawn = defaults.section.as_ref().map(|own| own.value.as_str());
    let sections: Vec<Value> = game
        .sections()
        .iter()
        .map(
            |section| json!({"id": section.id, "name": section.name, "shuffled": section.shuffled}),
        )
        .collect();
    let entry_of = |rule: &Rule| {
        let mut entries = game.file.rules.iter();
        entries.find(|entry| {
            (&entry.id.value, &entry.about, &entry.source) == (&rule.id, &rule.about, &rule.source)
        })
    };
    let rules: Vec<Value> = rulebook
        .rules()
        .iter()
        .map(|rule| {
            let entry = entry_of(rule);
            let passes = entry.and_then(|entry| entry.passes.as_ref());
            let fails = entry.and_then(|entry| entry.fails.as_ref());
            json!({
                "id": rule.id,
                "severity": rule.severity,
                "source": rule.source,
                "about": rule.about,
                "demand": rule.demand(),
                "passes": passes.map(|text| text.value.as_str()),
                "fails": fails.map(|text| text.value.as_str()),
            })
        })
        .collect();
    let remarks = |remarks: &[decklaw_core::format::Remark]| -> Vec<Value> {
        let each = remarks.iter();
        each.map(|remark| json!({"about": remark.about, "source": remark.source}))
            .collect()
    };
    let siblings: Vec<Value> = game
        .formats()
        .iter()
        .map(|format| json!({"id": format.id(), "name": format.entry().name}))
        .collect();
    let stands = rulebook.settings();
    let own_settings = game.file.settings.iter();
    let settings: Vec<Value> = own_settings
        .map(|entry| {
            let now = stands.get(entry.name.value.as_str());
            let now = now.map(ToString::to_string);
            json!({"name": entry.name.value, "about": entry.about, "choices": entry.choices, "min": entry.min, "max": entry.max, "now": now})
        })
        .collect();
    let hands: Vec<Value> = defaults
        .presets
        .iter()
        .filter_map(|preset| {
            let query = &preset.query.as_ref()?.value;
            Some(json!({"name": preset.name, "query": query, "turn": preset.turn}))
        })
        .collect();
    let taste = super::mend::taste(judge, game.id())?.unwrap_or_default();
    let aims: Vec<Value> = taste
        .aims(format.id())
        .map(|aim| json!({"wish": aim.wish.value, "because": aim.because, "source": aim.source}))
        .collect();
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
        "hands": hands,
        "aims": aims,
        "list": rulebook.list().map(|list| json!({"id": list.id, "name": list.name, "effective": list.effective.to_string()})),
        "day": judge.day().to_string(),
        "digest": json::inputs_digest(&rulebook),
    }))
}

/// The fields of a pool, with the values that are few enough to choose from.
fn fields(pool: &Pool) -> Vec<Value> {
    let entry = |field: &decklaw_core::pool::Field| {
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
            .map(|((_, word), count)| json!([pool.written(&field.name, &word), count]))
            .collect();
        json!({"name": field.name, "kind": kind, "values": values})
    };
    pool.fields().iter().map(entry).collect()
}

/// The list that a term names in a game, by its id and bytes; the terms that keep it.
///
/// # Errors
/// No such list.
pub fn lists(judge: &Judge, format: &str) -> Result<Vec<(String, String, String)>, Refusal> {
    let format = self::format(judge, format)?;
    let lists = judge
        .lists()
        .of(format.game().id())
        .map_err(|error| Refusal::wrong(error.to_string()))?;
    Ok(lists
        .iter()
        .filter(|list| list.concerns(Some(format.id())))
        .map(|list| (list.id.clone(), list.sha256.clone(), list.name.clone()))
        .collect())
}

/// The list by which a format's decks are judged now: id and digest.
///
/// # Errors
/// Two lists in force at once.
pub fn list_in_force(judge: &Judge, format: &str) -> Result<Option<(String, String)>, Refusal> {
    let format = self::format(judge, format)?;
    let list = judge.list(format.game().id(), Some(format.id()));
    let list = list.map_err(|error| Refusal::from(&error))?;
    Ok(list.map(|list| (list.id.clone(), list.sha256.clone())))
}

/// A setting: its name, what it means, its choices, and what it stands at.
pub type Setting = (String, String, Vec<String>, String);

/// The settings that a format's game has.
///
/// # Errors
/// An unknown format.
pub fn settings(judge: &Judge, id: &str) -> Result<Vec<Setting>, Refusal> {
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
