//! What the editor knows and what each key does, apart from any terminal.

use super::judged::Judged;
use super::odds::Chance;
use crate::deck::Choices;
use crate::pool::{CardId, CardSet, Pool};
use crate::query::Query;
use crate::resolve::{Change, Decklist};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::collections::BTreeSet;

/// How far a page key goes when no list has been drawn yet.
const PAGE: usize = 10;

/// Which list the arrows move in, or which line is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// The cards of the game.
    Pool,
    /// The cards of the deck.
    Deck,
    /// The hand query whose odds are shown.
    Odds,
    /// The keys, all of them.
    Help,
    /// The question whether to save before leaving.
    Leaving,
    /// The name of another file to save to.
    Naming,
}

/// What the terminal has to do after a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// Draw again.
    Draw,
    /// Write the deck, and draw again.
    Save,
    /// Write the deck, and end if that went well.
    SaveAndEnd,
    /// Write the deck to the file that was named, and go on with that one.
    SaveElsewhere,
    /// End.
    End,
}

/// A card that the deck holds, or of which the last copy was just taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) section: u16,
    pub(super) card: CardId,
    pub(super) copies: i64,
}

/// What a key did to the deck.
#[derive(Debug, Clone)]
enum Deed {
    /// Copies of a card came or went.
    Copies(Change),
    /// The deck declares other choices: what it declared before, and what it does now.
    Choices(Choices, Choices),
}

/// The editor.
#[derive(Debug)]
pub(super) struct App {
    /// The deck's title, for the first line.
    pub(super) title: String,
    pub(super) deck: Decklist,
    saved: Decklist,
    done: Vec<Deed>,
    undone: Vec<Deed>,
    pub(super) focus: Focus,
    /// The card query as it is written, and what is wrong with it.
    pub(super) query: String,
    pub(super) wrong: Option<String>,
    /// What the query asks for that no card has.
    pub(super) remarks: Vec<String>,
    /// The cards that the last good query picks.
    pub(super) shown: Vec<CardId>,
    pub(super) at: usize,
    pub(super) deck_at: usize,
    /// The row of the deck's list that is kept without copies while the arrows stand on it.
    emptied: Option<(u16, CardId)>,
    /// Where cards go.
    pub(super) section: u16,
    pub(super) judged: Judged,
    /// The hand query as it is written, and its answer.
    pub(super) hand: String,
    pub(super) chance: Chance,
    /// The name of a file to save to, as it is written.
    pub(super) elsewhere: String,
    /// What was just done, for one key's time.
    pub(super) message: String,
    /// Rows of the list last drawn, for page keys.
    pub(super) page: usize,
}

impl App {
    /// An editor of a deck. `chance` answers hand queries.
    pub(super) fn new(title: String, deck: Decklist, chance: Chance) -> App {
        let everything = deck.pool().ids().collect();
        let mut app = App {
            title,
            saved: deck.clone(),
            judged: Judged::of(&deck),
            deck,
            done: Vec::new(),
            undone: Vec::new(),
            focus: Focus::Pool,
            query: String::new(),
            wrong: None,
            remarks: Vec::new(),
            shown: everything,
            at: 0,
            deck_at: 0,
            emptied: None,
            section: 0,
            hand: String::new(),
            chance,
            elsewhere: String::new(),
            message: String::new(),
            page: PAGE,
        };
        app.section = app.first_section();
        let choices = app.deck.rulebook().format().game().choices();
        let keys = (2..).zip(choices);
        let keys: Vec<String> = keys
            .map(|(key, choice)| format!("F{key} {}", choice.name))
            .collect();
        if !keys.is_empty() {
            app.message = format!("what the deck declares: {}", keys.join(", "));
        }
        app
    }

    /// Where cards go that stand in no section: where a deck's first lines go.
    fn first_section(&self) -> u16 {
        let game = self.deck.rulebook().format().game();
        self.deck.section(game.section_names().first).unwrap_or(0)
    }

    fn takes(&self, section: u16, card: CardId) -> bool {
        !self.deck.rulebook().refuses(&crate::rules::Holding {
            card,
            section,
            copies: 1,
        })
    }

    /// The cards of the game.
    pub(super) fn pool(&self) -> &Pool {
        self.deck.pool()
    }

    /// Whether there is something to save.
    pub(super) fn is_changed(&self) -> bool {
        self.saved.choices() != self.deck.choices() || !self.saved.changes_to(&self.deck).is_empty()
    }

    /// The deck is on disk as it stands.
    pub(super) fn is_saved(&mut self, message: String) {
        self.saved = self.deck.clone();
        self.message = message;
    }

    /// The deck, section by section, cards by name.
    pub(super) fn rows(&self) -> Vec<Row> {
        let held = self.deck.holdings().map(|holding| Row {
            section: holding.section,
            card: holding.card,
            copies: holding.copies,
        });
        let emptied = self.emptied.map(|(section, card)| Row {
            section,
            card,
            copies: 0,
        });
        let mut rows: Vec<Row> = held.chain(emptied).collect();
        rows.sort_by_key(|row| (row.section, row.card));
        rows
    }

