//! What commands cost with a card pool of 35,000 cards, as much as the largest games have: the
//! time and the memory of each command, beside its goal. The game has rules of many kinds, and
//! identity cards with queries of their own; its cards have texts, titles over several printings
//! and names that are not plain.
//!
//! `DECKLAW_BIN` names another program than the one built for the bench. Without `--bench`, as
//! `cargo test --benches` runs it, the pool is small.
#![allow(clippy::print_stdout, missing_docs)]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

type Error = Box<dyn std::error::Error>;

const GOAL_SECONDS: f64 = 0.3;
const GOAL_MEGABYTES: f64 = 150.0;
const TIMES: usize = 3;

const GAME: &str = r#"schema: decklaw/format/1
game: vast
name: Vast
text: An invented game
fields:
  - {name: type, kind: list, values: [legend, creature, sorcery, artifact, land]}
  - {name: identity, kind: list, values: [white, blue, black, red, green]}
  - {name: title, kind: text}
  - {name: cost, kind: number}
  - {name: price, kind: number}
  - {name: copies, kind: number}
  - {name: leads, kind: word, values: [no, alone, partner]}
  - {name: allows, kind: query}
  - {name: set, kind: list}
  - {name: text, kind: text}
sections:
  - {id: leader, name: leader section}
  - {id: partner, name: partner section}
  - {id: main, name: main deck, shuffled: true}
settings:
  - {name: bracket, about: How strong decks at the table are., choices: [low, high], default: low}
formats: [{id: vast, name: Vast}]
rules:
  - id: leads
    source: p. 1
    about: Leaders lead.
    must:
      accept: {section: leader, cards: "leads:(alone partner)", because: it does not lead}
  - id: partners
    source: p. 1
    about: Partners partner.
    must:
      accept: {section: partner, cards: "leads:partner", because: it has no partner}
  - id: leader
    source: p. 1
    about: One leader.
    must: {size: {sections: [leader], exactly: 1}}
  - id: partner
    source: p. 1
    about: Leaders of their own have none beside them.
    if: {sections: [leader], cards: "leads:alone"}
    must: {size: {sections: [partner], max: 0}}
  - id: size
    source: p. 1
    about: One hundred cards.
    must: {size: {sections: [leader, partner, main], exactly: 100}}
  - id: copies
    source: p. 1
    about: One of each title, unless the card says another number.
    must: {copies: {sections: [leader, partner, main], by: [title], max: {field: copies, else: 1}}}
  - id: identity
    source: p. 1
    about: Every word of a card is among those of its leaders.
    must: {matching: {sections: [main], field: identity, by: [leader, partner], mode: all}}
  - id: allowed
    source: p. 1
    about: What a leader permits.
    must: {permitted: {sections: [main], by: [leader, partner], field: allows}}
  - id: price
    source: p. 1
    about: Not too dear.
    must:
      total:
        sections: [main]
        field: price
        matched: {by: [leader], field: identity, then: {times: 0}}
        max: {base: 40, of: [main], cards: "type:land", per: 5}
  - id: values
    source: p. 1
    about: At most three identities.
    must: {values: {sections: [main], field: identity, max: 3}}
  - id: lands
    source: p. 1
    about: At least thirty lands.
    must: {size: {sections: [main], cards: "type:land", min: 30}}
  - id: bracket
    source: p. 2
    about: In the low bracket three dear cards at most.
    when: {bracket: low}
    must: {size: {sections: [leader, partner, main], cards: "price>=6", max: 3, called: dear card}}
setups:
  - seats: {between: [2, 2]}
    decks: own
    sections: [leader, partner, main]
    zones:
      seat:
        leader: {seen: by-all, holds: leader}
        partner: {seen: by-all, holds: partner}
        deck: {seen: by-nobody, holds: main}
        hand: {seen: by-owner}
    steps:
      - do: {first-player: {}}
      - do: {shuffle: {pile: deck}}
      - do: {deal: {from: deck, to: hand, cards: {each: 7}}}
"#;

const LIST: &str = r#"schema: decklaw/banlist/1
id: vast-list
game: vast
name: Vast list
effective: 2026-01-01
by: title
banned:
  - {cards: "text:'banned word'"}
restricted:
  - {cards: "type:artifact cost=0", copies: 1}
points:
  limit: 10
  per: card
  cards:
    - {cards: "price>=5", points: 3}
groups:
  - {cards: [{cards: "type:artifact cost=1"}], at-most: 3, called: marvel}
rotation:
  field: set
  sets: [{name: Set 3, until: 2025-01-01}]
  others: in
"#;

