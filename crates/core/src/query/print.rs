//! Queries written out again in their plainest spelling, which reads as the same query.

use super::cursor::closing;
use super::hand::{Count, Group, Hand};
use super::parse::Reserved;
use super::tree::{Node, Word};
use super::{HandQuery, Query};
use std::fmt::{Display, Formatter, Result};

impl Display for Query {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match &self.root {
            // At the top nothing needs brackets.
            Node::Any(nodes) if nodes.len() > 1 => joined(out, nodes, " or ", inner),
            Node::All(nodes) if nodes.len() != 1 => joined(out, nodes, " ", inner),
            node => inner(node, out),
        }
    }
}

fn joined<T>(
    out: &mut Formatter<'_>,
    parts: &[T],
    between: &str,
    write: impl Fn(&T, &mut Formatter<'_>) -> Result,
) -> Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.write_str(between)?;
        }
        write(part, out)?;
    }
    Ok(())
}

/// A card query that may stand among others.
fn inner(node: &Node, out: &mut Formatter<'_>) -> Result {
    match node {
        Node::All(nodes) | Node::Any(nodes) => {
            let or = matches!(node, Node::Any(_));
            out.write_str("(")?;
            joined(out, nodes, if or { " or " } else { " " }, inner)?;
            out.write_str(")")
        }
        Node::Not(node) => {
            out.write_str("not ")?;
            inner(node, out)
        }
        Node::NameHolds(word) => out.write_str(&word.text),
        Node::Name(word) => write!(out, "\"{}\"", word.text),
        Node::Has(field) => write!(out, "{}:*", field.text),
        Node::Field {
            field,
            comparison,
            values,
        } => {
            write!(out, "{}{}", field.text, comparison.sign())?;
            match values.as_slice() {
                [only] => value(only, out),
                values => {
                    out.write_str("(")?;
                    joined(out, values, " ", value)?;
                    out.write_str(")")
                }
            }
        }
    }
}

fn value(word: &Word, out: &mut Formatter<'_>) -> Result {
    let text = word.text.as_str();
    let breaks = |next: char| next.is_whitespace() || "()\"".contains(next);
    let begins = |next: char| closing(next).is_some() || "=<>!:≠≤≥".contains(next);
    if text.is_empty()
        || text.contains(breaks)
        || text.starts_with(begins)
        || Reserved::of(text).is_some()
        || text == "*"
        || text.starts_with('$') && word.refers().is_none()
    {
        write!(out, "\"{text}\"")
    } else {
        out.write_str(text)
    }
}

impl Display for HandQuery {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match &self.root {
            Hand::Any(parts) => joined(out, parts, " or ", part),
            Hand::All(parts) => joined(out, parts, " and ", part),
            only => part(only, out),
        }
    }
}

/// A hand query that may stand among others.
fn part(hand: &Hand, out: &mut Formatter<'_>) -> Result {
    match hand {
        Hand::Any(parts) | Hand::All(parts) => {
            let or = matches!(hand, Hand::Any(_));
            out.write_str("(")?;
            joined(out, parts, if or { " or " } else { " and " }, part)?;
            out.write_str(")")
        }
        Hand::Not(inner) => {
            out.write_str("not ")?;
            part(inner, out)
        }
        Hand::Some(field, inner) => {
            write!(out, "some {} (", field.name)?;
            part(inner, out)?;
            out.write_str(")")
        }
        Hand::Different(counts, _) => {
            out.write_str("different(")?;
            joined(out, counts, ", ", count)?;
            out.write_str(")")
        }
        Hand::Count(only) => count(only, out),
        Hand::Total {
            field,
            group: of,
            comparison,
            number,
        } => {
            write!(out, "sum({})", field.name)?;
            if let Some(of) = of {
                out.write_str(" ")?;
                group(of, out)?;
            }
            write!(out, " {} {number}", comparison.sign())
        }
    }
}

fn count(count: &Count, out: &mut Formatter<'_>) -> Result {
    match (count.low, count.high) {
        (low, None) => write!(out, "{low}+ ")?,
        (low, Some(high)) if low == high => write!(out, "{low} ")?,
        (low, Some(high)) => write!(out, "{low}..{high} ")?,
    }
    group(&count.group, out)
}

fn group(group: &Group, out: &mut Formatter<'_>) -> Result {
    write!(out, "[{}]", group.cards)
}
