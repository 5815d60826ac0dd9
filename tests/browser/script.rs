//! One whole game of each, to the end that its texts give it. The table judges nothing: what the
//! rules ask, the players here do.

use super::whole::Room;
use std::collections::BTreeMap;

pub(crate) type Told = Result<(), String>;

/// A game, and what its players bring.
pub(crate) struct Game {
    /// The format.
    pub(crate) format: &'static str,
    /// Decks by seat.
    pub(crate) decks: &'static [&'static str],
    /// What the rules leave open.
    pub(crate) set: &'static [(&'static str, &'static str)],
    /// Options of the match.
    pub(crate) options: &'static [(&'static str, &'static str)],
}

const fn vastrix_of(players: &'static [(&'static str, &'static str)]) -> Game {
    Game {
        format: "vastrix",
        decks: &[],
        set: &[],
        options: players,
    }
}

pub(crate) const VASTRIX: [Game; 3] = [
    vastrix_of(&[("players", "2")]),
    vastrix_of(&[("players", "3")]),
    vastrix_of(&[("players", "4")]),
];

pub(crate) const VERSUS: Game = Game {
    format: "versus/fast",
    decks: &[
        "versus/low-tide-irregulars.txt",
        "versus/low-tide-irregulars.txt",
    ],
    set: &[],
    options: &[],
};

pub(crate) const VAINQUEUR: Game = Game {
    format: "vainqueur",
    decks: &["vainqueur/barley-crown.txt", "vainqueur/barley-crown.txt"],
    set: &[("opening_hand", "5")],
    options: &[],
};

pub(crate) const VANQUISHERS: Game = Game {
    format: "vanquishers",
    decks: &[
        "vanquishers/harbour-battery.txt",
        "vanquishers/quiet-ledgers.txt",
    ],
    set: &[("starting_energy", "5")],
    options: &[],
};

pub(crate) const SHELL: Game = Game {
    format: "shell",
    decks: &["shell/ash-and-acorn.txt", "shell/nineteen-trees.txt"],
    set: &[],
    options: &[],
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

/// 3.3: who has 21 secured points at the end of a full turn wins; with four, so does the team.
pub(crate) async fn vastrix(
    table: &mut Room,
    cards: &Cards,
    seats: &[&str],
) -> Result<String, String> {
    for _ in 0..60 {
        for seat in seats {
            match table.names(seat, "hand").await?.is_empty() {
                true => table.does(seat, "draw").await?,
                false => table.does(seat, "m h 0 point_row").await?,
            }
            let points = table.sum(seat, "point_row").await?;
            // What the table adds up is what the cards say.
            let row = table.names(seat, "point_row").await?;
            let told: i64 = row.iter().map(|name| cards.number(name, "points")).sum();
            must(points == told, &format!("{points} points of {row:?}"))?;
            if points >= table.counter(seat, "goal").await? {
                return Ok(format!("seat {seat} has {points} points"));
            }
            table.pass(seat).await?;
        }
    }
    Err("no end".to_owned())
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

/// Each player has 250 Life; who brings the other's to 0 wins.
pub(crate) async fn vainqueur(table: &mut Room, cards: &Cards) -> Result<String, String> {
    for _ in 0..60 {
        table.does("A", "draw").await?;
        for _ in 0..2 {
            let alpha = |card: &Fields| card["type"] == "monster" && card["rank"] == "alpha";
            let alpha = cards.held(table, "A", alpha).await?;
            let room = table.names("A", "monster_field").await?.len() < 6;
            if let Some((slot, _)) = alpha.filter(|_| room) {
                table
                    .does("A", &format!("m h {slot} monster_field"))
                    .await?;
            }
        }
        for monster in table.names("A", "monster_field").await? {
            let strength = cards.number(&monster, "str");
            // A monster without strength strikes nobody.
            if strength > 0 {
                table
                    .does("A", &format!("count B life -{strength}"))
                    .await?;
            }
            if table.counter("B", "life").await? <= 0 {
                return Ok("seat B has no Life".to_owned());
            }
        }
        table.pass("A").await?;
        table.does("B", "draw").await?;
        table.pass("B").await?;
    }
    Err("no end".to_owned())
}

/// A Hero without Life Points has lost: here by cards that strike, and shields that break first.
pub(crate) async fn vanquishers(table: &mut Room, cards: &Cards) -> Result<String, String> {
    let order = match table.active().await?.as_str() {
        "A" => [("A", "B"), ("B", "A")],
        _ => [("B", "A"), ("A", "B")],
    };
    for _ in 0..200 {
        for (seat, other) in order {
            match table.count(seat, "deck").await? {
                // One Life Point is lost for each card that cannot be drawn.
                0 => table.does(seat, "count life -1").await?,
                _ => table.does(seat, "draw").await?,
            }
            // One card is exiled for a point of energy, and no more than eight are kept.
            if !table.names(seat, "hand").await?.is_empty() {
                table.does(seat, "m h 0 exile").await?;
                // The table keeps to the cap.
                if table.counter(seat, "storage_energy").await? < 20 {
                    table.does(seat, "count storage_energy +1").await?;
                }
            }
            let energy = table.counter(seat, "storage_energy").await?;
            let strikes = |card: &Fields| {
                let cost: i64 = card["cost"].parse().unwrap_or(99);
                cost <= energy && card["damage"].starts_with(|first: char| first.is_ascii_digit())
            };
            if let Some((slot, name)) = cards.held(table, seat, strikes).await? {
                table.does(seat, &format!("m h {slot} discard")).await?;
                let mut damage = cards.number(&name, "damage").max(1);
                let shield = table.counter(other, "shield").await?.min(damage);
                if shield > 0 {
                    let line = format!("count {other} shield -{shield}");
                    table.does(seat, &line).await?;
                    damage -= shield;
                }
                if damage > 0 {
                    let line = format!("count {other} life -{damage}");
                    table.does(seat, &line).await?;
                }
            }
            for hero in ["A", "B"] {
                if table.counter(hero, "life").await? <= 0 {
                    return Ok(format!("the Hero of seat {hero} has no Life Points"));
                }
            }
            table.pass(seat).await?;
        }
    }
    Err("no end".to_owned())
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
