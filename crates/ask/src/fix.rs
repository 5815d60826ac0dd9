//! The smallest change that makes a deck legal, and the smallest exchange with its side deck.

use crate::deck::Source;
use crate::library::{JudgeEntry, Library, OWNED, TASTES};
use crate::notes::Notes;
use crate::parts::{After, Change, Found, FoundDeck, NoDeck, Outcome};
use crate::problem;
use crate::proof::{Certified, Prove};
use crate::question::{Ask, Fix, Owned, Swap, steps};
use crate::shown::{Paint, paragraph, refused};
use decklaw_cards::pool::{NameField, Pool};
use decklaw_cards::query::QueryError;
use decklaw_decks::deck::{Input, Located, OpenedDeck};
use decklaw_engine::solve::{self, Advice, Misspelling, SolvedDeck, Substitute, Wish, Wishes};
use decklaw_judge::Note;
use decklaw_judge::render::{DeckNotes, Kind, Render, Rendered, Rendering, TextStyle, Written};
use decklaw_judge::resolve::{self, Decklist, Resolved};
use decklaw_play::matches::Setup;
use decklaw_rules::rules::{Failing, Fault, Holding, Judgement, Severity, unknown};
use decklaw_text::Problem;
use decklaw_text::name::did_you_mean;
use decklaw_text::text::{counted, escape_control, listed, some_of, without_bom};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// The smallest change of a deck, or why there is none: `decklaw/fix/1`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FixAnswer {
    /// What the deck is called.
    pub deck: String,
    /// The change.
    pub outcome: Outcome<FixedDeck>,
    /// What is to be known of the deck and of the answer.
    pub notes: Notes,
    /// Misspelt names with one near card, which were corrected first.
    pub renamed: Vec<RenamedCard>,
    /// What decided the answer: an entry of its format.
    pub rules: Value,
    /// Whether the file of the deck was changed, for people.
    pub written: bool,
}

/// A deck after its smallest change.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FixedDeck {
    /// Copies that change in all.
    pub distance: i64,
    /// Whether it is proven that no smaller change will do.
    pub optimal: bool,
    /// The number of copies that must change at least; proven.
    pub bound: i64,
    /// Whether the choice among equally small changes saw all of them.
    pub settled: bool,
    /// Whether more than half of the deck comes in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mostly_new: bool,
    /// What changes.
    pub changes: Vec<Change>,
    /// The deck after the changes.
    pub after: After,
    /// Cards that may stand in for cards of the banlist.
    #[serde(skip)]
    pub substitutes: Vec<Substitute>,
    /// The changed deck, in what the deck is written in.
    #[serde(skip)]
    pub file: DeckFile,
    /// Lines for people that need the deck itself.
    #[serde(skip)]
    hints: Hints,
}

impl FoundDeck for FixedDeck {
    const ABSENT: &'static [(&'static str, Value)] = &[
        ("distance", Value::Null),
        ("optimal", Value::Bool(false)),
        ("changes", Value::Array(Vec::new())),
        ("after", Value::Null),
    ];
}

impl Serialize for FixAnswer {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "schema", rename = "decklaw/fix/1")]
        struct Document<'a> {
            deck: &'a str,
            #[serde(flatten)]
            found: Found<'a, FixedDeck>,
            notes: &'a Notes,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            substitutes: &'a [Substitute],
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            renamed: &'a [RenamedCard],
            #[serde(flatten)]
            none: Option<&'a NoDeck>,
            rules: &'a Value,
        }
        let found = self.outcome.found();
        let document = Document {
            deck: &self.deck,
            found: Found(&self.outcome),
            notes: &self.notes,
            substitutes: found.map_or(&[], |found| &found.substitutes),
            renamed: &self.renamed,
            none: self.outcome.none(),
            rules: &self.rules,
        };
        document.serialize(to)
    }
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
    /// The format that its header now names, where it named another.
    pub format: Option<String>,
}

impl DeckFile {
    /// The file as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }
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

impl FixAnswer {
    /// The changed deck, in what the deck is written in.
    pub fn text(&self) -> Option<&str> {
        self.outcome.found().ok().map(|found| found.file.text())
    }

