//! README's examples, run: what they show is what the program says.

#[test]
fn readme_shows_what_the_program_says() {
    trycmd::TestCases::new()
        .env("COLUMNS", "80")
        .env("DECKLAW_CONFIG", "tests/no-configuration")
        .case("README.md");
}
