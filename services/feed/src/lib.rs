//! Posts, reactions and comments, and the orders they are read in.

pub mod activity;
pub mod admin;
pub mod comments;
pub mod convert;
pub mod cursors;
pub mod demo;
pub mod edits;
pub mod erase;
pub mod error;
pub mod export;
pub mod facts;
pub mod graph;
pub mod hidden;
pub mod idempotency;
pub mod impressions;
pub mod markdown;
pub mod pages;
pub mod pictures;
pub mod posts;
pub mod ranking;
pub mod reactions;
pub mod removal;
pub mod reports;
pub mod reposts;
pub mod rpc;
pub mod saved;
pub mod schools;
pub mod search;
mod sight;
mod sql;

use std::sync::Arc;

use chassis::ServiceContext;
use outbox::Outbox;
use picture_store::Pictures;
use portia_proto::feed::feed_service_server::FeedServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

/// The schema `feed`, step by step.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Starts the service: its schema, its background work, its routes.
///
/// # Errors
/// When the database does not answer or a setting is missing.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let store = Pictures::open(&context.config)?;
    let db = context.database("feed", &MIGRATOR).await?;
    let outbox = Outbox::new("feed");
    facts::hear(&context, &db, &outbox)?;
    erase::work(&context, &db);
    idempotency::sweep(&context, &db);
    pictures::work(&context, &db, &store);
    search::POSTS.spawn_indexing(&context, &db, search::read);
    search::authors::work(&context, &db);
    let impressions = impressions::Impressions::default();
    impressions.work(&context, &db);
    let outbox_server = outbox.serve(&context, &db, facts::Snapshot);
    let feed = rpc::Feed {
        exports: export::Exports::new(&context, &db, export::Everything),
        impressions,
        pictures: store,
        db,
        clock: context.clock.clone(),
        ids: context.ids.clone(),
        facts: facts::Facts::new(outbox),
    };
    Ok(Routes::new(FeedServiceServer::new(feed)).add_service(outbox_server))
}
