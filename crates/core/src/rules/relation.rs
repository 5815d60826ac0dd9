//! The identity cards of a deck, which say something of its other cards: words that must match, or
//! queries that permit.

use super::demand::{Cond, Leaf, Num};
use super::{Cards, Compile, Contents, Holding, Linear, SectionSet};
use crate::pool::CardId;
use crate::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};

/// Where the identity cards are: one section, which must then hold just one card; a list of
/// sections, whose cards speak together; or those cards of some sections that a query picks.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum By {
    /// The one card of a section; several make it unclear which is meant.
    One(String),
    /// All the cards of some sections together.
    All(Vec<Spanned<String>>),
    /// The cards of some sections that a query picks, together.
    Some(Picked),
}

/// Identity cards that stand among others.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// The sections in which they are.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards there speak for the deck.
    pub cards: Spanned<String>,
}

impl<'de> Deserialize<'de> for By {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<By, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = By;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a section, a list of sections, or `{sections: […], cards: QUERY}`")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<By, E> {
                Ok(By::One(name.to_owned()))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, names: A) -> Result<By, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(names)).map(By::All)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<By, A::Error> {
                Picked::deserialize(de::value::MapAccessDeserializer::new(map)).map(By::Some)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// How many of a card's words, or of the identity cards, must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// One is enough.
    #[default]
    Any,
    /// Every one must; a card without words always agrees here, and with `any` never.
    All,
}

/// Which cards pass where nobody says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    /// All of them.
    #[default]
    Everything,
    /// None of them.
    Nothing,
}

/// The sections of the identity cards.
#[derive(Debug)]
pub(super) struct Heads {
    pub(super) sections: SectionSet,
    /// Which cards there they are; where not all, in words behind "cards", too.
    cards: Cards,
    which: Option<String>,
    /// Whether there must be just one card.
    alone: bool,
    /// Which cards pass where there is none.
    nobody: Passes,
    /// What messages call the sections, and any one of them.
    pub(super) name: String,
    pub(super) one_of: String,
}

/// Who speaks for a deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaks {
    /// The known cards of the sections; there may be none, and then nothing passes.
    Known,
    /// A card that the pool does not know is among them.
    Unknown(CardId),
    /// No card.
    Nobody,
    /// Several, and which one is meant is unclear.
    Several,
}

impl Heads {
    pub(super) fn compile(by: &Spanned<By>, with: &mut Compile<'_>) -> Heads {
        let (mut cards, mut which) = (Cards::All, None);
        let (sections, alone) = match &by.value {
            By::One(name) => {
                let name = Spanned {
                    value: name.clone(),
                    span: by.span,
                };
                (SectionSet::only(with.section(&name)), true)
            }
            By::All(names) => (with.section_set(names), false),
            By::Some(picked) => {
                cards = with.cards(Some(&picked.cards));
                which = Some(with.which(Some(&picked.cards)));
                (with.section_set(&picked.sections), false)
            }
        };
        if sections == SectionSet::default() {
            with.refuse("`by` names no section".to_owned(), by.span);
        }
        let (name, one_of) = (with.section_names(sections), with.one_of(sections));
        Heads {
            sections,
            cards,
            which,
            alone,
            nobody: Passes::Everything,
            name,
            one_of,
        }
    }

    /// The same where, without any, these cards pass.
    #[must_use]
    pub(super) fn without(self, nobody: Passes) -> Heads {
        Heads { nobody, ..self }
    }

    /// Whether a known card is one where it stands in their sections.
    #[inline]
    pub(super) fn has(&self, card: CardId) -> bool {
        self.cards.has(card)
    }

    /// Who they are, as in `the card in the hero section`.
    pub(super) fn who(&self) -> String {
        match &self.which {
            None => format!("the card in the {}", self.name),
            Some(which) => format!("each card{which} in the {}", self.name),
        }
    }

    /// The same where `which` of several is meant, as in `every card in the hero section`. Where
    /// each card of a section is one, `a` is the card that stands there.
    pub(super) fn who_of(&self, which: &str) -> String {
        let who = self.who();
        match (who.strip_prefix("each card"), who.strip_prefix("the card")) {
            (Some(rest), _) => format!("{which} card{rest}"),
            (_, Some(rest)) if which != "a" => format!("{which} card{rest}"),
            _ => who,
        }
    }

