//! Lists as players paste them from the deck builders of other games.

use super::rows::Columns;
use super::sheet::Frame;
use super::totals::Total;
use super::{Ask, Builder, dress, printing, quoted};
use crate::deck::group::Open;
use crate::deck::heading::{self, heading, section_in_comment};
use crate::deck::line::{self, Wrong};
use crate::deck::{Deck, HEADERS, SyntaxError, header};
use crate::text::Span;
use std::borrow::Cow;

/// Reads a pasted list: `4 Name (SET) 123`, `4x Name *F* #tag`, `4 [SET] Name`, `Name x4`,
/// `4 [[Name]]`, bullets, quotes, fences of code, Markdown tables, bold headings and headings
/// such as `##Name - 12`, `//Name` or `=== Name ===`, `SB: 2 Name`, and `Total - 60`. A heading
/// that is no section, and cards behind a blank line without a heading, are errors, and so is
/// a line that can be understood in two ways.
pub(in crate::deck) fn read<'a, 'f>(
    source: &'a str,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let mut reader = Reader {
        builder: Builder::new(source),
        section: None,
        frame: Frame::of(source),
        groups: [None, None],
        own_group: None,
        grouped: Vec::new(),
        below: false,
        total: None,
        grand: None,
        cards: 0,
        group: false,
        gap: false,
        table: None,
        comments: 0,
        marked: 0,
        untold: 0,
        last_untold: String::new(),
    };
    // The headers first: they say which words are sections.
    let headers = reader.headers();
    reader.builder.ask(ask);
    for (line, is_header) in source
        .lines()
        .zip(headers.into_iter().chain(std::iter::repeat(false)))
    {
        if reader.builder.full() {
            break;
        }
        if !is_header && !reader.belongs(line) {
            reader.line(line.trim_matches(blank));
        }
    }
    reader.judge_groups();
    reader.judge_own_group();
    reader.judge_total();
    reader.judge_grand_total();
    reader.tell_untold();
    reader.builder.finish()
}

/// What is known of a list as it is read.
pub(super) struct Reader<'a, 'f> {
    pub(super) builder: Builder<'a, 'f>,
    pub(super) section: Option<u16>,
    /// What stands around the list.
    pub(super) frame: Frame,
    /// The totals of a group, and of one within it.
    pub(super) groups: [Option<Total<'a>>; 2],
    /// A group in the game's own words.
    pub(super) own_group: Option<Open<'a>>,
    /// The words of the groups.
    pub(super) grouped: Vec<&'a str>,
    /// Whether the line before was a card's with a bullet, or belonged to one.
    pub(super) below: bool,
    pub(super) total: Option<Total<'a>>,
    /// The total of the whole list.
    pub(super) grand: Option<Total<'a>>,
    pub(super) cards: u64,
    /// Whether a card stood since the last heading, and a blank line behind it.
    pub(super) group: bool,
    pub(super) gap: bool,
    /// The columns of the Markdown table that is being read.
    pub(super) table: Option<Columns>,
    /// The lines around the list that were passed over.
    pub(super) comments: usize,
    /// The comments that were passed over.
    pub(super) marked: usize,
    /// How many lines were passed over beyond those told one by one, and the last of them.
    pub(super) untold: usize,
    pub(super) last_untold: String,
}

/// The most comments, or words of groups, that are told of.
pub(super) const MOST_COMMENTS: usize = 5;

pub(super) fn blank(c: char) -> bool {
    c.is_whitespace() || crate::name::is_mark(c)
}

impl<'a> Reader<'a, '_> {
    /// Takes the headers: the lines `Key: value` before the first card or heading. Says of
    /// the lines at the top which ones they are.
    fn headers(&mut self) -> Vec<bool> {
        let mut about = false;
        let mut seen = 0_u8;
        let mut are = Vec::new();
        for line in self.builder.source.lines().map(str::trim) {
            let header = match line.split_once(':') {
                Some((key, value)) => header(key.trim_end()).map(|at| (at, value.trim())),
                None => line
                    .strip_prefix("Name ")
                    .filter(|_| about)
                    .map(|name| (1, name.trim())),
            };
            let starts = line.starts_with(['#', '!']) || line.starts_with("//");
            match header {
                Some((at, value)) => {
                    if seen & (1 << at) != 0 {
                        let message = format!("The header `{}` is given twice.", HEADERS[at]);
                        self.wrong(line, Wrong::new(message, "Keep one of the two lines."));
                    }
                    seen |= 1 << at;
                    let span = self.builder.span(value);
                    self.builder.deck.set(at, Cow::Borrowed(value), span);
                    are.push(true);
                }
                None if line == "About" => {
                    about = true;
                    are.push(true);
                }
                None if line.is_empty() || starts || ruled(line).is_some() => are.push(false),
                None => break,
            }
        }
        are
    }

