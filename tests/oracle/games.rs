//! The built-in games: their rules as rows, each written from the rules' text alone, with large
//! numbers or small ones, over random cards.

use super::random::Random;
use super::rules::csv;
use super::world::{Card, Fault, Query, Rule, Table, World, fold, over, range};
use std::collections::BTreeMap;

/// Every constructed format that is built in.
pub(crate) const FORMATS: [&str; 13] = [
    "shell",
    "vainqueur",
    "versus/fast",
    "versus/normal",
    "versus/vs",
    "versus/fast-shared",
    "versus/normal-shared",
    "versus/vs-shared",
    "vanquishers",
    "vanquishers/competitive",
    "vanquishers/advanced",
    "vanquishers/competitive-advanced",
    "vastrix",
];

pub(crate) fn game(format: &str) -> &str {
    format.split('/').next().unwrap()
}

/// Names that a careless reader of lines, CSV or spellings gets wrong.
const ODD_NAMES: &str = "3 Blind Mice|X Marks the Spot|Fire // Ice|Salt, Sulphur & Mercury|The \"Quiet\" One|Café Été|Straße Nord|Σίσυφος|Number #1 (Again)|Main Street: Part Two|竜の歌|2x4";

/// What heroes may use, in the built-in cards and others, with what that means.
type Picks = fn(&Card) -> bool;
const ALLOWS: [(&str, Picks); 13] = [
    ("", |_| true),
    ("-type:trap", |card| !card.has("type", "trap")),
    ("type:weapon or type:ammunition or cost<=3", |card| {
        any(card, "type", "weapon ammunition") || card.number("cost").is_some_and(|cost| cost <= 3)
    }),
    ("-(type:ability kind:grenade) -(type:mod or type:auxiliary)", |card| {
        let grenade = card.has("type", "ability") && card.has("kind", "grenade");
        !grenade && !any(card, "type", "mod auxiliary")
    }),
    ("gear or type:energy-class or type:ammunition", |card| {
        fold(&card.name).contains("gear") || any(card, "type", "energy-class ammunition")
    }),
    ("(type:energy-class energy:(tech solar arc)) or -type:energy-class -\"Gear 1\"", |card| {
        let class = card.has("type", "energy-class");
        class && any(card, "energy", "tech solar arc") || !class && fold(&card.name) != "gear 1"
    }),
    ("cost<=4 or type:(ammunition energy-class)", |card| {
        card.number("cost").is_some_and(|cost| cost <= 4)
            || any(card, "type", "ammunition energy-class")
    }),
    ("-kind:(grenade range barrel under-barrel scope)", |card| {
        !any(card, "kind", "grenade range barrel under-barrel scope")
    }),
    ("-kind:critical-art", |card| !card.has("kind", "critical-art")),
    (
        "type:(ability ammunition armor auxiliary energy-class) or kind:(range barrel under-barrel scope)",
        |card| {
            any(card, "type", "ability ammunition armor auxiliary energy-class")
                || any(card, "kind", "range barrel under-barrel scope")
        },
    ),
    (
        "type:(ammunition energy-class armor) or (type:weapon kind:(melee hand-to-hand)) or (type:ability -kind:grenade) or kind:(blade grip)",
        |card| {
            any(card, "type", "ammunition energy-class armor")
                || card.has("type", "weapon") && any(card, "kind", "melee hand-to-hand")
                || card.has("type", "ability") && !card.has("kind", "grenade")
                || any(card, "kind", "blade grip")
        },
    ),
    (
        "type:(ammunition energy-class armor hero-item) or kind:(melee blade grip attack support vitality)",
        |card| {
            any(card, "type", "ammunition energy-class armor hero-item")
                || any(card, "kind", "melee blade grip attack support vitality")
        },
    ),
    ("-type:auxiliary -kind:(trap rift)", |card| {
        !card.has("type", "auxiliary") && !any(card, "kind", "trap rift")
    }),
];

fn any(card: &Card, field: &str, values: &str) -> bool {
    values.split(' ').any(|value| card.has(field, value))
}

fn is(field: &'static str, value: &'static str) -> Query {
    Query::is(field, value)
}

fn all() -> Query {
    Query::all()
}

