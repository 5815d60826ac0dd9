//! What is to be known of games and formats before there is a deck.

use crate::files::import;
use crate::library::{JudgeEntry, JudgeOptions, Library};
use crate::question::{Ask, Format};
use decklaw_cards::pool::{Column, FieldKind, Pool};
use decklaw_decks::deck::Input;
use decklaw_engine::solve::Rooms;
use decklaw_judge::judge::Judge;
use decklaw_judge::report::json;
use decklaw_judge::resolve::Decklist;
use decklaw_play::look::{ColourEntry, FaceEntry, Look};
use decklaw_rules::Verdict;
use decklaw_rules::format::Remark;
use decklaw_rules::rules::Rule;
use decklaw_text::Problem;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most values of a field that are offered as a choice.
const MOST_VALUES: usize = 24;

/// What is to be known of a format, or the games and their formats.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum FormatAnswer {
    /// A format with its sections, fields, rules, settings and questions: `decklaw/page/1`.
    Format(Value),
    /// The games.
    Games(GamesAnswer),
}

/// The games and their formats: `decklaw/games/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/games/1")]
#[non_exhaustive]
pub struct GamesAnswer {
    /// The games, those with rules first.
    pub games: Vec<GameEntry>,
    /// Their sample decks, game by game.
    pub samples: Vec<Sample>,
}

/// A sample deck of a game.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Sample {
    /// The game's id.
    pub game: String,
    /// The deck's format.
    pub format: String,
    /// Its name.
    pub name: String,
    /// Whose deck it is, where it says.
    pub player: Option<String>,
    /// The word of its verdict.
    pub verdict: &'static str,
    /// Its cards in all counted sections.
    pub cards: i64,
    /// The deck, as `decklaw convert --to-format json` writes it.
    pub deck: Box<RawValue>,
}

/// The sample decks of a game with their verdicts, the legal ones first. A file that is no deck of
/// a format is left out.
fn samples(entry: &JudgeEntry, game: &str) -> Vec<Sample> {
    let files = entry.judge.catalogue().samples(game);
    let sample = |(_, bytes): (&str, &[u8])| {
        let read = import(entry, None, bytes, Some(Input::Text)).ok()?;
        let report = read.check.0;
        Some(Sample {
            game: game.to_owned(),
            format: read.format?,
            name: report.name?,
            player: report.player,
            verdict: report.verdict.word(),
            cards: report.cards.iter().map(|(_, copies)| copies).sum(),
            deck: read.deck?,
        })
    };
    let mut samples: Vec<Sample> = files.filter_map(sample).collect();
    samples.sort_by_key(|sample| sample.verdict != Verdict::Legal.word());
    samples
}

/// A game with its formats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GameEntry {
    /// The game's id.
    pub id: String,
    /// The game's name.
    pub name: String,
    /// Its formats.
    pub formats: Vec<FormatEntry>,
    /// Whether it has rules; a game without them takes every deck.
    pub rules: bool,
    /// Why it cannot be used.
    pub wrong: Option<String>,
}

/// A format of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FormatEntry {
    /// The format's id.
    pub format: String,
    /// Its name.
    pub name: String,
    /// What sets it apart.
    pub about: String,
}

impl Ask for Format {
    type Answer = FormatAnswer;

    fn ask(self, library: &Library) -> Result<FormatAnswer, Problem> {
        let format = self.format.as_deref();
        let options = JudgeOptions { settings: self.settings, ..JudgeOptions::default() };
        let entry = library.fitting(format, options)?;
        Ok(match format {
            None => {
                let games = games(&entry.judge);
                let samples = games.iter().flat_map(|game| samples(&entry, &game.id));
                FormatAnswer::Games(GamesAnswer { samples: samples.collect(), games })
            }
            Some(format) => FormatAnswer::Format(page(&entry, format)?),
        })
    }
}

