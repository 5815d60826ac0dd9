//! Identity cards (leader, hero, commander) and which cards agree with them: by words that both
//! have, or because an identity card's own query permits them.

use super::fields::Fields;
use super::written::RawValue;
use super::{Cards, Compile, Contents, Linear, SectionSet};
use decklaw_cards::pool::{CardId, CardSet, Pool, Word};
use decklaw_cards::query::Query;
use decklaw_text::name::fold;
use decklaw_text::text::{listed, singular, spaced, with_article};
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};
use std::sync::OnceLock;

/// Where the identity cards are: one section, which must then hold just one card; a list of
/// sections, whose cards speak together; or those cards of some sections that a query picks.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum IdentitySource {
    /// The one card of a section; several make it unclear which is meant.
    One(String),
    /// All the cards of some sections together.
    All(Vec<Spanned<String>>),
    /// The cards of some sections that a query picks, together.
    Some(Picked),
}

/// Identity cards among other cards.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// The sections in which they are.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards there speak for the deck.
    pub cards: Spanned<String>,
}

impl<'de> Deserialize<'de> for IdentitySource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IdentitySource, D::Error> {
        match RawValue::deserialize(deserializer)? {
            RawValue::Text(name) => Ok(IdentitySource::One(name)),
            RawValue::List(names) => Ok(IdentitySource::All(names)),
            RawValue::Map(picked) => Ok(IdentitySource::Some(picked)),
            RawValue::Number(_) => Err(de::Error::custom(
                "expected a section, a list of sections, or `{sections: […], cards: QUERY}`",
            )),
        }
    }
}

/// How many of a card's words, or of the identity cards, must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// One is enough.
    #[default]
    Any,
    /// Every one must; a card without words always agrees here, and with `any` never.
    All,
}

/// Which cards pass by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    /// All of them.
    #[default]
    Everything,
    /// None of them.
    Nothing,
}

/// Cards that agree with the identity cards: by a word of theirs (`field`), or because the
/// identity cards' own query permits them (`permits`). They are free unless
/// `then` says otherwise. Where there is no identity card, none agrees.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// Where the identity cards are; all of them speak together.
    pub by: Spanned<IdentitySource>,
    /// The cards' field: a word, a list, text, or `name`.
    #[serde(default)]
    pub field: Option<Spanned<String>>,
    /// The identity cards' field: a word, a list, text, or `name`; the same as `field` without
    /// it. Of several fields any may have the word.
    #[serde(default)]
    pub among: Option<Fields>,
    /// Instead of words: the identity cards' field that holds a card query, or several fields;
    /// any of them permits.
    #[serde(default)]
    pub permits: Option<Fields>,
    /// What an identity card permits whose field is empty.
    #[serde(default)]
    pub empty: Option<Passes>,
    /// Whether any of a card's words, or of the identity cards, must agree, or all.
    #[serde(default)]
    pub mode: Mode,
    /// What becomes of the price of a card that agrees: nothing is left of it without this.
    #[serde(default)]
    pub then: Option<Price>,
    /// What becomes of the price of any other card: it stays without this.
    #[serde(default, rename = "else")]
    pub otherwise: Option<Price>,
}

/// What becomes of a number: it is multiplied, then something is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// How often it counts; 1 without it.
    #[serde(default = "one")]
    pub times: i64,
    /// What is added.
    #[serde(default)]
    pub plus: i64,
}

fn one() -> i64 {
    1
}

impl Price {
    /// What changes nothing.
    pub(super) const SAME: Price = Price { times: 1, plus: 0 };

    /// What becomes of what counts, a verb with what belongs to it.
    pub(super) fn words(self) -> String {
        let plus = match self.plus {
            plus @ ..0 => format!("{} less", plus.saturating_neg()),
            plus => format!("{plus} more"),
        };
        match (self.times, self.plus) {
            (0, 0) => "are free".to_owned(),
            (1, 0) => "count as they are".to_owned(),
            (0, plus) => format!("count {plus}"),
            (1, _) => format!("count {plus}"),
            (times, 0) => format!("count {times} times"),
            (times, _) => format!("count {times} times and {plus}"),
        }
    }

