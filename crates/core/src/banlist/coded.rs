//! Lists of a public database that say of cards, by their codes, what becomes of their numbers: the
//! taboo lists of ArkhamDB, several in one file of JSON.

use super::Date;
use crate::text::{counted, harmless, listed};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A list of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodedList {
    /// Its code, by which it is told from others: they may all have one name.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The first day on which it applies.
    pub date: Date,
    /// What it says of each card, by the card's code.
    cards: BTreeMap<String, BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
struct RawList {
    code: String,
    name: String,
    date_start: String,
    cards: Value,
}

/// The key of the most copies.
const COPIES: &str = "deck_limit";

/// Reads the lists of a file, the latest first.
///
/// # Errors
/// What is no such file, and a card of which a list says two things at once.
///
/// ```
/// let lists = decklaw_core::banlist::coded_lists(
///     r#"[{"code": "001", "name": "Taboo", "date_start": "2019-04-20", "cards": [{"code": "01020", "xp": 2}]}]"#,
/// )?;
/// assert_eq!(lists[0].code, "001");
/// # Ok::<(), String>(())
/// ```
pub fn coded_lists(text: &str) -> Result<Vec<CodedList>, String> {
    let raw: Vec<RawList> = serde_json::from_str(text).map_err(|error| {
        format!("these are no lists, each with `code`, `name`, `date_start` and `cards`: {error}")
    })?;
    let mut lists: Vec<CodedList> = Vec::new();
    for raw in raw {
        if lists.iter().any(|list| list.code == raw.code) {
            return Err(format!(
                "two lists have the code `{}`",
                harmless(&raw.code, false)
            ));
        }
        lists.push(CodedList::of(raw)?);
    }
    lists.sort_by_key(|list| std::cmp::Reverse(list.date));
    match lists.is_empty() {
        true => Err("there is no list in it".to_owned()),
        false => Ok(lists),
    }
}

impl CodedList {
    fn of(raw: RawList) -> Result<CodedList, String> {
        let code = harmless(&raw.code, false).into_owned();
        let refuse = |why: &str| format!("the list `{code}`: {why}");
        // The database itself packs them into a text.
        let cards = match raw.cards {
            Value::String(packed) => serde_json::from_str(&packed)
                .map_err(|error| refuse(&format!("its `cards` are no JSON: {error}")))?,
            cards => cards,
        };
        let Value::Array(entries) = cards else {
            return Err(refuse("its `cards` are no list"));
        };
        let mut cards: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
        for entry in entries {
            let Value::Object(mut says) = entry else {
                return Err(refuse("one of its cards is no JSON object"));
            };
            let Some(Value::String(card)) = says.remove("code") else {
                return Err(refuse("one of its cards has no `code`"));
            };
            let card = harmless(&card, false).into_owned();
            let of_card = cards.entry(card.clone()).or_default();
            for (key, value) in says {
                let other = of_card.insert(key.clone(), value.clone());
                if other.is_some_and(|other| other != value) {
                    let key = harmless(&key, false);
                    return Err(refuse(&format!(
                        "it says two things of `{key}` of the card {card}"
                    )));
                }
            }
        }
        let date = raw.date_start.parse();
        Ok(CodedList {
            name: raw.name,
            date: date.map_err(|_| refuse("its `date_start` is no day, as 2026-01-01 is"))?,
            cards,
            code,
        })
    }

    /// The list as a file of decklaw's, whose cards go by their codes (the field `id`), and what is
    /// to be known of it. `fields` are the fields of the game that take what a key says; without a
    /// field, the key is left out.
    ///
    /// # Errors
    /// Keys of which `fields` say nothing, and what no list can say.
    pub fn to_yaml(
        &self,
        game: &str,
        id: &str,
        effective: Date,
        fields: &BTreeMap<String, Option<String>>,
    ) -> Result<(String, Vec<String>), String> {
        let quoted = |text: &str| Value::from(harmless(text, false)).to_string();
        let (mut banned, mut restricted, mut changes) =
            (String::new(), String::new(), String::new());
        let mut unsaid: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut asked, mut texts) = (BTreeSet::new(), 0);
        for (card, says) in &self.cards {
            let card_id = quoted(card);
            let mut set = Vec::new();
            let (mut is_banned, mut has_text) = (false, false);
            for (key, value) in says {
                match (key.as_str(), value) {
                    (_, Value::Null | Value::Bool(false)) => {}
                    (COPIES, value) => {
                        match value.as_u64().and_then(|most| u32::try_from(most).ok()) {
                            Some(0) => is_banned = true,
                            Some(most) => {
                                let _ =
                                    writeln!(restricted, "  - {{name: {card_id}, copies: {most}}}");
                            }
                            None => {
                                return Err(format!(
                                    "`{COPIES}` of the card {card} is no number of copies"
                                ));
                            }
                        }
                    }
                    (key, Value::String(_)) if key == "text" || key.ends_with("_text") => {
                        has_text = true
                    }
                    (key, value) => match fields.get(key) {
                        None => drop(asked.insert(key)),
                        Some(None) => *unsaid.entry(key).or_default() += 1,
                        Some(Some(field)) => {
                            let cell = match value {
                                Value::Bool(_) => "1".to_owned(),
                                Value::Number(number) => number.to_string(),
                                Value::String(text) => text.clone(),
                                _ => {
                                    let key = harmless(key, false);
                                    return Err(format!(
                                        "`{key}` of the card {card} is no number and no text"
                                    ));
                                }
                            };
                            set.push(format!("{}: {}", quoted(field), quoted(&cell)));
                        }
                    },
                }
            }
            texts += usize::from(has_text);
            if is_banned {
                let _ = writeln!(banned, "  - {card_id}");
            } else if !set.is_empty() {
                let _ = writeln!(
                    changes,
                    "  - {{name: {card_id}, set: {{{}}}}}",
                    set.join(", ")
                );
            }
        }
        if let Some(first) = asked.first() {
            let keys: Vec<String> = asked
                .iter()
                .map(|key| format!("`{}`", harmless(key, false)))
                .collect();
            return Err(format!(
                "the list says {} of cards: say which field of the game takes it, as in `{first}=FIELD`, or leave it out with `{first}=`",
                listed(&keys, "and")
            ));
        }
        let mut yaml = format!(
            "schema: decklaw/banlist/1\nid: {}\ngame: {}\nname: {}\neffective: {effective}\nby: id\n",
            quoted(id),
            quoted(game),
            quoted(&format!("{} {}", self.name, self.code))
        );
        for (key, cards) in [
            ("banned", banned),
            ("restricted", restricted),
            ("changes", changes),
        ] {
            if !cards.is_empty() {
                let _ = write!(yaml, "{key}:\n{cards}");
            }
        }
        let cards = |number: usize| counted(number as i64, "card");
        let mut told: Vec<String> = unsaid
            .into_iter()
            .map(|(key, number)| {
                format!("`{}` of {} left out", harmless(key, false), cards(number))
            })
            .collect();
        if texts > 0 {
            told.push(format!(
                "the texts of {} left out: no deck is judged by them",
                cards(texts)
            ));
        }
        Ok((yaml, told))
    }
}
