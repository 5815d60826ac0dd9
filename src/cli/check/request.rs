//! A line of a stream: a deck, and what its program wants back with the verdict.

use crate::deck::Input;
use memchr::memmem;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// A deck to judge.
#[derive(Debug)]
pub(super) struct Request {
    /// The deck's own bytes: those of the line, with what is passed through blanked out, or its
    /// text.
    pub(super) deck: Option<Vec<u8>>,
    pub(super) input: Input,
    /// The format of a deck in text, where the line says it.
    pub(super) format: Option<String>,
    /// What comes back with the verdict: members in JSON, with a comma behind each.
    pub(super) passed: String,
    /// Whether an id is among them.
    pub(super) named: bool,
}

/// The members of an object, in their order, each as it is written.
struct Members<'l>(Vec<(String, &'l RawValue)>);

impl<'l> serde::Deserialize<'l> for Members<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Members<'l>, D::Error> {
        struct All;
        impl<'l> Visitor<'l> for All {
            type Value = Members<'l>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }
            fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Members<'l>, A::Error> {
                let mut all = Vec::new();
                while let Some(member) = map.next_entry()? {
                    all.push(member);
                }
                Ok(Members(all))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// Whether a member comes back as it is.
fn passes(name: &str) -> bool {
    name == "id" || name.starts_with("x-")
}

impl Request {
    /// What a line asks. A line that is no object, or has nothing but a deck, is the deck.
    ///
    /// # Errors
    /// The error for members that make no sense with a deck in text.
    pub(super) fn read(line: &[u8]) -> Result<Request, String> {
        let mut request = Request {
            deck: None,
            input: Input::Json,
            format: None,
            passed: String::new(),
            named: false,
        };
        let marks: [&[u8]; 3] = [b"\"id\"", b"\"x-", b"\"text\""];
        if !marks.iter().any(|mark| memmem::find(line, mark).is_some()) {
            return Ok(request);
        }
        let Ok(Members(members)) = serde_json::from_slice(line) else {
            return Ok(request);
        };
        for (name, value) in members.iter().filter(|(name, _)| passes(name)) {
            request.named |= name == "id";
            let name = serde_json::Value::from(name.as_str());
            request.passed += &format!("{name}:{},", value.get());
        }
        let Some((_, text)) = members.iter().find(|(name, _)| name == "text") else {
            request.deck = Some(blanked(line, &members));
            return Ok(request);
        };
        let string = |value: &RawValue, name: &str| {
            let read = serde_json::from_str::<String>(value.get());
            read.map_err(|_| format!("`{name}` must be a string"))
        };
        request.deck = Some(string(text, "text")?.into_bytes());
        request.input = Input::Text;
        for (name, value) in &members {
            match name.as_str() {
                "text" => {}
                "format" => request.format = Some(string(value, "format")?),
                name if passes(name) => {}
                other => {
                    return Err(format!(
                        "`{other}` cannot go with `text`: the deck's own lines say it"
                    ));
                }
            }
        }
        Ok(request)
    }
}

/// The line with spaces in place of members that are no part of the deck, so that places in it stay
/// what they are.
fn blanked(line: &[u8], members: &[(String, &RawValue)]) -> Vec<u8> {
    let mut deck = line.to_vec();
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    for (name, value) in members.iter().filter(|(name, _)| passes(name)) {
        // A raw value is a part of the line itself.
        let Some(from) = (value.get().as_ptr() as usize).checked_sub(line.as_ptr() as usize) else {
            continue;
        };
        let mut to = from + value.get().len();
        let Some(start) = memmem::rfind(&line[..from], format!("\"{name}\"").as_bytes()) else {
            continue;
        };
        let mut start = start;
        let behind = line[to..].iter().position(|byte| !is_space(byte));
        match behind.filter(|at| line[to + at] == b',') {
            Some(at) => to += at + 1,
            // The last member: the comma before it goes, unless it went with an earlier member.
            None => {
                let before = deck[..start].iter().rposition(|byte| !is_space(byte));
                start = before.filter(|at| deck[*at] == b',').unwrap_or(start);
            }
        }
        deck[start..to].fill(b' ');
    }
    deck
}