/// Every game known, those with rules first.
pub fn games(judge: &Judge) -> Vec<GameEntry> {
    let catalogue = judge.catalogue();
    let entry = |id: &str| match catalogue.game(id) {
        Ok(game) => GameEntry {
            id: id.to_owned(),
            name: game.file.name.clone(),
            formats: (game.formats().iter())
                .map(|format| FormatEntry {
                    format: format.id().to_owned(),
                    name: format.entry().name.clone(),
                    about: format.entry().about.clone(),
                })
                .collect(),
            rules: !game.file.rules.is_empty(),
            wrong: None,
        },
        Err(error) => GameEntry {
            id: id.to_owned(),
            name: id.to_owned(),
            formats: Vec::new(),
            rules: true,
            wrong: Some(error.to_string()),
        },
    };
    let mut games: Vec<GameEntry> = catalogue.games().map(entry).collect();
    games.sort_by_key(|game| (!game.rules, game.name.clone()));
    games
}

/// A format's sections, fields, settings, rules and questions.
fn page(judge: &JudgeEntry, id: &str) -> Result<Value, Problem> {
    let rulebook = judge.rules(id)?;
    let format = rulebook.format();
    let game = format.game();
    let names = game.section_names();
    let defaults = judge.draws(game.id())?;
    let pool = rulebook.pool();
    let drawn = defaults.section.as_ref().map(|own| own.value.as_str());
    let empty = Decklist::empty(Arc::clone(&rulebook));
    let rooms = Rooms::of(&empty);
    let look = Look::of(judge.catalogue(), game)?;
    let start = look.start(format);
    let picks: Vec<&str> = (look.start.iter().flat_map(|start| &start.value))
        .filter_map(|step| Some(step.value.pick.as_ref()?.value.as_str()))
        .collect();
    let sections = (0_u16..).zip(game.sections());
    let sections = sections.map(|(at, section)| {
        // A section of other formats of the game takes no card here, or only they begin with it.
        let id = section.id.as_str();
        let other = picks.contains(&id) && !start.iter().any(|step| step.pick == Some(id));
        let takes = pool.is_empty() || pool.ids().any(|card| rooms.takes(at, card));
        let used = takes && !other;
        json!({"id": section.id, "name": section.name, "shuffled": section.shuffled, "used": used})
    });
    let sections: Vec<Value> = sections.collect();
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
                "kind": rule.kind,
                "severity": rule.severity,
                "source": rule.source,
                "about": rule.about,
                "demand": rule.demand(),
                "passes": passes.map(|text| text.value.as_str()),
                "fails": fails.map(|text| text.value.as_str()),
            })
        })
        .collect();
    let remarks = |remarks: &[Remark]| -> Vec<Value> {
        let each = remarks.iter();
        each.map(|remark| json!({"about": remark.about, "source": remark.source})).collect()
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
    let taste = judge.taste(game.id())?.unwrap_or_default();
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
        "mat": look.mat(format),
        "builder": look.builder(pool.fields()),
        "start": start,
        "face": match look.face() {
            Some(face) => face_of(face),
            None => json!({"colour": ColourEntry::plain(pool).as_ref().map(colours_of)}),
        },
        "cards": pool.len(),
        "rules": rules,
        "allowed": remarks(&game.file.allowed),
        "gaps": remarks(&game.file.gaps),
        "settings": settings,
        "hand": defaults.hand_of(1),
        "mulligan": defaults.mulligan,
        "presets": !defaults.presets.is_empty(),
        "hands": hands,
        "aims": aims,
        "list": rulebook.list().map(|list| json!({"id": list.id, "name": list.name, "effective": list.effective.to_string()})),
        "day": judge.day().to_string(),
        "digest": json::inputs_digest(&rulebook),
    }))
}

/// The fields of a face that a page shows in other places than on a card: the badge, the colours of
/// words, and how words are written.
fn face_of(face: &FaceEntry) -> Value {
    let colour = face.colour.as_ref().map(colours_of);
    let cost = face.cost.as_ref().map(|cost| &cost.value);
    json!({"cost": cost, "colour": colour, "words": face.words})
}

fn colours_of(colour: &ColourEntry) -> Value {
    let of = colour.of.iter().map(|(word, given)| (word, &given.value));
    let of: BTreeMap<&String, &String> = of.collect();
    json!({"by": colour.by.value, "of": of, "otherwise": colour.otherwise.value})
}

