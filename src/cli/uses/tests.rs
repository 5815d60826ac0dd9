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
