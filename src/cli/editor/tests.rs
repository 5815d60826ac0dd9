#![allow(clippy::unwrap_used)]

use super::app::{App, Focus, Then};
use super::{Chance, draw};
use crate::banlist::Lists;
use crate::deck::Input;
use crate::format::Catalogue;
use crate::judge::{Judge, Verdict};
use crate::odds::OddsDefaults;
use crate::resolve::Decklist;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

const DECK: &str = "Format: shell\n\nShells\n1 Crimson Bulwark\n1 Verdant Bastion\n";

fn app(text: &str) -> App {
    app_of("shell", text)
}

fn app_of(format: &str, text: &str) -> App {
    let judge = Judge::new(
        Catalogue::built_in(),
        Lists::default(),
        "2026-01-01".parse().unwrap(),
    );
    let rulebook = judge.rulebook(format).unwrap();
    let game = rulebook.format().game();
    let mut names = |_: Option<&str>| Some(game.section_names());
    let deck = crate::deck::read(text.as_bytes(), Input::Text, &mut names).unwrap();
    let list = Decklist::of(&deck, rulebook.clone());
    let bytes = judge.catalogue().file(format, "odds.yaml").unwrap();
    let defaults = OddsDefaults::read(std::str::from_utf8(bytes).unwrap()).unwrap();
    let mut app = App::new(
        "Ebb".to_owned(),
        list,
        Chance::new(defaults, "main".to_owned(), None),
    );
    app.page = 5;
    app
}

fn press(app: &mut App, code: KeyCode) -> Then {
    app.press(KeyEvent::new(code, KeyModifiers::NONE))
}

fn control(app: &mut App, letter: char) -> Then {
    app.press(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
}

fn write(app: &mut App, text: &str) {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
}

fn screen(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::screen(frame, app)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let cells = buffer.content().chunks(usize::from(width));
    let lines = cells.map(|row| {
        let text: String = row.iter().map(|cell| cell.symbol()).collect();
        text.trim_end().to_owned() + "\n"
    });
    lines.collect()
}

#[test]
fn a_screen_of_80_by_24_shows_everything() {
    let mut app = app(DECK);
    write(&mut app, "mana:3 colour:red");
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Right);
    control(&mut app, 'o');
    write(&mut app, "1+ []");
    insta::assert_snapshot!(screen(&mut app, 80, 24), @r#"
     shell  Ebb *                                                        incomplete
     points: 106 left, must be 0: 100 + 6 red mana - 0 green mana
     cards for main ─────────────────────────────┐ deck ────────────────────────────
    > mana:3 colour:red  7 cards                 │shells (2)
      2 +0   Bellows Choir  spell red mana 3 red │  1 Crimson Bulwark
        +2   Brand of the Ninth  spell red mana 3│  1 Verdant Bastion
        +2   Cinder Toll  spell red mana 3 red; g│main (2)
        +2   Fuse, Unlit  spell red mana 3 red; b│  2 Bellows Choir
        +2   Kiln Marriage  spell red mana 3 red;│extra (0)
        +2   Smoke over Ninefields  spell red man│side (0)
        +2   Torch Relay  spell red mana 3 red; g│
                                                 │
                                                 │
                                                 │
                                                 │
                                                 │
                                                 │
     0 more of Bellows Choir, by copies ────────────────────────────────────────────
    points: 106 points not spent: 100 + 6 red mana - 0 green mana = 106 points left,
    and it must be 0
    shells: the Shells must have 1 blue Shell card; there is none
     mana  3 █2
     odds of 1+ []▏  6 cards cannot be drawn from 2
     ↑↓ choose → add ← take out Tab section ^D deck ^O odds ^Z undo ^S save ^Q end
    "#);
}

#[test]
fn a_narrow_screen_shows_the_list_in_use() {
    let mut app = app(DECK);
    assert!(screen(&mut app, 40, 12).contains("cards for main"));
    control(&mut app, 'd');
    let shown = screen(&mut app, 40, 12);
    assert!(shown.contains("Crimson Bulwark"), "{shown}");
    assert!(!shown.contains("cards for"), "{shown}");
    for line in shown.lines() {
        assert!(line.chars().count() <= 40, "{line}");
    }
    assert!(screen(&mut app, 20, 5).contains("needs 40"));
}

#[test]
fn what_is_put_in_is_judged_and_taken_back() {
    let mut app = app(DECK);
    assert_eq!(app.judged.verdict, Verdict::Incomplete);
    write(&mut app, "Moss Sprite");
    let before = app.deck.hash();
    for _ in 0..30 {
        press(&mut app, KeyCode::Right);
    }
    assert_eq!(app.judged.verdict, Verdict::Illegal);
    let rules: Vec<&str> = app
        .judged
        .findings
        .iter()
        .map(|(_, rule, _)| &**rule)
        .collect();
    assert!(rules.contains(&"copies"), "{rules:?}");
    let full = app.deck.hash();
    for _ in 0..30 {
        control(&mut app, 'z');
    }
    assert_eq!(app.deck.hash(), before);
    assert!(!app.is_changed());
    control(&mut app, 'z');
    assert_eq!(app.message, "nothing to undo");
    for _ in 0..30 {
        control(&mut app, 'y');
    }
    assert_eq!(app.deck.hash(), full);
    press(&mut app, KeyCode::Left);
    control(&mut app, 'y');
    assert_eq!(app.message, "nothing to do again");
}

#[test]
fn a_wrong_query_keeps_the_cards_and_says_what_is_wrong() {
    let mut app = app(DECK);
    write(&mut app, "mana:3");
    let shown = app.shown.clone();
    write(&mut app, " (");
    assert_eq!(app.shown, shown);
    assert!(app.wrong.is_some());
    press(&mut app, KeyCode::Backspace);
    assert!(app.wrong.is_none());
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.shown.len(), app.pool().len());
}

