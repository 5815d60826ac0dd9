//! Id lists (`.ydk`): a card's number on each line, one line a copy.

use super::builder::Builder;
use super::{Deck, SyntaxError, quoted};
use decklaw_cards::pool::{IDS, Pool};
use decklaw_text::text::Span;
use std::borrow::Cow;

/// Reads an id list. The sections are `#main`, `#extra` and `!side`; a number is the card
/// whose column `id` in the card file holds it.
pub(super) fn read<'a>(mut builder: Builder<'a, '_>) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let ids = builder.names.pool.map(by_id).unwrap_or_default();
    let mut section = None;
    for line in builder.source.lines() {
        if builder.full() {
            break;
        }
        let text = line.trim();
        let span = builder.span(text);
        match text {
            "" => {}
            comment if comment.starts_with(['#', '!']) => {
                let Some(word) = builder.names.in_comment(comment) else {
                    if comment.starts_with('!') {
                        odd(&mut builder, span, comment);
                    }
                    continue;
                };
                section = Some((word, span));
                if builder.names.open || builder.names.find(word).is_some() {
                    builder.section(word, span);
                }
            }
            id if id.bytes().all(|byte| byte.is_ascii_digit()) => {
                let Some((word, place)) = section else {
                    if builder.errors.is_empty() {
                        let message = "This card is in no section.";
                        builder.wrong(span, message, "Write `#main` above it.");
                    }
                    continue;
                };
                // Every such file has all sections; those without cards need not be the format's.
                let Some(section) = builder.section(word, place) else {
                    section = None;
                    continue;
                };
                match ids.get(id.trim_start_matches('0')) {
                    Some(name) => builder.copy(section, Cow::Owned((*name).to_owned()), span),
                    None if ids.is_empty() => {
                        let message = "The file has numbers for cards, and no card is known by a number here.";
                        let help =
                            format!("Use a card file with a column `{IDS}`, with `--cards FILE`.");
                        builder.wrong(span, message, help);
                        break;
                    }
                    None => {
                        let message = format!("No card has the number {}.", quoted(id));
                        let help = format!("Add it to the column `{IDS}` of the card file.");
                        builder.wrong(span, message, help);
                    }
                }
            }
            other => odd(&mut builder, span, other),
        }
    }
    builder.finish()
}

fn odd(builder: &mut Builder<'_, '_>, span: Span, line: &str) {
    let message = format!("{} is neither a card's number nor a section.", quoted(line));
    let help = "The sections are `#main`, `#extra` and `!side`.";
    builder.wrong(span, message, help);
}

/// The cards' names by their numbers, without leading zeros.
fn by_id(pool: &Pool) -> std::collections::HashMap<String, &str> {
    let mut names = std::collections::HashMap::new();
    for card in pool.ids() {
        for id in pool.shown(card, IDS).split(';') {
            let id = id.trim().trim_start_matches('0');
            if !id.is_empty() {
                names.insert(id.to_owned(), pool.name(card));
            }
        }
    }
    names
}
