//! `decklaw odds`: exact draw probabilities.

use super::{Answer, Options, Outcome, Refusal, inputs, terminal};
use crate::deck::{self, Deck, Input, SectionNames};
use crate::odds::render::{HumanOptions, to_csv, to_human, to_json, to_svg};
use crate::odds::{self, Asked, Events, Mulligan, OddsDefaults, OddsError, OddsReport, Population};
use crate::pool::Pool;
use crate::report::{Judge, JudgeError};
use crate::rules::Rulebook;
use crate::text::Span;
use crate::yaml::FileError;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file of a game's folder that says how it draws.
const ODDS: &str = "odds.yaml";

#[derive(Debug, clap::Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw odds deck.txt\n  decklaw odds deck.txt '1+ [type:monster] and no [mana>=5]' --turns 6\n  decklaw odds deck.txt '2+ [colour:red]' --mulligans 2 --keep best\n  decklaw odds deck.txt --expect 'sum(mana)'\n\nA hand query asks for counts of groups: `1+ [type:monster]`, `no \"Rain Caller\"`, `2..4 [mana<=2]`, joined by and, or, not; besides `some suit (…)`, `sum(mana) >= 6`, `different(1+ […], 1+ […])`."
)]
pub(super) struct Odds {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What a hand must hold; none: what the game's players ask
    #[arg(value_name = "QUERY")]
    queries: Vec<String>,
    /// What standard input holds: text, yaml or json
    #[arg(long, value_name = "KIND", default_value = "text")]
    input: InputKind,
    /// Cards of the opening hand [default: the game's]
    #[arg(long, value_name = "N")]
    hand: Option<u32>,
    /// Answer for turns 1 to N as well
    #[arg(long, value_name = "N")]
    turns: Option<u32>,
    /// The section drawn from [default: the game's]
    #[arg(long, value_name = "ID")]
    section: Option<String>,
    /// What the first hand is known to hold
    #[arg(long, value_name = "QUERY")]
    given: Option<String>,
    /// What becomes of a hand put away [default: the game's]
    #[arg(long, value_name = "KIND")]
    mulligan: Option<MulliganKind>,
    /// The most mulligans taken [default: the game's]
    #[arg(long, value_name = "K")]
    mulligans: Option<u32>,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    bottom: Option<Vec<u32>>,
    /// When a hand is kept: a query, or best [default: when QUERY holds of it]
    #[arg(long, value_name = "QUERY|best")]
    keep: Option<String>,
    /// Further cards drawn after the kept hand
    #[arg(long, value_name = "N", default_value_t = 0)]
    draws: u32,
    /// Mean and distribution of a total, such as 'sum(mana)'
    #[arg(long, value_name = "TOTAL")]
    expect: Option<String>,
    /// Conditions of the first so many cards: '7: QUERY; 9: QUERY'
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Rounds in which something of yours is destroyed, where that draws more
    #[arg(long, value_name = "TURN,…", value_delimiter = ',')]
    destroyed: Vec<u32>,
    /// The turn of your V-Trigger, where that draws more
    #[arg(long, value_name = "TURN")]
    vtrigger: Option<u32>,
    /// Whose view it is, where seats differ
    #[arg(long, value_name = "SEAT")]
    seat: Option<u32>,
    /// Deal so many sample hands and mark those that satisfy the queries
    #[arg(long, value_name = "N")]
    deal: Option<u32>,
    /// The text that seeds the sample hands
    #[arg(long, value_name = "TEXT", default_value = "decklaw")]
    seed: String,
    /// Show the atoms, counts and totals from which anyone can count again
    #[arg(long)]
    show_work: bool,
    /// Draw the answers into a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How much work a question may take before it is simulated instead
    #[arg(long, value_name = "STEPS", default_value_t = odds::DEFAULT_WORK)]
    work: u64,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum InputKind {
    Text,
    Yaml,
    Json,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum MulliganKind {
    /// There is none
    None,
    /// The old hand is set aside while the new one is drawn
    Aside,
    /// The old hand is shuffled in first
    Shuffle,
}

impl Odds {
    pub(super) fn run(&self, options: &Options) -> Answer {
        let outputs = outputs(options)?;
        let judge = inputs::judge(options)?;
        let bytes = read(&self.deck)?;
        let slot = OnceCell::new();
        let deck = match self.deck_of(&judge, options, &bytes, &slot)? {
            Ok(deck) => deck,
            Err(message) => {
                terminal::complain("error", &message);
                return Ok(Outcome::No);
            }
        };
        let Some(rulebook) = slot.get() else {
            let message = "the deck does not say which format it is for; give --format ID";
            terminal::complain("error", message);
            return Ok(Outcome::No);
        };
        let game = rulebook.format().game();
        let pool: Cow<'_, Pool> = if rulebook.pool().is_empty() {
            Cow::Owned(Pool::of_names(deck.lines.iter().map(|line| &*line.name)))
        } else {
            Cow::Borrowed(rulebook.pool())
        };
        let defaults = defaults(&judge, game.id())?;
        let own = defaults
            .section
            .as_deref()
            .unwrap_or(game.section_names().first);
        let has = |id: &str| deck.sections.iter().any(|section| section.id == id);
        let section = match (&self.section, deck.sections.first()) {
            (Some(asked), _) => game.section_names().find(asked).unwrap_or(asked),
            (None, Some(first)) if !has(own) => &*first.id,
            (None, _) => own,
        };
        let population = Population::of_section(&pool, &deck, section).map_err(refuse)?;
        let name = self.deck.display().to_string();
        let report = odds::answer(&name, &population, &defaults, &self.asked()).map_err(refuse)?;
        for (kind, file) in outputs {
            let text = self.render(kind, &report)?;
            write(file.as_deref(), &text)?;
        }
        if let Some(file) = &self.svg {
            write(Some(file), &to_svg(&report))?;
        }
        Ok(Outcome::Yes)
    }

    /// The deck, its format's rules being put into the slot; `Err` inside: it is no deck.
    fn deck_of<'b>(
        &self,
        judge: &Judge,
        options: &Options,
        bytes: &'b [u8],
        slot: &OnceCell<Arc<Rulebook>>,
    ) -> Result<Result<Deck<'b>, String>, Refusal> {
        let input = match (self.deck.to_str(), self.input) {
            (Some("-"), InputKind::Text) => Input::Text,
            (Some("-"), InputKind::Yaml) => Input::Yaml,
            (Some("-"), InputKind::Json) => Input::Json,
            _ => Input::of_path(&self.deck),
        };
        let mut wrong: Option<JudgeError> = None;
        let mut names = |own: Option<&str>| -> Option<SectionNames<'_>> {
            match judge.rulebook(options.format.as_deref().or(own)?) {
                Ok(rulebook) => {
                    let kept = slot.get_or_init(|| rulebook);
                    Some(kept.format().game().section_names())
                }
                Err(error) => {
                    wrong = Some(error);
                    None
                }
            }
        };
        let read = deck::read(bytes, input, &mut names);
        if let Some(error) = wrong {
            return Err(inputs::refuse(&error));
        }
        Ok(read.map_err(|errors| {
            let each: Vec<String> = errors
                .iter()
                .map(|error| format!("{}: {error}", self.deck.display()))
                .collect();
            each.join("\n")
        }))
    }

    fn asked(&self) -> Asked {
        Asked {
            queries: self.queries.clone(),
            hand: self.hand,
            turns: self.turns,
            given: self.given.clone(),
            mulligan: self.mulligan.map(|kind| match kind {
                MulliganKind::None => Mulligan::None,
                MulliganKind::Aside => Mulligan::Aside,
                MulliganKind::Shuffle => Mulligan::Shuffle,
            }),
            mulligans: self.mulligans,
            bottom: self.bottom.clone(),
            keep: self.keep.clone(),
            draws: self.draws,
            expect: self.expect.clone(),
            path: self.path.clone(),
            events: Events {
                destroyed: self.destroyed.clone(),
                switched: self.vtrigger,
            },
            seat: self.seat,
            work: Some(self.work),
            deal: self.deal.map(|count| (count, self.seed.clone())),
        }
    }

    fn render(&self, kind: Kind, report: &OddsReport) -> Result<String, Refusal> {
        Ok(match kind {
            Kind::Human => to_human(
                report,
                HumanOptions {
                    work: self.show_work,
                },
            ),
            Kind::Json => to_json(report)?,
            Kind::Csv => to_csv(report)?,
        })
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Human,
    Json,
    Csv,
}

