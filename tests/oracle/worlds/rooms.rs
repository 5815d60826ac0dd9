//! Room in random formats, against brute force and against asking for each card alone: cards that
//! are taken for alike must be.

use super::*;
use crate::brute_rooms::Compared;
use decklaw::solve::Rooms;

#[test]
fn rooms_of_random_formats_are_those_of_each_card_alone_and_of_brute_force() {
    let mut compared = Compared::default();
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
            let why = || {
                let listed = world.list.as_ref().map_or(String::new(), list::List::text);
                format!("seed {seed}\n{}\n{listed}\n{}", world.format(), world.csv())
            };
            if number == 0 || seed % 5 == 0 {
                // Every seed would take long: a legal deck is searched for card after card.
                compared.compare(&list, &why());
            }
            let rooms = Rooms::of(&list);
            let places = (0..SECTIONS.len() as u16).flat_map(|section| {
                let rulebook = &rulebook;
                let card = move |card: &Card| (section, rulebook.find(&card.name).unwrap());
                world.cards.iter().map(card)
            });
            for room in rooms.of_each(places) {
                let alone = Rooms::of(&list);
                assert_eq!(room, alone.room(room.section, room.card), "{}", why());
                assert_eq!(room.more.is_some(), rooms.why(&room).is_some(), "{}", why());
                assert_eq!(rooms.why(&room), alone.why(&room), "{}", why());
            }
        }
    }
    assert!(
        compared.limited > 500 && compared.unlimited > 50,
        "{compared:?}"
    );
}
