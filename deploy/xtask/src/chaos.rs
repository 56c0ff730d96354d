//! `cargo xtask chaos`: an installation of separate processes under load and faults, and the proof that each acknowledged write exists
//! once.

use std::{
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Result;

use crate::{
    command::{cargo, on_the_path, run, say},
    workspace::Workspace,
};

/// The packages of the programs.
const PACKAGES: [&str; 9] =
    ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging", "gateway", "portia-chaos"];
/// libfaketime, which Debian does not put on the PATH.
pub(crate) const FAKETIME: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
];
/// The faults and writes of the short run.
const SHORT: [&str; 6] = ["--kills", "14", "--writes", "1500", "--restart-requests", "0"];

#[derive(clap::Args)]
pub(crate) struct Chaos {
    /// Fewer faults and writes, for about four minutes: what `cargo xtask test` runs.
    #[arg(long, conflicts_with_all = ["kills", "writes", "restart_requests"])]
    short: bool,
    /// Equal seeds have equal faults [default: the time].
    #[arg(long)]
    seed: Option<u64>,
    /// SIGKILLs; half as many other faults are added.
    #[arg(long, default_value_t = 100)]
    kills: u16,
    /// Writes that are at least acknowledged during the faults.
    #[arg(long, default_value_t = 50_000)]
    writes: u64,
    /// Requests that are at least sent during rolling restarts in both orders, none of which may fail.
    #[arg(long, default_value_t = 50_000)]
    restart_requests: u64,
    /// Minutes after which no further fault begins, and the load ends.
    #[arg(long)]
    minutes: Option<u64>,
    /// Programs as `up` builds them instead of those of the tests.
    #[arg(long)]
    release: bool,
}

impl Chaos {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        say("Building the programs ...");
        let mut build = cargo();
        build.args(["build", "--bins"]).current_dir(&workspace.root);
        build.args(PACKAGES.iter().flat_map(|package| ["--package", *package]));
        if self.release {
            build.arg("--release");
        }
        run(&mut build)?;
        let mut chaos = program(workspace, if self.release { "release" } else { "debug" }, self.seed)?;
        if self.short {
            chaos.args(SHORT);
        } else {
            chaos.args(["--kills", &self.kills.to_string(), "--writes", &self.writes.to_string()]);
            chaos.args(["--restart-requests", &self.restart_requests.to_string()]);
        }
        if let Some(minutes) = self.minutes {
            chaos.args(["--minutes", &minutes.to_string()]);
        }
        run(&mut chaos)
    }
}

/// The short run with the programs that the tests have compiled.
pub(crate) fn run_short(workspace: &Workspace) -> Result<()> {
    run(program(workspace, "debug", None)?.args(SHORT))
}

fn program(workspace: &Workspace, profile: &str, seed: Option<u64>) -> Result<Command> {
    let programs = workspace.target()?.join(profile);
    let seed = seed.unwrap_or(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs());
    let mut program = Command::new(programs.join("portia-chaos"));
    program.arg("--programs").arg(&programs).args(["--seed", &seed.to_string()]);
    if let Some(redis) = on_the_path("redis-server") {
        program.arg("--redis").arg(redis);
    }
    if let Some(library) = FAKETIME.iter().find_map(|name| on_the_path(name)) {
        program.arg("--faketime").arg(library);
    }
    Ok(program)
}
