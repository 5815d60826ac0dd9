//! Whether a deck is legal.

use crate::deck::Source;
use crate::library::Library;
use crate::question::{Ask, Check};
use decklaw_judge::judge::Report;
use decklaw_judge::report::json::inputs_digest;
use decklaw_text::Problem;
use serde::{Serialize, Serializer};

/// Everything found in a deck: `decklaw/verdict/1`.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckAnswer(pub Report);

impl Serialize for CheckAnswer {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "schema", rename = "decklaw/verdict/1")]
        struct Verdict<'r> {
            #[serde(flatten)]
            report: &'r Report,
            rules: Option<&'r str>,
        }
        let rulebook = self.0.rulebook.as_deref();
        let verdict = Verdict { report: &self.0, rules: rulebook.map(inputs_digest) };
        verdict.serialize(to)
    }
}

impl Ask for Check {
    type Answer = CheckAnswer;

    fn ask(self, library: &Library) -> Result<CheckAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let report = entry.judge.report("-", &source.read(&entry)?, source.format);
        Ok(CheckAnswer(report))
    }
}
