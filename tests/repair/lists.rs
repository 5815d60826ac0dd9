//! Lists and queries that `fix` and `build` are given.

use crate::command::{run, text};

#[test]
fn cards_of_a_list_that_no_game_has_are_named_and_not_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let list = "# core\n2 Moss Sprite\n\n3 Rain Callr\n";
    std::fs::write(folder.path().join("core.txt"), list).unwrap();
    for option in ["--use", "--near"] {
        let output = run(folder.path(), &["build", "shell", option, "core.txt"]);
        assert_eq!(output.status.code(), Some(2), "{option}: {output:?}");
        assert!(output.stdout.is_empty());
        let said = text(&output.stderr);
        assert!(said.contains("core.txt: line 4, column 3: "), "{said}");
        assert!(
            said.contains("`Rain Callr`; did you mean Rain Caller"),
            "{said}"
        );
    }
    // Where unknown cards are no error, the list is taken as it is.
    let lenient = [
        "build",
        "shell",
        "--use",
        "core.txt",
        "--set",
        "unknown=notice",
    ];
    let output = run(folder.path(), &lenient);
    assert!(output.status.success(), "{output:?}");
    assert!(
        text(&output.stdout).contains("3 Rain Callr\n"),
        "{output:?}"
    );
}
