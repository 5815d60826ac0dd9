//! The judge: from a deck file's bytes to its report.

use super::{DeckReport, Finding, Verdict, deck_hash};
use crate::banlist::lock::{Lock, LockBroken};
use crate::banlist::{Banlist, Date, Lists};
use crate::deck::{self, Deck, Input, SectionNames};
use crate::format::{Catalogue, CatalogueError, Game};
use crate::name::fold;
use crate::pool::{CardFileError, CardId, Pool};
use crate::rules::{Contents, Failing, Holding, Rulebook, RulebookError, Severity};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Which banlist a game's decks are judged by.
#[derive(Debug, Clone, Default)]
pub enum Listing {
    /// The one in force on the day.
    #[default]
    InForce,
    /// None.
    Nothing,
    /// This one, for its game; other games by the one in force.
    Named(Arc<Banlist>),
}

/// Inputs of a run that are wrong: no verdict is given by them.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// A format that does not exist or whose file is wrong.
    #[error(transparent)]
    Format(#[from] CatalogueError),
    /// Settings or a card file that do not fit.
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    /// A card file that cannot be used.
    #[error("{file}: {error}")]
    Cards {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: CardFileError,
    },
    /// A banlist that cannot be used.
    #[error(transparent)]
    ListFile(#[from] crate::yaml::FileError),
    /// Two lists are in force at once, or the like.
    #[error("{0}")]
    List(String),
    /// Decks would be judged by another list than the locked one.
    #[error(transparent)]
    Lock(#[from] LockBroken),
    /// A card file without a game is asked for two.
    #[error("decks of {0} and {1} are judged, so say which cards are whose: `--cards GAME=FILE`")]
    WhoseCards(String, String),
}

/// A card file that a user brings.
#[derive(Debug)]
struct Brought {
    game: Option<String>,
    name: String,
    bytes: Vec<u8>,
    /// The game for which it was used.
    used: Mutex<Option<String>>,
}

/// Judges decks of any format. Rules are made once a format and shared by threads.
#[derive(Debug)]
pub struct Judge {
    catalogue: Catalogue,
    lists: Lists,
    listing: Listing,
    lock: Option<Lock>,
    day: Date,
    format: Option<String>,
    settings: BTreeMap<String, String>,
    cards: Vec<Brought>,
    rulebooks: RwLock<BTreeMap<String, Arc<Rulebook>>>,
}

impl Judge {
    /// A judge for a day, with the games and the dated lists that are known.
    pub fn new(catalogue: Catalogue, lists: Lists, day: Date) -> Judge {
        Judge {
            catalogue,
            lists,
            listing: Listing::InForce,
            lock: None,
            day,
            format: None,
            settings: BTreeMap::new(),
            cards: Vec::new(),
            rulebooks: RwLock::default(),
        }
    }

    /// Judges every deck as of this format, whatever it says itself.
    #[must_use]
    pub fn with_format(mut self, format: Option<String>) -> Judge {
        self.format = format;
        self
    }

    /// Gives settings, name to value.
    #[must_use]
    pub fn with_settings(mut self, settings: BTreeMap<String, String>) -> Judge {
        self.settings = settings;
        self
    }

    /// Says which banlist applies.
    #[must_use]
    pub fn with_listing(mut self, listing: Listing) -> Judge {
        self.listing = listing;
        self
    }

    /// Holds the run to the lists of a lock.
    #[must_use]
    pub fn with_lock(mut self, lock: Option<Lock>) -> Judge {
        self.lock = lock;
        self
    }

    /// Brings a card file, for one game or for the only game that is judged.
    #[must_use]
    pub fn with_cards(mut self, game: Option<String>, name: String, bytes: Vec<u8>) -> Judge {
        self.cards.push(Brought {
            game,
            name,
            bytes,
            used: Mutex::new(None),
        });
        self
    }

    /// The games known.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The banlists known.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The lock that the run is held to.
    pub fn lock(&self) -> Option<&Lock> {
        self.lock.as_ref()
    }

    /// The day as of which decks are judged.
    pub fn day(&self) -> Date {
        self.day
    }

    /// What was given for the run and fits no deck met so far: card files, the named list,
    /// settings.
    pub fn unused(&self) -> Vec<String> {
        let lock = |brought: &Brought| {
            brought
                .used
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_some()
        };
        let cards = self.cards.iter().filter(|brought| !lock(brought));
        let mut unused: Vec<String> = cards
            .map(|brought| format!("the card file {}", brought.name))
            .collect();
        if let Listing::Named(list) = &self.listing
            && !self
                .met()
                .values()
                .any(|rulebook| rulebook.format().game().id() == list.game)
        {
            unused.push(format!("the banlist {} (of {})", list.id, list.game));
        }
        let met = self.met();
        let known = |name: &str| {
            met.values()
                .any(|rulebook| rulebook.format().game().has_setting(name))
        };
        let settings = self.settings.keys().filter(|name| !known(name));
        unused.extend(settings.map(|name| format!("the setting `{name}`")));
        unused
    }

    /// The rulebooks of the formats met so far, by id.
    pub fn met(&self) -> BTreeMap<String, Arc<Rulebook>> {
        self.rulebooks
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The pool of a game: the user's, or the built-in one, or an empty one.
    ///
    /// # Errors
    /// When the card file is wrong.
    pub fn pool(&self, game: &Game) -> Result<Pool, JudgeError> {
        for brought in &self.cards {
            if brought.game.as_deref().is_some_and(|own| own != game.id()) {
                continue;
            }
            let mut used = brought.used.lock().unwrap_or_else(PoisonError::into_inner);
            match used.as_deref() {
                Some(other) if other != game.id() => {
                    return Err(JudgeError::WhoseCards(
                        other.to_owned(),
                        game.id().to_owned(),
                    ));
                }
                _ => *used = Some(game.id().to_owned()),
            }
            let refuse = |error| JudgeError::Cards {
                file: brought.name.clone(),
                error,
            };
            return game.read_cards(&brought.bytes).map_err(refuse);
        }
        match self.catalogue.cards(game.id()) {
            Some((file, bytes)) => game
                .read_cards(bytes)
                .map_err(|error| JudgeError::Cards { file, error }),
            None => Ok(Pool::default()),
        }
    }

    /// The list by which a game's decks are judged.
    ///
    /// # Errors
    /// When two lists of the game are in force at once, or it is not the locked one.
    pub fn list(&self, game: &str) -> Result<Option<Arc<Banlist>>, JudgeError> {
        let list = match &self.listing {
            Listing::Nothing => None,
            Listing::Named(list) if list.game == game => Some(Arc::clone(list)),
            Listing::Named(_) | Listing::InForce => {
                let lists = self.lists.of(game)?;
                match self.lock.as_ref().and_then(|lock| lock.named(game)) {
                    // The one with the locked bytes, or else the one whose bytes have changed.
                    Some(locked) => {
                        let same = |list: &&Arc<Banlist>| list.sha256 == locked.sha256;
                        let called = |list: &&Arc<Banlist>| list.id == locked.id;
                        let found = lists.iter().find(same);
                        found.or_else(|| lists.iter().rfind(called)).cloned()
                    }
                    None => crate::banlist::in_force(&lists, game, self.day)
                        .map_err(|error| JudgeError::List(error.to_string()))?,
                }
            }
        };
        if let Some(lock) = &self.lock {
            lock.permits(game, list.as_deref(), &self.lists.of(game)?)?;
        }
        Ok(list)
    }

    /// The rules of a format, made at the first call.
    ///
    /// # Errors
    /// An unknown format, or inputs that do not fit it.
    pub fn rulebook(&self, id: &str) -> Result<Arc<Rulebook>, JudgeError> {
        let read = || {
            self.rulebooks
                .read()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(rulebook) = read().get(id) {
            return Ok(Arc::clone(rulebook));
        }
        let format = self.catalogue.format(id)?;
        if let Some(rulebook) = read().get(format.id()) {
            return Ok(Arc::clone(rulebook));
        }
        // Made under the lock, so that a file is read, and complained of, once.
        let mut rulebooks = self
            .rulebooks
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(rulebook) = rulebooks.get(format.id()) {
            return Ok(Arc::clone(rulebook));
        }
        let pool = Arc::new(self.pool(format.game())?);
        let list = self.list(format.game().id())?;
        let rulebook = Arc::new(Rulebook::new(
            &format,
            pool,
            list,
            &self.settings_for(&format),
        )?);
        rulebooks.insert(format.id().to_owned(), Arc::clone(&rulebook));
        Ok(rulebook)
    }

    /// The given settings that a format's game has; the others are for other games of the run.
    fn settings_for(&self, format: &crate::format::Format) -> BTreeMap<String, String> {
        let has = |name: &String| format.game().has_setting(name);
        self.settings
            .iter()
            .filter(|(name, _)| has(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Reads and judges one deck.
    ///
    /// # Errors
    /// Only when the run's own inputs are wrong; a deck that cannot be read is a report.
    pub fn judge(&self, name: &str, bytes: &[u8], input: Input) -> Result<DeckReport, JudgeError> {
        self.judge_as(name, bytes, input, None)
    }

    /// The same for a deck of which somebody else says which format it is for; that goes
    /// before what it says itself, and after what the judge was made for.
    ///
    /// # Errors
    /// As for [`judge`](Judge::judge).
    pub fn judge_as(
        &self,
        name: &str,
        bytes: &[u8],
        input: Input,
        told: Option<&str>,
    ) -> Result<DeckReport, JudgeError> {
        let slot: OnceCell<Arc<Rulebook>> = OnceCell::new();
        let mut wrong = None;
        let mut unknown = None;
        let mut names = |own: Option<&str>| -> Option<SectionNames<'_>> {
            let id = self.format.as_deref().or(told).or(own)?;
            match self.rulebook(id) {
                Ok(rulebook) => {
                    let kept = slot.get_or_init(|| rulebook);
                    Some(kept.section_names())
                }
                Err(JudgeError::Format(error @ CatalogueError::Unknown { .. }))
                    if self.format.is_none() =>
                {
                    unknown = Some(error.to_string());
                    None
                }
                Err(error) => {
                    wrong = Some(error);
                    None
                }
            }
        };
        let read = deck::read(bytes, input, &mut names);
        if let Some(error) = wrong {
            return Err(error);
        }
        let rulebook = slot.get();
        let mut report = DeckReport {
            deck: name.to_owned(),
            format: rulebook.map(|rulebook| rulebook.format().id().to_owned()),
            name: None,
            player: None,
            verdict: Verdict::Unreadable,
            cards: Vec::new(),
            hash: None,
            findings: Vec::new(),
            ledgers: Vec::new(),
            submission: None,
        };
        let deck = match read {
            Ok(deck) => deck,
            Err(errors) => {
                report.findings = errors.into_iter().map(Finding::of_syntax).collect();
                return Ok(report);
            }
        };
        report.name = deck
            .name
            .as_ref()
            .map(|name| name.value.clone().into_owned());
        report.player = deck
            .player
            .as_ref()
            .map(|player| player.value.clone().into_owned());
        let text = std::str::from_utf8(deck::without_bom(bytes)).unwrap_or("");
        let Some(rulebook) = rulebook else {
            let mut finding = match unknown {
                Some(message) if told.is_some() => {
                    Finding::of_file(message, "name one of those in the form".to_owned())
                }
                Some(message) => Finding::of_file(message, "mend the line `Format:`".to_owned()),
                None => Finding::of_file(
                    "the deck does not say which format it is for".to_owned(),
                    "begin it with a line such as `Format: any`, or give `--format ID`".to_owned(),
                ),
            };
            if let Some(format) = deck.format.as_ref().filter(|_| told.is_none()) {
                finding.place = Some(crate::text::place(text, format.span.start));
                finding.spans = vec![format.span];
            }
            report.findings.push(finding);
            return Ok(report);
        };
        let of_names =
            if rulebook.format().game().sections().is_empty() && rulebook.pool().is_empty() {
                let pool = Arc::new(Pool::of_names(deck.lines.iter().map(|line| &*line.name)));
                Some(Rulebook::new(
                    rulebook.format(),
                    pool,
                    rulebook.list().cloned(),
                    &self.settings,
                )?)
            } else {
                None
            };
        self.fill(
            &mut report,
            of_names.as_ref().unwrap_or(rulebook),
            &deck,
            text,
        );
        Ok(report)
    }

    fn fill(&self, report: &mut DeckReport, rulebook: &Rulebook, deck: &Deck<'_>, text: &str) {
        let game = rulebook.format().game();
        let open = game.section_names().open;
        let ids: Vec<&str> = if open {
            deck.sections.iter().map(|section| &*section.id).collect()
        } else {
            game.sections()
                .iter()
                .map(|section| section.id.as_str())
                .collect()
        };
        let places: Vec<Option<usize>> = deck
            .sections
            .iter()
            .enumerate()
            .map(|(at, section)| {
                if open {
                    Some(at)
                } else {
                    ids.iter().position(|id| *id == section.id)
                }
            })
            .collect();
        let section_of = |section: usize| places.get(section).copied().flatten();
        let contents = contents(deck, rulebook.pool(), &section_of);
        let judgements = rulebook.judge(&contents);
        let errors: Vec<Failing> = judgements
            .iter()
            .filter(|judgement| rulebook.severity(judgement) == Severity::Error)
            .map(|judgement| judgement.violation.failing)
            .collect();
        report.verdict = if errors.is_empty() {
            Verdict::Legal
        } else if errors.iter().all(|failing| *failing == Failing::Shortfall) {
            Verdict::Incomplete
        } else {
            Verdict::Illegal
        };
        report.hash = Some(deck_hash(rulebook.format().id(), &ids, &contents));
        let mut counts = vec![0_i64; ids.len()];
        for holding in contents.all() {
            counts[usize::from(holding.section)] += holding.copies;
        }
        report.cards = ids.iter().map(|id| (*id).to_owned()).zip(counts).collect();
        report.ledgers = rulebook.ledgers(&contents);
        report.findings = judgements
            .into_iter()
            .map(|judgement| Finding::of(judgement, rulebook, &contents, deck, &section_of, text))
            .collect();
        if let Some(list) = rulebook.list()
            && let Some(message) = list.outside(self.day)
        {
            let mut finding = Finding::of_file(message, String::new());
            finding.rule = "banned".to_owned();
            finding.severity = Severity::Notice;
            report.findings.push(finding);
        }
        report.findings.sort_by(|a, b| a.order().cmp(&b.order()));
    }
}

/// What a deck holds, its lines added up by card.
pub(super) fn contents<'p>(
    deck: &Deck<'_>,
    pool: &'p Pool,
    section_of: &dyn Fn(usize) -> Option<usize>,
) -> Contents<'p> {
    let mut holdings = Vec::with_capacity(deck.lines.len());
    let mut strangers: BTreeMap<String, String> = BTreeMap::new();
    let mut pending: Vec<(String, u16, i64)> = Vec::new();
    for line in &deck.lines {
        let section = section_of(usize::from(line.section));
        let section = u16::try_from(section.unwrap_or(0)).unwrap_or(u16::MAX);
        let copies = i64::from(line.count);
        if let Some(card) = pool.find(&line.name) {
            holdings.push(Holding {
                card,
                section,
                copies,
            });
            continue;
        }
        let folded = fold(&line.name).into_owned();
        let shown = crate::name::tidy(&line.name);
        let smallest = strangers
            .entry(folded.clone())
            .or_insert_with(|| shown.clone().into_owned());
        if *shown < **smallest {
            *smallest = shown.into_owned();
        }
        pending.push((folded, section, copies));
    }
    let strangers: Vec<(String, String)> = strangers.into_iter().collect();
    for (folded, section, copies) in pending {
        let at = strangers.partition_point(|(known, _)| *known < folded);
        let card = CardId(u32::try_from(pool.len() + at).unwrap_or(u32::MAX));
        holdings.push(Holding {
            card,
            section,
            copies,
        });
    }
    Contents::new(pool, holdings, strangers)
}
