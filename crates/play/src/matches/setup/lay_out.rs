//! The table before the first step: each section where it lies at first.

use crate::matches::choice::Options;
use crate::matches::error::MatchError;
use crate::matches::inputs::deck::MatchDeck;
use crate::matches::inputs::{Inputs, Seat};
use crate::matches::random::id_numbers;
use crate::matches::seat::SeatId;
use crate::matches::setup::decks::{card_number, seat_setting};
use crate::matches::setup::{self, Counter, Setup, Start};
use crate::matches::table::{Card, Instance, SeatTable, Slot, Table, Terms, Visibility, Zone};
use std::collections::BTreeMap;

/// Lays out every deck and sets every counter.
///
/// # Errors
/// A card that no zone takes, or a counter whose setting is missing.
pub(in crate::matches) fn lay_out(setup: &Setup, inputs: &Inputs) -> Result<Table, MatchError> {
    let options = &inputs.options;
    let seed = inputs.randomness.seed()?;
    let seat = |seat: &Seat| -> Result<SeatTable, MatchError> {
        let counters = setup
            .counters
            .iter()
            .filter(|(_, terms)| terms.when.holds(options))
            .map(|(name, terms)| Ok((name.clone(), start(name, terms, inputs, seat)?)));
        Ok(SeatTable {
            counters: counters.collect::<Result<_, MatchError>>()?,
            zones: zones(&setup.zones.seat, options),
            spec: None,
        })
    };
    let mut table = Table {
        instances: Vec::new(),
        shared: zones(&setup.zones.shared, options),
        rolls: None,
        seats: inputs.seats.iter().map(seat).collect::<Result<_, _>>()?,
        first: None,
        partners: false,
        lying: BTreeMap::new(),
    };
    let own = inputs.seats.iter().filter_map(|seat| {
        let deck = seat.deck.as_ref()?;
        Some((Some(seat.seat), deck))
    });
    let shared = inputs.shared.iter().map(|shared| (None, &shared.deck));
    for (owner, deck) in own.chain(shared) {
        let cards = deck.sections.keys().map(|section| deck.cards_in(section));
        let cards = u32::try_from(cards.sum::<u64>()).unwrap_or(u32::MAX);
        let letter = owner.map_or("S", SeatId::letter);
        let numbers = id_numbers(&seed, letter, cards);
        unpack(&mut table, setup, options, owner, deck, &numbers)?;
    }
    Ok(table)
}

/// Where a seat's counter starts.
fn start(name: &str, terms: &Counter, inputs: &Inputs, seat: &Seat) -> Result<i64, MatchError> {
    let given = |setting: &str| {
        inputs
            .settings
            .get(setting)
            .copied()
            .ok_or_else(|| MatchError::call(format!("the setting `{setting}` must be given")))
    };
    let value = match &terms.start {
        Start::At(number) => *number,
        Start::Setting(setting) => given(setting)?,
        Start::Card { section, field } => match card_number(inputs, seat, section, field) {
            Some(number) => number,
            None => given(&seat_setting(seat, name))?,
        },
    };
    Ok(terms.most.map_or(value, |most| value.min(most)))
}

/// Gives a deck's cards their ids, of these numbers, and lays each in its first zone.
fn unpack(
    table: &mut Table,
    setup: &Setup,
    options: &Options,
    owner: Option<SeatId>,
    deck: &MatchDeck,
    numbers: &[u32],
) -> Result<(), MatchError> {
    let letter = owner.map_or("S", SeatId::letter);
    let mut numbers = numbers.iter();
    for (section, lines) in deck.in_order(setup) {
        let section = deck.role(section, setup);
        for line in lines {
            let holds = |terms: &setup::Zone| {
                terms.holds.as_deref() == Some(section)
                    && terms.when.holds(options)
                    && terms
                        .only
                        .iter()
                        .all(|(field, value)| line.records.get(field) == Some(value))
            };
            let (terms, zones) = match owner {
                Some(seat) => (&setup.zones.seat, &mut table.seats[seat.index()].zones),
                None => (&setup.zones.shared, &mut table.shared),
            };
            let name = terms.iter().find(|(_, terms)| holds(terms)).map(|(name, _)| name);
            let known = name.and_then(|name| zones.iter().position(|zone| zone.name == *name));
            let zone = match known {
                Some(zone) => zone,
                None if setup.open && !setup.sections.iter().any(|id| id == section) => {
                    if terms.contains_key(section) {
                        return Err(MatchError::refused(format!(
                            "a section cannot be called `{section}`: the table has a zone of that name"
                        )));
                    }
                    own_zone(zones, section)
                }
                None => {
                    return Err(MatchError::refused(format!(
                        "no zone of this game takes \"{}\" from {section}",
                        decklaw_text::text::escape_control(&line.name, false)
                    )));
                }
            };
            for number in numbers.by_ref().take(line.count as usize) {
                let card = Card(table.instances.len() as u16);
                table.instances.push(Instance {
                    id: format!("{letter}{number:03}"),
                    name: line.name.clone(),
                    records: line.records.clone(),
                });
                zones[zone].slots.push(Slot { card, up: false });
            }
        }
    }
    Ok(())
}

fn zones(terms: &BTreeMap<String, setup::Zone>, options: &Options) -> Vec<Zone> {
    let present = terms.iter().filter(|(_, terms)| terms.when.holds(options));
    present
        .map(|(name, terms)| {
            let pile = terms.holds.as_deref().unwrap_or(name);
            Zone::new(name, terms.seen, pile, &terms.play)
        })
        .collect()
}

/// The zone of a section that only this deck has.
fn own_zone(zones: &mut Vec<Zone>, section: &str) -> usize {
    let known = zones.iter().position(|zone| zone.name == section);
    known.unwrap_or_else(|| {
        zones.push(Zone::new(section, Visibility::ByOwner, section, &Terms::default()));
        zones.len() - 1
    })
}
