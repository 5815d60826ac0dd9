//! Match files that somebody changed.

use super::games::{Dice, Mode, all, json_of, play_out, vastrix};
use super::script::digest;
use decklaw::matches::{Match, MatchError, Reader, UnverifiedMatch};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn verify(mode: &Mode, file: &Value) -> Result<Match, MatchError> {
    UnverifiedMatch::read(file.to_string().as_bytes())?.verify(&mode.game())
}

/// Every place of a JSON value, as pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                places(
                    inner,
                    &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        Value::Array(list) => {
            for (number, inner) in list.iter().enumerate() {
                places(inner, &format!("{at}/{number}"), found);
            }
        }
        _ => (),
    }
}

fn tampered(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!("A"), json!(0)],
        Value::Bool(flag) => vec![json!(!flag), Value::Null],
        Value::Number(number) => vec![json!(number.as_i64().unwrap() + 1), json!(-1), json!("1")],
        Value::String(text) => {
            let mut other = text.clone();
            let last = other.pop();
            other.push(if last == Some('1') { '2' } else { '1' });
            vec![json!(other), Value::Null, json!(1)]
        }
        Value::Array(list) => {
            let mut longer = list.clone();
            longer.push(list.first().cloned().unwrap_or(json!("A001")));
            let mut changed = vec![json!(longer), Value::Null];
            if list.len() > 1 {
                let mut turned = list.clone();
                turned.rotate_left(1);
                changed.push(json!(turned));
                changed.push(json!(list[1..]));
            }
            changed.retain(|other| other != value);
            changed
        }
        Value::Object(map) => {
            let mut longer = map.clone();
            longer.insert("more".into(), json!(1));
            let mut changed = vec![json!(longer), Value::Null];
            for key in map.keys() {
                let mut shorter = map.clone();
                shorter.remove(key);
                changed.push(json!(shorter));
            }
            changed
        }
    }
}

/// A place without the numbers in it: what all cards of a list have in common.
fn kind(place: &str) -> String {
    let digit = |letter: char| letter.is_ascii_digit();
    let part = |part: &str| match part.trim_start_matches(['A', 'B', 'C', 'D', 'S']) {
        number if !number.is_empty() && number.chars().all(digit) => "#".to_owned(),
        _ => part.to_owned(),
    };
    let parts: Vec<String> = place.split('/').map(part).collect();
    parts.join("/")
}

/// Every place of a file in every mode: one of each kind, or all of them, each with some
/// (or every) other value.
fn tampering(
    root: &str,
    every: bool,
    number: usize,
    file: &Value,
    mut with: impl FnMut(Value, &str),
) {
    let mut dice = Dice::new(number as u64);
    let mut found = Vec::new();
    places(file.pointer(root).unwrap(), root, &mut found);
    // These say nothing about the match; their shape alone is checked.
    found.retain(|place| !matches!(place.as_str(), "" | "/warning" | "/generator"));
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for place in found {
        let kind = if every { place.clone() } else { kind(&place) };
        kinds.entry(kind).or_default().push(place);
    }
    for places in kinds.into_values() {
        let place = &places[dice.below(places.len())];
        let mut others = tampered(file.pointer(place).unwrap());
        if !every {
            let at = dice.below(others.len());
            others = vec![others.swap_remove(at)];
        }
        for other in others {
            let mut changed = file.clone();
            *changed.pointer_mut(place).unwrap() = other;
            with(changed, place);
        }
    }
}

#[test]
fn tampering_with_any_field_of_a_file_is_refused() {
    for (number, mode) in all().iter().enumerate() {
        let mut dice = Dice::new(number as u64);
        let file = json_of(&play_out(mode, "tamper", &mut dice, |_| ()));
        assert!(verify(mode, &file).is_ok());
        let every = mode.name == "versus/fast-shared";
        tampering("", every, number, &file, |changed, place| {
            let answer = verify(mode, &changed);
            assert!(matches!(answer, Err(MatchError::Refused(_))), "{}: {place}", mode.name);
        });
    }
}

#[test]
fn a_changed_state_is_refused_also_with_its_digest_made_anew() {
    for (number, mode) in all().iter().enumerate() {
        let file = json_of(&play_out(mode, "tamper", &mut Dice::new(9), |_| ()));
        let every = mode.name == "vainqueur";
        tampering("/state", every, number, &file, |mut changed, place| {
            changed["digests"]["state"] = digest(&changed["state"]);
            assert!(verify(mode, &changed).is_err(), "{}: {place}", mode.name);
        });
    }
}

#[test]
fn what_is_no_match_file_is_refused() {
    let mode = vastrix();
    let made = play_out(&mode, "refused", &mut Dice::new(0), |_| ());
    let file = made.to_json();
    let view = made.view(Reader::Public).unwrap();
    let twice = "\"schema\": \"decklaw/match/1\",\n\"schema\"";
    for text in [
        serde_json::to_string(&view).unwrap(),
        file.replacen("\"schema\"", twice, 1),
        format!("{{\"schema\":{}", "[".repeat(90_000)),
        file[..file.len() / 2].to_owned(),
        String::new(),
    ] {
        let answer =
            UnverifiedMatch::read(text.as_bytes()).and_then(|read| read.verify(&mode.game()));
        assert!(matches!(answer, Err(MatchError::Refused(_))), "{text:.60}");
    }
}

#[test]
fn every_setup_names_only_what_is_there() {
    for mode in all() {
        assert_eq!(mode.setup.problems(), Vec::<String>::new(), "{}", mode.name);
    }
    let text = "{seats: {option: players}, decks: own, sections: [main, side], options: {x: {one-of: [1], default: 2}}, \
        counters: {life: {start: {setting: y}}}, zones: {shared: {deck: {seen: by-all, holds: main, when: {x: [3]}}}}, \
        steps: [{do: {deal: {from: deck, to: hand, cards: {setting: z}}}}]}";
    let setup: decklaw::matches::Setup = serde_yaml::from_str(text).unwrap();
    assert_eq!(setup.problems().len(), 8, "{:?}", setup.problems());
}
