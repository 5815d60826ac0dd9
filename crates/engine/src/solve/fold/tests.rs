//! Folded programs against the search of the whole: random programs of many parts, most of them
//! alike, as pools of titles with several printings make them.

use super::{FoldedProgram, Marks, Set};
use crate::solve::program::{Column, Demand, Program};
use crate::solve::search::{KnownSolutions, Outcome, search_whole};

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as i64
    }

    fn is(&mut self, one_in: i64) -> bool {
        self.below(one_in) == 0
    }
}

/// Columns with their factors.
type Terms = Vec<(usize, i64)>;

/// What all parts of a kind have in common.
struct Shape {
    columns: Vec<Column>,
    /// Demands within the part: terms by place, terms by number of those that stand by
    /// themselves, and ends.
    local: Vec<(Terms, Terms, Option<i64>, Option<i64>)>,
    /// The factors of each column in the demands that all share.
    shared: Vec<Vec<i64>>,
}

fn shape(random: &mut Random, alone: usize, shared: usize) -> Shape {
    let width = 1 + random.below(3) as usize;
    let mut columns: Vec<Column> = (0..width)
        .map(|_| Column {
            lower: 0,
            upper: 1 + random.below(3),
            cost: random.below(3),
            first: false,
        })
        .collect();
    if random.is(6) {
        columns[0].lower = 1;
    }
    let mut factors: Vec<Vec<i64>> =
        (0..width).map(|_| (0..shared).map(|_| random.below(5) - 1).collect()).collect();
    let mut local = Vec::new();
    if width > 1 {
        // The copies of a title.
        let all = (0..width).map(|place| (place, 1)).collect();
        local.push((all, Vec::new(), None, Some(1 + random.below(3))));
    }
    for (place, column) in columns.iter().enumerate() {
        if alone > 0 && random.is(2) {
            // What opens it.
            let by = column.upper;
            let opener = random.below(alone as i64) as usize;
            local.push((vec![(place, 1)], vec![(opener, -by)], None, Some(0)));
        }
    }
    if random.is(3) {
        // A flag that is 1 just where something is there.
        let flag = columns.len();
        columns.push(Column { lower: 0, upper: 1, cost: random.below(2), first: true });
        factors.push((0..shared).map(|_| random.below(2)).collect());
        let held = (0..width).map(|place| (place, -1));
        local.push((held.chain([(flag, 1)]).collect(), Vec::new(), None, Some(0)));
        for (place, column) in columns[..width].iter().enumerate() {
            let terms = vec![(place, 1), (flag, -column.upper)];
            local.push((terms, Vec::new(), None, Some(0)));
        }
    } else if width == 2 && random.is(3) {
        // One or the other.
        let flag = columns.len();
        columns.push(Column { lower: 0, upper: 1, cost: 0, first: false });
        factors.push(vec![0; shared]);
        let (one, other) = (columns[0].upper, columns[1].upper);
        local.push((vec![(0, 1), (flag, -one)], Vec::new(), None, Some(0)));
        local.push((vec![(1, 1), (flag, other)], Vec::new(), None, Some(other)));
    }
    Shape { columns, local, shared: factors }
}

fn program(random: &mut Random) -> Program {
    let (alone, shared) = (random.below(4) as usize, 1 + random.below(4) as usize);
    let mut program = Program { fixed_cost: random.below(3), ..Program::default() };
    for _ in 0..alone {
        program.columns.push(Column {
            lower: 0,
            upper: 1 + random.below(2),
            cost: random.below(3),
            first: true,
        });
    }
    let mut sums: Vec<Vec<(usize, i64)>> = vec![Vec::new(); shared];
    for _ in 0..1 + random.below(4) {
        let shape = shape(random, alone, shared);
        for _ in 0..1 + random.below(6) {
            let start = program.columns.len();
            program.columns.extend(&shape.columns);
            for (terms, others, low, high) in &shape.local {
                let own = terms.iter().map(|(place, by)| (start + place, *by));
                let mut terms: Vec<(usize, i64)> = own.chain(others.iter().copied()).collect();
                terms.sort_unstable();
                program.demands.push(Demand { terms, low: *low, high: *high });
            }
            for (place, factors) in shape.shared.iter().enumerate() {
                for (sum, by) in sums.iter_mut().zip(factors).filter(|(_, by)| **by != 0) {
                    sum.push((start + place, *by));
                }
            }
        }
    }
    for mut terms in sums {
        if alone > 0 && random.is(3) {
            terms.insert(0, (0, random.below(3) - 1));
            terms.retain(|(_, by)| *by != 0);
        }
        let least = random.below(14);
        let (low, high) = match random.below(4) {
            0 => (Some(least), None),
            1 => (None, Some(least)),
            2 => (Some(least), Some(least)),
            _ => (Some(least), Some(least + random.below(4))),
        };
        // Factors that share a divisor, and a column that only names the sum.
        let times = 1 + random.below(3);
        terms.iter_mut().for_each(|(_, by)| *by *= times);
        if random.is(3) {
            let named = program.columns.len();
            program.columns.push(Column {
                lower: low.unwrap_or(-99),
                upper: high.unwrap_or(99),
                cost: 0,
                first: false,
            });
            terms.push((named, -1));
            program.demands.push(Demand { terms, low: Some(0), high: Some(0) });
            continue;
        }
        program.demands.push(Demand { terms, low, high });
    }
    program
}

