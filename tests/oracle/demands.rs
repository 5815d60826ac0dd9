//! Random demands in the language of rules: each text with what it means for a deck.

use super::queries::compares;
use super::random::Random;
use super::rules::Of;
use super::world::{Fault, Query, Rule, Table, over};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The cards that are counted, and the card that the demand is about.
type Scope<'s> = (&'s BTreeSet<usize>, Option<usize>);

type Counts = Rc<dyn Fn(&Table<'_>, Scope<'_>) -> Option<i64>>;
type Holds = Rc<dyn Fn(&Table<'_>, Scope<'_>) -> Option<bool>>;

/// A number of a deck; `None`: the card has no such number, and nothing is demanded of it.
struct Number {
    text: String,
    of: Counts,
}

pub(crate) struct Formula {
    text: String,
    holds: Holds,
}

fn number(text: String, of: impl Fn(&Table<'_>, Scope<'_>) -> Option<i64> + 'static) -> Number {
    Number { text, of: Rc::new(of) }
}

fn formula(
    text: String,
    holds: impl Fn(&Table<'_>, Scope<'_>) -> Option<bool> + 'static,
) -> Formula {
    Formula { text, holds: Rc::new(holds) }
}

/// Sections of a demand; none are all.
fn some_sections(random: &mut Random) -> Of {
    Of(random.pick(&[vec![], vec![0], vec![1], vec![1], vec![2], vec![1, 2]]))
}

fn group(query: &str) -> String {
    if query.is_empty() { String::new() } else { format!(" [{query}]") }
}

fn place(of: &Of, query: &str) -> String {
    match (of.0.as_slice(), query) {
        ([], query) => format!("[{query}]"),
        (_, query) => of.joined() + &group(query),
    }
}

fn held(table: &Table<'_>, of: &Of, query: &Query, among: &BTreeSet<usize>) -> Vec<(usize, i64)> {
    let sections = if of.0.is_empty() { &[0, 1, 2] } else { of.0.as_slice() };
    let mut held = table.held(sections, query);
    held.retain(|(card, _)| among.contains(card));
    held
}

impl Number {
    fn random(random: &mut Random, own: bool, depth: usize) -> Number {
        let field = random.pick(&["cost", "limit"]);
        let (sections, query) = (some_sections(random), Query::random(random));
        let of = if sections.0.is_empty() {
            String::new()
        } else {
            format!(" of {}", sections.joined())
        };
        match random.below(if depth > 1 { 6 } else { 12 }) {
            0 => Number::whole(random.below(6) as i64),
            1 | 2 => number(place(&sections, &query.text), move |table, (among, _)| {
                let held = held(table, &sections, &query, among);
                Some(held.iter().map(|(_, copies)| copies).sum())
            }),
            3 => number(
                format!("sum({field}){of}{}", group(&query.text)),
                move |table, (among, _)| {
                    let held = held(table, &sections, &query, among).into_iter();
                    let each = held
                        .map(|(card, copies)| copies * table.card(card).number(field).unwrap_or(0));
                    Some(each.sum())
                },
            ),
            4 => {
                let field = random.pick(&["kind", "traits", "cost", "title", "name"]);
                let text = format!("different({field}){of}{}", group(&query.text));
                number(text, move |table, (among, _)| {
                    let held = held(table, &sections, &query, among);
                    let values = held.iter().flat_map(|(card, _)| table.card(*card).words(field));
                    Some(values.collect::<BTreeSet<_>>().len() as i64)
                })
            }
            5 if own => number(format!("card.{field}"), move |table, (_, own)| {
                table.card(own.unwrap()).number(field)
            }),
            5 => Number::whole(random.below(4) as i64),
            _ => Number::joined(random, own, depth),
        }
    }

    fn whole(whole: i64) -> Number {
        number(whole.to_string(), move |_, _| Some(whole))
    }

    /// Two numbers, or one and a factor.
    fn joined(random: &mut Random, own: bool, depth: usize) -> Number {
        let one = Number::random(random, own, depth + 1);
        let by = random.below(3) as i64;
        match random.below(4) {
            0 => number(format!("{} * ({})", by - 1, one.text), move |table, scope| {
                Some((by - 1) * (one.of)(table, scope)?)
            }),
            1 => number(format!("({}) / {}", one.text, by + 1), move |table, scope| {
                Some((one.of)(table, scope)?.div_euclid(by + 1))
            }),
            kind => {
                type Join = fn(i64, i64) -> i64;
                let other = Number::random(random, own, depth + 1);
                let (left, right) = (&one.text, &other.text);
                let (text, join): (String, Join) = match kind {
                    2 => (format!("{left} + {right}"), |one, other| one + other),
                    _ => (format!("{left} - ({right})"), |one, other| one - other),
                };
                number(text, move |table, scope| {
                    Some(join((one.of)(table, scope)?, (other.of)(table, scope)?))
                })
            }
        }
    }
}

