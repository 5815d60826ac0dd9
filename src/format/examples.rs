//! A format file's rules tried over a pool of cards: each example does as it says, and each
//! rule can be kept and broken.

use super::{Format, Game, RuleEntry};
use crate::deck::{Input, SectionNames, read};
use crate::pool::Pool;
use crate::rules::{Compile, Constraint, Contents, Failing, Holding, Violation};
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
            let Some(constraint) = constraint(&format, rule, pool, &mut problems) else {
                continue;
            };
            if let Some(why) = constraint.idle(pool) {
                problems.push(Problem::new(why, rule.id.span));
            }
            let mut try_example = |text: &Option<Spanned<String>>, passes: bool| {
                let Some(text) = text else { return };
                if let Err(wrong) = self.example(&*constraint, pool, &text.value, passes) {
                    problems.push(Problem::new(wrong, text.span));
                }
            };
            try_example(&rule.passes, true);
            try_example(&rule.fails, false);
        }
        problems
    }

    /// Judges an example by one rule alone.
    fn example(
        &self,
        constraint: &dyn Constraint,
        pool: &Pool,
        text: &str,
        passes: bool,
    ) -> Result<(), String> {
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

/// One rule, as its own settings want it.
fn constraint(
    format: &Format,
    rule: &RuleEntry,
    pool: &Pool,
    problems: &mut Vec<Problem>,
) -> Option<Box<dyn Constraint>> {
    let given: BTreeMap<String, String> = rule.when.clone();
    let settings = format.settings(&given).ok()?;
    let mut compile = Compile::new(format.game().sections(), &settings, pool);
    let constraint = rule.compile(&mut compile);
    let lacking = compile
        .needed
        .iter()
        .find(|field| pool.column(field).is_none());
    let lacking = lacking.map(|field| {
        let message = format!("the card file lacks the column `{field}`, which this rule needs");
        Problem::new(message, rule.id.span)
    });
    let wrong: Vec<Problem> = compile.problems.into_iter().chain(lacking).collect();
    let fine = wrong.is_empty();
    problems.extend(wrong);
    fine.then_some(constraint)
}
