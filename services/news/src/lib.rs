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

use chassis::{
    Frame,
    outbox::{NoState, Outbox},
};
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
pub async fn start(frame: Arc<Frame>) -> anyhow::Result<Routes> {
    let plan = frame.config.extract::<Settings>()?.plan()?;
    let db = frame.database("news", &MIGRATOR).await?;
    let outbox = Outbox::new("news");
    facts::hear(&outbox, &frame, &db)?;
    let facts = outbox.serve(&frame, &db, NoState);
    let crawler = Crawler::prepare(&frame, &db, plan).await?;
    crawler.work(&frame);
    search::NEWS.work(&frame, &db, search::read);
    let exports = Exports::new(&frame, &db, Everything);
    let rpc = rpc::Rpc { db, clock: frame.clock.clone(), ids: frame.ids.clone(), crawler, exports };
    Ok(Routes::new(NewsServiceServer::new(rpc)).add_service(facts))
}
