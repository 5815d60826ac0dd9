//! Cards of a list: their counts, the marks around their names, and where they go.

use super::*;
use decklaw_cards::pool::NameField;
use decklaw_cards::sections::board::{Board, Mention};

impl<'a> Reader<'a, '_> {
    /// Classifies a card with its count first: `3 Name`, `**3 Name**`, `３ Name`, `1. 3 Name`.
    pub(super) fn leading_count(&self, text: &'a str) -> Option<Line<'a>> {
        if count::looks_counted(text) {
            return Some(self.digits(text, false));
        }
        if let Some(inner) = marks::emphasized(text).filter(|text| count::looks_counted(text)) {
            return Some(self.digits(inner, true));
        }
        let (count, name) = marks::wide_count(text)?;
        Some(Line::uncounted(count, name))
    }

    /// Classifies a text that begins with a digit.
    fn digits(&self, text: &'a str, foreign: bool) -> Line<'a> {
        if let Some(given) = CountedName::leading(text) {
            return Line::Card { given, foreign };
        }
        let foreign = true;
        // A name may begin with a digit: `7th Bell x3`, `1.Zed x2`.
        let behind = CountedName::trailing(text);
        let is_own_digit = behind.is_some_and(|given| self.is_known(given.name));
        if let Some(card) = marks::numbered(text).filter(|_| !is_own_digit) {
            if let Some(given) = CountedName::either(card) {
                return Line::Card { given, foreign };
            }
            if !self.is_known(card) && self.known_in(card).is_some() {
                return Line::Wrong(self.uncounted(text, card));
            }
            if self.is_known(card) && !self.is_known(text) {
                let digits = text.split(['.', ')']).next().unwrap_or_default();
                let mut wrong = Wrong::form(text, digits, card);
                if count::count(digits) != Ok(1) {
                    let one = count::example("1", card);
                    let numbers = format!(" If {digits} numbers the line, write {one}.");
                    wrong.help.push_str(&numbers);
                }
                return Line::Wrong(wrong);
            }
        }
        if let Some(card) = self.trailing_count(text) {
            return card;
        }
        // Spreadsheets write `4.0`.
        if let Some((digits, name)) = text.split_once(' ')
            && let Ok(count) = count::count(digits)
        {
            let name = name.trim_start();
            let given = CountedName { count, digits, name };
            return Line::Card { given, foreign };
        }
        match count::card(text) {
            Err(wrong) if !self.is_known(text) => Line::Wrong(wrong),
            _ => Line::Wrong(Wrong::form(text, "1", text)),
        }
    }

    /// Classifies a card with its count after the name.
    pub(super) fn trailing_count(&self, text: &'a str) -> Option<Line<'a>> {
        let given = CountedName::trailing(text)?;
        if !self.is_known(text) {
            let foreign = true;
            return Some(Line::Card { given, foreign });
        }
        let CountedName { count, name, .. } = given;
        let message =
            format!("{} is a card, and may be {count} of {}.", quoted(text), quoted(name));
        let one = count::example("1", text);
        let other = count::example(given.digits, name);
        Some(Line::Wrong(Wrong::new(message, format!("Write {one} or {other}."))))
    }

    /// Classifies a line with a bullet.
    pub(super) fn bullet(&self, raw: &str, line: &'a str, rest: &'a str) -> Line<'a> {
        let counted = if count::looks_counted(rest) {
            Some(self.digits(rest, true))
        } else {
            let wide = marks::wide_count(rest);
            let wide = wide.map(|(count, name)| Line::uncounted(count, name));
            self.trailing_count(rest).or(wide)
        };
        if let Some(card) = counted {
            return card;
        }
        // Where a group states its total, a card without a count is one copy, and what was chosen
        // for a card is below it, further in.
        let is_grouped =
            self.totals.open.iter().any(|total| matches!(total.level, Level::Bold | Level::Italic));
        if !is_grouped {
            Line::Wrong(self.uncounted(line, rest))
        } else if raw.starts_with("  ") && self.below_bullet {
            Line::Detail
        } else {
            Line::uncounted(1, rest)
        }
    }

    /// Classifies cards that are on one line with their section: `SB: 2 Name`, `Side: 2 Name`.
    pub(super) fn inline_section(&self, text: &'a str) -> Option<Line<'a>> {
        let (key, cards) = text.split_once(':')?;
        let is_glued = !cards.starts_with(char::is_whitespace);
        let (key, cards) = (key.trim_end(), cards.trim_start());
        let names = self.names();
        let is_side = key.eq_ignore_ascii_case("sb");
        let word = if is_side && names.find(key).is_none() { "sideboard" } else { key };
        let is_section = names.find(word).is_some() || is_side;
        if !count::is_card(cards) && (!is_section || CountedName::trailing(cards).is_none()) {
            let is_uncounted = is_section && self.is_known(cards);
            return is_uncounted.then(|| Line::Wrong(self.uncounted(cards, cards)));
        }
        let is_common = board::is_common(key) && !key.contains(' ');
        let is_allowed = is_section || if names.open { is_common } else { board::is_left_out(key) };
        if !is_allowed && (names.open && key.contains(' ') || self.is_known(text)) {
            return None;
        }
        if !is_allowed && !names.open {
            return Some(Line::Wrong(names.no_section(key)));
        }
        // A line break may be lost: the cards below would then be of this section, too.
        if !is_allowed || is_glued && !is_side {
            let message = format!("{} has a section and a card on one line.", quoted(text));
            let help = format!("Write {} on the line above.", quoted(key));
            return Some(Line::Wrong(Wrong::new(message, help)));
        }
        Some(Line::Inline { word, cards, key })
    }

    /// Adds the cards of a line that names their section.
    pub(super) fn inline_cards(&mut self, line: &'a str, word: &'a str, cards: &'a str, key: &str) {
        self.style.pasted |= key == "SB";
        let names = self.names();
        if key.eq_ignore_ascii_case("sb") {
            if names.find(word).is_none() && !names.open {
                return self.wrong(line, names.no_section(word));
            }
        } else {
            self.aside.foreign.push((line, true));
        }
        let place = self.enter(word, self.builder.span(cards));
        self.gaps.marked();
        let before = self.copies;
        let one = CountedName::either(cards);
        let given = match (marks::listed_cards(cards), one) {
            (Some(list), one) if !one.is_some_and(|one| self.is_known(one.name)) => list,
            (_, one) => one.into_iter().collect(),
        };
        for given in given {
            self.card(line, given, Some(place), true);
        }
        // The totals above do not count them.
        if self.place != Some(place) {
            for total in &mut self.totals.open {
                total.before += self.copies - before;
            }
        }
    }

    /// Adds a card that a list of NetrunnerDB's has above its sections, and does not count.
    pub(super) fn identity(&mut self, line: &'a str, name: &'a str) {
        let names = self.names();
        let id = match names.find("identity") {
            Some(id) => id,
            None if names.open => "identity",
            None => return self.wrong(line, Wrong::form(line, "1", name)),
        };
        let span = self.builder.span(name);
        if let Some(section) = self.builder.enter(id, Span::new(span.start, span.start)) {
            self.builder.card_at(CardLine {
                section,
                count: 1,
                name: Cow::Borrowed(name),
                span,
                digits: Span::default(),
                line: self.line,
            });
        }
    }

    /// Whether a line is one of those that NetrunnerDB writes below a list: `49 cards (min 45)`.
    fn is_footer(&mut self, line: &'a str, given: CountedName<'a>) -> bool {
        let name = given.name;
        let is_total = name.starts_with("cards (min ");
        if is_total && name.ends_with(')') {
            self.close(Level::Section);
            let total = Some(given.digits);
            self.set_grand(Heading { word: line, total });
        }
        let is_other = ["influence spent (max ", "agenda points (between "]
            .iter()
            .any(|start| name.starts_with(start));
        name.ends_with(')') && (is_total || is_other)
    }

    /// Whether the pool knows a name as it is.
    pub(super) fn is_known(&self, name: &str) -> bool {
        let pool = self.names().pool;
        name.len() <= marks::LONGEST && pool.is_some_and(|pool| pool.has_name(name))
    }

    /// Returns the name inside a text with marks that the pool knows.
    pub(super) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let pool = self.pool()?;
        let may_look_up = |cost: u32| {
            self.lookups.set(self.lookups.get().saturating_add(cost));
            self.lookups.get() < MOST_LOOKUPS
        };
        let exactly = |name: &str| may_look_up(1) && pool.has_name(name);
        let loosely = |name: &str| {
            // `A // C` is not the front of `A // B` with a comment.
            let is_cut = text.contains("//") && !name.contains("//");
            let found = may_look_up(4).then(|| pool.look_up(name, NameField::Name).card());
            found.flatten().is_some_and(|card| !is_cut || !pool.name(card).contains("//"))
        };
        marks::strip(text, &exactly).or_else(|| marks::strip(text, &loosely))
    }

    /// Adds a card whose name may have marks around it.
    #[cold]
    pub(super) fn card(
        &mut self,
        line: &'a str,
        given: CountedName<'a>,
        place: Option<Place>,
        foreign: bool,
    ) {
        let whole = given.name;
        if !foreign && self.is_footer(line, given) {
            return;
        }
        if self.is_known(whole) {
            self.count_marks(line, foreign, false);
            return self.push(given, Cow::Borrowed(whole), place);
        }
        if let Some(behind) = CountedName::trailing(whole).filter(|_| self.pool().is_some()) {
            // A name may begin with a number: `7 Swords x2`.
            let start = self.builder.span(given.digits).start;
            let text = self.builder.source.get(start..self.builder.span(whole).end);
            if let Some(given) = text.and_then(CountedName::trailing)
                && self.is_known(given.name)
            {
                return self.card(line, given, place, true);
            }
            let message = format!(
                "{} has two counts: {} before the name, and {} after it.",
                quoted(line),
                given.count,
                behind.count
            );
            let card = count::example(given.digits, behind.name);
            return self.wrong(line, Wrong::new(message, format!("Keep one: {card}.")));
        }
        if let Some(cards) = marks::listed_cards(line)
            && self.is_list(line, cards, place)
        {
            return;
        }
        let read = match self.unmark(line, whole, place) {
            Ok(read) => read,
            Err(wrong) => return self.wrong(line, wrong),
        };
        self.count_marks(line, foreign || read.is_foreign, read.is_marked);
        self.push_unmarked(given, read, place);
    }

    /// Adds a card whose marks were removed. `own`: where the line puts it.
    fn push_unmarked(&mut self, given: CountedName<'a>, read: Unmarked<'a>, own: Option<Place>) {
        if own.is_none() && read.place.is_some_and(|place| self.place != Some(place)) {
            for total in &mut self.totals.open {
                total.moved += u64::from(given.count);
            }
        }
        self.push(given, read.name, read.place);
    }

    /// Removes the marks around a name and reads what they say of its section. `own`: where the
    /// line puts the card.
    fn unmark(
        &mut self,
        line: &'a str,
        whole: &'a str,
        own: Option<Place>,
    ) -> Result<Unmarked<'a>, Wrong> {
        let decoded = marks::unescaped(whole);
        if let Some(text) = &decoded
            && let Some(name) = self.find(text)
        {
            let place = own.or(self.marked_place(line, marks::split(text, name), own));
            let name = Cow::Owned(name.to_owned());
            return Ok(Unmarked { name, place, is_foreign: true, is_marked: true });
        }
        let known = self.find(whole);
        // Where no card is known, a section alone is told from a part of the name.
        let name = match self.pool() {
            Some(_) => known.unwrap_or(whole),
            None => self.without_boards(whole),
        };
        self.style.unmarked |= name.len() < whole.len();
        let plain = marks::strip_plain(whole);
        let (before, behind) = marks::split(whole, name);
        let is_card = |part: &str| {
            let given = CountedName::either(part);
            given.is_some_and(|given| self.is_known(given.name))
        };
        if [before, behind].into_iter().flat_map(marks::parts).any(is_card) {
            return Err(Wrong::several(line));
        }
        let mut is_foreign = false;
        if name.len() < plain.len() {
            if [" #", " // ", " -- "].iter().any(|sign| behind.contains(sign)) {
                self.aside.foreign.push((line, true));
            }
            let number = behind.trim_start().trim_matches(['(', ')']);
            is_foreign = behind.starts_with(['\t', '|']) || count::is_digits(number);
        }
        let around = match known {
            Some(_) => (before, behind),
            None => marks::split(whole, self.without_marks(whole)),
        };
        let place = self.marked_place(line, around, own);
        let is_quoted = whole.starts_with(['"', '\u{201c}', '\u{ab}', '`']);
        let is_category = place.is_some() || marks::category(whole).is_some();
        let is_marked = plain.len() < whole.len() && !is_quoted || is_category;
        Ok(Unmarked { name: Cow::Borrowed(name), place: own.or(place), is_foreign, is_marked })
    }

    /// Returns a text without the sections in marks behind it: `Name (side)`.
    fn without_boards<'t>(&self, text: &'t str) -> &'t str {
        let names = self.names();
        let mut name = text;
        while let Some((before, word)) = marks::last_mark(name)
            && names.board(marks::first_category(word)).is_some()
        {
            name = before;
        }
        name
    }

    /// Returns a text without all marks behind a name that no card has.
    fn without_marks<'t>(&self, text: &'t str) -> &'t str {
        let mut name = text;
        loop {
            let plain = self.without_boards(marks::strip_plain(name));
            let plain = marks::category(plain).map_or(plain, |(before, _)| before);
            if plain.len() == name.len() {
                return name;
            }
            name = plain;
        }
    }

    /// Counts a line with marks.
    fn count_marks(&mut self, line: &'a str, foreign: bool, is_marked: bool) {
        self.style.marked += usize::from(foreign || is_marked);
        if foreign && self.aside.foreign.last().is_none_or(|(last, _)| *last != line) {
            self.aside.foreign.push((line, false));
        }
    }

    /// Adds several cards on one line, unless they may be one.
    fn is_list(
        &mut self,
        line: &'a str,
        cards: Vec<CountedName<'a>>,
        place: Option<Place>,
    ) -> bool {
        let help = "write one card a line";
        if self.pool().is_none() {
            let message = format!("{} is read as one card", quoted(line));
            self.note(Fault::Split, line, message, help);
            return false;
        }
        if cards.iter().any(|given| self.find(given.name).is_none()) {
            self.wrong(line, Wrong::several(line));
            return true;
        }
        let message = format!("{} is read as {} cards", quoted(line), cards.len());
        self.note(Fault::Split, line, message, help);
        for given in cards {
            match self.unmark(line, given.name, place) {
                Ok(read) => self.push_unmarked(given, read, place),
                Err(wrong) => self.wrong(line, wrong),
            }
        }
        true
    }

    /// Returns the place that the marks before and behind a name say, and notes the line where they
    /// may say another one than it gets. `own`: where the line puts the card.
    fn marked_place(
        &mut self,
        line: &'a str,
        (before, behind): (&str, &str),
        own: Option<Place>,
    ) -> Option<Place> {
        let names = self.names();
        let marks = || [before, behind].into_iter().flat_map(marks::around);
        let mut found = None;
        for mark in marks() {
            found = found.or_else(|| self.place_of_mark(line, mark));
        }
        let place = own.or(found).or(self.place);
        let id = match place {
            Some(Place::Section(at)) => {
                let section = self.builder.deck.sections.get(usize::from(at));
                section.map_or(names.first, |section| &*section.id)
            }
            None => names.first,
            Some(Place::LeftOut(_) | Place::Lost) => return found,
        };
        let is_other = |(_, words): marks::Mark<'_>| {
            !words.contains("://") && names.mentions_other(words, id, Mention::Anywhere)
        };
        if marks().any(is_other) && self.aside.foreign.last() != Some(&(line, true)) {
            self.aside.foreign.push((line, true));
        }
        found
    }

    /// Returns the place that one mark names: `[Commander{top}]`, `(side)`, `*CMDR*`. Of several
    /// categories the first decides.
    fn place_of_mark(&mut self, line: &str, (sign, words): marks::Mark<'_>) -> Option<Place> {
        if !"([{<*|\t".contains(sign) {
            return None;
        }
        let names = self.names();
        let word = if sign == '[' { marks::first_category(words) } else { words };
        // Archidekt's mark of cards that are no part of the deck.
        let of_first = words.split(',').next().unwrap_or_default();
        let is_outside = sign == '[' && of_first.contains("{noDeck}");
        let span = self.builder.span(line);
        match names.board(word) {
            Some(Board::Section(id)) if !is_outside || id != names.first => {
                self.builder.enter(&id, span).map(Place::Section)
            }
            Some(Board::Absent) if !is_outside => {
                let word = if sign == '*' { format!("*{words}*") } else { words.to_owned() };
                let about = "ignored: no section has this name";
                self.note_once(Fault::LeftOut, &format!("{about}: {}", quoted(&word)));
                None
            }
            Some(Board::LeftOut) => Some(self.leave_out(word, span)),
            _ if is_outside => Some(self.leave_out(word, span)),
            _ => None,
        }
    }

    /// Adds a card line, in a place of its own or that of the heading above.
    pub(super) fn push(&mut self, given: CountedName<'a>, name: Cow<'a, str>, own: Option<Place>) {
        if !self.aside.prose.is_empty() {
            self.prose_next_to_cards();
        }
        let span = match name {
            Cow::Borrowed(name) => self.builder.span(name),
            Cow::Owned(_) => self.builder.span(given.name),
        };
        let copies = u64::from(given.count);
        let section = match own.or(self.place) {
            Some(Place::Section(section)) => section,
            Some(Place::LeftOut(at)) => {
                if let Some(left_out) = self.left_out.get_mut(at) {
                    left_out.0.push(given.count, name);
                }
                self.copies += copies;
                self.before = Before::Card;
                return;
            }
            Some(Place::Lost) => {
                if self.totals.grand.is_some() && self.builder.errors.is_empty() {
                    let message = "This card is below the total of the whole list.";
                    self.builder.wrong(span, message, "Move it above the total.");
                }
                self.before = Before::Card;
                return;
            }
            None => {
                let first = self.names().first;
                let start = Span::new(span.start, span.start);
                let Some(section) = self.builder.enter(first, start) else {
                    return;
                };
                self.place = Some(Place::Section(section));
                section
            }
        };
        let above = self.gaps.card(own.is_some());
        if above.blank_line && self.gaps.found.len() < MOST_ERRORS {
            let is_proven = !self.totals.open.is_empty();
            let is_commented = above.comment;
            let line = self.line;
            self.gaps.found.push(Gap { span, line, section, is_proven, is_commented });
        }
        if above.marked {
            self.gaps.unmarked = Some(span);
        }
        self.before = Before::Card;
        self.style.cards += 1;
        self.copies += copies;
        if let (Some(group), Some(pool)) = (&self.group, self.names().pool)
            && let Some(card) = pool.look_up(&name, NameField::Name).card()
            && !group.has(card, pool)
        {
            let message =
                format!("{} is below {}, and is none of them.", quoted(&name), quoted(group.word));
            let help = "Move the line below a heading that it fits, or take the headings out.";
            self.group = None;
            return self.builder.wrong(span, message, help);
        }
        let digits = match given.digits {
            "" => Span::default(),
            digits => self.builder.span(digits),
        };
        self.builder.card_at(CardLine {
            section,
            count: given.count,
            name,
            span,
            digits,
            line: self.line,
        });
    }

    /// Adds a row of a Markdown table.
    pub(super) fn row(&mut self, line: &'a str, cells: &[&'a str]) {
        let is_rule =
            |cell: &&str| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'));
        if cells.iter().all(is_rule) {
            return;
        }
        let Some(mut columns) = self.columns.take() else {
            match Columns::of(cells) {
                Ok((columns, _)) => self.columns = Some(columns),
                Err(wrong) => self.wrong(line, wrong),
            }
            return;
        };
        let read = columns.card(cells, self.names());
        self.columns = Some(columns);
        let (given, word) = match read {
            Ok(card) => card,
            Err(wrong) => return self.wrong(line, wrong),
        };
        let span = self.builder.span(line);
        let section = match word {
            SectionCell::Empty => Ok(None),
            SectionCell::First => Ok(self.builder.enter(self.names().first, span)),
            SectionCell::Word(word) => self.builder.section(word, span).ok_or(()).map(Some),
        };
        if let Ok(section) = section {
            self.style.pasted = true;
            self.card(line, given, section.map(Place::Section), true);
        }
    }
}

/// A name without the marks around it, and what they say.
struct Unmarked<'a> {
    name: Cow<'a, str>,
    place: Option<Place>,
    /// Whether only other programs write such marks, and whether there are any.
    is_foreign: bool,
    is_marked: bool,
}

impl<'a> Line<'a> {
    /// A card whose count has no digits that can be edited.
    fn uncounted(count: u32, name: &'a str) -> Line<'a> {
        let digits = "";
        let given = CountedName { count, digits, name };
        let foreign = true;
        Line::Card { given, foreign }
    }
}
