//! A call of each command that writes.

/// A call that writes files.
pub(super) struct Call {
    /// Its words; `URL` is where a list can be fetched.
    pub(super) words: &'static str,
    /// What is typed.
    pub(super) typed: &'static str,
    /// Whether it writes in a way of its own, so that each of its system calls is tried: most
    /// commands have the outputs that all have.
    pub(super) own_way: bool,
    /// Whether it writes something else each time: a secret, a time, or the place of what is kept.
    pub(super) varies: bool,
}

const fn call(words: &'static str) -> Call {
    Call {
        words,
        typed: "",
        own_way: false,
        varies: false,
    }
}

const fn own(words: &'static str) -> Call {
    Call {
        own_way: true,
        ..call(words)
    }
}

/// Commands that are tried elsewhere, and where.
pub(super) const ELSEWHERE: [(&str, &str); 12] = [
    ("stream", "it writes no file: tests/stream.rs"),
    ("serve", "its data are a database: tests/serve/attacks.rs"),
    (
        "edit",
        "it is that server with one file: tests/serve/pages.rs",
    ),
    (
        "match play",
        "it is that server with one table: tests/serve/table.rs",
    ),
    ("event new", "its folder is new: tests/forms/event.rs"),
    ("event import", "the same"),
    ("event status", "the same"),
    ("event decide", "the same"),
    ("event print", "the same"),
    ("event check", "the same"),
    ("event stats", "the same"),
    ("event export", "the same"),
];

pub(super) const CALLS: &[Call] = &[
    own("check deck.txt -o json=out --replace"),
    own("check deck.txt -o csv --to new"),
    call("check --submissions form.csv -o csv --to new"),
    call("check deck.txt -o xlsx=out --replace"),
    own("fix deck.txt --write"),
    own("fix typo.txt --write"),
    call("fix deck.txt -o json=new"),
    call("fix deck.txt --to new"),
    call("room legal.txt -o json --to new"),
    call("swap legal.txt out:\"Pip\" -o json=new"),
    call("build shell --to new"),
    call("odds legal.txt 1+[mana>=2] -o json=new"),
    call("odds legal.txt 1+[mana>=2] --svg new"),
    call("tune legal.txt 1+[mana>=2] -o json=new"),
    call("stats legal.txt -o json=new"),
    own("stats deck.txt --svg out --replace"),
    own("convert deck.txt --to-format yaml --to out --replace"),
    call("print deck.txt --to new"),
    call("print deck.txt --sheet --to new"),
    call(
        "match new shell --deck legal.txt --deck legal.txt --seed qorvith-blenska-uthmar-a --to new",
    ),
    own("match decide game.json {\"step\":\"swap\",\"seat\":\"A\"} --to game.json"),
    Call {
        varies: true,
        ..call("match decide battle.json --seal A beauty --to new")
    },
    call("match view done.json --seat public --to new"),
    call("match verify done.json --to new"),
    call("match show done.json --to new"),
    call("match sheet done.json --to new"),
    call("match next done.json --won A --seed qorvith-blenska-uthmar-b --to new"),
    own(
        "match export done.json --tabletop-simulator new.json --image-base-url https://example.org",
    ),
    call("explain shell/points --to new"),
    call("cards list --format shell -o json --to new"),
    call("cards template shell -o csv=new"),
    call("cards show Pip --format shell --to new"),
    call("cards export --cockatrice --format shell --to new"),
    call("cards check cards.csv --format shell --to new"),
    call("banlist list --to new"),
    call("banlist show list.yaml --to new"),
    call("banlist diff list.yaml list.yaml --to new"),
    call("banlist check list.yaml --to new"),
    Call {
        varies: true,
        ..own("banlist fetch URL --to new")
    },
    own("banlist lock shell --as-of 2026-01-01 --to out --replace"),
    Call {
        varies: true,
        ..call("formats list --to new")
    },
    own("formats new new"),
    call("formats show shell --to new"),
    call("formats check lantern --to new"),
    own("publish shell new --engine engine.wasm"),
    call("completions bash --to new"),
    call("man --to new"),
];
