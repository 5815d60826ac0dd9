//! From the file to a list that has been checked.

use super::file::{
    BanlistFile, ChangeEntry, GroupEntry, ListedCard, NameOr, OtherSets, RotationEntry,
};
use super::{Banlist, CellChange, Date, DatedSet, Entry, Group, ListedName, Rotation, Status};
use crate::origin::Origin;
use decklaw_text::name::{fold, tidy};
use decklaw_text::text::{Lines, Span};
use decklaw_text::yaml::{FileError, Problem, Spanned, read, text_of};
use std::collections::BTreeMap;

impl Banlist {
    /// Reads a list.
    ///
    /// # Errors
    /// Every problem with its place: not UTF-8, unknown keys, another schema, dates that are not
    /// dates or contradict each other, numbers out of range, a card listed twice, an entry without
    /// a card.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Banlist, FileError> {
        let text = text_of(file, bytes)?;
        let raw: BanlistFile =
            read(text).map_err(|problem| FileError::of(file, text, vec![problem]))?;
        let mut reader = Reader { lines: Lines::of(text), problems: Vec::new() };
        reader.head(&raw);
        let effective = reader.date(Some(&raw.effective));
        let announced = reader.date(raw.announced.as_ref());
        let ends = reader.date(raw.ends.as_ref());
        reader.in_order((effective, ends), &raw.ends, "the list ends before it is effective");
        let late = "the list is announced after it is effective";
        reader.in_order((announced, effective), &raw.announced, late);
        let entries = reader.entries(&raw);
        let groups = raw.groups.iter().map(|group| reader.group(group)).collect();
        let rotation = raw.rotation.as_ref();
        let rotation = rotation.map(|rotation| reader.rotation(rotation));
        let changes = reader.changes(&raw.changes);
        let points = raw.points.as_ref();
        if let Some(points) = points.filter(|points| points.limit.value < 0) {
            reader.refuse("the limit must be at least 0", points.limit.span);
        }
        let mut problems = reader.problems;
        match effective {
            Some(effective) if problems.is_empty() => Ok(Banlist {
                announced,
                effective,
                ends,
                day: effective,
                entries,
                points_limit: points.map(|points| points.limit.value),
                points_per: points.map(|points| points.per).unwrap_or_default(),
                groups,
                rotation,
                changes,
                sha256: decklaw_text::digest::sha256(bytes),
                origin: Origin::Call,
                file: file.to_owned(),
                text: text.to_owned(),
                id: raw.id.value,
                game: raw.game.value,
                formats: raw.formats,
                name: raw.name,
                source: raw.source,
                sample: raw.sample,
                by: raw.by,
            }),
            _ => {
                problems.sort_by_key(|problem| problem.span);
                Err(FileError::of(file, text, problems))
            }
        }
    }
}

