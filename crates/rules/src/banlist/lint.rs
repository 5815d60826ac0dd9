//! What is stale or useless in a list, once the game's cards are known.

use super::read::overlap;
use super::{Banlist, Count, DatedSet, ListedName, Status};
use crate::rules::Fault;
use decklaw_cards::pool::{CardId, FieldKind, Lookup, NameField, Pool};
use decklaw_cards::query::Query;
use decklaw_text::name::{did_you_mean, fold};
use decklaw_text::text::{counted, listed, some_of};
use decklaw_text::yaml::Problem;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most names for which near ones are suggested: more unknown names mean another game.
const MOST_SUGGESTIONS: usize = 20;

/// What every report notes of the list by which its deck is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListNotice {
    /// What is wrong.
    pub fault: Fault,
    /// The cards of the list that it is about.
    pub cards: Vec<String>,
    /// The sentence.
    pub message: String,
}

impl Banlist {
    /// What its names are the names of.
    pub fn names(&self) -> NameField<'_> {
        match &self.by {
            Some(by) if by.value != "name" => NameField::Title(&by.value),
            _ => NameField::Name,
        }
    }

    /// The names that are no queries, in the order of the file, with what they mean: those of
    /// cards, and those of sets.
    fn looked_up<'l>(&'l self, pool: &'l Pool) -> impl Iterator<Item = (&'l str, Lookup<'l>)> {
        let names = self.listed().filter(|one| !one.query);
        let names = names.map(|one| (&*one.name, pool.look_up(&one.name, self.names())));
        let sets = self.rotation.iter().flat_map(move |rotation| {
            let field = NameField::Title(&rotation.field.value);
            rotation.sets.iter().map(move |set| (&*set.name, pool.look_up(&set.name, field)))
        });
        names.chain(sets.filter(|(_, found)| found.is_loose()))
    }

    /// The same list with the names of its cards and sets as a pool has them.
    #[must_use]
    pub fn spelt_as_in(&self, pool: &Pool) -> Banlist {
        let mut list = self.clone();
        let spelt = |one: &mut ListedName| {
            let found = pool.look_up(&one.name, self.names());
            if let Some(name) = found.name(pool).filter(|_| !one.query) {
                one.name = name.to_owned();
            }
        };
        list.entries.iter_mut().for_each(|entry| spelt(&mut entry.listed));
        list.changes.iter_mut().for_each(|change| spelt(&mut change.listed));
        for group in &mut list.groups {
            group.cards.iter_mut().chain(&mut group.not_with).for_each(spelt);
        }
        list.rotation = list.rotation.map(|rotation| rotation.of_pool(pool));
        list
    }

    /// The names near an unknown one, as a hint.
    fn near(&self, name: &str, pool: &Pool) -> String {
        did_you_mean(&pool.near(name, self.names()).names)
    }

    /// Notes the names of the list that no card of the pool has, and those that are written
    /// otherwise than the cards are. An empty pool knows no card, so that nothing is noted.
    pub fn name_notices(&self, pool: &Pool) -> Vec<ListNotice> {
        const SHOWN: usize = 5;
        if pool.is_empty() {
            return Vec::new();
        }
        let (mut unknown, mut loose): (Vec<&str>, Vec<(&str, Lookup<'_>)>) = Default::default();
        for (name, found) in self.looked_up(pool) {
            if found.cards().is_empty() {
                unknown.push(name);
            } else if found.is_loose() {
                loose.push((name, found));
            }
        }
        let mut notices = Vec::new();
        if !unknown.is_empty() {
            let shown = |name: &&str| match self.near(name, pool).trim_start_matches("; ") {
                "" => format!("`{name}`"),
                near => format!("`{name}` ({near})"),
            };
            let mut names: Vec<String> = unknown.iter().take(SHOWN).map(shown).collect();
            names.resize(unknown.len(), String::new());
            notices.push(ListNotice {
                fault: Fault::NotInPool,
                cards: unknown.iter().map(|name| (*name).to_owned()).collect(),
                message: format!(
                    "the banlist {} names {} that the card pool does not have: {}",
                    self.shown(),
                    counted(names.len() as i64, "card"),
                    some_of(&names, SHOWN)
                ),
            });
        }
        if !loose.is_empty() {
            let read = loose.iter().map(|(name, found)| {
                format!("`{name}` as `{}`", found.name(pool).unwrap_or_default())
            });
            let cards: BTreeSet<CardId> =
                loose.iter().flat_map(|(_, found)| found.cards()).copied().collect();
            notices.push(ListNotice {
                fault: Fault::Lookalike,
                cards: cards.into_iter().map(|card| pool.name(card).to_owned()).collect(),
                message: format!(
                    "the banlist {} is read with other spellings: {}",
                    self.shown(),
                    some_of(&read.collect::<Vec<_>>(), SHOWN)
                ),
            });
        }
        notices
    }

    /// The names that mean what a name above means, in another spelling, where the list may say it
    /// once: the name above, and that name.
    fn doubled(&self, pool: &Pool) -> Vec<(&ListedName, &ListedName)> {
        let names = NamesOnce { pool, by: self.names() };
        let entries = self.entries.iter().map(|entry| (&entry.listed, entry));
        let mut doubled = names.doubled(entries, |one, other| overlap(one, other));
        for group in &self.groups {
            let members = group.cards.iter().chain(&group.not_with).map(|one| (one, ()));
            doubled.extend(names.doubled(members, |(), ()| true));
        }
        let changes = self
            .changes
            .iter()
            .flat_map(|change| change.fields.iter().map(move |(field, _)| (&change.listed, field)));
        doubled.extend(names.doubled(changes, |one, other| one == other));
        doubled
    }
}

/// Names of which a list says something once.
struct NamesOnce<'p> {
    pool: &'p Pool,
    by: NameField<'p>,
}

