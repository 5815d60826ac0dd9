//! `event decide`: what an organiser decides, each in a few words.

use super::super::options::{Output, kinds};
use super::super::output::{Text, emit};
use super::super::{Answer, Refusal, Run, inputs};
use super::{Folder, organiser, player};
use crate::event::{Decision, EntryId, Event, Personal, PlayerId, Roster};
use std::path::Path;

/// Record a decision
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Text>),
    after_help = "About a deck:    e012 yes | is PLAYER | is new | in-time | late | counts | out | read-as FILE
About a player:  p017 same PLAYER | table 4 | name TEXT | lock | unlock | expected | unexpected
                 | forget
About the event: all yes | all lock | all unlock | card NAME means CARD | draw N

Example:
  decklaw event decide autumn e012 is \"Kim Lee\" --why \"asked at the door\""
)]
pub(in super::super) struct Decide {
    #[command(flatten)]
    folder: Folder,
    /// The entry, player or card, and the decision
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// The reason
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Who decides [default: you]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Decide {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut event = self.folder.opened(run)?;
        let who = organiser(self.by.as_deref());
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let (about, rest) = words
            .split_first()
            .map_or(("", &[][..]), |(first, rest)| (*first, rest));
        let told = match about {
            "all" => self.about_all(&mut event, &who, rest)?,
            "card" => self.about_card(&mut event, &who, rest)?,
            "draw" => self.draw(&mut event, &who, rest)?,
            _ => match about.parse::<EntryId>() {
                Ok(entry) => self.about_deck(run, &mut event, &who, entry, rest)?,
                Err(_) => {
                    let player = player(&event, about)?;
                    self.about_player(&mut event, &who, player, rest)?
                }
            },
        };
        emit(run, &self.output, &Text::from(told), &[])
    }

    /// What is written beside a decision: why.
    fn personal(&self) -> Personal {
        Personal {
            words: self.why.clone(),
            ..Personal::default()
        }
    }

    fn write(&self, event: &mut Event, who: &str, decision: Decision) -> Result<(), Refusal> {
        Ok(event.decide(who, decision, self.personal(), None)?)
    }

    fn about_all(&self, event: &mut Event, who: &str, words: &[&str]) -> Result<String, Refusal> {
        match words {
            ["yes"] => {
                let answered = event.answer_all(who)?;
                let mut out = String::new();
                for (entry, player) in &answered {
                    out.push_str(&format!("{entry} is {}\n", event.roster().called(*player)));
                }
                if answered.is_empty() {
                    out.push_str("nothing is asked whose it is\n");
                }
                Ok(out)
            }
            [word @ ("lock" | "unlock")] => {
                let locked = *word == "lock";
                let player = None;
                self.write(event, who, Decision::Lock { player, locked })?;
                Ok(match locked {
                    true => "everybody is locked: the desk takes no deck any more\n".to_owned(),
                    false => "decks may be changed again\n".to_owned(),
                })
            }
            _ => Err(unknown(
                "all",
                words,
                "`all yes`, `all lock` and `all unlock`",
            )),
        }
    }

    fn about_card(&self, event: &mut Event, who: &str, words: &[&str]) -> Result<String, Refusal> {
        let [name, "means", card] = words else {
            return Err(unknown("card", words, "`card \"NAME\" means \"CARD\"`"));
        };
        let judge = event.judge();
        let games = judge.catalogue().games();
        let pools = games.filter_map(|id| judge.pool(&*judge.catalogue().game(id).ok()?).ok());
        let pools: Vec<_> = pools.collect();
        let known = pools
            .iter()
            .find_map(|pool| Some(pool.name(pool.find(card)?).to_owned()));
        let Some(known) = known else {
            let near: Vec<String> = pools
                .iter()
                .flat_map(|pool| pool.nearest(card))
                .map(|near| format!("`{near}`"))
                .take(3)
                .collect();
            let hint = match near.is_empty() {
                true => String::new(),
                false => format!("; is it {}?", crate::text::listed(&near, "or")),
            };
            return Err(Refusal(format!("no card is called `{card}`{hint}")));
        };
        let decision = Decision::Means {
            name: (*name).to_owned(),
            card: known.clone(),
        };
        self.write(event, who, decision)?;
        Ok(format!(
            "`{name}` means {known} in every deck of this event\n"
        ))
    }

    /// Draws players for a deck check, from those whose deck counts and who were not drawn yet.
    fn draw(&self, event: &mut Event, who: &str, words: &[&str]) -> Result<String, Refusal> {
        let number = match words {
            [] => Some(1),
            [number] => number.parse::<usize>().ok().filter(|number| *number > 0),
            _ => None,
        };
        let Some(number) = number else {
            return Err(unknown("draw", words, "`draw` and `draw N`"));
        };
        let drawn = event.draw(who, number)?;
        let mut out = String::new();
        for player in &drawn {
            let table = event
                .roster()
                .players
                .get(player)
                .and_then(|own| own.table.clone());
            let table = table.map_or_else(String::new, |table| format!(", table {table}"));
            out.push_str(&format!("{}{table}\n", event.roster().called(*player)));
        }
        if drawn.len() < number {
            out.push_str("everybody else was drawn already, or has no deck that counts\n");
        }
        Ok(out)
    }

