//! The decks of an event as the lock judges them: the one verdict in every list, sheet and table.

use crate::error::EventError;
use crate::event::Event;
use crate::id::{EntryId, PlayerId};
use crate::roster::{AmbiguityReason, Entry, Roster};
use crate::standing::{Arrival, PlayerStanding, Standing};
use decklaw_decks::deck::{Input, Listing};
use decklaw_decks::submissions::Submission;
use decklaw_engine::solve::{DeckComparison, misnamed, played, renamed};
use decklaw_judge::judge::{Judge, Note, ReadDeck, Report};
use decklaw_judge::render::DeckLabel;
use decklaw_play::matches::Setup;
use decklaw_text::name::fold;
use decklaw_text::{Problem, ReadError};
use std::path::Path;

/// Sections, cards and copies.
pub(crate) type Copies = Vec<(String, String, i64)>;

/// How a deck at a table compares to the one that counts.
#[derive(Debug)]
pub enum DeckCheck {
    /// The two were compared.
    Compared(ComparedDeck),
    /// One of the two cannot be read: why.
    Unreadable(String),
}

impl DeckCheck {
    /// The answer in a word.
    pub fn word(&self) -> &'static str {
        match self {
            DeckCheck::Compared(compared) => compared.played.word(),
            DeckCheck::Unreadable(_) => "unreadable",
        }
    }
}

/// A deck at a table, compared with the one that counts.
#[derive(Debug)]
pub struct ComparedDeck {
    /// How they differ.
    pub played: DeckComparison,
    /// The hash of the deck at the table, and of the one that counts.
    pub hashes: [String; 2],
    /// What is to be known of the deck at the table.
    pub notes: Vec<Note>,
    /// What tables say of it.
    pub label: DeckLabel,
}

/// The deck of an entry, ready to be judged.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct EntryDeck {
    pub place: String,
    pub text: Vec<u8>,
    pub input: Input,
    /// The format that the form or the event gives.
    pub format: Option<String>,
    /// Why there is no deck, and what to do about it.
    pub unfit: Option<ReadError>,
    /// The player, as the entry gives the name, or else as the roster does.
    pub player: Option<String>,
    pub submission: Submission,
}

impl EntryDeck {
    /// The deck of an entry: as a person read it, if one did, and with unknown names replaced by
    /// the cards that they mean.
    ///
    /// # Errors
    /// Rules, cards or lists that are wrong.
    pub fn of(
        judge: &Judge,
        roster: &Roster,
        standing: &Standing,
        entry: &Entry,
        format: Option<&str>,
    ) -> Result<EntryDeck, Problem> {
        let unfit = match (&entry.read_as, &entry.unreadable) {
            (Some(_), _) => None,
            (None, Some(why)) => Some(ReadError::new(why, "ask the player for the deck")),
            (None, None) => entry
                .is_empty()
                .then(|| ReadError::new("the deck is missing", "ask the player for it")),
        };
        let player = entry.player.map(|player| roster.real(player));
        let format = entry.format.as_deref().or(format);
        let name = player.and_then(|player| roster.players.get(&player));
        let name = name.map(|player| player.name.clone());
        Ok(EntryDeck {
            place: entry.place(),
            text: match &unfit {
                Some(_) => entry.deck.clone(),
                None => {
                    let deck = entry.read_as.as_deref().map_or(&*entry.deck, str::as_bytes);
                    as_meant(judge, roster, (deck, input_of(entry)), format)?
                }
            },
            input: input_of(entry),
            format: format.map(str::to_owned),
            unfit,
            player: entry.name.clone().or(name),
            submission: submission(roster, standing, entry, player),
        })
    }
}

/// What an entry's deck is written in.
pub(crate) fn input_of(entry: &Entry) -> Input {
    match (&entry.read_as, &entry.file) {
        (None, Some(file)) => Input::of_path(Path::new(file)),
        _ => Input::default(),
    }
}

