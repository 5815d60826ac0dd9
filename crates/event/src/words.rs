//! The words of `event decide`, which the event's page sends too.

use crate::about::{LONGEST_NAME, LONGEST_TEXT};
use crate::decision::{Author, Decision, DecisionRow};
use crate::error::EventError;
use crate::event::Event;
use crate::id::{EntryId, PlayerId};
use crate::names::did_you_mean;
use crate::roster::{Person, Roster, no_entry};
use decklaw_cards::pool::NameField;
use decklaw_text::text::counted;
use std::ops::RangeInclusive;

/// The result of a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionReport {
    /// A sentence a line.
    pub text: String,
    /// The players who were drawn.
    pub drawn: Vec<PlayerId>,
}

impl From<String> for DecisionReport {
    fn from(sentence: String) -> DecisionReport {
        DecisionReport { text: format!("{sentence}\n"), drawn: Vec::new() }
    }
}

impl Event {
    /// Carries out a decision that is given in words: `e012 is "Kim Lee"`, `p017 table 4`,
    /// `all lock`. The text itself follows `read-as`.
    ///
    /// # Errors
    /// Words that are no decision, a player or entry that does not exist, and rows that cannot be
    /// written.
    pub fn decide_in_words(
        &mut self,
        author: impl Into<Author>,
        words: &[&str],
        why: Option<String>,
    ) -> Result<DecisionReport, EventError> {
        let author = author.into();
        self.refresh()?;
        let texts = words.iter().copied().skip(1).filter(|_| words.get(1) != Some(&"read-as"));
        let mut texts = texts.chain(why.as_deref());
        if let Some(long) = texts.find(|text| text.chars().count() > LONGEST_TEXT) {
            let start: String = long.chars().take(30).collect();
            return Err(EventError::Refused(format!(
                "the text that begins with `{start}` is longer than {LONGEST_TEXT} letters"
            )));
        }
        match words {
            ["all", "yes"] => {
                let answered = self.answer_all(author)?;
                let lines = answered.iter().map(|(entry, player)| self.is(*entry, *player));
                let text = lines.collect::<Vec<_>>().join("\n");
                Ok(if text.is_empty() { "no deck without a player".to_owned() } else { text }
                    .into())
            }
            ["all", "lock"] => {
                let said = "hand-in is closed: no player can change a deck";
                self.record(author, Decision::Lock(None, true), why, said)
            }
            ["all", "unlock"] => {
                self.record(author, Decision::Lock(None, false), why, "hand-in is open again")
            }
            ["all", "publish"] => {
                let said = "the decks that count are public, with the names of their players";
                self.record(author, Decision::Publish(true), why, said)
            }
            ["all", "unpublish"] => {
                let said = "the decks are not public any more";
                self.record(author, Decision::Publish(false), why, said)
            }
            ["all", ..] => {
                let known =
                    "`all yes`, `all lock`, `all unlock`, `all publish` and `all unpublish`";
                Err(unknown(words, known))
            }
            ["card", name, "means", card] => {
                let card = self.card_meant(name, card)?;
                let said = format!("`{name}` means {card} in every deck of this event");
                self.record(author, Decision::Means((*name).to_owned(), card), why, said)
            }
            ["card", ..] => Err(unknown(words, "`card \"NAME\" means \"CARD\"`")),
            ["draw"] => self.draw_in_words(author, 1),
            ["draw", number] => match number.parse() {
                Ok(number) if number > 0 => self.draw_in_words(author, number),
                _ => Err(unknown(words, "`draw` and `draw N`")),
            },
            [target, rest @ ..] => match target.parse::<EntryId>() {
                Ok(entry) => self.decide_entry(author, entry, rest, why),
                Err(_) => {
                    let player = self.player_named(target)?;
                    self.decide_player(author, player, rest, why)
                }
            },
            [] => Err(unknown(words, "decisions about an entry, a player or `all`")),
        }
    }

    /// Records a decision; the answer says it.
    fn record(
        &mut self,
        author: Author,
        decision: Decision,
        why: Option<String>,
        said: impl Into<String>,
    ) -> Result<DecisionReport, EventError> {
        self.decide(author, decision, why)?;
        Ok(said.into().into())
    }

    fn player_named(&self, text: &str) -> Result<PlayerId, EventError> {
        let found = self.roster().one_named(text);
        found.map_err(EventError::Refused)
    }

    fn is(&self, entry: EntryId, player: PlayerId) -> String {
        format!("{entry} is {}", self.roster().name_and_id(player))
    }

