//! `packs`: cards with the same value of a field come in packs of a number of cards.

use crate::rules::demand::{Demand, Lazy, Notice, Of};
use crate::rules::fields::Key;
use crate::rules::tree::{Cond, Leaf, Num};
use crate::rules::{Compile, Violation, Where};
use decklaw_text::text::counted;
use decklaw_text::yaml::Spanned;
use std::sync::Arc;

/// The terms of a `packs` rule.
#[derive(Debug, Clone, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Packs {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// The field whose values group the cards.
    pub by: Spanned<String>,
    /// The cards in a pack; at least 1.
    pub of: Spanned<i64>,
}

impl Packs {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let (here, of) = (with.section_set(&self.sections), self.of.value.max(1));
        if self.of.value < 1 {
            with.refuse("`of` must be at least 1".to_owned(), self.of.span);
        }
        let (place, field) = (with.section_names(here), self.by.value.clone());
        let (_, groups) = with.grouped(&[Key::One(self.by.clone())], false).unwrap_or_default();
        let own = Arc::clone(&groups);
        let cond = Lazy::new(groups.len(), move |group| {
            let cards = Leaf::of_few(own.members(group).iter().copied(), here).num();
            let packs = Box::new(Num::Div(Box::new(cards.clone()), of));
            Some(Cond::Within(cards, None, Some(Num::Times(of, packs))))
        });
        let each = Of::Each { groups: Some(Arc::clone(&groups)), cond, always: Vec::new() };
        let words = format!("The {place} has the cards of each {field} in packs of {of}.");
        let demand = Demand::new(here, each, words, move |broken, mut was, found| {
            let (value, blame) = (groups.name(broken.item), &broken.blame);
            was.place = Where::Passing(broken.card(), here, blame.limit);
            let has = counted(blame.least, "card");
            let message = format!("the {place} has {has} of {field} {value}; packs have {of}");
            found.push(was.say(message, format!("remove {}", counted(blame.off(), "card"))));
        });
        // An unknown card may be of any group.
        let notice: Notice = Box::new(move |rule, contents| {
            let is_open = contents.count_unknown(here) > 0;
            Vec::from_iter(is_open.then(|| Violation::open(contents, &[rule])))
        });
        Demand { notice: Some(notice), ..demand }
    }
}
