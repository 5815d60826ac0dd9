//! How long a form's export of 100,000 submissions takes, beside the `csv` crate's own reading
//! loop over the same file in the same run, and the most memory it takes.
//!
//! The rows are the sample decks under changed names. Each way is run five times and the best
//! is shown; the program is run as a user runs it, its output going to a file.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROWS: usize = 100_000;
const TIMES: usize = 5;

/// The sample decks as text.
fn samples() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("decks");
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let games = inside(&root).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<PathBuf> = games.flat_map(|game| inside(&game)).collect();
    files.sort();
    let texts = files.iter().map(std::fs::read_to_string);
    texts.map(Result::unwrap).collect()
}

fn form(path: &Path, rows: usize) {
    let samples = samples();
    let mut table = csv::Writer::from_path(path).unwrap();
    let header = ["Timestamp", "Player Name", "Decklist"];
    table.write_record(header).unwrap();
    for row in 0..rows {
        // Every hundredth hands in a second time.
        let player = if row % 100 == 99 { row - 50 } else { row };
        let (hour, minute, second) = (row / 3600 % 24, row / 60 % 60, row % 60);
        let time = format!("2026/03/01 {hour:02}:{minute:02}:{second:02}");
        let (first, rest) = samples[row % samples.len()]
            .split_once('\n')
            .unwrap_or_default();
        let changed = rest.replacen("Name: ", &format!("Name: No {row}, "), 1);
        let deck = format!("{first}\n{changed}");
        table
            .write_record([time, format!("Player Ñ {player}"), deck])
            .unwrap();
    }
    table.flush().unwrap();
}

fn best(mut run: impl FnMut()) -> Duration {
    let time = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    std::iter::repeat_with(time)
        .take(TIMES)
        .min()
        .unwrap_or_default()
}

/// The `csv` crate's loop that reads most quickly.
fn read(path: &Path) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut record = csv::ByteRecord::new();
    let mut rows = 0;
    while reader.read_byte_record(&mut record).unwrap() {
        rows += 1;
    }
    assert!(rows > 0);
}

/// Judges a form; the most memory of the program in MiB, where the system tells.
fn check(form: &Path, output: &[&str]) -> f64 {
    let to = File::create(form.with_extension("out")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["check", "--deadline", "2026-03-01T18:00", "--submissions"])
        .arg(form)
        .args(output)
        .env("DECKLAW_CONFIG", form.with_extension("none"))
        .stdout(to)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0.0_f64;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        peak = peak.max(kib.unwrap_or_default() / 1024.0);
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(1), "some samples are not legal");
            return peak;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let (few, all) = (folder.path().join("few.csv"), folder.path().join("all.csv"));
    form(&few, ROWS / 10);
    form(&all, ROWS);
    let size = std::fs::metadata(&all).unwrap().len() as f64 / 1e6;
    let floor = best(|| read(&all));
    println!("{ROWS} rows, {size:.0} MB");
    println!("{:<14} {:>8.3} s", "csv's reading", floor.as_secs_f64());
    for (what, output) in [
        ("ndjson", &["-o", "ndjson"][..]),
        ("csv", &["-o", "csv"]),
        ("csv, summary", &["--summary", "-o", "csv"]),
    ] {
        let mut peak = 0.0_f64;
        let time = best(|| peak = peak.max(check(&all, output)));
        let ratio = time.as_secs_f64() / floor.as_secs_f64();
        let before = check(&few, output);
        println!(
            "{what:<14} {:>8.3} s, {ratio:.2} times; {before:.0} MiB for {} rows, {peak:.0} MiB for all",
            time.as_secs_f64(),
            ROWS / 10
        );
    }
}
