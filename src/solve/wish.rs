//! Wishes: what a deck is asked to be besides legal, in linear form and as a question.

use super::Decklist;
use crate::odds::read::{self, Group, Hand};
use crate::pool::{CardId, CardSet, FieldKind, Pool};
use crate::query::{Comparison, Query, QueryError};
use crate::rules::linear::{Linear, Unknown};
use crate::rules::{Rulebook, SectionSet};
use crate::text::{Span, listed};

/// Something asked of a deck.
#[derive(Debug, Clone)]
pub struct Wish {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Counts and totals of groups.
    Counts(Formula),
    /// These cards stay where they are.
    Keep(CardSet),
    /// Only these cards may come in.
    Only(CardSet),
    /// No more copies of each card, all sections together, than this.
    Own(Vec<i64>),
    /// At least so many copies of a card in a section.
    AtLeast(Vec<(u16, CardId, i64)>),
    /// Copies of a card in some sections together, from the first to the second number.
    Copies(CardId, Vec<u16>, Option<i64>, Option<i64>),
    /// Cards in these sections only.
    Within(Vec<u16>),
}

#[derive(Debug, Clone)]
pub(super) enum Formula {
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// The weights of the cards, in these sections, come to a number from the first to the
    /// second.
    Sum(Vec<i64>, SectionSet, Option<i64>, Option<i64>),
}

impl Wish {
    /// Reads a wish: a hand query about the whole deck, or about one section that stands
    /// before it with a colon.
    ///
    /// # Errors
    /// What cannot be read, fields and names that do not exist, and what has no linear form:
    /// `different` and `some`.
    pub fn parse(text: &str, rulebook: &Rulebook) -> Result<Wish, QueryError> {
        let names = rulebook.format().game().section_names();
        let section = text.split_once(':').and_then(|(word, _)| {
            let id = names.find(word.trim())?;
            let at = rulebook.format().game().sections().iter();
            let at = at.enumerate().find(|(_, section)| section.id == id)?.0;
            Some((at, word.len() + 1))
        });
        if section.is_none() {
            known_section(text, rulebook)?;
        }
        let (sections, start) = match section {
            Some((at, start)) => (SectionSet::only(at), start),
            None => (SectionSet(u64::MAX), 0),
        };
        let moved = |error| read::moved(error, start);
        let hand = read::hand(&text[start..]).map_err(moved)?;
        let formula = formula(&hand, rulebook.pool(), sections, false).map_err(moved)?;
        Ok(Wish {
            text: format!("wished: {}", text.trim()),
            kind: Kind::Counts(formula),
        })
    }

    /// Cards that must stay where they are, all copies.
    ///
    /// # Errors
    /// A query that cannot be read or asked of these cards.
    pub fn keep(query: &str, pool: &Pool) -> Result<Wish, QueryError> {
        Ok(Wish {
            text: format!("keep: {}", query.trim()),
            kind: Kind::Keep(select(query, pool)?),
        })
    }

    /// The only cards that may come in.
    ///
    /// # Errors
    /// A query that cannot be read or asked of these cards.
    pub fn only(query: &str, pool: &Pool) -> Result<Wish, QueryError> {
        Ok(Wish {
            text: format!("only these may come in: {}", query.trim()),
            kind: Kind::Only(select(query, pool)?),
        })
    }

    /// The copies of each card that there are, all sections together; `from` names the list.
    pub fn own(copies: Vec<i64>, from: &str) -> Wish {
        Wish {
            text: format!("no more cards than {from} has"),
            kind: Kind::Own(copies),
        }
    }

    /// At least the cards of a list; `from` names it. Cards that the pool does not know are no
    /// part of it: where those are no error, a deck keeps them anyway.
    pub fn uses(cards: &Decklist, from: &str) -> Wish {
        let cards = cards.holdings().filter(|holding| cards.knows(holding.card));
        Wish {
            text: format!("at least the cards of {from}"),
            kind: Kind::AtLeast(
                cards
                    .map(|holding| (holding.section, holding.card, holding.copies))
                    .collect(),
            ),
        }
    }

