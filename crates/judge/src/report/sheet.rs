//! Registration sheets: a page for each deck, to print and to sign.

use crate::judge::Report;
use crate::report::json::inputs_digest;
use decklaw_decks::deck::Listing;
use decklaw_decks::submissions::Submission;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::Severity;
use decklaw_text::text::{counted, escape_control, markup};
use std::fmt::Write as _;

/// The most findings on a sheet; the others are counted, so that it stays one page.
const MOST_FINDINGS: usize = 12;

/// The beginning of the document, which loads nothing.
pub fn head() -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Deck registration</title>\n{STYLE}</head>\n<body>\n"
    )
}

/// The end of the document.
pub const FOOT: &str = "</body>\n</html>\n";

/// The facts on a sheet other than the deck.
#[derive(Debug, Clone, Copy, Default)]
pub struct SheetFacts<'b> {
    /// The day of the verdict.
    pub day: &'b str,
    /// The seal of the lock that the deck was judged by.
    pub lock: Option<&'b str>,
    /// The deck's status in its event, if it does not simply count.
    pub standing: Option<&'b str>,
    /// Whether there is no deck at all.
    pub missing: bool,
}

/// The page of one deck: the player and table, its sections with their counts, the verdict with its
/// findings, the inputs of the verdict, and a place to sign.
pub fn page(
    report: &Report,
    deck: &Listing,
    rulebook: Option<&Rulebook>,
    besides: &SheetFacts<'_>,
) -> String {
    let mut page = format!(
        "<section class=\"{}\">\n<header><div>{}</div></header>\n<div class=\"sheet\">\n<h1>Deck registration</h1>\n",
        density(report, deck),
        called(report, deck)
    );
    facts(&mut page, deck, rulebook);
    page.push_str("<div class=\"cards\">\n");
    for (id, cards) in deck.sections.iter().filter(|(_, cards)| !cards.is_empty()) {
        let total: i64 = cards.iter().map(|(count, _)| i64::from(*count)).sum();
        let name = shown(section_name(id, rulebook));
        let total = counted(total, "card");
        let _ = writeln!(
            page,
            "<h2><bdi class=\"section\">{name}</bdi> <span>{total}</span></h2>\n<table>"
        );
        for (count, name) in cards {
            let name = shown(name);
            let _ = writeln!(
                page,
                "<tr><td>{count}</td><td><bdi>{name}</bdi></td><td class=\"tick\"></td></tr>"
            );
        }
        page.push_str("</table>\n");
    }
    page.push_str("</div>\n");
    verdict(&mut page, report, besides);
    page.push_str("<div class=\"end\">\n<dl class=\"small\">\n");
    decided(&mut page, report, rulebook, besides);
    page.push_str("</dl>\n<div class=\"sign\"><div>Player, date</div><div>Judge, date</div></div>\n</div>\n</div>\n</section>\n");
    page
}

/// The title of each page: two of player, deck and file.
fn called(report: &Report, deck: &Listing) -> String {
    let (player, name) = (deck.player.as_deref(), deck.name.as_deref());
    let known = [player, name, Some(report.deck.as_str())];
    let called: Vec<String> = known
        .into_iter()
        .flatten()
        .take(2)
        .map(|part| format!("<bdi>{}</bdi>", shown(part)))
        .collect();
    called.join(" · ")
}

/// The player and the deck, with round and table if they are known.
fn facts(page: &mut String, deck: &Listing, rulebook: Option<&Rulebook>) {
    let remark = |key: &str| {
        let found = deck.remarks.iter().find(|(known, _)| known == key);
        found.map_or("", |(_, value)| value.as_str())
    };
    let format = rulebook.map_or("", |rulebook| rulebook.format().entry().name.as_str());
    page.push_str("<dl>\n");
    for (key, value, always) in [
        ("Player", deck.player.as_deref().unwrap_or_default(), true),
        ("Event", remark("Event"), true),
        ("Date", remark("Date"), true),
        ("Round", remark("Round"), false),
        ("Table", remark("Table"), false),
        ("Deck", deck.name.as_deref().unwrap_or_default(), true),
        ("Format", format, true),
    ] {
        if always || !value.is_empty() {
            // Writing to a string cannot fail.
            let _ = writeln!(page, "<div><dt>{key}</dt><dd><bdi>{}</bdi></dd></div>", shown(value));
        }
    }
    page.push_str("</dl>\n");
}

/// The name of a section; its id if no game is known.
fn section_name<'n>(id: &'n str, rulebook: Option<&'n Rulebook>) -> &'n str {
    let found = rulebook.and_then(|rulebook| {
        let mut sections = rulebook.format().game().sections().iter();
        sections.find(|section| section.id == *id)
    });
    found.map_or(id, |section| section.name.as_str())
}

/// The density of the layout that a deck needs to fit on a page.
fn density(report: &Report, deck: &Listing) -> &'static str {
    /// The lines that fit on a page of two columns and of three.
    const FIT: [usize; 2] = [54, 102];
    let of_section = |(_, cards): &(String, Vec<(u32, String)>)| match cards.len() {
        0 => 0,
        cards => cards + 2,
    };
    let cards: usize = deck.sections.iter().map(of_section).sum();
    // A finding takes some two lines across all columns.
    let findings = report.findings.len().min(MOST_FINDINGS + 1) * 2;
    match cards {
        cards if cards + 2 * findings <= FIT[0] => "open",
        cards if cards + 3 * findings <= FIT[1] => "close",
        _ => "dense",
    }
}

