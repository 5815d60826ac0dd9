use super::*;
use decklaw_rules::rules::Meter;
use decklaw_text::text::LineColumn;
use proptest::prelude::*;

fn style(width: usize) -> Style {
    Style { width, colour: false, quiet: false, verbose: false }
}

fn report(findings: Vec<Finding>) -> Report {
    Report {
        format: Some("shell".to_owned()),
        name: Some("Ebb and Flow".to_owned()),
        verdict: Verdict::Illegal,
        findings,
        ..Report::blank("decks/ebb.txt".to_owned())
    }
}

/// A finding that marks every occurrence of a card, the last one first.
fn finding(source: &str, card: &str) -> Finding {
    let span = |(at, _)| Span::new(at, at + card.len());
    let spans = source.rmatch_indices(card).map(span).collect();
    let message = format!("12 copies of `{card}`; a deck may have 6");
    Finding {
        rule: "copies".to_owned(),
        source: Some("Deck Building › Main Deck".to_owned()),
        ..Finding::unreadable(message, "take out 6 copies")
    }
    .at(LineColumn { line: 3, column: 3 }, spans)
}

fn of_severity(severity: Severity) -> Finding {
    Finding { severity, ..finding("1 Moss\n", "Moss") }
}

fn meter(value: i64) -> Meter {
    Meter {
        rule: "points".to_owned(),
        section: None,
        text: format!("points: {value} of 112"),
        value,
        low: Some(112),
        high: Some(112),
    }
}

