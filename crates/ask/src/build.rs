//! A deck that somebody began, finished: by wishes, by the game's aims, for a hand.

use super::mend::{at_most, taste};
use super::odds::wrong_question;
use super::{Answer, Owned, document, read};
use crate::refusal::Refusal;
use crate::site::draws;
use decklaw_core::deck::{self, Input};
use decklaw_core::judge::Judge;
use decklaw_core::query::QueryError;
use decklaw_core::resolve::Decklist;
use decklaw_engine::odds::{self, Asked, OddsDefaults, Population};
use decklaw_engine::report::repair;
use decklaw_engine::solve::tune::{MOST_EXCHANGES, TuneError};
use decklaw_engine::solve::{Found, Goal, Making, Repair, Start, Wish, Wishes};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The effort of its search, well below what a person at a terminal may wait for.
const EFFORT: u64 = 8_000;
/// The work of its odds, likewise.
const WORK: u64 = 3_000_000;
/// The most wishes.
const MOST_WISHES: usize = 24;

/// What is asked of a deck that is to be finished.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finishing {
    /// The format, by its id.
    pub format: String,
    /// The deck, in JSON.
    pub deck: Box<RawValue>,
    /// What must hold.
    #[serde(default)]
    wishes: Vec<String>,
    /// What should hold, the first above the second.
    #[serde(default)]
    prefer: Vec<String>,
    /// The cards that stay, by name; `None`: all.
    #[serde(default)]
    keep: Option<Vec<String>>,
    /// Aims of the game's maker that nobody reaches for, as they are written.
    #[serde(default)]
    without: Vec<String>,
    /// Whether no more cards may be in it than the asker owns.
    #[serde(default)]
    pub own: bool,
    /// The hand that is to be likely.
    #[serde(default, rename = "for")]
    goal: Option<String>,
    /// The turn by which it is to hold; `None`: in the opening hand.
    #[serde(default)]
    turn: Option<u32>,
    /// Cards of the opening hand.
    #[serde(default)]
    hand: Option<u32>,
    /// Another text, another choice among alike cards.
    #[serde(default)]
    seed: Option<String>,
}

/// A deck finished, as `decklaw/build/1`, with its odds before; or why there is none. A wish that
/// cannot be understood says so.
///
/// # Errors
/// A deck that cannot be read.
pub(crate) fn finish(judge: &Judge, ask: &Finishing, owned: Option<&Owned>) -> Answer {
    let Some(read) = read(judge, &ask.format, ask.deck.get().as_bytes(), Input::Json)? else {
        return Err(Refusal::wrong(
            "The deck cannot be read, so there is nothing to finish yet.",
        ));
    };
    let before = read.into_list();
    let game = before.rulebook().format().game();
    if game.sections().is_empty() {
        return Err(Refusal::wrong(
            "This game has no rules to finish a deck by.",
        ));
    }
    let mut wishes = Wishes {
        effort: EFFORT,
        seed: ask.seed.clone(),
        must: owned
            .map(|owned| at_most(owned, before.pool()))
            .into_iter()
            .collect(),
        ..Wishes::default()
    };
    for (texts, read) in [
        (&ask.wishes, &mut wishes.must),
        (&ask.prefer, &mut wishes.prefer),
    ] {
        if texts.len() > MOST_WISHES {
            return Err(Refusal::wrong("These are too many wishes."));
        }
        for text in texts {
            match Wish::parse(text, before.rulebook()) {
                Ok(wish) => read.push(wish),
                Err(error) => return Ok(misread(text, &error)),
            }
        }
    }
    let asked = wishes.must.iter().chain(&wishes.prefer);
    let vain = asked.flat_map(|wish| {
        let remarks = wish.remarks(&before).into_iter();
        remarks.map(|remark| format!("in `{}`: {remark}", wish.text()))
    });
    let notes: Vec<String> = vain.collect();
    let stay = staying(&before, ask.keep.as_deref());
    let start = Start::Finish {
        stay: &stay,
        called: "this deck that stay",
    };
    let defaults = draws(judge, game.id())?;
    let taste = taste(judge, game.id())?;
    let mut making = Making::new(before.clone(), &start, wishes, taste)
        .map_err(|error| Refusal::wrong(error.to_string()))?;
    making.without(|aim| ask.without.contains(&aim.wish.value));
    let mut made = making.made();
    let hands = Hands {
        defaults: &defaults,
        asked: Asked {
            hand: ask.hand,
            work: Some(WORK),
            ..Asked::default()
        },
    };
    let mut goal = Value::Null;
    let wanted = ask.goal.as_deref().map(|query| (query, ask.turn));
    if let (Repair::Found(found), Some(wanted)) = (&mut made, wanted) {
        goal = hands.reach(&making, found, wanted)?;
        if goal.get("error").is_some() {
            return Ok(goal);
        }
    }
    let found = match &made {
        Repair::Found(found) => found,
        Repair::Impossible(conflict) => {
            let reasons = conflict.sentences(&before, making.wishes());
            return document(
                repair::no_build(&ask.format, (&made).into(), &reasons, &notes),
                judge,
            );
        }
        Repair::Unknown => {
            let reason = "The work limit of this page was reached before any deck was found; `decklaw build --from` at a command line may look longer.";
            let reasons = [reason.to_owned()];
            return document(
                repair::no_build(&ask.format, (&made).into(), &reasons, &notes),
                judge,
            );
        }
    };
    let text = deck::to_text(&found.deck.listing());
    let report = judge
        .judge_as("-", text.as_bytes(), Input::Text, Some(&ask.format))
        .map_err(|error| Refusal::from(&error))?;
    let changes = making.reasons(&found.deck);
    let mut told = document(
        repair::build(
            found,
            (&making.wishes().prefer, making.aims()),
            &notes,
            &report,
            hands.odds(&found.deck, wanted),
            Some((&before, &changes)),
        ),
        judge,
    )?;
    told["odds_before"] = hands.odds(&before, wanted).into();
    told["goal"] = goal;
    Ok(told)
}