#[test]
fn the_deck_list_takes_out_what_is_chosen_there() {
    let mut app = app(DECK);
    control(&mut app, 'd');
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Left);
    let held = |app: &App| -> Vec<(String, i64)> {
        let rows = app.rows();
        let named = rows
            .iter()
            .map(|row| (app.deck.name(row.card).to_owned(), row.copies));
        named.collect()
    };
    let bulwark = ("Crimson Bulwark".to_owned(), 1);
    let emptied = ("Verdant Bastion".to_owned(), 0);
    // The row stays under the arrows, and further keys take nothing else.
    assert_eq!(held(&app), [bulwark.clone(), emptied]);
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Left);
    assert_eq!(app.deck.holdings().count(), 1);
    // It can be put back, and taken back.
    press(&mut app, KeyCode::Right);
    assert_eq!(app.deck.holdings().count(), 2);
    control(&mut app, 'z');
    control(&mut app, 'z');
    assert_eq!(app.deck.holdings().count(), 2);
    assert_eq!(
        app.chosen().map(|(_, card)| app.deck.name(card)),
        Some("Verdant Bastion")
    );
    press(&mut app, KeyCode::Left);
    // It goes once the arrows leave it.
    press(&mut app, KeyCode::Up);
    assert_eq!(held(&app), [bulwark]);
    press(&mut app, KeyCode::Left);
    control(&mut app, 'd');
    assert!(app.rows().is_empty());
}

#[test]
fn after_an_undo_the_arrows_stay_with_their_card() {
    let mut app = app("Format: shell\n\nMain\n1 Acorn Courier\n1 Moss Sprite\n1 Rain Caller\n");
    let chosen = |app: &App| app.chosen().map(|(_, card)| app.deck.name(card).to_owned());
    control(&mut app, 'd');
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Down);
    assert_eq!(chosen(&app).as_deref(), Some("Moss Sprite"));
    // The card that comes back stands above: the arrows do not move to another one.
    control(&mut app, 'z');
    assert_eq!(app.rows().len(), 3);
    assert_eq!(chosen(&app).as_deref(), Some("Moss Sprite"));
    control(&mut app, 'y');
    assert_eq!(chosen(&app).as_deref(), Some("Moss Sprite"));
}

