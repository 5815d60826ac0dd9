//! What must hold of every match, whatever the seed and the decisions.

use crate::games::{
    DEFFY, DecideJson, Dice, Mode, all, decisions, json_of, play_out, shell, vastrix,
};
use decklaw::matches::table::{Card, Zone};
use decklaw::matches::{
    Decision, Line, Match, MatchDeck, Pending, Randomness, Reader, SeatId, setup::Seen,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};

fn start(mode: &Mode, seed: &str, written: Vec<Value>) -> Match {
    let randomness = Randomness::from_text(seed);
    Match::start(
        &mode.game(),
        mode.wanted.clone(),
        randomness,
        decisions(&written).unwrap(),
        None,
    )
    .unwrap()
}

fn zones(made: &Match) -> impl Iterator<Item = (Option<SeatId>, &Zone)> {
    let shared = made.table.shared.iter().map(|zone| (None, zone));
    let seats = made.table.seat_ids().zip(&made.table.seats);
    shared.chain(seats.flat_map(|(id, seat)| seat.zones.iter().map(move |zone| (Some(id), zone))))
}

fn sizes(made: &Match) -> BTreeMap<String, usize> {
    let name = |seat: Option<SeatId>, zone: &Zone| match seat {
        Some(seat) => format!("{seat}.{}", zone.name),
        None => zone.name.clone(),
    };
    zones(made)
        .map(|(seat, zone)| (name(seat, zone), zone.slots.len()))
        .collect()
}

#[test]
fn every_card_is_in_exactly_one_place_at_every_stage() {
    for mode in all() {
        for round in 0..4 {
            play_out(&mode, "places", &mut Dice::new(round), |made| {
                let mut cards: Vec<Card> = zones(made)
                    .flat_map(|(_, zone)| zone.slots.iter().map(|slot| slot.card))
                    .collect();
                cards.sort();
                assert!(
                    cards.windows(2).all(|pair| pair[0] < pair[1]),
                    "{}",
                    mode.name
                );
                assert_eq!(cards.len(), made.table.instances.len(), "{}", mode.name);
            });
        }
    }
}

#[test]
fn standard_deals_have_the_numbers_of_the_rules() {
    let first = json!({"step": "first-player", "by": "choice", "seat": "B"});
    for (players, hands, pile) in [
        ("2", vec![6, 5], 40),
        ("3", vec![6, 5, 6], 34),
        ("4", vec![5, 5, 5, 5], 31),
    ] {
        let made = start(
            &vastrix().with(&[("players", players)]),
            "numbers",
            vec![first.clone()],
        );
        let sizes = sizes(&made);
        for (seat, hand) in made.table.seat_ids().zip(hands) {
            assert_eq!(
                sizes[&format!("{seat}.hand")],
                hand,
                "{players} players, seat {seat}"
            );
        }
        assert_eq!((sizes["draw_pile"], sizes["swap_bar"]), (pile, 3));
    }
}

#[test]
fn drafts_leave_the_numbers_of_the_rules() {
    for (deffy, after_graveyard) in DEFFY.into_iter().zip([30, 39, 35, 37, 0]) {
        let mode = vastrix().with(&[("deffy", deffy), ("just_checking", "true")]);
        let (mut shuffled, mut buried) = (0, 0);
        for round in 0..12 {
            let made = play_out(&mode, "numbers", &mut Dice::new(round), |_| ());
            let sizes = sizes(&made);
            assert_eq!((sizes["A.hand"], sizes["B.hand"]), (6, 6), "{deffy}");
            let votes = made
                .inputs
                .decisions
                .iter()
                .filter_map(|decision| match decision {
                    Decision::Vote { choice, .. } => Some(choice),
                    _ => None,
                });
            let all = votes.clone().all(|choice| choice == "graveyard");
            match all {
                true => buried += 1,
                false => shuffled += 1,
            }
            assert_eq!(votes.count(), if deffy == "icu" { 0 } else { 6 });
            assert_eq!(
                sizes["draw_pile"],
                if all { after_graveyard } else { 39 },
                "{deffy}"
            );
            let bar = if after_graveyard == 0 && all { 0 } else { 3 };
            assert_eq!(sizes["swap_bar"], bar, "{deffy}");
        }
        assert!(
            buried > 0 && (shuffled > 0 || deffy == "icu"),
            "{deffy}: both fates were tried"
        );
    }
}