#[test]
fn a_finding_shows_its_lines_the_rule_and_what_to_do() {
    let source = "Format: shell\n\n6 Rain Caller\n2 Moss\n6 Rain Caller\n";
    let findings = vec![finding(source, "Rain Caller")];
    insta::assert_snapshot!(deck(&report(findings), source, &style(80)), @r#"
    ✗ decks/ebb.txt  illegal  shell  "Ebb and Flow"

    error copies
      × 12 copies of `Rain Caller`; a deck may have 6
       ╭─[decks/ebb.txt:5:3]
     3 │ 6 Rain Caller
       ·   ───────────
     4 │ 2 Moss
     5 │ 6 Rain Caller
       ·   ───────────
       ╰────
      help: Take out 6 copies
            Rule: Deck Building › Main Deck
    "#);
}

#[test]
fn a_problem_is_drawn_with_its_place() {
    let problem = Problem::new(decklaw_text::ProblemKind::Query, "no field `manna`")
        .with_help("did you mean `mana`?")
        .at("1+ [manna:2]", Span::new(4, 9));
    insta::assert_snapshot!(super::problem(&problem, None, &style(80)), @"
     × no field `manna`
      ╭────
    1 │ 1+ [manna:2]
      ·     ─────
      ╰────
     help: Did you mean `mana`?
    ");
}

#[test]
fn words_are_never_cut() {
    let digest = "0123456789abcdef".repeat(4);
    let mut found = finding("", "Moss");
    found.message = format!("the list 2026-06-01 is {digest}, and not the locked one");
    let mut report = report(vec![found]);
    report.deck = format!("decks/{}.txt", "a-b ".repeat(4).trim_end());
    let text = deck(&report, "", &style(40));
    assert!(text.contains("2026-06-01") && text.contains(&digest), "{text}");
}

#[test]
fn escapes_and_overrides_reach_no_terminal() {
    let source = "1 a\u{1b}[2J\u{202e}b\n";
    let evil = "x\u{1b}]0;title\u{7}\u{202e}\r\n";
    let mut found = finding(source, "a\u{1b}[2J\u{202e}b");
    found.help = Some(evil.to_owned());
    found.rule = evil.to_owned();
    found.source = Some(evil.to_owned());
    let mut report = report(vec![found]);
    report.name = Some(evil.to_owned());
    report.format = Some(evil.to_owned());
    report.deck = evil.to_owned();
    report.meters = vec![Meter { text: evil.to_owned(), ..meter(1) }];
    let mut totals = Totals::default();
    totals.add(&report);
    totals.add(&report);
    let text = deck(&report, source, &style(80)) + &summary(&totals, &style(80), false);
    let controls = ['\u{1b}', '\u{202e}', '\u{7}', '\r'];
    assert!(!text.contains(controls), "{text:?}");
    assert!(text.contains("a?[2J\u{fffd}b"), "{text}");
}

#[test]
fn what_is_too_long_is_cut() {
    let source = format!("1 {} Moss\n", "x".repeat(500_000));
    let mut report = report(vec![finding(&source, "Moss")]);
    report.name = Some("z".repeat(1_000_000));
    report.findings[0].message = "m".repeat(1_000_000);
    let text = deck(&report, &source, &style(72));
    assert!(text.len() < 3000, "{text}");
    assert!(text.contains("error copies (line 3)"), "{text}");
}

#[test]
fn a_span_that_does_not_fit_costs_the_mark_and_not_the_finding() {
    let mut found = finding("", "Moss");
    found.spans = vec![Span::new(5, 90), Span::new(4, 1)];
    let text = deck(&report(vec![found]), "1 Moss\n", &style(80));
    assert!(text.contains("error copies (line 3)"), "{text}");
    assert!(text.contains("12 copies") && !text.contains("╭"), "{text}");
}

#[test]
fn a_legal_deck_is_one_line_and_quietly_none() {
    let legal = Report { verdict: Verdict::Legal, meters: vec![meter(112)], ..report(Vec::new()) };
    let line = "✓ decks/ebb.txt  legal  shell  \"Ebb and Flow\"\n";
    assert_eq!(deck(&legal, "", &style(80)), line);
    let verbose = Style { verbose: true, ..style(80) };
    let meter = "  ✓ points: 112 of 112\n";
    assert_eq!(deck(&legal, "", &verbose), format!("{line}{meter}"));
    let quiet = Style { quiet: true, ..style(80) };
    assert_eq!(deck(&legal, "", &quiet), "");
}

#[test]
fn no_meter_repeats_what_a_finding_says() {
    let mut found = finding("", "Moss");
    found.rule = "points".to_owned();
    let both = Report { meters: vec![meter(110)], ..report(vec![found]) };
    assert!(!deck(&both, "", &style(80)).contains("points: 110"));
    let other = Report { findings: vec![finding("", "Moss")], ..both };
    assert!(deck(&other, "", &style(80)).contains("✗ points: 110 of 112"));
}

#[test]
fn errors_come_before_warnings_and_notices() {
    let mut findings = vec![of_severity(Severity::Notice), of_severity(Severity::Warning)];
    findings.extend(vec![of_severity(Severity::Warning); 30]);
    findings.push(of_severity(Severity::Error));
    let shown = |style: &Style| deck(&report(findings.clone()), "1 Moss\n", style);
    let text = shown(&style(80));
    let first = |word: &str| text.find(word);
    assert!(first("error copies") < first("warning copies"), "{text}");
    assert_eq!(text.matches("warning copies").count(), 19);
    let more = "  … and 13 more (12 warnings and 1 notice); `-v` shows them\n";
    assert!(text.contains(more), "{text}");
    let text = shown(&Style { verbose: true, ..style(80) });
    assert_eq!(text.matches("warning copies").count(), 31);
}

#[test]
fn colours_are_used_only_when_asked_for() {
    let source = "1 Moss\n";
    let style = Style { colour: true, ..style(80) };
    let text = deck(&report(vec![finding(source, "Moss")]), source, &style);
    assert!(text.starts_with("\u{1b}[31m✗\u{1b}[0m decks/ebb.txt  \u{1b}[31millegal\u{1b}[0m"));
}

#[test]
fn a_summary_counts_decks_and_rules() {
    let source = "1 Moss\n";
    let mut totals = Totals::default();
    let found = || finding(source, "Moss");
    totals.add(&report(vec![found(), found()]));
    totals.add(&report(vec![found()]));
    let nothing = Finding::unreadable("empty".to_owned(), "");
    totals.add(&Report::unreadable("x.txt".to_owned(), nothing));
    totals.add(&Report { verdict: Verdict::Legal, ..report(vec![of_severity(Severity::Notice)]) });
    assert_eq!(totals.decks(), 4);
    insta::assert_snapshot!(summary(&totals, &style(40), false), @"
    4 decks: 1 legal, 2 illegal, 1
      unreadable; 1 notice
    broken rules, with how many decks break them:
      2  copies
      1  syntax
    ");
    assert_eq!(summary(&Totals::default(), &style(40), false), "0 decks\n");
}

proptest! {
    #[test]
    fn whatever_is_marked_is_drawn(
        source in "([a-zé\u{301}漢🂡\t ]{0,60}(\n|\r\n|\u{1b})?){0,4}",
        spans in prop::collection::vec((0usize..200, 0usize..60), 0..4),
        width in 20usize..90,
    ) {
        let mut found = finding("", "Moss");
        found.spans = spans.iter().map(|(at, length)| Span::new(*at, at + length)).collect();
        let text = deck(&report(vec![found]), &source, &style(width));
        prop_assert!(text.contains("copies"), "{}", text);
        prop_assert!(!text.contains("Failed to read") && !text.contains('\u{1b}'), "{}", text);
    }
}
