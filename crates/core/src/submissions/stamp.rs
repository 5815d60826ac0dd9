//! A time as a form writes it, taken apart: all of it is understood, or it is none.

/// The furthest that a zone is from UTC, in minutes.
const FURTHEST: i16 = 18 * 60;

/// A time as it is written, its date not yet put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) date: [u16; 3],
    pub(super) separator: char,
    /// Hour, minute and second.
    pub(super) clock: [i8; 3],
    /// Whether a clock stands there at all, and not a date alone.
    pub(super) timed: bool,
    /// Minutes east of UTC.
    pub(super) zone: Option<i16>,
}

impl Stamp {
    /// Takes a time apart; `None`: it is none, or not all of it is understood.
    pub(super) fn read(text: &str) -> Option<Stamp> {
        let text = text.trim();
        let (date, rest) = match text.find(['T', ' ', ',', '\u{a0}', '\u{202f}']) {
            Some(end) => (&text[..end], text[end..].trim_start_matches(['T', ','])),
            None => (text, ""),
        };
        let separator = date.chars().find(|next| !next.is_ascii_digit())?;
        if !['-', '/', '.'].contains(&separator) {
            return None;
        }
        let mut numbers = date.split(separator).map(whole);
        let date = [numbers.next()??, numbers.next()??, numbers.next()??];
        if numbers.next().is_some() {
            return None;
        }
        let rest = rest.trim_start();
        let end = rest.find(|next: char| !next.is_ascii_digit() && next != ':');
        let (clock, after) = rest.split_at(end.unwrap_or(rest.len()));
        let mut clock_of = [0; 3];
        if clock.is_empty() {
            // A date alone: nothing may stand behind it.
            return after.is_empty().then_some(Stamp {
                date,
                separator,
                clock: clock_of,
                timed: false,
                zone: None,
            });
        }
        let mut parts = clock.split(':');
        for number in &mut clock_of {
            match parts.next() {
                Some(part) => *number = whole(part).and_then(|part| i8::try_from(part).ok())?,
                None => break,
            }
        }
        if parts.next().is_some() || !clock.contains(':') {
            return None;
        }
        let after = without_fraction(after)?;
        let (half, after) = half_of_day(after);
        clock_of[0] = match (half, clock_of[0]) {
            (None, hour) => hour,
            (Some(_), hour) if !(1..=12).contains(&hour) => return None,
            (Some(Half::Am), 12) => 0,
            (Some(Half::Pm), hour) if hour < 12 => hour + 12,
            (Some(_), hour) => hour,
        };
        let zone = match after.trim() {
            "" => None,
            zone => Some(offset(zone)?),
        };
        Some(Stamp {
            date,
            separator,
            clock: clock_of,
            timed: true,
            zone,
        })
    }
}

/// Digits alone, as a number.
fn whole(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// What stands behind a fraction of a second; `None`: it has no digits.
fn without_fraction(text: &str) -> Option<&str> {
    let Some(fraction) = text.strip_prefix(['.', ',']) else {
        return Some(text);
    };
    // `6:04 p.m.` has its dots elsewhere.
    let rest = fraction.trim_start_matches(|next: char| next.is_ascii_digit());
    (rest.len() < fraction.len()).then_some(rest)
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
        for none in [
            "+",
            "1",
            "CST",
            "+2:0",
            "+1:60",
            "+123",
            "Europe/Berlin",
            "é+1",
        ] {
            assert_eq!(offset(none), None, "{none}");
        }
    }
}