/// A deck's text, in which names that no card has are those of the cards that the organiser said
/// they mean. A file in which a name cannot be written so stays as it is, and its name unknown.
///
/// # Errors
/// Rules, cards or lists that are wrong.
pub(crate) fn as_meant(
    judge: &Judge,
    roster: &Roster,
    (bytes, input): (&[u8], Input),
    format: Option<&str>,
) -> Result<Vec<u8>, Problem> {
    if roster.means.is_empty() {
        return Ok(bytes.to_vec());
    }
    let Ok(opened) = judge.open(bytes, input, format) else {
        return Ok(bytes.to_vec());
    };
    let renamed = match judge.read(&opened, format)? {
        ReadDeck::Deck(deck) => {
            let means = |name: &str| roster.means.get(&*fold(name)).map(String::as_str);
            // Near names are looked for only where one may be among those.
            let is_near = |name: &str| roster.means.keys().any(|known| name.contains(&**known));
            let mut lines = deck.deck().lines.iter();
            lines.any(|line| is_near(&fold(&line.name))).then(|| {
                let mut misnamed = misnamed(&deck);
                misnamed.iter_mut().for_each(|one| one.decide(means));
                renamed(&opened.source, opened.input, &deck, &misnamed)
            })
        }
        _ => None,
    };
    Ok(renamed.and_then(Result::ok).unwrap_or_else(|| opened.source.into_owned()))
}

fn submission(
    roster: &Roster,
    standing: &Standing,
    entry: &Entry,
    player: Option<PlayerId>,
) -> Submission {
    let row = |id: &EntryId| {
        let entry = roster.entries.get(id);
        entry.and_then(|entry| entry.row).unwrap_or_default()
    };
    // A player may have thousands of entries, and this is done for each of them.
    let nobody = PlayerStanding::default();
    let own = player.and_then(|player| standing.players.get(&player)).unwrap_or(&nobody);
    let counts = own.counting.counts() == Some(entry.id);
    let arrival = standing.arrival(entry);
    // Without a deadline a time matters where it decides which of several decks is the latest.
    let is_unknown = |one: &&Entry| {
        standing.arrival(one) == Arrival::Unknown || (own.is_timed && one.at.is_none())
    };
    let mut unknown: Vec<EntryId> = if counts {
        let all = own.entries.iter().filter_map(|id| roster.entries.get(id));
        all.filter(is_unknown).map(|one| one.id).collect()
    } else {
        Some(entry).filter(is_unknown).map(|one| one.id).into_iter().collect()
    };
    unknown.sort_unstable();
    let beside = if counts { own.beside } else { own.counting.counts() };
    let reason = match (entry.player, arrival) {
        (Some(_), Arrival::Unknown) if !counts => Some(AmbiguityReason::Time),
        _ => entry.question,
    };
    Submission {
        row: entry.row.unwrap_or_default(),
        time: entry.time.clone(),
        at: standing.local(entry),
        late: arrival == Arrival::Late,
        replaces: if counts { own.replaced.iter().map(row).collect() } else { Vec::new() },
        times_not_understood: unknown.iter().map(row).collect(),
        identity: entry.email.clone(),
        counts,
        beside: beside.as_ref().map(row),
        asked: reason.map(AmbiguityReason::words),
        empty: entry.is_empty(),
        file: entry.file.clone(),
    }
}

/// A deck that was read, or the report that says why it cannot be.
fn read<T>(
    judge: &Judge,
    (text, input): (&[u8], Input),
    format: Option<&str>,
    then: impl FnOnce(ReadDeck<'_>) -> T,
) -> Result<Result<T, String>, Problem> {
    let opened = match judge.open(text, input, format) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error.to_string())),
    };
    Ok(Ok(then(judge.read(&opened, format)?)))
}

