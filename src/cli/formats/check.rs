//! `decklaw formats check`: the files of a game, strictly.

use crate::cli::options::Output;
use crate::cli::output::{self, Text};
use crate::cli::{Answer, Refusal, Run, inputs};
use crate::format::{BESIDE, CARD_FILES, GAME, Game};
use crate::matches::Setup;
use crate::odds::{OddsDefaults, Population};
use crate::paper::{PICTURES, Pictures, TwoPictures, picture_kind};
use crate::pool::{CardId, Pool};
use crate::solve::{TASTE, Taste, Tried};
use crate::stats::Spec;
use crate::text::counted;
use crate::yaml::{FileError, Problem, text_of};
use decklaw_core::limits::picture::LARGEST_FILE as LARGEST_PICTURE;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Checks format files, and the statistics and odds that stand beside them.
pub(super) fn run(files: &[PathBuf], output: &Output, run: &Run) -> Answer {
    let (mut is_well, mut out) = (true, String::new());
    for path in files {
        for line in check_lines(run, path)? {
            let line = line.unwrap_or_else(|error| {
                is_well = false;
                inputs::explain(&error).0
            });
            out.push_str(&run.tame(&(line + "\n")));
        }
    }
    let text = Text { text: out, is_well };
    output::emit(run, output, &text, &[])
}

/// What is to be said of a format file and those beside it: that each is in order, or why not.
pub(super) fn check_lines(
    run: &Run,
    path: &Path,
) -> Result<Vec<Result<String, FileError>>, Refusal> {
    let is_folder = path.is_dir();
    let path = match is_folder {
        true => &*path.join(GAME),
        false => path,
    };
    let (name, text) = file_of(run, path)?;
    let mut lines = Vec::new();
    let mut game = Game::read(&name, &text);
    let mut misplaced = None;
    // A file of another name is none that a folder holds.
    let whole = path.file_name().filter(|name| *name == GAME);
    let folder = whole.and_then(|_| path.canonicalize().ok()?.parent().map(Path::to_owned));
    if let (Some(folder), Ok(read)) = (folder, &game) {
        let own = folder.file_name().unwrap_or_default().to_string_lossy();
        let called = read.is_called(&own);
        if let (Err(problem), false) = (&called, is_folder) {
            // It may be on its way to its folder.
            misplaced = Some(Problem::new(problem.message.clone(), problem.span));
        } else if let Err(problem) = called {
            game = Err(FileError {
                name: name.clone(),
                text: text.clone(),
                problems: vec![problem],
            });
        }
    }
    let game = game.and_then(|game| Setup::all_of(&game).map(|_| game));
    let game = game.and_then(|game| match game.mat_problems() {
        none if none.is_empty() => Ok(game),
        wrong => Err(FileError::of(&name, &text, wrong)),
    });
    match game {
        Ok(game) => {
            let game = Arc::new(game);
            let file = cards_beside(path);
            let cards = beside(run, &game, file.as_deref())?.map(Arc::new);
            let tried = cards.as_ref().map(|cards| match game.try_rules(cards) {
                none if none.is_empty() => crate::solve::tried(&game, cards),
                wrong => Tried {
                    wrong,
                    open: Vec::new(),
                },
            });
            let tried = tried.unwrap_or_default();
            let problems = tried.wrong;
            if !problems.is_empty() {
                lines.push(Err(FileError::of(&name, &text, problems)));
            } else {
                let formats = some(game.file.formats.len(), "format");
                let untried = match cards {
                    Some(_) => String::new(),
                    None if game.file.rules.is_empty() => String::new(),
                    None => {
                        let first = CARD_FILES[0];
                        format!(" (no {first} beside it, so its examples were not tried)")
                    }
                };
                lines.push(Ok(format!("{name}: in order, {formats}{untried}")));
            }
            let mut told = tried.open;
            told.extend(misplaced);
            if let Some(cards) = &cards {
                told.extend(game.asked_in_vain(cards));
                let setups = Setup::all_of(&game).unwrap_or_default();
                told.extend(setups.iter().flat_map(|setup| setup.asked_in_vain(cards)));
            }
            told.extend(game.unused(cards.as_deref()));
            lines.extend(notices(&name, &text, told));
            if let (Some(cards), Some(file)) = (&cards, &file) {
                let remarks = cards.remarks().into_iter();
                let aside = cards.passed_over().iter().cloned();
                let all = remarks.chain(aside).chain(game.asked_by_cards(cards));
                lines.extend(all.map(|told| Ok(format!("{}: notice: {told}", file.display()))));
            }
            for beside in BESIDE.iter().copied() {
                let path = path.with_file_name(beside);
                if path.is_file() {
                    lines.extend(lint(run, &game, beside, &path)?);
                }
            }
            lines.extend(pictures(path, cards.as_deref())?.into_iter().map(Ok));
            lines.extend(unread(path)?.into_iter().map(Ok));
        }
        Err(error) => lines.push(Err(error)),
    }
    Ok(lines)
}

