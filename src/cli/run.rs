//! What one run of the program knows: what it was called with, and what its parts share. It is
//! made in `main` and passed on; nothing of it is global.
//!
//! The functions of a part are where it belongs: with standard error in `terminal` and `bar`, at a
//! defect in `defects`.

use super::CliError;
use super::options::Screen;
use crate::judge::Judge;
use indicatif::ProgressBar;
use std::ffi::OsString;
use std::num::NonZero;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock};

/// One run. Clones are of the same run.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// How the call wants to be answered.
    pub(super) screen: Screen,
    shared: Arc<RunState>,
}

/// What the parts of a run share.
#[derive(Debug, Default)]
pub(super) struct RunState {
    /// The words of the call, the program's name first.
    pub(super) arguments: Vec<OsString>,
    /// The bar that is on the screen, if there is one.
    pub(super) bar: Mutex<Option<ProgressBar>>,
    /// Names of files that were met, with ends of lines in them.
    pub(super) broken_names: Mutex<Vec<String>>,
    cautioned: OnceLock<()>,
}

impl Deref for Run {
    type Target = RunState;

    fn deref(&self) -> &RunState {
        &self.shared
    }
}

impl Run {
    /// The run of a call.
    pub(super) fn of(arguments: Vec<OsString>) -> Run {
        let shared = RunState { arguments, ..RunState::default() };
        Run { shared: Arc::new(shared), ..Run::default() }
    }

    /// The same run, answered as the call wants.
    pub(super) fn with(&self, screen: Screen) -> Run {
        Run { screen, shared: Arc::clone(&self.shared) }
    }

    /// Prints once what the current folder's configuration changes.
    pub(super) fn caution(&self, judge: &Judge) {
        if let Some(changes) = judge.caution() {
            self.cautioned.get_or_init(|| self.complain("warning", changes));
        }
    }
}

/// The most threads that share work, whatever the environment asks for.
const MOST_THREADS: usize = 256;

/// Starts the threads that share work, before any work is shared: the process has one pool.
///
/// # Errors
/// A system that gives no threads.
pub(super) fn start_threads() -> Result<(), CliError> {
    static STARTED: OnceLock<Result<(), String>> = OnceLock::new();
    let start = || {
        let asked = std::env::var("RAYON_NUM_THREADS").ok();
        let asked = asked.and_then(|number| number.parse().ok());
        let asked = asked.filter(|number| *number > 0);
        let own = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = asked.unwrap_or_else(own).min(MOST_THREADS);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().map_err(|error| error.to_string())
    };
    STARTED.get_or_init(start).clone().map_err(|error| {
        CliError::call(format!("the system gives no threads ({error}); set RAYON_NUM_THREADS=1"))
    })
}
