//! `cargo xtask generate`: everything in the repository that follows from other files.

use std::process::Command;

use anyhow::Result;
use clap::ValueEnum;

use crate::{
    command::{cargo, output, run, say},
    configuration, openapi, sqlx, web,
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Generate {
    /// The parts to generate, in their order; all of them without an argument.
    parts: Vec<Part>,
    /// Describe the queries of every service, not only those of services with changes that are not committed.
    #[arg(long)]
    all: bool,
}

/// A part of the generated files. A later part may follow from an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Part {
    /// The layout of Rust files.
    Format,
    /// services/<service>/.sqlx: the queries, described by a database.
    Sqlx,
    /// gateway/openapi.json, and the types and limits of the web client.
    #[value(name = "openapi")]
    OpenApi,
    /// deploy/manual/configuration.md, the page of all variables.
    Configuration,
    /// gateway/tests/it/snapshots: the bodies of answers.
    Snapshots,
    /// The layout of the files of the web client.
    Web,
}

impl Generate {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let mut parts = if self.parts.is_empty() { Part::value_variants().to_vec() } else { self.parts };
        parts.sort_unstable();
        parts.dedup();
        parts.into_iter().try_for_each(|part| part.generate(workspace, self.all))
    }
}

impl Part {
    fn generate(self, workspace: &Workspace, all: bool) -> Result<()> {
        match self {
            Self::Format => run(cargo().args(["fmt", "--all"]).current_dir(&workspace.root)),
            Self::Sqlx => sqlx::write(workspace, services(workspace, all)?),
            Self::OpenApi => {
                web::install(workspace)?;
                openapi::check_or_write(workspace, false)
            }
            Self::Configuration => configuration::write(workspace),
            Self::Snapshots => snapshots(workspace),
            Self::Web => {
                web::install(workspace)?;
                run(web::npm(workspace).args(["run", "--silent", "format"]))
            }
        }
    }
}

/// The services whose descriptions may be out of date. Those of a commit are up to date, which CI has checked.
fn services(workspace: &Workspace, all: bool) -> Result<Vec<String>> {
    let services = workspace.services()?;
    if all {
        return Ok(services);
    }
    let mut status = Command::new("git");
    status.args(["status", "--porcelain", "--no-renames", "--", "services"]).current_dir(&workspace.root);
    let changed = changed_services(&services, &output(&mut status)?);
    if changed.is_empty() {
        say("No service has changes that are not committed: their queries are described");
    }
    Ok(changed)
}

/// The services with a changed file. The tables of libraries are in several schemas.
fn changed_services(services: &[String], status: &str) -> Vec<String> {
    let is_changed =
        |folder: &str| status.lines().any(|line| line.get(3..).is_some_and(|path| path.starts_with(folder)));
    let in_all = status.lines().any(|line| line.contains(" services/lib/") && line.contains("/migrations/"));
    services.iter().filter(|name| in_all || is_changed(&format!("services/{name}/"))).cloned().collect()
}

/// Accepts the bodies that the handlers answer now. They are in one test file.
fn snapshots(workspace: &Workspace) -> Result<()> {
    let mut tests = cargo();
    tests.args(["test", "--quiet", "--package=gateway", "--test=it", "bodies::"]).current_dir(&workspace.root);
    run(tests.env("INSTA_UPDATE", "always"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_with_changes_are_described() {
        let services = ["auth", "feed", "social-graph"].map(str::to_owned);
        for (status, expected) in [
            ("", vec![]),
            (" M services/feed/src/posts.rs\n?? services/feed/migrations/1_a.sql\n", vec!["feed"]),
            (" D services/social-graph/src/a.rs\n M services/lib/db/src/lib.rs\n", vec!["social-graph"]),
            ("A  services/lib/outbox/migrations/2_b.sql\n", vec!["auth", "feed", "social-graph"]),
        ] {
            assert_eq!(changed_services(&services, status), expected, "{status}");
        }
    }
}
