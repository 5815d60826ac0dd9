//! `matching`: words of a card that must be among those of the deck's identity cards.

use super::common_words::Words;
use super::contents::each_card;
use super::demand::Cond;
use super::fields::Fields;
use super::relation::{By, Heads, Mode, Passes, Speaks};
use super::{
    Cards, Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where,
};
use crate::pool::{CardId, Pool};
use crate::text::{singular, spaced, with_article};
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of a `matching` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Matching {
    /// The sections whose cards must match.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The cards' field: a word, a list, text, or `name`.
    pub field: Spanned<String>,
    /// Where the identity cards are. The name of a section alone: judged only where it holds
    /// exactly one card. A list of sections: all their cards together.
    pub by: Spanned<By>,
    /// The identity cards' field: a word, a list, text, or `name`; the same as `field` without
    /// it. Of several fields any may have the word.
    #[serde(default)]
    pub among: Option<Fields>,
    /// Whether any of a card's words must be among theirs, or all.
    #[serde(default)]
    pub mode: Mode,
    /// Which cards match where there is no identity card; with `nothing`, those without words
    /// where every word must.
    #[serde(default)]
    pub nobody: Passes,
}

#[derive(Debug)]
pub(super) struct Matched {
    sections: SectionSet,
    name: String,
    cards: Cards,
    /// Which cards, behind the word for them.
    of: String,
    heads: Heads,
    words: Words,
}

impl Matching {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Matched {
        let sections = with.section_set(&self.sections);
        Matched {
            sections,
            name: with.section_names(sections),
            of: with.which(self.cards.as_ref()),
            words: Words::compile(&self.field, self.among.as_ref(), self.mode, with),
            cards: with.cards(self.cards.as_ref()),
            heads: Heads::compile(&self.by, with).without(self.nobody),
        }
    }
}

impl Matched {
    #[cold]
    fn mismatch(&self, contents: &Contents<'_>, card: CardId) -> Violation {
        const MOST_NAMED: usize = 4;
        let pool = contents.pool;
        let has = self.words.written(pool, card, &self.words.field);
        let mut wanted: Vec<&str> = Vec::new();
        let mut heads: Vec<String> = Vec::new();
        let mut silent: Vec<String> = Vec::new();
        for head in self.heads.each(contents) {
            let words = self.words.of_head(pool, head);
            let name = format!("`{}`", contents.name(head));
            // A card of the deck that says nothing is none that speaks for it.
            match words.as_slice() {
                [] => silent.push(name),
                _ => heads.push(name),
            }
            for word in words {
                if !wanted.contains(&word) {
                    wanted.push(word);
                }
            }
        }
        if heads.is_empty() {
            heads = silent;
        }
        if heads.len() > MOST_NAMED {
            heads.truncate(MOST_NAMED - 1);
            heads.push("others".to_owned());
        }
        let field = spaced(&self.words.field);
        let among = crate::text::listed(&wanted, "or");
        let only = match among.as_str() {
            "" => format!("no {field}"),
            among => format!("only {among}"),
        };
        let is = match has.as_slice() {
            [] => format!("of no {field}"),
            [_] if self.words.field == "name" => "called so".to_owned(),
            has => format!("of {field} {}", crate::text::listed(has, "and")),
        };
        let name = contents.name(card);
        let message = match heads.as_slice() {
            [] => format!(
                "`{name}` is {is}, and the {} has no card that it matches",
                self.heads.name
            ),
            [head] => format!("`{name}` is {is}, and {head} allows {only}"),
            heads => {
                let heads = crate::text::listed(heads, "and");
                format!("`{name}` is {is}, and {heads} allow {only}")
            }
        };
        let help = match self.words.mode {
            _ if heads.is_empty() => {
                format!(
                    "take it out, or add to the {} what it matches",
                    self.heads.one_of
                )
            }
            Mode::Any if wanted.is_empty() => {
                let place = &self.heads.one_of;
                format!("take it out, or choose another card for the {place}")
            }
            Mode::Any => format!("take it out, or choose one of {field} {among}"),
            Mode::All if wanted.is_empty() => {
                format!("take it out, or choose one without any {field}")
            }
            Mode::All => format!("take it out, or choose one with no {field} other than {among}"),
        };
        Violation::of_deck(Failing::Excess, message, help)
            .for_fault(Fault::Mismatched)
            .in_section(self.sections.single())
            .about(card, Where::First(card, self.sections))
            .keeping(self.sections, 0)
    }

