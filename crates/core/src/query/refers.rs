//! Queries that name what identity cards say, such as `faction:$leader.faction`: taken apart into
//! what is known of a card and what hangs on the cards of another section.

use super::tree::{Node, Word, visit};
use super::{Comparison, Query, QueryError};
use crate::pool::{CardId, CardSet, Pool};
use crate::text::Span;
use std::collections::BTreeMap;

/// A query taken apart.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// These cards, whatever the deck holds.
    Picks(CardSet),
    /// Cards that agree with one that a section holds.
    Says(Says),
    All(Vec<Part>),
    Any(Vec<Part>),
    Not(Box<Part>),
}

/// Cards that agree with one that a section holds.
#[derive(Debug, Clone)]
pub(crate) struct Says {
    /// The id of the section.
    pub(crate) section: String,
    /// Where it stands in the query.
    pub(crate) span: Span,
    /// For each value that a card may say: the cards that say it, and the cards that it picks.
    pub(crate) values: Vec<(Vec<CardId>, CardSet)>,
}

impl Query {
    /// Whether it names what identity cards say.
    pub(crate) fn refers(&self) -> bool {
        self.reference().is_some()
    }

    /// The first word that names what identity cards say.
    fn reference(&self) -> Option<&Word> {
        let mut found = None;
        visit(&self.root, &mut |node| {
            if let Node::Field { values, .. } = node {
                found = found.or_else(|| values.iter().find(|value| value.refers().is_some()));
            }
        });
        found
    }

    /// The query, which must not name what identity cards say.
    ///
    /// # Errors
    /// It names it.
    pub(crate) fn plain(self) -> Result<Query, QueryError> {
        let Some(word) = self.reference() else {
            return Ok(self);
        };
        let message = format!(
            "what an identity card says, `{}`, stands in a `demand:`; in rules of other kinds `matching`, `permitted` and `matched` ask for it",
            word.text
        );
        Err(QueryError::at(message, word.span))
    }

    /// The query, taken apart for the cards of a pool.
    ///
    /// # Errors
    /// As for [`Query::check`]; a field of the identity cards that there is not.
    pub(crate) fn parts(&self, pool: &Pool) -> Result<Part, QueryError> {
        part(&self.root, pool)
    }
}

fn query(root: Node) -> Query {
    Query {
        text: String::new(),
        root,
    }
}

fn part(node: &Node, pool: &Pool) -> Result<Part, QueryError> {
    let all = |nodes: &[Node]| {
        nodes
            .iter()
            .map(|node| part(node, pool))
            .collect::<Result<Vec<Part>, _>>()
    };
    let (field, comparison, values) = match node {
        _ if !query(node.clone()).refers() => {
            return Ok(Part::Picks(query(node.clone()).select_known(pool)?));
        }
        Node::All(nodes) => return Ok(Part::All(all(nodes)?)),
        Node::Any(nodes) => return Ok(Part::Any(all(nodes)?)),
        Node::Not(inner) => return Ok(Part::Not(Box::new(part(inner, pool)?))),
        Node::Field {
            field,
            comparison,
            values,
        } => (field, *comparison, values),
        Node::NameHolds(_) | Node::Name(_) | Node::Has(_) => return Ok(Part::Any(Vec::new())),
    };
    // A card that has no value here is not among those that have another.
    if comparison == Comparison::NotEqual {
        let equal = Node::Field {
            field: field.clone(),
            comparison: Comparison::Equal,
            values: values.clone(),
        };
        let has = query(Node::Has(field.clone())).select(pool)?;
        return Ok(Part::All(vec![
            Part::Picks(has),
            Part::Not(Box::new(part(&equal, pool)?)),
        ]));
    }
    let with = |values: Vec<Word>| {
        query(Node::Field {
            field: field.clone(),
            comparison,
            values,
        })
    };
    let mut any = Vec::new();
    let plain: Vec<Word> = values
        .iter()
        .filter(|word| word.refers().is_none())
        .cloned()
        .collect();
    if !plain.is_empty() {
        any.push(Part::Picks(with(plain).select(pool)?));
    }
    for word in values {
        let Some((section, says)) = word.refers() else {
            continue;
        };
        if says != "name" && pool.fields().iter().all(|known| known.name != says) {
            let message = super::no_field(says, pool.fields());
            return Err(QueryError::at(message, word.span));
        }
        let mut said: BTreeMap<String, Vec<CardId>> = BTreeMap::new();
        for head in pool.ids() {
            for value in written(pool, head, says) {
                said.entry(value).or_default().push(head);
            }
        }
        let mut found = Vec::new();
        for (text, heads) in said {
            let value = Word {
                text,
                span: word.span,
            };
            let picked = with(vec![value]).select_permitted(pool)?;
            found.push((heads, picked));
        }
        any.push(Part::Says(Says {
            section: section.to_owned(),
            span: word.span,
            values: found,
        }));
    }
    Ok(Part::Any(any))
}

/// What a card has in a field.
fn written(pool: &Pool, card: CardId, field: &str) -> Vec<String> {
    match (field, pool.number(card, field)) {
        ("name", _) => vec![pool.name(card).to_owned()],
        (_, Some(number)) => vec![number.to_string()],
        _ => {
            let words = pool.words(card, field).iter();
            words
                .map(|word| pool.written(field, word).to_owned())
                .collect()
        }
    }
}
