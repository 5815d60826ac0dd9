//! What repair, building, room and swaps return, asked of the oracle: it is legal, nothing nearer
//! is, and one copy more than there is room for is too many.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use decklaw::banlist::Banlist;
use decklaw::deck::{self, Input};
use decklaw::format::{Catalogue, Rulebook};
use decklaw::matches::Setup;
use decklaw::pool::CardSet;
use decklaw::resolve::Decklist;
use decklaw::solve::{Advice, Repair, Rooms, Swap, Wishes, repair};

use crate::agreement::some_house;
use crate::generate::{FORMATS, Generator, game, pools, sections};
use crate::judge::{House, Verdict, judge};
use crate::model::{Deck, Line, Pool, fold};
use crate::random::Random;

/// A format, its cards, and what an organiser adds.
struct World {
    pool: Pool,
    house: House,
    /// Cards of which there may be one, and cards of which there may be two points' worth.
    singles: BTreeSet<String>,
    points: BTreeMap<String, u32>,
    rulebook: Arc<Rulebook>,
}

const POINTS: u32 = 2;

impl World {
    fn new(format: &str, csv: Option<&str>, random: &mut Random) -> World {
        let pool = csv.map_or_else(pools::vastrix, Pool::read);
        let house = some_house(format, &pool, true, random);
        let (mut singles, mut points) = (BTreeSet::new(), BTreeMap::new());
        if game(format) == "vainqueur" {
            let mut names = pool.names(|card| !house.banned.contains(&card.folded));
            random.shuffle(&mut names);
            singles.extend(names.iter().take(4).cloned());
            points.extend(names.iter().skip(4).take(4).cloned().zip([1, 1, 2, 2]));
        }
        let list = (!house.banned.is_empty()).then(|| {
            let json = |name: &str| serde_json::json!(name).to_string();
            let mut text = "schema: decklaw/banlist/1\nid: trial\ngame: vainqueur\n\
                name: Trial\neffective: 2026-01-01\nbanned:\n"
                .to_owned();
            for name in pool.names(|card| house.banned.contains(&card.folded)) {
                text += &format!("  - {}\n", json(&name));
            }
            text += "restricted:\n";
            for name in &singles {
                text += &format!("  - {{name: {}, copies: 1}}\n", json(name));
            }
            text += &format!("points:\n  limit: {POINTS}\n  cards:\n");
            for (name, each) in &points {
                text += &format!("    - {{name: {}, points: {each}}}\n", json(name));
            }
            Arc::new(Banlist::read("trial.yaml", text.as_bytes()).unwrap())
        });
        let catalogue = Catalogue::built_in();
        let found = catalogue.format(format).unwrap();
        let built_in = catalogue.cards(found.game().id()).unwrap().1;
        let cards = csv.map_or(built_in, str::as_bytes);
        let cards = Arc::new(found.game().read_cards(cards).unwrap());
        let numbers = [
            ("min", house.min),
            ("max", house.max),
            ("copies", house.copies),
        ];
        let numbers = numbers.into_iter();
        let mut settings: BTreeMap<String, String> = numbers
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())))
            .collect();
        if house.any_composition {
            settings.insert("composition".to_owned(), "any".to_owned());
        }
        let rulebook = Rulebook::new(&found, cards, list, &settings).unwrap();
        World {
            pool,
            house,
            singles,
            points,
            rulebook: Arc::new(rulebook),
        }
    }

    /// Errors of the oracle, the banlist's counts among them.
    fn errors(&self, deck: &Deck) -> BTreeSet<&'static str> {
        let mut errors = judge(deck, &self.pool, &self.house).errors();
        if self.singles.is_empty() {
            return errors;
        }
        let copies = deck.copies("main");
        let of = |name: &String| copies.get(&fold(name)).copied().unwrap_or(0);
        if self.singles.iter().any(|name| of(name) > 1) {
            errors.insert("restricted");
        }
        let spent: u32 = self.points.iter().map(|(name, each)| of(name) * each).sum();
        if spent > POINTS {
            errors.insert("points-list");
        }
        errors
    }

    fn is_legal(&self, deck: &Deck) -> bool {
        self.errors(deck).is_empty()
    }

    fn list(&self, deck: &Deck) -> Decklist {
        let mut text = format!("Format: {}\n", deck.format);
        for (id, lines) in &deck.sections {
            text += &format!("\n{id}\n");
            for Line { count, name } in lines {
                text += &format!("{count} {name}\n");
            }
        }
        let names = self.rulebook.format().game().section_names();
        let read = deck::read(text.as_bytes(), Input::Text, &mut |_| Some(names)).unwrap();
        Decklist::of(&read, Arc::clone(&self.rulebook))
    }

    fn plain(&self, list: &Decklist) -> Deck {
        let mut deck = Deck::new(self.rulebook.format().id());
        for held in list.holdings() {
            let section = &list.sections()[usize::from(held.section)];
            let copies = u32::try_from(held.copies).unwrap();
            deck.add(section, copies, list.name(held.card));
        }
        deck
    }

    /// Every section and card that go together, or that the deck has together.
    fn slots(&self, deck: &Deck) -> Vec<(&'static str, String)> {
        let mut slots = Vec::new();
        for section in sections(game(&deck.format)) {
            for card in self.pool.cards() {
                let mut only = Deck::new(&deck.format);
                only.add(section, 1, &card.name);
                if !self.errors(&only).contains("accepts") {
                    slots.push((*section, card.name.clone()));
                }
            }
            for line in deck.lines(section) {
                let slot = (*section, line.name.clone());
                if !slots.contains(&slot) {
                    slots.push(slot);
                }
            }
        }
        slots
    }
}

