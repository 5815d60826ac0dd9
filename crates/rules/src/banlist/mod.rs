//! Banlists: dated files that ban cards, restrict their copies, give them points, keep cards
//! apart, let sets come and go, or change what cards say.

mod changes;
mod diff;
mod file;
mod lint;
pub mod listed;
mod lists;
pub mod lock;
mod read;
mod rotation;
mod show;

pub use changes::{CellChange, CellEdit};
pub(crate) use changes::{ChangedPool, Difference};
pub use diff::{ListChange, diff};
pub use file::BanlistFile;
pub use jiff::civil::Date;
pub use lint::{ListNotice, lint};
pub use lists::{Lists, read_folder};
pub use rotation::{DatedSet, Rotation};

use crate::origin::Origin;
use crate::rules::Fault;
use decklaw_text::name::fold;
use decklaw_text::text::{Span, counted, listed};
use decklaw_text::yaml::Spanned;
use decklaw_text::{Problem, ProblemKind};
use serde::Deserialize;
use std::sync::Arc;

/// What a list says of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// No copy.
    Banned,
    /// At most this many copies, at least 1.
    Restricted(u32),
    /// Points of the list's limit that each copy uses, at least 1.
    Points(i64),
}

impl std::fmt::Display for Status {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Status::Banned => out.write_str("banned"),
            Status::Restricted(most) => write!(out, "restricted to {most}"),
            Status::Points(points) => write!(out, "{points} of the points"),
        }
    }
}

/// What a list names: a card, all cards with a value of the list's field, or what a query
/// picks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedName {
    /// The name as the list spells it, or the query.
    pub name: String,
    /// Whether it is a query.
    pub query: bool,
    /// The line of the list, from 1.
    pub line: usize,
    /// The name's bytes in the list.
    pub span: Span,
}

impl ListedName {
    /// The name or the query, marked as a query where it is one.
    pub fn shown(&self) -> String {
        if self.query { format!("every card `{}`", self.name) } else { self.name.clone() }
    }

    /// Whether both are the same card or query.
    fn is_same(&self, other: &ListedName) -> bool {
        self.query == other.query && fold(&self.name) == fold(&other.name)
    }
}

/// What a list says of a card by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The card or cards.
    pub listed: ListedName,
    /// What the list says of it.
    pub status: Status,
    /// The ids of the sections where that applies; none: everywhere.
    pub sections: Vec<String>,
}

impl std::ops::Deref for Entry {
    type Target = ListedName;

    fn deref(&self) -> &ListedName {
        &self.listed
    }
}

/// Whether points are for each copy, or for each card once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Each copy.
    #[default]
    Copy,
    /// Each card once, however many copies there are.
    Card,
}

/// What of a group is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Different cards, each once.
    #[default]
    Cards,
    /// Copies of any of them.
    Copies,
}

/// Cards that a deck may have only some of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The cards.
    pub cards: Vec<ListedName>,
    /// Cards that must not be in a deck with any of those; none: `at_most` counts.
    pub not_with: Vec<ListedName>,
    /// The most of them, at least 1.
    pub at_most: u32,
    /// What is counted.
    pub count: Count,
    /// What one of these cards is called, in the singular.
    pub called: Option<String>,
    /// The ids of the sections where that applies; none: everywhere.
    pub sections: Vec<String>,
    /// The line of the first card, from 1.
    pub line: usize,
    /// The group's bytes in the list.
    pub span: Span,
}

impl Group {
    /// The group in words.
    pub fn words(&self) -> String {
        let names = |all: &[ListedName]| all.iter().map(ListedName::shown).collect::<Vec<_>>();
        let cards = listed(&names(&self.cards), "and");
        let scope = match self.sections.as_slice() {
            [] => String::new(),
            sections => format!(" in {}", listed(sections, "and")),
        };
        if !self.not_with.is_empty() {
            let apart = listed(&names(&self.not_with), "or");
            return format!("{cards} not with {apart}{scope}");
        }
        let most = match self.count {
            Count::Cards => self.at_most.to_string(),
            Count::Copies => counted(self.at_most.into(), "copy"),
        };
        let called = self.called.as_ref();
        let called = called.map_or_else(String::new, |called| format!(" ({called})"));
        format!("at most {most} of {cards}{called}{scope}")
    }
}

