//! Every game and mode, with decks to play them.

use decklaw::format::Catalogue;
use decklaw::matches::{
    Choice, Decision, Entry, Line, Match, MatchDeck, MatchError, MatchFormat, NewMatch, Randomness,
    Setup, read_json,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Decisions as match files write them.
pub(crate) fn decisions(written: &[Value]) -> Result<Vec<Decision>, MatchError> {
    let read = |value: &Value| match Entry::of_value(value)? {
        Entry::Decision(decision) => Ok(decision),
        Entry::Move(done) => panic!("{done:?} is no decision"),
    };
    written.iter().map(read).collect()
}

/// Matches that go on by decisions as match files write them.
pub(crate) trait DecideJson: Sized {
    fn decide_json(&self, game: &MatchFormat<'_>, written: &[Value]) -> Result<Self, MatchError>;
}

impl DecideJson for Match {
    fn decide_json(&self, game: &MatchFormat<'_>, written: &[Value]) -> Result<Match, MatchError> {
        self.decide(game, &decisions(written)?, None)
    }
}

/// A format with its setup, and a match to start in it.
pub(crate) struct Mode {
    pub(crate) name: String,
    pub(crate) format: String,
    pub(crate) setup: Setup,
    pub(crate) wanted: NewMatch,
    pub(crate) legality: [String; 3],
    pub(crate) rules: [String; 1],
}

const RULES: &str = "0000000000000000000000000000000000000000000000000000000000000000";

impl Mode {
    pub(crate) fn game(&self) -> MatchFormat<'_> {
        MatchFormat {
            format: &self.format,
            rules_sha256: RULES,
            setup: &self.setup,
            legality_settings: &self.legality,
            rules: &self.rules,
        }
    }

    pub(crate) fn with(mut self, options: &[(&str, &str)]) -> Mode {
        for (name, value) in options {
            self.name.push_str(&format!(" {name}={value}"));
            self.wanted.options.insert((*name).to_owned(), Choice::parse(value));
        }
        self
    }

    fn set(mut self, settings: &[(&str, i64)]) -> Mode {
        self.wanted
            .settings
            .extend(settings.iter().map(|(name, value)| ((*name).to_owned(), *value)));
        self
    }
}

fn mode(format: &str, decks: Vec<MatchDeck>) -> Mode {
    let known = Catalogue::built_in().format(format).unwrap();
    let setup = Setup::of_format(&known).unwrap().unwrap();
    Mode {
        name: format.to_owned(),
        format: format.to_owned(),
        setup,
        wanted: NewMatch {
            decks: decks.into_iter().map(decklaw::matches::RegisteredDeck::unjudged).collect(),
            ..NewMatch::default()
        },
        legality: ["min", "max", "copies"].map(str::to_owned),
        rules: ["points".to_owned()],
    }
}

fn line(count: u32, name: &str) -> Line {
    Line { count, name: name.to_owned(), records: BTreeMap::new() }
}

fn of_colour(count: u32, name: &str, colour: &str) -> Line {
    let records = BTreeMap::from([("colour".to_owned(), Choice::Word(colour.to_owned()))]);
    Line { count, name: name.to_owned(), records }
}

/// Names whose canonical order is not the order of their bytes.
const NAMES: &str =
    "Ürsula|apple|Zebra|ÅNGSTROM|éclair|Straße|moss Sprite|Moth|10♠ Club|Ωmega|İstanbul|ﬁsh";

fn spells(count: usize, copies: u32, salt: &str) -> impl Iterator<Item = (&'static str, Line)> {
    let salt = salt.to_owned();
    (0..count).map(move |at| {
        let name = NAMES.split('|').nth(at % 12).unwrap();
        ("main", line(copies, &format!("{name}{salt} {}", at / 12)))
    })
}

fn shell_deck(owner: &str, cards: usize, side: bool) -> MatchDeck {
    let mut lines: Vec<(&str, Line)> = spells(cards, 2, owner).collect();
    for colour in ["red", "green", "blue"] {
        lines.push(("shells", of_colour(1, &format!("{owner} {colour} Wall"), colour)));
    }
    if side {
        lines.push(("side", of_colour(1, "Spare Wall", "green")));
        lines.push(("side", line(3, "Spare Spell")));
        lines.push(("side", line(1, "Another")));
    }
    lines.push(("extra", line(1, "Beyond")));
    MatchDeck::register("shell", owner, lines)
}

pub(crate) fn pack() -> MatchDeck {
    let mut lines = vec![("main", line(1, "RJ")), ("main", line(1, "BJ"))];
    for suit in ["♠", "♥", "♦", "♣"] {
        for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] {
            lines.push(("main", line(1, &format!("{rank}{suit}"))));
        }
    }
    MatchDeck::register("vastrix", "VASTRIX", lines)
}

