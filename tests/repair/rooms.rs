//! Room against brute force over small games, and against all legal decks of games in which
//! identity cards permit others, alone or together.

use crate::brute_rooms::Compared;
use crate::support::Random;
use crate::worlds::{FORMATS, garbage, mutated, rulebook};
use decklaw::format::{Game, Rulebook};
use decklaw::pool::{CardId, CardSet};
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Rooms, Wishes, repair};
use std::collections::BTreeMap;
use std::sync::Arc;

const LEADERS: usize = 3;
const OTHERS: usize = 4;

fn small(random: &mut Random) -> Arc<Rulebook> {
    let pick = |random: &mut Random, words: &[&'static str]| words[random.below(words.len())];
    let mode = pick(random, &["any", "all"]);
    let of_leaders = pick(
        random,
        &[
            "",
            "  - id: partners\n    source: Rules\n    about: Leaders permit each other.\n    must:\n      permitted: {sections: [leaders], by: [leaders], field: allows, mode: any}\n",
        ],
    );
    let text = format!(
        "schema: decklaw/format/1\ngame: small\nname: Small\ntext: Rules\nfields:\n  - {{name: kind, kind: word, values: [leader, oak, elm]}}\n  - {{name: allows, kind: query}}\nsections:\n  - {{id: leaders, name: leaders}}\n  - {{id: main, name: main deck, shuffled: true}}\nformats:\n  - {{id: small, name: Small}}\nrules:\n  - id: accepts\n    source: Rules\n    about: Leaders lead.\n    must:\n      accept: {{section: leaders, cards: \"kind:leader\", because: a leader leads}}\n  - id: accepts-main\n    source: Rules\n    about: Others follow.\n    must:\n      accept: {{section: main, cards: \"-kind:leader\", because: others follow}}\n  - id: leaders\n    source: Rules\n    about: One leader or two.\n    must:\n      size: {{sections: [leaders], min: 1, max: 2}}\n  - id: copies\n    source: Rules\n    about: Two of a card.\n    must:\n      copies: {{sections: [leaders, main], max: 2}}\n  - id: size\n    source: Rules\n    about: So many cards.\n    must:\n      size: {{sections: [main], min: 1, max: 4}}\n  - id: permitted\n    source: Rules\n    about: Leaders permit cards.\n    must:\n      permitted: {{sections: [main], by: [leaders], field: allows, mode: {mode}}}\n{of_leaders}"
    );
    let game = Game::read("small.yaml", &text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let game = Arc::new(game);
    let mut cards = "name,kind,allows\n".to_owned();
    for at in 0..LEADERS {
        let allows = pick(
            random,
            &[
                "kind:oak",
                "kind:elm",
                "kind:(leader oak)",
                "kind:(leader elm)",
                "kind:leader",
            ],
        );
        cards += &format!("Leader {at},leader,{allows}\n");
    }
    for at in 0..OTHERS {
        cards += &format!("Card {at},{},\n", pick(random, &["oak", "elm"]));
    }
    let format = game.formats().remove(0);
    let pool = game.read_cards(cards.as_bytes()).unwrap();
    Arc::new(Rulebook::new(&format, Arc::new(pool), None, &BTreeMap::new()).unwrap())
}

/// Every deck with at most two copies of a card, two leaders and four others.
fn decks(rulebook: &Arc<Rulebook>, see: &mut dyn FnMut(&[i64], &Decklist)) {
    fn fill(at: usize, copies: &mut Vec<i64>, see: &mut dyn FnMut(&[i64])) {
        if at == LEADERS + OTHERS {
            see(copies);
            return;
        }
        for count in 0..=2 {
            copies.push(count);
            let (leaders, others) = copies.split_at(copies.len().min(LEADERS));
            if leaders.iter().sum::<i64>() <= 2 && others.iter().sum::<i64>() <= 4 {
                fill(at + 1, copies, see);
            }
            copies.pop();
        }
    }
    fill(0, &mut Vec::new(), &mut |copies| {
        let mut deck = Decklist::empty(Arc::clone(rulebook));
        for (at, count) in copies.iter().enumerate() {
            deck.set(u16::from(at >= LEADERS), card(rulebook, at), *count);
        }
        see(copies, &deck);
    });
}

fn card(rulebook: &Rulebook, at: usize) -> CardId {
    let name = match at.checked_sub(LEADERS) {
        None => format!("Leader {at}"),
        Some(at) => format!("Card {at}"),
    };
    rulebook.find(&name).unwrap()
}

#[test]
fn what_a_legal_deck_has_there_is_room_for() {
    let (mut held, mut partners) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed * 7 + 1);
        let rulebook = small(&mut random);
        let mut legal: Vec<Vec<i64>> = Vec::new();
        decks(&rulebook, &mut |copies, deck| {
            if deck.is_legal() {
                legal.push(copies.to_vec());
            }
        });
        let within =
            |one: &[i64], other: &[i64]| one.iter().zip(other).all(|(one, other)| one <= other);
        let mut asked = 0;
        decks(&rulebook, &mut |copies, deck| {
            asked += 1;
            // A part of a legal deck: whatever it lacks can be added.
            if asked % 11 != 0 || !legal.iter().any(|other| within(copies, other)) {
                return;
            }
            let rooms = Rooms::of(deck);
            let all = CardSet::of(deck.pool().len(), |_| true);
            let rooms: BTreeMap<(u16, CardId), i64> = rooms
                .all(&all)
                .into_iter()
                .map(|room| ((room.section, room.card), room.more.unwrap_or(i64::MAX)))
                .collect();
            for at in 0..LEADERS + OTHERS {
                let more = rooms[&(u16::from(at >= LEADERS), card(&rulebook, at))];
                let mut fuller = copies.to_vec();
                fuller[at] += 1;
                let one_more = legal.iter().any(|other| within(&fuller, other));
                assert!(
                    more >= 1 || !one_more,
                    "seed {seed}: {copies:?} has no room for {at}, and a legal deck has it: {:?}\n{:?}",
                    legal.iter().find(|other| within(&fuller, other)),
                    deck.listing()
                );
                held += 1;
                partners += usize::from(one_more && copies[..LEADERS].iter().sum::<i64>() == 1);
            }
        });
    }
    assert!(held > 1_000 && partners > 100, "{held} {partners}");
}

#[test]
fn room_is_what_brute_force_finds() {
    let mut compared = Compared::default();
    for seed in 0..24 {
        let mut random = Random::new(seed * 31 + 5);
        let rulebook = match FORMATS.get(seed as usize % (FORMATS.len() + 1)) {
            Some(format) => rulebook(format, &mut random),
            None => small(&mut random),
        };
        for number in 0..6 {
            let mut deck = garbage(&rulebook, &mut random);
            if number > 1 {
                let Repair::Found(found) = repair(&deck, &Wishes::default()) else {
                    continue;
                };
                deck = mutated(&found.deck, number - 2, &mut random);
            }
            compared.compare(&deck, &format!("seed {seed}"));
        }
    }
    assert!(compared.limited > 1_000, "{compared:?}");
}
