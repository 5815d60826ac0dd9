//! The exchange of cards that makes a hand likeliest.

use crate::answer::Change;
use crate::deck::Source;
use crate::fix::{Certified, musts, notes_on_owned, wishes_of};
use crate::library::{DRAWS, JudgeEntry, Library, OWNED, TASTES};
use crate::notes::Notes;
use crate::odds::{drawn, policy};
use crate::problem;
use crate::question::{Ask, Tune, counting, steps};
use decklaw_engine::odds::render::percent;
use decklaw_engine::odds::{
    self, Fraction, HandQuery, OddsError, OddsQuestion, Part, PolicyJson, Population,
};
use decklaw_engine::solve::tune::{self, TuneError, TuneResult, Tuning};
use decklaw_engine::solve::{SolvedDeck, Wish, Wishes};
use decklaw_judge::render::{
    DeckLabel, DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns,
};
use decklaw_judge::resolve::{Decklist, Resolved};
use decklaw_rules::Verdict;
use decklaw_text::Problem;
use decklaw_text::name::fold;
use decklaw_text::spreadsheet::Cell;
use decklaw_text::text::{counted, escape_control};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::Arc;

/// The exchanges that make a hand likeliest: `decklaw/tune/1`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "schema", rename = "decklaw/tune/1")]
#[non_exhaustive]
pub struct TuneAnswer {
    /// What the deck is called.
    pub deck: String,
    /// The hand queries.
    pub query: String,
    /// Cards drawn from.
    pub population: i64,
    /// Cards of the opening hand.
    pub hand: u32,
    /// Cards drawn after it.
    pub draws: u32,
    /// How a hand is kept.
    pub policy: PolicyJson,
    /// The smallest repair, which was tuned where the deck is not legal.
    pub repaired: Option<RepairSummary>,
    /// How likely the hand was.
    pub before: Likelihood,
    /// The best legal deck for each number of exchanges.
    pub steps: Vec<Step>,
    /// Rules without which more would be possible, the one that costs most first.
    pub without: Vec<WithoutRule>,
    /// What is to be known of the deck and of the answer.
    pub notes: Notes,
    /// What tables say of the deck.
    #[serde(skip)]
    pub label: DeckLabel,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
}

/// How likely a hand is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Likelihood {
    /// The nearest double; `None`: there is no such deck.
    pub probability: Option<f64>,
    /// The exact value, `a/b`.
    pub fraction: Option<String>,
    /// The same for each of several queries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<QueryOdds>,
    /// In percent, for people.
    #[serde(skip)]
    percent: String,
}

/// How likely a query holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct QueryOdds {
    /// The query.
    pub query: String,
    /// The nearest double.
    pub probability: f64,
    /// The exact value, `a/b`.
    pub fraction: String,
}

/// The repair of a deck that is not legal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RepairSummary {
    /// Copies that change.
    pub distance: i64,
    /// Whether it is proven that no smaller change will do.
    pub optimal: bool,
    /// What changes.
    pub changes: Vec<Move>,
}

/// A copy count that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Move {
    /// The section's id.
    pub section: String,
    /// The card.
    pub card: String,
    /// Copies before.
    pub from: i64,
    /// Copies after.
    pub to: i64,
}

/// The best deck within a number of exchanges.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// The most copies that go out, and the most that come in.
    pub exchanges: u32,
    /// How likely the hand is then.
    #[serde(flatten)]
    pub odds: Likelihood,
    /// Whether it is proven that none is likelier.
    pub optimal: bool,
    /// Odds that no deck exceeds, where that is not proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// What changes in the deck that was tuned.
    pub changes: Vec<Move>,
    /// The deck then.
    pub after: Option<DeckSummary>,
    /// The deck as text.
    #[serde(skip)]
    pub text: Option<String>,
}

/// Odds that no deck exceeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bound {
    /// The nearest double.
    pub probability: f64,
    /// The exact value, `a/b`.
    pub fraction: String,
    /// In percent, for people; `None`: it says nothing that needs no proof.
    #[serde(skip)]
    percent: Option<String>,
}

