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
        }
    };
}

example!(judge, judge_runs, "../examples/judge.rs");
example!(odds, odds_runs, "../examples/odds.rs");
example!(fix, fix_runs, "../examples/fix.rs");
example!(deal, match_runs, "../examples/match.rs");

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
