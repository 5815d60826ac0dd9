//! An interruption of a call that writes files.
#![cfg(unix)]

use crate::common::command;
use std::process::Command;

#[test]
fn an_interruption_leaves_no_half_written_file() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("out.json"), "the last good one").unwrap();
    let call = ["check", "-", "-o", "json=out.json", "--replace"];
    let mut child = command(folder.path(), &call)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"Format: any\n").unwrap();
    // The deck never ends; the draft is there once the program waits for it.
    let draft = || std::fs::read_dir(folder.path()).unwrap().count() == 2;
    while !draft() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
    let text = std::fs::read_to_string(folder.path().join("out.json")).unwrap();
    assert_eq!(text, "the last good one");
}
