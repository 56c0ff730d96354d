//! Who knows whom, communities and events.

mod blocks;
mod closing;
mod communities;
mod connections;
mod convert;
mod counts;
pub mod demo;
mod erase;
mod error;
mod events;
mod export;
mod facts;
mod idempotency;
#[cfg(test)]
mod lots;
mod members;
mod rpc;
mod search;
mod suggestions;

use std::sync::Arc;

use chassis::ServiceContext;
use outbox::Outbox;
use portia_proto::social_graph::social_graph_service_server::SocialGraphServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

/// The schema's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same for production, tests and standalone.
///
/// # Errors
/// When the database stays away, a migration fails, or auth's or profile's address is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let db = context.database("social_graph", &MIGRATOR).await?;
    let outbox = Outbox::new("social_graph");
    facts::hear(&outbox, &context, &db)?;
    idempotency::sweep(&context, &db);
    search::COMMUNITIES.work(&context, &db, search::read);
    let facts = outbox.serve(&context, &db, facts::Graph);
    let exports = export::Exports::new(&context, &db, export::Everything);
    let rpc = rpc::Rpc { db, clock: context.clock.clone(), ids: context.ids.clone(), outbox, exports };
    let service = SocialGraphServiceServer::new(rpc);
    Ok(Routes::new(service).add_service(facts))
}
