//! The examples of README and of the manual, run: what they show is what the program says.
#![allow(clippy::unwrap_used)]

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
            assert!(include_str!($file).lines().count() <= 30);
            assert!(types_named(include_str!($file)) <= 6);
        }
    };
}

example!(judge, judge_runs, "../examples/judge.rs");
example!(odds, odds_runs, "../examples/odds.rs");
example!(fix, fix_runs, "../examples/fix.rs");
example!(deal, match_runs, "../examples/match.rs");

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
        "docs/banlists.md",
        "docs/organisers.md",
        "docs/queries.md",
    ] {
        cases.case(root().join(page));
    }
    drop(cases);
    std::env::set_current_dir(root()).unwrap();
}
