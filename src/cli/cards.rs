//! `decklaw cards`: browse and check card files.

use super::files::Readers;
use super::marked::{QUERY, marked};
use super::options::{Both, Format, Pool as PoolOptions, Writing};
use super::output;
use super::{Answer, Outcome, Refusal, Run, inputs, terminal};
use crate::format::Game;
use crate::judge::Judge;
use crate::pool::{CardFile, CardId, Pool};
use crate::query::Query;
use crate::spreadsheet::Flavour;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Cards {
    /// The cards that a query picks, such as 'type:spell mana<=2'; see `decklaw explain queries`
    List {
        /// The query; nothing is every card
        // It may begin with `-`. Were that true of each word, options behind it would be words.
        #[arg(allow_hyphen_values = true, value_parser = word)]
        query: Option<String>,
        /// More words of it
        #[arg(value_name = "QUERY")]
        more: Vec<String>,
        #[command(flatten)]
        common: Both<PoolOptions, Writing>,
    },
    /// A card file to fill in, CSV or a workbook that offers each column's values
    #[command(
        after_help = "Examples:\n  decklaw cards template shell > my-cards.csv\n  decklaw cards template versus -o xlsx=cards.xlsx"
    )]
    Template {
        /// The game [default: that of `--format`]
        game: Option<String>,
        /// With the game's own cards, instead of one example
        #[arg(long)]
        pool: bool,
        #[command(flatten)]
        common: Both<PoolOptions, Writing>,
    },
    /// One card, whole
    Show {
        /// Its name
        #[arg(required = true)]
        name: Vec<String>,
        #[command(flatten)]
        common: Both<PoolOptions, Writing>,
    },
    /// The whole card pool for another program
    Export {
        /// As a custom set of Cockatrice: its card database in XML
        #[arg(long, required = true)]
        cockatrice: bool,
        #[command(flatten)]
        common: Both<PoolOptions, Writing>,
    },
    /// Check card files of your own
    Check {
        /// The files; `--format` says for which game
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        common: Both<Format, Writing>,
    },
}

/// A word of a query, which may begin with `-`.
fn word(typed: &str) -> Result<String, String> {
    match typed.starts_with("--") {
        true => Err(format!("this command has no option `{typed}`")),
        false => Ok(typed.to_owned()),
    }
}

impl Cards {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let run = &match self {
            Cards::List { common, .. }
            | Cards::Template { common, .. }
            | Cards::Show { common, .. }
            | Cards::Export { common, .. } => run.saying(common),
            Cards::Check { common, .. } => run.saying(common),
        };
        let judge = inputs::judge(run)?;
        let told = match self {
            Cards::Template { game, .. } => game.as_ref(),
            _ => None,
        };
        if let (Some(told), Some(option)) = (told, &run.options.format) {
            return Err(Refusal(format!(
                "the game is named twice: `{told}`, and `--format {option}`; leave one of them out"
            )));
        }
        let Some(id) = told.or(run.options.format.as_ref()) else {
            let known = |word: &&String| judge.catalogue().format(word).is_ok();
            let words = match self {
                Cards::List { query, .. } => query.as_slice(),
                Cards::Show { name, .. } => name.as_slice(),
                _ => &[],
            };
            return Err(Refusal(match words.first().filter(known) {
                Some(id) => format!(
                    "say which game's cards with `--format {id}`; `{id}` alone is looked for among names"
                ),
                None => "say which game's cards: `--format ID` (`decklaw formats list` names them)"
                    .to_owned(),
            }));
        };
        let format = judge
            .catalogue()
            .format(id)
            .map_err(|error| inputs::refuse(&error.into()))?;
        let game = Arc::clone(format.game());
        let pool = || -> Result<Pool, Refusal> {
            let pool = judge.pool(&game).map_err(|error| inputs::refuse(&error))?;
            let given = judge.given_rules(game.id()).into_iter();
            let cards = judge.given_cards(game.id(), &pool);
            given.chain(cards).for_each(|given| judge.names(given));
            Ok(pool)
        };
        if !run.options.cards.is_empty() {
            judge.pool(&game).map_err(|error| inputs::refuse(&error))?;
            inputs::fitting(run, &judge)?;
        }
        match self {
            Cards::List { query, more, .. } => {
                let pool = pool()?;
                let words: Vec<&str> = query.iter().chain(more).map(String::as_str).collect();
                list(&judge, &pool, &game, &words.join(" "), run)
            }
            Cards::Template { pool: false, .. } => {
                written(run, &WRITTEN, &CardFile::template(game.fields()))
            }
            Cards::Template { pool: true, .. } => {
                let pool = pool()?;
                if pool.is_empty() {
                    return Err(no_cards());
                }
                output::tell_inputs(run, &judge);
                let all: Vec<CardId> = pool.ids().collect();
                written(run, &WRITTEN, &CardFile::of(&pool, &all))
            }
            Cards::Show { name, .. } => {
                let pool = pool()?;
                output::tell_inputs(run, &judge);
                show(&pool, &name.join(" "), run)
            }
            // Without `--cockatrice` the call is refused: there is no other kind.
            Cards::Export { .. } => {
                let pool = pool()?;
                output::tell_inputs(run, &judge);
                export(&pool, &game, run)
            }
            Cards::Check { files, .. } => check(&game, files, run),
        }
    }
}

