//! Operator actions on suggestions and sources, called by `portia admin`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, search, sources};

pub use crate::sources::SourceStatus;

/// The most suggestions in one list.
const MAX_LISTED: i64 = 100;

/// A suggested resource that waits for approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingResource {
    /// Its id.
    pub id: Uuid,
    /// In one line, as the member typed it.
    pub title: String,
    /// With line breaks.
    pub description: Option<String>,
    /// An http(s) address, not checked by a person yet.
    pub url: Option<String>,
    /// The name of a [`crate::resources::Kind`].
    pub kind: String,
    /// The member.
    pub suggested_by: Option<Uuid>,
    /// The time of the suggestion.
    pub suggested_at: DateTime<Utc>,
}

/// Lists the configured sources with their last crawl, by name.
///
/// # Errors
/// When the database is unavailable.
pub async fn list_sources(db: &mut PgConnection) -> Result<Vec<SourceStatus>, Error> {
    sources::list_crawled(db).await
}

/// Lists the oldest pending suggestions, at most 100.
///
/// # Errors
/// When the database is unavailable.
pub async fn list_pending_resources(db: &mut PgConnection) -> Result<Vec<PendingResource>, Error> {
    let waiting = sqlx::query_as!(
        PendingResource,
        "select id, title, description, url, type as kind, suggested_by, created_at as suggested_at
        from news.resources
        where approved_at is null
        order by created_at, id
        limit $1",
        MAX_LISTED,
    );
    Ok(waiting.fetch_all(db).await?)
}

/// Publishes a suggestion and returns its title.
///
/// # Errors
/// [`Error::ResourceNotFound`] when no pending suggestion has this id.
pub async fn approve_resource(db: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<String, Error> {
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
    let title = approved.fetch_optional(&mut *db).await?.ok_or(Error::ResourceNotFound)?;
    search::NEWS.mark_stale(db, &[id]).await?;
    Ok(title)
}

/// Deletes a suggestion and returns its title. Its address may be suggested again.
///
/// # Errors
/// [`Error::ResourceNotFound`] when no pending suggestion has this id.
pub async fn reject_resource(db: &mut PgConnection, id: Uuid) -> Result<String, Error> {
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
    rejected.fetch_optional(db).await?.ok_or(Error::ResourceNotFound)
}
