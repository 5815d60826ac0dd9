//! Swapping cards with the side deck before a game.

use super::asked::{Answer, Named, Question};
use super::build::{Build, Sections};
use super::decisions::fields;
use super::names::Names;
use super::step::{Flow, Step, Terms, is_of, seat_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::seat::SeatId;
use crate::matches::table::{Card, Slot, Table, ZoneAt, ZoneId};
use decklaw_core::text::{harmless, listed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
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

/// Cards by name, each with its ids in order.
type CardIds = BTreeMap<String, Vec<String>>;

const STEP: &str = "swap";

/// What one group swaps, as cards and where they lie.
struct Exchange<'a> {
    out: Vec<(Card, ZoneId)>,
    r#in: Vec<Card>,
    group: &'a Swapped<'a>,
}

impl Terms for Swap {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        let groups = self.groups.iter().map(|(section, group)| Swapped {
            section,
            zones: group.zones.iter().map(|zone| names.zone(zone)).collect(),
            alike: group.alike.as_deref(),
        });
        let groups: Vec<Swapped<'_>> = groups.collect();
        if groups.iter().any(|group| group.zones.is_empty()) {
            names.miss("a step swaps with no zone".to_owned());
        }
        Box::new(Swapping {
            groups,
            side: names.zone(&self.side),
        })
    }

    fn alone(_pending: &Value) -> Option<Value> {
        Some(json!({ "step": STEP, "seat": SeatId::A }))
    }
}

/// A group with its zones found.
#[derive(Debug)]
struct Swapped<'a> {
    section: &'a str,
    zones: Vec<ZoneAt>,
    alike: Option<&'a str>,
}

#[derive(Debug)]
struct Swapping<'a> {
    groups: Vec<Swapped<'a>>,
    side: ZoneAt,
}

impl Step for Swapping<'_> {
    fn exchanges(&self) -> Option<(ZoneAt, Vec<&str>)> {
        let sections = self.groups.iter().map(|group| group.section);
        Some((self.side, sections.collect()))
    }

    /// What is swapped against its like lies in the side deck, too.
    fn looks_at(&self, field: &str) -> Vec<ZoneAt> {
        let alike = |group: &Swapped<'_>| group.alike == Some(field);
        let asked = self.groups.iter().any(alike);
        asked.then_some(self.side).into_iter().collect()
    }

    fn text_for(&self, table: &Table, seat: SeatId, pending: &Value) -> String {
        if !is_of(pending, STEP) || seat_of(pending) != Some(seat) {
            return String::new();
        }
        let mut text = "Your cards that can be swapped:\n".to_owned();
        for (section, cards) in self.cards(table, seat) {
            let listed = cards.iter().map(|(name, ids)| {
                let name = harmless(name, false);
                format!("{name} [{}]", ids.join(" "))
            });
            let listed = listed.collect::<Vec<_>>().join(" · ");
            text.push_str(&format!("  {}: {listed}\n", harmless(section, false)));
        }
        text
    }

    fn ask(&self, table: &Table, pending: &Value) -> Option<Question> {
        let seat = seat_of(pending).filter(|_| is_of(pending, STEP))?;
        let decision = json!({ "step": STEP, "seat": seat });
        let mut swap = Answer::whole("swap cards", decision.clone());
        let named = |zones: &[ZoneAt]| {
            let mut cards: Vec<(String, String)> = zones
                .iter()
                .flat_map(|zone| table.named(zone.of(seat)))
                .collect();
            cards.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
            cards
        };
        for group in &self.groups {
            let section = harmless(group.section, false);
            let belongs = |(id, _): &(String, String)| {
                table
                    .card(id)
                    .is_some_and(|card| self.belongs(table, group, card))
            };
            let out = named(&group.zones).into_iter().filter(belongs).collect();
            let back: Vec<_> = named(&[self.side]).into_iter().filter(belongs).collect();
            if back.is_empty() && group.alike.is_some() {
                continue;
            }
            for (told, way, of) in [
                (format!("What goes out of {section}"), "out", out),
                (format!("What comes into {section}"), "in", back),
            ] {
                swap.cards.push(Named {
                    told,
                    at: vec![group.section.to_owned(), way.to_owned()],
                    count: None,
                    of,
                    ascending: true,
                });
            }
        }
        Some(Question {
            blind: true,
            seat: Some(seat),
            text: "Swap cards with the side deck".to_owned(),
            answers: vec![Answer::whole("swap nothing", decision), swap],
        })
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let mut swapping = Vec::new();
        for seat in build.table.seat_ids() {
            if !build.table.zone(self.side.of(seat)).slots.is_empty() {
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
                let played = self.played(&build.table, seat);
                let whole = self.whole(build, seat, &played);
                build.judge(seat, &played, &whole)?;
            }
            swapping.retain(|other| *other != seat);
        }
        Ok(Flow::Done)
    }
}

