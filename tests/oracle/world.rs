//! Worlds: a game, its cards and decks, and the slow judge that every test here asks.

use super::random::Random;
use decklaw::banlist::Banlist;
use decklaw::format::{Catalogue, Game, Rulebook};
use decklaw::pool::NameField;
use decklaw::resolve::Decklist;
use decklaw::rules::{Failing, Judgement, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// A name as cards are found by it: composed, white space collapsed, case folded.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() && !name.contains("  ") && name.trim() == name && !name.contains('\t') {
        // The same for plain names, sooner.
        return name.to_ascii_lowercase();
    }
    let composed: String = name.nfc().collect();
    let collapsed = composed.split_whitespace().collect::<Vec<_>>().join(" ");
    let upper = collapsed.chars().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).nfc().collect()
}

/// A card: its name, and the cells of its row. An unknown card has no cells.
#[derive(Clone, Default)]
pub(crate) struct Card {
    pub(crate) name: String,
    pub(crate) cells: BTreeMap<String, String>,
    pub(crate) queries: BTreeMap<&'static str, Query>,
    pub(crate) unknown: bool,
}

/// The fields of `[kind, cost]`.
fn together(fields: &str) -> Option<impl Iterator<Item = &str>> {
    let inner = fields.strip_prefix('[')?.strip_suffix(']')?;
    Some(inner.split(", "))
}

impl Card {
    pub(crate) fn cell(&self, field: &str) -> &str {
        self.cells.get(field).map_or("", String::as_str)
    }

    pub(crate) fn number(&self, field: &str) -> Option<i64> {
        self.cell(field).parse().ok()
    }

    /// The values of a field, or of all fields in brackets.
    pub(crate) fn words(&self, field: &str) -> BTreeSet<String> {
        if let Some(several) = together(field) {
            return several.flat_map(|field| self.words(field)).collect();
        }
        if field == "name" {
            return BTreeSet::from([fold(&self.name)]);
        }
        let words = self.cell(field).split(';').map(fold);
        words.filter(|word| !word.is_empty()).collect()
    }

    pub(crate) fn has(&self, field: &str, value: &str) -> bool {
        let mut words = self.cell(field).split(';');
        words.any(|word| word.trim().eq_ignore_ascii_case(value))
            || field == "name" && self.words(field).contains(value)
    }

    /// The names under which the card counts: values of fields, and of fields in brackets each
    /// combination of their values.
    pub(crate) fn keys(&self, by: &[&str]) -> BTreeSet<String> {
        let combined = |fields: &str| -> BTreeSet<String> {
            let Some(fields) = together(fields) else {
                return self.words(fields);
            };
            let mut all = BTreeSet::from([String::new()]);
            for field in fields {
                let mut own = self.words(field);
                if own.is_empty() {
                    own.insert(String::new());
                }
                let with = |before: &String| -> Vec<String> {
                    own.iter().map(|one| format!("{before}|{one}")).collect()
                };
                all = all.iter().flat_map(with).collect();
            }
            all.retain(|key| key.chars().any(|letter| letter != '|'));
            all
        };
        by.iter().flat_map(|fields| combined(fields)).collect()
    }

    pub(crate) fn keys_or_name(&self, by: &[&str]) -> BTreeSet<String> {
        let keys = self.keys(by);
        if keys.is_empty() { self.words("name") } else { keys }
    }
}

/// A card query: its text, and which cards it picks.
#[derive(Clone)]
pub(crate) struct Query {
    pub(crate) text: String,
    picks: Rc<dyn Fn(&Card) -> bool>,
}

impl Query {
    pub(crate) fn new(text: impl Into<String>, picks: impl Fn(&Card) -> bool + 'static) -> Query {
        Query { text: text.into(), picks: Rc::new(picks) }
    }

    pub(crate) fn all() -> Query {
        Query::new("", |_| true)
    }

    pub(crate) fn is(field: &'static str, value: &'static str) -> Query {
        Query::new(format!("{field}:{value}"), move |card| card.has(field, value))
    }

    pub(crate) fn picks(&self, card: &Card) -> bool {
        (self.picks)(card)
    }

    /// The key of a rule that limits it to these cards.
    pub(crate) fn key(&self) -> String {
        if self.text.is_empty() { String::new() } else { format!(", cards: '{}'", self.text) }
    }
}

/// Copies by section and card.
pub(crate) type Deck = Vec<Vec<i64>>;

/// What is wrong with a deck, the worst last. An unknown card leaves a rule open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    Open,
    Short,
    Over,
}

pub(crate) fn over(wrong: bool) -> Option<Fault> {
    wrong.then_some(Fault::Over)
}

