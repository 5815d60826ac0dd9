//! `decklaw banlist fetch`: lists from the web.

use super::super::answer;
use super::super::configuration::{self, LoadedConfiguration};
use super::super::files::{self, Readers};
use super::super::options::{self, ConfigurationOptions, Judging, Output, kinds};
use super::super::output::{self, TextAndJson};
use super::super::{Answer, CliError, Outcome, Run};
use crate::banlist::{Banlist, diff, in_force};
use crate::cli::fetch::{
    Copies, CopyState, FetchError, FetchResult, ListAddress, Network, Policy, STATE_FILE, fetch,
    has_credentials, without_credentials,
};
use crate::text::counted;
use serde_json::json;
use std::path::Path;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<TextAndJson<'_>>),
    after_help = "Examples:\n  decklaw banlist fetch --all\n  decklaw banlist fetch https://example.org/vainqueur/list.yaml\n\nName addresses in decklaw.yaml:\n  lists:\n    vainqueur-official:\n      url: https://example.org/vainqueur/list.yaml"
)]
pub(in super::super) struct Fetch {
    /// Addresses, or names of addresses in decklaw.yaml
    #[arg(value_name = "URL|NAME", required_unless_present = "all")]
    lists: Vec<String>,
    /// Every list in decklaw.yaml
    #[arg(long, conflicts_with = "lists")]
    all: bool,
    /// Wait at most this long for each list
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Never use the network
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    configured: ConfigurationOptions,
    #[command(flatten)]
    output: Output,
}

/// The result of one fetch.
struct FetchOutcome {
    name: String,
    url: String,
    result: &'static str,
    /// Why no list was taken.
    reason: Option<String>,
    changes: Vec<String>,
    notices: Vec<String>,
    kept: Option<KeptList>,
}

/// The copy that is now kept.
struct KeptList {
    list: Banlist,
    state: Option<CopyState>,
}

impl Fetch {
    pub(in super::super) fn run(&self, run: &Run) -> Answer {
        let outputs = output::Outputs::open(&self.output)?;
        let found = configuration::found(&self.judging())?;
        let Some(folder) = configuration::fetched_folder() else {
            return Err(CliError::call("no home folder for lists; set DECKLAW_CONFIG"));
        };
        let mut refused = Vec::new();
        let sources = self.sources(&found, &mut refused)?;
        let network = Network::new(self.timeout);
        let policy = Policy {
            knows_game: &|game| found.catalogue.games().any(|known| known == game),
            replace: self.output.place.replace,
            today: options::today(),
        };
        let mut outcomes = Vec::new();
        for source in &sources {
            let folder = folder.join(source.folder());
            let asks = !self.offline && !refused.contains(&source.name);
            // Another call for this list waits here and then sees what this one has kept.
            let _claim = asks.then(|| {
                // Where it cannot be made, writing reports why.
                let _ = std::fs::create_dir_all(&folder);
                files::claim(&folder)
            });
            let copies = Copies::read(folder)?;
            let fetched = if self.offline {
                Err("not asked: `--offline`".to_owned())
            } else if asks {
                fetch(source, &copies, &policy, |known| network.get(&source.url, known))
                    .map_err(|refused| explain(&refused))
            } else {
                Err("an address must not hold a user's name or password".to_owned())
            };
            outcomes.push(keep(source, &copies, fetched)?);
        }
        note_conflicts(&mut outcomes, &self.judging())?;
        let json = || {
            let lists: Vec<_> = outcomes.iter().map(FetchOutcome::json).collect();
            Ok(json!({"schema": "decklaw/banlist-fetch/1", "lists": lists}))
        };
        let human = || {
            let text: String = outcomes.iter().map(FetchOutcome::text).collect();
            run.printable(&text)
        };
        let report = TextAndJson { human: &human, json: &json };
        outputs.emit(run, &report)?;
        let failed = outcomes.iter().any(|outcome| outcome.reason.is_some());
        Ok(if failed { Outcome::No } else { Outcome::Yes })
    }

    fn judging(&self) -> Judging {
        self.configured.clone().into()
    }

    /// The addresses that the call is about; `refused` get the names of those that are not asked.
    fn sources(
        &self,
        found: &LoadedConfiguration,
        refused: &mut Vec<String>,
    ) -> Result<Vec<ListAddress>, CliError> {
        if self.all {
            if found.sources.is_empty() {
                return Err(CliError::call(
                    "no `lists:` in decklaw.yaml, so there is nothing to fetch",
                ));
            }
            return Ok(found.sources.clone());
        }
        let mut sources: Vec<ListAddress> = Vec::new();
        for named in &self.lists {
            let known = |source: &&ListAddress| source.name == *named || source.url == *named;
            let source = match found.sources.iter().find(known) {
                Some(source) => source.clone(),
                // A password is neither shown nor stored: the refused address is shown without it.
                None if has_credentials(named) => {
                    let shown = without_credentials(named);
                    let name = ListAddress::name_for(&shown);
                    refused.push(name.clone());
                    ListAddress::new(&name, &shown, None)?
                }
                None if named.contains("://") => {
                    ListAddress::new(&ListAddress::name_for(named), named, None)?
                }
                None => {
                    let names: Vec<&str> = found.sources.iter().map(|s| s.name.as_str()).collect();
                    return Err(CliError::call(match names.as_slice() {
                        [] => {
                            format!("`{named}` is not an address, and decklaw.yaml has no `lists:`")
                        }
                        names => format!(
                            "`{named}` is neither an address nor one of {}",
                            crate::text::listed(names, "and")
                        ),
                    }));
                }
            };
            if !sources.iter().any(|other| other.name == source.name) {
                sources.push(source);
            }
        }
        Ok(sources)
    }
}

