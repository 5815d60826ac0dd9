//! The smallest change that makes a deck legal, and the smallest exchange with its side deck.

use crate::answer::{After, Change, NoDeck};
use crate::deck::Source;
use crate::library::{JudgeEntry, Library, OWNED, TASTES};
use crate::notes::Notes;
use crate::problem;
use crate::question::{Ask, Fix, Owned, Swap, steps};
use crate::shown::{Paint, paragraph, refused};
use decklaw_cards::pool::{NameField, Pool};
use decklaw_cards::query::QueryError;
use decklaw_decks::deck::{Input, OpenedDeck};
use decklaw_engine::solve::{
    self, Advice, Certificate, Misspelling, Repair, SolvedDeck, Uncertified, Wish, Wishes,
};
use decklaw_judge::Note;
use decklaw_judge::render::{DeckNotes, Kind, Render, Rendered, Rendering, TextStyle, Written};
use decklaw_judge::resolve::{self, Decklist, Resolved};
use decklaw_play::matches::Setup;
use decklaw_rules::rules::{Failing, Fault, Holding, Judgement, Severity, unknown};
use decklaw_text::name::did_you_mean;
use decklaw_text::text::{counted, escape_control, listed, some_of};
use decklaw_text::{Problem, ProblemKind};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// The smallest change of a deck, or why there is none: `decklaw/fix/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/fix/1")]
#[non_exhaustive]
pub struct FixAnswer {
    /// What the deck is called.
    pub deck: String,
    /// Copies that change in all; `None`: there is no such deck.
    pub distance: Option<i64>,
    /// Whether it is proven that no smaller change will do.
    pub optimal: bool,
    /// The number of copies that must change at least; proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<i64>,
    /// Whether the choice among equally small changes saw all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<bool>,
    /// Whether more than half of the deck comes in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mostly_new: bool,
    /// What changes.
    pub changes: Vec<Change>,
    /// The deck after the changes.
    pub after: Option<After>,
    /// What is to be known of the deck and of the answer.
    pub notes: Notes,
    /// Cards that may stand in for cards of the banlist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub substitutes: Vec<Substitute>,
    /// Misspelt names with one near card, which were corrected first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<RenamedCard>,
    /// Why there is no deck.
    #[serde(flatten)]
    pub none: Option<NoDeck>,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
    /// The changed deck, in what the deck is written in.
    #[serde(skip)]
    pub text: Option<DeckFile>,
    /// Whether the file of the deck was changed, for people.
    #[serde(skip)]
    pub written: bool,
    /// Lines for people that need the deck itself.
    #[serde(skip)]
    hints: Hints,
}

/// A changed deck as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeckFile {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it is written in.
    pub input: Input,
    /// Why the file of the deck could not be changed in place, with comments and order; `None`: it
    /// was.
    pub rewritten: Option<String>,
    /// The rules that a swapped deck breaks as a list to hand in.
    pub at_registration: Vec<String>,
}

impl DeckFile {
    /// The file as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }
}

/// Cards that may stand in for a card of the banlist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Substitute {
    /// The section's id.
    pub section: String,
    /// The card that goes.
    pub card: String,
    /// Its copies.
    pub copies: i64,
    /// What may come in its place, the most similar first.
    pub instead: Vec<Instead>,
}

/// A card that may stand in for another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Instead {
    /// The card.
    pub card: String,
    /// Fields in which it differs.
    pub differs: Vec<String>,
}

/// A misspelled name that was corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RenamedCard {
    /// The name as the deck has it.
    pub from: String,
    /// The card's name.
    pub to: String,
    /// The lines, from 1.
    pub lines: Vec<u32>,
}

impl std::fmt::Display for RenamedCard {
    /// `lines 3 and 7: Mos Sprite → Moss Sprite`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const MOST: usize = 5;
        let mut lines: Vec<String> = self.lines.iter().take(MOST).map(u32::to_string).collect();
        if self.lines.len() > MOST {
            lines.push(format!("{} more", self.lines.len() - MOST));
        }
        let noun = if self.lines.len() == 1 { "line" } else { "lines" };
        let lines = listed(&lines, "and");
        write!(out, "{noun} {lines}: {} → {}", self.from, self.to)
    }
}

