//! What is wrong with a deck of which a condition does not hold, and what to do about it.

use super::{Cond, Contents, Num};
use crate::pool::CardId;
use crate::rules::contents::such_as;
use crate::rules::{Failing, Violation};
use crate::text::{counted, there_are};

impl Cond {
    /// Whether cards that come in could make it hold.
    fn mends_by_adding(&self, contents: &Contents<'_>) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                let (up, down) = num.moves();
                let moves = |end: &Option<Num>| end.as_ref().map_or((false, false), Num::moves);
                let ((_, low_down), (high_up, _)) = (moves(low), moves(high));
                let (least, most) = num.value(contents);
                let short = low.as_ref().is_some_and(|low| most < low.value(contents).0);
                let over = high
                    .as_ref()
                    .is_some_and(|high| least > high.value(contents).1);
                (!short || up || low_down) && (!over || down || high_up)
            }
            Cond::All(parts) => {
                let mut broken = parts
                    .iter()
                    .filter(|part| part.holds(contents) == Some(false));
                broken.all(|part| part.mends_by_adding(contents))
            }
            Cond::Any(parts) => parts.iter().any(|part| part.mends_by_adding(contents)),
            Cond::Among(num, options) => Cond::spelt(num, options).mends_by_adding(contents),
            Cond::Not(part) => part.negated().mends_by_adding(contents),
            Cond::Given(holds, _) => *holds,
        }
    }

    /// Adds what a deck breaks, a violation for each part of which all must hold, or that unknown
    /// cards leave it open. `of`: what stands before each message.
    pub(crate) fn find(&self, contents: &Contents<'_>, of: &str, found: &mut Vec<Violation>) {
        match (self, self.holds(contents)) {
            (_, Some(true)) => {}
            (_, None) => {
                let message = format!(
                    "not verified: whether {of}{} depends on unknown cards",
                    self.clause(false)
                );
                found.push(Violation::unverified(message).in_section(self.section()));
            }
            (Cond::All(parts), _) => {
                let broken = parts
                    .iter()
                    .filter(|part| part.holds(contents) == Some(false));
                broken.for_each(|part| part.find(contents, of, found));
            }
            (Cond::Not(part), _) => part.negated().find(contents, of, found),
            (Cond::Among(num, options), _) => {
                let number = num.value(contents).0;
                let near = options
                    .iter()
                    .min_by_key(|option| number.abs_diff(**option));
                let near = near.map(|near| Num::Const(*near));
                let wrong = self.wrong(num, near.as_ref(), near.as_ref(), contents, of);
                found.push(wrong);
            }
            (Cond::Given(_, [does, _]), _) => {
                let message = format!("{of}it must be so that {does}");
                let help = "give it".to_owned();
                found.push(Violation::of_deck(Failing::Excess, message, help));
            }
            (Cond::Any(parts), _) => {
                let failing = self.failing(contents);
                let parts: Vec<String> = parts.iter().map(|part| part.now(contents)).collect();
                let parts = parts.join(", or ");
                let message = format!("{of}it must be so that {parts}");
                let violation = Violation::of_deck(
                    failing,
                    message,
                    "change what these count until one of them holds".to_owned(),
                );
                found.push(violation.in_section(self.section()));
            }
            (Cond::Within(num, low, high), _) => {
                found.push(self.wrong(num, low.as_ref(), high.as_ref(), contents, of))
            }
        }
    }

    /// The clause, and how the deck stands to it.
    fn now(&self, contents: &Contents<'_>) -> String {
        let clause = self.clause(false);
        match self {
            Cond::Within(num, ..) => {
                let number = num.value(contents).0;
                match num.counts() {
                    Some(_) => format!("{clause} ({})", there_are(number)),
                    None => format!("{clause} (it is {number})"),
                }
            }
            _ => clause,
        }
    }

    fn failing(&self, contents: &Contents<'_>) -> Failing {
        match self.mends_by_adding(contents) {
            true => Failing::Shortfall,
            false => Failing::Excess,
        }
    }

    /// The one section that it is about.
    pub(crate) fn section(&self) -> Option<usize> {
        let mut sections = crate::rules::SectionSet::default();
        self.leaves(&mut |leaf| sections = sections.and(leaf.sections));
        sections.single()
    }

    /// The cards of a deck that it counts, each once; none where it counts all cards.
    pub(crate) fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        self.leaves(&mut |leaf| {
            if !matches!(leaf.cards, super::Weights::One) {
                cards.extend(leaf.there(contents));
            }
        });
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    #[cold]
    fn wrong(
        &self,
        num: &Num,
        low: Option<&Num>,
        high: Option<&Num>,
        contents: &Contents<'_>,
        of: &str,
    ) -> Violation {
        let (least, most) = num.value(contents);
        let short = low
            .map(|low| low.value(contents).0)
            .filter(|low| most < *low);
        let (limit, actual) = match (short, high.map(|high| high.value(contents).1)) {
            (Some(low), _) => (low, most),
            (None, Some(high)) => (high, least),
            // One of the ends is missed, or this would hold.
            (None, None) => (least, least),
        };
        let off = limit.saturating_sub(actual).saturating_abs();
        let clause = self.clause(true);
        let clause = self.with_values(clause, [low, high], contents);
        let (now, help, cards) = match num.counts() {
            Some(leaf) => {
                let what = format!("{}{}", counted(off, leaf.noun()), leaf.name.which);
                let all = matches!(num, Num::Sum(_)) && matches!(leaf.cards, super::Weights::One);
                let fixed = all || leaf.name.copies;
                let cards = if fixed || short.is_some() {
                    Vec::new()
                } else {
                    num.there(contents)
                };
                let help = match short {
                    Some(_) => format!("add {what}"),
                    None => format!("take out {what}{}", such_as(contents, &cards)),
                };
                (there_are(actual), help, cards)
            }
            None => {
                let parts = match num {
                    Num::Add(parts) => sum_of(parts, contents),
                    _ => String::new(),
                };
                let help = match (short, num) {
                    (Some(_), Num::Sum(leaf)) => format!("add {off} {}", super::words_of(leaf)),
                    (None, Num::Sum(leaf)) => format!("take out {off} {}", super::words_of(leaf)),
                    (Some(_), _) => format!("it must be {off} more"),
                    (None, _) => format!("it must be {off} less"),
                };
                (format!("it is {actual}{parts}"), help, Vec::new())
            }
        };
        Violation::of_deck(self.failing(contents), format!("{of}{clause}; {now}"), help)
            .for_fault(if short.is_some() {
                crate::rules::Fault::TooFew
            } else {
                crate::rules::Fault::TooMany
            })
            .in_section(self.section())
            .with_numbers(limit, actual)
            .naming(cards)
    }

    /// The clause, and what its ends come to in this deck where its cards set them.
    fn with_values(
        &self,
        clause: String,
        ends: [Option<&Num>; 2],
        contents: &Contents<'_>,
    ) -> String {
        let mut ends = ends
            .into_iter()
            .flatten()
            .filter(|end| end.constant().is_none());
        match ends.next() {
            Some(end) => format!("{clause}, which is {}", end.value(contents).0),
            None => clause,
        }
    }
}

/// What the parts of a sum come to: ` (57 - 12)`.
fn sum_of(parts: &[Num], contents: &Contents<'_>) -> String {
    let mut words = String::new();
    for (at, part) in parts.iter().enumerate() {
        let value = part.value(contents).0;
        let sign = match (at, value < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        words += &format!("{sign}{}", value.saturating_abs());
    }
    format!(" ({words})")
}
