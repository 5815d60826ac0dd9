//! A second implementation of match files, written from the specification alone and sharing
//! no code with the library: it takes a file's inputs and answers cards, state and pending.
//! It trusts its input; what is refused is tested elsewhere.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Words of a label, all that a draw could need.
fn words(seed: &[u8], label: &str) -> impl Iterator<Item = u32> + use<> {
    let mut start = b"decklaw/stream/1\0".to_vec();
    start.extend(seed);
    start.extend((label.len() as u16).to_be_bytes());
    start.extend(label.as_bytes());
    let key = Sha256::digest(&start).to_vec();
    (0_u64..).flat_map(move |block| {
        let mut start = key.clone();
        start.extend(block.to_be_bytes());
        let digest = Sha256::digest(&start).to_vec();
        let words: Vec<u32> = digest
            .chunks(4)
            .map(|w| w.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)))
            .collect();
        words
    })
}

fn below(words: &mut impl Iterator<Item = u32>, n: u64) -> u64 {
    loop {
        let word = u64::from(words.next().unwrap());
        if word < (1 << 32) - (1 << 32) % n {
            return word % n;
        }
    }
}

type Pile = Vec<String>;

struct Redeal<'a> {
    inputs: &'a Value,
    seed: Vec<u8>,
    seats: Vec<String>,
    /// `hand` of seat A is `A.hand`; a shared zone has its bare name.
    zones: BTreeMap<String, Pile>,
    up: BTreeMap<String, bool>,
    /// The place of each card in its deck's canonical order.
    rank: BTreeMap<String, usize>,
    counters: BTreeMap<String, BTreeMap<String, i64>>,
    shuffles: BTreeMap<String, u32>,
    first: Option<String>,
    decisions: std::vec::IntoIter<Value>,
    pending: Vec<Value>,
    rolls: Option<Vec<Value>>,
    specs: Option<BTreeMap<String, Value>>,
}

/// Cards, state and pending of some inputs.
pub(crate) fn redeal(inputs: &Value) -> Value {
    let hex = inputs["randomness"]["seed"].as_str().unwrap();
    let seed = (0..32).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap());
    let seats: Vec<String> =
        inputs["seats"].as_array().unwrap().iter().map(|s| text(&s["seat"])).collect();
    let mut deal = Redeal {
        inputs,
        seed: seed.collect(),
        seats,
        zones: BTreeMap::new(),
        up: BTreeMap::new(),
        rank: BTreeMap::new(),
        counters: BTreeMap::new(),
        shuffles: BTreeMap::new(),
        first: None,
        decisions: inputs["decisions"].as_array().unwrap().clone().into_iter(),
        pending: Vec::new(),
        rolls: None,
        specs: None,
    };
    deal.run()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().map_or(Vec::new(), |list| list.iter().map(text).collect())
}

/// A step that awaits something ends the setup.
type Step = Option<()>;

