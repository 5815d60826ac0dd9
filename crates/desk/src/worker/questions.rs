//! Everything that a server asks its workers, and how each question is answered.

#![allow(clippy::disallowed_methods, reason = "this is where they are for")]

use super::answers::{self, Ask, Finishing, GameEntry, Import, Owned, Setting, Written};
use super::bench::Bench;
use super::{Lane, Question, own};
use crate::looks::Looks;
use crate::site::{ListTerm, Site, Terms};
use crate::table::create::{Laid, Wanted, lay};
use crate::table::seated;
use crate::table::terms::MatchTerms;
use crate::trouble::Trouble;
use decklaw_core::judge::WhichList;
use decklaw_core::report::compared::Changed;
use decklaw_core::solve::Difference;
use decklaw_event::{Checked, EntryId, Paper, PlayerId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Each kind of question, and all of them as one.
macro_rules! questions {
    ($($kind:ident,)*) => {
        /// Any question, as it goes through the pipe.
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub(crate) enum Any {
            $($kind($kind),)*
        }

        impl Any {
            /// Answers it, in JSON.
            ///
            /// # Errors
            /// Those of the question.
            pub(super) fn answer(self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
                match self {
                    $(Any::$kind(question) => {
                        raw(&question.answer(bench)?)
                    })*
                }
            }
        }

        $(impl From<$kind> for Any {
            fn from(question: $kind) -> Any {
                Any::$kind(question)
            }
        })*
    };
}

/// An answer in JSON: the server hands it on as it is.
fn raw(answer: &impl Serialize) -> Result<Box<RawValue>, Trouble> {
    to_raw_value(answer).map_err(|_| Trouble::defect())
}

questions! {
    Games, Title, Page, FaceOf, PictureOf, Live, Odds, Tune, Fix, Finish, Read, Compare, Write, Collection, Rewrite,
    Lay, Bring, Lists, Opening, Lock,
    Judge, Verdicts, Sheet, Papers, Export, Check, Differences, Compared,
}

/// Bytes, which are base64 in JSON.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&data_encoding::BASE64.encode_display(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = data_encoding::BASE64.decode(text.as_bytes());
        bytes.map(Bytes).map_err(serde::de::Error::custom)
    }
}

/// Every game with its formats.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Games;

impl Question for Games {
    type Answer = Vec<GameEntry>;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Vec<GameEntry>, Trouble> {
        Ok(answers::games(&*bench.site.own()?))
    }
}

/// What a format is called.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Title {
    pub(crate) format: String,
}

/// A format's id, its name, and its game's id.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Titled {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) game: String,
}

impl Question for Title {
    type Answer = Titled;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Titled, Trouble> {
        let format = answers::format(&*bench.site.own()?, &self.format)?;
        Ok(Titled {
            id: format.id().to_owned(),
            name: format.entry().name.clone(),
            game: format.game().id().to_owned(),
        })
    }
}

/// What a page must know of a format before there is a deck.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Page {
    pub(crate) format: String,
}

impl Question for Page {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        raw(&answers::game(&*bench.site.own()?, &self.format)?)
    }
}

/// What stands on a card.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FaceOf {
    pub(crate) format: String,
    pub(crate) name: String,
}

impl Question for FaceOf {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        let judge = bench.site.own()?;
        let book = crate::site::rulebook(&judge, &self.format)?;
        raw(&Looks::of(&judge, book)?.shown(&self.name))
    }
}

/// The picture of a card that its maker gives.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PictureOf(pub(crate) FaceOf);

impl Question for PictureOf {
    type Answer = Option<Bytes>;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Option<Bytes>, Trouble> {
        let judge = bench.site.own()?;
        let book = crate::site::rulebook(&judge, &self.0.format)?;
        let picture = Looks::of(&judge, book)?.picture(&self.0.name)?;
        Ok(picture.map(Bytes))
    }
}

/// Everything that is said of a deck at each change of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Live {
    pub(crate) ask: Ask,
    pub(crate) owned: Option<Owned>,
}

impl Question for Live {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Quick;
    fn answer(mut self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        let judge = bench.judge_of(&self.ask.format, &mut self.ask.deck)?;
        let told = answers::live(&judge, &bench.kept, &self.ask, self.owned.as_ref())?;
        RawValue::from_string(told).map_err(|_| Trouble::defect())
    }
}

