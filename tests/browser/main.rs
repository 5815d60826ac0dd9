//! The pages in real browsers: stories of players and organisers, by pointer and by keyboard, on a
//! desk and on a phone. A machine without a browser shows these tests as ignored; where `CI` is
//! set, a missing browser is a failure.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod builder;
mod driver;
#[path = "../common/evening.rs"]
mod evening;
mod games;
mod published;
mod steps;

use driver::{Browser, Done};
use libtest_mimic::{Arguments, Failed, Trial};

/// A test that needs a browser, ignored where the browser is missing.
fn trial(browser: Browser, name: String, run: impl FnOnce() -> Done + Send + 'static) -> Trial {
    let is_needed = std::env::var_os("CI").is_some_and(|value| value == "true");
    let trial = Trial::test(name, || run().map_err(Failed::from));
    if browser.is_there() || is_needed {
        trial
    } else {
        let by = browser.brought_by();
        trial.with_kind(by).with_ignored_flag(true)
    }
}

fn main() {
    let mut arguments = Arguments::from_args();
    // A browser takes a GiB: one for each processor would take all of a large machine's memory.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(processors.min(4));
    // Each player has a browser of their own; where there is only one, both use it.
    let there = Browser::ALL.into_iter().filter(|browser| browser.is_there());
    let there: Vec<Browser> = there.collect();
    let pair = match there.as_slice() {
        [] => Browser::ALL,
        [only] => [*only, *only],
        [one, other, ..] => [*one, *other],
    };
    let two = format!("{}_and_{}", pair[0].name(), pair[1].name());
    let mut trials = Vec::new();
    let engine = published::engine();
    for browser in Browser::ALL {
        let named = |name: &str| format!("{}::{name}", browser.name());
        for (name, story) in steps::all().filter(|(_, story)| !steps::has_two(story)) {
            let run = move || steps::run(&[browser], story);
            trials.push(trial(browser, named(name), run));
        }
        for (name, scene) in published::ALL {
            let own = engine.clone();
            let run = move || {
                let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
                scene(browser, folder.path(), &own.ok_or("no engine")?)
            };
            let trial = trial(browser, named(name), run);
            trials.push(if engine.is_some() {
                trial
            } else {
                trial.with_kind(".ci/engine").with_ignored_flag(true)
            });
        }
    }
    for (name, story) in steps::all().filter(|(_, story)| steps::has_two(story)) {
        let name = format!("{two}::{name}");
        trials.push(trial(pair[0], name, move || steps::run(&pair, story)));
    }
    for (name, game) in games::ALL {
        let name = format!("{two}::{name}");
        trials.push(trial(pair[0], name, move || games::run(&pair, &game)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
