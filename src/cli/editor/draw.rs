//! The editor's screen.

use super::super::terminal;
use super::app::{App, Focus, Row};
use super::foot;
use crate::judge::Verdict;
use crate::name::fold;
use crate::pool::{CardId, Column, FieldKind, Pool};
use crate::solve::Rooms;
use crate::text::{counted, harmless};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};

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
    ("Ctrl-O Ctrl-T", "odds, best exchange"),
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
    let is_wide = area.width >= SIDE_BY_SIDE;
    // On a low screen the lists come first.
    let most = usize::from(area.height / 8);
    let mut accounts = foot::ledgers(app, area.width);
    accounts.truncate(most.max(1));
    let mut odds = foot::odds(app, area.width);
    odds.truncate(most.max(1));
    let rows = |lines: &[Line<'_>]| Constraint::Length(lines.len().max(1) as u16);
    let findings = match is_wide {
        true => FINDINGS.min(area.height / 5),
        false => (FINDINGS + 3)
            .min(area.height / 5 + 2)
            .min(area.height.saturating_sub(9)),
    };
    let [title, account, body, findings, curve, chance, keys] = Layout::vertical([
        Constraint::Length(1),
        rows(&accounts),
        Constraint::Min(4),
        Constraint::Length(findings),
        Constraint::Length(1),
        rows(&odds),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(head(app, title.width), title);
    frame.render_widget(Paragraph::new(accounts), account);
    if is_wide {
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
    foot::said(frame, app, findings);
    frame.render_widget(Paragraph::new(foot::curves(app, curve.width)), curve);
    frame.render_widget(Paragraph::new(odds), chance);
    let fitting = KEYS
        .iter()
        .find(|line| line.chars().count() <= usize::from(keys.width));
    let line = fitting.copied().unwrap_or_default();
    frame.render_widget(Paragraph::new(line.reversed()), keys);
    match app.focus {
        Focus::Help => help(frame, area),
        Focus::Leaving => asked(frame, area, "Save the changes? y/n, Esc goes back"),
        Focus::Naming => naming(frame, area, &harmless(&app.elsewhere, false)),
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

/// The first row to show of a list, so that the chosen one is among them.
fn first_row(at: usize, rows: usize, length: usize) -> usize {
    let half = at.saturating_sub(rows / 2);
    half.min(length.saturating_sub(rows))
}

/// What sets a card apart, in a few words: its cells that are short and that its name does not
/// say already. Of a yes or no the field's name is shown, where it is yes.
fn summary(pool: &Pool, card: CardId) -> String {
    let name = fold(pool.name(card)).into_owned();
    let said: Vec<&str> = name
        .split(|character: char| !character.is_alphanumeric())
        .collect();
    let cells = pool.fields().iter().filter_map(|field| {
        let cell = pool.shown(card, &field.name);
        let yes_or_no = matches!(&field.kind, FieldKind::Word { values, .. }
            if !values.is_empty() && values.iter().all(|value| matches!(&*value.word, "true" | "false")));
        let folded = fold(&cell);
        let shown = match pool.column(&field.name)? {
            _ if yes_or_no && folded == "true" => field.name.clone(),
            _ if yes_or_no => return None,
            Column::Number(_) => format!("{} {cell}", field.name),
            Column::Text(_) | Column::List(_) if said.contains(&&*folded) => return None,
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
        // What is wrong with it stands below, where there is room for a sentence.
        Some(_) => "  see below".red(),
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

/// A question in the middle.
fn asked(frame: &mut Frame<'_>, area: Rect, text: &str) {
    let width = area.width.min(48);
    let lines = terminal::wrapped(text, usize::from(width.saturating_sub(4)));
    let place = middle(area, width, lines.len() as u16 + 2);
    let lines: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
    boxed(frame, place, Paragraph::new(lines));
}

/// A name that is being written, in the middle; of a long one the end is seen.
fn naming(frame: &mut Frame<'_>, area: Rect, name: &str) {
    let text = format!("Save as: {name}▏");
    let length = u16::try_from(Span::raw(text.as_str()).width()).unwrap_or(u16::MAX);
    let place = middle(area, length.saturating_add(4).max(40), 3);
    let hidden = length.saturating_sub(place.width.saturating_sub(4));
    boxed(frame, place, Paragraph::new(text).scroll((0, hidden)));
}

fn boxed(frame: &mut Frame<'_>, place: Rect, text: Paragraph<'_>) {
    let block = Block::bordered().padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, place);
    frame.render_widget(text.block(block), place);
}
