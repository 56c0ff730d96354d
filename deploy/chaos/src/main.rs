//! `portia-chaos`, the program of `cargo xtask chaos`.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Context as _;
use clap::Parser;
use portia_chaos::{Options, run, separate_mounts};
use tokio::signal::unix::{SignalKind, signal};

/// Disturb an installation under load, and prove that each acknowledged write exists once
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    /// The folder of the programs
    #[arg(long, default_value = "target/debug")]
    programs: PathBuf,
    /// The program redis-server; without it there is no Redis
    #[arg(long)]
    redis: Option<PathBuf>,
    /// The library libfaketimeMT.so.1; without it no clock is wrong
    #[arg(long)]
    faketime: Option<PathBuf>,
    /// Equal seeds have equal faults
    #[arg(long)]
    seed: u64,
    /// SIGKILLs, at least 8; other faults are added
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(8..))]
    kills: u16,
    /// Acknowledged writes during the faults
    #[arg(long, default_value_t = 50_000)]
    writes: u64,
    /// Requests during rolling restarts, which are repeated until there are so many
    #[arg(long, default_value_t = 50_000)]
    restart_requests: u64,
    /// Minutes after which no further fault begins
    #[arg(long)]
    minutes: Option<u64>,
}

fn main() -> ExitCode {
    let Arguments { programs, redis, faketime, seed, kills, writes, restart_requests, minutes } = Arguments::parse();
    let time = minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let separated = separate_mounts();
    if let Err(error) = &separated {
        eprintln!("\u{2022} No disk becomes full: this system does not permit own mounts ({error})");
    }
    let own_mounts = separated.is_ok();
    if faketime.is_none() {
        eprintln!("\u{2022} No clock is wrong: libfaketime is not installed");
    }
    let kills = kills.into();
    let options = Options { programs, redis, own_mounts, faketime, seed, kills, writes, restart_requests, time };
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("there is no runtime")
        .and_then(|runtime| runtime.block_on(run_until_interrupted(&options)));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the run is clean. An interrupted one ends its processes too.
async fn run_until_interrupted(options: &Options) -> anyhow::Result<bool> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let report = tokio::select! {
        report = run(options, &|line| eprintln!("\u{2022} {line}")) => report?,
        _ = interrupt.recv() => anyhow::bail!("interrupted"),
        _ = terminate.recv() => anyhow::bail!("terminated"),
    };
    println!("\n{report}");
    Ok(report.is_clean())
}
