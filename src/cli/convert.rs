//! `decklaw convert`: a deck in another program's file format.

use super::files::Readers;
use super::inputs::{self, InputKind, NamedDeck};
use super::options::{Judging, Output, Place};
use super::{Answer, CliError, Outcome, Run, output};
use crate::deck::{self, Deck, Input, Listing, SectionNames};
use crate::judge::Judge;
use crate::name::fold;
use crate::render::Kind::Data;
use crate::resolve::Resolved;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw convert decks/shell/ebb.txt --to-format cod --to ebb.cod\n  decklaw convert ebb.cod --format shell --to-format text --to ebb.txt\n\n`decklaw cards export --cockatrice` exports the cards of a game."
)]
pub(super) struct Convert {
    /// The deck, its link, or - for standard input
    deck: PathBuf,
    /// The kind to write [default: by the ending of --to]
    #[arg(long, value_name = "KIND")]
    to_format: Option<Kind>,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Write only this section
    #[arg(long, value_name = "ID")]
    section: Option<String>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    place: Place,
}

impl Convert {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let judge = inputs::judge(run, &self.judging)?;
        let to = self.kind()?;
        let output = Output { place: self.place.clone(), ..Output::default() };
        let mut outputs = output::open(&output, &[Data(to.called())], Readers::Anyone, None)?;
        let deck = NamedDeck::open(&judge, run, &self.deck, self.from)?;
        let written = match deck.resolved(&judge, run)? {
            Ok(resolved) if to == Kind::Svg => self.picture(&judge, &resolved)?,
            Ok(resolved) => self.written(to, run, &resolved, &deck.name)?,
            Err(message) => Err(message),
        };
        let written = match written {
            Ok(written) => written,
            Err(message) => {
                run.complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        inputs::fitting(run, &judge)?;
        if let Some(mut to) = outputs.pop() {
            to.write_data(&written, true)?;
            to.finish(run)?;
        }
        Ok(Outcome::Yes)
    }

    /// The kind to write, given or by the ending of the file.
    ///
    /// # Errors
    /// None is given, and the ending says none.
    fn kind(&self) -> Result<Kind, CliError> {
        let by_ending = || {
            let ending = self.place.to.as_ref()?.extension()?.to_str()?;
            Kind::of_ending(&ending.to_ascii_lowercase())
        };
        self.to_format.or_else(by_ending).ok_or_else(|| {
            CliError::call("name the kind to write: `--to-format text`, `yaml`, `json`, `csv`, `list`, `cod`, `link` or `svg`, or a file such as `--to deck.yaml`")
        })
    }

    /// A picture of the whole deck.
    fn picture(
        &self,
        judge: &Judge,
        resolved: &Resolved<'_>,
    ) -> Result<Result<Vec<u8>, String>, CliError> {
        if self.section.is_some() {
            return Ok(Err("a picture shows the whole deck; leave out --section".to_owned()));
        }
        let svg = decklaw_ask::picture(judge, None, resolved);
        Ok(Ok(svg.map_err(|problem| CliError::call(problem.message))?.into_bytes()))
    }

    /// A deck in the file format that is asked for. `Err` inside: why it cannot be written.
    fn written(
        &self,
        to: Kind,
        run: &Run,
        resolved: &Resolved<'_>,
        name: &str,
    ) -> Result<Result<Vec<u8>, String>, CliError> {
        let (deck, rulebook) = (resolved.deck(), resolved.rulebook());
        let names = rulebook.section_names();
        let mut listing = Listing::from(deck);
        listing.format = Some(rulebook.format().id().to_owned());
        let ids = listing.sections.iter().map(|(id, _)| id.clone());
        let mut written: Vec<String> = ids.collect();
        if let Some(section) = &self.section {
            let id = names.find(section).map_or_else(|| fold(section), Into::into);
            written.retain(|known| *known == id);
            if written.is_empty() {
                return Ok(Err(format!("{name}: the deck has no section `{section}`")));
            }
            listing.sections.retain(|(known, _)| *known == id);
            listing.left_out.clear();
        }
        listing.sections.retain(|(_, cards)| !cards.is_empty() || to != Kind::List);
        if to == Kind::List && self.section.is_none() {
            let other = listing.sections.iter().find(|(id, _)| *id != names.first);
            if let Some((other, _)) = other {
                return Ok(Err(format!(
                    "{name}: a bare list has no sections, so that the cards of `{other}` would become cards of `{}`; choose one with --section ID, or another --to-format",
                    names.first
                )));
            }
        }
        // The first section, and the only one where it was chosen.
        let first = match (&self.section, written.first()) {
            (Some(_), Some(chosen)) => chosen,
            _ => names.first,
        };
        let text = match to {
            Kind::Text => deck::to_text(&listing).into_bytes(),
            Kind::Yaml => deck::to_yaml(&listing).into_bytes(),
            Kind::Json => deck::to_json(&listing).into_bytes(),
            Kind::Cod => deck::to_cockatrice(&listing, first).into_bytes(),
            Kind::List => deck::to_list(&listing).into_bytes(),
            Kind::Csv => deck::to_csv(&listing)?,
            Kind::Link => (deck::to_link(&listing) + "\n").into_bytes(),
            // Drawn before.
            Kind::Svg => Vec::new(),
        };
        // What was written is read again: a name that the other format cannot hold is found
        // here, whatever the reason.
        let names = SectionNames { first, ..names };
        let opened = match to {
            Kind::Link => deck::open(&text, Input::Json)?.source,
            _ => Cow::Borrowed(text.as_slice()),
        };
        let again = deck::read(&opened, to.input(), names);
        let kept = |deck: &Deck<'_>| contents(deck, &written);
        let again = again.as_ref().map(kept).unwrap_or_default();
        let before = kept(deck);
        if again != before {
            let lost = |line: &&deck::CardLine<'_>| {
                let section = deck.sections.get(usize::from(line.section));
                let key = section.map(|section| card_key(&section.id, &line.name));
                key.is_some_and(|key| {
                    before.contains_key(&key) && again.get(&key) != before.get(&key)
                })
            };
            let which = deck.lines.iter().find(lost).map_or(String::new(), |line| {
                format!(": line {}, `{}`, would be lost or changed", line.line, line.name)
            });
            return Ok(Err(format!(
                "{name}: not every name of this deck can be written as {}{which}; choose another --to-format, such as yaml",
                to.called()
            )));
        }
        Self::warn_of_losses(to, run, &listing, name);
        if to == Kind::Cod {
            report_moved(run, &listing, first, name);
        }
        Ok(Ok(text))
    }

