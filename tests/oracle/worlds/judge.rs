//! The plain judge of random formats: each kind of rule as loops over the cards of a deck.

use super::{Amount, Card, Deck, Kind, Part, Query, Range, Relation, Test, World};
use std::collections::{BTreeMap, BTreeSet};

impl Query {
    /// Whether it picks a card.
    pub(super) fn picks(&self, card: &Card) -> bool {
        match self {
            Query::All => true,
            Query::Kind(kind) => card.kind == *kind,
            Query::NotKind(kind) => card.kind != *kind,
            Query::Trait(word) => card.traits.contains(word),
            Query::CostFrom(least) => card.cost.is_some_and(|cost| cost >= *least),
        }
    }
}

/// The fields of `[kind, cost]`.
fn together(fields: &str) -> Option<impl Iterator<Item = &str>> {
    let inner = fields.strip_prefix('[')?.strip_suffix(']')?;
    Some(inner.split(", "))
}

/// What is wrong with a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Short,
    Over,
}

/// A deck in a world.
pub(super) struct Table<'w> {
    pub(super) world: &'w World,
    deck: &'w Deck,
}

impl World {
    /// The rules that a deck breaks, and whether each is only a shortfall.
    pub(crate) fn judge(&self, deck: &Deck) -> BTreeMap<usize, bool> {
        // What sections refuse takes no part in other rules.
        let mut rest = deck.clone();
        let mut broken = BTreeMap::new();
        for (at, rule) in self.rules.iter().enumerate() {
            let gate = rule.conditions.is_empty();
            if let (Kind::Accept(section, query), true) = (&rule.kind, gate) {
                for (card, copies) in deck[*section].iter().enumerate() {
                    if *copies > 0 && !query.picks(&self.cards[card]) {
                        rest[*section][card] = 0;
                        broken.insert(at, false);
                    }
                }
            }
        }
        let table = Table {
            world: self,
            deck: &rest,
        };
        for (at, rule) in self.rules.iter().enumerate() {
            if matches!(rule.kind, Kind::Accept(..)) && rule.conditions.is_empty() {
                continue;
            }
            let holds = |test: &Test| table.holds(test);
            if !rule.conditions.iter().all(|any| any.iter().any(holds)) {
                continue;
            }
            let faults = table.faults(&rule.kind);
            if !faults.is_empty() {
                broken.insert(at, faults.iter().all(|fault| *fault == Fault::Short));
            }
        }
        for at in self.list.iter().flat_map(|list| list.broken(&table)) {
            broken.insert(self.rules.len() + 1 + at, false);
        }
        broken
    }
}

impl World {
    /// Whether each condition of a rule holds, and each part of its sum is asked, of a deck of
    /// which no section refuses a card.
    pub(super) fn conditions_held(&self, at: usize, deck: &Deck) -> Vec<bool> {
        let table = Table { world: self, deck };
        let any = |any: &Vec<Test>| any.iter().any(|test| table.holds(test));
        let rule = &self.rules[at];
        let mut held: Vec<bool> = rule.conditions.iter().map(any).collect();
        if let Kind::Total { parts, .. } = &rule.kind {
            let conditional = parts.iter().filter(|part| !part.conditions.is_empty());
            held.extend(conditional.map(|part| part.conditions.iter().all(any)));
        }
        held
    }
}

