//! Rules of any kind, written in the language of demands (`docs/formats.md`).

use super::amount::{Amount, FromCards, Round};
use super::fields::Key;
use super::several::Part;
use super::total::{PartTerms, Per, Total};
use super::{RuleKind, options, values};
use crate::rules::relation::Mode;
use crate::yaml::Spanned;
use std::collections::BTreeMap;

/// A rule in the language of demands: what a format file would have in place of `must`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelt {
    /// `card`, or the field whose values the demand is about one by one.
    pub each: Option<String>,
    /// What is demanded.
    pub demand: String,
}

impl Spelt {
    fn of_deck(demand: String) -> Spelt {
        Spelt { each: None, demand }
    }

    fn of_each_card(demand: String) -> Spelt {
        Spelt {
            each: Some("card".to_owned()),
            demand,
        }
    }
}

fn joined(sections: &[Spanned<String>]) -> String {
    let ids: Vec<&str> = sections.iter().map(|id| id.value.as_str()).collect();
    ids.join("+")
}

fn group(cards: &[Option<&Spanned<String>>]) -> String {
    let queries: Vec<&str> = cards
        .iter()
        .flatten()
        .map(|query| query.value.as_str())
        .filter(|query| !query.trim().is_empty())
        .collect();
    match queries.as_slice() {
        [] => String::new(),
        [only] => format!(" [{only}]"),
        several => format!(" [({})]", several.join(") (")),
    }
}

/// Cards of some sections: `main+side [type:spell]`.
fn place(sections: &[Spanned<String>], cards: Option<&Spanned<String>>) -> String {
    joined(sections) + &group(&[cards])
}

/// A field, with what its words are worth.
fn worth(field: &Spanned<String>, table: Option<&BTreeMap<String, i64>>) -> String {
    let Some(table) = table else {
        return field.value.clone();
    };
    let quoted = |word: &str| match word.chars().all(char::is_alphanumeric) {
        true => word.to_owned(),
        false => format!("'{word}'"),
    };
    let each = table
        .iter()
        .map(|(word, number)| format!("{}: {number}", quoted(word)));
    let each: Vec<String> = each.collect();
    format!("{} {{{}}}", field.value, each.join(", "))
}

impl FromCards {
    /// The number, and where none is there, that nobody has one; `None`: the language has no words
    /// for it.
    fn spelt(&self) -> Option<(String, Option<String>)> {
        let total = match (&self.field, self.of.is_empty()) {
            (Some(field), true) if self.table.is_none() => format!("card.{}", field.value),
            (_, true) => return None,
            (Some(field), false) => format!(
                "sum({}) of {}",
                worth(field, self.table.as_ref()),
                place(&self.of, self.cards.as_ref())
            ),
            (None, false) => place(&self.of, self.cards.as_ref()),
        };
        let own = self.of.is_empty();
        if self.otherwise.is_some() || (own && self.base.is_some()) {
            return None;
        }
        let per = self.per.as_ref().map_or(1, |per| per.value);
        let quotient = match self.round {
            _ if per == 1 => total,
            Round::Down => format!("({total}) / {per}"),
            Round::Up => format!("({total} + {}) / {per}", per - 1),
            Round::Nearest => format!("(2 * ({total}) + {per}) / {}", 2 * per),
        };
        let scaled = match self.times.as_ref().map_or(1, |times| times.value) {
            1 => quotient,
            times => format!("{times} * ({quotient})"),
        };
        let silent = match (&self.field, &self.base) {
            // A table of words has no query that says whether a card has one of them.
            (Some(_), None) if self.table.is_some() => return None,
            (Some(field), None) if !own => {
                let has = Spanned {
                    value: format!("{}:*", field.value),
                    span: field.span,
                };
                let cards = group(&[self.cards.as_ref(), Some(&has)]);
                Some(format!("no {}{cards}", joined(&self.of)))
            }
            _ => None,
        };
        let number = match &self.base {
            None => scaled,
            Some(base) => format!("{} + {scaled}", base.value),
        };
        Some((number, silent))
    }
}

