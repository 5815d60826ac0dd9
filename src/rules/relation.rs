//! What the identity cards of a deck say of its other cards: words that must match, or a query
//! that permits.

use super::linear::Unknown;
use super::{Cards, Compile, Contents, Holding, Linear, SectionSet};
use crate::pool::{CardId, CardSet, Pool};
use crate::query::Query;
use crate::yaml::Spanned;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Where the identity cards are: one section, which must then hold just one card; a list of
/// sections, whose cards speak together; or those cards of some sections that a query picks.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum By {
    /// The one card of a section; several make it unclear which is meant.
    One(String),
    /// All the cards of some sections together.
    All(Vec<Spanned<String>>),
    /// The cards of some sections that a query picks, together.
    Some(Picked),
}

/// Identity cards that stand among others.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// The sections in which they are.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards there speak for the deck.
    pub cards: Spanned<String>,
}

impl<'de> Deserialize<'de> for By {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<By, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = By;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a section, a list of sections, or `{sections: […], cards: QUERY}`")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<By, E> {
                Ok(By::One(name.to_owned()))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, names: A) -> Result<By, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(names)).map(By::All)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<By, A::Error> {
                Picked::deserialize(de::value::MapAccessDeserializer::new(map)).map(By::Some)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// How many of a card's words, or of the identity cards, must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// One is enough.
    #[default]
    Any,
    /// Every one must; a card without words then always agrees.
    All,
}

/// Which cards pass where nobody says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    /// All of them.
    #[default]
    Everything,
    /// None of them.
    Nothing,
}

/// A field, or a list of fields of which any will do.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Fields {
    /// One.
    One(Spanned<String>),
    /// Any of these.
    Any(Vec<Spanned<String>>),
}

impl Fields {
    fn each(&self) -> &[Spanned<String>] {
        match self {
            Fields::One(field) => std::slice::from_ref(field),
            Fields::Any(fields) => fields,
        }
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        let read = Spanned::<Written>::deserialize(deserializer)?;
        Ok(match read.value {
            Written::One(value) => Fields::One(Spanned {
                value,
                span: read.span,
            }),
            Written::Any(fields) => Fields::Any(fields),
        })
    }
}

/// Fields as they are written.
enum Written {
    One(String),
    Any(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Written;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a field, or a list of fields")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Written, E> {
                Ok(Written::One(name.to_owned()))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, names: A) -> Result<Written, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(names)).map(Written::Any)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// The sections of the identity cards.
#[derive(Debug)]
pub(super) struct Heads {
    pub(super) sections: SectionSet,
    /// Which cards there they are, and the query that says so.
    cards: Cards,
    query: String,
    /// Whether there must be just one card.
    alone: bool,
    /// Which cards pass where there is none.
    nobody: Passes,
    /// What messages call the sections.
    pub(super) name: String,
}

/// Who speaks for a deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaks {
    /// The known cards of the sections; there may be none, and then nothing passes.
    Known,
    /// A card that the pool does not know is among them.
    Unknown(CardId),
    /// No card.
    Nobody,
    /// Several, and which one is meant is unclear.
    Several,
}

impl Heads {
    pub(super) fn compile(by: &Spanned<By>, with: &mut Compile<'_>) -> Heads {
        let (mut cards, mut query) = (Cards::All, String::new());
        let (sections, alone) = match &by.value {
            By::One(name) => {
                let name = Spanned {
                    value: name.clone(),
                    span: by.span,
                };
                (SectionSet::only(with.section(&name)), true)
            }
            By::All(names) => (with.section_set(names), false),
            By::Some(picked) => {
                cards = with.cards(Some(&picked.cards));
                query.clone_from(&picked.cards.value);
                (with.section_set(&picked.sections), false)
            }
        };
        if sections == SectionSet::default() {
            with.refuse("`by` names no section".to_owned(), by.span);
        }
        let name = with.section_names(sections);
        Heads {
            sections,
            cards,
            query,
            alone,
            nobody: Passes::Everything,
            name,
        }
    }

    /// The same where, without any, these cards pass.
    #[must_use]
    pub(super) fn without(self, nobody: Passes) -> Heads {
        Heads { nobody, ..self }
    }

