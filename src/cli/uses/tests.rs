use super::*;
use clap::CommandFactory;

fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
    let inner: Vec<_> = command
        .get_subcommands()
        .filter(|inner| inner.get_name() != "help")
        .collect();
    if inner.is_empty() {
        found.push((words.trim().to_owned(), command.clone()));
    }
    for inner in inner {
        leaves(inner, &format!("{words} {}", inner.get_name()), found);
    }
}

fn every() -> Vec<(String, clap::Command)> {
    let mut command = super::super::Cli::command();
    command.build();
    let mut found = Vec::new();
    leaves(&command, "", &mut found);
    found
}

#[test]
fn every_command_says_what_it_has_a_use_for() {
    let (mut have, mut said): (Vec<String>, Vec<String>) = (
        every().into_iter().map(|(words, _)| words).collect(),
        COMMANDS
            .iter()
            .map(|(words, _)| (*words).to_owned())
            .collect(),
    );
    if cfg!(not(feature = "serve")) {
        said.retain(|words| words != "serve" && !words.starts_with("event"));
    }
    if cfg!(not(feature = "paper")) {
        said.retain(|words| words != "match export" && words != "print");
    }
    have.sort();
    said.sort();
    assert_eq!(have, said, "a command is missing here, or is none");
}

#[test]
fn every_common_option_is_a_manner_or_declared() {
    let command = super::super::Cli::command();
    for option in command
        .get_arguments()
        .filter(|option| option.is_global_set())
    {
        let id = option.get_id().as_str();
        let known = MANNERS.contains(&id) || JUDGING.contains(&id) || WRITING.contains(&id);
        assert!(known, "{id}: is it of use to every command?");
    }
}

#[test]
fn the_ways_name_options_that_there_are() {
    let every = every();
    let has = |command: &str, id: &str| {
        let found = every.iter().find(|(words, _)| words == command);
        let found =
            found.map(|(_, command)| command.get_arguments().any(|option| option.get_id() == id));
        assert_eq!(found, Some(true), "{command} {id}");
    };
    for way in WAYS {
        for id in [way.with, way.without, way.idle].concat() {
            has(way.command, id);
        }
    }
    for need in NEEDS {
        has(need.command, need.option);
        need.beside.iter().for_each(|id| has(need.command, id));
    }
}

#[test]
fn what_stands_before_a_name_is_found() {
    let call = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
    let early = |text: &str, option: &str, command: &str| -> Vec<String> {
        let found = before_the_name(&call(text), option, command);
        found
            .into_iter()
            .map(|value| value.to_string_lossy().into_owned())
            .collect()
    };
    let text = "decklaw -q --set a=1 -ojson --color never match --set=b=2 -qo csv new x --set c=3";
    assert_eq!(early(text, "set", "match new"), ["a=1", "b=2"]);
    assert_eq!(early(text, "output", "match new"), ["json", "csv"]);
    assert!(early(text, "format", "match new").is_empty());
    assert!(early("decklaw check --set a=1", "set", "check").is_empty());
}
