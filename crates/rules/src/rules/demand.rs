//! What a rule demands of a deck, and its judgement, sentences and rows.
//!
//! A kind of rule makes a [`Demand`]: what it is about, as conditions of the tree, and one sentence
//! for what broke. Judging, blame, rows and lint are the same for all kinds.

use super::contents::each_card;
use super::groups::Groups;
use super::identity::{Identity, IdentityState};
use super::meter::Reading;
use super::tree::{Blame, Cond, Growth, Leaf, Num, Rows, Space, Weights};
use super::violation::{Failing, Fault, Violation, Where};
use super::{Cards, Contents, Holding, Linear, RuleCondition, SectionSet};
use decklaw_cards::pool::{CardId, CardSet, Pool};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A demand, ready to be asked.
pub struct Demand {
    /// The sections whose cards are judged.
    pub sections: SectionSet,
    pub(crate) of: Of,
    /// What is wrong, where it is not a matter of too many or too few.
    pub fault: Option<Fault>,
    /// Whether what breaks it has a limit and an actual number.
    pub(crate) has_numbers: bool,
    /// What becomes of unknown cards where each card is asked.
    pub unknown: Unknown,
    /// Whether each broken part of a condition is a violation, and not only the first.
    pub(crate) reports_each: bool,
    /// Whether what it refuses takes no further part in other rules.
    pub is_gate: bool,
    /// The sections that hold identity cards only.
    pub heads: SectionSet,
    /// A shortfall is fixed only by a card that comes into one of these sections; `None`:
    /// something else could fix it too.
    pub(crate) filled_in: Option<SectionSet>,
    /// The notice that a number has no value.
    pub(crate) unset: Option<Violation>,
    /// Further notices of a deck.
    pub notice: Option<Notice>,
    /// The meter of the number that it bounds.
    pub meter: Option<Meter>,
    /// The conditions on which parts of it are asked.
    pub conditions: Vec<RuleCondition>,
    /// Why it is most likely a slip over these cards, a sentence.
    pub slip: Option<String>,
    /// What broke, in words, with what the kind changes of the violation.
    pub(crate) say: Say,
    /// What is demanded, a sentence.
    pub words: String,
    /// Whether its condition on the deck can come to hold by adding cards; made when first asked.
    pub(crate) growth: OnceLock<Growth>,
}

/// The notices of a deck, made for the rule with this id.
pub(crate) type Notice = Box<dyn Fn(&str, &Contents<'_>) -> Vec<Violation> + Send + Sync>;

/// A meter of a deck, if it has any of what is measured.
pub(crate) type Meter = Box<dyn Fn(&Contents<'_>) -> Option<Reading> + Send + Sync>;

/// Puts what broke into words and adds it to what was found.
pub(crate) type Say =
    Box<dyn Fn(&BrokenDemand<'_, '_>, Violation, &mut Vec<Violation>) + Send + Sync>;

/// Whom something is demanded of.
#[derive(Debug)]
pub(crate) enum Of {
    /// The deck.
    Deck(Cond),
    /// These cards, which must not be in the sections.
    Absent(CardSet),
    /// Each card, or each group of cards.
    Each {
        groups: Option<Arc<Groups>>,
        cond: Lazy,
        /// Cards that are asked though the deck has none of them.
        always: Vec<u32>,
    },
    /// Each of these cards, which must agree with the identity cards.
    Agree { cards: Cards, identity: Arc<Identity> },
    /// Several demands, all of them or any.
    Several { any: bool, parts: Vec<Demand> },
}

/// What becomes of cards that the pool does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// They pass.
    Pass,
    /// They are judged as any card; in groups, by their names.
    Judged,
    /// Where they fail, it could not be verified.
    Unsure,
}

/// A condition for each card or group, made when it is first asked for. `None`: nothing is
/// demanded of it.
pub(crate) struct Lazy {
    /// The sections of the demand.
    sections: SectionSet,
    made: Vec<OnceLock<CompiledCondition>>,
    make: Box<dyn Fn(u32) -> Option<Cond> + Send + Sync>,
}

/// A condition that was made.
struct CompiledCondition {
    /// The most copies of the card alone that are known to meet it, whatever else the deck has.
    /// Most cards of a legal deck are passed by this number, without a look at the tree.
    safe: i64,
    cond: Option<Box<Cond>>,
    /// Whether it can come to hold by adding cards; made when first asked.
    growth: OnceLock<Box<Growth>>,
}

/// What a deck breaks.
pub(crate) struct BrokenDemand<'b, 'p> {
    pub contents: &'b Contents<'p>,
    /// The card or group that the demand is of, or which of several conditions it is.
    pub item: u32,
    /// The cards concerned; none for the deck as a whole.
    pub cards: Vec<CardId>,
    pub blame: Blame<'b>,
}

impl BrokenDemand<'_, '_> {
    /// The first card concerned.
    pub(crate) fn card(&self) -> CardId {
        self.cards.first().copied().unwrap_or(CardId(self.item))
    }

    /// Its name, quoted.
    pub(crate) fn name(&self) -> String {
        format!("`{}`", self.contents.name(self.card()))
    }
}

impl fmt::Debug for Demand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = out.debug_struct("Demand");
        debug.field("of", &self.of).finish_non_exhaustive()
    }
}

