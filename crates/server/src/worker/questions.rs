//! Everything that a server asks of the library, and how each question is answered.

use super::Question;
use super::answers;
use super::pool::Bench;
use crate::table::create::{Laid, Wanted, lay};
use crate::table::seated;
use crate::table::terms::MatchTerms;
use crate::trouble::Trouble;
use decklaw_ask::{
    self as ask, CardRenderer, GameEntry, JudgeOptions, Library, ListChoice, ListEntry, ReadAnswer,
    Setting,
};
use decklaw_core::deck::Input;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;

/// The most work of a stranger's question, in seconds.
pub(crate) const SECONDS: f64 = 0.16;

/// A question about decks, games or cards.
impl Question for ask::Question {
    type Answer = ask::Answer;
    fn is_slow(&self) -> bool {
        ask::Question::is_slow(self)
    }
    fn answer(self, bench: &Bench) -> Result<ask::Answer, Trouble> {
        Ok(ask::ask(&bench.library, self.bounded(SECONDS)?)?)
    }
}

/// Every game with its formats.
#[derive(Debug)]
pub(crate) struct Games;

impl Question for Games {
    type Answer = Vec<GameEntry>;
    fn answer(self, bench: &Bench) -> Result<Vec<GameEntry>, Trouble> {
        Ok(ask::games(&bench.library.judge()?.judge))
    }
}

/// What a format is called.
#[derive(Debug)]
pub(crate) struct Title {
    pub(crate) format: String,
}

/// A format's id and its name.
#[derive(Debug)]
pub(crate) struct Titled {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Question for Title {
    type Answer = Titled;
    fn answer(self, bench: &Bench) -> Result<Titled, Trouble> {
        let format = bench.library.judge()?.format(&self.format)?;
        Ok(Titled {
            id: format.id().to_owned(),
            name: format.entry().name.clone(),
        })
    }
}

/// The picture of a card that its maker gives.
#[derive(Debug)]
pub(crate) struct PictureOf {
    pub(crate) format: String,
    pub(crate) name: String,
}

impl Question for PictureOf {
    type Answer = Option<Vec<u8>>;
    fn answer(self, bench: &Bench) -> Result<Option<Vec<u8>>, Trouble> {
        let judge = bench.library.judge()?;
        let rulebook = judge.rules(&self.format)?;
        Ok(CardRenderer::of(&judge.judge, rulebook)?.picture(&self.name)?)
    }
}

/// The deck in a file.
#[derive(Debug)]
pub(crate) struct ReadFile {
    /// Empty: as the deck says.
    pub(crate) format: Option<String>,
    pub(crate) bytes: Vec<u8>,
    /// What it is written in; empty: whatever fits.
    pub(crate) input: String,
    /// The name of its file.
    pub(crate) file: String,
}

impl Question for ReadFile {
    type Answer = ReadAnswer;
    fn answer(self, bench: &Bench) -> Result<ReadAnswer, Trouble> {
        let told = match self.input.as_str() {
            "" => Input::of_ending(Path::new(&self.file)),
            word => Some(ask::input(word)?),
        };
        let judge = bench.library.judge()?;
        Ok(ask::import(
            &judge,
            self.format.as_deref(),
            &self.bytes,
            told,
        )?)
    }
}

/// A deck's file with the cards of another deck.
#[derive(Debug)]
pub(crate) struct Rewrite {
    pub(crate) format: String,
    /// What the file is written in, by the word that the page has for it.
    pub(crate) input: String,
    /// The file as it is; `None`: there is none yet.
    pub(crate) there: Option<Vec<u8>>,
    pub(crate) deck: Box<RawValue>,
}

impl Question for Rewrite {
    type Answer = Vec<u8>;
    fn answer(self, bench: &Bench) -> Result<Vec<u8>, Trouble> {
        let input = ask::input(&self.input)?;
        let there = self.there.as_deref();
        let judge = bench.library.judge()?;
        answers::with_cards(&judge.judge, (&self.format, input), there, &self.deck)
    }
}

/// Every game, and what an event of a format may be opened with.
#[derive(Debug)]
pub(crate) struct Opening {
    /// Empty: none is chosen yet.
    pub(crate) format: String,
}

/// What an event of a format may be opened with.
#[derive(Debug)]
pub(crate) struct Openings {
    pub(crate) settings: Vec<Setting>,
    pub(crate) lists: Vec<ListEntry>,
    /// The id of the list in force.
    pub(crate) force: Option<String>,
    pub(crate) day: String,
}

impl Question for Opening {
    type Answer = (Vec<GameEntry>, Option<Openings>);
    fn answer(self, bench: &Bench) -> Result<Self::Answer, Trouble> {
        let judge = bench.library.judge()?;
        let games = ask::games(&judge.judge);
        if self.format.is_empty() {
            return Ok((games, None));
        }
        let force = judge.list_in_force(&self.format)?;
        let about = Openings {
            settings: judge.settings_of(&self.format)?,
            lists: judge.lists_of(&self.format)?,
            force: force.map(|(id, _)| id),
            day: judge.day().to_string(),
        };
        Ok((games, Some(about)))
    }
}

/// The lock of a new event.
#[derive(Debug)]
pub(crate) struct Lock {
    pub(crate) format: String,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) day: String,
    /// The chosen banlist: empty for the one in force, `none`, or an id.
    pub(crate) list: String,
}