#[test]
fn a_screen_of_40_by_24_cuts_nothing_that_matters() {
    let mut app = app("Format: shell\n\nMain\n4 Moss Sprite\n6 Ash Errand\n");
    let shown = screen(&mut app, 40, 24);
    let flat = |shown: &str| shown.split_whitespace().collect::<Vec<_>>().join(" ");
    // 100 + 6 red mana - 4 × 2 green mana.
    assert!(
        flat(&shown).contains("points: 98 left, must be 0: 100 + 6 red mana - 8 green mana"),
        "{shown}"
    );
    app.message = "a sentence that is much longer than one line of forty columns".to_owned();
    let shown = screen(&mut app, 40, 24);
    assert!(
        flat(&shown).contains("much longer than one line of forty columns"),
        "{shown}"
    );
    press(&mut app, KeyCode::Right);
    control(&mut app, 'q');
    let shown = screen(&mut app, 40, 24);
    assert!(
        shown.contains("Save the changes? y/n, Esc goes back"),
        "{shown}"
    );
    press(&mut app, KeyCode::Esc);
    write(&mut app, "mana:3 nothing>=");
    let wrong = app.wrong.clone().unwrap();
    for width in [40, 80] {
        let shown = screen(&mut app, width, 24);
        assert!(flat(&shown).contains(&flat(&wrong)), "{wrong}: {shown}");
    }
    control(&mut app, 'o');
    write(&mut app, "99+ [type:spell] and 1+ [typ:spell]");
    let wrong = app.chance.answer.lines().next().unwrap().to_owned();
    assert!(wrong.len() > 40, "{wrong}");
    let shown = screen(&mut app, 80, 24);
    assert!(flat(&shown).contains(&flat(&wrong)), "{wrong}: {shown}");
    for line in screen(&mut app, 40, 24).lines() {
        assert!(line.chars().count() <= 40, "{line}");
    }
}

#[test]
fn rows_say_yes_or_no_by_the_name_of_the_field_and_nothing_twice() {
    let mut app = app_of("vanquishers", "Format: vanquishers\n");
    let shown = screen(&mut app, 120, 24);
    assert!(
        !shown.contains("false") && !shown.contains("true"),
        "{shown}"
    );
    write(&mut app, "unique:true");
    let shown = screen(&mut app, 120, 24);
    assert!(shown.contains(" unique "), "{shown}");
    let mut app = app_of("vastrix", "Format: vastrix\n");
    write(&mut app, "K♠");
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("K♠  spades black points 8"), "{shown}");
}

#[test]
fn a_game_without_a_hand_size_takes_one_in_the_query() {
    let mut app = app_of(
        "vainqueur",
        "Format: vainqueur\n\nMain\n4 Adamantine Child\n",
    );
    let card = app.pool().name(app.pool().ids().next().unwrap()).to_owned();
    let text = format!("Format: vainqueur\n\nMain\n3 {card}\n");
    app = app_of("vainqueur", &text);
    control(&mut app, 'o');
    write(&mut app, "1+ []");
    assert!(
        app.chance.answer.contains("5: 1+ []"),
        "{}",
        app.chance.answer
    );
    assert!(
        app.chance.answer.contains("--hand 5"),
        "{}",
        app.chance.answer
    );
    for _ in 0..5 {
        press(&mut app, KeyCode::Backspace);
    }
    write(&mut app, "2: 1+ []");
    assert!(
        app.chance.answer.contains("100.00 %"),
        "{}",
        app.chance.answer
    );
    assert!(
        app.chance.answer.contains("hand of 2"),
        "{}",
        app.chance.answer
    );
}

#[test]
fn a_card_goes_only_where_it_may_stand() {
    let mut app = app(DECK);
    write(&mut app, "Azure Keep");
    press(&mut app, KeyCode::Right);
    assert_eq!(app.message, "`Azure Keep` cannot stand in main");
    press(&mut app, KeyCode::BackTab);
    press(&mut app, KeyCode::Right);
    assert_eq!(app.rows().len(), 3);
}

#[test]
fn leaving_asks_when_something_is_not_saved() {
    let mut app = app(DECK);
    assert_eq!(control(&mut app, 'q'), Then::End);
    press(&mut app, KeyCode::Right);
    assert_eq!(control(&mut app, 'q'), Then::Draw);
    assert_eq!(app.focus, Focus::Leaving);
    assert_eq!(press(&mut app, KeyCode::Esc), Then::Draw);
    assert_eq!(control(&mut app, 's'), Then::Save);
    app.is_saved("saved".to_owned());
    assert_eq!(control(&mut app, 'q'), Then::End);
    press(&mut app, KeyCode::Right);
    control(&mut app, 'q');
    assert_eq!(press(&mut app, KeyCode::Char('y')), Then::SaveAndEnd);
    control(&mut app, 'q');
    assert_eq!(press(&mut app, KeyCode::Char('n')), Then::End);
}

