//! The parts of a time in a form: all of it is understood, or none.

use jiff::civil::Time;

/// The furthest that a zone is from UTC, in minutes.
const FURTHEST: i16 = 18 * 60;

/// A time of a form, its date as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp<'t> {
    pub(super) date: &'t str,
    /// The time of day; `None`: the date is alone.
    pub(super) clock: Option<Clock>,
    /// Minutes east of UTC.
    pub(super) zone: Option<i16>,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) time: Time,
    /// Whether it is `24:00`, the first moment of the next day.
    pub(super) is_next_day: bool,
}

impl<'t> Stamp<'t> {
    /// Splits a time; `None`: part of it is not understood.
    pub(super) fn read(text: &'t str) -> Option<Stamp<'t>> {
        let text = text.trim();
        let end = text.find(['T', ' ', ',', '\u{a0}', '\u{202f}']);
        let (date, rest) = text.split_at(end.unwrap_or(text.len()));
        let rest = rest.trim_start_matches(['T', ',']).trim_start();
        if rest.is_empty() {
            let (clock, zone) = (None, None);
            return Some(Stamp { date, clock, zone });
        }
        // The marks of a fraction of a second are followed by digits, those of `p.m.` are not.
        let is_clock = |at: usize, letter: char| match letter {
            '.' | ',' => rest[at + 1..].starts_with(|next: char| next.is_ascii_digit()),
            other => other.is_ascii_digit() || other == ':',
        };
        let end = rest.char_indices().find(|(at, letter)| !is_clock(*at, *letter));
        let end = end.map_or(rest.len(), |(at, _)| at);
        let (clock, after) = rest.split_at(end);
        let (half, zone) = half_of_day(after);
        let clock = Some(Clock::read(&clock.replace(',', "."), half)?);
        let zone = match zone.trim() {
            "" => None,
            zone => Some(offset(zone)?),
        };
        Some(Stamp { date, clock, zone })
    }
}

impl Clock {
    fn read(text: &str, half: Option<Half>) -> Option<Clock> {
        if half.is_none() && ["24:00", "24:00:00"].contains(&text) {
            let time = Time::midnight();
            return Some(Clock { time, is_next_day: true });
        }
        let (text, patterns) = match half {
            None => (text.to_owned(), ["%H:%M:%S%.f", "%H:%M"]),
            Some(Half::Am) => (format!("{text} AM"), ["%I:%M:%S%.f %p", "%I:%M %p"]),
            Some(Half::Pm) => (format!("{text} PM"), ["%I:%M:%S%.f %p", "%I:%M %p"]),
        };
        let mut times = patterns.iter();
        let time = times.find_map(|pattern| Time::strptime(pattern, &text).ok())?;
        let time = time.with().subsec_nanosecond(0).build().ok()?;
        Some(Clock { time, is_next_day: false })
    }
}

/// Digits alone, as a number.
fn whole(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[derive(Debug, Clone, Copy)]
enum Half {
    Am,
    Pm,
}

/// Words for the halves of a day, as the forms of Google and Microsoft write them in English,
/// German, Spanish, Portuguese, Italian, Dutch, French and Polish. Points and white space in them
/// do not matter.
const HALVES: [(&str, Half); 12] = [
    ("am", Half::Am),
    ("pm", Half::Pm),
    ("vorm", Half::Am),
    ("nachm", Half::Pm),
    ("vormittags", Half::Am),
    ("nachmittags", Half::Pm),
    ("damanhã", Half::Am),
    ("datarde", Half::Pm),
    ("rano", Half::Am),
    ("popołudniu", Half::Pm),
    ("dumatin", Half::Am),
    ("del'aprèsmidi", Half::Pm),
];

/// Takes AM or PM, in words of its own, from the front: the longest that is one.
fn half_of_day(text: &str) -> (Option<Half>, &str) {
    let text = text.trim_start();
    let spaces = text.char_indices();
    let spaces = spaces.filter(|(_, letter)| letter.is_whitespace());
    let ends = spaces.map(|(at, _)| at).chain([text.len()]);
    let mut found = ends.rev().filter_map(|end| {
        let said: String = text[..end]
            .chars()
            .filter(|letter| !letter.is_whitespace() && *letter != '.')
            .flat_map(char::to_lowercase)
            .collect();
        let (_, half) = HALVES.iter().find(|(word, _)| *word == said)?;
        Some((Some(*half), &text[end..]))
    });
    found.next().unwrap_or((None, text))
}

/// Zones by their letters, as exports of forms name them, and their minutes east of UTC: those
/// that no two countries use in two meanings.
const ZONES: [(&str, i16); 20] = [
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("MEZ", 60),
    ("CEST", 120),
    ("MESZ", 120),
    ("EET", 120),
    ("OEZ", 120),
    ("EEST", 180),
    ("OESZ", 180),
    ("MSK", 180),
    ("BRT", -180),
    ("EDT", -240),
    ("EST", -300),
    ("CDT", -300),
    ("MDT", -360),
    ("MST", -420),
    ("PDT", -420),
    ("PST", -480),
];

/// The minutes east of UTC of `Z`, `+02:00`, `+0200`, `GMT+1` and the like.
pub(super) fn offset(text: &str) -> Option<i16> {
    let upper = text.to_ascii_uppercase();
    let upper = match upper.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None => &upper,
    };
    if let Some((_, east)) = ZONES.iter().find(|(name, _)| *name == upper) {
        return Some(*east);
    }
    let named = ["GMT", "UTC", "Z"];
    let named = named.iter().find_map(|name| upper.strip_prefix(name));
    let signed = match named {
        Some("") => return Some(0),
        Some(rest) => rest.trim_start(),
        None => upper,
    };
    let (east, digits) = match signed.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-" | "\u{2212}", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) if minutes.len() == 2 => (hours, minutes),
        Some(_) => return None,
        None if digits.len() == 4 => digits.split_at(2),
        None => (digits, "0"),
    };
    if hours.len() > 2 {
        return None;
    }
    let (hours, minutes) = (whole(hours)?, whole(minutes)?);
    let minutes = Some(minutes).filter(|minutes| *minutes < 60)?;
    let all = i16::try_from(hours * 60 + minutes).ok()?;
    (all <= FURTHEST).then_some(east * all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_minutes_east_of_greenwich() {
        for (text, east) in [
            ("Z", 0),
            ("UTC", 0),
            ("GMT+1", 60),
            ("gmt-7", -420),
            ("UTC+05:30", 330),
            ("+0200", 120),
            ("-03", -180),
            ("(GMT+2)", 120),
        ] {
            assert_eq!(offset(text), Some(east), "{text}");
        }
        for none in ["+", "1", "CST", "+2:0", "+1:60", "+123", "Europe/Berlin", "é+1"] {
            assert_eq!(offset(none), None, "{none}");
        }
    }
}
