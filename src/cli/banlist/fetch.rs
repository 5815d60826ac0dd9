//! `decklaw banlist fetch`: lists from the web.

use super::super::answer;
use super::super::configuration::{self, Found};
use super::super::files::{self, Readers};
use super::super::inputs;
use super::super::options::{Configured, Judging, Output, kinds};
use super::super::output::{self, TextAndJson};
use super::super::{Answer, Outcome, Refusal, Run};
use crate::banlist::fetch::{
    Copies, CopyState, Fetched, ListAddress, Network, New, NotAdmitted, STATE_FILE, WebError,
    fetch, has_credentials, without_credentials,
};
use crate::banlist::{Banlist, diff, in_force};
use crate::origin::{Given, Origin};
use crate::text::counted;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<TextAndJson<'_>>),
    after_help = "Name addresses in decklaw.yaml:\n  lists:\n    vainqueur-official:\n      url: https://example.org/vainqueur/list.yaml"
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
    configured: Configured,
    #[command(flatten)]
    output: Output,
}

/// What came of one list.
struct FetchOutcome {
    name: String,
    url: String,
    result: &'static str,
    /// Why no list was taken.
    reason: Option<String>,
    /// What else there is to say.
    changes: Vec<String>,
    /// Why the list is not in force by itself.
    notices: Vec<String>,
    stands: Option<Stands>,
}

/// The copy that is now kept.
struct Stands {
    list: Banlist,
    state: Option<CopyState>,
}

impl Fetch {
    pub(in super::super) fn run(&self, run: &Run) -> Answer {
        let outputs = output::Outputs::open(run, &self.output)?;
        let found = configuration::found(run, &self.judging())?;
        let Some(folder) = configuration::fetched_folder() else {
            return Err(Refusal(
                "there is no home folder to keep lists in; name one in DECKLAW_CONFIG".to_owned(),
            ));
        };
        let mut refused = Vec::new();
        let sources = self.sources(&found, &mut refused)?;
        let network = Network::new(self.timeout);
        let mut told = Vec::new();
        for source in &sources {
            let copies = Copies::read(folder.join(source.folder()))
                .map_err(|error| inputs::explain(&error))?;
            let outcome = if refused.contains(&source.name) {
                Err(WebError::Credentials.to_string())
            } else if self.offline {
                Err("not asked: `--offline`".to_owned())
            } else {
                let knows = |game: &str| found.catalogue.games().any(|known| known == game);
                let (today, replace) = (inputs::today(), self.output.place.replace);
                fetch(source, &copies, &knows, replace, &network, today)
                    .map_err(|refused| explain(&refused))
            };
            told.push(keep(run, source, copies, outcome)?);
        }
        tell_of_two(&mut told, run, &self.judging())?;
        let json = || {
            let lists: Vec<_> = told.iter().map(FetchOutcome::json).collect();
            Ok(json!({"schema": "decklaw/banlist-fetch/1", "lists": lists}))
        };
        let human = || {
            let text: String = told.iter().map(FetchOutcome::text).collect();
            run.tame(&text)
        };
        let report = TextAndJson {
            human: &human,
            json: &json,
        };
        let given: Vec<Given> = told.iter().filter_map(FetchOutcome::given).collect();
        outputs.emit(run, &report, &given)?;
        let failed = told.iter().any(|told| told.reason.is_some());
        Ok(if failed { Outcome::No } else { Outcome::Yes })
    }

    fn judging(&self) -> Judging {
        self.configured.clone().into()
    }

