//! A format file's rules tried over a pool of cards: each example does as it says, and each
//! rule can be kept and broken.

use super::{Format, Game, RuleEntry};
use crate::deck::{Choices, Input, SectionNames, read};
use crate::game::SettingValue;
use crate::pool::Pool;
use crate::query::Query;
use crate::rules::{Compile, Constraint, Contents, Failing, Holding, Violation};
use crate::yaml::{Problem, Spanned};
use std::collections::{BTreeMap, BTreeSet};
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
            let is_choice = |name: &String| self.choices().iter().any(|own| own.name == *name);
            let (chosen, given): (Choices, BTreeMap<_, _>) = rule
                .when
                .clone()
                .into_iter()
                .partition(|(name, _)| is_choice(name));
            let Ok(settings) = format.settings(&given) else {
                continue;
            };
            let stands = Stands {
                rule,
                settings: &settings,
                pool,
            };
            let each = self.each_choice().into_iter();
            let each = each.map(|declared| declared.into_iter().chain(chosen.clone()).collect());
            let mut seen = BTreeSet::new();
            let mut idle = None;
            let mut active = true;
            for declared in each {
                match stands.constraint(self, &declared) {
                    Ok(constraint) => match constraint.idle(pool) {
                        Some(why) => idle = idle.or(Some(why)),
                        None => active = false,
                    },
                    Err(wrong) => {
                        active = false;
                        let new = wrong.into_iter();
                        let new = new.filter(|one| seen.insert((one.span, one.message.clone())));
                        problems.extend(new);
                    }
                }
            }
            if !seen.is_empty() {
                continue;
            }
            if let Some(why) = idle.filter(|_| active) {
                problems.push(Problem::new(why, rule.id.span));
            }
            let mut try_example = |text: &Option<Spanned<String>>, passes: bool| {
                let Some(text) = text else { return };
                if let Err(wrong) = self.example(&stands, &chosen, &text.value, passes) {
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
            let is_choice = |name: &String| self.choices().iter().any(|own| own.name == *name);
            let (chosen, given): (Choices, BTreeMap<_, _>) = rule
                .when
                .clone()
                .into_iter()
                .partition(|(name, _)| is_choice(name));
            let Ok(settings) = format.settings(&given) else {
                continue;
            };
            let mut settings = settings.clone();
            self.choose(&chosen, &mut settings);
            let mut compile = self.compiling(Compile::new(self.sections(), &settings, pool));
            let constraint = rule.compile(&mut compile);
            vain(&compile.queries, pool, &mut remarks);
            self.chosen_in_vain(&compile.queries, pool, &mut remarks);
            let doubt = constraint.doubt(pool);
            remarks.extend(doubt.map(|doubt| Problem::new(doubt, rule.id.span)));
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

    /// The values that choices may have, of which queries ask for cards and no card has them.
    fn chosen_in_vain(&self, queries: &[Spanned<String>], pool: &Pool, remarks: &mut Vec<Problem>) {
        for query in queries {
            let Ok(query) = Query::parse(&query.value) else {
                continue;
            };
            for entry in &self.file.choices {
                let (name, values) = (&entry.name.value, entry.values.iter());
                if query.choices().iter().all(|(asked, _)| asked != name) {
                    continue;
                }
                for value in values.map(ToString::to_string) {
                    let chosen = |asked: &str| (asked == name).then(|| value.clone());
                    let of_value = query.choosing(&chosen).remarks(pool).into_iter();
                    // What the query asks for whatever is chosen is told of the rule.
                    let own = query.remarks(pool);
                    let mut of_value = of_value.filter(|remark| {
                        let new = own.iter().all(|own| own.message != remark.message);
                        new && !remark.message.contains("`$")
                    });
                    if let Some(remark) = of_value.next() {
                        let message = format!("`{name}` may be `{value}`, and {}", remark.message);
                        let told = Problem::new(message, entry.name.span);
                        remarks.extend((!remarks.contains(&told)).then_some(told));
                    }
                }
            }
        }
    }

    /// What queries in the cells of a card file ask for in vain, sentences.
    pub fn asked_by_cards(&self, pool: &Pool) -> Vec<String> {
        super::cells::vain(pool, self.choices())
    }

    /// Judges an example by one rule alone, with what it declares, and else with what the rule
    /// wants to be declared.
    fn example(
        &self,
        stands: &Stands<'_>,
        wanted: &Choices,
        text: &str,
        passes: bool,
    ) -> Result<(), String> {
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
        let declared = wanted.clone().into_iter().chain(deck.chosen()).collect();
        let constraint = stands.constraint(self, &declared);
        let constraint = constraint.map_err(|wrong| {
            let told: Vec<String> = wrong.into_iter().map(|one| one.message).collect();
            told.join("; ")
        })?;
        let contents = Contents::new(pool, holdings, Vec::new());
        let mut found = Vec::new();
        constraint.judge(&contents, &mut found);
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
        // What a deck declares is no word of the query's own.
        let own = query.remarks(pool).into_iter();
        for remark in own.filter(|remark| !remark.message.contains("`$")) {
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
    /// The rule for decks that declare these choices, or what is wrong with it.
    fn constraint(
        &self,
        game: &Game,
        declared: &Choices,
    ) -> Result<Box<dyn Constraint>, Vec<Problem>> {
        let mut settings = self.settings.clone();
        game.choose(declared, &mut settings);
        let compile = Compile::new(game.sections(), &settings, self.pool);
        let mut compile = game.compiling(compile);
        let constraint = self.rule.compile(&mut compile);
        let mut needed = compile.needed.iter();
        let lacking = needed.find(|field| self.pool.column(field).is_none());
        let lacking = lacking.map(|field| {
            let message =
                format!("the card file lacks the column `{field}`, which this rule needs");
            Problem::new(message, self.rule.id.span)
        });
        let wrong: Vec<Problem> = compile.problems.into_iter().chain(lacking).collect();
        match wrong.is_empty() {
            true => Ok(constraint),
            false => Err(wrong),
        }
    }
}
