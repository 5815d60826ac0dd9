//! Card pools: every card of a game with its fields, column by column.

mod card;
mod cell;
mod column;
mod field;
mod load;
mod look_up;
mod sheet;

pub use cell::Cell;
use column::Spellings;
pub use column::{Column, Word};
pub use field::{Field, FieldKind, Value};
pub use load::{CardFileProblems, IDS, NAMES, infer_fields, infer_fields_of, unusable};
pub(crate) use load::{MOST_COLUMNS, no_table};
use look_up::{Forms, PartForms, Titles};
pub use look_up::{Lookup, NameField, Near, Spelling, Title};
pub use sheet::CardFile;

use decklaw_text::name::{Names, fold, tidy};
use decklaw_text::table::{Place, Unit};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

/// A card of a [`Pool`], by its place in canonical order (by folded name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId(pub u32);

impl CardId {
    /// The index into columns and bit sets.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    name: Box<str>,
    folded: Box<str>,
    line: u32,
}

/// The cards of one game. Cards are numbered in canonical order: by folded name.
#[derive(Debug, Clone, Default)]
pub struct Pool {
    fields: Vec<Field>,
    /// Per field; `None` where the file has no such column.
    columns: Vec<Option<Column>>,
    /// Per field.
    written: Vec<Spellings>,
    cards: Vec<Identity>,
    /// Folded names as JSON strings in canonical form, one behind the other, and where each
    /// ends: every deck's digest is made of them.
    canonical: Vec<u8>,
    ends: Vec<usize>,
    /// Spellings that are found at once, as written and folded, by their hash.
    quick: FxHashMap<u64, CardId>,
    /// The game's other spellings, folded.
    aliases: FxHashMap<Box<str>, CardId>,
    /// The names and aliases that are spelt otherwise.
    forms: Forms,
    /// The forms in which parts of names are looked for, once one is; `None`: the name alone.
    parts: OnceLock<Vec<Option<Box<PartForms>>>>,
    /// The letters of the names, once one is asked for that is none of them.
    letters: OnceLock<Names>,
    /// By field, the titles of its cards, once one is asked for; the last are those of a field that
    /// no card has.
    titles: Vec<OnceLock<Titles>>,
    /// The words that cards have, by field.
    used: OnceLock<Vec<FxHashSet<Word>>>,
    /// What is to be known of how the file was read.
    notes: Vec<String>,
    /// What of the file was passed over because the game asks for it so.
    aside: Vec<String>,
    /// What the cards are in the file.
    unit: Unit,
    /// SHA-256 of the file, lower-case hex; empty for a pool made of names.
    sha256: String,
}

impl Pool {
    /// A pool of bare names without any field, as format `any` uses it.
    ///
    /// ```
    /// let pool = decklaw_cards::pool::Pool::of_names(["Rain Caller", "rain  caller", "Moss Sprite"]);
    /// assert_eq!(pool.len(), 2);
    /// ```
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Pool {
        let mut cards: Vec<Identity> = names
            .into_iter()
            .map(|name| Identity { name: tidy(name).into(), folded: fold(name).into(), line: 0 })
            .collect();
        cards.sort_by(|a, b| (&a.folded, &a.name).cmp(&(&b.folded, &b.name)));
        cards.dedup_by(|a, b| a.folded == b.folded);
        Pool::assemble(Vec::new(), Vec::new(), cards, String::new())
    }

    /// Notes how each card is usually spelled, which makes finding it quick. It pays where a pool
    /// is asked for more than the names it is made of.
    fn note_spellings(&mut self) {
        self.quick.reserve(2 * self.cards.len());
        for (id, card) in (0..).map(CardId).zip(&self.cards) {
            for spelling in [&card.folded, &card.name] {
                self.quick.entry(FxBuildHasher.hash_one(spelling)).or_insert(id);
            }
        }
    }

    /// A pool of these fields without any card.
    pub fn empty(fields: &[Field]) -> Pool {
        let columns = vec![None; fields.len()];
        Pool::assemble(fields.to_vec(), columns, Vec::new(), String::new())
    }

