//! Repairs, decks that were built and the room of decks, for programs: `decklaw/fix/1`,
//! `decklaw/build/1` and `decklaw/room/1`.

use super::json::{FindingJson, alphabetical};
use crate::judge::{DeckReport, Verdict};
use crate::resolve::{Change, Decklist};
use crate::solve::{Found, Room, Rooms, Wish};
use serde::Serialize;
use std::collections::BTreeMap;

/// A deck as it is after a repair.
#[derive(Serialize)]
struct After<'r> {
    verdict: Verdict,
    hash: Option<&'r str>,
    findings: Vec<FindingJson<'r>>,
}

impl<'r> From<&'r DeckReport> for After<'r> {
    fn from(report: &'r DeckReport) -> After<'r> {
        After {
            verdict: report.verdict,
            hash: report.hash.as_deref(),
            findings: report.findings.iter().map(FindingJson::from).collect(),
        }
    }
}

/// The smallest edit of the deck called `deck`. `reasons` are its changes and the ids of the
/// rules for which each is made; `report` is what is said of the deck as it is then, `notes` what was asked for in
/// vain.
///
/// # Errors
/// None in practice: it is plain data.
pub fn fix(
    deck: &str,
    before: &Decklist,
    (found, reasons): (&Found, &[(Change, Vec<String>)]),
    notes: &[String],
    report: &DeckReport,
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct ChangeJson<'r> {
        section: &'r str,
        card: &'r str,
        from: i64,
        to: i64,
        rules: &'r [String],
    }
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        deck: &'r str,
        distance: i64,
        optimal: bool,
        bound: i64,
        changes: Vec<ChangeJson<'r>>,
        after: After<'r>,
        notes: &'r [String],
    }
    let changes = reasons.iter().map(|(change, rules)| ChangeJson {
        section: &before.sections()[usize::from(change.section)],
        card: before.name(change.card),
        from: change.from,
        to: change.to,
        rules,
    });
    alphabetical(&Document {
        schema: "decklaw/fix/1",
        deck,
        distance: found.distance,
        optimal: found.optimal,
        bound: found.bound,
        changes: changes.collect(),
        after: After::from(report),
        notes,
    })
}

/// That there is no repair, and the reasons, sentences.
///
/// # Errors
/// None in practice: it is plain data.
pub fn no_fix(deck: &str, reasons: &[String], notes: &[String]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        deck: &'r str,
        distance: Option<i64>,
        optimal: bool,
        changes: [(); 0],
        after: Option<After<'r>>,
        reasons: &'r [String],
        notes: &'r [String],
    }
    alphabetical(&Document {
        schema: "decklaw/fix/1",
        deck,
        distance: None,
        optimal: false,
        changes: [],
        after: None,
        reasons,
        notes,
    })
}

/// A deck that was built, and how far it is from each wish that was only preferred. `report`
/// is what is said of the deck.
///
/// # Errors
/// None in practice: it is plain data.
pub fn build(
    found: &Found,
    prefer: &[Wish],
    notes: &[String],
    report: &DeckReport,
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct CardJson {
        count: u32,
        name: String,
    }
    #[derive(Serialize)]
    struct DeckJson<'r> {
        format: &'r str,
        sections: BTreeMap<String, Vec<CardJson>>,
    }
    #[derive(Serialize)]
    struct Preferred<'r> {
        wish: &'r str,
        missed: i64,
    }
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        format: &'r str,
        deck: DeckJson<'r>,
        distance: i64,
        optimal: bool,
        bound: i64,
        preferred: Vec<Preferred<'r>>,
        after: After<'r>,
        notes: &'r [String],
    }
    let format = found.deck.rulebook().format().id();
    let card = |(count, name)| CardJson { count, name };
    let sections = found.deck.listing().sections.into_iter();
    let sections = sections.map(|(id, cards)| (id, cards.into_iter().map(card).collect()));
    let preferred = prefer.iter().zip(&found.missed);
    alphabetical(&Document {
        schema: "decklaw/build/1",
        format,
        deck: DeckJson {
            format,
            sections: sections.collect(),
        },
        distance: found.distance,
        optimal: found.optimal,
        bound: found.bound,
        preferred: preferred
            .map(|(wish, missed)| Preferred {
                wish: wish.text(),
                missed: *missed,
            })
            .collect(),
        after: After::from(report),
        notes,
    })
}

/// That no deck was built, and the reasons, sentences; `impossible` where there is none, and
/// not where the work ended too early.
///
/// # Errors
/// None in practice: it is plain data.
pub fn no_build(
    format: &str,
    impossible: bool,
    reasons: &[String],
    notes: &[String],
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        format: &'r str,
        deck: Option<()>,
        impossible: bool,
        reasons: &'r [String],
        notes: &'r [String],
    }
    alphabetical(&Document {
        schema: "decklaw/build/1",
        format,
        deck: None,
        impossible,
        reasons,
        notes,
    })
}

/// How many more copies of each card fit into the deck called `name`; `all` are rooms that
/// `rooms` found of it.
///
/// # Errors
/// None in practice: it is plain data.
pub fn room(
    name: &str,
    deck: &Decklist,
    rooms: &Rooms<'_>,
    all: &[Room],
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Entry<'r> {
        section: &'r str,
        card: &'r str,
        has: i64,
        more: Option<i64>,
        rule: Option<&'r str>,
        message: Option<String>,
    }
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        deck: &'r str,
        room: Vec<Entry<'r>>,
    }
    let rules = deck.rulebook().rules();
    let entry = |room: &Room| Entry {
        section: &deck.sections()[usize::from(room.section)],
        card: deck.name(room.card),
        has: deck.copies(room.section, room.card),
        more: room.more,
        rule: room.rule.map(|rule| rules[rule].id.as_str()),
        message: rooms.why(room),
    };
    alphabetical(&Document {
        schema: "decklaw/room/1",
        deck: name,
        room: all.iter().map(entry).collect(),
    })
}
