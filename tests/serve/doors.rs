//! The security of every route as a table.

use super::support::{Browser, LEGAL, Running, answer, event, lay, raw, start};
use decklaw::serve::{Needs, Route, routes};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A server with an event and a deck of it, and a path for each route.
struct World {
    running: Running,
    _data: tempfile::TempDir,
    host: Browser,
    /// Of the event, and of another one.
    organisers: [String; 2],
    players: [String; 2],
    path: String,
    /// A table, and the key of its seat B.
    table: String,
    seat: String,
}

fn world() -> World {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.patience = Duration::from_millis(400)
    });
    let mut host = Browser::host(&running);
    let mut events = Vec::new();
    let mut players = Vec::new();
    for _ in 0..2 {
        let (path, key) = event(&mut host, &[]);
        let mut player = Browser::new(running.address);
        let page = player.form(
            &path,
            &[("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")],
        );
        assert!(page.text().contains("Handed in"), "{}", page.text());
        let id = path.rsplit('/').next().unwrap();
        players.push(player.cookies[&format!("decklaw-mine-{id}")].clone());
        events.push((path, key));
    }
    let path = events[0].0.clone();
    let visitor = Browser::new(running.address);
    let laid = lay(visitor, &[("format", "vastrix"), ("option-players", "3")]);
    World {
        table: laid.id.clone(),
        seat: laid.keys["B"].clone(),
        running,
        _data: data,
        host,
        organisers: [events[0].1.clone(), events[1].1.clone()],
        players: players.try_into().unwrap(),
        path,
    }
}

impl World {
    fn path(&self, route: &Route) -> String {
        let id = self.path.rsplit('/').next().unwrap();
        let parts = [
            ("{event}", id),
            ("{*format}", "shell"),
            ("{name}", "base.css"),
            (
                "{part}",
                if route.needs == Needs::Seat {
                    "view"
                } else {
                    "decks.csv"
                },
            ),
            ("{table}", &self.table),
            ("{key}", &self.seat),
        ];
        parts
            .iter()
            .fold(route.path.to_owned(), |path, (part, value)| {
                path.replace(part, value)
            })
    }

    /// A browser with some cookies more, and nothing of the host's.
    fn with(&self, cookies: &[(&str, &str)]) -> Browser {
        let mut browser = Browser::new(self.running.address);
        let id = self.path.rsplit('/').next().unwrap();
        for (kind, key) in cookies {
            let name = match *kind {
                "host" => "decklaw-host".to_owned(),
                kind => format!("decklaw-{kind}-{id}"),
            };
            browser.cookies.insert(name, (*key).to_owned());
        }
        browser
    }
}

/// Routes, but for those that never end.
fn finite() -> impl Iterator<Item = Route> {
    routes()
        .into_iter()
        .filter(|route| !route.path.ends_with("/changes"))
}

#[test]
fn no_route_answers_to_another_name() {
    let world = world();
    for route in routes() {
        for host in [
            "evil.example",
            "evil.example:80",
            "localhost",
            "127.0.0.2:1",
            "127.0.0.1",
        ] {
            let path = world.path(&route);
            let answer = raw(
                world.running.address,
                &world
                    .host
                    .request(route.method, &path, &[("Host", host)], b""),
            );
            assert_eq!(answer.status, 421, "{} {path} as {host}", route.method);
        }
    }
}

#[test]
fn nothing_is_changed_from_another_page() {
    let world = world();
    let own = format!("http://{}", world.running.address);
    let cases: [(&str, &[(&str, &str)]); 5] = [
        ("another origin", &[("Origin", "https://evil.example")]),
        ("an origin that is none", &[("Origin", "null")]),
        ("no origin", &[("Origin", "")]),
        (
            "another site",
            &[("Origin", ""), ("Sec-Fetch-Site", "cross-site")],
        ),
        (
            "a page of the same site",
            &[("Origin", &own), ("Sec-Fetch-Site", "same-site")],
        ),
    ];
    for route in routes().into_iter().filter(|route| route.method != "GET") {
        let path = world.path(&route);
        for (case, head) in cases {
            let request = world.host.request(route.method, &path, head, b"{}");
            let answer = raw(world.running.address, &request);
            let told = answer.text();
            assert_eq!(
                answer.status, 403,
                "{} {path} with {case}: {told}",
                route.method
            );
        }
    }
}