impl NamesOnce<'_> {
    fn doubled<'l, T>(
        &self,
        names: impl Iterator<Item = (&'l ListedName, T)>,
        clash: impl Fn(&T, &T) -> bool,
    ) -> Vec<(&'l ListedName, &'l ListedName)> {
        let mut seen: FxHashMap<String, Vec<(&ListedName, T)>> = FxHashMap::default();
        let mut doubled = Vec::new();
        for (one, place) in names.filter(|(one, _)| !one.query) {
            let found = self.pool.look_up(&one.name, self.by);
            let Some(name) = found.name(self.pool) else {
                continue;
            };
            let above = seen.entry(name.to_owned()).or_default();
            let is_same = |(other, at): &&(&ListedName, T)| {
                fold(&other.name) != fold(&one.name) && clash(at, &place)
            };
            doubled.extend(above.iter().find(is_same).map(|(other, _)| (*other, one)));
            above.push((one, place));
        }
        doubled
    }
}

/// Reports names without a card, unknown fields, sections and formats, entries without an effect
/// (points above the limit, a group that no deck can exceed), and changes that cannot be made.
pub fn lint(list: &Banlist, pool: &Pool, sections: &[&str], formats: &[&str]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut refuse = |message: String, span| problems.push(Problem::new(message, span));
    let unknown = |kind: &str, id: &str, known: &[&str]| {
        format!("no {kind} `{id}`; the {kind}s are {}", listed(known, "and"))
    };
    for id in &list.formats {
        if !formats.contains(&id.value.as_str()) {
            refuse(unknown("format", &id.value, formats), id.span);
        }
    }
    let field = |name: &str| {
        let mut fields = pool.fields().iter();
        fields.find(|field| field.name == name).map(|field| &field.kind)
    };
    if let Some(by) = &list.by
        && field(&by.value).is_none_or(|kind| matches!(kind, FieldKind::Query))
    {
        let name = &by.value;
        let message = format!("cards cannot be listed by `{name}`: the cards have no such field");
        refuse(message, by.span);
        return problems;
    }
    let is_unknown =
        |one: &&ListedName| !one.query && pool.look_up(&one.name, list.names()).cards().is_empty();
    for (at, one) in list.listed().filter(is_unknown).enumerate() {
        let near = if at < MOST_SUGGESTIONS { list.near(&one.name, pool) } else { String::new() };
        let message = match list.names() {
            NameField::Name => format!("no card is called `{}`{near}", one.name),
            NameField::Title(field) => format!("no card has the {field} `{}`{near}", one.name),
        };
        refuse(message, one.span);
    }
    for (above, one) in list.doubled(pool) {
        let message = format!(
            "`{}` is `{}` on line {}, in another spelling; keep one of them",
            one.name, above.name, above.line
        );
        refuse(message, one.span);
    }
    for one in list.listed().filter(|one| one.query) {
        match Query::parse(&one.name).and_then(|query| query.select(pool)) {
            Ok(picked) if !picked.is_empty() => {}
            Ok(_) => refuse(format!("the query `{}` picks no card", one.name), one.span),
            Err(error) => refuse(format!("in the query `{}`: {error}", one.name), one.span),
        }
    }
    let entries = list.entries.iter();
    let scopes = entries.map(|entry| (&entry.sections, entry.span));
    let groups = list.groups.iter();
    for (scope, span) in scopes.chain(groups.map(|group| (&group.sections, group.span))) {
        for section in scope {
            if !sections.contains(&section.as_str()) {
                refuse(unknown("section", section, sections), span);
            }
        }
    }
    for entry in &list.entries {
        if let (Status::Points(points), Some(limit)) = (entry.status, list.points_limit)
            && points > limit
        {
            let points = counted(points, "point");
            let name = &entry.name;
            let message = format!("at {points} `{name}` alone passes the limit of {limit}: ban it");
            refuse(message, entry.span);
        }
    }
    for group in &list.groups {
        let few = group.cards.len() <= group.at_most as usize;
        let plain = group.cards.iter().all(|card| !card.query);
        if group.not_with.is_empty() && group.count == Count::Cards && few && plain {
            let message = "no deck can have more of these cards than are allowed";
            refuse(message.to_owned(), group.span);
        }
    }
    if let Some(rotation) = &list.rotation {
        let name = &rotation.field;
        let fits = |kind: &FieldKind| !matches!(kind, FieldKind::Query | FieldKind::Number { .. });
        if field(&name.value).is_some_and(fits) {
            let by = NameField::Title(&name.value);
            let is_unknown = |set: &&DatedSet| pool.look_up(&set.name, by).cards().is_empty();
            for set in rotation.sets.iter().filter(is_unknown) {
                let near = did_you_mean(&pool.near(&set.name, by).names);
                let message = format!("no card has the {} `{}`{near}", name.value, set.name);
                refuse(message, set.span);
            }
        } else {
            let message = format!("`{}` is not a field of words or text of the cards", name.value);
            refuse(message, name.span);
        }
        let is_value = |kind: &FieldKind| !matches!(kind, FieldKind::Query);
        if let Some(by) = &rotation.by
            && by.value != "name"
            && !field(&by.value).is_some_and(is_value)
        {
            let name = &by.value;
            let message = format!("`{name}` is not a field of words or numbers of the cards");
            refuse(message, by.span);
        }
    }
    problems.extend(list.changed(pool).err().unwrap_or_default());
    problems.sort_by_key(|problem| problem.span);
    problems.dedup();
    problems
}
