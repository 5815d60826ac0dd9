//! A report for a terminal: the policy next to every number, and a bar for each.

use super::{conditions, mean_in_words, percent};
use crate::odds::{Answer, Distribution, Fraction, OddsReport, Value, Work};
use decklaw_text::text::{counted, escape_control};
use std::fmt::Write as _;

/// The cells of a full bar.
const BAR: usize = 24;
/// Longer fractions are in other outputs only.
const LONGEST_FRACTION: usize = 40;

/// The report for a terminal.
pub fn to_human(report: &OddsReport) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail; so below.
    let deck = escape_control(&report.deck, false);
    let _ = writeln!(out, "{deck}: {}", counted(report.population.into(), "card"));
    for entry in &report.answers {
        out.push('\n');
        if let Some(name) = &entry.name {
            let _ = writeln!(out, "{name}");
        }
        let _ = writeln!(out, "{}", escape_control(&entry.answer.query, false));
        let _ = writeln!(out, "  {}", conditions(entry));
        show_answer(&mut out, &entry.answer);
        if let Some(plain) = entry.without_mulligan.as_ref().filter(|_| entry.answer.best.is_none())
        {
            let _ = writeln!(out, "  {:>9}  without a mulligan", percent(plain));
        }
        for note in &entry.notes {
            let _ = writeln!(out, "  note: {}", escape_control(&note.message, false));
        }
    }
    for (at, deal) in report.deals.iter().enumerate() {
        let cards = deal.cards.join(", ");
        let marks = deal.satisfies.iter();
        let marks: String = marks.map(|holds| if *holds { '✓' } else { '✗' }).collect();
        let space = if at == 0 { "\n" } else { "" };
        let cards = escape_control(&cards, false);
        let _ = writeln!(out, "{space}{:>4}. {marks} {cards}", at + 1);
    }
    if !report.remarks.is_empty() {
        out.push('\n');
    }
    for remark in &report.remarks {
        let _ = writeln!(out, "{remark}");
    }
    out
}

fn show_answer(out: &mut String, answer: &Answer<Value>) {
    match &answer.value {
        Value::Probability(Some(share)) => {
            let _ = writeln!(out, "  {}", likelihood(share));
        }
        Value::Total(Some(total)) => show_total(out, total),
        Value::Probability(None) | Value::Total(None) => out.push_str("  refused\n"),
    }
    if let Some(best) = &answer.best {
        let (gain, never) = (100.0 * best.gain, percent(&best.never));
        let _ = writeln!(out, "  {gain:.2} points more than the {never} without a mulligan");
        for (taken, rule) in best.rule.iter().enumerate() {
            let after = counted(taken as i64, "mulligan");
            let rule = rule.to_string();
            let _ = writeln!(out, "  after {after}, keep {}", escape_control(&rule, false));
        }
    }
    let shown = answer.turns.iter().filter(|turn| !turn.value.is_refused());
    for (at, turn) in shown.enumerate() {
        let is_total = matches!(turn.value, Value::Total(_));
        if at == 0 {
            let columns = if is_total { "        mean  least  most" } else { "" };
            let _ = writeln!(out, "  turn  cards seen{columns}");
        }
        let found = match &turn.value {
            Value::Probability(share) => share.as_ref().map(likelihood),
            Value::Total(total) => total.as_ref().map(summary),
        };
        let (found, seen) = (found.unwrap_or_default(), turn.seen);
        let _ = writeln!(out, "  {:>4}  {seen:>10}  {found}", turn.turn);
    }
    if let Some(work) = &answer.work {
        show_work(out, work);
    }
}

fn likelihood(fraction: &Fraction) -> String {
    let probability = fraction.nearest();
    let bar = bar(probability);
    let mut exact = fraction.to_string();
    if exact.len() > LONGEST_FRACTION {
        exact = "exact".to_owned();
    }
    format!("{:>9}  {bar}  {exact}", percent(fraction))
}

fn bar(share: f64) -> String {
    let full = ((share * BAR as f64).round() as usize).min(BAR);
    "█".repeat(full) + &"░".repeat(BAR - full)
}

fn show_total(out: &mut String, total: &Distribution) {
    let _ = writeln!(out, "  {}", mean_in_words(total));
    let shares = total.values.iter().map(|(_, share)| share.nearest());
    let most = shares.fold(0.0, f64::max);
    for (value, share) in &total.values {
        let length = share.nearest();
        let bar = bar(if most > 0.0 { length / most } else { 0.0 });
        let _ = writeln!(out, "  {value:>6}  {:>9}  {bar}", percent(share));
    }
}

/// Mean, least and greatest value of a total.
fn summary(total: &Distribution) -> String {
    let end = |value: Option<&(i128, _)>| value.map_or(0, |(value, _)| *value);
    let (least, most) = (end(total.values.first()), end(total.values.last()));
    format!("{:>10.4}  {least:>5}  {most:>4}", total.mean.nearest())
}

fn show_work(out: &mut String, work: &Work) {
    let _ = writeln!(out, "  counted from:");
    for atom in &work.atoms {
        let (copies, cards) = (atom.copies, atom.cards.join(", "));
        let (label, cards) = (escape_control(&atom.label, false), escape_control(&cards, false));
        let _ = writeln!(out, "    {copies:>4} × {label}: {cards}");
    }
    let _ = writeln!(out, "    {:>4} × any other card", work.rest);
    let seen = counted(i64::from(work.seen), "card");
    let _ = writeln!(out, "    {} hands of {seen}", work.hands);
    if let Some(favourable) = &work.favourable {
        let _ = writeln!(out, "    {favourable} of them satisfy the query");
    }
}
