//! `decklaw serve` and `edit`: the library in a browser.

use super::files::{self, Exchange, Readers};
use super::options::{Judging, Setting, Settled};
use super::{Answer, CliError, Outcome, Run, configuration, inputs};
use crate::judge::Judge;
use crate::serve::{self, Config, JudgeOptions, ListChoice, Server, ToEdit};
use decklaw_text::{Problem, ProblemKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The port, unless another is chosen.
const PORT: u16 = 7333;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw serve --open\n  decklaw serve --listen 0.0.0.0 --data /srv/decklaw\n\n`docs/server.md` explains how to run it for others."
)]
pub(super) struct Serve {
    /// Port; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Open a browser
    #[arg(long)]
    open: bool,
    /// Address to listen on; 0.0.0.0 lets others connect
    #[arg(long, value_name = "ADDR", value_parser = ip)]
    listen: Option<IpAddr>,
    /// One more address that others use: a name, or that of a proxy
    #[arg(long, value_name = "URL", requires = "listen")]
    public_url: Option<String>,
    /// Folder for its data [default: the user's]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Serve the event in this folder
    #[arg(long, value_name = "DIR")]
    event: Vec<PathBuf>,
    #[command(flatten)]
    settled: Settled,
}

impl Serve {
    pub(super) fn run(&self, run: &Run) -> Answer {
        if let Some(url) = &self.public_url
            && !["http://", "https://"].iter().any(|start| url.starts_with(start))
        {
            return Err(CliError::call(format!(
                "`--public-url {url}` must begin with https:// or http://"
            )));
        }
        let mut config =
            Config::new(judges(run, self.settled.clone().into()), folder(self.data.as_deref())?);
        config.events.clone_from(&self.event);
        config.public_url.clone_from(&self.public_url);
        let ip = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let server = Server::bind(config, SocketAddr::new(ip, self.port))?;
        serve_until_stopped(server, self.listen.is_some(), self.open, run)
    }
}

/// Makes judges as the options say, and by the terms of an event.
fn judges(run: &Run, judging: Judging) -> Box<serve::MakeJudge> {
    let run = run.clone();
    Box::new(move |terms: &JudgeOptions| {
        judge(&run, judging.clone(), terms)
            .map_err(|error| Problem::new(ProblemKind::Game, error.message))
    })
}

fn judge(run: &Run, mut judging: Judging, terms: &JudgeOptions) -> Result<Judge, CliError> {
    let settled = &mut judging.by.settled;
    let rules = &mut settled.rules;
    rules.day.as_of = terms.day.or(rules.day.as_of);
    let given = terms
        .settings
        .iter()
        .map(|(name, value)| Setting { name: name.clone(), value: value.clone() });
    // The inputs of an event take precedence over those of the server.
    let set = &mut settled.set;
    set.retain(|setting| !terms.settings.contains_key(&setting.name));
    set.extend(given);
    match &terms.list {
        ListChoice::InForce => {}
        ListChoice::Nothing => settled.rules.banlist = Some("none".to_owned()),
        ListChoice::Named { id, sha256 } => {
            let found = inputs::banlist(id, &configuration::found(&judging)?.lists)?;
            if sha256.as_ref().is_some_and(|sha256| found.sha256 != *sha256) {
                return Err(CliError::call(format!(
                    "the banlist {id} is not the one that this event was opened with: its file was changed since"
                )));
            }
            judging.by.settled.rules.banlist = Some(id.clone());
        }
    }
    inputs::judge(run, &judging)
}

/// The folder of the data.
fn folder(given: Option<&Path>) -> Result<PathBuf, CliError> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let own = directories::ProjectDirs::from("", "", "decklaw");
    let own = own.map(|folders| folders.data_dir().to_owned());
    own.ok_or_else(|| CliError::call("no folder for data on this system; use --data DIR"))
}

