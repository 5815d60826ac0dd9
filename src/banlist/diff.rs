//! What changes from one list to the next, for the owner of a deck.

use super::Banlist;
use crate::name::fold;
use std::collections::BTreeMap;

/// A card (or the limit of points) whose standing changes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    /// What kind of change: `banned`, `freed` or `changed`.
    pub kind: &'static str,
    /// The card; `None` for the limit of points.
    pub card: Option<String>,
    /// What the old list says; `None`: nothing.
    pub before: Option<String>,
    /// What the new list says; `None`: nothing.
    pub after: Option<String>,
}

impl std::fmt::Display for Change {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let card = self.card.as_deref().unwrap_or("the limit of points");
        match (&self.before, &self.after) {
            (None, Some(after)) => write!(out, "{card}: now {after}"),
            (Some(before), None) => write!(out, "{card}: free again (was {before})"),
            (Some(before), Some(after)) => write!(out, "{card}: now {after} (was {before})"),
            (None, None) => write!(out, "{card}: unchanged"),
        }
    }
}

/// Every change from one list to another, by folded name; the limit of points last.
pub fn diff(old: &Banlist, new: &Banlist) -> Vec<Change> {
    let (before, after) = (standings(old), standings(new));
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut changes = Vec::new();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        if old.map(|(_, standing)| standing) == new.map(|(_, standing)| standing) {
            continue;
        }
        let card = new.or(old).map(|(card, _)| card.clone());
        let (before, after) = (old.map(|(_, s)| s.clone()), new.map(|(_, s)| s.clone()));
        let kind = match &after {
            None => "freed",
            Some(standing) if standing.starts_with("banned") => "banned",
            Some(_) => "changed",
        };
        changes.push(Change {
            kind,
            card,
            before,
            after,
        });
    }
    if old.points_limit != new.points_limit {
        let shown = |limit: Option<i64>| limit.map(|limit| limit.to_string());
        changes.push(Change {
            kind: "changed",
            card: None,
            before: shown(old.points_limit),
            after: shown(new.points_limit),
        });
    }
    changes
}

/// What a list says of each card, by folded name.
fn standings(list: &Banlist) -> BTreeMap<String, (String, String)> {
    let mut standings: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for entry in &list.entries {
        let mut standing = entry.status.to_string();
        if !entry.sections.is_empty() {
            let mut sections = entry.sections.clone();
            sections.sort_unstable();
            standing.push_str(&format!(" in {}", crate::text::listed(&sections, "and")));
        }
        let known = standings.entry(fold(&entry.name).into_owned());
        known
            .or_insert_with(|| (entry.name.clone(), Vec::new()))
            .1
            .push(standing);
    }
    let join = |(name, (card, mut all)): (String, (String, Vec<String>))| {
        all.sort_unstable();
        (name, (card, all.join(", ")))
    };
    standings.into_iter().map(join).collect()
}
