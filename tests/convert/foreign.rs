//! What other programs write, and what is refused of it.

use super::{decklaw, text_of};

#[test]
fn a_list_with_headings_totals_and_marks() {
    let deck = "****** My Deck List ******\n\n##Pokémon - 5\n\n* 2 Pikachu\n* 3x Raichu (ABC) 12 *F* #fast\n\n##Trainer Cards - 2\n• 2 Ball\n\nTotal Cards - 7\n";
    let ran = text_of("pasted", "any", deck);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (
            0,
            "Format: any\n\nPokémon\n2 Pikachu\n3 Raichu\n\nTrainer cards\n2 Ball\n"
        )
    );
}

#[test]
fn headings_are_told_what_they_mean() {
    let deck = "##Boys - 1\n1 Squire Without a Lord\n##Girls - 2\n2 Penny-Bright Page\n";
    let call = [
        "convert",
        "-",
        "--from",
        "pasted",
        "--format",
        "vainqueur",
        "--to-format",
        "text",
    ];
    let plain = decklaw(&call, deck.as_bytes());
    assert_eq!(plain.status, 1);
    assert!(
        plain
            .told
            .contains("line 1, column 1: `Boys` is no section"),
        "{}",
        plain.told
    );
    assert!(
        plain
            .told
            .contains("line 3, column 1: `Girls` is no section"),
        "{}",
        plain.told
    );
}

#[test]
fn sections_as_other_programs_mark_them() {
    let deck = "Name: Tide\n// Shells\n1 Azure Keep\n=== Main ===\n3 Moss Sprite\n#Extra\n1 Pip\nSB: 2 Rain Caller\n!side\n1 Verdant Spire\n";
    let ran = text_of("pasted", "shell", deck);
    assert_eq!(ran.status, 0, "{}", ran.told);
    assert_eq!(
        ran.out,
        "Format: shell\nName: Tide\n\nShells\n1 Azure Keep\n\nMain\n3 Moss Sprite\n\nExtra\n1 Pip\n\nSide\n2 Rain Caller\n1 Verdant Spire\n"
    );
}

#[test]
fn what_is_not_understood_is_said_with_its_line() {
    for (deck, line, said) in [
        ("3 Moss Sprite\nSnacks\n1 Pip\n", 2, "no section"),
        (
            "## Main - 4\n- 3 Moss Sprite\n",
            1,
            "should have `4` cards, but has 3",
        ),
        (
            "3 Moss Sprite\nTotal - 4\n",
            2,
            "should have `4` cards, but has 3",
        ),
        ("- Moss Sprite\n", 1, "no count"),
        ("0 Moss Sprite\n", 1, "not a whole number"),
        ("Name: a\nName: b\n1 Pip\n", 2, "given twice"),
    ] {
        let ran = text_of("pasted", "shell", deck);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{deck}");
        let place = format!("-: line {line}, column ");
        assert!(
            ran.told.contains(&place) && ran.told.contains(said),
            "{deck}: {}",
            ran.told
        );
    }
}

#[test]
fn a_name_that_the_pool_knows_keeps_its_brackets() {
    let cards = tempfile::tempdir().unwrap();
    let file = cards.path().join("cards.csv");
    std::fs::write(&file, "name,id\nAgent (ABC),12\nAgent,0013\nNumberless,\n").unwrap();
    let cards = format!("any={}", file.display());
    let call = [
        "convert",
        "-",
        "--format",
        "any",
        "--cards",
        &cards,
        "--to-format",
        "list",
        "--from",
    ];
    let pasted = [&call[..], &["pasted"]].concat();
    let ran = decklaw(&pasted, b"1 Agent (ABC)\n2 Agent (XYZ) 7\n3 Agent SUM 24\n");
    assert_eq!(ran.out, "1 Agent (ABC)\n2 Agent\n3 Agent\n", "{}", ran.told);
    let ydk = [&call[..], &["ydk"]].concat();
    let ran = decklaw(&ydk, b"#created by me\n#main\n12\n13\n0012\n");
    assert_eq!(ran.out, "2 Agent (ABC)\n1 Agent\n", "{}", ran.told);
    let ran = decklaw(&ydk, b"#main\n99\nAgent\n0\n");
    assert_eq!(ran.status, 1);
    assert!(
        ran.told
            .contains("line 2, column 1: No card has the number `99`"),
        "{}",
        ran.told
    );
    assert!(
        ran.told.contains("line 3, column 1: `Agent` is neither"),
        "{}",
        ran.told
    );
    assert!(
        ran.told.contains("line 4, column 1: No card"),
        "{}",
        ran.told
    );
}

#[test]
fn numbers_without_a_pool_that_has_them_are_refused() {
    let ran = text_of("ydk", "shell", "#main\n12\n!side\n13\n");
    assert_eq!(ran.status, 1);
    assert!(ran.told.contains("column `id`"), "{}", ran.told);
}

#[test]
fn xml_of_two_programs() {
    let cod = "<?xml version=\"1.0\"?>\n<cockatrice_deck version=\"1\"><lastLoadedTimestamp>x</lastLoadedTimestamp><deckname>A &amp; B</deckname><comments>Player: Ann\nsomething else: here</comments>\n<zone name=\"main\"><card number=\"3\" price=\"0\" name=\"Moss Sprite\"/></zone><zone name=\"side\"><card number=\"1\" name=\"Pip\"/></zone></cockatrice_deck>";
    let ran = text_of("cod", "shell", cod);
    assert_eq!(
        ran.out, "Format: shell\nName: A & B\nPlayer: Ann\n\nMain\n3 Moss Sprite\n\nSide\n1 Pip\n",
        "{}",
        ran.told
    );
    let dek = "<deck version=\"0.8\"><meta><game>x</game></meta><superzone name=\"Deck\"><card><name id=\"1\">Moss Sprite</name><set>a</set></card><card><name>Pip</name></card><card><name>Moss Sprite</name></card></superzone><superzone name=\"Sideboard\"><card><name>Pip</name></card></superzone></deck>";
    let ran = text_of("dek", "shell", dek);
    assert_eq!(
        ran.out, "Format: shell\n\nMain\n2 Moss Sprite\n1 Pip\n\nSide\n1 Pip\n",
        "{}",
        ran.told
    );
}

