//! `--proof DIR`: what proves an answer, as files that a checker of proofs reads.

use super::files::{self, Readers};
use super::{CliError, Outcome, Run};
use crate::solve::{Certificate, Uncertified};
use crate::text::counted;
use std::fmt::Write;
use std::path::PathBuf;

// Whether a proof is wanted.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Proving {
    /// Write a proof for VeriPB into this folder
    #[arg(long, value_name = "DIR")]
    proof: Option<PathBuf>,
}

impl Proving {
    /// Whether a proof is wanted.
    pub(super) fn is_wanted(&self) -> bool {
        self.proof.is_some()
    }

    /// Writes the proof of an answer where one is wanted. Without a proof the command fails,
    /// whatever else it answered.
    ///
    /// # Errors
    /// A file that cannot be written or is there already.
    pub(super) fn write(
        &self,
        run: &Run,
        replace: bool,
        proof: Result<Vec<Certificate>, Uncertified>,
    ) -> Result<Outcome, CliError> {
        let Some(folder) = &self.proof else {
            return Ok(Outcome::Yes);
        };
        let certificates = match proof {
            Ok(certificates) => certificates,
            Err(why) => {
                run.complain("error", &format!("--proof: {why}"));
                return Ok(Outcome::No);
            }
        };
        std::fs::create_dir_all(folder).map_err(|error| {
            CliError::call(format!("{}: cannot be made: {error}", folder.display()))
        })?;
        let each = || (1..).map(Files::of).zip(&certificates);
        let mut claims = String::new();
        for (files, certificate) in each() {
            let Files { instance, proof, numbers, table } = files;
            let _ = writeln!(
                claims,
                "{}\n  veripb {instance} {proof}\n  {numbers} says which number is which card",
                certificate.claim
            );
            if certificate.table.is_some() {
                let _ = writeln!(claims, "  {table} has all counts and their odds");
            }
            claims.push('\n');
        }
        let write = |name: &str, text: &str| {
            files::write(&folder.join(name), text.as_bytes(), Readers::Anyone, replace)
        };
        // Where proofs are already, nothing is written between them.
        write(CLAIMS, &claims)?;
        for (files, certificate) in each() {
            write(&files.instance, &certificate.instance)?;
            write(&files.proof, &certificate.proof)?;
            write(&files.numbers, &certificate.legend)?;
            if let Some(table) = &certificate.table {
                write(&files.table, table)?;
            }
        }
        let number = counted(i64::try_from(certificates.len()).unwrap_or(i64::MAX), "claim");
        let claims = folder.join(CLAIMS);
        let name = claims.display();
        run.complain("note", &format!("{number} proven; {name} says which, and how to check them"));
        Ok(Outcome::Yes)
    }
}

/// The claim, and the files that hold it.
const CLAIMS: &str = "claims.txt";

/// The files of a claim.
struct Files {
    instance: String,
    proof: String,
    numbers: String,
    table: String,
}

impl Files {
    fn of(claim: usize) -> Files {
        let number = match claim {
            1 => String::new(),
            other => format!("-{other}"),
        };
        Files {
            instance: format!("instance{number}.opb"),
            proof: format!("proof{number}.pbp"),
            numbers: format!("numbers{number}.txt"),
            table: format!("counts{number}.csv"),
        }
    }
}