    pub(super) fn new(text: String, kind: Kind) -> Wish {
        Wish { text, kind }
    }

    /// The wish in words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a deck that came of another satisfies it.
    pub fn holds(&self, before: &Decklist, after: &Decklist) -> bool {
        match &self.kind {
            Kind::Counts(formula) => formula.holds(after),
            Kind::Keep(cards) => before.holdings().all(|held| {
                !cards.has(held.card) || after.copies(held.section, held.card) >= held.copies
            }),
            Kind::Only(cards) => after.holdings().all(|held| {
                cards.has(held.card) || held.copies <= before.copies(held.section, held.card)
            }),
            Kind::Own(owned) => {
                let mut left = owned.clone();
                for held in after.holdings().filter(|held| after.knows(held.card)) {
                    left[held.card.index()] -= held.copies;
                }
                left.iter().all(|copies| *copies >= 0)
            }
            Kind::AtLeast(cards) => cards
                .iter()
                .all(|(section, card, copies)| after.copies(*section, *card) >= *copies),
            Kind::Copies(card, sections, low, high) => {
                let held = sections.iter().map(|section| after.copies(*section, *card));
                let held: i64 = held.sum();
                low.is_none_or(|low| held >= low) && high.is_none_or(|high| held <= high)
            }
            Kind::Within(sections) => after
                .holdings()
                .all(|held| sections.contains(&held.section)),
        }
    }

    /// Demands it.
    pub(super) fn linear(&self, linear: &mut Linear<'_>, before: &Decklist) {
        let sections = linear.sections();
        match &self.kind {
            Kind::Counts(formula) => formula.linear(linear, None),
            Kind::Keep(cards) => {
                for held in before.holdings().filter(|held| cards.has(held.card)) {
                    let copies = linear.copies(held.card, usize::from(held.section));
                    linear.at_least(copies, held.copies);
                }
            }
            Kind::Only(cards) => {
                for card in linear.pool().ids().filter(|card| !cards.has(*card)) {
                    for section in 0..sections {
                        let held = before.copies(section as u16, card);
                        linear.at_most(linear.copies(card, section), held);
                    }
                }
            }
            Kind::Own(owned) => {
                for card in linear.pool().ids() {
                    let terms = linear.sum(card, SectionSet(u64::MAX), 1);
                    linear.row(terms, None, Some(owned[card.index()]));
                }
            }
            Kind::AtLeast(cards) => {
                for (section, card, copies) in cards {
                    linear.at_least(linear.copies(*card, usize::from(*section)), *copies);
                }
            }
            Kind::Copies(card, within, low, high) => {
                let terms = within
                    .iter()
                    .map(|section| (linear.copies(*card, usize::from(*section)), 1));
                linear.row(terms.collect(), *low, *high);
            }
            Kind::Within(within) => {
                let others = (0..sections).filter(|section| !within.contains(&(*section as u16)));
                for section in others {
                    for card in linear.pool().ids() {
                        linear.at_most(linear.copies(card, section), 0);
                    }
                }
            }
        }
    }

    /// Adds what it takes to say how far a deck is from it: a sum that is 0 where it holds.
    pub(super) fn miss(&self, linear: &mut Linear<'_>, before: &Decklist) -> Vec<(Unknown, i64)> {
        match &self.kind {
            Kind::Counts(formula) => formula.miss(linear),
            _ => {
                self.linear(linear, before);
                Vec::new()
            }
        }
    }

    /// The largest number that it names.
    pub(super) fn largest(&self) -> i64 {
        match &self.kind {
            Kind::Counts(formula) => formula.largest(),
            Kind::AtLeast(cards) => cards
                .iter()
                .map(|(_, _, copies)| *copies)
                .max()
                .unwrap_or(0),
            _ => 0,
        }
    }
}

