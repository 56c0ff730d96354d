//! Jobs and internships, and the applications of members.
//!
//! Postings come from external sources and are readable by every visitor; an application belongs to its member.
//! `connectors` read the formats of sources, `derive` classifies a posting, `ingest` stores it, `expiry` closes it, and
//! `crawl` runs all of this when the schedule of the sources says so.

pub mod admin;
mod applications;
pub mod config;
pub mod connectors;
mod consumers;
mod convert;
pub mod crawl;
pub mod dates;
mod deactivation;
pub mod derive;
pub mod error;
pub mod expiry;
mod export;
pub mod ingest;
mod postings;
mod publishing;
mod rpc;
mod salary;
mod search;
pub mod sources;
mod stats;

use std::sync::{Arc, LazyLock};

use chassis::ServiceContext;
use db::begin;
use idempotency::IdempotencyKeys;
use outbox::{Changes, EmptySnapshot, Outbox};
use portia_proto::jobs::jobs_service_server::JobsServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    config::Settings,
    crawl::Crawler,
    export::{MemberExport, MemberExporter},
    rpc::JobsService,
    sources::ConfiguredSource,
};

pub use applications::reminders;

/// The migrations of the schema `jobs`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    db::migrator("jobs", sqlx::migrate!(), &[&outbox::TABLES, &::search::TABLES, &idempotency::TABLES])
});

/// Starts the service: the same function for production, tests and standalone. No source is read before it is ready.
///
/// # Errors
/// When a setting is invalid, the database is unavailable, a migration fails, or auth's address is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let settings: Settings = context.config.extract()?;
    let configured = ConfiguredSource::all_of(&settings)?;
    settings.admitted()?;
    let db = context.database("jobs", &MIGRATOR).await?;
    let connections = context.connections("jobs", &db)?;
    let outbox = Outbox::new("jobs");
    let changes = Changes::new(&context, &outbox);
    db::at_start(|| async {
        let mut tx = begin(&db).await?;
        sources::configure(&mut changes.work(&mut tx), &configured).await?;
        Ok(tx.commit().await?)
    })
    .await?;
    consumers::subscribe(&changes, &context, &db)?;
    let outbox_server = outbox.serve(&context, &db, EmptySnapshot);
    let crawler = Crawler::new(&context, &db, &changes, settings, &configured)?;
    crawler.schedule.spawn(&context, &crawler);
    expiry::spawn(&context, &db, &changes);
    reminders::spawn(&context, &db, &changes);
    let keys = IdempotencyKeys::new("jobs");
    keys.spawn_purge(&context, &db);
    search::JOBS.spawn_indexing(&context, &db, search::read_documents);
    let exports = MemberExporter::new(&context, &db, MemberExport);
    let service = JobsService {
        db: connections,
        clock: context.clock.clone(),
        keys,
        changes,
        exports,
        schedule: crawler.schedule,
    };
    Ok(Routes::new(JobsServiceServer::new(service)).add_service(outbox_server))
}
