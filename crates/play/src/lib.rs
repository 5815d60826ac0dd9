//! Matches of card games for [`decklaw_judge`]: seeded from legal decks, played, looked at as each
//! seat may, and proven again by anyone; their cards and sheets on paper; and what pages show of a
//! game.

pub mod look;
pub mod matches;
pub mod paper;
#[cfg(test)]
mod schemas;
