//! A deck's cards by section, open to change: what an editor edits and a repair returns.

use crate::deck::{Deck, Listing, MOST_COPIES};
use crate::name::{fold, tidy};
use crate::pool::{CardId, Pool};
use crate::report::{Verdict, deck_hash};
use crate::rules::{Contents, Failing, Holding, Judgement, Ledger, Rulebook, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a deck holds, by section and card. Unknown cards are numbered from the pool's length
/// on, in the order of their folded names.
#[derive(Debug, Clone)]
pub struct Decklist {
    rulebook: Arc<Rulebook>,
    /// Ids of the sections, by index.
    sections: Vec<String>,
    strangers: Arc<Vec<(String, String)>>,
    copies: BTreeMap<(CardId, u16), i64>,
}

/// A number of copies that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Index of the section.
    pub section: u16,
    /// The card.
    pub card: CardId,
    /// Copies before.
    pub from: i64,
    /// Copies after.
    pub to: i64,
}

impl Decklist {
    /// A deck without cards.
    pub fn empty(rulebook: Arc<Rulebook>) -> Decklist {
        let sections = rulebook.format().game().sections().iter();
        Decklist {
            sections: sections.map(|section| section.id.clone()).collect(),
            rulebook,
            strangers: Arc::default(),
            copies: BTreeMap::new(),
        }
    }

    /// What a deck holds, all lines of a card in a section added up. For a game without a
    /// pool the `rulebook` should be made for the deck's own names (see
    /// [`Decklist::rulebook_for`]).
    pub fn of(deck: &Deck<'_>, rulebook: Arc<Rulebook>) -> Decklist {
        let mut list = Decklist::empty(rulebook);
        if list.rulebook.format().game().section_names().open {
            let own = deck.sections.iter();
            list.sections = own.map(|section| section.id.clone().into_owned()).collect();
        }
        let pool = Arc::clone(list.rulebook.pool());
        let mut strangers: BTreeMap<String, String> = BTreeMap::new();
        for line in &deck.lines {
            if pool.find(&line.name).is_none() {
                let shown = tidy(&line.name).into_owned();
                let known = strangers
                    .entry(fold(&line.name).into_owned())
                    .or_insert_with(|| shown.clone());
                if shown < *known {
                    *known = shown;
                }
            }
        }
        list.strangers = Arc::new(strangers.into_iter().collect());
        for line in &deck.lines {
            let id = &deck.sections[usize::from(line.section)].id;
            let Some(section) = list.section(id) else {
                continue;
            };
            if let Some(card) = list.find(&line.name) {
                let copies = list.copies.entry((card, section)).or_default();
                *copies = copies.saturating_add(i64::from(line.count));
            }
        }
        list
    }

    /// The rules for a deck: those given, or for a game without a pool, the same over the
    /// deck's own names.
    ///
    /// # Errors
    /// None in practice: the settings were checked before.
    pub fn rulebook_for(
        deck: &Deck<'_>,
        rulebook: Arc<Rulebook>,
    ) -> Result<Arc<Rulebook>, crate::rules::RulebookError> {
        if !rulebook.format().game().sections().is_empty() || !rulebook.pool().is_empty() {
            return Ok(rulebook);
        }
        let pool = Arc::new(Pool::of_names(deck.lines.iter().map(|line| &*line.name)));
        let own = Rulebook::new(
            rulebook.format(),
            pool,
            rulebook.list().cloned(),
            &BTreeMap::new(),
        )?;
        Ok(Arc::new(own))
    }

    /// The rules of its format.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The cards of its game.
    pub fn pool(&self) -> &Arc<Pool> {
        self.rulebook.pool()
    }

    /// The ids of its sections, by index.
    pub fn sections(&self) -> &[String] {
        &self.sections
    }

    /// The index of a section.
    pub fn section(&self, id: &str) -> Option<u16> {
        let at = self.sections.iter().position(|known| known == id)?;
        u16::try_from(at).ok()
    }

    /// The card of a name: one of the pool, or one of the deck that the pool does not know.
    pub fn find(&self, name: &str) -> Option<CardId> {
        if let Some(card) = self.pool().find(name) {
            return Some(card);
        }
        let folded = fold(name);
        let at = self
            .strangers
            .binary_search_by(|(known, _)| known.as_str().cmp(&folded))
            .ok()?;
        u32::try_from(self.pool().len() + at).ok().map(CardId)
    }

    /// A card's name as the pool spells it, or for an unknown card, as the deck does.
    pub fn name(&self, card: CardId) -> &str {
        match self.stranger(card) {
            Some((_, shown)) => shown,
            None => self.pool().name(card),
        }
    }

    fn stranger(&self, card: CardId) -> Option<&(String, String)> {
        self.strangers
            .get(card.index().checked_sub(self.pool().len())?)
    }

    /// Whether the pool knows a card.
    pub fn knows(&self, card: CardId) -> bool {
        card.index() < self.pool().len()
    }

