//! The examples of README and of the reference of queries, run: what they show is what the program says.

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
        .case("docs/queries.md");
}
