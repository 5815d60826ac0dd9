#![allow(clippy::unwrap_used)]

use super::*;
use decklaw_cards::pool::{Field, FieldKind, Pool};

fn list(body: &str) -> Result<Banlist, decklaw_text::yaml::FileError> {
    let text = format!(
        "schema: decklaw/banlist/1\nid: test\ngame: game\nname: Test\neffective: 2026-01-01\n{body}"
    );
    Banlist::read("test.yaml", text.as_bytes())
}

/// Two cards with a number and a list.
fn pool() -> Pool {
    let field = |name: &str, kind| Field { name: name.to_owned(), kind };
    let fields = [
        field("cost", FieldKind::Number { min: 0, max: 99 }),
        field("set", FieldKind::List { values: Vec::new() }),
    ];
    Pool::read_csv(b"name,cost,set\nAsh,1,one\nBell,3,two\n", &fields).unwrap()
}

#[test]
fn every_status_is_read_with_its_line() {
    let list = list(
        "banned:\n  - Ash\n  - {name: Bell, sections: [extra]}\nrestricted:\n  - {name: Cog, copies: 2}\npoints:\n  limit: 3\n  cards:\n    - {name: Dune, points: 2}\n",
    )
    .unwrap();
    let lines: Vec<_> =
        list.entries.iter().map(|entry| (entry.name.as_str(), entry.status, entry.line)).collect();
    assert_eq!(
        lines,
        [
            ("Ash", Status::Banned, 7),
            ("Bell", Status::Banned, 8),
            ("Cog", Status::Restricted(2), 10),
            ("Dune", Status::Points(2), 14),
        ]
    );
    assert_eq!(list.points_limit, Some(3));
    assert_eq!(list.entries[1].sections, ["extra"]);
}

