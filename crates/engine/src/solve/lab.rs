//! What a banlist does to a format: the best odds that any legal deck reaches under it, what each
//! thing that it says costs, what of it never binds, and which cards fit no legal deck.
//!
//! Everything is asked of the solver: that there is no such deck is said where it is proven, and
//! else that it is not known.

use super::tune::{self, MOST_EXCHANGES, Ranking, TuneError, Tuning};
use super::wish::WishKind;
use super::{Making, Repair, Start, Taste, Wish, Wishes, repair};
use crate::odds::{Asked, Fraction, HandQuery, OddsDefaults, OddsError, Part, Population, request};
use decklaw_core::banlist::{Banlist, Entry, Status};
use decklaw_core::format::Rulebook;
use decklaw_core::pool::{CardId, Pool};
use decklaw_core::query::Query;
use decklaw_core::resolve::Decklist;
use std::sync::Arc;

/// A hand whose best odds are asked.
#[derive(Debug, Clone, Default)]
pub struct LabGoal {
    /// What players call it; none: the query itself.
    pub name: Option<String>,
    /// The hand query.
    pub query: String,
    /// The turn by which it must hold; none: in the opening hand.
    pub turn: Option<u32>,
    /// What else is not as the game has it: the hand, the mulligans.
    pub asked: Asked,
}

impl LabGoal {
    /// What a game's players ask: its presets about hands, one for each hand size. Totals have no
    /// best.
    pub fn presets(defaults: &OddsDefaults, asked: &Asked) -> Vec<LabGoal> {
        let presets = defaults.presets.iter().filter_map(|preset| {
            let query = preset.query.as_ref()?;
            let hands = match (asked.hand, preset.hands.as_slice()) {
                (Some(hand), _) => vec![Some(hand)],
                (None, []) => vec![None],
                (None, hands) => hands.iter().map(|hand| Some(*hand)).collect(),
            };
            Some(hands.into_iter().map(move |hand| LabGoal {
                name: Some(preset.name.clone()),
                query: query.value.clone(),
                turn: preset.turn,
                asked: Asked {
                    hand,
                    mulligans: asked.mulligans.or(preset.mulligans),
                    ..asked.clone()
                },
            }))
        });
        presets.flatten().collect()
    }
}

/// The best odds of a goal under a list.
#[derive(Debug, Clone)]
pub struct Best {
    /// A legal deck that reaches them.
    pub deck: Decklist,
    /// How likely the hand is with it.
    pub probability: Fraction,
    /// Whether it is proven that no legal deck of those that were [looked at](Reach) does better.
    pub proven: bool,
}

/// The decks that were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Every legal deck: that none has more than 60 cards is proven.
    All,
    /// Every legal deck of at most 60 cards.
    Sixty,
    /// Some of them: the smallest legal deck has more than 60 cards.
    Some,
}

/// What can be reached under a list, or without any.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The decks that were looked at.
    pub reach: Reach,
    /// For each goal the best; `None`: there is no legal deck, where [`Reach::All`] was looked at, or
    /// the work limit was reached.
    pub best: Vec<Option<Best>>,
}

/// Something that a list says, by its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Of a card, or of the cards of a query: an entry.
    Entry(usize),
    /// Of some cards together: a group.
    Group(usize),
    /// That a card is changed.
    Change(usize),
    /// Which sets may be played.
    Rotation,
}

/// Whether a thing that a list says ever keeps a deck from being legal.
#[derive(Debug, Clone)]
pub enum Binds {
    /// It does: this deck is legal but for it.
    Yes(Box<Decklist>),
    /// It never does; proven.
    Never,
    /// Neither was found.
    NotKnown,
}

/// What one thing that a list says does.
#[derive(Debug, Clone)]
pub struct Effect {
    /// What it is.
    pub said: Said,
    /// Whether it ever binds.
    pub binds: Binds,
    /// For each goal the best odds without it, the rest of the list standing; `None`: it was not
    /// looked for, as nothing can be gained, or nothing was found.
    pub without: Vec<Option<Best>>,
}