/// The odds of a deck.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Odds(pub(crate) Ask);

impl Question for Odds {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Slow;
    fn answer(mut self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        let judge = bench.judge_of(&self.0.format, &mut self.0.deck)?;
        raw(&answers::odds(&judge, &self.0)?)
    }
}

/// The exchange of one card that makes a hand likeliest.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Tune(pub(crate) Ask);

impl Question for Tune {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Slow;
    fn answer(mut self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        let judge = bench.judge_of(&self.0.format, &mut self.0.deck)?;
        raw(&answers::tune(&judge, &self.0)?)
    }
}

/// The smallest repair of a deck.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Fix {
    pub(crate) format: String,
    pub(crate) deck: Box<RawValue>,
    pub(crate) owned: Option<Owned>,
}

impl Question for Fix {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Slow;
    fn answer(mut self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        let judge = bench.judge_of(&self.format, &mut self.deck)?;
        let owned = self.owned.as_ref();
        raw(&answers::fix(&judge, &self.format, &self.deck, owned)?)
    }
}

/// A deck that somebody began, finished.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Finish {
    pub(crate) ask: Finishing,
    pub(crate) owned: Option<Owned>,
}

impl Question for Finish {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Slow;
    fn answer(mut self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        let judge = bench.judge_of(&self.ask.format, &mut self.ask.deck)?;
        raw(&answers::finish(&judge, &self.ask, self.owned.as_ref())?)
    }
}

/// A deck in the words of any program.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Read {
    pub(crate) format: Option<String>,
    pub(crate) bytes: Bytes,
    /// What it is written in, by the word that the page has for it; empty: whatever fits.
    pub(crate) input: String,
    /// The name of its file.
    pub(crate) file: String,
}

impl Question for Read {
    type Answer = Import;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Import, Trouble> {
        let told = answers::input(&self.input, &self.file);
        let judge = bench.site.own()?;
        answers::import(&judge, self.format.as_deref(), &self.bytes.0, told)
    }
}

/// What two decks differ in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    pub(crate) format: String,
    pub(crate) one: Box<RawValue>,
    pub(crate) other: Box<RawValue>,
}

impl Question for Compare {
    type Answer = Box<RawValue>;
    const LANE: Lane = Lane::Quick;
    fn answer(mut self, bench: &mut Bench) -> Result<Box<RawValue>, Trouble> {
        // What is compared with is looked at by the settings of the deck on the screen.
        own::taken(&mut self.one)?;
        let judge = bench.judge_of(&self.format, &mut self.other)?;
        raw(&answers::compare(
            &judge,
            &self.format,
            &self.one,
            &self.other,
        )?)
    }
}

/// A deck as a file, or as a page to print.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Write {
    pub(crate) format: String,
    pub(crate) deck: Box<RawValue>,
    pub(crate) kind: String,
}

impl Question for Write {
    type Answer = Written;
    const LANE: Lane = Lane::Quick;
    fn answer(mut self, bench: &mut Bench) -> Result<Written, Trouble> {
        let settings = own::taken(&mut self.deck)?;
        let told = own::told(&settings);
        let judge = bench.judge_by(&self.format, settings)?;
        let mut written = answers::write(&judge, &self.format, &self.deck, &self.kind)?;
        if !told.is_empty() {
            let told = format!(
                "A file holds no settings: whoever judges this deck gives them again ({told})."
            );
            written.remarks.push(told);
        }
        Ok(written)
    }
}

/// What somebody owns, from a table.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Collection {
    pub(crate) format: String,
    pub(crate) table: String,
}

impl Question for Collection {
    /// The game, the cards, and the names that the game does not have.
    type Answer = (String, Owned, Vec<String>);
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Self::Answer, Trouble> {
        let judge = bench.site.own()?;
        let game = answers::format(&judge, &self.format)?
            .game()
            .id()
            .to_owned();
        let (owned, others) = answers::collection(&judge, &self.format, self.table.as_bytes())?;
        Ok((game, owned, others))
    }
}

