//! What match commands need of a format: its setup, its judge, and decks for it.

use super::{CliError, Run, inputs};
use crate::cli::configuration::{self, LoadedConfiguration};
use crate::cli::inputs::{DeckBytes, NamedDeck};
use crate::cli::options::{Judging, Setting};
use crate::format::{Format, Rulebook};
use crate::judge::{Judge, ReadDeck};
use crate::look::{Look, Mat};
use crate::matches::{
    Line, Match, MatchDeck, MatchFormat, MatchRules, RegisteredDeck, Settings, Swaps,
};
use crate::name::fold;
use crate::resolve::Decklist;
use crate::rules::Severity;
use crate::text::escape_control;
use std::path::PathBuf;
use std::sync::Arc;

/// A format that matches are played by; neither pool nor rules are loaded.
#[derive(Debug)]
pub(crate) struct PlayedFormat {
    /// What matches are played by.
    pub(crate) rules: MatchRules,
    format: Format,
    found: LoadedConfiguration,
    judging: Judging,
}

/// The same with its pool and rules.
#[derive(Debug)]
pub(crate) struct JudgedFormat {
    /// What matches are played by.
    pub(crate) rules: MatchRules,
    format: Format,
    judge: Judge,
    rulebook: Arc<Rulebook>,
}

/// Looks for games and lists; the list that the options name must be one.
fn found(judging: &Judging) -> Result<LoadedConfiguration, CliError> {
    let found = configuration::found(judging)?;
    inputs::listing(judging.banlist(), None, &found.lists)?;
    Ok(found)
}

impl PlayedFormat {
    /// The format that a match file names.
    pub(super) fn of_file(
        id: &str,
        file: &str,
        judging: &Judging,
    ) -> Result<PlayedFormat, CliError> {
        let unknown = || {
            let id = escape_control(id, false);
            CliError::refused(format!(
                "{file}: the match is of the format `{id}`, which is not known here; \
                 `decklaw formats list` shows those that are"
            ))
        };
        let found = found(judging)?;
        let format = found.catalogue.format(id).map_err(|_| unknown())?;
        if format.id() != id {
            return Err(unknown());
        }
        PlayedFormat::new(format, found, judging)
    }

    fn new(
        format: Format,
        found: LoadedConfiguration,
        judging: &Judging,
    ) -> Result<PlayedFormat, CliError> {
        let rules = MatchRules::of_format(&format)?;
        let Some(rules) = rules else {
            let id = format.id();
            return Err(CliError::call(format!(
                "the format file of `{id}` says nothing about setup"
            )));
        };
        Ok(PlayedFormat { rules, format, found, judging: judging.clone() })
    }

    /// The same with its pool and rules; the settings are those of a match.
    pub(super) fn judging(self, settings: &Settings, run: &Run) -> Result<JudgedFormat, CliError> {
        let setting = |(name, value): (&String, &i64)| Setting {
            name: name.clone(),
            value: value.to_string(),
        };
        let set: Vec<Setting> = settings.iter().map(setting).collect();
        self.asking(&set, run)
    }

    fn asking(self, set: &[Setting], run: &Run) -> Result<JudgedFormat, CliError> {
        let mut judging = self.judging.of(Some(self.format.id()));
        let of_rules = |set: &&Setting| self.rules.settings.contains(&set.name);
        judging.by.settled.set = set.iter().filter(of_rules).cloned().collect();
        let PlayedFormat { rules, format, found, .. } = self;
        let judge = inputs::judge_of(found, run, &judging)?;
        run.caution(&judge);
        let rulebook = judge.rulebook(format.id())?;
        inputs::fitting(run, &judge)?;
        Ok(JudgedFormat { rules, format, judge, rulebook })
    }

    /// The layout of its table, and what players call zones and counters.
    pub(super) fn mat(&self) -> Result<Option<Mat>, CliError> {
        Ok(Look::of(&self.found.catalogue, self.format.game())?.mat(&self.format))
    }

    /// What the library needs to know of the format.
    pub(super) fn game(&self) -> MatchFormat<'_> {
        self.rules.game()
    }
}

impl JudgedFormat {
    /// A format with its pool and rules; the settings are those of the call.
    pub(super) fn load(id: &str, run: &Run, judging: &Judging) -> Result<JudgedFormat, CliError> {
        let found = found(judging)?;
        let format = found.catalogue.format(id)?;
        let set = &judging.by.settled.set;
        PlayedFormat::new(format, found, judging)?.asking(set, run)
    }

    /// Its id.
    pub(super) fn id(&self) -> &str {
        self.format.id()
    }

    /// Whether another format is of the same game and starts as this one does.
    pub(super) fn starts_like(&self, other: &JudgedFormat) -> bool {
        let (own, other) = (&self.format, &other.format);
        own.game().id() == other.game().id() && self.rules.setup.starts(other.id())
    }

    /// The same for one player.
    #[cfg(feature = "server")]
    pub(super) fn alone(mut self) -> JudgedFormat {
        self.rules.setup = self.rules.setup.alone();
        self
    }

