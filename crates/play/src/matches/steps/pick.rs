//! A draft: cards picked in turn from a pool that lies partly face down.

use super::prompt::{Prompt, PromptOption};
use super::{Act, Context, Names, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Pending, PickedCard, PoolSlot, Random};
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use crate::matches::table::{Card, Slot, Table, ZoneId};
use serde::{Deserialize, Serialize};

/// Two seats pick cards in turn, the one that begins first.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Pick {
    /// The zone to pick from: one in the middle, or each seat's own.
    pub pool: String,
    /// The zone to which picked cards go.
    pub hand: String,
    /// Who picks how often from where, in order.
    pub rounds: Vec<Rounds>,
    /// What restricts picking face-down cards.
    #[serde(default)]
    pub face_down: FaceDown,
    /// The option with which a pick may be left to chance.
    pub at_random: Option<String>,
    /// The option with which each picked card goes to the other seat.
    pub for_the_other: Option<String>,
    /// What follows a face-down pick.
    pub mirror: Option<Mirror>,
}

/// Some rounds of picks; in each, every seat receives one card.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rounds {
    /// How many rounds.
    pub times: usize,
    /// Where the cards come from.
    pub from: PickFrom,
    /// Whether the other seat picks for the one whose turn it is.
    #[serde(default)]
    pub chosen_by_the_other: bool,
}

/// Which pool is picked from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PickFrom {
    /// The one in the middle.
    Middle,
    /// The picker's own.
    Own,
    /// The other seat's.
    Other,
    /// The receiver's or the other seat's, in this order.
    Either,
}

/// What restricts picking face-down cards.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaceDown {
    /// Whether the very first pick may not be one.
    #[serde(default)]
    pub not_first: bool,
    /// How many each seat may pick at most.
    pub most: Option<usize>,
    /// Whether each seat must pick a face-up card, as long as there is one.
    #[serde(default)]
    pub one_face_up: bool,
}

/// After a face-down pick, the card of the same rank nearest the top of a pile joins the
/// pool face up, and the pile is shuffled.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mirror {
    /// The option with which it happens.
    pub with: String,
    /// The pile.
    pub from: String,
    /// The endings of a card's name after its rank.
    pub suits: Vec<String>,
    /// Names that are of one rank all the same.
    pub alike: Vec<String>,
}

/// One pick: whose, for whom, from where.
#[derive(Debug, Clone)]
struct Turn {
    number: usize,
    picker: SeatId,
    receiver: SeatId,
    /// The pools, in the order in which they are listed.
    pools: Vec<ZoneId>,
    /// Whether it is the picker's last one.
    is_last: bool,
}

