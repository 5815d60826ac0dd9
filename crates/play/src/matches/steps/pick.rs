//! A draft: cards picked in turn from a pool that lies partly face down.

use super::asked::{Answer, Question};
use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::step::{Fields, Flow, Step, Terms, is_of, seat_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use crate::matches::table::{Card, Slot, Table, ZoneAt, ZoneId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

/// Some rounds of picks, in each of which every seat receives one card.
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
    /// The endings that a card's name has besides its rank.
    pub suits: Vec<String>,
    /// Names that are of one rank all the same.
    pub alike: Vec<String>,
}

const STEP: &str = "pick";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    #[serde(rename = "seat")]
    _seat: SeatId,
    slot: Option<usize>,
    pool: Option<SeatId>,
    by: Option<By>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Random,
}

/// How often a seat has picked.
#[derive(Debug, Clone, Copy, Default)]
struct Picked {
    up: usize,
    down: usize,
}

/// One pick: whose, for whom, from where.
#[derive(Debug, Clone, Copy)]
struct Turn {
    number: usize,
    picker: SeatId,
    receiver: SeatId,
    from: PickFrom,
    /// Whether it is the picker's last one.
    last: bool,
}

impl Terms for Pick {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        let (pool, hand) = (names.zone(&self.pool), names.zone(&self.hand));
        let mirror = self.mirror.as_ref();
        let mirror = mirror.map(|mirror| (mirror, names.zone(&mirror.from)));
        let at_random = names.on(self.at_random.as_ref());
        let for_the_other = names.on(self.for_the_other.as_ref());
        let mirror = mirror.filter(|(mirror, _)| names.on(Some(&mirror.with)));
        Box::new(Picking {
            pool,
            hand,
            rounds: &self.rounds,
            face_down: &self.face_down,
            at_random,
            for_the_other,
            mirror,
        })
    }

    fn example(pending: &Value) -> Option<Fields> {
        let first = pending.pointer("/legal/0").and_then(Value::as_object);
        let fields = first.into_iter().flatten();
        Some(
            fields
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    }
}

/// A draft of one match: the options that it asks for are answered.
#[derive(Debug)]
struct Picking<'a> {
    pool: ZoneAt,
    hand: ZoneAt,
    rounds: &'a [Rounds],
    face_down: &'a FaceDown,
    at_random: bool,
    for_the_other: bool,
    mirror: Option<(&'a Mirror, ZoneAt)>,
}

impl Step for Picking<'_> {
    fn ask(&self, table: &Table, pending: &Value) -> Option<Question> {
        let seat = seat_of(pending).filter(|_| is_of(pending, STEP))?;
        let to = pending
            .get("to")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let answer = |legal: &Value| -> Option<Answer> {
            let slot = usize::try_from(legal.get("slot")?.as_u64()?).ok()?;
            let pool = legal.get("pool").and_then(Value::as_str);
            let owner = pool.and_then(SeatId::parse).unwrap_or(seat);
            let lying = table.zone(self.pool.of(owner)).slots.get(slot)?;
            let name = match lying.up {
                true => table.instance(lying.card).name.as_str(),
                false => "(face down)",
            };
            let whose = pool.map_or(String::new(), |pool| format!("{pool}'s "));
            let mut decision = json!({ "step": STEP, "seat": seat });
            for (field, value) in legal.as_object()? {
                decision[field.as_str()] = value.clone();
            }
            Some(Answer::whole(format!("{whose}{name}"), decision))
        };
        let legal = pending.get("legal").and_then(Value::as_array)?;
        let mut answers: Vec<Answer> = legal.iter().filter_map(answer).collect();
        if self.at_random {
            let decision = json!({ "step": STEP, "seat": seat, "by": "random" });
            answers.push(Answer::whole("chance picks", decision));
        }
        Some(Question {
            blind: false,
            seat: Some(seat),
            text: match to == seat.letter() {
                true => "Pick a card".to_owned(),
                false => format!("Pick a card for seat {to}"),
            },
            answers,
        })
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let mut picked = [Picked::default(); SeatId::ALL.len()];
        for turn in self.turns(build) {
            let pools = self.pools(&build.table, turn);
            let so_far = picked[turn.picker.index()];
            let legal = self.legal(&build.table, turn, &pools, so_far);
            let next = build.decisions.next_of(STEP, |seat| seat == turn.picker)?;
            let Some((_, decision)) = next else {
                let legal: Vec<Value> = legal
                    .iter()
                    .map(|(place, slot)| entry(*place, *slot))
                    .collect();
                let (seat, to) = (turn.picker, turn.receiver);
                let pending = json!({ "step": STEP, "seat": seat, "to": to, "legal": legal });
                return Ok(Flow::Awaiting(vec![pending]));
            };
            let (place, slot) = self.chosen(build, decision, turn, &pools, &legal, so_far)?;
            let Slot { card, up } = build.table.zone_mut(place).slots.remove(slot);
            let hand = self.hand.of(turn.receiver);
            build
                .table
                .zone_mut(hand)
                .slots
                .push(Slot { card, up: false });
            let count = &mut picked[turn.picker.index()];
            if up {
                count.up += 1;
            } else {
                count.down += 1;
                self.mirror(build, place, card);
            }
        }
        Ok(Flow::Done)
    }
}

