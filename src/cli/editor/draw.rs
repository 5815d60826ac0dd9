//! The editor's screen.

use super::super::terminal;
use super::app::{App, Focus, Row};
use crate::pool::{CardId, Column, Pool};
use crate::report::Verdict;
use crate::rules::{Ledger, Severity};
use crate::solve::Rooms;
use crate::text::{counted, harmless};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use std::collections::BTreeMap;

/// The smallest screen that the editor fits, columns and rows.
const SMALLEST: (u16, u16) = (40, 12);
/// From this width on, cards and deck stand side by side.
const SIDE_BY_SIDE: u16 = 70;
/// Rows for what the rules say.
const FINDINGS: u16 = 4;

/// Short enough for the smallest screen.
const HELP: [(&str, &str); 10] = [
    ("letters, Esc", "write, clear a query"),
    ("↑ ↓ PgUp PgDn", "choose a card"),
    ("→ or Enter", "put one copy in"),
    ("← or Delete", "take one copy out"),
    ("Tab", "section cards go to"),
    ("Ctrl-D", "cards or deck"),
    ("Ctrl-O", "odds of a hand query"),
    ("Ctrl-Z Ctrl-Y", "undo, do again"),
    ("Ctrl-S Ctrl-W", "save, save elsewhere"),
    ("Ctrl-Q", "end"),
];

const KEYS: [&str; 3] = [
    " ↑↓ choose → add ← take out Tab section ^D deck ^O odds ^Z undo ^S save ^Q end",
    " →add ←take Tab ^Deck ^Odds ^Zundo ^Save ^Quit",
    " F1 keys  ^S save  ^Q end",
];

/// Draws the whole screen.
pub(super) fn screen(frame: &mut Frame<'_>, app: &mut App) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let (width, height) = SMALLEST;
        let text = format!("The editor needs {width} columns and {height} rows. Ctrl-Q ends it.");
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let [title, account, body, findings, curve, chance, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(4),
        Constraint::Length(FINDINGS.min(area.height / 5)),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(head(app, title.width), title);
    frame.render_widget(Paragraph::new(ledgers(app)), account);
    if area.width >= SIDE_BY_SIDE {
        let [left, right] =
            Layout::horizontal([Constraint::Percentage(58), Constraint::Percentage(42)])
                .areas(body);
        cards(frame, app, left);
        deck(frame, app, right);
    } else if app.focus == Focus::Deck {
        deck(frame, app, body);
    } else {
        cards(frame, app, body);
    }
    said(frame, app, findings);
    frame.render_widget(Paragraph::new(curves(app, curve.width)), curve);
    frame.render_widget(Paragraph::new(odds(app)), chance);
    let fitting = KEYS
        .iter()
        .find(|line| line.chars().count() <= usize::from(keys.width));
    let line = fitting.copied().unwrap_or_default();
    frame.render_widget(Paragraph::new(line.reversed()), keys);
    match app.focus {
        Focus::Help => help(frame, area),
        Focus::Leaving => asked(frame, area, "Save the changes? y yes, n no, Esc back"),
        Focus::Naming => {
            let name = harmless(&app.elsewhere, false);
            asked(frame, area, &format!("Save as: {name}▏"));
        }
        _ => {}
    }
}

fn verdict(verdict: Verdict) -> Span<'static> {
    let colour = match verdict {
        Verdict::Legal => Color::Green,
        Verdict::Incomplete => Color::Yellow,
        Verdict::Illegal | Verdict::Unreadable => Color::Red,
    };
    Span::styled(
        verdict.word(),
        Style::new().fg(colour).add_modifier(Modifier::BOLD),
    )
}

fn head(app: &App, width: u16) -> Paragraph<'static> {
    let mark = if app.is_changed() { " *" } else { "" };
    let format = app.deck.rulebook().format().id();
    let title = format!(" {format}  {}{mark}", harmless(&app.title, false));
    let word = verdict(app.judged.verdict);
    let room = usize::from(width).saturating_sub(word.width() + 2);
    let title: String = title.chars().take(room).collect();
    let gap = " ".repeat(room.saturating_sub(Span::raw(title.as_str()).width()) + 1);
    Paragraph::new(Line::from(vec![title.bold(), gap.into(), word]))
}