    /// Says what the file format has no place for.
    fn warn_of_losses(to: Kind, run: &Run, listing: &Listing, name: &str) {
        if !matches!(to, Kind::List | Kind::Csv) {
            return;
        }
        let mut lost = vec!["Format"];
        lost.extend(listing.name.as_ref().map(|_| "Name"));
        lost.extend(listing.player.as_ref().map(|_| "Player"));
        lost.extend(listing.remarks.iter().map(|(key, _)| key.as_str()));
        let message = format!(
            "{name}: {} has no place for {}; read it again with --format {}",
            to.called(),
            crate::text::listed(&lost, "and"),
            listing.format.as_deref().unwrap_or_default()
        );
        run.complain("note", &message);
    }
}

/// Reports the cards in a zone of another name than their section's.
fn report_moved(run: &Run, listing: &Listing, first: &str, name: &str) {
    let moved = deck::moved_for_cockatrice(listing, first);
    let zones = moved.iter().map(|(section, zone)| {
        let cards = listing.sections.iter().find(|(id, _)| id == section);
        let counts = cards.iter().flat_map(|(_, cards)| cards);
        let copies = counts.map(|(count, _)| i64::from(*count)).sum();
        let cards = crate::text::counted(copies, "card");
        format!("{cards} of {section} in the zone {zone}")
    });
    let zones: Vec<String> = zones.collect();
    if !zones.is_empty() {
        let message = format!(
            "{name}: Cockatrice deals the zones main and side alone, so it has {}; the comments \
             say so for programs that read the deck again",
            crate::text::listed(&zones, "and")
        );
        run.complain("note", &crate::text::escape_control(&message, false));
    }
}

/// What a deck holds in some sections, its lines added up.
fn contents(deck: &Deck<'_>, sections: &[String]) -> BTreeMap<(String, String), u64> {
    let mut all = BTreeMap::new();
    for line in &deck.lines {
        let Some(section) = deck.sections.get(usize::from(line.section)) else {
            continue;
        };
        if sections.iter().any(|id| *id == section.id) {
            let key = card_key(&section.id, &line.name);
            *all.entry(key).or_insert(0) += u64::from(line.count);
        }
    }
    all
}

/// A section and a card in it, however the card is written.
fn card_key(section: &str, name: &str) -> (String, String) {
    (section.to_owned(), fold(name).into_owned())
}

/// What to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    // The text dialect
    Text,
    // YAML
    Yaml,
    // JSON
    Json,
    // A table: count, name, section
    Csv,
    // Bare lines of a count and a name, for one section
    List,
    // Cockatrice's XML
    Cod,
    // The end of a link that holds the deck, for any server's address
    Link,
    // A picture of the deck
    Svg,
}

impl Kind {
    /// The kind that a file's ending names, in small letters.
    fn of_ending(ending: &str) -> Option<Kind> {
        Some(match ending {
            "txt" => Kind::Text,
            "yaml" | "yml" => Kind::Yaml,
            "json" => Kind::Json,
            "csv" => Kind::Csv,
            "cod" => Kind::Cod,
            "svg" => Kind::Svg,
            _ => return None,
        })
    }

    /// How what is written is read again.
    fn input(self) -> Input {
        match self {
            Kind::Text | Kind::List | Kind::Svg => Input::Text,
            Kind::Yaml => Input::Yaml,
            Kind::Json | Kind::Link => Input::Json,
            Kind::Csv => Input::Table,
            Kind::Cod => Input::Xml,
        }
    }

    /// What people call it.
    fn called(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Yaml => "YAML",
            Kind::Json => "JSON",
            Kind::Csv => "a table",
            Kind::List => "a bare list",
            Kind::Cod => "a Cockatrice deck",
            Kind::Link => "a link",
            Kind::Svg => "a picture",
        }
    }
}
