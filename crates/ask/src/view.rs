//! What a page shows of a deck after each change.

use crate::answer::OrProblem;
use crate::check::CheckAnswer;
use crate::deck::{Source, known};
use crate::library::{CardCache, Library};
use crate::notes::{Notes, no_such_word};
use crate::odds::OddsAnswer;
use crate::problem;
use crate::question::{Ask, Facet, Owned, Search, View};
use crate::room::{Reasons, RoomEntry, entries};
use crate::stats;
use decklaw_core::pool::{CardId, CardSet, NameField, Pool};
use decklaw_core::query::Query;
use decklaw_core::resolve::Decklist;
use decklaw_core::{Note, Problem};
use decklaw_engine::solve::Rooms;
use decklaw_engine::stats::DeckStats;
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most findings and cards of an answer.
const MOST: usize = 200;

/// The most fields whose values are counted.
const MOST_FACETS: usize = 12;

/// What a page shows of a deck after each change: `decklaw/view-deck/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/view-deck/1")]
#[non_exhaustive]
pub struct ViewAnswer {
    /// How many findings there are.
    pub findings: usize,
    /// The verdict, with the first 200 findings.
    pub check: CheckAnswer,
    /// The cards that were searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<OrProblem<CardSearch>>,
    /// Cards with their fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Box<RawValue>>,
    /// The room of the deck's cards where they are, and of all visible cards where one more
    /// would go. Nothing is searched for a click: a card that fits only with other cards, such as
    /// ones that earn points, has room in the answer to `room` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<Vec<RoomEntry>>,
    /// The sections that take each card of the deck, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<BTreeMap<String, Vec<String>>>,
    /// What the deck is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Box<DeckStats>>,
    /// The odds, in the order asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<OrProblem<OddsAnswer>>,
}

/// Cards that were searched for.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct CardSearch {
    /// How many cards there are.
    pub total: usize,
    /// Those that are shown.
    pub cards: Vec<Box<RawValue>>,
    /// Notes on what the query asks for that no card has.
    pub notes: Vec<Note>,
    /// The name nearest to the query where no card matches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// How many cards have each value of the counted fields, in the order asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facets: Vec<BTreeMap<String, usize>>,
}

/// The cards that are searched for, and all that match.
fn found(
    pool: &Pool,
    search: &Search,
    owned: Option<&Owned>,
) -> Result<(Vec<CardId>, usize, Vec<Note>), Problem> {
    let query = Query::parse(&search.query);
    let selected = query.and_then(|query| Ok((query.select(pool)?, query.remarks(pool))));
    let (selected, remarks) =
        selected.map_err(|error| problem::of_query("", &search.query, &error))?;
    let names = owned.into_iter().flat_map(Owned::keys);
    let owned = names.filter_map(|name| pool.look_up(name, NameField::Name).card());
    let owned = CardSet::among(pool.len(), owned);
    let have = |card: &CardId| !search.owned || owned.has(*card);
    let mut cards: Vec<CardId> = selected.iter().filter(have).collect();
    if !search.sort.is_empty() {
        cards.sort_by_cached_key(|card| {
            let number = pool.number(*card, &search.sort);
            (number.is_none(), number, pool.shown(*card, &search.sort))
        });
    }
    let total = cards.len();
    let most = search.most.clamp(1, MOST);
    let shown = cards.into_iter().skip(search.skip).take(most).collect();
    let notes = remarks.into_iter().map(|remark| no_such_word(remark.message)).collect();
    Ok((shown, total, notes))
}

