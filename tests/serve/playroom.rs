//! Players who open a table, send a link, bring a deck each, and find it all again; and that nobody is
//! told anything of another's deck before the cards lie on the table.

use super::chairs::deck;
use super::support::{Answer, BROKEN, Browser, LEGAL, Running, chance, judge_by, start};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A player, and every byte that was sent to them.
struct Player {
    browser: Browser,
    sent: Vec<u8>,
}

impl Player {
    fn new(running: &Running) -> Player {
        Player {
            browser: Browser::new(running.address),
            sent: Vec::new(),
        }
    }

    fn heard(&mut self, answer: Answer) -> Answer {
        self.sent.extend(answer.head.as_bytes());
        self.sent.extend(&answer.body);
        answer
    }

    fn get(&mut self, path: &str) -> Answer {
        let answer = self.browser.get(path);
        self.heard(answer)
    }

    /// Sends a form, with chance of this browser's own.
    fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let own = chance(NEXT.fetch_add(1, Ordering::Relaxed) % 256);
        let named = fields.iter().any(|(key, _)| *key == "random");
        let more = [("random", own.as_str())];
        let fields = [fields, &more[usize::from(named)..]].concat();
        let answer = self.browser.form(path, &fields);
        self.heard(answer)
    }

    fn post(&mut self, path: &str, body: &Value) -> Answer {
        let answer = self.browser.json("POST", path, body);
        self.heard(answer)
    }

    fn view(&mut self, seat: &str) -> Value {
        let view = self.get(&format!("/api{seat}/view"));
        assert_eq!(view.status, 200, "{}", view.text());
        view.json()
    }

    /// Keeps a deck; its id.
    fn keeps(&mut self, format: &str, list: &str) -> String {
        let opened = self.form("/open", &[("deck", list), ("format", format)]);
        let to = opened.header("location").unwrap_or_default().to_owned();
        assert_eq!(opened.status, 303, "{}", opened.text());
        to.split("#d=").nth(1).unwrap().to_owned()
    }

    /// Opens a table; the path of the own seat, and the keys of the others.
    #[track_caller]
    fn opens(&mut self, fields: &[(&str, &str)]) -> (String, BTreeMap<String, String>) {
        let opened = self.form("/play", fields);
        assert_eq!(opened.status, 303, "{}", opened.text());
        let path = opened.header("location").unwrap().to_owned();
        assert!(path.ends_with("/A"), "{path}");
        let page = self.get(&path);
        assert_eq!(page.status, 200, "{}", page.text());
        (path, keys(&page))
    }

    /// Follows a link.
    #[track_caller]
    fn follows(&mut self, path: &str, key: &str) {
        assert_eq!(self.get(path).status, 403, "no seat without its key");
        let entered = self.form(&format!("{path}/enter"), &[("key", key), ("next", path)]);
        assert_eq!(entered.status, 303, "{}", entered.text());
        assert_eq!(self.get(path).status, 200);
    }

    fn was_sent(&self, words: &str) -> bool {
        let mut all = self.sent.windows(words.len());
        all.any(|bytes| bytes == words.as_bytes())
    }
}

/// The keys of the links on a page, by place.
fn keys(page: &Answer) -> BTreeMap<String, String> {
    let text = page.text();
    let links = text.split("href=\"").filter(|link| link.contains("#key="));
    let each = links.map(|link| {
        let (path, key) = link.split('"').next().unwrap().split_once("#key=").unwrap();
        let place = path.rsplit('/').next().unwrap();
        (place.to_owned(), key.to_owned())
    });
    each.collect()
}

/// The path of another seat of the same table.
fn seat(path: &str, letter: &str) -> String {
    format!("{}/{letter}", path.rsplit_once('/').unwrap().0)
}

/// The names of the cards of a list.
fn names(list: &str) -> BTreeSet<String> {
    let lines = list.lines().filter_map(|line| line.split_once(' '));
    let cards = lines.filter(|(count, _)| count.parse::<u32>().is_ok());
    cards.map(|(_, name)| name.trim().to_owned()).collect()
}

const OTHER: &str = include_str!("../../decks/shell/ash-and-acorn.txt");

