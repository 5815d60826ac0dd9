//! Everything that can be asked of a deck.

use crate::answer::{Answer, DeckAnswer};
use crate::deck::DeckText;
use crate::library::Library;
use decklaw_engine::odds::DEFAULT_WORK;
use decklaw_engine::solve::STEPS_A_SECOND;
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The copies that a player owns, by the card's name.
pub type Owned = BTreeMap<String, u32>;

/// A question with its type of answer.
pub trait Ask: Into<Question> {
    /// The answer's type.
    type Answer: Into<Answer>;

    /// Answers the question.
    ///
    /// # Errors
    /// A deck, query, number or game that makes an answer impossible.
    fn ask(self, library: &Library) -> Result<Self::Answer, Problem>;
}

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

/// The enum of all questions.
macro_rules! questions {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// Any question, as JSON `{"ask": "check", …}`.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(tag = "ask", rename_all = "kebab-case")]
        pub enum Question {
            $($(#[$about])* $name($name),)*
        }

        $(impl From<$name> for Question {
            fn from(question: $name) -> Question {
                Question::$name(question)
            }
        })*

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

/// The options that every question about a deck has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'q> {
    pub(crate) deck: &'q DeckText,
    pub(crate) from: Option<&'q str>,
    pub(crate) format: Option<&'q str>,
    pub(crate) settings: &'q BTreeMap<String, String>,
    pub(crate) banlist: Option<&'q str>,
    pub(crate) as_of: Option<Date>,
}

/// A question about a deck. Its answer has the notes of the deck.
pub trait AboutDeck: Ask<Answer: DeckAnswer> {
    /// Fills in the deck, its file format, and its game's format where it is given.
    #[must_use]
    fn about(self, deck: DeckText, from: Option<&str>, format: Option<&str>) -> Self;

    /// Fills in the format where the question names none.
    #[must_use]
    fn in_format(self, format: &str) -> Self;
}

/// Reads a list of texts, or one text as a list of one.
fn one_or_several<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum Texts {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Texts::deserialize(from)? {
        Texts::One(text) => vec![text],
        Texts::Several(texts) => texts,
    })
}

/// A question about a deck: its own options after those that all of them have.
macro_rules! about_a_deck {
    ($($(#[$about:meta])* $name:ident {
        $($(#[$meta:meta])* $field:ident: $kind:ty,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            /// The deck: its text, or an object as `decklaw convert --to-format json` writes it.
            pub deck: DeckText,
            /// What the text is written in, such as `yaml`; by default decklaw's own text.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub from: Option<String>,
            /// The format's id; by default what the deck says.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub format: Option<String>,
            /// Settings, name to value.
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            pub settings: BTreeMap<String, String>,
            /// A banlist's id, or `none`; by default the list in force.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub banlist: Option<String>,
            /// The day of the verdict; by default the library's.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub as_of: Option<Date>,
            $($(#[$meta])* pub $field: $kind,)*
        }

        impl $name {
            pub(crate) fn subject(&self) -> Subject<'_> {
                Subject {
                    deck: &self.deck,
                    from: self.from.as_deref(),
                    format: self.format.as_deref(),
                    settings: &self.settings,
                    banlist: self.banlist.as_deref(),
                    as_of: self.as_of,
                }
            }
        }

        impl AboutDeck for $name {
            fn about(self, deck: DeckText, from: Option<&str>, format: Option<&str>) -> $name {
                $name {
                    deck,
                    from: from.map(str::to_owned),
                    format: format.map(str::to_owned),
                    ..self
                }
            }

            fn in_format(mut self, format: &str) -> $name {
                self.format.get_or_insert_with(|| format.to_owned());
                self
            }
        }
    )*};
}

about_a_deck! {
    /// Is the deck legal? The answer of `decklaw check`.
    Check {}

    /// How likely are hands? The answer of `decklaw odds`: without queries, total and path those
    /// of the game's presets.
    Odds {
        /// Hand queries.
        #[serde(deserialize_with = "one_or_several")]
        queries: Vec<String>,
        /// Cards of the opening hand; by default the game's.
        hand: Option<u32>,
        /// Answers for turns 1 to this as well.
        turns: Option<u32>,
        /// The section drawn from; by default the game's.
        section: Option<String>,
        /// A condition on the first hand drawn.
        given: Option<String>,
        /// When a hand is kept: a hand query or `best`; by default when the query holds.
        keep_hand: Option<String>,
        /// The mulligan, such as `shuffle, at most 2, bottom 0 1 2`; by default the game's.
        policy: Option<String>,
        /// Cards drawn after the hand.
        draws: u32,
        /// A total whose distribution is asked for, such as `sum(mana)`.
        expect: Option<String>,
        /// Conditions on the first cards, such as `7: 1+ [mana<=2]; 9: 2+ [mana<=2]`.
        path: Option<String>,
        /// Events that change how the game draws, name to turns.
        event: BTreeMap<String, Vec<u32>>,
        /// Whose view it is where seats differ, from 1.
        seat: Option<u32>,
        /// Sample hands to deal.
        deal: u32,
        /// The text that seeds the sample hands; by default `decklaw`.
        seed: Option<String>,
        /// Whether the answer has the counts from which anyone can count again.
        show_work: bool,
        /// The most work, in seconds; by default 2.
        effort: Option<f64>,
        /// The most memory in bytes; by default 256 MiB. A limit of the server: no part of the
        /// JSON.
        #[serde(skip)]
        memory: Option<u64>,
    }

    /// What is the smallest change that makes the deck legal? The answer of `decklaw fix`.
    Fix {
        /// Cards that must stay: card queries.
        #[serde(deserialize_with = "one_or_several")]
        keep: Vec<String>,
        /// The only cards that may come in: a card query.
        only: Option<String>,
        /// What the player owns; by default every card.
        own: Option<Owned>,
        /// The most work, in seconds; by default 2.
        effort: Option<f64>,
    }

    /// Which legal deck satisfies some wishes? The answer of `decklaw build`: with a deck that
    /// deck finished, without one a new deck.
    Build {
        /// What must hold: hand queries, with a section as in `side: 3+ [colour:blue]`.
        #[serde(deserialize_with = "one_or_several")]
        wish: Vec<String>,
        /// What should hold, the first before the second.
        #[serde(deserialize_with = "one_or_several")]
        prefer: Vec<String>,
        /// What the player owns; by default every card.
        own: Option<Owned>,
        /// The hand that is made as likely as it can be: a hand query.
        #[serde(rename = "for")]
        goal: Option<String>,
        /// The turn by which that hand is to hold; by default in the opening hand.
        turn: Option<u32>,
        /// Cards of the opening hand; by default the game's.
        hand: Option<u32>,
        /// Another text, another choice among equal cards.
        seed: Option<String>,
        /// The cards of the deck that should stay, by name; by default all.
        keep: Option<Vec<String>>,
        /// Aims of the game's maker to ignore, as they are written.
        without: Vec<String>,
        /// The most work, in seconds; by default 2.
        effort: Option<f64>,
        /// The most memory of odds, as for [`Odds`].
        #[serde(skip)]
        memory: Option<u64>,
    }

    /// Which exchange of cards makes a hand likeliest? The answer of `decklaw tune`.
    Tune {
        /// Hand queries, the first before the second.
        #[serde(deserialize_with = "one_or_several")]
        queries: Vec<String>,
        /// The most cards that go out and that come in, 1 to 60; by default 5.
        changes: Option<u32>,
        /// Cards that must stay: card queries.
        #[serde(deserialize_with = "one_or_several")]
        keep: Vec<String>,
        /// The only cards that may come in: a card query.
        only: Option<String>,
        /// What the deck must hold: hand queries.
        #[serde(deserialize_with = "one_or_several")]
        wish: Vec<String>,
        /// What the player owns; by default every card.
        own: Option<Owned>,
        /// The section drawn from; by default the game's.
        section: Option<String>,
        /// The turn by which the hand is to hold; by default in the opening hand.
        turn: Option<u32>,
        /// When a hand is kept: a hand query or `best`; by default when the query holds.
        keep_hand: Option<String>,
        /// Cards of the opening hand; by default the game's.
        hand: Option<u32>,
        /// The mulligan; by default the game's.
        policy: Option<String>,
        /// The most work, in seconds; by default 2.
        effort: Option<f64>,
        /// The most memory of odds, as for [`Odds`].
        #[serde(skip)]
        memory: Option<u64>,
    }

    /// How many more copies of each card fit? The answer of `decklaw room`.
    Room {
        /// The most work, in seconds; by default 2.
        effort: Option<f64>,
    }

    /// What is the smallest exchange with the side deck? The answer of `decklaw swap`.
    Swap {
        /// What comes in and goes out, as `in: "Card" 2; out: "Other"`.
        wish: String,
        /// The most work, in seconds; by default 2.
        effort: Option<f64>,
    }

    /// What is the deck made of? The answer of `decklaw stats`.
    Stats {
        /// The sections to count; by default those that the game counts.
        #[serde(deserialize_with = "one_or_several")]
        section: Vec<String>,
        /// Whether the answer's table lists the cards in place of the statistics. No part of the
        /// JSON, which has no cards.
        #[serde(skip)]
        lists_cards: bool,
    }

    /// Which deck is in this file? Without `from` the first reader that understands the text.
    Read {
        /// The file's name: its ending gives the kind of file.
        file: Option<String>,
    }

    /// What is the deck as a file of another kind?
    Write {
        /// The kind, one of [`WRITERS`](crate::WRITERS).
        to_format: String,
    }

    /// What does a page show of a deck after each change?
    View {
        /// Cards to search for.
        search: Option<Search>,
        /// Cards that the page shows, by name: the answer has their room.
        visible: Vec<String>,
        /// The section that cards are added to; cards that it does not take go to the first
        /// section that does.
        into: String,
        /// Cards whose fields the answer has, by name.
        cards: Vec<String>,
        /// Whether the answer has statistics.
        stats: bool,
        /// Odds that the answer has; their deck is this one.
        odds: Vec<Odds>,
        /// What the player owns.
        own: Option<Owned>,
    }

    /// How do two decks differ?
    Compare {
        /// The deck that is compared with, as `deck`.
        with: DeckText,
    }
}

impl Odds {
    /// How likely does a hand query hold?
    pub fn of(query: impl Into<String>) -> Odds {
        Odds { queries: vec![query.into()], ..Odds::default() }
    }
}

impl Tune {
    /// Which exchange of cards makes a hand query likeliest?
    pub fn of(query: impl Into<String>) -> Tune {
        Tune { queries: vec![query.into()], ..Tune::default() }
    }
}

/// Cards to search for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Search {
    /// A card query as its player typed it. A word is searched in names and in free texts, and
    /// cards whose names begin with it come first; where no card matches, the answer has the name
    /// that is nearest.
    pub query: String,
    /// Card queries that must match as well, each about a field, such as chips.
    pub filters: Vec<Filter>,
    /// How many cards to skip.
    pub skip: usize,
    /// How many cards to show.
    pub most: usize,
    /// The field to sort by; by default by name.
    pub sort: String,
    /// Only cards that the player owns.
    pub owned: bool,
    /// Only cards that can go into the deck.
    pub fits: bool,
    /// Fields whose values are counted, each among the cards that the query and the filters of
    /// other fields leave.
    pub facets: Vec<String>,
}

/// A card query about a field.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// The field.
    pub field: String,
    /// The card query.
    pub query: String,
}

/// Which cards does a query select? The answer of `decklaw cards list`; with a collection what
/// that holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cards {
    /// The format's id.
    pub format: String,
    /// A card query; by default all cards.
    pub query: String,
    /// A table with the columns `count` and `name`: only its cards are listed.
    pub collection: Option<String>,
    /// The most cards of the answer; by default all.
    pub most: Option<usize>,
}

/// What is to be known of a format before there is a deck? Without a format: the games and
/// their formats.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Format {
    /// The format's id.
    pub format: Option<String>,
    /// Settings, name to value.
    pub settings: BTreeMap<String, String>,
}

