//! What is asked of a rule alone, in linear form: whether some deck breaks it, is asked it, meets a
//! condition.

use super::super::answer::Answer;
use super::super::problem::FIRST_GUESS;
use super::super::reduce::{Cap, Objective, Task};
use decklaw_decks::deck::MOST_COPIES;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::tree::Rows;
use decklaw_rules::rules::{Contents, Linear, Rule, RuleCondition, Severity, Tag};
use std::cell::Cell;

/// What sections take at all.
const GATES: Tag = 0;
/// What the rule demands.
const OWN: Tag = 1;
/// That the rule is asked.
pub(super) const ASKED: Tag = 2;
/// The first tag of a condition: that it holds, and behind it that it does not.
pub(super) const CONDITION: Tag = 3;

/// The steps that one question may take.
pub(super) const EFFORT: u64 = 2_000;

/// A rule's linear form, and that of its opposite.
pub(super) struct Questions<'q> {
    linear: Linear<'q>,
    pub(super) conditions: Vec<RuleCondition>,
    /// The tags of the ways in which the rule is broken; `None`: they are not known, or too many.
    ways: Option<std::ops::Range<Tag>>,
    /// The other rules that a legal deck must keep, by index, with the tag of each; only where
    /// there are conditions.
    others: Vec<(usize, Tag)>,
    old: Vec<i64>,
    rank: Vec<u32>,
    /// The steps that they may take together.
    pub(super) left: Cell<u64>,
}

impl<'q> Questions<'q> {
    pub(super) fn of(
        rulebook: &Rulebook,
        rule: &Rule,
        contents: &'q Contents<'q>,
        left: u64,
    ) -> Questions<'q> {
        let sections = rulebook.format().game().sections().len().max(1);
        let mut linear = Linear::new(contents, sections, i64::from(MOST_COPIES), false);
        linear.tagged(GATES);
        // What a section does not take has no part in other rules.
        let own = std::ptr::from_ref(rule);
        let gates = rulebook.rules().iter();
        for gate in gates.filter(|gate| !std::ptr::eq(*gate, own) && gate.is_gate()) {
            gate.demand_in(&mut linear);
        }
        linear.alternatives_follow();
        linear.tagged(OWN);
        rule.demand_in(&mut linear);
        let conditions = rule.conditions();
        linear.tagged(ASKED);
        for asking in conditions.iter().filter(|asking| asking.of_all) {
            Rows::of(&mut linear).demand(&asking.cond);
        }
        let mut tag = CONDITION;
        for asking in &conditions {
            linear.tagged(tag);
            Rows::of(&mut linear).demand(&asking.cond);
            linear.tagged(tag + 1);
            Rows::of(&mut linear).demand(&asking.cond.negated());
            tag += 2;
        }
        let ways = rule.cond(&linear).ways_to_break();
        let many = ways.is_none();
        let mut last = tag;
        for way in ways.into_iter().flatten() {
            linear.tagged(last);
            Rows::of(&mut linear).demand(&way);
            last += 1;
        }
        let mut others = Vec::new();
        if !conditions.is_empty() {
            let other = |other: &Rule| other.severity == Severity::Error && other.id != rule.id;
            let all = rulebook.rules().iter().enumerate();
            for (at, other) in all.filter(|(_, rule)| other(rule) && !rule.is_gate()) {
                let tag = last + others.len() as Tag;
                linear.tagged(tag);
                other.demand_in(&mut linear);
                others.push((at, tag));
            }
        }
        Questions {
            others,
            old: vec![0; linear.copy_unknowns()],
            rank: (0..contents.pool.len() as u32).collect(),
            linear,
            conditions,
            ways: (!many).then_some(tag..last),
            left: Cell::new(left),
        }
    }

    /// Whether a deck breaks the rule where it is asked.
    pub(super) fn may_miss(&self) -> Answer {
        // Where nobody knows how, a rule is taken to be broken by some deck. Of a demand that is
        // always kept, its kind has reported itself as idle, or that cards outside the pool
        // break it.
        let ways = self.ways.clone().filter(|ways| !ways.is_empty());
        let Some(ways) = ways else {
            return Answer::Found(());
        };
        let mut answer = Answer::None;
        for way in ways {
            answer.or(|| self.may_be(&[ASKED, way]));
        }
        answer
    }

    /// Whether a deck that keeps all other rules satisfies a demand; where none does, a rule that
    /// alone makes it impossible, if there is one.
    pub(super) fn may_be_legal(&self, demand: Tag) -> (Answer, Option<usize>) {
        let mut all: Vec<Tag> = self.others.iter().map(|(_, tag)| *tag).collect();
        all.push(demand);
        let answer = self.may_be(&all);
        let alone = |(_, tag): &&(usize, Tag)| self.may_be(&[*tag, demand]) == Answer::None;
        let to_blame = match answer {
            Answer::None => self.others.iter().find(alone).map(|(at, _)| *at),
            Answer::Limit | Answer::Found(()) => None,
        };
        (answer, to_blame)
    }

    /// Whether some deck satisfies these demands.
    pub(super) fn may_be(&self, demands: &[Tag]) -> Answer {
        if self.left.get() == 0 {
            return Answer::Limit;
        }
        let most = i64::from(MOST_COPIES);
        let task = Task {
            linear: &self.linear,
            old: &self.old,
            objective: Objective::Sum(&[]),
            besides: &[],
            apart: &[],
            rank: &self.rank,
            shaped: false,
            cap: Cap::Guess(self.linear.largest().clamp(FIRST_GUESS, most)),
            exchanges: None,
        };
        let allowed = self.left.get().min(EFFORT);
        // The reduction is made in any case.
        let mut effort = allowed + task.steps();
        let active = |tag: Tag| tag == GATES || demands.contains(&tag);
        let existence = task.exists(&active, &mut effort);
        self.left.set(self.left.get() - allowed.saturating_sub(effort));
        existence
    }
}