/// A banlist that has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banlist {
    /// Its id.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The formats of the game to which it applies, by id; none: all of them.
    pub formats: Vec<Spanned<String>>,
    /// Its name.
    pub name: String,
    /// When it was announced.
    pub announced: Option<Date>,
    /// The first day on which it applies.
    pub effective: Date,
    /// The last day on which it applies.
    pub ends: Option<Date>,
    /// The day for which the sets in force are computed: the first on which the list applies,
    /// unless a run is [as of](Banlist::as_of) another.
    pub day: Date,
    /// Where it was published.
    pub source: Option<String>,
    /// Whether it is a sample, which applies only when it is named.
    pub sample: bool,
    /// The field whose values the list's names are; `None`: they are names of cards.
    pub by: Option<Spanned<String>>,
    /// What it says of cards one by one, in the order of the file.
    pub entries: Vec<Entry>,
    /// The most points that a deck may have, where the list gives points.
    pub points_limit: Option<i64>,
    /// Whether points are for each copy.
    pub points_per: Per,
    /// Cards that it keeps apart.
    pub groups: Vec<Group>,
    /// The sets that may be played.
    pub rotation: Option<Rotation>,
    /// Cards that it describes differently from the card file.
    pub changes: Vec<CellChange>,
    /// SHA-256 of the file's bytes, lower-case hex.
    pub sha256: String,
    /// Whose it is.
    pub origin: Origin,
    /// The file's name as shown.
    pub file: String,
    /// The file's text.
    pub text: String,
}

impl Banlist {
    /// The id, with its publisher before it where it was fetched from the web.
    pub fn shown(&self) -> String {
        match &self.origin {
            Origin::Fetched(name) => format!("{name}/{}", self.id),
            _ => self.id.clone(),
        }
    }

    /// Where it comes from, if it is not built in: the name of what was fetched, or its file.
    pub fn source(&self) -> Option<String> {
        match &self.origin {
            Origin::BuiltIn => None,
            Origin::Fetched(name) => Some(name.clone()),
            Origin::Call | Origin::Account | Origin::Here | Origin::Lock => Some(self.file.clone()),
        }
    }

    /// Everything that it names or picks cards by.
    pub fn listed(&self) -> impl Iterator<Item = &ListedName> {
        let entries = self.entries.iter().map(|entry| &entry.listed);
        let groups = self.groups.iter();
        let groups = groups.flat_map(|group| group.cards.iter().chain(&group.not_with));
        let changes = self.changes.iter().map(|change| &change.listed);
        entries.chain(groups).chain(changes)
    }

