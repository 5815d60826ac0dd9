//! Whose deck counts.

use crate::about::{About, AboutError, Late};
use crate::event::DESK;
use crate::record::{EntryId, PlayerId, Whose, Why};
use crate::roster::{Entry, Roster};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// What is known of when an entry came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// At this moment.
    At(Timestamp),
    /// Nobody says it.
    Unsaid,
}

/// Whether an entry came in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Came {
    /// It did, or there is no deadline.
    InTime,
    /// It came after the deadline.
    Late,
    /// Its time is not known, and there is a deadline: an organiser must say it.
    Unknown,
}

/// What a player's deck is to the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// This entry counts.
    Counts(EntryId),
    /// Only late decks came, this one last; an organiser may let it count.
    Late(EntryId),
    /// There are decks, and an organiser let none of them count.
    Out(EntryId),
    /// There is no deck.
    Missing,
}

impl Counting {
    /// The entry that it is about.
    pub fn entry(self) -> Option<EntryId> {
        match self {
            Counting::Counts(entry) | Counting::Late(entry) | Counting::Out(entry) => Some(entry),
            Counting::Missing => None,
        }
    }

    /// The entry that counts.
    pub fn counts(self) -> Option<EntryId> {
        match self {
            Counting::Counts(entry) => Some(entry),
            _ => None,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Counting::Counts(_) => "counts",
            Counting::Late(_) => "late",
            Counting::Out(_) => "out",
            Counting::Missing => "missing",
        }
    }
}

/// Whose deck counts, and what is open.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Of each player what their deck is.
    pub players: BTreeMap<PlayerId, Counting>,
    /// Late entries of players of whom another one counts: the last of each.
    pub beside: BTreeMap<PlayerId, EntryId>,
    /// The entries of each player that another one stands in the place of.
    pub replaced: BTreeMap<PlayerId, Vec<EntryId>>,
    /// The entries of each player, in the order of their times.
    pub entries: BTreeMap<PlayerId, Vec<EntryId>>,
    /// Entries of which an organiser must say whose they are or when they came.
    pub asked: Vec<(EntryId, Why)>,
    due: Option<Timestamp>,
    clock: Option<TimeZone>,
}

impl Standing {
    /// What the records of an event come to.
    ///
    /// # Errors
    /// An `event.yaml` whose times are none.
    pub fn of(about: &About, roster: &Roster) -> Result<Standing, AboutError> {
        let due = about.due()?;
        let mut standing = Standing {
            due,
            clock: Some(about.clock()?),
            ..Standing::default()
        };
        let by = roster.entries_by_player();
        for player in roster.present() {
            let own = by.get(&player.id).map(Vec::as_slice).unwrap_or_default();
            let own: Vec<&Entry> = own.to_vec();
            standing.decide(player.id, own, about.late);
        }
        for entry in roster.entries.values() {
            if let Whose::Asked(question) = &entry.whose
                && entry.counts != Some(false)
            {
                standing.asked.push((entry.id, question.why));
            }
        }
        standing.asked.sort_by_key(|(entry, _)| *entry);
        Ok(standing)
    }

    /// When an entry came, as clocks at the event show it.
    pub fn local(&self, entry: &Entry) -> Option<DateTime> {
        let clock = self.clock.clone()?;
        Some(entry.at?.to_zoned(clock).datetime())
    }

    /// Whether an entry came in time.
    pub fn came(&self, entry: &Entry) -> Came {
        match (entry.in_time, self.due, entry.at) {
            (Some(true), ..) | (None, None, _) => Came::InTime,
            (Some(false), ..) => Came::Late,
            (None, Some(due), Some(at)) if at <= due => Came::InTime,
            (None, Some(_), Some(_)) => Came::Late,
            (None, Some(_), None) => Came::Unknown,
        }
    }

