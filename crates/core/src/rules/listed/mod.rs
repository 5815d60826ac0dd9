//! What a banlist says: `banned`, `restricted`, `points-list`, `group-list`, `rotation` and
//! `list-changes`.

mod apart;
mod changed;
mod named;
mod rotated;
mod standing;

use super::{Compile, Constraint, Rule, SectionSet, Severity, Violation};
use crate::banlist::{Banlist, Changed, Listed};
use crate::game::Section;
use crate::text::{counted, listed};
use crate::yaml::Spanned;
use named::Naming;
use standing::{Standing, Task};
use std::sync::Arc;

/// The rule that bans cards, and its kind.
pub(crate) const BANNED: &str = "banned";
/// The rule that limits copies of cards, and its kind.
pub(crate) const RESTRICTED: &str = "restricted";
/// The rule that adds up points, and its kind.
pub(crate) const POINTS: &str = "points-list";
/// The rule that keeps cards apart, and its kind.
pub(crate) const GROUP: &str = "group-list";
/// The rule that lets sets come and go, and its kind.
pub(crate) const ROTATION: &str = "rotation";
/// The notice of what it says otherwise of cards, and its kind.
pub(crate) const CHANGES: &str = "list-changes";

/// The rules that a list adds to a format; `changed` are the cards as it has them, of which the pool is made. What does not fit the cards is among the problems of
/// `with`.
pub(crate) fn rules(
    list: &Arc<Banlist>,
    changed: Option<&Arc<Changed>>,
    with: &mut Compile<'_>,
) -> Vec<Rule> {
    let rule = |id: &'static str, about: &str, constraint: Box<dyn Constraint>| Rule {
        place: 0,
        says: [None, None],
        id: id.to_owned(),
        kind: id,
        severity: Severity::Error,
        source: format!("{} ({})", list.name, list.id),
        about: about.to_owned(),
        because: None,
        constraint,
    };
    let naming = Naming::new(list, with);
    let standing = |task, with: &mut Compile<'_>| -> Box<dyn Constraint> {
        Box::new(Standing::new(list, &naming, task, with))
    };
    let mut rules = vec![
        rule(
            BANNED,
            "No card that the banlist bans.",
            standing(Task::Banned, with),
        ),
        rule(
            RESTRICTED,
            "No more copies of a restricted card than the list allows.",
            standing(Task::Restricted, with),
        ),
        rule(
            POINTS,
            "The listed points of all copies stay within the list's limit.",
            standing(Task::Points, with),
        ),
    ];
    for group in &list.groups {
        let about = "Cards that the list keeps apart.";
        let apart = apart::Apart::new(list, group, &naming, with);
        rules.push(rule(GROUP, about, Box::new(apart)));
    }
    if let Some(rotation) = &list.rotation {
        let about = "Only cards of sets that may be played.";
        let rotated = rotated::Rotated::new(list, rotation, with);
        rules.push(rule(ROTATION, about, Box::new(rotated)));
    }
    if let Some(changed) = changed {
        let about = "What the list says otherwise of cards than the card file is told.";
        rules.push(Rule {
            severity: Severity::Notice,
            ..rule(
                CHANGES,
                about,
                Box::new(changed::ListedChange::new(list, changed)),
            )
        });
    }
    rules
}

/// The sections that a list names; all where it names none.
fn scope(named: &[String], sections: &[Section]) -> SectionSet {
    if named.is_empty() {
        return SectionSet(u64::MAX);
    }
    let inside = sections.iter().enumerate();
    let inside = inside.filter(|(_, section)| named.contains(&section.id));
    inside.fold(SectionSet::default(), |set, (at, _)| {
        set.and(SectionSet::only(at))
    })
}

/// What a message calls the sections that a list names: ` in the extra deck`, or nothing.
fn place(named: &[String], with: &Compile<'_>) -> String {
    let names = with
        .sections
        .iter()
        .filter(|section| named.contains(&section.id));
    let names: Vec<&str> = names.map(|section| section.name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(" in the {}", listed(names, "and")),
    }
}

/// Where a list says something.
fn cited(list: &Banlist, line: usize) -> String {
    format!("list {}, line {line}", list.id)
}

/// The notice that unknown cards leave open what a list says of them.
#[cold]
fn open(list: &Banlist, strangers: i64, what: &str) -> Violation {
    Violation::unverified(format!(
        "not verified: {what} (list {}) depends on {}",
        list.id,
        counted(strangers, "unknown card")
    ))
}

/// A query of a list, as a format file's would stand.
fn query(one: &Listed) -> Spanned<String> {
    Spanned {
        value: one.name.clone(),
        span: one.span,
    }
}
