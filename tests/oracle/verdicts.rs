//! Verdicts against the slow judge: of random games by the library, and of the built-in games by
//! the program.

use super::games::{FORMATS, Size, game};
use super::random::Random;
use super::world::{Card, Deck, Fault, World};
use super::{legal_decks, written};
use decklaw::pool::CardId;
use decklaw::rules::{Contents, Failing, Holding, Severity, Verdict, Violation};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Random games; `DECKLAW_WORLDS` sets another number.
fn worlds() -> usize {
    super::worlds() * 4
}

#[test]
fn random_games_are_judged_as_the_slow_judge_does() {
    let mut seen: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for seed in 0..worlds() {
        let (world, mut random) = World::made(seed);
        let rulebook = world.rulebook();
        for _ in 0..20 {
            let deck = world.garbage(&mut random);
            let list = world.list(&rulebook, &deck);
            let judged = list.judge();
            let ours = world.judge(&deck);
            let why = || format!("seed {seed}\n{}\n{deck:?}\n{judged:?}", world.why());
            assert_eq!(
                world.broken(&rulebook, &judged),
                ours.errors.keys().cloned().collect(),
                "{}",
                why()
            );
            for found in &judged {
                let notice = rulebook.severity(found) == Severity::Notice;
                assert!(notice || !found.violation.help.is_empty(), "{}", why());
            }
            let legal = rulebook.verdict(&judged, &list.contents()) == Verdict::Legal;
            assert_eq!(legal, ours.errors.is_empty(), "{}", why());
            for rule in &world.rules {
                let times = seen.entry(rule.tag.clone()).or_default();
                if ours.errors.contains_key(&rule.id) {
                    times.1 += 1;
                } else {
                    times.0 += 1;
                }
            }
        }
    }
    // Of each kind there are decks on both sides.
    for (kind, (kept, broken)) in &seen {
        let few = kept + broken < 800 || kind == "unknown-card";
        assert!(few || *kept > 0 && *broken > 0, "{kind}: {kept} {broken}");
    }
    assert!(seen.len() >= 20, "{seen:?}");
}

/// Decks with some cards more, where their sections take them.
fn with_more(world: &World, deck: &Deck) -> Vec<Deck> {
    let places = world.places(&world.empty());
    let mut decks = Vec::new();
    for (at, (section, card)) in places.iter().enumerate() {
        let mut fuller = deck.clone();
        for _ in 0..8 {
            fuller[*section][*card] += 1;
            decks.push(fuller.clone());
        }
        for (other_section, other) in &places[at + 1..] {
            for (copies, others) in [(1, 1), (1, 2), (2, 1), (3, 3), (1, 6), (6, 1)] {
                let mut fuller = deck.clone();
                fuller[*section][*card] += copies;
                fuller[*other_section][*other] += others;
                decks.push(fuller);
            }
        }
    }
    decks
}

