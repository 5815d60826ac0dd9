#![allow(clippy::unwrap_used)]

use super::letters::{Weight, width};
use super::{Card, Drawing, Face, Fonts, Front, Motifs, Picture, Sheets, Size, Wrong, print};
use crate::look::Look;
use decklaw_cards::pool::{Field, FieldKind, NameField, Pool};
use decklaw_judge::judge::Judge;
use decklaw_rules::format::{Catalogue, Game};
use resvg::usvg::{Group, Node, Rect};
use std::sync::Arc;

/// Every shipped game and its cards.
fn shipped() -> Vec<(Arc<Game>, Pool)> {
    let judge = Judge::built_in("2026-01-01".parse().unwrap());
    let catalogue = Catalogue::built_in();
    let games = catalogue.games().map(|id| catalogue.game(id).unwrap());
    games
        .map(|game| {
            let pool = judge.pool(&game).unwrap();
            (game, pool)
        })
        .collect()
}

/// Where the lines of text of a picture are, with their words.
fn texts(svg: &str, fonts: &mut Fonts) -> Vec<(String, Rect)> {
    fn add(group: &Group, found: &mut Vec<(String, Rect)>) {
        for node in group.children() {
            match node {
                Node::Group(inner) => add(inner, found),
                Node::Text(text) => {
                    let words = text.chunks().iter().map(|chunk| chunk.text());
                    found.push((words.collect(), text.abs_bounding_box()));
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    add(fonts.tree(svg).unwrap().root(), &mut found);
    found
}

#[test]
fn every_shipped_card_is_whole_and_within_its_frame() {
    let mut fonts = Fonts::built_in();
    let mut cards = 0;
    for (game, pool) in shipped() {
        let look = Look::of(&Catalogue::built_in(), &game).unwrap();
        let entry = look.face();
        for (number, card) in pool.ids().enumerate() {
            let face = Face::of_card(entry, &pool, card, &Motifs::default());
            let Drawing { svg, cut } = face.draw(Size::Full, None);
            assert_eq!(cut, Vec::<String>::new(), "{}: {}", game.id(), face.name);
            cards += 1;
            for field in pool.fields() {
                let value = pool.shown(card, &field.name);
                let is_rule = matches!(field.kind, FieldKind::Text) && field.name == "text";
                assert!(
                    !is_rule || value.is_empty() || face.text.contains(&value),
                    "{}",
                    face.name
                );
            }
            if number % 4 > 0 {
                continue;
            }
            for svg in [svg, face.draw(Size::Thumb, None).svg] {
                for (text, place) in texts(&svg, &mut fonts) {
                    let is_inside =
                        place.left() >= 5.0 && place.right() <= 245.0 && place.bottom() <= 352.0;
                    assert!(is_inside, "{}: {}: {text}: {place:?}", game.id(), face.name);
                }
            }
        }
    }
    assert!(cards > 600, "{cards}");
}

#[test]
fn widths_are_those_of_the_fonts() {
    let mut fonts = Fonts::built_in();
    for (weight, text) in [
        (Weight::Regular, "When a second Monster is Regular Summoned, Größe Ж"),
        (Weight::Bold, "Commander Ilse Råfeldt WAVES 10"),
    ] {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><text font-size=\"100\" font-weight=\"{}\">{text}</text></svg>",
            weight.css()
        );
        let drawn = f64::from(texts(&svg, &mut fonts)[0].1.width());
        let known = width(text, weight) * 100.0;
        assert!((drawn / known - 1.0).abs() < 0.03, "{drawn} {known}");
    }
}

fn face(text: &str) -> Face {
    Face { kind: "Kind".to_owned(), text: vec![text.to_owned()], ..Face::named("Long") }
}

#[test]
fn longer_texts_get_smaller_letters_and_no_word_is_lost_in_silence() {
    let mut fonts = Fonts::built_in();
    let words = |number: usize| (0..number).map(|at| format!("word{at}")).collect::<Vec<_>>();
    for number in [5, 60, 120, 150, 900] {
        let all = words(number);
        let Drawing { svg, cut } = face(&all.join(" ")).draw(Size::Full, None);
        let lines = texts(&svg, &mut fonts);
        let lines = lines.iter().filter(|(text, _)| text.contains("word"));
        let lines: Vec<&str> = lines.map(|(text, _)| text.as_str()).collect();
        assert_eq!(lines.last().unwrap().ends_with('…'), !cut.is_empty(), "{number}");
        let shown = lines.join(" ").replace(" …", "");
        let shown = shown.split(' ').chain(cut.iter().flat_map(|rest| rest.split(' ')));
        assert_eq!(shown.collect::<Vec<_>>(), all, "{number}");
        assert_eq!(cut.is_empty(), number < 900, "{number}");
    }
    // A word wider than the card is broken.
    let Drawing { svg, cut } = face(&"x".repeat(300)).draw(Size::Full, None);
    assert!(cut.is_empty());
    assert!(texts(&svg, &mut fonts).iter().all(|(_, place)| place.right() <= 240.0));
}

#[test]
fn long_names_take_two_lines_and_names_are_text() {
    let mut fonts = Fonts::built_in();
    for name in [
        "The Extraordinarily Long-Winded Ambassador of the Outer Provinces",
        "Donaudampfschifffahrtsgesellschaftskapitän",
        "Дракон, хранитель северных островов и маяков",
    ] {
        for size in [Size::Full, Size::Thumb] {
            let Drawing { svg, cut } = Face::named(name).draw(size, None);
            assert_eq!(cut, Vec::<String>::new(), "{name}");
            let lines = texts(&svg, &mut fonts);
            assert!(
                lines.len() >= 2 && lines.iter().all(|(_, place)| place.right() <= 245.0),
                "{lines:?}"
            );
        }
    }
    let svg = Face::named("<script>&").draw(Size::Full, None).svg;
    assert!(svg.contains(">&lt;script&gt;&amp;<"), "{svg}");
}

#[test]
fn without_a_face_all_that_is_known_is_shown() {
    let file = b"name,type,might,motto,home\nAda,rider,7,Never late.,the hills\n";
    let sheet = decklaw_text::table::read(file, None).unwrap();
    let fields: Vec<Field> = decklaw_cards::pool::infer_fields_of(&sheet).unwrap();
    let pool = Pool::read_csv(file, &fields).unwrap();
    let card = pool.look_up("Ada", NameField::Name).card().unwrap();
    let face = Face::of_card(None, &pool, card, &Motifs::default());
    assert_eq!((&*face.name, &*face.kind), ("Ada", "Rider"));
    assert_eq!(face.numbers, [("Might".to_owned(), "7".to_owned())]);
    assert!(face.text.iter().any(|text| text.starts_with("Home: ")), "{face:?}");
}

fn card(name: &str, picture: Option<Picture>) -> Card {
    Card { front: Front { face: Face::named(name), picture }, copies: 1, back: 0 }
}

#[test]
fn letters_that_no_font_has_are_reported() {
    let mut fonts = Fonts::built_in();
    let cards = [
        card("Rain \u{378} Caller", None),
        card("Ångström ♠♥♦♣ → Ωmega Жук ≥ ½ € Cafe\u{301}\u{200b}", None),
    ];
    let printed = print(&cards, &mut fonts, &Sheets::default()).unwrap();
    let wrong: Vec<&Wrong> = printed.flaws.iter().map(|flaw| &flaw.wrong).collect();
    assert_eq!(wrong, [&Wrong::Letters(['\u{378}'].into())]);
    let again = print(&cards, &mut Fonts::built_in(), &Sheets::default()).unwrap();
    assert_eq!(printed.pdf, again.pdf);
}

/// A PNG of one colour.
fn picture(width: u32, height: u32) -> Picture {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![7; (width * height) as usize]).unwrap();
    drop(writer);
    Picture::read("card", bytes).unwrap()
}

#[test]
fn a_picture_of_a_cards_shape_is_the_whole_card_and_another_stands_in_the_frame() {
    let whole = card("Moss", Some(picture(63, 88))).front.draw().svg;
    assert!(whole.contains("<image") && !whole.contains("Moss"));
    let framed = card("Moss", Some(picture(80, 60))).front.draw().svg;
    assert!(framed.contains("<image") && framed.contains("Moss"));
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
    let large =
        [png(30_000), png(0x7fff_ffff), gif(65_535), webp(16_383), jpeg(16_000), jpeg(65_535)];
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