/// Notes which new lists are in force at the same time as another list, on this day or from the
/// day on which they are effective.
fn note_conflicts(outcomes: &mut [FetchOutcome], judging: &Judging) -> Result<(), CliError> {
    let is_new = |outcome: &&mut FetchOutcome| outcome.result == "new";
    let mut new = outcomes.iter_mut().filter(is_new).peekable();
    if new.peek().is_none() {
        return Ok(());
    }
    let lists = configuration::found(judging)?.lists;
    let today = options::today();
    for outcome in new {
        let Some(KeptList { list, .. }) = &outcome.kept else {
            continue;
        };
        let known = lists.of(&list.game)?;
        let formats = list.formats.iter().map(|id| Some(id.value.as_str()));
        let formats: Vec<Option<&str>> = formats.chain([None]).collect();
        let conflict = [today, list.effective.max(today)].iter().find_map(|day| {
            let mut each = formats.iter();
            each.find_map(|format| in_force(&known, &list.game, *format, *day).err())
        });
        let conflict = conflict.map(|conflict| conflict.to_string());
        outcome.notices.extend(conflict);
    }
    Ok(())
}

fn explain(refused: &FetchError) -> String {
    match refused {
        FetchError::Malformed(error) => {
            format!("malformed\n{}", CliError::from(error.clone()).message)
        }
        other => answer::with_help(&other.to_string(), other.help().unwrap_or_default()),
    }
}

/// Writes what is to be kept. The list comes before its state, so that a break between them only
/// makes the next call ask for everything.
fn keep(
    source: &ListAddress,
    copies: &Copies,
    fetched: Result<FetchResult, String>,
) -> Result<FetchOutcome, CliError> {
    let kept =
        copies.latest().map(|list| KeptList { list: list.clone(), state: copies.state().cloned() });
    let mut outcome = FetchOutcome {
        name: source.name.clone(),
        url: source.url.clone(),
        result: "unchanged",
        reason: None,
        changes: Vec::new(),
        notices: Vec::new(),
        kept,
    };
    match fetched {
        Ok(FetchResult::Unchanged) => {}
        Ok(FetchResult::Confirmed(state)) => {
            if let Some(kept) = &mut outcome.kept {
                write_state(Path::new(&kept.list.file), &state)?;
                kept.state = Some(state);
            }
        }
        Ok(FetchResult::New(new)) => {
            files::write(&new.file, &new.bytes, Readers::Anyone, true)?;
            for old in &new.withdrawn {
                let mut withdrawn = old.clone().into_os_string();
                withdrawn.push(".withdrawn");
                std::fs::rename(old, withdrawn)
                    .map_err(|error| CliError::call(format!("{}: {error}", old.display())))?;
            }
            write_state(&new.file, &new.state)?;
            let mut list = new.list;
            list.file = new.file.display().to_string();
            outcome.result = "new";
            if let Some(before) = &outcome.kept {
                let changes = diff(&before.list, &list);
                outcome.changes = changes.iter().map(ToString::to_string).collect();
            }
            outcome.kept = Some(KeptList { list, state: Some(new.state) });
        }
        Err(reason) => {
            outcome.result = "failed";
            outcome.reason = Some(reason);
        }
    }
    Ok(outcome)
}

fn write_state(list: &Path, state: &CopyState) -> Result<(), CliError> {
    files::write(&list.with_file_name(STATE_FILE), state.text()?.as_bytes(), Readers::Anyone, true)
}

impl FetchOutcome {
    fn text(&self) -> String {
        let copy = match &self.kept {
            Some(kept) => format!("kept: {}", kept.text()),
            None => "no copy is kept".to_owned(),
        };
        let (name, result) = (&self.name, self.result);
        match (&self.reason, &self.kept) {
            (None, Some(kept)) => {
                let notices = self.notices.iter().map(|notice| format!("note: {notice}"));
                let lines = self.changes.iter().cloned().chain(notices);
                let lines: String = lines.map(|line| format!("    {line}\n")).collect();
                format!("{name}: {result}: {}\n{lines}", kept.text())
            }
            (reason, _) => {
                let reason = reason.as_deref().unwrap_or_default();
                format!("{name}: {}\n    {copy}\n", reason.replace('\n', "\n    "))
            }
        }
    }

    fn json(&self) -> serde_json::Value {
        let kept = self.kept.as_ref().map(|kept| {
            let list = &kept.list;
            json!({"id": list.id, "game": list.game, "effective": list.effective.to_string(),
                "cards": list.listed().count(), "sha256": list.sha256, "file": list.file,
                "fetched": kept.state.as_ref().map(|state| &state.fetched)})
        });
        json!({"name": self.name, "url": self.url, "result": self.result,
            "reason": self.reason, "changes": self.changes, "notices": self.notices, "list": kept})
    }
}

impl KeptList {
    fn text(&self) -> String {
        let Banlist { id, game, effective, entries, .. } = &self.list;
        let cards = counted(entries.len() as i64, "card");
        let mut text = format!("{id} ({game}, {cards}, effective {effective}");
        match &self.state {
            Some(state) => text.push_str(&format!(", fetched {}", state.fetched)),
            None => text.push_str(", changed since it was fetched"),
        }
        text + ")"
    }
}
