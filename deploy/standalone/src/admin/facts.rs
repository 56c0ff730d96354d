//! Facts that a consumer could not apply: list, show, apply again, drop.

use std::time::Duration;

use anyhow::Context as _;
use chassis::config::{Source, field_name};
use clap::{Args, Subcommand};
use outbox::{
    Outbox,
    admin::{Content, DeadFact},
};
use primitives::clock::Clock;
use prost_reflect::{DescriptorPool, DynamicMessage};
use sqlx::{Connection as _, PgConnection};
use tokio::time::{Instant, sleep};

use super::{Target, connect, table::table, time};
use crate::SERVICES;

const TITLES: [&str; 7] = ["service", "id", "source", "seq", "kind", "when", "error"];
/// The most facts of a service in the list.
const LIMIT: i64 = 1_000;
/// The time within which a running consumer applies a fact again. It looks every 15 s when nothing happens.
const REPLAY_TIMEOUT: Duration = Duration::from_secs(45);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The commands on dead facts.
#[derive(Subcommand)]
pub enum Command {
    /// Show the facts that failed ten times, of every service that consumes facts
    List(Target),
    /// Show one with its content, which can be text of a member
    Show(FactRef),
    /// Apply one again, after its cause is repaired. It is applied now: later facts of its key are already
    Replay(FactRef),
    /// Delete one without applying it
    Drop(FactRef),
}

/// The fact.
#[derive(Args)]
pub struct FactRef {
    /// The service that could not apply it, as in `list`
    #[arg(value_parser = SERVICES)]
    pub service: String,
    /// Its id, as in `list`
    pub id: i64,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// Executes the command and returns its result.
///
/// # Errors
/// When there is no such fact, it fails again, or Portia is not running.
pub(super) async fn run(command: Command, config: &Source) -> anyhow::Result<String> {
    let fact = match &command {
        Command::List(target) => return list(target, config).await,
        Command::Show(fact) | Command::Replay(fact) | Command::Drop(fact) => fact,
    };
    let service = SERVICES.into_iter().find(|service| *service == fact.service).context("There is no such service")?;
    let mut db = connect(&fact.target, service, config).await?;
    let outbox = outbox_of(service)?;
    let done = match &command {
        Command::Show(_) => show(&outbox, &mut db, service, fact.id).await,
        Command::Drop(_) => drop_fact(&outbox, &mut db, fact.id).await,
        _ => replay(&outbox, &mut db, fact.id).await,
    };
    db.close().await?;
    done
}

fn outbox_of(service: &'static str) -> anyhow::Result<Outbox> {
    // The names of schemas are constants.
    Ok(Outbox::new(match service {
        "social-graph" => "social_graph",
        other if field_name(other) == other => other,
        other => anyhow::bail!("The schema of {other} is unknown"),
    }))
}

async fn list(target: &Target, config: &Source) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for service in SERVICES {
        let mut db = connect(target, service, config).await?;
        let facts = outbox_of(service)?.list_dead_facts(&mut db, LIMIT).await;
        rows.extend(facts.context("The facts cannot be read")?.into_iter().map(|fact| row(service, fact)));
        db.close().await?;
    }
    Ok(if rows.is_empty() { "Every fact was applied.".to_owned() } else { table(TITLES, &rows) })
}

fn row(service: &str, fact: DeadFact) -> [String; 7] {
    let error = fact.error.replace(char::is_control, " ");
    let error = if fact.replays { format!("(to be applied again) {error}") } else { error };
    [service.to_owned(), fact.id.to_string(), fact.source, fact.seq.to_string(), fact.kind, time(fact.at), error]
}

async fn show(outbox: &Outbox, db: &mut PgConnection, service: &str, id: i64) -> anyhow::Result<String> {
    let found = outbox.get_dead_fact(db, id).await.context("The fact cannot be read")?;
    let (fact, content) = found.with_context(missing)?;
    let Content { payload, traceparent } = content;
    let lines = [
        format!("{service} could not apply it: {}", fact.error),
        format!("published by {} as fact {} (0: a row of a snapshot), key {}", fact.source, fact.seq, fact.key),
        format!("failed for good {}", time(fact.at)),
        format!("trace {}", traceparent.as_deref().unwrap_or("none")),
        format!("{} {}", fact.kind, decoded(&fact.kind, &payload)),
    ];
    Ok(lines.join("\n"))
}

/// The message as JSON, or its bytes when this version does not know its kind.
fn decoded(kind: &str, payload: &[u8]) -> String {
    let decoded = || {
        let pool = DescriptorPool::decode(portia_proto::DESCRIPTORS).ok()?;
        let message = DynamicMessage::decode(pool.get_message_by_name(kind)?, payload).ok()?;
        serde_json::to_string_pretty(&message).ok()
    };
    decoded().unwrap_or_else(|| payload.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn drop_fact(outbox: &Outbox, db: &mut PgConnection, id: i64) -> anyhow::Result<String> {
    let deleted = outbox.delete_dead_fact(db, id).await.context("The fact cannot be deleted")?;
    anyhow::ensure!(deleted, missing());
    Ok("It is deleted and was not applied.".to_owned())
}

async fn replay(outbox: &Outbox, db: &mut PgConnection, id: i64) -> anyhow::Result<String> {
    let requested = outbox.request_replay(db, id, Clock::system().now()).await;
    anyhow::ensure!(requested.context("The fact cannot be requested")?, missing());
    let begun = Instant::now();
    while begun.elapsed() < REPLAY_TIMEOUT {
        match outbox.get_dead_fact(db, id).await.context("The fact cannot be read")? {
            None => return Ok("It is applied.".to_owned()),
            Some((fact, _)) if !fact.replays => anyhow::bail!("It failed again: {}", fact.error),
            Some(_) => sleep(POLL_INTERVAL).await,
        }
    }
    anyhow::bail!("It is requested, but the service does not run: it is applied after its next start.")
}

fn missing() -> String {
    "There is no such fact: see `portia admin facts list`.".to_owned()
}