impl fmt::Debug for Lazy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Lazy({})", self.made.len())
    }
}

impl Lazy {
    pub(crate) fn new(
        count: usize,
        make: impl Fn(u32) -> Option<Cond> + Send + Sync + 'static,
    ) -> Lazy {
        let mut made = Vec::new();
        made.resize_with(count, OnceLock::new);
        let make = Box::new(make);
        let sections = SectionSet::default();
        Lazy { sections, made, make }
    }

    /// How many known cards or groups there are.
    fn len(&self) -> u32 {
        self.made.len() as u32
    }

    fn made<'m>(&self, made: &'m OnceLock<CompiledCondition>, item: u32) -> &'m CompiledCondition {
        made.get_or_init(|| {
            let cond = (self.make)(item);
            let safe = match &cond {
                Some(cond) => cond.safe_copies(CardId(item), self.sections),
                None => i64::MAX,
            };
            let cond = cond.map(Box::new);
            CompiledCondition { safe, cond, growth: OnceLock::new() }
        })
    }

    /// Whether a number of copies of a known card in the sections of the demand are known to meet
    /// its condition.
    #[inline]
    fn is_safe(&self, card: CardId, copies: i64) -> bool {
        let made = self.made.get(card.index());
        made.is_some_and(|made| copies <= self.made(made, card.0).safe)
    }

    /// Calls `see` with the condition of a card or group.
    fn with<R>(&self, item: u32, see: impl FnOnce(&Cond) -> R) -> Option<R> {
        match self.made.get(item as usize) {
            Some(made) => self.made(made, item).cond.as_deref().map(see),
            // A card that the pool does not know.
            None => (self.make)(item).as_ref().map(see),
        }
    }

    /// Whether the condition of a card or group can hold by adding cards.
    fn can_hold(&self, item: u32, contents: &Contents<'_>, space: &Space<'_>) -> bool {
        let of = |cond: &Cond| Growth::of(cond, space.accepted);
        match self.made.get(item as usize) {
            Some(made) => {
                let made = self.made(made, item);
                made.cond.as_deref().is_none_or(|cond| {
                    let growth = made.growth.get_or_init(|| Box::new(of(cond)));
                    growth.can_hold(contents, space)
                })
            }
            None => (self.make)(item).is_none_or(|cond| of(&cond).can_hold(contents, space)),
        }
    }

    /// The same without keeping what is made: of all cards of a large pool that would be much.
    fn with_any<R>(&self, item: u32, see: impl FnOnce(&Cond) -> R) -> Option<R> {
        match self.made.get(item as usize).and_then(OnceLock::get) {
            Some(made) => made.cond.as_deref().map(see),
            None => (self.make)(item).as_ref().map(see),
        }
    }
}

/// A placeholder for a condition that is not in the tree.
static NEVER: Cond = Cond::Any(Vec::new());
static NOTHING: Num = Num::Const(0);

