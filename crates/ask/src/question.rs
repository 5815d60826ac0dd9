//! Everything that can be asked of a deck.

use crate::deck::{DeckText, Subject};
use crate::library::Library;
use crate::parts::DeckAnswer;
use decklaw_engine::odds::DEFAULT_WORK;
use decklaw_engine::solve::STEPS_A_SECOND;
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The copies that a player owns, by the card's name.
pub type Owned = BTreeMap<String, u32>;

/// A question with its type of answer.
pub trait Ask: Sized {
    /// The answer's type.
    type Answer;

    /// Answers the question.
    ///
    /// # Errors
    /// A deck, query, number or game that makes an answer impossible.
    fn ask(self, library: &Library) -> Result<Self::Answer, Problem>;
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

/// Reads a number of cards in a call.
#[cfg(feature = "clap")]
fn hand_size(text: &str) -> Result<u32, &'static str> {
    let advice =
        "a number of cards; what the hand must hold is an argument of its own, without `--hand`";
    text.parse().map_err(|_| advice)
}

/// Reads a seat in a call: a number or a letter.
#[cfg(feature = "clap")]
fn seat(text: &str) -> Result<u32, &'static str> {
    match text.as_bytes() {
        [only] if only.is_ascii_alphabetic() => Ok(u32::from(only.to_ascii_uppercase() - b'A') + 1),
        _ => text.parse().map_err(|_| "write a seat as a letter or a number, such as A or 1"),
    }
}

/// Reads an effort in a call.
#[cfg(feature = "clap")]
fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds = text.trim().parse().ok().filter(|seconds| is_effort(*seconds));
    seconds.ok_or("use a number of seconds above 0, at most a day")
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