    pub(super) fn of(self, price: i64) -> i64 {
        price.saturating_mul(self.times).saturating_add(self.plus)
    }
}

impl Agreement {
    /// What becomes of the price of a card that agrees.
    pub(super) fn then(&self) -> Price {
        self.then.unwrap_or(Price { times: 0, plus: 0 })
    }

    /// What becomes of the price of any other card.
    pub(super) fn otherwise(&self) -> Price {
        self.otherwise.unwrap_or(Price::SAME)
    }

    /// What is different for the cards that agree, and for others.
    pub(super) fn words(&self, identity: &Identity) -> String {
        let others = match self.otherwise() {
            Price::SAME => String::new(),
            changed => format!(", others {}", changed.words()),
        };
        format!("{} {}{others}", identity.words(), self.then().words())
    }

    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Identity {
        let heads = IdentityCards::compile(&self.by, Passes::Everything, with);
        let relation = match (&self.field, &self.permits) {
            (Some(field), None) => Relation::words(field, self.among.as_ref(), with),
            (None, Some(fields)) => Relation::permits(fields, self.empty, with),
            _ => {
                let message =
                    "`matched` needs a `field` of words, or the field that `permits`, and not both";
                with.refuse(message.to_owned(), self.by.span);
                Relation::Words(Words::default())
            }
        };
        Identity { heads, relation, mode: self.mode }
    }
}

/// The identity cards of decks, and which cards agree with them.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(super) heads: IdentityCards,
    pub(super) relation: Relation,
    pub(super) mode: Mode,
}

/// Where the identity cards are.
#[derive(Debug)]
pub(super) struct IdentityCards {
    pub(super) sections: SectionSet,
    /// Which cards there they are; where not all, in words behind "cards", too.
    cards: Cards,
    which: Option<String>,
    /// Whether there must be just one card.
    pub(super) alone: bool,
    /// Which cards pass where there is none.
    pub(super) nobody: Passes,
    /// What messages call the sections, and any one of them.
    pub(super) name: String,
    pub(super) one_of: String,
}

/// How cards agree with an identity card.
#[derive(Debug)]
pub(super) enum Relation {
    /// By words that both have.
    Words(Words),
    /// By a query of the identity card.
    Permits(Permits),
}

/// Words of cards, and of identity cards.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) field: String,
    /// The identity cards' fields; any may have the word.
    pub(super) among: Vec<String>,
    /// What they are compared by where one is a name or free text, folded: the cards' own, and
    /// what identity cards say.
    folded: Option<[Vec<Vec<Word>>; 2]>,
}

/// What identity cards permit, each by a query in a field of its own, read when the card is first
/// met.
#[derive(Debug)]
pub(super) struct Permits {
    pub(super) fields: Vec<String>,
    /// What cards permit that say nothing.
    pub(super) empty: Option<Passes>,
    /// By card of the pool.
    sets: Vec<OnceLock<Option<CardSet>>>,
}

/// Who speaks for a deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdentityState {
    /// The known cards of the sections; there may be none, and then nothing passes.
    Known,
    /// A card that the pool does not know is among them.
    Unknown(CardId),
    /// No card.
    Nobody,
    /// Several, and which one is meant is unclear.
    Several,
}

impl IdentityCards {
    pub(super) fn compile(
        by: &Spanned<IdentitySource>,
        nobody: Passes,
        with: &mut Compile<'_>,
    ) -> IdentityCards {
        let (mut cards, mut which) = (Cards::All, None);
        let (sections, alone) = match &by.value {
            IdentitySource::One(name) => {
                let name = Spanned { value: name.clone(), span: by.span };
                (SectionSet::only(with.section(&name)), true)
            }
            IdentitySource::All(names) => (with.section_set(names), false),
            IdentitySource::Some(picked) => {
                cards = with.cards(Some(&picked.cards));
                which = Some(with.which(Some(&picked.cards)));
                (with.section_set(&picked.sections), false)
            }
        };
        if sections == SectionSet::default() {
            with.refuse("`by` names no section".to_owned(), by.span);
        }
        IdentityCards {
            sections,
            cards,
            which,
            alone,
            nobody,
            name: with.section_names(sections),
            one_of: with.one_of(sections),
        }
    }