fn file_of(run: &Run, path: &Path) -> Result<(String, String), Refusal> {
    let name = path.display().to_string();
    let bytes = inputs::read_file(run, path)?;
    match text_of(&name, &bytes) {
        Ok(text) => Ok((name, text.to_owned())),
        Err(error) => Err(inputs::explain(&error)),
    }
}

/// Files beside a format file that are most likely meant for the game, and never read: their
/// names are not the ones.
fn unread(path: &Path) -> Result<Vec<String>, Refusal> {
    const LIKELY: [&str; 11] = [
        "yaml", "yml", "csv", "tsv", "xlsx", "ods", "json", "ndjson", "jsonl", "xml", "txt",
    ];
    let Some(folder) = path.parent().filter(|_| path.ends_with(GAME)) else {
        return Ok(Vec::new());
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let cards = cards_beside(path);
    let cards = cards.as_ref().and_then(|cards| cards.file_name());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_ascii_lowercase());
        let likely = ending.is_some_and(|ending| LIKELY.contains(&ending.as_str()));
        let read = name == GAME || cards == Some(name.as_ref()) || BESIDE.contains(&name.as_str());
        if likely && !read && entry.file_type()?.is_file() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort_unstable();
    let known: Vec<&str> = [GAME]
        .into_iter()
        .chain(CARD_FILES)
        .chain(BESIDE.iter().copied())
        .collect();
    let told = names.into_iter().map(|name| {
        let near = crate::name::nearest(&name, known.iter().copied());
        let hint = match near.as_slice() {
            [] => format!(
                "what is read is called {}",
                crate::text::listed(&known, "or")
            ),
            near => format!("did you mean {}?", crate::text::listed(near, "or")),
        };
        format!(
            "{}: notice: nothing reads this file; {hint}",
            folder.join(&name).display()
        )
    });
    Ok(told.collect())
}

/// What is to be said of the pictures beside a format file: of which cards they are, and which of
/// them no page and no paper shows.
fn pictures(path: &Path, cards: Option<&Pool>) -> Result<Vec<String>, Refusal> {
    /// As many bytes as tell what a picture is.
    const START: u64 = 16;
    let folder = path.with_file_name(PICTURES);
    if !path.ends_with(GAME) || !folder.is_dir() {
        return Ok(Vec::new());
    }
    let found = Pictures::of_folder(&folder)
        .map_err(|error| Refusal(format!("{}: {}", folder.display(), error.kind())))?;
    let mut told = Vec::new();
    for file in found.files() {
        let shown = folder.join(file).display().to_string();
        let length = std::fs::metadata(folder.join(file))?.len();
        if length > LARGEST_PICTURE {
            let most = LARGEST_PICTURE >> 20;
            told.push(format!(
                "{shown}: notice: it is larger than {most} MiB, so no page shows it; make it smaller"
            ));
            continue;
        }
        let mut start = Vec::new();
        File::open(folder.join(file))?
            .take(START)
            .read_to_end(&mut start)?;
        if picture_kind(&start).is_none() {
            told.push(format!(
                "{shown}: notice: this is no PNG, JPEG, WebP or GIF picture, whatever its name says"
            ));
        }
    }
    let mut of_cards: BTreeMap<CardId, &str> = BTreeMap::new();
    let mut counted = some(found.len(), "picture");
    if let Some(cards) = cards {
        for (file, card) in found.cards(cards) {
            let Some(card) = card else {
                let near = near_name(file, cards);
                told.push(format!(
                    "{}: notice: no card is called so{near}",
                    folder.join(file).display()
                ));
                continue;
            };
            if let Some(other) = of_cards.insert(card, file) {
                let two = TwoPictures {
                    one: other.to_owned(),
                    other: file.to_owned(),
                    card: cards.name(card).to_owned(),
                };
                told.push(format!(
                    "{}: notice: {two}: with both, no card shows its picture",
                    folder.display()
                ));
            }
        }
        counted = format!(
            "{counted}, for {} of {}",
            of_cards.len(),
            some(cards.len(), "card")
        );
    }
    told.insert(0, format!("{}: {counted}", folder.display()));
    Ok(told)
}

