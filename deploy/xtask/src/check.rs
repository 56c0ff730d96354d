//! `cargo xtask check`: what reviewers should not have to look for.

mod first_lines;
mod layers;
mod licences;
mod proto;
mod specification;
mod sql;
mod tools;
mod top;

use anyhow::{Result, bail};

use crate::{command::interrupted, tally::Tally, workspace::Workspace};

/// What a check found wrong, a line each; nothing found is a pass.
type Findings = Vec<String>;

/// A check's name and how it is made.
type Named = (&'static str, fn(&Workspace) -> Result<Findings>);

/// Every check, quick ones first.
const CHECKS: [Named; 12] = [
    ("top-level names", top::check),
    ("first lines", first_lines::check),
    ("layers", layers::check),
    ("proto style", proto::check),
    ("SQL ownership", sql::check),
    ("specification", specification::check),
    ("licences", licences::check),
    ("format", tools::format),
    ("clippy", tools::clippy),
    ("web", tools::web),
    ("openapi.json and its types", tools::openapi),
    (".sqlx", tools::sqlx),
];

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

/// Runs the checks, tells what each found, and counts.
pub(crate) fn all(workspace: &Workspace, words: &[String]) -> Result<Tally> {
    let mut tally = Tally::default();
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for (name, check) in CHECKS.into_iter().filter(|(name, _)| chosen(name)) {
        // A check that cannot be made has not passed.
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
