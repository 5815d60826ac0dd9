//! `print --sheet`: a registration sheet for each deck, in HTML.

use crate::cli::inputs::{self, InputKind};
use crate::cli::jobs::{Batch, Jobs, Reading};
use crate::cli::output::{Outputs, Pages};
use crate::cli::walk::DeckSource;
use crate::cli::{Answer, Outcome, Run, output};
use crate::deck::Listing;
use crate::judge::Judge;
use crate::report::sheet::{self, Besides};

/// Prints the sheets of decks in the order in which the call names them. A deck that cannot be
/// read has a sheet that says why.
pub(super) fn print(
    run: &Run,
    judge: &Judge,
    sources: &[DeckSource],
    from: Option<InputKind>,
) -> Answer {
    let outputs = Outputs::<Pages>::open(run)?;
    let jobs: &dyn Jobs = &sources.to_vec();
    let reading = Reading {
        told: from.map(Into::into),
    };
    let day = judge.day().to_string();
    let besides = Besides {
        day: &day,
        lock: judge.lock().map(|lock| lock.seal.as_str()),
        ..Besides::default()
    };
    let mut outcome = Outcome::Yes;
    let mut html = sheet::head();
    let mut bytes = Vec::new();
    let bar = run.progress(run.options.quiet || jobs.length() < 2, jobs.length());
    for at in 0..jobs.batches() {
        Batch { jobs, at }.each(|job| {
            let handed = reading.read(judge, job, &mut bytes);
            let (report, resolved) = handed
                .judged(judge)
                .map_err(|error| inputs::refuse(&error))?;
            bar.add(1);
            let mut listing = match resolved {
                Some(resolved) => Listing::from(resolved.deck()),
                None => {
                    let message = format!("{}: it is no deck; its sheet says why", report.deck);
                    run.complain("error", &message);
                    outcome = Outcome::No;
                    Listing::default()
                }
            };
            listing.player.clone_from(&report.player);
            let rulebook = report.rulebook.as_deref();
            html.push_str(&sheet::page(&report, &listing, rulebook, &besides));
            Ok(())
        })?;
    }
    drop(bar);
    html.push_str(sheet::FOOT);
    output::tell_given(run, &judge.given_so_far());
    if outcome == Outcome::Yes {
        inputs::fitting(run, judge)?;
    }
    let pages = Pages {
        html,
        is_well: outcome == Outcome::Yes,
    };
    outputs.emit(run, &pages, &[])
}
