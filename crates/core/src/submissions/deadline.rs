//! When a form closes, as people say it: a time, or a day that counts to its end.

use super::stamp::Stamp;
use super::time::{Moment, Times, Zones};
use jiff::tz::{Offset, TimeZone};

/// When a form closes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// The last moment that is on time, as it was said; of a date alone the last second of that
    /// day.
    pub at: Moment,
    /// Whether a date alone was said.
    pub whole_day: bool,
    /// The organiser's zone, where the deadline says none: minutes east of UTC at that moment,
    /// and what it is called.
    organisers: Option<(i16, String)>,
}

/// What becomes of a deck that is handed in after the deadline by a player who had one in time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Late {
    /// The last one in time counts, and the late one is judged beside it.
    #[default]
    Beside,
    /// The last one counts, late or not.
    Last,
}

impl Late {
    /// What programs are told.
    pub fn word(self) -> &'static str {
        match self {
            Late::Beside => "beside",
            Late::Last => "last",
        }
    }
}

impl Deadline {
    /// Reads `2026-03-01T18:00`, `2026-03-01T18:00+01:00` or `2026-03-01`, the year first.
    /// `None`: it is no time.
    ///
    /// ```
    /// use decklaw_core::submissions::Deadline;
    /// let day = Deadline::read("2026-03-01").unwrap();
    /// assert_eq!(day.at.to_string(), "2026-03-01T23:59:59");
    /// assert_eq!(day.to_string(), "the end of 2026-03-01");
    /// ```
    pub fn read(text: &str) -> Option<Deadline> {
        let mut at = Moment::read(text)?;
        let whole_day = !Stamp::read(text)?.timed;
        if whole_day {
            at.local = at.local.date().at(23, 59, 59, 0);
        }
        Some(Deadline {
            at,
            whole_day,
            organisers: None,
        })
    }

    /// The same as clocks in the organiser's zone show it, where it does not say a zone itself.
    /// `called` is how the zone is told.
    pub fn of_zone(mut self, zone: &TimeZone, called: &str) -> Deadline {
        if self.at.zone.is_none() {
            let offset = zone.to_ambiguous_zoned(self.at.local).compatible();
            let east = offset.map(|at| at.offset().seconds() / 60).ok();
            let east = east.and_then(|east| i16::try_from(east).ok());
            self.organisers = east.map(|east| (east, called.to_owned()));
        }
        self
    }

    /// The last moment that is on time, with its zone or the organiser's.
    pub fn moment(&self) -> Moment {
        let organisers = self.organisers.as_ref().map(|(east, _)| *east);
        Moment {
            zone: self.at.zone.or(organisers),
            ..self.at
        }
    }

    /// Whether a date alone, of the day on which the form closes at some hour: then nobody
    /// knows what was first.
    pub(super) fn is_open(&self, stamp: &Stamp, times: Times) -> bool {
        let day = |at: Moment| at.local.date();
        !stamp.timed
            && !self.whole_day
            && times
                .place(*stamp)
                .is_some_and(|at| day(at) == day(self.at))
    }

    /// The deadline in words, and whose clock it is by.
    pub fn words(&self, zones: Zones) -> String {
        match (&self.organisers, zones) {
            (Some((_, called)), Zones::All) => {
                format!("{self} {called} ({})", self.moment().east())
            }
            (_, Zones::All) => self.to_string(),
            _ => format!("{self}, as the form's clock shows it"),
        }
    }
}

impl std::fmt::Display for Deadline {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.whole_day {
            true => write!(out, "the end of {}", self.at.local.date()),
            false => write!(out, "{}", self.at),
        }
    }
}

/// A zone by its name, such as `Europe/Berlin`, or by its hours from UTC, such as `+01:00`.
/// `None`: there is no such zone, or this machine does not know it.
pub fn zone(text: &str) -> Option<TimeZone> {
    let text = text.trim();
    match super::stamp::offset(text) {
        Some(east) => Offset::from_seconds(i32::from(east) * 60)
            .ok()
            .map(TimeZone::fixed),
        None => TimeZone::get(text).ok(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_date_alone_is_the_end_of_that_day_in_its_zone() {
        let due = Deadline::read("2026-03-01").unwrap();
        assert!(due.whole_day);
        let berlin = zone("+01:00").unwrap();
        let due = due.of_zone(&berlin, "in Berlin");
        assert_eq!(due.moment().to_string(), "2026-03-01T23:59:59+01:00");
        assert_eq!(due.at.to_string(), "2026-03-01T23:59:59");
        assert_eq!(
            due.words(Zones::All),
            "the end of 2026-03-01 in Berlin (+01:00)"
        );
        // A zone that the deadline says itself is not replaced.
        let own = Deadline::read("2026-03-01T18:00+05:00").unwrap();
        let own = own.of_zone(&berlin, "in Berlin");
        assert_eq!(own.words(Zones::All), "2026-03-01T18:00:00+05:00");
        for none in ["tonight", "1.3.2026", "18:00", "2026-02-30"] {
            assert_eq!(Deadline::read(none), None, "{none}");
        }
    }
}
