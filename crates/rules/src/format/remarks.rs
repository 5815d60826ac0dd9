//! What is not wrong with a format file and most likely not meant: names that nothing uses, and
//! words of queries that no card has.

use super::examples::RuleLint;
use super::{Game, RuleEntry};
use crate::rules::RuleKind;
use decklaw_cards::pool::{NameField, Pool};
use decklaw_cards::query::Query;
use decklaw_text::yaml::{Problem, Spanned};
use std::collections::BTreeMap;

impl Game {
    /// Adds what the rules show next to one another: settings and sections that no rule uses,
    /// aliases of no card, rules that are there twice, and where there are cards, the words of
    /// queries that no card has. A card file may well lag behind its rules.
    pub(super) fn remark(&self, pool: Option<&Pool>, lint: &mut RuleLint) {
        self.unused(lint);
        let remarks = &mut lint.remarks;
        if let Some(pool) = pool {
            let filled = self.file.fields.iter().filter_map(|field| field.filled.as_ref());
            for query in lint.queries.iter().chain(filled) {
                remarks_on(query, pool, remarks);
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
    }

    fn unused(&self, lint: &mut RuleLint) {
        let mut rules = self.file.rules.iter();
        for name in self.file.settings.iter().map(|entry| &entry.name) {
            let is_asked = |rule: &RuleEntry| rule.when.contains_key(&name.value);
            if !lint.asked.contains(&name.value) && !self.file.rules.iter().any(is_asked) {
                let message = format!("no rule asks for the setting `{}`", name.value);
                lint.remarks.push(Problem::new(message, name.span));
            }
        }
        if self.file.rules.is_empty() {
            return;
        }
        let accepts = rules.any(|rule| matches!(rule.must.value, RuleKind::Accept(_)));
        for (at, section) in self.file.sections.iter().enumerate() {
            let id = &section.id;
            let message = if !lint.named.has(at) {
                format!("no rule is about the section `{}`: it may have any cards", id.value)
            } else if accepts && !self.is_restricted(&id.value) {
                format!(
                    "no rule says which cards the section `{}` takes, as `accept` does for another: it may have any cards",
                    id.value
                )
            } else {
                continue;
            };
            lint.remarks.push(Problem::new(message, id.span));
        }
    }

    /// Whether a rule excludes cards from a section.
    fn is_restricted(&self, id: &str) -> bool {
        let mut rules = self.file.rules.iter().map(|rule| &rule.must.value);
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
    let (cards, called) = match &rule.must.value {
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
    let (must, when) = (&rule.must.value, &rule.when);
    let whole = format!("{must:?} {:?} {when:?} {only:?}", rule.conditions);
    let mut parts = whole.split("Span { ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('}').map_or(part, |(_, after)| after))
}
