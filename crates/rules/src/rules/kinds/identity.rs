//! `matching` and `permitted`: cards that must agree with the deck's identity cards.

use crate::rules::contents::each_card;
use crate::rules::demand::{BrokenDemand, Demand, Notice, Of, Unknown};
use crate::rules::fields::Fields;
use crate::rules::identity::{
    Identity, IdentityCards, IdentitySource, IdentityState, Mode, Passes, Relation, written,
};
use crate::rules::violation::{Failing, Fault};
use crate::rules::{Cards, Compile, Contents, SectionSet, Violation};
use decklaw_cards::pool::CardId;
use decklaw_text::text::{listed, singular, spaced, with_article};
use decklaw_text::yaml::Spanned;
use serde::Deserialize;
use std::sync::Arc;

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
    pub by: Spanned<IdentitySource>,
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

/// The terms of a `permitted` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Permitted {
    /// The sections whose cards need permission.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// Where the identity cards are. The name of a section alone: judged only where it holds
    /// exactly one card. A list of sections: all their cards together.
    pub by: Spanned<IdentitySource>,
    /// The identity cards' field that holds a card query: what each permits. Of several fields
    /// any permits.
    pub field: Fields,
    /// Whether any of several identity cards must permit a card, or all.
    #[serde(default)]
    pub mode: Mode,
    /// What an identity card permits whose field is empty.
    #[serde(default)]
    pub empty: Option<Passes>,
    /// What is permitted where there is no identity card.
    #[serde(default)]
    pub nobody: Passes,
}

impl Matching {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let relation = Relation::words(&self.field, self.among.as_ref(), with);
        let cards = with.cards(self.cards.as_ref());
        let identity = Arc::new(Identity {
            heads: IdentityCards::compile(&self.by, self.nobody, with),
            relation,
            mode: self.mode,
        });
        let (place, of) = (with.section_names(sections), with.which(self.cards.as_ref()));
        let field = with_article(&singular(&spaced(&self.field.value)));
        let among = match &identity.relation {
            Relation::Words(words) => words.fields(),
            Relation::Permits(_) => String::new(),
        };
        let who = identity.heads.who("a");
        let nobody = match (self.nobody, self.mode) {
            (Passes::Everything, _) => String::new(),
            (Passes::Nothing, Mode::Any) => NOBODY.to_owned(),
            (Passes::Nothing, Mode::All) => format!("; without one, no card may have {field}"),
        };
        let words = match self.mode {
            Mode::Any => format!(
                "Every card{of} in the {place} must have {field} that is among the {among} of {who}{nobody}."
            ),
            Mode::All => format!(
                "No card{of} in the {place} may have {field} that is not among the {among} of {who}{nobody}."
            ),
        };
        let demand = agree(sections, cards, &identity, words, mismatch);
        Demand {
            fault: Some(Fault::Mismatched),
            has_numbers: false,
            unknown: match &self.cards {
                None => Unknown::Unsure,
                Some(_) => Unknown::Pass,
            },
            ..demand
        }
    }
}

impl Permitted {
    pub(super) fn demand(&self, with: &mut Compile<'_>) -> Demand {
        let sections = with.section_set(&self.sections);
        let cards = with.cards(self.cards.as_ref());
        let identity = Arc::new(Identity {
            heads: IdentityCards::compile(&self.by, self.nobody, with),
            relation: Relation::permits(&self.field, self.empty, with),
            mode: self.mode,
        });
        let nobody = if self.nobody == Passes::Nothing { NOBODY } else { "" };
        let words = format!(
            "Every card{} in the {} must be permitted by {}{nobody}.",
            with.which(self.cards.as_ref()),
            with.section_names(sections),
            identity.permission(),
        );
        let demand = agree(sections, cards, &identity, words, refusal);
        Demand { fault: Some(Fault::Forbidden), unknown: Unknown::Unsure, ..demand }
    }
}

