//! Executes a plan against an installation under load.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::{
    clock::NOTICED_AFTER,
    installation::Installation,
    load::Load,
    plan::{Fault, Kind},
    wait::eventually,
};

/// The delay of each packet of a slow connection.
const DELAY: Duration = Duration::from_millis(40);
/// How the gateway refuses a write that a service cannot execute at present.
const REFUSED: &str = "503 UNAVAILABLE";
/// The answered reads while writes are refused.
const READS: u64 = 10;
/// The pause before files that Postgres removed meanwhile are taken from the disk again.
const FILL_INTERVAL: Duration = Duration::from_millis(100);

/// The recovery from a fault.
#[derive(Clone, Debug)]
pub struct Recovery {
    /// The fault.
    pub kind: Kind,
    /// The time from the fault until its process serves again and the next write is acknowledged.
    pub recovered_after: Duration,
    /// The longest time without an acknowledged write of any member in between.
    pub pause: Duration,
}

/// Executes the faults until the end of the plan or the deadline.
///
/// # Errors
/// When the installation does not recover.
pub async fn execute(
    installation: &mut Installation,
    load: &Load,
    plan: &[Fault],
    deadline: Option<Instant>,
    progress: &dyn Fn(&str),
) -> anyhow::Result<Vec<Recovery>> {
    let mut recoveries = Vec::new();
    // The faults since the last recovery, with their times.
    let mut starting = Vec::new();
    for (n, fault) in plan.iter().enumerate() {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            progress(&format!("The time is over after {n} of {} faults", plan.len()));
            break;
        }
        for crash in installation.restart_crashed()? {
            load.violate(crash);
        }
        let (begun, acknowledged) = (Instant::now(), load.journal.acknowledged());
        if starting.is_empty() {
            load.journal.begin_pauses();
        }
        inject(installation, load, fault).await?;
        starting.push((fault, begun));
        if fault.overlaps && n + 1 < plan.len() {
            continue;
        }
        for (fault, _) in &starting {
            installation.wait_until_ready(&fault.target).await?;
        }
        wait_for_writes(load, 1).await?;
        let recovered = Instant::now();
        let recovered_after = recovered - begun;
        wait_for_writes(load, fault.writes).await?;
        let pause = load.journal.longest_pause();
        let more = load.journal.acknowledged() - acknowledged;
        progress(&format!(
            "{:>3}/{} {} {}: recovered after {:.1} s, longest pause {:.1} s, {more} writes",
            n + 1,
            plan.len(),
            fault.kind,
            fault.target,
            recovered_after.as_secs_f64(),
            pause.as_secs_f64()
        ));
        recoveries.extend(starting.drain(..).map(|(fault, begun)| Recovery {
            kind: fault.kind,
            recovered_after: recovered - begun,
            pause,
        }));
    }
    for (fault, _) in starting {
        installation.wait_until_ready(&fault.target).await?;
    }
    Ok(recoveries)
}

/// Waits until this number of further writes is acknowledged.
///
/// # Errors
/// When no write succeeds any more.
pub async fn wait_for_writes(load: &Load, writes: u64) -> anyhow::Result<()> {
    let goal = load.journal.acknowledged() + writes;
    eventually(&format!("{writes} writes are acknowledged"), async || load.journal.acknowledged() >= goal).await
}

/// Causes a fault, and ends it.
async fn inject(installation: &mut Installation, load: &Load, fault: &Fault) -> anyhow::Result<()> {
    let Fault { kind, target, lasts, .. } = fault;
    match kind {
        Kind::KillPostgres => {
            let before = installation.postmaster();
            installation.kill_postgres()?;
            // Its supervisor starts it.
            eventually("Postgres starts again", async || {
                installation.postmaster().is_some_and(|now| Some(now) != before)
            })
            .await?;
        }
        Kind::KillService | Kind::KillGateway | Kind::KillRedis => {
            installation.process(target)?.kill()?;
            tokio::time::sleep(*lasts).await;
            installation.process(target)?.start()?;
        }
        Kind::FillDisk => fill_disk(installation, load, *lasts).await?,
        Kind::SetClock => {
            installation.clocks()?.set(target, fault.ahead)?;
            tokio::time::sleep(*lasts + NOTICED_AFTER).await;
            installation.clocks()?.set(target, 0)?;
        }
        Kind::Suspend => {
            installation.process(target)?.signal(Signal::SIGSTOP)?;
            tokio::time::sleep(*lasts).await;
            installation.process(target)?.signal(Signal::SIGCONT)?;
        }
        Kind::Slow => {
            installation.proxy(target)?.delay(DELAY);
            tokio::time::sleep(*lasts).await;
            installation.proxy(target)?.delay(Duration::ZERO);
        }
        Kind::Cut => {
            installation.proxy(target)?.cut();
            tokio::time::sleep(*lasts).await;
            installation.proxy(target)?.admit();
        }
    }
    Ok(())
}

/// Fills the disk of Postgres until a write is refused for it, while reads are answered. Then Postgres also needs another segment of its
/// write-ahead log, and ends.
async fn fill_disk(installation: &Installation, load: &Load, lasts: Duration) -> anyhow::Result<()> {
    let disk = installation.disk()?;
    let numbers = || load.client.counts.refused_and_read(REFUSED);
    let refill = async || {
        disk.fill()?;
        tokio::time::sleep(FILL_INTERVAL).await;
        anyhow::Ok(())
    };
    let (refused, _) = numbers();
    let mut ends = false;
    eventually("a write meets the full disk", async || {
        ends = refill().await.is_err() || installation.superuser().await.is_err();
        ends || numbers().0 > refused
    })
    .await?;
    let (_, read) = numbers();
    eventually("reads are answered while the disk is full", async || {
        ends = ends || refill().await.is_err() || installation.superuser().await.is_err();
        ends || numbers().1 >= read + READS
    })
    .await?;
    let until = Instant::now() + lasts;
    while Instant::now() < until {
        // Refused by a Postgres that has ended.
        installation.use_another_segment().await.ok();
        refill().await?;
    }
    Ok(disk.free()?)
}
