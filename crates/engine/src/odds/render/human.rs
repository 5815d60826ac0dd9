//! The report as a person reads it: the policy beside every number, a bar for each.

use super::ShowWork;
use super::text::{conditions, mean_in_words, percent};
use crate::odds::session::{OddsReport, Reply};
use crate::odds::{Answer, Fraction, TotalAnswer, Work};
use decklaw_core::text::{counted, harmless};
use std::fmt::Write as _;

/// Cells of a full bar.
const BAR: usize = 24;
/// Fractions longer than this are shown in other outputs only.
const LONGEST_FRACTION: usize = 40;

/// The report for a terminal.
pub fn to_human(report: &OddsReport, show: ShowWork) -> String {
    let mut out = String::new();
    let deck = harmless(&report.deck, false);
    let _ = writeln!(out, "{deck}: {}", counted(report.population.into(), "card"));
    for found in &report.answers {
        out.push('\n');
        if let Some(name) = &found.name {
            let _ = writeln!(out, "{name}");
        }
        let _ = writeln!(out, "{}", harmless(found.query(), false));
        let _ = writeln!(out, "  {}", conditions(found));
        match &found.answer {
            Reply::Query(answer) | Reply::Path(answer) => show_answer(&mut out, answer, show),
            Reply::Total(answer) => show_total(&mut out, answer),
            Reply::Refused(_) => out.push_str("  refused\n"),
        }
        for remark in &found.remarks {
            let _ = writeln!(out, "  note: {}", harmless(remark, false));
        }
    }
    for (at, deal) in report.deals.iter().enumerate() {
        let cards = deal.cards.join(", ");
        let marks: String = deal
            .satisfies
            .iter()
            .map(|holds| if *holds { '✓' } else { '✗' })
            .collect();
        let space = if at == 0 { "\n" } else { "" };
        let _ = writeln!(
            out,
            "{space}{:>4}. {marks} {}",
            at + 1,
            harmless(&cards, false)
        );
    }
    if !report.remarks.is_empty() || !report.notes.is_empty() {
        out.push('\n');
    }
    for remark in &report.remarks {
        let _ = writeln!(out, "note: {}", harmless(remark, false));
    }
    for note in &report.notes {
        let _ = writeln!(out, "{note}");
    }
    out
}

fn show_answer(out: &mut String, answer: &Answer, show: ShowWork) {
    let _ = writeln!(out, "  {}", likelihood(&answer.likelihood));
    if let Some(best) = &answer.best {
        let gain = 100.0 * (answer.likelihood.nearest() - best.never.nearest());
        let never = 100.0 * best.never.nearest();
        let _ = writeln!(
            out,
            "  {gain:.2} points more than the {never:.2} % without a mulligan"
        );
        for (taken, rule) in best.rule.iter().enumerate() {
            let after = counted(taken as i64, "mulligan");
            let _ = writeln!(
                out,
                "  after {after}, keep {}",
                harmless(&rule.to_string(), false)
            );
        }
    }
    if !answer.turns.is_empty() {
        let _ = writeln!(out, "  turn  cards seen");
    }
    for turn in &answer.turns {
        let found = likelihood(&turn.likelihood);
        let _ = writeln!(out, "  {:>4}  {:>10}  {found}", turn.turn, turn.seen);
    }
    if let Some(work) = answer.work.as_ref().filter(|_| show.0) {
        show_work(out, work);
    }
}

fn likelihood(fraction: &Fraction) -> String {
    let probability = fraction.nearest();
    let bar = bar(probability);
    let mut shown = fraction.to_string();
    if shown.len() > LONGEST_FRACTION {
        shown = "exact".to_owned();
    }
    format!("{:>9}  {bar}  {shown}", percent(probability))
}

fn bar(share: f64) -> String {
    let full = ((share * BAR as f64).round() as usize).min(BAR);
    "█".repeat(full) + &"░".repeat(BAR - full)
}

fn show_total(out: &mut String, answer: &TotalAnswer) {
    let _ = writeln!(out, "  {}", mean_in_words(&answer.total));
    let shares = &answer.total.values;
    let most = shares.iter().map(|(_, share)| share.nearest());
    let most = most.fold(0.0, f64::max);
    for (value, share) in shares {
        let share = share.nearest();
        let bar = bar(if most > 0.0 { share / most } else { 0.0 });
        let _ = writeln!(out, "  {value:>6}  {:>9}  {bar}", percent(share));
    }
    if !answer.turns.is_empty() {
        let _ = writeln!(out, "  turn  cards seen        mean  least  most");
    }
    for turn in &answer.turns {
        let values = &turn.total.values;
        let end = |value: Option<&(i128, _)>| value.map_or(0, |(value, _)| *value);
        let (least, most) = (end(values.first()), end(values.last()));
        let mean = turn.total.mean.nearest();
        let (turn, seen) = (turn.turn, turn.seen);
        let _ = writeln!(
            out,
            "  {turn:>4}  {seen:>10}  {mean:>10.4}  {least:>5}  {most:>4}"
        );
    }
}

fn show_work(out: &mut String, work: &Work) {
    let _ = writeln!(out, "  counted from:");
    for atom in &work.atoms {
        let cards = atom.cards.join(", ");
        let _ = writeln!(
            out,
            "    {:>4} × {}: {}",
            atom.copies,
            harmless(&atom.label, false),
            harmless(&cards, false)
        );
    }
    let _ = writeln!(out, "    {:>4} × any other card", work.rest);
    let seen = decklaw_core::text::counted(i64::from(work.seen), "card");
    let _ = writeln!(out, "    {} hands of {seen}", work.hands);
    if let Some(favourable) = &work.favourable {
        let _ = writeln!(out, "    {favourable} of them satisfy the query");
    }
}
