//! Legal news and law school resources, open to everybody.
//!
//! `connectors` read what others publish, `crawl` says when and writes it down with `ingest`, which recognises what is
//! there already and joins the copies of a story; `articles`, `sources` and `resources` are what readers see, `search` finds
//! them by their words, `admin` is what an operator does.

pub mod admin;
mod articles;
mod config;
mod connectors;
mod convert;
mod crawl;
mod erase;
pub mod error;
mod export;
mod facts;
mod ingest;
mod resources;
mod rpc;
mod search;
mod sources;

use std::sync::Arc;

use chassis::ServiceContext;
use outbox::{EmptySnapshot, Outbox};
use portia_proto::news::news_service_server::NewsServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    config::Settings,
    crawl::Crawler,
    export::{Everything, Exports},
};

/// The schema's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same for production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, the database stays away, a migration fails, or auth's address is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let plan = context.config.extract::<Settings>()?.plan()?;
    let db = context.database("news", &MIGRATOR).await?;
    let outbox = Outbox::new("news");
    facts::hear(&outbox, &context, &db)?;
    let facts = outbox.serve(&context, &db, EmptySnapshot);
    let crawler = Crawler::prepare(&context, &db, plan).await?;
    crawler.work(&context);
    search::NEWS.spawn_indexing(&context, &db, search::read);
    let exports = Exports::new(&context, &db, Everything);
    let rpc = rpc::Rpc { db, clock: context.clock.clone(), ids: context.ids.clone(), crawler, exports };
    Ok(Routes::new(NewsServiceServer::new(rpc)).add_service(facts))
}
