//! `banned`, `restricted` and `points-list`: what a list says of cards one by one.

use super::named::{Naming, One, Ones};
use super::{cited, open, place, scope};
use crate::banlist::{Banlist, Entry, Per, Status};
use crate::pool::CardId;
use crate::rules::demand::{Cond, Num};
use crate::rules::meter::Reading;
use crate::rules::{Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation, Where};
use crate::text::{counted, some_of};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    Banned,
    Restricted,
    Points,
}

#[derive(Debug)]
pub(super) struct Standing {
    list: Arc<Banlist>,
    task: Task,
    ones: Ones,
    /// Of each of them: where its entry applies, and which entry it is.
    of: Vec<(SectionSet, usize)>,
    /// What the sections of each entry of the list are called: ` in the extra deck`, or nothing.
    places: Vec<String>,
    /// Whether what the list says of a card depends on what the pool tells of it.
    asks: bool,
}

impl Standing {
    pub(super) fn new(
        list: &Arc<Banlist>,
        naming: &Naming,
        task: Task,
        with: &mut Compile<'_>,
    ) -> Standing {
        let own = |entry: &Entry| match entry.status {
            Status::Banned => task == Task::Banned,
            Status::Restricted(_) => task == Task::Restricted,
            Status::Points(_) => task == Task::Points,
        };
        let entries = list.entries.iter().enumerate();
        let mut entries: Vec<(usize, &Entry)> = entries.filter(|(_, entry)| own(entry)).collect();
        // The points of a card are those of its name, or else of the first query that picks it.
        if task == Task::Points {
            entries.sort_by_key(|(at, entry)| (entry.query, *at));
        }
        let asks = entries.iter().any(|(_, entry)| entry.query) || naming.asks();
        let (mut ones, mut of) = (Ones::default(), Vec::new());
        for (at, entry) in &entries {
            let scope = scope(&entry.sections, with.sections);
            for (_, one) in naming.each(entry, with) {
                let one = match one {
                    One::Cards(mut cards) if task == Task::Points && entry.query => {
                        cards.retain(|card| !ones.has(*card));
                        One::Cards(cards)
                    }
                    one => one,
                };
                ones.add(one);
                of.push((scope, *at));
            }
        }
        let places = list
            .entries
            .iter()
            .map(|entry| place(&entry.sections, with));
        Standing {
            places: places.collect(),
            list: Arc::clone(list),
            task,
            ones,
            of,
            asks: asks && !entries.is_empty(),
        }
    }

    fn entry(&self, at: usize) -> &Entry {
        &self.list.entries[self.of[at].1]
    }

    /// What a list calls a card that a deck holds: by the list's field, what several cards
    /// have in common.
    fn called<'s>(&'s self, at: usize, card: CardId, contents: &'s Contents<'_>) -> &'s str {
        let entry = self.entry(at);
        match self.list.by.is_some() && !entry.query {
            true => &entry.name,
            false => contents.name(card),
        }
    }

    #[cold]
    fn banned(&self, at: usize, card: CardId, copies: i64, contents: &Contents<'_>) -> Violation {
        let (scope, entry) = (self.of[at].0, self.entry(at));
        let being = match entry.query {
            true => format!(" as one of `{}`", entry.name),
            false => String::new(),
        };
        let mut violation = Violation::of_deck(
            Failing::Excess,
            format!(
                "`{}` is banned{being}{} ({})",
                self.called(at, card, contents),
                self.places[self.of[at].1],
                cited(&self.list, entry.line)
            ),
            "take out every copy".to_owned(),
        )
        .with_numbers(0, copies)
        .about(card, Where::First(card, scope))
        .keeping(scope, 0);
        violation.cards = self.ones.held(at, card, contents, scope);
        violation.in_section(scope.single())
    }

    #[cold]
    fn restricted(
        &self,
        at: usize,
        card: CardId,
        (most, copies): (i64, i64),
        contents: &Contents<'_>,
    ) -> Violation {
        let (scope, entry) = (self.of[at].0, self.entry(at));
        let being = match entry.query {
            true => format!(" as one of `{}`", entry.name),
            false => String::new(),
        };
        let mut violation = Violation::of_deck(
            Failing::Excess,
            format!(
                "{} of `{}`, which is restricted to {most}{being} ({})",
                counted(copies, "copy"),
                self.called(at, card, contents),
                cited(&self.list, entry.line)
            ),
            format!("take out {}", counted(copies - most, "copy")),
        )
        .with_numbers(most, copies)
        .about(card, Where::Passing(card, scope, most))
        .keeping(scope, most);
        violation.cards = self.ones.held(at, card, contents, scope);
        if violation.cards.len() > 1 {
            violation.place = Where::First(card, scope);
        }
        violation.in_section(scope.single())
    }

    /// The points of what a deck holds, and what `see` is told of each.
    fn points(&self, contents: &Contents<'_>, mut see: impl FnMut(usize, CardId, i64, i64)) -> i64 {
        let mut points = 0_i64;
        self.ones.each_held(
            contents,
            |at| self.of[at].0,
            |at, card, copies| {
                if let Status::Points(each) = self.entry(at).status {
                    let times = match self.list.points_per {
                        Per::Copy => copies,
                        Per::Card => 1,
                    };
                    points = points.saturating_add(times.saturating_mul(each));
                    see(at, card, times, each);
                }
            },
        );
        points
    }

    #[cold]
    fn too_dear(&self, contents: &Contents<'_>, points: i64, limit: i64) -> Violation {
        let (mut sums, mut cards) = (Vec::new(), Vec::new());
        self.points(contents, |at, card, times, each| {
            let name = self.called(at, card, contents);
            sums.push(match self.list.points_per {
                Per::Copy => format!("{times} × {each} `{name}`"),
                Per::Card => format!("{each} `{name}`"),
            });
            cards.extend(self.ones.held(at, card, contents, self.of[at].0));
        });
        let message = format!(
            "{} ({}), and at most {limit} may be there (list {})",
            counted(points, "listed point"),
            sums.join(" + "),
            self.list.id
        );
        let over = counted(points.saturating_sub(limit), "point");
        let copies = match self.list.points_per {
            Per::Copy => "",
            Per::Card => "every copy of ",
        };
        let help = format!("take out {copies}listed cards worth {over}");
        let mut violation =
            Violation::of_deck(Failing::Excess, message, help).with_numbers(limit, points);
        violation.cards = cards;
        violation
    }
}

