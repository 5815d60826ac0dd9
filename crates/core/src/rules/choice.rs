//! `choice`: what a deck declares of itself, and rules that cannot be asked before it does.

use super::demand::{Cond, Leaf, Weights};
use super::{Compile, Constraint, Contents, Failing, Fault, Linear, SectionSet, Violation, Where};
use crate::deck::{Choosable, no_choice};
use crate::pool::{CardId, Pool};
use crate::text::listed;
use crate::yaml::Spanned;
use serde::Deserialize;
use std::borrow::Cow;

/// The terms of a `choice` rule: the deck must declare the choice, unless `never` says otherwise.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Choice {
    /// The choice, by its name.
    pub of: Spanned<String>,
    /// The values that are allowed; all without them.
    #[serde(default)]
    pub among: Vec<Spanned<String>>,
    /// Cards of the deck, one of which must offer the value.
    #[serde(default)]
    pub offered: Option<Offered>,
    /// Other choices of which it must not be the same.
    #[serde(default)]
    pub unlike: Vec<Spanned<String>>,
    /// That the deck must not declare it.
    #[serde(default)]
    pub never: bool,
}

/// Cards that offer values of a choice.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Offered {
    /// The sections in which these cards are.
    pub by: Vec<Spanned<String>>,
    /// Their field: each word of it, or its number, is a value that the card offers.
    pub field: Spanned<String>,
}

/// A choice and what the deck says of it.
#[derive(Debug)]
struct DeclaredChoice {
    /// Its index among the format's.
    at: usize,
    known: Choosable,
    value: Option<String>,
}

#[derive(Debug)]
pub(super) struct Declared {
    told: DeclaredChoice,
    among: Vec<String>,
    offers: Option<Offers>,
    unlike: Vec<(String, Option<String>)>,
    /// It must not be declared; a value that stands anyway is nothing declared.
    never: Option<Option<String>>,
}

/// Which cards offer the value that the deck declares.
#[derive(Debug)]
struct Offers {
    sections: SectionSet,
    name: String,
    field: String,
    /// By card of the pool.
    offers: Vec<bool>,
}

impl Choice {
    pub(super) fn compile(&self, with: &mut Compile<'_>) -> Declared {
        let told = declared(&self.of, with);
        if self.never && !(self.among.is_empty() && self.offered.is_none()) {
            let message = "a choice that is `never` declared is of no value";
            with.refuse(message.to_owned(), self.of.span);
        }
        let among = self.among.iter().filter_map(|value| {
            let own = told.known.value(&value.value);
            if own.is_none() && !told.known.name.is_empty() {
                let message = format!(
                    "`{}` is never `{}`; it is {}",
                    told.known.name,
                    value.value,
                    told.known.words()
                );
                with.refuse(message, value.span);
            }
            own
        });
        let among = among.collect();
        let offers = self.offered.as_ref();
        let offers = offers.map(|offered| offered.compile(told.value.as_deref(), with));
        let unlike = self.unlike.iter().map(|other| {
            let other = declared(other, with);
            (other.known.name, other.value)
        });
        Declared {
            among,
            offers,
            unlike: unlike.collect(),
            never: self.never.then(|| with.default_choice(&self.of.value)),
            told,
        }
    }
}

/// The choice of a name, which the format must have.
fn declared(name: &Spanned<String>, with: &mut Compile<'_>) -> DeclaredChoice {
    match with.choice(&name.value) {
        Some((at, known)) => DeclaredChoice {
            at,
            known: known.clone(),
            value: with.chosen(&name.value),
        },
        None => {
            with.refuse(no_choice(&name.value, with.choices), name.span);
            DeclaredChoice {
                at: 0,
                known: Choosable {
                    name: String::new(),
                    values: Vec::new(),
                    min: 0,
                    max: 0,
                },
                value: None,
            }
        }
    }
}

