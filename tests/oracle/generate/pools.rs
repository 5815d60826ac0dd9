//! Random card pools as CSV, with the columns of INTERFACE.

use crate::model::{Pool, RANKS, SUITS};
use crate::random::Random;

/// Names that a careless reader of lines, CSV or spellings gets wrong.
const ODD_NAMES: [&str; 12] = [
    "3 Blind Mice",
    "X Marks the Spot",
    "Fire // Ice",
    "Salt, Sulphur & Mercury",
    "The \"Quiet\" One",
    "Café Été",
    "Straße Nord",
    "Σίσυφος",
    "Number #1 (Again)",
    "Main Street: Part Two",
    "竜の歌",
    "2x4",
];

fn names(stem: &str, count: usize) -> Vec<String> {
    let odd = ODD_NAMES.iter().map(|name| (*name).to_owned());
    let plain = (0..).map(|number| format!("{stem} {number:03}"));
    odd.chain(plain).take(count).collect()
}

fn csv_text(header: &str, rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header.split(',')).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// A pool for a game; nothing for VASTRIX, whose pool is fixed.
pub(crate) fn random_pool(game: &str, random: &mut Random) -> Option<String> {
    match game {
        "shell" => Some(shell(random)),
        "vainqueur" => Some(vainqueur(random)),
        "versus" => Some(versus(random)),
        "vanquishers" => Some(vanquishers(random)),
        _ => None,
    }
}

fn shell(random: &mut Random) -> String {
    let mut rows = Vec::new();
    for name in names("Spell", 140) {
        let colour = *random.pick(&[
            "green",
            "green",
            "green",
            "green",
            "green",
            "green",
            "red",
            "red",
            "red",
            "Red",
            "blue",
            "colourless",
            "violet",
        ]);
        let mana = *random.pick(&[
            "0", "1", "1", "1", "2", "2", "2", "3", "3", "4", "5", "6", "7",
        ]);
        rows.push(row(&[&name, "spell", colour, mana]));
    }
    for number in 0..4 {
        for colour in ["red", "green", "blue"] {
            let name = format!("{colour} Shell {number}");
            rows.push(row(&[&name, "shell", colour, ""]));
        }
        rows.push(row(&[
            &format!("Token {number}"),
            "token",
            "colourless",
            "1",
        ]));
    }
    csv_text("name,type,colour,mana", &rows)
}

fn vainqueur(random: &mut Random) -> String {
    let mut rows = Vec::new();
    for name in names("Vassal", 120) {
        let kind = *random.pick(&["monster", "monster", "Master", "battlefield", "spell"]);
        let rank = match kind {
            "monster" => *random.pick(&["alpha", "beta", "omega"]),
            _ => "",
        };
        rows.push(row(&[&name, kind, rank]));
    }
    csv_text("name,type,rank", &rows)
}

fn versus(random: &mut Random) -> String {
    let mut rows = Vec::new();
    for name in names("Fighter", 120) {
        let kind = *random.pick(&["character", "character", "item", "trap"]);
        let mut cells = row(&[&name, kind]);
        for _ in 0..4 {
            let side = *random.pick(&RANKS);
            let side = if kind == "character" { side } else { "" };
            cells.push(side.to_owned());
        }
        cells.push(match kind {
            "character" => (*random.pick(&["water", "fire", "earth"])).to_owned(),
            _ => String::new(),
        });
        cells.push(match kind {
            "item" => (*random.pick(&["turn", "free", "modifier"])).to_owned(),
            _ => String::new(),
        });
        rows.push(cells);
    }
    csv_text("name,type,top,right,bottom,left,element,use", &rows)
}

const ENERGIES: [&str; 5] = ["tech", "solar", "arc", "glacier", "dark"];

/// What Heroes may use: anything, wide lists, narrow ones, and each construct of the query.
const ALLOWS: [&str; 12] = [
    "",
    "",
    "-type:trap",
    "-kind:rift",
    "type:ability or type:(weapon armor) or type:ammunition",
    "type:(ability ammunition armor mod energy-class hero-item)",
    "type:ammunition or type:armor or (type:weapon -kind:melee) or (type:ability kind:(trap attack))",
    "type:weapon or type:ammunition or cost<=3",
    "-(type:ability kind:grenade) -(type:mod or type:auxiliary)",
    "-type:weapon or kind:range or unique:true",
    "gear or type:energy-class or type:ammunition",
    "(type:energy-class energy:(tech solar arc)) or -type:energy-class -\"Gear 020\"",
];

fn vanquishers(random: &mut Random) -> String {
    let kinds = |of: &str| -> &'static [&'static str] {
        match of {
            "ability" => &["attack", "rift", "support", "trap", "vitality", "grenade"],
            "weapon" => &["range", "melee", "hand-to-hand", "critical-art"],
            "ammunition" => &["kinetic", "energy"],
            "mod" => &["barrel", "scope", "blade", "grip", "energy"],
            _ => &[""],
        }
    };
    let mut rows = Vec::new();
    for name in names("Gear", 125) {
        let of = *random.pick(&[
            "ability",
            "ability",
            "ability",
            "weapon",
            "weapon",
            "hero-item",
            "auxiliary",
            "ammunition",
            "armor",
            "mod",
        ]);
        let kind = *random.pick(kinds(of));
        let unique = if random.percent(20) { "true" } else { "false" };
        let cost = random.between(0, 6).to_string();
        rows.push(row(&[&name, of, kind, unique, &cost, "", "", ""]));
    }
    for number in 0..10 {
        let name = format!("Class {number}");
        let energy = ENERGIES[number % ENERGIES.len()];
        rows.push(row(&[
            &name,
            "energy-class",
            "",
            "false",
            "",
            energy,
            "",
            "",
        ]));
    }
    for (number, allows) in ALLOWS.iter().enumerate() {
        let name = format!("Hero {number}");
        let first = random.below(ENERGIES.len());
        let second = (first + 1 + random.below(ENERGIES.len() - 1)) % ENERGIES.len();
        let energies = format!("{};{}", ENERGIES[first], ENERGIES[second]);
        rows.push(row(&[
            &name, "hero", "", "false", "", "", &energies, allows,
        ]));
    }
    csv_text("name,type,kind,unique,cost,energy,energies,allows", &rows)
}

/// The pool of VASTRIX as SPEC 5.1 X1 has it.
pub(crate) fn vastrix() -> Pool {
    let mut rows = vec![row(&["RJ"]), row(&["BJ"])];
    for suit in SUITS {
        for rank in RANKS {
            rows.push(row(&[&format!("{rank}{suit}")]));
        }
    }
    Pool::read(&csv_text("name", &rows))
}
