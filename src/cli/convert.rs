//! `decklaw convert`: a deck in another program's file format, or on paper.

mod kind;

use super::files::Readers;
use super::inputs::{self, InputKind};
use super::jobs::{Batch, Jobs, Reading};
use super::occasion::Occasion;
use super::walk::{self, DeckSource};
use super::{Answer, Outcome, Refusal, Run, output};
use crate::deck::{self, Deck, Input, Listing, SectionNames};
use crate::format::Rulebook;
use crate::judge::Judge;
use crate::name::fold;
use crate::render::Kind::Data;
use crate::report::{sheet, slip};
use kind::Kind;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw convert deck.cod --format shell --to-format text --to deck.txt\n  decklaw convert pasted.txt --from pasted --format versus --to-format yaml\n  decklaw convert decks --to-format sheet --sort name --to registration.html\n  decklaw convert decks --to-format slip --pairings round3.csv --round 3 --sort table --to checks.html\n\nA pool of cards goes to Cockatrice with `decklaw cards export --cockatrice`."
)]
pub(super) struct Convert {
    /// The deck, its link, or - for standard input; for sheets any number of decks and folders
    #[arg(value_name = "IN", required = true)]
    paths: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_name = "KIND")]
    to_format: Kind,
    /// Read it as this [default: by extension]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// A heading of the input that means a section, such as 'Creatures=main'
    #[arg(long, value_name = "WORD=SECTION")]
    heading: Vec<String>,
    /// Write this section alone
    #[arg(long, value_name = "ID")]
    section: Option<String>,
    #[command(flatten)]
    occasion: Occasion,
}

/// A deck that was read, and the rules of its format.
struct Read<'b> {
    deck: Deck<'b>,
    rulebook: Arc<Rulebook>,
}

impl Convert {
    pub(super) fn run(&self, run: &Run) -> Answer {
        if let (Some(option), false) = (self.occasion.given(), self.to_format.is_paper()) {
            return Err(Refusal(format!(
                "`{option}` is for sheets and slips: `--to-format sheet`, `--to-format slip`"
            )));
        }
        let judge = inputs::judge(run)?;
        let sources = walk::decks(run, &self.paths)?;
        let kind = Data(self.to_format.name());
        let mut outputs = output::asked(run, &[kind], Readers::Anyone)?;
        let (written, outcome) = match (self.to_format, sources.as_slice()) {
            (Kind::Sheet | Kind::Slip, _) if self.section.is_some() => {
                return Err(Refusal(
                    "a sheet has every section; leave `--section` out".to_owned(),
                ));
            }
            (Kind::Sheet | Kind::Slip, _) => {
                self.sheets(run, &judge, &sources, run.options.quiet)?
            }
            (_, [source]) => match self.one(&judge, run, source)? {
                Ok(written) => (written, Outcome::Yes),
                Err(message) => {
                    run.complain("error", &message);
                    return Ok(Outcome::No);
                }
            },
            _ => {
                return Err(Refusal(format!(
                    "convert takes one deck, and {} were named; only sheets take many",
                    sources.len()
                )));
            }
        };
        output::tell_given(run, &judge.given_so_far());
        if outcome == Outcome::Yes {
            inputs::fitting(run, &judge)?;
        }
        if let Some(mut to) = outputs.pop() {
            to.write_data(&written, true)?;
            to.finish()?;
        }
        Ok(outcome)
    }

    fn input(&self, source: &DeckSource) -> Input {
        source.input(self.from.map(Input::from))
    }

