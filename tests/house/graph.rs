//! Who uses whom: no circle between rooms, and no large one of files.
//!
//! A file uses another where a path of it (`use`, or a path in its code, tests left out) leads
//! there. Paths are followed through re-exports to the file that holds the item: `pub use` of a
//! room's own files is its front door, and counts as no use. Methods are found by the compiler
//! and not here, so what only calls them is not seen.

use crate::source::{Source, Token, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The front ends: they may use everything, and nothing uses them.
const FRONT_ENDS: [&str; 2] = ["cli", "serve"];
/// Files that may use one another in a circle: a type and its parts.
const LARGEST_CIRCLE: usize = 7;

/// Node to nodes, and a place for each edge.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// A path of names, from wherever it stands.
type Names = Vec<String>;

/// What a file's `use` lines bring: the local name, the path, and whether `pub`.
struct Brought {
    name: String,
    path: Names,
    public: bool,
}

struct Crate {
    /// Module to its file.
    files: BTreeMap<Names, String>,
    /// Module to what its `use` lines bring.
    brought: BTreeMap<Names, Vec<Brought>>,
}

impl Crate {
    fn is_module(&self, path: &[String]) -> bool {
        path.is_empty() || self.files.contains_key(path)
    }

    /// The path from the root of one that is written in a module.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Names> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            first => {
                let child: Names = module.iter().cloned().chain([first.to_owned()]).collect();
                if self.files.contains_key(&child) {
                    module.iter().cloned().chain(path[..1].to_vec()).collect()
                } else {
                    // A module that a `use` line brought.
                    let brought = self.brought.get(module)?;
                    let found = brought.iter().find(|found| found.name == first)?;
                    if found.path.first().is_some_and(|name| name == first) {
                        return None;
                    }
                    let target = self.absolute(module, &found.path)?;
                    if !self.is_module(&target) || path.len() == 1 {
                        return None;
                    }
                    target
                }
            }
        };
        for name in &path[1..] {
            match name.as_str() {
                "super" => drop(base.pop()?),
                "self" => {}
                name => base.push(name.to_owned()),
            }
        }
        Some(base)
    }

    /// The file that holds what a path from the root leads to.
    fn file(&self, path: &[String], steps: usize) -> Option<&str> {
        let inside = (0..=path.len())
            .rev()
            .find(|end| self.is_module(&path[..*end]))?;
        let (module, rest) = path.split_at(inside);
        if let Some(name) = rest.first().filter(|_| steps < 16) {
            let brought = self.brought.get(module).into_iter().flatten();
            let mut named = brought.filter(|found| found.name == *name);
            let target = named.find_map(|found| self.absolute(module, &found.path));
            if let Some(target) = target.filter(|target| target != path) {
                return self.file(&target, steps + 1);
            }
        }
        self.files.get(module).map(String::as_str)
    }
}

