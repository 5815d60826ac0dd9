//! The one hand that draws marks under what is to blame in a line.

use crate::text::Span;

/// The columns that a query gets.
pub(super) const QUERY: usize = 76;
/// The columns that a line of a file gets.
pub(super) const LINE: usize = 100;

/// A line of its own for the neighbourhood of a place in a text of one line, and marks under
/// it, all indented; `most`: columns of the text that are shown.
pub(super) fn marked(text: &str, span: Span, most: usize) -> String {
    let count = |range: Option<&str>| range.map_or(0, |part| part.chars().count());
    let at = count(text.get(..span.start));
    let length = count(text.get(span.start..span.end));
    // A long text is shown from a little before the place on.
    let skipped = match text.chars().count() <= most {
        true => 0,
        false => at.saturating_sub(most / 2),
    };
    let shown = text.chars().skip(skipped).take(most);
    let shown: String = shown
        .map(|next| if next.is_whitespace() { ' ' } else { next })
        .collect();
    let marks = "^".repeat(length.clamp(1, (most + skipped).saturating_sub(at).max(1)));
    format!("\n    {shown}\n    {}{marks}", " ".repeat(at - skipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_under_what_is_to_blame() {
        assert_eq!(
            marked("1+ [manna]", Span::new(4, 9), 76),
            "\n    1+ [manna]\n        ^^^^^"
        );
        // Letters are counted, not bytes; tabs are as wide as letters; the end has a mark.
        assert_eq!(marked("ä\tö?", Span::new(3, 5), 9), "\n    ä ö?\n      ^");
        assert_eq!(marked("ab", Span::new(2, 2), 2), "\n    ab\n      ^");
        // The neighbourhood of a place far behind, and no more marks than columns.
        let long = format!("{}WRONG{}", "a".repeat(500), "b".repeat(500));
        let drawn = marked(&long, Span::new(500, 1005), 20);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[1], "    aaaaaaaaaaWRONGbbbbb");
        assert_eq!(lines[2], "              ^^^^^^^^^^");
    }
}
