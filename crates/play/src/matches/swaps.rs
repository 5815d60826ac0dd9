//! What is swapped between games, judged.

use decklaw_judge::resolve::Decklist;
use decklaw_rules::format::Rulebook;
use decklaw_text::text::escape_control;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sections of a deck, each a list of names with counts.
pub type Sections = BTreeMap<String, Vec<(String, u32)>>;

/// What judges a deck that a player has changed between games.
pub trait SwapJudge {
    /// Whether the sections that are played are a legal deck after a swap. Returns what the whole
    /// deck, with the sections that are not played, breaks all the same, a sentence each.
    ///
    /// # Errors
    /// What the played sections break, a sentence.
    fn judge(&self, played: &Sections, whole: &Sections) -> Result<Vec<String>, String>;
}

/// Judges what is swapped between games, by the rules of the format: what is played must be legal;
/// that the deck with its side deck is not is remarked.
#[derive(Debug, Clone)]
pub struct Swaps(pub Arc<Rulebook>);

impl Swaps {
    fn broken(&self, sections: &Sections) -> Vec<String> {
        let cards = sections.iter().flat_map(|(section, cards)| {
            let card = move |(name, count): &'_ (String, u32)| (name.clone(), i64::from(*count));
            cards.iter().map(move |it| (section.as_str(), card(it)))
        });
        let cards: Vec<(&str, (String, i64))> = cards.collect();
        let named = cards.iter().map(|(section, (name, count))| (*section, name.as_str(), *count));
        let errors = Decklist::of_names(Arc::clone(&self.0), named).errors();
        let errors = errors.into_iter();
        errors.map(|(rule, why)| format!("{rule}: {}", escape_control(&why, false))).collect()
    }
}

impl SwapJudge for Swaps {
    fn judge(&self, played: &Sections, whole: &Sections) -> Result<Vec<String>, String> {
        match self.broken(played).as_slice() {
            [] => Ok(self.broken(whole)),
            reasons => Err(format!("the deck after the swap is not legal: {}", reasons.join("; "))),
        }
    }
}
