//! What the names in a step mean: zones by their places, options and settings by their values.

use crate::matches::choice::{Choice, Options, Settings};
use crate::matches::table::ZoneAt;
use std::cell::RefCell;

/// The names that a step may use, and what they mean. A name that means nothing is noted, so
/// that a step is never compiled to something that it does not say.
#[derive(Debug)]
pub struct Names<'a> {
    shared: Vec<&'a str>,
    seat: Vec<&'a str>,
    options: Vec<(&'a str, Option<&'a Choice>)>,
    settings: Vec<(&'a str, Option<i64>)>,
    missing: RefCell<Vec<String>>,
}

impl<'a> Names<'a> {
    /// The names of a setup as such: options and settings have no values.
    pub fn of_any(
        shared: Vec<&'a str>,
        seat: Vec<&'a str>,
        options: impl Iterator<Item = &'a String>,
        settings: impl Iterator<Item = &'a String>,
    ) -> Names<'a> {
        Names {
            shared,
            seat,
            options: options.map(|name| (name.as_str(), None)).collect(),
            settings: settings.map(|name| (name.as_str(), None)).collect(),
            missing: RefCell::default(),
        }
    }

    /// The names of one match: its zones, its options and the settings that were given.
    pub fn of_match(
        shared: Vec<&'a str>,
        seat: Vec<&'a str>,
        options: &'a Options,
        settings: &'a Settings,
    ) -> Names<'a> {
        let options = options.iter();
        let settings = settings.iter();
        Names {
            shared,
            seat,
            options: options
                .map(|(name, value)| (name.as_str(), Some(value)))
                .collect(),
            settings: settings
                .map(|(name, value)| (name.as_str(), Some(*value)))
                .collect(),
            missing: RefCell::default(),
        }
    }

    /// The zone of a name: each seat's own, or the one in the middle.
    pub fn zone(&self, name: &str) -> ZoneAt {
        let at = |zones: &[&str]| zones.iter().position(|zone| *zone == name);
        match (at(&self.seat), at(&self.shared)) {
            (Some(index), _) => ZoneAt::Seat(index),
            (None, Some(index)) => ZoneAt::Shared(index),
            (None, None) => {
                self.miss(format!(
                    "a step names the zone `{name}`, which is not there"
                ));
                ZoneAt::Shared(usize::MAX)
            }
        }
    }

    /// Whether an option is on.
    pub fn on(&self, option: Option<&String>) -> bool {
        let Some(name) = option else {
            return false;
        };
        match self.options.iter().find(|(known, _)| known == name) {
            Some((_, value)) => *value == Some(&Choice::Flag(true)),
            None => {
                self.miss(format!(
                    "a step names the option `{name}`, which is not there"
                ));
                false
            }
        }
    }

    /// The value of a setting; 0 in a setup as such.
    pub fn setting(&self, name: &str) -> i64 {
        match self.settings.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => value.unwrap_or_default(),
            None => {
                self.miss(format!(
                    "a step names the setting `{name}`, which is not there"
                ));
                0
            }
        }
    }

    /// Notes what a step says that cannot be.
    pub fn miss(&self, what: String) {
        self.missing.borrow_mut().push(what);
    }

    /// What was noted so far, a sentence each.
    pub fn missing(&self) -> Vec<String> {
        self.missing.take()
    }
}
