//! `decklaw print`: cards to print and play, as a PDF.

use super::answer::io_message;
use super::inputs::{self, InputKind, NamedDeck};
use super::jobs::Job;
use super::options::{Judging, Output, kinds};
use super::walk::{self, DeckSource};
use super::{Answer, CliError, Outcome, Run, files, sheets};
use crate::cli::output::Outputs;
use crate::deck::Input;
use crate::format::Game;
use crate::judge::Judge;
use crate::look::Look;
use crate::paper::{
    self, Behind, Card, Face, Fonts, Front, Motifs, Paper, Picture, Pictures, Sheets,
};
use crate::pool::{CardId, CardSet, Pool};
use crate::query::Query;
use crate::render::{Kind, Render, Rendered, Rendering, Written};
use crate::resolve::Resolved;
use crate::text::listed;
use decklaw_ask::CardRenderer;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<PrintedSheets>),
    after_help = "Examples:\n  decklaw print decks/shell/ebb.txt --to ebb.pdf\n  decklaw print decks/versus/rainy-sunday.txt --paper letter --backs --to cards.pdf\n  decklaw print --format shell --only 'type:shell' --to shells.pdf\n\nPrint at 100 %, not fitted to the page: cards are 63 by 88 mm."
)]
pub(super) struct Print {
    /// Decks [default: every card of the game, once]
    #[arg(value_name = "DECK")]
    decks: Vec<PathBuf>,
    /// The kind of the files [default: by their ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Print only these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    only: Option<String>,
    /// Paper size
    #[arg(long, value_name = "SIZE", default_value = "a4")]
    paper: Size,
    /// Print backs too: drawn ones, or a picture
    #[arg(long, value_name = "PICTURE", num_args = 0..=1, require_equals = true)]
    backs: Option<Option<PathBuf>>,
    /// Use the pictures in this folder, named like their cards
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Print a registration sheet of each deck instead, in HTML
    #[arg(long, requires = "decks", conflicts_with_all = ["only", "paper", "backs", "pictures"])]
    sheet: bool,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Size {
    // 210 by 297 mm
    A4,
    // 8.5 by 11 inches
    Letter,
}

impl From<Size> for Paper {
    fn from(size: Size) -> Paper {
        match size {
            Size::A4 => Paper::A4,
            Size::Letter => Paper::Letter,
        }
    }
}

/// Sheets of cards.
pub(super) struct PrintedSheets {
    pdf: Vec<u8>,
    /// Whether all that was to be printed is on them.
    is_ok: bool,
}

impl Written for PrintedSheets {
    const KINDS: &'static [Kind] = &[Kind::Data("pdf")];
}

impl Render for PrintedSheets {
    fn body(&self, _: Kind) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.pdf.clone())))
    }

    fn is_ok(&self) -> bool {
        self.is_ok
    }
}

impl Print {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let judge = inputs::judge(run, &self.judging)?;
        let sources = walk::decks(run, &self.decks)?;
        if self.sheet {
            let jobs: Vec<Job<'_>> = sources.iter().map(Job::Deck).collect();
            return sheets::print(run, &self.output, &judge, &jobs, self.from.map(Input::from));
        }
        let outputs = Outputs::<PrintedSheets>::open(&self.output)?;
        let mut press = PrintJob {
            run,
            judge: &judge,
            only: self.only.as_deref(),
            pictures: self.pictures.as_deref().map(Gallery::open).transpose()?,
            behind: match &self.backs {
                None => None,
                Some(None) => Some(None),
                Some(Some(file)) => Some(Some(picture(file)?)),
            },
            own: BTreeMap::new(),
            picked: Vec::new(),
            cards: Vec::new(),
            backs: Vec::new(),
            titles: Vec::new(),
            outcome: Outcome::Yes,
        };
        if self.decks.is_empty() {
            press.pool(&game(&judge, &self.judging)?)?;
        }
        for source in &sources {
            self.deck(&mut press, source, run)?;
        }
        press.report_unused();
        let sheets =
            Sheets { paper: self.paper.into(), backs: press.backs, title: title(&press.titles) };
        if press.cards.iter().all(|card| card.copies == 0) {
            // A deck that cannot be read has said so itself.
            if press.outcome == Outcome::Yes {
                run.complain("error", "no cards to print");
            }
            return Ok(Outcome::No);
        }
        let printed = paper::print(&press.cards, &mut Fonts::built_in(), &sheets)?;
        for flaw in &printed.flaws {
            let warning = crate::text::escape_control(&flaw.to_string(), false).into_owned();
            run.complain("warning", &warning);
            press.outcome = Outcome::No;
        }
        let printed = PrintedSheets { pdf: printed.pdf, is_ok: press.outcome == Outcome::Yes };
        outputs.emit(run, &printed)
    }

    /// Adds the cards of a deck.
    fn deck(
        &self,
        press: &mut PrintJob<'_>,
        source: &DeckSource,
        run: &Run,
    ) -> Result<(), CliError> {
        let read = NamedDeck::of(press.judge, source, self.from);
        let resolved = match &read {
            Ok(deck) => deck.resolved(press.judge, run)?.map(|resolved| (&deck.name, resolved)),
            Err(message) => Err(message.clone()),
        };
        match resolved {
            Ok((name, resolved)) => press.deck(name, &resolved),
            Err(message) => {
                run.complain("error", &message);
                press.outcome = Outcome::No;
                Ok(())
            }
        }
    }
}

