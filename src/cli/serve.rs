//! `decklaw serve` and `edit`: the library in a browser.

use super::files::{self, Exchange, Readers};
use super::{Answer, Options, Outcome, Refusal, Run, configuration, inputs};
use crate::judge::Judge;
use decklaw_core::{Problem, ProblemKind};
use crate::serve::{self, Config, JudgeOptions, ListChoice, Server, ToEdit};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// The port, unless another is chosen.
const PORT: u16 = 7333;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw serve --open\n  decklaw serve --listen 0.0.0.0 --data /srv/decklaw\n\n`docs/serve.md` tells how to run it for others."
)]
pub(super) struct Serve {
    /// The port; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Open a browser
    #[arg(long)]
    open: bool,
    /// Let others reach it; 0.0.0.0 is every address
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// The address by which others reach it through a proxy
    #[arg(long, value_name = "URL", requires = "listen")]
    public_url: Option<String>,
    /// Its data [default: the user's folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Be the desk of an event, whose folder commands may use meanwhile
    #[arg(long, value_name = "DIR")]
    event: Vec<PathBuf>,
}

impl Serve {
    pub(super) fn run(&self, run: &Run) -> Answer {
        if let Some(url) = &self.public_url
            && !["http://", "https://"]
                .iter()
                .any(|start| url.starts_with(start))
        {
            return Err(Refusal(format!(
                "`--public-url {url}` must begin with https:// or http://"
            )));
        }
        let mut config = Config::new(judges(run), folder(self.data.as_deref())?);
        config.events.clone_from(&self.event);
        config.public_url.clone_from(&self.public_url);
        let ip = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let server = Server::bind(config, SocketAddr::new(ip, self.port))?;
        serve_until_told(server, self.listen.is_some(), self.open, run)
    }
}

/// Makes judges as the options say, and by the terms of an event besides.
fn judges(run: &Run) -> Box<serve::MakeJudge> {
    let run = run.with(Options {
        format: None,
        ..(*run.options).clone()
    });
    Box::new(move |terms: &JudgeOptions| {
        judge(&run, terms).map_err(|Refusal(why)| Problem::new(ProblemKind::Game, why))
    })
}

fn judge(run: &Run, terms: &JudgeOptions) -> Result<Judge, Refusal> {
    let mut options = (*run.options).clone();
    options.as_of = terms.day.or(options.as_of);
    let given = terms
        .settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    // What an event was opened with stands before what the server was started with.
    let named = |pair: &String| {
        let name = pair.split('=').next().unwrap_or_default().trim();
        terms.settings.contains_key(name)
    };
    options.set.retain(|pair| !named(pair));
    options.set.extend(given);
    match &terms.list {
        ListChoice::InForce => {}
        ListChoice::Nothing => options.banlist = Some("none".to_owned()),
        ListChoice::Named { id, sha256 } => {
            let found = inputs::banlist(
                run,
                id,
                &configuration::found(&run.with(options.clone()))?.lists,
            )?;
            if sha256.as_ref().is_some_and(|sha256| found.sha256 != *sha256) {
                return Err(Refusal(format!(
                    "the banlist {id} is not the one that this event was opened with: its file was changed since"
                )));
            }
            options.banlist = Some(id.clone());
        }
    }
    inputs::judge(&run.with(options))
}

/// The folder of the data.
fn folder(told: Option<&Path>) -> Result<PathBuf, Refusal> {
    if let Some(told) = told {
        return Ok(told.to_owned());
    }
    let own = directories::ProjectDirs::from("", "", "decklaw");
    let own = own.map(|folders| folders.data_dir().to_owned());
    own.ok_or_else(|| {
        Refusal("this system tells no folder for data; name one with --data DIR".to_owned())
    })
}

/// Serves until it is told to end.
fn serve_until_told(server: Server, listening: bool, open: bool, run: &Run) -> Answer {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // What is read may be deeply nested.
        .thread_stack_size(8 << 20)
        .build()?;
    run.outlive_defects();
    let link = server.link();
    tell(&server, &link, listening, run);
    if open {
        browse(run, &link);
    }
    runtime.block_on(async {
        let until = stop_signal()?;
        server.run(until).await.map_err(Refusal::from)
    })?;
    Ok(Outcome::Yes)
}

/// Says where it is. Whoever started it may have read the first line and be gone: it serves on.
fn tell(server: &Server, link: &str, listening: bool, run: &Run) {
    use std::io::Write;
    let mut out = std::io::stdout();
    // Whoever started it waits for this line.
    let _ = writeln!(out, "decklaw is at {link}").and_then(|()| out.flush());
    if !listening || run.options.quiet {
        return;
    }
    let origin = server.origin();
    run.complain(
        "note",
        &format!(
            "everyone who reaches this machine reaches it too, at {origin}; the link above is for you alone, since its key opens every desk"
        ),
    );
    if let Ok(code) = fast_qr::qr::QRBuilder::new(origin).build() {
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
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let started = match cfg!(windows) {
        true => std::process::Command::new("rundll32")
            .args(["url.dll,FileProtocolHandler", link])
            .spawn(),
        false => std::process::Command::new(program).arg(link).spawn(),
    };
    if started.is_err() {
        run.complain(
            "note",
            "no browser could be opened; open the address yourself",
        );
    }
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw edit deck.txt\n  decklaw edit new.txt --format shell\n\nCtrl-C ends it."
)]
pub(super) struct Edit {
    /// The deck's file, in text, YAML or JSON; one that is not there yet begins a deck of --format
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
}

impl Edit {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut config = Config::new(judges(run), folder(None)?.join("editor"));
        let own = run.clone();
        config.edited = Some(ToEdit {
            path: self.file.clone(),
            format: run.options.format.clone(),
            write: Box::new(move |path, before, after| {
                let written = match before {
                    Some(before) => files::exchange(&own, path, before, after, Readers::Anyone),
                    None => own
                        .write(path, after, Readers::Anyone)
                        .map(|()| Exchange::Done),
                };
                let written = written.map_err(|Refusal(message)| message)?;
                Ok(written == Exchange::Done)
            }),
        });
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        serve_until_told(Server::bind(config, address)?, false, !self.no_open, run)
    }
}

/// Plays a match's file at a table in the browser, until it is told to end.
pub(super) fn play(to_play: serve::ToPlay, open: bool, run: &Run) -> Answer {
    // The match is in its file; what the server keeps besides ends with the call.
    let data = tempfile::tempdir()
        .map_err(|error| Refusal(format!("no folder for the table can be made: {error}")))?;
    let mut config = Config::new(judges(run), data.path().to_owned());
    config.played = Some(to_play);
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    serve_until_told(Server::bind(config, address)?, false, open, run)
}