    /// Whether a known card is an identity card in their sections.
    #[inline]
    pub(super) fn has(&self, card: CardId) -> bool {
        self.cards.has(card)
    }

    /// Who they are: `the card in the hero section`, or where one of several is meant, with this
    /// word before it.
    pub(super) fn who(&self, one: &str) -> String {
        match &self.which {
            Some(which) => format!("{one} card{which} in the {}", self.name),
            None if one == "every" => format!("every card in the {}", self.name),
            None => format!("the card in the {}", self.name),
        }
    }

    /// The sections that have only them.
    pub(super) fn own_sections(&self) -> SectionSet {
        if self.cards.is_all() { self.sections } else { SectionSet::default() }
    }

    /// The known identity cards of a deck.
    pub(super) fn each<'c>(
        &'c self,
        contents: &'c Contents<'_>,
    ) -> impl Iterator<Item = CardId> + use<'c> {
        let sections = self.sections;
        let here = contents.known_in(sections).iter();
        here.filter(move |held| sections.has(usize::from(held.section)) && self.has(held.card))
            .map(|holding| holding.card)
    }

    /// By index, the cards that may be identity cards: sections refuse others.
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

impl Relation {
    pub(super) fn words(
        field: &Spanned<String>,
        among: Option<&Fields>,
        with: &mut Compile<'_>,
    ) -> Relation {
        Relation::Words(Words::compile(field, among, with))
    }

    pub(super) fn permits(
        fields: &Fields,
        empty: Option<Passes>,
        with: &mut Compile<'_>,
    ) -> Relation {
        let fields = fields.each();
        fields.iter().for_each(|field| with.need_query(field));
        let mut sets = Vec::new();
        sets.resize_with(with.pool.len(), OnceLock::new);
        Relation::Permits(Permits {
            fields: fields.iter().map(|field| field.value.clone()).collect(),
            empty,
            sets,
        })
    }
}

impl Words {
    pub(super) fn compile(
        field: &Spanned<String>,
        among: Option<&Fields>,
        with: &mut Compile<'_>,
    ) -> Words {
        let among = among.map_or(std::slice::from_ref(field), Fields::each);
        let all = std::iter::once(field).chain(among);
        let is_text: Vec<bool> = all.map(|field| with.need_words_or_text(field)).collect();
        if among.is_empty() {
            with.refuse("`among` names no field".to_owned(), field.span);
        }
        let pool = with.pool;
        let folded = |field: &str, card: CardId| -> Vec<Word> {
            let words = written(pool, card, field).into_iter();
            words.map(|word| Word::from(&*fold(word))).collect()
        };
        let is_folded = is_text.contains(&true) || among.len() != 1;
        let says = |card: CardId| {
            let fields = among.iter();
            fields.flat_map(|field| folded(&field.value, card)).collect()
        };
        let both = is_folded.then(|| {
            [
                pool.ids().map(|card| folded(&field.value, card)).collect(),
                pool.ids().map(says).collect(),
            ]
        });
        Words {
            field: field.value.clone(),
            among: among.iter().map(|field| field.value.clone()).collect(),
            folded: both,
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
        match (&self.folded, self.among.first()) {
            (None, Some(field)) => pool.words(head, field),
            (None, None) => &[],
            (Some([_, among]), _) => among.get(head.index()).map_or(&[], Vec::as_slice),
        }
    }

    /// What the identity cards' fields are called.
    pub(super) fn fields(&self) -> String {
        let fields: Vec<String> = self.among.iter().map(|field| spaced(field)).collect();
        listed(&fields, "or")
    }

    /// What an identity card says, as it is written.
    pub(super) fn of_head<'p>(&self, pool: &'p Pool, head: CardId) -> Vec<&'p str> {
        let fields = self.among.iter();
        fields.flat_map(|field| written(pool, head, field)).collect()
    }
}