impl Demand {
    /// A demand, with what most kinds leave as it is.
    pub(crate) fn new(
        sections: SectionSet,
        mut of: Of,
        words: String,
        say: impl Fn(&BrokenDemand<'_, '_>, Violation, &mut Vec<Violation>) + Send + Sync + 'static,
    ) -> Demand {
        let filled_in = match &mut of {
            Of::Deck(cond) => Some(cond.filled_in()),
            Of::Each { cond, .. } => {
                cond.sections = sections;
                None
            }
            _ => None,
        };
        Demand {
            sections,
            of,
            fault: None,
            has_numbers: true,
            unknown: Unknown::Pass,
            reports_each: false,
            is_gate: false,
            heads: SectionSet::default(),
            filled_in,
            unset: None,
            notice: None,
            meter: None,
            conditions: Vec::new(),
            slip: None,
            say: Box::new(say),
            words,
            growth: OnceLock::new(),
        }
    }

    /// Whether a deck keeps it, or can by adding cards of what its sections can still hold. A card
    /// that is forbidden as the deck is stays forbidden.
    pub(super) fn can_hold_by_adding(&self, contents: &Contents<'_>, space: &Space<'_>) -> bool {
        match &self.of {
            Of::Deck(cond) => {
                let growth = self.growth.get_or_init(|| Growth::of(cond, space.accepted));
                growth.can_hold(contents, space)
            }
            Of::Each { groups, cond, always } => {
                let mut can = true;
                let safe = |card: CardId, copies: i64| cond.is_safe(card, copies);
                self.each_asked(groups.as_deref(), always, contents, safe, |item, _| {
                    let is_broken = cond.with(item, |cond| cond.holds(contents) == Some(false));
                    let is_broken =
                        is_broken == Some(true) && !self.is_unsure(groups, item, contents);
                    can = can && (!is_broken || cond.can_hold(item, contents, space));
                });
                can
            }
            Of::Several { any: false, parts } => {
                parts.iter().all(|part| part.can_hold_by_adding(contents, space))
            }
            Of::Several { any: true, parts } => {
                parts.iter().any(|part| part.can_hold_by_adding(contents, space))
            }
            Of::Absent(_) | Of::Agree { .. } => {
                let mut found = Vec::new();
                self.judge("", contents, &mut found);
                found.iter().all(|found| found.failing == Failing::Unverified)
            }
        }
    }

    /// Limits what sections of a deck can still hold; whether that is news.
    pub(super) fn limit(&self, contents: &Contents<'_>, space: &mut Space<'_>) -> bool {
        match &self.of {
            Of::Deck(cond) => cond.limit(contents, space),
            Of::Several { any: false, parts } => {
                parts.iter().fold(false, |is_news, part| part.limit(contents, space) | is_news)
            }
            _ => false,
        }
    }

    /// Whether a card or a group is of cards that the pool does not know, and what they fail could
    /// not be verified.
    fn is_unsure(&self, groups: &Option<Arc<Groups>>, item: u32, contents: &Contents<'_>) -> bool {
        let is_unknown = groups.is_none() && item >= contents.pool.len() as u32;
        is_unknown && self.unknown == Unknown::Unsure
    }

    /// Adds what a deck breaks, or what could not be verified of it. `rule`: the id of its rule.
    pub(super) fn judge(&self, rule: &str, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        found.extend(self.unset.clone());
        match &self.of {
            Of::Deck(cond) => match cond.holds(contents) {
                Some(true) => {}
                Some(false) => self.add_of_deck(cond, contents, found),
                None => found.push(self.open(rule, contents, None)),
            },
            Of::Absent(cards) => {
                let known = contents.known_in(self.sections);
                each_card(known, self.sections, |card, copies| {
                    if cards.has(card) {
                        self.add_of_card(card, copies, contents, found);
                    }
                });
            }
            Of::Each { groups, cond, always } => {
                self.judge_each(groups, cond, always, (rule, contents), found)
            }
            Of::Agree { cards, identity } => {
                if identity.state(contents) == IdentityState::Known
                    && !identity.allows_all(contents)
                {
                    let known = contents.known_in(self.sections);
                    each_card(known, self.sections, |card, copies| {
                        if cards.has(card) && !identity.agrees(contents, card) {
                            self.add_of_card(card, copies, contents, found);
                        }
                    });
                    if self.unknown == Unknown::Unsure {
                        each_card(contents.unknown(), self.sections, |card, _| {
                            found.push(self.open(rule, contents, Some(card)));
                        });
                    }
                }
            }
            Of::Several { any: false, parts } => {
                let parts = parts.iter();
                parts.for_each(|part| part.judge(rule, contents, found));
            }
            Of::Several { any: true, parts } => self.judge_any(parts, (rule, contents), found),
        }
        if let Some(notice) = &self.notice {
            found.extend(notice(rule, contents));
        }
    }