    /// The addresses that the call is about; `refused` get the names of those that are not asked.
    fn sources(
        &self,
        found: &Found,
        refused: &mut Vec<String>,
    ) -> Result<Vec<ListAddress>, Refusal> {
        if self.all {
            if found.sources.is_empty() {
                return Err(Refusal(
                    "no `lists:` in decklaw.yaml, so there is nothing to fetch".to_owned(),
                ));
            }
            return Ok(found.sources.clone());
        }
        let mut sources: Vec<ListAddress> = Vec::new();
        for named in &self.lists {
            let known = |source: &&ListAddress| source.name == *named || source.url == *named;
            let source = match found.sources.iter().find(known) {
                Some(source) => source.clone(),
                // A password is neither shown nor kept; this name stands for what is refused.
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
                    return Err(Refusal(match names.as_slice() {
                        [] => format!("`{named}` is no address, and decklaw.yaml has no `lists:`"),
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

/// Says of new lists that others are in force beside them, on this day or the one from which
/// they are effective.
fn tell_of_two(told: &mut [FetchOutcome], run: &Run, judging: &Judging) -> Result<(), Refusal> {
    if !told.iter().any(|told| told.result == "new") {
        return Ok(());
    }
    let lists = configuration::found(run, judging)?.lists;
    let today = inputs::today();
    for told in told.iter_mut().filter(|told| told.result == "new") {
        let Some(stands) = &told.stands else { continue };
        let (game, effective) = (&stands.list.game, stands.list.effective);
        let known = lists.of(game).map_err(|error| inputs::explain(&error))?;
        let days = [today, effective.max(today)];
        let two = days.iter().find_map(|day| {
            let formats = stands.list.formats.iter().map(|id| id.value.as_str());
            let formats: Vec<Option<&str>> = formats.map(Some).chain([None]).collect();
            let mut each = formats.into_iter();
            each.find_map(|format| in_force(&known, game, format, *day).err())
        });
        told.notices.extend(two.map(|two| two.to_string()));
    }
    Ok(())
}

fn explain(refused: &NotAdmitted) -> String {
    match refused {
        NotAdmitted::Malformed(error) => format!("malformed\n{}", inputs::explain(error).0),
        other => answer::with_help(&other.to_string(), other.help().unwrap_or_default()),
    }
}

/// Writes what is to be kept. The list comes before what is known of it, so that a break
/// between them only makes the next call ask for everything.
fn keep(
    run: &Run,
    source: &ListAddress,
    copies: Copies,
    outcome: Result<Fetched, String>,
) -> Result<FetchOutcome, Refusal> {
    let kept = copies.latest().map(|list| Stands {
        list: list.clone(),
        state: copies.state().cloned(),
    });
    let mut told = FetchOutcome {
        name: source.name.clone(),
        url: source.url.clone(),
        result: "unchanged",
        reason: None,
        changes: Vec::new(),
        notices: Vec::new(),
        stands: kept,
    };
    match outcome {
        Ok(Fetched::Unchanged) => {}
        Ok(Fetched::Confirmed(state)) => {
            if let Some(stands) = &mut told.stands {
                let file = PathBuf::from(&stands.list.file);
                write_state(run, &file, &state)?;
                stands.state = Some(state);
            }
        }
        Ok(Fetched::New(new)) => {
            let New {
                mut list,
                bytes,
                file,
                state,
                withdrawn,
            } = *new;
            let _claim = match file.parent() {
                Some(folder) => {
                    std::fs::create_dir_all(folder)
                        .map_err(|error| Refusal(format!("{}: {error}", folder.display())))?;
                    let claim = files::claim(folder);
                    // Whatever another process fetched meanwhile was not held against this.
                    let now = Copies::read(folder.to_owned());
                    let now = now.map_err(|error| inputs::explain(&error))?;
                    let before = copies.latest().map(|list| &list.sha256);
                    let now = now.latest().map(|list| &list.sha256);
                    if now != before && now != Some(&list.sha256) {
                        told.result = "failed";
                        told.reason = Some(
                            "another call fetched this list meanwhile; run it again".to_owned(),
                        );
                        return Ok(told);
                    }
                    Some(claim)
                }
                None => None,
            };
            run.renew(&file, &bytes, Readers::Anyone)?;
            for old in withdrawn {
                let mut aside = old.clone().into_os_string();
                aside.push(".withdrawn");
                std::fs::rename(&old, aside)
                    .map_err(|error| Refusal(format!("{}: {error}", old.display())))?;
            }
            write_state(run, &file, &state)?;
            list.file = file.display().to_string();
            told.result = "new";
            if let Some(before) = &told.stands {
                let changes = diff(&before.list, &list);
                told.changes = changes.iter().map(ToString::to_string).collect();
            }
            told.stands = Some(Stands {
                list,
                state: Some(state),
            });
        }
        Err(reason) => {
            told.result = "failed";
            told.reason = Some(reason);
        }
    }
    Ok(told)
}

fn write_state(run: &Run, list: &Path, state: &CopyState) -> Result<(), Refusal> {
    run.renew(
        &list.with_file_name(STATE_FILE),
        state.text()?.as_bytes(),
        Readers::Anyone,
    )
}

impl FetchOutcome {
    fn text(&self) -> String {
        let name = &self.name;
        let Some(stands) = &self.stands else {
            let reason = self.reason.as_deref().unwrap_or_default();
            return format!("{name}: {}\n    no copy is kept\n", indented(reason));
        };
        let copy = stands.text();
        match &self.reason {
            Some(reason) => format!("{name}: {}\n    kept: {copy}\n", indented(reason)),
            None => {
                let changes: String = self
                    .changes
                    .iter()
                    .map(|change| format!("    {change}\n"))
                    .collect();
                let notices = self.notices.iter();
                let notices: String = notices.map(|said| format!("    note: {said}\n")).collect();
                format!("{name}: {}: {copy}\n{changes}{notices}", self.result)
            }
        }
    }

    /// The list that stands, as what it is wherever it decides.
    fn given(&self) -> Option<Given> {
        let list = &self.stands.as_ref()?.list;
        let name = self.name.clone();
        let shown = format!("{name}/{}", list.id);
        let origin = Origin::Fetched(name);
        Given::file(&list.game, "banlist", &shown, &list.sha256, &origin)
    }

    fn json(&self) -> serde_json::Value {
        let stands = self.stands.as_ref().map(|stands| {
            let list = &stands.list;
            json!({"id": list.id, "game": list.game, "effective": list.effective.to_string(),
                "cards": list.listed().count(), "sha256": list.sha256, "file": list.file,
                "fetched": stands.state.as_ref().map(|state| &state.fetched)})
        });
        json!({"name": self.name, "url": self.url, "result": self.result,
            "reason": self.reason, "changes": self.changes, "notices": self.notices, "list": stands})
    }
}

impl Stands {
    fn text(&self) -> String {
        let Banlist {
            id,
            game,
            effective,
            entries,
            ..
        } = &self.list;
        let cards = counted(entries.len() as i64, "card");
        let mut text = format!("{id} ({game}, {cards}, effective {effective}");
        match &self.state {
            Some(state) => text.push_str(&format!(", fetched {}", state.fetched)),
            None => text.push_str(", changed since it was fetched"),
        }
        text + ")"
    }
}

/// The further lines of a reason, under the first.
fn indented(reason: &str) -> String {
    reason.replace('\n', "\n    ")
}
