//! `cargo xtask check`: rules that a machine can verify.

mod dependencies;
mod first_lines;
mod gateway_modules;
mod layers;
mod proto;
mod specification;
mod sql;
mod tools;
mod top;
mod vocabulary;

use anyhow::{Result, bail};

use crate::{command::interrupted, tally::Tally, workspace::Workspace};

/// The violations that a check found, one line each; an empty list is a pass.
type Findings = Vec<String>;

/// A check's name and function.
type Named = (&'static str, fn(&Workspace) -> Result<Findings>);

/// Every check, quick ones first.
const CHECKS: [Named; 13] = [
    ("top-level names", top::check),
    ("first lines", first_lines::check),
    ("layers", layers::check),
    ("gateway modules", gateway_modules::check),
    ("proto style", proto::check),
    ("SQL ownership", sql::check),
    ("specification", specification::check),
    ("dependencies", dependencies::check),
    ("format", tools::format),
    ("clippy", tools::clippy),
    ("web", tools::web),
    ("openapi.json and its types", tools::openapi),
    (".sqlx", tools::sqlx),
];

/// Checks that run only when a word names them.
const ON_REQUEST: [Named; 2] = [("advisories", dependencies::advisories), ("vocabulary", vocabulary::check)];

#[derive(clap::Args)]
pub(crate) struct Check {
    /// Only the checks whose name contains one of these words.
    words: Vec<String>,
}

impl Check {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let tally = all(workspace, &self.words)?;
        println!("{tally}");
        if tally.failed > 0 {
            bail!("{} of {} checks failed", tally.failed, tally.passed + tally.failed);
        }
        Ok(())
    }
}

/// Runs the checks, prints their findings, and counts.
pub(crate) fn all(workspace: &Workspace, words: &[String]) -> Result<Tally> {
    let mut tally = Tally::default();
    let named = |name: &str| words.iter().any(|word| name.contains(word.as_str()));
    let regular = CHECKS.into_iter().filter(|(name, _)| words.is_empty() || named(name));
    let requested = ON_REQUEST.into_iter().filter(|(name, _)| named(name));
    for (name, check) in regular.chain(requested) {
        // A check that cannot run has failed.
        let findings = check(workspace).unwrap_or_else(|error| vec![format!("{error:#}")]);
        if interrupted() {
            bail!("interrupted");
        }
        if findings.is_empty() {
            println!("  ok      {name}");
            tally.passed += 1;
        } else {
            println!("  FAILED  {name}");
            findings.iter().for_each(|finding| println!("            {finding}"));
            tally.failed += 1;
        }
    }
    Ok(tally)
}
