//! Whether a setup can work at all: every name in it means something.

use crate::matches::setup::{Decks, Seats, Setup, Start, Visibility, When, Zone};

/// Something in a setup that cannot be, a sentence, and the keys that lead to it.
#[derive(Debug)]
pub(super) struct SetupProblem {
    pub(super) at: Vec<String>,
    pub(super) message: String,
}

/// What was found, and where one looks now.
#[derive(Default)]
struct Linter {
    at: Vec<String>,
    all: Vec<SetupProblem>,
}

impl Linter {
    fn under(&mut self, keys: &[&str]) -> &mut Linter {
        self.at = keys.iter().map(|key| (*key).to_owned()).collect();
        self
    }

    fn push(&mut self, message: String) {
        let at = self.at.clone();
        self.all.push(SetupProblem { at, message });
    }
}

impl Setup {
    /// Everything in the setup that names what is not there, a sentence each.
    ///
    /// ```
    /// let setup: decklaw_play::matches::Setup = serde_yaml::from_str(
    ///     "{seats: {between: [2, 2]}, decks: own, sections: [], zones: {}, steps: [{do: {shuffle: {pile: deck}}}]}",
    /// ).unwrap();
    /// assert_eq!(setup.problems(), ["a step names the zone `deck`, which is not there"]);
    /// ```
    pub fn problems(&self) -> Vec<String> {
        let found = self.located_problems().into_iter();
        found.map(|misfit| misfit.message).collect()
    }

    /// The same with their places.
    pub(super) fn located_problems(&self) -> Vec<SetupProblem> {
        let mut problems = Linter::default();
        self.check_numbers(&mut problems);
        let zones = self.zones.shared.iter().map(|zone| ("shared", zone));
        let zones: Vec<_> =
            zones.chain(self.zones.seat.iter().map(|zone| ("seat", zone))).collect();
        for (side, (name, zone)) in &zones {
            let own = ["zones", side, name];
            self.check_when(&zone.when, problems.under(&[own.as_slice(), &["when"]].concat()));
            problems.under(&own);
            if let Some(section) = zone.holds.as_ref().filter(|id| !self.sections.contains(id)) {
                problems
                    .push(format!("the zone `{name}` holds `{section}`, which is not a section"));
            }
            for field in zone.only.keys().filter(|field| !self.records.contains_key(*field)) {
                problems.push(format!(
                    "the zone `{name}` asks for the field `{field}`, which is not among the `records`"
                ));
            }
            if let Some(grid) = &zone.play.grid
                && !((1..=12).contains(&grid.rows) && (1..=12).contains(&grid.columns))
            {
                problems.push(format!(
                    "the zone `{name}` has a grid of {} by {}: 1 to 12 rows and columns can be",
                    grid.rows, grid.columns
                ));
            }
            if zone.play.grid.is_some()
                && matches!(zone.seen, Visibility::ByNobody | Visibility::ByOwner)
            {
                problems.push(format!(
                    "the zone `{name}` has squares, but its cards do not lie on the table"
                ));
            }
            if zone.holds.is_some() && self.decks.are_shared() != (*side == "shared") {
                problems
                    .push(format!("the zone `{name}` holds a section, but decks lie elsewhere"));
            }
        }
        for (at, (side, (name, zone))) in zones.iter().enumerate() {
            let is_first = |(of, (_, first)): &&(&str, (&String, &Zone))| {
                of == side && first.holds.is_some() && first.takes_all_of(zone)
            };
            if let Some((_, (first, _))) = zones[..at].iter().find(is_first) {
                problems.under(&["zones", side, name]).push(format!(
                    "its cards all lie in the zone `{first}`, which holds the same section, and none in `{name}`"
                ));
            }
        }
        problems.under(&["sections"]);
        for section in &self.sections {
            if !zones.iter().any(|(_, (_, zone))| zone.holds.as_ref() == Some(section)) {
                problems.push(format!("no zone holds the section `{section}`"));
            }
        }
        for (at, step) in self.steps.iter().enumerate() {
            problems.under(&["steps", &at.to_string()]);
            self.check_when(&step.when, &mut problems);
            let names = step.action.act().names();
            let zones = names.zones.iter().filter(|name| self.zone(name).is_none());
            let zones = zones.map(|name| ("zone", *name));
            let options = names.options.iter();
            let options = options.filter(|name| !self.options.contains_key(**name));
            let options = options.map(|name| ("option", *name));
            let settings = names.settings.iter();
            let settings = settings.filter(|name| !self.settings.contains_key(**name));
            let settings = settings.map(|name| ("setting", *name));
            let sections = names.sections.iter().filter(|name| !self.sections.contains(name));
            let sections = sections.map(|name| ("section", *name));
            let records = names.records.iter();
            let records = records.filter(|name| !self.records.contains_key(**name));
            let records = records.map(|name| ("record", *name));
            let all = zones.chain(options).chain(settings).chain(sections).chain(records);
            for (what, name) in all {
                problems.push(format!("a step names the {what} `{name}`, which is not there"));
            }
            step.action
                .act()
                .faults(&self.steps[..at])
                .into_iter()
                .for_each(|fault| problems.push(fault));
        }
        problems.all
    }

