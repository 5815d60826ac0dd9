//! The modules of a package stand in one direction: none uses another that uses it again.
//!
//! A module is a file, or a folder with its files. Towards others a folder is one module, and it and
//! its own files may use each other; its files among themselves are looked at like those of a
//! package. A name that a module exports again counts for the module that defines it. Tests, comments
//! and methods do not count.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Circles that stay, each with the reason why breaking it makes the code worse.
const MEANT: [(&str, &str); 0] = [];

/// The names of a path: those of a module from the root of its package, or those that a source
/// writes.
type Names = Vec<String>;

/// A module as its file declares it.
#[derive(Debug, Default)]
struct Module {
    children: BTreeSet<String>,
    /// What it defines itself.
    items: BTreeSet<String>,
    /// What `use` brings, by its name here.
    imports: BTreeMap<String, Names>,
    /// The modules from which `use` brings everything.
    globs: Vec<Names>,
    /// The paths in its code, without their last name: that is no module.
    paths: Vec<Names>,
}

/// The modules of a package.
#[derive(Debug, Default)]
struct Package(BTreeMap<Names, Module>);

/// What begins an item with a name.
const ITEMS: [&str; 7] = ["struct", "enum", "trait", "type", "fn", "static", "union"];

/// The text of a file, if it is there.
type Files<'f> = &'f dyn Fn(&Path) -> Option<String>;

