//! What `size`, `total`, `distinct` and `values` demand: that a number of the deck lies between
//! bounds.

use crate::game::Term;
use crate::rules::amount::{Amount, Bound, FromCards};
use crate::rules::bounded::{Bounded, End};
use crate::rules::demand::{Demand, Of};
use crate::rules::tree::{Name, Num};
use crate::rules::{Compile, SectionSet, Violation};
use decklaw_text::text::{Span, sentence};
use decklaw_text::yaml::Spanned;

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

/// A number of the deck that a kind of rule counts.
pub(super) struct Counted {
    pub(super) kind: &'static str,
    pub(super) sections: SectionSet,
    pub(super) num: Num,
    pub(super) name: Name,
    /// What else `explain` shows of it, behind the bounds.
    pub(super) note: String,
    /// What its meter is called, if it has one.
    pub(super) meter: Option<String>,
}

impl Bounds<'_> {
    /// The demand that a number lies between the bounds.
    pub(super) fn demand(self, counted: Counted, with: &mut Compile<'_>) -> Demand {
        let Counted { kind, sections, num, name, note, meter } = counted;
        let place = with.section_names(sections);
        let what = format!("number of {} for the {place}", name.plural());
        let mut unset = Vec::new();
        let (low, high) = self.ends(kind, &mut unset, with);
        let options = self.one_of.iter().filter_map(|term| with.given(Some(term), &mut unset));
        let options = options.collect();
        let bounded = Bounded { num, name: Some(name), low, high, options };
        let words = sentence(&(bounded.clause(true, None) + &note));
        let meter = meter.and_then(|called| bounded.meter(called, sections.single()));
        let of = Of::Deck(bounded.cond());
        let demand = Demand::new(sections, of, words, move |broken, was, found| {
            found.push(bounded.missed(was, broken.contents));
        });
        Demand { unset: Violation::unset(&what, &unset, sections), meter, ..demand }
    }

    /// The two ends; the settings without a value go to `unset`, and a bound that needs one is none.
    fn ends(
        self,
        kind: &str,
        unset: &mut Vec<String>,
        with: &mut Compile<'_>,
    ) -> (Option<End>, Option<End>) {
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
        let mut end = |bound: Option<Bound>| {
            let bound = bound?;
            unset.extend_from_slice(&bound.unset);
            let end = End { num: bound.num(), silent: bound.silent };
            bound.unset.is_empty().then_some(end)
        };
        match end(exactly) {
            Some(both) => (Some(both.clone()), Some(both)),
            None => (end(min), end(max)),
        }
    }
}
