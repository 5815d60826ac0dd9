//! What players' lists say of a card beside its name: set, number, foil, tags.

/// The longest text that may be a card's name with marks in it, in bytes.
const LONGEST: usize = 1 << 10;

/// A card's name without the marks behind it: `Name (SET) 123 *F* #tag ^label^` is `Name`.
///
/// A text that `known` knows is a name as it is, and nothing is taken from it. Marks that
/// could be part of a name, such as `Name SET 24`, are only taken where what is left is known.
pub(super) fn name<'t>(text: &'t str, known: &dyn Fn(&str) -> bool) -> &'t str {
    let mut name = text;
    // What is known is asked of each part that is left: of long ones that would take the square
    // of their length.
    let known = |name: &str| name.len() <= LONGEST && known(name);
    while !known(name) {
        match without_mark(name) {
            Some(shorter) => name = shorter,
            None => return within(name, &known, 0).unwrap_or(name),
        }
    }
    name
}

/// What is known of a name whose first or last words could be part of it: `x Name`,
/// `Name SET 24`, `Name (A Set's Name)`, `Name†`. Nothing where no such name is known.
fn within<'t>(text: &'t str, known: &dyn Fn(&str) -> bool, steps: usize) -> Option<&'t str> {
    let dagger = text.strip_suffix(['†', '‡']).map(str::trim_end);
    let shorter = [
        without_plain_printing(text),
        phrase(text),
        dagger,
        times(text),
    ];
    shorter
        .into_iter()
        .flatten()
        .find_map(|name| match known(name) {
            true => Some(name),
            false if steps < 3 && !name.is_empty() => within(name, known, steps + 1),
            false => None,
        })
}

/// A name behind the sign that stands apart from its count: `3 x Name`, `3 × Name`.
pub(super) fn times(text: &str) -> Option<&str> {
    let name = text.strip_prefix(['x', 'X', '×', '*'])?;
    let bare = name.trim_start();
    (bare.len() < name.len() && !bare.is_empty()).then_some(bare)
}

/// A name without the words in brackets behind it. A number there may be what tells it from
/// another card.
pub(super) fn phrase(text: &str) -> Option<&str> {
    let (name, inner) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let words = inner.contains(char::is_alphabetic);
    (words && !name.trim_end().is_empty()).then_some(name.trim_end())
}

/// A name and the category in brackets behind it, as Archidekt writes it: `Name (set) 1 [Ramp]`.
/// A label between carets may stand behind that.
pub(super) fn category(text: &str) -> Option<(&str, &str)> {
    let text = match text.strip_suffix('^') {
        Some(label) => label
            .rsplit_once(" ^")
            .map_or(text, |(before, _)| before.trim_end()),
        None => text,
    };
    let (before, word) = text.strip_suffix(']')?.rsplit_once(" [")?;
    let word = word.trim();
    let plain = !word.is_empty() && !word.contains(['[', ']']) && !is_code(word, true);
    (plain && !before.trim_end().is_empty()).then_some((before.trim_end(), word))
}

/// A name without the set's code before it: `[SET] Name`, `[SET#12] Name`.
fn without_set_before(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    // A code is short, and looking for its end in each part of a long text takes long.
    let end = inner.bytes().take(20).position(|byte| byte == b']')?;
    let (code, name) = (inner.get(..end)?, inner.get(end + 1..)?);
    let name = name.strip_prefix(' ')?.trim_start();
    let numbered = code.split_once('#').filter(|(_, number)| is_number(number));
    let code = numbered.map_or(code, |(code, _)| code);
    (is_code(code, true) && !name.is_empty()).then_some(name)
}

