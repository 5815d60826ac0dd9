//! Letters to players: what was found of each one's deck, in an organiser's own words.

use crate::judge::{DeckReport, Finding, Verdict};
use crate::name::fold;
use crate::rules::Severity;
use crate::submissions::Submission;
use crate::text::{Lines, Template, TemplateError, harmless, without_bom};
use std::fmt::Write as _;

/// The letter that is written where an organiser brings none.
pub const BUILT_IN: &str = include_str!("letter.txt");

/// What a letter may say, in braces, and what stands in its place. Columns of the form that are
/// carried along may stand there by their names, too.
pub const FIELDS: [(&str, &str); 14] = [
    ("player", "the player's name"),
    ("address", "the player's address or number"),
    ("name", "the deck's name"),
    ("format", "the format's id"),
    ("verdict", "legal, incomplete, illegal or unreadable"),
    ("answer", "the verdict as sentences"),
    (
        "findings",
        "every error and warning: the deck's own line, what is wrong, what would mend it",
    ),
    ("errors", "how many errors there are"),
    ("row", "the row of the form"),
    ("time", "when it was handed in, as the form wrote it"),
    ("late", "`late`, or nothing"),
    ("remark", "what the row's other rows and times mean"),
    ("cards", "how many cards are in each section"),
    ("hash", "the digest of the deck's content"),
];

/// A template that was read and checked.
#[derive(Debug, Clone)]
pub struct Letters {
    /// Its lines: one of which every field is empty is left out.
    lines: Vec<Template>,
}

impl Letters {
    /// Reads a template; `carried` are the columns of the form that may stand in it.
    ///
    /// # Errors
    /// A brace without its other, and a field that nobody knows, with the nearest; the place is
    /// that in the whole template.
    ///
    /// ```
    /// use decklaw_core::report::letter::{BUILT_IN, Letters};
    /// assert!(Letters::read(BUILT_IN, &[]).is_ok());
    /// let error = Letters::read("Dear {plyer}", &[]).unwrap_err();
    /// assert!(error.message.contains("did you mean player?"), "{error}");
    /// ```
    pub fn read(template: &str, carried: &[String]) -> Result<Letters, TemplateError> {
        let carried = carried.iter().map(String::as_str);
        let known = FIELDS.iter().map(|(field, _)| *field).chain(carried);
        let mut lines = Vec::new();
        let mut start = 0;
        for whole in template.split_inclusive('\n') {
            let line = whole.trim_end_matches(['\n', '\r']);
            let read = Template::parse(line).and_then(|line| {
                line.check(known.clone())?;
                Ok(line)
            });
            lines.push(read.map_err(|mut error| {
                error.span.start += start;
                error.span.end += start;
                error
            })?);
            start += whole.len();
        }
        Ok(Letters { lines })
    }

