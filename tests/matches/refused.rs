//! What must be refused: tampered files, illegal decisions, calls that make no sense.

use crate::games::{
    DecideJson, Dice, Mode, all, decisions, json_of, pack, play_out, shell, vanquishers, vastrix,
};
use decklaw::matches::{
    Choice, Decision, Line, Match, MatchDeck, MatchError, NewMatch, Randomness, Sections,
    SwapJudge, Unproved,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

fn start(mode: &Mode, written: Vec<Value>) -> Result<Match, MatchError> {
    let randomness = Randomness::from_text("refused");
    Match::start(
        &mode.game(),
        mode.wanted.clone(),
        randomness,
        decisions(&written)?,
        None,
    )
}

fn verify(mode: &Mode, file: &Value) -> Result<Match, MatchError> {
    Unproved::read(file.to_string().as_bytes())?.verify(&mode.game())
}

fn digest(value: &Value) -> String {
    let canonical = serde_json_canonicalizer::to_vec(value).unwrap();
    Sha256::digest(canonical)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
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
            longer.insert("zusätzlich".into(), json!(1));
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
            assert!(
                matches!(answer, Err(MatchError::Refused(_))),
                "{}: {place}",
                mode.name
            );
        });
    }
}

#[test]
fn a_changed_state_is_refused_also_with_its_digest_made_anew() {
    for (number, mode) in all().iter().enumerate() {
        let file = json_of(&play_out(mode, "tamper", &mut Dice::new(9), |_| ()));
        let every = mode.name == "vainqueur";
        tampering("/state", every, number, &file, |mut changed, place| {
            changed["digests"]["state"] = json!(digest(&changed["state"]));
            assert!(verify(mode, &changed).is_err(), "{}: {place}", mode.name);
        });
    }
}

#[test]
fn what_is_no_match_file_is_refused() {
    let mode = vastrix();
    let made = start(&mode, vec![json!({"step": "first-player", "by": "random"})]).unwrap();
    let file = made.to_json();
    let view =
        serde_json::to_string(&made.view(decklaw::matches::Reader::Public).unwrap()).unwrap();
    let twice = file.replacen(
        "\"schema\"",
        "\"schema\": \"decklaw/match/1\",\n\"schema\"",
        1,
    );
    let deep = format!(
        "{{\"schema\":{}{}}}",
        "[".repeat(90_000),
        "]".repeat(90_000)
    );
    let later = file.replace("decklaw/match/1", "decklaw/match/2");
    let float = file.replacen("\"count\": 1", "\"count\": 1.0", 1);
    let crowd = file.replacen("\"count\": 1", "\"count\": 4000000000", 1);
    let scheme = file.replace("decklaw-sha256ctr-2", "decklaw-sha256ctr-1");
    let half = file[..file.len() / 2].to_owned();
    for text in [
        view,
        twice,
        deep,
        later,
        float,
        crowd,
        scheme,
        half,
        String::new(),
        "[]".into(),
    ] {
        let answer = Unproved::read(text.as_bytes()).and_then(|read| read.verify(&mode.game()));
        assert!(
            matches!(answer, Err(MatchError::Refused(_))),
            "{}",
            &text[..text.len().min(60)]
        );
    }
}

fn refused(mode: &Mode, decisions: &[Value], reason: &str) {
    match start(mode, decisions.to_vec()) {
        Err(MatchError::Refused(message)) => {
            assert!(
                message.contains(reason),
                "{message:?} does not say {reason:?}"
            );
        }
        other => panic!(
            "{decisions:?} must be refused, not {:?}",
            other.map(|made| made.pending.clone())
        ),
    }
}

