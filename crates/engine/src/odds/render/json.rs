//! The report as JSON, schema `decklaw/odds/1`.

use super::ShowWork;
use crate::odds::session::{Found, OddsReport, Reply, keep_in_words};
use crate::odds::{Answer, Atom, Distribution, Fraction, Mean, Policy, Work};
use serde::Serialize;

/// The answers of a run: `decklaw/odds/1`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "schema", rename = "decklaw/odds/1")]
#[non_exhaustive]
pub struct OddsJson {
    /// What the deck is called.
    pub deck: String,
    /// Cards drawn from.
    pub population: u32,
    /// Cards of the opening hand; `None` for a path alone.
    pub hand: Option<u32>,
    /// How a hand is kept.
    pub policy: PolicyJson,
    /// What was found, in the order asked.
    pub answers: Vec<AnswerJson>,
    /// Sample hands, where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<DealJson>,
    /// What a reader should know besides, sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How a hand is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PolicyJson {
    /// The kind of mulligan.
    pub mulligan: String,
    /// The most mulligans taken.
    pub limit: u32,
    /// Cards bottomed after 0, 1, … mulligans.
    pub bottom: Vec<u32>,
    /// When a hand is kept; `None`: always.
    pub keep: Option<String>,
}

/// An answer, with what of its question differs from the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnswerJson {
    /// What was asked, as written.
    pub query: String,
    /// The preset's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Cards of the opening hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// The turn by which it must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// Cards seen by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<u32>,
    /// How a hand is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyJson>,
    /// The number.
    #[serde(flatten)]
    pub value: Number,
    /// What keeping the best hand gains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestJson>,
    /// The values of a total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<ShareJson>>,
    /// The same by turn.
    pub turns: Vec<TurnJson>,
    /// What the query asks in vain, and what would help where it was refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The counts from which anyone can count again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<WorkJson>,
}

/// A probability or a mean; its numbers are `None` where the question was refused.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// Of a query or a path.
    Probability {
        /// The nearest double.
        probability: Option<f64>,
        /// The exact value, `a/b`.
        fraction: Option<String>,
        /// `exact` or `refused`.
        method: &'static str,
    },
    /// Of a total.
    Mean {
        /// The nearest double.
        mean: Option<f64>,
        /// The exact value, `a/b`.
        mean_fraction: Option<String>,
        /// The same.
        fraction: Option<String>,
        /// `exact` or `refused`.
        method: &'static str,
    },
}

impl Number {
    /// The probability as the nearest double; `None` of a total, and where it was refused.
    pub fn probability(&self) -> Option<f64> {
        match self {
            Number::Probability { probability, .. } => *probability,
            Number::Mean { .. } => None,
        }
    }

    /// The exact probability or mean, `a/b`; `None` where it was refused.
    pub fn fraction(&self) -> Option<&str> {
        match self {
            Number::Probability { fraction, .. } | Number::Mean { fraction, .. } => {
                fraction.as_deref()
            }
        }
    }
}

/// What keeping the best hand gains, and what it amounts to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BestJson {
    /// What it adds to the probability.
    pub gain: f64,
    /// The probability without a mulligan.
    pub never: f64,
    /// The same as `a/b`.
    pub never_fraction: String,
    /// Which hands are kept after 0, 1, … mulligans, for people.
    pub rule: Vec<String>,
    /// The same as a hand query; `None` where no short query says it.
    pub keep: Vec<Option<String>>,
}

/// How likely a value of a total is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShareJson {
    /// The value.
    pub value: i64,
    /// The nearest double.
    pub probability: f64,
    /// The exact value, `a/b`.
    pub fraction: String,
}

/// The counts from which anyone can count again; large numbers are texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WorkJson {
    /// Cards that the query does not tell apart.
    pub atoms: Vec<AtomJson>,
    /// Copies of all other cards.
    pub rest: u32,
    /// Cards seen.
    pub seen: u32,
    /// Hands of so many cards.
    pub hands: String,
    /// Those that satisfy the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub favourable: Option<String>,
}

