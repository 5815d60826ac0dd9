//! How much an event takes from those who hand in.
//!
//! Anybody who reaches an event may hand in under a name of their own. So the names that no list
//! has are counted, and each player's decks have room of their own: whoever makes names and decks
//! up takes what those names may take, and nothing from a player of the organiser's list, from one
//! who has a key, or from another event.

use super::super::guard::DECK;
use decklaw_event::{Entry, EventError, Player, PlayerId, Roster};

/// What an event may take.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Budget {
    /// The most bytes of its records.
    pub(in super::super) room: u64,
    /// The most names that no list has.
    pub(in super::super) names: usize,
}

/// What a record takes beside its deck.
const RECORD: usize = 1 << 10;

/// Whether a player is one who came with a name that no list has.
fn unlisted(player: &&Player) -> bool {
    let own = !player.expected && player.key.is_some();
    own && player.is.is_none() && !player.forgotten
}

impl Budget {
    /// That of each event of a server whose data may grow to `most` bytes: an eighth of it.
    pub(in super::super) fn of(most: u64, names: usize) -> Budget {
        Budget {
            room: most / 8,
            names,
        }
    }

    /// The most bytes of one player's decks. All names that no list has take half of the room
    /// together; two decks of the largest kind are always taken.
    fn each(&self) -> usize {
        let names = u64::try_from(self.names).unwrap_or(u64::MAX).max(1);
        let each = usize::try_from(self.room / 2 / names).unwrap_or(usize::MAX);
        each.max(2 * (DECK + RECORD))
    }

    /// The names that no list has.
    pub(in super::super) fn unlisted(roster: &Roster) -> usize {
        roster.players.values().filter(unlisted).count()
    }

    /// Whether a deck still goes beside those that a player has handed in.
    fn holds<'e>(&self, own: impl Iterator<Item = &'e Entry>, deck: &[u8]) -> bool {
        let handed_in = own.filter(|entry| entry.who == "player");
        let taken: usize = handed_in.map(|entry| entry.deck.len() + RECORD).sum();
        taken + deck.len() + RECORD <= self.each()
    }

    /// The players of whom no more decks are taken, such as their last one.
    pub(in super::super) fn spent(&self, roster: &Roster) -> Vec<String> {
        let by_player = roster.entries_by_player().into_iter();
        let spent = by_player.filter(|(_, own)| {
            let last = own.last().map_or(&[][..], |last| &last.deck);
            !self.holds(own.iter().copied(), last)
        });
        spent.map(|(player, _)| roster.name(player)).collect()
    }

    /// Whether a deck of a player, or of somebody new, is taken.
    ///
    /// # Errors
    /// That there is no more room for it, and who can help.
    pub(super) fn takes(
        &self,
        roster: &Roster,
        player: Option<PlayerId>,
        deck: &[u8],
    ) -> Result<(), EventError> {
        let Some(player) = player else {
            if Budget::unlisted(roster) < self.names {
                return Ok(());
            }
            return Err(EventError::Said(
                "This event takes no more names that are not on its list. Ask the organiser to \
                 put you on the list; then hand in under that name."
                    .to_owned(),
            ));
        };
        if self.holds(roster.of(roster.real(player)), deck) {
            return Ok(());
        }
        Err(EventError::Said(
            "You have handed in as many decks as this event keeps of one player; the last one \
             stands. Ask the organiser if it must be changed."
                .to_owned(),
        ))
    }
}
