//! A number between two bounds: what `size`, `total`, `distinct` and `values` demand of what they
//! count.

use crate::game::Term;
use crate::rules::amount::{Amount, Bound, FromCards};
use crate::rules::demand::{BrokenDemand, Meter};
use crate::rules::meter::Reading;
use crate::rules::tree::{Cond, Num};
use crate::rules::{Compile, Contents, SectionSet, Violation};
use decklaw_text::text::{Span, counted, listed, plural, singular, there_are};
use decklaw_text::yaml::Spanned;
use std::sync::Arc;

/// The bounds of a number as a format file writes them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds<'t> {
    pub(super) min: Option<&'t Spanned<Amount>>,
    pub(super) max: Option<&'t Spanned<Amount>>,
    pub(super) exactly: Option<&'t Spanned<Amount>>,
    pub(super) one_of: &'t [Spanned<Term>],
    /// What is added to the most.
    pub(super) plus: Option<(&'t FromCards, Span)>,
}

/// What is counted, in words.
#[derive(Debug, Clone)]
pub(super) struct Noun {
    /// The word for it, in the singular.
    called: String,
    /// Whether that has no plural.
    is_mass: bool,
    /// Which cards count, behind "cards", where the word does not say it.
    which: String,
}

/// Bounds that are ready to be asked.
#[derive(Debug, Clone)]
pub(super) struct Range {
    min: Option<Bound>,
    max: Option<Bound>,
    /// Whether both are one number.
    is_exact: bool,
    one_of: Vec<i64>,
    pub(super) noun: Noun,
    pub(super) unset: Option<Violation>,
}

impl Noun {
    pub(super) fn new(
        own: Option<&String>,
        otherwise: &str,
        is_mass: bool,
        cards: Option<&Spanned<String>>,
        with: &Compile<'_>,
    ) -> Noun {
        Noun {
            called: own.map_or(otherwise, String::as_str).to_owned(),
            is_mass,
            which: with.which(cards.filter(|_| own.is_none())),
        }
    }

    /// Counts different ones of it.
    pub(super) fn different(&mut self) {
        self.called.insert_str(0, "different ");
    }

    /// Which cards, behind the noun.
    fn of(&self) -> String {
        if self.which.is_empty() || self.called.ends_with("card") {
            self.which.clone()
        } else {
            format!(" of cards{}", self.which)
        }
    }

    /// A number of it, in words.
    pub(super) fn counted(&self, number: i64) -> String {
        self.amount(number) + &self.of()
    }

    /// The same where the cards are named next to it.
    pub(super) fn amount(&self, number: i64) -> String {
        match self.is_mass {
            true if number == 1 => format!("1 {}", singular(&self.called)),
            true => format!("{number} {}", self.called),
            false => counted(number, &self.called),
        }
    }

    /// The cards that count.
    pub(super) fn cards(&self) -> String {
        format!("cards{}", self.which)
    }

    /// What is counted.
    pub(super) fn called(&self) -> String {
        format!("{}{}", self.called, self.of())
    }

    /// Several of it.
    pub(super) fn plural(&self) -> String {
        let several = if self.is_mass { self.called.clone() } else { plural(&self.called) };
        several + &self.of()
    }
}

impl Bounds<'_> {
    /// Bounds of what is counted in some sections.
    pub(super) fn compile(
        self,
        kind: &str,
        noun: Noun,
        sections: SectionSet,
        with: &mut Compile<'_>,
    ) -> Range {
        let amounts = [self.exactly, self.min, self.max].into_iter().flatten();
        let blamed = amounts.map(|amount| amount.span).next();
        let blamed = blamed.or(self.one_of.first().map(|term| term.span));
        let mut compile = |amount: Option<&Spanned<Amount>>| {
            amount.map(|amount| Bound::compile(amount, false, with))
        };
        let exactly = compile(self.exactly);
        let (min, mut max) = (compile(self.min), compile(self.max));
        if let (Some(max), Some((from, span))) = (&mut max, self.plus) {
            max.add_cards(from, span, false, with);
        }
        let mut unset = Vec::new();
        let one_of = self.one_of.iter();
        let one_of = one_of.filter_map(|term| with.given(Some(term), &mut unset));
        let one_of = one_of.collect();
        let constant = |bound: &Option<Bound>| bound.as_ref().and_then(Bound::constant);
        match (blamed, constant(&min).zip(constant(&max))) {
            (None, _) => {
                with.refuse(format!("a `{kind}` needs a number, such as `min` or `max`"), with.rule)
            }
            (Some(span), Some((min, max))) if min > max => {
                with.refuse(format!("at least {min} and at most {max} cannot both hold"), span)
            }
            (Some(span), _) if exactly.is_some() && (min.is_some() || max.is_some()) => {
                let message = "`exactly` excludes `min` and `max`";
                with.refuse(message.to_owned(), span);
            }
            _ => {}
        }
        let given = [&exactly, &min, &max].into_iter().flatten();
        let mut missing: Vec<String> = given.flat_map(|bound| bound.unset.clone()).collect();
        missing.append(&mut unset);
        let what = format!("number of {} for the {}", noun.plural(), with.section_names(sections));
        let known = |bound: Option<Bound>| bound.filter(|bound| bound.unset.is_empty());
        Range {
            unset: Violation::unset(&what, &missing, sections),
            is_exact: exactly.is_some(),
            min: known(exactly.clone().or(min)),
            max: known(exactly.or(max)),
            one_of,
            noun,
        }
    }
}