pub(crate) fn range(number: i64, min: i64, max: i64) -> Option<Fault> {
    if number < min { Some(Fault::Short) } else { over(number > max) }
}

pub(crate) type Check = Rc<dyn Fn(&Table<'_>) -> Option<Fault>>;
pub(crate) type Condition = Rc<dyn Fn(&Table<'_>) -> bool>;

/// A rule: how the game file writes it, and what it means.
#[derive(Clone)]
pub(crate) struct Rule {
    pub(crate) id: String,
    /// The kind, by which tests count what they met.
    pub(crate) tag: String,
    pub(crate) text: String,
    pub(crate) warns: bool,
    /// The section that lets in only these cards.
    pub(crate) gate: Option<(usize, Query)>,
    pub(crate) conditions: Vec<Condition>,
    /// Conditions of the parts of a sum.
    pub(crate) parts: Vec<Condition>,
    pub(crate) check: Check,
}

impl Rule {
    pub(crate) fn new(id: &str, check: impl Fn(&Table<'_>) -> Option<Fault> + 'static) -> Rule {
        Rule {
            id: id.to_owned(),
            tag: id.to_owned(),
            text: String::new(),
            warns: false,
            gate: None,
            conditions: Vec::new(),
            parts: Vec::new(),
            check: Rc::new(check),
        }
    }

    pub(crate) fn gate(id: &str, section: usize, cards: Query) -> Rule {
        let refused = cards.clone();
        let mut rule = Rule::new(id, move |table| {
            let wrong = |(card, _): &(usize, i64)| !refused.picks(table.card(*card));
            over(table.held(&[section], &Query::all()).iter().any(wrong))
        });
        rule.gate = Some((section, cards));
        rule
    }
}

#[derive(Clone, Default)]
pub(crate) struct World {
    pub(crate) format: String,
    /// The game file; `None`: that of a game that is built in.
    pub(crate) text: Option<String>,
    pub(crate) csv: Option<String>,
    pub(crate) list: Option<String>,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) sections: Vec<&'static str>,
    /// The cards as they are judged.
    pub(crate) cards: Vec<Card>,
    pub(crate) rules: Vec<Rule>,
}

/// What the slow judge finds, by the ids of rules.
#[derive(Debug, Default)]
pub(crate) struct SolvedDeck {
    pub(crate) errors: BTreeMap<String, Fault>,
    pub(crate) warnings: BTreeSet<String>,
    pub(crate) open: BTreeSet<String>,
}

/// A deck in a world, without the cards that its sections refuse.
pub(crate) struct Table<'w> {
    pub(crate) world: &'w World,
    deck: Deck,
}

impl Table<'_> {
    pub(crate) fn card(&self, card: usize) -> &Card {
        &self.world.cards[card]
    }

    pub(crate) fn copies(&self, sections: &[usize], card: usize) -> i64 {
        sections.iter().map(|section| self.deck[*section][card]).sum()
    }

    /// The cards that sections hold, and their copies.
    pub(crate) fn held(&self, sections: &[usize], cards: &Query) -> Vec<(usize, i64)> {
        (0..self.world.cards.len())
            .map(|card| (card, self.copies(sections, card)))
            .filter(|(card, copies)| *copies > 0 && cards.picks(self.card(*card)))
            .collect()
    }

    pub(crate) fn count(&self, sections: &[usize], cards: &Query) -> i64 {
        let held = self.held(sections, cards);
        held.iter().map(|(_, copies)| copies).sum()
    }

    pub(crate) fn sum(&self, sections: &[usize], cards: &Query, field: &str) -> i64 {
        let held = self.held(sections, cards).into_iter();
        held.map(|(card, copies)| copies * self.card(card).number(field).unwrap_or(0)).sum()
    }

    pub(crate) fn has_unknown(&self, section: usize) -> bool {
        self.count(&[section], &Query::new("", |card| card.unknown)) > 0
    }

    pub(crate) fn shares(&self, one: &[usize], other: &[usize]) -> bool {
        let held = self.held(one, &Query::all());
        held.iter().any(|(card, _)| self.copies(other, *card) > 0)
    }
}

