//! The pages in real browsers: the stories that people live, by pointer and by keyboard, on a
//! desk and on a phone. A machine without a browser shows these tests as ignored; where `CI`
//! is set, a missing browser is a failure.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod driver;
#[allow(dead_code)]
#[path = "../matches/games.rs"]
mod games;
mod stories;
mod table;

use driver::Browser;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let needed = std::env::var_os("CI").is_some_and(|value| value == "true");
    let mut trials = Vec::new();
    for browser in Browser::ALL {
        let there = browser.is_there();
        for (name, story) in stories::ALL {
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
    libtest_mimic::run(&arguments, trials).exit();
}
