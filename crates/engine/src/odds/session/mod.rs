//! One run of `odds`: what was asked of a deck, with the game's own policy where nothing else
//! was said, and everything that was found.

mod run;

use super::{
    Answer, Deal, Events, Keep, Mulligan, OddsDefaults, OddsError, Path, Policy, Population,
    Request, TotalAnswer, ask_path, deals,
};
use run::{Run, add, in_vain};

/// What a caller asks of a deck; what is `None` or empty is as the game has it.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Hand queries. With none of these, `expect` or `path`: the game's presets.
    pub queries: Vec<String>,
    /// Cards of the opening hand.
    pub hand: Option<u32>,
    /// Turns to answer for.
    pub turns: Option<u32>,
    /// A condition on the first hand drawn.
    pub given: Option<String>,
    /// The kind of mulligan.
    pub mulligan: Option<Mulligan>,
    /// The most mulligans taken.
    pub mulligans: Option<u32>,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans.
    pub bottom: Option<Vec<u32>>,
    /// A hand query, or `best`.
    pub keep: Option<String>,
    /// Cards drawn after the kept hand.
    pub draws: u32,
    /// A total to find the distribution of.
    pub expect: Option<String>,
    /// A path, see [`Path`].
    pub path: Option<String>,
    /// What happens in the match.
    pub events: Events,
    /// Whose view it is, from 1.
    pub seat: Option<u32>,
    /// The work limit; `None`: [`super::DEFAULT_WORK`].
    pub work: Option<u64>,
    /// Sample hands to deal, and the text that seeds them.
    pub deal: Option<(u32, String)>,
}

/// Everything found in a run.
#[derive(Debug, Clone)]
pub struct OddsReport {
    /// The deck as its file is named.
    pub deck: String,
    /// Cards drawn from.
    pub population: u32,
    /// Cards of the opening hand; `None` for a path alone.
    pub hand: Option<u32>,
    /// How a hand is kept.
    pub policy: Policy,
    /// What was found, in the order asked.
    pub answers: Vec<Found>,
    /// What a reader should know besides, sentences.
    pub notes: Vec<String>,
    /// What the conditions on hands ask for in vain, sentences; see [`Found::remarks`]. A caller
    /// that chose what is [drawn](super::Drawn) from says that first.
    pub remarks: Vec<String>,
    /// Sample hands, where asked for.
    pub deals: Vec<Deal>,
}

/// An answer, with what of its question differs from the rest of the run.
#[derive(Debug, Clone)]
pub struct Found {
    /// The preset's name.
    pub name: Option<String>,
    /// Cards of the opening hand; `None` for a path.
    pub hand: Option<u32>,
    /// The turn by which a preset must hold; none: in the opening hand, or after the draws.
    pub turn: Option<u32>,
    /// Cards drawn after the kept hand that the answer counts in.
    pub draws: u32,
    /// How a hand is kept.
    pub policy: Policy,
    /// Sentences: words and values of the query that no card of the pool has, groups that no card
    /// drawn from is in, and what would help where the question was refused.
    pub remarks: Vec<String>,
    /// The answer itself.
    pub answer: Reply,
}

/// What may be found.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The answer to a query.
    Query(Answer),
    /// The answer to a path.
    Path(Answer),
    /// What a total comes to.
    Total(TotalAnswer),
    /// The question takes more work than the limit allows; the notes say what would help.
    Refused(Refused),
}

/// A question that was refused because of its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What was asked, as written.
    pub query: String,
    /// Whether a total was asked, not a probability.
    pub is_total: bool,
    /// The turns that were asked for, and the cards seen by each.
    pub turns: Vec<(u32, u32)>,
}

impl Found {
    /// What was asked, as written.
    pub fn query(&self) -> &str {
        match &self.answer {
            Reply::Query(answer) | Reply::Path(answer) => &answer.query,
            Reply::Total(answer) => &answer.query,
            Reply::Refused(refused) => &refused.query,
        }
    }

