//! Every route of the server, by the table that the server itself has: who may use it, from where,
//! and how much it reads.

use super::support::{Answer, Browser, LEGAL, Running, answer, event, hand_in, raw, start};
use super::table::open;
use decklaw::serve::{Needs, Route, routes};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A server with two events, a deck in each, and a table.
struct World {
    running: Running,
    data: tempfile::TempDir,
    host: Browser,
    event: String,
    /// Keys of the event that the routes name, and of the other one.
    organisers: [String; 2],
    players: [String; 2],
    table: String,
    seat: String,
}

fn world() -> World {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| config.patience = Duration::from_millis(400));
    let mut host = Browser::host(&running);
    let [one, other] = [(); 2].map(|()| {
        let (path, key) = event(&mut host, &[]);
        let (player, answer) = hand_in(running.address, &path, ["Ada", LEGAL, "hand-in"]);
        assert!(answer.is_handed_in(), "{}", answer.text());
        let id = path.trim_start_matches("/e/").to_owned();
        let port = running.address.port();
        let cookie = player.cookies[&format!("decklaw-mine-{id}-{port}")].clone();
        (id, key, cookie)
    });
    let fields = [("format", "vastrix"), ("option-players", "3")];
    let table = open(Browser::new(running.address), &fields);
    World {
        seat: table.keys["B"].clone(),
        table: table.id,
        running,
        data,
        host,
        event: one.0,
        organisers: [one.1, other.1],
        players: [one.2, other.2],
    }
}

impl World {
    fn path(&self, route: &Route) -> String {
        let part = if route.needs == Needs::Seat { "view" } else { "decks.csv" };
        let parts = [
            ("{event}", self.event.as_str()),
            ("{*format}", "shell"),
            ("{name}", "base.css"),
            ("{part}", part),
            ("{table}", &self.table),
            ("{key}", &self.seat),
        ];
        let parts = parts.iter();
        parts.fold(route.path.to_owned(), |path, (part, value)| path.replace(part, value))
    }

    /// What a browser with these cookies alone is answered.
    fn status(&self, route: &Route, cookies: &[(&str, &str)]) -> u16 {
        let mut browser = Browser::new(self.running.address);
        for (kind, key) in cookies {
            let port = self.running.address.port();
            let name = if *kind == "host" {
                format!("decklaw-host-{port}")
            } else {
                format!("decklaw-{kind}-{}-{port}", self.event)
            };
            browser.cookies.insert(name, (*key).to_owned());
        }
        let path = self.path(route);
        browser.send(route.method, &path, &[], b"").status
    }

    /// What the host's browser is answered with these headers.
    fn answer(&self, route: &Route, head: &[(&str, &str)], body: &[u8]) -> Answer {
        let path = self.path(route);
        let request = self.host.request(route.method, &path, head, body);
        raw(self.running.address, &request)
    }
}

/// All routes but streams that never end.
fn finite() -> impl Iterator<Item = Route> {
    let all = routes().into_iter();
    all.filter(|route| !route.path.ends_with("/changes"))
}

fn changing() -> impl Iterator<Item = Route> {
    routes().into_iter().filter(|route| route.method != "GET")
}

/// Headers that a page of another origin makes a browser send, by the status that they get.
const ELSEWHERE: [(u16, &[(&str, &str)]); 9] = [
    (421, &[("Host", "evil.example")]),
    (421, &[("Host", "evil.example:80")]),
    (421, &[("Host", "localhost")]),
    (421, &[("Host", "127.0.0.1")]),
    (421, &[("Host", "127.0.0.2:1")]),
    (403, &[("Origin", "https://evil.example")]),
    (403, &[("Origin", "null")]),
    (403, &[("Origin", "")]),
    (403, &[("Origin", ""), ("Sec-Fetch-Site", "cross-site")]),
];