/// A deck is incomplete where cards that come in can satisfy each broken rule, taken by itself.
#[test]
fn incomplete_decks_are_those_that_further_cards_can_repair() {
    let forbids = |tag: &str| {
        ["permitted", "matching", "avoid", "accept", "any", "all"]
            .iter()
            .any(|kind| tag.contains(kind))
    };
    let (mut seen, mut missed) = (BTreeMap::<String, [u32; 2]>::new(), 0);
    for seed in 0..worlds() / 6 {
        let (world, mut random) = World::made(seed);
        let rulebook = world.rulebook();
        let tag = |id: &str| {
            let mut rules = world.rules.iter();
            rules.find(|rule| rule.id == id).map_or("", |rule| rule.tag.as_str())
        };
        for _ in 0..3 {
            let deck = world.garbage(&mut random);
            let broken: BTreeSet<String> = world.judge(&deck).errors.into_keys().collect();
            if broken.is_empty() || broken.iter().any(|id| forbids(tag(id)) || id == "accepts") {
                continue;
            }
            let verdict = world.list(&rulebook, &deck).verdict();
            let after: Vec<BTreeSet<String>> = with_more(&world, &deck)
                .iter()
                .map(|fuller| world.judge(fuller).errors.into_keys().collect())
                .collect();
            let why = || format!("seed {seed}: {broken:?}, {verdict}\n{}\n{deck:?}", world.why());
            // Alone: no other rule breaks by it.
            let is_alone = |id: &String| {
                after.iter().any(|left| !left.contains(id) && left.is_subset(&broken))
            };
            if broken.iter().all(is_alone) {
                assert_eq!(verdict, Verdict::Incomplete, "{}", why());
            }
            if verdict == Verdict::Incomplete {
                for id in &broken {
                    let is_met = after.iter().any(|left| !left.contains(id));
                    let counts = seen.entry(tag(id).to_owned()).or_default();
                    counts[usize::from(is_met)] += 1;
                    missed += u32::from(!is_met);
                }
            }
        }
    }
    // Numbers between the ends of an interval may be out of reach, and some need more cards than
    // are tried.
    let all: u32 = seen.values().flatten().sum();
    assert!(all > 50 && missed * 4 < all, "{missed} of {all}: {seen:?}");
}

/// A card that the pool does not know may be any card that the deck has none of. What is broken with
/// it is so for each of them; and what is kept, where a rule needs no more of cards than names.
#[test]
fn verdicts_on_decks_with_unknown_cards_hold_for_every_card() {
    let (mut broken, mut kept, mut open) = (0, 0, 0);
    for seed in 0..worlds() {
        let (world, mut random) = World::made(seed);
        // These need names alone, or say for what else they cannot be judged.
        let needs_names =
            |tag: &str| ["within", "disjoint", "demand "].iter().any(|kind| tag.starts_with(kind));
        // These are about cards of the pool by their names, which an unknown card has not.
        let is_of_pool = |tag: &str| tag.contains("brings") || tag == "demand card";
        let rules = world.rules.iter().filter(|rule| !is_of_pool(&rule.tag));
        let rules: BTreeMap<&str, bool> =
            rules.map(|rule| (rule.id.as_str(), needs_names(&rule.tag))).collect();
        if rules.is_empty() || world.list.is_some() {
            continue;
        }
        let rulebook = world.rulebook();
        for _ in 0..10 {
            let mut deck = world.garbage(&mut random);
            let free = random.below(world.cards.len());
            deck.iter_mut().for_each(|cards| cards[free] = 0);
            let (section, copies) = (random.below(3), 1 + random.below(3) as i64);
            let mut held: Vec<Holding> = world.list(&rulebook, &deck).holdings().collect();
            held.push(Holding {
                card: CardId(rulebook.pool().len() as u32),
                section: section as u16,
                copies,
            });
            let name = ("nobody".to_owned(), "Nobody".to_owned());
            let unknown = Contents::new(rulebook.pool(), held, vec![name]);
            for rule in rulebook.rules() {
                let Some(needs_names) = rules.get(rule.id.as_str()) else { continue };
                let found = rule.judge(&unknown);
                let is_open = |one: &Violation| one.failing == Failing::Unverified;
                if !found.is_empty() && found.iter().all(is_open) {
                    open += 1;
                    continue;
                }
                for card in 0..world.cards.len() {
                    if deck.iter().all(|cards| cards[card] == 0) {
                        let mut known = deck.clone();
                        known[section][card] = copies;
                        let held = world.list(&rulebook, &known).holdings().collect();
                        let known = Contents::new(rulebook.pool(), held, Vec::new());
                        let why =
                            || format!("seed {seed}, card {card} of {deck:?}\n{}", world.why());
                        let is_kept = rule.judge(&known).is_empty();
                        let is_so = is_kept == found.is_empty() || found.is_empty() && !needs_names;
                        assert!(is_so, "{}: {}", rule.id, why());
                    }
                }
                if found.is_empty() {
                    kept += 1;
                } else {
                    broken += 1;
                }
            }
        }
    }
    assert!(broken > 50 && kept > 50 && open > 50, "{broken} {kept} {open}");
}