/// A question after the card that a picture without one may be of.
fn near_name(file: &str, cards: &Pool) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let names = cards.ids().map(|card| cards.name(card));
    match crate::name::nearest(stem, names).as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", crate::text::listed(near, "or")),
    }
}

/// The card file that stands beside a format file.
fn cards_beside(path: &Path) -> Option<PathBuf> {
    let mut files = CARD_FILES.iter().map(|file| path.with_file_name(file));
    files.find(|file| file.is_file())
}

/// The cards beside a format file, if there is a card file.
fn beside(run: &Run, game: &Game, path: Option<&Path>) -> Result<Option<Pool>, Refusal> {
    let Some(path) = path else {
        return Ok(None);
    };
    let cards = game.read_cards(&inputs::read_file(run, path)?);
    let wrong = |error| Refusal(format!("{}: {error}", path.display()));
    cards.map(Some).map_err(wrong)
}

/// What a file asks for in vain, each with its place: most likely misspelt, and not wrong.
fn notices(
    name: &str,
    text: &str,
    told: impl IntoIterator<Item = Problem>,
) -> Vec<Result<String, FileError>> {
    let told = told.into_iter().map(|told| {
        let told = told.placed(text);
        let place = crate::text::place(text, told.span.start);
        Ok(format!(
            "{name}:{}:{}: notice: {}",
            place.line, place.column, told.message
        ))
    });
    told.collect()
}

/// What is in a file beside a format file, and what it asks for in vain; or what is wrong.
type Read = Result<(String, Vec<Problem>), Vec<Problem>>;

/// Checks a file beside a game's format file, with the cards that stand there too.
fn lint(
    run: &Run,
    game: &Game,
    file: &str,
    path: &Path,
) -> Result<Vec<Result<String, FileError>>, Refusal> {
    let (name, text) = file_of(run, path)?;
    // Cards that are wrong are for `cards check` to say.
    let cards = beside(run, game, cards_beside(path).as_deref())
        .ok()
        .flatten();
    let cards = cards.as_ref();
    let read = match file {
        crate::stats::STATS => lint_stats(game, &name, &text, cards),
        TASTE => lint_taste(game, &text, cards),
        _ => lint_odds(game, &text, cards),
    };
    Ok(match read {
        Ok((counted, told)) => {
            let mut lines = vec![Ok(format!("{name}: in order, {counted}"))];
            lines.extend(notices(&name, &text, told));
            lines
        }
        Err(problems) => vec![Err(FileError {
            name,
            text,
            problems,
        })],
    })
}

fn some(number: usize, noun: &str) -> String {
    counted(i64::try_from(number).unwrap_or(i64::MAX), noun)
}

fn lint_stats(game: &Game, name: &str, text: &str, cards: Option<&Pool>) -> Read {
    let ids: Vec<&str> = game
        .sections()
        .iter()
        .map(|section| section.id.as_str())
        .collect();
    let spec = Spec::read(name, text, game.fields(), &ids).map_err(|error| error.problems)?;
    let told = cards.map(|cards| spec.asked_in_vain(cards));
    Ok((
        some(spec.metrics.len(), "statistic"),
        told.unwrap_or_default(),
    ))
}

fn lint_taste(game: &Game, text: &str, cards: Option<&Pool>) -> Read {
    let taste = Taste::read(text).map_err(|problem| vec![problem])?;
    let problems = taste.lint(game, cards);
    if !problems.is_empty() {
        return Err(problems);
    }
    let told = cards.map(|cards| taste.asked_in_vain(game, cards));
    Ok((some(taste.aims.len(), "aim"), told.unwrap_or_default()))
}

fn lint_odds(game: &Game, text: &str, cards: Option<&Pool>) -> Read {
    let ids: Vec<&str> = game
        .sections()
        .iter()
        .map(|section| section.id.as_str())
        .collect();
    let defaults = OddsDefaults::read(text).map_err(|problem| vec![problem])?;
    let one_each = |pool| Population::new(pool, pool.ids().map(|card| (card, 1)), 0).ok();
    let population = cards.and_then(one_each);
    let problems = defaults.lint(&ids, population.as_ref());
    if !problems.is_empty() {
        return Err(problems);
    }
    let told = cards.map(|cards| defaults.asked_in_vain(cards));
    Ok((
        some(defaults.presets.len(), "preset"),
        told.unwrap_or_default(),
    ))
}
