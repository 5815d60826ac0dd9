//! What a banlist says: `banned`, `restricted`, `points-list`, `group-list`, `rotation` and
//! `list-changes`.

use crate::banlist::{
    Banlist, ChangedPool, Count, Difference, Entry, Group, ListedName, Per, Rotation, Status,
};
use crate::game::Section;
use crate::rules::bounded::Bounded;
use crate::rules::contents::each_card;
use crate::rules::demand::{Demand, Lazy, Notice, Of, Unknown};
use crate::rules::fields::Key;
use crate::rules::groups::Groups;
use crate::rules::tree::{Cond, FAR, Leaf, Name, Num, Unit, UnknownCards, Weights};
use crate::rules::violation::{Failing, Where};
use crate::rules::{Compile, Contents, Fault, Rule, SectionSet, Severity, Violation};
use decklaw_cards::pool::{CardId, CardSet, FieldKind, Lookup, NameField, Title};
use decklaw_text::name::fold;
use decklaw_text::text::{counted, listed, plural, sentence, some_of};
use decklaw_text::yaml::Spanned;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The rule that bans cards, and its kind.
pub const BANNED: &str = "banned";
/// The rule that limits copies of cards, and its kind.
pub(crate) const RESTRICTED: &str = "restricted";
/// The rule that adds up points, and its kind.
pub(crate) const POINTS: &str = "points-list";
/// The rule that keeps cards apart, and its kind.
pub(crate) const GROUP: &str = "group-list";
/// The rule that lets sets come and go, and its kind.
pub(crate) const ROTATION: &str = "rotation";
/// The notice of what it says otherwise of cards, and its kind.
pub(crate) const CHANGES: &str = "list-changes";

const EVERYWHERE: SectionSet = SectionSet(u64::MAX);

/// The rules that a list adds to a format; `changed` are the cards of the pool as the
/// list changes them. What does not fit the cards is added to the problems of `with`.
pub(crate) fn rules(
    list: &Arc<Banlist>,
    changed: Option<&Arc<ChangedPool>>,
    with: &mut Compile<'_>,
) -> Vec<Rule> {
    let source = format!("{} ({})", list.name, list.id);
    let rule = |id: &'static str, severity: Severity, about: &str, demand: Demand| Rule {
        source: source.clone(),
        ..Rule::of_every_game(id, severity, about, demand)
    };
    if let (NameField::Title(_), Some(field)) = (list.names(), &list.by) {
        with.need(field);
        let has_titles = |kind: &FieldKind| !matches!(kind, FieldKind::Query);
        with.need_kind(field, "words or numbers", has_titles);
    }
    let mut rules = vec![
        rule(BANNED, Severity::Error, "No card that the banlist bans.", limits(list, true, with)),
        rule(
            RESTRICTED,
            Severity::Error,
            "No more copies of a restricted card than the list allows.",
            limits(list, false, with),
        ),
        rule(
            POINTS,
            Severity::Error,
            "The listed points of all copies stay within the list's limit.",
            points(list, with),
        ),
    ];
    for group in &list.groups {
        let about = "Cards that the list keeps apart.";
        let demand = apart(list, group, with);
        rules.push(rule(GROUP, Severity::Error, about, demand));
    }
    if let Some(rotation) = &list.rotation {
        let about = "Only cards of sets that may be played.";
        let demand = rotated(list, rotation, with);
        rules.push(rule(ROTATION, Severity::Error, about, demand));
    }
    if let Some(changed) = changed {
        let about = "What the list changes in the card file is reported.";
        let demand = changes(list, changed);
        rules.push(rule(CHANGES, Severity::Notice, about, demand));
    }
    rules
}

/// Cards that a list takes for one.
#[derive(Debug, Clone)]
struct One {
    /// The cards of the pool, in canonical order.
    cards: Vec<CardId>,
    /// The folded name where the pool has none: a deck may have it all the same.
    unknown: Option<String>,
    /// The sections where the list says something of it.
    scope: SectionSet,
    /// Which entry of the list it is of.
    entry: usize,
    /// The points of each.
    points: i64,
}

impl One {
    /// The copies of its cards.
    fn leaf(&self) -> Leaf {
        all_of(std::slice::from_ref(self), self.scope, false)
    }
}

