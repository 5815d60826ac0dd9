//! What is said of a form as a whole, so that it fits a screen: what broke by rule and player,
//! who is late, who is missing, and which rows somebody should look at.

use crate::judge::DeckReport;
use crate::name::fold;
use crate::remedy::{Remedy, Words};
use crate::rules::Severity;
use crate::submissions::{Submission, Survey};
use crate::text::{counted, harmless, listed, wrapped};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

/// The most players or rows that are kept of one kind; the others are counted.
const MOST_KEPT: usize = 1_000;
/// The most lines of one kind, unless more is asked for.
const MOST_LINES: usize = 2;
/// The most rules that are listed, unless more is asked for.
const MOST_RULES: usize = 8;
/// The most rows that a sentence lists.
const MOST_LISTED: usize = 20;

/// Somebody who is expected to hand in a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// By name.
    pub name: String,
    /// By an address or a number, where the list has one.
    pub identity: Option<String>,
}

/// The first half of a deck's digest, which no two decks of a run share by chance.
type Content = [u8; 16];

/// What is of a kind: the first of it, and how much there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Kind {
    shown: Vec<String>,
    all: usize,
}

impl Kind {
    fn push(&mut self, one: String) {
        self.all += 1;
        if self.shown.len() < MOST_KEPT {
            self.shown.push(one);
        }
    }

    fn merge(&mut self, other: Kind) {
        self.all += other.all;
        let room = MOST_KEPT.saturating_sub(self.shown.len());
        self.shown.extend(other.shown.into_iter().take(room));
    }
}

/// What the decks of a form come to, told as they are judged.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// Whose deck breaks each rule: of the decks that count.
    broken: BTreeMap<String, Kind>,
    without_deck: Kind,
    late_players: Kind,
    unread_players: Kind,
    /// Rows that are late, whether they count or not.
    late: Vec<u64>,
    /// Late rows beside one that counts, and that one.
    beside: Vec<(u64, u64)>,
    /// Rows with a remark about times that are not understood.
    unread: Vec<u64>,
    /// What tells which decks are the same: 24 bytes a row.
    decks: Vec<(Content, u64)>,
    /// Whether players are told by name, and then those of the rows that count.
    names: BTreeMap<u64, String>,
    /// The players of rows that count, where somebody is expected.
    people: Option<Vec<(String, Option<String>, u64)>>,
    players: usize,
}

/// What the end of a run tells of a form: see [`Overview::told`].
#[derive(Debug, Clone)]
pub struct FormTold<'f> {
    overview: Overview,
    survey: &'f Survey,
    /// Groups of rows that hand in the same deck, ascending.
    same: Vec<Vec<u64>>,
    missing: Vec<String>,
    unlisted: Vec<String>,
    /// How what whoever asked could give is worded.
    words: Words,
}

impl Overview {
    /// An overview that has seen no deck. `expecting`: whether it will be compared with a list
    /// of players.
    pub fn new(expecting: bool) -> Overview {
        Overview {
            people: expecting.then(Vec::new),
            ..Overview::default()
        }
    }

    /// Sees a row of a form, whatever its deck is.
    pub fn see(&mut self, row: &Submission, player: Option<&str>) {
        let player = harmless(player.unwrap_or_default(), false);
        let called = |more: String| called(&player, row, &more);
        if row.late {
            self.late.push(row.row);
            let counts = row.beside.filter(|_| !row.counts);
            let counts = counts.map_or_else(String::new, |row| format!("; row {row} counts"));
            self.late_players.push(called(counts));
        }
        if !row.times_not_understood.is_empty() {
            self.unread.push(row.row);
            self.unread_players.push(called(String::new()));
        }
        if !row.counts {
            self.beside.extend(row.beside.map(|by| (row.row, by)));
            return;
        }
        self.players += 1;
        if !row.namesakes.is_empty() {
            self.names.insert(row.row, player.into_owned());
        }
    }

