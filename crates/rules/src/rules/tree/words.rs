//! Numbers and conditions in words.

use super::{Leaf, Name, Num, Unit};
use crate::rules::Contents;
use decklaw_text::text::{counted, plural, singular};

impl Name {
    /// What is counted, in the singular.
    pub(crate) fn noun(&self) -> &str {
        match (self.noun.as_str(), self.unit) {
            ("", Unit::Copies) => "copy",
            ("", _) => "card",
            (noun, _) => noun,
        }
    }

    /// Which cards count, behind the noun.
    pub(crate) fn of(&self) -> String {
        let is_card = ["card", "copy"].iter().any(|noun| self.noun().ends_with(noun));
        if is_card || self.which.is_empty() {
            self.which.clone()
        } else {
            format!(" of cards{}", self.which)
        }
    }

    /// A number of what is counted.
    pub(crate) fn counted(&self, number: i64) -> String {
        self.amount(number) + &self.of()
    }

    /// The same without which cards.
    pub(crate) fn amount(&self, number: i64) -> String {
        let noun = self.noun();
        match self.unit {
            Unit::Points if number == 1 => format!("1 {}", singular(noun)),
            Unit::Points => format!("{number} {noun}"),
            _ => counted(number, noun),
        }
    }

    /// Several of what is counted.
    pub(crate) fn plural(&self) -> String {
        let noun = self.noun();
        let several = if self.unit == Unit::Points { noun.to_owned() } else { plural(noun) };
        several + &self.of()
    }

    /// Where it is: `the main deck`.
    pub(crate) fn subject(&self) -> String {
        match self.place.as_str() {
            "" => "the deck".to_owned(),
            place => format!("the {place}"),
        }
    }

    /// Behind what is there: ` in the main deck`.
    fn inside(&self) -> String {
        match self.place.as_str() {
            "" => String::new(),
            place => format!(" in the {place}"),
        }
    }
}

impl Leaf {
    /// What it counts and on which cards, without an article: `mana of cards of type spell`. In a deck
    /// where one card alone has such a number, that card is named.
    fn bare(&self, here: Option<&Contents<'_>>) -> String {
        let (name, inside) = (&self.name, self.name.inside());
        let owner = here.and_then(|contents| match self.there(contents).as_slice() {
            [only] if name.unit == Unit::Points && contents.count_unknown(self.sections) == 0 => {
                (self.copies(contents, *only) == 1).then(|| contents.name(*only))
            }
            _ => None,
        });
        match (name.unit, owner) {
            (_, Some(owner)) => format!("{} of `{owner}`", name.noun()),
            (Unit::Points, _) => format!("{} of cards{}{inside}", name.noun(), name.which),
            _ => name.plural() + &inside,
        }
    }
}

impl Num {
    /// What it counts, where it is not made of other numbers.
    pub(crate) fn name(&self) -> Option<&Name> {
        match self {
            Num::Sum(leaf) | Num::Different { leaf, .. } => Some(&leaf.name),
            _ => None,
        }
    }

    /// What it is, with its article: `the mana of cards of type spell in the main deck`. `here`:
    /// a deck whose number it is.
    pub(crate) fn words(&self, here: Option<&Contents<'_>>) -> String {
        match self {
            Num::Const(number) => number.to_string(),
            Num::Own { field, .. } => format!("its {field}"),
            Num::Sum(leaf) if leaf.name.unit == Unit::Points => format!("the {}", leaf.bare(here)),
            Num::Sum(leaf) => format!("the number of {}", leaf.bare(here)),
            Num::Different { leaf, .. } if leaf.name.unit == Unit::Points => {
                format!("the {}, each card once", leaf.bare(None))
            }
            Num::Different { leaf, .. } => format!("the number of {}", leaf.bare(here)),
            Num::Extreme { greatest, leaf } => {
                let end = if *greatest { "highest" } else { "lowest" };
                format!("the {end} {}", leaf.bare(None))
            }
            Num::Agreed(agreed) => {
                let copies = match agreed.copies {
                    [0, _] => ", each copy but the first",
                    [_, 0] => ", each card once",
                    _ => "",
                };
                format!("the {}{copies}{}", agreed.leaf.bare(None), bracketed(&agreed.words))
            }
            Num::When(cond, num) => format!("{} if {}", num.words(here), cond.clause(false)),
            Num::Add(parts) => {
                if let Some(leaf) = further(parts) {
                    return format!("the {}, each copy but the first", leaf.bare(None));
                }
                // What adds nothing to the number of a deck is left out.
                let adds = |part: &&Num| match here {
                    Some(contents) => part.value(contents) != (0, 0),
                    None => true,
                };
                let mut shown: Vec<&Num> = parts.iter().filter(adds).collect();
                if shown.iter().all(|part| part.constant().is_some()) {
                    shown = parts.iter().collect();
                }
                let mut words = String::new();
                for part in shown {
                    let (is_less, part) = match part {
                        Num::Const(number @ ..0) => (true, Num::Const(number.saturating_neg())),
                        Num::Times(-1, num) => (true, (**num).clone()),
                        Num::Times(by @ ..0, num) => {
                            (true, Num::Times(by.saturating_neg(), num.clone()))
                        }
                        part => (false, part.clone()),
                    };
                    words += match (words.is_empty(), is_less) {
                        (true, false) => "",
                        (true, true) => "0 minus ",
                        (false, false) => " plus ",
                        (false, true) => " minus ",
                    };
                    words += &part.words(here);
                }
                words
            }
            Num::Times(-1, num) => format!("minus {}", num.words(here)),
            Num::Times(by, num) => match &**num {
                Num::Div(num, per) => num.for_each(*by, *per, here),
                num => format!("{by} × {}", num.words(here)),
            },
            Num::Div(num, per) => num.for_each(1, *per, here),
        }
    }

    /// A number of times that `per` of this are full, started, or nearly there.
    fn for_each(&self, times: i64, per: i64, here: Option<&Contents<'_>>) -> String {
        let (how, per, leaf) = match self {
            Num::Sum(leaf) => ("full ", per, leaf),
            Num::Add(parts) => match parts.as_slice() {
                [Num::Sum(leaf), Num::Const(more)] if *more == per - 1 => ("started ", per, leaf),
                [Num::Times(2, num), Num::Const(more)] if *more == per / 2 => match &**num {
                    Num::Sum(leaf) => ("", per / 2, leaf),
                    _ => return self.divided(times, per, here),
                },
                _ => return self.divided(times, per, here),
            },
            _ => return self.divided(times, per, here),
        };
        format!("{times} for each {how}{per} {}", leaf.bare(here))
    }

    fn divided(&self, times: i64, per: i64, here: Option<&Contents<'_>>) -> String {
        let words = format!("{}, divided by {per} and rounded down", self.words(here));
        if times == 1 { words } else { format!("{times} × ({words})") }
    }
}

/// The cards that count from the second copy on, where parts of a sum say so.
fn further(parts: &[Num]) -> Option<&Leaf> {
    let [Num::Sum(leaf), Num::Times(-1, once)] = parts else {
        return None;
    };
    match &**once {
        Num::Different { groups: None, leaf: other, .. } if other == leaf => Some(leaf),
        _ => None,
    }
}

/// Behind a number: ` (…)`, or nothing.
pub(crate) fn bracketed(words: &str) -> String {
    match words {
        "" => String::new(),
        words => format!(" ({words})"),
    }
}