fn is(token: Option<&TokenTree>, text: &str) -> bool {
    token.is_some_and(|token| !matches!(token, TokenTree::Group(_)) && token.to_string() == text)
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token? {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<TokenStream> {
    match token? {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.stream()),
        _ => None,
    }
}

impl Package {
    /// Reads the modules below a file. `folder` has the files of its children.
    fn read(&mut self, module: &Names, file: &Path, folder: &Path, files: Files<'_>) {
        let text = files(file).unwrap_or_else(|| panic!("no {}", file.display()));
        self.0.insert(module.clone(), Module::default());
        self.scan(module, folder, text.parse().unwrap(), files);
    }

    fn scan(&mut self, module: &Names, folder: &Path, code: TokenStream, files: Files<'_>) {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let (here, next) = (tokens.get(at), tokens.get(at + 1));
            if is(here, "#") {
                let attribute = group(next, Delimiter::Bracket).map(|inner| inner.to_string());
                at += 2;
                if attribute.is_some_and(|inner| inner == "cfg (test)") {
                    let ends = |token: &TokenTree| {
                        is(Some(token), ";") || group(Some(token), Delimiter::Brace).is_some()
                    };
                    at += tokens[at..].iter().position(ends).map_or(0, |end| end + 1);
                }
            } else if is(here, "mod") && ident(next).is_some() {
                let name = ident(next).unwrap();
                let child = [&module[..], std::slice::from_ref(&name)].concat();
                let below = folder.join(&name);
                self.0.get_mut(module).unwrap().children.insert(name.clone());
                if let Some(code) = group(tokens.get(at + 2), Delimiter::Brace) {
                    self.0.insert(child.clone(), Module::default());
                    self.scan(&child, &below, code, files);
                } else {
                    let own = folder.join(format!("{name}.rs"));
                    let own = if files(&own).is_some() { own } else { below.join("mod.rs") };
                    self.read(&child, &own, &below, files);
                }
                at += 3;
            } else if ITEMS.iter().any(|word| is(here, word)) && ident(next).is_some() {
                self.0.get_mut(module).unwrap().items.extend(ident(next));
                at += 2;
            } else if is(here, "use") {
                let rest = &tokens[at + 1..];
                let length =
                    rest.iter().position(|token| is(Some(token), ";")).unwrap_or(rest.len());
                self.0.get_mut(module).unwrap().import(&Names::new(), &rest[..length]);
                at += length + 2;
            } else if let Some(TokenTree::Group(inner)) = here {
                self.scan(module, folder, inner.stream(), files);
                at += 1;
            } else if let Some(first) = ident(here) {
                let mut path = vec![first];
                while let (true, true, Some(name)) = (
                    is(tokens.get(at + 1), ":"),
                    is(tokens.get(at + 2), ":"),
                    ident(tokens.get(at + 3)),
                ) {
                    path.push(name);
                    at += 3;
                }
                path.pop();
                if !path.is_empty() {
                    self.0.get_mut(module).unwrap().paths.push(path);
                }
                at += 1;
            } else {
                at += 1;
            }
        }
    }

    /// The module that defines what a path in a module names; `None`: it is of another package.
    fn resolve(&self, at: &Names, path: &[String], depth: usize) -> Option<Names> {
        let (mut module, mut path) = (at.clone(), path);
        match path.first()?.as_str() {
            "crate" => (module, path) = (Names::new(), &path[1..]),
            "super" | "self" => {
                while let Some(word @ ("super" | "self")) = path.first().map(String::as_str) {
                    if word == "super" {
                        module.pop();
                    }
                    path = &path[1..];
                }
            }
            first => {
                let own = &self.0[at];
                if !own.children.contains(first) && !own.imports.contains_key(first) {
                    return None;
                }
            }
        }
        while let Some(name) = path.first() {
            let own = &self.0[&module];
            if own.children.contains(name) {
                module.push(name.clone());
                path = &path[1..];
                continue;
            }
            if own.items.contains(name) {
                return Some(module);
            }
            let has = |module: &Names| {
                let known = self.0.get(module);
                known.is_some_and(|own| {
                    own.children.contains(name) || own.imports.contains_key(name)
                })
            };
            let through = match own.imports.get(name) {
                Some(target) => Some([target, &path[1..]].concat()),
                None => own.globs.iter().find_map(|glob| {
                    let from = self.resolve(&module, glob, depth + 1).filter(has)?;
                    Some([&["crate".to_owned()], &from[..], path].concat())
                }),
            };
            return match through {
                // An item that is named like its module, or a `use` of a `use` of another package.
                Some(through) if depth > 20 || through == path => None,
                Some(through) => self.resolve(&module, &through, depth + 1),
                None => Some(module),
            };
        }
        Some(module)
    }

    /// The files of each folder that use another one, with the paths that do.
    fn uses(&self) -> BTreeMap<Names, BTreeMap<(String, String), BTreeSet<String>>> {
        let mut uses: BTreeMap<Names, BTreeMap<_, BTreeSet<String>>> = BTreeMap::new();
        for (at, module) in &self.0 {
            let imports = module.imports.values().chain(&module.globs);
            for path in imports.chain(&module.paths) {
                let Some(to) = self.resolve(at, path, 0) else { continue };
                let shared = at.iter().zip(&to).take_while(|(from, to)| from == to).count();
                if let (Some(from), Some(used)) = (at.get(shared), to.get(shared)) {
                    let folder = uses.entry(at[..shared].to_vec()).or_default();
                    let pair = folder.entry((from.clone(), used.clone())).or_default();
                    pair.insert(format!("{} uses {}", at.join("::"), path.join("::")));
                }
            }
        }
        uses
    }

    /// The circles, each as its modules and what they use of each other.
    fn circles(&self) -> Vec<(String, Vec<String>)> {
        let mut circles = BTreeMap::new();
        for (folder, pairs) in self.uses() {
            let reached = |from: &String| {
                let (mut known, mut open) = (BTreeSet::new(), vec![from]);
                while let Some(next) = open.pop() {
                    let used = pairs.keys().filter(|(user, _)| user == next).map(|(_, used)| used);
                    open.extend(used.filter(|used| known.insert((*used).clone())));
                }
                known
            };
            let all: BTreeSet<&String> = pairs.keys().flat_map(|(from, to)| [from, to]).collect();
            let reach: BTreeMap<&String, _> =
                all.iter().map(|name| (*name, reached(name))).collect();
            for name in all {
                let is_in =
                    |other: &&String| reach[name].contains(*other) && reach[*other].contains(name);
                let names: Vec<&str> =
                    reach.keys().copied().filter(is_in).map(String::as_str).collect();
                if names.is_empty() {
                    continue;
                }
                let inside = |(from, to): &(String, String)| {
                    names.contains(&from.as_str()) && names.contains(&to.as_str())
                };
                let within = pairs.iter().filter(|(pair, _)| inside(pair));
                let whole = [folder.clone(), vec![names.join(" ↔ ")]].concat().join("::");
                circles.insert(whole, within.flat_map(|(_, why)| why.clone()).collect());
            }
        }
        circles.into_iter().collect()
    }
}