    fn of(
        outcome: Outcome<FixedDeck>,
        notes: Notes,
        renamed: Vec<RenamedCard>,
        rules: Value,
    ) -> FixAnswer {
        FixAnswer { deck: "-".to_owned(), outcome, notes, renamed, rules, written: false }
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
        let format = self.resolved.rulebook().format().id();
        // The next reader of the file knows no option of this call.
        let is_meant = |word: &str| {
            let meant = self.entry.judge.catalogue().format(word);
            meant.is_ok_and(|meant| meant.id() == format)
        };
        let other = deck.format.as_ref().filter(|own| !is_meant(&own.value));
        let mut renamed = Cow::Borrowed(deck);
        if let Some(other) = other {
            let value = format.to_owned().into();
            renamed.to_mut().format = Some(Located { value, span: other.span });
        }
        let deck = &*renamed;
        let changed = solve::rewrite(text, input, deck, self.before(), after);
        let (bytes, input, rewritten) = match changed {
            Ok(bytes) if input == Input::Text && other.is_some() => {
                let span = other.map(|other| other.span).unwrap_or_default();
                let mark = bytes.len() - without_bom(&bytes).len();
                let mut bytes = bytes;
                bytes.splice(mark + span.start..mark + span.end, format.bytes());
                (bytes, input, None)
            }
            Ok(bytes) if input == Input::Text && deck.format.is_none() => {
                let gap = if deck.name.is_some() || deck.player.is_some() { "" } else { "\n" };
                let header = format!("Format: {format}\n{gap}");
                ([header.as_bytes(), &bytes].concat(), input, None)
            }
            Ok(bytes) => (bytes, input, None),
            Err(error) => {
                let (bytes, input) = solve::anew(input, deck, after);
                (bytes, input, Some(error.to_owned()))
            }
        };
        let mut report = self.entry.judge.judge_as("-", &bytes, input, Some(format))?;
        // What is written must be read as what was found.
        if report.hash.as_deref() != Some(after.hash().as_str()) {
            return Err(problem::defect());
        }
        let at_registration = if swapped { report.as_played() } else { Vec::new() };
        let format = other.map(|_| format.to_owned());
        let file = DeckFile { bytes, input, rewritten, at_registration, format };
        Ok((file, report.into()))
    }