/// The game whose whole pool is printed.
fn game(judge: &Judge, judging: &Judging) -> Result<Arc<Game>, CliError> {
    let of_cards = judging.cards().iter().find_map(|option| {
        let (game, _) = option.split_once('=')?;
        judge.catalogue().games().find(|known| *known == game)
    });
    let Some(id) = judging.format.as_deref().or(of_cards) else {
        return Err(CliError::call(
            "say what to print: decks, or the cards of a game with `--format ID` (and `--cards FILE`)",
        ));
    };
    let format = judge.catalogue().format(id)?;
    Ok(Arc::clone(format.game()))
}

/// A picture's file.
fn picture(file: &Path) -> Result<Picture, CliError> {
    let name = file.display().to_string();
    Picture::read(&name, files::read_file(file)?).map_err(CliError::call)
}

/// What the sheets are called: their decks, or their games.
fn title(titles: &[String]) -> String {
    const MOST: usize = 4;
    match titles.len() {
        0..=MOST => titles.join(", "),
        number => format!("{} and {} more", titles[..MOST].join(", "), number - MOST),
    }
}

/// The pictures of a folder, read when a card needs one.
struct Gallery {
    folder: PathBuf,
    names: Pictures,
    read: BTreeMap<String, Picture>,
}

impl Gallery {
    fn open(folder: &Path) -> Result<Gallery, CliError> {
        let refuse = |error: std::io::Error| {
            CliError::call(format!("{}: {}", folder.display(), io_message(&error)))
        };
        let names = Pictures::of_folder(folder).map_err(refuse)?;
        if names.is_empty() {
            return Err(CliError::call(format!(
                "{}: no pictures (.png, .jpg, .webp or .gif) in this folder",
                folder.display()
            )));
        }
        Ok(Gallery { folder: folder.to_owned(), names, read: BTreeMap::new() })
    }

    fn picture(&mut self, file: &str) -> Result<Picture, CliError> {
        if let Some(read) = self.read.get(file) {
            return Ok(read.clone());
        }
        let read = picture(&self.folder.join(file))?;
        self.read.insert(file.to_owned(), read.clone());
        Ok(read)
    }
}

/// What is printed, as it comes together.
struct PrintJob<'j> {
    run: &'j Run,
    judge: &'j Judge,
    only: Option<&'j str>,
    pictures: Option<Gallery>,
    /// The pictures of games' own folders, by game: they are used where no others are named.
    own: BTreeMap<String, CardRenderer>,
    /// Whether there are backs, and the picture on them.
    behind: Option<Option<Picture>>,
    /// What a query picked of the pools that were asked.
    picked: Vec<(Arc<Pool>, Arc<CardSet>)>,
    cards: Vec<Card>,
    backs: Vec<Behind>,
    titles: Vec<String>,
    outcome: Outcome,
}

