//! The times of a form's export, never guessed.

use super::SubmissionError;
use super::stamp::Stamp;
use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};

/// The years of four digits that a form may mean.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=9998;

/// In which order a form writes day, month and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeOrder {
    /// `2026-03-01`, `2026/03/01`.
    YearFirst,
    /// `1.3.2026`, `1/3/2026`.
    DayFirst,
    /// `3/1/2026`.
    MonthFirst,
}

impl TimeOrder {
    /// Reads a date whose numbers are in this order. Dots are only between day, month and year,
    /// and a year of four digits may always be first.
    fn date(self, text: &str) -> Option<Date> {
        let separator = text.chars().find(|next| !next.is_ascii_digit())?;
        let is_plain = |next: char| next.is_ascii_digit() || next == separator;
        if !text.starts_with(|first: char| first.is_ascii_digit()) || !text.chars().all(is_plain) {
            return None;
        }
        let patterns: &[&str] = match (separator, self) {
            ('.', _) | ('-' | '/', TimeOrder::DayFirst) => &["%Y-%m-%d", "%d-%m-%Y", "%d-%m-%y"],
            ('-' | '/', TimeOrder::MonthFirst) => &["%Y-%m-%d", "%m-%d-%Y", "%m-%d-%y"],
            ('-' | '/', TimeOrder::YearFirst) => &["%Y-%m-%d", "%y-%m-%d"],
            _ => return None,
        };
        let text = text.replace(separator, "-");
        let dates = patterns.iter();
        let mut dates = dates.filter_map(|pattern| Date::strptime(pattern, &text).ok());
        dates.find(|date| YEARS.contains(&date.year()))
    }
}

/// Whether a date begins with a year of four digits.
fn begins_with_year(date: &str) -> bool {
    let digits = date.bytes().take_while(u8::is_ascii_digit);
    digits.count() > 2
}

/// A time of day on a day, with or without the zone that it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// As clocks there show it.
    pub local: DateTime,
    /// Minutes east of UTC, where the time has a zone.
    pub zone: Option<i16>,
}

/// Reads the times of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    order: TimeOrder,
    zones: Zones,
}

/// Whether the times of a column say their zones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zones {
    /// None does.
    None,
    /// Some do.
    Some,
    /// Every one does.
    All,
}

/// What was seen of a column of times.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TimeEvidence {
    ambiguous: bool,
    day_first: bool,
    month_first: bool,
    zoned: bool,
    plain: bool,
}

impl TimeEvidence {
    /// Looks at one more time.
    fn look(&mut self, stamp: &Stamp<'_>) {
        if !stamp.date.contains('.') && !begins_with_year(stamp.date) {
            let day_first = TimeOrder::DayFirst.date(stamp.date).is_some();
            let month_first = TimeOrder::MonthFirst.date(stamp.date).is_some();
            self.ambiguous |= day_first || month_first;
            self.day_first |= day_first && !month_first;
            self.month_first |= month_first && !day_first;
        }
        self.zoned |= stamp.zone.is_some();
        self.plain |= stamp.zone.is_none();
    }

    /// How to read the column. `order`: the order that a person gives.
    fn times(self, order: Option<TimeOrder>) -> Result<Times, SubmissionError> {
        let order = match (order, self.day_first, self.month_first) {
            (Some(order), ..) => order,
            (None, true, false) => TimeOrder::DayFirst,
            (None, false, true) => TimeOrder::MonthFirst,
            (None, false, false) if !self.ambiguous => TimeOrder::YearFirst,
            _ => {
                return Err(SubmissionError::new(
                    "times such as 3/4/2026 may begin with the day or the month",
                    "choose `--dates day-first` or `--dates month-first`",
                ));
            }
        };
        let zones = match (self.zoned, self.plain) {
            (false, _) => Zones::None,
            (true, true) => Zones::Some,
            (true, false) => Zones::All,
        };
        Ok(Times { order, zones })
    }
}

impl Moment {
    /// Reads a time such as `2026-03-01T18:00` or `2026-03-01T18:00+01:00`, the year first.
    /// `None`: it is no time.
    pub fn read(text: &str) -> Option<Moment> {
        let stamp = Stamp::read(text).filter(|stamp| begins_with_year(stamp.date))?;
        place(stamp, TimeOrder::YearFirst)
    }

    /// Its hours from UTC, such as `+01:00`; empty without a zone.
    pub(super) fn east(self) -> String {
        self.zone.map_or_else(String::new, |east| {
            let sign = if east < 0 { '-' } else { '+' };
            let east = east.unsigned_abs();
            format!("{sign}{:02}:{:02}", east / 60, east % 60)
        })
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}{}", self.local, self.east())
    }
}