#[test]
fn the_same_inputs_make_the_same_bytes_in_any_thread_and_deck_order() {
    let lines: Vec<(&str, Line)> = (0..30)
        .map(|at| {
            (
                "main",
                Line {
                    count: 1 + at % 3,
                    name: format!("Card {}", at * 7 % 30),
                    records: BTreeMap::new(),
                },
            )
        })
        .collect();
    let deal = |lines: Vec<(&'static str, Line)>| {
        let mut mode = all()
            .into_iter()
            .find(|mode| mode.format == "vainqueur")
            .unwrap();
        mode.wanted.decks =
            vec![
                decklaw::matches::Registered::unjudged(MatchDeck::register("vainqueur", "", lines));
                2
            ];
        play_out(&mode, "bytes", &mut Dice::new(1), |_| ()).to_json()
    };
    let expected = deal(lines.clone());
    let lines_of = |turn: usize| {
        let mut lines = lines.clone();
        lines.rotate_left(turn);
        lines
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|turn| scope.spawn(move || deal(lines_of(turn))))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
}

fn mulligans(seat: &str, count: usize) -> Vec<Value> {
    vec![json!({"step": "mulligan", "seat": seat, "choice": "mulligan"}); count]
}

fn before_mulligans() -> Vec<Value> {
    vec![
        json!({"step": "swap", "seat": "A"}),
        json!({"step": "swap", "seat": "B"}),
        json!({"step": "first-player", "by": "random"}),
    ]
}

fn ids(made: &Match, seat: &str, zone: &str) -> Vec<String> {
    let file = json_of(made);
    let list = file["state"]["seats"][seat]["zones"][zone]
        .as_array()
        .unwrap();
    list.iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn mulligans_set_the_old_hand_aside_and_cost_cards_after_the_first() {
    for taken in 0..=6 {
        let mut made = start(&shell(), "mulligans", before_mulligans());
        let other = json_of(&made)["state"]["seats"]["A"].clone();
        for _ in 0..taken {
            let before: HashSet<String> = ids(&made, "B", "hand").into_iter().collect();
            made = made
                .decide_json(&shell().game(), &mulligans("B", 1), None)
                .unwrap();
            let hand = ids(&made, "B", "hand");
            assert_eq!(hand.len(), 6);
            assert!(
                hand.iter().all(|id| !before.contains(id)),
                "no card comes back at once"
            );
            assert_eq!(
                json_of(&made)["state"]["seats"]["A"],
                other,
                "seat A is not touched"
            );
        }
        let bottom = taken.max(1) - 1;
        let hand = ids(&made, "B", "hand");
        let keep =
            json!({"step": "mulligan", "seat": "B", "choice": "keep", "bottom": hand[..bottom]});
        made = made.decide_json(&shell().game(), &[keep], None).unwrap();
        assert_eq!(ids(&made, "B", "hand").len(), 6 - bottom);
        let deck = ids(&made, "B", "deck");
        assert_eq!(
            deck[deck.len() - bottom..],
            hand[..bottom],
            "the last named is the lowest"
        );
    }
}

#[test]
fn answers_given_at_once_may_come_in_any_order() {
    let keep =
        |seat: &str| json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": []});
    let one = [
        before_mulligans(),
        mulligans("A", 1),
        vec![keep("A")],
        mulligans("B", 1),
        vec![keep("B")],
    ];
    let other = [
        before_mulligans(),
        mulligans("B", 1),
        mulligans("A", 1),
        vec![keep("B"), keep("A")],
    ];
    let [one, other] =
        [one.concat(), other.concat()].map(|decisions| start(&shell(), "order", decisions));
    assert_eq!(one.state_digest(), other.state_digest());
}

/// A view without its commitments, as JSON.
fn shown(made: &Match, reader: Reader) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.remove("commitment");
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => (),
        }
    }
    let mut view = serde_json::to_value(made.view(reader).unwrap()).unwrap();
    strip(&mut view);
    view
}