/// A question about a deck: its own options after those that all of them have, and before the
/// limits of its work. Those that are options of a command have `(clap arg)`, and the help of the
/// command as their docs.
macro_rules! about_a_deck {
    ($($(#[doc = $about:literal])* $name:ident $(($clap:ident $arg:ident))?
        $(+ $effort:ident $(+ $memory:ident)?)? {
            $($(#[$meta:meta])* $field:ident: $kind:ty,)*
        })*) => {$(
        // A call with `concat!` is no text to clap, which would take it as the help of the command.
        $(#[doc = concat!($about)])*
        #[derive(Debug, Clone, Default, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        $(#[cfg_attr(feature = "clap", derive($clap::Args), group(skip))])?
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            /// The deck: its text, or an object as `decklaw convert --to-format json` writes it.
            $(#[cfg_attr(feature = "clap", $arg(skip))])?
            #[cfg_attr(test, schemars(skip))]
            pub deck: DeckText,
            /// What the text is written in, such as `yaml`; by default decklaw's own text.
            #[serde(skip_serializing_if = "Option::is_none")]
            $(#[cfg_attr(feature = "clap", $arg(skip))])?
            #[cfg_attr(test, schemars(skip))]
            pub from: Option<String>,
            /// The format's id; by default what the deck says.
            #[serde(skip_serializing_if = "Option::is_none")]
            $(#[cfg_attr(feature = "clap", $arg(skip))])?
            #[cfg_attr(test, schemars(skip))]
            pub format: Option<String>,
            /// Settings, name to value.
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            $(#[cfg_attr(feature = "clap", $arg(skip))])?
            #[cfg_attr(test, schemars(skip))]
            pub settings: BTreeMap<String, String>,
            /// A banlist's id, or `none`; by default the list in force.
            #[serde(skip_serializing_if = "Option::is_none")]
            $(#[cfg_attr(feature = "clap", $arg(skip))])?
            #[cfg_attr(test, schemars(skip))]
            pub banlist: Option<String>,
            /// The day of the verdict; by default the library's.
            #[serde(skip_serializing_if = "Option::is_none")]
            $(#[cfg_attr(feature = "clap", $arg(skip))])?
            #[cfg_attr(test, schemars(skip))]
            pub as_of: Option<Date>,
            $($(#[$meta])* pub $field: $kind,)*
            $(
                /// Stop after about this much work [default: 2]
                ///
                /// It counts work and not time, so that the answer is the same on every machine. Raise
                /// it where the answer is not proven.
                #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", value_parser = seconds))]
                pub $effort: Option<f64>,
                $(
                    /// The most memory of odds in bytes; by default 256 MiB. A limit of the server: no
                    /// part of the JSON.
                    #[serde(skip)]
                    #[cfg_attr(feature = "clap", arg(skip))]
                    pub $memory: Option<u64>,
                )?
            )?
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
    Odds(clap arg) + effort + memory {
        /// What the hand must hold [default: the game's usual questions]
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(value_name = "HAND"))]
        queries: Vec<String>,
        /// Show turns 1 to N too
        #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
        turns: Option<u32>,
        /// Keep opening hands that match [default: those that match the query]
        ///
        /// Other hands are mulliganed while the game allows it; `best` keeps whatever is best for the
        /// query. Example: `--keep-hand '2+ [mana<=2]'`
        #[cfg_attr(feature = "clap", arg(long, value_name = "HAND|best", allow_hyphen_values = true))]
        keep_hand: Option<String>,
        /// Show mean and distribution of a total, such as 'sum(mana)'
        ///
        /// Example: `--expect 'sum(mana) [type:spell]'`
        #[cfg_attr(feature = "clap", arg(long, value_name = "TOTAL", allow_hyphen_values = true))]
        expect: Option<String>,
        /// Conditions on the first cards drawn: '7: HAND; 9: HAND'
        ///
        /// Example: `--path '7: 1+ [type:trap]; 9: 2+ [type:trap]'` asks for one among the first 7 cards
        /// and two among the first 9.
        #[cfg_attr(feature = "clap", arg(long, value_name = "PATH", allow_hyphen_values = true))]
        path: Option<String>,
        /// Deal N sample hands
        #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0, hide_default_value = true))]
        deal: u32,
        /// Seed of the sample hands [default: decklaw]
        #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT", requires = "deal"))]
        seed: Option<String>,
        /// Show the counts behind the numbers
        #[cfg_attr(feature = "clap", arg(long))]
        show_work: bool,
        /// Cards in the opening hand [default: the game's]
        #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = hand_size))]
        hand: Option<u32>,
        /// Draw from this section [default: the game's]
        #[cfg_attr(feature = "clap", arg(long, value_name = "ID"))]
        section: Option<String>,
        /// Condition on the opening hand matching HAND
        ///
        /// The odds are those of hands that match. Example: `--given '1+ [type:trap]'`
        #[cfg_attr(feature = "clap", arg(long, value_name = "HAND", allow_hyphen_values = true))]
        given: Option<String>,
        /// Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
        ///
        /// Its kind is none, aside or shuffle; then the most mulligans, and the cards bottomed after
        /// each. `--policy none` plays without.
        #[cfg_attr(feature = "clap", arg(long, value_name = "POLICY"))]
        policy: Option<String>,
        /// Draw N more cards after the opening hand
        #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0))]
        draws: u32,
        /// Events that change how the game draws, name to turns.
        #[cfg_attr(feature = "clap", arg(skip))]
        event: BTreeMap<String, Vec<u32>>,
        /// Seat at the table, from 1, where seats draw differently
        #[cfg_attr(feature = "clap", arg(long, value_name = "SEAT", value_parser = seat, conflicts_with = "hand"))]
        seat: Option<u32>,
    }

    /// What is the smallest change that makes the deck legal? The answer of `decklaw fix`.
    Fix(clap arg) + effort {
        /// Keep these cards
        ///
        /// Their copies are not taken out. Example: `--keep 'colour:blue'`
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS", allow_hyphen_values = true))]
        keep: Vec<String>,
        /// Add only these cards
        ///
        /// Other cards of the deck stay. Example: `--only 'mana<=3'`
        #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS", allow_hyphen_values = true))]
        only: Option<String>,
        /// What the player owns; by default every card.
        #[cfg_attr(feature = "clap", arg(skip))]
        own: Option<Owned>,
    }

    /// Which legal deck satisfies some wishes? The answer of `decklaw build`: with a deck that
    /// deck finished, without one a new deck.
    Build(clap arg) + effort + memory {
        /// What the deck must hold, as HAND or 'SECTION: HAND'
        ///
        /// Repeatable. Example: `--wish '10+ [colour:blue]' --wish 'side: 3+ [mana<=2]'`
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(long, value_name = "HAND", allow_hyphen_values = true))]
        wish: Vec<String>,
        /// What the deck should hold; earlier ones count more
        ///
        /// A wish that cannot be met is met as far as possible. Example: `--prefer '4+ [element:water]'`
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(long, value_name = "HAND", allow_hyphen_values = true))]
        prefer: Vec<String>,
        /// What the player owns; by default every card.
        #[cfg_attr(feature = "clap", arg(skip))]
        own: Option<Owned>,
        /// Then improve the odds of this hand
        ///
        /// The deck then changes towards likelier hands. Example: `--for '1+ [type:trap]' --turn 3`
        #[serde(rename = "for")]
        #[cfg_attr(feature = "clap", arg(long = "for", value_name = "HAND", allow_hyphen_values = true))]
        goal: Option<String>,
        /// Improve the odds by this turn [default: the opening hand]
        #[cfg_attr(feature = "clap", arg(long, value_name = "N", requires = "goal"))]
        turn: Option<u32>,
        /// Cards of the opening hand; by default the game's.
        #[cfg_attr(feature = "clap", arg(skip))]
        hand: Option<u32>,
        /// Choose differently among similar cards
        #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT"))]
        seed: Option<String>,
        /// The cards of the deck that should stay, by name; by default all.
        #[cfg_attr(feature = "clap", arg(skip))]
        keep: Option<Vec<String>>,
        /// Aims of the game's maker to ignore, as they are written.
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(skip))]
        without: Vec<String>,
    }

    /// Which exchange of cards makes a hand likeliest? The answer of `decklaw tune`.
    Tune(clap arg) + effort + memory {
        /// What the hand should hold; earlier ones count more
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(value_name = "HAND", required = true))]
        queries: Vec<String>,
        /// Exchange at most N cards, 1 to 60 [default: 5]
        ///
        /// Each number of exchanges up to N has its best deck.
        #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
        changes: Option<u32>,
        /// Keep these cards
        ///
        /// Their copies are not taken out. Example: `--keep 'colour:blue'`
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS", allow_hyphen_values = true))]
        keep: Vec<String>,
        /// Add only these cards
        ///
        /// Other cards of the deck stay. Example: `--only 'mana<=3'`
        #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS", allow_hyphen_values = true))]
        only: Option<String>,
        /// What the deck must hold, as HAND or 'SECTION: HAND'
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(long, value_name = "HAND", allow_hyphen_values = true))]
        wish: Vec<String>,
        /// What the player owns; by default every card.
        #[cfg_attr(feature = "clap", arg(skip))]
        own: Option<Owned>,
        /// The section drawn from; by default the game's.
        #[cfg_attr(feature = "clap", arg(skip))]
        section: Option<String>,
        /// Improve the odds by this turn [default: the opening hand]
        #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
        turn: Option<u32>,
        /// Keep opening hands that match [default: those that match the query]
        ///
        /// Other hands are mulliganed while the game allows it; `best` keeps whatever is best for the
        /// query. Example: `--keep-hand '2+ [mana<=2]'`
        #[cfg_attr(feature = "clap", arg(long, value_name = "HAND|best", allow_hyphen_values = true))]
        keep_hand: Option<String>,
        /// Cards in the opening hand [default: the game's]
        #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = hand_size))]
        hand: Option<u32>,
        /// Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
        ///
        /// Its kind is none, aside or shuffle; then the most mulligans, and the cards bottomed after
        /// each. `--policy none` plays without.
        #[cfg_attr(feature = "clap", arg(long, value_name = "POLICY"))]
        policy: Option<String>,
    }

    /// How many more copies of each card fit? The answer of `decklaw room`.
    Room(clap arg) + effort {}

    /// What is the smallest exchange with the side deck? The answer of `decklaw swap`.
    Swap(clap arg) + effort {
        /// Cards in and out, as 'in: "Card" 2; out: "Other"'
        #[cfg_attr(feature = "clap", arg(value_name = "WISH"))]
        wish: String,
    }

    /// What is the deck made of? The answer of `decklaw stats`.
    Stats(clap arg) {
        /// Count these sections [default: the game's choice]
        #[serde(deserialize_with = "one_or_several")]
        #[cfg_attr(feature = "clap", arg(long, value_name = "ID"))]
        section: Vec<String>,
        /// Whether the answer's table lists the cards in place of the statistics. No part of the
        /// JSON, which has no cards.
        #[serde(skip)]
        #[cfg_attr(feature = "clap", arg(skip))]
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
        #[cfg_attr(test, schemars(skip))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// Whether a search may take so long.
fn is_effort(seconds: f64) -> bool {
    seconds > 0.0 && seconds <= MOST_SECONDS
}

/// Units of work for an effort in seconds.
fn work(effort: Option<f64>, a_second: u64) -> Result<u64, Problem> {
    let seconds = effort.unwrap_or(SECONDS);
    if !is_effort(seconds) {
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
