#![allow(clippy::unwrap_used)]

use super::*;

fn text(effective: &str, announced: Option<&str>, cards: usize) -> String {
    let announced = announced.map_or_else(String::new, |day| format!("announced: {day}\n"));
    let names: Vec<String> = (0..cards).map(|at| format!("Card {at}")).collect();
    format!(
        "schema: decklaw/banlist/1\nid: list\ngame: game\nname: List\neffective: {effective}\n{announced}banned: [{}]\n",
        names.join(", ")
    )
}

/// The result of a list that comes where another, or none, is kept.
fn against(kept: Option<&str>, came: &str, replace: bool) -> Result<Banlist, FetchError> {
    let kept = kept.map(|text| Banlist::read("kept", text.as_bytes()).unwrap());
    let policy = Policy {
        knows_game: &|game| game == "game",
        replace,
        today: "2026-03-02".parse().unwrap(),
    };
    let source = ListAddress::new("a", "https://example.org/list", None).unwrap();
    admit(&source, came.as_bytes(), kept.as_ref(), &policy)
}

#[test]
fn half_of_the_cards_is_enough() {
    for (before, after, taken) in [
        (10, 5, true),
        (10, 4, false),
        (9, 5, true),
        (9, 4, false),
        (1, 1, true),
        (3, 1, false),
        (2, 1, true),
        (4, 0, false),
        (0, 3, true),
        (0, 0, false),
    ] {
        let (kept, came) = (text("2026-01-01", None, before), text("2026-02-01", None, after));
        let said = against(Some(&kept), &came, false);
        assert_eq!(said.is_ok(), taken, "{before} to {after}");
        assert!(against(Some(&kept), &came, true).is_ok());
    }
    let none = text("2026-01-01", None, 0);
    assert!(matches!(against(None, &none, false), Err(FetchError::Doubtful(_))));
}

#[test]
fn age_is_the_effective_day_and_then_the_announcement() {
    let kept = text("2026-03-01", Some("2026-02-10"), 3);
    for (effective, announced, taken) in [
        ("2026-03-02", None, true),
        ("2026-03-01", None, true),
        ("2026-03-01", Some("2026-02-10"), true),
        ("2026-03-01", Some("2026-02-11"), true),
        ("2026-03-01", Some("2026-02-09"), false),
        ("2026-02-28", Some("2026-02-20"), false),
        ("2026-02-28", None, false),
    ] {
        let came = text(effective, announced, 3);
        let said = against(Some(&kept), &came, false);
        assert_eq!(said.is_ok(), taken, "{effective} {announced:?}");
        assert!(against(Some(&kept), &came, true).is_ok());
    }
}

#[test]
fn another_game_is_never_taken() {
    let other = text("2026-03-01", None, 3).replace("game: game", "game: other");
    assert!(matches!(against(None, &other, true), Err(FetchError::Unusable(_))));
    let kept = text("2026-03-01", None, 3);
    assert!(matches!(against(Some(&kept), &other, true), Err(FetchError::Unusable(_))));
}

#[test]
fn a_fetch_says_what_to_write_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = ListAddress::new("a", "https://example.org/list", None).unwrap();
    let copies = Copies::read(folder.path().join("a")).unwrap();
    let body = |bytes: &str, whole| Body {
        bytes: bytes.as_bytes().to_vec(),
        whole,
        html: false,
        validators: Validators::default(),
    };
    let came = text("2026-03-01", None, 3);
    let policy =
        Policy { knows_game: &|_| true, replace: false, today: "2026-03-02".parse().unwrap() };
    let get =
        |answer: Result<Option<Body>, FetchError>| fetch(&source, &copies, &policy, |_| answer);
    match get(Ok(Some(body(&came, true)))).unwrap() {
        FetchResult::New(new) => {
            assert_eq!(new.bytes, came.as_bytes());
            assert_eq!(new.file, folder.path().join("a/2026-03-01.yaml"));
            assert_eq!(new.state.fetched, "2026-03-02");
        }
        other => panic!("{other:?}"),
    }
    for answer in [body(&came, false), body(" \n", true), body("\n<p>", true)] {
        assert!(matches!(get(Ok(Some(answer))), Err(FetchError::Unusable(_))));
    }
    assert!(get(Ok(None)).is_err());
    assert!(get(Err(FetchError::unusable("gone"))).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn names_make_folders_and_nothing_else() {
    let good = |name: &str| ListAddress::new(name, "https://example.org", None).is_ok();
    for name in ["a", "0", "official-2", "a.b_c", &"a".repeat(64)] {
        assert!(good(name), "{name}");
    }
    for name in ["", ".", "..", "-a", "A", "a/b", "a\\b", "é", "a b", &"a".repeat(65)] {
        assert!(!good(name), "{name}");
    }
    for url in [
        "https://example.org/a",
        "https://[::1]:8/",
        "://",
        "https://Ünï.example/",
        "https://../../x",
        "HTTPS://EXAMPLE.ORG",
        &format!("https://{}/", "a".repeat(300)),
    ] {
        assert!(good(&ListAddress::name_for(url)), "{}", ListAddress::name_for(url));
    }
    assert_ne!(
        ListAddress::name_for("https://example.org/a"),
        ListAddress::name_for("https://example.org/b")
    );
}
