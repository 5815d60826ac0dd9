//! The players and entries of an event, after every decision.

use crate::decision::{Decision, DecisionRow, Imported};
use crate::id::{EntryId, PlayerId};
use crate::names::{Directory, NameKey};
use decklaw_text::name::{fold, tidy};
use decklaw_text::text::listed;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The source of decks that were submitted at the server.
pub(crate) const DESK: &str = "desk";

/// A name and an address, as given by a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: Option<String>,
    /// An address or a membership number.
    pub email: Option<String>,
    /// The table, in a list of players.
    pub table: Option<String>,
}

impl Person {
    /// A person known only by name.
    pub fn named(name: &str) -> Person {
        Person {
            name: Some(tidy(name).into_owned()).filter(|name| !name.is_empty()),
            ..Person::default()
        }
    }
}

/// A player of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Player {
    pub id: PlayerId,
    /// The name; empty once it was removed.
    pub name: String,
    /// The address or membership number on the organiser's list.
    pub email: Option<String>,
    /// The addresses of the list and of entries, each once.
    pub addresses: Vec<String>,
    pub listed: bool,
    pub table: Option<String>,
    /// Whether the player may no longer change the deck.
    pub locked: bool,
    /// The player that this one turned out to be.
    pub merged_into: Option<PlayerId>,
    pub forgotten: bool,
    /// SHA-256 of the key of the player's link.
    pub key: Option<String>,
    pub withdrawn: bool,
    /// Whether the player was drawn for a deck check.
    pub drawn: bool,
    pub checked: Option<String>,
    pub notes: Vec<String>,
}

impl Player {
    /// A player as the roster begins with them.
    pub(crate) fn new(id: PlayerId, person: Person, listed: bool) -> Player {
        Player {
            id,
            name: person.name.unwrap_or_default(),
            addresses: person.email.iter().cloned().collect(),
            email: person.email,
            listed,
            table: person.table,
            locked: false,
            merged_into: None,
            forgotten: false,
            key: None,
            withdrawn: false,
            drawn: false,
            checked: None,
            notes: Vec::new(),
        }
    }
}

/// Why an entry could not be matched to a player, or a player's deck not to the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmbiguityReason {
    /// It gives neither a name nor an address.
    Nobody,
    /// Several players have that name.
    Namesakes,
    /// A player of that name has another address.
    AnotherAddress,
    /// A player of another name has that address.
    SharedAddress,
    /// The name is nearly that of a player.
    NearlyNamed,
    /// Its time is missing or cannot be read, and there is a deadline.
    Time,
}

impl AmbiguityReason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            AmbiguityReason::Nobody => "it gives no name and no address",
            AmbiguityReason::Namesakes => "several players have that name",
            AmbiguityReason::AnotherAddress => "a player of that name has another address",
            AmbiguityReason::SharedAddress => "another player has that address",
            AmbiguityReason::NearlyNamed => "a player has nearly that name",
            AmbiguityReason::Time => "its time is missing or not understood",
        }
    }
}

/// A deck as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Entry {
    pub id: EntryId,
    /// Whose it is; `None`: an organiser is asked.
    pub player: Option<PlayerId>,
    /// Why it was not matched to a player when it came.
    pub question: Option<AmbiguityReason>,
    /// The form or folder, or `desk`.
    pub source: String,
    pub row: Option<u64>,
    pub at: Option<Timestamp>,
    /// When it was stored, RFC 3339 in UTC.
    pub stored: String,
    /// `player`, `import` or an organiser's name.
    pub author: String,
    pub name: Option<String>,
    pub email: Option<String>,
    pub format: Option<String>,
    pub time: Option<String>,
    pub file: Option<String>,
    /// Why the file or cell could not be read.
    pub unreadable: Option<String>,
    pub extra: Vec<(String, String)>,
    pub deck: Vec<u8>,
    pub form: Option<String>,
    pub read_as: Option<String>,
    /// Whether an organiser says that it came in time.
    pub in_time: Option<bool>,
    pub counts: Option<bool>,
    /// Whether an organiser has let another deck of the player count since it came.
    pub passed_over: bool,
}

impl Entry {
    /// An entry without a deck that is submitted at the server.
    pub(crate) fn handed_in(id: EntryId, person: &Person, at: Timestamp) -> Entry {
        Entry {
            id,
            player: None,
            question: None,
            source: DESK.to_owned(),
            row: None,
            at: Some(at),
            stored: String::new(),
            author: String::new(),
            name: person.name.clone(),
            email: person.email.clone(),
            format: None,
            time: None,
            file: None,
            unreadable: None,
            extra: Vec::new(),
            deck: Vec::new(),
            form: None,
            read_as: None,
            in_time: None,
            counts: None,
            passed_over: false,
        }
    }