    fn line(&mut self, line: &'a str) {
        let line = dress::unquoted(line);
        if let Some(word) = dress::fence(line) {
            if !dress::is_language(word) {
                let message = format!(
                    "{} may be the language of a block of code, or a heading that stands on the line of its marks.",
                    quoted(word)
                );
                let help = format!(
                    "Write {} on a line of its own, or take it out.",
                    quoted(word)
                );
                self.wrong(line, Wrong::new(message, help));
            }
            return;
        }
        if let Some(cells) = dress::cells(line) {
            return self.row(line, &cells);
        }
        self.table = None;
        if line.is_empty() {
            self.gap = self.group;
            return;
        }
        if self.around(line) {
            return;
        }
        if let Some(inner) = dress::plain(line) {
            return match inner.starts_with(|first: char| first.is_ascii_digit()) {
                true => self.card(line, inner, None),
                false => self.heading(line, inner),
            };
        }
        if let Some((word, rest)) = dress::bold_word(line) {
            let total = rest.is_empty() || rest == ":" || heading::is_total(rest.trim_matches(':'));
            if total {
                self.heading(line, word);
                self.total = heading(rest)
                    .total
                    .filter(|_| self.section.is_some())
                    .map(|digits| Total {
                        word,
                        digits,
                        before: self.cards,
                    });
                return;
            }
        }
        if let Some(word) = ruled(line) {
            return self.ruled(line, word);
        }
        if let Some(word) = line.strip_prefix("##") {
            return self.heading(line, word.trim_start_matches('#').trim());
        }
        if line.starts_with(['#', '!']) || line.starts_with("//") {
            return self.comment(line);
        }
        if let Some(rest) = bullet(line) {
            let counted = rest.starts_with(|first: char| first.is_ascii_digit())
                || dress::wide_count(rest).is_some()
                || dress::trailing_count(rest).is_some();
            // Where a group states its total, a card without a count is one copy or the total
            // is wrong.
            let single = self.groups.iter().any(Option::is_some);
            self.below = self.frame.grouped;
            return match counted {
                true => self.card(line, rest, None),
                false if single => self.copies(line, (1, rest), None),
                false => {
                    let message = format!("{} has a bullet and no count.", quoted(line));
                    let help = format!("Write the number of copies: {}.", line::example("1", rest));
                    self.wrong(line, Wrong::new(message, help));
                }
            };
        }
        if let Some(rest) = line.strip_prefix("SB:") {
            return self.card(line, rest.trim(), Some("sideboard"));
        }
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            return self.card(line, line, None);
        }
        if dress::wide_count(line).is_some() {
            return self.card(line, line, None);
        }
        if dress::trailing_count(line).is_some() {
            return match self.builder.names.find(heading(line).word) {
                Some(_) => self.heading(line, line),
                None => self.card(line, line, None),
            };
        }
        match line::odd_count(line) {
            Some(wrong) if self.builder.names.find(heading(line).word).is_none() => {
                self.wrong(line, wrong);
            }
            _ => self.heading(line, line),
        }
    }

    /// A line between rules: a heading, or above everything else the list's title.
    fn ruled(&mut self, line: &'a str, word: &'a str) {
        let title = self.cards == 0 && self.section.is_none();
        let names_section = self.builder.names.find(counted(word).0).is_some();
        if word.is_empty() {
            return;
        }
        if names_section || !title {
            return self.heading(line, word);
        }
        self.pass_over("the list's title", line);
    }

    /// A line that begins as comments do: a heading where it names a section or has a total.
    fn comment(&mut self, line: &'a str) {
        let text = line.trim_matches(|c: char| c.is_whitespace() || "#/!".contains(c));
        let (_, total) = counted(text);
        let names_section = section_in_comment(line, &self.builder.names).is_some();
        if line.starts_with('!') || total.is_some() || names_section {
            return self.heading(line, text);
        }
        if text.is_empty() {
            return;
        }
        self.pass_over_comment(line);
    }

    pub(super) fn heading(&mut self, line: &'a str, text: &'a str) {
        let (word, digits) = counted(text);
        let folded = crate::name::fold(word);
        self.judge_groups();
        if let Some(digits) =
            digits.filter(|_| matches!(&*folded, "total" | "total cards" | "cards"))
        {
            self.judge_total();
            self.grand = Some(Total {
                word,
                digits,
                before: 0,
            });
            self.section = None;
            return;
        }
        let names = self.builder.names;
        self.judge_own_group();
        if names.find(word).is_none()
            && let Some(group) = Open::of(word, digits, self.builder.span(word), &names)
        {
            (self.group, self.gap) = (false, false);
            self.own_group = Some(group);
            return;
        }
        self.judge_total();
        (self.group, self.gap) = (false, false);
        let id = match names.find(word) {
            Some(id) => Cow::Borrowed(id),
            None if names.open && !word.is_empty() => {
                // Marks around a line make it a heading.
                let plain = line == text;
                if let Some(wrong) = heading::may_be_counted(text).filter(|_| plain) {
                    self.section = None;
                    return self.wrong(line, wrong);
                }
                folded
            }
            None => {
                self.section = None;
                self.wrong(line, heading::no_section(word, &names));
                if line::in_letters(word).is_some() {
                    return;
                }
                let span = self.builder.span(line);
                return self.builder.add_help(span, super::NAME_THE_SECTION);
            }
        };
        let span = self.builder.span(word);
        self.section = self.builder.enter(&id, span);
        self.total = digits.map(|digits| Total {
            word,
            digits,
            before: self.cards,
        });
    }

    fn judge_own_group(&mut self) {
        if let Some(group) = self.own_group.take()
            && let Err(wrong) = group.judge()
            && self.builder.errors.is_empty()
        {
            self.builder.wrong(group.span, wrong.message, &wrong.help);
        }
    }

    fn card(&mut self, line: &'a str, text: &'a str, section: Option<&str>) {
        match self.counted(text) {
            Ok(card) => self.copies(line, card, section),
            Err(wrong) => match self.builder.names.find(heading(text).word) {
                Some(_) => self.heading(line, text),
                None => self.wrong(line, wrong),
            },
        }
    }

    /// A card's line whose count is known.
    pub(super) fn copies(
        &mut self,
        line: &'a str,
        (count, name): (u32, &'a str),
        section: Option<&str>,
    ) {
        let whole = name;
        let pool = self.builder.names.pool;
        let known = |name: &str| pool.is_some_and(|pool| pool.find(name).is_some());
        let mut category = None;
        let name = match printing::category(name).filter(|_| !known(name)) {
            Some((before, word)) => {
                category = Some(word);
                before
            }
            None => name,
        };
        let name = self.plain(name);
        if let Some(word) = category.filter(|word| word.contains("{noDeck}")) {
            let message = format!("{} is marked as no part of the deck.", quoted(word));
            let help = "Take the line out, or the mark `{noDeck}`.";
            return self.wrong(line, Wrong::new(message, help));
        }
        let category = category.and_then(|word| {
            let mut words = word
                .split(',')
                .map(|word| word.split('{').next().unwrap_or(word));
            words.find(|word| self.builder.names.find(word.trim()).is_some())
        });
        let section = section.or(category).or_else(|| self.leading(whole));
        let span = self.builder.span(name);
        if section.is_none() && std::mem::take(&mut self.gap) {
            let message = "A blank line stands before this card, and many programs begin another section with one.";
            let help = "Write the section's name on a line above it, or take the blank line out.";
            self.wrong(line, Wrong::new(message, help));
            return;
        }
        let section = match (section, self.section) {
            (Some(word), _) => self.builder.section(word, self.builder.span(line)),
            (None, Some(section)) => Some(section),
            (None, None) => self
                .builder
                .enter(self.builder.names.first, Span::new(span.start, span.start)),
        };
        self.group = true;
        self.cards += u64::from(count);
        if let (Some(group), Some(pool)) = (&mut self.own_group, pool)
            && let Err(wrong) = group.take(count, name, pool)
        {
            self.own_group = None;
            return self.wrong(line, wrong);
        }
        if let Some(section) = section {
            self.builder.card(section, count, Cow::Borrowed(name), span);
        }
    }

    /// The section of a card that is marked as the deck's leader: `1 Name *CMDR*`. Where the
    /// format has none for it, the mark is told.
    fn leading(&mut self, name: &str) -> Option<&'static str> {
        const MARK: &str = "*CMDR*";
        let is_mark = |word: &str| word.eq_ignore_ascii_case(MARK);
        if !name.split_whitespace().any(is_mark) {
            return None;
        }
        let mut known = ["commander", "commanders"].into_iter();
        let section = known.find(|word| self.builder.names.find(word).is_some());
        if section.is_none() {
            let note = format!("passed over: {MARK}, since no section is called `commander`");
            if !self.builder.deck.notes.contains(&note) {
                self.builder.deck.notes.push(note);
            }
        }
        section
    }

    /// The count and the name of a card's line. A line that can be understood in two ways is
    /// understood in none.
    fn counted<'t>(&self, text: &'t str) -> Result<(u32, &'t str), Wrong> {
        let pool = self.builder.names.pool;
        let known = |name: &str| pool.is_some_and(|pool| pool.find(name).is_some());
        let first = match dress::wide_count(text) {
            Some(counted) => Some(counted?),
            None if text.starts_with(|first: char| first.is_ascii_digit()) => {
                match line::card(text) {
                    Ok(card) => Some(card),
                    // A name that begins with a digit: `7th Bell x3`.
                    Err(_) if dress::trailing_count(text).is_some() => None,
                    Err(wrong) => return Err(wrong),
                }
            }
            None => None,
        };
        let whole = first.map_or(text, |(_, name)| name);
        let Some((count, name)) = dress::trailing_count(whole) else {
            return first.ok_or_else(|| {
                let message = format!("{} has no count.", quoted(text));
                let help = format!("Write the number of copies: {}.", line::example("1", text));
                Wrong::new(message, help)
            });
        };
        let shown = quoted(text);
        match first {
            // A card may well be called `Model x3`.
            Some(first) if known(whole) || (pool.is_none() && !known(name)) => Ok(first),
            Some((copies, _)) => Err(Wrong::new(
                format!("{shown} has two counts: {copies} before the name, and {count} behind it."),
                format!(
                    "Keep the one that is meant: {}.",
                    line::example(&copies.to_string(), name)
                ),
            )),
            None if known(whole) => Err(Wrong::new(
                format!(
                    "{shown} may be one copy of {}, or {count} of {}.",
                    quoted(whole),
                    quoted(name)
                ),
                format!(
                    "Write {} or {}.",
                    line::example("1", whole),
                    line::example(&count.to_string(), name)
                ),
            )),
            None => Ok((count, name)),
        }
    }

    pub(super) fn wrong(&mut self, line: &'a str, wrong: Wrong) {
        let span = self.builder.span(line);
        self.builder.wrong_line(span, wrong);
    }
}