/// The whole way of two players, with a restart in the midst: nobody is sent a name of a card that is
/// in the other's deck alone, nor what the other's deck was refused for.
#[test]
fn two_players_gather_and_neither_hears_of_the_others_deck() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let (mut ann, mut ben) = (Player::new(&running), Player::new(&running));
    let own = ann.keeps("shell", LEGAL);
    let asked = ann.get(&format!("/play?deck={own}")).text();
    assert!(
        asked.contains(&format!("value=\"{own}\" selected")),
        "{asked}"
    );
    let own_chance = chance(1);
    let fields = [
        ("format", "shell"),
        ("draft", own.as_str()),
        ("title", "Thursday"),
        ("name", "Ann"),
        ("seats", "2"),
        ("form", "one"),
        ("random", own_chance.as_str()),
        ("page", "ann"),
    ];
    let (a, links) = ann.opens(&fields);
    assert_eq!(links.keys().collect::<Vec<_>>(), ["B", "onlooker"]);
    let page = ann.get(&a).text();
    assert!(
        page.contains("<svg") && page.contains("nobody has come yet"),
        "{page}"
    );
    // The same form opens the same table, and its links are shown again.
    assert_eq!(ann.opens(&fields), (a.clone(), links.clone()));
    let b = seat(&a, "B");
    ben.follows(&b, &links["B"]);
    assert!(
        ann.get(&a)
            .text()
            .contains("has come, and has not brought a deck yet")
    );
    let page = ben.get(&b).text();
    for words in ["Thursday", "shell", "Ann", "has brought a deck"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(
        !page.contains("#key="),
        "links are for whoever opened the table"
    );
    // A deck that cannot be read, and one that is not legal: told by line, and the text is kept.
    let unread = ben.form(
        &b,
        &[("deck", "3 Ash Errand\n2 Nosuch & Card"), ("name", "Ben")],
    );
    assert_eq!(unread.status, 422);
    let text = unread.text();
    assert!(
        text.contains("Line 2") && text.contains("2 Nosuch &amp; Card</textarea>"),
        "{text}"
    );
    assert!(text.contains("value=\"Ben\""), "{text}");
    let broken = ben.form(&b, &[("deck", BROKEN), ("name", "Ben")]);
    assert_eq!(broken.status, 422);
    let text = broken.text();
    assert!(
        text.contains("cannot be played") && text.contains("value=\"build\""),
        "{text}"
    );
    let before = ann.get(&a).text();
    assert!(before.contains("has not brought a deck yet") && !before.contains("cannot be played"));
    // Into the builder as a deck of one's own, whose page leads back to the table.
    let built = ben.form(&b, &[("deck", BROKEN), ("name", "Ben"), ("do", "build")]);
    let draft = built
        .header("location")
        .unwrap()
        .split("#d=")
        .nth(1)
        .unwrap()
        .to_owned();
    let way = ben.get(&format!("/play?deck={draft}")).text();
    assert!(way.contains(&format!("{b}?deck={draft}")), "{way}");
    let still = ben.form(&b, &[("draft", &draft), ("name", "Ben")]);
    assert_eq!(still.status, 422);
    assert!(
        still.text().contains(&format!("/deck/shell#d={draft}")),
        "{}",
        still.text()
    );
    // The table is found again, without its key.
    for (player, path, told) in [
        (&mut ann, &a, "waits for the deck of seat B"),
        (&mut ben, &b, "waits for your deck"),
    ] {
        let page = player.get("/tables").text();
        assert!(
            page.contains(path.as_str()) && page.contains(told) && !page.contains("#key="),
            "{page}"
        );
    }
    // Of keys the data have the digests alone.
    for file in ["decklaw.sqlite", "decklaw.sqlite-wal"] {
        let bytes = std::fs::read(data.path().join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(links.values().all(|key| !text.contains(key)), "{file}");
    }
    drop(running);

    // The machine was restarted; the deck is mended, brought, and the match is laid by itself.
    let running = start(data.path(), |_| ());
    ann.browser.address = running.address;
    ben.browser.address = running.address;
    assert_eq!(ben.view(&b)["phase"], "gathering");
    assert_eq!(keys(&ann.get(&a)), links, "the links are shown again");
    let brought = ben.form(&b, &[("deck", OTHER), ("name", "Ben")]);
    assert_eq!(brought.status, 303, "{}", brought.text());
    let (of_ann, of_ben) = (ann.view(&a), ben.view(&b));
    for view in [&of_ann, &of_ben] {
        assert_eq!(view["phase"], "setup");
        assert_eq!(view["seats"]["A"]["name"], "Ann");
        assert_eq!(view["seats"]["B"]["name"], "Ben");
    }
    assert!(ann.get(&a).text().contains("id=\"table\""));
    // Brought once more, since the answer was lost: the table is there.
    let again = ben.form(&b, &[("deck", OTHER), ("name", "Ben")]);
    assert_eq!(again.header("location"), Some(b.as_str()));

    let (mine, theirs) = (names(LEGAL), names(OTHER));
    assert!(mine.difference(&theirs).count() > 5 && theirs.difference(&mine).count() > 5);
    // What stands on the pages of whoever sits nowhere is nobody's secret.
    let mut stranger = Player::new(&running);
    stranger.get("/");
    // Nor are the cards that lie open once the match is laid.
    let open = of_ann["zones"].as_array().unwrap().iter();
    let open = open.filter(|zone| zone["private"] == false);
    let open = open.filter_map(|zone| zone["cards"].as_array()).flatten();
    let open: BTreeSet<&str> = open.filter_map(|card| card["name"].as_str()).collect();
    let secret = |name: &&String| !stranger.was_sent(name) && !open.contains(name.as_str());
    for name in mine.difference(&theirs).filter(secret) {
        // Ben typed what is in the broken deck himself.
        assert!(
            !ben.was_sent(name) || names(BROKEN).contains(name),
            "{name} was sent to Ben"
        );
    }
    for name in theirs.difference(&mine).filter(secret) {
        assert!(!ann.was_sent(name), "{name} was sent to Ann");
    }
    assert!(!ann.was_sent("cannot be played"));
}

/// Two who sit at a table that is laid, at the paths of their seats.
fn at_a_table(running: &Running, format: &str, decks: [&str; 2]) -> ([Player; 2], [String; 2]) {
    let (mut ann, mut ben) = (Player::new(running), Player::new(running));
    let fields = [("format", format), ("deck", decks[0]), ("name", "Ann")];
    let (a, links) = ann.opens(&fields);
    let b = seat(&a, "B");
    ben.follows(&b, &links["B"]);
    let came = ben.form(&b, &[("deck", decks[1]), ("name", "Ben")]);
    assert_eq!(came.status, 303, "{}", came.text());
    ([ann, ben], [a, b])
}

/// Does something at a seat as its page was last shown.
fn act(player: &mut Player, path: &str, mut what: Value) -> Answer {
    what["rev"] = player.view(path)["rev"].clone();
    player.post(&format!("/api{path}/do"), &what)
}

/// Answers whatever is asked by its first answer, until the game begins.
fn begin(players: &mut [Player; 2], paths: &[String; 2]) {
    for _ in 0..50 {
        for (player, path) in players.iter_mut().zip(paths) {
            let view = player.view(path);
            if view["phase"] == "game" {
                return;
            }
            if view["asked"]["mine"] == true {
                assert_eq!(act(player, path, json!({"agree": true})).status, 200);
            } else if view["question"].is_object() && view["asked"].is_null() {
                let told = act(player, path, json!({"answer": 0}));
                assert_eq!(told.status, 200, "{}", told.text());
            }
        }
    }
    panic!("the setup does not end");
}

/// Both say how the game ended.
fn end(players: &mut [Player; 2], paths: &[String; 2], won: &str) {
    let told = act(
        &mut players[0],
        &paths[0],
        json!({"end": {"won": won, "words": ""}}),
    );
    assert_eq!(told.status, 200, "{}", told.text());
    let next = players[0].post(&format!("/api{}/next", paths[0]), &json!({}));
    assert_eq!(next.status, 422, "not all have agreed");
    assert_eq!(
        act(&mut players[1], &paths[1], json!({"agree": true})).status,
        200
    );
}

/// Lays the next game, twice over; the paths of the seats there.
fn next(players: &mut [Player; 2], paths: &[String; 2]) -> [String; 2] {
    let to: Vec<String> = [1, 0, 1]
        .into_iter()
        .map(|at| {
            let told = players[at].post(&format!("/api{}/next", paths[at]), &json!({}));
            assert_eq!(told.status, 200, "{}", told.text());
            told.json()["to"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(to[0], to[2]);
    assert_eq!(to[1], seat(&to[0], "A"));
    for (player, path) in players.iter_mut().zip(paths) {
        let id = to[0].split('/').nth(2).unwrap();
        assert_eq!(player.view(path)["next"], id);
        let file = player.get(&format!("/api{path}/file"));
        assert_eq!(file.status, 200, "the game before can still be dealt again");
    }
    [to[1].clone(), to[0].clone()]
}

#[test]
fn the_result_is_a_choice_the_score_is_kept_and_the_next_game_has_the_same_seats() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let decks = ["versus/steam-rises.txt", "versus/hedge-and-harrow.txt"].map(deck);
    let (mut players, mut paths) = at_a_table(&running, "versus/normal", [&decks[0], &decks[1]]);
    let mut scores = Vec::new();
    for (won, told) in [
        ("B", "seat B (Ben) won"),
        ("draw", "a draw"),
        ("A", "seat A (Ann) won"),
    ] {
        begin(&mut players, &paths);
        for wrong in [
            json!({"won": "C"}),
            json!({"won": "nobody"}),
            json!("Ann"),
            json!({"won": "A", "words": "x".repeat(81)}),
        ] {
            let refused = act(&mut players[0], &paths[0], json!({"end": wrong}));
            assert!([400, 422].contains(&refused.status), "{}", refused.text());
        }
        end(&mut players, &paths, won);
        let view = players[1].view(&paths[1]);
        assert_eq!(
            (&view["phase"], &view["ended"]),
            (&json!("ended"), &json!(told))
        );
        assert!(view["over"].is_null(), "{view}");
        scores.push(view["score"].as_str().unwrap().to_owned());
        assert!(
            players[0]
                .get("/tables")
                .text()
                .contains(&format!("ended: {told}"))
        );
        let before = paths.clone();
        paths = next(&mut players, &paths);
        assert_ne!(before, paths);
        for (player, path) in players.iter_mut().zip(&paths) {
            let view = player.view(path);
            assert_eq!(view["phase"], "setup");
            assert_eq!(view["seats"]["B"]["name"], "Ben");
            assert_eq!(view["score"].as_str(), scores.last().map(String::as_str));
            assert!(player.get("/tables").text().contains(path.as_str()));
        }
        // The other's seat there opens with the other's key alone.
        assert_eq!(players[0].get(&paths[1]).status, 403);
    }
    assert_eq!(
        scores,
        [
            "Score after 1 game: seat A 0, seat B 1, drawn 0",
            "Score after 2 games: seat A 0, seat B 1, drawn 1",
            "Score after 3 games: seat A 1, seat B 1, drawn 1",
        ]
    );
}

/// The SHA-256 of the server's secret is on the page that asks for the first deck, and on the other's;
/// the file shows the secret and what each browser brought, and so does that of the next game.
#[test]
fn a_deal_follows_from_a_secret_that_was_shown_before_and_from_what_each_browser_brought() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let (mut ann, mut ben) = (Player::new(&running), Player::new(&running));
    let after = |page: &str, words: &str| -> String {
        let found = page.split(words).nth(1).unwrap_or_else(|| panic!("{page}"));
        found.split('"').next().unwrap().to_owned()
    };
    let asked = ann.get("/play?format=vastrix").text();
    let shown = after(&asked, "data-secret=\"");
    let page = after(&asked, "name=\"page\" value=\"");
    let brought = [chance(7), chance(9)];
    let mut fields = vec![
        ("format", "vastrix"),
        ("page", page.as_str()),
        ("random", ""),
    ];
    let refused = ann.form("/play", &fields);
    assert_eq!(refused.status, 422);
    assert_eq!(after(&refused.text(), "data-secret=\""), shown);
    fields[2].1 = &brought[0];
    let (a, links) = ann.opens(&fields);
    let b = seat(&a, "B");
    ben.follows(&b, &links["B"]);
    assert_eq!(after(&ben.get(&b).text(), "data-secret=\""), shown);
    for wrong in ["", "00", brought[0].as_str()] {
        let refused = ben.form(&b, &[("random", wrong)]);
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.text());
    }
    assert_eq!(ben.form(&b, &[("random", &brought[1])]).status, 303);
    let bytes = |hex: &str| data_encoding::HEXLOWER.decode(hex.as_bytes()).unwrap();
    let sha256 = |bytes: &[u8]| data_encoding::HEXLOWER.encode(&Sha256::digest(bytes));
    let (mut players, mut paths) = ([ann, ben], [a, b]);
    let mut known = shown;
    for _ in 0..2 {
        begin(&mut players, &paths);
        end(&mut players, &paths, "A");
        let file = players[1].get(&format!("/api{}/file", paths[1])).json();
        let chance = &file["inputs"]["randomness"];
        assert_eq!(chance["seed_source"], "combined");
        let parts: Vec<String> = serde_json::from_value(chance["contributions"].clone()).unwrap();
        let own: Vec<&String> = parts
            .iter()
            .filter(|part| !brought.contains(part))
            .collect();
        assert_eq!((parts.len(), own.len()), (3, 1), "{parts:?}");
        assert_eq!(sha256(&bytes(own[0])), known);
        let all: Vec<u8> = parts.iter().flat_map(|part| bytes(part)).collect();
        let seed = [b"decklaw/seed-combined/1\0", &all[..]].concat();
        assert_eq!(chance["seed"], sha256(&seed));
        known = own[0].clone();
        paths = next(&mut players, &paths);
    }
}

/// A match of Shell has three games; before each, cards are swapped with the side deck, and the one who
/// swaps last is told nothing of what the first one swapped, not even how many.
#[test]
fn swaps_are_sealed_until_all_have_swapped_and_a_match_ends_with_its_games() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let (mut players, mut paths) = at_a_table(&running, "shell", [LEGAL, OTHER]);
    let [ann, ben] = &mut players;
    let count = |view: &Value, zone: &str| {
        let zones = view["zones"].as_array().unwrap();
        let zone = zones.iter().find(|found| found["zone"] == zone).unwrap();
        zone["count"].as_u64().unwrap()
    };
    let view = ann.view(&paths[0]);
    let before = count(&view, "A.deck");
    let swap = &view["question"]["answers"][1];
    let lists = swap["cards"].as_array().unwrap();
    // In comes all the Drizzle that lies aside, which has no price; nothing goes out.
    let cards: Vec<Vec<usize>> = lists
        .iter()
        .map(|list| {
            let of = list["of"].as_array().unwrap().iter().enumerate();
            let drizzle = of.filter(|(_, name)| *name == "Drizzle").map(|(at, _)| at);
            match list["at"] == json!(["main", "in"]) {
                true => drizzle.collect(),
                false => Vec::new(),
            }
        })
        .collect();
    assert!(cards.iter().any(|list| list.len() == 6), "{swap}");
    let told = act(ann, &paths[0], json!({"answer": 1, "cards": cards}));
    assert_eq!(told.status, 200, "{}", told.text());
    let mine = told.json();
    assert!(
        mine["question"].is_null() && mine["awaited"] == json!(["B"]),
        "{mine}"
    );
    let theirs = ben.view(&paths[1]);
    assert_eq!(count(&theirs, "A.deck"), before, "Ben has not swapped yet");
    assert!(ben.get("/tables").text().contains("setup: you decide"));
    assert!(
        ann.get("/tables")
            .text()
            .contains("setup: waits for seat B (Ben)")
    );
    // What cannot be done is told at once.
    let lists = theirs["question"]["answers"][1]["cards"]
        .as_array()
        .unwrap();
    let all: Vec<Vec<usize>> = lists
        .iter()
        .map(|list| match list["at"] == json!(["main", "out"]) {
            true => (0..list["of"].as_array().unwrap().len()).collect(),
            false => Vec::new(),
        })
        .collect();
    let refused = act(ben, &paths[1], json!({"answer": 1, "cards": all}));
    assert_eq!(refused.status, 422, "{}", refused.text());
    drop(running);
    let running = start(data.path(), |_| ());
    for player in &mut players {
        player.browser.address = running.address;
    }
    let [ann, ben] = &mut players;
    assert!(
        ann.view(&paths[0])["question"].is_null(),
        "what was sealed is kept"
    );
    assert_eq!(act(ben, &paths[1], json!({"answer": 0})).status, 200);
    for (player, path, name) in [(ann, &paths[0], "Ann"), (ben, &paths[1], "Ben")] {
        assert_eq!(count(&player.view(path), "A.deck"), before + 6);
        let asked = player.get("/play?format=shell").text();
        assert!(asked.contains(&format!("value=\"{name}\"")), "{asked}");
    }
    // What something else did to the lists of tables ends no page.
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    disk.execute("update sitting set told = 'x'", []).unwrap();
    for page in ["/tables", "/play?format=shell"] {
        assert_eq!(players[0].get(page).status, 200, "{page}");
    }
    let listed = players[0].get("/tables").text();
    assert!(listed.contains("what is kept of it is damaged"), "{listed}");
    for game in 1..=3 {
        begin(&mut players, &paths);
        assert_eq!(players[0].view(&paths[0])["options"]["game"], game);
        end(&mut players, &paths, "A");
        if game < 3 {
            paths = next(&mut players, &paths);
        }
    }
    let over = players[0].view(&paths[0])["over"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        over.contains("the match is over after 3 games: seat A has won the most, 3"),
        "{over}"
    );
    let refused = players[1].post(&format!("/api{}/next", paths[1]), &json!({}));
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains("the match is over"),
        "{}",
        refused.text()
    );
}

