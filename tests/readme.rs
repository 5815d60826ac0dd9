//! The examples of README and of the manual, run: what they show is what the program says.

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

#[test]
fn readme_shows_what_the_program_says() {
    // What an earlier run of the examples left is not the rounds and games of this one.
    for left in std::fs::read_dir("target").into_iter().flatten().flatten() {
        if left.file_name().to_string_lossy().starts_with("README-") {
            let _ = std::fs::remove_dir_all(left.path());
            let _ = std::fs::remove_file(left.path());
        }
    }
    trycmd::TestCases::new()
        .env("COLUMNS", "80")
        .env("DECKLAW_CONFIG", "tests/no-configuration")
        .case("README.md")
        .case("docs/banlists.md")
        .case("docs/organisers.md")
        .case("docs/queries.md");
}
