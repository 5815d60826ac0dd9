//! Room: how many more copies of a card a section of a deck has place for.

use super::repair::exact_repair;
use super::touched::bit;
use super::{DEFAULT_EFFORT, Decklist, Repair, Wish, Wishes};
use decklaw_core::deck::MOST_COPIES;
use decklaw_core::format::Rulebook;
use decklaw_core::pool::{CardId, CardSet};
use decklaw_core::rules::{Contents, Failing, Holding, Judgement, Severity};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

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

/// Asks for room in one deck. A copy has room when no error that adding cards could not mend
/// comes of it, with each copy up to it: points not yet spent are no obstacle, points spent twice
/// are. What identity cards do not permit is none where a legal deck has all cards of this one, the
/// copies and a further identity card, such as a partner.
#[derive(Debug)]
pub struct Rooms<'d> {
    deck: &'d Decklist,
    rulebook: &'d Rulebook,
    /// The rules whose breach is an error; unknown cards are not looked up again.
    asked: Vec<bool>,
    contents: Contents<'d>,
    /// The errors as they stand.
    before: Vec<Judgement>,
    /// How far each is over.
    over: FxHashMap<Excess, i64>,
    /// For each card and section the rules that its copies there can matter to.
    touched: &'d [u64],
    /// The rules that a copy may break and a further one keep again.
    wavering: u64,
    /// Whether a section refuses something that it holds: then gates set that aside.
    refuses: bool,
    /// Whether any further identity card fits.
    open_heads: OnceCell<bool>,
    /// The steps that it may take to find out whether further identity cards mend what one breaks.
    mending: u64,
}

/// More copies than any rule counts to: where there is room for so many, nothing limits them.
const ENDLESS: i64 = 16_383;

/// How many copies are tried one by one where a further copy may mend what one breaks: more than
/// decks have of a card.
const ONE_BY_ONE: i64 = 120;