    /// What is to be said where it is unclear who speaks for the deck: nothing if each of the
    /// known identity cards alone would match every card.
    #[cold]
    fn unclear(&self, contents: &Contents<'_>, speaks: Speaks) -> Option<Violation> {
        let mut asked = false;
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                if !self.cards.has(card) {
                    return;
                }
                let pool = contents.pool;
                let has = self.words.has(pool, card);
                asked |= match speaks {
                    Speaks::Several => !self.heads.each(contents).all(|head| {
                        let among = self.words.says(pool, head);
                        match self.words.mode {
                            Mode::Any => has.iter().any(|word| among.contains(word)),
                            Mode::All => has.iter().all(|word| among.contains(word)),
                        }
                    }),
                    _ => !self.words.agrees(&self.heads, contents, card),
                };
            },
        );
        let section = self.sections.single();
        asked.then(|| match speaks {
            Speaks::Unknown(stranger) => Violation::unverified(format!(
                "not verified: the pool does not tell the {} of `{}`",
                self.words.fields(),
                contents.name(stranger)
            )),
            _ => {
                let message = format!(
                    "not verified: the {} has several cards, so which of them the {} must match is unclear",
                    self.heads.name, self.name
                );
                let help = format!("leave one card in the {}", self.heads.one_of);
                Violation::of_deck(Failing::Unverified, message, help)
            }
        })
        .map(|violation| violation.in_section(section))
    }
}

impl Constraint for Matched {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        match self.heads.speaks(contents) {
            Speaks::Nobody => return,
            Speaks::Known => {}
            speaks => {
                found.extend(self.unclear(contents, speaks));
                return;
            }
        }
        each_card(
            contents.known_in(self.sections),
            self.sections,
            |card, _| {
                if self.cards.has(card) && !self.words.agrees(&self.heads, contents, card) {
                    found.push(self.mismatch(contents, card));
                }
            },
        );
        if !self.cards.is_all() {
            return;
        }
        each_card(contents.unknown(), self.sections, |card, _| {
            let message = format!(
                "not verified: the pool does not tell the {} of `{}`",
                self.words.field,
                contents.name(card)
            );
            found.push(
                Violation::unverified(message)
                    .in_section(self.sections.single())
                    .about(card, Where::First(card, self.sections)),
            );
        });
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        if of.stranger_copies(self.heads.sections) > 0 {
            return Cow::Owned(Cond::always());
        }
        let concerns = |card| self.cards.has(card);
        let classes = self.words.classes(&self.heads, of, concerns);
        Cow::Owned(self.heads.cond(self.sections, classes, of))
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        if self.cards.count(pool) == 0 {
            return Some("no card of the pool is asked, so this can never fail".to_owned());
        }
        let speaks = pool
            .ids()
            .any(|card| !self.words.says(pool, card).is_empty());
        (!speaks).then(|| {
            let among = self.words.among.join("` or `");
            format!("no card of the pool has `{among}`, so no card can ever match")
        })
    }

    fn heads(&self) -> SectionSet {
        self.heads.own_sections()
    }

    fn demand(&self) -> String {
        let (field, among) = (spaced(&self.words.field), self.words.fields());
        let (every, must, not) = match self.words.mode {
            Mode::Any => ("Every", "must", ""),
            Mode::All => ("No", "may", "not "),
        };
        format!(
            "{every} card{} in the {} {must} have {} that is {not}among the {among} of {}.",
            self.of,
            self.name,
            with_article(&singular(&field)),
            self.heads.who_of("a")
        )
    }
}