/// What an entry names, each that counts by itself apart, with a key of its own; the last is that
/// of a name that no card has.
fn named(listed: &ListedName, by: NameField<'_>, with: &mut Compile<'_>) -> Vec<(u32, One)> {
    let pool = with.pool;
    let one = |cards: Vec<CardId>, unknown: Option<String>| One {
        cards,
        unknown,
        scope: EVERYWHERE,
        entry: 0,
        points: 0,
    };
    if listed.query {
        let query = Spanned { value: listed.name.clone(), span: listed.span };
        let set = with.card_set(&query);
        let NameField::Title(field) = by else {
            let each = set.iter().map(|card| (card.0, one(vec![card], None)));
            return each.collect();
        };
        let picked = |title: &Title| {
            let members = title.cards.iter().copied();
            let picked: Vec<CardId> = members.filter(|card| set.has(*card)).collect();
            (!picked.is_empty()).then(|| (title.number, one(picked, None)))
        };
        return pool.titles_of(field).iter().filter_map(picked).collect();
    }
    vec![match pool.look_up(&listed.name, by) {
        Lookup::Card { card, .. } => (card.0, one(vec![card], None)),
        Lookup::Title { title, .. } => (title.number, one(title.cards.clone(), None)),
        Lookup::Several(_) | Lookup::Unknown => {
            let name = fold(&listed.name).into_owned();
            (u32::MAX, one(Vec::new(), Some(name)))
        }
    }]
}

/// What the entries of a kind name, in the order in which they count.
fn ones(list: &Banlist, is_it: impl Fn(&Status) -> bool, with: &mut Compile<'_>) -> Vec<One> {
    let entries = list.entries.iter().enumerate();
    let mut entries: Vec<(usize, &Entry)> =
        entries.filter(|(_, entry)| is_it(&entry.status)).collect();
    // The points of a card are those of its name, or else of the first query that picks it.
    entries.sort_by_key(|(at, entry)| {
        let is_points = matches!(entry.status, Status::Points(_));
        (is_points && entry.listed.query, *at)
    });
    let mut all: Vec<One> = Vec::new();
    let mut seen: BTreeSet<CardId> = BTreeSet::new();
    let mut before: BTreeSet<(u32, u64)> = BTreeSet::new();
    for (at, entry) in entries {
        let points = match entry.status {
            Status::Points(points) => Some(points),
            _ => None,
        };
        let scope = scope(&entry.sections, with.sections);
        for (key, mut one) in named(&entry.listed, list.names(), with) {
            if points.is_some() && entry.listed.query {
                one.cards.retain(|card| !seen.contains(card));
            }
            // Of one name in several spellings the first counts.
            if !entry.listed.query && one.unknown.is_none() && !before.insert((key, scope.0)) {
                continue;
            }
            seen.extend(&one.cards);
            all.push(One { scope, entry: at, points: points.unwrap_or(0), ..one });
        }
    }
    all
}

/// The sections that a list names; all where it names none.
fn scope(named: &[String], sections: &[Section]) -> SectionSet {
    if named.is_empty() {
        return EVERYWHERE;
    }
    let inside = sections.iter().enumerate();
    let inside = inside.filter(|(_, section)| named.contains(&section.id));
    inside.fold(SectionSet::default(), |set, (at, _)| set.and(SectionSet::only(at)))
}

/// What a message calls the sections that a list names; nothing for the whole deck.
fn place(named: &[String], with: &Compile<'_>) -> String {
    let names = with.sections.iter();
    let names = names.filter(|section| named.contains(&section.id));
    listed(&names.map(|section| section.name.as_str()).collect::<Vec<_>>(), "and")
}

/// The notice that a list may say something of unknown cards, where it asks for their fields.
fn asking(asks: bool, scope: SectionSet) -> Notice {
    Box::new(move |rule, contents| {
        let is_open = asks && contents.count_unknown(scope) > 0;
        let open = is_open.then(|| Violation::open(contents, &[rule]));
        open.into_iter().collect()
    })
}

/// What a list demands of the cards of some of its entries, a sentence.
fn demanded(what: &str, list: &Banlist, ones: &[One]) -> String {
    const MOST_NAMED: usize = 4;
    let entries = ones.iter().map(|one| &list.entries[one.entry]);
    let names: Vec<String> = entries.map(|entry| format!("`{}`", entry.name)).collect();
    match names.as_slice() {
        [] => format!("What the list {} says.", list.name),
        names => format!("{what}: {}.", some_of(names, MOST_NAMED)),
    }
}

