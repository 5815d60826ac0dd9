//! From the file to a list that has been checked.

use super::file::{BanlistFile, ChangeEntry, GroupEntry, Named, Others, RotationEntry};
use super::{Banlist, CellChange, Date, DatedSet, Entry, Group, Listed, Rotation, Status};
use crate::name::fold;
use crate::origin::Origin;
use crate::text::{Span, place};
use crate::yaml::{FileError, Problem, Spanned, read, text_of};
use std::collections::BTreeMap;

impl Banlist {
    /// Reads a list.
    ///
    /// # Errors
    /// Every problem with its place: not UTF-8, unknown keys, another schema, dates that are
    /// none or contradict each other, numbers out of range, a card named twice, an entry that
    /// names nothing.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Banlist, FileError> {
        let refuse = |text: &str, problems| FileError {
            name: file.to_owned(),
            text: text.to_owned(),
            problems,
        };
        let text = text_of(file, bytes)?;
        let raw: BanlistFile = read(text).map_err(|problem| refuse(text, vec![problem]))?;
        let mut problems = Vec::new();
        if raw.schema.value != "decklaw/banlist/1" {
            problems.push(Problem::new(
                "the schema must be `decklaw/banlist/1`",
                raw.schema.span,
            ));
        }
        if raw.id.value.trim().is_empty() {
            problems.push(Problem::new("a list needs an id", raw.id.span));
        }
        let game = raw.game.value.as_str();
        for (at, format) in raw.formats.iter().enumerate() {
            let id = format.value.as_str();
            let own = id.strip_prefix(game);
            let message = if raw.formats[..at].iter().any(|other| other.value == id) {
                format!("the format `{id}` stands here twice")
            } else if own.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('/')) {
                format!("`{id}` is no format of {game}: their ids begin with `{game}`")
            } else {
                continue;
            };
            problems.push(Problem::new(message, format.span));
        }
        let effective = date(&raw.effective, &mut problems);
        let announced = given(raw.announced.as_ref(), &mut problems);
        let ends = given(raw.ends.as_ref(), &mut problems);
        if let (Some(effective), Some(ends), Some(at)) = (effective, ends, &raw.ends)
            && ends < effective
        {
            problems.push(Problem::new(
                "the list ends before it is effective",
                at.span,
            ));
        }
        if let (Some(effective), Some(announced), Some(at)) = (effective, announced, &raw.announced)
            && announced > effective
        {
            problems.push(Problem::new(
                "the list is announced after it is effective",
                at.span,
            ));
        }
        let mut reader = Reader {
            text,
            problems: &mut problems,
        };
        let entries = reader.entries(&raw);
        let groups = raw.groups.iter().map(|group| reader.group(group));
        let groups: Vec<Group> = groups.collect();
        let rotation = raw
            .rotation
            .as_ref()
            .map(|rotation| reader.rotation(rotation));
        let changes = raw.changes.iter().map(|change| reader.change(change));
        let changes: Vec<CellChange> = changes.collect();
        reader.once(&changes);
        let points_limit = raw.points.as_ref().map(|points| points.limit.value);
        if let Some(points) = raw.points.as_ref().filter(|points| points.limit.value < 0) {
            problems.push(Problem::new(
                "the limit must be at least 0",
                points.limit.span,
            ));
        }
        match effective {
            Some(effective) if problems.is_empty() => Ok(Banlist {
                id: raw.id.value,
                game: raw.game.value,
                formats: raw.formats,
                name: raw.name,
                announced,
                effective,
                ends,
                day: effective,
                source: raw.source,
                sample: raw.sample,
                by: raw.by,
                entries,
                points_limit,
                points_per: raw.points.map(|points| points.per).unwrap_or_default(),
                groups,
                rotation,
                changes,
                sha256: crate::digest::sha256(bytes),
                origin: Origin::Call,
                file: file.to_owned(),
                text: text.to_owned(),
            }),
            _ => {
                problems.sort_by_key(|problem| problem.span);
                Err(refuse(text, problems))
            }
        }
    }
}

fn date(written: &Spanned<String>, problems: &mut Vec<Problem>) -> Option<Date> {
    match written.value.parse::<Date>() {
        Ok(date) if date.to_string() == written.value => Some(date),
        _ => {
            let value = &written.value;
            let message = match crate::spreadsheet::moment(value) {
                Some(at) => format!(
                    "`{value}` is a spreadsheet's number of days, and probably means {day}; write `{day}`",
                    day = at.date()
                ),
                None => format!(
                    "`{value}` is no day; a day is written year-month-day, as in 2026-03-01"
                ),
            };
            problems.push(Problem::new(message, written.span));
            None
        }
    }
}

