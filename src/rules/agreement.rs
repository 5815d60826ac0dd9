//! `matched`: cards that agree with the deck's identity cards, and for which another number holds.

use super::fields::Fields;
use super::linear::Unknown;
use super::permits::Permits;
use super::relation::{By, Heads, Mode, Passes, agreed};
use super::words::Words;
use super::{Compile, Contents, Linear, SectionSet, Violation};
use crate::pool::CardId;
use crate::text::{singular, spaced, with_article};
use crate::yaml::Spanned;
use serde::Deserialize;

/// Cards that agree with the identity cards: by a word of theirs (`field`), or because the
/// identity cards' own query permits them (`permits`). They are free, or not limited, unless
/// `then` says otherwise. Where there is no identity card, none agrees.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Agreement {
    /// Where the identity cards are; all of them speak together.
    pub by: Spanned<By>,
    /// The cards' field: a word, a list, text, or `name`.
    #[serde(default)]
    pub field: Option<Spanned<String>>,
    /// The identity cards' field: a word, a list, text, or `name`; the same as `field` without
    /// it. Of several fields any may have the word.
    #[serde(default)]
    pub among: Option<Fields>,
    /// Instead of words: the identity cards' field that holds a card query, or fields of which
    /// any permits.
    #[serde(default)]
    pub permits: Option<Fields>,
    /// What an identity card permits whose field is empty.
    #[serde(default)]
    pub empty: Option<Passes>,
    /// Whether any of a card's words, or of the identity cards, must agree, or all.
    #[serde(default)]
    pub mode: Mode,
    /// What becomes of the price of a card that agrees: nothing is left of it without this. In
    /// `copies`, what becomes of their most: there is none without this.
    #[serde(default)]
    pub then: Option<Price>,
    /// What becomes of the price, or of the most, of any other card: it stays without this.
    #[serde(default, rename = "else")]
    pub otherwise: Option<Price>,
}

/// What becomes of a number: it is multiplied, then something is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// How often it counts; 1 without it.
    #[serde(default = "one")]
    pub times: i64,
    /// What is added.
    #[serde(default)]
    pub plus: i64,
}

fn one() -> i64 {
    1
}

impl Price {
    /// What changes nothing.
    pub(super) const SAME: Price = Price { times: 1, plus: 0 };

    /// What becomes of what counts, a verb with what belongs to it.
    pub(super) fn words(self) -> String {
        match (self.times, self.plus) {
            (0, 0) => "are free".to_owned(),
            (1, 0) => "count as they are".to_owned(),
            (0, plus) => format!("count {plus}"),
            (1, plus @ ..0) => format!("count {} less", plus.saturating_neg()),
            (1, plus) => format!("count {plus} more"),
            (times, 0) => format!("count {times} times"),
            (times, plus @ ..0) => {
                format!("count {times} times and {} less", plus.saturating_neg())
            }
            (times, plus) => format!("count {times} times and {plus} more"),
        }
    }

    pub(super) fn of(self, price: i64) -> i64 {
        price.saturating_mul(self.times).saturating_add(self.plus)
    }
}

#[derive(Debug)]
enum Relation {
    Words(Words),
    Permits(Permits),
}

/// Who agree, ready to be asked.
#[derive(Debug)]
pub(crate) struct Agrees {
    heads: Heads,
    relation: Relation,
}

impl Agreement {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Agrees {
        let heads = Heads::compile(&self.by, with);
        let relation = match (&self.field, &self.permits) {
            (Some(field), None) => {
                Relation::Words(Words::compile(field, self.among.as_ref(), self.mode, with))
            }
            (None, Some(field)) => {
                let permits = Permits::compile(field, self.mode, self.empty, with);
                Relation::Permits(permits)
            }
            _ => {
                let message =
                    "`matched` needs a `field` of words, or the field that `permits`, and not both";
                with.refuse(message.to_owned(), self.by.span);
                let nothing = Words {
                    folded: None,
                    field: String::new(),
                    among: Vec::new(),
                    mode: self.mode,
                };
                Relation::Words(nothing)
            }
        };
        Agrees { heads, relation }
    }
}

