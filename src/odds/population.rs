//! What is drawn from: the cards of one section, shuffled.

use super::OddsError;
use crate::pool::{CardId, Pool};

/// The most cards that a section may have here.
const MOST_CARDS: u32 = 1_000_000;

/// The cards of one shuffled section, each with its copies.
#[derive(Debug, Clone)]
pub struct Population<'p> {
    pool: &'p Pool,
    cards: Vec<(CardId, u32)>,
    strangers: u32,
    size: u32,
}

impl<'p> Population<'p> {
    /// The cards of a section with their copies (the same card on several lines adds up), and
    /// how many cards there are besides that the pool does not know: those belong to no group
    /// but `[]`.
    ///
    /// # Errors
    /// No card at all, or more than 1,000,000.
    ///
    /// ```
    /// use decklaw::{odds::Population, pool::Pool};
    /// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
    /// let copies = pool.ids().map(|card| (card, 3));
    /// assert_eq!(Population::new(&pool, copies, 0)?.size(), 6);
    /// # Ok::<(), decklaw::odds::OddsError>(())
    /// ```
    pub fn new(
        pool: &'p Pool,
        copies: impl IntoIterator<Item = (CardId, u32)>,
        strangers: u32,
    ) -> Result<Population<'p>, OddsError> {
        let mut cards: Vec<(CardId, u32)> = copies
            .into_iter()
            .filter(|(_, copies)| *copies > 0)
            .collect();
        cards.sort_unstable();
        cards.dedup_by(|again, first| {
            let same = again.0 == first.0;
            if same {
                first.1 = first.1.saturating_add(again.1);
            }
            same
        });
        let known: u64 = cards.iter().map(|(_, copies)| u64::from(*copies)).sum();
        let size = known + u64::from(strangers);
        match u32::try_from(size) {
            Ok(0) => Err(OddsError::NoCards),
            Ok(size) if size <= MOST_CARDS => Ok(Population {
                pool,
                cards,
                strangers,
                size,
            }),
            _ => Err(OddsError::TooManyCards { size }),
        }
    }

    /// The pool that the cards are of.
    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// The cards with their copies, in canonical order, each once.
    pub fn cards(&self) -> &[(CardId, u32)] {
        &self.cards
    }

    /// How many cards there are that the pool does not know.
    pub fn strangers(&self) -> u32 {
        self.strangers
    }

    /// How many cards there are in all, from 1.
    pub fn size(&self) -> u32 {
        self.size
    }
}