pub(super) fn no_cards() -> Refusal {
    Refusal("this game has no cards of its own: give them with `--cards FILE`".to_owned())
}

/// How cards are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Human,
    Json,
    Csv(Flavour),
    Xlsx,
}

/// The kinds of a card file.
const WRITTEN: [(&str, Kind); 3] = [
    ("csv", Kind::Csv(Flavour::Plain)),
    ("csv-excel", Kind::Csv(Flavour::Excel)),
    ("xlsx", Kind::Xlsx),
];

/// The kinds of a list of cards.
const LISTED: [(&str, Kind); 5] = [
    ("human", Kind::Human),
    ("json", Kind::Json),
    WRITTEN[0],
    WRITTEN[1],
    WRITTEN[2],
];

/// Writes a card file in every kind that was asked for.
fn written(run: &Run, kinds: &[(&str, Kind)], file: &CardFile<'_>) -> Answer {
    for mut output in output::asked(run, kinds, Readers::Anyone)? {
        let bytes = in_kind(file, output.kind)?;
        output.write_data(&bytes, true)?;
        output.finish()?;
    }
    Ok(Outcome::Yes)
}

fn in_kind(file: &CardFile<'_>, kind: Kind) -> Result<Vec<u8>, Refusal> {
    match kind {
        Kind::Xlsx => Ok(file.to_xlsx()?),
        Kind::Csv(flavour) => Ok(file.to_csv(flavour)?),
        Kind::Human | Kind::Json => Ok(file.to_csv(Flavour::Plain)?),
    }
}

fn export(pool: &Pool, game: &Game, run: &Run) -> Answer {
    if pool.is_empty() {
        return Err(no_cards());
    }
    let xml = crate::cockatrice::card_database(pool, game.id(), &game.file.name);
    output::answer(run, &[("cockatrice", ())], |()| Ok(xml.clone()))?;
    Ok(Outcome::Yes)
}

/// Explains a wrong query with a mark under the word to blame.
pub(super) fn refuse_query(text: &str, error: &crate::query::QueryError) -> Refusal {
    Refusal(format!("{error}{}", marked(text, error.span, QUERY)))
}