/// A deck in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DeckSummary {
    /// The verdict.
    pub verdict: Verdict,
    /// The hash of its content.
    pub hash: String,
}

/// What would be possible without a rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WithoutRule {
    /// The rule.
    pub rule: String,
    /// How likely the hand would be.
    #[serde(flatten)]
    pub odds: Likelihood,
}

/// A bound above this is not shown: in percent it looks as if there were none.
const HIGHEST_BOUND: f64 = 0.99995;

impl Likelihood {
    fn of(odds: &tune::Odds, queries: &[HandQuery]) -> Likelihood {
        let is_several = queries.len() > 1;
        let each = odds.each.iter().zip(queries).filter(|_| is_several);
        let percents: Vec<String> = each.clone().map(|(odds, _)| percent(odds)).collect();
        let each = each.map(|(odds, query)| QueryOdds {
            query: query.text().to_owned(),
            probability: odds.nearest(),
            fraction: odds.to_string(),
        });
        let percent = percent(&odds.probability);
        Likelihood {
            probability: Some(odds.probability.nearest()),
            fraction: Some(odds.probability.to_string()),
            each: each.collect(),
            percent: if is_several {
                format!("{percent} ({})", percents.join(", "))
            } else {
                percent
            },
        }
    }

    fn none() -> Likelihood {
        Likelihood { probability: None, fraction: None, each: Vec::new(), percent: String::new() }
    }
}

fn moves(before: &Decklist, after: &Decklist) -> Vec<Move> {
    let changes = before.changes_to(after).into_iter();
    let changes = changes.map(|change| Change::of(before, &change, Vec::new()));
    let moves = changes.map(|change| Move {
        section: change.section,
        card: change.card,
        from: change.from,
        to: change.to,
    });
    moves.collect()
}

impl RepairSummary {
    fn of(before: &Decklist, found: &SolvedDeck) -> RepairSummary {
        RepairSummary {
            distance: found.distance,
            optimal: found.optimal(),
            changes: moves(before, &found.deck),
        }
    }
}

impl Step {
    /// `2 exchanges`, or `2 cards in` where none goes out.
    fn title(&self) -> String {
        let copies = |is_in: bool| -> i64 {
            let moved = self.changes.iter().map(|change| change.to - change.from);
            moved.filter(|by| (*by > 0) == is_in).sum()
        };
        match (copies(true), copies(false)) {
            (came, 0) if came > 0 => format!("{} in", counted(came, "card")),
            (0, gone) if gone < 0 => format!("{} out", counted(-gone, "card")),
            _ => counted(i64::from(self.exchanges), "exchange"),
        }
    }

    fn of(step: &tune::Step, start: &Decklist, queries: &[HandQuery]) -> Step {
        let bound = |bound: &Fraction| Bound {
            probability: bound.nearest(),
            fraction: bound.to_string(),
            percent: (bound.nearest() < HIGHEST_BOUND).then(|| percent(bound)),
        };
        let best = step.best.as_ref();
        Step {
            exchanges: step.exchanges,
            odds: best.map_or_else(Likelihood::none, |(_, odds)| Likelihood::of(odds, queries)),
            optimal: step.optimal,
            bound: (!step.optimal).then(|| bound(&step.bound)),
            changes: best.map_or_else(Vec::new, |(deck, _)| moves(start, deck)),
            after: best.map(|(deck, _)| DeckSummary { verdict: deck.verdict(), hash: deck.hash() }),
            text: best.map(|(deck, _)| decklaw_decks::deck::to_text(&deck.listing())),
        }
    }
}

impl Tune {
    fn wishes(&self, entry: &JudgeEntry, before: &Decklist) -> Result<Wishes, Problem> {
        let (own, only, rulebook) = (self.own.as_ref(), self.only.as_ref(), before.rulebook());
        let mut must = musts(own, &self.keep, only, before.pool())?;
        must.extend(wishes_of("wish", &self.wish, |text| Wish::parse(text, rulebook))?);
        // Of a deck that is not legal the repair is the one of `fix`.
        let taste = entry.taste(rulebook.format().game().id())?;
        Ok(Wishes {
            must,
            effort: steps(self.effort)?,
            taste: taste.or_else(|| Some(Arc::default())),
            ..Wishes::default()
        })
    }

