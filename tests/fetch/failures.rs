//! Whatever a server does, the last good copy stays as it is, byte for byte.

use super::desk::{Desk, list};
use super::server::{Page, Server, gzip, ok, raw};
use crate::common::table;

const GOOD: (&str, &str, usize) = ("good", "2026-06-01", 8);

fn good() -> String {
    list(GOOD.0, GOOD.1, GOOD.2)
}

/// The answer of a row of the table `answers of bad servers`. `to` redirects, `list` sends a list with
/// this day and number of cards, `edit` one with a word replaced, `text` these words; a number is a
/// status.
fn page(what: &str) -> Page {
    let newer = list("newer", "2026-09-01", 8);
    let (whole, zipped) = (newer.as_bytes(), gzip(newer.as_bytes()));
    let coded =
        |coding: &str, body: &[u8]| raw("200 OK", &format!("Content-Encoding: {coding}\r\n"), body);
    let half = |answer: Vec<u8>, body: &[u8]| answer[..answer.len() - body.len() / 2].to_vec();
    let after =
        |head: &str, body: &[u8]| [b"HTTP/1.1 200 OK\r\n", head.as_bytes(), b"\r\n", body].concat();
    Page::Raw(match what {
        "half a body" => half(raw("200 OK", "", whole), whole),
        "half a gzip body" => half(coded("gzip", &zipped), &zipped),
        "half a chunked body" => after(
            "Transfer-Encoding: chunked\r\n",
            b"20\r\nschema: decklaw/banlist/1\nid: newe\r\n",
        ),
        "a length that is too short" => {
            let (part, rest) = whole.split_at(newer.find("banned").unwrap() + 3);
            [raw("200 OK", "", part), rest.to_vec()].concat()
        }
        "a length that is none" => after("Content-Length: many\r\n", b"x"),
        "a body without an end" => after("Connection: close\r\n", whole),
        "a slow body" => return Page::Drip(after("Content-Length: 4096\r\n", b"")),
        "a slow head" => return Page::Drip(b"HTTP/1.1 200 OK\r\n".to_vec()),
        "gzip that is none" => coded("gzip", whole),
        "gzip with a tail" => coded("gzip", &[&zipped[..], b"tail"].concat()),
        "a gzip bomb" => coded("gzip", &gzip(&vec![b' '; 64 << 20])),
        "an encoding not asked for" => coded("br", whole),
        "a huge length" => after("Content-Length: 1099511627776\r\n", whole),
        "a huge body" => {
            let chunk = [b"100000\r\n", &vec![b'#'; 1 << 20][..], b"\r\n"].concat();
            after("Transfer-Encoding: chunked\r\n", &chunk.repeat(6))
        }
        "HTML by its type" => raw("200 OK", "Content-Type: text/html; charset=utf-8\r\n", whole),
        "bytes of no text" => coded("identity", b"\xff\xfe\x00"),
        "a card twice" => raw("200 OK", "", (newer.clone() + "  - card 1\n").as_bytes()),
        "not HTTP" => b"220 mail.example ESMTP\r\n".to_vec(),
        "silence" => Vec::new(),
        "204 No Content" | "302 Found" | "304 Not Modified" => raw(what, "", b""),
        "206 Partial Content" => raw(what, "", &whole[..whole.len() / 2]),
        status if status.starts_with(|first: char| first.is_ascii_digit()) => {
            raw(status, "", whole)
        }
        words => {
            let (kind, rest) = words.split_once(' ').unwrap();
            let (one, other) = rest.split_once(' ').unwrap_or_default();
            let body = match kind {
                "to" => return Page::Raw(raw("302 Found", &format!("Location: {rest}\r\n"), b"")),
                "list" => list("another", one, other.parse().unwrap()),
                "edit" => newer.replace(one, other),
                _ => rest.to_owned(),
            };
            raw("200 OK", "", body.as_bytes())
        }
    })
}

