//! A game's rules tried over its cards, by their linear form: rules that no deck keeps together,
//! a rule that no deck can break, and conditions that always or never hold.
//!
//! Only what is proven is claimed: a question that takes too much work is left open.

mod questions;

use super::answer::Answer;
use super::problem::Problem as Legality;
use super::reduce::Objective;
use super::{Decklist, Repair, Wishes, repair};
use decklaw_cards::pool::Pool;
use decklaw_rules::format::{Format, Game, RuleEntry, Rulebook};
use decklaw_rules::rules::condition::Conditions;
use decklaw_rules::rules::{Contents, Failing, RuleKind, Tag, Violation};
use decklaw_text::text::{Span, listed};
use decklaw_text::yaml::Problem;
use questions::{ASKED, CONDITION, EFFORT, Questions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// And all questions about one rule.
const EFFORT_OF_ALL: u64 = 4 * EFFORT;

/// The effect of a game's rules over some cards.
#[derive(Debug, Default)]
pub struct TrialReport {
    /// What is wrong that no rule shows alone: that no deck is legal, with the rules that cannot
    /// be kept together; that no deck can break a rule; that a condition
    /// always or never holds.
    pub wrong: Vec<Problem>,
    /// What is not wrong and may well be meant otherwise: a condition that no legal deck meets;
    /// and what was left open, since to find it out takes too much work.
    pub open: Vec<Problem>,
}

/// Tries a game's rules over some cards: each rule with its examples, and where nothing is wrong
/// with one alone, all of them together.
pub fn tried(game: &Arc<Game>, pool: &Arc<Pool>) -> TrialReport {
    let lint = game.lint(Some((pool, &decklaw_decks::deck::lines_of)));
    let mut tried = TrialReport { wrong: lint.wrong, open: lint.remarks };
    if !tried.wrong.is_empty() || pool.is_empty() {
        return tried;
    }
    let mut known: BTreeMap<Span, RuleReport> = BTreeMap::new();
    for format in game.formats() {
        for given in settings_tried(game) {
            let Ok(rulebook) = Rulebook::new(&format, Arc::clone(pool), None, &given) else {
                continue;
            };
            let rulebook = Arc::new(rulebook);
            let trial = Trial { game, format: &format, given: &given };
            let (found, problem) = match trial.no_legal_deck(&rulebook) {
                Some(Ok(problem)) => (&mut tried.wrong, Some(problem)),
                Some(Err(open)) => (&mut tried.open, Some(open)),
                None => (&mut tried.wrong, None),
            };
            found.extend(problem.filter(|new| found.iter().all(|old| old.span != new.span)));
            for (at, entry) in (0..).zip(trial.entries()) {
                let known = known.entry(entry.id.span);
                known.or_insert_with(|| RuleReport::of(entry)).ask(&rulebook, at);
            }
        }
    }
    for (span, known) in known {
        let unmet_conditions = known.unmet_conditions().into_iter();
        tried
            .open
            .extend(unmet_conditions.map(|unmet_conditions| Problem::new(unmet_conditions, span)));
        match (known.wrong(), known.open()) {
            (Some(wrong), _) => tried.wrong.push(Problem::new(wrong, span)),
            (None, Some(open)) => tried.open.push(Problem::new(open, span)),
            (None, None) => {}
        }
    }
    tried.wrong.sort_by_key(|problem| problem.span);
    tried
}

/// Nothing given, and what each rule's `when` wants of settings.
fn settings_tried(game: &Game) -> Vec<BTreeMap<String, String>> {
    let mut all = vec![BTreeMap::new()];
    for entry in &game.file.rules {
        if !all.contains(&entry.when) {
            all.push(entry.when.clone());
        }
    }
    all
}

/// A format under some settings.
struct Trial<'t> {
    game: &'t Game,
    format: &'t Format,
    given: &'t BTreeMap<String, String>,
}