impl Act for Pick {
    fn names(&self) -> Names<'_> {
        let mut names = Names { zones: vec![&self.pool, &self.hand], ..Names::default() };
        names.options.extend(&self.at_random);
        names.options.extend(&self.for_the_other);
        if let Some(mirror) = &self.mirror {
            names.zones.push(&mirror.from);
            names.options.push(&mirror.with);
        }
        names
    }

    fn awaits(&self, state: &State, context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        let Some(turn) = self.turn(state, context)? else {
            return Ok(Vec::new());
        };
        let legal = self.legal(state, &turn).into_iter();
        Ok(vec![Pending::Pick {
            seat: turn.picker,
            to: turn.receiver,
            legal: legal.map(|(place, slot)| pool_slot(place, slot)).collect(),
        }])
    }

    fn prompt(
        &self,
        state: &State,
        context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let prompt = Prompt::of(pending, "Pick a card");
        let Some(turn) = self.turn(state, context)? else {
            return Ok(prompt);
        };
        let seat = turn.picker;
        let option = |(place, slot): (ZoneId, usize)| {
            let lying = state.table.zone(place).slots[slot];
            let name = if lying.up {
                state.table.instance(lying.card).name.as_str()
            } else {
                "(face down)"
            };
            let whose = place.seat.map_or(String::new(), |seat| format!("{seat}'s "));
            let card = PickedCard::Slot(pool_slot(place, slot));
            PromptOption::new(format!("{whose}{name}"), Decision::Pick { seat, card })
        };
        let by = Random::Random;
        let by_chance = context.is_on(self.at_random.as_ref()).then(|| {
            let card = PickedCard::Chance { by };
            PromptOption::new("chance picks", Decision::Pick { seat, card })
        });
        let text = if turn.receiver == seat {
            prompt.text.clone()
        } else {
            format!("Pick a card for seat {}", turn.receiver)
        };
        let options = self.legal(state, &turn).into_iter().map(option);
        Ok(Prompt { text, ..prompt }.with(options).with(by_chance))
    }

    fn decide(
        &self,
        state: &mut State,
        context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let (Decision::Pick { card, .. }, Some(turn)) = (decision, self.turn(state, context)?)
        else {
            return refused("this is not a pick");
        };
        let (place, slot) = match card {
            PickedCard::Slot(slot) => self.chosen(state, &turn, *slot)?,
            PickedCard::Chance { .. } if !context.is_on(self.at_random.as_ref()) => {
                return refused("a pick is left to chance only with the option for it");
            }
            PickedCard::Chance { .. } => {
                let legal = self.legal(state, &turn);
                let mut words = context.stream(&format!("pick/{}", turn.number));
                let number = below(&mut words, legal.len() as u32) as usize;
                match legal.get(number) {
                    Some(chosen) => *chosen,
                    None => return refused("there is no card to pick"),
                }
            }
        };
        let Slot { card, up } = state.table.zone_mut(place).slots.remove(slot);
        let hand = state.table.place(turn.receiver, &self.hand)?;
        let held = &mut state.table.zone_mut(hand).slots;
        held.push(Slot { card, up: false });
        state.progress.number += 1;
        let count = &mut state.progress.picked[turn.picker.index()];
        if up {
            count.up += 1
        } else {
            count.down += 1;
            self.bring_mirror(state, context, place, card)?;
        }
        Ok(())
    }
}

impl Pick {
    /// The pick that is next; `None`: all are made.
    fn turn(&self, state: &State, context: &Context<'_>) -> Result<Option<Turn>, MatchError> {
        let order = state.table.turn_order();
        let next = |place: usize| order[(place + 1) % order.len()];
        let picker = |rounds: &Rounds, place: usize| {
            if rounds.chosen_by_the_other { next(place) } else { order[place] }
        };
        let rounds = self.rounds.iter();
        let rounds = rounds.flat_map(|rounds| std::iter::repeat_n(rounds, rounds.times));
        let turns = rounds.flat_map(|rounds| (0..order.len()).map(move |place| (rounds, place)));
        let number = state.progress.number;
        let mut ahead = turns.skip(number);
        let Some((rounds, place)) = ahead.next() else {
            return Ok(None);
        };
        let picks = picker(rounds, place);
        let receiver =
            if context.is_on(self.for_the_other.as_ref()) { next(place) } else { order[place] };
        let other = |seat| {
            let mut seats = state.table.seat_ids();
            seats.find(|other| *other != seat).unwrap_or(seat)
        };
        let seats = match rounds.from {
            PickFrom::Middle | PickFrom::Own => vec![picks],
            PickFrom::Other => vec![other(picks)],
            PickFrom::Either => vec![receiver, other(receiver)],
        };
        let pools = seats.into_iter().map(|seat| state.table.place(seat, &self.pool));
        Ok(Some(Turn {
            number,
            picker: picks,
            receiver,
            pools: pools.collect::<Result<_, _>>()?,
            is_last: !ahead.any(|(rounds, place)| picker(rounds, place) == picks),
        }))
    }

    /// The slots that may be picked.
    fn legal(&self, state: &State, turn: &Turn) -> Vec<(ZoneId, usize)> {
        let is_down_legal = self.down_refusal(state, turn).is_none();
        let mut legal = Vec::new();
        for place in &turn.pools {
            let slots = state.table.zone(*place).slots.iter().enumerate();
            let allowed = slots.filter(|(_, slot)| slot.up || is_down_legal);
            legal.extend(allowed.map(|(at, _)| (*place, at)));
        }
        legal
    }

