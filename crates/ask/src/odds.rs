//! Odds, totals and sample hands of a deck.

use super::{Answer, Ask, document, read};
use crate::remedies;
use crate::site::draws;
use decklaw_core::deck::Input;
use decklaw_core::judge::Judge;
use decklaw_engine::odds::{self, Asked, Drawn, OddsError, Population};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The work of odds, well below what a person at a terminal may wait for.
const WORK: u64 = 4_000_000;
/// The most sample hands.
const MOST_DEALS: u32 = 20;
/// The most queries of one's own.
const MOST_QUERIES: usize = 12;

/// Odds that are asked for.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OddsAsk {
    /// Queries of one's own; the presets are answered besides.
    pub queries: Vec<String>,
    /// Cards of the opening hand.
    pub hand: Option<u32>,
    /// The section that is drawn from.
    pub section: Option<String>,
    /// Sample hands.
    pub deal: u32,
    /// What seeds them.
    pub seed: String,
}

/// The odds of a deck: the game's presets, queries of one's own, and sample hands. Each
/// question is answered by itself, so that a wrong one spoils no other.
///
/// # Errors
/// A deck that cannot be read.
pub(crate) fn odds(judge: &Judge, ask: &Ask) -> Answer {
    let bytes = ask.deck.get().as_bytes();
    let Some(read) = read(judge, &ask.format, bytes, Input::Json)? else {
        return Ok(json!({"error": "The deck cannot be read."}));
    };
    let asked = ask.odds.as_ref();
    let game = read.rulebook().format().game();
    let defaults = draws(judge, game.id())?;
    let own = defaults
        .section
        .as_ref()
        .map(|section| section.value.as_str());
    let wanted = asked.and_then(|asked| asked.section.as_deref());
    let section = &Drawn::of(&read, wanted, own).section;
    let population = match Population::of_section(&read, section) {
        Ok(population) => population,
        Err(error) => return Ok(json!({"error": error.to_string()})),
    };
    let base = Asked {
        hand: asked.and_then(|asked| asked.hand),
        work: Some(WORK),
        ..Asked::default()
    };
    let answer = |asked: &Asked| -> Answer {
        match odds::answer("-", &population, &defaults, asked) {
            Ok(report) => document(
                odds::render::to_json(&report, odds::render::ShowWork(false)),
                judge,
            ),
            Err(error) => Ok(wrong_question(&error)),
        }
    };
    let mut own = Vec::new();
    for query in asked
        .iter()
        .flat_map(|asked| asked.queries.iter().take(MOST_QUERIES))
    {
        let total = query.trim_start().to_ascii_lowercase().starts_with("sum(")
            && !query.contains(['<', '>', '=']);
        let asked = match total {
            true => Asked {
                expect: Some(query.clone()),
                ..base.clone()
            },
            false => Asked {
                queries: vec![query.clone()],
                ..base.clone()
            },
        };
        own.push(answer(&asked)?);
    }
    let presets = match defaults.presets.is_empty() {
        true => Value::Null,
        false => answer(&base)?,
    };
    let deals = match asked.filter(|asked| asked.deal > 0) {
        None => Value::Null,
        Some(asked) => answer(&Asked {
            deal: Some((asked.deal.min(MOST_DEALS), asked.seed.clone())),
            ..base.clone()
        })?["deals"]
            .clone(),
    };
    Ok(
        json!({"section": section, "population": population.size(), "presets": presets, "own": own, "deals": deals}),
    )
}

pub(crate) fn wrong_question(error: &OddsError) -> Value {
    let mut told = match error {
        OddsError::Query { error: inner, .. } => {
            json!({"error": error.to_string(), "from": inner.span.start, "to": inner.span.end})
        }
        OddsError::Path { span, .. } => {
            json!({"error": error.to_string(), "from": span.start, "to": span.end})
        }
        _ => json!({"error": error.to_string()}),
    };
    let help = remedies::sentence(error.remedy().as_ref());
    if !help.is_empty() {
        told["help"] = json!(help);
    }
    told
}
