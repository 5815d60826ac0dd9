//! `check --compare OLD NEW`: which decks a new banlist changes.

use crate::cli::entries::Entries;
use crate::cli::files::Readers;
use crate::cli::jobs::Batch;
use crate::cli::output::Figures;
use crate::cli::{Answer, Options, Outcome, Refusal, bar, inputs, output, side_by_side};
use crate::judge::Judge;
use crate::report::compared::{Changed, Compared, given};

pub(super) fn run(entries: &Entries, lists: &[String], options: &Options) -> Answer {
    let (jobs, reading) = (entries.jobs(), &entries.reading);
    let outputs = output::asked(options, &output::FIGURES, Readers::Anyone)?;
    let judge = |list: &String| {
        let options = Options {
            banlist: Some(list.clone()),
            ..options.clone()
        };
        inputs::judge(&options)
    };
    let judges: Vec<Judge> = lists.iter().map(judge).collect::<Result<_, _>>()?;
    let [old, new] = judges.as_slice() else {
        return Err(Refusal("`--compare` needs two lists: OLD NEW".to_owned()));
    };
    let both = |batch: Batch<'_>| {
        let mut buffer = Vec::new();
        let mut judged = Vec::new();
        batch.each(|job| {
            let handed = reading.read(job, &mut buffer);
            let by = |judge| {
                let report = handed.judge(judge);
                report.map_err(|error| inputs::refuse(&error))
            };
            let (before, after) = (by(old)?, by(new)?);
            judged.push(Changed::of(before, after));
            Ok(())
        })?;
        Ok(judged)
    };
    let bar = bar::progress(options.quiet, jobs.length());
    let mut compared = Compared::default();
    side_by_side::in_order(jobs, both, |judged: Vec<Option<Changed>>| {
        bar.add(judged.len());
        judged.into_iter().for_each(|one| compared.add(one));
        Ok(())
    })?;
    drop(bar);
    for judge in [old, new] {
        inputs::fitting(judge)?;
    }
    for mut output in outputs {
        let bytes = match output.kind {
            Figures::Human => {
                (compared.to_human() + &output::foot(&given([old, new]))).into_bytes()
            }
            Figures::Json => {
                let lists = [lists[0].as_str(), lists[1].as_str()];
                compared.to_json(lists, [old, new])?.into_bytes()
            }
            Figures::Csv(flavour) => compared.to_csv(flavour, [old, new])?,
        };
        output.write_data(&bytes, true)?;
        output.finish()?;
    }
    Ok(if compared.is_well() {
        Outcome::Yes
    } else {
        Outcome::No
    })
}
