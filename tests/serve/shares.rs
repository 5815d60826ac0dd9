//! A seed that those at a table make together: nobody brings a share that they could have chosen
//! by what the others' are, and the end shows all of them.

use super::chairs::{Chair, set_up, sit_down};
use super::support::{Browser, Laid, Running, start};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SHARES: [&str; 2] = [
    "1111111111111111111111111111111111111111111111111111111111111111",
    "2222222222222222222222222222222222222222222222222222222222222222",
];

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2)
        .map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}

fn sha256(parts: &[&[u8]]) -> String {
    let digest = Sha256::digest(parts.concat());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What commits to a share, as docs/matches.md and the scheme have it.
fn commitment(share: &str) -> String {
    sha256(&[b"decklaw/share-commit/1\0", &bytes(share)])
}

fn lay_together(running: &Running, host: &mut Browser) -> (Laid, Vec<Chair>, Chair) {
    let fields = [
        ("format", "vastrix".to_owned()),
        ("option-players", "2".to_owned()),
        ("chance", "shares".to_owned()),
    ];
    sit_down(running, host, &fields)
}

fn brings(chair: &mut Chair, brought: &Value) -> u16 {
    chair.look();
    chair.act(json!({ "share": brought })).status
}

fn commit(chair: &mut Chair, share: &str) -> u16 {
    brings(chair, &json!({"commit": commitment(share)}))
}

fn show(chair: &mut Chair, share: &str) -> u16 {
    brings(chair, &json!({ "show": share }))
}

#[test]
fn the_seed_is_what_all_committed_to_and_nobody_sees_a_share_before_the_end() {
    let data = tempfile::tempdir().unwrap();
    let mut running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (_, mut chairs, mut onlooker) = lay_together(&running, &mut host);
    let machine = onlooker.look()["shares"]["machine"].clone();
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        let view = chair.look();
        assert_eq!(view["phase"], "shares");
        assert_eq!(view["zones"], json!([]), "no card is dealt");
        assert_eq!(view["shares"]["committed"], json!({}));
    }
    assert_eq!(
        commit(&mut onlooker, SHARES[0]),
        403,
        "who looks on brings none"
    );
    assert_eq!(chairs[0].act(json!({"move": "draw"})).status, 422);
    assert_eq!(brings(&mut chairs[0], &json!({"commit": "11"})), 422);
    assert_eq!(commit(&mut chairs[0], SHARES[0]), 200);
    // Not before all have committed, and not what another one committed to.
    assert_eq!(show(&mut chairs[0], SHARES[0]), 422);
    assert_eq!(commit(&mut chairs[1], SHARES[0]), 422);
    assert_eq!(brings(&mut chairs[1], &json!({ "commit": machine })), 422);
    assert_eq!(commit(&mut chairs[1], SHARES[1]), 200);
    // All are bound now.
    assert_eq!(commit(&mut chairs[0], &"33".repeat(32)), 422);
    assert_eq!(show(&mut chairs[0], SHARES[1]), 422);
    assert_eq!(show(&mut chairs[0], SHARES[0]), 200);

    // The machine was restarted in between: all are bound as they were.
    drop(running);
    running = start(data.path(), |_| ());
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        chair.browser.address = running.address;
    }
    let told = chairs[1].look();
    assert_eq!(told["phase"], "shares");
    assert_eq!(told["shares"]["machine"], machine);
    assert_eq!(told["shares"]["shown"], json!(["A"]));
    assert_eq!(show(&mut chairs[1], &"33".repeat(32)), 422);
    assert_eq!(show(&mut chairs[1], SHARES[1]), 200);
    assert_eq!(chairs[1].look()["phase"], "setup");
    assert_eq!(chairs[1].view["chance"], "combined");
    assert_eq!(show(&mut chairs[1], SHARES[1]), 422, "the cards are dealt");
    set_up(&mut chairs);
    for chair in chairs.iter().chain([&onlooker]) {
        for share in SHARES {
            assert!(!chair.was_sent(share), "no share is sent before the end");
        }
    }
    let active = usize::from(onlooker.look()["active"] == "B");
    chairs[active].look();
    assert_eq!(
        chairs[active].act(json!({"end": {"won": "draw"}})).status,
        200
    );
    chairs[1 - active].look();
    assert_eq!(chairs[1 - active].act(json!({"agree": true})).status, 200);
    let proof = format!("{}/proof", chairs[0].base);
    let proof = chairs[0].browser.get(&proof).json();
    let chance = &proof["play"]["match"]["inputs"]["randomness"];
    let mut shares: Vec<&str> = chance["contributions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|share| share.as_str().unwrap())
        .collect();
    let others: Vec<&&str> = shares.iter().filter(|it| !SHARES.contains(it)).collect();
    assert_eq!((shares.len(), others.len()), (3, 1));
    assert_eq!(machine, commitment(others[0]), "the machine was bound, too");
    shares.sort_unstable();
    let parts: Vec<Vec<u8>> = shares.iter().map(|share| bytes(share)).collect();
    let parts: Vec<&[u8]> = [&b"decklaw/seed-combined/1\0"[..]]
        .into_iter()
        .chain(parts.iter().map(Vec::as_slice))
        .collect();
    assert_eq!(chance["seed"], sha256(&parts));
    // The next game has shares of its own: nobody is bound by one that everybody knows by now.
    let next = format!("{}/next", chairs[0].base);
    let to = chairs[0].browser.json("POST", &next, &json!({})).json();
    let mut browser = onlooker.browser.clone();
    let onlooks = to["to"].as_str().unwrap().replace("/A", "/onlooker");
    let view = browser.get(&format!("/api{onlooks}/view")).json();
    assert_eq!(view["phase"], "shares");
    assert_eq!(view["shares"]["committed"], json!({}));
    assert_ne!(view["shares"]["machine"], machine);
    let next = format!("{}/next", onlooker.base);
    assert_eq!(browser.json("POST", &next, &json!({})).status, 403);
}

