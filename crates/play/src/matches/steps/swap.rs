//! Swapping cards with the side deck before a game.

use super::prompt::{CardChoice, CardField, Prompt, PromptOption};
use super::{Act, Context, Names, Step, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Pending, SwappedCards};
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use crate::matches::swaps::Sections;
use crate::matches::table::{Card, Slot, Table, ZoneId};
use decklaw_text::text::{escape_control, listed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Every seat with a side deck swaps cards with it, or does not.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Swap {
    /// The zone of the side deck; a seat whose own is empty is not asked.
    pub side: String,
    /// What can be swapped, by the section that it is a part of.
    pub groups: BTreeMap<String, Group>,
}

/// Cards that can be swapped.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Where they lie.
    pub zones: Vec<String>,
    /// The registered field that these cards have, and no others; a card is swapped only
    /// against one with the same value.
    pub alike: Option<String>,
}

/// What one group swaps, as cards and where they lie.
struct Exchange<'a> {
    out: Vec<(Card, ZoneId)>,
    r#in: Vec<Card>,
    group: &'a Group,
}

impl Act for Swap {
    fn names(&self) -> Names<'_> {
        let groups = self.groups.values();
        let zones = groups.clone().flat_map(|group| &group.zones);
        Names {
            zones: zones.chain([&self.side]).collect(),
            sections: self.groups.keys().collect(),
            records: groups.filter_map(|group| group.alike.as_ref()).collect(),
            ..Names::default()
        }
    }

    fn faults(&self, _before: &[Step]) -> Vec<String> {
        let has_empty = self.groups.values().any(|group| group.zones.is_empty());
        Vec::from_iter(has_empty.then(|| "a step swaps with no zone".to_owned()))
    }

    fn exchanges(&self) -> Option<(&str, Vec<&str>)> {
        Some((&self.side, self.groups.keys().map(String::as_str).collect()))
    }

    /// What is swapped against its like lies in the side deck, too.
    fn looks_at(&self, field: &str) -> Vec<&str> {
        let alike = |group: &Group| group.alike.as_deref() == Some(field);
        let asked = self.groups.values().any(alike);
        asked.then_some(self.side.as_str()).into_iter().collect()
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        for seat in state.table.seat_ids() {
            let side = state.table.place(seat, &self.side)?;
            if !state.table.zone(side).slots.is_empty() {
                state.progress.left.push(seat);
            }
        }
        Ok(())
    }

    fn awaits(&self, state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        Ok(state.progress.each(|seat| Pending::Swap { seat }))
    }

    fn prompt(
        &self,
        state: &State,
        _context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let mut prompt = Prompt::of(pending, "Swap cards with the side deck");
        prompt.secret = true;
        let Some(seat) = pending.seat() else {
            return Ok(prompt);
        };
        let table = &state.table;
        let decision = || Decision::Swap { seat, sections: BTreeMap::new() };
        let mut swap = PromptOption::new("swap cards", decision());
        let side = [table.place(seat, &self.side)?];
        for (section, group) in &self.groups {
            let named = |zones: &[ZoneId]| {
                let cards = zones.iter().flat_map(|zone| table.named(*zone));
                let belongs = |(id, _): &(String, String)| {
                    table.card(id).is_some_and(|card| self.belongs(table, group, card))
                };
                let mut cards: Vec<(String, String)> = cards.filter(belongs).collect();
                cards.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
                cards
            };
            let (out, back) = (named(&group.of(table, seat)?), named(&side));
            if back.is_empty() && group.alike.is_some() {
                continue;
            }
            let shown = escape_control(section, false);
            swap.cards.push(CardChoice {
                text: format!("What goes out of {shown}"),
                field: CardField::Out(section.clone()),
                count: None,
                of: out,
            });
            swap.cards.push(CardChoice {
                text: format!("What comes into {shown}"),
                field: CardField::In(section.clone()),
                count: None,
                of: back,
            });
        }
        Ok(prompt.with([PromptOption::new("swap nothing", decision()), swap]))
    }

    fn decide(
        &self,
        state: &mut State,
        context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let Decision::Swap { seat, sections } = decision else {
            return refused("this is not a swap");
        };
        if self.swap(&mut state.table, *seat, sections)? {
            self.judge(state, context, *seat)?;
        }
        state.progress.answered(*seat);
        Ok(())
    }
}

impl Group {
    /// Its zones of a seat.
    fn of(&self, table: &Table, seat: SeatId) -> Result<Vec<ZoneId>, MatchError> {
        let zones = self.zones.iter();
        zones.map(|zone| table.place(seat, zone)).collect()
    }
}

