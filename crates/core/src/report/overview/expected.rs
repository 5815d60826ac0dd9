//! Who is expected, and who came.

use crate::name::fold;
use crate::text::harmless;
use std::collections::{BTreeMap, VecDeque};

/// Somebody who is expected to hand in a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// By name.
    pub name: String,
    /// By an address or a number, where the list has one.
    pub identity: Option<String>,
}

/// A player of a row that counts: name, folded identity, row.
pub(super) type Person = (String, Option<String>, u64);

/// Who of a list is not there, and who is there and not on it: by identity, else by name.
pub(super) fn compared(expected: &[Expected], people: Vec<Person>) -> (Vec<String>, Vec<String>) {
    if expected.is_empty() {
        return (Vec::new(), Vec::new());
    }
    // Found by what they are called, in the order of their rows.
    let mut of_identity: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    // Those of a name who gave an identity, and those who did not.
    let mut of_name: BTreeMap<String, [VecDeque<usize>; 2]> = BTreeMap::new();
    for (at, (name, identity, _)) in people.iter().enumerate() {
        if let Some(identity) = identity {
            of_identity.entry(identity).or_default().push_back(at);
        }
        let of_name = of_name.entry(fold(name).into_owned()).or_default();
        of_name[usize::from(identity.is_none())].push_back(at);
    }
    let mut there = vec![false; people.len()];
    let mut unsure = Vec::new();
    for one in expected {
        let identity = one.identity.as_deref().map(fold);
        let found = identity.and_then(|identity| of_identity.get_mut(&*identity)?.pop_front());
        match found {
            Some(at) => there[at] = true,
            None => unsure.push(one),
        }
    }
    let mut missing = Vec::new();
    for one in unsure {
        let found = of_name.get_mut(&*fold(&one.name)).and_then(|of_name| {
            for known in of_name.iter_mut() {
                while known.front().is_some_and(|at| there[*at]) {
                    known.pop_front();
                }
            }
            // Of two with one name the address decides.
            let [with, without] = of_name;
            let first = match (one.identity.is_some(), with.front(), without.front()) {
                (true, ..) | (_, None, _) => without,
                (_, Some(_), None) => with,
                (_, Some(one), Some(other)) if one < other => with,
                _ => without,
            };
            first.pop_front()
        });
        match found {
            Some(at) => there[at] = true,
            None => missing.push(harmless(&one.name, false).into_owned()),
        }
    }
    let called = |(name, _, row): Person| {
        let name = harmless(&name, false);
        match name.as_ref() {
            "" => format!("row {row}"),
            name => format!("{name} (row {row})"),
        }
    };
    let left = people.into_iter().zip(there);
    let left = left.filter(|(_, there)| !there);
    (missing, left.map(|(one, _)| called(one)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn someone(name: &str, identity: &str) -> Expected {
        Expected {
            name: name.to_owned(),
            identity: Some(identity.to_owned()).filter(|text| !text.is_empty()),
        }
    }

    #[test]
    fn who_is_expected_is_found_by_identity_and_else_by_name() {
        let people = |people: &[(&str, &str)]| -> Vec<Person> {
            let rows = (2_u64..).zip(people);
            let one = |(row, (name, id)): (u64, &(&str, &str))| {
                let id = Some((*id).to_owned()).filter(|id| !id.is_empty());
                ((*name).to_owned(), id, row)
            };
            rows.map(one).collect()
        };
        let expected = [
            someone("Ana", ""),
            someone("Kim", "k1"),
            someone("Kim", "k2"),
            someone("Lee", ""),
            someone("Lee", ""),
            someone("Mia", "m"),
        ];
        let there = people(&[
            ("ana", "a"),
            ("Kim", "k2"),
            ("LEE", ""),
            ("Mia", ""),
            ("Zoe", ""),
        ]);
        let (missing, unlisted) = compared(&expected, there);
        assert_eq!(missing, ["Kim", "Lee"]);
        assert_eq!(unlisted, ["Zoe (row 6)"]);
        assert_eq!(compared(&[], people(&[("Ana", "")])), (vec![], vec![]));
    }
}
