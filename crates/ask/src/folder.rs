//! A game with all that its decks are judged by, in one document.

use crate::bytes::Bytes;
use crate::library::{JudgeOptions, Library, MakeJudge};
use crate::problem;
use decklaw_judge::judge::{Judge, WhichList};
use decklaw_play::look::{Look, PICTURES};
use decklaw_play::paper::{Motifs, Pictures};
use decklaw_rules::banlist::{Banlist, Lists};
use decklaw_rules::format::{ART, BESIDE, Catalogue, GAME};
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A game with all that its decks are judged by: what a page without a server holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folder {
    /// The game's id.
    pub game: String,
    /// The files of the game's folder, by name, with the drawings of its cards.
    #[serde(with = "texts")]
    pub files: BTreeMap<String, Bytes>,
    /// The name and the bytes of another card file than that of the folder.
    pub cards: Option<(String, Bytes)>,
    /// Its sample decks, by the names of their files.
    #[serde(default, with = "texts")]
    pub samples: BTreeMap<String, Bytes>,
    /// The game's banlists: the names of their files, and their texts.
    pub lists: Vec<(String, String)>,
    /// Which of the lists applies.
    pub list: Applies,
    /// Settings, name to value.
    pub settings: BTreeMap<String, String>,
    /// The effective day of verdicts, as `2026-03-01`; `None`: the day on which they are.
    pub day: Option<String>,
    /// The names of its maker's pictures of cards.
    pub pictures: Vec<String>,
}

