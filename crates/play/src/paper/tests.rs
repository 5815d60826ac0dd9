#![allow(clippy::unwrap_used)]

use super::fit::Area;
use super::fonts::{Fonts, Line, Weight};
use super::place::{Item, Laid, place};
use super::{Face, HEIGHT, MM, WIDTH};
use decklaw_core::format::Catalogue;
use decklaw_core::judge::Judge;
use decklaw_core::pool::{Field, FieldKind, Pool};

/// Where the letters of a line are, as they are drawn.
fn inked(x: f32, y: f32, size: f32, line: &Line) -> Area {
    Area {
        left: x,
        top: y - 0.72 * size,
        right: x + line.width * size,
        bottom: y,
    }
}

fn text_of(line: &Line) -> String {
    line.runs.iter().map(|run| run.text.as_str()).collect()
}

fn texts(laid: &Laid) -> Vec<(String, f32, Area)> {
    let texts = laid.items.iter().filter_map(|item| match item {
        Item::Text {
            x, y, size, line, ..
        } => Some((text_of(line), *size, inked(*x, *y, *size, line))),
        Item::Panel { .. } => None,
    });
    texts.collect()
}

fn laid(face: &Face) -> Laid {
    let fonts = Fonts::built_in();
    place(face, &fonts.shaper())
}

/// Every shipped game's name and cards.
fn shipped() -> Vec<(String, Pool)> {
    let judge = Judge::built_in("2026-01-01".parse().unwrap());
    let catalogue = Catalogue::built_in();
    let games = catalogue.games();
    games
        .map(|id| {
            let pool = judge.pool(&catalogue.game(id).unwrap()).unwrap();
            (id.to_owned(), pool)
        })
        .collect()
}

#[test]
fn every_shipped_card_is_whole_and_nothing_on_it_overlaps() {
    let fonts = Fonts::built_in();
    let shaper = fonts.shaper();
    let mut cards = 0;
    for (game, pool) in shipped() {
        for card in pool.ids() {
            let face = Face::of(&pool, card);
            let laid = place(&face, &shaper);
            assert_eq!(laid.cut, Vec::<String>::new(), "{game}: {}", face.name);
            let texts = texts(&laid);
            assert!(!texts.is_empty(), "{game}: {}", face.name);
            for (at, (text, size, area)) in texts.iter().enumerate() {
                let whole = format!("{game}: {}: {text}", face.name);
                assert!(*size >= 3.5, "{whole}: {size}");
                let inside = area.left >= 2.0 * MM && area.right <= WIDTH - 2.0 * MM;
                let inside = inside && area.top >= 2.0 * MM && area.bottom <= HEIGHT - 2.0 * MM;
                assert!(inside, "{whole}: {area:?}");
                for (other, _, beside) in &texts[at + 1..] {
                    let apart = area.right <= beside.left + 0.01
                        || beside.right <= area.left + 0.01
                        || area.bottom <= beside.top + 0.01
                        || beside.bottom <= area.top + 0.01;
                    assert!(apart, "{whole} and {other}");
                }
            }
            cards += 1;
        }
    }
    assert!(cards > 600, "{cards}");
}

#[test]
fn every_field_that_players_read_stands_on_the_card() {
    let fonts = Fonts::built_in();
    let shaper = fonts.shaper();
    for (game, pool) in shipped() {
        for card in pool.ids() {
            let face = Face::of(&pool, card);
            let texts = texts(&place(&face, &shaper));
            let shown: Vec<&str> = texts.iter().map(|(text, ..)| text.as_str()).collect();
            let shown = shown.join(" ");
            for field in pool.fields() {
                let value = pool.shown(card, &field.name);
                match field.kind {
                    FieldKind::Number { .. } => assert!(
                        shown.split(' ').any(|word| word == value) || value.is_empty(),
                        "{game}: {}: {} {value}: {shown}",
                        face.name,
                        field.name
                    ),
                    FieldKind::Text => assert!(
                        shown.contains(&value),
                        "{game}: {}: {} {value}: {shown}",
                        face.name,
                        field.name
                    ),
                    _ => {}
                }
            }
        }
    }
}

fn face(text: &str) -> Face {
    Face {
        kind: "Kind".to_owned(),
        text: vec![text.to_owned()],
        ..Face::named("Long")
    }
}

