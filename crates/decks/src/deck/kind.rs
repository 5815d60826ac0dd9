//! Files of a kind of their own with the ending of a text, as a browser or a chat saves them:
//! their first bytes show which.

#![warn(missing_docs)]

use super::Input;
use decklaw_cards::pool::NAMES;
use decklaw_text::table::{COUNTS, column, read_header};

/// The most bytes in which the root of a document is searched.
const HEAD: usize = 2000;

/// Returns the kind of file that a text plainly is; `None`: a deck in lines, or nothing.
pub(super) fn of(source: &str) -> Option<Input> {
    let text = source.trim_start();
    match text.as_bytes().first()? {
        b'<' => {
            let head: String = text.chars().take(HEAD).collect();
            let head = head.to_ascii_lowercase();
            let root = |name: &str| {
                let mut after = head.match_indices(name).map(|(at, _)| at + name.len());
                after.any(|at| head[at..].starts_with([' ', '>', '\n', '\r', '\t', '/']))
            };
            (root("<cockatrice_deck") || root("<deck")).then_some(Input::Xml)
        }
        b'{' => text.contains('"').then_some(Input::Json),
        b'#' => is_ydk(text).then_some(Input::Ydk),
        _ => is_table(text).then_some(Input::Table),
    }
}

/// Whether there is nothing but numbers of cards, and the sections of such files.
fn is_ydk(text: &str) -> bool {
    let numbers = |line: &str| line.bytes().all(|byte| byte.is_ascii_digit());
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut main, mut cards) = (false, false);
    let only = lines.all(|line| {
        main |= line == "#main";
        cards |= numbers(line);
        line.starts_with('#') || line == "!side" || numbers(line)
    });
    only && main && cards
}

/// Whether the first line names the columns of a deck.
fn is_table(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let has = |header: &[String], spellings| matches!(column(header, spellings), Ok(Some(_)));
    // `Name: ;x` and `Name: $,x` are headers of a deck in text.
    let cell = first.split([',', ';', '\t']).next().unwrap_or_default();
    cell.len() < first.len()
        && !cell.contains(':')
        && read_header(first.as_bytes())
            .is_ok_and(|header| has(&header, COUNTS) && has(&header, NAMES))
}