/// Errors and warnings of one game, in numbers that tests may make smaller.
fn rules(format: &str, small: bool, house: &House) -> Vec<Rule> {
    match game(format) {
        "shell" => shell(if small { [8, 3, 1, 3] } else { [100, 15, 10, 12] }),
        "vainqueur" => vainqueur(house.clone()),
        "versus" => versus(format, small, house.any_composition),
        "vanquishers" => vanquishers(format, small),
        // X1: each card of the pool exactly once.
        _ => vec![Rule::new("whole-deck", |table| {
            let copies = |card: usize| table.copies(&[0], card);
            let cards = (0..table.world.cards.len()).filter(|card| !table.card(*card).unknown);
            let worst = cards.map(|card| range(copies(card), 1, 1)).max().flatten();
            // Whether a deck with a foreign card is then whole is left open.
            worst.or(table.has_unknown(0).then_some(Fault::Open))
        })],
    }
}

/// Different cards with the most of something.
fn each(
    table: &Table<'_>,
    section: usize,
    cards: &Query,
    is_over: impl Fn(&Card, i64) -> bool,
) -> Option<Fault> {
    let held = table.held(&[section], cards).into_iter();
    over(held.into_iter().any(|(card, copies)| is_over(table.card(card), copies)))
}

fn mana(card: &Card) -> i64 {
    card.number("mana").unwrap_or(0)
}

fn shell([start, extra, side, per]: [i64; 4]) -> Vec<Rule> {
    let spell = || is("type", "spell");
    let is_coloured = |card: &Card| card.has("colour", "green") || card.has("colour", "red");
    let red = |table: &Table<'_>| table.sum(&[1], &is("colour", "red"), "mana");
    // S4 grants the side deck a Shell; D3, D4 and E1 to E3 grant the other sections none.
    let either = Query::new("", |card| any(card, "type", "spell shell"));
    let mut rules = vec![
        Rule::gate("accepts", 0, is("type", "shell")),
        Rule::gate("accepts", 1, spell()),
        Rule::gate("accepts", 2, spell()),
        Rule::gate("accepts", 3, either),
        // D1: 100 + R − G = 0, every copy counted. Further green or red cards bring it to 0.
        Rule::new("points", move |table| {
            let green = table.sum(&[1], &is("colour", "green"), "mana");
            let all = start + red(table);
            (green != all && !table.has_unknown(1)).then_some(Fault::Short)
        }),
        // D2: copies × mana ≤ 6.
        Rule::new("copies", |table| each(table, 1, &all(), |card, copies| copies * mana(card) > 6)),
        // E1: none or 15.
        Rule::new("extra-size", move |table| match table.count(&[2], &all()) {
            0 => None,
            size => range(size, extra, extra),
        }),
        // E2: all different. E3: none that the main deck has.
        Rule::new("extra-distinct", |table| each(table, 2, &all(), |_, copies| copies > 1)),
        Rule::new("extra-overlap", |table| over(table.shares(&[2], &[1]))),
        // S1: at most 10 + ⌊R/12⌋ different cards next to the Shell, and further red cards add to
        // R. An unknown card in main may, too; one in the side deck may be a Shell.
        Rule::new("side-distinct", move |table| {
            let many =
                table.held(&[3], &is("type", "spell")).len() as i64 > side + red(table) / per;
            let open = table.has_unknown(1) || table.has_unknown(3);
            many.then_some(if open { Fault::Open } else { Fault::Short })
        }),
        Rule::new("side-copies", |table| {
            each(table, 3, &is("type", "spell"), |card, copies| copies * mana(card) > 6)
        }),
        // S3: neither in main nor extra; nor a Shell that the deck already plays.
        Rule::new("side-overlap", |table| over(table.shares(&[3], &[0, 1, 2]))),
        Rule::new("side-shell", |table| {
            let open = table.has_unknown(3);
            let many = table.count(&[3], &is("type", "shell")) > 1;
            many.then_some(if open { Fault::Open } else { Fault::Over })
        }),
        warning("zero-mana", |table| {
            each(table, 1, &is("type", "spell"), |card, _| mana(card) == 0)
        }),
        warning("unpriced-colour", move |table| {
            each(table, 1, &is("type", "spell"), |card, _| !is_coloured(card))
        }),
    ];
    // D3: exactly one Shell of each colour.
    rules.extend(["red", "green", "blue"].map(|colour| {
        Rule::new("shells", move |table| {
            let copies = table.count(&[0], &is("colour", colour));
            if table.has_unknown(0) {
                (copies > 1).then_some(Fault::Open)
            } else {
                range(copies, 1, 1)
            }
        })
    }));
    rules
}

