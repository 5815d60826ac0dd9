//! The exit statuses of every command: 0 legal, or done; 1 not legal, or no; 2 a wrong call or file.

use super::{decklaw, folder, root};

const EBB: &str = "decks/shell/ebb.txt";
const BROKEN: &str = "decks/shell/overspent.txt";

/// Calls in the folder of the samples, with their statuses.
fn calls() -> Vec<(u8, Vec<&'static str>)> {
    let each = |status: u8, calls: &[&[&'static str]]| -> Vec<(u8, Vec<&'static str>)> {
        calls.iter().map(|call| (status, call.to_vec())).collect()
    };
    [
        each(
            0,
            &[
                &["check", EBB],
                &["fix", EBB],
                &["fix", BROKEN],
                &["room", BROKEN],
                &["swap", EBB, "in: \"Rainward Lodge\" 1"],
                &["build", "vastrix"],
                &["odds", BROKEN],
                &["odds", "decks/versus", "1+ [type:trap]"],
                &["tune", EBB, "1+ [mana:1]", "--changes", "1"],
                &["stats", "decks"],
                &["convert", EBB, "--to-format", "link"],
                &["print", EBB, "--sheet"],
                &["match", "new", "vastrix", "--seed", "a"],
                &["explain", "points"],
                &["explain", "queries"],
                &["explain", "decks"],
                &["cards", "list", "--format", "shell"],
                &["cards", "search", "--format", "shell", "mana:1"],
                &["cards", "show", "--format", "shell", "Moss Sprite"],
                &[
                    "cards",
                    "check",
                    "--format",
                    "shell",
                    "formats/shell/cards.csv",
                ],
                &["cards", "template", "shell"],
                &["cards", "export", "--cockatrice", "--format", "shell"],
                &["formats", "list"],
                &["formats", "show", "shell"],
                &["formats", "check", "formats/shell"],
                &["banlist", "list"],
                &["banlist", "show", "vainqueur-sample-2026-07"],
                &["banlist", "check", "banlists/shell/sample-2026-01.yaml"],
                &[
                    "banlist",
                    "diff",
                    "vainqueur-sample-2026-01",
                    "vainqueur-sample-2026-07",
                ],
                &["completions", "fish"],
                &["man"],
                &["--help"],
                &["help", "check"],
            ],
        ),
        each(
            1,
            &[
                &["check", BROKEN],
                &["check", "decks"],
                &["fix", "README.md"],
                &["build", "versus/fast", "--wish", "99+ []"],
                &["odds", "README.md"],
                &["stats", "README.md"],
                &["convert", "README.md", "--to-format", "text"],
                &["match", "new", "shell", "--deck", BROKEN, "--deck", EBB],
                &["match", "verify", "README.md"],
                &["cards", "show", "--format", "shell", "Nobody"],
                &["cards", "check", "--format", "shell", "README.md"],
                &["formats", "check", "banlists/shell/sample-2026-01.yaml"],
                &["banlist", "check", "formats/shell/game.yaml"],
                &[
                    "banlist",
                    "fetch",
                    "--offline",
                    "https://example.org/list.yaml",
                ],
            ],
        ),
        each(
            2,
            &[
                &[],
                &["juggle"],
                &["check"],
                &["check", "nowhere.txt"],
                &["check", "nowhere/*.txt"],
                &["check", EBB, "--set", "copys=3"],
                &["stream", "--format", "chess"],
                &["fix", EBB, "--keep", "mana>=x"],
                &["room", EBB, "--format", "chess"],
                &["swap", EBB, "out of my mind"],
                &["build", "chess"],
                &["edit"],
                &["odds", EBB, "1+ [typ:x]"],
                &["odds", EBB, "--hand", "seven"],
                &["tune", EBB],
                &["stats", EBB, "--section", "attic"],
                &["convert", EBB],
                &["print", "--paper", "napkin"],
                &["match", "new", "vastrix", "--option", "chess=1"],
                &["match", "decide", "nowhere.json", "{}"],
                &["match", "view", "README.md", "--seat", "Z"],
                &["match", "next", "README.md", "--won", "Z"],
                &["match", "play", "nowhere.json"],
                &["match", "export", "README.md"],
                &["explain", "nothing"],
                &["cards", "list", "--format", "shell", "mana>=x"],
                &["cards", "template"],
                &["formats", "show", "chess"],
                &["formats", "new", "Not-An-Id"],
                &["banlist", "show", "nowhere"],
                &["banlist", "fetch"],
                &["banlist", "lock", "chess"],
                &["serve", "--port", "none"],
                &["publish", "chess", "nowhere"],
                &["event", "status", "nowhere"],
                &["event", "new", "nowhere/x", "--deadline", "never"],
                &["completions", "abacus"],
            ],
        ),
    ]
    .concat()
}

#[test]
fn every_command_ends_with_the_status_of_the_interface() {
    let mut wrong = Vec::new();
    for (status, call) in calls() {
        let output = decklaw(root(), &call);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() != Some(i32::from(status)) {
            wrong.push(format!("{call:?}: {:?}: {said}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_event_ends_with_the_status_of_the_interface() {
    let folder = folder(&[
        (
            "form.csv",
            b"Player,Decklist\nAnn,\"Format: any\nMain\n7 Ant\"\n",
        ),
        ("same.txt", b"Format: any\n\nMain\n7 Ant\n"),
        ("other.txt", b"Format: any\n\nMain\n6 Ant\n"),
    ]);
    for (status, call) in [
        (0, "event new cup --format any"),
        (2, "event new cup --format any"),
        (1, "event import cup form.csv"),
        (0, "event import cup form.csv --yes"),
        (0, "event status cup"),
        (0, "event export cup"),
        (0, "event print cup"),
        (0, "event stats cup"),
        (0, "event check cup Ann same.txt"),
        (1, "event check cup Ann other.txt"),
        (2, "event check cup Nobody same.txt"),
        (0, "event decide cup e001 late"),
        (2, "event decide cup e001 sing"),
        (2, "event print cup --only nobody"),
    ] {
        let words: Vec<&str> = call.split(' ').collect();
        let output = decklaw(folder.path(), &words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{call}: {said}");
    }
}