impl Range {
    /// That a number of the deck lies within the bounds.
    pub(super) fn cond(&self, num: &Num) -> Cond {
        let within = |low: Option<&Bound>, high: Option<&Bound>| {
            let end = |end: Option<&Bound>| end.map(Bound::num);
            // Where no card has the number of a bound, there is none.
            let silent = low.or(high).map_or(Vec::new(), |end| end.silent.clone());
            Cond::Within(num.clone(), end(low), end(high)).unless(silent)
        };
        let (min, max) = (self.min.as_ref(), self.max.as_ref());
        let is_fixed = |end: Option<&Bound>| end.is_some_and(|end| end.constant().is_some());
        let mut all = Vec::new();
        if self.is_exact || (is_fixed(min) && is_fixed(max)) {
            all.extend(min.map(|_| within(min, max)));
        } else {
            all.extend(min.map(|_| within(min, None)));
            all.extend(max.map(|_| within(None, max)));
        }
        if !self.one_of.is_empty() {
            all.push(Cond::Among(num.clone(), self.one_of.clone()));
        }
        Cond::all(all)
    }

    /// What must be there, as in `at least 3 cards`.
    pub(super) fn wanted(&self) -> String {
        self.words_by(&|bound| (bound.constant(), String::new()))
    }

    /// The same for one deck: the numbers that its cards give, and where they come from.
    pub(super) fn wanted_here(&self, contents: &Contents<'_>) -> String {
        self.words_by(&|bound| {
            let origin = match bound.origin(contents).as_str() {
                "" => String::new(),
                origin => format!(" ({origin})"),
            };
            (here(&bound.silent, &bound.num(), contents), origin)
        })
    }

    fn words_by(&self, value: &dyn Fn(&Bound) -> (Option<i64>, String)) -> String {
        let noun = &self.noun;
        let one = |how: &str, bound: &Bound| match value(bound) {
            (Some(0), origin) if how == "at most " => format!("no {}{origin}", noun.plural()),
            (Some(number), origin) => format!("{how}{}{origin}", noun.counted(number)),
            (None, _) => {
                let how = if how.is_empty() { "exactly " } else { how };
                format!("{how}this many {}: {}", noun.plural(), bound.words())
            }
        };
        match (&self.min, &self.max) {
            (Some(min), Some(_)) if self.is_exact => one("", min),
            (Some(min), Some(max)) => match (value(min), value(max)) {
                ((Some(low), none), (Some(high), other)) if none.is_empty() && other.is_empty() => {
                    if low == high {
                        noun.counted(high)
                    } else {
                        format!("{low} to {}", noun.counted(high))
                    }
                }
                _ => format!("{} and {}", one("at least ", min), one("at most ", max)),
            },
            (Some(min), None) => one("at least ", min),
            (None, Some(max)) => one("at most ", max),
            (None, None) if self.one_of.is_empty() => {
                format!("a number of {} that the rules text does not give", noun.plural())
            }
            (None, None) => {
                let numbers: Vec<String> = self.one_of.iter().map(i64::to_string).collect();
                format!("{} {}", listed(&numbers, "or"), noun.plural())
            }
        }
    }

    /// What is wrong with a number in sections of this name.
    pub(super) fn missed(&self, place: &str, broken: &BrokenDemand<'_, '_>) -> String {
        format!(
            "the {place} must have {}; {}",
            self.wanted_here(broken.contents),
            there_are(broken.blame.least)
        )
    }

    /// What would bring a number to its bound; where a smaller number will do and is nearer, that
    /// first.
    pub(super) fn help(&self, broken: &BrokenDemand<'_, '_>) -> String {
        let (number, off) = (broken.blame.least, broken.blame.off());
        let below = self.one_of.iter().copied().filter(|one| *one < number);
        match below.max().map(|below| number - below) {
            Some(out) if broken.blame.is_short && out < off => {
                format!("remove {}, or add {off}", self.noun.counted(out))
            }
            _ if broken.blame.is_short => format!("add {}", self.noun.counted(off)),
            _ => format!("remove {}", self.noun.counted(off)),
        }
    }

    /// The meter of the number, with this name.
    pub(super) fn meter(&self, called: String, num: &Num, section: Option<usize>) -> Option<Meter> {
        if self.min.is_none() && self.max.is_none() {
            return None;
        }
        let end = |bound: &Option<Bound>| {
            let bound = bound.as_ref()?;
            Some((bound.silent.clone(), bound.num()))
        };
        let (min, max, num) = (end(&self.min), end(&self.max), num.clone());
        let called: Arc<str> = called.into();
        Some(Box::new(move |contents| {
            let (value, is_uncertain) = num.known_value(contents);
            let reading = Reading {
                section,
                called: Arc::clone(&called),
                value,
                low: min.as_ref().and_then(|(silent, num)| here(silent, num, contents)),
                high: max.as_ref().and_then(|(silent, num)| here(silent, num, contents)),
                is_uncertain,
            };
            let bounded = reading.low.is_some() || reading.high.is_some();
            (bounded && (value != 0 || !reading.is_ok())).then_some(reading)
        }))
    }

    /// The least number in a deck, as far as cards are known; `None`: there is none.
    pub(super) fn least(&self, contents: &Contents<'_>) -> Option<i64> {
        let min = self.min.as_ref()?;
        here(&min.silent, &min.num(), contents)
    }
}

/// A bound in a deck, as far as cards are known; `None`: a `silent` condition may hold, and there
/// is none.
fn here(silent: &[Cond], num: &Num, contents: &Contents<'_>) -> Option<i64> {
    let mut silent = silent.iter();
    let is_there = silent.all(|cond| cond.holds(contents) == Some(false));
    is_there.then(|| num.known_value(contents).0)
}