    /// Its place, for people: `form.csv row 5`.
    pub fn place(&self) -> String {
        match self.row {
            Some(row) => format!("{} row {row}", self.source),
            None => self.source.clone(),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.deck.iter().all(u8::is_ascii_whitespace)
    }

    /// Who it says it is from.
    pub fn person(&self) -> Person {
        Person { name: self.name.clone(), email: self.email.clone(), table: None }
    }
}

/// Every row of an event.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub(crate) players: Vec<Player>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) decisions: Vec<DecisionRow>,
}

/// The players and entries of an event, after every decision.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    /// The players by id.
    pub players: BTreeMap<PlayerId, Player>,
    /// The entries, in the order in which they came.
    pub entries: BTreeMap<EntryId, Entry>,
    /// The decisions in their order, with the ones that were undone.
    pub decisions: Vec<DecisionRow>,
    /// What unknown names mean, folded.
    pub means: BTreeMap<String, String>,
    /// Whether decks may no longer be changed.
    pub closed: bool,
    /// Whether everyone may read the decks.
    pub published: bool,
    /// SHA-256 of the key of the organiser's link.
    pub key: Option<String>,
    /// The keys of forms and rows that are stored.
    pub(crate) forms: HashSet<String>,
    pub(crate) directory: Directory,
    /// How many imports were undone: their rows may come again, under other keys.
    undone_imports: usize,
    /// The highest numbers of players and entries, with those of undone imports.
    last_player: u32,
    last_entry: u32,
}

impl Roster {
    /// Reads the roster from its rows.
    pub(crate) fn of(rows: Rows) -> Roster {
        Roster::without(rows, &BTreeSet::new()).0
    }

    /// The roster as if these decisions were undone, and the decisions that make no sense then.
    pub(crate) fn without(mut rows: Rows, also: &BTreeSet<i64>) -> (Roster, BTreeSet<i64>) {
        let undone = |row: &DecisionRow| match row.decision {
            Decision::Undo(decision) => Some(decision),
            _ => None,
        };
        let undone: BTreeSet<i64> = rows.decisions.iter().filter_map(undone).collect();
        for row in &mut rows.decisions {
            row.undone = undone.contains(&row.id) || also.contains(&row.id);
        }
        let gone = rows.decisions.iter().filter(|row| row.undone);
        let gone: Vec<&Imported> = gone.filter_map(|row| row.decision.import()).collect();
        let mut roster = Roster {
            undone_imports: gone.len(),
            last_player: rows.players.iter().map(|player| player.id.0).max().unwrap_or_default(),
            last_entry: rows.entries.iter().map(|entry| entry.id.0).max().unwrap_or_default(),
            ..Roster::default()
        };
        let is_gone = |entry: &Entry| gone.iter().any(|import| import.has_entry(entry.id));
        rows.entries.retain(|entry| !is_gone(entry));
        // Whoever has a deck of another source, or a link, is no invention of the import.
        let keyed = rows.decisions.iter().filter_map(|row| match row.decision {
            Decision::Key(player, _) => player,
            _ => None,
        });
        let owners = rows.entries.iter().filter_map(|entry| entry.player);
        let real: BTreeSet<PlayerId> = owners.chain(keyed).collect();
        for mut player in rows.players {
            if gone.iter().any(|import| import.has_player(player.id)) {
                if !real.contains(&player.id) {
                    continue;
                }
                player.listed = false;
            }
            roster.add_player(player);
        }
        for entry in rows.entries {
            roster.add_entry(entry);
        }
        let mut senseless = BTreeSet::new();
        for row in rows.decisions {
            roster.forms.extend(row.form.clone());
            if !row.undone {
                match roster.fits(&row.decision) {
                    Ok(()) => roster.apply(&row),
                    Err(_) => _ = senseless.insert(row.id),
                }
            }
            roster.decisions.push(row);
        }
        (roster, senseless)
    }

    /// Whether a decision is about players and entries that exist; else why not.
    pub(crate) fn fits(&self, decision: &Decision) -> Result<(), String> {
        let others: &[PlayerId] = match decision {
            Decision::Is(_, player) | Decision::Same(_, player) => &[*player],
            Decision::Draw(players) => players,
            Decision::Import(import) => &import.expected,
            _ => &[],
        };
        for player in decision.player().iter().chain(others) {
            if !self.players.contains_key(player) {
                return Err(no_player(*player));
            }
        }
        if let Some(id) = decision.entry() {
            let entry = self.entries.get(&id).ok_or_else(|| no_entry(id))?;
            if entry.player.is_none() && matches!(decision, Decision::Counts(_, true)) {
                return Err(format!("{id} has no player yet: assign it first"));
            }
        }
        if let Decision::Same(player, with) = decision
            && self.real(*player) == self.real(*with)
        {
            let one = self.real(*player);
            let ids = self.players.keys();
            let also = ids.filter(|id| **id != one && self.real(**id) == one);
            let also: Vec<String> = also.map(PlayerId::to_string).collect();
            let also = match also.as_slice() {
                [] => String::new(),
                also => format!(", also {}", listed(also, "and")),
            };
            let one = self.name_and_id(one);
            return Err(format!("both are one player, {one}{also}; name another player"));
        }
        Ok(())
    }

