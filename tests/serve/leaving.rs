//! Clients that leave at the wrong moment, and clients that come from elsewhere.

use super::chairs::{games, set_up, sit_down};
use super::support::{Browser, LEGAL, decide, entries, folder, server, start, visited};
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// Numbers that are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % end
    }
}

/// Sends a request, all of it or a part, and closes the connection a moment later without
/// reading the answer.
fn send_and_leave(address: std::net::SocketAddr, request: &[u8], chance: &mut Chance) {
    let mut line = TcpStream::connect(address).unwrap();
    let length = match chance.below(8) {
        0 => chance.below(request.len() as u64) as usize,
        _ => request.len(),
    };
    let _ = line.write_all(&request[..length]);
    // A move takes about as long as the longest of these.
    std::thread::sleep(Duration::from_micros(chance.below(6_000)));
}

#[test]
fn no_table_freezes_whenever_a_client_leaves() {
    let moves = std::env::var("DECKLAW_CUTS").ok();
    let moves: usize = moves.map_or(300, |moves| moves.parse().unwrap());
    let (running, data) = server();
    let (laid, mut chairs, _) = sit_down(&running, Browser::new(running.address), &games()[5]);
    set_up(&mut chairs);
    let at = usize::from(chairs[0].look()["active"] == "B");
    let chair = &mut chairs[at];
    let to = format!("{}/do", chair.base);
    let head = [("Content-Type", "application/json")];
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut done = 0;
    let mut last = chair.view["rev"].as_i64().unwrap();
    for number in 0..moves {
        let act = chair.asks("roll").to_string();
        let request = chair.browser.request("POST", &to, &head, act.as_bytes());
        send_and_leave(running.address, &request, &mut chance);
        let rev = chair.look()["rev"].as_i64().unwrap();
        done += usize::from(rev > last);
        last = rev;
        // What was cut may still be under way: then the state is another one than was seen.
        if number % 50 == 0 {
            let played = (0..20).any(|_| {
                chair.look();
                chair.tries("roll").status == 200
            });
            assert!(played, "the table is frozen after {number} moves");
        }
    }
    assert!(done > moves / 4, "{done} of {moves} moves were done");
    // What is shown is what is on the disk.
    std::thread::sleep(Duration::from_millis(200));
    chair.moves("roll");
    let shown = chair.look()["rev"].as_i64().unwrap();
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    let sql = "select rev from sitting where id = ?1";
    let kept: i64 = disk.query_row(sql, [&laid.id], |row| row.get(0)).unwrap();
    assert_eq!(shown, kept);
}

/// Memory and disk are made to disagree by hand: the next move notices, and the one after it is
/// played.
#[test]
fn a_table_that_another_program_changed_is_read_anew() {
    let (running, data) = server();
    let (laid, mut chairs, _) = sit_down(&running, Browser::new(running.address), &games()[5]);
    set_up(&mut chairs);
    let at = usize::from(chairs[0].look()["active"] == "B");
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    let sql = "update sitting set rev = rev + 5 where id = ?1";
    assert_eq!(disk.execute(sql, [&laid.id]).unwrap(), 1);
    let chair = &mut chairs[at];
    let before = chair.look()["rev"].as_i64().unwrap();
    assert_ne!(chair.tries("roll").status, 200);
    assert_eq!(chair.look()["rev"].as_i64().unwrap(), before + 5);
    chair.moves("roll");
}

/// The server sets no cookie for visitors.
#[test]
fn nothing_tells_one_visitor_from_another() {
    let (_running, _data, mut browser) = visited();
    for path in ["/", "/deck/shell", "/play", "/assets/home.js"] {
        let page = browser.get(path);
        assert_eq!((page.status, page.header("set-cookie")), (200, None));
    }
    let asked = browser.ask("check", &json!({"deck": LEGAL}));
    assert_eq!((asked.status, asked.header("set-cookie")), (200, None));
}

