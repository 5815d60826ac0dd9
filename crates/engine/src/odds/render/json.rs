//! The report as JSON, schema `decklaw/odds/1`.

use super::ShowWork;
use crate::odds::session::{Found, OddsReport, Reply, keep_in_words};
use crate::odds::{Answer, Atom, Distribution, Fraction, KeepRule, Mean, Policy, Work};
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

#[derive(Serialize)]
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

/// A probability or a mean; null where the question was refused.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Probability {
        probability: Option<f64>,
        fraction: Option<String>,
        method: &'static str,
    },
    Mean {
        mean: Option<f64>,
        mean_fraction: Option<String>,
        fraction: Option<String>,
        method: &'static str,
    },
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
    fraction: String,
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
        .filter(|found| match &found.answer {
            Reply::Query(_) => true,
            Reply::Refused(refused) => found.hand.is_some() && !refused.is_total,
            Reply::Path(_) | Reply::Total(_) => false,
        })
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
    let entry = |value: Value, turns: Vec<TurnEntry>| AnswerEntry {
        query: found.query(),
        name: found.name.as_deref(),
        hand: found.hand.filter(|hand| report.hand != Some(*hand)),
        turn: found.turn,
        seen: found.seen(),
        policy: differs.then(|| policy(&found.policy, found.query())),
        value,
        best: None,
        distribution: None,
        turns,
        notes: &found.remarks,
        work: None,
    };
    let turn = |turn, seen, value, distribution| TurnEntry {
        turn,
        seen,
        value,
        distribution,
    };
    match &found.answer {
        Reply::Query(answer) | Reply::Path(answer) => {
            let turns = answer.turns.iter().map(|at| {
                let value = probability(Some(&at.likelihood));
                turn(at.turn, at.seen, value, None)
            });
            AnswerEntry {
                best: best(answer),
                work: answer.work.as_ref().filter(|_| show.0).map(work),
                ..entry(probability(Some(&answer.likelihood)), turns.collect())
            }
        }
        Reply::Total(answer) => {
            let turns = answer.turns.iter().map(|at| {
                let value = mean(Some(&at.total));
                turn(at.turn, at.seen, value, Some(shares(&at.total)))
            });
            AnswerEntry {
                distribution: Some(shares(&answer.total)),
                ..entry(mean(Some(&answer.total)), turns.collect())
            }
        }
        Reply::Refused(refused) => {
            let value = || {
                if refused.is_total {
                    mean(None)
                } else {
                    probability(None)
                }
            };
            let turns = refused.turns.iter();
            let turns = turns.map(|(at, seen)| turn(*at, *seen, value(), None));
            entry(value(), turns.collect())
        }
    }
}

fn method(is_exact: bool) -> &'static str {
    if is_exact { "exact" } else { "refused" }
}

fn probability(fraction: Option<&Fraction>) -> Value {
    Value::Probability {
        probability: fraction.map(Fraction::nearest),
        fraction: fraction.map(ToString::to_string),
        method: method(fraction.is_some()),
    }
}

fn mean(total: Option<&Distribution>) -> Value {
    let mean = total.map(|total| &total.mean);
    let fraction = mean.map(ToString::to_string);
    Value::Mean {
        mean: mean.map(Mean::nearest),
        mean_fraction: fraction.clone(),
        fraction,
        method: method(total.is_some()),
    }
}

fn shares(total: &Distribution) -> Vec<ShareEntry> {
    let beyond = |value: i128| if value < 0 { i64::MIN } else { i64::MAX };
    let share = |(number, fraction): &(i128, Fraction)| ShareEntry {
        value: i64::try_from(*number).unwrap_or(beyond(*number)),
        probability: fraction.nearest(),
        fraction: fraction.to_string(),
    };
    total.values.iter().map(share).collect()
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
