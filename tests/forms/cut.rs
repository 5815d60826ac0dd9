//! A program that is killed while it writes leaves an event as it was before or after, and what it
//! said it had done is done; a copy that nobody can write to stays as it is.

use super::event::{LEGAL, OTHER, ran};
use crate::commands::console::copy;
use crate::common::{line, tree};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Runs a call and kills it after a share of its time; whether it had ended by itself.
fn cut(folder: &Path, call: &str, after: Duration) -> bool {
    let mut run = line(folder, call).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    let ended = run.try_wait().unwrap().is_some();
    let _ = run.kill();
    run.wait().unwrap();
    ended
}

/// The event's table.
fn table(folder: &Path, event: &str) -> String {
    ran(folder, &format!("event export {event} -o csv"), 0)
}

fn renewed(folder: &Path, from: &str) {
    let cup = folder.join("cup");
    let _ = std::fs::remove_dir_all(&cup);
    copy(&folder.join(from), &cup);
}

#[test]
fn an_event_survives_a_kill_at_any_moment() {
    let moments = std::env::var("DECKLAW_CUTS").ok();
    let moments: u32 = moments.map_or(24, |moments| moments.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut form = "Timestamp,Name,Email,Deck\n".to_owned();
    for at in 0..150 {
        let deck = if at % 3 == 0 { OTHER } else { LEGAL };
        let _ = writeln!(form, "2026-08-01T10:00:00Z,Player {at:03},p{at}@example.org,\"{deck}\"");
    }
    std::fs::write(folder.join("form.csv"), form).unwrap();
    ran(folder, "event new bare --format vainqueur", 0);
    copy(&folder.join("bare"), &folder.join("full"));
    let import = "event import full form.csv --yes";
    let began = Instant::now();
    ran(folder, import, 0);
    let whole = began.elapsed();
    let (before, after) = (table(folder, "bare"), table(folder, "full"));
    assert_eq!(after.lines().count(), 151);

    let share = |at: u32| whole.mul_f64(1.1 * f64::from(at) / f64::from(moments));
    let mut seen = BTreeSet::new();
    for at in 0..moments {
        renewed(folder, "bare");
        let import = "event import cup form.csv --yes";
        let ended = cut(folder, import, share(at));
        let left = table(folder, "cup");
        assert!(left == before || left == after, "moment {at}: half of it");
        assert!(!ended || left == after, "moment {at}");
        seen.insert(left == after);
        ran(folder, import, 0);
        assert!(table(folder, "cup") == after, "moment {at}: imported again");
    }
    assert!(seen.contains(&false), "no kill came before the end");

    // Decisions, one after another in one event: all that ended are there.
    renewed(folder, "full");
    let player = |at: u32| format!("p{:03}", at + 2);
    let table = |at: u32| format!("hall {at:03}");
    let began = Instant::now();
    ran(folder, "event decide full p001 table first", 0);
    let whole = began.elapsed();
    let mut sure = Vec::new();
    for at in 0..moments {
        let (player, said) = (player(at), table(at));
        let call = format!("event decide cup {player} table '{said}'");
        if cut(folder, &call, whole.mul_f64(1.4 * f64::from(at % 12) / 12.0)) {
            sure.push(said);
        }
    }
    let out = ran(folder, "event export cup -o json", 0);
    let told: Vec<String> = (0..moments).map(table).filter(|said| out.contains(said)).collect();
    assert!(sure.iter().all(|said| told.contains(said)), "{sure:?} {out}");
    assert!(told.len() < moments as usize, "no kill came before the end");
}

/// A copy that nobody can write to is read like any other; each change is refused, and nothing of it
/// changes.
#[cfg(unix)]
#[test]
fn a_read_only_copy_is_read_and_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("players.txt"), "Ada Birch\nBen Cole\n").unwrap();
    ran(folder, "event new cup --format vainqueur --zone UTC --players players.txt", 0);
    for (file, player) in [("one.csv", "Ada Birch"), ("other.csv", "Ben Cole")] {
        let form = format!("Timestamp,Player,Deck\n2026-08-01T10:00:00Z,{player},\"{LEGAL}\"\n");
        std::fs::write(folder.join(file), form).unwrap();
    }
    ran(folder, "event import cup one.csv --yes", 0);
    let status = ran(folder, "event status cup", 0);
    let cup = folder.join("cup");
    let before = tree(&cup);
    let allow = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    before.keys().for_each(|file| allow(&cup.join(file), 0o444));
    allow(&cup, 0o555);
    // Rights bind everybody but root.
    if std::fs::write(cup.join("more"), "").is_ok() {
        return;
    }
    assert_eq!(ran(folder, "event status cup", 0), status);
    for call in ["decide cup all lock", "import cup other.csv --yes", "undo cup"] {
        let refused = crate::common::run(folder, &format!("event {call}"));
        assert_eq!(
            (refused.status.code(), crate::common::text(&refused.stderr).as_str()),
            (Some(2), "error: entries.db: attempt to write a readonly database\n"),
            "{call}"
        );
    }
    assert_eq!(tree(&cup), before);
    allow(&cup, 0o755);
}
