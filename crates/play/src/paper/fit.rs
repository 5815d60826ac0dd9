//! Lines of text in the room that marks leave them.

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

/// A line that has its place: a text and the room it stands in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) top: f32,
}

/// The room for lines: an area, and what stands in it already.
pub(super) struct Room<'s, 'f> {
    pub(super) shaper: &'s Shaper<'f>,
    pub(super) area: Area,
    pub(super) taken: Vec<Area>,
}

/// Less of the room's width than this is no place for a line.
const NARROWEST: f32 = 0.45;
/// How far down the next try for a line is, in points.
const STEP: f32 = 1.0;

impl Room<'_, '_> {
    /// The first place at or below `top` for a line so high: its top, and from where to where
    /// it goes. `None`: there is none.
    pub(super) fn free(&self, top: f32, height: f32) -> Option<(f32, f32, f32)> {
        let mut top = top.max(self.area.top);
        while top + height <= self.area.bottom + 0.01 {
            let (mut left, mut right) = (self.area.left, self.area.right);
            let (middle, _) = self.area.middle();
            for taken in &self.taken {
                if taken.bottom <= top || taken.top >= top + height {
                    continue;
                }
                if taken.right < middle {
                    left = left.max(taken.right);
                } else if taken.left > middle {
                    right = right.min(taken.left);
                } else {
                    right = left;
                }
            }
            if right - left >= NARROWEST * self.area.width() {
                return Some((top, left, right));
            }
            top += STEP;
        }
        None
    }

    /// The room from the left edge, or from what stands in the corner there, up to whatever
    /// stands next on a line: from where to where.
    pub(super) fn first_gap(&self, top: f32, height: f32) -> (f32, f32) {
        let (mut left, mut right) = (self.area.left, self.area.right);
        let on_line = |taken: &&Area| taken.bottom > top && taken.top < top + height;
        let mut taken: Vec<&Area> = self.taken.iter().filter(on_line).collect();
        taken.sort_by(|one, other| one.left.total_cmp(&other.left));
        for taken in taken {
            if taken.left > left {
                right = right.min(taken.left);
                break;
            }
            left = left.max(taken.right);
        }
        (left, right)
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
            let Some((at, left, right)) = self.free(top, letters.leading()) else {
                words.reverse();
                return (lines, words);
            };
            let most = (right - left) / letters.size;
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
            lines.push(Placed {
                text: line,
                left,
                right,
                top: at,
            });
            top = at + letters.leading();
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
