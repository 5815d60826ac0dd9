//! A game's folder to begin with: a format file with the rules that nearly every game has, each
//! with an example that keeps it and one that breaks it, and others in comments.

use crate::pool::{
    CardFile, CardFileError, CardId, Column, Field, FieldKind, Pool, Value, infer_fields_of,
};
use crate::spreadsheet::Flavour;
use crate::table::Sheet;
use crate::text::counted;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A word of at most so many different values is taken for one of a fixed list.
const MOST_VALUES: usize = 24;

/// A game that is to be begun.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its id: lower-case letters, digits and `-`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The sections of its decks; the one that needs most cards is shuffled, the first of several.
    pub sections: Vec<DraftSection>,
    /// The most copies of a card.
    pub copies: u32,
    /// Cards of an opening hand.
    pub hand: u32,
    /// Its cards.
    pub pool: Pool,
}

/// A section of its decks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftSection {
    /// Its id.
    pub id: String,
    /// The fewest cards.
    pub least: u32,
    /// The most cards; `None`: any number.
    pub most: Option<u32>,
}

/// The cards of a table of somebody's own, its columns as they seem to be meant: words that
/// repeat are one of a list, cells with `;` are lists, whole numbers are numbers.
///
/// # Errors
/// What no card file may have: two cards of one name, a row without a name.
pub fn cards_of(sheet: &Sheet) -> Result<Pool, CardFileError> {
    let mut fields = infer_fields_of(sheet)?;
    let pool = Pool::of_sheet(sheet, "", &fields)?;
    for field in &mut fields {
        let column = pool.column(&field.name);
        let words = column.into_iter().flat_map(|column| {
            let words = pool.ids().flat_map(|card| column.words(card));
            words.map(|word| pool.written(&field.name, word).to_owned())
        });
        let words: BTreeSet<String> = words.collect();
        let fits = |word: &String| word.len() <= 30 && !word.contains(['"', ',', '{', '}', '[']);
        let few = words.len() <= MOST_VALUES && words.iter().all(fits);
        let values = || words.iter().map(|word| Value::new(word)).collect();
        field.kind = match (&field.kind, column) {
            (FieldKind::Number { .. }, Some(Column::Number(cells))) => {
                let numbers = || cells.iter().flatten().copied();
                FieldKind::Number {
                    min: numbers().min().unwrap_or(0).min(0),
                    max: numbers().max().unwrap_or(0).max(9999),
                }
            }
            (FieldKind::List { .. }, _) if few => FieldKind::List { values: values() },
            (FieldKind::Word { .. }, _) if few && 2 * words.len() <= pool.len() => {
                FieldKind::Word {
                    values: values(),
                    open: false,
                }
            }
            (FieldKind::Word { .. }, _) => FieldKind::Text,
            (kind, _) => (*kind).clone(),
        };
    }
    Pool::of_sheet(sheet, "", &fields)
}

/// Invented cards as a table, for whoever has none yet: so many, and twenty at least.
pub fn example_cards(count: usize) -> String {
    const CARDS: [(&str, &str); 20] = [
        ("Ash", "spell,1"),
        ("Bell", "relic,2"),
        ("Cinder", "spell,1"),
        ("Dew", "spell,2"),
        ("Ember", "spell,3"),
        ("Fern", "creature,1"),
        ("Gale", "spell,4"),
        ("Hearth", "relic,3"),
        ("Ivy", "creature,2"),
        ("Jet", "relic,1"),
        ("Kite", "creature,3"),
        ("Lamp", "relic,2"),
        ("Moss", "creature,1"),
        ("Nettle", "creature,2"),
        ("Oak", "creature,5"),
        ("Pyre", "spell,4"),
        ("Quill", "relic,1"),
        ("Reed", "creature,1"),
        ("Spark", "spell,1"),
        ("Thorn", "creature,3"),
    ];
    const KINDS: [&str; 9] = [
        "Old", "New", "Far", "Deep", "High", "Low", "Dark", "Pale", "Lost",
    ];
    let mut table = "name,type,cost\n".to_owned();
    for at in 0..count.max(CARDS.len()) {
        let (name, cells) = CARDS[at % CARDS.len()];
        let round = at / CARDS.len();
        let _ = match round.checked_sub(1).map(|round| (KINDS.get(round), round)) {
            None => writeln!(table, "{name},{cells}"),
            Some((Some(kind), _)) => writeln!(table, "{kind} {name},{cells}"),
            Some((None, round)) => writeln!(table, "{name} {round},{cells}"),
        };
    }
    table
}