impl Redeal<'_> {
    fn run(&mut self) -> Value {
        let inputs = self.inputs;
        let format = text(&inputs["format"]);
        let game = format.split('/').next().unwrap().to_owned();
        let shared = inputs.get("shared").is_some();
        let sections: &[&str] = match game.as_str() {
            "shell" => &["shells", "main", "extra", "side"],
            "vanquishers" => &["hero", "energy", "main"],
            _ => &["main"],
        };
        let deffy = inputs["options"]["deffy"].as_str();
        let (middle, own) = match game.as_str() {
            "shell" => {
                ("", "deck hand shell_red shell_green shell_blue extra side remnant exhaust erased")
            }
            "vainqueur" => ("", "deck hand monster_field master_zone battlezone cemetery"),
            "versus" if shared => ("deck graveyard grid", "hand"),
            "versus" => ("grid", "deck hand graveyard"),
            "vanquishers" => (
                "",
                "deck hand hero energy_class abilities weapons hero_item armor discard exile aside",
            ),
            "vastrix" => match deffy {
                Some("none") => {
                    ("draw_pile swap_bar graveyard exile", "hand point_row enduring_row")
                }
                Some("soda") => {
                    ("draw_pile swap_bar graveyard exile", "hand point_row enduring_row pool")
                }
                _ => ("draw_pile swap_bar graveyard exile pool", "hand point_row enduring_row"),
            },
            _ => ("", "deck hand"),
        };
        let (middle, own) = (middle.split_whitespace(), own.split_whitespace());
        for zone in middle {
            self.zones.insert(zone.to_owned(), vec![]);
        }
        for seat in &self.seats {
            for zone in own.clone() {
                self.zones.insert(format!("{seat}.{zone}"), vec![]);
            }
        }
        let mut cards = Map::new();
        let mut owners: Vec<(String, Value)> = Vec::new();
        if shared {
            owners.push(("S".into(), inputs["shared"]["deck"].clone()));
        } else {
            for seat in inputs["seats"].as_array().unwrap() {
                owners.push((text(&seat["seat"]), seat["deck"].clone()));
            }
        }
        for (owner, deck) in owners {
            let held = deck["sections"].as_object().unwrap();
            let mut order: Vec<&str> = sections.to_vec();
            // A deck that names its sections as it likes says which one is dealt from.
            let dealt = deck.get("dealt").map(text);
            order.extend(dealt.as_deref());
            let others = held.keys().map(String::as_str);
            let others: Vec<&str> = others.filter(|id| !order.contains(id)).collect();
            order.extend(others);
            let lines = held.values().flat_map(|lines| lines.as_array().unwrap());
            let total: u64 = lines.map(|line| line["count"].as_u64().unwrap()).sum();
            let mut numbers = self.numbers(&owner, total).into_iter();
            for section in order {
                for line in held.get(section).and_then(Value::as_array).unwrap_or(&vec![]) {
                    let zone = match (game.as_str(), section) {
                        ("vastrix", _) => "draw_pile".to_owned(),
                        (_, "main") => "deck".to_owned(),
                        _ if dealt.as_deref() == Some(section) => "deck".to_owned(),
                        ("shell", "shells") => format!("shell_{}", text(&line["colour"])),
                        ("vanquishers", "energy") if format.contains("advanced") => {
                            "energy_class".into()
                        }
                        ("vanquishers", "energy") => "aside".to_owned(),
                        _ => section.to_owned(),
                    };
                    let zone = if owner == "S" { zone } else { format!("{owner}.{zone}") };
                    for _ in 0..line["count"].as_u64().unwrap() {
                        let number = numbers.next().unwrap();
                        let id = format!("{owner}{number:03}");
                        self.rank.insert(id.clone(), self.rank.len());
                        cards.insert(id.clone(), line["name"].clone());
                        self.zones.entry(zone.clone()).or_default().push(id);
                    }
                }
            }
        }
        self.count(&game);
        self.steps(&game, shared, &cards);
        json!({"cards": cards, "state": self.state(&game), "pending": self.pending})
    }

    /// The numbers of an owner's ids, shuffled like a pile.
    fn numbers(&self, owner: &str, total: u64) -> Vec<u64> {
        assert_eq!(self.inputs["randomness"]["scheme"], json!("decklaw-sha256ctr-2"));
        let mut numbers: Vec<u64> = (1..=total).collect();
        let mut words = words(&self.seed, &format!("ids/{owner}"));
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, below(&mut words, i as u64 + 1) as usize);
        }
        numbers
    }

    fn count(&mut self, game: &str) {
        let settings = &self.inputs["settings"];
        for seat in self.inputs["seats"].as_array().unwrap() {
            let letter = text(&seat["seat"]);
            let hero = &seat["deck"]["sections"]["hero"][0];
            let gauge = |name: &str| {
                let given = settings[format!("{letter}.{name}")].as_i64();
                hero[name].as_i64().or(given).unwrap_or(0)
            };
            let counters: Vec<(&str, i64)> = match game {
                "shell" => vec![("stored_damage", 0)],
                "vainqueur" => vec![("life", 250)],
                "vanquishers" => vec![
                    ("life", gauge("life").min(40)),
                    ("shield", gauge("shield").min(30)),
                    ("storage_energy", settings["starting_energy"].as_i64().unwrap().min(20)),
                    ("v_trigger", 0),
                ],
                "vastrix" if self.inputs["options"]["battlerealm"] == true => {
                    vec![("goal", 21), ("signature_used", 0), ("ultimate_used", 0)]
                }
                "vastrix" => vec![("goal", 21)],
                _ => vec![],
            };
            let counters = counters.into_iter().map(|(name, value)| (name.to_owned(), value));
            self.counters.insert(letter, counters.collect());
        }
    }

    fn state(&self, game: &str) -> Value {
        let mixed = |zone: &str| match game {
            "versus" => zone == "grid",
            "vanquishers" => ["abilities", "weapons", "hero_item", "armor"].contains(&zone),
            "vastrix" => ["swap_bar", "pool", "point_row", "enduring_row"].contains(&zone),
            _ => false,
        };
        let list = |zone: &str, cards: &Pile| -> Value {
            let slot = |id: &String| {
                if mixed(zone) {
                    json!({"card": id, "face": if self.up[id] { "up" } else { "down" }})
                } else {
                    json!(id)
                }
            };
            cards.iter().map(slot).collect()
        };
        let mut shared = json!({"zones": {}});
        let mut seats = Map::new();
        for seat in &self.seats {
            let mut entry = json!({"counters": self.counters[seat], "zones": {}});
            if let Some(specs) = &self.specs {
                entry["spec"] = specs.get(seat).cloned().unwrap_or(Value::Null);
            }
            seats.insert(seat.clone(), entry);
        }
        for (name, cards) in &self.zones {
            match name.split_once('.') {
                Some((seat, zone)) => seats[seat]["zones"][zone] = list(zone, cards),
                None => shared["zones"][name] = list(name, cards),
            }
        }
        if let Some(rolls) = &self.rolls {
            shared["rolls"] = json!(rolls);
        }
        json!({
            "phase": if self.pending.is_empty() { "ready" } else { "setup" },
            "first": self.first, "turn_order": self.order(), "shared": shared, "seats": seats,
        })
    }

    fn order(&self) -> Vec<String> {
        let Some(first) = &self.first else {
            return vec![];
        };
        let at = self.seats.iter().position(|seat| seat == first).unwrap();
        (0..self.seats.len()).map(|i| self.seats[(at + i) % self.seats.len()].clone()).collect()
    }

    fn shuffle(&mut self, zone: &str, pile: &str) {
        let counter = self.shuffles.entry(pile.to_owned()).or_default();
        let mut words = words(&self.seed, &format!("{pile}/{counter}"));
        *counter += 1;
        let cards = self.zones.get_mut(zone).unwrap();
        cards.sort_by_key(|id| self.rank[id]);
        for i in (1..cards.len()).rev() {
            cards.swap(i, below(&mut words, i as u64 + 1) as usize);
        }
    }

    fn draw(&mut self, from: &str, to: &str, count: usize) {
        let block: Pile = self.zones.get_mut(from).unwrap().drain(..count).collect();
        self.zones.get_mut(to).unwrap().extend(block);
    }

    /// The next decision, or the end of the setup with this pending.
    fn next(&mut self, pending: impl FnOnce(&Self) -> Vec<Value>) -> Option<Value> {
        let next = self.decisions.next();
        if next.is_none() {
            self.pending = pending(self);
        }
        next
    }

    fn first_player(&mut self) -> Step {
        // With four, the team that lost the game before begins; partners sit two apart.
        let winner = self.inputs["results"]
            .as_array()
            .and_then(|results| results.last()?.as_str())
            .and_then(|last| self.seats.iter().position(|seat| seat == last))
            .filter(|_| self.inputs["options"]["players"] == 4);
        let mut may_begin = self.seats.clone();
        let mut entry = json!({"step": "first-player"});
        if let Some(winner) = winner {
            let (one, other) = ((winner + 1) % 4, (winner + 3) % 4);
            let (low, high) = (one.min(other), one.max(other));
            may_begin = vec![self.seats[low].clone(), self.seats[high].clone()];
            entry["seats"] = json!(may_begin);
        }
        let decision = self.next(|_| vec![entry])?;
        let number = below(&mut words(&self.seed, "first-player/0"), may_begin.len() as u64);
        self.first = Some(match decision["by"].as_str().unwrap() {
            "random" => may_begin[number as usize].clone(),
            _ => text(&decision["seat"]),
        });
        Some(())
    }

    /// Every seat answers once, in any order.
    fn all_answer(
        &mut self,
        seats: Vec<String>,
        entry: impl Fn(&str) -> Value,
        mut answer: impl FnMut(&mut Self, &str, &Value),
    ) -> Step {
        let mut open = seats;
        while !open.is_empty() {
            let decision = self.next(|_| open.iter().map(|seat| entry(seat)).collect())?;
            let seat = text(&decision["seat"]);
            answer(self, &seat, &decision);
            open.retain(|other| *other != seat);
        }
        Some(())
    }

    fn steps(&mut self, game: &str, shared: bool, cards: &Map<String, Value>) -> Step {
        match game {
            "vastrix" => return self.vastrix(cards),
            "shell" => self.swaps()?,
            "vanquishers" => self.rolls = Some(vec![]),
            _ => {}
        }
        // Versus draws before it is decided who goes first.
        if game != "vanquishers" && game != "versus" {
            self.first_player()?;
        }
        let seats = self.seats.clone();
        if shared {
            self.shuffle("deck", "main");
        } else {
            for seat in &seats {
                self.shuffle(&format!("{seat}.deck"), &format!("{seat}.main"));
            }
        }
        let hand = match game {
            "shell" => 6,
            "versus" => 5,
            "vanquishers" => 7,
            _ => self.inputs["settings"]["opening_hand"].as_u64().unwrap() as usize,
        };
        let order = if game == "vanquishers" || game == "versus" { seats } else { self.order() };
        for seat in order {
            let deck = if shared { "deck".to_owned() } else { format!("{seat}.deck") };
            self.draw(&deck, &format!("{seat}.hand"), hand);
        }
        match game {
            "shell" => self.mulligans(),
            "versus" => self.first_player(),
            "vanquishers" => self.dice(),
            _ => Some(()),
        }
    }

    fn swaps(&mut self) -> Step {
        let has_side = |seat: &String| !self.zones[&format!("{seat}.side")].is_empty();
        let seats: Vec<String> = self.seats.iter().filter(|seat| has_side(seat)).cloned().collect();
        self.all_answer(
            seats,
            |seat| json!({"step": "swap", "seat": seat}),
            |deal, seat, decision| {
                let side = format!("{seat}.side");
                for id in texts(&decision["main"]["out"]) {
                    deal.move_card(&id, &format!("{seat}.deck"), &side);
                }
                for id in texts(&decision["main"]["in"]) {
                    deal.move_card(&id, &side, &format!("{seat}.deck"));
                }
                for (out, r#in) in
                    texts(&decision["shells"]["out"]).iter().zip(texts(&decision["shells"]["in"]))
                {
                    for colour in ["red", "green", "blue"] {
                        let zone = format!("{seat}.shell_{colour}");
                        if deal.zones[&zone].contains(out) {
                            deal.move_card(out, &zone, &side);
                            deal.move_card(&r#in, &side, &zone);
                        }
                    }
                }
            },
        )
    }

    fn move_card(&mut self, id: &str, from: &str, to: &str) {
        self.zones.get_mut(from).unwrap().retain(|card| card != id);
        let to = self.zones.get_mut(to).unwrap();
        to.push(id.to_owned());
        to.sort_by_key(|id| self.rank[id]);
    }

    fn mulligans(&mut self) -> Step {
        let mut taken: BTreeMap<String, usize> =
            self.seats.iter().map(|s| (s.clone(), 0)).collect();
        while !taken.is_empty() {
            let now = taken.clone();
            let decision = self.next(|deal| {
                let entry = |(seat, k): (&String, &usize)| {
                    let can = *k < 7 && deal.zones[&format!("{seat}.deck")].len() >= 6;
                    let choices = if can { vec!["keep", "mulligan"] } else { vec!["keep"] };
                    json!({"step": "mulligan", "seat": seat, "choices": choices, "bottom": k.saturating_sub(1)})
                };
                now.iter().map(entry).collect()
            })?;
            let seat = text(&decision["seat"]);
            let (deck, hand) = (format!("{seat}.deck"), format!("{seat}.hand"));
            if decision["choice"] == "keep" {
                for id in texts(&decision["bottom"]) {
                    self.zones.get_mut(&hand).unwrap().retain(|card| *card != id);
                    self.zones.get_mut(&deck).unwrap().push(id);
                }
                taken.remove(&seat);
            } else {
                let aside = std::mem::take(self.zones.get_mut(&hand).unwrap());
                self.draw(&deck, &hand, 6);
                self.zones.get_mut(&deck).unwrap().extend(aside);
                self.shuffle(&deck, &format!("{seat}.main"));
                *taken.get_mut(&seat).unwrap() += 1;
            }
        }
        Some(())
    }

    fn dice(&mut self) -> Step {
        let mut rolling = self.seats.clone();
        for round in 0.. {
            let entry = json!({"step": "roll", "round": round, "seats": rolling});
            let decision = self.next(|_| vec![entry])?;
            let mut values: BTreeMap<String, u64> = BTreeMap::new();
            for seat in &rolling {
                let random = 1 + below(&mut words(&self.seed, &format!("roll/{round}/{seat}")), 6);
                let given = decision["values"][seat].as_u64();
                values.insert(seat.clone(), given.unwrap_or(random));
            }
            self.rolls.as_mut().unwrap().push(json!(values));
            let top = *values.values().max().unwrap();
            rolling.retain(|seat| values[seat] == top);
            if let [winner] = rolling.as_slice() {
                self.first = Some(winner.clone());
                break;
            }
        }
        Some(())
    }

    fn lay(&mut self, to: &str, count: usize, up: bool) {
        let count = count.min(self.zones["draw_pile"].len());
        for id in self.zones["draw_pile"].iter().take(count).cloned().collect::<Vec<_>>() {
            self.up.insert(id, up);
        }
        self.draw("draw_pile", to, count);
    }

    fn vastrix(&mut self, cards: &Map<String, Value>) -> Step {
        let options = self.inputs["options"].clone();
        let seats = self.seats.clone();
        if options["battlerealm"] == true {
            self.specs = Some(BTreeMap::new());
            self.all_answer(
                seats.clone(),
                |seat| json!({"step": "spec", "seat": seat}),
                |_, _, _| {},
            )?;
        }
        self.first_player()?;
        self.shuffle("draw_pile", "main");
        let order = self.order();
        match options["deffy"].as_str().unwrap() {
            "none" => {
                for (turn, seat) in order.iter().enumerate() {
                    let count = if seats.len() < 4 && turn > 0 { 6 } else { 5 };
                    self.draw("draw_pile", &format!("{seat}.hand"), count);
                }
            }
            mode => self.deffy(mode, &options, cards)?,
        }
        self.lay("swap_bar", 2, false);
        self.lay("swap_bar", 1, true);
        if options["battlerealm"] == true {
            let mut revealed = BTreeMap::new();
            self.all_answer(
                seats,
                |seat| json!({"step": "reveal", "seat": seat}),
                |_, seat, decision| {
                    revealed.insert(seat.to_owned(), decision["spec"].clone());
                },
            )?;
            self.specs = Some(revealed);
        }
        Some(())
    }

    fn vote(&mut self, when: &str, graveyard: &mut bool) -> Step {
        self.all_answer(
            self.seats.clone(),
            |seat| json!({"step": "vote", "when": when, "seat": seat}),
            |_, _, decision| *graveyard &= decision["choice"] == "graveyard",
        )
    }

    fn deffy(&mut self, mode: &str, options: &Value, cards: &Map<String, Value>) -> Step {
        let (f, g) = (self.order()[0].clone(), self.order()[1].clone());
        let other = |seat: &String| if *seat == f { g.clone() } else { f.clone() };
        let mut graveyard = true;
        let checking = options["just_checking"] == true && mode != "icu";
        if checking {
            self.vote("before-pool", &mut graveyard)?;
        }
        let (up, down) = match mode {
            "classic" => (16, 5),
            "icu" => (12, 0),
            "soda" => (7, 1),
            "mystery-mix" => (6, 8),
            _ => (54, 0),
        };
        let pool_of = |seat: &String| {
            if mode == "soda" { format!("{seat}.pool") } else { "pool".into() }
        };
        let mut pools = vec![pool_of(&f), pool_of(&g)];
        pools.dedup();
        for pool in &pools {
            self.lay(pool, up, true);
            self.lay(pool, down, false);
        }
        if checking {
            self.vote("after-pool", &mut graveyard)?;
        }
        let mut taken: BTreeMap<String, Vec<bool>> = BTreeMap::new();
        for number in 0..12 {
            let seat = if number % 2 == 0 { f.clone() } else { g.clone() };
            let last_two = mode == "soda" && number >= 10;
            let picker = if last_two { other(&seat) } else { seat.clone() };
            let to = if options["thats_urz"] == true { other(&seat) } else { seat.clone() };
            let from: Vec<String> = match (mode, number) {
                ("soda", 0..8) => vec![picker.clone()],
                ("soda", 8..10) => vec![other(&picker)],
                ("soda", _) => vec![to.clone(), other(&to)],
                _ => vec![String::new()],
            };
            let mine = taken.entry(picker.clone()).or_default().clone();
            let mut slots = Vec::new();
            for pool in &from {
                for (slot, id) in self.zones[&pool_of(pool)].iter().enumerate() {
                    let entry = match mode {
                        "soda" => json!({"pool": pool, "slot": slot}),
                        _ => json!({"slot": slot}),
                    };
                    slots.push((entry, self.up[id]));
                }
            }
            let ups = slots.iter().filter(|(_, up)| *up).count();
            let barred = match mode {
                "icu" => false,
                "mystery-mix" => {
                    number == 0
                        || (ups > 0 && !mine.contains(&true) && (mine.len() == 5 || ups == 1))
                }
                _ => number == 0 || mine.iter().filter(|up| !**up).count() >= 2,
            };
            let legal: Vec<Value> = slots
                .into_iter()
                .filter(|(_, up)| *up || !barred)
                .map(|(entry, _)| entry)
                .collect();
            let entry = json!({"step": "pick", "seat": picker, "to": to, "legal": legal});
            let decision = self.next(|_| vec![entry])?;
            let chosen = match decision.get("by") {
                Some(_) => {
                    let mut words = words(&self.seed, &format!("pick/{number}"));
                    legal[below(&mut words, legal.len() as u64) as usize].clone()
                }
                None => decision,
            };
            let pool = chosen.get("pool").map_or("pool".to_owned(), |seat| pool_of(&text(seat)));
            let slot = chosen["slot"].as_u64().unwrap() as usize;
            let id = self.zones.get_mut(&pool).unwrap().remove(slot);
            taken.get_mut(&picker).unwrap().push(self.up[&id]);
            self.zones.get_mut(&format!("{to}.hand")).unwrap().push(id.clone());
            if !self.up[&id] && options["mirror_me"] == true {
                let rank = |id: &String| match cards[id].as_str().unwrap() {
                    "RJ" | "BJ" => "joker".to_owned(),
                    name => name.trim_end_matches(['♠', '♥', '♦', '♣']).to_owned(),
                };
                let twin =
                    self.zones["draw_pile"].iter().find(|card| rank(card) == rank(&id)).cloned();
                if let Some(twin) = twin {
                    self.zones.get_mut("draw_pile").unwrap().retain(|card| *card != twin);
                    self.zones.get_mut("pool").unwrap().push(twin.clone());
                    self.up.insert(twin, true);
                    self.shuffle("draw_pile", "main");
                }
            }
        }
        if mode != "icu" {
            self.vote("after-selection", &mut graveyard)?;
            let to = if graveyard { "graveyard" } else { "draw_pile" };
            for pool in &pools {
                let left = self.zones[pool].len();
                self.draw(pool, to, left);
            }
            if !graveyard {
                self.shuffle("draw_pile", "main");
            }
        }
        Some(())
    }
}
