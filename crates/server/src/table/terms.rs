//! What is played at a table: what a form asks of it, and what was answered.

use super::Seated;
use crate::guard::Fields;
use crate::trouble::Trouble;
use decklaw_play::matches::setup::{Decks, Seats, Setup};
use decklaw_play::matches::{Choice, NewMatch};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// What is played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MatchTerms {
    pub(crate) format: String,
    options: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    /// Whether somebody tries a deck alone.
    pub(super) alone: bool,
}

impl MatchTerms {
    /// What a form says.
    pub(super) fn of(format: &str, fields: &Fields) -> MatchTerms {
        let pairs = |start: &'static str| -> Vec<(String, String)> {
            let all = fields.beginning(start);
            all.map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect()
        };
        MatchTerms {
            format: format.to_owned(),
            options: pairs("option-"),
            settings: pairs("set-"),
            alone: fields.text("do") == "alone",
        }
    }

    /// What is played by these terms: where somebody is alone, the setup for one.
    pub(crate) fn rules(&self, (book, rules): Seated) -> Seated {
        match self.alone {
            true => super::rules::alone((book, rules)),
            false => (book, rules),
        }
    }

    /// Whether somebody tries a deck alone, so that it need not be legal yet.
    pub(crate) fn alone(&self) -> bool {
        self.alone
    }

    /// A match by these terms, without its players and decks.
    ///
    /// # Errors
    /// A setting that is no number.
    pub(super) fn wanted(&self) -> Result<NewMatch, Trouble> {
        let mut wanted = NewMatch::default();
        for (name, value) in &self.options {
            let choice = Choice::parse(value.trim());
            wanted.options.insert(name.clone(), choice);
        }
        for (name, value) in &self.settings {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let number = value.parse().map_err(|_| {
                Trouble::wrong(format!(
                    "`{name}` is a whole number, and `{value}` is none."
                ))
            })?;
            wanted.settings.insert(name.clone(), number);
        }
        Ok(wanted)
    }

    /// How many sit at the table: as many as the options say, or else as somebody chose.
    ///
    /// # Errors
    /// A number that the format does not play with; options that it does not have.
    pub(crate) fn seats(&self, setup: &Setup, chosen: usize) -> Result<usize, Trouble> {
        let refuse = |error: decklaw_play::matches::MatchError| Trouble::from(&error);
        let options = self.wanted()?.options;
        let options = setup.fill_options(&options).map_err(refuse)?;
        let decks = match &setup.decks {
            Decks::Own => chosen,
            Decks::Shared => 1,
            Decks::WholePool(_) => 0,
        };
        let seats = setup.seat_count(&options, decks).map_err(refuse)?;
        Ok(usize::from(seats))
    }
}

/// How many seats a form of a format can fill.
pub(super) fn most_seats(setup: &Setup) -> usize {
    match &setup.seats {
        Seats::Between(_, most) => usize::from(*most),
        Seats::Option(option) => {
            let values = setup.options.get(option).map(|choices| &choices.one_of);
            let numbers = values
                .into_iter()
                .flatten()
                .filter_map(|value| match value {
                    Choice::Number(number) => usize::try_from(*number).ok(),
                    Choice::Flag(_) | Choice::Word(_) => None,
                });
            numbers.max().unwrap_or(2)
        }
    }
}

/// What a form asks of a match, each with what was answered before; one option is left as it is.
pub(super) fn asked(setup: &Setup, but: Option<&str>, answered: &Fields) -> Markup {
    let options = setup.options.iter();
    let options: Vec<_> = options
        .filter(|(name, _)| Some(name.as_str()) != but)
        .collect();
    let shown = |name: &str| name.replace('_', " ");
    html! {
        @if !setup.settings.is_empty() {
            fieldset {
                legend { "What the rules leave open" }
                @for (name, setting) in &setup.settings {
                    label for={ "set-" (name) } { (shown(name)) span.quiet { " " (setting.why) } }
                    input id={ "set-" (name) } name={ "set-" (name) } inputmode="numeric" value=(answered.text(&format!("set-{name}")));
                }
            }
        }
        @if !options.is_empty() {
            fieldset {
                legend { "Options" }
                @for (name, choices) in &options {
                    @let chosen = answered.get(&format!("option-{name}"));
                    label for={ "option-" (name) } { (shown(name)) }
                    select id={ "option-" (name) } name={ "option-" (name) } {
                        @for choice in &choices.one_of {
                            option value=(choice) selected[chosen.map_or(*choice == choices.default, |chosen| chosen == choice.to_string())] { (choice) }
                        }
                    }
                }
            }
        }
    }
}
