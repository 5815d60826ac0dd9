//! A deck as a link: all of it stands behind the `#` of an address, packed, so that no server keeps
//! it or is sent it.
//!
//! `#z=` holds the deck's JSON in zlib's format, whose checksum tells a link that was cut off or
//! altered, in the letters of base64 that an address may have. A page keeps beside the deck's own keys
//! the `settings` by which it shows the deck.

use super::{LARGEST_FILE, Listing, to_json};
use crate::table::TableError;
use data_encoding::BASE64URL_NOPAD;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The key of a page's settings, beside the deck's.
const SETTINGS: &str = "settings";
/// How many bytes are unpacked at a time.
const STEP: usize = 1 << 14;

/// Whether a text is a link and nothing else: an address, or the end of one that holds a deck.
///
/// ```
/// use decklaw_core::deck::is_link;
/// assert!(is_link("https://decks.example/deck/shell#z=eJyrVgIAAXsA-Q"));
/// assert!(is_link("z=eJyrVgIAAXsA-Q"));
/// assert!(!is_link("3 Moss Sprite"));
/// ```
pub fn is_link(text: &str) -> bool {
    let text = text.trim();
    // Nearly every deck has a space near its beginning.
    if text.contains(char::is_whitespace) {
        return false;
    }
    is_address(text) || code(text).is_some()
}

fn is_address(text: &str) -> bool {
    ["https://", "http://"].iter().any(|start| {
        text.get(..start.len())
            .is_some_and(|own| own.eq_ignore_ascii_case(start))
    })
}

/// The code in a link that holds a deck.
fn code(link: &str) -> Option<&str> {
    let end = match link.split_once('#') {
        Some((_, end)) => end,
        None if is_address(link) => return None,
        None => link,
    };
    end.split('&').find_map(|part| part.strip_prefix("z="))
}

/// A deck as the end of an address; the address of any server with its game goes before it.
///
/// ```
/// use decklaw_core::deck::{Input, Listing, open, to_link};
/// let listing = Listing { format: Some("shell".to_owned()), ..Listing::default() };
/// let link = to_link(&listing);
/// assert!(link.starts_with("/deck/shell#z="));
/// let opened = open(link.as_bytes(), Input::Text)?;
/// assert_eq!(opened.input, Input::Json);
/// # Ok::<(), decklaw_core::table::TableError>(())
/// ```
pub fn to_link(deck: &Listing) -> String {
    let format = deck.format.as_deref().unwrap_or_default();
    let packed = packed(to_json(deck).trim_end().as_bytes());
    format!("/deck/{format}#z={}", BASE64URL_NOPAD.encode(&packed))
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut stream = Compress::new(Compression::best(), true);
    let mut out = Vec::new();
    loop {
        let taken = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
        let rest = bytes.get(taken..).unwrap_or_default();
        out.reserve(STEP);
        // Memory that is compressed into memory meets no error.
        match stream.compress_vec(rest, &mut out, FlushCompress::Finish) {
            Ok(Status::StreamEnd) | Err(_) => return out,
            Ok(Status::Ok | Status::BufError) => {}
        }
    }
}

/// The bytes that were packed.
///
/// # Errors
/// Why there are none, in the end of a sentence.
fn unpacked(packed: &[u8]) -> Result<Vec<u8>, &'static str> {
    let mut stream = Decompress::new(true);
    let (mut out, mut part) = (Vec::new(), vec![0; STEP]);
    loop {
        let before = (stream.total_in(), stream.total_out());
        let taken = usize::try_from(before.0).unwrap_or(usize::MAX);
        let rest = packed.get(taken..).unwrap_or_default();
        let told = stream.decompress(rest, &mut part, FlushDecompress::None);
        let made = usize::try_from(stream.total_out() - before.1).unwrap_or(usize::MAX);
        out.extend_from_slice(part.get(..made).unwrap_or_default());
        if out.len() as u64 > LARGEST_FILE {
            return Err("holds more than any deck");
        }
        match told {
            Ok(Status::StreamEnd) if stream.total_in() == packed.len() as u64 => return Ok(out),
            Ok(Status::StreamEnd) | Err(_) => return Err("was altered"),
            Ok(_) if before == (stream.total_in(), stream.total_out()) => {
                return Err("was cut off");
            }
            Ok(_) => {}
        }
    }
}

/// The deck of a link in JSON, and what is to be known of it.
///
/// # Errors
/// A link without a deck in it, or one that was cut off or altered.
pub(super) fn read(link: &str) -> Result<(String, Vec<String>), TableError> {
    let wrong = |message: String, help: &str| TableError {
        line: None,
        message,
        help: help.to_owned(),
    };
    let broken = |why: &str| {
        wrong(
            format!("the deck in this link cannot be read: the link {why}"),
            "copy the whole link again where the deck was shared",
        )
    };
    let code = code(link.trim()).ok_or_else(|| {
        wrong(
            "this link does not hold its deck: a server keeps it".to_owned(),
            "open it, and take the link that holds the deck itself under Share; or save the deck as a file",
        )
    })?;
    let packed = BASE64URL_NOPAD.decode(code.as_bytes());
    let packed = packed.map_err(|_| broken("was cut off or altered"))?;
    let text = String::from_utf8(unpacked(&packed).map_err(broken)?);
    let text = text.map_err(|_| broken("was altered"))?;
    let apart = settings_apart(&text);
    let apart = apart.map_err(|_| broken("has settings that are no names with their values"))?;
    let Some((settings, deck)) = apart else {
        return Ok((text, Vec::new()));
    };
    let given = settings
        .iter()
        .map(|(name, value)| format!("--set {name}={value}"));
    let given: Vec<String> = given.collect();
    let note = format!(
        "whoever shared this link had the deck judged with settings of their own, which count here where they are given again: {}",
        given.join(" ")
    );
    Ok((deck, vec![note]))
}

