//! `decklaw tune`: the best change for a hand's odds.

use super::inputs::{self, InputKind};
use super::odds::{self, Policy, whole};
use super::options::{Judging, Output, kinds};
use super::proofs::Proving;
use super::wishes::{self, Asked};
use super::{Answer, Outcome, Refusal, Run, output};
use crate::judge::Judge;
use crate::odds::{Drawn, HandQuery, OddsError, Population};
use crate::resolve::{Decklist, Resolved};
use crate::solve::tune::{self, TuneError, Tuning, render::TuneReport};
use crate::solve::{Wish, Wishes};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<TuneReport<'_>>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw tune deck.txt '1+ [type:monster]'\n  decklaw tune deck.txt '2+ [colour:red]' --turn 4 --keep '\"Rain Caller\"' --own collection.csv"
)]
pub(super) struct Tune {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What the hand should hold
    #[arg(value_name = "HAND", required = true)]
    queries: Vec<String>,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Exchange at most N cards, 1 to 60
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole)]
    changes: u32,
    /// Keep these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    keep: Vec<String>,
    /// Add only these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    only: Option<String>,
    /// What the deck must hold, as HAND or 'SECTION: HAND'
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    wish: Vec<String>,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    proving: Proving,
    /// Improve the odds by this turn [default: the opening hand]
    #[arg(long, value_name = "N", value_parser = whole)]
    turn: Option<u32>,
    /// Keep opening hands that match [default: those that match the query]
    #[arg(long, value_name = "HAND|best", allow_hyphen_values = true)]
    keep_hand: Option<String>,
    /// Cards in the opening hand [default: the game's]
    #[arg(long, value_name = "N", value_parser = whole)]
    hand: Option<u32>,
    /// Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
    #[arg(long, value_name = "POLICY", value_parser = Policy::parse)]
    policy: Option<Policy>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Tune {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = output::Outputs::open(run, &self.output)?;
        let judge = inputs::judge(run, &self.judging)?;
        let bytes = inputs::deck_bytes(&judge, run, &self.deck)?;
        let resolved = match inputs::deck(&judge, run, &self.deck, self.from, &bytes)? {
            Ok(resolved) => resolved,
            Err(message) => {
                run.complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        let game = resolved.rulebook().format().game().id();
        let defaults = odds::defaults(&judge, game)?;
        let mut tuning = self.tuning(run, &judge, &resolved, &defaults)?;
        // Of a deck that is not legal the repair is the one that `fix` would name.
        let taste = wishes::taste(&judge, game)?;
        tuning.wishes.taste = taste.or_else(|| Some(Arc::default()));
        let name = self.deck.display().to_string();
        let before = resolved.list();
        for told in tuning.in_vain(before) {
            run.complain("notice", &told);
        }
        run.threads();
        let tuned = match tune::tune(before, &tuning) {
            Ok(tuned) => tuned,
            Err(error) => return refused(run, &name, before, &tuning.wishes, error),
        };
        let report = TuneReport {
            deck: &name,
            before,
            tuning: &tuning,
            tuned: &tuned,
        };
        let certify = || tune::certify(before, &tuning, &tuned);
        let proven = self
            .proving
            .write(run, self.output.place.replace, certify)?;
        Ok(outputs
            .emit(run, &report, &judge.given_so_far())?
            .max(proven))
    }

    fn tuning(
        &self,
        run: &Run,
        judge: &Judge,
        resolved: &Resolved<'_>,
        defaults: &crate::odds::OddsDefaults,
    ) -> Result<Tuning, Refusal> {
        let own = defaults.section.as_ref();
        let own = own.map(|section| section.value.as_str());
        let drawn = Drawn::of(resolved, None, own);
        if let Some(remark) = &drawn.remark {
            run.complain("notice", remark);
        }
        let section = drawn.section;
        let population = Population::of_section(resolved, &section).map_err(odds::refuse)?;
        let asked = crate::odds::Asked {
            hand: self.hand,
            keep: self.keep_hand.clone(),
            ..self.policy.clone().unwrap_or_default().asked()
        };
        let request = crate::odds::request(&population, defaults, &asked, self.turn);
        let mut queries = Vec::new();
        for text in &self.queries {
            let query = HandQuery::parse(text);
            let query =
                query.and_then(|query| crate::odds::check(&query, &population).map(|()| query));
            let refuse =
                |error| odds::refuse(OddsError::query(crate::odds::Part::Query, text, error));
            queries.push(query.map_err(refuse)?);
        }
        let at = resolved.list().section(&crate::name::fold(&section));
        Ok(Tuning {
            section: at.unwrap_or(0),
            queries,
            request: request.map_err(odds::refuse)?,
            changes: self.changes,
            wishes: self.wishes(run, judge, resolved.list())?,
        })
    }

    fn wishes(&self, run: &Run, judge: &Judge, before: &Decklist) -> Result<Wishes, Refusal> {
        let pool = before.pool();
        let mut wishes = self.asked.wishes(run, judge, before.rulebook())?;
        for keep in &self.keep {
            let read = |text: &str| Wish::keep(text, pool);
            wishes.must.push(wishes::understood("--keep", keep, read)?);
        }
        if let Some(only) = &self.only {
            let read = |text: &str| Wish::only(text, pool);
            wishes.must.push(wishes::understood("--only", only, read)?);
        }
        for text in &self.wish {
            let read = |text: &str| Wish::parse(text, before.rulebook());
            wishes.must.push(wishes::understood("--wish", text, read)?);
        }
        Ok(wishes)
    }
}

/// Says why a deck cannot be tuned.
fn refused(run: &Run, name: &str, before: &Decklist, wishes: &Wishes, error: TuneError) -> Answer {
    match error {
        TuneError::Odds(error) => Err(odds::refuse(error)),
        TuneError::Call(message) => Err(Refusal(message.to_owned())),
        TuneError::Impossible(ref conflict) => {
            let sentences = conflict.sentences(before, wishes);
            let why = wishes::explained(&sentences, conflict.irreducible);
            let message = format!("{name}: {error}: {}", why.trim_end());
            run.complain("error", &message);
            Ok(Outcome::No)
        }
        TuneError::Unknown => {
            run.complain("error", &format!("{name}: {error} (`--effort` raises it)"));
            Ok(Outcome::No)
        }
    }
}