    /// Decides which of a player's entries counts: the one that an organiser chose, or else the
    /// last that came in time.
    fn decide(&mut self, player: PlayerId, own: Vec<&Entry>, late: Late) {
        // By their times; those without one stand before all others, as they came. Those of the
        // desk came one after the other, whatever its clock said: it may have been set back.
        let mut last = None;
        let timed = own.into_iter().map(|entry| {
            if entry.source != DESK {
                return (entry.at, entry);
            }
            last = last.max(entry.at);
            (last, entry)
        });
        let mut timed: Vec<(Option<Timestamp>, &Entry)> = timed.collect();
        timed.sort_by_key(|(at, entry)| (*at, entry.id));
        let own: Vec<&Entry> = timed.into_iter().map(|(_, entry)| entry).collect();
        if !own.is_empty() {
            let all = own.iter().map(|entry| entry.id).collect();
            self.entries.insert(player, all);
        }
        for entry in &own {
            if self.came(entry) == Came::Unknown && entry.counts.is_none() {
                self.asked.push((entry.id, Why::Time));
            }
        }
        let open = |entry: &&&Entry| entry.counts != Some(false);
        let last = |came: &dyn Fn(Came) -> bool| {
            let mut found = own.iter().filter(open).rev();
            found
                .find(|entry| came(self.came(entry)))
                .map(|entry| entry.id)
        };
        let chosen = own.iter().find(|entry| entry.counts == Some(true));
        let in_time = last(&|came| came == Came::InTime);
        let after = last(&|came| came == Came::Late);
        let counting = match (chosen, late) {
            (Some(chosen), _) => Counting::Counts(chosen.id),
            (None, Late::Last) => match last(&|came| came != Came::Unknown) {
                Some(entry) => Counting::Counts(entry),
                None => none(&own),
            },
            (None, Late::Beside | Late::Refuse) => match (in_time, after) {
                (Some(entry), _) => Counting::Counts(entry),
                (None, Some(entry)) => Counting::Late(entry),
                (None, None) => none(&own),
            },
        };
        self.players.insert(player, counting);
        let mut rest: Vec<EntryId> = own.iter().map(|entry| entry.id).collect();
        rest.retain(|entry| counting.entry() != Some(*entry));
        if let (Some(after), Counting::Counts(entry)) = (after, counting)
            && entry != after
            && own.iter().position(|one| one.id == after)
                > own.iter().position(|one| one.id == entry)
        {
            self.beside.insert(player, after);
            rest.retain(|entry| *entry != after);
        }
        if !rest.is_empty() {
            rest.sort_unstable();
            self.replaced.insert(player, rest);
        }
    }

    /// The entries that count, with their players.
    pub fn counting(&self) -> impl Iterator<Item = (PlayerId, EntryId)> {
        let each = self.players.iter();
        each.filter_map(|(player, counting)| Some((*player, counting.counts()?)))
    }
}

/// What a player without any deck that may count is: entries of unknown times count for nobody.
fn none(own: &[&Entry]) -> Counting {
    match own.iter().rev().find(|entry| entry.counts == Some(false)) {
        Some(entry) => Counting::Out(entry.id),
        None => Counting::Missing,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::{Fact, Happening, Personal};

    /// Which of the decks counts that one player handed in at the desk, by the clock of each.
    fn counts(late: Late, clock: &[&str]) -> Option<usize> {
        let about = About::read("name: X\ndeadline: 2026-03-01T18:00\n").unwrap();
        let about = About { late, ..about };
        let mut roster = Roster::default();
        let player = PlayerId(1);
        let add = |roster: &mut Roster, fact| {
            let happening = Happening {
                fact,
                personal: Personal::default(),
                deck: None,
            };
            roster.add(happening, "player", "2026-03-01T00:00:00.000Z");
        };
        let fact = Fact::Player {
            player,
            expected: true,
        };
        add(&mut roster, fact);
        for (entry, at) in (1..).map(EntryId).zip(clock) {
            let fact = Fact::Entry {
                entry,
                source: "desk".to_owned(),
                row: None,
                at: Some((*at).to_owned()),
                whose: Whose::Player(player),
                mark: entry.to_string(),
            };
            add(&mut roster, fact);
        }
        let standing = Standing::of(&about, &roster).unwrap();
        let counting = standing.players.get(&player)?.counts()?;
        (1..=clock.len())
            .zip(1..)
            .find_map(|(at, id)| (EntryId(id) == counting).then_some(at))
    }

    #[test]
    fn a_clock_that_is_set_changes_no_order_at_the_desk_and_shuts_nobody_out() {
        let (morning, noon) = ("2026-03-01T09:00:00.000Z", "2026-03-01T12:00:00.000Z");
        let (late, far) = ("2026-03-01T19:00:00.000Z", "2126-01-01T00:00:00.000Z");
        for rule in [Late::Beside, Late::Refuse, Late::Last] {
            // Set back between two decks: the second is the one that the player wants.
            assert_eq!(counts(rule, &[noon, morning]), Some(2));
            assert_eq!(counts(rule, &[morning, noon]), Some(2));
            // A century ahead for a while: what comes when it is right again is in time, and last.
            assert_eq!(counts(rule, &[morning, far, noon]), Some(3));
            assert_eq!(counts(rule, &[far, noon]), Some(2));
        }
        assert_eq!(counts(Late::Beside, &[noon, late]), Some(1));
        assert_eq!(counts(Late::Last, &[noon, late]), Some(2));
    }
}
