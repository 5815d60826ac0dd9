//! A rule of a format, and its judgement of a deck.

use super::condition::{RuleCondition, clause};
use super::tree::{Cond, Growth, Rows, Space};
use super::{Contents, Demand, Failing, Holding, Linear, Reading, SectionSet, Severity, Violation};
use decklaw_cards::pool::{CardId, Pool};
use decklaw_text::text::{begun_small, listed};
use std::sync::OnceLock;

/// A rule of a format, ready to judge.
#[derive(Debug)]
pub struct Rule {
    /// Its id.
    pub id: String,
    /// Its kind: as a format file names it, or for rules of every game and of a banlist, their
    /// id. The id of another rule says nothing about its kind.
    pub kind: &'static str,
    /// What breaking it means.
    pub severity: Severity,
    /// The section of the rules text that says so; empty for rules of every game.
    pub source: String,
    /// What it demands, in the format file's words.
    pub about: String,
    /// The reason for the rule, a clause that ends each message.
    pub because: Option<String>,
    /// The message and the help that replace its own words.
    pub says: [Option<String>; 2],
    /// The byte of the game's file where its id is; 0 for rules of no file.
    pub place: usize,
    /// The conditions on which it is asked.
    pub when: Vec<Cond>,
    /// The demand.
    pub demand: Demand,
    /// Whether each condition can cease to hold by adding cards; made when first asked.
    pub(crate) ceases: OnceLock<Vec<Growth>>,
}

/// A demand as advice, which no deck must follow.
fn advised(words: &str) -> String {
    words.replacen(" must ", " should ", 1)
}

impl Rule {
    /// A rule of every game, or of a banlist, whose kind is its id.
    pub(crate) fn of_every_game(
        id: &'static str,
        severity: Severity,
        about: &str,
        demand: Demand,
    ) -> Rule {
        Rule {
            id: id.to_owned(),
            kind: id,
            severity,
            source: String::new(),
            about: about.to_owned(),
            because: None,
            says: [None, None],
            place: 0,
            when: Vec::new(),
            demand,
            ceases: OnceLock::new(),
        }
    }

    /// Whether a deck must meet it; where `advice` says so, advice too.
    pub fn counts(&self, advice: bool) -> bool {
        match self.severity {
            Severity::Error => true,
            Severity::Warning => advice,
            Severity::Notice => false,
        }
    }

    /// What a deck's contents break of it, or what could not be verified of them.
    pub fn judge(&self, contents: &Contents<'_>) -> Vec<Violation> {
        let mut found = Vec::new();
        match Cond::all_hold(&self.when, contents) {
            Some(false) => {}
            Some(true) => {
                self.demand.judge(&self.id, contents, &mut found);
                if !self.when.is_empty() {
                    let broken = |new: &&mut Violation| new.failing != Failing::Unverified;
                    for violation in found.iter_mut().filter(broken) {
                        violation.message += &self.because_of(contents);
                    }
                }
            }
            None => {
                self.demand.judge(&self.id, contents, &mut found);
                found.truncate(1);
                found.iter_mut().for_each(|would| self.depend(would));
            }
        }
        if self.severity == Severity::Warning {
            for violation in &mut found {
                violation.message = advised(&violation.message);
            }
        }
        found
    }

    /// Makes a notice of what a deck would break if its unknown cards make the rule be asked.
    #[cold]
    fn depend(&self, would: &mut Violation) {
        if would.failing == Failing::Unverified {
            return;
        }
        would.message = format!(
            "not checked: whether {} depends on unknown cards; if so, {}",
            clause(&self.when),
            would.message
        );
        would.failing = Failing::Unverified;
        would.is_for_unknown = true;
    }

    /// The cards of a deck that make it be asked, for a message: ` (because of …)`, or nothing.
    #[cold]
    fn because_of(&self, contents: &Contents<'_>) -> String {
        const MOST_NAMED: usize = 3;
        let mut cards = Vec::new();
        if self.because.is_none() && self.says[0].is_none() {
            for cond in &self.when {
                cond.reasons(contents, &mut cards);
            }
        }
        cards.sort_unstable();
        cards.dedup();
        if cards.is_empty() || cards.len() > MOST_NAMED {
            return String::new();
        }
        let names = cards.iter().map(|card| format!("`{}`", contents.name(*card)));
        let names: Vec<String> = names.collect();
        format!(" (because of {})", listed(&names, "and"))
    }

    /// What it demands, a sentence.
    pub fn demand(&self) -> String {
        let words = match self.severity {
            Severity::Warning => advised(&self.demand.words),
            Severity::Error | Severity::Notice => self.demand.words.clone(),
        };
        match self.when.as_slice() {
            [] => words,
            when => format!("If {}: {}", clause(when), begun_small(&words)),
        }
    }

