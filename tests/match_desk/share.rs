//! Shares of a common seed are committed to before any is shown.

use crate::calls::Desk;
use sha2::{Digest, Sha256};

#[test]
fn no_share_is_chosen_by_what_the_others_are() {
    let desk = Desk::new();
    let committed: Vec<String> = ["ann", "ben"]
        .iter()
        .map(|name| {
            let told = desk.run(&format!("share commit --secret-file {name}.share"));
            told.assert(0, &[]);
            // The same share again: the file keeps it.
            let again = desk.run(&format!("share commit --secret-file {name}.share"));
            assert_eq!(told.out, again.out);
            told.out.trim().to_owned()
        })
        .collect();
    // Anyone works the commitment out with SHA-256 alone.
    let share = desk.read("ann.share");
    let bytes: Vec<u8> = (0..32)
        .map(|at| u8::from_str_radix(&share[2 * at..2 * at + 2], 16).unwrap())
        .collect();
    let hash = Sha256::digest([b"decklaw/share-commit/1\0".as_slice(), &bytes].concat());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, committed[0]);
    let reveal = |name: &str| desk.run(&format!("share reveal --secret-file {name}.share"));
    let other = "0".repeat(64);
    let both = [&committed[0], &committed[1]];
    let shares: Vec<String> = ["ann", "ben"]
        .iter()
        .map(|name| reveal(name).out.trim().to_owned())
        .collect();
    let new = |parts: &[&str], committed: &[&String]| {
        let parts = parts.iter().map(|part| format!("--seed-part {part}"));
        let committed = committed.iter().map(|hex| format!("--committed {hex}"));
        let options: Vec<String> = parts.chain(committed).collect();
        desk.run(&format!("new vastrix {}", options.join(" ")))
    };
    new(&[&shares[0], &shares[1]], &both).assert(0, &[]);
    // Who brings another share than they committed to is found out.
    new(&[&shares[0], &other], &both).assert(1, &["nobody committed to the share 0000"]);
    let third = [&committed[0], &committed[1], &other];
    new(&[&shares[0], &shares[1]], &third).assert(1, &["is missing"]);
    desk.run(&format!("new vastrix --committed {other}"))
        .assert(2, &["--seed-part"]);
}

/// The story of `docs/matches.md`: the table brings a share that none of its players sees, so
/// that nobody chose the deal and nobody can work it out, and all of it is found right afterwards.
#[test]
fn a_table_brings_a_share_that_its_players_do_not_see() {
    let desk = Desk::new();
    let [ann, ben, table] = ["ann", "ben", "table"].map(|name| {
        let told = desk.run(&format!("share commit --secret-file {name}.share"));
        told.out.trim().to_owned()
    });
    let committed = format!("--committed {ann} --committed {ben} --committed {table}");
    let [part_a, part_b] = ["ann", "ben"].map(|name| {
        let told = desk.run(&format!("share reveal --secret-file {name}.share"));
        told.assert(0, &[]);
        told.out.trim().to_owned()
    });
    let first = crate::calls::FIRST;
    let parts = format!("--seed-part {part_a} --seed-part {part_b}");
    let made = desk.run(&format!(
        "new vastrix {parts} --share-file table.share {committed} --decide '{first}' --to m.json"
    ));
    made.assert(0, &[]);
    let kept = desk.read("table.share").trim().to_owned();
    assert!(!made.out.contains(&kept) && !made.error.contains(&kept));
    // What the players know makes another deal.
    let known = desk.run(&format!("new vastrix {parts} --decide '{first}'"));
    let known: serde_json::Value = serde_json::from_str(&known.out).unwrap();
    let file = desk.json("m.json");
    assert_ne!(known["state"], file["state"]);
    // Afterwards the file shows all shares, and each is what was committed to.
    desk.run("verify m.json").assert(0, &[]);
    let shown = file["inputs"]["randomness"]["contributions"]
        .as_array()
        .unwrap();
    let mut brought = vec![part_a, part_b, kept];
    brought.sort();
    assert_eq!(*shown, brought);
    // Without the commitment of the table's share, or with another share, it is refused.
    let two = format!("--committed {ann} --committed {ben}");
    desk.run(&format!(
        "new vastrix {parts} --share-file table.share {two}"
    ))
    .assert(1, &["nobody committed"]);
    desk.run("new vastrix --share-file table.share")
        .assert(2, &["two contributions"]);
}
