//! What requests cost: rounds in which every route of every Portia has its turn, so that the machine's moods hit all.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{
    client::{Ask, Member},
    cpu,
    fill::Say,
    live::{self, Live},
    place::{Note, Place},
    plan::{self, Actors, Contest},
    portia::Portia,
};

/// Turns of each route; the report shows their median.
const ROUNDS: u32 = 10;
/// How long each route runs before anything is measured.
const WARM_UP: Duration = Duration::from_secs(1);
/// The number of messages with a measured delay.
const MESSAGES: u32 = 1_000;
/// A time without requests, to measure the idle cost.
const IDLE: Duration = Duration::from_secs(5);

/// Everything that was measured.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// When.
    pub at: DateTime<Utc>,
    /// Processors of the machine.
    pub processors: usize,
    /// Seconds a route was asked for, in all.
    pub seconds: f64,
    /// Requests under way at once.
    pub concurrency: usize,
    /// One a data folder.
    pub portias: Vec<Measured>,
}

/// One Portia's numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// What it holds.
    pub data: Note,
    /// Processor time a second without requests.
    pub idle_cpu_ms: f64,
    /// In the order they were asked in.
    pub routes: Vec<Line>,
    /// How soon a message is seen.
    pub live: Live,
}

/// One route's numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// What was asked.
    pub route: String,
    /// Processor time a request, all processes and Postgres: the median of the rounds.
    pub cpu_ms: f64,
    /// The cheapest and the dearest round.
    pub cpu_ms_range: [f64; 2],
    /// Answers.
    pub requests: usize,
    /// Those that were none, or incomplete.
    pub errors: usize,
    /// Half of the answers came within this; for information, the client is on the same machine.
    pub p50_ms: f64,
    /// All but one in a hundred did.
    pub p99_ms: f64,
    /// A body's size, on average.
    pub bytes: usize,
}

/// A Portia under measurement.
struct Stand {
    portia: Portia,
    note: Note,
    contests: Vec<Contest>,
    samples: Vec<Vec<Sample>>,
    idle_cpu_ms: f64,
    talkers: [Member; 2],
    live: Option<Live>,
}

/// One route's turn.
#[derive(Debug, Default)]
struct Sample {
    cpu_ms: u64,
    errors: usize,
    bytes: usize,
    /// Of each answer, in microseconds.
    took: Vec<u32>,
}

/// Starts `program` on every folder, and measures all of them in turn for `seconds` a route.
///
/// # Errors
/// When the machine is not Linux, a folder is none of ours, or a Portia does not start.
pub async fn measure(program: &Path, places: &[Place], seconds: f64, say: Say<'_>) -> anyhow::Result<Report> {
    cpu::available()?;
    let mut stands = Vec::new();
    for place in places {
        let note = place.note()?;
        let note = note.with_context(|| format!("{} was not filled by `cargo xtask seed`", place.path().display()))?;
        say(&format!("Starting Portia on {} members, {} posts ...", note.members, note.posts));
        let portia = Portia::start(program, place)?;
        let actors = Actors::sign_in(&portia.base, &note).await?;
        let contests = plan::measured(&actors, &note).await?;
        let [sender, reader, ..] = actors.typical.as_slice() else { anyhow::bail!("seed.json names too few") };
        let talkers = [sender.again()?, reader.again()?];
        stands.push(Stand {
            samples: contests.iter().map(|_| Vec::new()).collect(),
            portia,
            note,
            contests,
            idle_cpu_ms: 0.0,
            talkers,
            live: None,
        });
    }
    for stand in &stands {
        say(&format!("Warming up {} ...", stand.note.size));
        for contest in &stand.contests {
            stand.turn(contest, WARM_UP).await?;
        }
    }
    rest(&mut stands).await?;
    let turn = Duration::from_secs_f64(seconds / f64::from(ROUNDS));
    for round in 1..=ROUNDS {
        say(&format!("Round {round} of {ROUNDS} ..."));
        round_of(&mut stands, round % 2 == 0, turn).await?;
    }
    for stand in &mut stands {
        say(&format!("Talking on {} ...", stand.note.size));
        let [sender, reader] = &stand.talkers;
        stand.live = Some(live::measure(sender, reader, MESSAGES).await?);
    }
    let concurrency = stands.iter().flat_map(|stand| stand.contests.iter().map(|contest| contest.workers.len())).max();
    let mut portias = Vec::new();
    for stand in stands {
        portias.push(stand.finish()?);
    }
    let at = primitives::clock::Clock::system().now();
    let processors = std::thread::available_parallelism()?.get();
    Ok(Report { at, processors, seconds, concurrency: concurrency.unwrap_or_default(), portias })
}

