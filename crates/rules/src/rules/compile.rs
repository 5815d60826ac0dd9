//! From the terms that a format file writes to what a demand needs.

use super::SectionSet;
use super::fields::Key;
use super::groups::Groups;
use crate::game::{Section, SettingValue, Term};
use decklaw_cards::pool::{CardId, CardSet, FieldKind, Pool};
use decklaw_cards::query::{MissingValue, Query};
use decklaw_text::text::Span;
use decklaw_text::yaml::{Problem, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a word that is none of some was most likely to be: `; did you mean …?`, or nothing.
fn meant<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> String {
    decklaw_text::name::did_you_mean(&decklaw_text::name::nearest(word, known))
}

/// A choice of cards in a rule: all of them, or those that a query picks.
#[derive(Debug, Clone)]
pub enum Cards {
    /// Every card, known to the pool or not.
    All,
    /// The cards that the query picks.
    Some(CardSet),
}

impl Cards {
    /// Whether a known card is chosen.
    #[inline]
    pub fn has(&self, card: CardId) -> bool {
        match self {
            Cards::All => true,
            Cards::Some(set) => set.has(card),
        }
    }

    /// How many cards of a pool are chosen.
    pub fn count(&self, pool: &Pool) -> usize {
        match self {
            Cards::All => pool.len(),
            Cards::Some(set) => set.len(),
        }
    }

    /// Whether the choice needs no attribute of a card.
    #[inline]
    pub fn is_all(&self) -> bool {
        matches!(self, Cards::All)
    }
}

/// What terms are compiled with, and the problems met on the way.
#[derive(Debug)]
pub struct Compile<'c> {
    /// The format's sections.
    pub sections: &'c [Section],
    /// The numbers of the settings and values; a setting without a value is unset.
    pub settings: &'c BTreeMap<String, Option<SettingValue>>,
    /// The cards.
    pub pool: &'c Pool,
    /// The columns that rules ask for, which the pool must have.
    pub needed: Vec<String>,
    /// What is wrong with the terms.
    pub problems: Vec<Problem>,
    /// Those of them for which a value is to blame that its field does not have.
    pub missing: Vec<(MissingValue, Problem)>,
    /// The card queries of the terms.
    pub queries: Vec<Spanned<String>>,
    /// The settings and values that the terms ask for.
    pub asked: BTreeSet<String>,
    /// The sections that the terms name.
    pub named: SectionSet,
    /// The text that queries are a part of, and where in it the next one begins.
    pub(super) text: Option<(Spanned<String>, usize)>,
    /// The span of the rule whose terms are compiled, for errors that belong to no single term.
    pub rule: Span,
    /// Groups made before: several rules may share them.
    pub groups: GroupCache,
}

/// The groups of a pool's cards that were made, by their fields.
#[derive(Debug, Default)]
pub struct GroupCache(Vec<(Vec<Vec<String>>, bool, Arc<Groups>)>);

impl<'c> Compile<'c> {
    /// What terms are compiled with.
    pub fn new(
        sections: &'c [Section],
        settings: &'c BTreeMap<String, Option<SettingValue>>,
        pool: &'c Pool,
    ) -> Compile<'c> {
        Compile {
            sections,
            settings,
            pool,
            needed: Vec::new(),
            problems: Vec::new(),
            missing: Vec::new(),
            queries: Vec::new(),
            asked: BTreeSet::new(),
            named: SectionSet::default(),
            text: None,
            rule: Span::default(),
            groups: GroupCache::default(),
        }
    }
}

impl<'c> Compile<'c> {
    /// The cards grouped by fields, and what the fields are called; `None` without any.
    pub(crate) fn grouped(&mut self, keys: &[Key], alone: bool) -> Option<(String, Arc<Groups>)> {
        if keys.is_empty() {
            return None;
        }
        let fields = keys.iter().flat_map(Key::fields);
        for field in fields.filter(|field| field.value != "name") {
            self.need(field);
            let groups = |kind: &FieldKind| !matches!(kind, FieldKind::Query);
            self.need_kind(field, "words or numbers", groups);
        }
        let names = |key: &Key| key.fields().iter().map(|field| field.value.clone()).collect();
        let names: Vec<Vec<String>> = keys.iter().map(names).collect();
        let words: Vec<String> =
            names.iter().map(|all| decklaw_text::text::listed(all, "and")).collect();
        let words = decklaw_text::text::listed(&words, "or");
        let same = |(known, of, _): &&(Vec<Vec<String>>, bool, Arc<Groups>)| {
            *known == names && *of == alone
        };
        if let Some((_, _, known)) = self.groups.0.iter().find(same) {
            return Some((words, Arc::clone(known)));
        }
        let groups = Arc::new(Groups::of_pool(self.pool, &names, alone));
        self.groups.0.push((names, alone, Arc::clone(&groups)));
        Some((words, groups))
    }