    /// The card and the section that the arrows change.
    pub(super) fn chosen(&self) -> Option<(u16, CardId)> {
        match self.focus {
            Focus::Deck => self.deck_row(),
            _ => Some((self.section, *self.shown.get(self.at)?)),
        }
    }

    /// The card and the section at which the arrows stand in the deck's list.
    fn deck_row(&self) -> Option<(u16, CardId)> {
        let row = self.rows().get(self.deck_at).copied()?;
        Some((row.section, row.card))
    }

    /// Puts the arrows at a row of the deck's list. While they move in that list, the row stays
    /// even without copies: the next key must not meet another card.
    fn stand(&mut self, row: Option<(u16, CardId)>) {
        self.emptied = row.filter(|(section, card)| {
            self.focus == Focus::Deck && self.deck.copies(*section, *card) == 0
        });
        let rows = self.rows();
        let found = row.and_then(|(section, card)| {
            rows.iter()
                .position(|row| (row.section, row.card) == (section, card))
        });
        let last = rows.len().saturating_sub(1);
        self.deck_at = found.unwrap_or(self.deck_at).min(last);
    }

    /// Does what a key asks for.
    pub(super) fn press(&mut self, key: KeyEvent) -> Then {
        if key.kind == KeyEventKind::Release {
            return Then::Draw;
        }
        self.message.clear();
        let then = self.act(key);
        if self.focus != Focus::Deck {
            self.stand(self.deck_row());
        }
        then
    }

    fn act(&mut self, key: KeyEvent) -> Then {
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match (self.focus, key.code) {
            (Focus::Leaving, code) => return self.answer(code),
            (Focus::Help, _) => self.focus = Focus::Pool,
            (Focus::Naming, code) => return self.write_name(code, held),
            (_, KeyCode::Char(letter)) if held => return self.command(letter),
            (_, KeyCode::F(1)) => self.focus = Focus::Help,
            (_, KeyCode::F(key)) => self.declare(usize::from(key).saturating_sub(2)),
            (Focus::Odds, code) => self.write_hand(code),
            (_, KeyCode::Up) => self.move_by(-1),
            (_, KeyCode::Down) => self.move_by(1),
            (_, KeyCode::PageUp) => self.move_by(-(self.page as isize)),
            (_, KeyCode::PageDown) => self.move_by(self.page as isize),
            (_, KeyCode::Home) => self.move_by(isize::MIN),
            (_, KeyCode::End) => self.move_by(isize::MAX),
            (_, KeyCode::Right | KeyCode::Enter) => self.change(1),
            (_, KeyCode::Left | KeyCode::Delete) => self.change(-1),
            (_, KeyCode::Tab) => self.turn_section(1),
            (_, KeyCode::BackTab) => self.turn_section(-1),
            (_, KeyCode::Esc) => self.write_query(String::new()),
            (_, KeyCode::Backspace) => {
                let mut query = self.query.clone();
                query.pop();
                self.write_query(query);
            }
            (_, KeyCode::Char(letter)) => {
                self.focus = Focus::Pool;
                let mut query = self.query.clone();
                query.push(letter);
                self.write_query(query);
            }
            _ => {}
        }
        Then::Draw
    }

    fn command(&mut self, letter: char) -> Then {
        match letter {
            's' => return Then::Save,
            'w' => self.focus = Focus::Naming,
            'q' | 'c' if self.is_changed() => self.focus = Focus::Leaving,
            'q' | 'c' => return Then::End,
            'z' => self.undo(),
            'y' => self.redo(),
            'u' => self.write_query(String::new()),
            'g' => self.focus = Focus::Help,
            'o' => self.focus = Focus::Odds,
            't' => self.message = self.chance.tuned(&self.hand, &self.deck),
            'd' => {
                self.focus = match self.focus {
                    Focus::Deck => Focus::Pool,
                    _ => Focus::Deck,
                };
            }
            _ => {}
        }
        Then::Draw
    }

    fn answer(&mut self, code: KeyCode) -> Then {
        self.focus = Focus::Pool;
        match code {
            KeyCode::Char('y' | 'Y') => Then::SaveAndEnd,
            KeyCode::Char('n' | 'N') => Then::End,
            _ => Then::Draw,
        }
    }

    fn write_name(&mut self, code: KeyCode, held: bool) -> Then {
        match code {
            KeyCode::Esc => self.focus = Focus::Pool,
            KeyCode::Char('q' | 'c') if held => self.focus = Focus::Pool,
            KeyCode::Enter if !self.elsewhere.trim().is_empty() => {
                self.focus = Focus::Pool;
                return Then::SaveElsewhere;
            }
            KeyCode::Backspace => {
                self.elsewhere.pop();
            }
            KeyCode::Char(letter) if !held => self.elsewhere.push(letter),
            _ => {}
        }
        Then::Draw
    }

    fn move_by(&mut self, by: isize) {
        let moved =
            |at: usize, length: usize| at.saturating_add_signed(by).min(length.saturating_sub(1));
        if self.focus == Focus::Deck {
            self.deck_at = moved(self.deck_at, self.rows().len());
            self.stand(self.deck_row());
        } else {
            self.at = moved(self.at, self.shown.len());
        }
    }

