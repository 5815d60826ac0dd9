//! Random banlists: each entry as text with what it means for a deck.

use super::queries::{WORLD, simple};
use super::random::Random;
use super::rules::Of;
use super::world::{Card, Fault, Query, Rule, Table, World, fold, over};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) const SETS: [&str; 3] = ["Dawn", "Noon", "Dusk"];
const ALL: [usize; 3] = [0, 1, 2];

type Picks = Rc<dyn Fn(&Card, &str) -> bool>;
/// A cell of a card as it is after a change.
type Changed = Rc<dyn Fn(&str) -> String>;

/// Cards that an entry of a list names, by name or by a query.
#[derive(Clone)]
struct Entry {
    text: String,
    is_query: bool,
    picks: Picks,
}

impl Entry {
    fn name(name: &str) -> Entry {
        let own = name.to_owned();
        Entry {
            text: format!("name: {name}"),
            is_query: false,
            picks: Rc::new(move |_, key| key == own),
        }
    }

    fn query(query: Query) -> Entry {
        Entry {
            text: format!("cards: '{}'", query.text),
            is_query: true,
            picks: Rc::new(move |card, _| query.picks(card)),
        }
    }

    /// The cards that are one to the list, by what they are called.
    fn ones(&self, table: &Table<'_>, by: Option<&str>) -> BTreeMap<String, BTreeSet<usize>> {
        let mut ones: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (at, card) in table.world.cards.iter().enumerate() {
            for key in called(card, by) {
                if (self.picks)(card, &key) {
                    ones.entry(key).or_default().insert(at);
                }
            }
        }
        ones
    }
}

fn called(card: &Card, by: Option<&str>) -> BTreeSet<String> {
    by.map_or_else(|| card.words("name"), |by| card.keys_or_name(&[by]))
}

fn sum(table: &Table<'_>, cards: &BTreeSet<usize>, sections: &[usize]) -> i64 {
    cards.iter().map(|card| table.copies(sections, *card)).sum()
}

/// A change of one field of the cards that an entry names.
struct Change {
    entry: Entry,
    field: &'static str,
    text: String,
    apply: Rc<dyn Fn(&str) -> String>,
}

impl Change {
    fn random(names: &[String], random: &mut Random) -> Change {
        let entry = if random.percent(50) {
            Entry::query(simple(&WORLD, random))
        } else {
            Entry::name(&random.pick(names))
        };
        let field = random.pick(&["kind", "traits", "cost", "limit", "cost", "limit"]);
        let number = matches!(field, "cost" | "limit");
        let more = 1 + random.below(2) as i64;
        let cell = match field {
            "kind" => random.pick(&["", "oak", "elm", "ash"]).to_owned(),
            "traits" => random.pick(&["", "sun", "rain;wind", "sun;rain;wind"]).to_owned(),
            _ => random.maybe(80).map_or(String::new(), |number| number.to_string()),
        };
        let (text, apply): (String, Changed) = if number && random.percent(50) {
            let text = format!("add: {{{field}: {more}}}");
            (text, Rc::new(move |old| (old.parse().unwrap_or(0) + more).to_string()))
        } else {
            let shown = if number && !cell.is_empty() { cell.clone() } else { format!("'{cell}'") };
            (format!("set: {{{field}: {shown}}}"), Rc::new(move |_| cell.clone()))
        };
        Change { entry, field, text, apply }
    }
}

/// The cards as a list has them: a name goes before queries, and of queries the first counts.
fn change(cards: &mut [Card], changes: &[Change], by: Option<&str>) {
    for card in cards {
        let printed = card.clone();
        for field in ["kind", "traits", "cost", "limit"] {
            let fits = |change: &&Change| {
                let keys = called(&printed, by);
                let picked = keys.iter().any(|key| (change.entry.picks)(&printed, key));
                change.field == field && picked
            };
            let mut own: Vec<&Change> = changes.iter().filter(fits).collect();
            own.sort_by_key(|change| change.entry.is_query);
            if let Some(first) = own.first() {
                let cell = (first.apply)(printed.cell(field));
                card.cells.insert(field.to_owned(), cell);
            }
        }
    }
}

fn scope(of: &Of) -> String {
    if of.0.len() == 3 { String::new() } else { format!(", sections: {of}") }
}

