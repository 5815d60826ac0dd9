//! Swapping cards with the side deck before a game.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::{Build, Sections};
use crate::matches::inputs::SeatId;
use crate::matches::table::{Card, Place, Slot, Table};
use crate::text::{harmless, listed};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Every seat with a side deck swaps cards with it, or does not.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Swap {
    /// The zone of the side deck; a seat whose own is empty is not asked.
    pub side: String,
    /// What can be swapped, by the section that it is a part of.
    pub groups: BTreeMap<String, Group>,
}

/// Cards that can be swapped.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Where they lie.
    pub zones: Vec<String>,
    /// The registered field that these cards have, and no others; a card is swapped only
    /// against one with the same value.
    pub alike: Option<String>,
}

/// Cards by name, each with its ids in order.
pub type CardIds = BTreeMap<String, Vec<String>>;

const STEP: &str = "swap";

/// What one group swaps, as cards and where they lie.
struct Exchange<'a> {
    out: Vec<(Card, Place)>,
    r#in: Vec<Card>,
    group: &'a Group,
}

impl Step for Swap {
    fn zones(&self) -> Vec<&str> {
        self.groups
            .values()
            .flat_map(|group| &group.zones)
            .chain([&self.side])
            .map(String::as_str)
            .collect()
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let mut swapping = Vec::new();
        for seat in build.table.seat_ids() {
            let side = build.table.place(seat, &self.side)?;
            if !build.table.zone(side).slots.is_empty() {
                swapping.push(seat);
            }
        }
        while !swapping.is_empty() {
            let next = build
                .decisions
                .next_of(STEP, |seat| swapping.contains(&seat))?;
            let Some((seat, decision)) = next else {
                let entry = |seat| json!({ "step": STEP, "seat": seat });
                return Ok(Flow::Awaiting(swapping.iter().map(entry).collect()));
            };
            if self.swap(build, seat, decision)? {
                let played = self.played(&build.table, seat)?;
                let whole = self.whole(build, seat, &played)?;
                build.judge(seat, &played, &whole)?;
            }
            swapping.retain(|other| *other != seat);
        }
        Ok(Flow::Done)
    }
}

