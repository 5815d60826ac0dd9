//! What would mend an error, in the words of pages: their fields, and who has them.

use super::refusal::Refusal;
use decklaw_core::judge::JudgeError;
use decklaw_core::remedy::Remedy;
use decklaw_core::text::listed;
use decklaw_play::matches::MatchError;

/// A remedy, worded for who reads a page. Options of the command line are whoever's who runs the
/// server, or published the page.
pub fn text(remedy: &Remedy) -> String {
    const RUNS: &str = "whoever runs this site";
    match remedy {
        Remedy::Settings(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let names = listed(&names, "and");
            format!("whoever opens an event gives it there, as {names}; without one, {RUNS}")
        }
        Remedy::MatchSetting(name) => {
            format!("give `{name}` a number, under “What the rules leave open”")
        }
        Remedy::Cards => format!("{RUNS} can bring a card file that tells it"),
        Remedy::SpellingOrCards => {
            format!("check the spelling; {RUNS} can bring a card file that has it")
        }
        Remedy::CardsWithColumn(column) => {
            format!("Ask {RUNS} for a card file with a column `{column}`.")
        }
        Remedy::WhoseCards => format!("{RUNS} must say which cards are of which game"),
        Remedy::Format(None) => {
            "choose its format, or begin it with a line `Format: ID`".to_owned()
        }
        Remedy::Format(Some(best)) => {
            format!("choose its format, or begin it with the line `Format: {best}`")
        }
        Remedy::List => {
            format!("whoever opens an event names the one that applies; elsewhere {RUNS} does")
        }
        Remedy::NoList => "an event can be opened without a list".to_owned(),
        Remedy::LockedList
        | Remedy::LockedText
        | Remedy::LockedListOrLock(_)
        | Remedy::LockedCards
        | Remedy::LockedSettings => {
            format!("{RUNS} must bring what was locked, or make a new lock")
        }
        Remedy::Submissions => {
            "A form's export, a row a player, is for the command that judges many.".to_owned()
        }
        Remedy::DeckColumn(_) => "paste the deck as one list".to_owned(),
        Remedy::Decks => "paste a deck for each seat".to_owned(),
        Remedy::FileKind => "Choose what kind of file it is.".to_owned(),
        Remedy::Pasted => "If it is a list of another program, choose that as its kind.".to_owned(),
        Remedy::Heading => "Name the section as the game does, in a line of its own.".to_owned(),
        Remedy::Hand => "say how many cards the hand has".to_owned(),
        Remedy::NoMulligans => {
            "say how many mulligans are taken only where there is one".to_owned()
        }
        Remedy::Bottomed => "leave out what is beyond, or allow more mulligans".to_owned(),
        Remedy::NoSeat => "leave the seat out".to_owned(),
        Remedy::NoEvent => "leave the event out".to_owned(),
        Remedy::Work => "ask for less at once".to_owned(),
        // What no page asks stands as the library has it.
        Remedy::TakeList
        | Remedy::Column(_)
        | Remedy::DateOrder
        | Remedy::Draws
        | Remedy::Mulligan
        | Remedy::ShowAll
        | Remedy::Rename(_) => remedy.to_string(),
    }
}

/// A remedy as a sentence of its own; empty where there is none.
pub(crate) fn sentence(remedy: Option<&Remedy>) -> String {
    let words = remedy.map(text).unwrap_or_default();
    let mut letters = words.chars();
    let Some(first) = letters.next() else {
        return words;
    };
    let rest = letters.as_str();
    let end = if rest.ends_with('.') { "" } else { "." };
    format!("{}{rest}{end}", first.to_uppercase())
}

impl From<&JudgeError> for Refusal {
    fn from(error: &JudgeError) -> Refusal {
        Refusal::new(400, error.to_string(), sentence(error.remedy().as_ref()))
    }
}

impl From<&MatchError> for Refusal {
    fn from(error: &MatchError) -> Refusal {
        let (MatchError::Call(told) | MatchError::Refused(told)) = error;
        Refusal::new(422, told.message.clone(), sentence(told.remedy.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_no_option_of_a_command() {
        let name = || "name".to_owned();
        let all = [
            Remedy::Settings(vec![name()]),
            Remedy::MatchSetting(name()),
            Remedy::Cards,
            Remedy::SpellingOrCards,
            Remedy::CardsWithColumn(name()),
            Remedy::WhoseCards,
            Remedy::Format(None),
            Remedy::Format(Some(name())),
            Remedy::List,
            Remedy::NoList,
            Remedy::LockedList,
            Remedy::Submissions,
            Remedy::Decks,
            Remedy::FileKind,
            Remedy::Pasted,
            Remedy::Heading,
            Remedy::Hand,
            Remedy::Draws,
            Remedy::Mulligan,
            Remedy::NoMulligans,
            Remedy::Bottomed,
            Remedy::NoSeat,
            Remedy::NoEvent,
            Remedy::Work,
            Remedy::ShowAll,
            Remedy::Rename(name()),
        ];
        for remedy in all {
            let told = sentence(Some(&remedy));
            assert!(!told.contains("--"), "{told}");
            assert!(
                told.ends_with('.')
                    && !told.ends_with("..")
                    && told.starts_with(char::is_uppercase),
                "{told}"
            );
        }
        assert_eq!(sentence(None), "");
    }
}
