//! Lines without a count: comments, headings of open formats, titles, mistakes.

use super::*;
use decklaw_cards::sections::board::{Board, Mention};
use decklaw_text::text::listed;

/// Lines without numbers that NetrunnerDB writes below a list.
const ASIDE: [&str; 3] = ["Cards up to ", "Decklist published on ", "Decklist [published on "];

impl<'a> Reader<'a, '_> {
    /// Classifies a line that begins as comments do.
    #[cold]
    pub(super) fn comment(&self, text: &'a str) -> Line<'a> {
        let names = self.names();
        let framed = heading::framed(text);
        // Cockatrice writes `// 12 Maindeck`.
        if text.starts_with("//")
            && let Some((digits, word)) = heading::unframed(text).split_once(' ')
            && count::is_digits(digits)
            && names.find(word).is_some()
        {
            let total = Some(digits);
            let heading = Heading { word, total };
            let foreign = true;
            return Line::Heading { heading, foreign };
        }
        if names.find(framed.word).is_some() {
            return Line::CommentHeading(framed);
        }
        if let Some(word) = names.in_comment(text) {
            let total = framed.total.filter(|_| framed.word == word);
            return Line::CommentHeading(Heading { word, total });
        }
        if text.starts_with('!') {
            let message = format!("{} begins with `!`, which means nothing here.", quoted(text));
            return Line::Wrong(Wrong::new(message, "Begin a comment with `#` or `//`."));
        }
        let is_title = text.starts_with("##") && !framed.word.is_empty();
        if is_title && names.open && (framed.total.is_some() || self.bullets_follow(text)) {
            let (heading, foreign) = (framed, true);
            return Line::Heading { heading, foreign };
        }
        if is_title && framed.total.is_some() {
            return Line::NoSection(names.no_section(framed.word));
        }
        let holds_card = holds_card(text, &names, self.current_section());
        Line::Comment { holds_card }
    }

    /// Whether the next line that is not empty has a bullet.
    fn bullets_follow(&self, text: &str) -> bool {
        let end = self.builder.span(text).end;
        let rest = self.builder.source.get(end..).unwrap_or_default();
        let mut lines = rest.lines().map(trimmed).filter(|line| !line.is_empty());
        lines.next().is_some_and(|next| marks::bullet(next).is_some())
    }

    /// Classifies a line of words: a new section where the format has any, else prose or an error.
    #[cold]
    pub(super) fn words(&self, text: &'a str) -> Line<'a> {
        let names = self.names();
        if let Some((digits, name)) = count::misplaced(text)
            && !self.is_known(text)
        {
            return Line::Wrong(Wrong::form(text, digits, name));
        }
        if self.footed {
            if ASIDE.iter().any(|start| text.starts_with(start)) {
                return Line::Aside;
            }
            if self.is_top() && heading(text).total.is_none() {
                return self.above(text);
            }
        }
        if self.is_top()
            && !text.starts_with('[')
            && let Some((key, value)) = text.split_once(':')
            && !value.trim().is_empty()
            && !heading::is_total(value.trim())
        {
            // A Markdown title and headings are above such lines.
            let source = self.builder.source;
            let is_titled = source.trim_start().starts_with("# ") && source.contains("\n## ");
            return if is_titled {
                Line::Prose
            } else if self.known_in(text).is_some() {
                Line::Wrong(self.uncounted(text, text))
            } else {
                Line::Wrong(unknown_header(key.trim_end()))
            };
        }
        if self.known_in(text).is_some() {
            return Line::Wrong(self.uncounted(text, text));
        }
        if let Some(parts) = marks::listed_names(text)
            && let Some(first) = parts.first()
        {
            let copies = parts.iter().filter(|part| *part == first).count();
            if copies > 1 || parts.iter().all(|part| self.is_known(part)) {
                let message = format!("{} is more than one card.", quoted(text));
                let card = count::example(&copies.to_string(), first);
                let help = format!("Write one card a line, with its count: {card}.");
                return Line::Wrong(Wrong::new(message, help));
            }
        }
        if names.open {
            return self.open_section(text);
        }
        let framed = heading::framed(text);
        let is_slip = || {
            let pool = self.pool().filter(|_| text.len() <= marks::LONGEST);
            pool.is_some_and(|pool| pool.is_slip(text))
        };
        let is_wrong = framed.total.is_some()
            || text.starts_with('[')
            || self.before != Before::Other
            || count::in_letters(text).is_some()
            || is_slip();
        if !is_wrong {
            return match self.section_before_card(text) {
                Some(given) => Line::Wrong(Wrong::form(text, given.digits, given.name)),
                None => Line::Prose,
            };
        }
        let word = if framed.word.is_empty() { text } else { framed.word };
        Line::NoSection(names.no_section(word))
    }

    /// Returns the card behind a section's name: `Side - 2 Name`, `SB 2 Name`.
    fn section_before_card(&self, text: &'a str) -> Option<CountedName<'a>> {
        let names = self.names();
        let (word, card) = text.split_at(text.find(|c: char| c.is_ascii_digit())?);
        let board = names.board(word.trim_matches(|c: char| !c.is_alphanumeric()))?;
        let given = CountedName::leading(card)?;
        let is_card = match self.pool() {
            Some(_) => self.find(given.name).is_some(),
            None => {
                matches!(&board, Board::Section(id) if board::is_side(id))
                    && !given.name.starts_with("card")
            }
        };
        is_card.then_some(given)
    }

    /// Returns the id of the section that the next card is read into.
    fn current_section(&self) -> &str {
        let sections = &self.builder.deck.sections;
        match self.place {
            Some(Place::Section(at)) => {
                sections.get(usize::from(at)).map_or(self.names().first, |section| &section.id)
            }
            _ => self.names().first,
        }
    }

    /// Returns the card that a text without a count before it names, and the last number outside
    /// the name.
    pub(super) fn known_in<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        if self.is_known(text) {
            return Some(("1", text));
        }
        let spaced = || {
            let (name, digits) = text.rsplit_once(char::is_whitespace)?;
            count::is_digits(digits).then(|| (digits, name.trim_end()))
        };
        let counted = count::behind(text).or_else(|| count::misplaced(text));
        if let Some(counted) = counted.or_else(spaced)
            && self.is_known(counted.1)
        {
            return Some(counted);
        }
        let name = text.trim_matches(|c: char| !c.is_alphabetic());
        if !self.is_known(name) {
            return None;
        }
        let (before, behind) = text.split_once(name)?;
        let is_other = |c: char| !c.is_ascii_digit();
        let numbers = [before, behind].into_iter().flat_map(|part| part.split(is_other));
        let mut numbers = numbers.filter(|digits| !digits.is_empty());
        Some((numbers.next_back().unwrap_or("1"), name))
    }

    /// The error of a card without a count before its name.
    pub(super) fn uncounted(&self, line: &str, text: &str) -> Wrong {
        let known = self.known_in(text).or_else(|| count::behind(text));
        let (digits, name) = known.unwrap_or(("1", text));
        Wrong::form(line, digits, name)
    }

    /// Classifies a line above a list of NetrunnerDB's: its title, or the identity.
    fn above(&self, text: &'a str) -> Line<'a> {
        let found = self.find(text);
        if self.aside.prose.is_empty() && found.is_none() {
            return Line::Prose;
        }
        Line::Identity(found.or_else(|| marks::phrase(text)).unwrap_or(text))
    }

    /// Begins a section of a format in which a deck may name any.
    pub(super) fn open_section(&self, text: &'a str) -> Line<'a> {
        let foreign = text.starts_with(['*', '=', '-', '_', '~']);
        let own = heading(text);
        let heading = if foreign { heading::framed(text) } else { own };
        // A line between rules above everything else is the list's title.
        if self.is_top() && heading::is_ruled(text) && !board::is_common(heading.word) {
            return Line::Prose;
        }
        if let Some(given) = self.section_before_card(text) {
            return Line::Wrong(Wrong::form(text, given.digits, given.name));
        }
        let card = heading.word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if card.len() < text.len()
            && !text.starts_with('[')
            && let Some(given) = CountedName::leading(card)
        {
            return Line::Wrong(Wrong::form(text, given.digits, given.name));
        }
        if let Some((digits, name)) = count::in_letters(text).filter(|_| own.word == text) {
            let mut wrong = Wrong::form(text, digits, name);
            let section = quoted(&format!("[{text}]"));
            wrong.help.push_str(&format!(" If it is a section, write {section}."));
            return Line::Wrong(wrong);
        }
        let is_code = |c: char| "=|{}<>\\\t".contains(c);
        if heading.word.is_empty() || heading.word.contains(is_code) && !text.starts_with('[') {
            let message = format!("{} is not a section.", quoted(text));
            let help = "Write the section's name on a line of its own.";
            return Line::Wrong(Wrong::new(message, help));
        }
        Line::Heading { heading, foreign }
    }
}

#[cold]
fn unknown_header(key: &str) -> Wrong {
    let known = HEADERS.map(str::to_ascii_lowercase);
    let near = decklaw_text::name::nearest(
        &decklaw_text::name::fold(key),
        known.iter().map(String::as_str),
    );
    let meant = near.first().and_then(|near| header(near));
    let meant = meant.map(|at| format!("Did you mean `{}`? ", HEADERS[at]));
    let keys = HEADERS.map(|key| format!("`{key}`"));
    let help = format!(
        "{}The headers are {}. Write a section on a line of its own.",
        meant.unwrap_or_default(),
        listed(&keys, "and")
    );
    Wrong::new(format!("{} is not a header of a deck.", quoted(key)), help)
}

/// Whether a comment is a card line or a heading after its mark, or ends in one, or speaks of
/// another section than that of an id: somebody commented it out, or a line break was lost.
fn holds_card(comment: &str, names: &SectionNames<'_>, id: &str) -> bool {
    let is_card = |text: &str| {
        let name = CountedName::leading(text).map(|given| given.name);
        let pool = names.pool;
        name.is_some_and(|name| pool.is_some_and(|pool| pool.has_name(name)))
    };
    let text = comment.trim_start_matches(['#', '/']).trim_start();
    if is_card(marks::bullet(text).unwrap_or(text))
        || names.mentions_other(text, id, Mention::First)
    {
        return true;
    }
    let may_be_glued = |pair: &[u8]| match pair {
        [before, b'0'..=b'9'] => before.is_ascii_alphabetic(),
        [before, b'A'..=b'Z'] => before.is_ascii_lowercase(),
        [_, sign] => *sign == b'[',
        _ => false,
    };
    if text.is_ascii() && !text.as_bytes().windows(2).any(may_be_glued) {
        return false;
    }
    let letters = text.char_indices().skip(1);
    letters.zip(text.chars()).any(|((at, letter), before)| {
        let rest = text.get(at..).unwrap_or_default();
        let is_glued = letter.is_uppercase() && before.is_lowercase();
        if letter.is_ascii_digit() {
            before.is_alphabetic() && is_card(rest)
        } else {
            (letter == '[' || is_glued) && names.find(heading(rest).word).is_some()
        }
    })
}

/// Notes the comments of a deck in YAML that hold a card line or a section.
pub(in crate::deck) fn note_comments(deck: &mut Deck<'_>, source: &str, names: &SectionNames<'_>) {
    let comments = source.lines().map(str::trim);
    let comments = comments.filter(|line| line.starts_with('#'));
    let holding = comments
        .filter(|line| names.in_comment(line).is_some() || holds_card(line, names, names.first));
    for line in holding.take(MOST_NOTES) {
        let message = format!("ignored as a comment: {}", quoted(line));
        deck.note(Fault::LeftOut, message, "", None);
    }
}
