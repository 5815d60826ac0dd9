//! The desk: an organiser's evening without a script, and what is taken out of it.

use super::support::{BROKEN, Browser, LEGAL, Running, event, start};
use decklaw::serve::{export, import};
use std::process::Command;

fn server() -> (Running, tempfile::TempDir) {
    let data = tempfile::tempdir().unwrap();
    (start(data.path(), |_| ()), data)
}

fn hand_in(
    running: &Running,
    path: &str,
    name: &str,
    deck: &str,
    action: &str,
) -> (Browser, String) {
    let mut player = Browser::new(running.address);
    let page = player.form(path, &[("name", name), ("deck", deck), ("do", action)]);
    let text = page.text();
    (player, text)
}

#[test]
fn a_player_hands_in_changes_it_and_is_locked_out() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(
        &mut host,
        &[("due", "2999-01-01T18:00"), ("zone", "+01:00")],
    );
    let mut player = Browser::new(running.address);
    let page = player.get(&path).text();
    assert!(
        page.contains("Friday") && page.contains("18:00 (+01:00)"),
        "{page}"
    );
    // The verdict comes before anything is handed in.
    let checked = player
        .form(&path, &[("name", "Ada"), ("deck", BROKEN), ("do", "check")])
        .text();
    assert!(
        checked.contains("illegal") && !checked.contains("Handed in"),
        "{checked}"
    );
    let refused = player
        .form(
            &path,
            &[("name", "Ada"), ("deck", BROKEN), ("do", "hand-in")],
        )
        .text();
    assert!(refused.contains("Hand in as it is, illegal") && !refused.contains("Handed in"));
    let receipt = player
        .form(
            &path,
            &[("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")],
        )
        .text();
    assert!(
        receipt.contains("Handed in") && receipt.contains("#key="),
        "{receipt}"
    );
    let hash = receipt
        .split("class=\"hash\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    assert_eq!(hash.len(), 64);
    // The link opens the deck in another browser, too.
    let key = receipt
        .split("#key=")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let mut phone = Browser::new(running.address);
    let mine = format!("{path}/mine");
    assert_eq!(phone.get(&mine).status, 403);
    let entered = phone.form(
        &format!("{path}/enter"),
        &[("key", &key.to_uppercase()), ("next", &mine)],
    );
    assert_eq!(
        (entered.status, entered.header("location")),
        (303, Some(mine.as_str()))
    );
    assert!(phone.get(&mine).text().contains("Ada"));
    let changed = phone
        .form(&mine, &[("deck", BROKEN), ("do", "anyway")])
        .text();
    assert!(
        changed.contains("version 2") && changed.contains("illegal"),
        "{changed}"
    );
    // Nobody takes the name of another.
    let (_, taken) = hand_in(&running, &path, " ADA ", LEGAL, "hand-in");
    assert!(
        taken.contains("handed in under this name already"),
        "{taken}"
    );
    // Locked is locked.
    assert_eq!(
        host.form(&format!("{path}/desk/all"), &[("do", "lock")])
            .status,
        303
    );
    let locked = phone.form(&mine, &[("deck", LEGAL), ("do", "hand-in")]);
    assert_eq!(locked.status, 409);
    assert!(locked.text().contains("locked"));
    assert!(!phone.get(&mine).text().contains("version 3"));
}

#[test]
fn what_is_late_is_marked_or_refused() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let past = [("due", "2020-01-01T18:00"), ("zone", "Z")];
    let (marks, _) = event(&mut host, &[past[0], past[1], ("late", "mark")]);
    let (refuses, _) = event(&mut host, &[past[0], past[1], ("late", "refuse")]);
    let (_, marked) = hand_in(&running, &marks, "Ada", LEGAL, "hand-in");
    assert!(
        marked.contains("Handed in") && marked.contains("class=\"late\""),
        "{marked}"
    );
    let (_, refused) = hand_in(&running, &refuses, "Ada", LEGAL, "hand-in");
    assert!(
        refused.contains("takes nothing late") && !refused.contains("Handed in"),
        "{refused}"
    );
}