fn hidden(seen: Seen, owner: Option<SeatId>, reader: Reader, up: bool) -> bool {
    match seen {
        Seen::ByAll => false,
        Seen::ByNobody => true,
        Seen::ByOwner => owner.is_none_or(|seat| reader != Reader::Seat(seat)),
        Seen::CardByCard => !up,
    }
}

/// The same match with what is hidden from a reader in another order.
fn permuted(made: &Match, reader: Reader, dice: &mut Dice) -> Match {
    let mut other = made.clone();
    let table = other.table_mut();
    let seats = SeatId::ALL.into_iter().zip(&mut table.seats);
    let seat_zones =
        seats.flat_map(|(id, seat)| seat.zones.iter_mut().map(move |zone| (Some(id), zone)));
    let all = table
        .shared
        .iter_mut()
        .map(|zone| (None, zone))
        .chain(seat_zones);
    let mut slots: Vec<&mut Card> = all
        .flat_map(|(owner, zone)| {
            let seen = zone.seen;
            zone.slots.iter_mut().filter_map(move |slot| {
                hidden(seen, owner, reader, slot.up).then_some(&mut slot.card)
            })
        })
        .collect();
    for i in (1..slots.len()).rev() {
        let j = dice.below(i + 1);
        if i != j {
            let (low, high) = slots.split_at_mut(i);
            std::mem::swap(low[j], high[0]);
        }
    }
    other
}

#[test]
fn a_view_depends_on_nothing_that_its_reader_may_not_see() {
    for mode in all() {
        let mut dice = Dice::new(5);
        play_out(&mode, "views", &mut Dice::new(3), |made| {
            let seats = made.table.seat_ids().map(Reader::Seat);
            for reader in seats.chain([Reader::Public]) {
                let before = shown(made, reader);
                assert_eq!(
                    shown(&permuted(made, reader, &mut dice), reader),
                    before,
                    "{}",
                    mode.name
                );
                let text = serde_json::to_string(&made.view(reader).unwrap()).unwrap();
                assert!(
                    !text.contains(&made.inputs.randomness.seed),
                    "a view carries no seed"
                );
                let named: BTreeSet<&str> = before["cards"]
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(String::as_str)
                    .collect();
                for (owner, zone) in zones(made) {
                    for slot in &zone.slots {
                        let id = made.table.instance(slot.card).id.as_str();
                        let secret = hidden(zone.seen, owner, reader, slot.up);
                        assert_eq!(
                            named.contains(id),
                            !secret,
                            "{}: {id} in {}",
                            mode.name,
                            zone.name
                        );
                        assert!(
                            !secret || !text.contains(&format!("\"{id}\"")),
                            "{id} is hidden"
                        );
                    }
                }
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn drafts_keep_their_limits(mode in 0usize..5, urz in any::<bool>(), seed in any::<u64>()) {
        let options = [("deffy", DEFFY[mode]), ("thats_urz", if urz { "true" } else { "false" }), ("speed_run", "true")];
        let mut picks: Vec<(String, bool)> = Vec::new();
        let mut before: Option<(String, BTreeMap<String, bool>)> = None;
        play_out(&vastrix().with(&options), &seed.to_string(), &mut Dice::new(seed), |made| {
            let mut pools = BTreeMap::new();
            for (_, zone) in zones(made).filter(|(_, zone)| zone.name == "pool") {
                pools.extend(zone.slots.iter().map(|s| (made.table.instance(s.card).id.clone(), s.up)));
            }
            if let Some((picker, pools_before)) = before.take() {
                let gone: Vec<&String> = pools_before.keys().filter(|id| !pools.contains_key(*id)).collect();
                if let [id] = gone.as_slice() {
                    picks.push((picker, pools_before[*id]));
                }
            }
            if let Some(Pending::Pick { seat, .. }) = made.pending.first() {
                before = Some((seat.to_string(), pools));
            }
        });
        prop_assert_eq!(picks.len(), 12);
        prop_assert!(picks[0].1, "the first pick is face up");
        for seat in ["A", "B"] {
            let of_seat: Vec<bool> = picks.iter().filter(|(picker, _)| picker == seat).map(|(_, up)| *up).collect();
            prop_assert_eq!(of_seat.len(), 6);
            if DEFFY[mode] != "mystery-mix" {
                prop_assert!(of_seat.iter().filter(|up| !**up).count() <= 2);
            }
        }
    }
}
