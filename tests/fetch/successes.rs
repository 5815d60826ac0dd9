//! Lists that are taken, and what asking again costs.

use super::desk::{Desk, list};
use super::server::{Page, Server, gzip, ok, raw};

const DAY: &str = "Mon, 01 Jun 2026 08:00:00 GMT";

#[test]
fn what_is_unchanged_is_not_sent_again() {
    let server = Server::start();
    let first = list("june", "2026-06-01", 4);
    server.put("/list.yaml", Page::Versioned(first.clone(), "\"one\"", DAY));
    let desk = Desk::with_list(&server.url("/list.yaml"), "    game: vainqueur\n");
    desk.fetch(&[]).expect(0, &["new: june"]);
    let asked = server.asked();
    assert_eq!(asked[0].value("if-none-match"), None);
    assert_eq!(asked[0].value("if-modified-since"), None);
    assert_eq!(asked[0].value("accept-encoding"), Some("gzip"));
    let kept = desk.kept();
    desk.fetch(&[]).expect(0, &["unchanged: june"]);
    let asked = server.asked();
    assert_eq!(asked[0].value("if-none-match"), Some("\"one\""));
    assert_eq!(asked[0].value("if-modified-since"), Some(DAY.to_ascii_lowercase().as_str()));
    assert_eq!(desk.kept(), kept);

    // A copy that is no longer what came is asked for in full, and repaired.
    let copy = desk.path("configuration/fetched/official/2026-06-01.yaml");
    std::fs::write(&copy, first.replace("Card 1", "Card 0")).unwrap();
    desk.fetch(&[]).expect(0, &["new: june"]);
    assert_eq!(server.asked()[0].value("if-none-match"), None);
    assert_eq!(desk.kept(), kept);

    // So is one from another address, though it has the same name.
    server.put("/other.yaml", Page::Versioned(first, "\"one\"", DAY));
    desk.configure(&format!("lists: {{official: {{url: '{}'}}}}", server.url("/other.yaml")));
    desk.fetch(&[]).expect(0, &["unchanged: june"]);
    assert_eq!(server.asked()[0].value("if-none-match"), None);
}

#[test]
fn calls_at_once_all_succeed_and_leave_one_copy() {
    let server = Server::start();
    let body = list("june", "2026-06-01", 40);
    server.put("/list.yaml", ok(&body));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    let results: Vec<String> = std::thread::scope(|scope| {
        let call = || desk.fetch(&["-o", "json"]).expect(0, &[]).json();
        let calls: Vec<_> = (0..4).map(|_| scope.spawn(call)).collect();
        let results = calls.into_iter().map(|call| call.join().unwrap());
        results.map(|report| report["lists"][0]["result"].to_string()).collect()
    });
    let new = results.iter().filter(|result| *result == "\"new\"");
    assert_eq!(new.count(), 1, "{results:?}");
    assert_eq!(desk.kept()["official/2026-06-01.yaml"], body.as_bytes());
}

