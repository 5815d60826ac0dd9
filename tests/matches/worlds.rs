//! Non-interference, played moves included: two worlds that are equal in all that a seat saw send
//! it the same bytes, refusals of its moves too. A world differs from another in the cards that the seat never saw, and in
//! which of several cards of one name lies where.

use super::games::{DecideJson as _, Dice, Mode, all, json_of, of_format, play_out, play_out_by};
use decklaw::matches::setup::Visibility;
use decklaw::matches::table::{Card, Cell, Zone};
use decklaw::matches::{
    Entry, Match, Move, Randomness, Reader, SeatId, SeatMove, Setup, UnverifiedMatch, pending_words,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How many pairs of worlds are compared; `DECKLAW_WORLDS=N` compares more.
fn pairs() -> u64 {
    let asked = std::env::var("DECKLAW_WORLDS").ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(200)
}

fn zones(made: &Match) -> Vec<(Option<SeatId>, &Zone)> {
    let shared = made.table.shared.iter().map(|zone| (None, zone));
    let seats = made.table.seat_ids().zip(&made.table.seats);
    let own = seats.flat_map(|(id, seat)| seat.zones.iter().map(move |zone| (Some(id), zone)));
    shared.chain(own).collect()
}

/// How a seat names a zone.
fn name(owner: Option<SeatId>, zone: &Zone) -> String {
    owner.map_or(String::new(), |seat| format!("{seat}.")) + &zone.name
}

fn sees(reader: Reader, owner: Option<SeatId>, zone: &Zone, up: bool) -> bool {
    match zone.seen {
        Visibility::ByAll => true,
        Visibility::ByNobody => false,
        Visibility::ByOwner => owner.is_some_and(|seat| reader == Reader::Seat(seat)),
        Visibility::CardByCard => up,
    }
}

/// Some move, allowed or not.
fn some_move(play: &Match, dice: &mut Dice) -> SeatMove {
    let places: Vec<(String, usize)> = zones(play)
        .into_iter()
        .map(|(owner, zone)| (name(owner, zone), zone.slots.len()))
        .collect();
    let seats: Vec<SeatId> = play.table.seat_ids().collect();
    let by = seats[dice.below(seats.len())];
    let (from, held) = places[dice.below(places.len())].clone();
    let (to, there) = places[dice.below(places.len())].clone();
    let slot = dice.below(held.max(1)) as u32;
    let others: Vec<SeatId> = seats.iter().copied().filter(|seat| *seat != by).collect();
    let what = match dice.below(14) {
        0 => Move::Draw { from, to, count: 1 + dice.below(3) as u32 },
        1..=4 => Move::Move {
            slot,
            at: dice.below(there + 1) as u32,
            up: dice.below(2) == 0,
            cell: None,
            with: dice.below(2) == 0,
            from,
            to,
        },
        5 => Move::Attach {
            from,
            slot,
            on: dice.below(there.max(1)) as u32,
            up: dice.below(2) == 0,
            to,
        },
        6 => Move::Flip { zone: from, slot },
        7 => Move::Turn { zone: from, slot },
        8 => Move::Look {
            zone: from,
            slot,
            count: 1,
            to: [vec![], vec![by], others][dice.below(3)].clone(),
            leave: Vec::new(),
        },
        9 => Move::Give { from, slot, to },
        10 => Move::Random { from, to, leave: Vec::new() },
        // Chance lays open cards in an order of its own in each world, which reveals nothing.
        11 if ["hand", "deck", "draw_pile"].iter().any(|it| from.ends_with(it)) => {
            Move::Shuffle { zone: from }
        }
        12 if dice.below(2) == 0 => Move::Undo {},
        12 => Move::Token { name: "Imp".to_owned(), to, cell: None },
        _ => return Move::Pass {}.by(play.active),
    };
    what.by(by)
}

/// All that is sent to a reader, less the commitments, which bind what it does not see.
fn sent(play: &Match, setup: &Setup, reader: Reader) -> Vec<String> {
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
    let view = play.view(reader).unwrap();
    let mut json: Value = serde_json::from_str(&view.to_json()).unwrap();
    strip(&mut json);
    let mut sent = vec![json.to_string(), view.to_text()];
    let log = play.log(setup, None).unwrap();
    // And what a page of the table receives: now and then, with all lines of the log.
    if play.moves().len().is_multiple_of(5) {
        let pool = decklaw::pool::Pool::default();
        let page = decklaw::position(play, &log, (Some(&pool), None), reader);
        sent.push(page.unwrap().to_string());
    }
    sent.extend(log.lines(0, reader).map(|line| line.text.to_owned()));
    sent.push(format!("{:?}", play.sums(|_, _| Some(1))));
    if let Some(last) = play.moves().last() {
        sent.extend(play.remarks(last, None));
    }
    sent
}

/// The cards that a reader sees where they lie.
fn shown(play: &Match, reader: Reader) -> BTreeSet<Card> {
    let zones = zones(play).into_iter();
    let slots = zones.flat_map(|(owner, zone)| zone.slots.iter().map(move |it| (owner, zone, it)));
    slots
        .filter(|(owner, zone, slot)| sees(reader, *owner, zone, slot.up))
        .map(|(_, _, slot)| slot.card)
        .collect()
}

/// The cards that a move shows to a reader by the way.
fn looked_at(play: &Match, done: &SeatMove, reader: Reader) -> Vec<Card> {
    let Move::Look { zone, slot, count, to, .. } = &done.what else {
        return Vec::new();
    };
    let is_shown = match reader {
        Reader::Seat(seat) => to.is_empty() || to.contains(&seat),
        Reader::Public => to.is_empty(),
        Reader::Open => true,
    };
    let zones = zones(play).into_iter();
    let zones = zones.filter(|(owner, held)| is_shown && name(*owner, held) == *zone);
    let slots = zones.flat_map(|(_, held)| held.slots.iter());
    let slots = slots.skip(*slot as usize).take(*count as usize);
    slots.map(|slot| slot.card).collect()
}

/// Another world: names change places among cards that the reader never saw, or cards of one
/// name in one hidden zone change places.
fn other_world(start: &Match, reader: Reader, seen: &BTreeSet<Card>, dice: &mut Dice) -> Match {
    let mut other = start.clone();
    let mut twins: Vec<(Option<SeatId>, String, Vec<usize>)> = Vec::new();
    let mut unseen: Vec<Card> = Vec::new();
    for (owner, zone) in zones(start) {
        let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, slot) in zone.slots.iter().enumerate() {
            if sees(reader, owner, zone, slot.up) {
                continue;
            }
            if !seen.contains(&slot.card) {
                unseen.push(slot.card);
            }
            if matches!(zone.seen, Visibility::ByNobody | Visibility::ByOwner) {
                let card = &start.table.instance(slot.card).name;
                alike.entry(card).or_default().push(at);
            }
        }
        twins.extend(alike.into_values().map(|slots| (owner, zone.name.clone(), slots)));
    }
    match dice.below(2) {
        0 => unseen.clear(),
        _ => twins.clear(),
    }
    let table = other.table_mut();
    for (owner, zone, slots) in twins {
        let zones = match owner {
            Some(seat) => &mut table.seats[seat.index()].zones,
            None => &mut table.shared,
        };
        let zone = zones.iter_mut().find(|it| it.name == zone).unwrap();
        for i in (1..slots.len()).rev() {
            zone.slots.swap(slots[i], slots[dice.below(i + 1)]);
        }
    }
    // A card keeps its place in its deck: names move within one owner's deck.
    let place = |card: &Card| {
        let id = &start.table.instance(*card).id;
        let at = start.table.instances.iter().position(|it| it.id == *id);
        (id.as_bytes()[0], at.unwrap())
    };
    let mut owners: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for card in &unseen {
        let (owner, at) = place(card);
        owners.entry(owner).or_default().push(at);
    }
    for places in owners.into_values() {
        for i in (1..places.len()).rev() {
            let j = dice.below(i + 1);
            let name = table.instances[places[i]].name.clone();
            table.instances[places[i]].name =
                std::mem::replace(&mut table.instances[places[j]].name, name);
        }
    }
    other
}

