//! Whose a deck is: names and addresses suggest, and where they disagree no player is chosen.

use crate::alike::NameKey;
use crate::id::PlayerId;
use crate::roster::{Person, Roster};
use decklaw_core::name::fold;
use decklaw_core::text::listed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

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

/// Whose an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerMatch {
    /// A player of the roster.
    Player(PlayerId),
    /// Somebody who is not in the roster yet.
    New,
    /// An organiser must say it.
    Ask {
        /// Why.
        reason: AmbiguityReason,
        /// The likeliest player; `None`: a new player.
        likely: Option<PlayerId>,
        /// Other players who may be meant.
        others: Vec<PlayerId>,
    },
}

/// The names and addresses by which players are known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Directory {
    names: HashMap<String, (NameKey, BTreeSet<PlayerId>)>,
    addresses: HashMap<String, BTreeSet<PlayerId>>,
}

impl Directory {
    pub(crate) fn learn(&mut self, player: PlayerId, name: Option<&str>, email: Option<&str>) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let known = self.names.entry(fold(name).into_owned());
            let known = known.or_insert_with_key(|name| (NameKey::of(name), BTreeSet::new()));
            known.1.insert(player);
        }
        if let Some(email) = email {
            let known = self.addresses.entry(fold(email).into_owned());
            known.or_default().insert(player);
        }
    }

    pub(crate) fn forget(&mut self, player: PlayerId) {
        let others = |players: &mut BTreeSet<PlayerId>| {
            players.remove(&player);
            !players.is_empty()
        };
        self.names.retain(|_, (_, players)| others(players));
        self.addresses.retain(|_, players| others(players));
    }
}

impl Roster {
    fn at_name(&self, folded: &str) -> Vec<PlayerId> {
        let known = self.directory.names.get(folded).into_iter();
        let known = known.flat_map(|(_, players)| players);
        let real: BTreeSet<PlayerId> = known.map(|player| self.real(*player)).collect();
        real.into_iter().collect()
    }

    fn at_address(&self, email: Option<&str>) -> Vec<PlayerId> {
        let known = email.and_then(|email| self.directory.addresses.get(&*fold(email)));
        let known = known.into_iter().flatten();
        let real: BTreeSet<PlayerId> = known.map(|player| self.real(*player)).collect();
        real.into_iter().collect()
    }

    fn has_address(&self, player: PlayerId) -> bool {
        !self.addresses_of(player).is_empty()
    }

    /// The players of an id, name or address.
    pub(crate) fn named(&self, text: &str) -> Vec<PlayerId> {
        if let Ok(id) = text.trim().parse::<PlayerId>()
            && self.players.contains_key(&id)
        {
            return vec![self.real(id)];
        }
        match self.at_name(&fold(text)) {
            found if found.is_empty() => self.at_address(Some(text.trim())),
            found => found,
        }
    }

