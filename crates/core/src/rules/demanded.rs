//! `demand`: a rule in the language of demands (`docs/formats.md`), a condition on numbers of the deck; with
//! `each`, on those of each card or of each group of cards.

use super::contents::each_card;
use super::demand::{Cond, Leaf, Name, Num, Strangers, Weights, Who};
use super::fields::Key;
use super::groups::Groups;
use super::{
    Compile, Constraint, Contents, Failing, Linear, Number as Given, Reading, SectionSet,
    Violation, Where,
};
use crate::game::Term;
use crate::pool::{CardId, CardSet, FieldKind};
use crate::query::QueryError;
use crate::query::demand::{Demand as Written, Function, Number, Place, Table};
use crate::query::hand::FieldName;
use crate::query::refers::Part;
use crate::text::{Span, spaced, those};
use crate::yaml::{Problem, Spanned};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Over so many values of a field, at most, `some` goes.
const MOST_VALUES: usize = 100;
/// A demand may come to so many parts once `some` is written out.
const MOST_PARTS: usize = 4000;

/// A rule in the language of demands.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// What must hold of the deck, such as `sum(mana) of main <= 20`.
    pub demand: Spanned<String>,
    /// `card`, or a field: what must hold of the cards of each value alone.
    #[serde(default)]
    pub each: Option<Spanned<String>>,
}

/// A demand that is ready to be asked.
#[derive(Debug)]
pub(super) struct Demanded {
    text: String,
    cond: Cond,
    each: Option<Each>,
    unset: Option<Violation>,
}

/// What a demand on each is about.
#[derive(Debug)]
struct Each {
    /// The field; none where it is each card.
    field: Option<String>,
    groups: Option<Arc<Groups>>,
    /// The groups that break it where the deck has none of their cards: asked of every deck.
    always: Vec<u32>,
}

impl Demand {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Demanded {
        let each = self.each.as_ref().map(|each| match each.value.as_str() {
            "card" => Each {
                field: None,
                groups: None,
                always: Vec::new(),
            },
            field => {
                let groups = with.grouped(&[Key::One(each.clone())], false);
                Each {
                    field: Some(field.to_owned()),
                    groups: groups.map(|(_, groups)| groups),
                    always: Vec::new(),
                }
            }
        });
        let mut lower = Lower::new(with, &each, self.demand.span);
        lower.text = Some(self.demand.clone());
        let cond = Written::parse(&self.demand.value).and_then(|written| lower.cond(&written));
        let unset = std::mem::take(&mut lower.unset);
        let cond = cond.unwrap_or_else(|error| {
            let text = &self.demand.value;
            let message = format!("in the demand `{text}`: {error}");
            let problem = Problem::within(message, &self.demand, error.span);
            with.problems.push(problem);
            Cond::All(Vec::new())
        });
        let names: Vec<&str> = unset.iter().map(String::as_str).collect();
        let what = format!(
            "{} for `{}`",
            crate::text::listed(&names, "and"),
            self.demand.value
        );
        let mut demanded = Demanded {
            text: self.demand.value.trim().to_owned(),
            cond: cond.plain(),
            each,
            unset: (!names.is_empty()).then(|| Violation::unset(&what, &names)),
        };
        demanded.find_always(with);
        demanded
    }
}

impl Demanded {
    fn find_always(&mut self, with: &Compile<'_>) {
        let Some(each) = &self.each else { return };
        let empty = Contents::new(with.pool, Vec::new(), Vec::new());
        let broken = |cond: Option<Cond>| cond.is_some_and(|cond| cond.holds(&empty) != Some(true));
        if !self.cond.has_own() && !broken(self.cond.of_each(Who::Nobody)) {
            return;
        }
        let all = (0..each.len(with.pool.len())).filter(|group| {
            each.with(*group, |cards| broken(self.cond.of_each(Who::Known(cards))))
        });
        let always = all.collect();
        if let Some(each) = &mut self.each {
            each.always = always;
        }
    }

