//! Odds against dealing every physical hand: no binomials and no classes of cards. A set of cards
//! is a word of bits, one for each card of the deck.

use super::queries::{Fields, compares, deep, simple};
use super::random::Random;
use super::rules::csv;
use super::world::{Card, Query, fold};
use decklaw::odds::{self, *};
use decklaw::pool::{Field, FieldKind, NameField, Pool};
use std::collections::BTreeSet;
use std::rc::Rc;

const FIELDS: Fields = Fields {
    words: &[("type", &["monster", "trap", "item"]), ("suit", &["red", "blue", "gold"])],
    number: "mana",
    parts: &["e", "l", "AS", "zz"],
    names: &["Ash", "BELL", "and", "Nobody"],
};

/// A hand may not ask for a card that there is not.
const IN_HANDS: Fields = Fields { names: &["Ash", "BELL"], ..FIELDS };

/// Name, type, suit and mana.
const CARDS: [[&str; 4]; 6] = [
    ["Ash", "monster", "red", "2"],
    ["Bell", "monster", "blue", "1"],
    ["Cinder", "trap", "red", ""],
    ["Dune", "trap", "blue", "0"],
    ["Elm", "item", "red", "3"],
    ["Fern", "item", "", "-1"],
];

fn cards() -> Vec<Card> {
    let columns = ["type", "suit", "mana"].map(str::to_owned);
    let card = |[name, cells @ ..]: [&str; 4]| Card {
        name: name.to_owned(),
        cells: columns.iter().cloned().zip(cells.map(str::to_owned)).collect(),
        ..Card::default()
    };
    CARDS.into_iter().map(card).collect()
}

fn pool() -> Pool {
    let field = |name: &str, kind: FieldKind| Field { name: name.into(), kind };
    let open = || FieldKind::Word { values: vec![], open: true };
    let number = FieldKind::Number { min: -9, max: 9 };
    let fields = [field("type", open()), field("suit", open()), field("mana", number)];
    Pool::read_csv(csv(&["type", "suit", "mana"], &cards()).as_bytes(), &fields).unwrap()
}

/// A deck of physical cards.
struct Table(Vec<Card>);

impl Table {
    fn random(random: &mut Random, size: usize) -> Table {
        let cards = cards();
        Table((0..size).map(|_| random.pick(&cards)).collect())
    }

    fn all(&self) -> u32 {
        (1 << self.0.len()) - 1
    }

    fn set(&self, is: impl Fn(&Card) -> bool) -> u32 {
        let cards = self.0.iter().enumerate().filter(|(_, card)| is(card));
        cards.map(|(at, _)| 1 << at).sum()
    }

    fn population<'p>(&self, pool: &'p Pool) -> Population<'p> {
        let copies = self
            .0
            .iter()
            .map(|card| (pool.look_up(&card.name, NameField::Name).card().unwrap(), 1));
        Population::new(pool, copies, 0).unwrap()
    }
}

/// A question: its text, and whether a hand satisfies it.
#[derive(Clone)]
struct Ask {
    text: String,
    holds: Rc<dyn Fn(u32) -> bool>,
}

impl Ask {
    fn new(text: String, holds: impl Fn(u32) -> bool + 'static) -> Ask {
        Ask { text, holds: Rc::new(holds) }
    }

