//! People at a table, each with every byte that was sent to their place.

use super::support::{Answer, Browser, Laid, Running, lay};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Somebody at a place of a table, and every byte that was sent there.
pub(crate) struct Chair {
    pub(crate) browser: Browser,
    /// The seat's letter, or `onlooker`.
    pub(crate) place: String,
    pub(crate) base: String,
    pub(crate) sent: Vec<u8>,
    pub(crate) view: Value,
    /// Every view that was sent.
    views: Vec<Value>,
}

impl Chair {
    pub(crate) fn new(running: &Running, laid: &Laid, place: &str) -> Chair {
        let page = laid.path(place);
        let mut chair = Chair {
            browser: Browser::new(running.address),
            place: place.to_owned(),
            base: format!("/api{page}"),
            sent: Vec::new(),
            view: Value::Null,
            views: Vec::new(),
        };
        let shown = chair.browser.get(&page);
        assert_eq!(shown.status, 200, "{}", shown.text());
        chair.sent.extend(shown.head.as_bytes());
        chair.sent.extend(&shown.body);
        chair.look();
        chair
    }

    pub(crate) fn look(&mut self) -> &Value {
        let told = self.browser.get(&format!("{}/view", self.base));
        assert_eq!(told.status, 200, "{}", told.text());
        self.sent.extend(told.head.as_bytes());
        self.sent.extend(&told.body);
        self.view = told.json();
        self.views.push(self.view.clone());
        &self.view
    }

    /// Does something to the table as it was last seen.
    pub(crate) fn act(&mut self, what: Value) -> Answer {
        let what = json!({"rev": self.view["rev"], "do": what});
        let told = self
            .browser
            .json("POST", &format!("{}/do", self.base), &what);
        self.sent.extend(told.head.as_bytes());
        self.sent.extend(&told.body);
        if told.status == 200 {
            self.view = told.json();
            self.views.push(self.view.clone());
        }
        told
    }

    #[track_caller]
    pub(crate) fn moves(&mut self, line: &str) -> Value {
        self.look();
        let told = self.tries(line);
        assert_eq!(told.status, 200, "{line}: {}", told.text());
        told.json()
    }

    /// Makes a move, if it can be made.
    pub(crate) fn tries(&mut self, line: &str) -> Answer {
        let wanted = moved(&self.place, line, &self.view);
        self.act(json!({"move": wanted}))
    }

    /// The body of a request that makes a move.
    pub(crate) fn asks(&self, line: &str) -> Value {
        let wanted = moved(&self.place, line, &self.view);
        json!({"rev": self.view["rev"], "do": {"move": wanted}})
    }

    /// The names that were ever shown in some zones, by whose they are and what they are called.
    pub(crate) fn ever(&self, wanted: impl Fn(&Value, &str) -> bool) -> BTreeSet<String> {
        let zones = self.views.iter().flat_map(|view| view["zones"].as_array());
        let zones = zones.flatten().filter(|zone| {
            let label = zone["kind"].as_str().unwrap_or_default();
            wanted(&zone["owner"], label)
        });
        let cards = zones.flat_map(|zone| zone["cards"].as_array()).flatten();
        let names = cards.filter_map(|card| card["name"].as_str());
        names.map(str::to_owned).collect()
    }

    /// The names that the seat's own questions ever gave to choose from.
    pub(crate) fn asked_about(&self) -> BTreeSet<String> {
        let each = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let questions = self.views.iter().map(|view| &view["question"]);
        let answers = questions.flat_map(|question| each(question, "answers"));
        let lists = answers.flat_map(|answer| each(&answer, "cards"));
        let names = lists.flat_map(|list| each(&list, "of"));
        names
            .filter_map(|name| Some(name.as_str()?.to_owned()))
            .collect()
    }
}