    /// The key of a row of a form, and whether it is new.
    pub(crate) fn key_of_row(&self, digest: &str) -> Option<String> {
        let known = self.forms.contains(digest);
        (!known).then(|| match self.undone_imports {
            0 => digest.to_owned(),
            undone => format!("{digest}@{undone}"),
        })
    }

    pub(crate) fn add_player(&mut self, player: Player) {
        let name = Some(player.name.as_str());
        self.directory.learn(player.id, name, player.email.as_deref());
        self.last_player = self.last_player.max(player.id.0);
        self.players.insert(player.id, player);
    }

    pub(crate) fn add_entry(&mut self, entry: Entry) {
        if let Some(player) = entry.player {
            self.learn(player, None, entry.email.as_deref());
        }
        let form = entry.form.iter().filter_map(|form| form.split('@').next());
        self.forms.extend(form.map(str::to_owned));
        self.last_entry = self.last_entry.max(entry.id.0);
        self.entries.insert(entry.id, entry);
    }

    fn apply(&mut self, row: &DecisionRow) {
        let decision = &row.decision;
        match decision {
            Decision::Means(name, card) => {
                self.means.insert(fold(name).into_owned(), card.clone());
            }
            Decision::Lock(None, locked) => self.closed = *locked,
            Decision::Publish(published) => self.published = *published,
            Decision::Import(import) => {
                for player in &import.expected {
                    if let Some(player) = self.players.get_mut(player) {
                        player.listed = true;
                    }
                }
            }
            Decision::Key(None, key) => self.key = Some(key.clone()),
            Decision::Draw(players) => {
                for player in players {
                    if let Some(player) = self.players.get_mut(player) {
                        player.drawn = true;
                    }
                }
            }
            Decision::Same(player, with) => self.merge(*player, *with),
            Decision::Forget(player) => self.forget(*player),
            _ => {
                self.apply_to_entry(row);
                self.apply_to_player(decision, row.why.as_deref());
            }
        }
    }

    fn apply_to_entry(&mut self, row: &DecisionRow) {
        let decision = &row.decision;
        let Some(id) = decision.entry() else {
            return;
        };
        if let Decision::Counts(_, counts) = *decision
            && let Some(player) = self.entries.get(&id).and_then(|entry| entry.player)
        {
            // One deck of a player counts.
            let of = self.real(player);
            let others: Vec<EntryId> = self.entries_of(of).map(|entry| entry.id).collect();
            for other in others {
                if let Some(other) = self.entries.get_mut(&other) {
                    other.counts = other.counts.filter(|other| !(*other && counts));
                    other.passed_over = counts && other.stored <= row.at;
                }
            }
        }
        let Some(entry) = self.entries.get_mut(&id) else {
            return;
        };
        match decision {
            Decision::Is(_, player) => {
                (entry.player, entry.question) = (Some(*player), None);
                let (name, email) = (entry.name.clone(), entry.email.clone());
                self.learn(*player, name.as_deref(), email.as_deref());
            }
            Decision::InTime(_, in_time) => entry.in_time = Some(*in_time),
            Decision::Counts(_, counts) => {
                (entry.counts, entry.passed_over) = (Some(*counts), false);
            }
            Decision::ReadAs(_, text) => entry.read_as = Some(text.clone()),
            _ => {}
        }
    }

    fn apply_to_player(&mut self, decision: &Decision, why: Option<&str>) {
        let player = decision.player();
        let Some(player) = player.and_then(|player| self.players.get_mut(&player)) else {
            return;
        };
        match decision {
            Decision::Table(_, table) => {
                player.table = Some(table.clone()).filter(|table| !table.is_empty());
            }
            Decision::Name(id, name) => {
                player.name.clone_from(name);
                self.directory.learn(*id, Some(name), None);
            }
            Decision::Expected(_, listed) => player.listed = *listed,
            Decision::Lock(_, locked) => player.locked = *locked,
            Decision::Withdraw(_, withdrawn) => player.withdrawn = *withdrawn,
            Decision::Key(_, key) => player.key = Some(key.clone()),
            Decision::Check(_, answer) => {
                let why = why.map_or_else(String::new, |why| format!(": {why}"));
                player.notes.push(format!("deck check: {answer}{why}"));
                player.checked = Some(answer.clone());
            }
            _ => {}
        }
    }