/// A deck's file with the cards of another deck.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Rewrite {
    pub(crate) format: String,
    /// What the file is written in, by the word that the page has for it.
    pub(crate) input: String,
    /// The file as it is; `None`: there is none yet.
    pub(crate) there: Option<Bytes>,
    pub(crate) deck: Box<RawValue>,
}

impl Question for Rewrite {
    type Answer = Bytes;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Bytes, Trouble> {
        let input = answers::input(&self.input, "").unwrap_or_default();
        let there = self.there.as_ref().map(|there| there.0.as_slice());
        let judge = bench.site.own()?;
        answers::with_cards(&judge, (&self.format, input), there, &self.deck).map(Bytes)
    }
}

/// Every game, and what an event of a format may be opened with.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// Empty: none is chosen yet.
    pub(crate) format: String,
}

/// What an event of a format may be opened with.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Openings {
    pub(crate) settings: Vec<Setting>,
    /// Banlists: id, digest, name.
    pub(crate) lists: Vec<(String, String, String)>,
    /// The id of the list in force.
    pub(crate) force: Option<String>,
    pub(crate) day: String,
}

impl Question for Opening {
    type Answer = (Vec<GameEntry>, Option<Openings>);
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Self::Answer, Trouble> {
        let judge = bench.site.own()?;
        let games = answers::games(&judge);
        if self.format.is_empty() {
            return Ok((games, None));
        }
        let force = answers::list_in_force(&judge, &self.format)?;
        let about = Openings {
            settings: answers::settings(&judge, &self.format)?,
            lists: answers::lists(&judge, &self.format)?,
            force: force.map(|(id, _)| id),
            day: judge.day().to_string(),
        };
        Ok((games, Some(about)))
    }
}

/// The lock of a new event.
#[derive(Debug, Serialize, Deserialize)]
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
    const LANE: Lane = Lane::Organisers;
    fn answer(self, bench: &mut Bench) -> Result<(String, String), Trouble> {
        let day = self.day.parse();
        let day = day.map_err(|_| Trouble::wrong("The day is no day such as 2026-03-01."))?;
        let open = Terms {
            settings: self.settings,
            day: Some(day),
            list: ListTerm::InForce,
        };
        let terms = locked(&bench.site, &self.format, open, &self.list)?;
        let judge = bench.site.judge(&terms)?;
        let chosen = answers::format(&judge, &self.format)?;
        let (format, game) = (chosen.id().to_owned(), chosen.game().id().to_owned());
        // Settings that do not fit are said now, and not to the first player.
        let rulebook = judge.rulebook(&format);
        rulebook.map_err(|error| Trouble::from(&error))?;
        let lock = judge.lock_of(&[game], |_| None);
        let (lock, _) = lock.map_err(|error| Trouble::new(500, error.to_string(), ""))?;
        let lock = lock.text().map_err(|_| Trouble::defect())?;
        Ok((lock, format))
    }
}

/// Terms with the list that somebody chose, kept to the byte.
fn locked(site: &Site, format: &str, terms: Terms, chosen: &str) -> Result<Terms, Trouble> {
    let judge = site.judge(&Terms {
        list: ListTerm::InForce,
        ..terms.clone()
    })?;
    let named = |(id, sha256): (String, String)| ListTerm::Named { id, sha256 };
    let list = match chosen {
        "none" => ListTerm::Nothing,
        "" => answers::list_in_force(&judge, format)?.map_or(ListTerm::Nothing, named),
        id => {
            let lists = answers::lists(&judge, format)?;
            let found = lists.into_iter().find(|(known, ..)| known == id);
            let (id, sha256, _) = found.ok_or_else(|| {
                Trouble::wrong(format!("There is no banlist `{id}` of this game."))
            })?;
            named((id, sha256))
        }
    };
    Ok(Terms { list, ..terms })
}

/// The banlists of a format: id, digest, name.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Lists {
    pub(crate) format: String,
}

impl Question for Lists {
    type Answer = Vec<(String, String, String)>;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Self::Answer, Trouble> {
        if self.format.is_empty() {
            return Ok(Vec::new());
        }
        answers::lists(&*bench.site.own()?, &self.format)
    }
}

/// A new match, with the decks that seats bring.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Lay(pub(crate) Wanted);

