//! Options and settings: what may be chosen, and what must be given.

use crate::matches::choice::{Choice, Options, Settings};
use crate::matches::error::MatchError;
use crate::matches::inputs::{Assumption, Inputs};
use crate::matches::setup::decks::{card_number, fewest_cards, seat_setting};
use crate::matches::setup::{Decks, Seats, Setup, Start, Zone};
use decklaw_text::text::{counted, listed, those};
use std::collections::BTreeMap;

impl Setup {
    /// The options that were given, and the default of every other one.
    ///
    /// # Errors
    /// As [`check_options`](Setup::check_options).
    pub fn fill_options(&self, given: &Options) -> Result<Options, MatchError> {
        let mut options = given.clone();
        for (name, choices) in &self.options {
            options.entry(name.clone()).or_insert_with(|| choices.default.clone());
        }
        self.check_options(&options)?;
        Ok(options)
    }

    /// Whether these are all the options of the game, each with a value that it may have.
    ///
    /// # Errors
    /// What is unknown, missing, out of its domain, or does not go together.
    pub fn check_options(&self, options: &Options) -> Result<(), MatchError> {
        for (name, value) in options {
            let Some(choices) = self.options.get(name) else {
                let known: Vec<&String> = self.options.keys().collect();
                return Err(MatchError::call(match known.as_slice() {
                    [] => format!("unknown option `{name}`: this format has none"),
                    known => format!("unknown option `{name}`; {}", those(known)),
                }));
            };
            if !choices.one_of.contains(value) {
                let values: Vec<String> = choices.one_of.iter().map(Choice::to_string).collect();
                let values = listed(&values, "or");
                return Err(MatchError::call(format!(
                    "the option `{name}` cannot be `{value}`; it is {values}"
                )));
            }
        }
        if let Some(missing) = self.options.keys().find(|name| !options.contains_key(*name)) {
            return Err(MatchError::call(format!("the option `{missing}` is missing")));
        }
        match self.refused.iter().find(|refused| refused.when.holds(options)) {
            Some(refused) => Err(MatchError::call(refused.why.clone())),
            None => Ok(()),
        }
    }

    /// How many seats the options and the number of decks make.
    ///
    /// # Errors
    /// A number of decks, or of seats, that the format does not play with.
    pub fn seat_count(&self, options: &Options, decks: usize) -> Result<u8, MatchError> {
        let wrong = |needed: String| {
            let verb = if decks == 1 { "was" } else { "were" };
            let message = format!("this format needs {needed}; {decks} {verb} given");
            MatchError::call(message)
                .with_help("give each deck with `--deck FILE` (on a page: paste one for each seat)")
        };
        match (&self.decks, decks) {
            (Decks::WholePool(_), 0) | (Decks::Shared, 1) | (Decks::Own, _) => (),
            (Decks::WholePool(_), _) => {
                return Err(wrong("no decks: it plays its whole card pool".into()));
            }
            (Decks::Shared, _) => return Err(wrong("one deck, shared by all".into())),
        }
        match &self.seats {
            Seats::Option(option) => match options.get(option) {
                Some(Choice::Number(number @ 1..=4)) => Ok(*number as u8),
                _ => Err(MatchError::call(format!("the option `{option}` must say how many play"))),
            },
            Seats::Between(_, most) if self.decks.are_shared() => Ok(*most),
            Seats::Between(least, most) => match u8::try_from(decks) {
                Ok(number) if (*least..=*most).contains(&number) => Ok(number),
                _ if least == most => {
                    Err(wrong(format!("{}, one for each seat", counted(i64::from(*least), "deck"))))
                }
                _ => Err(wrong(format!("{least} to {most} decks, one for each seat"))),
            },
        }
    }

