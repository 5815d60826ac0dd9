//! `any` and `all`: several demands as one: one of them must hold, or all.

use super::RuleKind;
use super::language::Text;
use crate::rules::demand::{Demand, Of};
use crate::rules::written::{Never, RawValue};
use crate::rules::{Compile, SectionSet};
use decklaw_text::text::begun_small;
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};

/// A demand among several: a kind with its terms, or a text in the language of demands.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Part {
    /// A condition on numbers of the deck, such as `main <= 60`.
    Text(String),
    /// A kind with its terms, as under `must`.
    Kind(Box<RuleKind>),
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Part, D::Error> {
        match RawValue::<Never, KindMap>::deserialize(deserializer)? {
            RawValue::Text(text) => Ok(Part::Text(text)),
            RawValue::Map(KindMap(kind)) => Ok(Part::Kind(Box::new(kind))),
            RawValue::Number(_) | RawValue::List(_) => Err(de::Error::custom(
                "expected a kind with its terms, or a condition in the language of demands",
            )),
        }
    }
}

/// A kind as the one entry of a map.
struct KindMap(RuleKind);

impl<'de> Deserialize<'de> for KindMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KindMap, D::Error> {
        RuleKind::deserialize(deserializer).map(KindMap)
    }
}

/// Several demands as one; `any`: one that holds is enough.
pub(super) fn demand(parts: &[Spanned<Part>], any: bool, with: &mut Compile<'_>) -> Demand {
    let word = if any { "any" } else { "all" };
    if parts.len() < 2 {
        let message = format!("`{word}` takes a list of at least two demands");
        with.refuse(message, with.rule);
    }
    let mut of_part = |part: &Spanned<Part>| match &part.value {
        Part::Kind(kind) => {
            if let RuleKind::Accept(accept) = &**kind {
                let message = format!(
                    "`accept` cannot be in `{word}`: what a section takes holds for all rules"
                );
                with.refuse(message, accept.section.span);
            }
            kind.demand(with)
        }
        Part::Text(text) => {
            let demand = Spanned { value: text.clone(), span: part.span };
            Text { demand, each: None }.demand(with)
        }
    };
    let parts: Vec<Demand> = parts.iter().map(&mut of_part).collect();
    let each = parts.iter().map(|part| {
        // The file has the demand in the language.
        let words = part.words.split(". (`").next().unwrap_or(&part.words);
        begun_small(words.trim_end_matches('.'))
    });
    let each: Vec<String> = each.collect();
    let words = if any {
        format!("One of these must hold: {}.", each.join("; or "))
    } else {
        format!("All of these must hold: {}.", each.join("; "))
    };
    let sections = parts.iter().map(|part| part.sections);
    let sections = sections.fold(SectionSet::default(), SectionSet::and);
    Demand::new(sections, Of::Several { any, parts }, words, |_, _, _| {})
}
