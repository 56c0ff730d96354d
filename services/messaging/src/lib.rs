//! Conversations of two members and of groups, notifications, and their web push.
//!
//! `rpc` lists the calls of the gateway. `read_model` copies rows of other services, and `deactivation` handles closed
//! and erased accounts.

mod attachments;
mod background;
mod batches;
mod config;
mod consumers;
mod conversations;
mod convert;
mod deactivation;
pub mod demo;
mod error;
mod export;
mod groups;
mod messages;
mod notifications;
mod publishing;
mod push;
mod read_model;
mod rpc;
mod unread;

use std::sync::{Arc, LazyLock};

use chassis::ServiceContext;
use idempotency::IdempotencyKeys;
use outbox::{Changes, EmptySnapshot, Outbox};
use picture_store::Encoder;
use portia_proto::messaging::messaging_service_server::MessagingServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

pub use crate::attachments::cleanup::{delete_expired_copies, delete_unused as delete_unused_attachments};
use crate::{config::Settings, export::Exporter, push::Push, rpc::MessagingService};

/// The migrations of the schema `messaging`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> =
    LazyLock::new(|| db::migrator("messaging", sqlx::migrate!(), &[&outbox::TABLES, &idempotency::TABLES]));

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is invalid, the database is unavailable, a migration fails, or the address of a source of facts is not configured.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let settings = context.config.extract::<Settings>()?;
    let plan = settings.plan()?;
    let db = context.database("messaging", &MIGRATOR).await?;
    let connections = context.connections("messaging", &db)?;
    let outbox = Outbox::new("messaging").prompt();
    let changes = Changes::new(&context, &outbox);
    consumers::subscribe(&context, &db, &changes)?;
    let keys = IdempotencyKeys::new("messaging");
    background::start(&context, &db, &keys, &changes);
    let push = Push::prepare(&context, &db, plan).await?;
    push.spawn(&context, &db);
    let outbox_server = outbox.serve(&context, &db, EmptySnapshot);
    let service = MessagingService {
        exports: Exporter::new(&context, &db, export::MemberData),
        encoder: Encoder::default(),
        keys,
        db: connections,
        changes,
        push,
        rate_limit_scale: settings.rate_limit_scale,
    };
    Ok(Routes::new(MessagingServiceServer::new(service)).add_service(outbox_server))
}