impl Draft {
    /// The files of the folder, by name.
    ///
    /// # Errors
    /// None in practice: cards that were read can be written.
    pub fn files(&self) -> csv::Result<Vec<(&'static str, Vec<u8>)>> {
        let cards: Vec<CardId> = self.pool.ids().collect();
        let mut files = vec![
            ("game.yaml", self.game().into_bytes()),
            (
                "cards.csv",
                CardFile::of(&self.pool, &cards).to_csv(Flavour::Plain)?,
            ),
            ("odds.yaml", self.odds().into_bytes()),
        ];
        files.extend(self.stats().map(|text| ("stats.yaml", text.into_bytes())));
        Ok(files)
    }

    /// The section that is shuffled.
    fn first(&self) -> &str {
        let all = self.sections.iter().rev();
        let largest = all.max_by_key(|section| section.least);
        largest.map_or("main", |section| &section.id)
    }

    /// A card of the pool, for examples: any will do where there are none.
    fn card(&self, nth: usize) -> &str {
        let found = self.pool.ids().nth(nth);
        let found = found.or_else(|| self.pool.ids().next());
        found.map_or("Example", |card| self.pool.name(card))
    }

    /// A field whose words are few, and its first one.
    fn word_field(&self) -> Option<(&str, &str)> {
        self.pool
            .fields()
            .iter()
            .find_map(|field| match &field.kind {
                FieldKind::Word { values, .. } | FieldKind::List { values } => {
                    Some((field.name.as_str(), values.first()?.word.as_str()))
                }
                _ => None,
            })
    }

    fn number_field(&self) -> Option<&str> {
        let numbers = |field: &&Field| matches!(field.kind, FieldKind::Number { .. });
        let found = self.pool.fields().iter().find(numbers);
        found.map(|field| field.name.as_str())
    }

    /// The format file.
    fn game(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail; so below.
        let _ = write!(
            out,
            "# A game for decklaw. `decklaw formats check` on this folder tries every rule below\n# over cards.csv, its examples too. All keys and rule kinds: docs/formats.md.\nschema: decklaw/format/1\ngame: {}\nname: {}\n# The text that `source` of each rule names.\ntext: {}\n\n",
            self.id,
            quoted(&self.name),
            quoted(&format!("The rules of {}", self.name)),
        );
        if !self.pool.fields().is_empty() {
            out.push_str("# What the columns of cards.csv hold, beside `name`: text, word, list (parted by ;),\n# number, or query (which cards this one permits, say).\nfields:\n");
            for field in self.pool.fields() {
                let _ = writeln!(out, "  - {{{}}}", field_text(field));
            }
            out.push('\n');
        }
        out.push_str("# The parts of a deck. The first shuffled one takes cards that stand under no heading.\nsections:\n");
        for section in &self.sections {
            let shuffled = match section.id == self.first() {
                true => ", shuffled: true",
                false => "",
            };
            let (id, name) = (&section.id, quoted(&self.called(section)));
            let _ = writeln!(out, "  - {{id: {id}, name: {name}{shuffled}}}");
        }
        let _ = write!(
            out,
            "\n# One format, or several that differ in numbers: rules name them by these `values`.\nformats:\n  - id: {}\n    name: {}\n    values: {{{}}}\n\nrules:\n",
            self.id,
            quoted(&self.name),
            self.values().join(", "),
        );
        for section in &self.sections {
            self.size(&mut out, section);
        }
        self.copies(&mut out);
        self.more(&mut out);
        self.setup(&mut out);
        out
    }

    fn called(&self, section: &DraftSection) -> String {
        let id = &section.id;
        match section.most {
            _ if ["deck", "board", "pile"]
                .iter()
                .any(|end| id.ends_with(end)) =>
            {
                id.clone()
            }
            Some(..=2) => format!("{id} section"),
            _ => format!("{id} deck"),
        }
    }

