//! Who a browser is, whatever it fetches first, twice or ahead of time.

use super::support::{Answer, Browser, LEGAL, raw, start};
use serde_json::json;

/// A first visit whose answer is under way, and what the browser does with it.
struct Visit {
    answer: Answer,
    token: String,
}

fn visit(browser: &Browser) -> Visit {
    let request = browser.request("GET", "/", &[("Cookie", "")], b"");
    let answer = raw(browser.address, &request);
    let text = answer.text();
    let token = text.split("name=\"token\" content=\"").nth(1).unwrap();
    let token = token.split('"').next().unwrap().to_owned();
    Visit { answer, token }
}

impl Visit {
    fn arrives(&self, browser: &mut Browser) {
        for line in self.answer.head.lines() {
            let Some(cookie) = line.strip_prefix("set-cookie: ") else {
                continue;
            };
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            browser.cookies.insert(name.to_owned(), value.to_owned());
        }
    }

    /// Begins a deck from the page.
    fn begins(&self, browser: &mut Browser) {
        browser.token.clone_from(&self.token);
        let opened = browser.form("/open", &[("deck", LEGAL), ("format", "shell")]);
        assert_eq!(opened.status, 303, "{}", opened.text());
    }
}

fn decks(browser: &mut Browser) -> usize {
    browser.get("/api/drafts").json().as_array().unwrap().len()
}

#[test]
fn pages_that_were_opened_together_are_one_browsers() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let nobody = Browser {
        cookies: Default::default(),
        ..Browser::new(running.address)
    };
    for begins_before_the_last in [false, true] {
        let mut browser = nobody.clone();
        let visits: Vec<Visit> = (0..3).map(|_| visit(&browser)).collect();
        let tokens: Vec<&String> = visits.iter().map(|visit| &visit.token).collect();
        assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2]);
        for visit in &visits {
            visit.arrives(&mut browser);
            if begins_before_the_last {
                visit.begins(&mut browser);
            }
        }
        let known = browser.cookies["decklaw"].clone();
        for visit in &visits {
            visit.begins(&mut browser);
        }
        let made = if begins_before_the_last { 6 } else { 3 };
        assert_eq!(decks(&mut browser), made);
        // What the pages' scripts send is taken as well.
        browser.token.clone_from(&visits[0].token);
        let deck = json!({"format": "shell", "deck": {"format": "shell", "sections": {}}});
        assert_eq!(browser.json("POST", "/api/drafts", &deck).status, 200);
        assert_eq!(browser.cookies["decklaw"], known);
        // Once the first day is over the browser is who it was, with all of it.
        browser.cookies.retain(|name, _| name == "decklaw");
        assert_eq!(decks(&mut browser), made + 1);
        browser.get("/");
        assert_eq!(browser.cookies.len(), 1);
        // The pages of another first visit are not its own.
        browser.token = visit(&nobody).token;
        assert_eq!(browser.json("POST", "/api/drafts", &deck).status, 403);
    }
}

#[test]
fn nothing_but_opening_a_page_makes_a_browser_known() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let browser = Browser::new(running.address);
    let top = [
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Dest", "document"),
    ];
    let asks = |method: &str, more: &[(&str, &str)]| {
        let head = [&[("Cookie", "")][..], more].concat();
        let answer = raw(running.address, &browser.request(method, "/", &head, b""));
        (answer.status, answer.header("set-cookie").is_some())
    };
    assert_eq!(asks("GET", &top), (200, true));
    assert_eq!(asks("GET", &[]), (200, true));
    for headers in [&top[..], &[]] {
        assert_eq!(asks("HEAD", headers), (200, false));
        // What is fetched ahead without a cookie is not shown later: no form of it could be sent.
        for ahead in [
            ("Sec-Purpose", "prefetch"),
            ("Sec-Purpose", "prefetch;prerender"),
            ("Sec-Purpose", "prefetch;anonymous-client-ip"),
            ("Purpose", "prefetch"),
            ("X-Moz", "prefetch"),
        ] {
            assert_eq!(
                asks("GET", &[headers, &[ahead]].concat()),
                (503, false),
                "{ahead:?}"
            );
        }
    }
    for (mode, dest) in [
        ("navigate", "iframe"),
        ("navigate", "frame"),
        ("navigate", "object"),
        ("navigate", "embed"),
        ("no-cors", "document"),
        ("no-cors", "empty"),
        ("cors", "empty"),
    ] {
        let head = [("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", dest)];
        assert_eq!(asks("GET", &head), (200, false), "{mode} {dest}");
    }
    // With its cookie a page is fetched ahead as it is opened, and stays the same browser's.
    let mut known = browser.clone();
    let ahead = known.send("GET", "/", &[("Sec-Purpose", "prefetch")], b"");
    assert_eq!(ahead.status, 200);
    assert_eq!(known.cookies, browser.cookies);
}
