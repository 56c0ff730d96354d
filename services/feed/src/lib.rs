//! Posts, comments, reactions, reposts, saved items and reports.
//!
//! `rpc` lists the calls of the gateway. `timeline` reads posts in every order, `cases` defines reports and decisions,
//! `publishing` builds facts, `consumers` handles facts of other services, `read_model` copies rows of other services,
//! and `deactivation` handles closed and erased accounts.

mod allowances;
mod background;
mod cases;
mod comments;
mod community_removals;
mod config;
mod consumers;
mod convert;
mod cursors;
pub mod deactivation;
pub mod demo;
pub mod error;
mod export;
mod hidden_posts;
pub mod impressions;
mod link_previews;
mod media;
mod mentions;
mod moderation;
mod mutes;
pub mod pdf_files;
pub mod pictures;
mod posts;
mod publishing;
mod reactions;
pub mod read_model;
mod reasons;
mod reports;
mod rpc;
mod saved_items;
pub mod search;
mod sql;
mod timeline;
mod topics;
mod visibility;

use std::sync::{Arc, LazyLock};

use chassis::ServiceContext;
use idempotency::IdempotencyKeys;
use outbox::{Changes, Outbox};
use picture_store::Pictures;
use portia_proto::feed::feed_service_server::FeedServiceServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    comments::pages::CommentPages,
    config::Settings,
    export::Exporter,
    impressions::ImpressionBuffer,
    link_previews::LinkPreviews,
    publishing::FeedSnapshot,
    rpc::FeedService,
    timeline::{bodies::PostBodies, relevance::RelevanceMemory},
};

pub use link_previews::cleanup::delete_unused as delete_unused_link_previews;
pub use moderation::{admin, removal::purge_kept as purge_removed_content};
pub use mutes::prune as prune_mutes;
pub use posts::{delete::purge as purge_deleted_posts, erase::erase_post, freshness};
pub use timeline::{ranking, relevant_page_by_statement};

/// The migrations of the schema `feed`, with the tables of the outbox.
pub static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    db::migrator("feed", sqlx::migrate!(), &[&outbox::TABLES, &::search::TABLES, &idempotency::TABLES])
});

/// Starts the service: the same in production, tests and standalone.
///
/// # Errors
/// When a setting is wrong, or the database is unavailable.
pub async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let pictures = Pictures::open(&context.config)?.signed();
    let settings: Settings = context.config.extract()?;
    let link_previews = LinkPreviews::new(&settings)?;
    let db = context.database("feed", &MIGRATOR).await?;
    let connections = context.connections("feed", &db)?;
    let outbox = Outbox::new("feed");
    let changes = Changes::new(&context, &outbox);
    consumers::subscribe(&context, &db, &outbox)?;
    let impressions = ImpressionBuffer::default();
    let keys = IdempotencyKeys::new("feed");
    background::start(&context, &db, &keys, &impressions, &pictures);
    link_previews.spawn(&context, &db, &pictures, &changes);
    let relevance = Arc::new(RelevanceMemory::new(settings.relevance_posts));
    relevance.spawn(&context, &db);
    let outbox_server = outbox.serve(&context, &db, FeedSnapshot);
    let service = FeedService {
        exports: Exporter::new(&context, &db, export::MemberData),
        impressions,
        pictures,
        keys,
        db: connections,
        clock: context.clock.clone(),
        changes,
        link_previews,
        bodies: PostBodies::default(),
        relevance,
        comment_pages: CommentPages::default(),
        rate_limit_scale: settings.rate_limit_scale,
    };
    Ok(Routes::new(FeedServiceServer::new(service)).add_service(outbox_server))
}
