//! Decks in XML: Cockatrice's `.cod`, LackeyCCG's and Magic Online's `.dek`, OCTGN's `.o8d`.

use super::builder::Builder;
use super::export::OfSection;
use super::{Deck, SyntaxError, board, count, header, quoted};
use decklaw_text::limits::xml::MOST_NODES;
use decklaw_text::text::{Span, boundless, listed};
use roxmltree::{Document, Node, ParsingOptions};
use std::borrow::Cow;

/// Elements of a Cockatrice deck that say nothing of its cards.
const ASIDE: [&str; 5] = ["lastLoadedTimestamp", "bannerCard", "tags", "format", "sideboard_plan"];

/// A document, and the cards that Cockatrice's comments move to another section.
pub(super) struct Outline<'a> {
    document: Document<'a>,
    moved: Vec<(OfSection, Span)>,
}

/// Reads the headers of a deck in XML. Of Cockatrice's its comments may hold some, such as
/// `Format: ID`, and the section of cards.
pub(super) fn headers<'a>(builder: &mut Builder<'a, '_>) -> Result<Outline<'a>, Vec<SyntaxError>> {
    let document = parse(builder.source)?;
    let mut moved = Vec::new();
    let root = document.root_element();
    if root.has_tag_name("cockatrice_deck") {
        for part in children(builder, root, &["deckname", "comments", "zone"], &ASIDE) {
            let text = text_of(part);
            if part.has_tag_name("deckname") {
                set(builder, 1, &text, part);
            }
            for line in text.lines().filter(|_| part.has_tag_name("comments")) {
                if let Some(of_section) = OfSection::read(line) {
                    moved.push((of_section, span(part)));
                } else if let Some((key, value)) = line.split_once(':')
                    && let Some(at) = header(key.trim()).filter(|at| *at != 1)
                {
                    set(builder, at, value, part);
                }
            }
        }
    }
    Ok(Outline { document, moved })
}

/// Reads the cards of a deck in XML; its root shows whose it is.
pub(super) fn read<'a>(
    mut builder: Builder<'a, '_>,
    outline: Outline<'_>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let Outline { document, moved } = outline;
    let root = document.root_element();
    match root.tag_name().name() {
        "cockatrice_deck" => cockatrice(&mut builder, root, moved),
        "Deck" => mtgo(&mut builder, root),
        "deck" => lackey(&mut builder, root),
        other => {
            let message = format!("{} is the root of no deck.", quoted(other));
            let help = "Decks in XML begin with `cockatrice_deck`, `deck` or `Deck`.";
            builder.wrong(span(root), message, help);
        }
    }
    builder.finish()
}

/// Reads the zones of a Cockatrice deck.
fn cockatrice(
    builder: &mut Builder<'_, '_>,
    root: Node<'_, '_>,
    mut moved: Vec<(OfSection, Span)>,
) {
    for zone in root.children().filter(|part| part.has_tag_name("zone")) {
        zone_of(builder, zone, &mut moved);
    }
    for (left, span) in moved.iter().filter(|(left, _)| left.count > 0) {
        let message = format!(
            "The comments move {} {} from the zone {} to the section {}, but the zone has fewer.",
            left.count,
            quoted(&left.name),
            quoted(&left.zone),
            quoted(&left.section)
        );
        let help = "Take that line out of the comments, or put the cards back.";
        builder.wrong(*span, message, help);
    }
}