    /// The groups that a deck can break: those of its cards, and those that no deck without them keeps.
    fn touched(&self, each: &Each, contents: &Contents<'_>) -> Vec<u32> {
        // An unknown card may be of any group.
        if each.groups.is_some() && !contents.unknown().is_empty() {
            return (0..each.len(contents.pool.len())).collect();
        }
        let mut touched = each.always.clone();
        for held in contents.known() {
            match &each.groups {
                None => touched.push(held.card.0),
                Some(groups) => touched.extend(groups.of_card(held.card)),
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    fn judge_each(&self, each: &Each, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let mut open = None;
        for group in self.touched(each, contents) {
            each.with(group, |cards| {
                let Some(cond) = self.cond.of_each(Who::Known(cards)) else {
                    return;
                };
                match cond.holds(contents) {
                    Some(true) => {}
                    None => open = open.take().or(Some((cond, group))),
                    Some(false) => {
                        let of = format!("of {}, ", each.called(group, contents));
                        self.add(each, &cond, cards, &of, contents, found);
                    }
                }
            });
        }
        if each.groups.is_none() {
            each_card(contents.unknown(), SectionSet(u64::MAX), |card, _| {
                let Some(cond) = self.cond.of_each(Who::Stranger(card)) else {
                    return;
                };
                let of = format!("of `{}`, ", contents.name(card));
                match cond.holds(contents) {
                    Some(true) => {}
                    _ => self.add(each, &cond, &[card], &of, contents, found),
                }
            });
        }
        if let Some((cond, group)) = open {
            let of = format!("of {}, ", each.called(group, contents));
            cond.find(contents, &of, found);
        }
    }

    /// Adds what some cards break, at the lines where they stand.
    #[cold]
    fn add(
        &self,
        each: &Each,
        cond: &Cond,
        cards: &[CardId],
        of: &str,
        contents: &Contents<'_>,
        found: &mut Vec<Violation>,
    ) {
        let before = found.len();
        cond.find(contents, of, found);
        let held: Vec<CardId> = cards
            .iter()
            .copied()
            .filter(|card| !contents.of_card(*card).is_empty())
            .collect();
        let mut sections = SectionSet::default();
        self.cond
            .leaves(&mut |leaf| sections = sections.and(leaf.sections));
        for violation in &mut found[before..] {
            let Some(first) = held.first() else {
                violation.cards = cards.iter().copied().take(8).collect();
                continue;
            };
            violation.place = match (violation.failing, violation.limit) {
                (Failing::Excess, Some(limit)) if each.groups.is_none() => {
                    Where::Passing(*first, sections, limit)
                }
                _ => Where::First(*first, sections),
            };
            violation.cards = held.iter().copied().take(8).collect();
        }
    }

    fn demand_words(&self) -> String {
        let clause = self.cond.clause(true);
        let clause = match &self.each {
            None => clause,
            Some(each) => match &each.field {
                None => format!("of each card, {clause}"),
                Some(field) => format!("of each {}, {clause}", spaced(field)),
            },
        };
        let mut letters = clause.chars();
        let first = letters
            .next()
            .map(|first| first.to_uppercase().to_string())
            .unwrap_or_default();
        format!("{first}{}. (`{}`)", letters.as_str(), self.text)
    }
}

impl Each {
    /// How many cards or groups there are.
    fn len(&self, cards: usize) -> u32 {
        match &self.groups {
            None => cards as u32,
            Some(groups) => groups.len() as u32,
        }
    }

    /// Calls `see` with the cards of a group.
    fn with<R>(&self, group: u32, see: impl FnOnce(&[CardId]) -> R) -> R {
        match &self.groups {
            None => see(&[CardId(group)]),
            Some(groups) => see(groups.members(group)),
        }
    }

    /// What messages call a group.
    fn called(&self, group: u32, contents: &Contents<'_>) -> String {
        match (&self.groups, &self.field) {
            (Some(groups), Some(field)) => format!("{} `{}`", spaced(field), groups.name(group)),
            _ => format!("`{}`", contents.name(CardId(group))),
        }
    }
}

impl Constraint for Demanded {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        if let Some(unset) = &self.unset {
            found.push(unset.clone());
            return;
        }
        match &self.each {
            Some(each) => self.judge_each(each, contents, found),
            None => self.cond.find(contents, "", found),
        }
    }

    fn demand(&self) -> String {
        self.demand_words()
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        if self.unset.is_some() {
            return Cow::Owned(Cond::always());
        }
        let Some(each) = &self.each else {
            return Cow::Borrowed(&self.cond);
        };
        let mut all = Vec::new();
        for group in 0..each.len(of.pool().len()) {
            each.with(group, |cards| {
                all.extend(self.cond.of_each(Who::Known(cards)))
            });
        }
        if each.groups.is_none() {
            let strangers = of.strangers().into_iter();
            all.extend(strangers.filter_map(|card| self.cond.of_each(Who::Stranger(card))));
        }
        Cow::Owned(Cond::All(all))
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        let (None, None, Cond::Within(num, low, high)) = (&self.each, &self.unset, &self.cond)
        else {
            return None;
        };
        // Counts of cards are told by the sizes of sections.
        if num.counts().is_some() {
            return None;
        }
        let end = |end: &Option<Num>| end.as_ref().map(|end| end.value(contents).0);
        let known = contents.holding(contents.known().to_vec());
        let ((total, _), (least_of, most_of)) = (num.value(&known), num.value(contents));
        let (least, high) = (end(low), end(high));
        (total != 0 || least_of != most_of || least.is_some_and(|least| least > 0)).then(|| {
            Reading {
                section: None,
                called: num.words(),
                value: total,
                low: least,
                high,
                is_uncertain: least_of != most_of,
            }
        })
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        match self.each {
            Some(_) => Vec::new(),
            None => self.cond.counted(contents),
        }
    }

    fn filled_in(&self) -> Option<SectionSet> {
        let mut sections = SectionSet::default();
        self.cond
            .leaves(&mut |leaf| sections = sections.and(leaf.sections));
        Some(sections)
    }
}

/// A condition in the language of demands. What cannot be read of it is refused, and where it
/// needs a number that nobody gave, it does not hold.
pub(super) fn read(text: &str, with: &mut Compile<'_>) -> Cond {
    let (each, span) = (None, with.rule);
    let mut lower = Lower::new(with, &each, span);
    let cond = Written::parse(text).and_then(|written| lower.cond(&written));
    let unset = std::mem::take(&mut lower.unset);
    match cond {
        Ok(_) if !unset.is_empty() => {
            let names = crate::text::listed(&unset, "and");
            let words = [
                format!("{names} is given, and {text}"),
                format!("{names} is not given"),
            ];
            Cond::Given(false, words)
        }
        Ok(cond) => cond.plain(),
        Err(error) => {
            with.refuse(format!("in the condition `{text}`: {error}"), span);
            Cond::All(Vec::new())
        }
    }
}

/// From what is written to the tree.
struct Lower<'w, 'c, 'e> {
    with: &'w mut Compile<'c>,
    each: &'e Option<Each>,
    span: Span,
    /// The text that is lowered, where it is a scalar of the file.
    text: Option<Spanned<String>>,
    /// The cards that `some` is about, and which they are, in words.
    within: Option<CardSet>,
    which: String,
    unset: Vec<String>,
    parts: usize,
}

impl<'w, 'c, 'e> Lower<'w, 'c, 'e> {
    fn new(with: &'w mut Compile<'c>, each: &'e Option<Each>, span: Span) -> Self {
        Lower {
            with,
            each,
            span,
            text: None,
            within: None,
            which: String::new(),
            unset: Vec::new(),
            parts: 0,
        }
    }

