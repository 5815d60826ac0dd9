//! Random banlists, and what they say, as loops over the cards of a deck.

use super::change::{Change, changed};
use super::judge::Table;
use super::{Card, Query, SECTIONS, World};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const SETS: [&str; 3] = ["Dawn", "Noon", "Dusk"];

#[derive(Debug, Clone)]
enum Pick {
    Name(String),
    Cards(Query),
}

#[derive(Debug, Clone)]
struct Group {
    cards: Vec<Pick>,
    not_with: Vec<Pick>,
    most: i64,
    copies: bool,
    called: bool,
    sections: Vec<usize>,
}

#[derive(Debug, Clone)]
pub(crate) struct List {
    by: Option<&'static str>,
    banned: Vec<(Pick, Vec<usize>)>,
    restricted: Vec<(Pick, i64, Vec<usize>)>,
    points: Vec<(Pick, i64)>,
    limit: i64,
    per_card: bool,
    groups: Vec<Group>,
    /// Each set, and whether it has not come, is there, or has gone.
    sets: Vec<(&'static str, i64)>,
    others: bool,
    rotates: bool,
    /// The field whose values make cards one to the rotation.
    anew: Option<&'static str>,
    changes: Vec<Change>,
}

const ALL: [usize; 3] = [0, 1, 2];

impl Pick {
    fn text(&self) -> String {
        match self {
            Pick::Name(name) => format!("name: {name}"),
            Pick::Cards(query) => format!("cards: '{}'", query.text()),
        }
    }
}

fn scope(sections: &[usize]) -> String {
    let names: Vec<&str> = sections.iter().map(|section| SECTIONS[*section]).collect();
    match names.len() {
        3 => String::new(),
        _ => format!(", sections: [{}]", names.join(", ")),
    }
}

impl List {
    pub(super) fn random(world: &World, random: &mut Random) -> List {
        let by = *random.pick(&[None, None, Some("title"), Some("kind")]);
        let mut names: BTreeSet<String> = match by {
            Some("title") => BTreeSet::from(["tall".into(), "small".into()]),
            Some(_) => BTreeSet::from(["oak".into(), "elm".into(), "ash".into()]),
            None => BTreeSet::new(),
        };
        names.extend(world.cards.iter().map(|card| card.name.to_lowercase()));
        let mut names: Vec<String> = names.into_iter().collect();
        let changes = match random.percent(40) {
            true => Change::some(&names, random),
            false => Vec::new(),
        };
        // A name that says something already says nothing else.
        let mut asked = BTreeSet::new();
        let mut pick = |random: &mut Random| loop {
            if random.percent(30) || names.is_empty() {
                let query = Query::random(random);
                if query != Query::All && asked.insert(query.text()) {
                    return Pick::Cards(query);
                }
                if asked.len() > 8 {
                    return Pick::Cards(Query::CostFrom(100 + asked.len() as i64));
                }
                continue;
            }
            let at = random.below(names.len());
            return Pick::Name(names.remove(at));
        };
        let sections = |random: &mut Random| -> Vec<usize> {
            random
                .pick(&[ALL.to_vec(), ALL.to_vec(), vec![1], vec![1, 2]])
                .clone()
        };
        let some = |random: &mut Random| random.below(3).min(random.below(3));
        let mut list = List {
            by,
            banned: (0..some(random))
                .map(|_| (pick(random), sections(random)))
                .collect(),
            restricted: (0..some(random))
                .map(|_| (pick(random), 1 + random.below(3) as i64, sections(random)))
                .collect(),
            points: (0..random.below(3))
                .map(|_| (pick(random), 1 + random.below(3) as i64))
                .collect(),
            limit: random.below(8) as i64,
            per_card: random.percent(50),
            groups: Vec::new(),
            sets: Vec::new(),
            others: random.percent(50),
            rotates: random.percent(50),
            anew: *random.pick(&[None, None, Some("title"), Some("kind")]),
            changes,
        };
        for _ in 0..random.below(3) {
            let all: Vec<Pick> = match by {
                _ if random.percent(30) => {
                    vec![
                        Pick::Cards(Query::Trait("sun")),
                        Pick::Cards(Query::Kind("oak")),
                    ]
                }
                Some("kind") => ["oak", "elm", "ash"].map(|of| Pick::Name(of.into())).into(),
                _ => (0..3).map(|at| Pick::Name(format!("card {at}"))).collect(),
            };
            let apart = random.percent(40);
            let cut = if apart { 1 } else { all.len() };
            list.groups.push(Group {
                cards: all[..cut].to_vec(),
                not_with: all[cut..].to_vec(),
                most: 1 + random.below(2) as i64,
                copies: random.percent(40),
                called: random.percent(50),
                sections: sections(random),
            });
        }
        for set in SETS {
            if random.percent(70) {
                list.sets.push((set, random.below(3) as i64 - 1));
            }
        }
        list.rotates &= !list.sets.is_empty();
        list
    }