/// What is printed for people in addition, which needs the deck itself.
#[derive(Debug, Clone, Default)]
struct Hints {
    /// For each change the names that an unknown card may have meant.
    near: Vec<Vec<String>>,
    /// An identity card that goes and could stay.
    leader: Option<String>,
}

/// An answer with a proof of it.
pub(crate) type Certified<A> = (A, Option<Result<Vec<Certificate>, Uncertified>>);

impl FixAnswer {
    /// The changed deck, in what the deck is written in.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(DeckFile::text)
    }

    /// Whether a deck was found.
    pub fn is_found(&self) -> bool {
        self.none.is_none()
    }

    fn none(none: NoDeck, notes: Notes, renamed: Vec<RenamedCard>, rules: Value) -> FixAnswer {
        FixAnswer {
            deck: "-".to_owned(),
            distance: None,
            optimal: false,
            bound: None,
            settled: None,
            mostly_new: false,
            changes: Vec::new(),
            after: None,
            notes,
            substitutes: Vec::new(),
            renamed,
            none: Some(none),
            rules,
            text: None,
            written: false,
            hints: Hints::default(),
        }
    }
}

/// At most the cards that a player owns.
pub(crate) fn at_most(owned: &Owned, pool: &Pool) -> Wish {
    let mut copies = vec![0_i64; pool.len()];
    for (name, count) in owned {
        if let Some(card) = pool.look_up(name, NameField::Name).card() {
            let held = &mut copies[card.index()];
            *held = held.saturating_add(i64::from(*count));
        }
    }
    Wish::own(copies, "what you own")
}

/// What a deck must keep to: cards that a player owns, cards that stay, the only cards that may
/// come in.
pub(crate) fn musts(
    own: Option<&Owned>,
    keep: &[String],
    only: Option<&String>,
    pool: &Pool,
) -> Result<Vec<Wish>, Problem> {
    let mut must: Vec<Wish> = own.map(|owned| at_most(owned, pool)).into_iter().collect();
    must.extend(wishes_of("keep", keep, |text| Wish::keep(text, pool))?);
    must.extend(wishes_of("only", only, |text| Wish::only(text, pool))?);
    Ok(must)
}

/// Reads wishes; `what` says what they are in a question.
pub(crate) fn wishes_of<'t>(
    what: &str,
    texts: impl IntoIterator<Item = &'t String>,
    read: impl Fn(&str) -> Result<Wish, QueryError>,
) -> Result<Vec<Wish>, Problem> {
    let each = texts.into_iter().map(|text| {
        let wish = read(text);
        wish.map_err(|error| problem::of_query(&format!("`{what}`"), text, &error))
    });
    each.collect()
}

/// What a collection has that the game does not, and what of it is spelt otherwise.
pub(crate) fn notes_on_owned(owned: Option<&Owned>, pool: &Pool) -> Vec<Note> {
    const SHOWN: usize = 3;
    let (mut unknown, mut loose) = (Vec::new(), Vec::new());
    let (mut unknown_names, mut loose_cards) = (Vec::new(), Vec::new());
    for name in owned.into_iter().flat_map(Owned::keys) {
        let found = pool.look_up(name, NameField::Name);
        match found.name(pool) {
            None => {
                // Thousands may be cards of another game.
                let is_shown = unknown.len() < SHOWN;
                let near = is_shown.then(|| pool.near(name, NameField::Name).names);
                let near = did_you_mean(&near.unwrap_or_default());
                unknown.push(match near.trim_start_matches("; ") {
                    "" => format!("`{name}`"),
                    near => format!("`{name}` ({near})"),
                });
                unknown_names.push(name.clone());
            }
            Some(card) if found.is_loose() => {
                loose.push(format!("`{name}` as `{card}`"));
                loose_cards.push(card.to_owned());
            }
            Some(_) => {}
        }
    }
    let note = |fault, about: &str, names: &[String], cards: Vec<String>| {
        let message = format!("{about}: {}", some_of(names, SHOWN));
        Note { cards, ..Note::new(unknown::ID, fault, message) }
    };
    let mut notes = Vec::new();
    if !unknown.is_empty() {
        let about = "this game does not have these cards that you own";
        notes.push(note(Fault::NotInPool, about, &unknown, unknown_names));
    }
    if !loose.is_empty() {
        let about = "what you own is read with other spellings";
        notes.push(note(Fault::Lookalike, about, &loose, loose_cards));
    }
    notes
}

