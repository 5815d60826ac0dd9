//! The options of every command.

use std::collections::BTreeSet;

/// The options of each command but for those that all have: its own, and its groups of `GROUPS`.
const OPTIONS: &str = "\
check: from only summary submissions columns deadline zone dates late JUDGING OUTPUT
stream: brief JUDGING
fix: from write keep only own effort proof JUDGING OUTPUT
room: from effort JUDGING OUTPUT
swap: from write effort JUDGING OUTPUT
build: from wish prefer own for turn seed effort proof locked RULES SET OUTPUT
edit: no-open JUDGING
odds: from hand turns section given keep-hand policy draws expect path event seat deal seed svg show-work effort JUDGING OUTPUT
tune: from changes keep only wish own turn keep-hand hand policy effort proof JUDGING OUTPUT
stats: from section svg JUDGING OUTPUT
convert: to-format from section to replace JUDGING
print: from only paper backs pictures sheet JUDGING OUTPUT
match new: deck player option allow-illegal seed decide count JUDGING OUTPUT
match decide: seal RULES OUTPUT
match view: seat at no-local OUTPUT
match show: no-local OUTPUT
match sheet: no-local OUTPUT
match verify: RULES OUTPUT
match next: won seed no-local OUTPUT
match play: no-open JUDGING
match export: tabletop-simulator image-base-url replace RULES
explain: JUDGING OUTPUT
cards list: POOL OUTPUT
cards show: POOL OUTPUT
cards check: format no-local OUTPUT
cards template: pool POOL OUTPUT
cards export: cockatrice POOL OUTPUT
formats list: no-local OUTPUT
formats show: locked RULES SET OUTPUT
formats check: OUTPUT
formats new:
banlist list: as-of no-local OUTPUT
banlist show: as-of no-local OUTPUT
banlist check: POOL OUTPUT
banlist diff: no-local OUTPUT
banlist fetch: all timeout offline no-local OUTPUT
banlist lock: format RULES SET OUTPUT
serve: port open listen public-url data event RULES SET
publish: engine replace RULES SET
event new: name deadline zone late players format RULES SET
event import: yes players columns dates at replaces why OUTPUT
event status: OUTPUT
event print: only OUTPUT
event export: only decks OUTPUT
event decide: why by OUTPUT
event undo: yes OUTPUT
event show: OUTPUT
event check: dry OUTPUT
event stats: verdict OUTPUT
completions: OUTPUT
man: OUTPUT";

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
    let rows = OPTIONS.lines().map(|row| row.split_once(':').unwrap());
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
