//! A picture of a deck.

use crate::faces::CardRenderer;
use decklaw_cards::pool::{CardId, FieldKind, Pool};
use decklaw_judge::judge::Judge;
use decklaw_judge::resolve::{Decklist, Resolved};
use decklaw_play::look::{Look, titled};
use decklaw_play::paper::{Pictures, Poster, PosterCard, PosterColumn, picture_kind};
use decklaw_text::Problem;
use decklaw_text::text::counted;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most values of a number that are columns of their own; the rest is one.
const COLUMNS: usize = 9;

/// The column of each card of a list by a field: its place and what it is called. A card that the
/// pool does not know has no field.
fn columns(list: &Decklist, field: &str) -> impl Fn(CardId) -> (usize, String) {
    let pool: &Pool = list.rulebook().pool();
    let known = pool.fields().iter().find(|one| one.name == field);
    let order: Vec<String> = known
        .map(|field| field.words().into_iter().map(str::to_owned).collect())
        .unwrap_or_default();
    let is_number = known.is_some_and(|field| matches!(field.kind, FieldKind::Number { .. }));
    let mut numbers: Vec<i64> = pool.ids().filter_map(|card| pool.number(card, field)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let last = if numbers.len() > COLUMNS { numbers.get(COLUMNS - 1).copied() } else { None };
    let other = || (usize::MAX, "Other".to_owned());
    move |card| {
        if !list.knows(card) {
            return other();
        }
        if is_number {
            let Some(number) = pool.number(card, field) else { return other() };
            let shown = last.map_or(number, |last| number.min(last));
            let more = if last == Some(shown) { "+" } else { "" };
            let place = numbers.iter().position(|one| *one == shown).unwrap_or(usize::MAX - 1);
            return (place, format!("{} {shown}{more}", titled(field)));
        }
        let Some(word) = pool.words(card, field).first() else { return other() };
        let place = order.iter().position(|one| **one == **word).unwrap_or(usize::MAX - 1);
        (place, titled(word))
    }
}

/// A picture of a deck as SVG: what its first steps picked as a banner, and the cards that hands are
/// drawn from. `pictures`: names of pictures that lie next to a page.
///
/// # Errors
/// A folder of pictures that cannot be read.
pub fn picture(
    judge: &Judge,
    pictures: Option<&Pictures>,
    read: &Resolved<'_>,
) -> Result<String, Problem> {
    let list = read.list();
    let rulebook = list.rulebook();
    let format = rulebook.format();
    let pool = rulebook.pool();
    let cards = CardRenderer::of(judge, Arc::clone(rulebook))?.beside(pictures);
    let card = |card: CardId| {
        let name = list.name(card);
        // A picture that cannot be read leaves its card to its drawing.
        let picture = cards.picture(name).ok().flatten();
        let picture = picture.and_then(|bytes| {
            let kind = picture_kind(&bytes)?;
            Some(format!("data:{kind};base64,{}", data_encoding::BASE64.encode(&bytes)))
        });
        PosterCard { face: cards.face(name), picture }
    };
    let look = Look::of(judge.catalogue(), format.game())?;
    let builder = look.builder(pool.fields());
    let curve = builder.curve.unwrap_or_default();
    let column_of = columns(list, curve);
    let steps = look.start(format);
    let picked: Vec<u16> = steps.iter().filter_map(|step| list.section(step.pick?)).collect();
    // The largest section that no first step fills.
    let sections = 0..list.sections().len() as u16;
    let others = sections.clone().filter(|section| !picked.contains(section));
    let drawn = others.clone().max_by_key(|section| (list.count(*section), u16::MAX - section));
    let mut held: Vec<(CardId, u32)> = Vec::new();
    let mut leaders: Vec<CardId> = Vec::new();
    for holding in list.holdings() {
        if picked.contains(&holding.section) {
            leaders.push(holding.card);
        } else if Some(holding.section) == drawn {
            held.push((holding.card, u32::try_from(holding.copies).unwrap_or(u32::MAX)));
        }
    }
    held.sort_by_cached_key(|(card, _)| {
        (column_of(*card).0, cards.face(list.name(*card)).colour, list.name(*card).to_owned())
    });
    if leaders.is_empty() {
        leaders.extend(held.iter().rev().map(|(card, _)| *card).take(3));
    }
    let mut columns: BTreeMap<usize, PosterColumn> = BTreeMap::new();
    for (own, copies) in held {
        let (place, label) = column_of(own);
        let column = columns.entry(place);
        let column = column.or_insert_with(|| PosterColumn { label, cards: Vec::new() });
        column.cards.push((card(own), copies));
    }
    let mut about = vec![format.entry().name.clone()];
    for section in others.filter(|section| list.count(*section) > 0) {
        let count = list.count(section);
        about.push(if Some(section) == drawn {
            counted(count, "card")
        } else {
            format!("{count} {}", list.sections()[usize::from(section)])
        });
    }
    let name = read.deck().name.as_ref().map(|name| name.value.to_string());
    Ok(Poster {
        name: name.unwrap_or_else(|| "Untitled deck".to_owned()),
        verdict: (!format.game().file.rules.is_empty()).then(|| list.verdict()),
        about: about.join(" · "),
        leaders: leaders.into_iter().map(card).collect(),
        columns: columns.into_values().collect(),
    }
    .draw())
}
