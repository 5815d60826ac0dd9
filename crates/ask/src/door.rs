//! The one door: any question, and any answer.

use crate::build::BuildAnswer;
use crate::cards::CardsAnswer;
use crate::check::CheckAnswer;
use crate::faces::FacesAnswer;
use crate::files::{CompareAnswer, ReadAnswer, WriteAnswer};
use crate::fix::FixAnswer;
use crate::format::FormatAnswer;
use crate::library::Library;
use crate::odds::OddsAnswer;
use crate::parts::DeckAnswer;
use crate::question::{
    Ask, Build, Cards, Check, Compare, Faces, Fix, Format, Odds, Read, Replay, Room, Stats, Swap,
    Tune, View, Write,
};
use crate::replay::ReplayAnswer;
use crate::room::RoomAnswer;
use crate::stats::StatsAnswer;
use crate::tune::TuneAnswer;
use crate::view::ViewAnswer;
use decklaw_judge::Note;
use decklaw_text::{Problem, ProblemKind};
use serde::{Deserialize, Serialize};

/// Answers a question.
///
/// ```
/// use decklaw_ask::{Library, Question, ask};
///
/// let library = Library::built_in();
/// let question: Question =
///     serde_json::from_str(r#"{"ask": "check", "format": "shell", "deck": "Main\n9 Moss Sprite"}"#)?;
/// let answer = serde_json::to_value(ask(&library, question)?)?;
/// assert_eq!(answer["verdict"], "illegal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A deck, query, number or game that makes an answer impossible.
pub fn ask(library: &Library, question: Question) -> Result<Answer, Problem> {
    question.ask(library)
}

/// Each variant's content becomes the enum.
macro_rules! from_each {
    ($any:ident: $($name:ident($one:ident),)*) => {
        $(impl From<$one> for $any {
            fn from(one: $one) -> $any {
                $any::$name(one)
            }
        })*
    };
}