#[test]
fn a_list_comes_in_every_honest_shape() {
    let server = Server::start();
    let body = list("june", "2026-06-01", 40);
    let mut chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for part in body.as_bytes().chunks(100) {
        chunked.extend(format!("{:x}\r\n", part.len()).as_bytes());
        chunked.extend(part);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    let zip = raw("200 OK", "Content-Encoding: gzip\r\n", &gzip(body.as_bytes()));
    let moved = raw("301 Moved Permanently", "Location: list.yaml?x=1\r\n", b"");
    server.put("/plain", ok(&body));
    server.put("/bom", ok(&format!("\u{feff}{body}")));
    server.put("/chunked", Page::Raw(chunked));
    server.put("/zip", Page::Raw(zip));
    server.put("/moved", Page::Raw(moved));
    server.put("/list.yaml?x=1", ok(&body));
    for path in ["/plain", "/bom", "/chunked", "/zip", "/moved"] {
        let desk = Desk::with_list(&server.url(path), "");
        desk.fetch(&[]).expect(0, &["new: june", "40 cards"]);
        let kept = desk.kept();
        let bytes = &kept["official/2026-06-01.yaml"];
        assert!(bytes.ends_with(body.as_bytes()), "{path}");
    }
    let local = server.url("/plain").replace("127.0.0.1", "localhost");
    Desk::with_list(&local, "").fetch(&[]).expect(0, &["new: june"]);
}

#[test]
fn check_judges_by_the_list_that_was_fetched() {
    let server = Server::start();
    let june = list("june", "2026-06-01", 4).replace("Card 1", "Chapel Lynx");
    server.put("/list.yaml", ok(&june));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.write("deck.txt", "Format: vainqueur\n\n1 Chapel Lynx\n");
    let check = |day: &str| desk.run(&["check", "deck.txt", "--as-of", day, "-o", "json"]);
    assert_eq!(check("2026-07-01").json()["decks"][0]["verdict"], "legal");
    desk.fetch(&[]).expect(0, &[]);
    let report = check("2026-07-01").json();
    assert_eq!(report["decks"][0]["verdict"], "illegal");
    assert_eq!(report["rules"]["vainqueur"]["banlist"]["id"], "june");

    // The list of September is announced; that of June is in force until then, though the
    // publisher gives every list the same id.
    let september = list("june", "2026-09-01", 4);
    server.put("/list.yaml", ok(&september));
    desk.fetch(&[]).expect(0, &["new: june", "Chapel Lynx: free again", "Card 1: now banned"]);
    for (day, verdict) in
        [("2026-05-31", "legal"), ("2026-08-31", "illegal"), ("2026-09-01", "legal")]
    {
        assert_eq!(check(day).json()["decks"][0]["verdict"], verdict, "{day}");
    }
    let lists = desk.run(&["banlist", "list", "-o", "json", "--as-of", "2026-08-31"]).json();
    let states: Vec<_> = lists["lists"].as_array().unwrap().iter().collect();
    let state =
        |day: &str| states.iter().find(|list| list["effective"] == day).unwrap()["state"].clone();
    assert_eq!(state("2026-06-01"), "in force");
    assert_eq!(state("2026-09-01"), "not in force");
}

#[test]
fn what_looks_like_a_mistake_is_taken_on_purpose() {
    let server = Server::start();
    server.put("/list.yaml", ok(&list("a", "2026-06-01", 10)));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &[]);
    // Exactly half is no mistake.
    server.put("/list.yaml", ok(&list("b", "2026-07-01", 5)));
    desk.fetch(&[]).expect(0, &["new: b", "5 cards"]);
    server.put("/list.yaml", ok(&list("c", "2026-08-01", 2)));
    desk.fetch(&[]).expect(1, &["less than half"]);
    desk.fetch(&["--replace"]).expect(0, &["new: c", "2 cards"]);
    server.put("/list.yaml", ok(&list("d", "2026-08-02", 0)));
    desk.fetch(&[]).expect(1, &["no card"]);
    desk.fetch(&["--replace"]).expect(0, &["new: d", "0 cards"]);
    // The publisher takes back all since July.
    let b = list("b", "2026-07-01", 6);
    server.put("/list.yaml", ok(&b));
    desk.fetch(&[]).expect(1, &["older"]);
    desk.fetch(&["--replace"]).expect(0, &["new: b", "6 cards"]);
    let kept = desk.kept();
    let names: Vec<&str> = kept.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "official/2026-06-01.yaml",
            "official/2026-07-01.yaml",
            "official/2026-08-01.yaml.withdrawn",
            "official/2026-08-02.yaml.withdrawn",
            "official/state.json",
        ]
    );
    assert_eq!(kept["official/2026-07-01.yaml"], b.as_bytes());
    desk.fetch(&[]).expect(0, &["unchanged: b"]);
    // Another game is another game.
    server.put("/list.yaml", ok(&b.replace("vainqueur", "shell")));
    desk.fetch(&["--replace"]).expect(1, &["it is for shell"]);
}

#[test]
fn each_list_fails_on_its_own() {
    let server = Server::start();
    server.put("/a", ok(&list("a", "2026-06-01", 2)));
    server.put("/c", ok(&list("c", "2026-06-01", 2).replace("vainqueur", "shell")));
    let desk = Desk::new();
    desk.configure(&format!(
        "lists:\n  a: {{url: '{}'}}\n  b: {{url: '{}'}}\n  c: {{url: '{}'}}\n",
        server.url("/a"),
        server.url("/b"),
        server.url("/c")
    ));
    let said = desk.run(&["banlist", "fetch", "--all", "-o", "json"]);
    assert_eq!(said.status, 1);
    let results: Vec<_> = said.json()["lists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|list| (list["name"].clone(), list["result"].clone(), list["list"]["id"].clone()))
        .collect();
    let expected = [("a", "new", Some("a")), ("b", "failed", None), ("c", "new", Some("c"))];
    let expected: Vec<_> =
        expected.map(|(name, result, id)| (name.into(), result.into(), id.into())).into();
    assert_eq!(results, expected);
}

#[test]
fn what_a_server_writes_is_harmless_in_a_terminal() {
    let server = Server::start();
    let body = list("\"\\e[31mred\"", "2026-06-01", 2);
    server.put("/list.yaml", ok(&body));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    let said = desk.fetch(&[]).expect(0, &[]);
    assert!(!said.out.contains('\u{1b}'), "{:?}", said.out);
    server.put("/list.yaml", ok(&body.replace("schema", "\u{1b}[2Jschema")));
    let said = desk.fetch(&[]).expect(1, &[]);
    assert!(!said.out.contains('\u{1b}'), "{:?}", said.out);
}
