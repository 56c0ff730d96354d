//! The table of goals: Portia beside the bare server in one run. Rounds in which every row of every contestant has a turn, one
//! after the other; the ratio of each round; and no ratio when the machine did too much else.

mod cases;
pub mod lines;
mod results;
mod table;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{ConnectOptions as _, Connection as _};

use self::{
    cases::Case,
    lines::{Goal, Line, Round, Turn, Unit},
};
use crate::{
    bare::{self, Bare},
    client::Member,
    cpu,
    data_folder::{DataFolder, Note},
    effort::Effort,
    fill::Progress,
    live,
    machine::Times,
    pictures,
    plan::Actors,
    portia::Portia,
    processes::Processes,
    turn::{self, Worker},
};

pub use results::append;

/// Messages per second while their delay is measured.
const MESSAGE_RATE: u32 = 200;
/// The period without work after which the facts of a turn are consumed.
const QUIET: Duration = Duration::from_millis(60);

/// The programs.
#[derive(Clone, Copy, Debug)]
pub struct Programs<'a> {
    /// The standalone Portia.
    pub portia: &'a Path,
    /// `portia-bench` itself, which is also the bare server.
    pub bench: &'a Path,
    /// The folder of the programs of the services and the gateway, which are then measured as well.
    pub processes: Option<&'a Path>,
}

/// The result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The date.
    pub at: DateTime<Utc>,
    /// The number of processors.
    pub processors: usize,
    /// Seconds per row and contestant in total.
    pub seconds: f64,
    /// One table per data folder.
    pub tables: Vec<Table>,
    /// The second folder to the first.
    pub growth: Vec<Line>,
    /// Requests without a complete response.
    pub errors: usize,
}

/// The lines of one data folder.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Its content.
    pub data: Note,
    /// The lines.
    pub lines: Vec<Line>,
    /// The lines that compare the eight processes with the standalone Portia, if they were measured.
    pub processes: Vec<Line>,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contestant {
    Bare,
    Standalone,
    Processes,
}

/// A data folder with its servers.
struct Instance {
    note: Note,
    cases: Vec<Case>,
    rounds: Vec<Vec<Round>>,
    /// For each case, the rounds that compare the eight processes with the standalone Portia.
    rounds_of_processes: Vec<Vec<Round>>,
    pairs: Vec<(Member, Member)>,
    // Stopped before the Postgres that they use.
    bare: Bare,
    processes: Option<Processes>,
    portia: Portia,
}

/// How long a turn may take.
#[derive(Clone, Copy)]
struct Length {
    requests: Duration,
    settle_timeout: Duration,
}

/// One turn, and what went wrong in it.
struct Measured {
    turn: Turn,
    errors: usize,
}

impl Instance {
    async fn start(programs: Programs<'_>, folder: &DataFolder, progress: Progress<'_>) -> anyhow::Result<Self> {
        let note = folder.note()?;
        let note = note.with_context(|| format!("{} was not filled by `cargo xtask seed`", folder.path().display()))?;
        progress(&format!("Starting Portia on {} members, {} posts ...", note.members, note.posts));
        let portia = Portia::start(programs.portia, folder)?;
        let (_, options) = folder.server()?;
        let mut db = options.connect().await?;
        bare::ensure_tables(&mut db, progress).await?;
        let bare = Bare::start(programs.bench, &options)?;
        let actors = Actors::sign_in(&portia.base, &note).await?;
        let mut cases = cases::all(&actors, &note, &bare.base, &mut db).await?;
        let mut processes = None;
        if let Some(programs) = programs.processes {
            progress("Starting eight processes ...");
            let started = Processes::start(programs, folder).await?;
            let actors = Actors::sign_in(&started.base, &note).await?;
            for (case, same) in cases.iter_mut().zip(cases::all(&actors, &note, &bare.base, &mut db).await?) {
                case.processes = same.portia;
            }
            processes = Some(started);
        }
        db.close().await?;
        let mut pairs = Vec::new();
        for pair in actors.typical.chunks_exact(2) {
            let [sender, reader] = pair else { continue };
            pairs.push((sender.with_new_connection()?, reader.with_new_connection()?));
        }
        let no_rounds = || cases.iter().map(|_| Vec::new()).collect();
        let (rounds, rounds_of_processes) = (no_rounds(), no_rounds());
        Ok(Self { note, cases, rounds, rounds_of_processes, pairs, bare, processes, portia })
    }

    /// Returns the contestant's time. The eight processes and the standalone Portia share the work on facts, so the
    /// time of either includes both.
    fn cpu(&self, contestant: Contestant) -> anyhow::Result<u64> {
        if contestant == Contestant::Bare {
            return cpu::millis([self.bare.process()], self.portia.postgres);
        }
        let processes = self.processes.iter().flat_map(Processes::ids);
        cpu::millis(processes.chain([self.portia.process()]), self.portia.postgres)
    }