    fn merge(&mut self, player: PlayerId, with: PlayerId) {
        let with = self.real(with);
        let Some(own) = self.players.get_mut(&player).filter(|_| with != player) else {
            return;
        };
        own.merged_into = Some(with);
        let (name, listed) = (own.name.clone(), own.listed);
        let addresses = std::mem::take(&mut own.addresses);
        self.directory.learn(with, Some(&name), None);
        for address in addresses {
            self.learn(with, None, Some(&address));
        }
        if let Some(with) = self.players.get_mut(&with) {
            with.listed |= listed;
        }
    }

    fn forget(&mut self, player: PlayerId) {
        let ids = self.players.keys().copied();
        let ids: Vec<PlayerId> = ids.filter(|id| self.real(*id) == player).collect();
        for id in ids {
            if let Some(own) = self.players.get_mut(&id) {
                own.forgotten = true;
                own.key = None;
            }
        }
        self.directory.forget(player);
    }

    /// The player of an id, after merges.
    pub fn real(&self, player: PlayerId) -> PlayerId {
        let mut at = player;
        while let Some(is) = self.players.get(&at).and_then(|own| own.merged_into) {
            at = is;
        }
        at
    }

    /// The players who are listed, have a deck or a link, each once.
    pub fn present(&self) -> impl Iterator<Item = &Player> {
        let owners = self.entries.values().filter_map(|entry| entry.player);
        let owners: BTreeSet<PlayerId> = owners.map(|player| self.real(player)).collect();
        self.players.values().filter(move |player| {
            let there = player.listed || player.key.is_some() || owners.contains(&player.id);
            there && player.merged_into.is_none() && !player.forgotten
        })
    }

    /// The players in the order of their names.
    pub fn by_name(&self) -> Vec<PlayerId> {
        let mut players: Vec<&Player> = self.present().collect();
        players.sort_by_cached_key(|player| {
            (NameKey::of(&player.name).text(), fold(&player.name).into_owned(), player.id)
        });
        players.into_iter().map(|player| player.id).collect()
    }

    /// The entries of a player, in the order in which they came.
    pub fn entries_of(&self, player: PlayerId) -> impl Iterator<Item = &Entry> {
        let all = self.entries.values();
        all.filter(move |entry| entry.player.map(|own| self.real(own)) == Some(player))
    }

    /// The entries of each player, in the order in which they came.
    pub fn entries_by_player(&self) -> BTreeMap<PlayerId, Vec<&Entry>> {
        let mut by: BTreeMap<PlayerId, Vec<&Entry>> = BTreeMap::new();
        for entry in self.entries.values() {
            if let Some(player) = entry.player {
                by.entry(self.real(player)).or_default().push(entry);
            }
        }
        by
    }

    /// The id of the next player.
    pub(crate) fn next_player(&self) -> PlayerId {
        PlayerId(self.last_player + 1)
    }

    /// The id of the next entry.
    pub(crate) fn next_entry(&self) -> EntryId {
        EntryId(self.last_entry + 1)
    }

    /// The addresses of a player: the list's and those of entries.
    pub fn addresses_of(&self, player: PlayerId) -> &[String] {
        self.players.get(&player).map_or(&[], |player| &player.addresses)
    }

    fn learn(&mut self, player: PlayerId, name: Option<&str>, email: Option<&str>) {
        self.directory.learn(player, name, email);
        let player = self.real(player);
        if let (Some(email), Some(player)) = (email, self.players.get_mut(&player))
            && !player.addresses.iter().any(|known| fold(known) == fold(email))
        {
            player.addresses.push(email.to_owned());
        }
    }

    /// A player's name, or the id once the name was removed.
    pub fn name(&self, player: PlayerId) -> String {
        let known = self.players.get(&player);
        let known = known.filter(|player| !player.name.is_empty());
        known.map_or_else(|| player.to_string(), |player| player.name.clone())
    }

    /// A player's name and id.
    pub fn name_and_id(&self, player: PlayerId) -> String {
        match self.name(player) {
            name if name == player.to_string() => name,
            name => format!("{name} ({player})"),
        }
    }

    /// Whether one more player who is not on the list is taken, so that nobody fills an event: three
    /// times the list and 50, or 5,000 where there is no list.
    pub fn has_room(&self) -> bool {
        let present = self.present().count();
        match self.present().filter(|player| player.listed).count() {
            0 => present < 5000,
            listed => present < 4 * listed + 50,
        }
    }

    /// Whether there is a list of who is expected.
    pub fn has_list(&self) -> bool {
        self.present().any(|player| player.listed)
    }
}

fn no_player(player: PlayerId) -> String {
    format!("this event has no player {player}")
}

pub(crate) fn no_entry(entry: EntryId) -> String {
    format!("this event has no deck {entry}")
}