#[test]
fn nothing_good_is_ever_lost() {
    let server = Server::start();
    server.put("/list.yaml", ok(&good()));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &["new: good", "8 cards"]);
    let kept = desk.kept();
    assert_eq!(kept["official/2026-06-01.yaml"], good().as_bytes());
    for (from, to) in [("/round-a", "to /round-b"), ("/round-b", "to /round-a")] {
        server.put(from, page(to));
    }
    for row in table("answers of bad servers") {
        let (what, word) = row.split_once(" | ").unwrap();
        let what: String = serde_json::from_str(&format!("\"{what}\"")).unwrap();
        server.put("/list.yaml", page(&what));
        let said = desk.fetch(&["--timeout", "1"]);
        assert_eq!(said.status, 1, "{what}: {}{}", said.out, said.err);
        assert!(said.out.contains(word), "{what}: {}", said.out);
        assert!(said.out.contains("kept: good"), "{what}: {}", said.out);
        assert_eq!(desk.kept(), kept, "{what}");
    }
    server.put("/list.yaml", ok(&good()));
    desk.fetch(&[]).expect(0, &["unchanged: good"]);
}

#[test]
fn a_server_that_is_gone_changes_nothing() {
    let server = Server::start();
    server.put("/list.yaml", ok(&good()));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &[]);
    let kept = desk.kept();
    // Port 1 of this machine has no server.
    desk.configure("lists:\n  official: {url: 'http://127.0.0.1:1/list.yaml'}\n");
    desk.fetch(&[]).expect(1, &["no connection", "kept: good"]);
    assert_eq!(desk.kept(), kept);
    // HTTPS to a server that does not speak it.
    let https = server.url("/list.yaml").replace("http:", "https:");
    desk.configure(&format!("lists:\n  official: {{url: '{https}'}}\n"));
    desk.fetch(&[]).expect(1, &["no connection", "kept: good"]);
    assert_eq!(desk.kept(), kept);
}

#[test]
fn offline_asks_nobody() {
    let server = Server::start();
    server.put("/list.yaml", ok(&good()));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&["--offline"]).expect(1, &["--offline", "no copy is kept"]);
    desk.fetch(&[]).expect(0, &[]);
    server.asked();
    let kept = desk.kept();
    desk.fetch(&["--offline"]).expect(1, &["--offline", "kept: good"]);
    assert!(server.asked().is_empty());
    assert_eq!(desk.kept(), kept);
}

#[test]
fn a_folder_cannot_turn_a_trusted_name_elsewhere() {
    let server = Server::start();
    server.put("/list.yaml", ok(&good()));
    server.put("/evil.yaml", ok(&list("evil", "2026-09-01", 8)));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &["new: good"]);
    let kept = desk.kept();
    let brought = |name: &str, path: &str| {
        let url = server.url(path);
        desk.write("decklaw.yaml", &format!("lists: {{{name}: {{url: '{url}'}}}}"));
    };
    brought("official", "/evil.yaml");
    desk.fetch(&[]).expect(2, &["official", "another name"]);
    assert_eq!(desk.kept(), kept);
    brought("official", "/list.yaml");
    desk.fetch(&[]).expect(0, &["unchanged: good"]);
    brought("theirs", "/evil.yaml");
    desk.fetch(&[]).expect(0, &["unchanged: good"]);
}

#[test]
fn a_copy_that_was_damaged_is_named() {
    let server = Server::start();
    server.put("/list.yaml", ok(&good()));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &[]);
    let state = desk.path("configuration/fetched/official/state.json");
    std::fs::write(&state, "{").unwrap();
    desk.fetch(&[]).expect(2, &["state.json", "delete the file"]);
    std::fs::remove_file(&state).unwrap();
    desk.fetch(&[]).expect(0, &["unchanged"]);
    let copy = desk.path("configuration/fetched/official/2026-06-01.yaml");
    std::fs::write(&copy, "id: [").unwrap();
    desk.fetch(&[]).expect(2, &["2026-06-01.yaml"]);
}
