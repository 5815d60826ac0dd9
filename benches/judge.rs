//! How long judging takes: a parsed deck in memory, and a deck file from its bytes.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::Judge;
use decklaw::pool::NameField;
use decklaw::rules::{Contents, Holding};
use std::hint::black_box;

fn judging(bench: &mut Criterion) {
    let day = "2026-01-01".parse().expect("a day");
    let judge = Judge::new(Catalogue::built_in(), Lists::default(), day);
    for (format, path) in [
        ("shell", "decks/shell/ash-and-acorn.txt"),
        ("vainqueur", "decks/vainqueur/barley-crown.txt"),
        ("vanquishers", "decks/vanquishers/every-penny.txt"),
    ] {
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(&path).expect("a sample deck");
        let report = judge.judge("deck", &bytes, Input::Text).expect("the inputs are in order");
        assert_eq!(report.verdict.word(), "legal", "{path}");
        let rulebook =
            judge.rulebook(report.format.as_deref().unwrap_or(format)).expect("a format");
        let names = rulebook.format().game().section_names();
        let deck = decklaw::deck::read(&bytes, Input::Text, names).expect("a deck");
        let sections = rulebook.format().game().sections();
        let holding = |line: &decklaw::deck::CardLine<'_>| {
            let id = &deck.sections[usize::from(line.section)].id;
            let section =
                sections.iter().position(|section| section.id == **id).expect("a section");
            Holding {
                card: rulebook.pool().look_up(&line.name, NameField::Name).card().expect("a card"),
                section: u16::try_from(section).expect("few sections"),
                copies: i64::from(line.count),
            }
        };
        let contents =
            Contents::new(rulebook.pool(), deck.lines.iter().map(holding).collect(), Vec::new());
        bench.bench_function(&format!("judge a parsed deck/{format}"), |run| {
            run.iter(|| black_box(rulebook.judge(black_box(&contents))));
        });
        bench.bench_function(&format!("read and judge a deck file/{format}"), |run| {
            run.iter(|| judge.judge("deck", black_box(&bytes), Input::Text));
        });
    }
    // What a stranger may send: twice the names may take twice the time.
    for number in [5_000, 10_000] {
        let names: String = (0..number).map(|at| format!("1 No Such {at}\n")).collect();
        let deck = format!("Format: shell\n\nMain\n{names}");
        bench.bench_function(&format!("judge {number} unknown names"), |run| {
            run.iter(|| judge.judge("deck", black_box(deck.as_bytes()), Input::Text));
        });
    }
}

criterion_group!(benches, judging);
criterion_main!(benches);