    /// What the library needs to know of the format.
    pub(super) fn game(&self) -> MatchFormat<'_> {
        self.rules.game()
    }

    /// What judges a swap.
    pub(super) fn swaps(&self) -> Swaps {
        Swaps(Arc::clone(&self.rulebook))
    }

    /// How its cards look.
    #[cfg(feature = "paper")]
    pub(super) fn looks(&self) -> Result<decklaw_ask::CardRenderer, CliError> {
        let looks = decklaw_ask::CardRenderer::of(&self.judge, Arc::clone(&self.rulebook));
        looks.map_err(|problem| CliError::refused(problem.message))
    }

    /// What a match's decks record otherwise than the card pool, a sentence; `None`: nothing.
    pub(super) fn recorded_otherwise(&self, made: &Match) -> Result<Option<String>, CliError> {
        let pool = self.rulebook.pool();
        let own = made.inputs.seats.iter();
        let own = own.filter_map(|seat| seat.deck.as_ref());
        let shared = made.inputs.shared.iter().map(|shared| &shared.deck);
        let mut differences = Vec::new();
        for deck in own.chain(shared) {
            differences.extend(deck.registered_otherwise(&self.rules.setup, pool)?);
        }
        Ok(match differences.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            [first, more @ ..] => Some(format!("{first} (and {} more)", more.len())),
        })
    }

    /// Reads decks and has them judged; the whole pool where the format plays it.
    pub(super) fn decks(
        &self,
        run: &Run,
        paths: &[PathBuf],
        allow_illegal: bool,
    ) -> Result<Vec<RegisteredDeck>, CliError> {
        use crate::matches::setup::Decks;
        match (&self.rules.setup.decks, paths) {
            (Decks::WholePool(name), []) => {
                let pool = self.rulebook.pool();
                let deck = MatchDeck::of_pool(self.format.id(), name, &self.rules.setup, pool)?;
                let rulebook = Arc::clone(&self.rulebook);
                let cards = deck.sections.iter().flat_map(|(section, lines)| {
                    let card = |line: &'_ Line| (line.name.clone(), i64::from(line.count));
                    lines.iter().map(move |line| (section.as_str(), card(line)))
                });
                let cards: Vec<(&str, (String, i64))> = cards.collect();
                let cards =
                    cards.iter().map(|(section, (name, count))| (*section, name.as_str(), *count));
                let errors = Decklist::of_names(rulebook, cards).errors().into_iter();
                let broken =
                    errors.map(|(rule, why)| (rule, escape_control(&why, false).into_owned()));
                Ok(vec![admitted(deck, name, broken.collect(), allow_illegal)?])
            }
            (Decks::WholePool(_), _) => {
                Err(CliError::call("this format plays its whole card pool: name no deck"))
            }
            _ => {
                let registered = |path: &PathBuf| {
                    let deck = DeckBytes::open(run, path, None)?;
                    Ok(self.registered(run, deck, allow_illegal)?.1)
                };
                paths.iter().map(registered).collect()
            }
        }
    }

    /// Has a deck judged. Answers the player that it names, too; its notes are printed.
    pub(crate) fn registered(
        &self,
        run: &Run,
        deck: DeckBytes,
        allow_illegal: bool,
    ) -> Result<(Option<String>, RegisteredDeck), CliError> {
        let game = self.format.game();
        let judge = &self.judge;
        let NamedDeck { name, opened } = deck.decoded(judge).map_err(CliError::refused)?;
        let shown = escape_control(&name, false).into_owned();
        let read = judge.read(&opened, None)?;
        let report = judge.report(&shown, &read, None);
        let findings = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let broken: Vec<(String, String)> = findings
            .map(|finding| {
                (finding.rule.clone(), escape_control(&finding.message, false).into_owned())
            })
            .collect();
        let ReadDeck::Deck(resolved) = &read else {
            let lines: Vec<String> =
                broken.iter().map(|(_, message)| format!("{shown}: {message}")).collect();
            return Err(CliError::refused(lines.join("\n")));
        };
        run.print_notes(&shown, &resolved.notes());
        let deck = resolved.deck();
        if let Some(named) = &deck.format {
            let other = fold(&named.value);
            if other.split('/').next() != Some(game.id()) && !game.section_names().open {
                let other = escape_control(&named.value, false).into_owned();
                return Err(CliError::refused(format!(
                    "{shown}: a deck of `{other}`, not of this game"
                )));
            }
        }
        let player = deck.player.as_ref().map(|player| player.value.clone().into_owned());
        let registered = match (allow_illegal, broken.as_slice()) {
            (true, _) => self.rules.register_even_illegal(resolved)?,
            (false, []) => self.rules.register(resolved)?,
            (false, broken) => return Err(not_legal(&shown, broken)),
        };
        Ok((player, registered))
    }
}

fn not_legal(shown: &str, broken: &[(String, String)]) -> CliError {
    let mut message = format!("{shown}: the deck is not legal");
    for (rule, reason) in broken {
        message.push_str(&format!("\n  {rule}: {reason}"));
    }
    message.push_str("\n`--allow-illegal` lets it in and records what it breaks");
    CliError::refused(message)
}

/// Refuses a deck that is not legal, or notes what it breaks.
fn admitted(
    mut deck: MatchDeck,
    shown: &str,
    broken: Vec<(String, String)>,
    allow_illegal: bool,
) -> Result<RegisteredDeck, CliError> {
    if broken.is_empty() {
        return Ok(RegisteredDeck::unjudged(deck));
    }
    if !allow_illegal {
        return Err(not_legal(shown, &broken));
    }
    let mut rules: Vec<String> = broken.into_iter().map(|(rule, _)| rule).collect();
    rules.sort_unstable();
    rules.dedup();
    deck.illegal = Some(rules);
    Ok(RegisteredDeck::unjudged(deck))
}