impl Constraint for Standing {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let strangers = match self.asks {
            true => contents.count_unknown(SectionSet(u64::MAX)),
            false => 0,
        };
        let what = match self.task {
            Task::Points => {
                let limit = self.list.points_limit.unwrap_or(i64::MAX);
                let points = self.points(contents, |_, _, _, _| {});
                if points > limit {
                    found.push(self.too_dear(contents, points, limit));
                    return;
                }
                "the sum of listed points"
            }
            Task::Banned | Task::Restricted => {
                self.ones.each_held(
                    contents,
                    |at| self.of[at].0,
                    |at, card, copies| match self.entry(at).status {
                        Status::Banned => found.push(self.banned(at, card, copies, contents)),
                        Status::Restricted(most) if copies > i64::from(most) => {
                            let numbers = (i64::from(most), copies);
                            found.push(self.restricted(at, card, numbers, contents));
                        }
                        Status::Restricted(_) | Status::Points(_) => {}
                    },
                );
                match self.task {
                    Task::Banned => "what is banned",
                    _ => "what is restricted",
                }
            }
        };
        if strangers > 0 {
            found.push(open(&self.list, strangers, what));
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let (mut all, mut points) = (Vec::new(), Vec::new());
        for at in 0..self.ones.all().len() {
            let leaf = |weight| self.ones.leaf(at, self.of[at].0, weight, of);
            match self.entry(at).status {
                Status::Banned => all.push(leaf(1).is_absent()),
                Status::Restricted(most) => {
                    all.push(Cond::at_most(leaf(1).num(), i64::from(most)));
                }
                Status::Points(each) => points.push(match self.list.points_per {
                    Per::Copy => leaf(each).num(),
                    Per::Card => {
                        let each = Box::new(Num::Const(each));
                        Num::When(Box::new(leaf(1).is_there()), each)
                    }
                }),
            }
        }
        let limit = self.list.points_limit;
        if let Some(limit) = limit.filter(|_| self.task == Task::Points) {
            all.push(Cond::at_most(Num::Add(points), limit));
        }
        Cow::Owned(Cond::All(all))
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        let most = self
            .list
            .points_limit
            .filter(|_| self.task == Task::Points)?;
        let total = self.points(contents, |_, _, _, _| {});
        (total > 0).then(|| Reading {
            section: None,
            called: "listed points".to_owned(),
            value: total,
            low: None,
            high: Some(most),
            is_uncertain: self.asks && contents.count_unknown(SectionSet(u64::MAX)) > 0,
        })
    }

    fn demand(&self) -> String {
        const MOST_NAMED: usize = 4;
        let name = &self.list.name;
        let named: Vec<String> = (0..self.of.len())
            .map(|at| format!("`{}`", self.entry(at).name))
            .collect();
        if named.is_empty() {
            return format!("What the list {name} says.");
        }
        let named = some_of(&named, MOST_NAMED);
        match (self.task, self.list.points_limit) {
            (Task::Banned, _) => format!("No copies of what the list {name} bans: {named}."),
            (Task::Restricted, _) => {
                format!("No more copies than the list {name} lets in of {named}.")
            }
            (Task::Points, Some(limit)) => format!(
                "At most {} on the list {name}, which has {named}.",
                counted(limit, "point")
            ),
            (Task::Points, None) => format!("The points of the list {name}, which has {named}."),
        }
    }
}
