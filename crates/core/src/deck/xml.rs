//! Decks in XML: Cockatrice's `.cod`, LackeyCCG's and Magic Online's `.dek`, OCTGN's `.o8d`.

use super::builder::{Ask, Builder};
use super::export::OfSection;
use super::{Deck, SyntaxError, header, line, quoted, text};
use crate::limits::xml::MOST_NODES;
use crate::text::{Span, boundless};
use roxmltree::{Document, Node, ParsingOptions};
use std::borrow::Cow;

/// Elements of a Cockatrice deck that say nothing of its cards.
const ASIDE: [&str; 5] = [
    "lastLoadedTimestamp",
    "bannerCard",
    "tags",
    "format",
    "sideboard_plan",
];

/// Reads a deck in XML; its root shows whose it is.
pub(super) fn read<'a, 'f>(
    source: &'a str,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let document = parse(source)?;
    let mut builder = Builder::new(source);
    let root = document.root_element();
    match root.tag_name().name() {
        "cockatrice_deck" => cockatrice(&mut builder, root, ask),
        "Deck" => {
            builder.ask(ask);
            mtgo(&mut builder, root);
        }
        "deck" => {
            builder.ask(ask);
            lackey(&mut builder, root);
        }
        other => {
            let message = format!("{} is the root of no deck.", quoted(other));
            let help = "Decks in XML begin with `cockatrice_deck`, `deck` or `Deck`.";
            builder.wrong(span(root), message, help);
        }
    }
    builder.finish()
}

/// Reads a Cockatrice deck. Lines such as `Format: ID` in its comments are headers, and those
/// that say of which section cards of a zone are, are followed; what else is in them is passed
/// over.
fn cockatrice<'f>(builder: &mut Builder<'_, 'f>, root: Node<'_, '_>, ask: Ask<'_, 'f>) {
    let mut sections: Vec<(OfSection, Span)> = Vec::new();
    let parts = elements(builder, root);
    for part in parts.iter().copied() {
        match part.tag_name().name() {
            "deckname" => set(builder, 1, text_of(part), part),
            "comments" => {
                for line in text_of(part).lines() {
                    if let Some(of_section) = OfSection::read(line) {
                        sections.push((of_section, span(part)));
                        continue;
                    }
                    let Some((key, value)) = line.split_once(':') else {
                        continue;
                    };
                    if let Some(at) = header(key.trim()).filter(|at| *at != 1) {
                        set(builder, at, value.trim().to_owned(), part);
                    }
                }
            }
            "zone" => {}
            aside if ASIDE.contains(&aside) => {}
            other => odd(builder, part, other, "`deckname`, `comments` and `zone`"),
        }
    }
    builder.ask(ask);
    for zone in parts.into_iter().filter(|part| part.has_tag_name("zone")) {
        zone_of(builder, zone, &mut sections);
    }
    for (left, span) in sections.iter().filter(|(left, _)| left.count > 0) {
        let message = format!(
            "The comments say that {} {} of the zone {} are of the section {}, and they are not there.",
            left.count,
            quoted(&left.name),
            quoted(&left.zone),
            quoted(&left.section)
        );
        let help = "Take that line out of the comments, or put the cards back.";
        builder.wrong(*span, message, help);
    }
}

/// Reads a zone of a Cockatrice deck: its cards are of the section of its name, but for those
/// of which the comments say another.
fn zone_of(builder: &mut Builder<'_, '_>, zone: Node<'_, '_>, sections: &mut [(OfSection, Span)]) {
    let called = zone.attribute("name").unwrap_or_default().trim();
    let cards = elements(builder, zone);
    if left_out(builder, called, cards.len()) {
        return;
    }
    // Asked once, and only for cards that are of it: not every game has a section of that name.
    let mut own: Option<Option<u16>> = None;
    if cards.is_empty() {
        own = Some(section(builder, zone));
    }
    for card in cards {
        if !card.has_tag_name("card") {
            odd(builder, card, card.tag_name().name(), "`card`");
            continue;
        }
        elements(builder, card);
        let span = span(card);
        let number = card.attribute("number").unwrap_or_default();
        let mut count = match line::count(number.trim()) {
            Ok(count) => count,
            Err(wrong) => {
                builder.wrong_line(span, wrong);
                continue;
            }
        };
        let name = card.attribute("name").unwrap_or_default().trim();
        let is_told = |of: &OfSection| {
            of.count > 0
                && of.zone == called
                && crate::name::fold(&of.name) == crate::name::fold(name)
        };
        for (of_section, _) in sections.iter_mut().filter(|(of, _)| is_told(of)) {
            let copies = of_section.count.min(count);
            if copies > 0
                && let Some(section) = builder.section(&of_section.section, span)
            {
                builder.card(section, copies, Cow::Owned(name.to_owned()), span);
            }
            of_section.count -= copies;
            count -= copies;
        }
        if count > 0
            && let Some(section) = *own.get_or_insert_with(|| section(builder, zone))
        {
            builder.card(section, count, Cow::Owned(name.to_owned()), span);
        }
    }
}