    /// The most groups that a card may be in; `None`: any number, as by a list.
    pub(crate) fn most_groups(&self, keys: &[Key]) -> Option<i64> {
        let is_list = |field: &Spanned<String>| {
            let known = self.pool.fields().iter().find(|known| known.name == field.value);
            known.is_some_and(|known| matches!(known.kind, FieldKind::List { .. }))
        };
        let has_list = keys.iter().flat_map(Key::fields).any(is_list);
        (!has_list).then_some(keys.len() as i64)
    }

    /// The index of a section.
    pub fn section(&mut self, name: &Spanned<String>) -> usize {
        let found = self.sections.iter().position(|section| section.id == name.value);
        if let Some(found) = found {
            self.named = self.named.and(SectionSet::only(found));
        }
        found.unwrap_or_else(|| {
            let known: Vec<&str> =
                self.sections.iter().map(|section| section.id.as_str()).collect();
            self.refuse(
                format!(
                    "no section `{}`; the sections are {}",
                    name.value,
                    decklaw_text::text::listed(&known, "and")
                ),
                name.span,
            );
            0
        })
    }

    /// The set of some sections; naming none is an error.
    pub fn section_set(&mut self, names: &[Spanned<String>]) -> SectionSet {
        if names.is_empty() {
            self.refuse("`sections` names none".to_owned(), self.rule);
        }
        let sections = names.iter().map(|name| SectionSet::only(self.section(name)));
        sections.fold(SectionSet::default(), SectionSet::and)
    }

    /// The name by which messages call a section.
    pub fn section_name(&self, section: usize) -> String {
        self.sections.get(section).map_or_else(String::new, |section| section.name.clone())
    }

    /// The names of some sections, joined.
    pub fn section_names(&self, sections: SectionSet) -> String {
        self.sections_listed(sections, "and")
    }

    /// What messages call any one of some sections.
    pub(super) fn one_of(&self, sections: SectionSet) -> String {
        self.sections_listed(sections, "or")
    }

    fn sections_listed(&self, sections: SectionSet, word: &str) -> String {
        let names = sections.iter().map(|section| self.section_name(section));
        decklaw_text::text::listed(&names.collect::<Vec<String>>(), word)
    }

    /// The cards that a query picks; all without one.
    pub fn cards(&mut self, query: Option<&Spanned<String>>) -> Cards {
        query.map_or(Cards::All, |query| Cards::Some(self.card_set(query)))
    }

    /// The cards that a query picks.
    pub fn card_set(&mut self, query: &Spanned<String>) -> CardSet {
        self.queries.push(query.clone());
        let parsed = Query::parse(&query.value).and_then(Query::plain);
        let selected = parsed.and_then(|parsed| {
            self.needed.extend(parsed.fields().into_iter().map(str::to_owned));
            parsed.select(self.pool)
        });
        selected.unwrap_or_else(|error| {
            let message = format!("in the query `{}`: {error}", query.value);
            let problem = match &self.text {
                Some((text, offset)) => {
                    let place = Span::new(error.span.start + offset, error.span.end + offset);
                    Problem::within(message, text, place)
                }
                None => Problem::within(message, query, error.span),
            };
            match error.missing {
                Some(missing) => self.refuse_value(missing, problem),
                None => self.problems.push(problem),
            }
            CardSet::default()
        })
    }

    /// Which cards a query picks, in words behind "cards" and a space before them: ` of type
    /// relic`. Nothing without a query.
    pub(super) fn which(&self, cards: Option<&Spanned<String>>) -> String {
        let query = cards.and_then(|cards| Query::parse(&cards.value).ok());
        let words = query.map(|query| query.words(self.pool));
        match words.as_deref() {
            None | Some("") => String::new(),
            Some(words) => format!(" {words}"),
        }
    }