/// Serves until it is interrupted.
fn serve_until_stopped(server: Server, listening: bool, open: bool, run: &Run) -> Answer {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // What is read may be deeply nested.
        .thread_stack_size(8 << 20)
        .build()?;
    run.outlive_defects();
    files::SERVES.store(true, Ordering::Relaxed);
    let link = server.link();
    print_address(&server, &link, listening, run);
    if open {
        browse(run, &link);
    }
    runtime.block_on(async {
        let until = stop_signal()?;
        server.run(until).await.map_err(CliError::from)
    })?;
    Ok(Outcome::Yes)
}

fn ip(text: &str) -> Result<IpAddr, &'static str> {
    text.parse().map_err(|_| match text.parse::<SocketAddr>() {
        Ok(_) => "give the port apart, with `--port`",
        Err(_) => "write an IP address such as 0.0.0.0 or 192.168.1.20",
    })
}

/// Prints its address. A reader that closes the pipe after the first line does not end the server.
fn print_address(server: &Server, link: &str, listening: bool, run: &Run) {
    use std::io::Write;
    let mut out = std::io::stdout();
    // The program that started it waits for this line.
    let _ = writeln!(out, "decklaw is at {link}").and_then(|()| out.flush());
    if !listening || run.screen.quiet {
        return;
    }
    let origins = server.origins();
    let Some(first) = origins.first() else {
        run.complain("note", "this machine has no network: only it can open the address");
        return;
    };
    let all = crate::text::listed(origins, "and");
    run.complain(
        "note",
        &format!("Others can open {all}. Keep your own link private: it opens every event"),
    );
    if let Ok(code) = fast_qr::qr::QRBuilder::new(first.as_str()).build() {
        let _ = writeln!(out, "{}", code.to_str());
    }
}

/// Ends with Ctrl-C, or with the signal to terminate.
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        {
            // Where it cannot be listened for, the process ends as it does without.
            let _ = tokio::signal::ctrl_c().await;
        }
    })
}

/// Opens a browser; where none can be, the address on the screen has to do.
fn browse(run: &Run, link: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = if cfg!(windows) {
        std::process::Command::new("rundll32").args(["url.dll,FileProtocolHandler", link]).spawn()
    } else {
        std::process::Command::new(program).arg(link).spawn()
    };
    if started.is_err() {
        run.complain("note", "no browser could be opened; open the address yourself");
    }
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw edit decks/shell/ebb.txt\n  decklaw edit new.txt --format shell\n\nCtrl-C ends the program."
)]
pub(super) struct Edit {
    /// The deck, in text, YAML or JSON; a new file starts a deck of `--format`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the address instead of opening a browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    judging: Judging,
}

impl Edit {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut config =
            Config::new(judges(run, self.judging.of(None)), folder(None)?.join("editor"));
        config.edited = Some(ToEdit {
            path: self.file.clone(),
            format: self.judging.format.clone(),
            write: Box::new(move |path, before, after| {
                let written = match before {
                    Some(before) => files::exchange(path, before, after, Readers::Anyone),
                    None => {
                        files::write(path, after, Readers::Anyone, false).map(|()| Exchange::Done)
                    }
                };
                let written = written.map_err(|error| error.message)?;
                Ok(written == Exchange::Done)
            }),
        });
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        serve_until_stopped(Server::bind(config, address)?, false, !self.no_open, run)
    }
}

/// Plays a match's file at a table in the browser, until it is interrupted.
pub(super) fn play(to_play: serve::ToPlay, judging: Judging, open: bool, run: &Run) -> Answer {
    // The match is in its file; what else the server keeps ends with the call.
    let data = tempfile::tempdir()
        .map_err(|error| CliError::call(format!("no folder for the table can be made: {error}")))?;
    let mut config = Config::new(judges(run, judging), data.path().to_owned());
    config.played = Some(to_play);
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    serve_until_stopped(Server::bind(config, address)?, false, open, run)
}
