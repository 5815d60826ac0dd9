//! A call of each command that writes.

/// A call that writes files.
#[derive(Clone, Copy)]
pub(super) struct Call {
    /// Its words; `URL` is where a list can be fetched.
    pub(super) words: &'static str,
    /// Whether it writes in a way of its own, so that each of its system calls is tried: most
    /// commands have the outputs that all have.
    pub(super) own_way: bool,
    /// Whether it writes something else each time: a secret, a time, or the place of its data.
    pub(super) varies: bool,
}

/// Commands that are tried elsewhere, and where.
pub(super) const ELSEWHERE: [(&str, &str); 14] = [
    ("stream", "it writes no file: tests/program/stream.rs"),
    ("serve", "its data are a database: tests/serve/attacks.rs"),
    ("edit", "it is that server with one file: tests/serve/pages.rs"),
    ("match play", "it is that server with one table: tests/serve/table.rs"),
    ("event new", "its folder is new: tests/forms/event.rs"),
    ("event import", "the same"),
    ("event status", "the same"),
    ("event decide", "the same"),
    ("event print", "the same"),
    ("event check", "the same"),
    ("event stats", "the same"),
    ("event export", "the same"),
    ("event undo", "the same"),
    ("event show", "the same"),
];

/// The calls: `own` writes in a way of its own, `varies` writes something else each time.
const CALLS: &str = r#"own | check deck.txt -o json=out --replace
own | check deck.txt -o csv --to new
 | check --submissions form.csv -o csv --to new
 | check deck.txt -o xlsx=out --replace
own | fix deck.txt --write
own | fix typo.txt --write
 | fix deck.txt -o json=new
 | fix deck.txt --to new
 | room legal.txt -o json --to new
 | swap legal.txt out:"Pip" -o json=new
 | build shell --to new
 | odds legal.txt 1+[mana>=2] -o json=new
 | odds legal.txt 1+[mana>=2] --svg new
 | tune legal.txt 1+[mana>=2] -o json=new
 | stats legal.txt -o json=new
own | stats deck.txt --svg out --replace
own | convert deck.txt --to-format yaml --to out --replace
 | print deck.txt --to new
 | print deck.txt --sheet --to new
 | match new shell --deck legal.txt --deck legal.txt --seed qorvith-blenska-uthmar-a --to new
own | match decide game.json {"step":"swap","seat":"A"} --to game.json
varies | match decide battle.json --seal A beauty --to new
 | match view done.json --seat public --to new
 | match verify done.json --to new
 | match show done.json --to new
 | match sheet done.json --to new
 | match next done.json --won A --seed qorvith-blenska-uthmar-b --to new
own | match export done.json --tabletop-simulator new.json --image-base-url https://example.org
 | explain shell/points --to new
 | cards list --format shell -o json --to new
 | cards template shell -o csv=new
 | cards show Pip --format shell --to new
 | cards export --cockatrice --format shell --to new
 | cards check cards.csv --format shell --to new
 | banlist list --to new
 | banlist show list.yaml --to new
 | banlist diff list.yaml list.yaml --to new
 | banlist check list.yaml --to new
own varies | banlist fetch URL --to new
own | banlist lock shell --as-of 2026-01-01 --to out --replace
varies | formats list --to new
own | formats new new
 | formats show shell --to new
 | formats check lantern --to new
own | publish shell new --engine engine.wasm
 | completions bash --to new
 | man --to new"#;

pub(super) fn calls() -> Vec<Call> {
    let rows = CALLS.lines().map(|row| row.split_once("| ").unwrap());
    rows.map(|(marks, words)| Call {
        words,
        own_way: marks.contains("own"),
        varies: marks.contains("varies"),
    })
    .collect()
}
