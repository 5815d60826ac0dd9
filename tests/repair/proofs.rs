//! `--proof`: what is proven is checked by others, and what is not is refused by them.

use crate::common::{decklaw, root, samples};
use crate::oracle::checker::{by_veripb, checked};
use std::path::Path;

/// The instances and proofs of a call, in the order of its claims.
fn proofs(folder: &Path, arguments: &[&str]) -> Vec<(String, String)> {
    let to = tempfile::tempdir().unwrap();
    let mut all = arguments.to_vec();
    let path = to.path().to_str().unwrap();
    all.extend(["--proof", path]);
    let came = decklaw(folder, &all);
    let said = String::from_utf8_lossy(&came.stderr);
    assert!(!said.contains("--proof"), "{arguments:?}: {said}");
    let read = |name: String| std::fs::read_to_string(to.path().join(name)).ok();
    let number = |at: usize| {
        if at == 1 { String::new() } else { format!("-{at}") }
    };
    let each = (1..).map_while(|at| {
        let instance = read(format!("instance{}.opb", number(at)))?;
        Some((instance, read(format!("proof{}.pbp", number(at)))?))
    });
    let found: Vec<(String, String)> = each.collect();
    let claims = read("claims.txt".to_owned()).unwrap();
    assert_eq!(claims.matches("  veripb ").count(), found.len());
    found
}

/// Checks all of them, by this project's small checker and by VeriPB where it is there.
fn accepted(arguments: &[&str], all: &[(String, String)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let says = all.iter().map(|(instance, proof)| {
        let by_veripb = by_veripb(folder.path(), instance, proof);
        assert_ne!(by_veripb, Some(false), "{arguments:?}: VeriPB");
        checked(instance, proof).unwrap_or_else(|why| panic!("{arguments:?}: {why}"))
    });
    says.collect()
}

#[test]
fn repairs_of_the_sample_decks_are_proven() {
    let mut distances = Vec::new();
    for (deck, _) in samples().into_iter().filter(|(deck, _)| !deck.starts_with("decks/any/")) {
        let arguments = ["fix", &deck, "-o", "json"];
        let came = decklaw(root(), &arguments);
        if came.stdout.is_empty() {
            // One of them cannot be read.
            continue;
        }
        let json = crate::common::json(&came);
        let all = proofs(root(), &arguments);
        // Unknown cards have to go, and are no numbers of the instance.
        let gone = all[0].0.split_once(" more, of cards that no pool knows");
        let gone = gone.map_or("0", |(before, _)| before.rsplit(' ').next().unwrap());
        let says: i64 = accepted(&arguments, &all)[0].parse().unwrap();
        assert_eq!(json["distance"], says + gone.parse::<i64>().unwrap(), "{deck}");
        distances.extend(json["distance"].as_i64());
    }
    assert!(distances.iter().filter(|far| **far > 0).count() > 8, "{distances:?}");
}

#[test]
fn what_is_built_or_tuned_is_proven() {
    let built = ["build", "versus/fast", "--wish", "12+ [type:character]"];
    assert!(!accepted(&built, &proofs(root(), &built)).is_empty());
    let none = ["build", "versus/fast", "--wish", "61+ [type:character]"];
    assert!(accepted(&none, &proofs(root(), &none)).iter().all(|says| says == "UNSAT"));
    // The second is missed by as much in every deck: no card is like that.
    for (format, wish) in [("versus/fast", "61+ [type:character]"), ("shell", "3+ [mana>=1000]")] {
        let preferred = ["build", format, "--prefer", wish];
        assert!(accepted(&preferred, &proofs(root(), &preferred)).len() > 1);
    }
    // That so many cards cannot stay is proven before all else.
    for deck in ["decks/vastrix/back-from-the-picnic.txt", "decks/versus/overstuffed-satchel.txt"] {
        let begun = ["build", "--from", deck];
        assert!(accepted(&begun, &proofs(root(), &begun)).len() > 1);
    }
    for deck in ["decks/shell/ebb.txt", "decks/shell/overspent.txt"] {
        let tuned = ["tune", deck, "2+ [mana<=2]", "--changes", "2"];
        let says = accepted(&tuned, &proofs(root(), &tuned));
        assert!(says.len() >= 2, "{says:?}");
    }
}

/// Changed in so many ways that each would let a false claim pass if the checkers took it.
#[test]
fn a_false_claim_is_refused() {
    let fix = |deck: &str| proofs(root(), &["fix", deck]).remove(0);
    let (instance, proof) = fix("decks/shell/too-many-copies.txt");
    let (other, _) = fix("decks/shell/doubled-side.txt");
    let folder = tempfile::tempdir().unwrap();
    let refused = |what: &str, instance: &str, proof: &str| {
        assert!(checked(instance, proof).is_err(), "{what}");
        let by_veripb = by_veripb(folder.path(), instance, proof);
        assert_ne!(by_veripb, Some(true), "{what}");
    };
    let distance: i64 = checked(&instance, &proof).unwrap().parse().unwrap();
    let line = |start: &str| {
        let mut lines = proof.lines();
        lines.find(|line| line.starts_with(start)).unwrap().to_owned()
    };
    let conclusion = line("conclusion");
    for off in [distance - 1, distance + 1] {
        let claim = conclusion.replacen(&format!(" {distance} "), &format!(" {off} "), 2);
        refused("another distance", &instance, &proof.replace(&conclusion, &claim));
    }
    let more = format!(" {} ", distance + 1);
    let lower = conclusion.replacen(&format!(" {distance} "), &more, 1);
    refused("another bound", &instance, &proof.replace(&conclusion, &lower));
    let answer = line("soli");
    // A card that comes or goes and another that does not: no answer, or no such value.
    let numbers = answer.trim_end_matches(';').split_whitespace().skip(1);
    let moves = |word: &&str| word.trim_start_matches('~').starts_with(['p', 'm']);
    for literal in numbers.filter(moves).step_by(61) {
        let flipped = match literal.strip_prefix('~') {
            Some(name) => name.to_owned(),
            None => format!("~{literal}"),
        };
        let flip = |line: &str| line.replacen(&format!(" {literal} "), &format!(" {flipped} "), 1);
        let flipped = proof.replace(&answer, &flip(&answer));
        let flipped = flipped.replace(&conclusion, &flip(&conclusion));
        if flipped.lines().filter(|line| !proof.contains(line)).count() == 2 {
            refused("a flipped answer", &instance, &flipped);
        }
    }
    let clause = line("pol");
    let cut = proof.replace(&clause, "pol 1");
    refused("another sum", &instance, &cut);
    let half: String = proof.lines().take(proof.lines().count() / 2).collect::<Vec<_>>().join("\n");
    refused("a cut end", &instance, &half);
    refused("another deck", &other, &proof);
    // A deck that must have one card more is farther away.
    let (instance, proof) = fix("decks/versus/half-mustered.txt");
    let larger = instance.replace(">= 30 ;", ">= 31 ;").replace(">= -30 ;", ">= -31 ;");
    assert_ne!(larger, instance);
    refused("another size", &larger, &proof);
}