const COLOURS: [&str; 5] = ["white", "blue", "black", "red", "green"];

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Titles in one to five printings, of which some have a price of their own.
fn cards(number: u64) -> Result<String, std::fmt::Error> {
    const PRINTINGS: [u64; 9] = [1, 1, 2, 3, 1, 5, 2, 1, 4];
    let mut random = Random(7);
    let mut csv = "name,type,identity,title,cost,price,copies,leads,allows,set,text\n".to_owned();
    let (mut made, mut nth) = (0, 0_u64);
    while made < number {
        let title = match made % 5 {
            0 => format!("Æther Warden’s Vow {made}"),
            1 => format!("Moss, Keeper of Gate {made}"),
            _ => format!("Rain over Hill {made}"),
        };
        let kind = match nth % 10 {
            0 => "legend;creature",
            1..=5 => "creature",
            6..=7 => "sorcery",
            8 => "artifact",
            _ => "land",
        };
        let colours = match kind {
            "land" if nth % 20 == 9 => 0,
            "artifact" => random.below(2),
            "legend;creature" => 1 + random.below(3),
            _ => 1 + random.below(2) * random.below(2),
        };
        let mut own: Vec<&str> = Vec::new();
        for _ in 0..colours {
            let colour = COLOURS[random.below(5) as usize];
            if !own.contains(&colour) {
                own.push(colour);
            }
        }
        let leads = match (nth % 10, nth % 70) {
            (0, 0) => "partner",
            (0, _) => "alone",
            _ => "no",
        };
        let allows = match (leads, random.below(2)) {
            ("no", _) | (_, 0) => String::new(),
            _ => format!("cost<={} or type:land", 8 + random.below(4)),
        };
        let copies = if nth % 400 == 9 { "99" } else { "" };
        let cost = if kind == "land" { 0 } else { random.below(9) };
        let price = if kind == "land" { 0 } else { random.below(7) };
        let differ = kind != "land" && random.below(3) == 0;
        let text = "Whenever this comes into play, each player looks at the top four cards of the deck and puts one of them aside; then those that were put aside are shuffled.";
        let printings = PRINTINGS[nth as usize % PRINTINGS.len()];
        for _ in 0..printings.min(number - made) {
            let price = if differ { random.below(7) } else { price };
            writeln!(
                csv,
                "\"{title} ({made})\",{kind},{},\"{title}\",{cost},{price},{copies},{leads},\"{}\",Set {},\"{text}\"",
                own.join(";"),
                allows.replace('"', "\"\""),
                random.below(200)
            )?;
            made += 1;
        }
        nth += 1;
    }
    Ok(csv)
}

/// A deck that breaks a few rules, and one that no card is known of but the leader's.
fn decks(csv: &str, folder: &Path) -> Result<(), Error> {
    let names = |kind: &str, colour: &str, many: usize| -> Vec<String> {
        let lines = csv.lines().skip(1);
        let own = lines.filter(|line| {
            let (_, rest) = line.split_at(line[1..].find('"').map_or(0, |at| at + 2));
            let mut cells = rest.split(',').skip(1);
            let fits = cells.next() == Some(kind);
            fits && cells.next().is_some_and(|own| own == colour) && !line.contains(",partner,")
        });
        let name = |line: &str| line[1..].split('"').next().unwrap_or("").to_owned();
        // One printing of each title.
        let mut found: Vec<String> = Vec::new();
        for name in own.map(name) {
            let title = |name: &str| name.rsplit_once(" (").map(|(title, _)| title.to_owned());
            if found.len() < many && found.last().and_then(|last| title(last)) != title(&name) {
                found.push(name);
            }
        }
        found
    };
    let leader = names("legend;creature", "red", 1);
    let (red, land) = (names("creature", "red", 62), names("land", "", 30));
    let artifacts = names("artifact", "", 7);
    let write = |file: &str, main: &[String], more: &str| -> Result<(), Error> {
        let mut text = format!("Format: vast\n\nLeader\n1 {}\n\nMain\n", leader.join(""));
        for name in main {
            writeln!(text, "1 {name}")?;
        }
        std::fs::write(folder.join(file), text + more)?;
        Ok(())
    };
    let main = [red, land, artifacts].concat();
    write("deck.txt", &main, "")?;
    let blue = names("creature", "blue", 3);
    write(
        "bad.txt",
        &[main.clone(), blue].concat(),
        &format!("3 {}\n", names("creature", "white", 1).join("")),
    )?;
    let unknown: Vec<String> = main.iter().map(|name| format!("{name}x")).collect();
    write("unknown.txt", &unknown, "")?;
    // As different as a deck can be: thousands of cards that are told apart because it holds them.
    let each = COLOURS.iter().flat_map(|own| names("creature", own, 2_000));
    let many: Vec<String> = each.collect();
    write("many.txt", &many, "")?;
    Ok(())
}

/// Seconds, megabytes and the exit status.
fn measure(program: &str, folder: &Path, arguments: &[&str]) -> Result<(f64, f64, i32), Error> {
    let measured = folder.join("measured");
    let start = Instant::now();
    let time = Path::new("/usr/bin/time");
    let mut command = match time.exists() {
        true => {
            let mut command = Command::new(time);
            command.args(["-f", "%M", "-o"]).arg(&measured).arg(program);
            command
        }
        false => Command::new(program),
    };
    let status = command
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let seconds = start.elapsed().as_secs_f64();
    let said = std::fs::read_to_string(&measured).unwrap_or_default();
    let kilobytes = said
        .lines()
        .last()
        .and_then(|line| line.trim().parse::<f64>().ok());
    Ok((
        seconds,
        kilobytes.unwrap_or(0.0) / 1024.0,
        status.code().unwrap_or(-1),
    ))
}