#[test]
fn a_folded_program_has_the_answer_of_the_whole() {
    let (mut possible, mut smaller, mut proven) = (0, 0, 0);
    let mut limited = Vec::new();
    for seed in 0..1_500 {
        let mut random = Random(seed);
        let program = program(&mut random);
        let rank: Vec<u32> = match seed % 3 {
            0 => Vec::new(),
            _ => (0..program.columns.len()).map(|_| random.below(99) as u32).collect(),
        };
        let whole = search_whole(&program, KnownSolutions::default(), &mut 20_000);
        let marks = Marks { rank, kept: if seed % 5 == 0 { vec![0] } else { Vec::new() } };
        let mut folded = FoldedProgram::new(&program, marks);
        smaller += i32::from(folded.is_of_use());
        match (&whole, folded.search(&program, &[], None, &mut 20_000)) {
            (Outcome::Smallest(known), Outcome::Smallest(found)) => {
                assert!(program.holds(&found), "{seed}");
                let cost = program.cost(known);
                assert_eq!(program.cost(&found), cost, "{seed}: {program:?}");
                let near = folded.search(&program, &[], Some(cost), &mut 20_000);
                assert!(matches!(near, Outcome::Smallest(near) if program.holds(&near)), "{seed}");
                let nearer = folded.search(&program, &[], Some(cost - 1), &mut 20_000);
                assert_eq!(nearer, Outcome::Nothing, "{seed}");
                possible += 1;
                proven += 1;
            }
            (Outcome::Nothing, Outcome::Nothing) => proven += 1,
            (Outcome::Limited(..), _) => {}
            (known, Outcome::Limited(found, bound)) => {
                limited.push(seed);
                assert!(!matches!(known, Outcome::Nothing) || found.is_none(), "{seed}");
                if let (Outcome::Smallest(known), Some(found)) = (known, found) {
                    assert!(program.holds(&found), "{seed}");
                    assert!(bound <= program.cost(known), "{seed}");
                }
            }
            (known, found) => panic!("{seed}: {known:?} {found:?} {program:?}"),
        }
    }
    let seen = format!("{possible} possible, {smaller} much smaller, {proven} proven; {limited:?}");
    assert!(limited.is_empty(), "{seen}");
    assert!(possible > 600 && smaller > 600 && proven > 1_490, "{seen}");
}

#[test]
fn bounds_that_are_set_later_count() {
    let mut random = Random(7);
    let mut seen = 0;
    for seed in 0..200 {
        let program = program(&mut random);
        let kept: Vec<usize> =
            (0..program.columns.len()).filter(|at| program.columns[*at].first).collect();
        let mut folded =
            FoldedProgram::new(&program, Marks { rank: Vec::new(), kept: kept.clone() });
        // What one question sets says nothing of the next, whichever comes first.
        for value in [seed % 2, 1 - seed % 2, seed % 2] {
            let set: Vec<Set> = (kept.iter())
                .map(|column| Set { column: *column, lower: value, upper: value })
                .collect();
            let bounded = program.with(&set);
            let whole = search_whole(&bounded, KnownSolutions::default(), &mut 20_000);
            match (&whole, folded.search(&program, &set, None, &mut 20_000)) {
                (Outcome::Smallest(known), Outcome::Smallest(found)) => {
                    assert!(bounded.holds(&found), "{seed}");
                    assert_eq!(program.cost(&found), program.cost(known), "{seed}");
                    seen += 1;
                }
                (Outcome::Nothing, Outcome::Nothing) => {}
                (known, found) => panic!("{seed}: {known:?} {found:?}"),
            }
        }
    }
    assert!(seen > 100, "{seen}");
}
