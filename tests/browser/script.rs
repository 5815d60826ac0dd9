//! Whole games, to the end that their rules give them. The table judges nothing: the players here
//! do what the rules ask.

use super::whole::Room;
use std::collections::BTreeMap;

pub(crate) type Told = Result<(), String>;

/// A game, and what its players bring.
pub(crate) struct Game {
    pub(crate) format: &'static str,
    /// Decks by seat.
    pub(crate) decks: [&'static str; 2],
}

pub(crate) const VERSUS: Game = Game {
    format: "versus/fast",
    decks: ["versus/low-tide-irregulars.txt"; 2],
};

pub(crate) const SHELL: Game = Game {
    format: "shell",
    decks: ["shell/ash-and-acorn.txt", "shell/nineteen-trees.txt"],
};

impl Game {
    /// What the cards of its game say, by name and field.
    pub(crate) fn cards(&self) -> Cards {
        let game = self.format.split('/').next().unwrap_or_default();
        let file = format!("{}/formats/{game}/cards.csv", env!("CARGO_MANIFEST_DIR"));
        let mut rows = csv::Reader::from_path(file).unwrap();
        let head = rows.headers().unwrap().clone();
        let cards = rows.records().map(|row| {
            let row = row.unwrap();
            let fields = head
                .iter()
                .zip(&row)
                .map(|(key, value)| (key.to_owned(), value.to_owned()));
            (row[0].to_owned(), fields.collect())
        });
        Cards(cards.collect())
    }
}

type Fields = BTreeMap<String, String>;

/// The cards of a game, as its players read them.
pub(crate) struct Cards(BTreeMap<String, Fields>);

impl Cards {
    fn number(&self, name: &str, field: &str) -> i64 {
        let value = &self.0[name][field];
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    }

    /// Where in hand a card lies that is wanted.
    async fn held(
        &self,
        table: &mut Room,
        seat: &str,
        wanted: impl Fn(&Fields) -> bool,
    ) -> Result<Option<(usize, String)>, String> {
        let names = table.names(seat, "hand").await?;
        let mut found = names.into_iter().enumerate();
        Ok(found.find(|(_, name)| wanted(&self.0[name])))
    }
}

fn must(holds: bool, what: &str) -> Told {
    match holds {
        true => Ok(()),
        false => Err(what.to_owned()),
    }
}

/// The first to have a character on the other's home base, undefeated, wins.
pub(crate) async fn versus(table: &mut Room, cards: &Cards) -> Result<String, String> {
    let ways = [["a1", "a2", "a3", "a4"], ["d4", "d3", "d2", "c2"]];
    let mut steps = [0, 0];
    'game: for turn in 0..60 {
        for (at, seat) in ["A", "B"].into_iter().enumerate() {
            if turn > 0 {
                table.does(seat, "draw").await?;
            }
            // Who holds no character goes no step further.
            let held = cards.held(table, seat, |card| card["type"] == "character");
            let held = held.await?;
            if let Some((slot, _)) = held.filter(|_| steps[at] < 4) {
                let face = if steps[at] == 0 { "down" } else { "up" };
                let line = format!("m h {slot} grid {} {face}", ways[at][steps[at]]);
                table.does(seat, &line).await?;
                steps[at] += 1;
            }
            if steps[0] == 4 {
                break 'game;
            }
            table.pass(seat).await?;
        }
    }
    let there = table.on("a4").await?;
    must(there.as_deref() == Some("A"), &format!("on a4: {there:?}"))?;
    must(table.on("b4").await?.is_none(), "nobody stands beside it")?;
    let remark = table.remark("A").await?;
    must(!remark.contains("touches no card"), &remark)?;
    Ok("seat A is at B's home base".to_owned())
}

/// A player without Shells loses to any Stored Damage.
pub(crate) async fn shell(table: &mut Room, cards: &Cards) -> Result<String, String> {
    let shells = ["shell_red", "shell_green", "shell_blue"];
    for shell in shells {
        // A casts a Spell whose effect stores damage, B one into its outermost Shell.
        table.does("A", "m h 0 shell_green").await?;
        table.does("A", "count stored_damage +9").await?;
        table.pass("A").await?;
        table.does("B", &format!("m h 0 {shell}")).await?;
        table.pass("B").await?;
        // Damage is distributed: each Spell there is destroyed for its mana, then the Shell.
        let lying = table.names("B", shell).await?;
        let spell = lying.get(1).ok_or("no Spell in the Shell")?;
        let stored = table.counter("A", "stored_damage").await?;
        must(cards.number(spell, "mana") <= stored, spell)?;
        table.does("A", &format!("m B.{shell} 1 B.remnant")).await?;
        table.does("A", &format!("m B.{shell} 0 B.remnant")).await?;
        table
            .does("A", &format!("count stored_damage -{stored}"))
            .await?;
        table.does("A", "draw").await?;
    }
    table.does("A", "count stored_damage +1").await?;
    for shell in shells {
        must(table.count("B", shell).await? == 0, shell)?;
    }
    must(table.counter("A", "stored_damage").await? > 0, "no damage")?;
    Ok("seat B has no Shells and there is Stored Damage".to_owned())
}
