//! How time and memory grow with what is read: every reader and command on inputs of a size, twice
//! it and four times it, with the exponent of the last doubling (1: linear, 2: the square) and the
//! most memory that was held. `cargo bench --bench growth [NAME]`; `--profile dev` will do, since
//! exponents are the same. Time is the processor's, so that other work beside it changes little.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs
)]

mod cases;
mod decks;
mod files;
mod workbooks;

use cases::CASES;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The processor's time of a process that has ended and was not waited for, where the system tells:
/// whatever else runs beside it, it is the same. Linux counts hundredths of a second.
fn worked(process: u32) -> Option<Duration> {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = told.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let ticks = number(11)? + number(12)?;
    (fields.first() == Some(&"Z")).then(|| Duration::from_millis(10 * ticks))
}

/// The time of a run, and the most memory that it held in MiB, where the system tells.
fn run(folder: &Path, words: &[String]) -> (Duration, Option<u64>) {
    let (words, input) = match words.split_last() {
        Some((last, words)) if last.starts_with('<') => (words, Some(&last[1..])),
        _ => (words, None),
    };
    let input = input.map_or_else(Stdio::null, |file| {
        std::fs::File::open(folder.join(file)).unwrap().into()
    });
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(words)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let told_by_system = Path::new("/proc/self/stat").exists();
    let mut most = None;
    loop {
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = told.lines().find_map(|line| {
            line.strip_prefix("VmHWM:")?
                .trim()
                .split(' ')
                .next()?
                .parse::<u64>()
                .ok()
        });
        most = most.max(peak.map(|kib| kib >> 10));
        let worked = worked(child.id());
        // Who was waited for tells nothing any more.
        let ended = match worked.is_some() || !told_by_system {
            true => child.try_wait().unwrap(),
            false => None,
        };
        if let Some(ended) = ended {
            assert!(
                ended.code().is_some_and(|code| code < 2),
                "{words:.60?}: {ended}"
            );
            return (worked.unwrap_or_else(|| begun.elapsed()), most);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let start = (0..5)
        .map(|_| run(folder, &["formats".to_owned(), "list".to_owned()]).0)
        .min()
        .unwrap();
    println!(
        "{:<32}{:>8}{:>9}{:>9}{:>9}{:>10}{:>8}",
        "", "n", "n ms", "2n ms", "4n ms", "exponent", "MiB"
    );
    let all = [CASES, decks::CASES, files::CASES].concat();
    let mut failed = Vec::new();
    for (name, first, make) in &all {
        let (name, first): (&str, usize) = (name, *first);
        if !asked.is_empty() && !asked.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let mut most = None;
        let measure = |times| {
            let words = make(folder, first * times);
            let runs = (0..2).map(|_| run(folder, &words));
            let (time, memory) = runs.min_by_key(|(time, _)| *time).unwrap();
            most = most.max(memory);
            // Less what every start takes.
            time.saturating_sub(start).as_secs_f64().max(1e-4)
        };
        // A call that is refused ends its own line alone, and is told again at the end.
        let Ok(times) = catch_unwind(AssertUnwindSafe(|| [1, 2, 4].map(measure))) else {
            failed.push(name);
            continue;
        };
        // Of a few hundredths of a second nothing follows.
        let exponent = match times[1] < 0.04 {
            true => "small".to_owned(),
            false => format!("{:.2}", (times[2] / times[1]).log2()),
        };
        let [one, two, four] = times.map(|time| time * 1e3);
        let memory = most.map_or("?".to_owned(), |most| most.to_string());
        println!("{name:<32}{first:>8}{one:>9.1}{two:>9.1}{four:>9.1}{exponent:>10}{memory:>8}");
    }
    assert!(failed.is_empty(), "not measured: {}", failed.join(", "));
}