#[test]
fn where_a_share_was_lost_all_bring_new_ones_and_the_end_shows_who_had_not_shown_theirs() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (_, mut chairs, mut onlooker) = lay_together(&running, &mut host);
    let machine = chairs[0].look()["shares"]["machine"].clone();
    assert_eq!(commit(&mut chairs[0], SHARES[0]), 200);
    assert_eq!(
        brings(&mut chairs[0], &json!("anew")),
        422,
        "nobody is bound"
    );
    assert_eq!(commit(&mut chairs[1], SHARES[1]), 200);
    assert_eq!(show(&mut chairs[0], SHARES[0]), 200);
    // B has not shown a share, and asks; A may refuse.
    for agrees in [false, true] {
        assert_eq!(brings(&mut chairs[1], &json!("anew")), 200);
        assert_eq!(
            chairs[1].view["shares"]["machine"], machine,
            "A is asked first"
        );
        let asked = &chairs[0].look()["asked"];
        assert_eq!(asked["mine"], true);
        let told = asked["told"].as_str().unwrap();
        assert!(
            told.contains("for round 2? Seat B has not shown theirs"),
            "{told}"
        );
        assert_eq!(chairs[0].act(json!({ "agree": agrees })).status, 200);
    }
    let told = &chairs[0].view["shares"];
    assert_eq!(told["committed"], json!({}));
    assert_eq!(told["shown"], json!([]));
    assert_ne!(
        told["machine"], machine,
        "the machine brings a new one, too"
    );
    let line = "Shares, round 1: seat B had not shown theirs; seat B asked for new ones, and seat A agreed.";
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        assert_eq!(chair.look()["shares"]["lines"], json!([line]));
        assert_eq!(chair.view["shares"]["rounds"][0]["missing"], json!(["B"]));
    }
    // What was shown in a round before is known to the machine.
    for (share, why) in [(SHARES[0], "shown"), (SHARES[1], "committed to")] {
        assert_eq!(commit(&mut chairs[0], share), 422, "it was {why}");
    }
    let fresh = ["33".repeat(32), "44".repeat(32)];
    for (chair, share) in chairs.iter_mut().zip(&fresh) {
        assert_eq!(commit(chair, share), 200);
    }
    for (chair, share) in chairs.iter_mut().zip(&fresh) {
        assert_eq!(show(chair, share), 200);
    }
    assert_eq!(
        brings(&mut chairs[0], &json!("anew")),
        422,
        "the cards are dealt"
    );
    set_up(&mut chairs);
    for chair in chairs.iter().chain([&onlooker]) {
        assert!(!chair.was_sent(SHARES[0]), "no share before the end");
    }
    let active = usize::from(onlooker.look()["active"] == "B");
    assert_eq!(onlooker.view["shares"]["lines"], json!([line]));
    chairs[active].look();
    assert_eq!(
        chairs[active].act(json!({"end": {"won": "draw"}})).status,
        200
    );
    chairs[1 - active].look();
    assert_eq!(chairs[1 - active].act(json!({"agree": true})).status, 200);
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        let proof = chair.browser.get(&format!("{}/proof", chair.base)).json();
        let rounds = proof["rounds"].as_array().unwrap();
        assert_eq!(rounds.len(), 1);
        assert_eq!(rounds[0]["shown"], json!({"A": SHARES[0]}));
        assert_eq!(rounds[0]["committed"]["B"], commitment(SHARES[1]));
        assert_eq!(rounds[0]["missing"], json!(["B"]));
        let own = &rounds[0]["machine"];
        assert_eq!(own["commitment"], machine);
        assert_eq!(machine, commitment(own["share"].as_str().unwrap()));
    }
}

