//! What proves that no legal deck within some exchanges has better odds: the counts of cards that
//! hands see and that mean better ones, as cases of an instance that nothing satisfies. The odds of
//! all counts are in a table next to it.

use super::chances::rank;
use super::engine::Engine;
use super::run::{MOST_VECTORS, Run};
use super::vectors::Space;
use super::{Step, TuneResult, Tuning};
use crate::odds::Fraction;
use crate::solve::answer::Answer;
use crate::solve::certificate::{Case, Certificate, Ends, Uncertified, no_case};
use crate::solve::problem::Problem;
use crate::solve::{Decklist, Repair, Wishes};
use decklaw_rules::rules::linear::Unknown;
use std::cmp::Ordering;
use std::fmt::Write;

/// More cases than these are not looked at.
const MOST_CASES: usize = 400;

/// Counts of kinds, and the odds of each query; `None`: no hand can be drawn.
struct Counts {
    least: u32,
    counts: Vec<i64>,
    each: Option<Vec<Fraction>>,
}

/// What proves each step of a tuning that is proven, and the repair that it started from.
///
/// # Errors
/// A tuning whose last step is not proven, or a proof that was not found.
pub fn certify(
    deck: &Decklist,
    tuning: &Tuning,
    tuned: &TuneResult,
) -> Result<Vec<Certificate>, Uncertified> {
    let mut certificates = Vec::new();
    if let Some(found) = &tuned.repaired {
        let wishes = Wishes { must: Vec::new(), ..tuning.wishes.clone() };
        let repair = Repair::Found(found.clone());
        certificates.extend(crate::solve::certify(deck, &wishes, &repair)?);
    }
    if tuned.steps.last().is_none_or(|step| !step.optimal) {
        return Err(Uncertified::Unproven);
    }
    let start = &tuned.start;
    let contents = start.contents();
    let problem = Problem::new(start, &contents, &tuning.wishes, false);
    let too_large = || Uncertified::TooLarge("no deck within the exchanges is better".to_owned());
    let run = Run::new(problem, start, tuning, u64::MAX).map_err(|_| too_large())?;
    let active = |tag| run.problem.counts(tag);
    let engine = Engine::new(&run.problem, &run.counted, tuning.changes, &[], &active);
    let Some(engine) = engine else {
        let claim = format!(
            "No deck within {} exchanges of the deck satisfies all rules and wishes.",
            tuning.changes
        );
        let exchanges = i64::from(tuning.changes);
        certificates.push(no_case(&run.problem, exchanges, None, claim)?);
        return Ok(certificates);
    };
    let space = engine.space(run.now.clone(), tuning.changes);
    let vectors = space.within(tuning.changes, MOST_VECTORS).ok_or_else(too_large)?;
    let counts: Vec<&[i64]> = vectors.iter().map(|vector| &vector.counts[..]).collect();
    let each = run.chances.reckon(&counts).map_err(|_| too_large())?;
    let counts = vectors.into_iter().zip(each).map(|(vector, each)| {
        let each = match each {
            Answer::Found(each) => Some(each),
            Answer::None => None,
            Answer::Limit => return Err(too_large()),
        };
        Ok(Counts { least: vector.least, counts: vector.counts, each })
    });
    let counts = counts.collect::<Result<Vec<Counts>, Uncertified>>()?;
    for step in tuned.steps.iter().filter(|step| step.optimal) {
        certificates.push(run.step(step, &space, &counts)?);
    }
    Ok(certificates)
}

