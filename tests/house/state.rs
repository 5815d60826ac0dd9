//! No state that is global: what a run knows is handed on, and what a server knows is its own.

use crate::source::{Source, Token, sources};

/// Types of the standard library through which what a `static` holds can change.
const CHANGING: [&str; 12] = [
    "Cell",
    "RefCell",
    "UnsafeCell",
    "OnceCell",
    "LazyCell",
    "Mutex",
    "RwLock",
    "Once",
    "OnceLock",
    "LazyLock",
    "Condvar",
    "ReentrantLock",
];

/// Tables that are made of what is built in when they are first looked into, and never change:
/// the file, and the name.
const TABLES: [(&str, &str); 2] = [
    // The options that games give their own events: clap asks for them three times a call.
    ("cli/events.rs", "KNOWN"),
    // The files of the pages, with their digests.
    ("serve/assets.rs", "ASSETS"),
];

/// Each `static` of a file whose value can change, by its name.
fn changing(source: &Source) -> Vec<String> {
    let tokens = &source.tokens;
    let word = |at: usize| match tokens.get(at) {
        Some(Token::Word(word)) => word.as_str(),
        _ => "",
    };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        // `static NAME: Type`; what follows a lifetime of this name is a type.
        let name_at = at + 1 + usize::from(word(at + 1) == "mut");
        let is_item = !word(name_at).is_empty()
            && tokens.get(name_at + 1) == Some(&Token::Sign(':'))
            && tokens.get(name_at + 2) != Some(&Token::Sign(':'));
        match word(at) {
            "thread_local" => found.push("thread_local".to_owned()),
            "static" if is_item => {
                let end = tokens[at..]
                    .iter()
                    .position(|token| *token == Token::Sign('='));
                let end = at + end.unwrap_or(0);
                let kinds: Vec<&str> = (at..end).map(word).collect();
                let changes = |kind: &&str| CHANGING.contains(kind) || kind.starts_with("Atomic");
                if kinds.iter().any(changes) || kinds.contains(&"mut") {
                    found.push(word(name_at).to_owned());
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn nothing_is_global_that_changes() {
    let mut found: Vec<(String, String)> = Vec::new();
    for source in sources() {
        let names = changing(&source).into_iter();
        found.extend(names.map(|name| (source.name.clone(), name)));
    }
    let tables = TABLES.map(|(file, name)| (file.to_owned(), name.to_owned()));
    assert_eq!(found, tables);
}

#[test]
fn what_changes_is_seen_wherever_it_stands() {
    let text = "
        static A: &'static str = \"Mutex\";
        static B: std::sync::Mutex<Vec<u8>> = Mutex::new(Vec::new());
        fn f() { static C: AtomicBool = AtomicBool::new(false); }
        static mut D: u8 = 0;
        const E: LazyLock<u8> = LazyLock::new(|| 0);
        thread_local! { static F: Cell<u8> = const { Cell::new(0) } }
    ";
    let source = Source {
        name: String::new(),
        module: Vec::new(),
        tokens: crate::source::tokens(text),
    };
    assert_eq!(changing(&source), ["B", "C", "D", "thread_local", "F"]);
}
