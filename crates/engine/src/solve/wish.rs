//! Wishes: what a deck is asked to be in addition to legal, in linear form and as a question.

use super::Decklist;
use super::formula::condition;
use decklaw_cards::pool::{CardId, CardSet, Pool};
use decklaw_cards::query::{HandQuery, Query, QueryError};
use decklaw_rules::format::{Game, Rulebook};
use decklaw_rules::rules::SectionSet;
use decklaw_rules::rules::linear::{Linear, Unknown};
use decklaw_rules::rules::tree::{Cond, Rows};
use decklaw_text::text::{Span, those};
use rustc_hash::FxHashMap;

/// Something asked of a deck.
#[derive(Debug, Clone)]
pub struct Wish {
    text: String,
    /// Whether its text is a hand query as written by a person, and not a sentence.
    quoted: bool,
    /// What its queries ask for that no card of the pool has.
    remarks: Vec<String>,
    kind: WishKind,
}

#[derive(Debug, Clone)]
pub(super) enum WishKind {
    /// Counts and totals of groups.
    Counts(Cond),
    /// These cards stay where they are.
    Keep(CardSet),
    /// At least this many copies of a card in a section.
    AtLeast(Vec<(u16, CardId, i64)>),
    /// At most this many copies of a card in a section, or as many as before.
    AtMost(Cap),
    /// Copies of a card in some sections together, from the first to the second number.
    Together(Vec<JointCopies>),
}

/// The most copies of a card in a section that come in.
#[derive(Debug, Clone)]
pub(super) enum Cap {
    /// None but of these cards.
    Only(CardSet),
    /// None at all but in these sections, whatever was in the others.
    Within(Vec<u16>),
    /// This many.
    Playset(i64),
}

/// Copies of a card in some sections together.
#[derive(Debug, Clone)]
pub(super) struct JointCopies {
    pub(super) card: CardId,
    pub(super) sections: SectionSet,
    pub(super) low: Option<i64>,
    pub(super) high: Option<i64>,
}

impl Cap {
    /// The most copies of a card in a section that had some before; `None`: any number.
    fn most(&self, section: u16, card: CardId, before: i64) -> Option<i64> {
        match self {
            Cap::Only(cards) => (!cards.has(card)).then_some(before),
            Cap::Within(sections) => (!sections.contains(&section)).then_some(0),
            Cap::Playset(most) => Some(before.max(*most)),
        }
    }
}

impl Wish {
    /// Reads a wish: a hand query about the whole deck, or about one section that is written
    /// before it with a colon.
    ///
    /// # Errors
    /// What cannot be read, fields and names that do not exist, and what has no linear form:
    /// `different` and `some`.
    pub fn parse(text: &str, rulebook: &Rulebook) -> Result<Wish, QueryError> {
        Wish::of(text, rulebook.format().game(), rulebook.pool())
    }

    /// As [`Wish::parse`], of the cards of a game.
    ///
    /// # Errors
    /// As for [`Wish::parse`].
    pub fn of(text: &str, game: &Game, pool: &Pool) -> Result<Wish, QueryError> {
        let names = game.section_names();
        let section = text.split_once(':').and_then(|(word, _)| {
            let id = names.find(word.trim())?;
            let at = game.sections().iter().enumerate();
            let at = at.into_iter().find(|(_, section)| section.id == id)?.0;
            Some((at, word.len() + 1))
        });
        if section.is_none() {
            known_section(text, game, pool)?;
        }
        let (sections, start) = match section {
            Some((at, start)) => (SectionSet::only(at), start),
            None => (SectionSet(u64::MAX), 0),
        };
        let moved = |error: QueryError| error.moved(start);
        let hand = HandQuery::parse(&text[start..]).map_err(moved)?;
        let counts = condition(&hand.root, pool, sections).map_err(moved)?;
        Ok(Wish {
            text: text.trim().to_owned(),
            quoted: true,
            remarks: hand.unmatched(pool),
            kind: WishKind::Counts(counts),
        })
    }

    /// What it asks for that no card of the pool has.
    pub fn unmatched(&self) -> &[String] {
        &self.remarks
    }

    /// Cards that must stay where they are, all copies.
    ///
    /// # Errors
    /// A query that cannot be read or asked of these cards.
    pub fn keep(query: &str, pool: &Pool) -> Result<Wish, QueryError> {
        let (cards, remarks) = select(query, pool)?;
        let text = format!("keep: {}", query.trim());
        Ok(Wish { remarks, ..Wish::new(text, WishKind::Keep(cards)) })
    }

