//! How hands are drawn in a game: the hand, the mulligan, the cards by turn, and presets.

use super::wrong;
use super::{HandQuery, Mulligan, TotalQuery};
use decklaw_text::name::fold;
use decklaw_text::problem;
use decklaw_text::text::counted;
use decklaw_text::yaml::{Problem, Spanned};
use serde::{Deserialize, Deserializer, Serialize};

/// The odds file of a game. Everything may be missing; questions then need a `hand`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OddsDefaults {
    /// The section drawn from; none: the first that is shuffled.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub section: Option<Spanned<String>>,
    /// Cards of the opening hand by seat: `[3, 4]`; or one number for all.
    #[serde(default, deserialize_with = "one_or_several")]
    #[cfg_attr(test, schemars(with = "OneOrSeveral"))]
    pub hand: Vec<u32>,
    /// The game's mulligan.
    pub mulligan: Option<MulliganDefaults>,
    /// How cards are drawn from turn to turn.
    pub draws: Option<DrawSchedule>,
    /// The event that changes how many cards are drawn.
    pub event: Option<DrawEvent>,
    /// A sentence on what happens when the deck is empty.
    pub empty_deck: Option<String>,
    /// The questions that are answered when none is asked.
    #[serde(default)]
    pub presets: Vec<Preset>,
}

/// The hands of a file.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a number of cards, or a list of one for each seat")]
enum OneOrSeveral {
    One(u32),
    Several(Vec<u32>),
}

fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    Ok(match OneOrSeveral::deserialize(deserializer)? {
        OneOrSeveral::One(all) => vec![all],
        OneOrSeveral::Several(each) => each,
    })
}

/// A game's mulligan.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MulliganDefaults {
    /// What happens to the hand that is put away.
    pub kind: MulliganKind,
    /// The most mulligans taken unless the question says otherwise.
    pub limit: u32,
    /// The most mulligans that make sense.
    pub most: u32,
    /// How many cards are bottomed on keeping after 0, 1, 2… mulligans.
    #[serde(default)]
    pub bottom: Vec<u32>,
}

/// The kinds of mulligan in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MulliganKind {
    /// It stays out of the deck while a new one is drawn.
    Aside,
    /// It is shuffled into the deck before a new one is drawn.
    Shuffle,
}

impl From<MulliganKind> for Mulligan {
    fn from(kind: MulliganKind) -> Mulligan {
        match kind {
            MulliganKind::Aside => Mulligan::Aside,
            MulliganKind::Shuffle => Mulligan::Shuffle,
        }
    }
}

/// How cards are drawn from turn to turn. Turns are the player's own, or rounds, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum DrawSchedule {
    /// The same number each turn.
    Steady {
        /// Cards a turn.
        number: u32,
        /// The first turn that draws.
        from: u32,
    },
    /// A number each turn, and one more for each time that the event happened in an earlier turn.
    Growing {
        /// Cards a turn to begin with.
        number: u32,
        /// The first turn that draws.
        from: u32,
    },
    /// A number each turn, and another from the turn after an event.
    Switching {
        /// Cards a turn up to and in the turn of the event.
        before: u32,
        /// Cards a turn after it.
        after: u32,
    },
    /// Up to the opening hand again, after playing some cards each turn.
    Refill {
        /// Cards played a turn.
        played: u32,
    },
    /// An action draws; one a turn is reckoned.
    Action {
        /// Cards an action draws.
        number: u32,
        /// Cards it draws with an empty hand.
        empty: u32,
    },
}

/// The event that changes how a game draws.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrawEvent {
    /// Its name in commands.
    pub name: String,
    /// How often it can happen in one game.
    pub most: u32,
    /// A sentence on the event and its effect.
    pub told: String,
}

/// The turns of the event that changes how many cards are drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Events {
    /// Its name in the question; `None`: the game's event.
    pub name: Option<String>,
    /// The turns in which it happens, one entry each time.
    pub turns: Vec<u32>,
}

impl Events {
    /// The game's own event in these turns.
    pub fn in_turns(turns: &[u32]) -> Events {
        Events { name: None, turns: turns.to_vec() }
    }
}

impl DrawSchedule {
    /// Cards drawn after the opening hand by the time that a turn is played.
    ///
    /// ```
    /// use decklaw_engine::odds::{DrawSchedule, Events};
    /// let steady = DrawSchedule::Steady { number: 1, from: 1 };
    /// assert_eq!(steady.drawn(3, 5, &Events::default()), 3);
    /// let events = Events::in_turns(&[2]);
    /// let switching = DrawSchedule::Switching { before: 1, after: 2 };
    /// assert_eq!(switching.drawn(4, 7, &events), 6);
    /// ```
    pub fn drawn(self, turn: u32, hand: u32, events: &Events) -> u32 {
        let turns = |from: u32| (turn + 1).saturating_sub(from.max(1));
        match self {
            DrawSchedule::Steady { number, from } => number.saturating_mul(turns(from)),
            DrawSchedule::Growing { number, from } => {
                let earlier = |turn: u32| events.turns.iter().filter(move |at| **at < turn);
                let extra: usize = (from.max(1)..=turn).map(|turn| earlier(turn).count()).sum();
                let extra = u32::try_from(extra).unwrap_or(u32::MAX);
                number.saturating_mul(turns(from)).saturating_add(extra)
            }
            DrawSchedule::Switching { before, after } => {
                let first = events.turns.iter().min().copied();
                let switched = first.unwrap_or(turn).min(turn);
                let late = after.saturating_mul(turn - switched);
                before.saturating_mul(switched).saturating_add(late)
            }
            DrawSchedule::Refill { played } => {
                played.min(hand).saturating_mul(turn.saturating_sub(1))
            }
            DrawSchedule::Action { number, empty } => match hand {
                0 if turn > 0 => empty.saturating_add(number.saturating_mul(turn - 1)),
                _ => number.saturating_mul(turn),
            },
        }
    }
}

