//! A lock and lists that are published after it.

use super::desk::{Desk, list};
use super::server::{Server, ok};

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
