//! The cost of requests: rounds in which every route of every Portia is measured in turn, so that disturbances of the
//! machine affect all of them.

use std::{path::Path, time::Duration};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{
    client::Member,
    cpu,
    data_folder::{DataFolder, Note},
    effort::Effort,
    fill::Progress,
    live::{self, Live},
    plan::{self, Actors, Workload},
    portia::Portia,
    turn::{self, Sample, Script, Worker, median},
};

/// The result of the measurement.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The date.
    pub at: DateTime<Utc>,
    /// The number of processors.
    pub processors: usize,
    /// Seconds per route in total.
    pub seconds: f64,
    /// The number of concurrent requests.
    pub concurrency: usize,
    /// One entry per data folder.
    pub portias: Vec<InstanceReport>,
}

/// The numbers of one Portia.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InstanceReport {
    /// Its content.
    pub data: Note,
    /// Processor time per second without requests.
    pub idle_cpu_ms: f64,
    /// The routes in the order of the measurement.
    pub routes: Vec<RouteReport>,
    /// The delay of messages.
    pub live: Live,
}

/// The numbers of one route.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteReport {
    /// The name of the route.
    pub route: String,
    /// Processor time per request, of all processes and Postgres: the median of the rounds.
    pub cpu_ms: f64,
    /// The minimum and maximum of the rounds.
    pub cpu_ms_range: [f64; 2],
    /// Complete responses.
    pub requests: usize,
    /// Failed or incomplete responses.
    pub errors: usize,
    /// The median latency; for information, because the client runs on the same machine.
    pub p50_ms: f64,
    /// The 99th percentile.
    pub p99_ms: f64,
    /// The average size of a body.
    pub bytes: usize,
}

/// A Portia under measurement.
struct Instance {
    portia: Portia,
    note: Note,
    workloads: Vec<Workload>,
    samples: Vec<Vec<Sample>>,
    idle_cpu_ms: f64,
    participants: [Member; 2],
    live: Option<Live>,
}

/// Starts `program` on every folder, and measures all of them interleaved with this effort.
///
/// # Errors
/// When the machine is not Linux, a folder was not made by `seed`, or a Portia does not start.
pub async fn measure(
    program: &Path,
    folders: &[DataFolder],
    effort: Effort,
    progress: Progress<'_>,
) -> anyhow::Result<Report> {
    cpu::available()?;
    let Effort { seconds, warm_up, idle, messages, rounds, .. } = effort;
    let mut instances = Vec::new();
    for folder in folders {
        let note = folder.note()?;
        let note = note.with_context(|| format!("{} was not filled by `cargo xtask seed`", folder.path().display()))?;
        progress(&format!("Starting Portia on {} members, {} posts ...", note.members, note.posts));
        let portia = Portia::start(program, folder)?;
        let actors = Actors::sign_in(&portia.base, &note).await?;
        let workloads = plan::measured(&actors, &note).await?;
        let [sender, reader, ..] = actors.typical.as_slice() else { anyhow::bail!("seed.json names too few") };
        let participants = [sender.with_new_connection()?, reader.with_new_connection()?];
        instances.push(Instance {
            samples: workloads.iter().map(|_| Vec::new()).collect(),
            portia,
            note,
            workloads,
            idle_cpu_ms: 0.0,
            participants,
            live: None,
        });
    }
    for instance in &instances {
        progress(&format!("Warming up {} ...", instance.note.size));
        for workload in &instance.workloads {
            instance.measure_round(workload, warm_up).await?;
        }
    }
    measure_idle(&mut instances, idle).await?;
    let turn = Duration::from_secs_f64(seconds / f64::from(rounds));
    for round in 1..=rounds {
        progress(&format!("Round {round} of {rounds} ..."));
        round_of(&mut instances, round % 2 == 0, turn).await?;
    }
    for instance in &mut instances {
        progress(&format!("Measuring live events on {} ...", instance.note.size));
        let [sender, reader] = &instance.participants;
        instance.live = Some(live::measure(sender, reader, messages).await?);
    }
    let concurrency =
        instances.iter().flat_map(|instance| instance.workloads.iter().map(|workload| workload.workers.len())).max();
    let mut portias = Vec::new();
    for instance in instances {
        portias.push(instance.finish()?);
    }
    let at = primitives::clock::Clock::system().now();
    let processors = std::thread::available_parallelism()?.get();
    Ok(Report { at, processors, seconds, concurrency: concurrency.unwrap_or_default(), portias })
}

