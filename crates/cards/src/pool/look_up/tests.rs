use super::*;
use crate::pool::{Field, FieldKind};
use proptest::prelude::*;

/// The names that a text fits by definition: those of the first comparison that any name passes,
/// each compared on its own.
fn fitting(text: &str, names: &[&str]) -> (Vec<u32>, Option<Spelling>) {
    let forms = |name: &str| loose(name).into_iter().filter(|form| !form.is_empty());
    let is_loose = |name: &str| forms(name).any(|form| forms(text).any(|own| own == form));
    let of = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
        (0..).zip(names).filter(|(_, name)| fits(name)).map(|(at, _)| at).collect()
    };
    let front = |name: &str| name.split_once("//").is_some_and(|(front, _)| is_loose(front));
    let same = of(&|name| fold(name) == fold(text));
    let alike = of(&|name| lenient(name) == lenient(text));
    let loosely = of(&|name| is_loose(name) || front(name));
    if !same.is_empty() {
        return (same, Some(Spelling::Folded));
    }
    if alike.len() == 1 {
        return (alike, Some(Spelling::Folded));
    }
    let spelling = match loosely.as_slice() {
        [one] if is_loose(names[*one as usize]) => Spelling::Loose,
        _ => Spelling::FrontFace,
    };
    let spelling = Some(spelling).filter(|_| loosely.len() == 1);
    (loosely, spelling)
}