fn warning(id: &str, check: impl Fn(&Table<'_>) -> Option<Fault> + 'static) -> Rule {
    let mut rule = Rule::new(id, check);
    rule.warns = true;
    rule
}

/// What an organiser adds: a list, by folded names, and what the rules' text leaves open.
#[derive(Clone, Default)]
struct House {
    sizes: Option<(i64, i64)>,
    copies: Option<i64>,
    banned: Vec<String>,
    single: Vec<String>,
    points: Vec<(String, i64)>,
    any_composition: bool,
}

const POINTS: i64 = 2;

fn vainqueur(house: House) -> Vec<Rule> {
    let (min, max) = house.sizes.unwrap_or((0, i64::MAX));
    let copies = house.copies.unwrap_or(i64::MAX);
    let types = Query::new("", |card| any(card, "type", "monster master battlefield spell"));
    let over_limit = |names: Vec<String>, most: i64| {
        move |table: &Table<'_>| {
            let is_listed = |card: &Card| names.contains(&fold(&card.name));
            each(table, 0, &all(), |card, copies| is_listed(card) && copies > most)
        }
    };
    vec![
        Rule::gate("accepts", 0, types),
        // V1, V2: no banned card, by name.
        Rule::new("banned", over_limit(house.banned, 0)),
        Rule::new("restricted", over_limit(house.single, 1)),
        Rule::new("points-list", move |table| {
            let of = |card: usize| {
                house.points.iter().find(|(name, _)| *name == fold(&table.card(card).name))
            };
            let held = table.held(&[0], &all()).into_iter();
            let spent: i64 = held.filter_map(|(card, copies)| Some(of(card)?.1 * copies)).sum();
            over(spent > POINTS)
        }),
        // V5: minimum, maximum and copy limit are lost; only an organiser can give them.
        Rule::new("size", move |table| range(table.count(&[0], &all()), min, max)),
        Rule::new("copies", move |table| each(table, 0, &all(), |_, own| own > copies)),
        // V3: advice to play 50.
        warning("advised-size", |table| over(table.count(&[0], &all()) != 50)),
    ]
}

fn versus(format: &str, small: bool, any_composition: bool) -> Vec<Rule> {
    let mode = format.strip_prefix("versus/").unwrap();
    let (mode, decks) = match mode.strip_suffix("-shared") {
        Some(mode) => (mode, 2),
        None => (mode, 1),
    };
    let (size, table) = match mode {
        "fast" => (20, [12, 5, 3]),
        "normal" => (30, [18, 8, 4]),
        _ => (40, [24, 11, 5]),
    };
    let size = match size * decks {
        30 if small => 6,
        40 if small => 5,
        size => size,
    };
    // L2: characters, traps and items only. L1: the exact size.
    let types = Query::new("", |card| any(card, "type", "character item trap"));
    let mut rules = vec![
        Rule::gate("accepts", 0, types),
        Rule::new("size", move |table| range(table.count(&[0], &all()), size, size)),
    ];
    // L3: the table's composition; L4: an announced variation may leave it. Unknown cards may be
    // of any type.
    for (kind, wanted) in ["character", "item", "trap"].into_iter().zip(table) {
        let wanted = wanted * decks;
        rules.push(warning("composition", move |table| {
            let count = table.count(&[0], &is("type", kind));
            let unknown = table.count(&[0], &Query::new("", |card| card.unknown));
            over(!any_composition && (count > wanted || count + unknown < wanted))
        }));
    }
    rules
}

