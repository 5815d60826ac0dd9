//! Odds by dealing every physical hand and judging it card by card. No binomials, no atoms.

use decklaw::odds::{Fraction, Population};
use decklaw::pool::{Field, FieldKind, Pool, Value};

/// A small generator of random numbers, so that a seed reproduces a failure.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 >> 33) ^ (self.0 >> 17);
        (mixed % bound as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Card {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) suit: &'static str,
    pub(crate) mana: Option<i64>,
}

/// Every card of the pool: name, type, suit, mana.
pub(crate) const CARDS: [Card; 6] = [
    card("Ash", "monster", "red", Some(2)),
    card("Bell", "monster", "blue", Some(1)),
    card("Cinder", "trap", "red", None),
    card("Dune", "trap", "blue", Some(0)),
    card("Elm", "item", "red", Some(3)),
    card("Fern", "item", "", Some(-1)),
];

const fn card(
    name: &'static str,
    kind: &'static str,
    suit: &'static str,
    mana: Option<i64>,
) -> Card {
    Card {
        name,
        kind,
        suit,
        mana,
    }
}

pub(crate) fn pool() -> Pool {
    let open = |name: &str| Field {
        name: name.into(),
        kind: FieldKind::Word {
            values: Vec::<Value>::new(),
            open: true,
        },
    };
    let mana = Field {
        name: "mana".into(),
        kind: FieldKind::Number { min: -9, max: 9 },
    };
    let mut csv = "name,type,suit,mana\n".to_owned();
    for card in CARDS {
        let mana = card.mana.map_or(String::new(), |mana| mana.to_string());
        csv += &format!("{},{},{},{mana}\n", card.name, card.kind, card.suit);
    }
    Pool::read_csv(csv.as_bytes(), &[open("type"), open("suit"), mana]).unwrap()
}

/// A deck of physical cards, and the same as a population.
pub(crate) fn population<'p>(pool: &'p Pool, deck: &[Card]) -> Population<'p> {
    let copies = deck.iter().map(|card| (pool.find(card.name).unwrap(), 1));
    Population::new(pool, copies, 0).unwrap()
}

