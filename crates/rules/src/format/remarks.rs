//! What is not wrong with a format file and most likely not meant: names that nothing uses, and
//! words of queries that no card has.

use super::{Game, RuleEntry};
use crate::rules::{Compile, RuleKind, SectionSet};
use decklaw_cards::pool::{NameField, Pool};
use decklaw_cards::query::Query;
use decklaw_text::yaml::{Problem, Spanned};
use std::collections::{BTreeMap, BTreeSet};

impl Game {
    /// Settings, values of formats and sections that no rule uses, aliases of no card, rules that
    /// are there twice, and where there are cards, the words of queries that no card has. A card
    /// file may well lag behind its rules.
    pub fn remarks(&self, pool: Option<&Pool>) -> Vec<Problem> {
        let mut remarks = Vec::new();
        if let Some(empty) = self.no_cards() {
            self.unused(&empty, &mut remarks);
        }
        if let Some(pool) = pool {
            for query in self.queries(pool) {
                remarks_on(&query, pool, &mut remarks);
            }
            for (alias, name) in &self.file.aliases {
                if pool.look_up(alias, NameField::Name).card().is_none() {
                    let message =
                        format!("the alias `{alias}` is for `{name}`, which is not a card");
                    remarks.push(Problem::new(message, self.file.game.span));
                }
            }
        }
        remarks.extend(self.file.rules.iter().filter_map(unnamed_cards));
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for rule in &self.file.rules {
            if let Some(other) = seen.insert(without_places(rule), &rule.id.value) {
                let message = format!("this demands the same as `{other}` above");
                remarks.push(Problem::new(message, rule.id.span));
            }
        }
        remarks.sort_by_key(|remark| remark.span);
        remarks
    }

    fn unused(&self, empty: &Pool, remarks: &mut Vec<Problem>) {
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut named = SectionSet::default();
        for (at, format) in self.file.formats.iter().enumerate() {
            let own = self.used_by(at, empty, &mut named);
            let id = &format.id;
            for value in format.values.keys().filter(|value| !own.contains(*value)) {
                let message = format!("no rule of `{}` asks for its value `{value}`", id.value);
                remarks.push(Problem::new(message, id.span));
            }
            used.extend(own);
        }
        let rules = self.file.rules.iter();
        used.extend(rules.flat_map(|rule| rule.when.keys().cloned()));
        for entry in &self.file.settings {
            if !used.contains(&entry.name.value) {
                let message = format!("no rule asks for the setting `{}`", entry.name.value);
                remarks.push(Problem::new(message, entry.name.span));
            }
        }
        if self.file.rules.is_empty() {
            return;
        }
        let mut rules = self.file.rules.iter();
        let accepts = rules.any(|rule| matches!(rule.must, RuleKind::Accept(_)));
        for (at, section) in self.file.sections.iter().enumerate() {
            let id = &section.id;
            let message = if !named.has(at) {
                format!("no rule is about the section `{}`: it may have any cards", id.value)
            } else if accepts && !self.is_restricted(&id.value) {
                format!(
                    "no rule says which cards the section `{}` takes, as `accept` does for another: it may have any cards",
                    id.value
                )
            } else {
                continue;
            };
            remarks.push(Problem::new(message, id.span));
        }
    }

    /// Whether a rule excludes cards from a section.
    fn is_restricted(&self, id: &str) -> bool {
        let mut rules = self.file.rules.iter().map(|rule| &rule.must);
        rules.any(|must| {
            let sections = match must {
                RuleKind::Accept(rule) => return rule.section.value == id,
                RuleKind::Avoid(rule) => &rule.sections,
                RuleKind::Permitted(rule) => &rule.sections,
                RuleKind::Matching(rule) => &rule.sections,
                RuleKind::Within(rule) => &rule.sections,
                RuleKind::Options(rule) => &rule.sections,
                _ => return false,
            };
            sections.iter().any(|section| section.value == id)
        })
    }

    /// The settings and values that the rules of a format use, whatever the settings are; adds the
    /// sections that they name.
    fn used_by(&self, at: usize, empty: &Pool, named: &mut SectionSet) -> BTreeSet<String> {
        let Ok(settings) = self.settings_of(at, &BTreeMap::new()) else {
            return BTreeSet::new();
        };
        let id = &self.file.formats[at].id.value;
        let mut compile = Compile::new(&self.sections, &settings, empty);
        for rule in self.file.rules.iter().filter(|rule| rule.is_of(id)) {
            rule.compile(&mut compile);
        }
        *named = named.and(compile.named);
        compile.asked
    }

    /// The card queries of the file.
    fn queries(&self, pool: &Pool) -> Vec<Spanned<String>> {
        let file = &self.file;
        let mut queries = Vec::new();
        for rule in &file.rules {
            let mut formats = 0..file.formats.len();
            let format = formats.find(|at| rule.is_of(&file.formats[*at].id.value));
            let settings = format.and_then(|at| self.settings_of(at, &rule.when).ok());
            if let Some(settings) = settings {
                let mut compile = Compile::new(self.sections(), &settings, pool);
                rule.compile(&mut compile);
                queries.append(&mut compile.queries);
            }
        }
        let filled = file.fields.iter().filter_map(|field| field.filled.as_ref());
        queries.extend(filled.cloned());
        queries
    }
}

/// Adds the remarks on a query of a game's file over its cards, each once: words that no card has.
pub fn remarks_on(asked: &Spanned<String>, pool: &Pool, remarks: &mut Vec<Problem>) {
    let query = Query::parse(&asked.value);
    for remark in query.iter().flat_map(|query| query.remarks(pool)) {
        let message = format!("in the query `{}`: {}", asked.value.trim(), remark.message);
        let remark = Problem::within(message, asked, remark.span);
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
}

/// That players read a rule's query, where it has no words for its cards.
fn unnamed_cards(rule: &RuleEntry) -> Option<Problem> {
    let (cards, called) = match &rule.must {
        RuleKind::Size(size) => (&size.cards, &size.called),
        RuleKind::Total(total) => (&total.cards, &total.called),
        _ => return None,
    };
    let cards = cards.as_ref()?;
    if called.is_some() || rule.says.is_some() {
        return None;
    }
    let message =
        format!("messages will show the query `{}`; add `called:` with a plain name", cards.value);
    Some(Problem::new(message, cards.span))
}

/// A rule's demand and formats, for comparison with other rules.
fn without_places(rule: &RuleEntry) -> String {
    let only = rule.only.iter().flatten();
    let only: Vec<&String> = only.map(|format| &format.value).collect();
    let (must, when) = (&rule.must, &rule.when);
    let whole = format!("{must:?} {:?} {when:?} {only:?}", rule.conditions);
    let mut parts = whole.split("Span { ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('}').map_or(part, |(_, after)| after))
}
