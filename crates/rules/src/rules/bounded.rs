//! A number of the deck between two ends: what every rule that counts demands, with the one way in
//! which all of them are put into words and shown as a meter.

use super::demand::Meter;
use super::tree::{Cond, Name, Num, Unit, bracketed};
use super::{Contents, Reading, Violation};
use decklaw_cards::pool::CardId;
use decklaw_text::text::{listed, some_of, there_are, with_article};
use std::cmp::Reverse;
use std::sync::Arc;

/// A number of the deck that lies between two ends, or is one of some.
#[derive(Debug, Clone)]
pub(crate) struct Bounded {
    pub num: Num,
    /// What is counted; `None`: the number is made of others and has no name.
    pub name: Option<Name>,
    pub low: Option<End>,
    pub high: Option<End>,
    /// The numbers that it may be; none: any between the ends.
    pub options: Vec<i64>,
}

/// An end of what a number may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub num: Num,
    /// Where one of these holds, there is no such end.
    pub silent: Vec<Cond>,
}

impl End {
    /// What it comes to in a deck, as far as cards are known; `None`: a silent condition may hold,
    /// and there is no such end.
    fn value(&self, contents: &Contents<'_>) -> Option<i64> {
        let mut silent = self.silent.iter();
        let is_there = silent.all(|cond| cond.holds(contents) == Some(false));
        is_there.then(|| self.num.known_value(contents).0)
    }
}

impl Bounded {
    /// What a condition on one number demands.
    pub(crate) fn of(cond: &Cond) -> Option<Bounded> {
        let end = |end: &Option<Num>| end.clone().map(|num| End { num, silent: Vec::new() });
        let (num, low, high, options) = match cond {
            Cond::Within(num, low, high) => (num, end(low), end(high), Vec::new()),
            Cond::Among(num, options) => (num, None, None, options.clone()),
            Cond::All(_) | Cond::Any(_) => return None,
        };
        Some(Bounded { name: num.name().cloned(), num: num.clone(), low, high, options })
    }

    /// That a number is at most so large, if there is a limit.
    pub(crate) fn at_most(num: Num, name: Name, most: Option<i64>) -> Bounded {
        let high = most.map(|most| End { num: Num::Const(most), silent: Vec::new() });
        Bounded { num, name: Some(name), low: None, high, options: Vec::new() }
    }

    /// The condition on the deck.
    pub(crate) fn cond(&self) -> Cond {
        let within = |low: Option<&End>, high: Option<&End>| {
            let num = |end: Option<&End>| end.map(|end| end.num.clone());
            let silent = low.or(high).map_or(Vec::new(), |end| end.silent.clone());
            Cond::Within(self.num.clone(), num(low), num(high)).unless(silent)
        };
        let (low, high) = (self.low.as_ref(), self.high.as_ref());
        let is_fixed = |end: Option<&End>| end.is_some_and(|end| end.num.constant().is_some());
        let mut all = Vec::new();
        if low.is_some() && (low == high || is_fixed(low) && is_fixed(high)) {
            all.push(within(low, high));
        } else {
            all.extend(low.map(|_| within(low, None)));
            all.extend(high.map(|_| within(None, high)));
        }
        if !self.options.is_empty() {
            all.push(Cond::Among(self.num.clone(), self.options.clone()));
        }
        Cond::all(all)
    }

    /// What must be, or where `must` does not say so, what is: `the main deck must have at least 3
    /// cards`. `here`: a deck, whose numbers the ends then have.
    pub(crate) fn clause(&self, must: bool, here: Option<&Contents<'_>>) -> String {
        let (subject, verbs) = match &self.name {
            Some(name) => (name.subject(), ["has", "must have"]),
            None => (self.num.words(here), ["is", "must be"]),
        };
        let amount = match (&self.low, &self.high, &self.name) {
            (Some(low), Some(high), _) if low.num == high.num => self.end("", low, here),
            (Some(low), Some(high), _) => match (low.num.constant(), high.num.constant()) {
                (Some(low), Some(high)) => format!("{low} to {}", self.counted(high)),
                _ => format!(
                    "{} and {}",
                    self.end("at least ", low, here),
                    self.end("at most ", high, here)
                ),
            },
            (Some(End { num: Num::Const(1), .. }), None, Some(name))
                if !must && name.unit != Unit::Points =>
            {
                with_article(name.noun()) + &name.of()
            }
            (Some(low), None, _) => self.end("at least ", low, here),
            (None, Some(high), _) => self.end("at most ", high, here),
            (None, None, _) if self.options.is_empty() => {
                format!("a number of {} that the rules text does not give", self.plural())
            }
            (None, None, _) => {
                let options: Vec<String> = self.options.iter().map(i64::to_string).collect();
                format!("{} {}", listed(&options, "or"), self.plural())
            }
        };
        format!("{subject} {} {}", verbs[usize::from(must)], amount.trim_end())
    }

