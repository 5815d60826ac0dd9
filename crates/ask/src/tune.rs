//! The exchange of cards that makes a hand likeliest.

use crate::deck::Source;
use crate::fix::{musts, notes_on_owned, wishes_of};
use crate::library::{DRAWS, JudgeEntry, Library, OWNED, TASTES};
use crate::notes::Notes;
use crate::odds::{drawn, policy};
use crate::parts::Change;
use crate::proof::{Certified, Prove};
use crate::question::{Ask, Tune, counting, steps};
use decklaw_engine::odds::render::percent;
use decklaw_engine::odds::{self, Fraction, HandQuery, OddsQuestion, PolicyJson, Population};
use decklaw_engine::solve::tune::{self, TuneResult, Tuning};
use decklaw_engine::solve::{Wish, Wishes};
use decklaw_judge::render::{
    DeckLabel, DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns,
};
use decklaw_judge::resolve::{Decklist, Resolved};
use decklaw_rules::Verdict;
use decklaw_text::Problem;
use decklaw_text::name::fold;
use decklaw_text::spreadsheet::Cell;
use decklaw_text::text::{counted, escape_control};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::sync::Arc;

/// The exchanges that make a hand likeliest: `decklaw/tune/1`.
#[derive(Debug, Clone, Serialize)]
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
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Likelihood {
    /// The probability; `None`: there is no such deck.
    pub probability: Option<Fraction>,
    /// That of each of several queries.
    pub each: Vec<QueryOdds>,
}

/// How likely a query holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct QueryOdds {
    /// The query.
    pub query: String,
    /// The probability.
    #[serde(flatten)]
    pub probability: Fraction,
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
    pub changes: Vec<Change>,
}

/// The best deck within a number of exchanges.
#[derive(Debug, Clone, Serialize)]
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
    pub bound: Option<Fraction>,
    /// What changes in the deck that was tuned.
    pub changes: Vec<Change>,
    /// The deck then; in JSON its verdict and its hash.
    #[serde(rename = "after", serialize_with = "in_short")]
    pub deck: Option<Decklist>,
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

impl Likelihood {
    fn of(odds: &tune::Odds, queries: &[HandQuery]) -> Likelihood {
        let each = odds.each.iter().zip(queries).filter(|_| queries.len() > 1);
        let each = each.map(|(odds, query)| QueryOdds {
            query: query.text().to_owned(),
            probability: odds.clone(),
        });
        Likelihood { probability: Some(odds.probability.clone()), each: each.collect() }
    }
}

impl Serialize for Likelihood {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("probability", &self.probability.as_ref().map(Fraction::nearest))?;
        map.serialize_entry("fraction", &self.probability.as_ref().map(Fraction::to_string))?;
        if !self.each.is_empty() {
            map.serialize_entry("each", &self.each)?;
        }
        map.end()
    }
}

impl std::fmt::Display for Likelihood {
    /// `41.20 %`, and in brackets that of each query.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percents: Vec<String> = self.each.iter().map(|one| percent(&one.probability)).collect();
        out.write_str(&self.probability.as_ref().map_or_else(String::new, percent))?;
        match percents.as_slice() {
            [] => Ok(()),
            percents => write!(out, " ({})", percents.join(", ")),
        }
    }
}

/// A deck as its verdict and its hash.
fn in_short<S: Serializer>(deck: &Option<Decklist>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Summary {
        verdict: Verdict,
        hash: String,
    }
    deck.as_ref().map(|deck| Summary { verdict: deck.verdict(), hash: deck.hash() }).serialize(to)
}

impl Step {
    /// The deck as text.
    pub fn text(&self) -> Option<String> {
        self.deck.as_ref().map(|deck| decklaw_decks::deck::to_text(&deck.listing()))
    }

    /// `2 exchanges`, or `2 cards in` where none goes out.
    fn title(&self) -> String {
        let copies = |is_in: bool| -> i64 {
            let moved = self.changes.iter().map(Change::copies);
            moved.filter(|by| (*by > 0) == is_in).sum()
        };
        match (copies(true), copies(false)) {
            (came, 0) if came > 0 => format!("{} in", counted(came, "card")),
            (0, gone) if gone < 0 => format!("{} out", counted(-gone, "card")),
            _ => counted(i64::from(self.exchanges), "exchange"),
        }
    }

    /// That the step is not proven, in words.
    fn doubt(&self) -> String {
        /// A bound above this is not shown: in percent it looks as if there were none.
        const HIGHEST_BOUND: f64 = 0.99995;
        match &self.bound {
            None => String::new(),
            Some(bound) if bound.nearest() < HIGHEST_BOUND => {
                format!("  (not proven best: no deck has more than {})", percent(bound))
            }
            Some(_) => "  (not proven best)".to_owned(),
        }
    }