    /// Why a face-down card may not be picked.
    fn down_refusal(&self, state: &State, turn: &Turn) -> Option<String> {
        let picked = state.progress.picked[turn.picker.index()];
        let limits = &self.face_down;
        if limits.not_first && turn.number == 0 {
            return Some("the first pick of all must be a face-up card".to_owned());
        }
        if limits.most.is_some_and(|most| picked.down >= most) {
            let taken = decklaw_text::text::counted(picked.down as i64, "face-down card");
            return Some(format!(
                "seat {} has picked {taken} and may not pick another",
                turn.picker
            ));
        }
        let up_left = up_left(&state.table, &turn.pools);
        let owes = limits.one_face_up && picked.up == 0 && up_left > 0;
        (owes && (turn.is_last || up_left == 1))
            .then(|| format!("seat {} must pick a face-up card: it has none yet", turn.picker))
    }

    /// The slot that a decision picks.
    fn chosen(
        &self,
        state: &State,
        turn: &Turn,
        PoolSlot { pool, slot }: PoolSlot,
    ) -> Result<(ZoneId, usize), MatchError> {
        let have_owners = turn.pools.iter().any(|place| place.seat.is_some());
        match (have_owners, pool) {
            (true, None) => return refused("a pick names its `pool`, a seat"),
            (false, Some(_)) => return refused("there is just one pool: name no `pool`"),
            _ => (),
        }
        let Some(place) = turn.pools.iter().find(|place| place.seat == pool) else {
            return refused("this pick is not from that pool");
        };
        if self.legal(state, turn).contains(&(*place, slot)) {
            return Ok((*place, slot));
        }
        let held = state.table.zone(*place).slots.len();
        if slot >= held {
            return refused(format!("unknown slot {slot}: the pool has {held}"));
        }
        let reason = self.down_refusal(state, turn);
        let reason = reason.unwrap_or_else(|| "it may not be picked now".to_owned());
        refused(format!("slot {slot} lies face down: {reason}"))
    }

    /// Brings the card that mirrors a face-down pick, where the option is on.
    fn bring_mirror(
        &self,
        state: &mut State,
        context: &Context<'_>,
        pool: ZoneId,
        card: Card,
    ) -> Result<(), MatchError> {
        let mirror = self.mirror.as_ref();
        let Some(mirror) = mirror.filter(|mirror| context.is_on(Some(&mirror.with))) else {
            return Ok(());
        };
        let rank = |card| mirror.rank(&state.table.instance(card).name);
        let pile = state.table.place(SeatId::A, &mirror.from)?;
        let slots = &state.table.zone(pile).slots;
        if let Some(at) = slots.iter().position(|slot| rank(slot.card) == rank(card)) {
            let card = state.table.zone_mut(pile).slots.remove(at).card;
            let slot = Slot { card, up: true };
            state.table.zone_mut(pool).slots.push(slot);
            state.table.shuffle(pile, &context.seed);
        }
        Ok(())
    }
}

impl Mirror {
    /// A card's rank: its name without the suit; the names that are alike have one rank.
    fn rank<'a>(&'a self, name: &'a str) -> &'a str {
        if let (Some(first), true) =
            (self.alike.first(), self.alike.iter().any(|alike| alike == name))
        {
            return first;
        }
        self.suits.iter().find_map(|suit| name.strip_suffix(suit.as_str())).unwrap_or(name)
    }
}

fn up_left(table: &Table, pools: &[ZoneId]) -> usize {
    let slots = pools.iter().flat_map(|place| table.zone(*place).slots.iter());
    slots.filter(|slot| slot.up).count()
}

fn pool_slot(place: ZoneId, slot: usize) -> PoolSlot {
    PoolSlot { pool: place.seat, slot }
}
