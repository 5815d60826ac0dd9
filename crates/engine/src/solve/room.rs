//! Room: how many more copies of a card can come into a section of a deck, one at a time, while
//! nothing breaks that only removing cards could repair, or while some legal deck has them all.

use super::repair::exact_repair;
use super::touched::bit;
use super::{DEFAULT_EFFORT, Decklist, Repair, Wish, Wishes};
use decklaw_cards::pool::{CardId, CardSet};
use decklaw_decks::deck::MOST_COPIES;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::{Contents, Failing, Holding, Judgement, Rule, Severity};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell};

/// How many more copies of a card may be added to a section, and what limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Index of the section.
    pub section: u16,
    /// The card.
    pub card: CardId,
    /// Further copies; `None`: no rule limits them.
    pub more: Option<i64>,
    /// The rule that the next copy would break, an index into the rulebook's rules; `None`
    /// where nothing limits.
    pub rule: Option<usize>,
}

/// Answers how many more copies fit into one deck. A copy fits if it breaks no rule, or only such
/// that adding cards repairs: an unfinished deck has room. Each copy up to it must fit as well. A
/// copy that does break a rule still fits if some legal deck has every card of this one and that
/// copy, such as a card that only a second identity card permits.
#[derive(Debug)]
pub struct Rooms<'d> {
    deck: &'d Decklist,
    rulebook: &'d Rulebook,
    /// The rules whose breach is an error; unknown cards are not looked up again.
    asked: Vec<bool>,
    contents: Contents<'d>,
    /// The errors of the deck as it is.
    before: Vec<Judgement>,
    /// How far each is over.
    over: FxHashMap<Excess, i64>,
    /// For each card and section the rules that its copies there can matter to.
    touched: &'d [u64],
    /// The rules that a copy may break and a further one keep again.
    wavering: u64,
    /// The rules that a copy may break and other cards that come in keep again.
    repairable: u64,
    /// Whether a section refuses something that it holds: then gates set that aside.
    refuses: bool,
    /// Whether cards that come in may repair what a copy breaks.
    is_open: OnceCell<bool>,
    /// Whether that is asked of every rule, and not of those about identity cards alone.
    is_thorough: bool,
    /// The steps that one search for a legal deck may take.
    each: u64,
    /// The steps that are left for all of them.
    left: Cell<u64>,
    /// Whether the work limit ended one of them.
    is_cut: Cell<bool>,
}

/// More copies than any rule counts to: where there is room for this many, nothing limits them.
const ENDLESS: i64 = 16_383;

/// How many copies are tried one by one where a further copy may mend what one breaks: more than
/// decks have of a card.
const ONE_BY_ONE: i64 = 120;

/// The part of the steps that one search for a legal deck may take, once it has read the pool.
const SHARE: u64 = 200;

/// How many places of a card in a section a search for a legal deck reads in a step.
const PLACES_A_STEP: usize = 100;

/// What an error is about: the rule, the cards, the section.
type Excess = (usize, Vec<CardId>, Option<usize>);

/// More copies of one card in one section, tried out.
struct Trial<'t, 'd> {
    rooms: &'t Rooms<'d>,
    contents: Contents<'d>,
    holding: Holding,
    /// The rules that the copies can matter to.
    touched: u64,
    /// An error of the other rules that is about this card anyway.
    blamed: Option<&'t Judgement>,
}