#[test]
fn odds_follow_the_deck() {
    let mut app = app("Format: shell\n\nMain\n10 Moss Sprite\n10 Rain Caller\n");
    control(&mut app, 'o');
    write(&mut app, "no [");
    assert!(!app.chance.answer.contains('%'), "{}", app.chance.answer);
    write(&mut app, "Moss]");
    // Six cards of twenty without the ten: C(10,6) / C(20,6) = 210 / 38760, and once again
    // where the first hand had some, from the fourteen cards that were not set aside.
    assert!(
        app.chance.answer.contains("hand of 6"),
        "{}",
        app.chance.answer
    );
    let before = app.chance.answer.clone();
    press(&mut app, KeyCode::Enter);
    control(&mut app, 'd');
    press(&mut app, KeyCode::Left);
    assert_ne!(app.chance.answer, before);
}

#[test]
fn names_that_would_act_on_a_terminal_are_disarmed() {
    let mut app = app("Format: shell\n\nMain\n1 Evil\u{1b}[2J Card\n");
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("Evil?[2J Card"), "{shown}");
}

#[test]
fn the_best_exchange_of_one_card_is_named() {
    let deck = std::fs::read_to_string("decks/versus/hedge-and-harrow.txt").unwrap();
    let mut app = app_of("versus", &deck);
    control(&mut app, 't');
    assert!(app.message.contains("Ctrl-O"), "{}", app.message);
    control(&mut app, 'o');
    write(&mut app, "1+ [type:item] and 1+ [type:trap]");
    press(&mut app, KeyCode::Enter);
    control(&mut app, 't');
    assert!(app.message.ends_with(": 48.58 %"), "{}", app.message);
}

/// A game whose decks have a class.
const GUILD: &str = "schema: decklaw/format/1\ngame: guild\nname: Guild\ntext: none\nfields:\n  - {name: class, kind: word, values: [rogue, seeker]}\nsections:\n  - {id: main, name: main deck, shuffled: true}\nchoices:\n  - {name: class, about: a, values: [rogue, seeker]}\nformats: [{id: guild, name: Guild}]\nrules:\n  - {id: class, source: s, about: a, must: {size: {sections: [main], cards: 'class:$class', min: 1}}}\n";

#[test]
fn keys_declare_what_a_deck_is() {
    let game = std::sync::Arc::new(crate::format::Game::read("game.yaml", GUILD).unwrap());
    let pool = game
        .read_cards(b"name,class\nKnife,rogue\nMap,seeker\n")
        .unwrap();
    let format = game.formats().remove(0);
    let settings = std::collections::BTreeMap::new();
    let rulebook = crate::format::Rulebook::new(&format, pool.into(), None, &settings).unwrap();
    let deck = Decklist::of_names(rulebook.into(), [("main", "Knife", 1)]);
    let defaults = OddsDefaults::read("section: main\nhand: [1]\npresets: []\n").unwrap();
    let chance = Chance::new(defaults, "main".to_owned(), None);
    let mut app = App::new("Guild".to_owned(), deck, chance);
    assert!(app.message.contains("F2 class"), "{}", app.message);
    assert_eq!(app.judged.verdict, Verdict::Incomplete);
    for (said, verdict) in [
        ("class: rogue", Verdict::Legal),
        ("class: seeker", Verdict::Incomplete),
        ("class: not declared", Verdict::Incomplete),
        ("class: rogue", Verdict::Legal),
    ] {
        press(&mut app, KeyCode::F(2));
        assert_eq!((app.message.as_str(), app.judged.verdict), (said, verdict));
        assert_eq!(app.is_changed(), said != "class: not declared");
    }
    press(&mut app, KeyCode::F(3));
    assert_eq!(app.deck.choices()["class"], "rogue");
    // What was declared is taken back, and declared again, between changes of cards.
    press(&mut app, KeyCode::Right);
    control(&mut app, 'z');
    assert_eq!(app.deck.choices()["class"], "rogue");
    for (key, said) in [
        ('z', "class: not declared"),
        ('z', "class: seeker"),
        ('y', "class: not declared"),
        ('y', "class: rogue"),
    ] {
        control(&mut app, key);
        assert_eq!(app.message, said);
    }
    control(&mut app, 'y');
    assert_eq!(app.deck.count(0), 2);
}
