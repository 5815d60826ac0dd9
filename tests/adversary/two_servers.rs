//! Two servers on one folder: the second is refused, and told where the first one is.

use super::support::{Browser, LEGAL};
use super::world::{EVENT, Folders, Served, path, said};
use std::process::Command;
use std::time::{Duration, Instant};

fn refused(call: Command) -> String {
    match Served::start(call) {
        Ok(_) => panic!("it serves"),
        Err(told) => {
            assert_eq!(told.status.code(), Some(2));
            said(&told)
        }
    }
}

#[test]
fn a_second_server_is_told_where_the_first_one_is() {
    let folders = Folders::new(&[]);
    let first = folders.serve();
    let there = format!("at http://{}", first.address);
    // The same data and the same event, the event alone, and the data alone.
    let mut event = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    event.args([
        "serve",
        "--port",
        "0",
        "--data",
        path(&folders.aside("other")),
    ]);
    event.args(["--event", path(&folders.event())]);
    let mut data = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    data.args(["serve", "--port", "0", "--data", path(&folders.data())]);
    for (call, named) in [(folders.call(), "data"), (event, "friday"), (data, "data")] {
        let told = refused(call);
        assert!(told.contains(&there) && told.contains(named), "{told}");
        assert!(told.contains("end that one first"), "{told}");
    }
    // The first one goes on.
    let mut player = Browser::new(first.address);
    let fields = [("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")];
    assert!(player.form(EVENT, &fields).text().contains("Handed in"));
    // Once it is gone, however it ended, so is whatever it started, and another one begins.
    let children = first.children();
    drop(first);
    let second = folders.serve();
    let began = Instant::now();
    for child in children {
        let place = std::path::PathBuf::from(format!("/proc/{child}/exe"));
        while place.read_link().is_ok() {
            assert!(began.elapsed() < Duration::from_secs(10), "{child} goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    player.address = second.address;
    assert_eq!(player.get(&format!("{EVENT}/mine")).status, 200);
}

/// Of servers that begin at the same moment, one serves.
#[test]
fn of_many_that_begin_at_once_one_serves() {
    let folders = Folders::new(&[]);
    for _ in 0..3 {
        let begun: Vec<_> = std::thread::scope(|scope| {
            let each: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| Served::start(folders.call())))
                .collect();
            each.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let serve = begun.iter().filter(|one| one.is_ok()).count();
        assert_eq!(serve, 1);
        for told in begun.iter().filter_map(|one| one.as_ref().err()) {
            assert!(said(told).contains("another server"), "{}", said(told));
        }
    }
}
