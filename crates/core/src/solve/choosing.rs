//! Repairs of decks that declare choices: other choices are tried, too.

use super::contradiction::Contradiction;
use super::problem::Problem;
use super::repair::{Repair, Wishes, liked, repair_as_declared, repair_within};
use super::{Advice, Conflict, Decklist, Found};
use crate::deck::{Choices, Choosable};
use crate::rules::{Judgement, Rule, Severity};

/// At least so many ways to declare choices are tried, those that change least first; more where
/// more work is allowed.
const TRIED: usize = 64;
/// A further way is tried for so many steps that are allowed.
const STEPS: u64 = 400;
/// No more ways than this are written down.
const MOST_TRIED: usize = 1 << 14;

/// Which choices of a deck a repair may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choosing {
    /// All; each that changes counts as a card does.
    #[default]
    Any,
    /// Those that the deck does not declare.
    Undeclared,
    /// None.
    Nothing,
}

/// How many choices differ.
pub(super) fn differing(one: &Choices, other: &Choices) -> i64 {
    let changed = |(name, value): &(&String, &String)| one.get(*name) != Some(*value);
    let gone = one.keys().filter(|name| !other.contains_key(*name));
    let differ = other.iter().filter(changed).count() + gone.count();
    i64::try_from(differ).unwrap_or(i64::MAX)
}

/// What a deck might declare instead: those that change least first, in the order of the format's
/// file; and how many choices a way that is left out changes at least, where any is.
pub(super) fn others(deck: &Decklist, wishes: &Wishes) -> (Vec<Choices>, Option<i64>) {
    let allowed = usize::try_from(wishes.effort / STEPS).unwrap_or(MOST_TRIED);
    let most = allowed.clamp(TRIED, MOST_TRIED);
    let own = deck.choices();
    let game = deck.rulebook().format().game();
    let free = |choice: &&Choosable| match wishes.choosing {
        Choosing::Any => true,
        Choosing::Undeclared => !own.contains_key(&choice.name),
        Choosing::Nothing => false,
    };
    let mut left_out = None;
    let mut each = vec![own.clone()];
    for choice in game.choices().iter().filter(free) {
        let (values, all) = choice.some(most, TRIED);
        let mut values: Vec<Option<String>> = values.into_iter().map(Some).collect();
        if !all {
            left_out = Some(1);
        }
        values.push(None);
        values.retain(|value| value.as_ref() != own.get(&choice.name));
        for before in each.clone() {
            for value in &values {
                let mut changed = before.clone();
                match value {
                    Some(value) => changed.insert(choice.name.clone(), value.clone()),
                    None => changed.remove(&choice.name),
                };
                each.push(changed);
            }
            if each.len() > 4 * most {
                left_out = Some(1);
                break;
            }
        }
    }
    each.remove(0);
    // Stable: what changes as much stays in the order of the file.
    each.sort_by_key(|other| differing(own, other));
    let first_left = each.get(most).map(|other| differing(own, other));
    each.truncate(most);
    (each, left_out.or(first_left))
}

/// What is compared between decks: what is preferred, aims, copies and choices that change.
fn cost(found: &Found, choices: i64) -> (&[i64], &[i64], i64) {
    (&found.missed, &found.aims, found.distance + choices)
}

/// What the rules that no choice concerns cost at least, as far as anybody asked.
#[derive(Default)]
struct Common {
    /// Whether the deck breaks one of them.
    broken: Option<bool>,
    /// So many copies change at least; `None`: no deck keeps them, or nobody asked.
    least: Option<i64>,
}

impl Common {
    /// How many copies change at least whatever the deck declares, where that is proven to be as
    /// many as are asked for or more.
    fn least(&mut self, deck: &Decklist, enough: i64) -> Option<i64> {
        if enough <= 0 {
            return Some(0);
        }
        if enough == 1 {
            let broken = *self.broken.get_or_insert_with(|| breaks_any(deck));
            return broken.then_some(1);
        }
        self.least.filter(|least| *least >= enough)
    }

    /// Mends the deck by them alone. Where all other rules hold then, too, whatever else is declared
    /// nothing is nearer: that deck is the answer. Where no deck keeps them, none is legal.
    fn mended(&mut self, deck: &Decklist, wishes: &Wishes) -> Option<Result<Found, Conflict>> {
        let contents = deck.contents();
        let mut problem = Problem::of(deck, &contents, wishes, is_common);
        let Some((distance, after)) = problem.least() else {
            return Some(Err(problem.conflict()));
        };
        self.least = Some(distance);
        let deck = after.filter(|after| problem.is_right(after, distance))?;
        Some(Ok(Found {
            deck,
            distance,
            optimal: true,
            bound: distance,
            missed: Vec::new(),
            aims: Vec::new(),
            lacking: None,
        }))
    }
}

/// What makes them impossible to keep, where that is proven.
fn common_conflict(deck: &Decklist, wishes: &Wishes) -> Option<Conflict> {
    let contents = deck.contents();
    let problem = Problem::of(deck, &contents, wishes, is_common);
    (problem.is_possible(&|_| true) == Some(false)).then(|| problem.conflict())
}

/// Whether a rule must be kept, whatever is declared.
pub(super) fn is_common(rule: &Rule) -> bool {
    rule.counts(false) && !rule.chosen
}