    /// `at least 3 cards`; of a number that cards give, where it comes from.
    fn end(&self, how: &str, end: &End, here: Option<&Contents<'_>>) -> String {
        let constant = end.num.constant();
        let origin = constant.map_or_else(|| end.num.words(here), |_| String::new());
        match (constant.or_else(|| end.value(here?)), &self.name) {
            (Some(0), Some(name)) if how != "at least " => {
                format!("no {}{}", name.plural(), bracketed(&origin))
            }
            (Some(number), _) => format!("{how}{}{}", self.counted(number), bracketed(&origin)),
            (None, Some(_)) => {
                let how = if how.is_empty() { "exactly " } else { how };
                format!("{how}this many {}: {origin}", self.plural())
            }
            (None, None) if how.is_empty() => format!("the same as {origin}"),
            (None, None) => format!("{how}{origin}"),
        }
    }

    /// The copies that each value needs, where it needs several.
    fn each(&self) -> String {
        match &self.num {
            Num::Different { least: least @ 2.., .. } => {
                format!(" with at least {least} cards each")
            }
            _ => String::new(),
        }
    }

    fn counted(&self, number: i64) -> String {
        match &self.name {
            Some(name) => name.counted(number) + &self.each(),
            None => number.to_string(),
        }
    }

    fn plural(&self) -> String {
        self.name.as_ref().map_or(String::new(), Name::plural) + &self.each()
    }

    /// What the deck has: `there are 4`.
    pub(crate) fn now(&self, actual: i64, contents: &Contents<'_>) -> String {
        match (&self.name, &self.num) {
            (None, Num::Add(parts)) => format!("it is {actual}{}", sum_of(parts, contents)),
            (None, _) => format!("it is {actual}"),
            (Some(name), Num::Different { groups: Some(groups), least, leaf })
                if name.unit == Unit::Values =>
            {
                const MOST_NAMED: usize = 8;
                let mut names = Vec::new();
                leaf.groups(groups, *least, contents, |group| names.push(groups.name(group)));
                names.sort_unstable();
                there_are(actual) + &bracketed(&some_of(&names, MOST_NAMED))
            }
            (Some(_), _) => there_are(actual),
        }
    }

    /// The violation of a deck with its message, help and cards, by its limit and actual number.
    #[cold]
    pub(crate) fn missed(&self, was: Violation, contents: &Contents<'_>) -> Violation {
        let (limit, actual) = (was.limit.unwrap_or(0), was.actual.unwrap_or(0));
        let is_of_all = match &self.num {
            Num::Sum(leaf) | Num::Different { leaf, .. } => leaf.is_all(),
            _ => false,
        };
        let names_cards = match &self.name {
            Some(name) => name.unit == Unit::Cards && !is_of_all && actual > limit,
            None => false,
        };
        let cards = if names_cards { self.num.there(contents) } else { Vec::new() };
        let mut ways = vec![limit.saturating_sub(actual)];
        if !self.options.is_empty() {
            let options = || self.options.iter().map(|option| option.saturating_sub(actual));
            let (below, above) = (options().filter(|by| *by < 0), options().filter(|by| *by > 0));
            ways = below.max().into_iter().chain(above.min()).collect();
            ways.sort_by_key(|by| by.saturating_abs());
            // To add is enough of an answer where it is nearest.
            ways.truncate(if ways.first().is_some_and(|by| *by > 0) { 1 } else { 2 });
        }
        if self.name.is_some() && !self.num.moves().1 {
            // What no card makes smaller is 0 where no card is left.
            ways.retain(|by| actual.saturating_add(*by) >= 0);
        }
        let ways: Vec<String> = ways.iter().map(|by| self.way(*by, &cards, contents)).collect();
        let message =
            format!("{}; {}", self.clause(true, Some(contents)), self.now(actual, contents));
        let help = match ways.as_slice() {
            [] => "change the cards on which the limit depends".to_owned(),
            ways => ways.join(", or "),
        };
        let mut violation = was.say(message, help);
        violation.name(cards);
        violation
    }

