//! People at a table, each with every byte that was sent to their place.

use super::support::{Answer, Browser, Laid, Running, lay};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Somebody at a place of a table, and every byte that was sent there.
pub(crate) struct Chair {
    pub(crate) browser: Browser,
    pub(crate) base: String,
    page: String,
    pub(crate) sent: Vec<u8>,
    pub(crate) view: Value,
    /// Every view that was sent.
    views: Vec<Value>,
}

impl Chair {
    pub(crate) fn new(running: &Running, laid: &Laid, place: &str) -> Chair {
        let page = format!("/t/{}/{place}", laid.id);
        let browser = match laid.keys.get(place) {
            None => laid.opener.clone(),
            Some(key) => {
                let mut browser = Browser::new(running.address);
                assert_eq!(browser.get(&page).status, 403, "no seat without its key");
                let entered =
                    browser.form(&format!("{page}/enter"), &[("key", key), ("next", &page)]);
                assert_eq!(entered.status, 303, "{}", entered.text());
                browser
            }
        };
        let mut chair = Chair {
            browser,
            base: format!("/api/t/{}/{place}", laid.id),
            page,
            sent: Vec::new(),
            view: Value::Null,
            views: Vec::new(),
        };
        let shown = chair.browser.get(&chair.page.clone());
        assert_eq!(shown.status, 200);
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
    pub(crate) fn act(&mut self, mut what: Value) -> Answer {
        what["rev"] = self.view["rev"].clone();
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
        let told = self.act(json!({"move": line}));
        assert_eq!(told.status, 200, "{line}: {}", told.text());
        told.json()
    }

    /// The names that were ever shown in some zones, by whose they are and what they are called.
    pub(crate) fn ever(&self, wanted: impl Fn(&Value, &str) -> bool) -> BTreeSet<String> {
        let zones = self.views.iter().flat_map(|view| view["zones"].as_array());
        let zones = zones.flatten().filter(|zone| {
            let label = zone["label"].as_str().unwrap_or_default();
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

    pub(crate) fn was_sent(&self, name: &str) -> bool {
        self.sent
            .windows(name.len())
            .any(|bytes| bytes == name.as_bytes())
    }
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
            let told = chair.act(json!({"answer": chosen, "cards": cards}));
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
    let others = laid.keys.keys().filter(|place| *place != "onlooker");
    let places = ["A"].into_iter().chain(others.map(String::as_str));
    let chairs = places
        .map(|place| Chair::new(running, &laid, place))
        .collect();
    let onlooker = Chair::new(running, &laid, "onlooker");
    (laid, chairs, onlooker)
}
