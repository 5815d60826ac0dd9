//! An event forgives: decisions and imports are taken back, with what rests on them.

use super::event::{LEGAL, OTHER, ran};
use crate::common::{run, said, text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

fn opened(folder: &Path, players: &str) {
    std::fs::write(folder.join("players.txt"), players).unwrap();
    ran(folder, "event new cup --format vainqueur --zone UTC --players players.txt", 0);
}

fn exported(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&ran(folder, "event export cup -o json", 0)).unwrap()
}

/// Names of players and their statuses.
fn standing(folder: &Path) -> Vec<(String, String)> {
    let export = exported(folder);
    let players = export["players"].as_array().unwrap().iter();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    players.map(|one| (word(&one["player"]), word(&one["status"]))).collect()
}

#[test]
fn a_wrong_import_is_undone_as_if_it_had_never_come() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    opened(folder, "Ada Birch\nBen Cole\n");
    let mut form = "Timestamp,Player,Remarks,Deck\n".to_owned();
    for at in 0..43 {
        let name = match at {
            0 => "ADA BIRCH".to_owned(),
            at => format!("Guest x{at}"),
        };
        let deck = if at % 2 == 0 { LEGAL } else { OTHER };
        let _ = writeln!(form, "2026-08-01T10:00:00Z,{name},thanks {at},\"{deck}\"");
    }
    std::fs::write(folder.join("form.csv"), form).unwrap();
    let before = exported(folder);
    // The remarks are taken for players.
    ran(folder, "event import cup form.csv --columns player=Remarks --yes", 0);
    assert_eq!(standing(folder).len(), 45);
    let undone = ran(folder, "event undo cup", 0);
    assert!(undone.contains("form.csv was imported: 43 decks, 43 new players"), "{undone}");
    assert_eq!(exported(folder), before);
    // The same rows come again, as often as it takes, and each once.
    for _ in 0..2 {
        ran(folder, "event import cup form.csv --yes", 0);
        let right = standing(folder);
        assert_eq!(right.len(), 44);
        assert!(right.contains(&("Ada Birch".to_owned(), "counts".to_owned())), "{right:?}");
        assert!(ran(folder, "event import cup form.csv --yes", 0).contains("nothing new"));
        assert_eq!(standing(folder), right);
        ran(folder, "event undo cup", 0);
        assert_eq!(exported(folder), before);
    }
    // Also the list of players, which is the first thing that was imported.
    ran(folder, "event undo cup 1", 0);
    assert!(standing(folder).is_empty());
    let run = run(folder, "event undo cup");
    assert_eq!(run.status.code(), Some(2), "{}", said(&run));
}

#[test]
fn what_rests_on_an_import_is_listed_and_taken_back_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    opened(folder, "Ada Birch\n");
    let form = format!("Player,Deck\nAda Birch,\"{LEGAL}\"\nEve Falk,\"{OTHER}\"\n");
    std::fs::write(folder.join("form.csv"), form).unwrap();
    ran(folder, "event import cup form.csv --yes", 0);
    ran(folder, "event decide cup 'Ada Birch' table 4", 0);
    ran(folder, "event decide cup e002 out --why 'not expected'", 0);
    ran(folder, "event decide cup 'Eve Falk' table 5", 0);
    let listed = ran(folder, "event undo cup 2", 1);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(listed.contains("excluded (not expected)") && listed.contains("Eve Falk: table 5"));
    assert_eq!(standing(folder).len(), 2, "nothing was taken back");
    ran(folder, "event undo cup 2 --yes", 0);
    assert_eq!(standing(folder), [("Ada Birch".to_owned(), "missing".to_owned())]);
    // What has nothing to do with it stays; a decision of a decision is undone alone.
    assert_eq!(exported(folder)["players"][0]["table"], "4");
    ran(folder, "event decide cup 'Ada Birch' table 7", 0);
    ran(folder, "event undo cup", 0);
    assert_eq!(exported(folder)["players"][0]["table"], "4");
}

#[test]
fn a_correction_counts_after_the_deadline_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let new = "event new cup --format vainqueur --zone UTC --deadline 2020-08-01T18:00";
    ran(folder, new, 0);
    let form = format!("Time,Player,Deck\n2020-08-01T10:00:00Z,Ada,\"{LEGAL}\"\n");
    std::fs::write(folder.join("form.csv"), form).unwrap();
    ran(folder, "event import cup form.csv --yes", 0);
    std::fs::write(folder.join("right.txt"), OTHER).unwrap();
    let bare = run(folder, "event import cup right.txt --replaces e001");
    assert_eq!(bare.status.code(), Some(2), "{}", said(&bare));
    let why = "event import cup right.txt --replaces e001 --why 'two cards changed places'";
    assert!(ran(folder, why, 0).contains("e002 counts instead of e001: legal"));
    let export = exported(folder);
    let ada = &export["players"][0];
    assert_eq!((&ada["entry"], &ada["status"]), (&"e002".into(), &"counts".into()), "{ada}");
    let shown = ran(folder, "event show cup e001", 0);
    assert!(shown.contains("does not count") && shown.contains("Squire Without a Lord"));
    let shown = ran(folder, "event show cup e002 -o json", 0);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown["counts"], &shown["late"]), (&true.into(), &true.into()), "{shown}");
    assert!(ran(folder, "event status cup", 0).contains("two cards changed places"));
    ran(folder, "event undo cup", 0);
    assert_eq!(exported(folder)["players"][0]["entry"], "e001");
}