/// What wishes ask for that no card has, a sentence each.
pub(crate) fn unmatched_wishes(wishes: &Wishes, before: &Decklist) -> Vec<String> {
    let all = wishes.must.iter().chain(&wishes.prefer);
    let notes = all.flat_map(|wish| {
        let remarks = wish.remarks(before).into_iter();
        remarks.map(|remark| format!("in `{}`: {remark}", wish.text()))
    });
    notes.collect()
}

/// The text of a deck with misspelled names corrected that have one near card; `None`: there are
/// none, or the file cannot be changed so.
fn corrected(
    source: &Source<'_>,
    resolved: &Resolved<'_>,
    notes: &mut Notes,
) -> Option<(Vec<u8>, Vec<RenamedCard>)> {
    let misnamed = solve::misnamed(resolved);
    if !misnamed.iter().any(|one| one.certain) {
        return None;
    }
    let text = match solve::renamed(&source.opened.source, source.opened.input, resolved, &misnamed)
    {
        Ok(text) => text,
        Err(error) => {
            notes.cut_short(format!("misspelt names are not corrected: {error}"));
            return None;
        }
    };
    let renamed = |one: Misspelling| {
        let to = one.meant()?.to_owned();
        let (from, lines) = (one.name, one.lines);
        Some(RenamedCard { from, to, lines })
    };
    Some((text, misnamed.into_iter().filter_map(renamed).collect()))
}

/// A repair that was found, and the deck that it is of.
struct Work<'w> {
    entry: &'w JudgeEntry,
    source: &'w Source<'w>,
    resolved: &'w Resolved<'w>,
    found: &'w SolvedDeck,
}

impl Work<'_> {
    fn before(&self) -> &Decklist {
        self.resolved.list()
    }

    /// The deck's file with other cards, and what is found of it.
    fn written(&self, swapped: bool) -> Result<(DeckFile, After), Problem> {
        let (text, input) = (&self.source.opened.source, self.source.opened.input);
        let (deck, after) = (self.resolved.deck(), &self.found.deck);
        let changed = solve::rewrite(text, input, deck, self.before(), after);
        let format = self.resolved.rulebook().format().id();
        let (bytes, input, rewritten) = match changed {
            // The next reader of the file knows no option of this call.
            Ok(bytes) if input == Input::Text && deck.format.is_none() => {
                let gap = if deck.name.is_some() || deck.player.is_some() { "" } else { "\n" };
                let header = format!("Format: {format}\n{gap}");
                ([header.as_bytes(), &bytes].concat(), input, None)
            }
            Ok(bytes) => (bytes, input, None),
            Err(error) => {
                let (bytes, input) = solve::anew(input, deck, after);
                (bytes, input, Some(error.to_string()))
            }
        };
        let report = self.entry.judge.judge_as("-", &bytes, input, Some(format));
        let mut report = report.map_err(|error| self.entry.problem(&error))?;
        // What is written must be read as what was found.
        if report.hash.as_deref() != Some(after.hash().as_str()) {
            return Err(problem::defect());
        }
        let at_registration = if swapped { report.as_played() } else { Vec::new() };
        let file = DeckFile { bytes, input, rewritten, at_registration };
        Ok((file, report.into()))
    }

    fn answer(
        &self,
        reasons: Vec<(resolve::Change, Vec<String>)>,
        swapped: bool,
        notes: Notes,
    ) -> Result<FixAnswer, Problem> {
        let (before, found) = (self.before(), self.found);
        let (text, after) = self.written(swapped)?;
        let hints = Hints::of(before, found, &reasons);
        Ok(FixAnswer {
            deck: "-".to_owned(),
            distance: Some(found.distance),
            optimal: found.optimal(),
            bound: Some(found.bound()),
            settled: Some(found.settled),
            mostly_new: found.is_mostly_new(before),
            changes: Change::all(before, reasons),
            after: Some(after),
            notes,
            substitutes: Vec::new(),
            renamed: Vec::new(),
            none: None,
            rules: Value::Null,
            text: Some(text),
            written: false,
            hints,
        })
    }
}