impl Amount {
    /// Whether cards of the deck have a say in it.
    fn is_of_deck(&self) -> bool {
        match self {
            Amount::Number(_) | Amount::Named(_) => false,
            Amount::From(from) => !from.of.is_empty(),
            Amount::Sum(parts) => parts.iter().any(|part| part.value.is_of_deck()),
        }
    }

    /// The number, and the conditions on which there is none.
    fn spelt(&self) -> Option<(String, Vec<String>)> {
        match self {
            Amount::Number(number) => Some((number.to_string(), Vec::new())),
            Amount::Named(name) => Some((name.clone(), Vec::new())),
            Amount::From(from) => {
                let (number, silent) = from.spelt()?;
                Some((number, silent.into_iter().collect()))
            }
            Amount::Sum(parts) => {
                let (mut numbers, mut silent) = (Vec::new(), Vec::new());
                for part in parts {
                    let (number, more) = part.value.spelt()?;
                    numbers.push(format!("({number})"));
                    silent.extend(more);
                }
                Some((numbers.join(" + "), silent))
            }
        }
    }
}

/// What bounds a number.
struct Ends<'t> {
    min: Option<&'t Spanned<Amount>>,
    max: Option<&'t Spanned<Amount>>,
    exactly: Option<&'t Spanned<Amount>>,
}

impl Ends<'_> {
    fn of(&self, number: &str) -> Option<Vec<String>> {
        let mut all = Vec::new();
        let ends = [(self.min, ">="), (self.max, "<="), (self.exactly, "=")];
        for (end, sign) in ends {
            let Some(end) = end else { continue };
            let (bound, silent) = end.value.spelt()?;
            let compared = format!("{number} {sign} {bound}");
            all.push(match silent.is_empty() {
                true => compared,
                false => format!("({} or {compared})", silent.join(" or ")),
            });
        }
        Some(all)
    }

    fn demand(&self, number: &str) -> Option<Spelt> {
        let all = self.of(number)?;
        (!all.is_empty()).then(|| Spelt::of_deck(all.join(" and ")))
    }
}

impl Total {
    /// What a part of the sum comes to; `None`: the language has no words for it.
    fn part(&self, part: &PartTerms) -> Option<String> {
        if part.matched.is_some() || self.matched.is_some() || !part.conditions.is_none() {
            return None;
        }
        let own = part.field.is_some() || part.price.is_some();
        let (field, table, price) = match own {
            true => (&part.field, &part.table, &part.price),
            false => (&self.field, &self.table, &self.price),
        };
        let per = part.per.as_ref().map_or(self.per, |per| per.value);
        let cards = group(&[self.cards.as_ref(), part.cards.as_ref()]);
        let place = joined(&self.sections) + &cards;
        let field = field.as_ref().map(|field| worth(field, table.as_ref()));
        let price = price.as_ref().map(|price| price.value);
        let number = match (per, field, price) {
            (Per::Copy, field, price) => {
                let sum = field.map(|field| format!("sum({field}) of {place}"));
                let each = price.map(|price| match price {
                    1 => place.clone(),
                    price => format!("{price} * {place}"),
                });
                let both: Vec<String> = sum.into_iter().chain(each).collect();
                both.join(" + ")
            }
            (Per::Highest, Some(field), None) => format!("highest({field}) of {place}"),
            (Per::Lowest, Some(field), None) => format!("lowest({field}) of {place}"),
            (Per::Card, None, Some(price)) => format!("{price} * different(name) of {place}"),
            (Per::Further, None, Some(price)) => {
                format!("{price} * ({place} - different(name) of {place})")
            }
            _ => return None,
        };
        Some(match part.times.as_ref().map_or(1, |times| times.value) {
            1 => number,
            times => format!("{times} * ({number})"),
        })
    }

    fn spelt(&self) -> Option<Spelt> {
        let number = match self.parts.as_slice() {
            [] => self.part(&self.whole())?,
            parts => {
                let parts = parts.iter().map(|part| self.part(part));
                let parts: Option<Vec<String>> = parts.collect();
                let parts: Vec<String> = parts?.iter().map(|part| format!("({part})")).collect();
                parts.join(" + ")
            }
        };
        let ends = Ends {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
        };
        ends.demand(&number)
    }
}