fn hero_deck(format: &str, life: Option<i64>) -> MatchDeck {
    let mut hero = line(1, "Captain");
    for (field, value) in [("life", life), ("shield", life)] {
        hero.records.extend(value.map(|number| (field.to_owned(), Choice::Number(number))));
    }
    let mut lines: Vec<(&str, Line)> = spells(15, 3, "").collect();
    lines.extend([("hero", hero), ("energy", line(1, "Solar"))]);
    MatchDeck::register(format, "", lines)
}

pub(crate) fn vastrix() -> Mode {
    mode("vastrix", vec![pack()])
}

pub(crate) fn shell() -> Mode {
    mode("shell", vec![shell_deck("Ann", 12, true), shell_deck("Bob", 20, true)])
}

pub(crate) fn vanquishers(life: Option<i64>) -> Mode {
    let decks = vec![hero_deck("vanquishers", Some(18)), hero_deck("vanquishers", life)];
    mode("vanquishers", decks).set(&[("starting_energy", 3)])
}

/// Every game, mode, number of players and setting.
pub(crate) fn all() -> Vec<Mode> {
    let own = |format: &str| {
        let deck = |salt| MatchDeck::register(format, "", spells(15, 2, salt));
        vec![deck("x"), deck("y")]
    };
    let mut modes = vec![
        shell().with(&[("game", "3")]),
        mode("shell", vec![shell_deck("Ann", 4, false), shell_deck("Bob", 8, true)]),
        mode(
            "shell",
            vec![
                shell_deck("Ann", 12, false),
                shell_deck("Bob", 30, true),
                shell_deck("Cat", 18, false),
                shell_deck("Dan", 12, true),
            ],
        ),
        mode("vainqueur", own("vainqueur")).set(&[("opening_hand", 5), ("min", 30)]),
        vanquishers(Some(99)),
        vanquishers(None).set(&[("B.life", 20), ("B.shield", 0)]),
        mode(
            "vanquishers/competitive-advanced",
            vec![hero_deck("vanquishers/competitive-advanced", Some(5)); 2],
        )
        .set(&[("starting_energy", 0)]),
    ];
    for grid in ["fast", "normal", "vs"] {
        modes.push(mode(&format!("versus/{grid}"), own(&format!("versus/{grid}"))));
        let format = format!("versus/{grid}-shared");
        let deck = MatchDeck::register(&format, "Both", spells(20, 2, ""));
        modes.push(mode(&format, vec![deck]));
    }
    let mut odd = spells(10, 2, "").collect::<Vec<_>>();
    odd.extend([("side board", line(2, "Sword")), ("äußeres", line(1, "Shield"))]);
    let any = MatchDeck::register("any", "Odd", odd);
    modes.push(mode("any", vec![any.clone(), any.clone(), any]).set(&[("opening_hand", 7)]));
    for options in crate::common::table("modes of vastrix") {
        let options = options.split(' ').filter_map(|option| option.split_once('='));
        modes.push(vastrix().with(&options.collect::<Vec<_>>()));
    }
    for format in ["vanquishers/competitive", "vanquishers/advanced"] {
        let decks = vec![hero_deck(format, Some(30)), hero_deck(format, Some(1))];
        modes.push(mode(format, decks).set(&[("starting_energy", 20)]));
    }
    let three = ["Ann", "Bob", "Cat"].map(|owner| shell_deck(owner, 20, owner != "Bob"));
    modes.push(mode("shell", three.to_vec()).with(&[("game", "2")]));
    let lines = |salt: &str| -> Vec<(&str, Line)> {
        let lines = spells(8, 2, salt).map(|(_, line)| ("library", line));
        lines.chain([("box", line(2, "Boss"))]).collect()
    };
    let decks = ["Ann", "Bob"].map(|owner| {
        let mut deck = MatchDeck::register("any", owner, lines(owner));
        deck.dealt = Some("library".to_owned());
        deck
    });
    modes.push(mode("any", decks.to_vec()).set(&[("opening_hand", 5)]));
    modes
}

/// The first of them that is of a format.
pub(crate) fn of_format(format: &str) -> Mode {
    all().into_iter().find(|mode| mode.format == format).unwrap()
}

/// A source of choices for tests.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

/// The match file as JSON.
pub(crate) fn json_of(made: &Match) -> Value {
    read_json(made.to_json().as_bytes()).unwrap()
}

