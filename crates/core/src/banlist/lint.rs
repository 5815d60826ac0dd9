//! What is stale or useless in a list, once the game's cards are known.

use super::{Banlist, Count, Listed, Status};
use crate::name::fold;
use crate::pool::{CardId, FieldKind, Pool};
use crate::query::Query;
use crate::text::listed;
use crate::yaml::Problem;
use rustc_hash::FxHashSet;

/// For so many names near ones are looked for: a list of nothing but strange names is of another
/// game.
const MOST_SUGGESTIONS: usize = 20;

/// The values of a field that cards have, folded: what names of a list may be.
fn values(pool: &Pool, field: &str) -> FxHashSet<String> {
    let each = pool.ids().map(|card| values_of(pool, card, field));
    each.flatten().collect()
}

/// The values that one card has; without any it goes by its name.
pub(super) fn values_of(pool: &Pool, card: CardId, field: &str) -> Vec<String> {
    if let Some(number) = pool.number(card, field) {
        return vec![number.to_string()];
    }
    match pool.words(card, field) {
        [] => vec![pool.folded(card).to_owned()],
        words => words.iter().map(|word| fold(word).into_owned()).collect(),
    }
}

/// What a list names and no card of the pool is, in the order of the file.
pub fn unknown_names<'l>(list: &'l Banlist, pool: &Pool) -> Vec<&'l Listed> {
    let values = list.by.as_ref().map(|by| values(pool, &by.value));
    let known = |one: &Listed| match &values {
        _ if one.query => true,
        Some(values) => values.contains(&*fold(&one.name)),
        None => pool.find(&one.name).is_some(),
    };
    list.listed().filter(|one| !known(one)).collect()
}

/// What names no card of the pool, no field, section or format of the game, what could never
/// matter: points that no deck could reach, a group that no deck could exceed; and changes that
/// cannot be made.
pub fn lint(list: &Banlist, pool: &Pool, sections: &[&str], formats: &[&str]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for id in list
        .formats
        .iter()
        .filter(|id| !formats.contains(&id.value.as_str()))
    {
        let message = format!(
            "no format `{}`; the formats are {}",
            id.value,
            listed(formats, "and")
        );
        problems.push(Problem::new(message, id.span));
    }
    let field = |name: &str| pool.fields().iter().find(|field| field.name == name);
    if let Some(by) = &list.by
        && field(&by.value).is_none_or(|field| matches!(field.kind, FieldKind::Query))
    {
        let message = format!(
            "cards cannot be listed by `{}`: it is no field of theirs",
            by.value
        );
        problems.push(Problem::new(message, by.span));
        return problems;
    }
    for (at, one) in unknown_names(list, pool).into_iter().enumerate() {
        let near: Vec<String> = match &list.by {
            None if at < MOST_SUGGESTIONS => pool
                .nearest(&one.name)
                .iter()
                .map(|near| format!("`{near}`"))
                .collect(),
            _ => Vec::new(),
        };
        let hint = match near.as_slice() {
            [] => String::new(),
            near => format!("; did you mean {}?", listed(near, "or")),
        };
        let message = match &list.by {
            None => format!("no card is called `{}`{hint}", one.name),
            Some(by) => format!("no card has the {} `{}`", by.value, one.name),
        };
        problems.push(Problem::new(message, one.span));
    }
    for one in list.listed().filter(|one| one.query) {
        let picked = Query::parse(&one.name).and_then(|query| query.select(pool));
        let message = match picked {
            Ok(picked) if !picked.is_empty() => continue,
            Ok(_) => format!("the query `{}` picks no card", one.name),
            Err(error) => format!("in the query `{}`: {error}", one.name),
        };
        problems.push(Problem::new(message, one.span));
    }
    let scopes = list
        .entries
        .iter()
        .map(|entry| (&entry.sections, entry.span));
    let groups = list
        .groups
        .iter()
        .map(|group| (&group.sections, group.span));
    for (scope, span) in scopes.chain(groups) {
        for section in scope
            .iter()
            .filter(|section| !sections.contains(&section.as_str()))
        {
            let message = format!(
                "no section `{section}`; the sections are {}",
                listed(sections, "and")
            );
            problems.push(Problem::new(message, span));
        }
    }
    for entry in &list.entries {
        if let (Status::Points(points), Some(limit)) = (entry.status, list.points_limit)
            && points > limit
        {
            let message = format!(
                "at {} `{}` alone passes the limit of {limit}: ban it",
                crate::text::counted(points, "point"),
                entry.name
            );
            problems.push(Problem::new(message, entry.span));
        }
    }
    for group in &list.groups {
        let few = group.cards.len() <= group.at_most as usize;
        let plain = group.cards.iter().all(|card| !card.query);
        if group.not_with.is_empty() && group.count == Count::Cards && few && plain {
            let message = "no deck can have more of these cards than are allowed";
            problems.push(Problem::new(message, group.span));
        }
    }
    if let Some(rotation) = &list.rotation {
        let name = &rotation.field;
        let fits = |kind: &FieldKind| !matches!(kind, FieldKind::Query | FieldKind::Number { .. });
        if !field(&name.value).is_some_and(|field| fits(&field.kind)) {
            let message = format!("`{}` is no field of words or text of the cards", name.value);
            problems.push(Problem::new(message, name.span));
        } else {
            let values = values(pool, &name.value);
            for set in &rotation.sets {
                if !values.contains(&*fold(&set.name)) {
                    let message = format!("no card has the {} `{}`", name.value, set.name);
                    problems.push(Problem::new(message, set.span));
                }
            }
        }
    }
    if let Some(by) = list
        .rotation
        .as_ref()
        .and_then(|rotation| rotation.by.as_ref())
    {
        let fits = |kind: &FieldKind| !matches!(kind, FieldKind::Query);
        let known = by.value == "name" || field(&by.value).is_some_and(|field| fits(&field.kind));
        if !known {
            let message = format!(
                "`{}` is no field of words or numbers of the cards",
                by.value
            );
            problems.push(Problem::new(message, by.span));
        }
    }
    problems.extend(list.changed(pool).err().unwrap_or_default());
    problems.sort_by_key(|problem| problem.span);
    problems.dedup();
    problems
}