impl Hints {
    fn of(
        before: &Decklist,
        found: &SolvedDeck,
        reasons: &[(resolve::Change, Vec<String>)],
    ) -> Hints {
        /// The nearest names are looked up for this many unknown names.
        const MOST: usize = 50;
        let mut left = MOST;
        let near = reasons.iter().map(|(change, _)| {
            if before.knows(change.card) || left == 0 {
                return Vec::new();
            }
            left -= 1;
            let near = before.pool().near(before.name(change.card), NameField::Name).names;
            near.into_iter().map(str::to_owned).collect()
        });
        let near = near.collect();
        let heads = before.rulebook().identity_sections();
        let mut changes = reasons.iter().map(|(change, _)| change);
        let leader = changes.find(|change| {
            heads.has(usize::from(change.section))
                && found.deck.copies(change.section, change.card) == 0
                && !before.name(change.card).contains('"')
                && may_stay(before, change)
        });
        Hints { near, leader: leader.map(|change| before.name(change.card).to_owned()) }
    }
}

/// Whether a card may be where it is as far as it alone decides.
fn may_stay(before: &Decklist, change: &resolve::Change) -> bool {
    let alone = before.holding([Holding { card: change.card, section: change.section, copies: 1 }]);
    let barred = |found: &Judgement| {
        let violation = &found.violation;
        violation.failing == Failing::Excess && violation.is_of(change.card, change.section)
    };
    !alone.judge().iter().any(barred)
}

fn substitute(before: &Decklist, one: &solve::Substitute) -> Substitute {
    let instead = one.instead.iter().map(|(card, differs)| Instead {
        card: before.name(*card).to_owned(),
        differs: differs.clone(),
    });
    Substitute {
        section: before.sections()[usize::from(one.section)].clone(),
        card: before.name(one.card).to_owned(),
        copies: one.copies,
        instead: instead.collect(),
    }
}

impl Fix {
    fn wishes(&self, entry: &JudgeEntry, before: &Decklist) -> Result<Wishes, Problem> {
        let (own, only) = (self.own.as_ref(), self.only.as_ref());
        let must = musts(own, &self.keep, only, before.pool())?;
        let taste = entry.taste(before.rulebook().format().game().id())?;
        Ok(Wishes {
            must,
            effort: steps(self.effort)?,
            advice: Advice::AtNoCost,
            taste: taste.or_else(|| Some(Arc::default())),
            ..Wishes::default()
        })
    }

    pub(crate) fn certified(
        self,
        library: &Library,
        prove: bool,
    ) -> Result<Certified<FixAnswer>, Problem> {
        let entry = library.judge_of(self.subject())?;
        let read = Source::of(&entry, self.subject())?;
        let (corrected, mut notes) = {
            let resolved = read.resolved(&entry)?;
            let mut notes = Notes::of(&resolved);
            (corrected(&read, &resolved, &mut notes), notes)
        };
        let (source, renamed) = match corrected {
            None => (read, Vec::new()),
            Some((text, renamed)) => {
                let opened = OpenedDeck { source: text.into(), ..read.opened };
                (Source { opened, ..read }, renamed)
            }
        };
        let resolved = source.resolved(&entry)?;
        let before = resolved.list();
        let wishes = self.wishes(&entry, before)?;
        notes.extend(notes_on_owned(self.own.as_ref(), before.pool()));
        notes.unmatched(unmatched_wishes(&wishes, before));
        let solved = solve::repair(before, &wishes);
        let proof = prove.then(|| solve::certify(before, &wishes, &solved));
        let rules = entry.rules_of(resolved.rulebook(), &[TASTES, OWNED])?;
        let found = match &solved {
            Repair::Found(found) => found,
            solved => {
                let none = NoDeck::of(solved, |conflict| conflict.sentences(before, &wishes));
                let none = none.unwrap_or_else(NoDeck::unknown);
                return Ok((FixAnswer::none(none, notes, renamed, rules), proof));
            }
        };
        if found.optimal() && !found.settled {
            notes.cut_short("the choice among equally small changes was cut short (`--effort` raises the limit)");
        }
        let work = Work { entry: &entry, source: &source, resolved: &resolved, found };
        let substitutes = match &wishes.taste {
            Some(taste) => solve::substitutes(before, &found.deck, taste),
            None => Vec::new(),
        };
        let reasons = solve::reasons(before, &found.deck, &wishes);
        // Without one of its changes a smallest repair is no repair, so each has a reason.
        let open = reasons.iter().filter(|(_, rules)| rules.is_empty()).count();
        if found.optimal() && open > 0 {
            notes.cut_short(format!(
                "no reason is shown for {}: the search for reasons reached its limit",
                counted(open as i64, "change")
            ));
        }
        let answer = FixAnswer {
            substitutes: substitutes.iter().map(|one| substitute(before, one)).collect(),
            renamed,
            rules,
            ..work.answer(reasons, false, notes)?
        };
        Ok((answer, proof))
    }
}

