//! Law school resources: those the house offers, and those members suggest, which nobody sees before an operator
//! approved them.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Line, Page, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::BrowseResources, error::Error};

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something to read.
    Article,
    /// How something is done.
    Guide,
    /// To learn from.
    StudyMaterial,
    /// Cases, in short.
    CaseBrief,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Article, Self::Guide, Self::StudyMaterial, Self::CaseBrief];

    /// As the table and the wire say it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Guide => "guide",
            Self::StudyMaterial => "study-material",
            Self::CaseBrief => "case-brief",
        }
    }
}

/// A resource as lists show it.
pub struct Resource {
    pub id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub url: Option<String>,
    pub kind: String,
    pub approved_at: Option<DateTime<Utc>>,
}

/// What a member suggests.
pub struct Suggestion {
    pub title: Line<200>,
    pub description: Option<Text<2_000>>,
    pub url: String,
    /// What it is known by.
    pub canonical_url: String,
    pub kind: Kind,
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
    let rows = match browse.kind {
        None => all(db, browse).await?,
        Some(kind) => of_kind(db, browse, kind).await?,
    };
    let place = |resource: &Resource| Approved { at: resource.approved_at.unwrap_or_default(), id: resource.id };
    Ok(Page::cut(rows, browse.size, place))
}

async fn all(db: &mut PgConnection, browse: &BrowseResources) -> Result<Vec<Resource>, sqlx::Error> {
    sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where approved_at is not null
            and (approved_at, id) < ($1, $2)
        order by approved_at desc, id desc
        limit $3",
        browse.after.at,
        browse.after.id,
        browse.size.to_fetch(),
    )
    .fetch_all(db)
    .await
}

async fn of_kind(db: &mut PgConnection, browse: &BrowseResources, kind: Kind) -> Result<Vec<Resource>, sqlx::Error> {
    sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where approved_at is not null
            and type = $4
            and (approved_at, id) < ($1, $2)
        order by approved_at desc, id desc
        limit $3",
        browse.after.at,
        browse.after.id,
        browse.size.to_fetch(),
        kind.name(),
    )
    .fetch_all(db)
    .await
}

/// Those of some that everybody sees, in any order.
pub async fn among(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Resource>, sqlx::Error> {
    let found = sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where id = any((select $1::uuid[])::uuid[])
            and approved_at is not null",
        ids,
    );
    found.fetch_all(db).await
}

/// One that everybody sees.
pub async fn find(db: &mut PgConnection, id: Uuid) -> Result<Resource, Error> {
    let found = sqlx::query_as!(
        Resource,
        "select id, title, description, url, type as kind, approved_at
        from news.resources
        where id = $1
            and approved_at is not null",
        id,
    );
    found.fetch_optional(db).await?.ok_or(Error::ResourceNotFound)
}

/// Keeps a suggestion for the operator. That an address is known its constraint says; the row of the member's count lets
/// nobody have more than ten wait, however many are sent at once.
pub async fn suggest(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    suggestion: &Suggestion,
    now: DateTime<Utc>,
) -> Result<Resource, Error> {
    let kept = sqlx::query_as!(
        Resource,
        "with room as (
            insert into news.suggesters as s (member_id, waiting)
            values ($2, 1)
            on conflict (member_id) do update
            set waiting = s.waiting + 1
            where s.waiting < 10
            returning member_id
        )
        insert into news.resources (id, title, description, url, canonical_url, type, suggested_by, created_at)
        select $1, $3, $4, $5, $6, $7, member_id, $8
        from room
        returning id, title, description, url, type as kind, approved_at",
        id,
        member,
        &*suggestion.title,
        suggestion.description.as_deref(),
        suggestion.url,
        suggestion.canonical_url,
        suggestion.kind.name(),
        now,
    );
    kept.fetch_optional(db).await?.ok_or(Error::TooManySuggestions)
}