/// What the page of a seat holds while decks are gathered, for every game: no card of any other's, and
/// where the game has three and four seats these are theirs.
#[test]
fn every_game_gathers_as_many_as_play_it() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let shells = ["shell/ebb.txt", "shell/ash-and-acorn.txt", "shell/ebb.txt"].map(deck);
    let versus = ["versus/steam-rises.txt", "versus/hedge-and-harrow.txt"].map(deck);
    let masters = ["vainqueur/barley-crown.txt", "vainqueur/tallow-court.txt"].map(deck);
    let heroes = [
        "vanquishers/harbour-battery.txt",
        "vanquishers/quiet-ledgers.txt",
    ]
    .map(deck);
    let shared = [deck("versus/kitchen-table.txt")];
    type Game<'g> = (&'g str, &'g [String], &'g [(&'g str, &'g str)], usize);
    let lists = ["20 Foo\n20 Bar\n", "10 Nothing That A Pool Knows\n"].map(str::to_owned);
    let games: [Game<'_>; 8] = [
        (
            "any",
            &lists,
            &[("set-opening_hand", "5"), ("seats", "2")],
            2,
        ),
        ("shell", &shells, &[("seats", "3")], 3),
        ("versus/normal", &versus, &[], 2),
        ("vainqueur", &masters, &[("set-opening_hand", "5")], 2),
        ("vanquishers", &heroes, &[("set-starting_energy", "5")], 2),
        ("versus/fast-shared", &shared, &[], 2),
        ("vastrix", &[], &[("option-players", "2")], 2),
        ("vastrix", &[], &[("option-players", "4")], 4),
    ];
    for (format, decks, more, seats) in games {
        let mut host = Player::new(&running);
        let mut fields = vec![("format", format)];
        fields.extend(more);
        fields.extend(decks.first().map(|deck| ("deck", deck.as_str())));
        let (a, links) = host.opens(&fields);
        assert_eq!(links.len(), seats, "{format}: the others, and onlookers");
        let mut others: Vec<(Player, String)> = Vec::new();
        for letter in ["B", "C", "D"].into_iter().take(seats - 1) {
            let mut player = Player::new(&running);
            let path = seat(&a, letter);
            player.follows(&path, &links[letter]);
            others.push((player, path));
        }
        for (at, (player, path)) in others.iter_mut().enumerate() {
            assert_eq!(player.view(path)["phase"], "gathering", "{format}");
            let own = decks.get(at + 1).map(|deck| ("deck", deck.as_str()));
            let fields: Vec<(&str, &str)> = own.into_iter().collect();
            let came = player.form(path, &fields);
            assert_eq!(came.status, 303, "{format}: {}", came.text());
        }
        let phase = host.view(&a)["phase"].clone();
        assert!(phase == "setup" || phase == "game", "{format}: {phase}");
        assert_eq!(host.view(&a)["seats"].as_object().unwrap().len(), seats);
    }
}

