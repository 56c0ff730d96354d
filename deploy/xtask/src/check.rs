//! `cargo xtask check`: rules that a machine can verify.

mod dependencies;
mod first_lines;
mod images;
mod layers;
mod manifests;
mod modules;
mod prometheus;
mod proto;
mod security;
mod specification;
mod sql;
mod tools;
mod top;
mod vocabulary;

use anyhow::{Result, bail};

use crate::{command::interrupted, mutate, tally::Tally, workspace::Workspace};

/// The violations that a check found, one line each; an empty list is a pass.
pub(crate) type Findings = Vec<String>;

/// A check's name and function.
type Named = (&'static str, fn(&Workspace) -> Result<Findings>);

/// Checks that compile nothing.
const QUICK: [Named; 15] = [
    ("top-level names", top::check),
    ("first lines", first_lines::check),
    ("layers", layers::check),
    ("modules", modules::check),
    ("proto style", proto::check),
    ("SQL ownership", sql::check),
    ("specification", specification::check),
    ("SECURITY.md", security::check),
    ("images", images::check),
    ("vocabulary", vocabulary::check),
    ("mutations", mutate::check),
    ("dependencies", dependencies::check),
    ("Prometheus rules", prometheus::check),
    ("format", tools::format),
    ("web", tools::web),
];

/// Checks that compile the workspace. `cargo xtask test` makes them while it compiles the tests.
const COMPILING: [Named; 3] =
    [("clippy", tools::clippy), ("openapi.json and its types", tools::openapi), (".sqlx", tools::sqlx)];

/// Checks that run only when a word names them.
const ON_REQUEST: [Named; 2] = [("advisories", dependencies::advisories), ("manifests", manifests::check)];

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

/// Runs every check, or those whose name contains one of the words.
pub(crate) fn all(workspace: &Workspace, words: &[String]) -> Result<Tally> {
    if words.is_empty() {
        dependencies::warn_of_advisories(workspace);
    }
    run(workspace, selected(words)?)
}

/// The checks with one of the words in their names, in any case; all regular ones without words.
fn selected(words: &[String]) -> Result<Vec<Named>> {
    let regular = QUICK.into_iter().chain(COMPILING);
    if words.is_empty() {
        return Ok(regular.collect());
    }
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_named = |name: &str| words.iter().any(|word| name.to_lowercase().contains(word));
    let checks: Vec<Named> = regular.clone().chain(ON_REQUEST).filter(|(name, _)| is_named(name)).collect();
    if checks.is_empty() {
        let names: Vec<_> = regular.chain(ON_REQUEST).map(|(name, _)| name).collect();
        bail!("no check has one of these words in its name; the names: {}", names.join(", "));
    }
    Ok(checks)
}

/// Runs the checks that compile nothing.
pub(crate) fn quick(workspace: &Workspace) -> Result<Tally> {
    dependencies::warn_of_advisories(workspace);
    run(workspace, QUICK)
}

fn run(workspace: &Workspace, checks: impl IntoIterator<Item = Named>) -> Result<Tally> {
    let mut tally = Tally::default();
    for (name, check) in checks {
        let findings = check(workspace);
        if interrupted() {
            bail!("interrupted");
        }
        tally += report(name, findings);
    }
    Ok(tally)
}

/// Prints the result of a check and counts it. A check that cannot run has failed.
pub(crate) fn report(name: &str, findings: Result<Findings>) -> Tally {
    let findings = findings.unwrap_or_else(|error| vec![format!("{error:#}")]);
    if findings.is_empty() {
        println!("  ok      {name}");
        return Tally { passed: 1, failed: 0 };
    }
    println!("  FAILED  {name}");
    findings.iter().for_each(|finding| println!("            {finding}"));
    Tally { passed: 0, failed: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_for(words: &[&str]) -> Result<Vec<&'static str>> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Ok(selected(&words)?.into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn a_word_that_no_check_has_fails_and_names_the_checks() {
        let error = names_for(&["alerts"]).unwrap_err().to_string();
        for name in ["vocabulary", "clippy", "manifests"] {
            assert!(error.contains(name), "{error}");
        }
        assert_eq!(names_for(&["alerts", "clippy"]).unwrap(), ["clippy"]);
    }

    #[test]
    fn the_case_of_words_does_not_matter() {
        for word in ["SQL", "sql", "Sql"] {
            assert_eq!(names_for(&[word]).unwrap(), ["SQL ownership", ".sqlx"], "{word}");
        }
        assert_eq!(names_for(&["security", "PROMETHEUS"]).unwrap(), ["SECURITY.md", "Prometheus rules"]);
    }

    #[test]
    fn checks_on_request_run_only_when_named() {
        let regular = names_for(&[]).unwrap();
        assert_eq!(regular.len(), QUICK.len() + COMPILING.len());
        assert!(!regular.contains(&"manifests"));
        assert_eq!(names_for(&["manifests"]).unwrap(), ["manifests"]);
    }
}