/// The paths of a file: those of its `use` lines, and those of its code.
fn paths(tokens: &[Token]) -> (Vec<Brought>, Vec<Names>) {
    let (mut brought, mut used) = (Vec::new(), Vec::new());
    let word = |at: usize| match tokens.get(at) {
        Some(Token::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let colons = |at: usize| {
        tokens.get(at) == Some(&Token::Sign(':')) && tokens.get(at + 1) == Some(&Token::Sign(':'))
    };
    let mut at = 0;
    while at < tokens.len() {
        if word(at) == Some("use") && !colons(at + 1) {
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            // `pub use`, `pub(crate) use`
            let public = matches!(before, Some(Token::Word(word)) if word == "pub")
                || before == Some(&Token::Sign(')'));
            at = tree(tokens, at + 1, &[], public, &mut brought);
        } else if word(at).is_some() && colons(at + 1) {
            let mut path = Vec::new();
            // `pub(in super::super)` says who may use, and uses nothing.
            let names_readers = at > 1
                && word(at - 1) == Some("in")
                && tokens.get(at - 2) == Some(&Token::Sign('('));
            while let Some(name) = word(at) {
                path.push(name.to_owned());
                at += 1;
                if !colons(at) {
                    break;
                }
                at += 2;
            }
            if !names_readers {
                used.push(path);
            }
        } else {
            at += 1;
        }
    }
    (brought, used)
}

/// Reads a `use` tree; gives back where it ends.
fn tree(
    tokens: &[Token],
    mut at: usize,
    before: &[String],
    public: bool,
    brought: &mut Vec<Brought>,
) -> usize {
    let mut path = before.to_vec();
    let mut name = None;
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) if word == "as" => {
                if let Some(Token::Word(word)) = tokens.get(at + 1) {
                    name = Some(word.clone());
                }
                at += 2;
            }
            Some(Token::Word(word)) => {
                if word != "self" || path.is_empty() {
                    path.push(word.clone());
                }
                at += 1;
            }
            Some(Token::Sign(':')) => at += 1,
            Some(Token::Sign('*')) => {
                path.push("*".to_owned());
                at += 1;
            }
            Some(Token::Sign('{')) => {
                at += 1;
                while tokens.get(at) != Some(&Token::Sign('}')) {
                    at = tree(tokens, at, &path, public, brought);
                    if tokens.get(at) == Some(&Token::Sign(',')) {
                        at += 1;
                    }
                }
                return at + 1;
            }
            _ => break,
        }
    }
    if let Some(last) = path.last() {
        let name = name.unwrap_or_else(|| last.clone());
        brought.push(Brought { name, path, public });
    }
    at
}

fn read(sources: &[Source]) -> (Graph, Graph) {
    let mut whole = Crate {
        files: BTreeMap::new(),
        brought: BTreeMap::new(),
    };
    let mut used: Vec<(&Source, Vec<Names>)> = Vec::new();
    for source in sources.iter().filter(|source| source.name != "main.rs") {
        whole
            .files
            .insert(source.module.clone(), source.name.clone());
        let (brought, paths) = paths(&source.tokens);
        whole.brought.insert(source.module.clone(), brought);
        used.push((source, paths));
    }
    let (mut rooms, mut files) = (Graph::new(), Graph::new());
    for (source, paths) in used {
        let module = &source.module;
        let brought = &whole.brought[module];
        let door = |found: &&Brought| {
            // A room's front door: its own files' items, given out.
            let target = whole.absolute(module, &found.path);
            found.public && target.is_some_and(|target| target.starts_with(module))
        };
        let lines = brought
            .iter()
            .filter(|found| !door(found))
            .map(|found| &found.path);
        for path in lines.chain(&paths) {
            let Some(target) = whole.absolute(module, path) else {
                continue;
            };
            let Some(file) = whole.file(&target, 0) else {
                continue;
            };
            if file != source.name && file != "lib.rs" {
                let why = path.join("::");
                let edges = files.entry(source.name.clone()).or_default();
                edges.entry(file.to_owned()).or_insert(why);
            }
            let Some(room) = module.first() else { continue };
            // The room that is written, and the one that is meant.
            let file = file.trim_end_matches(".rs");
            let meant = file.split('/').next().unwrap_or_default();
            let written = target
                .first()
                .filter(|name| whole.is_module(std::slice::from_ref(name)));
            for other in written.map(String::as_str).into_iter().chain([meant]) {
                if other != room && other != "lib" {
                    let why = format!("{}: {}", source.name, path.join("::"));
                    let edges = rooms.entry(room.clone()).or_default();
                    edges.entry(other.to_owned()).or_insert(why);
                }
            }
        }
    }
    (rooms, files)
}