fn outputs(options: &Options) -> Result<Vec<(Kind, Option<PathBuf>)>, Refusal> {
    let human = ["human".to_owned()];
    let asked = if options.output.is_empty() {
        &human[..]
    } else {
        &options.output
    };
    let each = asked.iter().map(|asked| {
        let (kind, file) = match asked.split_once('=') {
            Some((kind, file)) => (kind, Some(PathBuf::from(file))),
            None => (asked.as_str(), options.to.clone()),
        };
        let kind = match kind {
            "human" => Kind::Human,
            "json" => Kind::Json,
            "csv" => Kind::Csv,
            other => {
                let message = format!("no output `{other}` of odds; there are human, json and csv");
                return Err(Refusal(message));
            }
        };
        Ok((kind, file))
    });
    each.collect()
}

fn write(file: Option<&Path>, text: &str) -> Result<(), Refusal> {
    match file {
        None => terminal::print(text.as_bytes()),
        Some(file) => std::fs::write(file, text)
            .map_err(|error| Refusal(format!("{}: {error}", file.display()))),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let limit = deck::LARGEST_FILE + 1;
    let read = match path.to_str() {
        Some("-") => std::io::stdin().take(limit).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) if bytes.len() as u64 >= limit => Err(Refusal(format!(
            "{}: larger than 16 MiB, so it is no deck",
            path.display()
        ))),
        Ok(_) => Ok(bytes),
        Err(error) => Err(Refusal(format!("{}: {error}", path.display()))),
    }
}

