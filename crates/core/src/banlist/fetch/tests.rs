#![allow(clippy::unwrap_used)]

use super::*;

/// A web that says the same of every address.
struct Fixed(Result<WebReply, WebError>);

impl Web for Fixed {
    fn get(&self, _: &str, _: &Validators, _: u64) -> Result<WebReply, WebError> {
        self.0.clone()
    }
}

fn text(effective: &str, announced: Option<&str>, cards: usize) -> String {
    let announced = announced.map_or_else(String::new, |day| format!("announced: {day}\n"));
    let names: Vec<String> = (0..cards).map(|at| format!("Card {at}")).collect();
    format!(
        "schema: decklaw/banlist/1\nid: list\ngame: game\nname: List\neffective: {effective}\n{announced}banned: [{}]\n",
        names.join(", ")
    )
}

fn against(kept: Option<&str>, came: &str, replace: bool) -> Result<Banlist, NotAdmitted> {
    let kept = kept.map(|text| Banlist::read("kept", text.as_bytes()).unwrap());
    let expected = ExpectedList {
        game: None,
        knows_game: &|game| game == "game",
        latest: kept.as_ref(),
        replace,
    };
    admit("came", came.as_bytes(), &expected)
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
        let (kept, came) = (
            text("2026-01-01", None, before),
            text("2026-02-01", None, after),
        );
        let said = against(Some(&kept), &came, false);
        assert_eq!(said.is_ok(), taken, "{before} to {after}");
        assert!(against(Some(&kept), &came, true).is_ok());
    }
    let none = text("2026-01-01", None, 0);
    assert!(matches!(
        against(None, &none, false),
        Err(NotAdmitted::NoCards)
    ));
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
    assert!(matches!(
        against(None, &other, true),
        Err(NotAdmitted::UnknownGame(_))
    ));
    let kept = text("2026-03-01", None, 3);
    assert!(matches!(
        against(Some(&kept), &other, true),
        Err(NotAdmitted::WrongGame { .. })
    ));
}

#[test]
fn a_fetch_says_what_to_write_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = ListAddress::new("a", "https://example.org/list", None).unwrap();
    let copies = Copies::read(folder.path().join("a")).unwrap();
    let body = |bytes: &str, whole| {
        Fixed(Ok(WebReply::Body(Body {
            bytes: bytes.as_bytes().to_vec(),
            whole,
            html: false,
            validators: Validators::default(),
        })))
    };
    let came = text("2026-03-01", None, 3);
    let get = |web: &Fixed| {
        fetch(
            &source,
            &copies,
            &|_| true,
            false,
            web,
            "2026-03-02".parse().unwrap(),
        )
    };
    match get(&body(&came, true)).unwrap() {
        Fetched::New(new) => {
            assert_eq!(new.bytes, came.as_bytes());
            assert_eq!(new.file, folder.path().join("a/2026-03-01.yaml"));
            assert_eq!(new.state.fetched, "2026-03-02");
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        get(&body(&came, false)),
        Err(NotAdmitted::EndUnmarked)
    ));
    assert!(matches!(get(&body(" \n", true)), Err(NotAdmitted::Nothing)));
    assert!(matches!(get(&body("\n<p>", true)), Err(NotAdmitted::Html)));
    assert!(get(&Fixed(Ok(WebReply::Unchanged))).is_err());
    assert!(get(&Fixed(Err(WebError::TimedOut(1)))).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn names_make_folders_and_nothing_else() {
    let good = |name: &str| ListAddress::new(name, "https://example.org", None).is_ok();
    for name in ["a", "0", "official-2", "a.b_c", &"a".repeat(64)] {
        assert!(good(name), "{name}");
    }
    for name in [
        "",
        ".",
        "..",
        "-a",
        "A",
        "a/b",
        "a\\b",
        "é",
        "a b",
        &"a".repeat(65),
    ] {
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
        assert!(
            good(&ListAddress::name_for(url)),
            "{}",
            ListAddress::name_for(url)
        );
    }
    assert_ne!(
        ListAddress::name_for("https://example.org/a"),
        ListAddress::name_for("https://example.org/b")
    );
}
