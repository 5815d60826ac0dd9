//! What a player would choose among equals: a game's own file says what measures likeness, what a
//! tie leaves alone, and what a built deck should hold.
//!
//! It is the maker's advice and no rule: it chooses among decks that are equally near, and never
//! costs a copy more.

use super::Wish;
use decklaw_cards::pool::{CardId, Column, Pool};
use decklaw_rules::format::Game;
use decklaw_text::yaml::{self, FileError, Problem, Spanned};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The preferences of a game.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Taste {
    /// Sections that stay as they are where others can change as well; without it, those that
    /// rules name with `by`.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub alone: Option<Vec<Spanned<String>>>,
    /// The fields that show how alike two cards are.
    #[serde(default)]
    pub like: Vec<Likeness>,
    /// How many cards of each value of a field a new deck should have; without it, as many of each
    /// number as the pool.
    pub curve: Option<Curve>,
    /// The field whose values give a new deck its theme: it has two of them as far as can be, which
    /// the seed picks.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub theme: Option<Spanned<String>>,
    /// How many copies of a card a deck that is built gets at most, where the rules allow more.
    pub playset: Option<u32>,
    /// What a built deck should hold, the first before the second.
    #[serde(default)]
    pub aims: Vec<Aim>,
}

/// A field that shows how alike cards are.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Likeness {
    /// The field.
    #[cfg_attr(test, schemars(with = "String"))]
    pub field: Spanned<String>,
    /// How much it counts: for each unit of a number, and for words that differ.
    pub weight: u32,
    /// The most units of a number that count.
    pub most: Option<u32>,
}

/// How many cards of each value a new deck should have.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Curve {
    /// The field, such as the cost.
    #[cfg_attr(test, schemars(with = "String"))]
    pub field: Spanned<String>,
    /// The part that each value has, in whole numbers: `{1: 4, 2: 3}` is four of one to three of
    /// two.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, i64>"))]
    pub parts: BTreeMap<String, Spanned<i64>>,
}

/// Something that a deck should hold.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Aim {
    /// The ids of the formats that it is about; none: all of the game.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub formats: Vec<Spanned<String>>,
    /// What it is, as `build --wish` takes it.
    #[cfg_attr(test, schemars(with = "String"))]
    pub wish: Spanned<String>,
    /// Why, a sentence.
    pub because: String,
    /// The section of the rules text that it follows from.
    pub source: String,
}

impl Taste {
    /// Reads the file.
    ///
    /// # Errors
    /// An unknown key, a value of the wrong type, a wish that cannot be read.
    pub fn read(text: &str) -> Result<Taste, Problem> {
        yaml::read(text)
    }

    /// Reads the file as it was found; `name`: its path, for what is wrong with it.
    ///
    /// # Errors
    /// Bytes that are no text, and as [`read`](Taste::read) does.
    pub fn of_file(name: &str, bytes: &[u8]) -> Result<Taste, FileError> {
        let text = yaml::text_of(name, bytes)?;
        Taste::read(text).map_err(|problem| FileError {
            name: name.to_owned(),
            text: text.to_owned(),
            problems: vec![problem],
        })
    }

    /// What is wrong with it for a game, whose cards the aims are asked of where they are given.
    pub fn lint(&self, game: &Game, cards: Option<&Pool>) -> Vec<Problem> {
        let mut problems = Vec::new();
        let named = |what: &str, name: &Spanned<String>, known: Vec<&str>| {
            let is_known = known.contains(&name.value.as_str());
            (!is_known).then(|| {
                let known = decklaw_text::text::those(&known);
                let message = format!("no {what} `{}`; {known}", name.value);
                Problem::new(message, name.span)
            })
        };
        let sections = || game.sections().iter().map(|section| section.id.as_str());
        let fields = || game.fields().iter().map(|field| field.name.as_str());
        for section in self.alone.iter().flatten() {
            problems.extend(named("section", section, sections().collect()));
        }
        let curve = self.curve.iter().map(|curve| &curve.field);
        for field in self.like.iter().map(|like| &like.field).chain(curve).chain(&self.theme) {
            problems.extend(named("field", field, fields().collect()));
        }
        let parts = self.curve.iter().flat_map(|curve| curve.parts.values());
        for part in parts.filter(|part| part.value < 0) {
            problems.push(Problem::new("a part is at least 0", part.span));
        }
        let formats = || game.file.formats.iter().map(|format| format.id.value.as_str());
        for aim in &self.aims {
            for format in &aim.formats {
                if !formats().any(|known| known == format.value) {
                    let message = format!("no format `{}` in this game", format.value);
                    problems.push(Problem::new(message, format.span));
                }
            }
            if let Some(Err(error)) = cards.map(|cards| Wish::of(&aim.wish.value, game, cards)) {
                problems.push(Problem::in_query(&aim.wish, &error.message));
            }
        }
        problems
    }

    /// What the aims ask for that no card of a pool has: words, names and values that are most
    /// likely misspelled, and groups that no card is in.
    pub fn unmatched(&self, game: &Game, cards: &Pool) -> Vec<Problem> {
        let problems = self.aims.iter().flat_map(|aim| {
            let wish = Wish::of(&aim.wish.value, game, cards);
            let problems = wish.map_or_else(|_| Vec::new(), |wish| wish.unmatched().to_vec());
            let problems = problems.into_iter();
            problems.map(|problems| Problem::in_query(&aim.wish, &problems))
        });
        problems.collect()
    }

    /// The aims of a format.
    pub fn aims<'a>(&'a self, format: &'a str) -> impl Iterator<Item = &'a Aim> {
        let is_own = move |aim: &&Aim| {
            aim.formats.is_empty() || aim.formats.iter().any(|own| own.value == format)
        };
        self.aims.iter().filter(is_own)
    }

    /// How unlike two cards are; 0: no difference is known.
    pub fn unlike(&self, pool: &Pool, one: CardId, other: CardId) -> i64 {
        let each = self.like.iter().map(|like| {
            let weight = i64::from(like.weight);
            let field = like.field.value.as_str();
            match pool.column(field) {
                Some(Column::Number(cells)) => match (cells[one.index()], cells[other.index()]) {
                    (Some(one), Some(other)) => {
                        let most = like.most.map_or(i64::MAX, i64::from);
                        weight.saturating_mul(one.abs_diff(other).min(most.unsigned_abs()) as i64)
                    }
                    (None, None) => 0,
                    _ => weight.saturating_mul(like.most.map_or(1, i64::from)),
                },
                Some(Column::Text(cells)) => {
                    if cells[one.index()] == cells[other.index()] {
                        0
                    } else {
                        weight
                    }
                }
                Some(Column::List(cells)) => {
                    let (one, other) = (&cells[one.index()], &cells[other.index()]);
                    let shared = one.iter().filter(|word| other.contains(word)).count();
                    let all = one.len() + other.len() - shared;
                    match all {
                        0 => 0,
                        all => weight * (all - shared) as i64 / all as i64,
                    }
                }
                None => 0,
            }
        });
        each.fold(0, i64::saturating_add)
    }

    /// In what two cards differ among the fields that measure likeness: `mana 3 → 2`.
    pub fn differences(&self, pool: &Pool, from: CardId, to: CardId) -> Vec<String> {
        let each = self.like.iter().filter_map(|like| {
            let field = like.field.value.as_str();
            let (from, to) = (pool.shown(from, field), pool.shown(to, field));
            let shown = |text: String| {
                if text.is_empty() { "none".to_owned() } else { text }
            };
            (from != to).then(|| format!("{field} {} → {}", shown(from), shown(to)))
        });
        each.collect()
    }
}
