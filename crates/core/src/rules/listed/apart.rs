//! `group-list`: cards of which a deck may have only some together.

use super::named::{Naming, Ones};
use super::{cited, open, place, scope};
use crate::banlist::{Banlist, Count, Group, Listed};
use crate::pool::CardId;
use crate::rules::demand::{Cond, Leaf, Num};
use crate::rules::meter::Reading;
use crate::rules::{
    Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where,
};
use crate::text::{counted, listed};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Apart {
    list: Arc<Banlist>,
    group: Group,
    cards: Ones,
    not_with: Ones,
    scope: SectionSet,
    /// What those sections are called: ` in the extra deck`, or nothing.
    place: String,
    /// Whether what the list says of a card depends on what the pool tells of it.
    asks: bool,
}

/// What a deck holds of some cards.
#[derive(Debug, Default)]
struct Held {
    /// Different ones.
    ones: i64,
    copies: i64,
}

impl Apart {
    pub(super) fn new(
        list: &Arc<Banlist>,
        group: &Group,
        naming: &Naming,
        with: &mut Compile<'_>,
    ) -> Apart {
        let mut named =
            |all: &[Listed]| Ones::joined(all.iter().flat_map(|one| naming.each(one, with)));
        let (cards, not_with) = (named(&group.cards), named(&group.not_with));
        let mut all = group.cards.iter().chain(&group.not_with);
        Apart {
            place: place(&group.sections, with),
            scope: scope(&group.sections, with.sections),
            asks: naming.asks() || all.any(|one| one.query),
            list: Arc::clone(list),
            group: group.clone(),
            cards,
            not_with,
        }
    }

    fn held(&self, ones: &Ones, contents: &Contents<'_>) -> Held {
        let mut held = Held::default();
        ones.each_held(
            contents,
            |_| self.scope,
            |_, _, copies| {
                held.ones += 1;
                held.copies = held.copies.saturating_add(copies);
            },
        );
        held
    }

    fn counts(&self, held: &Held) -> i64 {
        match self.group.count {
            Count::Cards => held.ones,
            Count::Copies => held.copies,
        }
    }

    /// The cards of a deck that are among some.
    fn named(&self, ones: &Ones, contents: &Contents<'_>) -> (Vec<CardId>, Vec<String>) {
        let (mut cards, mut names) = (Vec::new(), Vec::new());
        ones.each_held(
            contents,
            |_| self.scope,
            |at, card, _| {
                names.push(format!("`{}`", contents.name(card)));
                cards.extend(ones.held(at, card, contents, self.scope));
            },
        );
        (cards, names)
    }

    #[cold]
    fn together(&self, contents: &Contents<'_>, number: i64) -> Violation {
        let most = i64::from(self.group.at_most);
        let (cards, names) = self.named(&self.cards, contents);
        let cited = cited(&self.list, self.group.line);
        let place = &self.place;
        let names = listed(&names, "and");
        let message = match (&self.group.called, self.group.count) {
            (Some(called), Count::Cards) => format!(
                "{}{place} ({names}), and at most {most} may be there ({cited})",
                counted(number, called)
            ),
            (None, Count::Cards) if most == 1 => {
                format!(
                    "{names} must not be together{place}: just one of them may be there ({cited})"
                )
            }
            (None, Count::Cards) => format!(
                "{number} of the cards of which at most {most} may be there together{place}: {names} ({cited})"
            ),
            (called, Count::Copies) => {
                let of = called
                    .as_ref()
                    .map_or(String::new(), |called| format!(" {called}"));
                format!(
                    "{} of{of} {names} together{place}, and at most {most} may be there ({cited})",
                    counted(number, "copy")
                )
            }
        };
        let over = number.saturating_sub(most);
        let help = match self.group.count {
            Count::Cards => format!("take out every copy of {over} of them"),
            Count::Copies => format!("take out {}", counted(over, "copy")),
        };
        let at = usize::try_from(most)
            .unwrap_or(usize::MAX)
            .min(cards.len() - 1);
        let first = cards[at];
        let mut violation = Violation::of_deck(Failing::Excess, message, help)
            .with_numbers(most, number)
            .about(first, Where::First(first, self.scope));
        violation.cards = cards;
        violation.in_section(self.scope.single())
    }

    #[cold]
    fn beside(&self, contents: &Contents<'_>) -> Violation {
        let (mut cards, one) = self.named(&self.cards, contents);
        let (others, other) = self.named(&self.not_with, contents);
        let (one, other) = (listed(&one, "and"), listed(&other, "and"));
        let message = format!(
            "{one} must not be{} with {other} ({})",
            match self.group.sections.as_slice() {
                [] => " in a deck".to_owned(),
                _ => self.place.clone(),
            },
            cited(&self.list, self.group.line)
        );
        let help = format!("take out every copy of {one}, or of {other}");
        let first = cards[0];
        cards.extend(others);
        let mut violation = Violation::of_deck(Failing::Excess, message, help)
            .for_fault(Fault::Forbidden)
            .about(first, Where::First(first, self.scope));
        violation.cards = cards;
        violation.in_section(self.scope.single())
    }
}

impl Constraint for Apart {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let held = self.held(&self.cards, contents);
        if self.group.not_with.is_empty() {
            let number = self.counts(&held);
            if number > i64::from(self.group.at_most) {
                found.push(self.together(contents, number));
                return;
            }
        } else if held.ones > 0 && self.held(&self.not_with, contents).ones > 0 {
            found.push(self.beside(contents));
            return;
        }
        let strangers = match self.asks {
            true => contents.count_unknown(self.scope),
            false => 0,
        };
        if strangers > 0 {
            found.push(open(&self.list, strangers, "what may be together"));
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let each = |ones: &Ones| -> Vec<Leaf> {
            let each = 0..ones.all().len();
            each.map(|at| ones.leaf(at, self.scope, 1, of)).collect()
        };
        let cards = each(&self.cards);
        if !self.group.not_with.is_empty() {
            let absent = |all: &[Leaf]| Cond::All(all.iter().map(Leaf::is_absent).collect());
            let either = [absent(&cards), absent(&each(&self.not_with))];
            return Cow::Owned(Cond::Any(either.into()));
        }
        let number = cards.into_iter().map(|leaf| match self.group.count {
            Count::Copies => leaf.num(),
            Count::Cards => Num::When(Box::new(leaf.is_there()), Box::new(Num::Const(1))),
        });
        let most = i64::from(self.group.at_most);
        Cow::Owned(Cond::at_most(Num::Add(number.collect()), most))
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        let called = self.group.called.as_ref();
        let called = called.filter(|_| self.group.not_with.is_empty())?;
        let total = self.counts(&self.held(&self.cards, contents));
        (total > 0).then(|| Reading {
            section: self.scope.single(),
            called: format!("{called}s"),
            value: total,
            low: None,
            high: Some(i64::from(self.group.at_most)),
            is_uncertain: self.asks && contents.count_unknown(self.scope) > 0,
        })
    }

    fn demand(&self) -> String {
        let words = self.group.words();
        let mut letters = words.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        format!("{}{}.", first.unwrap_or_default(), letters.as_str())
    }
}
