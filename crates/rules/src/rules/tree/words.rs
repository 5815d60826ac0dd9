//! Numbers and conditions in words.

use super::{Cond, Leaf, Num};
use decklaw_text::text::{counted, listed, plural, spaced};

impl Leaf {
    /// Where its cards are: `the main deck`.
    pub(super) fn subject(&self) -> String {
        match self.name.place.as_str() {
            "" => "the deck".to_owned(),
            place => format!("the {place}"),
        }
    }

    /// What is counted, in the singular.
    pub fn noun(&self) -> &'static str {
        if self.name.copies { "copy" } else { "card" }
    }

    /// A number of what it counts, for after a verb.
    fn amount_words(&self, low: Option<i64>, high: Option<i64>) -> String {
        let (noun, which) = (self.noun(), &self.name.which);
        match (low, high) {
            (Some(1), None) => format!("a {noun}{which}"),
            (None | Some(0), Some(0)) => format!("no {noun}{which}"),
            (Some(low), Some(high)) if low == high => format!("{}{which}", counted(low, noun)),
            (Some(low), Some(high)) => format!("{low} to {}{which}", counted(high, noun)),
            (Some(low), None) => format!("at least {}{which}", counted(low, noun)),
            (None, Some(high)) => format!("at most {}{which}", counted(high, noun)),
            (None, None) => format!("any number of {}{which}", plural(noun)),
        }
    }

    /// The cards, behind what is added up of them.
    fn cards(&self) -> String {
        let place = match self.name.place.as_str() {
            "" => String::new(),
            place => format!(" in the {place}"),
        };
        let noun = plural(self.noun());
        format!("{noun}{}{place}", self.name.which)
    }
}

impl Num {
    /// A noun with its article: `the mana of cards of type spell in the main deck`.
    pub fn words(&self) -> String {
        match self {
            Num::Const(number) => number.to_string(),
            Num::Own(_) => "the card's own number".to_owned(),
            Num::Sum(leaf) => match &leaf.name.field {
                None => format!("the number of {}", leaf.cards()),
                Some(field) => format!("the {} of {}", spaced(field), leaf.cards()),
            },
            Num::Agreed(agreed) => agreed.leaf.clone().num().words(),
            Num::When(cond, num) => format!("{}, if {}", num.words(), cond.clause(false)),
            Num::Different { leaf, .. } => match &leaf.name.field {
                None => format!("the number of different {}", leaf.cards()),
                Some(field) => format!(
                    "the number of different values of {} of {}",
                    spaced(field),
                    leaf.cards()
                ),
            },
            Num::Extreme { greatest, leaf } => {
                let end = if *greatest { "highest" } else { "lowest" };
                let field = leaf.name.field.as_deref().unwrap_or("number");
                format!("the {end} {} of {}", spaced(field), leaf.cards())
            }
            Num::Add(parts) => {
                let mut words = String::new();
                for (at, part) in parts.iter().enumerate() {
                    let (joint, part) = match part {
                        Num::Times(-1, num) if at > 0 => (" less ", num.words()),
                        Num::Const(number @ ..0) if at > 0 => {
                            (" less ", number.saturating_neg().to_string())
                        }
                        part if at > 0 => (" plus ", part.words()),
                        part => ("", part.words()),
                    };
                    words += joint;
                    words += &part;
                }
                words
            }
            Num::Times(by, num) => format!("{by} times {}", num.words()),
            Num::Div(num, by) => format!("{} divided by {by} and rounded down", num.words()),
        }
    }
}

/// The bounds of a number that is no count, behind a verb.
fn bounds(low: Option<&Num>, high: Option<&Num>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => match (low.constant(), high.constant()) {
            (Some(one), Some(other)) if one == other => one.to_string(),
            (Some(one), Some(other)) => format!("{one} to {other}"),
            _ if low == high => format!("the same as {}", high.words()),
            _ => format!("at least {} and at most {}", low.words(), high.words()),
        },
        (Some(low), None) => format!("at least {}", low.words()),
        (None, Some(high)) => format!("at most {}", high.words()),
        (None, None) => "any number".to_owned(),
    }
}

impl Cond {
    /// What it says, a clause; `must`: as something that is demanded.
    pub(crate) fn clause(&self, must: bool) -> String {
        match self {
            Cond::Within(num, low, high) => {
                let (low, high) = (low.as_ref(), high.as_ref());
                let ends = (
                    low.map_or(Some(None), |low| low.constant().map(Some)),
                    high.map_or(Some(None), |high| high.constant().map(Some)),
                );
                let has = if must { "must have" } else { "has" };
                match (num.counts(), ends) {
                    (Some(leaf), (Some(low), Some(high))) => {
                        format!("{} {has} {}", leaf.subject(), leaf.amount_words(low, high))
                    }
                    _ => {
                        let is = if must { "must be" } else { "is" };
                        format!("{} {is} {}", num.words(), bounds(low, high))
                    }
                }
            }
            Cond::Among(num, options) => {
                let options: Vec<String> = options.iter().map(i64::to_string).collect();
                let options = listed(&options, "or");
                match (num.counts(), must) {
                    (Some(leaf), _) => {
                        let has = if must { "must have" } else { "has" };
                        let noun = plural(leaf.noun());
                        format!("{} {has} {options} {noun}{}", leaf.subject(), leaf.name.which)
                    }
                    (None, true) => format!("{} must be {options}", num.words()),
                    (None, false) => format!("{} is {options}", num.words()),
                }
            }
            Cond::All(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.clause(must)).collect();
                parts.join(if must { ", and " } else { " and " })
            }
            Cond::Any(parts) if parts.is_empty() => "a number is given that nobody gave".to_owned(),
            Cond::Any(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.clause(false)).collect();
                if must {
                    format!("one of these must hold: {}", parts.join(", or "))
                } else {
                    format!("({})", parts.join(" or "))
                }
            }
        }
    }
}

/// What a leaf adds up, behind a number: `mana of cards of type spell`.
pub(crate) fn words_of(leaf: &Leaf) -> String {
    match &leaf.name.field {
        Some(field) if leaf.name.which.is_empty() => spaced(field),
        Some(field) => format!("{} of {}s{}", spaced(field), leaf.noun(), leaf.name.which),
        None => plural(leaf.noun()),
    }
}