impl Ask for Fix {
    type Answer = FixAnswer;

    fn ask(self, library: &Library) -> Result<FixAnswer, Problem> {
        Ok(self.certified(library, false)?.0)
    }
}

impl Ask for Swap {
    type Answer = FixAnswer;

    fn ask(self, library: &Library) -> Result<FixAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let resolved = source.resolved(&entry)?;
        let before = resolved.list();
        let exchange = Setup::exchange_of(before.rulebook().format());
        let exchange = exchange.map_err(|error| problem::game(&error))?;
        let swap = solve::Swap::parse(&self.wish, before, exchange.as_ref());
        let swap = swap.map_err(|error| problem::query(format!("in the wish: {error}")))?;
        let taste = entry.taste(before.rulebook().format().game().id())?;
        let swap = swap.with_taste(taste.unwrap_or_default());
        let solved = swap.solve(before, steps(self.effort)?);
        let rules = entry.rules_of(resolved.rulebook(), &[TASTES])?;
        let notes = Notes::of(&resolved);
        let none = |none| Ok(FixAnswer::none(none, notes.clone(), Vec::new(), rules.clone()));
        let found = match &solved {
            Repair::Found(found) => found,
            Repair::Impossible(conflict) => {
                let sentences = conflict.sentences(before, &swap.wishes(before));
                return none(NoDeck::impossible(conflict, sentences));
            }
            Repair::Unknown => return none(NoDeck::unknown()),
        };
        let wrong = swap.wrong_besides(&found.deck);
        if !wrong.is_empty() {
            return none(NoDeck::because(format!(
                "no swap makes this deck legal, since this stays as it is:\n  - {}\nFix it first with `decklaw fix`.",
                wrong.join("\n  - ")
            )));
        }
        let work = Work { entry: &entry, source: &source, resolved: &resolved, found };
        let changes = before.changes_to(&found.deck).into_iter();
        let changes = changes.map(|change| (change, Vec::new())).collect();
        Ok(FixAnswer { rules: rules.clone(), ..work.answer(changes, true, notes.clone())? })
    }
}

/// The changed deck as an output.
pub const DECK: Kind = Kind::Data("deck");

impl Written for FixAnswer {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json, DECK];
}

impl Render for FixAnswer {
    fn human(&self, page: &TextStyle) -> String {
        if let Some(none) = &self.none {
            return refused(&format!("{}: {}", self.deck, none.human()), page.width);
        }
        let mut out = String::new();
        paragraph(&mut out, &format!("{}: {}", self.deck, self.outcome()), None, page);
        if !self.renamed.is_empty() {
            out.push_str("\nnames corrected\n");
            for one in &self.renamed {
                out.push_str(&format!("  {}\n", escape_control(&one.to_string(), false)));
            }
        }
        let mut section = None;
        for (at, change) in self.changes.iter().enumerate() {
            if section != Some(&change.section) {
                section = Some(&change.section);
                out.push_str(&format!("\n{}\n", escape_control(&change.section, false)));
            }
            let near = self.hints.near.get(at).map_or(&[][..], Vec::as_slice);
            write_change(&mut out, change, near, page);
        }
        if self.distance == Some(0) {
            self.write_written(&mut out);
            return out;
        }
        let findings = self.after.iter().flat_map(|after| &after.findings);
        for (at, finding) in findings.enumerate() {
            if at == 0 {
                out.push('\n');
            }
            let (word, rule) = (finding.severity.word(), &finding.rule);
            let text = format!("{word}: {rule}: {}", finding.message);
            let colour = match finding.severity {
                Severity::Error => Paint::Red,
                Severity::Warning | Severity::Notice => Paint::Yellow,
            };
            paragraph(&mut out, &text, Some(colour), page);
        }
        for advice in self.advice() {
            out.push('\n');
            paragraph(&mut out, &advice, None, page);
        }
        self.write_written(&mut out);
        out
    }