    /// The letter about a deck, or about none, with this answer in it.
    pub fn saying(
        &self,
        report: &DeckReport,
        bytes: &[u8],
        answer: &str,
        row: &Submission,
    ) -> String {
        let player = report.player.clone().unwrap_or_default();
        let deck = match &report.text {
            Some(text) => text.as_str().into(),
            None => String::from_utf8_lossy(without_bom(bytes)),
        };
        let value = |field: &str| -> String {
            let carried = row.carried.iter().find(|(name, _)| name == field);
            let text = match field {
                "player" => player.clone(),
                "address" => row.identity.clone().unwrap_or_default(),
                "name" => report.name.clone().unwrap_or_default(),
                "format" => report.format.clone().unwrap_or_default(),
                "verdict" if report.hash.is_none() && report.findings.is_empty() => String::new(),
                "verdict" => report.verdict.word().to_owned(),
                "answer" => return answer.to_owned(),
                "findings" => return findings(report, &deck),
                "errors" => report.count(Severity::Error).to_string(),
                "row" if row.row == 0 => String::new(),
                "row" => row.row.to_string(),
                "time" => row.time.clone().unwrap_or_default(),
                "late" => if row.late { "late" } else { "" }.to_owned(),
                "remark" => row.remark(),
                "cards" => sections(report),
                "hash" => report.hash.clone().unwrap_or_default(),
                _ => carried.map_or_else(String::new, |(_, value)| value.clone()),
            };
            // What a form brings stays on its line: mails have headers above their text.
            harmless(&text, false).into_owned()
        };
        let mut text = String::new();
        for line in &self.lines {
            let Some(line) = line.fill_if_any(value) else {
                continue;
            };
            // What was left out leaves no gap behind.
            if line.trim().is_empty() && (text.is_empty() || text.ends_with("\n\n")) {
                continue;
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        format!("{}\n", text.trim_end())
    }
}

/// The verdict as sentences.
pub fn answer(verdict: Verdict, late: bool) -> &'static str {
    match (verdict, late) {
        (Verdict::Legal, false) => "It is legal; there is nothing for you to do.",
        (Verdict::Legal, true) => "It is legal, but it came after the deadline.",
        (Verdict::Incomplete, _) => {
            "It cannot be played as it is: cards are missing. Please add what stands below and hand it in again."
        }
        (Verdict::Illegal, _) => {
            "It cannot be played as it is. Please mend what stands below and hand it in again."
        }
        (Verdict::Unreadable, _) => {
            "We could not read it as a deck. Please mend what stands below and hand it in again."
        }
    }
}

fn sections(report: &DeckReport) -> String {
    let filled = report.cards.iter().filter(|(_, copies)| *copies > 0);
    let told: Vec<String> = filled
        .map(|(section, copies)| format!("{section} {copies}"))
        .collect();
    told.join(", ")
}

/// Every error and warning, errors first: the deck's own line, what is wrong and its mend.
fn findings(report: &DeckReport, deck: &str) -> String {
    let mut found: Vec<&Finding> = report
        .findings
        .iter()
        .filter(|finding| finding.severity != Severity::Notice)
        .collect();
    found.sort_by_key(|finding| finding.severity);
    let lines = Lines::of(deck);
    let mut out = String::new();
    for finding in found {
        let place = finding.place.map(|place| {
            let span = finding.spans.first().copied().unwrap_or_default();
            let (_, start) = lines.line(span.start.min(deck.len()));
            let own = deck.get(start..).unwrap_or_default();
            let own = own.lines().next().unwrap_or_default().trim();
            match own.is_empty() {
                true => format!("Line {}: ", place.line),
                false => format!("Line {}, \"{}\": ", place.line, harmless(own, false)),
            }
        });
        let what = match finding.severity {
            Severity::Warning => "Advice: ",
            _ => "",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "- {what}{}{}",
            place.unwrap_or_default(),
            harmless(&sentence(&finding.message), false)
        );
        if !finding.mend.is_empty() {
            let _ = writeln!(out, "  {}", harmless(&sentence(&finding.mend), false));
        }
        if let Some(source) = &finding.source {
            let _ = writeln!(out, "  (Rules: {})", harmless(source, false));
        }
    }
    out.trim_end().to_owned()
}

/// A sentence with its first letter and its full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let mut sentence: String = first.chain(letters).collect();
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

/// Names that no file may have on some systems.
const TAKEN: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A player's name as a part of a file's: letters and digits, and dashes for all else.
pub fn stem(player: &str) -> String {
    const LONGEST: usize = 60;
    let letters = player.chars().map(|letter| match letter.is_alphanumeric() {
        true => letter,
        false => ' ',
    });
    let letters: String = letters.collect();
    let words: Vec<&str> = letters.split_whitespace().collect();
    let stem: String = words.join("-").chars().take(LONGEST).collect();
    let stem = stem.trim_end_matches('-');
    let folded = fold(stem);
    let is_device = |name: &str| {
        let numbered = ["com", "lpt"].iter().any(|port| {
            let rest = name.strip_prefix(port);
            rest.is_some_and(|rest| {
                rest.len() == 1 && rest.chars().all(|digit| digit.is_ascii_digit())
            })
        });
        TAKEN.contains(&name) || numbered
    };
    // A player called `Row 5` is not the nameless one of row 5.
    match is_device(&folded) || folded.starts_with("row-") {
        true => format!("player-{stem}"),
        false => stem.to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_names_every_field() {
        let guide = std::fs::read_to_string("../../docs/letters.md").unwrap();
        for (field, what) in FIELDS {
            assert!(
                guide.contains(&format!("| `{{{field}}}` | {what} |")),
                "{field}"
            );
        }
        assert!(guide.contains(BUILT_IN), "the letter that is built in");
    }

    #[test]
    fn a_mistake_is_told_with_its_place_in_the_whole_template() {
        let template = "Dear {player},\n\nyour {dekc} is {verdict}\n";
        let error = Letters::read(template, &[]).unwrap_err();
        assert_eq!(&template[error.span.start..error.span.end], "{dekc}");
        let carried = ["E-mail".to_owned()];
        assert!(Letters::read("To: {E-mail}", &carried).is_ok());
        let error = Letters::read("To: {Email}", &carried).unwrap_err();
        assert!(error.message.contains("did you mean E-mail?"), "{error}");
        assert!(Letters::read("Dear {player", &[]).is_err());
    }

    #[test]
    fn names_of_files_are_safe() {
        for (player, name) in [
            ("CON", "player-CON"),
            ("com1", "player-com1"),
            ("a/b\\c", "a-b-c"),
            ("..", ""),
            ("Ana L\u{f3}pez", "Ana-L\u{f3}pez"),
            ("\u{202e}x", "x"),
        ] {
            assert_eq!(stem(player), name, "{player}");
        }
    }
}
