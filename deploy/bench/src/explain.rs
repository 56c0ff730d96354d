//! The query plans of each list, as executed, from the log of auto_explain.
//!
//! The statements exist only in the services. auto_explain is part of Postgres; it is loaded into the sessions of this
//! database, and logs every plan with its buffers.

mod log;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use crate::{
    client::{Member, Request},
    data_folder::{DataFolder, Note},
    fill::Progress,
    plan::{self, Actors},
    portia::Portia,
};

/// Settings of new sessions.
const SETTINGS: [(&str, &str); 7] = [
    ("session_preload_libraries", "auto_explain"),
    ("auto_explain.log_min_duration", "0"),
    ("auto_explain.log_analyze", "on"),
    ("auto_explain.log_buffers", "on"),
    ("auto_explain.log_timing", "off"),
    ("auto_explain.log_format", "json"),
    ("log_min_messages", "log"),
];

/// The requests before the measured plan: a connection plans its first five executions for their values, and every
/// service has ten connections.
pub const WARM_UP_REQUESTS: usize = 100;
/// The number of measured requests; statements that most of them execute belong to the route, others are background
/// work.
const SAMPLES: usize = 5;
/// A period without requests, to measure background work.
const IDLE: Duration = Duration::from_secs(3);

/// The statements of every route.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainReport {
    /// The content of the database.
    pub data: Note,
    /// The routes in the order of the measurement.
    pub routes: Vec<Route>,
}

/// One route.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// The name of the route.
    pub route: String,
    /// Its statements, the most expensive first.
    pub statements: Vec<Statement>,
}

/// One executed statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Its text.
    pub query: String,
    /// Buffers found in shared memory.
    pub hit: u64,
    /// Buffers that were read from disk.
    pub read: u64,
    /// The scan of each table and index.
    pub scans: Vec<String>,
    /// The full plan.
    pub plan: Value,
    /// Postgres planned it for the values of this call, and will at each one. That may cost more than the execution: mostly it does not
    /// know how many rows a bound `limit` returns.
    pub is_planned_for_values: bool,
}

impl Statement {
    /// The number of buffers, from memory or disk.
    #[must_use]
    pub const fn buffers(&self) -> u64 {
        self.hit + self.read
    }

    /// Marks the statement if its plan names `value`, which a plan for all values does not.
    fn mark_if_planned_for(&mut self, value: &str) {
        self.is_planned_for_values = self.plan.to_string().contains(value);
    }

    /// The beginning of the text, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        self.query.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(110).collect()
    }
}

/// Starts `program` on a folder and reads the plans of every list, each after `warm` requests.
///
/// # Errors
/// When the folder was not made by `seed`, auto_explain is missing, or a route fails.
pub async fn explain(
    program: &Path,
    folder: &DataFolder,
    warm: usize,
    progress: Progress<'_>,
) -> anyhow::Result<ExplainReport> {
    let note = folder.note()?;
    let note = note.with_context(|| format!("{} was not filled by `cargo xtask seed`", folder.path().display()))?;
    progress("Reading the query plans ...");
    let portia = Portia::start(program, folder)?;
    configure(folder, |name, value| format!("set {name} = '{value}'")).await?;
    portia.stop()?;
    let portia = Portia::start(program, folder)?;
    let routes = sample_routes(&portia, folder, &note, warm, progress).await;
    // Also after an error: the next process on this folder must not log its plans.
    configure(folder, |name, _| format!("reset {name}")).await?;
    portia.stop()?;
    Ok(ExplainReport { data: note, routes: routes? })
}

async fn configure(folder: &DataFolder, change: impl Fn(&str, &str) -> String) -> anyhow::Result<()> {
    let (_, options) = folder.server()?;
    let mut admin = options.connect().await?;
    let database: String = sqlx::query_scalar("select current_database()").fetch_one(&mut admin).await?;
    for (name, value) in SETTINGS {
        let statement = format!("alter database {database} {}", change(name, value));
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut admin).await.context(name)?;
    }
    admin.close().await?;
    Ok(())
}

async fn sample_routes(
    portia: &Portia,
    folder: &DataFolder,
    note: &Note,
    warm: usize,
    progress: Progress<'_>,
) -> anyhow::Result<Vec<Route>> {
    let actors = Actors::sign_in(&portia.base, note).await?;
    let requests = plan::explained(&actors, note).await?;
    let log = log::Log::of(folder.postgres_log());
    let before = log.end()?;
    tokio::time::sleep(IDLE).await;
    let background: BTreeSet<String> = log.since(before)?.into_iter().map(|statement| statement.query).collect();
    let mut routes = Vec::new();
    for (route, member, request) in requests {
        progress(&format!("Measuring {route} ..."));
        for _ in 0..warm {
            member.send(&request).await?.json()?;
        }
        let statements = of_route(&log, &member, &request, &background).await?;
        anyhow::ensure!(!statements.is_empty(), "{route} executed no statement: is auto_explain installed?");
        routes.push(Route { route, statements });
    }
    Ok(routes)
}

async fn of_route(
    log: &log::Log,
    member: &Member,
    request: &Request,
    background: &BTreeSet<String>,
) -> anyhow::Result<Vec<Statement>> {
    let mut seen: BTreeMap<String, Vec<Statement>> = BTreeMap::new();
    for _ in 0..SAMPLES {
        let before = log.end()?;
        member.send(request).await?.json()?;
        for statement in log.since(before)? {
            seen.entry(statement.query.clone()).or_default().push(statement);
        }
    }
    let most = seen.into_values().filter(|times| times.len() * 2 > SAMPLES).filter_map(|mut times| {
        times.sort_by_key(Statement::buffers);
        let middle = times.len() / 2;
        times.into_iter().nth(middle)
    });
    let (of_background, mut statements): (Vec<Statement>, Vec<Statement>) =
        most.partition(|statement| background.contains(&statement.query));
    // A statement of a route may also run in the background, like the look at new facts of suggestions.
    if statements.is_empty() {
        statements = of_background;
    }
    statements.sort_by_key(|statement| std::cmp::Reverse(statement.buffers()));
    statements.iter_mut().for_each(|statement| statement.mark_if_planned_for(&member.id));
    Ok(statements)
}