/// The move of a seat that a line says, such as `move hand 0 grid c3 down`.
fn moved(seat: &str, line: &str, view: &Value) -> Value {
    let words: Vec<&str> = line.split_whitespace().collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let number = |at: usize| word(at).parse::<i64>().unwrap_or(0);
    let zones = || view["zones"].as_array().into_iter().flatten();
    let own = |zone: &&Value| zone["owner"] == seat || zone["owner"].is_null();
    let pile = || {
        let mut piles = zones().filter(own);
        let pile = piles.find(|zone| zone["seen"] == "by-nobody");
        pile.map_or(Value::Null, |zone| zone["zone"].clone())
    };
    let mut wanted = match word(0) {
        "draw" => json!({"from": pile(), "to": "hand", "count": number(1).max(1)}),
        "move" => {
            let to = zones().find(|zone| {
                let named = [word(3).to_owned(), format!("{seat}.{}", word(3))];
                named.iter().any(|name| zone["zone"] == name.as_str())
            });
            let count = to.map_or(0, |zone| zone["count"].as_i64().unwrap());
            let at = if words.contains(&"bottom") { count } else { 0 };
            json!({"from": word(1), "slot": number(2), "to": word(3), "at": at, "up": !words.contains(&"down")})
        }
        "count" => json!({"seat": word(1), "counter": word(2), "change": number(3)}),
        "mark" => {
            json!({"zone": word(1), "slot": number(2), "counter": word(3), "change": number(4)})
        }
        "flip" | "turn" => json!({"zone": word(1), "slot": number(2)}),
        "look" => {
            json!({"zone": word(1), "slot": number(2), "count": number(3).max(1), "to": [seat]})
        }
        "show" => json!({"zone": word(1), "slot": number(2), "count": 1, "to": [word(3)]}),
        "give" => json!({"from": word(1), "slot": number(2), "to": word(3)}),
        "random" => json!({"from": word(1), "to": word(2)}),
        "shuffle" => json!({"zone": word(1)}),
        "token" => json!({"name": word(1), "to": word(2)}),
        "roll" => json!({"sides": 6}),
        _ => json!({}),
    };
    wanted["do"] = match word(0) {
        "show" => json!("look"),
        word => json!(word),
    };
    wanted["by"] = json!(seat);
    wanted
}

/// Answers whatever is asked, the first answer first, until the game begins.
pub(crate) fn set_up(chairs: &mut [Chair]) {
    set_up_by(chairs, |_, _| 0);
}

/// Answers whatever is asked until the game begins: `choose` says which of some answers to the
/// question of a number, from 0.
pub(crate) fn set_up_by(chairs: &mut [Chair], choose: impl Fn(usize, usize) -> usize) {
    let mut number = 0;
    for _ in 0..200 {
        for chair in &mut *chairs {
            let view = chair.look().clone();
            if view["phase"] == "game" {
                return;
            }
            if view["asked"]["mine"] == true {
                assert_eq!(chair.act(json!({"agree": true})).status, 200);
                continue;
            }
            // Whoever asked waits for the others.
            let answers = view["question"]["answers"].as_array();
            let Some(answers) = answers.filter(|_| view["asked"].is_null()) else {
                continue;
            };
            let chosen = choose(number, answers.len());
            number += 1;
            let cards: Vec<Vec<usize>> = answers[chosen]["cards"]
                .as_array()
                .unwrap()
                .iter()
                .map(|list| (0..list["count"].as_u64().unwrap_or(0) as usize).collect())
                .collect();
            let told = chair.act(json!({"answer": {"option": chosen, "cards": cards}}));
            assert_eq!(told.status, 200, "{}", told.text());
        }
    }
    panic!("the setup does not end: {}", chairs[0].view);
}

pub(crate) fn deck(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/decks");
    std::fs::read_to_string(format!("{folder}/{path}")).unwrap()
}

/// Every game, with what its form is filled in with.
pub(crate) fn games() -> Vec<Vec<(&'static str, String)>> {
    let two = |format: &str, one: &str, other: &str, more: &[(&'static str, &str)]| {
        let mut fields = vec![
            ("format", format.to_owned()),
            ("deck-1", deck(one)),
            ("deck-2", deck(other)),
        ];
        fields.extend(more.iter().map(|(key, value)| (*key, (*value).to_owned())));
        fields
    };
    let mut games = vec![
        two("shell", "shell/ebb.txt", "shell/ash-and-acorn.txt", &[]),
        two(
            "vainqueur",
            "vainqueur/barley-crown.txt",
            "vainqueur/tallow-court.txt",
            &[("set-opening_hand", "5")],
        ),
        two(
            "vanquishers",
            "vanquishers/harbour-battery.txt",
            "vanquishers/quiet-ledgers.txt",
            &[("set-starting_energy", "5")],
        ),
        two(
            "versus/normal",
            "versus/steam-rises.txt",
            "versus/hedge-and-harrow.txt",
            &[],
        ),
        vec![
            ("format", "versus/fast-shared".to_owned()),
            ("deck-1", deck("versus/kitchen-table.txt")),
        ],
    ];
    for players in ["2", "3", "4"] {
        games.push(vec![
            ("format", "vastrix".to_owned()),
            ("option-players", players.to_owned()),
        ]);
    }
    games.push(vec![
        ("format", "vastrix".to_owned()),
        ("option-deffy", "classic".to_owned()),
        ("option-battlerealm", "true".to_owned()),
    ]);
    games
}

pub(crate) fn sit_down(
    running: &Running,
    opener: Browser,
    fields: &[(&'static str, String)],
) -> (Laid, Vec<Chair>, Chair) {
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(key, value)| (*key, value.as_str()))
        .collect();
    let laid = lay(opener, &fields);
    let places = laid.keys.keys().filter(|place| *place != "onlooker");
    let chairs = places
        .map(|place| Chair::new(running, &laid, place))
        .collect();
    let onlooker = Chair::new(running, &laid, "onlooker");
    (laid, chairs, onlooker)
}