/// A pair of worlds, and what a reader is sent that is not the same, if anything. `None`: they do
/// not differ.
fn pair(mode: &Mode, chance: Randomness, number: u64) -> Option<Option<String>> {
    let mut dice = Dice::new(number);
    let start = play_out_by(mode, chance, &mut dice, |_| ());
    let readers: Vec<Reader> = start.table.seat_ids().map(Reader::Seat).collect();
    let reader = match dice.below(readers.len() + 1) {
        public if public == readers.len() => Reader::Public,
        seat => readers[seat],
    };
    let mut play = start.clone();
    let mut seen = shown(&play, reader);
    let mut moves = Vec::new();
    let mut refused: Vec<(usize, SeatMove, String)> = Vec::new();
    let mut before = vec![sent(&play, mode.game().setup, reader)];
    for _ in 0..400 {
        let done = some_move(&play, &mut dice);
        let looked = looked_at(&play, &done, reader);
        if let Err(why) = play.act(done.clone()) {
            refused.push((moves.len(), done, why.to_string()));
            continue;
        }
        seen.extend(looked);
        seen.extend(shown(&play, reader));
        moves.push(done);
        before.push(sent(&play, mode.game().setup, reader));
        if moves.len() == 30 {
            break;
        }
    }
    assert!(moves.len() > 10, "{}: moves were made", mode.name);
    // No card is lost, and the file verifies.
    let cards = zones(&play).into_iter();
    let cards: Vec<Card> =
        cards.flat_map(|(_, zone)| zone.slots.iter().map(|slot| slot.card)).collect();
    let different: BTreeSet<&Card> = cards.iter().collect();
    assert_eq!(different.len(), cards.len());
    assert!(cards.len() >= start.table.instances.len(), "{}", mode.name);
    let text = play.to_json();
    let read = UnverifiedMatch::read(text.as_bytes()).unwrap();
    assert_eq!(read.verify(&mode.game()).unwrap().to_json(), text);
    let world = other_world(&start, reader, &seen, &mut dice);
    let differ = json_of(&world) != json_of(&start);
    let mut again = world;
    let mut other: Option<String> = None;
    for (number, before) in before.iter().enumerate() {
        let done = number.checked_sub(1).map(|number| &moves[number]);
        if let Some(done) = done {
            again.act(done.clone()).unwrap();
        }
        for (_, done, why) in refused.iter().filter(|(at, ..)| *at == number) {
            let other = again.clone().act(done.clone()).unwrap_err().to_string();
            let is_own = reader == Reader::Seat(done.by);
            assert!(!is_own || other == *why, "{}, {done:?}: {why}, {other}", mode.name);
        }
        let here = sent(&again, mode.game().setup, reader);
        if *before != here {
            let (one, two) = before.iter().zip(&here).find(|(a, b)| a != b).unwrap();
            other.get_or_insert_with(|| format!("{}, {done:?}:\n{one}\n{two}", mode.name));
        }
    }
    differ.then_some(other)
}

