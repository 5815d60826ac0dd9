//! The pages in real browsers: the stories that people live, by pointer and by keyboard, on a
//! desk and on a phone. A machine without a browser shows these tests as ignored; where `CI`
//! is set, a missing browser is a failure.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod away;
mod builder;
mod driver;
mod files;
mod home;
mod playroom;
mod published;
mod script;
mod stories;
mod table;
mod whole;

use driver::Browser;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

fn main() {
    let mut arguments = Arguments::from_args();
    // A browser takes a GiB: one for each processor would take all of a large machine's memory.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(processors.min(4));
    let needed = std::env::var_os("CI").is_some_and(|value| value == "true");
    let mut trials = Vec::new();
    // Whole games come first: they take longest, and nothing waits for them in the end. Each seat's
    // player has a browser of their own; where there is one only, both have that.
    let there: Vec<Browser> = Browser::ALL
        .into_iter()
        .filter(|browser| browser.is_there())
        .collect();
    let (one, other) = match there.as_slice() {
        [] => (Browser::Chromium, Browser::Firefox),
        [only] => (*only, *only),
        [one, other, ..] => (*one, *other),
    };
    for (name, game) in whole::ALL {
        let run = move || whole::run([one, other], game).map_err(Failed::from);
        let name = format!("{}_and_{}::{name}", one.name(), other.name());
        let trial = Trial::test(name, run);
        let trial = match !there.is_empty() || needed {
            true => trial,
            false => trial.with_kind(one.brought_by()).with_ignored_flag(true),
        };
        trials.push(trial);
    }
    {
        let run = move || playroom::run([one, other]).map_err(Failed::from);
        let name = "two_players_gather_and_play_on";
        let trial = Trial::test(format!("{}_and_{}::{name}", one.name(), other.name()), run);
        trials.push(match !there.is_empty() || needed {
            true => trial,
            false => trial.with_kind(one.brought_by()).with_ignored_flag(true),
        });
    }
    for browser in Browser::ALL {
        let there = browser.is_there();
        for (name, story) in builder::ALL
            .into_iter()
            .chain(home::ALL)
            .chain(stories::ALL)
        {
            let run = move || driver::run(browser, story).map_err(Failed::from);
            let trial = Trial::test(format!("{}::{name}", browser.name()), run);
            // What would bring the browser stands beside the name.
            let trial = match there || needed {
                true => trial,
                false => trial
                    .with_kind(browser.brought_by())
                    .with_ignored_flag(true),
            };
            trials.push(trial);
        }
    }
    for browser in Browser::ALL {
        let there = browser.is_there();
        for (name, story) in away::ALL {
            let run = move || away::run(browser, story).map_err(Failed::from);
            let trial = Trial::test(format!("{}::{name}", browser.name()), run);
            trials.push(match there || needed {
                true => trial,
                false => trial
                    .with_kind(browser.brought_by())
                    .with_ignored_flag(true),
            });
        }
    }
    for browser in Browser::ALL {
        let there = browser.is_there();
        for (name, lay, story) in files::ALL {
            let run = move || files::run(browser, lay, story).map_err(Failed::from);
            let trial = Trial::test(format!("{}::{name}", browser.name()), run);
            trials.push(match there || needed {
                true => trial,
                false => trial
                    .with_kind(browser.brought_by())
                    .with_ignored_flag(true),
            });
        }
    }
    for browser in Browser::ALL {
        let run = move || published::served_answers(browser).map_err(Failed::from);
        let name = "a_served_page_says_what_the_program_says";
        let trial = Trial::test(format!("{}::{name}", browser.name()), run);
        trials.push(match browser.is_there() || needed {
            true => trial,
            false => trial
                .with_kind(browser.brought_by())
                .with_ignored_flag(true),
        });
    }
    let engine = published::engine();
    for browser in Browser::ALL {
        for (name, scene) in published::ALL {
            let own = engine.clone();
            let run = move || {
                let engine = own.as_deref().unwrap_or(Path::new("decklaw.wasm"));
                let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
                scene(browser, folder.path(), engine).map_err(Failed::from)
            };
            let trial = Trial::test(format!("{}::{name}", browser.name()), run);
            trials.push(match (browser.is_there(), &engine) {
                (_, None) => trial.with_kind(".ci/engine").with_ignored_flag(true),
                (false, _) if !needed => trial
                    .with_kind(browser.brought_by())
                    .with_ignored_flag(true),
                _ => trial,
            });
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
