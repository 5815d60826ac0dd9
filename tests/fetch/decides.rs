//! Who may decide: what an unpacked folder or another publisher changes is told, or does nothing.

use super::desk::{Desk, list};
use super::server::{Server, ok};

const DECK: &str = "Format: vainqueur\n\n1 Chapel Lynx\n";

/// A list of the game that bans one card.
fn bans(id: &str, effective: &str, card: &str) -> String {
    format!(
        "schema: decklaw/banlist/1\nid: {id}\ngame: vainqueur\nname: {id}\neffective: {effective}\nbanned: [{card}]\n"
    )
}

#[test]
fn a_list_of_one_publisher_never_replaces_anothers() {
    let server = Server::start();
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.write("deck.txt", DECK);
    let check =
        |more: &[&str]| desk.run(&[&["check", "deck.txt", "--as-of", "2026-07-01"], more].concat());
    server.put("/list.yaml", ok(&bans("june", "2026-06-01", "Chapel Lynx")));
    desk.fetch(&[]).expect(0, &[]);
    check(&[]).expect(1, &["banned"]);
    // Somebody else's list claims the id, and a later day.
    let theirs = server.url("/theirs.yaml");
    for (id, day) in [("june", "2026-06-01"), ("june", "2026-06-20"), ("other", "2026-06-20")] {
        server.put("/theirs.yaml", ok(&bans(id, day, "Too Many Trumpets")));
        desk.run(&["banlist", "fetch", &theirs, "--replace"])
            .expect(0, &["new", "both in force", "official/june"]);
        check(&[]).expect(2, &["both in force", "official/june", "--banlist"]);
        check(&["--banlist", "official/june"]).expect(1, &["banned"]);
    }
    server.put("/theirs.yaml", ok(&bans("june", "2026-06-01", "Too Many Trumpets")));
    desk.run(&["banlist", "fetch", &theirs, "--replace"]).expect(0, &[]);
    check(&["--banlist", "june"]).expect(2, &["several banlists", "official/june"]);
}

/// A folder's configuration names an address: what was fetched there applies there alone.
#[test]
fn what_a_folder_has_fetched_applies_in_that_folder_alone() {
    let server = Server::start();
    let desk = Desk::new();
    desk.write("deck.txt", DECK);
    server.put("/list.yaml", ok(&bans("june", "2026-06-01", "Chapel Lynx")));
    let url = server.url("/list.yaml");
    desk.write("decklaw.yaml", &format!("lists:\n  official:\n    url: {url}\n"));
    desk.run(&["banlist", "fetch", "--all"]).expect(0, &["new: june"]);
    let check =
        |more: &[&str]| desk.run(&[&["check", "deck.txt", "--as-of", "2026-07-01"], more].concat());
    check(&[]).expect(1, &["banned", "--no-local"]);
    check(&["--no-local"]).expect(0, &[]);
    std::fs::remove_file(desk.path("work/decklaw.yaml")).unwrap();
    check(&[]).expect(0, &[]);
}

#[test]
fn a_list_that_comes_later_changes_no_locked_verdict() {
    let server = Server::start();
    server.put("/list.yaml", ok(&list("june", "2026-06-01", 4)));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &[]);
    desk.write("deck.txt", "Format: vainqueur\n\n1 Chapel Lynx\n");
    desk.run(&["banlist", "lock", "vainqueur", "--as-of", "2026-07-01"])
        .expect(0, &["vainqueur: june", "2026-07-01"]);
    let check = |more: &[&str]| desk.run(&[&["check", "deck.txt", "--locked"], more].concat());
    let judged = |more: &[&str], words: &[&str]| {
        let said = check(&[&["-o", "json"], more].concat()).expect(0, words);
        assert_eq!(said.json()["rules"]["vainqueur"]["banlist"]["id"], "june");
    };
    judged(&["--as-of", "2026-07-01", "--banlist", "june"], &[]);
    server.put("/list.yaml", ok(&list("late-june", "2026-06-15", 4)));
    desk.fetch(&[]).expect(0, &[]);
    judged(&[], &["official/late-june"]);
    judged(&["--banlist", "june"], &[]);
    let said = check(&["--banlist", "late-june"]).expect(2, &["late-june"]);
    assert_eq!(said.out, "", "no verdict is given");
    desk.write("amended.yaml", &list("june", "2026-06-01", 5));
    check(&["--banlist", "amended.yaml"]).expect(2, &["june"]);
    desk.write("saved.yaml", &list("june", "2026-06-01", 4));
    judged(&["--banlist", "saved.yaml"], &[]);
    // All but the lock is gone.
    std::fs::remove_dir_all(desk.path("configuration")).unwrap();
    judged(&[], &[]);
}