/// `banned` and `restricted`: a limit of copies of each card.
fn limits(list: &Arc<Banlist>, bans: bool, with: &mut Compile<'_>) -> Demand {
    let is_it = |status: &Status| match status {
        Status::Banned => bans,
        Status::Restricted(_) => !bans,
        Status::Points(_) => false,
    };
    let ones = Arc::new(ones(list, is_it, with));
    let most = |list: &Banlist, one: &One| match list.entries.get(one.entry) {
        Some(Entry { status: Status::Restricted(most), .. }) => i64::from(*most),
        _ => 0,
    };
    let asks = asks(list, is_it);
    let groups = Groups::of_lists(
        with.pool.len(),
        ones.iter().map(|one| (one.cards.as_slice(), one.unknown.as_deref())),
    );
    let (own, of_list) = (Arc::clone(&ones), Arc::clone(list));
    let of = Of::Each {
        groups: Some(Arc::new(groups)),
        cond: Lazy::new(ones.len(), move |at| {
            let one = own.get(at as usize)?;
            Some(Cond::at_most(one.leaf().num(), most(&of_list, one)))
        }),
        always: Vec::new(),
    };
    let what = if bans {
        format!("No copies of what the list {} bans", list.name)
    } else {
        format!("No more copies than the list {} allows", list.name)
    };
    let words = demanded(&what, list, &ones);
    let places: Vec<String> =
        list.entries.iter().map(|entry| place(&entry.sections, with)).collect();
    let list = Arc::clone(list);
    let demand = Demand::new(EVERYWHERE, of, words, move |broken, mut was, found| {
        let one = &ones[broken.item as usize];
        let (entry, card) = (&list.entries[one.entry], broken.card());
        let (most, copies) = (broken.blame.limit, broken.blame.least);
        was.section = one.scope.single();
        was.keep = Some((one.scope, most));
        was.place = match broken.cards.as_slice() {
            [_] if most > 0 => Where::Passing(card, one.scope, most),
            _ => Where::First(card, one.scope),
        };
        // By the list's field, what several cards have in common.
        let is_title = list.by.is_some() && !entry.query;
        let name = if is_title { &entry.name } else { broken.contents.name(card) };
        let being =
            if entry.query { format!(" as one of `{}`", entry.name) } else { String::new() };
        let cited = format!("list {}, line {}", list.id, entry.line);
        found.push(match (most, places[one.entry].as_str()) {
            (0, place) => {
                let inside = if place.is_empty() { "" } else { " in the " };
                let message = format!("`{name}` is banned{being}{inside}{place} ({cited})");
                was.say(message, "remove every copy".to_owned())
            }
            (most, _) => was.say(
                format!(
                    "{} of `{name}`; it is restricted to {most}{being} ({cited})",
                    counted(copies, "copy")
                ),
                format!("remove {}", counted(copies - most, "copy")),
            ),
        });
    });
    Demand { unknown: Unknown::Judged, notice: Some(asking(asks, EVERYWHERE)), ..demand }
}

/// Whether the entries of a kind depend on the fields of cards.
fn asks(list: &Banlist, is_it: impl Fn(&Status) -> bool) -> bool {
    let mut entries = list.entries.iter().filter(|entry| is_it(&entry.status));
    entries.any(|entry| entry.listed.query || list.by.is_some())
}

/// The points of cards, and of names that the pool lacks.
type PointsOf = (BTreeMap<CardId, i64>, FxHashMap<String, i64>);

/// The points of the cards that a list gives points, in some sections.
fn sum_of_points(list: &Banlist, ones: &[One], asks: bool) -> Num {
    let others = (0, if asks { FAR } else { 0 });
    // A leaf for the points of all that count in the same sections, where copies count or each
    // card by itself.
    let mut leaves: BTreeMap<u64, PointsOf> = BTreeMap::new();
    let mut parts = Vec::new();
    for one in ones {
        let is_single = one.cards.len() <= 1;
        if list.points_per == Per::Copy || is_single {
            let (cards, names) = leaves.entry(one.scope.0).or_default();
            for card in &one.cards {
                *cards.entry(*card).or_default() += one.points;
            }
            if let Some(name) = &one.unknown {
                *names.entry(name.clone()).or_default() += one.points;
            }
        } else {
            let points = Box::new(Num::Const(one.points));
            parts.push(Num::When(Box::new(one.leaf().is_there()), points));
        }
    }
    for (scope, (cards, names)) in leaves {
        let leaf = Leaf::of(Weights::Few(cards.into_iter().collect()), SectionSet(scope));
        let leaf = leaf.with_unknown(UnknownCards::Named(Arc::new(names), others));
        parts.push(match list.points_per {
            Per::Copy => leaf.num(),
            Per::Card => Num::Different { groups: None, least: 1, leaf: Box::new(leaf) },
        });
    }
    Num::sum(parts)
}

