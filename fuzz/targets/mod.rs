//! What is tried on bytes that nobody vouches for: one function a reader. Each panics where a
//! promise is broken. `cargo fuzz` calls the one that the first byte names, and
//! `tests/trust/fuzz.rs` all of them on stable Rust.

#![allow(clippy::expect_used, clippy::panic)]

use decklaw::banlist::Banlist;
use decklaw::banlist::lock::Lock;
use decklaw::deck::{self, CardLine, Input, Listing, SectionNames, to_text};
use decklaw::event::{About, EntryDeck, FormSettings, read_form, standing_of_form};
use decklaw::format::{Catalogue, Game};
use decklaw::judge::Judge;
use decklaw::matches::{MatchRules, UnverifiedMatch};
use decklaw::pool::{Field, FieldKind, Pool, infer_fields};
use decklaw::query::{HandQuery, Query, QueryError, TotalQuery};
use std::sync::{Arc, LazyLock};

/// A target: its name, which its corpus has too, and what it tries.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Every target.
pub(crate) const ALL: [Target; 12] = [
    ("banlist", banlist),
    ("card_query", card_query),
    ("cards_csv", cards_csv),
    ("configuration", configuration),
    ("deck_foreign", deck_foreign),
    ("deck_text", deck_text),
    ("form", form),
    ("format_file", format_file),
    ("hand_query", hand_query),
    ("lock", lock),
    ("match_file", match_file),
    ("table", table),
];

static JUDGES: LazyLock<[Judge; 3]> = LazyLock::new(|| {
    [None, Some("shell"), Some("any")].map(|format| {
        let day = "2026-01-01".parse().expect("a day");
        Judge::built_in(day).with_format(format.map(str::to_owned))
    })
});

/// What a match file of each built-in format is proved by.
static RULES: LazyLock<Vec<MatchRules>> = LazyLock::new(|| {
    let catalogue = Catalogue::built_in();
    let games = catalogue.games().filter_map(|id| catalogue.game(id).ok());
    let formats = games.flat_map(|game| game.formats());
    formats.filter_map(|format| MatchRules::of_format(&format).ok().flatten()).collect()
});

fn judged(judge: &Judge, bytes: &[u8], input: Input) {
    let report = judge.judge("deck", bytes, input);
    let report = report.expect("the built-in inputs are in order");
    // Text in another encoding is read as UTF-8, whose places are meant.
    let length = report.text.as_ref().map_or(decklaw::text::without_bom(bytes).len(), String::len);
    for span in report.findings.iter().flat_map(|finding| &finding.spans) {
        assert!(span.start <= span.end && span.end <= length, "{span:?}");
    }
}

/// Deck files of all three kinds, read and judged: every place is inside.
pub(crate) fn deck_text(bytes: &[u8]) {
    for input in [Input::Text, Input::Yaml, Input::Json] {
        judged(&JUDGES[0], bytes, input);
    }
}

/// Decks of other programs: every place is inside, and what was read can be written as text and
/// read again as the same cards.
pub(crate) fn deck_foreign(bytes: &[u8]) {
    let kinds = [Input::Ydk, Input::Xml, Input::Table];
    for judge in &JUDGES[1..] {
        for input in kinds {
            judged(judge, bytes, input);
        }
    }
    let Ok(read) = deck::read(bytes, Input::Table, SectionNames::OPEN) else {
        return;
    };
    let copies =
        |lines: &[CardLine<'_>]| -> u64 { lines.iter().map(|line| u64::from(line.count)).sum() };
    let text = to_text(&Listing::from(&read));
    if let Ok(again) = deck::read(text.as_bytes(), Input::Text, SectionNames::OPEN) {
        assert_eq!(copies(&read.lines), copies(&again.lines), "{text}");
    }
}

fn blamed(text: &str, error: &QueryError) {
    let span = error.span;
    assert!(text.get(span.start..span.end).is_some(), "{error:?}");
}

/// Card queries: what is refused is blamed inside the text, and what is understood picks cards.
pub(crate) fn card_query(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Query::parse(text) {
        Ok(query) => {
            let pool = JUDGES[1].rulebook("shell").expect("it is built in");
            if let Err(error) = query.select(pool.pool()) {
                blamed(text, &error);
            }
            let _ = query.remarks(pool.pool());
        }
        Err(error) => blamed(text, &error),
    }
}

/// Hand queries and totals, in the same way.
pub(crate) fn hand_query(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let rulebook = JUDGES[1].rulebook("shell").expect("it is built in");
    match HandQuery::parse(text) {
        Ok(query) => drop(query.remarks(rulebook.pool())),
        Err(error) => blamed(text, &error),
    }
    match TotalQuery::parse(text) {
        Ok(query) => drop(query.remarks(rulebook.pool())),
        Err(error) => blamed(text, &error),
    }
}

/// Format files: read and checked, or refused.
pub(crate) fn format_file(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(game) = Game::read("game.yaml", text)
    {
        for format in Arc::new(game).formats() {
            let _ = MatchRules::of_format(&format);
        }
    }
}

/// Banlists: read and checked, or refused.
pub(crate) fn banlist(bytes: &[u8]) {
    let _ = Banlist::read("list.yaml", bytes);
}

/// Locks: what is read is written as the same lock.
pub(crate) fn lock(bytes: &[u8]) {
    if let Ok(lock) = Lock::read(bytes) {
        let text = lock.text();
        let again = Lock::read(text.as_bytes()).expect("and read again");
        assert_eq!(lock.seal, again.seal);
        let _ = lock.kept_lists();
    }
}

/// `decklaw.yaml`.
pub(crate) fn configuration(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = decklaw::cli::wrong_in_configuration(text);
    }
}

/// Card files, with a game's fields and with inferred ones.
pub(crate) fn cards_csv(bytes: &[u8]) {
    let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
    let _ = Pool::read_csv(bytes, &[mana]);
    if let Ok(fields) = infer_fields(bytes) {
        let _ = Pool::read_csv(bytes, &fields);
    }
}

/// A form's export: rows in order, and every deck in them judged.
pub(crate) fn form(bytes: &[u8]) {
    let about = About {
        zone: "UTC".to_owned(),
        deadline: Some("2026-03-01T18:00".to_owned()),
        ..About::default()
    };
    let settings = FormSettings::default();
    let judge = &JUDGES[1];
    let folder = std::path::Path::new("no-such-folder");
    let Ok(form) = read_form("form", (bytes, None), folder, &about, &settings, judge) else {
        return;
    };
    let rows: Vec<_> = form.entries.iter().filter_map(|row| row.row).collect();
    assert!(rows.is_sorted(), "rows stand in order");
    let Ok((roster, standing)) = standing_of_form(&about, &form) else {
        return;
    };
    for entry in roster.entries.values() {
        if let Ok(deck) = EntryDeck::of(judge, &roster, &standing, entry, None) {
            judged(judge, &deck.text, Input::Text);
        }
    }
}

/// Tables and workbooks.
pub(crate) fn table(bytes: &[u8]) {
    if let Ok(sheet) = decklaw::table::read(bytes, None) {
        let width = sheet.header.len();
        for row in &sheet.rows {
            let _ = (row.cell(0), row.cell(width));
        }
    }
}

/// Match files: what is proved by some format's rules is the file that was read.
pub(crate) fn match_file(bytes: &[u8]) {
    if let Ok(read) = UnverifiedMatch::read(bytes) {
        for rules in RULES.iter() {
            if let Ok(proved) = read.verify(&rules.game()) {
                assert!(UnverifiedMatch::read(proved.to_json().as_bytes()).is_ok());
            }
        }
    }
}