/// Reads a zone of a Cockatrice deck: its cards are of the section of its name, except for those
/// that the comments move.
fn zone_of(builder: &mut Builder<'_, '_>, zone: Node<'_, '_>, moved: &mut [(OfSection, Span)]) {
    let called = zone.attribute("name").unwrap_or_default().trim();
    let cards = children(builder, zone, &["card"], &[]);
    // Not every game has Cockatrice's `tokens`.
    let section = |builder: &mut Builder<'_, '_>| {
        if board::is_left_out(called) && builder.names.find(called).is_none() {
            builder.left_out(called, span(zone))
        } else {
            builder.section(called, span(zone))
        }
    };
    if cards.is_empty() {
        section(builder);
    }
    // Asked once, and only for cards that stay: not every game has a section of that name.
    let mut own: Option<Option<u16>> = None;
    for card in cards {
        no_text(builder, card);
        let Some(mut count) = count_of(builder, card, "number") else {
            continue;
        };
        let place = span(card);
        let name = card.attribute("name").unwrap_or_default().trim();
        let is_moved = |of: &OfSection| {
            of.zone == called
                && decklaw_text::name::fold(&of.name) == decklaw_text::name::fold(name)
        };
        for (to, _) in moved.iter_mut().filter(|(to, _)| is_moved(to)) {
            let copies = to.count.min(count);
            if copies > 0
                && let Some(section) = builder.section(&to.section, place)
            {
                builder.card(section, copies, Cow::Owned(name.to_owned()), place);
            }
            to.count -= copies;
            count -= copies;
        }
        if count > 0
            && let Some(section) = *own.get_or_insert_with(|| section(builder))
        {
            builder.card(section, count, Cow::Owned(name.to_owned()), place);
        }
    }
}

/// Reads a deck of LackeyCCG (`superzone`), in which a card is repeated for each copy, or of OCTGN
/// (`section`), in which it has a number.
fn lackey(builder: &mut Builder<'_, '_>, root: Node<'_, '_>) {
    for zone in children(builder, root, &["superzone", "section"], &["meta", "notes"]) {
        let is_counted = zone.has_tag_name("section");
        let cards = children(builder, zone, &["card"], &[]);
        // Programs write the sections that a deck leaves empty, too.
        if cards.is_empty() && is_counted {
            continue;
        }
        let Some(section) = section(builder, zone) else {
            continue;
        };
        for card in cards {
            if is_counted {
                let inner = card.children().any(|child| child.is_element());
                if inner {
                    no_text(builder, card);
                } else if let Some(count) = count_of(builder, card, "qty") {
                    let name = Cow::Owned(text_of(card).trim().to_owned());
                    builder.card(section, count, name, span(card));
                }
                continue;
            }
            no_text(builder, card);
            let mut names = card.children().filter(|part| part.has_tag_name("name"));
            let name = names.next().map(text_of).unwrap_or_default();
            if let Some(second) = names.next() {
                let message = "This card has two names.";
                builder.wrong(span(second), message, "Give each card its own `card`.");
                continue;
            }
            builder.copy(section, Cow::Owned(name.trim().to_owned()), span(card));
        }
    }
}

/// Reads a deck of Magic Online, whose files end as LackeyCCG's do: a line a card, with its
/// number and whether it is in the sideboard.
fn mtgo(builder: &mut Builder<'_, '_>, root: Node<'_, '_>) {
    let aside = ["NetDeckID", "PreconstructedDeckID"];
    for card in children(builder, root, &["Cards"], &aside) {
        no_text(builder, card);
        let span = span(card);
        let side = card.attribute("Sideboard").unwrap_or_default().trim();
        let section = if side.eq_ignore_ascii_case("false") {
            builder.enter(builder.names.first, span)
        } else if side.eq_ignore_ascii_case("true") {
            builder.section("sideboard", span)
        } else {
            let message = "The attribute `Sideboard` of this card is neither `true` nor `false`.";
            builder.wrong(span, message, "Write `Sideboard=\"false\"` or `Sideboard=\"true\"`.");
            continue;
        };
        let count = count_of(builder, card, "Quantity");
        if let (Some(section), Some(count)) = (section, count) {
            let name = card.attribute("Name").unwrap_or_default().trim();
            builder.card(section, count, Cow::Owned(name.to_owned()), span);
        }
    }
}

/// Reads the count in an attribute of a card.
fn count_of(builder: &mut Builder<'_, '_>, card: Node<'_, '_>, attribute: &str) -> Option<u32> {
    let digits = card.attribute(attribute).unwrap_or_default();
    match count::count(digits.trim()) {
        Ok(count) => Some(count),
        Err(wrong) => {
            builder.wrong_line(span(card), wrong);
            None
        }
    }
}

