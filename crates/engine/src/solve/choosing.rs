//! Repairs of decks that declare choices: other choices are tried, too.

use super::contradiction::Contradiction;
use super::problem::Problem;
use super::repair::{Repair, Wishes, liked, repair_as_declared, repair_within};
use super::{Advice, Conflict, Decklist, Floor, Found};
use decklaw_core::deck::{Choices, Choosable};
use decklaw_core::rules::{Judgement, Rule, Severity};

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

/// The ways to declare choices that wishes allow, the deck's own first; and how many choices a way
/// that is left out changes at least, where any is.
pub(super) fn ways(deck: &Decklist, wishes: &Wishes) -> (Vec<Choices>, Option<i64>) {
    let (others, left_out) = match deck.rulebook().format().game().choices() {
        [] => (Vec::new(), None),
        _ => others(deck, wishes),
    };
    let own = std::iter::once(deck.choices().clone());
    (own.chain(others).collect(), left_out)
}

/// What a deck might declare instead: those that change least first, in the order of the format's
/// file; and how many choices a way that is left out changes at least, where any is.
fn others(deck: &Decklist, wishes: &Wishes) -> (Vec<Choices>, Option<i64>) {
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

/// How far a deck is from each preferred wish and from each aim, and the advice against it.
type Missed = (Vec<i64>, Vec<i64>, usize);

/// How far a deck is from what comes before the distance: what is preferred, aims, and how much
/// advice it does not follow, where that counts.
fn missed(found: &Found, advice: Advice) -> Missed {
    let rulebook = found.deck.rulebook();
    let is_advice = |judged: &&Judgement| rulebook.severity(judged) == Severity::Warning;
    let unheeded = match advice {
        Advice::First => found.deck.judge().iter().filter(is_advice).count(),
        Advice::Ignored | Advice::AtNoCost => 0,
    };
    (found.missed.clone(), found.aims.clone(), unheeded)
}

/// What the rules that no choice concerns cost at least, as far as anybody asked.
#[derive(Default)]
struct Common {
    /// Whether the deck breaks one of them.
    broken: Option<bool>,
    /// What no deck that keeps them is nearer than; `None`: nobody asked.
    floor: Option<Floor>,
}

impl Common {
    /// How many copies change at least whatever the deck declares, where that is proven to be as
    /// many as are asked for or more.
    fn least(&mut self, deck: &Decklist, enough: i64) -> Option<Floor> {
        if enough <= 0 {
            return Some(Floor::ZERO);
        }
        if enough == 1 {
            let broken = *self.broken.get_or_insert_with(|| breaks_any(deck));
            return broken.then_some(Floor::ONE);
        }
        self.floor.filter(|least| least.reaches(enough))
    }

    /// Mends the deck by them alone. Where all other rules hold then, too, whatever else is declared
    /// nothing is nearer: that deck is the answer. Where no deck keeps them, none is legal.
    fn mended(&mut self, deck: &Decklist, wishes: &Wishes) -> Option<Result<Found, Conflict>> {
        let contents = deck.contents();
        let mut problem = Problem::of(deck, &contents, wishes, is_common);
        let Some((floor, after)) = problem.least() else {
            return Some(Err(problem.conflict()));
        };
        self.floor = Some(floor);
        let distance = floor.get();
        let deck = after.filter(|after| problem.is_right(after, distance))?;
        Some(Ok(Found {
            deck,
            distance,
            floor,
            settled: true,
            missed: Vec::new(),
            aims: Vec::new(),
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
    let (ways, left_out) = ways(deck, wishes);
    let own = deck.choices();
    if ways.len() == 1 && ways.contains(own) && left_out.is_none() {
        return repair_as_declared(deck, wishes);
    }
    // Taste has no say in which choice is made: as declared the answer is mostly the last.
    let plain = Wishes {
        taste: None,
        varied: false,
        advice: match wishes.advice {
            Advice::AtNoCost => Advice::Ignored,
            advice => advice,
        },
        ..wishes.clone()
    };
    // What is asked for beyond a near deck comes first.
    let soft =
        wishes.advice == Advice::First || !(wishes.prefer.is_empty() && wishes.aims.is_empty());
    let far = |found: &Found| missed(found, wishes.advice);
    let reached = |found: &Found| {
        let (missed, aims, unheeded) = far(found);
        unheeded == 0 && missed.iter().chain(&aims).all(|by| *by == 0)
    };
    let mut best: Option<(Box<Found>, i64, Choices)> = None;
    // What nothing is below in each way; and how far each is from what comes first, at least.
    let mut floors: Vec<(Floor, Option<Missed>)> = Vec::new();
    // A way that nobody looked at changes as many choices as it does.
    let mut unseen: Option<i64> = left_out;
    let mut contradiction = Contradiction::default();
    let mut common = Common::default();
    let all_asked = !soft && !deck.is_legal();
    match all_asked.then(|| common.mended(deck, &plain)).flatten() {
        Some(Ok(found)) if ways.contains(own) => return liked(deck, wishes, found),
        Some(Err(conflict)) => return Repair::Impossible(conflict),
        Some(Ok(_)) | None => {}
    }
    // All ways together have as many steps as one has, so that what a call takes is bounded.
    let mut left = wishes.effort;
    for choices in &ways {
        let changed = differing(own, choices);
        let known = best.as_ref();
        let is_enough = known.is_some_and(|(found, so_far, _)| {
            found.distance + so_far <= changed && (!soft || reached(found))
        });
        if is_enough || left == 0 {
            // All that follow change as many choices or more.
            unseen = Some(unseen.map_or(changed, |least| least.min(changed)));
            break;
        }
        // What no choice concerns takes as many changes whatever is declared.
        let enough = known.filter(|_| !soft);
        let enough = enough.map(|(found, so_far, _)| found.distance + so_far - changed);
        let least = enough.and_then(|enough| common.least(deck, enough));
        if let Some(least) = least {
            floors.push((least.plus(changed), None));
            continue;
        }
        let other = deck.choosing(choices);
        // Nearer is nothing but the deck as it is.
        let holds = || plain.must.iter().all(|wish| wish.holds(&other, &other));
        if enough == Some(1) && !(other.is_legal() && holds()) {
            floors.push((Floor::ONE.plus(changed), None));
            continue;
        }
        if known.is_none() && contradiction.refuses(&other, &plain) {
            continue;
        }
        let wishes = if changed == 0 { wishes } else { &plain };
        match repair_within(&other, wishes, &mut left) {
            Repair::Found(found) => {
                let floor = found.floor.max(Floor::ZERO).plus(changed);
                let is_shown = found.optimal() && found.settled;
                floors.push((floor, is_shown.then(|| far(&found))));
                let cost = |found: &Found, changed: i64| (far(found), found.distance + changed);
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
            Repair::Unknown => floors.push((Floor::ZERO.plus(changed), None)),
        }
    }
    let Some((found, changed, choices)) = best else {
        let all = floors.is_empty() && unseen.is_none() && contradiction.is_any();
        return match all {
            true => Repair::Impossible(contradiction.reduced(deck, &plain)),
            false => Repair::Unknown,
        };
    };
    let distance = found.distance + changed;
    // A way that is farther from what is preferred, proven, is no rival.
    let nearest = far(&found);
    let is_rival = |farther: &Option<_>| farther.as_ref().is_none_or(|far| *far <= nearest);
    let rivals = floors.into_iter().filter(|(_, farther)| is_rival(farther));
    let mut floor = rivals
        .map(|(floor, _)| floor)
        .min()
        .unwrap_or(Floor::NOTHING);
    if let Some(changed) = unseen {
        // What no choice concerns may cost as much by itself.
        if soft && floor.reaches(distance) && changed < distance {
            common.mended(deck, &plain);
        }
        floor = floor.min(common.floor.unwrap_or(Floor::ZERO).plus(changed));
    }
    let liked = (changed > 0).then(|| repair_as_declared(&deck.choosing(&choices), wishes));
    let mut best = match liked {
        Some(Repair::Found(liked)) => liked,
        Some(Repair::Impossible(_) | Repair::Unknown) | None => found,
    };
    best.distance += changed;
    best.floor = floor;
    Repair::Found(best)
}