impl Offered {
    fn compile(&self, value: Option<&str>, with: &mut Compile<'_>) -> Offers {
        let sections = with.section_set(&self.by);
        if sections == SectionSet::default() {
            with.refuse("`by` names no section".to_owned(), self.field.span);
        }
        with.need_words_or_number(&self.field);
        let pool = with.pool;
        let value = value.map(crate::name::fold);
        let offers = |card: CardId| {
            value.as_ref().is_some_and(|value| {
                let number = pool.number(card, &self.field.value);
                let words = pool.words(card, &self.field.value);
                number.is_some_and(|number| number.to_string() == **value)
                    || words.iter().any(|word| crate::name::fold(word) == *value)
            })
        };
        Offers {
            sections,
            name: with.section_names(sections),
            field: self.field.value.clone(),
            offers: pool.ids().map(offers).collect(),
        }
    }
}

impl DeclaredChoice {
    /// The header that declares a value.
    fn header(&self, value: &str) -> String {
        format!("`Choice: {}={value}`", self.known.name)
    }

    /// The deck does not say what it must.
    fn undeclared(&self) -> Violation {
        let name = &self.known.name;
        let message = format!(
            "the deck does not declare its `{name}`: {}",
            self.known.words()
        );
        let mend = format!(
            "write it among the headers, as in {}",
            self.header(&self.known.sample())
        );
        Violation::of_deck(Failing::Shortfall, message, mend).for_fault(Fault::Undeclared)
    }

    /// The deck says what it must not.
    fn wrong(&self, message: String, mend: String) -> Violation {
        Violation {
            place: Where::Choice(self.at),
            ..Violation::of_deck(Failing::Excess, message, mend).for_fault(Fault::Misdeclared)
        }
    }
}

impl Offers {
    /// The cards that stand in the sections, as far as they are known.
    fn standing(&self, contents: &Contents<'_>) -> impl Iterator<Item = CardId> {
        let here = contents.known_in(self.sections).iter();
        here.filter(|held| self.sections.has(usize::from(held.section)))
            .map(|held| held.card)
    }

    fn judge(
        &self,
        told: &DeclaredChoice,
        value: &str,
        contents: &Contents<'_>,
    ) -> Option<Violation> {
        let mut standing = self.standing(contents);
        if standing.any(|card| self.offers[card.index()]) {
            return None;
        }
        let name = &told.known.name;
        if contents.count_unknown(self.sections) > 0 {
            let message = format!(
                "not verified: whether a card in the {} offers {value} as the `{name}`",
                self.name
            );
            return Some(Violation::unverified(message));
        }
        let offered: Vec<String> = self
            .standing(contents)
            .map(|card| {
                let what = contents.pool.shown(card, &self.field);
                let what = match what.as_str() {
                    "" => "nothing".to_owned(),
                    what => what.replace("; ", ", "),
                };
                format!("`{}` offers {what}", contents.name(card))
            })
            .collect();
        if offered.is_empty() {
            let message = format!(
                "the deck's `{name}` is {value}, which a card in the {} must offer, and there is none",
                self.name
            );
            let mend = format!("add one to the {}", self.name);
            return Some(Violation {
                failing: Failing::Shortfall,
                ..told.wrong(message, mend)
            });
        }
        let message = format!(
            "the deck's `{name}` is {value}, and {}",
            listed(&offered, "and")
        );
        let mend = format!("declare what is offered, or change the {}", self.name);
        Some(told.wrong(message, mend))
    }
}

impl Declared {
    /// What is wrong, whatever the cards.
    fn wrong(&self) -> Option<Violation> {
        let (told, name) = (&self.told, &self.told.known.name);
        if let Some(standing) = &self.never {
            let value = told.value.as_ref().filter(|_| told.value != *standing)?;
            let message = format!("the deck declares its `{name}`, and has none to declare");
            let mend = format!("take out {}", told.header(value));
            return Some(told.wrong(message, mend));
        }
        let Some(value) = &told.value else {
            return Some(told.undeclared());
        };
        if !self.among.is_empty() && !self.among.contains(value) {
            let message = format!(
                "the deck's `{name}` is {value}, and must be {}",
                listed(&self.among, "or")
            );
            let mend = format!("declare another, as in {}", told.header(&self.among[0]));
            return Some(told.wrong(message, mend));
        }
        let same = |(_, other): &&(String, Option<String>)| other.as_ref() == Some(value);
        let (other, _) = self.unlike.iter().find(same)?;
        let message = format!("the deck's `{name}` and its `{other}` are both {value}");
        let mend = "declare two different ones".to_owned();
        Some(told.wrong(message, mend))
    }
}

