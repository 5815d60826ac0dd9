//! When a form closes, as people say it: a time, or a day that counts to its end.

use super::stamp::Stamp;
use super::time::Moment;
use jiff::tz::{Offset, TimeZone};

/// When a form closes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// The last moment that is on time, as it was said; of a date alone the last second of that
    /// day.
    pub at: Moment,
    /// Whether a date alone was said.
    pub whole_day: bool,
}

impl Deadline {
    /// Reads `2026-03-01T18:00`, `2026-03-01T18:00+01:00` or `2026-03-01`, the year first.
    /// `None`: it is no time.
    ///
    /// ```
    /// use decklaw_decks::submissions::Deadline;
    /// let day = Deadline::read("2026-03-01").unwrap();
    /// assert_eq!(day.at.to_string(), "2026-03-01T23:59:59");
    /// assert_eq!(day.to_string(), "the end of 2026-03-01");
    /// ```
    pub fn read(text: &str) -> Option<Deadline> {
        let mut at = Moment::read(text)?;
        let whole_day = Stamp::read(text)?.clock.is_none();
        if whole_day {
            at.local = at.local.date().at(23, 59, 59, 0);
        }
        Some(Deadline { at, whole_day })
    }
}

impl std::fmt::Display for Deadline {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.whole_day {
            write!(out, "the end of {}", self.at.local.date())
        } else {
            write!(out, "{}", self.at)
        }
    }
}

/// A zone by its name, such as `Europe/Berlin`, or by its hours from UTC, such as `+01:00`.
/// `None`: there is no such zone, or this machine does not know it.
pub fn zone(text: &str) -> Option<TimeZone> {
    let text = text.trim();
    match super::stamp::offset(text) {
        Some(east) => Offset::from_seconds(i32::from(east) * 60).ok().map(TimeZone::fixed),
        None => TimeZone::get(text).ok(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_date_alone_is_the_end_of_that_day() {
        let due = Deadline::read("2026-03-01").unwrap();
        assert!(due.whole_day);
        assert_eq!(due.at.to_string(), "2026-03-01T23:59:59");
        assert!(zone("+01:00").is_some() && zone("Nowhere").is_none());
        for none in ["tonight", "1.3.2026", "18:00", "2026-02-30"] {
            assert_eq!(Deadline::read(none), None, "{none}");
        }
    }
}