    /// The sections that have nothing but them.
    pub(super) fn own_sections(&self) -> SectionSet {
        match self.cards.is_all() {
            true => self.sections,
            false => SectionSet::default(),
        }
    }

    /// Who speaks for a deck.
    #[inline]
    pub(super) fn speaks(&self, contents: &Contents<'_>) -> Speaks {
        let inside = |section: u16| self.sections.has(usize::from(section));
        let here = contents.known_in(self.sections).iter();
        let speaks = |held: &&Holding| inside(held.section) && self.has(held.card);
        let (mut held, mut copies) = (0, 0_i64);
        for holding in here.filter(speaks) {
            (held, copies) = (held + 1, copies.saturating_add(holding.copies));
        }
        let mut strangers = contents.unknown().iter();
        let stranger = strangers.find(|holding| inside(holding.section));
        let unknown = contents.count_unknown(self.sections);
        match (held, stranger) {
            (0, None) if self.nobody == Passes::Nothing => Speaks::Known,
            (0, None) => Speaks::Nobody,
            _ if self.alone && copies.saturating_add(unknown) > 1 => Speaks::Several,
            (_, Some(stranger)) => Speaks::Unknown(stranger.card),
            (_, None) => Speaks::Known,
        }
    }

    /// The known identity cards.
    pub(super) fn each<'c>(
        &'c self,
        contents: &'c Contents<'_>,
    ) -> impl Iterator<Item = CardId> + use<'c> {
        let sections = self.sections;
        let here = contents.known_in(sections).iter();
        here.filter(move |held| sections.has(usize::from(held.section)) && self.has(held.card))
            .map(|holding| holding.card)
    }

    /// All cards that are one, known or not, where they stand.
    fn all(&self, of: &Linear<'_>) -> Leaf {
        let known = of.pool().ids().filter(|card| self.has(*card));
        Leaf::of_few(known.chain(of.strangers()), self.sections)
    }

    /// Where nothing passes without an identity card, that there is one.
    pub(super) fn is_needed(&self, of: &Linear<'_>) -> Option<Cond> {
        (self.nobody == Passes::Nothing).then(|| self.is_somebody(of))
    }

    /// That some identity card is there that the pool knows.
    pub(super) fn is_somebody(&self, of: &Linear<'_>) -> Cond {
        let known = of.pool().ids().filter(|card| self.has(*card));
        Leaf::of_few(known, self.sections).is_there()
    }

    /// What holds where the rule is silent: nobody speaks, or it is unclear who.
    pub(super) fn silent(&self, of: &Linear<'_>) -> Vec<Cond> {
        let mut silent = Vec::new();
        if self.nobody == Passes::Everything {
            silent.push(self.all(of).is_absent());
        }
        if self.alone {
            let all = self.all(of).num();
            silent.push(Cond::Within(all, Some(Num::Const(2)), None));
        }
        silent
    }

    /// That cards are there only where what the identity cards say of them holds, unless the rule
    /// is silent.
    pub(super) fn cond(
        &self,
        sections: SectionSet,
        classes: Vec<(Cond, Vec<CardId>)>,
        of: &Linear<'_>,
    ) -> Cond {
        let silent = self.silent(of);
        let mut all = Vec::new();
        for (cond, cards) in classes {
            let mut unless = vec![Leaf::of_few(cards, sections).is_absent()];
            unless.extend(silent.iter().cloned());
            let parts = match cond {
                Cond::All(parts) => parts,
                cond => vec![cond],
            };
            all.extend(parts.into_iter().map(|part| part.unless(unless.clone())));
        }
        Cond::All(all)
    }

    /// The cards that may be identity cards, by index of the pool.
    pub(super) fn possible(&self, linear: &Linear<'_>) -> Vec<bool> {
        let mut possible = vec![false; linear.pool().len()];
        for section in linear.within(self.sections) {
            let refused = linear.refused_in(section);
            for (possible, refused) in possible.iter_mut().zip(refused) {
                *possible |= !refused;
            }
        }
        for (possible, card) in possible.iter_mut().zip(linear.pool().ids()) {
            *possible &= self.has(card);
        }
        possible
    }
}
