//! The times of a form's export, never guessed.

use super::SubmissionError;
use jiff::civil::{Date, DateTime};

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

/// What was seen of a column of times.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    slashed: bool,
    day_first: bool,
    month_first: bool,
}

impl Seen {
    /// Looks at one more time.
    pub(super) fn look(&mut self, text: &str) {
        let Some((parts, separator)) = parts(text) else {
            return;
        };
        if separator == '/' && parts[0] <= 31 {
            self.slashed = true;
            self.day_first |= parts[0] > 12;
            self.month_first |= parts[1] > 12;
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
        let (parts, separator) = parts(text)?;
        let (year, month, day) = match (separator, self.0) {
            _ if parts[0] > 31 => (parts[0], parts[1], parts[2]),
            ('.', _) | (_, TimeOrder::DayFirst) => (parts[2], parts[1], parts[0]),
            _ => (parts[2], parts[0], parts[1]),
        };
        let small = |number: u16| i8::try_from(number).ok();
        let date = Date::new(i16::try_from(year).ok()?, small(month)?, small(day)?).ok()?;
        let rest = text
            .trim()
            .split_once(['T', ' '])
            .map_or("", |(_, rest)| rest);
        let clock: String = rest
            .trim_start()
            .chars()
            .take_while(|next| next.is_ascii_digit() || *next == ':')
            .collect();
        let mut numbers = clock.split(':').map(|number| number.parse::<i8>().ok());
        let mut next = || numbers.next().unwrap_or(Some(0));
        let (hour, minute, second) = match clock.is_empty() {
            true => (0, 0, 0),
            false => (next()?, next()?, next()?),
        };
        let half = rest.to_ascii_uppercase();
        let hour = match hour {
            12 if half.contains("AM") => 0,
            hour if half.contains("PM") && hour < 12 => hour + 12,
            hour => hour,
        };
        DateTime::new(
            date.year(),
            date.month(),
            date.day(),
            hour,
            minute,
            second,
            0,
        )
        .ok()
    }
}

/// The three numbers of a date and what stands between them.
fn parts(text: &str) -> Option<([u16; 3], char)> {
    let date = text.trim().split(['T', ' ']).next()?;
    let separator = date.chars().find(|next| !next.is_ascii_digit())?;
    if !['-', '/', '.'].contains(&separator) {
        return None;
    }
    let mut numbers = date
        .split(separator)
        .map(|number| number.parse::<u16>().ok());
    let parts = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some((parts, separator))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn times(column: &[&str]) -> Result<Times, SubmissionError> {
        let mut seen = Seen::default();
        column.iter().for_each(|time| seen.look(time));
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
