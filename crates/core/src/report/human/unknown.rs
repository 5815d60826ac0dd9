//! Unknown cards: one trouble, however many there are. They come first, in one group, and what
//! depends on them is one line of it.

use super::layout::{Piece, lay};
use super::{LONGEST_NAME, MOST_FINDINGS, MOST_OF_A_RULE, Style, capital, number_of};
use crate::judge::{Finding, Report};
use crate::remedy::Remedy;
use crate::rules::{Fault, Severity};
use crate::text::harmless;

/// Whether a finding is that a name is no card's.
fn is_unknown(finding: &Finding) -> bool {
    finding.code.fault == Fault::NotInPool && !finding.cards.is_empty()
}

/// Whether a finding is what unknown cards leave open.
fn depends(finding: &Finding) -> bool {
    finding.code.kind == crate::rules::unknown::ID && finding.code.fault == Fault::Unverified
}

/// Takes the unknown cards out of the findings, and what depends on them, where they are
/// several; a single one is put first.
pub(super) fn take<'f>(findings: &mut Vec<&'f Finding>) -> Vec<&'f Finding> {
    let unknown = findings.iter().filter(|one| is_unknown(one)).count();
    let (first, rest): (Vec<&Finding>, Vec<&Finding>) = findings
        .drain(..)
        .partition(|one| is_unknown(one) || (unknown > 0 && depends(one)));
    *findings = rest;
    if unknown > 1 {
        return first;
    }
    findings.splice(0..0, first);
    Vec::new()
}

/// The group of unknown cards: each with its place and its likeliest name, then what depends
/// on them and what would mend them all.
pub(super) fn group(report: &Report, findings: &[&Finding], style: &Style) -> String {
    let (unknown, open): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().copied().partition(|one| is_unknown(one));
    let Some(first) = unknown.first() else {
        return String::new();
    };
    let (sign, colour) = match first.severity {
        Severity::Error => (style.sign("×", "x"), "31"),
        Severity::Warning | Severity::Notice => (style.sign("☞", ">"), "33"),
    };
    let word = first.severity.word();
    let head = format!("{word} {}", style.words(&first.rule, LONGEST_NAME));
    let mut out = lay(&[Piece::painted(0, &head, colour)], 2, style);
    let count = number_of(unknown.len(), "name");
    let mut line = vec![Piece::painted(2, sign, colour)];
    line.extend(Piece::words(&format!(
        "{count} of no card that is known here"
    )));
    out.push_str(&lay(&line, 4, style));
    let most = match style.verbose {
        true => MOST_OF_A_RULE,
        false => MOST_FINDINGS,
    };
    let shown = &unknown[..unknown.len().min(most)];
    let numbers = shown
        .iter()
        .filter_map(|one| one.place)
        .map(|place| place.line);
    let digits = numbers.max().unwrap_or(1).to_string().len();
    for one in shown {
        let place = one
            .place
            .map_or(String::new(), |place| place.line.to_string());
        let mut pieces = vec![Piece::plain(4, format!("{place:>digits$}"))];
        let name = one.cards.first().map_or("", String::as_str);
        pieces.push(Piece::plain(2, style.words(name, LONGEST_NAME)));
        let help = style.words(&one.help, super::LONGEST_MESSAGE);
        let mut help: Vec<Piece> = Piece::words(&help).collect();
        if let Some(first) = help.first_mut() {
            first.gap = 2;
        }
        pieces.extend(help);
        out.push_str(&lay(&pieces, 4 + digits + 4, style));
    }
    let left = unknown.len() - shown.len();
    let mut help = Vec::new();
    if left > 0 {
        let shows = match style.verbose {
            true => "JSON and tables list them".into(),
            false => (style.words)(&Remedy::ShowAll),
        };
        let sign = style.sign("…", "...");
        help.push(format!("{sign} and {left} more; {shows}"));
    }
    for one in &open {
        help.push(capital(&style.words(&one.message, super::LONGEST_MESSAGE)));
    }
    // A row of a form is no file to change, nor is standard input.
    if report.submission.is_none() && report.deck != "-" {
        let deck = harmless(&report.deck, false);
        let deck = match deck.contains([' ', '\'', '"', '$', '&', ';']) {
            true => format!("'{}'", deck.replace('\'', "'\\''")),
            false => deck.into_owned(),
        };
        help.push((style.words)(&Remedy::Rename(deck)));
    }
    for text in help {
        let mut pieces = vec![Piece::plain(1, "")];
        pieces.extend(Piece::words(&text));
        out.push_str(&lay(&pieces, 4, style));
    }
    out
}