/// Tries every deck at just this distance; `None`: too many.
fn any_at(
    deck: &Deck,
    slots: &[(&'static str, String)],
    distance: u32,
    budget: &mut u32,
    fits: &dyn Fn(&Deck) -> bool,
) -> Option<bool> {
    if distance == 0 {
        *budget = budget.checked_sub(1)?;
        return Some(fits(deck));
    }
    for (at, (section, name)) in slots.iter().enumerate() {
        let held = held(deck, section, name);
        for moved in 1..=distance {
            let fewer = held.checked_sub(moved);
            for copies in [Some(held + moved), fewer].into_iter().flatten() {
                let next = with(deck, section, name, copies);
                if any_at(&next, &slots[at + 1..], distance - moved, budget, fits)? {
                    return Some(true);
                }
            }
        }
    }
    Some(false)
}

fn held(deck: &Deck, section: &str, name: &str) -> u32 {
    let lines = deck.lines(section).iter();
    let own = lines.filter(|line| line.name == name);
    own.map(|line| line.count).sum()
}

fn with(deck: &Deck, section: &str, name: &str, copies: u32) -> Deck {
    let mut next = deck.clone();
    next.lines_mut(section).retain(|line| line.name != name);
    next.add(section, copies, name);
    next
}

/// The rows of a pool whose cards a deck has, and some others.
fn smaller(csv: &str, deck: &Deck, others: usize, random: &mut Random) -> String {
    let mut lines = csv.lines();
    let mut kept = lines.next().unwrap().to_owned() + "\n";
    let held: BTreeSet<&str> = deck
        .sections
        .iter()
        .flat_map(|(_, lines)| lines)
        .map(|line| line.name.as_str())
        .collect();
    let (own, mut rest): (Vec<&str>, Vec<&str>) = lines.partition(|line| {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(line.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        held.contains(row.get(0).unwrap())
    });
    random.shuffle(&mut rest);
    for line in own.iter().chain(rest.iter().take(others)) {
        kept += &format!("{line}\n");
    }
    kept
}

/// A deck that keeps the rules of a format but for a few edits, in a small pool of its own.
fn small(format: &str, random: &mut Random) -> (World, Deck) {
    let csv = pools::random_pool(game(format), random);
    let house = House {
        min: Some(45),
        max: Some(60),
        copies: Some(3),
        ..House::default()
    };
    let pool = csv.as_deref().map_or_else(pools::vastrix, Pool::read);
    let mut generator = Generator {
        format,
        pool: &pool,
        house: &house,
        random,
    };
    let deck = generator.legal();
    let csv = csv.map(|csv| smaller(&csv, &deck, 8, random));
    let world = World::new(format, csv.as_deref(), random);
    let slots = world.slots(&deck);
    let mut broken = deck;
    for _ in 0..1 + random.below(3) {
        let (section, name) = random.pick(&slots);
        let held = held(&broken, section, name);
        let copies = match held {
            0 => 1,
            _ if random.percent(60) => held - 1,
            _ => held + 1,
        };
        broken = with(&broken, section, name, copies);
    }
    (world, broken)
}

#[test]
fn the_oracle_finds_nothing_nearer() {
    let (mut whole, mut mended) = (0, 0);
    for format in FORMATS {
        let random = &mut Random::new(&format!("{format} nearer"));
        for number in 0..6 {
            let (world, broken) = small(format, random);
            let found = match repair(&world.list(&broken), &Wishes::default()) {
                Repair::Found(found) => found,
                other => panic!("{format} {number}: {other:?}"),
            };
            let after = world.plain(&found.deck);
            assert!(found.optimal(), "{format} {number}");
            assert_eq!(world.errors(&after), BTreeSet::new(), "{format} {number}");
            mended += usize::from(found.distance > 0);
            let slots = world.slots(&broken);
            let mut budget = 400;
            let complete = (0..u32::try_from(found.distance).unwrap()).all(|distance| {
                let fits = |deck: &Deck| world.is_legal(deck);
                match any_at(&broken, &slots, distance, &mut budget, &fits) {
                    Some(nearer) => {
                        assert!(!nearer, "{format} {number}: {distance}\n{broken:?}");
                        true
                    }
                    None => false,
                }
            });
            whole += usize::from(complete && found.distance > 0);
        }
    }
    assert!(mended > 40, "{mended}");
    assert!(whole > 25, "{whole} of {mended} were compared in full");
}

#[test]
fn what_is_mended_or_built_is_legal_by_the_oracle() {
    for format in FORMATS {
        let random = &mut Random::new(&format!("{format} mended"));
        let csv = pools::random_pool(game(format), random);
        let world = World::new(format, csv.as_deref(), random);
        for number in 0..8 {
            let mut generator = Generator {
                format,
                pool: &world.pool,
                house: &world.house,
                random,
            };
            let deck = generator.deck();
            let Repair::Found(found) = repair(&world.list(&deck), &Wishes::default()) else {
                panic!("{format} {number}: no repair of {deck:?}");
            };
            let after = world.plain(&found.deck);
            assert_eq!(world.errors(&after), BTreeSet::new(), "{format} {number}");
            let again = repair(&found.deck, &Wishes::default());
            let unchanged = matches!(again, Repair::Found(again) if again.distance == 0);
            assert!(unchanged, "{format} {number}: mended twice");
        }
        let empty = Decklist::empty(Arc::clone(&world.rulebook));
        let mut distances = BTreeSet::new();
        for (varied, seed) in [(false, None), (true, None), (true, Some("one"))] {
            let wishes = Wishes {
                advice: Advice::First,
                varied,
                seed: seed.map(str::to_owned),
                ..Wishes::default()
            };
            let Repair::Found(found) = repair(&empty, &wishes) else {
                panic!("{format}: nothing is built");
            };
            let built = world.plain(&found.deck);
            assert_eq!(world.errors(&built), BTreeSet::new(), "{format}");
            let advised = judge(&built, &world.pool, &world.house).warnings;
            assert!(advised.is_empty(), "{format}: {advised:?}");
            distances.insert(found.distance);
        }
        assert_eq!(distances.len(), 1, "{format}: variety costs nothing");
    }
}

#[test]
fn room_is_what_the_oracle_lets_in() {
    for format in FORMATS {
        let random = &mut Random::new(&format!("{format} room"));
        let csv = pools::random_pool(game(format), random);
        let world = World::new(format, csv.as_deref(), random);
        let found = repair(
            &Decklist::empty(Arc::clone(&world.rulebook)),
            &Wishes {
                varied: true,
                ..Wishes::default()
            },
        );
        let Repair::Found(found) = found else {
            panic!("{format}");
        };
        let (list, deck) = (&found.deck, world.plain(&found.deck));
        assert!(world.is_legal(&deck), "{format}");
        let rooms = Rooms::of(list);
        let every = CardSet::of(list.pool().len(), |_| true);
        let mut asked = rooms.all(&every);
        random.shuffle(&mut asked);
        for room in asked.iter().take(60) {
            let section = &list.sections()[usize::from(room.section)];
            let name = list.name(room.card);
            let held = held(&deck, section, name);
            let verdict = |more: u32| {
                let fuller = with(&deck, section, name, held + more);
                match world.errors(&fuller).contains("points-list")
                    || world.errors(&fuller).contains("restricted")
                {
                    true => Verdict::Illegal,
                    false => judge(&fuller, &world.pool, &world.house).verdict(),
                }
            };
            let Some(more) = room.more else {
                assert_ne!(verdict(500), Verdict::Illegal, "{format} {section} {name}");
                continue;
            };
            let more = u32::try_from(more).unwrap();
            assert_ne!(verdict(more), Verdict::Illegal, "{format} {section} {name}");
            assert_eq!(
                verdict(more + 1),
                Verdict::Illegal,
                "{format} {section} {name} {more}"
            );
        }
    }
}

#[test]
fn no_smaller_swap_is_legal_by_the_oracle() {
    let random = &mut Random::new("swap");
    let (mut whole, mut swapped) = (0, 0);
    for number in 0..40 {
        let csv = pools::random_pool("shell", random).unwrap();
        let pool = Pool::read(&csv);
        let house = House::default();
        let mut generator = Generator {
            format: "shell",
            pool: &pool,
            house: &house,
            random,
        };
        let deck = generator.legal();
        let spells: Vec<Line> = deck
            .lines("side")
            .iter()
            .filter(|line| pool.named(&line.name).unwrap().is("type", "spell"))
            .filter(|line| !line.name.contains('"'))
            .cloned()
            .collect();
        if spells.is_empty() {
            continue;
        }
        let wanted = random.pick(&spells).clone();
        let world = World::new("shell", Some(&csv), random);
        let list = world.list(&deck);
        let exchange = Setup::exchange_of(list.rulebook().format()).unwrap();
        let wish = format!("in: \"{}\" 1", wanted.name);
        let swap = Swap::parse(&wish, &list, exchange.as_ref()).unwrap();
        let played = |deck: &Deck| {
            let mut main = deck.clone();
            main.sections
                .retain(|(id, _)| id == "main" || id == "shells");
            main
        };
        let Repair::Found(found) = swap.solve(&list, 20_000) else {
            continue;
        };
        swapped += 1;
        let after = world.plain(&found.deck);
        assert!(world.is_legal(&played(&after)), "{number}");
        assert!(held(&after, "main", &wanted.name) > 0, "{number}");
        // Not a card is gained or lost between main and side.
        let both = |deck: &Deck, section: &str| {
            let mut copies = deck.copies("side");
            for (name, more) in deck.copies(section) {
                *copies.entry(name).or_default() += more;
            }
            for (name, more) in deck.copies("shells") {
                *copies.entry(name).or_default() += more;
            }
            copies
        };
        assert_eq!(both(&deck, "main"), both(&after, "main"), "{number}");
        assert_eq!(deck.copies("extra"), after.copies("extra"), "{number}");
        let before = played(&deck);
        let spells_of = |section: &'static str| {
            let lines = deck.lines(section).iter();
            lines.map(|line| ("main", line.name.clone()))
        };
        let slots: Vec<(&'static str, String)> =
            spells_of("main").chain(spells_of("side")).collect();
        let fits = |deck_after: &Deck| {
            held(deck_after, "main", &wanted.name) > 0
                && deck_after.lines("main").iter().all(|line| {
                    let there = held(&deck, "main", &line.name) + held(&deck, "side", &line.name);
                    line.count <= there
                })
                && world.is_legal(deck_after)
        };
        let mut budget = 1_500;
        // Each copy that comes into main goes out of the side deck, and the other way round.
        assert_eq!(found.distance % 2, 0, "{number}");
        let in_main = u32::try_from(found.distance / 2).unwrap();
        let complete = (0..in_main).all(|distance| {
            match any_at(&before, &slots, distance, &mut budget, &fits) {
                Some(nearer) => {
                    assert!(!nearer, "{number}: {distance}");
                    true
                }
                None => false,
            }
        });
        whole += usize::from(complete);
    }
    assert!(swapped > 10 && whole > 4, "{whole} of {swapped}");
}