    /// How many different cards the deck names that the pool does not know.
    pub fn strangers(&self) -> usize {
        self.strangers.len()
    }

    /// Copies of a card in a section.
    pub fn copies(&self, section: u16, card: CardId) -> i64 {
        self.copies.get(&(card, section)).copied().unwrap_or(0)
    }

    /// Sets the copies of a card in a section: at least 0, at most [`MOST_COPIES`].
    pub fn set(&mut self, section: u16, card: CardId, copies: i64) {
        let copies = copies.clamp(0, i64::from(MOST_COPIES));
        if copies == 0 {
            self.copies.remove(&(card, section));
        } else {
            self.copies.insert((card, section), copies);
        }
    }

    /// Adds copies, or takes some out where `by` is negative.
    pub fn add(&mut self, section: u16, card: CardId, by: i64) {
        let copies = self.copies(section, card).saturating_add(by);
        self.set(section, card, copies);
    }

    /// Everything held, by card and section.
    pub fn holdings(&self) -> impl Iterator<Item = Holding> + '_ {
        self.copies.iter().map(|((card, section), copies)| Holding {
            card: *card,
            section: *section,
            copies: *copies,
        })
    }

    /// Cards of a section, all copies counted.
    pub fn count(&self, section: u16) -> i64 {
        let inside = self
            .holdings()
            .filter(|holding| holding.section == section)
            .map(|holding| holding.copies);
        inside.sum()
    }

    /// The form that rules judge.
    pub fn contents(&self) -> Contents<'_> {
        let held = self.holdings().collect();
        Contents::sharing(self.pool(), held, Arc::clone(&self.strangers))
    }

    /// Every violation, rule by rule.
    pub fn judge(&self) -> Vec<Judgement> {
        self.rulebook.judge(&self.contents())
    }

    /// What some judgements of the deck come to.
    pub fn verdict(&self, judgements: &[Judgement]) -> Verdict {
        let mut errors = judgements
            .iter()
            .filter(|judgement| self.rulebook.severity(judgement) == Severity::Error)
            .map(|judgement| judgement.violation.failing)
            .peekable();
        if errors.peek().is_none() {
            Verdict::Legal
        } else if errors.all(|failing| failing == Failing::Shortfall) {
            Verdict::Incomplete
        } else {
            Verdict::Illegal
        }
    }

    /// Whether no rule is broken.
    pub fn is_legal(&self) -> bool {
        self.verdict(&self.judge()) == Verdict::Legal
    }

    /// Every error, with its rule's id, as sentences.
    pub fn errors(&self) -> Vec<String> {
        let judgements = self.judge();
        let is_error =
            |judgement: &&Judgement| self.rulebook.severity(judgement) == Severity::Error;
        let errors = judgements.iter().filter(is_error).map(|judgement| {
            let rule = &self.rulebook.rules()[judgement.rule].id;
            format!("{rule}: {}", judgement.violation.message)
        });
        errors.collect()
    }

    /// How its budgets add up.
    pub fn ledgers(&self) -> Vec<Ledger> {
        self.rulebook.ledgers(&self.contents())
    }

    /// The digest of its content.
    pub fn hash(&self) -> String {
        let ids: Vec<&str> = self.sections.iter().map(String::as_str).collect();
        deck_hash(self.rulebook.format().id(), &ids, &self.contents())
    }

    /// What turns this deck into another of the same rules: by section in the format's order,
    /// then by folded name.
    pub fn changes_to(&self, after: &Decklist) -> Vec<Change> {
        let keys: BTreeSet<(CardId, u16)> = self
            .copies
            .keys()
            .chain(after.copies.keys())
            .copied()
            .collect();
        let mut changes: Vec<Change> = keys
            .into_iter()
            .map(|(card, section)| Change {
                section,
                card,
                from: self.copies(section, card),
                to: after.copies(section, card),
            })
            .filter(|change| change.from != change.to)
            .collect();
        let key = |change: &Change| {
            let stranger = self.stranger(change.card);
            let folded = stranger.map_or_else(
                || self.pool().folded(change.card),
                |(folded, _)| folded.as_str(),
            );
            (change.section, folded.to_owned())
        };
        changes.sort_by_cached_key(key);
        changes
    }

    /// The deck as it is written out: sections in the format's order, those without cards
    /// left out, cards by folded name.
    pub fn listing(&self) -> Listing {
        let mut sections: Vec<(String, Vec<(u32, String)>)> = self
            .sections
            .iter()
            .map(|id| (id.clone(), Vec::new()))
            .collect();
        for holding in self.holdings() {
            if let Some((_, cards)) = sections.get_mut(usize::from(holding.section)) {
                let copies = u32::try_from(holding.copies).unwrap_or(MOST_COPIES);
                cards.push((copies, self.name(holding.card).to_owned()));
            }
        }
        sections.retain(|(_, cards)| !cards.is_empty());
        Listing {
            format: Some(self.rulebook.format().id().to_owned()),
            sections,
            ..Listing::default()
        }
    }
}
