//! The interactive builder: `decklaw build --edit DECK`.

mod app;
mod draw;
mod foot;
mod judged;
mod odds;
#[cfg(test)]
mod tests;

use super::files::{self, Exchange, Readers};
use super::inputs;
use super::{Answer, Options, Outcome, Refusal, Run};
use crate::deck::{Deck, Input, Listing, to_json, to_text, to_yaml};
use crate::judge::Judge;
use crate::resolve::Decklist;
use crate::solve::{RewriteError, anew, rewrite};
use app::{App, Then};
use odds::Chance;
use ratatui::crossterm::event::{self, Event};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The deck's file, as it was read or last written.
struct File<'a> {
    path: PathBuf,
    judge: &'a Judge,
    run: &'a Run,
    bytes: Vec<u8>,
    /// Whether it is on disk.
    is_there: bool,
}

impl File<'_> {
    fn read(&self) -> Result<Result<(Decklist, Option<String>), String>, Refusal> {
        let (path, bytes) = (&self.path, &self.bytes);
        let read = inputs::deck(self.judge, self.run, path, None, bytes)?;
        Ok(read.map(|resolved| {
            let name = resolved.deck().name.as_ref();
            let name = name.map(|name| name.value.to_string());
            (resolved.into_list(), name)
        }))
    }

    /// Writes the deck, unless somebody else did since it was read.
    fn save(&mut self, after: &Decklist) -> Result<(), Refusal> {
        let path = &self.path;
        let name = path.display();
        let changed = || {
            Refusal(format!(
                "{name}: not saved, the file changed since it was read; Ctrl-W saves elsewhere"
            ))
        };
        if path.exists() != self.is_there {
            return Err(changed());
        }
        let refuse = |error| {
            Refusal(format!(
                "{name}: not saved: {error}; Ctrl-W saves elsewhere, without comments"
            ))
        };
        let bytes = self.with(after)?.map_err(refuse)?;
        match self.is_there {
            false => self.run.write(path, &bytes, Readers::Anyone)?,
            true => match files::exchange_if(
                self.run,
                path,
                |found| inputs::is_text(path, found, &self.bytes),
                &bytes,
                Readers::Anyone,
            )? {
                Exchange::Done => {}
                Exchange::Changed => return Err(changed()),
            },
        }
        (self.bytes, self.is_there) = (bytes, true);
        Ok(())
    }

    /// Writes the deck to a file that is not there yet, and goes on with that one.
    fn save_elsewhere(&mut self, name: &str, after: &Decklist) -> Result<(), Refusal> {
        let path = PathBuf::from(name);
        let refuse = |why: &str| Err(Refusal(format!("{name}: not saved, {why}")));
        if path.exists() {
            return refuse("there is such a file; Ctrl-W asks for another name");
        }
        if Input::of_path(&path) != Input::of_path(&self.path) {
            return refuse("its ending must be that of the deck's own file");
        }
        let bytes = match self.with(after)? {
            Ok(bytes) => bytes,
            Err(_) => self.anew(after)?,
        };
        self.run.write(&path, &bytes, Readers::Anyone)?;
        (self.path, self.bytes, self.is_there) = (path, bytes, true);
        Ok(())
    }

    /// The file's bytes with other cards, or why they cannot be changed in place.
    fn with(&self, after: &Decklist) -> Result<Result<Vec<u8>, RewriteError>, Refusal> {
        let (deck, input) = self.deck()?;
        let before = Decklist::of(&deck, Arc::clone(after.rulebook()));
        Ok(rewrite(&self.bytes, input, &deck, &before, after))
    }

    /// The file written anew with other cards.
    fn anew(&self, after: &Decklist) -> Result<Vec<u8>, Refusal> {
        let (deck, input) = self.deck()?;
        Ok(anew(input, &deck, after).0)
    }

    fn deck(&self) -> Result<(Deck<'_>, Input), Refusal> {
        let (path, bytes) = (&self.path, &self.bytes);
        let read = inputs::deck(self.judge, self.run, path, None, bytes)?;
        let resolved = read.map_err(Refusal)?;
        Ok((resolved.into_deck(), Input::of_path(path)))
    }
}

/// Edits a deck until the user ends it. A deck that is not there yet begins without cards, as
/// one of `format`. `hand` is how many cards the odds are about, where that is said.
///
/// # Errors
/// When standard input or output is no terminal, or inputs of the run are wrong.
pub(super) fn edit(path: &Path, format: Option<&str>, hand: Option<u32>, run: &Run) -> Answer {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Refusal(
            "`--edit` needs a terminal; without one, use `decklaw build` and `decklaw fix`"
                .to_owned(),
        ));
    }
    let input = Input::of_path(path);
    if !matches!(input, Input::Text | Input::Yaml | Input::Json) {
        return Err(Refusal(format!(
            "{}: only decks in text, YAML and JSON are edited; make it text first: `decklaw convert {0} --to-format text`",
            path.display()
        )));
    }
    let run = &run.with(Options {
        format: format
            .map(str::to_owned)
            .or_else(|| run.options.format.clone()),
        ..(*run.options).clone()
    });
    let judge = inputs::judge(run)?;
    let is_there = path.exists();
    let bytes = match (is_there, &run.options.format) {
        (true, _) => inputs::deck_bytes(&judge, run, path)?,
        (false, Some(format)) => {
            let empty = Listing {
                format: Some(format.clone()),
                ..Listing::default()
            };
            match input {
                Input::Json => to_json(&empty),
                Input::Yaml => to_yaml(&empty),
                _ => to_text(&empty),
            }
            .into_bytes()
        }
        (false, None) => {
            return Err(Refusal(format!(
                "{}: there is no such file; to begin a deck, name its format: `decklaw build FORMAT --edit {0}`",
                path.display()
            )));
        }
    };
    let mut file = File {
        path: path.to_owned(),
        judge: &judge,
        run,
        bytes,
        is_there,
    };
    let (deck, name) = match file.read()? {
        Ok(read) => read,
        Err(message) => {
            run.complain("error", &message);
            return Ok(Outcome::No);
        }
    };
    let game = deck.rulebook().format().game();
    let defaults = super::odds::defaults(&judge, game.id())?;
    let first = game.section_names().first.to_owned();
    let drawn = defaults
        .section
        .as_ref()
        .map_or(first, |own| own.value.clone());
    let title = name.unwrap_or_else(|| path.display().to_string());
    let mut app = App::new(title, deck, Chance::new(defaults, drawn, hand));
    run.fill_terminal();
    let mut screen = ratatui::try_init()?;
    let ended = edited(&mut screen, &mut app, &mut file);
    ratatui::try_restore()?;
    ended?;
    Ok(Outcome::Yes)
}

fn edited(
    screen: &mut ratatui::DefaultTerminal,
    app: &mut App,
    file: &mut File<'_>,
) -> std::io::Result<()> {
    loop {
        screen.draw(|frame| draw::screen(frame, app))?;
        let then = match event::read()? {
            Event::Key(key) => app.press(key),
            _ => Then::Draw,
        };
        match then {
            Then::Draw => {}
            Then::End => return Ok(()),
            Then::Save | Then::SaveAndEnd | Then::SaveElsewhere => {
                let saved = match then {
                    Then::SaveElsewhere => file.save_elsewhere(app.elsewhere.trim(), &app.deck),
                    _ => file.save(&app.deck),
                };
                match saved {
                    Ok(()) if then == Then::SaveAndEnd => return Ok(()),
                    Ok(()) => app.is_saved(format!("saved {}", file.path.display())),
                    Err(Refusal(message)) => app.message = message,
                }
            }
        }
    }
}
