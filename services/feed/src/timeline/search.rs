//! Searches public posts and posts in the viewer's communities.

#[cfg(test)]
mod query_cost;

use ::search::{PUBLIC, SearchPage, SearchQuery, audience};
use sqlx::PgConnection;
use uuid::Uuid;

use super::batch_get;
use crate::{error::Error, posts::Post, search::POSTS};

/// Returns the audiences whose posts a viewer may see: the public and at most 100 communities, like the lists. A viewer
/// still sees their own posts in communities that they left, so the communities of the newest 100 such posts are
/// included.
async fn audiences(db: &mut PgConnection, viewer: Option<Uuid>) -> Result<Vec<i32>, sqlx::Error> {
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
    let communities = communities.fetch_all(db).await?;
    Ok([PUBLIC].into_iter().chain(communities.into_iter().map(audience)).collect())
}

/// Returns a page of the posts that match the query and that the viewer may see.
pub async fn posts(db: &mut PgConnection, query: SearchQuery, viewer: Option<Uuid>) -> Result<SearchPage<Post>, Error> {
    let audiences = audiences(db, viewer).await?;
    let mut executor = POSTS.execute(query, audiences);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(batch_get(db, viewer, &ids).await?, |post: &Post| post.id);
    }
    Ok(executor.page())
}
