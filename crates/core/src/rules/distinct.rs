//! `distinct`: how many different cards there may be, with bounds that may grow.

use super::amount::{Amount, FromCards, Round};
use super::bounded::{Bounded, BoundedKind, Explanation, OutOfBounds};
use super::contents::such_as;
use super::demand::{Leaf, Num, Strangers};
use super::fields::Key;
use super::groups::Groups;
use super::range::Bounds;
use super::{Compile, Contents, Failing};
use crate::game::Term;
use crate::pool::Pool;
use crate::text::{counted, there_are};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

/// The terms of a `distinct` rule. At least one of the numbers is given.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Distinct {
    /// The sections whose cards are counted, each name once.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Fields whose values make cards one and the same, as for `copies`; a list within the list are fields whose
    /// values do so together.
    #[serde(default)]
    pub by: Vec<Key>,
    /// The fewest.
    #[serde(default)]
    pub min: Option<Spanned<Amount>>,
    /// The most.
    #[serde(default)]
    pub max: Option<Spanned<Amount>>,
    /// Just so many.
    #[serde(default)]
    pub exactly: Option<Spanned<Amount>>,
    /// What is added to the most.
    #[serde(default)]
    pub plus: Option<Share>,
    /// What is counted, in the singular: `card` without it.
    #[serde(default)]
    pub called: Option<String>,
}

/// A share of a total, rounded down.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Share {
    /// The sections totalled.
    pub sections: Vec<Spanned<String>>,
    /// A card query: the cards totalled.
    pub cards: Spanned<String>,
    /// The number field totalled, every copy counted.
    pub field: Spanned<String>,
    /// One more for each so many; at least 1.
    pub per: Spanned<i64>,
}

/// How many different cards there are.
#[derive(Debug)]
pub(super) struct Different {
    /// What makes cards one and the same.
    by: Option<(String, Arc<Groups>)>,
}

impl Distinct {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Bounded<Different> {
        let sections = with.section_set(&self.sections);
        let bounds = Bounds {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
            one_of: &[],
        };
        let called = format!("different {}", self.called.as_deref().unwrap_or("card"));
        let of = self.cards.as_ref().filter(|_| self.called.is_none());
        let mut range = bounds.compile("distinct", (&called, false), of, sections, with);
        if let Some(share) = &self.plus {
            if self.max.is_none() {
                with.refuse("`plus` adds to a `max`".to_owned(), share.per.span);
            }
            let from = FromCards {
                base: None,
                of: share.sections.clone(),
                field: Some(share.field.clone()),
                cards: Some(share.cards.clone()),
                per: Some(share.per.clone()),
                round: Round::Down,
                times: None,
                otherwise: Some(Spanned {
                    value: Term::Number(0),
                    span: share.per.span,
                }),
            };
            range = range.more(&from, share.per.span, with);
        }
        let by = with.grouped(&self.by, true);
        let mut leaf = Leaf::of_cards(self.cards.as_ref(), sections, with);
        // An unknown card may be one and the same as a known one.
        if by.is_some() {
            leaf.strangers = Strangers::Any(0, 1);
        }
        let num = Num::Different {
            groups: by.as_ref().map(|(_, groups)| Arc::clone(groups)),
            least: 1,
            leaf: Box::new(leaf),
        };
        Bounded::new(sections, num, range, Different { by }, with)
    }
}

impl BoundedKind for Different {
    fn missed(of: &Bounded<Self>, contents: &Contents<'_>, missed: OutOfBounds) -> Explanation {
        let OutOfBounds { number, limit, .. } = missed;
        if missed.failing != Failing::Excess {
            return Explanation {
                message: format!(
                    "the {} must have {}; {}",
                    of.name,
                    of.range.wanted_here(contents),
                    there_are(number)
                ),
                help: of.range.help(number, limit),
                cards: Vec::new(),
            };
        }
        let cards = match of.num.is_all() {
            true => Vec::new(),
            false => of.num.there(contents),
        };
        Explanation {
            message: format!(
                "{} in the {}, and at most {limit} may be there{}",
                of.range.counted(number),
                of.name,
                of.range.origin(contents)
            ),
            help: format!(
                "take out all copies of {}{}",
                counted(missed.off(), "card"),
                such_as(contents, &cards)
            ),
            cards,
        }
    }

    fn open(of: &Bounded<Self>, contents: &Contents<'_>) -> String {
        let (_, most) = of.range.ends(contents);
        let may = most.map_or_else(String::new, |most| format!("{most} may be there, and "));
        let (_, count) = of.num.value(contents);
        format!(
            "not verified: the {} has {count} different cards, {may}some are unknown",
            of.name
        )
    }

    fn idle(of: &Bounded<Self>, pool: &Pool) -> Option<String> {
        let most = match (&of.kind.by, &of.num) {
            (Some((_, groups)), _) => groups.len(),
            (None, Num::Different { leaf, .. }) => leaf.weighed(pool.len()).len(),
            (None, _) => 0,
        };
        let idle = of.range.idle(most as i64)?;
        Some(format!("of {most} different cards that count, {idle}"))
    }

    fn demand(of: &Bounded<Self>) -> String {
        let by = match &of.kind.by {
            Some((fields, _)) => format!(", cards of the same {fields} counted once"),
            None => String::new(),
        };
        match of.range.wanted(&format!(" in the {}{by}", of.name)) {
            Some(wanted) => {
                let mut letters = wanted.chars();
                let first = letters.next().map(|first| first.to_uppercase().to_string());
                format!("{}{}.", first.unwrap_or_default(), letters.as_str())
            }
            None => format!(
                "A number of different cards for the {} that the rules text does not give.",
                of.name
            ),
        }
    }
}