    /// `cards` must be sorted by folded name, without doubles; `columns` in the same order.
    fn assemble(
        fields: Vec<Field>,
        columns: Vec<Option<Column>>,
        cards: Vec<Identity>,
        sha256: String,
    ) -> Pool {
        let (mut canonical, mut ends) = (Vec::new(), Vec::with_capacity(cards.len()));
        for card in &cards {
            decklaw_text::digest::canonical_string(&mut canonical, &card.folded);
            ends.push(canonical.len());
        }
        Pool {
            written: vec![Spellings::default(); fields.len()],
            titles: vec![OnceLock::new(); fields.len() + 1],
            fields,
            columns,
            cards,
            canonical,
            ends,
            quick: FxHashMap::default(),
            aliases: FxHashMap::default(),
            forms: Forms::default(),
            parts: OnceLock::new(),
            letters: OnceLock::new(),
            used: OnceLock::new(),
            notes: Vec::new(),
            aside: Vec::new(),
            unit: Unit::default(),
            sha256,
        }
    }

    /// Lets cards be named by other spellings too. An alias of a card that the pool does not
    /// have, or one that is a card's own name, is passed over.
    pub fn add_aliases<'a>(&mut self, aliases: impl IntoIterator<Item = (&'a str, &'a str)>) {
        for (alias, name) in aliases {
            if let (Some(card), None) = (self.identified(name), self.identified(alias)) {
                self.aliases.insert(fold(alias).into(), card);
            }
        }
        self.forms = Forms::default();
    }

    /// How many cards there are.
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there is no card.
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Every card, in canonical order.
    pub fn ids(&self) -> impl Iterator<Item = CardId> + use<> {
        (0..self.cards.len() as u32).map(CardId)
    }

    /// What the maker of the card file should know of it, sentences: that it was read as UTF-16,
    /// say, and which names look alike.
    pub fn remarks(&self) -> Vec<String> {
        let notes = |alike: Vec<CardId>| {
            let name = |card: &CardId| format!("`{}` ({})", self.name(*card), self.at(*card));
            let names: Vec<String> = alike.iter().map(name).collect();
            let names = decklaw_text::text::listed(&names, "and");
            format!("{names} look alike, so that a deck must spell them exactly")
        };
        let alike = self.lookalikes().into_iter().map(notes);
        let notes = self.notes.iter().cloned();
        notes.chain(alike).chain(self.doubled()).chain(self.with_commas()).collect()
    }

    /// That the cells of a list have commas between what may be meant as several words: where no
    /// card has several, or the text before the comma is a word of the list elsewhere.
    fn with_commas(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (field, column) in self.fields().iter().zip(&self.columns) {
            let Some(Column::List(cells)) = column else {
                continue;
            };
            let words = || cells.iter().flat_map(|cell| cell.iter());
            if !words().any(|word| word.contains(',')) {
                continue;
            }
            let known: BTreeSet<&str> = words().map(|word| &**word).collect();
            let several = cells.iter().any(|cell| cell.len() > 1);
            let is_list = |word: &str| {
                let part = word.split_once(',').map(|(part, _)| part.trim());
                part.is_some_and(|part| !several || known.contains(part))
            };
            let find = |cell: &[Word]| cell.iter().position(|word| is_list(word));
            notes.extend(self.first_of(cells, find, |word| {
                let field = &field.name;
                format!("`{word}` as one word of its `{field}`: several are parted by `;`")
            }));
        }
        notes
    }

    /// That cards have a word of a list twice: it is as good as once.
    fn doubled(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (field, column) in self.fields().iter().zip(&self.columns) {
            let Some(Column::List(cells)) = column else {
                continue;
            };
            let twice = |cell: &[Word]| (1..cell.len()).find(|at| cell[..*at].contains(&cell[*at]));
            notes.extend(self.first_of(cells, twice, |word| {
                format!("`{word}` twice as its `{}`, which counts once", field.name)
            }));
        }
        notes
    }

    /// What the first card has in the cell of a list in which something is found, and how many
    /// others have such a cell.
    fn first_of(
        &self,
        cells: &[Arc<[Word]>],
        find: impl Fn(&[Word]) -> Option<usize>,
        has: impl Fn(&str) -> String,
    ) -> Option<String> {
        let mut cards = self.ids().filter_map(|card| {
            let cell = &cells[card.index()];
            Some((card, &cell[find(cell)?]))
        });
        let (card, word) = cards.next()?;
        let others = match cards.count() as i64 {
            0 => String::new(),
            more => format!(" ({} more)", decklaw_text::text::counted(more, "card")),
        };
        let (name, place) = (self.name(card), self.at(card));
        Some(format!("`{name}` ({place}){others} has {}", has(word)))
    }

    /// The name as the card file spells it.
    ///
    /// # Panics
    /// If the card is of another pool (so do the functions below).
    pub fn name(&self, card: CardId) -> &str {
        &self.cards[card.index()].name
    }

    /// The folded name.
    pub fn folded(&self, card: CardId) -> &str {
        &self.cards[card.index()].folded
    }

    /// The folded name as a JSON string in canonical form (RFC 8785).
    pub fn canonical(&self, card: CardId) -> &[u8] {
        let at = card.index();
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.canonical[start..self.ends[at]]
    }

    /// The line of the card file, or the number of the record, from 1; 0 for a pool made of names.
    pub fn line(&self, card: CardId) -> u32 {
        self.cards[card.index()].line
    }

    /// The line of a card in the card file.
    pub fn at(&self, card: CardId) -> Place {
        self.unit.at(u64::from(self.line(card)))
    }

    /// What of the card file was passed over because the game's file asks for it so, sentences.
    pub fn passed_over(&self) -> &[String] {
        &self.aside
    }

    /// SHA-256 of the card file in lower-case hex; empty for a pool made of names.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The fields that cards of this game have, `name` not among them.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The index of a field among those of the game.
    fn place(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|known| known.name == field)
    }

    /// The column of a field; `None` when the game has no such field or the file lacks it.
    pub fn column(&self, field: &str) -> Option<&Column> {
        self.columns[self.place(field)?].as_ref()
    }

    /// The number a card has in a field.
    pub fn number(&self, card: CardId, field: &str) -> Option<i64> {
        match self.column(field)? {
            Column::Number(cells) => cells[card.index()],
            Column::Text(_) | Column::List(_) => None,
        }
    }

    /// The words a card has in a field: none, one, or the items of a list.
    pub fn words(&self, card: CardId, field: &str) -> &[Word] {
        self.column(field).map_or(&[], |column| column.words(card))
    }

    /// Whether any card has a word in a field.
    pub fn has_word(&self, field: &str, word: &str) -> bool {
        let used = self.used.get_or_init(|| {
            let of = |column: &Column| -> FxHashSet<Word> {
                let words = self.ids().flat_map(|card| column.words(card));
                words.cloned().collect()
            };
            let columns = self.columns.iter();
            columns.map(|column| column.as_ref().map(of).unwrap_or_default()).collect()
        });
        self.place(field).is_some_and(|at| used[at].contains(word))
    }
}

/// A set of cards of one pool, a bit each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CardSet(Vec<u64>);

impl CardSet {
    /// The cards of a pool of `len` cards for which `test` holds.
    pub fn of(len: usize, test: impl Fn(CardId) -> bool) -> CardSet {
        CardSet::among(len, (0..len as u32).map(CardId).filter(|id| test(*id)))
    }

    /// These cards of a pool of `len` cards.
    pub fn among(len: usize, cards: impl Iterator<Item = CardId>) -> CardSet {
        let mut bits = vec![0_u64; len.div_ceil(64)];
        for card in cards {
            bits[card.index() / 64] |= 1 << (card.index() % 64);
        }
        CardSet(bits)
    }

    /// Whether a card is in the set; a card that the pool does not have is not.
    #[inline]
    pub fn has(&self, card: CardId) -> bool {
        let word = self.0.get(card.index() / 64).copied().unwrap_or(0);
        word >> (card.index() % 64) & 1 == 1
    }

    /// How many cards are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The cards of the set in canonical order.
    pub fn iter(&self) -> impl Iterator<Item = CardId> + '_ {
        (0..self.0.len() as u32 * 64).map(CardId).filter(|id| self.has(*id))
    }
}
