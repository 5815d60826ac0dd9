//! What is asked at a table without making a move: zones, card texts, sums, the log.

use super::Failure;
use super::games::PlayedFormat;
use crate::cli::terminal::{self, wrapped};
use crate::matches::{MatchError, Play, Reader, SeatId};
use crate::text::harmless;

/// What can be asked, for people.
pub(super) const HELP: &str = "\
show, z ZONE                     the table; a zone with every card
text ZONE SLOT, text NAME        what a card says
points                           what zones come to, where the game counts it
log [N]                          what happened last
help, quit";

/// The answer to a line that is no move; `None` where it may be one.
pub(super) fn answered(
    line: &str,
    play: &Play,
    by: SeatId,
    format: Option<&PlayedFormat>,
) -> Result<Option<String>, Failure> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let told = match words.as_slice() {
        ["zone" | "z", name @ ..] if !name.is_empty() => {
            let name = name.join(" ");
            let zone = play.zone_named(by, name.trim_matches('"'));
            or_mistake(zone.and_then(|zone| play.zone_told(Reader::Seat(by), by, &zone)))
        }
        ["text", rest @ ..] if !rest.is_empty() => {
            let named = match rest {
                [zone, slot] => play.card_named(by, zone, slot).ok(),
                _ => None,
            };
            let name = named.map_or_else(|| rest.join(" "), str::to_owned);
            text_of(&name, format)
        }
        ["points"] => {
            let sums = play.sums(|name, field| format?.number(name, field));
            match sums.is_empty() {
                true => "this game counts nothing of the kind\n".to_owned(),
                false => sums.join("\n") + "\n",
            }
        }
        ["log", most @ ..] if most.len() <= 1 => {
            let most = most.first().and_then(|most| most.parse().ok());
            let first = play.entries.len().saturating_sub(most.unwrap_or(15));
            let lines = play.log(Reader::Seat(by), first)?;
            let each = lines
                .iter()
                .map(|line| harmless(line, false).into_owned() + "\n");
            each.collect()
        }
        _ => return Ok(None),
    };
    Ok(Some(told))
}

fn or_mistake(told: Result<String, MatchError>) -> String {
    told.unwrap_or_else(|error| format!("{error}\n"))
}

/// What a card says, field by field.
fn text_of(name: &str, format: Option<&PlayedFormat>) -> String {
    let told = format
        .map(|format| format.card_text(name))
        .unwrap_or_default();
    let shown = harmless(name, false);
    if told.is_empty() {
        return format!("the card pool knows no `{shown}`\n");
    }
    let mut text = format!("{shown}\n");
    for line in told.lines() {
        for line in wrapped(&harmless(line, false), terminal::width().saturating_sub(2)) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}