/// Lets a table wait since another time, while nobody serves it.
fn waits_since(data: &std::path::Path, since: &str) {
    let file = rusqlite::Connection::open(data.join("decklaw.sqlite")).unwrap();
    let kept: String = file
        .query_row("select shares from sitting", [], |row| row.get(0))
        .unwrap();
    let mut kept: Value = serde_json::from_str(&kept).unwrap();
    kept["since"] = json!(since);
    let changed = file.execute("update sitting set shares = ?1", [kept.to_string()]);
    assert_eq!(changed.unwrap(), 1);
}

#[test]
fn a_seat_that_never_shows_its_share_holds_nobody_up_for_ever() {
    holds_nobody_up("2026-01-01T00:00:00.000Z");
}

/// A clock that was a century ahead and is right again: nobody waits for the century.
#[test]
fn nor_does_it_where_the_clock_was_set_back() {
    holds_nobody_up("2126-01-01T00:00:00.000Z");
}

fn holds_nobody_up(since: &str) {
    let data = tempfile::tempdir().unwrap();
    let mut running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let fields = [
        ("format", "vastrix".to_owned()),
        ("option-players", "3".to_owned()),
        ("chance", "shares".to_owned()),
    ];
    let (_, mut chairs, _) = sit_down(&running, &mut host, &fields);
    let shares = ["55".repeat(32), "66".repeat(32), "77".repeat(32)];
    for (chair, share) in chairs.iter_mut().zip(&shares) {
        assert_eq!(commit(chair, share), 200);
    }
    // Neither B nor C has shown a share; just now both are asked.
    assert_eq!(show(&mut chairs[0], &shares[0]), 200);
    assert_eq!(brings(&mut chairs[0], &json!("anew")), 200);
    assert_eq!(chairs[0].view["asked"]["needs"], json!(["B", "C"]));
    assert_eq!(show(&mut chairs[1], &shares[1]), 200);
    drop(running);
    waits_since(data.path(), since);
    running = start(data.path(), |_| ());
    for chair in &mut chairs {
        chair.browser.address = running.address;
    }
    // Who has shown theirs is asked even now, and who has not is waited for no more.
    assert_eq!(brings(&mut chairs[0], &json!("anew")), 200);
    assert_eq!(chairs[0].view["asked"]["needs"], json!(["B"]));
    chairs[1].look();
    assert_eq!(chairs[1].act(json!({"agree": true})).status, 200);
    assert_eq!(
        chairs[1].view["shares"]["lines"],
        json!([
            "Shares, round 1: seat C had not shown theirs; seat A asked for new ones, and seat B agreed."
        ])
    );
    // C is bound by a new commitment as all are, and its old share does nothing any more.
    assert_eq!(show(&mut chairs[2], &shares[2]), 422);
    assert_eq!(chairs[2].look()["shares"]["committed"], json!({}));
}

/// Two players press their buttons at once: a commitment and a share hold whatever the other did.
#[test]
fn shares_that_are_brought_at_once_are_all_taken() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (_, mut chairs, _) = lay_together(&running, &mut host);
    let all_look = |chairs: &mut [Chair]| {
        for chair in chairs {
            chair.look();
        }
    };
    all_look(&mut chairs);
    for (chair, share) in chairs.iter_mut().zip(SHARES) {
        let what = json!({"share": {"commit": commitment(share)}});
        assert_eq!(chair.act(what).status, 200);
    }
    all_look(&mut chairs);
    for (chair, share) in chairs.iter_mut().zip(SHARES) {
        assert_eq!(chair.act(json!({"share": {"show": share}})).status, 200);
    }
    assert_eq!(chairs[0].look()["phase"], "setup");
    // What speaks of the page does not: here seat A asks for something that B never saw.
    let before = chairs[1].view.clone();
    chairs[0].look();
    chairs[0].act(json!({"answer": 0}));
    chairs[1].view = before;
    assert_eq!(chairs[1].act(json!({"agree": true})).status, 409);
    // Nor does a commitment of a page that shows what is over bind anybody.
    let what = json!({"share": {"commit": commitment(&"44".repeat(32))}});
    assert_eq!(chairs[1].act(what).status, 422);
}