#[test]
fn longer_texts_get_smaller_letters_and_no_word_is_lost_in_silence() {
    let words = |number: usize| {
        (0..number)
            .map(|at| format!("word{at}"))
            .collect::<Vec<_>>()
    };
    let mut sizes = Vec::new();
    for number in [10, 120, 200, 280, 900] {
        let all = words(number);
        let laid = laid(&face(&all.join(" ")));
        let body = texts(&laid);
        let body: Vec<_> = body
            .iter()
            .filter(|(text, ..)| text.contains("word"))
            .collect();
        sizes.push(body[0].1);
        let shown = body.iter().flat_map(|(text, ..)| text.split(' '));
        let mut shown: Vec<String> = shown.map(str::to_owned).collect();
        assert_eq!(
            shown.last().is_some_and(|last| last == "…"),
            !laid.cut.is_empty()
        );
        shown.retain(|word| word != "…");
        shown.extend(laid.cut.iter().cloned());
        assert_eq!(shown, all, "{number}");
    }
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{sizes:?}");
    assert!(sizes[0] > sizes[2], "{sizes:?}");
    assert!(laid(&face(&words(900).join(" "))).cut.len() > 100);
}

#[test]
fn a_word_wider_than_the_card_is_broken() {
    let word = "x".repeat(300);
    let laid = laid(&face(&word));
    assert_eq!(laid.cut, Vec::<String>::new());
    let texts = texts(&laid);
    let shown: String = texts
        .iter()
        .map(|(text, ..)| text.as_str())
        .filter(|text| text.starts_with('x'))
        .collect();
    assert_eq!(shown, word);
    assert!(
        texts
            .iter()
            .all(|(.., area)| area.right <= WIDTH - 4.0 * MM)
    );
}

#[test]
fn a_face_shows_all_that_is_known() {
    let file = b"name,type,might,motto,home\nAda,rider,7,Never late.,the hills\n";
    let sheet = decklaw_core::table::read(file, None).unwrap();
    let fields: Vec<Field> = decklaw_core::pool::infer_fields_of(&sheet).unwrap();
    let pool = Pool::read_csv(file, &fields).unwrap();
    let face = Face::find(&pool, "Ada");
    assert_eq!((&*face.name, &*face.kind), ("Ada", "Rider"));
    assert_eq!(face.numbers, [("Might".to_owned(), "7".to_owned())]);
    assert!(
        face.text.iter().any(|text| text == "Home: The hills"),
        "{face:?}"
    );
    assert_eq!(Face::find(&pool, "Nobody"), Face::named("Nobody"));
}

#[test]
fn bold_letters_are_wider() {
    let fonts = Fonts::built_in();
    let shaper = fonts.shaper();
    let (bold, plain) = (
        shaper.width("Moss", Weight::Bold),
        shaper.width("Moss", Weight::Regular),
    );
    assert!(bold > plain && plain > 1.5, "{bold} {plain}");
}

/// Files of a few bytes that say that they are hundreds of millions of pixels.
#[test]
fn no_picture_is_unpacked_that_says_it_is_large() {
    let chunk = |kind: &[u8], data: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(data);
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length[..], kind, data, &sum.sum().to_be_bytes()].concat()
    };
    let png = |side: u32| {
        let sides = [side.to_be_bytes(), side.to_be_bytes()].concat();
        let head = chunk(b"IHDR", &[&sides[..], &[16, 6, 0, 0, 0]].concat());
        let signature = b"\x89PNG\r\n\x1a\n";
        [&signature[..], &head, &chunk(b"IDAT", b"\x78\x9c")].concat()
    };
    let gif = |side: u16| {
        let sides = [side.to_le_bytes(), side.to_le_bytes()].concat();
        [&b"GIF89a"[..], &sides, &[0, 0, 0, b';']].concat()
    };
    let webp = |side: u32| {
        let bits = (side - 1) | (side - 1) << 14;
        let data = [&[0x2f][..], &bits.to_le_bytes(), &[0]].concat();
        let body = [b"WEBPVP8L", &6_u32.to_le_bytes()[..], &data].concat();
        let length = u32::try_from(body.len()).unwrap().to_le_bytes();
        [&b"RIFF"[..], &length, &body].concat()
    };
    let jpeg = |side: u16| {
        let sides = [side.to_be_bytes(), side.to_be_bytes()].concat();
        [
            &b"\xff\xd8\xff\xc0\0\x0b\x08"[..],
            &sides,
            b"\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0",
        ]
        .concat()
    };
    let large = [
        png(30_000),
        png(0x7fff_ffff),
        gif(65_535),
        webp(16_383),
        jpeg(16_000),
        jpeg(65_535),
    ];
    for (number, bytes) in (0..).zip(large) {
        let told = super::Picture::read("card", bytes).unwrap_err();
        let says = told.contains("pixels") || told.contains("cannot be read");
        assert!(says, "{number}: {told}");
    }
    for bytes in [png(4_096), gif(4_096), webp(4_096), jpeg(4_096)] {
        let read = super::Picture::read("card", bytes);
        assert!(read.is_ok(), "{read:?}");
    }
}