/// `points-list`: the points of all cards together.
fn points(list: &Arc<Banlist>, with: &mut Compile<'_>) -> Demand {
    let is_it = |status: &Status| matches!(status, Status::Points(_));
    let ones = ones(list, is_it, with);
    let num = sum_of_points(list, &ones, asks(list, is_it));
    let noun = "listed points".to_owned();
    let bounded = Bounded::at_most(
        num,
        Name { noun: noun.clone(), unit: Unit::Points, ..Name::default() },
        list.points_limit,
    );
    let most = sentence(&bounded.clause(true, None));
    let words = demanded(most.trim_end_matches('.'), list, &ones);
    let (of, meter) = (Of::Deck(bounded.cond()), bounded.meter(noun, None));
    let list = Arc::clone(list);
    let demand = Demand::new(EVERYWHERE, of, words, move |broken, was, found| {
        let mut violation = bounded.missed(was, broken.contents);
        violation.message += &format!(" (list {})", list.id);
        let cards = ones.iter().flat_map(|one| one.leaf().there(broken.contents));
        violation.cards = cards.collect();
        found.push(violation);
    });
    Demand { meter, ..demand }
}

/// All that some entries name, each card or group of cards once.
fn joined(all: &[ListedName], by: NameField<'_>, with: &mut Compile<'_>) -> Vec<One> {
    let mut cards: BTreeMap<u32, One> = BTreeMap::new();
    let mut unknown: BTreeMap<String, One> = BTreeMap::new();
    for listed in all {
        for (key, one) in named(listed, by, with) {
            match &one.unknown {
                Some(name) => {
                    unknown.insert(name.clone(), one);
                }
                None => match cards.get_mut(&key) {
                    Some(same) => {
                        same.cards.extend(one.cards);
                        same.cards.sort_unstable();
                        same.cards.dedup();
                    }
                    None => {
                        cards.insert(key, one);
                    }
                },
            }
        }
    }
    cards.into_values().chain(unknown.into_values()).collect()
}

/// All of some cards as one leaf.
fn all_of(ones: &[One], scope: SectionSet, asks: bool) -> Leaf {
    let cards = ones.iter().flat_map(|one| one.cards.iter().copied());
    let names = ones.iter().filter_map(|one| one.unknown.clone());
    let names: FxHashMap<String, i64> = names.map(|name| (name, 1)).collect();
    let leaf = Leaf::of_few(cards, scope);
    if names.is_empty() && !asks {
        return leaf;
    }
    let others = (0, if asks { FAR } else { 0 });
    leaf.with_unknown(UnknownCards::Named(Arc::new(names), others))
}

