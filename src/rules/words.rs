//! Words that cards and identity cards have in common.

use super::linear::Unknown;
use super::relation::{Clauses, Heads, Mode};
use super::{Compile, Contents, Linear};
use crate::pool::{CardId, Pool, Word};
use crate::yaml::Spanned;
use rustc_hash::FxHashMap;

/// Words of a card that must be among those of identity cards.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) field: String,
    pub(super) among: String,
    pub(super) mode: Mode,
    /// What they are compared by where one is a name or free text, folded: the cards' own, and
    /// what identity cards say.
    pub(super) folded: Option<[Vec<Vec<Word>>; 2]>,
}

impl Words {
    pub(super) fn compile(
        field: &Spanned<String>,
        among: Option<&Spanned<String>>,
        mode: Mode,
        with: &mut Compile<'_>,
    ) -> Words {
        let among = among.unwrap_or(field);
        let is_text = [field, among].map(|field| with.need_words_or_text(field));
        let pool = with.pool;
        let folded = |field: &str| -> Vec<Vec<Word>> {
            let fold = |word: &str| Word::from(&*crate::name::fold(word));
            let of_card = |card: CardId| match field {
                "name" => vec![fold(pool.name(card))],
                field => pool
                    .words(card, field)
                    .iter()
                    .map(|word| fold(word))
                    .collect(),
            };
            pool.ids().map(of_card).collect()
        };
        let is_folded = is_text.contains(&true);
        Words {
            field: field.value.clone(),
            among: among.value.clone(),
            mode,
            folded: is_folded.then(|| [folded(&field.value), folded(&among.value)]),
        }
    }

    /// What a card has.
    #[inline]
    pub(super) fn has<'w>(&'w self, pool: &'w Pool, card: CardId) -> &'w [Word] {
        match &self.folded {
            None => pool.words(card, &self.field),
            Some([own, _]) => own.get(card.index()).map_or(&[], Vec::as_slice),
        }
    }

    /// What an identity card says that others may have.
    #[inline]
    pub(super) fn says<'w>(&'w self, pool: &'w Pool, head: CardId) -> &'w [Word] {
        match &self.folded {
            None => pool.words(head, &self.among),
            Some([_, among]) => among.get(head.index()).map_or(&[], Vec::as_slice),
        }
    }

    /// What a card has in a field, as it is written.
    pub(super) fn written<'p>(&self, pool: &'p Pool, card: CardId, field: &str) -> Vec<&'p str> {
        match field {
            "name" => vec![pool.name(card)],
            field => pool.words(card, field).iter().map(|word| &**word).collect(),
        }
    }

    /// Whether a card agrees with the identity cards of a deck.
    #[inline]
    pub(super) fn agrees(&self, heads: &Heads, contents: &Contents<'_>, card: CardId) -> bool {
        let pool = contents.pool;
        let among = |word: &str| {
            heads
                .each(contents)
                .any(|head| self.says(pool, head).iter().any(|own| **own == *word))
        };
        let mut words = self.has(pool, card).iter();
        match self.mode {
            Mode::Any => words.any(|word| among(word)),
            Mode::All => words.all(|word| among(word)),
        }
    }

    /// The same in linear form, for every card that `concerns` concerns; cards with the same
    /// words share their clauses.
    pub(super) fn clauses(
        &self,
        heads: &Heads,
        linear: &mut Linear<'_>,
        concerns: impl Fn(CardId) -> bool,
    ) -> Vec<(Clauses, Vec<CardId>)> {
        let pool = linear.pool();
        let possible = heads.possible(linear);
        let mut providers: FxHashMap<&str, Vec<(Unknown, i64)>> = FxHashMap::default();
        for head in pool.ids().filter(|head| possible[head.index()]) {
            for word in self.says(pool, head) {
                providers
                    .entry(word)
                    .or_default()
                    .extend(linear.sum(head, heads.sections, 1));
            }
        }
        let mut classes: FxHashMap<&[Word], usize> = FxHashMap::default();
        let mut found: Vec<(Clauses, Vec<CardId>)> = Vec::new();
        for card in pool.ids().filter(|card| concerns(*card)) {
            let words = self.has(pool, card);
            if let Some(known) = classes.get(words) {
                found[*known].1.push(card);
                continue;
            }
            let held = |word: &str| providers.get(word).cloned().unwrap_or_default();
            let clauses = match self.mode {
                Mode::Any => {
                    let mut all: Vec<_> = words.iter().flat_map(|word| held(word)).collect();
                    all.sort_unstable();
                    all.dedup();
                    vec![all]
                }
                Mode::All => words.iter().map(|word| held(word)).collect(),
            };
            classes.insert(words, found.len());
            found.push((clauses, vec![card]));
        }
        found
    }
}
