//! Writes a deck as a player might: lines split and shuffled, other spellings, three file formats.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use crate::model::{Deck, Line, fold};
use crate::random::Random;

/// The same deck with its lines split, shuffled and spelt otherwise.
pub(crate) fn disguise(deck: &Deck, random: &mut Random) -> Deck {
    let mut disguised = split(deck, random);
    respell(&mut disguised, random);
    shuffle(&mut disguised, random);
    disguised
}

/// Some lines of several copies become two.
pub(crate) fn split(deck: &Deck, random: &mut Random) -> Deck {
    let mut divided = deck.clone();
    for (_, lines) in &mut divided.sections {
        for at in 0..lines.len() {
            if lines[at].count > 1 && random.percent(60) {
                let part = random.between(1, lines[at].count - 1);
                lines[at].count -= part;
                let name = lines[at].name.clone();
                lines.push(Line { count: part, name });
            }
        }
    }
    divided
}

pub(crate) fn shuffle(deck: &mut Deck, random: &mut Random) {
    for (_, lines) in &mut deck.sections {
        random.shuffle(lines);
    }
}

/// Other spellings of the same names: case, white space, decomposed letters.
pub(crate) fn respell(deck: &mut Deck, random: &mut Random) {
    for (_, lines) in &mut deck.sections {
        for line in lines {
            let before = fold(&line.name);
            line.name = match random.below(8) {
                0 => line.name.to_uppercase(),
                1 => line.name.to_lowercase(),
                2 => line.name.replace(' ', "  "),
                3 => line.name.replace(' ', "\t "),
                4 => line.name.nfd().collect(),
                5 => line.name.nfc().collect(),
                _ => continue,
            };
            assert_eq!(before, fold(&line.name), "a spelling of another card");
        }
    }
}

/// A section that the format shuffles and that cards without a heading go to.
const FIRST_SHUFFLED: &str = "main";

/// The native text dialect, in one of its many styles.
pub(crate) fn text(deck: &Deck, random: &mut Random) -> String {
    let mut text = format!("Format: {}\nName: {}\n\n", deck.format, deck.name);
    let mut sections = deck.sections.clone();
    if random.percent(15) {
        // Cards before any heading.
        if let Some(at) = sections.iter().position(|(id, _)| id == FIRST_SHUFFLED) {
            let (_, lines) = sections.remove(at);
            write_lines(&mut text, &lines, random);
        }
    }
    random.shuffle(&mut sections);
    for (id, lines) in &sections {
        text += &heading(id, lines, random);
        write_lines(&mut text, lines, random);
        if random.percent(10) {
            text += "# the end of a section, and of 3 thoughts\n";
        }
    }
    if random.percent(5) {
        text = text.replace('\n', "\r\n");
    }
    if random.percent(5) {
        text.insert(0, '\u{feff}');
    }
    text
}

fn heading(id: &str, lines: &[Line], random: &mut Random) -> String {
    let total: u32 = lines.iter().map(|line| line.count).sum();
    let capital = id[..1].to_uppercase() + &id[1..];
    match random.below(8) {
        0 => format!("\n{id}\n"),
        1 => format!("\n{capital}:\n"),
        2 => format!("\n[{capital}]\n"),
        3 => format!("\n{capital} ({total})\n"),
        4 => format!("\n{}\n\n", id.to_uppercase()),
        5 if id == "main" => "\nDeck\n".to_owned(),
        5 if id == "side" => "\nSideboard\n".to_owned(),
        _ => format!("\n{capital}\n"),
    }
}

fn write_lines(text: &mut String, lines: &[Line], random: &mut Random) {
    for Line { count, name } in lines {
        *text += &match random.below(10) {
            0 => format!("{count}x {name}\n"),
            1 => format!("{count}× {name}\n"),
            2 => format!("{count}  {name} \n"),
            3 if random.percent(20) => format!("// a remark\n\n{count} {name}\n"),
            _ => format!("{count} {name}\n"),
        };
    }
}

/// The JSON deck file.
pub(crate) fn json_text(deck: &Deck, random: &mut Random) -> String {
    let mut file = json!({"format": deck.format, "name": deck.name});
    for (id, lines) in &deck.sections {
        let lines: Vec<Value> = lines.iter().map(|line| entry(line, random)).collect();
        section_map(&mut file)[id] = Value::Array(lines);
    }
    serde_json::to_string_pretty(&file).unwrap()
}

/// Where the mapping from section to lines stands in a JSON or YAML deck.
const SECTIONS_KEY: Option<&str> = None;

fn section_map(file: &mut Value) -> &mut Value {
    match SECTIONS_KEY {
        Some(key) => &mut file[key],
        None => file,
    }
}

fn entry(line: &Line, random: &mut Random) -> Value {
    let Line { count, name } = line;
    if random.percent(50) {
        json!(format!("{count} {name}"))
    } else {
        json!({"name": name, "count": count})
    }
}

/// The YAML deck file; every text stands in double quotes, as in JSON.
pub(crate) fn yaml_text(deck: &Deck, random: &mut Random) -> String {
    let mut text = format!("format: {}\nname: {}\n", deck.format, json!(deck.name));
    let indent = match SECTIONS_KEY {
        Some(key) => {
            text += &format!("{key}:\n");
            "  "
        }
        None => "",
    };
    for (id, lines) in &deck.sections {
        if lines.is_empty() {
            text += &format!("{indent}{id}: []\n");
            continue;
        }
        text += &format!("{indent}{id}:\n");
        for line in lines {
            text += &match entry(line, random) {
                Value::String(short) => format!("{indent}  - {}\n", json!(short)),
                _ => format!(
                    "{indent}  - {{name: {}, count: {}}}\n",
                    json!(line.name),
                    line.count
                ),
            };
        }
    }
    text
}