#[test]
fn what_a_match_needs_is_asked_before_anybody_is_invited() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut ann = Player::new(&running);
    let crown = deck("vainqueur/barley-crown.txt");
    let shell = |more: &[(&'static str, &'static str)]| [&[("format", "shell")][..], more].concat();
    for (fields, told) in [
        (shell(&[]), "Choose a deck, or paste one."),
        (shell(&[("deck", LEGAL), ("seats", "9")]), "2 to 4 decks"),
        (shell(&[("deck", LEGAL), ("option-game", "7")]), "cannot be"),
        (shell(&[("deck", BROKEN)]), "cannot be played as it is"),
        (shell(&[("deck", "nothing of the kind")]), "Line 1"),
        (
            vec![("format", "vainqueur"), ("deck", &crown)],
            "opening_hand",
        ),
        (
            vec![
                ("format", "vainqueur"),
                ("deck", &crown),
                ("set-opening_hand", "five"),
            ],
            "whole number",
        ),
        (
            vec![
                ("format", "vainqueur"),
                ("deck", &crown),
                ("set-opening_hand", "500"),
            ],
            "not 500",
        ),
        (
            vec![
                ("format", "vastrix"),
                ("option-players", "3"),
                ("option-deffy", "classic"),
            ],
            "Deffy is for two players",
        ),
    ] {
        let refused = ann.form("/play", &fields);
        assert_eq!(refused.status, 422, "{fields:?}: {}", refused.text());
        let text = refused.text();
        assert!(text.contains(told), "{told}: {text}");
        assert!(
            text.contains("action=\"/play\""),
            "what was typed can be sent again"
        );
        if let Some((_, typed)) = fields.iter().find(|(name, _)| *name == "deck") {
            assert!(text.contains(typed.lines().next().unwrap()), "{text}");
        }
    }
    assert_eq!(ann.form("/play", &[("format", "none")]).status, 404);
    assert!(ann.get("/tables").text().contains("sits at no table"));
    // Somebody else's deck is nobody's here.
    let mut ben = Player::new(&running);
    let draft = ben.keeps("shell", LEGAL);
    assert_eq!(ann.get(&format!("/play?deck={draft}")).status, 404);
    let stolen = ann.form(
        "/play",
        &shell(&[])[..]
            .iter()
            .copied()
            .chain([("draft", draft.as_str())])
            .collect::<Vec<_>>(),
    );
    assert_eq!(stolen.status, 404);
    assert!(!stolen.text().contains("Rain Caller"));
}

