//! Repairs, decks that were built and the room of decks, for programs: `decklaw/fix/1`,
//! `decklaw/build/1` and `decklaw/room/1`.

use crate::solve::{Aim, Found, Misnamed, Repair, Room, Rooms, Substitute, Wish};
use decklaw_core::judge::{Finding, Report, Verdict};
use decklaw_core::resolve::{Change, Decklist};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A deck as it is after a repair.
#[derive(Serialize)]
struct After<'r> {
    verdict: Verdict,
    hash: Option<&'r str>,
    findings: &'r [Finding],
}

impl<'r> From<&'r Report> for After<'r> {
    fn from(report: &'r Report) -> After<'r> {
        After {
            verdict: report.verdict,
            hash: report.hash.as_deref(),
            findings: &report.findings,
        }
    }
}

/// A change of a deck, and the ids of the rules for which it is made.
#[derive(Serialize)]
struct ChangeJson<'r> {
    section: &'r str,
    card: &'r str,
    from: i64,
    to: i64,
    rules: &'r [String],
}

impl<'r> ChangeJson<'r> {
    fn of(before: &'r Decklist, (change, rules): &'r (Change, Vec<String>)) -> ChangeJson<'r> {
        ChangeJson {
            section: &before.sections()[usize::from(change.section)],
            card: before.name(change.card),
            from: change.from,
            to: change.to,
            rules,
        }
    }
}

/// The smallest edit of the deck called `deck`. `reasons` are its changes and the ids of the
/// rules for which each is made; `report` is what is said of the deck as it is then, `notes` what
/// was asked for in vain, `substitutes` what may stand in for cards of the banlist, `misnamed` the
/// names that were corrected.
///
/// # Errors
/// None in practice: it is plain data.
pub fn fix(
    deck: &str,
    before: &Decklist,
    (found, reasons): (&Found, &[(Change, Vec<String>)]),
    notes: &[String],
    report: &Report,
    substitutes: &[Substitute],
    misnamed: &[Misnamed],
) -> serde_json::Result<Value> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        deck: &'r str,
        distance: i64,
        optimal: bool,
        bound: i64,
        /// Whether the choice among equals had seen all of them.
        settled: bool,
        /// There where more than half of the deck comes in.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        mostly_new: bool,
        changes: Vec<ChangeJson<'r>>,
        after: After<'r>,
        notes: &'r [String],
        #[serde(skip_serializing_if = "Vec::is_empty")]
        substitutes: Vec<SubstituteJson<'r>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        renamed: Vec<RenamedJson<'r>>,
    }
    #[derive(Serialize)]
    struct RenamedJson<'r> {
        from: &'r str,
        to: &'r str,
        lines: &'r [u32],
    }
    #[derive(Serialize)]
    struct InsteadJson<'r> {
        card: &'r str,
        differs: &'r [String],
    }
    #[derive(Serialize)]
    struct SubstituteJson<'r> {
        section: &'r str,
        card: &'r str,
        copies: i64,
        instead: Vec<InsteadJson<'r>>,
    }
    let renamed = misnamed.iter().filter_map(|one| {
        let to = one.meant()?;
        let (from, lines) = (one.name.as_str(), one.lines.as_slice());
        Some(RenamedJson { from, to, lines })
    });
    let substitutes = substitutes.iter().map(|one| SubstituteJson {
        section: &before.sections()[usize::from(one.section)],
        card: before.name(one.card),
        copies: one.copies,
        instead: one
            .instead
            .iter()
            .map(|(card, differs)| InsteadJson {
                card: before.name(*card),
                differs,
            })
            .collect(),
    });
    let changes = reasons
        .iter()
        .map(|reasoned| ChangeJson::of(before, reasoned));
    serde_json::to_value(Document {
        schema: "decklaw/fix/1",
        deck,
        distance: found.distance,
        optimal: found.optimal(),
        bound: found.bound(),
        settled: found.settled,
        mostly_new: found.is_mostly_new(before),
        changes: changes.collect(),
        after: After::from(report),
        notes,
        substitutes: substitutes.collect(),
        renamed: renamed.collect(),
    })
}

/// What is known where there is no answer.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Unanswered {
    /// Whether no legal deck is as was asked; proven.
    impossible: bool,
    /// Whether without any one of the reasons the others could hold together; proven. None where
    /// the reasons are no such demands.
    irreducible: Option<bool>,
}

impl From<&Repair> for Unanswered {
    fn from(solved: &Repair) -> Unanswered {
        let conflict = match solved {
            Repair::Impossible(conflict) => Some(conflict),
            Repair::Found(_) | Repair::Unknown => None,
        };
        Unanswered {
            impossible: conflict.is_some(),
            irreducible: conflict.map(|conflict| conflict.irreducible),
        }
    }
}

/// That there is no repair, and the reasons, sentences.
///
/// # Errors
/// None in practice: it is plain data.
pub fn no_fix(
    deck: &str,
    solved: Unanswered,
    reasons: &[String],
    notes: &[String],
) -> serde_json::Result<Value> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        deck: &'r str,
        distance: Option<i64>,
        optimal: bool,
        changes: [(); 0],
        after: Option<After<'r>>,
        impossible: bool,
        irreducible: Option<bool>,
        reasons: &'r [String],
        notes: &'r [String],
    }
    serde_json::to_value(Document {
        schema: "decklaw/fix/1",
        deck,
        distance: None,
        optimal: false,
        changes: [],
        after: None,
        impossible: solved.impossible,
        irreducible: solved.irreducible,
        reasons,
        notes,
    })
}

