//! Lines of text in the room that there is.

use super::fonts::{Shaper, Weight};

/// A rectangle in points, from the card's upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

impl Area {
    pub(super) fn width(self) -> f32 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f32 {
        self.bottom - self.top
    }

    pub(super) fn middle(self) -> (f32, f32) {
        (
            f32::midpoint(self.left, self.right),
            f32::midpoint(self.top, self.bottom),
        )
    }

    /// The same with some more room on every side; less where it is negative.
    pub(super) fn wider(self, by: f32) -> Area {
        Area {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }
}

/// Letters of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Letters {
    pub(super) weight: Weight,
    /// Their size in points.
    pub(super) size: f32,
}

impl Letters {
    /// From one line to the next, in points.
    pub(super) fn leading(self) -> f32 {
        self.size * 1.24
    }
}

/// A line that has its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) text: String,
    pub(super) top: f32,
}

/// The room for lines.
pub(super) struct Room<'s, 'f> {
    pub(super) shaper: &'s Shaper<'f>,
    pub(super) area: Area,
}

impl Room<'_, '_> {
    /// Whether there is room at `top` for something so high.
    pub(super) fn holds(&self, top: f32, height: f32) -> bool {
        top + height <= self.area.bottom + 0.01
    }

    /// A paragraph in lines from `top` on. Gives the lines, and the words that have no room.
    pub(super) fn paragraph(
        &self,
        text: &str,
        letters: Letters,
        mut top: f32,
    ) -> (Vec<Placed>, Vec<String>) {
        let mut lines = Vec::new();
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.reverse();
        while !words.is_empty() {
            if !self.holds(top, letters.leading()) {
                words.reverse();
                return (lines, words);
            }
            let most = self.area.width() / letters.size;
            let mut line = String::new();
            while let Some(word) = words.pop() {
                let longer = match line.is_empty() {
                    true => word.clone(),
                    false => format!("{line} {word}"),
                };
                if self.shaper.width(&longer, letters.weight) <= most {
                    line = longer;
                    continue;
                }
                if line.is_empty() {
                    // A word wider than the room: as much of it as goes, one letter at least.
                    let (start, rest) = self.broken(&word, letters.weight, most);
                    line = start;
                    words.extend(rest);
                } else {
                    words.push(word);
                }
                break;
            }
            lines.push(Placed { text: line, top });
            top += letters.leading();
        }
        (lines, Vec::new())
    }

    /// A word's beginning that is so wide at most, and the rest of it.
    fn broken(&self, word: &str, weight: Weight, most: f32) -> (String, Option<String>) {
        let mut end = 0;
        for (at, letter) in word.char_indices() {
            let next = at + letter.len_utf8();
            if end > 0 && self.shaper.width(&word[..next], weight) > most {
                break;
            }
            end = next;
        }
        let (start, rest) = word.split_at(end);
        let rest = Some(rest).filter(|rest| !rest.is_empty());
        (start.to_owned(), rest.map(str::to_owned))
    }
}