/// Parses a document that declares no types of its own: entities that unfold into others, or
/// into files, have no place in a deck.
fn parse(source: &str) -> Result<Document<'_>, Vec<SyntaxError>> {
    if let Some((at, message)) = boundless(source) {
        let span = Span::new(at, at + 1);
        return Err(vec![SyntaxError::at(source, span, message, "")]);
    }
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(source, options).map_err(|error| {
        let place = error.pos();
        let before = source.split_inclusive('\n').take(place.row.saturating_sub(1) as usize);
        let mut at: usize = before.map(str::len).sum();
        let line = source.get(at..).unwrap_or_default();
        let column = line.char_indices().nth(place.col.saturating_sub(1) as usize);
        at += column.map_or(0, |(column, _)| column);
        let (message, help) = match error {
            roxmltree::Error::DtdDetected => (
                "A deck declares no document type.".to_owned(),
                "Take out the part that begins with `<!DOCTYPE`.",
            ),
            roxmltree::Error::NodesLimitReached => {
                (format!("This XML has more than {MOST_NODES} parts."), "A deck has some thousand.")
            }
            other => {
                (format!("This is not XML: {}.", quoted(&other.to_string()).trim_matches('`')), "")
            }
        };
        vec![SyntaxError::at(source, Span::new(at, at), message, help)]
    })
}

fn section(builder: &mut Builder<'_, '_>, zone: Node<'_, '_>) -> Option<u16> {
    let word = zone.attribute("name").unwrap_or_default();
    builder.section(word.trim(), span(zone))
}

fn set(builder: &mut Builder<'_, '_>, at: usize, value: &str, part: Node<'_, '_>) {
    let value = decklaw_text::name::tidy(value.trim()).into_owned();
    builder.deck.set(at, Cow::Owned(value), span(part));
}

/// Returns the elements in an element that have a `known` name. Those `aside` are passed over, and
/// all others are errors.
fn children<'d, 'i>(
    builder: &mut Builder<'_, '_>,
    parent: Node<'d, 'i>,
    known: &[&str],
    aside: &[&str],
) -> Vec<Node<'d, 'i>> {
    no_text(builder, parent);
    let mut found = Vec::new();
    for child in parent.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        if known.contains(&name) {
            found.push(child);
        } else if !aside.contains(&name) {
            let known: Vec<String> = known.iter().map(|name| quoted(name)).collect();
            odd(builder, child, &listed(&known, "and"));
        }
    }
    found
}

fn odd(builder: &mut Builder<'_, '_>, part: Node<'_, '_>, known: &str) {
    let message = format!("{} is not understood here.", quoted(part.tag_name().name()));
    builder.wrong(span(part), message, format!("What may be here is {known}."));
}

/// Reports text in an element that holds others: it may be a card whose tag is broken.
fn no_text(builder: &mut Builder<'_, '_>, parent: Node<'_, '_>) {
    for stray in parent.children().filter(Node::is_text) {
        let range = stray.range();
        let source = parent.document().input_text();
        let written = source.get(range.clone()).unwrap_or_default();
        let Some(first) = written.trim().lines().next() else {
            continue;
        };
        let start = range.start + written.len() - written.trim_start().len();
        let message = format!("{} is outside every element.", quoted(first.trim()));
        let help = "Put it into an element such as `<card>`, or take it out.";
        let span = Span::new(start, start + first.trim_end().len());
        builder.wrong(span, message, help);
    }
}

/// An element's own text.
fn text_of(part: Node<'_, '_>) -> String {
    part.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect()
}

/// An element's bytes up to the end of its first line.
fn span(part: Node<'_, '_>) -> Span {
    let range = part.range();
    let source = part.document().input_text();
    let written = source.get(range.clone()).unwrap_or_default();
    let first = written.lines().next().unwrap_or_default();
    Span::new(range.start, range.start + first.len())
}
