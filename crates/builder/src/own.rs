//! A deck as a page has it: in JSON, with the settings that its player gives for it.

use super::{Builder, Refusal, Terms};
use decklaw_core::deck::settings_apart;
use decklaw_core::judge::Judge;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Settings, name to value.
type Settings = BTreeMap<String, String>;

/// Takes the settings out of a page's deck. No reader of decks knows them: a deck that somebody hands
/// in gives none.
///
/// # Errors
/// Settings that are no mapping from names to texts.
pub fn taken(deck: &mut Box<RawValue>) -> Result<Settings, Refusal> {
    let apart = settings_apart(deck.get())
        .map_err(|_| Refusal::wrong("The settings of this deck are no names with their values."))?;
    let Some((settings, rest)) = apart else {
        return Ok(Settings::new());
    };
    *deck = RawValue::from_string(rest).map_err(|_| Refusal::defect())?;
    Ok(settings)
}

/// Settings as they are written on a command line.
pub(crate) fn told(settings: &Settings) -> String {
    let each = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    each.collect::<Vec<_>>().join(", ")
}

impl Builder {
    /// The judge by some settings of a format's game.
    ///
    /// # Errors
    /// An unknown format; settings that its game does not have.
    pub(crate) fn judge_by(&self, format: &str, settings: Settings) -> Result<Arc<Judge>, Refusal> {
        let own = self.site.own()?;
        if settings.is_empty() {
            return Ok(own);
        }
        let format = super::game::format(&own, format)?;
        let known = &format.game().file.settings;
        let strange = |name: &&String| !known.iter().any(|entry| entry.name.value == **name);
        if let Some(name) = settings.keys().find(strange) {
            return Err(Refusal::new(
                400,
                format!("This game has no setting `{name}`, which this deck is to be judged by."),
                "Take it out of the deck's settings.",
            ));
        }
        self.site.judge(&Terms {
            settings,
            ..Terms::default()
        })
    }

    /// The judge of a page's deck, by the settings that its player gives; they are taken out of it.
    ///
    /// # Errors
    /// As [`taken`] and [`Builder::judge_by`].
    pub(crate) fn judge_of(
        &self,
        format: &str,
        deck: &mut Box<RawValue>,
    ) -> Result<Arc<Judge>, Refusal> {
        self.judge_by(format, taken(deck)?)
    }
}