    fn tuning(
        &self,
        entry: &JudgeEntry,
        resolved: &Resolved<'_>,
        notes: &mut Notes,
    ) -> Result<Tuning, Problem> {
        let defaults = entry.draws(resolved.rulebook().format().game().id())?;
        let drawn = drawn(resolved, self.section.as_deref(), &defaults);
        notes.extend(drawn.note);
        let wrong = |error| Problem::from(&error);
        let population = Population::of_section(resolved, &drawn.section).map_err(wrong)?;
        let asked = OddsQuestion {
            hand: self.hand,
            keep: self.keep_hand.clone(),
            work: Some(counting(self.effort)?),
            memory: self.memory,
            ..policy(self.policy.as_deref())?
        };
        let query = |text: &String| {
            let query = HandQuery::parse(text);
            let query = query.and_then(|query| odds::check(&query, &population).map(|()| query));
            query.map_err(|error| wrong(OddsError::query(Part::Query, text, error)))
        };
        let section = resolved.list().section(&fold(&drawn.section));
        Ok(Tuning {
            section: section.unwrap_or(0),
            queries: self.queries.iter().map(query).collect::<Result<_, _>>()?,
            request: odds::request(&population, &defaults, &asked, self.turn).map_err(wrong)?,
            changes: self.changes.unwrap_or(5),
            wishes: self.wishes(entry, resolved.list())?,
        })
    }

    pub(crate) fn certified(
        self,
        library: &Library,
        prove: bool,
    ) -> Result<Certified<TuneAnswer>, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let resolved = source.resolved(&entry)?;
        let before = resolved.list();
        let mut notes = Notes::of(&resolved);
        let tuning = self.tuning(&entry, &resolved, &mut notes)?;
        notes.extend(notes_on_owned(self.own.as_ref(), before.pool()));
        notes.unmatched(tuning.unmatched_wishes(before));
        let tuned = tune::tune(before, &tuning).map_err(|error| {
            let reasons = match &error {
                TuneError::Impossible(conflict) => conflict.sentences(before, &tuning.wishes),
                _ => Vec::new(),
            };
            problem::of_tune(&error, &reasons)
        })?;
        let proof = prove.then(|| tune::certify(before, &tuning, &tuned));
        let rules = entry.rules_of(resolved.rulebook(), &[DRAWS, TASTES, OWNED])?;
        Ok((TuneAnswer::of(&resolved, &tuning, &tuned, notes, rules), proof))
    }
}

impl Ask for Tune {
    type Answer = TuneAnswer;

    fn ask(self, library: &Library) -> Result<TuneAnswer, Problem> {
        Ok(self.certified(library, false)?.0)
    }
}

impl TuneAnswer {
    fn of(
        resolved: &Resolved<'_>,
        tuning: &Tuning,
        tuned: &TuneResult,
        notes: Notes,
        rules: Value,
    ) -> TuneAnswer {
        let (before, label) = (resolved.list(), DeckLabel::of(resolved));
        let (request, queries) = (&tuning.request, &tuning.queries);
        let texts: Vec<&str> = queries.iter().map(|query| query.text()).collect();
        let query = texts.join("; ");
        let steps = tuned.steps.iter();
        let without = tuned.stops.iter().map(|stop| WithoutRule {
            rule: stop.rule.clone(),
            odds: Likelihood::of(&stop.odds, queries),
        });
        TuneAnswer {
            deck: "-".to_owned(),
            population: tuned.start.count(tuning.section),
            hand: request.hand,
            draws: request.draws,
            policy: request.policy.to_json(&query),
            query,
            repaired: tuned.repaired.as_ref().map(|found| RepairSummary::of(before, found)),
            before: Likelihood::of(&tuned.before, queries),
            steps: steps.map(|step| Step::of(step, &tuned.start, queries)).collect(),
            without: without.collect(),
            notes,
            label,
            rules,
        }
    }
}

