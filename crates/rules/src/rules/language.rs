//! The language of demands, as conditions on a deck.

use super::fields::Key;
use super::tree::{Cond, FAR, Leaf, Name, Num, Unit, UnknownCards, Weights};
use super::{Compile, SectionSet};
use crate::game::Term;
use decklaw_cards::pool::{CardId, CardSet, FieldKind};
use decklaw_cards::query::demand::{self, DemandTest, Function, Number, Place};
use decklaw_cards::query::hand::FieldName;
use decklaw_cards::query::{QueryError, Tree, no_field, no_such};
use decklaw_text::text::{Span, singular, spaced};
use decklaw_text::yaml::Spanned;

/// A condition in the language of demands. What cannot be read of it is refused, and where it
/// needs a number that was not given, it does not hold.
pub(super) fn condition(text: &str, with: &mut Compile<'_>) -> Cond {
    let span = with.rule;
    let mut lower = Lower::new(with, false, span);
    let cond = demand::parse(text).and_then(|written| lower.cond(&written));
    let is_unset = !lower.unset.is_empty();
    match cond {
        Ok(_) if is_unset => Cond::never(),
        Ok(cond) => cond,
        Err(error) => {
            with.refuse(format!("in the condition `{text}`: {error}"), span);
            Cond::always()
        }
    }
}

/// From what is written to the tree.
pub(super) struct Lower<'w, 'c> {
    with: &'w mut Compile<'c>,
    /// Whether it is about each card.
    is_each: bool,
    span: Span,
    /// The text that is lowered, where it is a scalar of the file.
    pub(super) text: Option<Spanned<String>>,
    /// The settings that are used and have no value.
    pub(super) unset: Vec<String>,
}

impl<'w, 'c> Lower<'w, 'c> {
    pub(super) fn new(with: &'w mut Compile<'c>, is_each: bool, span: Span) -> Self {
        Lower { with, is_each, span, text: None, unset: Vec::new() }
    }

    pub(super) fn cond(&mut self, written: &demand::Demand) -> Result<Cond, QueryError> {
        match written {
            Tree::Any(parts) => Ok(Cond::any(self.all(parts)?)),
            Tree::All(parts) => Ok(Cond::All(self.all(parts)?)),
            Tree::Not(part) => Ok(self.cond(part)?.negated()),
            Tree::Is(DemandTest::Count(low, high, place)) => {
                let num = self.copies(place)?;
                let low = Some(i64::from(*low)).filter(|low| *low > 0).map(Num::Const);
                let high = high.map(|high| Num::Const(i64::from(high)));
                Ok(Cond::Within(num, low, high))
            }
            Tree::Is(DemandTest::Compare(numbers, comparisons)) => {
                let numbers: Vec<Num> =
                    numbers.iter().map(|number| self.num(number)).collect::<Result<_, _>>()?;
                let pairs = numbers.windows(2).zip(comparisons);
                let all: Vec<Cond> = pairs
                    .map(|(pair, comparison)| pair[0].compared(*comparison, &pair[1]))
                    .collect();
                // `2 <= main <= 4` is one number between two others.
                if let [Cond::Within(one, low, None), Cond::Within(other, None, high)] =
                    all.as_slice()
                    && one == other
                    && numbers[0].constant().is_some()
                {
                    return Ok(Cond::Within(one.clone(), low.clone(), high.clone()));
                }
                Ok(Cond::all(all))
            }
        }
    }

    fn all(&mut self, parts: &[demand::Demand]) -> Result<Vec<Cond>, QueryError> {
        parts.iter().map(|part| self.cond(part)).collect()
    }

