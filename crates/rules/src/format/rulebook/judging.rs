//! Judging a deck by a rulebook.

use super::Rulebook;
use crate::rules::tree::{Accepted, Space};
use crate::rules::{
    Contents, Failing, Holding, Judgement, SectionSet, Severity, Verdict, Violation, filled,
    unknown,
};
use decklaw_cards::pool::CardSet;
use decklaw_text::text::some_of;
use std::collections::BTreeSet;

impl Rulebook {
    /// Returns every violation, rule by rule. A legal deck allocates nothing.
    pub fn judge(&self, contents: &Contents<'_>) -> Vec<Judgement> {
        self.judge_by(contents, |_| true)
    }

    /// Returns the violations of some rules, by index.
    pub fn judge_by(
        &self,
        contents: &Contents<'_>,
        asked: impl Fn(usize) -> bool,
    ) -> Vec<Judgement> {
        let refused = |holding: &Holding| self.refuses(holding);
        let mut judgements = Vec::new();
        let rest;
        let mut rested = contents;
        if self.refuses_any(contents) {
            for gate in self.gates.iter().filter(|gate| asked(**gate)) {
                self.ask(*gate, contents, &mut judgements);
            }
            rest = contents.without(refused);
            rested = &rest;
        }
        for rule in (0..self.rules.len()).filter(|rule| !self.gates.contains(rule)) {
            if asked(rule) {
                self.ask(rule, rested, &mut judgements);
            }
        }
        if !std::ptr::eq(rested, contents) {
            self.name_refused(contents, &mut judgements);
        }
        self.gather(contents, &mut judgements);
        judgements
    }

    /// Adds to violations of a minimum the cards that are not counted because they may not be
    /// there.
    #[cold]
    fn name_refused(&self, contents: &Contents<'_>, judgements: &mut [Judgement]) {
        /// The most names in the message.
        const MOST: usize = 3;
        for found in judgements {
            let short = found.violation.failing == Failing::Shortfall;
            let sections = self.rules[found.rule].filled_in();
            let Some(sections) = sections.filter(|_| short) else {
                continue;
            };
            let held = contents.all().iter();
            // Cards that set the number itself are not missing.
            let sections = found.violation.section.map_or(sections, SectionSet::only);
            let held = held.filter(|held| sections.has(usize::from(held.section)));
            let mut names: Vec<String> = held
                .filter(|held| self.refuses(held))
                .map(|held| format!("`{}`", contents.name(held.card)))
                .collect();
            names.dedup();
            if !names.is_empty() {
                let names = some_of(&names, MOST);
                let message = &mut found.violation.message;
                message.push_str(&format!(", without {names}, which may not be there"));
            }
        }
    }

    /// The verdict of a deck's judgements by these rules; never
    /// [unreadable](Verdict::Unreadable), since what was judged was read. A deck is
    /// [incomplete](Verdict::Incomplete) where each broken rule, taken by itself, can come to hold
    /// by adding cards of what its sections can still hold.
    pub fn verdict(&self, judgements: &[Judgement], contents: &Contents<'_>) -> Verdict {
        let errors = judgements.iter().filter(|found| self.severity(found) == Severity::Error);
        let broken: BTreeSet<usize> = errors.map(|found| found.rule).collect();
        if broken.is_empty() {
            return Verdict::Legal;
        }
        let rest;
        let mut rested = contents;
        if self.refuses_any(contents) {
            // What a section refuses stays refused.
            if broken.iter().any(|rule| self.gates.contains(rule)) {
                return Verdict::Illegal;
            }
            rest = contents.without(|holding| self.refuses(holding));
            rested = &rest;
        }
        let space = self.space(rested);
        let can = |rule: &usize| self.rules[*rule].can_hold_by_adding(rested, &space);
        if broken.iter().all(can) { Verdict::Incomplete } else { Verdict::Illegal }
    }

