//! `decklaw check`: judge decks.

use super::files::Readers;
use super::inputs::{self, InputKind, LOCK_FILE};
use super::walk::Source;
use super::{Answer, Options, Outcome, Refusal, output, terminal, walk};
use crate::deck::Input;
use crate::report::human::{self, Style, Totals};
use crate::report::{DeckReport, Finding, Judge, JudgeError, Verdict, json};
use rayon::prelude::*;
use std::path::PathBuf;

/// Decks judged and rendered before the first of them is written: what bounds memory.
const BATCH: usize = 2048;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw check my-deck.txt\n  decklaw check decks -o ndjson --to verdicts.ndjson\n  cat deck.yaml | decklaw check - --input yaml --format shell"
)]
pub(super) struct Check {
    /// Decks: files, folders (with all inside), patterns such as 'decks/*.txt', or - for standard input
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What standard input holds
    #[arg(long, value_name = "KIND", default_value = "text")]
    input: InputKind,
    /// Judge by the lists of a lock file alone [without FILE: decklaw.lock]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = LOCK_FILE)]
    locked: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Human,
    Json,
    Ndjson,
}

const KINDS: [(&str, Kind); 3] = [
    ("human", Kind::Human),
    ("json", Kind::Json),
    ("ndjson", Kind::Ndjson),
];

/// A judged deck, rendered for each output that is written as it goes.
struct Judged {
    report: DeckReport,
    rendered: Vec<Vec<u8>>,
}

impl Check {
    pub(super) fn run(&self, options: &Options) -> Answer {
        if self.paths.is_empty() {
            return Err(Refusal(
                "name the decks: files, folders, or `-` for standard input".to_owned(),
            ));
        }
        let sources = walk::decks(&self.paths)?;
        let judge = inputs::judge_locked(options, self.locked.as_deref())?;
        let mut outputs = output::asked(options, &KINDS, Readers::Anyone)?;
        let to_screen = outputs
            .iter()
            .any(|output| output.kind == Kind::Human && output.is_screen());
        let style = Style {
            width: if to_screen { terminal::width() } else { 80 },
            colour: to_screen && terminal::colour(options),
            unicode: true,
            quiet: options.quiet,
            verbose: options.verbose,
        };
        let keep = outputs.iter().any(|output| output.kind == Kind::Json);
        let kinds: Vec<Kind> = outputs.iter().map(|output| output.kind).collect();
        let mut totals = Totals::default();
        let mut kept = Vec::new();
        let stdin = Input::from(self.input);
        for batch in sources.chunks(BATCH) {
            let one = |buffer: &mut Vec<u8>, source: &Source| {
                judge_one(&judge, source, stdin, buffer, &kinds, &style)
            };
            let judged: Vec<Result<Judged, JudgeError>> = if batch.len() == 1 {
                batch
                    .iter()
                    .map(|source| one(&mut Vec::new(), source))
                    .collect()
            } else {
                batch.par_iter().map_init(Vec::new, one).collect()
            };
            for judged in judged {
                let Judged { report, rendered } = judged.map_err(|error| inputs::refuse(&error))?;
                totals.add(&report);
                for (output, bytes) in outputs.iter_mut().zip(&rendered) {
                    output.write(bytes)?;
                }
                if keep {
                    kept.push(report);
                }
            }
        }
        warn_of_lists(&judge);
        let unused = judge.unused();
        if !unused.is_empty() {
            return Err(Refusal(format!(
                "{} fits no deck of this run",
                crate::text::listed(&unused, "and")
            )));
        }
        for mut output in outputs {
            match output.kind {
                Kind::Human => {
                    output.write(human::summary(&totals, &style).as_bytes())?;
                    if let Some(lock) = judge.lock() {
                        output.write(human::locked(lock, &style).as_bytes())?;
                    }
                }
                Kind::Json => {
                    let met = judge.met();
                    let rules = met
                        .iter()
                        .map(|(id, rulebook)| (id.clone(), &**rulebook))
                        .collect();
                    let text =
                        json::document(&kept, &rules, &judge.day().to_string(), judge.lock())?;
                    output.write(text.as_bytes())?;
                }
                Kind::Ndjson => {}
            }
            output.finish()?;
        }
        let all_legal = totals.legal == totals.decks();
        Ok(if all_legal { Outcome::Yes } else { Outcome::No })
    }
}

fn judge_one(
    judge: &Judge,
    source: &Source,
    stdin: Input,
    buffer: &mut Vec<u8>,
    kinds: &[Kind],
    style: &Style,
) -> Result<Judged, JudgeError> {
    let name = source.name();
    let report = match source.read(buffer) {
        Ok(()) => judge.judge(&name, buffer, source.input(stdin))?,
        Err((message, mend)) => {
            buffer.clear();
            DeckReport::unreadable(name, Finding::of_file(message, mend))
        }
    };
    let render = |kind: &Kind| match kind {
        Kind::Human if style.quiet && report.verdict == Verdict::Legal => Vec::new(),
        Kind::Human => {
            let text = String::from_utf8_lossy(crate::deck::without_bom(buffer));
            human::deck(&report, &text, style).into_bytes()
        }
        Kind::Ndjson => {
            let rulebook = report
                .format
                .as_deref()
                .and_then(|format| judge.rulebook(format).ok());
            let digest = rulebook.as_deref().map(json::inputs_digest);
            json::line(&report, digest).unwrap_or_default()
        }
        Kind::Json => Vec::new(),
    };
    let rendered = kinds.iter().map(render).collect();
    Ok(Judged { report, rendered })
}

/// Cards that a list names and the pool lacks: lists run ahead of pools, so it is a warning.
fn warn_of_lists(judge: &Judge) {
    let mut seen = Vec::new();
    for rulebook in judge.met().values() {
        let Some(list) = rulebook.list().filter(|list| !seen.contains(&list.id)) else {
            continue;
        };
        seen.push(list.id.clone());
        for entry in &list.entries {
            if rulebook.pool().find(&entry.name).is_none() {
                let message = format!(
                    "{}:{}: the card pool has no `{}`",
                    list.file, entry.line, entry.name
                );
                terminal::complain("warning", &message);
            }
        }
    }
}
