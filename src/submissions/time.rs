//! The times of a form's export, never guessed.

use super::SubmissionError;
use jiff::civil::{Date, DateTime, Time};

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

/// Reads the times of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times(TimeOrder);

/// A time as it is written, its date not yet put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    date: [u16; 3],
    separator: char,
    /// Hour, minute and second.
    clock: [i8; 3],
}

/// What was seen of a column of times.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    slashed: bool,
    day_first: bool,
    month_first: bool,
}

impl Seen {
    /// Looks at one more time.
    pub(super) fn look(&mut self, stamp: &Stamp) {
        let [first, second, _] = stamp.date;
        if stamp.separator == '/' && first <= 31 {
            self.slashed = true;
            self.day_first |= first > 12;
            self.month_first |= second > 12;
        }
    }

    /// How to read the column. `told`: what a person says.
    pub(super) fn times(self, told: Option<TimeOrder>) -> Result<Times, SubmissionError> {
        let order = match (told, self.day_first, self.month_first) {
            (Some(order), ..) => order,
            (None, true, false) => TimeOrder::DayFirst,
            (None, false, true) => TimeOrder::MonthFirst,
            (None, false, false) if !self.slashed => TimeOrder::YearFirst,
            _ => {
                return Err(SubmissionError::Times(
                    "times such as 3/4/2026 may begin with the day or the month; say which, with `--dates day-first` or `--dates month-first`"
                        .to_owned(),
                ));
            }
        };
        Ok(Times(order))
    }
}

impl Times {
    /// Reads a time such as `2026/03/01 18:04:05`, `1.3.2026 18:04` or `3/1/2026 6:04 PM`;
    /// what stands after it (a zone) is passed over. `None`: it is no time.
    pub fn read(self, text: &str) -> Option<DateTime> {
        self.place(Stamp::read(text)?)
    }

    /// The time of a stamp; `None` where there is no such day or hour.
    pub(super) fn place(self, stamp: Stamp) -> Option<DateTime> {
        let [first, second, third] = stamp.date;
        let (year, month, day) = match (stamp.separator, self.0) {
            _ if first > 31 => (first, second, third),
            ('.', _) | (_, TimeOrder::DayFirst) => (third, second, first),
            _ => (third, first, second),
        };
        let small = |number: u16| i8::try_from(number).ok();
        let date = Date::new(i16::try_from(year).ok()?, small(month)?, small(day)?).ok()?;
        let [hour, minute, second] = stamp.clock;
        let clock = Time::new(hour, minute, second, 0).ok()?;
        Some(date.to_datetime(clock))
    }
}

impl Stamp {
    /// Takes a time apart; `None`: it is none.
    pub(super) fn read(text: &str) -> Option<Stamp> {
        let text = text.trim();
        let (date, rest) = text.split_once(['T', ' ']).unwrap_or((text, ""));
        let separator = date.chars().find(|next| !next.is_ascii_digit())?;
        if !['-', '/', '.'].contains(&separator) {
            return None;
        }
        let mut numbers = date
            .split(separator)
            .map(|number| number.parse::<u16>().ok());
        let date = [numbers.next()??, numbers.next()??, numbers.next()??];
        if numbers.next().is_some() {
            return None;
        }
        let rest = rest.trim_start();
        let end = rest.find(|next: char| !next.is_ascii_digit() && next != ':');
        let (clock, after) = rest.split_at(end.unwrap_or(rest.len()));
        let mut clock_of = [0; 3];
        if !clock.is_empty() {
            for (number, part) in clock_of.iter_mut().zip(clock.split(':')) {
                *number = part.parse().ok()?;
            }
        }
        let half = after.to_ascii_uppercase();
        clock_of[0] = match clock_of[0] {
            12 if half.contains("AM") => 0,
            hour if half.contains("PM") && hour < 12 => hour + 12,
            hour => hour,
        };
        Some(Stamp {
            date,
            separator,
            clock: clock_of,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn times(column: &[&str]) -> Result<Times, SubmissionError> {
        let mut seen = Seen::default();
        let stamps = column.iter().filter_map(|time| Stamp::read(time));
        stamps.for_each(|stamp| seen.look(&stamp));
        seen.times(None)
    }

    #[test]
    fn a_column_says_in_which_order_its_dates_are() {
        let read = |column: &[&str], time: &str| {
            times(column)
                .unwrap()
                .read(time)
                .map(|time| time.to_string())
        };
        let third = Some("2026-04-03T18:04:05".to_owned());
        assert_eq!(read(&["2026-04-03"], "2026-04-03T18:04:05Z"), third);
        assert_eq!(read(&["2026/04/03"], "2026/04/03 6:04:05 PM GMT+1"), third);
        assert_eq!(read(&["13/04/2026"], "3/4/2026 18:04:05"), third);
        assert_eq!(read(&["04/13/2026"], "4/3/2026 18:04:05"), third);
        assert_eq!(read(&["3.4.2026"], "03.04.2026 18:04:05"), third);
        assert_eq!(
            read(&["3.4.2026"], "3.4.2026"),
            Some("2026-04-03T00:00:00".to_owned())
        );
        assert_eq!(read(&["2026-04-03"], "12:00"), None);
        assert_eq!(read(&["2026-04-03"], "2026-02-30 10:00"), None);
        assert_eq!(read(&["2026-04-03"], "yesterday"), None);
    }

    #[test]
    fn dates_that_can_be_read_in_two_ways_are_refused() {
        assert!(times(&["3/4/2026", "5/6/2026"]).is_err());
        assert!(times(&["13/4/2026", "4/13/2026"]).is_err());
        assert!(times(&[]).is_ok());
    }
}
