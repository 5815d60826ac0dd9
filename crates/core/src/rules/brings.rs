//! `brings`: cards that must be there because another one is, such as what a hero brings along.

use super::amount::{Amount, Bound};
use super::common_words::Words;
use super::demand::{Cond, Leaf, Num};
use super::fields::{Fields, Key};
use super::groups::Groups;
use super::relation::{By, Heads, Mode};
use super::{Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::pool::{CardId, Pool, Word};
use crate::text::{listed, singular, some_of, spaced, there_are, with_article};
use crate::yaml::Spanned;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The terms of a `brings` rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Brings {
    /// The sections in which what is brought must be, added up.
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards of the pool can be brought; all without one. No card brings itself.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The field of the cards that are brought: a word, a list, text, or `name`.
    pub field: Spanned<String>,
    /// Where the cards are that bring them: a section, a list of sections, or those cards of some
    /// sections that a query picks. Each of them brings what is its own.
    pub by: Spanned<By>,
    /// The field of the cards that bring them: a word, a list, text, or `name`; the same as `field`
    /// without it. Cards are brought that have a word of it; of several fields, of any.
    #[serde(default)]
    pub among: Option<Fields>,
    /// How many copies of each: a number, a setting, or a field of the card that is brought; 1 without
    /// it, and of a card that says none.
    #[serde(default)]
    pub copies: Option<Spanned<Amount>>,
    /// A field whose values make cards that one card brings stand for each other, such as a
    /// signature and its replacement: of those with the same value one is enough. A card with several
    /// values may stand for each; one without any, for none.
    #[serde(default)]
    pub any_of: Option<Spanned<String>>,
}

#[derive(Debug)]
pub(super) struct Brought {
    sections: SectionSet,
    name: String,
    /// Which cards, behind the word for them.
    of: String,
    heads: Heads,
    words: Words,
    /// What the cards that have a word are, and how many copies of each must be there.
    by_word: FxHashMap<Word, Vec<(CardId, i64)>>,
    /// How many copies, in words, where it is not one.
    copies: Option<String>,
    /// What makes cards stand for each other, and the field that says it.
    slots: Option<(String, Arc<Groups>)>,
    /// What to say when nobody gave the number.
    unset: Option<Violation>,
}

/// A card of which there are too few.
#[derive(Debug, Clone, Copy)]
struct Lacking {
    card: CardId,
    needed: i64,
    held: i64,
}

/// Cards of which one is needed, each with how many copies of it.
type Slot = Vec<(CardId, i64)>;

impl Brings {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Brought {
        let sections = with.section_set(&self.sections);
        let name = with.section_names(sections);
        let bound = match &self.copies {
            Some(copies) => Bound::compile(copies, true, with),
            None => Bound::fixed(1),
        };
        if let Some(copies) = self.copies.as_ref().filter(|_| !bound.is_of_card()) {
            let message =
                "how many copies are brought is a number, or a field of the card that is brought";
            with.refuse(message.to_owned(), copies.span);
        }
        let words = Words::compile(&self.field, self.among.as_ref(), Mode::Any, with);
        let cards = with.cards(self.cards.as_ref());
        let pool = with.pool;
        let mut by_word: FxHashMap<Word, Vec<(CardId, i64)>> = FxHashMap::default();
        if let Some(shared) = bound.num().constant().filter(|_| bound.unset().is_empty()) {
            for card in pool.ids().filter(|card| cards.has(*card)) {
                let own = bound.own(card);
                let needed = own.map_or(1, |own| shared.saturating_add(own));
                for word in words.has(pool, card).iter().filter(|_| needed > 0) {
                    by_word
                        .entry(word.clone())
                        .or_default()
                        .push((card, needed));
                }
            }
        }
        let what = format!("number of copies that are brought to the {name}");
        Brought {
            sections,
            unset: bound.unset_notice(&what, sections),
            copies: (bound.constant() != Some(1)).then(|| bound.words()),
            name,
            of: with.which(self.cards.as_ref()),
            heads: Heads::compile(&self.by, with),
            words,
            by_word,
            slots: match &self.any_of {
                Some(field) => with.grouped(&[Key::One(field.clone())], true),
                None => None,
            },
        }
    }
}

impl Brought {
    /// What a card brings, and how many copies of each; some perhaps twice.
    fn by<'b>(
        &'b self,
        pool: &'b Pool,
        head: CardId,
    ) -> impl Iterator<Item = (CardId, i64)> + use<'b> {
        let says = self.words.says(pool, head).iter();
        let all = says.filter_map(|word| self.by_word.get(word)).flatten();
        all.copied().filter(move |(card, _)| *card != head)
    }

    /// What a card brings, those together that stand for each other.
    fn slots(&self, pool: &Pool, head: CardId) -> Vec<Slot> {
        let mut slots: BTreeMap<u32, Slot> = BTreeMap::new();
        for (card, needed) in self.by(pool, head) {
            let own = [card.0];
            let of = match &self.slots {
                Some((_, groups)) => groups.of_card(card),
                None => &own,
            };
            for slot in of {
                let slot = slots.entry(*slot).or_default();
                if slot.iter().all(|(known, _)| *known != card) {
                    slot.push((card, needed));
                }
            }
        }
        slots.into_values().collect()
    }

    fn held(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let own = contents.of_card(card).iter();
        let inside = own.filter(|held| self.sections.has(usize::from(held.section)));
        inside.fold(0, |sum, held| sum.saturating_add(held.copies))
    }

    /// That one of some cards is there where what brings them is.
    fn one_of_slot(&self, slot: &[(CardId, i64)], head: CardId) -> Cond {
        let enough = |(card, needed): &(CardId, i64)| {
            let copies = Leaf::of_card(*card, self.sections).num();
            Cond::Within(copies, Some(Num::Const(*needed)), None)
        };
        let absent = Leaf::of_card(head, self.heads.sections).is_absent();
        Cond::Any(
            [absent]
                .into_iter()
                .chain(slot.iter().map(enough))
                .collect(),
        )
    }

    #[cold]
    fn lacking(&self, contents: &Contents<'_>, head: CardId, all: &[Vec<Lacking>]) -> Violation {
        const MOST_NAMED: usize = 6;
        let (head_name, name) = (contents.name(head), &self.name);
        let copies = |lacking: &Lacking, number: i64| match number {
            1 => format!("`{}`", contents.name(lacking.card)),
            number => format!("{number} copies of `{}`", contents.name(lacking.card)),
        };
        let each = |number: fn(&Lacking) -> i64| -> String {
            let each = all.iter().map(|slot| {
                let slot = slot.iter().map(|one| copies(one, number(one)));
                listed(&slot.collect::<Vec<_>>(), "or")
            });
            some_of(&each.collect::<Vec<_>>(), MOST_NAMED)
        };
        // Of each slot the card of which least is missing.
        let nearest =
            |slot: &Vec<Lacking>| slot.iter().min_by_key(|one| one.needed - one.held).copied();
        let near: Vec<Lacking> = all.iter().filter_map(nearest).collect();
        let brought = each(|lacking| lacking.needed);
        let message = match near.as_slice() {
            [one] => format!(
                "`{head_name}` brings {brought}; {} in the {name}",
                there_are(one.held)
            ),
            all => format!(
                "`{head_name}` brings {} cards of which there are too few in the {name}: {brought}",
                all.len()
            ),
        };
        let missing = each(|one| one.needed - one.held);
        let help = match all {
            [_] => format!("add {missing} to the {name}"),
            _ => format!("add to the {name}: {missing}"),
        };
        let fault = match all.iter().flatten().all(|one| one.held == 0) {
            true => Fault::Absent,
            false => Fault::TooFew,
        };
        let place = match near.as_slice() {
            [one] if one.held > 0 => Where::First(one.card, self.sections),
            _ => Where::First(head, self.heads.sections),
        };
        let sum = |of: fn(&Lacking) -> i64| near.iter().map(of).fold(0, i64::saturating_add);
        Violation::of_deck(Failing::Shortfall, message, help)
            .for_fault(fault)
            .in_section(self.sections.single())
            .with_numbers(sum(|one| one.needed), sum(|one| one.held))
            .about(head, place)
            .naming(all.iter().flatten().map(|lacking| lacking.card).collect())
    }
}

