//! What identity cards permit by queries of their own.

use super::demand::{Cond, Leaf};
use super::fields::Fields;
use super::relation::{Heads, Mode, Passes};
use super::{Compile, Contents, Linear};
use crate::pool::{CardId, CardSet, Pool};
use crate::query::Query;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// What identity cards permit, each by a query in a field of its own, read when the card is
/// first met.
#[derive(Debug)]
pub(super) struct Permits {
    pub(super) fields: Vec<String>,
    pub(super) mode: Mode,
    /// What cards permit that say nothing.
    empty: Option<Passes>,
    /// By card of the pool.
    permits: Vec<OnceLock<Option<CardSet>>>,
}

impl Permits {
    pub(super) fn compile(
        fields: &Fields,
        mode: Mode,
        empty: Option<Passes>,
        with: &mut Compile<'_>,
    ) -> Permits {
        let fields = fields.each();
        fields.iter().for_each(|field| with.need_query(field));
        let mut permits = Vec::new();
        permits.resize_with(with.pool.len(), OnceLock::new);
        Permits {
            fields: fields.iter().map(|field| field.value.clone()).collect(),
            mode,
            empty,
            permits,
        }
    }

    /// Whether the rules do not say what a card permits that says nothing.
    pub(super) fn is_left_open(&self) -> bool {
        self.empty.is_none()
    }

    /// What an identity card says: the queries of its fields, any of which permits.
    pub(super) fn shown(&self, pool: &Pool, head: CardId) -> String {
        if let [only] = self.fields.as_slice() {
            return pool.shown(head, only);
        }
        let texts = self.fields.iter().map(|field| pool.shown(head, field));
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        match texts.as_slice() {
            [only] => only.clone(),
            texts => texts
                .iter()
                .map(|text| format!("({text})"))
                .collect::<Vec<_>>()
                .join(" or "),
        }
    }

    /// Which cards it permits, in words for a player.
    pub(super) fn of_head(&self, pool: &Pool, head: CardId) -> String {
        // A query that cannot be read never passes the card file's reader.
        let query = Query::parse(&self.shown(pool, head)).ok();
        match query {
            Some(query) if !query.is_everything() => format!("cards {}", query.words(pool)),
            _ => "nothing".to_owned(),
        }
    }

    /// What an identity card permits; `None` where the card file does not say.
    pub(super) fn of(&self, pool: &Pool, head: CardId) -> Option<&CardSet> {
        let read = || {
            let text = self.shown(pool, head);
            if text.is_empty() && self.empty == Some(Passes::Nothing) {
                return Some(CardSet::default());
            }
            // A query that cannot be read never passes the card file's reader.
            let set = Query::parse(&text).and_then(|query| query.select_permitted(pool));
            set.ok().filter(|_| !text.is_empty())
        };
        self.permits.get(head.index())?.get_or_init(read).as_ref()
    }

    /// Whether the identity cards permit a card. One whose permission the card file does not
    /// tell permits it.
    pub(super) fn agrees(&self, heads: &Heads, contents: &Contents<'_>, card: CardId) -> bool {
        let permits = |head| self.of(contents.pool, head).is_none_or(|set| set.has(card));
        match self.mode {
            Mode::Any => heads.each(contents).any(permits),
            Mode::All => {
                let mut each = heads.each(contents).peekable();
                each.peek().is_some() && each.all(permits)
            }
        }
    }

    /// The same as conditions, for every card; those that the same identity cards permit share
    /// theirs.
    pub(super) fn classes(&self, heads: &Heads, of: &Linear<'_>) -> Vec<(Cond, Vec<CardId>)> {
        let pool = of.pool();
        let possible = heads.possible(of);
        // Identity cards that permit the same.
        let mut kinds: Vec<(Option<&CardSet>, Vec<CardId>)> = Vec::new();
        let mut by_text: FxHashMap<String, usize> = FxHashMap::default();
        for head in pool.ids().filter(|head| possible[head.index()]) {
            let at = *by_text.entry(self.shown(pool, head)).or_insert_with(|| {
                kinds.push((self.of(pool, head), Vec::new()));
                kinds.len() - 1
            });
            kinds[at].1.push(head);
        }
        let mut classes: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut found: Vec<(Cond, Vec<CardId>)> = Vec::new();
        let mut by_whom = vec![0_u64; kinds.len().div_ceil(64)];
        for card in pool.ids() {
            by_whom.fill(0);
            for (at, (set, _)) in kinds.iter().enumerate() {
                if set.is_none_or(|set| set.has(card)) {
                    by_whom[at / 64] |= 1 << (at % 64);
                }
            }
            if let Some(known) = classes.get(&by_whom) {
                found[*known].1.push(card);
                continue;
            }
            let that = |permit: bool| {
                let kinds = kinds.iter().enumerate();
                let chosen =
                    kinds.filter(|(at, _)| (by_whom[at / 64] >> (at % 64) & 1 == 1) == permit);
                let heads_of = chosen.flat_map(|(_, (_, heads))| heads.iter().copied());
                Leaf::of_few(heads_of, heads.sections)
            };
            let all_permit = by_whom.iter().map(|word| word.count_ones() as usize);
            let cond = match self.mode {
                _ if all_permit.sum::<usize>() == kinds.len() => Cond::always(),
                Mode::Any => that(true).is_there(),
                Mode::All => that(false).is_absent(),
            };
            classes.insert(by_whom.clone(), found.len());
            found.push((cond, vec![card]));
        }
        found
    }
}