    fn turn_section(&mut self, by: i32) {
        let count = i32::try_from(self.deck.sections().len())
            .unwrap_or(1)
            .max(1);
        let next = (i32::from(self.section) + by).rem_euclid(count);
        self.section = u16::try_from(next).unwrap_or(0);
    }

    /// The cards that a query picks; while it is wrong, those of the last good one stay.
    fn write_query(&mut self, query: String) {
        let pool = self.pool();
        let picked = Query::parse(&query).and_then(|query| {
            let picked = query.select(pool)?;
            let remarks = query.remarks(pool).into_iter();
            Ok((picked, remarks.map(|remark| remark.message).collect()))
        });
        self.query = query;
        match picked {
            Ok((picked, remarks)) => {
                self.show(&picked);
                (self.wrong, self.remarks) = (None, remarks);
            }
            Err(error) => (self.wrong, self.remarks) = (Some(error.to_string()), Vec::new()),
        }
    }

    fn show(&mut self, picked: &CardSet) {
        let chosen = self.shown.get(self.at).copied();
        self.shown = picked.iter().collect();
        let again = self.shown.iter().position(|card| Some(*card) == chosen);
        self.at = again.unwrap_or(0);
    }

    fn write_hand(&mut self, code: KeyCode) {
        match code {
            KeyCode::Esc | KeyCode::Enter => self.focus = Focus::Pool,
            KeyCode::Backspace => {
                self.hand.pop();
            }
            KeyCode::Char(letter) => self.hand.push(letter),
            _ => {}
        }
        self.chance.ask(&self.hand, &self.deck);
    }

    /// Puts copies of the chosen card in, or takes them out.
    fn change(&mut self, by: i64) {
        let Some((section, card)) = self.chosen() else {
            return;
        };
        let from = self.deck.copies(section, card);
        if by > 0 && !self.takes(section, card) {
            self.message = format!(
                "`{}` cannot stand in {}",
                self.deck.name(card),
                self.deck.sections()[usize::from(section)]
            );
            return;
        }
        self.set(section, card, from.saturating_add(by));
        let to = self.deck.copies(section, card);
        if from == to {
            return;
        }
        self.did(Deed::Copies(Change {
            section,
            card,
            from,
            to,
        }));
    }

    fn did(&mut self, deed: Deed) {
        self.done.push(deed);
        self.undone.clear();
    }

    /// Declares the next value of a choice of the game; after the last one, nothing.
    fn declare(&mut self, nth: usize) {
        /// Of more numbers than this none is offered.
        const MOST: usize = 100;
        let game = self.deck.rulebook().format().game();
        let Some(choice) = game.choices().get(nth) else {
            return;
        };
        let values = choice.all(MOST);
        let mut choices = self.deck.choices().clone();
        let now = choices.get(&choice.name);
        let now = now.and_then(|now| values.iter().position(|value| value == now));
        let name = choice.name.clone();
        match values.get(now.map_or(0, |now| now + 1)) {
            Some(next) => choices.insert(name, next.clone()),
            None => choices.remove(&name),
        };
        let before = self.deck.choices().clone();
        self.did(Deed::Choices(before, choices.clone()));
        self.choose(&choices);
    }

    /// Declares these choices, and tells of those that are new.
    fn choose(&mut self, choices: &Choices) {
        let before = self.deck.choices();
        let names: BTreeSet<&String> = before.keys().chain(choices.keys()).collect();
        let other = names
            .into_iter()
            .filter(|name| before.get(*name) != choices.get(*name));
        let told: Vec<String> = other
            .map(|name| match choices.get(name) {
                Some(value) => format!("{name}: {value}"),
                None => format!("{name}: not declared"),
            })
            .collect();
        self.message = told.join(", ");
        self.deck = self.deck.choosing(choices);
        self.look();
    }

    fn undo(&mut self) {
        let Some(deed) = self.done.pop() else {
            self.message = "nothing to undo".to_owned();
            return;
        };
        match &deed {
            Deed::Copies(change) => self.set(change.section, change.card, change.from),
            Deed::Choices(before, _) => self.choose(before),
        }
        self.undone.push(deed);
    }

    fn redo(&mut self) {
        let Some(deed) = self.undone.pop() else {
            self.message = "nothing to do again".to_owned();
            return;
        };
        match &deed {
            Deed::Copies(change) => self.set(change.section, change.card, change.to),
            Deed::Choices(_, after) => self.choose(after),
        }
        self.done.push(deed);
    }

    /// Judges the deck and asks for its odds again, after a change.
    fn look(&mut self) {
        self.judged = Judged::of(&self.deck);
        self.chance.ask(&self.hand, &self.deck);
    }

    /// Sets the copies of a card; in the deck's list the arrows stay with their own card.
    fn set(&mut self, section: u16, card: CardId, copies: i64) {
        let row = self.deck_row();
        self.deck.set(section, card, copies);
        self.stand(row);
        self.look();
    }
}
