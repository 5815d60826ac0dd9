//! How fast matches are made and verified.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use decklaw::format::Catalogue;
use decklaw::matches::{
    Line, Match, MatchDeck, MatchFormat, NewMatch, Randomness, Setup, Unproved,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::hint::black_box;

fn pack() -> MatchDeck {
    let suits = ["♠", "♥", "♦", "♣"].into_iter();
    let ranks = [
        "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
    ];
    let names = suits.flat_map(|suit| ranks.map(|rank| format!("{rank}{suit}")));
    let names = names.chain(["RJ".to_owned(), "BJ".to_owned()]);
    let line = |name| {
        (
            "main",
            Line {
                count: 1,
                name,
                records: BTreeMap::new(),
            },
        )
    };
    MatchDeck::register("vastrix", "VASTRIX", names.map(line))
}

fn matches(criterion: &mut Criterion) {
    let format = Catalogue::built_in().format("vastrix").unwrap();
    let rules_sha256 = "0".repeat(64);
    let setup = Setup::of_format(&format).unwrap().unwrap();
    let game = MatchFormat {
        format: "vastrix",
        rules_sha256: &rules_sha256,
        setup: &setup,
        legality_settings: &[],
        rules: &[],
    };
    let wanted = NewMatch {
        decks: vec![decklaw::matches::Registered::unjudged(pack())],
        ..NewMatch::default()
    };
    let first = json!({"step": "first-player", "by": "random"});
    let deal = |seed: &str| {
        let randomness = Randomness::from_text(seed);
        Match::start(&game, wanted.clone(), randomness, vec![first.clone()], None)
            .unwrap()
            .to_json()
    };
    let file = deal("bench");
    let mut group = criterion.benchmark_group("match");
    group.throughput(Throughput::Elements(1));
    let mut number = 0_u64;
    group.bench_function("new", |bencher| {
        bencher.iter(|| {
            number += 1;
            deal(&number.to_string())
        });
    });
    group.bench_function("verify", |bencher| {
        bencher.iter(|| {
            Unproved::read(black_box(file.as_bytes()))
                .unwrap()
                .verify(&game)
                .unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, matches);
criterion_main!(benches);
