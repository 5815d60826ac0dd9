//! A deck's cards by section, open to change: what an editor edits and a repair returns.

use super::{UnknownNames, deck_hash, look_up, places, rules_for};
use decklaw_cards::pool::{CardId, NameField, Pool};
use decklaw_decks::deck::{Deck, Listing, MOST_COPIES};
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::{Contents, Holding, Judgement, Severity, Verdict};
use decklaw_text::name::fold;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a deck holds, by section and card. Unknown cards are numbered from the pool's length
/// on, in the order of their folded names.
#[derive(Debug, Clone)]
pub struct Decklist {
    rulebook: Arc<Rulebook>,
    /// The ids of the deck's own sections, where the format's are open.
    own_sections: Vec<String>,
    unknown: UnknownNames,
    /// Sorted by card and section, each pair once, at least one copy of each.
    held: Vec<Holding>,
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
        Decklist { rulebook, own_sections: Vec::new(), unknown: Arc::default(), held: Vec::new() }
    }

    /// What a deck holds, all lines of a card in a section added up. Where the rules know no
    /// cards at all, the deck's own names are the pool.
    pub fn of(deck: &Deck<'_>, of_format: Arc<Rulebook>) -> Decklist {
        let rulebook = rules_for(deck, &of_format);
        let names = deck.lines.iter().map(|line| line.name.as_ref());
        let (cards, unknown, _) = look_up(rulebook.pool(), names);
        let places = places(deck, &rulebook);
        Decklist::resolved(deck, rulebook, (&cards, unknown), &places)
    }

    /// The same of a deck whose names were looked up.
    pub(super) fn resolved(
        deck: &Deck<'_>,
        rulebook: Arc<Rulebook>,
        (cards, unknown): (&[CardId], UnknownNames),
        places: &[Option<usize>],
    ) -> Decklist {
        let holding = |(line, card): (&decklaw_decks::deck::CardLine<'_>, &CardId)| {
            let section = places.get(usize::from(line.section)).copied().flatten();
            Holding {
                card: *card,
                section: u16::try_from(section.unwrap_or(0)).unwrap_or(u16::MAX),
                copies: i64::from(line.count),
            }
        };
        let held: Vec<Holding> = deck.lines.iter().zip(cards).map(holding).collect();
        let open = rulebook.format().game().section_names().open;
        let own = deck.sections.iter().filter(|_| open);
        Decklist {
            own_sections: own.map(|section| section.id.clone().into_owned()).collect(),
            rulebook,
            unknown,
            held: Contents::added_up(held),
        }
    }

    /// A deck of cards by their names: `(section's id, name, copies)`. A section that the
    /// format does not have is a new one where its sections are open, and left out elsewhere.
    pub fn of_names<'n>(
        rulebook: Arc<Rulebook>,
        cards: impl IntoIterator<Item = (&'n str, &'n str, i64)>,
    ) -> Decklist {
        let cards: Vec<(&str, &str, i64)> = cards.into_iter().collect();
        let names = cards.iter().map(|(_, name, _)| *name);
        let (ids, unknown, _) = look_up(rulebook.pool(), names);
        let mut list = Decklist::empty(rulebook);
        list.unknown = unknown;
        let open = list.rulebook.format().game().section_names().open;
        let mut held = Vec::with_capacity(cards.len());
        for ((section, _, copies), card) in cards.into_iter().zip(ids) {
            if open && list.section(section).is_none() {
                list.own_sections.push(section.to_owned());
            }
            if let Some(section) = list.section(section) {
                held.push(Holding { card, section, copies });
            }
        }
        list.held = Contents::added_up(held);
        list
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
        let names = self.rulebook.format().game().section_names();
        if names.open { &self.own_sections } else { names.ids }
    }

    /// The index of a section.
    pub fn section(&self, id: &str) -> Option<u16> {
        let at = self.sections().iter().position(|known| known == id)?;
        u16::try_from(at).ok()
    }

    /// The card of a name: one of the pool, or one of the deck that the pool does not know.
    pub fn find(&self, name: &str) -> Option<CardId> {
        if let Some(card) = self.pool().look_up(name, NameField::Name).card() {
            return Some(card);
        }
        let folded = fold(name);
        let at = self.unknown.binary_search_by(|(known, _)| known.as_str().cmp(&folded)).ok()?;
        u32::try_from(self.pool().len() + at).ok().map(CardId)
    }

    /// A card's name as the pool spells it, or for an unknown card, as the deck does.
    pub fn name(&self, card: CardId) -> &str {
        match self.unknown_name(card) {
            Some((_, shown)) => shown,
            None => self.pool().name(card),
        }
    }

    fn unknown_name(&self, card: CardId) -> Option<&(String, String)> {
        self.unknown.get(card.index().checked_sub(self.pool().len())?)
    }

    /// Whether the pool knows a card.
    pub fn knows(&self, card: CardId) -> bool {
        card.index() < self.pool().len()
    }

    /// How many different cards the deck names that the pool does not know.
    pub fn unknown_names(&self) -> usize {
        self.unknown.len()
    }

    /// Copies of a card in a section.
    pub fn copies(&self, section: u16, card: CardId) -> i64 {
        self.place(section, card).map_or(0, |place| self.held[place].copies)
    }

    /// Where a card in a section is held, or would be.
    fn place(&self, section: u16, card: CardId) -> Result<usize, usize> {
        let key = |held: &Holding| (held.card, held.section);
        self.held.binary_search_by_key(&(card, section), key)
    }

    /// Sets the copies of a card in a section: at least 0, at most [`MOST_COPIES`].
    pub fn set(&mut self, section: u16, card: CardId, copies: i64) {
        let copies = copies.clamp(0, i64::from(MOST_COPIES));
        match self.place(section, card) {
            Ok(place) if copies == 0 => {
                self.held.remove(place);
            }
            Ok(place) => self.held[place].copies = copies,
            Err(_) if copies == 0 => {}
            Err(place) => self.held.insert(place, Holding { card, section, copies }),
        }
    }

    /// A deck of the same rules and names that holds these cards alone, each pair of card and
    /// section with at least one copy. It is made at once, where [`set`](Decklist::set) moves
    /// what lies behind a card.
    pub fn holding(&self, held: impl IntoIterator<Item = Holding>) -> Decklist {
        Decklist {
            rulebook: Arc::clone(&self.rulebook),
            own_sections: self.own_sections.clone(),
            unknown: Arc::clone(&self.unknown),
            held: Contents::added_up(held.into_iter().collect()),
        }
    }

    /// Adds copies, or takes some out where `by` is negative.
    pub fn add(&mut self, section: u16, card: CardId, by: i64) {
        let copies = self.copies(section, card).saturating_add(by);
        self.set(section, card, copies);
    }

    /// Everything held, by card and section.
    pub fn holdings(&self) -> impl Iterator<Item = Holding> + '_ {
        self.held.iter().copied()
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
        Contents::sorted(self.pool(), self.held.clone(), Arc::clone(&self.unknown))
    }

    /// Every violation, rule by rule.
    pub fn judge(&self) -> Vec<Judgement> {
        self.rulebook.judge(&self.contents())
    }

    /// The violations that are errors. Rules that only advise are not asked, which saves their
    /// messages where a large deck is judged again and again.
    pub fn broken(&self) -> Vec<Judgement> {
        let rules = self.rulebook.rules();
        let is_strict = |rule: usize| rules[rule].severity == Severity::Error;
        let mut judged = self.rulebook.judge_by(&self.contents(), is_strict);
        judged.retain(|found| self.rulebook.severity(found) == Severity::Error);
        judged
    }

    /// What the rules say of it.
    pub fn verdict(&self) -> Verdict {
        self.rulebook.verdict(&self.broken(), &self.contents())
    }

    /// Whether no rule is broken.
    pub fn is_legal(&self) -> bool {
        self.broken().is_empty()
    }

    /// Every error: its rule's id, and what is wrong.
    pub fn errors(&self) -> Vec<(String, String)> {
        let error = |judgement: Judgement| {
            let rule = self.rulebook.rules()[judgement.rule].id.clone();
            (rule, judgement.violation.message)
        };
        self.broken().into_iter().map(error).collect()
    }

    /// The digest of its content.
    pub fn hash(&self) -> String {
        deck_hash(self.rulebook.format().id(), self.sections(), &self.contents())
    }

    /// What turns this deck into another of the same rules: by section in the format's order,
    /// then by folded name.
    pub fn changes_to(&self, after: &Decklist) -> Vec<Change> {
        let held = self.holdings().chain(after.holdings());
        let keys: BTreeSet<(CardId, u16)> = held.map(|held| (held.card, held.section)).collect();
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
            let unknown = self.unknown_name(change.card);
            let folded = unknown
                .map_or_else(|| self.pool().folded(change.card), |(folded, _)| folded.as_str());
            (change.section, folded.to_owned())
        };
        changes.sort_by_cached_key(key);
        changes
    }

    /// The deck as it is written out: sections in the format's order, those without cards
    /// left out, cards by folded name.
    pub fn listing(&self) -> Listing {
        let mut sections: Vec<(String, Vec<(u32, String)>)> =
            self.sections().iter().map(|id| (id.clone(), Vec::new())).collect();
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