    async fn turn(&self, case: &Case, contestant: Contestant, length: Length) -> anyhow::Result<Measured> {
        let (workers, requests) = match contestant {
            Contestant::Bare => (&case.bare, 1),
            Contestant::Standalone => (&case.portia, case.requests),
            Contestant::Processes => (&case.processes, case.requests),
        };
        let (times, own, before) = (Times::now()?, cpu::own_millis()?, self.cpu(contestant)?);
        let began = Instant::now();
        let sample = turn::send_for(workers, length.requests).await?;
        let passed = began.elapsed().as_secs_f64();
        self.settle(contestant, length.settle_timeout).await?;
        let cpu_ms = self.cpu(contestant)?.saturating_sub(before);
        let own_ms = cpu::own_millis()?.saturating_sub(own) + cpu_ms;
        let disturbance = Times::now()?.disturbance_since(times, own_ms);
        let operations = sample.took.len() as f64 / requests as f64;
        let value = match case.unit {
            Unit::PerSecond => operations / passed,
            Unit::CpuMs | Unit::Ms => cpu_ms as f64 / operations,
        };
        Ok(Measured { turn: Turn { value, disturbance }, errors: sample.errors })
    }

    /// Waits until the work after the responses is done: the facts of a like are a part of its cost, and not of the next turn's.
    async fn settle(&self, contestant: Contestant, timeout: Duration) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut before = self.cpu(contestant)?;
        while began.elapsed() < timeout {
            tokio::time::sleep(QUIET).await;
            let now = self.cpu(contestant)?;
            if now == before {
                break;
            }
            before = now;
        }
        Ok(())
    }

    /// Measures a row, the contestants in this order or in the opposite one.
    async fn round(&mut self, place: usize, bare_first: bool, length: Length) -> anyhow::Result<usize> {
        let Some(case) = self.cases.get(place) else { return Ok(0) };
        let mut order = [Contestant::Bare, Contestant::Standalone, Contestant::Processes];
        if !bare_first {
            order.reverse();
        }
        let (mut bare, mut portia, mut processes, mut errors) = (None, None, None, 0);
        for contestant in order {
            let (workers, turn) = match contestant {
                Contestant::Bare => (&case.bare, &mut bare),
                Contestant::Standalone => (&case.portia, &mut portia),
                Contestant::Processes => (&case.processes, &mut processes),
            };
            if !workers.is_empty() {
                let measured = self.turn(case, contestant, length).await?;
                errors += measured.errors;
                *turn = Some(measured.turn);
            }
        }
        if let (Some(portia), Some(rounds)) = (portia, self.rounds.get_mut(place)) {
            rounds.push(Round { portia, other: bare });
        }
        if let (Some(processes), Some(rounds)) = (processes, self.rounds_of_processes.get_mut(place)) {
            rounds.push(Round { portia: processes, other: portia });
        }
        Ok(errors)
    }

    async fn messages(&self, messages: u32) -> anyhow::Result<Line> {
        let (times, own, before) = (Times::now()?, cpu::own_millis()?, self.cpu(Contestant::Standalone)?);
        let measured = live::measure_at_rate(&self.pairs, MESSAGE_RATE, messages).await?;
        // A refused message is never seen.
        let p99_ms = if measured.refused > 0 { f64::INFINITY } else { measured.delays.p99_ms };
        let own_ms = cpu::own_millis()?.saturating_sub(own) + self.cpu(Contestant::Standalone)?.saturating_sub(before);
        let disturbance = Times::now()?.disturbance_since(times, own_ms);
        let round = Round { portia: Turn { value: p99_ms, disturbance }, other: None };
        let name = format!("sent to seen, p99 at {MESSAGE_RATE}/s");
        Ok(Line::of(&name, Unit::Ms, Goal::P99AtMost(20.0), &[round]))
    }

    /// The delays after which the pictures of deleted posts are not found.
    async fn deleted_pictures(&self, pictures: u32) -> anyhow::Result<Line> {
        let (member, _) = self.pairs.first().context("the data has no member who could publish a picture")?;
        let (times, own, before) = (Times::now()?, cpu::own_millis()?, self.cpu(Contestant::Standalone)?);
        let took = pictures::measure(member, pictures).await?;
        let slowest = took.into_iter().max().unwrap_or(Duration::MAX);
        let own_ms = cpu::own_millis()?.saturating_sub(own) + self.cpu(Contestant::Standalone)?.saturating_sub(before);
        let disturbance = Times::now()?.disturbance_since(times, own_ms);
        let round = Round { portia: Turn { value: slowest.as_secs_f64() * 1_000.0, disturbance }, other: None };
        let name = format!("deleted picture to 404, {pictures}");
        Ok(Line::of(&name, Unit::Ms, Goal::SlowestAtMost(5_000.0), &[round]))
    }

    /// The lines of every row.
    fn lines(&self) -> Vec<Line> {
        let rounds_of = |name: &str| {
            let place = self.cases.iter().position(|case| case.name == name)?;
            self.rounds.get(place)
        };
        let line = |(case, rounds): (&Case, &Vec<Round>)| match case.goal {
            Goal::OfPeopleAtMost(_) => {
                let people = rounds_of("search of people").into_iter().flatten().map(|round| round.portia);
                let pairs = rounds.iter().zip(people);
                let rounds: Vec<Round> = pairs.map(|(all, people)| Round { other: Some(people), ..*all }).collect();
                Line::of(&case.name, case.unit, case.goal, &rounds)
            }
            _ => Line::of(&case.name, case.unit, case.goal, rounds),
        };
        self.cases.iter().zip(&self.rounds).map(line).collect()
    }

    /// The lines of the eight processes.
    fn lines_of_processes(&self) -> Vec<Line> {
        let rows = self.cases.iter().zip(&self.rounds_of_processes);
        let measured = rows.filter(|(case, rounds)| case.unit == Unit::CpuMs && !rounds.is_empty());
        measured.map(|(case, rounds)| Line::of(&case.name, case.unit, Goal::RatioAtMost(2.2), rounds)).collect()
    }
}

