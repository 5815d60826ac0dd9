//! A deck in text with other numbers of copies: comments, order, headings and spelling stay.

mod text;

use super::{CardLine, Deck};
use crate::pool::Pool;
use std::collections::BTreeMap;
use std::ops::Range;

/// A card whose copies in a section change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment<'a> {
    /// The section's id.
    pub section: &'a str,
    /// The card's name, for a line that must be added.
    pub name: &'a str,
    /// Copies in all, all lines of the card in the section together.
    pub copies: u32,
}

/// Writes a deck in text again with other numbers of copies. `source` is what `deck` was read
/// from, less a byte order mark; `card` tells which card a name means, and `pool` has the cards
/// where they are known.
///
/// More copies go to the card's last line in the section, or to a new line below the
/// section's last card, in a [group](super::Group) that it fits if there are groups; a section that is not there yet is added at the end. Copies are taken
/// from the last lines first; a line without copies is taken out.
///
/// The caller must read the result again: that it is the deck that was meant is likely, and not
/// proven.
pub fn amend<K: Ord>(
    source: &str,
    deck: &Deck<'_>,
    amendments: &[Amendment<'_>],
    card: impl Fn(&str) -> K,
    pool: Option<&Pool>,
) -> String {
    text::amend(source, deck, &steps(deck, amendments, card), pool)
}

/// One change of a file.
#[derive(Debug)]
enum Step<'a> {
    /// The deck's line of this index gets other copies.
    Count(usize, u64),
    /// The deck's line of this index goes.
    Remove(usize),
    /// A card that the section does not have yet.
    Add {
        section: &'a str,
        copies: u64,
        name: String,
    },
}

/// What amendments come to, line by line.
fn steps<'a, K: Ord>(
    deck: &Deck<'_>,
    amendments: &[Amendment<'a>],
    card: impl Fn(&str) -> K,
) -> Vec<Step<'a>> {
    let mut written: BTreeMap<(&str, K), Vec<(usize, &CardLine<'_>)>> = BTreeMap::new();
    for (at, line) in deck.lines.iter().enumerate() {
        let section = &*deck.sections[usize::from(line.section)].id;
        let lines = written.entry((section, card(&line.name))).or_default();
        lines.push((at, line));
    }
    let mut steps = Vec::new();
    for amendment in amendments {
        let own = written.get(&(amendment.section, card(amendment.name)));
        let own = own.map_or(&[][..], Vec::as_slice);
        let held: u64 = own.iter().map(|(_, line)| u64::from(line.count)).sum();
        let wanted = u64::from(amendment.copies);
        if wanted > held {
            let more = wanted - held;
            steps.push(match own.last() {
                Some((at, last)) => Step::Count(*at, u64::from(last.count) + more),
                None => Step::Add {
                    section: amendment.section,
                    copies: more,
                    name: crate::name::tidy(amendment.name).into_owned(),
                },
            });
        }
        let mut fewer = held.saturating_sub(wanted);
        for (at, line) in own.iter().rev() {
            let taken = fewer.min(u64::from(line.count));
            if taken == 0 {
                break;
            }
            fewer -= taken;
            steps.push(match u64::from(line.count) - taken {
                0 => Step::Remove(*at),
                left => Step::Count(*at, left),
            });
        }
    }
    steps
}

/// A stretch of the source and what stands there afterwards.
type Edit = (Range<usize>, String);

/// The source with its edits. Of stretches that begin at one place, the shorter comes first.
fn patched(source: &str, mut edits: Vec<Edit>) -> String {
    // Stable, so that lines added at one place stay in order.
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(source.len() + 64);
    let mut at = 0;
    for (range, text) in edits {
        out.push_str(&source[at..range.start.max(at)]);
        out.push_str(&text);
        at = range.end.max(at);
    }
    out.push_str(&source[at..]);
    out
}

/// How the file ends its lines.
fn newline(source: &str) -> &'static str {
    if source.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    }
}

/// The line around a place, its end included.
fn whole_line(source: &str, at: usize) -> Range<usize> {
    let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = source[at..]
        .find('\n')
        .map_or(source.len(), |end| at + end + 1);
    start..end
}
