//! Cards of a list: their counts, the marks around their names, and where they go.

use super::*;

impl<'a> Reader<'a, '_> {
    /// Reads a line that begins with a digit and is no card line of decklaw's.
    #[cold]
    pub(super) fn odd_digits(&mut self, line: &'a str, text: &'a str, wrong: Wrong) {
        // A format may have a section such as `1st pile`.
        if let Some((word, total, foreign)) = self.section_heading(text) {
            return self.heading(line, word, total, foreign);
        }
        let trailing = Given::trailing(text);
        let own_digits = trailing.is_some_and(|given| self.known(given.name));
        if let Some(card) = marks::numbered(text).filter(|_| !own_digits) {
            if line::is_card(card) {
                return self.counted(line, card, true);
            }
            if let Some(given) = Given::trailing(card) {
                return self.marked_card(line, given, None, true);
            }
            if self.known(card) && !self.known(text) {
                let digits = text.split(['.', ')']).next().unwrap_or_default();
                let message = format!("{} has a mark behind its count.", quoted(text));
                let one = line::example("1", card);
                let help = match line::example(digits, card) {
                    count if count == one => format!("Write {one}."),
                    count => format!("Write {count}, or {one} if {digits} numbers the line."),
                };
                return self.wrong(line, Wrong::new(message, help));
            }
        }
        // A name may begin with a digit: `7th Bell x3`.
        if let Some(given) = trailing {
            return self.trailing(line, text, given);
        }
        if let Some((digits, name)) = text.split_once(' ')
            && let Some(whole) = digits.strip_suffix(".0").or(digits.strip_suffix(",0"))
            && let Ok(count) = line::count(whole)
        {
            let given = Given {
                count,
                digits,
                name: name.trim_start(),
            };
            return self.marked_card(line, given, None, true);
        }
        if self.known(text) {
            return self.no_count(line, text);
        }
        self.wrong(line, wrong);
    }

    /// Reads a card that is on one line with its section: `SB: 2 Name`, `Side: 2 Name`.
    pub(super) fn inline_section(&mut self, line: &'a str, text: &'a str) -> bool {
        let Some((key, rest)) = text.split_once(':') else {
            return false;
        };
        let glued = !rest.starts_with(char::is_whitespace);
        let (key, rest) = (key.trim_end(), rest.trim_start());
        let names = self.names();
        let is_side = key.eq_ignore_ascii_case("sb");
        let word = if is_side { "sideboard" } else { key };
        let is_section = names.find(word).is_some() || is_side;
        let is_out = !names.open && is_left_out(key);
        if !line::is_card(rest) {
            if is_section && self.known(rest) {
                self.no_count(line, rest);
                return true;
            }
            return false;
        }
        if !is_section && !is_out {
            if key.contains(' ') && names.open || self.known(text) {
                return false;
            }
            if names.open && heading::is_common(key) && !glued {
                self.noted.push(line);
                return self.inline_cards(line, rest, key, false);
            }
            let wrong = match names.open {
                true => Wrong::new(
                    format!("{} has a section and a card on one line.", quoted(text)),
                    format!("Write {} on the line above.", quoted(key)),
                ),
                false => Wrong::new(
                    format!("{} is no section of this format.", quoted(key)),
                    format!(
                        "{} To list the card, write {} below its section.",
                        heading::sections(&names),
                        quoted(rest)
                    ),
                ),
            };
            self.wrong(line, wrong);
            return true;
        }
        if !is_side {
            // A line break may be lost: the cards below would then be of this section, too.
            if glued {
                let message = format!("{} has a section and a card on one line.", quoted(text));
                let help = format!("Write {} on the line above.", quoted(key));
                self.wrong(line, Wrong::new(message, help));
                return true;
            }
            self.noted.push(line);
        }
        self.inline_cards(line, rest, word, key == "SB")
    }

    pub(super) fn inline_cards(
        &mut self,
        line: &'a str,
        rest: &'a str,
        word: &'a str,
        pasted: bool,
    ) -> bool {
        let names = self.names();
        self.pasted |= pasted;
        let span = self.deck.span(rest);
        let place = match names.find(word) {
            Some(id) => self.enter(id, span),
            None if names.open => self.enter(&crate::name::fold(word), span),
            None if is_left_out(word) => {
                self.left_out.push(LeftOut { word, copies: 0 });
                Place::LeftOut(self.left_out.len() - 1)
            }
            None => {
                self.wrong(line, heading::no_section(word, &names));
                return true;
            }
        };
        let before = self.copies;
        let parts = marks::listed_cards(rest).filter(|_| !self.known_line(rest));
        for part in parts.unwrap_or_else(|| vec![rest]) {
            if let Ok(given) = Given::leading(part) {
                self.marked_card(line, given, Some(place), true);
            }
        }
        // The total of the section above does not count them.
        if self.place != Some(place) {
            let copies = self.copies - before;
            let groups = self.groups.iter_mut().flatten();
            for total in self.total.iter_mut().chain(groups) {
                total.before += copies;
            }
        }
        true
    }

    /// Reads a card with its count after the name.
    pub(super) fn trailing(&mut self, line: &'a str, text: &'a str, given: Given<'a>) {
        if self.known(text) {
            let wrong = Wrong::new(
                format!(
                    "{} may be one copy of {}, or {} of {}.",
                    quoted(text),
                    quoted(text),
                    given.count,
                    quoted(given.name)
                ),
                format!(
                    "Write {} or {}.",
                    line::example("1", text),
                    line::example(given.digits, given.name)
                ),
            );
            return self.wrong(line, wrong);
        }
        self.marked_card(line, given, None, true);
    }

    /// Reads a line with a bullet.
    pub(super) fn bullet(&mut self, raw: &str, line: &'a str, rest: &'a str) {
        let counted = line::looks_counted(rest)
            || marks::wide_count(rest).is_some()
            || marks::trailing_count(rest).is_some();
        let in_group = self.groups.iter().any(Option::is_some);
        // What was chosen for a card is below it, further in.
        if !counted && in_group && self.below_bullet && raw.starts_with("  ") {
            self.note_once("passed over: lines further in, below a card");
            return;
        }
        self.below_bullet = true;
        if line::looks_counted(rest) {
            return self.counted(line, rest, true);
        }
        if let Some(given) = Given::trailing(rest) {
            return self.trailing(line, rest, given);
        }
        match marks::wide_count(rest) {
            Some(Ok((count, name))) => {
                self.marked_card(line, Given::uncounted(count, name), None, true);
            }
            Some(Err(wrong)) => self.wrong(line, wrong),
            // Where a group states its total, a card without a count is one copy.
            None if in_group => {
                self.marked_card(line, Given::uncounted(1, rest), None, true);
            }
            None => {
                let message = format!("{} has a bullet and no count.", quoted(line));
                let help = format!("Write the number of copies: {}.", line::example("1", rest));
                self.wrong(line, Wrong::new(message, help));
            }
        }
    }

    /// Reads a line above a list of NetrunnerDB's: its title, or the identity.
    pub(super) fn above(&mut self, line: &'a str, text: &'a str) {
        let (name, known) = self.find(text);
        let first = self.prose.is_empty() && self.deck.deck.notes.is_empty();
        if first && !known {
            self.add_prose(line);
            return self.note_prose();
        }
        let name = match marks::phrase(name).filter(|_| !known) {
            Some(before) => before,
            None => name,
        };
        let names = self.names();
        let id = match names.find("Identity") {
            Some(id) => id,
            None if names.open => "identity",
            None => {
                let message = format!("{} has no count, and no section above it.", quoted(line));
                let help = format!(
                    "Write its section's name above it and {}, or take the line out.",
                    line::example("1", name)
                );
                return self.wrong(line, Wrong::new(message, help));
            }
        };
        let span = self.deck.span(name);
        if let Some(section) = self.deck.enter(id, Span::new(span.start, span.start)) {
            // It is not counted among the cards.
            let line = self.line;
            self.deck.card_at(CardLine {
                section,
                count: 1,
                name: Cow::Borrowed(name),
                span,
                digits: Span::default(),
                line,
            });
        }
    }

    /// Reads what NetrunnerDB writes below a list: `49 cards (min 45)`.
    pub(super) fn footer(&mut self, line: &'a str, digits: &'a str, name: &str) -> bool {
        if !name.ends_with(')') {
            return false;
        }
        if name.starts_with("cards (min ") {
            self.footed = Some(true);
            self.close();
            self.grand = Some(Total {
                before: 0,
                errors: 0,
                ..self.total_of(line, digits)
            });
            return true;
        }
        name.starts_with("influence spent (max ") || name.starts_with("agenda points (between ")
    }

    /// Whether the pool knows a name as it is.
    pub(super) fn known(&self, name: &str) -> bool {
        let pool = self.names().pool;
        name.len() <= LONGEST_NAME && pool.is_some_and(|pool| pool.find(name).is_some())
    }

    /// Whether a text is a card line whose name the pool knows.
    pub(super) fn known_line(&self, text: &str) -> bool {
        line::card(text).is_ok_and(|(_, name)| self.known(name))
    }

    /// Returns a name without the marks around it, and whether the pool knows it.
    pub(super) fn find<'t>(&self, text: &'t str) -> (&'t str, bool) {
        let Some(pool) = self.names().pool.filter(|pool| !pool.is_empty()) else {
            return (text, false);
        };
        if self.lookups.get() >= MOST_LOOKUPS {
            return (text, false);
        }
        let looked_up = |name: &str| {
            self.lookups.set(self.lookups.get() + 1);
            self.lookups.get() < MOST_LOOKUPS && pool.find(name).is_some()
        };
        let loosely = |name: &str| {
            self.lookups.set(self.lookups.get() + 4);
            if self.lookups.get() >= MOST_LOOKUPS {
                return false;
            }
            // `A // C` is not the front of `A // B` with a comment.
            let is_cut = text.contains("//") && !name.contains("//");
            let found = pool.find_loosely(name);
            found.is_some_and(|card| !is_cut || !pool.name(card).contains("//"))
        };
        match marks::strip(text, &looked_up) {
            (name, true) => (name, true),
            _ => match marks::strip(text, &loosely) {
                (name, true) => (name, true),
                _ => (text, false),
            },
        }
    }

    /// Reads a card whose name may have marks around it. `foreign`: only other programs write its
    /// line so.
    #[cold]
    pub(super) fn marked_card(
        &mut self,
        line: &'a str,
        given: Given<'a>,
        place: Option<Place>,
        mut foreign: bool,
    ) {
        let whole = given.name;
        if !foreign && self.footer(line, given.digits, whole) {
            return;
        }
        if self.known(whole) {
            self.is_marked(line, foreign, foreign);
            return self.push(given, Cow::Borrowed(whole), self.deck.span(whole), place);
        }
        let pool = self.names().pool.filter(|pool| !pool.is_empty());
        if let Some((behind, _, name)) = marks::trailing_count(whole)
            && pool.is_some()
        {
            // A name may begin with a number: `7 Swords x2`.
            let start = self.deck.span(given.digits).start;
            let text = self.deck.source.get(start..self.deck.span(whole).end);
            if let Some(given) = text.and_then(Given::trailing)
                && self.known(given.name)
            {
                return self.marked_card(line, given, place, true);
            }
            let shown = quoted(line);
            let count = given.count;
            let wrong = Wrong::new(
                format!("{shown} has two counts: {count} before the name, and {behind} after it."),
                format!(
                    "Keep the one that is meant: {}.",
                    line::example(given.digits, name)
                ),
            );
            return self.wrong(line, wrong);
        }
        if let Some(parts) = marks::listed_cards(line)
            && self.listed(line, &parts, place)
        {
            return;
        }
        let unescaped = marks::unescaped(whole).filter(|_| pool.is_some());
        if let Some(text) = &unescaped
            && let (name, true) = self.find(text)
        {
            let name = Cow::Owned(name.to_owned());
            self.is_marked(line, true, true);
            return self.push(given, name, self.deck.span(whole), place);
        }
        let (name, known) = self.find(whole);
        self.unmarked += usize::from(known && name.len() < whole.len());
        let plain = marks::strip_plain(whole);
        let category = marks::category(whole);
        if known && name.len() < plain.len() {
            let end = self.deck.span(name).end - self.deck.span(whole).start;
            let behind = whole.get(end..).unwrap_or_default();
            let comment = [" #", " // ", " -- "];
            if comment.iter().any(|sign| behind.contains(sign)) {
                self.noted.push(line);
            }
            let signs = ["\t", "|"];
            let number = behind.trim_start().trim_matches(['(', ')']);
            foreign |= signs.iter().any(|sign| behind.starts_with(sign))
                || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        }
        let quoted_only = whole.starts_with(['"', '\u{201c}', '\u{ab}', '`']);
        let marked = plain.len() < whole.len() && !quoted_only || category.is_some();
        self.is_marked(line, foreign, marked);
        let named = self.category(line, category.map(|(_, word)| word), whole);
        if named == Some(Place::Lost) {
            return;
        }
        let place = place.or(named);
        let span = self.deck.span(name);
        self.push(given, Cow::Borrowed(name), span, place);
    }

    /// Counts a line with marks.
    pub(super) fn is_marked(&mut self, line: &'a str, foreign: bool, marked: bool) {
        self.marked += usize::from(foreign || marked);
        if foreign && self.foreign.last().is_none_or(|last| *last != line) {
            self.foreign.push(line);
        }
    }

    /// Reads several cards on one line, unless they may be one.
    pub(super) fn listed(
        &mut self,
        line: &'a str,
        parts: &[&'a str],
        place: Option<Place>,
    ) -> bool {
        let known = parts
            .iter()
            .all(|part| line::card(part).is_ok_and(|(_, name)| self.find(name).1));
        if !known {
            let first = parts.first().copied().unwrap_or_default();
            if self.names().pool.is_none_or(crate::pool::Pool::is_empty) {
                let message = format!("{} is read as one card", quoted(line));
                self.note(line, message, "write one card a line");
                return false;
            }
            let message = format!("{} is more than one card.", quoted(line));
            let help = format!("Write one card a line: {}.", quoted(first));
            self.wrong(line, Wrong::new(message, help));
            return true;
        }
        for part in parts {
            if let Ok(given) = Given::leading(part) {
                let (name, _) = self.find(given.name);
                self.push(given, Cow::Borrowed(name), self.deck.span(name), place);
            }
        }
        let message = format!("{} is read as {} cards", quoted(line), parts.len());
        self.note(line, message, "write one card a line");
        true
    }

    /// Returns the place that a card's category or mark names: `[Commander{top}]`, `*CMDR*`.
    pub(super) fn category(
        &mut self,
        line: &'a str,
        category: Option<&str>,
        name: &str,
    ) -> Option<Place> {
        let names = self.names();
        if let Some(category) = category {
            if category.contains("{noDeck}") {
                let message = format!("{} is marked as no part of the deck.", quoted(category));
                let help = "Take the line out, or the mark `{noDeck}`.";
                self.wrong(line, Wrong::new(message, help));
                return Some(Place::Lost);
            }
            let words = category
                .split(',')
                .map(|word| word.split('{').next().unwrap_or(word));
            for word in words {
                if let Some(id) = names.find(word.trim()) {
                    let span = self.deck.span(line);
                    return Some(self.enter(id, span));
                }
            }
            let word = category.split('{').next().unwrap_or_default().trim();
            let leads = ["commander", "commanders", "sideboard", "maybeboard"];
            if leads.iter().any(|known| known.eq_ignore_ascii_case(word)) {
                let message = format!(
                    "passed over, since no section is called so: {}",
                    quoted(category)
                );
                self.note_once(&message);
            }
        }
        if name
            .split_whitespace()
            .any(|word| word.eq_ignore_ascii_case("*CMDR*"))
        {
            let mut known = ["commander", "commanders"].into_iter();
            if let Some(id) = known.find_map(|word| names.find(word)) {
                let span = self.deck.span(line);
                return Some(self.enter(id, span));
            }
            let note = "passed over: *CMDR*, since no section is called `commander`";
            self.note_once(note);
        }
        None
    }

    /// Adds a card line.
    pub(super) fn push(
        &mut self,
        given: Given<'a>,
        name: Cow<'a, str>,
        span: Span,
        own: Option<Place>,
    ) {
        if !self.prose.is_empty() {
            self.prose_next_to_cards();
        }
        let section = match own.or(self.place) {
            Some(Place::Section(section)) => section,
            Some(Place::LeftOut(at)) => {
                if let Some(left_out) = self.left_out.get_mut(at) {
                    left_out.copies += u64::from(given.count);
                }
                self.copies += u64::from(given.count);
                self.copies_left_out += u64::from(given.count);
                self.before = Before::Card;
                return;
            }
            Some(Place::Lost) if self.grand.is_some() && self.deck.errors.is_empty() => {
                let message = "This card is below the total of the whole list.";
                self.deck.wrong(span, message, "Move it above the total.");
                return;
            }
            Some(Place::Lost) => {
                self.before = Before::Card;
                return;
            }
            None => {
                let first = self.names().first;
                match self.deck.enter(first, Span::new(span.start, span.start)) {
                    Some(section) => {
                        self.place = Some(Place::Section(section));
                        section
                    }
                    None => return,
                }
            }
        };
        if std::mem::take(&mut self.gap) && own.is_none() && self.gaps.len() < MOST_ERRORS {
            self.gaps.push(span);
        }
        self.before = Before::Card;
        self.cards += 1;
        self.copies += u64::from(given.count);
        if let (Some((open, ..)), Some(pool)) = (&mut self.own_group, self.deck.names.pool)
            && let Err(wrong) = open.take(&name, pool)
        {
            self.own_group = None;
            return self.deck.wrong(span, wrong.message, wrong.help);
        }
        let digits = match given.digits.is_empty() {
            true => Span::default(),
            false => self.deck.span(given.digits),
        };
        self.deck.card_at(CardLine {
            section,
            count: given.count,
            name,
            span,
            digits,
            line: self.line,
        });
    }

    /// Reads a row of a Markdown table.
    pub(super) fn row(&mut self, line: &'a str, cells: &[&'a str]) {
        let rule = |cell: &&str| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'));
        if cells.iter().all(rule) {
            return;
        }
        let Some(columns) = self.columns else {
            match table_columns(cells) {
                Ok(columns) => self.columns = Some(columns),
                Err(wrong) => self.wrong(line, wrong),
            }
            return;
        };
        if cells.len() != columns.all {
            let message = format!(
                "This row has {}, and the first one {}.",
                crate::text::counted(cells.len() as i64, "cell"),
                columns.all
            );
            let help = "Write a cell for each column, an empty one too.";
            return self.wrong(line, Wrong::new(message, help));
        }
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let count = match line::count(cell(columns.count)) {
            Ok(count) => count,
            Err(wrong) => return self.wrong(line, wrong),
        };
        let word = columns.section.map(cell).filter(|word| !word.is_empty());
        let place = match word {
            Some(word) => match self.deck.section(word, self.deck.span(line)) {
                Some(section) => Some(Place::Section(section)),
                None => return,
            },
            None => None,
        };
        let given = Given {
            count,
            digits: cell(columns.count),
            name: cell(columns.name),
        };
        if given.name.is_empty() {
            let wrong = Wrong::new("This card has no name.", "Give it one, or take it out.");
            return self.wrong(line, wrong);
        }
        self.pasted = true;
        self.gap = false;
        self.marked_card(line, given, place, true);
    }
}

