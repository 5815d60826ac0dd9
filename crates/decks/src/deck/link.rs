//! A deck as a link: the part of an address behind `#` holds all of it, so that no server gets it.
//!
//! `#z=` holds the deck's JSON in zlib's format, whose checksum shows a link that was cut off or
//! altered, in the letters of base64 that an address may have. A page adds to the deck's keys the
//! `settings` by which it shows the deck.

use super::{LARGEST_FILE, Listing, ReaderNote, to_json};
use data_encoding::BASE64URL_NOPAD;
use decklaw_text::ReadError;
use decklaw_text::fault::Fault;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};

/// The key of a page's settings.
const SETTINGS: &str = "settings";

/// Whether a text is a link and nothing else: an address, or the end of one that holds a deck.
///
/// ```
/// use decklaw_decks::deck::is_link;
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
    ["https://", "http://"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)))
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
/// use decklaw_decks::deck::{Input, Listing, open, to_link};
/// let listing = Listing { format: Some("shell".to_owned()), ..Listing::default() };
/// let link = to_link(&listing);
/// assert!(link.starts_with("/deck/shell#z="));
/// let opened = open(link.as_bytes(), Input::Text)?;
/// assert_eq!(opened.input, Input::Json);
/// # Ok::<(), decklaw_text::ReadError>(())
/// ```
pub fn to_link(deck: &Listing) -> String {
    let format = deck.format.as_deref().unwrap_or_default();
    let packed = packed(to_json(deck).trim_end().as_bytes());
    format!("/deck/{format}#z={}", BASE64URL_NOPAD.encode(&packed))
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Memory that is compressed into memory meets no error.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Unpacks bytes.
///
/// # Errors
/// Why they cannot be unpacked, as the end of a sentence.
fn unpacked(packed: &[u8]) -> Result<Vec<u8>, &'static str> {
    let mut decoder = ZlibDecoder::new(packed);
    let mut out = Vec::new();
    let read = decoder.by_ref().take(LARGEST_FILE + 1).read_to_end(&mut out);
    if out.len() as u64 > LARGEST_FILE {
        return Err("holds more than any deck");
    }
    match read {
        Ok(_) if decoder.total_in() == packed.len() as u64 => Ok(out),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err("was cut off"),
        _ => Err("was altered"),
    }
}

/// Returns the deck of a link in JSON, and notes about it.
///
/// # Errors
/// A link without a deck in it, or one that was cut off or altered.
pub(super) fn read(link: &str) -> Result<(String, Vec<ReaderNote>), ReadError> {
    let wrong = |message: String, help: &str| ReadError::new(message, help);
    let broken = |why: &str| {
        let message = format!("the deck in this link cannot be read: the link {why}");
        wrong(message, "copy the whole link again where the deck was shared")
    };
    let Some(code) = code(link.trim()) else {
        let message = "this link does not hold its deck: a server keeps it".to_owned();
        let help = "open it, and take the link that holds the deck itself under Share; or save the deck as a file";
        return Err(wrong(message, help));
    };
    let packed = BASE64URL_NOPAD.decode(code.as_bytes());
    let packed = packed.map_err(|_| broken("was cut off or altered"))?;
    let text = String::from_utf8(unpacked(&packed).map_err(broken)?);
    let text = text.map_err(|_| broken("was altered"))?;
    let apart = settings_apart(&text);
    let apart = apart.map_err(|_| broken("has settings that are not names with values"))?;
    let Some((settings, deck)) = apart else {
        return Ok((text, Vec::new()));
    };
    let settings = settings.iter().map(|(name, value)| format!("--set {name}={value}"));
    let settings: Vec<String> = settings.collect();
    let about =
        "this link was shared with settings, which are not used here unless they are given again";
    let note = format!("{about}: {}", settings.join(" "));
    Ok((deck, vec![ReaderNote::notice(Fault::LeftOut, note)]))
}

/// Returns the settings in a deck in JSON, name to value, and the deck without them; `None`: there
/// are none.
///
/// # Errors
/// Settings that are not texts by names.
#[allow(clippy::type_complexity, reason = "settings and deck are two things")]
pub fn settings_apart(
    json: &str,
) -> Result<Option<(BTreeMap<String, String>, String)>, serde_json::Error> {
    // The reader of decks reports what is no mapping.
    let Ok(mut entries) = serde_json::from_str::<BTreeMap<String, &RawValue>>(json) else {
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
            let same = |(deck, _): (String, Vec<ReaderNote>)| deck == to_json(&listing).trim_end();
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
        let error = read(&bomb).unwrap_err();
        assert!(error.message.contains("more than any deck"), "{error}");
    }

    #[test]
    fn settings_are_noted_and_are_no_section() {
        let deck = r#"{"format":"f","settings":{"min":"40"},"sections":{"b":["1 X"],"a":[]}}"#;
        let (left, notes) = read(&link_of(deck.as_bytes())).unwrap();
        assert_eq!(left, r#"{"format":"f","sections":{"b":["1 X"],"a":[]}}"#);
        assert!(notes[0].message.ends_with("--set min=40"), "{notes:?}");
        // Without any it stays as it is written, keys that are there twice too.
        for deck in ["[1]", r#"{"sections": {}, "sections": {}}"#, "no JSON"] {
            assert_eq!(read(&link_of(deck.as_bytes())).unwrap(), (deck.to_owned(), vec![]));
        }
        for wrong in [r#"{"settings":["min=40"]}"#, r#"{"settings":{"min":{"a":1}}}"#] {
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
        for none in
            ["", "#main", "3 X", "# z=abc", "https://a.example 3", "deck.txt", "book.xlsx#main"]
        {
            assert!(!is_link(none), "{none}");
        }
        let kept = read("https://a.example/s/abc").unwrap_err();
        assert!(kept.message.contains("a server keeps it"), "{kept}");
    }
}
