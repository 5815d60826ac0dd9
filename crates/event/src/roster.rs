//! Who is at an event and what they handed in: what comes of its records, read in their order.

use crate::alike::Plain;
use crate::record::{
    By, Decision, EntryId, Fact, Happening, Personal, PlayerId, Question, Record, Whose, Why,
};
use decklaw_core::name::{fold, tidy};
use decklaw_core::text::listed;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::Deref;

/// Who somebody says they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: Option<String>,
    /// Addresses and numbers of membership.
    pub addresses: Vec<String>,
}

impl Person {
    /// Somebody of whom nothing is known but the name.
    pub fn named(name: &str) -> Person {
        Person {
            name: Some(tidy(name).into_owned()).filter(|name| !name.is_empty()),
            addresses: Vec::new(),
        }
    }
}

/// A player's name, with what it is compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    text: String,
    plain: Plain,
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        let plain = Plain::of(&text);
        Name { text, plain }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Name {
    /// The name as names are put in order: without marks above letters, points and dashes.
    pub(crate) fn plain(&self) -> &str {
        self.plain.text()
    }
}

/// The players who go by a name.
#[derive(Debug, Clone)]
struct Called {
    plain: Plain,
    players: BTreeSet<PlayerId>,
}

/// A deck check or a decision that is noted of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// When.
    pub at: String,
    /// Who noted it.
    pub who: String,
    /// What it is, in words.
    pub text: String,
}

/// A player of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The id.
    pub id: PlayerId,
    /// The name; empty where it was removed.
    pub name: Name,
    /// Addresses and numbers of membership that the organiser's list gives.
    pub addresses: Vec<String>,
    /// Whether the organiser's list has them.
    pub expected: bool,
    /// Where they sit.
    pub table: Option<String>,
    /// Whether they may change their deck no more.
    pub locked: bool,
    /// Who goes on for them, where two turned out to be one.
    pub is: Option<PlayerId>,
    /// Whether what was known of them was removed.
    pub forgotten: bool,
    /// The digest of the key that opens their deck.
    pub key: Option<String>,
    /// Deck checks.
    pub notes: Vec<Note>,
    /// Whether they were drawn for a deck check.
    pub drawn: bool,
    /// What the last deck check at a table said.
    pub checked: Option<String>,
}

/// A deck as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The id.
    pub id: EntryId,
    /// The form or folder it is of, or `desk`.
    pub source: String,
    /// The row of the form.
    pub row: Option<u64>,
    /// When it came; `None`: that is not known.
    pub at: Option<Timestamp>,
    /// Who it says it is of.
    pub person: Person,
    /// What the form says of it besides.
    pub personal: Personal,
    /// The deck's bytes.
    pub deck: Vec<u8>,
    /// The deck as a person read it.
    pub read_as: Option<String>,
    /// Whose it is.
    pub whose: Whose,
    /// Whether an organiser says that it came in time.
    pub in_time: Option<bool>,
    /// Whether an organiser says that it counts; `None`: nobody does.
    pub counts: Option<bool>,
    /// Who brought it: `player`, or an organiser.
    pub who: String,
    /// When it was taken in.
    pub taken: String,
}

impl Entry {
    /// Its place, for people: `form.csv row 5`.
    pub fn place(&self) -> String {
        match self.row {
            Some(row) => format!("{} row {row}", self.source),
            None => self.source.clone(),
        }
    }
}

/// Who is at an event, what came and what was decided.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    /// The players, in the order of their ids.
    pub players: BTreeMap<PlayerId, Player>,
    /// The entries, in the order in which they came.
    pub entries: BTreeMap<EntryId, Entry>,
    /// Names that mean a card, folded.
    pub means: BTreeMap<String, String>,
    /// Whether everybody is locked.
    pub closed: bool,
    /// The digest of the key that opens the desk.
    pub key: Option<String>,
    marks: HashMap<String, u32>,
    /// The forms by which something was sent that is not carried out twice.
    forms: HashSet<String>,
    /// Players by folded names and addresses, as far as is known: names and addresses of the
    /// list, and those of entries.
    names: HashMap<String, Called>,
    addresses: HashMap<String, BTreeSet<PlayerId>>,
    /// Players of whom an address is known.
    reached: BTreeSet<PlayerId>,
}

impl Roster {
    /// Takes one more record in.
    pub fn take(&mut self, record: &Record) {
        let happening = Happening {
            fact: record.fact.clone(),
            personal: record.personal.clone().unwrap_or_default(),
            deck: record.deck.clone(),
        };
        self.forms.extend(record.form.clone());
        self.add(happening, &record.who, &record.at);
    }