impl Constraint for Brought {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        found.extend(self.unset.clone());
        let mut last = None;
        for head in self.heads.each(contents) {
            // The cards of several sections come one after the other.
            if last.replace(head) == Some(head) {
                continue;
            }
            let mut lacking: Vec<Vec<Lacking>> = Vec::new();
            for slot in self.slots(contents.pool, head) {
                let slot = slot.into_iter().map(|(card, needed)| Lacking {
                    card,
                    needed,
                    held: self.held(contents, card),
                });
                let slot: Vec<Lacking> = slot.collect();
                if slot.iter().all(|one| one.held < one.needed) {
                    lacking.push(slot);
                }
            }
            if !lacking.is_empty() {
                found.push(self.lacking(contents, head, &lacking));
            }
        }
        let here = |section: u16| self.heads.sections.has(usize::from(section));
        let mut strangers = contents.unknown().iter();
        if let Some(stranger) = strangers.find(|held| here(held.section)) {
            let message = format!(
                "not verified: the pool does not tell what `{}` brings",
                contents.name(stranger.card)
            );
            found.push(
                Violation::unverified(message)
                    .in_section(self.heads.sections.single())
                    .about(
                        stranger.card,
                        Where::First(stranger.card, self.heads.sections),
                    ),
            );
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let pool = of.pool();
        let possible = self.heads.possible(of);
        let mut all = Vec::new();
        // Of each card, what brings it.
        let mut brought: Vec<(CardId, i64, CardId)> = Vec::new();
        for head in pool.ids().filter(|head| possible[head.index()]) {
            for slot in self.slots(pool, head) {
                match slot.as_slice() {
                    [(card, needed)] => brought.push((*card, *needed, head)),
                    several => all.push(self.one_of_slot(several, head)),
                }
            }
        }
        brought.sort_unstable();
        brought.dedup();
        for same in brought.chunk_by(|one, other| one.0 == other.0) {
            let Some((card, needed, _)) = same.first() else {
                continue;
            };
            let heads = same.iter().map(|(_, _, head)| *head);
            let heads = Leaf::of_few(heads, self.heads.sections).is_there();
            let needed = Num::When(Box::new(heads), Box::new(Num::Const(*needed)));
            let copies = Leaf::of_card(*card, self.sections).num();
            all.push(Cond::Within(copies, Some(needed), None));
        }
        Cow::Owned(Cond::All(all))
    }

    fn heads(&self) -> SectionSet {
        self.heads.own_sections()
    }

    fn filled_in(&self) -> Option<SectionSet> {
        Some(self.sections)
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let mut heads = pool.ids().filter(|head| self.heads.has(*head));
        let brings = heads.any(|head| self.by(pool, head).next().is_some());
        (self.unset.is_none() && !brings)
            .then(|| "no card of the pool brings another, so this can never fail".to_owned())
    }

    fn demand(&self) -> String {
        let (field, among) = (spaced(&self.words.field), self.words.fields());
        let copies = match &self.copies {
            Some(words) => format!("; copies of each: {words}"),
            None => String::new(),
        };
        let slots = match &self.slots {
            Some((field, _)) => format!("; of those of the same {} one is enough", spaced(field)),
            None => String::new(),
        };
        format!(
            "The {} must have every card{} with {} that is among the {among} of {}{copies}{slots}.",
            self.name,
            self.of,
            with_article(&singular(&field)),
            self.heads.who()
        )
    }
}
