//! `decklaw edit FILE`: the builder on a deck's file. Comments, order and headings stay, and a file that
//! somebody else changed is never overwritten.

use crate::actor::Visit;
use crate::answering::{Speed, blocking};
use crate::builder::{Json, JsonResult, body};
use crate::error::{HttpError, JsonError};
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use decklaw_ask::{Library, ReadAnswer, import, input};
use decklaw_decks::deck::{self, Input, Listing};
use decklaw_engine::solve;
use decklaw_judge::judge::Judge;
use decklaw_judge::resolve::Decklist;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Mutex;

/// A deck's file that is edited.
pub struct ToEdit {
    /// The file.
    pub path: PathBuf,
    /// The format of a deck that names none.
    pub format: Option<String>,
    /// Writes it.
    pub write: WriteFile,
}

/// Replaces a file that holds the first bytes (`None`: that does not exist) with the second ones.
/// `false`: it holds others, and is unchanged. Errors are for people.
pub type WriteFile = Box<dyn Fn(&Path, Option<&[u8]>, &[u8]) -> Result<bool, String> + Send + Sync>;

/// The file that is edited.
pub(crate) struct EditedFile {
    path: PathBuf,
    /// Its kind, in the word of the page.
    kind: &'static str,
    pub(crate) format: String,
    /// Locked while it is saved.
    saving: Mutex<()>,
    write: WriteFile,
}

impl EditedFile {
    /// Opens a deck's file; one that does not exist yet has no cards.
    ///
    /// # Errors
    /// A file that cannot be read, or is no deck, for people.
    pub(crate) fn open(file: ToEdit, library: &Library) -> Result<EditedFile, String> {
        let ToEdit { path, format: asked, write } = file;
        let name = path.display().to_string();
        let kind = match Input::of_path(&path) {
            Input::Text => "text",
            Input::Yaml => "yaml",
            Input::Json => "json",
            _ => {
                return Err(format!(
                    "{name}: only decks in text, YAML and JSON can be edited; make it text first: `decklaw convert {name} --to-format text`"
                ));
            }
        };
        let help = format!("name its format: `decklaw edit {name} --format FORMAT`");
        let format = if path.exists() {
            let bytes = bytes_of(&path).map_err(|why| format!("{name}: {why}"))?;
            let read = deck_in(library, asked.as_deref(), &bytes, kind);
            let read = read.map_err(|error| error.problem.message)?;
            let first = read.check.0.findings.first();
            let first = first.map_or("this is not a deck", |finding| &finding.message);
            let first = first.trim_end_matches('.');
            match (read.deck, read.format) {
                (Some(_), Some(format)) => format,
                (_, None) => return Err(format!("{name}: {first}; {help}")),
                (None, _) => return Err(format!("{name}: {first}; `decklaw check` says where")),
            }
        } else {
            let missing = || format!("{name}: file not found; to begin a deck, {help}");
            asked.ok_or_else(missing)?
        };
        let judge = library.judge().map_err(|problem| problem.message)?;
        let format = judge.format(&format).map_err(|problem| problem.message)?;
        Ok(EditedFile { path, kind, format: format.id().to_owned(), saving: Mutex::new(()), write })
    }
}