impl Swap {
    /// Carries out one seat's swaps. Returns whether anything moved.
    fn swap(
        &self,
        table: &mut Table,
        seat: SeatId,
        sections: &BTreeMap<String, SwappedCards>,
    ) -> Result<bool, MatchError> {
        let mut exchanges = Vec::new();
        for (section, cards) in sections {
            let Some(group) = self.groups.get(section) else {
                let known: Vec<&String> = self.groups.keys().collect();
                return refused(format!(
                    "`{}` cannot be swapped; {} can",
                    escape_control(section, false),
                    listed(&known, "and")
                ));
            };
            exchanges.push(self.exchange(table, seat, group, cards)?);
        }
        let side = table.place(seat, &self.side)?;
        for Exchange { out, r#in, group } in &exchanges {
            let mut homes = out.iter().map(|(_, place)| *place);
            let first = group.of(table, seat)?.first().copied();
            for card in r#in {
                let home = homes.next().filter(|_| group.alike.is_some());
                shift(table, side, home.or(first).unwrap_or(side), *card);
            }
            for (card, home) in out {
                shift(table, *home, side, *card);
            }
        }
        for group in self.groups.values() {
            for zone in group.of(table, seat)? {
                sort(table, zone);
            }
        }
        sort(table, side);
        Ok(!exchanges.is_empty())
    }

    /// Finds the cards that one group swaps.
    fn exchange<'a>(
        &self,
        table: &Table,
        seat: SeatId,
        group: &'a Group,
        SwappedCards { out, r#in }: &SwappedCards,
    ) -> Result<Exchange<'a>, MatchError> {
        if out.is_empty() && r#in.is_empty() {
            return refused("nothing moves: leave out what stays as it is");
        }
        let side = [table.place(seat, &self.side)?];
        let out = self.held(table, group, out, &group.of(table, seat)?)?;
        let r#in = self.held(table, group, r#in, &side)?;
        if let Some(field) = &group.alike {
            let value = |(card, _): &(Card, ZoneId)| table.instance(*card).records.get(field);
            let are_alike = out.iter().map(value).eq(r#in.iter().map(value));
            if out.len() != 1 || !are_alike {
                return refused(format!(
                    "one such card is swapped, against one of the same {field}"
                ));
            }
        }
        Ok(Exchange { out, r#in: r#in.into_iter().map(|(card, _)| card).collect(), group })
    }

    /// The cards of some ids, each held in one of these zones and of the group's kind.
    fn held(
        &self,
        table: &Table,
        group: &Group,
        ids: &[String],
        zones: &[ZoneId],
    ) -> Result<Vec<(Card, ZoneId)>, MatchError> {
        if !ids.is_sorted_by(|a, b| a < b) {
            return refused("ids are listed in ascending order, each once");
        }
        let held = |id: &String| {
            let card = table.card(id);
            let holds = |place: &&ZoneId| {
                let slots = &table.zone(**place).slots;
                slots.iter().any(|slot| Some(slot.card) == card)
            };
            match (card, zones.iter().find(holds)) {
                (Some(card), Some(place)) if self.belongs(table, group, card) => Ok((card, *place)),
                _ => refused(format!(
                    "`{}` is not a card that can be swapped from there",
                    escape_control(id, false)
                )),
            }
        };
        ids.iter().map(held).collect()
    }

    /// Whether a card is of a group's kind.
    fn belongs(&self, table: &Table, group: &Group, card: Card) -> bool {
        let records = &table.instance(card).records;
        match &group.alike {
            Some(field) => records.contains_key(field),
            None => {
                let mut others = self.groups.values().filter_map(|other| other.alike.as_ref());
                !others.any(|field| records.contains_key(field))
            }
        }
    }

    /// Has a seat's changed deck judged, where somebody judges: the sections that are played, and
    /// all of them.
    fn judge(
        &self,
        state: &mut State,
        context: &Context<'_>,
        seat: SeatId,
    ) -> Result<(), MatchError> {
        let Some(judge) = context.judge else {
            return Ok(());
        };
        let table = &state.table;
        let mut played = Sections::new();
        for (section, group) in &self.groups {
            played.insert(section.clone(), counted(table, &group.of(table, seat)?));
        }
        let mut whole = Sections::new();
        let registered = context.inputs.seats.get(seat.index());
        let registered = registered.and_then(|seat| context.inputs.deck_of(seat));
        for (section, lines) in registered.iter().flat_map(|deck| &deck.sections) {
            let lines = lines.iter().map(|line| (line.name.clone(), line.count));
            whole.insert(section.clone(), lines.collect());
        }
        whole.extend(played.clone());
        let side = table.place(seat, &self.side)?;
        whole.insert(table.zone(side).pile().to_owned(), counted(table, &[side]));
        let remarks = judge.judge(&played, &whole).map_err(MatchError::refused)?;
        let of_seat = |remark| format!("seat {seat}, after the swap: {remark}");
        state.remarks.extend(remarks.into_iter().map(of_seat));
        Ok(())
    }
}

/// The cards of some zones, by name.
fn counted(table: &Table, zones: &[ZoneId]) -> Vec<(String, u32)> {
    let mut cards: BTreeMap<String, u32> = BTreeMap::new();
    for (_, name) in zones.iter().flat_map(|zone| table.named(*zone)) {
        *cards.entry(name).or_default() += 1;
    }
    cards.into_iter().collect()
}

fn shift(table: &mut Table, from: ZoneId, to: ZoneId, card: Card) {
    table.zone_mut(from).slots.retain(|slot| slot.card != card);
    table.zone_mut(to).slots.push(Slot { card, up: false });
}

fn sort(table: &mut Table, zone: ZoneId) {
    table.zone_mut(zone).slots.sort_unstable_by_key(|slot| slot.card);
}
