//! Full-text search of communities: names rank before descriptions.

#[cfg(test)]
mod cost;

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, SearchPage, SearchQuery};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Community, Role};
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
            "select id, name, description, created_at
            from social_graph.communities
            where id = any($1)",
            &ids,
        );
        let communities = communities.fetch_all(db).await?;
        Ok(communities
            .iter()
            .map(|row| Document::new(row.id, row.created_at, [row.name.as_str()], row.description.as_deref()))
            .collect())
    })
}

/// Communities that match the query, in the form of lists.
pub async fn search(
    db: &mut PgConnection,
    query: SearchQuery,
    viewer: Option<Uuid>,
) -> Result<SearchPage<Community>, Error> {
    let mut executor = COMMUNITIES.execute(query, vec![PUBLIC]);
    while let Some(ids) = executor.next(db).await? {
        let rows = sqlx::query_as!(
            Community,
            r#"select c.id, c.name, c.description, null as "rules: String", c.member_count, m.role as "role?: Role",
                c.created_at
            from social_graph.communities c
            left join social_graph.memberships m on m.community_id = c.id and m.member_id = $1
            where c.id = any((select $2::uuid[])::uuid[])"#,
            viewer,
            &ids,
        );
        executor.accept(rows.fetch_all(&mut *db).await?, |community: &Community| community.id);
    }
    Ok(executor.page())
}