impl Table<'_> {
    pub(super) fn copies(&self, sections: &[usize], card: usize) -> i64 {
        let own: BTreeSet<usize> = sections.iter().copied().collect();
        own.iter().map(|section| self.deck[*section][card]).sum()
    }

    /// The cards that sections hold, and their copies.
    fn held(&self, sections: &[usize], query: &Query) -> Vec<(usize, i64)> {
        let cards = 0..self.world.cards.len();
        cards
            .filter(|card| query.picks(&self.world.cards[*card]))
            .map(|card| (card, self.copies(sections, card)))
            .filter(|(_, copies)| *copies > 0)
            .collect()
    }

    fn holds(&self, test: &Test) -> bool {
        test.not != self.stands(test)
    }

    fn stands(&self, test: &Test) -> bool {
        let held = self.held(&test.sections, &test.cards);
        let count: i64 = held.iter().map(|(_, copies)| copies).sum();
        count >= test.least.unwrap_or(0) && test.most.is_none_or(|most| count <= most)
    }

    pub(super) fn field(&self, card: usize, field: &str) -> Option<i64> {
        let card = &self.world.cards[card];
        if field == "cost" {
            card.cost
        } else {
            card.limit
        }
    }

    /// What a bound comes to; `None`: there is none.
    fn amount(&self, amount: &Amount, own: Option<usize>) -> Option<i64> {
        match amount {
            Amount::Number(number) => Some(*number),
            Amount::Sum(parts) => {
                let mut sum = 0;
                for part in parts {
                    sum += self.amount(part, own)?;
                }
                Some(sum)
            }
            Amount::Own { field, otherwise } => self.field(own.unwrap(), field).or(*otherwise),
            Amount::Cards {
                base,
                of,
                field,
                cards,
                per,
                round,
                times,
                otherwise,
            } => {
                let mut total = 0;
                let mut any = false;
                for (card, copies) in self.held(of, cards) {
                    let number = match field {
                        None => Some(1),
                        Some(field) => self.field(card, field),
                    };
                    any |= number.is_some();
                    total += number.unwrap_or(0) * copies;
                }
                if field.is_some() && base.is_none() && !any {
                    return *otherwise;
                }
                let quotient = total as f64 / *per as f64;
                let whole = match *round {
                    "up" => quotient.ceil(),
                    "nearest" => (quotient + 0.5).floor(),
                    _ => quotient.floor(),
                };
                Some(base.unwrap_or(0) + times * whole as i64)
            }
        }
    }

    fn range(&self, number: i64, range: &Range) -> Vec<Fault> {
        let (min, max) = match &range.exactly {
            Some(exactly) => (Some(exactly), Some(exactly)),
            None => (range.min.as_ref(), range.max.as_ref()),
        };
        let min = min.and_then(|min| self.amount(min, None));
        let max = max.and_then(|max| self.amount(max, None));
        if min.is_some_and(|min| number < min) {
            vec![Fault::Short]
        } else if max.is_some_and(|max| number > max) {
            vec![Fault::Over]
        } else {
            Vec::new()
        }
    }

    /// The names under which a card counts.
    pub(super) fn keys(&self, card: usize, by: &[&str]) -> BTreeSet<String> {
        let own = &self.world.cards[card];
        let mut keys = BTreeSet::new();
        for field in by {
            if let Some(together) = together(field) {
                let mut all = BTreeSet::from([String::new()]);
                for field in together {
                    let mut own = self.keys(card, &[field]);
                    if own.is_empty() {
                        own.insert(String::new());
                    }
                    let with = |before: &String| -> Vec<String> {
                        own.iter()
                            .map(|value| format!("{before}|{value}"))
                            .collect()
                    };
                    all = all.iter().flat_map(with).collect();
                }
                let says = |key: &String| key.chars().any(|letter| letter != '|');
                keys.extend(all.into_iter().filter(says));
                continue;
            }
            match *field {
                "name" => keys.extend([own.name.to_lowercase()]),
                "title" if own.title.is_empty() => {}
                "title" => keys.extend([own.title.to_lowercase()]),
                "kind" if own.kind.is_empty() => {}
                "kind" => keys.extend([own.kind.to_owned()]),
                "cost" => keys.extend(own.cost.map(|cost| cost.to_string())),
                _ => keys.extend(own.traits.iter().map(|word| (*word).to_owned())),
            }
        }
        keys
    }

    /// A card's values of a field that count; `among` none: all.
    fn keys_among(&self, card: usize, field: &str, among: &[&str]) -> BTreeSet<String> {
        let mut keys = self.keys(card, &[field]);
        keys.retain(|key| among.is_empty() || among.contains(&key.as_str()));
        keys
    }

    pub(super) fn keys_or_name(&self, card: usize, by: &[&str]) -> BTreeSet<String> {
        let keys = self.keys(card, by);
        match keys.is_empty() {
            true => self.keys(card, &["name"]),
            false => keys,
        }
    }

    fn words(&self, card: usize, field: &str) -> Vec<String> {
        if let Some(several) = together(field) {
            return several.flat_map(|field| self.words(card, field)).collect();
        }
        let card = &self.world.cards[card];
        let words = match field {
            "kind" => vec![card.kind],
            "title" => vec![card.title],
            "name" => vec![card.name.as_str()],
            _ => card.traits.clone(),
        };
        let words = words.into_iter().map(str::to_lowercase);
        words.filter(|word| !word.is_empty()).collect()
    }

    fn heads(&self, relation: &Relation) -> Vec<(usize, i64)> {
        self.held(&relation.by, &relation.picked)
    }

    /// Whether a card agrees with those that speak.
    fn agrees(&self, card: usize, heads: &[(usize, i64)], relation: &Relation) -> bool {
        match relation.field {
            Some(field) => {
                let among: BTreeSet<String> = heads
                    .iter()
                    .flat_map(|(head, _)| self.words(*head, relation.among))
                    .collect();
                let words = self.words(card, field);
                match relation.all {
                    true => words.iter().all(|word| among.contains(word)),
                    false => words.iter().any(|word| among.contains(word)),
                }
            }
            None => {
                let permits = |(head, _): &(usize, i64)| {
                    let head = &self.world.cards[*head];
                    let lets = head.lets.as_ref().filter(|_| relation.lets);
                    let mut says = head.allows.iter().chain(lets).peekable();
                    if says.peek().is_none() {
                        return !relation.empty;
                    }
                    says.any(|query| query.picks(&self.world.cards[card]))
                };
                match relation.all {
                    true => !heads.is_empty() && heads.iter().all(permits),
                    false => heads.iter().any(permits),
                }
            }
        }
    }

    /// The faults of cards that must agree; none where nobody speaks, or it is unclear who.
    fn disagreeing(&self, sections: &[usize], cards: &Query, relation: &Relation) -> Vec<Fault> {
        let heads = self.heads(relation);
        let copies: i64 = heads.iter().map(|(_, copies)| copies).sum();
        let speaks = !heads.is_empty() || relation.nobody;
        if !speaks || (relation.alone && copies > 1) {
            return Vec::new();
        }
        let held = self.held(sections, cards);
        let wrong = held
            .iter()
            .any(|(card, _)| !self.agrees(*card, &heads, relation));
        if wrong { vec![Fault::Over] } else { Vec::new() }
    }

    /// Whether copies can be shared out over options, by trying every way: first a copy of the
    /// first card, then the rest.
    fn shared_out(&self, left: &[(usize, i64)], room: &mut [(Query, Option<i64>)]) -> bool {
        let Some(((card, copies), rest)) = left.split_first() else {
            return true;
        };
        if *copies == 0 {
            return self.shared_out(rest, room);
        }
        let mut left = left.to_vec();
        left[0].1 -= 1;
        for at in 0..room.len() {
            let fits = room[at].0.picks(&self.world.cards[*card]);
            match (fits, room[at].1) {
                (false, _) | (true, Some(..=0)) => {}
                (true, None) => return self.shared_out(rest, room),
                (true, Some(before)) => {
                    room[at].1 = Some(before - 1);
                    let shared = self.shared_out(&left, room);
                    room[at].1 = Some(before);
                    if shared {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn faults(&self, kind: &Kind) -> Vec<Fault> {
        let over = |wrong: bool| if wrong { vec![Fault::Over] } else { Vec::new() };
        match kind {
            Kind::Several(true, parts) => {
                over(parts.iter().all(|part| !self.faults(part).is_empty()))
            }
            Kind::Several(false, parts) => {
                parts.iter().flat_map(|part| self.faults(part)).collect()
            }
            Kind::Options(sections, cards, options) => {
                let held = self.held(sections, cards);
                over(!self.shared_out(&held, &mut options.clone()))
            }
            Kind::Accept(section, query) => {
                let held = self.held(&[*section], &Query::All);
                over(
                    held.iter()
                        .any(|(card, _)| !query.picks(&self.world.cards[*card])),
                )
            }
            Kind::Demand(demand) => over(!demand.is_kept(self)),
            Kind::Avoid(sections, query) => over(!self.held(sections, query).is_empty()),
            Kind::Disjoint(sections, from) => {
                let held = self.held(sections, &Query::All);
                over(held.iter().any(|(card, _)| self.copies(from, *card) > 0))
            }
            Kind::Within(sections, whole, copies) => {
                let held = self.held(sections, &Query::All);
                let absent = held.iter().any(|(card, _)| self.copies(whole, *card) == 0);
                // A copy in a section of both sides is there already.
                let beyond = held.iter().any(|(card, _)| {
                    let apart = |of: &[usize], but: &[usize]| -> i64 {
                        let of = of.iter().filter(|section| !but.contains(section));
                        of.map(|section| self.copies(&[*section], *card)).sum()
                    };
                    let there = self.copies(whole, *card) > 0;
                    *copies && there && apart(sections, whole) > apart(whole, sections)
                });
                match (absent, *copies) {
                    (true, false) => vec![Fault::Short],
                    (true, true) => vec![Fault::Over],
                    (false, _) => over(beyond),
                }
            }
            Kind::Brings(sections, query, relation, copies, slots) => {
                let brought = |head: usize, card: usize| {
                    let among = self.words(head, relation.among);
                    let words = self.words(card, relation.field.unwrap_or("kind"));
                    let own = &self.world.cards[card];
                    head != card
                        && query.picks(own)
                        && words.iter().any(|word| among.contains(word))
                };
                let heads = self.heads(relation);
                let enough = |card: usize| {
                    let needed = copies.as_ref();
                    let needed = needed.and_then(|copies| self.amount(copies, Some(card)));
                    let needed = needed.unwrap_or(1);
                    // What is brought in no copies stands for nothing.
                    (self.copies(sections, card) >= needed, needed > 0)
                };
                let stands = |card: usize| match slots {
                    Some(field) => self.keys_or_name(card, &[field]),
                    None => BTreeSet::from([card.to_string()]),
                };
                let short = heads.iter().any(|(head, _)| {
                    let mut met: BTreeMap<String, bool> = BTreeMap::new();
                    let all = 0..self.world.cards.len();
                    for card in all.filter(|card| brought(*head, *card)) {
                        let (enough, asked) = enough(card);
                        for key in stands(card).into_iter().filter(|_| asked) {
                            *met.entry(key).or_default() |= enough;
                        }
                    }
                    met.values().any(|met| !met)
                });
                match short {
                    true => vec![Fault::Short],
                    false => Vec::new(),
                }
            }
            Kind::Size(sections, query, range, one_of) => {
                let count = self
                    .held(sections, query)
                    .iter()
                    .map(|(_, copies)| copies)
                    .sum();
                let mut faults = self.range(count, range);
                if faults.is_empty() && !one_of.is_empty() && !one_of.contains(&count) {
                    let more = one_of.iter().any(|option| *option > count);
                    faults.push(if more { Fault::Short } else { Fault::Over });
                }
                faults
            }
            Kind::Copies { .. } => self.copies_faults(kind),
            Kind::Distinct(sections, query, by, range) => {
                let held = self.held(sections, query);
                let names: BTreeSet<String> = match by.is_empty() {
                    true => held.iter().map(|(card, _)| card.to_string()).collect(),
                    false => held
                        .iter()
                        .flat_map(|(card, _)| self.keys_or_name(*card, by))
                        .collect(),
                };
                self.range(names.len() as i64, range)
            }
            Kind::Values(sections, query, field, least, range, among) => {
                let mut counts: BTreeMap<String, i64> = BTreeMap::new();
                for (card, copies) in self.held(sections, query) {
                    for value in self.keys_among(card, field, among) {
                        *counts.entry(value).or_default() += copies;
                    }
                }
                let enough = counts.values().filter(|count| **count >= *least).count();
                self.range(enough as i64, range)
            }
            Kind::Total {
                sections,
                cards,
                parts,
                range,
            } => {
                let total = parts.iter().map(|part| self.part(part, sections, cards));
                self.range(total.sum(), range)
            }
            Kind::Matching(sections, query, relation) => {
                self.disagreeing(sections, query, relation)
            }
            Kind::Permitted(sections, query, relation) => {
                self.disagreeing(sections, query, relation)
            }
        }
    }

    /// What a part of a sum comes to.
    fn part(&self, part: &Part, sections: &[usize], cards: &Query) -> i64 {
        let holds = |test: &Test| self.holds(test);
        if !part.conditions.iter().all(|any| any.iter().any(holds)) {
            return 0;
        }
        let mut each: Vec<(i64, i64)> = Vec::new();
        for (card, copies) in self.held(sections, cards) {
            let own = &self.world.cards[card];
            if !part.cards.picks(own) {
                continue;
            }
            let number = if part.field { own.cost } else { Some(0) };
            if number.is_none() && matches!(part.per, "highest" | "lowest") {
                continue;
            }
            let mut price = number.unwrap_or(0) + part.price.unwrap_or(0);
            if let Some((relation, then, otherwise)) = &part.matched {
                let heads = self.heads(relation);
                let agrees = !heads.is_empty() && self.agrees(card, &heads, relation);
                let (times, plus) = if agrees {
                    then.unwrap_or((0, 0))
                } else {
                    *otherwise
                };
                price = price * times + plus;
            }
            each.push((price, copies));
        }
        let prices = each.iter().map(|(price, _)| *price);
        let sum: i64 = match part.per {
            "copy" => each.iter().map(|(price, copies)| price * copies).sum(),
            "card" => prices.sum(),
            "further" => each
                .iter()
                .map(|(price, copies)| price * (copies - 1))
                .sum(),
            "highest" => prices.max().unwrap_or(0),
            _ => prices.min().unwrap_or(0),
        };
        sum * part.times
    }

    fn copies_faults(&self, kind: &Kind) -> Vec<Fault> {
        let Kind::Copies {
            sections,
            cards,
            by,
            max,
            weight,
            also_in,
        } = kind
        else {
            return Vec::new();
        };
        let held = self.held(sections, cards);
        let keys = |card: usize| match by.is_empty() {
            true => self.keys(card, &["name"]),
            false => self.keys_or_name(card, by),
        };
        let most = |card: usize| self.amount(max, Some(card));
        let all: BTreeSet<String> = held.iter().flat_map(|(card, _)| keys(*card)).collect();
        for key in all {
            let own: Vec<(usize, i64)> = held
                .iter()
                .copied()
                .filter(|(card, _)| keys(*card).contains(&key))
                .collect();
            let weigh = |card: usize| match weight {
                true => self.world.cards[card].cost.unwrap_or(0),
                false => 1,
            };
            let total: i64 = own.iter().map(|(card, copies)| copies * weigh(*card)).sum();
            let also = also_in.is_none_or(|section| {
                let there = self.held(&[section], cards);
                there.iter().any(|(card, _)| keys(*card).contains(&key))
            });
            let most = own.iter().filter_map(|(card, _)| most(*card)).min();
            if also && most.is_some_and(|most| total > most) {
                return vec![Fault::Over];
            }
        }
        Vec::new()
    }
}
