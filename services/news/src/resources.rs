//! Law school resources: those the house offers and those of members that the operator approved.

use chassis::input::{Cursor, Page};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::BrowseResources, error::Error};

/// A resource as lists show it.
pub struct Resource {
    pub id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub url: Option<String>,
    pub kind: String,
    pub approved_at: DateTime<Utc>,
}

/// A place in the list of resources.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Approved {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Approved {}

impl Approved {
    /// Before every resource.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// Approved resources, newest first.
pub async fn list(db: &mut PgConnection, browse: &BrowseResources) -> Result<Page<Resource>, Error> {
    let rows = sqlx::query_as!(
        Resource,
        r#"select id, title, description, url, type as kind, approved_at as "approved_at!"
        from news.resources
        where approved_at is not null
            and (approved_at, id) < ($1, $2)
        order by approved_at desc, id desc
        limit $3"#,
        browse.after.at,
        browse.after.id,
        browse.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, browse.size, |resource| Approved { at: resource.approved_at, id: resource.id }))
}