impl Question for Lock {
    /// The lock's text, and the format's id.
    type Answer = (String, String);
    fn is_slow(&self) -> bool {
        true
    }
    fn answer(self, bench: &Bench) -> Result<(String, String), Trouble> {
        let day = self.day.parse();
        let day = day.map_err(|_| Trouble::wrong("The day is no day such as 2026-03-01."))?;
        let open = JudgeOptions {
            settings: self.settings,
            day: Some(day),
            list: ListChoice::InForce,
        };
        let terms = locked(&bench.library, &self.format, open, &self.list)?;
        let judge = bench.library.judge_for(&terms)?;
        let chosen = judge.format(&self.format)?;
        let (format, game) = (chosen.id().to_owned(), chosen.game().id().to_owned());
        // Settings that do not fit are said now, and not to the first player.
        judge.rules(&format)?;
        let lock = judge.lock_of(&[game], |_| None);
        let (lock, _) = lock.map_err(|error| Trouble::new(500, error.to_string(), ""))?;
        let lock = lock.text().map_err(|_| Trouble::defect())?;
        Ok((lock, format))
    }
}

/// Terms with the list that somebody chose, kept to the byte.
fn locked(
    library: &Library,
    format: &str,
    terms: JudgeOptions,
    chosen: &str,
) -> Result<JudgeOptions, Trouble> {
    let judge = library.judge_for(&JudgeOptions {
        list: ListChoice::InForce,
        ..terms.clone()
    })?;
    let named = |(id, sha256): (String, String)| ListChoice::Named {
        id,
        sha256: Some(sha256),
    };
    let list = match chosen {
        "none" => ListChoice::Nothing,
        "" => (judge.list_in_force(format)?).map_or(ListChoice::Nothing, named),
        id => {
            let mut lists = judge.lists_of(format)?.into_iter();
            let found = lists.find(|list| list.id == id).ok_or_else(|| {
                Trouble::wrong(format!("There is no banlist `{id}` of this game."))
            })?;
            named((found.id, found.sha256))
        }
    };
    Ok(JudgeOptions { list, ..terms })
}

/// A new match, with the decks that seats bring.
#[derive(Debug)]
pub(crate) struct Lay(pub(crate) Wanted);

impl Question for Lay {
    type Answer = Laid;
    fn answer(self, bench: &Bench) -> Result<Laid, Trouble> {
        let judge = bench.library.judge()?;
        let seated = self.0.terms.rules(seated(&judge, &self.0.terms.format)?);
        let decks = answers::decks(&judge, &seated, &self.0)?;
        lay(&seated, decks, self.0)
    }
}

/// Whether a match can be played with a deck, by itself.
#[derive(Debug)]
pub(crate) struct Bring {
    pub(crate) terms: MatchTerms,
    /// How many are to sit there, where nothing else says it.
    pub(crate) seats: usize,
    /// The deck, in any reader's words; `None`: none is brought.
    pub(crate) deck: Option<String>,
}

/// What comes of a deck that is brought to a table.
#[derive(Debug)]
pub(crate) enum Tried {
    /// It can be played, where so many sit.
    Fits {
        seats: usize,
        deck: Option<Box<RawValue>>,
    },
    /// It cannot, for what its findings say.
    Unfit(Box<ReadAnswer>),
    /// It is a deck of the format, and this match cannot be played with it all the same.
    Refused(Trouble),
}

impl Question for Bring {
    type Answer = Tried;
    fn answer(self, bench: &Bench) -> Result<Tried, Trouble> {
        let judge = bench.library.judge()?;
        let seated = seated(&judge, &self.terms.format)?;
        answers::tried(&judge, &seated, self)
    }
}