/// The line with the deck's status in its event, if there is one.
fn standing(page: &mut String, besides: &SheetFacts<'_>) {
    if let Some(standing) = besides.standing {
        let standing = shown(standing);
        let _ = writeln!(page, "<p class=\"verdict\"><strong>{standing}</strong></p>");
    }
}

fn verdict(page: &mut String, report: &Report, besides: &SheetFacts<'_>) {
    standing(page, besides);
    if besides.missing {
        return;
    }
    let word = report.verdict.word();
    let _ = writeln!(page, "<p class=\"verdict\">Verdict: <strong>{word}</strong></p>");
    if report.findings.is_empty() {
        return;
    }
    page.push_str("<ul>\n");
    // Errors come first: the end of a long list is left out.
    let findings = report.by_severity();
    for finding in findings.iter().take(MOST_FINDINGS) {
        let severity = match finding.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Notice => "Notice",
        };
        let line = finding.line.map_or(String::new(), |line| format!(", line {line}"));
        let (rule, message) = (shown(&finding.rule), shown(&finding.message));
        let _ = writeln!(page, "<li><b>{severity} ({rule}{line}):</b> <bdi>{message}</bdi></li>");
    }
    if let Some(more) = findings.len().checked_sub(MOST_FINDINGS).filter(|more| *more > 0) {
        let _ = writeln!(page, "<li>and {} more</li>", counted(more as i64, "finding"));
    }
    page.push_str("</ul>\n");
}

/// The inputs of the verdict, so that anyone can judge the deck again.
fn decided(
    page: &mut String,
    report: &Report,
    rulebook: Option<&Rulebook>,
    besides: &SheetFacts<'_>,
) {
    let mut row = |key: &str, value: &str| {
        let _ = writeln!(page, "<div><dt>{key}</dt><dd>{}</dd></div>", shown(value));
    };
    if let Some(lock) = besides.lock {
        row("Lock", lock);
    }
    if besides.missing {
        return;
    }
    row("Deck hash", report.hash.as_deref().unwrap_or("none: not readable"));
    row("File", &report.deck);
    let remark = report.submission.as_ref().map(Submission::remark);
    if let Some(remark) = remark.filter(|remark| !remark.is_empty()) {
        row("Remark", &remark);
    }
    let Some(rulebook) = rulebook else {
        return;
    };
    row("Judged", &format!("{} as {}", besides.day, rulebook.format().id()));
    let list = match rulebook.list() {
        Some(list) => format!("{}, effective {}, {}", list.id, list.effective, list.sha256),
        None => "none".to_owned(),
    };
    row("Banlist", &list);
    let settings = rulebook.settings_given();
    let settings: Vec<String> = settings.map(|(name, value)| format!("{name} = {value}")).collect();
    if !settings.is_empty() {
        row("Settings", &settings.join(", "));
    }
    row("Inputs", inputs_digest(rulebook));
}

fn shown(text: &str) -> String {
    markup(&escape_control(text, false))
}

/// The sheet's style: one column of facts, cards in as many columns as fit, and no block broken
/// across pages. The margins fit both A4 and Letter.
const STYLE: &str = "<style>
@page { margin: 12mm 14mm; }
* { box-sizing: border-box; }
body { font: 10pt/1.3 system-ui, sans-serif; color: #000; background: #fff; margin: 0 auto; max-width: 190mm; }
section { break-after: page; display: table; width: 100%; table-layout: fixed; }
section:last-of-type { break-after: auto; }
header { display: table-header-group; break-inside: avoid; font-size: 8pt; color: #444; }
header div { padding-bottom: 2mm; }
.sheet { display: table-row-group; }
h1 { font-size: 15pt; margin: 0 0 3mm; }
h2 { font-size: 11pt; margin: 3mm 0 1mm; border-bottom: 0.3mm solid #000; break-after: avoid; display: flex; justify-content: space-between; }
h2:first-child { margin-top: 0; }
.section { display: inline-block; }
.section::first-letter { text-transform: uppercase; }
dl { margin: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 1.5mm 6mm; }
dl div { display: flex; gap: 2mm; border-bottom: 0.2mm solid #888; min-height: 6mm; }
dt { color: #444; flex: 0 0 16mm; }
dd { margin: 0; flex: 1; font-weight: 600; overflow-wrap: anywhere; }
.cards { columns: 2; column-gap: 8mm; margin-top: 3mm; }
.close .cards { columns: 3; column-gap: 5mm; font-size: 9pt; line-height: 1.2; }
.dense .cards { columns: 4; column-gap: 3mm; font-size: 7pt; line-height: 1.15; }
.close .sign, .dense .sign { margin-top: 9mm; }
.dense td:first-child { width: 6mm; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0.2mm 1mm; vertical-align: top; overflow-wrap: anywhere; border-bottom: 0.1mm solid #ccc; }
td:first-child { width: 11mm; text-align: right; font-variant-numeric: tabular-nums; }
.tick { width: 5mm; } .tick::before { content: ''; display: inline-block; width: 0.7em; height: 0.7em; border: 0.2mm solid #666; }
tr, li { break-inside: avoid; }
.verdict { margin: 4mm 0 1mm; font-size: 12pt; }
ul { margin: 0 0 3mm; padding-left: 5mm; font-size: 9pt; overflow-wrap: anywhere; }
.end { break-inside: avoid; margin-top: 4mm; }
.small { display: block; font-size: 8pt; }
.small div { border: 0; min-height: 0; }
.small dd { font-weight: 400; font-family: ui-monospace, monospace; }
.sign { display: flex; gap: 10mm; margin-top: 14mm; }
.sign div { flex: 1; border-top: 0.3mm solid #000; padding-top: 1mm; font-size: 8pt; }
</style>
";
