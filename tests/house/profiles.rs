//! What the profiles of `Cargo.toml` promise of each other.

use std::collections::BTreeMap;
use std::path::Path;

/// The crates that a profile builds otherwise than itself, and how; or how `."*"`, all of them.
fn packages(profile: &str, which: &str) -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let head = format!("[profile.{profile}.package{which}]\n");
    let (_, rest) = text.split_once(&head).unwrap();
    let lines = rest.lines().take_while(|line| !line.trim().is_empty());
    let pairs = lines.map(|line| line.split_once(" = ").unwrap());
    pairs
        .map(|(name, how)| (name.to_owned(), how.to_owned()))
        .collect()
}

/// `release` names what must be fast in it; `dist` and `bench` have that from it, and must say of
/// all other crates that they are fast, too.
#[test]
fn what_the_quick_build_leaves_slow_is_fast_where_it_is_released() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    let named = packages("release", "");
    assert!(named.values().all(|how| how == "{ opt-level = 3 }"));
    for name in named.keys() {
        let locked = format!("name = \"{name}\"\n");
        assert!(lock.contains(&locked), "there is no crate {name} any more");
    }
    let others = |profile| packages(profile, ".\"*\"").remove("opt-level");
    assert_eq!(others("release").as_deref(), Some("0"));
    for profile in ["dist", "bench"] {
        assert_eq!(others(profile).as_deref(), Some("3"), "{profile}");
    }
}
