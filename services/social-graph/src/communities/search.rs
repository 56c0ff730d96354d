//! Full-text search of communities: names rank before descriptions. A private community is found by its members.

#[cfg(test)]
mod cost;

use ::search::{PUBLIC, SearchPage, SearchQuery, audience};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Community, batch_get};
use crate::{error::Error, search::GRAPH};

/// Finds the communities that match the query, in the form of lists.
pub async fn search(
    db: &mut PgConnection,
    query: SearchQuery,
    viewer: Option<Uuid>,
) -> Result<SearchPage<Community>, Error> {
    let mut executor = GRAPH.execute(query, audiences(db, viewer).await?);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(batch_get(db, viewer, &ids).await?, |community: &Community| community.id);
    }
    Ok(executor.page())
}

/// Returns the audiences of the communities that the viewer may find: the public and at most 100 private ones.
async fn audiences(db: &mut PgConnection, viewer: Option<Uuid>) -> Result<Vec<i32>, sqlx::Error> {
    let Some(viewer) = viewer else { return Ok(vec![PUBLIC]) };
    let private = sqlx::query_scalar!(
        "select community_id
        from social_graph.memberships
        where member_id = $1
            and is_private
        order by joined_at desc, community_id
        limit 100",
        viewer,
    );
    Ok([PUBLIC].into_iter().chain(private.fetch_all(db).await?.into_iter().map(audience)).collect())
}