impl<'t> Trial<'t> {
    /// The entries of the rules, in a rulebook's order.
    fn entries(&self) -> Vec<&'t RuleEntry> {
        let Ok(settings) = self.format.settings(self.given) else {
            return Vec::new();
        };
        let entries: Vec<&RuleEntry> = self.format.rules(&settings).collect();
        let spans: Vec<Span> = entries.iter().map(|entry| entry.id.span).collect();
        let rules = self.game.file.rules.iter();
        rules.filter(|entry| spans.contains(&entry.id.span)).collect()
    }

    /// That no deck is legal, and which rules cannot be kept together; or
    /// that it was not found out whether any is.
    fn no_legal_deck(&self, rulebook: &Arc<Rulebook>) -> Option<Result<Problem, Problem>> {
        let start = Decklist::empty(Arc::clone(rulebook));
        // Any legal deck will do: finding the smallest is much harder.
        let contents = start.contents();
        let wishes = Wishes::default();
        let legality = Legality::of(&start, &contents, &wishes, |rule| rule.counts(false));
        let reduction = legality.task(Objective::Sum(&[]), &[], &[]).steps();
        legality.effort.set(EFFORT + reduction);
        if legality.exists(&|_| true) == Answer::Found(()) {
            return None;
        }
        let conflict = match repair(&start, &Wishes::default()) {
            Repair::Found(_) => return None,
            Repair::Unknown => return self.undecided().map(Err),
            Repair::Impossible(conflict) => conflict,
        };
        let rules = rulebook.rules();
        let entries = self.entries();
        let of_game = |rule: &&usize| **rule < entries.len();
        let mut blamed = conflict.rules.iter().rev().filter(of_game);
        let last = *blamed.next()?;
        let mut others: Vec<String> = blamed
            .map(|rule| format!("`{}` ({})", rules[*rule].id, rules[*rule].demand()))
            .collect();
        others.reverse();
        others.insert(0, "this rule".to_owned());
        let among = match self.game.file.formats.as_slice() {
            [_] => String::new(),
            _ => format!(" of `{}`", self.format.id()),
        };
        let needless = if conflict.irreducible || others.len() < 2 {
            ""
        } else {
            "; the work limit was reached, so some of these may have no part in it"
        };
        let message = format!(
            "no deck{among} satisfies {} with these cards{needless}",
            listed(&others, "and")
        );
        Some(Ok(Problem::new(message, entries.get(last)?.id.span)))
    }

    /// That the work ended before any legal deck was found.
    fn undecided(&self) -> Option<Problem> {
        let id = self.format.id();
        let message = format!(
            "the work limit was reached before any legal deck of `{id}` was found: whether there is one with these cards is not known"
        );
        Some(Problem::new(message, self.game.file.rules.first()?.id.span))
    }
}

/// What is known of a rule, in all formats.
struct RuleReport {
    /// Whether it has no conditions at all.
    bare: bool,
    /// Whether some deck breaks it.
    breakable: Answer,
    /// Whether it is asked of some deck.
    asked: Answer,
    conditions: Vec<ConditionReport>,
    /// The steps that are left.
    left: u64,
}

/// What is known of a condition.
struct ConditionReport {
    words: String,
    of_all: bool,
    holds: Answer,
    lapses: Answer,
    /// Whether it holds of a deck that keeps all other rules; and the rule that makes it
    /// impossible.
    legal: Answer,
    is_tried: bool,
    to_blame: Option<String>,
}

impl RuleReport {
    /// An example that breaks the rule, and was tried, shows that it is asked and can be broken.
    fn of(entry: &RuleEntry) -> RuleReport {
        let parts = match &entry.must.value {
            RuleKind::Total(total) => total.parts.as_slice(),
            _ => &[],
        };
        let bare = |conditions: &Conditions| matches!(conditions, Conditions::None);
        RuleReport {
            bare: bare(&entry.conditions) && parts.iter().all(|part| bare(&part.conditions)),
            breakable: Answer::of(entry.fails.is_some()),
            asked: Answer::of(entry.fails.is_some()),
            conditions: Vec::new(),
            left: EFFORT_OF_ALL,
        }
    }

    /// Asks a rule of a rulebook what is not known yet.
    fn ask(&mut self, rulebook: &Rulebook, at: usize) {
        let Some(rule) = rulebook.rules().get(at) else {
            return;
        };
        if self.is_settled() {
            return;
        }
        let contents = Contents::new(rulebook.pool(), Vec::new(), Vec::new());
        let found = rule.judge(&contents);
        // A number that was not given leaves the rule open.
        let open = |fault: &Violation| fault.failing == Failing::Unverified;
        let is_open = found.iter().any(open);
        self.breakable.or(|| Answer::of(is_open));
        let questions = Questions::of(rulebook, rule, &contents, self.left);
        for (nth, asking) in questions.conditions.iter().enumerate() {
            if self.conditions.len() <= nth {
                self.conditions.push(ConditionReport {
                    words: asking.words.clone(),
                    of_all: asking.of_all,
                    holds: Answer::of(asking.of_all),
                    lapses: Answer::None,
                    legal: Answer::None,
                    is_tried: false,
                    to_blame: None,
                });
            }
            let condition = &mut self.conditions[nth];
            let tag = CONDITION + 2 * nth as Tag;
            condition.holds.or(|| questions.may_be(&[tag]));
            condition.lapses.or(|| questions.may_be(&[tag + 1]));
            if condition.legal == Answer::Found(()) {
                continue;
            }
            match questions.may_be(&[tag]) {
                Answer::None => {}
                Answer::Limit => condition.legal = Answer::Limit,
                Answer::Found(()) => {
                    let (legal, to_blame) = questions.may_be_legal(tag);
                    let rules = rulebook.rules();
                    let words = |at: usize| format!("`{}` ({})", rules[at].id, rules[at].demand());
                    let to_blame = to_blame.map(words);
                    // A rule is to blame alone where it is so in each format.
                    let same = !condition.is_tried || condition.to_blame == to_blame;
                    condition.to_blame = to_blame.filter(|_| same);
                    condition.is_tried = true;
                    condition.legal = condition.legal.max(legal);
                }
            }
        }
        self.asked.or(|| questions.may_be(&[ASKED]));
        self.breakable.or(|| questions.may_miss());
        self.left = questions.left.get();
    }