    /// Whether what was sent by a form was carried out before.
    pub fn has_done(&self, by: &By) -> bool {
        let form = by.form.as_ref();
        form.is_some_and(|form| self.forms.contains(form))
    }

    /// Takes in what happened; `who` did it, at `at`.
    pub(crate) fn add(&mut self, happening: Happening, who: &str, at: &str) {
        let Happening {
            fact,
            personal,
            deck,
        } = happening;
        match fact {
            Fact::Player { player, expected } => {
                let name = personal.name.clone().unwrap_or_default();
                self.learn(player, Some(&name), &personal.addresses);
                let player = Player {
                    id: player,
                    name: name.into(),
                    addresses: personal.addresses,
                    expected,
                    table: personal.table,
                    locked: false,
                    is: None,
                    forgotten: false,
                    key: None,
                    notes: Vec::new(),
                    drawn: false,
                    checked: None,
                };
                self.players.insert(player.id, player);
            }
            Fact::Entry {
                entry,
                source,
                row,
                at: came,
                whose,
                mark,
            } => {
                *self.marks.entry(mark).or_default() += 1;
                let person = Person {
                    name: personal.name.clone(),
                    addresses: personal.addresses.clone(),
                };
                if let Whose::Player(player) = whose {
                    self.learn(player, None, &person.addresses);
                }
                let entry = Entry {
                    id: entry,
                    source,
                    row,
                    at: came.and_then(|came| came.parse().ok()),
                    person,
                    personal,
                    deck: deck.unwrap_or_default(),
                    read_as: None,
                    whose,
                    in_time: None,
                    counts: None,
                    who: who.to_owned(),
                    taken: at.to_owned(),
                };
                self.entries.insert(entry.id, entry);
            }
            Fact::Decided(decision) => self.decide(decision, &personal, deck, who, at),
        }
    }

    fn decide(
        &mut self,
        decision: Decision,
        personal: &Personal,
        deck: Option<Vec<u8>>,
        who: &str,
        at: &str,
    ) {
        match decision {
            Decision::Is { entry, player } => {
                let Some(entry) = self.entries.get_mut(&entry) else {
                    return;
                };
                entry.whose = Whose::Player(player);
                let person = entry.person.clone();
                self.learn(player, person.name.as_deref(), &person.addresses);
            }
            Decision::Came { entry, in_time } => {
                if let Some(entry) = self.entries.get_mut(&entry) {
                    entry.in_time = Some(in_time);
                }
            }
            Decision::Counts { entry, counts } => {
                let whose = self.entries.get(&entry).map(|entry| entry.whose.clone());
                if let (true, Some(Whose::Player(player))) = (counts, whose) {
                    // One deck of a player counts.
                    let of = self.real(player);
                    let others: Vec<EntryId> = self.of(of).map(|entry| entry.id).collect();
                    for other in others {
                        if let Some(other) = self.entries.get_mut(&other)
                            && other.counts == Some(true)
                        {
                            other.counts = None;
                        }
                    }
                }
                if let Some(entry) = self.entries.get_mut(&entry) {
                    entry.counts = Some(counts);
                }
            }
            Decision::ReadAs { entry } => {
                if let Some(entry) = self.entries.get_mut(&entry) {
                    let text = deck.map(|deck| String::from_utf8_lossy(&deck).into_owned());
                    entry.read_as = text;
                }
            }
            Decision::Means { name, card } => {
                self.means.insert(fold(&name).into_owned(), card);
            }
            Decision::Lock { player, locked } => match player {
                None => self.closed = locked,
                Some(player) => {
                    if let Some(player) = self.players.get_mut(&player) {
                        player.locked = locked;
                    }
                }
            },
            Decision::Same { player, with } => {
                let with = self.real(with);
                let expected = self.players.get(&player).is_some_and(|own| own.expected);
                if with != player
                    && let Some(own) = self.players.get_mut(&player)
                {
                    own.is = Some(with);
                    let (name, addresses) = (own.name.clone(), own.addresses.clone());
                    self.learn(with, Some(&name), &addresses);
                    if self.reached.contains(&player) {
                        self.reached.insert(with);
                    }
                    if let Some(with) = self.players.get_mut(&with) {
                        with.expected |= expected;
                    }
                }
            }
            Decision::Expected { player, expected } => {
                if let Some(player) = self.players.get_mut(&player) {
                    player.expected = expected;
                }
            }
            Decision::Table { player, table } => {
                if let Some(player) = self.players.get_mut(&player) {
                    player.table = Some(table).filter(|table| !table.is_empty());
                }
            }
            Decision::Renamed { player } => {
                if let Some(name) = &personal.name {
                    self.learn(player, Some(name), &[]);
                    if let Some(player) = self.players.get_mut(&player) {
                        player.name = name.clone().into();
                    }
                }
            }
            Decision::Checked { player, answer } => {
                if let Some(player) = self.players.get_mut(&player) {
                    let said = format!("deck check: {answer}");
                    player.notes.push(Note {
                        at: at.to_owned(),
                        who: who.to_owned(),
                        text: match &personal.words {
                            Some(words) => format!("{said}: {words}"),
                            None => said,
                        },
                    });
                    player.checked = Some(answer);
                }
            }
            Decision::Drawn { players } => {
                for player in players {
                    if let Some(player) = self.players.get_mut(&player) {
                        player.drawn = true;
                    }
                }
            }
            Decision::Forgotten { player } => {
                if let Some(player) = self.players.get_mut(&player) {
                    player.name = String::new().into();
                    player.addresses.clear();
                    player.forgotten = true;
                }
                let ids = self.players.keys().copied();
                let ids: Vec<PlayerId> = ids.filter(|id| self.real(*id) == player).collect();
                for id in ids {
                    if let Some(own) = self.players.get_mut(&id) {
                        own.key = None;
                    }
                }
                let own: Vec<EntryId> = self.of(player).map(|entry| entry.id).collect();
                for entry in own {
                    if let Some(entry) = self.entries.get_mut(&entry) {
                        entry.person = Person::default();
                        entry.personal = Personal::default();
                        entry.deck.clear();
                        entry.read_as = None;
                    }
                }
                let other = |players: &mut BTreeSet<PlayerId>| {
                    players.remove(&player);
                    !players.is_empty()
                };
                self.names.retain(|_, called| other(&mut called.players));
                self.addresses.retain(|_, players| other(players));
            }
            Decision::Key { player, key } => match player {
                Some(player) => {
                    if let Some(player) = self.players.get_mut(&player) {
                        player.key = Some(key);
                    }
                }
                None => self.key = Some(key),
            },
        }
    }