/// Whether a deck breaks a rule that no choice concerns. What a section refuses takes no part in
/// other rules: where that is a matter of choices, nothing is certain.
fn breaks_any(deck: &Decklist) -> bool {
    let rulebook = deck.rulebook();
    let mut rules = rulebook.rules().iter();
    let certain = rules.all(|rule| !rule.chosen || !rule.constraint.is_gate());
    let broken = |found: &Judgement| {
        rulebook.severity(found) == Severity::Error && is_common(&rulebook.rules()[found.rule])
    };
    certain && deck.judge().iter().any(broken)
}

/// The legal deck nearest to a given one, whatever it declares.
pub(super) fn repair(deck: &Decklist, wishes: &Wishes) -> Repair {
    let (others, left_out) = match deck.rulebook().format().game().choices() {
        [] => (Vec::new(), None),
        _ => others(deck, wishes),
    };
    let may = |choices: &Choices| {
        let mut not = wishes.undeclared.iter();
        not.all(|(name, value)| choices.get(name) != value.as_ref())
    };
    if others.is_empty() && left_out.is_none() && may(deck.choices()) {
        return repair_as_declared(deck, wishes);
    }
    // Taste has no say in which choice is made: as declared the answer is mostly the last.
    let plain = Wishes {
        taste: None,
        at_hand: None,
        varied: false,
        advice: match wishes.advice {
            Advice::AtNoCost => Advice::Ignored,
            advice => advice,
        },
        ..wishes.clone()
    };
    // What is asked for beyond a near deck is looked for choice by choice until it is reached.
    let soft =
        wishes.advice == Advice::First || !(wishes.prefer.is_empty() && wishes.aims.is_empty());
    let reached = |found: &Found| found.missed.iter().chain(&found.aims).all(|by| *by == 0);
    let mut best: Option<(Box<Found>, i64, Choices)> = None;
    let mut bound = i64::MAX;
    let mut proven = true;
    let mut contradiction = Contradiction::default();
    let own = deck.choices();
    let mut common = Common::default();
    let all_asked = !soft && !deck.is_legal();
    match all_asked.then(|| common.mended(deck, &plain)).flatten() {
        Some(Ok(found)) if may(own) => return liked(deck, wishes, found),
        Some(Err(conflict)) => return Repair::Impossible(conflict),
        Some(Ok(_)) | None => {}
    }
    // All ways together have as many steps as one has, so that what a call takes is bounded.
    let mut left = wishes.effort;
    let ways = std::iter::once(own).chain(&others);
    for choices in ways.filter(|choices| may(choices)) {
        let changed = differing(own, choices);
        let known = best.as_ref();
        if known.is_some_and(|(found, so_far, _)| match soft {
            true => reached(found),
            false => found.distance + so_far <= changed,
        }) {
            break;
        }
        // What no choice concerns takes as many changes whatever is declared.
        let enough = known.filter(|_| !soft);
        let enough = enough.map(|(found, so_far, _)| found.distance + so_far - changed);
        let least = enough.and_then(|enough| common.least(deck, enough));
        if let Some(least) = least {
            bound = bound.min(changed + least);
            continue;
        }
        if left == 0 {
            bound = bound.min(changed);
            proven = false;
            break;
        }
        let other = deck.choosing(choices);
        // Nearer is nothing but the deck as it is.
        let holds = || plain.must.iter().all(|wish| wish.holds(&other, &other));
        if enough == Some(1) && !(other.is_legal() && holds()) {
            bound = bound.min(changed + 1);
            continue;
        }
        if known.is_none() && contradiction.refuses(&other, &plain) {
            continue;
        }
        let wishes = if changed == 0 { wishes } else { &plain };
        match repair_within(&other, wishes, &mut left) {
            Repair::Found(found) => {
                bound = bound.min(found.bound + changed);
                let better = best
                    .as_ref()
                    .is_none_or(|(known, so_far, _)| cost(&found, changed) < cost(known, *so_far));
                if better {
                    best = Some((found, changed, choices.clone()));
                }
            }
            Repair::Impossible(why) => {
                if changed == 0
                    && !all_asked
                    && let Some(conflict) = common_conflict(deck, &plain)
                {
                    return Repair::Impossible(conflict);
                }
                contradiction.add(&other, &why);
            }
            Repair::Unknown => {
                bound = bound.min(changed);
                proven = false;
            }
        }
    }
    let Some((found, changed, choices)) = best else {
        let all = proven && left_out.is_none() && contradiction.is_any();
        return match all {
            true => Repair::Impossible(contradiction.reduced(deck, &plain)),
            false => Repair::Unknown,
        };
    };
    let liked = (changed > 0).then(|| repair_as_declared(&deck.choosing(&choices), wishes));
    let mut best = match liked {
        Some(Repair::Found(liked)) => liked,
        Some(Repair::Impossible(_) | Repair::Unknown) | None => found,
    };
    best.distance += changed;
    best.bound += changed;
    if !soft {
        let least = bound.min(left_out.unwrap_or(i64::MAX));
        best.bound = least.min(best.distance);
        best.optimal &= proven && best.bound == best.distance;
    }
    Repair::Found(best)
}