impl Swap {
    /// Carries out one seat's swaps. Answers whether anything moved.
    fn swap(
        &self,
        build: &mut Build<'_>,
        seat: SeatId,
        decision: &Value,
    ) -> Result<bool, MatchError> {
        let empty = Map::new();
        let fields = decision.as_object().unwrap_or(&empty);
        let mut exchanges = Vec::new();
        for (name, moves) in fields
            .iter()
            .filter(|(name, _)| *name != "step" && *name != "seat")
        {
            let Some(group) = self.groups.get(name) else {
                let known: Vec<&String> = self.groups.keys().collect();
                return Err(MatchError::refused(format!(
                    "`{}` cannot be swapped; {} can",
                    harmless(name, false),
                    listed(&known, "and")
                )));
            };
            exchanges.push(self.exchange(&build.table, seat, group, moves)?);
        }
        let side = build.table.place(seat, &self.side)?;
        for Exchange { out, r#in, group } in &exchanges {
            let mut homes = out.iter().map(|(_, place)| *place);
            for card in r#in {
                remove(&mut build.table, side, *card);
                let home = match (&group.alike, homes.next()) {
                    (Some(_), Some(home)) => home,
                    _ => build
                        .table
                        .place(seat, group.zones.first().map_or("", String::as_str))?,
                };
                build.table.zone_mut(home).slots.push(Slot {
                    card: *card,
                    up: false,
                });
            }
            for (card, home) in out {
                remove(&mut build.table, *home, *card);
                build.table.zone_mut(side).slots.push(Slot {
                    card: *card,
                    up: false,
                });
            }
        }
        let zones = self
            .groups
            .values()
            .flat_map(|group| &group.zones)
            .chain([&self.side]);
        for zone in zones {
            let place = build.table.place(seat, zone)?;
            build
                .table
                .zone_mut(place)
                .slots
                .sort_unstable_by_key(|slot| slot.card);
        }
        Ok(!exchanges.is_empty())
    }

    /// Reads what one group swaps.
    fn exchange<'a>(
        &self,
        table: &Table,
        seat: SeatId,
        group: &'a Group,
        moves: &Value,
    ) -> Result<Exchange<'a>, MatchError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Moves {
            out: Vec<String>,
            r#in: Vec<String>,
        }
        let Moves { out, r#in } = crate::matches::decision::fields(moves)?;
        if out.is_empty() && r#in.is_empty() {
            return Err(MatchError::refused(
                "nothing moves: leave out what stays as it is",
            ));
        }
        let homes = group.zones.iter().map(|zone| table.place(seat, zone));
        let homes: Vec<Place> = homes.collect::<Result<_, _>>()?;
        let side = [table.place(seat, &self.side)?];
        let out = self.held(table, group, &out, &homes)?;
        let r#in = self.held(table, group, &r#in, &side)?;
        let value = |card: &Card| {
            let field = group.alike.as_ref()?;
            table.instance(*card).records.get(field)
        };
        let alike = out
            .iter()
            .map(|(card, _)| value(card))
            .eq(r#in.iter().map(|(card, _)| value(card)));
        if group.alike.is_some() && !(out.len() == 1 && alike) {
            return Err(MatchError::refused(format!(
                "one such card is swapped, against one of the same {}",
                group.alike.as_deref().unwrap_or_default()
            )));
        }
        Ok(Exchange {
            out,
            r#in: r#in.into_iter().map(|(card, _)| card).collect(),
            group,
        })
    }

    /// The cards of some ids, each held in one of these zones and of the group's kind.
    fn held(
        &self,
        table: &Table,
        group: &Group,
        ids: &[String],
        zones: &[Place],
    ) -> Result<Vec<(Card, Place)>, MatchError> {
        if !ids.is_sorted_by(|a, b| a < b) {
            return Err(MatchError::refused(
                "ids are listed in ascending order, each once",
            ));
        }
        let belongs = |card: Card| {
            let records = &table.instance(card).records;
            let others = self
                .groups
                .values()
                .filter_map(|other| other.alike.as_ref());
            match &group.alike {
                Some(field) => records.contains_key(field),
                None => !others.into_iter().any(|field| records.contains_key(field)),
            }
        };
        let held = |id: &String| {
            let card = table.card(id);
            let holds = |place: &&Place| {
                table
                    .zone(**place)
                    .slots
                    .iter()
                    .any(|slot| Some(slot.card) == card)
            };
            match (card, zones.iter().find(holds)) {
                (Some(card), Some(place)) if belongs(card) => Ok((card, *place)),
                _ => Err(MatchError::refused(format!(
                    "`{}` is not a card that can be swapped from there",
                    harmless(id, false)
                ))),
            }
        };
        ids.iter().map(held).collect()
    }

    /// A seat's cards that can be swapped, by section and by name, each with its ids in order.
    ///
    /// # Errors
    /// A zone that this table does not have: a fault in the format file.
    pub fn cards(&self, table: &Table, seat: SeatId) -> Result<Vec<(String, CardIds)>, MatchError> {
        let groups = self.groups.iter();
        let groups = groups.map(|(section, group)| (section.clone(), group.zones.as_slice()));
        let side = (self.side.clone(), std::slice::from_ref(&self.side));
        let mut sections = Vec::new();
        for (section, zones) in groups.chain([side]) {
            let mut cards = CardIds::new();
            for zone in zones {
                for slot in &table.zone(table.place(seat, zone)?).slots {
                    let instance = table.instance(slot.card);
                    let ids = cards.entry(instance.name.clone()).or_default();
                    ids.push(instance.id.clone());
                }
            }
            cards.values_mut().for_each(|ids| ids.sort_unstable());
            sections.push((section, cards));
        }
        Ok(sections)
    }

    /// A seat's played cards as they now are, by section.
    fn played(&self, table: &Table, seat: SeatId) -> Result<Sections, MatchError> {
        let groups = self.groups.iter();
        groups
            .map(|(section, group)| Ok((section.clone(), counted(table, seat, &group.zones)?)))
            .collect()
    }

    /// All of a seat's deck as it now is: what is played, the side deck, and what never changes.
    fn whole(
        &self,
        build: &Build<'_>,
        seat: SeatId,
        played: &Sections,
    ) -> Result<Sections, MatchError> {
        let registered = build.inputs.seats.get(seat.index());
        let registered = registered.and_then(|seat| build.inputs.deck_of(seat));
        let mut sections = Sections::new();
        for (section, lines) in registered.iter().flat_map(|deck| &deck.sections) {
            let lines = lines.iter().map(|line| (line.name.clone(), line.count));
            sections.insert(section.clone(), lines.collect());
        }
        sections.extend(played.clone());
        let table = &build.table;
        let side = table.zone(table.place(seat, &self.side)?).pile();
        let cards = counted(table, seat, std::slice::from_ref(&self.side))?;
        sections.insert(side.to_owned(), cards);
        Ok(sections)
    }
}

/// The cards of a seat's zones, by name.
fn counted(
    table: &Table,
    seat: SeatId,
    zones: &[String],
) -> Result<Vec<(String, u32)>, MatchError> {
    let mut cards: BTreeMap<&str, u32> = BTreeMap::new();
    for zone in zones {
        for slot in &table.zone(table.place(seat, zone)?).slots {
            *cards.entry(&table.instance(slot.card).name).or_default() += 1;
        }
    }
    let cards = cards.into_iter();
    Ok(cards
        .map(|(name, count)| (name.to_owned(), count))
        .collect())
}

fn remove(table: &mut Table, from: Place, card: Card) {
    table.zone_mut(from).slots.retain(|slot| slot.card != card);
}