    fn fixed(
        &self,
        reasons: Vec<(resolve::Change, Vec<String>)>,
        swapped: bool,
    ) -> Result<FixedDeck, Problem> {
        let (before, found) = (self.before(), self.found);
        let (file, after) = self.written(swapped)?;
        let hints = Hints::of(before, found, &reasons);
        let reasons = reasons.into_iter().map(|(change, rules)| (change, Some(rules)));
        Ok(FixedDeck {
            distance: found.distance,
            optimal: found.optimal(),
            bound: found.bound(),
            settled: found.settled,
            mostly_new: found.is_mostly_new(before),
            changes: Change::all(before, reasons),
            after,
            substitutes: Vec::new(),
            file,
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
}

impl Prove for Fix {
    fn certified(self, library: &Library, prove: bool) -> Result<Certified<FixAnswer>, Problem> {
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
        let solved = Outcome::of(&solved, |conflict| conflict.sentences(before, &wishes));
        let outcome = match solved {
            Outcome::None(none) => Outcome::None(none),
            Outcome::Found(found) => {
                if found.optimal() && !found.settled {
                    notes.cut_short("the choice among equally small changes was cut short (`--effort` raises the limit)");
                }
                let reasons = solve::reasons(before, &found.deck, &wishes);
                // Without one of its changes a smallest repair is no repair, so each has a reason.
                let open = reasons.iter().filter(|(_, rules)| rules.is_empty()).count();
                if found.optimal() && open > 0 {
                    notes.cut_short(format!(
                        "no reason is shown for {}: the search for reasons reached its limit",
                        counted(open as i64, "change")
                    ));
                }
                let taste = wishes.taste.as_deref();
                let substitutes = taste.map(|taste| solve::substitutes(before, &found.deck, taste));
                let work = Work { entry: &entry, source: &source, resolved: &resolved, found };
                Outcome::Found(FixedDeck {
                    substitutes: substitutes.unwrap_or_default(),
                    ..work.fixed(reasons, false)?
                })
            }
        };
        Ok((FixAnswer::of(outcome, notes, renamed, rules), proof))
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
        let sentences =
            |conflict: &solve::Conflict| conflict.sentences(before, &swap.wishes(before));
        let outcome = match Outcome::of(&solved, sentences) {
            Outcome::None(none) => Outcome::None(none),
            Outcome::Found(found) => {
                let wrong = swap.wrong_besides(&found.deck);
                if wrong.is_empty() {
                    let work = Work { entry: &entry, source: &source, resolved: &resolved, found };
                    let changes = before.changes_to(&found.deck).into_iter();
                    let changes = changes.map(|change| (change, Vec::new())).collect();
                    Outcome::Found(work.fixed(changes, true)?)
                } else {
                    Outcome::None(NoDeck::because(format!(
                        "no swap makes this deck legal, since this stays as it is:\n  - {}\nFix it first with `decklaw fix`.",
                        wrong.join("\n  - ")
                    )))
                }
            }
        };
        let rules = entry.rules_of(resolved.rulebook(), &[TASTES])?;
        Ok(FixAnswer::of(outcome, Notes::of(&resolved), Vec::new(), rules))
    }
}

/// The changed deck as an output.
pub const DECK: Kind = Kind::Data("deck");

impl Written for FixAnswer {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json, DECK];
}

impl Render for FixAnswer {
    fn human(&self, page: &TextStyle) -> String {
        match &self.outcome {
            Outcome::Found(found) => self.found_text(found, page),
            Outcome::None(none) => refused(&format!("{}: {none}", self.deck), page.width),
        }
    }

    fn json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        self.notes.about(&self.deck)
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        Ok((kind == DECK).then(|| match &self.outcome {
            Outcome::Found(found) => Rendering::Data(found.file.bytes.clone()),
            Outcome::None(none) => {
                Rendering::Missing(format!("{}: {}", self.deck, none.to_string().trim_end()))
            }
        }))
    }

    fn is_ok(&self) -> bool {
        self.outcome.none().is_none()
    }
}

impl FixAnswer {
    fn found_text(&self, found: &FixedDeck, page: &TextStyle) -> String {
        let mut out = String::new();
        let what = match found.distance {
            0 if !self.renamed.is_empty() => "legal with its names corrected".to_owned(),
            _ => found.to_string(),
        };
        paragraph(&mut out, &format!("{}: {what}", self.deck), None, page);
        if !self.renamed.is_empty() {
            out.push_str("\nnames corrected\n");
            for one in &self.renamed {
                out.push_str(&format!("  {}\n", escape_control(&one.to_string(), false)));
            }
        }
        let mut section = None;
        for (change, near) in found.changes.iter().zip(&found.hints.near) {
            if section != Some(&change.section) {
                section = Some(&change.section);
                out.push_str(&format!("\n{}\n", escape_control(&change.section, false)));
            }
            write_change(&mut out, change, near, page);
        }
        if found.distance > 0 {
            for (at, finding) in found.after.findings.iter().enumerate() {
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
            for advice in found.advice(&self.deck) {
                out.push('\n');
                paragraph(&mut out, &advice, None, page);
            }
        }
        if self.written {
            out.push_str("\nwritten\n");
        }
        out
    }
}

impl std::fmt::Display for FixedDeck {
    /// `2 changes, proven minimal`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.distance {
            0 => return out.write_str("legal as it is"),
            1 => out.write_str("1 change")?,
            distance => write!(out, "{distance} changes")?,
        }
        match self.optimal {
            true => out.write_str(", proven minimal"),
            false => write!(
                out,
                "; not proven minimal (search limit reached, at least {} needed; `--effort` raises the limit)",
                self.bound
            ),
        }
    }
}

impl FixedDeck {
    /// What else a player may do with a deck that is called `deck`.
    fn advice(&self, deck: &str) -> Vec<String> {
        let mut advice = Vec::new();
        if self.mostly_new {
            let plain = |next: char| next.is_alphanumeric() || "./_-".contains(next);
            let name = match deck.chars().all(plain) {
                true => deck.to_owned(),
                false => format!("'{}'", deck.replace('\'', "'\\''")),
            };
            advice.push(format!(
                "More than half of this deck comes in: `decklaw build --from {name}` finishes it by your wishes."
            ));
        }
        if let Some(leader) = &self.hints.leader {
            let name = escape_control(leader, false).replace('\'', "'\\''");
            advice.push(format!("`--keep '\"{name}\"'` looks for a fix that keeps this card"));
        }
        let substitutes = self.substitutes.iter().filter(|one| !one.instead.is_empty());
        advice.extend(substitutes.map(Substitute::to_string));
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
    let rules = change.rules.as_deref().unwrap_or_default();
    if !rules.is_empty() {
        let why = escape_control(&rules.join(", "), false).into_owned();
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
