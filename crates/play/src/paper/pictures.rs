//! Pictures in the place of drawn faces, found by their files' names.

use decklaw_cards::pool::{CardId, NameField, Pool};
use decklaw_text::limits::picture::LARGEST_FILE;
use decklaw_text::name::{fold, lenient, nearest};
use decklaw_text::text::{counted, listed};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The bytes of a file that show its kind of picture.
const KIND_BYTES: usize = 16;

/// The endings of pictures.
const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "webp", "gif"];

/// What a picture is, by its first bytes: its media type; `None`: no picture that is read here.
pub fn picture_kind(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, ..] => "image/jpeg",
        [b'G', b'I', b'F', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => return None,
    })
}

/// The names of pictures in a folder.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    files: Vec<String>,
}

/// Two pictures of one card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{one}` and `{other}` are both pictures of `{card}`; leave one of them there")]
pub struct TwoPictures {
    /// One file.
    pub one: String,
    /// The other.
    pub other: String,
    /// The card.
    pub card: String,
}

impl Pictures {
    /// Those of a folder's files that are pictures, by their endings.
    ///
    /// ```
    /// use decklaw_cards::pool::Pool;
    /// use decklaw_play::paper::Pictures;
    /// let pool = Pool::of_names(["Who? Me!", "Mara's Blade"]);
    /// let files = ["who me.png", "Mara\u{2019}s Blade.JPG", "notes.txt"];
    /// let pictures = Pictures::of(files.map(str::to_owned));
    /// let of_cards = pictures.of_pool(&pool)?;
    /// assert_eq!(of_cards.len(), 2);
    /// # Ok::<(), decklaw_play::paper::TwoPictures>(())
    /// ```
    pub fn of(files: impl IntoIterator<Item = String>) -> Pictures {
        let is_picture = |file: &String| {
            let ending = file.rsplit_once('.').map(|(_, ending)| ending);
            let is = |ending: &str| ENDINGS.iter().any(|own| ending.eq_ignore_ascii_case(own));
            ending.is_some_and(is) && !file.starts_with('.')
        };
        let mut files: Vec<String> = files.into_iter().filter(is_picture).collect();
        files.sort_unstable();
        Pictures { files }
    }

    /// Those of a folder.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn of_folder(folder: &Path) -> std::io::Result<Pictures> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.path().is_file() {
                found.extend(entry.file_name().into_string());
            }
        }
        Ok(Pictures::of(found))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The picture of each card: the file that is called by its name, or by letters and digits
    /// alone where those are the name of one card only, since file names hold no `?`.
    ///
    /// # Errors
    /// Two pictures of one card.
    pub fn of_pool(&self, pool: &Pool) -> Result<BTreeMap<CardId, &str>, TwoPictures> {
        let mut found = BTreeMap::new();
        for (file, card) in self.cards(pool) {
            if let Some(card) = card
                && let Some(other) = found.insert(card, file)
            {
                return Err(TwoPictures {
                    one: other.to_owned(),
                    other: file.to_owned(),
                    card: pool.name(card).to_owned(),
                });
            }
        }
        Ok(found)
    }

    /// Each file with the card that it is a picture of; `None`: of none of the pool.
    pub fn cards(&self, pool: &Pool) -> impl Iterator<Item = (&str, Option<CardId>)> {
        let mut loosely: BTreeMap<String, Option<CardId>> = BTreeMap::new();
        for card in pool.ids() {
            let meant = loosely.entry(loose(pool.name(card))).or_insert(Some(card));
            *meant = meant.filter(|meant| *meant == card);
        }
        self.files().map(move |file| {
            let stem = stem(file);
            let by_letters = || loosely.get(&loose(stem)).copied().flatten();
            (file, pool.look_up(stem, NameField::Name).card().or_else(by_letters))
        })
    }

    /// The number of pictures in their folder and of cards that have one, and after that a notice
    /// for each file that no page or paper shows.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn remarks(&self, folder: &Path, cards: Option<&Pool>) -> std::io::Result<Vec<String>> {
        let mut notices = Vec::new();
        for file in self.files().map(|file| folder.join(file)) {
            let shown = file.display();
            let mut start = [0; KIND_BYTES];
            let length = std::fs::metadata(&file)?.len();
            let read = File::open(&file)?.read(&mut start)?;
            if length > LARGEST_FILE {
                let most = LARGEST_FILE >> 20;
                notices.push(format!(
                    "{shown}: notice: it is larger than {most} MiB, so no page shows it; make it smaller"
                ));
            } else if picture_kind(&start[..read]).is_none() {
                notices.push(format!(
                    "{shown}: notice: not a PNG, JPEG, WebP or GIF picture, whatever its name says"
                ));
            }
        }
        let mut count = format!("{}: {}", folder.display(), number(self.len(), "picture"));
        if let Some(cards) = cards {
            let mut of_cards: BTreeMap<CardId, &str> = BTreeMap::new();
            for (file, card) in self.cards(cards) {
                let Some(card) = card else {
                    let names = cards.ids().map(|card| cards.name(card));
                    let hint = match nearest(stem(file), names).as_slice() {
                        [] => String::new(),
                        near => format!("; did you mean {}?", listed(near, "or")),
                    };
                    let file = folder.join(file);
                    let file = file.display();
                    notices.push(format!("{file}: notice: no card has this name{hint}"));
                    continue;
                };
                if let Some(other) = of_cards.insert(card, file) {
                    let two = TwoPictures {
                        one: other.to_owned(),
                        other: file.to_owned(),
                        card: cards.name(card).to_owned(),
                    };
                    notices.push(format!(
                        "{}: notice: {two}: with both, no card shows its picture",
                        folder.display()
                    ));
                }
            }
            let of = number(cards.len(), "card");
            count += &format!(", for {} of {of}", of_cards.len());
        }
        notices.insert(0, count);
        Ok(notices)
    }

    /// The files by their names, in order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// The picture of a card that no pool has.
    pub fn of_name(&self, name: &str) -> Option<&str> {
        self.files().find(|file| fold(stem(file)) == fold(name))
    }
}

fn number(of: usize, noun: &str) -> String {
    counted(i64::try_from(of).unwrap_or(i64::MAX), noun)
}

fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// A name's letters and digits; empty ones are equal to none.
fn loose(name: &str) -> String {
    let letters = lenient(name);
    let letters: String = letters.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if letters.is_empty() { name.to_owned() } else { letters }
}