proptest! {
    #[test]
    fn a_name_means_the_card_that_alone_fits(
        names in proptest::collection::vec("[aáAæ][ '’-]{0,2}[bé]( ?/{1,2} ?[ab]{1,2})?", 1..6),
        text in "[aáA](e|[ '’-]{0,2}[bé])( ?/{1,2} ?[ab]{1,2})?",
    ) {
        let pool = Pool::of_names(names.iter().map(String::as_str));
        let own: Vec<&str> = pool.ids().map(|card| pool.name(card)).collect();
        for name in &own {
            let found = pool.look_up(name, NameField::Name);
            prop_assert_eq!(found.card().map(|card| pool.name(card)), Some(*name));
            prop_assert_eq!(found.spelling(), Some(Spelling::Folded));
        }
        let (fits, spelling) = fitting(&text, &own);
        let found = pool.look_up(&text, NameField::Name);
        prop_assert_eq!(found.spelling(), spelling);
        prop_assert_eq!(pool.has_name(&text), spelling == Some(Spelling::Folded));
        match (found, fits.as_slice()) {
            (Lookup::Card { card, .. }, [one]) => prop_assert_eq!(card.0, *one),
            (Lookup::Unknown, []) => {}
            (Lookup::Several(names), several) => {
                prop_assert!(names.len() > 1 && names.len() <= several.len().min(MOST_NAMES));
                prop_assert!(names.iter().all(|name| several.iter().any(|at| own[*at as usize] == *name)));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }

    /// A title is found by every spelling by which a name of the same letters is.
    #[test]
    fn titles_are_found_as_names_are(
        names in proptest::collection::btree_set("[aá][ '’-]{0,1}[bé]( // [ab])?", 1..5),
        text in "[aá][ '’-]{0,1}[bé]( ?/{1,2} ?[ab])?",
    ) {
        let field = Field {
            name: "title".into(),
            kind: FieldKind::Word { values: Vec::new(), open: true },
        };
        let rows = names.iter().enumerate();
        let rows: String =
            rows.map(|(at, name)| format!("x{at}0,{name}\nx{at}1,{name}\n")).collect();
        let pool = Pool::read_csv(format!("name,title\n{rows}").as_bytes(), &[field]).unwrap();
        let alone = Pool::of_names(names.iter().map(String::as_str));
        let (by_name, by_title) = (
            alone.look_up(&text, NameField::Name),
            pool.look_up(&text, NameField::Title("title")),
        );
        prop_assert_eq!(by_title.spelling(), by_name.spelling());
        if by_name.card().is_some() {
            prop_assert_eq!(by_title.cards().len() % 2, 0);
            let (one, other) = (by_name.name(&alone), by_title.name(&pool));
            prop_assert_eq!(one.map(fold), other.map(fold));
        }
    }

    /// What is a part of a name letter by letter stays one without accents and in capitals, and a
    /// name has each of its words.
    #[test]
    fn parts_of_names_are_found(name in "[a-cáé]{1,3}(['’-][a-cáé]{1,3}| [a-c]{1,3}){0,3}", skip in 0_usize..9) {
        let pool = Pool::of_names([name.as_str()]);
        let has = |part: &str| pool.names_with(part)(CardId(0));
        for word in name.split_whitespace() {
            let part: String = word.chars().skip(skip).collect();
            for part in [part.to_uppercase(), without_accents(&part), part.replace('\'', "’")] {
                prop_assert!(part.is_empty() || has(&part), "{part}");
            }
            for without in [word.replace(['\'', '’'], ""), word.replace(['\'', '’', '-'], "")] {
                prop_assert!(has(&without), "{without}");
            }
        }
    }
}

#[test]
fn near_names_are_those_of_the_name_without_its_marks() {
    let pool = Pool::of_names(["Half-Ogre", "Forest", "Golem 3", "Twin-Bee", "Twín Bee"]);
    let near = |text: &'static str| {
        let near = pool.near(text, NameField::Name);
        (near.name, near.names.first().copied().unwrap_or_default().to_owned(), near.is_certain)
    };
    for text in [
        "Half-Ogrr",
        "Half-Ogrr *F*",
        "Half-Ogrr (ABC) 13",
        "[ABC] Half-Ogrr",
        "Half-Ogrr # mine",
        "Half-Ogrr [Ramp]",
        "Half-Ogrr (ABC) 13 *F* [Ramp] ^Have it,#37d67a^",
        "**Half-Ogrr**",
        "x Half-Ogrr",
    ] {
        assert_eq!(near(text), ("Half-Ogrr", "Half-Ogre".to_owned(), true), "{text}");
    }
    // A number is no mark of a name that has one.
    assert_eq!(near("Golem 2"), ("Golem 2", "Golem 3".to_owned(), false));
    assert_eq!(near("Golem 2 (ABC) 13"), ("Golem 2", "Golem 3".to_owned(), false));
    let slips = ["Half-Ogrr", "Golem 2", "Half-Ogrr (ABC) 13"].map(|text| pool.is_slip(text));
    assert_eq!(slips, [true, false, false]);
    // What fits two is neither.
    assert!(!near("Twin Bee").2);
    assert_eq!(pool.near("Twin Bee", NameField::Name).names, ["Twin-Bee", "Twín Bee"]);
    let long = "[x] ".repeat(400);
    assert!(pool.near(&long, NameField::Name).names.is_empty());
}

#[test]
fn a_part_of_a_name_begins_a_word_where_a_sign_is_left_out() {
    let pool = Pool::of_names(["Half-Ogre", "Mûr-Dûl's Vault", "Frost // Thaw"]);
    let found = |part: &str| -> Vec<&str> {
        let has = pool.names_with(part);
        pool.ids().filter(|card| has(*card)).map(|card| pool.name(card)).collect()
    };
    for (part, name) in [
        ("halfog", "Half-Ogre"),
        ("half ogre", "Half-Ogre"),
        ("lf\u{2011}og", "Half-Ogre"),
        ("dul\u{2019}s", "Mûr-Dûl's Vault"),
        ("duls", "Mûr-Dûl's Vault"),
        ("murdul", "Mûr-Dûl's Vault"),
        ("frost/thaw", "Frost // Thaw"),
        ("/thaw", "Frost // Thaw"),
        ("//", "Frost // Thaw"),
        ("'", "Mûr-Dûl's Vault"),
    ] {
        assert_eq!(found(part), [name], "{part}");
    }
    for part in ["fog", "rdul", "sv", "tt"] {
        assert!(found(part).is_empty(), "{part}");
    }
    let plain = Pool::of_names(["Half Ogre", "Old Half Ogre", "Behalf Ogre"]);
    let has = plain.names_with("half-og");
    let found: Vec<&str> =
        plain.ids().filter(|card| has(*card)).map(|card| plain.name(card)).collect();
    assert_eq!(found, ["Half Ogre", "Old Half Ogre"]);
}

/// Some names that share a form are reported, each once.
#[test]
fn names_that_share_a_form_are_reported_once_each() {
    // Of the last but one, both the whole and the front have the form.
    let names = ["Mar\u{e8}", "Mar\u{e9}", "Mar\u{ea}//Mar\u{e9}", "Mar\u{eb}", "Mar\u{ea}"];
    for count in 2..=names.len() {
        let pool = Pool::of_names(names[..count].iter().copied());
        let Lookup::Several(mut found) = pool.look_up("mare", NameField::Name) else { panic!() };
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), count.min(MOST_NAMES), "{found:?}");
    }
    // The front is a name too, and is that name alone.
    let pool = Pool::of_names(["Mar\u{e8}//Mare"]);
    assert_eq!(pool.look_up("mare", NameField::Name).spelling(), Some(Spelling::FrontFace));
}

#[test]
fn a_number_has_one_spelling() {
    let power = Field { name: "power".into(), kind: FieldKind::Number { min: -9, max: 9 } };
    let pool = Pool::read_csv("name,power\nOwl,1\nElk,-1\nBée,\n".as_bytes(), &[power]).unwrap();
    let cards = |text: &str| pool.look_up(text, NameField::Title("power")).cards().len();
    assert_eq!((cards("1"), cards("-1"), cards("-2"), cards("BÉE")), (1, 1, 0, 1));
    assert_eq!(pool.look_up("\u{2212}1", NameField::Title("power")), Lookup::Unknown);
}
