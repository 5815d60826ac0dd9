//! Checks a format file's rules with a pool: each example passes or fails as it says, and each rule
//! can be kept and broken.

use super::{Game, RuleEntry};
use crate::rules::{Compile, Contents, Failing, Holding, Rule};
use decklaw_cards::pool::{NameField, Pool};
use decklaw_cards::sections::{ListedCopies, SectionNames};
use decklaw_text::yaml::Problem;
use std::sync::Arc;

/// Reads the deck of an example; the error says what is wrong with it.
pub type ExampleReader<'r> =
    &'r dyn Fn(&str, SectionNames<'_>) -> Result<Vec<ListedCopies>, String>;

impl Game {
    /// The mistakes in the rules that the cards of a pool show: an example that does not pass or
    /// fail as it says, a column that the card file lacks, a rule that no deck can break or keep.
    /// Settings have the values of the format file and of a rule's `when`; `read` reads the decks of
    /// examples.
    pub fn try_rules(self: &Arc<Game>, pool: &Pool, read: ExampleReader<'_>) -> Vec<Problem> {
        let mut problems = Vec::new();
        for entry in &self.file.rules {
            let rule = match self.rule_over(entry, pool) {
                Some(Ok(rule)) => rule,
                Some(Err(wrong)) => {
                    problems.extend(wrong);
                    continue;
                }
                None => continue,
            };
            let slip = rule.slip(pool);
            problems.extend(slip.map(|why| Problem::new(why, entry.id.span)));
            for (example, passes) in [(&entry.passes, true), (&entry.fails, false)] {
                if let Some(example) = example
                    && let Err(wrong) = self.example(&rule, &example.value, passes, (pool, read))
                {
                    problems.push(Problem::new(wrong, example.span));
                }
            }
        }
        problems
    }

    /// A rule under the settings of its `when`, or its mistake; `None` if no format has it.
    fn rule_over(&self, entry: &RuleEntry, pool: &Pool) -> Option<Result<Rule, Vec<Problem>>> {
        let formats = &self.file.formats;
        let format = formats.iter().position(|format| entry.is_of(&format.id.value))?;
        let settings = self.settings_of(format, &entry.when).ok()?;
        let mut compile = Compile::new(self.sections(), &settings, pool);
        let rule = entry.compile(&mut compile);
        let mut needed = compile.needed.iter();
        let lacking = needed.find(|field| pool.column(field).is_none());
        let lacking = lacking.map(|field| {
            let message =
                format!("the card file lacks the column `{field}`, which this rule needs");
            Problem::new(message, entry.id.span)
        });
        let wrong: Vec<Problem> = compile.problems.into_iter().chain(lacking).collect();
        Some(if wrong.is_empty() { Ok(rule) } else { Err(wrong) })
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