impl Times {
    /// How to read a column of times, by all of its cells; `order` is the order of its
    /// dates, where a person gives it.
    ///
    /// # Errors
    /// Dates that can be read in two ways.
    ///
    /// ```
    /// use decklaw_decks::submissions::Times;
    /// let times = Times::of_column(["13/8/2026 18:00", "1/8/2026 6:04 nachm."], None)?;
    /// let moment = times.read("1/8/2026 6:04 nachm.").unwrap();
    /// assert_eq!(moment.to_string(), "2026-08-01T18:04:00");
    /// assert!(Times::of_column(["1/8/2026 18:00"], None).is_err());
    /// # Ok::<(), decklaw_decks::submissions::SubmissionError>(())
    /// ```
    pub fn of_column<'c>(
        cells: impl IntoIterator<Item = &'c str>,
        order: Option<TimeOrder>,
    ) -> Result<Times, SubmissionError> {
        let mut seen = TimeEvidence::default();
        let stamps = cells.into_iter().filter_map(Stamp::read);
        stamps.for_each(|stamp| seen.look(&stamp));
        seen.times(order)
    }

    /// Reads a time such as `2026/03/01 18:04:05`, `1.3.2026 18:04` or `3/1/26 6:04 PM GMT+1`.
    /// `None`: it is no time, or part of it is not understood, such as a zone
    /// by its name.
    pub fn read(self, text: &str) -> Option<Moment> {
        place(Stamp::read(text)?, self.order)
    }

    /// Whether the column says its zones.
    pub fn zones(self) -> Zones {
        self.zones
    }

    /// Whether a time is a day without an hour.
    pub fn is_day(text: &str) -> bool {
        Stamp::read(text).is_some_and(|stamp| stamp.clock.is_none())
    }
}

/// The moment of a stamp; `None`: there is no such day.
fn place(stamp: Stamp<'_>, order: TimeOrder) -> Option<Moment> {
    let date = order.date(stamp.date)?;
    let clock = stamp.clock;
    let days = i64::from(clock.is_some_and(|clock| clock.is_next_day));
    let time = clock.map_or(Time::midnight(), |clock| clock.time);
    let local = date.to_datetime(time).checked_add(days.days()).ok()?;
    let zone = stamp.zone;
    Some(Moment { local, zone })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn times(column: &[&str]) -> Result<Times, SubmissionError> {
        let mut seen = TimeEvidence::default();
        let stamps = column.iter().filter_map(|time| Stamp::read(time));
        stamps.for_each(|stamp| seen.look(&stamp));
        seen.times(None)
    }

    #[test]
    fn a_column_says_in_which_order_its_dates_are() {
        let read = |column: &[&str], time: &str| {
            times(column).unwrap().read(time).map(|time| time.local.to_string())
        };
        let third = Some("2026-04-03T18:04:05".to_owned());
        for time in [
            "03.04.2026, 6:04:05 nachm. MESZ",
            "3/4/2026 6:04:05 p. m.",
            "3/4/2026 6:04:05\u{202f}p.\u{a0}m. GMT-5",
            "2026/04/03 6:04:05 PM CEST",
            "3.04.2026, 6:04:05 po południu",
        ] {
            assert_eq!(read(&["13/04/2026"], time), third, "{time}");
        }
        assert_eq!(read(&["2026-04-03"], "2026-04-03T18:04:05Z"), third);
        assert_eq!(read(&["2026-04-03"], "2026-04-03T18:04:05.250Z"), third);
        assert_eq!(read(&["2026/04/03"], "2026/04/03 6:04:05 PM GMT+1"), third);
        assert_eq!(read(&["2026/04/03"], "2026/04/03 6:04:05 p.m."), third);
        assert_eq!(read(&["13/04/2026"], "3/4/2026 18:04:05"), third);
        assert_eq!(read(&["04/13/2026"], "4/3/2026 18:04:05"), third);
        assert_eq!(read(&["04/13/26"], "4/3/26 6:04:05PM"), third);
        assert_eq!(read(&["13-04-2026"], "3-4-2026 18:04:05"), third);
        assert_eq!(read(&["3.4.2026"], "03.04.2026 18:04:05"), third);
        assert_eq!(read(&["3.4.26"], "03.04.26, 18:04:05"), third);
        assert_eq!(read(&["3.4.2026"], "3.4.2026"), Some("2026-04-03T00:00:00".to_owned()));
        assert_eq!(
            read(&["2026-04-03"], "2026-04-03 12:30 AM"),
            Some("2026-04-03T00:30:00".to_owned())
        );
        for none in [
            "12:00",
            "2026-02-30 10:00",
            "yesterday",
            "46082.695",
            "46082",
            "2026-04-03 18:00 America/New_York",
            "2026-04-03 18:00 CST",
            "2026-04-03 18",
            "2026-04-03 18:00:00:00",
            "2026-04-03 18:00 PM",
            "2026-04-03 0:30 PM",
            "2026-04-03 18:00 +25:00",
            "2026-04-03 noon",
            "3.4.202 18:00",
            "1.2.3.4",
            "+2026-04-03",
        ] {
            assert_eq!(read(&["2026-04-03"], none), None, "{none}");
        }
    }

    #[test]
    fn dates_that_can_be_read_in_two_ways_are_refused() {
        assert!(times(&["3/4/2026", "5/6/2026"]).is_err());
        assert!(times(&["3-4-2026"]).is_err());
        assert!(times(&["13/4/2026", "4/13/2026"]).is_err());
        assert!(times(&[]).is_ok());
    }
}
