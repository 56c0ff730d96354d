//! Conversations between two members, and what the bell tells them.

mod blocks;
mod closing;
mod conversations;
mod convert;
pub mod demo;
mod erase;
mod error;
mod export;
mod facts;
#[cfg(test)]
mod lots;
mod messages;
mod notifications;
mod rpc;
mod standing;
mod unread;

use std::sync::Arc;

use chassis::ServiceContext;
use outbox::{EmptySnapshot, Outbox};
use portia_proto::messaging::messaging_service_server::MessagingServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    export::{Everything, Exports},
    notifications::Bell,
};

/// The schema's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: the same for production, tests and standalone.
///
/// # Errors
/// When the database stays away, a migration fails, or the address of a service it listens to is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let db = context.database("messaging", &MIGRATOR).await?;
    let outbox = Outbox::new("messaging");
    let bell = Bell::new(outbox.clone(), context.clock.clone(), context.ids.clone());
    facts::hear(&outbox, &context, &db, &bell)?;
    erase::work(&context, &db, &bell);
    let facts = outbox.serve(&context, &db, EmptySnapshot);
    let exports = Exports::new(&context, &db, Everything);
    let rpc = rpc::Rpc { db, clock: context.clock.clone(), ids: context.ids.clone(), outbox, bell, exports };
    let service = MessagingServiceServer::new(rpc);
    Ok(Routes::new(service).add_service(facts))
}