impl Written for TuneAnswer {
    const KINDS: &'static [Kind] = FIGURES;
}

/// The columns of the table behind those of the deck.
const COLUMNS: [&str; 8] =
    ["exchanges", "probability", "fraction", "optimal", "section", "card", "from", "to"];

impl Render for TuneAnswer {
    fn human(&self, _: &TextStyle) -> String {
        let mut out = format!(
            "{}: {}, {} of {}{}\n",
            escape_control(&self.deck, false),
            escape_control(&self.query, false),
            counted(i64::from(self.hand), "card"),
            self.population,
            match self.draws {
                0 => String::new(),
                draws => format!(" and {draws} drawn"),
            }
        );
        if let Some(found) = &self.repaired {
            let _ = writeln!(
                out,
                "The deck is not legal. Its nearest legal deck is tuned, {} away (see `decklaw fix`).",
                counted(found.distance, "copy")
            );
        }
        let _ = writeln!(out, "\n{:<14}{}", "as it is", self.before.percent);
        let mut last = (&self.before, &[][..]);
        for step in &self.steps {
            let what = step.title();
            let proof = match &step.bound {
                None => String::new(),
                Some(bound) => match &bound.percent {
                    None => "  (not proven best)".to_owned(),
                    Some(most) => format!("  (not proven best: no deck has more than {most})"),
                },
            };
            let (Some(probability), Some(before)) = (step.odds.probability, last.0.probability)
            else {
                let _ = writeln!(out, "{what:<14}no such deck{proof}");
                continue;
            };
            if step.changes == last.1 {
                let _ = writeln!(out, "{what:<14}nothing better{proof}");
                continue;
            }
            let gain = 100.0 * (probability - before);
            let _ = writeln!(out, "{what:<14}{}  {gain:+.2}{proof}", step.odds.percent);
            for change in &step.changes {
                let (sign, copies) = if change.to > change.from {
                    ('+', change.to - change.from)
                } else {
                    ('-', change.from - change.to)
                };
                let (card, section) = (escape_control(&change.card, false), &change.section);
                let _ = writeln!(out, "    {sign} {copies} {card}  [{section}]");
            }
            last = (&step.odds, &step.changes);
        }
        for stop in self.without.iter().take(3) {
            let (rule, odds) = (escape_control(&stop.rule, false), &stop.odds.percent);
            let _ = writeln!(out, "\nwithout the rule `{rule}`: {odds}");
        }
        out
    }

    fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        self.notes.about(&self.deck)
    }

    /// A row for each change of each step.
    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let row = |exchanges: u32, odds: &Likelihood, optimal: bool, change: Option<&Move>| {
            let probability = odds.probability.map(|probability| probability.to_string());
            let mut row = vec![
                Cell::Number(exchanges.into()),
                Cell::number(&probability.unwrap_or_default()),
                Cell::text(odds.fraction.clone().unwrap_or_default()),
                Cell::text(optimal.to_string()),
            ];
            let text = |text: Option<&String>| Cell::text(text.cloned().unwrap_or_default());
            row.push(text(change.map(|change| &change.section)));
            row.push(text(change.map(|change| &change.card)));
            row.push(Cell::maybe(change.map(|change| change.from)));
            row.push(Cell::maybe(change.map(|change| change.to)));
            self.label.row(&self.deck, row)
        };
        let mut rows = vec![row(0, &self.before, true, None)];
        for step in &self.steps {
            let (exchanges, optimal) = (step.exchanges, step.optimal);
            if step.changes.is_empty() {
                rows.push(row(exchanges, &step.odds, optimal, None));
            }
            let changes = step.changes.iter();
            rows.extend(changes.map(|change| row(exchanges, &step.odds, optimal, Some(change))));
        }
        (deck_columns(&COLUMNS), rows)
    }

    fn is_ok(&self) -> bool {
        self.steps.iter().any(|step| step.odds.probability.is_some())
    }
}
