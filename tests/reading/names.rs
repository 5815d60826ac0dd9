//! Names as editors and phones write them.

use super::{checked, messages};

const CARDS: &str = "name,type\nMara's Blade,spell\nAnt-Eater,spell\nÆther \"Red\" Fire,spell\n";

fn judged(deck: &str) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cards.csv"), CARDS).unwrap();
    let cards = folder.path().join("cards.csv");
    checked(
        "deck.txt",
        deck.as_bytes(),
        &["--cards", cards.to_str().unwrap()],
    )
}

#[test]
fn a_name_finds_the_card_that_looks_like_it_and_the_hash_is_the_cards_own() {
    let plain = judged("Format: vainqueur\n\n2 Mara's Blade\n1 Ant-Eater\n3 Æther \"Red\" Fire\n");
    let typed = judged(
        "Format: vainqueur\n\n2 Mara’s\u{200b} Blade\n1 Ant–Eater\n3 Aether “Red” \u{fb01}re\n",
    );
    assert_eq!(plain["decks"][0]["hash"], typed["decks"][0]["hash"]);
    assert_eq!(messages(&plain), messages(&typed));
}

#[test]
fn what_two_cards_may_mean_finds_neither() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cards.csv");
    std::fs::write(&path, "name\nMara's Blade\nMara`s Blade\n").unwrap();
    let cards = ["--cards", path.to_str().unwrap()];
    let read = checked(
        "d.txt",
        "Format: vainqueur\n\n1 Mara’s Blade\n".as_bytes(),
        &cards,
    );
    let unknown = &read["decks"][0]["findings"];
    let unknown = unknown.as_array().unwrap();
    assert!(
        unknown
            .iter()
            .any(|finding| finding["rule"] == "unknown-card")
    );
}

#[test]
fn cards_that_look_alike_are_told_where_a_card_file_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("c.csv"), "name\nMara's\nMara’s\n").unwrap();
    let call = ["cards", "check", "c.csv", "--format", "vainqueur"];
    let run = super::decklaw(folder.path(), &call);
    assert!(run.status.success());
    let said = super::text(&run.stderr);
    assert!(
        said.contains("`Mara's` (line 2) and `Mara’s` (line 3) look alike"),
        "{said}"
    );
}

#[test]
fn a_word_that_stands_twice_in_a_cell_is_told_as_what_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let call = ["cards", "check", "c.csv", "--format", "shell"];
    let said = |cells: &str| {
        let head = "name,type,colour,mana,viable";
        std::fs::write(folder.path().join("c.csv"), format!("{head}\n{cells}")).unwrap();
        let run = super::decklaw(folder.path(), &call);
        assert!(run.status.success(), "{}", super::text(&run.stdout));
        super::text(&run.stderr)
    };
    let cells = "A,shell,red,,red;green\nB,shell,red,,red;green;red\nC,shell,red,,blue;Blue\n";
    let told = "`B` (line 3) (1 card more) has `red` twice as its `viable`, which counts once";
    let warned = said(cells);
    assert!(warned.contains(told), "{warned}");
    assert!(!said("A,shell,red,,red;green\n").contains("twice"));
}

#[test]
fn without_a_pool_names_that_look_alike_are_two_cards_with_a_warning() {
    let read = checked(
        "deck.txt",
        "Format: any\n\nMain\n1 Mara's Blade\n2 Ant\n1 Mara’s Blade\n".as_bytes(),
        &[],
    );
    let findings = read["decks"][0]["findings"].as_array().unwrap();
    let warnings = findings.iter().filter(|one| one["severity"] == "warning");
    let lines: Vec<_> = warnings.map(|warning| warning["line"].as_u64()).collect();
    assert_eq!(lines, [Some(4)]);
    assert_eq!(read["decks"][0]["verdict"], "legal");
}

#[test]
fn a_format_without_its_game_is_told_with_it() {
    let read = checked("deck.txt", b"Format: Fast-Shared\n\n1 Pip\n", &[]);
    let told = messages(&read).join("\n");
    assert!(told.contains("did you mean versus/fast-shared?"), "{told}");
}