impl World {
    pub(crate) fn table(&self, deck: &Deck) -> Table<'_> {
        Table { world: self, deck: deck.clone() }
    }

    fn see(&self, deck: &Deck, see: &mut dyn FnMut(&Rule, Fault)) {
        // What sections refuse takes no part in other rules.
        let mut table = self.table(deck);
        let gates = self.rules.iter().filter(|rule| rule.conditions.is_empty());
        for (rule, (section, cards)) in gates.filter_map(|rule| Some((rule, rule.gate.as_ref()?))) {
            for (card, own) in self.cards.iter().enumerate() {
                if deck[*section][card] > 0 && !own.unknown && !cards.picks(own) {
                    table.deck[*section][card] = 0;
                    see(rule, Fault::Over);
                }
            }
        }
        for rule in &self.rules {
            let is_gate = rule.gate.is_some() && rule.conditions.is_empty();
            if !is_gate
                && rule.conditions.iter().all(|holds| holds(&table))
                && let Some(fault) = (rule.check)(&table)
            {
                see(rule, fault);
            }
        }
    }

    pub(crate) fn judge(&self, deck: &Deck) -> SolvedDeck {
        let mut found = SolvedDeck::default();
        self.see(deck, &mut |rule, fault| {
            let id = rule.id.clone();
            if fault == Fault::Open {
                found.open.insert(id);
            } else if rule.warns {
                found.warnings.insert(id);
            } else {
                let worst = found.errors.entry(id).or_insert(fault);
                *worst = fault.max(*worst);
            }
        });
        found
    }

    pub(crate) fn is_legal(&self, deck: &Deck) -> bool {
        self.judge(deck).errors.is_empty()
    }

    pub(crate) fn empty(&self) -> Deck {
        vec![vec![0; self.cards.len()]; self.sections.len()]
    }

    /// The places where a card may be at all, or is.
    pub(crate) fn places(&self, deck: &Deck) -> Vec<(usize, usize)> {
        let is_let_in = |section: usize, card: usize| {
            self.rules.iter().all(|rule| match &rule.gate {
                Some((of, cards)) if *of == section && rule.conditions.is_empty() => {
                    cards.picks(&self.cards[card])
                }
                _ => true,
            })
        };
        let all = (0..self.sections.len()).flat_map(|section| {
            let cards = 0..self.cards.len();
            cards.map(move |card| (section, card))
        });
        all.filter(|(section, card)| {
            let known = !self.cards[*card].unknown;
            known && (deck[*section][*card] > 0 || is_let_in(*section, *card))
        })
        .collect()
    }

    /// The distance of the nearest legal deck that is as asked, if it is within reach and the
    /// decks to try are few enough, found by trying all. `Err`: they are too many.
    pub(crate) fn nearest(
        &self,
        deck: &Deck,
        reach: i64,
        is: &dyn Fn(&Deck) -> bool,
    ) -> Result<Option<i64>, i64> {
        let places = self.places(deck);
        let mut budget = 4_000;
        for distance in 0..=reach {
            let mut tried = deck.clone();
            match self.any_at(deck, &places, &mut tried, distance, &mut budget, is) {
                Some(true) => return Ok(Some(distance)),
                Some(false) => {}
                None => return Err(distance),
            }
        }
        Ok(None)
    }

    fn any_at(
        &self,
        deck: &Deck,
        places: &[(usize, usize)],
        tried: &mut Deck,
        left: i64,
        budget: &mut u32,
        is: &dyn Fn(&Deck) -> bool,
    ) -> Option<bool> {
        if left == 0 {
            *budget = budget.checked_sub(1)?;
            return Some(is(tried) && self.is_legal(tried));
        }
        for (at, (section, card)) in places.iter().enumerate() {
            let held = deck[*section][*card];
            for by in 1..=left {
                for copies in [held - by, held + by] {
                    if copies < 0 {
                        continue;
                    }
                    tried[*section][*card] = copies;
                    let rest = &places[at + 1..];
                    if self.any_at(deck, rest, tried, left - by, budget, is)? {
                        return Some(true);
                    }
                }
            }
            tried[*section][*card] = held;
        }
        Some(false)
    }

    /// A few cards anywhere.
    pub(crate) fn garbage(&self, random: &mut Random) -> Deck {
        let mut deck = self.empty();
        let places = (self.sections.len() * self.cards.len()).min(14);
        let most = random.pick(&[1, 2, 3, 5]);
        for _ in 0..random.below(places) {
            let section = random.below(self.sections.len());
            let card = random.below(self.cards.len());
            deck[section][card] =
                i64::from(!self.cards[card].unknown) * (1 + random.below(most) as i64);
        }
        deck
    }

    /// Copies more and fewer, cards in other sections or in the place of others, sections without
    /// cards: what brings a deck to its limits and over them.
    pub(crate) fn edited(&self, deck: &Deck, edits: usize, random: &mut Random) -> Deck {
        let mut deck = deck.clone();
        for _ in 0..edits {
            let mut held = Vec::new();
            for (section, cards) in deck.iter().enumerate() {
                let cards = (0..cards.len()).filter(|card| cards[*card] > 0);
                held.extend(cards.map(|card| (section, card)));
            }
            let places = self.places(&deck);
            let (to, new) = if random.percent(75) {
                random.pick(&places)
            } else {
                (random.below(self.sections.len()), random.below(self.cards.len()))
            };
            if held.is_empty() {
                deck[to][new] += 1;
                continue;
            }
            let (section, card) = random.pick(&held);
            match random.below(13) {
                0 | 1 => deck[section][card] -= 1,
                2 => deck[section][card] += 1,
                3 | 4 => deck[to][new] += 1,
                5 => deck[section][card] = 1 + random.below(7) as i64,
                6 => {
                    deck[section][card] -= 1;
                    deck[to][card] += 1;
                }
                7 => deck[to][card] += 1,
                8 => deck[to][new] += std::mem::take(&mut deck[section][card]),
                9 if random.percent(15) => deck[section].fill(0),
                10 if random.percent(60) => {
                    // Many cards more in one section, for sizes and their advice.
                    let mut places = places;
                    places.retain(|(section, card)| *section == to && deck[to][*card] == 0);
                    for _ in 0..1 + random.below(25) {
                        if !places.is_empty() {
                            deck[to][random.pick(&places).1] += 1;
                        }
                    }
                }
                11 => {
                    if let Some(unknown) = self.cards.iter().position(|card| card.unknown) {
                        deck[to][unknown] += 1 + random.below(2) as i64;
                    }
                }
                _ => {
                    deck[section][card] -= 1;
                    let (to, new) = random.pick(&places);
                    deck[to][new] += 1;
                }
            }
        }
        deck
    }

    pub(crate) fn rulebook(&self) -> Arc<Rulebook> {
        let catalogue = Catalogue::built_in();
        let game = match &self.text {
            Some(text) => Arc::new(Game::read("world.yaml", text).unwrap_or_else(|error| {
                panic!("{text}\n{:?}", error.problems);
            })),
            None => Arc::clone(catalogue.format(&self.format).unwrap().game()),
        };
        let csv = match &self.csv {
            Some(csv) => csv.as_bytes(),
            None => catalogue.cards(game.id()).unwrap().1,
        };
        let pool = Arc::new(game.read_cards(csv).unwrap());
        let formats = game.formats();
        let format = formats.iter().find(|known| known.id() == self.format);
        let list = self.list.as_ref().map(|text| {
            let read = Banlist::read("list.yaml", text.as_bytes());
            Arc::new(read.unwrap_or_else(|error| panic!("{text}\n{:?}", error.problems)))
        });
        let made = Rulebook::new(format.unwrap(), pool, list, &self.settings);
        Arc::new(made.unwrap_or_else(|error| panic!("{}\n{error}", self.why())))
    }

    pub(crate) fn list(&self, rulebook: &Arc<Rulebook>, deck: &Deck) -> Decklist {
        let mut list = Decklist::empty(Arc::clone(rulebook));
        for (section, cards) in deck.iter().enumerate() {
            for (card, copies) in cards.iter().enumerate().filter(|(_, copies)| **copies > 0) {
                let card = rulebook
                    .pool()
                    .look_up(&self.cards[card].name, NameField::Name)
                    .card()
                    .unwrap();
                list.set(section as u16, card, *copies);
            }
        }
        list
    }

    pub(crate) fn deck(&self, list: &Decklist) -> Deck {
        let of = |section: usize| {
            let copies = |card: &Card| match list.find(&card.name) {
                Some(card) => list.copies(section as u16, card),
                None => 0,
            };
            self.cards.iter().map(copies).collect()
        };
        (0..self.sections.len()).map(of).collect()
    }

    /// The rule's own id; of a list's rules their places behind the game's.
    pub(crate) fn id(&self, rulebook: &Rulebook, at: usize) -> String {
        let id = &rulebook.rules()[at].id;
        if self.format != "world" || id.starts_with('r') && id[1..].parse::<u32>().is_ok() {
            return id.clone();
        }
        let own = self.rules.iter().filter(|rule| rule.id.starts_with('r'));
        format!("list{}", at - own.count())
    }

    /// The rules that the library finds broken.
    pub(crate) fn broken(&self, rulebook: &Rulebook, judged: &[Judgement]) -> BTreeSet<String> {
        let errors = judged
            .iter()
            .filter(|found| rulebook.severity(found) == Severity::Error)
            .filter(|found| found.violation.failing != Failing::Unverified);
        errors.map(|found| self.id(rulebook, found.rule)).collect()
    }

    pub(crate) fn why(&self) -> String {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        let (text, list, csv) = (part(&self.text), part(&self.list), part(&self.csv));
        format!("{}\n{text}\n{list}\n{csv}", self.format)
    }
}
