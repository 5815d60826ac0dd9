//! The command line: one file for each command. Only here is anything printed, the environment
//! read and the process ended.

mod answer;
mod banlist;
mod bar;
mod build;
mod cards;
mod check;
mod configuration;
mod convert;
mod defects;
mod event;
mod fetch;
mod files;
mod fix;
mod form;
mod formats;
mod inputs;
mod jobs;
mod manual;
mod matches;
mod newcomers;
mod odds;
mod options;
mod output;
#[cfg(feature = "paper")]
mod print;
mod program;
mod proofs;
#[cfg(feature = "server")]
mod publish;
mod question;
mod room;
mod run;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "paper")]
mod sheets;
mod stats;
mod terminal;
mod tune;
mod walk;
mod wishes;

use answer::{Answer, CliError, Outcome};
pub use configuration::wrong_in_configuration;
pub use program::{command, main};
use run::Run;