#[test]
fn illegal_mulligans_are_refused_with_the_reason() {
    let swap = |seat: &str| json!({"step": "swap", "seat": seat});
    let first = json!({"step": "first-player", "by": "choice", "seat": "A"});
    let before = vec![swap("A"), swap("B"), first];
    let again = |seat: &str| json!({"step": "mulligan", "seat": seat, "choice": "mulligan"});
    let keep = |seat: &str, bottom: Value| json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": bottom});
    let with = |more: &[Value]| [before.clone(), more.to_vec()].concat();
    let shell = shell();
    let file = json_of(&start(&shell, with(&[again("B"), again("B")])).unwrap());
    let zone = |zone: &str| {
        file["state"]["seats"]["B"]["zones"][zone]
            .as_array()
            .unwrap()
            .clone()
    };
    refused(
        &shell,
        &with(&vec![again("B"); 7]),
        "has taken 6 mulligans and must keep",
    );
    refused(
        &shell,
        &with(&[keep("A", json!([])), keep("A", json!([]))]),
        "no `mulligan` is awaited of seat A",
    );
    refused(
        &shell,
        &with(&[keep("C", json!([]))]),
        "no `mulligan` is awaited of seat C",
    );
    refused(
        &shell,
        &with(&[again("B"), again("B"), keep("B", json!([]))]),
        "after 2 mulligans, 1 card",
    );
    refused(
        &shell,
        &with(&[again("B"), again("B"), keep("B", json!([zone("deck")[0]]))]),
        "does not hold",
    );
    refused(
        &shell,
        &with(&[
            again("B"),
            again("B"),
            again("B"),
            keep("B", json!(["B001", "B001"])),
        ]),
        "does not hold",
    );
    let mut too_many = again("B");
    too_many["bottom"] = json!([]);
    refused(&shell, &with(&[too_many]), "a field too many");
    refused(&shell, &with(&[swap("A")]), "`swap` is not awaited now");
    refused(
        &shell,
        &[swap("A"), swap("A")],
        "no `swap` is awaited of seat A",
    );
}

