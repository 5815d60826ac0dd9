//! The inputs of a run that a report lists.

use super::rulebooks::{CardFile, Judge, JudgeError, WhichList, applies};
use crate::banlist::{Banlist, ListNotice, lint};
use crate::format::{CatalogueError, Format};
use crate::origin::{ExternalInput, Origin};
use crate::pool::Pool;
use crate::text::Span;
use crate::yaml::{FileError, Problem};
use std::collections::BTreeSet;
use std::sync::{MutexGuard, PoisonError};

impl Judge {
    /// The card files, the named list and the settings that no deck has used so far.
    pub fn unused(&self) -> Vec<String> {
        let lock =
            |file: &CardFile| file.used.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let named = |file: &&CardFile| file.origin == Origin::Call;
        let cards = self.cards.iter().filter(named);
        let cards = cards.filter(|file| !lock(file));
        let mut unused: Vec<String> =
            cards.map(|file| format!("the card file {}", file.name)).collect();
        if let WhichList::Named(list) = &self.list
            && !self.met().values().any(|rulebook| applies(list, rulebook.format()))
        {
            unused.push(format!("the banlist {} (of {})", list.id, list.scope()));
        }
        let met = self.met();
        let known =
            |name: &str| met.values().any(|rulebook| rulebook.format().game().has_setting(name));
        let lock = self.lock.as_ref();
        let locked = |name: &str| lock.is_some_and(|lock| lock.settings.contains_key(name));
        let settings = self.settings.keys();
        let settings = settings.filter(|name| !known(name) && !locked(name));
        unused.extend(settings.map(|name| format!("the setting `{name}`")));
        unused
    }

