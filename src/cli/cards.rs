//! `decklaw cards`: browse and check card files.

use super::options::{ConfigurationOptions, Judging, Output, Pool as PoolOptions, kinds};
use super::output::{self, Text};
use super::{Answer, CliError, Outcome, Run, files, inputs, terminal};
use crate::digest::whole;
use crate::format::Game;
use crate::judge::Note;
use crate::pool::{CardFile, CardId, NameField, Pool};
use crate::query::Query;
use crate::render::{Kind, Render, Rendered, Rendering, TextStyle, Written};
use crate::report::workbook::workbook;
use crate::rules::Fault;
use crate::spreadsheet::Flavour;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Cards {
    /// List the cards that match a query, such as 'type:spell mana<=2'
    #[command(
        alias = "search",
        mut_arg("output", kinds::<CardList<'_>>),
        after_help = "Example:\n  decklaw cards list --format shell 'type:spell mana<=2'\n\n`decklaw explain queries` explains CARDS."
    )]
    List {
        /// The query [default: every card]
        // It may begin with `-`. Were that true of each word, options behind it would be words.
        #[arg(value_name = "CARDS", allow_hyphen_values = true, value_parser = word)]
        query: Option<String>,
        /// More words of the query
        #[arg(value_name = "CARDS")]
        more: Vec<String>,
        #[command(flatten)]
        pool: PoolOptions,
        #[command(flatten)]
        output: Output,
    },
    /// Print a card file to fill in
    #[command(
        mut_arg("output", kinds::<CardTemplate<'_>>),
        mut_arg("cards", |arg| arg.requires("whole")),
        after_help = "Example:\n  decklaw cards template shell > my-cards.csv"
    )]
    Template {
        /// The game
        #[arg(required_unless_present = "format", conflicts_with = "format")]
        game: Option<String>,
        /// With the game's own cards instead of one example
        #[arg(id = "whole", long = "pool")]
        whole: bool,
        #[command(flatten)]
        pool: PoolOptions,
        #[command(flatten)]
        output: Output,
    },
    /// Show a card
    #[command(
        mut_arg("output", kinds::<WholeCard<'_>>),
        after_help = "Example:\n  decklaw cards show --format shell 'Moss Sprite'"
    )]
    Show {
        /// The card's name
        #[arg(required = true)]
        name: Vec<String>,
        #[command(flatten)]
        pool: PoolOptions,
        #[command(flatten)]
        output: Output,
    },
    /// Export all cards to another program
    #[command(
        mut_arg("output", kinds::<CardExport>),
        after_help = "Example:\n  decklaw cards export --cockatrice --format shell --to set.xml"
    )]
    Export {
        /// As a custom set of Cockatrice, in XML
        #[arg(long, required = true)]
        cockatrice: bool,
        #[command(flatten)]
        pool: PoolOptions,
        #[command(flatten)]
        output: Output,
    },
    /// Check your own card files
    #[command(
        mut_arg("output", kinds::<Text>),
        after_help = "Example:\n  decklaw cards check --format shell formats/shell/cards.csv"
    )]
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The game's format
        #[arg(long, value_name = "ID", help_heading = "Common options")]
        format: Option<String>,
        #[command(flatten)]
        configured: ConfigurationOptions,
        #[command(flatten)]
        output: Output,
    },
}

/// A word of a query, which may begin with `-`.
fn word(typed: &str) -> Result<String, String> {
    if typed.starts_with("--") {
        Err(format!("this command has no option `{typed}`"))
    } else {
        Ok(typed.to_owned())
    }
}

