//! Whether a text is plainly a list that was pasted from another program.

use super::{Ask, dress, kinds, pasted, printing, sheet};
use crate::deck::line;
use crate::deck::{Deck, SectionNames, SyntaxError, text};

/// What is said of a text that was read as a pasted list.
const NOTE: &str = "read as: pasted list";

/// Reads a deck in the native dialect, or as a pasted list where it is plainly one: where the
/// dialect does not understand it and most of its lines wear what other programs put on them,
/// or where nothing but such marks keeps names from being those of cards.
pub(in crate::deck) fn text_or_pasted<'a, 'f>(
    source: &'a str,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    if let Some(kind) = kinds::of(source) {
        return kind.read(source, ask);
    }
    // What a builder writes around a list would be cards and sections of the native dialect.
    let frame = sheet::Frame::of(source);
    if frame.footed || frame.grouped {
        return pasted(source, ask).map(noted).map_err(plain);
    }
    let mut asked: Option<SectionNames<'f>> = None;
    let read = {
        let mut once = |format: Option<&str>| {
            asked = ask(format);
            asked
        };
        text::read(source, &mut once)
    };
    let mut seen = Marks::None;
    let again = match &read {
        Ok(deck) => {
            if !deck.lines.iter().any(|line| may_be_marked(&line.name)) {
                return read;
            }
            let known = Known::of(asked);
            // Without the cards nothing tells a mark from a part of a name.
            known.any() && !known.all(deck)
        }
        Err(_) => {
            seen = marks(source);
            seen == Marks::Plain
        }
    };
    if !again {
        return read.map_err(|errors| remedied(errors, seen));
    }
    match (read, pasted(source, ask)) {
        (Ok(deck), Ok(other)) if Known::of(asked).prefers(&deck, &other) => Ok(noted(other)),
        (Ok(deck), Err(errors))
            if Known::of(asked).none(&deck) && marks(source) == Marks::Plain =>
        {
            Err(plain(errors))
        }
        (Ok(deck), _) => Ok(deck),
        (Err(_), Ok(other)) => Ok(noted(other)),
        (Err(_), Err(errors)) => Err(plain(errors)),
    }
}

/// Says of a text with a few marks of other programs how it could be read as one of theirs.
fn remedied(mut errors: Vec<SyntaxError>, seen: Marks) -> Vec<SyntaxError> {
    if let Some(first) = errors.first_mut().filter(|_| seen == Marks::Some) {
        first
            .add_help("If the list was copied from another program, read it with `--from pasted`.");
    }
    errors
}

/// Says of errors how the file was read.
fn plain(mut errors: Vec<SyntaxError>) -> Vec<SyntaxError> {
    if let Some(first) = errors.first_mut() {
        let told = "The file is read as a list pasted from another program.";
        first.add_help(told);
    }
    errors
}

fn noted(mut deck: Deck<'_>) -> Deck<'_> {
    deck.notes.push(NOTE.to_owned());
    deck
}

/// Which names are cards, where that is known.
#[derive(Clone, Copy)]
struct Known<'f>(Option<&'f crate::pool::Pool>);

impl<'f> Known<'f> {
    fn of(names: Option<SectionNames<'f>>) -> Known<'f> {
        let pool = names.and_then(|names| names.pool);
        Known(pool.filter(|pool| !pool.is_empty()))
    }

    fn any(self) -> bool {
        self.0.is_some()
    }

    fn has(self, name: &str) -> bool {
        self.0.is_some_and(|pool| pool.find(name).is_some())
    }

    fn none(self, deck: &Deck<'_>) -> bool {
        self.any() && !deck.lines.iter().any(|line| self.has(&line.name))
    }

    fn all(self, deck: &Deck<'_>) -> bool {
        deck.lines.iter().all(|line| self.has(&line.name))
    }

    /// Whether another reading knows cards that this one does not, and loses none.
    fn prefers(self, deck: &Deck<'_>, other: &Deck<'_>) -> bool {
        if !self.any() {
            return true;
        }
        let cards = |deck: &Deck<'_>| {
            let known = deck.lines.iter().filter(|line| self.has(&line.name));
            known.map(|line| u64::from(line.count)).sum::<u64>()
        };
        cards(other) > cards(deck)
    }
}

/// Whether a name ends, or begins, as one does that wears marks: a quick look at most.
fn may_be_marked(name: &str) -> bool {
    let bytes = name.as_bytes();
    let last = bytes.last().copied().unwrap_or_default();
    let first = bytes.first().copied().unwrap_or_default();
    matches!(last, b')' | b']' | b'*' | b'^' | b'0'..=b'9' | b'"')
        || matches!(first, b'[' | b'"' | b'*')
        || last >= 0x80
        || printing::times(name).is_some()
        || memchr::memchr(b'#', bytes).is_some()
}

/// How much of a text wears what no list of the native dialect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marks {
    None,
    Some,
    /// At least half of its lines, and not only one of several.
    Plain,
}

fn marks(source: &str) -> Marks {
    let (mut lines, mut marked) = (0_usize, 0_usize);
    let mut fenced = false;
    for line in source.lines() {
        let line = line.trim();
        let header = line.split_once(':').map(|(key, _)| key.trim_end());
        let header = header.is_some_and(|key| crate::deck::header(key).is_some());
        if line.is_empty() || header {
            continue;
        }
        // Neither means anything else.
        let aside = line.strip_prefix("SB:").map(str::trim_start);
        fenced |= dress::fence(line).is_some() || aside.is_some_and(line::looks_counted);
        fenced |= is_heading_with_total(line);
        let body = dress::unquoted(line);
        let bold = dress::plain(body).is_some() || dress::bold_word(body).is_some();
        let dressed = body.len() < line.len() || bold;
        if !line::looks_counted(body) && !is_marked(body) && !dressed {
            continue;
        }
        lines += 1;
        marked += usize::from(dressed || is_marked(body));
    }
    let few = lines > 2 && marked < 2;
    if (marked > 0 && !few && 2 * marked >= lines) || (fenced && lines > 0) {
        Marks::Plain
    } else if marked > 0 {
        Marks::Some
    } else {
        Marks::None
    }
}

/// Whether a line is a word and the number of cards below it, `Trainer: 27`: a heading of other
/// programs, and nothing in the native dialect.
fn is_heading_with_total(line: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !line::looks_counted(line)
        && line
            .rsplit_once(':')
            .is_some_and(|(word, total)| !word.trim().is_empty() && number(total.trim()))
}

/// Whether a line wears a mark of other programs.
fn is_marked(line: &str) -> bool {
    let bulleted = super::pasted::bullet(line);
    let body = bulleted.unwrap_or(line);
    let counted = body.starts_with(|first: char| first.is_ascii_digit());
    if bulleted.is_some() && counted || dress::cells(line).is_some_and(|cells| cells.len() > 1) {
        return true;
    }
    if line.starts_with("SB:") || dress::wide_count(body).is_some() {
        return true;
    }
    if !counted {
        return dress::trailing_count(body).is_some();
    }
    let Ok((_, name)) = line::card(body) else {
        return false;
    };
    let nothing = |_: &str| false;
    printing::name(name, &nothing).len() < name.len()
        || printing::category(name).is_some()
        || (name.starts_with("[[") && name.ends_with("]]"))
}