/// A group of cards of which a deck has only some, or that are apart from others.
fn group(random: &mut Random, by: Option<&'static str>, of: Of) -> (String, Rule) {
    let names = match by {
        Some("kind") => ["oak", "elm", "ash"],
        _ => ["card 0", "card 1", "card 2"],
    };
    let all: Vec<Entry> = if random.percent(30) {
        [Query::is("traits", "sun"), Query::is("kind", "oak")].map(Entry::query).into()
    } else {
        names.map(Entry::name).into()
    };
    let apart = random.percent(40);
    let (cards, others) = all.split_at(if apart { 1 } else { all.len() });
    let (cards, others) = (cards.to_vec(), others.to_vec());
    let (most, copies) = (1 + random.below(2) as i64, random.percent(40));
    let list = |entries: &[Entry]| -> String {
        let all: Vec<String> = entries.iter().map(|entry| format!("{{{}}}", entry.text)).collect();
        all.join(", ")
    };
    let how = if apart {
        format!("not-with: [{}]", list(&others))
    } else {
        format!("at-most: {most}, count: {}", if copies { "copies" } else { "cards" })
    };
    let called = if random.percent(50) { ", called: marvel" } else { "" };
    let text = format!("  - {{cards: [{}], {how}{called}{}}}\n", list(&cards), scope(&of));
    let tag = match (apart, copies) {
        (true, _) => "list apart",
        (false, true) => "list group of copies",
        (false, false) => "list group",
    };
    let rule = Rule::new(tag, move |table| {
        let held = |entries: &[Entry]| -> Vec<i64> {
            let mut all: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
            for (key, cards) in entries.iter().flat_map(|entry| entry.ones(table, by)) {
                all.entry(key).or_default().extend(cards);
            }
            let copies = all.values().map(|cards| sum(table, cards, &of.0));
            copies.filter(|copies| *copies > 0).collect()
        };
        let own = held(&cards);
        over(match (apart, copies) {
            (true, _) => !own.is_empty() && !held(&others).is_empty(),
            (false, true) => own.iter().sum::<i64>() > most,
            (false, false) => own.len() as i64 > most,
        })
    });
    (text, rule)
}

fn rotation(random: &mut Random) -> Option<(String, Rule)> {
    // Sets that have not come, are there, or have gone.
    let days = ["from: 2026-01-02", "from: 2026-01-01, until: 2026-01-01", "until: 2025-12-31"];
    let mut known = SETS.map(|set| (set, random.below(3))).to_vec();
    known.retain(|_| random.percent(70));
    let others = random.percent(50);
    let by = random.pick(&[None, None, Some("title"), Some("kind")]);
    if known.is_empty() || random.percent(50) {
        return None;
    }
    let mut text =
        format!("rotation:\n  field: set\n  others: {}\n", if others { "in" } else { "out" });
    if let Some(by) = by {
        text += &format!("  by: {by}\n");
    }
    text += "  sets:\n";
    for (set, state) in &known {
        text += &format!("    - {{name: {set}, {}}}\n", days[*state]);
    }
    let tag = if by.is_some() { "list rotation of prints" } else { "list rotation" };
    let rule = Rule::new(tag, move |table| {
        let is_in = |set: &String| {
            let state = known.iter().find(|(known, _)| fold(known) == *set);
            state.map_or(others, |(_, state)| *state == 1)
        };
        let may = |card: &Card| {
            let sets = card.words("set");
            sets.is_empty() || sets.iter().any(is_in)
        };
        let held = table.held(&ALL, &Query::all());
        over(held.iter().any(|(at, _)| {
            let own = table.card(*at);
            let keys = by.map_or(BTreeSet::new(), |by| own.keys_or_name(&[by]));
            let mut one = table.world.cards.iter().enumerate().filter(|(other, card)| {
                other == at || by.is_some_and(|by| !card.keys_or_name(&[by]).is_disjoint(&keys))
            });
            !one.any(|(_, card)| may(card))
        }))
    });
    Some((text, rule))
}

