//! `event.yaml`: what an event is, for people to read and edit.

use decklaw_decks::submissions::{Deadline, Moment, zone};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// How decks are treated that come after the deadline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Late {
    /// It is judged, and counts if an organiser accepts it.
    #[default]
    Beside,
    /// As [`Late::Beside`], and the server takes no more decks.
    Refuse,
    /// The last deck counts, late or not.
    Last,
}

/// What an event is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// What it is called.
    pub name: String,
    /// The format of its decks; absent where each deck says its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The day on which it is played, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// When decks must be in: `2026-03-01T18:00`, or a day to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// The zone of the deadline, and of times that say none: `Europe/Berlin`, `+01:00`.
    #[serde(default = "utc")]
    pub zone: String,
    /// How late decks are treated.
    #[serde(default)]
    pub late: Late,
}

fn utc() -> String {
    "UTC".to_owned()
}

/// The most letters of a player's name.
pub const LONGEST_NAME: usize = 100;
/// The most letters of an event's name, of a table and of a reason.
pub const LONGEST_TEXT: usize = 200;

/// Why an `event.yaml` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AboutError {
    /// It is no such file.
    #[error("{0}")]
    Yaml(String),
    /// The deadline is no time.
    #[error("invalid deadline `{0}`; write 2026-03-01T18:00, or a day as 2026-03-01")]
    Deadline(String),
    /// A text is not a time.
    #[error("invalid time `{0}`; write 2026-08-01T18:00")]
    Time(String),
    /// There is no such zone.
    #[error("unknown time zone `{0}`; use Europe/Berlin or +01:00")]
    Zone(String),
    /// The name is too long.
    #[error("the name of an event has at most {LONGEST_TEXT} letters")]
    Name,
    /// The deadline comes twice or never, since clocks are changed.
    #[error(
        "`{0}` is in the hour when clocks change in {1}; add the hours from UTC, such as {0}+01:00"
    )]
    Clocks(String, String),
    /// The day is none.
    #[error("`{0}` is not a day; write it as 2026-03-01")]
    Day(String),
}

impl About {
    /// Reads an `event.yaml` and checks its times.
    ///
    /// # Errors
    /// As [`AboutError`] says.
    pub fn read(text: &str) -> Result<About, AboutError> {
        let about: About =
            serde_yaml::from_str(text).map_err(|error| AboutError::Yaml(error.to_string()))?;
        about.check()?;
        Ok(about)
    }

    /// Checks its times.
    ///
    /// # Errors
    /// As [`AboutError`] says.
    pub fn check(&self) -> Result<(), AboutError> {
        if self.name.chars().count() > LONGEST_TEXT {
            return Err(AboutError::Name);
        }
        let clock = self.clock()?;
        self.due()?;
        let due = self.deadline.as_deref().and_then(|text| Some((text, Deadline::read(text)?.at)));
        if let Some((text, due)) = due.filter(|(_, due)| due.zone.is_none())
            && clock.to_ambiguous_timestamp(due.local).is_ambiguous()
        {
            return Err(AboutError::Clocks(text.to_owned(), self.zone.clone()));
        }
        match &self.day {
            Some(day) if day.parse::<jiff::civil::Date>().is_err() => {
                Err(AboutError::Day(day.clone()))
            }
            _ => Ok(()),
        }
    }

    /// The file's text, with comments for people who edit it.
    pub fn text(&self) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let mut text = String::from(
            "# An event. The file `lock` next to this one has the rules for its decks.\n",
        );
        text.push_str(&format!("name: {}\n", quoted(&self.name)));
        for (key, value) in [("format", &self.format), ("day", &self.day)] {
            if let Some(value) = value {
                text.push_str(&format!("{key}: {}\n", quoted(value)));
            }
        }
        text.push_str("# The deadline, and the zone of times without one.\n");
        if let Some(deadline) = &self.deadline {
            text.push_str(&format!("deadline: {}\n", quoted(deadline)));
        }
        text.push_str(&format!("zone: {}\n", quoted(&self.zone)));
        let late = match self.late {
            Late::Beside => "beside",
            Late::Refuse => "refuse",
            Late::Last => "last",
        };
        text.push_str("# beside: you accept or reject each late deck; refuse: hand-in closes;\n# last: the last deck counts.\n");
        text.push_str(&format!("late: {late}\n"));
        text
    }

    /// The zone of its clock.
    ///
    /// # Errors
    /// A zone that is not known here.
    pub fn clock(&self) -> Result<TimeZone, AboutError> {
        zone(&self.zone).ok_or_else(|| AboutError::Zone(self.zone.clone()))
    }

    /// The last moment that is in time; `None`: there is no deadline.
    ///
    /// # Errors
    /// A deadline that is no time.
    pub fn due(&self) -> Result<Option<Timestamp>, AboutError> {
        let Some(text) = &self.deadline else {
            return Ok(None);
        };
        let due = Deadline::read(text).ok_or_else(|| AboutError::Deadline(text.clone()))?;
        Ok(Some(instant(due.at, &self.clock()?)))
    }

    /// A time, in the event's zone if it says none.
    ///
    /// # Errors
    /// A text that is not a time.
    pub fn time(&self, text: &str) -> Result<Timestamp, AboutError> {
        let moment = Moment::read(text).ok_or_else(|| AboutError::Time(text.to_owned()))?;
        Ok(instant(moment, &self.clock()?))
    }

    /// The deadline in words, with its zone.
    pub fn due_in_words(&self) -> Option<String> {
        let due = Deadline::read(self.deadline.as_deref()?)?;
        let zone = match due.at.zone {
            Some(_) => String::new(),
            None => format!(" ({})", self.zone),
        };
        Some(format!("{due}{zone}"))
    }
}

/// The instant of a time, which is of this zone where it says none.
pub(crate) fn instant(moment: Moment, clock: &TimeZone) -> Timestamp {
    let own = moment.zone.and_then(|east| {
        let offset = jiff::tz::Offset::from_seconds(i32::from(east) * 60).ok()?;
        offset.to_timestamp(moment.local).ok()
    });
    own.or_else(|| clock.to_ambiguous_timestamp(moment.local).compatible().ok())
        .unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let about = About {
            name: "Autumn: \"the\" cup".to_owned(),
            format: Some("game/format".to_owned()),
            day: Some("2026-08-02".to_owned()),
            deadline: Some("2026-08-01T18:00".to_owned()),
            zone: "+02:00".to_owned(),
            late: Late::Last,
        };
        assert_eq!(About::read(&about.text()).unwrap(), about);
        let due = about.due().unwrap().unwrap();
        assert_eq!(due.to_string(), "2026-08-01T16:00:00Z");
        assert!(About::read("name: X\nzone: Nowhere\n").is_err());
        assert!(About::read("name: X\ndeadline: soon\n").is_err());
        assert!(About::read("name: X\nsince: 3\n").is_err());
    }
}