#[test]
fn worlds_that_are_equal_in_what_a_reader_saw_send_it_the_same_bytes() {
    let modes = all();
    let (mut compared, mut number) = (0, 0);
    while compared < pairs() {
        let mode = &modes[number as usize % modes.len()];
        let chance = Randomness::from_text(&format!("world {number}"));
        match pair(mode, chance, number) {
            Some(other) => {
                assert_eq!(other, None, "world {number}");
                compared += 1;
            }
            None => assert!(number < 10 * pairs(), "worlds differ"),
        }
        number += 1;
    }
}

/// A match after some of its moves is what it was then, and its log has the line that each of them
/// had when it was made.
#[test]
fn a_match_is_at_every_move_what_it_was_then() {
    for mode in all() {
        let (mut dice, setup) = (Dice::new(7), mode.game().setup);
        let mut play = play_out_by(&mode, Randomness::from_text("then"), &mut dice, |_| ());
        let (mut then, mut newest) = (vec![play.to_json()], Vec::new());
        for _ in 0..300 {
            if let Ok(before) = play.act(some_move(&play, &mut dice)) {
                then.push(play.to_json());
                newest.push(play.newest_line(&before, None).unwrap());
            }
        }
        assert!(then.len() > 10, "{}", mode.name);
        for (moves, then) in then.iter().enumerate().step_by(7) {
            assert_eq!(play.at(setup, moves).unwrap().to_json(), *then, "{} {moves}", mode.name);
        }
        assert!(play.at(setup, then.len()).is_err());
        let (log, decisions) = (play.log(setup, None).unwrap(), play.inputs.decisions.len());
        assert_eq!(log.len(), decisions + newest.len());
        for reader in play.table.seat_ids().map(Reader::Seat).chain([Reader::Public, Reader::Open])
        {
            let was: Vec<_> = newest.iter().map(|line| line.line(reader)).collect();
            assert_eq!(log.lines(decisions, reader).collect::<Vec<_>>(), was, "{}", mode.name);
        }
        // Decisions of the setup are sentences, too.
        assert!(
            log.lines(0, Reader::Public)
                .take(decisions)
                .all(|line| line.turn.is_none() && line.text.ends_with('.'))
        );
    }
}