#[test]
fn no_route_serves_another_site() {
    let world = world();
    for route in routes() {
        for (status, head) in ELSEWHERE {
            if status == 421 || route.method != "GET" {
                let answer = world.answer(&route, head, b"{}");
                assert_eq!(answer.status, status, "{route:?} with {head:?}");
            }
        }
    }
    let own = format!("http://{}", world.running.address);
    let same_site = [("Origin", own.as_str()), ("Sec-Fetch-Site", "same-site")];
    for route in changing() {
        assert_eq!(world.answer(&route, &same_site, b"{}").status, 403);
    }
    for route in finite() {
        let answer = world.answer(&route, &[], b"");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'none'")
                && policy.contains("frame-ancestors 'none'")
                && !policy.contains("unsafe"),
            "{route:?} {policy}"
        );
        for (name, value) in
            [("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin")]
        {
            assert_eq!(answer.header(name), Some(value), "{route:?}");
        }
        assert_ne!(answer.status, 500, "{route:?}: {}", answer.text());
        let text = answer.text();
        assert!(!text.contains("<script>") && !text.contains(" onclick="));
    }
}

#[test]
fn every_route_opens_with_its_own_key_alone() {
    let world = world();
    let [organiser, other_organiser] = &world.organisers;
    let [player, other_player] = &world.players;
    let host = world.running.key.as_str();
    let random = "00000000000000000000000000";
    for route in finite() {
        let status = |cookies: &[(&str, &str)]| world.status(&route, cookies);
        let right = match route.needs {
            Needs::Nothing => continue,
            Needs::Host => ("host", host),
            Needs::Organiser => ("desk", organiser.as_str()),
            Needs::Player => ("mine", player.as_str()),
            // Its key is in the address.
            Needs::Seat => {
                let mut browser = Browser::new(world.running.address);
                for (key, opens) in [
                    (random, false),
                    (host, false),
                    (organiser, false),
                    (player, false),
                    (&world.seat, true),
                ] {
                    let path = world.path(&route).replace(&world.seat, key);
                    let answer = browser.send(route.method, &path, &[], b"");
                    assert_eq!(answer.status != 404, opens, "{route:?}");
                }
                continue;
            }
        };
        for wrong in [
            &[][..],
            &[("host", random), ("desk", random), ("mine", random)],
            &[("desk", other_organiser), ("mine", other_player)],
            &[("host", organiser), ("desk", player), ("mine", organiser)],
        ] {
            assert_eq!(status(wrong), 403, "{route:?} {wrong:?}");
        }
        assert_ne!(status(&[right]), 403, "{route:?}");
        if route.needs == Needs::Organiser {
            assert_ne!(status(&[("host", host)]), 403, "{route:?}");
        }
    }
    // The data have digests of keys alone.
    for (name, bytes) in crate::common::tree(world.data.path()) {
        for key in [host, organiser, player, &world.seat] {
            let is_there = bytes.windows(key.len()).any(|part| part == key.as_bytes());
            assert!(!is_there, "{name}");
        }
    }
    // A visitor is given no cookie.
    let mut visitor = Browser::new(world.running.address);
    for path in ["/", "/deck/shell", "/play", "/assets/home.js"] {
        let page = visitor.get(path);
        assert_eq!((page.status, page.header("set-cookie")), (200, None));
    }
}

#[test]
fn requests_are_small_and_arrive_in_time() {
    let world = world();
    std::thread::scope(|scope| {
        for route in changing() {
            let world = &world;
            scope.spawn(move || {
                let length = |bytes| [("Content-Length", bytes)];
                let large = world.answer(&route, &length("9000000"), b"{");
                assert_eq!(large.status, 413, "{route:?}");
                let chunked = [("Content-Length", ""), ("Transfer-Encoding", "chunked")];
                let part = [b"ffff\r\n".as_slice(), &[b' '; 0xffff], b"\r\n"].concat();
                // An exported form or a match may be larger than a deck.
                let is_long = route.path.ends_with("/import") || route.path == "/api/replay";
                let body = part.repeat(if is_long { 70 } else { 10 });
                let endless = world.answer(&route, &chunked, &body);
                assert_eq!(endless.status, 413, "{route:?}");
                let began = Instant::now();
                assert_eq!(world.answer(&route, &length("50"), b"{").status, 408);
                assert!(began.elapsed() < Duration::from_secs(10), "{route:?}");
            });
        }
    });
    // A head that arrives byte by byte.
    let began = Instant::now();
    let mut line = TcpStream::connect(world.running.address).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    line.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(50));
        if line.write_all(b"a").is_err() {
            break;
        }
    }
    let answer = answer(&mut line);
    assert!(answer.status == 0 || answer.status >= 400, "{answer:?}");
    assert!(began.elapsed() < Duration::from_secs(10));
}