    /// Whether a known card is one where it stands in their sections.
    #[inline]
    pub(super) fn has(&self, card: CardId) -> bool {
        self.cards.has(card)
    }

    /// Who they are, as in `the card in the hero section`.
    pub(super) fn who(&self) -> String {
        match self.query.as_str() {
            "" => format!("the card in the {}", self.name),
            query => format!("each card in the {} that is `{query}`", self.name),
        }
    }

    /// The sections that have nothing but them.
    pub(super) fn own_sections(&self) -> SectionSet {
        match self.cards.is_all() {
            true => self.sections,
            false => SectionSet::default(),
        }
    }

    /// Who speaks for a deck.
    #[inline]
    pub(super) fn speaks(&self, contents: &Contents<'_>) -> Speaks {
        let inside = |section: u16| self.sections.has(usize::from(section));
        let here = contents.known_in(self.sections).iter();
        let speaks = |held: &&Holding| inside(held.section) && self.has(held.card);
        let (mut held, mut copies) = (0, 0_i64);
        for holding in here.filter(speaks) {
            (held, copies) = (held + 1, copies.saturating_add(holding.copies));
        }
        let mut strangers = contents.unknown().iter();
        let stranger = strangers.find(|holding| inside(holding.section));
        let unknown = contents.count_unknown(self.sections);
        match (held, stranger) {
            (0, None) if self.nobody == Passes::Nothing => Speaks::Known,
            (0, None) => Speaks::Nobody,
            _ if self.alone && copies.saturating_add(unknown) > 1 => Speaks::Several,
            (_, Some(stranger)) => Speaks::Unknown(stranger.card),
            (_, None) => Speaks::Known,
        }
    }

    /// The known identity cards.
    pub(super) fn each<'c>(
        &'c self,
        contents: &'c Contents<'_>,
    ) -> impl Iterator<Item = CardId> + use<'c> {
        let sections = self.sections;
        let here = contents.known_in(sections).iter();
        here.filter(move |held| sections.has(usize::from(held.section)) && self.has(held.card))
            .map(|holding| holding.card)
    }

    /// Flags that may be 1 only where the rule is silent: nobody speaks, or it is unclear who.
    pub(super) fn silent(&self, linear: &mut Linear<'_>) -> Vec<(Unknown, i64)> {
        let pool = linear.pool();
        let all = pool.ids().filter(|card| self.has(*card));
        let all = all.chain(linear.strangers());
        let everyone: Vec<(Unknown, i64)> = all
            .flat_map(|card| linear.sum(card, self.sections, 1))
            .collect();
        let total = linear.total(everyone);
        let mut silent = Vec::new();
        if self.nobody == Passes::Everything {
            silent.push((linear.off(vec![(total, 1)], None, Some(0)), 1));
        }
        if self.alone {
            silent.push((linear.off(vec![(total, 1)], Some(2), None), 1));
        }
        silent
    }

    /// Where nothing passes without an identity card: that there is one, as a clause.
    pub(super) fn somebody(&self, linear: &Linear<'_>) -> Option<Vec<(Unknown, i64)>> {
        let all = linear.pool().ids().filter(|card| self.has(*card));
        (self.nobody == Passes::Nothing).then(|| {
            all.flat_map(|card| linear.sum(card, self.sections, 1))
                .collect()
        })
    }

    /// The cards that may be identity cards, by index of the pool.
    pub(super) fn possible(&self, linear: &Linear<'_>) -> Vec<bool> {
        let mut possible = vec![false; linear.pool().len()];
        for section in linear.within(self.sections) {
            let refused = linear.refused_in(section);
            for (possible, refused) in possible.iter_mut().zip(refused) {
                *possible |= !refused;
            }
        }
        for (possible, card) in possible.iter_mut().zip(linear.pool().ids()) {
            *possible &= self.has(card);
        }
        possible
    }
}

/// What the identity cards say of a card, in linear form: it agrees where each of these sums,
/// of copies or flags, is at least 1.
pub(super) type Clauses = Vec<Vec<(Unknown, i64)>>;

/// What identity cards permit, each by a query in a field of its own, read when the card is
/// first met.
#[derive(Debug)]
pub(super) struct Permits {
    pub(super) fields: Vec<String>,
    pub(super) mode: Mode,
    /// What cards permit that say nothing.
    empty: Passes,
    /// What the deck's choices stand at.
    chosen: BTreeMap<String, Option<String>>,
    /// By card of the pool.
    permits: Vec<OnceLock<Option<CardSet>>>,
}