impl Question for Lay {
    type Answer = Laid;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Laid, Trouble> {
        let judge = bench.site.own()?;
        let seated = self.0.terms.rules(seated(&judge, &self.0.terms.format)?);
        let decks = answers::decks(&judge, &seated, &self.0)?;
        lay(&seated, decks, self.0)
    }
}

/// Whether a match can be played with a deck, by itself.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Bring {
    pub(crate) terms: MatchTerms,
    /// How many are to sit there, where nothing else says it.
    pub(crate) seats: usize,
    /// The deck, in any reader's words; `None`: none is brought.
    pub(crate) deck: Option<String>,
}

/// What comes of a deck that is brought to a table.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Tried {
    /// It can be played, where so many sit.
    Fits {
        seats: usize,
        deck: Option<Box<RawValue>>,
    },
    /// It cannot, for what its findings say.
    Unfit(Import),
    /// It is a deck of the format, and this match cannot be played with it all the same.
    Refused(Trouble),
}

impl Question for Bring {
    type Answer = Tried;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Tried, Trouble> {
        let judge = bench.site.own()?;
        let seated = seated(&judge, &self.terms.format)?;
        answers::tried(&judge, &seated, self)
    }
}

/// What the lock of an event says of a deck that somebody typed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Judge {
    pub(crate) event: PathBuf,
    /// Whose it is, as its report says.
    pub(crate) player: Option<String>,
    pub(crate) deck: Bytes,
    /// The name of its file.
    pub(crate) file: String,
}

/// A verdict.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) verdict: String,
    pub(crate) hash: Option<String>,
    /// The report as a line of `ndjson`.
    pub(crate) report: String,
    /// Whether the deck counts.
    pub(crate) counts: bool,
}

/// More findings of a deck than these are counted on no page.
const MOST_FINDINGS: usize = 100;

/// A report as pages show it.
fn line(report: &mut decklaw_core::DeckReport) -> Result<String, Trouble> {
    report.findings.truncate(MOST_FINDINGS);
    let mut line = Vec::new();
    let written = decklaw_core::report::json::write_line(&mut line, report);
    written.map_err(|_| Trouble::defect())?;
    Ok(String::from_utf8_lossy(line.trim_ascii_end()).into_owned())
}

impl Judged {
    fn of(mut report: decklaw_core::DeckReport) -> Result<Judged, Trouble> {
        Ok(Judged {
            verdict: report.verdict.word().to_owned(),
            hash: report.hash.clone(),
            counts: report.counts(),
            report: line(&mut report)?,
        })
    }
}

impl Question for Judge {
    type Answer = Judged;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Judged, Trouble> {
        let event = bench.event(&self.event)?;
        let input = answers::input("", &self.file).unwrap_or_default();
        let format = event.about.format.as_deref();
        let told = format.filter(|format| !format.is_empty());
        let report = event.judge().judge_as("-", &self.deck.0, input, told);
        let mut report = report.map_err(|error| Trouble::from(&error))?;
        report.player = self.player;
        Judged::of(report)
    }
}

/// What the lock of an event says of decks that were handed in.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Verdicts {
    pub(crate) event: PathBuf,
    pub(crate) entries: Vec<EntryId>,
}

impl Question for Verdicts {
    /// In the order of the entries.
    type Answer = Vec<Judged>;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<Vec<Judged>, Trouble> {
        let event = bench.event(&self.event)?;
        let standing = event.standing()?;
        let judged = self.entries.iter().map(|id| {
            let entry = event.roster().entries.get(id);
            let entry = entry.ok_or_else(|| Trouble::none("such deck"))?;
            Judged::of(event.report(&standing, entry)?.0)
        });
        judged.collect()
    }
}

/// The sheet of a player.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Sheet {
    pub(crate) event: PathBuf,
    pub(crate) player: PlayerId,
}

impl Question for Sheet {
    /// A page in HTML.
    type Answer = String;
    const LANE: Lane = Lane::Quick;
    fn answer(self, bench: &mut Bench) -> Result<String, Trouble> {
        let event = bench.event(&self.event)?;
        let (standing, tables) = (event.standing()?, BTreeMap::new());
        let player = [event.roster().real(self.player)];
        Ok(event.papers(&standing, Paper::Sheet, &player, None, &tables)?)
    }
}

