//! A server whose workers misbehave at some questions: this program is such a worker itself, when
//! it is called with a word of its own. What one client's question does to its worker must cost
//! nobody else more than a moment.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::exit)]

#[allow(dead_code)]
#[path = "../serve/support.rs"]
mod support;

use decklaw::serve::{Call, answer_questions};
use libtest_mimic::{Arguments, Trial};
use serde_json::json;
use std::io::{Read, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};
use support::{Browser, Running, event, start};

/// The word by which this program is a worker.
const WORD: &str = "misbehaving-worker";

fn main() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some(WORD) {
        let log = words.next().unwrap();
        return misbehave(Path::new(&log));
    }
    let trials: [(&str, fn()); 6] = [
        ("what_hangs_is_ended_and_holds_nobody_up", hangs),
        ("what_ends_a_worker_is_asked_once_more", ends),
        ("another_answer_than_the_one_asked_for_is_none", garbage),
        (
            "what_is_late_in_the_quick_lane_is_answered_in_the_slow_one",
            late,
        ),
        ("what_eats_memory_ends_its_worker_alone", memory),
        ("no_worker_outlives_its_server", outlived),
    ];
    let trials = trials.map(|(name, story)| {
        Trial::test(name, move || {
            story();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit();
}

/// Answers as a worker does, but for the questions in which a word says otherwise.
fn misbehave(log: &Path) {
    let mut lines = std::fs::File::options()
        .append(true)
        .create(true)
        .open(log)
        .unwrap();
    // In one piece, since others write, too.
    let line = format!("{}\n", std::process::id());
    lines.write_all(line.as_bytes()).unwrap();
    let judges = |terms: &decklaw::serve::Terms| {
        if terms.settings.contains_key("EAT") {
            let mut eaten: Vec<Vec<u8>> = Vec::new();
            for _ in 0..1024 {
                eaten.push(vec![1; 1 << 20]);
            }
            std::hint::black_box(&eaten);
        }
        support::judge(terms)
    };
    let answered = answer_questions(Box::new(judges), Questions(Vec::new()), std::io::stdout());
    answered.unwrap();
}

/// Standard input, and what becomes of a worker that reads a word there.
struct Questions(Vec<u8>);

impl Read for Questions {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = std::io::stdin().read(buffer)?;
        self.0.extend_from_slice(&buffer[..read]);
        let has = |word: &str| self.0.windows(word.len()).any(|at| at == word.as_bytes());
        if has("HANG") {
            std::thread::sleep(Duration::from_secs(600));
        } else if has("ENDS") {
            std::process::exit(7);
        } else if has("JUNK") {
            print!("\0\0\0\x04null");
            std::io::stdout().flush()?;
        } else if has("LATE") {
            std::thread::sleep(Duration::from_secs(1));
        }
        // A frame is read after its length: what came before is over.
        if buffer.len() == 4 {
            self.0.clear();
        }
        Ok(read)
    }
}

/// A server with misbehaving workers, which write down their numbers.
fn running(folder: &Path) -> Running {
    start(&folder.join("data"), |config| {
        config.public_url = Some("http://decks.example".to_owned());
        config.worker = Call {
            program: std::env::current_exe().unwrap(),
            arguments: vec![WORD.into(), folder.join("log").into()],
        };
    })
}

/// How many workers were started so far.
fn started(folder: &Path) -> usize {
    let log = std::fs::read_to_string(folder.join("log"));
    log.unwrap_or_default().lines().count()
}

/// A phone at an address of its own.
fn phone(running: &Running) -> Browser {
    Browser::new(running.address)
}

/// What comes of a question about a deck of that name; the status, and how long it took.
fn ask(browser: &mut Browser, name: &str) -> (u16, Duration) {
    let since = Instant::now();
    let deck = json!({"format": "shell", "name": name, "sections": {}});
    let answer = browser.json(
        "POST",
        "/api/answer",
        &json!({"format": "shell", "deck": deck}),
    );
    (answer.status, since.elapsed())
}

fn hangs() {
    let folder = tempfile::tempdir().unwrap();
    let running = running(folder.path());
    let mut bystander = phone(&running);
    let (mut one, mut other) = (phone(&running), phone(&running));
    let same = std::sync::Arc::new(one.clone());
    std::thread::scope(|scope| {
        let hanging = [
            scope.spawn(move || ask(&mut one, "HANG")),
            scope.spawn(move || ask(&mut other, "2 HANG")),
        ];
        std::thread::sleep(Duration::from_secs(1));
        // Both slow workers hang by now, and the quick ones answer whoever else asks.
        for _ in 0..50 {
            let (status, time) = ask(&mut bystander, "mine");
            assert_eq!(status, 200);
            assert!(time < Duration::from_secs(10), "{time:?}");
        }
        // Who asked that has no other turn before it is over.
        let (status, _) = ask(&mut (*same).clone(), "mine");
        assert_eq!(status, 503);
        for hung in hanging {
            let (status, time) = hung.join().unwrap();
            assert_eq!(status, 422);
            assert!(time > Duration::from_secs(19), "{time:?}");
        }
    });
    assert_eq!(ask(&mut (*same).clone(), "mine").0, 200);
}

fn ends() {
    let folder = tempfile::tempdir().unwrap();
    let running = running(folder.path());
    let mut browser = phone(&running);
    assert_eq!(ask(&mut browser, "mine").0, 200);
    let before = started(folder.path());
    assert_eq!(ask(&mut browser, "ENDS").0, 422);
    // The one that was there, and a new one in its place.
    assert_eq!(started(folder.path()), before + 1);
    assert_eq!(ask(&mut browser, "mine").0, 200);
}

fn garbage() {
    let folder = tempfile::tempdir().unwrap();
    let running = running(folder.path());
    let mut browser = phone(&running);
    assert_eq!(ask(&mut browser, "JUNK").0, 422);
    for _ in 0..10 {
        assert_eq!(ask(&mut browser, "mine").0, 200);
    }
}

fn late() {
    let folder = tempfile::tempdir().unwrap();
    let running = running(folder.path());
    let mut browser = phone(&running);
    let (status, time) = ask(&mut browser, "4 LATE");
    assert_eq!(status, 200);
    assert!(time > Duration::from_secs(1), "{time:?}");
}

fn memory() {
    if !cfg!(target_os = "linux") {
        // Other systems know no such limit, or do not hold to it: docs/trust.md says so.
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let running = running(folder.path());
    let mut host = Browser::host(&running);
    let fields = [
        ("format", "shell"),
        ("title", "Friday"),
        ("day", "2026-03-01"),
        ("list", "none"),
        ("set-EAT", "1"),
    ];
    let before = started(folder.path());
    let refused = host.form("/desk/new", &fields);
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(
        refused.text().contains("more time or memory"),
        "{}",
        refused.text()
    );
    assert!(started(folder.path()) >= before + 2);
    event(&mut host, &[]);
}

fn outlived() {
    let folder = tempfile::tempdir().unwrap();
    let server = running(folder.path());
    let mut browser = phone(&server);
    assert_eq!(ask(&mut browser, "mine").0, 200);
    drop(server);
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.lines().count() >= 1);
    let alive = || {
        let process = |id: &str| Path::new("/proc").join(id).join("cmdline");
        let line = |id| std::fs::read(process(id)).unwrap_or_default();
        log.lines().any(|id| !line(id).is_empty())
    };
    // The system takes a moment to be rid of them.
    for _ in 0..100 {
        if !alive() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!alive(), "{log}");
}