impl Event {
    /// The report of an entry, and the deck's text as it was judged.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn report(
        &self,
        standing: &Standing,
        entry: &Entry,
    ) -> Result<(Report, Vec<u8>), EventError> {
        let format = self.about.format.as_deref();
        let deck = EntryDeck::of(self.judge(), self.roster(), standing, entry, format)?;
        let mut report = match deck.unfit {
            Some(error) => Report::unreadable(deck.place, error.into()),
            None => {
                let format = deck.format.as_deref();
                self.judge().judge_as(&deck.place, &deck.text, deck.input, format)?
            }
        };
        report.player = deck.player;
        report.submission = Some(deck.submission);
        Ok((report, deck.text))
    }

    /// The report of a deck that is brought, before it is an entry: as the event would judge it.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn judge_deck(
        &self,
        name: &str,
        (bytes, input): (&[u8], Input),
        stated: Option<&str>,
    ) -> Result<Report, Problem> {
        let format = stated.or(self.about.format.as_deref());
        let text = as_meant(self.judge(), self.roster(), (bytes, input), format)?;
        self.judge().judge_as(name, &text, input, format)
    }

    /// The cards of an entry's deck; none if it cannot be read.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn listing(
        &self,
        entry: &Entry,
        text: &[u8],
        format: Option<&str>,
    ) -> Result<Listing, EventError> {
        let read = read(self.judge(), (text, input_of(entry)), format, |deck| match deck {
            ReadDeck::Deck(resolved) => Listing::from(resolved.deck()),
            ReadDeck::Formatless { deck, .. } => Listing::from(&*deck),
            ReadDeck::Unreadable { .. } => Listing::default(),
        })?;
        Ok(read.unwrap_or_default())
    }

    /// The sections, cards and copies of an entry's deck; `None` if it cannot be read.
    pub(crate) fn copies(
        &self,
        entry: &Entry,
        text: &[u8],
        format: Option<&str>,
    ) -> Result<Option<Copies>, EventError> {
        let read = read(self.judge(), (text, input_of(entry)), format, |deck| match deck {
            ReadDeck::Deck(resolved) => {
                let list = resolved.into_list();
                let section = |at: u16| list.sections().get(usize::from(at)).cloned();
                let copies = list.holdings().map(|holding| {
                    let section = section(holding.section).unwrap_or_default();
                    (section, list.name(holding.card).to_owned(), holding.copies)
                });
                Some(copies.collect())
            }
            _ => None,
        })?;
        Ok(read.ok().flatten())
    }

    /// Compares a deck at a table, its bytes and what they are written in, with the one of a player
    /// that counts.
    ///
    /// # Errors
    /// A player without a deck that counts.
    pub fn check(&self, player: PlayerId, deck: (&[u8], Input)) -> Result<DeckCheck, EventError> {
        let standing = self.standing()?;
        let entry = standing.player(self.roster().real(player)).counting.counts();
        let entry = entry.and_then(|entry| self.roster().entries.get(&entry));
        let Some(entry) = entry else {
            return Err(EventError::Refused(format!(
                "no deck of {player} counts, so there is nothing to compare with"
            )));
        };
        let (report, text) = self.report(&standing, entry)?;
        let format = entry.format.as_deref().or(self.about.format.as_deref());
        let format = format.or(report.format.as_deref());
        let judge = self.judge();
        let list = |read: ReadDeck<'_>| match read {
            ReadDeck::Deck(resolved) => {
                let (notes, label) = (resolved.notes(), DeckLabel::of(&resolved));
                Ok((resolved.into_list(), notes, label))
            }
            other => {
                let report = judge.report("", &other, format);
                let why = report.findings.first();
                Err(why.map_or_else(String::new, |finding| finding.message.clone()))
            }
        };
        let played_text = as_meant(judge, self.roster(), deck, format)?;
        let list = |whose: &str, deck: (&[u8], Input)| {
            let list = read(judge, deck, format, list)?.and_then(|list| list);
            Ok::<_, Problem>(list.map_err(|why| format!("{whose} cannot be read: {why}")))
        };
        let before = list("the deck that counts", (&text, input_of(entry)))?;
        let after = list("the deck at the table", (&played_text, deck.1))?;
        Ok(match (before, after) {
            (Err(why), _) | (_, Err(why)) => DeckCheck::Unreadable(why),
            (Ok((before, ..)), Ok((after, notes, label))) => {
                // A setup that cannot be read allows no swap.
                let exchange = Setup::exchange_of(before.rulebook().format());
                DeckCheck::Compared(ComparedDeck {
                    played: played(&before, &after, exchange.ok().flatten().as_ref()),
                    hashes: [after.hash(), before.hash()],
                    notes,
                    label,
                })
            }
        })
    }
}
