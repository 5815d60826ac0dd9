//! What must hold for something to be asked, and whether it does.

use super::{Condition, Conditions};
use crate::pool::{CardId, Pool};
use crate::rules::demand::{Cond, Holds, Leaf, Num};
use crate::rules::demanded::read;
use crate::rules::{Asking, Compile, Contents, SectionSet};

/// Conditions that must all hold.
#[derive(Debug)]
pub(in crate::rules) struct When {
    all: Vec<Cond>,
}

impl When {
    /// What conditions mean; `None` where there are none.
    pub(in crate::rules) fn compile(terms: &Conditions, with: &mut Compile<'_>) -> Option<When> {
        let all = match terms {
            Conditions::None => return None,
            Conditions::One(one) => vec![one.compile(with)],
            Conditions::All(all) => all.iter().map(|one| one.compile(with)).collect(),
            Conditions::Text(text) => vec![read(text, with)],
        };
        Some(When { all })
    }

    /// All of them as one.
    pub(in crate::rules) fn cond(&self) -> Cond {
        match self.all.as_slice() {
            [only] => only.clone(),
            all => Cond::All(all.to_vec()),
        }
    }

    /// Whether a deck meets them; `None` where that depends on unknown cards.
    pub(in crate::rules) fn holds(&self, contents: &Contents<'_>) -> Holds {
        Cond::all(&self.all, contents)
    }

    /// Whether no card that comes in could make them fail once they hold.
    pub(super) fn stays(&self) -> bool {
        self.all.iter().all(Cond::stays)
    }

    /// The cards of a deck that make them hold, each once, in canonical order.
    pub(super) fn named(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        for cond in &self.all {
            cond.reasons(contents, &mut cards);
        }
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    /// What must hold, a clause.
    pub(in crate::rules) fn words(&self) -> String {
        let words: Vec<String> = self.all.iter().map(|cond| cond.clause(false)).collect();
        words.join(" and ")
    }

    /// The sections in which a card that the pool does not know makes it unclear whether they
    /// hold.
    pub(in crate::rules) fn clouded_by(&self) -> SectionSet {
        let mut sections = SectionSet::default();
        let mut see = |leaf: &Leaf| {
            if leaf.is_clouded() {
                sections = sections.and(leaf.sections);
            }
        };
        self.all.iter().for_each(|cond| cond.leaves(&mut see));
        sections
    }

    /// Conditions of which one holds where they do not all.
    pub(super) fn ways_not_to_hold(&self) -> Vec<Cond> {
        let each = self.all.iter().flat_map(|cond| match cond.negated() {
            Cond::Any(ways) => ways,
            way => vec![way],
        });
        each.collect()
    }

    /// Each of them.
    pub(super) fn each(&self) -> Vec<Asking> {
        let asking = |cond: &Cond| Asking {
            words: cond.clause(false),
            cond: cond.clone(),
            of_all: true,
        };
        self.all.iter().map(asking).collect()
    }

    /// A condition that no deck over a pool can meet, in words.
    pub(in crate::rules) fn never(&self, pool: &Pool) -> Option<String> {
        let never = self.all.iter().find(|cond| cond.never(pool.len()));
        never.map(|cond| cond.clause(false))
    }
}

impl Condition {
    fn compile(&self, with: &mut Compile<'_>) -> Cond {
        let said = !self.sections.is_empty();
        if let Some(not) = &self.not {
            let besides = said || self.cards.is_some();
            if besides || !self.any.is_empty() {
                let message =
                    "`not` stands alone in an `if`: put what else must hold beside it in a list";
                with.refuse(message.to_owned(), with.rule);
            }
            return Cond::Not(Box::new(not.compile(with)));
        }
        if said == self.any.is_empty() {
            return match said {
                true => self.of_cards(with),
                false => Cond::Any(self.any.iter().map(|part| part.compile(with)).collect()),
            };
        }
        let message = "an `if` needs `sections` and what they hold, or a list of such under `any`";
        with.refuse(message.to_owned(), with.rule);
        Cond::All(Vec::new())
    }

    /// What counts cards of the deck.
    fn of_cards(&self, with: &mut Compile<'_>) -> Cond {
        let sections = with.section_set(&self.sections);
        let none = self.at_least.is_none() && self.at_most.is_none();
        let low = if none { Some(1) } else { self.at_least };
        let leaf = Leaf::of_cards(self.cards.as_ref(), sections, with);
        Cond::Within(
            Num::Sum(Box::new(leaf)),
            low.map(Num::Const),
            self.at_most.map(Num::Const),
        )
    }
}