impl Run<'_> {
    fn step(
        &self,
        step: &Step,
        space: &Space,
        counts: &[Counts],
    ) -> Result<Certificate, Uncertified> {
        let Step { exchanges, best, .. } = step;
        let best = best.as_ref().map(|(_, odds)| &odds.each);
        let reachable = || counts.iter().filter(|one| one.least <= *exchanges);
        let is_better = |one: &Counts| match (&one.each, best) {
            (Some(each), Some(best)) => rank(each, best) == Ordering::Greater,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let (better, others): (Vec<&Counts>, Vec<&Counts>) =
            reachable().partition(|one| is_better(one));
        let claim = match best {
            Some(best) => format!(
                "No legal deck within {exchanges} exchanges of the deck has better odds than {}: \
                 none has counts that are better by the table next to it.",
                best[0]
            ),
            None => format!(
                "No deck within {exchanges} exchanges of the deck satisfies all rules and wishes."
            ),
        };
        let cases = match best {
            Some(_) => Some(self.cases(space, &better, &others, i64::from(*exchanges))?),
            None => None,
        };
        let certificate = no_case(&self.problem, i64::from(*exchanges), cases.as_deref(), claim)?;
        let mut legend = certificate.legend;
        for (kind, unknown) in self.counted.kinds.iter().enumerate() {
            let pool = self.problem.deck.pool();
            let own = pool.ids().zip(&self.chances.kinds);
            let own = own.filter(|(_, of)| **of as usize == kind);
            let names: Vec<&str> = own.map(|(card, _)| self.problem.deck.name(card)).collect();
            let _ = writeln!(
                legend,
                "count{} = a{}: the cards {}",
                kind + 1,
                unknown.0,
                names.join("; ")
            );
        }
        let mut table = String::new();
        let names: Vec<String> = (1..=self.now.len()).map(|kind| format!("count{kind}")).collect();
        let _ = writeln!(table, "{},probability,fraction,better", names.join(","));
        for one in reachable() {
            let own: Vec<String> = one.counts.iter().map(i64::to_string).collect();
            let (decimal, fraction) = match &one.each {
                Some(each) => (each[0].nearest().to_string(), each[0].to_string()),
                None => (String::new(), String::new()),
            };
            let better = if is_better(one) { "yes" } else { "no" };
            let _ = writeln!(table, "{},{decimal},{fraction},{better}", own.join(","));
        }
        Ok(Certificate { legend, table: Some(table), ..certificate })
    }

    /// Boxes of counts that hold all better ones and no other that is known; and what is outside
    /// of all that was looked at.
    fn cases(
        &self,
        space: &Space,
        better: &[&Counts],
        others: &[&Counts],
        exchanges: i64,
    ) -> Result<Vec<Case>, Uncertified> {
        let within = |ends: &[(i64, i64)], counts: &[i64]| {
            let mut each = ends.iter().zip(counts);
            each.all(|((low, high), count)| (low..=high).contains(&count))
        };
        let mut boxes: Vec<Vec<(i64, i64)>> = Vec::new();
        for one in better {
            if boxes.iter().any(|known| within(known, &one.counts)) {
                continue;
            }
            let mut ends: Vec<(i64, i64)> = one.counts.iter().map(|n| (*n, *n)).collect();
            // Grows each way as far as nothing comes in that is not better.
            for kind in 0..ends.len() {
                let (least, most) = space.ends[kind];
                for up in [true, false] {
                    loop {
                        let mut wider = ends.clone();
                        match up {
                            true if wider[kind].1 < most => wider[kind].1 += 1,
                            false if wider[kind].0 > least => wider[kind].0 -= 1,
                            _ => break,
                        }
                        // An unchanged deck is not better either.
                        let mut outside = others.iter().map(|other| &other.counts);
                        if outside.any(|other| within(&wider, other)) || within(&wider, &self.now) {
                            break;
                        }
                        ends = wider;
                    }
                }
            }
            boxes.push(ends);
        }
        if boxes.len() > MOST_CASES {
            return Err(Uncertified::TooLarge(format!(
                "none of {} kinds of better counts within {exchanges} exchanges is legal",
                boxes.len()
            )));
        }
        let kinds = &self.counted.kinds;
        let own = boxes.iter().map(|ends| {
            let each = kinds.iter().zip(ends).zip(&space.ends);
            let each = each.filter(|((_, own), all)| own != all);
            let ends: Vec<Ends> = each
                .map(|((kind, (low, high)), _)| (vec![(*kind, 1)], Some(*low), Some(*high)))
                .collect();
            Case { name: "the counts are better".to_owned(), ends }
        });
        let mut cases: Vec<Case> = own.collect();
        // No legal deck is outside of what was looked at: that is shown, too.
        let mut beyond = |terms: Vec<(Unknown, i64)>, low: Option<i64>, high: Option<i64>| {
            cases.push(Case {
                name: "the counts are none of the table".to_owned(),
                ends: vec![(terms, low, high)],
            });
        };
        for (at, kind) in kinds.iter().enumerate() {
            let ((least, most), now) = (space.ends[at], self.now[at]);
            if most < now + exchanges {
                beyond(vec![(*kind, 1)], Some(most + 1), None);
            }
            if least > (now - exchanges).max(0) {
                beyond(vec![(*kind, 1)], None, Some(least - 1));
            }
        }
        let size: i64 = self.now.iter().sum();
        let (least, most) = space.size;
        let unknown_cards = self.counted.unknown_cards;
        if most < size + exchanges {
            beyond(vec![(self.counted.size, 1)], Some(most + unknown_cards + 1), None);
        }
        if least > size - exchanges {
            beyond(vec![(self.counted.size, 1)], None, Some(least + unknown_cards - 1));
        }
        Ok(cases)
    }
}
