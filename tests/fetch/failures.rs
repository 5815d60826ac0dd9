//! Whatever a server does, the last good copy stays as it is, byte for byte.

use crate::desk::{Desk, list};
use crate::server::{Page, Server, gzip, ok, raw};

const GOOD: (&str, &str, usize) = ("good", "2026-06-01", 8);

fn good() -> String {
    list(GOOD.0, GOOD.1, GOOD.2)
}

/// What a server may say, and words of the reason that is given.
fn bad_pages(server: &Server) -> Vec<(&'static str, Page, &'static str)> {
    let newer = list("newer", "2026-09-01", 8);
    let half = &newer.as_bytes()[..newer.len() / 2];
    let head = |length: usize, more: &str| {
        format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n{more}\r\n")
            .into_bytes()
    };
    let cut = |whole: &[u8], more: &str| {
        let mut bytes = head(whole.len(), more);
        bytes.extend(&whole[..whole.len() / 2]);
        Page::Raw(bytes)
    };
    let coded = |body: &[u8], coding: &str| {
        Page::Raw(raw(
            "200 OK",
            &format!("Content-Encoding: {coding}\r\n"),
            body,
        ))
    };
    let to = |place: &str| Page::Raw(raw("302 Found", &format!("Location: {place}\r\n"), b""));
    let zipped = gzip(newer.as_bytes());
    let bomb = gzip(&vec![b' '; 64 << 20]);
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nschema: decklaw/banlist/1\nid: newe\r\n".to_vec();
    let mut unmarked = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    unmarked.extend(newer.as_bytes());
    let mut huge = head(1 << 40, "");
    huge.extend(newer.as_bytes());
    let mut endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for _ in 0..6 {
        endless.extend(b"100000\r\n");
        endless.extend(vec![b'#'; 1 << 20]);
        endless.extend(b"\r\n");
    }
    let html = "<!doctype html><title>Log in</title>";
    let page = Page::Raw(raw(
        "200 OK",
        "Content-Type: text/html; charset=utf-8\r\n",
        newer.as_bytes(),
    ));
    server.put("/round-a", to("/round-b"));
    server.put("/round-b", to("/round-a"));
    vec![
        (
            "404",
            Page::Raw(raw("404 Not Found", "", newer.as_bytes())),
            "404",
        ),
        (
            "500",
            Page::Raw(raw("500 Oh No", "", newer.as_bytes())),
            "500",
        ),
        ("204", Page::Raw(raw("204 No Content", "", b"")), "204"),
        (
            "206",
            Page::Raw(raw("206 Partial Content", "", half)),
            "206",
        ),
        ("a redirect loop", to("/round-a"), "more than 5 redirects"),
        (
            "a redirect to plain HTTP",
            to("http://example.org/list"),
            "not HTTPS",
        ),
        (
            "a redirect to a file",
            to("file:///etc/hostname"),
            "not HTTPS",
        ),
        (
            "a redirect with a password",
            to("https://a:b@example.org/"),
            "password",
        ),
        (
            "a redirect to nowhere",
            Page::Raw(raw("302 Found", "", b"")),
            "without saying where",
        ),
        ("half a body", cut(newer.as_bytes(), ""), "broke off"),
        (
            "half a gzip body",
            cut(&zipped, "Content-Encoding: gzip\r\n"),
            "broke off",
        ),
        ("half a chunked body", Page::Raw(chunked), "broke off"),
        (
            "a length that is too short",
            {
                let mut bytes = head(newer.find("banned").unwrap() + 3, "");
                bytes.extend(newer.as_bytes());
                Page::Raw(bytes)
            },
            "malformed",
        ),
        (
            "a length that is none",
            Page::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nx".to_vec()),
            "no connection",
        ),
        (
            "a body without an end",
            Page::Raw(unmarked),
            "where the list ends",
        ),
        (
            "a slow body",
            Page::Drip(head(4096, "")),
            "within 1 seconds",
        ),
        (
            "a slow head",
            Page::Drip(b"HTTP/1.1 200 OK\r\n".to_vec()),
            "within 1 seconds",
        ),
        (
            "gzip that is none",
            coded(newer.as_bytes(), "gzip"),
            "broke off",
        ),
        (
            "gzip with a tail",
            coded(&[&zipped[..], b"tail"].concat(), "gzip"),
            "broke off",
        ),
        (
            "a gzip bomb",
            coded(&bomb, "gzip"),
            "more than 4194304 bytes",
        ),
        (
            "an encoding not asked for",
            coded(newer.as_bytes(), "br"),
            "`br`",
        ),
        ("a huge length", Page::Raw(huge), "more than 4194304 bytes"),
        ("a huge body", Page::Raw(endless), "more than 4194304 bytes"),
        ("nothing", ok(""), "sent nothing"),
        ("white space", ok(" \r\n\t\n"), "sent nothing"),
        ("HTML by its type", page, "web page"),
        ("HTML by its text", ok(html), "web page"),
        (
            "HTML after a BOM",
            ok(&format!("\u{feff}\n {html}")),
            "web page",
        ),
        ("no YAML", ok("{{{{"), "malformed"),
        ("other YAML", ok("a: b\n"), "malformed"),
        (
            "bytes of no text",
            coded(b"\xff\xfe\x00", "identity"),
            "UTF-8",
        ),
        (
            "another schema",
            ok(&newer.replace("banlist/1", "banlist/2")),
            "schema",
        ),
        (
            "a card twice",
            ok(&(newer.clone() + "  - card 1\n")),
            "keep one of them",
        ),
        (
            "another game",
            ok(&newer.replace("vainqueur", "shell")),
            "shell",
        ),
        (
            "a game of nowhere",
            ok(&newer.replace("vainqueur", "chess")),
            "chess",
        ),
        (
            "an older list",
            ok(&list("older", "2026-05-31", 8)),
            "older",
        ),
        (
            "a list of no cards",
            ok(&list("newer", "2026-09-01", 0)),
            "no card",
        ),
        (
            "a shrunken list",
            ok(&list("newer", "2026-09-01", 3)),
            "less than half",
        ),
        (
            "not HTTP",
            Page::Raw(b"220 mail.example ESMTP\r\n".to_vec()),
            "no connection",
        ),
        ("silence", Page::Raw(Vec::new()), "no connection"),
    ]
}

