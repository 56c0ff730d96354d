//! Portia under faults: an installation of two replicas each, load with idempotency keys, kills, suspended processes, slow and cut
//! connections, full disks, wrong clocks, rolling restarts; afterwards each acknowledged write exists exactly once.
//!
//! `installation` starts the processes, `proxy` is between some of them, `disk` is below Postgres, `clock` in processes, `plan` and
//! `faults` disturb them, `load` writes and reads, `journal` is what was acknowledged, `settle` waits for the facts, `verify`
//! compares, `rolling` restarts, `report` is the table.

mod clock;
mod disk;
mod faults;
mod installation;
mod journal;
mod load;
mod plan;
mod ports;
mod proxy;
mod report;
mod rng;
mod rolling;
mod settle;
mod verify;
mod wait;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

pub use self::{disk::separate_mounts, proxy::Proxy, report::Report};
use self::{
    installation::Installation,
    load::{Load, Size, client::Client},
    report::Phase,
    rolling::Order,
};

/// The members of the load: each writes one request at a time.
const MEMBERS: usize = 16;
/// The load during the faults.
const BUSY: Size = Size { writers: MEMBERS, readers: 4 };
/// The load during rolling restarts: no request may reach a deadline because the machine is busy.
const QUIET: Size = Size { writers: 4, readers: 1 };

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the programs.
    pub programs: PathBuf,
    /// `redis-server`, if it is installed.
    pub redis: Option<PathBuf>,
    /// libfaketime, if it is installed.
    pub faketime: Option<PathBuf>,
    /// Whether the mounts of this process are its own: see [`separate_mounts`]. Otherwise no disk becomes full.
    pub own_mounts: bool,
    /// Equal seeds have equal faults.
    pub seed: u64,
    /// SIGKILLs; half as many other faults are added.
    pub kills: usize,
    /// Writes that are at least acknowledged during the faults.
    pub writes: u64,
    /// Requests that are at least sent during the rolling restarts of both orders together; at least one of each.
    pub restart_requests: u64,
    /// After this time no further fault begins, and the load ends.
    pub time: Option<Duration>,
}

/// Runs it all. `progress` receives a line for each step.
///
/// # Errors
/// When the installation cannot be started, or does not recover.
pub async fn run(options: &Options, progress: &dyn Fn(&str)) -> anyhow::Result<Report> {
    progress(&format!("Seed {}: starting seven services twice, two gateways, Postgres ...", options.seed));
    let mut installation = Installation::start(options).await?;
    let done = run_on(&mut installation, options, progress).await;
    if !done.as_ref().is_ok_and(Report::is_clean) {
        progress(&format!("The logs are in {}", installation.keep_logs().display()));
    }
    done
}

async fn run_on(installation: &mut Installation, options: &Options, progress: &dyn Fn(&str)) -> anyhow::Result<Report> {
    settle::wait_until_subscribed(installation).await?;
    let client = Client::new(&installation.gateways, &installation.probes())?;
    let load = Arc::new(Load::prepare(client, MEMBERS, options.seed).await?);
    let mut report = Report { seed: options.seed, ..Report::default() };
    load.client.counts.take();

    let plan = plan::faults(options.seed, options.kills, installation.possible());
    progress(&format!("{} faults under load ...", plan.len()));
    let (begun, before) = (Instant::now(), load.journal.acknowledged());
    let deadline = options.time.map(|time| begun + time);
    let running = load.start(1, BUSY);
    report.recoveries = faults::execute(installation, &load, &plan, deadline, progress).await?;
    let acknowledged = || load.journal.acknowledged() - before;
    let is_over = || deadline.is_some_and(|deadline| Instant::now() > deadline);
    while acknowledged() < options.writes && !is_over() {
        faults::wait_for_writes(&load, 1).await?;
    }
    running.finish().await;
    report.phases.push(phase("faults", &load, begun, before));
    for crash in installation.restart_crashed()? {
        load.violate(crash);
    }
    progress("Verifying ...");
    report.findings.extend(verify::verify(installation, &load).await?);

    for (order, name) in [
        (Order::ServicesFirst, "rolling restart, services first"),
        (Order::GatewaysFirst, "rolling restart, gateways first"),
    ] {
        progress(&format!("{name} ..."));
        load.client.counts.take();
        let (begun, before) = (Instant::now(), load.journal.acknowledged());
        let balancer = load.client.observe_readiness();
        let running = load.start(2 + u64::from(order == Order::GatewaysFirst), QUIET);
        rolling::restart(installation, &load, order).await?;
        while load.client.counts.attempts() < options.restart_requests / 2 {
            rolling::restart(installation, &load, order).await?;
        }
        running.finish().await;
        balancer.abort();
        let phase = phase(name, &load, begun, before);
        for (reason, n) in &phase.numbers.failures {
            load.violate(format!("{name}: {n} x {reason}"));
        }
        report.phases.push(phase);
    }
    progress("Verifying ...");
    report.findings.extend(verify::verify(installation, &load).await?);
    report.violations = load.violations();
    Ok(report)
}

/// The numbers of the phase that has ended.
fn phase(name: &'static str, load: &Load, begun: Instant, before: u64) -> Phase {
    let (duration, numbers) = (begun.elapsed(), load.client.counts.take());
    // No fault excuses an error of a program.
    for (reason, n) in numbers.failures.iter().filter(|(reason, _)| reason.contains(" 500 ")) {
        load.violate(format!("{name}: {n} x {reason}"));
    }
    Phase { name, duration, acknowledged: load.journal.acknowledged() - before, numbers }
}