impl Swapping<'_> {
    /// Carries out one seat's swaps. Answers whether anything moved.
    fn swap(
        &self,
        build: &mut Build<'_>,
        seat: SeatId,
        decision: &Value,
    ) -> Result<bool, MatchError> {
        let empty = Map::new();
        let given = decision.as_object().unwrap_or(&empty);
        let mut exchanges = Vec::new();
        for (name, moves) in given
            .iter()
            .filter(|(name, _)| *name != "step" && *name != "seat")
        {
            let Some(group) = self.groups.iter().find(|group| group.section == name) else {
                let known: Vec<&str> = self.groups.iter().map(|group| group.section).collect();
                return Err(MatchErrorKind::Decision.refused(format!(
                    "`{}` cannot be swapped; {} can",
                    harmless(name, false),
                    listed(&known, "and")
                )));
            };
            exchanges.push(self.exchange(&build.table, seat, group, moves)?);
        }
        let side = self.side.of(seat);
        for Exchange { out, r#in, group } in &exchanges {
            let mut homes = out.iter().map(|(_, place)| *place);
            for card in r#in {
                remove(&mut build.table, side, *card);
                let home = match (group.alike, homes.next(), group.zones.first()) {
                    (Some(_), Some(home), _) => home,
                    (_, _, Some(first)) => first.of(seat),
                    (_, _, None) => side,
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
        let zones = self.groups.iter().flat_map(|group| &group.zones);
        for zone in zones.chain([&self.side]) {
            let zone = build.table.zone_mut(zone.of(seat));
            zone.slots.sort_unstable_by_key(|slot| slot.card);
        }
        Ok(!exchanges.is_empty())
    }

    /// Reads what one group swaps.
    fn exchange<'a>(
        &self,
        table: &Table,
        seat: SeatId,
        group: &'a Swapped<'a>,
        moves: &Value,
    ) -> Result<Exchange<'a>, MatchError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Moves {
            out: Vec<String>,
            r#in: Vec<String>,
        }
        let Moves { out, r#in } = fields(moves)?;
        if out.is_empty() && r#in.is_empty() {
            return Err(
                MatchErrorKind::Decision.refused("nothing moves: leave out what stays as it is")
            );
        }
        let homes: Vec<ZoneId> = group.zones.iter().map(|zone| zone.of(seat)).collect();
        let side = [self.side.of(seat)];
        let out = self.held(table, group, &out, &homes)?;
        let r#in = self.held(table, group, &r#in, &side)?;
        let value = |card: &Card| {
            let field = group.alike?;
            table.instance(*card).records.get(field)
        };
        let alike = out
            .iter()
            .map(|(card, _)| value(card))
            .eq(r#in.iter().map(|(card, _)| value(card)));
        if group.alike.is_some() && !(out.len() == 1 && alike) {
            return Err(MatchErrorKind::Decision.refused(format!(
                "one such card is swapped, against one of the same {}",
                group.alike.unwrap_or_default()
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
        group: &Swapped<'_>,
        ids: &[String],
        zones: &[ZoneId],
    ) -> Result<Vec<(Card, ZoneId)>, MatchError> {
        if !ids.is_sorted_by(|a, b| a < b) {
            return Err(
                MatchErrorKind::Decision.refused("ids are listed in ascending order, each once")
            );
        }
        let held = |id: &String| {
            let card = table.card(id);
            let holds = |place: &&ZoneId| {
                table
                    .zone(**place)
                    .slots
                    .iter()
                    .any(|slot| Some(slot.card) == card)
            };
            match (card, zones.iter().find(holds)) {
                (Some(card), Some(place)) if self.belongs(table, group, card) => Ok((card, *place)),
                _ => Err(MatchErrorKind::Decision.refused(format!(
                    "`{}` is not a card that can be swapped from there",
                    harmless(id, false)
                ))),
            }
        };
        ids.iter().map(held).collect()
    }

    /// Whether a card is of a group's kind.
    fn belongs(&self, table: &Table, group: &Swapped<'_>, card: Card) -> bool {
        let records = &table.instance(card).records;
        match group.alike {
            Some(field) => records.contains_key(field),
            None => {
                let mut others = self.groups.iter().filter_map(|other| other.alike);
                !others.any(|field| records.contains_key(field))
            }
        }
    }

    /// A seat's cards that can be swapped, by section and by name, each with its ids in order.
    fn cards<'t>(&'t self, table: &'t Table, seat: SeatId) -> Vec<(&'t str, CardIds)> {
        let groups = self.groups.iter();
        let groups = groups.map(|group| (group.section, group.zones.as_slice()));
        let side = table.zone(self.side.of(seat)).name.as_str();
        let mut sections = Vec::new();
        for (section, zones) in groups.chain([(side, std::slice::from_ref(&self.side))]) {
            let mut cards = CardIds::new();
            for (id, name) in zones.iter().flat_map(|zone| table.named(zone.of(seat))) {
                cards.entry(name).or_default().push(id);
            }
            cards.values_mut().for_each(|ids| ids.sort_unstable());
            sections.push((section, cards));
        }
        sections
    }

    /// A seat's played cards as they now are, by section.
    fn played(&self, table: &Table, seat: SeatId) -> Sections {
        let groups = self.groups.iter();
        let cards = |group: &Swapped<'_>| counted(table, seat, &group.zones);
        groups
            .map(|group| (group.section.to_owned(), cards(group)))
            .collect()
    }

    /// All of a seat's deck as it now is: what is played, the side deck, and what never changes.
    fn whole(&self, build: &Build<'_>, seat: SeatId, played: &Sections) -> Sections {
        let registered = build.inputs.seats.get(seat.index());
        let registered = registered.and_then(|seat| build.inputs.deck_of(seat));
        let mut sections = Sections::new();
        for (section, lines) in registered.iter().flat_map(|deck| &deck.sections) {
            let lines = lines.iter().map(|line| (line.name.clone(), line.count));
            sections.insert(section.clone(), lines.collect());
        }
        sections.extend(played.clone());
        let side = build.table.zone(self.side.of(seat)).pile();
        let cards = counted(&build.table, seat, &[self.side]);
        sections.insert(side.to_owned(), cards);
        sections
    }
}

/// The cards of a seat's zones, by name.
fn counted(table: &Table, seat: SeatId, zones: &[ZoneAt]) -> Vec<(String, u32)> {
    let mut cards: BTreeMap<String, u32> = BTreeMap::new();
    for (_, name) in zones.iter().flat_map(|zone| table.named(zone.of(seat))) {
        *cards.entry(name).or_default() += 1;
    }
    cards.into_iter().collect()
}

fn remove(table: &mut Table, from: ZoneId, card: Card) {
    table.zone_mut(from).slots.retain(|slot| slot.card != card);
}
