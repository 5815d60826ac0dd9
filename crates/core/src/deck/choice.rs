//! Choices that a deck declares: headers `Choice: NAME=VALUE`.

use super::line::Wrong;
use super::{Deck, Located, SectionNames, SyntaxError, quoted};
use crate::name::{fold, nearest};
use crate::text::{Span, listed};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Choices by their names, each with its value.
pub type Choices = BTreeMap<String, String>;

/// A choice that a deck declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen<'a> {
    /// Its name: as the game spells it where that is known, else folded.
    pub name: Cow<'a, str>,
    /// Its value, spelt as the name is, and where the choice stands.
    pub value: Located<Cow<'a, str>>,
}

/// A choice that the decks of a game may declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choosable {
    /// Its name.
    pub name: String,
    /// The words that it may be; none: a whole number.
    pub values: Vec<String>,
    /// The smallest number.
    pub min: i64,
    /// The largest number.
    pub max: i64,
}

impl Choosable {
    /// A value as the game spells it, case and white space ignored; `None`: there is none such.
    pub fn value(&self, written: &str) -> Option<String> {
        if self.values.is_empty() {
            let number: i64 = written.trim().parse().ok()?;
            return (self.min..=self.max)
                .contains(&number)
                .then(|| number.to_string());
        }
        let folded = fold(written);
        let mut values = self.values.iter();
        values.find(|value| fold(value) == folded).cloned()
    }

    /// The values that it may have, in words.
    pub fn words(&self) -> String {
        match self.values.as_slice() {
            [] => format!("a whole number from {} to {}", self.min, self.max),
            values => listed(values, "or"),
        }
    }

    /// All its values, where they are no more than so many; of more numbers none.
    pub fn all(&self, most: usize) -> Vec<String> {
        let few = usize::try_from(self.max.saturating_sub(self.min)).is_ok_and(|span| span < most);
        match self.values.as_slice() {
            [] if few => (self.min..=self.max)
                .map(|number| number.to_string())
                .collect(),
            values => values.to_vec(),
        }
    }

    /// As [`all`](Choosable::all), but of numbers of which there are more the smallest `few`; and
    /// whether these are all.
    pub fn some(&self, most: usize, few: usize) -> (Vec<String>, bool) {
        let all = self.all(most);
        if !all.is_empty() {
            return (all, true);
        }
        let smallest = (self.min..=self.max).take(few);
        (smallest.map(|number| number.to_string()).collect(), false)
    }

    /// One of its values.
    pub(crate) fn sample(&self) -> String {
        let first = self.values.first();
        first.cloned().unwrap_or_else(|| self.min.to_string())
    }
}

/// That a game's decks declare no choice of a name, with those that they declare.
pub(crate) fn no_choice(name: &str, choices: &[Choosable]) -> String {
    let known: Vec<&str> = choices.iter().map(|own| own.name.as_str()).collect();
    let near = crate::name::nearest(&fold(name), known.iter().copied());
    let told = match (known.as_slice(), near.first()) {
        ([], _) => "the game declares none under `choices`".to_owned(),
        (_, Some(near)) => format!("did you mean `{near}`?"),
        ([only], None) => format!("there is `{only}`"),
        (known, None) => format!("there are {}", listed(known, "and")),
    };
    format!("no choice `{name}`; {told}")
}

/// The same in a query, where it may be meant as a value.
pub(crate) fn no_choice_in_query(name: &str, choices: &[Choosable]) -> String {
    let told = no_choice(name, choices);
    format!("{told}; a value that begins with `$` is quoted: \"${name}\"")
}

/// What a header declares: `faction=rogue`.
pub(super) fn declared<'a>(written: &Cow<'a, str>, span: Span) -> Result<Chosen<'a>, Wrong> {
    let part = |text: &str| Cow::Owned(crate::name::tidy(text).into_owned());
    match written.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => Ok(Chosen {
            name: part(name),
            value: Located {
                value: part(value),
                span,
            },
        }),
        _ => Err(Wrong::new(
            format!("{} declares no choice.", quoted(written)),
            "Write the choice's name, `=` and its value, as in `Choice: faction=rogue`.",
        )),
    }
}

/// Spells a deck's choices as its game does, and refuses those that it does not have. Where the
/// game is not known, or its decks may be anything, choices may be, too.
pub(super) fn settle(
    deck: &mut Deck<'_>,
    source: &str,
    names: Option<&SectionNames<'_>>,
) -> Result<(), Vec<SyntaxError>> {
    let known = names.filter(|names| !names.open).map(|names| names.choices);
    let mut errors = Vec::new();
    let mut seen: BTreeMap<String, ()> = BTreeMap::new();
    for chosen in &mut deck.choices {
        let span = chosen.value.span;
        match spelt(chosen, known) {
            Ok((name, value)) => {
                if seen.insert(fold(&name).into_owned(), ()).is_some() {
                    let message = format!("The choice {} is declared twice.", quoted(&name));
                    let mend = "Keep one of the two.";
                    errors.push(SyntaxError::at(source, span, message, mend));
                }
                chosen.name = Cow::Owned(name);
                chosen.value.value = Cow::Owned(value);
            }
            Err(Wrong { message, mend }) => {
                errors.push(SyntaxError::at(source, span, message, mend));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors),
    }
}

/// A choice's name and value as the game spells them.
fn spelt(chosen: &Chosen<'_>, known: Option<&[Choosable]>) -> Result<(String, String), Wrong> {
    let name = fold(&chosen.name);
    let Some(known) = known else {
        let value = fold(&chosen.value.value).into_owned();
        return Ok((name.into_owned(), value));
    };
    let Some(own) = known.iter().find(|own| fold(&own.name) == name) else {
        let message = format!(
            "{} is no choice of this format's decks.",
            quoted(&chosen.name)
        );
        let names: Vec<&str> = known.iter().map(|own| own.name.as_str()).collect();
        let mend = match names.as_slice() {
            [] => "They declare none: take the line out.".to_owned(),
            [only] => format!("The one there is: `{only}`."),
            _ => format!(
                "{}They are {}.",
                meant(&name, &names),
                listed(&names, "and")
            ),
        };
        return Err(Wrong::new(message, mend));
    };
    match own.value(&chosen.value.value) {
        Some(value) => Ok((own.name.clone(), value)),
        None => {
            let values: Vec<&str> = own.values.iter().map(String::as_str).collect();
            let folded = fold(&chosen.value.value);
            Err(Wrong::new(
                format!(
                    "The choice `{}` is never {}.",
                    own.name,
                    quoted(&chosen.value.value)
                ),
                format!("{}It is {}.", meant(&folded, &values), own.words()),
            ))
        }
    }
}

fn meant(folded: &str, known: &[&str]) -> String {
    // A number is another one, and not misspelt.
    if folded.parse::<f64>().is_ok() {
        return String::new();
    }
    let words: Vec<String> = known.iter().map(|word| fold(word).into_owned()).collect();
    let near = nearest(folded, words.iter().map(String::as_str));
    let at = near
        .first()
        .and_then(|near| words.iter().position(|word| word == near));
    at.map_or_else(String::new, |at| format!("Did you mean `{}`? ", known[at]))
}

impl Deck<'_> {
    /// The choices that it declares.
    pub fn chosen(&self) -> Choices {
        let each = self.choices.iter();
        each.map(|chosen| {
            let value = chosen.value.value.clone().into_owned();
            (chosen.name.clone().into_owned(), value)
        })
        .collect()
    }
}
