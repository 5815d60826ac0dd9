//! `match view`, `verify`, `show` and `sheet`: looking at a match.

use super::games::PlayedFormat;
use super::{Configured, Failure, Judging, Output, Rules, Run, files, kinds, warn};
use crate::cli::output::Text;
use crate::digest::whole;
use crate::matches::{Match, Reader, SeatId};
use crate::render::{Kind, Written};
use crate::text::{counted, harmless};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Show what one seat or the public may see
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<files::View>))]
pub(crate) struct ViewOf {
    /// The match file
    file: PathBuf,
    /// A, B, C, D or public
    #[arg(long, value_name = "SEAT")]
    seat: String,
    #[command(flatten)]
    configured: Configured,
    #[command(flatten)]
    output: Output,
}

impl ViewOf {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let reader = reader(&self.seat)?;
        let outputs = files::outputs::<files::View>(run, &self.output, None)?;
        let (made, format) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let view = made.view(reader)?;
        let swaps = match reader {
            Reader::Seat(seat) => made.text_for(&format.rules.setup, seat)?,
            Reader::Public => String::new(),
        };
        files::finish(run, outputs, |kind| match kind {
            Kind::Json => with_inputs(run, view.to_json()),
            _ => view.to_text() + &swaps,
        })
    }
}

/// A document with what decides and is not built in, where anything is.
fn with_inputs(run: &Run, json: String) -> String {
    let given = run.played_by();
    match serde_json::from_str(&json) {
        Ok(document @ Value::Object(_)) if !given.is_empty() => {
            let document = whole(crate::render::with_inputs(document, &given));
            // In a line, where it was one.
            let text = match json.trim_end().contains('\n') {
                true => serde_json::to_string_pretty(&document),
                false => serde_json::to_string(&document),
            };
            whole(text) + "\n"
        }
        _ => json,
    }
}

/// Who looks: a seat, or the public.
fn reader(seat: &str) -> Result<Reader, Failure> {
    if seat == "public" {
        return Ok(Reader::Public);
    }
    let refuse = || Failure::call(format!("--seat {seat}: a seat is A, B, C, D or public"));
    SeatId::parse(seat).map(Reader::Seat).ok_or_else(refuse)
}

/// Rebuild matches from their inputs and compare
// Its moves are made again too. What is registered of cards is compared with the
// card pool: with that of --cards what differs is refused, otherwise it is a warning. With
// -o json a document for each file, with -o ndjson a line.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Verify>))]
pub(crate) struct Verify {
    /// The match files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    output: Output,
}

/// What came of verifying one file, as programs read it.
#[derive(Debug, Serialize)]
struct Verified {
    schema: &'static str,
    /// The file as it was named.
    file: String,
    /// Whether it agrees with itself.
    ok: bool,
    /// Why it does not, or why it cannot be read.
    error: Option<String>,
    /// `setup` or `ready`.
    phase: Option<&'static str>,
    /// How many moves were made.
    moves: Option<usize>,
    digests: Option<Proof>,
    warnings: Vec<String>,
    #[serde(skip)]
    wrong_call: bool,
}

/// What a verified file can be told by.
#[derive(Debug, Serialize)]
struct Proof {
    inputs: String,
    state: String,
    /// That of the log, once there are moves.
    log: Option<String>,
}

impl Written for Verify {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json, Kind::Ndjson];
}

impl Verify {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<Verify>(run, &self.output, None)?;
        run.threads()?;
        let judging = Judging::from(self.rules.clone());
        let verified: Vec<Verified> = self
            .files
            .par_iter()
            .map(|path| Verified::of(path, run, &judging))
            .collect();
        let failed: Vec<&Verified> = verified.iter().filter(|file| !file.ok).collect();
        for file in &verified {
            file.warnings.iter().for_each(|warning| warn(run, warning));
            if let Some(error) = file.error.as_deref().filter(|_| self.files.len() > 1) {
                run.complain("refused", error);
            }
        }
        files::finish(run, outputs, |kind| {
            verified
                .iter()
                .map(|file| file.rendered(kind, run))
                .collect()
        })?;
        let told = match (failed.as_slice(), self.files.len()) {
            ([], _) => return Ok(()),
            ([failed], 1) => failed.error.clone().unwrap_or_default(),
            (failed, all) => format!(
                "{} of {} did not verify",
                failed.len(),
                counted(all as i64, "file")
            ),
        };
        Err(match failed.iter().any(|failed| failed.wrong_call) {
            true => Failure::call(told),
            false => Failure::refused(told),
        })
    }
}

