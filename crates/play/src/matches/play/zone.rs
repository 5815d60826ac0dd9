//! A zone of a game with every card.

use super::Play;
use crate::matches::error::MatchError;
use crate::matches::seat::SeatId;
use crate::matches::view::Reader;
use decklaw_core::text::{counted, harmless};

impl Play {
    /// A zone with all that is known of it: every card with its slot, and how it is played with.
    ///
    /// # Errors
    /// A zone or seat that is not there.
    pub fn zone_told(&self, reader: Reader, by: SeatId, name: &str) -> Result<String, MatchError> {
        let place = self.now.named(by, name)?;
        let zone = self.now.table.zone(place);
        let mut text = harmless(name, false).into_owned();
        text.push_str(&format!(": {}", counted(zone.slots.len() as i64, "card")));
        if let Some(most) = zone.terms.most {
            text.push_str(&format!(", at most {most}"));
        }
        if let Some(told) = &zone.terms.told {
            text.push_str(&format!("; {told}"));
        }
        if let Some(touch) = zone
            .terms
            .grid
            .as_ref()
            .and_then(|grid| grid.touch.as_ref())
        {
            text.push_str(&format!("; {touch}"));
        }
        text.push('\n');
        for (slot, held) in zone.slots.iter().enumerate() {
            let name = match self.now.sees(reader, place, slot) {
                true => self.now.table.instance(held.card).name.as_str(),
                false => "(hidden)",
            };
            let lies = self.now.table.lies(place.seat, zone, slot);
            let lies = match lies.is_empty() {
                true => lies,
                false => format!(" ({lies})"),
            };
            let line = format!("{name}{lies}");
            text.push_str(&format!("  {slot:>2}. {}\n", harmless(&line, false)));
        }
        Ok(text)
    }
}