    fn query(&self) -> HandQuery {
        HandQuery::parse(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.text))
    }

    fn random(random: &mut Random, table: &Table, depth: usize) -> Ask {
        let group = |random: &mut Random| {
            let query = if random.percent(20) { Query::all() } else { simple(&IN_HANDS, random) };
            (table.set(|card| query.picks(card)), query.text)
        };
        match random.below(if depth == 0 { 6 } else { 12 }) {
            0..=3 => {
                let (set, group) = group(random);
                let low = random.below(3) as u32;
                let high = random.pick(&[low, low + 1, u32::MAX, u32::MAX]);
                let counted = match (low, high) {
                    (0, 0) => "no".to_owned(),
                    (_, u32::MAX) => format!("{low}+"),
                    (0, _) => format!("{high}-"),
                    _ if low == high => low.to_string(),
                    _ => format!("{low}..{high}"),
                };
                Ask::new(format!("{counted} [{group}]"), move |hand| {
                    (low..=high).contains(&(hand & set).count_ones())
                })
            }
            4 => {
                let (set, group) = group(random);
                let sign = random.pick(&["=", "!=", "<", "<=", ">", ">="]);
                let least = random.below(6) as i64 - 1;
                let group = if group.is_empty() { group } else { format!(" [{group}]") };
                Ask::new(format!("sum(mana){group} {sign} {least}"), mana(table, set, sign, least))
            }
            5 => {
                let places: Vec<(u32, String, usize)> = (0..1 + random.below(3))
                    .map(|_| {
                        let (set, group) = group(random);
                        (set, group, 1 + random.below(2))
                    })
                    .collect();
                let texts: Vec<String> =
                    places.iter().map(|(_, group, low)| format!("{low}+ [{group}]")).collect();
                let sets: Vec<u32> =
                    places.iter().flat_map(|(set, _, low)| vec![*set; *low]).collect();
                Ask::new(format!("different({})", texts.join(", ")), move |hand| {
                    assigned(&sets, hand)
                })
            }
            kind @ 6..=9 => {
                let all = kind < 8;
                let parts: Vec<Ask> = (0..2 + random.below(2))
                    .map(|_| Ask::random(random, table, depth - 1))
                    .collect();
                let texts: Vec<String> =
                    parts.iter().map(|part| format!("({})", part.text)).collect();
                Ask::new(texts.join(if all { " and " } else { " or " }), move |hand| {
                    let mut each = parts.iter().map(|part| (part.holds)(hand));
                    if all { each.all(|holds| holds) } else { each.any(|holds| holds) }
                })
            }
            10 => {
                let part = Ask::random(random, table, depth - 1);
                Ask::new(format!("not ({})", part.text), move |hand| !(part.holds)(hand))
            }
            _ => {
                let field = random.pick(&["suit", "type", "mana", "name"]);
                let part = Ask::random(random, table, depth - 1);
                let values: BTreeSet<String> =
                    table.0.iter().flat_map(|card| card.words(field)).collect();
                let sets: Vec<u32> =
                    values.iter().map(|value| table.set(|card| card.has(field, value))).collect();
                Ask::new(format!("some {field} ({})", part.text), move |hand| {
                    sets.iter().any(|set| (part.holds)(hand & set))
                })
            }
        }
    }
}