/// What a list does.
#[derive(Debug, Clone)]
pub struct Examined {
    /// What can be reached under it.
    pub reached: Reached,
    /// What each thing that it says does, in the order of the list.
    pub effects: Vec<Effect>,
    /// The cards that are in no legal deck; proven.
    pub unfit: Vec<CardId>,
    /// Cards of which that is not known.
    pub unsure: Vec<CardId>,
}

/// Why nothing can be examined.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The list does not fit the format, a sentence.
    #[error("{0}")]
    Rules(String),
    /// A hand that cannot be asked.
    #[error(transparent)]
    Odds(#[from] OddsError),
    /// The goal has no linear form, or the call is wrong, a sentence.
    #[error("{0}")]
    Call(String),
}

/// A format without its list, ready to be examined.
pub struct Lab<'l, U> {
    /// The rules under a list, or under none.
    pub under: U,
    /// How the game draws.
    pub defaults: &'l OddsDefaults,
    /// What its maker advises: searches begin with decks that follow it.
    pub taste: Option<Arc<Taste>>,
    /// The hands.
    pub goals: &'l [LabGoal],
    /// The steps that each search may take.
    pub effort: u64,
}

/// A format under a list, with a legal deck to begin from.
struct Place {
    /// `Err`: there is none, and whether that is proven.
    base: Result<Decklist, bool>,
    reach: Reach,
}

