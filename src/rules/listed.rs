//! What a banlist says: `banned`, `restricted` and `points-list`.

use super::contents::each_card;
use super::{Constraint, Contents, Failing, Linear, Rule, SectionSet, Severity, Violation, Where};
use crate::banlist::{Banlist, Entry, Status};
use crate::game::Section;
use crate::name::fold;
use crate::pool::{CardId, Pool};
use crate::text::counted;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The rule that bans cards, and its kind.
pub(crate) const BANNED: &str = "banned";

/// The rules that a list adds to a format.
pub(crate) fn rules(list: &Arc<Banlist>, pool: &Pool, sections: &[Section]) -> Vec<Rule> {
    let rule = |id: &'static str, about: &str, task: Task| Rule {
        id: id.to_owned(),
        kind: id,
        severity: Severity::Error,
        source: format!("{} ({})", list.name, list.id),
        about: about.to_owned(),
        constraint: Box::new(Listed::new(list, pool, sections, task)),
    };
    vec![
        rule(BANNED, "No card that the banlist bans.", Task::Banned),
        rule(
            "restricted",
            "No more copies of a restricted card than the list allows.",
            Task::Restricted,
        ),
        rule(
            "points-list",
            "The listed points of all copies stay within the list's limit.",
            Task::Points,
        ),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Banned,
    Restricted,
    Points,
}

#[derive(Debug)]
struct Listed {
    list: Arc<Banlist>,
    task: Task,
    /// Where an entry applies, and which; by card, and for cards the pool lacks by name.
    known: FxHashMap<CardId, Vec<(SectionSet, usize)>>,
    strangers: FxHashMap<String, Vec<(SectionSet, usize)>>,
}

impl Listed {
    fn new(list: &Arc<Banlist>, pool: &Pool, sections: &[Section], task: Task) -> Listed {
        let mut known: FxHashMap<CardId, Vec<(SectionSet, usize)>> = FxHashMap::default();
        let mut strangers: FxHashMap<String, Vec<(SectionSet, usize)>> = FxHashMap::default();
        for (at, entry) in list.entries.iter().enumerate() {
            let concerns = match entry.status {
                Status::Banned => task == Task::Banned,
                Status::Restricted(_) => task == Task::Restricted,
                Status::Points(_) => task == Task::Points,
            };
            if !concerns {
                continue;
            }
            let scope = if entry.sections.is_empty() {
                SectionSet(u64::MAX)
            } else {
                let named = |section: &Section| entry.sections.contains(&section.id);
                let inside = sections
                    .iter()
                    .enumerate()
                    .filter(|(_, section)| named(section));
                inside.fold(SectionSet::default(), |set, (at, _)| {
                    set.and(SectionSet::only(at))
                })
            };
            match pool.find(&entry.name) {
                Some(card) => known.entry(card).or_default().push((scope, at)),
                None => strangers
                    .entry(fold(&entry.name).into_owned())
                    .or_default()
                    .push((scope, at)),
            }
        }
        Listed {
            list: Arc::clone(list),
            task,
            known,
            strangers,
        }
    }

    fn each(&self, contents: &Contents<'_>, mut see: impl FnMut(CardId, SectionSet, i64, &Entry)) {
        let mut meet = |card: CardId, scopes: &[(SectionSet, usize)]| {
            let held = contents.of_card(card);
            for (scope, at) in scopes {
                let inside = held
                    .iter()
                    .filter(|holding| scope.has(usize::from(holding.section)));
                let copies: i64 = inside.map(|holding| holding.copies).sum();
                if copies > 0 {
                    see(card, *scope, copies, &self.list.entries[*at]);
                }
            }
        };
        let everywhere = SectionSet(u64::MAX);
        if !self.known.is_empty() {
            each_card(contents.known(), everywhere, |card, _| {
                if let Some(scopes) = self.known.get(&card) {
                    meet(card, scopes);
                }
            });
        }
        if !self.strangers.is_empty() {
            each_card(contents.unknown(), everywhere, |card, _| {
                if let Some(scopes) = self.strangers.get(contents.folded(card)) {
                    meet(card, scopes);
                }
            });
        }
    }

