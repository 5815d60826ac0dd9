//! What deck builders put around a list: its title, the groups of a section, and what the list
//! comes to.

use crate::deck::heading::{self, heading};

/// What a line of NetrunnerDB's says of the whole list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Footer<'t> {
    /// How many cards there are, the identity not counted.
    Cards(&'t str),
    /// What no deck is made of.
    Aside,
}

/// A line such as `15 influence spent (max 15, available 0)` or `49 cards (min 45)`.
pub(super) fn footer(line: &str) -> Option<Footer<'_>> {
    let start = line.trim_start_matches(|next: char| next.is_ascii_digit());
    let digits = &line[..line.len() - start.len()];
    if digits.is_empty() {
        let published = line.starts_with("Decklist published on ")
            || line.starts_with("Decklist [published on ");
        return (published || line.starts_with("Cards up to ")).then_some(Footer::Aside);
    }
    let says = |words: &str| start.starts_with(words) && start.ends_with(')');
    if says(" cards (min ") {
        return Some(Footer::Cards(digits));
    }
    let aside = says(" influence spent (max ") || says(" agenda points (between ");
    aside.then_some(Footer::Aside)
}

/// What kind of list it is, as its frame tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Frame {
    /// NetrunnerDB's: a title and an identity above, what it comes to below.
    pub(super) footed: bool,
    /// The same where every card has the name of its set behind it, in brackets.
    pub(super) sets: bool,
    /// arkham.build's: a title, sections, and in them groups with totals.
    pub(super) grouped: bool,
}

impl Frame {
    /// What stands around a list.
    pub(super) fn of(source: &str) -> Frame {
        let lines = || {
            source
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
        };
        let counted = |line: &&str| {
            line.starts_with(|first: char| first.is_ascii_digit()) && footer(line).is_none()
        };
        let footed = lines().any(|line| {
            footer(line).is_some() && line.starts_with(|first: char| first.is_ascii_digit())
        });
        let grouped = lines().next().is_some_and(|first| first.starts_with("# "))
            && lines().any(|line| line.starts_with("## "))
            && lines().any(|line| group(line).is_some());
        Frame {
            footed,
            sets: footed
                && lines().any(|line| counted(&line))
                && lines()
                    .filter(counted)
                    .all(|line| undotted(line).ends_with(')')),
            grouped,
        }
    }
}

/// A group's word and its total, and whether it is one within a group: `**Asset** (13)`,
/// `_Hand_ (2)`.
pub(super) fn group(line: &str) -> Option<(&str, &str, bool)> {
    let (inner, mark) = match line.strip_prefix("**") {
        Some(inner) => (inner, "**"),
        None => (line.strip_prefix('_')?, "_"),
    };
    let (word, rest) = inner.split_once(mark)?;
    let rest = rest.trim();
    let total = heading(rest).total.filter(|_| heading::is_total(rest))?;
    (!word.trim().is_empty()).then_some((word.trim(), total, mark == "_"))
}

/// A text without the dots behind it that say what a card costs.
pub(super) fn undotted(text: &str) -> &str {
    let dots = |next: char| matches!(next, '●' | '•');
    let bare = text.trim_end_matches(|next: char| dots(next) || next.is_whitespace());
    let behind = &text[bare.len()..];
    match behind.starts_with(char::is_whitespace) && behind.contains(dots) && !bare.is_empty() {
        true => bare,
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_a_list() {
        for line in [
            "15 influence spent (max 15, available 0)",
            "20 agenda points (between 20 and 21)",
            "Cards up to Some Set",
            "Decklist published on https://netrunnerdb.com.",
        ] {
            assert_eq!(footer(line), Some(Footer::Aside), "{line}");
        }
        assert_eq!(footer("49 cards (min 45)"), Some(Footer::Cards("49")));
        for line in [
            "3 Moss Sprite",
            "3 Influence Spent",
            "3 Cards of Fate (ABC)",
            "Cards",
        ] {
            assert_eq!(footer(line), None, "{line}");
        }
        assert_eq!(group("**Asset** (13)"), Some(("Asset", "13", false)));
        assert_eq!(group("_Hand x2_ (2)"), Some(("Hand x2", "2", true)));
        assert_eq!(group("**Side**"), None);
        assert_eq!(undotted("Spin Doctor (Gate) ●●●●● ●"), "Spin Doctor (Gate)");
        assert_eq!(undotted("• •"), "• •");
    }
}
