//! A number between two bounds: what `size`, `total`, `distinct` and `values` demand of what
//! they count.

use super::amount::{Amount, Bound, FromCards, Worth};
use super::linear::Unknown;
use super::{Compile, Contents, Failing, Linear, SectionSet, Violation};
use crate::game::Term;
use crate::text::{Span, counted, listed, singular, there_are};
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
    min: Option<Bound>,
    max: Option<Bound>,
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

/// What becomes of a number that is known up to what unknown cards may add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Met,
    /// The number that it should have been, and what kind of failing it is.
    Missed(i64, Failing),
    /// Unknown cards decide it.
    Open,
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
            min: known(exactly.clone().or(min)),
            max: known(exactly.or(max)),
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
        self.max = self.max.map(|max| max.plus(from, span, with));
        self
    }

    /// Where the most comes from, for a message that has the number.
    pub(super) fn origin(&self, contents: &Contents<'_>) -> String {
        let max = self.max.as_ref();
        max.map_or_else(String::new, |max| max.origin(contents))
    }

    /// The most that there may be, whatever comes to the deck while the sections of `full` take no
    /// further card; `None` where some card may change it.
    pub(super) fn most(&self, contents: &Contents<'_>, full: SectionSet) -> Option<i64> {
        match (&self.max, self.one_of.iter().max()) {
            (Some(max), _) if max.sections().is_within(full) => {
                let worth = max.worth(contents)?;
                worth.sure.then_some(worth.number)
            }
            (Some(_), _) => None,
            (None, most) => most.copied(),
        }
    }

    /// The sections whose cards have a say in the least number.
    pub(super) fn least_of(&self) -> SectionSet {
        let min = self.min.as_ref();
        min.map_or_else(SectionSet::default, Bound::sections)
    }

    /// Whether there is a least number.
    pub(super) fn has_least(&self) -> bool {
        self.min.is_some()
    }

    /// The least and the most that a deck's cards make of the bounds.
    pub(super) fn ends(&self, contents: &Contents<'_>) -> (Option<Worth>, Option<Worth>) {
        (
            worth(self.min.as_ref(), contents),
            worth(self.max.as_ref(), contents),
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

    fn plural(&self) -> String {
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

    fn is_empty(&self) -> bool {
        self.min.is_none() && self.max.is_none() && self.one_of.is_empty()
    }

    /// What must be there, as in "at least 3 cards", or with `where_`, such as ` in the main
    /// deck`, "at least this many cards in the main deck: …"; `None`: nobody gave a number.
    pub(super) fn wanted(&self, where_: &str) -> Option<String> {
        let words = |how: &str, bound: &Bound| match bound.constant() {
            Some(0) if how == "at most " => format!("no {}{where_}", self.plural()),
            Some(number) => format!("{how}{}{where_}", self.counted(number)),
            None => {
                let how = if how.is_empty() { "exactly " } else { how };
                format!("{how}{}{where_}: {}", self.this_many(), bound.words())
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
                    let most = format!("and at most this many: {}", max.words());
                    format!("at least {}{where_}, {most}", self.counted(least))
                }
                (None, Some(most)) => {
                    let least = format!("and at least this many: {}", min.words());
                    format!("at most {}{where_}, {least}", self.counted(most))
                }
                (None, None) => {
                    let most = format!("and at most: {}", max.words());
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
        let here = |bound: &Bound| {
            let number = bound.worth(contents).map_or(0, |worth| worth.number);
            format!("{}{}", self.counted(number), bound.origin(contents))
        };
        let fixed = |bound: &Option<Bound>| {
            bound
                .as_ref()
                .is_none_or(|bound| bound.constant().is_some())
        };
        match (&self.min, &self.max) {
            _ if fixed(&self.min) && fixed(&self.max) => self.wanted("").unwrap_or_default(),
            (Some(min), Some(_)) if self.exact => here(min),
            (Some(min), Some(max)) => {
                let ends = (worth(Some(min), contents), worth(Some(max), contents));
                match (ends, Bound::origin_between(min, max, contents)) {
                    ((Some(least), Some(most)), Some(origin)) if least.number < most.number => {
                        let most = self.counted(most.number);
                        format!("{} to {most}{origin}", least.number)
                    }
                    ((Some(_), None), _) => format!("at least {}", here(min)),
                    ((None, Some(_)), _) => format!("at most {}", here(max)),
                    _ => format!("at least {} and at most {}", here(min), here(max)),
                }
            }
            (Some(min), None) => format!("at least {}", here(min)),
            (None, Some(max)) => format!("at most {}", here(max)),
            (None, None) => self.wanted("").unwrap_or_default(),
        }
    }

    /// What is said of a number that is not as advised.
    pub(super) fn advised(&self, name: &str, count: i64, contents: &Contents<'_>) -> String {
        let wanted = self.wanted_here(contents);
        let there_are = there_are(count);
        format!("the rules text recommends {wanted} in the {name}; {there_are}")
    }

    /// Asks about a number that is `low`, or more, up to `high`, by what unknown cards may be.
    #[inline]
    pub(super) fn asked(&self, low: i64, high: i64, contents: &Contents<'_>) -> Asked {
        let mut open = false;
        if let Some(Worth {
            number,
            sure,
            grows,
        }) = worth(self.min.as_ref(), contents)
        {
            if high < number && (sure || grows) {
                return Asked::Missed(number, Failing::Shortfall);
            }
            open |= low < number || !sure;
        }
        if let Some(Worth {
            number,
            sure,
            grows,
        }) = worth(self.max.as_ref(), contents)
        {
            if low > number && sure {
                return Asked::Missed(number, Failing::Excess);
            }
            open |= high > number || !(sure || grows);
        }
        if !self.one_of.is_empty() {
            if !self
                .one_of
                .iter()
                .any(|option| (low..=high).contains(option))
            {
                let above = self.one_of.iter().copied().filter(|option| *option > low);
                let most = self.one_of.iter().copied().max().unwrap_or(0);
                return match above.min() {
                    Some(next) => Asked::Missed(next, Failing::Shortfall),
                    None => Asked::Missed(most, Failing::Excess),
                };
            }
            open |= [low, high].iter().any(|end| !self.one_of.contains(end));
        }
        match open {
            true => Asked::Open,
            false => Asked::Met,
        }
    }

    /// What would bring a number to what it should be.
    pub(super) fn mend(&self, number: i64, limit: i64) -> String {
        let change = self.counted(limit.saturating_sub(number).saturating_abs());
        match number < limit {
            true => format!("add {change}"),
            false => format!("take out {change}"),
        }
    }

    /// Demands it of a sum in linear form. `strangers` more may come to the sum from cards
    /// that nothing is known of.
    pub(super) fn linear(
        &self,
        linear: &mut Linear<'_>,
        mut terms: Vec<(Unknown, i64)>,
        constant: i64,
        strangers: i64,
    ) {
        if self.is_empty() {
            return;
        }
        if strangers > 0 {
            terms.push((linear.number(0, strangers), 1));
        }
        let total = linear.total(terms);
        if let Some(bound) = self.min.as_ref().and_then(|min| min.linear(linear))
            && (bound.sure || bound.grows)
        {
            let mut terms: Vec<_> = bound.terms.iter().map(|(at, by)| (*at, -by)).collect();
            terms.push((total, 1));
            linear.row_if(
                bound.when,
                terms,
                Some(bound.constant.saturating_sub(constant)),
                None,
            );
        }
        if let Some(bound) = self.max.as_ref().and_then(|max| max.linear(linear))
            && bound.sure
        {
            let mut terms: Vec<_> = bound.terms.iter().map(|(at, by)| (*at, -by)).collect();
            terms.push((total, 1));
            linear.row_if(
                bound.when,
                terms,
                None,
                Some(bound.constant.saturating_sub(constant)),
            );
        }
        if self.one_of.is_empty() {
            return;
        }
        let options: Vec<_> = self
            .one_of
            .iter()
            .map(|option| (linear.flag(), *option))
            .collect();
        let all = options.iter().map(|(flag, _)| (*flag, 1)).collect();
        linear.row(all, Some(1), Some(1));
        let mut terms: Vec<_> = options
            .iter()
            .map(|(flag, option)| (*flag, -option))
            .collect();
        terms.push((total, 1));
        linear.row(terms, Some(-constant), Some(-constant));
    }

    /// Why no number from 0 to `most`, or every one, would do; `None`: some would and some not,
    /// or that depends on the deck.
    pub(super) fn idle(&self, most: i64) -> Option<&'static str> {
        if self.unset.is_some() {
            return None;
        }
        let bound = |bound: &Option<Bound>| match bound {
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

#[inline]
fn worth(bound: Option<&Bound>, contents: &Contents<'_>) -> Option<Worth> {
    bound.and_then(|bound| bound.worth(contents))
}