/// To find out whether further identity cards mend what one breaks may take this part of the steps.
const SHARE: u64 = 200;

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
    /// Looks at a deck as it stands.
    pub fn of(deck: &'d Decklist) -> Rooms<'d> {
        let rulebook: &Rulebook = deck.rulebook();
        let shape = super::shape(rulebook);
        let asked = rulebook.rules().iter().map(|rule| {
            rule.severity == Severity::Error && rule.kind != decklaw_core::rules::unknown::ID
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
            refuses: false,
            open_heads: OnceCell::new(),
            mending: DEFAULT_EFFORT / SHARE,
        };
        rooms.refuses = rulebook.refuses_any(&rooms.contents);
        rooms.before = rooms.excesses(&rooms.contents, u64::MAX);
        for found in &rooms.before {
            let over = over(found);
            let worst = rooms.over.entry(excess(found)).or_insert(over);
            *worst = over.max(*worst);
        }
        rooms
    }

    /// The same with this many steps of work: a question about further identity cards takes at most
    /// a part of them.
    pub fn within(self, effort: u64) -> Rooms<'d> {
        Rooms {
            mending: (effort / SHARE).max(1),
            ..self
        }
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
        let unlimited = Room {
            section,
            card,
            more: None,
            rule: None,
        };
        // Up to `fits` there is room, and with so many as `breach` has, none.
        let (mut fits, mut step, mut breach) = (0, 1, None);
        loop {
            let found = match trial.breach(tried) {
                Some(found) if self.is_mended(section, card, tried, &found) => {
                    trial.breach_of(tried, &|rule| !self.speaks_of_heads(rule))
                }
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
        Room {
            section,
            card,
            more: Some(fits),
            rule: Some(found.rule),
        }
    }

    /// Whether a rule lets in what identity cards permit.
    fn speaks_of_heads(&self, rule: usize) -> bool {
        let rule = &self.rulebook.rules()[rule];
        ["permitted", "matching"].contains(&rule.kind)
    }

    /// Whether a legal deck has all cards of this one and more copies of a card, though its
    /// identity cards as they are do not permit them.
    fn is_mended(&self, section: u16, card: CardId, more: i64, found: &Judgement) -> bool {
        if !self.speaks_of_heads(found.rule)
            || !*self.open_heads.get_or_init(|| self.has_open_heads())
        {
            return false;
        }
        let mut fuller = self.deck.clone();
        fuller.add(section, card, more);
        self.is_part_of_a_legal_deck(&fuller)
    }

    /// Whether adding cards makes a deck legal, as far as so little work shows.
    fn is_part_of_a_legal_deck(&self, deck: &Decklist) -> bool {
        let wishes = Wishes {
            must: vec![Wish::uses(deck, "the deck")],
            effort: self.mending,
            ..Wishes::default()
        };
        // No more than the search itself: this is asked of card after card.
        let repaired = exact_repair(deck, &wishes, &mut wishes.effort.clone());
        matches!(repaired, Repair::Found(_))
    }

    /// Whether the sections of identity cards take any further card as they are, and some legal
    /// deck has all cards of this one.
    fn has_open_heads(&self) -> bool {
        if !self.before.is_empty() && !self.is_part_of_a_legal_deck(self.deck) {
            return false;
        }
        let heads = self.rulebook.heads();
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
                        .is_none_or(|found| self.speaks_of_heads(found.rule))
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
        !self.rulebook.refuses(&Holding {
            card,
            section,
            copies,
        })
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
        // Cards that no rule tells apart have the same room where the deck has none of them, or
        // as many of each.
        let mut known: FxHashMap<(u16, u32, &[i64]), Room> = FxHashMap::default();
        // What was found last for a card that the same rules can matter to, held or not.
        let mut last: FxHashMap<(u16, u64, bool), Option<i64>> = FxHashMap::default();
        let taken = places
            .into_iter()
            .filter(|(section, card)| self.takes(*section, *card));
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

    /// What tells cards apart that are alike by the rules: what the deck holds of a card, and the
    /// errors that name it; cards without either are not named.
    fn standing(&self) -> FxHashMap<CardId, Vec<i64>> {
        let mut standing: FxHashMap<CardId, Vec<i64>> = FxHashMap::default();
        for held in self.contents.known() {
            let own = standing.entry(held.card).or_default();
            own.extend([i64::from(held.section), held.copies]);
        }
        for found in &self.before {
            let violation = &found.violation;
            let told = [
                i64::MIN,
                found.rule as i64,
                violation.section.map_or(-1, |section| section as i64),
                over(found),
                violation.cards.len() as i64,
            ];
            for card in &violation.cards {
                standing.entry(*card).or_default().extend(told);
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
        let holding = Holding {
            card,
            section,
            copies,
        };
        Trial {
            rooms: self,
            contents: self.contents.with(holding),
            holding,
            touched,
            blamed,
        }
    }

    /// Whether an error stood before, and no smaller.
    fn stood(&self, found: &Judgement) -> bool {
        let known = self.over.get(&excess(found));
        known.is_some_and(|worst| *worst >= over(found))
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
        self.breach_of(more, &|_| true)
    }

    /// The same of some rules.
    fn breach_of(&mut self, more: i64, counts: &dyn Fn(usize) -> bool) -> Option<Judgement> {
        let rooms = self.rooms;
        let first = match self.matters() {
            false => None,
            true => {
                let Holding { card, section, .. } = self.holding;
                self.contents.hold(Holding {
                    copies: rooms.deck.copies(section, card) + more,
                    ..self.holding
                });
                rooms.first_excess(&self.contents, self.touched, |found| {
                    let is_new = found.violation.is_of(card, section) || !rooms.stood(found);
                    is_new && counts(found.rule)
                })
            }
        };
        // The one that is said first of all rules.
        let place = |found: &Judgement| {
            let gate = rooms.rulebook.rules()[found.rule].is_gate();
            (!gate, found.rule)
        };
        match (first, self.blamed.filter(|blamed| counts(blamed.rule))) {
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

/// How far an error is over its limit.
pub(super) fn over(found: &Judgement) -> i64 {
    let numbers = found.violation.actual.zip(found.violation.limit);
    numbers.map_or(0, |(actual, limit)| actual.saturating_sub(limit).abs())
}
