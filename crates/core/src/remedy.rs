//! What would mend an error, for programs: what whoever asked could give, or leave out.
//!
//! The library says what is wrong, and names what to do about it by a [`Remedy`]. How that is
//! given differs: a command line has options, a page has fields. So a front end brings its own
//! [`Words`]; the plain ones are those of [`Display`](std::fmt::Display).

use crate::text::listed;
use std::fmt;

/// What whoever asked could give, or leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// A number for each of these settings, which the rules text leaves open.
    Settings(Vec<String>),
    /// A number for this setting of a match.
    MatchSetting(String),
    /// A card file that tells what the known cards do not.
    Cards,
    /// The right spelling of a card, or a card file that has it.
    SpellingOrCards,
    /// A card file with this column.
    CardsWithColumn(String),
    /// For each card file the game that it is of.
    WhoseCards,
    /// A deck's format; the likeliest by its cards, where there is one.
    Format(Option<String>),
    /// Which of several banlists applies.
    List,
    /// That no banlist applies.
    NoList,
    /// The locked banlist, fetched again or from a file.
    LockedList,
    /// The locked text of a banlist that was changed, or a new lock.
    LockedText,
    /// The locked banlist of this id, or a new lock.
    LockedListOrLock(String),
    /// No card file, or a new lock.
    LockedCards,
    /// No setting, or a new lock.
    LockedSettings,
    /// That an older list, or one with many fewer cards, is taken on purpose.
    TakeList,
    /// Which column of a form has this role.
    Column(&'static str),
    /// That a table is a form's export, a row a player.
    Submissions,
    /// The section of a deck that this column of a form holds.
    DeckColumn(String),
    /// Whether a form's dates begin with the day or the month.
    DateOrder,
    /// The decks of a match.
    Decks,
    /// What kind of file a deck is.
    FileKind,
    /// That a deck is a list pasted from another program.
    Pasted,
    /// Which section a heading means.
    Heading,
    /// How many cards the opening hand has.
    Hand,
    /// How many cards are drawn.
    Draws,
    /// What becomes of a hand that is put away.
    Mulligan,
    /// No number of mulligans, or what becomes of the hand.
    NoMulligans,
    /// Fewer numbers of cards that are bottomed, or more mulligans.
    Bottomed,
    /// No seat.
    NoSeat,
    /// No event of this name.
    NoEvent,
    /// More work for a question.
    Work,
    /// That everything is shown.
    ShowAll,
    /// What is certainly a slip in the names of this deck's file, put right.
    Rename(String),
}

/// How a front end words a remedy.
pub type Words = fn(&Remedy) -> String;

/// The words of a library that knows no front end.
pub fn plainly(remedy: &Remedy) -> String {
    remedy.to_string()
}

impl fmt::Display for Remedy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remedy::Settings(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let noun = if names.len() == 1 {
                    "the setting"
                } else {
                    "the settings"
                };
                let names = listed(&names, "and");
                write!(out, "an organiser can give it, as {noun} {names}")
            }
            Remedy::MatchSetting(name) => write!(out, "give the setting `{name}` a number"),
            Remedy::Cards => out.write_str("bring a card file that tells it"),
            Remedy::SpellingOrCards => {
                out.write_str("check the spelling, or bring a card file that has it")
            }
            Remedy::CardsWithColumn(column) => {
                write!(out, "Bring a card file with a column `{column}`.")
            }
            Remedy::WhoseCards => out.write_str("say which cards are whose"),
            Remedy::Format(None) => out.write_str("begin it with a line `Format: ID`"),
            Remedy::Format(Some(best)) => {
                write!(out, "begin it with the line `Format: {best}`")
            }
            Remedy::List => out.write_str("name the one that applies"),
            Remedy::NoList => out.write_str("judge without a list"),
            Remedy::LockedList => out.write_str("fetch it again, or name its file"),
            Remedy::LockedText => out.write_str("name a file with the locked text, or lock again"),
            Remedy::LockedListOrLock(id) => write!(out, "judge by {id}, or lock again"),
            Remedy::LockedCards => out.write_str("judge by the locked cards, or lock again"),
            Remedy::LockedSettings => out.write_str("leave the setting out, or lock again"),
            Remedy::TakeList => out.write_str("it can be taken on purpose"),
            Remedy::Column(role) => write!(out, "say which column is the {role}"),
            Remedy::Submissions => {
                out.write_str("A form's export, a row a player, is read as one where that is said.")
            }
            Remedy::DeckColumn(_) => out.write_str("say which section it holds to join it"),
            Remedy::DateOrder => out.write_str("say which of them comes first"),
            Remedy::Decks => out.write_str("bring them"),
            Remedy::FileKind => out.write_str("Say what kind of file it is."),
            Remedy::Pasted => {
                out.write_str("A list of another program is read as one where that is said.")
            }
            Remedy::Heading => out.write_str("Say which section the heading means."),
            Remedy::Hand => out.write_str("say how many cards it has"),
            Remedy::Draws => out.write_str("say how many cards are drawn"),
            Remedy::Mulligan => out.write_str("say which one is taken"),
            Remedy::NoMulligans => out.write_str("say how many are taken only where there is one"),
            Remedy::Bottomed => out.write_str("leave out what is beyond, or allow more mulligans"),
            Remedy::NoSeat => out.write_str("leave the seat out"),
            Remedy::NoEvent => out.write_str("leave the event out"),
            Remedy::Work => out.write_str("allow it more work"),
            Remedy::Rename(_) => out.write_str("what is certainly a slip can be put right for you"),
            Remedy::ShowAll => out.write_str("ask for all to see them"),
        }
    }
}
