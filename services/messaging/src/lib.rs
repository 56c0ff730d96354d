//! Conversations between two members, and what the bell tells them.

mod conversations;
mod convert;
mod erase;
mod error;
mod export;
mod facts;
mod rpc;

use std::sync::Arc;

use chassis::{
    Frame,
    outbox::{NoState, Outbox},
};
use portia_proto::messaging::messaging_service_server::MessagingServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::export::{Everything, Exports};

/// The schema's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same for production, tests and standalone.
///
/// # Errors
/// When the database stays away, a migration fails, or auth's address is not configured.
pub async fn start(frame: Arc<Frame>) -> anyhow::Result<Routes> {
    let db = frame.database("messaging", &MIGRATOR).await?;
    let outbox = Outbox::new("messaging");
    facts::hear(&outbox, &frame, &db)?;
    let facts = outbox.serve(&frame, &db, NoState);
    let exports = Exports::new(&frame, &db, Everything);
    let service = MessagingServiceServer::new(rpc::Rpc { db, exports });
    Ok(Routes::new(service).add_service(facts))
}