fn given(written: Option<&Spanned<String>>, problems: &mut Vec<Problem>) -> Option<Date> {
    date(written?, problems)
}

struct Reader<'r> {
    text: &'r str,
    problems: &'r mut Vec<Problem>,
}

impl Reader<'_> {
    fn refuse(&mut self, message: impl Into<String>, span: Span) {
        self.problems.push(Problem::new(message, span));
    }

    fn line(&self, span: Span) -> usize {
        place(self.text, span.start).line
    }

    /// What an entry is about: a name, or the query in its place. `at` is where it stands.
    fn listed(&mut self, name: Option<&str>, cards: Option<&str>, at: Span) -> Listed {
        let (name, query) = match (name, cards) {
            (Some(name), None) => (crate::name::tidy(name).into_owned(), false),
            (None, Some(query)) => (query.trim().to_owned(), true),
            _ => {
                let message = "a listed card needs its `name`, or a query `cards`, and not both";
                self.refuse(message, at);
                return Listed::default();
            }
        };
        if name.is_empty() && query {
            self.refuse("a query that picks every card says nothing of any", at);
        } else if name.is_empty() {
            self.refuse("a card needs a name", at);
        }
        Listed {
            name,
            query,
            line: 0,
            span: at,
        }
    }

    fn spanned(
        &mut self,
        name: Option<&Spanned<String>>,
        cards: Option<&Spanned<String>>,
        else_at: Span,
    ) -> Listed {
        let at = name.or(cards).map_or(else_at, |word| word.span);
        let word = |word: Option<&Spanned<String>>| word.map(|word| word.value.clone());
        self.listed(word(name).as_deref(), word(cards).as_deref(), at)
    }

    fn named(&mut self, item: &Spanned<Named>) -> Listed {
        match &item.value {
            Named::Name(name) => self.listed(Some(name), None, item.span),
            Named::Scoped(one) => self.listed(one.name.as_deref(), one.cards.as_deref(), item.span),
        }
    }

    /// The entries in the order of the file, doubled and contradictory ones refused.
    fn entries(&mut self, raw: &BanlistFile) -> Vec<Entry> {
        let entry = |listed, status, sections: &[String]| Entry {
            listed,
            status,
            sections: sections.to_vec(),
        };
        let mut entries: Vec<Entry> = Vec::new();
        for item in &raw.banned {
            let sections: &[String] = match &item.value {
                Named::Name(_) => &[],
                Named::Scoped(scoped) => &scoped.sections,
            };
            entries.push(entry(self.named(item), Status::Banned, sections));
        }
        for item in &raw.restricted {
            if item.copies.value == 0 {
                self.refuse("restricted to 0 copies is `banned`", item.copies.span);
            }
            let listed = self.spanned(item.name.as_ref(), item.cards.as_ref(), item.copies.span);
            let status = Status::Restricted(item.copies.value);
            entries.push(entry(listed, status, &item.sections));
        }
        for item in raw.points.iter().flat_map(|points| &points.cards) {
            if !(1..=1_000_000).contains(&item.points.value) {
                self.refuse("points must be from 1 to 1000000", item.points.span);
            }
            let listed = self.spanned(item.name.as_ref(), item.cards.as_ref(), item.points.span);
            entries.push(entry(listed, Status::Points(item.points.value), &[]));
        }
        entries.sort_by_key(|entry| entry.span);
        // Lines are counted once through the text, however many entries there are.
        let (mut at, mut line) = (0, 1);
        for entry in &mut entries {
            let until = entry.span.start.clamp(at, self.text.len());
            line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[at..until]).count();
            at = until;
            entry.listed.line = line;
        }
        let mut seen: BTreeMap<(bool, String), Vec<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            let key = (entry.query, fold(&entry.name).into_owned());
            let before = seen.entry(key).or_default();
            let clash = before
                .iter()
                .map(|other| &entries[*other])
                .find(|other| overlap(other, entry));
            if let Some(other) = clash.filter(|_| !entry.name.is_empty()) {
                let message = format!(
                    "`{}` is {} here and {} on line {}; keep one of them",
                    entry.name, entry.status, other.status, other.line
                );
                self.refuse(message, entry.span);
            }
            before.push(index);
        }
        entries
    }

    fn members(&mut self, items: &[Spanned<Named>]) -> Vec<Listed> {
        let mut members: Vec<Listed> = Vec::new();
        for item in items {
            if let Named::Scoped(scoped) = &item.value
                && !scoped.sections.is_empty()
            {
                self.refuse("`sections` stand beside the group's `cards`", item.span);
            }
            let mut listed = self.named(item);
            listed.line = self.line(listed.span);
            let same = |known: &Listed| {
                known.query == listed.query && fold(&known.name) == fold(&listed.name)
            };
            if members.iter().any(same) && !listed.name.is_empty() {
                let message = format!("`{}` stands in this group twice", listed.name);
                self.refuse(message, item.span);
            }
            members.push(listed);
        }
        members
    }

    fn group(&mut self, group: &Spanned<GroupEntry>) -> Group {
        let (raw, span) = (&group.value, group.span);
        let cards = self.members(&raw.cards);
        let not_with = self.members(&raw.not_with);
        if cards.is_empty() {
            self.refuse("a group needs `cards`", span);
        }
        match &raw.at_most {
            Some(most) if !not_with.is_empty() => {
                self.refuse("`not-with` leaves nothing for `at-most` to say", most.span);
            }
            Some(most) if most.value == 0 => {
                self.refuse("at most 0 of them is `banned`", most.span);
            }
            _ => {}
        }
        for other in &not_with {
            if cards
                .iter()
                .any(|card| card.query == other.query && fold(&card.name) == fold(&other.name))
            {
                let message = format!("`{}` cannot be apart from itself", other.name);
                self.refuse(message, other.span);
            }
        }
        Group {
            line: cards.first().map_or(0, |card| card.line),
            cards,
            not_with,
            at_most: raw.at_most.as_ref().map_or(1, |most| most.value),
            count: raw.count,
            called: raw.called.clone(),
            sections: raw.sections.clone(),
            span,
        }
    }

    fn change(&mut self, change: &Spanned<ChangeEntry>) -> CellChange {
        let raw = &change.value;
        let mut listed = self.spanned(raw.name.as_ref(), raw.cards.as_ref(), change.span);
        listed.line = self.line(listed.span);
        CellChange::read(listed, raw, self.problems)
    }

    /// Refuses two changes of one field of a card.
    fn once(&mut self, changes: &[CellChange]) {
        let mut seen: BTreeMap<(bool, String, &str), usize> = BTreeMap::new();
        for change in changes {
            let listed = &change.listed;
            for (field, edit) in &change.fields {
                let key = (listed.query, fold(&listed.name).into_owned(), &**field);
                if let Some(line) = seen.insert(key, listed.line) {
                    let message = format!(
                        "`{field}` of `{}` is changed on line {line} already",
                        listed.name
                    );
                    self.refuse(message, edit.span);
                }
            }
        }
    }

    fn rotation(&mut self, rotation: &Spanned<RotationEntry>) -> Rotation {
        let raw = &rotation.value;
        let mut sets = Vec::new();
        for set in &raw.sets {
            let from = given(set.from.as_ref(), self.problems);
            let until = given(set.until.as_ref(), self.problems);
            if let (Some(from), Some(until), Some(at)) = (from, until, &set.until)
                && until < from
            {
                self.refuse("the set leaves before it comes", at.span);
            }
            if set.name.value.trim().is_empty() {
                self.refuse("a set needs a name", set.name.span);
            }
            sets.push(DatedSet {
                name: set.name.value.clone(),
                from,
                until,
                line: self.line(set.name.span),
                span: set.name.span,
            });
        }
        if sets.is_empty() {
            self.refuse("a rotation needs `sets`", rotation.span);
        }
        Rotation {
            field: raw.field.clone(),
            by: raw.by.clone(),
            sets,
            others: raw.others == Others::In,
        }
    }
}

/// Whether two entries of one card say something of the same place. Points beside a
/// restriction are no contradiction; points beside a ban are.
fn overlap(one: &Entry, other: &Entry) -> bool {
    let mixed = matches!(
        (one.status, other.status),
        (Status::Points(_), Status::Restricted(_)) | (Status::Restricted(_), Status::Points(_))
    );
    !mixed
        && (one.sections.is_empty()
            || other.sections.is_empty()
            || one
                .sections
                .iter()
                .any(|section| other.sections.contains(section)))
}