#[test]
fn a_deck_may_be_changed_until_all_are_there_and_a_table_given_up() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let (mut ann, mut ben) = (Player::new(&running), Player::new(&running));
    let (a, links) = ann.opens(&[("format", "shell"), ("deck", LEGAL), ("seats", "3")]);
    let b = seat(&a, "B");
    ben.follows(&b, &links["B"]);
    let mut onlooker = Player::new(&running);
    onlooker.follows(&seat(&a, "onlooker"), &links["onlooker"]);
    assert_eq!(
        onlooker
            .form(&seat(&a, "onlooker"), &[("deck", LEGAL)])
            .status,
        403
    );
    for list in [LEGAL, OTHER] {
        let own = format!("Name: Deck {}", list.len());
        let lines = list.lines().map(|line| {
            if line.starts_with("Name:") {
                &own
            } else {
                line
            }
        });
        let named = lines.collect::<Vec<_>>().join("\n");
        let came = ben.form(&b, &[("deck", &named), ("name", "Ben")]);
        assert_eq!(came.status, 303, "{}", came.text());
        let page = ben.get(&b).text();
        assert!(page.contains(&format!("Deck {}", list.len())), "{page}");
        assert!(!ann.get(&a).text().contains(&format!("Deck {}", list.len())));
    }
    assert_eq!(ann.view(&a)["phase"], "gathering", "the third has not come");
    assert_eq!(
        ben.view(&b)["seats"]["B"],
        json!({"name": "Ben", "came": true})
    );
    // Only whoever opened it gives it up.
    assert_eq!(ben.form(&b, &[("do", "close")]).status, 422);
    let closed = ann.form(&a, &[("do", "close")]);
    assert_eq!(closed.header("location"), Some("/tables"));
    for (player, path) in [(&mut ann, &a), (&mut ben, &b)] {
        assert_eq!(player.get(path).status, 404);
        assert!(player.get("/tables").text().contains("sits at no table"));
    }
}