/// What a card has in a field, as it is written.
pub(super) fn written<'p>(pool: &'p Pool, card: CardId, field: &str) -> Vec<&'p str> {
    match field {
        "name" => vec![pool.name(card)],
        field => {
            let words = pool.words(card, field).iter();
            words.map(|word| pool.written(field, word)).collect()
        }
    }
}

impl Permits {
    /// The queries of an identity card's fields; any of them permits.
    pub(super) fn text(&self, pool: &Pool, head: CardId) -> String {
        let texts = self.fields.iter().map(|field| pool.shown(head, field));
        let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        match texts.len() {
            0 | 1 => texts.pop().unwrap_or_default(),
            _ => {
                let texts = texts.iter().map(|text| format!("({text})"));
                texts.collect::<Vec<_>>().join(" or ")
            }
        }
    }

    /// Which cards it permits, in words for a player.
    pub(super) fn of_head(&self, pool: &Pool, head: CardId) -> String {
        // A query that cannot be read never passes the card file's reader.
        let query = Query::parse(&self.text(pool, head)).ok();
        match query {
            Some(query) if !query.is_everything() => format!("cards {}", query.words(pool)),
            _ => "nothing".to_owned(),
        }
    }

    /// What an identity card permits; `None` where the card file does not say.
    pub(super) fn of(&self, pool: &Pool, head: CardId) -> Option<&CardSet> {
        let read = || {
            let text = self.text(pool, head);
            if text.is_empty() && self.empty == Some(Passes::Nothing) {
                return Some(CardSet::default());
            }
            let set = Query::parse(&text).and_then(|query| query.select_permitted(pool));
            set.ok().filter(|_| !text.is_empty())
        };
        self.sets.get(head.index())?.get_or_init(read).as_ref()
    }

    /// Whether an identity card permits a card. One without a permission in the card file
    /// permits it.
    pub(super) fn permits(&self, pool: &Pool, head: CardId, card: CardId) -> bool {
        self.of(pool, head).is_none_or(|set| set.has(card))
    }

    /// Whether the card file lacks what an identity card permits.
    pub(super) fn is_silent(&self, pool: &Pool, head: CardId) -> bool {
        self.of(pool, head).is_none()
    }
}

impl Identity {
    /// The sections of the identity cards.
    pub(super) fn sections(&self) -> SectionSet {
        self.heads.sections
    }

    /// The sections of identity cards only.
    pub(super) fn own_sections(&self) -> SectionSet {
        self.heads.own_sections()
    }

    /// Who speaks for a deck.
    #[inline]
    pub(super) fn state(&self, contents: &Contents<'_>) -> IdentityState {
        let heads = &self.heads;
        let inside = |section: u16| heads.sections.has(usize::from(section));
        let here = contents.known_in(heads.sections).iter();
        let (mut held, mut copies) = (0, 0_i64);
        for holding in here.filter(|held| inside(held.section) && heads.has(held.card)) {
            (held, copies) = (held + 1, copies.saturating_add(holding.copies));
        }
        let mut unknown = contents.unknown().iter();
        let unknown = unknown.find(|holding| inside(holding.section));
        let unknown_copies = contents.count_unknown(heads.sections);
        match (held, unknown) {
            (0, None) if heads.nobody == Passes::Nothing => IdentityState::Known,
            (0, None) => IdentityState::Nobody,
            _ if heads.alone && copies.saturating_add(unknown_copies) > 1 => IdentityState::Several,
            (_, Some(unknown)) => IdentityState::Unknown(unknown.card),
            (_, None) => IdentityState::Known,
        }
    }

