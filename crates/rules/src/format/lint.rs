//! Mistakes in format files: unknown fields, sections, settings and formats, repeated ids, queries
//! that do not fit the fields, and rules without their numbers.

use super::{FormatEntry, Game, LOOK};
use crate::game::Term;
use crate::rules::Compile;
use decklaw_cards::pool::{Field, FieldKind, Pool};
use decklaw_cards::query::{MissingValue, Query, no_such};
use decklaw_text::text::{Span, listed};
use decklaw_text::yaml::{Problem, Spanned, tree};
use std::collections::{BTreeMap, BTreeSet};

/// The most sections of a game.
const MOST_SECTIONS: usize = 64;

/// Collects the mistakes of a game's files: names that its format file does not have.
#[derive(Debug)]
pub struct Lint<'g> {
    /// The game.
    pub game: &'g Game,
    /// The cards, where they are known. Of a game with open fields they have all the fields.
    pub cards: Option<&'g Pool>,
    /// What was found, in no order.
    pub problems: &'g mut Vec<Problem>,
}

impl<'g> Lint<'g> {
    /// Adds a mistake.
    pub fn wrong(&mut self, message: impl Into<String>, span: Span) {
        self.problems.push(Problem::new(message, span));
    }

    fn known(&mut self, what: &str, name: &str, known: Vec<&str>, span: Span) {
        if !known.contains(&name) {
            self.wrong(no_such(what, name, &known), span);
        }
    }

