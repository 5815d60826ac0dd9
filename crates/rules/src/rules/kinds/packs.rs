//! `packs`: each card comes in packs of a number of copies.

use super::place::each_card;
use crate::rules::Compile;
use crate::rules::demand::{Demand, Unknown};
use crate::rules::tree::{Cond, Leaf, Num};
use decklaw_cards::pool::CardId;
use decklaw_text::text::counted;
use decklaw_text::yaml::Spanned;

/// The terms of a `packs` rule.
#[derive(Debug, Clone, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Packs {
    /// The sections whose cards are judged.
    pub sections: Vec<Spanned<String>>,
    /// The copies of a card in a pack; at least 1.
    pub of: Spanned<i64>,
}

impl Packs {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let (here, of) = (with.section_set(&self.sections), self.of.value.max(1));
        if self.of.value < 1 {
            with.refuse("`of` must be at least 1".to_owned(), self.of.span);
        }
        let (place, known) = (with.section_names(here), with.pool.len());
        let of_each = each_card(known, move |card| {
            let copies = Leaf::of_card(CardId(card), here, known).num();
            let packs = Num::Div(Box::new(copies.clone()), of);
            let whole = Num::Times(of, Box::new(packs));
            Some(Cond::Within(copies, None, Some(whole)))
        });
        let words = format!("Each card of the {place} comes in packs of {of}.");
        let demand = Demand::new(here, of_each, words, move |broken, was, found| {
            let (name, copies) = (broken.name(), broken.blame.least);
            let message = format!("{name} comes in packs of {of}; the {place} has {copies}");
            let help = format!("remove {}", counted(broken.blame.off(), "copy"));
            found.push(was.say(message, help));
        });
        Demand { unknown: Unknown::Judged, ..demand }
    }
}

#[test]
fn cards_come_in_whole_packs() {
    let rule = |example| format!("must: {{packs: {{sections: [main], of: 3}}}}, {example}");
    let tried = |example| crate::format::tests::tried(&rule(example));
    assert_eq!(tried("passes: 'Main\n\n6 Ash', fails: 'Main\n\n5 Ash'"), "");
    let message = "`Ash` comes in packs of 3; the main deck has 5";
    assert!(tried("passes: 'Main\n\n5 Ash'").ends_with(message));
}
