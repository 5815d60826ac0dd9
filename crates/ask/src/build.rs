//! A legal deck from wishes: a new one, or a deck that a player began, finished.

use crate::deck::Source;
use crate::fix::{at_most, notes_on_owned, unmatched_wishes, wishes_of};
use crate::library::{DRAWS, JudgeEntry, Library, OWNED, TASTES};
use crate::notes::Notes;
use crate::odds::{preset_answers, section_of};
use crate::parts::{After, Change, FoundDeck, Outcome};
use crate::problem;
use crate::proof::{Certified, Prove};
use crate::question::{Ask, Build, counting, steps};
use decklaw_cards::query::HandQuery;
use decklaw_decks::deck::{self, Input};
use decklaw_engine::odds::render::percent;
use decklaw_engine::odds::{self, AnswerJson, Fraction, OddsDefaults, OddsQuestion};
use decklaw_engine::solve::tune::MOST_EXCHANGES;
use decklaw_engine::solve::{
    self, DeckBuilder, Goal, Repair, Rooms, SolvedDeck, Start, Wish, Wishes,
};
use decklaw_judge::Note;
use decklaw_judge::render::{DeckNotes, Kind, Render, Rendered, Rendering, TextStyle, Written};
use decklaw_judge::resolve::Decklist;
use decklaw_rules::rules::{Fault, Severity};
use decklaw_text::text::listed;
use decklaw_text::{Problem, ProblemKind};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A deck that was built, or why there is none: `decklaw/build/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/build/1")]
#[non_exhaustive]
pub struct BuildAnswer {
    /// The format's id.
    pub format: String,
    /// The deck.
    #[serde(flatten)]
    pub outcome: Outcome<BuiltDeck>,
    /// What is to be known of the deck and of the answer.
    pub notes: Notes,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
    /// What the deck to finish is called, or the format.
    #[serde(skip)]
    pub called: String,
}

/// A deck that was built.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct BuiltDeck {
    /// The deck.
    #[serde(serialize_with = "by_section")]
    pub deck: Decklist,
    /// What changed in the deck that was finished; `None`: the deck is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
    /// Copies that differ from the beginning.
    pub distance: i64,
    /// Whether it is proven that no deck comes nearer to what was asked.
    pub optimal: bool,
    /// The copies that must differ at least; proven.
    pub bound: i64,
    /// Whether the choice among equal decks saw all of them.
    pub settled: bool,
    /// How far the deck is from what it should hold; of a finished deck the first is that its
    /// cards stay.
    pub preferred: Vec<Preferred>,
    /// How far it is from the advice of the game's maker.
    pub aims: Vec<Aim>,
    /// What is found of it.
    pub after: After,
    /// How likely its hands hold the goal, and what the game's players ask.
    pub odds: Option<Vec<AnswerJson>>,
    /// Of the hand that was made as likely as it can be.
    #[serde(skip)]
    pub goal: Option<HandOdds>,
}

impl FoundDeck for BuiltDeck {
    const ABSENT: &'static [(&'static str, Value)] = &[("deck", Value::Null)];
}

/// A deck as JSON: its format, and its cards by section.
fn by_section<S: Serializer>(deck: &Decklist, to: S) -> Result<S::Ok, S::Error> {
    let card = |(count, name)| json!({"count": count, "name": name});
    let sections = deck.listing().sections.into_iter();
    let sections = sections.map(|(id, cards)| (id, cards.into_iter().map(card).collect()));
    let sections: BTreeMap<String, Vec<Value>> = sections.collect();
    let mut deck_json = to.serialize_struct("Deck", 2)?;
    deck_json.serialize_field("format", deck.rulebook().format().id())?;
    deck_json.serialize_field("sections", &sections)?;
    deck_json.end()
}

/// What became of a hand that was to be likely.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct HandOdds {
    /// The hand query.
    pub query: String,
    /// Its probability; `None`: no deck was found.
    pub probability: Option<Fraction>,
    /// Whether it is proven that none is likelier within 60 cards.
    pub optimal: bool,
}

/// Something that a deck should hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Preferred {
    /// The wish.
    pub wish: String,
    /// How far it is; 0: it holds.
    pub missed: i64,
}

/// Advice of a game's maker, not a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Aim {
    /// The wish.
    pub wish: String,
    /// Why.
    pub because: String,
    /// Where it is written.
    pub source: String,
    /// How far it is; 0: it holds.
    pub missed: i64,
}

/// The cards of a deck that stay: all, or those of these names.
fn staying(before: &Decklist, names: Option<&[String]>) -> Decklist {
    let Some(names) = names else {
        return before.clone();
    };
    let named: BTreeSet<_> = names.iter().filter_map(|name| before.find(name)).collect();
    before.holding(before.holdings().filter(|held| named.contains(&held.card)))
}

/// How hands of a game are drawn, as a question says.
struct Hands {
    defaults: Arc<OddsDefaults>,
    asked: OddsQuestion,
}

impl Hands {
    /// Makes a hand of a deck that was built as likely as it can be.
    fn reach(
        &self,
        making: &DeckBuilder,
        found: &mut SolvedDeck,
        (query, turn): (&str, Option<u32>),
    ) -> Result<HandOdds, Problem> {
        let section = section_of(&found.deck, &self.defaults);
        let section =
            section.ok_or_else(|| problem::query("the deck has no section to draw from"))?;
        let goal = Goal::new(&found.deck, section, (query, turn), (&self.defaults, &self.asked));
        let (odds, optimal) = match making.reach(found, &goal?, MOST_EXCHANGES)? {
            Some((odds, optimal)) => (Some(odds), optimal),
            None => (None, false),
        };
        Ok(HandOdds { query: query.to_owned(), probability: odds, optimal })
    }
}

/// What is found of a deck that was built, once it is written as text.
fn judged(entry: &JudgeEntry, found: &SolvedDeck) -> Result<After, Problem> {
    let text = deck::to_text(&found.deck.listing());
    let format = found.deck.rulebook().format().id();
    let report = entry.judge.judge_as("-", text.as_bytes(), Input::Text, Some(format))?;
    if report.hash.as_deref() != Some(found.deck.hash().as_str()) {
        return Err(Problem::new(
            ProblemKind::Deck,
            "a card name in the deck that was found cannot be written in a deck's text",
        ));
    }
    Ok(report.into())
}

impl Build {
    /// The deck to finish with its notes; `None`: the deck is to be new.
    fn unfinished(&self, entry: &JudgeEntry) -> Result<Option<(Decklist, Notes)>, Problem> {
        if self.deck.is_empty() {
            return Ok(None);
        }
        let source = Source::of(entry, self.subject())?;
        let resolved = source.resolved(entry)?;
        let notes = Notes::of(&resolved);
        Ok(Some((resolved.into_list(), notes)))
    }

    fn wishes(&self, before: &Decklist) -> Result<Wishes, Problem> {
        let rulebook = before.rulebook();
        let own = self.own.iter();
        let mut must: Vec<Wish> = own.map(|owned| at_most(owned, before.pool())).collect();
        must.extend(wishes_of("wish", &self.wish, |text| Wish::parse(text, rulebook))?);
        Ok(Wishes {
            must,
            prefer: wishes_of("prefer", &self.prefer, |text| Wish::parse(text, rulebook))?,
            effort: steps(self.effort)?,
            seed: self.seed.clone(),
            ..Wishes::default()
        })
    }
}

impl Prove for Build {
    fn certified(self, library: &Library, prove: bool) -> Result<Certified<BuildAnswer>, Problem> {
        let entry = library.judge_of(self.subject())?;
        let unfinished = self.unfinished(&entry)?;
        let is_finished = unfinished.is_some();
        let (before, mut notes) = match unfinished {
            Some(unfinished) => unfinished,
            None => {
                let format = self.format.as_deref();
                let format = format.ok_or_else(|| problem::query("name a format to build for"))?;
                (Decklist::empty(entry.rules(format)?), Notes::without_deck())
            }
        };
        let rulebook = Arc::clone(before.rulebook());
        let format = rulebook.format();
        let game = format.game();
        if game.sections().is_empty() {
            let message =
                format!("`{}` has no rules, so there is nothing to build by", format.id());
            return Err(problem::query(message));
        }
        let wishes = self.wishes(&before)?;
        notes.unmatched(unmatched_wishes(&wishes, &before));
        notes.extend(notes_on_owned(self.own.as_ref(), before.pool()));
        let goal = self.goal.as_deref().map(|query| (query, self.turn));
        if let Some(Ok(query)) = self.goal.as_deref().map(HandQuery::parse) {
            let unmatched = query.unmatched(rulebook.pool()).into_iter();
            notes.unmatched(unmatched.map(|remark| format!("in `{}`: {remark}", query.text())));
        }
        let stay = staying(&before, self.keep.as_deref());
        let start = if is_finished {
            Start::Finish { stay: &stay, called: "the deck" }
        } else {
            Start::Free
        };
        let taste = entry.taste(game.id())?;
        let mut making = DeckBuilder::new(before.clone(), &start, wishes, taste)?;
        making.without(|aim| self.without.contains(&aim.wish.value));
        let mut solved = making.made();
        let hands = Hands {
            defaults: entry.draws(game.id())?,
            asked: OddsQuestion {
                hand: self.hand,
                work: Some(counting(self.effort)?),
                memory: self.memory,
                ..OddsQuestion::default()
            },
        };
        let mut reached = None;
        if let (Repair::Found(found), Some(goal)) = (&mut solved, goal) {
            let goal = hands.reach(&making, found, goal)?;
            if !goal.optimal {
                let query = &goal.query;
                notes.limit(format!("not proven: another deck may make `{query}` likelier"));
            }
            reached = Some(goal);
        }
        let proof = prove.then(|| solve::certify(making.start(), making.wishes(), &solved));
        let solved =
            Outcome::of(&solved, |conflict| conflict.sentences(making.start(), making.wishes()));
        let outcome = match solved {
            Outcome::None(none) => Outcome::None(none),
            Outcome::Found(found) => {
                let after = judged(&entry, found)?;
                notes.extend(unlimited(&found.deck));
                if found.optimal() && !found.settled {
                    notes.cut_short(
                        "the choice among equally good decks was cut short (`--effort` raises the limit)",
                    );
                }
                if !found.optimal() && reached.is_none() {
                    notes.limit("the search limit was reached (`--effort` raises it): the deck is legal, but a better one may exist");
                }
                let reasons = making.reasons(&found.deck).into_iter();
                let reasons = reasons.map(|(change, rules)| (change, Some(rules)));
                Outcome::Found(BuiltDeck {
                    changes: is_finished.then(|| Change::all(&before, reasons)),
                    distance: found.distance,
                    optimal: found.optimal(),
                    bound: found.bound(),
                    settled: found.settled,
                    preferred: preferred(&making, found),
                    aims: aims(&making, found),
                    after,
                    odds: preset_answers(
                        &found.deck,
                        goal,
                        &hands.defaults,
                        &hands.asked,
                        &mut notes,
                    ),
                    goal: reached,
                    deck: found.deck.clone(),
                })
            }
        };
        let answer = BuildAnswer {
            format: format.id().to_owned(),
            outcome,
            notes,
            rules: entry.rules_of(&rulebook, &[DRAWS, TASTES, OWNED])?,
            called: format.id().to_owned(),
        };
        Ok((answer, proof))
    }
}

fn preferred(making: &DeckBuilder, found: &SolvedDeck) -> Vec<Preferred> {
    let each = making.wishes().prefer.iter().zip(&found.missed);
    each.map(|(wish, missed)| Preferred { wish: wish.text().to_owned(), missed: *missed }).collect()
}

fn aims(making: &DeckBuilder, found: &SolvedDeck) -> Vec<Aim> {
    let each = making.aims().iter().zip(&found.aims);
    each.map(|(aim, missed)| Aim {
        wish: aim.wish.value.clone(),
        because: aim.because.clone(),
        source: aim.source.clone(),
        missed: *missed,
    })
    .collect()
}

/// That no rule limits the copies of a card that a deck has very many of.
fn unlimited(deck: &Decklist) -> Option<Note> {
    /// A deck of a game hardly has more copies of one card.
    const MANY: i64 = 100;
    let rooms = Rooms::of(deck);
    let many = deck.holdings().filter(|held| held.copies > MANY);
    let free = many.filter(|held| rooms.room(held.section, held.card).more.is_none());
    let cards: Vec<String> = free.map(|held| deck.name(held.card).to_owned()).collect();
    let names: Vec<String> = cards.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("no rule limits the copies of {}", listed(&names, "and"));
    let note = Note::new("copies", Fault::Unset, message);
    (!names.is_empty()).then_some(Note { cards, ..note })
}

impl Ask for Build {
    type Answer = BuildAnswer;

    fn ask(self, library: &Library) -> Result<BuildAnswer, Problem> {
        Ok(self.certified(library, false)?.0)
    }
}

impl Written for BuildAnswer {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Render for BuildAnswer {
    fn json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        self.notes.about(&self.called)
    }

    /// What people read is the deck itself.
    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        Ok((kind == Kind::Human).then(|| match &self.outcome {
            Outcome::Found(found) => Rendering::Data(found.to_string().into_bytes()),
            Outcome::None(none) => Rendering::Missing(none.to_string().trim_end().to_owned()),
        }))
    }

    fn human(&self, _: &TextStyle) -> String {
        self.outcome.found().map_or_else(|_| String::new(), BuiltDeck::to_string)
    }

    fn is_ok(&self) -> bool {
        self.outcome.none().is_none()
    }
}

impl std::fmt::Display for BuiltDeck {
    /// The deck as decklaw's text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&deck::to_text(&self.deck.listing()))
    }
}

impl BuildAnswer {
    /// What is printed next to the deck, each a kind (`goes`, `comes in`, `not met`, `odds`, …)
    /// and a sentence.
    pub fn remarks(&self) -> Vec<(&'static str, String)> {
        let mut remarks = Vec::new();
        let Ok(built) = self.outcome.found() else {
            return remarks;
        };
        if let Some(changes) = &built.changes {
            for change in changes.iter().filter(|change| change.copies() < 0) {
                let why = listed(change.rules.as_deref().unwrap_or_default(), "and");
                let copies = -change.copies();
                let text = format!("{}: {copies} {} ({why})", change.section, change.card);
                remarks.push(("goes", text));
            }
            let mut came: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for change in changes.iter().filter(|change| change.copies() > 0) {
                let card = format!("{} {}", change.copies(), change.card);
                came.entry(&change.section).or_default().push(card);
            }
            let came = came.into_iter();
            remarks.extend(
                came.map(|(id, cards)| ("comes in", format!("{id}: {}", cards.join(", ")))),
            );
            if changes.is_empty() {
                remarks.push(("notice", "nothing is missing: the deck is as it was".to_owned()));
            }
        }
        // The cards that leave a finished deck are printed already.
        let first = usize::from(built.changes.is_some());
        for wish in built.preferred.iter().skip(first).filter(|wish| wish.missed > 0) {
            remarks.push(("not met", format!("{}; it is {} away", wish.wish, wish.missed)));
        }
        for aim in built.aims.iter().filter(|aim| aim.missed > 0) {
            let (wish, missed, because) = (&aim.wish, aim.missed, &aim.because);
            let text = format!(
                "{wish}; it is {missed} away. Advice of the game's maker, not a rule: {because}"
            );
            remarks.push(("aim not met", text));
        }
        let findings = built.after.findings.iter();
        for finding in findings.filter(|finding| finding.severity == Severity::Warning) {
            remarks.push(("warning", format!("{}: {}", finding.rule, finding.message)));
        }
        if let Some(goal) = &built.goal {
            let (query, Some(probability)) = (&goal.query, &goal.probability) else {
                return remarks;
            };
            let percent = percent(probability);
            remarks.push(("odds", format!("{query}: {percent} ({probability})")));
            if goal.optimal {
                let text =
                    format!("proven: no other deck within 60 cards makes `{query}` likelier");
                remarks.push(("odds", text));
            }
        }
        for answer in built.odds.iter().flatten() {
            if let (Some(name), odds::Value::Probability(Some(probability))) =
                (&answer.name, &answer.answer.value)
            {
                let hand = answer.hand.map_or(String::new(), |hand| format!(", hand of {hand}"));
                remarks.push(("odds", format!("{name}{hand}: {}", percent(probability))));
            }
        }
        remarks
    }
}