    fn about_deck(
        &self,
        run: &Run,
        event: &mut Event,
        who: &str,
        entry: EntryId,
        words: &[&str],
    ) -> Result<String, Refusal> {
        if !event.roster().entries.contains_key(&entry) {
            return Err(Refusal(format!("there is no deck {entry} in this event")));
        }
        let why = self.why.clone();
        match words {
            ["yes"] => {
                let asked = event
                    .roster()
                    .entries
                    .get(&entry)
                    .and_then(Roster::question);
                if asked.is_none() {
                    return Err(Refusal(format!("nothing is asked whose {entry} is")));
                }
                let likely = event.likely(entry);
                let player = event.assign(who, entry, likely, why)?;
                Ok(format!("{entry} is {}\n", event.roster().called(player)))
            }
            ["is", "new"] => {
                let player = event.assign(who, entry, None, why)?;
                Ok(format!(
                    "{entry} is {}, who is new\n",
                    event.roster().called(player)
                ))
            }
            ["is", name] => {
                let whose = player(event, name)?;
                event.assign(who, entry, Some(whose), why)?;
                Ok(format!("{entry} is {}\n", event.roster().called(whose)))
            }
            [word @ ("in-time" | "late")] => {
                let in_time = *word == "in-time";
                self.write(event, who, Decision::Came { entry, in_time })?;
                Ok(format!(
                    "{entry} came {}\n",
                    if in_time { "in time" } else { "late" }
                ))
            }
            [word @ ("counts" | "out")] => {
                let counts = *word == "counts";
                self.write(event, who, Decision::Counts { entry, counts })?;
                Ok(format!(
                    "{entry} {}\n",
                    if counts {
                        "counts"
                    } else {
                        "counts for nobody"
                    }
                ))
            }
            ["read-as", file] => {
                let text = inputs::read_file(run, Path::new(file))?;
                event.decide(who, Decision::ReadAs { entry }, self.personal(), Some(text))?;
                let standing = event.standing()?;
                let known = event.roster().entries.get(&entry).cloned();
                let verdict = match known {
                    Some(known) => event.report(&standing, &known)?.0.verdict.word(),
                    None => "",
                };
                Ok(format!(
                    "{entry} is read as {file}: {verdict}; what came stays beside it\n"
                ))
            }
            _ => Err(unknown(
                &entry.to_string(),
                words,
                "`yes`, `is PLAYER`, `is new`, `in-time`, `late`, `counts`, `out` and `read-as FILE`",
            )),
        }
    }

    fn about_player(
        &self,
        event: &mut Event,
        who: &str,
        own: PlayerId,
        words: &[&str],
    ) -> Result<String, Refusal> {
        let name = event.roster().called(own);
        let mut personal = self.personal();
        let (decision, told) = match words {
            ["same", other] => {
                let with = player(event, other)?;
                let told = format!("{name} is {}\n", event.roster().called(with));
                (Decision::Same { player: own, with }, told)
            }
            ["table", table] => {
                let told = format!("{name} sits at table {table}\n");
                let table = (*table).to_owned();
                (Decision::Table { player: own, table }, told)
            }
            ["name", new] => {
                personal.name = Some((*new).to_owned());
                let told = format!("{name} is called {new} now\n");
                (Decision::Renamed { player: own }, told)
            }
            [word @ ("lock" | "unlock")] => {
                let (player, locked) = (Some(own), *word == "lock");
                let told = format!("{name} is {word}ed\n");
                (Decision::Lock { player, locked }, told)
            }
            [word @ ("expected" | "unexpected")] => {
                let (player, expected) = (own, *word == "expected");
                let told = format!("{name} is {word}\n");
                (Decision::Expected { player, expected }, told)
            }
            ["forget"] => {
                let records = event.forget(who, own)?;
                let records =
                    crate::text::counted(i64::try_from(records).unwrap_or(i64::MAX), "record");
                return Ok(format!(
                    "{own}: name, addresses, decks and free text are removed from {records}\n"
                ));
            }
            _ => {
                return Err(unknown(
                    &own.to_string(),
                    words,
                    "`same PLAYER`, `table N`, `name TEXT`, `lock`, `unlock`, `expected`, `unexpected` and `forget`",
                ));
            }
        };
        event.decide(who, decision, personal, None)?;
        Ok(told)
    }
}

fn unknown(about: &str, words: &[&str], known: &str) -> Refusal {
    let said = words.join(" ");
    Refusal(format!(
        "`{about} {said}` says nothing that is known; there are {known}"
    ))
}
