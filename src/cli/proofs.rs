//! `--proof DIR`: what proves an answer, as files that a checker of proofs reads.

use super::files::Readers;
use super::{Outcome, Refusal, Run};
use crate::solve::{Certificate, Uncertified};
use crate::text::counted;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Whether a proof is wanted.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Proving {
    /// Write a proof for VeriPB there
    #[arg(long, value_name = "DIR")]
    proof: Option<PathBuf>,
}

impl Proving {
    /// Writes the proof of an answer where one is wanted. Without a proof the command fails,
    /// whatever else it answered.
    ///
    /// # Errors
    /// A file that cannot be written or is there already.
    pub(super) fn write(
        &self,
        run: &Run,
        certify: impl FnOnce() -> Result<Vec<Certificate>, Uncertified>,
    ) -> Result<Outcome, Refusal> {
        let Some(folder) = &self.proof else {
            return Ok(Outcome::Yes);
        };
        let certificates = match certify() {
            Ok(certificates) => certificates,
            Err(why) => {
                run.complain("error", &format!("--proof: {why}"));
                return Ok(Outcome::No);
            }
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| Refusal(format!("{}: cannot be made: {error}", folder.display())))?;
        let mut claims = String::new();
        for (at, certificate) in (1..).zip(&certificates) {
            let files = Files::of(at);
            let write = |name: &str, text: &str| {
                run.write(&folder.join(name), text.as_bytes(), Readers::Anyone)
            };
            write(&files.instance, &certificate.instance)?;
            write(&files.proof, &certificate.proof)?;
            write(&files.numbers, &certificate.legend)?;
            let Files {
                instance,
                proof,
                numbers,
                table,
            } = files;
            let _ = writeln!(
                claims,
                "{}\n  veripb {instance} {proof}\n  {numbers} says which number is which card",
                certificate.claim
            );
            if let Some(text) = &certificate.table {
                write(&table, text)?;
                let _ = writeln!(claims, "  {table} has all counts and their odds");
            }
            claims.push('\n');
        }
        let claims_file = folder.join("claims.txt");
        run.write(&claims_file, claims.as_bytes(), Readers::Anyone)?;
        let number = counted(
            i64::try_from(certificates.len()).unwrap_or(i64::MAX),
            "claim",
        );
        let name = Path::display(&claims_file);
        run.complain(
            "note",
            &format!("{number} proven; {name} says which, and how to check them"),
        );
        Ok(Outcome::Yes)
    }
}

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