/// The key that was printed last opens the server, whatever the clock says.
#[test]
fn a_clock_that_was_set_back_locks_no_host_out() {
    let data = tempfile::tempdir().unwrap();
    drop(start(data.path(), |_| ()));
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    // Sixty starts of a machine whose clock was a century ahead.
    for number in 0..60 {
        let key = format!("{number:032}");
        let at = format!("2126-01-01T00:00:{:02}.000Z", number % 60);
        let sql = "insert into host (key, at) values (?1, ?2)";
        disk.execute(sql, rusqlite::params![key.as_bytes(), at])
            .unwrap();
    }
    drop(disk);
    for _ in 0..2 {
        let running = start(data.path(), |_| ());
        Browser::host(&running);
        // Another start by the same clock leaves the key before it as it was.
        let before = running.key.clone();
        drop(running);
        let again = start(data.path(), |_| ());
        let mut browser = Browser::new(again.address);
        let entered = browser.form("/enter", &[("key", &before), ("next", "/")]);
        assert_eq!(entered.status, 303, "{}", entered.text());
    }
}

/// An answer that was lost is asked for once more by the same form: the answer comes again, with
/// the same key, also when both are sent at once, and when the deadline is over by then.
#[test]
fn a_form_that_is_sent_once_more_gets_the_same_key() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = super::support::event(&mut host, &[]);
    let private = |answer: &super::support::Answer| {
        let text = answer.text();
        let link = text.split("/mine#key=").nth(1).map(str::to_owned);
        let key = link.and_then(|link| Some(link.split('"').next()?.to_owned()));
        key.unwrap_or_else(|| panic!("{} {text}", answer.status))
    };
    let ada = Browser::new(running.address);
    let sent = |name, form| {
        [
            ("name", name),
            ("deck", LEGAL),
            ("do", "hand-in"),
            ("form", form),
        ]
    };
    let fields = |name| sent(name, "one");
    // None of these keeps the cookie that another's answer sets: it was lost.
    let keys: Vec<String> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..4)
            .map(|_| {
                let mut again = ada.clone();
                let path = &path;
                scope.spawn(move || private(&again.form(path, &fields("Ada"))))
            })
            .collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    let closed = decide(&mut host, &path, &["all", "lock"]);
    assert!(closed.status < 400);
    assert_eq!(private(&ada.clone().form(&path, &fields("Ada"))), keys[0]);
    let versions = entries(&folder(data.path(), &path));
    assert_eq!(versions, 1);
    let opened = decide(&mut host, &path, &["all", "unlock"]);
    assert!(opened.status < 400);
    // Another deck, another form or another name is no resend.
    let other = LEGAL.replace("\n", "\n\n");
    let deck = [
        ("name", "Ada"),
        ("deck", &*other),
        ("do", "hand-in"),
        ("form", "one"),
    ];
    assert_eq!(ada.clone().form(&path, &deck).status, 409);
    let mut stranger = Browser::new(running.address);
    assert_eq!(stranger.form(&path, &sent("Ada", "two")).status, 409);
    let grace = private(&ada.clone().form(&path, &fields("Grace")));
    assert_ne!(grace, keys[0]);
    // The key is the player's.
    let mut mine = stranger.clone();
    let entered = mine.form("/enter", &[("key", &keys[0]), ("next", &path)]);
    assert_eq!(entered.status, 303, "{}", entered.text());
}

/// What a page sends is text: a workbook is opened by nobody, however small it is.
#[test]
fn no_page_takes_a_workbook() {
    let (_running, _data, mut browser) = visited();
    let packed = "PK\u{3}\u{4}xl/workbook";
    let owned = json!({"format": "shell", "collection": packed});
    let told = browser.ask("cards", &owned);
    assert!((400..500).contains(&told.status), "{}", told.status);
    assert!(told.text().contains("workbook"), "{}", told.text());
}