    fn cond(&mut self, written: &Written) -> Result<Cond, QueryError> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            let message = "too many conditions once `some` is written out; ask for less at a time";
            return Err(QueryError::at(message, Span::default()));
        }
        match written {
            Written::Any(parts) => Ok(Cond::any(self.all(parts)?)),
            Written::All(parts) => Ok(Cond::All(self.all(parts)?)),
            Written::Not(part) => Ok(Cond::Not(Box::new(self.cond(part)?))),
            Written::Some(field, inner) => self.some(field, inner),
            Written::There(place) => {
                Ok(Cond::Within(self.copies(place)?, Some(Num::Const(1)), None))
            }
            Written::Count(low, high, place) => {
                let num = self.copies(place)?;
                let low = Some(i64::from(*low)).filter(|low| *low > 0).map(Num::Const);
                let high = high.map(|high| Num::Const(i64::from(high)));
                Ok(Cond::Within(num, low, high))
            }
            Written::Compare(numbers, comparisons) => {
                let numbers: Vec<Num> = numbers
                    .iter()
                    .map(|number| self.num(number))
                    .collect::<Result<_, _>>()?;
                let pairs = numbers.windows(2).zip(comparisons);
                let mut all: Vec<Cond> = pairs
                    .map(|(pair, comparison)| pair[0].compared(*comparison, &pair[1]))
                    .collect();
                // `2 <= main <= 4` is one number between two others.
                if let [
                    Cond::Within(one, low, None),
                    Cond::Within(other, None, high),
                ] = all.as_slice()
                    && one.words() == other.words()
                    && numbers[0].constant().is_some()
                {
                    return Ok(Cond::Within(one.clone(), low.clone(), high.clone()));
                }
                Ok(match all.len() {
                    1 => all.remove(0),
                    _ => Cond::All(all),
                })
            }
        }
    }

    fn all(&mut self, parts: &[Written]) -> Result<Vec<Cond>, QueryError> {
        parts.iter().map(|part| self.cond(part)).collect()
    }

    /// For each value of a field: of the cards that have it alone.
    fn some(&mut self, field: &FieldName, inner: &Written) -> Result<Cond, QueryError> {
        let pool = self.with.pool;
        self.need(field)?;
        let mut values: BTreeSet<String> = BTreeSet::new();
        let of = |card: CardId| -> Vec<String> {
            match (field.name.as_str(), pool.number(card, &field.name)) {
                ("name", _) => vec![pool.folded(card).to_owned()],
                (_, Some(number)) => vec![number.to_string()],
                _ => pool
                    .words(card, &field.name)
                    .iter()
                    .map(|word| crate::name::fold(word).into_owned())
                    .collect(),
            }
        };
        pool.ids().for_each(|card| values.extend(of(card)));
        if values.len() > MOST_VALUES {
            let message = format!(
                "`{}` has {} values; `some` goes over at most {MOST_VALUES}",
                field.name,
                values.len()
            );
            return Err(QueryError::at(message, field.span));
        }
        let (before, which) = (self.within.take(), self.which.clone());
        let mut either = Vec::new();
        for value in &values {
            let inside = |card: CardId| {
                before.as_ref().is_none_or(|before| before.has(card)) && of(card).contains(value)
            };
            self.within = Some(CardSet::of(pool.len(), inside));
            self.which = format!("{which} of {} {value}", spaced(&field.name));
            either.push(self.cond(inner)?);
        }
        (self.within, self.which) = (before, which);
        Ok(Cond::Any(either))
    }

    fn num(&mut self, number: &Number) -> Result<Num, QueryError> {
        Ok(match number {
            Number::Whole(number) => Num::Const(*number),
            Number::Cards(place) => self.copies(place)?,
            Number::Name(name) => self.name(name)?,
            Number::Over(function, field, table, place) => {
                self.over(*function, field, table.as_ref(), place)?
            }
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
                match all.len() {
                    1 => all.remove(0),
                    _ => Num::Add(all),
                }
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
                            "behind `/` stands a whole number of at least 1, or such a setting",
                            *span,
                        ));
                    }
                }
            }
            Number::Least(parts) => Num::Least(self.nums(parts)?),
            Number::Greatest(parts) => Num::Greatest(self.nums(parts)?),
        })
    }

    fn nums(&mut self, parts: &[Number]) -> Result<Vec<Num>, QueryError> {
        parts.iter().map(|part| self.num(part)).collect()
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
            (true, false) => {
                let place = Place {
                    sections: vec![name.clone()],
                    group: None,
                    span: name.span,
                };
                Ok(self.copies(&place)?)
            }
            (false, true) => {
                let term = Spanned {
                    value: Term::Named(name.name.clone()),
                    span: self.span,
                };
                Ok(Num::Const(match self.with.number(&term) {
                    Given::Is(number) => number,
                    Given::Unset(name) => {
                        self.unset.push(name);
                        0
                    }
                }))
            }
            (false, false) => {
                let sections = self.with.sections.iter().map(|section| section.id.as_str());
                let mut known: Vec<&str> = sections.collect();
                known.extend(self.with.settings.keys().map(String::as_str));
                let message = format!(
                    "there is no section, setting or value `{}`; {}",
                    name.name,
                    those(&known)
                );
                Err(QueryError::at(message, name.span))
            }
        }
    }

    /// `leader.level`, or of the card that an `each` is about, `card.limit`.
    fn of(&mut self, section: &FieldName, field: &FieldName) -> Result<Num, QueryError> {
        if section.name == "card" && !self.is_section("card") {
            if !matches!(self.each, Some(Each { field: None, .. })) {
                let message = format!(
                    "`card.{}` is a number of one card: it stands in a demand with `each: card`",
                    field.name
                );
                return Err(QueryError::at(message, section.span));
            }
            self.need_number(field)?;
            let pool = self.with.pool;
            return Ok(Num::Own(
                pool.ids()
                    .map(|card| pool.number(card, &field.name))
                    .collect(),
            ));
        }
        let place = Place {
            sections: vec![section.clone()],
            group: None,
            span: section.span,
        };
        self.over(Function::Sum, field, None, &place)
    }

    fn sections(&mut self, place: &Place) -> Result<SectionSet, QueryError> {
        if place.sections.is_empty() {
            let all = (0..self.with.sections.len()).map(SectionSet::only);
            return Ok(all.fold(SectionSet::default(), SectionSet::and));
        }
        let mut sections = SectionSet::default();
        for name in &place.sections {
            if !self.is_section(&name.name) {
                let known: Vec<&str> = self
                    .with
                    .sections
                    .iter()
                    .map(|section| section.id.as_str())
                    .collect();
                let message = format!("there is no section `{}`; {}", name.name, those(&known));
                return Err(QueryError::at(message, name.span));
            }
            let section = Spanned {
                value: name.name.clone(),
                span: self.span,
            };
            sections = sections.and(SectionSet::only(self.with.section(&section)));
        }
        Ok(sections)
    }

    /// The cards of a place: all of them, or those of its group and of what `some` is about.
    fn cards(&mut self, place: &Place) -> Option<CardSet> {
        let group = place
            .group
            .as_ref()
            .filter(|group| !group.cards.is_everything() && !group.cards.refers())
            .map(|group| {
                let query = Spanned {
                    value: group.cards.text().to_owned(),
                    span: self.span,
                };
                self.with.text = self.text.clone().map(|text| (text, group.offset));
                let cards = self.with.card_set(&query);
                self.with.text = None;
                cards
            });
        match (group, &self.within) {
            (None, None) => None,
            (Some(group), None) => Some(group),
            (None, Some(within)) => Some(within.clone()),
            (Some(group), Some(within)) => {
                let both = |card| group.has(card) && within.has(card);
                Some(CardSet::of(self.with.pool.len(), both))
            }
        }
    }

    fn name_of(&mut self, place: &Place, sections: SectionSet, field: Option<&FieldName>) -> Name {
        let query = place.group.as_ref().map(|group| Spanned {
            value: group.cards.text().to_owned(),
            span: self.span,
        });
        let copies = matches!(self.each, Some(Each { field: None, .. }));
        Name {
            field: field.map(|field| field.name.clone()),
            copies,
            which: self.which.clone() + &self.with.which(query.as_ref()),
            place: match place.sections.is_empty() {
                true => String::new(),
                false => self.with.section_names(sections),
            },
        }
    }

    /// Copies in a place.
    fn copies(&mut self, place: &Place) -> Result<Num, QueryError> {
        let (sections, cards) = (self.sections(place)?, self.cards(place));
        let name = self.name_of(place, sections, None);
        let leaf = match cards {
            None => Leaf {
                cards: Weights::One,
                sections,
                strangers: Strangers::Any(1, 1),
                name,
            },
            Some(cards) => Leaf {
                cards: Weights::Set(cards),
                sections,
                strangers: Strangers::Any(0, 1),
                name,
            },
        };
        self.picked(leaf, place)
    }

    /// The cards of a leaf that count where its query names what identity cards say: those that
    /// agree with the same identity cards count together.
    fn picked(&mut self, mut leaf: Leaf, place: &Place) -> Result<Num, QueryError> {
        let Some(group) = place.group.as_ref().filter(|group| group.cards.refers()) else {
            return Ok(Num::Sum(Box::new(leaf)));
        };
        let pool = self.with.pool;
        let fields = group.cards.fields().into_iter().map(str::to_owned);
        self.with.needed.extend(fields);
        let part = group
            .cards
            .parts(pool)
            .map_err(|error| error.moved(group.offset))?;
        let mut classes: BTreeMap<Agrees, Vec<(CardId, i64)>> = BTreeMap::new();
        for (card, weight) in leaf.weighed(pool.len()) {
            let agrees = self
                .agrees(&part, card)
                .map_err(|error| error.moved(group.offset))?;
            classes.entry(agrees).or_default().push((card, weight));
        }
        classes.remove(&Agrees::Always(false));
        let classes = classes.into_iter().map(|(agrees, cards)| {
            let cond = agrees.cond(self.with);
            let leaf = Leaf {
                cards: Weights::Few(cards),
                strangers: Strangers::No,
                ..leaf.clone()
            };
            (cond, leaf)
        });
        let classes = classes.collect();
        // Whether an unknown card is among those that count nobody knows.
        if let Strangers::Any(low, high) = leaf.strangers {
            leaf.strangers = Strangers::Any(low.min(0), high.max(0));
        }
        Ok(Num::Picked {
            leaf: Box::new(leaf),
            classes,
        })
    }

    /// With which identity cards a card must agree to be picked.
    fn agrees(&mut self, part: &Part, card: CardId) -> Result<Agrees, QueryError> {
        let mut all = |parts: &[Part], stops: bool| -> Result<Vec<Agrees>, QueryError> {
            let mut open = Vec::new();
            for part in parts {
                match self.agrees(part, card)? {
                    Agrees::Always(holds) if holds == stops => {
                        return Ok(vec![Agrees::Always(stops)]);
                    }
                    Agrees::Always(_) => {}
                    agrees => open.push(agrees),
                }
            }
            Ok(open)
        };
        Ok(match part {
            Part::Picks(cards) => Agrees::Always(cards.has(card)),
            Part::All(parts) => match <[Agrees; 1]>::try_from(all(parts, false)?) {
                Ok([only]) => only,
                Err(parts) if parts.is_empty() => Agrees::Always(true),
                Err(parts) => Agrees::All(parts),
            },
            Part::Any(parts) => match <[Agrees; 1]>::try_from(all(parts, true)?) {
                Ok([only]) => only,
                Err(parts) if parts.is_empty() => Agrees::Always(false),
                Err(parts) => Agrees::Any(parts),
            },
            Part::Not(part) => match self.agrees(part, card)? {
                Agrees::Always(holds) => Agrees::Always(!holds),
                agrees => Agrees::Not(Box::new(agrees)),
            },
            Part::Says(says) => {
                let name = FieldName {
                    name: says.section.clone(),
                    span: says.span,
                };
                let place = Place {
                    sections: vec![name],
                    group: None,
                    span: says.span,
                };
                let section = self.sections(&place)?;
                let heads = says.values.iter().filter(|(_, picked)| picked.has(card));
                let heads: BTreeSet<CardId> = heads.flat_map(|(heads, _)| heads).copied().collect();
                match heads.is_empty() {
                    true => Agrees::Always(false),
                    false => Agrees::With(section.0, heads.into_iter().collect()),
                }
            }
        })
    }

    fn over(
        &mut self,
        function: Function,
        field: &FieldName,
        table: Option<&Table>,
        place: &Place,
    ) -> Result<Num, QueryError> {
        let (sections, cards) = (self.sections(place)?, self.cards(place));
        let mut name = self.name_of(place, sections, Some(field));
        if table.is_some() {
            name.field = Some(format!("worth by {}", field.name));
        }
        let refers = place.group.as_ref().filter(|group| group.cards.refers());
        if let Some(group) = refers.filter(|_| function != Function::Sum) {
            let message = "what an identity card says picks cards that are counted, or whose numbers are added up by `sum`";
            return Err(QueryError::at(message, group.span));
        }
        let pool = self.with.pool;
        let has = |card: CardId| cards.as_ref().is_none_or(|cards| cards.has(card));
        if function == Function::Different {
            if let Some((word, _)) = table.and_then(|table| table.first()) {
                let message = "`different` counts words, whatever they are worth";
                return Err(QueryError::at(message, word.span));
            }
            self.need(field)?;
            let key = Spanned {
                value: field.name.clone(),
                span: self.span,
            };
            let Some((_, groups)) = self.with.grouped(&[Key::One(key)], false) else {
                return Ok(Num::Const(0));
            };
            let counts = |card: CardId| has(card) && !groups.of_card(card).is_empty();
            let strangers = Strangers::Any(0, 1);
            let leaf = Leaf {
                cards: Weights::Set(CardSet::of(pool.len(), counts)),
                sections,
                strangers,
                name,
            };
            return Ok(Num::Different {
                groups: Some(groups),
                least: 1,
                leaf: Box::new(leaf),
            });
        }
        let (column, low, high) = self.numbers(field, table)?;
        let number = |card: CardId| column[card.index()].filter(|_| has(card));
        match function {
            Function::Sum => {
                let weights = pool.ids().map(|card| number(card).unwrap_or(0)).collect();
                let strangers = Strangers::Any(low.min(0), high.max(0));
                let leaf = Leaf {
                    cards: Weights::Each(weights),
                    sections,
                    strangers,
                    name,
                };
                self.picked(leaf, place)
            }
            _ => {
                let few = pool
                    .ids()
                    .filter_map(|card| Some((card, number(card)?)))
                    .collect();
                let strangers = Strangers::Any(low, high);
                let leaf = Leaf {
                    cards: Weights::Few(few),
                    sections,
                    strangers,
                    name,
                };
                Ok(Num::Extreme {
                    greatest: function == Function::Highest,
                    leaf: Box::new(leaf),
                })
            }
        }
    }

    fn need(&mut self, field: &FieldName) -> Result<(), QueryError> {
        if field.name == "name" {
            return Ok(());
        }
        let known = self.with.pool.fields();
        if known.iter().all(|known| known.name != field.name) {
            return Err(QueryError::at(
                crate::query::no_field(&field.name, known),
                field.span,
            ));
        }
        self.with.needed.push(field.name.clone());
        Ok(())
    }

    /// Each card's number in a field, or what its words there are worth, and the least and the most
    /// that a card may have.
    fn numbers(
        &mut self,
        field: &FieldName,
        table: Option<&Table>,
    ) -> Result<(Vec<Option<i64>>, i64, i64), QueryError> {
        let pool = self.with.pool;
        let known = pool.fields().iter().find(|known| known.name == field.name);
        let Some(table) = table else {
            self.need_number(field)?;
            let (low, high) = match known.map(|known| &known.kind) {
                Some(FieldKind::Number { min, max }) => (*min, *max),
                _ => (0, 0),
            };
            let column = pool.ids().map(|card| pool.number(card, &field.name));
            return Ok((column.collect(), low, high));
        };
        self.need(field)?;
        let is_words =
            |kind: &FieldKind| !matches!(kind, FieldKind::Number { .. } | FieldKind::Query);
        let Some(known) = known.filter(|known| is_words(&known.kind)) else {
            let message = format!("`{}` has no words that a table could be about", field.name);
            return Err(QueryError::at(message, field.span));
        };
        if let Some((word, _)) = table
            .iter()
            .find(|(word, _)| known.canonical(&word.name).is_none())
        {
            let message = format!(
                "no `{}` of `{}`; {}",
                word.name,
                field.name,
                those(&known.words())
            );
            return Err(QueryError::at(message, word.span));
        }
        let worth = table
            .iter()
            .map(|(word, number)| (word.name.clone(), *number));
        let worth: BTreeMap<String, i64> = worth.collect();
        let spanned = Spanned {
            value: field.name.clone(),
            span: self.span,
        };
        // A card of a list may have all of these words.
        let each = |sign: i64| {
            worth
                .values()
                .map(move |number| number.saturating_mul(sign).max(0))
        };
        let (low, high) = match known.kind {
            FieldKind::List { .. } => (-each(-1).sum::<i64>(), each(1).sum()),
            _ => (-each(-1).max().unwrap_or(0), each(1).max().unwrap_or(0)),
        };
        Ok((self.with.worth(&spanned, &worth), low, high))
    }

    fn need_number(&mut self, field: &FieldName) -> Result<(), QueryError> {
        self.need(field)?;
        let mut known = self.with.pool.fields().iter();
        let is_number = known.any(|known| {
            known.name == field.name && matches!(known.kind, FieldKind::Number { .. })
        });
        match is_number {
            true => Ok(()),
            false => Err(QueryError::at(
                format!("`{}` is not a number", field.name),
                field.span,
            )),
        }
    }
}