    fn num(&mut self, number: &Number) -> Result<Num, QueryError> {
        Ok(match number {
            Number::Whole(number) => Num::Const(*number),
            Number::Cards(place) => self.copies(place)?,
            Number::Name(name) => self.name(name)?,
            Number::Over(function, field, place) => self.over(*function, field, place)?,
            Number::Of(section, field) => self.of(section, field)?,
            Number::Add(parts) => {
                let mut all: Vec<Num> = Vec::new();
                for (off, part) in parts {
                    let part = self.num(part)?;
                    let part = if *off { taken_off(part) } else { part };
                    // `main + side` is a count over both.
                    let joined = match (all.last_mut(), &part) {
                        (Some(Num::Sum(last)), Num::Sum(next)) => join(last, next, self.with),
                        (Some(Num::Const(last)), Num::Const(next)) => {
                            *last = last.saturating_add(*next);
                            true
                        }
                        _ => false,
                    };
                    if !joined {
                        all.push(part);
                    }
                }
                Num::sum(all)
            }
            Number::Times(one, other) => {
                let (one, other) = (self.num(one)?, self.num(other)?);
                match (one.constant(), other.constant()) {
                    (Some(one), Some(other)) => Num::Const(one.saturating_mul(other)),
                    (Some(by), None) => Num::Times(by, Box::new(other)),
                    (None, Some(by)) => Num::Times(by, Box::new(one)),
                    (None, None) => {
                        let message = "one side of `*` is a whole number or a setting: two numbers of the deck have no product here";
                        return Err(QueryError::at(message, Span::default()));
                    }
                }
            }
            Number::Div(number, by, span) => {
                let (number, by) = (self.num(number)?, self.num(by)?);
                match by.constant() {
                    Some(by @ 1..) => match number.constant() {
                        Some(number) => Num::Const(number.div_euclid(by)),
                        None => Num::Div(Box::new(number), by),
                    },
                    _ => {
                        return Err(QueryError::at(
                            "`/` must be followed by a whole number of at least 1, or such a setting",
                            *span,
                        ));
                    }
                }
            }
        })
    }

    fn is_section(&self, name: &str) -> bool {
        self.with.sections.iter().any(|section| section.id == name)
    }

    /// A setting, a value of the format, or the copies in a section.
    fn name(&mut self, name: &FieldName) -> Result<Num, QueryError> {
        let known = self.with.settings.contains_key(&name.name);
        match (self.is_section(&name.name), known) {
            (true, true) => {
                let message = format!(
                    "`{0}` is a section and a setting; write `{0} []` for the cards of the section",
                    name.name
                );
                Err(QueryError::at(message, name.span))
            }
            (true, false) => self.copies(&Place::section(name.clone())),
            (false, true) => {
                let term = Spanned { value: Term::Named(name.name.clone()), span: self.span };
                let number = self.with.given(Some(&term), &mut self.unset);
                Ok(Num::Const(number.unwrap_or(0)))
            }
            (false, false) => {
                let sections = self.with.sections.iter().map(|section| section.id.as_str());
                let mut known: Vec<&str> = sections.collect();
                known.extend(self.with.settings.keys().map(String::as_str));
                let message = no_such("section, setting or value", &name.name, &known);
                Err(QueryError::at(message, name.span))
            }
        }
    }

    /// `leader.level`, or of the card that an `each` is about, `card.limit`.
    fn of(&mut self, section: &FieldName, field: &FieldName) -> Result<Num, QueryError> {
        if section.name == "card" && !self.is_section("card") {
            if !self.is_each {
                let message = format!(
                    "`card.{}` is a number of one card: use it in a demand with `each: card`",
                    field.name
                );
                return Err(QueryError::at(message, section.span));
            }
            self.need_number(field)?;
            let pool = self.with.pool;
            let column = pool.ids().map(|card| pool.number(card, &field.name)).collect();
            return Ok(Num::Own { field: spaced(&field.name), column });
        }
        self.over(Function::Sum, field, &Place::section(section.clone()))
    }

    fn sections(&mut self, place: &Place) -> Result<SectionSet, QueryError> {
        if place.sections.is_empty() {
            let all = (0..self.with.sections.len()).map(SectionSet::only);
            return Ok(all.fold(SectionSet::default(), SectionSet::and));
        }
        let mut sections = SectionSet::default();
        for name in &place.sections {
            if !self.is_section(&name.name) {
                let known: Vec<&str> =
                    self.with.sections.iter().map(|section| section.id.as_str()).collect();
                let message = no_such("section", &name.name, &known);
                return Err(QueryError::at(message, name.span));
            }
            let section = Spanned { value: name.name.clone(), span: self.span };
            sections = sections.and(SectionSet::only(self.with.section(&section)));
        }
        Ok(sections)
    }

    /// The cards of a place that its group picks; `None`: all of them.
    fn cards(&mut self, place: &Place) -> Option<CardSet> {
        let group = place.group.as_ref().filter(|group| !group.cards.is_everything())?;
        let query = Spanned { value: group.cards.text().to_owned(), span: self.span };
        self.with.text = self.text.clone().map(|text| (text, group.offset));
        let cards = self.with.card_set(&query);
        self.with.text = None;
        Some(cards)
    }

    /// What is counted: copies of cards, and with a field, its numbers or values.
    fn name_of(&mut self, place: &Place, sections: SectionSet, noun: String, unit: Unit) -> Name {
        let query = place.group.as_ref();
        let query =
            query.map(|group| Spanned { value: group.cards.text().to_owned(), span: self.span });
        let which = self.with.which(query.as_ref());
        let place = match place.sections.as_slice() {
            [] => String::new(),
            _ => self.with.section_names(sections),
        };
        Name { noun, unit, which, place }
    }