impl<U: Fn(Option<Arc<Banlist>>) -> Result<Arc<Rulebook>, LabError>> Lab<'_, U> {
    fn wishes(&self, must: Vec<Wish>) -> Wishes {
        Wishes {
            must,
            effort: self.effort,
            ..Wishes::default()
        }
    }

    /// The legal deck nearest to another that satisfies wishes; `Err`: whether it is proven that
    /// there is none.
    fn found(&self, from: &Decklist, must: Vec<Wish>) -> Result<Decklist, bool> {
        match repair(from, &self.wishes(must)) {
            Repair::Found(found) => Ok(found.deck),
            Repair::Impossible(_) => Err(true),
            Repair::Unknown => Err(false),
        }
    }

    fn place(&self, list: Option<&Arc<Banlist>>) -> Result<Place, LabError> {
        let rulebook = (self.under)(list.cloned())?;
        let empty = Decklist::empty(rulebook);
        let plain = self.wishes(Vec::new());
        let made = Making::new(empty, &Start::Free, plain, self.taste.clone());
        let made = made.map_err(|wrong| LabError::Call(wrong.error.to_string()));
        let base = match made?.made() {
            Repair::Found(found) => found.deck,
            none => {
                let proven = matches!(none, Repair::Impossible(_));
                return Ok(Place {
                    base: Err(proven),
                    reach: if proven { Reach::All } else { Reach::Some },
                });
            }
        };
        let size: i64 = base.holdings().map(|held| held.copies).sum();
        let larger = format!("{}+ []", i64::from(MOST_EXCHANGES) + 1);
        let larger = Wish::parse(&larger, base.rulebook());
        let larger = larger.map(|wish| self.found(&base, vec![wish]).err());
        let reach = match (size > i64::from(MOST_EXCHANGES), larger) {
            (true, _) => Reach::Some,
            (false, Ok(Some(true))) => Reach::All,
            (false, _) => Reach::Sixty,
        };
        Ok(Place {
            base: Ok(base),
            reach,
        })
    }

    /// The best odds of a goal from a legal deck on.
    fn best(
        &self,
        base: &Decklist,
        reach: Reach,
        goal: &LabGoal,
    ) -> Result<Option<Best>, LabError> {
        let names = base.rulebook().format().game().section_names();
        let own = self.defaults.section.as_ref();
        let own = own.map_or(names.first, |section| section.value.as_str());
        let section = base.section(own).unwrap_or(0);
        let population = Population::of_list(base, usize::from(section))?;
        let query = HandQuery::parse(&goal.query);
        let query = query.and_then(|query| crate::odds::check(&query, &population).map(|()| query));
        let query = query.map_err(|error| OddsError::query(Part::Query, &goal.query, error))?;
        let tuning = Tuning {
            section,
            queries: vec![query],
            ranking: Ranking::InOrder,
            request: request(&population, self.defaults, &goal.asked, goal.turn)?,
            changes: MOST_EXCHANGES,
            wishes: self.wishes(Vec::new()),
        };
        let tuned = match tune::tune(base, &tuning) {
            Ok(tuned) => tuned,
            Err(TuneError::Odds(error)) => return Err(error.into()),
            Err(TuneError::Call(why)) => return Err(LabError::Call(why.to_owned())),
            Err(TuneError::Impossible(_) | TuneError::Unknown) => return Ok(None),
        };
        let last = tuned.steps.last();
        Ok(last.and_then(|step| {
            let (deck, odds) = step.best.as_ref()?;
            Some(Best {
                deck: deck.clone(),
                probability: odds.probability.clone(),
                proven: step.optimal && reach != Reach::Some,
            })
        }))
    }

    /// What can be reached under a list, or without any.
    ///
    /// # Errors
    /// A list that does not fit the format, a goal that cannot be asked.
    pub fn reached(&self, list: Option<&Arc<Banlist>>) -> Result<Reached, LabError> {
        self.reached_from(&self.place(list)?)
    }

    fn reached_from(&self, place: &Place) -> Result<Reached, LabError> {
        let each = self.goals.iter().map(|goal| match &place.base {
            Ok(base) => self.best(base, place.reach, goal),
            Err(_) => Ok(None),
        });
        Ok(Reached {
            reach: place.reach,
            best: each.collect::<Result<_, _>>()?,
        })
    }

    /// What a list does; `free` is what can be reached without any, and has the decks that are
    /// better and were found under the list alone.
    ///
    /// # Errors
    /// As for [`reached`](Lab::reached).
    pub fn examine(&self, list: &Arc<Banlist>, free: &mut Reached) -> Result<Examined, LabError> {
        let place = self.place(Some(list))?;
        let reached = self.reached_from(&place)?;
        let rules = (self.under)(None)?;
        for (most, own) in free.best.iter_mut().zip(&reached.best) {
            let Some(own) = own else { continue };
            let better = most
                .as_ref()
                .is_none_or(|most| own.probability.nearest() > most.probability.nearest());
            if better && over(&own.deck, &rules).is_legal() {
                *most = Some(Best {
                    proven: false,
                    ..own.clone()
                });
            }
        }
        let entries = (0..list.entries.len()).map(Said::Entry);
        let groups = (0..list.groups.len()).map(Said::Group);
        let changes = (0..list.changes.len()).map(Said::Change);
        let rotation = list.rotation.iter().map(|_| Said::Rotation);
        let all = entries.chain(groups).chain(changes).chain(rotation);
        let whole = (self.under)(Some(Arc::clone(list)))?;
        let effects = all.map(|said| self.effect((list, &whole), said, (&reached, &*free)));
        let effects = effects.collect::<Result<_, _>>()?;
        let (unfit, unsure) = self.unfit(&place, whole.pool(), &reached);
        Ok(Examined {
            reached,
            effects,
            unfit,
            unsure,
        })
    }

    fn effect(
        &self,
        (list, whole): (&Banlist, &Arc<Rulebook>),
        said: Said,
        (reached, free): (&Reached, &Reached),
    ) -> Result<Effect, LabError> {
        let rest = Arc::new(without(list, said));
        let place = self.place(Some(&rest))?;
        let binds = match &place.base {
            Ok(base) => self.binds((list, whole), said, base),
            // Where there is no deck without it, it takes none away.
            Err(true) => Binds::Never,
            Err(false) => Binds::NotKnown,
        };
        let pairs = self.goals.iter().zip(reached.best.iter().zip(&free.best));
        let each = pairs.map(|(goal, (own, most))| {
            // Without it no more can be had than without the whole list.
            let full = match (own, most) {
                (Some(own), Some(most)) => most.proven && own.probability == most.probability,
                _ => false,
            };
            match &place.base {
                Ok(base) if !full && !matches!(binds, Binds::Never) => {
                    self.best(base, place.reach, goal)
                }
                _ => Ok(None),
            }
        });
        Ok(Effect {
            said,
            without: each.collect::<Result<_, _>>()?,
            binds,
        })
    }

    /// Looks for a deck that is legal but for one thing that a list says. `base` is legal without
    /// that.
    fn binds(
        &self,
        (list, whole): (&Banlist, &Arc<Rulebook>),
        said: Said,
        base: &Decklist,
    ) -> Binds {
        let (wishes, exact) = self.breaches(list, said, base);
        let mut never = exact;
        for must in wishes {
            match self.found(base, vec![must]) {
                // Whether it is broken is asked of the rules, and not of the wish.
                Ok(deck) if !over(&deck, whole).is_legal() => {
                    return Binds::Yes(Box::new(deck));
                }
                Ok(_) => never = false,
                Err(proven) => never &= proven,
            }
        }
        match never {
            true => Binds::Never,
            false => Binds::NotKnown,
        }
    }

    /// Wishes of which a deck that breaks a thing satisfies one, and whether every such deck does.
    fn breaches(&self, list: &Banlist, said: Said, base: &Decklist) -> (Vec<Wish>, bool) {
        let sections = |ids: &[String]| -> Vec<u16> {
            let all = 0..base.sections().len() as u16;
            match ids {
                [] => all.collect(),
                ids => ids.iter().filter_map(|id| base.section(id)).collect(),
            }
        };
        let copies = |cards: &[CardId], within: &[u16], least: i64| -> Vec<Wish> {
            let each = cards.iter().map(|card| {
                let text = format!("{least} of `{}`", base.name(*card));
                Wish::new(
                    text,
                    WishKind::Copies(*card, within.to_vec(), Some(least), None),
                )
            });
            each.collect()
        };
        match said {
            Said::Entry(at) => {
                let entry = &list.entries[at];
                let (cards, within) = (named(list, entry, base), sections(&entry.sections));
                match entry.status {
                    Status::Banned => (copies(&cards, &within, 1), true),
                    Status::Restricted(most) => {
                        // Of several cards under one name the copies may be spread.
                        let spread = list.by.is_some() && cards.len() > 1;
                        (copies(&cards, &within, i64::from(most) + 1), !spread)
                    }
                    Status::Points(points) => {
                        let limit = list.points_limit.unwrap_or(i64::MAX);
                        // More and more of it, until that alone is too much.
                        let enough = limit / points.max(1) + 1;
                        let each = (1..=enough.min(20)).rev();
                        let more = each.flat_map(|least| copies(&cards, &within, least));
                        let mut wishes: Vec<Wish> = more.collect();
                        wishes.extend(self.beside(list, entry, base));
                        // A deck without any of it never counts it, and one copy is among these.
                        (wishes, true)
                    }
                }
            }
            Said::Group(at) => {
                let group = &list.groups[at];
                let query = |all: &[decklaw_core::banlist::Listed]| {
                    let names = all.iter().filter(|one| !one.query);
                    let names: Vec<String> = names.map(|one| quoted(&one.name)).collect();
                    names.join(" or ")
                };
                let cards = query(&group.cards);
                let text = match group.not_with.as_slice() {
                    [] => format!("{}+ [{cards}]", group.at_most + 1),
                    apart => format!("1+ [{cards}] and 1+ [{}]", query(apart)),
                };
                // Copies are counted where different cards may be meant: if there are never so many
                // copies, there are never so many cards.
                let mut listed = group.cards.iter().chain(&group.not_with);
                let exact =
                    list.by.is_none() && listed.all(|one| !one.query && !one.name.contains('"'));
                match Wish::parse(&text, base.rulebook()) {
                    Ok(wish) => (vec![wish], exact),
                    Err(_) => (Vec::new(), false),
                }
            }
            Said::Change(_) | Said::Rotation => (Vec::new(), false),
        }
    }

    /// A card with points beside each other one.
    fn beside(&self, list: &Banlist, entry: &Entry, base: &Decklist) -> Vec<Wish> {
        let others = list.entries.iter().filter(|other| {
            matches!(other.status, Status::Points(_)) && other.listed != entry.listed
        });
        let others = others.filter(|other| !other.query);
        let others: Vec<String> = others.map(|other| quoted(&other.name)).collect();
        let own = quoted(&entry.name);
        let counts = (1..=4).flat_map(|copies| (1..=3).map(move |beside| (copies, beside)));
        let single = counts.flat_map(|(copies, beside)| {
            let each = others.iter();
            each.map(move |other| (copies, format!("{beside}+ {other}")))
        });
        let single = single.map(|(copies, other)| format!("{copies}+ {own} and {other}"));
        let every: Vec<String> = others.iter().map(|other| format!("1+ {other}")).collect();
        let all = std::iter::once(format!("1+ {own} and {}", every.join(" and ")));
        let texts = single.chain(all.filter(|_| every.len() > 1));
        texts
            .filter_map(|text| Wish::parse(&text, base.rulebook()).ok())
            .collect()
    }

    /// The cards that are in no legal deck, and those of which that is not known.
    fn unfit(&self, place: &Place, pool: &Pool, reached: &Reached) -> (Vec<CardId>, Vec<CardId>) {
        let base = match &place.base {
            Ok(base) => base,
            Err(proven) => {
                let all = pool.ids().collect();
                return match proven {
                    true => (all, Vec::new()),
                    false => (Vec::new(), all),
                };
            }
        };
        let mut fits = vec![false; base.pool().len()];
        let see = |deck: &Decklist, fits: &mut Vec<bool>| {
            for held in deck.holdings().filter(|held| held.copies > 0) {
                if let Some(fits) = fits.get_mut(held.card.index()) {
                    *fits = true;
                }
            }
        };
        see(base, &mut fits);
        for best in reached.best.iter().flatten() {
            see(&best.deck, &mut fits);
        }
        let sections: Vec<u16> = (0..base.sections().len() as u16).collect();
        let (mut unfit, mut unsure) = (Vec::new(), Vec::new());
        for card in base.pool().ids() {
            if fits[card.index()] {
                continue;
            }
            let text = format!("1 of `{}`", base.name(card));
            let kind = WishKind::Copies(card, sections.clone(), Some(1), None);
            match self.found(base, vec![Wish::new(text, kind)]) {
                Ok(deck) => see(&deck, &mut fits),
                Err(true) => unfit.push(card),
                Err(false) => unsure.push(card),
            }
        }
        (unfit, unsure)
    }
}