impl<'d> Rooms<'d> {
    /// Looks at a deck as it is.
    pub fn of(deck: &'d Decklist) -> Rooms<'d> {
        Rooms::by(deck, |_| true)
    }

    /// The same by some of the rules alone.
    pub fn by(deck: &'d Decklist, counts: impl Fn(&Rule) -> bool) -> Rooms<'d> {
        let rulebook: &Rulebook = deck.rulebook();
        let shape = super::shape(rulebook);
        let asked = rulebook.rules().iter().map(|rule| {
            rule.severity == Severity::Error
                && rule.kind != decklaw_rules::rules::unknown::ID
                && counts(rule)
        });
        let mut rooms = Rooms {
            deck,
            rulebook,
            asked: asked.collect(),
            contents: deck.contents().holding(deck.holdings().collect()),
            before: Vec::new(),
            over: FxHashMap::default(),
            touched: &shape.touched,
            wavering: shape.wavering,
            repairable: shape.repairable,
            refuses: false,
            is_open: OnceCell::new(),
            is_thorough: false,
            each: DEFAULT_EFFORT / SHARE,
            left: Cell::new(DEFAULT_EFFORT),
            is_cut: Cell::new(false),
        };
        rooms.refuses = rulebook.refuses_any(&rooms.contents);
        rooms.before = rooms.excesses(&rooms.contents, u64::MAX);
        for found in &rooms.before {
            let over = found.violation.distance();
            let worst = rooms.over.entry(excess(found)).or_insert(over);
            *worst = over.max(*worst);
        }
        rooms
    }

    /// Searches for legal decks whichever rule a copy breaks, with this many steps for all of them.
    /// Without it, only copies that identity cards do not permit are worth a search.
    pub fn within(self, effort: u64) -> Rooms<'d> {
        Rooms { is_thorough: true, each: (effort / SHARE).max(1), left: Cell::new(effort), ..self }
    }

    /// The room of a card that the pool knows in a section.
    pub fn room(&self, section: u16, card: CardId) -> Room {
        self.room_near(section, card, Some(0))
    }

    /// The same, looked for near the room that another card was found to have: where it is just
    /// that, two trials show it, and where it is none, one. Where a further copy may mend what
    /// one breaks, the first few are tried one by one.
    fn room_near(&self, section: u16, card: CardId, near: Option<i64>) -> Room {
        let mut trial = self.trial(section, card);
        trial.contents = trial.contents.wordless();
        let most = i64::from(MOST_COPIES) - self.deck.copies(section, card);
        let endless = most.min(ENDLESS);
        let one_by_one = match trial.touched & self.wavering {
            0 => 0,
            _ => ONE_BY_ONE.min(endless),
        };
        let mut tried = match one_by_one {
            0 => near.map_or(endless, |near| near.saturating_add(1).min(endless)),
            _ => 1.min(endless),
        };
        let unlimited = Room { section, card, more: None, rule: None };
        // Up to `fits` there is room, and from `breach` on there is none.
        let (mut fits, mut step, mut breach) = (0, 1, None);
        loop {
            let found = match trial.breach(tried) {
                Some(found) if self.is_in_a_legal_deck(section, card, tried, &found) => None,
                found => found,
            };
            match found {
                Some(found) => breach = Some((tried, found)),
                None if tried >= endless || !trial.matters() => return unlimited,
                None => fits = tried,
            }
            tried = match &breach {
                None if fits < one_by_one => fits + 1,
                // Doubles until it is too much.
                None => {
                    step *= 2;
                    (fits + step).min(endless)
                }
                Some((over, _)) if over - fits <= 1 => break,
                // Then halves, the near one first.
                Some((over, _)) => match near {
                    Some(near) if near > fits && near < *over => near,
                    _ => fits + (over - fits) / 2,
                },
            };
        }
        let Some((_, found)) = breach else {
            return unlimited;
        };
        Room { section, card, more: Some(fits), rule: Some(found.rule) }
    }

    /// Whether a rule lets in what identity cards permit.
    fn is_about_identity(&self, rule: usize) -> bool {
        let rule = &self.rulebook.rules()[rule];
        ["permitted", "matching"].contains(&rule.kind)
    }

    /// Whether a legal deck has all cards of this one and more copies of a card, though the copies
    /// alone break a rule.
    fn is_in_a_legal_deck(&self, section: u16, card: CardId, more: i64, found: &Judgement) -> bool {
        let (is_asked, is_open): (bool, fn(&Self) -> bool) = if self.is_thorough {
            // No card that comes in repairs another rule.
            let is_repairable = self.repairable & bit(found.rule) != 0;
            (is_repairable, |rooms| rooms.is_repairable())
        } else {
            let is_about_identity = self.is_about_identity(found.rule);
            (is_about_identity, |rooms| rooms.has_open_identity())
        };
        if !is_asked || !*self.is_open.get_or_init(|| is_open(self)) {
            return false;
        }
        let mut fuller = self.deck.clone();
        fuller.add(section, card, more);
        self.is_part_of_a_legal_deck(&fuller)
    }

    /// Whether no error of the deck needs a card removed.
    fn is_repairable(&self) -> bool {
        self.before.is_empty() || self.is_part_of_a_legal_deck(self.deck)
    }

    /// Whether adding cards makes a deck legal, as far as the work limit shows.
    fn is_part_of_a_legal_deck(&self, deck: &Decklist) -> bool {
        let reading = (deck.pool().len() * deck.sections().len() / PLACES_A_STEP) as u64;
        let wishes = Wishes {
            must: vec![Wish::uses(deck, "the deck")],
            effort: self.each.saturating_add(reading).min(self.left.get()),
            ..Wishes::default()
        };
        let mut left = wishes.effort.saturating_sub(reading);
        if left == 0 {
            self.is_cut.set(true);
            return false;
        }
        // The exact search alone: this is asked of card after card.
        let repaired = exact_repair(deck, &wishes, &mut left);
        let spent = wishes.effort.saturating_sub(left);
        self.left.set(self.left.get().saturating_sub(spent));
        if matches!(repaired, Repair::Unknown) {
            self.is_cut.set(true);
        }
        matches!(repaired, Repair::Found(_))
    }

    /// Whether the work limit ended a search for a legal deck, so that a card may have more room
    /// than was found.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Whether the sections of identity cards take any further card as they are, and some legal
    /// deck has all cards of this one.
    fn has_open_identity(&self) -> bool {
        if !self.is_repairable() {
            return false;
        }
        let heads = self.rulebook.identity_sections();
        let sections = 0..u16::try_from(self.deck.sections().len()).unwrap_or(u16::MAX);
        let mut sections = sections.filter(|section| heads.has(usize::from(*section)));
        sections.any(|section| {
            let mut cards = self.deck.pool().ids();
            cards.any(|card| {
                self.takes(section, card)
                    && self
                        .trial(section, card)
                        // What they permit of each other is what is asked about.
                        .breach(1)
                        .is_none_or(|found| self.is_about_identity(found.rule))
            })
        })
    }

    /// What would be wrong with one copy more than there is room for, a sentence.
    pub fn why(&self, room: &Room) -> Option<String> {
        let more = room.more? + 1;
        let mut trial = self.trial(room.section, room.card);
        // No other rule has to be asked again.
        trial.touched &= room.rule.map_or(u64::MAX, bit);
        Some(trial.breach(more)?.violation.message)
    }

    /// Whether a section takes a card at all.
    pub fn takes(&self, section: u16, card: CardId) -> bool {
        let copies = 1;
        !self.rulebook.refuses(&Holding { card, section, copies })
    }

    /// The room of some cards in every section that takes them, by section and folded name.
    /// Cards that a section never takes are left out.
    pub fn all(&self, cards: &CardSet) -> Vec<Room> {
        let sections = u16::try_from(self.deck.sections().len()).unwrap_or(u16::MAX);
        let places =
            (0..sections).flat_map(|section| cards.iter().map(move |card| (section, card)));
        self.of_each(places)
    }

    /// The room of cards that the pool knows in sections, in their order; a card that its section
    /// never takes is left out.
    pub fn of_each(&self, places: impl IntoIterator<Item = (u16, CardId)>) -> Vec<Room> {
        let (alike, standing) = (&super::shape(self.rulebook).alike, self.standing());
        // Cards that no rule distinguishes have the same room where the deck has none of them, or
        // as many of each.
        let mut known: FxHashMap<(u16, u32, &[i64]), Room> = FxHashMap::default();
        // What was found last for a card that the same rules can matter to, held or not.
        let mut last: FxHashMap<(u16, u64, bool), Option<i64>> = FxHashMap::default();
        let taken = places.into_iter().filter(|(section, card)| self.takes(*section, *card));
        let room = |(section, card): (u16, CardId)| {
            let own = standing.get(&card).map_or(&[][..], Vec::as_slice);
            let known = known.entry((section, alike[card.index()], own));
            let room = *known.or_insert_with(|| {
                let held = !self.contents.of_card(card).is_empty();
                let last = last.entry((section, self.touched(section, card), held));
                let last = last.or_insert(Some(0));
                let room = self.room_near(section, card, *last);
                *last = room.more;
                room
            });
            Room { card, ..room }
        };
        taken.map(room).collect()
    }

    /// What distinguishes cards that are alike by the rules: what the deck holds of a card, and the
    /// errors that name it; cards without either are not named.
    fn standing(&self) -> FxHashMap<CardId, Vec<i64>> {
        let mut standing: FxHashMap<CardId, Vec<i64>> = FxHashMap::default();
        for held in self.contents.known() {
            let own = standing.entry(held.card).or_default();
            own.extend([i64::from(held.section), held.copies]);
        }
        for found in &self.before {
            let violation = &found.violation;
            let signature = [
                i64::MIN,
                found.rule as i64,
                violation.section.map_or(-1, |section| section as i64),
                found.violation.distance(),
                violation.cards.len() as i64,
            ];
            for card in &violation.cards {
                standing.entry(*card).or_default().extend(signature);
            }
        }
        standing
    }

    /// The rules that copies of a card in a section can matter to.
    fn touched(&self, section: u16, card: CardId) -> u64 {
        let sections = self.rulebook.format().game().sections().len().max(1);
        let at = card.index() * sections + usize::from(section);
        let known = usize::from(section) < sections;
        let touched = self.touched.get(at).copied().filter(|_| known);
        touched.unwrap_or(u64::MAX)
    }

    fn trial(&self, section: u16, card: CardId) -> Trial<'_, 'd> {
        let touched = self.touched(section, card);
        let blamed = self
            .before
            .iter()
            .find(|found| touched & bit(found.rule) == 0 && found.violation.is_of(card, section));
        let copies = self.deck.copies(section, card) + 1;
        let holding = Holding { card, section, copies };
        Trial { rooms: self, contents: self.contents.with(holding), holding, touched, blamed }
    }

    /// Whether an error stood before, and no smaller.
    fn stood(&self, found: &Judgement) -> bool {
        let known = self.over.get(&excess(found));
        known.is_some_and(|worst| *worst >= found.violation.distance())
    }

    /// The errors of some rules that adding cards could not mend.
    fn excesses(&self, contents: &Contents<'_>, rules: u64) -> Vec<Judgement> {
        let mut found = Vec::new();
        self.first_excess(contents, rules, |judgement| {
            found.push(judgement.clone());
            false
        });
        found
    }

    /// The first of them that is wanted; no rule behind it is asked.
    fn first_excess(
        &self,
        contents: &Contents<'_>,
        rules: u64,
        mut wanted: impl FnMut(&Judgement) -> bool,
    ) -> Option<Judgement> {
        let asked = |rule: usize| self.asked[rule] && rules & bit(rule) != 0;
        let mut wanted =
            |found: &Judgement| found.violation.failing == Failing::Excess && wanted(found);
        if self.refuses {
            let all = self.rulebook.judge_by(contents, asked);
            return all.into_iter().find(&mut wanted);
        }
        let rules = (0..self.asked.len()).filter(|rule| asked(*rule));
        rules
            .map(|rule| self.rulebook.judge_each(contents, std::iter::once(rule)))
            .find_map(|found| found.into_iter().find(&mut wanted))
    }
}

impl Trial<'_, '_> {
    /// Whether the number of copies can matter at all.
    fn matters(&self) -> bool {
        let mut asked = self.rooms.asked.iter().enumerate();
        asked.any(|(rule, asked)| *asked && self.touched & bit(rule) != 0)
    }

    /// What some more copies would break that is not broken yet, or break more. Rules that they
    /// cannot matter to say what they said before, and are not asked.
    fn breach(&mut self, more: i64) -> Option<Judgement> {
        let rooms = self.rooms;
        let first = if !self.matters() {
            None
        } else {
            let Holding { card, section, .. } = self.holding;
            self.contents
                .hold(Holding { copies: rooms.deck.copies(section, card) + more, ..self.holding });
            rooms.first_excess(&self.contents, self.touched, |found| {
                found.violation.is_of(card, section) || !rooms.stood(found)
            })
        };
        // The one that is said first of all rules.
        let place = |found: &Judgement| {
            let gate = rooms.rulebook.rules()[found.rule].is_gate();
            (!gate, found.rule)
        };
        match (first, self.blamed) {
            (Some(first), Some(blamed)) if place(blamed) < place(&first) => Some(blamed.clone()),
            (None, Some(blamed)) => Some(blamed.clone()),
            (first, _) => first,
        }
    }
}

fn excess(found: &Judgement) -> Excess {
    let violation = &found.violation;
    (found.rule, violation.cards.clone(), violation.section)
}
