//! `cargo xtask test`: every suite, one after the other, with durations and counts.

mod compile;
mod e2e;
mod needs;
mod outcome;
mod rust;
mod timing;
mod vitest;

use anyhow::{Result, bail};

use self::{
    outcome::{Failure, Failures, Outcome},
    timing::Timing,
};
use crate::{
    check,
    command::{handle_interrupts, interrupted, say},
    database::Server,
    tally::{Table, Tally},
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
    /// The checks of `cargo xtask check`.
    #[arg(long)]
    check: bool,
}

impl Test {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        handle_interrupts()?;
        let all = !(self.rust || self.web || self.e2e || self.check);
        let mut timing = Timing::default();
        timing.phase("tools", || needs::install(all || self.rust, all || self.e2e))?;
        // Some Rust tests serve the client, and most suites need its packages.
        let dist = timing.phase("web build", || web::build(workspace))?;

        let mut report = Report::default();
        if all {
            report.suite(&mut timing, "checks", || check::quick(workspace).map(Outcome::from))?;
        } else if self.check {
            report.suite(&mut timing, "checks", || check::all(workspace, &[]).map(Outcome::from))?;
        }
        if all || self.rust {
            let server = Server::for_task(workspace, "test")?;
            let compile = || compile::compile(workspace, &server).map(Outcome::from);
            if report.suite(&mut timing, "compilation", compile)? {
                report.suite(&mut timing, "Rust", || rust::run_all(workspace, &server))?;
            }
        }
        if all || self.web {
            report.suite(&mut timing, "web client", || vitest::run_all(workspace))?;
        }
        if all || self.e2e {
            report.suite(&mut timing, "browser", || e2e::run_all(workspace, &dist))?;
        }

        let Report { failures, table } = report;
        println!("\n{timing}\n{failures}\n{table}");
        if table.sum().failed > 0 {
            bail!("some tests failed");
        }
        Ok(())
    }
}

/// The counts and failures of the suites so far.
#[derive(Default)]
struct Report {
    failures: Failures,
    table: Table,
}

impl Report {
    /// Runs one suite and records its counts, failures and durations. A suite that cannot run counts as one failure, and
    /// returns false.
    fn suite(
        &mut self,
        timing: &mut Timing,
        name: &'static str,
        run: impl FnOnce() -> Result<Outcome>,
    ) -> Result<bool> {
        say(&format!("{name} ..."));
        let ran = timing.phase(name, run);
        if interrupted() {
            bail!("interrupted");
        }
        let completed = ran.is_ok();
        let outcome = ran.unwrap_or_else(|error| {
            let message = format!("{error:#}");
            eprintln!("error: {message}");
            let failures = vec![Failure { name: name.to_owned(), message }];
            Outcome { failures, ..Outcome::from(Tally { passed: 0, failed: 1 }) }
        });
        self.table.0.push((name, outcome.tally));
        self.failures.0.extend(outcome.failures);
        timing.add(outcome.tests);
        Ok(completed)
    }
}