    /// Remembers by which name and addresses a player goes.
    fn learn(&mut self, player: PlayerId, name: Option<&str>, addresses: &[String]) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let called = self.names.entry(fold(name).into_owned());
            let called = called.or_insert_with_key(|name| Called {
                plain: Plain::of(name),
                players: BTreeSet::new(),
            });
            called.players.insert(player);
        }
        for address in addresses {
            self.reached.insert(player);
            let address = fold(address).into_owned();
            self.addresses.entry(address).or_default().insert(player);
        }
    }

    /// Who a player is, where several ids turned out to be one person's.
    pub fn real(&self, player: PlayerId) -> PlayerId {
        let mut at = player;
        while let Some(is) = self.players.get(&at).and_then(|player| player.is) {
            at = is;
        }
        at
    }

    /// The players, each once, in the order of their ids: who is expected, and who brought a deck.
    /// Those whose data were removed are none.
    pub fn present(&self) -> impl Iterator<Item = &Player> {
        let brought = self.entries.values().filter_map(|entry| match entry.whose {
            Whose::Player(player) => Some(self.real(player)),
            Whose::Asked(_) => None,
        });
        let brought: BTreeSet<PlayerId> = brought.collect();
        self.players.values().filter(move |player| {
            let there = player.expected || player.key.is_some() || brought.contains(&player.id);
            there && player.is.is_none() && !player.forgotten
        })
    }

    /// The entries of a player, in the order in which they came.
    pub fn of(&self, player: PlayerId) -> impl Iterator<Item = &Entry> {
        self.entries
            .values()
            .filter(move |entry| match entry.whose {
                Whose::Player(own) => self.real(own) == player,
                Whose::Asked(_) => false,
            })
    }

    /// The entries of each player, in the order in which they came.
    pub fn entries_by_player(&self) -> BTreeMap<PlayerId, Vec<&Entry>> {
        let mut by: BTreeMap<PlayerId, Vec<&Entry>> = BTreeMap::new();
        for entry in self.entries.values() {
            if let Whose::Player(player) = entry.whose {
                by.entry(self.real(player)).or_default().push(entry);
            }
        }
        by
    }

    /// How often an entry with this mark was taken in.
    pub(crate) fn taken(&self, mark: &str) -> u32 {
        self.marks.get(mark).copied().unwrap_or_default()
    }

    /// The id of the next player.
    pub(crate) fn next_player(&self) -> PlayerId {
        PlayerId(self.players.keys().last().map_or(0, |last| last.0) + 1)
    }

    /// The id of the next entry.
    pub(crate) fn next_entry(&self) -> EntryId {
        EntryId(self.entries.keys().last().map_or(0, |last| last.0) + 1)
    }

    /// The players of a folded name.
    fn at_name(&self, name: &str) -> BTreeSet<PlayerId> {
        let known = self.names.get(name).into_iter();
        let known = known.flat_map(|called| &called.players);
        known.map(|player| self.real(*player)).collect()
    }

    /// The players of an address.
    fn at_address(&self, addresses: &[String]) -> BTreeSet<PlayerId> {
        let known = addresses
            .iter()
            .filter_map(|address| self.addresses.get(&*fold(address)));
        known.flatten().map(|player| self.real(*player)).collect()
    }

    /// Every address by which a player is known.
    pub fn addresses_of(&self, player: PlayerId) -> Vec<&str> {
        let own = self.players.get(&player);
        let own = own.into_iter().flat_map(|own| &own.addresses);
        let entries = self.of(player).flat_map(|entry| &entry.person.addresses);
        let mut all: Vec<&str> = Vec::new();
        for address in own.chain(entries) {
            if !all.contains(&address.as_str()) {
                all.push(address);
            }
        }
        all
    }

    /// The one player that a person means by an id, a name or an address, or by several of them:
    /// `Kim Lee (p004)`.
    ///
    /// # Errors
    /// Nobody of that name, or several; in words.
    pub fn one_named(&self, text: &str) -> Result<PlayerId, String> {
        let mut found = self.named(text);
        if found.is_empty() {
            let mut words = text.split(|letter: char| !letter.is_alphanumeric());
            let id = words.find_map(|word| word.parse::<PlayerId>().ok());
            let id = id.filter(|id| self.players.contains_key(id));
            found.extend(id.map(|id| self.real(id)));
        }
        match found.as_slice() {
            [one] => Ok(*one),
            [] => {
                let near = self.near(&Plain::of(text));
                let near = near.iter().take(3);
                let near: Vec<String> = near.map(|id| self.called(*id)).collect();
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; is it {}?", listed(&near, "or"))
                };
                Err(format!("nobody in this event is called `{text}`{hint}"))
            }
            several => {
                let ids: Vec<String> = several.iter().map(PlayerId::to_string).collect();
                let ids = listed(&ids, "and");
                Err(format!("{ids} are called `{text}`; write the id of one"))
            }
        }
    }

    /// The players that a person names: by an id, a name or an address.
    pub(crate) fn named(&self, text: &str) -> Vec<PlayerId> {
        if let Ok(id) = text.trim().parse::<PlayerId>()
            && self.players.contains_key(&id)
        {
            return vec![self.real(id)];
        }
        let mut found = self.at_name(&fold(text));
        if found.is_empty() {
            found = self.at_address(&[text.trim().to_owned()]);
        }
        found.into_iter().collect()
    }

    /// The players whose names may be meant by one that nobody has, the nearest first.
    fn near(&self, name: &Plain) -> Vec<PlayerId> {
        let mut near: Vec<(usize, PlayerId)> = Vec::new();
        for called in self.names.values() {
            let Some(distance) = name.distance(&called.plain) else {
                continue;
            };
            let players = called.players.iter();
            near.extend(players.map(|player| (distance, self.real(*player))));
        }
        near.sort_unstable();
        let mut found: Vec<PlayerId> = Vec::new();
        for (_, player) in near {
            if !found.contains(&player) {
                found.push(player);
            }
        }
        found
    }

    /// Whose a deck is that somebody hands in: a player's, somebody's who is new, or a question.
    /// Names and addresses suggest; where they do not agree, nobody is chosen.
    pub fn whose(&self, person: &Person) -> Whose {
        let ask = |why, likely: Option<PlayerId>, others: Vec<PlayerId>| {
            let others = others.into_iter().filter(|other| Some(*other) != likely);
            Whose::Asked(Question {
                why,
                likely,
                others: others.collect(),
            })
        };
        let by_address = self.at_address(&person.addresses);
        let name = person.name.as_deref().map(|name| fold(name).into_owned());
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            let all: Vec<PlayerId> = by_address.into_iter().collect();
            return match (all.as_slice(), person.addresses.is_empty()) {
                ([one], _) => Whose::Player(*one),
                ([], true) => ask(Why::Nobody, None, Vec::new()),
                ([], false) => NEW,
                ([first, ..], _) => ask(Why::SharedAddress, Some(*first), all.clone()),
            };
        };
        let by_name = self.at_name(&name);
        let both: Vec<PlayerId> = by_name.intersection(&by_address).copied().collect();
        let named: Vec<PlayerId> = by_name.iter().copied().collect();
        let addressed: Vec<PlayerId> = by_address.iter().copied().collect();
        match (both.as_slice(), named.as_slice(), addressed.as_slice()) {
            ([one], ..) => Whose::Player(*one),
            ([first, ..], ..) => ask(Why::Namesakes, Some(*first), both.clone()),
            // Nobody of that name had said an address, and neither does this one, or it is the first.
            ([], [one], []) if person.addresses.is_empty() || !self.has_address(*one) => {
                Whose::Player(*one)
            }
            ([], [one], []) => {
                // Whoever is expected once is more likely to write from two addresses than to
                // have a namesake whom nobody expects.
                let expected = self.players.get(one).is_some_and(|one| one.expected);
                ask(
                    Why::AnotherAddress,
                    Some(*one).filter(|_| expected),
                    vec![*one],
                )
            }
            ([], [one], [..]) => ask(
                Why::SharedAddress,
                Some(*one),
                [named.clone(), addressed.clone()].concat(),
            ),
            ([], [_, ..], _) => {
                let free = |player: &&PlayerId| self.of(**player).next().is_none();
                let unknown = |player: &&PlayerId| !self.has_address(**player);
                let likely = named.iter().find(|player| free(player) && unknown(player));
                let likely = likely.or_else(|| named.iter().find(free));
                ask(
                    Why::Namesakes,
                    likely.or(named.first()).copied(),
                    named.clone(),
                )
            }
            ([], [], [..]) if !addressed.is_empty() => {
                let plain = Plain::of(&name);
                let near = |player: &&PlayerId| {
                    let own = self.players.get(player);
                    own.is_some_and(|own| own.name.plain.distance(&plain).is_some())
                };
                match addressed.iter().find(near) {
                    Some(one) => ask(Why::NearlyNamed, Some(*one), addressed.clone()),
                    None => {
                        let listed = self.nearly_expected(&plain);
                        let likely = listed.first().copied();
                        ask(
                            Why::SharedAddress,
                            likely,
                            [listed, addressed.clone()].concat(),
                        )
                    }
                }
            }
            _ => {
                let near = self.nearly_expected(&Plain::of(&name));
                match near.first() {
                    // Nobody waits for a player who has handed in from another address.
                    Some(first) => {
                        let other = self.has_address(*first) && self.of(*first).next().is_some();
                        let likely = Some(*first).filter(|_| !other);
                        ask(Why::NearlyNamed, likely, near.clone())
                    }
                    None => NEW,
                }
            }
        }
    }

    fn has_address(&self, player: PlayerId) -> bool {
        self.reached.contains(&player)
    }

    /// Players of the organiser's list whose name is nearly this one, the nearest first.
    fn nearly_expected(&self, name: &Plain) -> Vec<PlayerId> {
        let expected = self.players.values();
        let expected = expected.filter(|player| player.expected && player.is.is_none());
        let near =
            expected.filter_map(|player| Some((name.distance(&player.name.plain)?, player.id)));
        let mut near: Vec<(usize, PlayerId)> = near.collect();
        near.sort_unstable();
        near.into_iter().map(|(_, player)| player).collect()
    }

    /// Players who are called so nearly alike that they may be one: those without a deck who are
    /// expected, each with those who have one and are not.
    pub fn doubles(&self) -> Vec<(PlayerId, PlayerId)> {
        let has = self.entries_by_player();
        let missing = self
            .present()
            .filter(|player| player.expected && !has.contains_key(&player.id));
        let pairs = missing.flat_map(|player| {
            let near = self.near(&player.name.plain).into_iter();
            let other = |id: &PlayerId| {
                *id != player.id && self.players.get(id).is_some_and(|own| !own.expected)
            };
            let near: Vec<PlayerId> = near.filter(other).collect();
            near.into_iter().map(|other| (other, player.id))
        });
        pairs.collect()
    }

    /// Puts a question, where a deck would be a player's without one.
    pub fn question(entry: &Entry) -> Option<&Question> {
        match &entry.whose {
            Whose::Asked(question) => Some(question),
            Whose::Player(_) => None,
        }
    }
}

/// Somebody who is not in the roster yet.
const NEW: Whose = Whose::Player(PlayerId(0));

impl Whose {
    /// Whether it is somebody's who is not in the roster yet.
    pub fn is_new(&self) -> bool {
        *self == NEW
    }
}
