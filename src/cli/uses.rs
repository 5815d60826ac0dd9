//! Options that mean nothing as a command is called are refused, and not passed over: whoever gives
//! one means something by it. What one of its ways to work makes of a command's options stands in
//! [`WAYS`] and [`NEEDS`].

use super::Refusal;
use crate::text::listed;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// One of a command's ways to work, and the options that it has no use for.
struct Way {
    command: &'static str,
    /// The options that make it work so.
    with: &'static [&'static str],
    /// What makes it work otherwise all the same.
    without: &'static [&'static str],
    idle: &'static [&'static str],
    /// What it does.
    does: &'static str,
}

const WAYS: &[Way] = &[
    Way {
        command: "odds",
        with: &["hand"],
        without: &[],
        idle: &["seat"],
        does: "a hand of so many cards is drawn, whoever draws it",
    },
    Way {
        command: "odds",
        with: &["path"],
        without: &["queries", "expect", "deal"],
        idle: &[
            "hand",
            "given",
            "policy",
            "draws",
            "keep_hand",
            "turns",
            "event",
            "seat",
        ],
        does: "a path counts the first cards of the deck, and knows no hand; a QUERY beside it would",
    },
];

/// Options that mean nothing alone.
struct Need {
    command: &'static str,
    option: &'static str,
    /// One of these has to be there.
    beside: &'static [&'static str],
    why: &'static str,
}

const NEEDS: &[Need] = &[
    Need {
        command: "odds",
        option: "seed",
        beside: &["deal"],
        why: "it seeds sample hands",
    },
    Need {
        command: "cards template",
        option: "cards",
        beside: &["pool"],
        why: "a card file to fill in has one example",
    },
    Need {
        command: "banlist check",
        option: "format",
        beside: &["cards"],
        why: "a list says itself which game it is for, and `--format` only which game the cards are of",
    },
    Need {
        command: "banlist lock",
        option: "format",
        beside: &["cards"],
        why: "games are named as words, and `--format` says only which game the cards are of",
    },
];

/// Options that name a file to write, beside `--to` and `-o KIND=FILE`.
const WRITTEN: [&str; 2] = ["svg", "tabletop_simulator"];
/// Commands that write a file whether or not the call names it.
const WRITERS: [&str; 3] = ["match play", "banlist lock", "banlist fetch"];

/// Refuses a call with an option that its command, as it is called, has no use for.
///
/// # Errors
/// Such an option, and what would use it.
pub(super) fn refuse_idle(matches: &ArgMatches) -> Result<(), Refusal> {
    let (command, call) = deepest(matches);
    let given = |id: &str| is_given(call, id);
    for way in WAYS.iter().filter(|way| way.command == command) {
        let so = way.with.iter().all(|id| given(id)) && !way.without.iter().any(|id| given(id));
        if let Some(idle) = way.idle.iter().find(|id| so && given(id)) {
            let with: Vec<String> = way.with.iter().map(|id| shown(id)).collect();
            return Err(Refusal(format!(
                "{} has no use beside {}: {}; leave one of them out",
                shown(idle),
                listed(&with, "and"),
                way.does
            )));
        }
    }
    for need in NEEDS.iter().filter(|need| need.command == command) {
        if given(need.option) && !need.beside.iter().any(|id| given(id)) {
            let beside: Vec<String> = need.beside.iter().map(|id| shown(id)).collect();
            return Err(Refusal(format!(
                "{} has a use only with {}: {}; leave it out, or give that too",
                shown(need.option),
                listed(&beside, "or"),
                need.why
            )));
        }
    }
    refuse_idle_places(&command, call)
}

/// `--to` where every output has a file of its own, and `--replace` where no file is written.
fn refuse_idle_places(command: &str, call: &ArgMatches) -> Result<(), Refusal> {
    let outputs = call.try_get_many::<String>("output").ok().flatten();
    let outputs: Vec<&String> = outputs.map(Iterator::collect).unwrap_or_default();
    let named = |output: &&String| output.contains('=');
    // A deck that is mended goes there, whatever goes elsewhere.
    let mends = ["fix", "swap"].contains(&command);
    if is_given(call, "to") && !mends && !outputs.is_empty() && outputs.iter().all(named) {
        return Err(Refusal(
            "every `-o KIND=FILE` names its own file, so that `--to` has no output left; leave one of them out"
                .to_owned(),
        ));
    }
    let writes = is_given(call, "to")
        || outputs.iter().any(named)
        || WRITTEN.iter().any(|id| is_given(call, id))
        || WRITERS.contains(&command);
    if is_given(call, "replace") && !writes {
        return Err(Refusal(
            "`--replace` lets a file take the place of another, and this call writes none; name it with `--to FILE` or `-o KIND=FILE`, or leave `--replace` out"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The words of the command that is called, and its part of the call.
fn deepest(matches: &ArgMatches) -> (String, &ArgMatches) {
    let (mut words, mut call) = (Vec::new(), matches);
    while let Some((name, inner)) = call.subcommand() {
        words.push(name);
        call = inner;
    }
    (words.join(" "), call)
}

/// Whether the call itself says so: a default is none. What a command does not have is not
/// given.
fn is_given(call: &ArgMatches, id: &str) -> bool {
    call.try_contains_id(id).is_ok() && call.value_source(id) == Some(ValueSource::CommandLine)
}

/// An option as it is typed.
fn shown(id: &str) -> String {
    match id {
        "queries" => "QUERY".to_owned(),
        "goal" => "`--for`".to_owned(),
        id => format!("`--{}`", id.replace('_', "-")),
    }
}

#[cfg(test)]
mod tests;
