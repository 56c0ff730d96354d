//! Full-text search of communities: names rank before descriptions. A private community is found by its members.

#[cfg(test)]
mod cost;

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, SearchPage, SearchQuery, audience};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Community, access::Visibility, batch_get};
use crate::error::Error;

/// The search index of communities.
pub static COMMUNITIES: LazyLock<Search> = LazyLock::new(|| Search::of("social_graph", Order::Titles));

/// Indexes a community, in the transaction that creates or updates it.
pub async fn index(db: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    let documents = read_documents(db, vec![id]).await?;
    COMMUNITIES.index(db, &documents).await
}

/// Reads the indexed texts of communities.
pub fn read_documents(db: &mut PgConnection, ids: Vec<Uuid>) -> DocumentsFuture<'_> {
    Box::pin(async move {
        let communities = sqlx::query!(
            r#"select id, name, description, created_at, visibility as "visibility: Visibility"
            from social_graph.communities
            where id = any($1)"#,
            &ids,
        );
        let communities = communities.fetch_all(db).await?;
        Ok(communities
            .iter()
            .map(|row| {
                let document = Document::new(row.id, row.created_at, [row.name.as_str()], row.description.as_deref());
                document.for_audience(if row.visibility == Visibility::Public { PUBLIC } else { audience(row.id) })
            })
            .collect())
    })
}

/// Finds the communities that match the query, in the form of lists.
pub async fn search(
    db: &mut PgConnection,
    query: SearchQuery,
    viewer: Option<Uuid>,
) -> Result<SearchPage<Community>, Error> {
    let mut executor = COMMUNITIES.execute(query, audiences(db, viewer).await?);
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