#[test]
fn tables_of_visitors_are_bounded_and_those_that_nobody_joins_go() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut ann = Player::new(&running);
    let fields = [("format", "vastrix")];
    let tables: Vec<String> = (0..30).map(|_| ann.opens(&fields).0).collect();
    let refused = ann.form("/play", &fields);
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains("30 tables that are not over"),
        "{}",
        refused.text()
    );
    // It is that browser's bound and nobody else's, and not that of whoever runs the server.
    let (other, _) = Player::new(&running).opens(&fields);
    let mut host = Player {
        browser: Browser::host(&running),
        sent: Vec::new(),
    };
    for _ in 0..31 {
        host.opens(&fields);
    }
    assert_eq!(ann.form(&tables[7], &[("do", "close")]).status, 303);
    ann.opens(&fields);
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    // Eight days without anybody: some go with each table that comes, and make room.
    let page = ann.get(&tables[0]).text();
    assert!(page.contains("The table waits until 20"), "{page}");
    let sql = "update sitting set at = '2020-01-01T00:00:00.000Z' where id = ?1";
    let id = |path: &str| path.split('/').nth(2).unwrap().to_owned();
    for path in &tables[..3] {
        assert_eq!(disk.execute(sql, [id(path)]).unwrap(), 1);
    }
    for _ in 0..3 {
        ann.opens(&fields);
    }
    for path in &tables[..3] {
        assert_eq!(ann.get(path).status, 404);
    }
    assert_eq!(ann.form("/play", &fields).status, 422);
    // All visitors together.
    let many = "with recursive n(value) as (select 1 union all select value + 1 from n where value < 3000)
                insert into sitting (id, at, opened_by, format, title, keys, stage, file, told, rev)
                select 'x' || value, '2099', x'00', 'vastrix', 'x', '{}', 'gathering', '{}', '{}', 1 from n";
    disk.execute(many, []).unwrap();
    let refused = Player::new(&running).form("/play", &fields);
    assert!(
        refused
            .text()
            .contains("Visitors have 3000 tables open here"),
        "{}",
        refused.text()
    );
    host.opens(&fields);
    assert_eq!(ann.get(&tables[9]).status, 200);
    assert_eq!(ann.get(&other).status, 403);
}

