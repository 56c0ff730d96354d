//! Jobs and internships, and what members did about them.
//!
//! Postings come from the world and are open to everybody; applications belong to the member who made them.

mod applications;
mod convert;
mod erase;
mod error;
mod export;
mod facts;
mod postings;
mod rpc;

use std::sync::Arc;

use chassis::{
    Frame,
    outbox::{NoState, Outbox},
};
use portia_proto::jobs::jobs_service_server::JobsServiceServer;
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
    let db = frame.database("jobs", &MIGRATOR).await?;
    let outbox = Outbox::new("jobs");
    facts::hear(&outbox, &frame, &db)?;
    let facts = outbox.serve(&frame, &db, NoState);
    let exports = Exports::new(&frame, &db, Everything);
    let service = JobsServiceServer::new(rpc::Rpc { db, clock: frame.clock.clone(), exports });
    Ok(Routes::new(service).add_service(facts))
}
