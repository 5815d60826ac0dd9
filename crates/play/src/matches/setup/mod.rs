//! How a game is set up, as its format file says it: seats, zones, options and steps.
//!
//! The step kinds are in [`steps`](super::steps), one file each; this is what holds them.

mod decks;
pub(super) mod lay_out;
mod lint;
mod of_game;
mod options;

use crate::matches::choice::Choice;
pub use crate::matches::choice::When;
pub use crate::matches::steps::Step;
use crate::matches::steps::StepKind;
pub use crate::matches::table::{Terms, Visibility};
use decklaw_engine::solve::Exchange;
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The setup of one format.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Setup {
    /// The formats that start so; none: every one of the game.
    #[serde(default)]
    pub only: Vec<String>,
    /// How many sit at the table: `{between: [2, 4]}`, four at most, as many as there are decks; or
    /// `{option: players}`, what that option says.
    pub seats: Seats,
    /// Whose decks are played.
    pub decks: Decks,
    /// The sections that a deck may have, in the order in which instance ids are given.
    pub sections: Vec<String>,
    /// Whether a deck may have further sections; each becomes a zone of its own.
    #[serde(default)]
    pub open: bool,
    /// What setup needs to know of cards, and so is registered with the deck.
    #[serde(default)]
    pub records: BTreeMap<String, Record>,
    /// What can be chosen for a match, and the defaults.
    #[serde(default)]
    pub options: BTreeMap<String, Choices>,
    /// Combinations of options that are refused.
    #[serde(default)]
    pub refused: Vec<ForbiddenCombination>,
    /// Numbers that the rules text leaves open and an organiser must give.
    #[serde(default)]
    pub settings: BTreeMap<String, Setting>,
    /// Where cards lie.
    pub zones: Zones,
    /// What each seat counts.
    #[serde(default)]
    pub counters: BTreeMap<String, Counter>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// Whether all games of a match are played, however early one seat has won most of them.
    #[serde(default)]
    pub every_game: bool,
}

impl Setup {
    /// The zone of a name: each seat's, or the one in the middle.
    pub(in crate::matches) fn zone(&self, name: &str) -> Option<&Zone> {
        let seat = self.zones.seat.get(name);
        seat.or_else(|| self.zones.shared.get(name))
    }

    /// What a player may exchange before a game, where the setup lets one: the section that
    /// is not played, and those with which it is exchanged.
    ///
    /// ```
    /// use decklaw_rules::format::Catalogue;
    /// let shell = Catalogue::built_in().format("shell").unwrap();
    /// let exchange = decklaw_play::matches::Setup::exchange_of(&shell).unwrap().unwrap();
    /// assert_eq!((exchange.side.as_str(), exchange.sections.len()), ("side", 2));
    /// ```
    pub fn exchange(&self) -> Option<Exchange> {
        self.steps.iter().find_map(|step| {
            let (side, sections) = step.action.act().exchanges()?;
            let side = self.zone(side)?.holds.clone()?;
            let sections = sections.into_iter().map(str::to_owned).collect();
            Some(Exchange { side, sections })
        })
    }

    /// The zone from which cards are picked before the game, where the game has such picks.
    pub fn pool_zone(&self) -> Option<&str> {
        self.steps.iter().find_map(|step| match &step.action {
            StepKind::Pick(pick) => Some(pick.pool.as_str()),
            _ => None,
        })
    }
}

/// How many sit at the table.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Seats {
    /// From the first to the second number; as many as there are decks.
    Between(u8, u8),
    /// The value of an option.
    Option(String),
}

/// Whose decks are played.
#[derive(Debug, Clone, Deserialize, Serialize, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decks {
    /// Every seat brings one.
    Own,
    /// One lies in the middle.
    Shared,
    /// One lies in the middle: every card of the format's pool once, under this name.
    WholePool(String),
}

impl Decks {
    /// Whether one deck lies in the middle.
    pub fn are_shared(&self) -> bool {
        !matches!(self, Decks::Own)
    }
}

/// A field of a card that is registered with the deck.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The cards for which it is, as a card query.
    #[cfg_attr(test, schemars(with = "String"))]
    pub of: Spanned<String>,
}

/// What an option may be.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Choices {
    /// Every value that it may have.
    pub one_of: Vec<Choice>,
    /// The value where none is given.
    pub default: Choice,
}

/// A combination of options that is refused.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ForbiddenCombination {
    /// The combination.
    pub when: When,
    /// Why, for a person to read.
    pub why: String,
}

/// A number that an organiser must give.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Setting {
    /// The smallest value.
    pub least: i64,
    /// The largest value.
    pub most: Option<i64>,
    /// The section whose number of cards is the largest value.
    pub most_in: Option<String>,
    /// Why it must be given, for a person to read.
    pub why: String,
}

/// The zones of a table.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Zones {
    /// Those in the middle.
    #[serde(default)]
    pub shared: BTreeMap<String, Zone>,
    /// Those before each seat.
    #[serde(default)]
    pub seat: BTreeMap<String, Zone>,
}

/// A place for cards.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// Who may look at its cards.
    pub seen: Visibility,
    /// The section whose cards lie there at first.
    pub holds: Option<String>,
    /// Just those of its cards whose registered fields have these values.
    #[serde(default)]
    pub only: BTreeMap<String, Choice>,
    /// The options with which the zone exists.
    #[serde(default)]
    pub when: When,
    /// How it is played with.
    #[serde(default)]
    pub play: Terms,
}

impl Zone {
    /// Whether each card that another zone could hold lies here if this one is asked first.
    fn takes_all_of(&self, other: &Zone) -> bool {
        let only = |(field, value): (&String, &Choice)| other.only.get(field) == Some(value);
        self.holds == other.holds && self.only.iter().all(only) && self.when.holds_with(&other.when)
    }
}

/// What a seat counts.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Where it starts.
    pub start: Start,
    /// It never starts higher than this.
    pub most: Option<i64>,
    /// The options with which it is counted.
    #[serde(default)]
    pub when: When,
}

/// Where a counter starts.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Start {
    /// At a number.
    At(i64),
    /// At the value of a setting.
    Setting(String),
    /// At a registered field of the seat's card of a section; where the card has none, at
    /// the setting `SEAT.COUNTER`, which must then be given.
    Card {
        /// The section.
        section: String,
        /// The registered field.
        field: String,
    },
}
