//! Who is one player: names are equal after folding case, accents, apostrophes, hyphens and blanks,
//! unless two addresses or ids differ. What is only near is a question, never an answer.

use crate::id::PlayerId;
use crate::names::did_you_mean;
use crate::names::{Directory, NameKey};
use crate::roster::{AmbiguityReason, Person, Roster};
use decklaw_text::name::fold;
use decklaw_text::text::listed;
use std::collections::BTreeSet;

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

/// The most players of one name or address whom a question names: of more, the first.
const MOST_ASKED: usize = 100;

impl Roster {
    fn at<'k>(&self, known: impl IntoIterator<Item = &'k PlayerId>) -> Vec<PlayerId> {
        let known = known.into_iter().take(MOST_ASKED);
        let real: BTreeSet<PlayerId> = known.map(|player| self.real(*player)).collect();
        real.into_iter().collect()
    }

    fn known_at(&self, email: Option<&str>) -> Option<&BTreeSet<PlayerId>> {
        self.directory.addresses.get(&*fold(email?))
    }

    /// Whether nothing says that a player and a person of the same name are two.
    pub(crate) fn agrees(&self, player: PlayerId, email: Option<&str>) -> bool {
        let known = self.addresses_of(player);
        let Some(own) = email else {
            return true;
        };
        known.is_empty() || known.iter().any(|known| fold(known) == fold(own))
    }

    /// The players of an id, name or address.
    pub(crate) fn named(&self, text: &str) -> Vec<PlayerId> {
        if let Ok(id) = text.trim().parse::<PlayerId>()
            && self.players.contains_key(&id)
        {
            return vec![self.real(id)];
        }
        let names = self.directory.names.get(&NameKey::of(text).key);
        self.at(names.or_else(|| self.known_at(Some(text.trim()))).into_iter().flatten())
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
                Err(format!("no player is called `{text}`{}", did_you_mean(&near)))
            }
            several => {
                let ids: Vec<String> = several.iter().map(PlayerId::to_string).collect();
                let ids = listed(&ids, "and");
                Err(format!("{ids} are called `{text}`; write the id of one"))
            }
        }
    }

    /// The players whose names are near one, the nearest first, of equally near ones the listed.
    fn nearly_named(&self, name: &NameKey) -> Vec<PlayerId> {
        let Directory { known, parts, .. } = &self.directory;
        let alike = name.parts().into_iter().filter_map(|part| parts.get(&part));
        let alike = alike.filter(|alike| alike.len() <= Directory::MOST_ALIKE).flatten();
        let alike: BTreeSet<usize> = alike.copied().collect();
        let near = alike.into_iter().filter_map(|at| {
            let (own, player) = known.get(at)?;
            let player = self.real(*player);
            let is_listed = self.players.get(&player).is_some_and(|player| player.listed);
            Some((name.distance(own)?, !is_listed, player))
        });
        let near: BTreeSet<(usize, bool, PlayerId)> = near.collect();
        let mut found: Vec<PlayerId> = Vec::new();
        for (_, _, player) in near {
            if !found.contains(&player) {
                found.push(player);
            }
        }
        found
    }

    /// Whose a deck is that gives this name and address.
    pub fn whose(&self, person: &Person) -> PlayerMatch {
        use AmbiguityReason::{AnotherAddress, Namesakes, NearlyNamed, Nobody, SharedAddress};
        let ask = |reason, likely: Option<PlayerId>, mut others: Vec<PlayerId>| {
            others.retain(|other| Some(*other) != likely);
            PlayerMatch::Ask { reason, likely, others }
        };
        let email = person.email.as_deref();
        let addresses = self.known_at(email);
        let addressed = self.at(addresses.into_iter().flatten());
        let Some(name) = person.name.as_deref().filter(|name| !name.trim().is_empty()) else {
            return match addressed.as_slice() {
                [one] => PlayerMatch::Player(*one),
                [] if email.is_none() => ask(Nobody, None, Vec::new()),
                [] => PlayerMatch::New,
                [first, ..] => ask(SharedAddress, Some(*first), addressed.clone()),
            };
        };
        let name = NameKey::of(name);
        let names = self.directory.names.get(&name.key);
        let named = self.at(names.into_iter().flatten());
        let both = names.zip(addresses).map(|(names, addresses)| names.intersection(addresses));
        let both = self.at(both.into_iter().flatten());
        let same = match both.is_empty() {
            true => named.iter().copied().filter(|one| self.agrees(*one, email)).collect(),
            false => both.clone(),
        };
        match (same.as_slice(), named.as_slice()) {
            ([one], _) if addressed.is_empty() || both.contains(one) => PlayerMatch::Player(*one),
            ([one], _) => ask(SharedAddress, Some(*one), [named.clone(), addressed].concat()),
            ([first, ..], _) => {
                let free = |player: &&PlayerId| self.entries_of(**player).next().is_none();
                let unknown = |player: &&PlayerId| self.addresses_of(**player).is_empty();
                let likely = same.iter().find(|player| free(player) && unknown(player));
                let likely = likely.or_else(|| same.iter().find(free)).unwrap_or(first);
                ask(Namesakes, Some(*likely), named.clone())
            }
            // A player on the list more likely writes from two addresses than has a namesake whom
            // nobody expects.
            ([], [first, ..]) => {
                let is_listed = self.players.get(first).is_some_and(|one| one.listed);
                let likely = Some(*first).filter(|_| is_listed && named.len() == 1);
                ask(AnotherAddress, likely, [named.clone(), addressed].concat())
            }
            ([], []) => {
                // Addresses are alike without being one person's.
                let is_address = person.name.as_ref().is_some_and(|name| name.contains('@'));
                let near = if is_address { Vec::new() } else { self.nearly_named(&name) };
                let both = near.iter().find(|player| addressed.contains(player));
                match (both.or(near.first()).copied(), addressed.is_empty()) {
                    (None, true) => PlayerMatch::New,
                    (likely, true) => ask(NearlyNamed, likely, near),
                    (likely, false) if both.is_some() => ask(NearlyNamed, likely, addressed),
                    (likely, false) => ask(SharedAddress, likely, [near, addressed].concat()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::Player;

    #[test]
    fn names_that_may_be_one_persons_are_near_and_others_are_not() {
        let near = |one: &str, other: &str| {
            let (one, other) = (NameKey::of(one), NameKey::of(other));
            let is_near = one.distance(&other).is_some();
            // What finds near names finds all of them.
            assert!(!is_near || one.parts().intersection(&other.parts()).next().is_some());
            is_near
        };
        for (one, other) in [
            ("Iov Zeller", "Ivo Zeller"),
            ("Zeller Ivo", "Ivo Zeller"),
            ("Zeller, Ivo", "Ivo Zeller"),
            ("Jörg Weiß", "Joerg Weiss"),
            ("Max Huber", "Maximilian Huber"),
            ("K. Lee", "Kim Lee"),
            ("Ana María López", "Ana López"),
            ("Ivo", "Ivo Zeller"),
            ("Marta Falk", "Marte Falk"),
        ] {
            assert!(near(one, other), "{one} {other}");
            assert!(near(other, one), "{other} {one}");
        }
        for (one, other) in [
            ("Ana Berg", "Tom Berg"),
            ("Kim Lee", "Kim Li Wong"),
            ("Ada Birch", "Ben Cole"),
            ("Jo", "Al"),
            ("Kim Ferris", "Tom Ferris"),
            ("Jan Berg", "Jon Berg"),
            ("Player 010", "Player 100"),
        ] {
            assert!(!near(one, other), "{one} {other}");
        }
    }

    /// Who the second person is where the first is player 1.
    #[track_caller]
    fn second(first: (&str, Option<&str>), second: (&str, Option<&str>)) -> PlayerMatch {
        let person = |(name, email): (&str, Option<&str>)| Person {
            email: email.map(str::to_owned),
            ..Person::named(name)
        };
        let mut roster = Roster::default();
        roster.add_player(Player::new(PlayerId(1), person(first), false));
        roster.whose(&person(second))
    }

    /// Of hundreds of one name, and of one address, each is found, and a question names some.
    #[test]
    fn each_of_many_of_one_name_or_address_is_found() {
        let person = |name: &str, email: &str| Person {
            email: Some(email.to_owned()),
            ..Person::named(name)
        };
        let mut roster = Roster::default();
        for at in 0..300 {
            let namesake = person("Ada Birch", &format!("{at}@x.org"));
            roster.add_player(Player::new(PlayerId(1 + at), namesake, false));
            let shared = person(&format!("Player {at}"), "club@x.org");
            roster.add_player(Player::new(PlayerId(1001 + at), shared, false));
        }
        for at in [0, 99, 100, 299] {
            for (one, id) in [
                (person("ada birch", &format!("{at}@X.org")), 1 + at),
                (person(&format!("PLAYER {at}"), "club@x.org"), 1001 + at),
            ] {
                assert_eq!(roster.whose(&one), PlayerMatch::Player(PlayerId(id)), "{one:?}");
            }
        }
        for one in [person("Ada Birch", "new@x.org"), person("New", "club@x.org")] {
            let asked = roster.whose(&one);
            assert!(
                matches!(&asked, PlayerMatch::Ask { others, .. } if (90..=MOST_ASKED).contains(&others.len())),
                "{asked:?}"
            );
        }
    }

    #[test]
    fn names_are_equal_but_for_case_accents_apostrophes_hyphens_and_blanks() {
        let one = PlayerMatch::Player(PlayerId(1));
        for (first, other) in [
            ("Seán O\u{2019}Neil", "SEAN O'NEIL"),
            ("José García", "Jose Garcia"),
            ("Ana-Maria Pop", "Ana Maria  Pop"),
            ("van der Berg", "Vanderberg"),
            ("Łukasz Żółw", "lukasz zolw"),
            ("Jörg Weiß", "JÖRG WEISS"),
        ] {
            for (mine, theirs) in
                [(None, None), (Some("a@x.org"), None), (Some("A@x.org"), Some("a@X.org"))]
            {
                assert_eq!(second((first, mine), (other, theirs)), one, "{first} {other}");
            }
            let asked = second((first, Some("a@x.org")), (other, Some("b@x.org")));
            assert!(matches!(
                asked,
                PlayerMatch::Ask { reason: AmbiguityReason::AnotherAddress, .. }
            ));
        }
        // Letters of other scripts keep their marks.
        for (first, other) in [("किरण", "करण"), ("がく", "かく"), ("ben@x.org", "benedek@x.org")]
        {
            assert_eq!(second((first, None), (other, None)), PlayerMatch::New, "{first} {other}");
        }
        for (first, other, reason) in [
            (("Jörg Weiß", None), ("Joerg Weiss", None), AmbiguityReason::NearlyNamed),
            (("Ada", Some("a@x.org")), ("Ben", Some("a@x.org")), AmbiguityReason::SharedAddress),
        ] {
            let asked = second(first, other);
            assert!(
                matches!(asked, PlayerMatch::Ask { reason: own, .. } if own == reason),
                "{asked:?}"
            );
        }
    }
}