    /// Notes about the lists of the formats met so far: the named list is for another format of
    /// the same game, or no list is in force on this day.
    pub fn list_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for rulebook in self.met().values() {
            let format = rulebook.format();
            let (id, own) = (format.id(), rulebook.list());
            match (&self.list, own) {
                (WhichList::Named(named), own)
                    if named.game == format.game().id() && !applies(named, format) =>
                {
                    let by = match own {
                        Some(own) => format!("{}, which is in force", own.id),
                        None => "no list".to_owned(),
                    };
                    notes.push(format!(
                        "the banlist {} is for {}; decks of {id} are judged by {by}",
                        named.id,
                        named.scope()
                    ));
                }
                (WhichList::InForce, None) if self.lock.is_none() => {
                    notes.extend(self.none_in_force(format));
                }
                _ => {}
            }
        }
        notes
    }

    /// The notes of every report about the list that a format is judged by.
    pub(super) fn list_notices(
        &self,
        format: &Format,
        pool: &Pool,
        list: &Banlist,
    ) -> Vec<ListNotice> {
        let is_named = match &self.list {
            WhichList::Named(named) => named.sha256 == list.sha256,
            WhichList::InForce | WhichList::Nothing => false,
        };
        let of_game = if list.formats.is_empty() || is_named {
            None
        } else {
            // Two lists that are in force at once are an error elsewhere.
            self.list(format.game().id(), None).ok().flatten()
        };
        let mut notices: Vec<ListNotice> = list.out_of_force(self.day).into_iter().collect();
        notices.extend(of_game.map(|of_game| list.goes_before(&of_game)));
        notices.extend(list.name_notices(pool));
        notices
    }

    /// Reads a list and checks it against its game, and notes which of its names are spelt
    /// otherwise than the cards are. The game's rules and cards become inputs of the run.
    ///
    /// # Errors
    /// A list that cannot be read, or entries that are stale or have no effect.
    pub fn check_list(
        &self,
        name: &str,
        bytes: &[u8],
    ) -> Result<(Banlist, Vec<String>), FileError> {
        let list = Banlist::read(name, bytes)?;
        let refuse = |problems| Err(FileError::of(name, &list.text, problems));
        let game = match self.catalogue.game(&list.game) {
            Ok(game) => game,
            Err(CatalogueError::File(error)) => return Err(error),
            Err(_) => {
                let at = list.text.find("game:").unwrap_or(0);
                let message = format!("there is no game `{}`", list.game);
                return refuse(vec![Problem::new(message, Span::new(at, at + 4))]);
            }
        };
        let sections = game.sections().iter();
        let sections: Vec<&str> = sections.map(|section| section.id.as_str()).collect();
        let formats = game.formats();
        let formats: Vec<&str> = formats.iter().map(|format| format.id()).collect();
        let pool = match self.pool(&game) {
            Ok(pool) => pool,
            Err(error) => {
                return refuse(vec![Problem::new(error.to_string(), Span::default())]);
            }
        };
        let given = self.given_rules(game.id()).into_iter();
        let given = given.chain(self.given_cards(game.id(), &pool));
        given.for_each(|given| self.names(given));
        let problems = lint(&list, &pool, &sections, &formats);
        if problems.is_empty() {
            let notes = list.name_notices(&pool).into_iter().map(|notice| notice.message);
            let notes = notes.collect();
            return Ok((list, notes));
        }
        refuse(problems)
    }

    /// Warnings about the known lists, such as those of a lock: names that no card has or that are
    /// spelt otherwise, and lists that do not apply to all formats of their game.
    ///
    /// # Errors
    /// A list or card file that cannot be read.
    pub fn list_warnings(&self) -> Result<Vec<String>, JudgeError> {
        let mut warnings = Vec::new();
        for id in self.catalogue.games() {
            let Ok(game) = self.catalogue.game(id) else {
                continue;
            };
            let pool = self.pool(&game)?;
            let lists = self.lists.of(id)?;
            let (of_game, of_formats): (Vec<_>, Vec<_>) =
                lists.iter().partition(|list| list.formats.is_empty());
            let of_game = of_game.first();
            let before = of_formats.iter();
            let before = before.filter_map(|list| Some(list.goes_before(of_game?)));
            let names = lists.iter().flat_map(|list| list.name_notices(&pool));
            let mut messages: Vec<String> = before.chain(names).map(|one| one.message).collect();
            messages.dedup();
            warnings.append(&mut messages);
        }
        Ok(warnings)
    }

    /// A note if all lists of a format begin later or have ended.
    fn none_in_force(&self, format: &Format) -> Option<String> {
        let lists = self.lists.of(format.game().id()).ok()?;
        let own = || lists.iter().filter(|list| !list.sample && applies(list, format));
        let next = own().filter(|list| list.effective > self.day);
        let last =
            own().filter_map(|list| Some((list.ends.filter(|ends| *ends < self.day)?, list)));
        let (id, day) = (format.id(), self.day);
        let known =
            match (next.min_by_key(|list| list.effective), last.max_by_key(|(ends, _)| *ends)) {
                (Some(next), _) => format!("{} begins on {}", next.id, next.effective),
                (None, Some((ends, last))) => format!("{} ended on {ends}", last.id),
                (None, None) => return None,
            };
        Some(format!("no banlist of {id} is in force on {day}: {known}"))
    }

    /// The rules of a game, if they are not built in.
    pub fn given_rules(&self, id: &str) -> Option<ExternalInput> {
        let game = self.catalogue.game(id).ok()?;
        let origin = self.catalogue.origin(id);
        ExternalInput::file(id, "rules", &game.source, &game.sha256, &origin)
    }

    /// The cards of a game that were read into a pool, if they are not built in.
    pub fn given_cards(&self, id: &str, pool: &Pool) -> Option<ExternalInput> {
        let file = self.card_file(id);
        let file = file.map(|(name, _, origin)| (name.to_owned(), origin.clone()));
        let own = || Some((self.catalogue.cards(id)?.0, self.catalogue.origin(id)));
        let (name, origin) = file.or_else(own)?;
        ExternalInput::file(id, "cards", &name, pool.sha256(), &origin)
    }

    /// The inputs of a format that are not built in.
    pub(super) fn given(
        &self,
        format: &Format,
        pool: &Pool,
        list: Option<&Banlist>,
    ) -> Vec<ExternalInput> {
        let id = format.game().id();
        let mut given: Vec<ExternalInput> = self.given_rules(id).into_iter().collect();
        given.extend(self.given_cards(id, pool));
        if let Some(list) = list {
            let name = list.shown();
            given.extend(ExternalInput::file(id, "banlist", &name, &list.sha256, &list.origin));
        }
        let locked = self.lock.is_some();
        let origin = if locked { Origin::Lock } else { Origin::Call };
        let settings = self.settings_for(format);
        let settings = settings.iter();
        given
            .extend(settings.map(|(name, value)| ExternalInput::setting(id, name, value, &origin)));
        given
    }

    /// All inputs so far that are not built in: those of the formats met, the files of
    /// [`game_file`](Judge::game_file), and those [named](Judge::names).
    pub fn given_so_far(&self) -> Vec<ExternalInput> {
        let mut given = self.besides().clone();
        for rulebook in self.met().values() {
            given.extend(rulebook.given().iter().cloned());
        }
        given.into_iter().collect()
    }

    /// Adds an input that is not rules, cards or a list, such as a collection.
    pub fn names(&self, given: ExternalInput) {
        self.besides().insert(given);
    }

    pub(super) fn besides(&self) -> MutexGuard<'_, BTreeSet<ExternalInput>> {
        self.besides.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
