//! Sets that come and go.

use super::Date;
use decklaw_cards::pool::{NameField, Pool};
use decklaw_text::name::fold;
use decklaw_text::text::Span;
use decklaw_text::yaml::Spanned;

/// Which sets may be played, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// The field of the game's cards that names their sets.
    pub field: Spanned<String>,
    /// The field whose values make several cards one; each is in while another is.
    pub by: Option<Spanned<String>>,
    /// The sets that may be played, in the order of the file.
    pub sets: Vec<DatedSet>,
    /// Whether sets that are not named may be played.
    pub others: bool,
}

/// A set and its days. One that is listed twice has both spans of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedSet {
    /// What the cards' field calls it.
    pub name: String,
    /// The first day on which its cards may be played.
    pub from: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
    /// The line of the list, from 1.
    pub line: usize,
    /// The name's bytes in the list.
    pub span: Span,
}

impl DatedSet {
    /// Whether its cards may be played on a day.
    pub fn covers(&self, day: Date) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day <= until)
    }

    /// Its days, in words; empty where it has neither end.
    pub fn days(&self) -> String {
        match (self.from, self.until) {
            (Some(from), Some(until)) => format!("from {from} until {until}"),
            (Some(from), None) => format!("from {from}"),
            (None, Some(until)) => format!("until {until}"),
            (None, None) => String::new(),
        }
    }
}

impl Rotation {
    /// The same with the names of its sets as the cards of a pool have them.
    pub fn of_pool(&self, pool: &Pool) -> Rotation {
        let mut rotation = self.clone();
        for set in &mut rotation.sets {
            let found = pool.look_up(&set.name, NameField::Title(&self.field.value));
            if let Some(name) = found.name(pool).filter(|_| found.is_loose()) {
                set.name = name.to_owned();
            }
        }
        rotation
    }

    /// The entries of a set.
    pub fn of<'r>(&'r self, set: &str) -> impl Iterator<Item = &'r DatedSet> {
        let folded = fold(set).into_owned();
        self.sets.iter().filter(move |known| fold(&known.name) == folded)
    }

    /// Whether cards of a set may be played on a day.
    pub fn allows(&self, set: &str, day: Date) -> bool {
        let mut known = self.of(set).peekable();
        match known.peek() {
            None => self.others,
            Some(_) => known.any(|set| set.covers(day)),
        }
    }

    /// Why cards of a set may not be played on a day, a clause; `None`: they may.
    pub fn against(&self, set: &str, day: Date) -> Option<String> {
        if self.allows(set, day) {
            return None;
        }
        let known: Vec<&DatedSet> = self.of(set).collect();
        let set = known.first().map_or(set, |known| known.name.as_str());
        let next = known.iter().filter_map(|set| set.from.filter(|from| *from > day)).min();
        let last = known.iter().filter_map(|set| set.until.filter(|until| *until < day)).max();
        Some(match (last, next) {
            (_, Some(next)) => format!("{set} comes on {next}"),
            (Some(last), None) => format!("{set} was last legal on {last}"),
            (None, None) => format!("{set} is not among the sets that may be played"),
        })
    }
}