    /// Copies in a place.
    fn copies(&mut self, place: &Place) -> Result<Num, QueryError> {
        let (sections, cards) = (self.sections(place)?, self.cards(place));
        let unit = if self.is_each { Unit::Copies } else { Unit::Cards };
        let name = self.name_of(place, sections, String::new(), unit);
        let (cards, unknown) = match cards {
            None => (Weights::One, UnknownCards::Any(1, 1)),
            Some(cards) => (Weights::Set(cards), UnknownCards::Any(0, 1)),
        };
        Ok(Leaf { cards, sections, unknown, name }.num())
    }

    fn over(
        &mut self,
        function: Function,
        field: &FieldName,
        place: &Place,
    ) -> Result<Num, QueryError> {
        let (sections, cards) = (self.sections(place)?, self.cards(place));
        let (noun, unit) = match function {
            Function::Sum => (spaced(&field.name), Unit::Points),
            Function::Different => {
                (format!("different {}", singular(&spaced(&field.name))), Unit::Values)
            }
        };
        let name = self.name_of(place, sections, noun, unit);
        let leaf = |cards, unknown| Leaf { cards, sections, unknown, name: name.clone() };
        let pool = self.with.pool;
        let has = |card: CardId| cards.as_ref().is_none_or(|cards| cards.has(card));
        if function == Function::Different {
            self.need(field)?;
            let key = [Key::One(Spanned { value: field.name.clone(), span: self.span })];
            let Some((_, groups)) = self.with.grouped(&key, false) else {
                return Ok(Num::Const(0));
            };
            let counts = |card: CardId| has(card) && !groups.of_card(card).is_empty();
            let counting = Weights::Set(CardSet::of(pool.len(), counts));
            // An unknown card has a name, which is no other card's.
            let is_named = field.name == "name" && cards.is_none();
            let most = self.with.most_groups(&key).unwrap_or(FAR);
            return Ok(Num::Different {
                leaf: Box::new(leaf(counting, UnknownCards::Any(i64::from(is_named), most))),
                groups: Some(groups),
                least: 1,
            });
        }
        self.need_number(field)?;
        let known = pool.fields().iter().find(|known| known.name == field.name);
        let (low, high) = match known.map(|known| &known.kind) {
            Some(FieldKind::Number { min, max }) => (*min, *max),
            _ => (0, 0),
        };
        let number = |card: CardId| pool.number(card, &field.name).filter(|_| has(card));
        let weights = pool.ids().map(|card| number(card).unwrap_or(0)).collect();
        let unknown = UnknownCards::Any(low.min(0), high.max(0));
        Ok(leaf(Weights::Each(weights), unknown).num())
    }

    fn need(&mut self, field: &FieldName) -> Result<(), QueryError> {
        if field.name == "name" {
            return Ok(());
        }
        let known = self.with.pool.fields();
        if known.iter().all(|known| known.name != field.name) {
            return Err(QueryError::at(no_field(&field.name, known), field.span));
        }
        self.with.needed.push(field.name.clone());
        Ok(())
    }

    fn need_number(&mut self, field: &FieldName) -> Result<(), QueryError> {
        self.need(field)?;
        let mut known = self.with.pool.fields().iter();
        let is_number = known.any(|known| {
            known.name == field.name && matches!(known.kind, FieldKind::Number { .. })
        });
        if is_number {
            Ok(())
        } else {
            Err(QueryError::at(format!("`{}` is not a number", field.name), field.span))
        }
    }
}

/// A number the other way round.
fn taken_off(num: Num) -> Num {
    match num {
        Num::Const(number) => Num::Const(number.saturating_neg()),
        Num::Times(by, num) => Num::Times(by.saturating_neg(), num),
        num => Num::Times(-1, Box::new(num)),
    }
}

/// Makes one count of two that count the same cards in sections of their own; whether it did.
fn join(one: &mut Leaf, other: &Leaf, with: &Compile<'_>) -> bool {
    let same = match (&one.cards, &other.cards) {
        (Weights::One, Weights::One) => true,
        (Weights::Set(one), Weights::Set(other)) => one == other,
        (Weights::Each(one), Weights::Each(other)) => one == other,
        _ => false,
    };
    let apart = one.sections.0 & other.sections.0 == 0;
    let named = one.name.which == other.name.which && one.name.noun == other.name.noun;
    if !(same && apart && named && one.unknown == other.unknown) {
        return false;
    }
    one.sections = one.sections.and(other.sections);
    one.name.place = with.section_names(one.sections);
    true
}