/// Finds the columns that the first row of a Markdown table names.
fn table_columns(cells: &[&str]) -> Result<Columns, Wrong> {
    let names: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    let at = |spellings| {
        table::column(&names, spellings).map_err(|table::Doubled(doubled)| {
            let columns = table::quoted(&doubled);
            let message = format!("The columns {columns} are the same.");
            Wrong::new(message, "Keep one of the two.")
        })
    };
    let section = at(table::SECTIONS)?;
    let (Some(count), Some(name)) = (at(table::COUNTS)?, at(crate::pool::NAMES)?) else {
        let message = format!("{} names no columns of a deck.", table::quoted(&names));
        let help =
            "The first row of a table is `| Count | Name |`, with `Section` if there are several.";
        return Err(Wrong::new(message, help));
    };
    let found = [Some(count), Some(name), section];
    let odd = names
        .iter()
        .enumerate()
        .find(|(at, name)| !found.contains(&Some(*at)) && !table::is_aside(name));
    if let Some((_, name)) = odd {
        let message = format!("{} is no column of a deck.", quoted(name));
        let help = "The columns are `Count`, `Name` and `Section`.";
        return Err(Wrong::new(message, help));
    }
    Ok(Columns {
        count,
        name,
        section,
        all: names.len(),
    })
}