impl Module {
    /// Takes in a tree of `use`.
    fn import(&mut self, before: &Names, tree: &[TokenTree]) {
        let (mut path, mut at) = (before.clone(), 0);
        while at < tree.len() {
            if let Some(inner) = group(tree.get(at), Delimiter::Brace) {
                let inner: Vec<TokenTree> = inner.into_iter().collect();
                inner.split(|token| is(Some(token), ",")).for_each(|one| self.import(&path, one));
                return;
            }
            match ident(tree.get(at)) {
                Some(word) if word == "as" => {
                    let name = ident(tree.get(at + 1)).unwrap_or_default();
                    self.imports.insert(name, path);
                    return;
                }
                Some(word) if word == "self" && !path.is_empty() => {}
                Some(word) => path.push(word),
                None if is(tree.get(at), "*") => return self.globs.push(path),
                None => {}
            }
            at += 1;
        }
        if let Some(name) = path.last() {
            self.imports.insert(name.clone(), path);
        }
    }
}

fn circles_below(root: &Path, files: Files<'_>) -> Vec<(String, Vec<String>)> {
    let mut package = Package::default();
    package.read(&Names::new(), root, root.parent().unwrap(), files);
    package.circles()
}

#[test]
fn no_modules_of_a_package_form_a_circle() {
    let files = |path: &Path| std::fs::read_to_string(path).ok();
    let crates = std::fs::read_dir("crates").unwrap().map(|found| found.unwrap().path());
    let mut roots: Vec<_> = crates.map(|package| package.join("src/lib.rs")).collect();
    roots.extend(["src/lib.rs", "src/main.rs"].map(Into::into));
    let mut wrong = Vec::new();
    for root in roots {
        for (circle, why) in circles_below(&root, &files) {
            let circle = format!("{}: {circle}", root.display());
            if !MEANT.iter().any(|(meant, _)| *meant == circle) {
                wrong.push(format!("{circle}\n    {}", why.join("\n    ")));
            }
        }
    }
    assert!(wrong.is_empty(), "modules form circles:\n{}", wrong.join("\n"));
}

#[test]
fn circles_are_found_where_they_are() {
    let circles = |sources: &[(&str, &str)]| {
        let files = |path: &Path| {
            let known = sources.iter().find(|(name, _)| Path::new(name) == path);
            known.map(|(_, text)| (*text).to_owned())
        };
        let found = circles_below(Path::new("src/lib.rs"), &files);
        found.into_iter().map(|(circle, _)| circle).collect::<Vec<_>>()
    };
    let root = ("src/lib.rs", "mod a; mod b; pub use a::A;");
    let a = ("src/a.rs", "use crate::b::{self, Other as B}; pub struct A(B);");
    // Through a name that the root exports again, and through a path in the code.
    assert_eq!(circles(&[root, a, ("src/b.rs", "use crate::A; pub struct Other;")]), ["a ↔ b"]);
    let code = "pub struct Other; fn f() { vec![crate::a::f()]; }";
    assert_eq!(circles(&[root, a, ("src/b.rs", code)]), ["a ↔ b"]);
    // Comments, strings and tests do not count, and neither does a function of a module's name.
    let rest = "/// See [`crate::a::A`].\npub struct Other; const A: &str = \"use crate::a::A;\";
        fn f() { super::a(); } #[cfg(test)] mod tests { use crate::a::A; }";
    assert!(circles(&[root, a, ("src/b.rs", rest)]).is_empty());
    // A folder and its own files are one, but its files among themselves are not.
    let folder = [
        ("src/lib.rs", "mod a { mod one; mod two; use one::One; fn f() {} }"),
        ("src/a/one.rs", "use super::f; use super::two::*; pub struct One;"),
    ];
    let two = ("src/a/two.rs", "pub struct Two;");
    assert!(circles(&[folder[0], folder[1], two]).is_empty());
    let two = ("src/a/two.rs", "use crate::a::one::One; pub struct Two;");
    assert_eq!(circles(&[folder[0], folder[1], two]), ["a::one ↔ two"]);
}
