//! The columns of a card file, and how people read them.

use super::{CardId, Pool};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The content of a cell; cards that have the same word share it.
pub type Word = Arc<str>;

/// One field of all cards. A cell that is empty, or a column that the file lacks, has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Text and words, as written (trimmed); see [`Field::canonical`](super::Field::canonical) for
    /// words.
    Text(Vec<Option<Word>>),
    /// Whole numbers.
    Number(Vec<Option<i64>>),
    /// Lists of words, in the order written.
    List(Vec<Arc<[Word]>>),
}

impl Column {
    /// Whether the card has any value in this column.
    pub fn has_value(&self, card: CardId) -> bool {
        match self {
            Column::Text(cells) => cells[card.index()].is_some(),
            Column::Number(cells) => cells[card.index()].is_some(),
            Column::List(cells) => !cells[card.index()].is_empty(),
        }
    }

    /// The words a card has here: none, one, or the items of a list; none of numbers.
    pub fn words(&self, card: CardId) -> &[Word] {
        match self {
            Column::List(cells) => &cells[card.index()],
            Column::Text(cells) => cells[card.index()].as_slice(),
            Column::Number(_) => &[],
        }
    }
}

/// How the words of a column are written for people, of those that are compared as another text.
pub(super) type Spellings = FxHashMap<Word, Box<str>>;

impl Pool {
    /// How a word of a field is written for people: as the game has it among the field's values,
    /// and another one as the card file has it first.
    ///
    /// ```
    /// use decklaw_cards::pool::{Field, FieldKind, Pool};
    /// let kind = FieldKind::Word { values: Vec::new(), open: true };
    /// let clan = Field { name: "clan".into(), kind };
    /// let pool = Pool::read_csv(b"name,clan\nMoss Sprite,Of the Moss\n", &[clan])?;
    /// assert_eq!(pool.written("clan", "of the moss"), "Of the Moss");
    /// # Ok::<(), decklaw_text::Problem>(())
    /// ```
    pub fn written<'w>(&'w self, field: &str, word: &'w str) -> &'w str {
        let place = self.place(field);
        place.map_or(word, |at| self.written_at(at, word))
    }

    fn written_at<'w>(&'w self, at: usize, word: &'w str) -> &'w str {
        let cards = self.written[at].get(word).map(|written| &**written);
        // A list may give cards words that none has in the card file.
        let game = || self.fields[at].written(word);
        cards.or_else(game).unwrap_or(word)
    }

    /// The cell of a field as text, words as they are [written](Pool::written): lists joined by
    /// `; `, empty when there is no value.
    pub fn shown(&self, card: CardId, field: &str) -> String {
        let at = self.place(field);
        at.map_or_else(String::new, |at| self.shown_at(card, at).into_owned())
    }

    /// The same for a field that is known by its place.
    pub(super) fn shown_at(&self, card: CardId, at: usize) -> Cow<'_, str> {
        let Some(column) = &self.columns[at] else {
            return Cow::Borrowed("");
        };
        match column {
            Column::Number(cells) => match cells[card.index()] {
                Some(number) => Cow::Owned(number.to_string()),
                None => Cow::Borrowed(""),
            },
            Column::Text(_) | Column::List(_) => match column.words(card) {
                [] => Cow::Borrowed(""),
                [only] => Cow::Borrowed(self.written_at(at, only)),
                words => {
                    let words = words.iter().map(|word| self.written_at(at, word));
                    Cow::Owned(words.collect::<Vec<_>>().join("; "))
                }
            },
        }
    }
}