struct Reader<'r> {
    lines: Lines<'r>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn refuse(&mut self, message: impl Into<String>, span: Span) {
        self.problems.push(Problem::new(message, span));
    }

    /// Checks the schema, the id and the formats.
    fn head(&mut self, raw: &BanlistFile) {
        if raw.schema.value != "decklaw/banlist/1" {
            self.refuse("the schema must be `decklaw/banlist/1`", raw.schema.span);
        }
        if raw.id.value.trim().is_empty() {
            self.refuse("a list needs an id", raw.id.span);
        }
        let game = raw.game.value.as_str();
        for (at, format) in raw.formats.iter().enumerate() {
            let id = format.value.as_str();
            let own = id.strip_prefix(game);
            if raw.formats[..at].iter().any(|other| other.value == id) {
                self.refuse(format!("the format `{id}` is listed twice"), format.span);
            } else if own.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('/')) {
                let message =
                    format!("`{id}` is not a format of {game}: their ids begin with `{game}`");
                self.refuse(message, format.span);
            }
        }
    }

    fn date(&mut self, written: Option<&Spanned<String>>) -> Option<Date> {
        let Spanned { value, span } = written?;
        let date = value.parse::<Date>().ok();
        let date = date.filter(|date| date.to_string() == *value);
        if date.is_none() {
            let message = match decklaw_text::spreadsheet::moment(value) {
                Some(at) => format!(
                    "`{value}` is a spreadsheet's number of days, and probably means {day}; write `{day}`",
                    day = at.date()
                ),
                None => format!("`{value}` is not a day; write 2026-03-01"),
            };
            self.refuse(message, *span);
        }
        date
    }

    /// Refuses two days if the second is before the first.
    fn in_order(
        &mut self,
        days: (Option<Date>, Option<Date>),
        blamed: &Option<Spanned<String>>,
        message: &str,
    ) {
        if let ((Some(first), Some(second)), Some(blamed)) = (days, blamed)
            && second < first
        {
            self.refuse(message, blamed.span);
        }
    }

    /// The card or query of an entry at a place.
    fn listed(&mut self, name: Option<&str>, cards: Option<&str>, span: Span) -> ListedName {
        let (name, query) = match (name, cards) {
            (Some(name), None) => (tidy(name).into_owned(), false),
            (None, Some(query)) => (query.trim().to_owned(), true),
            _ => {
                let message = "a listed card needs its `name`, or a query `cards`, and not both";
                self.refuse(message, span);
                return ListedName::default();
            }
        };
        if name.is_empty() && query {
            self.refuse("a query that picks every card says nothing of any", span);
        } else if name.is_empty() {
            self.refuse("a card needs a name", span);
        }
        ListedName { name, query, line: self.lines.place(span.start).line, span }
    }

    /// The same of an entry whose name or query has a place of its own.
    fn spanned(
        &mut self,
        name: &Option<Spanned<String>>,
        cards: &Option<Spanned<String>>,
        otherwise: Span,
    ) -> ListedName {
        let (name, cards) = (name.as_ref(), cards.as_ref());
        let span = name.or(cards).map_or(otherwise, |word| word.span);
        let text = |word: Option<&Spanned<String>>| word.map(|word| word.value.clone());
        self.listed(text(name).as_deref(), text(cards).as_deref(), span)
    }

    fn named(&mut self, item: &Spanned<ListedCard>) -> (ListedName, Vec<String>) {
        match &item.value {
            NameOr::Name(name) => (self.listed(Some(name), None, item.span), Vec::new()),
            NameOr::Entry(one) => {
                let listed = self.listed(one.name.as_deref(), one.cards.as_deref(), item.span);
                (listed, one.sections.clone())
            }
        }
    }

    /// The entries in the order of the file; doubled and contradictory ones are refused.
    fn entries(&mut self, raw: &BanlistFile) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut add = |listed, status, sections| {
            entries.push(Entry { listed, status, sections });
        };
        for item in &raw.banned {
            let (listed, sections) = self.named(item);
            add(listed, Status::Banned, sections);
        }
        for item in &raw.restricted {
            let entry = match &item.value {
                NameOr::Name(name) => {
                    let listed = self.listed(Some(name), None, item.span);
                    add(listed, Status::Restricted(1), Vec::new());
                    continue;
                }
                NameOr::Entry(entry) => entry,
            };
            let copies = &entry.copies;
            if copies.value == 0 {
                self.refuse("restricted to 0 copies is `banned`", copies.span);
            }
            let listed = self.spanned(&entry.name, &entry.cards, copies.span);
            let status = Status::Restricted(copies.value);
            add(listed, status, entry.sections.clone());
        }
        for item in raw.points.iter().flat_map(|points| &points.cards) {
            let points = &item.points;
            if !(1..=1_000_000).contains(&points.value) {
                self.refuse("points must be from 1 to 1000000", points.span);
            }
            let listed = self.spanned(&item.name, &item.cards, points.span);
            add(listed, Status::Points(points.value), Vec::new());
        }
        entries.sort_by_key(|entry| entry.span);
        let mut seen: BTreeMap<(bool, String), Vec<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            let key = (entry.query, fold(&entry.name).into_owned());
            let before = seen.entry(key).or_default();
            let mut others = before.iter().map(|other| &entries[*other]);
            if let Some(other) = others.find(|other| overlap(other, entry))
                && !entry.name.is_empty()
            {
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

    fn members(&mut self, items: &[Spanned<ListedCard>]) -> Vec<ListedName> {
        let mut members: Vec<ListedName> = Vec::new();
        for item in items {
            let (listed, sections) = self.named(item);
            if !sections.is_empty() {
                self.refuse("write `sections` next to the group's `cards`", item.span);
            }
            if !listed.name.is_empty() && members.iter().any(|known| known.is_same(&listed)) {
                let message = format!("`{}` is in this group twice", listed.name);
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
            if cards.iter().any(|card| card.is_same(other)) {
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

    /// The changes of cards; two changes of one field of a card are refused.
    fn changes(&mut self, raw: &[Spanned<ChangeEntry>]) -> Vec<CellChange> {
        let mut seen: BTreeMap<(bool, String, String), usize> = BTreeMap::new();
        let mut changes = Vec::new();
        for change in raw {
            let listed = self.spanned(&change.value.name, &change.value.cards, change.span);
            let change = CellChange::read(listed, &change.value, &mut self.problems);
            let listed = &change.listed;
            for (field, edit) in &change.fields {
                let key = (listed.query, fold(&listed.name).into_owned(), field.clone());
                if let Some(line) = seen.insert(key, listed.line) {
                    let name = &listed.name;
                    let message =
                        format!("`{field}` of `{name}` is changed on line {line} already");
                    self.refuse(message, edit.span);
                }
            }
            changes.push(change);
        }
        changes
    }

    fn rotation(&mut self, rotation: &Spanned<RotationEntry>) -> Rotation {
        let raw = &rotation.value;
        let mut sets = Vec::new();
        for set in &raw.sets {
            let (from, until) = (self.date(set.from.as_ref()), self.date(set.until.as_ref()));
            self.in_order((from, until), &set.until, "the set leaves before it comes");
            if set.name.value.trim().is_empty() {
                self.refuse("a set needs a name", set.name.span);
            }
            sets.push(DatedSet {
                name: set.name.value.clone(),
                from,
                until,
                line: self.lines.place(set.name.span.start).line,
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
            others: raw.others == OtherSets::In,
        }
    }
}

/// Whether two entries of one card limit it in the same place. A card may have points and be
/// restricted, but not have points and be banned.
pub(super) fn overlap(one: &Entry, other: &Entry) -> bool {
    let mixed = matches!(
        (one.status, other.status),
        (Status::Points(_), Status::Restricted(_)) | (Status::Restricted(_), Status::Points(_))
    );
    let everywhere = one.sections.is_empty() || other.sections.is_empty();
    let mut sections = one.sections.iter();
    !mixed && (everywhere || sections.any(|section| other.sections.contains(section)))
}
