//! Who is who among the rows of a form.

use crate::name::fold;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

/// Who somebody is: a digest of a folded name or identity, which is as good and short.
pub(super) type Who = [u8; 16];

/// What a row says of its player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Person {
    /// By an address or a number.
    pub(super) identity: Option<Who>,
    /// By name.
    pub(super) name: Option<Who>,
}

pub(super) fn who(text: &str) -> Who {
    let digest = Sha256::digest(fold(text).as_bytes());
    let mut who = [0; 16];
    who.copy_from_slice(&digest[..16]);
    who
}

/// The same of an identity, which is nobody's name.
pub(super) fn identified(text: &str) -> Who {
    who(&format!("id\0{text}"))
}

/// Which player each row is of: by its identity, or where it has none by its name. A name that
/// just one identity goes by is that player's in rows without any, too.
pub(super) fn people(rows: &[Person]) -> Vec<Who> {
    let mut known: FxHashMap<Who, Option<Who>> = FxHashMap::default();
    for row in rows {
        if let (Some(identity), Some(name)) = (row.identity, row.name) {
            let one = known.entry(name).or_insert(Some(identity));
            if *one != Some(identity) {
                // Several go by it.
                *one = None;
            }
        }
    }
    let nobody = [0; 16];
    let of = |row: &Person| match (row.identity, row.name) {
        (Some(identity), _) => identity,
        (None, Some(name)) => known.get(&name).copied().flatten().unwrap_or(name),
        (None, None) => nobody,
    };
    rows.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_go_before_names_and_lend_themselves_to_rows_without() {
        let row = |identity: &str, name: &str| Person {
            identity: Some(identity).filter(|text| !text.is_empty()).map(who),
            name: Some(name).filter(|text| !text.is_empty()).map(who),
        };
        let rows = [
            row("a@x", "Ana"),
            row("A@X ", "Ana Lopez"),
            row("", "ana"),
            row("k1@x", "Kim"),
            row("k2@x", "Kim"),
            row("", "Kim"),
            row("", "Lee"),
            row("", "LEE"),
        ];
        let found = people(&rows);
        let same = |one: usize, other: usize| found[one] == found[other];
        assert!(same(0, 1) && same(0, 2), "one address, and its name");
        assert!(!same(3, 4), "two addresses");
        assert!(!same(5, 3) && !same(5, 4), "nobody knows which Kim");
        assert!(same(6, 7), "names alone");
    }
}