    #[cold]
    fn add_of_deck(&self, cond: &Cond, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        for part in self.broken(cond, contents) {
            let item = match cond {
                Cond::All(parts) => parts.iter().position(|one| std::ptr::eq(one, part)),
                _ => None,
            };
            let blame = blame_of(part, contents);
            let item = item.unwrap_or(0) as u32;
            self.add(contents, item, Vec::new(), blame, found);
        }
    }

    /// The broken parts of a condition that does not hold.
    fn broken<'c>(&self, cond: &'c Cond, contents: &Contents<'_>) -> Vec<&'c Cond> {
        if !self.reports_each {
            return vec![cond];
        }
        let mut broken = Vec::new();
        cond.broken(contents, &mut broken);
        broken
    }

    /// Adds the violation of a card that must not be there.
    #[cold]
    fn add_of_card(
        &self,
        card: CardId,
        copies: i64,
        contents: &Contents<'_>,
        found: &mut Vec<Violation>,
    ) {
        let blame = Blame {
            num: &NOTHING,
            cond: &NEVER,
            limit: 0,
            least: copies,
            most: copies,
            is_short: false,
        };
        self.add(contents, card.0, vec![card], blame, found);
    }

    fn judge_each(
        &self,
        groups: &Option<Arc<Groups>>,
        cond: &Lazy,
        always: &[u32],
        (rule, contents): (&str, &Contents<'_>),
        found: &mut Vec<Violation>,
    ) {
        let safe = |card: CardId, copies: i64| cond.is_safe(card, copies);
        self.each_asked(groups.as_deref(), always, contents, safe, |item, card| {
            cond.with(item, |cond| match cond.holds(contents) {
                Some(true) => {}
                Some(false) if !self.is_unsure(groups, item, contents) => {
                    self.add_of_item(groups.as_deref(), item, cond, contents, found);
                }
                _ => found.push(self.open(rule, contents, card)),
            });
        });
    }

    /// Calls `ask` with each card or group of a deck that may fail, and the card that it is asked
    /// for; cards that are `safe` in their number of copies are left out.
    #[inline]
    fn each_asked(
        &self,
        groups: Option<&Groups>,
        always: &[u32],
        contents: &Contents<'_>,
        safe: impl Fn(CardId, i64) -> bool,
        mut ask: impl FnMut(u32, Option<CardId>),
    ) {
        let known = contents.known_in(self.sections);
        let unknown = !contents.unknown().is_empty() && self.unknown != Unknown::Pass;
        match groups {
            None if always.is_empty() => each_card(known, self.sections, |card, copies| {
                if !safe(card, copies) {
                    ask(card.0, Some(card));
                }
            }),
            _ if !always.is_empty() => {
                let mut touched = always.to_vec();
                each_card(known, self.sections, |card, _| touched.push(card.0));
                touched.sort_unstable();
                touched.dedup();
                touched.into_iter().for_each(|item| ask(item, None));
            }
            None => {}
            Some(groups) => each_card(known, self.sections, |card, _| {
                for group in groups.of_card(card) {
                    if groups.is_first(*group, card, contents, self.sections, |_| true) {
                        ask(*group, Some(card));
                    }
                }
            }),
        }
        if !unknown {
            return;
        }
        each_card(contents.unknown(), self.sections, |card, _| match groups {
            None => ask(card.0, Some(card)),
            Some(groups) if self.unknown == Unknown::Judged => {
                for group in groups.of_name(contents.folded(card)) {
                    ask(*group, Some(card));
                }
            }
            Some(_) => {}
        });
    }

    #[cold]
    fn add_of_item(
        &self,
        groups: Option<&Groups>,
        item: u32,
        cond: &Cond,
        contents: &Contents<'_>,
        found: &mut Vec<Violation>,
    ) {
        for part in self.broken(cond, contents) {
            let blame = blame_of(part, contents);
            let cards = match groups {
                None => vec![CardId(item)],
                Some(_) => {
                    let mut cards = Vec::new();
                    blame.num.leaves(&mut |leaf| {
                        leaf.held(contents, |card, _, _| cards.push(card));
                        if cards.is_empty() {
                            cards = leaf.there(contents);
                        }
                    });
                    cards
                }
            };
            self.add(contents, item, cards, blame, found);
        }
    }

    /// Adds what broke, in the words of the kind.
    fn add(
        &self,
        contents: &Contents<'_>,
        item: u32,
        cards: Vec<CardId>,
        blame: Blame<'_>,
        found: &mut Vec<Violation>,
    ) {
        let failing = if blame.is_short { Failing::Shortfall } else { Failing::Excess };
        let mut violation = Violation::of_deck(failing, String::new(), String::new())
            .in_section(self.sections.single());
        violation.fault = self.fault.unwrap_or(violation.fault);
        if self.has_numbers {
            violation = violation.with_numbers(blame.limit, blame.least);
        }
        if let Some(card) = cards.first().copied() {
            let one_by_one = match &self.of {
                Of::Each { groups, .. } => groups.is_none() && self.has_numbers,
                _ => true,
            };
            let most = blame.limit.max(0);
            violation.place = if one_by_one && !blame.is_short {
                Where::Passing(card, self.sections, most)
            } else {
                Where::First(card, self.sections)
            };
            let keeps = one_by_one && !blame.is_short;
            violation.keep = keeps.then_some((self.sections, most));
        }
        violation.cards.clone_from(&cards);
        let broken = BrokenDemand { contents, item, cards, blame };
        (self.say)(&broken, violation, found);
    }

    /// The notice that unknown cards leave it open, about one card where it is about one.
    #[cold]
    fn open(&self, rule: &str, contents: &Contents<'_>, card: Option<CardId>) -> Violation {
        let open = Violation::open(contents, &[rule]).in_section(self.sections.single());
        match card {
            Some(card) => open.about(card, Where::First(card, self.sections)),
            None => open,
        }
    }

    /// Adds what is wrong where none of several demands holds.
    fn judge_any(
        &self,
        parts: &[Demand],
        (rule, contents): (&str, &Contents<'_>),
        found: &mut Vec<Violation>,
    ) {
        let (mut open, mut broken) = (None, Vec::new());
        for part in parts {
            let mut of_part = Vec::new();
            part.judge(rule, contents, &mut of_part);
            if of_part.is_empty() {
                return;
            }
            let is_open = |violation: &Violation| violation.failing == Failing::Unverified;
            if of_part.iter().all(is_open) {
                open = open.or_else(|| of_part.into_iter().next());
            } else {
                of_part.retain(|violation| !is_open(violation));
                broken.push(of_part);
            }
        }
        found.push(open.unwrap_or_else(|| super::violation::none_holds(&broken)));
    }

    /// Adds its rows to a linear form, for the current tag.
    pub(super) fn demand_in(&self, linear: &mut Linear<'_>) {
        match &self.of {
            Of::Deck(cond) => Rows::of(linear).demand(cond),
            Of::Each { cond, .. } => {
                for item in self.items(cond, linear) {
                    cond.with_any(item, |cond| Rows::of(linear).demand(cond));
                }
            }
            _ => {
                let cond = self.cond(linear);
                Rows::of(linear).demand(&cond);
            }
        }
    }

    /// The cards or groups that it asks.
    fn items(&self, cond: &Lazy, linear: &Linear<'_>) -> Vec<u32> {
        let Of::Each { groups: None, .. } = &self.of else {
            return (0..cond.len()).collect();
        };
        let unknown = linear.unknown_cards().iter();
        let unknown = unknown.filter(|_| self.unknown == Unknown::Judged);
        let unknown = unknown.map(|card| card.0);
        (0..cond.len()).chain(unknown).collect()
    }

    /// What it demands, as one condition on decks.
    pub(super) fn cond(&self, linear: &Linear<'_>) -> Cond {
        match &self.of {
            Of::Deck(cond) => cond.clone(),
            Of::Absent(cards) if cards.is_empty() => Cond::always(),
            Of::Absent(cards) => Leaf::of(Weights::Set(cards.clone()), self.sections).is_absent(),
            Of::Each { cond, .. } => {
                let items = self.items(cond, linear).into_iter();
                Cond::All(items.filter_map(|item| cond.with_any(item, Cond::clone)).collect())
            }
            Of::Agree { cards, identity } => identity.cond(self.sections, cards, linear),
            Of::Several { any, parts } => {
                let parts = parts.iter().map(|part| part.cond(linear)).collect();
                match any {
                    true => Cond::Any(parts),
                    false => Cond::All(parts),
                }
            }
        }
    }

    /// The meter of the number that it bounds.
    pub(super) fn reading(&self, contents: &Contents<'_>) -> Option<Reading> {
        match &self.of {
            Of::Several { any: false, parts } => {
                parts.iter().find_map(|part| part.reading(contents))
            }
            _ => self.meter.as_ref().and_then(|meter| meter(contents)),
        }
    }

    /// The sections that a card must come into to fix a shortfall.
    pub(super) fn filled_in(&self) -> Option<SectionSet> {
        match &self.of {
            Of::Several { parts, .. } => {
                let mut each = parts.iter().map(Demand::filled_in);
                each.try_fold(SectionSet::default(), |all, one| Some(all.and(one?)))
            }
            _ => self.filled_in,
        }
    }

    /// The sections that hold identity cards only.
    pub(super) fn identity_sections(&self) -> SectionSet {
        match &self.of {
            Of::Several { parts, .. } => union(parts, Demand::identity_sections),
            _ => self.heads,
        }
    }

    /// The cards of a deck that it counts, each once; none where it judges cards one by one.
    pub(super) fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        match &self.of {
            Of::Deck(cond) => cond.add_counted(contents, &mut cards),
            Of::Several { parts, .. } => {
                let each = parts.iter().flat_map(|part| part.counted(contents));
                cards.extend(each);
            }
            Of::Absent(_) | Of::Each { .. } | Of::Agree { .. } => {}
        }
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// Whether a section does not take a card.
    #[inline]
    pub(super) fn refuses(&self, holding: &Holding) -> bool {
        match &self.of {
            Of::Absent(cards) => {
                self.is_gate
                    && self.sections.has(usize::from(holding.section))
                    && cards.has(holding.card)
            }
            _ => false,
        }
    }

    /// Whether every deck over a pool keeps it, or none does, by the ranges of its numbers.
    pub(super) fn is_always(&self, pool: &Pool) -> Option<bool> {
        if self.unset.is_some() {
            return None;
        }
        match &self.of {
            Of::Deck(cond) => cond.is_always(pool),
            Of::Absent(cards) => (cards.is_empty() && !self.is_gate).then_some(true),
            Of::Each { cond, always, .. } => {
                let mut all = (0..cond.len()).map(|item| {
                    cond.with_any(item, |cond| cond.is_always(pool)).unwrap_or(Some(true))
                });
                let kept = all.all(|always| always == Some(true));
                (kept && always.is_empty()).then_some(true)
            }
            Of::Agree { cards, identity } => {
                (cards.count(pool) == 0 || !identity.has_effect(pool)).then_some(true)
            }
            Of::Several { any, parts } => {
                let parts: Vec<Option<bool>> =
                    parts.iter().map(|part| part.is_always(pool)).collect();
                let one = parts.contains(&Some(*any)).then_some(*any);
                let all = parts.iter().all(|part| *part == Some(!*any));
                one.or(all.then_some(!*any))
            }
        }
    }
}

/// What a deck misses of a condition that does not hold. Nothing is to blame for what never can.
fn blame_of<'c>(cond: &'c Cond, contents: &Contents<'_>) -> Blame<'c> {
    let nothing = Blame { num: &NOTHING, cond, limit: 0, least: 0, most: 0, is_short: false };
    let blame = cond.blame(contents).unwrap_or(nothing);
    Blame { cond, ..blame }
}

fn union(parts: &[Demand], of: impl Fn(&Demand) -> SectionSet) -> SectionSet {
    let each = parts.iter().map(of);
    each.fold(SectionSet::default(), SectionSet::and)
}