    /// The card that a name means which is no card's, in any pool of the lock.
    fn card_meant(&self, unknown: &str, name: &str) -> Result<String, EventError> {
        let catalogue = self.judge().catalogue();
        let games = catalogue.games().filter_map(|id| catalogue.game(id).ok());
        let pools = games.filter_map(|game| self.judge().pool(&game).ok());
        let mut near = Vec::new();
        for pool in pools {
            if let Some(card) = pool.look_up(name, NameField::Name).card() {
                return match pool.look_up(unknown, NameField::Name).card() {
                    Some(known) => Err(EventError::Refused(format!(
                        "`{unknown}` is the card {}; `means` is for a name that no card has",
                        pool.name(known)
                    ))),
                    None => Ok(pool.name(card).to_owned()),
                };
            }
            let names = pool.near(name, NameField::Name).names.into_iter();
            near.extend(names.map(|near| format!("`{near}`")));
        }
        near.truncate(3);
        Err(EventError::Refused(format!("no card is called `{name}`{}", did_you_mean(&near))))
    }

    fn draw_in_words(
        &mut self,
        author: Author,
        number: usize,
    ) -> Result<DecisionReport, EventError> {
        let drawn = self.draw(author, number)?;
        let mut text = String::new();
        for player in &drawn {
            let known = self.roster().players.get(player);
            let table = known.and_then(|player| player.table.as_ref());
            let table = table.map_or_else(String::new, |table| format!(", table {table}"));
            text.push_str(&format!("{}{table}\n", self.roster().name_and_id(*player)));
        }
        if drawn.len() < number {
            text.push_str("every other player whose deck counts was drawn before\n");
        }
        Ok(DecisionReport { text, drawn })
    }

    fn decide_entry(
        &mut self,
        author: Author,
        entry: EntryId,
        words: &[&str],
        why: Option<String>,
    ) -> Result<DecisionReport, EventError> {
        if !self.roster().entries.contains_key(&entry) {
            return Err(EventError::Refused(no_entry(entry)));
        }
        let (decision, said) = match words {
            ["yes"] => {
                let standing = self.standing()?;
                let question = standing.question(entry);
                let open = self.roster().entries.get(&entry);
                let open = open.is_some_and(|entry| entry.player.is_none());
                let Some(question) = question.filter(|_| open) else {
                    return Err(EventError::Refused(format!("{entry} has no open question")));
                };
                let player = self.assign(author, entry, question.likely, why)?;
                return Ok(self.is(entry, player).into());
            }
            ["is", "new"] => {
                let player = self.assign(author, entry, None, why)?;
                return Ok(format!("{}, a new player", self.is(entry, player)).into());
            }
            ["is", name] => {
                let player = self.player_named(name)?;
                let player = self.assign(author, entry, Some(player), why)?;
                return Ok(self.is(entry, player).into());
            }
            [word @ ("in-time" | "late")] => {
                let in_time = *word == "in-time";
                let said = if in_time { "in time" } else { "late" };
                (Decision::InTime(entry, in_time), format!("{entry} came {said}"))
            }
            [word @ ("counts" | "out")] => {
                let counts = *word == "counts";
                let said = if counts { "counts" } else { "does not count" };
                (Decision::Counts(entry, counts), format!("{entry} {said}"))
            }
            ["read-as", text] => {
                let decision = Decision::ReadAs(entry, (*text).to_owned());
                self.decide(author, decision, why)?;
                let standing = self.standing()?;
                let verdict = match self.roster().entries.get(&entry) {
                    Some(known) => self.report(&standing, known)?.0.verdict.word(),
                    None => "",
                };
                let said = format!("{entry} is read as this text: {verdict}; the original is kept");
                return Ok(said.into());
            }
            _ => {
                let known = "`yes`, `is PLAYER`, `is new`, `in-time`, `late`, `counts`, `out` and `read-as FILE`";
                return Err(unknown(&[&[&*entry.to_string()], words].concat(), known));
            }
        };
        self.record(author, decision, why, said)
    }

