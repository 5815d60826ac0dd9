//! The card query, as far as a Hero's `allows` may need it (INTERFACE, Card queries): a recursive
//! reading that answers for one card at a time.

use crate::model::{Card, fold};

/// A query in lower case, cut into tokens.
pub(crate) struct Query(Vec<Token>);

impl Query {
    pub(crate) fn new(query: &str) -> Self {
        Self(tokens(query))
    }

    /// Whether a card answers. An empty query means every card.
    pub(crate) fn matches(&self, card: &Card) -> bool {
        let mut reading = Reading {
            tokens: &self.0,
            card,
        };
        let answer = reading.any_of();
        assert!(reading.tokens.is_empty(), "left over: {:?}", reading.tokens);
        answer
    }
}

#[derive(Debug, PartialEq)]
enum Token {
    Open,
    Close,
    Not,
    Or,
    /// `field op value`; the value of `field:(a b)` follows as tokens of its own.
    Test(String, String, Option<String>),
    /// A part of a name, or a value of a list.
    Part(String),
}

fn tokens(query: &str) -> Vec<Token> {
    let characters: Vec<char> = query.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        match characters[at] {
            '(' => tokens.push(Token::Open),
            ')' => tokens.push(Token::Close),
            '-' => tokens.push(Token::Not),
            space if space.is_whitespace() => {}
            _ => {
                let (word, end) = text(&characters, at);
                at = end;
                let (op, end) = operator(&characters, at);
                if op.is_empty() {
                    let quoted = characters[at - 1] == '"';
                    tokens.push(match word.as_str() {
                        _ if quoted => Token::Test("name".to_owned(), ":".to_owned(), Some(word)),
                        "or" => Token::Or,
                        _ => Token::Part(word),
                    });
                } else if characters.get(end) == Some(&'(') {
                    at = end;
                    tokens.push(Token::Test(word, op, None));
                } else {
                    let (value, end) = text(&characters, end);
                    at = end;
                    tokens.push(Token::Test(word, op, Some(value)));
                }
                continue;
            }
        }
        at += 1;
    }
    tokens
}

/// A word or a quoted text from `start`, and where it ends.
fn text(characters: &[char], start: usize) -> (String, usize) {
    let quoted = characters.get(start) == Some(&'"');
    let begin = if quoted { start + 1 } else { start };
    let ends = |c: &char| {
        if quoted {
            *c == '"'
        } else {
            c.is_whitespace() || "():=!<>\"".contains(*c)
        }
    };
    let length = characters[begin..].iter().position(ends);
    let end = length.map_or(characters.len(), |length| begin + length);
    let word = characters[begin..end].iter().collect();
    (word, if quoted { end + 1 } else { end })
}

fn operator(characters: &[char], start: usize) -> (String, usize) {
    let rest: String = characters[start..].iter().take(2).collect();
    let known = ["!=", "<=", ">=", ":", "=", "<", ">"];
    let found = known.into_iter().find(|op| rest.starts_with(op));
    let op = found.unwrap_or_default();
    (op.to_owned(), start + op.len())
}

struct Reading<'a> {
    tokens: &'a [Token],
    card: &'a Card,
}

impl Reading<'_> {
    fn take(&mut self, wanted: &Token) -> bool {
        let here = self.tokens.first() == Some(wanted);
        if here {
            self.tokens = &self.tokens[1..];
        }
        here
    }

    fn any_of(&mut self) -> bool {
        let mut answer = self.all_of();
        while self.take(&Token::Or) {
            answer |= self.all_of();
        }
        answer
    }

    fn all_of(&mut self) -> bool {
        let mut answer = true;
        while !matches!(self.tokens.first(), None | Some(Token::Or | Token::Close)) {
            answer &= self.term();
        }
        answer
    }

    fn term(&mut self) -> bool {
        if self.take(&Token::Not) {
            return !self.term();
        }
        if self.take(&Token::Open) {
            let answer = self.any_of();
            assert!(self.take(&Token::Close), "an unclosed bracket");
            return answer;
        }
        let token = &self.tokens[0];
        self.tokens = &self.tokens[1..];
        match token {
            Token::Test(field, op, Some(value)) => test(self.card, field, op, value),
            Token::Test(field, op, None) => {
                assert!(self.take(&Token::Open), "values in brackets");
                let mut answer = false;
                while let Some(Token::Part(value)) = self.tokens.first() {
                    self.tokens = &self.tokens[1..];
                    answer |= test(self.card, field, op, value);
                }
                assert!(self.take(&Token::Close), "an unclosed list");
                answer
            }
            Token::Part(part) => self.card.folded.contains(&fold(part)),
            other => panic!("unexpected {other:?}"),
        }
    }
}

fn test(card: &Card, field: &str, op: &str, value: &str) -> bool {
    if field == "name" {
        return card.folded == fold(value);
    }
    match op {
        ":" | "=" => card.list(field).contains(&value),
        _ => {
            // Empty matches nothing.
            let Some(number) = card.number(field) else {
                return false;
            };
            let value: u32 = value.parse().unwrap();
            match op {
                "!=" => number != value,
                "<" => number < value,
                "<=" => number <= value,
                ">" => number > value,
                _ => number >= value,
            }
        }
    }
}
