//! What changes from one list to the next, for the owner of a deck.

use super::{Banlist, Count, Group, Per};
use crate::name::fold;
use std::collections::BTreeMap;

/// A card, the limit of points, a group of cards or a set whose standing changes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ListChange {
    /// What kind of change: `banned`, `freed` or `changed`.
    pub kind: &'static str,
    /// The card; `None` for the limit of points, a group and a set.
    pub card: Option<String>,
    /// What else it is about: the cards of a group, or a set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// What the old list says; `None`: nothing.
    pub before: Option<String>,
    /// What the new list says; `None`: nothing.
    pub after: Option<String>,
}

impl std::fmt::Display for ListChange {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let about = self.card.as_deref().or(self.about.as_deref());
        let about = about.unwrap_or("the limit of points");
        match (&self.before, &self.after) {
            (None, Some(after)) => write!(out, "{about}: now {after}"),
            (Some(before), None) => write!(out, "{about}: free again (was {before})"),
            (Some(before), Some(after)) => write!(out, "{about}: now {after} (was {before})"),
            (None, None) => write!(out, "{about}: unchanged"),
        }
    }
}

/// What a list says of things, each under a key that both lists have for it: how it is called,
/// and how it stands.
type Standings = BTreeMap<String, (String, String)>;

/// Every change from one list to another: of cards by folded name, the limit of points, groups,
/// sets.
pub fn diff(old: &Banlist, new: &Banlist) -> Vec<ListChange> {
    let mut changes = Vec::new();
    each(&standings(old), &standings(new), |what, before, after| {
        let kind = match &after {
            None => "freed",
            Some(standing) if standing.starts_with("banned") => "banned",
            Some(_) => "changed",
        };
        changes.push(ListChange {
            kind,
            card: Some(what),
            about: None,
            before,
            after,
        });
    });
    if limit(old) != limit(new) {
        changes.push(ListChange {
            kind: "changed",
            card: None,
            about: None,
            before: limit(old),
            after: limit(new),
        });
    }
    for (before, after) in [(groups(old), groups(new)), (cells(old), cells(new))] {
        each(&before, &after, |what, before, after| {
            changes.push(ListChange {
                kind: if after.is_none() { "freed" } else { "changed" },
                card: None,
                about: Some(what),
                before,
                after,
            });
        });
    }
    let mut rotates = |about: String, before: Option<String>, after: Option<String>| {
        if before != after {
            changes.push(ListChange {
                kind: "changed",
                card: None,
                about: Some(about),
                before,
                after,
            });
        }
    };
    each(&sets(old), &sets(new), |what, before, after| {
        let (before, after) = (
            before.or_else(|| others(old)),
            after.or_else(|| others(new)),
        );
        rotates(what, before, after);
    });
    rotates("all other sets".to_owned(), others(old), others(new));
    if let (Some(before), Some(after)) = (field(old), field(new)) {
        rotates(
            "what tells a card's set".to_owned(),
            Some(before),
            Some(after),
        );
    }
    changes
}

/// What a list calls sets, and which cards it takes for one; `None` where sets do not matter.
fn field(list: &Banlist) -> Option<String> {
    let rotation = list.rotation.as_ref()?;
    let field = format!("the {}", rotation.field.value);
    Some(match &rotation.by {
        Some(by) => format!("{field}, all of one {} alike", by.value),
        None => field,
    })
}

fn each(
    before: &Standings,
    after: &Standings,
    mut see: impl FnMut(String, Option<String>, Option<String>),
) {
    let mut keys: Vec<&String> = before.keys().chain(after.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let (old, new) = (before.get(key), after.get(key));
        let standing = |of: Option<&(String, String)>| of.map(|(_, standing)| standing.clone());
        if standing(old) != standing(new)
            && let Some((what, _)) = new.or(old)
        {
            see(what.clone(), standing(old), standing(new));
        }
    }
}

/// The limit of points, and what it counts where that is not copies.
fn limit(list: &Banlist) -> Option<String> {
    let each = match list.points_per {
        Per::Copy => "",
        Per::Card => ", each card once",
    };
    list.points_limit.map(|limit| format!("{limit}{each}"))
}

/// What a list says of each card, by folded name.
fn standings(list: &Banlist) -> Standings {
    let mut standings: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for entry in &list.entries {
        let mut standing = entry.status.to_string();
        if !entry.sections.is_empty() {
            let mut sections = entry.sections.clone();
            sections.sort_unstable();
            standing.push_str(&format!(" in {}", crate::text::listed(&sections, "and")));
        }
        let known = standings.entry(fold(&entry.shown()).into_owned());
        known
            .or_insert_with(|| (entry.shown(), Vec::new()))
            .1
            .push(standing);
    }
    let join = |(name, (card, mut all)): (String, (String, Vec<String>))| {
        all.sort_unstable();
        (name, (card, all.join(", ")))
    };
    standings.into_iter().map(join).collect()
}

/// What a list says of groups, by their cards in any order.
fn groups(list: &Banlist) -> Standings {
    let names = |listed: &[super::Listed]| {
        let mut names: Vec<String> = listed.iter().map(super::Listed::shown).collect();
        names.sort_by_cached_key(|name| fold(name).into_owned());
        names
    };
    let standing = |group: &Group| {
        let (mut cards, others) = (names(&group.cards), names(&group.not_with));
        let mut says = match (others.is_empty(), group.count) {
            (false, _) => "not together".to_owned(),
            (true, Count::Cards) => format!("at most {} of them", group.at_most),
            (true, Count::Copies) => {
                let most = crate::text::counted(group.at_most.into(), "copy");
                format!("at most {most} of them together")
            }
        };
        if !group.sections.is_empty() {
            let mut sections = group.sections.clone();
            sections.sort_unstable();
            says.push_str(&format!(" in {}", crate::text::listed(&sections, "and")));
        }
        let mut called = crate::text::listed(&cards, "and");
        if !others.is_empty() {
            called = format!("{called} with {}", crate::text::listed(&others, "or"));
            cards.push("|".to_owned());
        }
        cards.extend(others);
        (fold(&cards.join("\n")).into_owned(), (called, says))
    };
    list.groups.iter().map(standing).collect()
}

/// What a list says of fields of cards, each field of each card by itself.
fn cells(list: &Banlist) -> Standings {
    let fields = list.changes.iter().flat_map(|change| {
        let own = change.fields.iter();
        own.map(|(field, edit)| (change.listed.shown(), field, edit.value.to_string()))
    });
    let standing = |(card, field, says): (String, &String, String)| {
        let key = format!("{}\n{field}", fold(&card));
        (key, (format!("the {field} of {card}"), says))
    };
    fields.map(standing).collect()
}

/// How sets stand that a list does not name.
fn others(list: &Banlist) -> Option<String> {
    let others = list
        .rotation
        .as_ref()
        .is_none_or(|rotation| rotation.others);
    Some(if others { "legal" } else { "not legal" }.to_owned())
}

/// When a list lets each set be played.
fn sets(list: &Banlist) -> Standings {
    let mut sets: Standings = BTreeMap::new();
    for set in list.rotation.iter().flat_map(|rotation| &rotation.sets) {
        let days = match set.days().as_str() {
            "" => "legal".to_owned(),
            days => format!("legal {days}"),
        };
        let known = sets.entry(fold(&set.name).into_owned());
        known
            .and_modify(|(_, said)| *said = format!("{said}, and {days}"))
            .or_insert_with(|| (set.name.clone(), days));
    }
    sets
}
