//! A machine whose clock is set back and forward while the server runs: nobody is locked out who
//! has a key, the deadline is by the clock, and what came last is what counts. The clock is that of
//! `libfaketime` where the system has it.
#![cfg(target_os = "linux")]

use super::support::{Browser, LEGAL};
use super::world::{EVENT, Folders, Served, path};
use std::path::Path;

/// Where Debian and Fedora have it.
const LIBRARIES: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
];

/// A server whose clock is what a file says.
struct Clock<'f> {
    folders: &'f Folders,
    library: &'static str,
}

impl Clock<'_> {
    /// Sets it to a moment of UTC, from which it goes on.
    fn set(&self, moment: &str) {
        // It is read anew within the second that follows.
        std::fs::write(self.folders.aside("clock"), format!("@{moment}\n")).unwrap();
    }

    fn serve(&self) -> Served {
        let mut call = self.folders.call();
        call.env("LD_PRELOAD", self.library)
            .env("FAKETIME_TIMESTAMP_FILE", self.folders.aside("clock"))
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .env("TZ", "UTC");
        match Served::start(call) {
            Ok(served) => served,
            Err(told) => panic!("{}", super::world::said(&told)),
        }
    }
}

#[test]
fn a_clock_that_jumps_locks_nobody_out_and_turns_no_order() {
    let library = LIBRARIES.into_iter().find(|file| Path::new(file).exists());
    let Some(library) = library else {
        println!("skipped: there is no libfaketime here");
        return;
    };
    let due = [
        "--deadline",
        "2030-06-01T18:00",
        "--zone",
        "UTC",
        "--late",
        "refuse",
    ];
    let folders = Folders::new(&due);
    let folders = &folders;
    let clock = Clock { folders, library };
    clock.set("2030-06-01 12:00:00");
    let served = clock.serve();
    let mut host = served.host();
    let hand_in = |player: &mut Browser, name: &str, deck: &str| {
        let fields = [("name", name), ("deck", deck), ("do", "hand-in")];
        player.form(EVENT, &fields)
    };
    let mut ada = Browser::new(served.address);
    let first = hand_in(&mut ada, "Ada", LEGAL).text();
    assert!(
        first.contains("Handed in") && first.contains("2030-06-01"),
        "{first}"
    );
    let mine = format!("{EVENT}/mine");
    let mut version = 1;
    // Each is another deck of the same cards, and the last of them counts.
    let mut changes = |ada: &mut Browser| {
        version += 1;
        let deck = format!("{LEGAL}{}", "\n".repeat(version));
        let told = ada.form(&mine, &[("deck", &*deck), ("do", "hand-in")]);
        assert_eq!(told.status, 200, "{}", told.text());
        let shown = told.text();
        let last = format!("version {version},");
        assert!(shown.contains(&last), "{shown}");
        let told = folders.command(&[
            &["event", "export", path(&folders.event())],
            &["-o", "json"],
        ]);
        let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
        let players = told["players"].as_array().unwrap();
        let own = players.iter().find(|own| own["player"] == "Ada").unwrap();
        assert_eq!(own["entry"], format!("e{:03}", folders.entries()), "{own}");
        assert_eq!(own["status"], "counts", "{own}");
    };
    let mut names = Vec::new();
    for (number, moment) in [
        "2030-06-01 11:00:00",
        "2030-05-01 00:00:00",
        "1999-12-31 23:59:59",
        "2030-06-01 17:00:00",
        "2001-01-01 00:00:00",
    ]
    .into_iter()
    .enumerate()
    {
        clock.set(moment);
        // Keys from before, and of whoever comes now.
        assert_eq!(ada.get(&mine).status, 200, "{moment}");
        assert_eq!(host.get(&format!("{EVENT}/desk")).status, 200, "{moment}");
        let name = format!("Player {number}");
        let mut player = Browser::new(served.address);
        let told = hand_in(&mut player, &name, LEGAL).text();
        assert!(told.contains("Handed in"), "{moment}: {told}");
        names.push(name);
        changes(&mut ada);
        served.host();
    }
    // The deadline is by the clock, in both directions.
    let late = |moment: &str, taken: bool, name: &str| {
        clock.set(moment);
        let mut player = Browser::new(served.address);
        let told = hand_in(&mut player, name, LEGAL);
        assert_eq!(
            told.text().contains("Handed in"),
            taken,
            "{moment}: {}",
            told.text()
        );
        if !taken {
            assert!(told.text().contains("deadline is over"), "{}", told.text());
        }
    };
    late("2030-06-01 18:00:01", false, "Late");
    late("2099-01-01 00:00:00", false, "Later");
    late("2030-06-01 17:59:50", true, "Back");
    // Started with another clock, it has the same keys and the same order.
    let key = served.key.clone();
    drop(served);
    clock.set("1985-01-01 00:00:00");
    let served = clock.serve();
    for browser in [&mut ada, &mut host] {
        browser.address = served.address;
    }
    assert_eq!(ada.get(&mine).status, 200);
    assert_eq!(host.get(&format!("{EVENT}/desk")).status, 200);
    let mut again = Browser::new(served.address);
    let entered = again.form("/enter", &[("key", &key), ("next", "/")]);
    assert_eq!(entered.status, 303, "{}", entered.text());
}
