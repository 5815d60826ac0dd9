//! Paths: a condition on the first cards, another on the first few more.

use super::atoms::Atoms;
use super::budget::{Budget, Limit};
use super::conditions::Conditions;
use super::diagram::Diagram;
use super::fraction::Fraction;
use super::hands::MOST_ATOMS;
use super::number::choose;
use super::residual::{NO, YES};
use super::{HandQuery, OddsError, Population, wrong_query};
use decklaw_cards::query::QueryError;
use decklaw_text::problem::Problem;
use decklaw_text::text::Span;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The most steps of a path.
const MOST_STEPS: usize = 12;

/// Conditions one after another: `7: Q1; 9: Q2` holds if the first 7 cards satisfy Q1 and the
/// first 9 satisfy Q2.
///
/// ```
/// let path = decklaw_engine::odds::Path::parse("7: 1+ [type:monster]; 9: 2+ [type:monster]")?;
/// assert_eq!(path.steps().len(), 2);
/// # Ok::<(), decklaw_text::Problem>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    text: String,
    /// The cards that each step sees, its query, and where the query begins in the text.
    steps: Vec<(u32, HandQuery, usize)>,
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// A step without a number of cards, numbers that do not grow, more than 12 steps, or a
    /// query that cannot be read.
    pub fn parse(text: &str) -> Result<Path, Problem> {
        let fail = |message: &str, start: usize, length: usize| {
            let error = QueryError::at(message, Span::new(start, start + length));
            wrong_query("the path", text, &error)
        };
        let mut steps: Vec<(u32, HandQuery, usize)> = Vec::new();
        for (start, step) in split(text) {
            if step.trim().is_empty() && !steps.is_empty() {
                continue;
            }
            let Some((number, query)) = step.split_once(':') else {
                let message = "write a step of a path as a number of cards, `:` and a query";
                return Err(fail(message, start, step.len()));
            };
            let Ok(seen) = number.trim().parse::<u32>() else {
                let message = "a step of a path begins with a number of cards, as in `7: 1+ []`";
                return Err(fail(message, start, number.len()));
            };
            if steps.last().is_some_and(|(before, ..)| *before >= seen) {
                let message = "each step of a path must see more cards than the step before";
                return Err(fail(message, start, number.len()));
            }
            if steps.len() >= MOST_STEPS {
                return Err(fail("a path has at most 12 steps", start, step.len()));
            }
            let offset = start + number.len() + 1;
            let query = HandQuery::parse(query)
                .map_err(|error| wrong_query("the path", text, &error.moved(offset)))?;
            steps.push((seen, query, offset));
        }
        let text = text.trim().to_owned();
        Ok(Path { text, steps })
    }

    /// The path as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The cards that each step sees, and its query.
    pub fn steps(&self) -> Vec<(u32, &HandQuery)> {
        let steps = self.steps.iter();
        steps.map(|(seen, query, _)| (*seen, query)).collect()
    }

    /// The probability that every step holds. `work` and `memory` are as in a [`Request`](super::Request).
    ///
    /// # Errors
    /// A step that sees more cards than there are, a query that cannot be asked of the cards,
    /// [`OddsError::Limit`].
    pub fn likelihood(
        &self,
        population: &Population<'_>,
        work: u64,
        memory: u64,
    ) -> Result<Fraction, OddsError> {
        let size = population.size();
        let mut conditions = Conditions::of(population, memory);
        let (mut formulas, mut segments, mut before) = (Vec::new(), Vec::new(), 0);
        for (seen, query, offset) in &self.steps {
            if *seen > size {
                return Err(OddsError::too_large_a_hand(*seen, size));
            }
            let formula = conditions
                .add(query)
                .map_err(|error| wrong_query("the path", &self.text, &error.moved(*offset)))?;
            formulas.push(formula);
            segments.push(seen - before);
            before = *seen;
        }
        let atoms = Atoms::of(population, &conditions, None);
        let all = fill(size, &segments);
        let count = || {
            let mut budget = Budget::new(work, conditions.memory);
            if atoms.len() > MOST_ATOMS {
                return Err(Limit::Memory);
            }
            let mut diagrams = Vec::new();
            for (formula, (seen, ..)) in formulas.iter().zip(&self.steps) {
                let sums = &conditions.sums;
                diagrams.push(Diagram::new(&atoms, sums, formula, *seen, &mut budget)?);
            }
            let states = diagrams.iter().map(|diagram| diagram.root).collect();
            let mut walk = Walk { atoms: &atoms, diagrams, known: FxHashMap::default(), budget };
            walk.ways(0, states, segments)
        };
        match count() {
            Ok(ways) => Ok(Fraction::new(ways, all)),
            Err(limit) => {
                let size = super::ask::size_in_words(&atoms, before, 0);
                Err(OddsError::beyond(limit, &self.text, &size, memory))
            }
        }
    }
}

