//! Runs the examples of README and of the pages in `docs`, and compares their output.

use std::path::{Path, PathBuf};

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
example!(bot, bot_runs, "../../examples/bot.rs");

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

/// A copy of the files that the examples read, for what they write.
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

/// Whether a line of a page matches a line of output; `[..]` matches any text.
fn line_matches(shown: &str, printed: &str) -> bool {
    let mut parts = shown.trim_end().split("[..]");
    let Some(mut rest) = printed.trim_end().strip_prefix(parts.next().unwrap()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether the lines of a page match the lines of output; `...` matches any number of lines.
fn output_matches(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], printed) => printed.is_empty(),
        (["...", shown @ ..], _) => {
            (0..=printed.len()).any(|at| output_matches(shown, &printed[at..]))
        }
        ([first, shown @ ..], [line, printed @ ..]) => {
            line_matches(first, line) && output_matches(shown, printed)
        }
        (_, []) => false,
    }
}

/// The lines of a text without empty ones at its ends.
fn trimmed(text: &str) -> Vec<&str> {
    text.trim_matches('\n').lines().collect()
}

/// Runs a line of a page by the shell: its status and its output.
fn run(command: &str, folder: &Path) -> (i32, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_decklaw")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let ran = std::process::Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("COLUMNS", "80")
        .env("DECKLAW_CONFIG", "no-configuration")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    (ran.status.code().unwrap_or(-1), text)
}

/// Runs every `console` block of a page in a copy of the project. The last command of a block ends
/// with the status after `exit=` in the block's first line, the others with 0. Returns the page
/// with the output that it should show, and the number of commands.
fn run_page(text: &str, mistakes: &mut Vec<String>) -> (String, usize) {
    let (folder, mut commands, mut page) = (copy(), 0, String::new());
    for (nth, part) in text.split("```console").enumerate() {
        let Some((info, rest)) = part.split_once('\n').filter(|_| nth > 0) else {
            page += part;
            continue;
        };
        let (block, after) = rest.split_once("\n```").unwrap();
        let wanted = info.trim().strip_prefix("exit=");
        let wanted = wanted.map_or(0, |status| status.parse().unwrap());
        let block = format!("\n{block}");
        let steps: Vec<&str> = block.split("\n$ ").skip(1).collect();
        let mut shown_block = String::new();
        for (at, step) in steps.iter().enumerate() {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let (status, printed) = run(command, folder.path());
            let printed: String = printed
                .lines()
                .map(|line| format!("{}\n", line.trim_end()))
                .collect();
            let printed = printed.trim_matches('\n');
            let expected = if at + 1 == steps.len() { wanted } else { 0 };
            let matches = output_matches(&trimmed(shown), &trimmed(printed));
            if status != expected || !matches {
                mistakes.push(format!(
                    "$ {command}\n{printed}\nexit status {status}; the page has {expected}"
                ));
            }
            let lines = if matches {
                shown.trim_matches('\n')
            } else {
                printed
            };
            let gap = if lines.is_empty() || at + 1 == steps.len() {
                ""
            } else {
                "\n"
            };
            shown_block += format!("\n$ {command}\n{lines}").trim_end();
            shown_block += gap;
            commands += 1;
        }
        page += &format!("```console{info}{shown_block}\n```{after}");
    }
    (page, commands)
}

/// README and the pages of the documentation.
fn pages() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("docs")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    std::iter::once(root().join("README.md"))
        .chain(pages)
        .collect()
}

/// Every page begins with a command, and shows what the program prints. `UPDATE_PAGES=1` writes
/// changed output into the pages.
#[test]
fn pages_show_what_the_program_prints() {
    let pages = pages();
    let (mut mistakes, mut all) = (Vec::new(), 0);
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let before = mistakes.len();
        let (updated, commands) = run_page(&text, &mut mistakes);
        assert!(commands > 0, "{} shows no command", page.display());
        if mistakes.len() > before && std::env::var_os("UPDATE_PAGES").is_some() {
            std::fs::write(&page, updated).unwrap();
        }
        all += commands;
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
    assert!(all > 50, "{all} commands");
}

/// Every link of a page to a file or a heading leads there.
#[test]
fn links_of_pages_lead_somewhere() {
    let anchor = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = kept
            .chars()
            .filter(|letter| letter.is_alphanumeric() || " -".contains(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter })
            .collect::<String>()
    };
    let mut pages = pages();
    pages.push(root().join("CONTRIBUTING.md"));
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let (link, _) = link.split_once(')').unwrap();
            if link.contains("://") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if path.is_empty() {
                page.clone()
            } else {
                page.parent().unwrap().join(path)
            };
            assert!(file.exists(), "{}: {link}", page.display());
            let there = heading.is_empty()
                || std::fs::read_to_string(&file)
                    .unwrap()
                    .lines()
                    .any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(there, "{}: {link}", page.display());
        }
    }
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
