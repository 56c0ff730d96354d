//! `cargo xtask test`: every suite, with durations and counts. The web client is built and checked while the compiler works; the
//! suites follow one after the other.

mod chaos;
mod compile;
mod e2e;
mod needs;
mod outcome;
mod programs;
mod report;
mod rust;
mod s3;
mod timing;
mod vitest;

use std::{path::PathBuf, thread};

use anyhow::{Result, anyhow, bail};

use self::{needs::Missing, outcome::Outcome, report::Report};
use crate::{
    check,
    command::{handle_interrupts, say},
    database::Server,
    web,
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Test {
    /// The tests of the Rust crates.
    #[arg(long)]
    rust: bool,
    /// The tests of the web client.
    #[arg(long)]
    web: bool,
    /// The browser tests against a running Portia.
    #[arg(long)]
    e2e: bool,
    /// The short run of `cargo xtask chaos`.
    #[arg(long)]
    chaos: bool,
    /// The checks of `cargo xtask check`.
    #[arg(long)]
    check: bool,
}

impl Test {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        handle_interrupts()?;
        let all = !(self.rust || self.web || self.e2e || self.chaos || self.check);
        let report = Report::start();
        // A missing program that cannot be installed ends the run at once, not after the compilation.
        let missing = Missing::find(all || self.rust, all || self.chaos, all || self.e2e)?;
        web::check_node()?;
        let server = (all || self.rust).then(|| Server::for_task(workspace, "test")).transpose()?;

        let (prepared, compiled) = thread::scope(|scope| {
            // Downloads, and programs that use one core.
            let preparation = scope.spawn(|| prepare(workspace, missing, server.is_some(), all, &report));
            let compiled = server
                .as_ref()
                .map(|server| report.suite("compilation", || compile::compile(workspace, server).map(Outcome::from)));
            (preparation.join().unwrap_or_else(|_| Err(anyhow!("the preparation panicked"))), compiled)
        });
        let dist = prepared?;
        let compiled = compiled.transpose()?;

        if self.check {
            report.suite("checks", || check::all(workspace, &[]).map(Outcome::from))?;
        }
        if let (Some(server), Some(true)) = (server, compiled) {
            report.suite("openapi.json", || Ok(Outcome::from(compile::check_openapi(workspace))))?;
            report.suite("Rust", || rust::run_all(workspace, &server))?;
        }
        if all || self.chaos {
            report.suite("chaos", || chaos::run(workspace))?;
        }
        if all || self.web {
            report.suite("web client", || vitest::run_all(workspace))?;
        }
        if all || self.e2e {
            report.suite("browser", || e2e::run_all(workspace, &dist))?;
        }

        println!("\n{report}");
        if report.has_failures() {
            bail!("some tests failed");
        }
        Ok(())
    }
}

/// Installs programs, builds the web client, and makes the checks that compile nothing. Returns the folder of the client: some
/// Rust tests serve it, and most suites need its packages.
fn prepare(workspace: &Workspace, missing: Missing, rust: bool, checks: bool, report: &Report) -> Result<PathBuf> {
    let built = report
        .phase("tools", || missing.install().and_then(|()| if rust { s3::install(workspace) } else { Ok(()) }))
        .and_then(|()| report.phase("web build", || web::build(workspace)))
        // The compilation may take minutes.
        .inspect_err(|error| say(&format!("The run ends after the compilation: {error:#}")))?;
    if checks {
        report.suite("checks", || check::quick(workspace).map(Outcome::from))?;
    }
    Ok(built)
}