fn mana(table: &Table, set: u32, sign: &'static str, least: i64) -> impl Fn(u32) -> bool + 'static {
    let each: Vec<i64> = table.0.iter().map(|card| card.number("mana").unwrap_or(0)).collect();
    move |hand| {
        let held = (0..each.len()).filter(|at| (hand & set) >> at & 1 == 1);
        compares(sign, held.map(|at| each[at]).sum(), least)
    }
}

/// Whether each place gets a card of its own.
fn assigned(places: &[u32], hand: u32) -> bool {
    let Some((first, others)) = places.split_first() else {
        return true;
    };
    let cards = (0..u32::BITS).map(|at| 1 << at).filter(|card| hand & first & card != 0);
    cards.into_iter().any(|card| assigned(others, hand & !card))
}

/// Every choice of `size` out of a set of cards.
fn subsets(cards: u32, size: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut part = cards;
    loop {
        if part.count_ones() == size {
            found.push(part);
        }
        if part == 0 {
            return found;
        }
        part = (part - 1) & cards;
    }
}

/// A fraction of machine words, reduced as it grows.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ratio(u128, u128);

impl Ratio {
    fn reduced(self) -> Ratio {
        let (mut a, mut b) = (self.0, self.1);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Ratio(self.0 / a.max(1), self.1 / a.max(1))
    }

    fn less(self, other: Ratio) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    fn plus(self, other: Ratio) -> Ratio {
        Ratio(self.0 * other.1 + other.0 * self.1, self.1 * other.1).reduced()
    }

    fn mean(values: impl Iterator<Item = Ratio>) -> Ratio {
        let (sum, count) =
            values.fold((Ratio(0, 1), 0), |(sum, count), value| (sum.plus(value), count + 1));
        Ratio(sum.0, sum.1 * count.max(1)).reduced()
    }

    fn is(self, fraction: &Fraction) -> bool {
        let Ratio(one, other) = self.reduced();
        fraction.to_string() == format!("{one}/{}", if one == 0 { 1 } else { other })
    }
}

/// How hands are drawn and kept.
#[derive(Clone)]
struct Game {
    all: u32,
    hand: u32,
    aside: bool,
    limit: usize,
    bottom: Vec<u32>,
    /// `None`: whatever is best.
    keep: Option<Ask>,
    given: Option<Ask>,
    draws: u32,
    /// What a total adds for each card: the cards that add least go to the bottom.
    total: Option<Vec<i64>>,
}

impl Game {
    fn random(random: &mut Random, table: &Table, hand: u32) -> Game {
        let limit = random.below(3);
        let left = (table.0.len() as u32 - hand).min(3);
        Game {
            all: table.all(),
            hand,
            aside: random.percent(50),
            limit,
            bottom: (0..=limit).map(|_| random.below(1 + hand.min(1) as usize) as u32).collect(),
            keep: None,
            given: random.percent(25).then(|| Ask::random(random, table, 1)),
            draws: random.below(1 + left.min(2) as usize) as u32,
            total: None,
        }
    }

    fn request(&self, keep: Keep, turns: Vec<(u32, u32)>) -> Request {
        let mulligan = if self.aside { Mulligan::Aside } else { Mulligan::Shuffle };
        Request {
            hand: self.hand,
            policy: Policy {
                mulligan,
                limit: self.limit as u32,
                bottom: self.bottom.clone(),
                keep,
            },
            given: self.given.as_ref().map(Ask::query),
            draws: self.draws,
            turns,
            work: DEFAULT_WORK,
            memory: DEFAULT_MEMORY,
        }
    }

    fn odds(&self, goal: &Ask) -> Option<Ratio> {
        let mut hands = subsets(self.all, self.hand);
        hands.retain(|hand| self.given.as_ref().is_none_or(|given| (given.holds)(*hand)));
        (!hands.is_empty())
            .then(|| Ratio::mean(hands.into_iter().map(|hand| self.value(goal, hand, 0))))
    }

    fn value(&self, goal: &Ask, hand: u32, taken: usize) -> Ratio {
        let kept = || self.kept(goal, hand, taken);
        let again = || {
            let from = if self.aside { self.all & !hand } else { self.all };
            let next = subsets(from, self.hand).into_iter();
            Ratio::mean(next.map(|next| self.value(goal, next, taken + 1)))
        };
        match &self.keep {
            _ if taken == self.limit => kept(),
            Some(keep) if (keep.holds)(hand) => kept(),
            Some(_) => again(),
            None => {
                let (kept, again) = (kept(), again());
                if kept.less(again) { again } else { kept }
            }
        }
    }

    fn kept(&self, goal: &Ask, hand: u32, taken: usize) -> Ratio {
        let mut bottoms = subsets(hand, self.bottom[taken]);
        if let Some(adds) = &self.total {
            let sum = |set: &u32| -> i64 {
                (0..adds.len()).filter(|at| set >> at & 1 == 1).map(|at| adds[at]).sum()
            };
            bottoms.sort_by_key(sum);
            bottoms.truncate(1);
        }
        bottoms.into_iter().fold(Ratio(0, 1), |best, bottom| {
            let draws = subsets(self.all & !hand, self.draws).into_iter();
            let found = Ratio::mean(
                draws.map(|drawn| Ratio(u128::from((goal.holds)(hand & !bottom | drawn)), 1)),
            );
            if best.less(found) { found } else { best }
        })
    }
}

#[test]
fn every_hand_size_agrees_with_dealing_every_hand() {
    let pool = pool();
    for seed in 0..2000 {
        let random = &mut Random::new(&format!("hand {seed}"));
        let size = 4 + random.below(5);
        let table = Table::random(random, size);
        let ask = Ask::random(random, &table, 3);
        let request = Request {
            turns: (0..=size as u32).map(|drawn| (drawn, drawn)).collect(),
            ..Request::without_mulligan(0)
        };
        let answer = odds::ask(&table.population(&pool), &ask.query(), &request).unwrap();
        assert_eq!(answer.turns.len(), size + 1);
        for turn in &answer.turns {
            let hands = subsets(table.all(), turn.seen).into_iter();
            let slow = Ratio::mean(hands.map(|hand| Ratio(u128::from((ask.holds)(hand)), 1)));
            assert!(slow.is(&turn.value), "seed {seed}: {} {turn:?} {slow:?}", ask.text);
        }
    }
}

#[test]
fn mulligans_agree_with_dealing_every_hand() {
    let pool = pool();
    for seed in 0..400 {
        let random = &mut Random::new(&format!("mulligan {seed}"));
        let hand = random.below(3) as u32;
        // Hands that are set aside need cards for the next ones.
        let size = (3 * hand as usize).max(2) + random.below(2);
        let table = Table::random(random, size);
        let (goal, keep) = (Ask::random(random, &table, 2), Ask::random(random, &table, 1));
        let mut game = Game::random(random, &table, hand);
        let how = random.below(3);
        game.keep = [None, Some(goal.clone()), Some(keep.clone())][how].clone();
        let request = game.request(
            [Keep::Best, Keep::Goal, Keep::Query(keep.query())][how].clone(),
            vec![(1, 0), (2, 1.min(size as u32 - hand))],
        );
        let answer = odds::ask(&table.population(&pool), &goal.query(), &request);
        let Some(slow) = game.odds(&goal) else {
            assert!(matches!(answer, Err(OddsError::NoHand(_))), "seed {seed}");
            continue;
        };
        let answer = answer.unwrap();
        let what = format!("seed {seed}: {} {request:?}", goal.text);
        assert!(slow.is(&answer.value), "{what}, {slow:?} {:?}", answer.value);
        for turn in &answer.turns {
            game.draws = turn.seen - hand;
            assert!(game.odds(&goal).unwrap().is(&turn.value), "{what}, turn {turn:?}");
        }
        if let Some(best) = &answer.best {
            (game.draws, game.limit) = (request.draws, 0);
            assert!(game.odds(&goal).unwrap().is(&best.never), "{what}");
        }
    }
}

#[test]
fn paths_agree_with_dealing_in_order() {
    let pool = pool();
    for seed in 0..100 {
        let random = &mut Random::new(&format!("path {seed}"));
        let size = 5 + random.below(3);
        let table = Table::random(random, size);
        let (first, second) = (Ask::random(random, &table, 2), Ask::random(random, &table, 2));
        let few = 1 + random.below(2) as u32;
        let more = few + 1 + random.below(2) as u32;
        let path = Path::parse(&format!("{few}: {}; {more}: {}", first.text, second.text)).unwrap();
        let hands = subsets(table.all(), few).into_iter().flat_map(|hand| {
            let later = subsets(table.all() & !hand, more - few).into_iter();
            later.map(move |drawn| (hand, hand | drawn))
        });
        let slow = Ratio::mean(hands.map(|(hand, later)| {
            Ratio(u128::from((first.holds)(hand) && (second.holds)(later)), 1)
        }));
        let fast = path.likelihood(&table.population(&pool), DEFAULT_WORK, DEFAULT_MEMORY).unwrap();
        assert!(slow.is(&fast), "seed {seed}: {} {slow:?} {fast}", path.text());
    }
}

#[test]
fn totals_agree_and_add_up_to_one() {
    let pool = pool();
    for seed in 0..60 {
        let random = &mut Random::new(&format!("total {seed}"));
        let hand = 1 + random.below(2) as u32;
        let size = 3 * hand as usize + random.below(3);
        let table = Table::random(random, size);
        let keep = Ask::random(random, &table, 1);
        let mut game = Game::random(random, &table, hand);
        let request = game.request(Keep::Query(keep.query()), vec![(1, 0), (2, game.draws + 1)]);
        game.keep = Some(keep);
        let (text, set) = random.pick(&[
            ("sum(mana)", table.all()),
            ("sum(mana) [suit:red]", table.set(|card| card.has("suit", "red"))),
        ]);
        let adds = table.0.iter().enumerate().map(|(at, card)| match set >> at & 1 {
            0 => 0,
            _ => card.number("mana").unwrap_or(0),
        });
        game.total = Some(adds.collect());
        let total = TotalQuery::parse(text).unwrap();
        let Ok(answer) = odds::ask_total(&table.population(&pool), &total, &request) else {
            continue;
        };
        let turns = answer.turns.iter().map(|turn| (turn.seen - hand, &turn.value));
        for (draws, found) in turns.chain([(request.draws, &answer.value)]) {
            game.draws = draws;
            let mut sum = Ratio(0, 1);
            for (value, fraction) in &found.values {
                let goal = Ask::new(String::new(), mana(&table, set, "=", *value as i64));
                let slow = game.odds(&goal).unwrap();
                assert!(slow.is(fraction), "seed {seed}: {value} {fraction} {slow:?}");
                sum = sum.plus(slow);
            }
            assert_eq!(sum.0, sum.1, "seed {seed}: the distribution adds up to 1");
        }
    }
}

/// A rule of the best hands is read by `--keep-hand` and makes the goal as likely; a group has just
/// the cards of its atom.
#[test]
fn the_best_rule_of_random_questions_is_one_that_keep_reads() {
    let pool = pool();
    let mut rules = 0;
    for seed in 0..600 {
        let random = &mut Random::new(&format!("rule {seed}"));
        let size = 9 + random.below(12);
        let table = Table::random(random, size);
        let goal = Ask::random(random, &table, 3);
        let hand = 2 + random.below(3) as u32;
        let mut game = Game::random(random, &table, hand);
        (game.limit, game.given) = (1 + random.below(2), None);
        game.bottom = vec![0, random.below(2) as u32];
        let request = game.request(Keep::Best, vec![]);
        let population = table.population(&pool);
        let Ok(answer) = odds::ask(&population, &goal.query(), &request) else {
            continue;
        };
        let what = format!("seed {seed}: {}", goal.text);
        for atom in answer.work.iter().flat_map(|work| &work.atoms).filter(|atom| atom.is_group) {
            let all = HandQuery::parse(&format!("{} {}", atom.copies, atom.label)).unwrap();
            let whole = Request::without_mulligan(population.size());
            let found = odds::ask(&population, &all, &whole).unwrap();
            assert_eq!(found.value.to_string(), "1/1", "{what}: {}", atom.label);
        }
        let best = answer.best.iter().flat_map(|best| &best.rule);
        let queries: Option<Vec<&str>> = best.map(KeepRule::query).collect();
        let same = |all: &Vec<&str>| !all.is_empty() && all.windows(2).all(|two| two[0] == two[1]);
        if let Some(queries) = queries.filter(same) {
            let keep =
                HandQuery::parse(queries[0]).unwrap_or_else(|error| panic!("{what}: {error}"));
            let again = game.request(Keep::Query(keep), vec![]);
            let again = odds::ask(&population, &goal.query(), &again).unwrap();
            assert_eq!(again.value, answer.value, "{what}: {}", queries[0]);
            rules += 1;
        }
    }
    assert!(rules >= 300, "{rules}");
}

#[test]
fn random_card_queries_pick_what_a_look_at_each_card_does() {
    let pool = pool();
    for seed in 0..20_000 {
        let random = &mut Random::new(&format!("query {seed}"));
        let slow = deep(&FIELDS, random, 3);
        let text = &slow.text;
        let query =
            decklaw::query::Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let picked = query.select(&pool).unwrap();
        let again = decklaw::query::Query::parse(&query.to_string()).unwrap();
        assert_eq!(picked, again.select(&pool).unwrap(), "{text} is not {query}");
        for card in cards() {
            let found = picked.has(pool.look_up(&card.name, NameField::Name).card().unwrap());
            assert_eq!(found, slow.picks(&card), "seed {seed}: {text}: {}", card.name);
        }
        // A condition that picks nothing has a reason.
        let leaf = !text.contains(['(', ' ', '-']) && fold(text) == text.to_lowercase();
        assert!(!leaf || !picked.is_empty() || !query.remarks(&pool).is_empty(), "{text}");
    }
}
