//! A number between two bounds: what `size`, `total`, `distinct` and `values` demand of what
//! they count.

use super::amount::{Amount, Bound, FromCards};
use super::demand::{Cond, Num};
use super::{Compile, Contents, Failing, SectionSet, Violation};
use crate::game::Term;
use crate::text::{Span, counted, listed, singular};
use crate::yaml::Spanned;

/// Why a demand is of no use that asks for what no deck has.
pub(super) const NEVER_PASSES: &str = "no deck can ever pass";

/// The bounds of a number as a format file writes them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds<'t> {
    pub(super) min: Option<&'t Spanned<Amount>>,
    pub(super) max: Option<&'t Spanned<Amount>>,
    pub(super) exactly: Option<&'t Spanned<Amount>>,
    pub(super) one_of: &'t [Spanned<Term>],
}

/// The bounds of a number, ready to be asked.
#[derive(Debug)]
pub(super) struct Range {
    min: Option<End>,
    max: Option<End>,
    /// Whether both are one number.
    exact: bool,
    one_of: Vec<i64>,
    /// What is counted, in the singular, and whether the word has no plural.
    called: String,
    mass: bool,
    /// Which cards count, where the word for them does not say it, behind "cards" and behind the
    /// word: ` of type spell`.
    which: String,
    of: String,
    unset: Option<Violation>,
}

/// The least number, or the most.
#[derive(Debug, Clone)]
struct End {
    bound: Bound,
    num: Num,
    /// The conditions on which there is none.
    silent: Vec<Cond>,
}

impl End {
    fn new(bound: Bound) -> End {
        End {
            num: bound.num(),
            silent: bound.silent(),
            bound,
        }
    }

    fn constant(&self) -> Option<i64> {
        self.bound.constant()
    }

    /// The number as far as cards are known; `None`: there is none.
    fn here(&self, contents: &Contents<'_>) -> Option<i64> {
        let silent = |cond: &Cond| cond.holds(contents) != Some(false);
        if self.silent.iter().any(silent) {
            return None;
        }
        let (least, most) = self.num.value(contents);
        if least == most {
            return Some(least);
        }
        let known = contents.holding(contents.known().to_vec());
        Some(self.num.value(&known).0)
    }

    /// A condition that is demanded only where there is such a number.
    fn asked(&self, cond: Cond) -> Cond {
        if self.silent.is_empty() {
            return cond;
        }
        let mut any = self.silent.clone();
        any.push(cond);
        Cond::Any(any)
    }
}

impl Bounds<'_> {
    /// `called` is counted in `sections`; `mass`: the word for it has no plural. A query, `of`,
    /// stands behind a word that is not the rule's own.
    pub(super) fn compile(
        self,
        kind: &str,
        (called, mass): (&str, bool),
        of: Option<&Spanned<String>>,
        sections: SectionSet,
        with: &mut Compile<'_>,
    ) -> Range {
        let blamed = self
            .exactly
            .or(self.min)
            .or(self.max)
            .map(|amount| amount.span);
        let blamed = blamed.or(self.one_of.first().map(|term| term.span));
        let compile = |amount: Option<&Spanned<Amount>>, with: &mut Compile<'_>| {
            amount.map(|amount| Bound::compile(amount, false, with))
        };
        let exactly = compile(self.exactly, with);
        let min = compile(self.min, with);
        let max = compile(self.max, with);
        let mut unset = Vec::new();
        let mut one_of = Vec::new();
        for term in self.one_of {
            one_of.extend(with.given(Some(term), &mut unset));
        }
        let given = [&exactly, &min, &max].into_iter().flatten();
        let mut missing: Vec<String> = given.flat_map(|bound| bound.unset().to_vec()).collect();
        missing.append(&mut unset);
        let numbers = |bound: &Option<Bound>| bound.as_ref().and_then(Bound::constant);
        match (blamed, numbers(&min).zip(numbers(&max))) {
            (None, _) => with.refuse(
                format!("a `{kind}` needs a number, such as `min` or `max`"),
                with.rule,
            ),
            (Some(span), Some((min, max))) if min > max => {
                with.refuse(
                    format!("at least {min} and at most {max} cannot both be"),
                    span,
                );
            }
            (Some(span), _) if exactly.is_some() && (min.is_some() || max.is_some()) => with
                .refuse(
                    "`exactly` leaves nothing for `min` and `max` to say".to_owned(),
                    span,
                ),
            _ => {}
        }
        let names: Vec<&str> = missing.iter().map(String::as_str).collect();
        let name = with.section_names(sections);
        let which = with.which(of);
        let of = match which.is_empty() || called.ends_with("card") {
            true => which.clone(),
            false => format!(" of cards{which}"),
        };
        let what = format!(
            "{} number of {}{of} for the {name}",
            listed(&names, "and"),
            if mass {
                called.to_owned()
            } else {
                crate::text::plural(called)
            }
        );
        let known = |bound: Option<Bound>| bound.filter(|bound| bound.unset().is_empty());
        let exact = exactly.is_some();
        Range {
            unset: (!names.is_empty())
                .then(|| Violation::unset(&what, &names).in_section(sections.single())),
            min: known(exactly.clone().or(min)).map(End::new),
            max: known(exactly.or(max)).map(End::new),
            exact,
            one_of,
            called: called.to_owned(),
            mass,
            which,
            of,
        }
    }
}