fn without_mark(text: &str) -> Option<&str> {
    if let Some(name) = without_set_before(text) {
        return Some(name);
    }
    let bare = super::sheet::undotted(text);
    if bare.len() < text.len() {
        return Some(bare);
    }
    // In Markdown a set's name stands slanted.
    if let Some((name, _)) = text
        .strip_suffix(")_")
        .and_then(|text| text.rsplit_once(" _("))
    {
        return Some(name.trim_end()).filter(|name| !name.is_empty());
    }
    let (before, last) = last_word(text)?;
    let foil = |word: &str| word.len() >= 3 && word.starts_with('*') && word.ends_with('*');
    let tag = |word: &str| {
        let tag = word
            .strip_prefix('#')
            .map(|tag| tag.trim_start_matches('!'));
        tag.is_some_and(|tag| tag.starts_with(char::is_alphabetic))
    };
    if foil(last) || tag(last) || is_set(last, true) {
        return Some(before);
    }
    if let Some(label) = text.strip_suffix('^') {
        let (before, _) = label.rsplit_once(" ^")?;
        return Some(before.trim_end()).filter(|before| !before.is_empty());
    }
    let (name, set) = last_word(before)?;
    (is_number(last) && is_set(set, false)).then_some(name)
}

/// `Name SET 24` without set and number.
fn without_plain_printing(text: &str) -> Option<&str> {
    let (before, number) = last_word(text)?;
    let (name, set) = last_word(before)?;
    (is_number(number) && is_code(set, true)).then_some(name)
}

/// The last word and what stands before it, which is never empty.
fn last_word(text: &str) -> Option<(&str, &str)> {
    let (before, last) = text.rsplit_once(char::is_whitespace)?;
    let before = before.trim_end();
    (!before.is_empty() && !last.is_empty()).then_some((before, last))
}

/// Whether a word is a set's code in brackets.
fn is_set(word: &str, capitals: bool) -> bool {
    let code = word
        .strip_prefix('(')
        .and_then(|word| word.strip_suffix(')'));
    let code = code.or_else(|| word.strip_prefix('[')?.strip_suffix(']'));
    code.is_some_and(|code| is_code(code, capitals))
}

fn is_code(code: &str, capitals: bool) -> bool {
    let fits = |c: u8| {
        c.is_ascii_digit()
            || c == b'-'
            || c == b'_'
            || match capitals {
                true => c.is_ascii_uppercase(),
                false => c.is_ascii_alphabetic(),
            }
    };
    (2..=8).contains(&code.len())
        && code.bytes().all(fits)
        && code.bytes().any(|c| c.is_ascii_alphabetic())
}

fn is_number(word: &str) -> bool {
    let word = word.trim_end_matches(['★', '†']);
    let fits = |c: u8| c.is_ascii_alphanumeric() || c == b'-';
    word.len() <= 10 && word.bytes().all(fits) && word.bytes().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off() {
        let nothing = |_: &str| false;
        for text in [
            "Rain Caller",
            "Rain Caller (ABC)",
            "Rain Caller (abc) 12",
            "Rain Caller (ABC) 12a *F*",
            "Rain Caller [ABC] 7★ #tag #!Leader",
            "Rain Caller (ABC) *F* ^Have it,#37d67a^",
            "[ABC] Rain Caller",
            "[2AB#310] Rain Caller",
        ] {
            assert_eq!(name(text, &nothing), "Rain Caller", "{text}");
        }
        for text in [
            "Robot #5",
            "[ABC#] Robot",
            "Mountain (a)",
            "Deck 2",
            "(ABC) 12",
            "*F*",
            "Number 12",
            "A SUM 24",
        ] {
            assert_eq!(name(text, &nothing), text);
        }
    }

    #[test]
    fn a_known_name_is_left_whole() {
        let known = |name: &str| ["Agent (ABC)", "Agent"].contains(&name);
        assert_eq!(name("Agent (ABC)", &known), "Agent (ABC)");
        assert_eq!(name("Agent (ABC) 12", &known), "Agent");
        assert_eq!(name("Agent (ABC) #x", &known), "Agent (ABC)");
        assert_eq!(name("Agent SUM 24", &known), "Agent");
    }
}
