//! A mend is something that can be done, and helps: done to the deck's own lines, the finding goes
//! away. Where it leaves a choice, such as which card to add, there is one that helps.

use super::{cases, judge_of, judged, notes, texts};
use decklaw::deck::Input;
use decklaw::judge::{Finding, Judge, ReadDeck};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How often a message of one kind is tried.
const OFTEN: usize = 3;

/// Mends that ask for what no line of the deck tells: each is met, so that none stays here that
/// is gone.
const ELSEWHERE: [&str; 10] = [
    "use a card file that has",
    "check the spelling",
    "correct the line `",
    "The headers are ",
    "Copies are whole numbers",
    "keep one card in the ",
    "Write the letter again",
    "The only section is `…`.",
    "The sections are `…`, `…` and `…`.",
    "The sections are `…`, `…`, `…` and `…`.",
];

/// A mend without its names and numbers.
fn shape(help: &str) -> String {
    let mut words = String::new();
    for (at, part) in help.split('`').enumerate() {
        match at % 2 {
            0 => words.extend(part.chars().filter(|next| !next.is_ascii_digit())),
            _ => words.push_str("`…`"),
        }
    }
    words
}

/// The number with which a mend begins, behind some words, and what follows.
fn number<'m>(help: &'m str, words: &str) -> Option<(u32, &'m str)> {
    let (digits, rest) = help.strip_prefix(words)?.split_once(' ')?;
    Some((digits.parse().ok()?, rest))
}

/// What stands between quotation marks of code.
fn quoted(text: &str) -> Option<&str> {
    Some(text.split_once('`')?.1.split_once('`')?.0)
}

/// A deck as lines: where each card stands, how many copies and in which section.
struct Deck {
    lines: Vec<String>,
    cards: Vec<Held>,
    names: Vec<String>,
}

struct Held {
    line: usize,
    copies: u32,
    section: String,
    name: String,
}

impl Deck {
    fn of(judge: &Judge, text: &str) -> Option<Deck> {
        let lines = text.lines().map(|line| match line.split_once(" (") {
            // Totals in headings would no longer be right.
            Some((word, rest))
                if rest.trim_end_matches(')').parse::<u32>().is_ok()
                    && !word.starts_with(|next: char| next.is_ascii_digit()) =>
            {
                word.to_owned()
            }
            _ => line.to_owned(),
        });
        let lines = lines.collect();
        let ReadDeck::Deck(deck) = judge.read(text.as_bytes(), Input::Text, None).ok()? else {
            return None;
        };
        let (list, sections) = (deck.list(), &deck.deck().sections);
        let held = deck.deck().lines.iter().zip(deck.cards());
        let cards = held.map(|(line, card)| Held {
            line: line.line as usize - 1,
            copies: line.count,
            section: sections[usize::from(line.section)].id.to_string(),
            name: list.name(*card).to_owned(),
        });
        let pool = list.pool();
        Some(Deck {
            lines,
            cards: cards.collect(),
            names: pool.ids().map(|card| pool.name(card).to_owned()).collect(),
        })
    }

    /// With other copies of what stands in a line.
    fn with(&self, changes: &[(usize, u32)]) -> String {
        let mut lines = self.lines.clone();
        for (at, copies) in changes {
            let held = &self.cards[*at];
            lines[held.line] = match copies {
                0 => String::new(),
                copies => format!("{copies} {}", held.name),
            };
        }
        lines.join("\n")
    }

    /// With the copies that the fix of a finding says.
    fn fixed(&self, finding: &Finding) -> String {
        let mut changes = Vec::new();
        for fix in &finding.fix {
            let mut left = u32::try_from(fix.to).unwrap();
            for (at, held) in self.cards.iter().enumerate() {
                if held.section == fix.section && held.name == fix.card {
                    let kept = left.min(held.copies);
                    left -= kept;
                    changes.push((at, kept));
                }
            }
        }
        self.with(&changes)
    }

    /// With copies of one card more in a section.
    fn and(&self, copies: u32, name: &str, section: &str) -> String {
        let mut lines = self.lines.clone();
        let card = format!("{copies} {name}");
        match self.cards.iter().rfind(|held| held.section == section) {
            Some(last) => lines.insert(last.line + 1, card),
            None => lines.push(format!("\n{section}\n{card}")),
        }
        lines.join("\n")
    }

