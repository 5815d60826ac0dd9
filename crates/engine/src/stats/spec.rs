//! The statistics of a game.

use decklaw_cards::pool::{Column, Field, FieldKind, Pool};
use decklaw_cards::query::Query;
use decklaw_rules::format::Game;
use decklaw_text::text::listed;
use decklaw_text::yaml::{self, FileError, Problem, Spanned, text_of};
use serde::Deserialize;
use std::collections::BTreeSet;

/// The most different words of a field whose cards are counted by default.
const MOST_WORDS: usize = 20;

/// The file of a game's folder that declares its statistics.
pub const STATS: &str = "stats.yaml";

/// The statistics of a game: the `stats.yaml` next to its format file.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The sections that are counted unless the question names some; none: all.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub sections: Vec<Spanned<String>>,
    /// The statistics, in the order in which they are shown.
    pub metrics: Vec<Metric>,
}

/// One statistic: the cards by a field's values, or a number field's sum and mean.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Its id for programs.
    #[cfg_attr(test, schemars(with = "String"))]
    pub id: Spanned<String>,
    /// Its name for people.
    pub name: String,
    /// The field by whose values cards are counted.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub count: Option<Spanned<String>>,
    /// The number field that is added up.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub sum: Option<Spanned<String>>,
    /// A card query for the cards that count; none: all.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub of: Option<Spanned<String>>,
}

impl Spec {
    /// The statistics that a game's file declares, by its name and its bytes.
    ///
    /// # Errors
    /// As for [`read`](Spec::read); bytes that are no text.
    pub fn of_file(name: &str, bytes: &[u8], game: &Game) -> Result<Spec, FileError> {
        let sections: Vec<&str> = game.sections().iter().map(|own| own.id.as_str()).collect();
        Spec::read(name, text_of(name, bytes)?, game.fields(), &sections)
    }

    /// Reads the statistics of a game with these fields and sections.
    ///
    /// # Errors
    /// Keys, fields, sections or queries that do not exist or fit, each with its place; a
    /// metric with neither or both of `count` and `sum`; two metrics with the same id.
    pub fn read(
        name: &str,
        text: &str,
        fields: &[Field],
        sections: &[&str],
    ) -> Result<Spec, FileError> {
        let refuse =
            |problems| FileError { name: name.to_owned(), text: text.to_owned(), problems };
        let spec: Spec = yaml::read(text).map_err(|problem| refuse(vec![problem]))?;
        let mut problems = Vec::new();
        let mut wrong = |message: String, at: &Spanned<String>| {
            problems.push(Problem::new(message, at.span));
        };
        for section in &spec.sections {
            let known = sections.contains(&section.value.as_str());
            if !known && !sections.is_empty() {
                let known = decklaw_text::text::those(sections);
                let message = format!("no section `{}`; {known}", section.value);
                wrong(message, section);
            }
        }
        let mut ids = BTreeSet::from(["cards"]);
        for Metric { id, count, sum, .. } in &spec.metrics {
            let own = &id.value;
            if !ids.insert(own) {
                wrong(format!("two statistics have the id `{own}`"), id);
            }
            match (count, sum) {
                (None, None) => {
                    wrong(format!("the statistic `{own}` needs a `count` or a `sum`"), id);
                }
                (Some(_), Some(sum)) => {
                    wrong(format!("the statistic `{own}` has a `count` or a `sum`, not both"), sum);
                }
                _ => {}
            }
        }
        for metric in &spec.metrics {
            for (field, number) in [(&metric.count, false), (&metric.sum, true)] {
                let Some(field) = field else { continue };
                let found = fields.iter().find(|known| known.name == field.value);
                let fits =
                    found.map(|known| !number || matches!(known.kind, FieldKind::Number { .. }));
                let message = match fits {
                    Some(true) => continue,
                    Some(false) => format!("`{}` is not a number and has no sum", field.value),
                    None => {
                        let known: Vec<&str> =
                            fields.iter().map(|known| known.name.as_str()).collect();
                        let known = listed(&known, "and");
                        format!("no field `{}`; the fields are {known}", field.value)
                    }
                };
                problems.push(Problem::new(message, field.span));
            }
            if let Some(of) = &metric.of
                && let Err(error) = Query::parse(&of.value).and_then(|query| query.check(fields))
            {
                problems.push(Problem::new(error.message, of.span));
            }
        }
        if problems.is_empty() { Ok(spec) } else { Err(refuse(problems)) }
    }

    /// Words and values of the queries that no card of a pool has; see [`Query::remarks`].
    pub fn unmatched(&self, pool: &Pool) -> Vec<Problem> {
        let queries = self.metrics.iter().filter_map(|metric| metric.of.as_ref());
        let problems = queries.flat_map(|of| {
            let query = Query::parse(&of.value);
            let remarks = query.map(|query| query.remarks(pool)).unwrap_or_default();
            let remarks = remarks.into_iter();
            remarks.map(|remark| Problem::in_query(of, &remark.message))
        });
        problems.collect()
    }

    /// The statistics of a game that declares none: each number by value and in sum, and each
    /// field of few words by word.
    pub fn inferred(pool: &Pool) -> Spec {
        let mut metrics = Vec::new();
        for field in pool.fields() {
            if !few_words(pool, field) {
                continue;
            }
            let spanned = |value: String| Spanned { value, ..Spanned::default() };
            let own = || spanned(field.name.clone());
            let name = field.name.replace(['-', '_'], " ");
            metrics.push(Metric {
                id: own(),
                name: name.clone(),
                count: Some(own()),
                sum: None,
                of: None,
            });
            if matches!(field.kind, FieldKind::Number { .. }) {
                metrics.push(Metric {
                    id: spanned(format!("{}-sum", field.name)),
                    name: format!("{name} in sum"),
                    count: None,
                    sum: Some(own()),
                    of: None,
                });
            }
        }
        Spec { sections: Vec::new(), metrics }
    }
}

/// Whether the values of a field are few enough to count cards by them: numbers always, a field
/// without values never.
fn few_words(pool: &Pool, field: &Field) -> bool {
    if matches!(field.kind, FieldKind::Query | FieldKind::Text) || field.name == "id" {
        return false;
    }
    match pool.column(&field.name) {
        Some(Column::Number(cells)) => cells.iter().any(Option::is_some),
        Some(_) => {
            let words = pool.ids().flat_map(|card| pool.words(card, &field.name));
            let words: BTreeSet<&str> = words.map(|word| &**word).collect();
            (1..=MOST_WORDS).contains(&words.len())
        }
        None => false,
    }
}
