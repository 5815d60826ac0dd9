#![allow(clippy::unwrap_used)]

use super::*;
use crate::text::{LineColumn, Span};
use proptest::prelude::*;

fn style(width: usize) -> Style {
    Style {
        width,
        colour: false,
        unicode: true,
        quiet: false,
        verbose: false,
        words: crate::remedy::plainly,
    }
}

fn report(findings: Vec<Finding>) -> Report {
    let nothing = Finding::of_file(String::new(), String::new());
    Report {
        format: Some("shell".to_owned()),
        name: Some("Ebb and Flow".to_owned()),
        verdict: Verdict::Illegal,
        findings,
        ..Report::unreadable("decks/ebb.txt".to_owned(), nothing)
    }
}

/// A finding that marks every occurrence of a card, the last one first.
fn finding(source: &str, card: &str) -> Finding {
    let span = |(at, _)| Span::new(at, at + card.len());
    Finding {
        rule: "copies".to_owned(),
        limit: Some(6),
        actual: Some(12),
        source: Some("Deck Building › Main Deck".to_owned()),
        place: Some(LineColumn { line: 3, column: 3 }),
        spans: source.rmatch_indices(card).map(span).collect(),
        ..Finding::of_file(
            format!("12 copies of `{card}`; a deck may have 6"),
            "take out 6 copies".to_owned(),
        )
    }
}

fn ledger(spent: i64, remaining: i64) -> Points {
    Points {
        start: 100,
        refunded: (12, "red mana".to_owned()),
        spent: (spent, "green mana".to_owned()),
        remaining,
        target: 0,
        uncertain: false,
    }
}

fn widest(text: &str) -> usize {
    text.lines().map(layout::columns).max().unwrap_or(0)
}