    /// The only cards that may come in.
    ///
    /// # Errors
    /// A query that cannot be read or asked of these cards.
    pub fn only(query: &str, pool: &Pool) -> Result<Wish, QueryError> {
        let (cards, remarks) = select(query, pool)?;
        let text = format!("only these may come in: {}", query.trim());
        Ok(Wish { remarks, ..Wish::new(text, WishKind::AtMost(Cap::Only(cards))) })
    }

    /// The copies of each card that there are, all sections together; `from` names the list.
    pub fn own(copies: Vec<i64>, from: &str) -> Wish {
        let each = copies.into_iter().enumerate();
        let each = each.map(|(at, copies)| JointCopies {
            card: CardId(at as u32),
            sections: SectionSet(u64::MAX),
            low: None,
            high: Some(copies),
        });
        let text = format!("no more cards than {from} has");
        Wish::new(text, WishKind::Together(each.collect()))
    }

    /// At least the cards of a list; `from` names it. Cards that the pool does not know are no
    /// part of it: where those are no error, a deck keeps them anyway.
    pub fn uses(cards: &Decklist, from: &str) -> Wish {
        let cards = cards.holdings().filter(|holding| cards.knows(holding.card));
        let copies = cards.map(|holding| (holding.section, holding.card, holding.copies));
        Wish::new(format!("at least the cards of {from}"), WishKind::AtLeast(copies.collect()))
    }

    /// No card has more copies in a section than this, unless it had them before.
    pub fn playset(most: u32) -> Wish {
        let text = format!("no more than {most} of a card");
        Wish::new(text, WishKind::AtMost(Cap::Playset(i64::from(most))))
    }

    pub(super) fn new(text: String, kind: WishKind) -> Wish {
        Wish { text, quoted: false, remarks: Vec::new(), kind }
    }

    /// The wish as it was written, or in words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it asks for that no card has: words and values that no card of the pool has, groups
    /// without a card, cards to keep that the deck does not hold. Each is reported with the answer.
    pub fn remarks(&self, before: &Decklist) -> Vec<String> {
        let mut remarks = self.remarks.clone();
        match &self.kind {
            WishKind::Keep(cards) if !before.holdings().any(|held| cards.has(held.card)) => {
                remarks.push("the deck has no such card".to_owned());
            }
            WishKind::AtMost(Cap::Only(cards)) if cards.is_empty() => {
                remarks.push("unknown card".to_owned());
            }
            _ => {}
        }
        remarks
    }

    /// The wish among sentences about rules.
    pub fn demand(&self) -> String {
        if self.quoted { format!("wished: {}", self.text) } else { self.text.clone() }
    }

    /// Whether a deck that came of another satisfies it.
    pub fn holds(&self, before: &Decklist, after: &Decklist) -> bool {
        match &self.kind {
            WishKind::Counts(counts) => counts.holds(&after.contents()) == Some(true),
            WishKind::Keep(_) | WishKind::AtLeast(_) => {
                let mut least = self.least(before).into_iter();
                least.all(|(section, card, copies)| after.copies(section, card) >= copies)
            }
            WishKind::AtMost(cap) => after.holdings().all(|held| {
                let before = before.copies(held.section, held.card);
                let most = cap.most(held.section, held.card, before);
                most.is_none_or(|most| held.copies <= most)
            }),
            WishKind::Together(all) => {
                let mut copies: FxHashMap<CardId, Vec<(usize, i64)>> = FxHashMap::default();
                for held in after.holdings() {
                    let own = copies.entry(held.card).or_default();
                    own.push((usize::from(held.section), held.copies));
                }
                all.iter().all(|own| {
                    let held = copies.get(&own.card).into_iter().flatten();
                    let held = held.filter(|(section, _)| own.sections.has(*section));
                    let held: i64 = held.map(|(_, copies)| copies).sum();
                    own.low.is_none_or(|low| held >= low)
                        && own.high.is_none_or(|high| held <= high)
                })
            }
        }
    }

    /// The copies that must be there at least.
    fn least(&self, before: &Decklist) -> Vec<(u16, CardId, i64)> {
        match &self.kind {
            WishKind::Keep(cards) => {
                let held = before.holdings().filter(|held| cards.has(held.card));
                held.map(|held| (held.section, held.card, held.copies)).collect()
            }
            WishKind::AtLeast(cards) => cards.clone(),
            _ => Vec::new(),
        }
    }