/// The enum of all questions.
macro_rules! questions {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// Any question, as JSON `{"ask": "check", …}`.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(tag = "ask", rename_all = "kebab-case")]
        pub enum Question {
            $($(#[$about])* $name($name),)*
        }

        from_each!(Question: $($name($name),)*);

        impl Question {
            /// Answers the question.
            ///
            /// # Errors
            /// As for [`ask`].
            fn ask(self, library: &Library) -> Result<Answer, Problem> {
                match self {
                    $(Question::$name(question) => Ok(question.ask(library)?.into()),)*
                }
            }
        }
    };
}

questions! {
    /// Is the deck legal?
    Check,
    /// How likely are hands?
    Odds,
    /// What is the smallest change that makes the deck legal?
    Fix,
    /// Which legal deck satisfies some wishes?
    Build,
    /// Which exchange of cards makes a hand likeliest?
    Tune,
    /// How many more copies of each card fit?
    Room,
    /// What is the smallest exchange with the side deck?
    Swap,
    /// What is the deck made of?
    Stats,
    /// Which deck is in this file?
    Read,
    /// What is the deck as a file of another kind?
    Write,
    /// Which cards does a query select, or a collection hold?
    Cards,
    /// What is to be known of a format, or which formats are there?
    Format,
    /// What does a page show of a deck after each change?
    View,
    /// What is printed on a card?
    Faces,
    /// How do two decks differ?
    Compare,
    /// How was a match after some of its moves?
    Replay,
}

/// The enum of all answers.
macro_rules! answers {
    ($($(#[$about:meta])* $name:ident($answer:ident),)*) => {
        /// Any answer. Its JSON begins with the `schema`.
        #[derive(Debug, Clone, Serialize)]
        #[serde(untagged)]
        pub enum Answer {
            $($(#[$about])* $name($answer),)*
        }

        from_each!(Answer: $($name($answer),)*);
    };
}

answers! {
    /// Of `check`.
    Check(CheckAnswer),
    /// Of `odds`.
    Odds(OddsAnswer),
    /// Of `fix` and `swap`.
    Fix(FixAnswer),
    /// Of `build`.
    Build(BuildAnswer),
    /// Of `tune`.
    Tune(TuneAnswer),
    /// Of `room`.
    Room(RoomAnswer),
    /// Of `stats`.
    Stats(StatsAnswer),
    /// Of `read`.
    Read(ReadAnswer),
    /// Of `write`.
    Write(WriteAnswer),
    /// Of `cards`.
    Cards(CardsAnswer),
    /// Of `format`.
    Format(FormatAnswer),
    /// Of `view`.
    View(ViewAnswer),
    /// Of `faces`.
    Faces(FacesAnswer),
    /// Of `compare`.
    Compare(CompareAnswer),
    /// Of `replay`.
    Replay(ReplayAnswer),
}

/// The answers about a deck, each with its notes.
macro_rules! deck_answers {
    ($($answer:ident: |$self:ident| $notes:expr,)*) => {
        $(impl DeckAnswer for $answer {
            fn notes(&self) -> Option<&[Note]> {
                let $self = self;
                $notes
            }
        })*
    };
}

deck_answers! {
    CheckAnswer: |_verdict| None,
    ReadAnswer: |answer| Some(&answer.notes),
    ViewAnswer: |_verdict| None,
    OddsAnswer: |answer| Some(&answer.report.notes),
    FixAnswer: |answer| Some(&answer.notes),
    BuildAnswer: |answer| Some(&answer.notes),
    TuneAnswer: |answer| Some(&answer.notes),
    RoomAnswer: |answer| Some(&answer.notes),
    StatsAnswer: |answer| answer.decks.first().map(|deck| &*deck.notes),
    WriteAnswer: |answer| Some(&answer.notes),
    CompareAnswer: |answer| Some(&answer.notes),
}

/// The most queries or wishes of a visitor's question.
const MOST_QUERIES: usize = 24;
/// The most cards of the answer to a visitor's question.
const MOST_CARDS: usize = 200;
/// The most sample hands of a visitor's question.
const MOST_DEALS: u32 = 20;
/// The most bytes that the odds of a visitor's question hold.
const MOST_MEMORY: u64 = 32 << 20;

impl Question {
    /// Bounds the work of a question from an anonymous visitor: at most this many seconds, 24
    /// queries, 20 sample hands and 32 MiB for odds.
    ///
    /// # Errors
    /// More queries than that.
    pub fn bounded(mut self, seconds: f64) -> Result<Question, Problem> {
        let bound =
            |effort: &mut Option<f64>| *effort = Some(effort.unwrap_or(seconds).min(seconds));
        let bound_odds = |odds: &mut Odds| {
            bound(&mut odds.effort);
            odds.memory = Some(MOST_MEMORY);
            odds.deal = odds.deal.min(MOST_DEALS);
            odds.queries.len()
        };
        let queries = match &mut self {
            Question::Odds(odds) => bound_odds(odds),
            Question::View(view) => view.odds.iter_mut().map(|odds| 1 + bound_odds(odds)).sum(),
            Question::Fix(fix) => {
                bound(&mut fix.effort);
                fix.keep.len()
            }
            Question::Build(build) => {
                bound(&mut build.effort);
                build.memory = Some(MOST_MEMORY);
                build.wish.len().max(build.prefer.len())
            }
            Question::Tune(tune) => {
                bound(&mut tune.effort);
                tune.memory = Some(MOST_MEMORY);
                tune.queries.len().max(tune.wish.len()).max(tune.keep.len())
            }
            Question::Room(room) => {
                bound(&mut room.effort);
                0
            }
            Question::Swap(swap) => {
                bound(&mut swap.effort);
                0
            }
            Question::Cards(cards) => {
                let most = cards.most.unwrap_or(MOST_CARDS);
                cards.most = Some(most.min(MOST_CARDS));
                0
            }
            Question::Faces(faces) => {
                faces.cards.truncate(MOST_CARDS);
                0
            }
            Question::Check(_)
            | Question::Stats(_)
            | Question::Read(_)
            | Question::Write(_)
            | Question::Format(_)
            | Question::Compare(_)
            | Question::Replay(_) => 0,
        };
        if queries > MOST_QUERIES {
            let message = format!("{queries} queries are too many; at most {MOST_QUERIES} here");
            return Err(Problem::new(ProblemKind::Query, message));
        }
        Ok(self)
    }

    /// Whether the answer takes longer than a click may wait for.
    pub fn is_slow(&self) -> bool {
        matches!(
            self,
            Question::Odds(_)
                | Question::Fix(_)
                | Question::Build(_)
                | Question::Tune(_)
                | Question::Room(_)
                | Question::Swap(_)
        )
    }
}
