//! The inputs of a run that a report lists.

use super::rulebooks::{CardFile, Judge, WhichList, applies};
use decklaw_cards::pool::Pool;
use decklaw_rules::banlist::{Banlist, ListNotice, lint};
use decklaw_rules::format::Format;
use decklaw_rules::origin::{Origin, Sources};
use decklaw_text::text::Span;
use decklaw_text::yaml::{self, FileError};
use decklaw_text::{Problem, ProblemKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

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
    pub fn check_list(&self, name: &str, bytes: &[u8]) -> Result<(Banlist, Vec<String>), Problem> {
        let list = Banlist::read(name, bytes)?;
        let refuse = |problems| Err(FileError::of(name, &list.text, problems).into());
        let game = match self.catalogue.game(&list.game) {
            Ok(game) => game,
            Err(problem) if problem.kind != ProblemKind::NotFound => return Err(problem),
            Err(_) => {
                let at = list.text.find("game:").unwrap_or(0);
                let message = format!("unknown game `{}`", list.game);
                return refuse(vec![yaml::Problem::new(message, Span::new(at, at + 4))]);
            }
        };
        let sections = game.sections().iter();
        let sections: Vec<&str> = sections.map(|section| section.id.as_str()).collect();
        let formats = game.formats();
        let formats: Vec<&str> = formats.iter().map(|format| format.id()).collect();
        let pool = match self.pool(&game) {
            Ok(pool) => pool,
            Err(error) => {
                return refuse(vec![yaml::Problem::new(error.message, Span::default())]);
            }
        };
        self.game_sources(game.id()).into_values().for_each(|file| self.uses(game.id(), file));
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
    pub fn list_warnings(&self) -> Result<Vec<String>, Problem> {
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

    /// The path of a game's rules, if they are not built in.
    fn rules_source(&self, id: &str) -> Option<String> {
        let game = self.catalogue.game(id).ok()?;
        (self.catalogue.origin(id) != Origin::BuiltIn).then(|| game.source.clone())
    }

    /// The path of a game's cards, if they are not built in.
    fn cards_source(&self, id: &str) -> Option<String> {
        let file = self.card_file(id);
        let file = file.map(|(name, _, origin)| (name.to_owned(), origin.clone()));
        let own = || Some((self.catalogue.cards(id)?.0, self.catalogue.origin(id)));
        let (name, origin) = file.or_else(own)?;
        (origin != Origin::BuiltIn).then_some(name)
    }

    /// Where a game's rules and cards come from, where that is not built in.
    pub fn game_sources(&self, id: &str) -> Sources {
        let (format, cards) = (self.rules_source(id), self.cards_source(id));
        let sources = format.map(|name| ("format", name)).into_iter();
        sources.chain(cards.map(|name| ("cards", name))).collect()
    }

    /// Where what judges a format comes from, where that is not built in.
    pub(super) fn sources(&self, format: &Format, list: Option<&Banlist>) -> Sources {
        let mut sources = self.game_sources(format.game().id());
        sources.extend(list.and_then(Banlist::source).map(|name| ("banlist", name)));
        sources
    }

    /// What took part so far and is not built in: for each game its files. They are those of the
    /// formats met, and those that [`uses`](Judge::uses) names.
    pub fn used(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut used = self.besides.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for rulebook in self.met().values().filter(|_| self.lock.is_none()) {
            let sources = rulebook.sources().values().cloned();
            let sources = sources.chain(self.collection.get().cloned());
            used.entry(rulebook.format().game().id().to_owned()).or_default().extend(sources);
        }
        used.retain(|_, files| !files.is_empty());
        used
    }

    /// Names the file of the collection that decides the answers of this judge.
    pub fn uses_collection(&self, file: &str) {
        self.collection.get_or_init(|| file.to_owned());
    }

    /// The file of the collection that decides the answers of this judge.
    pub fn collection(&self) -> Option<&str> {
        self.collection.get().map(String::as_str)
    }

    /// Names a file of a game that takes part and is neither rules, cards nor a list.
    pub fn uses(&self, game: &str, file: String) {
        let mut besides = self.besides.lock().unwrap_or_else(PoisonError::into_inner);
        besides.entry(game.to_owned()).or_default().insert(file);
    }
}
