#![allow(clippy::unwrap_used)]

use super::*;
use crate::text::{Place, Span};

fn style(width: usize) -> Style {
    Style {
        width,
        colour: false,
        unicode: true,
        quiet: false,
        verbose: false,
    }
}

fn report(finding: Finding) -> DeckReport {
    DeckReport {
        format: Some("game".to_owned()),
        name: Some("Ebb".to_owned()),
        verdict: Verdict::Illegal,
        ..DeckReport::unreadable("decks/ebb.txt".to_owned(), finding)
    }
}

fn finding(source: &str, card: &str) -> Finding {
    let start = source.find(card).unwrap();
    Finding {
        rule: "copies".to_owned(),
        limit: Some(6),
        actual: Some(12),
        source: Some("Deck Building".to_owned()),
        place: Some(Place { line: 3, column: 3 }),
        spans: vec![Span::new(start, start + card.len())],
        ..Finding::of_file("too many".to_owned(), "take out 3 copies".to_owned())
    }
}

#[test]
fn a_finding_shows_the_line_the_numbers_the_rule_and_what_mends_it() {
    let source = "Format: game\n\n6 Rain Caller\n2 Moss\n";
    let text = deck(&report(finding(source, "Rain Caller")), source, &style(80));
    for part in [
        "✗ illegal  decks/ebb.txt",
        "error copies",
        "3 │ 6 Rain Caller",
        "limit 6, actual 12",
        "Take out 3 copies",
        "Rule: Deck Building",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("2 Moss"), "{text}");
}

#[test]
fn escapes_and_overrides_reach_no_terminal() {
    let source = "1 a\u{1b}[2J\u{202e}b\n";
    let mut report = report(finding(source, "a\u{1b}[2J\u{202e}b"));
    report.name = Some("x\u{1b}]0;title\u{7}".to_owned());
    report.deck = "decks/\u{1b}[31m.txt".to_owned();
    report.findings[0].message = format!("`{}`", &source[2..]);
    let text = deck(&report, source, &style(80));
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text:?}");
}

#[test]
fn forty_columns_are_enough() {
    let source = "3 Moss\n";
    let mut found = finding(source, "Moss");
    found.message =
        "many words that say what is wrong with a card of this deck, at length".to_owned();
    let mut report = report(found);
    report.ledgers = vec![Ledger {
        start: 100,
        refunded: (12, "red mana".to_owned()),
        spent: (118, "green mana".to_owned()),
        remaining: -6,
        target: 0,
        uncertain: false,
    }];
    let text = deck(&report, source, &style(40));
    assert!(
        text.contains("100 + 12 red mana - 118 green mana\n    = -6 remaining (must be 0)"),
        "{text}"
    );
    for line in text.lines() {
        assert!(unicode_width::UnicodeWidthStr::width(line) <= 40, "{line}");
    }
}

#[test]
fn a_line_of_ten_million_letters_is_shown_in_part() {
    let source = format!("1 {}\n", "x".repeat(10_000_000));
    let mut found = finding(&source, "x");
    found.spans = vec![Span::new(2, source.len() - 1)];
    assert!(deck(&report(found), &source, &style(80)).len() < 3000);
}

#[test]
fn a_summary_counts_decks_and_rules() {
    let mut totals = Totals::default();
    totals.add(&report(finding("1 a\n", "a")));
    totals.add(&report(finding("1 a\n", "a")));
    let text = summary(&totals, &style(40));
    assert!(text.starts_with("2 decks: 0 legal, 2 illegal\n"), "{text}");
    assert!(
        text.contains("copies") && text.contains("2 decks"),
        "{text}"
    );
}
