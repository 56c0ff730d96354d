//! Posts found by their words: those for everybody, and those of the communities whoever looks belongs to.

pub mod authors;
#[cfg(test)]
mod cost;

use std::{pin::Pin, sync::LazyLock};

use ::search::{Document, Order, PUBLIC, Search, SearchPage, SearchQuery, audience};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, pages, posts::Post};

/// What posts are found by.
pub static POSTS: LazyLock<Search> = LazyLock::new(|| Search::of("feed", Order::Exact));

/// Writes what a post is found by anew, in the transaction in which its author publishes it or has it say something else;
/// of one that is gone nothing is left.
///
/// # Errors
/// As any statement.
pub async fn index(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    let documents = documents(conn, &[id], Whose::Anybodys).await?;
    if documents.is_empty() {
        return POSTS.remove(conn, &[id]).await;
    }
    POSTS.index(conn, &documents).await
}

/// What posts are found by, read anew: none of a closed account's.
pub fn read(
    conn: &mut PgConnection,
    ids: Vec<Uuid>,
) -> Pin<Box<dyn Future<Output = Result<Vec<Document>, sqlx::Error>> + Send + '_>> {
    Box::pin(async move { documents(conn, &ids, Whose::Open).await })
}

/// Of whose posts documents are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Whoever writes at this moment has an account, even if it was not yet heard here that it is open again.
    Anybodys,
    /// Nobody's whose account is closed.
    Open,
}

/// What posts are found by. A repost without words is found by nothing.
async fn documents(conn: &mut PgConnection, ids: &[Uuid], whose: Whose) -> Result<Vec<Document>, sqlx::Error> {
    let posts = sqlx::query!(
        "select id, community_id, title, content, created_at
        from feed.posts p
        where id = any($1)
            and author_id <> '00000000-0000-0000-0000-000000000000'
            and content <> ''
            and ($2 or not exists (select from feed.hidden_members h where h.member_id = p.author_id))",
        ids,
        whose == Whose::Anybodys,
    );
    let posts = posts.fetch_all(conn).await?;
    Ok(posts
        .iter()
        .map(|post| {
            let document = Document::new(post.id, post.created_at, post.title.as_deref(), [post.content.as_str()]);
            document.for_audience(post.community_id.map_or(PUBLIC, audience))
        })
        .collect())
}

/// In whose posts somebody may look: everybody's, and those of at most a hundred communities, as lists have it. One's own
/// are seen even in a community one has left: the latest hundred of them say where.
async fn audiences(conn: &mut PgConnection, viewer: Option<Uuid>) -> Result<Vec<i32>, sqlx::Error> {
    let Some(viewer) = viewer else { return Ok(vec![PUBLIC]) };
    let communities = sqlx::query_scalar!(
        r#"select community_id as "community_id!"
        from (
            (
                select community_id
                from feed.memberships
                where member_id = $1
                order by community_id
                limit 100
            )
            union
            (
                select community_id
                from feed.posts
                where author_id = $1
                    and community_id is not null
                order by created_at desc, id desc
                limit 100
            )
        ) as places
        limit 100"#,
        viewer,
    );
    let communities = communities.fetch_all(conn).await?;
    Ok([PUBLIC].into_iter().chain(communities.into_iter().map(audience)).collect())
}

/// Posts that are found, as lists carry them, and none that the viewer may not see.
///
/// # Errors
/// As any statement.
pub async fn posts(
    conn: &mut PgConnection,
    asked: SearchQuery,
    viewer: Option<Uuid>,
) -> Result<SearchPage<Post>, Error> {
    let audiences = audiences(conn, viewer).await?;
    let mut executor = POSTS.execute(asked, audiences);
    while let Some(ids) = executor.next(conn).await? {
        executor.accept(pages::these(conn, viewer, &ids).await?, |post: &Post| post.id);
    }
    Ok(executor.page())
}
