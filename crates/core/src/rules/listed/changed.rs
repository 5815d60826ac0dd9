//! `list-changes`: what the list says otherwise of cards of the deck is told, and is no fault.

use crate::banlist::{Banlist, Changed, Difference};
use crate::pool::CardId;
use crate::rules::contents::each_card;
use crate::rules::demand::Cond;
use crate::rules::{Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::text::{counted, listed};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct ListedChange {
    list: Arc<Banlist>,
    changed: Arc<Changed>,
}

const EVERYWHERE: SectionSet = SectionSet(u64::MAX);

impl ListedChange {
    pub(super) fn new(list: &Arc<Banlist>, changed: &Arc<Changed>) -> ListedChange {
        ListedChange {
            list: Arc::clone(list),
            changed: Arc::clone(changed),
        }
    }
}

fn words(difference: &Difference) -> String {
    let Difference {
        field,
        before,
        after,
    } = difference;
    let said = |text: &str| match text {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    };
    format!("{field} {} (else {})", said(after), said(before))
}

impl Constraint for ListedChange {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let mut met: Vec<CardId> = Vec::new();
        if !self.changed.different.is_empty() {
            each_card(contents.known(), EVERYWHERE, |card, _| {
                if self.changed.different.contains_key(&card) {
                    met.push(card);
                }
            });
        }
        let Some(first) = met.first().copied() else {
            return;
        };
        let told = met.iter().map(|card| {
            let own = self.changed.different[card].iter().map(words);
            let own: Vec<String> = own.collect();
            format!("`{}` has {}", contents.name(*card), listed(&own, "and"))
        });
        let told: Vec<String> = told.collect();
        let message = format!("by the list {} {}", self.list.id, listed(&told, "and"));
        let mut violation = Violation::of_deck(Failing::Excess, message, String::new())
            .for_fault(Fault::Changed)
            .about(first, Where::First(first, EVERYWHERE));
        violation.cards = met;
        found.push(violation);
    }

    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        Cow::Owned(Cond::always())
    }

    fn demand(&self) -> String {
        let cards = counted(self.changed.different.len() as i64, "card");
        format!("The list says otherwise of {cards} than the card file.")
    }
}
