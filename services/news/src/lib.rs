//! Legal news and law school resources, open to everybody.

mod articles;
mod convert;
mod erase;
mod error;
mod facts;
mod resources;
mod rpc;
mod sources;

use std::sync::Arc;

use chassis::{
    Frame,
    outbox::{NoState, Outbox},
};
use portia_proto::news::news_service_server::NewsServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

/// The schema's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same for production, tests and standalone.
///
/// # Errors
/// When the database stays away, a migration fails, or auth's address is not configured.
pub async fn start(frame: Arc<Frame>) -> anyhow::Result<Routes> {
    let db = frame.database("news", &MIGRATOR).await?;
    let outbox = Outbox::new("news");
    facts::hear(&outbox, &frame, &db)?;
    let facts = outbox.serve(&frame, &db, NoState);
    let service = NewsServiceServer::new(rpc::Rpc { db });
    Ok(Routes::new(service).add_service(facts))
}