/// The idle cost of each.
async fn rest(stands: &mut [Stand]) -> anyhow::Result<()> {
    let mut before = Vec::new();
    for stand in &*stands {
        before.push(stand.cpu()?);
    }
    tokio::time::sleep(IDLE).await;
    for (stand, before) in stands.iter_mut().zip(before) {
        stand.idle_cpu_ms = stand.cpu()?.saturating_sub(before) as f64 / IDLE.as_secs_f64();
    }
    Ok(())
}

/// Every route has its turn at every Portia; every other round the other way round.
async fn round_of(stands: &mut [Stand], backwards: bool, turn: Duration) -> anyhow::Result<()> {
    let routes = stands.iter().map(|stand| stand.contests.len()).min().unwrap_or_default();
    let mut turns: Vec<(usize, usize)> =
        (0..routes).flat_map(|route| (0..stands.len()).map(move |stand| (route, stand))).collect();
    if backwards {
        turns.reverse();
    }
    for (route, stand) in turns {
        let Some(stand) = stands.get_mut(stand) else { continue };
        let Some(contest) = stand.contests.get(route) else { continue };
        let sample = stand.turn(contest, turn).await?;
        if let Some(samples) = stand.samples.get_mut(route) {
            samples.push(sample);
        }
    }
    Ok(())
}

impl Stand {
    fn cpu(&self) -> anyhow::Result<u64> {
        cpu::millis(self.portia.process(), self.portia.postgres)
    }

    async fn turn(&self, contest: &Contest, how_long: Duration) -> anyhow::Result<Sample> {
        let before = self.cpu()?;
        let end = Instant::now() + how_long;
        let workers =
            contest.workers.iter().map(|(member, asks)| tokio::spawn(work(member.clone(), asks.clone(), end)));
        let workers: Vec<_> = workers.collect();
        let mut sample = Sample::default();
        for worker in workers {
            let part = worker.await?;
            sample.errors += part.errors;
            sample.bytes += part.bytes;
            sample.took.extend(part.took);
        }
        sample.cpu_ms = self.cpu()?.saturating_sub(before);
        Ok(sample)
    }

    fn finish(self) -> anyhow::Result<Measured> {
        let routes = self.contests.iter().zip(&self.samples).map(|(contest, samples)| line(&contest.name, samples));
        let live = self.live.context("the live measurement is missing")?;
        let measured = Measured { data: self.note, idle_cpu_ms: self.idle_cpu_ms, routes: routes.collect(), live };
        self.portia.stop()?;
        Ok(measured)
    }
}

/// Asks one after the other until the end.
async fn work(member: Member, asks: Vec<Ask>, end: Instant) -> Sample {
    let mut sample = Sample::default();
    for ask in asks.iter().cycle() {
        let began = Instant::now();
        match member.ask(ask).await {
            Ok(answer) if answer.good => sample.bytes += answer.body.len(),
            _ => sample.errors += 1,
        }
        sample.took.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
        if Instant::now() >= end {
            break;
        }
    }
    sample
}

fn line(route: &str, samples: &[Sample]) -> Line {
    let each = samples.iter().filter(|sample| !sample.took.is_empty());
    let mut costs: Vec<f64> = each.map(|sample| sample.cpu_ms as f64 / sample.took.len() as f64).collect();
    costs.sort_by(f64::total_cmp);
    let mut took: Vec<u32> = samples.iter().flat_map(|sample| sample.took.iter().copied()).collect();
    took.sort_unstable();
    let percentile = |percent: usize| {
        let place = (took.len() * percent / 100).min(took.len().saturating_sub(1));
        f64::from(took.get(place).copied().unwrap_or_default()) / 1_000.0
    };
    let ends = [costs.first(), costs.last()].map(|end| end.copied().unwrap_or_default());
    let errors = samples.iter().map(|sample| sample.errors).sum();
    let bytes: usize = samples.iter().map(|sample| sample.bytes).sum();
    Line {
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

/// Of sorted values.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.get(middle.wrapping_sub(1))) {
        (Some(upper), Some(lower)) if sorted.len().is_multiple_of(2) => f64::midpoint(*upper, *lower),
        (Some(only), _) => *only,
        _ => 0.0,
    }
}

impl Report {
    /// Whether every request was answered.
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
    fn a_route_is_told_by_the_median_of_its_rounds() {
        let samples = [sample(40, &[1_000; 10]), sample(10, &[2_000; 10]), sample(20, &[3_000; 10])];
        let line = line("post", &samples);
        assert_eq!((line.cpu_ms, line.cpu_ms_range), (2.0, [1.0, 4.0]));
        assert_eq!((line.requests, line.errors, line.bytes), (30, 0, 10));
        assert_eq!((line.p50_ms, line.p99_ms), (2.0, 3.0));
    }

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn failed_answers_weigh_nothing() {
        let failed = Sample { cpu_ms: 1, errors: 2, bytes: 100, took: vec![5, 5, 5] };
        let line = line("post", &[failed]);
        assert_eq!((line.errors, line.bytes), (2, 100));
    }
}