impl Range {
    /// Adds to the most what cards give.
    pub(super) fn more(mut self, from: &FromCards, span: Span, with: &mut Compile<'_>) -> Range {
        self.max = self
            .max
            .map(|max| End::new(max.bound.plus(from, span, with)));
        self
    }

    /// That a number of the deck lies within the bounds.
    pub(super) fn cond(&self, num: &Num) -> Cond {
        let end = |end: &End| Some(end.num.clone());
        let is_fixed = |end: &End| end.constant().is_some();
        let mut all = Vec::new();
        match (&self.min, &self.max) {
            (Some(min), Some(max)) if self.exact || (is_fixed(min) && is_fixed(max)) => {
                all.push(min.asked(Cond::Within(num.clone(), end(min), end(max))));
            }
            (min, max) => {
                let min = min.as_ref();
                all.extend(min.map(|min| min.asked(Cond::Within(num.clone(), end(min), None))));
                let max = max.as_ref();
                all.extend(max.map(|max| max.asked(Cond::Within(num.clone(), None, end(max)))));
            }
        }
        if !self.one_of.is_empty() {
            all.push(Cond::Among(num.clone(), self.one_of.clone()));
        }
        match all.len() {
            1 => all.remove(0),
            _ => Cond::All(all),
        }
    }

    /// Where the most comes from, for a message that has the number.
    pub(super) fn origin(&self, contents: &Contents<'_>) -> String {
        let max = self.max.as_ref();
        max.map_or_else(String::new, |max| max.bound.origin(contents))
    }

    /// The most that there may be, whatever comes to the deck while the sections of `full` take no
    /// further card; `None` where some card may change it.
    pub(super) fn most(&self, contents: &Contents<'_>, full: SectionSet) -> Option<i64> {
        match (&self.max, self.one_of.iter().max()) {
            (Some(max), _) if max.bound.sections().is_within(full) => {
                let (least, most) = max.num.value(contents);
                max.here(contents).filter(|_| least == most)
            }
            (Some(_), _) => None,
            (None, most) => most.copied(),
        }
    }

    /// The sections whose cards have a say in the least number.
    pub(super) fn least_of(&self) -> SectionSet {
        let min = self.min.as_ref();
        min.map_or_else(SectionSet::default, |min| min.bound.sections())
    }

    /// The least and the most that a deck's cards make of the bounds.
    pub(super) fn ends(&self, contents: &Contents<'_>) -> (Option<i64>, Option<i64>) {
        (
            here(self.min.as_ref(), contents),
            here(self.max.as_ref(), contents),
        )
    }

    /// What to say when nobody gave a number that it needs.
    pub(super) fn unset(&self) -> Option<&Violation> {
        self.unset.as_ref()
    }

    /// So many of what is counted.
    pub(super) fn counted(&self, number: i64) -> String {
        self.amount(number) + &self.of
    }