    /// Whether a card agrees with the identity cards of a deck; none does where there is none.
    #[inline]
    pub(super) fn agrees(&self, contents: &Contents<'_>, card: CardId) -> bool {
        let pool = contents.pool;
        match &self.relation {
            Relation::Words(words) => {
                let somebody = self.heads.each(contents).next().is_some();
                let asked = somebody || self.heads.nobody == Passes::Nothing;
                asked && self.has_words(words, contents, card)
            }
            Relation::Permits(permits) => {
                let mut heads = self.heads.each(contents).peekable();
                let permits = |head| permits.permits(pool, head, card);
                match self.mode {
                    Mode::Any => heads.any(permits),
                    Mode::All => heads.peek().is_some() && heads.all(permits),
                }
            }
        }
    }

    /// Whether any or all words of a card are among those of the known identity cards.
    #[inline]
    pub(super) fn has_words(&self, words: &Words, contents: &Contents<'_>, card: CardId) -> bool {
        let pool = contents.pool;
        let said = |word: &Word| {
            let mut heads = self.heads.each(contents);
            heads.any(|head| words.says(pool, head).contains(word))
        };
        let mut own = words.has(pool, card).iter();
        match self.mode {
            Mode::Any => own.any(said),
            Mode::All => own.all(said),
        }
    }

    /// Whether one of the deck's identity cards lets every card pass, since the card file does
    /// lack what it permits.
    pub(super) fn allows_all(&self, contents: &Contents<'_>) -> bool {
        match &self.relation {
            Relation::Permits(permits) if self.mode == Mode::Any => {
                let mut heads = self.heads.each(contents);
                heads.any(|head| permits.is_silent(contents.pool, head))
            }
            _ => false,
        }
    }

    /// Whether any card of a pool says something as an identity card.
    pub(super) fn has_effect(&self, pool: &Pool) -> bool {
        let Relation::Permits(permits) = &self.relation else {
            return true;
        };
        let columns = permits.fields.iter().map(|field| pool.column(field));
        let Some(columns) = columns.collect::<Option<Vec<_>>>() else {
            return true;
        };
        // One that says nothing permits everything, unless the rules say otherwise.
        let all = permits.empty == Some(Passes::Nothing);
        let mut heads = pool.ids().filter(|card| all || self.heads.has(*card));
        heads.any(|head| columns.iter().any(|column| column.has_value(head)))
    }

    /// Which cards agree, in words.
    pub(super) fn words(&self) -> String {
        match &self.relation {
            Relation::Words(words) => {
                let heads = self.heads.who("a");
                let field = spaced(&words.field);
                let among = words.fields();
                match (self.mode, field == among) {
                    (Mode::Any, true) => format!("cards with any {} of {heads}", singular(&field)),
                    (Mode::All, true) => {
                        format!("cards with no {} but those of {heads}", singular(&field))
                    }
                    (Mode::Any, false) => {
                        let field = with_article(&singular(&field));
                        format!("cards with {field} that is among the {among} of {heads}")
                    }
                    (Mode::All, false) => {
                        format!("cards whose {field} is all among the {among} of {heads}")
                    }
                }
            }
            Relation::Permits(_) => format!("cards permitted by {}", self.permission()),
        }
    }

    /// What permits cards: the fields of identity cards, and what an empty one permits.
    pub(super) fn permission(&self) -> String {
        let heads = self.heads.who(match self.mode {
            Mode::Any => "a",
            Mode::All => "every",
        });
        let Relation::Permits(permits) = &self.relation else {
            return heads;
        };
        let fields: Vec<String> = permits.fields.iter().map(|one| spaced(one)).collect();
        let empty = match permits.empty {
            None => "",
            Some(Passes::Everything) => " (an empty one permits everything)",
            Some(Passes::Nothing) => " (an empty one permits nothing)",
        };
        format!("the {} of {heads}{empty}", listed(&fields, "or"))
    }
}