    /// A column of whole numbers, one a card; 0 where a card has none.
    pub fn numbers(&mut self, field: &Spanned<String>) -> Vec<i64> {
        self.need_number(field);
        let pool = self.pool;
        pool.ids().map(|card| pool.number(card, &field.value).unwrap_or(0)).collect()
    }

    /// Each card's number in a field. `None`: it has none.
    pub(super) fn column(&mut self, field: &Spanned<String>) -> Vec<Option<i64>> {
        self.need_number(field);
        let pool = self.pool;
        pool.ids().map(|card| pool.number(card, &field.value)).collect()
    }

    /// Notes that a rule reads a field, which the game must have.
    pub fn need(&mut self, field: &Spanned<String>) {
        if self.pool.fields().iter().any(|known| known.name == field.value) {
            self.needed.push(field.value.clone());
        } else {
            let known = self.pool.fields().iter().map(|known| known.name.as_str());
            let hint = meant(&field.value, known);
            self.refuse(
                format!("this game's cards have no field `{}`{hint}", field.value),
                field.span,
            );
        }
    }

    /// The same for a field that must hold whole numbers.
    pub fn need_number(&mut self, field: &Spanned<String>) {
        self.need(field);
        let is_number = |kind: &FieldKind| matches!(kind, FieldKind::Number { .. });
        self.need_kind(field, "a whole number", is_number);
    }

    /// The same for a field of words or free text, or the name of a card, which is none; whether
    /// it is of text or the name.
    pub fn need_words_or_text(&mut self, field: &Spanned<String>) -> bool {
        if field.value == "name" {
            return true;
        }
        self.need_text(field);
        let mut known = self.pool.fields().iter();
        known.any(|known| known.name == field.value && known.kind == FieldKind::Text)
    }

    /// The same for a field of words or free text.
    pub fn need_text(&mut self, field: &Spanned<String>) {
        self.need(field);
        let is_text =
            |kind: &FieldKind| !matches!(kind, FieldKind::Number { .. } | FieldKind::Query);
        self.need_kind(field, "words or text", is_text);
    }

    /// The same for a field that must hold card queries.
    pub fn need_query(&mut self, field: &Spanned<String>) {
        let known = self.pool.fields().iter();
        // A card file may leave the column out: then nothing can be verified, and a notice says so.
        if !known.clone().any(|known| known.name == field.value) {
            self.need(field);
        }
        let is_query = |kind: &FieldKind| matches!(kind, FieldKind::Query);
        self.need_kind(field, "a card query", is_query);
    }

    pub(crate) fn need_kind(
        &mut self,
        field: &Spanned<String>,
        what: &str,
        fits: impl Fn(&FieldKind) -> bool,
    ) {
        let known = self.pool.fields().iter();
        let mut same = known.filter(|known| known.name == field.value);
        if same.any(|known| !fits(&known.kind)) {
            self.refuse(format!("the field `{}` does not hold {what}", field.value), field.span);
        }
    }

    /// The number that an optional term means; the name of a setting without a value goes to
    /// `unset`.
    pub fn given(&mut self, term: Option<&Spanned<Term>>, unset: &mut Vec<String>) -> Option<i64> {
        let term = term?;
        let name = match &term.value {
            Term::Number(number) => return Some(*number),
            Term::Named(name) => name,
        };
        self.asked.insert(name.clone());
        let message = match self.settings.get(name) {
            Some(Some(SettingValue::Number(number))) => return Some(*number),
            Some(None) => {
                unset.push(name.clone());
                return None;
            }
            Some(Some(SettingValue::Word(_))) => {
                format!("the setting `{name}` is a word, not a number")
            }
            None if name.parse::<f64>().is_ok() => {
                format!("`{name}` is not a whole number; write it without quotes")
            }
            None => {
                let known = self.settings.keys().map(String::as_str);
                let hint = match meant(name, known).as_str() {
                    "" => "; settings are under `settings`, numbers of a format under its `values`"
                        .to_owned(),
                    hint => hint.to_owned(),
                };
                format!("no setting or value `{name}`{hint}")
            }
        };
        self.refuse(message, term.span);
        Some(0)
    }

    /// Notes a problem with a value that its field does not have.
    pub(crate) fn refuse_value(&mut self, missing: MissingValue, problem: Problem) {
        self.missing.push((missing, problem.clone()));
        self.problems.push(problem);
    }

    /// Notes a problem.
    pub fn refuse(&mut self, message: String, span: Span) {
        self.problems.push(Problem::new(message, span));
    }
}
