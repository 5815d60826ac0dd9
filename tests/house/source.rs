//! The sources as tokens: what the compiler reads of a file, tests left out.

use std::path::{Path, PathBuf};

/// A token of Rust, as far as paths and literals need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    /// The inside of a string literal, escapes as written.
    Text(String),
    Sign(char),
}

/// A file of `src` and its tokens.
pub(crate) struct Source {
    /// Relative to `src`, with `/`.
    pub(crate) name: String,
    /// The module that it is: `["deck", "text"]`; none for `lib.rs`.
    pub(crate) module: Vec<String>,
    pub(crate) tokens: Vec<Token>,
}

/// Every file of `src` that a program without tests is made of.
pub(crate) fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        let name = name.replace('\\', "/");
        let stem = name.strip_suffix(".rs").unwrap();
        let stem = stem.strip_suffix("/mod").unwrap_or(stem);
        let module = match stem {
            "lib" | "main" => Vec::new(),
            _ => stem.split('/').map(str::to_owned).collect(),
        };
        let tokens = without_tests(&tokens(&std::fs::read_to_string(path).unwrap()));
        Source {
            name,
            module,
            tokens,
        }
    };
    files.iter().map(read).collect()
}

/// Files called `tests` are modules of tests, by the custom of this house.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            files.push(path);
        }
    }
}

/// The tokens of a text, without its comments.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        match rest[0] {
            c if c.is_whitespace() => at += 1,
            '/' if rest.get(1) == Some(&'/') => {
                at += rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
            }
            '/' if rest.get(1) == Some(&'*') => at += block_comment(rest),
            '"' => at += quoted(rest, &mut tokens),
            '\'' => at += quote(rest),
            'r' | 'b' | 'c' if opens_raw(rest).is_some() => {
                at += raw(rest, opens_raw(rest).unwrap(), &mut tokens);
            }
            'b' | 'c' if rest.get(1) == Some(&'"') => at += 1,
            c if is_word(c) => {
                let end = rest.iter().position(|c| !is_word(*c));
                let end = end.unwrap_or(rest.len());
                tokens.push(Token::Word(rest[..end].iter().collect()));
                at += end;
            }
            c => {
                tokens.push(Token::Sign(c));
                at += 1;
            }
        }
    }
    tokens
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match (rest[at], rest.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn quoted(rest: &[char], tokens: &mut Vec<Token>) -> usize {
    let mut end = 1;
    while end < rest.len() && rest[end] != '"' {
        end += if rest[end] == '\\' { 2 } else { 1 };
    }
    tokens.push(Token::Text(rest[1..end.min(rest.len())].iter().collect()));
    end + 1
}

/// A character, or the quote of a lifetime.
fn quote(rest: &[char]) -> usize {
    if rest.get(1) == Some(&'\\') {
        // The character after the backslash may be a quote itself.
        let end = rest[3..].iter().position(|c| *c == '\'');
        return 3 + end.unwrap_or(0) + 1;
    }
    if rest.get(2) == Some(&'\'') { 3 } else { 1 }
}

/// The number of `#` of a raw string that begins here.
fn opens_raw(rest: &[char]) -> Option<usize> {
    let letters = rest.iter().take(2).take_while(|c| c.is_alphabetic());
    let letters: String = letters.collect();
    if !letters.ends_with('r') {
        return None;
    }
    let after = &rest[letters.len()..];
    let hashes = after.iter().take_while(|c| **c == '#').count();
    (after.get(hashes) == Some(&'"')).then_some(hashes)
}

fn raw(rest: &[char], hashes: usize, tokens: &mut Vec<Token>) -> usize {
    let start = rest.iter().position(|c| *c == '"').unwrap() + 1;
    let closes = |at: &usize| {
        let after = rest.get(at + 1..at + 1 + hashes);
        rest[*at] == '"' && after.is_some_and(|after| after.iter().all(|c| *c == '#'))
    };
    let end = (start..rest.len()).find(closes).unwrap_or(rest.len());
    tokens.push(Token::Text(rest[start..end].iter().collect()));
    end + 1 + hashes
}

/// The tokens without attributes, and without the items that only tests have.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] != Token::Sign('#') {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let open = at + 1 + usize::from(tokens.get(at + 1) == Some(&Token::Sign('!')));
        if tokens.get(open) != Some(&Token::Sign('[')) {
            at += 1;
            continue;
        }
        let end = closed(tokens, open);
        let word = |at: usize, word: &str| tokens.get(at) == Some(&Token::Word(word.to_owned()));
        let only_tests =
            word(open + 1, "cfg") && (word(open + 3, "test") || word(open + 3, "doctest"));
        at = if only_tests {
            item_end(tokens, end)
        } else {
            end
        };
    }
    kept
}

/// Behind the bracket that closes the one at `open`.
fn closed(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('[' | '(' | '{') => depth += 1,
            Token::Sign(']' | ')' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Behind the item that begins at `at`.
fn item_end(tokens: &[Token], mut at: usize) -> usize {
    while at < tokens.len() {
        match tokens[at] {
            Token::Sign(';' | ',') => return at + 1,
            Token::Sign('{') => return closed(tokens, at),
            Token::Sign('[' | '(') => at = closed(tokens, at),
            _ => at += 1,
        }
    }
    at
}

#[test]
fn sources_are_read_as_the_compiler_reads_them() {
    let text = r##"
        //! crate::not::this
        use crate::a::B; /* crate::nor /* this */ */
        #[cfg(test)] mod tests { use crate::nor::that; }
        #[cfg_attr(test, schemars(with = "x"))]
        #[cfg(test)] use crate::neither;
        fn f<'a>(c: char) -> &'a str { if c == '"' || c == '\'' { r#"raw "--flag" "# } else { "\"--x" } }
    "##;
    let read = without_tests(&tokens(text));
    let words: Vec<&str> = read
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) => Some(word.as_str()),
            _ => None,
        })
        .collect();
    let expected = "use crate a B fn f a c char a str if c c else";
    assert_eq!(words.join(" "), expected);
    let texts: Vec<&Token> = read
        .iter()
        .filter(|token| matches!(token, Token::Text(_)))
        .collect();
    let expected = [r#"raw "--flag" "#, r#"\"--x"#].map(|text| Token::Text(text.to_owned()));
    assert_eq!(texts, expected.iter().collect::<Vec<_>>());
}