    /// Where the list says so.
    fn cited(&self, entry: &Entry) -> String {
        format!("list {}, line {}", self.list.id, entry.line)
    }
}

impl Constraint for Listed {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let mut points = 0_i64;
        let mut counted_cards: Vec<(CardId, String)> = Vec::new();
        self.each(contents, |card, scope, copies, entry| {
            let name = contents.name(card);
            let cited = self.cited(entry);
            let violation = match entry.status {
                Status::Banned => {
                    let place = match entry.sections.as_slice() {
                        [] => String::new(),
                        sections => format!(" in {}", crate::text::listed(sections, "and")),
                    };
                    Violation::of_deck(
                        Failing::Excess,
                        format!("`{name}` is banned{place} ({cited})"),
                        "take out every copy".to_owned(),
                    )
                    .with_numbers(0, copies)
                    .about(card, Where::First(card, scope))
                }
                Status::Restricted(most) if copies > i64::from(most) => {
                    let most = i64::from(most);
                    Violation::of_deck(
                        Failing::Excess,
                        format!(
                            "{} of `{name}`, which is restricted to {most} ({cited})",
                            counted(copies, "copy")
                        ),
                        format!("take out {}", counted(copies - most, "copy")),
                    )
                    .with_numbers(most, copies)
                    .about(card, Where::Passing(card, scope, most))
                }
                Status::Restricted(_) => return,
                Status::Points(each) => {
                    let sum = copies.saturating_mul(each);
                    points = points.saturating_add(sum);
                    counted_cards.push((card, format!("{copies} × {each} `{name}`")));
                    return;
                }
            };
            found.push(violation.in_section(scope.single()));
        });
        let limit = self.list.points_limit.unwrap_or(i64::MAX);
        if self.task == Task::Points && points > limit {
            let sums: Vec<&str> = counted_cards.iter().map(|(_, sum)| sum.as_str()).collect();
            let message = format!(
                "{} ({}), and at most {limit} may be there (list {})",
                counted(points, "listed point"),
                sums.join(" + "),
                self.list.id
            );
            let over = counted(points.saturating_sub(limit), "point");
            let mend = format!("take out listed cards worth {over}");
            let mut violation =
                Violation::of_deck(Failing::Excess, message, mend).with_numbers(limit, points);
            violation.cards = counted_cards.iter().map(|(card, _)| *card).collect();
            found.push(violation);
        }
    }

    fn linear(&self, linear: &mut Linear<'_>) {
        let mut listed: Vec<(CardId, SectionSet, usize)> = Vec::new();
        let mut note = |card: CardId, scopes: &[(SectionSet, usize)]| {
            listed.extend(scopes.iter().map(|(scope, at)| (card, *scope, *at)));
        };
        for (card, scopes) in &self.known {
            note(*card, scopes);
        }
        for card in linear.strangers() {
            if let Some(scopes) = self.strangers.get(linear.contents().folded(card)) {
                note(card, scopes);
            }
        }
        listed.sort_unstable_by_key(|(card, _, at)| (*card, *at));
        let mut points = Vec::new();
        for (card, scope, at) in listed {
            match self.list.entries[at].status {
                Status::Banned => {
                    linear.row(linear.sum(card, scope, 1), None, Some(0));
                }
                Status::Restricted(most) => {
                    linear.row(linear.sum(card, scope, 1), None, Some(i64::from(most)));
                }
                Status::Points(each) => points.extend(linear.sum(card, scope, each)),
            }
        }
        if let Some(limit) = self.list.points_limit {
            linear.row(points, None, Some(limit));
        }
    }

    fn demand(&self) -> String {
        format!("What the list {} says.", self.list.name)
    }
}