    fn check_numbers(&self, problems: &mut Linter) {
        problems.under(&["seats"]);
        match &self.seats {
            Seats::Between(least, most) if (1..=*most).contains(least) && *most <= 4 => (),
            Seats::Between(..) => {
                problems
                    .push("1 to 4 seats can be at a table, the smaller number first".to_owned());
            }
            Seats::Option(option) if self.options.contains_key(option) => (),
            Seats::Option(option) => {
                problems.push(format!("seats name the option `{option}`, which is not there"))
            }
        }
        problems.under(&["decks"]);
        if matches!(&self.decks, Decks::WholePool(name) if name.is_empty()) {
            problems.push("the whole pool needs a name".to_owned());
        }
        for (name, option) in &self.options {
            problems.under(&["options", name, "default"]);
            if !option.one_of.contains(&option.default) {
                problems.push(format!("the default of `{name}` is not one of its values"));
            }
        }
        for (at, refused) in self.refused.iter().enumerate() {
            problems.under(&["refused", &at.to_string()]);
            self.check_when(&refused.when, problems);
        }
        for (name, setting) in &self.settings {
            problems.under(&["settings", name]);
            if let Some(most) = setting.most.filter(|most| *most < setting.least) {
                let least = setting.least;
                problems.push(format!("no number for `{name}` is from {least} to {most}"));
            }
            if let Some(section) = setting.most_in.as_ref().filter(|id| !self.sections.contains(id))
            {
                problems.push(format!(
                    "the setting `{name}` is at most the cards in `{section}`, which is not a section"
                ));
            }
        }
        for (name, counter) in &self.counters {
            if let (Start::At(at), Some(most)) = (&counter.start, counter.most)
                && *at > most
            {
                problems.under(&["counters", name, "most"]);
                problems.push(format!("a counter that starts at {at} cannot have at most {most}"));
            }
            self.check_when(&counter.when, problems.under(&["counters", name, "when"]));
            problems.under(&["counters", name, "start"]);
            match &counter.start {
                Start::At(_) => (),
                Start::Setting(setting) if self.settings.contains_key(setting) => (),
                Start::Card { section, field }
                    if self.sections.contains(section) && self.records.contains_key(field) => {}
                Start::Setting(setting) => problems.push(format!(
                    "the counter `{name}` starts at the setting `{setting}`, which is not there"
                )),
                Start::Card { section, .. } if !self.sections.contains(section) => {
                    problems.push(format!(
                        "the counter `{name}` starts at a card of `{section}`, which is not a section"
                    ));
                }
                Start::Card { field, .. } => problems.push(format!(
                    "the counter `{name}` starts at the field `{field}`, which is not among the `records`"
                )),
            }
        }
    }

    fn check_when(&self, when: &When, problems: &mut Linter) {
        for (option, values) in when.conditions() {
            match self.options.get(option) {
                None => problems
                    .push(format!("a condition names the option `{option}`, which is not there")),
                Some(choices) => {
                    for value in values.iter().filter(|value| !choices.one_of.contains(value)) {
                        problems.push(format!(
                            "a condition asks whether `{option}` is `{value}`, which it cannot be"
                        ));
                    }
                }
            }
        }
    }
}