    fn of(step: &tune::Step, start: &Decklist, queries: &[HandQuery]) -> Step {
        let best = step.best.as_ref();
        let none = || Likelihood { probability: None, each: Vec::new() };
        Step {
            exchanges: step.exchanges,
            odds: best.map_or_else(none, |(_, odds)| Likelihood::of(odds, queries)),
            optimal: step.optimal,
            bound: (!step.optimal).then(|| step.bound.clone()),
            changes: best.map_or_else(Vec::new, |(deck, _)| Change::between(start, deck)),
            deck: best.map(|(deck, _)| deck.clone()),
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
        let population = Population::of_section(resolved, &drawn.section)?;
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
            query.map_err(|error| odds::wrong_query("the query", text, &error))
        };
        let section = resolved.list().section(&fold(&drawn.section));
        Ok(Tuning {
            section: section.unwrap_or(0),
            queries: self.queries.iter().map(query).collect::<Result<_, _>>()?,
            request: odds::request(&population, &defaults, &asked, self.turn)?,
            changes: self.changes.unwrap_or(5),
            wishes: self.wishes(entry, resolved.list())?,
        })
    }
}

impl Prove for Tune {
    fn certified(self, library: &Library, prove: bool) -> Result<Certified<TuneAnswer>, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let resolved = source.resolved(&entry)?;
        let before = resolved.list();
        let mut notes = Notes::of(&resolved);
        let tuning = self.tuning(&entry, &resolved, &mut notes)?;
        notes.extend(notes_on_owned(self.own.as_ref(), before.pool()));
        notes.unmatched(tuning.unmatched_wishes(before));
        let tuned = tune::tune(before, &tuning)?;
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
            repaired: tuned.repaired.as_ref().map(|found| RepairSummary {
                distance: found.distance,
                optimal: found.optimal(),
                changes: Change::between(before, &found.deck),
            }),
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

impl std::fmt::Display for TuneAnswer {
    /// The steps, a line each with the changes below it.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (deck, query) = (escape_control(&self.deck, false), escape_control(&self.query, false));
        let hand = counted(i64::from(self.hand), "card");
        write!(out, "{deck}: {query}, {hand} of {}", self.population)?;
        match self.draws {
            0 => writeln!(out)?,
            draws => writeln!(out, " and {draws} drawn")?,
        }
        if let Some(found) = &self.repaired {
            writeln!(
                out,
                "The deck is not legal. Its nearest legal deck is tuned, {} away (see `decklaw fix`).",
                counted(found.distance, "copy")
            )?;
        }
        writeln!(out, "\n{:<14}{}", "as it is", self.before)?;
        let mut last = (&self.before, &[][..]);
        for step in &self.steps {
            let (what, doubt) = (step.title(), step.doubt());
            let (Some(probability), Some(before)) = (&step.odds.probability, &last.0.probability)
            else {
                writeln!(out, "{what:<14}no such deck{doubt}")?;
                continue;
            };
            if step.changes == last.1 {
                writeln!(out, "{what:<14}nothing better{doubt}")?;
                continue;
            }
            let gain = 100.0 * (probability.nearest() - before.nearest());
            writeln!(out, "{what:<14}{}  {gain:+.2}{doubt}", step.odds)?;
            for change in &step.changes {
                let sign = if change.copies() > 0 { '+' } else { '-' };
                let (card, section) = (escape_control(&change.card, false), &change.section);
                writeln!(out, "    {sign} {} {card}  [{section}]", change.copies().abs())?;
            }
            last = (&step.odds, &step.changes);
        }
        for stop in self.without.iter().take(3) {
            writeln!(
                out,
                "\nwithout the rule `{}`: {}",
                escape_control(&stop.rule, false),
                stop.odds
            )?;
        }
        Ok(())
    }
}

impl Render for TuneAnswer {
    fn human(&self, _: &TextStyle) -> String {
        self.to_string()
    }

    fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        self.notes.about(&self.deck)
    }

    /// A row for each change of each step.
    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let row = |exchanges: u32, odds: &Likelihood, optimal: bool, change: Option<&Change>| {
            let probability = odds.probability.as_ref();
            let nearest = probability.map(|probability| probability.nearest().to_string());
            let row = [
                Cell::Number(exchanges.into()),
                Cell::number(&nearest.unwrap_or_default()),
                Cell::text(probability.map_or_else(String::new, Fraction::to_string)),
                Cell::text(optimal.to_string()),
                Cell::some(change.map(|change| change.section.as_str())),
                Cell::some(change.map(|change| change.card.as_str())),
                Cell::maybe(change.map(|change| change.from)),
                Cell::maybe(change.map(|change| change.to)),
            ];
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