/// No deck contradicts what the solver claims of a game's rules.
#[test]
fn claims_about_the_rules_of_random_games_hold() {
    let mut claims: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..worlds() / 20 {
        let (world, mut random) = World::made(seed);
        let rulebook = world.rulebook();
        let text = world.text.clone().unwrap();
        let wrong = decklaw::solve::tried(rulebook.format().game(), rulebook.pool()).wrong;
        let decks: Vec<Deck> = (0..80).map(|_| world.garbage(&mut random)).collect();
        for claim in wrong {
            let id = &text[claim.span.start..claim.span.end];
            let rule = world.rules.iter().find(|rule| rule.id == id).unwrap();
            for deck in &decks {
                let why =
                    || format!("seed {seed}, {id}: {}\n{}\n{deck:?}", claim.message, world.why());
                let found = world.judge(deck);
                let says = |words: &str| claim.message.contains(words);
                let kind = if says("no deck satisfies") {
                    assert!(found.errors.keys().any(|id| id.starts_with('r')), "{}", why());
                    "impossible"
                } else if says("this rule never applies") || says("every deck satisfies") {
                    assert!(!found.errors.contains_key(id), "{}", why());
                    "idle"
                } else {
                    let table = world.table(deck);
                    let all = rule.conditions.iter().chain(&rule.parts);
                    let held: Vec<bool> = all.map(|holds| holds(&table)).collect();
                    let gates = world.rules.iter().any(|rule| rule.gate.is_some());
                    assert!(held.contains(&says("always holds")) || gates, "{}", why());
                    "condition"
                };
                *claims.entry(kind).or_default() += 1;
            }
        }
    }
    assert!(claims.contains_key("impossible") && claims.len() > 1, "{claims:?}");
}

/// Random decks of a built-in format near its limits: each with its file.
fn decks(world: &World, count: usize, random: &mut Random) -> Vec<Deck> {
    let legal = legal_decks(world, 3, random);
    let near = |random: &mut Random| {
        let deck = random.pick(&legal);
        let edits = random.pick(&[0, 0, 0, 1, 1, 1, 2, 2, 3, 5]);
        world.edited(&deck, edits, random)
    };
    (0..count).map(|_| near(random)).collect()
}