/// `group-list`: cards that a deck may not have all together.
fn apart(list: &Arc<Banlist>, group: &Group, with: &mut Compile<'_>) -> Demand {
    let by = list.names();
    let cards = joined(&group.cards, by, with);
    // A card that is named twice, in two spellings, is not apart from itself. One that queries of
    // both sides pick is.
    let is_name = |listed: &&ListedName| !listed.query;
    let names: Vec<ListedName> = group.cards.iter().filter(is_name).cloned().collect();
    let names = joined(&names, by, with);
    let mut others = group.not_with.clone();
    others.retain(|listed| {
        let mut own = named(listed, by, with).into_iter().map(|(_, one)| one.cards);
        listed.query || own.all(|own| own.is_empty() || names.iter().all(|one| one.cards != own))
    });
    let not_with = joined(&others, by, with);
    let scope = scope(&group.sections, with.sections);
    let place = place(&group.sections, with);
    let mut all = group.cards.iter().chain(&group.not_with);
    let asks = list.by.is_some() || all.any(|one| one.query);
    let (words, cited) =
        (sentence(&group.words()), format!("list {}, line {}", list.id, group.line));
    if !group.not_with.is_empty() {
        let absent = |ones: &[One]| all_of(ones, scope, asks).is_absent();
        let of = Of::Deck(Cond::Any(vec![absent(&cards), absent(&not_with)]));
        let demand = Demand::new(scope, of, words, move |broken, was, found| {
            let (here, one) = held(&cards, scope, broken.contents);
            let (others, other) = held(&not_with, scope, broken.contents);
            let place = if place.is_empty() { "a deck" } else { &format!("the {place}") };
            let (one, other) = (listed(&one, "and"), listed(&other, "and"));
            let message = format!("{one} cannot be in {place} with {other} ({cited})");
            let help = format!("remove every copy of {one}, or of {other}");
            found.push(Violation {
                place: Where::First(here.first().copied().unwrap_or(CardId(0)), scope),
                cards: here.into_iter().chain(others).collect(),
                ..was.say(message, help)
            });
        });
        let fault = Some(Fault::Forbidden);
        return Demand { fault, has_numbers: false, filled_in: None, ..demand };
    }
    let leaf = all_of(&cards, scope, asks);
    let noun = group.called.clone();
    let (num, name) = match group.count {
        Count::Copies => {
            let of = noun.unwrap_or_else(|| "listed card".to_owned());
            let which = format!(" of {}", plural(&of));
            (leaf.num(), Name { unit: Unit::Copies, which, place, ..Name::default() })
        }
        Count::Cards => {
            let cards = cards.iter().map(|one| (one.cards.as_slice(), None));
            let groups = Some(Arc::new(Groups::of_lists(with.pool.len(), cards)));
            let noun = noun.unwrap_or_else(|| "listed card".to_owned());
            let num = Num::Different { groups, least: 1, leaf: Box::new(leaf) };
            (num, Name { noun, place, ..Name::default() })
        }
    };
    let bounded = Bounded::at_most(num, name, Some(i64::from(group.at_most)));
    let called = group.called.as_ref().map(|called| format!("{called}s"));
    let meter = called.and_then(|called| bounded.meter(called, scope.single()));
    let of = Of::Deck(bounded.cond());
    let demand = Demand::new(scope, of, words, move |broken, was, found| {
        let (cards, names) = held(&cards, scope, broken.contents);
        let mut violation = bounded.missed(was, broken.contents);
        violation.message += &format!(": {} ({cited})", listed(&names, "and"));
        let at = usize::try_from(broken.blame.limit).unwrap_or(usize::MAX);
        let first = cards.get(at).or(cards.last()).copied();
        violation.place = first.map_or(Where::Deck, |first| Where::First(first, scope));
        violation.cards = cards;
        found.push(violation);
    });
    Demand { filled_in: None, meter, ..demand }
}

/// The cards of a deck that are among some, and what they are called, quoted.
fn held(ones: &[One], scope: SectionSet, contents: &Contents<'_>) -> (Vec<CardId>, Vec<String>) {
    let (mut cards, mut names) = (Vec::new(), Vec::new());
    for one in ones {
        let held = all_of(std::slice::from_ref(one), scope, false).there(contents);
        names.extend(held.first().map(|card| format!("`{}`", contents.name(*card))));
        cards.extend(held);
    }
    (cards, names)
}

/// The status of a card in a rotation. The first counts where several cards are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RotationStatus {
    In,
    /// The card file has no set for it.
    NoSet,
    Out,
}