impl Permits {
    pub(super) fn compile(
        fields: &Fields,
        mode: Mode,
        empty: Passes,
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
            chosen: with.all_chosen(),
            permits,
        }
    }

    /// A choice of which the deck says nothing, and an identity card asks.
    pub(super) fn undeclared(&self, pool: &Pool, head: CardId) -> Option<&str> {
        let mut silent = self.chosen.iter().filter(|(_, value)| value.is_none());
        // Nearly always there is none, and no query need be read.
        let first = silent.next()?;
        let query = Query::parse(&self.shown(pool, head)).ok()?;
        let asked = query.choices();
        let mut silent = std::iter::once(first).chain(silent);
        let (name, _) = silent.find(|(name, _)| asked.iter().any(|(asked, _)| asked == name))?;
        Some(name)
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

    /// The same to a player: with what the deck declares in place of the choices' names.
    pub(super) fn told(&self, pool: &Pool, head: CardId) -> String {
        let mut text = self.shown(pool, head);
        let mut chosen: Vec<_> = self.chosen.iter().collect();
        // A name may begin with another one.
        chosen.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, value) in chosen {
            if let Some(value) = value {
                text = text.replace(&format!("${name}"), value);
            }
        }
        text
    }

    /// What an identity card permits; `None` where the card file does not say.
    pub(super) fn of(&self, pool: &Pool, head: CardId) -> Option<&CardSet> {
        let read = || {
            let text = self.shown(pool, head);
            if text.is_empty() && self.empty == Passes::Nothing {
                return Some(CardSet::default());
            }
            // A query that cannot be read never passes the card file's reader.
            let chosen = |name: &str| self.chosen.get(name).cloned().flatten();
            let set = Query::parse(&text)
                .map(|query| match self.chosen.is_empty() {
                    true => query,
                    false => query.choosing(&chosen),
                })
                .and_then(|query| query.select_permitted(pool));
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

    /// The same in linear form, for every card; those that the same identity cards permit share
    /// their clauses.
    pub(super) fn clauses(
        &self,
        heads: &Heads,
        linear: &mut Linear<'_>,
    ) -> Vec<(Clauses, Vec<CardId>)> {
        let pool = linear.pool();
        let possible = heads.possible(linear);
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
        let mut found: Vec<(Clauses, Vec<CardId>)> = Vec::new();
        for card in pool.ids() {
            let mut by_whom = vec![0_u64; kinds.len().div_ceil(64)];
            for (at, (set, _)) in kinds.iter().enumerate() {
                if set.is_none_or(|set| set.has(card)) {
                    by_whom[at / 64] |= 1 << (at % 64);
                }
            }
            if let Some(known) = classes.get(&by_whom) {
                found[*known].1.push(card);
                continue;
            }
            let held = |permits: bool| -> Vec<(Unknown, i64)> {
                let kinds = kinds.iter().enumerate();
                let chosen =
                    kinds.filter(|(at, _)| (by_whom[at / 64] >> (at % 64) & 1 == 1) == permits);
                let heads_of = chosen.flat_map(|(_, (_, heads))| heads);
                heads_of
                    .flat_map(|head| linear.sum(*head, heads.sections, 1))
                    .collect()
            };
            let (permitting, refusing) = (held(true), held(false));
            let clauses = match self.mode {
                _ if refusing.is_empty() => Vec::new(),
                Mode::Any => vec![permitting],
                // None of those that refuse is there.
                Mode::All => {
                    let some = linear.any(&refusing);
                    vec![vec![(linear.opposite(some), 1)]]
                }
            };
            classes.insert(by_whom, found.len());
            found.push((clauses, vec![card]));
        }
        found
    }
}

/// The flag that is 1 just where clauses all hold; `None`: they always do.
pub(super) fn agreed(clauses: &Clauses, linear: &mut Linear<'_>) -> Option<Unknown> {
    let each: Vec<Unknown> = clauses.iter().map(|held| linear.any(held)).collect();
    (!each.is_empty()).then(|| linear.each(&each))
}