impl Cards {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (judging, output): (Judging, &Output) = match self {
            Cards::List { pool, output, .. }
            | Cards::Template { pool, output, .. }
            | Cards::Show { pool, output, .. }
            | Cards::Export { pool, output, .. } => (pool.clone().into(), output),
            Cards::Check { format, configured, output, .. } => {
                let judging = Judging::from(configured.clone());
                (judging.of(format.as_deref()), output)
            }
        };
        let judge = inputs::judge_of_cards(run, &judging)?;
        let named = match self {
            Cards::Template { game, .. } => game.as_ref(),
            _ => None,
        };
        let Some(id) = named.or(judging.format.as_ref()) else {
            let known = |word: &&String| judge.catalogue().format(word).is_ok();
            let words = match self {
                Cards::List { query, .. } => query.as_slice(),
                Cards::Show { name, .. } => name.as_slice(),
                _ => &[],
            };
            return Err(CliError::call(match words.first().filter(known) {
                Some(id) => format!(
                    "name the game with `--format {id}`; `{id}` alone is searched for among the names of cards"
                ),
                None => {
                    "name the game with `--format ID`; `decklaw formats list` lists the formats"
                        .to_owned()
                }
            }));
        };
        let format = judge.catalogue().format(id)?;
        let game = Arc::clone(format.game());
        let needs_pool =
            !matches!(self, Cards::Check { .. } | Cards::Template { whole: false, .. })
                || !judging.cards().is_empty();
        let pool = if needs_pool {
            let pool = judge.pool(&game)?;
            judge
                .game_sources(game.id())
                .into_values()
                .for_each(|file| judge.uses(game.id(), file));
            inputs::fitting(run, &judge)?;
            pool
        } else {
            Pool::default()
        };
        match self {
            Cards::List { query, more, .. } => {
                let words: Vec<&str> = query.iter().chain(more).map(String::as_str).collect();
                list(&pool, &game, &words.join(" "), (run, output))
            }
            Cards::Template { whole: false, .. } => {
                output::emit(run, output, &CardTemplate(CardFile::template(game.fields())))
            }
            Cards::Template { whole: true, .. } => {
                if pool.is_empty() {
                    return Err(inputs::no_cards());
                }
                let all: Vec<CardId> = pool.ids().collect();
                let file = CardTemplate(CardFile::of(&pool, &all));
                output::emit(run, output, &file)
            }
            Cards::Show { name, .. } => show(&pool, &name.join(" "), (run, output)),
            // Without `--cockatrice` the call is refused: there is no other kind.
            Cards::Export { .. } => {
                if pool.is_empty() {
                    return Err(inputs::no_cards());
                }
                let name = &game.file.name;
                let xml = crate::cockatrice::card_database(&pool, game.id(), name);
                output::emit(run, output, &CardExport(xml))
            }
            Cards::Check { files, .. } => check(&game, files, (run, output)),
        }
    }
}

/// A card file to fill in.
pub(super) struct CardTemplate<'p>(CardFile<'p>);

impl Written for CardTemplate<'_> {
    const KINDS: &'static [Kind] = &[Kind::Csv(Flavour::Plain), Kind::Csv(Flavour::Excel)];
}

impl Render for CardTemplate<'_> {
    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(bytes_of(&self.0, kind)?)))
    }
}

/// A card file in a kind of output.
fn bytes_of(file: &CardFile<'_>, kind: Kind) -> Rendered<Vec<u8>> {
    Ok(match kind {
        Kind::Csv(flavour) => whole(file.sheet().csv(flavour)),
        _ => workbook([file.sheet()])?,
    })
}

/// The cards of a game as another program reads them.
pub(super) struct CardExport(String);

impl Written for CardExport {
    const KINDS: &'static [Kind] = &[Kind::Data("cockatrice")];
}

impl Render for CardExport {
    fn body(&self, _: Kind) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.0.clone().into_bytes())))
    }
}

fn list(pool: &Pool, game: &Game, text: &str, (run, output): (&Run, &Output)) -> Answer {
    let picked = Query::parse(text).and_then(|query| {
        let cards = query.select(pool)?;
        Ok((cards, query.remarks(pool)))
    });
    let (picked, remarks) = picked.map_err(|error| inputs::refuse_query(text, &error))?;
    let cards: Vec<CardId> = picked.iter().collect();
    let no_such = |message: String| Note::new("query", Fault::NoSuchWord, message);
    let mut notes: Vec<Note> = remarks.into_iter().map(|remark| no_such(remark.message)).collect();
    if cards.is_empty() {
        notes.push(no_such("no card matches".to_owned()));
    }
    for note in &notes {
        run.complain("notice", &note.message);
    }
    let listed = CardList { run, game, pool, cards, notes };
    output::emit(run, output, &listed)
}

/// The cards that answer a query.
pub(super) struct CardList<'p> {
    run: &'p Run,
    game: &'p Game,
    pool: &'p Pool,
    cards: Vec<CardId>,
    notes: Vec<Note>,
}

