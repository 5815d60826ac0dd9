//! Whose deck counts, and what is open: a pure function of an event.

use crate::about::{About, Late};
use crate::id::{EntryId, PlayerId};
use crate::identity::PlayerMatch;
use crate::roster::{AmbiguityReason, DESK, Entry, Player, Roster};
use decklaw_text::Problem;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// Whether an entry came in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// It did, or there is no deadline.
    InTime,
    /// It came after the deadline.
    Late,
    /// Its time is not known and there is a deadline.
    Unknown,
}

/// What a player's deck is to the event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Counting {
    /// This entry counts.
    Counts(EntryId),
    /// Only late decks came, this one last.
    Late(EntryId),
    /// An organiser excluded every deck, this one last.
    Out(EntryId),
    /// The player takes no part; this deck came last.
    Withdrawn(Option<EntryId>),
    /// There is no deck.
    #[default]
    Missing,
}

impl Counting {
    /// The entry that it is about.
    pub fn entry(self) -> Option<EntryId> {
        match self {
            Counting::Counts(entry) | Counting::Late(entry) | Counting::Out(entry) => Some(entry),
            Counting::Withdrawn(entry) => entry,
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
            Counting::Withdrawn(_) => "withdrawn",
            Counting::Missing => "missing",
        }
    }
}

/// The standing of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct PlayerStanding {
    pub counting: Counting,
    /// A late entry next to the one that counts, until an organiser has chosen between them.
    pub beside: Option<EntryId>,
    pub replaced: Vec<EntryId>,
    pub entries: Vec<EntryId>,
    /// Whether there are several entries, and the time of one of them is known.
    pub is_timed: bool,
}

/// What an organiser must answer about an entry, with the likeliest answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Question {
    pub entry: EntryId,
    pub reason: AmbiguityReason,
    /// Whose it most likely is; `None`: a new player, or the question is about the time.
    pub likely: Option<PlayerId>,
    pub others: Vec<PlayerId>,
}

/// Whose deck counts, and what is open.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Every player who is present.
    pub players: BTreeMap<PlayerId, PlayerStanding>,
    /// What an organiser must answer, in the order of the entries.
    pub questions: Vec<Question>,
    due: Option<Timestamp>,
    zone: Option<TimeZone>,
}

impl Standing {
    /// The standing of an event.
    ///
    /// # Errors
    /// Times in `event.yaml` that are not times.
    pub fn of(about: &About, roster: &Roster) -> Result<Standing, Problem> {
        let mut standing =
            Standing { due: about.due()?, zone: Some(about.clock()?), ..Standing::default() };
        let mut by_player = roster.entries_by_player();
        for player in roster.present() {
            let own = by_player.remove(&player.id).unwrap_or_default();
            standing.place(player, &own, about.late);
        }
        for entry in roster.entries.values() {
            if entry.player.is_none() && entry.counts != Some(false) {
                standing.questions.push(question(roster, entry));
            }
        }
        standing.questions.sort_by_key(|question| question.entry);
        Ok(standing)
    }

    /// When an entry came, as clocks at the event show it.
    pub fn local(&self, entry: &Entry) -> Option<DateTime> {
        self.local_time(entry.at?)
    }

    /// A time, as clocks at the event show it.
    pub fn local_time(&self, at: Timestamp) -> Option<DateTime> {
        Some(at.to_zoned(self.zone.clone()?).datetime())
    }

    /// Whether an entry came in time.
    pub fn arrival(&self, entry: &Entry) -> Arrival {
        match (entry.in_time, self.due, entry.at) {
            (Some(true), ..) | (None, None, _) => Arrival::InTime,
            (Some(false), ..) => Arrival::Late,
            (None, Some(due), Some(at)) if at <= due => Arrival::InTime,
            (None, Some(_), Some(_)) => Arrival::Late,
            (None, Some(_), None) => Arrival::Unknown,
        }
    }

    /// The standing of a player.
    pub fn player(&self, player: PlayerId) -> PlayerStanding {
        self.players.get(&player).cloned().unwrap_or_default()
    }

