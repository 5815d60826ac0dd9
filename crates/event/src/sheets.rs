//! Registration sheets: one for each player, with or without a deck.

use crate::error::EventError;
use crate::event::Event;
use crate::id::PlayerId;
use crate::report::PlayerReport;
use crate::standing::Standing;
use decklaw_decks::deck::Listing;
use decklaw_judge::judge::Report;
use decklaw_judge::report::sheet::{self, SheetFacts};

impl Event {
    /// A document with a registration sheet for each of these players, in this order.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn sheets(&self, standing: &Standing, players: &[PlayerId]) -> Result<String, EventError> {
        let day = self.judge().day().to_string();
        let mut html = sheet::head();
        for id in players {
            let Some(player) = self.roster().players.get(id) else {
                continue;
            };
            let known = self.player_report(standing, player)?;
            let mut listing = self.listing_of(&known)?;
            for (key, value) in [
                ("Event", Some(&self.about.name)),
                ("Date", self.about.day.as_ref()),
                ("Table", player.table.as_ref()),
            ] {
                if let Some(value) = value {
                    listing.remarks.retain(|(own, _)| own != key);
                    listing.remarks.push((key.to_owned(), value.clone()));
                }
            }
            let besides = SheetFacts {
                day: &day,
                lock: Some(self.seal()).filter(|seal| !seal.is_empty()),
                standing: known.remark.as_deref(),
                missing: known.report.is_none(),
            };
            let report = known.report.unwrap_or_else(|| Report {
                player: Some(known.name.clone()),
                ..Report::blank(String::new())
            });
            let rulebook = report.rulebook.as_deref();
            html.push_str(&sheet::page(&report, &listing, rulebook, &besides));
        }
        html.push_str(sheet::FOOT);
        Ok(html)
    }

    /// The cards of a player's deck, under the player's name on the roster.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn listing_of(&self, known: &PlayerReport) -> Result<Listing, EventError> {
        let entry = known.entry.and_then(|entry| self.roster().entries.get(&entry));
        let listing = match (entry, &known.report) {
            (Some(entry), Some(report)) => {
                self.listing(entry, &known.text, report.format.as_deref())?
            }
            _ => Listing::default(),
        };
        Ok(Listing { player: Some(known.name.clone()), ..listing })
    }
}