/// What is printed on a card?
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faces {
    /// The format's id.
    pub format: String,
    /// The cards' names.
    pub cards: Vec<String>,
    /// How much each shows: `full` `small` `stack` `thumb` `slice`.
    pub size: decklaw_play::paper::Size,
}

/// How was a match after some of its moves?
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Replay {
    /// The text of the match file, or the SHA-256 that the answer to an earlier question had.
    #[serde(rename = "match")]
    pub file: String,
    /// How many moves; by default all.
    pub at: Option<usize>,
    /// Who looks: a seat, `public` or `open`, which shows every card; by default `public`.
    pub seat: Option<String>,
}

/// The longest search in seconds: a day.
const MOST_SECONDS: f64 = 86_400.0;
/// The work when a question names none, in seconds.
const SECONDS: f64 = 2.0;

/// Units of work for an effort in seconds.
fn work(effort: Option<f64>, a_second: u64) -> Result<u64, Problem> {
    let seconds = effort.unwrap_or(SECONDS);
    if !(seconds > 0.0 && seconds <= MOST_SECONDS) {
        return Err(Problem::new(
            ProblemKind::Query,
            "`effort` is a number of seconds above 0, at most a day",
        ));
    }
    Ok(((seconds * a_second as f64) as u64).max(1))
}

/// The steps of a search for an effort in seconds.
pub(crate) fn steps(effort: Option<f64>) -> Result<u64, Problem> {
    work(effort, STEPS_A_SECOND)
}

/// The work of counting odds for an effort in seconds.
pub(crate) fn counting(effort: Option<f64>) -> Result<u64, Problem> {
    work(effort, DEFAULT_WORK / 2)
}

/// The most queries or wishes of a stranger's question.
const MOST_QUERIES: usize = 24;
/// The most cards of the answer to a stranger's question.
const MOST_CARDS: usize = 200;
/// The most sample hands of a stranger's question.
const MOST_DEALS: u32 = 20;
/// The most bytes that the odds of a stranger's question hold.
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