    /// Whether the settings are those that this match must have, and others only where
    /// `legality` names them: the settings of the deck-building rules.
    ///
    /// # Errors
    /// A setting that is unknown, missing, or out of its domain.
    pub fn check_settings(&self, inputs: &Inputs, legality: &[String]) -> Result<(), MatchError> {
        let mut needed: BTreeMap<String, (i64, i64, &str)> = BTreeMap::new();
        for (name, setting) in &self.settings {
            let cards = setting.most_in.as_ref().map(|section| fewest_cards(inputs, section));
            let most = setting.most.or(cards).unwrap_or(i64::from(u16::MAX));
            needed.insert(name.clone(), (setting.least, most, &setting.why));
        }
        for (counter, terms) in &self.counters {
            if let Start::Card { section, field } = &terms.start {
                for seat in &inputs.seats {
                    let setting = seat_setting(seat, counter);
                    let on_card = card_number(inputs, seat, section, field).is_some();
                    if on_card && inputs.settings.contains_key(&setting) {
                        return Err(MatchError::call(format!(
                            "the setting `{setting}` is not needed: the card in {section} says it"
                        )));
                    }
                    if !on_card {
                        let why = "the card file does not give it";
                        let most = terms.most.unwrap_or(i64::from(u16::MAX));
                        needed.insert(setting, (0, most, why));
                    }
                }
            }
        }
        for (name, (least, most, why)) in &needed {
            match inputs.settings.get(name) {
                None => {
                    let message = format!("the setting `{name}` must be given: {why}");
                    let error = MatchError::call(message);
                    return Err(error.with_help(format!("set it with `--set {name}=NUMBER`")));
                }
                Some(value) if value < least || value > most => {
                    return Err(MatchError::call(format!(
                        "the setting `{name}` is {least} to {most}, not {value}"
                    )));
                }
                Some(_) => (),
            }
        }
        for name in inputs.settings.keys() {
            if !needed.contains_key(name) && !legality.contains(name) {
                let mut known: Vec<&str> = needed.keys().map(String::as_str).collect();
                known.extend(legality.iter().map(String::as_str));
                return Err(MatchError::call(match known.as_slice() {
                    [] => format!("unknown setting `{name}`: this format has none"),
                    known => format!("unknown setting `{name}`; {}", those(known)),
                }));
            }
        }
        Ok(())
    }

    /// Whether a registered field can have this value: one that a zone asks for, or a number
    /// that a counter can start at.
    pub(super) fn can_be_recorded(&self, field: &str, value: &Choice) -> bool {
        let zones = self.zones.shared.values().chain(self.zones.seat.values());
        let mut asked = zones.filter_map(|zone| zone.only.get(field)).peekable();
        if asked.peek().is_some() {
            return asked.any(|known| known == value);
        }
        match value {
            Choice::Number(number) => (0..=i64::from(u16::MAX)).contains(number),
            Choice::Flag(_) | Choice::Word(_) => !self.counts(field),
        }
    }

    /// Whether the setup looks at a registered field of the cards of a section.
    pub(in crate::matches) fn asks_for(&self, field: &str, section: &str) -> bool {
        let zones = || self.zones.shared.iter().chain(&self.zones.seat);
        let holds = |zone: &Zone| zone.holds.as_deref() == Some(section);
        let by_zone = zones().any(|(_, zone)| holds(zone) && zone.only.contains_key(field));
        let by_counter = self.counters.values().any(|counter| match &counter.start {
            Start::Card { section: of, field: by } => of == section && by == field,
            Start::At(_) | Start::Setting(_) => false,
        });
        let by_step = self.steps.iter().any(|step| {
            let looked = step.action.act().looks_at(field).into_iter();
            looked.filter_map(|name| self.zone(name)).any(holds)
        });
        by_zone || by_counter || by_step
    }

    /// Whether a counter starts at a registered field.
    fn counts(&self, field: &str) -> bool {
        self.counters
            .values()
            .any(|counter| matches!(&counter.start, Start::Card { field: by, .. } if by == field))
    }

    /// Each setting with the reason that a person had to give it.
    pub fn assumptions(&self, settings: &Settings) -> Vec<Assumption> {
        let assumption = |(setting, value): (&String, &i64)| Assumption {
            setting: setting.clone(),
            value: *value,
            why: match self.settings.get(setting) {
                Some(known) => known.why.clone(),
                None if setting.contains('.') => "the card file does not give it".to_owned(),
                None => "the rules text leaves it open; given by whoever made the match".to_owned(),
            },
        };
        settings.iter().map(assumption).collect()
    }
}