impl options::Options {
    fn spelt(&self) -> Option<Spelt> {
        // Cards that none of these queries picks; an empty one picks every card.
        let none_of = |queries: &[&str]| -> Option<String> {
            let each: Vec<String> = queries.iter().map(|query| format!("({query})")).collect();
            let picks_all = queries.iter().any(|query| query.trim().is_empty());
            (!picks_all).then(|| format!("-({})", each.join(" or ")))
        };
        let all: Vec<&str> = self
            .options
            .iter()
            .map(|option| option.cards.value.as_str())
            .collect();
        let limited = self.options.iter().filter(|option| option.limit.is_some());
        let limited: Vec<&options::OptionTerms> = limited.collect();
        // More sets of options than one need not be read by a person.
        if limited.len() > 3 {
            return None;
        }
        let place = |query: String| {
            let query = Spanned {
                value: query,
                span: crate::text::Span::default(),
            };
            joined(&self.sections) + &group(&[self.cards.as_ref(), Some(&query)])
        };
        let none = none_of(&all).map(|query| format!("no {}", place(query)));
        let mut demands: Vec<String> = none.into_iter().collect();
        for set in 1_u32..1 << limited.len() {
            let inside = |at: usize| set >> at & 1 == 1;
            let within = limited.iter().enumerate().filter(|(at, _)| inside(*at));
            let limits: Vec<String> = within
                .filter_map(|(_, option)| Some(option.limit.as_ref()?.value.to_string()))
                .collect();
            let outside = self.options.iter().filter(|option| {
                let at = limited.iter().position(|one| std::ptr::eq(*one, *option));
                at.is_none_or(|at| !inside(at))
            });
            let outside: Vec<&str> = outside.map(|option| option.cards.value.as_str()).collect();
            let cards = match (outside.is_empty(), none_of(&outside)) {
                (true, _) => joined(&self.sections) + &group(&[self.cards.as_ref()]),
                (false, Some(query)) => place(query),
                (false, None) => continue,
            };
            demands.push(format!("{cards} <= {}", limits.join(" + ")));
        }
        (!demands.is_empty()).then(|| Spelt::of_deck(demands.join(" and ")))
    }
}

impl values::Values {
    fn spelt(&self) -> Option<Spelt> {
        let any = self
            .mode
            .as_ref()
            .is_some_and(|mode| mode.value == Mode::Any);
        if any || self.among.is_some() || self.with_at_least.is_some() {
            return None;
        }
        let place = place(&self.sections, self.cards.as_ref());
        let ends = Ends {
            min: self.min.as_ref(),
            max: self.max.as_ref(),
            exactly: self.exactly.as_ref(),
        };
        ends.demand(&format!("different({}) of {place}", self.field.value))
    }
}