/// Whether the word before a colon at the beginning, if there is one, can be other than a
/// section that does not exist.
fn known_section(text: &str, rulebook: &Rulebook) -> Result<(), QueryError> {
    let Some((before, _)) = text.split_once(':') else {
        return Ok(());
    };
    let word = before.trim();
    let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
    let is_field = |word: &str| {
        let mut fields = rulebook.pool().fields().iter();
        fields.any(|field| field.name == word.to_lowercase())
    };
    if !is_word || is_field(word) {
        return Ok(());
    }
    let sections = rulebook.format().game().sections().iter();
    let known: Vec<&str> = sections.map(|section| section.id.as_str()).collect();
    let start = before.len() - before.trim_start().len();
    Err(QueryError {
        message: format!(
            "there is no section `{word}`; there {} {}",
            if known.len() == 1 { "is" } else { "are" },
            listed(&known, "and")
        ),
        span: Span {
            start,
            end: start + word.len(),
        },
    })
}

fn select(query: &str, pool: &Pool) -> Result<CardSet, QueryError> {
    let query = Query::parse(query)?;
    let cards = query.select(pool)?;
    match query.unknown_names(pool).into_iter().next() {
        None => Ok(cards),
        Some((name, span)) => Err(QueryError {
            message: no_card(&name, pool),
            span,
        }),
    }
}

/// That a pool has no card of a name, and the nearest that it has.
pub(crate) fn no_card(name: &str, pool: &Pool) -> String {
    let hint = match pool.nearest(name).as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", listed(near, "or")),
    };
    format!("there is no card `{name}`{hint}")
}

/// The formula of a hand query, or of its opposite.
fn formula(
    hand: &Hand,
    pool: &Pool,
    sections: SectionSet,
    not: bool,
) -> Result<Formula, QueryError> {
    let parts = |hands: &[Hand]| {
        let parts = hands.iter().map(|hand| formula(hand, pool, sections, not));
        parts.collect::<Result<Vec<Formula>, QueryError>>()
    };
    let refuse = |word: &str, why: &str, span: Span| {
        let message = format!("a wish cannot have `{word}`: {why}");
        Err(QueryError { message, span })
    };
    match (hand, not) {
        (Hand::All(hands), false) | (Hand::Any(hands), true) => Ok(Formula::All(parts(hands)?)),
        (Hand::Any(hands), false) | (Hand::All(hands), true) => Ok(Formula::Any(parts(hands)?)),
        (Hand::Not(hand), _) => formula(hand, pool, sections, !not),
        (Hand::Some(field, _), _) => refuse(
            "some",
            "which value it is about would have to be chosen first; write the value out",
            field.span,
        ),
        (Hand::Different(_, span), _) => refuse(
            "different",
            "which card serves which count has no linear form; ask for the counts of each group",
            *span,
        ),
        (Hand::Count(count), _) => {
            let cards = of_group(&count.group, pool)?;
            let weights = pool.ids().map(|card| i64::from(cards.has(card))).collect();
            let (low, high) = (i64::from(count.low), count.high.map(i64::from));
            Ok(between(
                weights,
                sections,
                Some(low).filter(|low| *low > 0),
                high,
                not,
            ))
        }
        (
            Hand::Total {
                field,
                group,
                comparison,
                number,
            },
            _,
        ) => {
            let known = pool.fields().iter().find(|known| known.name == field.name);
            if !known.is_some_and(|known| matches!(known.kind, FieldKind::Number { .. })) {
                let message = format!(
                    "`{}` is no number of these cards, so it has no sum",
                    field.name
                );
                let span = field.span;
                return Err(QueryError { message, span });
            }
            let cards = match group {
                Some(group) => of_group(group, pool)?,
                None => CardSet::of(pool.len(), |_| true),
            };
            let weigh = |card| match cards.has(card) {
                true => pool.number(card, &field.name).unwrap_or(0),
                false => 0,
            };
            let weights = pool.ids().map(weigh).collect();
            let number = *number;
            let (low, high, outside) = match comparison {
                Comparison::Is | Comparison::Equal => (Some(number), Some(number), false),
                Comparison::NotEqual => (Some(number), Some(number), true),
                Comparison::Less => (None, Some(number.saturating_sub(1)), false),
                Comparison::AtMost => (None, Some(number), false),
                Comparison::More => (Some(number.saturating_add(1)), None, false),
                Comparison::AtLeast => (Some(number), None, false),
            };
            Ok(between(weights, sections, low, high, not != outside))
        }
    }
}