#[test]
fn a_finding_shows_the_line_the_numbers_the_rule_and_what_mends_it() {
    let source = "Format: shell\n\n6 Rain Caller\n2 Moss\n6 Rain Caller\n";
    let text = deck(
        &report(vec![finding(source, "Rain Caller")]),
        source,
        &style(80),
    );
    insta::assert_snapshot!(text, @r#"
    ✗ decks/ebb.txt  illegal  shell  "Ebb and Flow"

    error copies
      × 12 copies of `Rain Caller`; a deck may have 6
       ╭────
     3 │ 6 Rain Caller
       ·   ─────┬─────
       ·        ╰── also here
       ╰────
       ╭────
     5 │ 6 Rain Caller
       ·   ─────┬─────
       ·        ╰── limit 6, actual 12
       ╰────
      help: Take out 6 copies
            Rule: Deck Building › Main Deck
    "#);
}

#[test]
fn neighbouring_lines_share_a_frame() {
    let source = "1 Moss\n3 Moss\n";
    let text = deck(&report(vec![finding(source, "Moss")]), source, &style(80));
    assert_eq!(text.matches("╭────").count(), 1, "{text}");
    assert!(
        text.contains(" 1 │ 1 Moss\n") && text.contains(" 2 │ 3 Moss\n"),
        "{text}"
    );
    assert!(
        text.contains("also here") && text.contains("limit 6, actual 12"),
        "{text}"
    );
}

#[test]
fn forty_columns_are_enough() {
    let card = "A Card With Quite a Long Name, and More of It";
    let source = format!("Format: shell\n12 {card}\n");
    let mut report = report(vec![finding(&source, card)]);
    report.ledgers = vec![ledger(118, -6), ledger(112, 0)]
        .into_iter()
        .map(Ledger::Points)
        .collect();
    let text = deck(&report, &source, &style(40));
    assert!(widest(&text) <= 40, "{text}");
    insta::assert_snapshot!(text, @r#"
    ✗ decks/ebb.txt  illegal  shell
      "Ebb and Flow"

    error copies
      × 12 copies of `A Card With Quite a
      │ Long Name, and More of It`; a deck
      │ may have 6
       ╭────
     2 │ 12 A Card With Quite a Long Name,…
       ·    ───────────────┬──────────────
       ·                   ╰─┤ limit 6,
       ·                     │ actual 12
       ╰────
      help: Take out 6 copies
            Rule: Deck Building › Main
            Deck

      ✗ points: 100 + 12 red mana - 118
        green mana = -6 remaining
        (must be 0)
      ✓ points: 100 + 12 red mana - 112
        green mana = 0 remaining
    "#);
}

#[test]
fn escapes_and_overrides_reach_no_terminal() {
    let source = "1 a\u{1b}[2J\u{202e}b\n";
    let evil = "x\u{1b}]0;title\u{7}\u{202e}\r\n";
    let mut found = finding(source, "a\u{1b}[2J\u{202e}b");
    found.help = evil.to_owned();
    found.rule = evil.to_owned();
    found.source = Some(evil.to_owned());
    let mut report = report(vec![found]);
    report.name = Some(evil.to_owned());
    report.format = Some(evil.to_owned());
    report.deck = evil.to_owned();
    report.ledgers = vec![Ledger::Points(Points {
        spent: (1, evil.to_owned()),
        ..ledger(0, 0)
    })];
    let mut totals = Totals::default();
    totals.add(&report);
    totals.add(&report);
    for unicode in [true, false] {
        let style = Style {
            unicode,
            ..style(80)
        };
        let text = deck(&report, source, &style) + &summary(&totals, &style, false);
        assert!(
            !text.contains(['\u{1b}', '\u{202e}', '\u{7}', '\r']),
            "{text:?}"
        );
        assert!(text.contains("a?[2J\u{fffd}b"), "{text}");
    }
}

#[test]
fn a_line_of_ten_million_letters_is_shown_in_part() {
    let source = format!(
        "1 {} Moss {}\n",
        "x".repeat(5_000_000),
        "y".repeat(5_000_000)
    );
    let mut found = finding(&source, "Moss");
    found.spans.push(Span::new(2, source.len() - 1));
    let mut report = report(vec![found]);
    report.name = Some("z".repeat(1_000_000));
    report.findings[0].message = "m".repeat(1_000_000);
    let text = deck(&report, &source, &style(72));
    assert!(text.len() < 6000 && widest(&text) <= 72, "{text}");
    assert!(
        text.contains("x Moss yyy") && text.contains("limit 6, actual 12"),
        "{text}"
    );
}

#[test]
fn a_span_that_does_not_fit_costs_the_mark_and_not_the_finding() {
    let mut found = finding("", "Moss");
    found.spans = vec![Span::new(5, 90), Span::new(4, 1)];
    let text = deck(&report(vec![found]), "1 Moss\n", &style(80));
    assert!(text.contains("error copies (line 3)"), "{text}");
    assert!(text.contains("12 copies") && !text.contains("╭"), "{text}");
    assert!(text.contains("(limit 6, actual 12)"), "{text}");
}

#[test]
fn a_legal_deck_is_one_line_and_quietly_none() {
    let legal = Report {
        verdict: Verdict::Legal,
        ledgers: vec![Ledger::Points(ledger(112, 0))],
        submission: None,
        ..report(Vec::new())
    };
    let line = "✓ decks/ebb.txt  legal  shell  \"Ebb and Flow\"\n";
    assert_eq!(deck(&legal, "", &style(80)), line);
    let verbose = Style {
        verbose: true,
        ..style(80)
    };
    let account = "  ✓ points: 100 + 12 red mana - 112 green mana = 0 remaining\n";
    assert_eq!(deck(&legal, "", &verbose), format!("{line}{account}"));
    let quiet = Style {
        quiet: true,
        ..style(80)
    };
    assert_eq!(deck(&legal, "", &quiet), "");
}

#[test]
fn of_many_findings_errors_are_shown_first() {
    let source = "1 Moss\n";
    let warning = Finding {
        severity: Severity::Warning,
        ..finding(source, "Moss")
    };
    let mut findings = vec![warning; 30];
    findings.push(finding(source, "Moss"));
    let shown = |style: &Style| deck(&report(findings.clone()), source, style);
    let text = shown(&style(80));
    assert_eq!(text.matches("warning copies").count(), 19);
    assert_eq!(text.matches("error copies").count(), 1);
    assert!(
        text.contains("  … and 11 more (11 warnings); ask for all to see them\n"),
        "{text}"
    );
    let text = shown(&Style {
        verbose: true,
        ..style(80)
    });
    assert_eq!(text.matches("warning copies").count(), 30);
}

#[test]
fn no_rule_is_hidden_behind_another_that_many_cards_break() {
    let source = "1 Moss\n";
    let mut findings = vec![finding(source, "Moss"); 30];
    findings.push(Finding {
        rule: "leader".to_owned(),
        ..finding(source, "Moss")
    });
    let text = deck(&report(findings), source, &style(80));
    assert_eq!(text.matches("error copies").count(), 19, "{text}");
    assert_eq!(text.matches("error leader").count(), 1, "{text}");
}

#[test]
fn colours_are_used_only_when_asked_for() {
    let source = "1 Moss\n";
    let style = Style {
        colour: true,
        ..style(80)
    };
    let text = deck(&report(vec![finding(source, "Moss")]), source, &style);
    assert!(text.starts_with("\u{1b}[31m✗\u{1b}[0m decks/ebb.txt  \u{1b}[31millegal\u{1b}[0m"));
}

#[test]
fn a_summary_counts_decks_and_rules() {
    let mut totals = Totals::default();
    totals.add(&report(vec![finding("1 a\n", "a"), finding("1 a\n", "a")]));
    totals.add(&report(vec![finding("1 a\n", "a")]));
    let nothing = Finding::of_file("empty".to_owned(), String::new());
    totals.add(&Report::unreadable("x.txt".to_owned(), nothing));
    totals.add(&Report {
        verdict: Verdict::Legal,
        findings: vec![Finding {
            severity: Severity::Notice,
            ..finding("1 a\n", "a")
        }],
        ..report(Vec::new())
    });
    assert_eq!(totals.decks(), 4);
    let text = summary(&totals, &style(40), false);
    assert!(widest(&text) <= 40, "{text}");
    insta::assert_snapshot!(text, @r#"
    4 decks: 1 legal, 2 illegal,
      1 unreadable; 1 notice
    ┌─────────────┬───────┐
    │ broken rule ┆ decks │
    ╞═════════════╪═══════╡
    │ copies      ┆     2 │
    │ syntax      ┆     1 │
    └─────────────┴───────┘
    "#);
    assert_eq!(summary(&Totals::default(), &style(40), false), "0 decks\n");
}

proptest! {
    #[test]
    fn whatever_is_marked_fits_the_terminal(
        source in "([a-zé\u{301}漢🂡\t ]{0,60}(\n|\r\n|\u{1b})?){0,4}",
        spans in prop::collection::vec((0usize..200, 0usize..60), 0..4),
        numbers in prop::option::of(0i64..1000),
        unicode in any::<bool>(),
        width in 34usize..90,
    ) {
        let mut found = finding("", "Moss");
        found.spans = spans.iter().map(|(at, length)| Span::new(*at, at + length)).collect();
        (found.limit, found.actual) = (numbers, numbers);
        let style = Style { unicode, ..style(width) };
        let text = deck(&report(vec![found]), &source, &style);
        prop_assert!(text.contains("12 copies"), "{}", text);
        prop_assert!(!text.contains("Failed to read"), "{}", text);
        prop_assert!(!text.contains('\u{1b}'), "{}", text);
        prop_assert!(widest(&text) <= width, "{} {}", width, text);
    }
}

proptest! {
    #[test]
    fn no_word_is_cut_and_one_longer_than_a_line_has_its_own(
        pieces in prop::collection::vec("[a-z]{1,30}( [a-z]{1,30}){0,6}", 1..6),
        width in 20usize..60,
        indent in 0usize..3,
    ) {
                let laid: Vec<super::layout::Piece> = pieces
            .iter()
            .enumerate()
            .map(|(at, text)| super::layout::Piece::plain(at.min(1), text))
            .collect();
        let laid = super::layout::lay(&laid, indent, &style(width));
        for line in laid.lines() {
            let alone = line.split_whitespace().count() == 1;
            prop_assert!(alone || super::layout::columns(line) <= width, "{laid}");
        }
        // A piece with no space before it joins the one before.
        let words: String = laid.split_whitespace().collect();
        let whole: String = pieces.concat().split_whitespace().collect();
        prop_assert_eq!(words, whole);
        for word in pieces.iter().flat_map(|text| text.split(' ')) {
            prop_assert!(laid.contains(word), "{word}: {laid}");
        }
    }
}