/// How many cards of a query have each value of a field; none where the query is wrong.
fn counted(pool: &Pool, facet: &Facet) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let field = pool.fields().iter().find(|one| one.name == facet.field);
    let selected = Query::parse(&facet.query).and_then(|query| query.select(pool));
    let (Some(field), Ok(selected)) = (field, selected) else {
        return counts;
    };
    for card in selected.iter() {
        if let Some(number) = pool.number(card, &field.name) {
            *counts.entry(number.to_string()).or_default() += 1;
            continue;
        }
        for word in pool.words(card, &field.name) {
            let word = field.canonical(word).unwrap_or(Cow::Borrowed(word));
            let word = pool.written(&field.name, &word).to_owned();
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

/// The places of the deck's known cards.
fn held(list: &Decklist) -> impl Iterator<Item = (u16, CardId)> {
    let known = list.holdings().filter(|held| list.knows(held.card));
    known.map(|held| (held.section, held.card))
}

fn sections(list: &Decklist) -> std::ops::Range<u16> {
    0..u16::try_from(list.sections().len()).unwrap_or(u16::MAX)
}

/// The room of the cards that are held where they are, and of visible cards where one more would
/// go.
fn room(
    list: &Decklist,
    rooms: &Rooms<'_>,
    mut visible: BTreeSet<CardId>,
    into: &str,
) -> Vec<RoomEntry> {
    let mut places: BTreeSet<(u16, CardId)> = held(list).collect();
    visible.extend(places.iter().map(|(_, card)| *card));
    let into = list.section(into);
    let goes = |card: CardId| {
        let mut sections = into.into_iter().chain(sections(list));
        let section = sections.find(|section| rooms.takes(*section, card));
        section.map(|section| (section, card))
    };
    places.extend(visible.into_iter().filter_map(goes));
    entries(list, rooms, &rooms.of_each(places), Reasons::Full)
}

fn takes(list: &Decklist, rooms: &Rooms<'_>) -> BTreeMap<String, Vec<String>> {
    let of = |(_, card): (u16, CardId)| {
        let taking = sections(list).filter(|section| rooms.takes(*section, card));
        let ids = taking.map(|section| list.sections()[usize::from(section)].clone());
        (list.name(card).to_owned(), ids.collect())
    };
    held(list).map(of).collect()
}

fn all_cards<'c>(
    cache: &CardCache,
    pool: &Pool,
    cards: impl IntoIterator<Item = &'c CardId>,
) -> Result<Vec<Box<RawValue>>, Problem> {
    cards.into_iter().map(|card| cache.card(pool, *card)).collect()
}

impl View {
    fn searched(
        &self,
        pool: &Pool,
        cache: &CardCache,
        visible: &mut BTreeSet<CardId>,
    ) -> Result<Option<OrProblem<CardSearch>>, Problem> {
        let Some(search) = &self.search else {
            return Ok(None);
        };
        Ok(Some(match found(pool, search, self.own.as_ref()) {
            Err(problem) => OrProblem::Problem(problem),
            Ok((cards, total, notes)) => {
                visible.extend(&cards);
                let facets = search.facets.iter().take(MOST_FACETS);
                let facets = facets.map(|facet| counted(pool, facet)).collect();
                let near = if total == 0 {
                    pool.near(&search.name, NameField::Name).names
                } else {
                    Vec::new()
                };
                OrProblem::Answer(CardSearch {
                    total,
                    facets,
                    near: near.first().map(|name| (*name).to_owned()),
                    cards: all_cards(cache, pool, &cards)?,
                    notes,
                })
            }
        }))
    }
}

impl Ask for View {
    type Answer = ViewAnswer;

    fn ask(self, library: &Library) -> Result<ViewAnswer, Problem> {
        let entry = library.judge_of(self.subject())?;
        let source = Source::of(&entry, self.subject())?;
        let general = match source.format {
            Some(format) => Some(entry.rules(format)?),
            None => None,
        };
        let read = source.read(&entry)?;
        let mut report = entry.judge.report("-", &read, source.format);
        let resolved = known(read);
        let rules = resolved.as_ref().map(|resolved| resolved.rulebook());
        let rules = rules.or(general.as_ref());
        let rules = rules.ok_or_else(|| problem::query("name a format to view the deck in"))?;
        let (pool, cache) = (rules.pool(), entry.cards(rules));
        let findings = report.findings.len();
        report.findings.truncate(MOST);
        let of_names = |names: &[String]| -> Vec<CardId> {
            let names = names.iter().take(MOST);
            names.filter_map(|name| pool.look_up(name, NameField::Name).card()).collect()
        };
        let mut visible: BTreeSet<CardId> = of_names(&self.visible).into_iter().collect();
        let search = self.searched(pool, &cache, &mut visible)?;
        let list = resolved.as_ref().map(|resolved| resolved.list());
        let rooms = list.map(|list| (list, Rooms::of(list)));
        let measured = resolved.as_ref().filter(|_| self.stats);
        // The findings of its verdict are the notes of the deck.
        let odds = self.odds.iter().map(|odds| match &resolved {
            Some(resolved) => odds.answer(&entry, resolved, Notes::without_deck()).into(),
            None => OrProblem::Problem(problem::unreadable()),
        });
        Ok(ViewAnswer {
            findings,
            check: CheckAnswer(report),
            search,
            cards: all_cards(&cache, pool, &of_names(&self.cards))?,
            room: rooms.as_ref().map(|(list, rooms)| room(list, rooms, visible, &self.into)),
            takes: rooms.as_ref().map(|(list, rooms)| takes(list, rooms)),
            stats: measured
                .map(|resolved| {
                    let notes = Notes::without_deck();
                    stats::counted(&entry, "-", resolved, &[], notes).map(Box::new)
                })
                .transpose()?,
            odds: odds.collect(),
        })
    }
}