/// How a game draws; a game without such a file says nothing about it.
fn defaults(judge: &Judge, game: &str) -> Result<OddsDefaults, Refusal> {
    let Some(bytes) = judge.catalogue().file(game, ODDS) else {
        return Ok(OddsDefaults::default());
    };
    let text = String::from_utf8_lossy(bytes).into_owned();
    OddsDefaults::read(&text).map_err(|problem| {
        inputs::explain(&FileError {
            name: format!("formats/{game}/{ODDS}"),
            text,
            problems: vec![problem],
        })
    })
}

/// Explains what is wrong, with the query and the place in it.
fn refuse(error: OddsError) -> Refusal {
    let message = error.to_string();
    match &error {
        OddsError::Query { text, error, .. } => Refusal(message + &marked(text, error.span)),
        OddsError::Path { text, span, .. } => Refusal(message + &marked(text, *span)),
        _ => Refusal(message),
    }
}

/// The neighbourhood of a place in a query, and marks under it.
fn marked(text: &str, span: Span) -> String {
    const BEFORE: usize = 40;
    const SHOWN: usize = 76;
    let at = text
        .get(..span.start)
        .map_or(0, |before| before.chars().count());
    let length = text
        .get(span.start..span.end)
        .map_or(0, |blamed| blamed.chars().count());
    let skipped = at.saturating_sub(BEFORE);
    let shown: String = text
        .chars()
        .skip(skipped)
        .take(SHOWN)
        .map(|next| if next.is_whitespace() { ' ' } else { next })
        .collect();
    let marks = "^".repeat(length.clamp(1, SHOWN - at.min(BEFORE)));
    format!("\n    {shown}\n    {}{marks}", " ".repeat(at - skipped))
}