/// The idle cost of each.
async fn measure_idle(instances: &mut [Instance], period: Duration) -> anyhow::Result<()> {
    let mut before = Vec::new();
    for instance in &*instances {
        before.push(instance.cpu()?);
    }
    tokio::time::sleep(period).await;
    for (instance, before) in instances.iter_mut().zip(before) {
        instance.idle_cpu_ms = instance.cpu()?.saturating_sub(before) as f64 / period.as_secs_f64();
    }
    Ok(())
}

/// Measures every route of every Portia; every other round in reverse order.
async fn round_of(instances: &mut [Instance], backwards: bool, turn: Duration) -> anyhow::Result<()> {
    let routes = instances.iter().map(|instance| instance.workloads.len()).min().unwrap_or_default();
    let mut turns: Vec<(usize, usize)> =
        (0..routes).flat_map(|route| (0..instances.len()).map(move |instance| (route, instance))).collect();
    if backwards {
        turns.reverse();
    }
    for (route, instance) in turns {
        let Some(instance) = instances.get_mut(instance) else { continue };
        let Some(workload) = instance.workloads.get(route) else { continue };
        let sample = instance.measure_round(workload, turn).await?;
        if let Some(samples) = instance.samples.get_mut(route) {
            samples.push(sample);
        }
    }
    Ok(())
}

impl Instance {
    fn cpu(&self) -> anyhow::Result<u64> {
        cpu::millis([self.portia.process()], self.portia.postgres)
    }

    async fn measure_round(&self, workload: &Workload, how_long: Duration) -> anyhow::Result<Sample> {
        let before = self.cpu()?;
        let workers = workload.workers.iter().map(|(member, requests)| Worker {
            member: member.clone(),
            script: Script::Repeat { requests: requests.clone(), group: 1 },
        });
        let mut sample = turn::send_for(&workers.collect::<Vec<_>>(), how_long).await?;
        sample.cpu_ms = self.cpu()?.saturating_sub(before);
        Ok(sample)
    }

    fn finish(self) -> anyhow::Result<InstanceReport> {
        let routes = self.workloads.iter().zip(&self.samples).map(|(workload, samples)| line(&workload.name, samples));
        let live = self.live.context("the live measurement is missing")?;
        let measured =
            InstanceReport { data: self.note, idle_cpu_ms: self.idle_cpu_ms, routes: routes.collect(), live };
        self.portia.stop()?;
        Ok(measured)
    }
}

fn line(route: &str, samples: &[Sample]) -> RouteReport {
    let each = samples.iter().filter(|sample| !sample.took.is_empty());
    let mut costs: Vec<f64> = each.map(|sample| sample.cpu_ms as f64 / sample.took.len() as f64).collect();
    costs.sort_by(f64::total_cmp);
    let mut took: Vec<u32> = samples.iter().flat_map(|sample| sample.took.iter().copied()).collect();
    took.sort_unstable();
    let percentile = |percent: usize| {
        let index = (took.len() * percent / 100).min(took.len().saturating_sub(1));
        f64::from(took.get(index).copied().unwrap_or_default()) / 1_000.0
    };
    let ends = [costs.first(), costs.last()].map(|end| end.copied().unwrap_or_default());
    let errors = samples.iter().map(|sample| sample.errors).sum();
    let bytes: usize = samples.iter().map(|sample| sample.bytes).sum();
    RouteReport {
        route: route.to_owned(),
        cpu_ms: median(&costs),
        cpu_ms_range: ends,
        requests: took.len(),
        errors,
        p50_ms: percentile(50),
        p99_ms: percentile(99),
        bytes: bytes / (took.len() - errors.min(took.len())).max(1),
    }
}

impl Report {
    /// Whether every request was completed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.portias.iter().flat_map(|portia| &portia.routes).all(|line| line.errors == 0 && line.requests > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(cpu_ms: u64, took: &[u32]) -> Sample {
        Sample { cpu_ms, errors: 0, bytes: took.len() * 10, took: took.to_vec() }
    }

    #[test]
    fn the_report_shows_the_median_of_the_rounds() {
        let samples = [sample(40, &[1_000; 10]), sample(10, &[2_000; 10]), sample(20, &[3_000; 10])];
        let line = line("post", &samples);
        assert_eq!((line.cpu_ms, line.cpu_ms_range), (2.0, [1.0, 4.0]));
        assert_eq!((line.requests, line.errors, line.bytes), (30, 0, 10));
        assert_eq!((line.p50_ms, line.p99_ms), (2.0, 3.0));
    }

    #[test]
    fn failed_responses_do_not_count() {
        let failed = Sample { cpu_ms: 1, errors: 2, bytes: 100, took: vec![5, 5, 5] };
        let line = line("post", &[failed]);
        assert_eq!((line.errors, line.bytes), (2, 100));
    }
}