/// `rotation`: cards may be played while one of their sets may.
fn rotated(list: &Arc<Banlist>, rotation: &Rotation, with: &mut Compile<'_>) -> Demand {
    with.need_text(&rotation.field);
    let pool = with.pool;
    let rotation = &rotation.of_pool(pool);
    let column = pool.column(&rotation.field.value);
    let mut known: FxHashMap<&str, bool> = FxHashMap::default();
    let mut allows = |set| {
        let known = known.entry(set);
        *known.or_insert_with(|| rotation.allows(set, list.day))
    };
    let own = pool.ids().map(|card| {
        let sets = column.map_or(&[][..], |column| column.words(card));
        match sets {
            [] => RotationStatus::NoSet,
            sets if sets.iter().any(|set| allows(&**set)) => RotationStatus::In,
            _ => RotationStatus::Out,
        }
    });
    let own: Vec<RotationStatus> = own.collect();
    let key = rotation.by.clone().map(Key::One);
    let groups = with.grouped(key.as_slice(), true);
    let status = |card: CardId| match &groups {
        None => own[card.index()],
        Some((_, groups)) => {
            let all = groups.of_card(card).iter();
            let all = all.flat_map(|group| groups.members(*group));
            let all = all.map(|other| own[other.index()]);
            all.min().unwrap_or(own[card.index()])
        }
    };
    let out = CardSet::of(pool.len(), |card| status(card) == RotationStatus::Out);
    let no_set = CardSet::of(pool.len(), |card| status(card) == RotationStatus::NoSet);
    let words = rotation_words(list, rotation);
    let asks = asking(true, EVERYWHERE);
    let (field, day) = (rotation.field.value.clone(), list.day);
    let notice: Notice = Box::new(move |rule, contents| {
        let mut found = asks(rule, contents);
        let mut cards = Vec::new();
        each_card(contents.known(), EVERYWHERE, |card, _| {
            cards.extend(no_set.has(card).then_some(card));
        });
        if !cards.is_empty() {
            let names = cards.iter().map(|card| format!("`{}`", contents.name(*card)));
            let names = listed(&names.collect::<Vec<_>>(), "and");
            let notice = Violation::not_in_card_file(format!(
                "not checked: the card file gives no {field} for {names}, so it is unknown whether they may be played on {day}"
            ));
            found.push(Violation { cards, ..notice });
        }
        found
    });
    let (list, rotation) = (Arc::clone(list), rotation.clone());
    let demand = Demand::new(EVERYWHERE, Of::Absent(out), words, move |broken, was, found| {
        let sets = broken.contents.pool;
        let sets = sets.words(broken.card(), &rotation.field.value).iter();
        let why = sets.filter_map(|set| rotation.against(set, list.day));
        let why: Vec<String> = why.collect();
        let others = rotation.by.as_ref().map_or_else(String::new, |by| {
            format!(", nor may another card of the same {}", by.value)
        });
        let message = format!(
            "{} may not be played on {}: {}{others} (list {})",
            broken.name(),
            list.day,
            why.join(", and "),
            list.id
        );
        found.push(was.say(message, "remove every copy".to_owned()));
    });
    Demand { notice: Some(notice), ..demand }
}

fn rotation_words(list: &Banlist, rotation: &Rotation) -> String {
    let (day, field) = (list.day, &rotation.field.value);
    let mut sets: Vec<&str> = Vec::new();
    for set in &rotation.sets {
        let is_listed =
            if rotation.others { !rotation.allows(&set.name, day) } else { set.covers(day) };
        if is_listed && !sets.contains(&set.name.as_str()) {
            sets.push(&set.name);
        }
    }
    match (rotation.others, sets.as_slice()) {
        (false, sets) => {
            format!("On {day} cards of the {field} {} may be played.", listed(sets, "or"))
        }
        (true, []) => format!("On {day} cards of every {field} may be played."),
        (true, sets) => {
            format!("On {day} cards of every {field} except {} may be played.", listed(sets, "and"))
        }
    }
}

/// `list-changes`: a notice of the cards of the deck that the list changes; it is no fault.
fn changes(list: &Arc<Banlist>, changed: &Arc<ChangedPool>) -> Demand {
    let words = format!(
        "The list says otherwise of {} than the card file.",
        counted(changed.different.len() as i64, "card")
    );
    let (list, changed) = (Arc::clone(list), Arc::clone(changed));
    let notice: Notice = Box::new(move |_, contents| {
        let mut cards = Vec::new();
        let mut changes = Vec::new();
        each_card(contents.known(), EVERYWHERE, |card, _| {
            if let Some(different) = changed.different.get(&card) {
                let own: Vec<String> = different.iter().map(difference).collect();
                changes.push(format!("`{}` has {}", contents.name(card), listed(&own, "and")));
                cards.push(card);
            }
        });
        let Some(first) = cards.first().copied() else {
            return Vec::new();
        };
        let message = format!("by the list {} {}", list.id, listed(&changes, "and"));
        vec![Violation {
            fault: Fault::Changed,
            place: Where::First(first, EVERYWHERE),
            cards,
            ..Violation::of_deck(Failing::Excess, message, String::new())
        }]
    });
    let of = Of::Deck(Cond::always());
    let demand = Demand::new(EVERYWHERE, of, words, |_, _, _| {});
    Demand { notice: Some(notice), ..demand }
}

fn difference(difference: &Difference) -> String {
    let said = |text: &str| match text {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    };
    let Difference { field, before, after } = difference;
    format!("{field} {} (else {})", said(after), said(before))
}
