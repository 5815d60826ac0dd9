//! Sheets for an occasion: which event, day and round.

use crate::deck::Listing;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Sheets and slips")]
pub(super) struct Occasion {
    /// The event, whatever a deck says of it
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Its day, whatever a deck says of it
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<jiff::civil::Date>,
    /// The round
    #[arg(long, value_name = "TEXT")]
    round: Option<String>,
}

impl Occasion {
    /// The options that only sheets and slips have a use for, as far as they are given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--event", self.event.is_some()),
            ("--date", self.date.is_some()),
            ("--round", self.round.is_some()),
        ];
        given
            .iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| *name)
    }

    /// Writes what is known of the occasion into what a deck says of itself.
    pub(super) fn tell(&self, listing: &mut Listing) {
        let remarks = [
            ("Event", self.event.clone()),
            ("Date", self.date.map(|date| date.to_string())),
            ("Round", self.round.clone()),
        ];
        for (key, value) in remarks {
            if let Some(value) = value {
                listing.remarks.retain(|(known, _)| known != key);
                listing.remarks.push((key.to_owned(), value));
            }
        }
    }
}