    fn json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        self.notes.about(&self.deck)
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        let missing = || {
            let why = self.none.as_ref().map_or_else(String::new, NoDeck::human);
            Rendering::Missing(format!("{}: {}", self.deck, why.trim_end()))
        };
        Ok((kind == DECK).then(|| match &self.text {
            Some(file) => Rendering::Data(file.bytes.clone()),
            None => missing(),
        }))
    }

    fn is_ok(&self) -> bool {
        self.is_found()
    }
}

impl FixAnswer {
    fn write_written(&self, out: &mut String) {
        if self.written {
            out.push_str("\nwritten\n");
        }
    }

    /// The result in words.
    fn outcome(&self) -> String {
        let distance = self.distance.unwrap_or(0);
        let what = match distance {
            1 => "1 change".to_owned(),
            distance => format!("{distance} changes"),
        };
        match (distance, self.optimal) {
            (0, _) if !self.renamed.is_empty() => "legal with its names corrected".to_owned(),
            (0, _) => "legal as it is".to_owned(),
            (_, true) => format!("{what}, proven minimal"),
            (_, false) => format!(
                "{what}; not proven minimal (search limit reached, at least {} needed; `--effort` raises the limit)",
                self.bound.unwrap_or(0)
            ),
        }
    }

    /// What else a player may do.
    fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if self.mostly_new {
            let plain = |next: char| next.is_alphanumeric() || "./_-".contains(next);
            let name = if self.deck.chars().all(plain) {
                self.deck.clone()
            } else {
                format!("'{}'", self.deck.replace('\'', "'\\''"))
            };
            advice.push(format!(
                "More than half of this deck comes in: `decklaw build --from {name}` finishes it by your wishes."
            ));
        }
        if let Some(leader) = &self.hints.leader {
            let name = escape_control(leader, false).replace('\'', "'\\''");
            advice.push(format!("`--keep '\"{name}\"'` looks for a fix that keeps this card"));
        }
        for one in self.substitutes.iter().filter(|one| !one.instead.is_empty()) {
            let each = one.instead.iter().map(|instead| {
                if instead.differs.is_empty() {
                    instead.card.clone()
                } else {
                    format!("{} ({})", instead.card, instead.differs.join(", "))
                }
            });
            let each: Vec<String> = each.collect();
            let copies = counted(one.copies, "copy");
            advice.push(format!("instead of {copies} of {}: {}", one.card, each.join("; ")));
        }
        advice
    }
}

/// A line of the diff: the change, why it is needed, and what may have been meant instead.
fn write_change(out: &mut String, change: &Change, near: &[String], page: &TextStyle) {
    let (sign, colour) = if change.copies() > 0 { ('+', Paint::Green) } else { ('-', Paint::Red) };
    let copies = change.copies().abs();
    let mut line = format!("  {sign} {copies} {}", escape_control(&change.card, false));
    if change.from > 0 && change.to > 0 {
        line.push_str(&format!(" (now {})", change.to));
    }
    let used = line.width();
    out.push_str(&colour.of(&line, page));
    let mut below = Vec::new();
    if !change.rules.is_empty() {
        let why = escape_control(&change.rules.join(", "), false).into_owned();
        let start = used.max(40) + 2;
        // Where it does not fit next to its change, a reason is printed below.
        if start + why.width() <= page.width {
            out.push_str(&format!("{}{why}", " ".repeat(start - used)));
        } else {
            below.push(why);
        }
    }
    if !near.is_empty() {
        let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
        let hint = format!("if {} was meant, correct the name first", listed(&near, "or"));
        below.push(escape_control(&hint, false).into_owned());
    }
    for text in below {
        for part in decklaw_text::text::wrapped(&text, page.width.saturating_sub(6)) {
            out.push_str(&format!("\n      {part}"));
        }
    }
    out.push('\n');
}

/// A problem of an answer without a deck.
impl From<&FixAnswer> for Problem {
    fn from(answer: &FixAnswer) -> Problem {
        match &answer.none {
            Some(none) => none.into(),
            None => Problem::new(ProblemKind::Defect, "the deck was found"),
        }
    }
}
