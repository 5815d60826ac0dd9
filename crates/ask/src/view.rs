//! What a page shows of a deck after each change.

use crate::check::CheckAnswer;
use crate::deck::{Source, known};
use crate::library::{CardCache, Library};
use crate::notes::{Notes, no_such_word};
use crate::odds::OddsAnswer;
use crate::parts::OrProblem;
use crate::problem;
use crate::question::{Ask, Owned, Search, View};
use crate::room::{Reasons, RoomEntry, entries};
use crate::stats;
use decklaw_cards::pool::{CardId, CardSet, FieldKind, NameField, Pool};
use decklaw_cards::query::{Query, QueryError};
use decklaw_engine::solve::Rooms;
use decklaw_engine::stats::DeckStats;
use decklaw_judge::Note;
use decklaw_judge::resolve::Decklist;
use decklaw_text::Problem;
use decklaw_text::name::fold;
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most findings and cards of an answer.
const MOST: usize = 200;

/// The most fields whose values are counted.
const MOST_FACETS: usize = 24;

/// Kinds of rules that bound a whole section.
const WHOLE: [&str; 2] = ["size", "budget"];

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

/// A search of a pool: the cards that its query matches, those of each filter, and those that the
/// player owns.
struct Searched<'s> {
    pool: &'s Pool,
    search: &'s Search,
    query: CardSet,
    filters: Vec<(&'s str, CardSet)>,
    /// Those that the player owns, and those that can go into the deck, where others are hidden.
    among: Vec<CardSet>,
    notes: Vec<Note>,
}

impl<'s> Searched<'s> {
    fn new(
        pool: &'s Pool,
        search: &'s Search,
        among: Vec<CardSet>,
    ) -> Result<Searched<'s>, Problem> {
        let selected = |text: &str| {
            let texts = pool.fields().iter().filter(|field| field.kind == FieldKind::Text);
            let texts: Vec<&str> = texts.map(|field| field.name.as_str()).collect();
            let query = Query::parse(text)?;
            Ok((query.anywhere(&texts).select(pool)?, query.remarks(pool)))
        };
        let selected = |text: &str| {
            selected(text).map_err(|error: QueryError| problem::of_query("", text, &error))
        };
        let (query, remarks) = selected(&search.query)?;
        let filters = search.filters.iter();
        let filters = filters.map(|filter| Ok((filter.field.as_str(), selected(&filter.query)?.0)));
        Ok(Searched {
            pool,
            search,
            query,
            filters: filters.collect::<Result<_, Problem>>()?,
            among,
            notes: remarks.into_iter().map(|remark| no_such_word(remark.message)).collect(),
        })
    }

    /// The cards that are left, whatever the filters of one field say.
    fn left(&self, without: Option<&str>) -> impl Iterator<Item = CardId> {
        let filters = self.filters.iter();
        let filters: Vec<_> = filters.filter(|(field, _)| Some(*field) != without).collect();
        self.query.iter().filter(move |card| {
            filters.iter().all(|(_, cards)| cards.has(*card))
                && self.among.iter().all(|cards| cards.has(*card))
        })
    }

    /// The cards in the order in which they are shown: by the field to sort by, or else those whose
    /// name is, begins with or has the words of the query first.
    fn ordered(&self) -> Vec<CardId> {
        let (pool, field) = (self.pool, &self.search.sort);
        let mut cards: Vec<CardId> = self.left(None).collect();
        if !field.is_empty() {
            cards.sort_by_cached_key(|card| {
                let number = pool.number(*card, field);
                (number.is_none(), number, pool.shown(*card, field))
            });
            return cards;
        }
        let typed = fold(self.search.query.trim());
        cards.sort_by_cached_key(|card| {
            let name = pool.folded(*card);
            let has_all = typed.split_whitespace().all(|word| name.contains(word));
            match name.find(&*typed) {
                Some(0) => usize::from(name != typed),
                Some(_) => 2,
                None => 4 - usize::from(has_all),
            }
        });
        cards
    }

    /// How many cards have each value of a field.
    fn counted(&self, field: &str) -> BTreeMap<String, usize> {
        let pool = self.pool;
        let mut counts = BTreeMap::new();
        let Some(field) = pool.fields().iter().find(|one| one.name == field) else {
            return counts;
        };
        for card in self.left(Some(&field.name)) {
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
    let found = rooms.of_each(places);
    let mut all = entries(list, rooms, &found, Reasons::Full);
    // A card beyond the size of its section may come in before another goes out.
    let rules = list.rulebook().rules();
    let is_whole = |rule: usize| WHOLE.contains(&rules[rule].kind);
    if found.iter().any(|room| room.rule.is_some_and(is_whole)) {
        let alone = Rooms::by(list, |rule| !WHOLE.contains(&rule.kind));
        for (entry, room) in all.iter_mut().zip(&found) {
            if room.rule.is_some_and(is_whole) {
                /// More than a page lets a player add at once.
                const MANY: i64 = 999;
                let more = alone.room(room.section, room.card).more;
                entry.alone = Some(more.unwrap_or(MANY));
            }
        }
    }
    all
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
        rooms: Option<&(&Decklist, Rooms<'_>)>,
    ) -> Result<Option<OrProblem<CardSearch>>, Problem> {
        let Some(search) = &self.search else {
            return Ok(None);
        };
        let mut among = Vec::new();
        if search.owned {
            let names = self.own.iter().flat_map(Owned::keys);
            among.push(CardSet::among(
                pool.len(),
                names.filter_map(|name| pool.look_up(name, NameField::Name).card()),
            ));
        }
        if let Some((list, rooms)) = rooms.filter(|_| search.fits) {
            let places =
                sections(list).flat_map(|section| pool.ids().map(move |card| (section, card)));
            let fits = rooms.of_each(places).into_iter().filter(|room| {
                room.more != Some(0)
                    || room
                        .rule
                        .is_some_and(|rule| WHOLE.contains(&list.rulebook().rules()[rule].kind))
                    || list.copies(room.section, room.card) > 0
            });
            among.push(CardSet::among(pool.len(), fits.map(|room| room.card)));
        }
        Ok(Some(match Searched::new(pool, search, among) {
            Err(problem) => OrProblem::Problem(problem),
            Ok(found) => {
                let all = found.ordered();
                let most = search.most.clamp(1, MOST);
                let cards: Vec<CardId> = all.iter().skip(search.skip).take(most).copied().collect();
                visible.extend(&cards);
                let facets = search.facets.iter().take(MOST_FACETS);
                let near = if all.is_empty() {
                    pool.near(&search.query, NameField::Name).names
                } else {
                    Vec::new()
                };
                OrProblem::Answer(CardSearch {
                    total: all.len(),
                    facets: facets.map(|field| found.counted(field)).collect(),
                    near: near.first().map(|name| (*name).to_owned()),
                    cards: all_cards(cache, pool, &cards)?,
                    notes: found.notes,
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
        let list = resolved.as_ref().map(|resolved| resolved.list());
        let rooms = list.map(|list| (list, Rooms::of(list)));
        let search = self.searched(pool, &cache, &mut visible, rooms.as_ref())?;
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
