//! `event decide`: what an organiser decides, each in a few words.

use super::super::output::{Text, emit};
use super::super::{Answer, Refusal, Run, inputs};
use super::{Folder, organiser, player};
use crate::event::{Decision, EntryId, Event, Personal, PlayerId, Roster};
use std::path::Path;

/// Write down what you decide
#[derive(Debug, clap::Args)]
#[command(
    after_help = "About a deck:    e012 yes | is PLAYER | is new | in-time | late | counts | out | read-as FILE
About a player:  p017 same PLAYER | table 4 | name TEXT | lock | unlock | expected | unexpected
                 | penalty TEXT | time MINUTES | forget
About the event: all yes | all lock | all unlock | card NAME means CARD | draw N | publish | unpublish

Example:
  decklaw event decide autumn e012 is \"Kim Lee\" --why \"asked at the door\""
)]
pub(in super::super) struct Decide {
    #[command(flatten)]
    folder: Folder,
    /// What about, and what
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Who decides [default: you]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
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
            "publish" | "unpublish" if rest.is_empty() => {
                let published = about == "publish";
                self.write(&mut event, &who, Decision::Published { published }, None)?;
                format!(
                    "decks are {}published\n",
                    if published { "" } else { "not " }
                )
            }
            _ => match about.parse::<EntryId>() {
                Ok(entry) => self.about_deck(run, &mut event, &who, entry, rest)?,
                Err(_) => {
                    let player = player(&event, about)?;
                    self.about_player(&mut event, &who, player, rest)?
                }
            },
        };
        emit(run, &Text::from(told), &[])
    }

    fn write(
        &self,
        event: &mut Event,
        who: &str,
        decision: Decision,
        name: Option<String>,
    ) -> Result<(), Refusal> {
        let personal = Personal {
            name,
            words: self.why.clone(),
            ..Personal::default()
        };
        Ok(event.decide(who, decision, personal, None)?)
    }

    fn about_all(&self, event: &mut Event, who: &str, words: &[&str]) -> Result<String, Refusal> {
        match words {
            ["yes"] => {
                let answered = event.answer_all(who)?;
                let mut out = String::new();
                for (entry, player) in &answered {
                    out.push_str(&format!("{entry} is {}\n", called(event, *player)));
                }
                if answered.is_empty() {
                    out.push_str("nothing is asked whose it is\n");
                }
                Ok(out)
            }
            [word @ ("lock" | "unlock")] => {
                let locked = *word == "lock";
                self.write(
                    event,
                    who,
                    Decision::Lock {
                        player: None,
                        locked,
                    },
                    None,
                )?;
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
        self.write(event, who, decision, None)?;
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
            out.push_str(&format!("{}{table}\n", called(event, *player)));
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
                Ok(format!("{entry} is {}\n", called(event, player)))
            }
            ["is", "new"] => {
                let player = event.assign(who, entry, None, why)?;
                Ok(format!(
                    "{entry} is {}, who is new\n",
                    called(event, player)
                ))
            }
            ["is", name] => {
                let whose = player(event, name)?;
                event.assign(who, entry, Some(whose), why)?;
                Ok(format!("{entry} is {}\n", called(event, whose)))
            }
            [word @ ("in-time" | "late")] => {
                let in_time = *word == "in-time";
                self.write(event, who, Decision::Came { entry, in_time }, None)?;
                Ok(format!(
                    "{entry} came {}\n",
                    if in_time { "in time" } else { "late" }
                ))
            }
            [word @ ("counts" | "out")] => {
                let counts = *word == "counts";
                self.write(event, who, Decision::Counts { entry, counts }, None)?;
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
                let personal = Personal {
                    words: why,
                    ..Personal::default()
                };
                event.decide(who, Decision::ReadAs { entry }, personal, Some(text))?;
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
        let name = called(event, own);
        let told = match words {
            ["same", other] => {
                let with = player(event, other)?;
                self.write(event, who, Decision::Same { player: own, with }, None)?;
                return Ok(format!("{name} is {}\n", called(event, with)));
            }
            ["table", table] => {
                let table = (*table).to_owned();
                let told = format!("{name} sits at table {table}\n");
                self.write(event, who, Decision::Table { player: own, table }, None)?;
                told
            }
            ["name", new] => {
                self.write(
                    event,
                    who,
                    Decision::Renamed { player: own },
                    Some((*new).to_owned()),
                )?;
                format!("{name} is called {new} now\n")
            }
            [word @ ("lock" | "unlock")] => {
                let locked = *word == "lock";
                self.write(
                    event,
                    who,
                    Decision::Lock {
                        player: Some(own),
                        locked,
                    },
                    None,
                )?;
                format!("{name} is {word}ed\n")
            }
            [word @ ("expected" | "unexpected")] => {
                let expected = *word == "expected";
                self.write(
                    event,
                    who,
                    Decision::Expected {
                        player: own,
                        expected,
                    },
                    None,
                )?;
                format!("{name} is {word}\n")
            }
            ["penalty", text @ ..] if !text.is_empty() => {
                let text = text.join(" ");
                let words = match &self.why {
                    Some(why) => format!("{text}; {why}"),
                    None => text.clone(),
                };
                let personal = Personal {
                    words: Some(words),
                    ..Personal::default()
                };
                event.decide(who, Decision::Penalty { player: own }, personal, None)?;
                format!("{name}: penalty: {text}\n")
            }
            ["time", minutes] => {
                let minutes = minutes
                    .parse::<u32>()
                    .map_err(|_| Refusal(format!("`{minutes}` is no number of minutes")))?;
                self.write(
                    event,
                    who,
                    Decision::Extension {
                        player: own,
                        minutes,
                    },
                    None,
                )?;
                format!(
                    "{name}: {} more\n",
                    crate::text::counted(i64::from(minutes), "minute")
                )
            }
            ["forget"] => {
                let records = event.forget(who, own)?;
                let records =
                    crate::text::counted(i64::try_from(records).unwrap_or(i64::MAX), "record");
                format!(
                    "{own}: name, addresses, decks and free text are removed from {records}; the chain still holds\n"
                )
            }
            _ => {
                return Err(unknown(
                    &own.to_string(),
                    words,
                    "`same PLAYER`, `table N`, `name TEXT`, `lock`, `unlock`, `expected`, `unexpected`, `penalty TEXT`, `time MINUTES` and `forget`",
                ));
            }
        };
        Ok(told)
    }
}

fn called(event: &Event, player: PlayerId) -> String {
    match event.roster().name(player) {
        name if name == player.to_string() => name,
        name => format!("{name} ({player})"),
    }
}

fn unknown(about: &str, words: &[&str], known: &str) -> Refusal {
    let said = words.join(" ");
    Refusal(format!(
        "`{about} {said}` says nothing that is known; there are {known}"
    ))
}