impl Constraint for Declared {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        if let Some(wrong) = self.wrong() {
            found.push(wrong);
            return;
        }
        if let (Some(offers), Some(value)) = (&self.offers, &self.told.value) {
            found.extend(offers.judge(&self.told, value, contents));
        }
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        if self.wrong().is_some() {
            return Cow::Owned(Cond::nothing());
        }
        let Some(offers) = self.offers.as_ref().filter(|_| self.never.is_none()) else {
            return Cow::Owned(Cond::always());
        };
        if of.stranger_copies(offers.sections) > 0 {
            return Cow::Owned(Cond::always());
        }
        // A card that offers something else is looked at, too: it is named as what is wrong.
        let standing = Leaf::of(Weights::One, offers.sections).num();
        let offering = of.pool().ids().filter(|card| offers.offers[card.index()]);
        Cow::Owned(Cond::All(vec![
            Cond::Within(standing, None, None),
            Leaf::of_few(offering, offers.sections).is_there(),
        ]))
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        let offers = self.offers.as_ref()?;
        let column = pool.column(&offers.field)?;
        let some = pool.ids().any(|card| column.has_value(card));
        (!some).then(|| {
            let field = &offers.field;
            format!("no card of the pool has `{field}`, so no deck can keep this")
        })
    }

    fn demand(&self) -> String {
        let name = &self.told.known.name;
        if self.never.is_some() {
            return format!("The deck must not declare a `{name}`.");
        }
        let what = match self.among.as_slice() {
            [] => self.told.known.words(),
            among => listed(among, "or"),
        };
        let offered = self.offers.as_ref().map_or_else(String::new, |offers| {
            format!(
                ", one that the `{}` of a card in the {} offers",
                offers.field, offers.name
            )
        });
        let unlike: Vec<String> = self
            .unlike
            .iter()
            .map(|(other, _)| format!("`{other}`"))
            .collect();
        let unlike = match unlike.as_slice() {
            [] => String::new(),
            unlike => format!(", and not the same as its {}", listed(unlike, "or")),
        };
        format!("The deck must declare its `{name}`: {what}{offered}{unlike}.")
    }
}

/// A rule that needs choices which the deck does not declare.
#[derive(Debug)]
pub(super) struct Undeclared {
    missing: Vec<DeclaredChoice>,
}

impl Undeclared {
    /// Of the choices with these indices.
    pub(super) fn of(missing: &[usize], with: &Compile<'_>) -> Undeclared {
        let told = |at: &usize| {
            with.choices.get(*at).map(|known| DeclaredChoice {
                at: *at,
                known: known.clone(),
                value: None,
            })
        };
        Undeclared {
            missing: missing.iter().filter_map(told).collect(),
        }
    }
}

impl Constraint for Undeclared {
    fn judge(&self, _: &Contents<'_>, found: &mut Vec<Violation>) {
        found.extend(self.missing.iter().map(DeclaredChoice::undeclared));
    }

    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        Cow::Owned(Cond::nothing())
    }

    fn awaits(&self) -> Vec<(String, String)> {
        let each = self.missing.iter();
        each.map(|told| (told.known.name.clone(), told.known.sample()))
            .collect()
    }

    fn demand(&self) -> String {
        let each = self.missing.iter();
        let each = each.map(|told| format!("`{}` ({})", told.known.name, told.known.words()));
        let each: Vec<String> = each.collect();
        format!(
            "It depends on the {} that the deck declares.",
            listed(&each, "and")
        )
    }
}