/// Sets of nodes of which each reaches each, largest first, those of one node left out.
fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reached = |from: &str| {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut next: Vec<&str> = vec![from];
        while let Some(node) = next.pop() {
            for to in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
                if seen.insert(to) {
                    next.push(to);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|node| (node.as_str(), reached(node)))
        .collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (node, to) in &reach {
        let both = to
            .iter()
            .filter(|to| reach.get(**to).is_some_and(|back| back.contains(node)));
        let circle: Vec<String> = both.map(|node| (*node).to_owned()).collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    let mut found: Vec<Vec<String>> = found.into_iter().collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

/// The edges inside a circle, for who has to cut one.
fn told(graph: &Graph, circle: &[String]) -> String {
    let mut lines = vec![format!("a circle of {}:", circle.len())];
    for node in circle {
        let edges = graph[node].iter();
        for (to, why) in edges.filter(|(to, _)| circle.contains(to)) {
            lines.push(format!("  {node} -> {to} ({why})"));
        }
    }
    lines.join("\n")
}

#[test]
fn no_rooms_use_one_another_in_a_circle() {
    let (rooms, _) = read(&sources());
    // What is read is the whole house: commands use nearly every room.
    assert!(rooms["cli"].len() > 15, "{:?}", rooms["cli"].keys());
    let found: Vec<String> = circles(&rooms)
        .iter()
        .map(|circle| told(&rooms, circle))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The table of rooms in the docs is the order in which they know one another.
#[test]
fn a_room_knows_only_rooms_that_the_docs_name_before_it() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let (_, table) = docs.split_once("## The rooms of `src`").unwrap();
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, line) in table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .enumerate()
    {
        let names = line
            .split('|')
            .nth(1)
            .unwrap()
            .split('`')
            .skip(1)
            .step_by(2);
        rows.extend(names.map(|name| (name, row)));
    }
    let sources = sources();
    for room in sources.iter().filter_map(|source| source.module.first()) {
        assert!(
            rows.contains_key(room.as_str()),
            "the docs do not name `{room}`"
        );
    }
    let (rooms, _) = read(&sources);
    for (room, edges) in &rooms {
        for (other, why) in edges {
            let after = rows[other.as_str()] > rows[room.as_str()];
            assert!(
                !after,
                "{room} uses {other}, which the docs name below it ({why})"
            );
        }
    }
}

#[test]
fn no_files_use_one_another_in_a_large_circle() {
    let (_, files) = read(&sources());
    assert!(files.len() > 200, "{}", files.len());
    let found = circles(&files);
    let large = found.iter().filter(|circle| circle.len() > LARGEST_CIRCLE);
    let found: Vec<String> = large.map(|circle| told(&files, circle)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_uses_the_front_ends() {
    let (rooms, _) = read(&sources());
    for (room, edges) in rooms
        .iter()
        .filter(|(room, _)| !FRONT_ENDS.contains(&room.as_str()))
    {
        let front = edges
            .iter()
            .find(|(to, _)| FRONT_ENDS.contains(&to.as_str()));
        assert!(front.is_none(), "{room} uses {front:?}");
    }
}

#[test]
fn circles_are_found_through_front_doors_and_imported_modules() {
    let source = |name: &str, text: &str| Source {
        name: name.to_owned(),
        module: {
            let stem = name.trim_end_matches(".rs").trim_end_matches("/mod");
            stem.split('/')
                .filter(|part| *part != "lib")
                .map(str::to_owned)
                .collect()
        },
        tokens: crate::source::tokens(text),
    };
    let (rooms, files) = read(&[
        source("lib.rs", "pub mod a; pub mod b; pub mod c; pub use c::Z;"),
        source(
            "a/mod.rs",
            "mod inner; pub use inner::X; use crate::c; fn f() { c::g() }",
        ),
        source("a/inner.rs", "use crate::b::{self, Y as W}; use std::fmt;"),
        source("b.rs", "fn f(x: &crate::a::X) -> crate::Z {}"),
        source("c.rs", "fn g() {}"),
    ]);
    assert_eq!(circles(&rooms), [["a", "b"]]);
    assert_eq!(circles(&files), [["a/inner.rs", "b.rs"]]);
    assert!(rooms["b"].contains_key("c") && rooms["a"].contains_key("c"));
    assert!(files["a/mod.rs"].keys().eq(["c.rs"]));
}
