//! Words that cards and identity cards have in common.

use super::demand::{Cond, Leaf};
use super::fields::Fields;
use super::relation::{Heads, Mode};
use super::{Compile, Contents, Linear};
use crate::pool::{CardId, Pool, Word};
use crate::text::spaced;
use crate::yaml::Spanned;
use rustc_hash::FxHashMap;

/// Words of a card that must be among those of identity cards.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) field: String,
    /// The identity cards' fields, any of which may have the word.
    pub(super) among: Vec<String>,
    pub(super) mode: Mode,
    /// What they are compared by where one is a name or free text, folded: the cards' own, and
    /// what identity cards say.
    pub(super) folded: Option<[Vec<Vec<Word>>; 2]>,
}

impl Words {
    pub(super) fn compile(
        field: &Spanned<String>,
        among: Option<&Fields>,
        mode: Mode,
        with: &mut Compile<'_>,
    ) -> Words {
        let among = among.map_or(std::slice::from_ref(field), Fields::each);
        let all = std::iter::once(field).chain(among);
        let is_text: Vec<bool> = all.map(|field| with.need_words_or_text(field)).collect();
        if among.is_empty() {
            with.refuse("`among` names no field".to_owned(), field.span);
        }
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
        let is_folded = is_text.contains(&true) || among.len() != 1;
        let says = || {
            let mut all: Vec<Vec<Word>> = vec![Vec::new(); pool.len()];
            for field in among {
                let own = folded(&field.value);
                all.iter_mut()
                    .zip(own)
                    .for_each(|(all, own)| all.extend(own));
            }
            all
        };
        Words {
            field: field.value.clone(),
            among: among.iter().map(|field| field.value.clone()).collect(),
            mode,
            folded: is_folded.then(|| [folded(&field.value), says()]),
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
            None => self
                .among
                .first()
                .map_or(&[], |field| pool.words(head, field)),
            Some([_, among]) => among.get(head.index()).map_or(&[], Vec::as_slice),
        }
    }

    /// What the identity cards' fields are called.
    pub(super) fn fields(&self) -> String {
        let fields: Vec<String> = self.among.iter().map(|field| spaced(field)).collect();
        crate::text::listed(&fields, "or")
    }

    /// What an identity card says, as it is written.
    pub(super) fn of_head<'p>(&self, pool: &'p Pool, head: CardId) -> Vec<&'p str> {
        let fields = self.among.iter();
        fields
            .flat_map(|field| self.written(pool, head, field))
            .collect()
    }

    /// What a card has in a field, as it is written.
    pub(super) fn written<'p>(&self, pool: &'p Pool, card: CardId, field: &str) -> Vec<&'p str> {
        match field {
            "name" => vec![pool.name(card)],
            field => {
                let words = pool.words(card, field).iter();
                words.map(|word| pool.written(field, word)).collect()
            }
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

    /// The same as conditions, for every card that `concerns` concerns; cards with the same words
    /// share theirs.
    pub(super) fn classes(
        &self,
        heads: &Heads,
        of: &Linear<'_>,
        concerns: impl Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)> {
        let pool = of.pool();
        let possible = heads.possible(of);
        let mut providers: FxHashMap<&str, Vec<CardId>> = FxHashMap::default();
        for head in pool.ids().filter(|head| possible[head.index()]) {
            for word in self.says(pool, head) {
                providers.entry(word).or_default().push(head);
            }
        }
        let mut classes: FxHashMap<&[Word], usize> = FxHashMap::default();
        let mut found: Vec<(Cond, Vec<CardId>)> = Vec::new();
        for card in pool.ids().filter(|card| concerns(*card)) {
            let words = self.has(pool, card);
            if let Some(known) = classes.get(words) {
                found[*known].1.push(card);
                continue;
            }
            let said = |word: &Word| providers.get(&**word).into_iter().flatten().copied();
            let cond = match self.mode {
                Mode::Any => Leaf::of_few(words.iter().flat_map(said), heads.sections).is_there(),
                Mode::All => {
                    let each = words.iter().map(said);
                    let each = each.map(|heads_of| Leaf::of_few(heads_of, heads.sections));
                    Cond::All(each.map(|leaf| leaf.is_there()).collect())
                }
            };
            classes.insert(words, found.len());
            found.push((cond, vec![card]));
        }
        found
    }
}