/// The name of a file without its folder.
fn last(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

/// Files in JSON: a text as it is, which packs better, and other bytes as base64.
mod texts {
    use super::{BTreeMap, Bytes};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum File {
        Text(String),
        Packed { base64: Bytes },
    }

    pub(super) fn serialize<S: Serializer>(
        files: &BTreeMap<String, Bytes>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(files.iter().map(|(name, bytes)| {
            let file = match std::str::from_utf8(&bytes.0) {
                Ok(text) => File::Text(text.to_owned()),
                Err(_) => File::Packed { base64: bytes.clone() },
            };
            (name, file)
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<String, Bytes>, D::Error> {
        let files = BTreeMap::<String, File>::deserialize(from)?.into_iter();
        let read = files.map(|(name, file)| match file {
            File::Text(text) => (name, Bytes(text.into_bytes())),
            File::Packed { base64 } => (name, base64),
        });
        Ok(read.collect())
    }
}

/// Which of a game's lists applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Applies {
    /// The one in force on the day.
    InForce,
    /// The only one, if any, for every day.
    Always,
}

impl Folder {
    /// All that a judge knows of a game; the day is the judge's where it is `fixed`.
    ///
    /// # Errors
    /// A game, a list or a folder of pictures that cannot be read.
    pub fn of(judge: &Judge, game: &str, fixed: bool) -> Result<Folder, Problem> {
        let catalogue = judge.catalogue();
        let wrong = |error: &dyn std::fmt::Display| problem::game(&error);
        let known = catalogue.game(game).map_err(|error| wrong(&error))?;
        let cards = judge.card_file(game);
        // What else the maker has in the folder, and where it lies, is private.
        let own = catalogue.cards(game).filter(|_| cards.is_none());
        let own = own.map(|(path, _)| last(&path));
        let is_own = |name: &str| own.as_deref() == Some(name);
        let files = catalogue.files(game);
        let is_read = |name: &str| {
            name == GAME || BESIDE.contains(&name) || name.starts_with(ART) || is_own(name)
        };
        let files = files.filter(|(name, _)| is_read(name));
        let look = Look::of(catalogue, &known).map_err(|error| wrong(&error))?;
        let drawings = Motifs::files_for(look.face());
        let drawings = drawings.map(|(name, bytes)| (name, Bytes(bytes.to_vec())));
        let files = files.map(|(name, bytes)| (name.to_owned(), Bytes(bytes.to_vec())));
        // A drawing of the folder's own goes before one of the same name that is built in.
        let files = drawings.chain(files);
        let known = || judge.lists().of(game).map_err(|error| wrong(&error));
        let (list, lists) = match judge.which_list() {
            WhichList::Named(list) if list.game == game => {
                (Applies::Always, vec![Arc::clone(list)])
            }
            WhichList::Nothing => (Applies::Always, Vec::new()),
            WhichList::Named(_) | WhichList::InForce => (Applies::InForce, known()?),
        };
        let pictures = catalogue.folder(game).map(|folder| folder.join(PICTURES));
        let pictures = pictures.filter(|folder| folder.is_dir());
        let pictures = pictures.map(|folder| Pictures::of_folder(&folder));
        let pictures = pictures.transpose().map_err(|error| wrong(&error))?;
        Ok(Folder {
            game: game.to_owned(),
            files: files.collect(),
            samples: catalogue
                .samples(game)
                .map(|(name, bytes)| (name.to_owned(), Bytes(bytes.to_vec())))
                .collect(),
            cards: cards.map(|(name, bytes, _)| (last(name), Bytes(bytes.to_vec()))),
            lists: (lists.iter()).map(|list| (last(&list.file), list.text.clone())).collect(),
            list,
            settings: judge.settings().clone(),
            day: fixed.then(|| judge.day().to_string()),
            pictures: pictures
                .map_or_else(Vec::new, |pictures| pictures.files().map(str::to_owned).collect()),
        })
    }

    /// The library of its game, with a clock that knows the day.
    ///
    /// # Errors
    /// What is wrong with the folder.
    pub fn library(self, today: fn() -> Date) -> Result<Library, Problem> {
        let fixed: Option<Date> = match &self.day {
            None => None,
            Some(day) => Some(day.parse().map_err(|_| {
                let message = format!("`{day}` is not a day such as 2026-03-01");
                Problem::new(ProblemKind::Game, message)
            })?),
        };
        let game = self.game.clone();
        let pictures = Pictures::of(self.pictures.iter().cloned());
        let make = move |options: &JudgeOptions| self.judge(options, fixed);
        let make: Box<MakeJudge> = Box::new(make);
        let mut library = Library::new(make, today);
        let judge = library.judge()?;
        judge.judge.catalogue().game(&game)?;
        library.pictures = Some(pictures).filter(|pictures| !pictures.is_empty());
        Ok(library)
    }

    fn judge(&self, options: &JudgeOptions, fixed: Option<Date>) -> Result<Judge, Problem> {
        let bytes = |(name, Bytes(bytes)): (&String, &Bytes)| (name.clone(), bytes.clone());
        let files: BTreeMap<String, Vec<u8>> = self.files.iter().map(bytes).collect();
        let samples = self.samples.iter().map(bytes).collect();
        let catalogue = Catalogue::of_copies(BTreeMap::from([(self.game.clone(), files)]))
            .with_samples(&self.game, samples);
        let read = |(file, text): &(String, String)| Banlist::read(file, text.as_bytes());
        let lists: Vec<Banlist> = self.lists.iter().map(read).collect::<Result<_, _>>()?;
        let which = match (self.list, lists.first()) {
            (Applies::InForce, _) => WhichList::InForce,
            (Applies::Always, None) => WhichList::Nothing,
            (Applies::Always, Some(list)) => WhichList::Named(Arc::new(list.clone())),
        };
        let day = fixed.or(options.day).unwrap_or_default();
        // A setting of the deck on the screen takes precedence over those of the page.
        let mut settings = self.settings.clone();
        settings.extend(options.settings.clone());
        let judge = Judge::new(catalogue, Lists::of_copies(lists), day);
        let judge = judge.with_settings(settings.clone()).with_list(which);
        let options = JudgeOptions { settings, ..options.clone() };
        let judge = options.applied(judge)?;
        Ok(match &self.cards {
            None => judge,
            Some((name, Bytes(bytes))) => {
                judge.with_cards(Some(self.game.clone()), name.clone(), bytes.clone())
            }
        })
    }
}