#[test]
fn hostile_xml_is_refused() {
    let bomb = "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<cockatrice_deck><deckname>&b;</deckname></cockatrice_deck>";
    let file = "<!DOCTYPE d [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><cockatrice_deck><deckname>&a;</deckname></cockatrice_deck>";
    let tower = "<zone>".repeat(200_000);
    let quoted = format!("<cockatrice_deck>{}", "<a b='/>'>".repeat(100_000));
    for deck in [
        bomb,
        file,
        &tower,
        &quoted,
        "",
        "<cockatrice_deck>",
        "<cockatrice_deck><hat/></cockatrice_deck>",
        "<cockatrice_deck><zone name='hat'><card number='1' name='Pip'/></zone></cockatrice_deck>",
        "<cockatrice_deck><zone name='main'><card number='-1' name='Pip'/></zone></cockatrice_deck>",
        "<cockatrice_deck><zone name='main'><card name='Pip'/></zone></cockatrice_deck>",
        "<cockatrice_deck><zone name='main'><card number='1'/></zone></cockatrice_deck>",
    ] {
        let ran = text_of("cod", "shell", deck);
        let start: String = deck.chars().take(60).collect();
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{start}");
        assert!(ran.told.contains("-: line "), "{start}: {}", ran.told);
    }
    let ran = text_of("cod", "shell", "<cockatrice_deck>\n <zone></hat>\n");
    assert!(ran.told.contains("-: line 2, column 8: "), "{}", ran.told);
}

#[test]
fn tables_in_any_order_and_with_any_mark() {
    for deck in [
        "count,name,section\n3,Moss Sprite,Main\n1,\"Pip\",side\n",
        "\u{feff}Section;Name;Count\r\nMain;Moss Sprite;3\r\nside;Pip;1\r\n",
        "name\tcount\tsection\nMoss Sprite\t3\t\nPip\t1\tSideboard\n",
    ] {
        let ran = text_of("csv", "shell", deck);
        assert_eq!(
            ran.out, "Format: shell\n\nMain\n3 Moss Sprite\n\nSide\n1 Pip\n",
            "{}",
            ran.told
        );
    }
    for (deck, said) in [
        (
            "count,name,weight\n1,Pip,2\n",
            "line 1, column 1: `weight` is no column",
        ),
        ("name,section\nPip,main\n", "no column `count`"),
        (
            "count,name,section\n1,Pip,hat\n",
            "line 2, column 1: `hat` is no section",
        ),
        (
            "count,name,section\n\n\n1,Pip,hat\n",
            "line 4, column 1: `hat`",
        ),
        ("count,name\n1.5,Pip\n", "line 2"),
        ("count,name\n1,Pip, the Small\n", "3 cells"),
        ("count,name\n1,\n", "no name"),
        ("", "no column `count`"),
    ] {
        let ran = text_of("csv", "shell", deck);
        assert_eq!(ran.status, 1, "{deck}");
        assert!(ran.told.contains(said), "{deck}: {}", ran.told);
    }
}

#[test]
fn an_extension_tells_and_a_text_that_is_plainly_a_table_is_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("deck.csv");
    std::fs::write(&table, "count,name\n1,Squire Without a Lord\n").unwrap();
    let plain = folder.path().join("deck.txt");
    std::fs::write(&plain, "count,name\n1,Squire Without a Lord\n").unwrap();
    let check = |path: &std::path::Path| {
        decklaw(
            &["check", path.to_str().unwrap(), "--format", "vainqueur"],
            b"",
        )
        .status
    };
    assert_eq!((check(&table), check(&plain)), (0, 0));
    let folder = folder.path().to_str().unwrap();
    let ran = decklaw(
        &["check", folder, "--format", "vainqueur", "-o", "ndjson"],
        b"",
    );
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
}

#[test]
fn every_games_cards_may_have_the_numbers_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cards.csv");
    let cards = "name,type,colour,mana,viable,id\nMoss Sprite,spell,green,1,,46986414\nPip,spell,red,2,,7; 0008\nKeep,shell,blue,,,\n";
    std::fs::write(&file, cards).unwrap();
    let path = file.to_str().unwrap();
    let check = decklaw(&["cards", "check", path, "--format", "shell"], b"");
    assert_eq!(check.status, 0, "{}", check.told);
    let call = [
        "convert",
        "-",
        "--from",
        "ydk",
        "--format",
        "shell",
        "--to-format",
        "text",
    ];
    let call = [&call[..], &["--cards", path]].concat();
    let ran = decklaw(&call, b"#main\n46986414\n8\n7\n!side\n46986414\n");
    assert_eq!(
        ran.out, "Format: shell\n\nMain\n1 Moss Sprite\n2 Pip\n\nSide\n1 Moss Sprite\n",
        "{}",
        ran.told
    );
    // Empty lines count.
    let twice = cards.replace("0008", "46986414");
    std::fs::write(&file, twice.replacen('\n', "\n\n\n", 1)).unwrap();
    let ran = decklaw(&call, b"#main\n7\n");
    assert_eq!(ran.status, 2);
    assert!(ran.told.contains("line 5, column `id`"), "{}", ran.told);
}
