//! Random rules: each kind as the text of a game file with what it means for a deck, with every
//! source of its bounds and every way of naming sections.

use super::demands;
use super::lists;
use super::random::Random;
use super::world::{Card, Check, Condition, Fault, Query, Rule, Table, World, over, range};
use crate::common::table_text;
use decklaw::format::Game;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// The sections of every random world.
pub(crate) const SECTIONS: [&str; 3] = ["hero", "main", "side"];

/// Sections of a rule.
#[derive(Clone)]
pub(crate) struct Of(pub(crate) Vec<usize>);

impl Of {
    fn random(random: &mut Random) -> Of {
        Of(random.pick(&[vec![0], vec![1], vec![1], vec![1], vec![2], vec![1, 2], vec![0, 1, 2]]))
    }

    pub(crate) fn joined(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|section| SECTIONS[*section]).collect();
        names.join("+")
    }
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.joined().replace('+', ", "))
    }
}

/// `, key: value`, where there is one.
fn key(key: &str, value: Option<impl fmt::Display>) -> String {
    value.map_or(String::new(), |value| format!(", {key}: {value}"))
}

type Bound = Rc<dyn Fn(&Table<'_>, Option<usize>) -> Option<i64>>;

/// A bound, of a card or of none; no number: there is no bound.
#[derive(Clone)]
struct Amount {
    text: String,
    of: Bound,
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Amount {
    fn new(
        text: String,
        of: impl Fn(&Table<'_>, Option<usize>) -> Option<i64> + 'static,
    ) -> Amount {
        Amount { text, of: Rc::new(of) }
    }

    fn number(number: i64) -> Amount {
        Amount::new(number.to_string(), move |_, _| Some(number))
    }

    /// The card's own limit.
    fn own(otherwise: Option<i64>) -> Amount {
        let text = format!("{{field: limit{}}}", key("else", otherwise));
        Amount::new(text, move |table, card| {
            table.card(card.unwrap()).number("limit").or(otherwise)
        })
    }

    fn plus_one(self) -> Amount {
        Amount::new(format!("[{}, 1]", self.text), move |table, card| {
            Some((self.of)(table, card)? + 1)
        })
    }

    fn random(random: &mut Random, own: bool) -> Amount {
        match random.below(8) {
            0..=2 => Amount::number(random.below(6) as i64),
            3 if own => Amount::own(random.maybe(40)),
            4 if random.percent(50) => Amount::random(random, own).plus_one(),
            _ => Amount::cards(random),
        }
    }

    /// By the cards that the deck has.
    fn cards(random: &mut Random) -> Amount {
        let base = random.maybe(50);
        let of = Of(random.pick(&[vec![0], vec![0], vec![1], vec![2], vec![1, 2]]));
        let field = random.pick(&[None, Some("cost"), Some("limit")]);
        let cards = if random.percent(40) { Query::random(random) } else { Query::all() };
        let (per, round) = (random.pick(&[1, 1, 2, 3]), random.pick(&["down", "up", "nearest"]));
        let times = random.pick(&[1, 1, 1, 2, -1]);
        let otherwise = field.and(random.maybe(40));
        let text = format!(
            "{{of: {of}{}{}{}, per: {per}, round: {round}, times: {times}{}}}",
            key("base", base),
            key("field", field),
            cards.key(),
            key("else", otherwise)
        );
        Amount::new(text, move |table, _| {
            let held = table.held(&of.0, &cards).into_iter();
            let each = held.map(|(card, copies)| match field {
                None => Some(copies),
                Some(field) => Some(table.card(card).number(field)? * copies),
            });
            let each: Vec<i64> = each.flatten().collect();
            if field.is_some() && base.is_none() && each.is_empty() {
                return otherwise;
            }
            let quotient = each.iter().sum::<i64>() as f64 / f64::from(per);
            let whole = match round {
                "up" => quotient.ceil(),
                "nearest" => (quotient + 0.5).floor(),
                _ => quotient.floor(),
            };
            Some(base.unwrap_or(0) + times * whole as i64)
        })
    }
}

struct Bounds {
    text: String,
    min: Option<Amount>,
    max: Option<Amount>,
}

impl Bounds {
    fn random(random: &mut Random) -> Bounds {
        let [one, other] = [0, 1].map(|_| Amount::random(random, false));
        match random.below(5) {
            0 => {
                Bounds { text: key("exactly", Some(&one)), min: Some(one.clone()), max: Some(one) }
            }
            1 => Bounds::new(Some(one), None),
            2 => Bounds::new(Some(one), Some(other)),
            _ => Bounds::new(None, Some(other)),
        }
    }

    fn new(min: Option<Amount>, max: Option<Amount>) -> Bounds {
        let text = key("min", min.as_ref()) + &key("max", max.as_ref());
        Bounds { text, min, max }
    }

    fn check(&self, table: &Table<'_>, number: i64) -> Option<Fault> {
        let of = |amount: &Option<Amount>| (amount.as_ref()?.of)(table, None);
        let (min, max) = (of(&self.min), of(&self.max));
        range(number, min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX))
    }
}

/// Cards that speak, of one section or several, and what they permit.
#[derive(Clone)]
struct Relation {
    by: Of,
    picked: Query,
    /// No more than one may speak.
    alone: bool,
    /// Words that must be among those of the speakers; `None`: queries of the speakers.
    field: Option<&'static str>,
    among: &'static str,
    all: bool,
    /// A speaker that says nothing permits nothing.
    empty: bool,
    /// Where nobody speaks nothing is permitted.
    nobody: bool,
    lets: bool,
}

type Held = Vec<(usize, i64)>;

impl Relation {
    fn random(random: &mut Random, together: bool) -> Relation {
        let alone = !together && random.percent(50);
        let picked =
            if !alone && random.percent(35) { Query::random(random) } else { Query::all() };
        let field = random.pick(&["kind", "traits", "title", "kind"]);
        let among = random.pick(&["kind", "traits", "traits", "name", "[kind, traits]"]);
        Relation {
            by: Of(match picked.text.is_empty() {
                _ if alone => vec![0],
                true => random.pick(&[vec![0], vec![0, 2]]),
                false => random.pick(&[vec![0], vec![1], vec![0, 1]]),
            }),
            picked,
            alone,
            field: Some(field),
            among: match (field, among) {
                ("title", "traits") => "title",
                ("title", "[kind, traits]") => "[name, title]",
                ("title", _) => "name",
                (_, among) => among,
            },
            all: random.percent(40),
            empty: random.percent(30),
            nobody: !together && random.percent(30),
            lets: random.percent(30),
        }
    }

    fn by(&self) -> String {
        match self.picked.text.as_str() {
            _ if self.alone => self.by.joined(),
            "" => self.by.to_string(),
            _ => format!("{{sections: {}{}}}", self.by, self.picked.key()),
        }
    }

    /// The keys but `by` and what is only of rules.
    fn how(&self, queries: &str) -> String {
        let mode = if self.all { "all" } else { "any" };
        let words = match self.field {
            Some(field) => format!("field: {field}, among: {}", self.among),
            None => {
                let fields = if self.lets { "[allows, lets]" } else { "allows" };
                format!("{queries}: {fields}{}", if self.empty { ", empty: nothing" } else { "" })
            }
        };
        format!("{words}, mode: {mode}")
    }

    fn heads(&self, table: &Table<'_>) -> Held {
        table.held(&self.by.0, &self.picked)
    }

    fn agrees(&self, table: &Table<'_>, card: &Card, heads: &Held) -> bool {
        let speaker = |(head, _): &(usize, i64)| table.card(*head).clone();
        let mut speakers = heads.iter().map(speaker);
        if let Some(field) = self.field {
            let among: BTreeSet<String> =
                speakers.flat_map(|head| head.words(self.among)).collect();
            let words = card.words(field);
            return if self.all { words.is_subset(&among) } else { !words.is_disjoint(&among) };
        }
        let permits = |head: Card| {
            let fields: &[&str] = if self.lets { &["allows", "lets"] } else { &["allows"] };
            let mut says = fields.iter().filter_map(|field| head.queries.get(field)).peekable();
            let silent = says.peek().is_none();
            silent && !self.empty || says.any(|query| query.picks(card))
        };
        if self.all { !heads.is_empty() && speakers.all(permits) } else { speakers.any(permits) }
    }

    fn refuses(&self, table: &Table<'_>, of: &Of, cards: &Query) -> Option<Fault> {
        let heads = self.heads(table);
        let copies: i64 = heads.iter().map(|(_, copies)| copies).sum();
        if heads.is_empty() && !self.nobody || self.alone && copies > 1 {
            return None;
        }
        let held = table.held(&of.0, cards);
        over(held.iter().any(|(card, _)| !self.agrees(table, table.card(*card), &heads)))
    }

    /// A rule that cards agree with those that speak.
    fn rule(self, of: Of, cards: Query, kind: &str) -> Kind {
        let nobody = if self.nobody { ", nobody: nothing" } else { "" };
        let (by, how) = (self.by(), self.how("field"));
        let text = format!("{kind}: {{sections: {of}{}, by: {by}, {how}{nobody}}}", cards.key());
        Kind::new(text, move |table| self.refuses(table, &of, &cards))
    }
}

/// A condition, or any of two.
fn condition(random: &mut Random) -> (String, Condition) {
    let tests: Vec<(String, Condition)> = (0..1 + random.below(2)).map(|_| test(random)).collect();
    let texts: Vec<String> = tests.iter().map(|(text, _)| text.clone()).collect();
    let text = match texts.as_slice() {
        [one] => one.clone(),
        several => format!("{{any: [{}]}}", several.join(", ")),
    };
    (text, Rc::new(move |table| tests.iter().any(|(_, holds)| holds(table))))
}

fn test(random: &mut Random) -> (String, Condition) {
    let (of, cards) = (Of::random(random), Query::random(random));
    let (least, most) = random.pick(&[
        (Some(1), None),
        (Some(2), None),
        (None, Some(0)),
        (None, Some(1)),
        (Some(1), Some(2)),
    ]);
    let not = random.percent(20);
    let text = format!(
        "{{sections: {of}{}{}{}}}",
        cards.key(),
        key("at-least", least),
        key("at-most", most)
    );
    let text = if not { format!("{{not: {text}}}") } else { text };
    (
        text,
        Rc::new(move |table| {
            let count = table.count(&of.0, &cards);
            not != (count >= least.unwrap_or(0) && most.is_none_or(|most| count <= most))
        }),
    )
}

/// All of these must hold.
fn conditions(random: &mut Random, count: usize) -> (String, Vec<Condition>) {
    let (texts, all): (Vec<_>, Vec<_>) = (0..count).map(|_| condition(random)).unzip();
    let text = match texts.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    (text, all)
}

/// A kind of rule with its keys.
struct Kind {
    text: String,
    check: Check,
    gate: Option<(usize, Query)>,
    parts: Vec<Condition>,
}

impl Kind {
    fn new(text: String, check: impl Fn(&Table<'_>) -> Option<Fault> + 'static) -> Kind {
        Kind { text, check: Rc::new(check), gate: None, parts: Vec::new() }
    }

    fn random(random: &mut Random) -> Kind {
        let (of, cards) = (Of::random(random), Query::random(random));
        let keys = cards.key();
        match random.below(15) {
            0 => {
                let section = random.below(3);
                let name = SECTIONS[section];
                let text =
                    format!("accept: {{section: {name}, cards: '{}', because: b}}", cards.text);
                let rule = Rule::gate("", section, cards);
                Kind { gate: rule.gate, ..Kind::new(text, move |table| (rule.check)(table)) }
            }
            1 => Kind::new(
                format!("avoid: {{sections: {of}, cards: '{}', because: b}}", cards.text),
                move |table| over(table.count(&of.0, &cards) > 0),
            ),
            2 if random.percent(50) => {
                Kind::new("disjoint: {sections: [side], from: [main]}".to_owned(), |table| {
                    over(table.shares(&[2], &[1]))
                })
            }
            2 => within(random),
            3 | 4 => {
                if random.percent(6) {
                    return Kind::new(
                        format!("size: {{sections: {of}{keys}, one-of: [0, 4]}}"),
                        move |table| {
                            let count = table.count(&of.0, &cards);
                            if count == 0 { None } else { range(count, 4, 4) }
                        },
                    );
                }
                let bounds = Bounds::random(random);
                Kind::new(format!("size: {{sections: {of}{keys}{}}}", bounds.text), move |table| {
                    bounds.check(table, table.count(&of.0, &cards))
                })
            }
            5 | 6 => copies(random, of, cards),
            7 => {
                let (by, bounds) = (some_fields(random), Bounds::random(random));
                let text = format!(
                    "distinct: {{sections: {of}{keys}, by: [{}]{}}}",
                    by.join(", "),
                    bounds.text
                );
                Kind::new(text, move |table| {
                    let held = table.held(&of.0, &cards);
                    let names = held.iter().flat_map(|(card, _)| names(table.card(*card), &by));
                    bounds.check(table, names.collect::<BTreeSet<_>>().len() as i64)
                })
            }
            8 => values(random, of, cards),
            9..=11 => total(random, of, cards),
            12 => Relation::random(random, false).rule(of, cards, "matching"),
            13 => brings(random, of, cards),
            _ => {
                let relation = Relation::random(random, false);
                Relation { field: None, ..relation }.rule(of, cards, "permitted")
            }
        }
    }

    /// Two or three demands as one: any of them is enough, or all must hold.
    fn several(random: &mut Random) -> Kind {
        let part = |random: &mut Random| loop {
            if random.percent(30) {
                let (text, check) = demands::part(random);
                return (text, Rc::new(check) as Check);
            }
            let kind = Kind::random(random);
            if kind.gate.is_none() && !kind.text.contains("allows") {
                return (format!("{{{}}}", kind.text), kind.check);
            }
        };
        let (texts, checks): (Vec<String>, Vec<Check>) =
            (0..2 + random.below(2)).map(|_| part(random)).unzip();
        let any = random.percent(75);
        let word = if any { "any" } else { "all" };
        Kind::new(format!("{word}: [{}]", texts.join(", ")), move |table| {
            let mut faults = checks.iter().map(|check| check(table));
            if any { over(faults.all(|fault| fault.is_some())) } else { faults.max().flatten() }
        })
    }

    /// Options, and how many cards may take each.
    fn options(random: &mut Random) -> Kind {
        let of = Of::random(random);
        let cards = if random.percent(60) { Query::all() } else { Query::random(random) };
        let options: Vec<(Query, Option<i64>)> =
            (0..1 + random.below(4)).map(|_| (Query::random(random), random.maybe(75))).collect();
        let texts: Vec<String> = options
            .iter()
            .map(|(query, limit)| format!("{{cards: '{}'{}}}", query.text, key("limit", *limit)))
            .collect();
        let text =
            format!("options: {{sections: {of}{}, options: [{}]}}", cards.key(), texts.join(", "));
        Kind::new(text, move |table| {
            over(!shared_out(table, &table.held(&of.0, &cards), &mut options.clone()))
        })
    }
}

/// Whether copies can be shared out over options, by trying every way.
fn shared_out(table: &Table<'_>, left: &[(usize, i64)], room: &mut [(Query, Option<i64>)]) -> bool {
    let Some(((card, copies), rest)) = left.split_first() else {
        return true;
    };
    if *copies == 0 {
        return shared_out(table, rest, room);
    }
    let mut left = left.to_vec();
    left[0].1 -= 1;
    (0..room.len()).any(|at| {
        let fits = room[at].0.picks(table.card(*card));
        match room[at].1 {
            _ if !fits => false,
            Some(..=0) => false,
            None => shared_out(table, rest, room),
            Some(before) => {
                room[at].1 = Some(before - 1);
                let shared = shared_out(table, &left, room);
                room[at].1 = Some(before);
                shared
            }
        }
    })
}

fn some_fields(random: &mut Random) -> Vec<&'static str> {
    random.pick(&[
        vec![],
        vec![],
        vec!["title"],
        vec!["name", "title"],
        vec!["kind"],
        vec!["traits"],
        vec!["cost"],
        vec!["[kind, cost]"],
        vec!["[traits, title]", "cost"],
    ])
}

/// Under which a card counts: its name where no field is named.
fn names(card: &Card, by: &[&str]) -> BTreeSet<String> {
    if by.is_empty() { card.words("name") } else { card.keys_or_name(by) }
}

fn within(random: &mut Random) -> Kind {
    let (of, whole) = random.pick(&[
        (vec![2], vec![1]),
        (vec![1], vec![2]),
        (vec![2], vec![0, 1]),
        (vec![1, 2], vec![1]),
    ]);
    let (of, whole, copies) = (Of(of), Of(whole), random.percent(50));
    let as_many = if copies { ", copies: true" } else { "" };
    Kind::new(format!("within: {{sections: {of}, of: {whole}{as_many}}}"), move |table| {
        // A copy in a section of both sides is there already.
        let apart = |of: &Of, but: &Of, card: usize| -> i64 {
            let of = of.0.iter().filter(|section| !but.0.contains(section));
            of.map(|section| table.copies(&[*section], card)).sum()
        };
        let held = table.held(&of.0, &Query::all());
        over(held.iter().any(|(card, _)| {
            let absent = table.copies(&whole.0, *card) == 0;
            absent || copies && apart(&of, &whole, *card) > apart(&whole, &of, *card)
        }))
    })
}

fn copies(random: &mut Random, of: Of, cards: Query) -> Kind {
    let (by, max) = (some_fields(random), Amount::random(random, true));
    let weight = random.percent(20);
    let also_in = random.percent(20);
    let text = format!(
        "copies: {{sections: {of}{}, by: [{}], max: {max}{}{}}}",
        cards.key(),
        by.join(", "),
        if weight { ", weight: cost" } else { "" },
        if also_in { ", also-in: hero" } else { "" }
    );
    Kind::new(text, move |table| {
        let mut of_name: BTreeMap<String, Held> = BTreeMap::new();
        for (card, copies) in table.held(&of.0, &cards) {
            for name in names(table.card(card), &by) {
                of_name.entry(name).or_default().push((card, copies));
            }
        }
        let heroes = table.held(&[0], &cards);
        let leads = |name: &String| {
            heroes.iter().any(|(hero, _)| names(table.card(*hero), &by).contains(name))
        };
        over(of_name.iter().any(|(name, own)| {
            let each = own.iter().map(|(card, copies)| match weight {
                true => copies * table.card(*card).number("cost").unwrap_or(0),
                false => *copies,
            });
            let most = own.iter().filter_map(|(card, _)| (max.of)(table, Some(*card))).min();
            let total: i64 = each.sum();
            (!also_in || leads(name)) && most.is_some_and(|most| total > most)
        }))
    })
}

fn values(random: &mut Random, of: Of, cards: Query) -> Kind {
    let field = random.pick(&["kind", "traits", "cost", "title"]);
    let least = random.pick(&[1, 1, 2, 3]);
    let bounds = Bounds::random(random);
    let known: &[&str] = match field {
        "kind" => &["oak", "elm", "ash"],
        "traits" => &["sun", "rain", "wind"],
        "cost" => &["0", "1", "2", "3"],
        _ => &[],
    };
    let some = random.percent(35);
    let among: Vec<&str> = known.iter().copied().filter(|_| some && random.percent(60)).collect();
    let limited = if among.is_empty() {
        String::new()
    } else {
        format!(", among: ['{}']", among.join("', '"))
    };
    let text = format!(
        "values: {{sections: {of}{}, field: {field}, with-at-least: {least}{limited}{}}}",
        cards.key(),
        bounds.text
    );
    Kind::new(text, move |table| {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        for (card, copies) in table.held(&of.0, &cards) {
            for value in table.card(card).words(field) {
                if among.is_empty() || among.contains(&value.as_str()) {
                    *counts.entry(value).or_default() += copies;
                }
            }
        }
        let enough = counts.values().filter(|count| **count >= least).count();
        bounds.check(table, enough as i64)
    })
}

/// What a speaker brings must be there.
fn brings(random: &mut Random, of: Of, cards: Query) -> Kind {
    let relation = Relation::random(random, false);
    let copies = match random.below(5) {
        0 | 1 => None,
        2 => Some(Amount::number(random.below(3) as i64)),
        3 => Some(Amount::own(random.percent(30).then_some(2))),
        _ => Some(Amount::own(None).plus_one()),
    };
    let slot = random.percent(40).then(|| random.pick(&["title", "kind", "traits", "cost"]));
    let field = relation.field.unwrap();
    let text = format!(
        "brings: {{sections: {of}{}, field: {field}, by: {}, among: {}{}{}}}",
        cards.key(),
        relation.by(),
        relation.among,
        key("copies", copies.as_ref()),
        key("any-of", slot)
    );
    Kind::new(text, move |table| {
        let all = || (0..table.world.cards.len()).map(|card| (card, table.card(card)));
        let short = relation.heads(table).iter().any(|(head, _)| {
            let among = table.card(*head).words(relation.among);
            let mut met: BTreeMap<String, bool> = BTreeMap::new();
            for (at, card) in all() {
                let needed = copies.as_ref().and_then(|copies| (copies.of)(table, Some(at)));
                let needed = needed.unwrap_or(1);
                let is_brought =
                    at != *head && cards.picks(card) && !card.words(field).is_disjoint(&among);
                // What is brought in no copies is not needed.
                if is_brought && needed > 0 {
                    let keys = match slot {
                        Some(slot) => card.keys_or_name(&[slot]),
                        None => BTreeSet::from([at.to_string()]),
                    };
                    for key in keys {
                        *met.entry(key).or_default() |= table.copies(&of.0, at) >= needed;
                    }
                }
            }
            met.values().any(|met| !met)
        });
        short.then_some(Fault::Short)
    })
}

type Sum = Rc<dyn Fn(&Table<'_>, &Held) -> i64>;

/// A part of a sum: its keys but what a copy counts, and what it comes to.
struct Part {
    price: String,
    keys: String,
    own: Vec<Condition>,
    of: Sum,
}

impl Part {
    fn random(random: &mut Random, several: bool) -> Part {
        let per = random.pick(&["copy", "copy", "copy", "card", "further", "highest", "lowest"]);
        let extreme = matches!(per, "highest" | "lowest");
        let field = random.percent(70);
        let price = (!field || random.percent(20)).then_some(1);
        let cards =
            if several && random.percent(60) { Query::random(random) } else { Query::all() };
        let times = if several { random.pick(&[1, 1, 1, 2, -1]) } else { 1 };
        let mut keys = if per == "copy" { String::new() } else { key("per", Some(per)) };
        let matched = (!extreme && random.percent(50)).then(|| {
            let mut relation = Relation::random(random, true);
            if random.percent(30) {
                relation.field = None;
            }
            let then = random.pick(&[None, None, Some((1, 0)), Some((2, 1))]);
            (relation, then, random.pick(&[(1, 0), (1, 0), (1, 2), (0, 0)]))
        });
        if let Some((relation, then, otherwise)) = &matched {
            let price = |(times, plus): (i64, i64)| format!("{{times: {times}, plus: {plus}}}");
            keys += &format!(
                ", matched: {{by: {}, {}{}, else: {}}}",
                relation.by(),
                relation.how("permits"),
                key("then", then.map(price)),
                price(*otherwise)
            );
        }
        keys += &cards.key();
        keys += &key("times", (times != 1).then_some(times));
        let count = if several && random.percent(50) { 1 + random.below(2) } else { 0 };
        let (text, own) = conditions(random, count);
        keys += &key("if", (count > 0).then_some(text));
        let conditions = own.clone();
        let of = move |table: &Table<'_>, held: &Held| -> i64 {
            if !conditions.iter().all(|holds| holds(table)) {
                return 0;
            }
            let mut each: Vec<(i64, i64)> = Vec::new();
            for (card, copies) in held.iter().map(|(card, copies)| (table.card(*card), *copies)) {
                let number = if field { card.number("cost") } else { Some(0) };
                if !cards.picks(card) || number.is_none() && extreme {
                    continue;
                }
                let mut worth = number.unwrap_or(0) + price.unwrap_or(0);
                if let Some((relation, then, otherwise)) = &matched {
                    let heads = relation.heads(table);
                    let agrees = !heads.is_empty() && relation.agrees(table, card, &heads);
                    let (times, plus) = if agrees { then.unwrap_or((0, 0)) } else { *otherwise };
                    worth = worth * times + plus;
                }
                each.push((worth, copies));
            }
            let prices = each.iter().map(|(worth, _)| *worth);
            times
                * match per {
                    "copy" => each.iter().map(|(worth, copies)| worth * copies).sum(),
                    "card" => prices.sum(),
                    "further" => each.iter().map(|(worth, copies)| worth * (copies - 1)).sum(),
                    "highest" => prices.max().unwrap_or(0),
                    _ => prices.min().unwrap_or(0),
                }
        };
        let named = if field { ", field: cost" } else { "" };
        Part { price: named.to_owned() + &key("price", price), keys, own, of: Rc::new(of) }
    }
}

fn total(random: &mut Random, of: Of, cards: Query) -> Kind {
    let count = random.pick(&[1, 1, 1, 2, 2, 3]);
    let parts: Vec<Part> = (0..count).map(|_| Part::random(random, count > 1)).collect();
    // What all parts count alike is written above them.
    let price = parts[0].price.clone();
    let above = if parts.iter().all(|part| part.price == price) { price } else { String::new() };
    let text = |part: &Part| {
        let own = if above.is_empty() { &part.price } else { "" };
        let keys = own.to_owned() + &part.keys;
        format!("{{{}}}", keys.strip_prefix(", ").unwrap_or_default())
    };
    let keys = match parts.as_slice() {
        [one] => one.keys.clone(),
        several => {
            format!(", parts: [{}]", several.iter().map(text).collect::<Vec<_>>().join(", "))
        }
    };
    let bounds = Bounds::random(random);
    let text = format!("total: {{sections: {of}{}{above}{keys}{}}}", cards.key(), bounds.text);
    let all = |part: &Part| -> Condition {
        let own = part.own.clone();
        Rc::new(move |table| own.iter().all(|holds| holds(table)))
    };
    let conditional = parts.iter().filter(|part| !part.own.is_empty()).map(all).collect();
    Kind {
        parts: conditional,
        ..Kind::new(text, move |table| {
            let held = table.held(&of.0, &cards);
            bounds.check(table, parts.iter().map(|part| (part.of)(table, &held)).sum())
        })
    }
}

/// Its kind, and what is special about it.
fn tag(text: &str, conditional: bool) -> String {
    let special = [
        ("by: [n", "groups"),
        ("by: [t", "groups"),
        ("by: [k", "groups"),
        ("by: [[", "groups together"),
        ("among: [", "among several"),
        ("of:", "amount"),
        ("parts", "parts"),
        ("matched", "matched"),
        ("by: {sections", "picked"),
        ("not: {", "not"),
        ("per: further", "further"),
        ("per: highest", "highest"),
        ("per: lowest", "lowest"),
        ("mode: all", "all"),
        ("mode: any", "any"),
    ];
    let special = special.iter().find(|(word, _)| text.contains(word));
    let kind = text.split(':').next().unwrap_or_default();
    let begin = if conditional { "if " } else { "" };
    format!("{begin}{kind} {}", special.map_or("", |(_, name)| name))
}

fn rule(random: &mut Random, at: usize) -> Rule {
    let count = random.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 2]);
    let (text, conditions) = conditions(random, count);
    let condition = if count == 0 { String::new() } else { format!("    if: {text}\n") };
    let mut rule = match random.below(20) {
        0..=2 => demands::demand(random),
        kind => {
            let kind = match kind {
                3 => Kind::several(random),
                4 => Kind::options(random),
                _ => Kind::random(random),
            };
            let mut rule = Rule::new("", |_| None);
            rule.tag = tag(&kind.text, count > 0);
            rule.text = format!("    must: {{{}}}\n", kind.text);
            (rule.check, rule.gate, rule.parts) = (kind.check, kind.gate, kind.parts);
            rule
        }
    };
    rule.conditions = conditions;
    rule.id = format!("r{at}");
    rule.text = format!("  - id: r{at}\n    source: s\n    about: a\n{condition}{}", rule.text);
    rule
}

