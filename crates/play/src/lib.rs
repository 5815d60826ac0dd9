//! Matches of card games for [`decklaw_judge`]: seeded from legal decks, played, looked at as each
//! seat may, and proven again by anyone; and their cards and sheets on paper.

pub mod matches;
pub mod paper;
#[cfg(test)]
mod schemas;