/// When a query that names what identity cards say picks a card.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Agrees {
    Always(bool),
    /// Where the section with this bit holds one of these cards.
    With(u64, Vec<CardId>),
    All(Vec<Agrees>),
    Any(Vec<Agrees>),
    Not(Box<Agrees>),
}

impl Agrees {
    fn cond(&self, with: &Compile<'_>) -> Cond {
        let all = |parts: &[Agrees]| parts.iter().map(|part| part.cond(with)).collect();
        match self {
            Agrees::Always(true) => Cond::All(Vec::new()),
            Agrees::Always(false) => Cond::Any(Vec::new()),
            Agrees::With(section, heads) => {
                let sections = SectionSet(*section);
                let leaf = Leaf {
                    cards: Weights::Few(heads.iter().map(|head| (*head, 1)).collect()),
                    sections,
                    strangers: Strangers::Any(0, 1),
                    name: Name {
                        place: with.section_names(sections),
                        ..Name::default()
                    },
                };
                Cond::Within(Num::Sum(Box::new(leaf)), Some(Num::Const(1)), None)
            }
            Agrees::All(parts) => Cond::All(all(parts)),
            Agrees::Any(parts) => Cond::Any(all(parts)),
            Agrees::Not(part) => Cond::Not(Box::new(part.cond(with))),
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
    let named = one.name.which == other.name.which && one.name.field == other.name.field;
    if !(same && apart && named && one.strangers == other.strangers) {
        return false;
    }
    one.sections = one.sections.and(other.sections);
    one.name.place = with.section_names(one.sections);
    true
}
