//! Background tasks: erasure, expiry of idempotency keys, unused pictures and files, expired mutes, impressions and the search index.

use chassis::ServiceContext;
use idempotency::IdempotencyKeys;
use picture_store::Pictures;
use sqlx::PgPool;

use crate::{deactivation, impressions::ImpressionBuffer, moderation::removal, mutes, pdf_files, pictures, search};

pub fn start(
    context: &ServiceContext,
    db: &PgPool,
    keys: &IdempotencyKeys,
    impressions: &ImpressionBuffer,
    pictures: &Pictures,
) {
    deactivation::spawn_erasure(context, db);
    keys.spawn_purge(context, db);
    pictures::spawn_cleanup(context, db, pictures);
    pdf_files::spawn_cleanup(context, db);
    mutes::spawn_prune(context, db);
    removal::spawn_purge(context, db);
    impressions.spawn_tasks(context, db);
    search::POSTS.spawn_indexing(context, db, search::read_documents);
    search::reindex::spawn(context, db);
}