impl RuleKind {
    /// The same in the language of demands; `None`: the language has no words for it.
    pub fn spelt(&self) -> Option<Spelt> {
        match self {
            RuleKind::Demand(demand) => Some(Spelt {
                each: demand.each.as_ref().map(|each| each.value.clone()),
                demand: demand.demand.value.clone(),
            }),
            RuleKind::Accept(terms) if terms.cards.value.trim().is_empty() => None,
            RuleKind::Accept(terms) => Some(Spelt::of_deck(format!(
                "no {} [-({})]",
                terms.section.value, terms.cards.value
            ))),
            RuleKind::Avoid(terms) => Some(Spelt::of_deck(format!(
                "no {}",
                place(&terms.sections, Some(&terms.cards))
            ))),
            RuleKind::Size(terms) => {
                let number = place(&terms.sections, terms.cards.as_ref());
                let ends = Ends {
                    min: terms.min.as_ref(),
                    max: terms.max.as_ref(),
                    exactly: terms.exactly.as_ref(),
                };
                let mut all = ends.of(&number)?;
                let options = terms.one_of.iter();
                let options: Vec<String> = options
                    .map(|option| format!("{number} = {}", option.value))
                    .collect();
                match (options.is_empty(), all.is_empty()) {
                    (true, _) => {}
                    (false, true) => all.push(options.join(" or ")),
                    (false, false) => all.push(format!("({})", options.join(" or "))),
                }
                Some(Spelt::of_deck(all.join(" and ")))
            }
            RuleKind::Copies(terms) => {
                let each = match terms.by.as_slice() {
                    [] => "card",
                    // A card without a title counts for its name.
                    [Key::One(field)] if field.value == "name" => "name",
                    _ => return None,
                };
                // Of each card alone other cards of the deck say nothing.
                let of_deck = terms.max.value.is_of_deck();
                if terms.matched.is_some() || of_deck || (each != "card" && terms.also_in.is_some())
                {
                    return None;
                }
                let place = place(&terms.sections, terms.cards.as_ref());
                let number = match &terms.weight {
                    Some(field) => format!("sum({}) of {place}", field.value),
                    None => place,
                };
                let (bound, silent) = terms.max.value.spelt()?;
                let also = terms
                    .also_in
                    .iter()
                    .map(|also| format!("no {}", also.value));
                let mut ways: Vec<String> = silent.into_iter().chain(also).collect();
                ways.push(format!("{number} <= {bound}"));
                Some(Spelt {
                    each: Some(each.to_owned()),
                    demand: ways.join(" or "),
                })
            }
            RuleKind::Distinct(terms) => {
                let by_name = match terms.by.as_slice() {
                    [] => true,
                    [Key::One(field)] => field.value == "name",
                    _ => false,
                };
                let ends = Ends {
                    min: terms.min.as_ref(),
                    max: terms.max.as_ref(),
                    exactly: terms.exactly.as_ref(),
                };
                let number = format!(
                    "different(name) of {}",
                    place(&terms.sections, terms.cards.as_ref())
                );
                let plus = terms.plus.as_ref().map(|share| {
                    format!(
                        " + (sum({}) of {}) / {}",
                        share.field.value,
                        place(&share.sections, Some(&share.cards)),
                        share.per.value
                    )
                });
                let spelt = ends.demand(&number).filter(|_| by_name)?;
                match (plus, &terms.min, &terms.exactly) {
                    (None, ..) => Some(spelt),
                    (Some(plus), None, None) => Some(Spelt::of_deck(spelt.demand + &plus)),
                    (Some(_), ..) => None,
                }
            }
            RuleKind::Disjoint(terms) => Some(Spelt::of_each_card(format!(
                "no {} or no {}",
                joined(&terms.sections),
                joined(&terms.from)
            ))),
            RuleKind::Within(terms) => {
                let (inner, outer) = (joined(&terms.sections), joined(&terms.of));
                Some(Spelt::of_each_card(match terms.copies {
                    true => format!("{inner} <= {outer}"),
                    false => format!("no {inner} or 1+ {outer}"),
                }))
            }
            RuleKind::Budget(terms) => {
                let flow = |flow: &super::budget::Flow| {
                    let place = place(&terms.sections, Some(&flow.cards));
                    format!("sum({}) of {place}", flow.field.value)
                };
                Some(Spelt::of_deck(format!(
                    "{} - {} + {} = {}",
                    terms.start.value,
                    flow(&terms.spend),
                    flow(&terms.refund),
                    terms.remainder.value
                )))
            }
            RuleKind::WholePool(terms) => Some(Spelt::of_each_card(format!(
                "{} = {}",
                terms.section.value, terms.each
            ))),
            RuleKind::Total(terms) => terms.spelt(),
            RuleKind::Values(terms) => terms.spelt(),
            RuleKind::Options(terms) => terms.spelt(),
            RuleKind::Any(parts) => several(parts, " or "),
            RuleKind::All(parts) => several(parts, " and "),
            RuleKind::Brings(_)
            | RuleKind::Permitted(_)
            | RuleKind::Matching(_)
            | RuleKind::Choice(_) => None,
        }
    }
}

fn several(parts: &[Part], word: &str) -> Option<Spelt> {
    let each = parts.iter().map(|part| match part {
        Part::Text(text) => Some(format!("({text})")),
        Part::Kind(kind) => {
            let spelt = kind.spelt()?;
            spelt.each.is_none().then(|| format!("({})", spelt.demand))
        }
    });
    let each: Option<Vec<String>> = each.collect();
    Some(Spelt::of_deck(each?.join(word)))
}
