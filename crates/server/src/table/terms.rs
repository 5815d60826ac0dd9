//! The terms of a match: what its form asks, and the answers.

use super::PlayedRules;
use crate::error::HttpError;
use crate::guard::Fields;
use decklaw_play::look::titled;
use decklaw_play::matches::setup::{Decks, Seats, Setting, Setup};
use decklaw_play::matches::{Choice, NewMatch};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// What is played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct MatchTerms {
    pub(super) format: String,
    options: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    /// Whether one player tries a deck alone.
    pub(super) alone: bool,
}

impl MatchTerms {
    /// What a form says.
    pub(super) fn of(format: &str, fields: &Fields) -> MatchTerms {
        let pairs = |start: &'static str| -> Vec<(String, String)> {
            let all = fields.beginning(start);
            all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        MatchTerms {
            format: format.to_owned(),
            options: pairs("option-"),
            settings: pairs("set-"),
            alone: fields.text("do") == "alone",
        }
    }

    /// What is played by these terms: for one player, the setup for one.
    pub(super) fn rules(&self, (book, rules): PlayedRules) -> PlayedRules {
        if self.alone { alone((book, rules)) } else { (book, rules) }
    }

    /// Whether one player tries a deck alone, so that it need not be legal yet.
    pub(super) fn alone(&self) -> bool {
        self.alone
    }

    /// A match by these terms, without its players and decks.
    ///
    /// # Errors
    /// A setting that is no number.
    pub(super) fn new_match(&self) -> Result<NewMatch, HttpError> {
        let mut new = NewMatch::default();
        for (name, value) in &self.options {
            let choice = Choice::parse(value.trim());
            new.options.insert(name.clone(), choice);
        }
        for (name, value) in &self.settings {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let number = value.parse().map_err(|_| {
                HttpError::wrong(format!("`{name}` must be a whole number, not `{value}`."))
            })?;
            new.settings.insert(name.clone(), number);
        }
        Ok(new)
    }

    /// How many sit at the table: as many as the options say, or else as chosen.
    ///
    /// # Errors
    /// A number that the format does not play with; options that it does not have.
    pub(super) fn seats(&self, setup: &Setup, chosen: usize) -> Result<usize, HttpError> {
        let options = setup.fill_options(&self.new_match()?.options)?;
        let decks = match &setup.decks {
            Decks::Own => chosen,
            Decks::Shared => 1,
            Decks::WholePool(_) => 0,
        };
        Ok(usize::from(setup.seat_count(&options, decks)?))
    }
}

/// What is played by one player alone.
pub(super) fn alone((book, mut rules): PlayedRules) -> PlayedRules {
    rules.setup = rules.setup.alone();
    (book, rules)
}

/// How many seats a form of a format can fill.
pub(super) fn most_seats(setup: &Setup) -> usize {
    match &setup.seats {
        Seats::Between(_, most) => usize::from(*most),
        Seats::Option(option) => {
            let values = setup.options.get(option).map(|choices| &choices.one_of);
            let numbers = values.into_iter().flatten().filter_map(|value| match value {
                Choice::Number(number) => usize::try_from(*number).ok(),
                Choice::Flag(_) | Choice::Word(_) => None,
            });
            numbers.max().unwrap_or(2)
        }
    }
}

/// Fields for what the rules leave open and for options, each with what was answered before. One
/// option is left as it is.
pub(super) fn asked(setup: &Setup, but: Option<&str>, answered: &Fields) -> Markup {
    let options = setup.options.iter();
    let mut options: Vec<_> = options.filter(|(name, _)| Some(name.as_str()) != but).collect();
    // How many play comes first.
    options
        .sort_by_key(|(name, _)| !matches!(&setup.seats, Seats::Option(seats) if seats == *name));
    html! {
        @if !setup.settings.is_empty() {
            fieldset {
                legend { "Numbers that the rules do not give" }
                @for (name, setting) in &setup.settings {
                    @let id = format!("set-{name}");
                    div.field {
                        label for=(id) { (titled(name)) " " span.quiet { (range_of(setting)) } }
                        input.input id=(id) name=(id) type="number" inputmode="numeric" required min=(setting.least) max=[setting.most] value=(answered.text(&id));
                        p.quiet { (capital(&setting.why)) "." }
                    }
                }
            }
        }
        @if !options.is_empty() {
            fieldset.options {
                legend { "Options" }
                @for (name, choices) in &options {
                    @let id = format!("option-{name}");
                    @let chosen = answered.get(&id);
                    @let is_chosen = |choice: &Choice| chosen.map_or(*choice == choices.default, |chosen| chosen == choice.to_string());
                    div.field {
                        label for=(id) { (titled(name)) }
                        select.select id=(id) name=(id) {
                            @for choice in &choices.one_of {
                                option value=(choice) selected[is_chosen(choice)] { (word_of(choice)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The values of a setting, in words.
fn range_of(setting: &Setting) -> String {
    match (setting.most, &setting.most_in) {
        (Some(most), _) => format!("{} to {most}", setting.least),
        (None, Some(_)) => format!("{} to the number of cards in a deck", setting.least),
        (None, None) => format!("at least {}", setting.least),
    }
}

fn word_of(choice: &Choice) -> String {
    match choice {
        Choice::Flag(true) => "Yes".to_owned(),
        Choice::Flag(false) => "No".to_owned(),
        Choice::Number(number) => number.to_string(),
        Choice::Word(word) => titled(word),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.as_str().chars()).collect()
}