/// A move as files of before wrote it, where another seat made it by the leave of this one; and what
/// such files have besides, though it does nothing.
fn as_before(play: &Match, done: &SeatMove, dice: &mut Dice) -> Vec<Value> {
    let mut entry = serde_json::to_value(done).unwrap();
    let by = done.by;
    let other = play.table.seat_ids().find(|seat| *seat != by);
    if let (Move::Look { zone: from, .. } | Move::Random { from, .. }, Some(other)) =
        (&done.what, other)
    {
        let zones = zones(play);
        let find = |wanted: &str| {
            let mut zones = zones.iter();
            *zones.find(|(owner, zone)| name(*owner, zone) == wanted).unwrap()
        };
        let (owner, zone) = find(from);
        // Of a card that comes to lie open it matters who put it there.
        let is_alike = match &done.what {
            Move::Random { to, .. } => {
                matches!(find(to).1.seen, Visibility::ByOwner | Visibility::ByNobody)
            }
            _ => true,
        };
        if owner == Some(by) && zone.seen != Visibility::CardByCard && is_alike {
            entry["by"] = json!(other);
            entry["leave"] = json!([by]);
        }
    }
    let nothing = match dice.below(4) {
        0 => {
            let counters = &play.table.seats[by.index()].counters;
            let counter = counters.keys().next();
            counter.map(|it| json!({"do":"count","by":by,"seat":by,"counter":it,"change":0}))
        }
        // Into a hidden zone it would deal ids anew.
        1 => {
            let mut zones = zones(play).into_iter();
            let open =
                zones.find(|(_, it)| matches!(it.seen, Visibility::ByAll | Visibility::CardByCard));
            let open = open.map(|(owner, zone)| name(owner, zone));
            open.map(|to| json!({"do":"draw","by":by,"from":"hand","to":to,"count":0}))
        }
        _ => None,
    };
    nothing.into_iter().chain([entry]).collect()
}

