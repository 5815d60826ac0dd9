//! Certificates: the claim of a repair as an instance and a proof that a checker of pseudo-Boolean
//! proofs (VeriPB 3) accepts. Neither depends on decklaw.
//!
//! After an answer the proof is searched for separately, on constraints that are written from the
//! rules' linear form before anything is reduced; the search for the answer records nothing.
//! `docs/proofs.md` says how a certificate is read and checked.

mod instance;
mod prove;

use super::fold::search;
use super::levels::Level;
use super::problem::Problem;
use super::program::Set;
use super::search::Outcome;
use super::{Advice, Decklist, Repair, SolvedDeck, Wishes};
use decklaw_decks::deck::MOST_COPIES;
pub(super) use instance::{Case, Ends};
use instance::{Goal, Instance, Limit, Source};
use prove::{ProofOutcome, prove};
use std::fmt;

/// A claim and what proves it.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// What is claimed, a sentence or two.
    pub claim: String,
    /// The instance, in the OPB format.
    pub instance: String,
    /// The proof, in the format of VeriPB 3.
    pub proof: String,
    /// Which number of the instance is which card, a line each.
    pub legend: String,
    /// The facts of the claim that the instance does not hold: for a tuned deck, the counts that
    /// hands see and the exact odds of each, as CSV.
    pub table: Option<String>,
}

/// Why there is no certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uncertified {
    /// The answer itself is not proven.
    Unproven,
    /// No proof of this claim was found within the work allowed.
    Unfinished(String),
    /// The search for a proof of this claim ended without one, and more work finds none.
    Open(String),
    /// There is too much to look for a proof of this claim, whatever work is allowed.
    TooLarge(String),
    /// The claim is wrong, or its answer is none: a defect of the program.
    Wrong(String),
}

impl fmt::Display for Uncertified {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncertified::Unproven => {
                out.write_str("the answer is not proven: there is no proof to write")
            }
            Uncertified::Unfinished(claim) => write!(
                out,
                "no proof was found in the time allowed (`--effort` raises it) of this: {claim}"
            ),
            Uncertified::Open(claim) => write!(
                out,
                "no proof was found, and more `--effort` finds none: the search cannot close a case of this: {claim}"
            ),
            Uncertified::TooLarge(claim) => {
                write!(out, "there are too many cards here to look for a proof of this: {claim}")
            }
            Uncertified::Wrong(claim) => write!(
                out,
                "this was claimed and does not hold, which is a defect in decklaw: {claim}"
            ),
        }
    }
}

impl std::error::Error for Uncertified {}

/// The steps of a proof for each step of its answer.
const TIMES: u64 = 10;

/// What proves a repair: that no legal deck that satisfies the wishes is nearer, or that there is
/// none at all. Several certificates cover a claim together where something is preferred.
///
/// # Errors
/// An answer that is not proven, or a proof that was not found.
pub fn certify(
    deck: &Decklist,
    wishes: &Wishes,
    repair: &Repair,
) -> Result<Vec<Certificate>, Uncertified> {
    match repair {
        Repair::Unknown => Err(Uncertified::Unproven),
        Repair::Found(found) if !found.optimal() => Err(Uncertified::Unproven),
        Repair::Found(found) => of_levels(deck, wishes, found),
        Repair::Impossible(_) => Ok(vec![impossible(deck, wishes)?]),
    }
}

fn impossible(deck: &Decklist, wishes: &Wishes) -> Result<Certificate, Uncertified> {
    let contents = deck.contents();
    let problem = Problem::new(deck, &contents, wishes, wishes.advice == Advice::First);
    let claim = "No deck satisfies all rules and wishes.".to_owned();
    let source = Source::new(&problem, Goal::Any, i64::from(MOST_COPIES));
    certificate(&source, None, claim, None)
}

