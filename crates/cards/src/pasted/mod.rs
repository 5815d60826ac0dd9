//! Lines as people paste them: counts, names with marks around them, headings.

pub mod count;
pub mod heading;
pub mod marks;

/// A stretch of a deck as a message quotes it: harmless, and cut where it is long.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let (text, cut) = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    format!("`{}{cut}`", decklaw_text::text::escape_control(text, false))
}