/// The fields of a pool, with the values that are few enough to choose from.
fn fields(pool: &Pool) -> Vec<Value> {
    let entry = |field: &decklaw_cards::pool::Field| {
        let mut counts: BTreeMap<(Option<i64>, String), usize> = BTreeMap::new();
        let mut few = true;
        match pool.column(&field.name) {
            Some(Column::Number(cells)) => {
                for number in cells.iter().flatten() {
                    *counts.entry((Some(*number), number.to_string())).or_default() += 1;
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
        let range = pool.column(&field.name).and_then(|column| match column {
            Column::Number(cells) => {
                let numbers = || cells.iter().flatten();
                Some([numbers().min()?, numbers().max()?])
            }
            _ => None,
        });
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
        json!({"name": field.name, "kind": kind, "values": values, "range": range})
    };
    pool.fields().iter().map(entry).collect()
}

/// A setting of a format's game, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// What it means.
    pub about: String,
    /// The values to choose from; empty: a number.
    pub choices: Vec<String>,
    /// Its value; may be empty.
    pub value: String,
}

/// A banlist of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListEntry {
    /// Its id.
    pub id: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its name.
    pub name: String,
}

impl JudgeEntry {
    /// The banlists of a format.
    ///
    /// # Errors
    /// An unknown format, or a list that is wrong.
    pub fn lists_of(&self, format: &str) -> Result<Vec<ListEntry>, Problem> {
        let format = self.format(format)?;
        let lists = self.judge.lists().of(format.game().id())?;
        let own = lists.iter().filter(|list| list.concerns(Some(format.id())));
        let entry = |list: &std::sync::Arc<decklaw_rules::banlist::Banlist>| ListEntry {
            id: list.id.clone(),
            sha256: list.sha256.clone(),
            name: list.name.clone(),
        };
        Ok(own.map(entry).collect())
    }

    /// The list by which a format's decks are judged: its id and its digest.
    ///
    /// # Errors
    /// An unknown format, or two lists in force at once.
    pub fn list_in_force(&self, format: &str) -> Result<Option<(String, String)>, Problem> {
        let format = self.format(format)?;
        let list = self.judge.list(format.game().id(), Some(format.id()))?;
        Ok(list.map(|list| (list.id.clone(), list.sha256.clone())))
    }

    /// The settings of a format's game.
    ///
    /// # Errors
    /// An unknown format.
    pub fn settings_of(&self, format: &str) -> Result<Vec<Setting>, Problem> {
        let rulebook = self.rules(format)?;
        let values = rulebook.settings();
        let game = rulebook.format().game();
        let setting = |entry: &decklaw_rules::format::SettingEntry| Setting {
            name: entry.name.value.clone(),
            about: entry.about.clone(),
            choices: entry.choices.clone(),
            value: (values.get(entry.name.value.as_str()))
                .map_or_else(String::new, ToString::to_string),
        };
        Ok(game.file.settings.iter().map(setting).collect())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::question::Build;
    use decklaw_rules::Verdict;

    #[test]
    fn every_deck_that_the_first_steps_offer_is_legal() {
        let library = Library::built_in();
        let judge = library.judge().unwrap();
        for game in games(&judge.judge) {
            for format in game.formats {
                let rulebook = judge.rules(&format.format).unwrap();
                let format_of = rulebook.format();
                let look = Look::of(judge.catalogue(), format_of.game()).unwrap();
                let steps = look.start(format_of);
                for offer in steps.iter().flat_map(|step| step.choose) {
                    let build = Build {
                        format: Some(format.format.clone()),
                        wish: offer.wish.iter().map(|wish| wish.value.clone()).collect(),
                        ..Build::default()
                    };
                    let built = build.ask(&library).unwrap();
                    let after = built.outcome.found().unwrap().after.clone();
                    let offered = format!("{}: {}", format.format, offer.title);
                    assert_eq!(after.verdict, Verdict::Legal, "{offered}");
                    assert!(built.notes.is_empty(), "{offered}: {:?}", built.notes);
                }
            }
        }
    }
}