    /// The one player of an id, name or address, or of `Kim Lee (p004)`.
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
                let near = self.nearly_named(&NameKey::of(text)).into_iter().take(3);
                let near: Vec<String> = near.map(|id| self.name_and_id(id)).collect();
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; did you mean {}?", listed(&near, "or"))
                };
                Err(format!("no player is called `{text}`{hint}"))
            }
            several => {
                let ids: Vec<String> = several.iter().map(PlayerId::to_string).collect();
                let ids = listed(&ids, "and");
                Err(format!("{ids} are called `{text}`; write the id of one"))
            }
        }
    }

    /// The players whose names are near one, the nearest first.
    fn nearly_named(&self, name: &NameKey) -> Vec<PlayerId> {
        let known = self.directory.names.values();
        let mut near: Vec<(usize, PlayerId)> = known
            .filter_map(|(key, players)| Some((name.distance(key)?, players)))
            .flat_map(|(distance, players)| players.iter().map(move |player| (distance, *player)))
            .map(|(distance, player)| (distance, self.real(player)))
            .collect();
        near.sort_unstable();
        let mut found: Vec<PlayerId> = Vec::new();
        for (_, player) in near {
            if !found.contains(&player) {
                found.push(player);
            }
        }
        found
    }

    /// The players of the organiser's list whose names are near one, the nearest first.
    fn nearly_listed(&self, name: &NameKey) -> Vec<PlayerId> {
        let listed = self.players.values();
        let listed = listed.filter(|player| player.listed && player.merged_into.is_none());
        let near = listed.filter_map(|own| Some((name.distance(&NameKey::of(&own.name))?, own.id)));
        let mut near: Vec<(usize, PlayerId)> = near.collect();
        near.sort_unstable();
        near.into_iter().map(|(_, player)| player).collect()
    }

    /// Whose a deck is that gives this name and address.
    pub fn whose(&self, person: &Person) -> PlayerMatch {
        use AmbiguityReason::{AnotherAddress, Namesakes, NearlyNamed, Nobody, SharedAddress};
        let ask = |reason, likely: Option<PlayerId>, mut others: Vec<PlayerId>| {
            others.retain(|other| Some(*other) != likely);
            PlayerMatch::Ask { reason, likely, others }
        };
        let addressed = self.at_address(person.email.as_deref());
        let name = person.name.as_deref().map(|name| fold(name).into_owned());
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return match addressed.as_slice() {
                [one] => PlayerMatch::Player(*one),
                [] if person.email.is_none() => ask(Nobody, None, Vec::new()),
                [] => PlayerMatch::New,
                [first, ..] => ask(SharedAddress, Some(*first), addressed.clone()),
            };
        };
        let named = self.at_name(&name);
        let both = named.iter().filter(|one| addressed.contains(one)).copied();
        let both: Vec<PlayerId> = both.collect();
        match (both.as_slice(), named.as_slice()) {
            ([one], _) => PlayerMatch::Player(*one),
            ([first, ..], _) => ask(Namesakes, Some(*first), both.clone()),
            ([], [one]) if addressed.is_empty() => {
                // An address that is missing here or there contradicts nothing.
                if person.email.is_none() || !self.has_address(*one) {
                    return PlayerMatch::Player(*one);
                }
                // A player on the list more likely writes from two addresses than has a namesake
                // whom nobody expects.
                let listed = self.players.get(one).is_some_and(|one| one.listed);
                ask(AnotherAddress, Some(*one).filter(|_| listed), named.clone())
            }
            ([], [one]) => ask(SharedAddress, Some(*one), [named.clone(), addressed].concat()),
            ([], [first, ..]) => {
                let free = |player: &&PlayerId| self.entries_of(**player).next().is_none();
                let unknown = |player: &&PlayerId| !self.has_address(**player);
                let likely = named.iter().find(|player| free(player) && unknown(player));
                let likely = likely.or_else(|| named.iter().find(free)).unwrap_or(first);
                ask(Namesakes, Some(*likely), named.clone())
            }
            ([], []) => {
                let key = NameKey::of(&name);
                let near = |player: &&PlayerId| {
                    let own = self.players.get(player);
                    own.is_some_and(|own| NameKey::of(&own.name).distance(&key).is_some())
                };
                if let Some(one) = addressed.iter().find(near) {
                    return ask(NearlyNamed, Some(*one), addressed.clone());
                }
                let listed = self.nearly_listed(&key);
                match (listed.first().copied(), addressed.is_empty()) {
                    (None, true) => PlayerMatch::New,
                    (likely, true) => ask(NearlyNamed, likely, listed),
                    (likely, false) => ask(SharedAddress, likely, [listed, addressed].concat()),
                }
            }
        }
    }

    /// Players who may be one: each listed player without a deck, with players of a near name who
    /// have one and are not listed.
    pub fn doubles(&self) -> Vec<(PlayerId, PlayerId)> {
        let has = self.entries_by_player();
        let listed = self.present().filter(|player| player.listed);
        let missing = listed.filter(|player| !has.contains_key(&player.id));
        let pairs = missing.flat_map(|player| {
            let mut near = self.nearly_named(&NameKey::of(&player.name));
            near.retain(|id| {
                let other = self.players.get(id).filter(|_| *id != player.id);
                other.is_some_and(|other| !other.listed && has.contains_key(id))
            });
            near.into_iter().map(|other| (other, player.id))
        });
        pairs.collect()
    }
}
