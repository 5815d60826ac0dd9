//! The report as JSON, schema `decklaw/odds/1`.

use super::ShowWork;
use crate::odds::session::{Found, OddsReport, Reply, keep_in_words};
use crate::odds::{Answer, Atom, KeepRule, Likelihood, Policy, Total, Work};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    deck: &'a str,
    population: u32,
    hand: Option<u32>,
    policy: PolicyEntry<'a>,
    answers: Vec<AnswerEntry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deals: Vec<DealEntry<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
pub(crate) struct PolicyEntry<'a> {
    mulligan: &'static str,
    limit: u32,
    bottom: Vec<u32>,
    keep: Option<&'a str>,
}

#[derive(Serialize, Default)]
struct AnswerEntry<'a> {
    query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hand: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyEntry<'a>>,
    #[serde(flatten)]
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<BestEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<ShareEntry>>,
    turns: Vec<TurnEntry>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<WorkEntry<'a>>,
}

/// A probability or a mean.
#[derive(Serialize, Default)]
struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<u64>,
}

#[derive(Serialize)]
struct BestEntry<'a> {
    gain: f64,
    never: f64,
    never_fraction: String,
    /// For people: the query, or words.
    rule: Vec<String>,
    /// As `--keep-hand` reads it; null where no short query says it.
    keep: Vec<Option<&'a str>>,
}

#[derive(Serialize)]
struct ShareEntry {
    value: i64,
    probability: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
}

#[derive(Serialize)]
struct WorkEntry<'a> {
    atoms: Vec<AtomEntry<'a>>,
    rest: u32,
    seen: u32,
    hands: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    favourable: Option<String>,
}

#[derive(Serialize)]
struct AtomEntry<'a> {
    label: &'a str,
    cards: &'a [String],
    copies: u32,
}

#[derive(Serialize)]
struct TurnEntry {
    turn: u32,
    seen: u32,
    #[serde(flatten)]
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<ShareEntry>>,
}

#[derive(Serialize)]
struct DealEntry<'a> {
    cards: &'a [String],
    satisfies: &'a [bool],
}

/// The report as JSON; its work where asked for: big counts are texts.
///
/// # Errors
/// None in practice: it is plain data.
pub fn to_json(report: &OddsReport, show: ShowWork) -> serde_json::Result<serde_json::Value> {
    let mut queries = report
        .answers
        .iter()
        .filter(|found| matches!(found.answer, Reply::Query(_)))
        .map(Found::query);
    let goal = match (queries.next(), queries.next()) {
        (Some(only), None) => only,
        _ => "the query itself",
    };
    serde_json::to_value(Document {
        notes: &report.remarks,
        schema: "decklaw/odds/1",
        deck: &report.deck,
        population: report.population,
        hand: report.hand,
        policy: policy(&report.policy, goal),
        answers: report
            .answers
            .iter()
            .map(|found| answer(report, found, show))
            .collect(),
        deals: report
            .deals
            .iter()
            .map(|deal| DealEntry {
                cards: &deal.cards,
                satisfies: &deal.satisfies,
            })
            .collect(),
    })
}

/// A policy as programs read it.
pub(crate) fn policy<'a>(policy: &'a Policy, goal: &'a str) -> PolicyEntry<'a> {
    PolicyEntry {
        mulligan: policy.mulligan.word(),
        limit: policy.limit,
        bottom: policy.bottoms(),
        keep: keep_in_words(policy, goal),
    }
}

fn answer<'a>(report: &'a OddsReport, found: &'a Found, show: ShowWork) -> AnswerEntry<'a> {
    let differs = found.policy != report.policy;
    let entry = AnswerEntry {
        query: found.query(),
        name: found.name.as_deref(),
        hand: found.hand.filter(|hand| report.hand != Some(*hand)),
        turn: found.turn,
        seen: found.seen(),
        notes: &found.remarks,
        policy: differs.then(|| policy(&found.policy, found.query())),
        ..AnswerEntry::default()
    };
    match &found.answer {
        Reply::Query(answer) | Reply::Path(answer) => AnswerEntry {
            value: value(&answer.likelihood),
            best: best(answer),
            work: answer.work.as_ref().filter(|_| show.0).map(work),
            turns: answer
                .turns
                .iter()
                .map(|turn| TurnEntry {
                    turn: turn.turn,
                    seen: turn.seen,
                    value: value(&turn.likelihood),
                    distribution: None,
                })
                .collect(),
            ..entry
        },
        Reply::Total(answer) => AnswerEntry {
            value: mean(&answer.total),
            distribution: Some(shares(&answer.total)),
            turns: answer
                .turns
                .iter()
                .map(|turn| TurnEntry {
                    turn: turn.turn,
                    seen: turn.seen,
                    value: mean(&turn.total),
                    distribution: Some(shares(&turn.total)),
                })
                .collect(),
            ..entry
        },
    }
}

fn mean(total: &Total) -> Value {
    match total {
        Total::Exact(exact) => Value {
            mean: Some(exact.mean.nearest()),
            mean_fraction: Some(exact.mean.to_string()),
            fraction: Some(exact.mean.to_string()),
            method: "exact",
            ..Value::default()
        },
        Total::Simulated(sample) => Value {
            mean: Some(sample.mean.mean),
            method: "simulated",
            low: Some(sample.mean.low),
            high: Some(sample.mean.high),
            hands: Some(sample.mean.hands),
            ..Value::default()
        },
    }
}

fn shares(total: &Total) -> Vec<ShareEntry> {
    let beyond = |value: i128| if value < 0 { i64::MIN } else { i64::MAX };
    let share = |(number, likelihood): (i128, Likelihood)| {
        let share = value(&likelihood);
        ShareEntry {
            value: i64::try_from(number).unwrap_or(beyond(number)),
            probability: likelihood.nearest(),
            fraction: share.fraction,
            low: share.low,
            high: share.high,
        }
    };
    total.shares().into_iter().map(share).collect()
}

fn work(work: &Work) -> WorkEntry<'_> {
    fn atom(atom: &Atom) -> AtomEntry<'_> {
        AtomEntry {
            label: &atom.label,
            cards: &atom.cards,
            copies: atom.copies,
        }
    }
    WorkEntry {
        atoms: work.atoms.iter().map(atom).collect(),
        rest: work.rest,
        seen: work.seen,
        hands: work.hands.to_string(),
        favourable: work.favourable.as_ref().map(ToString::to_string),
    }
}

fn best(answer: &Answer) -> Option<BestEntry<'_>> {
    let best = answer.best.as_ref()?;
    let never = best.never.nearest();
    Some(BestEntry {
        gain: answer.likelihood.nearest() - never,
        never,
        never_fraction: best.never.to_string(),
        rule: best
            .rule
            .iter()
            .map(|rule| rule.query().map_or_else(|| rule.to_string(), str::to_owned))
            .collect(),
        keep: best.rule.iter().map(KeepRule::query).collect(),
    })
}

fn value(likelihood: &Likelihood) -> Value {
    match likelihood {
        Likelihood::Exact(fraction) => Value {
            probability: Some(fraction.nearest()),
            fraction: Some(fraction.to_string()),
            method: "exact",
            ..Value::default()
        },
        Likelihood::Simulated(simulated) => Value {
            probability: Some(simulated.share()),
            method: "simulated",
            low: Some(simulated.low),
            high: Some(simulated.high),
            hands: Some(simulated.hands),
            ..Value::default()
        },
    }
}
