//! The judges of a server: one for each set of terms that somebody is judged by.

use super::trouble::Trouble;
use crate::judge::Judge;
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

    pub(super) fn serialize<S: Serializer>(day: &Option<Date>, to: S) -> Result<S::Ok, S::Error> {
        match day {
            Some(day) => to.serialize_some(&day.to_string()),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
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
const MOST: usize = 64;

/// Makes judges, and keeps them.
pub(super) struct Site {
    make: Box<MakeJudge>,
    made: RwLock<HashMap<Terms, Arc<Judge>>>,
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Site").finish_non_exhaustive()
    }
}

impl Site {
    /// Judges made in this way.
    pub(super) fn new(make: Box<MakeJudge>) -> Site {
        Site {
            make,
            made: RwLock::default(),
        }
    }

    /// The judge of some terms, made at the first call of a day.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn judge(&self, terms: &Terms) -> Result<Arc<Judge>, Trouble> {
        let mut terms = terms.clone();
        // Tomorrow another list may be in force.
        terms.day.get_or_insert_with(|| jiff::Zoned::now().date());
        let known = self.made.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(judge) = known.get(&terms) {
            return Ok(Arc::clone(judge));
        }
        drop(known);
        let judge = (self.make)(&terms).map_err(|why| Trouble::new(500, why, ""))?;
        let judge = Arc::new(judge);
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        if made.len() >= MOST {
            made.clear();
        }
        made.insert(terms, Arc::clone(&judge));
        Ok(judge)
    }

    /// The judge of the server's own terms, today.
    ///
    /// # Errors
    /// As [`Site::judge`].
    pub(super) fn own(&self) -> Result<Arc<Judge>, Trouble> {
        self.judge(&Terms::default())
    }

    /// Forgets all judges: what they were made of has changed.
    pub(super) fn forget(&self) {
        let made = self.made.write();
        made.unwrap_or_else(PoisonError::into_inner).clear();
    }
}
