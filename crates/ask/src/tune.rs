//! The exchange of one card that makes a hand likeliest.

use super::odds::wrong_question;
use super::{Answer, Ask, document, read};
use crate::refusal::Refusal;
use crate::site::draws;
use decklaw_core::deck::Input;
use decklaw_core::judge::Judge;
use decklaw_core::render::Render as _;
use decklaw_engine::odds::{self, Asked, Drawn, HandQuery, OddsError, Part, Population};
use decklaw_engine::solve::Wishes;
use decklaw_engine::solve::tune::{self, TuneError, Tuning, render::TuneReport};
use serde_json::{Value, json};

/// The work of its odds, below what a person waits for.
const WORK: u64 = 3_000_000;
/// The effort of its search, likewise.
const EFFORT: u64 = 4_000;

/// The exchange of one card that makes the first query of the ask likeliest, as `decklaw/tune/1`.
/// A question that has no answer says why.
///
/// # Errors
/// A deck that cannot be read.
pub(crate) fn tune(judge: &Judge, ask: &Ask) -> Answer {
    let bytes = ask.deck.get().as_bytes();
    let Some(read) = read(judge, &ask.format, bytes, Input::Json)? else {
        return Ok(json!({"error": "The deck cannot be read."}));
    };
    let asked = ask.odds.as_ref();
    let Some(query) = asked.and_then(|asked| asked.queries.first()) else {
        return Ok(json!({"error": "There is no question to tune for."}));
    };
    let before = read.list();
    if !before.is_legal() {
        return Ok(json!({"error": "Only a legal deck is tuned here; mend it first."}));
    }
    let defaults = draws(judge, read.rulebook().format().game().id())?;
    let own = defaults
        .section
        .as_ref()
        .map(|section| section.value.as_str());
    let wanted = asked.and_then(|asked| asked.section.as_deref());
    let section = Drawn::of(&read, wanted, own).section;
    let tuned = || -> Result<_, TuneError> {
        let population = Population::of_section(&read, &section)?;
        let asked = Asked {
            hand: asked.and_then(|asked| asked.hand),
            work: Some(WORK),
            ..Asked::default()
        };
        let request = odds::request(&population, &defaults, &asked, None)?;
        let parsed = HandQuery::parse(query);
        let parsed = parsed.and_then(|query| odds::check(&query, &population).map(|()| query));
        let parsed = parsed.map_err(|error| OddsError::query(Part::Query, query, error))?;
        let tuning = Tuning {
            section: before
                .section(&decklaw_core::name::fold(&section))
                .unwrap_or_default(),
            queries: vec![parsed],
            request,
            changes: 1,
            wishes: Wishes {
                effort: EFFORT,
                ..Wishes::default()
            },
        };
        let tuned = tune::tune(before, &tuning)?;
        Ok((tuning, tuned))
    };
    match tuned() {
        Ok((tuning, tuned)) => {
            let report = TuneReport {
                deck: "-",
                before,
                tuning: &tuning,
                tuned: &tuned,
            };
            document(report.json(), judge)
        }
        Err(TuneError::Odds(error)) => Ok(wrong_question(&error)),
        Err(TuneError::Unknown | TuneError::Impossible(_)) => Err(Refusal::defect()),
        Err(error @ TuneError::Call(_)) => Ok(Value::from_iter([("error", error.to_string())])),
    }
}