/// The settings beside a deck in JSON, name to value, and the deck without them; `None`: there are
/// none, and the deck is as it stands.
///
/// # Errors
/// Settings that are no texts by names.
#[allow(clippy::type_complexity, reason = "two things that stand apart")]
pub fn settings_apart(
    json: &str,
) -> Result<Option<(BTreeMap<String, String>, String)>, serde_json::Error> {
    // What is no mapping is no deck, as its reader says.
    let entries = serde_json::from_str::<BTreeMap<String, &RawValue>>(json);
    let Ok(mut entries) = entries else {
        return Ok(None);
    };
    let Some(settings) = entries.remove(SETTINGS) else {
        return Ok(None);
    };
    let settings = serde_json::from_str(settings.get())?;
    Ok(Some((settings, serde_json::to_string(&entries)?)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::deck::{self, Input};
    use proptest::prelude::*;

    fn link_of(json: &[u8]) -> String {
        format!("#z={}", BASE64URL_NOPAD.encode(&packed(json)))
    }

    fn listings() -> impl Strategy<Value = Listing> {
        let cards = prop::collection::vec((1u32..99, "\\PC{1,30}"), 0..20);
        let sections = prop::collection::vec(("[a-z]{1,9}", cards), 0..4);
        (
            prop::option::of("[a-z]{1,9}(/[a-z]{1,9})?"),
            prop::option::of("\\PC{0,40}"),
            prop::option::of("\\PC{0,40}"),
            sections,
        )
            .prop_map(|(format, name, player, sections)| Listing {
                format,
                name,
                player,
                sections,
                ..Listing::default()
            })
    }

    proptest! {
        #[test]
        fn a_deck_comes_out_of_its_link_as_it_went_in(listing in listings()) {
            let link = to_link(&listing);
            prop_assert!(is_link(&link), "{}", link);
            for address in ["", "http://127.0.0.1:7070", "HTTPS://decks.example"] {
                let opened = deck::open(&[address.as_bytes(), link.as_bytes(), b"\n"].concat(), Input::Text)
                    .unwrap().source.into_owned();
                let json = to_json(&listing);
                prop_assert_eq!(String::from_utf8(opened).unwrap(), json.trim_end());
            }
        }

        #[test]
        fn a_link_that_was_changed_is_refused(listing in listings(), at in any::<prop::sample::Index>(), other in "[A-Za-z0-9_-]") {
            let link = to_link(&listing);
            let start = link.find("#z=").unwrap() + 3;
            let at = start + at.index(link.len() - start);
            // Cut off there, altered there, and with one letter more.
            prop_assert!(read(&link[..at]).is_err());
            let mut altered = link.clone();
            altered.replace_range(at..=at, &other);
            // Some bits say nothing of the deck: the level in the head, those before the checksum.
            let same = |(deck, _): (String, _)| deck == to_json(&listing).trim_end();
            prop_assert!(read(&altered).map_or(true, same), "{}", altered);
            altered = link.clone();
            altered.insert_str(at, &other);
            prop_assert!(read(&altered).is_err(), "{}", altered);
            let longer = link + &other;
            prop_assert!(read(&longer).is_err());
        }

        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,60}") {
            let _ = deck::open(text.as_bytes(), Input::Text);
            let _ = read(&format!("#z={text}"));
        }
    }

    #[test]
    fn a_small_code_unpacks_to_no_more_than_a_deck_may_have() {
        let most = usize::try_from(LARGEST_FILE).unwrap();
        let bomb = link_of(&vec![b' '; 2 * most]);
        assert!(bomb.len() < most / 100, "{}", bomb.len());
        let told = read(&bomb).map(|(deck, _)| deck.len());
        let error = told.unwrap_err();
        assert!(error.message.contains("more than any deck"), "{error}");
    }

    #[test]
    fn settings_are_told_and_not_taken_for_a_section() {
        let deck = r#"{"format":"f","settings":{"min":"40"},"sections":{"b":["1 X"],"a":[]}}"#;
        let (left, notes) = read(&link_of(deck.as_bytes())).unwrap();
        assert_eq!(left, r#"{"format":"f","sections":{"b":["1 X"],"a":[]}}"#);
        assert!(notes[0].ends_with("--set min=40"), "{notes:?}");
        // Without any it stays as it is written, keys that are there twice too.
        for deck in ["[1]", r#"{"sections": {}, "sections": {}}"#, "no JSON"] {
            assert_eq!(
                read(&link_of(deck.as_bytes())).unwrap(),
                (deck.to_owned(), vec![])
            );
        }
        for wrong in [
            r#"{"settings":["min=40"]}"#,
            r#"{"settings":{"min":{"a":1}}}"#,
        ] {
            assert!(read(&link_of(wrong.as_bytes())).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_a_link() {
        for link in [
            "https://a.example/s/abc",
            "http://a/deck/f#d=1&z=abc",
            "#z=abc",
            "z=abc",
            " /deck/a/b#z=x\n",
        ] {
            assert!(is_link(link), "{link}");
        }
        for none in [
            "",
            "#main",
            "3 X",
            "# z=abc",
            "https://a.example 3",
            "deck.txt",
            "book.xlsx#main",
        ] {
            assert!(!is_link(none), "{none}");
        }
        let kept = read("https://a.example/s/abc").unwrap_err();
        assert!(kept.message.contains("a server keeps it"), "{kept}");
    }
}
