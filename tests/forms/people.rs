//! The overview of a form in a terminal.

use super::{decklaw, text};

const DECK: &str = "\"Format: any\n\n1 A\"";

#[test]
fn an_overview_of_300_players_fits_a_screen_and_names_who_broke_what() {
    let mut table = "Timestamp,Name,Deck\n".to_owned();
    for at in 0..300 {
        let deck = match at % 30 {
            0 => "\"Format: vainqueur\n\n1 No Such Card\"",
            1 => "",
            2 => "\"Format: any\n\n0 A\"",
            _ => DECK,
        };
        let hour = if at == 7 { 19 } else { 12 };
        table.push_str(&format!("2026-03-01 {hour}:00,Player {at},{deck}\n"));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("form.csv"), &table).unwrap();
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01T18:00",
    ];
    let shown = text(&decklaw(folder.path(), &call).stdout);
    assert!(shown.lines().count() <= 24, "{shown}");
    for line in [
        "form.csv: 300 rows, 300 players",
        "  unknown-card   10  Player 0 (row 2), Player 30 (row 32),",
        "  no deck        10  Player 1 (row 3),",
        "  late            1  Player 7 (row 9)\n",
        "289 decks: 269 legal, 10 illegal, 10 unreadable; 10 rows without a deck",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(
        shown.lines().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
    let only = text(
        &decklaw(
            folder.path(),
            &[&call[..], &["--only", "illegal,late"]].concat(),
        )
        .stdout,
    );
    assert_eq!(only.matches("  illegal  vainqueur").count(), 10, "{only}");
    assert!(
        only.contains("form.csv row 9  legal") && only.contains("11 of them shown"),
        "{only}"
    );
    assert!(!only.contains("unreadable  Player"), "{only}");
    let table = [
        &call[..],
        &["--only", "illegal,late", "--summary", "-o", "csv"],
    ]
    .concat();
    let table = text(&decklaw(folder.path(), &table).stdout);
    assert_eq!(table.lines().count(), 12, "{table}");
}
