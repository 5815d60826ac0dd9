//! What verifying one match file finds.

use super::{CliError, Judging, Run, files};
use crate::text::{counted, escape_control};
use serde::Serialize;
use std::path::Path;

/// What verifying one file found, as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct Verified {
    schema: &'static str,
    /// The file as the call names it.
    file: String,
    /// Whether it agrees with itself.
    ok: bool,
    /// Why it does not, or why it cannot be read.
    error: Option<String>,
    /// `setup` or `ready`.
    phase: Option<&'static str>,
    /// How many moves were made.
    moves: Option<usize>,
    digests: Option<Digests>,
    pub(super) warnings: Vec<String>,
    /// For people; empty where it failed.
    #[serde(skip)]
    pub(super) text: String,
    #[serde(skip)]
    pub(super) failure: Option<CliError>,
}

/// What identifies a verified file.
#[derive(Debug, Serialize)]
struct Digests {
    inputs: String,
    state: String,
    /// That of the log, once there are moves.
    log: Option<String>,
}

impl Verified {
    pub(super) fn of(path: &Path, run: &Run, judging: &Judging) -> Verified {
        let mut verified = Verified {
            schema: "decklaw/verify/1",
            file: path.display().to_string(),
            ok: false,
            error: None,
            phase: None,
            moves: None,
            digests: None,
            warnings: Vec::new(),
            text: String::new(),
            failure: None,
        };
        verified.failure = verified.prove(path, run, judging).err();
        verified.ok = verified.failure.is_none();
        verified.error = verified.failure.as_ref().map(|failure| failure.message.clone());
        verified
    }

    fn prove(&mut self, path: &Path, run: &Run, judging: &Judging) -> Result<(), CliError> {
        let text = files::read(path)?;
        let (made, format, warning) = files::prove_match(&text, path, judging)?;
        self.moves = Some(made.moves().len());
        self.warnings.extend(warning);
        if !format.rules.setup.records.is_empty() {
            // The match may have been made with another pool: only the one that the call names
            // decides.
            let format = format.judging(&made.inputs.settings, run)?;
            let difference = format.recorded_otherwise(&made)?;
            match difference.map(|difference| format!("{}: {difference}", self.file)) {
                Some(message) if judging.cards().is_empty() => self.warnings.push(format!(
                    "{message}; `--cards FILE` names the card file that the match was made with"
                )),
                Some(message) => return Err(CliError::refused(message)),
                None => (),
            }
        }
        let log = made.log_digest();
        let state = match &log {
            Some(log) => {
                let moves = counted(made.moves().len() as i64, "move");
                format!("verified, {moves} included; the digest of the log is {log}")
            }
            None => format!("verified ({})", made.phase()),
        };
        self.text = format!("{}: {state}\n", escape_control(&self.file, false));
        self.phase = Some(made.phase());
        self.digests =
            Some(Digests { inputs: made.inputs_digest(), state: made.state_digest(), log });
        Ok(())
    }
}