impl DrawSchedule {
    /// Whether an event can change how many cards are drawn.
    pub fn changes(self) -> bool {
        matches!(self, DrawSchedule::Growing { .. } | DrawSchedule::Switching { .. })
    }

    /// Cards drawn at the beginning of a turn by a player who holds `held` cards.
    ///
    /// ```
    /// use decklaw_engine::odds::{DrawSchedule, Events};
    /// let none = Events::default();
    /// assert_eq!(DrawSchedule::Refill { played: 1 }.due(4, 5, 2, &none), 3);
    /// assert_eq!(DrawSchedule::Action { number: 1, empty: 2 }.due(1, 5, 0, &none), 2);
    /// let growing = DrawSchedule::Growing { number: 1, from: 2 };
    /// assert_eq!(growing.due(1, 6, 6, &none), 0);
    /// assert_eq!(growing.due(4, 6, 6, &Events::in_turns(&[3, 3])), 3);
    /// ```
    pub fn due(self, turn: u32, opening: u32, held: u32, events: &Events) -> u32 {
        match self {
            DrawSchedule::Refill { .. } => opening.saturating_sub(held),
            DrawSchedule::Action { empty, .. } if held == 0 => empty,
            DrawSchedule::Action { number, .. } => number,
            DrawSchedule::Steady { .. }
            | DrawSchedule::Growing { .. }
            | DrawSchedule::Switching { .. } => {
                let drawn = |turn| self.drawn(turn, opening, events);
                drawn(turn).saturating_sub(drawn(turn.saturating_sub(1)))
            }
        }
    }
}

/// A question that players of a game often ask.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Preset {
    /// The question in a few words.
    #[cfg_attr(test, schemars(with = "String"))]
    pub name: Spanned<String>,
    /// The hand query.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub query: Option<Spanned<String>>,
    /// Instead of a query: the total whose distribution is asked.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub expect: Option<Spanned<String>>,
    /// Hand sizes to answer for; none: the seat's.
    #[serde(default)]
    pub hands: Vec<u32>,
    /// The turn by which it must hold; none: in the opening hand.
    pub turn: Option<u32>,
    /// The most mulligans taken; none: as the game has it.
    pub mulligans: Option<u32>,
}

/// The query of a preset.
pub(super) enum PresetQuery {
    Hand(HandQuery),
    Total(TotalQuery),
}

impl Preset {
    /// The query, and its text in the file.
    pub(super) fn read(&self) -> Result<(&Spanned<String>, PresetQuery), Problem> {
        let (text, query) = match (&self.query, &self.expect) {
            (Some(text), None) => (text, HandQuery::parse(&text.value).map(PresetQuery::Hand)),
            (None, Some(text)) => (text, TotalQuery::parse(&text.value).map(PresetQuery::Total)),
            (Some(both), Some(_)) => {
                let message = "a preset has a `query` or an `expect`, not both";
                return Err(Problem::new(message, both.span));
            }
            (None, None) => {
                let message = format!("the preset `{}` has no `query`", self.name.value);
                return Err(Problem::new(message, self.name.span));
            }
        };
        let query = query.map_err(|error| Problem::new(error.message, text.span))?;
        Ok((text, query))
    }
}

impl OddsDefaults {
    /// Checks that the events can happen in this game.
    ///
    /// # Errors
    /// An event that changes no draw here, one in turn 0, or more than a game can see.
    pub(crate) fn checked(&self, events: &Events) -> Result<(), problem::Problem> {
        if events.turns.is_empty() {
            return Ok(());
        }
        let own = self.event.as_ref();
        let named = events.name.as_deref();
        let own_name = own.map(|own| own.name.as_str());
        let event = named.or(own_name).unwrap_or("event").to_owned();
        let is_own = match (named, own_name) {
            (Some(named), Some(own)) => fold(named) == fold(own),
            _ => true,
        };
        if !is_own || !self.draws.is_some_and(DrawSchedule::changes) {
            let message = format!("no `{event}` changes how this game draws");
            let help = match own_name {
                Some(own) if !is_own => format!("the event of this game is `{own}`"),
                _ => "leave out `--event`".to_owned(),
            };
            return Err(wrong(message, &help));
        }
        if events.turns.contains(&0) {
            let message = format!("turns are counted from 1, so `{event}` cannot be in turn 0");
            return Err(wrong(message, ""));
        }
        let (count, most) = (events.turns.len(), own.map_or(u32::MAX, |own| own.most));
        if count > most as usize {
            let times = counted(most.into(), "time");
            let message = format!("`{event}` has {count} turns, but can happen {times} in a game");
            return Err(wrong(message, ""));
        }
        Ok(())
    }

    /// The hand of a seat, from 1; `None`: the game has no such seat, or no hand.
    pub fn hand_of(&self, seat: u32) -> Option<u32> {
        match self.hand.as_slice() {
            [all] => Some(*all),
            each => each.get((seat as usize).checked_sub(1)?).copied(),
        }
    }
}
