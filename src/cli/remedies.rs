//! What would mend an error, in the words of the command line: its options.

use crate::banlist::TwoInForce;
use crate::banlist::lock::LockBroken;
use crate::judge::JudgeError;
use crate::odds::OddsError;
use crate::remedy::Remedy;
use crate::submissions::SubmissionError;
use crate::text::listed;
use std::error::Error;
use std::io;

/// A remedy, worded for who types commands.
pub(super) fn text(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Settings(names) => {
            let options = names.iter().map(|name| format!("`--set {name}=NUMBER`"));
            let options: Vec<String> = options.collect();
            format!("an organiser can give it: {}", listed(&options, "and"))
        }
        Remedy::MatchSetting(name) => format!("give it with `--set {name}=NUMBER`"),
        Remedy::Cards => "bring a card file that tells it, with `--cards FILE`".to_owned(),
        Remedy::SpellingOrCards => {
            "check the spelling, or bring the cards with `--cards FILE`".to_owned()
        }
        Remedy::CardsWithColumn(column) => {
            format!("Give `--cards FILE` with a column `{column}`.")
        }
        Remedy::WhoseCards => "say which cards are whose: `--cards GAME=FILE`".to_owned(),
        Remedy::Format(None) => "begin it with a line `Format: ID`, or give `--format ID`; `decklaw formats list` names them".to_owned(),
        Remedy::Format(Some(best)) => {
            format!("begin it with the line `Format: {best}`, or give `--format {best}`")
        }
        Remedy::List => "name one with `--banlist ID`".to_owned(),
        Remedy::NoList => "`--banlist none` judges without one".to_owned(),
        Remedy::LockedList => {
            "fetch it again, or name its file with `--banlist FILE`".to_owned()
        }
        Remedy::LockedText => {
            "name a file with the locked text with `--banlist FILE`, or lock again".to_owned()
        }
        Remedy::LockedListOrLock(id) => format!(
            "`--banlist {id}` judges by that one, `decklaw banlist lock` locks again"
        ),
        Remedy::LockedCards => {
            "leave `--cards` out to judge by the locked cards, or lock again".to_owned()
        }
        Remedy::LockedSettings => "leave `--set` out, or lock again".to_owned(),
        Remedy::TakeList => "`--replace` takes it on purpose".to_owned(),
        Remedy::Column(role) => format!("say which is, with `--columns {role}=COLUMN`"),
        Remedy::Submissions => {
            "A form's export, a row a player, is read with `--submissions FILE`.".to_owned()
        }
        Remedy::DeckColumn(column) => {
            format!("`--columns deck.SECTION={column}` joins it")
        }
        Remedy::DateOrder => {
            "say which, with `--dates day-first` or `--dates month-first`".to_owned()
        }
        Remedy::Decks => "each is given with `--deck FILE`".to_owned(),
        Remedy::FileKind => {
            "Say what the file is with `--from` (of `convert`: `--from`).".to_owned()
        }
        Remedy::Pasted => {
            "A list of another program is read with `--from pasted` (of `convert`: `--from pasted`)."
                .to_owned()
        }
        Remedy::Heading => "Name the section as the game does, in a line of its own.".to_owned(),
        Remedy::Hand => "say one with `--hand N`".to_owned(),
        Remedy::Draws => "say with `--draws N` how many cards are drawn".to_owned(),
        Remedy::Mulligan => "say which one with `--policy aside` or `--policy shuffle`".to_owned(),
        Remedy::NoMulligans => {
            "leave `at most` out of `--policy`, or say `aside` or `shuffle` there".to_owned()
        }
        Remedy::Bottomed => {
            "leave out of `bottom` what is beyond, or raise `at most` in `--policy`".to_owned()
        }
        Remedy::NoSeat => "leave `--seat` out".to_owned(),
        Remedy::NoEvent => "leave `--event` out".to_owned(),
        Remedy::Work => "raise the limit with `--effort SECONDS`".to_owned(),
        Remedy::Rename(deck) => {
            format!("`decklaw fix {deck}` corrects names with one near card")
        }
        Remedy::ShowAll => "`--verbose` shows them".to_owned(),
    }
}

/// Why the system does not do something with a file, without its numbers.
pub(super) fn io_message(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "the system does not permit it".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, and no folder".to_owned(),
        io::ErrorKind::StorageFull => "no room is left where it is written".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "nothing can be written there".to_owned(),
        io::ErrorKind::InvalidFilename => "a file cannot be called so".to_owned(),
        _ => {
            let said = error.to_string();
            let said = said
                .split_once(" (os error")
                .map_or(&*said, |(said, _)| said);
            said.to_owned()
        }
    }
}

/// An error with its causes, and what to do about it.
pub(super) fn message(error: &(dyn Error + 'static)) -> String {
    let mut message = error.to_string();
    let mut remedy = remedy_of(error);
    let mut cause = error.source();
    while let Some(inner) = cause {
        message.push_str(&format!(": {inner}"));
        remedy = remedy.or_else(|| remedy_of(inner));
        cause = inner.source();
    }
    with_remedy(message, remedy.as_ref())
}

/// A message, and what to do about it.
pub(super) fn with_remedy(message: String, remedy: Option<&Remedy>) -> String {
    match remedy {
        Some(remedy) => format!("{message}; {}", text(remedy)),
        None => message,
    }
}

/// The remedy of an error of the library that has one.
fn remedy_of(error: &(dyn Error + 'static)) -> Option<Remedy> {
    let odds = error.downcast_ref().map(OddsError::remedy);
    let lock = || error.downcast_ref().map(LockBroken::remedy);
    let judge = || error.downcast_ref().map(JudgeError::remedy);
    let two = || error.downcast_ref().map(TwoInForce::remedy);
    let form = || error.downcast_ref().map(SubmissionError::remedy);
    odds.or_else(lock)
        .or_else(judge)
        .or_else(two)
        .or_else(form)
        .flatten()
}
