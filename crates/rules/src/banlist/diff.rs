//! What changes from one list to the next, for the owner of a deck.

use super::{Banlist, Count, ListedName, Per};
use decklaw_text::name::fold;
use decklaw_text::text::{counted, listed};
use std::collections::{BTreeMap, BTreeSet};

/// A card, the limit of points, a group of cards, a field of a card or a set that the new list
/// says something else.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ListChange {
    /// `banned`, `freed` or `changed`.
    pub kind: &'static str,
    /// The card; `None` for anything else.
    pub card: Option<String>,
    /// The cards of a group, the field of a card, or a set.
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

/// What a statement of a list is about, in the order of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Topic {
    Card,
    PointsLimit,
    Group,
    Field,
    Set,
    OtherSets,
    SetField,
}

/// What a list says, by topic and folded name: the name as written, and the statements.
type Statements = BTreeMap<(Topic, String), (String, BTreeSet<String>)>;

/// Every change from one list to another.
pub fn diff(old: &Banlist, new: &Banlist) -> Vec<ListChange> {
    let (before, after) = (statements(old), statements(new));
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let change = |key: &(Topic, String)| {
        let topic = key.0;
        let says = |list: &Banlist, all: &Statements| match all.get(key) {
            Some((_, said)) => Some(said.iter().cloned().collect::<Vec<_>>().join(", ")),
            None => (topic == Topic::Set).then(|| other_sets(list).to_owned()),
        };
        let (old_says, new_says) = (says(old, &before), says(new, &after));
        // Where one list has no sets, all of them may be played, whatever field the other names.
        let is_void = topic == Topic::SetField && (old_says.is_none() || new_says.is_none());
        if old_says == new_says || is_void {
            return None;
        }
        let (name, _) = after.get(key).or_else(|| before.get(key))?;
        Some(ListChange {
            kind: match &new_says {
                Some(says) if topic == Topic::Card && says.starts_with("banned") => "banned",
                None if topic != Topic::PointsLimit => "freed",
                _ => "changed",
            },
            card: (topic == Topic::Card).then(|| name.clone()),
            about: Some(name.clone())
                .filter(|_| !matches!(topic, Topic::Card | Topic::PointsLimit)),
            before: old_says,
            after: new_says,
        })
    };
    keys.into_iter().filter_map(change).collect()
}

/// All that a list says.
fn statements(list: &Banlist) -> Statements {
    let mut all = Statements::new();
    let mut say = |topic, key: &str, name: String, says: String| {
        let known = all.entry((topic, fold(key).into_owned()));
        known.or_insert((name, BTreeSet::new())).1.insert(says);
    };
    for entry in &list.entries {
        let name = entry.shown();
        let says = format!("{}{}", entry.status, in_sections(&entry.sections));
        say(Topic::Card, &name.clone(), name, says);
    }
    if let Some(limit) = list.points_limit {
        let each = match list.points_per {
            Per::Copy => "",
            Per::Card => ", each card once",
        };
        say(Topic::PointsLimit, "", String::new(), format!("{limit}{each}"));
    }
    for group in &list.groups {
        let (cards, others) = (names(&group.cards), names(&group.not_with));
        let most = i64::from(group.at_most);
        let says = match group.count {
            _ if !others.is_empty() => "not together".to_owned(),
            Count::Cards => format!("at most {most} of them"),
            Count::Copies => format!("at most {} of them together", counted(most, "copy")),
        };
        let name = match others.as_slice() {
            [] => listed(&cards, "and"),
            others => format!("{} with {}", listed(&cards, "and"), listed(others, "or")),
        };
        let key = format!("{}|{}", cards.join("\n"), others.join("\n"));
        say(Topic::Group, &key, name, says + &in_sections(&group.sections));
    }
    for change in &list.changes {
        let card = change.listed.shown();
        for (field, edit) in &change.fields {
            let name = format!("the {field} of {card}");
            let key = format!("{card}\n{field}");
            say(Topic::Field, &key, name, edit.value.to_string());
        }
    }
    for set in list.rotation.iter().flat_map(|rotation| &rotation.sets) {
        let says = format!("legal {}", set.days());
        let name = set.name.clone();
        say(Topic::Set, &set.name, name, says.trim_end().to_owned());
    }
    let other = other_sets(list).to_owned();
    say(Topic::OtherSets, "", "all other sets".to_owned(), other);
    if let Some(rotation) = &list.rotation {
        let alike = rotation.by.as_ref();
        let alike = alike.map_or_else(String::new, |by| format!(", all of one {} alike", by.value));
        let says = format!("the {}{alike}", rotation.field.value);
        say(Topic::SetField, "", "the field that names a card's set".to_owned(), says);
    }
    all
}

/// Whether sets may be played that a list does not name.
fn other_sets(list: &Banlist) -> &'static str {
    let rotation = list.rotation.as_ref();
    if rotation.is_none_or(|rotation| rotation.others) { "legal" } else { "not legal" }
}

fn names(listed: &[ListedName]) -> Vec<String> {
    let mut names: Vec<String> = listed.iter().map(ListedName::shown).collect();
    names.sort_by_cached_key(|name| fold(name).into_owned());
    names
}

fn in_sections(sections: &[String]) -> String {
    let sections: BTreeSet<&str> = sections.iter().map(String::as_str).collect();
    if sections.is_empty() {
        return String::new();
    }
    format!(" in {}", listed(&Vec::from_iter(sections), "and"))
}
