//! Registration sheets.

use super::decklaw;
use std::process::Command;

/// `cargo test --test program -- --ignored`, where chromium and pdfinfo are.
#[test]
#[ignore = "needs chromium and pdfinfo"]
fn the_biggest_decks_print_on_a_page_each() {
    let decks = ["decks/shell", "decks/versus", "decks/vastrix"];
    let ran = decklaw(&[&["print"], &decks[..], &["--sheet"]].concat(), b"");
    let pages = ran.out.matches("<h1>").count();
    let folder = tempfile::tempdir().unwrap();
    for size in ["letter", "A4"] {
        let sized = ran.out.replace("@page {", &format!("@page {{ size: {size};"));
        let (html, pdf) = (folder.path().join("s.html"), folder.path().join("s.pdf"));
        std::fs::write(&html, sized).unwrap();
        let printed = Command::new("chromium")
            .args(["--headless", "--no-sandbox", "--no-pdf-header-footer"])
            .arg(format!("--print-to-pdf={}", pdf.display()))
            .arg(&html)
            .output()
            .unwrap();
        assert!(printed.status.success());
        let info = Command::new("pdfinfo").arg(&pdf).output().unwrap();
        let info = String::from_utf8(info.stdout).unwrap();
        let count = info.lines().find_map(|line| line.strip_prefix("Pages:"));
        assert_eq!(count.unwrap().trim(), pages.to_string(), "{size}");
    }
}
