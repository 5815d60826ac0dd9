//! A player who wants to be forgotten: nothing of them stays but that they were there.

use super::support::{Browser, LEGAL, decide, event, event_command, folder, server, start, state};

/// Words that stand for a person; none is part of a page.
const WORDS: [&str; 3] = ["Kimberly", "Kimmy", "zzmarked"];

#[test]
fn a_player_who_is_forgotten_leaves_the_desk_the_disk_and_the_memory() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, organiser) = event(&mut host, &[]);
    let own = folder(data.path(), &path);
    let deck = format!("# zzmarked\n{LEGAL}");
    let hand_in = |name: &str| {
        let deck = if name == "Ana" { LEGAL } else { &deck };
        let mut player = Browser::new(running.address);
        let page = player.form(&path, &[("name", name), ("deck", deck), ("do", "hand-in")]);
        (player, page.text().contains("Handed in"))
    };
    let (mut kim, taken) = hand_in("Kimberly");
    assert!(taken && hand_in("Ana").1);
    // The same person under another name, as an organiser found out.
    let (mut alias, taken) = hand_in("Kimmy");
    assert!(taken);
    event_command(&own, "decide", &["p003", "same", "p001"]);
    let check = serde_json::json!({"do": "check", "player": "p001", "deck": deck});
    host.json("POST", &format!("{path}/desk/do"), &check);
    decide(&mut host, &path, &["p001", "table", "zzmarked"]);
    let mut desk = Browser::new(running.address);
    let enter = [("key", organiser.as_str()), ("next", path.as_str())];
    assert_eq!(desk.form("/enter", &enter).status, 303);
    let page = format!("{path}/desk/player?id=p001");
    assert!(desk.get(&page).text().contains("Kimberly"));
    assert_eq!(kim.get(&format!("{path}/mine")).status, 200);
    // A player cannot.
    assert_eq!(decide(&mut kim, &path, &["p001", "forget"]).status, 403);

    assert_eq!(decide(&mut desk, &path, &["p001", "forget"]).status, 200);
    assert_eq!(desk.get(&page).status, 404);
    for player in [&mut kim, &mut alias] {
        assert_eq!(
            player.get(&format!("{path}/mine")).status,
            403,
            "its key opens nothing"
        );
    }
    for page in ["/state", "/sheets", "/decks.csv"] {
        let told = desk.get(&format!("{path}/desk{page}")).text();
        for word in WORDS.iter().filter(|word| **word != "zzmarked") {
            assert!(!told.contains(word), "{page} has {word}");
        }
        assert!(told.contains("Ana"), "{page}: {told}");
    }
    event_command(&own, "status", &[]);
    let mut bytes = Vec::new();
    for file in std::fs::read_dir(&own).unwrap() {
        bytes.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    let text = String::from_utf8_lossy(&bytes);
    for word in WORDS {
        assert!(!text.contains(word), "{word} is still in a file");
    }
    assert!(text.contains("Ana"));
    // The names are free again, in this very server, and nothing comes back with the next one.
    assert!(hand_in("Kimmy").1);
    drop(running);
    let running = start(data.path(), |_| ());
    let desk = state(&mut Browser::host(&running), &path).to_string();
    assert!(desk.contains("Ana") && !desk.contains("Kimberly"), "{desk}");
}

/// A disk that fails in between leaves either all of it done or nothing.
#[test]
fn who_is_not_forgotten_wholly_is_not_forgotten() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[("players", "Kimberly\nAna")]);
    let page = format!("{path}/desk/player?id=p001");
    let enter = serde_json::json!({"do": "enter", "player": "p001", "deck": LEGAL});
    host.json("POST", &format!("{path}/desk/do"), &enter);
    let disk = rusqlite::Connection::open(folder(data.path(), &path).join("entries.db")).unwrap();
    // Her name can be removed, and her deck cannot.
    disk.execute_batch(
        "create trigger fails before update on entry
         begin select raise(abort, 'the disk fails'); end;",
    )
    .unwrap();
    assert!(decide(&mut host, &path, &["p001", "forget"]).status >= 500);
    let text = host.get(&page).text();
    assert!(
        text.contains("Kimberly") && text.contains("\"number\":1"),
        "{text}"
    );
    disk.execute_batch("drop trigger fails").unwrap();
    drop(disk);
    assert_eq!(decide(&mut host, &path, &["p001", "forget"]).status, 200);
    assert_eq!(host.get(&page).status, 404);
}