/// What stands between rules: `=== Side ===`, `*** Side ***`; empty for a rule alone.
fn ruled(line: &str) -> Option<&str> {
    ['*', '=', '-', '~', '_'].into_iter().find_map(|rule| {
        let of = |c: char| c == rule;
        let inner = line.trim_matches(of);
        let sides = line.len() - line.trim_start_matches(of).len() >= 3
            && line.len() - line.trim_end_matches(of).len() >= 3;
        sides.then_some(inner.trim())
    })
}

/// A line without the bullet that it begins with.
pub(in crate::deck) fn bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•', '–', '—', '·', '◦', '▪'])?;
    rest.starts_with(char::is_whitespace)
        .then(|| rest.trim_start())
}

/// A heading's word and its total: `Side (12)`, `Side - 12`, `Side: 12`, or `Side`.
fn counted(text: &str) -> (&str, Option<&str>) {
    let found = heading(text);
    if found.total.is_some() {
        return (found.word, found.total);
    }
    let digits = text
        .rsplit_once(['-', '–', '—', ':'])
        .and_then(|(word, digits)| {
            let (word, digits) = (word.trim(), digits.trim());
            let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            (number && !word.is_empty()).then_some((word, Some(digits)))
        });
    digits.unwrap_or((found.word, None))
}