fn of_group(group: &Group, pool: &Pool) -> Result<CardSet, QueryError> {
    select(group.cards.text(), pool).map_err(|error| read::moved(error, group.offset))
}

/// A sum within bounds, or outside them.
fn between(
    weights: Vec<i64>,
    sections: SectionSet,
    low: Option<i64>,
    high: Option<i64>,
    outside: bool,
) -> Formula {
    if !outside {
        return Formula::Sum(weights, sections, low, high);
    }
    let below =
        low.map(|low| Formula::Sum(weights.clone(), sections, None, Some(low.saturating_sub(1))));
    let above = high.map(|high| {
        Formula::Sum(
            weights.clone(),
            sections,
            Some(high.saturating_add(1)),
            None,
        )
    });
    Formula::Any(below.into_iter().chain(above).collect())
}

impl Formula {
    fn holds(&self, deck: &Decklist) -> bool {
        match self {
            Formula::All(parts) => parts.iter().all(|part| part.holds(deck)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(deck)),
            Formula::Sum(weights, sections, low, high) => {
                let counted = deck.holdings().filter(|held| {
                    deck.knows(held.card) && sections.has(usize::from(held.section))
                });
                let sum = counted
                    .map(|held| weights[held.card.index()].saturating_mul(held.copies))
                    .fold(0_i64, i64::saturating_add);
                low.is_none_or(|low| sum >= low) && high.is_none_or(|high| sum <= high)
            }
        }
    }

    /// Demands it; with `when`, only if that flag is 1.
    fn linear(&self, linear: &mut Linear<'_>, when: Option<Unknown>) {
        match self {
            Formula::All(parts) => parts.iter().for_each(|part| part.linear(linear, when)),
            Formula::Any(parts) => {
                let flags: Vec<(Unknown, i64)> = parts
                    .iter()
                    .map(|part| {
                        let flag = linear.flag();
                        part.linear(linear, Some(flag));
                        (flag, 1)
                    })
                    .collect();
                linear.row_if(when, flags, Some(1), None);
            }
            Formula::Sum(weights, sections, low, high) => {
                let total = total(linear, weights, *sections);
                linear.row_if(when, vec![(total, 1)], *low, *high);
            }
        }
    }

    fn miss(&self, linear: &mut Linear<'_>) -> Vec<(Unknown, i64)> {
        match self {
            Formula::All(parts) => parts.iter().flat_map(|part| part.miss(linear)).collect(),
            Formula::Any(_) => {
                let (met, missed) = (linear.flag(), linear.flag());
                self.linear(linear, Some(met));
                linear.row(vec![(met, 1), (missed, 1)], Some(1), None);
                vec![(missed, 1)]
            }
            Formula::Sum(weights, sections, low, high) => {
                let total = total(linear, weights, *sections);
                let mut missed = Vec::new();
                let largest = 1_000_000;
                if low.is_some() {
                    let short = linear.number(0, largest);
                    linear.row(vec![(total, 1), (short, 1)], *low, None);
                    missed.push((short, 1));
                }
                if high.is_some() {
                    let over = linear.number(0, largest);
                    linear.row(vec![(total, 1), (over, -1)], None, *high);
                    missed.push((over, 1));
                }
                missed
            }
        }
    }

    fn largest(&self) -> i64 {
        match self {
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().map(Formula::largest).max().unwrap_or(0)
            }
            Formula::Sum(_, _, low, high) => {
                let ends = [low.unwrap_or(0), high.unwrap_or(0)];
                ends.into_iter().map(i64::abs).max().unwrap_or(0)
            }
        }
    }
}

fn total(linear: &mut Linear<'_>, weights: &[i64], sections: SectionSet) -> Unknown {
    let mut terms = Vec::new();
    for card in linear.pool().ids() {
        let weight = weights[card.index()];
        if weight != 0 {
            terms.extend(linear.sum(card, sections, weight));
        }
    }
    linear.total(terms)
}
