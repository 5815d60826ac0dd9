//! Classes of things that have the same signature.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The class of each thing: things with equal signatures are one class. Classes are numbered in the
/// order in which they first occur.
pub(crate) fn partition<K: Eq + Hash>(signatures: impl Iterator<Item = K>) -> Vec<usize> {
    let mut known: FxHashMap<K, usize> = FxHashMap::default();
    let class = |signature: K| {
        let next = known.len();
        *known.entry(signature).or_insert(next)
    };
    signatures.map(class).collect()
}
