//! A format file's rules tried over a pool of cards: each example does as it says, and each
//! rule can be kept and broken.

use super::{Format, Game, RuleEntry};
use crate::deck::{Input, SectionNames, read};
use crate::game::SettingValue;
use crate::pool::Pool;
use crate::query::Query;
use crate::rules::{Compile, Contents, Failing, Holding, Rule, Violation};
use crate::yaml::{Problem, Spanned};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Game {
    /// What is wrong with the rules, as far as the cards of a pool show: an example that does
    /// not pass or fail as it says, a rule that no deck can break or that none can keep.
    /// Settings stand as the format file has them, and as a rule's `when` wants them.
    pub fn try_rules(self: &Arc<Game>, pool: &Pool) -> Vec<Problem> {
        let mut problems = Vec::new();
        for rule in &self.file.rules {
            let own = |format: &Format| {
                rule.only.is_empty() || rule.only.iter().any(|only| only.value == format.id())
            };
            let Some(format) = self.formats().into_iter().find(own) else {
                continue;
            };
            let Ok(settings) = format.settings(&rule.when) else {
                continue;
            };
            let stands = Stands {
                rule,
                settings: &settings,
                pool,
            };
            match stands.rule(self) {
                Ok(made) => {
                    let slip = made.slip(pool);
                    problems.extend(slip.map(|why| Problem::new(why, rule.id.span)));
                }
                Err(wrong) => {
                    problems.extend(wrong);
                    continue;
                }
            }
            let mut try_example = |text: &Option<Spanned<String>>, passes: bool| {
                let Some(text) = text else { return };
                if let Err(wrong) = self.example(&stands, &text.value, passes) {
                    problems.push(Problem::new(wrong, text.span));
                }
            };
            try_example(&rule.passes, true);
            try_example(&rule.fails, false);
        }
        problems
    }

    /// What the queries of the rules ask for that no card of a pool has: words, names and
    /// values that are most likely misspelt; and what its cards say that may be meant otherwise.
    /// A pool may well lag behind its rules, so that none of it is wrong.
    pub fn asked_in_vain(self: &Arc<Game>, pool: &Pool) -> Vec<Problem> {
        let mut remarks = Vec::new();
        for rule in &self.file.rules {
            let own = |format: &Format| {
                rule.only.is_empty() || rule.only.iter().any(|only| only.value == format.id())
            };
            let Some(format) = self.formats().into_iter().find(own) else {
                continue;
            };
            let Ok(settings) = format.settings(&rule.when) else {
                continue;
            };
            let mut compile = Compile::new(self.sections(), &settings, pool);
            rule.compile(&mut compile);
            vain(&compile.queries, pool, &mut remarks);
        }
        // What a card file must tell of some cards.
        let filled: Vec<_> = self
            .file
            .fields
            .iter()
            .filter_map(|field| field.filled.clone())
            .collect();
        vain(&filled, pool, &mut remarks);
        remarks
    }

    /// What queries in the cells of a card file ask for in vain, sentences.
    pub fn asked_by_cards(&self, pool: &Pool) -> Vec<String> {
        super::cells::vain(pool)
    }

    /// Judges an example by one rule alone.
    fn example(&self, stands: &Stands<'_>, text: &str, passes: bool) -> Result<(), String> {
        let pool = stands.pool;
        let names = |_: Option<&str>| {
            Some(SectionNames {
                pool: Some(pool),
                ..self.section_names()
            })
        };
        let deck = read(text.as_bytes(), Input::Text, &mut { names }).map_err(|errors| {
            let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
            format!("this example is no deck: {}", told.join("; "))
        })?;
        let mut holdings = Vec::new();
        for line in &deck.lines {
            let id = &deck.sections[usize::from(line.section)].id;
            let section = self.ids.iter().position(|known| known == id);
            let card = pool
                .find(&line.name)
                .ok_or_else(|| format!("no card of the pool is called `{}`", line.name))?;
            holdings.push(Holding {
                card,
                section: u16::try_from(section.unwrap_or(0)).unwrap_or(u16::MAX),
                copies: i64::from(line.count),
            });
        }
        let rule = stands.rule(self).map_err(|wrong| {
            let told: Vec<String> = wrong.into_iter().map(|one| one.message).collect();
            told.join("; ")
        })?;
        let contents = Contents::new(pool, holdings, Vec::new());
        let found = rule.judge(&contents);
        let broken = |violation: &Violation| violation.failing != Failing::Unverified;
        match (passes, found.first(), found.iter().any(broken)) {
            (true, Some(first), _) => Err(format!(
                "this example is to pass, and it does not: {}",
                first.message
            )),
            (false, _, false) => Err("this example is to fail, and it passes".to_owned()),
            _ => Ok(()),
        }
    }
}

/// Adds what queries ask for in vain, each once.
fn vain(queries: &[Spanned<String>], pool: &Pool, remarks: &mut Vec<Problem>) {
    for asked in queries {
        let Ok(query) = Query::parse(&asked.value) else {
            continue;
        };
        for remark in query.remarks(pool) {
            let message = format!("in the query `{}`: {}", asked.value.trim(), remark.message);
            let told = Problem::within(message, asked, remark.span);
            if !remarks.contains(&told) {
                remarks.push(told);
            }
        }
    }
}

/// A rule with the settings that it wants, and the cards that it is tried over.
struct Stands<'r> {
    rule: &'r RuleEntry,
    settings: &'r BTreeMap<String, Option<SettingValue>>,
    pool: &'r Pool,
}

impl Stands<'_> {
    /// The rule, or what is wrong with it.
    fn rule(&self, game: &Game) -> Result<Rule, Vec<Problem>> {
        let mut compile = Compile::new(game.sections(), self.settings, self.pool);
        let rule = self.rule.compile(&mut compile);
        let mut needed = compile.needed.iter();
        let lacking = needed.find(|field| self.pool.column(field).is_none());
        let lacking = lacking.map(|field| {
            let message =
                format!("the card file lacks the column `{field}`, which this rule needs");
            Problem::new(message, self.rule.id.span)
        });
        let wrong: Vec<Problem> = compile.problems.into_iter().chain(lacking).collect();
        match wrong.is_empty() {
            true => Ok(rule),
            false => Err(wrong),
        }
    }
}