    /// The numbers of the format.
    fn values(&self) -> Vec<String> {
        let mut values = Vec::new();
        for DraftSection { id, least, most } in &self.sections {
            values.extend((*least > 0).then(|| format!("{id}-least: {least}")));
            values.extend(most.map(|most| format!("{id}-most: {most}")));
        }
        values.push(format!("most-copies: {}", self.copies));
        values
    }

    /// A rule for the size of a section.
    fn size(&self, out: &mut String, section: &DraftSection) {
        let DraftSection { id, least, most } = section;
        let cards = |number: &u32| counted(i64::from(*number), "card");
        let about = match (least, most) {
            (least, None) => format!("At least {}.", cards(least)),
            (least, Some(most)) if least == most => format!("Just {}.", cards(least)),
            (0, Some(most)) => format!("At most {}.", cards(most)),
            (least, Some(most)) => format!("{least} to {}.", cards(most)),
        };
        if *least == 0 && most.is_none() {
            return;
        }
        let mut bounds = Vec::new();
        if *least > 0 {
            bounds.push(format!("min: {id}-least"));
        }
        if most.is_some() {
            bounds.push(format!("max: {id}-most"));
        }
        let fails = match most {
            Some(most) if *least == 0 => most + 1,
            _ => least - 1,
        };
        let (kept, wrong) = (least.max(&1), fails);
        let example = |count: u32| match count {
            0 => String::new(),
            count => deck(id, &[(count, self.card(0))]),
        };
        let _ = write!(
            out,
            "  # How many cards.\n  - id: {id}-size\n    source: p. 1\n    about: {}\n    must: {{size: {{sections: [{id}], {}}}}}\n    passes: {}\n    fails: {}\n\n",
            quoted(&about),
            bounds.join(", "),
            quoted(&example(*kept)),
            quoted(&example(wrong)),
        );
    }

    fn copies(&self, out: &mut String) {
        let all: Vec<&str> = self.sections.iter().map(|one| one.id.as_str()).collect();
        let first = self.first();
        let mut kept = vec![(self.copies, self.card(0))];
        if self.pool.len() > 1 {
            kept.push((1, self.card(1)));
        }
        let _ = write!(
            out,
            "  # Copies of one card, in all these sections together. `by: [title]` would take cards of one\n  # title for the same; `max: {{field: limit, else: 3}}` would let a card say its own number.\n  - id: copies\n    source: p. 1\n    about: {}\n    must: {{copies: {{sections: [{}], max: most-copies}}}}\n    passes: {}\n    fails: {}\n",
            quoted(&format!(
                "At most {} of a card.",
                counted(i64::from(self.copies), "copy")
            )),
            all.join(", "),
            quoted(&deck(first, &kept)),
            quoted(&deck(first, &[(self.copies + 1, self.card(0))])),
        );
    }

    /// Rules that other games have: whoever takes the `#` away has them.
    fn more(&self, out: &mut String) {
        out.push_str("\n  # Rules that other games have; take the `#` away and change them. Each may have `passes` and\n  # `fails`, too, and `if: {sections: [...], cards: \"...\"}` where it is asked of some decks only.\n");
        let first = self.first();
        let mut rules = Vec::new();
        if let Some((field, word)) = self.word_field() {
            let query = quoted(&format!("{field}:{}", value(word)));
            rules.push((
                "limit",
                "severity: error",
                "At most ten of a kind.",
                format!("size: {{sections: [{first}], cards: {query}, max: 10}}"),
            ));
            rules.push((
                "kinds",
                "severity: error",
                "At most two kinds.",
                format!("values: {{sections: [{first}], field: {field}, max: 2}}"),
            ));
            rules.push((
                "unwise",
                "severity: warning",
                "Advice - the deck stays legal.",
                format!("avoid: {{sections: [{first}], cards: {query}, because: they are slow}}"),
            ));
        }
        if let Some(field) = self.number_field() {
            rules.push((
                "points",
                "severity: error",
                "All copies together count at most a hundred.",
                format!("total: {{sections: [{first}], field: {field}, max: 100}}"),
            ));
        }
        if let Some(second) = self.sections.iter().find(|one| one.id != first) {
            rules.push((
                "apart",
                "severity: error",
                "No card is in both.",
                format!("disjoint: {{sections: [{}], from: [{first}]}}", second.id),
            ));
            rules.push((
                "chosen",
                "severity: error",
                "Chosen from the cards of the other.",
                format!("within: {{sections: [{}], of: [{first}]}}", second.id),
            ));
        }
        for (id, severity, about, must) in rules {
            let _ = writeln!(
                out,
                "  # - id: {id}\n  #   source: p. 2\n  #   {severity}\n  #   about: {about}\n  #   must: {{{must}}}"
            );
        }
    }