impl Agrees {
    /// The sections of the identity cards.
    pub(super) fn sections(&self) -> SectionSet {
        self.heads.sections
    }

    /// The sections of nothing but identity cards.
    pub(super) fn heads(&self) -> SectionSet {
        self.heads.own_sections()
    }

    /// Whether a card agrees; none does where nobody speaks.
    #[inline]
    pub(super) fn agrees(&self, contents: &Contents<'_>, card: CardId) -> bool {
        self.heads.each(contents).next().is_some()
            && match &self.relation {
                Relation::Words(words) => words.agrees(&self.heads, contents, card),
                Relation::Permits(permits) => permits.agrees(&self.heads, contents, card),
            }
    }

    /// What is to be said where it depends on a choice which the deck does not declare.
    #[inline]
    pub(super) fn unsaid(&self, contents: &Contents<'_>) -> Option<Violation> {
        match &self.relation {
            Relation::Words(_) => None,
            Relation::Permits(permits) => permits.unsaid(&self.heads, contents),
        }
    }

    /// The same in linear form, unless one of some flags is 1.
    pub(super) fn demand_said(
        &self,
        linear: &mut Linear<'_>,
        unless: impl FnOnce(&mut Linear<'_>) -> Vec<(Unknown, i64)>,
    ) {
        if let Relation::Permits(permits) = &self.relation {
            permits.demand_said(&self.heads, linear, unless);
        }
    }

    /// Of the cards that `concerns` picks, those that agree together or not at all, and the flag
    /// that is 1 just where they do.
    pub(super) fn flags(
        &self,
        linear: &mut Linear<'_>,
        concerns: impl Fn(CardId) -> bool,
    ) -> Vec<(Unknown, Vec<CardId>)> {
        let classes = match &self.relation {
            Relation::Words(words) => words.clauses(&self.heads, linear, &concerns),
            Relation::Permits(permits) => permits.clauses(&self.heads, linear),
        };
        let mut flags = Vec::new();
        for (mut clauses, cards) in classes {
            let cards: Vec<CardId> = cards.into_iter().filter(|card| concerns(*card)).collect();
            if cards.is_empty() {
                continue;
            }
            // Where nobody speaks, nobody agrees.
            if let Relation::Permits(permits) = &self.relation
                && permits.mode == Mode::All
            {
                clauses.push(vec![(self.anybody(linear), 1)]);
            }
            let flag = agreed(&clauses, linear);
            let flag = flag.unwrap_or_else(|| self.anybody(linear));
            flags.push((flag, cards));
        }
        flags
    }

    /// Which cards agree, in words.
    pub(super) fn words(&self) -> String {
        match &self.relation {
            Relation::Words(words) => {
                let heads = self.heads.who_of("a");
                let field = spaced(&words.field);
                let among = words.fields();
                match (words.mode, field == among) {
                    (Mode::Any, true) => format!("cards with any {} of {heads}", singular(&field)),
                    (Mode::All, true) => {
                        format!("cards with no {} but those of {heads}", singular(&field))
                    }
                    (Mode::Any, false) => {
                        let field = with_article(&singular(&field));
                        format!("cards with {field} that is among the {among} of {heads}")
                    }
                    (Mode::All, false) => {
                        format!("cards whose {field} is all among the {among} of {heads}")
                    }
                }
            }
            Relation::Permits(permits) => {
                let heads = self.heads.who_of(match permits.mode {
                    Mode::Any => "a",
                    Mode::All => "every",
                });
                let fields: Vec<String> = permits.fields.iter().map(|one| spaced(one)).collect();
                let fields = crate::text::listed(&fields, "or");
                format!("cards that {heads} permits by its {fields}")
            }
        }
    }

    /// The flag that is 1 just where there is any identity card.
    fn anybody(&self, linear: &mut Linear<'_>) -> Unknown {
        let all = linear.pool().ids().filter(|card| self.heads.has(*card));
        let held: Vec<_> = all
            .flat_map(|card| linear.sum(card, self.heads.sections, 1))
            .collect();
        linear.any(&held)
    }
}