/// What `explain` shows where no card passes without an identity card.
const NOBODY: &str = "; without one, no card is permitted";

/// The demand that cards agree with identity cards.
fn agree(
    sections: SectionSet,
    cards: Cards,
    identity: &Arc<Identity>,
    words: String,
    say: fn(&Identity, &BrokenDemand<'_, '_>, Violation) -> Violation,
) -> Demand {
    let of = Of::Agree { cards: cards.clone(), identity: Arc::clone(identity) };
    let own = Arc::clone(identity);
    let notice: Notice = Box::new(move |rule, contents| {
        let unclear = unclear(&own, sections, &cards, rule, contents);
        let unclear = unclear.map(|unclear| unclear.in_section(sections.single()));
        unclear.into_iter().collect()
    });
    let own = Arc::clone(identity);
    let demand = Demand::new(sections, of, words, move |broken, was, found| {
        found.push(say(&own, broken, was));
    });
    Demand { heads: identity.own_sections(), notice: Some(notice), ..demand }
}

/// The notice that the identity cards leave a rule open; `None` where they make no difference.
fn unclear(
    identity: &Identity,
    sections: SectionSet,
    cards: &Cards,
    rule: &str,
    contents: &Contents<'_>,
) -> Option<Violation> {
    let (heads, pool) = (&identity.heads, contents.pool);
    let open = || Violation::open(contents, &[rule]);
    // Whether some known card would pass by one identity card and not by another.
    let differs = |passes: &dyn Fn(CardId) -> bool| {
        let mut differs = false;
        each_card(contents.known_in(sections), sections, |card, _| {
            differs |= cards.has(card) && !passes(card);
        });
        differs
    };
    match (identity.state(contents), &identity.relation) {
        (IdentityState::Nobody, _) | (IdentityState::Known, Relation::Words(_)) => None,
        (IdentityState::Known, Relation::Permits(permits)) => {
            let mut silent = heads.each(contents);
            let head = silent.find(|head| permits.is_silent(pool, *head))?;
            permits.empty.is_none().then(|| {
                Violation::not_in_card_file(format!(
                    "not checked: the card file gives no `{}` for `{}`, so every card passes",
                    permits.fields.join("` or `"),
                    contents.name(head)
                ))
            })
        }
        (IdentityState::Unknown(_), Relation::Permits(_)) => Some(open()),
        (IdentityState::Unknown(_), Relation::Words(words)) => {
            differs(&|card| identity.has_words(words, contents, card)).then(open)
        }
        (IdentityState::Several, relation) => {
            let all = |passes: &dyn Fn(CardId) -> bool| heads.each(contents).all(passes);
            let is_unclear = match relation {
                Relation::Words(words) => differs(&|card| {
                    let has = words.has(pool, card);
                    all(&|head| {
                        let among = words.says(pool, head);
                        match identity.mode {
                            Mode::Any => has.iter().any(|word| among.contains(word)),
                            Mode::All => has.iter().all(|word| among.contains(word)),
                        }
                    })
                }),
                Relation::Permits(permits) => {
                    let is_there = contents.count(sections, |_| true) > 0;
                    contents.count_unknown(sections) > 0
                        || (is_there && contents.count_unknown(heads.sections) > 0)
                        || differs(&|card| all(&|head| permits.permits(pool, head, card)))
                }
            };
            is_unclear.then(|| {
                let message = format!(
                    "not checked: the {} has several cards, and it is unclear which one counts",
                    heads.name
                );
                let help = format!("keep one card in the {}", heads.one_of);
                Violation::of_deck(Failing::Unverified, message, help)
            })
        }
    }
}

/// The names of cards, quoted.
fn names(cards: &[CardId], contents: &Contents<'_>) -> Vec<String> {
    let names = cards.iter().map(|card| format!("`{}`", contents.name(*card)));
    names.collect()
}