#[test]
fn one_player_sees_nothing_of_another_before_it_is_published() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[("players", "Ada\nBen\nCy")]);
    let (mut ada, _) = hand_in(&running, &path, "Ada", LEGAL, "hand-in");
    let (_, _) = hand_in(&running, &path, "Ben", BROKEN, "anyway");
    for page in [
        path.clone(),
        format!("{path}/mine"),
        format!("{path}/results"),
        "/".to_owned(),
    ] {
        let text = ada.get(&page).text();
        assert!(
            !text.contains("Ben") && !text.contains("All the Sprites"),
            "{page}: {text}"
        );
    }
    assert_eq!(ada.get(&format!("{path}/results")).status, 403);
    assert_eq!(
        host.form(&format!("{path}/desk/all"), &[("do", "publish")])
            .status,
        303
    );
    assert!(ada.get(&format!("{path}/results")).text().contains("Ben"));
}

#[test]
fn an_organisers_evening() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, key) = event(&mut host, &[("players", "Ada\nBen\nCy")]);
    hand_in(&running, &path, "Ada", LEGAL, "hand-in");
    hand_in(&running, &path, "Ben", BROKEN, "anyway");
    hand_in(&running, &path, "Dee", LEGAL, "hand-in");
    let mut desk = Browser::new(running.address);
    let page = format!("{path}/desk");
    assert_eq!(
        desk.form(&format!("{path}/enter"), &[("key", &key), ("next", &page)])
            .status,
        303
    );
    let text = desk.get(&page).text();
    for told in [
        "illegal <b>1</b>",
        "legal <b>2</b>",
        "missing <b>1</b>",
        "not on the list",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let missing = desk.get(&format!("{page}?show=missing")).text();
    assert!(
        missing.contains("Cy") && !missing.contains("<bdi>Ada</bdi>"),
        "{missing}"
    );
    // Enter a deck for who cannot, and check one at the table.
    let of = |name: &str| {
        let before = text.split(&format!("<bdi>{name}</bdi>")).next().unwrap();
        before
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        desk.form(&of("Cy"), &[("do", "enter"), ("deck", LEGAL)])
            .status,
        303
    );
    assert!(desk.get(&of("Cy")).text().contains("by the organiser"));
    let same = desk
        .form(&of("Ada"), &[("do", "check"), ("deck", LEGAL)])
        .text();
    assert!(same.contains("The same deck"), "{same}");
    let other = desk
        .form(&of("Ada"), &[("do", "check"), ("deck", BROKEN)])
        .text();
    assert!(
        other.contains("Not the deck that was handed in") && other.contains("→"),
        "{other}"
    );
    let link = desk.form(&of("Ben"), &[("do", "key")]).text();
    assert!(link.contains("/mine#key="));
    // What was done stands in its order, and fits.
    let audit = desk.get(&format!("{page}/audit")).text();
    assert!(audit.contains("all of them fit"), "{audit}");
    for what in ["open", "hand-in", "deck-check", "new-key"] {
        assert!(audit.contains(&format!("<b>{what}</b>")), "{what}: {audit}");
    }
    let code = desk.get(&format!("{page}/code.svg"));
    assert!(
        code.text().starts_with("<svg") && code.header("content-type") == Some("image/svg+xml")
    );
    let sheets = desk.get(&format!("{page}/sheets")).text();
    assert_eq!(sheets.matches("<h1>Deck registration</h1>").count(), 4);
    let slips = desk.get(&format!("{page}/slips")).text();
    assert_eq!(slips.matches("<h1>Deck check</h1>").count(), 4);
    let book = desk.get(&format!("{page}/export/decks.xlsx"));
    assert!(book.body.starts_with(b"PK"), "{}", book.text());
    // No more decks.
    desk.form(&format!("{path}/desk/all"), &[("do", "close")]);
    let (_, closed) = hand_in(&running, &path, "Eve", LEGAL, "hand-in");
    assert!(closed.contains("takes no more decks") && !closed.contains("Handed in"));
}

