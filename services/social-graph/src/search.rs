//! The search index of communities and events: names and titles rank before descriptions.

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, audience};
use sqlx::PgConnection;
use uuid::Uuid;

/// The index of communities and events.
pub static GRAPH: LazyLock<Search> = LazyLock::new(|| Search::of("social_graph", Order::Titles));

/// Events are public; an audience of their own keeps them apart from communities. A private community may share the number: it
/// is read as a community only.
pub const EVENTS: i32 = 1;

/// Indexes a community or an event, in the transaction that creates or updates it.
pub async fn index(db: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    let documents = read_documents(db, vec![id]).await?;
    GRAPH.index(db, &documents).await
}

/// Reads the indexed texts of communities and events. The time of an event is its start.
pub fn read_documents(db: &mut PgConnection, ids: Vec<Uuid>) -> DocumentsFuture<'_> {
    Box::pin(async move {
        let communities = sqlx::query!(
            r#"select id, name, description, created_at, visibility = 'public' as "is_public!"
            from social_graph.communities
            where id = any($1)"#,
            &ids,
        );
        let communities = communities.fetch_all(&mut *db).await?;
        let events = sqlx::query!(
            "select id, title, description, location, starts_at
            from social_graph.events
            where id = any($1)",
            &ids,
        );
        let events = events.fetch_all(db).await?;
        let communities = communities.iter().map(|row| {
            let document = Document::new(row.id, row.created_at, [row.name.as_str()], row.description.as_deref());
            document.for_audience(if row.is_public { PUBLIC } else { audience(row.id) })
        });
        let events = events.iter().map(|row| {
            let body = row.description.iter().chain(&row.location).map(String::as_str);
            Document::new(row.id, row.starts_at, [row.title.as_str()], body).for_audience(EVENTS)
        });
        Ok(communities.chain(events).collect())
    })
}