    /// Cards seen in all where some are drawn after the hand, those bottomed counted in.
    pub fn seen(&self) -> Option<u32> {
        self.hand
            .filter(|_| self.draws > 0)
            .map(|hand| hand + self.draws)
    }

    /// When a hand is kept, in words; `None` where every hand is.
    pub fn keep(&self) -> Option<&str> {
        keep_in_words(&self.policy, self.query())
    }
}

/// When a hand is kept: `best` or a query; `None` where there is no mulligan.
pub fn keep_in_words<'a>(policy: &'a Policy, goal: &'a str) -> Option<&'a str> {
    if policy.mulligan == Mulligan::None || policy.limit == 0 {
        return None;
    }
    Some(match &policy.keep {
        Keep::Goal => goal,
        Keep::Query(query) => query.text(),
        Keep::Best => "best",
    })
}

/// Answers all that was asked of a deck.
///
/// # Errors
/// The first question that has no answer, and why; see [`OddsError`].
pub fn answer(
    deck: &str,
    population: &Population<'_>,
    defaults: &OddsDefaults,
    asked: &Asked,
) -> Result<OddsReport, OddsError> {
    let run = Run::new(population, defaults, asked)?;
    let mut answers = Vec::new();
    for text in &asked.queries {
        answers.push(run.query(text)?);
    }
    if let Some(total) = &asked.expect {
        let hand = run.hand()?;
        answers.push(run.total(total, None, hand, &run.policy_for_total())?);
    }
    if let Some(path) = &asked.path {
        let path = Path::parse(path)?;
        let mut remarks = Vec::new();
        for (seen, query) in path.steps() {
            add(&mut remarks, in_vain(query, population, seen));
        }
        let found = ask_path(population, &path, run.work).map(Reply::Path);
        answers.push(Found {
            answer: run.or_refused(found, false, None, &mut remarks)?,
            remarks,
            name: None,
            hand: None,
            turn: None,
            draws: 0,
            policy: Policy::none(),
        });
    }
    let only_deals = asked.deal.is_some() && answers.is_empty() && defaults.presets.is_empty();
    if answers.is_empty() && !only_deals {
        if defaults.presets.is_empty() {
            return Err(OddsError::NothingAsked);
        }
        answers = run.presets()?;
    }
    let dealt = match &asked.deal {
        Some((count, seed)) => {
            let queries: Vec<&str> = asked.queries.iter().map(String::as_str).collect();
            deals(population, &queries, run.hand()?, *count, seed)?
        }
        None => Vec::new(),
    };
    let notes = run.notes();
    let remarks = run.remarks();
    Ok(OddsReport {
        remarks,
        deck: deck.to_owned(),
        population: population.size(),
        hand: run.hand,
        notes,
        policy: shared(&answers).unwrap_or(run.policy),
        answers,
        deals: dealt,
    })
}

/// What a query is asked under: as a caller says, and as the game has it where nothing else is
/// said; with a turn, by the time that it is played.
///
/// # Errors
/// What [`answer`] refuses before any query is asked.
pub fn request(
    population: &Population<'_>,
    defaults: &OddsDefaults,
    asked: &Asked,
    turn: Option<u32>,
) -> Result<Request, OddsError> {
    let turned = Asked {
        turns: turn,
        ..asked.clone()
    };
    let run = Run::new(population, defaults, &turned)?;
    let hand = run.hand()?;
    let by_turn = turn.map_or(0, |turn| run.drawn(turn, hand));
    let request = run.request(hand, &run.policy, asked.draws.max(by_turn));
    Ok(Request {
        turns: Vec::new(),
        ..request
    })
}

impl OddsReport {
    /// Whether each question was answered.
    pub fn is_complete(&self) -> bool {
        let mut answers = self.answers.iter();
        answers.all(|found| !matches!(found.answer, Reply::Refused(_)))
    }
}

/// The policy that all answers go by, where it is one.
fn shared(answers: &[Found]) -> Option<Policy> {
    let first = &answers.first()?.policy;
    let one = answers.iter().all(|found| found.policy == *first);
    one.then(|| first.clone())
}