impl CardList<'_> {
    /// The fields that a table shows.
    fn fields(&self) -> Vec<&str> {
        // Texts are for `show`: a table of them fits no terminal.
        let unlisted = |field: &str| {
            let mut known = self.game.file.fields.iter();
            known.any(|known| known.unlisted && known.name.value == field)
        };
        let filled = |field: &&str| {
            let mut cards = self.cards.iter();
            cards.any(|card| !self.pool.shown(*card, field).is_empty())
        };
        let names = self.pool.fields().iter().map(|field| field.name.as_str());
        names.filter(|field| !unlisted(field)).filter(filled).take(7).collect()
    }
}

impl Written for CardList<'_> {
    const KINDS: &'static [Kind] = &[
        Kind::Human,
        Kind::Json,
        Kind::Csv(Flavour::Plain),
        Kind::Csv(Flavour::Excel),
        Kind::Xlsx,
    ];
}

impl Render for CardList<'_> {
    fn human(&self, _: &TextStyle) -> String {
        let fields = self.fields();
        let head: Vec<&str> = std::iter::once("name").chain(fields.iter().copied()).collect();
        let mut table = terminal::table(&head);
        for card in &self.cards {
            let mut row = vec![self.pool.name(*card).to_owned()];
            row.extend(fields.iter().map(|field| self.pool.shown(*card, field)));
            table.add_row(row);
        }
        let count = crate::text::counted(self.cards.len() as i64, "card");
        format!("{}{count}\n", self.run.shown(table))
    }

    fn json(&self) -> serde_json::Result<Value> {
        let cards: Vec<Value> = self.cards.iter().map(|card| self.pool.card(*card)).collect();
        Ok(json!({"schema": "decklaw/cards/1", "cards": cards, "notes": self.notes}))
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        if matches!(kind, Kind::Human | Kind::Json) {
            return Ok(None);
        }
        let file = CardFile::of(self.pool, &self.cards);
        Ok(Some(Rendering::Data(bytes_of(&file, kind)?)))
    }
}

fn show(pool: &Pool, name: &str, (run, output): (&Run, &Output)) -> Answer {
    let found = pool.look_up(name, NameField::Name);
    let Some(card) = found.card() else {
        let hint = crate::name::did_you_mean(&pool.near(name, NameField::Name).names);
        run.complain("error", &format!("no card is called `{name}`{hint}"));
        return Ok(Outcome::No);
    };
    if found.is_loose() {
        run.complain("note", &format!("`{name}` is read as `{}`", pool.name(card)));
    }
    output::emit(run, output, &WholeCard { pool, card })
}

/// A card, whole. It is data: what is not built in is no field of it.
pub(super) struct WholeCard<'p> {
    pool: &'p Pool,
    card: CardId,
}

impl Written for WholeCard<'_> {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Render for WholeCard<'_> {
    fn human(&self, page: &TextStyle) -> String {
        let (pool, card) = (self.pool, self.card);
        let mut out = format!("{}\n", pool.name(card));
        for field in pool.fields() {
            let value = pool.shown(card, &field.name);
            if value.is_empty() {
                continue;
            }
            let lines = terminal::wrapped(&value, page.width - 14);
            for (at, line) in lines.iter().enumerate() {
                let head = if at == 0 { field.name.as_str() } else { "" };
                let _ = writeln!(out, "  {head:<11} {line}");
            }
        }
        crate::text::escape_control(&out, true).into_owned()
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        if kind == Kind::Human {
            return Ok(None);
        }
        let card = whole(serde_json::to_string_pretty(&self.pool.card(self.card)));
        Ok(Some(Rendering::Data((card + "\n").into_bytes())))
    }
}

fn check(game: &Game, files: &[PathBuf], (run, output): (&Run, &Output)) -> Answer {
    let (mut is_ok, mut out) = (true, String::new());
    for path in files {
        let name = path.display();
        let (bytes, sheet) = files::read_table(path)?;
        let text = match game.read_cards_in(&bytes, sheet.as_deref()) {
            Ok(pool) => {
                let unmatched = game.remarks_on_cells(&pool);
                for message in pool.remarks().into_iter().chain(unmatched) {
                    run.complain("warning", &format!("{name}: {message}"));
                }
                for note in pool.passed_over() {
                    run.complain("note", &format!("{name}: {note}"));
                }
                let cards = crate::text::counted(pool.len() as i64, "card");
                format!("{name}: ok, {cards}\n")
            }
            Err(error) => {
                is_ok = false;
                format!("{name}: {error}\n")
            }
        };
        out.push_str(&run.printable(&text));
    }
    let text = Text { text: out, is_ok };
    output::emit(run, output, &text)
}