/// A file's name is compared with the list before anything is cut from it.
#[test]
fn a_zip_of_decks_is_imported_by_the_names_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    opened(folder, "Jan van-der-Berg\nSeán O'Neil\nAda Birch\n");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.join("decks.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for (name, deck) in [
        ("lists/jan_van-der-Berg.txt", LEGAL.to_owned()),
        ("lists/Sean O\u{2019}Neil.txt", OTHER.to_owned()),
        ("lists/1.txt", format!("Player: Ada Birch\n\n{LEGAL}")),
        ("lists/picture.png", String::new()),
    ] {
        zip.start_file(name, options).unwrap();
        zip.write_all(deck.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let read = ran(folder, "event import cup decks.zip --yes", 0);
    assert!(read.contains("picture.png"), "{read}");
    let all = standing(folder);
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all.iter().all(|(_, status)| status == "counts"), "{all:?}");
    std::fs::write(folder.join("no.zip"), "no archive").unwrap();
    assert_eq!(run(folder, "event import cup no.zip --yes").status.code(), Some(2));
}

/// An event has a format, unless its decks name theirs; its names and reasons have limits; a time
/// that clocks have twice is asked about.
#[test]
fn an_event_begins_with_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (call, words) in [
        ("event new cup", "--format each"),
        (&*format!("event new cup --format shell --name {}", "a".repeat(201)), "200"),
        ("event new cup --format shell --zone Europe/Berlin --deadline 2026-10-25T02:30", "clocks"),
        ("event new cup --format shell --zone Europe/Berlin --deadline 2026-03-29T02:30", "clocks"),
    ] {
        let run = run(folder, call);
        assert_eq!(run.status.code(), Some(2), "{call}");
        assert!(text(&run.stderr).contains(words), "{call}: {}", text(&run.stderr));
        assert!(!folder.join("cup").exists());
    }
    let fixed = "--format each --zone Europe/Berlin --deadline 2026-10-25T02:30+01:00";
    ran(folder, &format!("event new cup {fixed}"), 0);
    let form = format!("Player,Deck\n{},\"{LEGAL}\"\n", "a".repeat(101));
    std::fs::write(folder.join("form.csv"), form).unwrap();
    for call in ["event import cup form.csv --yes", "event decide cup all lock --why WHY"] {
        let call = call.replace("WHY", &"a".repeat(201));
        assert_eq!(run(folder, &call).status.code(), Some(2), "{call}");
    }
}

/// A copy that nobody can write to is read like any other; each change is refused, and nothing of it
/// changes.
#[cfg(unix)]
#[test]
fn a_read_only_copy_is_read_and_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    opened(folder, "Ada Birch\nBen Cole\n");
    for (file, player) in [("one.csv", "Ada Birch"), ("other.csv", "Ben Cole")] {
        let form = format!("Timestamp,Player,Deck\n2026-08-01T10:00:00Z,{player},\"{LEGAL}\"\n");
        std::fs::write(folder.join(file), form).unwrap();
    }
    ran(folder, "event import cup one.csv --yes", 0);
    let status = ran(folder, "event status cup", 0);
    let cup = folder.join("cup");
    let files = || {
        let files = std::fs::read_dir(&cup).unwrap().map(|file| file.unwrap().path());
        files.map(|file| (file.clone(), std::fs::read(file).unwrap())).collect::<BTreeMap<_, _>>()
    };
    let before = files();
    let allow = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    before.keys().for_each(|file| allow(file, 0o444));
    allow(&cup, 0o555);
    // Rights bind everybody but root.
    if std::fs::write(cup.join("more"), "").is_ok() {
        return;
    }
    assert_eq!(ran(folder, "event status cup", 0), status);
    for call in ["decide cup all lock", "import cup other.csv --yes", "undo cup"] {
        let refused = run(folder, &format!("event {call}"));
        assert_eq!(
            (refused.status.code(), text(&refused.stderr).as_str()),
            (Some(2), "error: entries.db: attempt to write a readonly database\n"),
            "{call}"
        );
    }
    assert_eq!(files(), before);
    allow(&cup, 0o755);
}