fn card(random: &mut Random, at: usize) -> Card {
    let mut card = Card { name: format!("Card {at}"), ..Card::default() };
    let traits = ["sun", "rain", "wind"].into_iter().filter(|_| random.percent(40));
    let traits = traits.collect::<Vec<_>>().join(";");
    let mut set = |field: &str, cell: String| card.cells.insert(field.to_owned(), cell);
    set("traits", traits);
    set("kind", random.pick(&["oak", "elm", "ash", ""]).to_owned());
    set("title", random.pick(&["", "Tall", "Small", "Card 0"]).to_owned());
    for (field, chance) in [("cost", 75), ("limit", 60)] {
        let below = if field == "cost" && random.percent(12) { 3 } else { 0 };
        let number = random.below(4) as i64 - below;
        if random.percent(chance) {
            set(field, number.to_string());
        }
    }
    for (field, chance) in [("allows", 70), ("lets", 30)] {
        let query = super::queries::simple(&super::queries::WORLD, random);
        if random.percent(chance) {
            set(field, query.text.clone());
            card.queries.insert(field, query);
        }
    }
    card
}

/// Card files have a row for each card.
pub(crate) fn csv(fields: &[&str], cards: &[Card]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([&["name"], fields].concat()).unwrap();
    for card in cards.iter().filter(|card| !card.unknown) {
        let cells = fields.iter().map(|field| card.cell(field));
        writer.write_record([card.name.as_str()].into_iter().chain(cells)).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

impl World {
    /// The world with only some of its rules.
    pub(crate) fn with_rules(&self, rules: Vec<Rule>) -> World {
        let text = rules.iter().map(|rule| rule.text.as_str()).collect::<String>();
        World { text: Some(table_text("game of random rules") + &text), rules, ..self.clone() }
    }

    fn random(random: &mut Random) -> World {
        let mut cards: Vec<Card> = (0..3 + random.below(3)).map(|at| card(random, at)).collect();
        let rules = (0..1 + random.below(3)).map(|at| rule(random, at)).collect();
        let world =
            World { format: "world".to_owned(), sections: SECTIONS.to_vec(), ..World::default() };
        let mut world = world.with_rules(rules);
        let listed = random.percent(40);
        if listed {
            for card in &mut cards {
                let sets = lists::SETS.into_iter().filter(|_| random.percent(45));
                card.cells.insert("set".to_owned(), sets.collect::<Vec<_>>().join(";"));
            }
        }
        let fields = ["kind", "traits", "title", "cost", "limit", "allows", "lets", "set"];
        world.csv = Some(csv(&fields, &cards));
        world.cards = cards;
        if listed {
            lists::add(&mut world, random);
        }
        world
    }

    /// The world of a number. A rule whose fixed numbers contradict each other is refused by the
    /// reader, as it should be.
    pub(crate) fn made(seed: usize) -> (World, Random) {
        let mut random = Random::new(&format!("world {seed}"));
        loop {
            let world = World::random(&mut random);
            let read = Game::read("world.yaml", world.text.as_deref().unwrap());
            let refused = read.is_err_and(|error| {
                let mut problems = error.problems.iter();
                problems.all(|problem| problem.message.contains("cannot both hold"))
            });
            if !refused {
                return (world, random);
            }
        }
    }
}