/// Logs of before, in which a seat gave leave and moves did nothing, fold to the same tables as the
/// moves of the owners; new entries of that kind are refused.
#[test]
fn old_logs_fold_to_the_same_tables() {
    let (modes, mut with_leave) = (all(), 0);
    for number in 0..500 {
        let mode = &modes[number % modes.len()];
        let mut dice = Dice::new(number as u64);
        let chance = Randomness::from_text(&format!("old {number}"));
        let mut play = play_out_by(mode, chance, &mut dice, |_| ());
        let mut log = Vec::new();
        for _ in 0..60 {
            let done = some_move(&play, &mut dice);
            let entries = as_before(&play, &done, &mut dice);
            if !matches!(done.what, Move::Undo {}) && play.act(done).is_ok() {
                log.extend(entries);
            }
        }
        let mut file = json_of(&play);
        file["log"] = json!(log);
        file["digests"]["log"] = super::script::digest(&file["log"]);
        let read = UnverifiedMatch::read(file.to_string().as_bytes()).unwrap();
        let read = read.verify(&mode.game());
        assert_eq!(json_of(&read.unwrap()), file, "{} {number}", mode.name);
        for entry in log {
            let is_old = !entry["leave"].is_null() || entry["change"] == 0 || entry["count"] == 0;
            with_leave += usize::from(!entry["leave"].is_null());
            let Ok(Entry::Move(done)) = Entry::of_value(&entry) else {
                panic!("{entry}");
            };
            assert!(!is_old || play.act(done).is_err(), "{entry}");
        }
    }
    assert!(with_leave > 300, "{with_leave} moves have leave");
    // A file that a program of before wrote.
    let file = include_str!("golden.ndjson").lines().last().unwrap();
    let read = UnverifiedMatch::read(file.as_bytes()).unwrap();
    let made = read.verify(&super::games::vastrix().game()).unwrap();
    assert_eq!(json_of(&made), serde_json::from_str::<Value>(file).unwrap());
}

