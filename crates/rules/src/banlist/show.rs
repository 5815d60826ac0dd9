//! A list for people and for programs.

use super::{Banlist, CellEdit, Count, Entry, Group, ListedName, Per};
use decklaw_text::text::{counted, escape_control, listed};
use serde_json::{Value, json};

fn legal(is_legal: bool) -> &'static str {
    if is_legal { "legal" } else { "not legal" }
}

fn named(one: &ListedName) -> Value {
    let key = if one.query { "cards" } else { "name" };
    json!({key: one.name, "line": one.line})
}

impl Banlist {
    /// The ids of its formats; none: all of its game.
    pub fn format_ids(&self) -> Vec<&str> {
        self.formats.iter().map(|id| id.value.as_str()).collect()
    }

    /// The list as a text for people.
    pub fn text_for_people(&self) -> String {
        let mut out = format!("{} — {} ({})\n", self.id, self.name, self.scope());
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        if let Some(day) = self.announced {
            line(format!("Announced {day}"));
        }
        let until = self.ends.map(|day| format!(" until {day}"));
        line(format!("Effective from {}{}", self.effective, until.unwrap_or_default()));
        if let Some(source) = &self.source {
            line(format!("Published at {source}"));
        }
        if self.sample {
            line("A sample: it applies only when it is named.".to_owned());
        }
        if let Some(limit) = self.points_limit {
            let each = match self.points_per {
                Per::Copy => "",
                Per::Card => ", each card once",
            };
            line(format!("At most {}{each}", counted(limit, "point")));
        }
        if let Some(by) = &self.by {
            line(format!("Cards of one {} are one card.", by.value));
        }
        for entry in &self.entries {
            let scope = match entry.sections.as_slice() {
                [] => String::new(),
                sections => format!(" in {}", sections.join(", ")),
            };
            line(format!("  {}: {}{scope}", entry.shown(), entry.status));
        }
        for group in &self.groups {
            line(format!("  {}", group.words()));
        }
        for change in &self.changes {
            line(format!("  {}: {}", change.listed.shown(), change.words()));
        }
        if let Some(rotation) = &self.rotation {
            let field = &rotation.field.value;
            let by = rotation.by.as_ref();
            let by = by.map_or_else(String::new, |by| format!(", all of one {} alike", by.value));
            line(format!("By {field}{by}, as of {}", self.day));
            for set in &rotation.sets {
                let days = match set.days().as_str() {
                    "" => String::new(),
                    days => format!(" ({days})"),
                };
                line(format!("  {}: {}{days}", set.name, legal(set.covers(self.day))));
            }
            line(format!("  every other {field}: {}", legal(rotation.others)));
        }
        escape_control(&out, true).into_owned()
    }

    /// The list as JSON, `decklaw/banlist-show/1`.
    pub fn to_json(&self) -> Value {
        let entry = |entry: &Entry| {
            let mut of = json!({"name": entry.name, "status": entry.status.to_string(),
                "sections": entry.sections, "line": entry.line});
            if entry.query {
                of["query"] = json!(true);
            }
            of
        };
        let entries: Vec<Value> = self.entries.iter().map(entry).collect();
        let mut shown = json!({"schema": "decklaw/banlist-show/1", "id": self.id,
            "game": self.game, "formats": self.format_ids(), "name": self.name,
            "effective": self.effective.to_string(), "points_limit": self.points_limit,
            "entries": entries});
        if let Some(by) = &self.by {
            shown["by"] = json!(by.value);
        }
        if !self.groups.is_empty() {
            let group = |group: &Group| {
                let names = |all: &[ListedName]| all.iter().map(named).collect::<Vec<_>>();
                json!({"cards": names(&group.cards), "not_with": names(&group.not_with),
                    "at_most": group.not_with.is_empty().then_some(group.at_most),
                    "count": if group.count == Count::Cards { "cards" } else { "copies" },
                    "called": group.called, "sections": group.sections, "line": group.line})
            };
            shown["groups"] = self.groups.iter().map(group).collect();
        }
        let changes = self.changes.iter().map(|change| {
            let fields = change.fields.iter().map(|(field, edit)| match &edit.value {
                CellEdit::Set(text) => json!({"field": field, "set": text}),
                CellEdit::Add(number) => json!({"field": field, "add": number}),
            });
            let mut of = named(&change.listed);
            of["fields"] = fields.collect();
            of
        });
        if !self.changes.is_empty() {
            shown["changes"] = changes.collect();
        }
        if let Some(rotation) = &self.rotation {
            let day = |day: Option<super::Date>| day.map(|day| day.to_string());
            let sets = rotation.sets.iter().map(|set| {
                json!({"name": set.name, "from": day(set.from), "until": day(set.until),
                    "legal": set.covers(self.day), "line": set.line})
            });
            shown["rotation"] = json!({"field": rotation.field.value,
                "as_of": self.day.to_string(), "sets": sets.collect::<Vec<_>>(),
                "others": rotation.others});
            if let Some(by) = &rotation.by {
                shown["rotation"]["by"] = json!(by.value);
            }
        }
        shown
    }

    /// How much the list says: `3 cards, 1 query and 2 sets`.
    pub fn size_in_words(&self) -> String {
        let queries = self.listed().filter(|one| one.query).count();
        let sets = self.rotation.as_ref().map_or(0, |all| all.sets.len());
        let mut counts = vec![(self.listed().count() - queries, "card")];
        let more = [(queries, "query"), (self.groups.len(), "group"), (sets, "set")];
        counts.extend(more.into_iter().filter(|(number, _)| *number > 0));
        let counts = counts.into_iter();
        let counts = counts.map(|(number, noun)| counted(number as i64, noun));
        listed(&counts.collect::<Vec<_>>(), "and")
    }
}