/// Reads a deck of LackeyCCG, in which a card is repeated for each copy, or of OCTGN.
fn lackey(builder: &mut Builder<'_, '_>, root: Node<'_, '_>) {
    for zone in elements(builder, root) {
        match zone.tag_name().name() {
            "meta" | "notes" => continue,
            "superzone" => {}
            "section" => {
                octgn(builder, zone);
                continue;
            }
            other => {
                odd(builder, zone, other, "`meta`, `superzone` and `section`");
                continue;
            }
        }
        let Some(section) = section(builder, zone) else {
            continue;
        };
        for card in elements(builder, zone) {
            if !card.has_tag_name("card") {
                odd(builder, card, card.tag_name().name(), "`card`");
                continue;
            }
            let parts = elements(builder, card);
            let mut names = parts.iter().filter(|part| part.has_tag_name("name"));
            let name = names.next().map(|name| text_of(*name)).unwrap_or_default();
            if let Some(second) = names.next() {
                let message = "This card has two names.";
                builder.wrong(span(*second), message, "Give each card its own `card`.");
                continue;
            }
            builder.copy(section, Cow::Owned(name.trim().to_owned()), span(card));
        }
    }
}

/// Whether a zone is no part of a deck, such as Cockatrice's `tokens`; notes how many lines of
/// cards it has.
fn left_out(builder: &mut Builder<'_, '_>, called: &str, cards: usize) -> bool {
    let is_out = text::is_left_out(called) && builder.names.find(called).is_none();
    if is_out && cards > 0 {
        let lines = crate::text::counted(i64::try_from(cards).unwrap_or(i64::MAX), "card");
        let name = quoted(called);
        builder
            .deck
            .note(format!("{name} is no part of the deck: {lines} left out"));
    }
    is_out
}

/// Reads a section of a deck of OCTGN, whose root is called as LackeyCCG's is: a line a card, its
/// number an attribute and its name the text.
fn octgn(builder: &mut Builder<'_, '_>, zone: Node<'_, '_>) {
    let cards = elements(builder, zone);
    // Programs write the sections that a deck leaves empty, too.
    if cards.is_empty() {
        return;
    }
    let Some(section) = section(builder, zone) else {
        return;
    };
    for card in cards {
        if !card.has_tag_name("card") {
            odd(builder, card, card.tag_name().name(), "`card`");
            continue;
        }
        if let Some(inner) = card.children().find(Node::is_element) {
            odd(builder, inner, inner.tag_name().name(), "a card's name");
            continue;
        }
        let span = span(card);
        match line::count(card.attribute("qty").unwrap_or_default().trim()) {
            Ok(count) => {
                let name = Cow::Owned(text_of(card).trim().to_owned());
                builder.card(section, count, name, span);
            }
            Err(wrong) => builder.wrong_line(span, wrong),
        }
    }
}