    /// The question about an entry.
    pub fn question(&self, entry: EntryId) -> Option<&Question> {
        // They are in the order of their entries.
        let at = self.questions.binary_search_by_key(&entry, |question| question.entry);
        self.questions.get(at.ok()?)
    }

    /// The entries that count, with their players.
    pub fn counting(&self) -> impl Iterator<Item = (PlayerId, EntryId)> {
        let each = self.players.iter();
        each.filter_map(|(player, own)| Some((*player, own.counting.counts()?)))
    }

    /// Decides which of a player's entries counts: the one that an organiser chose, or else the
    /// last that came in time.
    fn place(&mut self, player: &Player, own: &[&Entry], late: Late) {
        let own = in_order(own);
        for entry in own.iter().filter(|_| !player.withdrawn) {
            if self.arrival(entry) == Arrival::Unknown && entry.counts.is_none() {
                self.questions.push(Question {
                    entry: entry.id,
                    reason: AmbiguityReason::Time,
                    likely: None,
                    others: Vec::new(),
                });
            }
        }
        let last = |may: &dyn Fn(Arrival) -> bool| {
            let mut open = own.iter().rev().filter(|entry| entry.counts != Some(false));
            let found = open.find(|entry| may(self.arrival(entry)));
            found.map(|entry| entry.id)
        };
        let chosen = own.iter().find(|entry| entry.counts == Some(true));
        let after = last(&|arrival| arrival == Arrival::Late);
        let counts = match (chosen, late) {
            (Some(chosen), _) => Some(chosen.id),
            (None, Late::Last) => last(&|arrival| arrival != Arrival::Unknown),
            (None, Late::Beside | Late::Refuse) => last(&|arrival| arrival == Arrival::InTime),
        };
        let out = own.iter().rev().find(|entry| entry.counts == Some(false));
        let counting = match (counts, after, out) {
            _ if player.withdrawn => Counting::Withdrawn(own.last().map(|entry| entry.id)),
            (Some(entry), ..) => Counting::Counts(entry),
            (None, Some(entry), _) => Counting::Late(entry),
            (None, None, Some(entry)) => Counting::Out(entry.id),
            (None, None, None) => Counting::Missing,
        };
        let entries: Vec<EntryId> = own.iter().map(|entry| entry.id).collect();
        let at = |id: EntryId| entries.iter().position(|entry| *entry == id);
        let passed_over = own.iter().filter(|entry| entry.passed_over).map(|entry| entry.id);
        let passed_over: Vec<EntryId> = passed_over.collect();
        let beside = after.filter(|after| {
            let counts = counting.counts();
            !passed_over.contains(after) && counts.is_some_and(|counts| at(*after) > at(counts))
        });
        let mut replaced = entries.clone();
        replaced.retain(|entry| counting.entry() != Some(*entry) && beside != Some(*entry));
        replaced.sort_unstable();
        let is_timed = own.len() > 1 && own.iter().any(|entry| entry.at.is_some());
        let own = PlayerStanding { counting, beside, replaced, entries, is_timed };
        self.players.insert(player.id, own);
    }
}

/// Entries by their times; those without one come first, in the order in which they were stored.
fn in_order<'e>(own: &[&'e Entry]) -> Vec<&'e Entry> {
    // Hand-ins came one after the other, whatever the server's clock said: it may have been set
    // back.
    let mut last = None;
    let timed = own.iter().map(|entry| match entry.source.as_str() {
        DESK => {
            last = last.max(entry.at);
            (last, *entry)
        }
        _ => (entry.at, *entry),
    });
    let mut timed: Vec<(Option<Timestamp>, &Entry)> = timed.collect();
    timed.sort_by_key(|(at, entry)| (*at, entry.id));
    timed.into_iter().map(|(_, entry)| entry).collect()
}

