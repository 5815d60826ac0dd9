//! Paths: one condition of the first cards, another of the first few more.

use super::Part;
use super::atoms::Atoms;
use super::chart::{Budget, Chart, TooMuchWork};
use super::condition::{Conditions, Formula};
use super::number::{Fraction, choose};
use super::{HandQuery, OddsError, Population};
use decklaw_core::text::Span;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The most steps of a path.
const MOST_STEPS: usize = 12;
/// More atoms than this are not gone through.
const MOST_ATOMS: usize = 2000;

/// Conditions one after another: `7: Q1; 9: Q2` is that Q1 holds of the first seven cards and
/// Q2 of the first nine.
///
/// ```
/// let path = decklaw_engine::odds::Path::parse("7: 1+ [type:monster]; 9: 2+ [type:monster]")?;
/// assert_eq!(path.steps().len(), 2);
/// # Ok::<(), decklaw_engine::odds::OddsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    text: String,
    steps: Vec<(u32, HandQuery, usize)>,
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// A step without a number of cards, numbers that do not grow, more than 12 steps, or a
    /// query that cannot be read.
    pub fn parse(text: &str) -> Result<Path, OddsError> {
        let fail = |message: &str, start: usize, length: usize| OddsError::Path {
            message: message.to_owned(),
            text: text.to_owned(),
            span: Span::new(start, start + length),
        };
        let mut steps: Vec<(u32, HandQuery, usize)> = Vec::new();
        for (start, step) in split(text) {
            if step.trim().is_empty() && !steps.is_empty() {
                continue;
            }
            let digits = step.find(':').map(|colon| &step[..colon]);
            let Some(number) = digits else {
                let message = "a step of a path is a number of cards, `:` and a query";
                return Err(fail(message, start, step.len()));
            };
            let seen: u32 = match number.trim().parse() {
                Ok(seen) => seen,
                Err(_) => {
                    let message = "a step begins with a number of cards, as in `7: 1+ []`";
                    return Err(fail(message, start, number.len()));
                }
            };
            if steps.last().is_some_and(|(before, _, _)| *before >= seen) {
                let message = "each step of a path sees more cards than the one before";
                return Err(fail(message, start, number.len()));
            }
            if steps.len() >= MOST_STEPS {
                return Err(fail("a path has at most 12 steps", start, step.len()));
            }
            let offset = start + number.len() + 1;
            let query = HandQuery::parse(&text[offset..start + step.len()])
                .map_err(|error| OddsError::query(Part::Path, text, error.moved(offset)))?;
            steps.push((seen, query, offset));
        }
        let text = text.trim().to_owned();
        Ok(Path { text, steps })
    }

    /// The path as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many cards each step sees, and what it asks of them.
    pub fn steps(&self) -> Vec<(u32, &HandQuery)> {
        let steps = self.steps.iter();
        steps.map(|(seen, query, _)| (*seen, query)).collect()
    }

    /// How likely every step holds. `work` as for [`super::Request::work`].
    ///
    /// # Errors
    /// A step that sees more cards than there are, a query that does not fit the cards,
    /// [`OddsError::TooMuchWork`].
    pub fn likelihood(
        &self,
        population: &Population<'_>,
        work: u64,
    ) -> Result<Fraction, OddsError> {
        let size = population.size();
        let mut conditions = Conditions::of(population);
        let mut formulas = Vec::new();
        for (seen, query, offset) in &self.steps {
            if *seen > size {
                return Err(OddsError::HandTooLarge { hand: *seen, size });
            }
            let formula = conditions.add(query);
            formulas.push(
                formula.map_err(|error| {
                    OddsError::query(Part::Path, &self.text, error.moved(*offset))
                })?,
            );
        }
        let ways = self
            .ways(population, &conditions, &formulas, work)
            .map_err(|TooMuchWork| OddsError::too_much_work(&self.text))?;
        Ok(Fraction::new(ways, fill(size, &self.segments())))
    }

    /// In how many ways the cards seen satisfy every step.
    fn ways(
        &self,
        population: &Population<'_>,
        conditions: &Conditions<'_>,
        formulas: &[Formula],
        work: u64,
    ) -> Result<BigUint, TooMuchWork> {
        let atoms = Atoms::of(population, conditions);
        let mut budget = Budget::new(work);
        if atoms.len() > MOST_ATOMS {
            return Err(TooMuchWork);
        }
        let mut charts = Vec::new();
        for (formula, (seen, _, _)) in formulas.iter().zip(&self.steps) {
            let tallies = &conditions.tallies;
            charts.push(Chart::new(&atoms, tallies, formula, *seen, &mut budget)?);
        }
        let first = charts.iter().map(Chart::first).collect();
        let mut walk = Walk {
            atoms: &atoms,
            charts,
            known: FxHashMap::default(),
            budget,
        };
        walk.ways(0, first, self.segments())
    }

    /// How many cards each step sees that the one before did not.
    fn segments(&self) -> Vec<u32> {
        let mut before = 0;
        let steps = self.steps.iter();
        steps
            .map(|(seen, _, _)| seen - std::mem::replace(&mut before, *seen))
            .collect()
    }
}

/// The parts between semicolons, brackets and quotation marks respected, and where they begin.
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

/// In how many ways cards fill the segments.
fn fill(mut cards: u32, segments: &[u32]) -> BigUint {
    let mut ways = BigUint::from(1_u32);
    for segment in segments {
        ways *= choose(cards, *segment);
        cards = cards.saturating_sub(*segment);
    }
    ways
}

struct Walk<'a> {
    atoms: &'a Atoms,
    charts: Vec<Chart>,
    known: FxHashMap<(usize, Vec<u32>, Vec<u32>), BigUint>,
    budget: Budget,
}

impl Walk<'_> {
    /// In how many ways the atoms from `level` on fill the room that the segments have left.
    fn ways(
        &mut self,
        level: usize,
        states: Vec<u32>,
        room: Vec<u32>,
    ) -> Result<BigUint, TooMuchWork> {
        if states.iter().any(|state| Chart::is_no(*state)) {
            return Ok(BigUint::ZERO);
        }
        if states.iter().all(|state| Chart::is_yes(*state)) {
            let left = self.atoms.sizes[level..].iter().sum::<u32>() + self.atoms.rest;
            return Ok(fill(left, &room));
        }
        let key = (level, states, room);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let mut sum = BigUint::ZERO;
        let mut taken = vec![0; key.2.len()];
        loop {
            self.budget.spend(60 + 10 * taken.len() as u64)?;
            let mut seen = 0;
            let mut states = Vec::with_capacity(taken.len());
            for (at, chart) in self.charts.iter().enumerate() {
                seen += taken[at];
                states.push(chart.after(key.1[at], seen));
            }
            let room = key.2.iter().zip(&taken).map(|(room, taken)| room - taken);
            let further = self.ways(level + 1, states, room.collect())?;
            if further != BigUint::ZERO {
                sum += further * fill(self.atoms.sizes[level], &taken);
            }
            if !advance(&mut taken, &key.2, self.atoms.sizes[level]) {
                break;
            }
        }
        let parts = 4 * (key.1.len() + key.2.len());
        self.budget.hold(128 + parts as u64 + sum.bits() / 8)?;
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
