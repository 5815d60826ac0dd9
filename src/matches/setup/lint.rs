//! Whether a setup can work at all: every name in it means something.

use crate::matches::setup::{Decks, Seats, Seen, Setup, Start, When};

impl Setup {
    /// Everything in the setup that names what is not there, a sentence each.
    ///
    /// ```
    /// let setup: decklaw::matches::Setup = serde_yaml::from_str(
    ///     "{seats: {between: [2, 2]}, decks: own, sections: [], zones: {}, steps: [{do: {shuffle: {pile: deck}}}]}",
    /// ).unwrap();
    /// assert_eq!(setup.problems(), ["a step names the zone `deck`, which is not there"]);
    /// ```
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        self.check_numbers(&mut problems);
        let zones = self.zones.shared.iter().map(|zone| ("shared", zone));
        let zones: Vec<_> = zones
            .chain(self.zones.seat.iter().map(|zone| ("seat", zone)))
            .collect();
        for (side, (name, zone)) in &zones {
            self.check_when(&zone.when, &mut problems);
            if let Some(section) = zone.holds.as_ref().filter(|id| !self.sections.contains(id)) {
                problems.push(format!(
                    "the zone `{name}` holds `{section}`, which is no section"
                ));
            }
            for field in zone
                .only
                .keys()
                .filter(|field| !self.records.contains_key(*field))
            {
                problems.push(format!(
                    "the zone `{name}` asks for `{field}`, which is not recorded"
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
            if zone.play.grid.is_some() && matches!(zone.seen, Seen::ByNobody | Seen::ByOwner) {
                problems.push(format!(
                    "the zone `{name}` has squares, but its cards do not lie on the table"
                ));
            }
            if zone.holds.is_some() && self.decks.are_shared() != (*side == "shared") {
                problems.push(format!(
                    "the zone `{name}` holds a section, but decks lie elsewhere"
                ));
            }
        }
        for section in &self.sections {
            if !zones
                .iter()
                .any(|(_, (_, zone))| zone.holds.as_ref() == Some(section))
            {
                problems.push(format!("no zone holds the section `{section}`"));
            }
        }
        let steps = self.steps.iter().chain(self.formerly.iter().flatten());
        for (step, (_, missing)) in steps.zip(self.compile_all()) {
            self.check_when(&step.when, &mut problems);
            problems.extend(missing);
        }
        problems
    }

    fn check_numbers(&self, problems: &mut Vec<String>) {
        match &self.seats {
            Seats::Between(least, most) if (1..=*most).contains(least) && *most <= 4 => (),
            Seats::Between(..) => problems.push("seats must be between 1 and 4".to_owned()),
            Seats::Option(option) if self.options.contains_key(option) => (),
            Seats::Option(option) => problems.push(format!(
                "seats name the option `{option}`, which is not there"
            )),
        }
        if matches!(&self.decks, Decks::WholePool(name) if name.is_empty()) {
            problems.push("the whole pool needs a name".to_owned());
        }
        for (name, option) in &self.options {
            if !option.one_of.contains(&option.default) {
                problems.push(format!("the default of `{name}` is none of its values"));
            }
        }
        for refused in &self.refused {
            self.check_when(&refused.when, problems);
        }
        for (name, counter) in &self.counters {
            self.check_when(&counter.when, problems);
            match &counter.start {
                Start::At(_) => (),
                Start::Setting(setting) if self.settings.contains_key(setting) => (),
                Start::Card { section, field }
                    if self.sections.contains(section) && self.records.contains_key(field) => {}
                Start::Setting(_) | Start::Card { .. } => {
                    problems.push(format!(
                        "the counter `{name}` starts at something that is not there"
                    ));
                }
            }
        }
    }

    fn check_when(&self, when: &When, problems: &mut Vec<String>) {
        for (option, values) in when.conditions() {
            match self.options.get(option) {
                None => problems.push(format!(
                    "a condition names the option `{option}`, which is not there"
                )),
                Some(choices) => {
                    for value in values
                        .iter()
                        .filter(|value| !choices.one_of.contains(value))
                    {
                        problems.push(format!(
                            "a condition asks whether `{option}` is `{value}`, which it cannot be"
                        ));
                    }
                }
            }
        }
    }
}
