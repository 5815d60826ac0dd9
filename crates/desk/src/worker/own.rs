//! A deck as a page has it: in JSON, with the settings that its player gives for it.

use super::bench::Bench;
use crate::trouble::Trouble;
use decklaw_core::judge::Judge;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Settings, name to value.
type Settings = BTreeMap<String, String>;

/// The key under which a page keeps them, beside the deck's headers. No reader of decks knows it:
/// a deck that somebody hands in gives no settings.
const KEY: &str = "settings";

/// Takes the settings out of a page's deck.
///
/// # Errors
/// Settings that are no mapping from names to texts.
pub(crate) fn taken(deck: &mut Box<RawValue>) -> Result<Settings, Trouble> {
    // What is no mapping is no deck, as its reader says.
    let entries = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(deck.get());
    let Ok(mut entries) = entries else {
        return Ok(Settings::new());
    };
    let Some(settings) = entries.remove(KEY) else {
        return Ok(Settings::new());
    };
    *deck = to_raw_value(&entries).map_err(|_| Trouble::defect())?;
    serde_json::from_str(settings.get())
        .map_err(|_| Trouble::wrong("The settings of this deck are no names with their values."))
}

/// Settings as they are written on a command line.
pub(crate) fn told(settings: &Settings) -> String {
    let each = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    each.collect::<Vec<_>>().join(", ")
}

impl Bench {
    /// The judge by some settings of a format's game.
    ///
    /// # Errors
    /// An unknown format; settings that its game does not have.
    pub(super) fn judge_by(&self, format: &str, settings: Settings) -> Result<Arc<Judge>, Trouble> {
        let own = self.site.own()?;
        if settings.is_empty() {
            return Ok(own);
        }
        let format = super::answers::format(&own, format)?;
        let known = &format.game().file.settings;
        let strange = |name: &&String| !known.iter().any(|entry| entry.name.value == **name);
        if let Some(name) = settings.keys().find(strange) {
            return Err(Trouble::new(
                400,
                format!("This game has no setting `{name}`, which this deck is to be judged by."),
                "Take it out of the deck's settings.",
            ));
        }
        self.site.judge(&crate::site::Terms {
            settings,
            ..crate::site::Terms::default()
        })
    }

    /// The judge of a page's deck, by the settings that its player gives; they are taken out of it.
    ///
    /// # Errors
    /// As [`taken`] and [`Bench::judge_by`].
    pub(super) fn judge_of(
        &self,
        format: &str,
        deck: &mut Box<RawValue>,
    ) -> Result<Arc<Judge>, Trouble> {
        self.judge_by(format, taken(deck)?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn settings_are_taken_out_of_a_deck_and_nothing_else_is_changed() {
        let mut deck =
            raw(r#"{"format":"f","settings":{"min":"40"},"sections":{"b":["1 X"],"a":[]}}"#);
        assert_eq!(told(&taken(&mut deck).unwrap()), "min=40");
        let left = r#"{"format":"f","sections":{"b":["1 X"],"a":[]}}"#;
        assert_eq!(deck.get(), left);
        // Without any it stays as it is written, keys that are there twice too.
        for deck in [left, "[1]", r#"{"sections": {}, "sections": {}}"#] {
            let mut same = raw(deck);
            assert!(taken(&mut same).unwrap().is_empty());
            assert_eq!(same.get(), deck);
        }
        assert!(taken(&mut raw(r#"{"settings":["min=40"]}"#)).is_err());
        assert!(taken(&mut raw(r#"{"settings":{"min":{"a":1}}}"#)).is_err());
    }
}