/// The question about an entry without a player, by what is known now.
fn question(roster: &Roster, entry: &Entry) -> Question {
    let reason = entry.question.unwrap_or(AmbiguityReason::Nobody);
    let (likely, others) = match roster.whose(&entry.person()) {
        PlayerMatch::Player(player) => (Some(player), Vec::new()),
        PlayerMatch::New => (None, Vec::new()),
        PlayerMatch::Ask { likely, others, .. } => (likely, others),
    };
    Question { entry: entry.id, reason, likely, others }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::decision::{Decision, DecisionRow};
    use crate::roster::Person;
    use crate::roster::Rows;

    /// Which of the decks of one player counts, by the server's clock at each.
    fn counts(late: Late, clock: &[&str]) -> Option<usize> {
        let about = About::read("name: X\ndeadline: 2026-03-01T18:00\n").unwrap();
        let about = About { late, ..about };
        let mut roster = Roster::default();
        let player = PlayerId(1);
        roster.add_player(Player::new(player, Person::named("Ada"), true));
        for (id, at) in (1..).map(EntryId).zip(clock) {
            let mut entry = Entry::handed_in(id, &Person::named("Ada"), at.parse().unwrap());
            entry.player = Some(player);
            roster.add_entry(entry);
        }
        let standing = Standing::of(&about, &roster).unwrap();
        let counting = standing.players.get(&player)?.counting.counts()?;
        usize::try_from(counting.0).ok()
    }

    #[test]
    fn of_two_decks_one_is_chosen_until_the_next_comes() {
        let about = About::read("name: X\ndeadline: 2026-03-01T18:00\n").unwrap();
        let (player, came) = (PlayerId(1), ["12:00", "19:00", "21:00"]);
        let entry = |(id, at): (EntryId, &&str)| {
            let stored = format!("2026-03-01T{at}:00.000Z");
            let entry = Entry::handed_in(id, &Person::named("Ada"), stored.parse().unwrap());
            Entry { player: Some(player), stored, ..entry }
        };
        let decides = |id, at: &str, decision| DecisionRow {
            id,
            at: format!("2026-03-01T{at}:00.000Z"),
            author: "Ada".to_owned(),
            decision,
            why: None,
            form: None,
            undone: false,
        };
        let asked = |decks, decisions: &[DecisionRow]| {
            let rows = Rows {
                players: vec![Player::new(player, Person::named("Ada"), true)],
                entries: (1..).map(EntryId).zip(&came[..decks]).map(entry).collect(),
                decisions: decisions.to_vec(),
            };
            let own = Standing::of(&about, &Roster::of(rows)).unwrap().player(player);
            (own.counting.counts(), own.beside)
        };
        let first = Some(EntryId(1));
        let chosen = decides(1, "20:00", Decision::Counts(EntryId(1), true));
        assert_eq!(asked(2, &[]), (first, Some(EntryId(2))), "which one is asked");
        let answered = [chosen.clone()];
        assert_eq!(asked(2, &answered), (first, None), "it was answered");
        assert_eq!(asked(3, &answered), (first, Some(EntryId(3))), "a third one came");
        let undone = [chosen, decides(2, "20:30", Decision::Undo(1))];
        assert_eq!(asked(2, &undone), (first, Some(EntryId(2))), "it is asked again");
        let late = [decides(1, "20:00", Decision::Counts(EntryId(2), true))];
        assert_eq!(asked(2, &late), (Some(EntryId(2)), None), "the late one was chosen");
    }

    #[test]
    fn a_clock_that_was_set_changes_no_order_and_shuts_nobody_out() {
        let (morning, noon) = ("2026-03-01T09:00:00Z", "2026-03-01T12:00:00Z");
        let (late, far) = ("2026-03-01T19:00:00Z", "2126-01-01T00:00:00Z");
        for rule in [Late::Beside, Late::Refuse, Late::Last] {
            // Set back between two decks: the second is the one that the player wants.
            assert_eq!(counts(rule, &[noon, morning]), Some(2));
            assert_eq!(counts(rule, &[morning, noon]), Some(2));
            // A century ahead for a while: what comes once it is right again is in time, and last.
            assert_eq!(counts(rule, &[morning, far, noon]), Some(3));
            assert_eq!(counts(rule, &[far, noon]), Some(2));
        }
        assert_eq!(counts(Late::Beside, &[noon, late]), Some(1));
        assert_eq!(counts(Late::Last, &[noon, late]), Some(2));
    }
}
