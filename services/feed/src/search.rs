//! The search index of posts. timeline/search.rs reads it for a viewer.

pub mod reindex;

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, audience};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::mentions;

/// The search index of posts.
pub static POSTS: LazyLock<Search> = LazyLock::new(|| Search::of("feed", Order::Exact));

/// Indexes a post in the transaction that creates or updates it, or removes it from the index.
pub async fn index(db: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    let documents = select_documents(db, &[id], Authors::All).await?;
    POSTS.update(db, &[id], &documents).await
}

/// Reads the documents of posts, except posts of deactivated authors.
pub fn read_documents(db: &mut PgConnection, ids: Vec<Uuid>) -> DocumentsFuture<'_> {
    Box::pin(async move { select_documents(db, &ids, Authors::Active).await })
}

/// The authors whose posts are selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Authors {
    /// The author of a write is active, even if the fact of the reactivation has not arrived yet.
    All,
    Active,
}

/// Reads the documents of posts. A repost without text has none.
async fn select_documents(db: &mut PgConnection, ids: &[Uuid], authors: Authors) -> Result<Vec<Document>, sqlx::Error> {
    let posts = sqlx::query!(
        "select id, community_id, title, content, created_at
        from feed.posts p
        where id = any($1)
            and author_id > '00000000-0000-0000-0000-000000000001'
            and content <> ''
            and ($2 or not exists (select from feed.hidden_members h where h.member_id = p.author_id))",
        ids,
        authors == Authors::All,
    );
    let posts = posts.fetch_all(db).await?;
    Ok(posts
        .iter()
        .map(|post| {
            // Ids are no words.
            let content = mentions::replace(&post.content, "");
            let document = Document::new(post.id, post.created_at, post.title.as_deref(), [content.as_str()]);
            document.for_audience(post.community_id.map_or(PUBLIC, audience))
        })
        .collect())
}