impl Formula {
    pub(crate) fn random(random: &mut Random, own: bool, depth: usize) -> Formula {
        let (sections, query) = (some_sections(random), Query::random(random));
        match random.below(if depth > 1 { 6 } else { 11 }) {
            0 if random.percent(50) => {
                // Numbers that may have the same words: what is counted decides, not they.
                let one = Number::random(random, own, 2);
                let other = Number::random(random, own, 2);
                let (low, high) = (random.below(3) as i64, random.below(3) as i64);
                let text = format!("{} = {low} or {} = {high}", one.text, other.text);
                formula(format!("({text})"), move |table, scope| {
                    let (one, other) = ((one.of)(table, scope)?, (other.of)(table, scope)?);
                    Some(one == low || other == high)
                })
            }
            0..=3 => {
                let sign = random.pick(&["<", "<=", "=", "!=", ">=", ">", "<="]);
                let one = Number::random(random, own, 0);
                let other = Number::random(random, own, 1);
                let text = format!("{} {sign} {}", one.text, other.text);
                formula(text, move |table, scope| {
                    Some(compares(sign, (one.of)(table, scope)?, (other.of)(table, scope)?))
                })
            }
            4 => {
                let low = random.below(3) as i64;
                let high = random.percent(60).then(|| low + random.below(3) as i64);
                let counted = match (low, high) {
                    (0, Some(0)) => "no".to_owned(),
                    (0, Some(high)) => format!("{high}-"),
                    (low, None) => format!("{low}+"),
                    (low, Some(high)) if low == high => low.to_string(),
                    (low, Some(high)) => format!("{low}..{high}"),
                };
                Formula::count(counted, low, high, sections, query)
            }
            5 if depth > 1 => Formula::count(String::new(), 1, None, sections, query),
            5 => {
                let (low, high) = (random.below(3) as i64, 2 + random.below(5) as i64);
                let of = Number::random(random, own, 1);
                formula(format!("{low} <= {} <= {high}", of.text), move |table, scope| {
                    Some((low..=high).contains(&(of.of)(table, scope)?))
                })
            }
            kind @ 6..=9 => {
                let all = kind < 8;
                let parts = [0, 1].map(|_| Formula::random(random, own, depth + 1));
                let word = if all { "and" } else { "or" };
                let text = format!("({}) {word} ({})", parts[0].text, parts[1].text);
                formula(text, move |table, scope| {
                    let [one, other] =
                        [&parts[0], &parts[1]].map(|part| (part.holds)(table, scope));
                    let (one, other) = (one?, other?);
                    Some(if all { one && other } else { one || other })
                })
            }
            _ => {
                let part = Formula::random(random, own, depth + 1);
                formula(format!("not ({})", part.text), move |table, scope| {
                    Some(!(part.holds)(table, scope)?)
                })
            }
        }
    }

    fn count(counted: String, low: i64, high: Option<i64>, of: Of, query: Query) -> Formula {
        let text = format!("{counted} {}", place(&of, &query.text));
        formula(text.trim().to_owned(), move |table, (among, _)| {
            let held = held(table, &of, &query, among);
            let count: i64 = held.iter().map(|(_, copies)| copies).sum();
            Some(count >= low && high.is_none_or(|high| count <= high))
        })
    }

    fn holds_for(
        &self,
        table: &Table<'_>,
        among: &BTreeSet<usize>,
        own: Option<usize>,
    ) -> Option<bool> {
        (self.holds)(table, (among, own))
    }
}

/// A demand on the deck as a part of others, or `None` where it names its own card.
pub(crate) fn part(
    random: &mut Random,
) -> (String, impl Fn(&Table<'_>) -> Option<Fault> + 'static) {
    let formula = Formula::random(random, false, 0);
    (format!("'{}'", formula.text), move |table: &Table<'_>| {
        let all = (0..table.world.cards.len()).collect();
        over(formula.holds_for(table, &all, None) != Some(true))
    })
}

/// A demand on the deck, or on each card.
pub(crate) fn demand(random: &mut Random) -> Rule {
    let each = random.percent(35);
    let formula = Formula::random(random, each, 0);
    let key = if each { "    each: card\n" } else { "" };
    let text = format!("{key}    demand: '{}'\n", formula.text);
    let mut rule = Rule::new("", move |table| {
        let all: BTreeSet<usize> = (0..table.world.cards.len()).collect();
        over(if each {
            all.iter().any(|card| {
                let own = BTreeSet::from([*card]);
                formula.holds_for(table, &own, Some(*card)) == Some(false)
            })
        } else {
            formula.holds_for(table, &all, None) != Some(true)
        })
    });
    rule.tag = format!("demand {}", if each { "card" } else { "deck" });
    rule.text = text;
    rule
}
