//! `decklaw backup` and `restore`: a server's whole data.

use super::serve::folder;
use super::{Answer, Outcome, Run};
use crate::serve;
use crate::text::{counted, harmless};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  decklaw backup /backups/monday --data /srv/decklaw\n\nIt holds names and decks, and of keys their digests alone. Events that `serve --event` names are folders of their own: `decklaw event copy`."
)]
pub(super) struct Backup {
    /// The folder to make
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// The server's data [default: the user's folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Backup {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let events = serve::back_up(&folder(self.data.as_deref())?, &self.to)?;
        told(run, &self.to, "a backup of the server", events);
        Ok(Outcome::Yes)
    }
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  decklaw restore /backups/monday --data /srv/decklaw\n\nA copy in which anything was changed is refused, with what was changed."
)]
pub(super) struct Restore {
    /// The backup's folder
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// A folder that is empty or not there yet [default: the user's folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Restore {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let data = folder(self.data.as_deref())?;
        let events = serve::restore(&self.from, &data)?;
        told(run, &data, "the server's data are restored", events);
        Ok(Outcome::Yes)
    }
}

fn told(run: &Run, folder: &Path, what: &str, events: usize) {
    let folder = folder.display().to_string();
    let events = counted(i64::try_from(events).unwrap_or(i64::MAX), "event");
    let folder = harmless(&folder, false);
    run.complain("note", &format!("{folder}: {what}, with {events}"));
}
