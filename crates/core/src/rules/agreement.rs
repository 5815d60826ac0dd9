//! `matched`: cards that agree with the deck's identity cards, and for which another number holds.

use super::common_words::Words;
use super::demand::{Agreeing, Cond};
use super::fields::Fields;
use super::permits::Permits;
use super::relation::{By, Heads, Mode, Passes};
use super::{Compile, Contents, Linear, SectionSet};
use crate::pool::CardId;
use crate::text::{singular, spaced, with_article};
use crate::yaml::Spanned;
use serde::Deserialize;

/// Cards that agree with the identity cards: by a word of theirs (`field`), or because the
/// identity cards' own query permits them (`permits`). They are free unless
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
    /// What becomes of the price of a card that agrees: nothing is left of it without this.
    #[serde(default)]
    pub then: Option<Price>,
    /// What becomes of the price of any other card: it stays without this.
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
    /// The sections of nothing but identity cards.
    pub(super) fn heads(&self) -> SectionSet {
        self.heads.own_sections()
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
}

impl Agreeing for Agrees {
    fn sections(&self) -> SectionSet {
        self.heads.sections
    }

    #[inline]
    fn agrees(&self, contents: &Contents<'_>, card: CardId) -> bool {
        self.heads.each(contents).next().is_some()
            && match &self.relation {
                Relation::Words(words) => words.agrees(&self.heads, contents, card),
                Relation::Permits(permits) => permits.agrees(&self.heads, contents, card),
            }
    }

    fn classes(
        &self,
        of: &Linear<'_>,
        concerns: &dyn Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)> {
        let mut classes = match &self.relation {
            Relation::Words(words) => words.classes(&self.heads, of, concerns),
            Relation::Permits(permits) => permits.classes(&self.heads, of),
        };
        for (cond, cards) in &mut classes {
            cards.retain(|card| concerns(*card));
            // Where nobody speaks, nobody agrees.
            let is_said = match &*cond {
                Cond::All(parts) => !parts.is_empty(),
                said => matches!(said, Cond::Within(_, Some(_), _)),
            };
            if !is_said {
                let said = std::mem::replace(cond, Cond::always());
                *cond = Cond::All(vec![said, self.heads.is_somebody(of)]);
            }
        }
        classes.retain(|(_, cards)| !cards.is_empty());
        classes
    }
}