    /// What it demands, as a condition on decks: it holds just where [`judge`](Rule::judge) finds
    /// no error. Unknown cards that stay in the deck leave open what depends on them.
    pub fn cond(&self, linear: &Linear<'_>) -> Cond {
        let ways = self.when.iter().flat_map(|cond| match cond.negated() {
            Cond::Any(ways) => ways,
            way => vec![way],
        });
        self.demand.cond(linear).unless(ways.collect())
    }

    /// Adds its rows to a linear form, for the current tag.
    pub fn demand_in(&self, linear: &mut Linear<'_>) {
        if self.when.is_empty() {
            self.demand.demand_in(linear);
        } else {
            let cond = self.cond(linear);
            Rows::of(linear).demand(&cond);
        }
    }

    /// The meter of the budget or size that it bounds; `None`: it bounds none, or the deck has
    /// nothing of it and needs nothing.
    pub fn reading(&self, contents: &Contents<'_>) -> Option<Reading> {
        let asked = Cond::all_hold(&self.when, contents) == Some(true);
        self.demand.reading(contents).filter(|_| asked)
    }

    /// Whether it is about which cards a section takes at all: what it
    /// [refuses](Rule::refuses) is set aside before other rules are asked.
    pub fn is_gate(&self) -> bool {
        self.demand.is_gate && self.when.is_empty()
    }

    /// Whether the section does not take this card.
    #[inline]
    pub fn refuses(&self, holding: &Holding) -> bool {
        self.when.is_empty() && self.demand.refuses(holding)
    }

    /// Whether any card of a deck is [refused](Rule::refuses).
    pub fn refuses_any(&self, contents: &Contents<'_>) -> bool {
        let here = contents.known_in(self.demand.sections);
        here.iter().any(|holding| self.refuses(holding))
    }

    /// Whether adding cards of what the sections of a deck can still hold can satisfy it, or its
    /// conditions can cease to hold so. It is taken by itself, and may be satisfied as it is.
    pub(crate) fn can_hold_by_adding(&self, contents: &Contents<'_>, space: &Space<'_>) -> bool {
        self.may_cease(contents, space) || self.demand.can_hold_by_adding(contents, space)
    }

    /// Whether it is not asked, or not once some cards come in.
    fn may_cease(&self, contents: &Contents<'_>, space: &Space<'_>) -> bool {
        let ceases = self.ceases.get_or_init(|| {
            self.when.iter().map(|cond| Growth::of(&cond.negated(), space.accepted)).collect()
        });
        ceases.iter().any(|cease| cease.can_hold(contents, space))
    }

    /// Limits what sections of a deck can still hold; whether that is news.
    pub(crate) fn limit(&self, contents: &Contents<'_>, space: &mut Space<'_>) -> bool {
        let is_asked = Cond::all_hold(&self.when, contents) == Some(true);
        is_asked && !self.may_cease(contents, space) && self.demand.limit(contents, space)
    }

    /// The sections into which a card must come to fix a number that is too small; `None`:
    /// something else could fix it too.
    pub(crate) fn filled_in(&self) -> Option<SectionSet> {
        self.demand.filled_in()
    }

    /// The cards of a deck that it counts, each once, for a message; none where it judges cards
    /// one by one.
    pub fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        self.demand.counted(contents)
    }

    /// The sections whose cards say which others the deck may have, such as that of a leader.
    pub fn identity_sections(&self) -> SectionSet {
        self.demand.identity_sections()
    }

    /// The conditions on which it, or a part of it, is asked.
    pub fn conditions(&self) -> Vec<RuleCondition> {
        let asking = |cond: &Cond| RuleCondition {
            words: cond.clause(false),
            cond: cond.clone(),
            of_all: true,
        };
        let parts = self.demand.conditions.iter().cloned();
        self.when.iter().map(asking).chain(parts).collect()
    }

    /// Why it is most likely a slip over a pool, a sentence: every deck keeps it, or none does, as
    /// far as its numbers show.
    pub(crate) fn slip(&self, pool: &Pool) -> Option<String> {
        let always = || match self.demand.is_always(pool)? {
            true => Some("every deck satisfies this rule with these cards".to_owned()),
            // A deck that does not meet the conditions passes.
            false if !self.when.is_empty() => None,
            false => Some("no deck satisfies this rule with these cards".to_owned()),
        };
        self.demand.slip.clone().or_else(always)
    }
}

/// A violation and the rule it breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Index into [`crate::format::Rulebook::rules`].
    pub rule: usize,
    /// What is wrong.
    pub violation: Violation,
}
