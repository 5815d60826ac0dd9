//! What of XML is counted before it is read.

use crate::limits::xml::{DEEPEST, MOST_ATTRIBUTES, MOST_SPACES};

/// Where a document first goes beyond what any deck does, and how: elements
/// deeper than in one, or more attributes in one or namespaces in all, for which readers take the
/// square of their number. What looks like a tag in a comment counts too, which none comes near.
pub fn boundless(source: &str) -> Option<(usize, String)> {
    let bytes = source.as_bytes();
    let (mut depth, mut spaces, mut at) = (0_usize, 0, 0);
    while let Some(begin) = memchr::memchr(b'<', &bytes[at..]).map(|found| at + found) {
        at = begin + 1;
        match bytes.get(at) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                let tag = Tag::at(bytes, at);
                spaces += tag.spaces;
                depth += usize::from(!tag.closed);
                at = tag.end;
                if tag.attributes > MOST_ATTRIBUTES {
                    let message =
                        format!("This element has more than {MOST_ATTRIBUTES} attributes.");
                    return Some((begin, message));
                }
            }
        }
        if spaces > MOST_SPACES {
            let message = format!("This XML names more than {MOST_SPACES} namespaces.");
            return Some((begin, message));
        }
        if depth > DEEPEST {
            let message = format!("This XML is deeper than any deck ({DEEPEST} levels).");
            return Some((begin, message));
        }
    }
    None
}

/// What is counted of a tag.
#[derive(Default)]
struct Tag {
    /// Where it ends: behind its `>`, before a `<`, or with the text.
    end: usize,
    /// Whether it is an element of its own, `<a/>`.
    closed: bool,
    attributes: usize,
    /// Those that name a namespace.
    spaces: usize,
}

impl Tag {
    /// The tag whose name begins at a byte.
    fn at(bytes: &[u8], start: usize) -> Tag {
        let mut tag = Tag { end: bytes.len(), ..Tag::default() };
        let mut at = start;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'>' => {
                    tag.closed = bytes[at - 1] == b'/';
                    tag.end = at + 1;
                    break;
                }
                // No value of an attribute has one, so the tag is broken; the reader says how.
                b'<' => {
                    tag.end = at;
                    break;
                }
                quote @ (b'"' | b'\'') => {
                    let inside = &bytes[at + 1..];
                    at += memchr::memchr2(*quote, b'<', inside).map_or(inside.len(), |end| end);
                    at += usize::from(bytes.get(at + 1) == Some(quote));
                }
                b'=' => tag.attributes += 1,
                b'x' if bytes[at..].starts_with(b"xmlns") => tag.spaces += 1,
                _ => {}
            }
            at += 1;
        }
        tag
    }
}
