//! The decks of a match: each names its own format.

use super::games::JudgedFormat;
use super::{CliError, Judging, Run, inputs};
use crate::cli::inputs::DeckBytes;
use crate::deck::Draft;
use crate::matches::{NewMatch, RegisteredDeck};
use crate::text::escape_control;
use std::path::PathBuf;

/// The format of the call, or the one that a deck names.
pub(super) fn format_of(
    deck: &DeckBytes,
    run: &Run,
    judging: &Judging,
) -> Result<String, CliError> {
    if let Some(id) = &judging.format {
        return Ok(id.clone());
    }
    let judge = inputs::judge_of_cards(run, judging)?;
    // What is wrong with the deck is reported when it is judged.
    let opened = judge.open_file(&deck.bytes, deck.input, None).ok();
    let draft = opened.as_ref().and_then(|file| Draft::of(&file.source, file.input).ok());
    let own = draft.as_ref().and_then(Draft::format).map(|named| {
        let format = judge.catalogue().format(named).ok();
        format.map_or_else(|| named.to_owned(), |format| format.id().to_owned())
    });
    own.ok_or_else(|| {
        let file = escape_control(&deck.name, false);
        CliError::refused(format!("{file}: the deck names no format; use `--format ID`"))
    })
}

/// The decks of a match, in seat order.
pub(super) struct MatchDecks {
    /// The format of the match: that of the first deck.
    pub(super) format: JudgedFormat,
    /// The decks.
    pub(super) decks: Vec<RegisteredDeck>,
    /// The format of each deck, where it is another one.
    pub(super) formats: Vec<Option<String>>,
    /// The players that the decks name.
    pub(super) players: Vec<Option<String>>,
}

impl MatchDecks {
    /// Reads and judges decks, each by its own format. They must be of one game, and start
    /// alike.
    pub(super) fn read(
        paths: &[PathBuf],
        allow_illegal: bool,
        run: &Run,
        judging: &Judging,
    ) -> Result<MatchDecks, CliError> {
        let mut entered: Option<MatchDecks> = None;
        for path in paths {
            let deck = DeckBytes::open(run, path, None)?;
            let shown = escape_control(&deck.name, false).into_owned();
            let id = format_of(&deck, run, judging)?;
            let known = entered.as_ref().filter(|first| first.format.id() == id);
            let (player, deck, own) = match known {
                Some(first) => {
                    let (player, deck) = first.format.registered(run, deck, allow_illegal)?;
                    (player, deck, None)
                }
                None => {
                    let own = JudgedFormat::load(&id, run, judging)?;
                    let (player, deck) = own.registered(run, deck, allow_illegal)?;
                    (player, deck, Some(own))
                }
            };
            match &mut entered {
                Some(first) => {
                    if let Some(own) = own.as_ref().filter(|own| !first.format.starts_like(own)) {
                        return Err(CliError::call(format!(
                            "{shown}: cannot start a match between `{}` and `{}`",
                            first.format.id(),
                            own.id()
                        )));
                    }
                    first.decks.push(deck);
                    first.formats.push(own.map(|own| own.id().to_owned()));
                    first.players.push(player);
                }
                None => {
                    entered = own.map(|format| MatchDecks {
                        format,
                        decks: vec![deck],
                        formats: vec![None],
                        players: vec![player],
                    });
                }
            }
        }
        entered.ok_or_else(|| CliError::call("no deck was named"))
    }

    /// The decks, formats and players, for a match. A player whom neither the call nor a deck
    /// names is called by the seat's letter.
    pub(super) fn seat(self, wanted: &mut NewMatch, named: &[String]) -> JudgedFormat {
        let letters = ["A", "B", "C", "D"].map(str::to_owned);
        let unnamed = self.players.iter().zip(letters);
        let mut players: Vec<String> = unnamed
            .map(|(player, letter)| match player.as_deref().map(str::trim) {
                Some(player) if !player.is_empty() => player.to_owned(),
                _ => letter,
            })
            .collect();
        for (number, name) in named.iter().enumerate() {
            match players.get_mut(number) {
                Some(player) => *player = name.clone(),
                None => players.push(name.clone()),
            }
        }
        wanted.decks = self.decks;
        wanted.formats = self.formats;
        // One deck in the middle says nothing of who plays.
        wanted.players =
            if self.format.rules.setup.decks.are_shared() { named.to_vec() } else { players };
        self.format
    }
}