    /// Sees a deck of a form; of others it says nothing.
    pub fn add(&mut self, report: &DeckReport) {
        let Some(row) = &report.submission else {
            return;
        };
        self.see(row, report.player.as_deref());
        if !row.counts {
            return;
        }
        let player = harmless(report.player.as_deref().unwrap_or_default(), false);
        let called = || called(&player, row, "");
        if let Some(people) = &mut self.people {
            let name = report.player.as_deref().unwrap_or_default();
            let identity = row.identity.as_deref().map(|text| fold(text).into_owned());
            people.push((name.to_owned(), identity, row.row));
        }
        let content = report.hash.as_deref().and_then(content);
        self.decks.extend(content.map(|content| (content, row.row)));
        if row.empty {
            self.without_deck.push(called());
            return;
        }
        let errors = report.findings.iter();
        let errors = errors.filter(|finding| finding.severity == Severity::Error);
        let rules: BTreeSet<&str> = errors.map(|finding| finding.rule.as_str()).collect();
        for rule in rules {
            let players = self.broken.entry(rule.to_owned()).or_default();
            players.push(called());
        }
    }

    /// Adds what another part of the run found, which comes behind this one.
    pub fn merge(&mut self, other: Overview) {
        for (rule, players) in other.broken {
            self.broken.entry(rule).or_default().merge(players);
        }
        self.without_deck.merge(other.without_deck);
        self.late_players.merge(other.late_players);
        self.unread_players.merge(other.unread_players);
        self.late.extend(other.late);
        self.beside.extend(other.beside);
        self.unread.extend(other.unread);
        self.decks.extend(other.decks);
        self.names.extend(other.names);
        self.players += other.players;
        match (&mut self.people, other.people) {
            (Some(own), Some(others)) => own.extend(others),
            (own @ None, others) => *own = others,
            (Some(_), None) => {}
        }
    }

    /// Compares all that was seen with the form and with who is `expected`.
    pub fn told<'f>(
        mut self,
        survey: &'f Survey,
        expected: &[Expected],
        words: Words,
    ) -> FormTold<'f> {
        self.decks.sort_unstable();
        let alike = self.decks.chunk_by(|(one, _), (next, _)| one == next);
        let mut same: Vec<Vec<u64>> = alike
            .filter(|alike| alike.len() > 1)
            .map(|alike| alike.iter().map(|(_, row)| *row).collect())
            .collect();
        same.sort_unstable();
        let people = self.people.take().unwrap_or_default();
        let (missing, unlisted) = compared(expected, people);
        FormTold {
            overview: self,
            survey,
            same,
            missing,
            unlisted,
            words,
        }
    }
}

/// Who of a list is not there, and who is there and not on it: by identity, else by name.
fn compared(
    expected: &[Expected],
    people: Vec<(String, Option<String>, u64)>,
) -> (Vec<String>, Vec<String>) {
    if expected.is_empty() {
        return (Vec::new(), Vec::new());
    }
    // Found by what they are called, in the order of their rows.
    let mut of_identity: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    // Those of a name who gave an identity, and those who did not.
    let mut of_name: BTreeMap<String, [VecDeque<usize>; 2]> = BTreeMap::new();
    for (at, (name, identity, _)) in people.iter().enumerate() {
        if let Some(identity) = identity {
            of_identity.entry(identity).or_default().push_back(at);
        }
        let of_name = of_name.entry(fold(name).into_owned()).or_default();
        of_name[usize::from(identity.is_none())].push_back(at);
    }
    let mut there = vec![false; people.len()];
    let mut unsure = Vec::new();
    for one in expected {
        let identity = one.identity.as_deref().map(fold);
        let found = identity.and_then(|identity| of_identity.get_mut(&*identity)?.pop_front());
        match found {
            Some(at) => there[at] = true,
            None => unsure.push(one),
        }
    }
    let mut missing = Vec::new();
    for one in unsure {
        let found = of_name.get_mut(&*fold(&one.name)).and_then(|of_name| {
            for known in of_name.iter_mut() {
                while known.front().is_some_and(|at| there[*at]) {
                    known.pop_front();
                }
            }
            // Of two with one name the address decides.
            let [with, without] = of_name;
            let first = match (one.identity.is_some(), with.front(), without.front()) {
                (true, ..) | (_, None, _) => without,
                (_, Some(_), None) => with,
                (_, Some(one), Some(other)) if one < other => with,
                _ => without,
            };
            first.pop_front()
        });
        match found {
            Some(at) => there[at] = true,
            None => missing.push(harmless(&one.name, false).into_owned()),
        }
    }
    let called = |(name, _, row): (String, Option<String>, u64)| {
        let name = harmless(&name, false);
        match name.as_ref() {
            "" => format!("row {row}"),
            name => format!("{name} (row {row})"),
        }
    };
    let left = people.into_iter().zip(there);
    let left = left.filter(|(_, there)| !there);
    (missing, left.map(|(one, _)| called(one)).collect())
}