fn vanquishers(format: &str, small: bool) -> Vec<Rule> {
    const HERO: usize = 0;
    const ENERGY: usize = 1;
    const MAIN: usize = 2;
    let min = match (format.contains("competitive"), small) {
        (false, false) => 30,
        (true, false) => 45,
        (false, true) => 4,
        (true, true) => 5,
    };
    let max = if small { 7 } else { 70 };
    let class = || is("type", "energy-class");
    let one_hero = |table: &Table<'_>| match table.held(&[HERO], &all()).as_slice() {
        [(hero, 1)] if !table.card(*hero).unknown => Some(*hero),
        _ => None,
    };
    // With known and unknown Heroes together it is open whether there is exactly one.
    let is_open =
        |table: &Table<'_>| table.has_unknown(HERO) && table.held(&[HERO], &all()).len() > 1;
    let off_type = move |table: &Table<'_>, section: usize| {
        let Some(hero) = one_hero(table) else {
            return is_open(table).then_some(Fault::Open);
        };
        let types = table.card(hero).words("energies");
        each(table, section, &class(), |card, _| card.words("energy").is_disjoint(&types))
    };
    let mut rules = vec![
        Rule::gate("accepts", HERO, is("type", "hero")),
        Rule::gate("accepts", ENERGY, class()),
        // A Hero cannot be played from the deck.
        Rule::gate("accepts", MAIN, Query::new("", |card| !card.has("type", "hero"))),
        // Q1, Q2: neither the Hero nor the starting Energy Class counts.
        Rule::new("size", move |table| range(table.count(&[MAIN], &all()), min, max)),
        // Q5 before Q4 before Q3: a unique card once, other ammunition freely, four of anything
        // else. For an unknown card none of the three can be said.
        Rule::new("unique", |table| {
            each(table, MAIN, &is("unique", "true"), |_, copies| copies > 1)
        }),
        Rule::new("copies", |table| {
            let limited = Query::new("", |card| {
                !card.unknown && !card.has("unique", "true") && !card.has("type", "ammunition")
            });
            each(table, MAIN, &limited, |_, copies| copies > 4)
        }),
        // Q7: exactly one Hero.
        Rule::new("hero", |table| range(table.count(&[HERO], &all()), 1, 1)),
        // Q6: the Hero can use every card of the deck.
        Rule::new("hero-restriction", move |table| {
            let Some(hero) = one_hero(table) else {
                return is_open(table).then_some(Fault::Open);
            };
            let allows = &table.card(hero).queries["allows"];
            each(table, MAIN, &all(), |card, _| !card.unknown && !allows.picks(card))
        }),
    ];
    // Q8, in the advanced formats.
    if format.ends_with("advanced") {
        rules.extend([
            Rule::new("energy-class", |table| range(table.count(&[ENERGY], &all()), 1, 1)),
            Rule::new("energy-class", move |table| off_type(table, ENERGY)),
            warning("energy-off-type", move |table| off_type(table, MAIN)),
            // One to start and four in the deck are five.
            warning("energy-copies", |table| {
                let held = table.held(&[ENERGY], &all()).into_iter();
                let faults = held.map(|(card, _)| {
                    let open = table.card(card).unknown;
                    let many = table.copies(&[ENERGY, MAIN], card) > 4;
                    many.then_some(if open { Fault::Open } else { Fault::Over })
                });
                faults.max().flatten()
            }),
        ]);
    } else {
        rules.push(warning("dead-card", |table| {
            each(
                table,
                MAIN,
                &Query::new("", |card| any(card, "type", "energy-class mod")),
                |_, _| true,
            )
        }));
    }
    rules
}

/// Cards of a game at random. A row of the table has how many are in a large and in a small pool,
/// their name, and for each column the cells to choose from.
fn cards(game: &str, small: bool, random: &mut Random) -> Vec<Card> {
    let mut cards = Vec::new();
    for row in crate::common::table("cards of the built-in games") {
        let (head, columns) = row.split_once(" : ").unwrap();
        let mut head = head.splitn(4, ' ');
        let [own, large, few, stem] = [(); 4].map(|()| head.next().unwrap());
        let count: usize = if small { few } else { large }.parse().unwrap();
        for at in 0..if own == game { count } else { 0 } {
            let odd = ODD_NAMES.split('|').nth(cards.len()).filter(|_| !small);
            let name = odd.map_or(format!("{stem} {at}"), str::to_owned);
            let cells = columns.split(' ').map(|column| {
                let (field, cells) = column.split_once('=').unwrap();
                let cells: Vec<&str> = cells.split('|').collect();
                (field.to_owned(), random.pick(&cells).to_owned())
            });
            cards.push(Card { name, cells: cells.collect(), ..Card::default() });
        }
    }
    for card in cards.iter_mut().filter(|card| card.has("type", "hero")) {
        let (text, _) = random.pick(&ALLOWS);
        card.cells.insert("allows".to_owned(), text.to_owned());
    }
    cards
}

/// The cards of a card file.
fn read(csv: &str) -> Vec<Card> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let cells =
            header.iter().zip(&row).map(|(field, cell)| (field.to_lowercase(), cell.to_owned()));
        let mut cells: BTreeMap<String, String> = cells.collect();
        Card { name: cells.remove("name").unwrap(), cells, ..Card::default() }
    });
    rows.collect()
}