    /// How a deck gets a number of what is counted more, or less.
    fn way(&self, by: i64, cards: &[CardId], contents: &Contents<'_>) -> String {
        let (is_short, off) = (by > 0, by.saturating_abs());
        let Some(name) = &self.name else {
            return format!("{} it by {off}", if is_short { "raise" } else { "lower" });
        };
        let (amount, which) = (name.amount(off), &name.which);
        let way = match (&self.num, name.unit, is_short) {
            (Num::Extreme { .. }, _, true) => format!("raise it by {amount}"),
            (Num::Extreme { .. }, _, false) => format!("lower it by {amount}"),
            (Num::Different { least: least @ 2.., .. }, _, true) => {
                let more = amount.replacen(' ', " more ", 1);
                format!("bring {more} to at least {least} cards{which}")
            }
            (Num::Different { least: least @ 2.., .. }, _, false) => {
                format!("bring {amount} below {least} cards{which}")
            }
            (_, Unit::Values, true) => {
                format!("add cards{which} of {}", amount.replacen(' ', " more ", 1))
            }
            (_, Unit::Values, false) => format!("remove all cards{which} of {amount}"),
            (Num::Different { .. }, Unit::Cards, false) => format!("remove all copies of {amount}"),
            (_, _, true) => format!("add {}", name.counted(off)),
            (_, _, false) => format!("remove {}", name.counted(off)),
        };
        match (is_short, name.unit) {
            (true, _) => way,
            (false, Unit::Points) => way + &self.such_as(contents),
            (false, _) => way + &such_as(contents, cards.iter().map(|card| (1, *card))),
        }
    }

    /// The cards whose removal makes the number smallest.
    fn such_as(&self, contents: &Contents<'_>) -> String {
        let value = self.num.value(contents).0;
        let mut cards = Vec::new();
        for card in self.num.there(contents) {
            let mut holdings = contents.all().to_vec();
            if let Some(held) = holdings.iter_mut().find(|held| held.card == card) {
                held.copies -= 1;
            }
            holdings.retain(|held| held.copies > 0);
            let less = value.saturating_sub(self.num.value(&contents.holding(holdings)).0);
            cards.extend((less > 0).then_some((less, card)));
        }
        cards.sort_by_key(|(less, card)| (Reverse(*less), *card));
        such_as(contents, cards.into_iter())
    }

    /// Its meter, with this name; a deck that has none of it and needs none is not shown it.
    pub(crate) fn meter(&self, called: String, section: Option<usize>) -> Option<Meter> {
        if self.low.is_none() && self.high.is_none() {
            return None;
        }
        let (bounded, called) = (self.clone(), Arc::<str>::from(called));
        Some(Box::new(move |contents| {
            let reading = bounded.reading(&called, section, contents);
            reading.filter(Reading::is_news)
        }))
    }

    /// What a meter with this name shows of a deck; `None`: there are no bounds.
    pub(crate) fn reading(
        &self,
        called: &Arc<str>,
        section: Option<usize>,
        contents: &Contents<'_>,
    ) -> Option<Reading> {
        let (value, is_uncertain) = self.num.known_value(contents);
        let end = |end: &Option<End>| end.as_ref().and_then(|end| end.value(contents));
        let (low, high) = (end(&self.low), end(&self.high));
        let called = Arc::clone(called);
        let reading = Reading { section, called, value, low, high, is_uncertain };
        (low.is_some() || high.is_some()).then_some(reading)
    }
}

impl Cond {
    /// What it says, a clause; `must`: as something that is demanded.
    pub(crate) fn clause(&self, must: bool) -> String {
        let all = |parts: &[Cond], must| -> Vec<String> {
            parts.iter().map(|part| part.clause(must)).collect()
        };
        match self {
            Cond::Within(..) | Cond::Among(..) => {
                Bounded::of(self).map_or(String::new(), |bounded| bounded.clause(must, None))
            }
            Cond::All(parts) => all(parts, must).join(if must { ", and " } else { " and " }),
            Cond::Any(parts) if parts.is_empty() => "a number is given that nobody gave".to_owned(),
            Cond::Any(parts) if must => {
                format!("one of these must hold: {}", all(parts, false).join(", or "))
            }
            Cond::Any(parts) => format!("({})", all(parts, false).join(" or ")),
        }
    }
}

/// Some of the cards that may go, each with what a copy counts: `, such as …`, or nothing.
#[cold]
pub(crate) fn such_as(
    contents: &Contents<'_>,
    cards: impl Iterator<Item = (i64, CardId)>,
) -> String {
    const MOST_NAMED: usize = 3;
    let name = |(counts, card)| match counts {
        1 => format!("`{}`", contents.name(card)),
        counts => format!("`{}` ({counts})", contents.name(card)),
    };
    let named: Vec<String> = cards.take(MOST_NAMED).map(name).collect();
    match named.as_slice() {
        [] => String::new(),
        named => format!(", such as {}", listed(named, "or")),
    }
}

/// The values of the parts of a sum: ` (57 - 12)`.
fn sum_of(parts: &[Num], contents: &Contents<'_>) -> String {
    let mut words = String::new();
    for (at, part) in parts.iter().enumerate() {
        let value = part.value(contents).0;
        words += match (at, value < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        words += &value.saturating_abs().to_string();
    }
    bracketed(&words)
}