/// Runs the program over the decks' files, and compares each verdict with the slow judge.
fn compare(world: &World, decks: &[Deck], random: &mut Random, seen: &mut BTreeMap<String, u32>) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    std::fs::create_dir(home.join("decks")).unwrap();
    let mut files = BTreeMap::new();
    for (at, deck) in decks.iter().enumerate() {
        let text = written::file(world, deck, random);
        let name = format!("{at:05}.txt");
        std::fs::write(home.join("decks").join(&name), &text).unwrap();
        files.insert(name, (deck, text));
    }
    let mut call = vec!["check", "decks", "-o", "ndjson", "--banlist", "none"];
    for (option, file, text) in
        [("--cards", "cards.csv", &world.csv), ("--banlist", "list.yaml", &world.list)]
    {
        if let Some(text) = text {
            std::fs::write(home.join(file), text).unwrap();
            call.retain(|word| option != "--banlist" || !["--banlist", "none"].contains(word));
            call.extend([option, file]);
        }
    }
    let settings: Vec<String> =
        world.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    call.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    let output = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(call)
        .current_dir(home)
        .env("DECKLAW_CONFIG", home)
        .output()
        .unwrap();
    let mut all_legal = true;
    let printed = String::from_utf8(output.stdout).unwrap();
    for line in printed.lines() {
        let report: Value = serde_json::from_str(line).unwrap();
        let path = std::path::Path::new(report["deck"].as_str().unwrap());
        let name = path.file_name().unwrap().to_str().unwrap();
        let (deck, text) = files.remove(name).unwrap();
        let found = world.judge(deck);
        let settled = |rule: &String| !found.open.contains(rule);
        let of = |severity: &str| -> BTreeSet<String> {
            let all = report["findings"].as_array().unwrap().iter();
            let rules = all.filter(|found| found["severity"] == severity);
            let rules = rules.map(|found| found["rule"].as_str().unwrap().to_owned());
            rules.filter(settled).collect()
        };
        let errors: BTreeSet<String> =
            found.errors.keys().filter(|rule| settled(rule)).cloned().collect();
        let warnings: BTreeSet<String> =
            found.warnings.iter().filter(|rule| settled(rule)).cloned().collect();
        let verdict = match found.errors.values().max() {
            None => "legal",
            Some(Fault::Short) => "incomplete",
            _ => "illegal",
        };
        let why = || format!("{name}\n{text}\n{line}");
        assert_eq!((of("error"), of("warning")), (errors, warnings), "{}", why());
        assert_eq!(report["verdict"], verdict, "{}", why());
        assert_eq!(report["hash"], written::hash(world, deck), "{}", why());
        all_legal &= verdict == "legal";
        for rule in found.errors.keys().chain(&found.warnings).map(String::as_str).chain([verdict])
        {
            *seen.entry(rule.to_owned()).or_default() += 1;
        }
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(files.is_empty(), "one verdict for each deck: {said}");
    assert_eq!(output.status.code(), Some(i32::from(!all_legal)), "{said}");
}

/// The rules that random decks of a game must break.
fn breakable(format: &str) -> &'static str {
    match game(format) {
        "shell" => {
            "points copies shells extra-size extra-distinct extra-overlap side-distinct side-copies \
             side-overlap side-shell zero-mana unpriced-colour accepts"
        }
        "vainqueur" => "banned restricted points-list size copies advised-size",
        "versus" => "size composition",
        "vastrix" => "whole-deck",
        _ if format.ends_with("advanced") => {
            "size copies unique hero hero-restriction energy-class energy-off-type energy-copies accepts"
        }
        _ => "size copies unique hero hero-restriction dead-card accepts",
    }
}

fn agree(wanted: &str) {
    for format in FORMATS.into_iter().filter(|format| game(format) == wanted) {
        let mut seen = BTreeMap::new();
        for (size, given, count) in
            [(Size::BuiltIn, false, 1_000), (Size::Large, false, 2_500), (Size::Large, true, 2_500)]
        {
            let random = &mut Random::new(&format!("{format} {count} {given}"));
            let mut world = World::shipped(format, size, given, random);
            world.cards.push(Card {
                name: "Nobody of Nowhere".to_owned(),
                unknown: true,
                ..Card::default()
            });
            let decks = decks(&world, count, random);
            compare(&world, &decks, random, &mut seen);
        }
        for rule in
            breakable(format).split_whitespace().chain(["unknown-card", "illegal", "incomplete"])
        {
            let times = seen.get(rule).copied().unwrap_or(0);
            assert!(times >= 4, "{format}: {rule} seen {times} times: {seen:?}");
        }
        assert!(seen["legal"] >= 200, "{format}: {seen:?}");
    }
}

macro_rules! agree {
    ($($name:ident $game:ident)*) => {
        $(
            #[test]
            fn $name() {
                agree(stringify!($game));
            }
        )*
    };
}

agree! {
    check_agrees_with_the_slow_judge_on_shell shell
    check_agrees_with_the_slow_judge_on_vainqueur vainqueur
    check_agrees_with_the_slow_judge_on_versus versus
    check_agrees_with_the_slow_judge_on_vanquishers vanquishers
    check_agrees_with_the_slow_judge_on_vastrix vastrix
}