    /// The fields of the cards; `None`: card files may have any column, and none is known.
    fn fields(&self) -> Option<&'g [Field]> {
        match self.cards {
            Some(cards) => Some(cards.fields()),
            None => (!self.game.file.open_fields).then_some(&self.game.fields),
        }
    }

    /// Checks a field of the cards.
    pub fn field(&mut self, name: &str, span: Span) {
        if let Some(fields) = self.fields() {
            let fields = fields.iter().map(|field| field.name.as_str()).collect();
            self.known("field", name, fields, span);
        }
    }

    /// Checks the id of a section.
    pub fn section(&mut self, id: &Spanned<String>) {
        let ids = self.game.ids.iter().map(String::as_str).collect();
        self.known("section", &id.value, ids, id.span);
    }

    /// Checks the id of a format.
    pub fn format(&mut self, id: &str, span: Span) {
        let formats = self.game.file.formats.iter();
        let ids = formats.map(|entry| entry.id.value.as_str()).collect();
        self.known("format", id, ids, span);
    }

    /// Checks a word of a field.
    pub fn word(&mut self, field: &str, word: &str, span: Span) {
        let mut fields = self.fields().unwrap_or(&self.game.fields).iter();
        let Some(field) = fields.find(|known| known.name == field) else {
            return;
        };
        let has_words = matches!(field.kind, FieldKind::Word { .. } | FieldKind::List { .. });
        if !has_words || field.canonical(word).is_none() {
            self.wrong(format!("`{}` is never `{word}`", field.name), span);
        }
    }

    /// Checks a card query.
    pub fn query(&mut self, query: &Spanned<String>) {
        let checked = Query::parse(&query.value)
            .and_then(|parsed| self.fields().map_or(Ok(()), |fields| parsed.check(fields)));
        if let Err(error) = checked {
            self.problems.push(Problem::in_query(query, &error.message));
        }
    }

    /// Checks that names differ.
    fn distinct(&mut self, what: &str, names: impl Iterator<Item = &'g Spanned<String>>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if name.value.is_empty() {
                self.wrong(format!("a {what} needs a name"), name.span);
            } else if !seen.insert(&name.value) {
                self.wrong(format!("the {what} `{}` is here twice", name.value), name.span);
            }
        }
    }

    fn file(&mut self) {
        let file = &self.game.file;
        if file.schema.value != "decklaw/format/1" {
            self.wrong("the schema must be `decklaw/format/1`", file.schema.span);
        }
        self.distinct("field", file.fields.iter().map(|entry| &entry.name));
        self.distinct("section", file.sections.iter().map(|entry| &entry.id));
        self.distinct("setting", file.settings.iter().map(|entry| &entry.name));
        for entry in file.fields.iter().filter(|entry| entry.min > entry.max) {
            let message = format!(
                "no number is from {} to {}, so that no card could have one here",
                entry.min, entry.max
            );
            self.wrong(message, entry.name.span);
        }
        for entry in &file.fields {
            let known: Vec<&str> = entry.values.iter().map(String::as_str).collect();
            for (word, spellings) in &entry.spellings {
                self.known("value", word, known.clone(), spellings.span);
            }
        }
        let fields = &self.game.fields;
        file.cards.check(fields, file.open_fields, self.problems);
        self.settings();
        self.sections();
        self.moved();
        self.formats();
        self.rules();
    }

    /// Keys that are of another file.
    fn moved(&mut self) {
        let file = &self.game.file;
        let keys = [
            ("face", &file.face),
            ("mat", &file.mat),
            ("builder", &file.builder),
            ("start", &file.start),
        ];
        for (key, place) in keys {
            if let Some(place) = place {
                let message = format!("no rule depends on `{key}`: move it to `{LOOK}`");
                self.wrong(message, place.span);
            }
        }
    }

    fn formats(&mut self) {
        let file = &self.game.file;
        self.distinct("format", file.formats.iter().flat_map(FormatEntry::ids));
        if file.formats.is_empty() {
            self.wrong("a game needs a format", file.game.span);
        }
        for id in file.formats.iter().flat_map(FormatEntry::ids) {
            let own = id.value.strip_prefix(file.game.value.as_str());
            if !own.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                let game = &file.game.value;
                let message =
                    format!("a format's id begins with its game's: `{game}` or `{game}/…`");
                self.wrong(message, id.span);
            }
        }
        if let Some(default) = &file.default {
            self.format(&default.value, default.span);
        }
    }

    fn rules(&mut self) {
        let file = &self.game.file;
        for (at, rule) in file.rules.iter().enumerate() {
            for format in rule.only.iter().flatten() {
                self.format(&format.value, format.span);
            }
            for text in rule.says.iter().chain(&rule.mends) {
                if let Some(message) = crate::rules::wrong_saying(&text.value, &rule.must.value) {
                    self.wrong(message, text.span);
                }
            }
            for (setting, word) in &rule.when {
                let mut known = file.settings.iter();
                let known = known.find(|entry| entry.name.value == *setting);
                if !known.is_some_and(|entry| entry.choices.contains(word)) {
                    let message = format!(
                        "`when` asks for `{setting}: {word}`, and no setting has this value"
                    );
                    let keys = ["rules", &at.to_string(), "when", setting].map(str::to_owned);
                    let tree = tree(&self.game.text);
                    self.wrong(message, tree.map_or(rule.id.span, |tree| tree.under(&keys).span));
                }
            }
        }
    }

    /// Checks the values of settings against their numbers and choices.
    fn settings(&mut self) {
        for entry in &self.game.file.settings {
            let name = &entry.name;
            if entry.choices.is_empty() && entry.min > entry.max {
                self.wrong("its least is above its most", name.span);
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
                    words => listed(words, "or"),
                };
                let (name, value) = (&name.value, &default.value);
                self.wrong(format!("`{name}` is never `{value}`; it is {what}"), default.span);
            }
        }
    }

    /// Checks ids, and headings that two sections share.
    fn sections(&mut self) {
        let file = &self.game.file;
        if file.sections.len() > MOST_SECTIONS {
            self.wrong(format!("more than {MOST_SECTIONS} sections"), file.game.span);
        }
        let mut headings: BTreeMap<String, &str> = BTreeMap::new();
        for entry in &file.sections {
            let id = &entry.id;
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if !id.value.chars().all(plain) {
                let message = format!(
                    "a section's id has only lower-case letters, digits and `-`; write `{}` in its `name` and among its `aliases`",
                    id.value
                );
                self.wrong(message, id.span);
            }
            for heading in entry.aliases.iter().chain([&id.value]) {
                let folded = decklaw_text::name::fold(heading).into_owned();
                if let Some(other) = headings.insert(folded, &id.value)
                    && other != id.value
                {
                    let message =
                        format!("the heading `{heading}` means both `{other}` and `{}`", id.value);
                    self.wrong(message, id.span);
                }
            }
        }
    }

    /// Checks the rules of each format, and their queries.
    fn compiled(&mut self) {
        let Some(empty) = self.game.no_cards() else {
            return;
        };
        let file = &self.game.file;
        let mut found: Vec<Problem> = Vec::new();
        // The places of each value that its field lacks, by their first bytes.
        let mut missing: BTreeMap<MissingValue, BTreeMap<usize, Problem>> = BTreeMap::new();
        for at in 0..file.formats.len() {
            let Ok(settings) = self.game.settings_of(at, &BTreeMap::new()) else {
                continue;
            };
            let mut compile = Compile::new(&self.game.sections, &settings, &empty);
            for rule in self.game.rules_of(at, &settings) {
                rule.compile(&mut compile);
            }
            for query in file.fields.iter().filter_map(|entry| entry.filled.as_ref()) {
                compile.card_set(query);
            }
            let is_value =
                |problem: &Problem| compile.missing.iter().any(|(_, of_value)| of_value == problem);
            found.extend(compile.problems.into_iter().filter(|problem| !is_value(problem)));
            for (value, problem) in compile.missing {
                missing.entry(value).or_default().insert(problem.span.start, problem);
            }
        }
        for places in missing.into_values() {
            let count = places.len();
            found.extend(places.into_values().next().map(|mut problem| {
                if count > 1 {
                    problem.message += &format!(" ({count} places)");
                }
                problem.message += "; correct it, or add it to `values` of the field";
                problem
            }));
        }
        for problem in found {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        self.problems.sort_by_key(|problem| problem.span);
    }
}

impl Game {
    /// Adds the mistakes of the file. Rules are compiled only if there is no other mistake.
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        let mut lint = Lint { game: self, cards: None, problems };
        lint.file();
        if lint.problems.is_empty() {
            lint.compiled();
        }
    }

    /// A pool without cards.
    pub(super) fn no_cards(&self) -> Option<Pool> {
        Pool::read_csv(b"name\n", &self.fields).ok()
    }
}