/// A deck that was made of another: that, and each change with what it is for.
pub type Finished<'r> = (&'r Decklist, &'r [(Change, Vec<String>)]);

/// A deck that was built, and how far it is from each wish that was only preferred, and from
/// each aim of the game's makers. `report` is what is said of the deck, `odds` how likely its
/// hands hold what the game's players ask, as [`crate::odds::render::to_json`] has it; `of` is what
/// was finished, if anything.
///
/// # Errors
/// None in practice: it is plain data.
pub fn build(
    found: &Found,
    (prefer, aims): (&[Wish], &[Aim]),
    notes: &[String],
    report: &Report,
    odds: Option<Value>,
    of: Option<Finished<'_>>,
) -> serde_json::Result<Value> {
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
        /// Of a deck that was finished.
        #[serde(skip_serializing_if = "Option::is_none")]
        changes: Option<Vec<ChangeJson<'r>>>,
        distance: i64,
        optimal: bool,
        bound: i64,
        /// Whether the choice among equals had seen all of them.
        settled: bool,
        preferred: Vec<Preferred<'r>>,
        /// The makers' advice, no rule.
        aims: Vec<AimJson<'r>>,
        after: After<'r>,
        notes: &'r [String],
        odds: Option<Value>,
    }
    #[derive(Serialize)]
    struct AimJson<'r> {
        wish: &'r str,
        because: &'r str,
        source: &'r str,
        missed: i64,
    }
    let aims = aims.iter().zip(&found.aims).map(|(aim, missed)| AimJson {
        wish: &aim.wish.value,
        because: &aim.because,
        source: &aim.source,
        missed: *missed,
    });
    let format = found.deck.rulebook().format().id();
    let card = |(count, name)| CardJson { count, name };
    let sections = found.deck.listing().sections.into_iter();
    let sections = sections.map(|(id, cards)| (id, cards.into_iter().map(card).collect()));
    let preferred = prefer.iter().zip(&found.missed);
    serde_json::to_value(Document {
        schema: "decklaw/build/1",
        format,
        deck: DeckJson {
            format,
            sections: sections.collect(),
        },
        changes: of.map(|(before, changes)| {
            let each = changes.iter();
            each.map(|one| ChangeJson::of(before, one)).collect()
        }),
        distance: found.distance,
        optimal: found.optimal(),
        bound: found.bound(),
        settled: found.settled,
        preferred: preferred
            .map(|(wish, missed)| Preferred {
                wish: wish.text(),
                missed: *missed,
            })
            .collect(),
        aims: aims.collect(),
        after: After::from(report),
        notes,
        odds,
    })
}

/// That no deck was built, and the reasons, sentences.
///
/// # Errors
/// None in practice: it is plain data.
pub fn no_build(
    format: &str,
    solved: Unanswered,
    reasons: &[String],
    notes: &[String],
) -> serde_json::Result<Value> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        format: &'r str,
        deck: Option<()>,
        impossible: bool,
        irreducible: Option<bool>,
        reasons: &'r [String],
        notes: &'r [String],
    }
    serde_json::to_value(Document {
        schema: "decklaw/build/1",
        format,
        deck: None,
        impossible: solved.impossible,
        irreducible: solved.irreducible,
        reasons,
        notes,
    })
}

/// Of which cards it is told why no more copies fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasons {
    /// Of each.
    OfAll,
    /// Of those of which not one more fits.
    OfFull,
}

/// How many more copies of a card fit into a section: an entry of `decklaw/room/1`.
#[derive(Debug, Serialize)]
pub struct RoomJson<'r> {
    section: &'r str,
    card: &'r str,
    has: i64,
    more: Option<i64>,
    rule: Option<&'r str>,
    message: Option<String>,
}

/// The entries of a deck's `rooms`.
pub fn rooms<'r>(
    deck: &'r Decklist,
    rooms: &Rooms<'_>,
    all: &[Room],
    reasons: Reasons,
) -> Vec<RoomJson<'r>> {
    let rules = deck.rulebook().rules();
    let told = |room: &Room| reasons == Reasons::OfAll || room.more == Some(0);
    let entry = |room: &Room| RoomJson {
        section: &deck.sections()[usize::from(room.section)],
        card: deck.name(room.card),
        has: deck.copies(room.section, room.card),
        more: room.more,
        rule: room.rule.map(|rule| rules[rule].id.as_str()),
        message: told(room).then(|| rooms.why(room)).flatten(),
    };
    all.iter().map(entry).collect()
}

/// How many more copies of each card fit into the deck called `name`; `all` are rooms that
/// `found` has of it.
///
/// # Errors
/// None in practice: it is plain data.
pub fn room(
    name: &str,
    deck: &Decklist,
    found: &Rooms<'_>,
    all: &[Room],
) -> serde_json::Result<Value> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        deck: &'r str,
        room: Vec<RoomJson<'r>>,
    }
    serde_json::to_value(Document {
        schema: "decklaw/room/1",
        deck: name,
        room: rooms(deck, found, all, Reasons::OfAll),
    })
}