/// The parts between semicolons that are not in brackets or quotation marks, and where each begins.
fn split(text: &str) -> Vec<(usize, &str)> {
    let (mut parts, mut start, mut quoted, mut bracketed) = (Vec::new(), 0, false, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '[' if !quoted => bracketed = true,
            ']' if !quoted => bracketed = false,
            ';' if !quoted && !bracketed => {
                parts.push((start, &text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((start, &text[start..]));
    parts
}

/// The number of ways in which cards fill the segments.
fn fill(mut cards: u32, segments: &[u32]) -> BigUint {
    let mut ways = BigUint::from(1_u32);
    for segment in segments {
        ways *= choose(cards, *segment);
        cards = cards.saturating_sub(*segment);
    }
    ways
}

/// The diagrams of all steps, followed together.
struct Walk<'a> {
    atoms: &'a Atoms,
    diagrams: Vec<Diagram>,
    known: FxHashMap<(usize, Vec<u32>, Vec<u32>), BigUint>,
    budget: Budget,
}

impl Walk<'_> {
    /// The number of ways in which the atoms from `level` on fill the room that the segments have
    /// left, so that every step holds.
    fn ways(&mut self, level: usize, states: Vec<u32>, room: Vec<u32>) -> Result<BigUint, Limit> {
        if states.contains(&NO) {
            return Ok(BigUint::ZERO);
        }
        if states.iter().all(|state| *state == YES) {
            let left = self.atoms.sizes[level..].iter().sum::<u32>() + self.atoms.rest;
            return Ok(fill(left, &room));
        }
        let key = (level, states, room);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let (_, states, room) = &key;
        let mut sum = BigUint::ZERO;
        let mut taken = vec![0; room.len()];
        loop {
            self.budget.spend(60 + 10 * taken.len() as u64)?;
            let mut seen = 0;
            let mut next = Vec::with_capacity(taken.len());
            for ((diagram, state), taken) in self.diagrams.iter().zip(states).zip(&taken) {
                seen += taken;
                next.push(diagram.after(*state, seen));
            }
            let left = room.iter().zip(&taken).map(|(room, taken)| room - taken);
            let further = self.ways(level + 1, next, left.collect())?;
            if further != BigUint::ZERO {
                sum += further * fill(self.atoms.sizes[level], &taken);
            }
            if !advance(&mut taken, room, self.atoms.sizes[level]) {
                break;
            }
        }
        // The key, its lists and the number, and the half that a table keeps free.
        let parts = 4 * (states.len() + room.len());
        self.budget.hold(320 + parts as u64 + sum.bits() / 8)?;
        self.known.insert(key, sum.clone());
        Ok(sum)
    }
}

/// The next way to spread at most `cards` over the segments' room; `false` after the last.
fn advance(taken: &mut [u32], room: &[u32], cards: u32) -> bool {
    for at in 0..taken.len() {
        if taken[at] < room[at] && taken.iter().sum::<u32>() < cards {
            taken[at] += 1;
            return true;
        }
        taken[at] = 0;
    }
    false
}