#[test]
fn nothing_good_is_ever_lost() {
    let server = Server::start();
    server.put("/list.yaml", ok(&good()));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &["new: good", "8 cards"]);
    let kept = desk.kept();
    assert_eq!(kept["official/2026-06-01.yaml"], good().as_bytes());
    for (what, page, word) in bad_pages(&server) {
        server.put("/list.yaml", page);
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
    desk.fetch(&["--offline"])
        .expect(1, &["--offline", "no copy is kept"]);
    desk.fetch(&[]).expect(0, &[]);
    server.asked();
    let kept = desk.kept();
    desk.fetch(&["--offline"])
        .expect(1, &["--offline", "kept: good"]);
    assert!(server.asked().is_empty());
    assert_eq!(desk.kept(), kept);
}

#[test]
fn addresses_must_be_safe() {
    let desk = Desk::new();
    for (url, word) in [
        ("http://example.org/list.yaml", "not HTTPS"),
        ("ftp://example.org/list.yaml", "not HTTPS"),
        ("file:///etc/passwd", "not HTTPS"),
        ("https://user:secret@example.org/list.yaml", "password"),
        ("https://", "no address"),
        ("://x", "no address"),
    ] {
        desk.run(&["banlist", "fetch", url])
            .expect(1, &[word, "no copy is kept"]);
    }
    assert_eq!(desk.kept().len(), 0);
}

#[test]
fn a_wrong_call_is_said() {
    let desk = Desk::new();
    for (arguments, word) in [
        (&["banlist", "fetch"][..], "required"),
        (&["banlist", "fetch", "--all"], "nothing to fetch"),
        (&["banlist", "fetch", "nowhere"], "no address"),
        (
            &["banlist", "fetch", "https://example.org/", "--all"],
            "cannot be used",
        ),
        (
            &["banlist", "fetch", "https://example.org/", "--timeout", "0"],
            "0",
        ),
    ] {
        desk.run(arguments).expect(2, &[word]);
    }
    for (configuration, word) in [
        ("lists: {../up: {url: 'https://example.org/'}}", "../up"),
        ("lists: {Up: {url: 'https://example.org/'}}", "Up"),
        ("lists: {up: {}}", "url"),
        ("lists: {up: {url: 'https://example.org/', kee: x}}", "kee"),
    ] {
        desk.configure(configuration);
        desk.run(&["banlist", "fetch", "--all"]).expect(2, &[word]);
    }
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
        desk.write(
            "decklaw.yaml",
            &format!("lists: {{{name}: {{url: '{url}'}}}}"),
        );
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
    desk.fetch(&[])
        .expect(2, &["state.json", "delete the file"]);
    std::fs::remove_file(&state).unwrap();
    desk.fetch(&[]).expect(0, &["unchanged"]);
    let copy = desk.path("configuration/fetched/official/2026-06-01.yaml");
    std::fs::write(&copy, "id: [").unwrap();
    desk.fetch(&[]).expect(2, &["2026-06-01.yaml"]);
}