    /// Its rules, by their places behind each other.
    pub(super) fn names(&self) -> Vec<(usize, String)> {
        let mut names = vec!["list banned", "list restricted", "list points"];
        for group in &self.groups {
            names.push(match (group.not_with.is_empty(), group.copies) {
                (false, _) => "list apart",
                (true, true) => "list group of copies",
                (true, false) => "list group",
            });
        }
        if self.rotates {
            names.push(match self.anew {
                Some(_) => "list rotation of prints",
                None => "list rotation",
            });
        }
        names.into_iter().map(str::to_owned).enumerate().collect()
    }

    pub(super) fn text(&self) -> String {
        let mut text =
            "schema: decklaw/banlist/1\nid: list\ngame: world\nname: List\neffective: 2026-01-01\n"
                .to_owned();
        if let Some(by) = self.by {
            text += &format!("by: {by}\n");
        }
        text += "banned:\n";
        for (pick, sections) in &self.banned {
            text += &format!("  - {{{}{}}}\n", pick.text(), scope(sections));
        }
        text += "restricted:\n";
        for (pick, copies, sections) in &self.restricted {
            text += &format!(
                "  - {{{}, copies: {copies}{}}}\n",
                pick.text(),
                scope(sections)
            );
        }
        let per = if self.per_card { "card" } else { "copy" };
        text += &format!("points:\n  limit: {}\n  per: {per}\n  cards:\n", self.limit);
        for (pick, points) in &self.points {
            text += &format!("    - {{{}, points: {points}}}\n", pick.text());
        }
        if !self.groups.is_empty() {
            text += "groups:\n";
        }
        for group in &self.groups {
            let picks = |picks: &[Pick]| -> String {
                let all: Vec<String> = picks
                    .iter()
                    .map(|pick| format!("{{{}}}", pick.text()))
                    .collect();
                all.join(", ")
            };
            let how = match group.not_with.is_empty() {
                false => format!("not-with: [{}]", picks(&group.not_with)),
                true => format!(
                    "at-most: {}, count: {}",
                    group.most,
                    if group.copies { "copies" } else { "cards" }
                ),
            };
            let called = if group.called { ", called: marvel" } else { "" };
            let cards = picks(&group.cards);
            let scope = scope(&group.sections);
            text += &format!("  - {{cards: [{cards}], {how}{called}{scope}}}\n");
        }
        if self.rotates {
            let others = if self.others { "in" } else { "out" };
            text += &format!("rotation:\n  field: set\n  others: {others}\n");
            if let Some(by) = self.anew {
                text += &format!("  by: {by}\n");
            }
            text += "  sets:\n";
            for (set, state) in &self.sets {
                let days = match state {
                    -1 => "from: 2026-01-02",
                    0 => "from: 2026-01-01, until: 2026-01-01",
                    _ => "until: 2025-12-31",
                };
                text += &format!("    - {{name: {set}, {days}}}\n");
            }
        }
        if !self.changes.is_empty() {
            text += "changes:\n";
        }
        text + &self.changes.iter().map(Change::text).collect::<String>()
    }

    /// The cards as it has them.
    pub(super) fn changed(&self, printed: &[Card]) -> Vec<Card> {
        changed(&self.changes, self.by, printed)
    }

