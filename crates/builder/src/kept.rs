//! What is the same in every answer about a game: made once, and kept by the digests of all that
//! it is made of, so that it is never that of another game's files.

use crate::refusal::Refusal;
use decklaw_core::format::Rulebook;
use decklaw_core::judge::Judge;
use decklaw_core::pool::{CardId, Pool};
use decklaw_core::report::json::inputs_digest;
use decklaw_engine::stats::Spec;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The most rulebooks and games of which something is kept.
const MOST: usize = 8;

/// What is kept.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    specs: Mutex<HashMap<String, Arc<Spec>>>,
    cards: Mutex<HashMap<String, Arc<CardCache>>>,
}

/// The cards of a pool in JSON, each made when it is first told.
#[derive(Debug)]
pub(crate) struct CardCache(Vec<OnceLock<Box<RawValue>>>);

fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds what was made; what else is kept is forgotten once it is too much.
fn keep<T>(kept: &Mutex<HashMap<String, Arc<T>>>, key: String, made: &Arc<T>) {
    let mut kept = lock(kept);
    if kept.len() >= MOST {
        kept.clear();
    }
    kept.insert(key, Arc::clone(made));
}

fn read(rulebook: &Rulebook, bytes: &[u8]) -> Result<Spec, Refusal> {
    let game = rulebook.format().game();
    Spec::of_file("stats.yaml", bytes, game).map_err(|error| {
        let first = error.problems.first();
        let why = first.map_or("", |first| first.message.as_str());
        Refusal::wrong(format!("{}/stats.yaml: {why}", game.id()))
    })
}

impl Kept {
    /// The statistics of a rulebook's game.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn spec(&self, judge: &Judge, rulebook: &Rulebook) -> Result<Arc<Spec>, Refusal> {
        let game = rulebook.format().game();
        let file = judge.catalogue().file(game.id(), "stats.yaml");
        let pool = rulebook.pool();
        let key = match file {
            Some(bytes) => format!("{} {}", game.sha256, decklaw_core::digest::sha256(bytes)),
            None if pool.sha256().is_empty() => return Ok(Arc::new(Spec::inferred(pool))),
            None => inputs_digest(rulebook).to_owned(),
        };
        if let Some(spec) = lock(&self.specs).get(&key) {
            return Ok(Arc::clone(spec));
        }
        let spec = match file {
            Some(bytes) => read(rulebook, bytes)?,
            None => Spec::inferred(pool),
        };
        let spec = Arc::new(spec);
        keep(&self.specs, key, &spec);
        Ok(spec)
    }

    /// The cards of a rulebook; those of a game whose decks bring their own are not kept.
    pub(crate) fn cards(&self, rulebook: &Rulebook) -> Arc<CardCache> {
        let pool = rulebook.pool();
        let made = || Arc::new(CardCache(pool.ids().map(|_| OnceLock::new()).collect()));
        if pool.sha256().is_empty() {
            return made();
        }
        let key = inputs_digest(rulebook);
        if let Some(told) = lock(&self.cards).get(key) {
            return Arc::clone(told);
        }
        let told = made();
        keep(&self.cards, key.to_owned(), &told);
        told
    }
}

impl CardCache {
    /// A card with its fields.
    ///
    /// # Errors
    /// None in practice: it is plain data.
    pub(crate) fn card(&self, pool: &Pool, card: CardId) -> Result<&RawValue, Refusal> {
        let Some(known) = self.0.get(card.index()) else {
            return Err(Refusal::defect());
        };
        if let Some(told) = known.get() {
            return Ok(told);
        }
        let text = pool.card(card).to_string();
        let told = RawValue::from_string(text).map_err(|_| Refusal::defect())?;
        Ok(known.get_or_init(|| told))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use decklaw_core::banlist::Lists;
    use decklaw_core::format::Catalogue;

    #[test]
    fn what_is_kept_is_made_once_and_never_of_another_game() {
        let day = "2026-03-01".parse().unwrap();
        let judge = Judge::new(Catalogue::built_in(), Lists::default(), day);
        let kept = Kept::default();
        for round in 0..2 {
            for game in judge.catalogue().games() {
                let formats = judge.catalogue().game(game).unwrap().formats();
                let format = formats[0].id();
                let rulebook = judge.rulebook(format).unwrap();
                let spec = kept.spec(&judge, &rulebook).unwrap();
                let told = kept.cards(&rulebook);
                let pool = rulebook.pool();
                // What is made of the cards that a deck brings is that deck's alone.
                if pool.sha256().is_empty() {
                    continue;
                }
                for card in pool.ids().take(20) {
                    let made = told.card(pool, card).unwrap().get();
                    assert_eq!(made, pool.card(card).to_string(), "{format} {round}");
                }
                assert!(Arc::ptr_eq(&spec, &kept.spec(&judge, &rulebook).unwrap()));
                assert!(Arc::ptr_eq(&told, &kept.cards(&rulebook)));
            }
        }
        assert!(lock(&kept.cards).len() > 3);
    }
}