fn list(judge: &Judge, pool: &Pool, game: &Game, text: &str, run: &Run) -> Answer {
    let picked = Query::parse(text).and_then(|query| {
        let cards = query.select(pool)?;
        Ok((cards, query.remarks(pool)))
    });
    let (picked, remarks) = picked.map_err(|error| refuse_query(text, &error))?;
    let cards: Vec<CardId> = picked.iter().collect();
    let mut notes: Vec<String> = remarks.into_iter().map(|remark| remark.message).collect();
    if cards.is_empty() {
        notes.push("no card answers the query".to_owned());
    }
    for note in &notes {
        run.complain("notice", note);
    }
    let text = |kind: Kind| -> Result<String, Refusal> {
        Ok(if kind == Kind::Json {
            let cards: Vec<Value> = cards.iter().map(|card| pool.card(*card)).collect();
            super::json_text(
                &json!({"schema": "decklaw/cards/1", "cards": cards, "notes": notes, "inputs": judge.given_so_far()}),
            )?
        } else {
            // Texts are for `show`: a table of them fits no terminal.
            let unlisted = |field: &str| {
                let mut known = game.file.fields.iter();
                known.any(|known| known.unlisted && known.name.value == field)
            };
            let filled = |field: &&str| {
                cards
                    .iter()
                    .any(|card| !pool.shown(*card, field).is_empty())
            };
            let names: Vec<&str> = pool
                .fields()
                .iter()
                .map(|field| field.name.as_str())
                .collect();
            let fields: Vec<&str> = names
                .into_iter()
                .filter(|field| !unlisted(field))
                .filter(filled)
                .take(7)
                .collect();
            let mut head = vec!["name"];
            head.extend(&fields);
            let mut table = terminal::table(&head);
            for card in &cards {
                let mut row = vec![pool.name(*card).to_owned()];
                row.extend(fields.iter().map(|field| pool.shown(*card, field)));
                table.add_row(row);
            }
            format!(
                "{}{}\n{}",
                run.shown(table),
                crate::text::counted(cards.len() as i64, "card"),
                output::foot(&judge.given_so_far())
            )
        })
    };
    for mut output in output::asked(run, &LISTED, Readers::Anyone)? {
        match output.kind {
            Kind::Human | Kind::Json => output.write(text(output.kind)?.as_bytes())?,
            kind => {
                output::tell_inputs(run, judge);
                let file = CardFile::of(pool, &cards);
                let bytes = in_kind(&file, kind)?;
                output.write_data(&bytes, true)?;
            }
        }
        output.finish()?;
    }
    Ok(Outcome::Yes)
}

fn show(pool: &Pool, name: &str, run: &Run) -> Answer {
    let Some(card) = pool.find(name) else {
        let near = pool.nearest(name);
        let hint = match near.as_slice() {
            [] => String::new(),
            near => format!("; did you mean {}?", crate::text::listed(near, "or")),
        };
        run.complain("error", &format!("no card is called `{name}`{hint}"));
        return Ok(Outcome::No);
    };
    output::answer(run, &output::FORMS, |form| {
        Ok(if form == output::HumanOrJson::Json {
            super::json_text(&pool.card(card))?
        } else {
            let mut out = format!("{}\n", pool.name(card));
            for field in pool.fields() {
                let value = pool.shown(card, &field.name);
                if value.is_empty() {
                    continue;
                }
                for (at, line) in terminal::wrapped(&value, terminal::width() - 14)
                    .iter()
                    .enumerate()
                {
                    let head = if at == 0 { field.name.as_str() } else { "" };
                    let _ = writeln!(out, "  {head:<11} {line}");
                }
            }
            crate::text::harmless(&out, true).into_owned()
        })
    })?;
    Ok(Outcome::Yes)
}

fn check(game: &Game, files: &[PathBuf], run: &Run) -> Answer {
    let (mut outcome, mut out) = (Outcome::Yes, String::new());
    for path in files {
        let name = path.display();
        let (bytes, sheet) = inputs::read_table(run, path)?;
        let text = match game.read_cards_in(&bytes, sheet.as_deref()) {
            Ok(pool) => {
                let vain = game.asked_by_cards(&pool);
                for message in pool.remarks().into_iter().chain(vain) {
                    run.complain("warning", &format!("{name}: {message}"));
                }
                let cards = crate::text::counted(pool.len() as i64, "card");
                format!("{name}: in order, {cards}\n")
            }
            Err(error) => {
                outcome = Outcome::No;
                format!("{name}: {error}\n")
            }
        };
        out.push_str(&run.tame(&text));
    }
    output::answer(run, &output::TEXT, |()| Ok(out.clone()))?;
    Ok(outcome)
}
