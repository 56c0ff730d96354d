//! `cargo xtask test`: every suite there is, one after the other, and their counts.

mod e2e;
mod needs;
mod rust;
mod vitest;

use anyhow::{Result, bail};

use crate::{
    check,
    command::{end_orderly, interrupted, say},
    database::Server,
    tally::{Table, Tally},
    web,
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Test {
    /// The Rust crates' tests.
    #[arg(long)]
    rust: bool,
    /// The web client's tests.
    #[arg(long)]
    web: bool,
    /// The browser tests, against a running Portia.
    #[arg(long)]
    e2e: bool,
    /// The checks of `cargo xtask check`.
    #[arg(long)]
    check: bool,
}

impl Test {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        end_orderly()?;
        let all = !(self.rust || self.web || self.e2e || self.check);
        needs::install(all || self.rust, all || self.e2e)?;
        // Some Rust tests serve the client, and every suite below but one needs its packages.
        let dist = web::build(workspace)?;

        let mut table = Table(Vec::new());
        let mut suite = |name, wanted: bool, run: &dyn Fn() -> Result<Tally>| -> Result<()> {
            if !(all || wanted) {
                return Ok(());
            }
            say(&format!("{name} ..."));
            let ran = run();
            if interrupted() {
                bail!("interrupted");
            }
            // A suite that cannot be run is told and counted; the others still run.
            let tally = ran.unwrap_or_else(|error| {
                eprintln!("error: {error:#}");
                Tally { passed: 0, failed: 1 }
            });
            table.0.push((name, tally));
            Ok(())
        };
        suite("checks", self.check, &|| check::all(workspace, &[]))?;
        suite("Rust", self.rust, &|| rust::run_all(workspace, &Server::for_task(workspace, "test")?))?;
        suite("web client", self.web, &|| vitest::run_all(workspace))?;
        suite("browser", self.e2e, &|| e2e::run_all(workspace, &dist))?;

        println!("\n{table}");
        if table.sum().failed > 0 {
            bail!("some tests failed");
        }
        Ok(())
    }
}
