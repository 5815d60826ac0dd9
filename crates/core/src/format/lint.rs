//! What is wrong with a format file: names that stand for nothing, and the like.

use super::Game;
use crate::game::Term;
use crate::pool::Pool;
use crate::rules::Compile;
use crate::yaml::{FileError, Problem, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// A format file with its problems.
pub(super) fn refused(source: &str, text: &str, problems: Vec<Problem>) -> FileError {
    FileError::of(source, text, problems)
}

impl Game {
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        let file = &self.file;
        if file.schema.value != "decklaw/format/1" {
            let message = "the schema must be `decklaw/format/1`";
            problems.push(Problem::new(message, file.schema.span));
        }
        distinct(
            "field",
            file.fields.iter().map(|entry| &entry.name),
            problems,
        );
        distinct(
            "section",
            file.sections.iter().map(|entry| &entry.id),
            problems,
        );
        distinct(
            "setting",
            file.settings.iter().map(|entry| &entry.name),
            problems,
        );
        for entry in file.fields.iter().filter(|entry| entry.min > entry.max) {
            let message = format!(
                "no number is from {} to {}, so that no card could have one here",
                entry.min, entry.max
            );
            problems.push(Problem::new(message, entry.name.span));
        }
        file.cards.check(&self.fields, file.open_fields, problems);
        self.check_settings(problems);
        self.check_sections(problems);
        self.check_display(problems);
        self.check_builder(problems);
        distinct(
            "format",
            file.formats.iter().map(|entry| &entry.id),
            problems,
        );
        if file.sections.len() > 64 {
            problems.push(Problem::new("more than 64 sections", file.game.span));
        }
        if file.formats.is_empty() {
            problems.push(Problem::new("a game needs a format", file.game.span));
        }
        for entry in &file.formats {
            let id = &entry.id.value;
            let own = id.strip_prefix(file.game.value.as_str());
            if !own.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                let message = format!(
                    "a format's id begins with its game's: `{0}` or `{0}/…`",
                    file.game.value
                );
                problems.push(Problem::new(message, entry.id.span));
            }
        }
        if let Some(default) = &file.default
            && !file
                .formats
                .iter()
                .any(|entry| entry.id.value == default.value)
        {
            let message = format!("no format `{}`", default.value);
            problems.push(Problem::new(message, default.span));
        }
        for rule in &file.rules {
            for format in &rule.only {
                if !file
                    .formats
                    .iter()
                    .any(|entry| entry.id.value == format.value)
                {
                    let message = format!("no format `{}`", format.value);
                    problems.push(Problem::new(message, format.span));
                }
            }
            for text in rule.says.iter().chain(&rule.mends) {
                if let Some(message) = crate::rules::wrong_saying(&text.value, &rule.must) {
                    problems.push(Problem::new(message, text.span));
                }
            }
            for (setting, word) in &rule.when {
                let known = file
                    .settings
                    .iter()
                    .find(|entry| entry.name.value == *setting);
                if !known.is_some_and(|entry| entry.choices.contains(word)) {
                    let message =
                        format!("`when` asks for `{setting}: {word}`, and no setting can stand so");
                    problems.push(Problem::new(message, rule.id.span));
                }
            }
        }
        if !problems.is_empty() {
            return;
        }
        let Some(empty) = self.no_cards() else {
            return;
        };
        let mut seen = BTreeSet::new();
        for at in 0..file.formats.len() {
            let Ok(settings) = self.settings_of(at, &BTreeMap::new()) else {
                continue;
            };
            let mut compile = Compile::new(&self.sections, &settings, &empty);
            for rule in self.rules_of(at, &settings) {
                rule.compile(&mut compile);
            }
            for query in file.fields.iter().filter_map(|entry| entry.filled.as_ref()) {
                compile.card_set(query);
            }
            let new = |problem: &Problem| seen.insert((problem.span, problem.message.clone()));
            problems.extend(compile.problems.into_iter().filter(new));
        }
        problems.sort_by_key(|problem| problem.span);
    }

    /// What is wrong with the settings: numbers that cannot be, words that are none of theirs.
    fn check_settings(&self, problems: &mut Vec<Problem>) {
        for entry in &self.file.settings {
            let name = &entry.name;
            if entry.choices.is_empty() && entry.min > entry.max {
                problems.push(Problem::new("its least is above its most", name.span));
            }
            let Some(default) = &entry.default else {
                continue;
            };
            let fits = match &default.value {
                Term::Number(number) => {
                    entry.choices.is_empty() && (entry.min..=entry.max).contains(number)
                }
                Term::Named(word) => entry.choices.contains(word),
            };
            if !fits {
                let what = match entry.choices.as_slice() {
                    [] => format!("a whole number from {} to {}", entry.min, entry.max),
                    words => crate::text::listed(words, "or"),
                };
                let message = format!(
                    "`{}` is never `{}`; it is {what}",
                    name.value, default.value
                );
                problems.push(Problem::new(message, default.span));
            }
        }
    }

    /// What is wrong with the sections: ids that no rule could write, headings that mean two.
    fn check_sections(&self, problems: &mut Vec<Problem>) {
        let mut headings: BTreeMap<String, &str> = BTreeMap::new();
        for entry in &self.file.sections {
            let id = &entry.id;
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if !id.value.is_empty() && !id.value.chars().all(plain) {
                let message = format!(
                    "a section's id is of lower-case letters, digits and `-`; `{}` is not: call it so in its `name`, and among its `aliases`",
                    id.value
                );
                problems.push(Problem::new(message, id.span));
            }
            for heading in entry.aliases.iter().chain([&id.value]) {
                let folded = crate::name::fold(heading).into_owned();
                match headings.insert(folded, &id.value) {
                    Some(other) if other != id.value => {
                        let message = format!(
                            "the heading `{heading}` means both `{other}` and `{}`",
                            id.value
                        );
                        problems.push(Problem::new(message, id.span));
                    }
                    _ => {}
                }
            }
        }
    }

    /// A pool without cards.
    pub(super) fn no_cards(&self) -> Option<Pool> {
        Pool::read_csv(b"name\n", &self.fields).ok()
    }
}

fn distinct<'s>(
    what: &str,
    names: impl Iterator<Item = &'s Spanned<String>>,
    problems: &mut Vec<Problem>,
) {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.value.is_empty() {
            problems.push(Problem::new(format!("a {what} needs a name"), name.span));
        } else if !seen.insert(&name.value) {
            problems.push(Problem::new(
                format!("the {what} `{}` stands here twice", name.value),
                name.span,
            ));
        }
    }
}