/// That an answer is best in each thing in turn: what is preferred, aims, then the distance.
fn of_levels(
    deck: &Decklist,
    wishes: &Wishes,
    found: &SolvedDeck,
) -> Result<Vec<Certificate>, Uncertified> {
    let contents = deck.contents();
    let mut problem = Problem::new(deck, &contents, wishes, wishes.advice == Advice::First);
    if wishes.advice == Advice::First {
        // Which advice is followed is settled on the way.
        let levels = wishes.levels();
        let is_before = |level: &&Level<'_>| !matches!(level, Level::Leaving(_) | Level::Shape(_));
        let levels: Vec<Level<'_>> = levels.iter().take_while(is_before).copied().collect();
        let all = problem.lexicographic(&levels);
        if !matches!(&all, Repair::Found(again) if again.distance == found.distance) {
            return Err(Uncertified::Unproven);
        }
    }
    let mut certificates = Vec::new();
    let sums = problem.misses.clone();
    let levels = wishes.prefer.iter().chain(&wishes.aims).zip(&sums);
    let values: Vec<i64> = found.missed.iter().chain(&found.aims).copied().collect();
    let mut kept: Vec<Limit> = Vec::new();
    for ((wish, sum), value) in levels.zip(&values) {
        if *value > 0 {
            let claim = format!(
                "No legal deck is nearer than {value} to what is preferred, {}{}.",
                wish.text(),
                before(kept.len())
            );
            let mut source = Source::new(&problem, Goal::Sum(sum), i64::from(MOST_COPIES));
            source.limits.clone_from(&kept);
            let answer = Some(&found.deck);
            certificates.push(certificate(&source, answer, claim, Some(*value))?);
        }
        let why = format!("what is preferred, {}, is missed by {value} at most", wish.text());
        kept.push((sum.clone(), *value, why));
    }
    let copies = found.distance - problem.gone;
    let mut claim = format!(
        "A legal deck differs from the deck by {copies} copies{}, and none by fewer{}.",
        if wishes.must.is_empty() { "" } else { " and satisfies the wishes" },
        before(kept.len())
    );
    if problem.gone > 0 {
        claim += &format!(
            " {} more, of cards that no pool knows, have to go in any case.",
            problem.gone
        );
    }
    let mut source = Source::new(&problem, Goal::Changed, copies);
    source.limits = kept;
    certificates.push(certificate(&source, Some(&found.deck), claim, Some(copies))?);
    Ok(certificates)
}

fn before(levels: usize) -> &'static str {
    match levels {
        0 => "",
        _ => ", given what was preferred before",
    }
}

impl<'s, 'c> Source<'s, 'c> {
    fn new(problem: &'s Problem<'c>, goal: Goal<'s>, most_in: i64) -> Source<'s, 'c> {
        Source {
            problem,
            most_in: most_in.max(1),
            limits: Vec::new(),
            most_exchanged: None,
            one_of: None,
            goal,
        }
    }
}

/// Certifies that no deck within some exchanges satisfies a problem in one of some cases.
pub(super) fn no_case(
    problem: &Problem<'_>,
    exchanges: i64,
    cases: Option<&[Case]>,
    claim: String,
) -> Result<Certificate, Uncertified> {
    let source = Source {
        most_exchanged: Some(exchanges),
        one_of: cases,
        ..Source::new(problem, Goal::Any, exchanges)
    };
    certificate(&source, None, claim, None)
}

/// The certificate of one claim: that an answer is best, or without one that there is none.
fn certificate(
    source: &Source<'_, '_>,
    answer: Option<&Decklist>,
    claim: String,
    value: Option<i64>,
) -> Result<Certificate, Uncertified> {
    let Ok(instance) = source.instance() else {
        return Err(Uncertified::TooLarge(claim));
    };
    let problem = source.problem;
    let is_claimed = |values: &Vec<i64>| value.is_none_or(|value| instance.value(values) == value);
    let values = answer.and_then(|answer| {
        let known = instance.of_deck(problem, answer)?;
        complete(&instance, &known).filter(is_claimed)
    });
    if answer.is_some() && values.is_none() {
        return Err(Uncertified::Wrong(claim));
    }
    let effort = problem.wishes.effort.saturating_mul(TIMES);
    match prove(&instance, values.as_deref(), effort) {
        ProofOutcome::Proof(proof) => Ok(Certificate {
            instance: instance.opb(&claim),
            legend: instance.legend(),
            claim,
            proof,
            table: None,
        }),
        ProofOutcome::Wrong => Err(Uncertified::Wrong(claim)),
        ProofOutcome::Limited => Err(Uncertified::Unfinished(claim)),
        ProofOutcome::Open => Err(Uncertified::Open(claim)),
        ProofOutcome::TooLarge => Err(Uncertified::TooLarge(claim)),
    }
}

/// The values of all numbers where those of some are known; `None`: there are none.
fn complete(instance: &Instance, known: &[(usize, i64)]) -> Option<Vec<i64>> {
    /// Propagation does most of it.
    const STEPS: u64 = 100_000;
    let known: Vec<Set> = (known.iter())
        .map(|(column, value)| Set { column: *column, lower: *value, upper: *value })
        .collect();
    let program = instance.program(instance.demands.clone());
    match search(&program.with(&known), &mut STEPS.clone()) {
        Outcome::Smallest(values) => Some(values),
        Outcome::Nothing | Outcome::Limited(..) => None,
    }
}