    /// Without so many copies of the lines at these places: from each on in turn.
    fn without(&self, out: u32, own: &[usize]) -> Vec<String> {
        let from = |first: usize| {
            let mut left = out;
            let turn = own[first..].iter().chain(&own[..first]);
            let taken = turn.map(|at| {
                let taken = left.min(self.cards[*at].copies);
                left -= taken;
                (*at, self.cards[*at].copies - taken)
            });
            self.with(&taken.collect::<Vec<_>>())
        };
        (0..own.len()).map(from).collect()
    }
}

/// The decks that a mend may mean, one of which helps; `None`: it says nothing of a deck's lines.
fn meant(judge: &Judge, text: &str, finding: &Finding) -> Option<Vec<String>> {
    let help = finding.help.as_deref()?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = finding.line.map(|line| line - 1);
    if finding.rule == "syntax" {
        let at = at?;
        let line = lines.get_mut(at)?;
        let lower = help.to_lowercase();
        let written = lower.find("write `").map(|begin| &help[begin..]);
        let counted = ["needs a count: ", "the number of copies: "]
            .iter()
            .find_map(|before| help.split_once(before));
        let counted = counted.map(|(_, rest)| rest);
        let kept = help.strip_prefix("Keep the one that is meant: ");
        if let Some(text) = written.or(counted).or(kept) {
            *line = quoted(text)?.replace("NAME", "Nobody");
        } else if let Some((_, rest)) = help.split_once("above it and `") {
            let bare = rest.split_once('`')?.0.to_owned();
            *line = format!("Side\n{bare}");
        } else if help.contains("take the blank line out") {
            lines.remove(at.checked_sub(1)?);
        } else if help.starts_with("Correct the total") {
            *line = line.split([':', '(']).next()?.trim_end().to_owned();
        } else if [
            "Keep one of the two",
            "Leave the card out",
            "Take the line out",
        ]
        .iter()
        .any(|begin| help.starts_with(begin))
            || help.contains("or take the line out")
        {
            lines.remove(at);
        } else {
            return None;
        }
        return Some(vec![lines.join("\n")]);
    }
    if let Some(meant) = help.strip_prefix("did you mean `") {
        let (meant, old) = (meant.split_once('`')?.0, finding.cards.first()?);
        let line = lines.get_mut(at?)?;
        *line = line.replace(old.as_str(), meant);
        return Some(vec![lines.join("\n")]);
    }
    let deck = Deck::of(judge, text)?;
    let named = finding.cards.first().map(|name| decklaw::name::fold(name));
    let here = |held: &Held| {
        finding
            .section
            .as_deref()
            .is_none_or(|id| id == held.section)
    };
    let its = |held: &Held| {
        let name = decklaw::name::fold(&held.name);
        named.as_ref().is_none_or(|named| *named == name)
    };
    let places = |fits: &dyn Fn(&Held) -> bool| -> Vec<usize> {
        let all = 0..deck.cards.len();
        all.rev().filter(|at| fits(&deck.cards[*at])).collect()
    };
    let own = places(&|held| here(held) && its(held));
    if help.contains("choose a card of ") {
        let instead = |name: &String| {
            let mut lines = deck.lines.clone();
            for at in &own {
                let held = &deck.cards[*at];
                lines[held.line] = format!("{} {name}", held.copies);
            }
            lines.join("\n")
        };
        return Some(deck.names.iter().map(instead).collect());
    }
    let out_of = ["remove it", "remove every copy"];
    if out_of.iter().any(|begin| help.starts_with(begin)) {
        return Some(deck.without(u32::MAX, &own));
    }
    if help.starts_with("keep it in only one of them") {
        let copies = |at: &usize| vec![(*at, 0)];
        let lines = places(&its);
        return Some(lines.iter().map(|at| deck.with(&copies(at))).collect());
    }
    if let Some((names, _)) = number(help, "remove all copies of ") {
        let names: BTreeSet<&str> = own
            .iter()
            .map(|at| deck.cards[*at].name.as_str())
            .take(names as usize)
            .collect();
        let gone = own
            .iter()
            .filter(|at| names.contains(deck.cards[**at].name.as_str()));
        return Some(vec![
            deck.with(&gone.map(|at| (*at, 0)).collect::<Vec<_>>()),
        ]);
    }
    let listed = number(help, "remove listed cards worth ");
    if let Some((out, _)) = listed.or_else(|| number(help, "remove ")) {
        let group = places(&|held| here(held));
        // What is taken out may be worth more than one each.
        let fewer = (1..=out)
            .rev()
            .flat_map(|out| deck.without(out, if own.is_empty() { &group } else { &own }));
        return Some(fewer.collect());
    }
    let sections: Vec<String> = match &finding.section {
        Some(section) => vec![section.clone()],
        None => deck
            .cards
            .iter()
            .map(|held| held.section.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
    };
    if let Some((more, _)) = number(help, "add ") {
        let fits = |name: &&String| {
            named.is_none() || named.as_deref() == Some(&*decklaw::name::fold(name))
        };
        let mut after = Vec::new();
        for name in deck.names.iter().filter(fits) {
            // A card may be worth several of what is to be added.
            let worth = if named.is_some() { 1 } else { 6 };
            let copies: BTreeSet<u32> = (1..=worth).map(|worth| (more / worth).max(1)).collect();
            for copies in copies {
                after.extend(
                    sections
                        .iter()
                        .map(|section| deck.and(copies, name, section)),
                );
            }
        }
        return Some(after);
    }
    None
}

/// Whether a deck still has a finding.
fn stands(judge: &Judge, text: &str, finding: &Finding) -> bool {
    judged(judge, text).findings.iter().any(|other| {
        let same = (&other.rule, &other.code, &other.cards, &other.section)
            == (
                &finding.rule,
                &finding.code,
                &finding.cards,
                &finding.section,
            );
        let alike = finding.rule != "syntax" || other.message == finding.message;
        let help = |one: &Finding| one.help.as_deref().map(shape);
        same && alike && !(finding.cards.is_empty() && help(other) != help(finding))
    })
}

/// The settings that a mend asks an organiser for, given.
fn given(root: &Path, text: &str, help: &str) -> Option<Judge> {
    let named = help.strip_prefix("set `--set ")?;
    let mut settings = String::new();
    for name in named
        .split("--set ")
        .map(|part| part.split('=').next().unwrap())
    {
        let value = if name == "min" { 1 } else { 500 };
        settings += &format!("# set: {name}={value}\n");
    }
    Some(judge_of(root, &(settings + text)))
}

#[test]
fn what_a_mend_says_helps() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tried: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut met, mut wrong) = (BTreeSet::new(), Vec::new());
    let mut fixes = 0;
    let folders = ["decks", "tests/reading/corpus"];
    let decks = folders.map(|folder| root.join(folder));
    let decks = decks.iter().flat_map(|folder| texts(folder));
    for (name, text) in cases().chain(decks) {
        let own = text.lines().any(|line| line.starts_with("Format:"))
            || !notes(&text, "expect").is_empty();
        let judge = judge_of(root, &text);
        let judge = if own {
            judge
        } else {
            judge.with_format(Some("shell".to_owned()))
        };
        for finding in judged(&judge, &text).findings {
            if !finding.fix.is_empty() {
                fixes += 1;
                let deck = Deck::of(&judge, &text).map(|deck| deck.fixed(&finding));
                if deck.is_none_or(|deck| stands(&judge, &deck, &finding)) {
                    wrong.push(format!("{name}: {finding}: {:?}", finding.fix));
                }
            }
            let Some(help) = finding.help.as_deref() else {
                continue;
            };
            if let Some(known) = ELSEWHERE
                .iter()
                .find(|known| help.starts_with(**known) || shape(help) == **known)
            {
                met.insert(*known);
                continue;
            }
            let often = tried
                .entry((finding.code.to_string(), shape(help)))
                .or_default();
            *often += 1;
            if *often > OFTEN {
                continue;
            }
            let helps = match given(root, &text, help) {
                Some(judge) => !stands(&judge, &text, &finding),
                None => meant(&judge, &text, &finding)
                    .is_some_and(|decks| decks.iter().any(|deck| !stands(&judge, deck, &finding))),
            };
            if !helps {
                wrong.push(format!(
                    "{name}: {}: {}: {help}",
                    finding.code, finding.message
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {tried:#?}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(fixes > 40, "{fixes}");
    let codes: BTreeSet<&str> = tried.keys().map(|(code, _)| code.as_str()).collect();
    assert!(tried.len() > 40 && codes.len() > 15, "{tried:#?}");
    let gone: Vec<_> = ELSEWHERE
        .iter()
        .filter(|known| !met.contains(**known))
        .collect();
    assert!(gone.is_empty(), "{gone:?}");
}