/// A name as a hand query takes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', ""))
}

/// A deck under other rules of its format, by the names of its cards.
fn over(deck: &Decklist, rulebook: &Arc<Rulebook>) -> Decklist {
    let names = deck.holdings().map(|held| {
        let section = &deck.sections()[usize::from(held.section)];
        (section.as_str(), deck.name(held.card), held.copies)
    });
    Decklist::of_names(Arc::clone(rulebook), names)
}

/// The cards that an entry of a list is about.
fn named(list: &Banlist, entry: &Entry, base: &Decklist) -> Vec<CardId> {
    let pool = base.pool();
    if entry.query {
        let query = Query::parse(&entry.name);
        let cards = query.and_then(|query| query.select_known(pool));
        return cards.map_or_else(|_| Vec::new(), |set| set.iter().collect());
    }
    match &list.by {
        None => pool.find(&entry.name).into_iter().collect(),
        Some(field) => {
            let query = Query::parse(&format!("{}:{}", field.value, quoted(&entry.name)));
            let cards = query.and_then(|query| query.select_known(pool));
            cards.map_or_else(|_| Vec::new(), |set| set.iter().collect())
        }
    }
}

/// A list without one thing that it says.
fn without(list: &Banlist, said: Said) -> Banlist {
    let mut rest = list.clone();
    match said {
        Said::Entry(at) => drop(rest.entries.remove(at)),
        Said::Group(at) => drop(rest.groups.remove(at)),
        Said::Change(at) => drop(rest.changes.remove(at)),
        Said::Rotation => rest.rotation = None,
    }
    rest
}