/// A key that holds its default may be written out; another that holds it is unknown.
#[test]
fn a_default_may_be_written_out() {
    let read = |text: &str| Entry::read(text);
    let short = r#"{"do":"move","by":"A","from":"hand","slot":0,"to":"grid","at":0,"up":true"#;
    let own = read(&format!("{short}}}")).unwrap();
    for more in [r#","with":false"#, r#","cell":null"#, r#","with":false,"cell":null"#] {
        assert_eq!(read(&format!("{short}{more}}}")).unwrap(), own, "{more}");
    }
    for more in [r#","leave":[]"#, r#","more":false"#, r#","with":null"#, r#","cell":false"#] {
        assert!(read(&format!("{short}{more}}}")).is_err(), "{more}");
    }
    let keep = r#"{"step":"mulligan","seat":"A","choice":"keep""#;
    let own = read(&format!(r#"{keep},"bottom":[]}}"#)).unwrap();
    assert_eq!(read(&format!("{keep}}}")).unwrap(), own);
    let again = r#"{"step":"mulligan","seat":"A","choice":"mulligan","bottom":[]}"#;
    let wrong = read(again).unwrap_err();
    assert!(wrong.to_string().contains("`bottom`"), "{wrong}");
    let token = r#"{"do":"token","by":"A","name":"Goat","to":"grid""#;
    let own = read(&format!("{token}}}")).unwrap();
    assert_eq!(read(&format!(r#"{token},"cell":null}}"#)).unwrap(), own);
    for text in [
        r#"{"do":"pass","by":"A","with":false}"#,
        r#"{"step":"first-player","by":"random","pool":null}"#,
        r#"{"step":"first-player","by":"random","more":null}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

/// A zone that stays as it was must not reveal that: a player who looked at the top of a pile may
/// have put the cards back in another order, or not.
#[test]
fn no_commitment_comes_twice() {
    for mode in all() {
        let chance = Randomness::from_text("commitments");
        let mut found = BTreeSet::new();
        let mut compare = |made: &Match| {
            let view = made.view(Reader::Public).unwrap();
            let zones = view.shared.zones.values();
            let own = view.seats.values().flat_map(|seat| seat.zones.values());
            for zone in zones.chain(own) {
                if let Some(commitment) = &zone.commitment {
                    assert!(found.insert(commitment.clone()), "{}", mode.name);
                }
            }
        };
        let made = play_out_by(&mode, chance, &mut Dice::new(2), |made| {
            // What is ready is looked at again when it is played.
            if !made.pending.is_empty() {
                compare(made);
            }
        });
        let mut play = made;
        compare(&play);
        for number in 0..4 {
            let by = play.active;
            let done = [
                Move::Pass {}.by(by),
                Move::Undo {}.by(play.moves().last().map_or(by, |it| it.by)),
                Move::Roll { sides: 6 }.by(by),
                Move::Roll { sides: 6 }.by(by),
            ];
            play.act(done[number].clone()).unwrap();
            compare(&play);
        }
        assert_eq!(json!(play.moves().len()), json!(4));
    }
}

/// Where cards lie on squares, a card that touches no other of its player is allowed and remarked
/// on. A die shows each of its sides.
#[test]
fn moves_are_remarked_on_and_dice_show_their_sides() {
    let by = SeatId::A;
    let mut play = play_out(&of_format("versus/fast"), "far", &mut Dice::new(0), |_| ());
    for (square, remarks) in [("a1", 0), ("d4", 1), ("a2", 0)] {
        let laid = Move::Move {
            from: "hand".to_owned(),
            slot: 0,
            to: "grid".to_owned(),
            at: 0,
            up: true,
            cell: Cell::parse(square),
            with: false,
        }
        .by(by);
        play.act(laid.clone()).unwrap();
        assert_eq!(play.remarks(&laid, None).len(), remarks, "{square}");
    }
    let mut faces = BTreeSet::new();
    for _ in 0..30 {
        play.act(Move::Roll { sides: 2 }.by(by)).unwrap();
        faces.extend(play.last_roll.map(|(_, face)| face));
    }
    assert_eq!(faces, [1, 2].into());
}

/// Who tries a deck alone is asked for nothing that chance can decide, and swaps no cards.
#[test]
fn one_player_alone_is_asked_what_nobody_else_can_answer() {
    let asks = |made: &Match| -> BTreeSet<String> {
        let steps = made.pending.iter().map(|pending| json!(pending)["step"].clone());
        steps.map(|step| step.as_str().unwrap().to_owned()).collect()
    };
    let mut left_out = BTreeSet::new();
    for mut mode in all() {
        mode.setup = mode.setup.alone();
        mode.wanted.decks.truncate(1);
        mode.wanted.options.clear();
        mode.wanted.settings.retain(|setting, _| !setting.contains('.'));
        let chance = Randomness::from_text("alone");
        let made = Match::start(&mode.game(), mode.wanted.clone(), chance, vec![], None).unwrap();
        left_out.extend(asks(&made));
        let begun = made.begin_alone(&mode.game()).unwrap();
        let asked = asks(&begun);
        let settled = ["first-player", "roll", "swap"];
        assert!(settled.iter().all(|step| !asked.contains(*step)), "{}: {asked:?}", mode.name);
    }
    assert!(left_out.len() > 1, "{left_out:?}");
}

/// What is shown as an answer to what a setup awaits is one.
#[test]
fn what_is_awaited_comes_with_a_decision_that_answers_it() {
    let mut tried = BTreeSet::new();
    for mode in all() {
        play_out(&mode, "awaited", &mut Dice::new(3), |made| {
            for pending in &made.pending {
                let words = pending_words(pending);
                let Some((_, shown)) = words.split_once(", such as ") else {
                    assert!(words.contains("`match decide --seal"), "{words}");
                    continue;
                };
                let shown: Value = serde_json::from_str(shown).unwrap();
                // Which cards go to the bottom is for the player to say.
                if !shown["bottom"].to_string().contains("ID") {
                    let decided = made.decide_json(&mode.game(), std::slice::from_ref(&shown));
                    assert!(decided.is_ok(), "{}: {words}: {:?}", mode.name, decided.err());
                    tried.insert(shown["step"].to_string());
                }
            }
        });
    }
    assert!(tried.len() > 4, "{tried:?}");
}