/// Whether a repair or a deck that was built is proven the best; other commands prove nothing.
fn is_proven(program: &str, folder: &Path, arguments: &[&str]) -> Result<bool, Error> {
    if !matches!(arguments[0], "fix" | "build") {
        return Ok(true);
    }
    let mut command = Command::new(program);
    command.args(arguments).args(["-o", "json"]);
    command.current_dir(folder).env("DECKLAW_CONFIG", folder);
    let answer: serde_json::Value = serde_json::from_slice(&command.output()?.stdout)?;
    let optimal = answer.get("optimal").and_then(serde_json::Value::as_bool);
    Ok(optimal.ok_or("the answer does not say whether it is proven")?)
}

fn main() -> Result<(), Error> {
    let whole = std::env::args().any(|argument| argument == "--bench");
    let number = if whole { 35_000 } else { 4_000 };
    let own = env!("CARGO_BIN_EXE_decklaw").to_owned();
    let program = std::env::var("DECKLAW_BIN").unwrap_or(own);
    let folder = tempfile::tempdir()?;
    let game = folder.path().join("formats/vast");
    std::fs::create_dir_all(&game)?;
    let csv = cards(number)?;
    std::fs::write(game.join("game.yaml"), GAME)?;
    std::fs::write(game.join("cards.csv"), &csv)?;
    std::fs::write(folder.path().join("list.yaml"), LIST)?;
    decks(&csv, folder.path())?;
    println!(
        "{number} cards, {:.1} MB of CSV; goals: {GOAL_SECONDS} s, {GOAL_MEGABYTES} MB",
        csv.len() as f64 / 1e6
    );
    println!("{:<52} {:>8} {:>8}", "command", "s", "MB");
    let commands: [(&[&str], i32); 18] = [
        (&["check", "deck.txt"], 0),
        (&["check", "bad.txt"], 1),
        (&["check", "unknown.txt"], 1),
        (&["check", "bad.txt", "--banlist", "list.yaml"], 1),
        (&["fix", "deck.txt"], 0),
        (&["fix", "bad.txt"], 0),
        (&["fix", "bad.txt", "--banlist", "list.yaml"], 0),
        (&["fix", "many.txt"], 1),
        (&["room", "deck.txt"], 0),
        (&["build", "vast"], 0),
        (&["odds", "deck.txt", "1+ [type:land]", "--hand", "7"], 0),
        (&["stats", "deck.txt"], 0),
        (&["convert", "deck.txt", "--to-format", "json"], 0),
        (
            &[
                "cards",
                "list",
                "identity:red type:artifact",
                "--format",
                "vast",
            ],
            0,
        ),
        (&["cards", "list", "--format", "vast", "-o", "csv"], 0),
        (
            &[
                "match", "new", "vast", "--deck", "deck.txt", "--deck", "deck.txt", "--seed", "s",
            ],
            0,
        ),
        (
            &[
                "tune",
                "deck.txt",
                "3+ [type:land]",
                "--hand",
                "7",
                "--changes",
                "1",
            ],
            0,
        ),
        (&["formats", "check", "formats/vast/game.yaml"], 0),
    ];
    // A trial shows that the decks are what they are said to be, and searches for nothing.
    let searches = |command: &str| ["fix", "build", "tune"].contains(&command);
    let asked = |arguments: &&[&str]| whole || !searches(arguments[0]);
    for (arguments, expected) in commands.into_iter().filter(|(all, _)| asked(all)) {
        let (mut seconds, mut megabytes) = (f64::MAX, 0.0_f64);
        for _ in 0..if whole { TIMES } else { 1 } {
            let (took, held, status) = measure(&program, folder.path(), arguments)?;
            if status != expected {
                let mut again = Command::new(&program);
                again.args(arguments).current_dir(folder.path());
                let told = again.env("DECKLAW_CONFIG", folder.path()).output()?;
                let told =
                    String::from_utf8_lossy(&[told.stdout, told.stderr].concat()).into_owned();
                let call = arguments.join(" ");
                return Err(format!("{call} ended with {status}: {told}").into());
            }
            seconds = seconds.min(took);
            megabytes = megabytes.max(held);
        }
        let over = seconds > GOAL_SECONDS || megabytes > GOAL_MEGABYTES;
        let mark = match is_proven(&program, folder.path(), arguments)? {
            false => "  NOT PROVEN",
            true if over && whole => "  over the goal",
            true => "",
        };
        println!(
            "{:<52} {seconds:>8.3} {megabytes:>8.1}{mark}",
            arguments.join(" ")
        );
    }
    Ok(())
}
