//! Whether a file's ending says what is written into it: a program that opens it goes by that.

use super::Refusal;
use std::path::Path;

/// Endings, and the kinds of output that such a file may hold.
const ENDINGS: [(&str, &[&str]); 12] = [
    ("csv", &["csv", "csv-excel"]),
    ("json", &["json", "ndjson"]),
    ("ndjson", &["ndjson"]),
    ("jsonl", &["ndjson"]),
    ("yaml", &["yaml"]),
    ("yml", &["yaml"]),
    ("ydk", &["ydk"]),
    ("cod", &["cod"]),
    ("dek", &["dek"]),
    ("xlsx", &["xlsx"]),
    ("pdf", &["pdf"]),
    ("png", &["png"]),
];

/// Endings of what no command writes.
const FOREIGN: [&str; 12] = [
    "doc", "docx", "odt", "rtf", "xls", "ods", "xlsm", "zip", "gz", "jpg", "jpeg", "gif",
];

/// Kinds of text that no program opens by an ending of the first table.
const PLAIN: [&str; 2] = ["text", "list"];

/// Endings by which a deck is read: prose, and the text dialect, are no such file.
const DECKS: [&str; 5] = ["yaml", "yml", "ydk", "cod", "dek"];

/// Endings of text for people.
const TEXT: [&str; 4] = ["txt", "md", "log", "html"];

/// Refuses a file whose ending says that something else is in it. `kind` is what is written, of
/// those that a command knows.
///
/// # Errors
/// The ending of another kind.
pub(super) fn fits(file: &Path, kind: &str, known: &[&str]) -> Result<(), Refusal> {
    let Some(ending) = file.extension().and_then(|ending| ending.to_str()) else {
        return Ok(());
    };
    let ending = ending.to_ascii_lowercase();
    let held = ENDINGS.iter().find(|(known, _)| *known == ending);
    let binary = super::output::BINARY.contains(&kind);
    let wrong = match held {
        Some((_, kinds)) if kinds.contains(&kind) => false,
        Some((_, kinds)) => {
            super::output::BINARY.contains(&ending.as_str())
                || PLAIN.contains(&kind)
                || kind == "human" && DECKS.contains(&ending.as_str())
                || ENDINGS.iter().any(|(_, kinds)| kinds.contains(&kind))
                || kinds.iter().any(|kind| known.contains(kind))
        }
        None => FOREIGN.contains(&ending.as_str()) || binary && TEXT.contains(&ending.as_str()),
    };
    if !wrong {
        return Ok(());
    }
    let shown = file.display();
    let meant = held.and_then(|(_, kinds)| kinds.iter().find(|kind| known.contains(kind)));
    let help = match meant {
        Some(meant) => format!("say `-o {meant}={shown}`, or give the file another ending"),
        None => "give the file another ending".to_owned(),
    };
    Err(Refusal(format!(
        "{shown}: what goes there is `{kind}`, and no program opens that as `.{ending}`; {help}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_that_of_what_is_written() {
        let check = [
            "human",
            "json",
            "ndjson",
            "csv",
            "csv-excel",
            "junit",
            "xlsx",
        ];
        let template = ["csv", "xlsx"];
        for (file, kind, known, right) in [
            ("out.txt", "human", &check[..], true),
            ("out", "human", &check, true),
            ("out.xml", "junit", &check, true),
            ("out.csv", "csv-excel", &check, true),
            ("OUT.CSV", "csv", &check, true),
            ("out.json", "ndjson", &check, true),
            ("out.csv", "human", &check, false),
            ("out.xlsx", "csv", &template, false),
            ("out.ods", "csv", &template, false),
            ("out.docx", "human", &check, false),
            ("out.json", "csv", &check, false),
            ("cards.txt", "pdf", &["pdf"], false),
            ("cards.pdf", "pdf", &["pdf"], true),
            ("deck.cod", "ydk", &["ydk"], false),
            ("deck.json", "human", &["human", "json"], false),
            ("deck.json", "text", &["text"], false),
            ("deck.yaml", "human", &["human", "json"], false),
            ("deck.yaml", "deck", &["human", "deck"], true),
            ("deck.json", "deck", &["human", "deck"], true),
            ("table.json", "match", &["match"], true),
            ("table.csv.gz", "csv", &check, false),
        ] {
            let fits = fits(Path::new(file), kind, known);
            assert_eq!(fits.is_ok(), right, "{file} {kind}: {fits:?}");
        }
    }

    #[test]
    fn the_refusal_says_what_to_type() {
        let told = fits(Path::new("x.xlsx"), "csv", &["csv", "xlsx"]);
        assert!(told.is_err_and(|told| told.0.contains("`-o xlsx=x.xlsx`")));
    }
}
