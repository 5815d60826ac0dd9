//! Whether somebody decided about the same meanwhile.

use crate::decision::{Decision, DecisionRow};
use crate::id::{EntryId, PlayerId};
use crate::roster::Roster;
use decklaw_text::name::fold;

/// What a decision is about: of two decisions about the same, the later one replaces the earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Entry(EntryId),
    Player(PlayerId),
    Link(Option<PlayerId>),
    Card(String),
    Event(&'static str),
}

impl Roster {
    /// The newest decision after one that is about what a new one is about.
    pub(crate) fn conflict(&self, new: &Decision, seen: i64) -> Option<&DecisionRow> {
        let mine = self.subjects(new);
        let newer = self.decisions.iter().rev().take_while(|row| row.id > seen);
        let mut newer =
            newer.filter(|row| self.subjects(&row.decision).iter().any(|own| mine.contains(own)));
        newer.next()
    }

    fn subjects(&self, decision: &Decision) -> Vec<Subject> {
        let player = |player: PlayerId| Subject::Player(self.real(player));
        if let Some(id) = decision.entry() {
            let owner = self.entries.get(&id).and_then(|entry| entry.player).map(player);
            return owner.into_iter().chain([Subject::Entry(id)]).collect();
        }
        match decision {
            Decision::Lock(None, _) => vec![Subject::Event("lock")],
            Decision::Publish(_) => vec![Subject::Event("publish")],
            Decision::Key(whose, _) => vec![Subject::Link(*whose)],
            Decision::Means(name, _) => vec![Subject::Card(fold(name).into_owned())],
            Decision::Same(one, other) => vec![player(*one), player(*other)],
            Decision::Undo(id) => {
                let undone = self.decisions.iter().find(|row| row.id == *id);
                undone.map_or_else(Vec::new, |undone| self.subjects(&undone.decision))
            }
            _ => decision.player().map(player).into_iter().collect(),
        }
    }
}
