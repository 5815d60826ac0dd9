//! What a pseudo-terminal gets.
#![cfg(unix)]

use crate::common::command;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;

#[test]
fn what_is_no_text_never_goes_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "Format: any\n\n1 A\n").unwrap();
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let device = || {
        let name = std::ffi::OsStr::from_bytes(name.as_bytes());
        File::options().read(true).write(true).open(name).unwrap()
    };
    for call in [
        &["check", "a.txt", "-o", "xlsx"][..],
        &["cards", "list", "--format", "shell", "-o", "xlsx"],
    ] {
        let ran = command(folder.path(), call).stdout(device()).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{call:?}: {said}");
        assert!(said.contains("-o xlsx=FILE.xlsx"), "{said}");
    }
}