/// A player and the row, in a few words.
fn called(player: &str, row: &Submission, more: &str) -> String {
    match player {
        "" => format!("row {}{more}", row.row),
        player => format!("{player} (row {}{more})", row.row),
    }
}

fn content(hash: &str) -> Option<Content> {
    let half = u128::from_str_radix(hash.get(..32)?, 16).ok()?;
    Some(half.to_be_bytes())
}

impl FormTold<'_> {
    /// As it stands in a document of JSON.
    pub fn to_json(&self) -> Value {
        let (survey, seen) = (self.survey, &self.overview);
        let terms = survey.terms();
        let pairs = |pairs: &[(u64, u64)]| -> Vec<Value> {
            let pairs = pairs.iter();
            pairs
                .map(|(row, by)| json!({"row": row, "by": by}))
                .collect()
        };
        let due = terms.deadline.as_ref();
        json!({
            "rows": survey.rows(),
            "players": seen.players,
            "deadline": due.map(|due| due.at.to_string()),
            "deadline_means": due.map(|due| due.words(survey.zones())),
            "policy": due.map(|_| terms.late.word()),
            "late": seen.late,
            "beside": pairs(&seen.beside),
            "times_not_understood": seen.unread,
            "zones": survey.of_zones(),
            "replaced": pairs(&survey.replaced()),
            "identical": self.same,
            "namesakes": survey.namesakes(),
            "renamed": survey.renamed(),
            "missing": self.missing,
            "unlisted": self.unlisted,
            "unused": survey.unused_decks(),
        })
    }

    /// In sentences, a line each.
    pub fn sentences(&self) -> Vec<String> {
        let (survey, seen) = (self.survey, &self.overview);
        let mut said = vec![format!("{} read", number(survey.rows(), "row"))];
        said.extend(self.deadline());
        said.extend(survey.of_zones().map(str::to_owned));
        if !seen.late.is_empty() {
            said.push(format!("late: {}", rows(&seen.late)));
        }
        if !seen.unread.is_empty() {
            let rows = rows(&seen.unread);
            said.push(format!("time missing or not understood: {rows}"));
        }
        let replaced = survey.replaced();
        if !replaced.is_empty() {
            let each = first(&replaced, |(row, by)| format!("{row} by {by}"));
            said.push(format!(
                "replaced by another row of the same player: {each}"
            ));
        }
        for (what, people) in [
            ("missing", &self.missing),
            ("not on the list", &self.unlisted),
        ] {
            if !people.is_empty() {
                said.push(format!("{what}: {}", first(people, String::clone)));
            }
        }
        said.extend(self.doubts());
        for same in self.same.iter().take(MOST_LISTED) {
            said.push(format!("the same deck: {}", rows(same)));
        }
        if let Some(left) = more(self.same.len()) {
            said.push(format!("the same deck: {left} groups of rows"));
        }
        said
    }

    fn deadline(&self) -> Option<String> {
        let due = self.survey.terms().deadline.as_ref()?;
        Some(format!("deadline: {}", due.words(self.survey.zones())))
    }

    /// What somebody should look at: who is who, and decks that nobody reads.
    fn doubts(&self) -> Vec<String> {
        let survey = self.survey;
        let mut said = Vec::new();
        for group in survey.namesakes().iter().take(MOST_LISTED) {
            let name = group.first().and_then(|row| self.overview.names.get(row));
            let name = name.map_or("one name", String::as_str);
            said.push(format!(
                "{name}: {} players by their addresses or numbers, {}",
                group.len(),
                rows(group)
            ));
        }
        for group in survey.renamed().iter().take(MOST_LISTED) {
            said.push(format!(
                "one player by the address or number, and several names: {}; {}",
                rows(group),
                (self.words)(&Remedy::ByNames)
            ));
        }
        for column in survey.unused_decks() {
            said.push(format!(
                "the column `{column}` looks like a deck and was not read; {}",
                (self.words)(&Remedy::DeckColumn(column.clone()))
            ));
        }
        said
    }

    /// The whole in lines that fit a screen of so many columns: `title` names the form. All of
    /// it where `verbose`.
    pub fn lines(&self, title: &str, width: usize, verbose: bool) -> String {
        let (survey, seen) = (self.survey, &self.overview);
        let title = harmless(title, false);
        let players = counted(i64::try_from(seen.players).unwrap_or(i64::MAX), "player");
        let mut out = format!("{title}: {}, {players}\n", number(survey.rows(), "row"));
        for sentence in self
            .deadline()
            .into_iter()
            .chain(survey.of_zones().map(str::to_owned))
        {
            fold_into(&mut out, &sentence, width);
        }
        let mut rules: Vec<(&String, &Kind)> = seen.broken.iter().collect();
        rules.sort_by(|a, b| b.1.all.cmp(&a.1.all).then(a.0.cmp(b.0)));
        let most = if verbose { usize::MAX } else { MOST_RULES };
        let left = rules.len().saturating_sub(most);
        let mut kinds: Vec<(String, usize, Vec<String>)> = Vec::new();
        for (rule, players) in rules.into_iter().take(most) {
            let rule = harmless(rule, false).into_owned();
            kinds.push((rule, players.all, players.shown.clone()));
        }
        if left > 0 {
            kinds.push((format!("and {left} more rules"), 0, Vec::new()));
        }
        let people = |what: &str, some: &Kind| (what.to_owned(), some.all, some.shown.clone());
        let list = |what: &str, some: &[String]| (what.to_owned(), some.len(), some.to_vec());
        let replaced = survey.replaced();
        let replaced: Vec<String> = replaced
            .iter()
            .map(|(row, by)| format!("row {row} by {by}"))
            .collect();
        let same: Vec<String> = self.same.iter().map(|group| rows(group)).collect();
        let others = [
            people("no deck", &seen.without_deck),
            people("late", &seen.late_players),
            people("time not understood", &seen.unread_players),
            list("missing", &self.missing),
            list("not on the list", &self.unlisted),
            list("replaced", &replaced),
            list("the same deck", &same),
        ];
        kinds.extend(others.into_iter().filter(|(_, all, _)| *all > 0));
        let label = |kind: &(String, usize, Vec<String>)| width_of(&kind.0);
        let labels = kinds.iter().map(label).max().unwrap_or_default();
        let labels = labels.min(width / 3);
        let counts = kinds.iter().map(|kind| kind.1.to_string().len());
        let counts = counts.max().unwrap_or_default();
        for (what, all, names) in &kinds {
            group(
                &mut out,
                (what, *all),
                names,
                (labels, counts, width),
                verbose,
            );
        }
        for doubt in self.doubts() {
            fold_into(&mut out, &harmless(&doubt, false), width);
        }
        out
    }
}