/// Papers about the decks of all players.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Papers {
    pub(crate) event: PathBuf,
    /// Slips for deck checks, or else sheets.
    pub(crate) slips: bool,
}

impl Question for Papers {
    /// A page in HTML.
    type Answer = String;
    const LANE: Lane = Lane::Organisers;
    fn answer(self, bench: &mut Bench) -> Result<String, Trouble> {
        let event = bench.event(&self.event)?;
        let (standing, tables) = (event.standing()?, BTreeMap::new());
        let paper = if self.slips {
            Paper::Slip
        } else {
            Paper::Sheet
        };
        let players = event.in_order(None);
        Ok(event.papers(&standing, paper, &players, None, &tables)?)
    }
}

/// A file with all of an event.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Export {
    pub(crate) event: PathBuf,
    pub(crate) file: String,
}

impl Question for Export {
    type Answer = Bytes;
    const LANE: Lane = Lane::Organisers;
    fn answer(self, bench: &mut Bench) -> Result<Bytes, Trouble> {
        answers::export(bench.event(&self.event)?, &self.file).map(Bytes)
    }
}

/// What a deck at a table is to the one of a player that counts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) event: PathBuf,
    pub(crate) player: PlayerId,
    pub(crate) deck: Bytes,
}

/// The answer in a word, what differs, and what is wrong in sentences.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Checking {
    pub(crate) word: String,
    pub(crate) differences: Vec<Difference>,
    pub(crate) wrong: Vec<String>,
}

impl Question for Check {
    type Answer = Checking;
    const LANE: Lane = Lane::Organisers;
    fn answer(self, bench: &mut Bench) -> Result<Checking, Trouble> {
        let checked = bench.event(&self.event)?.check(self.player, &self.deck.0)?;
        let (differences, wrong) = match &checked {
            Checked::Played(played) => (played.differences().to_vec(), played.wrong().to_vec()),
            Checked::Unreadable(why) => (Vec::new(), vec![why.clone()]),
        };
        Ok(Checking {
            word: checked.word().to_owned(),
            differences,
            wrong,
        })
    }
}

/// What each of some decks has otherwise than the next one.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Differences {
    pub(crate) event: PathBuf,
    pub(crate) decks: Vec<String>,
}

impl Question for Differences {
    type Answer = Vec<Vec<Difference>>;
    const LANE: Lane = Lane::Organisers;
    fn answer(self, bench: &mut Bench) -> Result<Self::Answer, Trouble> {
        let event = bench.event(&self.event)?;
        let format = event.about.format.as_deref().unwrap_or_default();
        let judge = event.judge();
        let pairs = self.decks.windows(2);
        let differ = pairs.map(|pair| answers::differences(judge, format, (&pair[1], &pair[0])));
        Ok(differ.collect())
    }
}

/// Whose verdict another banlist would change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Compared {
    pub(crate) event: PathBuf,
    /// The list's id, or `none`.
    pub(crate) list: String,
}

impl Question for Compared {
    /// In words.
    type Answer = String;
    const LANE: Lane = Lane::Organisers;
    fn answer(self, bench: &mut Bench) -> Result<String, Trouble> {
        let failed = |error: &dyn std::fmt::Display| Trouble::new(500, error.to_string(), "");
        let which = match self.list.as_str() {
            "none" => WhichList::Nothing,
            id => {
                let found = bench.site.own()?.lists().find(id);
                let found = found.map_err(|error| failed(&error))?;
                let list = found.into_iter().next().map(WhichList::Named);
                list.ok_or_else(|| Trouble::wrong(format!("There is no banlist `{id}`.")))?
            }
        };
        let event = bench.event(&self.event)?;
        let lock = event.judge().lock().cloned().ok_or_else(Trouble::defect)?;
        let new = decklaw_core::Judge::of_lock(lock).map_err(|error| failed(&error))?;
        let new = new.with_list(which).with_lock(None);
        let standing = event.standing()?;
        let mut compared = decklaw_core::report::compared::Compared::default();
        for (_, id) in standing.counting() {
            if let Some(entry) = event.roster().entries.get(&id) {
                let (before, _) = event.report(&standing, entry)?;
                let (after, _) = event.report_by(&new, &standing, entry)?;
                compared.add(true, Changed::of(before, after));
            }
        }
        Ok(compared.to_human())
    }
}