#[test]
fn illegal_swaps_are_refused_with_the_reason() {
    let shell = shell();
    let file = json_of(&start(&shell, vec![]).unwrap());
    let zone = |zone: &str| -> Vec<String> {
        let list = file["state"]["seats"]["A"]["zones"][zone]
            .as_array()
            .unwrap()
            .iter();
        list.map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    let named = |name: &str| {
        zone("side")
            .into_iter()
            .find(|id| file["cards"][id] == name)
            .unwrap()
    };
    let (mut deck, red, green) = (zone("deck"), zone("shell_red"), zone("shell_green"));
    deck.sort();
    let (wall, spell) = (named("Spare Wall"), named("Another"));
    for (moves, reason) in [
        (
            json!({"shells": {"out": red, "in": [wall]}}),
            "the same colour",
        ),
        (
            json!({"shells": {"out": green, "in": [spell]}}),
            "can be swapped from there",
        ),
        (
            json!({"shells": {"out": [], "in": [wall]}}),
            "the same colour",
        ),
        (
            json!({"main": {"out": [deck[0]], "in": [wall]}}),
            "can be swapped from there",
        ),
        (
            json!({"main": {"out": [deck[1], deck[0]], "in": []}}),
            "ascending",
        ),
        (
            json!({"main": {"out": [deck[0], deck[0]], "in": []}}),
            "ascending",
        ),
        (
            json!({"main": {"out": ["B010"], "in": []}}),
            "can be swapped from there",
        ),
        (
            json!({"main": {"out": [spell], "in": []}}),
            "can be swapped from there",
        ),
        (json!({"main": {"out": [], "in": []}}), "nothing moves"),
        (json!({"main": {"out": []}}), "missing field"),
        (json!({"extra": {"out": [], "in": []}}), "cannot be swapped"),
        (json!({"why": "x"}), "cannot be read"),
    ] {
        let mut decision = moves;
        decision["step"] = json!("swap");
        decision["seat"] = json!("A");
        refused(&shell, &[decision], reason);
    }
}

struct NoAnother;

impl SwapJudge for NoAnother {
    fn judge(&self, played: &Sections, _: &Sections) -> Result<Vec<String>, String> {
        match played["main"].iter().any(|(name, _)| name == "Another") {
            true => Err("Another is too strong".to_owned()),
            false => Ok(vec![]),
        }
    }
}

#[test]
fn a_swap_that_leaves_an_illegal_deck_is_refused_once_and_never_by_verify() {
    let shell = shell();
    let made = start(&shell, vec![]).unwrap();
    let file = json_of(&made);
    let side = file["state"]["seats"]["A"]["zones"]["side"]
        .as_array()
        .unwrap();
    let another = side
        .iter()
        .find(|id| file["cards"][id.as_str().unwrap()] == "Another")
        .unwrap();
    let swap = json!({"step": "swap", "seat": "A", "main": {"out": [], "in": [another]}});
    let judged = made.decide_json(&shell.game(), std::slice::from_ref(&swap), Some(&NoAnother));
    assert!(matches!(judged, Err(MatchError::Refused(reason)) if reason.contains("too strong")));
    let swapped = made.decide_json(&shell.game(), &[swap], None).unwrap();
    assert!(verify(&shell, &json_of(&swapped)).is_ok());
    let other = json!({"step": "swap", "seat": "B"});
    assert!(
        swapped
            .decide_json(&shell.game(), &[other], Some(&NoAnother))
            .is_ok()
    );
}

#[test]
fn illegal_picks_votes_and_rolls_are_refused_with_the_reason() {
    let first = json!({"step": "first-player", "by": "choice", "seat": "A"});
    let pick = |seat: &str, slot: usize| json!({"step": "pick", "seat": seat, "slot": slot});
    let classic = vastrix().with(&[("deffy", "classic")]);
    let with = |more: &[Value]| [vec![first.clone()], more.to_vec()].concat();
    refused(&classic, &with(&[pick("A", 20)]), "the first pick of all");
    refused(
        &classic,
        &with(&[pick("B", 0)]),
        "no `pick` is awaited of seat B",
    );
    refused(&classic, &with(&[pick("A", 21)]), "no slot 21");
    let two_down = [
        pick("A", 0),
        pick("B", 0),
        pick("A", 14),
        pick("B", 0),
        pick("A", 13),
    ];
    let two_down = [two_down.as_slice(), &[pick("B", 0), pick("A", 12)]].concat();
    refused(&classic, &with(&two_down), "has picked 2 face-down cards");
    refused(
        &classic,
        &with(&[json!({"step": "pick", "seat": "A", "by": "random"})]),
        "only with the option",
    );
    refused(
        &classic,
        &with(&[json!({"step": "pick", "seat": "A", "slot": 0, "pool": "A"})]),
        "just one pool",
    );
    refused(
        &classic,
        &with(&[json!({"step": "pick", "seat": "A", "slot": 0, "x": 1})]),
        "a field too many",
    );
    refused(
        &classic,
        &with(&[json!({"step": "pick", "seat": "A", "slot": -1})]),
        "cannot be read",
    );
    let soda = vastrix().with(&[("deffy", "soda")]);
    refused(&soda, &with(&[pick("A", 0)]), "names its `pool`");
    refused(
        &soda,
        &with(&[json!({"step": "pick", "seat": "A", "slot": 0, "pool": "B"})]),
        "not from that pool",
    );
    let checking = vastrix().with(&[("deffy", "soda"), ("just_checking", "true")]);
    let vote = |seat: &str, when: &str, choice: &str| json!({"step": "vote", "when": when, "seat": seat, "choice": choice});
    refused(
        &checking,
        &with(&[vote("A", "after-pool", "shuffle")]),
        "the vote now is `before-pool`",
    );
    refused(
        &checking,
        &with(&[vote("A", "before-pool", "burn")]),
        "shuffle or graveyard",
    );
    refused(
        &checking,
        &with(&[
            vote("A", "before-pool", "shuffle"),
            vote("A", "before-pool", "shuffle"),
        ]),
        "no `vote`",
    );
    let dice = vanquishers(Some(20));
    let roll = |values: Value| json!({"step": "roll", "by": "given", "values": values});
    refused(&dice, &[roll(json!({"A": 7, "B": 1}))], "not on a die");
    refused(&dice, &[roll(json!({"A": 1}))], "only A and B roll");
    refused(
        &dice,
        &[
            roll(json!({"A": 3, "B": 3})),
            roll(json!({"A": 1, "B": 2, "C": 3})),
        ],
        "only A and B",
    );
    refused(
        &dice,
        &[json!({"step": "roll", "by": "random", "values": {}})],
        "a field too many",
    );
    let plain = vastrix();
    refused(
        &plain,
        &with(std::slice::from_ref(&first)),
        "nothing is awaited any more",
    );
    refused(
        &plain,
        &[json!({"step": "first-player", "by": "choice", "seat": "C"})],
        "nobody sits",
    );
    refused(
        &plain,
        &[json!({"step": "first-player", "by": "random", "seat": "A"})],
        "a field too many",
    );
}

#[test]
fn a_secret_must_be_opened_as_it_was_sealed() {
    let mode = vastrix().with(&[("battlerealm", "true")]);
    let nonce = [7; 32];
    let seal = |seat, spec| {
        let commit = decklaw::matches::spec_commitment(seat, &nonce, spec);
        json!({"step": "spec", "seat": seat, "commit": commit.map(|byte| format!("{byte:02x}")).concat()})
    };
    use decklaw::matches::SeatId::{A, B};
    let open = |seat: &str, spec: &str| json!({"step": "reveal", "seat": seat, "spec": spec, "nonce": "07".repeat(32)});
    let sealed = [
        seal(B, "beauty"),
        seal(A, "balance"),
        json!({"step": "first-player", "by": "random"}),
    ];
    let with = |more: &[Value]| [sealed.to_vec(), more.to_vec()].concat();
    refused(
        &mode,
        &with(&[open("A", "beauty")]),
        "not what seat A committed to",
    );
    refused(&mode, &with(&[open("A", "bragging")]), "none of");
    let half = json_of(&start(&mode, with(&[open("A", "balance")])).unwrap());
    assert_eq!(
        half["state"]["seats"]["A"]["spec"],
        Value::Null,
        "shown only once all are open"
    );
    let done = json_of(&start(&mode, with(&[open("A", "balance"), open("B", "beauty")])).unwrap());
    assert_eq!(done["state"]["seats"]["A"]["spec"], "balance");
    assert_eq!(done["state"]["phase"], "ready");
}

#[test]
fn calls_that_make_no_sense_are_mistakes() {
    let wrong = |mode: &Mode| matches!(start(mode, vec![]), Err(MatchError::Call(_)));
    let deffy = |more: &[(&str, &str)]| vastrix().with(&[("deffy", "soda")]).with(more);
    assert!(wrong(&deffy(&[("players", "3")])));
    assert!(wrong(&deffy(&[("mirror_me", "true")])));
    assert!(wrong(&vastrix().with(&[("speed_run", "true")])));
    assert!(wrong(&vastrix().with(&[("players", "5")])));
    assert!(wrong(&vastrix().with(&[("colour", "red")])));
    assert!(!wrong(&deffy(&[])));
    for (name, value) in [
        ("starting_energy", Some(21)),
        ("starting_energy", None),
        ("A.life", Some(3)),
        ("max", None),
        ("x", Some(1)),
    ] {
        let mut mode = vanquishers(Some(20));
        mode.wanted.settings.remove(name);
        mode.wanted
            .settings
            .extend(value.map(|value| (name.to_owned(), value)));
        assert_eq!(wrong(&mode), name != "max", "{name} = {value:?}");
    }
    assert!(
        wrong(&vanquishers(None)),
        "a Hero without life needs the setting"
    );
    let mut one = shell();
    one.wanted.decks.pop();
    assert!(wrong(&one));
    assert!(wrong(&Mode {
        wanted: NewMatch {
            players: vec!["x".into(); 3],
            ..vastrix().wanted
        },
        ..vastrix()
    }));
    for text in [
        "",
        "{}",
        "[]",
        "1",
        "{\"step\":\"dance\"}",
        "{\"step\":\"roll\",\"step\":\"roll\"}",
    ] {
        assert!(
            matches!(Decision::read(text), Err(MatchError::Call(_))),
            "{text}"
        );
    }
    let part = |digit: &str| digit.repeat(64);
    for parts in [
        vec![part("a")],
        vec![part("a"), part("a")],
        vec![part("a"), "b".into()],
        vec![],
    ] {
        assert!(matches!(
            Randomness::from_parts(&parts),
            Err(MatchError::Call(_))
        ));
    }
    let one = Randomness::from_parts(&[part("a"), part("b")]).unwrap();
    assert_eq!(
        one,
        Randomness::from_parts(&[part("b"), part("a")]).unwrap()
    );
}

#[test]
fn too_few_and_too_many_cards_are_refused() {
    let deck = |count| {
        let line = Line {
            count,
            name: "Card".into(),
            records: BTreeMap::new(),
        };
        MatchDeck::register("versus/fast", "", [("main", line)])
    };
    let mut mode = all()
        .into_iter()
        .find(|mode| mode.format == "versus/fast")
        .unwrap();
    for (count, reason) in [
        (4, "too few cards to deal"),
        (1000, "too many"),
        (u32::MAX, "too many"),
    ] {
        mode.wanted.decks = vec![
            decklaw::matches::Registered::unjudged(deck(count)),
            decklaw::matches::Registered::unjudged(deck(20)),
        ];
        refused(
            &mode,
            &[json!({"step": "first-player", "by": "random"})],
            reason,
        );
    }
    let mut any = all().into_iter().find(|mode| mode.format == "any").unwrap();
    let hand = Line {
        count: 1,
        name: "Card".into(),
        records: BTreeMap::new(),
    };
    any.wanted.decks[0] =
        decklaw::matches::Registered::unjudged(MatchDeck::register("any", "", [("hand", hand)]));
    refused(&any, &[], "cannot be called `hand`");
    assert_eq!(pack().cards_in("main"), 54);
    assert_eq!(Choice::parse("-4"), Choice::Number(-4));
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