/// Gives the world a list.
pub(crate) fn add(world: &mut World, random: &mut Random) {
    let by = random.pick(&[None, None, Some("title"), Some("kind")]);
    let mut names: BTreeSet<String> = match by {
        Some("title") => ["tall", "small"].map(str::to_owned).into(),
        Some(_) => ["oak", "elm", "ash"].map(str::to_owned).into(),
        None => BTreeSet::new(),
    };
    names.extend(world.cards.iter().map(|card| fold(&card.name)));
    let mut names: Vec<String> = names.into_iter().collect();
    let mut changes: Vec<Change> = Vec::new();
    if random.percent(40) {
        for _ in 0..random.below(4) {
            let change = Change::random(&names, random);
            let key = |one: &Change| (one.entry.text.clone(), one.field);
            if changes.iter().all(|known| key(known) != key(&change)) {
                changes.push(change);
            }
        }
    }
    // A name that says something already says nothing else.
    random.shuffle(&mut names);
    let mut asked = BTreeSet::new();
    let mut entries = |random: &mut Random| -> Vec<Entry> {
        let mut entries = Vec::new();
        for _ in 0..random.below(3).min(random.below(4)) {
            let query = simple(&WORLD, random);
            if random.percent(30) && asked.insert(query.text.clone()) {
                entries.push(Entry::query(query));
            } else if let Some(name) = names.pop() {
                entries.push(Entry::name(&name));
            }
        }
        entries
    };
    let sections =
        |random: &mut Random| Of(random.pick(&[vec![0, 1, 2], vec![0, 1, 2], vec![1], vec![1, 2]]));
    let mut text =
        "schema: decklaw/banlist/1\nid: list\ngame: world\nname: List\neffective: 2026-01-01\n"
            .to_owned();
    if let Some(by) = by {
        text += &format!("by: {by}\n");
    }
    let mut rules = vec![Rule::new("unknown-card", |_| None)];
    for (word, banned) in [("banned", true), ("restricted", false)] {
        text += &format!("{word}:\n");
        let mut limits = Vec::new();
        for entry in entries(random) {
            let (most, of) = (1 + random.below(3) as i64, sections(random));
            let copies = if banned { String::new() } else { format!(", copies: {most}") };
            text += &format!("  - {{{}{copies}{}}}\n", entry.text, scope(&of));
            limits.push((entry, if banned { 0 } else { most }, of));
        }
        rules.push(Rule::new(&format!("list {word}"), move |table| {
            over(limits.iter().any(|(entry, most, of)| {
                let ones = entry.ones(table, by);
                ones.values().any(|cards| sum(table, cards, &of.0) > *most)
            }))
        }));
    }
    let (limit, per_card) = (random.below(8) as i64, random.percent(50));
    let per = if per_card { "card" } else { "copy" };
    text += &format!("points:\n  limit: {limit}\n  per: {per}\n  cards:\n");
    let mut priced: Vec<(Entry, i64)> = Vec::new();
    for entry in entries(random) {
        let points = 1 + random.below(3) as i64;
        text += &format!("    - {{{}, points: {points}}}\n", entry.text);
        priced.push((entry, points));
    }
    // A name goes before queries.
    priced.sort_by_key(|(entry, _)| entry.is_query);
    rules.push(Rule::new("list points", move |table| {
        let (mut seen, mut points) = (BTreeSet::new(), 0);
        for (entry, each) in &priced {
            for mut cards in entry.ones(table, by).into_values() {
                if entry.is_query {
                    cards.retain(|card| !seen.contains(card));
                }
                seen.extend(cards.iter().copied());
                let copies = sum(table, &cards, &ALL);
                points += each * if per_card { copies.min(1) } else { copies };
            }
        }
        (points > limit).then_some(Fault::Over)
    }));
    let groups: Vec<(String, Rule)> = (0..random.below(3))
        .map(|_| {
            let of = sections(random);
            group(random, by, of)
        })
        .collect();
    if !groups.is_empty() {
        text += "groups:\n";
    }
    for (entry, rule) in groups {
        text += &entry;
        rules.push(rule);
    }
    if let Some((entry, rule)) = rotation(random) {
        text += &entry;
        rules.push(rule);
    }
    if !changes.is_empty() {
        text += "changes:\n";
    }
    for change in &changes {
        text += &format!("  - {{{}, {}}}\n", change.entry.text, change.text);
    }
    change(&mut world.cards, &changes, by);
    for (at, mut rule) in rules.into_iter().enumerate() {
        rule.id = format!("list{at}");
        world.rules.push(rule);
    }
    world.list = Some(text);
}
