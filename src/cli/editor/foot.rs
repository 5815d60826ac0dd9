//! The lines about the deck as a whole: its accounts, findings, curve and odds.

use super::super::terminal;
use super::app::{App, Focus};
use crate::pool::Column;
use crate::rules::{Ledger, Points, Severity};
use crate::solve::Rooms;
use crate::text::harmless;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Paragraph};
use std::collections::BTreeMap;

/// How the budgets add up, what is left first.
pub(super) fn ledgers(app: &App, width: u16) -> Vec<Line<'static>> {
    let account = |ledger: &Ledger| {
        let (text, is_right) = match ledger {
            Ledger::Points(points) => (spent(points), points.remaining == points.target),
            Ledger::Sum { .. } => (
                harmless(&ledger.words(), false).into_owned(),
                ledger.is_right(),
            ),
        };
        indented(&text, width).map(move |line| {
            if is_right {
                line.green().into()
            } else {
                line.yellow().into()
            }
        })
    };
    app.judged.ledgers.iter().flat_map(account).collect()
}

fn spent(ledger: &Points) -> String {
    format!(
        "points: {} left, must be {}: {} + {} {} - {} {}",
        ledger.remaining,
        ledger.target,
        ledger.start,
        ledger.refunded.0,
        harmless(&ledger.refunded.1, false),
        ledger.spent.0,
        harmless(&ledger.spent.1, false),
    )
}

/// Lines that begin one column in.
fn indented(text: &str, width: u16) -> impl Iterator<Item = String> + use<> {
    let lines = terminal::wrapped(text, usize::from(width.saturating_sub(1)));
    lines.into_iter().map(|line| format!(" {line}"))
}

/// What was just done, and what the rules say, errors first; above it, what limits the
/// chosen card.
pub(super) fn said(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let block = Block::new().borders(Borders::TOP).title(limit(app));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let (rows, width) = (usize::from(inner.height), usize::from(inner.width));
    let mut lines: Vec<Line<'_>> = Vec::new();
    for line in app.wrong.iter().flat_map(|wrong| wrapped(wrong, width)) {
        lines.push(line.red().into());
    }
    for line in app.remarks.iter().flat_map(|remark| wrapped(remark, width)) {
        lines.push(line.yellow().into());
    }
    if !app.message.is_empty() {
        let message = wrapped(&app.message, width).into_iter();
        lines.extend(message.map(|line| Line::from(line.bold())));
    }
    let findings = &app.judged.findings;
    for (at, (severity, rule, message)) in findings.iter().enumerate() {
        let wrapped = wrapped(&format!("{rule}: {message}"), width);
        let last = at + 1 == findings.len();
        if lines.len() + wrapped.len() + usize::from(!last) > rows {
            // Rather a beginning than nothing.
            if lines.len() + 1 < rows {
                lines.push(painted(*severity, &wrapped[0]));
            }
            let (hidden, all) = (findings.len() - at, findings.len());
            let finding = if all == 1 { "finding" } else { "findings" };
            let text = format!("… {hidden} of {all} {finding} not shown in full");
            // What was just done may take all the room.
            lines.truncate(rows.saturating_sub(1));
            lines.push(text.dim().into());
            break;
        }
        lines.extend(wrapped.iter().map(|line| painted(*severity, line)));
    }
    if findings.is_empty() && app.message.is_empty() {
        lines.push("No rule is broken.".green().into());
    }
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Somebody's words in lines, harmless.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    terminal::wrapped(&harmless(text, false), width)
}

fn painted(severity: Severity, text: &str) -> Line<'static> {
    let text = text.to_owned();
    match severity {
        Severity::Error => text.red().into(),
        Severity::Warning | Severity::Notice => text.yellow().into(),
    }
}

/// How many more copies of the chosen card there may be, and which rule says so.
fn limit(app: &App) -> String {
    let Some((section, card)) = app.chosen().filter(|(_, card)| app.deck.knows(*card)) else {
        return String::new();
    };
    let room = Rooms::of(&app.deck).room(section, card);
    let name = harmless(app.pool().name(card), false);
    let rule = room
        .rule
        .and_then(|rule| app.deck.rulebook().rules().get(rule));
    match (room.more, rule) {
        (Some(more), Some(rule)) => format!(" {more} more of {name}, by {} ", rule.id),
        (Some(more), None) => format!(" {more} more of {name} "),
        (None, _) => format!(" as many of {name} as you like "),
    }
}

/// How the section's cards spread over the game's first number.
pub(super) fn curves(app: &App, width: u16) -> Line<'static> {
    let pool = app.pool();
    let numbers =
        |field: &&crate::pool::Field| matches!(pool.column(&field.name), Some(Column::Number(_)));
    let Some(field) = pool.fields().iter().find(numbers) else {
        return Line::default();
    };
    let mut counts: BTreeMap<i64, i64> = BTreeMap::new();
    let inside = |holding: &crate::rules::Holding| {
        holding.section == app.section && app.deck.knows(holding.card)
    };
    for holding in app.deck.holdings().filter(inside) {
        if let Some(number) = pool.number(holding.card, &field.name) {
            *counts.entry(number).or_default() += holding.copies;
        }
    }
    let most = counts.values().copied().max().unwrap_or(1).max(1);
    let bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let mut text = format!(" {}", harmless(&field.name, false));
    for (number, count) in counts {
        let height = usize::try_from((count * 8 - 1) / most).unwrap_or(0).min(7);
        let next = format!("  {number} {}{count}", bars[height]);
        if text.chars().count() + next.chars().count() > usize::from(width) {
            text.push('…');
            break;
        }
        text.push_str(&next);
    }
    Line::from(text)
}

/// The hand query and its answer, or what is wrong with it.
pub(super) fn odds(app: &App, width: u16) -> Vec<Line<'static>> {
    let cursor = if app.focus == Focus::Odds { "▏" } else { "" };
    if app.hand.is_empty() && app.focus != Focus::Odds {
        let text = match width < 60 {
            true => " odds: Ctrl-O writes a hand query",
            false => " odds: Ctrl-O writes a hand query, such as 1+ [name]",
        };
        return vec![text.dim().into()];
    }
    let answer = app.chance.answer.lines().next().unwrap_or_default();
    let answer = harmless(answer, false).into_owned();
    let hand = harmless(&app.hand, false).into_owned();
    let asked = vec![" odds of ".dim(), hand.into(), cursor.into(), "  ".into()];
    let mut line = Line::from(asked);
    // What does not fit behind the query stands below it.
    let fits = line.width() + Line::raw(answer.as_str()).width() <= usize::from(width);
    if fits {
        line.push_span(answer.bold());
        return vec![line];
    }
    let below = indented(&answer, width).map(|line| Line::from(line.bold()));
    std::iter::once(line).chain(below).collect()
}
