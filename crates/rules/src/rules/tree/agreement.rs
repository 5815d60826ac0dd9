//! Agreement with identity cards as conditions on a deck.

use super::{Accepted, Cond, Leaf};
use crate::rules::identity::{Identity, IdentityCards, Mode, Passes, Permits, Relation, Words};
use crate::rules::{Cards, Linear, SectionSet};
use decklaw_cards::pool::{CardId, CardSet, Word};
use rustc_hash::FxHashMap;

impl IdentityCards {
    /// The sections that take an identity card.
    pub(super) fn taken_in(&self, accepted: &Accepted) -> SectionSet {
        let takes = |section: &usize| accepted.sets[*section].iter().any(|card| self.has(card));
        let sections = (0..accepted.sets.len()).filter(|at| self.sections.has(*at));
        let taking = sections.filter(takes);
        taking.fold(SectionSet::default(), |all, one| all.and(SectionSet::only(one)))
    }

    /// Known cards that may be identity cards, and unknown ones that stay in the deck.
    fn all(&self, linear: &Linear<'_>) -> Leaf {
        let known = linear.pool().ids().filter(|card| self.has(*card));
        let unknown = linear.unknown_cards().iter().copied();
        Leaf::of_few(known.chain(unknown), self.sections)
    }

    /// That an identity card is there that the pool knows.
    fn is_somebody(&self, linear: &Linear<'_>) -> Cond {
        let known = linear.pool().ids().filter(|card| self.has(*card));
        Leaf::of_few(known, self.sections).is_there()
    }

    /// The conditions that switch the rule off: no identity card, or several where one is meant.
    fn silent(&self, linear: &Linear<'_>) -> Vec<Cond> {
        let nobody = self.nobody == Passes::Everything;
        let nobody = nobody.then(|| self.all(linear).is_absent());
        let several = self.alone;
        let several = several.then(|| Cond::at_least(self.all(linear).num(), 2));
        nobody.into_iter().chain(several).collect()
    }
}

impl Identity {
    /// That cards of some sections agree, unless the rule is silent.
    pub(crate) fn cond(&self, sections: SectionSet, cards: &Cards, linear: &Linear<'_>) -> Cond {
        if linear.unknown_copies(self.heads.sections) > 0 {
            return Cond::always();
        }
        let silent = self.heads.silent(linear);
        let somebody = match (&self.relation, self.heads.nobody) {
            (Relation::Permits(_), Passes::Nothing) => Some(self.heads.is_somebody(linear)),
            _ => None,
        };
        let mut all = Vec::new();
        for (cond, cards) in self.classes(linear, &|card| cards.has(card)) {
            let mut unless = vec![Leaf::of_few(cards, sections).is_absent()];
            unless.extend(silent.iter().cloned());
            let parts = match cond {
                Cond::All(parts) => parts,
                cond => vec![cond],
            };
            let parts = parts.into_iter().chain(somebody.clone());
            all.extend(parts.map(|part| part.unless(unless.clone())));
        }
        Cond::All(all)
    }

    /// Of the cards that `concerns` picks, those that agree together or not at all, and the
    /// condition on which they do.
    fn classes(
        &self,
        linear: &Linear<'_>,
        concerns: &dyn Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)> {
        match &self.relation {
            Relation::Words(words) => self.classes_by_words(words, linear, concerns),
            Relation::Permits(permits) => self.classes_by_permits(permits, linear, concerns),
        }
    }

    /// The same where no card agrees without an identity card.
    pub(super) fn classes_where_somebody_is(
        &self,
        linear: &Linear<'_>,
        concerns: &dyn Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)> {
        let mut classes = self.classes(linear, concerns);
        for (cond, _) in &mut classes {
            let is_said = match &*cond {
                Cond::All(parts) => !parts.is_empty(),
                said => matches!(said, Cond::Within(_, Some(_), _)),
            };
            if !is_said {
                let said = std::mem::replace(cond, Cond::always());
                *cond = Cond::All(vec![said, self.heads.is_somebody(linear)]);
            }
        }
        classes
    }

    fn classes_by_words(
        &self,
        words: &Words,
        linear: &Linear<'_>,
        concerns: &dyn Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)> {
        let pool = linear.pool();
        let possible = self.heads.possible(linear);
        let mut providers: FxHashMap<&str, Vec<CardId>> = FxHashMap::default();
        for head in pool.ids().filter(|head| possible[head.index()]) {
            for word in words.says(pool, head) {
                providers.entry(word).or_default().push(head);
            }
        }
        let sections = self.heads.sections;
        let mut classes: FxHashMap<&[Word], usize> = FxHashMap::default();
        let mut found: Vec<(Cond, Vec<CardId>)> = Vec::new();
        for card in pool.ids().filter(|card| concerns(*card)) {
            let own = words.has(pool, card);
            if let Some(known) = classes.get(own) {
                found[*known].1.push(card);
                continue;
            }
            let said = |word: &Word| providers.get(&**word).into_iter().flatten().copied();
            let cond = match self.mode {
                Mode::Any => Leaf::of_few(own.iter().flat_map(said), sections).is_there(),
                Mode::All => {
                    let each = own.iter().map(said);
                    let each = each.map(|heads| Leaf::of_few(heads, sections).is_there());
                    Cond::All(each.collect())
                }
            };
            classes.insert(own, found.len());
            found.push((cond, vec![card]));
        }
        found
    }

    fn classes_by_permits(
        &self,
        permits: &Permits,
        linear: &Linear<'_>,
        concerns: &dyn Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)> {
        let pool = linear.pool();
        let possible = self.heads.possible(linear);
        // Identity cards that permit the same.
        let mut kinds: Vec<(Option<&CardSet>, Vec<CardId>)> = Vec::new();
        let mut by_text: FxHashMap<String, usize> = FxHashMap::default();
        for head in pool.ids().filter(|head| possible[head.index()]) {
            let at = *by_text.entry(permits.text(pool, head)).or_insert_with(|| {
                kinds.push((permits.of(pool, head), Vec::new()));
                kinds.len() - 1
            });
            kinds[at].1.push(head);
        }
        let mut classes: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        let mut found: Vec<(Cond, Vec<CardId>)> = Vec::new();
        for card in pool.ids().filter(|card| concerns(*card)) {
            let permit = |(set, _): &(Option<&CardSet>, _)| set.is_none_or(|set| set.has(card));
            let by: Vec<bool> = kinds.iter().map(permit).collect();
            if let Some(known) = classes.get(&by) {
                found[*known].1.push(card);
                continue;
            }
            let that = |permits: bool| {
                let chosen = kinds.iter().zip(&by).filter(|(_, by)| **by == permits);
                let heads = chosen.flat_map(|((_, heads), _)| heads.iter().copied());
                Leaf::of_few(heads, self.heads.sections)
            };
            let cond = match self.mode {
                _ if by.iter().all(|permits| *permits) => Cond::always(),
                Mode::Any => that(true).is_there(),
                Mode::All => that(false).is_absent(),
            };
            classes.insert(by, found.len());
            found.push((cond, vec![card]));
        }
        found
    }
}
