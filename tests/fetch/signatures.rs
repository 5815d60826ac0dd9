//! Signed lists: keys and signatures are made here, by the crate that signs.

use crate::desk::{Desk, list};
use crate::server::{Page, Server, ok};
use minisign::KeyPair;

fn keys() -> KeyPair {
    KeyPair::generate_unencrypted_keypair().unwrap()
}

fn sign(keys: &KeyPair, text: &str) -> String {
    minisign::sign(Some(&keys.pk), &keys.sk, text.as_bytes(), None, None)
        .unwrap()
        .into_string()
}

#[test]
fn a_list_with_a_key_must_be_signed_by_it() {
    let (own, other) = (keys(), keys());
    let server = Server::start();
    let june = list("june", "2026-06-01", 4);
    let july = list("july", "2026-07-01", 4);
    server.put("/list.yaml", ok(&june));
    server.put("/list.yaml.minisig", ok(&sign(&own, &june)));
    let key = format!("    key: {}\n", own.pk.to_base64());
    let desk = Desk::with_list(&server.url("/list.yaml"), &key);
    desk.fetch(&[]).expect(0, &["new: june", "signed"]);
    let kept = desk.kept();

    server.put("/list.yaml", ok(&july));
    let good = sign(&own, &july);
    let changed = good.replace("trusted comment: ", "trusted comment: x");
    let legacy = good.replacen("RU", "RW", 1);
    for (what, signature, word) in [
        (
            "of the list before",
            Some(sign(&own, &june)),
            "does not fit",
        ),
        ("by another key", Some(sign(&other, &july)), "another key"),
        ("with a changed comment", Some(changed), "does not fit"),
        (
            "that is none",
            Some("Yours, the publisher".to_owned()),
            "no minisign signature",
        ),
        (
            "that is empty",
            Some(String::new()),
            "no minisign signature",
        ),
        ("that is too long", Some("x".repeat(5000)), "must be signed"),
        ("that is missing", None, "404"),
        (
            "cut short",
            Some(good[..good.len() / 2].to_owned()),
            "no minisign signature",
        ),
        ("of another kind", Some(legacy), "signature"),
    ] {
        match signature {
            Some(text) => server.put("/list.yaml.minisig", ok(&text)),
            None => server.remove("/list.yaml.minisig"),
        }
        let said = desk.fetch(&["--accept-older", "--accept-shrunken"]);
        assert_eq!(said.status, 1, "{what}: {}", said.out);
        assert!(said.out.contains(word), "{what}: {}", said.out);
        assert_eq!(desk.kept(), kept, "{what}");
    }
    server.put("/list.yaml.minisig", ok(&good));
    // A body that was swapped after it was signed.
    server.put("/list.yaml", ok(&july.replace("Card 4", "Card 5")));
    desk.fetch(&[]).expect(1, &["does not fit"]);
    assert_eq!(desk.kept(), kept);
    server.put("/list.yaml", ok(&july));
    desk.fetch(&[]).expect(0, &["new: july", "signed"]);
}

#[test]
fn a_key_that_comes_later_verifies_what_was_there() {
    let own = keys();
    let server = Server::start();
    let june = list("june", "2026-06-01", 4);
    server.put("/list.yaml", Page::Versioned(june.clone(), "\"1\"", "-"));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &["new: june"]);
    server.asked();
    let key = own.pk.to_base64();
    let before = desk.kept();
    // Nothing vouches for the copy yet, so the server may not say that it is unchanged.
    desk.fetch(&["--key", &key]).expect(1, &["must be signed"]);
    assert_eq!(server.asked()[0].value("if-none-match"), None);
    assert_eq!(desk.kept(), before);
    server.put("/list.yaml.minisig", ok(&sign(&own, &june)));
    desk.fetch(&["--key", &key])
        .expect(0, &["unchanged: june", "signed"]);
    server.asked();
    desk.fetch(&["--key", &key])
        .expect(0, &["unchanged: june", "signed"]);
    assert_eq!(server.asked()[0].value("if-none-match"), Some("\"1\""));
}

#[test]
fn an_address_that_was_signed_stays_signed() {
    let own = keys();
    let server = Server::start();
    let june = list("june", "2026-06-01", 4);
    server.put("/list.yaml?v=1", ok(&june));
    server.put("/list.yaml.minisig?v=1", ok(&sign(&own, &june)));
    let desk = Desk::new();
    let url = server.url("/list.yaml?v=1");
    std::fs::write(
        desk.path("work/publisher.pub"),
        own.pk.to_box().unwrap().into_string(),
    )
    .unwrap();
    desk.run(&["banlist", "fetch", &url, "--key", "publisher.pub"])
        .expect(0, &["new: june", "signed"]);
    server.put("/list.yaml?v=1", ok(&list("july", "2026-07-01", 4)));
    desk.run(&["banlist", "fetch", &url])
        .expect(1, &["does not fit", "kept: june"]);
}

#[test]
fn a_signature_vouches_for_a_body_without_an_end() {
    let own = keys();
    let server = Server::start();
    let june = list("june", "2026-06-01", 4);
    let mut bytes = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    bytes.extend(june.as_bytes());
    server.put("/list.yaml", Page::Raw(bytes));
    server.put("/list.yaml.minisig", ok(&sign(&own, &june)));
    let key = format!("    key: {}\n", own.pk.to_base64());
    let desk = Desk::with_list(&server.url("/list.yaml"), &key);
    desk.fetch(&[]).expect(0, &["new: june"]);
}