/// Reads a deck of Magic Online, whose files end as LackeyCCG's do: a line a card, with its
/// number and whether it stands in the sideboard.
fn mtgo(builder: &mut Builder<'_, '_>, root: Node<'_, '_>) {
    for card in elements(builder, root) {
        match card.tag_name().name() {
            "Cards" => {}
            "NetDeckID" | "PreconstructedDeckID" => continue,
            other => {
                odd(builder, card, other, "`Cards`");
                continue;
            }
        }
        elements(builder, card);
        let span = span(card);
        let attribute = |name: &str| card.attribute(name).unwrap_or_default().trim();
        let side = attribute("Sideboard").to_ascii_lowercase();
        let section = match side.as_str() {
            "false" => builder.enter(builder.names.first, span),
            "true" => builder.section("sideboard", span),
            _ => {
                let message = match side.as_str() {
                    "" => "This card has no attribute `Sideboard`.".to_owned(),
                    side => format!("{} is neither `true` nor `false`.", quoted(side)),
                };
                builder.wrong(
                    span,
                    message,
                    "Say whether the card stands in the sideboard: `Sideboard=\"false\"` or `Sideboard=\"true\"`.",
                );
                continue;
            }
        };
        match line::count(attribute("Quantity")) {
            Ok(count) => {
                if let Some(section) = section {
                    let name = Cow::Owned(attribute("Name").to_owned());
                    builder.card(section, count, name, span);
                }
            }
            Err(wrong) => builder.wrong_line(span, wrong),
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
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(source, options).map_err(|error| {
        let place = error.pos();
        let before = source
            .split_inclusive('\n')
            .take(place.row.saturating_sub(1) as usize);
        let mut at: usize = before.map(str::len).sum();
        let line = source.get(at..).unwrap_or_default();
        let column = line
            .char_indices()
            .nth(place.col.saturating_sub(1) as usize);
        at += column.map_or(0, |(column, _)| column);
        let (message, help) = match error {
            roxmltree::Error::DtdDetected => (
                "A deck declares no document type.".to_owned(),
                "Take out the part that begins with `<!DOCTYPE`.",
            ),
            roxmltree::Error::NodesLimitReached => (
                format!("This XML has more than {MOST_NODES} parts."),
                "A deck has some thousand.",
            ),
            other => (
                format!(
                    "This is no XML: {}.",
                    quoted(&other.to_string()).trim_matches('`')
                ),
                "",
            ),
        };
        vec![SyntaxError::at(source, Span::new(at, at), message, help)]
    })
}

fn section(builder: &mut Builder<'_, '_>, zone: Node<'_, '_>) -> Option<u16> {
    let word = zone.attribute("name").unwrap_or_default();
    builder.section(word.trim(), span(zone))
}

fn set(builder: &mut Builder<'_, '_>, at: usize, value: String, part: Node<'_, '_>) {
    let value = crate::name::tidy(&value).into_owned();
    builder.deck.set(at, Cow::Owned(value), span(part));
}

fn odd(builder: &mut Builder<'_, '_>, part: Node<'_, '_>, name: &str, known: &str) {
    let message = format!("{} is not understood here.", quoted(name));
    builder.wrong(
        span(part),
        message,
        format!("What may stand here is {known}."),
    );
}

/// The elements in an element that holds nothing else. Text between them is an error: it may
/// be a card whose tag is broken.
fn elements<'d, 'i>(builder: &mut Builder<'_, '_>, parent: Node<'d, 'i>) -> Vec<Node<'d, 'i>> {
    for stray in parent.children().filter(Node::is_text) {
        let range = stray.range();
        let written = stray.document().input_text().get(range.clone());
        let written = written.unwrap_or_default();
        let Some(first) = written.lines().find(|line| !line.trim().is_empty()) else {
            continue;
        };
        let before = written.len() - written.trim_start().len();
        let start = range.start + before;
        let message = format!("{} stands outside every element.", quoted(first.trim()));
        let help = "Put it into an element such as `<card>`, or take it out.";
        let at = Span::new(start, start + first.trim().len());
        builder.wrong(at, message, help);
    }
    parent.children().filter(Node::is_element).collect()
}

/// An element's own text.
fn text_of(part: Node<'_, '_>) -> String {
    part.children()
        .filter_map(|child| child.text().filter(|_| child.is_text()))
        .collect()
}

/// An element's bytes up to the end of its first line.
fn span(part: Node<'_, '_>) -> Span {
    let range = part.range();
    let source = part.document().input_text();
    let written = source.get(range.clone()).unwrap_or_default();
    let first = written.lines().next().unwrap_or_default();
    Span::new(range.start, range.start + first.len())
}