/// A kind and who is of it: a label, a number, and names beside them in a few lines.
fn group(
    out: &mut String,
    (what, all): (&str, usize),
    names: &[String],
    (labels, counts, width): (usize, usize, usize),
    verbose: bool,
) {
    let pad = " ".repeat(labels.saturating_sub(width_of(what)));
    let count = if all > 0 {
        all.to_string()
    } else {
        String::new()
    };
    let indent = labels + counts + 6;
    let room = width.saturating_sub(indent).max(20);
    let joined = |shown: &[String]| wrapped(&shown.join(", "), room);
    let mut shown = names.len();
    let mut lines = joined(names);
    if !verbose && (lines.len() > MOST_LINES || all > shown) {
        // As many whole names as leave room for the number of the others.
        shown = shown.min(MOST_LINES * room);
        loop {
            let left = all - shown;
            let mut some = names[..shown].to_vec();
            if left > 0 {
                some.push(format!("and {left} more"));
            }
            lines = joined(&some);
            if lines.len() <= MOST_LINES || shown <= 1 {
                break;
            }
            shown -= 1;
        }
    }
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let line = format!("  {what}{pad}  {count:>counts$}  {first}");
    out.push_str(line.trim_end());
    out.push('\n');
    for line in lines {
        let _ = writeln!(out, "{}{line}", " ".repeat(indent));
    }
}