/// A wish that cannot be understood, and where.
fn misread(text: &str, error: &QueryError) -> Value {
    json!({"error": error.to_string(), "wish": text, "from": error.span.start, "to": error.span.end})
}

/// The cards of a deck that stay: all, or those of these names.
fn staying(before: &Decklist, names: Option<&[String]>) -> Decklist {
    let mut stay = before.clone();
    let Some(names) = names else { return stay };
    let named: Vec<_> = names.iter().filter_map(|name| before.find(name)).collect();
    for held in before.holdings() {
        if !named.contains(&held.card) {
            stay.set(held.section, held.card, 0);
        }
    }
    stay
}

/// How hands are drawn.
struct Hands<'d> {
    defaults: &'d OddsDefaults,
    asked: Asked,
}

impl Hands<'_> {
    /// The section that is drawn from.
    fn section(&self, deck: &Decklist) -> Option<u16> {
        let own = self.defaults.section.as_ref();
        let first = deck.rulebook().format().game().section_names().first;
        deck.section(own.map_or(first, |section| section.value.as_str()))
    }

    /// Makes a hand of a deck that was made as likely as it can be; what came of it, or why it
    /// cannot be asked.
    fn reach(
        &self,
        making: &Making,
        found: &mut Found,
        (query, turn): (&str, Option<u32>),
    ) -> Answer {
        let section = self.section(&found.deck).ok_or_else(Refusal::defect)?;
        let reached = Goal::new(
            &found.deck,
            section,
            (query, turn),
            (self.defaults, &self.asked),
        )
        .map_err(TuneError::Odds)
        .and_then(|goal| making.reach(found, &goal, MOST_EXCHANGES));
        match reached {
            Ok(reached) => {
                let proven = reached.is_some_and(|(_, proven)| proven);
                Ok(json!({"query": query, "optimal": proven}))
            }
            Err(TuneError::Odds(error)) => Ok(wrong_question(&error)),
            Err(error) => Ok(json!({"error": error.to_string()})),
        }
    }

    /// How likely the hands of a deck hold what the game's players ask, and a goal that is none of
    /// that before it;
    /// `None`: nothing says how they are drawn, or there are too few cards to draw.
    fn odds(&self, deck: &Decklist, goal: Option<(&str, Option<u32>)>) -> Option<Value> {
        let population = Population::of_list(deck, usize::from(self.section(deck)?)).ok()?;
        let answers = |asked: &Asked| -> Vec<Value> {
            let told = odds::answer("-", &population, self.defaults, asked).ok();
            let json = told
                .and_then(|told| odds::render::to_json(&told, odds::render::ShowWork(false)).ok());
            let answers = json.as_ref().and_then(|json| json["answers"].as_array());
            answers.cloned().unwrap_or_default()
        };
        let is_preset = |goal: &(&str, Option<u32>)| {
            let mut presets = self.defaults.presets.iter();
            presets.any(|own| {
                let query = own.query.as_ref().map(|query| query.value.as_str());
                (query, own.turn) == (Some(goal.0), goal.1)
            })
        };
        let own = goal.filter(|goal| !is_preset(goal));
        let own = own.map(|(goal, _)| Asked {
            queries: vec![goal.to_owned()],
            ..self.asked.clone()
        });
        let mut all = own.iter().flat_map(answers).collect::<Vec<Value>>();
        if !self.defaults.presets.is_empty() {
            all.extend(answers(&self.asked));
        }
        (!all.is_empty()).then(|| all.into())
    }
}