    /// The same where the [cards](Range::cards) are named beside it.
    pub(super) fn amount(&self, number: i64) -> String {
        match self.mass {
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
        format!("{}{}", self.called, self.of)
    }

    /// Several of what is counted.
    pub(super) fn plural(&self) -> String {
        let several = match self.mass {
            true => self.called.clone(),
            false => crate::text::plural(&self.called),
        };
        several + &self.of
    }

    /// What is counted, where the number stands elsewhere: `this many cards`.
    fn this_many(&self) -> String {
        match self.mass && singular(&self.called) == self.called {
            true => format!("this much {}", self.called()),
            false => format!("this many {}", self.plural()),
        }
    }

    /// What must be there, as in "at least 3 cards", or with `where_`, such as ` in the main
    /// deck`, "at least this many cards in the main deck: …"; `None`: nobody gave a number.
    pub(super) fn wanted(&self, where_: &str) -> Option<String> {
        let words = |how: &str, bound: &End| match bound.constant() {
            Some(0) if how == "at most " => format!("no {}{where_}", self.plural()),
            Some(number) => format!("{how}{}{where_}", self.counted(number)),
            None => {
                let how = if how.is_empty() { "exactly " } else { how };
                format!("{how}{}{where_}: {}", self.this_many(), bound.bound.words())
            }
        };
        Some(match (&self.min, &self.max) {
            (Some(min), Some(_)) if self.exact => words("", min),
            (Some(min), Some(max)) => match (min.constant(), max.constant()) {
                (Some(least), Some(most)) if least == most => words("", max),
                (Some(least), Some(most)) => {
                    format!("{least} to {}{where_}", self.counted(most))
                }
                (Some(least), None) => {
                    let most = format!("and at most this many: {}", max.bound.words());
                    format!("at least {}{where_}, {most}", self.counted(least))
                }
                (None, Some(most)) => {
                    let least = format!("and at least this many: {}", min.bound.words());
                    format!("at most {}{where_}, {least}", self.counted(most))
                }
                (None, None) => {
                    let most = format!("and at most: {}", max.bound.words());
                    format!("{}; {most}", words("at least ", min))
                }
            },
            (Some(min), None) => words("at least ", min),
            (None, Some(max)) => words("at most ", max),
            (None, None) if self.one_of.is_empty() => return None,
            (None, None) => {
                let numbers: Vec<String> = self.one_of.iter().map(i64::to_string).collect();
                format!("{} {}{where_}", listed(&numbers, "or"), self.plural())
            }
        })
    }

    /// The same for one deck: the numbers that its cards give, and where they come from.
    pub(super) fn wanted_here(&self, contents: &Contents<'_>) -> String {
        let told = |end: &End| {
            let number = end.here(contents).unwrap_or(0);
            format!("{}{}", self.counted(number), end.bound.origin(contents))
        };
        let fixed = |end: &Option<End>| end.as_ref().is_none_or(|end| end.constant().is_some());
        match (&self.min, &self.max) {
            _ if fixed(&self.min) && fixed(&self.max) => self.wanted("").unwrap_or_default(),
            (Some(min), Some(_)) if self.exact => told(min),
            (Some(min), Some(max)) => {
                let origin = Bound::origin_between(&min.bound, &max.bound, contents);
                match (self.ends(contents), origin) {
                    ((Some(least), Some(most)), Some(origin)) if least < most => {
                        format!("{least} to {}{origin}", self.counted(most))
                    }
                    ((Some(_), None), _) => format!("at least {}", told(min)),
                    ((None, Some(_)), _) => format!("at most {}", told(max)),
                    _ => format!("at least {} and at most {}", told(min), told(max)),
                }
            }
            (Some(min), None) => format!("at least {}", told(min)),
            (None, Some(max)) => format!("at most {}", told(max)),
            (None, None) => self.wanted("").unwrap_or_default(),
        }
    }

    /// The number that one which is out of bounds, whatever unknown cards are, should have been,
    /// and what kind of failing it is.
    #[cold]
    pub(super) fn missed(
        &self,
        (low, high): (i64, i64),
        contents: &Contents<'_>,
    ) -> (i64, Failing) {
        let min = self.min.as_ref().map(|min| min.num.value(contents).0);
        let max = self.max.as_ref().map(|max| max.num.value(contents).1);
        let asked = |end: &Option<End>| {
            let silent = |cond: &Cond| cond.holds(contents) != Some(false);
            end.as_ref()
                .is_some_and(|end| !end.silent.iter().any(silent))
        };
        if let Some(min) = min.filter(|min| high < *min && asked(&self.min)) {
            return (min, Failing::Shortfall);
        }
        if let Some(max) = max.filter(|max| low > *max && asked(&self.max)) {
            return (max, Failing::Excess);
        }
        let above = self.one_of.iter().copied().filter(|option| *option > low);
        let most = self.one_of.iter().copied().max().unwrap_or(0);
        match above.min() {
            Some(next) => (next, Failing::Shortfall),
            None => (most, Failing::Excess),
        }
    }

    /// What would bring a number to what it should be; where a smaller number may be and is nearer,
    /// that first.
    pub(super) fn help(&self, number: i64, limit: i64) -> String {
        let off = limit.saturating_sub(number);
        let below = self
            .one_of
            .iter()
            .copied()
            .filter(|option| *option < number);
        match below.max().map(|below| number - below) {
            Some(out) if out < off => {
                format!("take out {}, or add {off}", self.counted(out))
            }
            _ if off > 0 => format!("add {}", self.counted(off)),
            _ => format!("take out {}", self.counted(off.saturating_abs())),
        }
    }

    /// Why no number from 0 to `most`, or every one, would do; `None`: some would and some not,
    /// or that depends on the deck.
    pub(super) fn idle(&self, most: i64) -> Option<&'static str> {
        if self.unset.is_some() {
            return None;
        }
        let bound = |bound: &Option<End>| match bound {
            None => Some(None),
            Some(bound) => bound.constant().map(Some),
        };
        let (min, max) = (bound(&self.min)?, bound(&self.max)?);
        let within = |number: i64| {
            min.is_none_or(|min| number >= min)
                && max.is_none_or(|max| number <= max)
                && (self.one_of.is_empty() || self.one_of.contains(&number))
        };
        let inside = |number: &i64| (0..=most).contains(number);
        let starts = std::iter::once(min.unwrap_or(0).max(0)).chain(self.one_of.iter().copied());
        if !starts.filter(inside).any(within) {
            return Some(NEVER_PASSES);
        }
        let beyond = self.one_of.iter().max().map(|last| last.saturating_add(1));
        let ends = [
            Some(0),
            min.map(|min| min - 1),
            max.map(|max| max.saturating_add(1)),
            beyond,
        ];
        let mut ends = ends.into_iter().flatten().filter(inside);
        match ends.all(within) {
            true => Some("no deck can ever fail"),
            false => None,
        }
    }
}

fn here(end: Option<&End>, contents: &Contents<'_>) -> Option<i64> {
    end.and_then(|end| end.here(contents))
}
