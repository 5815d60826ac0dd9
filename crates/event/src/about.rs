//! `event.yaml`: what an event is, for people to read and edit.

use decklaw_decks::submissions::{Deadline, Moment, zone};
use decklaw_text::{Problem, ProblemKind};
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

fn wrong(message: String) -> Problem {
    Problem::new(ProblemKind::Query, message)
}

impl About {
    /// Reads an `event.yaml` and checks its times.
    ///
    /// # Errors
    /// A text that is no `event.yaml`, a name that is too long, and times that are not times.
    pub fn read(text: &str) -> Result<About, Problem> {
        let about: About = serde_yaml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        about.check()?;
        Ok(about)
    }

    /// Checks its times.
    ///
    /// # Errors
    /// A name that is too long, and times that are not times.
    pub fn check(&self) -> Result<(), Problem> {
        if self.name.chars().count() > LONGEST_TEXT {
            let message = format!("the name of an event has at most {LONGEST_TEXT} letters");
            return Err(wrong(message));
        }
        let clock = self.clock()?;
        self.due()?;
        let due = self.deadline.as_deref().and_then(|text| Some((text, Deadline::read(text)?.at)));
        if let Some((text, due)) = due.filter(|(_, due)| due.zone.is_none())
            && clock.to_ambiguous_timestamp(due.local).is_ambiguous()
        {
            return Err(wrong(format!(
                "`{text}` is in the hour when clocks change in {}; add the hours from UTC, such as \
                 {text}+01:00",
                self.zone
            )));
        }
        match &self.day {
            Some(day) if day.parse::<jiff::civil::Date>().is_err() => {
                Err(wrong(format!("`{day}` is not a day; write it as 2026-03-01")))
            }
            _ => Ok(()),
        }
    }

    /// The file's text, with comments for people who edit it.
    pub fn text(&self) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let line = |key: &str, value: &Option<String>| match value {
            Some(value) => format!("{key}: {}\n", quoted(value)),
            None => String::new(),
        };
        let late = match self.late {
            Late::Beside => "beside",
            Late::Refuse => "refuse",
            Late::Last => "last",
        };
        [
            "# An event. The file `lock` next to this one has the rules for its decks.\n",
            &format!("name: {}\n", quoted(&self.name)),
            &line("format", &self.format),
            &line("day", &self.day),
            "# The deadline, and the zone of times without one.\n",
            &line("deadline", &self.deadline),
            &format!("zone: {}\n", quoted(&self.zone)),
            "# beside: you accept or reject each late deck; refuse: hand-in closes;\n",
            &format!("# last: the last deck counts.\nlate: {late}\n"),
        ]
        .concat()
    }

    /// The zone of its clock.
    ///
    /// # Errors
    /// A zone that is not known here.
    pub fn clock(&self) -> Result<TimeZone, Problem> {
        zone(&self.zone).ok_or_else(|| {
            wrong(format!("unknown time zone `{}`; use Europe/Berlin or +01:00", self.zone))
        })
    }

    /// The last moment that is in time; `None`: there is no deadline.
    ///
    /// # Errors
    /// A deadline that is no time.
    pub fn due(&self) -> Result<Option<Timestamp>, Problem> {
        let Some(text) = &self.deadline else {
            return Ok(None);
        };
        let due = Deadline::read(text).ok_or_else(|| {
            wrong(format!(
                "invalid deadline `{text}`; write 2026-03-01T18:00, or a day as 2026-03-01"
            ))
        })?;
        Ok(Some(instant(due.at, &self.clock()?)))
    }

    /// A time, in the event's zone if it says none.
    ///
    /// # Errors
    /// A text that is not a time.
    pub fn time(&self, text: &str) -> Result<Timestamp, Problem> {
        let moment = Moment::read(text)
            .ok_or_else(|| wrong(format!("invalid time `{text}`; write 2026-08-01T18:00")))?;
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
