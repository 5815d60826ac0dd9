//! The room that is told of cards, held against the slow judge and against asking for each card
//! alone: cards that are taken for alike must be.

use super::*;
use decklaw::solve::Rooms;

#[test]
fn rooms_of_random_formats_are_those_of_each_card_alone_and_what_the_oracle_lets_in() {
    let (mut limited, mut free, mut held) = (0, 0, 0);
    for seed in 0..worlds() {
        let (world, rulebook, mut random) = made(seed);
        for number in 0..4 {
            let mut deck = random_deck(&world, &mut random);
            if number == 0 {
                deck.iter_mut().flatten().for_each(|copies| *copies = 0);
            }
            let mut list = Decklist::empty(Arc::clone(&rulebook));
            for holding in holdings(&world, &deck, &rulebook) {
                list.set(holding.section, holding.card, holding.copies);
            }
            let rooms = Rooms::of(&list);
            let places = (0..SECTIONS.len() as u16).flat_map(|section| {
                let rulebook = &rulebook;
                let card = move |card: &Card| (section, rulebook.find(&card.name).unwrap());
                world.cards.iter().map(card)
            });
            // Rules that more copies would break as no more copies could mend.
            let excess = |deck: &Deck| -> Vec<usize> {
                let rulebook = list.rulebook();
                let judged = rulebook.judge(&contents(rulebook, &world, deck));
                let told = found(&world, rulebook, &judged);
                let broken = world.judge(deck);
                assert!(told.keys().eq(broken.keys()), "seed {seed}");
                let over = told.into_iter().filter(|(_, short)| !short);
                over.map(|(rule, _)| rule).collect()
            };
            let only_short = excess(&deck).is_empty();
            for room in rooms.of_each(places) {
                let why = || {
                    let (format, cards) = (world.format(), world.csv());
                    let listed = world.list.as_ref().map_or(String::new(), list::List::text);
                    let name = rulebook.pool().name(room.card);
                    format!("seed {seed}, {name} {room:?}\n{format}\n{listed}\n{cards}\n{deck:?}")
                };
                let alone = Rooms::of(&list);
                assert_eq!(room, alone.room(room.section, room.card), "{}", why());
                assert_eq!(room.more.is_some(), rooms.why(&room).is_some(), "{}", why());
                assert_eq!(rooms.why(&room), alone.why(&room), "{}", why());
                if !only_short {
                    continue;
                }
                let own = |card: &Card| rulebook.find(&card.name) == Some(room.card);
                let at = world.cards.iter().position(own).unwrap();
                let fuller = |more: i64| {
                    let mut fuller = deck.clone();
                    fuller[usize::from(room.section)][at] += more;
                    excess(&fuller)
                };
                // What identity cards do not permit, a further one may: all legal decks of small
                // games hold that in `tests/repair`.
                let for_good = |more: i64| {
                    let mut broken = fuller(more);
                    broken.retain(|rule| {
                        let kind = &world.rules[*rule].kind;
                        !matches!(kind, Kind::Permitted(..) | Kind::Matching(..))
                    });
                    broken
                };
                held += 1;
                match room.more {
                    None => {
                        free += 1;
                        for more in [1, 50] {
                            assert_eq!(for_good(more), Vec::<usize>::new(), "{}", why());
                        }
                    }
                    Some(more) => {
                        limited += 1;
                        for fits in 1..=more.min(40) {
                            assert_eq!(for_good(fits), Vec::<usize>::new(), "{}", why());
                        }
                        let id = &list.rulebook().rules()[room.rule.unwrap()].id;
                        let named = (0..world.rules.len()).find(|at| *id == format!("r{at}"));
                        let broken = fuller(more + 1);
                        assert!(
                            !broken.is_empty() && named.is_none_or(|named| broken.contains(&named)),
                            "{broken:?} {id} {}",
                            why()
                        );
                    }
                }
            }
        }
    }
    eprintln!("{held} rooms: {limited} limited, {free} free");
    assert!(limited > 500 && free > 50, "{limited} {free}");
}