    /// How much it says: cards and queries, and sets.
    pub fn len(&self) -> usize {
        let sets = self.rotation.as_ref();
        self.listed().count() + sets.map_or(0, |rotation| rotation.sets.len())
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list on a day: which sets may be played depends on it.
    #[must_use]
    pub fn as_of(self: &Arc<Banlist>, day: Date) -> Arc<Banlist> {
        if self.rotation.is_none() || self.day == day {
            return Arc::clone(self);
        }
        Arc::new(Banlist { day, ..(**self).clone() })
    }

    /// Whether the list applies to decks of a format, by id; `None`: to those of every format.
    pub fn concerns(&self, format: Option<&str>) -> bool {
        let named = |id: &str| self.formats.iter().any(|own| own.value == id);
        self.formats.is_empty() || format.is_some_and(named)
    }

    /// The ids of its formats, or the game's where it is for all formats.
    pub fn scope(&self) -> String {
        let ids: Vec<&str> = self.formats.iter().map(|id| id.value.as_str()).collect();
        if ids.is_empty() {
            return self.game.clone();
        }
        listed(&ids, "and")
    }

    /// Whether the list applies on a day.
    pub fn covers(&self, day: Date) -> bool {
        self.effective <= day && self.ends.is_none_or(|ends| day <= ends)
    }

    /// Notes that the list, which the call names, is not in force on a day.
    pub fn out_of_force(&self, day: Date) -> Option<ListNotice> {
        let applies = match self.ends.filter(|ends| *ends < day) {
            Some(ends) => format!("applied only until {ends}"),
            None if day < self.effective => format!("applies only from {}", self.effective),
            None => return None,
        };
        let name = &self.name;
        Some(ListNotice {
            fault: Fault::OutOfForce,
            cards: Vec::new(),
            message: format!("the list {name} was named, and {applies} (judged as of {day})"),
        })
    }

    /// Notes that this list, which is for some formats alone, takes precedence over the one for the
    /// whole game.
    pub fn goes_before(&self, of_game: &Banlist) -> ListNotice {
        ListNotice {
            fault: Fault::OutOfForce,
            cards: Vec::new(),
            message: format!(
                "the list {} of {} does not apply: {} is for {} and goes before it",
                of_game.shown(),
                of_game.game,
                self.shown(),
                self.scope()
            ),
        }
    }
}

/// The list in force on a day for decks of a format, or without one, for those of every format
/// of a game that no list names: the latest that has begun and not ended. A list that names the
/// format takes precedence over one for all formats, whatever their days. Samples are never in
/// force, and a fetched list never takes the place of another publisher's: only the user's own
/// configuration decides between them.
///
/// # Errors
/// When two lists of one publisher began on the same day, or two publishers on the web have a list
/// in force.
pub fn in_force(
    lists: &[Arc<Banlist>],
    game: &str,
    format: Option<&str>,
    day: Date,
) -> Result<Option<Arc<Banlist>>, Problem> {
    let rank = |list: &Banlist| (!list.formats.is_empty(), list.effective);
    let two = |one: &Banlist, other: &Banlist| {
        let whose = format.filter(|_| rank(one).0).unwrap_or(game);
        let (first, second, from) =
            (one.shown(), other.shown(), one.effective.max(other.effective));
        let message =
            format!("the banlists {first} and {second} of {whose} are both in force from {from}");
        let help = if first == second {
            "give one of the two lists another id".to_owned()
        } else {
            format!("name one of them with `--banlist {first}`")
        };
        Problem::new(ProblemKind::Game, message).with_help(help)
    };
    let same = |one: &Banlist, other: &Banlist| one.id == other.id && one.sha256 == other.sha256;
    let mut best: Vec<&Arc<Banlist>> = Vec::new();
    let applies = |list: &&Arc<Banlist>| {
        list.game == game && !list.sample && list.covers(day) && list.concerns(format)
    };
    for list in lists.iter().filter(applies) {
        let publisher = list.origin.publisher();
        let own = best.iter_mut().find(|known| known.origin.publisher() == publisher);
        match own {
            Some(known) if rank(known) == rank(list) => {
                if !same(known, list) {
                    return Err(two(known, list));
                }
            }
            Some(known) if rank(known) > rank(list) => {}
            Some(known) => *known = list,
            None => best.push(list),
        }
    }
    best.sort_by_key(|list| rank(list));
    let mut fetched = best.iter().filter(|list| list.origin.is_fetched());
    if let Some(one) = fetched.next()
        && let Some(other) = fetched.find(|other| !same(other, one))
    {
        return Err(two(one, other));
    }
    match best.as_slice() {
        [.., one, last] if rank(one) == rank(last) && !same(one, last) => Err(two(one, last)),
        all => Ok(all.last().map(|list| Arc::clone(list))),
    }
}

#[cfg(test)]
mod tests;