impl PrintJob<'_> {
    /// Adds every card of a game, once, in the order of its card file.
    fn pool(&mut self, game: &Arc<Game>) -> Result<(), CliError> {
        let pool = self.judge.pool(game);
        let pool = Arc::new(pool?);
        if pool.is_empty() {
            return Err(inputs::no_cards());
        }
        let mut all: Vec<CardId> = pool.ids().collect();
        all.sort_by_key(|card| pool.line(*card));
        let all = all.into_iter().map(|card| (card, 1)).collect::<Vec<_>>();
        self.known(game, &pool, &all)?;
        self.titles.push(game.file.name.clone());
        Ok(())
    }

    /// Adds the cards of a deck, line by line.
    fn deck(&mut self, name: &str, resolved: &Resolved<'_>) -> Result<(), CliError> {
        let pool = resolved.pool();
        let game = resolved.of_format().format().game();
        let deck = resolved.deck();
        let look = self.look(game)?;
        let mut unknown: Vec<String> = Vec::new();
        for (line, card) in deck.lines.iter().zip(resolved.cards()) {
            if card.index() < pool.len() {
                self.known(game, pool, &[(*card, line.count)])?;
                continue;
            }
            // A query does not match unknown cards.
            if self.only.is_some() {
                continue;
            }
            let gallery = self.pictures.as_mut();
            let file = gallery.as_ref().and_then(|all| all.names.of_name(&line.name));
            let picture = match (file.map(str::to_owned), gallery) {
                (Some(file), Some(gallery)) => Some(gallery.picture(&file)?),
                _ => {
                    let shown = format!("`{}`", line.name);
                    if !unknown.contains(&shown) {
                        unknown.push(shown);
                    }
                    None
                }
            };
            let face = Face::named(&line.name);
            let front = Front { face, picture };
            self.add(front, line.count, (game, &look));
        }
        if !unknown.is_empty() {
            let reason = match unknown.len() {
                1 => "is an unknown card: only its name is printed",
                _ => "are unknown cards: only their names are printed",
            };
            let message = format!("{name}: {} {reason}", listed(&unknown, "and"));
            self.run.complain("warning", &crate::text::escape_control(&message, false));
            self.outcome = Outcome::No;
        }
        let own = deck.name.as_ref().map(|name| name.value.to_string());
        self.titles.push(own.unwrap_or_else(|| name.to_owned()));
        Ok(())
    }

    /// Adds cards of a pool.
    fn known(
        &mut self,
        game: &Arc<Game>,
        pool: &Arc<Pool>,
        all: &[(CardId, u32)],
    ) -> Result<(), CliError> {
        let picked = self.picked(pool)?;
        let motifs = Motifs::of(self.judge.catalogue().files(game.id()))?;
        let look = self.look(game)?;
        for (card, copies) in all {
            if picked.as_ref().is_some_and(|picked| !picked.has(*card)) {
                continue;
            }
            let picture = match &mut self.pictures {
                Some(gallery) => {
                    let of_pool = gallery.names.of_pool(pool)?;
                    let file = of_pool.get(card).map(|file| (*file).to_owned());
                    file.map(|file| gallery.picture(&file)).transpose()?
                }
                None => self.own_picture(game, pool.name(*card))?,
            };
            let face = Face::of_card(look.face(), pool, *card, &motifs);
            self.add(Front { face, picture }, *copies, (game, &look));
        }
        Ok(())
    }

    fn look(&self, game: &Game) -> Result<Look, CliError> {
        Ok(Look::of(self.judge.catalogue(), game)?)
    }

    /// The picture of a card in the folder of its game.
    fn own_picture(&mut self, game: &Arc<Game>, name: &str) -> Result<Option<Picture>, CliError> {
        let refuse = |problem: decklaw_text::Problem| CliError::call(problem.message);
        if !self.own.contains_key(game.id()) {
            let format = game.formats().into_iter().next();
            let format = format.ok_or_else(inputs::no_cards)?;
            let book = self.judge.rulebook(format.id())?;
            let cards = CardRenderer::of(self.judge, book).map_err(refuse)?;
            self.own.insert(game.id().to_owned(), cards);
        }
        let Some(bytes) = self
            .own
            .get(game.id())
            .map(|cards| cards.picture(name).map_err(refuse))
            .transpose()?
            .flatten()
        else {
            return Ok(None);
        };
        Picture::read(name, bytes).map(Some).map_err(CliError::call)
    }

    fn add(&mut self, front: Front, copies: u32, (game, look): (&Game, &Look)) {
        let back = match &self.behind {
            None => 0,
            Some(Some(picture)) => {
                if self.backs.is_empty() {
                    self.backs.push(Behind::Picture(picture.clone()));
                }
                0
            }
            Some(None) => {
                let own = &game.file.name;
                let is = |back: &Behind| matches!(back, Behind::Drawn(text, _) if text == own);
                let known = self.backs.iter().position(is);
                known.unwrap_or_else(|| {
                    self.backs.push(Behind::of(game, look));
                    self.backs.len() - 1
                })
            }
        };
        self.cards.push(Card { front, copies, back });
    }

    /// The cards of a pool that are asked for; `None`: all.
    fn picked(&mut self, pool: &Arc<Pool>) -> Result<Option<Arc<CardSet>>, CliError> {
        let Some(text) = self.only else {
            return Ok(None);
        };
        let known = self.picked.iter().find(|(known, _)| Arc::ptr_eq(known, pool));
        if let Some((_, picked)) = known {
            return Ok(Some(Arc::clone(picked)));
        }
        let asked = Query::parse(text).and_then(|query| {
            let picked = query.select(pool)?;
            Ok((picked, query.remarks(pool)))
        });
        let (picked, remarks) = asked.map_err(|error| inputs::refuse_query(text, &error))?;
        for remark in remarks {
            self.run.complain("notice", &remark.message);
        }
        let picked = Arc::new(picked);
        self.picked.push((Arc::clone(pool), Arc::clone(&picked)));
        Ok(Some(picked))
    }

    /// Reports pictures that belong to no printed card.
    fn report_unused(&self) {
        let Some(gallery) = &self.pictures else {
            return;
        };
        let unused = gallery.names.len() - gallery.read.len();
        if unused > 0 {
            let pictures = crate::text::counted(unused as i64, "picture");
            let is = if unused == 1 { "is" } else { "are" };
            self.run.complain(
                "note",
                &format!(
                    "{}: {pictures} {is} of no card that is printed",
                    gallery.folder.display()
                ),
            );
        }
    }
}
