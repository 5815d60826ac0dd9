//! Values of a call that are not what their option takes: what is wanted, and what to type.

use super::inputs::today;
use crate::spreadsheet::{moment, moment_in_words};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use jiff::civil::Date;
use std::error::Error as _;

/// What is said of `45987`: the example behind it is what it probably means.
const NUMBER_OF_DAYS: &str = "this is a spreadsheet's number of days, and a date is wanted";

/// What is wrong with a call, for somebody who has never seen such a value written; `None`
/// where the reader of the command line says all there is to say. `command` is all of decklaw.
pub(super) fn explained(error: &clap::Error, command: clap::Command) -> Option<String> {
    let argument = match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(argument) => argument,
        _ => return None,
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            let ContextValue::String(value) = error.get(ContextKind::InvalidValue)? else {
                return None;
            };
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            value_of(argument, value, &why)
        }
        ErrorKind::UnknownArgument => elsewhere(argument, command),
        _ => None,
    }
}

/// Explains a value: `argument` is the option with its placeholder, such as `--hand <N>`.
fn value_of(argument: &str, value: &str, why: &str) -> Option<String> {
    let (option, placeholder) = argument.split_once(' ').unwrap_or(("", argument));
    let placeholder = placeholder.trim_matches(['<', '>', '[', ']', '.']);
    // What an option's own reader says of a value is for people already.
    let own = Some(why).filter(|why| {
        ["a ", "it ", "there is"]
            .iter()
            .any(|start| why.starts_with(start))
    });
    let or = |wanted: &str| own.unwrap_or(wanted).to_owned();
    let (wanted, example) = match placeholder {
        "YYYY-MM-DD" => day(value),
        "SECONDS" => (or("a number of seconds is wanted"), "30".to_owned()),
        "N" | "K" | "MIB" | "TURN" => {
            let (wanted, example) = number(option, value, why);
            (or(&wanted), example)
        }
        "N,N,…" => (
            "whole numbers are wanted, with commas between them".to_owned(),
            "0,0,1".to_owned(),
        ),
        "POLICY" => (
            own.map_or_else(|| why.to_owned(), str::to_owned),
            "'shuffle, at most 2, bottom 0 1 2'".to_owned(),
        ),
        "NAME=TURN,…" => (
            "an event's name and numbers of turns are wanted".to_owned(),
            "destroyed=2,4".to_owned(),
        ),
        "SEAT" | "SEAT|draw" => (or("a seat is wanted"), "B".to_owned()),
        "URL" => (
            or("an address is wanted"),
            "https://example.org/cards/".to_owned(),
        ),
        "ZONE" => (or("a zone is wanted"), "Europe/Berlin".to_owned()),
        "TIME" => match moment(value) {
            Some(at) => (NUMBER_OF_DAYS.to_owned(), moment_in_words(at)),
            None => (or("a time is wanted"), time(value)),
        },
        "ADDR" => (
            "an address of this machine is wanted, in numbers".to_owned(),
            "0.0.0.0".to_owned(),
        ),
        _ => return None,
    };
    Some(format!(
        "`{option} {value}`: {wanted}, as in `{option} {example}`"
    ))
}

/// A whole number, and the one that was meant, where that is plain.
fn number(option: &str, value: &str, why: &str) -> (String, String) {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let bounds = why.split_once(" is not in ").and_then(|(_, range)| {
        let (from, to) = range.split_once("..")?;
        Some((from.to_owned(), to.trim_start_matches('=').to_owned()))
    });
    let wanted = match &bounds {
        Some((from, to)) if to.is_empty() => format!("a whole number from {from} is wanted"),
        Some((from, to)) => format!("a whole number from {from} to {to} is wanted"),
        None if why.contains("too large") => "a smaller whole number is wanted".to_owned(),
        None => "a whole number is wanted".to_owned(),
    };
    let plain: String = value
        .chars()
        .filter(|next| !"_' \u{a0}".contains(*next))
        .collect();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = WORDS
        .iter()
        .position(|word| value.eq_ignore_ascii_case(word));
    let power = plain.split_once(['e', 'E']).and_then(|(factor, zeros)| {
        let zeros: usize = zeros.parse().ok().filter(|zeros| *zeros < 16)?;
        digits(factor).then(|| format!("{factor}{}", "0".repeat(zeros)))
    });
    let usual = match option {
        "--port" => "7333",
        "--hand" => "7",
        _ => "3",
    };
    let meant = match (word, power) {
        (Some(word), _) => word.to_string(),
        (_, Some(power)) => power,
        _ if digits(&plain) && bounds.is_none() && plain.len() < 10 => plain,
        _ => usual.to_owned(),
    };
    (wanted, meant)
}