    /// Whether nothing is left to be asked.
    fn is_settled(&self) -> bool {
        // Conditions that ask for a number that was not given are not seen.
        let seen = self.bare || !self.conditions.is_empty();
        let legal = |one: &ConditionReport| one.legal == Answer::Found(());
        seen && self.least() == Answer::Found(()) && self.conditions.iter().all(legal)
    }

    /// The least certain of what is known.
    fn least(&self) -> Answer {
        let conditions = self.conditions.iter();
        let conditions = conditions.map(|one| one.holds.min(one.lapses));
        conditions.fold(self.asked.min(self.breakable), Answer::min)
    }

    /// What was not found out, where nothing is wrong.
    fn open(&self) -> Option<String> {
        (self.least() == Answer::Limit).then(|| {
            "the work limit was reached: whether a deck can break this rule, and whether its conditions can hold, is not known"
                .to_owned()
        })
    }

    /// Its conditions that no legal deck meets, where decks that break other rules do.
    fn unmet_conditions(&self) -> Vec<String> {
        let of_legal = |one: &&ConditionReport| one.is_tried && one.legal == Answer::None;
        let unmet_conditions = self.conditions.iter().filter(of_legal);
        let sentence = |one: &ConditionReport| {
            let words = &one.words;
            match &one.to_blame {
                Some(rule) => format!(
                    "no deck that satisfies {rule} meets the condition, so the rule never applies to a legal deck: {words}"
                ),
                None => format!(
                    "no deck that satisfies all other rules meets the condition, so the rule never applies to a legal deck: {words}"
                ),
            }
        };
        unmet_conditions.map(sentence).collect()
    }

    /// What is wrong with the rule, if anything is.
    fn wrong(&self) -> Option<String> {
        let whole = |condition: &&ConditionReport| condition.of_all;
        if self.asked == Answer::None {
            let words = self.conditions.iter().filter(whole);
            let words: Vec<&str> = words.map(|one| one.words.as_str()).collect();
            let words = words.join(" and ");
            return Some(format!(
                "this rule never applies with these cards, because its condition never holds: {words}"
            ));
        }
        for condition in &self.conditions {
            let words = &condition.words;
            if condition.holds == Answer::None {
                return Some(format!(
                    "this part never counts with these cards, because its condition never holds: {words}"
                ));
            }
            if condition.lapses == Answer::None {
                return Some(format!(
                    "this condition always holds with these cards; leave it out: {words}"
                ));
            }
        }
        (self.breakable == Answer::None)
            .then(|| "every deck satisfies this rule with these cards".to_owned())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use decklaw_rules::format::Catalogue;

    /// What takes too much work is reported as open, and never as an answer.
    #[test]
    fn what_was_not_found_out_is_told() {
        let catalogue = Catalogue::built_in();
        let ruled = |id: &&str| catalogue.game(id).is_ok_and(|game| game.file.rules.len() > 5);
        let id = catalogue.games().find(ruled).unwrap();
        let game = catalogue.game(id).unwrap();
        let (_, bytes) = catalogue.cards(id).unwrap();
        let pool = Arc::new(game.read_cards(bytes).unwrap());
        let format = game.formats().remove(0);
        let given = BTreeMap::new();
        let rulebook = Rulebook::new(&format, pool, None, &given).unwrap();
        let trial = Trial { game: &game, format: &format, given: &given };
        let entries = trial.entries();
        assert!(!entries.is_empty());
        for (at, entry) in entries.into_iter().enumerate() {
            let unknown = || RuleReport {
                asked: Answer::None,
                breakable: Answer::None,
                ..RuleReport::of(entry)
            };
            let (mut hasty, mut thorough) = (unknown(), unknown());
            hasty.left = 0;
            hasty.ask(&rulebook, at);
            thorough.ask(&rulebook, at);
            let id = &entry.id.value;
            assert_eq!(hasty.asked, Answer::Limit, "{id}");
            assert!(hasty.open().is_some() && hasty.wrong().is_none(), "{id}");
            assert!(thorough.open().is_none(), "{id}");
        }
    }
}