#[test]
fn another_list_is_shown_before_it_is_applied() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    // A sample list of the game, which applies only where it is named.
    let lists = decklaw::banlist::Lists::default().of("shell").unwrap();
    let Some((list, banned)) = lists.iter().find_map(|list| {
        let entry = list
            .entries
            .iter()
            .find(|entry| matches!(entry.status, decklaw::banlist::Status::Banned))?;
        Some((list.id.clone(), entry.name.clone()))
    }) else {
        panic!("there is no list that bans a card");
    };
    let (path, _) = event(&mut host, &[]);
    let deck = format!("Main\n1 {banned}\n");
    hand_in(&running, &path, "Ada", &deck, "anyway");
    hand_in(&running, &path, "Ben", LEGAL, "hand-in");
    let shown = host
        .form(
            &format!("{path}/desk/list"),
            &[("list", &list), ("do", "show")],
        )
        .text();
    assert!(shown.contains("What another banlist changes"), "{shown}");
    assert!(
        host.get(&format!("{path}/desk"))
            .text()
            .contains("<dd>none</dd>")
    );
    assert_eq!(
        host.form(
            &format!("{path}/desk/list"),
            &[("list", &list), ("do", "apply")]
        )
        .status,
        303
    );
    let desk = host.get(&format!("{path}/desk")).text();
    assert!(desk.contains(&format!("<dd>{list}</dd>")), "{desk}");
    let ada = desk.split("<bdi>Ada</bdi>").nth(1).unwrap();
    assert!(ada.contains("illegal"), "{ada}");
}

#[test]
fn an_event_that_is_taken_out_says_what_the_command_says_and_goes_in_again() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(
        &mut host,
        &[
            ("due", "2999-01-01T18:00"),
            ("zone", "+01:00"),
            ("players", "Zoe"),
        ],
    );
    let id = path.rsplit('/').next().unwrap();
    let (mut ada, _) = hand_in(&running, &path, "Ada, the \"First\"", LEGAL, "hand-in");
    hand_in(&running, &path, "Ben", BROKEN, "anyway");
    let pasted = "3x Moss Sprite\n2x Rain Caller (SAMPLE)\n";
    hand_in(&running, &path, "Çağla", pasted, "anyway");
    ada.form(
        &format!("{path}/mine"),
        &[("deck", BROKEN), ("do", "anyway")],
    );
    let files = export(data.path(), id, &super::support::judge).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in &files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let check = |more: &[&str]| {
        let call = [
            "check",
            "--submissions",
            "submissions.csv",
            "--deadline",
            "2999-01-01T18:00+01:00",
            "--late",
            "last",
            "--as-of",
            "2026-03-01",
            "--banlist",
            "none",
        ];
        Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(call)
            .args(more)
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path())
            .output()
            .unwrap()
    };
    let file = |name: &str| {
        files
            .iter()
            .find(|(known, _)| known == name)
            .unwrap()
            .1
            .clone()
    };
    let told = check(&["-o", "ndjson"]);
    assert_eq!(
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&file("verdicts.ndjson"))
    );
    assert_eq!(
        file("verdicts.ndjson")
            .iter()
            .filter(|byte| **byte == b'\n')
            .count(),
        3
    );
    let told = check(&["-o", "csv-excel", "--summary"]);
    assert_eq!(
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&file("decks.csv"))
    );
    // The desk gives the same.
    let download = host.get(&format!("{path}/desk/export/verdicts.ndjson"));
    assert_eq!(download.body, file("verdicts.ndjson"));

    let elsewhere = tempfile::tempdir().unwrap();
    let event = file("event.json");
    assert_eq!(import(elsewhere.path(), &event).unwrap(), id);
    assert!(
        import(elsewhere.path(), &event)
            .unwrap_err()
            .to_string()
            .contains("already")
    );
    assert_eq!(
        export(elsewhere.path(), id, &super::support::judge).unwrap(),
        files
    );
    // The player's own link opens it there, too.
    let moved = start(elsewhere.path(), |_| ());
    ada.address = moved.address;
    assert!(
        ada.get(&format!("{path}/mine"))
            .text()
            .contains("version 2")
    );

    // What was changed on the way is refused.
    let text = String::from_utf8(event).unwrap();
    let hash = text
        .split("\"hash\": \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let other = hash.replace(|c: char| c == hash.chars().next().unwrap(), "0");
    for (from, to) in [
        (
            "\"verdict\": \"illegal\"",
            "\"verdict\": \"illegal\"".to_owned(),
        ),
        (hash, other),
        (
            "\"what\": \"hand-in\"",
            "\"what\": \"handed-in\"".to_owned(),
        ),
    ] {
        let changed = text.replacen(from, &to, if from == hash { 1000 } else { 1 });
        let fresh = tempfile::tempdir().unwrap();
        let imported = import(fresh.path(), changed.as_bytes());
        assert_eq!(imported.is_ok(), changed == text, "{from}");
    }
}