    fn decide_player(
        &mut self,
        author: Author,
        player: PlayerId,
        words: &[&str],
        why: Option<String>,
    ) -> Result<DecisionReport, EventError> {
        let name = self.roster().name_and_id(player);
        let (decision, said) = match words {
            ["same", other] => {
                let with = self.player_named(other)?;
                let said = format!("{name} is {}", self.roster().name_and_id(with));
                (Decision::Same(player, with), said)
            }
            ["table", table] => (
                Decision::Table(player, (*table).to_owned()),
                format!("{name} sits at table {table}"),
            ),
            ["name", new] => match Person::named(new).name {
                Some(new) if new.chars().count() > LONGEST_NAME => {
                    let most = format!("a name has at most {LONGEST_NAME} letters");
                    return Err(EventError::Refused(most));
                }
                Some(new) => {
                    let said = format!("{name} is now called {new}");
                    (Decision::Name(player, new), said)
                }
                None => return Err(EventError::Refused("a name is needed".to_owned())),
            },
            [word @ ("lock" | "unlock")] => {
                (Decision::Lock(Some(player), *word == "lock"), format!("{name} is {word}ed"))
            }
            [word @ ("expected" | "unexpected")] => {
                (Decision::Expected(player, *word == "expected"), format!("{name} is {word}"))
            }
            ["check", answer @ ("matches" | "differs")] => (
                Decision::Check(player, (*answer).to_owned()),
                format!("{name}: the deck {answer}"),
            ),
            ["forget"] => {
                self.forget(author, player)?;
                return Ok(format!("{player}: name, addresses, decks and notes are removed").into());
            }
            _ => {
                let known = "`same PLAYER`, `table N`, `name TEXT`, `lock`, `unlock`, `expected`, `unexpected` and `forget`";
                return Err(unknown(&[&[&*player.to_string()], words].concat(), known));
            }
        };
        self.record(author, decision, why, said)
    }
}

fn unknown(words: &[&str], known: &str) -> EventError {
    let words = words.join(" ");
    EventError::Refused(format!("unknown decision `{words}`; known are {known}"))
}

impl Roster {
    /// A decision in words, with its reason; `None` for links and for what takes decisions back.
    pub fn sentence(&self, row: &DecisionRow) -> Option<String> {
        let name = |player: &PlayerId| self.name(self.real(*player));
        let deck = |entry: &EntryId| {
            let owner = self.entries.get(entry).and_then(|known| known.player);
            owner.map_or_else(|| entry.to_string(), |own| format!("{}\u{2019}s deck", name(&own)))
        };
        let yes_no = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
        let text = match &row.decision {
            Decision::Is(entry, player) => format!("{entry} is {}\u{2019}s", name(player)),
            Decision::InTime(entry, is) => {
                format!("{} came {}", deck(entry), yes_no(*is, "in time", "late"))
            }
            Decision::Counts(entry, is) => {
                format!("{} was {}", deck(entry), yes_no(*is, "accepted", "excluded"))
            }
            Decision::ReadAs(entry, _) => format!("{} was typed in", deck(entry)),
            Decision::Same(player, with) => format!("{player} is {}", name(with)),
            Decision::Table(player, table) => format!("{}: table {table}", name(player)),
            Decision::Name(player, new) => format!("{player} is called {new}"),
            Decision::Expected(player, is) => {
                format!("{} is {} the list", name(player), yes_no(*is, "on", "off"))
            }
            Decision::Lock(None, is) => format!("Hand-in was {}", yes_no(*is, "closed", "opened")),
            Decision::Lock(Some(player), is) => {
                format!("{} was {}", name(player), yes_no(*is, "locked", "unlocked"))
            }
            Decision::Check(player, answer) => format!("{}, deck check: {answer}", name(player)),
            Decision::Forget(player) => format!("{player} was removed"),
            Decision::Means(other, card) => format!("\u{201c}{other}\u{201d} means {card}"),
            Decision::Draw(players) => {
                let names: Vec<String> = players.iter().map(name).collect();
                format!("Drawn for a deck check: {}", names.join(", "))
            }
            Decision::Withdraw(player, is) => {
                format!("{} {}", name(player), yes_no(*is, "withdrew", "came back"))
            }
            Decision::Publish(is) => {
                format!("The decks were {}", yes_no(*is, "published", "taken back from the public"))
            }
            Decision::Import(import) => {
                let size = |range: &Option<RangeInclusive<u32>>, noun: &str| {
                    let all = range.as_ref()?;
                    Some(counted(i64::from(all.end() - all.start() + 1), noun))
                };
                let expected = import.expected.len();
                let expected = (expected > 0).then(|| format!("{expected} more on the list"));
                let all =
                    [size(&import.entries, "deck"), size(&import.players, "new player"), expected];
                let all: Vec<String> = all.into_iter().flatten().collect();
                format!("{} was imported: {}", import.name, all.join(", "))
            }
            Decision::Key(..) | Decision::Undo(_) => return None,
        };
        let why = row.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        Some(text + &why)
    }
}