/// A list (`¶` ends a line), where the problem begins, and words of the message.
const PROBLEMS: &str = r#"
    banned: [Ash, Bell, " ash "] => " ash " => on line 6
    banned: [Ash]¶restricted: [{name: ash, copies: 1}] => ash, => restricted to 1 here and banned
    restricted: [{name: Ash, copies: 0}] => 0 => banned
    ends: 2025-12-31 => 2025 => ends before
    ends: 2026-13-01 => 2026-13 => not a day
    announced: 2026-02-01 => 2026-02 => announced after
    points: {limit: 3, cards: [{name: Ash, points: 0}]} => 0 => from 1
    bannned: [Ash] => bannned => did you mean `banned`
    banned: [""] => "" => needs a name
    name: Again => name => `name` is given twice
    banned: [{sections: [extra]}] => { => needs its `name`
    banned: [{name: A, cards: b}] => { => not both
    banned: [{cards: ''}] => { => picks every card
    groups: [{cards: [A, a]}] => a => in this group twice
    groups: [{cards: []}] => { => needs `cards`
    groups: [{cards: [A, B], at-most: 0}] => 0 => `banned`
    groups: [{cards: [A], not-with: [B], at-most: 2}] => 2 => nothing for `at-most`
    groups: [{cards: [A], not-with: [a]}] => a => apart from itself
    rotation: {field: set, sets: [{name: One, from: 2026-02-01, until: 2026-01-01}]} => 2026-01 => leaves before it comes
    rotation: {field: set, sets: []} => { => needs `sets`
"#;

#[test]
fn problems_have_a_place_and_a_message() {
    for case in PROBLEMS.trim().lines() {
        let [body, at, words] = case.trim().split(" => ").collect::<Vec<_>>()[..] else {
            panic!("{case}");
        };
        let error = list(&body.replace('¶', "\n")).unwrap_err();
        let problem = &error.problems[0];
        assert!(error.text[problem.span.start..].starts_with(at), "{case}: {problem:?}");
        assert!(problem.message.contains(words), "{case}: {problem:?}");
    }
    assert!(Banlist::read("x", b"\xff").is_err());
}

#[test]
fn the_latest_list_that_has_begun_is_in_force() {
    let dated = |id: &str, effective: &str, ends: Option<&str>, sample| {
        let mut list = list("").unwrap();
        list.id = id.to_owned();
        list.effective = effective.parse().unwrap();
        list.ends = ends.map(|day| day.parse().unwrap());
        list.sample = sample;
        Arc::new(list)
    };
    let lists = [
        dated("spring", "2026-03-01", None, false),
        dated("summer", "2026-06-01", Some("2026-08-31"), false),
        dated("sample", "2026-07-01", None, true),
    ];
    let on = |day: &str| {
        in_force(&lists, "game", None, day.parse().unwrap()).unwrap().map(|list| list.id.clone())
    };
    assert_eq!(on("2026-02-28"), None);
    assert_eq!(on("2026-03-01").as_deref(), Some("spring"));
    assert_eq!(on("2026-08-31").as_deref(), Some("summer"));
    assert_eq!(on("2026-09-01").as_deref(), Some("spring"), "the ended list gives way");
    assert_eq!(in_force(&lists, "other", None, "2026-07-01".parse().unwrap()).unwrap(), None);
    let twins = [dated("a", "2026-03-01", None, false), dated("b", "2026-03-01", None, false)];
    assert!(in_force(&twins, "game", None, "2026-04-01".parse().unwrap()).is_err());
}

#[test]
fn a_diff_names_each_change() {
    let old = list("banned: [Ash, Bell]\nrestricted: [{name: Cog, copies: 2}]\ngroups:\n  - cards: [Ash, Bell]\nrotation: {field: set, sets: [{name: One, until: 2026-05-01}, {name: Two}]}\npoints: {limit: 3, cards: []}\n").unwrap();
    let new = list("banned: [bell, Dune]\nrestricted: [{name: Cog, copies: 1}]\ngroups:\n  - {cards: [bell, Ash], at-most: 2, count: copies}\n  - {cards: [Cog], not-with: [{cards: 'cost>2'}]}\nrotation: {field: set, sets: [{name: one, until: 2026-06-01}, {name: Three, from: 2026-07-01}]}\npoints: {limit: 3, per: card, cards: []}\n").unwrap();
    let changes: Vec<String> = diff(&old, &new).iter().map(ListChange::to_string).collect();
    assert_eq!(
        changes,
        [
            "Ash: free again (was banned)",
            "Cog: now restricted to 1 (was restricted to 2)",
            "Dune: now banned",
            "the limit of points: now 3, each card once (was 3)",
            "Ash and bell: now at most 2 copies of them together (was at most 1 of them)",
            "Cog with every card `cost>2`: now not together",
            "one: now legal until 2026-06-01 (was legal until 2026-05-01)",
            "Three: now legal from 2026-07-01 (was not legal)",
            "Two: now not legal (was legal)",
        ]
    );
    // A list without sets lets all be played: what is in both ways is no change.
    let free = list("").unwrap();
    let changes: Vec<String> = diff(&new, &free).iter().map(ListChange::to_string).collect();
    let sets = &changes[changes.len() - 3..];
    assert_eq!(
        sets,
        [
            "one: now legal (was legal until 2026-06-01)",
            "Three: now legal (was legal from 2026-07-01)",
            "all other sets: now legal (was not legal)",
        ]
    );
    let rotating = |more: &str| {
        list(&format!("rotation: {{field: set, {more}, sets: [{{name: One}}]}}")).unwrap()
    };
    let (own, all) = (rotating("others: out"), rotating("others: in, by: title"));
    let changes: Vec<String> = diff(&own, &all).iter().map(ListChange::to_string).collect();
    assert_eq!(
        changes,
        [
            "all other sets: now legal (was not legal)",
            "the field that names a card's set: now the set, all of one title alike (was the set)",
        ]
    );
    assert_eq!(diff(&own, &free).len(), 1);
}

#[test]
fn changes_of_cards_are_read_checked_and_compared() {
    let problems = "
        {name: Ash} => the fields to `set` or to `add` to
        {set: {cost: 1}} => needs its `name`
        {name: Ash, set: {cost: 1}, add: {cost: 1}} => is set and added to
        {name: Ash, add: {cost: 0}} => changes nothing
        {name: Ash, set: {cost: 1}}, {name: ash, add: {cost: 1}} => changed on line
        {name: Ash, set: {cots: 1}} => no field `cots`; did you mean `cost`?
        {name: Ash, set: {cost: much}} => `much` is not a whole number
        {name: Ash, add: {set: 1}} => holds no numbers
        {name: Asch, set: {cost: 1}} => no card is called `Asch`";
    for case in problems.trim().lines() {
        let (changes, words) = case.trim().split_once(" => ").unwrap();
        let read = list(&format!("changes: [{changes}]\n"));
        let found = read.map_or_else(|error| error.problems, |list| lint(&list, &pool(), &[], &[]));
        let mut messages = found.iter().map(|problem| &problem.message);
        assert!(messages.any(|message| message.contains(words)), "{case}: {found:?}");
    }
    let old =
        list("changes: [{name: Ash, set: {cost: 3}}, {name: Bell, add: {cost: 1}}]\n").unwrap();
    let new = list("changes: [{name: ash, set: {cost: 4}}, {cards: 'cost>2', set: {set: ''}}]\n")
        .unwrap();
    let changes: Vec<String> = diff(&old, &new).iter().map(ListChange::to_string).collect();
    assert_eq!(
        changes,
        [
            "the cost of ash: now 4 (was 3)",
            "the cost of Bell: free again (was +1)",
            "the set of every card `cost>2`: now empty",
        ]
    );
}

#[test]
fn sets_come_and_go_by_the_day() {
    let list = list("rotation: {field: set, sets: [{name: One, from: 2026-02-01, until: 2026-05-01}, {name: One, from: 2026-09-01}]}\n").unwrap();
    let rotation = list.rotation.as_ref().unwrap();
    let on = |day: &str| rotation.against("ONE", day.parse().unwrap());
    assert_eq!(on("2026-01-31").unwrap(), "One comes on 2026-02-01");
    assert_eq!(on("2026-02-01"), None);
    assert_eq!(on("2026-05-01"), None);
    assert_eq!(on("2026-05-02").unwrap(), "One comes on 2026-09-01");
    assert_eq!(on("2026-09-01"), None);
    assert!(rotation.against("Two", list.day).unwrap().contains("not among"));
}

#[test]
fn a_lint_finds_what_does_nothing() {
    let list = list("banned: [Bel]\nrestricted: [{name: Ash, copies: 1, sections: [attic]}]\npoints: {limit: 1, cards: [{name: Bell, points: 2}]}\n").unwrap();
    let pool = Pool::of_names(["Ash", "Bell"]);
    let found: Vec<String> = lint(&list, &pool, &["main"], &["game"])
        .into_iter()
        .map(|problem| problem.message)
        .collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].contains("did you mean `Bell`"));
    assert!(found[1].contains("no section `attic`"));
    assert!(found[2].contains("alone passes"));
}

#[test]
fn a_hundred_thousand_entries_are_quick_or_refused() {
    let names: String = (0..100_000).map(|at| format!("  - Card {at}\n")).collect();
    // More nodes than any honest list: refused, not read for minutes.
    assert!(list(&format!("banned:\n{names}")).is_err());
}

#[test]
fn a_list_for_some_formats_applies_to_them_alone_and_goes_before_one_for_all() {
    let dated = |id: &str, effective: &str, formats: &str| {
        let mut list = list(formats).unwrap();
        list.id = id.to_owned();
        list.effective = effective.parse().unwrap();
        Arc::new(list)
    };
    let lists = [
        dated("all", "2026-03-01", ""),
        dated("old", "2026-01-01", "formats: [game/old]\n"),
        dated("two", "2026-05-01", "formats: [game/old, game/new]\n"),
    ];
    let on = |format: Option<&str>, day: &str| {
        let found = in_force(&lists, "game", format, day.parse().unwrap()).unwrap();
        found.map(|list| list.id.clone())
    };
    assert_eq!(on(None, "2026-02-01"), None);
    assert_eq!(on(Some("game/old"), "2026-02-01").as_deref(), Some("old"));
    assert_eq!(on(Some("game/new"), "2026-04-01").as_deref(), Some("all"));
    // The later one is for all formats, and this one has a list of its own.
    assert_eq!(on(Some("game/old"), "2026-04-01").as_deref(), Some("old"));
    assert_eq!(on(Some("game/old"), "2026-05-01").as_deref(), Some("two"));
    assert_eq!(on(Some("game/third"), "2026-05-01").as_deref(), Some("all"));
    assert_eq!(on(None, "2026-05-01").as_deref(), Some("all"));
    let twins = [lists[2].clone(), dated("twin", "2026-05-01", "formats: [game/new]\n")];
    let both = |format| in_force(&twins, "game", Some(format), "2026-05-01".parse().unwrap());
    assert_eq!(both("game/old").unwrap().unwrap().id, "two");
    let error = both("game/new").unwrap_err();
    assert!(error.message.contains(" of game/new are both in force"), "{error}");
}
