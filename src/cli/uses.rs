//! Options that a command has no use for are refused, and not passed over: whoever gives one
//! means something by it.
//!
//! Every command takes the options of [`MANNERS`]. What else it has a use for stands in
//! [`COMMANDS`]; what one of its ways to work makes of its options, in [`WAYS`] and [`NEEDS`].

use super::Refusal;
use crate::text::listed;
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::ffi::OsString;

/// How decklaw speaks, and what it may touch: these hold whatever a command does.
#[cfg(test)]
const MANNERS: [&str; 5] = ["no_local", "offline", "color", "quiet", "verbose"];

/// What is judged by. A command that takes these makes the rules of a format.
const JUDGING: &[&str] = &["format", "cards", "banlist", "as_of", "set", "locked"];
/// The same where the command names its format itself.
const OF_A_FORMAT: &[&str] = &["cards", "banlist", "as_of", "set", "locked"];
/// The same where what is locked stands in the event.
const OF_A_DESK: &[&str] = &["cards", "banlist", "as_of", "set"];
/// The same where a lock is made.
const OF_A_LOCK: &[&str] = &["format", "cards", "banlist", "as_of", "set"];
/// The same where the settings are those of a match file, too.
const OF_A_MATCH: &[&str] = &["cards", "banlist", "as_of"];
/// Where an answer goes.
const WRITING: &[&str] = &["output", "to", "replace"];