    /// How a match starts.
    fn setup(&self, out: &mut String) {
        let all: Vec<&str> = self.sections.iter().map(|one| one.id.as_str()).collect();
        let first = self.first();
        let _ = write!(
            out,
            "\n# How a match starts: `decklaw match new A.txt B.txt`.\nsetups:\n  - seats: {{between: [2, 2]}}\n    decks: own\n    sections: [{}]\n    zones:\n      seat:\n        deck: {{seen: by-nobody, holds: {first}}}\n        hand: {{seen: by-owner}}\n",
            all.join(", "),
        );
        for section in self.sections.iter().filter(|one| one.id != first) {
            let zone = format!("{}_deck", section.id.replace('-', "_"));
            let _ = writeln!(
                out,
                "        {zone}: {{seen: by-owner, holds: {}}}",
                section.id
            );
        }
        let _ = write!(
            out,
            "    steps:\n      - do: {{first-player: {{}}}}\n      - do: {{shuffle: {{pile: deck}}}}\n      - do: {{deal: {{from: deck, to: hand, cards: {{each: {}}}}}}}\n",
            self.hand
        );
    }

    /// What statistics count, where there is anything.
    fn stats(&self) -> Option<String> {
        let mut out = format!(
            "# What `decklaw stats` counts.\nsections: [{}]\nmetrics:",
            self.first()
        );
        let mut some = false;
        for field in self.pool.fields() {
            let id = field.name.replace(' ', "-");
            if matches!(field.kind, FieldKind::Text | FieldKind::Query) {
                continue;
            }
            some = true;
            let (id, name) = (quoted(&id), quoted(&field.name));
            let _ = write!(out, "\n  - {{id: {id}, name: {name}, count: {name}}}");
        }
        out.push('\n');
        some.then_some(out)
    }

    /// What odds are asked.
    fn odds(&self) -> String {
        let (name, query) = match self.word_field() {
            Some((field, word)) => (word.to_owned(), format!("1+ [{field}:{}]", value(word))),
            None => (
                self.card(0).to_owned(),
                format!("1+ [\"{}\"]", self.card(0)),
            ),
        };
        format!(
            "# What `decklaw odds` answers when nothing is asked.\nsection: {}\nhand: [{}]\npresets:\n  - name: {}\n    query: {}\n",
            self.first(),
            self.hand,
            quoted(&name),
            quoted(&query),
        )
    }
}

/// A field as a line of the format file.
fn field_text(field: &Field) -> String {
    let words = |values: &[Value]| match values {
        [] => String::new(),
        values => {
            let words: Vec<String> = values.iter().map(|value| quoted(&value.word)).collect();
            format!(", values: [{}]", words.join(", "))
        }
    };
    let kind = match &field.kind {
        FieldKind::Text => "text".to_owned(),
        FieldKind::Query => "query".to_owned(),
        FieldKind::Word { values, .. } => format!("word{}", words(values)),
        FieldKind::List { values } => format!("list{}", words(values)),
        FieldKind::Number { min: 0, max: 9999 } => "number".to_owned(),
        FieldKind::Number { min, max } => format!("number, min: {min}, max: {max}"),
    };
    format!("name: {}, kind: {kind}", quoted(&field.name))
}

/// A deck of one section.
fn deck(section: &str, cards: &[(u32, &str)]) -> String {
    let cards = cards
        .iter()
        .map(|(count, name)| format!("{count} {name}\n"));
    format!("[{section}]\n{}", cards.collect::<String>())
}

/// A word as the value of a query.
fn value(word: &str) -> String {
    match word.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
        true => word.to_owned(),
        false => format!("\"{word}\""),
    }
}

/// A text as YAML has it: bare where it is one plain word.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c == '-';
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    match !text.is_empty()
        && text.chars().all(plain)
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !words.contains(&text)
    {
        true => text.to_owned(),
        false => serde_json::Value::from(text).to_string(),
    }
}