/// Starts both servers on every folder, and measures all of them in turn.
///
/// # Errors
/// When the machine is not Linux, a folder was not made by `seed`, or a server does not start.
pub async fn measure(
    programs: Programs<'_>,
    folders: &[DataFolder],
    effort: Effort,
    progress: Progress<'_>,
) -> anyhow::Result<Comparison> {
    cpu::available()?;
    let mut instances = Vec::new();
    for folder in folders {
        instances.push(Instance::start(programs, folder, progress).await?);
    }
    let rows = instances.iter().map(|instance| instance.cases.len()).min().unwrap_or_default();
    let mut errors = 0;
    for instance in &instances {
        progress(&format!("Warming up {} ...", instance.note.size));
        for case in &instance.cases {
            for workers in [&case.portia, &case.bare, &case.processes] {
                warm_up(workers, effort.warm_up).await?;
            }
        }
    }
    let Effort { rounds, settle_timeout, .. } = effort;
    let requests = Duration::from_secs_f64(effort.seconds / f64::from(rounds));
    let turn = Length { requests, settle_timeout };
    for round in 1..=rounds {
        progress(&format!("Round {round} of {rounds} ..."));
        let is_even = round.is_multiple_of(2);
        for row in 0..rows {
            let row = if is_even { rows - 1 - row } else { row };
            for instance in &mut instances {
                errors += instance.round(row, is_even, turn).await?;
            }
        }
    }
    let growth = growth(&instances);
    let mut tables = Vec::new();
    for instance in instances {
        progress(&format!("Measuring messages on {} ...", instance.note.size));
        let mut lines = instance.lines();
        lines.push(instance.messages(effort.messages).await?);
        lines.push(instance.deleted_pictures(effort.pictures).await?);
        let of_processes = instance.lines_of_processes();
        let Instance { note, bare, processes, portia, .. } = instance;
        drop((bare, processes));
        portia.stop()?;
        tables.push(Table { data: note, lines, processes: of_processes });
    }
    let at = primitives::clock::Clock::system().now();
    let processors = std::thread::available_parallelism()?.get();
    Ok(Comparison { at, processors, seconds: effort.seconds, tables, growth, errors })
}

async fn warm_up(workers: &[Worker], how_long: Duration) -> anyhow::Result<()> {
    if !workers.is_empty() {
        turn::send_for(workers, how_long).await?;
    }
    Ok(())
}

/// Portia's cost on the second folder to that on the first, round by round.
fn growth(instances: &[Instance]) -> Vec<Line> {
    let [small, large, ..] = instances else { return Vec::new() };
    let rows = large.cases.iter().zip(&large.rounds).zip(&small.rounds);
    let of = |((case, large), small): ((&Case, &Vec<Round>), &Vec<Round>)| {
        let rounds: Vec<Round> = large
            .iter()
            .zip(small)
            .map(|(large, small)| Round { portia: large.portia, other: Some(small.portia) })
            .collect();
        Line::of(&case.name, case.unit, Goal::GrowthAtMost(1.2), &rounds)
    };
    rows.filter(|((case, _), _)| case.unit == Unit::CpuMs).map(of).collect()
}

impl Comparison {
    /// Whether every request was completed.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.errors == 0
    }

    /// Whether any line has numbers.
    #[must_use]
    pub fn has_numbers(&self) -> bool {
        self.tables.iter().flat_map(|table| &table.lines).any(|line| line.portia.is_some())
    }
}
