//! The report as JSON, schema `decklaw/odds/1`.

use crate::odds::session::{Finding, Found, OddsReport, keep_in_words};
use crate::odds::{Answer, Distribution, Fraction, Likelihood, Policy};
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
}

#[derive(Serialize)]
struct PolicyEntry<'a> {
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
    policy: Option<PolicyEntry<'a>>,
    #[serde(flatten)]
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<BestEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<ShareEntry>>,
    turns: Vec<TurnEntry>,
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
    rule: &'a [String],
}

#[derive(Serialize)]
struct ShareEntry {
    value: i64,
    probability: f64,
    fraction: String,
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

/// The report as JSON, one line with its end.
///
/// # Errors
/// None in practice; a writer's error otherwise.
pub fn to_json(report: &OddsReport) -> Result<String, serde_json::Error> {
    let mut alike = report.answers.iter().map(Found::query);
    let goal = match (alike.next(), alike.next()) {
        (Some(only), None) => only,
        _ => "the query itself",
    };
    let document = Document {
        schema: "decklaw/odds/1",
        deck: &report.deck,
        population: report.population,
        hand: report.hand,
        policy: policy(&report.policy, goal),
        answers: report
            .answers
            .iter()
            .map(|found| answer(report, found))
            .collect(),
        deals: report
            .deals
            .iter()
            .map(|deal| DealEntry {
                cards: &deal.cards,
                satisfies: &deal.satisfies,
            })
            .collect(),
    };
    Ok(serde_json::to_string(&document)? + "\n")
}

fn policy<'a>(policy: &'a Policy, goal: &'a str) -> PolicyEntry<'a> {
    PolicyEntry {
        mulligan: policy.mulligan.word(),
        limit: policy.limit,
        bottom: policy.bottoms(),
        keep: keep_in_words(policy, goal),
    }
}

fn answer<'a>(report: &'a OddsReport, found: &'a Found) -> AnswerEntry<'a> {
    let differs = found.policy != report.policy && found.hand.is_some();
    let entry = AnswerEntry {
        query: found.query(),
        name: found.name.as_deref(),
        hand: found.hand.filter(|hand| report.hand != Some(*hand)),
        policy: differs.then(|| policy(&found.policy, found.query())),
        ..AnswerEntry::default()
    };
    match &found.answer {
        Finding::Query(answer) | Finding::Path(answer) => AnswerEntry {
            value: value(&answer.likelihood),
            best: best(answer),
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
        Finding::Total(answer) => AnswerEntry {
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

fn mean(total: &Distribution) -> Value {
    Value {
        mean: Some(total.mean.nearest()),
        mean_fraction: Some(total.mean.to_string()),
        fraction: Some(total.mean.to_string()),
        method: "exact",
        ..Value::default()
    }
}

fn shares(total: &Distribution) -> Vec<ShareEntry> {
    let beyond = |value: i128| if value < 0 { i64::MIN } else { i64::MAX };
    let share = |(value, share): &(i128, Fraction)| ShareEntry {
        value: i64::try_from(*value).unwrap_or(beyond(*value)),
        probability: share.nearest(),
        fraction: share.to_string(),
    };
    total.values.iter().map(share).collect()
}

fn best(answer: &Answer) -> Option<BestEntry<'_>> {
    let best = answer.best.as_ref()?;
    let never = best.never.nearest();
    Some(BestEntry {
        gain: answer.likelihood.nearest() - never,
        never,
        never_fraction: best.never.to_string(),
        rule: &best.rule,
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