/// That the words of a card are not among those of the identity cards.
#[cold]
fn mismatch(identity: &Identity, broken: &BrokenDemand<'_, '_>, was: Violation) -> Violation {
    const MOST_NAMED: usize = 4;
    let Relation::Words(words) = &identity.relation else {
        return was;
    };
    let (contents, pool) = (broken.contents, broken.contents.pool);
    let has = written(pool, broken.card(), &words.field);
    let (speaking, silent): (Vec<CardId>, Vec<CardId>) =
        identity.heads.each(contents).partition(|head| !words.says(pool, *head).is_empty());
    let mut wanted: Vec<&str> = Vec::new();
    for word in speaking.iter().flat_map(|head| words.of_head(pool, *head)) {
        if !wanted.contains(&word) {
            wanted.push(word);
        }
    }
    let mut heads = names(if speaking.is_empty() { &silent } else { &speaking }, contents);
    if heads.len() > MOST_NAMED {
        heads.truncate(MOST_NAMED - 1);
        heads.push("others".to_owned());
    }
    let (field, place) = (spaced(&words.field), &identity.heads.one_of);
    let among = listed(&wanted, "or");
    let only = match among.as_str() {
        "" => format!("no {field}"),
        among => format!("only {among}"),
    };
    let name = broken.name();
    let is = match has.as_slice() {
        [] => format!("{name} has no {field}"),
        [_] if words.field == "name" => name,
        has => format!("{name} has {field} {}", listed(has, "and")),
    };
    let message = match heads.as_slice() {
        [] => format!("{is}; the {} has no card that allows it", identity.heads.name),
        [head] => format!("{is}; {head} allows {only}"),
        heads => format!("{is}; {} allow {only}", listed(heads, "and")),
    };
    let help = match identity.mode {
        _ if heads.is_empty() => {
            format!("remove it, or add a card to the {place} that allows it")
        }
        Mode::Any if wanted.is_empty() => {
            format!("remove it, or choose another card for the {place}")
        }
        Mode::Any => format!("remove it, or choose a card of {field} {among}"),
        Mode::All if wanted.is_empty() => format!("remove it, or choose a card without {field}"),
        Mode::All => format!("remove it, or choose a card with no {field} but {among}"),
    };
    was.say(message, help)
}

/// That the identity cards do not permit a card.
#[cold]
fn refusal(identity: &Identity, broken: &BrokenDemand<'_, '_>, was: Violation) -> Violation {
    let Relation::Permits(permits) = &identity.relation else {
        return was;
    };
    let (contents, pool, card) = (broken.contents, broken.contents.pool, broken.card());
    // Where all must permit it, those are named that do not; and others before itself.
    let all = identity.mode == Mode::All;
    let named = |head: &CardId| !all || !permits.permits(pool, *head, card);
    let mut refusing: Vec<CardId> = identity.heads.each(contents).filter(named).collect();
    if refusing.iter().any(|head| *head != card) {
        refusing.retain(|head| *head != card);
    }
    let heads = names(&refusing, contents);
    let texts = refusing.iter().map(|head| permits.of_head(pool, *head));
    let texts: Vec<String> = texts.collect();
    let permitted = match texts.as_slice() {
        [first, others @ ..] if others.iter().all(|text| text == first) => first.clone(),
        texts => {
            let each = heads.iter().zip(texts);
            let each = each.map(|(head, text)| format!("by {head} {text}"));
            each.collect::<Vec<_>>().join("; ")
        }
    };
    let (name, place) = (broken.name(), &identity.heads.one_of);
    let message = match heads.as_slice() {
        [] => format!("no card in the {} permits {name}", identity.heads.name),
        heads => format!("{} may not use {name}; permitted: {permitted}", listed(heads, "and")),
    };
    let help = match heads.as_slice() {
        [_, ..] if all => format!(
            "remove it, or choose another card for the {place} instead of {}",
            listed(&heads, "and")
        ),
        _ => format!("remove it, or choose a card for the {place} that permits it"),
    };
    was.say(message, help)
}