/// What happens at the same moment happens one after the other: no deck is lost, and there is one next
/// game.
#[test]
fn what_is_done_at_the_same_moment_is_done_once() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let fields = [("format", "shell"), ("deck", LEGAL), ("seats", "4")];
    for _ in 0..5 {
        let mut ann = Player::new(&running);
        let (a, links) = ann.opens(&fields);
        let others = ["B", "C", "D"].map(|letter| {
            let (mut player, path) = (Player::new(&running), seat(&a, letter));
            player.follows(&path, &links[letter]);
            (player, path, letter)
        });
        std::thread::scope(|scope| {
            for (mut player, path, letter) in others {
                scope.spawn(move || {
                    let brought = [("deck", OTHER), ("name", letter)];
                    let came = player.form(&path, &brought);
                    assert_eq!(came.status, 303, "{}", came.text());
                });
            }
        });
        assert_eq!(ann.view(&a)["phase"], "setup");
    }
    let decks = ["versus/steam-rises.txt", "versus/hedge-and-harrow.txt"].map(deck);
    let (mut players, paths) = at_a_table(&running, "versus/normal", [&decks[0], &decks[1]]);
    begin(&mut players, &paths);
    end(&mut players, &paths, "draw");
    let to: BTreeSet<String> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8)
            .map(|number| {
                let mut browser = players[number % 2].browser.clone();
                let path = format!("/api{}/next", paths[number % 2]);
                scope.spawn(move || browser.json("POST", &path, &json!({})))
            })
            .collect();
        let told = asked.into_iter().map(|asked| asked.join().unwrap());
        told.map(|told| told.json()["to"].as_str().unwrap()[..13].to_owned())
            .collect()
    });
    assert_eq!(to.len(), 1, "{to:?}");
    let disk = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    let sql = "select count(*) from sitting where format = 'versus/normal'";
    let tables: i64 = disk.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 2);
}