/// A day, and the one that was meant, where that is plain.
fn day(value: &str) -> (String, String) {
    let (wanted, meant) = day_of(value);
    (wanted.to_owned(), meant.to_string())
}

fn day_of(value: &str) -> (&'static str, Date) {
    let usual = Date::constant(2026, 3, 1);
    let written = "a day is written year-month-day";
    if let Some(at) = moment(value) {
        return (NUMBER_OF_DAYS, at.date());
    }
    match value.trim().to_lowercase().as_str() {
        "today" | "now" => return ("a day is written as a date", today()),
        "tomorrow" => {
            return (
                "a day is written as a date",
                today().tomorrow().unwrap_or(usual),
            );
        }
        "yesterday" => {
            return (
                "a day is written as a date",
                today().yesterday().unwrap_or(usual),
            );
        }
        _ => {}
    }
    let parts: Vec<&str> = value
        .trim()
        .split(|next: char| !next.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect();
    let [one, two, three] = parts.as_slice() else {
        return (written, usual);
    };
    let number = |part: &str| part.parse::<i16>().unwrap_or(0);
    let small = |part: &str| i8::try_from(number(part)).unwrap_or(0);
    let (year, month, day) = match (one.len(), three.len()) {
        (4, 1..=2) => (one, small(two), small(three)),
        // Dots stand between day, month and year; with other marks only a day beyond 12 tells.
        (1..=2, 4) if value.contains('.') || small(one) > 12 => (three, small(two), small(one)),
        (1..=2, 4) if small(two) > 12 => (three, small(one), small(two)),
        _ => return (written, usual),
    };
    match Date::new(number(year), month, day) {
        Ok(meant) => (written, meant),
        Err(_) => ("there is no such day", usual),
    }
}

/// A time, of the day that was meant, where that is plain.
fn time(value: &str) -> String {
    let (_, day) = day_of(value.split(['T', ' ']).next().unwrap_or_default());
    format!("{day}T18:00")
}

/// An option that other commands have.
fn elsewhere(argument: &str, mut command: clap::Command) -> Option<String> {
    let option = argument.split(['=', ' ']).next().unwrap_or_default();
    let is_it = |known: &clap::Arg| match option.strip_prefix("--") {
        Some(long) => known.get_long() == Some(long),
        None => option
            .strip_prefix('-')
            .is_some_and(|short| known.get_short().is_some_and(|own| short.chars().eq([own]))),
    };
    command.build();
    let mut having = Vec::new();
    search(&command, "", &is_it, &mut having);
    (!having.is_empty()).then(|| {
        let mut having: Vec<String> = having.iter().map(|words| format!("`{words}`")).collect();
        // Where many have it, the first say enough.
        if having.len() > 6 {
            having.truncate(5);
            having.push("others".to_owned());
        }
        format!(
            "this command has no option `{option}`; {} it",
            match having.as_slice() {
                [only] => format!("{only} has"),
                several => format!("{} have", crate::text::listed(several, "and")),
            }
        )
    })
}

/// The commands that have an option, by their words.
fn search(
    command: &clap::Command,
    words: &str,
    is_it: &dyn Fn(&clap::Arg) -> bool,
    found: &mut Vec<String>,
) {
    let has = |option: &clap::Arg| is_it(option) && !option.is_global_set();
    if command.get_arguments().any(has) {
        found.push(words.trim().to_owned());
    }
    for inner in command
        .get_subcommands()
        .filter(|inner| inner.get_name() != "help")
    {
        search(
            inner,
            &format!("{words} {}", inner.get_name()),
            is_it,
            found,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn what_was_meant_is_what_is_shown() {
        let said = |argument: &str, value: &str, why: &str| {
            value_of(argument, value, why).unwrap_or_default()
        };
        let example = |text: String| text.rsplit('`').nth(1).unwrap_or_default().to_owned();
        for (value, day) in [
            ("22.11.2026", "2026-11-22"),
            ("1.3.2026", "2026-03-01"),
            ("2026/3/9", "2026-03-09"),
            ("11/22/2026", "2026-11-22"),
            ("22/11/2026", "2026-11-22"),
            ("next week", "2026-03-01"),
            ("2026-02-30", "2026-03-01"),
            ("45987", "2025-11-26"),
            ("45987.75", "2025-11-26"),
            ("459870", "2026-03-01"),
        ] {
            let text = said("--as-of <YYYY-MM-DD>", value, "");
            assert_eq!(example(text), format!("--as-of {day}"), "{value}");
        }
        for (value, time) in [
            ("45987", "2025-11-26"),
            ("45987.75", "2025-11-26T18:00"),
            ("46082,695", "2026-03-01T16:40:48"),
            ("1.3.2026", "2026-03-01T18:00"),
        ] {
            let text = said("--deadline <TIME>", value, "it must be a time");
            assert_eq!(example(text), format!("--deadline {time}"), "{value}");
        }
        for (value, number) in [("seven", "7"), ("1,5", "7"), ("", "7"), ("1_0", "10")] {
            let text = said("--hand <N>", value, "invalid digit found in string");
            assert_eq!(example(text), format!("--hand {number}"), "{value}");
        }
        let text = said("--deal <N>", "1e9", "invalid digit found in string");
        assert_eq!(example(text), "--deal 1000000000");
    }

    /// Every option that can refuse a value says what to type, and that is taken.
    #[test]
    fn every_example_can_be_typed() {
        let mut command = super::super::Cli::command();
        command.build();
        let mut tried = 0;
        try_all(&command, &mut vec!["decklaw".to_owned()], &mut tried);
        assert!(tried > 30, "{tried}");
    }

    fn try_all(command: &clap::Command, words: &mut Vec<String>, tried: &mut usize) {
        for option in command.get_arguments() {
            let Some(long) = option
                .get_long()
                .filter(|_| option.get_num_args() == Some(1.into()))
            else {
                continue;
            };
            let value_of = |value: &str| {
                let mut call = words.clone();
                call.extend([format!("--{long}"), value.to_owned()]);
                super::super::Cli::command().try_get_matches_from(call)
            };
            let Err(error) = value_of("no such value") else {
                continue;
            };
            if error.kind() != ErrorKind::ValueValidation {
                continue;
            }
            *tried += 1;
            let text = explained(&error, super::super::Cli::command()).unwrap_or_default();
            let example = text.rsplit('`').nth(1).unwrap_or_default();
            let example = example
                .strip_prefix(&format!("--{long} "))
                .unwrap_or_default();
            assert!(
                !example.is_empty(),
                "{words:?} --{long}: {text:?} of {error}"
            );
            // A shell takes the quotation marks off.
            if let Err(again) = value_of(example.trim_matches('\'')) {
                assert_ne!(
                    again.kind(),
                    ErrorKind::ValueValidation,
                    "--{long} {example}"
                );
            }
        }
        for inner in command
            .get_subcommands()
            .filter(|inner| inner.get_name() != "help")
        {
            words.push(inner.get_name().to_owned());
            try_all(inner, words, tried);
            words.pop();
        }
    }
}
