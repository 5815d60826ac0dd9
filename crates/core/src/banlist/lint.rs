//! What is stale or useless in a list, once the game's cards are known.

use super::{Banlist, Count, ListedName, Status};
use crate::name::{did_you_mean, fold};
use crate::pool::{CardId, FieldKind, Pool};
use crate::query::Query;
use crate::rules::Fault;
use crate::text::{counted, listed, some_of};
use crate::yaml::Problem;
use rustc_hash::FxHashSet;

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

/// The values that one card has in a field, folded; without any it goes by its name.
pub(super) fn values_of(pool: &Pool, card: CardId, field: &str) -> Vec<String> {
    if let Some(number) = pool.number(card, field) {
        return vec![number.to_string()];
    }
    match pool.words(card, field) {
        [] => vec![pool.folded(card).to_owned()],
        words => words.iter().map(|word| fold(word).into_owned()).collect(),
    }
}

fn values(pool: &Pool, field: &str) -> FxHashSet<String> {
    let each = pool.ids().map(|card| values_of(pool, card, field));
    each.flatten().collect()
}

impl Banlist {
    /// The names of the list that no card of the pool has, in the order of the file.
    fn unknown_names(&self, pool: &Pool) -> Vec<&ListedName> {
        let values = self.by.as_ref().map(|by| values(pool, &by.value));
        let known = |one: &ListedName| match &values {
            _ if one.query => true,
            Some(values) => values.contains(&*fold(&one.name)),
            None => pool.find(&one.name).is_some(),
        };
        self.listed().filter(|one| !known(one)).collect()
    }

    /// The names near an unknown one, as a hint. Values of a field have none.
    fn near(&self, one: &ListedName, pool: &Pool) -> String {
        match &self.by {
            None => did_you_mean(&pool.nearest(&one.name)),
            Some(_) => String::new(),
        }
    }

    /// Notes the names of the list that no card of the pool has. An empty pool knows no card, so
    /// that nothing is noted.
    pub fn unknown_cards(&self, pool: &Pool) -> Option<ListNotice> {
        const SHOWN: usize = 5;
        if pool.is_empty() {
            return None;
        }
        let unknown = self.unknown_names(pool);
        let shown = |one: &&ListedName| match self.near(one, pool).trim_start_matches("; ") {
            "" => format!("`{}`", one.name),
            near => format!("`{}` ({near})", one.name),
        };
        let mut names: Vec<String> = unknown.iter().take(SHOWN).map(shown).collect();
        names.resize(unknown.len(), String::new());
        let number = i64::try_from(names.len()).unwrap_or(i64::MAX);
        (number > 0).then(|| ListNotice {
            fault: Fault::NotInPool,
            cards: unknown.iter().map(|one| one.name.clone()).collect(),
            message: format!(
                "the banlist {} names {} that the card pool does not have: {}",
                self.shown(),
                counted(number, "card"),
                some_of(&names, SHOWN)
            ),
        })
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
        let message = format!("cards cannot be listed by `{name}`: it is no field of theirs");
        refuse(message, by.span);
        return problems;
    }
    for (at, one) in list.unknown_names(pool).into_iter().enumerate() {
        let message = match &list.by {
            None if at < MOST_SUGGESTIONS => {
                format!("no card is called `{}`{}", one.name, list.near(one, pool))
            }
            None => format!("no card is called `{}`", one.name),
            Some(by) => format!("no card has the {} `{}`", by.value, one.name),
        };
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
            let values = values(pool, &name.value);
            let sets = rotation.sets.iter();
            for set in sets.filter(|set| !values.contains(&*fold(&set.name))) {
                let message = format!("no card has the {} `{}`", name.value, set.name);
                refuse(message, set.span);
            }
        } else {
            let message = format!("`{}` is no field of words or text of the cards", name.value);
            refuse(message, name.span);
        }
        let is_value = |kind: &FieldKind| !matches!(kind, FieldKind::Query);
        if let Some(by) = &rotation.by
            && by.value != "name"
            && !field(&by.value).is_some_and(is_value)
        {
            let name = &by.value;
            let message = format!("`{name}` is no field of words or numbers of the cards");
            refuse(message, by.span);
        }
    }
    problems.extend(list.changed(pool).err().unwrap_or_default());
    problems.sort_by_key(|problem| problem.span);
    problems.dedup();
    problems
}
