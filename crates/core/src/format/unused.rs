//! What a format file says and nothing ever asks for: most likely a slip, and nothing wrong.

use super::{Game, RuleEntry};
use crate::pool::Pool;
use crate::rules::{Compile, RuleKind, SectionSet};
use crate::yaml::Problem;
use std::collections::{BTreeMap, BTreeSet};

impl Game {
    /// What no rule asks for: settings, values of formats, sections; spellings of names
    /// that no card has; and rules that stand twice. `pool` are the game's cards, where there
    /// are any.
    pub fn unused(&self, pool: Option<&Pool>) -> Vec<Problem> {
        let mut remarks = Vec::new();
        let Some(empty) = self.no_cards() else {
            return remarks;
        };
        let mut asked: BTreeSet<String> = BTreeSet::new();
        let mut named = SectionSet::default();
        for at in 0..self.file.formats.len() {
            let own = self.asked_by(at, &empty, &mut named);
            let format = &self.file.formats[at];
            for value in format.values.keys().filter(|value| !own.contains(*value)) {
                let message = format!(
                    "no rule of `{}` asks for its value `{value}`",
                    format.id.value
                );
                remarks.push(Problem::new(message, format.id.span));
            }
            asked.extend(own);
        }
        asked.extend(
            self.file
                .rules
                .iter()
                .flat_map(|rule| rule.when.keys().cloned()),
        );
        let settings = self.file.settings.iter().map(|entry| &entry.name);
        for name in settings {
            if !asked.contains(&name.value) {
                let message = format!("no rule asks for the setting `{}`", name.value);
                remarks.push(Problem::new(message, name.span));
            }
        }
        let some = !self.file.rules.is_empty();
        let rules = self.file.rules.iter();
        let accepts = rules
            .map(|rule| &rule.must)
            .any(|must| matches!(must, RuleKind::Accept(_)));
        for (at, section) in self.file.sections.iter().enumerate().filter(|_| some) {
            if !named.has(at) {
                let message = format!(
                    "no rule is about the section `{}`: anything may stand there",
                    section.id.value
                );
                remarks.push(Problem::new(message, section.id.span));
            } else if accepts && !self.is_restricted(&section.id.value) {
                let message = format!(
                    "no rule says which cards the section `{}` takes, as `accept` says of another: any may stand there",
                    section.id.value
                );
                remarks.push(Problem::new(message, section.id.span));
            }
        }
        if let Some(pool) = pool {
            remarks.extend(self.display_unused(pool));
            for (spelling, name) in &self.file.aliases {
                if pool.find(name).is_none() {
                    let message =
                        format!("`{spelling}` is to mean `{name}`, and no card is called that");
                    remarks.push(Problem::new(message, self.file.game.span));
                }
            }
        }
        remarks.extend(self.file.rules.iter().filter_map(uncalled));
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for rule in &self.file.rules {
            // The words about it may differ; spans do in any case.
            let said = said(rule);
            match seen.get(&said) {
                Some(first) => {
                    let message = format!("this demands what `{first}` does above");
                    remarks.push(Problem::new(message, rule.id.span));
                }
                None => {
                    seen.insert(said, &rule.id.value);
                }
            }
        }
        remarks.sort_by_key(|remark| remark.span);
        remarks
    }

    /// Whether a rule says of the cards of a section that some may not stand there.
    fn is_restricted(&self, id: &str) -> bool {
        let mut rules = self.file.rules.iter().map(|rule| &rule.must);
        rules.any(|must| {
            let one = match must {
                RuleKind::Accept(rule) => return rule.section.value == id,
                RuleKind::Avoid(rule) => &rule.sections,
                RuleKind::Permitted(rule) => &rule.sections,
                RuleKind::Matching(rule) => &rule.sections,
                RuleKind::Within(rule) => &rule.sections,
                RuleKind::Options(rule) => &rule.sections,
                _ => return false,
            };
            one.iter().any(|section| section.value == id)
        })
    }

    /// What the rules of a format ask for.
    fn asked_by(&self, at: usize, empty: &Pool, named: &mut SectionSet) -> BTreeSet<String> {
        let Ok(settings) = self.settings_of(at, &BTreeMap::new()) else {
            return BTreeSet::new();
        };
        let id = &self.file.formats[at].id.value;
        let mut compile = Compile::new(&self.sections, &settings, empty);
        // Whatever the settings, as `when` may have them.
        let only = |only: &crate::yaml::Spanned<String>| only.value == *id;
        let rules = self.file.rules.iter();
        for rule in rules.filter(|rule| rule.only.is_empty() || rule.only.iter().any(only)) {
            rule.compile(&mut compile);
        }
        *named = named.and(compile.named);
        compile.asked
    }
}

/// That players read a rule's query, where it does not say what its cards are.
fn uncalled(rule: &RuleEntry) -> Option<Problem> {
    let (cards, called) = match &rule.must {
        RuleKind::Size(size) => (&size.cards, &size.called),
        RuleKind::Total(total) => (&total.cards, &total.called),
        _ => return None,
    };
    let cards = cards.as_ref()?;
    if called.is_some() || rule.says.is_some() {
        return None;
    }
    let message = format!(
        "players read `{}` where the rule is broken; `called: …` says what these cards are",
        cards.value
    );
    Some(Problem::new(message, cards.span))
}

/// What a rule demands and of whom, without where it stands: two that are alike are one.
fn said(rule: &RuleEntry) -> String {
    let only: Vec<&String> = rule.only.iter().map(|format| &format.value).collect();
    let (must, when) = (&rule.must, &rule.when);
    let whole = format!("{must:?} {:?} {when:?} {only:?}", rule.conditions);
    let mut parts = whole.split("Span { ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        said + part.split_once('}').map_or(part, |(_, behind)| behind)
    })
}