/// A deck that was legal when it was brought, and is not when the match is laid: the others learn that
/// the match could not be laid, and neither whose deck it was nor why.
#[test]
fn rules_that_change_before_the_last_deck_tell_nobody_of_anothers() {
    let data = tempfile::tempdir().unwrap();
    let [banned, other] = ["vainqueur/tallow-court.txt", "vainqueur/barley-crown.txt"].map(deck);
    let running = start(data.path(), |_| ());
    let (mut ann, mut ben) = (Player::new(&running), Player::new(&running));
    let (a, links) = ann.opens(&[
        ("format", "vainqueur"),
        ("deck", &banned),
        ("name", "Ann"),
        ("set-opening_hand", "5"),
    ]);
    let b = seat(&a, "B");
    ben.follows(&b, &links["B"]);
    drop(running);
    let running = start(data.path(), |config| {
        config.judges = Box::new(|terms| judge_by("vainqueur-sample-2026-01", terms));
    });
    for player in [&mut ann, &mut ben] {
        player.browser.address = running.address;
    }
    let told = ben.form(&b, &[("deck", &other), ("name", "Ben")]);
    assert_eq!(told.status, 422, "{}", told.text());
    let text = told.text();
    assert!(
        text.contains("could not be laid by the rules as they are now"),
        "{text}"
    );
    for name in names(&banned).difference(&names(&other)) {
        assert!(!ben.was_sent(name), "{name}");
    }
    for word in ["Deck 1", "seat A", "banned", "cannot be played"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    // His deck is there, hers is waited for, and there is a way on.
    assert_eq!(ben.view(&b)["seats"]["B"]["came"], true);
    assert_eq!(ann.view(&a)["seats"]["A"]["came"], false);
    let refused = ann.form(&a, &[("deck", &banned), ("name", "Ann")]);
    assert!(
        refused.text().contains("cannot be played as it is"),
        "{}",
        refused.text()
    );
    let came = ann.form(&a, &[("deck", &other), ("name", "Ann")]);
    assert_eq!(came.status, 303, "{}", came.text());
    assert_eq!(ben.view(&b)["phase"], "setup");
}

/// How many cards lie in the hand of the one who plays alone.
fn in_hand(view: &Value) -> u64 {
    let zones = view["zones"].as_array().unwrap();
    let hand = zones.iter().find(|zone| zone["zone"] == "A.hand");
    hand.unwrap()["count"].as_u64().unwrap()
}

/// A deck is tried alone in every game, also one that is not finished: the game's own opening hand,
/// then each turn with the draw that its rules give.
#[test]
fn a_deck_is_tried_alone_with_its_games_own_hand_and_draws() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    // Far from legal, and enough to draw from.
    let begun = "Format: shell\n\nMain\n4 Pip\n6 Dew Ledger\n6 Clover Tithe\n".to_owned();
    type Game<'g> = (&'g str, Option<String>, &'g [(&'g str, &'g str)], &'g [u64]);
    // How many cards each turn draws, by the rules: in the Shell game the first round draws none;
    // Vastrix draws by an action, two with an empty hand; Versus refills what was played.
    let games: [Game<'_>; 5] = [
        ("shell", Some(begun), &[], &[6, 6, 7, 8]),
        (
            "vainqueur",
            Some(deck("vainqueur/barley-crown.txt")),
            &[("set-opening_hand", "5")],
            &[5, 6, 7, 8],
        ),
        (
            "vanquishers",
            Some(deck("vanquishers/harbour-battery.txt")),
            &[("set-starting_energy", "5")],
            &[7, 8, 9, 10],
        ),
        (
            "versus/normal",
            Some(deck("versus/steam-rises.txt")),
            &[],
            &[],
        ),
        ("vastrix", None, &[], &[]),
    ];
    for (format, list, more, hands) in games {
        let mut player = Player::new(&running);
        let mut fields = vec![("format", format), ("do", "alone"), ("form", format)];
        fields.extend(more);
        fields.extend(list.as_deref().map(|list| ("deck", list)));
        let opened = player.form("/play", &fields);
        assert_eq!(opened.status, 303, "{format}: {}", opened.text());
        let path = opened.header("location").unwrap().to_owned();
        assert_eq!(player.get(&path).status, 200);
        // What is asked before the game is this player's alone.
        for _ in 0..20 {
            let view = player.view(&path);
            assert!(view["alone"] == true && view["asked"].is_null(), "{view}");
            if view["phase"] == "game" {
                break;
            }
            let told = act(&mut player, &path, json!({"answer": 0}));
            assert_eq!(told.status, 200, "{format}: {}", told.text());
        }
        assert_eq!(player.view(&path)["phase"], "game", "{format}");
        let mut seen = vec![in_hand(&player.view(&path))];
        for turn in 1..4 {
            let told = act(&mut player, &path, json!({"move": "pass"}));
            assert_eq!(told.status, 200, "{format}: {}", told.text());
            let view = told.json();
            assert_eq!(view["turn"], turn, "{format}");
            seen.push(in_hand(&view));
        }
        if !hands.is_empty() {
            assert_eq!(seen, hands, "{format}");
        }
        assert!(player.get("/tables").text().contains(&path), "{format}");
    }
    // It goes on where it stood after a restart.
    let mut player = Player::new(&running);
    let list = deck("vainqueur/barley-crown.txt");
    let fields = [
        ("format", "vainqueur"),
        ("do", "alone"),
        ("set-opening_hand", "5"),
        ("deck", &*list),
    ];
    let opened = player.form("/play", &fields);
    let path = opened.header("location").unwrap().to_owned();
    let _ = act(&mut player, &path, json!({"move": "pass"}));
    let before = player.view(&path);
    drop(running);
    let running = start(data.path(), |_| ());
    player.browser.address = running.address;
    assert_eq!(player.view(&path), before);
}
