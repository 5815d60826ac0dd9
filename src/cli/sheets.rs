//! `decklaw print --sheet`: a registration sheet of each deck, as pages of HTML.

use super::inputs;
use super::jobs::{Job, Reading};
use super::options::Output;
use super::output::Outputs;
use super::{Answer, Run};
use crate::deck::{Input, Listing};
use crate::judge::Judge;
use crate::render::{Kind, Render, Rendered, Rendering, Written};
use crate::report::sheet;

/// Pages to print.
struct Pages {
    html: String,
    /// Whether every deck could be read.
    is_ok: bool,
}

impl Written for Pages {
    const KINDS: &'static [Kind] = &[Kind::Data("html")];
}

impl Render for Pages {
    fn body(&self, _: Kind) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.html.clone().into_bytes())))
    }

    fn is_ok(&self) -> bool {
        self.is_ok
    }
}

/// Prints the sheets of some decks, in their order. `input` is their file format, where the call
/// says it.
///
/// # Errors
/// Rules, cards or a list that cannot be read.
pub(super) fn print(
    run: &Run,
    output: &Output,
    judge: &Judge,
    jobs: &[Job<'_>],
    input: Option<Input>,
) -> Answer {
    let outputs = Outputs::<Pages>::open(output)?;
    let reading = Reading { input };
    let day = judge.day().to_string();
    let besides = sheet::SheetFacts {
        day: &day,
        lock: judge.lock().map(|lock| lock.seal.as_str()),
        ..sheet::SheetFacts::default()
    };
    let (mut html, mut is_ok) = (sheet::head(), true);
    let mut bytes = Vec::new();
    let bar = run.progress(run.screen.quiet || jobs.len() < 2, jobs.len());
    for job in jobs {
        let opened = reading.read(judge, *job, &mut bytes);
        let (report, resolved) = opened.judged(judge)?;
        bar.add(1);
        let mut listing = match resolved {
            Some(resolved) => {
                run.print_notes(&report.deck, &resolved.notes());
                Listing::from(resolved.deck())
            }
            None => {
                let message = format!("{}: not readable; its sheet says why", report.deck);
                run.complain("error", &message);
                is_ok = false;
                Listing::default()
            }
        };
        listing.player.clone_from(&report.player);
        let rulebook = report.rulebook.as_deref();
        html.push_str(&sheet::page(&report, &listing, rulebook, &besides));
    }
    html.push_str(sheet::FOOT);
    drop(bar);
    inputs::fitting(run, judge)?;
    outputs.emit(run, &Pages { html, is_ok })
}
