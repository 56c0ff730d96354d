//! Legal news and law school resources, readable by every visitor.
//!
//! `connectors` read the formats of sources, `crawl` reads due sources, `ingest` recognises known articles and joins
//! copies of one story into a cluster. `articles`, `sources` and `resources` serve the lists, `search` finds both.

pub mod admin;
mod articles;
mod config;
mod connectors;
mod consumers;
mod convert;
mod crawl;
mod deactivation;
pub mod error;
mod export;
mod ingest;
mod resources;
mod rpc;
mod search;
mod sources;

use std::sync::{Arc, LazyLock};

use chassis::ServiceContext;
use outbox::{Changes, EmptySnapshot, Outbox};
use portia_proto::news::news_service_server::NewsServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    config::Settings,
    crawl::Crawler,
    export::{MemberExport, MemberExporter},
    rpc::NewsService,
};

/// The migrations of the schema `news`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> =
    LazyLock::new(|| db::migrator("news", sqlx::migrate!(), &[&outbox::TABLES, &::search::TABLES]));

/// Starts the service: the same function for production, tests and standalone.
///
/// # Errors
/// When a setting is invalid, the database is unavailable, a migration fails, or auth's address is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let plan = context.config.extract::<Settings>()?.plan()?;
    let db = context.database("news", &MIGRATOR).await?;
    let connections = context.connections("news", &db)?;
    let outbox = Outbox::new("news");
    consumers::subscribe(&outbox, &context, &db)?;
    let outbox_server = outbox.serve(&context, &db, EmptySnapshot);
    let changes = Changes::new(&context, &outbox);
    let crawler = Crawler::prepare(&context, &db, &changes, plan).await?;
    crawler.schedule.spawn(&context, &crawler);
    search::NEWS.spawn_indexing(&context, &db, search::read_documents);
    let exports = MemberExporter::new(&context, &db, MemberExport);
    let service =
        NewsService { db: connections, clock: context.clock.clone(), changes, schedule: crawler.schedule, exports };
    Ok(Routes::new(NewsServiceServer::new(service)).add_service(outbox_server))
}
