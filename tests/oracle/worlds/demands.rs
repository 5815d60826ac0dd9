//! Demands in the language of rules, at random: how they are written, and what they mean, as loops
//! over the cards of a deck.

use super::judge::Table;
use super::{KINDS, Query, SECTIONS, TRAITS};
use crate::random::Random;
use std::collections::BTreeSet;

/// A number of the deck.
#[derive(Debug, Clone)]
pub(crate) enum Number {
    Whole(i64),
    /// Copies in some sections, in all without any.
    Copies(Vec<usize>, Query),
    Over(&'static str, &'static str, Vec<usize>, Query),
    /// Copies, or a sum of costs, of cards that agree with a hero.
    Agreeing(bool, Vec<usize>, &'static str),
    /// Of the card that the demand is about.
    Own(&'static str),
    /// Plus the second, or less it.
    Add(Box<Number>, bool, Box<Number>),
    Times(i64, Box<Number>),
    Div(Box<Number>, i64),
    Least(Box<Number>, Box<Number>),
    Greatest(Box<Number>, Box<Number>),
}

#[derive(Debug, Clone)]
pub(crate) enum Formula {
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
    Some(&'static str, Box<Formula>),
    Compare(Number, &'static str, Number),
    /// From the first to the second to the third.
    Chain(i64, Number, i64),
    Count(u32, Option<u32>, Vec<usize>, Query),
    There(Vec<usize>, Query),
}

#[derive(Debug, Clone)]
pub(crate) struct Demand {
    pub(crate) each: Option<&'static str>,
    pub(crate) formula: Formula,
}

fn sections(random: &mut Random) -> Vec<usize> {
    let all = [vec![], vec![0], vec![1], vec![1], vec![2], vec![1, 2]];
    random.pick(&all).clone()
}

impl Number {
    fn random(random: &mut Random, own: bool, depth: usize) -> Number {
        let inner = |random: &mut Random| Box::new(Number::random(random, own, depth + 1));
        let field = |random: &mut Random| *random.pick(&["cost", "limit"]);
        match random.below(if depth > 1 { 6 } else { 12 }) {
            0 => Number::Whole(random.below(6) as i64),
            1 | 2 => Number::Copies(sections(random), Query::random(random)),
            3 => Number::Over(
                "sum",
                field(random),
                sections(random),
                Query::random(random),
            ),
            4 => {
                let over = *random.pick(&["highest", "lowest", "different"]);
                let field = match over {
                    "different" => *random.pick(&["kind", "traits", "cost", "title", "name"]),
                    _ => field(random),
                };
                Number::Over(over, field, sections(random), Query::random(random))
            }
            5 if random.percent(35) => {
                let query = *random.pick(&AGREEING);
                Number::Agreeing(random.percent(30), sections(random), query)
            }
            5 if own => Number::Own("limit"),
            5 => Number::Whole(random.below(4) as i64),
            6 | 7 => Number::Add(inner(random), random.percent(40), inner(random)),
            8 => Number::Times(random.below(5) as i64 - 1, inner(random)),
            9 => Number::Div(inner(random), 1 + random.below(3) as i64),
            10 => Number::Least(inner(random), inner(random)),
            _ => Number::Greatest(inner(random), inner(random)),
        }
    }

    fn text(&self) -> String {
        match self {
            Number::Whole(number) => number.to_string(),
            Number::Copies(sections, query) => place(sections, query),
            Number::Over(over, field, sections, query) => {
                let of = match sections.is_empty() {
                    true => String::new(),
                    false => format!(" of {}", joined(sections)),
                };
                let group = match query {
                    Query::All => String::new(),
                    query => format!(" [{}]", query.text()),
                };
                format!("{over}({field}){of}{group}")
            }
            Number::Agreeing(sum, sections, query) => {
                let of = match (sections.is_empty(), sum) {
                    (true, _) => String::new(),
                    (false, true) => format!(" of {}", joined(sections)),
                    (false, false) => format!("{} ", joined(sections)),
                };
                match sum {
                    true => format!("sum(cost){of} [{query}]"),
                    false => format!("{of}[{query}]"),
                }
            }
            Number::Own(field) => format!("card.{field}"),
            Number::Add(one, true, other) => format!("{} - ({})", one.text(), other.text()),
            Number::Add(one, false, other) => format!("{} + {}", one.text(), other.text()),
            Number::Times(by, number) => format!("{by} * ({})", number.text()),
            Number::Div(number, by) => format!("({}) / {by}", number.text()),
            Number::Least(one, other) => format!("min({}, {})", one.text(), other.text()),
            Number::Greatest(one, other) => format!("max({}, {})", one.text(), other.text()),
        }
    }

    /// `None`: the card has no such number, and nothing is demanded of it.
    fn of(&self, table: &Table<'_>, among: &BTreeSet<usize>, own: Option<usize>) -> Option<i64> {
        let held = |sections: &[usize], query: &Query| -> Vec<(usize, i64)> {
            let picked = |card: &&usize| query.picks(&table.world.cards[**card]);
            let all = among.iter().filter(picked);
            all.map(|card| (*card, copies(table, sections, *card)))
                .filter(|(_, copies)| *copies > 0)
                .collect()
        };
        Some(match self {
            Number::Whole(number) => *number,
            Number::Copies(sections, query) => {
                held(sections, query).iter().map(|(_, copies)| copies).sum()
            }
            Number::Over(over, field, sections, query) => {
                let held = held(sections, query);
                let numbers = held
                    .iter()
                    .filter_map(|(card, _)| table.field(*card, field));
                match *over {
                    "sum" => held
                        .iter()
                        .map(|(card, copies)| table.field(*card, field).unwrap_or(0) * copies)
                        .sum(),
                    "highest" => numbers.max().unwrap_or(0),
                    "lowest" => numbers.min().unwrap_or(0),
                    _ => {
                        let values = held
                            .iter()
                            .flat_map(|(card, _)| values(table, *card, field));
                        values.collect::<BTreeSet<String>>().len() as i64
                    }
                }
            }
            Number::Agreeing(sum, sections, query) => {
                let agreeing = among.iter().filter(|card| agrees(table, **card, query));
                let count = |card: &usize| {
                    let each = if *sum {
                        table.field(*card, "cost").unwrap_or(0)
                    } else {
                        1
                    };
                    each * copies(table, sections, *card)
                };
                agreeing.map(count).sum()
            }
            Number::Own(field) => table.field(own.unwrap(), field)?,
            Number::Add(one, off, other) => {
                let (one, other) = (one.of(table, among, own)?, other.of(table, among, own)?);
                if *off { one - other } else { one + other }
            }
            Number::Times(by, number) => by * number.of(table, among, own)?,
            Number::Div(number, by) => {
                (number.of(table, among, own)? as f64 / *by as f64).floor() as i64
            }
            Number::Least(one, other) => {
                one.of(table, among, own)?.min(other.of(table, among, own)?)
            }
            Number::Greatest(one, other) => {
                one.of(table, among, own)?.max(other.of(table, among, own)?)
            }
        })
    }
}

/// Queries that name what heroes say.
const AGREEING: [&str; 6] = [
    "kind:$hero.kind",
    "-kind:$hero.kind",
    "traits:$hero.traits",
    "cost<=$hero.limit",
    "kind!=$hero.kind or traits:sun",
    "kind:oak -(traits:$hero.traits cost>=$hero.cost)",
];

/// Whether such a query picks a card, by the heroes that the deck has.
fn agrees(table: &Table<'_>, card: usize, query: &str) -> bool {
    let heroes = (0..table.world.cards.len()).filter(|hero| table.copies(&[0], *hero) > 0);
    let heroes: Vec<usize> = heroes.collect();
    let share = |field: &str| {
        let own = values(table, card, field);
        heroes
            .iter()
            .any(|hero| !values(table, *hero, field).is_disjoint(&own))
    };
    let compares = |test: &dyn Fn(i64, i64) -> bool, field: &str| {
        let own = table.field(card, "cost");
        let said = heroes.iter().filter_map(|hero| table.field(*hero, field));
        own.is_some_and(|own| said.into_iter().any(|said| test(own, said)))
    };
    let has = |field: &str, word: &str| values(table, card, field).contains(word);
    match query {
        "kind:$hero.kind" => share("kind"),
        "-kind:$hero.kind" => !share("kind"),
        "traits:$hero.traits" => share("traits"),
        "cost<=$hero.limit" => compares(&|own, said| own <= said, "limit"),
        "kind!=$hero.kind or traits:sun" => {
            (!values(table, card, "kind").is_empty() && !share("kind")) || has("traits", "sun")
        }
        "kind:oak -(traits:$hero.traits cost>=$hero.cost)" => {
            has("kind", "oak") && !(share("traits") && compares(&|own, said| own >= said, "cost"))
        }
        other => panic!("{other}"),
    }
}

fn copies(table: &Table<'_>, sections: &[usize], card: usize) -> i64 {
    match sections {
        [] => table.copies(&[0, 1, 2], card),
        some => table.copies(some, card),
    }
}

/// What a card has in a field.
fn values(table: &Table<'_>, card: usize, field: &str) -> BTreeSet<String> {
    table.keys(card, &[field])
}

fn joined(sections: &[usize]) -> String {
    let names: Vec<&str> = sections.iter().map(|section| SECTIONS[*section]).collect();
    names.join("+")
}

fn place(sections: &[usize], query: &Query) -> String {
    match (sections, query) {
        ([], query) => format!("[{}]", query.text()),
        (some, Query::All) => joined(some),
        (some, query) => format!("{} [{}]", joined(some), query.text()),
    }
}

impl Formula {
    fn random(random: &mut Random, own: bool, depth: usize) -> Formula {
        let parts = |random: &mut Random| -> Vec<Formula> {
            (0..2)
                .map(|_| Formula::random(random, own, depth + 1))
                .collect()
        };
        match random.below(if depth > 1 { 6 } else { 12 }) {
            0..=3 => {
                let sign = *random.pick(&["<", "<=", "=", "!=", ">=", ">", "<="]);
                Formula::Compare(
                    Number::random(random, own, 0),
                    sign,
                    Number::random(random, own, 1),
                )
            }
            4 => {
                let low = random.below(3) as u32;
                let high = random.percent(60).then(|| low + random.below(3) as u32);
                Formula::Count(low, high, sections(random), Query::random(random))
            }
            5 if depth > 1 => Formula::There(sections(random), Query::random(random)),
            5 => Formula::Chain(
                random.below(3) as i64,
                Number::random(random, own, 1),
                2 + random.below(5) as i64,
            ),
            6 | 7 => Formula::All(parts(random)),
            8 | 9 => Formula::Any(parts(random)),
            10 => Formula::Not(Box::new(Formula::random(random, own, depth + 1))),
            _ => Formula::Some(
                if random.percent(50) { "kind" } else { "traits" },
                Box::new(Formula::random(random, own, depth + 1)),
            ),
        }
    }

    fn text(&self) -> String {
        let parts = |parts: &[Formula], word: &str| {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| format!("({})", part.text()))
                .collect();
            parts.join(word)
        };
        match self {
            Formula::All(all) => parts(all, " and "),
            Formula::Any(any) => parts(any, " or "),
            Formula::Not(part) => format!("not ({})", part.text()),
            Formula::Some(field, part) => format!("some {field} ({})", part.text()),
            Formula::Compare(one, sign, other) => format!("{} {sign} {}", one.text(), other.text()),
            Formula::Chain(low, number, high) => format!("{low} <= {} <= {high}", number.text()),
            Formula::Count(0, Some(0), sections, query) => format!("no {}", place(sections, query)),
            Formula::Count(0, Some(high), sections, query) => {
                format!("{high}- {}", place(sections, query))
            }
            Formula::Count(low, None, sections, query) => {
                format!("{low}+ {}", place(sections, query))
            }
            Formula::Count(low, Some(high), sections, query) if low == high => {
                format!("{low} {}", place(sections, query))
            }
            Formula::Count(low, Some(high), sections, query) => {
                format!("{low}..{high} {}", place(sections, query))
            }
            Formula::There(sections, query) => place(sections, query),
        }
    }

    fn holds(
        &self,
        table: &Table<'_>,
        among: &BTreeSet<usize>,
        own: Option<usize>,
    ) -> Option<bool> {
        let count = |sections: &[usize], query: &Query| {
            Number::Copies(sections.to_vec(), query.clone()).of(table, among, own)
        };
        Some(match self {
            Formula::All(parts) => {
                let each: Option<Vec<bool>> = parts
                    .iter()
                    .map(|part| part.holds(table, among, own))
                    .collect();
                each?.iter().all(|holds| *holds)
            }
            Formula::Any(parts) => {
                let each: Option<Vec<bool>> = parts
                    .iter()
                    .map(|part| part.holds(table, among, own))
                    .collect();
                each?.iter().any(|holds| *holds)
            }
            Formula::Not(part) => !part.holds(table, among, own)?,
            Formula::Some(field, part) => {
                let words = if *field == "kind" { KINDS } else { TRAITS };
                let mut any = false;
                for word in words {
                    let has = |card: &&usize| values(table, **card, field).contains(word);
                    let inside: BTreeSet<usize> = among.iter().filter(has).copied().collect();
                    // A value that no card of the pool has is none.
                    let all = 0..table.world.cards.len();
                    if all
                        .clone()
                        .any(|card| values(table, card, field).contains(word))
                    {
                        any |= part.holds(table, &inside, own)?;
                    }
                }
                any
            }
            Formula::Compare(one, sign, other) => {
                let (one, other) = (one.of(table, among, own)?, other.of(table, among, own)?);
                match *sign {
                    "<" => one < other,
                    "<=" => one <= other,
                    "=" => one == other,
                    "!=" => one != other,
                    ">=" => one >= other,
                    _ => one > other,
                }
            }
            Formula::Chain(low, number, high) => {
                (*low..=*high).contains(&number.of(table, among, own)?)
            }
            Formula::Count(low, high, sections, query) => {
                let count = count(sections, query)?;
                count >= i64::from(*low) && high.is_none_or(|high| count <= i64::from(high))
            }
            Formula::There(sections, query) => count(sections, query)? > 0,
        })
    }
}

impl Demand {
    pub(super) fn random(random: &mut Random) -> Demand {
        let each = match random.below(6) {
            0 | 1 => Some("card"),
            2 => Some(*random.pick(&["title", "kind", "traits"])),
            _ => None,
        };
        let formula = Formula::random(random, each == Some("card"), 0);
        Demand { each, formula }
    }

    /// What stands in a rule in place of `must`.
    pub(super) fn text(&self) -> String {
        let each = self
            .each
            .map_or(String::new(), |each| format!("    each: {each}\n"));
        format!("{each}    demand: '{}'\n", self.formula.text())
    }

    /// What stands in a list of several demands.
    pub(super) fn part(&self) -> String {
        format!("'{}'", self.formula.text())
    }

    pub(super) fn is_kept(&self, table: &Table<'_>) -> bool {
        let all: BTreeSet<usize> = (0..table.world.cards.len()).collect();
        match self.each {
            None => self.formula.holds(table, &all, None) == Some(true),
            Some("card") => all.iter().all(|card| {
                let holds = self
                    .formula
                    .holds(table, &BTreeSet::from([*card]), Some(*card));
                holds.unwrap_or(true)
            }),
            Some(field) => {
                let keys: BTreeSet<String> = all
                    .iter()
                    .flat_map(|card| values(table, *card, field))
                    .collect();
                keys.iter().all(|key| {
                    let has = |card: &&usize| values(table, **card, field).contains(key);
                    let group: BTreeSet<usize> = all.iter().filter(has).copied().collect();
                    self.formula.holds(table, &group, None) == Some(true)
                })
            }
        }
    }
}

/// A card that the pool does not know may be any card that the deck has none of: what is broken, or
/// kept, whatever it is, is so for each of them. Of a card whose numbers are beyond those of the pool
/// nothing can be told by trying, so nothing is asked of what is left open.
#[test]
fn what_is_said_of_decks_with_unknown_cards_is_so_whatever_the_cards_are() {
    use super::{Deck, contents, holdings, made, random_deck, worlds};
    use decklaw::pool::CardId;
    use decklaw::rules::{Contents, Failing, Holding};
    let (mut broken, mut kept, mut open) = (0, 0, 0);
    for seed in 0..4 * worlds() {
        let (world, rulebook, mut random) = made(seed);
        let demands: Vec<usize> = (0..rulebook.rules().len())
            .filter(|at| rulebook.rules()[*at].kind == "demand")
            .filter(|at| {
                let own = |at: &usize| rulebook.rules()[*at].id.strip_prefix('r')?.parse().ok();
                let rule: Option<usize> = own(at);
                let kind = rule.map(|rule| &world.rules[rule].kind);
                // Of each card of the pool the unknown one is none.
                matches!(kind, Some(super::Kind::Demand(demand)) if demand.each != Some("card"))
            })
            .collect();
        if demands.is_empty() || world.list.is_some() {
            continue;
        }
        for _ in 0..10 {
            let mut deck: Deck = random_deck(&world, &mut random);
            // Some card is left out, for the unknown one to be.
            let free = random.below(world.cards.len());
            deck.iter_mut().for_each(|cards| cards[free] = 0);
            // Now and then it is alone.
            if random.percent(30) {
                deck.iter_mut().flatten().for_each(|copies| *copies = 0);
            }
            let (section, copies) = (random.below(3), 1 + random.below(3) as i64);
            let mut held = holdings(&world, &deck, &rulebook);
            held.push(Holding {
                card: CardId(rulebook.pool().len() as u32),
                section: section as u16,
                copies,
            });
            let name = ("nobody".to_owned(), "Nobody".to_owned());
            let unknown = Contents::new(rulebook.pool(), held, vec![name]);
            for rule in &demands {
                let of = |contents: &Contents<'_>| rulebook.rules()[*rule].judge(contents);
                let found = of(&unknown);
                let is_open = |one: &decklaw::rules::Violation| one.failing == Failing::Unverified;
                let says = match (found.iter().all(is_open), found.is_empty()) {
                    (_, true) => Some(true),
                    (false, _) => Some(false),
                    (true, false) => None,
                };
                let Some(says) = says else {
                    open += 1;
                    continue;
                };
                for card in 0..world.cards.len() {
                    if deck.iter().any(|cards| cards[card] > 0) {
                        continue;
                    }
                    let mut known = deck.clone();
                    known[section][card] = copies;
                    let holds = of(&contents(&rulebook, &world, &known)).is_empty();
                    assert_eq!(
                        holds,
                        says,
                        "seed {seed}, card {card}\n{}\n{}\n{known:?}",
                        world.format(),
                        world.csv()
                    );
                }
                match says {
                    true => kept += 1,
                    false => broken += 1,
                }
            }
        }
    }
    assert!(
        broken > 50 && kept > 50 && open > 50,
        "{broken} {kept} {open}"
    );
}
