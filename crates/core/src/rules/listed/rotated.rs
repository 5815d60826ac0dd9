//! `rotation`: cards may be played while one of their sets may.

use super::open;
use crate::banlist::{Banlist, Rotation};
use crate::pool::CardId;
use crate::rules::contents::each_card;
use crate::rules::demand::{Cond, Leaf};
use crate::rules::fields::Key;
use crate::rules::{Compile, Constraint, Contents, Failing, Linear, SectionSet, Violation, Where};
use crate::text::listed;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// How a card stands. Of several that are one the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stands {
    In,
    /// The card file does not tell its set.
    Untold,
    Out,
}

#[derive(Debug)]
pub(super) struct Rotated {
    list: Arc<Banlist>,
    rotation: Rotation,
    /// By card of the pool.
    stands: Vec<Stands>,
}

const EVERYWHERE: SectionSet = SectionSet(u64::MAX);

impl Rotated {
    pub(super) fn new(list: &Arc<Banlist>, rotation: &Rotation, with: &mut Compile<'_>) -> Rotated {
        with.need_text(&rotation.field);
        let pool = with.pool;
        let column = pool.column(&rotation.field.value);
        let mut known: FxHashMap<&str, bool> = FxHashMap::default();
        let mut allows = |set| {
            *known
                .entry(set)
                .or_insert_with(|| rotation.allows(set, list.day))
        };
        let own = pool.ids().map(|card| {
            let sets = column.map_or(&[][..], |column| column.words(card));
            match sets {
                [] => Stands::Untold,
                sets if sets.iter().any(|set| allows(&**set)) => Stands::In,
                _ => Stands::Out,
            }
        });
        let own: Vec<Stands> = own.collect();
        let key = rotation.by.clone().map(Key::One);
        let groups = with.grouped(key.as_slice(), true);
        let stands = with.pool.ids().map(|card| match &groups {
            None => own[card.index()],
            Some((_, groups)) => {
                let all = groups.of_card(card).iter();
                let all = all.flat_map(|group| groups.members(*group));
                let all = all.map(|other| own[other.index()]);
                all.min().unwrap_or(own[card.index()])
            }
        });
        Rotated {
            stands: stands.collect(),
            list: Arc::clone(list),
            rotation: rotation.clone(),
        }
    }

    fn stands(&self, card: CardId) -> Stands {
        self.stands
            .get(card.index())
            .copied()
            .unwrap_or(Stands::Untold)
    }

    #[cold]
    fn out(&self, contents: &Contents<'_>, card: CardId, copies: i64) -> Violation {
        let day = self.list.day;
        let sets = contents.pool.words(card, &self.rotation.field.value).iter();
        let why: Vec<String> = sets
            .filter_map(|set| self.rotation.against(set, day))
            .collect();
        let by = self.rotation.by.as_ref();
        let others = by.map_or_else(String::new, |by| {
            format!(", nor may another of the same {}", by.value)
        });
        let message = format!(
            "`{}` may not be played on {day}: {}{others} (list {})",
            contents.name(card),
            why.join(", and "),
            self.list.id
        );
        Violation::of_deck(Failing::Excess, message, "take out every copy".to_owned())
            .with_numbers(0, copies)
            .about(card, Where::First(card, EVERYWHERE))
            .keeping(EVERYWHERE, 0)
    }
}

impl Constraint for Rotated {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let mut untold: Vec<CardId> = Vec::new();
        each_card(contents.known(), EVERYWHERE, |card, copies| {
            match self.stands(card) {
                Stands::In => {}
                Stands::Out => found.push(self.out(contents, card, copies)),
                Stands::Untold => untold.push(card),
            }
        });
        if !untold.is_empty() {
            let names: Vec<String> = untold
                .iter()
                .map(|card| format!("`{}`", contents.name(*card)))
                .collect();
            let mut violation = Violation::untold(format!(
                "not verified: the card file does not tell the {} of {}, so that nobody knows whether it may be played on {}",
                self.rotation.field.value,
                listed(&names, "and"),
                self.list.day
            ));
            violation.cards = untold;
            found.push(violation);
        }
        let strangers = contents.count_unknown(EVERYWHERE);
        if strangers > 0 {
            found.push(open(&self.list, strangers, "which sets may be played"));
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let out = of.pool().ids();
        let out = out.filter(|card| self.stands(*card) == Stands::Out);
        Cow::Owned(Leaf::of_few(out, EVERYWHERE).is_absent())
    }

    fn demand(&self) -> String {
        let day = self.list.day;
        let mut sets: Vec<&str> = Vec::new();
        for set in self.rotation.sets.iter().filter(|set| set.covers(day)) {
            if !sets.contains(&set.name.as_str()) {
                sets.push(&set.name);
            }
        }
        let field = &self.rotation.field.value;
        match self.rotation.others {
            false => format!(
                "On {day} cards of the {field} {} may be played.",
                listed(&sets, "or")
            ),
            true => {
                let out = self.rotation.sets.iter();
                let out = out.filter(|set| !self.rotation.allows(&set.name, day));
                let mut out: Vec<&str> = out.map(|set| set.name.as_str()).collect();
                out.dedup();
                match out.as_slice() {
                    [] => format!("On {day} cards of every {field} may be played."),
                    out => format!(
                        "On {day} cards of every {field} but {} may be played.",
                        listed(out, "and")
                    ),
                }
            }
        }
    }
}
