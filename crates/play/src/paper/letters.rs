//! How wide a text is, by the metrics of the built-in fonts (`fonts/README.md`).

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    /// The number of it in CSS.
    pub(super) fn css(self) -> u16 {
        match self {
            Weight::Regular => 400,
            Weight::Bold => 700,
        }
    }
}

/// A byte a letter, in 1/200 of the letters' size: regular, then bold.
const WIDTHS: &[u8] = include_bytes!("fonts/widths.bin");
/// The letters in it.
const KNOWN: [(u32, u32); 2] = [(0x20, 0x24f), (0x370, 0x52f)];

/// A text's width as one line, in parts of the letters' size.
pub(super) fn width(text: &str, weight: Weight) -> f64 {
    text.chars().map(|letter| of_letter(letter, weight)).sum()
}

fn of_letter(letter: char, weight: Weight) -> f64 {
    let code = u32::from(letter);
    let mut at = match weight {
        Weight::Regular => 0,
        Weight::Bold => WIDTHS.len() / 2,
    };
    for (first, last) in KNOWN {
        if (first..=last).contains(&code) {
            at += (code - first) as usize;
            return WIDTHS.get(at).map_or(0.6, |width| f64::from(*width) / 200.0);
        }
        at += (last - first + 1) as usize;
    }
    match letter {
        _ if letter.is_control() || unicode_normalization::char::is_combining_mark(letter) => 0.0,
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => 0.0,
        '\u{2018}'..='\u{201f}' => 0.45,
        // Generous, so that no line of another script runs out of its room.
        '\u{1100}'.. => 1.0,
        _ => 0.75,
    }
}

/// Lines of a text in a room, in letters of a size.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lines {
    pub(super) lines: Vec<String>,
    pub(super) size: f64,
}

impl Lines {
    /// Breaks a text between words, and within a word that is wider than the room.
    pub(super) fn wrap(text: &str, room: f64, size: f64, weight: Weight) -> Lines {
        let fits = |text: &str| width(text, weight) * size <= room;
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let mut line = lines.pop().unwrap_or_default();
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if fits(&longer) {
                lines.push(longer);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for letter in word.chars() {
                if !line.is_empty() && !fits(&format!("{line}{letter}")) {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
            lines.push(line);
        }
        lines.retain(|line| !line.is_empty());
        Lines { lines, size }
    }
}

/// The largest size, from the first down to the second, at which a text is one line in a room.
pub(super) fn fit(
    text: &str,
    room: f64,
    (largest, least): (f64, f64),
    weight: Weight,
) -> Option<f64> {
    let wide = width(text, weight);
    steps(largest, least).find(|size| wide * size <= room)
}

/// Sizes from the first down to the second.
pub(super) fn steps(largest: f64, least: f64) -> impl Iterator<Item = f64> {
    let number = ((largest - least) / 0.5).round() as u32;
    (0..=number).map(move |step| largest - 0.5 * f64::from(step))
}

/// A text cut short, with an ellipsis, so that it is one line in a room. Gives what is left out.
pub(super) fn cut(text: &str, room: f64, size: f64, weight: Weight) -> (String, String) {
    let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    while let Some(end) = ends.pop() {
        let (start, rest) = text.split_at(end);
        let shown = format!("{}…", start.trim_end());
        if width(&shown, weight) * size <= room {
            return (shown, rest.to_owned());
        }
    }
    ("…".to_owned(), text.to_owned())
}
