//! Records in XML: elements, their attributes and what is in them.

use super::json::Sink;
use super::tree::{Path, Step, Tree};
use crate::limits::records::{LARGEST_XML, MOST_NODES};
use crate::text::boundless;
use roxmltree::{Document, Node, ParsingOptions};

/// Reads the records at a path below the outermost element, or all that is in it.
///
/// # Errors
/// The line, and what is wrong there.
pub(super) fn document(
    text: &str,
    rows: Option<&Path>,
    sink: Sink<'_>,
) -> Result<(), super::json::Wrong> {
    if text.len() > LARGEST_XML {
        let message = format!("the file is larger than {} MiB", LARGEST_XML >> 20);
        return Err((1, message));
    }
    if let Some((at, message)) = boundless(text, "card file") {
        let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1;
        return Err((line as u64, message));
    }
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let message = match &error {
            roxmltree::Error::DtdDetected => {
                "a card file declares no document type; take out the part that begins with `<!DOCTYPE`"
                    .to_owned()
            }
            roxmltree::Error::NodesLimitReached => {
                format!("this XML has more than {MOST_NODES} parts")
            }
            other => {
                let told = other.to_string();
                let place = format!(" at {}", other.pos());
                format!("this is no XML: {}", told.strip_suffix(&place).unwrap_or(&told))
            }
        };
        (u64::from(error.pos().row), message)
    })?;
    let mut there = vec![document.root_element()];
    let mut steps = rows.map_or(&[Step::Each][..], |path| &path.steps);
    while let Some((step, rest)) = steps.split_first() {
        let mut below = Vec::new();
        let inside = there.iter().flat_map(Node::children);
        let inside = inside.filter(Node::is_element);
        match step {
            // All the elements of a name are each of several already.
            Step::Key(key) => {
                below.extend(inside.clone().filter(|node| name(node) == key));
                steps = rest.strip_prefix(&[Step::Each]).unwrap_or(rest);
                if below.is_empty() {
                    let mut others: Vec<String> =
                        inside.map(|node| name(&node).to_owned()).collect();
                    others.sort_unstable();
                    others.dedup();
                    let message = format!(
                        "the records are asked for at `{key}`, and there is no such element here; there is {}",
                        super::listed(&others)
                    );
                    return Err((1, message));
                }
            }
            Step::Each => {
                below.extend(inside);
                steps = rest;
            }
        }
        there = below;
    }
    let place = |node: Node<'_, '_>| document.text_pos_at(node.range().start).row;
    for node in there {
        sink(tree(node)).map_err(|message| (u64::from(place(node)), message))?;
    }
    Ok(())
}

fn name<'d>(node: &Node<'d, '_>) -> &'d str {
    node.tag_name().name()
}

/// An element as a value. No document is deep: its tags were counted before it was read.
fn tree(node: Node<'_, '_>) -> Tree {
    let text = |node: Node<'_, '_>| -> String {
        let texts = node
            .children()
            .filter_map(|part| part.text().filter(|_| part.is_text()));
        let text: String = texts.collect();
        text.trim().to_owned()
    };
    let attributes = node.attributes();
    let mut parts: Vec<(String, Tree)> = attributes
        .map(|one| (one.name().to_owned(), Tree::Text(one.value().to_owned())))
        .collect();
    let elements = node.children().filter(Node::is_element);
    parts.extend(elements.map(|inner| (name(&inner).to_owned(), tree(inner))));
    match parts.is_empty() {
        true => Tree::Text(text(node)),
        false => Tree::Parts(parts, Some(text(node))),
    }
}