/// The bytes of a deck's file.
///
/// # Errors
/// A file that cannot be read, or is larger than decks are, for people.
fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    match path.metadata() {
        Ok(about) if about.len() > deck::LARGEST_FILE => {
            Err("this file is larger than 16 MiB, the limit of a deck".to_owned())
        }
        Ok(_) => std::fs::read(path).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// The deck in the bytes of a file.
fn deck_in(
    library: &Library,
    format: Option<&str>,
    bytes: &[u8],
    kind: &str,
) -> Result<ReadAnswer, HttpError> {
    Ok(import(&*library.judge()?, format, bytes, Some(input(kind)?))?)
}

/// The file that is edited, where one is.
type Edited = Option<Arc<EditedFile>>;

fn opened(edited: Edited) -> Result<Arc<EditedFile>, HttpError> {
    edited.ok_or_else(|| HttpError::none("file that is edited"))
}

/// The file as it is now; `None` if it does not exist.
async fn bytes_now(file: &EditedFile) -> Result<Option<Vec<u8>>, HttpError> {
    let path = file.path.clone();
    blocking(move || Ok(bytes_of(&path).ok())).await
}

/// The file as it is read.
async fn deck_of(
    visit: &Visit,
    file: &Arc<EditedFile>,
    bytes: Vec<u8>,
) -> Result<ReadAnswer, HttpError> {
    let (app, file) = (Arc::clone(&visit.app), Arc::clone(file));
    let read = visit
        .answer(Speed::Quick, move || deck_in(&app.library, Some(&file.format), &bytes, file.kind));
    read.await
}

/// `GET /api/file`
pub(crate) async fn read(
    State(edited): State<Edited>,
    Extension(visit): Extension<Visit>,
) -> JsonResult {
    let file = opened(edited)?;
    let now = bytes_now(&file).await?;
    let rev = rev(now.as_deref());
    let name = file.path.display().to_string();
    let (deck, notes) = match now {
        None => (json!({"format": file.format, "sections": {}}), json!([])),
        Some(bytes) => {
            let read = deck_of(&visit, &file, bytes).await?;
            let deck = read.deck.ok_or_else(|| {
                let help = "Fix the file, and load the page again.";
                HttpError::new(409, format!("{name} is no longer a deck."), help)
            })?;
            let deck = serde_json::from_str(deck.get()).map_err(|_| HttpError::defect())?;
            (deck, json!(read.notes))
        }
    };
    let format = &file.format;
    Ok(Json(json!({"file": name, "format": format, "deck": deck, "notes": notes, "rev": rev})))
}

/// The version of the file's contents.
fn rev(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(String::new, |bytes| decklaw_text::digest::sha256(bytes)[..16].to_owned())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    rev: String,
    deck: Box<RawValue>,
    #[serde(default, rename = "note")]
    _note: String,
}

/// `PUT /api/file`
pub(crate) async fn save(
    State(edited): State<Edited>,
    Extension(visit): Extension<Visit>,
    bytes: Bytes,
) -> Result<Response, JsonError> {
    let asked: Save = body(&bytes)?;
    let file = opened(edited)?;
    // One after the other.
    let _saving = file.saving.lock().await;
    let before = bytes_now(&file).await?;
    if rev(before.as_deref()) != asked.rev {
        return Ok(changed(&visit, &file, before).await?);
    }
    let (app, own, there) = (Arc::clone(&visit.app), Arc::clone(&file), before.clone());
    let written = visit.answer(Speed::Quick, move || {
        with_cards(&app.library.judge()?.judge, &own, there.as_deref(), &asked.deck)
    });
    let written = written.await?;
    let rev = rev(Some(&written));
    let own = Arc::clone(&file);
    let saved = blocking(move || {
        let saved = (own.write)(&own.path, before.as_deref(), &written);
        saved.map_err(|error| HttpError::new(507, format!("Not saved: {error}"), ""))
    });
    if saved.await? {
        Ok(Json(json!({"rev": rev})).into_response())
    } else {
        let now = bytes_now(&file).await?;
        Ok(changed(&visit, &file, now).await?)
    }
}

/// The answer where the file is not the one that the page has.
async fn changed(
    visit: &Visit,
    file: &Arc<EditedFile>,
    now: Option<Vec<u8>>,
) -> Result<Response, HttpError> {
    let rev = rev(now.as_deref());
    let deck = match now {
        Some(bytes) => deck_of(visit, file, bytes).await?.deck,
        None => None,
    };
    let message = "Another program changed the file in the meantime.";
    let body = Json(json!({"message": message, "rev": rev, "deck": deck}));
    Ok((StatusCode::CONFLICT, body).into_response())
}

/// The file's bytes with the cards of another deck: changed in place where possible, else
/// rewritten. A new name or player is rewritten, since only cards are changed in place.
///
/// # Errors
/// A deck that cannot be read, and a file that is no deck any more.
fn with_cards(
    judge: &Judge,
    file: &EditedFile,
    there: Option<&[u8]>,
    deck: &RawValue,
) -> Result<Vec<u8>, HttpError> {
    let (format, input) = (&file.format, input(file.kind)?);
    let rules = judge.rulebook(format)?;
    let names = rules.section_names();
    let wrong = |errors: Vec<deck::SyntaxError>| {
        HttpError::wrong(errors.first().map_or_else(String::new, ToString::to_string))
    };
    let wanted = deck::read(deck.get().as_bytes(), Input::Json, names).map_err(wrong)?;
    let mut listing = Listing { format: Some(format.clone()), ..Listing::from(&wanted) };
    let anew = |listing: &Listing| match input {
        Input::Yaml => deck::to_yaml(listing).into_bytes(),
        Input::Json => deck::to_json(listing).into_bytes(),
        _ => deck::to_text(listing).into_bytes(),
    };
    let Some(there) = there else {
        return Ok(anew(&listing));
    };
    let Ok(before) = deck::read(there, input, names) else {
        return Err(HttpError::new(
            409,
            "The file is no longer a deck.",
            "Fix it, and load the page again.",
        ));
    };
    let head =
        |listing: &Listing| (listing.name.clone(), listing.player.clone(), listing.remarks.clone());
    let own = Listing::from(&before);
    if let (Input::Json, Some(section)) = (input, before.left_out.first()) {
        let message = format!("Saving would drop the cards of {}.", section.section);
        let help = "Take them out of the file, or keep the deck as text or YAML.";
        return Err(HttpError::new(409, message, help));
    }
    let has_other_head = head(&own) != head(&listing);
    listing.left_out = own.left_out;
    if has_other_head {
        return Ok(anew(&listing));
    }
    let list = Decklist::of(&before, Arc::clone(&rules));
    // Where the deck's own names are the pool, the new deck's are looked up among the old one's.
    let after = Decklist::of(&wanted, Arc::clone(list.rulebook()));
    // Cards that only the new deck has and no pool knows have no place in the old one's list.
    match solve::rewrite(there, input, &before, &list, &after) {
        Ok(bytes) if bytes == there && list.hash() != after.hash() => Ok(anew(&listing)),
        Ok(bytes) => Ok(bytes),
        Err(_) => Ok(anew(&listing)),
    }
}
