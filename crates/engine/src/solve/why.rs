//! Why: the demands that make a repair impossible, and what each change of one is for.

use super::wishes::Wishes;
use super::{Change, Decklist, Wish};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Why each of the changes from one deck to another is needed: the rules, by id, and the
/// wishes that would not hold without it, or that would be further where they are preferred or
/// aims. Where rules that the deck broke before are among them, the other rules are left out. Of
/// two changes that replace each other, such as one identity card for another, either alone would
/// break only what the other one made: both serve the rules that would be broken without the two.
/// Of thousands of changes of a large deck the last may have no reasons: to find them is work.
pub fn reasons(before: &Decklist, after: &Decklist, wishes: &Wishes) -> Vec<(Change, Vec<String>)> {
    /// More than these holdings of decks and copies of wishes are not looked at.
    const MOST: usize = 5_000_000;
    let changes = before.changes_to(after);
    let undoing = UndoSearch::new(before, after);
    let mut needs: Vec<Needs> = Vec::with_capacity(changes.len());
    // Of cards that no rule distinguishes one is asked about: thousands can leave or come in at
    // once, such as names in another language.
    let cheaper = || changes.len().saturating_mul(after.holdings().count()) > after.pool().len();
    let unwished =
        [&wishes.must, &wishes.prefer, &wishes.aims].iter().all(|wishes| wishes.is_empty());
    let shape = (unwished && cheaper()).then(|| &super::shape(after.rulebook()).alike[..]);
    let mut known: FxHashMap<(Like, u16, i64, i64), usize> = FxHashMap::default();
    let each = after.holdings().count() + wishes.must.len() * after.pool().len();
    let mut left = MOST / each.max(1);
    for (at, change) in changes.iter().enumerate() {
        let like = undoing.like(change, shape);
        let first = like.map_or(at, |like| {
            let key = (like, change.section, change.from, change.to);
            *known.entry(key).or_insert(at)
        });
        let need = if first < at {
            needs[first].clone()
        } else if left == 0 {
            Needs::default()
        } else {
            left -= 1;
            undoing.needs(change, wishes)
        };
        needs.push(need);
    }
    undoing.pair(&changes, &mut needs);
    let rules = before.rulebook().rules();
    let named = |(change, needs): (Change, Needs)| {
        let ids = needs.rules.iter().map(|rule| rules[*rule].id.clone());
        let mut names: Vec<String> = ids.chain(needs.wishes).collect();
        names.dedup();
        (change, names)
    };
    changes.iter().cloned().zip(needs).map(named).collect()
}

/// What would not hold without a change.
#[derive(Debug, Clone, Default)]
struct Needs {
    rules: BTreeSet<usize>,
    wishes: Vec<String>,
}

/// Cards that are as good as one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Like {
    /// Those that the rules do not distinguish from this one.
    Card(u32),
    /// Names that the pool does not know and no list names.
    Stranger,
}

/// A deck after its changes, with some of them undone.
struct UndoSearch<'d> {
    before: &'d Decklist,
    after: &'d Decklist,
    /// The rules that the deck broke before.
    first: BTreeSet<usize>,
    /// The names of the banlist, folded.
    listed: BTreeSet<String>,
}

impl<'d> UndoSearch<'d> {
    /// More pairs of changes than this are not looked at: the reasons of the single ones remain.
    const PAIRS: usize = 2_000;
    /// The search for pairs ends after judging this many holdings.
    const HOLDINGS: usize = 200_000;

    fn new(before: &'d Decklist, after: &'d Decklist) -> UndoSearch<'d> {
        let list = before.rulebook().list();
        let listed = list.into_iter().flat_map(|list| list.listed());
        let names = listed.map(|one| decklaw_text::name::fold(&one.name).into_owned());
        UndoSearch { first: UndoSearch::broken(before), listed: names.collect(), before, after }
    }

    fn broken(deck: &Decklist) -> BTreeSet<usize> {
        deck.broken().iter().map(|found| found.rule).collect()
    }

    /// The card that a change represents, where no other change has it and other cards would do
    /// as well; `shape` names for each card the first of those that no rule distinguishes.
    fn like(&self, change: &Change, shape: Option<&[u32]>) -> Option<Like> {
        let mut others = (0..self.after.sections().len() as u16).filter(|at| *at != change.section);
        if others.any(|section| self.after.copies(section, change.card) > 0) {
            return None;
        }
        if self.after.knows(change.card) {
            return Some(Like::Card(*shape?.get(change.card.index())?));
        }
        let name = decklaw_text::name::fold(self.after.name(change.card));
        (!self.listed.contains(&*name)).then_some(Like::Stranger)
    }

    fn without(&self, undone: &[&Change]) -> Decklist {
        let mut without = self.after.clone();
        for change in undone {
            without.set(change.section, change.card, change.from);
        }
        without
    }

    fn needs(&self, change: &Change, wishes: &Wishes) -> Needs {
        let without = self.without(&[change]);
        let all = UndoSearch::broken(&without);
        let old: BTreeSet<usize> = all.intersection(&self.first).copied().collect();
        let must = wishes.must.iter();
        let wished = must.filter(|wish| !wish.holds(self.before, &without));
        let mut needs = Needs {
            rules: if old.is_empty() { all } else { old },
            wishes: wished.map(Wish::demand).collect(),
        };
        let idle = needs.rules.is_empty() && needs.wishes.is_empty();
        // Of cards that must go anyway nobody asks what else it is good for.
        if idle || change.to > change.from {
            let further = |wish: &&Wish| wish.missed(&without) > wish.missed(self.after);
            let preferred = wishes.prefer.iter().filter(further).map(Wish::demand);
            let aims = wishes.aims.iter().filter(further);
            let aims = aims.map(|aim| format!("advised: {}", aim.text()));
            needs.wishes.extend(preferred.chain(aims));
        }
        needs
    }

    /// Gives changes that replace each other the rules that would be broken without the two.
    fn pair(&self, changes: &[Change], needs: &mut [Needs]) {
        let is_follower =
            |at: &usize| !self.first.is_empty() && needs[*at].rules.is_disjoint(&self.first);
        let followers: Vec<usize> = (0..changes.len()).filter(is_follower).collect();
        // By section, and by whether copies come.
        let mut of_kind: FxHashMap<(u16, bool), Vec<usize>> = FxHashMap::default();
        for at in &followers {
            let change = &changes[*at];
            let kind = (change.section, change.to > change.from);
            of_kind.entry(kind).or_default().push(*at);
        }
        let most = UndoSearch::HOLDINGS / self.after.holdings().count().max(1);
        let mut left = most.min(UndoSearch::PAIRS);
        for one in &followers {
            let a = &changes[*one];
            let others = of_kind.get(&(a.section, a.to <= a.from));
            let others = others.map_or(&[][..], Vec::as_slice);
            for other in &others[others.partition_point(|other| other < one)..] {
                let b = &changes[*other];
                if left == 0 {
                    return;
                }
                left -= 1;
                let all = UndoSearch::broken(&self.without(&[a, b]));
                let old: BTreeSet<usize> = all.intersection(&self.first).copied().collect();
                for at in [*one, *other] {
                    if !old.is_empty() && needs[at].rules.is_disjoint(&self.first) {
                        needs[at].rules.clone_from(&old);
                    }
                }
            }
        }
    }
}