/// What each command has a use for, by its words.
pub(super) const COMMANDS: &[(&str, &[&[&str]])] = &[
    ("check", &[JUDGING, WRITING]),
    ("compare", &[&["format", "cards", "as_of", "set"], WRITING]),
    ("stream", &[JUDGING, &["output"]]),
    ("fix", &[JUDGING, WRITING]),
    ("room", &[JUDGING, WRITING]),
    ("swap", &[JUDGING, WRITING]),
    ("build", &[OF_A_FORMAT, WRITING]),
    ("edit", &[JUDGING]),
    ("odds", &[JUDGING, WRITING]),
    ("tune", &[JUDGING, WRITING]),
    ("stats", &[JUDGING, WRITING]),
    ("convert", &[JUDGING, WRITING]),
    ("print", &[JUDGING, WRITING]),
    ("match new", &[JUDGING, WRITING]),
    ("match decide", &[OF_A_MATCH, WRITING]),
    ("match seal", &[WRITING]),
    ("match view", &[WRITING]),
    ("match verify", &[OF_A_MATCH, WRITING]),
    ("match show", &[WRITING]),
    ("match sheet", &[WRITING]),
    ("match next", &[WRITING]),
    ("match share commit", &[WRITING]),
    ("match share reveal", &[WRITING]),
    ("match commit", &[WRITING]),
    ("match round", &[OF_A_FORMAT, WRITING]),
    ("match play", &[OF_A_MATCH, WRITING]),
    ("match log", &[WRITING]),
    ("match goldfish", &[JUDGING, WRITING]),
    ("match export", &[OF_A_MATCH, WRITING]),
    ("explain", &[JUDGING, WRITING]),
    ("cards list", &[&["format", "cards"], WRITING]),
    ("cards template", &[&["format", "cards"], WRITING]),
    ("cards show", &[&["format", "cards"], WRITING]),
    ("cards export", &[&["format", "cards"], WRITING]),
    ("cards check", &[&["format"], WRITING]),
    ("banlist list", &[&["as_of"], WRITING]),
    ("banlist show", &[&["as_of"], WRITING]),
    ("banlist diff", &[WRITING]),
    ("banlist check", &[&["format", "cards"], WRITING]),
    ("banlist fetch", &[WRITING]),
    ("banlist lock", &[OF_A_LOCK, WRITING]),
    ("formats list", &[WRITING]),
    ("formats new", &[&["cards"]]),
    ("formats show", &[OF_A_FORMAT, WRITING]),
    ("formats check", &[WRITING]),
    ("serve", &[OF_A_DESK]),
    ("event export", &[OF_A_DESK]),
    ("event import", &[WRITING]),
    ("completions", &[WRITING]),
    ("man", &[WRITING]),
];

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
        command: "fix",
        with: &["rename"],
        without: &[],
        idle: &["effort"],
        does: "it puts names right and looks for no repair",
    },
    Way {
        command: "odds",
        with: &["hand"],
        without: &[],
        idle: &["seat"],
        does: "a hand of so many cards is drawn, whoever draws it",
    },
    Way {
        command: "tune",
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
            "mulligan",
            "mulligans",
            "bottom",
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
const WRITTEN: [&str; 4] = ["letters", "svg", "tabletop_simulator", "to_dir"];
/// Commands that write a file whether or not the call names it.
const WRITERS: [&str; 3] = ["match play", "match goldfish", "banlist lock"];

/// Refuses a call with an option that its command, as it is called, has no use for.
///
/// # Errors
/// Such an option, and what would use it.
pub(super) fn refuse_idle(matches: &ArgMatches) -> Result<(), Refusal> {
    let (command, call) = deepest(matches);
    let Some((_, takes)) = COMMANDS.iter().find(|(known, _)| *known == command) else {
        return Ok(());
    };
    let given = |id: &str| is_given(call, id);
    let globals = [JUDGING, WRITING].concat();
    for option in globals.iter().filter(|option| given(option)) {
        if !takes.concat().contains(option) {
            return Err(refused(&command, option));
        }
    }
    for way in WAYS.iter().filter(|way| way.command == command) {
        let so = way.with.iter().all(|id| given(id)) && !way.without.iter().any(|id| given(id));
        let mut idle: Vec<&str> = way.idle.to_vec();
        if idle.contains(&"event") {
            // Games call it by names of their own.
            idle.extend(super::events::names());
        }
        if let Some(idle) = idle.into_iter().find(|id| so && given(id)) {
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
    let outputs: Vec<&String> = call
        .get_many("output")
        .map(Iterator::collect)
        .unwrap_or_default();
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

/// Refuses what decks are judged by where a command judges none, as it is called.
///
/// # Errors
/// Such an option.
pub(super) fn only_writing(command: &str, options: &super::Options) -> Result<(), Refusal> {
    let given = [
        ("format", options.format.is_some()),
        ("cards", !options.cards.is_empty()),
        ("banlist", options.banlist.is_some()),
        ("as_of", options.as_of.is_some()),
        ("set", !options.set.is_empty()),
        ("locked", options.locked.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(refused(command, option)),
        None => Ok(()),
    }
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
        "uses" => "`--use`".to_owned(),
        "goal" => "`--for`".to_owned(),
        id => format!("`--{}`", id.replace('_', "-")),
    }
}

fn refused(command: &str, option: &str) -> Refusal {
    let about = match option {
        "format" => "names the rules by which a deck is judged",
        "cards" => "brings the cards of a game",
        "banlist" => "names the list that bans cards",
        "as_of" => "is the day whose dated lists apply",
        "set" => "settles what a game's rules leave open",
        "locked" => "names all that decks are judged by",
        "output" => "names the kind of output",
        "to" => "names the file that the output goes to",
        _ => "lets a file that is written take the place of another",
    };
    let users = COMMANDS
        .iter()
        .filter(|(_, takes)| takes.concat().contains(&option));
    let mut users: Vec<String> = users
        .map(|(name, _)| format!("`{}`", name.split(' ').next().unwrap_or_default()))
        .collect();
    users.dedup();
    // Where many take it, the first say enough.
    if users.len() > 6 {
        users.truncate(5);
        users.push("others".to_owned());
    }
    let users = listed(&users, "and");
    let option = shown(option);
    Refusal(format!(
        "`{command}` has no use for {option}, which {about}; leave it out. It is of use to {users}"
    ))
}

/// Refuses an option that stands both before a command's name and behind it with something else
/// to say: only what stands behind would count.
///
/// # Errors
/// Such an option.
pub(super) fn refuse_lost(arguments: &[OsString], matches: &ArgMatches) -> Result<(), Refusal> {
    let (command, call) = deepest(matches);
    let globals = [JUDGING, WRITING].concat();
    for option in globals.iter().filter(|id| **id != "replace") {
        let early = before_the_name(arguments, option, &command);
        let last = call.get_raw(option).into_iter().flatten();
        let last: Vec<OsString> = last.map(OsString::from).collect();
        if !early.is_empty() && early != last {
            return Err(Refusal(format!(
                "{} stands before `{command}` and behind it, and what stands before would be lost; write it all behind",
                shown(option)
            )));
        }
    }
    Ok(())
}

/// The values of a common option that stand before the last word of the command's name.
fn before_the_name(arguments: &[OsString], option: &str, command: &str) -> Vec<OsString> {
    let mut names = command.split(' ').peekable();
    let long = format!("--{}", option.replace('_', "-"));
    let (mut values, mut words) = (Vec::new(), arguments.iter().skip(1));
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let is_flag = [
            "--no-local",
            "--offline",
            "--quiet",
            "--verbose",
            "--replace",
        ]
        .contains(&&*text);
        if let Some((name, value)) = text.split_once('=').filter(|_| text.starts_with("--")) {
            if name == long {
                values.push(OsString::from(value));
            }
        } else if text.starts_with("--") && !is_flag {
            let value = words.next().cloned().unwrap_or_default();
            if *text == *long {
                values.push(value);
            }
        } else if text.starts_with('-') && !is_flag {
            // Of the short ones `-o` alone has a value, at its end or in the next word.
            if let Some((_, value)) = text.split_once('o') {
                let value = match value.strip_prefix('=').unwrap_or(value) {
                    "" => words.next().cloned().unwrap_or_default(),
                    value => OsString::from(value),
                };
                if option == "output" {
                    values.push(value);
                }
            }
        } else if !is_flag {
            names.next();
            if names.peek().is_none() {
                break;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests;