/// Cards that a query does not tell apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AtomJson {
    /// What they have in common.
    pub label: String,
    /// Their names.
    pub cards: Vec<String>,
    /// Their copies.
    pub copies: u32,
}

/// An answer by a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TurnJson {
    /// The turn, from 1.
    pub turn: u32,
    /// Cards seen by then.
    pub seen: u32,
    /// The number.
    #[serde(flatten)]
    pub value: Number,
    /// The values of a total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<ShareJson>>,
}

/// A sample hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DealJson {
    /// Its cards.
    pub cards: Vec<String>,
    /// Whether it satisfies each query.
    pub satisfies: Vec<bool>,
}

impl OddsJson {
    /// The numbers of a report; the counts behind them where asked for.
    pub fn of(report: &OddsReport, show: ShowWork) -> OddsJson {
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
        OddsJson {
            notes: report.remarks.clone(),
            deck: report.deck.clone(),
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
                .map(|deal| DealJson {
                    cards: deal.cards.clone(),
                    satisfies: deal.satisfies.clone(),
                })
                .collect(),
        }
    }
}

/// A policy as programs read it.
pub fn policy(policy: &Policy, goal: &str) -> PolicyJson {
    PolicyJson {
        mulligan: policy.mulligan.word().to_owned(),
        limit: policy.limit,
        bottom: policy.bottoms(),
        keep: keep_in_words(policy, goal).map(str::to_owned),
    }
}

fn answer(report: &OddsReport, found: &Found, show: ShowWork) -> AnswerJson {
    let differs = found.policy != report.policy;
    let entry = |value: Number, turns: Vec<TurnJson>| AnswerJson {
        query: found.query().to_owned(),
        name: found.name.clone(),
        hand: found.hand.filter(|hand| report.hand != Some(*hand)),
        turn: found.turn,
        seen: found.seen(),
        policy: differs.then(|| policy(&found.policy, found.query())),
        value,
        best: None,
        distribution: None,
        turns,
        notes: found.remarks.clone(),
        work: None,
    };
    let turn = |turn, seen, value, distribution| TurnJson {
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
            AnswerJson {
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
            AnswerJson {
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

fn probability(fraction: Option<&Fraction>) -> Number {
    Number::Probability {
        probability: fraction.map(Fraction::nearest),
        fraction: fraction.map(ToString::to_string),
        method: method(fraction.is_some()),
    }
}

fn mean(total: Option<&Distribution>) -> Number {
    let mean = total.map(|total| &total.mean);
    let fraction = mean.map(ToString::to_string);
    Number::Mean {
        mean: mean.map(Mean::nearest),
        mean_fraction: fraction.clone(),
        fraction,
        method: method(total.is_some()),
    }
}

fn shares(total: &Distribution) -> Vec<ShareJson> {
    let beyond = |value: i128| if value < 0 { i64::MIN } else { i64::MAX };
    let share = |(number, fraction): &(i128, Fraction)| ShareJson {
        value: i64::try_from(*number).unwrap_or(beyond(*number)),
        probability: fraction.nearest(),
        fraction: fraction.to_string(),
    };
    total.values.iter().map(share).collect()
}

fn work(work: &Work) -> WorkJson {
    fn atom(atom: &Atom) -> AtomJson {
        AtomJson {
            label: atom.label.clone(),
            cards: atom.cards.clone(),
            copies: atom.copies,
        }
    }
    WorkJson {
        atoms: work.atoms.iter().map(atom).collect(),
        rest: work.rest,
        seen: work.seen,
        hands: work.hands.to_string(),
        favourable: work.favourable.as_ref().map(ToString::to_string),
    }
}

fn best(answer: &Answer) -> Option<BestJson> {
    let best = answer.best.as_ref()?;
    let never = best.never.nearest();
    Some(BestJson {
        gain: answer.likelihood.nearest() - never,
        never,
        never_fraction: best.never.to_string(),
        rule: best
            .rule
            .iter()
            .map(|rule| rule.query().map_or_else(|| rule.to_string(), str::to_owned))
            .collect(),
        keep: best
            .rule
            .iter()
            .map(|rule| rule.query().map(str::to_owned))
            .collect(),
    })
}
