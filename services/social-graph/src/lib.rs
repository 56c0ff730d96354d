//! Connections between members, follows, communities and events.

mod blocks;
mod communities;
mod config;
mod connections;
mod consumers;
mod convert;
mod deactivation;
pub mod demo;
mod error;
mod events;
mod export;
mod follows;
mod members;
mod paging;
mod publishing;
mod role;
mod rpc;

use std::sync::{Arc, LazyLock};

use chassis::ServiceContext;
use idempotency::IdempotencyKeys;
use outbox::{Changes, Outbox};
use portia_proto::social_graph::social_graph_service_server::SocialGraphServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    communities::search,
    config::Settings,
    connections::{memory::GraphMemory, suggestions},
};

/// The migrations of the schema `social_graph`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    db::migrator("social_graph", sqlx::migrate!(), &[&outbox::TABLES, &::search::TABLES, &idempotency::TABLES])
});

/// Starts the service: the same function for production, tests and standalone.
///
/// # Errors
/// When a setting is invalid, the database is unavailable, a migration fails, or the address of auth or profile is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let Settings { rate_limit_scale } = context.config.extract()?;
    let db = context.database("social_graph", &MIGRATOR).await?;
    let outbox = Outbox::new("social_graph");
    let changes = Changes::new(&context, &outbox);
    consumers::subscribe(&changes, &context, &db)?;
    let keys = IdempotencyKeys::new("social_graph");
    keys.spawn_purge(&context, &db);
    search::COMMUNITIES.spawn_indexing(&context, &db, search::read_documents);
    let facts = outbox.serve(&context, &db, publishing::GraphSnapshot);
    let exports = export::MemberExporter::new(&context, &db, export::MemberExport);
    let memory = Arc::new(GraphMemory::new(suggestions::MAX_SCANNED));
    memory.spawn(&context, &db);
    let db = context.connections("social_graph", &db)?;
    let service =
        rpc::SocialGraphService { db, clock: context.clock.clone(), changes, keys, exports, memory, rate_limit_scale };
    Ok(Routes::new(SocialGraphServiceServer::new(service)).add_service(facts))
}