fn zone(file: &Value, seat: &str, zone: &str) -> Vec<String> {
    let list = file["state"]["seats"][seat]["zones"][zone].as_array().unwrap();
    list.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Some legal answer to something that is pending.
pub(crate) fn answer(file: &Value, dice: &mut Dice) -> Value {
    let pending = file["pending"].as_array().unwrap();
    let entry = &pending[dice.below(pending.len())];
    let seat = entry["seat"].as_str().unwrap_or("");
    let nonce = "ab".repeat(32);
    let spec =
        ["bravery", "balance", "beauty", "brilliance"][seat.len() + usize::from(seat == "B")];
    match entry["step"].as_str().unwrap() {
        "first-player" if dice.below(2) == 0 => {
            json!({"step": "first-player", "by": "choice", "seat": "B"})
        }
        "first-player" => json!({"step": "first-player", "by": "random"}),
        "swap" => {
            let (deck, side) = (zone(file, seat, "deck"), zone(file, seat, "side"));
            let names = |id: &&String| {
                file["cards"][id.as_str()].as_str().unwrap().starts_with("Spare Wall")
            };
            let spare: Vec<&String> = side.iter().filter(names).collect();
            let spells: Vec<&String> = side.iter().filter(|id| !names(id)).collect();
            let green = zone(file, seat, "shell_green");
            let (mut out, mut back) = (deck[2..4].to_vec(), spells[..3].to_vec());
            out.sort_unstable();
            back.sort_unstable();
            match dice.below(3) {
                0 => json!({"step": "swap", "seat": seat}),
                1 => json!({"step": "swap", "seat": seat, "main": {"out": out, "in": back}}),
                _ => {
                    json!({"step": "swap", "seat": seat, "shells": {"out": green, "in": spare}, "main": {"out": [], "in": spells[1..2]}})
                }
            }
        }
        "mulligan" if entry["choices"].as_array().unwrap().len() == 2 && dice.below(3) > 0 => {
            json!({"step": "mulligan", "seat": seat, "choice": "mulligan"})
        }
        "mulligan" => {
            let mut hand = zone(file, seat, "hand");
            hand.reverse();
            hand.truncate(entry["bottom"].as_u64().unwrap() as usize);
            json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": hand})
        }
        "roll" if dice.below(2) == 0 => {
            let seats = entry["seats"].as_array().unwrap().iter();
            let values: serde_json::Map<String, Value> = seats
                .map(|seat| (seat.as_str().unwrap().to_owned(), json!(1 + dice.below(2))))
                .collect();
            json!({"step": "roll", "by": "given", "values": values})
        }
        "roll" => json!({"step": "roll", "by": "random"}),
        "spec" => {
            let opened =
                [b"decklaw/spec/1\0", seat.as_bytes(), &[0xab; 32], spec.as_bytes()].concat();
            let commit =
                Sha256::digest(opened).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            json!({"step": "spec", "seat": seat, "commit": commit})
        }
        "reveal" => json!({"step": "reveal", "seat": seat, "spec": spec, "nonce": nonce}),
        "vote" => {
            let choice = ["graveyard", "graveyard", "graveyard", "shuffle"][dice.below(4)];
            json!({"step": "vote", "when": entry["when"], "seat": seat, "choice": choice})
        }
        "pick" => {
            let speedy = file["inputs"]["options"]["speed_run"] == true;
            if speedy && dice.below(3) == 0 {
                return json!({"step": "pick", "seat": seat, "by": "random"});
            }
            let legal = entry["legal"].as_array().unwrap();
            // The end of the list is where face-down cards lie.
            let from = if dice.below(2) == 0 { legal.len() - 1 } else { dice.below(legal.len()) };
            let mut pick = legal[from].clone();
            pick["step"] = json!("pick");
            pick["seat"] = json!(seat);
            pick
        }
        other => panic!("unknown step {other}"),
    }
}

/// A match played to the end of its setup with some legal decisions; every
/// stage goes to `each`.
pub(crate) fn play_out(
    mode: &Mode,
    seed: &str,
    dice: &mut Dice,
    each: impl FnMut(&Match),
) -> Match {
    play_out_by(mode, Randomness::from_text(seed), dice, each)
}

/// The same by some chance.
pub(crate) fn play_out_by(
    mode: &Mode,
    chance: Randomness,
    dice: &mut Dice,
    mut each: impl FnMut(&Match),
) -> Match {
    let mut made = Match::start(&mode.game(), mode.wanted.clone(), chance, vec![], None)
        .unwrap_or_else(|error| panic!("{}: {error}", mode.name));
    each(&made);
    while !made.pending.is_empty() {
        let decision = answer(&json_of(&made), dice);
        made = made
            .decide_json(&mode.game(), std::slice::from_ref(&decision))
            .unwrap_or_else(|error| panic!("{}: {decision}: {error}", mode.name));
        each(&made);
    }
    made
}
