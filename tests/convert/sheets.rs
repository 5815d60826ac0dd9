//! Registration sheets.

use super::{decklaw, hash};
use std::path::Path;
use std::process::Command;

#[test]
fn a_sheet_has_a_page_for_each_deck() {
    let call = ["print", "decks/shell", "--sheet", "--as-of", "2026-02-03"];
    let ran = decklaw(&call, b"");
    assert_eq!(ran.status, 0, "{}", ran.told);
    let decks = std::fs::read_dir("decks/shell").unwrap().count();
    assert_eq!(ran.out.matches("<h1>Deck registration</h1>").count(), decks);
    let ebb = hash(Path::new("decks/shell/ebb.txt"), &[]);
    for part in [
        &*ebb,
        "Ines Marlow",
        "side deck",
        "<strong>illegal</strong>",
        "<strong>legal</strong>",
        "2026-02-03 as shell",
        "Judge, date",
        "(points",
    ] {
        assert!(ran.out.contains(part), "{part}");
    }
    assert_eq!(decklaw(&call, b"").out, ran.out, "the same bytes again");
}

#[test]
fn hostile_names_are_harmless() {
    let deck = "Format: any\nName: <script>alert(1)</script>\nPlayer: \u{202e}evil\nEvent: \"><img src=x>\n\nMain\n1 </table><script>\n2 بطاقة\n";
    let ran = decklaw(&["print", "-", "--sheet"], deck.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.told);
    assert!(
        !ran.out.contains("<script") && !ran.out.contains("<img") && !ran.out.contains('\u{202e}')
    );
    assert!(ran.out.contains("&lt;script&gt;") && ran.out.contains("<bdi>بطاقة</bdi>"));
    assert!(!ran.out.contains("http"), "it loads nothing");
}

#[test]
fn an_unreadable_deck_has_a_page_that_says_why() {
    let ran = decklaw(
        &["print", "-", "decks/shell/ebb.txt", "--sheet"],
        b"Format: shell\n\nHat\n1 Pip\n",
    );
    assert_eq!(ran.status, 1);
    assert!(
        ran.out.contains("<strong>unreadable</strong>") && ran.out.contains("`Hat` is no section")
    );
    assert!(
        ran.out.contains("Ines Marlow"),
        "the others are still there"
    );
    assert!(ran.told.contains("-: "), "{}", ran.told);
}

#[test]
fn long_decks_are_set_closer_and_every_page_says_whose_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (cards, class) in [(20, "open"), (80, "close"), (150, "dense")] {
        let lines: String = (0..cards).map(|card| format!("1 Card {card}\n")).collect();
        let deck = format!("Format: any\nName: Tide & Ebb\nPlayer: Ana\n\nMain\n{lines}");
        let path = folder.path().join(format!("{class}.txt"));
        std::fs::write(&path, deck).unwrap();
        let call = ["print", path.to_str().unwrap(), "--sheet"];
        let ran = decklaw(&call, b"");
        assert!(
            ran.out.contains(&format!("<section class=\"{class}\">")),
            "{class}"
        );
        // What a printer repeats at the top of each page.
        let head = "<header><div><bdi>Ana</bdi> · <bdi>Tide &amp; Ebb</bdi></div></header>";
        assert!(ran.out.contains(head), "{}", ran.out);
    }
}

/// `cargo test --test convert -- --ignored`, where chromium and pdfinfo are.
#[test]
#[ignore = "needs chromium and pdfinfo"]
fn the_biggest_decks_print_on_a_page_each() {
    let decks = ["decks/shell", "decks/versus", "decks/vastrix"];
    let ran = decklaw(&[&["print"], &decks[..], &["--sheet"]].concat(), b"");
    let pages = ran.out.matches("<h1>").count();
    let folder = tempfile::tempdir().unwrap();
    for size in ["letter", "A4"] {
        let sized = ran
            .out
            .replace("@page {", &format!("@page {{ size: {size};"));
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