    /// How far a deck is from it, where it is one of counts and totals or of cards that are used,
    /// in copies; 0 for others.
    pub fn missed(&self, deck: &Decklist) -> i64 {
        match &self.kind {
            WishKind::Counts(counts) => counts.missed(&deck.contents()),
            WishKind::AtLeast(cards) => cards
                .iter()
                .map(|(section, card, copies)| (copies - deck.copies(*section, *card)).max(0))
                .sum(),
            _ => 0,
        }
    }

    /// What of it a deck that is so far from it has reached, for other decks to keep; `None`: no
    /// part of it.
    pub(super) fn reached(&self, missed: i64, deck: &Decklist) -> Option<Wish> {
        let kind = match &self.kind {
            _ if missed == 0 => return Some(self.clone()),
            WishKind::AtLeast(cards) => {
                let there = cards.iter().map(|(section, card, copies)| {
                    let held = deck.copies(*section, *card);
                    (*section, *card, held.min(*copies))
                });
                WishKind::AtLeast(there.collect())
            }
            _ => return None,
        };
        Some(Wish { kind, ..self.clone() })
    }

    /// Demands it.
    pub(super) fn linear(&self, linear: &mut Linear<'_>, before: &Decklist) {
        let sections = linear.sections();
        match &self.kind {
            WishKind::Counts(counts) => Rows::apart(linear).demand(counts),
            WishKind::Keep(_) | WishKind::AtLeast(_) => {
                for (section, card, copies) in self.least(before) {
                    linear.at_least(linear.copies(card, usize::from(section)), copies);
                }
            }
            WishKind::AtMost(cap) => {
                for card in linear.pool().ids() {
                    for section in 0..sections {
                        let held = before.copies(section as u16, card);
                        if let Some(most) = cap.most(section as u16, card, held) {
                            linear.at_most(linear.copies(card, section), most);
                        }
                    }
                }
            }
            WishKind::Together(all) => {
                for own in all {
                    let terms = linear.sum(own.card, own.sections, 1).collect();
                    linear.row(terms, own.low, own.high);
                }
            }
        }
    }

    /// Adds what it takes to say how far a deck is from it: a sum that is 0 where it holds.
    pub(super) fn miss(&self, linear: &mut Linear<'_>, before: &Decklist) -> Vec<(Unknown, i64)> {
        match &self.kind {
            WishKind::Counts(counts) => Rows::apart(linear).miss(counts),
            WishKind::AtLeast(cards) => cards
                .iter()
                .map(|(section, card, copies)| {
                    let gone = linear.number(0, *copies);
                    let stays = linear.copies(*card, usize::from(*section));
                    linear.row(vec![(stays, 1), (gone, 1)], Some(*copies), None);
                    (gone, 1)
                })
                .collect(),
            _ => {
                self.linear(linear, before);
                Vec::new()
            }
        }
    }

    /// The largest number that it names.
    pub(super) fn largest(&self) -> i64 {
        match &self.kind {
            WishKind::Counts(counts) => counts.largest(),
            WishKind::AtLeast(cards) => {
                cards.iter().map(|(_, _, copies)| *copies).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// Whether the word before a colon at the beginning, if there is one, can be other than a
/// section that does not exist.
fn known_section(text: &str, game: &Game, pool: &Pool) -> Result<(), QueryError> {
    let Some((before, _)) = text.split_once(':') else {
        return Ok(());
    };
    let word = before.trim();
    let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
    let is_field = |word: &str| {
        let mut fields = pool.fields().iter();
        fields.any(|field| field.name == word.to_lowercase())
    };
    if !is_word || is_field(word) {
        return Ok(());
    }
    let sections = game.sections().iter();
    let known: Vec<&str> = sections.map(|section| section.id.as_str()).collect();
    let start = before.len() - before.trim_start().len();
    let message = format!("unknown section `{word}`; {}", those(&known));
    Err(QueryError::at(message, Span { start, end: start + word.len() }))
}

/// The cards that a query picks, and what it asks for that no card has.
fn select(query: &str, pool: &Pool) -> Result<(CardSet, Vec<String>), QueryError> {
    let query = Query::parse(query)?;
    let cards = query.select_known(pool, pool.ids())?;
    let remarks = query.remarks(pool).into_iter();
    Ok((cards, remarks.map(|remark| remark.message).collect()))
}
