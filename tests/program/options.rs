//! The options of every command: in the table `options` those of each but for those that all have,
//! its own and its groups of `GROUPS`.

use std::collections::BTreeSet;

/// Options that several commands have.
const GROUPS: [(&str, &str); 5] = [
    ("JUDGING", "format cards banlist as-of set locked no-local"),
    ("RULES", "cards banlist as-of no-local"),
    ("SET", "set"),
    ("POOL", "format cards no-local"),
    ("OUTPUT", "output to replace"),
];
/// What every command has.
const COMMON: &str = "color quiet verbose help";

#[test]
fn every_command_has_the_options_of_the_interface_and_no_others() {
    let options = |command: &clap::Command| -> BTreeSet<String> {
        command.get_arguments().filter_map(clap::Arg::get_long).map(str::to_owned).collect()
    };
    let found = crate::common::leaves().into_iter();
    let mut found: Vec<_> = found.map(|(name, command)| (name, options(&command))).collect();
    let names_of = |word: &'static str| {
        let group = GROUPS.iter().find(|(name, _)| *name == word);
        group.map_or(word, |(_, names)| names).split(' ')
    };
    let rows = crate::common::table("options").map(|row| row.split_once(':').unwrap());
    let mut known: Vec<(String, BTreeSet<String>)> = rows
        .map(|(name, own)| {
            let words = own.split_whitespace().chain(COMMON.split(' '));
            let words = words.flat_map(names_of).map(str::to_owned);
            (name.to_owned(), words.collect())
        })
        .collect();
    known.sort();
    found.sort();
    let names = |all: &[(String, _)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&known));
    for (found, known) in found.iter().zip(&known) {
        assert_eq!(found, known);
    }
}
