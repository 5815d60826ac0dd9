//! Checks the rules of a game over its cards, once for all that is asked of them: each example
//! passes or fails as it says, each rule can be kept and broken, and all that the file names is used.

use super::{Game, RuleEntry};
use crate::rules::{Compile, Contents, Failing, Holding, Rule, SectionSet};
use decklaw_cards::pool::{NameField, Pool};
use decklaw_cards::sections::{ListedCopies, SectionNames};
use decklaw_text::yaml::{Problem, Spanned};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads the deck of an example; the error says what is wrong with it.
pub type ExampleReader<'r> =
    &'r dyn Fn(&str, SectionNames<'_>) -> Result<Vec<ListedCopies>, String>;

/// What the rules of a game show when they are compiled over cards.
#[derive(Debug, Default)]
pub struct RuleLint {
    /// What is wrong: an example that does not pass or fail as it says, a column that the card file
    /// lacks, a rule that no deck can break or keep.
    pub wrong: Vec<Problem>,
    /// What is not wrong and most likely not meant.
    pub remarks: Vec<Problem>,
    /// The card queries of the rules.
    pub(super) queries: Vec<Spanned<String>>,
    /// The sections that rules name.
    pub(super) named: SectionSet,
    /// The settings and values that rules ask for.
    pub(super) asked: BTreeSet<String>,
}

impl Game {
    /// Compiles each rule in each of its formats, under the settings of the format file and of the
    /// rule's `when`, over cards if there are any; `read` reads the decks of examples.
    pub fn lint(&self, cards: Option<(&Pool, ExampleReader<'_>)>) -> RuleLint {
        let mut lint = RuleLint::default();
        let empty = self.no_cards();
        let Some(pool) = cards.map(|(pool, _)| pool).or(empty.as_ref()) else {
            return lint;
        };
        let mut tried = BTreeSet::new();
        for (at, format) in self.file.formats.iter().enumerate() {
            let id = &format.id;
            let mut asked = BTreeSet::new();
            for entry in self.file.rules.iter().filter(|entry| entry.is_of(&id.value)) {
                let Ok(settings) = self.settings_of(at, &entry.when) else {
                    continue;
                };
                let mut compile = Compile::new(self.sections(), &settings, pool);
                let rule = entry.compile(&mut compile);
                asked.append(&mut compile.asked);
                lint.named = lint.named.and(compile.named);
                if tried.insert(entry.id.span) {
                    lint.queries.append(&mut compile.queries);
                    if let Some(cards) = cards {
                        lint.wrong.extend(self.wrong(entry, &rule, compile, cards));
                    }
                }
            }
            for value in format.values.keys().filter(|value| !asked.contains(*value)) {
                let message = format!("no rule of `{}` asks for its value `{value}`", id.value);
                lint.remarks.push(Problem::new(message, id.span));
            }
            lint.asked.append(&mut asked);
        }
        self.remark(cards.map(|(pool, _)| pool), &mut lint);
        lint
    }

    /// The mistakes in the rules that the cards of a pool show.
    pub fn try_rules(self: &Arc<Game>, pool: &Pool, read: ExampleReader<'_>) -> Vec<Problem> {
        self.lint(Some((pool, read))).wrong
    }

    /// The mistakes of a rule that the cards show.
    fn wrong(
        &self,
        entry: &RuleEntry,
        rule: &Rule,
        compile: Compile<'_>,
        (pool, read): (&Pool, ExampleReader<'_>),
    ) -> Vec<Problem> {
        let mut wrong = compile.problems;
        let mut needed = compile.needed.iter();
        wrong.extend(needed.find(|field| pool.column(field).is_none()).map(|field| {
            let message =
                format!("the card file lacks the column `{field}`, which this rule needs");
            Problem::new(message, entry.id.span)
        }));
        if !wrong.is_empty() {
            return wrong;
        }
        wrong.extend(rule.slip(pool).map(|why| Problem::new(why, entry.id.span)));
        for (example, passes) in [(&entry.passes, true), (&entry.fails, false)] {
            if let Some(example) = example
                && let Err(why) = self.example(rule, &example.value, passes, (pool, read))
            {
                wrong.push(Problem::new(why, example.span));
            }
        }
        wrong
    }

    /// Judges an example by one rule alone.
    fn example(
        &self,
        rule: &Rule,
        text: &str,
        passes: bool,
        (pool, read): (&Pool, ExampleReader<'_>),
    ) -> Result<(), String> {
        let names = SectionNames { pool: Some(pool), ..self.section_names() };
        let lines =
            read(text, names).map_err(|wrong| format!("this example is not a deck: {wrong}"))?;
        let mut holdings = Vec::new();
        for line in lines {
            let section = self.ids.iter().position(|known| *known == line.section);
            let card = pool
                .look_up(&line.name, NameField::Name)
                .card()
                .ok_or_else(|| format!("no card of the pool is called `{}`", line.name))?;
            holdings.push(Holding {
                card,
                section: u16::try_from(section.unwrap_or(0)).unwrap_or(u16::MAX),
                copies: i64::from(line.copies),
            });
        }
        let found = rule.judge(&Contents::new(pool, holdings, Vec::new()));
        let mut verified = found.iter();
        let is_broken = verified.any(|violation| violation.failing != Failing::Unverified);
        match found.first() {
            Some(first) if passes => {
                Err(format!("this example is to pass, and it does not: {}", first.message))
            }
            _ if !passes && !is_broken => Err("this example is to fail, and it passes".to_owned()),
            _ => Ok(()),
        }
    }
}
