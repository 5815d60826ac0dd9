//! From a deck as its author wrote it, or a whole pool, to the deck that a match registers.

use crate::matches::choice::Choice;
use crate::matches::error::MatchError;
use crate::matches::inputs::deck::{Line, MatchDeck};
use crate::matches::setup::Setup;
use decklaw_cards::pool::{CardId, CardSet, Column, NameField, Pool};
use decklaw_cards::query::Query;
use decklaw_judge::resolve::Resolved;
use decklaw_text::name::fold;
use std::collections::BTreeMap;

/// What is recorded of the cards of a pool.
struct Records<'a> {
    pool: &'a Pool,
    fields: Vec<(&'a str, CardSet)>,
}

impl<'a> Records<'a> {
    fn new(setup: &'a Setup, pool: &'a Pool) -> Result<Records<'a>, MatchError> {
        let mut fields = Vec::new();
        for (field, record) in &setup.records {
            let cards = Query::parse(&record.of.value).and_then(|query| query.select(pool));
            let cards = cards.map_err(|error| {
                MatchError::call(format!(
                    "the setup records `{field}` of `{}`: {error}",
                    record.of.value
                ))
            })?;
            fields.push((field.as_str(), cards));
        }
        Ok(Records { pool, fields })
    }

    fn of(&self, card: CardId) -> BTreeMap<String, Choice> {
        let value = |field: &str| match self.pool.column(field)? {
            Column::Number(_) => self.pool.number(card, field).map(Choice::Number),
            Column::Text(_) | Column::List(_) => {
                let word = self.pool.words(card, field).first()?;
                Some(Choice::Word(fold(word).into_owned()))
            }
        };
        let recorded = self.fields.iter().filter(|(_, cards)| cards.has(card));
        recorded.filter_map(|(field, _)| Some(((*field).to_owned(), value(field)?))).collect()
    }
}

impl MatchDeck {
    /// See [`MatchRules::register`](crate::matches::MatchRules::register).
    pub(in crate::matches) fn of_deck(
        setup: &Setup,
        resolved: &Resolved<'_>,
    ) -> Result<MatchDeck, MatchError> {
        let format = resolved.rulebook().format().id();
        let (deck, list, pool) = (resolved.deck(), resolved.list(), resolved.pool());
        let records = Records::new(setup, pool)?;
        let lines = deck.lines.iter().zip(resolved.cards());
        let lines = lines.filter_map(|(line, card)| {
            let section = deck.sections.get(usize::from(line.section))?;
            let count = line.count;
            let line = if list.knows(*card) {
                Line { count, name: pool.name(*card).to_owned(), records: records.of(*card) }
            } else {
                Line { count, name: line.name.clone().into_owned(), records: BTreeMap::new() }
            };
            Some((section.id.as_ref(), line))
        });
        let name = deck.name.as_ref().map_or("", |name| name.value.as_ref());
        let mut registered = MatchDeck::register(format, name, lines);
        // Where a deck may name its sections as it likes, the first one is dealt from.
        let named = |id: &String| registered.sections.contains_key(id);
        if setup.open && !setup.sections.first().is_some_and(named) {
            let first = deck.lines.iter().map(|line| line.section).min();
            let first = first.and_then(|first| deck.sections.get(usize::from(first)));
            registered.dealt = first.map(|section| section.id.clone().into_owned());
        }
        let mut rules: Vec<String> = list.errors().into_iter().map(|(rule, _)| rule).collect();
        rules.sort_unstable();
        rules.dedup();
        registered.illegal = Some(rules).filter(|rules| !rules.is_empty());
        registered.leave_needless(setup);
        Ok(registered)
    }

    /// Leaves out what is recorded of a card where the setup does not look at it.
    fn leave_needless(&mut self, setup: &Setup) {
        let needed = self.needed(setup);
        for (section, lines) in &mut self.sections {
            for line in lines {
                line.records.retain(|field, _| needed(field, section));
            }
        }
    }

    /// Whether the setup looks at a field of the cards of a section. A deck that is illegal may have
    /// a card in a section where no legal one has it: of that everything is recorded.
    pub(in crate::matches) fn needed<'s>(
        &self,
        setup: &'s Setup,
    ) -> impl Fn(&str, &str) -> bool + use<'s> {
        let is_illegal = self.illegal.is_some();
        move |field, section| is_illegal || setup.asks_for(field, section)
    }

    /// The cards that a pool would register differently, a sentence each. Cards
    /// that the pool does not know are passed over.
    ///
    /// # Errors
    /// A setup whose records do not fit the pool.
    pub fn registered_otherwise(
        &self,
        setup: &Setup,
        pool: &Pool,
    ) -> Result<Vec<String>, MatchError> {
        let (records, needed) = (Records::new(setup, pool)?, self.needed(setup));
        let mut differences = Vec::new();
        for (section, lines) in &self.sections {
            for line in lines {
                let expected = pool.look_up(&line.name, NameField::Name).card();
                let expected = expected.map(|card| records.of(card));
                for field in setup.records.keys().filter(|field| needed(field, section)) {
                    let (is, should) = match &expected {
                        Some(expected) => (line.records.get(field), expected.get(field)),
                        None => continue,
                    };
                    if is == should {
                        continue;
                    }
                    let value = |value: Option<&Choice>| {
                        value.map_or("none".to_owned(), |value| format!("`{value}`"))
                    };
                    differences.push(format!(
                        "{field} of \"{}\" in {section}: {} in the file, {} in the card pool",
                        line.name,
                        value(is),
                        value(should)
                    ));
                }
            }
        }
        Ok(differences)
    }

    /// Registers every card of a pool, once, in one section.
    ///
    /// # Errors
    /// A setup whose records do not fit the pool.
    pub fn of_pool(
        format: &str,
        name: &str,
        setup: &Setup,
        pool: &Pool,
    ) -> Result<MatchDeck, MatchError> {
        let records = Records::new(setup, pool)?;
        let section = setup.sections.first().map_or("", String::as_str);
        let line = |card| {
            let name = pool.name(card).to_owned();
            (section, Line { count: 1, name, records: records.of(card) })
        };
        let mut registered = MatchDeck::register(format, name, pool.ids().map(line));
        registered.leave_needless(setup);
        Ok(registered)
    }
}