    /// What the sections of a deck can still hold.
    fn space(&self, contents: &Contents<'_>) -> Space<'_> {
        let mut space = Space::new(self.accepted());
        // Whether a section is full may depend on the cards of another full section.
        loop {
            let strict = self.rules.iter().filter(|rule| rule.severity == Severity::Error);
            let is_news =
                strict.fold(false, |is_news, rule| rule.limit(contents, &mut space) | is_news);
            if !is_news {
                return space;
            }
        }
    }

    /// The cards that each section takes.
    fn accepted(&self) -> &Accepted {
        self.accepted.get_or_init(|| {
            let (pool, sections) = (self.pool(), self.format().game().sections().len());
            let taken = |section: usize| {
                let section = section as u16;
                let held = |card| Holding { card, section, copies: 1 };
                CardSet::of(pool.len(), |card| !self.refuses(&held(card)))
            };
            Accepted { sets: (0..sections).map(taken).collect(), known: pool.len() }
        })
    }

    /// The violations of some rules, in their order, for contents that no section refuses.
    /// Violations that depend on unknown cards are not merged.
    pub fn judge_each(
        &self,
        contents: &Contents<'_>,
        rules: impl Iterator<Item = usize>,
    ) -> Vec<Judgement> {
        let mut judgements = Vec::new();
        rules.for_each(|rule| self.ask(rule, contents, &mut judgements));
        judgements
    }

    /// Whether a section refuses a card.
    pub fn refuses_any(&self, contents: &Contents<'_>) -> bool {
        let mut gates = self.gates.iter();
        gates.any(|gate| self.rules[*gate].refuses_any(contents))
    }

    /// Merges several violations that depend on unknown cards into one notice: a misspelled name is
    /// one mistake, however many rules depend on its card. The notice belongs to the rule that
    /// every card is in the pool.
    fn gather(&self, contents: &Contents<'_>, judgements: &mut Vec<Judgement>) {
        let open = |found: &Judgement| found.violation.is_for_unknown;
        if judgements.iter().filter(|found| open(found)).count() < 2 {
            return;
        }
        let is_it = |found: &Judgement| self.rules[found.rule].kind == unknown::ID;
        let Some(rule) = judgements.iter().find(|found| is_it(found)) else {
            return;
        };
        let rule = rule.rule;
        let mut seen = BTreeSet::new();
        let ids: Vec<&str> = judgements
            .iter()
            .filter(|found| open(found))
            .map(|found| self.rules[found.rule].id.as_str())
            .filter(|id| seen.insert(*id))
            .collect();
        let violation = Violation::open_for_all(contents, &ids);
        judgements.retain(|found| !open(found));
        let place = judgements.iter().rposition(is_it).map_or(0, |at| at + 1);
        judgements.insert(place, Judgement { rule, violation });
    }

    /// Whether a section refuses a card entirely.
    pub fn refuses(&self, holding: &Holding) -> bool {
        self.gates.iter().any(|gate| self.rules[*gate].refuses(holding))
    }

    fn ask(&self, rule: usize, contents: &Contents<'_>, judgements: &mut Vec<Judgement>) {
        let found = self.rules[rule].judge(contents);
        if found.is_empty() {
            return;
        }
        // Advice that could not be verified is left out.
        let advice = self.rules[rule].severity == Severity::Warning;
        let news = |violation: &Violation| !(advice && violation.failing == Failing::Unverified);
        let why = self.rules[rule].because.as_ref();
        let marked = |mut violation: Violation| {
            if violation.failing == Failing::Unverified {
                return Judgement { rule, violation };
            }
            let [says, mends] = &self.rules[rule].says;
            let cards = if violation.cards.is_empty() && (says.is_some() || mends.is_some()) {
                self.rules[rule].counted(contents)
            } else {
                violation.cards.clone()
            };
            let fill = |text: &String| filled(text, &violation, &cards, contents);
            let (says, mends) = (says.as_ref().map(fill), mends.as_ref().map(fill));
            violation.message = says.unwrap_or(violation.message);
            violation.help = mends.unwrap_or(violation.help);
            if let Some(why) = why {
                violation.message = format!("{}: {why}", violation.message);
            }
            Judgement { rule, violation }
        };
        judgements.extend(found.into_iter().filter(news).map(marked));
    }
}
