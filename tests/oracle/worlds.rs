//! Whole formats at random: every kind of rule, with every source of its bounds and every way
//! of naming sections, over a few invented cards; and a judge of them that can be read.

mod change;
mod claims;
mod demands;
mod judge;
mod list;
mod make;
mod reasons;
mod rooms;
mod write;

use crate::checker::{by_veripb, checked};
use crate::random::Random;
use decklaw::banlist::Banlist;
use decklaw::format::{Game, Rulebook};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::rules::{Contents, Failing, Holding, Judgement, Severity, Verdict};
use decklaw::solve::{Certificate, Repair, Uncertified, Wish, Wishes, certify, repair};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The sections of every world.
pub(crate) const SECTIONS: [&str; 3] = ["hero", "main", "side"];
const KINDS: [&str; 3] = ["oak", "elm", "ash"];
const TRAITS: [&str; 3] = ["sun", "rain", "wind"];

/// A card; `None` and empty words are empty cells.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    name: String,
    kind: &'static str,
    traits: Vec<&'static str>,
    title: &'static str,
    cost: Option<i64>,
    limit: Option<i64>,
    allows: Option<Query>,
    lets: Option<Query>,
    sets: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Query {
    All,
    Kind(&'static str),
    NotKind(&'static str),
    Trait(&'static str),
    CostFrom(i64),
}

#[derive(Debug, Clone)]
pub(crate) enum Amount {
    Number(i64),
    Cards {
        base: Option<i64>,
        of: Vec<usize>,
        field: Option<&'static str>,
        cards: Query,
        per: i64,
        round: &'static str,
        times: i64,
        otherwise: Option<i64>,
    },
    Own {
        field: &'static str,
        otherwise: Option<i64>,
    },
    Sum(Vec<Amount>),
}

#[derive(Debug, Clone)]
pub(crate) struct Range {
    min: Option<Amount>,
    max: Option<Amount>,
    exactly: Option<Amount>,
}

/// What identity cards say: words or queries, of one section or several.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    by: Vec<usize>,
    /// Which cards there speak.
    picked: Query,
    alone: bool,
    /// Words of `kind` or `traits`, or what the card `allows`.
    field: Option<&'static str>,
    among: &'static str,
    all: bool,
    /// Whether what permits nothing is said by saying nothing, and by nobody.
    empty: bool,
    nobody: bool,
    /// Whether what else the card `lets` in is permitted too.
    lets: bool,
}

/// Cards that agree, and what becomes of their price, and of that of others: times, and plus.
type Matched = (Relation, Option<(i64, i64)>, (i64, i64));

/// A part of a sum.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    cards: Query,
    conditions: Vec<Vec<Test>>,
    field: bool,
    price: Option<i64>,
    per: &'static str,
    times: i64,
    matched: Option<Matched>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Accept(usize, Query),
    Avoid(Vec<usize>, Query),
    Disjoint(Vec<usize>, Vec<usize>),
    /// The last: as many copies at least.
    Within(Vec<usize>, Vec<usize>, bool),
    /// How many copies: one without it, and of a card that says none; and what makes cards stand for
    /// each other.
    Brings(
        Vec<usize>,
        Query,
        Relation,
        Option<Amount>,
        Option<&'static str>,
    ),
    Size(Vec<usize>, Query, Range, Vec<i64>),
    Copies {
        sections: Vec<usize>,
        cards: Query,
        by: Vec<&'static str>,
        max: Amount,
        weight: bool,
        also_in: Option<usize>,
    },
    Distinct(Vec<usize>, Query, Vec<&'static str>, Range),
    /// The number is of the copies that a value needs.
    Values(
        Vec<usize>,
        Query,
        &'static str,
        i64,
        Range,
        Vec<&'static str>,
    ),
    Total {
        sections: Vec<usize>,
        cards: Query,
        parts: Vec<Part>,
        range: Range,
    },
    Matching(Vec<usize>, Query, Relation),
    Permitted(Vec<usize>, Query, Relation),
    /// Written in the language of rules.
    Demand(demands::Demand),
    /// One of these is enough, or all must hold.
    Several(bool, Vec<Kind>),
    /// Options, and how many cards may take each.
    Options(Vec<usize>, Query, Vec<(Query, Option<i64>)>),
}

#[derive(Debug, Clone)]
pub(crate) struct Test {
    sections: Vec<usize>,
    cards: Query,
    least: Option<i64>,
    most: Option<i64>,
    /// That all this does not hold.
    not: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Rule {
    kind: Kind,
    /// All of these must hold, each being any of its parts.
    conditions: Vec<Vec<Test>>,
}

#[derive(Debug, Clone)]
pub(crate) struct World {
    /// As they are judged; the card file has those of `printed`.
    cards: Vec<Card>,
    printed: Vec<Card>,
    rules: Vec<Rule>,
    list: Option<list::List>,
}

/// Copies by section and card.
pub(crate) type Deck = Vec<Vec<i64>>;

/// How many worlds are made; `DECKLAW_WORLDS` says another number.
const WORLDS: usize = 150;
/// Decks of each.
const DECKS: usize = 20;
/// The farthest that repairs are searched for one by one.
const FARTHEST: i64 = 3;

fn worlds() -> usize {
    let asked = std::env::var("DECKLAW_WORLDS").ok();
    asked
        .and_then(|number| number.parse().ok())
        .unwrap_or(WORLDS)
}

fn rulebook(world: &World) -> Arc<Rulebook> {
    let text = world.format();
    let game = Game::read("world.yaml", &text).unwrap_or_else(|error| {
        panic!("{text}\n{:?}", error.problems);
    });
    let game = Arc::new(game);
    let pool = game.read_cards(world.csv().as_bytes()).unwrap();
    let format = game.formats().remove(0);
    let list = world.list.as_ref().map(|list| {
        let text = list.text();
        let read = Banlist::read("list.yaml", text.as_bytes());
        Arc::new(read.unwrap_or_else(|error| panic!("{text}\n{:?}", error.problems)))
    });
    let made = Rulebook::new(&format, Arc::new(pool), list, &BTreeMap::new());
    made.unwrap_or_else(|error| panic!("{text}\n{error}"))
        .into()
}

/// The worlds in which every card's place in the pool is that in the world.
fn made(seed: usize) -> (World, Arc<Rulebook>, Random) {
    let mut random = Random::new(&format!("world {seed}"));
    loop {
        let world = World::random(&mut random);
        let text = world.format();
        // A rule whose fixed numbers contradict each other is refused, as it should be.
        if Game::read("world.yaml", &text).is_err_and(|error| {
            let contradicts = |told: &str| told.contains("cannot both hold");
            error
                .problems
                .iter()
                .all(|problem| contradicts(&problem.message))
        }) {
            continue;
        }
        let rulebook = rulebook(&world);
        return (world, rulebook, random);
    }
}

fn contents<'p>(rulebook: &'p Rulebook, world: &World, deck: &Deck) -> Contents<'p> {
    Contents::new(rulebook.pool(), holdings(world, deck, rulebook), Vec::new())
}

fn holdings(world: &World, deck: &Deck, rulebook: &Rulebook) -> Vec<Holding> {
    let mut held = Vec::new();
    for (section, cards) in deck.iter().enumerate() {
        for (card, copies) in cards.iter().enumerate().filter(|(_, copies)| **copies > 0) {
            let card = rulebook.find(&world.cards[card].name).unwrap();
            held.push(Holding {
                card,
                section: section as u16,
                copies: *copies,
            });
        }
    }
    held
}

fn random_deck(world: &World, random: &mut Random) -> Deck {
    let most = *random.pick(&[1_usize, 2, 3, 5]);
    let mut deck = vec![vec![0; world.cards.len()]; SECTIONS.len()];
    for (section, cards) in deck.iter_mut().enumerate() {
        let chance = if section == 0 { 30 } else { 45 };
        for copies in cards {
            if random.percent(chance) {
                *copies = 1 + random.below(most) as i64;
            }
        }
    }
    deck
}

/// What the library says of each rule that it finds broken: whether all of it is a shortfall.
fn found(world: &World, rulebook: &Rulebook, judged: &[Judgement]) -> BTreeMap<usize, bool> {
    let own = |at: &usize, id: &str| *id == format!("r{at}");
    let places: Vec<Option<usize>> = rulebook
        .rules()
        .iter()
        .map(|rule| (0..world.rules.len()).find(|at| own(at, &rule.id)))
        .collect();
    let asked = places.iter().flatten().count();
    let mut found = BTreeMap::new();
    for judgement in judged {
        if rulebook.severity(judgement) == Severity::Error {
            let short = judgement.violation.failing == Failing::Shortfall;
            let listed = world.rules.len() + judgement.rule.saturating_sub(asked);
            let at = places[judgement.rule].unwrap_or(listed);
            *found.entry(at).or_insert(true) &= short;
        }
    }
    found
}

#[test]
fn random_formats_are_judged_as_the_oracle_does() {
    let mut seen: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    // Judging is quick, and each key of each kind should be among what is judged.
    for seed in 0..4 * worlds() {
        let (world, rulebook, mut random) = made(seed);
        for _ in 0..DECKS {
            let deck = random_deck(&world, &mut random);
            let contents = contents(&rulebook, &world, &deck);
            let judged = rulebook.judge(&contents);
            let theirs = found(&world, &rulebook, &judged);
            let ours = world.judge(&deck);
            let told: Vec<_> = judged
                .iter()
                .map(|found| &found.violation.message)
                .collect();
            assert_eq!(
                theirs.keys().collect::<Vec<_>>(),
                ours.keys().collect::<Vec<_>>(),
                "seed {seed}\n{}\n{}\n{}\n{deck:?}\n{told:?}",
                world.format(),
                world.list.as_ref().map_or(String::new(), list::List::text),
                world.csv()
            );
            let notices = judged
                .iter()
                .filter(|found| found.violation.failing == Failing::Unverified);
            for found in notices {
                let unclear = found.violation.message.contains("several cards")
                    || found.violation.message.contains("gives no `allows`")
                    || found.violation.message.contains("gives no set for");
                assert!(unclear, "{}", found.violation.message);
            }
            for found in &judged {
                assert!(!found.violation.message.is_empty());
                assert!(
                    !found.violation.help.is_empty()
                        || rulebook.severity(found) == Severity::Notice
                );
            }
            let legal = rulebook.verdict(&judged) == Verdict::Legal;
            assert_eq!(legal, ours.is_empty(), "seed {seed}");
            let listed = world.list.iter().flat_map(|list| list.names());
            let listed = listed.map(|(at, name)| (world.rules.len() + 1 + at, name));
            let rules = world.rules.iter().map(Rule::name).enumerate();
            for (at, name) in rules.chain(listed) {
                let times = seen.entry(name).or_default();
                match ours.contains_key(&at) {
                    true => times.1 += 1,
                    false => times.0 += 1,
                }
            }
        }
    }
    // Enough decks of a kind are on both sides.
    for (kind, (kept, broken)) in &seen {
        let few = kept + broken < 800;
        assert!(
            few || (*kept > 0 && *broken > 0),
            "{kind}: kept {kept}, broken {broken}"
        );
    }
    assert!(seen.len() >= 20, "{seen:?}");
}

#[test]
fn random_formats_are_repaired_to_what_nothing_is_nearer_than() {
    let (mut proven, mut impossible, mut near, mut open) = (0, 0, 0, 0);
    let (mut certified, mut uncertified, mut weighed) = (0, 0, 0);
    for seed in 0..worlds() / 2 {
        let (world, rulebook, mut random) = made(seed);
        for _ in 0..3 {
            let deck = random_deck(&world, &mut random);
            let mut list = Decklist::empty(Arc::clone(&rulebook));
            for holding in holdings(&world, &deck, &rulebook) {
                list.set(holding.section, holding.card, holding.copies);
            }
            let nearest = |is: &dyn Fn(&Deck) -> bool| nearest(&world, &deck, is);
            let preferred = |is: &dyn Fn(&Deck) -> bool| nearest(is);
            let nearest = nearest(&|_| true);
            let listed = world.list.as_ref().map_or(String::new(), list::List::text);
            let why = || {
                let (format, cards) = (world.format(), world.csv());
                format!("seed {seed}\n{format}\n{listed}\n{cards}\n{deck:?}")
            };
            let wishes = Wishes::default();
            let repaired = repair(&list, &wishes);
            // Every claim has a proof that others check.
            match certify(&list, &wishes, &repaired) {
                Ok(certificates) => {
                    certified += certificates.len();
                    are_accepted(&certificates, &why);
                    if let Repair::Found(found) = &repaired {
                        assert!(found.optimal());
                    }
                }
                Err(Uncertified::Wrong(claim)) => panic!("{claim}\n{}", why()),
                Err(_) => uncertified += 1,
            }
            // What is preferred comes first.
            let oaks = |deck: &Deck| {
                let own = |section: &Vec<i64>| -> i64 {
                    let each = world.cards.iter().zip(section);
                    each.filter(|(card, _)| card.kind == "oak")
                        .map(|(_, n)| n)
                        .sum()
                };
                deck.iter().map(own).sum::<i64>() >= 2
            };
            let wishes = Wishes {
                prefer: vec![Wish::parse("2+ [kind:oak]", &rulebook).unwrap()],
                ..Wishes::default()
            };
            if let Repair::Found(found) = repair(&list, &wishes)
                && found.optimal()
            {
                weighed += 1;
                match (preferred(&oaks), found.missed[0]) {
                    (Some(nearest), 0) => assert_eq!(found.distance, nearest, "{}", why()),
                    (Some(_), missed) => panic!("{missed} missed\n{}", why()),
                    (None, 0) => assert!(found.distance > FARTHEST, "{}", why()),
                    (None, _) => {}
                }
            }
            match repaired {
                Repair::Found(found) => {
                    let after: Deck = (0..SECTIONS.len())
                        .map(|section| {
                            let copies = |card: &Card| {
                                let card: CardId = rulebook.find(&card.name).unwrap();
                                found.deck.copies(section as u16, card)
                            };
                            world.cards.iter().map(copies).collect()
                        })
                        .collect();
                    assert!(
                        world.judge(&after).is_empty(),
                        "not legal: {after:?}\n{}",
                        why()
                    );
                    if found.optimal() {
                        proven += 1;
                        match nearest {
                            Some(nearest) => assert_eq!(found.distance, nearest, "{}", why()),
                            None => {
                                assert!(found.distance > FARTHEST, "{}: {}", found.distance, why())
                            }
                        }
                    }
                    near += usize::from(nearest.is_some());
                }
                Repair::Impossible(_) => {
                    impossible += 1;
                    assert_eq!(nearest, None, "called impossible\n{}", why());
                }
                Repair::Unknown => {
                    open += 1;
                    eprintln!("no answer\n{}", why());
                }
            }
        }
    }
    eprintln!(
        "{proven} proven, {impossible} impossible, {near} within {FARTHEST}, {open} without answer; \
         {certified} claims certified, {uncertified} answers not; {weighed} weighed"
    );
    assert!(weighed > 0);
    assert!(
        uncertified * 20 <= certified,
        "{uncertified} of {certified}"
    );
    assert!(near * 2 > worlds() / 2, "{near} near");
    // Decks and formats are so small that hardly any may be too much work: more is a sign that
    // what was found was not right, and was thrown away.
    assert!(open * 100 <= proven, "{proven} proven, {open} open");
}

/// What is claimed is proven to a checker that knows nothing of it.
fn are_accepted(certificates: &[Certificate], why: &dyn Fn() -> String) {
    let folder = tempfile::tempdir().unwrap();
    for one in certificates {
        let says = checked(&one.instance, &one.proof);
        assert!(says.is_ok(), "{says:?}: {}\n{}", one.claim, why());
        let by_veripb = by_veripb(folder.path(), &one.instance, &one.proof);
        assert_ne!(by_veripb, Some(false), "VeriPB: {}\n{}", one.claim, why());
    }
}

/// The distance of the nearest legal deck, if it is within [`FARTHEST`], found by trying all.
fn nearest(world: &World, deck: &Deck, is: &dyn Fn(&Deck) -> bool) -> Option<i64> {
    (0..=FARTHEST).find(|distance| within(world, (deck, is), &mut deck.clone(), 0, *distance))
}

/// What is asked of a deck besides that it be legal.
type Asked<'a> = &'a dyn Fn(&Deck) -> bool;

/// Whether some legal deck is just so far away, cells from `from` on being free.
fn within(
    world: &World,
    (deck, is): (&Deck, Asked<'_>),
    tried: &mut Deck,
    from: usize,
    left: i64,
) -> bool {
    let cards = world.cards.len();
    if left == 0 {
        return is(tried) && world.judge(tried).is_empty();
    }
    for cell in from..SECTIONS.len() * cards {
        let (section, card) = (cell / cards, cell % cards);
        let held = deck[section][card];
        for by in 1..=left {
            for copies in [held - by, held + by] {
                if copies < 0 {
                    continue;
                }
                tried[section][card] = copies;
                if within(world, (deck, is), tried, cell + 1, left - by) {
                    return true;
                }
            }
        }
        tried[section][card] = held;
    }
    false
}
