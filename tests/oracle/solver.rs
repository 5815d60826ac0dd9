//! The search against another solver, `microlp`, on random programs.

use super::random::Random;
use decklaw::solve::{Column, Demand, Outcome, Program, search};
use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, SolveOptions};

/// The smallest cost by the other solver, or none where nothing satisfies the program. `Err`: what
/// it found holds only in its floating numbers.
pub(crate) fn smallest(program: &Program) -> Result<Option<i64>, Vec<i64>> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let end = |bound: i64| bound.clamp(-1_000_000, 1_000_000) as i32;
    let columns: Vec<_> = program
        .columns
        .iter()
        .map(|column| {
            let bounds = (end(column.lower), end(column.upper));
            problem.add_integer_var(column.cost as f64, bounds)
        })
        .collect();
    for demand in &program.demands {
        let terms = demand.terms.iter();
        let terms: Vec<_> =
            terms.map(|(column, factor)| (columns[*column], *factor as f64)).collect();
        for (end, comparison) in [(demand.low, ComparisonOp::Ge), (demand.high, ComparisonOp::Le)] {
            if let Some(end) = end {
                problem.add_constraint(&terms, comparison, end as f64);
            }
        }
    }
    match problem.solve_with(SolveOptions::default()) {
        Ok(outcome) => {
            assert!(outcome.is_optimal());
            let solution = outcome.into_solution().unwrap();
            let values: Vec<i64> =
                columns.iter().map(|column| solution.var_value(*column).round() as i64).collect();
            if program.holds(&values) { Ok(Some(program.cost(&values))) } else { Err(values) }
        }
        Err(Error::Infeasible) => Ok(None),
        Err(error) => panic!("{error:?}"),
    }
}

/// Whether the search proved its answer; what it says must be true in any case.
fn compare(program: &Program, what: &str) -> bool {
    let Ok(other) = smallest(program) else {
        return true;
    };
    match search(program, &mut 5_000) {
        Outcome::Smallest(values) => {
            assert!(program.holds(&values), "{what}");
            assert_eq!(Some(program.cost(&values)), other, "{what}: {program:?}");
        }
        Outcome::Nothing => assert_eq!(other, None, "{what}: {program:?}"),
        Outcome::Limited(best, bound) => {
            let other = other.unwrap_or(i64::MAX);
            let best = best.map_or(i64::MAX, |values| program.cost(&values));
            assert!(bound <= other && other <= best, "{what}: {program:?}");
            return false;
        }
    }
    true
}

fn invented(random: &mut Random) -> Program {
    let columns: Vec<Column> = (0..2 + random.below(9))
        .map(|_| {
            let cost = random.below(6) as i64;
            let below = if cost == 0 { random.below(3) as i64 } else { 0 };
            let lower = random.below(3) as i64 - below;
            Column {
                lower,
                upper: lower + random.below(7) as i64,
                cost,
                first: random.below(3) == 0,
            }
        })
        .collect();
    let demands = (0..1 + random.below(6))
        .map(|_| {
            let terms: Vec<(usize, i64)> = (0..columns.len())
                .map(|column| (column, random.below(13) as i64 - 6))
                .filter(|(_, factor)| *factor != 0)
                .collect();
            let low = random.below(25) as i64 - 12;
            let (low, high) = match random.below(4) {
                0 => (Some(low), None),
                1 => (None, Some(low)),
                2 => (Some(low), Some(low)),
                _ => (Some(low), Some(low + random.below(5) as i64)),
            };
            Demand { terms, low, high }
        })
        .filter(|demand| !demand.terms.is_empty())
        .collect();
    Program { columns, demands, fixed_cost: random.below(4) as i64 }
}

#[test]
fn another_solver_finds_nothing_smaller_in_random_programs() {
    let mut random = Random::new("programs");
    let (mut possible, mut proven) = (0, 0);
    for number in 0..400 {
        let program = invented(&mut random);
        possible += usize::from(matches!(smallest(&program), Ok(Some(_))));
        proven += usize::from(compare(&program, &format!("{number}")));
    }
    assert!(proven > 390 && (100..350).contains(&possible), "{proven} {possible}");
}