impl Verified {
    fn of(path: &Path, run: &Run, judging: &Judging) -> Verified {
        let mut verified = Verified {
            schema: "decklaw/verify/1",
            file: path.display().to_string(),
            ok: false,
            error: None,
            phase: None,
            moves: None,
            digests: None,
            warnings: Vec::new(),
            wrong_call: false,
        };
        match verified.prove(path, run, judging) {
            Ok(()) => verified.ok = true,
            Err(failure) => {
                verified.wrong_call = matches!(failure, Failure::Call(_));
                let (Failure::Call(told) | Failure::Refused(told)) = failure;
                verified.error = Some(told);
            }
        }
        verified
    }

    fn prove(&mut self, path: &Path, run: &Run, judging: &Judging) -> Result<(), Failure> {
        let text = files::read(run, path)?;
        let (made, format, warning) = files::prove_match(&text, path, run, judging)?;
        self.moves = Some(made.moves().len());
        self.warnings.extend(warning);
        let is_named = !judging.cards().is_empty();
        self.compare(&made, format, run, is_named)?;
        self.phase = Some(made.phase());
        self.digests = Some(Proof {
            inputs: made.inputs_digest(),
            state: made.state_digest(),
            log: made.log_digest(),
        });
        Ok(())
    }

    /// Compares what is registered of the cards with a pool. The match may have been made with
    /// another one, so that the pool has the last word only where the call names it.
    fn compare(
        &mut self,
        made: &Match,
        format: PlayedFormat,
        run: &Run,
        is_named: bool,
    ) -> Result<(), Failure> {
        if format.rules.setup.records.is_empty() {
            return Ok(());
        }
        let format = format.judging(&made.inputs.settings, run)?;
        let differ = format.registered_otherwise(made)?;
        let Some(first) = differ.first() else {
            return Ok(());
        };
        let more = match differ.len() {
            1 => String::new(),
            all => format!(" (and {} more)", all - 1),
        };
        let told = format!("{}: {first}{more}", self.file);
        if is_named {
            return Err(Failure::refused(told));
        }
        self.warnings.push(format!(
            "{told}; `--cards FILE` names the card file that the match was made with"
        ));
        Ok(())
    }

    fn rendered(&self, kind: Kind, run: &Run) -> String {
        match kind {
            Kind::Json => with_inputs(run, whole(serde_json::to_string_pretty(self)) + "\n"),
            Kind::Ndjson => with_inputs(run, whole(serde_json::to_string(self)) + "\n"),
            _ if !self.ok => String::new(),
            _ => {
                let file = harmless(&self.file, false);
                let log = self.digests.as_ref().and_then(|it| it.log.as_ref());
                match (self.moves, log) {
                    (Some(moves), Some(log)) => {
                        let moves = counted(moves as i64, "move");
                        format!(
                            "{file}: verified, {moves} included; the digest of the log is {log}\n"
                        )
                    }
                    _ => format!("{file}: verified ({})\n", self.phase.unwrap_or_default()),
                }
            }
        }
    }
}

/// Show a whole match with its log, for a judge
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Text>))]
pub(crate) struct Show {
    /// The match file
    file: PathBuf,
    #[command(flatten)]
    configured: Configured,
    #[command(flatten)]
    output: Output,
}

impl Show {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<Text>(run, &self.output, None)?;
        let (made, format) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let sheet = made.sheet().to_text().replace('\u{c}', "\n");
        let lines = match made.moves() {
            [] => Vec::new(),
            _ => made.play_on(&format.game())?.told(Reader::Public, 0)?,
        };
        let numbered = (1..).zip(&lines);
        let numbered = numbered.map(|(at, line)| format!("{at:>4}  {}\n", harmless(line, false)));
        let log: String = numbered.collect();
        files::finish(run, outputs, |_| match log.is_empty() {
            true => sheet.clone(),
            false => format!("{sheet}\nMoves\n{log}"),
        })
    }
}

/// Print a start position, with hidden parts on their own pages
// HTML, or with `-o text` text, a form feed between pages.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<SheetOf>))]
pub(crate) struct SheetOf {
    /// The match file
    file: PathBuf,
    #[command(flatten)]
    configured: Configured,
    #[command(flatten)]
    output: Output,
}

const HTML: Kind = Kind::Data("html");

impl Written for SheetOf {
    const KINDS: &'static [Kind] = &[HTML, Kind::Data("text")];
}

impl SheetOf {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<SheetOf>(run, &self.output, None)?;
        let (made, _) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let sheet = made.sheet();
        files::finish(run, outputs, |kind| match kind {
            HTML => sheet.to_html(),
            _ => sheet.to_text(),
        })
    }
}