    /// What a pick means: cards that are one to the list, by what they are called.
    fn ones(&self, pick: &Pick, table: &Table<'_>) -> BTreeMap<String, Vec<usize>> {
        let mut ones: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, card) in table.world.cards.iter().enumerate() {
            let keys = match self.by {
                Some(by) => table.keys_or_name(at, &[by]),
                None => BTreeSet::from([card.name.to_lowercase()]),
            };
            for key in keys {
                let picked = match pick {
                    Pick::Name(name) => key == *name,
                    Pick::Cards(query) => query.picks(card),
                };
                if picked {
                    ones.entry(key).or_default().push(at);
                }
            }
        }
        ones
    }

    /// The rules that a deck breaks, by their places behind each other.
    pub(super) fn broken(&self, table: &Table<'_>) -> Vec<usize> {
        let sum = |cards: &[usize], sections: &[usize]| -> i64 {
            cards.iter().map(|card| table.copies(sections, *card)).sum()
        };
        let mut broken = Vec::new();
        let over = |pick: &Pick, most: i64, sections: &[usize]| {
            let ones = self.ones(pick, table);
            ones.values().any(|cards| sum(cards, sections) > most)
        };
        if self
            .banned
            .iter()
            .any(|(pick, sections)| over(pick, 0, sections))
        {
            broken.push(0);
        }
        if self
            .restricted
            .iter()
            .any(|(pick, most, sections)| over(pick, *most, sections))
        {
            broken.push(1);
        }
        let (mut priced, mut points) = (BTreeSet::new(), 0);
        let named = |(pick, _): &&(Pick, i64)| matches!(pick, Pick::Name(_));
        let queries = self.points.iter().filter(|entry| !named(entry));
        for (pick, each) in self.points.iter().filter(named).chain(queries) {
            for mut cards in self.ones(pick, table).into_values() {
                if matches!(pick, Pick::Cards(_)) {
                    cards.retain(|card| !priced.contains(card));
                }
                priced.extend(cards.iter().copied());
                let copies = sum(&cards, &ALL);
                points += each * if self.per_card { copies.min(1) } else { copies };
            }
        }
        if points > self.limit {
            broken.push(2);
        }
        for (at, group) in self.groups.iter().enumerate() {
            let held = |picks: &[Pick]| -> (i64, i64) {
                let mut all: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
                for (key, cards) in picks.iter().flat_map(|pick| self.ones(pick, table)) {
                    all.entry(key).or_default().extend(cards);
                }
                let copies = all.values().map(|cards| {
                    let cards: Vec<usize> = cards.iter().copied().collect();
                    sum(&cards, &group.sections)
                });
                let copies: Vec<i64> = copies.filter(|copies| *copies > 0).collect();
                (copies.len() as i64, copies.iter().sum())
            };
            let (ones, copies) = held(&group.cards);
            let wrong = match group.not_with.is_empty() {
                false => ones > 0 && held(&group.not_with).0 > 0,
                true if group.copies => copies > group.most,
                true => ones > group.most,
            };
            if wrong {
                broken.push(3 + at);
            }
        }
        let legal = |set: &&str| {
            let known = self.sets.iter().find(|(known, _)| known == set);
            known.map_or(self.others, |(_, state)| *state == 0)
        };
        let keys = |at: usize| self.anew.map(|by| table.keys_or_name(at, &[by]));
        let out = |at: &usize| {
            let one = |other: &usize| match (keys(*at), keys(*other)) {
                (Some(own), Some(others)) => !own.is_disjoint(&others),
                _ => other == at,
            };
            let all: Vec<&super::Card> = (0..table.world.cards.len())
                .filter(one)
                .map(|other| &table.world.cards[other])
                .collect();
            let may = |card: &&super::Card| card.sets.is_empty() || card.sets.iter().any(&legal);
            table.copies(&ALL, *at) > 0 && !all.iter().any(may)
        };
        if self.rotates && (0..table.world.cards.len()).any(|at| out(&at)) {
            broken.push(3 + self.groups.len());
        }
        broken
    }
}