fn width_of(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A sentence in lines, those below the first further in.
fn fold_into(out: &mut String, sentence: &str, width: usize) {
    for (at, line) in wrapped(sentence, width.saturating_sub(2).max(20))
        .into_iter()
        .enumerate()
    {
        let indent = if at == 0 { "" } else { "  " };
        let _ = writeln!(out, "{indent}{line}");
    }
}

fn number(count: u64, noun: &str) -> String {
    counted(i64::try_from(count).unwrap_or(i64::MAX), noun)
}

fn rows(rows: &[u64]) -> String {
    let noun = if rows.len() == 1 { "row" } else { "rows" };
    format!("{noun} {}", first(rows, u64::to_string))
}

/// The first of some things in a sentence, and how many are left.
fn first<T>(all: &[T], shown: impl Fn(&T) -> String) -> String {
    let each: Vec<String> = all.iter().take(MOST_LISTED).map(shown).collect();
    match more(all.len()) {
        Some(left) => format!("{} and {left}", each.join(", ")),
        None => listed(&each, "and"),
    }
}

fn more(length: usize) -> Option<String> {
    let left = length.saturating_sub(MOST_LISTED);
    (left > 0).then(|| format!("{left} more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn someone(name: &str, identity: &str) -> Expected {
        Expected {
            name: name.to_owned(),
            identity: Some(identity.to_owned()).filter(|text| !text.is_empty()),
        }
    }

    #[test]
    fn who_is_expected_is_found_by_identity_and_else_by_name() {
        let people = |people: &[(&str, &str)]| -> Vec<(String, Option<String>, u64)> {
            let rows = (2_u64..).zip(people);
            let one = |(row, (name, id)): (u64, &(&str, &str))| {
                let id = Some((*id).to_owned()).filter(|id| !id.is_empty());
                ((*name).to_owned(), id, row)
            };
            rows.map(one).collect()
        };
        let expected = [
            someone("Ana", ""),
            someone("Kim", "k1"),
            someone("Kim", "k2"),
            someone("Lee", ""),
            someone("Lee", ""),
            someone("Mia", "m"),
        ];
        let there = people(&[
            ("ana", "a"),
            ("Kim", "k2"),
            ("LEE", ""),
            ("Mia", ""),
            ("Zoe", ""),
        ]);
        let (missing, unlisted) = compared(&expected, there);
        assert_eq!(missing, ["Kim", "Lee"]);
        assert_eq!(unlisted, ["Zoe (row 6)"]);
        assert_eq!(compared(&[], people(&[("Ana", "")])), (vec![], vec![]));
    }

    #[test]
    fn a_group_of_many_names_stays_within_two_lines_and_says_how_many_are_left() {
        let names: Vec<String> = (0..300)
            .map(|at| format!("Player {at} (row {at})"))
            .collect();
        let mut out = String::new();
        group(&mut out, ("copies", 300), &names, (10, 3, 80), false);
        assert_eq!(out.lines().count(), 2, "{out}");
        assert!(out.lines().all(|line| line.len() <= 80), "{out}");
        let named = out.matches("Player").count();
        assert!(out.contains(&format!("and {} more", 300 - named)), "{out}");
    }
}
