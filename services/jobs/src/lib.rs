//! Jobs and internships, and what members did about them.
//!
//! Postings come from the world and are open to everybody; applications belong to the member who made them. `connectors`
//! read what a source says, `derive` makes a posting of it, `ingest` and `closing` keep the board true to it, and `crawl`
//! does that whenever `sources` says so.

pub mod admin;
mod applications;
mod apply;
pub mod closing;
pub mod config;
pub mod connectors;
mod convert;
pub mod crawl;
pub mod derive;
mod erase;
pub mod error;
mod export;
mod facts;
mod idempotency;
pub mod ingest;
mod listings;
mod postings;
mod refresh;
mod rpc;
mod search;
pub mod sources;
pub mod stats;

use std::sync::Arc;

use chassis::ServiceContext;
use db::begin;
use outbox::{EmptySnapshot, Outbox};
use portia_proto::jobs::jobs_service_server::JobsServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    config::Settings,
    crawl::Crawler,
    export::{Everything, Exports},
};

/// The schema's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same for production, tests and standalone. Nobody outside is asked for it to stand.
///
/// # Errors
/// When a setting is wrong, the database stays away, a migration fails, or auth's address is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let settings: Settings = context.config.extract()?;
    let configured = settings.sources()?;
    settings.admitted()?;
    let db = context.database("jobs", &MIGRATOR).await?;
    let mut tx = begin(&db).await?;
    sources::configure(&mut tx, &context.ids, &configured, context.clock.now()).await?;
    tx.commit().await?;
    let outbox = Outbox::new("jobs");
    facts::hear(&outbox, &context, &db)?;
    let facts = outbox.serve(&context, &db, EmptySnapshot);
    let crawler = Crawler::new(&context, &db, &outbox, settings, &configured)?;
    context.tasks.spawn("crawling", {
        let crawler = crawler.clone();
        move |stopped| crawler.clone().work(stopped)
    });
    closing::periodically(&context, &db, &outbox);
    idempotency::sweep(&context, &db);
    search::JOBS.spawn_indexing(&context, &db, search::read);
    let exports = Exports::new(&context, &db, Everything);
    let rpc = rpc::Rpc { db, clock: context.clock.clone(), ids: context.ids.clone(), exports, crawler };
    Ok(Routes::new(JobsServiceServer::new(rpc)).add_service(facts))
}
