//! `cargo xtask test`: every suite, with durations and counts. The tests of the web client run beside those of Rust, which
//! leave a core idle half of the time; the other suites run one after the other.

mod compile;
mod e2e;
mod needs;
mod rust;
mod timing;
mod vitest;

use std::{thread, time::Duration};

use anyhow::{Result, anyhow, bail};

use self::timing::{Outcome, Timing, measured};
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
        let mut timing = Timing::start();
        timing.phase("tools", || needs::install(all || self.rust, all || self.e2e))?;
        // Some Rust tests serve the client, and most suites need its packages.
        let dist = timing.phase("web build", || web::build(workspace))?;

        let mut table = Table(Vec::new());
        if all {
            suite(&mut table, &mut timing, "checks", || check::quick(workspace).map(Outcome::from))?;
        } else if self.check {
            suite(&mut table, &mut timing, "checks", || check::all(workspace, &[]).map(Outcome::from))?;
        }
        let mut client = all || self.web;
        if all || self.rust {
            let server = Server::for_task(workspace, "test")?;
            let compile = || compile::compile(workspace, &server).map(Outcome::from);
            if suite(&mut table, &mut timing, "compilation", compile)? {
                if client {
                    rust_and_client(&mut table, &mut timing, workspace, &server)?;
                } else {
                    suite(&mut table, &mut timing, "Rust", || rust::run_all(workspace, &server))?;
                }
                client = false;
            }
        }
        if client {
            suite(&mut table, &mut timing, "web client", || vitest::run_all(workspace, None))?;
        }
        if all || self.e2e {
            suite(&mut table, &mut timing, "browser", || e2e::run_all(workspace, &dist))?;
        }

        println!("\n{timing}\n{table}");
        if table.sum().failed > 0 {
            bail!("some tests failed");
        }
        Ok(())
    }
}

/// Runs the tests of Rust and of the web client at the same time.
fn rust_and_client(table: &mut Table, timing: &mut Timing, workspace: &Workspace, server: &Server) -> Result<()> {
    say("Rust and web client ...");
    let (rust, client) = thread::scope(|scope| {
        let client = scope.spawn(|| measured(|| vitest::run_beside(workspace)));
        let rust = measured(|| rust::run_all(workspace, server));
        (rust, client.join().unwrap_or_else(|_| (Err(anyhow!("the run of vitest panicked")), Duration::ZERO)))
    });
    record(table, timing, "Rust", rust)?;
    record(table, timing, "web client", client)?;
    Ok(())
}

/// Runs one suite and records it. Returns false if it could not run.
fn suite(
    table: &mut Table,
    timing: &mut Timing,
    name: &'static str,
    run: impl FnOnce() -> Result<Outcome>,
) -> Result<bool> {
    say(&format!("{name} ..."));
    record(table, timing, name, measured(run))
}

/// Records the counts and durations of a suite. One that could not run counts as one failure, and returns false.
fn record(
    table: &mut Table,
    timing: &mut Timing,
    name: &'static str,
    (ran, duration): (Result<Outcome>, Duration),
) -> Result<bool> {
    timing.add_phase(name, duration);
    if interrupted() {
        bail!("interrupted");
    }
    let completed = ran.is_ok();
    let outcome = ran.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        Outcome::from(Tally { passed: 0, failed: 1 })
    });
    table.0.push((name, outcome.tally));
    timing.add(outcome.tests);
    Ok(completed)
}
