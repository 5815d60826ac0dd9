//! The link to a visitor's decks.

use super::support::{Answer, Browser, raw, start};
use serde_json::{Value, json};

fn begin(browser: &mut Browser, name: &str) {
    let deck =
        json!({"format": "shell", "deck": {"format": "shell", "name": name, "sections": {}}});
    assert_eq!(browser.json("POST", "/api/drafts", &deck).status, 200);
}

fn decks(browser: &mut Browser) -> Vec<String> {
    let listed = browser.get("/api/drafts").json();
    let names = listed.as_array().unwrap().iter();
    let mut names: Vec<String> = names
        .map(|deck| deck["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// The key of the link on a page.
fn key(page: &Answer) -> String {
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    let link = text.split("href=\"/decks#key=").nth(1).unwrap();
    link.split('"').next().unwrap().to_owned()
}

fn open(browser: &mut Browser, key: &str) -> Answer {
    browser.form("/decks", &[("do", "open"), ("key", key)])
}

#[test]
fn a_link_opens_the_same_decks_in_another_browser() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut one = Browser::new(running.address);
    let mut two = Browser::new(running.address);
    let mut stranger = Browser::new(running.address);
    begin(&mut one, "Of the first");
    begin(&mut two, "Of the second");
    begin(&mut stranger, "Of nobody else");
    let own = |browser: &mut Browser, table: &str| {
        let ask = json!({"format": "shell", "table": table});
        assert_eq!(browser.json("POST", "/api/collection", &ask).status, 200);
    };
    own(&mut one, "name;count\nMoss Sprite;3\nRain Caller;1\n");
    own(&mut two, "name;count\nRain Caller;2\nMoss Sprite;1\n");
    let link = key(&one.form("/decks", &[("do", "show")]));
    assert_eq!(link.len(), 26);
    for file in ["decklaw.sqlite", "decklaw.sqlite-wal"] {
        let bytes = std::fs::read(data.path().join(file)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains(&link), "{file}");
    }
    // To follow a link does nothing yet, with a script or without one.
    let page = two.get("/decks");
    assert!(page.status == 200 && !page.text().contains("key.js"));
    assert_eq!(decks(&mut two), ["Of the second"]);
    // Typed from paper.
    let typed = format!("{}-{} ", link[..13].to_uppercase(), &link[13..]);
    assert_eq!(open(&mut two, &typed).status, 303);
    let both = ["Of the first", "Of the second"];
    for browser in [&mut one, &mut two] {
        assert_eq!(decks(browser), both);
        assert!(
            both.iter()
                .all(|name| browser.get("/").text().contains(name))
        );
        let cards = json!({"format": "shell", "deck": {"format": "shell", "sections": {}}, "find": {"query": "", "own": true, "most": 50}});
        let found = browser.json("POST", "/api/answer", &cards).json();
        let owned: Vec<&Value> = found["found"]["cards"].as_array().unwrap().iter().collect();
        assert_eq!(owned.len(), 2);
    }
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    let cards: String = disk
        .query_row("select cards from collection", [], |row| row.get(0))
        .unwrap();
    let cards: Value = serde_json::from_str(&cards).unwrap();
    let mut copies: Vec<i64> = cards
        .as_object()
        .unwrap()
        .values()
        .map(|copies| copies.as_i64().unwrap())
        .collect();
    copies.sort_unstable();
    assert_eq!(copies, [2, 3]);
    // What either does is there for both, and for nobody else.
    begin(&mut two, "Later");
    assert_eq!(decks(&mut one).len(), 3);
    assert_eq!(decks(&mut stranger), ["Of nobody else"]);
    // Once more is no other thing.
    assert_eq!(open(&mut two, &link).status, 303);
    assert_eq!(decks(&mut two).len(), 3);
    // A browser that lost all it knew.
    let mut again = Browser::new(running.address);
    assert_eq!(open(&mut again, &link).status, 303);
    assert_eq!(decks(&mut again).len(), 3);
}

#[test]
fn a_new_link_ends_the_one_before_it_and_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut running = Some(start(data.path(), |_| ()));
    let address = running.as_ref().unwrap().address;
    let mut one = Browser::new(address);
    begin(&mut one, "Mine");
    let before = key(&one.form("/decks", &[("do", "show")]));
    let page = one.form("/decks", &[("do", "anew")]);
    let after = key(&page);
    assert_ne!(before, after);
    // It is no more than shown until it is taken.
    let mut other = Browser::new(address);
    assert_eq!(open(&mut other, &after).status, 403);
    let made = page.text();
    let made = made.split("name=\"made\" value=\"").nth(1).unwrap();
    let made = made.split('"').next().unwrap().to_owned();
    let take = [("do", "open"), ("key", after.as_str()), ("made", &made)];
    let mut left_behind = one.clone();
    assert_eq!(one.form("/decks", &take).status, 303);
    assert_eq!(decks(&mut one), ["Mine"]);
    // A browser with the key before it is a new one, also after another start: what it does from now
    // on is nobody's who found that key.
    for again in 0..2 {
        if again == 1 {
            drop(running.take());
            running = Some(start(data.path(), |_| ()));
            let address = running.as_ref().unwrap().address;
            for browser in [&mut one, &mut other, &mut left_behind] {
                browser.address = address;
            }
        }
        let mut found = left_behind.clone();
        let mut second = left_behind.clone();
        assert_eq!(second.form("/decks", &take).status, 403);
        second.get("/");
        begin(&mut second, "Of a second browser");
        found.get("/");
        assert!(decks(&mut found).is_empty());
        // The answer that brought the new key may have been lost: it is on the page.
        assert_eq!(open(&mut second, &after).status, 303);
        assert_eq!(decks(&mut second).len(), 2 + again);
    }
    let names = ["Mine", "Of a second browser", "Of a second browser"];
    assert_eq!(decks(&mut one), names);
    let refused = open(&mut other, &before);
    assert!(
        refused.status == 403 && refused.text().contains("No decks open"),
        "{}",
        refused.text()
    );
    assert_eq!(open(&mut other, &after).status, 303);
    assert_eq!(decks(&mut other), names);
    // A key that somebody made up is none, whatever is said of it.
    let own = "0".repeat(26);
    for made in ["", &made] {
        let fields = [("do", "open"), ("key", own.as_str()), ("made", made)];
        assert_eq!(one.form("/decks", &fields).status, 403);
    }
    assert_eq!(decks(&mut one), names);
}

#[test]
fn keys_of_decks_are_not_guessed_and_nothing_is_pushed_out() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.public_url = Some("http://decks.example".to_owned());
    });
    let mut one = Browser::new(running.address);
    let mut two = Browser::new(running.address);
    begin(&mut one, "First");
    begin(&mut two, "Second");
    let link = key(&one.form("/decks", &[("do", "show")]));
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    disk.busy_timeout(std::time::Duration::from_secs(5))
        .unwrap();
    disk.execute_batch(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 250)
         insert into draft select name || i, owner, format, name, rev, deck, at from draft, n;
         insert into draft_version select id, rev, deck, '', at from draft where id like name || '%';",
    )
    .unwrap();
    let refused = open(&mut two, &link);
    assert!(
        refused.status == 409 && refused.text().contains("502 decks"),
        "{}",
        refused.text()
    );
    assert_eq!(decks(&mut two).len(), 251);
    assert_eq!(decks(&mut one).len(), 251);
    // Whoever runs the server has this machine's decks, and no visitor's.
    let mut host = Browser::host(&running);
    assert_eq!(open(&mut host, &link).status, 409);
    // From one address a few keys are tried, and then none.
    let token = two.token.clone();
    let body = format!("do=open&key={}&token={token}", "1".repeat(26));
    let head = [
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("X-Forwarded-For", "203.0.113.9"),
    ];
    let request = two.request("POST", "/decks", &head, body.as_bytes());
    let told: Vec<u16> = (0..30)
        .map(|_| raw(running.address, &request).status)
        .collect();
    assert!(told[..20].iter().all(|status| *status == 403), "{told:?}");
    assert!(told.contains(&429), "{told:?}");
}
