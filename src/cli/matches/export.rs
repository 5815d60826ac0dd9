//! `match export`: a start position for Tabletop Simulator.

use super::{CliError, Rules, Run, addresses, files};
use crate::cli::files as anyones;
use crate::matches::{Proxies, pending_words, tabletop_save};
use crate::paper::{Fonts, Size, png};
use decklaw_ask::CardRenderer;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Export a start position to another program
// A save of Tabletop Simulator: every pile in its seeded order, hands in hand. The
// card faces and a back are written next to it, as PNG.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  decklaw match export match.json --tabletop-simulator game.json"
)]
pub(crate) struct Export {
    /// The match file
    file: PathBuf,
    /// The saved game to write, such as game.json
    #[arg(long, value_name = "OUT", required = true)]
    tabletop_simulator: PathBuf,
    /// Address of the pictures [default: this machine]
    #[arg(long, value_name = "URL", value_parser = addresses::place)]
    image_base_url: Option<String>,
    /// Replace files
    #[arg(long, help_heading = "Common options")]
    replace: bool,
    #[command(flatten)]
    rules: Rules,
}

impl Export {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let save = &self.tabletop_simulator;
        if save.extension().is_none_or(|ending| ending != "json") {
            return Err(CliError::call("the save's name must end in .json"));
        }
        let (start, format) = files::read_match(&self.file, run, &self.rules.clone().into())?;
        let format = format.judging(&start.inputs.settings, run)?;
        let names = start.table.instances.iter();
        let proxies = Proxies::new(names.map(|instance| instance.name.as_str()));
        let stem = save.file_stem().unwrap_or_default().to_string_lossy();
        let (looks, mut fonts) = (format.looks()?, Fonts::built_in());
        let mut pictures = faces(run, &proxies, &looks, &mut fonts, &stem)?;
        let back = format!("{stem}-back.png");
        let behind = png(&[looks.back().draw()], 1, 400, &mut fonts);
        let behind = behind.map_err(|error| CliError::refused(error.to_string()))?;
        pictures.push((back.clone(), behind.0));
        let faces =
            (0..proxies.sheets()).map(|sheet| self.address(&format!("{stem}-{}.png", sheet + 1)));
        let faces = faces.collect::<Result<Vec<_>, _>>()?;
        let save_of = tabletop_save(&start, &proxies, &faces, &self.address(&back)?);
        let json = save_of.map_err(|error| {
            let awaited: Vec<String> = start.pending.iter().map(pending_words).collect();
            CliError::refused(format!(
                "{}: {error} ({}); `decklaw match play` asks for what is open",
                self.file.display(),
                crate::text::listed(&awaited, "and")
            ))
        })?;
        // Begun before the pictures are written, so that a save that is refused leaves none.
        let file = anyones::Draft::new(save, anyones::Readers::Owner, self.replace)?;
        for (name, bytes) in &pictures {
            let picture = save.with_file_name(name);
            let readers = anyones::Readers::Anyone;
            anyones::Draft::new(&picture, readers, self.replace)?.whole(bytes)?;
        }
        file.whole(json.as_bytes())
    }

    /// Where a picture will be found.
    fn address(&self, name: &str) -> Result<String, CliError> {
        if let Some(base) = &self.image_base_url {
            let base = base.trim_end_matches('/');
            return Ok(format!("{base}/{}", addresses::escaped(name)));
        }
        let path = std::path::absolute(self.tabletop_simulator.with_file_name(name));
        let path = path.map_err(|error| CliError::call(format!("{name}: {error}")))?;
        Ok(addresses::local(&path))
    }
}

/// The sheets of faces, each with the name of its file. Letters that no font has are reported.
fn faces(
    run: &Run,
    proxies: &Proxies,
    looks: &CardRenderer,
    fonts: &mut Fonts,
    stem: &str,
) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let (mut pictures, mut lacking) = (Vec::new(), BTreeSet::new());
    for sheet in 0..proxies.sheets() {
        let face = |name: &str| match looks.front(name) {
            Ok(front) => front.draw().svg,
            Err(_) => looks.shown(name, Size::Full).svg,
        };
        let made = proxies.png(sheet, face, fonts);
        let (picture, letters) = made.map_err(|error| CliError::refused(error.to_string()))?;
        pictures.push((format!("{stem}-{}.png", sheet + 1), picture));
        lacking.extend(letters);
    }
    if !lacking.is_empty() {
        let letters: Vec<String> = lacking.iter().map(char::to_string).collect();
        let letters = crate::text::listed(&letters, "and");
        let message = format!("no font of this machine has {letters}");
        run.complain("note", &crate::text::escape_control(&message, false));
    }
    Ok(pictures)
}