#[test]
fn bodies_are_small_and_arrive_in_time() {
    let world = world();
    std::thread::scope(|scope| {
        for route in routes().into_iter().filter(|route| route.method != "GET") {
            let (world, path) = (&world, world.path(&route));
            scope.spawn(move || {
                let with = |more: &[(&str, &str)], body: &[u8]| {
                    world.host.request(route.method, &path, more, body)
                };
                let told = raw(
                    world.running.address,
                    &with(&[("Content-Length", "9000000")], b"{"),
                );
                assert_eq!(told.status, 413, "{path}: {}", told.text());
                let chunked = [("Content-Length", ""), ("Transfer-Encoding", "chunked")];
                let part = [b"ffff\r\n".as_slice(), &vec![b' '; 0xffff], b"\r\n"].concat();
                // A form's export may be larger than a deck.
                let parts = if path.ends_with("/import") { 70 } else { 10 };
                let untold = raw(world.running.address, &with(&chunked, &part.repeat(parts)));
                assert_eq!(untold.status, 413, "{path}: {}", untold.text());
                let began = Instant::now();
                let slow = raw(
                    world.running.address,
                    &with(&[("Content-Length", "50")], b"{"),
                );
                assert_eq!(slow.status, 408, "{path}: {}", slow.text());
                assert!(began.elapsed() < Duration::from_secs(10), "{path}");
            });
        }
    });
}

#[test]
fn a_head_that_drips_is_not_waited_for() {
    let world = world();
    let began = Instant::now();
    let mut line = TcpStream::connect(world.running.address).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    line.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(50));
        if line.write_all(b"a").is_err() {
            break;
        }
    }
    let told = answer(&mut line);
    assert!(told.status == 0 || told.status >= 400, "{told:?}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn every_route_opens_with_its_own_key_alone() {
    let world = world();
    let [organiser, other_organiser] = &world.organisers;
    let [player, other_player] = &world.players;
    let host = world.running.key.as_str();
    let random = "00000000000000000000000000";
    for route in finite() {
        let path = world.path(&route);
        let ask = |cookies: &[(&str, &str)]| {
            let mut browser = world.with(cookies);
            browser.send(route.method, &path, &[], b"").status
        };
        let none = ask(&[]);
        let all_wrong = ask(&[("host", random), ("desk", random), ("mine", random)]);
        let others = ask(&[("desk", other_organiser), ("mine", other_player)]);
        // A player's key is none of an organiser's, nor the other way round.
        let mixed = ask(&[("host", organiser), ("desk", player), ("mine", organiser)]);
        let right = match route.needs {
            // Its key is in the address: see below.
            Needs::Nothing | Needs::Seat => continue,
            Needs::Host => ask(&[("host", host)]),
            Needs::Organiser => ask(&[("desk", organiser)]),
            Needs::Player => ask(&[("mine", player)]),
        };
        assert_eq!(
            [none, all_wrong, others, mixed],
            [403; 4],
            "{} {path}",
            route.method
        );
        assert_ne!(right, 403, "{} {path}", route.method);
        if route.needs == Needs::Organiser {
            assert_ne!(ask(&[("host", host)]), 403, "{} {path}", route.method);
        }
    }
    for route in finite().filter(|route| route.needs == Needs::Seat) {
        let path = world.path(&route);
        let mut browser = Browser::new(world.running.address);
        for key in [random, host, organiser, player] {
            let path = path.replace(&world.seat, key);
            let told = browser.send(route.method, &path, &[], b"");
            assert_eq!(told.status, 404, "{} {path}", route.method);
        }
        let told = browser.send(route.method, &path, &[], b"");
        assert_ne!(told.status, 404, "{} {path}", route.method);
    }
}

#[test]
fn every_answer_loads_nothing_from_elsewhere() {
    let world = world();
    let mut host = world.host.clone();
    for route in finite() {
        let answer = host.send(route.method, &world.path(&route), &[], b"");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{} {policy}",
            route.path
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{}",
            route.path
        );
        assert_eq!(
            answer.header("referrer-policy"),
            Some("same-origin"),
            "{}",
            route.path
        );
        assert_ne!(
            answer.status,
            500,
            "{} {}: {}",
            route.method,
            route.path,
            answer.text()
        );
        let text = answer.text();
        assert!(
            !text.contains("<script>") && !text.contains(" onclick="),
            "{}",
            route.path
        );
    }
}

#[test]
fn a_key_is_never_in_the_data() {
    let world = world();
    let mut found = Vec::new();
    let mut folders = vec![world._data.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
        {
            match file.is_dir() {
                true => folders.push(file),
                false => found.extend(std::fs::read(file).unwrap()),
            }
        }
    }
    for key in [
        &world.running.key,
        &world.organisers[0],
        &world.players[0],
        &world.seat,
    ] {
        assert!(!found.windows(key.len()).any(|part| part == key.as_bytes()));
    }
}
