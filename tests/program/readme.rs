//! The examples of README and of the manual, run: what they show is what the program says.

use std::path::Path;

/// A program of `examples/`, run as a test.
macro_rules! example {
    ($name:ident, $runs:ident, $file:literal) => {
        #[path = $file]
        mod $name;

        #[test]
        fn $runs() {
            let ran = $name::main().map_err(|error| error.to_string());
            assert_eq!(ran, Ok(()));
            assert!(include_str!($file).lines().count() < 40);
            assert!(types_named(include_str!($file)) <= 6);
        }
    };
}

example!(deck, deck_runs, "../../examples/deck.rs");
example!(web, web_runs, "../../examples/web.rs");
example!(deal, match_runs, "../../examples/match.rs");

/// How many types of the library a program names: what a reader has to know first.
fn types_named(program: &str) -> usize {
    let named = program
        .lines()
        .filter_map(|line| line.strip_prefix("use decklaw::"));
    named
        .flat_map(|names| names.split([',', '{', '}', ' ', ';']))
        .filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()))
        .count()
}

/// A folder as a reader has it who has just taken a copy of the project: what the examples write
/// goes there, and is gone afterwards.
fn copy() -> tempfile::TempDir {
    fn take(from: &Path, to: &Path) {
        if from.is_file() {
            std::fs::copy(from, to).unwrap();
            return;
        }
        std::fs::create_dir_all(to).unwrap();
        for inside in std::fs::read_dir(from).unwrap() {
            let inside = inside.unwrap();
            take(&inside.path(), &to.join(inside.file_name()));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for part in ["decks", "docs", "examples", "formats", "README.md"] {
        take(&root().join(part), &folder.path().join(part));
    }
    folder
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn readme_shows_what_the_program_says() {
    let folder = copy();
    // Nothing else here minds where it runs: the copy has the files of the other examples, too.
    std::env::set_current_dir(folder.path()).unwrap();
    let cases = trycmd::TestCases::new();
    cases
        .env("COLUMNS", "80")
        .env("DECKLAW_CONFIG", "no-configuration");
    for page in [
        "README.md",
        "docs/tour.md",
        "docs/banlists.md",
        "docs/organisers.md",
        "docs/queries.md",
    ] {
        cases.case(root().join(page));
    }
    drop(cases);
    std::env::set_current_dir(root()).unwrap();
}

/// A deck that breaks a rule is dealt only by whoever says so, and the match keeps what it breaks.
#[test]
fn no_illegal_deck_is_dealt_without_a_word() {
    use decklaw::Input;
    use decklaw::judge::Judge;
    use decklaw::matches::{Match, MatchRules, NewMatch, Randomness};
    let judge = Judge::built_in("2026-06-01".parse().unwrap());
    let (mut legal, mut illegal) = (0, 0);
    for folder in ["shell", "versus", "vanquishers"] {
        for file in std::fs::read_dir(root().join("decks").join(folder)).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let Ok(deck) = judge.deck(&bytes, Input::Text) else {
                continue;
            };
            let rules = MatchRules::of_format(deck.rulebook().format())
                .unwrap()
                .unwrap();
            let broken = deck.list().errors();
            match rules.register(&deck) {
                Ok(registered) => {
                    legal += 1;
                    assert!(broken.is_empty() && registered.illegal.is_none());
                }
                Err(error) => {
                    illegal += 1;
                    for (rule, _) in &broken {
                        assert!(error.to_string().contains(rule.as_str()), "{error}");
                    }
                    let registered = rules.register_even_illegal(&deck).unwrap();
                    let recorded = registered.illegal.clone().unwrap();
                    assert!(broken.iter().all(|(rule, _)| recorded.contains(rule)));
                    let wanted = NewMatch {
                        decks: vec![registered.clone(), registered],
                        ..NewMatch::default()
                    };
                    let chance = Randomness::from_text("a seed");
                    if let Ok(dealt) = Match::start(&rules.game(), wanted, chance, Vec::new(), None)
                    {
                        let kept = dealt.inputs.seats[0].deck.as_ref().unwrap();
                        assert_eq!(kept.illegal.as_ref(), Some(&recorded));
                    }
                }
            }
        }
    }
    assert!(legal > 10 && illegal > 5, "{legal} {illegal}");
}