fn ledgers(app: &App) -> Line<'static> {
    let account = |ledger: &Ledger| {
        let text = format!(
            " points: {} + {} {} - {} {} = {}, must be {}",
            ledger.start,
            ledger.refunded.0,
            harmless(&ledger.refunded.1, false),
            ledger.spent.0,
            harmless(&ledger.spent.1, false),
            ledger.remaining,
            ledger.target
        );
        if ledger.remaining == ledger.target {
            text.green()
        } else {
            text.yellow()
        }
    };
    Line::from(app.judged.ledgers.iter().map(account).collect::<Vec<_>>())
}

/// The first row to show of a list, so that the chosen one is among them.
fn first_row(at: usize, rows: usize, length: usize) -> usize {
    let half = at.saturating_sub(rows / 2);
    half.min(length.saturating_sub(rows))
}

/// What sets a card apart, in a few words: its cells that are short.
fn summary(pool: &Pool, card: CardId) -> String {
    let cells = pool.fields().iter().filter_map(|field| {
        let cell = pool.shown(card, &field.name);
        let shown = match pool.column(&field.name)? {
            Column::Number(_) => format!("{} {cell}", field.name),
            Column::Text(_) | Column::List(_) => cell.clone(),
        };
        (!cell.is_empty() && cell.len() <= 16).then_some(shown)
    });
    cells.take(4).collect::<Vec<_>>().join(" ")
}

fn cards(frame: &mut Frame<'_>, app: &mut App, area: Rect) {
    let section = usize::from(app.section);
    let name = app.deck.sections().get(section).cloned();
    let name = harmless(name.as_deref().unwrap_or("deck"), false).into_owned();
    let block = Block::new()
        .borders(Borders::TOP | Borders::RIGHT)
        .title(format!(" cards for {name} "))
        .title_style(focused(app.focus != Focus::Deck));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let [query, list] = Layout::vertical([Constraint::Length(1), Constraint::Min(1)]).areas(inner);
    let cursor = if app.focus == Focus::Pool { "▏" } else { "" };
    let found = match &app.wrong {
        Some(wrong) => format!("  {}", harmless(wrong, false)).red(),
        None => format!("  {}", counted(app.shown.len() as i64, "card")).dim(),
    };
    let typed = harmless(&app.query, false).into_owned();
    let line = Line::from(vec!["> ".into(), typed.into(), cursor.into(), found]);
    frame.render_widget(Paragraph::new(line), query);
    let rows = usize::from(list.height);
    app.page = rows.max(1);
    let first = first_row(app.at, rows, app.shown.len());
    let rooms = Rooms::of(&app.deck);
    let shown = app.shown.iter().enumerate().skip(first).take(rows);
    let lines: Vec<Line<'_>> = shown
        .map(|(at, card)| {
            let room = rooms.room(app.section, *card);
            let more = room
                .more
                .map_or_else(|| "∞".to_owned(), |more| more.to_string());
            let copies = app.deck.copies(app.section, *card);
            let copies = if copies > 0 {
                copies.to_string()
            } else {
                String::new()
            };
            let name = harmless(app.pool().name(*card), false).into_owned();
            let line = Line::from(vec![
                format!("{copies:>3} ").bold(),
                format!("+{more:<3} ").dim(),
                name.into(),
                format!("  {}", harmless(&summary(app.pool(), *card), false)).dim(),
            ]);
            chosen(line, at == app.at && app.focus != Focus::Deck)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), list);
}

fn focused(focused: bool) -> Style {
    if focused {
        Style::new().add_modifier(Modifier::BOLD)
    } else {
        Style::new().add_modifier(Modifier::DIM)
    }
}

