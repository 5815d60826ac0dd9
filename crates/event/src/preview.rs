//! What importing a form would do.

use crate::deck::input_of;
use crate::error::EventError;
use crate::event::Event;
use crate::id::PlayerId;
use crate::identity::PlayerMatch;
use crate::import::{Form, Preview};
use crate::roster::Roster;
use decklaw_rules::rules::{Fault, Verdict};
use decklaw_text::text::counted;
use serde::Serialize;

/// A row of a form as it would be read.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct RowPreview {
    pub player: Option<String>,
    /// Who that is in the event; `None`: a new player, or an organiser is asked.
    pub known: Option<String>,
    pub time: Option<String>,
    /// The verdict; `None`: no deck of the game.
    pub verdict: Option<&'static str>,
    pub cards: i64,
    pub text: String,
}

impl Event {
    /// The first rows of a form as they would be read, how many of all have something where the deck
    /// is expected, and in how many of these no card of the game is.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn first_rows(
        &self,
        form: &Form,
        most: usize,
    ) -> Result<(Vec<RowPreview>, usize, usize), EventError> {
        let format = self.about.format.as_deref();
        let (mut rows, mut decks, mut unread) = (Vec::new(), 0, 0);
        for entry in &form.entries {
            let format = entry.format.as_deref().or(format);
            let deck = (&*entry.deck, input_of(entry));
            let report = self.judge_deck("-", deck, entry.format.as_deref())?;
            let strange = report.findings.iter();
            let strange = strange.filter(|one| one.code.fault == Fault::NotInPool);
            let strange: usize = strange.map(|one| one.cards.len()).sum();
            let listing = self.listing(entry, &entry.deck, format)?;
            let names = listing.sections.iter().map(|(_, cards)| cards.len()).sum();
            let is_deck = entry.unreadable.is_none()
                && report.verdict != Verdict::Unreadable
                && strange < names;
            decks += usize::from(!entry.is_empty());
            unread += usize::from(!entry.is_empty() && !is_deck);
            if rows.len() < most {
                let known = match self.roster().whose(&entry.person()) {
                    PlayerMatch::Player(player) => Some(self.roster().name_and_id(player)),
                    _ => None,
                };
                let text = String::from_utf8_lossy(&entry.deck);
                rows.push(RowPreview {
                    player: entry.name.clone().or_else(|| entry.email.clone()),
                    known,
                    time: entry.time.clone(),
                    verdict: is_deck.then(|| report.verdict.word()),
                    cards: if is_deck { report.size() } else { 0 },
                    text: text.chars().take(60).collect::<String>().replace('\n', " "),
                });
            }
        }
        Ok((rows, decks, unread))
    }
}

impl Preview {
    /// The rows that an organiser must be asked about, and those that cannot be read.
    pub fn remarks(&self, roster: &Roster) -> Vec<String> {
        let name = |player: PlayerId| {
            let new = self.players.iter().find(|(id, _)| *id == player);
            new.map_or_else(|| roster.name(player), |(_, name)| name.clone())
        };
        let asked = self.asked.iter().map(|(id, reason, likely)| {
            let likely = likely.map_or_else(|| "a new player".to_owned(), name);
            format!("{id}: {}; most likely {likely}", reason.words())
        });
        let unreadable = self.unreadable.iter();
        let unreadable = unreadable.map(|(id, why)| format!("{id}: {why}"));
        asked.chain(unreadable).collect()
    }

    /// What it would do, in a sentence.
    pub fn in_words(&self) -> String {
        let rows = counted(i64::try_from(self.rows).unwrap_or(i64::MAX), "row");
        let mut text = format!("{rows}: {} new", self.new);
        for (number, what) in [
            (self.rows - self.new, "known already"),
            (self.asked.len(), "to ask about"),
            (self.empty, "without a deck"),
            (self.unreadable.len(), "not readable"),
            (self.timeless, "without a time"),
        ] {
            if number > 0 {
                text.push_str(&format!(", {number} {what}"));
            }
        }
        text
    }
}
