//! The judges of a server: one for each set of terms that somebody is judged by.

use super::refusal::Refusal;
use decklaw_core::format::Rulebook;
use decklaw_core::judge::{Judge, JudgeError};
use decklaw_core::yaml::text_of;
use decklaw_engine::odds::OddsDefaults;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// What decides verdicts besides the games themselves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Terms {
    /// Settings, name to value; they go before those of the server.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// The day as of which decks are judged; `None`: today.
    #[serde(default, with = "day")]
    pub day: Option<Date>,
    /// Which banlist applies.
    #[serde(default)]
    pub list: ListTerm,
}

/// Which banlist applies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListTerm {
    /// The one in force on the day (or the one that the server was started with).
    #[default]
    InForce,
    /// None.
    Nothing,
    /// The one of this id, and of these bytes.
    Named {
        /// Its id.
        id: String,
        /// SHA-256 of its bytes, lower-case hex.
        sha256: String,
    },
}

/// A day as `YYYY-MM-DD`.
mod day {
    use jiff::civil::Date;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(day: &Option<Date>, to: S) -> Result<S::Ok, S::Error> {
        match day {
            Some(day) => to.serialize_some(&day.to_string()),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Date>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        let read = |text: String| text.parse().map_err(serde::de::Error::custom);
        text.map(read).transpose()
    }
}

/// Makes a judge by some terms; `Err`: why there is none, for people.
pub type MakeJudge = dyn Fn(&Terms) -> Result<Judge, String> + Send + Sync;

/// The most judges that are kept.
const MOST: usize = 16;

/// Makes judges, and keeps them.
pub struct Site {
    make: Box<MakeJudge>,
    today: fn() -> Date,
    made: RwLock<Made>,
}

/// The judges that were made since something last changed.
#[derive(Default)]
struct Made {
    changes: u64,
    judges: HashMap<Terms, Arc<Judge>>,
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Site").finish_non_exhaustive()
    }
}

impl Site {
    /// Judges made in this way, by a clock that knows the day.
    pub fn new(make: Box<MakeJudge>, today: fn() -> Date) -> Site {
        Site {
            make,
            today,
            made: RwLock::default(),
        }
    }

    /// The judge of some terms, made at the first call of a day. It speaks the words of pages.
    ///
    /// # Errors
    /// Why there is none.
    pub fn judge(&self, terms: &Terms) -> Result<Arc<Judge>, Refusal> {
        let mut terms = terms.clone();
        // Tomorrow another list may be in force.
        terms.day.get_or_insert_with(self.today);
        let known = self.made.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(judge) = known.judges.get(&terms) {
            return Ok(Arc::clone(judge));
        }
        let changes = known.changes;
        drop(known);
        let judge = Arc::new(self.of_commands(&terms)?);
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        // What changed while it was made may not be in it.
        if made.changes == changes {
            if made.judges.len() >= MOST {
                made.judges.clear();
            }
            made.judges.insert(terms, Arc::clone(&judge));
        }
        Ok(judge)
    }

    /// A judge that says what the commands say, by these terms: their words of what would mend
    /// an error are options.
    ///
    /// # Errors
    /// As [`Site::judge`].
    pub fn of_commands(&self, terms: &Terms) -> Result<Judge, Refusal> {
        (self.make)(terms).map_err(|why| Refusal::new(500, why, ""))
    }

    /// The judge of the server's own terms, today.
    ///
    /// # Errors
    /// As [`Site::judge`].
    pub fn own(&self) -> Result<Arc<Judge>, Refusal> {
        self.judge(&Terms::default())
    }

    /// Forgets all judges: what they were made of has changed.
    pub fn forget(&self) {
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        made.changes += 1;
        made.judges.clear();
    }
}

/// How a game draws.
///
/// # Errors
/// A file that says it wrongly.
pub fn draws(judge: &Judge, game: &str) -> Result<OddsDefaults, Refusal> {
    let Some(bytes) = judge.catalogue().file(game, "odds.yaml") else {
        return Ok(OddsDefaults::default());
    };
    let name = format!("{game}/odds.yaml");
    let text = text_of(&name, bytes).map_err(|error| Refusal::wrong(error.to_string()))?;
    let read = OddsDefaults::read(text);
    read.map_err(|problem| Refusal::wrong(format!("{name}: {}", problem.message)))
}

/// A format with its card pool.
///
/// # Errors
/// That there is none, and what is wrong with it.
pub fn rulebook(judge: &Judge, format: &str) -> Result<Arc<Rulebook>, Refusal> {
    judge.rulebook(format).map_err(|error| match error {
        JudgeError::Format(decklaw_core::format::CatalogueError::Unknown { .. }) => {
            Refusal::new(404, error.to_string(), "")
        }
        error => Refusal::from(&error),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use decklaw_core::banlist::Lists;
    use decklaw_core::format::Catalogue;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_judge_that_was_made_while_files_changed_is_not_kept() {
        let (site, count) = (
            Arc::new(OnceLock::<Site>::new()),
            Arc::new(AtomicUsize::new(0)),
        );
        let (own, made) = (Arc::clone(&site), Arc::clone(&count));
        let make = move |terms: &Terms| {
            // A maker saves while the first one is made.
            if made.fetch_add(1, Ordering::Relaxed) == 0 {
                own.get().unwrap().forget();
            }
            let day = terms.day.unwrap();
            Ok(Judge::new(Catalogue::built_in(), Lists::default(), day))
        };
        let site = site.get_or_init(|| Site::new(Box::new(make), || jiff::civil::date(2026, 3, 1)));
        let terms = Terms {
            day: Some("2026-03-01".parse().unwrap()),
            ..Terms::default()
        };
        for made in [1, 2, 2] {
            site.judge(&terms).unwrap();
            assert_eq!(count.load(Ordering::Relaxed), made);
        }
    }
}