fn chosen(line: Line<'_>, chosen: bool) -> Line<'_> {
    if chosen { line.reversed() } else { line }
}

fn deck(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let block = Block::new()
        .borders(Borders::TOP)
        .title(" deck ")
        .title_style(focused(app.focus == Focus::Deck));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = app.rows();
    let mut lines = Vec::new();
    let mut chosen_line = 0;
    for (index, section) in app.deck.sections().iter().enumerate() {
        let section_index = u16::try_from(index).unwrap_or(u16::MAX);
        let count = app.deck.count(section_index);
        let title = format!("{} ({count})", harmless(section, false));
        lines.push(Line::from(title.underlined()));
        let own = |(_, row): &(usize, &Row)| row.section == section_index;
        for (at, row) in rows.iter().enumerate().filter(own) {
            if at == app.deck_at {
                chosen_line = lines.len();
            }
            let name = harmless(app.deck.name(row.card), false).into_owned();
            let name = if app.deck.knows(row.card) {
                name.into()
            } else {
                name.red()
            };
            let line = Line::from(vec![format!("{:>3} ", row.copies).into(), name]);
            lines.push(chosen(line, at == app.deck_at && app.focus == Focus::Deck));
        }
    }
    let height = usize::from(inner.height);
    let first = first_row(chosen_line, height, lines.len());
    let lines: Vec<Line<'_>> = lines.into_iter().skip(first).take(height).collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

/// What was just done, and what the rules say, errors first; above it, what limits the
/// chosen card.
fn said(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let block = Block::new().borders(Borders::TOP).title(limit(app));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let (rows, width) = (usize::from(inner.height), usize::from(inner.width));
    let mut lines: Vec<Line<'_>> = Vec::new();
    if !app.message.is_empty() {
        lines.push(harmless(&app.message, false).into_owned().bold().into());
    }
    let findings = &app.judged.findings;
    for (at, (severity, rule, message)) in findings.iter().enumerate() {
        let text = format!("{rule}: {}", harmless(message, false));
        let wrapped = terminal::wrapped(&text, width);
        let last = at + 1 == findings.len();
        if lines.len() + wrapped.len() + usize::from(!last) > rows {
            // Rather a beginning than nothing.
            if lines.len() + 1 < rows {
                lines.push(painted(*severity, &wrapped[0]));
            }
            let hidden = counted((findings.len() - at) as i64, "finding");
            lines.push(
                format!("… {hidden} in all that is not shown whole")
                    .dim()
                    .into(),
            );
            break;
        }
        lines.extend(wrapped.iter().map(|line| painted(*severity, line)));
    }
    if findings.is_empty() && app.message.is_empty() {
        lines.push("No rule is broken.".green().into());
    }
    frame.render_widget(Paragraph::new(lines), inner);
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
fn curves(app: &App, width: u16) -> Line<'static> {
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

fn odds(app: &App) -> Line<'static> {
    let cursor = if app.focus == Focus::Odds { "▏" } else { "" };
    if app.hand.is_empty() && app.focus != Focus::Odds {
        return " odds: Ctrl-O writes a hand query, such as 1+ [name]"
            .dim()
            .into();
    }
    let answer = harmless(&app.chance.answer, false).into_owned();
    let hand = harmless(&app.hand, false).into_owned();
    Line::from(vec![
        " odds of ".dim(),
        hand.into(),
        cursor.into(),
        "  ".into(),
        answer.lines().next().unwrap_or_default().to_owned().bold(),
    ])
}

fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect::new(
        area.x + (area.width - width) / 2,
        area.y + (area.height - height) / 2,
        width,
        height,
    )
}

fn help(frame: &mut Frame<'_>, area: Rect) {
    let place = middle(area, 40, HELP.len() as u16 + 2);
    let lines: Vec<Line<'_>> = HELP
        .iter()
        .map(|(key, does)| Line::from(vec![format!(" {key:<14} ").bold(), (*does).into()]))
        .collect();
    let block = Block::bordered().title(" keys; any key goes back ");
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}

/// A question in the middle; of a long one the end is seen, where it is being written.
fn asked(frame: &mut Frame<'_>, area: Rect, text: &str) {
    let length = u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX);
    let place = middle(area, length.saturating_add(4).max(40), 3);
    let hidden = length.saturating_sub(place.width.saturating_sub(4));
    let block = Block::bordered().padding(ratatui::widgets::Padding::horizontal(1));
    let question = Paragraph::new(text).scroll((0, hidden)).block(block);
    frame.render_widget(Clear, place);
    frame.render_widget(question, place);
}