#[derive(Debug, Clone)]
pub(crate) enum Ask {
    All(Vec<Ask>),
    Any(Vec<Ask>),
    Not(Box<Ask>),
    Some(&'static str, Box<Ask>),
    Different(Vec<(usize, &'static str)>),
    Count(usize, usize, &'static str),
    Sum(Option<&'static str>, &'static str, i64),
}

const GROUPS: [&str; 9] = [
    "",
    "type:monster",
    "type:trap",
    "suit:red",
    "suit:blue",
    "mana>=1",
    "-type:item",
    "\"Ash\"",
    "type:trap or mana:1",
];

fn in_group(card: &Card, group: &str) -> bool {
    match group {
        "" => true,
        "type:monster" => card.kind == "monster",
        "type:trap" => card.kind == "trap",
        "suit:red" => card.suit == "red",
        "suit:blue" => card.suit == "blue",
        "mana>=1" => card.mana.is_some_and(|mana| mana >= 1),
        "-type:item" => card.kind != "item",
        "\"Ash\"" => card.name == "Ash",
        "type:trap or mana:1" => card.kind == "trap" || card.mana == Some(1),
        other => panic!("{other}"),
    }
}

impl Ask {
    pub(crate) fn random(random: &mut Random, depth: usize) -> Ask {
        let leaf = depth == 0;
        match random.below(if leaf { 6 } else { 12 }) {
            0..=3 => {
                let low = random.below(3);
                let high = *random.pick(&[low, low + 1, usize::MAX, usize::MAX]);
                Ask::Count(low, high, random.pick::<&str>(&GROUPS))
            }
            4 => {
                let group = [None, Some("type:monster"), Some("suit:red")];
                let sign = *random.pick::<&str>(&["=", "!=", "<", "<=", ">", ">="]);
                Ask::Sum(
                    *random.pick::<Option<&str>>(&group),
                    sign,
                    random.below(6) as i64 - 1,
                )
            }
            5 => {
                let count = 1 + random.below(3);
                let counts =
                    (0..count).map(|_| (1 + random.below(2), *random.pick::<&str>(&GROUPS)));
                Ask::Different(counts.collect())
            }
            6 | 7 => Ask::All(Ask::some(random, depth)),
            8 | 9 => Ask::Any(Ask::some(random, depth)),
            10 => Ask::Not(Box::new(Ask::random(random, depth - 1))),
            _ => {
                let field = *random.pick::<&str>(&["suit", "type", "mana", "name"]);
                Ask::Some(field, Box::new(Ask::random(random, depth - 1)))
            }
        }
    }

    fn some(random: &mut Random, depth: usize) -> Vec<Ask> {
        let count = 2 + random.below(2);
        (0..count).map(|_| Ask::random(random, depth - 1)).collect()
    }

    pub(crate) fn text(&self) -> String {
        let joined = |parts: &[Ask], word: &str| {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| format!("({})", part.text()))
                .collect();
            parts.join(word)
        };
        match self {
            Ask::All(parts) => joined(parts, " and "),
            Ask::Any(parts) => joined(parts, " or "),
            Ask::Not(part) => format!("not ({})", part.text()),
            Ask::Some(field, part) => format!("some {field} ({})", part.text()),
            Ask::Different(counts) => {
                let counts: Vec<String> = counts
                    .iter()
                    .map(|(low, group)| format!("{low}+ [{group}]"))
                    .collect();
                format!("different({})", counts.join(", "))
            }
            Ask::Count(0, 0, group) => format!("no [{group}]"),
            Ask::Count(low, usize::MAX, group) => format!("{low}+ [{group}]"),
            Ask::Count(0, high, group) => format!("{high}- [{group}]"),
            Ask::Count(low, high, group) if low == high => format!("{low} [{group}]"),
            Ask::Count(low, high, group) => format!("{low}..{high} [{group}]"),
            Ask::Sum(None, sign, number) => format!("sum(mana) {sign} {number}"),
            Ask::Sum(Some(group), sign, number) => format!("sum(mana) [{group}] {sign} {number}"),
        }
    }

    /// Whether it holds of a hand from a deck.
    pub(crate) fn holds(&self, hand: &[Card], deck: &[Card]) -> bool {
        match self {
            Ask::All(parts) => parts.iter().all(|part| part.holds(hand, deck)),
            Ask::Any(parts) => parts.iter().any(|part| part.holds(hand, deck)),
            Ask::Not(part) => !part.holds(hand, deck),
            // The narrowed groups see only the cards that have the value.
            Ask::Some(field, part) => {
                let value = |card: &Card| match *field {
                    "suit" => card.suit.to_owned(),
                    "type" => card.kind.to_owned(),
                    "name" => card.name.to_owned(),
                    _ => card.mana.map_or(String::new(), |mana| mana.to_string()),
                };
                let mut values: Vec<String> = deck.iter().map(value).collect();
                values.sort();
                values.dedup();
                values
                    .iter()
                    .filter(|wanted| !wanted.is_empty())
                    .any(|wanted| {
                        let narrowed: Vec<Card> = hand
                            .iter()
                            .copied()
                            .filter(|card| value(card) == *wanted)
                            .collect();
                        part.holds(&narrowed, deck)
                    })
            }
            Ask::Different(counts) => {
                let places: Vec<&str> = counts
                    .iter()
                    .flat_map(|(low, group)| vec![*group; *low])
                    .collect();
                assign(&places, hand, &mut vec![false; hand.len()])
            }
            Ask::Count(low, high, group) => {
                let count = hand.iter().filter(|card| in_group(card, group)).count();
                (*low..=*high).contains(&count)
            }
            Ask::Sum(group, sign, number) => {
                let cards = hand
                    .iter()
                    .filter(|card| group.is_none_or(|group| in_group(card, group)));
                let sum: i64 = cards.filter_map(|card| card.mana).sum();
                match *sign {
                    "=" => sum == *number,
                    "!=" => sum != *number,
                    "<" => sum < *number,
                    "<=" => sum <= *number,
                    ">" => sum > *number,
                    _ => sum >= *number,
                }
            }
        }
    }
}

/// Whether each place gets a card of its own.
fn assign(places: &[&str], hand: &[Card], used: &mut Vec<bool>) -> bool {
    let Some((first, others)) = places.split_first() else {
        return true;
    };
    (0..hand.len()).any(|at| {
        if used[at] || !in_group(&hand[at], first) {
            return false;
        }
        used[at] = true;
        let rest = assign(others, hand, used);
        used[at] = false;
        rest
    })
}

/// Every choice of `size` out of the cards of a set, sets being bits.
pub(crate) fn subsets(cards: u32, size: u32) -> Vec<u32> {
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

pub(crate) fn cards(deck: &[Card], set: u32) -> Vec<Card> {
    (0..deck.len())
        .filter(|at| set >> at & 1 == 1)
        .map(|at| deck[at])
        .collect()
}

/// A fraction of machine words, reduced as it grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio(pub(crate) u128, pub(crate) u128);

impl Ratio {
    fn reduced(self) -> Ratio {
        let (mut a, mut b) = (self.0, self.1);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Ratio(self.0 / a.max(1), self.1 / a.max(1))
    }

    pub(crate) fn less(self, other: Ratio) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    pub(crate) fn plus(self, other: Ratio) -> Ratio {
        Ratio(self.0 * other.1 + other.0 * self.1, self.1 * other.1).reduced()
    }

    pub(crate) fn mean(values: impl Iterator<Item = Ratio>) -> Ratio {
        let (mut sum, mut count) = (Ratio(0, 1), 0);
        for value in values {
            sum = sum.plus(value);
            count += 1;
        }
        Ratio(sum.0, sum.1 * count.max(1)).reduced()
    }

    pub(crate) fn same(self, other: &Fraction) -> bool {
        let reduced = self.reduced();
        let text = if reduced.0 == 0 {
            "0/1".to_owned()
        } else {
            format!("{}/{}", reduced.0, reduced.1)
        };
        text == other.to_string()
    }
}

/// How a hand is kept, in the oracle's terms.
pub(crate) struct Game<'g> {
    pub(crate) deck: &'g [Card],
    pub(crate) hand: u32,
    pub(crate) aside: bool,
    pub(crate) limit: usize,
    pub(crate) bottom: &'g [u32],
    /// `None`: whatever is best.
    pub(crate) keep: Option<&'g Ask>,
    pub(crate) goal: &'g Ask,
    pub(crate) draws: u32,
    /// The group of a total: the cards that add least to it are bottomed, not the best for `goal`.
    pub(crate) total: Option<Option<&'g str>>,
}

impl Game<'_> {
    fn all(&self) -> u32 {
        (1 << self.deck.len()) - 1
    }

    pub(crate) fn odds(&self, given: Option<&Ask>) -> Option<Ratio> {
        let mut values = Vec::new();
        for hand in subsets(self.all(), self.hand) {
            if given.is_none_or(|given| given.holds(&cards(self.deck, hand), self.deck)) {
                values.push(self.value(hand, 0));
            }
        }
        (!values.is_empty()).then(|| Ratio::mean(values.into_iter()))
    }

    fn value(&self, hand: u32, taken: usize) -> Ratio {
        if taken == self.limit {
            return self.kept(hand, taken);
        }
        match self.keep {
            Some(keep) if keep.holds(&cards(self.deck, hand), self.deck) => self.kept(hand, taken),
            Some(_) => self.again(hand, taken),
            None => {
                let (kept, again) = (self.kept(hand, taken), self.again(hand, taken));
                if kept.less(again) { again } else { kept }
            }
        }
    }

    fn again(&self, hand: u32, taken: usize) -> Ratio {
        let from = if self.aside {
            self.all() & !hand
        } else {
            self.all()
        };
        let next = subsets(from, self.hand);
        Ratio::mean(next.into_iter().map(|next| self.value(next, taken + 1)))
    }

    fn kept(&self, hand: u32, taken: usize) -> Ratio {
        let mut bottoms = subsets(hand, self.bottom[taken]);
        if let Some(group) = self.total {
            let adds = |set: &u32| -> i64 {
                let cards = cards(self.deck, *set).into_iter();
                let cards = cards.filter(|card| group.is_none_or(|group| in_group(card, group)));
                cards.filter_map(|card| card.mana).sum()
            };
            bottoms.sort_by_key(adds);
            bottoms.truncate(1);
        }
        let mut best = Ratio(0, 1);
        for bottom in bottoms {
            let draws = subsets(self.all() & !hand, self.draws);
            let found = Ratio::mean(draws.into_iter().map(|drawn| {
                let holds = self
                    .goal
                    .holds(&cards(self.deck, hand & !bottom | drawn), self.deck);
                Ratio(u128::from(holds), 1)
            }));
            if best.less(found) {
                best = found;
            }
        }
        best
    }
}
