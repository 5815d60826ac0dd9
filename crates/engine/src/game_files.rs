//! The files next to a format file, checked as one: statistics, odds and advice.

use crate::odds::{OddsDefaults, Population};
use crate::solve::{TASTE, Taste};
use crate::stats::{STATS, Spec};
use decklaw_cards::pool::Pool;
use decklaw_rules::format::Game;
use decklaw_text::text::counted;
use decklaw_text::yaml::Problem;

/// What is in the file of a game that is called `stats.yaml`, `taste.yaml` or `odds.yaml`, such as
/// "5 presets"; and what its queries ask for that no card has.
///
/// # Errors
/// Everything that is wrong with the file, and with its queries where cards are given.
pub fn check(
    game: &Game,
    file: &str,
    source: &str,
    cards: Option<&Pool>,
) -> Result<(String, Vec<Problem>), Vec<Problem>> {
    let ids = game.sections().iter().map(|section| section.id.as_str());
    let ids: Vec<&str> = ids.collect();
    let (count, noun, wrong, remarks) = match file {
        STATS => {
            let spec = Spec::read(file, source, game.fields(), &ids);
            let spec = spec.map_err(|error| error.problems)?;
            let remarks = cards.map(|cards| spec.unmatched(cards));
            (spec.metrics.len(), "statistic", Vec::new(), remarks)
        }
        TASTE => {
            let taste = Taste::read(source).map_err(|problem| vec![problem])?;
            let remarks = cards.map(|cards| taste.unmatched(game, cards));
            (taste.aims.len(), "aim", taste.lint(game, cards), remarks)
        }
        _ => {
            let odds = OddsDefaults::read(source).map_err(|problem| vec![problem])?;
            let one_each = |pool| Population::new(pool, pool.ids().map(|card| (card, 1)), 0).ok();
            let wrong = odds.lint(&ids, cards.and_then(one_each).as_ref());
            let remarks = cards.map(|cards| odds.unmatched(cards));
            (odds.presets.len(), "preset", wrong, remarks)
        }
    };
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let count = counted(i64::try_from(count).unwrap_or(i64::MAX), noun);
    Ok((count, remarks.unwrap_or_default()))
}