/// Numbers of the game files that small games replace.
const SMALLER: [(&str, &str, &str); 9] = [
    ("shell", "start: 100", "start: 8"),
    ("shell", "one-of: [0, 15]", "one-of: [0, 3]"),
    ("shell", "max: 10\n        plus", "max: 1\n        plus"),
    ("shell", "per: 12", "per: 3"),
    ("versus", "size: 30", "size: 6"),
    ("versus", "size: 40", "size: 5"),
    ("vanquishers", "min: 30", "min: 4"),
    ("vanquishers", "min: 45", "min: 5"),
    ("vanquishers", "max: 70", "max: 7"),
];

/// Which cards a world has.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Size {
    /// Those that are built in.
    BuiltIn,
    Large,
    /// A few, and small numbers in the rules.
    Small,
}

impl World {
    /// A format that is built in, over random cards, with a list now and then and, where `given`,
    /// the settings that its rules leave open.
    pub(crate) fn shipped(format: &str, size: Size, given: bool, random: &mut Random) -> World {
        let own = game(format);
        let small = size == Size::Small;
        let mut world = World {
            format: format.to_owned(),
            sections: match own {
                "shell" => vec!["shells", "main", "extra", "side"],
                "vanquishers" => vec!["hero", "energy", "main"],
                _ => vec!["main"],
            },
            ..World::default()
        };
        if size == Size::BuiltIn || own == "vastrix" && !small {
            let file = std::fs::read_to_string(format!("formats/{own}/cards.csv"));
            world.cards = read(&file.unwrap());
        } else {
            world.cards = cards(own, small, random);
            let mut fields: Vec<&str> = Vec::new();
            for field in world.cards.iter().flat_map(|card| card.cells.keys()) {
                if !fields.contains(&field.as_str()) {
                    fields.push(field);
                }
            }
            world.csv = Some(csv(&fields, &world.cards));
        }
        for card in &mut world.cards {
            let text = card.cell("allows").to_owned();
            let (_, picks) = ALLOWS.iter().find(|(known, _)| *known == text).unwrap();
            card.queries.insert("allows", Query::new(text, picks));
        }
        if small {
            let mut text = std::fs::read_to_string(format!("formats/{own}/game.yaml")).unwrap();
            for (_, large, small) in SMALLER.iter().filter(|(game, ..)| *game == own) {
                assert!(text.contains(large), "{own}: {large}");
                text = text.replace(large, small);
            }
            world.text = Some(text);
        }
        let house = world.house(own, small, given, random);
        world.rules = rules(format, small, &house);
        let sections: Vec<usize> = (0..world.sections.len()).collect();
        world.rules.push(Rule::new("unknown-card", move |table| {
            over(sections.iter().any(|section| table.has_unknown(*section)))
        }));
        world
    }

    fn house(&mut self, game: &str, small: bool, given: bool, random: &mut Random) -> House {
        let mut house = House::default();
        let mut set = |name: &str, value: String| self.settings.insert(name.to_owned(), value);
        if game == "versus" && given && self.format.contains("vs") {
            house.any_composition = true;
            set("composition", "any".to_owned());
        }
        if game != "vainqueur" {
            return house;
        }
        if given || small {
            let (min, max, copies) = if small { (4, 6, 2) } else { (45, 60, 3) };
            set("min", min.to_string());
            set("max", max.to_string());
            set("copies", copies.to_string());
            (house.sizes, house.copies) = (Some((min, max)), Some(copies));
        }
        let mut names: Vec<String> = self.cards.iter().map(|card| card.name.clone()).collect();
        random.shuffle(&mut names);
        let mut names = names.into_iter();
        let mut text = "schema: decklaw/banlist/1\nid: trial\ngame: vainqueur\nname: Trial list\n\
            effective: 2026-01-01\nbanned:\n"
            .to_owned();
        let json = |name: &str| serde_json::json!(name).to_string();
        let few = if small { 1 } else { 6 };
        for name in names.by_ref().take(few) {
            text += &format!("  - {}\n", json(&name));
            house.banned.push(fold(&name));
        }
        text += "restricted:\n";
        for name in names.by_ref().take(few) {
            text += &format!("  - {{name: {}, copies: 1}}\n", json(&name));
            house.single.push(fold(&name));
        }
        text += &format!("points:\n  limit: {POINTS}\n  cards:\n");
        for (at, name) in names.take(2 * few).enumerate() {
            let points = 1 + at as i64 % 2;
            text += &format!("    - {{name: {}, points: {points}}}\n", json(&name));
            house.points.push((fold(&name), points));
        }
        self.list = Some(text);
        house
    }
}
