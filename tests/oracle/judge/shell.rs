//! The Shell game (SPEC 1; the rules text's Deck Building › Main Deck, Extra Deck, Side Deck).

use super::{Fault, Judgement, Section, mana, sort};
use crate::model::{Card, Deck, Pool};

fn is_spell(card: &Card) -> bool {
    card.is("type", "spell")
}

fn is_shell(card: &Card) -> bool {
    card.is("type", "shell")
}

fn is_green(card: &Card) -> bool {
    card.is("colour", "green")
}

fn is_red(card: &Card) -> bool {
    card.is("colour", "red")
}

pub(super) fn judge(deck: &Deck, pool: &Pool) -> Judgement {
    let mut found = Judgement::default();
    // D3 keeps Shells out of the main deck, D4 Tokens out of every deck; E1–E3 grant the extra
    // deck no Shell; S4 grants the side deck one.
    let shells = sort(deck, "shells", pool, is_shell, &mut found);
    let main = sort(deck, "main", pool, is_spell, &mut found);
    let extra = sort(deck, "extra", pool, is_spell, &mut found);
    let either = |card: &Card| is_spell(card) || is_shell(card);
    let side = sort(deck, "side", pool, either, &mut found);

    judge_points(&main, &mut found);
    judge_main_cards(&main, &mut found);
    judge_shells(&shells, &mut found);
    judge_extra(&extra, &main, &mut found);
    judge_side(&side, &main, &mut found);
    // S3: neither in main nor extra; 1.7 (11): nor a Shell that the deck already plays.
    if [&main, &extra, &shells]
        .iter()
        .any(|other| side.shares_with(other))
    {
        found.error("side-overlap", Fault::Excess);
    }
    found
}

/// D1: 100 + R − G = 0, every copy counted.
fn judge_points(main: &Section<'_>, found: &mut Judgement) {
    if !main.unknown.is_empty() {
        return;
    }
    let (green, red) = (main.mana(is_green), main.mana(is_red));
    found.range("points", green, 100 + red, 100 + red);
}

/// D2: copies × mana ≤ 6. 1.7 (1) and (3): mana 0 and colours without a price are odd, not wrong.
fn judge_main_cards(main: &Section<'_>, found: &mut Judgement) {
    for (card, copies) in &main.cards {
        if copies * mana(card) > 6 {
            found.error("copies", Fault::Excess);
        }
        if mana(card) == 0 {
            found.warn("zero-mana");
        }
        if !is_green(card) && !is_red(card) {
            found.warn("unpriced-colour");
        }
    }
}

/// D3: exactly one Shell of each colour.
fn judge_shells(shells: &Section<'_>, found: &mut Judgement) {
    for colour in ["red", "green", "blue"] {
        let copies = shells.count(|card| card.is("colour", colour));
        if shells.unknown.is_empty() {
            found.range("shells", copies, 1, 1);
        } else if copies > 1 {
            found.unsettle("shells");
        }
    }
}

fn judge_extra(extra: &Section<'_>, main: &Section<'_>, found: &mut Judgement) {
    // E1: none or 15.
    match extra.size() {
        0 | 15 => {}
        1..15 => found.error("extra-size", Fault::Shortfall),
        _ => found.error("extra-size", Fault::Excess),
    }
    // E2: all different.
    if extra.names().values().any(|copies| *copies > 1) {
        found.error("extra-distinct", Fault::Excess);
    }
    // E3: none that the main deck has.
    if extra.shares_with(main) {
        found.error("extra-overlap", Fault::Excess);
    }
}

fn judge_side(side: &Section<'_>, main: &Section<'_>, found: &mut Judgement) {
    let spells: Vec<_> = side
        .cards
        .iter()
        .filter(|(card, _)| is_spell(card))
        .collect();
    // S1: at most 10 + ⌊R/12⌋ different cards besides the Shell. An unknown card in main may add
    // to R; one in the side deck may be a Shell.
    let limit = 10 + main.mana(is_red) / 12;
    if spells.len() > limit as usize {
        if !main.unknown.is_empty() || !side.unknown.is_empty() {
            found.unsettle("side-distinct");
        } else {
            found.error("side-distinct", Fault::Excess);
        }
    }
    // S2: copies × mana ≤ 6.
    for (card, copies) in spells {
        if copies * mana(card) > 6 {
            found.error("side-copies", Fault::Excess);
        }
    }
    // S4: one Shell at most.
    if side.count(is_shell) > 1 {
        if side.unknown.is_empty() {
            found.error("side-shell", Fault::Excess);
        } else {
            found.unsettle("side-shell");
        }
    }
}
