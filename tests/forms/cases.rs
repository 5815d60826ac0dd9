//! The forms of `cases.yaml`.

use super::{checked_in, decklaw, text};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    form: String,
    #[serde(default)]
    options: Vec<String>,
    status: i32,
    #[serde(default)]
    json: BTreeMap<String, Value>,
    #[serde(default)]
    shows: Vec<String>,
    #[serde(default)]
    hides: Vec<String>,
}

#[test]
fn forms_with_faults_say_what_to_do() {
    let cases: Vec<Case> = serde_yaml::from_str(include_str!("cases.yaml")).unwrap();
    for case in cases {
        let folder = tempfile::tempdir().unwrap();
        #[cfg(unix)]
        assert!(
            std::process::Command::new("mkfifo")
                .arg(folder.path().join("pipe.txt"))
                .status()
                .is_ok_and(|status| status.success())
        );
        let parts: Vec<&[u8]> = case.form.split("<E9>").map(str::as_bytes).collect();
        let table = parts.join(&0xe9);
        let options: Vec<&str> = case.options.iter().map(String::as_str).collect();
        let (status, document, said) = checked_in(folder.path(), &table, &options);
        assert_eq!(status, Some(case.status), "{}: {said}", case.about);
        for (path, value) in &case.json {
            assert_eq!(document.pointer(path), Some(value), "{}", case.about);
        }
        let call = [&["check", "--submissions", "form.csv"], &options[..]].concat();
        let run = decklaw(folder.path(), &call);
        let shown = text(&run.stdout) + &text(&run.stderr);
        let words: Vec<&str> = shown.split_whitespace().collect();
        let words = words.join(" ");
        for wanted in &case.shows {
            assert!(words.contains(wanted), "{}: {wanted}: {shown}", case.about);
        }
        for other in &case.hides {
            assert!(!words.contains(other), "{}: {other}: {shown}", case.about);
        }
    }
}
