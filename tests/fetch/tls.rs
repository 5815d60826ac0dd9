//! Lists over HTTPS from a server on this machine, whose certificates are made anew.

use crate::desk::{Desk, list};
use crate::server::raw;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;

/// An authority that nobody else knows.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new(name: &str) -> Authority {
        let mut about = CertificateParams::default();
        about.distinguished_name.push(DnType::CommonName, name);
        about.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Authority(CertifiedIssuer::self_signed(about, key).unwrap())
    }

    fn pem(&self) -> String {
        self.0.pem()
    }

    /// Serves a list for ever, with a certificate for a name; the port.
    fn serves(&self, name: &str, validity: [i32; 2], list: String) -> u16 {
        let mut about = CertificateParams::new([name.to_owned()]).unwrap();
        about.not_before = rcgen::date_time_ymd(validity[0], 1, 1);
        about.not_after = rcgen::date_time_ymd(validity[1], 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = about.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        let tls = Arc::new(tls);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let reply = raw("200 OK", "Content-Type: text/plain\r\n", list.as_bytes());
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let session = rustls::ServerConnection::new(Arc::clone(&tls)).unwrap();
                let mut stream = rustls::StreamOwned::new(session, socket.unwrap());
                // A client that does not believe hangs up here.
                let head = BufReader::new(&mut stream).lines();
                let asked = head.map_while(Result::ok).any(|line| line.is_empty());
                if asked && stream.write_all(&reply).is_ok() {
                    stream.conn.send_close_notify();
                    let _ = stream.flush();
                }
            }
        });
        port
    }
}

/// A desk whose configuration names a list with an authority's file.
fn desk(url: &str, authority: &Authority) -> Desk {
    let desk = Desk::with_list(url, "    ca: office.pem\n");
    let file = desk.path("configuration/office.pem");
    std::fs::write(file, authority.pem()).unwrap();
    desk
}

const VALID: [i32; 2] = [2000, 4000];

#[test]
fn an_authority_of_ones_own_vouches_for_the_server() {
    let authority = Authority::new("Office");
    let june = list("june", "2026-06-01", 4);
    let port = authority.serves("localhost", VALID, june.clone());
    let url = format!("https://localhost:{port}/list.yaml");
    desk(&url, &authority).fetch(&[]).expect(0, &["new: june"]);
    // By its number as well, where the certificate is for that.
    let port = authority.serves("127.0.0.1", VALID, june);
    let url = format!("https://127.0.0.1:{port}/list.yaml");
    desk(&url, &authority).fetch(&[]).expect(0, &["new: june"]);
}

#[test]
fn a_server_that_proves_nothing_is_refused_and_the_copy_stands() {
    let (ours, other) = (Authority::new("Office"), Authority::new("Stranger"));
    let june = || list("june", "2026-06-01", 4);
    let good = ours.serves("localhost", VALID, june());
    let url = |port: u16| format!("https://localhost:{port}/list.yaml");
    for (port, said) in [
        (
            other.serves("localhost", VALID, list("july", "2026-07-01", 5)),
            "nobody that is trusted vouches for its certificate",
        ),
        (
            ours.serves("elsewhere.example", VALID, list("july", "2026-07-01", 5)),
            "its certificate is for another name",
        ),
        (
            ours.serves("localhost", [2000, 2020], list("july", "2026-07-01", 5)),
            "its certificate has expired",
        ),
        (
            ours.serves("localhost", [3000, 4000], list("july", "2026-07-01", 5)),
            "its certificate is not valid yet",
        ),
    ] {
        let desk = desk(&url(good), &ours);
        desk.fetch(&[]).expect(0, &["new: june"]);
        let kept = desk.kept();
        desk.configure(&format!(
            "lists:\n  official:\n    url: {}\n    ca: office.pem\n",
            url(port)
        ));
        desk.fetch(&[]).expect(1, &[said, "kept: june"]);
        assert_eq!(desk.kept(), kept);
    }
    // Without the authority's file nobody vouches for the good server either.
    let bare = Desk::with_list(&url(good), "");
    bare.fetch(&[])
        .expect(1, &["`ca: FILE.pem`", "no copy is kept"]);
}

#[test]
fn an_authority_that_is_none_is_a_mistake_of_the_configuration() {
    let authority = Authority::new("Office");
    let port = authority.serves("localhost", VALID, list("june", "2026-06-01", 4));
    let url = format!("https://localhost:{port}/list.yaml");
    let desk = desk(&url, &authority);
    let file = desk.path("configuration/office.pem");
    for (text, said) in [
        ("", "no certificate in PEM"),
        ("no certificate", "no certificate in PEM"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "cannot be used",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        desk.fetch(&[]).expect(2, &["office.pem: ", said]);
    }
    std::fs::remove_file(&file).unwrap();
    desk.fetch(&[]).expect(2, &["office.pem: "]);
}
