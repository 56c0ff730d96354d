//! What the people who run Portia do with news, from the machine it runs on: `portia admin ..` calls these.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, search, sources};

pub use crate::sources::Crawled;

/// Suggestions told at once: who approves looks at each.
const AT_ONCE: i64 = 100;

/// A resource that a member suggested and nobody sees yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// What it is approved or rejected by.
    pub id: Uuid,
    /// As the member typed it, in one line.
    pub title: String,
    /// The same, with line breaks.
    pub description: Option<String>,
    /// Where it leads; http(s), and nobody has looked.
    pub url: Option<String>,
    /// article, guide, study-material or case-brief.
    pub kind: String,
    /// The member.
    pub suggested_by: Option<Uuid>,
    /// When.
    pub suggested_at: DateTime<Utc>,
}

/// Every source that is read and how its last crawls went, by name.
///
/// # Errors
/// When the database is away.
pub async fn sources(conn: &mut PgConnection) -> Result<Vec<Crawled>, Error> {
    sources::crawled(conn).await
}

/// The suggestions that have waited longest, at most a hundred.
///
/// # Errors
/// When the database is away.
pub async fn resources_waiting(conn: &mut PgConnection) -> Result<Vec<Waiting>, Error> {
    let waiting = sqlx::query_as!(
        Waiting,
        "select id, title, description, url, type as kind, suggested_by, created_at as suggested_at
        from news.resources
        where approved_at is null
        order by created_at, id
        limit $1",
        AT_ONCE,
    );
    Ok(waiting.fetch_all(conn).await?)
}

/// Shows a suggestion to everybody. Answers with its title.
///
/// # Errors
/// [`Error::ResourceNotFound`] when none of that id waits.
pub async fn approve(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<String, Error> {
    let approved = sqlx::query_scalar!(
        r#"with approved as (
            update news.resources
            set approved_at = $2
            where id = $1
                and approved_at is null
            returning title, suggested_by
        ),
        counted as (
            update news.suggesters
            set waiting = waiting - 1
            where member_id = (select suggested_by from approved)
        )
        select title as "title!"
        from approved"#,
        id,
        now,
    );
    let title = approved.fetch_optional(&mut *conn).await?.ok_or(Error::ResourceNotFound)?;
    search::NEWS.mark_stale(conn, &[id]).await?;
    Ok(title)
}

/// Forgets a suggestion; its address may be suggested again. Answers with its title.
///
/// # Errors
/// [`Error::ResourceNotFound`] when none of that id waits.
pub async fn reject(conn: &mut PgConnection, id: Uuid) -> Result<String, Error> {
    let rejected = sqlx::query_scalar!(
        r#"with rejected as (
            delete from news.resources
            where id = $1
                and approved_at is null
            returning title, suggested_by
        ),
        counted as (
            update news.suggesters
            set waiting = waiting - 1
            where member_id = (select suggested_by from rejected)
        )
        select title as "title!"
        from rejected"#,
        id,
    );
    rejected.fetch_optional(conn).await?.ok_or(Error::ResourceNotFound)
}
