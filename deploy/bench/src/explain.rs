//! What Postgres does for each list: the plans of the statements as they are really executed, from auto_explain's log.
//!
//! The statements live in the services and nowhere else. auto_explain comes with Postgres, is loaded into the sessions
//! of this one database, and writes every plan with the buffers it touched into the server's log.

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
    client::{Ask, Member},
    fill::Say,
    place::{Note, Place},
    plan::{self, Actors},
    portia::Portia,
};

/// Settings of the sessions that begin from now on.
const SETTINGS: [(&str, &str); 7] = [
    ("session_preload_libraries", "auto_explain"),
    ("auto_explain.log_min_duration", "0"),
    ("auto_explain.log_analyze", "on"),
    ("auto_explain.log_buffers", "on"),
    ("auto_explain.log_timing", "off"),
    ("auto_explain.log_format", "json"),
    ("log_min_messages", "log"),
];

/// Asked before the plan counts: a connection plans its first five executions each for their values, and every service
/// has ten connections.
pub const WARM: usize = 100;
/// Asked then; what most of these do belongs to the route, the rest happened meanwhile.
const LOOKS: usize = 5;
/// A time without requests, to measure background work.
const IDLE: Duration = Duration::from_secs(3);

/// Every route's statements.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explained {
    /// What the database holds.
    pub data: Note,
    /// In the order they were asked in.
    pub routes: Vec<Route>,
}

/// One route.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// What was asked.
    pub route: String,
    /// What that made Postgres do, the dearest first.
    pub statements: Vec<Statement>,
}

/// One statement, as executed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Its text.
    pub query: String,
    /// Buffers found in Postgres' memory.
    pub hit: u64,
    /// Buffers that had to be fetched.
    pub read: u64,
    /// How each table and index was read.
    pub scans: Vec<String>,
    /// The whole plan.
    pub plan: Value,
}

impl Statement {
    /// Buffers touched.
    #[must_use]
    pub const fn buffers(&self) -> u64 {
        self.hit + self.read
    }

    /// The text's beginning, in one line.
    #[must_use]
    pub fn begins(&self) -> String {
        self.query.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(110).collect()
    }
}

/// Starts `program` on a folder and looks at every list of it, each after `warm` requests.
///
/// # Errors
/// When the folder is none of ours, auto_explain is not there, or a route fails.
pub async fn explain(program: &Path, place: &Place, warm: usize, say: Say<'_>) -> anyhow::Result<Explained> {
    let note = place.note()?;
    let note = note.with_context(|| format!("{} was not filled by `cargo xtask seed`", place.path().display()))?;
    say("Having Postgres tell its plans ...");
    let portia = Portia::start(program, place)?;
    configure(place, |name, value| format!("set {name} = '{value}'")).await?;
    portia.stop()?;
    let portia = Portia::start(program, place)?;
    let looked = look(&portia, place, &note, warm, say).await;
    // Whatever happened: the next one on this folder is not to write its plans down.
    configure(place, |name, _| format!("reset {name}")).await?;
    portia.stop()?;
    Ok(Explained { data: note, routes: looked? })
}

async fn configure(place: &Place, change: impl Fn(&str, &str) -> String) -> anyhow::Result<()> {
    let (_, options) = place.server()?;
    let mut admin = options.connect().await?;
    let database: String = sqlx::query_scalar("select current_database()").fetch_one(&mut admin).await?;
    for (name, value) in SETTINGS {
        let statement = format!("alter database {database} {}", change(name, value));
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut admin).await.context(name)?;
    }
    admin.close().await?;
    Ok(())
}

async fn look(portia: &Portia, place: &Place, note: &Note, warm: usize, say: Say<'_>) -> anyhow::Result<Vec<Route>> {
    let actors = Actors::sign_in(&portia.base, note).await?;
    let asks = plan::explained(&actors, note).await?;
    let log = log::Log::of(place.postgres_log());
    let before = log.end()?;
    tokio::time::sleep(IDLE).await;
    let background: BTreeSet<String> = log.since(before)?.into_iter().map(|statement| statement.query).collect();
    let mut routes = Vec::new();
    for (route, member, ask) in asks {
        say(&format!("Looking at {route} ..."));
        for _ in 0..warm {
            member.ask(&ask).await?.json()?;
        }
        let statements = of_route(&log, &member, &ask, &background).await?;
        anyhow::ensure!(!statements.is_empty(), "{route} asked the database nothing: is auto_explain there?");
        routes.push(Route { route, statements });
    }
    Ok(routes)
}

async fn of_route(
    log: &log::Log,
    member: &Member,
    ask: &Ask,
    background: &BTreeSet<String>,
) -> anyhow::Result<Vec<Statement>> {
    let mut seen: BTreeMap<String, Vec<Statement>> = BTreeMap::new();
    for _ in 0..LOOKS {
        let before = log.end()?;
        member.ask(ask).await?.json()?;
        for statement in log.since(before)? {
            seen.entry(statement.query.clone()).or_default().push(statement);
        }
    }
    let most = seen.into_values().filter(|times| times.len() * 2 > LOOKS).filter_map(|mut times| {
        times.sort_by_key(Statement::buffers);
        let middle = times.len() / 2;
        times.into_iter().nth(middle)
    });
    let mut statements: Vec<Statement> = most.filter(|statement| !background.contains(&statement.query)).collect();
    statements.sort_by_key(|statement| std::cmp::Reverse(statement.buffers()));
    Ok(statements)
}