impl Picking<'_> {
    /// Every pick of the draft, in order.
    fn turns(&self, build: &Build<'_>) -> Vec<Turn> {
        let order = build.table.turn_order();
        let swapped = self.for_the_other;
        let mut turns = Vec::new();
        for rounds in self.rounds {
            for _ in 0..rounds.times {
                for (place, seat) in order.iter().enumerate() {
                    let other = order[(place + 1) % order.len()];
                    let by_other = rounds.chosen_by_the_other;
                    turns.push(Turn {
                        number: turns.len(),
                        picker: if by_other { other } else { *seat },
                        receiver: if swapped { other } else { *seat },
                        from: rounds.from,
                        last: false,
                    });
                }
            }
        }
        for seat in &order {
            if let Some(turn) = turns.iter_mut().rev().find(|turn| turn.picker == *seat) {
                turn.last = true;
            }
        }
        turns
    }

    /// The pools that may be picked from, in the order in which they are listed.
    fn pools(&self, table: &Table, turn: Turn) -> Vec<ZoneId> {
        let other = |seat| {
            table
                .seat_ids()
                .find(|other| *other != seat)
                .unwrap_or(seat)
        };
        let seats = match turn.from {
            PickFrom::Middle | PickFrom::Own => vec![turn.picker],
            PickFrom::Other => vec![other(turn.picker)],
            PickFrom::Either => vec![turn.receiver, other(turn.receiver)],
        };
        seats.into_iter().map(|seat| self.pool.of(seat)).collect()
    }

    /// The slots that may be picked.
    fn legal(
        &self,
        table: &Table,
        turn: Turn,
        pools: &[ZoneId],
        picked: Picked,
    ) -> Vec<(ZoneId, usize)> {
        let down_allowed = self
            .down_refused(turn, picked, up_left(table, pools))
            .is_none();
        let mut legal = Vec::new();
        for place in pools {
            let slots = table.zone(*place).slots.iter().enumerate();
            let allowed = slots.filter(|(_, slot)| slot.up || down_allowed);
            legal.extend(allowed.map(|(at, _)| (*place, at)));
        }
        legal
    }

    /// Why a face-down card may not be picked.
    fn down_refused(&self, turn: Turn, picked: Picked, up_left: usize) -> Option<String> {
        let limits = self.face_down;
        if limits.not_first && turn.number == 0 {
            return Some("the first pick of all must be a face-up card".to_owned());
        }
        if limits.most.is_some_and(|most| picked.down >= most) {
            let taken = decklaw_core::text::counted(picked.down as i64, "face-down card");
            return Some(format!(
                "seat {} has picked {taken} and may not pick another",
                turn.picker
            ));
        }
        let owes = limits.one_face_up && picked.up == 0 && up_left > 0;
        if owes && (turn.last || up_left == 1) {
            return Some(format!(
                "seat {} must pick a face-up card: it has none yet",
                turn.picker
            ));
        }
        None
    }

    /// The slot that a decision picks.
    fn chosen(
        &self,
        build: &Build<'_>,
        decision: &Value,
        turn: Turn,
        pools: &[ZoneId],
        legal: &[(ZoneId, usize)],
        picked: Picked,
    ) -> Result<(ZoneId, usize), MatchError> {
        let given: Decision = fields(decision)?;
        let names = |field: &str| decision.get(field).is_some();
        if let Some(By::Random) = given.by {
            if names("slot") || names("pool") {
                return Err(
                    MatchErrorKind::Decision.refused("where chance picks, no `slot` is named")
                );
            }
            if !self.at_random {
                return Err(MatchErrorKind::Decision
                    .refused("a pick is left to chance only with the option for it"));
            }
            let label = format!("{STEP}/{}", turn.number);
            let number = below(&mut build.stream(&label), legal.len() as u32) as usize;
            let chosen = legal.get(number).copied();
            return chosen
                .ok_or_else(|| MatchErrorKind::Decision.refused("there is no card to pick"));
        }
        let Some(slot) = given.slot.filter(|_| !names("by")) else {
            return Err(MatchErrorKind::Decision.refused("a pick names its `slot`, from 0"));
        };
        let pool = match (pools.iter().any(|place| place.seat.is_some()), given.pool) {
            (true, Some(seat)) => pools.iter().find(|place| place.seat == Some(seat)),
            (false, None) if !names("pool") => pools.first(),
            (true, None) => {
                return Err(MatchErrorKind::Decision.refused("a pick names its `pool`, a seat"));
            }
            (false, _) => {
                return Err(
                    MatchErrorKind::Decision.refused("there is just one pool: name no `pool`")
                );
            }
        };
        let Some(pool) = pool else {
            return Err(MatchErrorKind::Decision.refused("this pick is not from that pool"));
        };
        if legal.contains(&(*pool, slot)) {
            return Ok((*pool, slot));
        }
        let held = build.table.zone(*pool).slots.len();
        if slot >= held {
            return Err(MatchErrorKind::Decision
                .refused(format!("there is no slot {slot}: the pool has {held}")));
        }
        let reason = self.down_refused(turn, picked, up_left(&build.table, pools));
        let reason = reason.unwrap_or_else(|| "it may not be picked now".to_owned());
        Err(MatchErrorKind::Decision.refused(format!("slot {slot} lies face down: {reason}")))
    }

    /// Brings the card that mirrors a face-down pick, where the option is on.
    fn mirror(&self, build: &mut Build<'_>, pool: ZoneId, card: Card) {
        let Some((mirror, from)) = self.mirror else {
            return;
        };
        let rank = |card| mirror.rank(&build.table.instance(card).name);
        let pile = from.of(SeatId::A);
        let slots = &build.table.zone(pile).slots;
        let Some(at) = slots.iter().position(|slot| rank(slot.card) == rank(card)) else {
            return;
        };
        let card = build.table.zone_mut(pile).slots.remove(at).card;
        let slot = Slot { card, up: true };
        build.table.zone_mut(pool).slots.push(slot);
        build.table.shuffle(pile, &build.seed);
    }
}

impl Mirror {
    /// A card's rank: its name without the suit; the names that are alike have one rank.
    fn rank<'a>(&'a self, name: &'a str) -> &'a str {
        if let (Some(first), true) = (
            self.alike.first(),
            self.alike.iter().any(|alike| alike == name),
        ) {
            return first;
        }
        self.suits
            .iter()
            .find_map(|suit| name.strip_suffix(suit.as_str()))
            .unwrap_or(name)
    }
}

fn up_left(table: &Table, pools: &[ZoneId]) -> usize {
    let slots = pools
        .iter()
        .flat_map(|place| table.zone(*place).slots.iter());
    slots.filter(|slot| slot.up).count()
}

/// A pick as `pending` lists it.
fn entry(place: ZoneId, slot: usize) -> Value {
    match place.seat {
        Some(seat) => json!({ "pool": seat, "slot": slot }),
        None => json!({ "slot": slot }),
    }
}
