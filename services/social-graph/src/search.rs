//! Communities found by their words: what they are called before what they say of themselves.

#[cfg(test)]
mod cost;

use std::{pin::Pin, sync::LazyLock};

use ::search::{Asked, Document, EVERYBODY, Found, Order, Search};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    communities::{Community, Role},
    error::Error,
};

/// What communities are found by.
pub static COMMUNITIES: LazyLock<Search> = LazyLock::new(|| Search::of("social_graph", Order::Titles));

/// Writes what a community is found by anew, in the transaction in which it came about or said something else.
pub async fn index(db: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    let documents = read(db, vec![id]).await?;
    COMMUNITIES.put(db, &documents).await
}

/// What communities are found by.
pub fn read(
    db: &mut PgConnection,
    ids: Vec<Uuid>,
) -> Pin<Box<dyn Future<Output = Result<Vec<Document>, sqlx::Error>> + Send + '_>> {
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
            .map(|one| Document::new(one.id, one.created_at, [one.name.as_str()], one.description.as_deref()))
            .collect())
    })
}

/// Communities that are found, as lists carry them: they are open to everybody's eyes.
pub async fn communities(db: &mut PgConnection, asked: Asked, viewer: Option<Uuid>) -> Result<Found<Community>, Error> {
    let mut hunt = COMMUNITIES.hunt(asked, vec![EVERYBODY]);
    while let Some(ids) = hunt.next(db).await? {
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
        hunt.show(rows.fetch_all(&mut *db).await?, |community: &Community| community.id);
    }
    Ok(hunt.page())
}
