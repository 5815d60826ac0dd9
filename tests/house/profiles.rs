//! What the profiles of `Cargo.toml` promise of each other.

use std::collections::BTreeMap;
use std::path::Path;

/// The crates that a profile builds otherwise than itself, and how.
fn packages(profile: &str) -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let head = format!("[profile.{profile}.package]\n");
    let (_, rest) = text.split_once(&head).unwrap();
    let lines = rest.lines().take_while(|line| !line.trim().is_empty());
    let pairs = lines.map(|line| line.split_once(" = ").unwrap());
    pairs
        .map(|(name, how)| (name.to_owned(), how.to_owned()))
        .collect()
}

/// `dist` and `bench` have from `release` what it says of single crates, so they must say
/// otherwise of each.
#[test]
fn what_the_quick_build_leaves_slow_is_fast_where_it_is_released() {
    let quick = packages("release");
    assert!(quick.values().all(|how| how == "{ opt-level = 0 }"));
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    for name in quick.keys() {
        let locked = format!("name = \"{name}\"\n");
        assert!(lock.contains(&locked), "there is no crate {name} any more");
    }
    for profile in ["dist", "bench"] {
        let fast = packages(profile);
        assert!(fast.keys().eq(quick.keys()), "{profile}");
        assert!(
            fast.values().all(|how| how == "{ opt-level = 3 }"),
            "{profile}"
        );
    }
}
