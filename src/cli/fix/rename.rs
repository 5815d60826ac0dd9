//! `fix --rename`: names that are nearly those of cards.

use crate::cli::files::{self, Exchange, Readers};
use crate::cli::output::Outputs;
use crate::cli::{Answer, Refusal, Run, inputs};
use crate::deck::Input;
use crate::origin::Given;
use crate::render::{Kind, Rendered, Rendering, Report, TextStyle, Written};
use crate::resolve::Resolved;
use crate::solve::{self, Misnamed};
use crate::text::{counted, harmless, listed};
use decklaw_engine::report::repair;
use serde_json::Value;
use std::path::Path;

/// Puts names right that are certain, and lists the others. The answer is no where some are
/// in doubt.
pub(super) fn run(
    run: &Run,
    path: &Path,
    (bytes, input): (&[u8], Input),
    deck: &Resolved<'_>,
    write: bool,
) -> Answer {
    let outputs = Outputs::open(run)?;
    let name = path.display().to_string();
    let misnamed = solve::misnamed(deck);
    let (certain, doubtful): (Vec<&Misnamed>, Vec<&Misnamed>) =
        misnamed.iter().partition(|one| one.certain);
    let changed = solve::renamed(bytes, input, deck, &misnamed).map_err(|error| {
        Refusal(format!(
            "{name}: the names are not changed in place: {error}; change them by hand"
        ))
    })?;
    let written = write && !certain.is_empty();
    if written {
        let same = |found: &[u8]| inputs::is_text(path, found, bytes);
        if files::exchange_if(run, path, same, &changed, Readers::Anyone)? == Exchange::Changed {
            return Err(Refusal(format!(
                "{name}: the file changed since it was read, so it is left as it is; run the command again"
            )));
        }
    }
    let report = Renamed {
        name: &name,
        misnamed: &misnamed,
        text: shown(&name, &certain, &doubtful, (write, written)),
        changed,
        written,
    };
    if outputs.any(|kind| kind == super::DECK) {
        for one in &doubtful {
            run.complain("notice", &format!("{name}: {}", doubt(one)));
        }
    }
    outputs.emit(run, &report, &[])
}

/// What came of the names.
struct Renamed<'a> {
    name: &'a str,
    misnamed: &'a [Misnamed],
    text: String,
    changed: Vec<u8>,
    written: bool,
}

impl Written for Renamed<'_> {
    const KINDS: &'static [Kind] = super::KINDS;
}

impl Report for Renamed<'_> {
    fn body(&self, kind: Kind, _: &[Given]) -> Rendered<Option<Rendering>> {
        Ok((kind == super::DECK).then(|| Rendering::Data(self.changed.clone())))
    }

    fn human(&self, _: &TextStyle) -> String {
        self.text.clone()
    }

    fn json(&self) -> serde_json::Result<Value> {
        repair::renamed(self.name, self.misnamed, self.written)
    }

    fn is_well(&self) -> bool {
        self.misnamed.iter().all(|one| one.certain)
    }
}

fn shown(
    name: &str,
    certain: &[&Misnamed],
    doubtful: &[&Misnamed],
    (write, written): (bool, bool),
) -> String {
    let number = |of: &[&Misnamed]| counted(i64::try_from(of.len()).unwrap_or(i64::MAX), "name");
    let mut out = match (certain, doubtful) {
        ([], []) => format!("{name}: every name is a card's\n"),
        ([], _) => format!("{name}: {} in doubt\n", number(doubtful)),
        (_, []) => format!("{name}: {} to put right\n", number(certain)),
        _ => format!(
            "{name}: {} to put right, {} in doubt\n",
            number(certain),
            number(doubtful)
        ),
    };
    for one in certain {
        let meant = one.meant().unwrap_or_default();
        out.push_str(&format!("  {}: {} → {meant}\n", lines(one), one.name));
    }
    if !doubtful.is_empty() {
        out.push_str("in doubt\n");
    }
    for one in doubtful {
        out.push_str(&format!("  {}\n", doubt(one)));
    }
    match (written, write, certain.is_empty()) {
        (true, ..) => out.push_str("written\n"),
        (false, false, false) => out.push_str("`--write` puts them right in the file\n"),
        (false, _, true) if !doubtful.is_empty() => {
            out.push_str(
                "nothing is certain enough to be put right: write the names that are meant\n",
            );
        }
        _ => {}
    }
    harmless(&out, true).into_owned()
}

/// A name in doubt, with its lines and what may have been meant.
fn doubt(one: &Misnamed) -> String {
    let near: Vec<String> = one.near.iter().map(|near| format!("`{near}`")).collect();
    let what = match near.as_slice() {
        [] => "no card is called nearly so".to_owned(),
        near => format!("{}?", listed(near, "or")),
    };
    format!("{}: {}: {what}", lines(one), one.name)
}

fn lines(one: &Misnamed) -> String {
    const MOST: usize = 5;
    let mut numbers: Vec<String> = one.lines.iter().take(MOST).map(u32::to_string).collect();
    if one.lines.len() > MOST {
        numbers.push(format!("{} more", one.lines.len() - MOST));
    }
    let noun = if one.lines.len() == 1 {
        "line"
    } else {
        "lines"
    };
    format!("{noun} {}", listed(&numbers, "and"))
}