    /// Reads a deck and finds its rules. `Err` inside: why it is no deck.
    fn read<'b>(
        &self,
        judge: &Judge,
        run: &Run,
        source: &DeckSource,
        bytes: &'b [u8],
    ) -> Result<Result<Read<'b>, String>, Refusal> {
        let name = source.name();
        let input = self.input(source);
        if self.heading.is_empty() {
            let read = inputs::deck_as(judge, run, &name, input, bytes)?;
            return Ok(read.map(|resolved| Read {
                rulebook: Arc::clone(resolved.of_format()),
                deck: resolved.into_deck(),
            }));
        }
        let format = match &run.options.format {
            Some(format) => format,
            None => return Err(Refusal("`--heading` needs `--format ID`".to_owned())),
        };
        let rulebook = judge
            .rulebook(format)
            .map_err(|error| inputs::refuse(&error))?;
        let names = rulebook.section_names();
        let mut known = names.names.to_vec();
        for heading in &self.heading {
            let section = heading.split_once('=').and_then(|(word, section)| {
                let id = match names.find(section) {
                    Some(id) => id.to_owned(),
                    None if names.open => fold(section).into_owned(),
                    None => return None,
                };
                Some((fold(word).into_owned(), id))
            });
            let Some(section) = section else {
                return Err(Refusal(format!(
                    "`--heading {heading}` must be WORD=SECTION, the section one of {}",
                    crate::text::listed(names.ids, "and")
                )));
            };
            known.insert(0, section);
        }
        let names = SectionNames {
            names: &known,
            ..names
        };
        let read = deck::read(bytes, input, &mut |_| Some(names));
        Ok(match read {
            Ok(deck) => {
                if let Some(heading) = self.unused_heading(&known, names, (bytes, input), &deck) {
                    let (word, _) = heading.split_once('=').unwrap_or((heading, ""));
                    return Err(Refusal(format!(
                        "`--heading {heading}`: {name} has no heading `{word}`; leave it out"
                    )));
                }
                Ok(Read {
                    deck,
                    rulebook: Arc::clone(&rulebook),
                })
            }
            Err(errors) => Err(inputs::syntax(&name, &errors)),
        })
    }

    fn one(
        &self,
        judge: &Judge,
        run: &Run,
        source: &DeckSource,
    ) -> Result<Result<Vec<u8>, String>, Refusal> {
        let mut bytes = Vec::new();
        let name = source.name();
        if let Err((message, mend)) = source.read(&mut bytes) {
            return Ok(Err(format!(
                "{name}: {}",
                inputs::with_mend(&message, &mend)
            )));
        }
        let bytes = inputs::as_text(judge, run, (&name, self.input(source)), bytes)?;
        match self.read(judge, run, source, &bytes)? {
            Ok(read) => self.written(run, &read, &name, None),
            Err(message) => Ok(Err(message)),
        }
    }

    /// A deck in the file format that is asked for; `player` is whose it is, where somebody else
    /// says that. `Err` inside: why it cannot be written.
    fn written(
        &self,
        run: &Run,
        read: &Read<'_>,
        name: &str,
        player: Option<&str>,
    ) -> Result<Result<Vec<u8>, String>, Refusal> {
        let Read { deck, rulebook } = read;
        let names = rulebook.section_names();
        let mut listing = Listing::from(deck);
        if let Some(player) = player {
            listing.player = Some(player.to_owned());
        }
        listing.format = Some(rulebook.format().id().to_owned());
        let ids = listing.sections.iter().map(|(id, _)| id.clone());
        let mut written: Vec<String> = ids.collect();
        if let Some(section) = &self.section {
            let id = names
                .find(section)
                .map_or_else(|| fold(section), Into::into);
            written.retain(|known| *known == id);
            if written.is_empty() {
                return Ok(Err(format!("{name}: the deck has no section `{section}`")));
            }
            listing.sections.retain(|(known, _)| *known == id);
        }
        listing
            .sections
            .retain(|(_, cards)| !cards.is_empty() || self.to_format != Kind::List);
        if self.to_format == Kind::List && self.section.is_none() {
            let other = listing.sections.iter().find(|(id, _)| *id != names.first);
            if let Some((other, _)) = other {
                return Ok(Err(format!(
                    "{name}: a bare list has no sections, so that the cards of `{other}` would become cards of `{}`; choose one with --section ID, or another --to-format",
                    names.first
                )));
            }
        }
        // What stands first, and alone where a section was chosen.
        let first = match (&self.section, written.first()) {
            (Some(_), Some(chosen)) => chosen,
            _ => names.first,
        };
        let text = match self.to_format {
            Kind::Text => deck::to_text(&listing).into_bytes(),
            Kind::Yaml => deck::to_yaml(&listing).into_bytes(),
            Kind::Json => deck::to_json(&listing).into_bytes(),
            Kind::Cod => deck::to_cockatrice(&listing, first).into_bytes(),
            Kind::List => deck::to_list(&listing).into_bytes(),
            Kind::Csv => deck::to_csv(&listing)?,
            Kind::Link => (deck::to_link(&listing) + "\n").into_bytes(),
            Kind::Sheet | Kind::Slip => Vec::new(),
        };
        // What was written is read again: a name that the other format cannot hold is found
        // here, whatever the reason.
        let names = SectionNames { first, ..names };
        let opened = match self.to_format {
            Kind::Link => {
                deck::open(&text, Input::Json)
                    .map_err(|error| Refusal(error.to_string()))?
                    .source
            }
            _ => Cow::Borrowed(text.as_slice()),
        };
        let again = deck::read(&opened, self.to_format.input(), &mut |_| Some(names));
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
                format!(
                    ": line {}, `{}`, would be lost or changed",
                    line.line, line.name
                )
            });
            return Ok(Err(format!(
                "{name}: not every name of this deck can be written as {}{which}; choose another --to-format, such as yaml",
                self.to_format.called()
            )));
        }
        self.warn_of_losses(run, &listing, name);
        if self.to_format == Kind::Cod {
            tell_moved(run, &listing, first, name);
        }
        Ok(Ok(text))
    }

    /// Says what the file format has no place for.
    fn warn_of_losses(&self, run: &Run, listing: &Listing, name: &str) {
        if !matches!(self.to_format, Kind::List | Kind::Csv) {
            return;
        }
        let mut lost = vec!["Format"];
        lost.extend(listing.name.as_ref().map(|_| "Name"));
        lost.extend(listing.player.as_ref().map(|_| "Player"));
        lost.extend(listing.remarks.iter().map(|(key, _)| key.as_str()));
        if self.to_format == Kind::List && !listing.choices.is_empty() {
            lost.push("Choice");
        }
        let message = format!(
            "{name}: {} has no place for {}; read it again with --format {}",
            self.to_format.called(),
            crate::text::listed(&lost, "and"),
            listing.format.as_deref().unwrap_or_default()
        );
        run.complain("note", &message);
    }

    /// The sheets of all decks that count.
    fn sheets(
        &self,
        run: &Run,
        judge: &Judge,
        jobs: &dyn Jobs,
        quiet: bool,
    ) -> Result<(Vec<u8>, Outcome), Refusal> {
        if !self.heading.is_empty() {
            let message = "sheets know no `--heading`; convert the deck to text first";
            return Err(Refusal(message.to_owned()));
        }
        let reading = Reading {
            told: self.from.map(Input::from),
        };
        let mut outcome = Outcome::Yes;
        let mut pages = Vec::with_capacity(jobs.length());
        let mut bytes = Vec::new();
        let day = judge.day().to_string();
        let bar = run.progress(quiet || jobs.length() < 2, jobs.length());
        for at in 0..jobs.batches() {
            Batch { jobs, at }.each(|job| {
                let handed = reading.read(judge, job, &mut bytes);
                let refuse = |error| inputs::refuse(&error);
                let (report, resolved) = handed.judged(judge).map_err(refuse)?;
                bar.add(1);
                let mut listing = match resolved {
                    Some(resolved) => Listing::from(resolved.deck()),
                    _ => {
                        let message = format!("{}: it is no deck; its sheet says why", report.deck);
                        run.complain("error", &message);
                        outcome = Outcome::No;
                        Listing::default()
                    }
                };
                listing.player.clone_from(&report.player);
                self.occasion.tell(&mut listing);
                pages.push((report, listing));
                Ok(())
            })?;
        }
        let besides = sheet::Besides {
            day: &day,
            lock: judge.lock().map(|lock| lock.seal.as_str()),
            ..sheet::Besides::default()
        };
        let mut html = sheet::head();
        for (report, listing) in &pages {
            let rulebook = report.rulebook.as_deref();
            html.push_str(&match self.to_format {
                Kind::Slip => slip::page(report, listing, rulebook, &besides),
                _ => sheet::page(report, listing, rulebook, &besides),
            });
        }
        html.push_str(sheet::FOOT);
        Ok((html.into_bytes(), outcome))
    }

    /// Refuses a heading that the input does not have: a reader that does not know it reads
    /// the same.
    fn unused_heading(
        &self,
        known: &[(String, String)],
        names: SectionNames<'_>,
        (bytes, input): (&[u8], Input),
        deck: &Deck<'_>,
    ) -> Option<&String> {
        // The headings stand before the game's own words, the last one first.
        let mut places = (0..self.heading.len()).rev();
        places.find_map(|at| {
            let mut others = known.to_vec();
            others.remove(at);
            let names = SectionNames {
                names: &others,
                ..names
            };
            let without = deck::read(bytes, input, &mut |_| Some(names));
            let unused = without.is_ok_and(|without| without == *deck);
            unused.then(|| self.heading.iter().rev().nth(at)).flatten()
        })
    }
}

/// Says which cards stand in a zone of another name than their section's.
fn tell_moved(run: &Run, listing: &Listing, first: &str, name: &str) {
    let moved = deck::moved_for_cockatrice(listing, first);
    let told = moved.iter().map(|(section, zone)| {
        let cards = listing.sections.iter().find(|(id, _)| id == section);
        let counts = cards.iter().flat_map(|(_, cards)| cards);
        let copies = counts.map(|(count, _)| i64::from(*count)).sum();
        let cards = crate::text::counted(copies, "card");
        format!("{cards} of {section} in the zone {zone}")
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        let message = format!(
            "{name}: Cockatrice deals the zones main and side alone, so it has {}; the comments \
             say so for whoever reads the deck again",
            crate::text::listed(&told, "and")
        );
        run.complain("note", &crate::text::harmless(&message, false));
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

/// A section and a card in it, however the card is spelt.
fn card_key(section: &str, name: &str) -> (String, String) {
    (section.to_owned(), fold(name).into_owned())
}
